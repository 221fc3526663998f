"""The compiled hill-climber against smatch 1.0.4's recorded results.

``reference/smatch/*.tsv``: smatch 1.0.4 from PyPI, one smart and four random starts, its own reseeding disabled and a
fresh ``random.Random(0)`` for every pair. The same pairs are read here by smatch's own reader and climbed with other
random numbers, so counts need not be equal; they must be what chance explains. Many seeds give each pair's
distribution, and the recorded total must lie where a sum of independent draws from them would.
"""

from itertools import islice
from pathlib import Path

import numpy as np
import pytest

from fastmatch._ext.matching.score import score_climb
from fastmatch._ext.reading.interner import Interner
from fastmatch.metrics.base import PairRange

from support.columnar import features
from support.recorded import SETS, smatch_table
from twins import readers
from twins.smatch_problem import SMATCH

pytestmark = pytest.mark.slow

pytest.importorskip("smatch", reason="smatch 1.0.4 is a test dependency", exc_type=ImportError)

SEEDS = 100


@pytest.mark.parametrize("name", SETS)
def test_recorded_climbs_are_what_chance_explains(data_dir: Path, name: str) -> None:
    pred, gold, n_pairs, (optimum, *_) = SETS[name]
    interner = Interner()
    a, b = (
        features(
            [readers.read_smatch(line) for line in islice(readers.smatch_lines(str(data_dir / place)), n_pairs)],
            SMATCH,
            interner,
        )
        for place in (pred, gold)
    )
    index = np.arange(n_pairs, dtype=np.int32)
    matched = np.empty((SEEDS, n_pairs), np.int64)
    for seed in range(SEEDS):
        score_climb(a, b, PairRange.all(index, index), seed=seed, matched=matched[seed])

    best = np.array([row[0] for row in smatch_table(data_dir / "reference" / "smatch-optimal" / f"{name}.tsv")])
    climbed = np.array([row[0] for row in smatch_table(data_dir / "reference" / "smatch" / f"{name}.tsv")])
    assert best.sum() == optimum
    assert (matched <= best).all()
    assert (climbed <= best).all()
    # Sums of independent draws: the variance of the total is the sum of the pairs' variances.
    deviation = np.sqrt(matched.var(axis=0, ddof=1).sum())
    standardised = (climbed.sum() - matched.mean(axis=0).sum()) / deviation
    assert abs(standardised) < 4
    # Pair by pair the record is among the results seen, but for a rare one.
    assert ((climbed < matched.min(axis=0)) | (climbed > matched.max(axis=0))).sum() <= 3
