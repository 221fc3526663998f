"""What a metric adds that has cheap upper bounds of its scores: of whole rows, or of single pairs."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np

from fastmatch.metrics.contract.indexed import Indexed
from fastmatch.metrics.contract.required import Prepared

if TYPE_CHECKING:
    from typing import Self

    from fastmatch.metrics.contract.required import PairRange
    from fastmatch.metrics.row_bounds import RowBounds
    from fastmatch.types import FloatArray


class Bounding(Indexed[Prepared]):
    """The part of a metric that saves work where a cutoff is given, or the best k are wanted; by default it saves none.

    Both methods say what no score exceeds. :meth:`bounds` is for all pairs of a row at once and must cost next to
    nothing a pair; it chooses the pairs that are scored, those with the highest bounds first. :meth:`reaching` is for
    one pair after another, and may cost a part of what its score costs; it is asked for the chosen pairs. Either may be
    missing.
    """

    #: What a score must reach to matter, in what :meth:`limited` gives; None: every score does.
    _cutoff: ClassVar[float | FloatArray | None] = None

    def bounds(self, pred: Prepared, gold: Prepared) -> RowBounds | None:
        """Upper bounds of the headline scores of whole rows; None if there are none.

        Asked for once for two corpora; ``pred`` is ``gold`` if a corpus is compared with itself. By default from the
        lists of :meth:`overlaps`, if there is one for each graph and its measure says something.
        """
        lists = self.overlaps(pred)
        if len(lists) != 1 or lists[0].measure == "row":
            return None
        from fastmatch.metrics.row_bounds import OverlapBounds

        return OverlapBounds(lists[0], lists[0] if pred is gold else self.overlaps(gold)[0])

    def reaching(self, cutoff: float | FloatArray) -> Self:
        """The same metric for a caller who needs no scores below a cutoff, which is above 0 and may be infinite.

        It is one number, or one for each pair of the list that is scored next, float64[n_pairs].
        Where the score is below the cutoff, the headline that it gives may be anything from the score up to the cutoff,
        exclusive. So it need not go on with a pair whose upper bound is below the cutoff, and with an infinite cutoff
        it gives nothing but bounds. What ``prepare`` of either made serves both. By default the metric itself.
        """
        return self

    def limited(self, cutoff: float | FloatArray) -> Self:
        """A copy of the metric that knows the cutoff as ``_cutoff``, for :meth:`reaching`; options are not checked."""
        return self.knowing(_cutoff=cutoff)

    def cutoffs(self, pairs: PairRange) -> float | FloatArray:
        """The cutoff, which there is, of all pairs of a range, or of each of them, float64[stop − start]."""
        cutoff = self._cutoff
        assert cutoff is not None
        return cutoff[pairs.places] if isinstance(cutoff, np.ndarray) else cutoff

    def knowing(self, **values: Any) -> Self:
        """A copy of the metric with attributes that are no options, and in no signature; options are not checked."""
        copy = object.__new__(type(self))
        copy.__dict__.update(self.__dict__, **values)
        return copy
