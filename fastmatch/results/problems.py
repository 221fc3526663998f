"""Graphs that count as empty, or were mended: which, and why."""

from __future__ import annotations

from collections.abc import Iterable
from operator import attrgetter
from typing import Any, NamedTuple

from fastmatch.graphs.corpus import Corpus


class Problem(NamedTuple):
    """Something that was wrong with a graph that was scored.

    Attributes
    ----------
    side : str
        ``"pred"`` or ``"gold"``.
    pair : int
        Its number.
    message : str
        What was wrong, and where; of a repair, place and rule.
    rule : str or None
        The rule of the repair (:func:`fastmatch.repair`). None: the graph could not be read or mended, or is not there
        (``unpaired="empty"``), and counts as empty.
    place : str
        Of a repair: ``pred.amr:12:5``, line and column from 1.
    """

    side: str
    pair: int
    message: str
    rule: str | None = None
    place: str = ""

    def to_dict(self) -> dict[str, Any]:
        """Plain values, ready for JSON; ``rule`` and ``place`` are there for repairs only."""
        record: dict[str, Any] = {"side": self.side, "index": self.pair, "message": self.message}
        return record if self.rule is None else {**record, "rule": self.rule, "place": self.place}


class WithProblems:
    """A result that knows which graphs count as empty, or were mended: its ``problems``."""

    problems: tuple[Problem, ...]

    @property
    def n_invalid(self) -> int:
        """Number of graphs, of both sides, that count as empty: see :attr:`problems`."""
        return n_invalid(self.problems)

    @property
    def n_repaired(self) -> int:
        """Number of graphs, of both sides, that were repaired (``on_error="repair"``)."""
        return n_repaired(self.problems)


def problems_of(pred: Corpus, gold: Corpus) -> tuple[Problem, ...]:
    """The graphs that count as empty, and what was mended: of each side in the order of the pairs."""
    if not (pred.problems or pred.repairs or gold.problems or gold.repairs):
        return ()
    found = []
    for side, corpus in (("pred", pred), ("gold", gold)):
        problems = [Problem(side, number, message) for number, message in corpus.problems]
        problems += [Problem(side, k, f"{place}: {rule}", rule, place) for k, rule, place in corpus.repairs]
        found += sorted(problems, key=attrgetter("pair")) if corpus.repairs else problems
    return tuple(found)


def n_invalid(problems: Iterable[Problem]) -> int:
    """Number of graphs that count as empty."""
    return sum(problem.rule is None for problem in problems)


def n_lost(problems: Iterable[Problem]) -> int:
    """Number of pairs whose graphs count as empty on both sides, and so as equal."""
    sides: dict[int, set[str]] = {}
    for problem in problems:
        if problem.rule is None:
            sides.setdefault(problem.pair, set()).add(problem.side)
    return sum(len(found) == 2 for found in sides.values())


def n_repaired(problems: Iterable[Problem]) -> int:
    """Number of graphs that were repaired."""
    return len({problem[:2] for problem in problems if problem.rule is not None})
