"""Feature matrices, and matrices of scores as kernels and distances, in scikit-learn's hands."""

import pickle
from importlib.util import find_spec
from itertools import pairwise

import numpy as np
import pytest

import fastmatch as fm
from fastmatch.metrics import available, make

from support import toy_metric  # noqa: F401 - registers itself
from support.refusal import fails

#: Three subjects, said in several ways.
SUBJECTS = {
    "cat": "(s / sleep-01 :ARG0 (c / cat{}) :location (s2 / sofa){})",
    "train": "(a / arrive-01 :ARG1 (t / train{}) :ARG4 (s / station){})",
    "guitar": "(p / play-11 :ARG0 (m / man{}) :ARG2 (g / guitar){})",
}
MORE = [(one, two) for one in ("", " :mod (o / old)") for two in ("", " :time (n / now)")]
TEXTS = [text.format(*more) for text in SUBJECTS.values() for more in MORE]
LABELS = [subject for subject in SUBJECTS for _ in MORE]


needs_sklearn = pytest.mark.skipif(
    find_spec("sklearn") is None, reason="scikit-learn is not installed: pip install 'fastmatch[sklearn]'"
)


def groups(labels) -> list[set[int]]:
    """Clusters as sets of places, in the order of their first member."""
    return [set(np.flatnonzero(np.asarray(labels) == label)) for label in dict.fromkeys(np.asarray(labels).tolist())]


# ---------------------------------------------------------------- features


@pytest.mark.parametrize("name", available())
def test_features_hold_what_scores_are_made_of(name):
    metric = make(name)
    corpus = fm.parse(TEXTS, dialect=metric.dialect)
    lists = metric.overlaps(metric.prepare(corpus))
    if not lists:
        fails(fm.OptionError, "are not made of features", fm.features, corpus, metric=metric)
        return
    matrix = fm.features(corpus, metric=metric)
    assert matrix.shape[0] == len(TEXTS) and matrix.nnz == sum(len(each.keys) for each in lists)
    assert matrix.sum() == sum(each.values.sum() for each in lists)
    both = fm.features(corpus[:5], corpus[5:], metric=metric)
    assert both[0].shape[1] == both[1].shape[1] == matrix.shape[1]
    assert np.vstack([part.toarray() for part in both]).tolist() == matrix.toarray().tolist()


def test_intersections_from_features():
    matrix = fm.features(TEXTS, metric="rematch")
    assert set(matrix.data.tolist()) == {1.0}
    assert matrix.indices.dtype == matrix.indptr.dtype == np.int32  # much of scikit-learn takes nothing wider
    shared = (matrix @ matrix.T).toarray()
    sizes = shared.diagonal()
    jaccard = shared / (sizes[:, None] + sizes - shared)
    assert jaccard.tolist() == fm.cdist(TEXTS, metric="rematch", dtype=float).tolist()


def test_features_without_graphs():
    assert fm.features([], metric="rematch").shape == (0, 0)
    assert fm.features([], TEXTS, metric="toy")[0].shape[1] == fm.features(TEXTS, metric="toy").shape[1]
    assert fm.features(TEXTS, metric="toy", dtype=np.float32).dtype == np.float32


# ---------------------------------------------------------------- estimators


@needs_sklearn
@pytest.mark.parametrize("name", available())
def test_features_learnt_and_applied(name):
    """Columns are those of the graphs of ``fit``, and mean the same however often and in whatever process."""
    from fastmatch.sklearn import GraphFeatures

    metric = make(name)
    made = GraphFeatures(metric)
    if not metric.overlaps(metric.prepare(fm.parse(TEXTS, dialect=metric.dialect))):
        fails(fm.OptionError, "are not made of features", made.fit, TEXTS)
        return
    train, test = TEXTS[::2], TEXTS[1::2]
    learnt = made.fit_transform(train)
    wanted, both = fm.features(train, test, metric=metric)
    assert learnt.shape == fm.features(train, metric=metric).shape
    kernel = (wanted @ both.T).toarray()
    for again in (made, pickle.loads(pickle.dumps(made))):
        again.transform(["(x / CAT :mod (n / new-word) :ARG0 (c2 / Cat))"])
        assert (again.transform(train) != learnt).nnz == 0
        for graphs in (test, fm.parse(test, dialect=metric.dialect), np.array(test, dtype=object)):
            assert (learnt @ again.transform(graphs).T).toarray().tolist() == kernel.tolist()


@needs_sklearn
def test_a_kernel_in_a_pipeline():
    from sklearn.decomposition import KernelPCA
    from sklearn.model_selection import GridSearchCV, cross_val_score
    from sklearn.pipeline import make_pipeline
    from sklearn.svm import SVC

    from fastmatch.sklearn import GraphFeatures, GraphKernel

    order = [k + 4 * subject for k in range(4) for subject in range(3)]
    texts, labels = [TEXTS[k] for k in order], [LABELS[k] for k in order]
    line = make_pipeline(GraphKernel("wlk", options={"k": 1}), SVC(kernel="precomputed"))
    assert line.fit(texts[:6], labels[:6]).predict(texts[6:]).tolist() == labels[6:]
    assert cross_val_score(line, fm.parse(texts), labels, cv=2).tolist() == [1, 1]
    choice = GridSearchCV(line, {"graphkernel__options": [{"k": 0}, {"k": 2}], "graphkernel__metric": ["wlk"]}, cv=2)
    assert choice.fit(texts, labels).best_score_ == 1
    line = make_pipeline(GraphFeatures("wlk"), SVC(kernel="linear"))
    assert cross_val_score(line, texts, labels, cv=2).tolist() == [1, 1]
    kernel = GraphKernel("rematch").fit(texts)
    assert kernel.transform(texts).tolist() == fm.cdist(texts, metric="rematch", dtype=float).tolist()
    points = make_pipeline(kernel, KernelPCA(2, kernel="precomputed")).fit_transform(texts)
    assert points.shape == (12, 2)
    assert np.linalg.norm(points[0] - points[3]) < np.linalg.norm(points[0] - points[1])  # cat, cat, train


@needs_sklearn
def test_distances_in_a_pipeline():
    from sklearn import cluster
    from sklearn.pipeline import make_pipeline

    from fastmatch.sklearn import GraphKernel

    last = cluster.AgglomerativeClustering(n_clusters=3, metric="precomputed", linkage="average")
    found = make_pipeline(GraphKernel("smatch", distance=True, n_jobs=2), last).fit_predict(TEXTS)
    assert groups(found) == groups(LABELS)


@needs_sklearn
@pytest.mark.parametrize("metric", ["rematch", "smatch", "toy"])
def test_neighbours_as_a_graph(metric):
    """As scikit-learn's own transformers make them of dense distances."""
    from sklearn.neighbors import KNeighborsTransformer, RadiusNeighborsTransformer

    from fastmatch.sklearn import GraphNeighbors

    train, test = TEXTS[::2], TEXTS[1::2]
    distances = [1 - fm.cdist(graphs, train, metric=metric, dtype=float) for graphs in (train, test)]

    def both(mine, theirs):
        yield mine.fit_transform(train), theirs.fit_transform(distances[0])
        yield mine.transform(test), theirs.transform(distances[1])

    mine = GraphNeighbors(2, metric)
    for ours, wanted in both(mine, KNeighborsTransformer(n_neighbors=2, metric="precomputed")):
        assert np.diff(ours.indptr).tolist() == [3] * 6
        assert np.allclose(ours.data, wanted.data, rtol=0, atol=1e-15)  # which of equally near ones is not defined
    assert mine.fit_transform(train).indices.reshape(6, 3)[:, 0].tolist() == list(range(6))
    mine = GraphNeighbors(None, metric, score_cutoff=0.25)
    for ours, wanted in both(mine, RadiusNeighborsTransformer(radius=0.75, metric="precomputed")):
        assert ours.toarray().tolist() == wanted.toarray().tolist() and ours.nnz == wanted.nnz
        assert all((np.diff(ours.data[a:b]) >= 0).all() for a, b in pairwise(ours.indptr))


@needs_sklearn
@pytest.mark.filterwarnings("ignore:Graph is not fully connected")
def test_neighbours_that_cluster():
    from sklearn import cluster
    from sklearn.neighbors import KNeighborsClassifier
    from sklearn.pipeline import make_pipeline

    from fastmatch.sklearn import GraphNeighbors

    texts = [*TEXTS, "(w / whole :ARG0 (o / other) :ARG1 (t / thing))"]  # in no group
    for made, eps in (
        (GraphNeighbors(5), 0.8),
        (GraphNeighbors(None, score_cutoff=0.2), 0.8),
        (GraphNeighbors(3, "smatch"), 0.4),
    ):
        found = cluster.DBSCAN(eps=eps, min_samples=3, metric="precomputed").fit_predict(made.fit_transform(texts))
        assert groups(found[:-1]) == groups(LABELS) and found[-1] == -1
    line = make_pipeline(GraphNeighbors(1), KNeighborsClassifier(1, metric="precomputed"))
    assert line.fit(TEXTS[::2], LABELS[::2]).predict(TEXTS[1::2]).tolist() == LABELS[1::2]
    spectral = cluster.SpectralClustering(
        3, affinity="precomputed_nearest_neighbors", n_neighbors=4, random_state=0, assign_labels="cluster_qr"
    )
    assert groups(spectral.fit_predict(GraphNeighbors(3).fit_transform(TEXTS))) == groups(LABELS)
    empty = GraphNeighbors(None, "smatch", score_cutoff=0.5).fit_transform(fm.parse(["(a", TEXTS[0]], on_error="empty"))
    assert empty.nnz == 2


@needs_sklearn
def test_estimators_refuse():
    from sklearn.base import clone
    from sklearn.exceptions import NotFittedError

    from fastmatch.sklearn import GraphFeatures, GraphKernel, GraphNeighbors

    for made in (GraphFeatures(), GraphKernel(), GraphNeighbors()):
        assert clone(made).get_params() == made.get_params()
        fails(NotFittedError, None, made.transform, TEXTS)
    fails(fm.OptionError, "give n_neighbors, or a score_cutoff", GraphNeighbors(None).fit, TEXTS)
    fails(fm.OptionError, "k=0: expected a positive whole number", GraphNeighbors(0).fit_transform, TEXTS)
    fails(fm.OptionError, "metric='smach'", GraphKernel("smach").fit, TEXTS)
    fails(TypeError, "expected a Corpus, Penman text", GraphKernel().fit, np.zeros((3, 2)))


def test_top_k_as_a_sparse_matrix():
    found = fm.top_k(TEXTS[:3], TEXTS, k=4, metric="rematch", score_cutoff=0.1)
    scores = fm.cdist(TEXTS[:3], TEXTS, metric="rematch", dtype=float)
    matrix = found.to_csr()
    assert matrix.shape == (3, 12) and matrix.nnz == np.count_nonzero(found.indices >= 0)
    kept = matrix.toarray() > 0
    assert matrix.toarray()[kept].tolist() == scores[kept].tolist()
    assert found.to_csr("distance").data.tolist() == (1 - matrix.data).tolist()
    assert (found.to_csr("distance").data == 0).sum() == 3  # each finds itself, and it is stored
    assert set(found.to_csr("one").data.tolist()) == {1.0}
    fails(fm.OptionError, "values='far'", found.to_csr, "far")


def test_neighbours_of_a_corpus_as_a_symmetric_matrix(tmp_path):
    found = fm.top_k(TEXTS, k=1, metric="wlk", score_cutoff=0.05)
    scores = fm.cdist(TEXTS, metric="wlk", dtype=float)
    plain, matrix = found.to_csr(), found.to_csr(symmetric=True)
    assert (abs(plain - plain.T).toarray() > 0).any()  # not symmetric by itself
    dense = matrix.toarray()
    assert (dense == dense.T).all() and ((dense > 0) == ((plain.toarray() > 0) | (plain.toarray().T > 0))).all()
    assert dense[dense > 0] == pytest.approx(scores[dense > 0], abs=1e-12)
    assert matrix.has_sorted_indices
    one = fm.top_k(TEXTS, k=3, metric="wlk", out=tmp_path / "found.parquet").to_csr("one", symmetric=True)
    assert set(one.data.tolist()) == {1.0}
    assert fm.top_k([], k=3, metric="wlk").to_csr(symmetric=True).shape == (0, 0)
    fails(fm.OptionError, "searched in itself", fm.top_k(TEXTS[:3], TEXTS, k=2, metric="wlk").to_csr, symmetric=True)
    with pytest.raises(fm.OptionError, match="scores of sembleu depend on the direction"):
        fm.top_k(TEXTS, k=2, metric="sembleu").to_csr(symmetric=True)


# ---------------------------------------------------------------- sentences
