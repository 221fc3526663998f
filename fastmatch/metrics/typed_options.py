"""The options of each metric, for type checkers and editors, and for functions that pass them on::

    def my_score(pred, gold, **options: Unpack[SmatchOptions]): ...

Made by ci/typed_options.py: change the metrics, and run it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal, TypedDict

if TYPE_CHECKING:
    import os
    from collections.abc import Callable, Iterable, Mapping

    from fastmatch.metrics.embeddings.vectors import Embeddings
    from fastmatch.metrics.shared.overlap_parameters import Parameters


class AlignSmatchOptions(TypedDict, total=False):
    """Options of the metric 'align-smatch'."""

    ends: Literal["lemma", "concept", "free"]
    duplicates: Literal["once", "bag", "multiply"]
    triples: Literal["all", "instance", "attribute", "relation"]
    within: Literal["document", "sentences", "tool"]
    standard: Literal["default", "tool", "smatch"]
    lengths: str | Mapping[str, int] | None
    solver: Literal["exact", "climb", "ilp"]
    restarts: int
    seed: int
    effort: Literal["minimal", "low", "default", "high", "proof"]
    time_limit: float | None


class AnCastOptions(TypedDict, total=False):
    """Options of the metric 'ancast'."""

    standard: Literal["paper", "tool"]
    alpha: float
    beta: float
    sense: float
    anchors: Literal["names", "alignment"]
    neighbours: float
    hops: Literal["together", "apart"]
    ops: Literal["attribute", "name"]
    concept: Literal["both", "pred"]
    similarity: Literal["nodes", "names"]
    weight: Literal["inner", "outer"]
    ties: Literal["overlap", "jaccard"]
    top: Literal["constant", "none"]
    effort: Literal["minimal", "low", "default", "high", "proof"]


class SmatchOptions(TypedDict, total=False):
    """Options of the metric 'smatch'."""

    solver: Literal["exact", "climb", "ilp"]
    top: Literal["constant", "concept", "none"]
    duplicates: Literal["once", "bag", "multiply"]
    triples: Literal["all", "instance", "attribute", "relation"]
    standard: str
    restarts: int
    seed: int
    effort: Literal["minimal", "low", "default", "high", "proof"]
    time_limit: float | None
    compress: bool
    within: Literal["document", "sentences", "tool"]


class DocSmatchOptions(SmatchOptions, total=False):
    """Options of the metric 'docsmatch'."""

    sentence_map: str | Mapping[str, Iterable[tuple[int, int]]] | None


class RematchOptions(TypedDict, total=False):
    """Options of the metric 'rematch'."""

    attributes: bool
    instances: bool
    relations: bool
    labels: bool
    frames: str | None
    keys: Literal["hashed", "exact"]
    effort: Literal["minimal", "low", "default", "high", "proof"]
    standard: Literal["default", "tool"]


class SoftMetricOptions(TypedDict, total=False):
    """Options of all metrics of the class SoftMetric."""

    top: Literal["constant", "concept", "none"]
    solver: Literal["exact", "climb", "ilp"]
    restarts: int
    seed: int
    effort: Literal["minimal", "low", "default", "high", "proof"]
    time_limit: float | None
    within: Literal["document", "sentences", "tool"]


class S2matchOptions(SoftMetricOptions, total=False):
    """Options of the metric 's2match'."""

    embeddings: str | Embeddings | None
    similarity: Literal["cosine", "euclidean", "cityblock"]
    cutoff: float
    diffsense: float
    oov: Literal["zero", "error"]
    quotes: bool
    standard: Literal["default", "tool"]


class SemaOptions(TypedDict, total=False):
    """Options of the metric 'sema'."""

    keys: Literal["hashed", "exact"]
    effort: Literal["minimal", "low", "default", "high", "proof"]
    standard: Literal["default", "tool", "tool-9a4911c"]


class SembleuOptions(TypedDict, total=False):
    """Options of the metric 'sembleu'."""

    k: int
    direction: Literal["pred-gold", "gold-pred", "mean"]
    weights: Literal["uniform", "tool"]
    smoothing: Literal["nist", "none"]
    brevity: bool
    keys: Literal["hashed", "exact"]
    effort: Literal["minimal", "low", "default", "high", "proof"]
    standard: Literal["default", "tool", "tool-530bc05"]


class SmatchPlusPlusOptions(SmatchOptions, total=False):
    """Options of the metric 'smatch++'."""

    reader: Literal["penman", "smatchpp"]


class SoftmatchOptions(SoftMetricOptions, total=False):
    """Options of the metric 'softmatch'."""

    similarity: Mapping[tuple[str, str], float] | Callable[..., float] | None
    weight: Mapping[str, float] | Callable[[str, int, int], float] | None
    embeddings: str | Embeddings | None


class SoftOverlapOptions(TypedDict, total=False):
    """Options of the metric 'softoverlap'."""

    embeddings: str | os.PathLike[str] | Embeddings | None
    parameters: str | os.PathLike[str] | Parameters | None
    smatch: float
    structure: float | None
    means: float
    effort: Literal["minimal", "low", "default", "high", "proof"]


class WlkOptions(TypedDict, total=False):
    """Options of the metric 'wlk'."""

    k: int
    direction: Literal["undirected", "top-down", "bottom-up", "2-way"]
    kernel: Literal["cosine", "minmax", "dot"]
    weighting: Literal["uniform", "linear"]
    counting: Literal["bag", "set"]
    edges: bool
    update: Literal["node", "label"]
    keys: Literal["hashed", "exact"]
    effort: Literal["minimal", "low", "default", "high", "proof"]
    standard: Literal["default", "tool"]


class WSmatchOptions(SoftMetricOptions, total=False):
    """Options of the metric 'wsmatch'."""

    weighted: bool
    threshold: int
    levels: int
    standard: Literal["default", "tool"]


class WwlkOptions(TypedDict, total=False):
    """Options of the metric 'wwlk'."""

    embeddings: str | os.PathLike[str] | Embeddings | None
    k: int
    edge_weights: Literal["min_entropy", "entropy", "uniform", "constant", "ones"]
    weights: str | os.PathLike[str] | None
    edges: Literal["weights", "nodes"]
    direction: Literal["undirected", "top-down", "bottom-up", "2-way"]
    update: Literal["paper", "tool"]
    oov: Literal["hash", "zero"]
    seed: int
    stability: int
    variant: Literal["similarity", "precision", "recall"]
    clip: bool
    standard: Literal["default", "tool"]
    effort: Literal["minimal", "low", "default", "high", "proof"]
