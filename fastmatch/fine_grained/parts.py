"""Scores of parts of graphs, and one rule for their means.

Most sentences have no negation, no re-entrancy, no name of a place. Two graphs that have nothing of an aspect agree in
it, but a mean that counts them would say how rare the aspect is, and not how well it is predicted. So the macro score
of an aspect is the mean over the pairs in which one of the graphs, or both, has something of it, for every kind of
aspects; ``n_macro`` says how many these are. Intervals are made of the same pairs.
"""

from __future__ import annotations

from fastmatch.results.pairs import Scores, TripleScores
from fastmatch.runtime.cached import cached_property
from fastmatch.types import BoolArray


class PartScores(TripleScores):
    """Scores of parts of graphs, whose means leave out the pairs in which neither graph has such a part."""

    @cached_property
    def present(self) -> BoolArray:
        """bool[n_pairs]: one of the two graphs has something of the aspect."""
        return (self.n_pred > 0) | (self.n_gold > 0)

    @cached_property
    def n_macro(self) -> int:
        """Number of pairs that have such a part: :meth:`macro` is their mean."""
        return int(self.present.sum())

    @property
    def resampled(self) -> TripleScores:
        """The pairs that have such a part, for intervals; all pairs if none has."""
        chosen = self.present if self.n_macro else slice(None)
        return type(self)(
            self.matched[chosen], self.n_pred[chosen], self.n_gold[chosen], self.upper[chosen], self.certified[chosen]
        )

    def macro(self) -> Scores:
        """Means over the pairs that have such a part; the micro score, which is a convention then, if none has."""
        if not self.n_macro:
            return self.micro()
        return Scores((name, float(column[self.present].mean())) for name, column in self.scores.items())
