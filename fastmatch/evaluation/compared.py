"""Systems that were compared: the result of :func:`fastmatch.compare`."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np

from fastmatch.errors import choice
from fastmatch.report.cells import Number, Points, Span, count
from fastmatch.report.frames import Tabular
from fastmatch.report.model import Report, Reported, Table, by_name
from fastmatch.report.writing import plain
from fastmatch.results.equality import ByValue
from fastmatch.results.scores import CorpusScore, Interval
from fastmatch.results.signature import Signature
from fastmatch.results.words import label, system_letter
from fastmatch.results.worst import number_of_pairs


class Loss(NamedTuple):
    """A pair: its number, its ``::id`` (None if it has none), and the headline scores of the two systems."""

    index: int  # type: ignore[assignment] # hides the method of tuples
    id: str | None
    first: float
    second: float


@dataclass(frozen=True, eq=False)
class Difference(ByValue):
    """One score of two systems, compared.

    Attributes
    ----------
    first, second : str
        Names of the systems.
    score : str
        Name of the score: ``f1``, …, ``macro_f1``, …
    values : (float, float)
        The score of the first and of the second system.
    interval : Interval
        Of ``difference``, with the comparison's confidence.
    effect : float
        The difference in standard deviations of the pairs' contributions; nan where these do not vary.
    p_randomisation, p_bootstrap : float
        The chance of a difference at least as large if the systems were equally good, by either test; nan without two
        pairs.
    adjusted_randomisation, adjusted_bootstrap : float
        The same, corrected for the number of comparisons.
    better, equal, worse : int
        Pairs whose headline score is higher, the same, lower in the second system.
    """

    first: str
    second: str
    score: str
    values: tuple[float, float]
    interval: Interval
    effect: float
    p_randomisation: float
    p_bootstrap: float
    adjusted_randomisation: float
    adjusted_bootstrap: float
    better: int
    equal: int
    worse: int

    @property
    def difference(self) -> float:
        """Score of the second system minus score of the first: above 0 the second is better."""
        return self.values[1] - self.values[0]

    def to_dict(self) -> dict[str, Any]:
        """Plain values, ready for JSON: what does not exist is None."""
        first, second, score, values, interval, *others = vars(self).items()
        ends = {"first_value": values[1][0], "second_value": values[1][1], "difference": self.difference}
        return plain(dict([first, second, score, *ends.items(), *interval[1]._asdict().items(), *others]))


@dataclass(frozen=True, eq=False, repr=False)
class Comparison(ByValue, Reported, Tabular):
    """Several systems against the same gold graphs.

    Attributes
    ----------
    names : tuple of str
    results : tuple of CorpusScore
        One a system, with intervals.
    differences : tuple of Difference
        For each two systems compared, every micro and macro score.
    signature : Signature
        How they were compared. What the scores depend on is in ``results[0].signature``.
    confidence : float
        Of all intervals.
    """

    names: tuple[str, ...]
    results: tuple[CorpusScore, ...]
    differences: tuple[Difference, ...]
    signature: Signature
    confidence: float

    def of(self, score: str) -> tuple[Difference, ...]:
        """The differences in one score, such as ``f1`` or ``macro_f1``.

        Raises
        ------
        OptionError
            If the metric has no such score.
        """
        choice("score", score, dict.fromkeys(difference.score for difference in self.differences))
        return tuple(difference for difference in self.differences if difference.score == score)

    @property
    def headlines(self) -> tuple[str, ...]:
        """Names of the metric's headline score: micro, if the pairs add up, and macro."""
        return self.results[0].headlines

    def to_dict(self) -> dict[str, Any]:
        """Everything as plain Python values, ready for JSON."""
        return {
            "metric": self.results[0].signature.metric,
            "signature": str(self.results[0].signature),
            "headline": next(iter(self.results[0].scores)),
            "comparison": str(self.signature),
            "confidence": self.confidence,
            "systems": [
                {"name": name, **result.facts()} for name, result in zip(self.names, self.results, strict=True)
            ],
            # the values that differ are scores of the systems
            "differences": [
                {name: value for name, value in difference.to_dict().items() if not name.endswith("_value")}
                for difference in self.differences
            ],
        }

    def _rows(self) -> list[dict[str, Any]]:
        """One row a difference: two systems and one score."""
        return [difference.to_dict() for difference in self.differences]

    def __len__(self) -> int:
        """Number of pairs."""
        return len(self.results[0])

    def worst(self, n: int = 10) -> dict[tuple[str, str], list[Loss]]:
        """For each two systems that were compared the ``n`` pairs in which the second loses most against the first.

        Pairs that lose the same stand in their order in the corpus; a pair in which it does not lose is none of them.

        Raises
        ------
        OptionError
            If ``n`` is not a whole number, 0 or more.
        """
        number = number_of_pairs(n)
        scores = {name: result.pairs.score for name, result in zip(self.names, self.results, strict=True)}
        ids = self.results[0].ids
        found = {}
        for row in self.of(self.headlines[0]):
            one, two = scores[row.first], scores[row.second]
            order = np.argsort(two - one, kind="stable")[:number]
            found[row.first, row.second] = [
                Loss(k, ids[k] if len(ids) == len(one) else None, float(one[k]), float(two[k]))
                for k in order.tolist()
                if two[k] < one[k]
            ]
        return found

    def report(self, worst: int | None = None) -> Report:
        """The systems' headline scores with intervals, then each difference with effect size and p by both tests.

        The last column, better/equal/worse, says in how many pairs the second system scores higher, the same, lower.
        For programs a row a difference and score; for a paper a table of the systems. With ``worst`` also the pairs in
        which a system loses most (:meth:`worst`).
        """
        first = self.results[0]
        names = self.headlines
        heads = [f"{kind} {label(names[0])}" for kind in (("micro", "macro") if len(names) > 1 else ("macro",))]
        # differences name the systems by letters, for the names are mostly those of files
        letters = {name: system_letter(number) for number, name in enumerate(self.names)}
        signatures = {"signature": str(first.signature), "comparison": str(self.signature)}
        losses = {} if worst is None else self.worst(worst)
        lost = [_losses(letters[one], letters[two], found) for (one, two), found in losses.items() if found]
        paper = self._paper()
        return Report(
            "fastmatch compare",
            [
                self._systems(letters, heads, f"{first.signature.metric}: {count(len(first), 'pair')}"),
                self._differences(letters, heads),
                *lost,
            ],
            *by_name([row | signatures for row in self._rows()]),
            {**self.to_dict(), **({} if worst is None else {"worst": _loss_records(losses)})},
            notes=[f"signature: {first.signature}", f"comparison: {self.signature}"],
            paper=paper._replace(tables=[*paper.tables, *lost]),
        )

    @classmethod
    def _together(cls, results: Mapping[str, Comparison], worst: int | None) -> Report:
        return comparisons_report(results, None, worst)

    def _paper(self) -> Report:
        """Marked against the first system, or the best if every two were compared."""
        from fastmatch.results.paper import Line, paper_table, shown_scores

        every_two = self.signature.fields.get("against") == "all"
        first = self.results[0]
        lines = [Line(first.signature.metric, score, self.results, self) for score in shown_scores(first)]
        return paper_table(self.names, lines, None if every_two else self.names[0])

    def _systems(self, letters: dict[str, str], heads: list[str], title: str) -> Table:
        """A row a system: its headline scores with their intervals."""
        rows = []
        for system, result in zip(self.names, self.results, strict=True):
            values = (result.scores.headline, result.macro.headline)
            assert result.intervals is not None
            cells = [Points(value, result.intervals[name]) for name, value in zip(self.headlines, values, strict=False)]
            rows.append((system if system == letters[system] else f"{letters[system]}  {system}", *cells))
        interval = f"{100 * self.confidence:g} % interval"
        return Table(("system", *(f"{head}, {interval}" for head in heads)), rows, title)

    def _differences(self, letters: dict[str, str], heads: list[str]) -> Table:
        """A row a difference of two systems: effect size, p by both tests, and how many pairs are better."""
        several = len(self.of(self.headlines[0])) > 1
        rows = []
        for name, head in zip(self.headlines, heads, strict=True):
            for row in self.of(name):
                p = (row.p_randomisation, row.adjusted_randomisation, row.p_bootstrap, row.adjusted_bootstrap)
                rows.append(
                    (f"{letters[row.second]} - {letters[row.first]}", head, *_tested(row, p if several else p[::2]))
                )
        tests = ("p randomisation", "corrected", "p bootstrap", "corrected")
        interval = f"{100 * self.confidence:g} % interval"
        shown = tests if several else tests[::2]
        return Table(("difference", "score", "points", interval, "effect", *shown, "better/equal/worse"), rows)

    def __repr__(self) -> str:
        rows = ", ".join(
            f"{row.second} − {row.first}: {row.difference:+.4f} (p {row.adjusted_randomisation:.4f})"
            for row in self.of(self.headlines[0])
        )
        return f"<Comparison: {rows}, {self.results[0].signature}>"


def _tested(row: Difference, p: Sequence[float]) -> tuple[object, ...]:
    """What a row of a table says of a difference."""
    return (
        Points(row.difference, signed=True),
        Span(*row.interval, signed=True),
        Number(row.effect, 3, signed=True),
        *(Number(value, 4) for value in p),
        f"{row.better:,}/{row.equal:,}/{row.worse:,}",
    )


def _losses(one: str, two: str, found: Sequence[Loss]) -> Table:
    rows = [
        (str(index), id, Points(first), Points(second), Points(second - first, signed=True))
        for index, id, first, second in found
    ]
    title = f"{count(len(rows), 'pair')} in which {two} loses most against {one}"
    return Table(("pair", "id", one, two, "points"), rows, title)


def _loss_records(losses: Mapping[tuple[str, str], Sequence[Loss]]) -> list[dict[str, Any]]:
    return [
        {"first": first, "second": second, "pairs": [pair._asdict() for pair in found]}
        for (first, second), found in losses.items()
    ]


def comparisons_report(
    comparisons: Mapping[str, Comparison], aspects: tuple[str, str] | None = None, worst: int | None = None
) -> Report:
    """The same systems compared by several metrics, or in several aspects: a row each, and difference.

    Parameters
    ----------
    comparisons : mapping of str → Comparison
        By the names of the rows; all of the same systems and pairs.
    aspects : (str, str), optional
        If the names are those of aspects: their kind, and what they all depend on. Names of metrics by default.
    worst : int, optional
        Also the pairs in which a system loses most.
    """
    from fastmatch.results.paper import Line, aspects_table, paper_table

    what = "metric" if aspects is None else "aspect"
    first = next(iter(comparisons.values()))
    letters = {name: system_letter(number) for number, name in enumerate(first.names)}
    several = len(first.of(first.headlines[0])) > 1
    nothing: dict[str, Interval] = {}
    rows, tables, record = [], [], {}
    for name, made in comparisons.items():
        headline = made.headlines[0]
        of = dict(zip(made.names, made.results, strict=True))
        for row in made.of(headline):
            values = [
                Points(value, (of[system].intervals or nothing).get(headline))
                for system, value in zip((row.first, row.second), row.values, strict=True)
            ]
            couple = [f"{letters[row.second]} - {letters[row.first]}"] * several
            p = (row.adjusted_randomisation, row.adjusted_bootstrap)
            rows.append((name, *couple, *values, *_tested(row, p)))
        losses = {} if worst is None else made.worst(worst)
        record[name] = {**made.to_dict(), **({} if worst is None else {"worst": _loss_records(losses)})}
        for (one, two), found in losses.items():
            if found:
                tables.append(_losses(letters[one], letters[two], found))
                tables[-1] = tables[-1]._replace(title=f"{name}: {tables[-1].title}")
    interval = f"{100 * first.confidence:g} % interval"
    ends = ("first", "second") if several else (*map(letters.__getitem__, first.names[:2]),)
    header = (what, *(["difference"] * several), *(f"{end}, {interval}" for end in ends))
    header += ("points", interval, "effect", "p randomisation", "p bootstrap", "better/equal/worse")
    title = [f"{count(len(comparisons), what)}, {count(len(first.results[0]), 'pair')}", ""]
    title += [f"  {letter}  {name}" for name, letter in letters.items() if letter != name]
    data = [
        {
            what: name,
            **difference.to_dict(),
            "signature": str(made.results[0].signature),
            "comparison": str(made.signature),
        }
        for name, made in comparisons.items()
        for difference in made.differences
    ]
    lines = [Line(name, made.headlines[0], made.results, made) for name, made in comparisons.items()]
    baseline = None if first.signature.fields.get("against") == "all" else first.names[0]
    if aspects is None:
        paper = paper_table(first.names, lines, baseline)
    else:
        of_systems = [{name: made.results[k] for name, made in comparisons.items()} for k in range(len(first.names))]
        paper = aspects_table(first.names, of_systems, lines, aspects, baseline)
    return Report(
        "fastmatch compare",
        [Table(header, rows, "\n".join(title)), *tables],
        *by_name(data),
        {f"{what}s": record},
        paper.signatures,
        [f"comparison: {first.signature}", *([f"p is corrected over the systems, not over the {what}s"] * several)],
        paper=paper._replace(tables=[*paper.tables, *tables]),
    )
