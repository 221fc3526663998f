"""The public names, and the options of each metric. Made by ci/typed_options.py: change the metrics, and run it."""

import os
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, Literal, TypedDict, TypeVar, Unpack, overload

import numpy as np
import scipy.sparse
from numpy.typing import ArrayLike, DTypeLike, NDArray

from fastmatch import documents as documents
from fastmatch import pages as pages
from fastmatch import plot as plot
from fastmatch import umr as umr
from fastmatch.allpairs.groups import Groups as Groups
from fastmatch.allpairs.matrix import Path
from fastmatch.allpairs.neighbours import TopK as TopK
from fastmatch.allpairs.parquet import read_pairs as read_pairs
from fastmatch.ensembles.ensembling import Method
from fastmatch.ensembles.result import Ensemble as Ensemble
from fastmatch.errors import FastmatchError as FastmatchError
from fastmatch.errors import FastmatchWarning as FastmatchWarning
from fastmatch.errors import OptionError as OptionError
from fastmatch.errors import PairingError as PairingError
from fastmatch.errors import PairingWarning as PairingWarning
from fastmatch.errors import ReadError as ReadError
from fastmatch.errors import ReadWarning as ReadWarning
from fastmatch.evaluation.agreement import Agreement as Agreement
from fastmatch.evaluation.certificates.making import Certificates as Certificates
from fastmatch.evaluation.certificates.making import certificate as certificate
from fastmatch.evaluation.comparison import Comparison as Comparison
from fastmatch.fine_grained.scores import AspectScores as AspectScores
from fastmatch.fine_grained.scores import aspects as aspects
from fastmatch.graphs.corpus import Corpus as Corpus
from fastmatch.graphs.extracting import Extraction as Extraction
from fastmatch.graphs.extracting import extract as extract
from fastmatch.graphs.forms import Graphs, One
from fastmatch.graphs.graph import Graph as Graph
from fastmatch.graphs.reading import parse as parse
from fastmatch.graphs.reading import read as read
from fastmatch.graphs.repairing import Repaired as Repaired
from fastmatch.graphs.repairing import repair as repair
from fastmatch.graphs.standardization.steps import standardize as standardize
from fastmatch.graphs.vocabulary import Vocabulary as Vocabulary
from fastmatch.metrics.base import Metric
from fastmatch.metrics.embeddings.vectors import Embeddings
from fastmatch.metrics.shared.overlap_parameters import Parameters
from fastmatch.metrics.training.softoverlap import OverlapTraining as OverlapTraining
from fastmatch.metrics.training.softoverlap import train_softoverlap as train_softoverlap
from fastmatch.metrics.training.wwlk import Training as Training
from fastmatch.metrics.training.wwlk import train_wwlk as train_wwlk
from fastmatch.metrics.wwlk import Wwlk
from fastmatch.report.model import Report as Report
from fastmatch.results.alignment import Alignment as Alignment
from fastmatch.results.flow import FlowAlignment as FlowAlignment
from fastmatch.results.pairs import PairScores as PairScores
from fastmatch.results.pairs import Scores as Scores
from fastmatch.results.pairs import TripleScores as TripleScores
from fastmatch.results.scores import CorpusScore as CorpusScore
from fastmatch.results.signature import Signature as Signature
from fastmatch.rewards.credit import Credit as Credit
from fastmatch.rewards.credit import credit as credit
from fastmatch.rewards.credit import credit_batch as credit_batch
from fastmatch.types import (
    AligningMetric,
    Correction,
    IntervalMethod,
    MetricName,
    OnErrorPaired,
    PairBy,
    Progress,
    Unpaired,
)
from fastmatch.version import __version__ as __version__

Float = TypeVar("Float", bound=np.floating[Any])
SomePath = TypeVar("SomePath", bound=Path)

__all__ = [
    "Agreement",
    "Alignment",
    "AspectScores",
    "Certificates",
    "Comparison",
    "Corpus",
    "CorpusScore",
    "Credit",
    "Ensemble",
    "Extraction",
    "FastmatchError",
    "FastmatchWarning",
    "FlowAlignment",
    "Graph",
    "Groups",
    "OptionError",
    "OverlapTraining",
    "PairScores",
    "PairingError",
    "PairingWarning",
    "ReadError",
    "ReadWarning",
    "Repaired",
    "Report",
    "Scores",
    "Signature",
    "TopK",
    "Training",
    "TripleScores",
    "Vocabulary",
    "__version__",
    "agreement",
    "align",
    "aspects",
    "cdist",
    "certificate",
    "compare",
    "cpdist",
    "credit",
    "credit_batch",
    "documents",
    "ensemble",
    "extract",
    "features",
    "groups",
    "pages",
    "pairs",
    "parse",
    "plot",
    "read",
    "read_pairs",
    "repair",
    "score",
    "standardize",
    "top_k",
    "train_softoverlap",
    "train_wwlk",
    "umr",
]

class SearchedOptions(TypedDict, total=False):
    """Options of all metrics of the class Searched."""

    solver: Literal["exact", "climb", "ilp"]
    restarts: int
    seed: int
    effort: Literal["minimal", "low", "default", "high", "proof"]
    time_limit: float | None
    within: Literal["document", "sentences", "tool"]

class AlignSmatchOptions(SearchedOptions, total=False):
    """Options of the metric 'align-smatch'."""

    ends: Literal["lemma", "concept", "free"]
    duplicates: Literal["once", "bag", "multiply"]
    triples: Literal["all", "instance", "attribute", "relation"]
    standard: Literal["default", "tool", "smatch"]
    lengths: str | Mapping[str, int] | None

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

class SmatchOptions(SearchedOptions, total=False):
    """Options of the metric 'smatch'."""

    top: Literal["constant", "concept", "none"]
    duplicates: Literal["once", "bag", "multiply"]
    triples: Literal["all", "instance", "attribute", "relation"]
    standard: str
    compress: bool

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

class SoftMetricOptions(SearchedOptions, total=False):
    """Options of all metrics of the class SoftMetric."""

    top: Literal["constant", "concept", "none"]

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

# fmt: off
@overload
def agreement(
    annotators: Sequence[Graphs] | Mapping[str, Graphs], *, names: Sequence[str] | None = None,
    metric: Literal["align-smatch"], preset: Literal["tool", "smatch"] | None = None, workers: int = 1,
    progress: Progress = None, on_error: OnErrorPaired = "raise", pair_by: PairBy = "position",
    unpaired: Unpaired = "raise", bootstrap: int | None = None, confidence: float = 0.95,
    bootstrap_method: IntervalMethod = "bca", bootstrap_seed: int = 0, **options: Unpack[AlignSmatchOptions],
) -> Agreement: ...
@overload
def agreement(
    annotators: Sequence[Graphs] | Mapping[str, Graphs], *, names: Sequence[str] | None = None,
    metric: Literal["ancast"], preset: Literal["tool"] | None = None, workers: int = 1, progress: Progress = None,
    on_error: OnErrorPaired = "raise", pair_by: PairBy = "position", unpaired: Unpaired = "raise",
    bootstrap: int | None = None, confidence: float = 0.95, bootstrap_method: IntervalMethod = "bca",
    bootstrap_seed: int = 0, **options: Unpack[AnCastOptions],
) -> Agreement: ...
@overload
def agreement(
    annotators: Sequence[Graphs] | Mapping[str, Graphs], *, names: Sequence[str] | None = None,
    metric: Literal["docsmatch"], preset: Literal["tool"] | None = None, workers: int = 1, progress: Progress = None,
    on_error: OnErrorPaired = "raise", pair_by: PairBy = "position", unpaired: Unpaired = "raise",
    bootstrap: int | None = None, confidence: float = 0.95, bootstrap_method: IntervalMethod = "bca",
    bootstrap_seed: int = 0, **options: Unpack[DocSmatchOptions],
) -> Agreement: ...
@overload
def agreement(
    annotators: Sequence[Graphs] | Mapping[str, Graphs], *, names: Sequence[str] | None = None,
    metric: Literal["rematch"], preset: Literal["tool"] | None = None, workers: int = 1, progress: Progress = None,
    on_error: OnErrorPaired = "raise", pair_by: PairBy = "position", unpaired: Unpaired = "raise",
    bootstrap: int | None = None, confidence: float = 0.95, bootstrap_method: IntervalMethod = "bca",
    bootstrap_seed: int = 0, **options: Unpack[RematchOptions],
) -> Agreement: ...
@overload
def agreement(
    annotators: Sequence[Graphs] | Mapping[str, Graphs], *, names: Sequence[str] | None = None,
    metric: Literal["s2match"], preset: Literal["tool"] | None = None, workers: int = 1, progress: Progress = None,
    on_error: OnErrorPaired = "raise", pair_by: PairBy = "position", unpaired: Unpaired = "raise",
    bootstrap: int | None = None, confidence: float = 0.95, bootstrap_method: IntervalMethod = "bca",
    bootstrap_seed: int = 0, **options: Unpack[S2matchOptions],
) -> Agreement: ...
@overload
def agreement(
    annotators: Sequence[Graphs] | Mapping[str, Graphs], *, names: Sequence[str] | None = None, metric: Literal["sema"],
    preset: Literal["tool", "bamboo"] | None = None, workers: int = 1, progress: Progress = None,
    on_error: OnErrorPaired = "raise", pair_by: PairBy = "position", unpaired: Unpaired = "raise",
    bootstrap: int | None = None, confidence: float = 0.95, bootstrap_method: IntervalMethod = "bca",
    bootstrap_seed: int = 0, **options: Unpack[SemaOptions],
) -> Agreement: ...
@overload
def agreement(
    annotators: Sequence[Graphs] | Mapping[str, Graphs], *, names: Sequence[str] | None = None,
    metric: Literal["sembleu"], preset: Literal["tool", "bamboo"] | None = None, workers: int = 1,
    progress: Progress = None, on_error: OnErrorPaired = "raise", pair_by: PairBy = "position",
    unpaired: Unpaired = "raise", bootstrap: int | None = None, confidence: float = 0.95,
    bootstrap_method: IntervalMethod = "bca", bootstrap_seed: int = 0, **options: Unpack[SembleuOptions],
) -> Agreement: ...
@overload
def agreement(
    annotators: Sequence[Graphs] | Mapping[str, Graphs], *, names: Sequence[str] | None = None,
    metric: Literal["smatch"] = "smatch",
    preset: Literal["smatch", "smatch++", "smatch++/reify", "generic", "none", "pmb5", "sbn-evaluation",
        "sbn-evaluation/lenient", "ud-boxer", "ud-boxer/no-sense", "ud-boxer/lenient", "mrp", "mrp/tool"] | None = None,
    workers: int = 1, progress: Progress = None, on_error: OnErrorPaired = "raise", pair_by: PairBy = "position",
    unpaired: Unpaired = "raise", bootstrap: int | None = None, confidence: float = 0.95,
    bootstrap_method: IntervalMethod = "bca", bootstrap_seed: int = 0, **options: Unpack[SmatchOptions],
) -> Agreement: ...
@overload
def agreement(
    annotators: Sequence[Graphs] | Mapping[str, Graphs], *, names: Sequence[str] | None = None,
    metric: Literal["smatch++"], preset: Literal["tool", "reify", "generic", "none"] | None = None, workers: int = 1,
    progress: Progress = None, on_error: OnErrorPaired = "raise", pair_by: PairBy = "position",
    unpaired: Unpaired = "raise", bootstrap: int | None = None, confidence: float = 0.95,
    bootstrap_method: IntervalMethod = "bca", bootstrap_seed: int = 0, **options: Unpack[SmatchPlusPlusOptions],
) -> Agreement: ...
@overload
def agreement(
    annotators: Sequence[Graphs] | Mapping[str, Graphs], *, names: Sequence[str] | None = None,
    metric: Literal["softmatch"], preset: None = None, workers: int = 1, progress: Progress = None,
    on_error: OnErrorPaired = "raise", pair_by: PairBy = "position", unpaired: Unpaired = "raise",
    bootstrap: int | None = None, confidence: float = 0.95, bootstrap_method: IntervalMethod = "bca",
    bootstrap_seed: int = 0, **options: Unpack[SoftmatchOptions],
) -> Agreement: ...
@overload
def agreement(
    annotators: Sequence[Graphs] | Mapping[str, Graphs], *, names: Sequence[str] | None = None,
    metric: Literal["softoverlap"], preset: Literal["untrained", "bamboo", "people"] | None = None, workers: int = 1,
    progress: Progress = None, on_error: OnErrorPaired = "raise", pair_by: PairBy = "position",
    unpaired: Unpaired = "raise", bootstrap: int | None = None, confidence: float = 0.95,
    bootstrap_method: IntervalMethod = "bca", bootstrap_seed: int = 0, **options: Unpack[SoftOverlapOptions],
) -> Agreement: ...
@overload
def agreement(
    annotators: Sequence[Graphs] | Mapping[str, Graphs], *, names: Sequence[str] | None = None, metric: Literal["wlk"],
    preset: Literal["tool"] | None = None, workers: int = 1, progress: Progress = None,
    on_error: OnErrorPaired = "raise", pair_by: PairBy = "position", unpaired: Unpaired = "raise",
    bootstrap: int | None = None, confidence: float = 0.95, bootstrap_method: IntervalMethod = "bca",
    bootstrap_seed: int = 0, **options: Unpack[WlkOptions],
) -> Agreement: ...
@overload
def agreement(
    annotators: Sequence[Graphs] | Mapping[str, Graphs], *, names: Sequence[str] | None = None,
    metric: Literal["wsmatch"], preset: Literal["core", "tool"] | None = None, workers: int = 1,
    progress: Progress = None, on_error: OnErrorPaired = "raise", pair_by: PairBy = "position",
    unpaired: Unpaired = "raise", bootstrap: int | None = None, confidence: float = 0.95,
    bootstrap_method: IntervalMethod = "bca", bootstrap_seed: int = 0, **options: Unpack[WSmatchOptions],
) -> Agreement: ...
@overload
def agreement(
    annotators: Sequence[Graphs] | Mapping[str, Graphs], *, names: Sequence[str] | None = None, metric: Literal["wwlk"],
    preset: Literal["tool"] | None = None, workers: int = 1, progress: Progress = None,
    on_error: OnErrorPaired = "raise", pair_by: PairBy = "position", unpaired: Unpaired = "raise",
    bootstrap: int | None = None, confidence: float = 0.95, bootstrap_method: IntervalMethod = "bca",
    bootstrap_seed: int = 0, **options: Unpack[WwlkOptions],
) -> Agreement: ...
@overload
def agreement(
    annotators: Sequence[Graphs] | Mapping[str, Graphs], *, names: Sequence[str] | None = None,
    metric: MetricName | str | Metric, preset: str | None = None, workers: int = 1, progress: Progress = None,
    on_error: OnErrorPaired = "raise", pair_by: PairBy = "position", unpaired: Unpaired = "raise",
    bootstrap: int | None = None, confidence: float = 0.95, bootstrap_method: IntervalMethod = "bca",
    bootstrap_seed: int = 0, **options: Any,
) -> Agreement: ...
@overload
def align(
    pred: Corpus | One, gold: Corpus | One, *, metric: Literal["align-smatch"],
    preset: Literal["tool", "smatch"] | None = None, **options: Unpack[AlignSmatchOptions],
) -> Alignment: ...
@overload
def align(
    pred: Corpus | One, gold: Corpus | One, *, metric: Literal["ancast"], preset: Literal["tool"] | None = None,
    **options: Unpack[AnCastOptions],
) -> Alignment: ...
@overload
def align(
    pred: Corpus | One, gold: Corpus | One, *, metric: Literal["docsmatch"], preset: Literal["tool"] | None = None,
    **options: Unpack[DocSmatchOptions],
) -> Alignment: ...
@overload
def align(
    pred: Corpus | One, gold: Corpus | One, *, metric: Literal["s2match"], preset: Literal["tool"] | None = None,
    **options: Unpack[S2matchOptions],
) -> Alignment: ...
@overload
def align(
    pred: Corpus | One, gold: Corpus | One, *, metric: Literal["smatch"] = "smatch",
    preset: Literal["smatch", "smatch++", "smatch++/reify", "generic", "none", "pmb5", "sbn-evaluation",
        "sbn-evaluation/lenient", "ud-boxer", "ud-boxer/no-sense", "ud-boxer/lenient", "mrp", "mrp/tool"] | None = None,
    **options: Unpack[SmatchOptions],
) -> Alignment: ...
@overload
def align(
    pred: Corpus | One, gold: Corpus | One, *, metric: Literal["smatch++"],
    preset: Literal["tool", "reify", "generic", "none"] | None = None, **options: Unpack[SmatchPlusPlusOptions],
) -> Alignment: ...
@overload
def align(
    pred: Corpus | One, gold: Corpus | One, *, metric: Literal["softmatch"], preset: None = None,
    **options: Unpack[SoftmatchOptions],
) -> Alignment: ...
@overload
def align(
    pred: Corpus | One, gold: Corpus | One, *, metric: Literal["wsmatch"],
    preset: Literal["core", "tool"] | None = None, **options: Unpack[WSmatchOptions],
) -> Alignment: ...
@overload
def align(
    pred: Corpus | One, gold: Corpus | One, *, metric: Literal["wwlk"], preset: Literal["tool"] | None = None,
    **options: Unpack[WwlkOptions],
) -> FlowAlignment: ...
@overload
def align(
    pred: Corpus | One, gold: Corpus | One, *, metric: Literal["wwlk"] | Wwlk, preset: str | None = None,
    **options: Any,
) -> FlowAlignment: ...
@overload
def align(
    pred: Corpus | One, gold: Corpus | One, *, metric: AligningMetric = "smatch", preset: str | None = None,
    **options: Any,
) -> Alignment: ...
@overload
def align(
    pred: Corpus | One, gold: Corpus | One, *, metric: str | Metric, preset: str | None = None, **options: Any,
) -> Alignment | FlowAlignment: ...
@overload
def cdist(
    A: Graphs, B: Graphs | None = None, *, metric: Literal["align-smatch"],
    preset: Literal["tool", "smatch"] | None = None, workers: int = 1, score_cutoff: float | None = None,
    dtype: type[np.float32] = ..., out: Path | None = None, sparse: Literal[False] = False, resume: bool = False,
    progress: Progress = None, on_error: OnErrorPaired = "raise", **options: Unpack[AlignSmatchOptions],
) -> NDArray[np.float32]: ...
@overload
def cdist(
    A: Graphs, B: Graphs | None = None, *, metric: Literal["ancast"], preset: Literal["tool"] | None = None,
    workers: int = 1, score_cutoff: float | None = None, dtype: type[np.float32] = ..., out: Path | None = None,
    sparse: Literal[False] = False, resume: bool = False, progress: Progress = None, on_error: OnErrorPaired = "raise",
    **options: Unpack[AnCastOptions],
) -> NDArray[np.float32]: ...
@overload
def cdist(
    A: Graphs, B: Graphs | None = None, *, metric: Literal["docsmatch"], preset: Literal["tool"] | None = None,
    workers: int = 1, score_cutoff: float | None = None, dtype: type[np.float32] = ..., out: Path | None = None,
    sparse: Literal[False] = False, resume: bool = False, progress: Progress = None, on_error: OnErrorPaired = "raise",
    **options: Unpack[DocSmatchOptions],
) -> NDArray[np.float32]: ...
@overload
def cdist(
    A: Graphs, B: Graphs | None = None, *, metric: Literal["rematch"], preset: Literal["tool"] | None = None,
    workers: int = 1, score_cutoff: float | None = None, dtype: type[np.float32] = ..., out: Path | None = None,
    sparse: Literal[False] = False, resume: bool = False, progress: Progress = None, on_error: OnErrorPaired = "raise",
    **options: Unpack[RematchOptions],
) -> NDArray[np.float32]: ...
@overload
def cdist(
    A: Graphs, B: Graphs | None = None, *, metric: Literal["s2match"], preset: Literal["tool"] | None = None,
    workers: int = 1, score_cutoff: float | None = None, dtype: type[np.float32] = ..., out: Path | None = None,
    sparse: Literal[False] = False, resume: bool = False, progress: Progress = None, on_error: OnErrorPaired = "raise",
    **options: Unpack[S2matchOptions],
) -> NDArray[np.float32]: ...
@overload
def cdist(
    A: Graphs, B: Graphs | None = None, *, metric: Literal["sema"], preset: Literal["tool", "bamboo"] | None = None,
    workers: int = 1, score_cutoff: float | None = None, dtype: type[np.float32] = ..., out: Path | None = None,
    sparse: Literal[False] = False, resume: bool = False, progress: Progress = None, on_error: OnErrorPaired = "raise",
    **options: Unpack[SemaOptions],
) -> NDArray[np.float32]: ...
@overload
def cdist(
    A: Graphs, B: Graphs | None = None, *, metric: Literal["sembleu"], preset: Literal["tool", "bamboo"] | None = None,
    workers: int = 1, score_cutoff: float | None = None, dtype: type[np.float32] = ..., out: Path | None = None,
    sparse: Literal[False] = False, resume: bool = False, progress: Progress = None, on_error: OnErrorPaired = "raise",
    **options: Unpack[SembleuOptions],
) -> NDArray[np.float32]: ...
@overload
def cdist(
    A: Graphs, B: Graphs | None = None, *, metric: Literal["smatch"] = "smatch",
    preset: Literal["smatch", "smatch++", "smatch++/reify", "generic", "none", "pmb5", "sbn-evaluation",
        "sbn-evaluation/lenient", "ud-boxer", "ud-boxer/no-sense", "ud-boxer/lenient", "mrp", "mrp/tool"] | None = None,
    workers: int = 1, score_cutoff: float | None = None, dtype: type[np.float32] = ..., out: Path | None = None,
    sparse: Literal[False] = False, resume: bool = False, progress: Progress = None, on_error: OnErrorPaired = "raise",
    **options: Unpack[SmatchOptions],
) -> NDArray[np.float32]: ...
@overload
def cdist(
    A: Graphs, B: Graphs | None = None, *, metric: Literal["smatch++"],
    preset: Literal["tool", "reify", "generic", "none"] | None = None, workers: int = 1,
    score_cutoff: float | None = None, dtype: type[np.float32] = ..., out: Path | None = None,
    sparse: Literal[False] = False, resume: bool = False, progress: Progress = None, on_error: OnErrorPaired = "raise",
    **options: Unpack[SmatchPlusPlusOptions],
) -> NDArray[np.float32]: ...
@overload
def cdist(
    A: Graphs, B: Graphs | None = None, *, metric: Literal["softmatch"], preset: None = None, workers: int = 1,
    score_cutoff: float | None = None, dtype: type[np.float32] = ..., out: Path | None = None,
    sparse: Literal[False] = False, resume: bool = False, progress: Progress = None, on_error: OnErrorPaired = "raise",
    **options: Unpack[SoftmatchOptions],
) -> NDArray[np.float32]: ...
@overload
def cdist(
    A: Graphs, B: Graphs | None = None, *, metric: Literal["softoverlap"],
    preset: Literal["untrained", "bamboo", "people"] | None = None, workers: int = 1, score_cutoff: float | None = None,
    dtype: type[np.float32] = ..., out: Path | None = None, sparse: Literal[False] = False, resume: bool = False,
    progress: Progress = None, on_error: OnErrorPaired = "raise", **options: Unpack[SoftOverlapOptions],
) -> NDArray[np.float32]: ...
@overload
def cdist(
    A: Graphs, B: Graphs | None = None, *, metric: Literal["wlk"], preset: Literal["tool"] | None = None,
    workers: int = 1, score_cutoff: float | None = None, dtype: type[np.float32] = ..., out: Path | None = None,
    sparse: Literal[False] = False, resume: bool = False, progress: Progress = None, on_error: OnErrorPaired = "raise",
    **options: Unpack[WlkOptions],
) -> NDArray[np.float32]: ...
@overload
def cdist(
    A: Graphs, B: Graphs | None = None, *, metric: Literal["wsmatch"], preset: Literal["core", "tool"] | None = None,
    workers: int = 1, score_cutoff: float | None = None, dtype: type[np.float32] = ..., out: Path | None = None,
    sparse: Literal[False] = False, resume: bool = False, progress: Progress = None, on_error: OnErrorPaired = "raise",
    **options: Unpack[WSmatchOptions],
) -> NDArray[np.float32]: ...
@overload
def cdist(
    A: Graphs, B: Graphs | None = None, *, metric: Literal["wwlk"], preset: Literal["tool"] | None = None,
    workers: int = 1, score_cutoff: float | None = None, dtype: type[np.float32] = ..., out: Path | None = None,
    sparse: Literal[False] = False, resume: bool = False, progress: Progress = None, on_error: OnErrorPaired = "raise",
    **options: Unpack[WwlkOptions],
) -> NDArray[np.float32]: ...
@overload
def cdist(
    A: Graphs, B: Graphs | None = None, *, metric: MetricName | str | Metric = "smatch", preset: str | None = None,
    workers: int = 1, score_cutoff: float | None = None, dtype: type[np.float32] = ..., out: Path | None = None,
    sparse: Literal[False] = False, resume: bool = False, progress: Progress = None, on_error: OnErrorPaired = "raise",
    **options: Any,
) -> NDArray[np.float32]: ...
@overload
def cdist(
    A: Graphs, B: Graphs | None = None, *, metric: MetricName | str | Metric = "smatch", preset: str | None = None,
    workers: int = 1, score_cutoff: float | None = None, dtype: type[Float] | np.dtype[Float], out: Path | None = None,
    sparse: Literal[False] = False, resume: bool = False, progress: Progress = None, on_error: OnErrorPaired = "raise",
    **options: Any,
) -> NDArray[Float]: ...
@overload
def cdist(
    A: Graphs, B: Graphs | None = None, *, metric: MetricName | str | Metric = "smatch", preset: str | None = None,
    workers: int = 1, score_cutoff: float | None = None, dtype: DTypeLike, out: Path | None = None,
    sparse: Literal[False] = False, resume: bool = False, progress: Progress = None, on_error: OnErrorPaired = "raise",
    **options: Any,
) -> NDArray[Any]: ...
@overload
def cdist(
    A: Graphs, B: Graphs | None = None, *, metric: MetricName | str | Metric = "smatch", preset: str | None = None,
    workers: int = 1, score_cutoff: float | None = None, dtype: DTypeLike = ..., out: NDArray[Float],
    sparse: Literal[False] = False, resume: bool = False, progress: Progress = None, on_error: OnErrorPaired = "raise",
    **options: Any,
) -> NDArray[Float]: ...
@overload
def cdist(
    A: Graphs, B: Graphs | None = None, *, metric: MetricName | str | Metric = "smatch", preset: str | None = None,
    workers: int = 1, score_cutoff: float | None = None, dtype: DTypeLike = ..., out: None = None,
    sparse: Literal[True], resume: bool = False, progress: Progress = None, on_error: OnErrorPaired = "raise",
    **options: Any,
) -> scipy.sparse.csr_array: ...
@overload
def cdist(
    A: Graphs, B: Graphs | None = None, *, metric: MetricName | str | Metric = "smatch", preset: str | None = None,
    workers: int = 1, score_cutoff: float | None = None, dtype: DTypeLike = ..., out: SomePath, sparse: Literal[True],
    resume: bool = False, progress: Progress = None, on_error: OnErrorPaired = "raise", **options: Any,
) -> SomePath: ...
@overload
def compare(
    *systems: Graphs | CorpusScore, gold: Graphs | None = None, names: Sequence[str] | None = None,
    metric: Literal["align-smatch"], preset: Literal["tool", "smatch"] | None = None, workers: int = 1,
    progress: Progress = None, on_error: OnErrorPaired = "raise", pair_by: PairBy = "position",
    unpaired: Unpaired = "raise", resamples: int = 10000, confidence: float = 0.95,
    bootstrap_method: IntervalMethod = "bca", bootstrap_seed: int = 0, correction: Correction = "holm",
    against: Literal["first", "all"] = "first", **options: Unpack[AlignSmatchOptions],
) -> Comparison: ...
@overload
def compare(
    *systems: Graphs | CorpusScore, gold: Graphs | None = None, names: Sequence[str] | None = None,
    metric: Literal["ancast"], preset: Literal["tool"] | None = None, workers: int = 1, progress: Progress = None,
    on_error: OnErrorPaired = "raise", pair_by: PairBy = "position", unpaired: Unpaired = "raise",
    resamples: int = 10000, confidence: float = 0.95, bootstrap_method: IntervalMethod = "bca", bootstrap_seed: int = 0,
    correction: Correction = "holm", against: Literal["first", "all"] = "first", **options: Unpack[AnCastOptions],
) -> Comparison: ...
@overload
def compare(
    *systems: Graphs | CorpusScore, gold: Graphs | None = None, names: Sequence[str] | None = None,
    metric: Literal["docsmatch"], preset: Literal["tool"] | None = None, workers: int = 1, progress: Progress = None,
    on_error: OnErrorPaired = "raise", pair_by: PairBy = "position", unpaired: Unpaired = "raise",
    resamples: int = 10000, confidence: float = 0.95, bootstrap_method: IntervalMethod = "bca", bootstrap_seed: int = 0,
    correction: Correction = "holm", against: Literal["first", "all"] = "first", **options: Unpack[DocSmatchOptions],
) -> Comparison: ...
@overload
def compare(
    *systems: Graphs | CorpusScore, gold: Graphs | None = None, names: Sequence[str] | None = None,
    metric: Literal["rematch"], preset: Literal["tool"] | None = None, workers: int = 1, progress: Progress = None,
    on_error: OnErrorPaired = "raise", pair_by: PairBy = "position", unpaired: Unpaired = "raise",
    resamples: int = 10000, confidence: float = 0.95, bootstrap_method: IntervalMethod = "bca", bootstrap_seed: int = 0,
    correction: Correction = "holm", against: Literal["first", "all"] = "first", **options: Unpack[RematchOptions],
) -> Comparison: ...
@overload
def compare(
    *systems: Graphs | CorpusScore, gold: Graphs | None = None, names: Sequence[str] | None = None,
    metric: Literal["s2match"], preset: Literal["tool"] | None = None, workers: int = 1, progress: Progress = None,
    on_error: OnErrorPaired = "raise", pair_by: PairBy = "position", unpaired: Unpaired = "raise",
    resamples: int = 10000, confidence: float = 0.95, bootstrap_method: IntervalMethod = "bca", bootstrap_seed: int = 0,
    correction: Correction = "holm", against: Literal["first", "all"] = "first", **options: Unpack[S2matchOptions],
) -> Comparison: ...
@overload
def compare(
    *systems: Graphs | CorpusScore, gold: Graphs | None = None, names: Sequence[str] | None = None,
    metric: Literal["sema"], preset: Literal["tool", "bamboo"] | None = None, workers: int = 1,
    progress: Progress = None, on_error: OnErrorPaired = "raise", pair_by: PairBy = "position",
    unpaired: Unpaired = "raise", resamples: int = 10000, confidence: float = 0.95,
    bootstrap_method: IntervalMethod = "bca", bootstrap_seed: int = 0, correction: Correction = "holm",
    against: Literal["first", "all"] = "first", **options: Unpack[SemaOptions],
) -> Comparison: ...
@overload
def compare(
    *systems: Graphs | CorpusScore, gold: Graphs | None = None, names: Sequence[str] | None = None,
    metric: Literal["sembleu"], preset: Literal["tool", "bamboo"] | None = None, workers: int = 1,
    progress: Progress = None, on_error: OnErrorPaired = "raise", pair_by: PairBy = "position",
    unpaired: Unpaired = "raise", resamples: int = 10000, confidence: float = 0.95,
    bootstrap_method: IntervalMethod = "bca", bootstrap_seed: int = 0, correction: Correction = "holm",
    against: Literal["first", "all"] = "first", **options: Unpack[SembleuOptions],
) -> Comparison: ...
@overload
def compare(
    *systems: Graphs | CorpusScore, gold: Graphs | None = None, names: Sequence[str] | None = None,
    metric: Literal["smatch"] = "smatch",
    preset: Literal["smatch", "smatch++", "smatch++/reify", "generic", "none", "pmb5", "sbn-evaluation",
        "sbn-evaluation/lenient", "ud-boxer", "ud-boxer/no-sense", "ud-boxer/lenient", "mrp", "mrp/tool"] | None = None,
    workers: int = 1, progress: Progress = None, on_error: OnErrorPaired = "raise", pair_by: PairBy = "position",
    unpaired: Unpaired = "raise", resamples: int = 10000, confidence: float = 0.95,
    bootstrap_method: IntervalMethod = "bca", bootstrap_seed: int = 0, correction: Correction = "holm",
    against: Literal["first", "all"] = "first", **options: Unpack[SmatchOptions],
) -> Comparison: ...
@overload
def compare(
    *systems: Graphs | CorpusScore, gold: Graphs | None = None, names: Sequence[str] | None = None,
    metric: Literal["smatch++"], preset: Literal["tool", "reify", "generic", "none"] | None = None, workers: int = 1,
    progress: Progress = None, on_error: OnErrorPaired = "raise", pair_by: PairBy = "position",
    unpaired: Unpaired = "raise", resamples: int = 10000, confidence: float = 0.95,
    bootstrap_method: IntervalMethod = "bca", bootstrap_seed: int = 0, correction: Correction = "holm",
    against: Literal["first", "all"] = "first", **options: Unpack[SmatchPlusPlusOptions],
) -> Comparison: ...
@overload
def compare(
    *systems: Graphs | CorpusScore, gold: Graphs | None = None, names: Sequence[str] | None = None,
    metric: Literal["softmatch"], preset: None = None, workers: int = 1, progress: Progress = None,
    on_error: OnErrorPaired = "raise", pair_by: PairBy = "position", unpaired: Unpaired = "raise",
    resamples: int = 10000, confidence: float = 0.95, bootstrap_method: IntervalMethod = "bca", bootstrap_seed: int = 0,
    correction: Correction = "holm", against: Literal["first", "all"] = "first", **options: Unpack[SoftmatchOptions],
) -> Comparison: ...
@overload
def compare(
    *systems: Graphs | CorpusScore, gold: Graphs | None = None, names: Sequence[str] | None = None,
    metric: Literal["softoverlap"], preset: Literal["untrained", "bamboo", "people"] | None = None, workers: int = 1,
    progress: Progress = None, on_error: OnErrorPaired = "raise", pair_by: PairBy = "position",
    unpaired: Unpaired = "raise", resamples: int = 10000, confidence: float = 0.95,
    bootstrap_method: IntervalMethod = "bca", bootstrap_seed: int = 0, correction: Correction = "holm",
    against: Literal["first", "all"] = "first", **options: Unpack[SoftOverlapOptions],
) -> Comparison: ...
@overload
def compare(
    *systems: Graphs | CorpusScore, gold: Graphs | None = None, names: Sequence[str] | None = None,
    metric: Literal["wlk"], preset: Literal["tool"] | None = None, workers: int = 1, progress: Progress = None,
    on_error: OnErrorPaired = "raise", pair_by: PairBy = "position", unpaired: Unpaired = "raise",
    resamples: int = 10000, confidence: float = 0.95, bootstrap_method: IntervalMethod = "bca", bootstrap_seed: int = 0,
    correction: Correction = "holm", against: Literal["first", "all"] = "first", **options: Unpack[WlkOptions],
) -> Comparison: ...
@overload
def compare(
    *systems: Graphs | CorpusScore, gold: Graphs | None = None, names: Sequence[str] | None = None,
    metric: Literal["wsmatch"], preset: Literal["core", "tool"] | None = None, workers: int = 1,
    progress: Progress = None, on_error: OnErrorPaired = "raise", pair_by: PairBy = "position",
    unpaired: Unpaired = "raise", resamples: int = 10000, confidence: float = 0.95,
    bootstrap_method: IntervalMethod = "bca", bootstrap_seed: int = 0, correction: Correction = "holm",
    against: Literal["first", "all"] = "first", **options: Unpack[WSmatchOptions],
) -> Comparison: ...
@overload
def compare(
    *systems: Graphs | CorpusScore, gold: Graphs | None = None, names: Sequence[str] | None = None,
    metric: Literal["wwlk"], preset: Literal["tool"] | None = None, workers: int = 1, progress: Progress = None,
    on_error: OnErrorPaired = "raise", pair_by: PairBy = "position", unpaired: Unpaired = "raise",
    resamples: int = 10000, confidence: float = 0.95, bootstrap_method: IntervalMethod = "bca", bootstrap_seed: int = 0,
    correction: Correction = "holm", against: Literal["first", "all"] = "first", **options: Unpack[WwlkOptions],
) -> Comparison: ...
@overload
def compare(
    *systems: Graphs | CorpusScore, gold: Graphs | None = None, names: Sequence[str] | None = None,
    metric: MetricName | str | Metric, preset: str | None = None, workers: int = 1, progress: Progress = None,
    on_error: OnErrorPaired = "raise", pair_by: PairBy = "position", unpaired: Unpaired = "raise",
    resamples: int = 10000, confidence: float = 0.95, bootstrap_method: IntervalMethod = "bca", bootstrap_seed: int = 0,
    correction: Correction = "holm", against: Literal["first", "all"] = "first", **options: Any,
) -> Comparison: ...
@overload
def cpdist(
    A: Graphs, B: Graphs | None = None, index_pairs: ArrayLike | None = None, *, metric: Literal["align-smatch"],
    preset: Literal["tool", "smatch"] | None = None, workers: int = 1, score_cutoff: float | None = None,
    dtype: type[np.float64] = ..., progress: Progress = None, on_error: OnErrorPaired = "raise",
    **options: Unpack[AlignSmatchOptions],
) -> NDArray[np.float64]: ...
@overload
def cpdist(
    A: Graphs, B: Graphs | None = None, index_pairs: ArrayLike | None = None, *, metric: Literal["ancast"],
    preset: Literal["tool"] | None = None, workers: int = 1, score_cutoff: float | None = None,
    dtype: type[np.float64] = ..., progress: Progress = None, on_error: OnErrorPaired = "raise",
    **options: Unpack[AnCastOptions],
) -> NDArray[np.float64]: ...
@overload
def cpdist(
    A: Graphs, B: Graphs | None = None, index_pairs: ArrayLike | None = None, *, metric: Literal["docsmatch"],
    preset: Literal["tool"] | None = None, workers: int = 1, score_cutoff: float | None = None,
    dtype: type[np.float64] = ..., progress: Progress = None, on_error: OnErrorPaired = "raise",
    **options: Unpack[DocSmatchOptions],
) -> NDArray[np.float64]: ...
@overload
def cpdist(
    A: Graphs, B: Graphs | None = None, index_pairs: ArrayLike | None = None, *, metric: Literal["rematch"],
    preset: Literal["tool"] | None = None, workers: int = 1, score_cutoff: float | None = None,
    dtype: type[np.float64] = ..., progress: Progress = None, on_error: OnErrorPaired = "raise",
    **options: Unpack[RematchOptions],
) -> NDArray[np.float64]: ...
@overload
def cpdist(
    A: Graphs, B: Graphs | None = None, index_pairs: ArrayLike | None = None, *, metric: Literal["s2match"],
    preset: Literal["tool"] | None = None, workers: int = 1, score_cutoff: float | None = None,
    dtype: type[np.float64] = ..., progress: Progress = None, on_error: OnErrorPaired = "raise",
    **options: Unpack[S2matchOptions],
) -> NDArray[np.float64]: ...
@overload
def cpdist(
    A: Graphs, B: Graphs | None = None, index_pairs: ArrayLike | None = None, *, metric: Literal["sema"],
    preset: Literal["tool", "bamboo"] | None = None, workers: int = 1, score_cutoff: float | None = None,
    dtype: type[np.float64] = ..., progress: Progress = None, on_error: OnErrorPaired = "raise",
    **options: Unpack[SemaOptions],
) -> NDArray[np.float64]: ...
@overload
def cpdist(
    A: Graphs, B: Graphs | None = None, index_pairs: ArrayLike | None = None, *, metric: Literal["sembleu"],
    preset: Literal["tool", "bamboo"] | None = None, workers: int = 1, score_cutoff: float | None = None,
    dtype: type[np.float64] = ..., progress: Progress = None, on_error: OnErrorPaired = "raise",
    **options: Unpack[SembleuOptions],
) -> NDArray[np.float64]: ...
@overload
def cpdist(
    A: Graphs, B: Graphs | None = None, index_pairs: ArrayLike | None = None, *, metric: Literal["smatch"] = "smatch",
    preset: Literal["smatch", "smatch++", "smatch++/reify", "generic", "none", "pmb5", "sbn-evaluation",
        "sbn-evaluation/lenient", "ud-boxer", "ud-boxer/no-sense", "ud-boxer/lenient", "mrp", "mrp/tool"] | None = None,
    workers: int = 1, score_cutoff: float | None = None, dtype: type[np.float64] = ..., progress: Progress = None,
    on_error: OnErrorPaired = "raise", **options: Unpack[SmatchOptions],
) -> NDArray[np.float64]: ...
@overload
def cpdist(
    A: Graphs, B: Graphs | None = None, index_pairs: ArrayLike | None = None, *, metric: Literal["smatch++"],
    preset: Literal["tool", "reify", "generic", "none"] | None = None, workers: int = 1,
    score_cutoff: float | None = None, dtype: type[np.float64] = ..., progress: Progress = None,
    on_error: OnErrorPaired = "raise", **options: Unpack[SmatchPlusPlusOptions],
) -> NDArray[np.float64]: ...
@overload
def cpdist(
    A: Graphs, B: Graphs | None = None, index_pairs: ArrayLike | None = None, *, metric: Literal["softmatch"],
    preset: None = None, workers: int = 1, score_cutoff: float | None = None, dtype: type[np.float64] = ...,
    progress: Progress = None, on_error: OnErrorPaired = "raise", **options: Unpack[SoftmatchOptions],
) -> NDArray[np.float64]: ...
@overload
def cpdist(
    A: Graphs, B: Graphs | None = None, index_pairs: ArrayLike | None = None, *, metric: Literal["softoverlap"],
    preset: Literal["untrained", "bamboo", "people"] | None = None, workers: int = 1, score_cutoff: float | None = None,
    dtype: type[np.float64] = ..., progress: Progress = None, on_error: OnErrorPaired = "raise",
    **options: Unpack[SoftOverlapOptions],
) -> NDArray[np.float64]: ...
@overload
def cpdist(
    A: Graphs, B: Graphs | None = None, index_pairs: ArrayLike | None = None, *, metric: Literal["wlk"],
    preset: Literal["tool"] | None = None, workers: int = 1, score_cutoff: float | None = None,
    dtype: type[np.float64] = ..., progress: Progress = None, on_error: OnErrorPaired = "raise",
    **options: Unpack[WlkOptions],
) -> NDArray[np.float64]: ...
@overload
def cpdist(
    A: Graphs, B: Graphs | None = None, index_pairs: ArrayLike | None = None, *, metric: Literal["wsmatch"],
    preset: Literal["core", "tool"] | None = None, workers: int = 1, score_cutoff: float | None = None,
    dtype: type[np.float64] = ..., progress: Progress = None, on_error: OnErrorPaired = "raise",
    **options: Unpack[WSmatchOptions],
) -> NDArray[np.float64]: ...
@overload
def cpdist(
    A: Graphs, B: Graphs | None = None, index_pairs: ArrayLike | None = None, *, metric: Literal["wwlk"],
    preset: Literal["tool"] | None = None, workers: int = 1, score_cutoff: float | None = None,
    dtype: type[np.float64] = ..., progress: Progress = None, on_error: OnErrorPaired = "raise",
    **options: Unpack[WwlkOptions],
) -> NDArray[np.float64]: ...
@overload
def cpdist(
    A: Graphs, B: Graphs | None = None, index_pairs: ArrayLike | None = None, *,
    metric: MetricName | str | Metric = "smatch", preset: str | None = None, workers: int = 1,
    score_cutoff: float | None = None, dtype: type[np.float64] = ..., progress: Progress = None,
    on_error: OnErrorPaired = "raise", **options: Any,
) -> NDArray[np.float64]: ...
@overload
def cpdist(
    A: Graphs, B: Graphs | None = None, index_pairs: ArrayLike | None = None, *,
    metric: MetricName | str | Metric = "smatch", preset: str | None = None, workers: int = 1,
    score_cutoff: float | None = None, dtype: type[Float] | np.dtype[Float], progress: Progress = None,
    on_error: OnErrorPaired = "raise", **options: Any,
) -> NDArray[Float]: ...
@overload
def cpdist(
    A: Graphs, B: Graphs | None = None, index_pairs: ArrayLike | None = None, *,
    metric: MetricName | str | Metric = "smatch", preset: str | None = None, workers: int = 1,
    score_cutoff: float | None = None, dtype: DTypeLike, progress: Progress = None, on_error: OnErrorPaired = "raise",
    **options: Any,
) -> NDArray[Any]: ...
@overload
def ensemble(
    candidates: Sequence[Any], *, method: Method = "merge", metric: Literal["align-smatch"],
    preset: Literal["tool", "smatch"] | None = None, weights: Sequence[Any] | None = None,
    by: Literal["system", "sentence"] = "system", names: Sequence[str] | None = None, pair_by: PairBy = "position",
    unpaired: Unpaired = "raise", on_error: OnErrorPaired = "raise", workers: int = 1, progress: Progress = None,
    **options: Unpack[AlignSmatchOptions],
) -> Ensemble: ...
@overload
def ensemble(
    candidates: Sequence[Any], *, method: Method = "merge", metric: Literal["ancast"],
    preset: Literal["tool"] | None = None, weights: Sequence[Any] | None = None,
    by: Literal["system", "sentence"] = "system", names: Sequence[str] | None = None, pair_by: PairBy = "position",
    unpaired: Unpaired = "raise", on_error: OnErrorPaired = "raise", workers: int = 1, progress: Progress = None,
    **options: Unpack[AnCastOptions],
) -> Ensemble: ...
@overload
def ensemble(
    candidates: Sequence[Any], *, method: Method = "merge", metric: Literal["docsmatch"],
    preset: Literal["tool"] | None = None, weights: Sequence[Any] | None = None,
    by: Literal["system", "sentence"] = "system", names: Sequence[str] | None = None, pair_by: PairBy = "position",
    unpaired: Unpaired = "raise", on_error: OnErrorPaired = "raise", workers: int = 1, progress: Progress = None,
    **options: Unpack[DocSmatchOptions],
) -> Ensemble: ...
@overload
def ensemble(
    candidates: Sequence[Any], *, method: Method = "merge", metric: Literal["rematch"],
    preset: Literal["tool"] | None = None, weights: Sequence[Any] | None = None,
    by: Literal["system", "sentence"] = "system", names: Sequence[str] | None = None, pair_by: PairBy = "position",
    unpaired: Unpaired = "raise", on_error: OnErrorPaired = "raise", workers: int = 1, progress: Progress = None,
    **options: Unpack[RematchOptions],
) -> Ensemble: ...
@overload
def ensemble(
    candidates: Sequence[Any], *, method: Method = "merge", metric: Literal["s2match"],
    preset: Literal["tool"] | None = None, weights: Sequence[Any] | None = None,
    by: Literal["system", "sentence"] = "system", names: Sequence[str] | None = None, pair_by: PairBy = "position",
    unpaired: Unpaired = "raise", on_error: OnErrorPaired = "raise", workers: int = 1, progress: Progress = None,
    **options: Unpack[S2matchOptions],
) -> Ensemble: ...
@overload
def ensemble(
    candidates: Sequence[Any], *, method: Method = "merge", metric: Literal["sema"],
    preset: Literal["tool", "bamboo"] | None = None, weights: Sequence[Any] | None = None,
    by: Literal["system", "sentence"] = "system", names: Sequence[str] | None = None, pair_by: PairBy = "position",
    unpaired: Unpaired = "raise", on_error: OnErrorPaired = "raise", workers: int = 1, progress: Progress = None,
    **options: Unpack[SemaOptions],
) -> Ensemble: ...
@overload
def ensemble(
    candidates: Sequence[Any], *, method: Method = "merge", metric: Literal["smatch"] = "smatch",
    preset: Literal["smatch", "smatch++", "smatch++/reify", "generic", "none", "pmb5", "sbn-evaluation",
        "sbn-evaluation/lenient", "ud-boxer", "ud-boxer/no-sense", "ud-boxer/lenient", "mrp", "mrp/tool"] | None = None,
    weights: Sequence[Any] | None = None, by: Literal["system", "sentence"] = "system",
    names: Sequence[str] | None = None, pair_by: PairBy = "position", unpaired: Unpaired = "raise",
    on_error: OnErrorPaired = "raise", workers: int = 1, progress: Progress = None, **options: Unpack[SmatchOptions],
) -> Ensemble: ...
@overload
def ensemble(
    candidates: Sequence[Any], *, method: Method = "merge", metric: Literal["smatch++"],
    preset: Literal["tool", "reify", "generic", "none"] | None = None, weights: Sequence[Any] | None = None,
    by: Literal["system", "sentence"] = "system", names: Sequence[str] | None = None, pair_by: PairBy = "position",
    unpaired: Unpaired = "raise", on_error: OnErrorPaired = "raise", workers: int = 1, progress: Progress = None,
    **options: Unpack[SmatchPlusPlusOptions],
) -> Ensemble: ...
@overload
def ensemble(
    candidates: Sequence[Any], *, method: Method = "merge", metric: Literal["softmatch"], preset: None = None,
    weights: Sequence[Any] | None = None, by: Literal["system", "sentence"] = "system",
    names: Sequence[str] | None = None, pair_by: PairBy = "position", unpaired: Unpaired = "raise",
    on_error: OnErrorPaired = "raise", workers: int = 1, progress: Progress = None, **options: Unpack[SoftmatchOptions],
) -> Ensemble: ...
@overload
def ensemble(
    candidates: Sequence[Any], *, method: Method = "merge", metric: Literal["softoverlap"],
    preset: Literal["untrained", "bamboo", "people"] | None = None, weights: Sequence[Any] | None = None,
    by: Literal["system", "sentence"] = "system", names: Sequence[str] | None = None, pair_by: PairBy = "position",
    unpaired: Unpaired = "raise", on_error: OnErrorPaired = "raise", workers: int = 1, progress: Progress = None,
    **options: Unpack[SoftOverlapOptions],
) -> Ensemble: ...
@overload
def ensemble(
    candidates: Sequence[Any], *, method: Method = "merge", metric: Literal["wlk"],
    preset: Literal["tool"] | None = None, weights: Sequence[Any] | None = None,
    by: Literal["system", "sentence"] = "system", names: Sequence[str] | None = None, pair_by: PairBy = "position",
    unpaired: Unpaired = "raise", on_error: OnErrorPaired = "raise", workers: int = 1, progress: Progress = None,
    **options: Unpack[WlkOptions],
) -> Ensemble: ...
@overload
def ensemble(
    candidates: Sequence[Any], *, method: Method = "merge", metric: Literal["wsmatch"],
    preset: Literal["core", "tool"] | None = None, weights: Sequence[Any] | None = None,
    by: Literal["system", "sentence"] = "system", names: Sequence[str] | None = None, pair_by: PairBy = "position",
    unpaired: Unpaired = "raise", on_error: OnErrorPaired = "raise", workers: int = 1, progress: Progress = None,
    **options: Unpack[WSmatchOptions],
) -> Ensemble: ...
@overload
def ensemble(
    candidates: Sequence[Any], *, method: Method = "merge", metric: MetricName | str | Metric = "smatch",
    preset: str | None = None, weights: Sequence[Any] | None = None, by: Literal["system", "sentence"] = "system",
    names: Sequence[str] | None = None, pair_by: PairBy = "position", unpaired: Unpaired = "raise",
    on_error: OnErrorPaired = "raise", workers: int = 1, progress: Progress = None, **options: Any,
) -> Ensemble: ...
@overload
def features(
    A: Graphs, B: None = None, *, metric: Literal["align-smatch"], preset: Literal["tool", "smatch"] | None = None,
    dtype: DTypeLike = ..., on_error: OnErrorPaired = "raise", **options: Unpack[AlignSmatchOptions],
) -> scipy.sparse.csr_array: ...
@overload
def features(
    A: Graphs, B: None = None, *, metric: Literal["ancast"], preset: Literal["tool"] | None = None,
    dtype: DTypeLike = ..., on_error: OnErrorPaired = "raise", **options: Unpack[AnCastOptions],
) -> scipy.sparse.csr_array: ...
@overload
def features(
    A: Graphs, B: None = None, *, metric: Literal["docsmatch"], preset: Literal["tool"] | None = None,
    dtype: DTypeLike = ..., on_error: OnErrorPaired = "raise", **options: Unpack[DocSmatchOptions],
) -> scipy.sparse.csr_array: ...
@overload
def features(
    A: Graphs, B: None = None, *, metric: Literal["rematch"] = "rematch", preset: Literal["tool"] | None = None,
    dtype: DTypeLike = ..., on_error: OnErrorPaired = "raise", **options: Unpack[RematchOptions],
) -> scipy.sparse.csr_array: ...
@overload
def features(
    A: Graphs, B: None = None, *, metric: Literal["s2match"], preset: Literal["tool"] | None = None,
    dtype: DTypeLike = ..., on_error: OnErrorPaired = "raise", **options: Unpack[S2matchOptions],
) -> scipy.sparse.csr_array: ...
@overload
def features(
    A: Graphs, B: None = None, *, metric: Literal["sema"], preset: Literal["tool", "bamboo"] | None = None,
    dtype: DTypeLike = ..., on_error: OnErrorPaired = "raise", **options: Unpack[SemaOptions],
) -> scipy.sparse.csr_array: ...
@overload
def features(
    A: Graphs, B: None = None, *, metric: Literal["sembleu"], preset: Literal["tool", "bamboo"] | None = None,
    dtype: DTypeLike = ..., on_error: OnErrorPaired = "raise", **options: Unpack[SembleuOptions],
) -> scipy.sparse.csr_array: ...
@overload
def features(
    A: Graphs, B: None = None, *, metric: Literal["smatch"],
    preset: Literal["smatch", "smatch++", "smatch++/reify", "generic", "none", "pmb5", "sbn-evaluation",
        "sbn-evaluation/lenient", "ud-boxer", "ud-boxer/no-sense", "ud-boxer/lenient", "mrp", "mrp/tool"] | None = None,
    dtype: DTypeLike = ..., on_error: OnErrorPaired = "raise", **options: Unpack[SmatchOptions],
) -> scipy.sparse.csr_array: ...
@overload
def features(
    A: Graphs, B: None = None, *, metric: Literal["smatch++"],
    preset: Literal["tool", "reify", "generic", "none"] | None = None, dtype: DTypeLike = ...,
    on_error: OnErrorPaired = "raise", **options: Unpack[SmatchPlusPlusOptions],
) -> scipy.sparse.csr_array: ...
@overload
def features(
    A: Graphs, B: None = None, *, metric: Literal["softmatch"], preset: None = None, dtype: DTypeLike = ...,
    on_error: OnErrorPaired = "raise", **options: Unpack[SoftmatchOptions],
) -> scipy.sparse.csr_array: ...
@overload
def features(
    A: Graphs, B: None = None, *, metric: Literal["softoverlap"],
    preset: Literal["untrained", "bamboo", "people"] | None = None, dtype: DTypeLike = ...,
    on_error: OnErrorPaired = "raise", **options: Unpack[SoftOverlapOptions],
) -> scipy.sparse.csr_array: ...
@overload
def features(
    A: Graphs, B: None = None, *, metric: Literal["wlk"], preset: Literal["tool"] | None = None, dtype: DTypeLike = ...,
    on_error: OnErrorPaired = "raise", **options: Unpack[WlkOptions],
) -> scipy.sparse.csr_array: ...
@overload
def features(
    A: Graphs, B: None = None, *, metric: Literal["wsmatch"], preset: Literal["core", "tool"] | None = None,
    dtype: DTypeLike = ..., on_error: OnErrorPaired = "raise", **options: Unpack[WSmatchOptions],
) -> scipy.sparse.csr_array: ...
@overload
def features(
    A: Graphs, B: None = None, *, metric: Literal["wwlk"], preset: Literal["tool"] | None = None,
    dtype: DTypeLike = ..., on_error: OnErrorPaired = "raise", **options: Unpack[WwlkOptions],
) -> scipy.sparse.csr_array: ...
@overload
def features(
    A: Graphs, B: None = None, *, metric: MetricName | str | Metric = "rematch", preset: str | None = None,
    dtype: DTypeLike = ..., on_error: OnErrorPaired = "raise", **options: Any,
) -> scipy.sparse.csr_array: ...
@overload
def features(
    A: Graphs, B: Graphs, *, metric: MetricName | str | Metric = "rematch", preset: str | None = None,
    dtype: DTypeLike = ..., on_error: OnErrorPaired = "raise", **options: Any,
) -> tuple[scipy.sparse.csr_array, scipy.sparse.csr_array]: ...
@overload
def groups(
    corpus: Graphs, *, score_cutoff: float = 0.9, metric: Literal["align-smatch"],
    preset: Literal["tool", "smatch"] | None = None, workers: int = 1, progress: Progress = None,
    on_error: OnErrorPaired = "raise", **options: Unpack[AlignSmatchOptions],
) -> Groups: ...
@overload
def groups(
    corpus: Graphs, *, score_cutoff: float = 0.9, metric: Literal["ancast"], preset: Literal["tool"] | None = None,
    workers: int = 1, progress: Progress = None, on_error: OnErrorPaired = "raise", **options: Unpack[AnCastOptions],
) -> Groups: ...
@overload
def groups(
    corpus: Graphs, *, score_cutoff: float = 0.9, metric: Literal["docsmatch"], preset: Literal["tool"] | None = None,
    workers: int = 1, progress: Progress = None, on_error: OnErrorPaired = "raise", **options: Unpack[DocSmatchOptions],
) -> Groups: ...
@overload
def groups(
    corpus: Graphs, *, score_cutoff: float = 0.9, metric: Literal["rematch"], preset: Literal["tool"] | None = None,
    workers: int = 1, progress: Progress = None, on_error: OnErrorPaired = "raise", **options: Unpack[RematchOptions],
) -> Groups: ...
@overload
def groups(
    corpus: Graphs, *, score_cutoff: float = 0.9, metric: Literal["s2match"], preset: Literal["tool"] | None = None,
    workers: int = 1, progress: Progress = None, on_error: OnErrorPaired = "raise", **options: Unpack[S2matchOptions],
) -> Groups: ...
@overload
def groups(
    corpus: Graphs, *, score_cutoff: float = 0.9, metric: Literal["sema"],
    preset: Literal["tool", "bamboo"] | None = None, workers: int = 1, progress: Progress = None,
    on_error: OnErrorPaired = "raise", **options: Unpack[SemaOptions],
) -> Groups: ...
@overload
def groups(
    corpus: Graphs, *, score_cutoff: float = 0.9, metric: Literal["sembleu"],
    preset: Literal["tool", "bamboo"] | None = None, workers: int = 1, progress: Progress = None,
    on_error: OnErrorPaired = "raise", **options: Unpack[SembleuOptions],
) -> Groups: ...
@overload
def groups(
    corpus: Graphs, *, score_cutoff: float = 0.9, metric: Literal["smatch"] = "smatch",
    preset: Literal["smatch", "smatch++", "smatch++/reify", "generic", "none", "pmb5", "sbn-evaluation",
        "sbn-evaluation/lenient", "ud-boxer", "ud-boxer/no-sense", "ud-boxer/lenient", "mrp", "mrp/tool"] | None = None,
    workers: int = 1, progress: Progress = None, on_error: OnErrorPaired = "raise", **options: Unpack[SmatchOptions],
) -> Groups: ...
@overload
def groups(
    corpus: Graphs, *, score_cutoff: float = 0.9, metric: Literal["smatch++"],
    preset: Literal["tool", "reify", "generic", "none"] | None = None, workers: int = 1, progress: Progress = None,
    on_error: OnErrorPaired = "raise", **options: Unpack[SmatchPlusPlusOptions],
) -> Groups: ...
@overload
def groups(
    corpus: Graphs, *, score_cutoff: float = 0.9, metric: Literal["softmatch"], preset: None = None, workers: int = 1,
    progress: Progress = None, on_error: OnErrorPaired = "raise", **options: Unpack[SoftmatchOptions],
) -> Groups: ...
@overload
def groups(
    corpus: Graphs, *, score_cutoff: float = 0.9, metric: Literal["softoverlap"],
    preset: Literal["untrained", "bamboo", "people"] | None = None, workers: int = 1, progress: Progress = None,
    on_error: OnErrorPaired = "raise", **options: Unpack[SoftOverlapOptions],
) -> Groups: ...
@overload
def groups(
    corpus: Graphs, *, score_cutoff: float = 0.9, metric: Literal["wlk"], preset: Literal["tool"] | None = None,
    workers: int = 1, progress: Progress = None, on_error: OnErrorPaired = "raise", **options: Unpack[WlkOptions],
) -> Groups: ...
@overload
def groups(
    corpus: Graphs, *, score_cutoff: float = 0.9, metric: Literal["wsmatch"],
    preset: Literal["core", "tool"] | None = None, workers: int = 1, progress: Progress = None,
    on_error: OnErrorPaired = "raise", **options: Unpack[WSmatchOptions],
) -> Groups: ...
@overload
def groups(
    corpus: Graphs, *, score_cutoff: float = 0.9, metric: Literal["wwlk"], preset: Literal["tool"] | None = None,
    workers: int = 1, progress: Progress = None, on_error: OnErrorPaired = "raise", **options: Unpack[WwlkOptions],
) -> Groups: ...
@overload
def groups(
    corpus: Graphs, *, score_cutoff: float = 0.9, metric: MetricName | str | Metric, preset: str | None = None,
    workers: int = 1, progress: Progress = None, on_error: OnErrorPaired = "raise", **options: Any,
) -> Groups: ...
@overload
def pairs(
    A: Graphs, B: Graphs | None = None, index_pairs: ArrayLike | None = None, *, metric: Literal["align-smatch"],
    preset: Literal["tool", "smatch"] | None = None, workers: int = 1, progress: Progress = None,
    on_error: OnErrorPaired = "raise", mapping: bool = False, **options: Unpack[AlignSmatchOptions],
) -> PairScores: ...
@overload
def pairs(
    A: Graphs, B: Graphs | None = None, index_pairs: ArrayLike | None = None, *, metric: Literal["ancast"],
    preset: Literal["tool"] | None = None, workers: int = 1, progress: Progress = None,
    on_error: OnErrorPaired = "raise", mapping: bool = False, **options: Unpack[AnCastOptions],
) -> PairScores: ...
@overload
def pairs(
    A: Graphs, B: Graphs | None = None, index_pairs: ArrayLike | None = None, *, metric: Literal["docsmatch"],
    preset: Literal["tool"] | None = None, workers: int = 1, progress: Progress = None,
    on_error: OnErrorPaired = "raise", mapping: bool = False, **options: Unpack[DocSmatchOptions],
) -> PairScores: ...
@overload
def pairs(
    A: Graphs, B: Graphs | None = None, index_pairs: ArrayLike | None = None, *, metric: Literal["rematch"],
    preset: Literal["tool"] | None = None, workers: int = 1, progress: Progress = None,
    on_error: OnErrorPaired = "raise", mapping: bool = False, **options: Unpack[RematchOptions],
) -> PairScores: ...
@overload
def pairs(
    A: Graphs, B: Graphs | None = None, index_pairs: ArrayLike | None = None, *, metric: Literal["s2match"],
    preset: Literal["tool"] | None = None, workers: int = 1, progress: Progress = None,
    on_error: OnErrorPaired = "raise", mapping: bool = False, **options: Unpack[S2matchOptions],
) -> PairScores: ...
@overload
def pairs(
    A: Graphs, B: Graphs | None = None, index_pairs: ArrayLike | None = None, *, metric: Literal["sema"],
    preset: Literal["tool", "bamboo"] | None = None, workers: int = 1, progress: Progress = None,
    on_error: OnErrorPaired = "raise", mapping: bool = False, **options: Unpack[SemaOptions],
) -> PairScores: ...
@overload
def pairs(
    A: Graphs, B: Graphs | None = None, index_pairs: ArrayLike | None = None, *, metric: Literal["sembleu"],
    preset: Literal["tool", "bamboo"] | None = None, workers: int = 1, progress: Progress = None,
    on_error: OnErrorPaired = "raise", mapping: bool = False, **options: Unpack[SembleuOptions],
) -> PairScores: ...
@overload
def pairs(
    A: Graphs, B: Graphs | None = None, index_pairs: ArrayLike | None = None, *, metric: Literal["smatch"] = "smatch",
    preset: Literal["smatch", "smatch++", "smatch++/reify", "generic", "none", "pmb5", "sbn-evaluation",
        "sbn-evaluation/lenient", "ud-boxer", "ud-boxer/no-sense", "ud-boxer/lenient", "mrp", "mrp/tool"] | None = None,
    workers: int = 1, progress: Progress = None, on_error: OnErrorPaired = "raise", mapping: bool = False,
    **options: Unpack[SmatchOptions],
) -> PairScores: ...
@overload
def pairs(
    A: Graphs, B: Graphs | None = None, index_pairs: ArrayLike | None = None, *, metric: Literal["smatch++"],
    preset: Literal["tool", "reify", "generic", "none"] | None = None, workers: int = 1, progress: Progress = None,
    on_error: OnErrorPaired = "raise", mapping: bool = False, **options: Unpack[SmatchPlusPlusOptions],
) -> PairScores: ...
@overload
def pairs(
    A: Graphs, B: Graphs | None = None, index_pairs: ArrayLike | None = None, *, metric: Literal["softmatch"],
    preset: None = None, workers: int = 1, progress: Progress = None, on_error: OnErrorPaired = "raise",
    mapping: bool = False, **options: Unpack[SoftmatchOptions],
) -> PairScores: ...
@overload
def pairs(
    A: Graphs, B: Graphs | None = None, index_pairs: ArrayLike | None = None, *, metric: Literal["softoverlap"],
    preset: Literal["untrained", "bamboo", "people"] | None = None, workers: int = 1, progress: Progress = None,
    on_error: OnErrorPaired = "raise", mapping: bool = False, **options: Unpack[SoftOverlapOptions],
) -> PairScores: ...
@overload
def pairs(
    A: Graphs, B: Graphs | None = None, index_pairs: ArrayLike | None = None, *, metric: Literal["wlk"],
    preset: Literal["tool"] | None = None, workers: int = 1, progress: Progress = None,
    on_error: OnErrorPaired = "raise", mapping: bool = False, **options: Unpack[WlkOptions],
) -> PairScores: ...
@overload
def pairs(
    A: Graphs, B: Graphs | None = None, index_pairs: ArrayLike | None = None, *, metric: Literal["wsmatch"],
    preset: Literal["core", "tool"] | None = None, workers: int = 1, progress: Progress = None,
    on_error: OnErrorPaired = "raise", mapping: bool = False, **options: Unpack[WSmatchOptions],
) -> PairScores: ...
@overload
def pairs(
    A: Graphs, B: Graphs | None = None, index_pairs: ArrayLike | None = None, *, metric: Literal["wwlk"],
    preset: Literal["tool"] | None = None, workers: int = 1, progress: Progress = None,
    on_error: OnErrorPaired = "raise", mapping: bool = False, **options: Unpack[WwlkOptions],
) -> PairScores: ...
@overload
def pairs(
    A: Graphs, B: Graphs | None = None, index_pairs: ArrayLike | None = None, *, metric: MetricName | str | Metric,
    preset: str | None = None, workers: int = 1, progress: Progress = None, on_error: OnErrorPaired = "raise",
    mapping: bool = False, **options: Any,
) -> PairScores: ...
@overload
def score(
    pred: Graphs, gold: Graphs, *, metric: Literal["align-smatch"], preset: Literal["tool", "smatch"] | None = None,
    workers: int = 1, progress: Progress = None, on_error: OnErrorPaired = "raise", pair_by: PairBy = "position",
    unpaired: Unpaired = "raise", mapping: bool = False, bootstrap: int | None = None, confidence: float = 0.95,
    bootstrap_method: IntervalMethod = "bca", bootstrap_seed: int = 0, **options: Unpack[AlignSmatchOptions],
) -> CorpusScore: ...
@overload
def score(
    pred: Graphs, gold: Graphs, *, metric: Literal["ancast"], preset: Literal["tool"] | None = None, workers: int = 1,
    progress: Progress = None, on_error: OnErrorPaired = "raise", pair_by: PairBy = "position",
    unpaired: Unpaired = "raise", mapping: bool = False, bootstrap: int | None = None, confidence: float = 0.95,
    bootstrap_method: IntervalMethod = "bca", bootstrap_seed: int = 0, **options: Unpack[AnCastOptions],
) -> CorpusScore: ...
@overload
def score(
    pred: Graphs, gold: Graphs, *, metric: Literal["docsmatch"], preset: Literal["tool"] | None = None,
    workers: int = 1, progress: Progress = None, on_error: OnErrorPaired = "raise", pair_by: PairBy = "position",
    unpaired: Unpaired = "raise", mapping: bool = False, bootstrap: int | None = None, confidence: float = 0.95,
    bootstrap_method: IntervalMethod = "bca", bootstrap_seed: int = 0, **options: Unpack[DocSmatchOptions],
) -> CorpusScore: ...
@overload
def score(
    pred: Graphs, gold: Graphs, *, metric: Literal["rematch"], preset: Literal["tool"] | None = None, workers: int = 1,
    progress: Progress = None, on_error: OnErrorPaired = "raise", pair_by: PairBy = "position",
    unpaired: Unpaired = "raise", mapping: bool = False, bootstrap: int | None = None, confidence: float = 0.95,
    bootstrap_method: IntervalMethod = "bca", bootstrap_seed: int = 0, **options: Unpack[RematchOptions],
) -> CorpusScore: ...
@overload
def score(
    pred: Graphs, gold: Graphs, *, metric: Literal["s2match"], preset: Literal["tool"] | None = None, workers: int = 1,
    progress: Progress = None, on_error: OnErrorPaired = "raise", pair_by: PairBy = "position",
    unpaired: Unpaired = "raise", mapping: bool = False, bootstrap: int | None = None, confidence: float = 0.95,
    bootstrap_method: IntervalMethod = "bca", bootstrap_seed: int = 0, **options: Unpack[S2matchOptions],
) -> CorpusScore: ...
@overload
def score(
    pred: Graphs, gold: Graphs, *, metric: Literal["sema"], preset: Literal["tool", "bamboo"] | None = None,
    workers: int = 1, progress: Progress = None, on_error: OnErrorPaired = "raise", pair_by: PairBy = "position",
    unpaired: Unpaired = "raise", mapping: bool = False, bootstrap: int | None = None, confidence: float = 0.95,
    bootstrap_method: IntervalMethod = "bca", bootstrap_seed: int = 0, **options: Unpack[SemaOptions],
) -> CorpusScore: ...
@overload
def score(
    pred: Graphs, gold: Graphs, *, metric: Literal["sembleu"], preset: Literal["tool", "bamboo"] | None = None,
    workers: int = 1, progress: Progress = None, on_error: OnErrorPaired = "raise", pair_by: PairBy = "position",
    unpaired: Unpaired = "raise", mapping: bool = False, bootstrap: int | None = None, confidence: float = 0.95,
    bootstrap_method: IntervalMethod = "bca", bootstrap_seed: int = 0, **options: Unpack[SembleuOptions],
) -> CorpusScore: ...
@overload
def score(
    pred: Graphs, gold: Graphs, *, metric: Literal["smatch"] = "smatch",
    preset: Literal["smatch", "smatch++", "smatch++/reify", "generic", "none", "pmb5", "sbn-evaluation",
        "sbn-evaluation/lenient", "ud-boxer", "ud-boxer/no-sense", "ud-boxer/lenient", "mrp", "mrp/tool"] | None = None,
    workers: int = 1, progress: Progress = None, on_error: OnErrorPaired = "raise", pair_by: PairBy = "position",
    unpaired: Unpaired = "raise", mapping: bool = False, bootstrap: int | None = None, confidence: float = 0.95,
    bootstrap_method: IntervalMethod = "bca", bootstrap_seed: int = 0, **options: Unpack[SmatchOptions],
) -> CorpusScore: ...
@overload
def score(
    pred: Graphs, gold: Graphs, *, metric: Literal["smatch++"],
    preset: Literal["tool", "reify", "generic", "none"] | None = None, workers: int = 1, progress: Progress = None,
    on_error: OnErrorPaired = "raise", pair_by: PairBy = "position", unpaired: Unpaired = "raise",
    mapping: bool = False, bootstrap: int | None = None, confidence: float = 0.95,
    bootstrap_method: IntervalMethod = "bca", bootstrap_seed: int = 0, **options: Unpack[SmatchPlusPlusOptions],
) -> CorpusScore: ...
@overload
def score(
    pred: Graphs, gold: Graphs, *, metric: Literal["softmatch"], preset: None = None, workers: int = 1,
    progress: Progress = None, on_error: OnErrorPaired = "raise", pair_by: PairBy = "position",
    unpaired: Unpaired = "raise", mapping: bool = False, bootstrap: int | None = None, confidence: float = 0.95,
    bootstrap_method: IntervalMethod = "bca", bootstrap_seed: int = 0, **options: Unpack[SoftmatchOptions],
) -> CorpusScore: ...
@overload
def score(
    pred: Graphs, gold: Graphs, *, metric: Literal["softoverlap"],
    preset: Literal["untrained", "bamboo", "people"] | None = None, workers: int = 1, progress: Progress = None,
    on_error: OnErrorPaired = "raise", pair_by: PairBy = "position", unpaired: Unpaired = "raise",
    mapping: bool = False, bootstrap: int | None = None, confidence: float = 0.95,
    bootstrap_method: IntervalMethod = "bca", bootstrap_seed: int = 0, **options: Unpack[SoftOverlapOptions],
) -> CorpusScore: ...
@overload
def score(
    pred: Graphs, gold: Graphs, *, metric: Literal["wlk"], preset: Literal["tool"] | None = None, workers: int = 1,
    progress: Progress = None, on_error: OnErrorPaired = "raise", pair_by: PairBy = "position",
    unpaired: Unpaired = "raise", mapping: bool = False, bootstrap: int | None = None, confidence: float = 0.95,
    bootstrap_method: IntervalMethod = "bca", bootstrap_seed: int = 0, **options: Unpack[WlkOptions],
) -> CorpusScore: ...
@overload
def score(
    pred: Graphs, gold: Graphs, *, metric: Literal["wsmatch"], preset: Literal["core", "tool"] | None = None,
    workers: int = 1, progress: Progress = None, on_error: OnErrorPaired = "raise", pair_by: PairBy = "position",
    unpaired: Unpaired = "raise", mapping: bool = False, bootstrap: int | None = None, confidence: float = 0.95,
    bootstrap_method: IntervalMethod = "bca", bootstrap_seed: int = 0, **options: Unpack[WSmatchOptions],
) -> CorpusScore: ...
@overload
def score(
    pred: Graphs, gold: Graphs, *, metric: Literal["wwlk"], preset: Literal["tool"] | None = None, workers: int = 1,
    progress: Progress = None, on_error: OnErrorPaired = "raise", pair_by: PairBy = "position",
    unpaired: Unpaired = "raise", mapping: bool = False, bootstrap: int | None = None, confidence: float = 0.95,
    bootstrap_method: IntervalMethod = "bca", bootstrap_seed: int = 0, **options: Unpack[WwlkOptions],
) -> CorpusScore: ...
@overload
def score(
    pred: Graphs, gold: Graphs, *, metric: MetricName | str | Metric, preset: str | None = None, workers: int = 1,
    progress: Progress = None, on_error: OnErrorPaired = "raise", pair_by: PairBy = "position",
    unpaired: Unpaired = "raise", mapping: bool = False, bootstrap: int | None = None, confidence: float = 0.95,
    bootstrap_method: IntervalMethod = "bca", bootstrap_seed: int = 0, **options: Any,
) -> CorpusScore: ...
@overload
def top_k(
    queries: Graphs, corpus: Graphs | None = None, k: int = 10, *, metric: Literal["align-smatch"],
    preset: Literal["tool", "smatch"] | None = None, workers: int = 1, score_cutoff: float | None = None,
    out: Path | None = None, resume: bool = False, progress: Progress = None, on_error: OnErrorPaired = "raise",
    **options: Unpack[AlignSmatchOptions],
) -> TopK: ...
@overload
def top_k(
    queries: Graphs, corpus: Graphs | None = None, k: int = 10, *, metric: Literal["ancast"],
    preset: Literal["tool"] | None = None, workers: int = 1, score_cutoff: float | None = None, out: Path | None = None,
    resume: bool = False, progress: Progress = None, on_error: OnErrorPaired = "raise",
    **options: Unpack[AnCastOptions],
) -> TopK: ...
@overload
def top_k(
    queries: Graphs, corpus: Graphs | None = None, k: int = 10, *, metric: Literal["docsmatch"],
    preset: Literal["tool"] | None = None, workers: int = 1, score_cutoff: float | None = None, out: Path | None = None,
    resume: bool = False, progress: Progress = None, on_error: OnErrorPaired = "raise",
    **options: Unpack[DocSmatchOptions],
) -> TopK: ...
@overload
def top_k(
    queries: Graphs, corpus: Graphs | None = None, k: int = 10, *, metric: Literal["rematch"],
    preset: Literal["tool"] | None = None, workers: int = 1, score_cutoff: float | None = None, out: Path | None = None,
    resume: bool = False, progress: Progress = None, on_error: OnErrorPaired = "raise",
    **options: Unpack[RematchOptions],
) -> TopK: ...
@overload
def top_k(
    queries: Graphs, corpus: Graphs | None = None, k: int = 10, *, metric: Literal["s2match"],
    preset: Literal["tool"] | None = None, workers: int = 1, score_cutoff: float | None = None, out: Path | None = None,
    resume: bool = False, progress: Progress = None, on_error: OnErrorPaired = "raise",
    **options: Unpack[S2matchOptions],
) -> TopK: ...
@overload
def top_k(
    queries: Graphs, corpus: Graphs | None = None, k: int = 10, *, metric: Literal["sema"],
    preset: Literal["tool", "bamboo"] | None = None, workers: int = 1, score_cutoff: float | None = None,
    out: Path | None = None, resume: bool = False, progress: Progress = None, on_error: OnErrorPaired = "raise",
    **options: Unpack[SemaOptions],
) -> TopK: ...
@overload
def top_k(
    queries: Graphs, corpus: Graphs | None = None, k: int = 10, *, metric: Literal["smatch"] = "smatch",
    preset: Literal["smatch", "smatch++", "smatch++/reify", "generic", "none", "pmb5", "sbn-evaluation",
        "sbn-evaluation/lenient", "ud-boxer", "ud-boxer/no-sense", "ud-boxer/lenient", "mrp", "mrp/tool"] | None = None,
    workers: int = 1, score_cutoff: float | None = None, out: Path | None = None, resume: bool = False,
    progress: Progress = None, on_error: OnErrorPaired = "raise", **options: Unpack[SmatchOptions],
) -> TopK: ...
@overload
def top_k(
    queries: Graphs, corpus: Graphs | None = None, k: int = 10, *, metric: Literal["smatch++"],
    preset: Literal["tool", "reify", "generic", "none"] | None = None, workers: int = 1,
    score_cutoff: float | None = None, out: Path | None = None, resume: bool = False, progress: Progress = None,
    on_error: OnErrorPaired = "raise", **options: Unpack[SmatchPlusPlusOptions],
) -> TopK: ...
@overload
def top_k(
    queries: Graphs, corpus: Graphs | None = None, k: int = 10, *, metric: Literal["softmatch"], preset: None = None,
    workers: int = 1, score_cutoff: float | None = None, out: Path | None = None, resume: bool = False,
    progress: Progress = None, on_error: OnErrorPaired = "raise", **options: Unpack[SoftmatchOptions],
) -> TopK: ...
@overload
def top_k(
    queries: Graphs, corpus: Graphs | None = None, k: int = 10, *, metric: Literal["softoverlap"],
    preset: Literal["untrained", "bamboo", "people"] | None = None, workers: int = 1, score_cutoff: float | None = None,
    out: Path | None = None, resume: bool = False, progress: Progress = None, on_error: OnErrorPaired = "raise",
    **options: Unpack[SoftOverlapOptions],
) -> TopK: ...
@overload
def top_k(
    queries: Graphs, corpus: Graphs | None = None, k: int = 10, *, metric: Literal["wsmatch"],
    preset: Literal["core", "tool"] | None = None, workers: int = 1, score_cutoff: float | None = None,
    out: Path | None = None, resume: bool = False, progress: Progress = None, on_error: OnErrorPaired = "raise",
    **options: Unpack[WSmatchOptions],
) -> TopK: ...
@overload
def top_k(
    queries: Graphs, corpus: Graphs | None = None, k: int = 10, *, metric: MetricName | str | Metric = "smatch",
    preset: str | None = None, workers: int = 1, score_cutoff: float | None = None, out: Path | None = None,
    resume: bool = False, progress: Progress = None, on_error: OnErrorPaired = "raise", **options: Any,
) -> TopK: ...
