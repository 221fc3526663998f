"""WSmatch: Smatch in which triples near the root count more (Cai and Lam 2019, "Core semantic first").

The level of the root is 0, that of a variable its distance from the root along relations in either direction, that of a
constant one more than its variable's. The weight of a triple is ``max(threshold − level, 1)`` with the level of its
farther end, so 5, 4, 3, 2, 1, 1, … Two equal triples that match add the smaller of their weights, and precision and
recall divide by the sums of the weights. All of these are whole numbers, so the optimum is proven exactly.

``preset="core"`` (their "Smatch-core") counts only triples within four steps of the root, each with weight 1.
``preset="tool"`` reads as their program does (dialect ``amrsuite``), and the triple of the root holds its concept.

In the paper weights fall linearly down to a threshold. Their program adds that the last weight is 1 and not 0, that a
constant is one step below its variable, and that a variable to which no path leads has weight 1. See
docs/soft-matching.md.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from fastmatch.errors import OptionError
from fastmatch.graphs.corpus import Corpus
from fastmatch.graphs.vocabulary import CASE
from fastmatch.metrics.options import keys_of, option
from fastmatch.metrics.registry import register
from fastmatch.metrics.shared.labels import ToolReads
from fastmatch.metrics.shared.partial_matching import SoftGraphs, SoftMetric
from fastmatch.metrics.shared.triples import Labels
from fastmatch.results.signature import Value
from fastmatch.types import Dialect, FloatArray, Int32Array, Int64Array


@register("wsmatch")
@dataclass(frozen=True)
class WSmatch(ToolReads, SoftMetric):
    """WSmatch with its options.

    Attributes
    ----------
    weighted : bool
        Weights fall with the distance from the root; else every weight is 1.
    threshold : int
        Weight of a triple at the root, ≥ 1.
    levels : int
        Triples with an end farther from the root than this do not count; −1 for no limit. The triple of the root always
        counts.
    standard : {"default", "tool"}
        Whose reading of text and comparison of labels to follow.
    top, within, solver, restarts, seed, effort, time_limit
        As for Smatch.
    """

    presets: ClassVar = {"core": {"weighted": False, "levels": 4}, "tool": {"standard": "tool", "top": "concept"}}
    whole: ClassVar[bool] = True
    linked: ClassVar[bool] = False

    weighted: bool = option(True, "whether weights fall with the distance from the root")
    threshold: int = option(5, "weight of a triple at the root; each step takes 1 off, down to 1", limits=(1, 10**6))
    levels: int = option(-1, "count only triples within so many steps of the root; -1: all", limits=(-1, 10**6))
    standard: str = option("default", "whose reading and comparison of labels", choices=("default", "tool"))

    tool_dialect: ClassVar[Dialect] = "amrsuite"

    def labels(self, corpus: Corpus) -> Labels:
        if self.standard == "default":
            return super().labels(corpus)
        return Labels.of(corpus, CASE, domain_as_mod=False)

    def prepare(self, corpus: Corpus) -> SoftGraphs:
        """As for :class:`~fastmatch.metrics.shared.partial_matching.SoftMetric`.

        Raises
        ------
        OptionError
            If only triples within some steps of the root count, and a graph has no root.
        """
        if self.levels >= 0 and len(corpus.rootless):
            raise OptionError(
                f"wsmatch with levels={self.levels} counts steps from the root, and graph {corpus.rootless[0]} of "
                f"{corpus.source} has none; levels=-1 counts all triples"
            )
        return super().prepare(corpus)

    def levelled(self) -> bool:
        return self.weighted or self.levels >= 0

    def classes(
        self, corpus: Corpus, labels: Labels, role: Int64Array, level: Int32Array
    ) -> tuple[Int32Array, tuple[Any, ...]]:
        """A class for each weight that occurs."""
        weight = np.maximum(self.threshold - level.astype(np.int64), 1) if self.weighted else np.ones(len(role))
        if self.levels >= 0:
            weight = np.where((level <= self.levels) | (role == labels.top_role), weight, 0)
        found, number = np.unique(weight, return_inverse=True)
        return number.astype(np.int32), tuple(found.tolist()) or (1,)

    def own_weights(self, classes: tuple[Any, ...]) -> FloatArray:
        return np.array(classes, np.float64)

    def weights(self, pred: SoftGraphs, gold: SoftGraphs) -> FloatArray:
        return np.minimum.outer(np.array(pred.classes, np.float64), np.array(gold.classes, np.float64))

    def without_effect(self) -> frozenset[str]:
        return super().without_effect() | ({"threshold"} if not self.weighted else set())

    signature_names: ClassVar = keys_of("solver weighted threshold levels top std=standard within")

    def fields(self, dialect: str) -> dict[str, Value]:
        fields = super().fields(dialect)
        if not self.weighted:
            fields["threshold"] = None
        if self.levels < 0:
            fields["levels"] = None
        return fields
