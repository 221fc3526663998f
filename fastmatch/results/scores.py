"""The score of a corpus, with the signature that says what it depends on."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from operator import index as as_index
from typing import Any, NamedTuple, overload

import numpy as np

from fastmatch.errors import OptionError
from fastmatch.report.cells import Points, amount, count
from fastmatch.report.frames import Tabular
from fastmatch.report.model import Report, Reported, Table, by_name
from fastmatch.report.writing import attributes, plain
from fastmatch.results import ratios
from fastmatch.results.equality import ByValue
from fastmatch.results.pairs import PairScores, Scores, TripleScores
from fastmatch.results.problems import Problem, WithProblems
from fastmatch.results.signature import Signature
from fastmatch.results.words import label
from fastmatch.runtime.cached import cached_property
from fastmatch.types import FloatArray, Int64Array

# ---- the pairs that score lowest -------------------------------------------------------------------------------------


def number_of_pairs(n: int) -> int:
    """``n`` as a number of pairs.

    Raises
    ------
    OptionError
        If it is no whole number, 0 or more.
    """
    try:
        number = as_index(n)
    except TypeError:
        number = -1
    if number < 0:
        raise OptionError(f"worst: expected a whole number of pairs, 0 or more, found {n!r}")
    return number


class ScoredPair(NamedTuple):
    """One pair: its number, its ``::id`` (None if it has none) and its headline score."""

    index: int  # type: ignore[assignment] # hides the method of tuples
    id: str | None
    score: float


@dataclass(frozen=True, eq=False, repr=False)
class Worst(ByValue, Sequence[ScoredPair], Tabular):
    """The pairs that score lowest, the lowest first: a sequence of :class:`ScoredPair`.

    Attributes
    ----------
    indices : int64[n]
        Numbers of the pairs: ``pred[found.indices]`` is a corpus of their predictions.
    ids : tuple of str or None
        The ``::id`` of the gold graphs, or of the predictions where these have none.
    scores : float64[n]
        Headline scores.
    signature : Signature
        What the scores depend on.
    """

    indices: Int64Array
    ids: tuple[str | None, ...]
    scores: FloatArray
    signature: Signature

    @overload
    def __getitem__(self, item: int) -> ScoredPair: ...
    @overload
    def __getitem__(self, item: slice) -> Worst: ...
    def __getitem__(self, item: int | slice) -> ScoredPair | Worst:
        if isinstance(item, slice):
            return Worst(self.indices[item], self.ids[item], self.scores[item], self.signature)
        return ScoredPair(self.indices[item].item(), self.ids[item], self.scores[item].item())

    def __iter__(self) -> Iterator[ScoredPair]:
        return map(ScoredPair, self.indices.tolist(), self.ids, self.scores.tolist())

    def __len__(self) -> int:
        return len(self.indices)

    def _table(self) -> dict[str, Any]:
        return {"index": self.indices, "id": self.ids, "score": self.scores}

    def __repr__(self) -> str:
        lowest = ", ".join(f"{index if id is None else id} {score:.6f}" for index, id, score in self[:3])
        return f"<Worst: {count(len(self), 'pair')}{': ' * bool(len(self))}{lowest}{', …' * (len(self) > 3)}>"


def with_worst(report: Report, results: Mapping[str, Any], number: int | None) -> Report:
    """The report of some results, with a table behind of the pairs that each scores lowest, if ``number`` is given.

    Results in which every pair is 1 or more are left out. In JSON what is a list has the pairs of each result with it;
    what is one object has them by the names of the results.
    """
    if number is None:
        return report
    tables, records = [*report.tables], {}
    for name, result in results.items():
        worst = result.worst(number)
        records[name] = [{"index": index, "id": id, "score": score} for index, id, score in worst]
        rows = [(str(index), id, Points(score)) for index, id, score in worst if score < 1]
        if rows:
            title = f"{name}: {count(len(rows), 'pair')} with the lowest scores"
            tables.append(Table(("pair", "id", "score"), rows, title))
    if isinstance(report.record, list):
        record: Any = [{**one, "worst": found} for one, found in zip(report.record, records.values(), strict=True)]
    else:
        record = {**report.record, "worst": records}
    return report._replace(tables=tables, record=record)


# ---- scores ----------------------------------------------------------------------------------------------------------


class Interval(NamedTuple):
    """Ends of a confidence interval; both nan if there is none (fewer than two pairs)."""

    low: float
    high: float


class Intervals(dict[str, Interval]):
    """Confidence intervals by name of the score: ``f1``, …, and ``macro_f1``, … for the means over pairs.

    Attributes
    ----------
    confidence : float
        Of the intervals, in (0, 1).
    signature : Signature
        How the intervals were made.
    """

    __slots__ = ("confidence", "signature")

    def __init__(self, intervals: Mapping[str, Interval], *, confidence: float, signature: Signature) -> None:
        super().__init__(intervals)
        self.confidence = confidence
        self.signature = signature

    def to_dict(self) -> dict[str, Any]:
        """Plain values, ready for JSON; an end that does not exist is None."""
        ends = {name: [None if end != end else end for end in interval] for name, interval in self.items()}
        return {"confidence": self.confidence, "signature": str(self.signature), **ends}

    def __reduce__(self) -> tuple[object, ...]:
        return (partial(Intervals, confidence=self.confidence, signature=self.signature), (dict(self),))


@dataclass(frozen=True, eq=False, repr=False)
class CorpusScore(WithProblems, ByValue, Reported, Tabular):
    """The score of a corpus of predictions against a corpus of gold graphs.

    Sums of the pairs' statistics are attributes by their names: ``result.matched``, ``result.n_pred``, and for metrics
    that search also ``result.upper``.

    Attributes
    ----------
    pairs : PairScores
        The pairs' own statistics and scores.
    signature : Signature
        What the number depends on. Two scores may be compared if their signatures are equal.
    problems : tuple of Problem
        Graphs that count as empty, because they could not be read (``on_error="empty"``) or are not there
        (``unpaired="empty"``), and each change that ``on_error="repair"`` made to a graph.
    intervals : Intervals or None
        Confidence intervals by name, if they were asked for (``bootstrap=1000``).
    ids : sequence of str or None
        The ``::id`` of each pair: of its gold graph, or of its prediction where that has none. Empty if the result was
        made of pairs alone.

    Notes
    -----
    Two results are equal (``==``) if all these are: the scores of every pair, the signature, problems, intervals, ids.
    A result that was pickled is equal to the one it was. Equal results have the same hash, which is no more than that
    of the class and the number of pairs.
    """

    pairs: PairScores
    signature: Signature
    problems: tuple[Problem, ...] = ()
    intervals: Intervals | None = None
    ids: Sequence[str | None] = ()

    @cached_property
    def micro(self) -> Scores:
        """Scores of the sums over all pairs; NaN if there are no pairs.

        Raises
        ------
        AttributeError
            If the metric's statistics do not add up (a similarity per pair, as WLK): there is only ``macro``.
        """
        if not self.pairs.summable:
            raise AttributeError(f"{self.signature.metric} has no micro score: its pairs do not add up; see macro")
        return self.pairs.micro()

    @cached_property
    def macro(self) -> Scores:
        """Means over the pairs of the pairs' scores; NaN if there are no pairs."""
        return self.pairs.macro()

    @property
    def n_macro(self) -> int:
        """Number of pairs that ``macro`` is the mean of. Aspects leave out pairs in which no graph has anything."""
        return self.pairs.n_macro

    @property
    def scores(self) -> Scores:
        """The corpus's scores: micro, or macro where the metric has no other."""
        return self.micro if self.pairs.summable else self.macro

    @property
    def headlines(self) -> tuple[str, ...]:
        """Names of the headline score: micro, if the pairs add up, and macro."""
        name = next(iter(self.scores))
        return (name, f"macro_{name}") if self.pairs.summable else (name,)

    @property
    def score(self) -> float:
        """The headline score, a fraction."""
        return self.scores.headline

    @property
    def precision(self) -> float:
        """Micro precision: matched / n_pred, in [0, 1]; metrics that have none raise AttributeError."""
        return self.scores.precision

    @property
    def recall(self) -> float:
        """Micro recall: matched / n_gold, in [0, 1]."""
        return self.scores.recall

    @property
    def f1(self) -> float:
        """Micro F1, in [0, 1]."""
        return self.scores.f1

    @cached_property
    def sums(self) -> dict[str, float]:
        """Sums of the statistics over all pairs, by name; with ``upper`` for metrics that search."""
        pairs = self.pairs
        if isinstance(pairs, TripleScores):
            return dict(zip((*pairs.names, "upper"), pairs.totals, strict=True))
        return dict(zip(pairs.names, pairs.statistics.sum(axis=1).tolist(), strict=True)) if pairs.summable else {}

    def __getattr__(self, name: str) -> Any:
        if "pairs" in self.__dict__ and not name.startswith("_") and name in self.sums:
            return self.sums[name]
        if name == "micro":  # the property raised an AttributeError, so Python calls this method
            raise AttributeError(f"{self.signature.metric} has no micro score: its pairs do not add up; see macro")
        raise AttributeError(f"{type(self).__name__!r} object has no attribute {name!r}")

    def __dir__(self) -> list[str]:
        return sorted({*super().__dir__(), *self.sums})

    @cached_property
    def n_certified(self) -> int:
        """Number of pairs whose value is proven to be the optimum; all of them if the metric does not search."""
        return int(self.pairs.certified.sum())

    @property
    def certified(self) -> bool:
        """Every pair's value is proven to be the optimum."""
        return self.n_certified == len(self.pairs)

    @property
    def upper_score(self) -> float:
        """What the headline score is at most, whatever alignments there are: :attr:`score` if all pairs are certified.

        NaN if pairs are open and the metric has no upper bounds.
        """
        if self.certified:
            return self.score
        if not isinstance(self.pairs, TripleScores):
            return float("nan")
        _, n_pred, n_gold, upper = self.pairs.totals
        return ratios.prf(upper, n_pred, n_gold).f1

    def worst(self, n: int = 10) -> Worst:
        """The ``n`` pairs whose headline score is lowest, the lowest first.

        Pairs that score the same stand in their order in the corpus. A pair without a score (NaN) is none of the worst,
        nor is one that an aspect's ``macro`` leaves out: then there may be fewer than ``n``.

        Raises
        ------
        OptionError
            If ``n`` is not a whole number, 0 or more.
        """
        number = number_of_pairs(n)
        score = self.pairs.score
        there = np.flatnonzero(self.pairs.present & (score == score))
        chosen = there[np.argsort(score[there], kind="stable")[:number]].astype(np.int64)
        return Worst(chosen, tuple(map(self._ids().__getitem__, chosen.tolist())), score[chosen], self.signature)

    def _ids(self) -> Sequence[str | None]:
        return self.ids if len(self.ids) == len(self) else (None,) * len(self)

    def _table(self) -> dict[str, Any]:
        """One row a pair, with its id."""
        return {"index": np.arange(len(self)), "id": self._ids(), **self.pairs.columns()}

    def summary(self) -> dict[str, str | float]:
        """The corpus as one row of a table: metric, counts, scores, intervals if there are any, signature.

        Rows of several results make a data frame: ``pandas.DataFrame([one.summary(), other.summary()])``.
        """
        row: dict[str, str | float] = {
            "metric": self.signature.metric,
            "n_pairs": len(self.pairs),
            **self.sums,
            "n_certified": self.n_certified,
            "certified": int(self.certified),
            "n_invalid": self.n_invalid,
            "n_repaired": self.n_repaired,
            **self.scores,
            **{f"macro_{name}": value for name, value in self.macro.items()},
        }
        for name, (low, high) in (self.intervals or {}).items():
            row[f"{name}_low"], row[f"{name}_high"] = low, high
        row["signature"] = str(self.signature)
        return row

    def to_dict(self, *, pairs: bool = False) -> dict[str, Any]:
        """Plain Python values, ready for JSON, each fact once; with ``pairs`` also those of each pair.

        What is NaN becomes None. ``headline`` names the score that stands for the others; it is found in ``micro``, or
        in ``macro`` where the metric has no micro scores.
        """
        result = {**self.signature.to_dict(), "headline": next(iter(self.scores)), **self.facts()}
        if pairs:
            result["pairs"] = self.pairs.to_dict()
        return result

    def facts(self) -> dict[str, Any]:
        """What :meth:`to_dict` gives but for what all scores by one metric share."""
        micro = {"micro": plain(self.micro), "counts": self.sums} if self.pairs.summable else {}
        intervals = {} if self.intervals is None else {"intervals": self.intervals.to_dict()}
        return {
            **micro,
            "macro": plain(self.macro),
            **intervals,
            "n_pairs": len(self.pairs),
            **attributes(self, "n_macro", "n_certified", "n_invalid", "n_repaired"),
            "problems": [problem.to_dict() for problem in self.problems],
        }

    def __len__(self) -> int:
        return len(self.pairs)

    def __repr__(self) -> str:
        scores = " ".join(f"{label(name)} {value:.6f}" for name, value in self.scores.items())
        searched = f", {self.n_certified:,} certified" if isinstance(self.pairs, TripleScores) else ""
        unread = f", {self.n_invalid:,} counted as empty" if self.n_invalid else ""
        unread += f", {self.n_repaired:,} repaired" if self.n_repaired else ""
        return f"<CorpusScore: {scores}, {count(len(self), 'pair')}{searched}{unread}, {self.signature}>"

    def report(self) -> Report:
        """Micro and macro scores, the counts behind them, how many pairs are proven optimal, and the signature."""
        title = f"{self.signature.metric}: {count(len(self), 'pair')}"
        # precision and recall before the F1 that is made of them
        names = sorted(self.scores, key=lambda name: name == "f1")
        if len(self):
            tables = [self._means(names, title)]
            notes = [*self._proven(), broken(self)]
            if self.intervals is not None:
                notes.append(
                    f"in brackets: {100 * self.intervals.confidence:g} % intervals, {self.intervals.signature}"
                )
        else:
            tables, notes = [], [title, "", "no score, as there is nothing to compare"]
        return self._reported("fastmatch score", tables, *by_name([self.summary()]), notes)

    @classmethod
    def _together(cls, results: Mapping[str, CorpusScore], worst: int | None) -> Report:
        return with_worst(scores_report(results), results, worst)

    def _means(self, names: Sequence[str], title: str) -> Table:
        """Micro and macro scores with their intervals."""
        spans: Mapping[str, Interval] = self.intervals or {}
        lines = [("macro", self.macro, "macro_" * self.pairs.summable)]
        if self.pairs.summable:
            lines.insert(0, ("micro", self.micro, ""))
        kinds = [name.removesuffix("_f") for name in names if name.endswith("_f")]
        header, groups = [*map(label, names)], {"": names}
        if kinds and len(names) == 3 * len(kinds):  # several F scores with precision and recall: too wide for one line
            header = ["precision", "recall", "F1"]
            groups = {f" {label(kind)}": [f"{kind}_p", f"{kind}_r", f"{kind}_f"] for kind in kinds}
        rows = [
            [line + kind, *(Points(values[name], spans.get(prefix + name)) for name in own)]
            for line, values, prefix in lines
            for kind, own in groups.items()
        ]
        return Table(["", *header], rows, title)

    def _proven(self) -> Iterator[str]:
        pairs = count(len(self), "pair")
        n_open = len(self) - self.n_certified
        if not isinstance(self.pairs, TripleScores):
            yield f"{label(next(iter(self.scores)))} {self.score:.6f}"
            if n_open:
                yield f"cut short by a limit of work: {n_open:,} of {pairs}"
            return
        yield (
            f"{count(self.sums['matched'], 'matched triple')} of {amount(self.sums['n_pred'])} predicted and "
            f"{amount(self.sums['n_gold'])} gold, F1 {self.f1:.6f}"
        )
        proven = f"proven optimal: {self.n_certified:,} of {pairs}"
        if n_open:
            proven += (
                f"; {n_open:,} open: no alignment matches more than {count(self.sums['upper'], 'triple')}, "
                f"F1 {self.upper_score:.6f} at most"
            )
        yield proven


def broken(result: WithProblems) -> str:
    """How many graphs were not what they should be, also where all were."""
    return f"invalid, counted as empty: {count(result.n_invalid, 'graph')}; repaired: {result.n_repaired:,}"


def scores_report(results: Mapping[str, CorpusScore]) -> Report:
    """A line a metric: the headline score, its interval if there is one, the macro score, what was proven or broken.

    Parameters
    ----------
    results : mapping of str → CorpusScore
        By what the user called the metric; all of the same pairs.
    """
    first = next(iter(results.values()))
    title = f"{count(len(results), 'metric')}, {count(len(first), 'pair')}"
    notes = [] if first.intervals is None else [f"intervals: {first.intervals.signature}"]
    summaries = [result.summary() for result in results.values()]
    # a column that a metric has not stays empty
    columns = (*dict.fromkeys(name for row in summaries for name in row if name != "signature"), "signature")
    rows = []
    for name, result in results.items():
        headline = next(iter(result.scores))
        interval = None if result.intervals is None else result.intervals[headline]
        parts = [result.scores.get(part) for part in ("precision", "recall")]
        row: list[object] = [name, label(headline), Points(result.score, interval)]
        row += [None if part is None else Points(part) for part in parts]
        rows.append([*row, Points(result.macro.headline), result.n_certified, result.n_invalid, result.n_repaired])
    header = ["", "is", "score", "precision", "recall", "macro", "proven", "invalid", "repaired"]
    if first.intervals is not None:
        header[2] = f"score, {100 * first.intervals.confidence:g} % interval"
    tables = [Table(header, rows, title)]
    if not len(first):
        tables, notes = [], [title, "", "no score, as there is nothing to compare", "", *notes]
    data = [tuple(map(row.get, columns)) for row in summaries]
    record = [result.to_dict() for result in results.values()]
    signatures = [(name, str(result.signature)) for name, result in results.items()]
    return Report("fastmatch score", tables, columns, data, record, signatures, notes)
