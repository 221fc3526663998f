"""The kinds of aspects: which module scores each, with which metric, and what a user may ask of it.

Importing this module costs next to nothing: the command line makes its flags from the table.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple, TypeVar

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from fastmatch.fine_grained.request import PartScores
    from fastmatch.graphs.corpus import Corpus
    from fastmatch.metrics.base import Metric
    from fastmatch.results.pairs import PairScores
    from fastmatch.results.problems import Problem

_Row = TypeVar("_Row")


class Kind(NamedTuple):
    """One kind of aspects.

    Attributes
    ----------
    module : str
        Module of this folder whose function ``score`` takes a :class:`~fastmatch.fine_grained.request.Request` and
        returns a :class:`Found`.
    metric : str
        The metric behind the aspects; its options are options of the aspects.
    description : str
        A few words for the help text of the command line.
    options : tuple of str
        Names of further options.
    """

    module: str
    metric: str
    description: str
    options: tuple[str, ...] = ()


class Match(NamedTuple):
    """Pairs of graphs whose best maps an aspect counts.

    Attributes
    ----------
    metric : Metric
    pred, gold : Corpus
    scores : PairScores
        Of graph k of one and graph k of the other by the metric, with their maps.
    rewritten : bool
        The graphs are parts of those that were read, or have other labels.
    standardized : bool
        The metric has standardised them already.
    """

    metric: Metric
    pred: Corpus
    gold: Corpus
    scores: PairScores
    rewritten: bool
    standardized: bool = False


class Found(NamedTuple):
    """What the score function of a kind gives.

    Attributes
    ----------
    scores : dict of str → PartScores
        Aspect → scores of the pairs, in the order in which they are printed.
    fields : dict
        Fields of the signature.
    problems : tuple of Problem
        Graphs that could not be read, and repairs.
    ids : sequence of str or None
        Of the pairs.
    matches : dict of str → Match
        Aspect → what was matched, if the request wants maps.
    """

    scores: Mapping[str, PartScores]
    fields: dict[str, str | int | float | bool | None]
    problems: tuple[Problem, ...]
    ids: Sequence[str | None]
    matches: Mapping[str, Match] = {}


def with_last_second(rows: Mapping[str, _Row]) -> dict[str, _Row]:
    """Rows in the order in which they are printed, where the second of them was searched last."""
    names = list(rows)
    return {name: rows[name] for name in (*names[:1], *names[-1:], *names[1:-1])}


KINDS: Mapping[str, Kind] = {
    "damonte": Kind("damonte", "smatch", "as Damonte et al. 2017"),
    "enhanced": Kind("damonte", "smatch", "the same on sets, with frames"),
    "s2match": Kind("damonte", "s2match", "enhanced, with S2match for Smatch"),
    "amrlib": Kind("amrlib", "smatch", "Smatch, Unlabeled and No WSD as amrlib prints them"),
    "pmb5": Kind("pmb5", "smatch", "as PMB 5's script, of documents in box notation"),
    "mrp": Kind("mrp", "smatch", "the counts of MRP, of graphs in MRP JSON"),
    "edm": Kind("mrp", "smatch", "elementary dependency match, of graphs in MRP JSON"),
    "sdp": Kind("mrp", "smatch", "edges between words, of graphs in MRP JSON"),
    "ucca": Kind("mrp", "smatch", "edges of UCCA, of graphs in MRP JSON"),
    "smatch++": Kind("smatchpp", "smatch++", "the subgraphs of Opitz 2023", ("only", "align", "frames")),
    "docsmatch": Kind("docsmatch", "docsmatch", "coreference of documents, and its parts"),
}
