"""Types that many modules share: arrays by their element type, and the strings that an option may be.

``Dialect``, ``OnError``, ``OnErrorPaired`` and ``MetricName`` are the same wherever a function takes such an option.
The tests hold them to the tables that say what there is at run time.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

Int32Array = NDArray[np.int32]
Int64Array = NDArray[np.int64]
#: float64
FloatArray = NDArray[np.float64]
#: uint8
ByteArray = NDArray[np.uint8]
BoolArray = NDArray[np.bool_]
#: What selects graphs of a corpus: positions (negative ones count from the end) or one truth value a graph.
Selection = Sequence[int] | NDArray[np.integer] | BoolArray
#: The nodes of a graph: each with its label, several of them, or None; or without labels.
Nodes = Mapping[Any, object] | Iterable[Hashable]
#: Source, role, target: two nodes.
Edge = tuple[Hashable, str, Hashable]
#: Node, role, constant.
Attribute = tuple[Hashable, str, object]
#: The fields of a :class:`~fastmatch.metrics.base.PairRange`, as kernels take them.
Pairs = tuple[Int32Array, Int32Array, int, int, ByteArray]
#: How long work says how far it is: True draws a bar, or writes lines into a log, a callable gets (done, in all).
#: What is done is not a whole number while one item takes long.
Progress = bool | Callable[[int, int], object] | Callable[[float, int], object] | None

#: Dialects of Penman notation, by the programs that read it so.
_Penman = Literal["penman", "smatch", "sema", "amrsuite", "amrsuite-unmarked", "damonte", "sembleu", "smatchpp", "wlk"]
#: Dialects of box notation, likewise.
_Boxes = Literal["sbn", "sbn-lenient", "sbn-pmb5", "sbn-pmb5-tolerant", "sbn-evaluation", "sbn-evaluation-lenient"]
_UdBoxer = Literal["sbn-ud-boxer", "sbn-ud-boxer-no-sense", "sbn-ud-boxer-lenient"]
_Ancast = Literal["ancast", "ancast-cut", "ancast-umr"]
#: How text is read: the names in :data:`fastmatch.graphs.dialects.DIALECTS`.
Dialect = Literal[_Penman, _Ancast, _Boxes, _UdBoxer, "tsv", "camr", "camr-tuples", "mrp", "mrp-tool"]
#: What becomes of text that is no graph, where a corpus is read: an error, nothing, an empty graph, or
#: what :func:`fastmatch.repair` can make of it.
OnError = Literal["raise", "skip", "empty", "repair"]

#: The same where graphs are paired by position, so that none may be left out.
OnErrorPaired = Literal["raise", "empty", "repair"]

#: What makes a pair of a prediction and a gold graph: their places, or the same ``::id``.
PairBy = Literal["position", "id"]

#: What becomes of an ``::id`` that only one side has: an error, a pair with an empty graph, or nothing.
Unpaired = Literal["raise", "empty", "skip"]

#: Metrics that align variables one to one: :func:`fastmatch.align` gives an ``Alignment``.
AligningMetric = Literal["align-smatch", "ancast", "docsmatch", "s2match", "smatch", "smatch++", "softmatch", "wsmatch"]
#: The metrics of this package; other packages register more names.
MetricName = Literal[AligningMetric, "rematch", "sema", "sembleu", "softoverlap", "wlk", "wwlk"]
#: How much work a metric may spend on a pair: the choices of ``effort`` in
#: :data:`fastmatch.metrics.common_options.COMMON`.
Effort = Literal["minimal", "low", "default", "high", "proof"]

#: Kinds of aspects: the names in :data:`fastmatch.fine_grained.kinds.KINDS`.
AspectKind = Literal[
    "damonte", "enhanced", "s2match", "amrlib", "pmb5", "mrp", "edm", "sdp", "ucca", "smatch++", "docsmatch"
]

#: How a bootstrap interval is made: the names in :data:`fastmatch.evaluation.bootstrap.METHODS`.
IntervalMethod = Literal["bca", "percentile"]

#: How p-values are corrected: the names in :data:`fastmatch.evaluation.comparison.CORRECTIONS`.
Correction = Literal["holm", "bonferroni", "bh", "none"]

#: (source, role, target) as ``penman.decode`` gives it; the source is None only for the node ``()``.
Triple = tuple[str | None, str, str | None]

#: Where :func:`fastmatch.extract` looks for a graph.
Where = Literal["auto", "tag", "think", "fence", "block", "text"]
