"""Graphs in scikit-learn's pipelines: features, kernels, neighbours. Needs scikit-learn (``fastmatch[sklearn]``).

``fit`` and ``transform`` take graphs (a corpus, a list of texts or of graphs, an array or a series of texts) and give
what scikit-learn's own estimators take further::

    GraphFeatures     a sparse matrix of features            LogisticRegression, TruncatedSVD, KMeans, …
    GraphKernel       scores with the graphs of ``fit``      SVC(kernel="precomputed"), KernelPCA, …; as distances
                                                             AgglomerativeClustering(metric="precomputed"), …
    GraphNeighbors    a sparse matrix of distances           KNeighborsClassifier(metric="precomputed"), DBSCAN, …

Where all graphs are known beforehand, :func:`fastmatch.features`, :func:`fastmatch.cdist` and :func:`fastmatch.top_k`
do the same without scikit-learn. ``options`` are those of the metric; ``n_jobs`` is what they call ``workers``.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Self

import numpy as np

from fastmatch.allpairs.feature_matrix import feature_matrix
from fastmatch.allpairs.matrix import cdist
from fastmatch.allpairs.neighbours import TopK, top_k
from fastmatch.allpairs.setting import positive
from fastmatch.allpairs.sparse import sparse_rows
from fastmatch.errors import OptionError
from fastmatch.graphs.arrays import starts_of
from fastmatch.graphs.corpus import Corpus
from fastmatch.graphs.forms import corpus_of
from fastmatch.graphs.vocabulary import Vocabulary
from fastmatch.metrics.base import Metric
from fastmatch.metrics.choosing import agreed_signature, chosen_metric
from fastmatch.types import FloatArray, MetricName

try:
    from sklearn.base import BaseEstimator, TransformerMixin
    from sklearn.utils.validation import check_is_fitted
except ImportError as error:
    raise ImportError("fastmatch.sklearn needs scikit-learn: pip install 'fastmatch[sklearn]'") from error

if TYPE_CHECKING:
    import scipy.sparse

    from fastmatch.metrics.feature_lists import FeatureLists


class _GraphTransformer(TransformerMixin, BaseEstimator):  # type: ignore[misc]
    """What the three have in common: which metric, and how graphs are read."""

    metric: MetricName | str | Metric
    preset: str | None
    options: dict[str, Any] | None
    n_jobs: int | None

    def _metric(self) -> Metric:
        return chosen_metric(self.metric, self.preset, self.options or {})

    @property
    def _workers(self) -> int:
        return 1 if self.n_jobs is None else self.n_jobs

    def _corpus(self, graphs: Any, vocabulary: Vocabulary | None = None) -> Corpus:
        """Graphs as a corpus, over this vocabulary if one is given."""
        # arrays and data frames' columns, of texts
        graphs = graphs.tolist() if hasattr(graphs, "tolist") else graphs
        metric = self._metric()
        corpus = corpus_of("X", graphs, vocabulary, metric.dialect, "raise")
        agreed_signature(metric, corpus, corpus)
        return corpus

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.two_d_array = False
        tags.input_tags.string = True
        return tags


class GraphFeatures(_GraphTransformer):
    """What a metric sees of each graph, as rows of a sparse matrix; see :func:`fastmatch.features`.

    Parameters
    ----------
    metric, preset, options
        A metric whose scores are made of features, by its name and ``options`` (a dict), or as it was made.
    dtype : dtype
        Of the values.

    Attributes
    ----------
    keys_ : list of int64 arrays
        The features that have a column, those of the graphs of ``fit``: a list for each kind that the metric has.
    vocabulary_ : Vocabulary
        The strings they are made of.
    """

    def __init__(
        self,
        metric: MetricName | str | Metric = "rematch",
        *,
        preset: str | None = None,
        options: dict[str, Any] | None = None,
        dtype: Any = np.float64,
    ) -> None:
        self.metric, self.preset, self.options, self.dtype = metric, preset, options, dtype

    def fit(self, X: Any, y: Any = None) -> Self:  # noqa: N803 - the names of scikit-learn
        """Learn which features there are.

        Raises
        ------
        OptionError
            If the metric's scores are not made of features, and what :func:`fastmatch.features` raises.
        """
        self.fit_transform(X)
        return self

    def fit_transform(self, X: Any, y: Any = None) -> scipy.sparse.csr_array:  # noqa: N803
        """The same, and the matrix of these graphs."""
        corpus = self._corpus(X)
        lists = self._lists(corpus)
        self.vocabulary_ = corpus.vocabulary
        self.keys_ = [np.unique(each.keys) for each in lists]
        return feature_matrix(lists, self.keys_, np.dtype(self.dtype))

    def transform(self, X: Any) -> scipy.sparse.csr_array:  # noqa: N803
        """Features of these graphs, csr_array of shape (len(X), n_features); unknown ones are left out."""
        check_is_fitted(self)
        # a table of exact keys belongs to one vocabulary; otherwise what was fitted stays as it is
        exact = getattr(self._metric(), "keys", None) == "exact"
        lists = self._lists(self._corpus(X, self.vocabulary_ if exact else self.vocabulary_.copy()))
        return feature_matrix(lists, self.keys_, np.dtype(self.dtype))

    def _lists(self, corpus: Corpus) -> tuple[FeatureLists, ...]:
        metric = self._metric()
        lists = metric.overlaps(metric.prepare(corpus))
        if not lists:
            raise OptionError(f"GraphFeatures: scores of metric {metric.name!r} are not made of features")
        return lists


class GraphKernel(_GraphTransformer):
    """Scores with the graphs of ``fit``, as a dense matrix: a kernel, or distances; see :func:`fastmatch.cdist`.

    Parameters
    ----------
    metric, preset, options
        Any metric. WLK, and Rematch as a Jaccard index, are positive semi-definite; alignments are not in general.
    distance : bool
        1 − score, at least 0, instead of the score.
    n_jobs : int, optional
        Threads, −1 for all CPUs.

    Attributes
    ----------
    corpus_ : Corpus
        The graphs of ``fit``.
    """

    def __init__(
        self,
        metric: MetricName | str | Metric = "rematch",
        *,
        preset: str | None = None,
        options: dict[str, Any] | None = None,
        distance: bool = False,
        n_jobs: int | None = None,
    ) -> None:
        self.metric, self.preset, self.options = metric, preset, options
        self.distance, self.n_jobs = distance, n_jobs

    def fit(self, X: Any, y: Any = None) -> Self:  # noqa: N803
        """Keep these graphs."""
        self.corpus_ = self._corpus(X)
        return self

    def fit_transform(self, X: Any, y: Any = None) -> FloatArray:  # noqa: N803
        """Keep these graphs and compare each with each, float64[len(X), len(X)]."""
        self.fit(X)
        return self._scores(self.corpus_, None)

    def transform(self, X: Any) -> FloatArray:  # noqa: N803
        """Compare each of these graphs with each one of ``fit``, ``float64[len(X), len(corpus_)]``."""
        check_is_fitted(self)
        return self._scores(self._corpus(X), self.corpus_)

    def _scores(self, rows: Corpus, columns: Corpus | None) -> FloatArray:
        scores: FloatArray = cdist(rows, columns, metric=self._metric(), workers=self._workers, dtype=np.float64)
        return np.maximum(1 - scores, 0) if self.distance else scores


class GraphNeighbors(_GraphTransformer):
    """Distances to the nearest graphs of ``fit``, as a sparse matrix; see :func:`fastmatch.top_k`.

    What scikit-learn's ``KNeighborsTransformer`` is for vectors: its results are what estimators with
    ``metric="precomputed"`` take. An entry is 1 − score, at least 0, and stored also where it is 0; what is absent is
    farther away. One neighbour more than asked for is looked up, as each graph of ``fit`` is its own.

    Parameters
    ----------
    n_neighbors : int or None
        None: all that reach ``score_cutoff``, as ``RadiusNeighborsTransformer`` has it.
    metric, preset, options
        Any metric.
    score_cutoff : float, optional
        Inclusive: graphs that score lower are no neighbours.
    n_jobs : int, optional
        Threads, −1 for all CPUs.

    Attributes
    ----------
    corpus_ : Corpus
        The graphs of ``fit``.
    """

    def __init__(
        self,
        n_neighbors: int | None = 5,
        metric: MetricName | str | Metric = "rematch",
        *,
        preset: str | None = None,
        options: dict[str, Any] | None = None,
        score_cutoff: float | None = None,
        n_jobs: int | None = None,
    ) -> None:
        self.n_neighbors, self.metric, self.preset, self.options = n_neighbors, metric, preset, options
        self.score_cutoff, self.n_jobs = score_cutoff, n_jobs

    def fit(self, X: Any, y: Any = None) -> Self:  # noqa: N803
        """Keep these graphs.

        Raises
        ------
        OptionError
            If neither ``n_neighbors`` nor ``score_cutoff`` is given.
        """
        if self.n_neighbors is None and not self.score_cutoff:
            raise OptionError("GraphNeighbors: give n_neighbors, or a score_cutoff above 0")
        self.corpus_ = self._corpus(X)
        return self

    def fit_transform(self, X: Any, y: Any = None) -> scipy.sparse.csr_array:  # noqa: N803
        """Keep these graphs and find the neighbours of each, which begin with itself: (len(X), len(X))."""
        self.fit(X)
        if self.n_neighbors is None:
            return self._within(self.corpus_, None)
        found = top_k(self.corpus_, None, positive("k", self.n_neighbors), **self._given)
        own = np.arange(len(found), dtype=np.int32)[:, None]
        indices, scores = np.hstack([own, found.indices]), np.hstack([np.ones((len(own), 1)), found.scores])
        return TopK(indices, scores, found.signature, found.query_ids, found.ids).to_csr("distance")

    def transform(self, X: Any) -> scipy.sparse.csr_array:  # noqa: N803
        """Find the neighbours of these graphs among those of ``fit``: ``(len(X), len(corpus_))``."""
        check_is_fitted(self)
        corpus = self._corpus(X)
        if self.n_neighbors is None:
            return self._within(corpus, self.corpus_)
        return top_k(corpus, self.corpus_, positive("k", self.n_neighbors) + 1, **self._given).to_csr("distance")

    @property
    def _given(self) -> dict[str, Any]:
        return {"metric": self._metric(), "score_cutoff": self.score_cutoff, "workers": self._workers}

    def _within(self, rows: Corpus, columns: Corpus | None) -> scipy.sparse.csr_array:
        """All that reach the cutoff, the nearest first."""
        found = cdist(rows, columns, sparse=True, dtype=np.float64, **self._given).tocoo()
        i, j, distances = found.row, found.col, np.maximum(1 - found.data, 0)
        if columns is None:  # each is its own neighbour, also where it scores 0 with itself, being empty
            own, others = np.arange(len(rows)), i != j
            i, j = np.concatenate([i[others], own]), np.concatenate([j[others], own])
            distances = np.concatenate([distances[others], np.zeros(len(own))])
        order = np.lexsort((j, distances, i))
        offsets = starts_of(np.bincount(i, minlength=len(rows)))
        return sparse_rows(distances[order], j[order], offsets, found.shape)
