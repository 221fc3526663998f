"""From files to numbers with any number of threads: every solver gives the same counts, bounds and maps."""

from pathlib import Path

import numpy as np
import pytest

import fastmatch as fm


def crossed(own_data: Path) -> tuple[fm.Corpus, fm.Corpus]:
    """Every prediction of the small corpora against every gold graph, and three knots: 259 pairs of unequal cost."""

    def read(name: str) -> fm.Corpus:
        return fm.read(own_data / f"{name}.amr", dialect="smatch")

    pred, gold = (read(f"pairs-{side}") + read(f"knots-{side}")[:3] for side in ("pred", "gold"))
    i, j = np.divmod(np.arange(16 * 16, dtype=np.int32), 16)
    knots = np.arange(16, 19, dtype=np.int32)
    return pred[np.concatenate([i, knots])], gold[np.concatenate([j, knots])]


@pytest.mark.parametrize("solver", ["exact", "climb"])
def test_any_number_of_workers(own_data: Path, solver: str) -> None:
    pred, gold = crossed(own_data)
    assert len(pred) == len(gold) == 259
    options = {"preset": "smatch", "solver": solver, "mapping": True}
    alone = fm.score(pred, gold, workers=1, **options).pairs
    for workers in (2, 3, 7):
        shared = fm.score(pred, gold, workers=workers, **options).pairs
        for name in ("matched", "n_pred", "n_gold", "upper", "certified", "mapping_offsets", "mapping"):
            assert np.array_equal(getattr(alone, name), getattr(shared, name)), (name, workers)


def test_shuffled_pairs(own_data: Path) -> None:
    """The exact solver's answer to a pair, its map included, does not depend on the pair's place."""
    pred, gold = crossed(own_data)
    order = np.random.default_rng(3).permutation(len(pred))
    plain = fm.score(pred, gold, preset="smatch", mapping=True).pairs
    mixed = fm.score(pred[order], gold[order], preset="smatch", mapping=True, workers=3).pairs
    for name in ("matched", "n_pred", "n_gold", "upper", "certified"):
        assert np.array_equal(getattr(plain, name)[order], getattr(mixed, name)), name
    for k, original in enumerate(order):
        assert np.array_equal(mixed.mapping_of(k), plain.mapping_of(int(original)))


def test_solvers_agree(own_data: Path) -> None:
    """The integer program finds what the exact solver certifies, and the climber is never above them."""
    pred, gold = (fm.read(own_data / f"pairs-{side}.amr") for side in ("pred", "gold"))
    exact, ilp, climb = (fm.score(pred, gold, solver=solver).pairs for solver in ("exact", "ilp", "climb"))
    assert exact.certified.all()
    assert ilp.certified.all()
    assert np.array_equal(exact.matched, ilp.matched)
    assert (climb.matched <= exact.matched).all()
    assert (climb.upper >= exact.matched).all()
