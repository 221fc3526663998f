"""What a metric adds that looks at a graph as lists of features: whole corpora are compared through an index then."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from fastmatch.metrics.contract.required import Prepared, Required

if TYPE_CHECKING:
    from fastmatch._ext.index.formulas import OverlapScorer
    from fastmatch.metrics.feature_lists import FeatureLists


class Indexed(Required[Prepared]):
    """The part of a metric that :mod:`fastmatch.allpairs` asks; by default there are no lists: every pair is scored.

    A metric whose scores are made of overlaps of features writes :meth:`overlaps`, and :meth:`overlap_scorer` unless
    its score is F1 of one list. A metric for which such overlaps are only a bound gives one
    (:meth:`fastmatch.metrics.contract.bounding.Bounding.bounds`).
    """

    def overlaps(self, prepared: Prepared) -> tuple[FeatureLists, ...]:
        """Lists of features whose overlaps make the scores; empty (the default) if scores are made of something else.

        With them, and an :meth:`overlap_scorer`, :func:`fastmatch.cdist` compares whole corpora through an inverted
        index; :func:`fastmatch.features` has features to give.
        """
        return ()

    def overlap_scorer(self, pred: Prepared, gold: Prepared) -> OverlapScorer | None:
        """What makes the headline score of two graphs of the overlaps of their lists; None if nothing does.

        Asked for where there are :meth:`overlaps`. Scores are what ``score`` and ``combine`` give, to the last bit. By
        default F1 of one list a graph, whose overlap is what matched, if ``combine`` is the default.
        """
        if type(self).combine is not Required.combine:
            return None
        from fastmatch._ext.index.formulas import RatioScorer

        sizes_pred, sizes_gold = (self.sizes(side).astype(np.float64) for side in (pred, gold))
        return RatioScorer("dice", np.ones(1), sizes_pred, sizes_gold)
