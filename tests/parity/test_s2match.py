"""S2match's recorded numbers: totals on every row, and the optimum against what its hill-climber reached.

``reference/s2match/*.tsv`` holds what amr-metric-suite (Python 3, 2021-06) gave with its defaults: cosine, cutoff 0.5,
diffsense 0.5, one smart and four random starts. It used vectors of 341,479 words; the file that is at hand is a part of
them in which most plurals are missing, and the vector of a predicate is that of its lemma plus that of lemma + "s". So
the similarity of a predicate to anything but its own lemma is uncertain here: somewhere in [0, diffsense]. Rows where
the optimum is the same for the lowest and the highest of these (*decided* ones) must have our value and no higher one;
on all others no value may lie above the highest optimum.
"""

import numpy as np
import pytest

from fastmatch._ext.matching.partial import Links
from fastmatch._ext.matching.similarity import concepts_that_meet
from fastmatch.metrics import make
from fastmatch.metrics.base import PairRange
from fastmatch.metrics.embeddings.vectors import Embeddings
from fastmatch.metrics.run import run

from support.recorded import SETS, cells_of, corpora

pytestmark = pytest.mark.slow

VECTORS = "data/glove.6B.100d.subset.txt"
#: Of each set: how many rows are decided, and those of them where the tool's climber stopped below the optimum. There
#: the optimum is proven, and no more than the highest possible one: the tool's value is the one that is too low.
DECIDED = {"lpp-parsers": (268, []), "sts-main-test": (427, [265, 279, 1055]), "sick-main-test-1000": (438, [])}


def recorded(path) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Matched, test triples and gold triples of every row."""
    rows = cells_of(path)
    assert [int(row[0]) for row in rows] == list(range(len(rows)))
    return np.array([float(row[1]) for row in rows]), *(np.array([int(row[k]) for row in rows]) for k in (2, 3))


@pytest.fixture(scope="module")
def vectors(data_dir):
    return Embeddings.load(data_dir / VECTORS, cache=False)


def uncertain(metric, graphs, vectors: Embeddings) -> np.ndarray:
    """For each concept, whether it is a predicate with a vector whose plural is not at hand."""
    lemmas = [metric._lemma(concept) for concept in graphs.concepts]
    return np.array([bool(w) and w in vectors and w + "s" not in vectors for w in lemmas])


@pytest.mark.parametrize("name", SETS)
def test_every_row(data_dir, vectors, name):
    n = SETS[name][2]
    matched, n_pred, n_gold = recorded(data_dir / "reference" / "s2match" / f"{name}.tsv")
    metric = make("s2match", "tool", embeddings=vectors)
    a, b = map(metric.prepare, corpora(data_dir, name, "amrsuite"))
    index = np.arange(n, dtype=np.int32)
    out = run(metric, a, b, index, index)
    assert out.n_pred.tolist() == n_pred.tolist() and out.n_gold.tolist() == n_gold.tolist() and out.certified.all()

    links, weights = metric.shared(a, b, index, index)
    known = {(c, d): value for c, d, value in zip(*(part.tolist() for part in links.arrays), strict=True)}
    doubt_a, doubt_b = uncertain(metric, a, vectors), uncertain(metric, b, vectors)
    label_a, lemma_a, row_a = a.more[0].tolist()
    label_b, lemma_b, row_b = b.more[0].tolist()
    doubtful = []
    meeting: list[np.ndarray] = []
    concepts_that_meet(a.features, b.features, index, index, len(a.concepts), len(b.concepts), meeting.append)
    for c, d in np.concatenate(meeting, axis=1).T.tolist():
        one = lemma_a[c] if lemma_a[c] >= 0 else label_a[c]
        other = lemma_b[d] if lemma_b[d] >= 0 else label_b[d]
        if (doubt_a[c] or doubt_b[d]) and one != other and row_a[c] >= 0 and row_b[d] >= 0:
            doubtful.append((c, d))

    def optimum(value: float) -> np.ndarray:
        assumed = known | dict.fromkeys(doubtful, value)
        ends = np.array(list(assumed), np.int32).T
        scores = metric.empty(a, b, index, index, False)
        object.__setattr__(
            scores, "shared", (Links(links.n_a, links.n_b, ends[0], ends[1], list(assumed.values())), weights)
        )
        metric.score(a, b, PairRange.all(index, index), scores)
        return scores.matched

    lowest, highest = optimum(0.0), optimum(metric.diffsense)
    assert (lowest <= out.matched + 1e-6).all() and (out.matched <= highest + 1e-6).all()
    assert (matched <= highest + 1e-6).all(), "the tool never reaches more than the highest optimum"
    decided = highest - lowest < 1e-6
    n_decided, missed = DECIDED[name]
    assert decided.sum() == n_decided
    below = np.flatnonzero(decided & (matched < out.matched - 1e-6))
    assert (matched[decided] <= out.matched[decided] + 1e-6).all()
    assert below.tolist() == missed
    # the climber as we have it is no better than the optimum, and rarely worse
    climbed = run(make("s2match", "tool", embeddings=vectors, solver="climb"), a, b, index, index)
    assert (climbed.matched <= out.matched + 2e-6).all()
    assert (np.abs(climbed.matched - out.matched) < 1e-6).mean() > 0.95
    assert abs(climbed.matched[decided].sum() - matched[decided].sum()) < 2
