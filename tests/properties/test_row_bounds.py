"""Bounds of whole rows and of single pairs, and what they save work for: the results of brute force, to the last bit.

Every metric, every preset, and options drawn at random; arbitrary graphs, and sentences.
"""

import os
import pickle
from pathlib import Path
from random import Random

import numpy as np
import pytest

import fastmatch as fm
from fastmatch.allpairs import candidates, tiles
from fastmatch.allpairs.blocks import AllPairs
from fastmatch.metrics import Metric, get, make
from fastmatch.metrics.run import run

from support import arbitrary, exercise
from support.nightly import by_day
from twins.everything import best

DATA = Path(os.environ.get("FASTMATCH_DATA", "/nowhere")) / "data"
SEEDS = range(10)
CUTOFFS = (0.2, 0.5, 0.8, 1.0, 1.3)
SPECIAL = [
    make("smatch", "smatch"),
    make("wwlk", clip=False),
    make("wwlk", clip=False, variant="recall"),
    make("s2match", embeddings=exercise.VECTORS, cutoff=0.0),
    get("softmatch")(similarity={("cat", "dog"): 0.7, ("cat", "name"): 0.3}, weight={":mod": 3, ":instance": 0.5}),
    get("softmatch")(weight=lambda role, one, two: 1.5 if one == two else 0.25, top="concept"),
    get("softmatch")(similarity=lambda a, b: 0.5 if a[:1] == b[:1] else 0.0),
    make("softoverlap", embeddings=exercise.VECTORS, structure=0.9, smatch=0.1, means=0.4),
    make("softoverlap", smatch=0.0),
    make("ancast", "tool", similarity="nodes"),
    make("ancast", similarity="names", sense=0.9),
]


def variants(seed: int):
    yield from (metric for metric in exercise.metrics(Random(seed)) if getattr(metric, "solver", "") != "ilp")
    yield from SPECIAL


def prepared(metric: Metric, seed: int) -> tuple[object, object, int, int] | None:
    """Two arbitrary corpora of one vocabulary, with some graphs in both; None where the metric refuses them."""
    random = Random(seed)
    words = arbitrary.odd_vocabulary(random)
    if random.random() < 0.7:
        words = fm.Vocabulary(["cat", "dog", "cats", "Cat", ":mod", ":arg0", "1", "want-01", "want-02", "name", ":op1"])
    gold = arbitrary.corpus(random, vocabulary=words, n_graphs=7, most=5)
    pred = arbitrary.corpus(random, vocabulary=words, n_graphs=4, most=5)
    pred = fm.Corpus.concatenate((pred, gold))[[0, 5, 1, 2, 9, 3]]
    try:
        sides = [metric.prepare(exercise.read_as(side, metric.dialect)) for side in (pred, gold)]
    except fm.FastmatchError:
        return None
    return sides[0], sides[1], len(pred), len(gold)


def scores(metric: Metric, pred: object, gold: object, n_pred: int, n_gold: int) -> np.ndarray:
    rows, columns = np.divmod(np.arange(n_pred * n_gold, dtype=np.int32), np.int32(n_gold))
    return run(metric, pred, gold, rows, columns).score.reshape(n_pred, n_gold)


def check_bounds(metric: Metric, pred: object, gold: object, n_pred: int, n_gold: int) -> None:
    exact = scores(metric, pred, gold, n_pred, n_gold)
    found = metric.bounds(pred, gold)
    if found is not None:
        single = np.full((n_pred, n_gold), np.nan, np.float32)  # what was there before means nothing
        found.rows(0, 2, single[:2])
        found.rows(2, n_pred, single[2:])
        bounds = single.astype(np.float64)
        assert (exact <= bounds).all(), (metric, exact, bounds)
        assert (exact >= found.floor).all()
        assert (exact[bounds <= found.floor] == found.floor).all(), (metric, exact, bounds)
        for cutoff in CUTOFFS:
            i, j, _ = found.reached(1, n_pred, cutoff, triangle=False, cancel=np.zeros(1, np.uint8))
            missing = exact[1:] >= cutoff
            missing[i - 1, j] = False
            assert not missing.any(), (metric, cutoff, exact)
    assert (exact <= scores(metric.reaching(np.inf), pred, gold, n_pred, n_gold) + 1e-9).all(), metric
    each = np.resize([*CUTOFFS, np.inf], exact.size)  # a cutoff of its own for each pair
    for cutoff in (*CUTOFFS, each):
        reached = scores(metric.reaching(cutoff), pred, gold, n_pred, n_gold)
        cutoffs = np.broadcast_to(cutoff, exact.size).reshape(exact.shape)
        kept = exact >= cutoffs
        assert (reached[kept] == exact[kept]).all(), (metric, cutoff)
        assert ((exact <= reached) & (reached < cutoffs))[~kept].all(), (metric, cutoff)


def check_results(metric: Metric, pred: object, gold: object, n_pred: int, n_gold: int) -> None:
    """The best k, and what reaches a cutoff, in one block and in many, with one worker and with three."""
    for cutoff in (None, *by_day(list(CUTOFFS[1:4]), 2)):
        for one, two, rows, columns in ((pred, gold, n_pred, n_gold), (gold, gold, n_gold, n_gold)):
            exact = scores(metric, one, two, rows, columns)
            blocks = pickle.loads(pickle.dumps(AllPairs(metric, one, two, rows, columns, cutoff)))
            for k, workers in ((1, 1), (3, 3), (columns + 2, 1)):
                wanted = best(exact, k, cutoff, one is two)
                indices, values = blocks.best(0, rows, k, workers=workers, skip_self=one is two)
                for row in range(rows):
                    n = len(wanted[row])
                    assert indices[row].tolist() == wanted[row] + [-1] * (k - n), (metric, cutoff, k, exact[row])
                    assert values[row].tolist() == [*exact[row, wanted[row]], *[0.0] * (k - n)], (metric, cutoff, k)
            if cutoff is not None:
                listed = blocks.listed(0, rows, workers=2)
                i, j = np.nonzero((exact >= cutoff) & (exact != 0))
                assert (listed.rows.tolist(), listed.columns.tolist()) == (i.tolist(), j.tolist()), (metric, cutoff)
                assert listed.scores.tolist() == exact[i, j].tolist()


@pytest.mark.parametrize("seed", by_day(list(SEEDS), 3))
@pytest.mark.filterwarnings("ignore::fastmatch.errors.FastmatchWarning")
def test_no_score_exceeds_its_bound(seed: int) -> None:
    for metric in variants(seed):
        given = prepared(metric, seed)
        if given is not None:
            check_bounds(metric, *given)


@pytest.mark.slow
@pytest.mark.parametrize(("seed", "cells"), by_day([(0, 1 << 23), (0, 20), (1, 1 << 23), (1, 20)], 3))
@pytest.mark.filterwarnings("ignore::fastmatch.errors.FastmatchWarning")
def test_results_are_those_of_brute_force(seed: int, cells: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tiles, "CANDIDATES", cells)
    monkeypatch.setattr(candidates, "GROUP", 2)
    monkeypatch.setattr(candidates, "SEARCH_ROWS", 2)
    for metric in by_day(list(variants(seed + 100))[seed:], 3):
        given = None if callable(getattr(metric, "weight", None)) else prepared(metric, seed + 100)
        if given is not None:
            try:
                pickle.dumps(metric)
            except (AttributeError, pickle.PicklingError):  # a function of the test
                continue
            check_results(metric, *given)


@pytest.fixture(scope="module")
def sentences() -> list[str]:
    files = [
        DATA / "bamboo" / part / "main" / f"{side}.test.amr" for part in ("sts", "sick") for side in ("src", "tgt")
    ]
    if not all(file.is_file() for file in files):
        pytest.skip("no sentences of BAMBOO in FASTMATCH_DATA")
    return [str(file) for file in files]


@pytest.mark.slow
@pytest.mark.parametrize("seed", by_day(list(SEEDS[:2]), 2))
@pytest.mark.filterwarnings("ignore::fastmatch.errors.FastmatchWarning")
def test_sentences(sentences: list[str], seed: int) -> None:
    file = DATA / "glove.6B.100d.subset.txt"
    more = [make(name, embeddings=str(file)) for name in ("s2match", "wwlk", "softoverlap")] if file.exists() else []
    corpora: dict[str, fm.Corpus] = {}
    for metric in (*by_day(list(variants(seed)), 3), *more):
        dialect = metric.dialect
        if dialect not in ("penman", "smatch", "smatchpp", "amrsuite", "ancast", "sembleu"):
            continue
        if dialect not in corpora:
            whole = fm.read(sentences[0], dialect=dialect)[:12]
            for file in sentences[1:]:
                whole = whole + fm.read(file, dialect=dialect, vocabulary=whole.vocabulary)[:12]
            corpora[dialect] = whole
        try:
            side = metric.prepare(corpora[dialect])
        except fm.FastmatchError:
            continue
        check_bounds(metric, side, side, 48, 48)
