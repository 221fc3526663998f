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
