"""cdist, cutoffs, sparse results and top_k against scores of single pairs, where tiles and blocks have borders.

``tests/unit/allpairs`` does the same with a few graphs; here are so many that features are common and rare, that sums
need a byte, two or more, and that most graphs are never looked at.
"""

import numpy as np
import pytest

import fastmatch as fm
from fastmatch.graphs.dialects import DIALECTS
from fastmatch.metrics import available, make
from fastmatch.metrics.registry import from_text

from support.every_pair import check_every_pair
from support.nightly import NIGHT, by_day
from support.places import GOLD
from twins.everything import best

SAMPLE = GOLD.read_text(encoding="utf-8")
#: A graph with one label three hundred times: its products need more than a byte.
LONG = "(a / and " + " ".join(f":op{i} (x{i} / thing)" for i in range(1, 301)) + ")"
#: As LONG, but so often that squares need more than two bytes.
LONGER = "(a / and " + " ".join(f":op{i} (x{i} / thing)" for i in range(1, 501)) + ")"

BY_FEATURES = [
    *(f"rematch{more}" for more in ("", "/tool", ",labels=yes,relations=no")),
    *(f"wlk{more}" for more in ("", "/tool", ",k=0", ",weighting=linear", ",kernel=minmax", ",kernel=dot")),
    "wlk,kernel=minmax,weighting=linear",
    "wlk,counting=set,edges=yes",
    *(f"sembleu{more}" for more in ("", "/tool", "/bamboo", ",k=1,smoothing=none", ",k=5,brevity=no")),
    *(f"sembleu,direction={way}" for way in ("gold-pred", "mean,smoothing=none")),
]

#: By night every metric, by day the first of these; those that align take minutes.
OFTEN = ("rematch", "sembleu", "wlk")
THOUSANDS = [name for name in available() if DIALECTS[make(name).dialect].penman] if NIGHT else OFTEN[:1]


def many(size: int, dialect: str, more: tuple[str, ...] = (), seed: int = 0) -> fm.Corpus:
    """So many graphs: those of the sample with a fifth of their concepts exchanged, an empty one and ``more``, and a
    tenth of them once more.
    """
    sample = fm.parse(SAMPLE, dialect=dialect)
    others = fm.parse([*more, "("], dialect=dialect, on_error="empty", vocabulary=sample.vocabulary)
    rng = np.random.default_rng(seed)
    chosen = sample[rng.integers(0, len(sample), size)]
    instances = chosen.instances.copy()
    changed = rng.random(instances.shape[1]) < 0.2
    instances[1, changed] = rng.choice(sample.instances[1], int(changed.sum()))
    corpus = chosen.with_columns(instances=instances) + others
    return corpus[np.concatenate([rng.permutation(len(corpus)), rng.integers(0, len(corpus), size // 10)])]


@pytest.fixture
def small_tiles(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("fastmatch.allpairs.tiles.SUMMED", 77)
    monkeypatch.setattr("fastmatch.allpairs.tiles.TOGETHER", 3)
    monkeypatch.setattr("fastmatch.allpairs.tiles.STRETCH", 300)
    monkeypatch.setattr("fastmatch.allpairs.tiles.CANDIDATES", 300)
    monkeypatch.setattr("fastmatch.runtime.threads.INLINE", 1e-9)


@pytest.mark.usefixtures("small_tiles")
@pytest.mark.parametrize("text", by_day(BY_FEATURES, 3))
def test_metrics_of_features(text: str) -> None:
    metric = from_text(text)
    gold = many(250, metric.dialect, (LONG, LONGER))
    rng = np.random.default_rng(1)
    check_every_pair(
        gold[rng.permutation(len(gold))[:30]] + many(5, metric.dialect, (LONGER, LONG)),
        gold,
        metric,
        3,
        (1, 7),
        few=True,
    )
    check_every_pair(gold[:150], None, metric, 1, (4,), few=True)


@pytest.mark.slow
@pytest.mark.parametrize("name", THOUSANDS)
def test_thousands_of_graphs(name: str) -> None:
    """Tiles and chunks as they are: some rows of 30,000 graphs (10,000 by day), as predictions and among them."""
    metric = make(name)
    gold = many(30_000 if NIGHT else 10_000, metric.dialect, (LONG, LONGER))
    rows = np.arange(0, len(gold), 1500 if name in OFTEN else 12_000)
    check_every_pair(gold[rows], gold, metric, 2, (1, 7), few=True)
    if name in OFTEN:
        near = fm.top_k(gold, k=5, metric=metric, workers=2)
        pairs = np.stack([np.repeat(rows, len(gold)), np.tile(np.arange(len(gold)), len(rows))], axis=1)
        scores = fm.cpdist(gold, None, pairs, metric=metric).reshape(len(rows), len(gold))
        scores[np.arange(len(rows)), rows] = -1
        places = best(scores, 5)
        assert near.indices[rows].tolist() == places
        assert (near.scores[rows] == np.take_along_axis(scores, np.array(places), axis=1)).all()
