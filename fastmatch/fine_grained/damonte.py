"""Fine-grained scores: what of a graph a parser gets right, one number (a *row* of the table) for each kind of thing.

Damonte, Cohen and Satta (2017), "An incremental parser for Abstract Meaning Representation", proposed them. Papers
quote their scripts (amr-evaluation) or an "enhanced" version of these (amr-metric-suite). Some rows are Smatch of a
part of the graphs, the others the overlap of two bags of items:

=====================  =======================================================================
Smatch, of …
Smatch (or S2match)    the graphs as they are
Unlabeled              the graphs with one label for all roles
No WSD                 the graphs with one sense for all frames
Reentrancies           the edges into nodes that have more than one, and the nodes at their ends
SRL                    the edges ``:ARG…``, and the nodes at their ends
Overlap, of …
Concepts               the nodes' concepts
Named Ent.             concepts of nodes with a ``:name``
Negations              concepts of nodes with a ``:polarity``
Wikification           values of ``:wiki``
Frames                 concepts with a sense: ``want-01``
Non_sense_frames       the same without it: ``want``
IgnoreVars             all attributes and edges, variables replaced by concepts
=====================  =======================================================================

The overlaps compare multisets for ``kind="damonte"`` and sets for ``"enhanced"`` and ``"s2match"``. Only the last two
have Frames, Non_sense_frames and IgnoreVars. Everything is done on the columns of the corpora, all graphs at once; the
Smatch rows are proven optima. The counts of each pair are kept, so a row has a micro and a macro average
(:mod:`fastmatch.fine_grained.request`) and intervals.

By default graphs are read as penman reads them, labels are compared as ``smatch`` does here, and a part of a graph is
just that part. ``preset="tool"`` follows the programs; docs/fine-grained.md lists all differences:

* their readers;
* labels rewritten in the *text* before it is read (:mod:`fastmatch.fine_grained.old_texts`), so this preset needs text:
  strings, paths, or graphs that can be written as text;
* ``damonte``: a TOP in the parts, and 0 where neither graph has anything;
* ``enhanced``: every edge of a part again, as an attribute with its child's concept.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from fastmatch.errors import OptionError
from fastmatch.evaluation import scoring
from fastmatch.evaluation.checks import warn_odd_pairs
from fastmatch.evaluation.pairing import pairing
from fastmatch.fine_grained.kinds import Found, Match, with_last_second
from fastmatch.fine_grained.old_texts import half_unlabelled_text, old_text, one_sense_text, unlabelled_text
from fastmatch.fine_grained.request import PartScores, Request
from fastmatch.fine_grained.triple_columns import ALIKE, Items, Labels, TripleColumns
from fastmatch.graphs.corpus import Corpus
from fastmatch.graphs.forms import corpora_of, pair_ids
from fastmatch.graphs.standardization.labels import unlabel
from fastmatch.graphs.vocabulary import CASE, SENSES, UNDERSCORES, Vocabulary, relabelled
from fastmatch.metrics.base import Metric
from fastmatch.metrics.choosing import agreed_fields
from fastmatch.metrics.registry import make
from fastmatch.metrics.shared import triples
from fastmatch.metrics.shared.labels import without_domain
from fastmatch.metrics.shared.search import Shared, sharing
from fastmatch.metrics.smatch import Smatch
from fastmatch.results.pairs import TripleScores, ZeroForNothing
from fastmatch.results.problems import problems_of
from fastmatch.types import Dialect

#: Kind → how its program reads.
_DIALECTS: dict[str, Dialect] = {"damonte": "damonte", "enhanced": "amrsuite", "s2match": "amrsuite"}

#: Rows that are overlaps → the items whose overlap they are.
_BAGS: dict[str, Callable[[TripleColumns], Items]] = {
    "Concepts": TripleColumns.all_concepts,
    "Frames": lambda columns: columns.frames(senses=True),
    "Non_sense_frames": lambda columns: columns.frames(senses=False),
    "Named Ent.": lambda columns: columns.owners_of(columns.labels.name),
    "Negations": lambda columns: columns.owners_of(columns.labels.polarity),
    "Wikification": lambda columns: columns.values_of(columns.labels.wiki),
    "IgnoreVars": TripleColumns.without_variables,
}
_ENHANCED_ONLY = ("Frames", "Non_sense_frames", "IgnoreVars")


def score(request: Request) -> Found:
    """All rows of one kind; see :func:`fastmatch.aspects`.

    ``options`` are those of Smatch (``solver``, ``time_limit``), or of S2match for ``kind="s2match"``.
    """
    kind, preset, rules = request.kind, request.preset, request.rules
    if preset not in (None, "tool"):
        raise OptionError(f"preset={preset!r}: fine-grained scores have 'tool'")
    metric = _metric(kind, preset, dict(request.options))
    if preset == "tool":
        texts = (old_text("pred", request.pred), old_text("gold", request.gold))
        unlabelled = unlabelled_text if kind == "damonte" else half_unlabelled_text
        vocabulary = Vocabulary()

        def read(rewrite: Callable[[str], str] | None) -> tuple[Corpus, Corpus]:
            corpora = [text.read(rewrite, _DIALECTS[kind], rules.on_error, vocabulary) for text in texts]
            return corpora[0], corpora[1]

        plain = read(None)
        whole = {"Unlabeled": read(unlabelled), "No WSD": read(one_sense_text)}
    else:
        plain = corpora_of(request.pred, request.gold, metric.dialect, rules.on_error, workers=rules.workers)
        whole = {"Unlabeled": _each(_unlabelled, plain), "No WSD": _each(_one_sense, plain)}
    found_pairs = pairing(*plain, rules)
    if found_pairs is not None:
        plain = found_pairs.take(*plain)
        whole = {name: found_pairs.take(*corpora) for name, corpora in whole.items()}
    warn_odd_pairs(*plain)
    labels = Labels(plain[0].vocabulary, kind, preset == "tool")
    columns = TripleColumns(plain[0], labels), TripleColumns(plain[1], labels)
    scores: dict[str, PartScores] = {}
    matches: dict[str, Match] = {}
    known = request.known if request.known is not None and request.known[0] == metric else None
    shared = Shared.of(len(plain[0])) if known is None else known[2]
    if request.mapping and preset == "tool":
        raise OptionError("certificate: preset='tool' of aspects has none; the default of each kind has")

    def match(name: str, corpora: tuple[Corpus, Corpus], metric: Metric) -> None:
        if corpora is plain and known is not None:
            found = known[1]
        else:
            found, _ = scoring.score_corpora(
                sharing(metric, shared), *corpora, rules.workers, request.progress, request.mapping
            )
        assert isinstance(found, TripleScores)
        scores[name] = _convention(found, preset, kind)
        if request.mapping:
            matches[name] = Match(metric, *corpora, found, corpora is not plain)

    match("S2match" if kind == "s2match" else "Smatch", plain, metric)
    match("No WSD", whole["No WSD"], metric)
    for name, items in _BAGS.items():
        if kind != "damonte" or name not in _ENHANCED_ONLY:
            found = _overlap(items(columns[0]), items(columns[1]), len(plain[0]), sets=kind != "damonte")
            scores[name] = _convention(found, preset, kind)
    part = _metric(kind, preset, {**request.options, "top": "concept" if labels.tool and kind == "damonte" else "none"})
    match("Reentrancies", (columns[0].reentrancies(), columns[1].reentrancies()), part)
    match("SRL", (columns[0].roles(), columns[1].roles()), part)
    # The hardest is searched last: what it takes without success the others are not to miss.
    match("Unlabeled", whole["Unlabeled"], metric)
    fields = {**agreed_fields(metric, *plain), "preset": preset}
    return Found(with_last_second(scores), fields, problems_of(*plain), pair_ids(*plain), with_last_second(matches))


# ---- metrics and conventions of the programs -------------------------------------------------------------------------


@dataclass(frozen=True)
class _OldSmatch(Smatch):
    """The triples and weights of the smatch inside the programs.

    ``flags`` say how labels are compared (:meth:`fastmatch.Vocabulary.fold`); TOP leads to the root's concept.
    """

    duplicates: str = "multiply"
    top: str = "concept"
    flags: int = CASE

    def check(self, dialect: str) -> None:
        pass

    def labels(self, corpus: Corpus) -> triples.Labels:
        return triples.Labels(corpus.vocabulary.id(":top"), -1, -1, -1, corpus.vocabulary.fold(self.flags))


def _metric(kind: str, preset: str | None, options: dict[str, Any]) -> Metric:
    if kind == "s2match":
        return make("s2match", preset, **options)
    if preset == "tool":
        for option in options:
            if option not in ("solver", "restarts", "seed", "effort", "time_limit", "top"):
                raise OptionError(f"{option}={options[option]!r}: preset 'tool' sets this")
        return _OldSmatch(**options, flags=CASE | UNDERSCORES if kind == "damonte" else CASE)
    return make("smatch", None, **options)


class _ZeroForNothing(ZeroForNothing, PartScores):
    """As amr-evaluation prints scores."""


def _convention(scores: TripleScores, preset: str | None, kind: str) -> PartScores:
    """The same counts, scored as the program scores them."""
    return (_ZeroForNothing if preset == "tool" and kind == "damonte" else PartScores).of(scores)


# ---- graphs with other labels ----------------------------------------------------------------------------------------


def _each(change: Callable[[Corpus], Corpus], corpora: tuple[Corpus, Corpus]) -> tuple[Corpus, Corpus]:
    return change(corpora[0]), change(corpora[1])


def _unlabelled(corpus: Corpus) -> Corpus:
    """The corpus with one label for all roles; ``:domain`` is the inverse of ``:mod`` still."""
    return unlabel(without_domain(corpus))


def _one_sense(corpus: Corpus) -> Corpus:
    """The corpus with sense 01 for every concept that has one."""
    instances = corpus.instances.copy()
    stem = np.append(corpus.vocabulary.fold(ALIKE | SENSES), np.int32(-1))[instances[1]]
    frame = stem != np.append(corpus.vocabulary.fold(ALIKE), np.int32(-1))[instances[1]]
    instances[1][frame] = relabelled(corpus.vocabulary, stem[frame], lambda text: f"{text}-01")
    return corpus.with_columns(instances=instances)


# ---- overlaps --------------------------------------------------------------------------------------------------------


def _overlap(pred: Items, gold: Items, n_graphs: int, *, sets: bool) -> TripleScores:
    """Sizes and intersections of the graphs' multisets, or sets, of items."""
    split = len(pred[0])
    code = np.concatenate((pred[0], gold[0])).astype(np.int64)
    for column in zip(pred[1], gold[1], strict=True):  # graph and columns become one number, the same for equal items
        values = np.concatenate(column).astype(np.int64) + 1
        code = np.unique(code * (int(values.max(initial=0)) + 1) + values, return_inverse=True)[1].reshape(-1)
    owner = np.empty(int(code.max(initial=-1)) + 1, np.int64)
    owner[code] = np.concatenate((pred[0], gold[0]))
    mine, its = np.bincount(code[:split], minlength=len(owner)), np.bincount(code[split:], minlength=len(owner))
    if sets:
        mine, its = np.minimum(mine, 1), np.minimum(its, 1)
    matched, n_pred, n_gold = (
        np.bincount(owner, counts, n_graphs).astype(np.int64) for counts in (np.minimum(mine, its), mine, its)
    )
    return TripleScores(matched, n_pred, n_gold, matched, np.ones(n_graphs, np.bool_))
