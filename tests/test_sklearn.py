"""Feature matrices, and matrices of scores as kernels and distances, in scikit-learn's hands."""

from __future__ import annotations

import numpy as np
import pytest

import fastmatch as fm
from fastmatch import OptionError
from fastmatch.metrics import available, make

import toy_metric  # noqa: F401 - registers itself

#: Three subjects, said in several ways.
SUBJECTS = {
    "cat": [
        "(s / sleep-01 :ARG0 (c / cat :mod (b / black)) :location (s2 / sofa))",
        "(s / sleep-01 :ARG0 (c / cat) :location (s2 / sofa))",
        "(s / sleep-01 :ARG0 (c / cat :mod (b / black)))",
        "(s / sleep-01 :ARG0 (c / cat :mod (b / black) :mod (s3 / small)) :location (s2 / sofa))",
    ],
    "train": [
        "(a / arrive-01 :ARG1 (t / train) :time (l / late) :ARG4 (s / station))",
        "(a / arrive-01 :ARG1 (t / train) :time (l / late))",
        "(a / arrive-01 :ARG1 (t / train) :ARG4 (s / station))",
        "(a / arrive-01 :polarity - :ARG1 (t / train) :ARG4 (s / station))",
    ],
    "guitar": [
        "(p / play-11 :ARG0 (m / man) :ARG2 (g / guitar))",
        "(p / play-11 :ARG0 (m / man :mod (o / old)) :ARG2 (g / guitar))",
        "(p / play-11 :ARG0 (m / man) :ARG2 (g / guitar) :location (s / street))",
        "(p / play-11 :ARG0 (m / man :mod (o / old)) :ARG2 (g / guitar) :location (s / street))",
    ],
}
TEXTS = [text for texts in SUBJECTS.values() for text in texts]
LABELS = [subject for subject, texts in SUBJECTS.items() for _ in texts]


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
        with pytest.raises(OptionError, match="are not made of features"):
            fm.features(corpus, metric=metric)
        return
    matrix = fm.features(corpus, metric=metric)
    assert matrix.shape[0] == len(TEXTS)
    assert matrix.nnz == sum(len(each.keys) for each in lists)
    assert matrix.sum() == sum(each.values.sum() for each in lists)
    both = fm.features(corpus[:5], corpus[5:], metric=metric)
    assert both[0].shape[1] == both[1].shape[1] == matrix.shape[1]
    assert np.vstack([part.toarray() for part in both]).tolist() == matrix.toarray().tolist()


def test_intersections_from_features():
    matrix = fm.features(TEXTS, metric="rematch")
    assert set(matrix.data.tolist()) == {1.0}
    shared = (matrix @ matrix.T).toarray()
    sizes = shared.diagonal()
    jaccard = shared / (sizes[:, None] + sizes - shared)
    assert jaccard.tolist() == fm.cdist(TEXTS, metric="rematch", dtype=float).tolist()


def test_features_without_graphs():
    assert fm.features([], metric="rematch").shape == (0, 0)
    assert fm.features([], TEXTS, metric="toy")[0].shape[1] == fm.features(TEXTS, metric="toy").shape[1]
    assert fm.features(TEXTS, metric="toy", dtype=np.float32).dtype == np.float32


# ---------------------------------------------------------------- scikit-learn

cluster = pytest.importorskip("sklearn.cluster", reason="scikit-learn is not installed")


@pytest.mark.parametrize("metric", ["rematch", "smatch", "toy"])
def test_precomputed_distances_and_kernels(metric):
    scores = fm.cdist(TEXTS, metric=metric, dtype=float)
    assert (scores == scores.T).all()
    distances = 1 - scores
    found = cluster.AgglomerativeClustering(n_clusters=3, metric="precomputed", linkage="average").fit(distances)
    assert groups(found.labels_) == groups(LABELS)
    found = cluster.SpectralClustering(n_clusters=3, affinity="precomputed", random_state=0).fit(scores + 0.01)
    assert groups(found.labels_) == groups(LABELS)


def test_a_kernel_machine_and_neighbours():
    from sklearn.neighbors import KNeighborsClassifier
    from sklearn.svm import SVC

    train, test = list(range(0, 12, 2)), list(range(1, 12, 2))
    corpus = fm.parse(TEXTS)
    given, wanted = [LABELS[k] for k in train], [LABELS[k] for k in test]
    kernel = fm.cdist(corpus[train], metric="rematch", dtype=float)
    machine = SVC(kernel="precomputed").fit(kernel, given)
    between = fm.cdist(corpus[test], corpus[train], metric="rematch", dtype=float)
    assert machine.predict(between).tolist() == wanted
    nearest = KNeighborsClassifier(1, metric="precomputed").fit(1 - kernel, given)
    assert nearest.predict(1 - between).tolist() == wanted
    found = fm.top_k(corpus[test], corpus[train], k=1, metric="rematch")
    assert [given[place] for place in found.indices[:, 0]] == wanted


def test_features_as_they_are():
    from sklearn.linear_model import LogisticRegression

    train, test = fm.features(TEXTS[::2], TEXTS[1::2], metric="rematch")
    assert LogisticRegression().fit(train, LABELS[::2]).predict(test).tolist() == LABELS[1::2]


def test_sentences_that_mean_the_same_cluster(data_dir):
    """STS pairs that people call equal (5 of 5): most sentences end in a cluster with their partner."""
    folder = data_dir / "data" / "bamboo" / "sts"
    source = fm.read(folder / "main" / "src.test.amr")
    target = fm.read(folder / "main" / "tgt.test.amr", vocabulary=source.vocabulary)
    ratings = np.array([float(line) for line in (folder / "test.y").read_text().split()])
    chosen = np.flatnonzero(ratings == ratings.max())[:60]
    corpus = source[chosen] + target[chosen]
    distances = 1 - fm.cdist(corpus, metric="rematch", dtype=float)
    found = cluster.AgglomerativeClustering(
        n_clusters=None, metric="precomputed", linkage="average", distance_threshold=0.9
    ).fit(distances)
    labels = found.labels_.reshape(2, len(chosen))
    assert (labels[0] == labels[1]).mean() > 0.75
    assert found.n_clusters_ > 30  # and not because there is only one
