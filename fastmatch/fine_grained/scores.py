"""Scores of aspects: how well predictions do in one thing at a time, such as negation, roles or re-entrancies.

Each kind of aspects (:data:`fastmatch.fine_grained.kinds.KINDS`) has a function that scores the pairs once for each
aspect. What it gets and returns is the same for all kinds, so an aspect can do what a score can do: macro averages,
confidence intervals, JSON.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from importlib import import_module
from os import PathLike
from typing import TYPE_CHECKING, Any

from fastmatch.errors import OptionError, choice
from fastmatch.evaluation.certificates import making
from fastmatch.evaluation.certificates.sides import Side
from fastmatch.evaluation.pairing import Rules
from fastmatch.fine_grained.kinds import KINDS, Found
from fastmatch.fine_grained.request import Request
from fastmatch.graphs.forms import Graphs
from fastmatch.graphs.sources import kept
from fastmatch.report.cells import Points, count
from fastmatch.report.frames import Tabular, columns_of
from fastmatch.report.model import Report, Reported, Table
from fastmatch.report.writing import attributes
from fastmatch.results.problems import Problem, WithProblems, n_repaired
from fastmatch.results.scores import CorpusScore, broken
from fastmatch.results.signature import Signature
from fastmatch.results.words import label
from fastmatch.types import AspectKind, IntervalMethod, OnErrorPaired, PairBy, Progress, Unpaired

if TYPE_CHECKING:
    from fastmatch.evaluation.bootstrap import Resampling


@dataclass(frozen=True, eq=False, repr=False)
class AspectScores(Mapping[str, CorpusScore], WithProblems, Reported, Tabular):
    """Scores of a corpus by aspect, in the order in which the programs print them: ``scores["Negations"].f1``.

    Attributes
    ----------
    kind : str
        Whose aspects: a name in :data:`fastmatch.fine_grained.kinds.KINDS`.
    scores : dict of str → CorpusScore
        Each with a signature that names the aspect.
    signature : Signature
        What they all depend on.
    problems : tuple of Problem
        Graphs that count as empty, and repairs: see :class:`~fastmatch.results.scores.CorpusScore`.
    certificates : dict of str → Certificates
        Of each aspect that matches, if a file of them was asked for.
    """

    kind: str
    scores: dict[str, CorpusScore]
    signature: Signature
    problems: tuple[Problem, ...] = ()
    certificates: Mapping[str, making.Certificates] = field(default_factory=dict)

    @property
    def n_pairs(self) -> int:
        """Pairs that were scored."""
        return len(next(iter(self.scores.values())))

    @property
    def certified(self) -> bool:
        """Every pair's value of every aspect is proven to be the optimum."""
        return all(score.certified for score in self.values())

    def to_dict(self) -> dict[str, Any]:
        """Everything as plain Python values, ready for JSON."""
        shared = ("n_pairs", "n_invalid", "n_repaired", "problems")
        return {
            "kind": self.kind,
            "signature": str(self.signature),
            "headline": next(iter(next(iter(self.values())).scores)),
            **attributes(self, "n_pairs", "n_invalid", "n_repaired"),
            "problems": [problem.to_dict() for problem in self.problems],
            "aspects": {
                name: {fact: value for fact, value in score.facts().items() if fact not in shared}
                for name, score in self.items()
            },
        }

    def __getitem__(self, aspect: str) -> CorpusScore:
        return self.scores[aspect]

    def __iter__(self) -> Iterator[str]:
        return iter(self.scores)

    def __len__(self) -> int:
        return len(self.scores)

    def __repr__(self) -> str:
        rows = ", ".join(f"{name} {score.score:.4f}" for name, score in self.scores.items())
        return f"<AspectScores: {rows}, {self.signature}>"

    def report(self) -> Report:
        """A line an aspect: micro scores, the interval of the headline if there is one, the macro score, the counts.

        Behind the macro score stands how many pairs it is the mean of.
        """
        first = next(iter(self.values()))
        names = sorted(first.scores, key=lambda name: name == "f1")
        headline = next(iter(first.scores))
        rows: list[list[object]] = []
        data: list[dict[str, Any]] = []
        for name, score in self.items():
            spans = {} if score.intervals is None else {headline: score.intervals[headline]}
            cells = [Points(score.scores[part], spans.get(part)) for part in names]
            counts = [score.sums[part] for part in score.pairs.names] if score.pairs.summable else []
            rows.append([name, *cells, Points(score.macro.headline), score.n_macro, *counts])
            row: dict[str, Any] = {"aspect": name, **score.summary()}
            data.append({key: row[key] for key in ("aspect", "metric", "n_pairs")} | {"n_macro": score.n_macro} | row)
        notes = []
        empty = [name for name, score in self.items() if set(score.sums.values()) == {0}]
        if empty:
            notes.append(f"nothing of this in any graph: {', '.join(empty)}")
        open_pairs = [name for name, score in self.items() if not score.certified]
        notes.append(f"not proven optimal: {', '.join(open_pairs)}" if open_pairs else "all proven optimal")
        notes.append(broken(self))
        header = ["", *map(label, names), f"macro {label(headline)}", "of pairs", *first.pairs.names]
        if first.intervals is not None:
            header[1 + names.index(headline)] += f", {100 * first.intervals.confidence:g} % interval"
            notes.append(f"intervals: {first.intervals.signature}")
        table = Table(header, rows, f"{self.kind}: {count(self.n_pairs, 'pair')}")
        columns, values = tuple(data[0]), [tuple(row.values()) for row in data]
        signatures = [(self.kind, str(self.signature))]
        return Report("fastmatch score --aspects", [table], columns, values, self.to_dict(), signatures, notes)

    def _table(self) -> dict[str, Any]:
        """One row an aspect."""
        return columns_of(
            [{"aspect": name, "n_macro": score.n_macro, **score.summary()} for name, score in self.scores.items()]
        )


def aspects(
    pred: Graphs,
    gold: Graphs,
    *,
    kind: AspectKind = "damonte",
    preset: str | None = None,
    workers: int = 1,
    progress: Progress = None,
    on_error: OnErrorPaired = "raise",
    pair_by: PairBy = "position",
    unpaired: Unpaired = "raise",
    bootstrap: int | None = None,
    confidence: float = 0.95,
    bootstrap_method: IntervalMethod = "bca",
    bootstrap_seed: int = 0,
    certificate: str | PathLike[str] | None = None,
    **options: Any,
) -> AspectScores:
    """Score predictions against gold graphs, aspect by aspect.

    Parameters
    ----------
    pred, gold : Corpus, or graphs in another form
        As for :func:`fastmatch.score`.
    kind : {"damonte", "enhanced", "s2match", "amrlib", "pmb5", "mrp", "edm", "sdp", "ucca", "smatch++", "docsmatch"}
        Whose aspects: ``"damonte"`` (Damonte et al. 2017), ``"enhanced"`` (the same on sets, with frames and
        IgnoreVars), ``"s2match"`` (enhanced, with S2match for Smatch), see :mod:`fastmatch.fine_grained.damonte`;
        ``"amrlib"``, see :mod:`fastmatch.fine_grained.amrlib`; ``"pmb5"``, of box notation, see
        :mod:`fastmatch.fine_grained.pmb5`; ``"mrp"``, ``"edm"``, ``"sdp"`` and ``"ucca"``, of MRP JSON, see
        :mod:`fastmatch.fine_grained.mrp`;
        ``"smatch++"`` (Opitz 2023), see :mod:`fastmatch.fine_grained.smatchpp`; ``"docsmatch"`` (coreference of
        documents), see :mod:`fastmatch.fine_grained.docsmatch`.
    preset : str, optional
        ``"tool"`` reproduces the published program, quirks included.
    workers, progress, on_error, pair_by, unpaired, bootstrap, confidence, bootstrap_method, bootstrap_seed
        As for :func:`fastmatch.score`; intervals are made for every aspect.
    certificate : path, optional
        Prove for each aspect that matches, and each pair, that no map is better, and write this file as
        :func:`fastmatch.certificate` does, one block an aspect. Of the kinds that match their aspects, without
        preset ``"tool"``: "damonte", "enhanced", "s2match", "amrlib", "pmb5", and "smatch++" with ``align="each"``; and
        of "mrp" and "docsmatch", whose other rows are counted under the map of one.
    **options
        Of the metric behind the aspects: ``solver``, ``time_limit``; S2match's for ``kind="s2match"``. For
        ``kind="smatch++"`` also ``align``, ``"one"`` (the parts under the best alignment of the whole graphs) or
        ``"each"`` (every part with its own); ``frames``, a file that says what the roles of frames are; ``only``, the
        names of the aspects that are wanted.

    Returns
    -------
    AspectScores
        Name of the aspect → :class:`~fastmatch.CorpusScore`.

    Raises
    ------
    OptionError
        If there is no such kind, preset or option.
    PairingError, ReadError, TypeError
        As for :func:`fastmatch.score`.
    """
    choice("kind", kind, KINDS)
    if kind != "docsmatch" and options.get("within", "document") != "document":
        raise OptionError(
            f"within={options['within']!r}: only the aspects of docsmatch keep to sentences (kind='docsmatch')"
        )
    rules = Rules("aspects", pair_by, unpaired, on_error, workers).checked()
    how = None
    if bootstrap is not None:
        from fastmatch.evaluation import bootstrap as resampling

        how = resampling.checked(bootstrap, confidence, bootstrap_method, bootstrap_seed)
    names = {"pred": pred, "gold": gold}
    pred, gold, mapping = kept(pred), kept(gold), certificate is not None
    request = Request(pred, gold, kind, preset, rules, progress, options, mapping)
    found, result = scored(request, how)
    if certificate is None:
        return result
    return replace(result, certificates=_certified(found, result, names, certificate, request))


def scored(request: Request, how: Resampling | None = None) -> tuple[Found, AspectScores]:
    """What :func:`aspects` is of a request, with intervals that are drawn like this; without certificates."""
    kind = request.kind
    found: Found = import_module(f"fastmatch.fine_grained.{KINDS[kind].module}").score(request)
    fields = {**found.fields, "on_error": "repair"} if n_repaired(found.problems) else found.fields
    scores = {}
    for name, pairs in found.scores.items():
        intervals = None
        if how is not None:
            from fastmatch.evaluation.bootstrap import bootstrap

            intervals = bootstrap(pairs.resampled, how, request.rules.workers)
        signature = Signature("aspects", {"kind": kind, "aspect": name, **fields})
        scores[name] = CorpusScore(pairs, signature, found.problems, intervals, found.ids)
    return found, AspectScores(kind, scores, Signature("aspects", {"kind": kind, **fields}), found.problems)


def _certified(
    found: Found, scores: Mapping[str, CorpusScore], sources: Mapping[str, Graphs], out: Any, request: Request
) -> dict[str, making.Certificates]:
    """A block of certificates for each aspect that matches."""
    if not found.matches:
        raise OptionError(f"certificate: aspects of kind {request.kind!r} have none, with these options")
    for match in found.matches.values():
        making.check_certifiable(match.metric)
    names = {side: making.file_of(source) for side, source in sources.items()}
    plain = request.rules.on_error == "raise" and request.rules.pair_by == "position"
    made = {}
    with making.certificate_file(out) as lines:
        for name, match in found.matches.items():
            graphs, signature = (match.pred, match.gold), scores[name].signature
            sides = [Side(match.metric, side, k) for k, side in enumerate(graphs)] if match.standardized else None
            made[name] = making.certified(
                match.metric,
                *graphs,
                match.scores,
                signature,
                names,
                lines,
                request.progress,
                plain=plain,
                rewritten=match.rewritten,
                sides=sides,
                aspect=name,
            )
    return made
