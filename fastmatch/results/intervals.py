"""Confidence intervals of a corpus's scores."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

from fastmatch.results.signature import Signature


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
        return (_intervals, (dict(self), self.confidence, self.signature))


def _intervals(intervals: dict[str, Interval], confidence: float, signature: Signature) -> Intervals:
    return Intervals(intervals, confidence=confidence, signature=signature)
