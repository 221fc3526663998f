"""What a metric adds that has a cheap upper bound of a pair's score."""

from __future__ import annotations

from typing import TYPE_CHECKING

from fastmatch.metrics.contract.required import Prepared, Required

if TYPE_CHECKING:
    from typing import Self

__all__ = ["Bounding"]


class Bounding(Required[Prepared]):
    """The part of a metric that saves work where a cutoff is given; by default it saves none."""

    def reaching(self, cutoff: float) -> Self:
        """The same metric for a caller who needs no scores below a cutoff, which is above 0 and may be infinite.

        Where the score is below the cutoff, the headline that it gives may be anything from the score up to the cutoff,
        exclusive. So it need not go on with a pair whose upper bound is below the cutoff, and with an infinite cutoff
        it gives nothing but bounds. What ``prepare`` of either made serves both. By default the metric itself.
        """
        return self
