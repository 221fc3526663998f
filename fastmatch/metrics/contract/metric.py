"""The base class of all metrics: what each must have, and what it may have besides."""

from __future__ import annotations

from fastmatch.metrics.contract.aligning import Aligning
from fastmatch.metrics.contract.bounding import Bounding
from fastmatch.metrics.contract.required import Prepared


class Metric(Aligning[Prepared], Bounding[Prepared]):
    """Base class of all metrics: frozen dataclasses whose fields are the metric's options.

    What a metric must write is in :class:`~fastmatch.metrics.contract.required.Required`. The rest is for metrics that
    can do more, and each has a default that says no: :class:`~fastmatch.metrics.contract.aligning.Aligning` (alignments
    and which triples match), :class:`~fastmatch.metrics.contract.indexed.Indexed` (features, and comparing through an
    index), :class:`~fastmatch.metrics.contract.bounding.Bounding` (leaving out pairs that cannot be among the best).

    ``Metric[P]`` is a metric whose ``prepare`` gives a P; ``Metric`` alone leaves that open.
    """
