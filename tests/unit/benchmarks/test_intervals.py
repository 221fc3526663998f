"""Intervals of results on BAMBOO, and tests of differences."""

import random

import numpy as np
import pytest

from fastmatch import OptionError
from fastmatch.benchmarks.bamboo import bamboo
from fastmatch.benchmarks.intervals import bamboo_intervals

from support.refusal import fails

WORDS = "boy girl cat dog see-01 want-01".split()  # noqa: SIM905 - shorter


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """Sixty pairs whose rating is the share of equal concepts, more or less; and foils that exchange a role."""
    rng = random.Random(1)
    place = tmp_path_factory.mktemp("bamboo")
    pred, gold, ratings = [], [], []
    for _ in range(60):
        one = [rng.choice(WORDS) for _ in range(3)]
        two = [word if rng.random() < 0.6 else rng.choice(WORDS) for word in one]
        pred.append("(a / {} :ARG0 (b / {}) :ARG1 (c / {}))".format(*one))
        gold.append("(a / {} :ARG0 (b / {}) :ARG1 (c / {}))".format(*two))
        ratings.append(sum(x == y for x, y in zip(one, two, strict=True)) / 3 + rng.gauss(0, 0.3))
    foils = [text.replace("ARG0", "x").replace("ARG1", "ARG0").replace("x", "ARG1") for text in pred]
    roles = [text for pair in zip(foils, pred, strict=True) for text in pair]
    twice = [text for text in pred for _ in range(2)]
    for variant, *sides in (("main", pred, gold), ("reify", pred, gold), ("role_confusion", roles, twice)):
        folder = place / "sts" / variant
        folder.mkdir(parents=True)
        for side, texts in zip(("tgt", "src"), sides, strict=True):
            (folder / f"{side}.test.amr").write_text("\n\n".join(texts) + "\n", encoding="utf-8")
    (place / "sts" / "test.y").write_text("\n".join(map(str, ratings)), encoding="utf-8")
    return place


def test_values_are_those_of_the_benchmark(folder):
    names = ["smatch", "sema", "wlk"]
    found = bamboo_intervals(folder, names, resamples=200)
    rows = bamboo(folder, names).rows
    assert found.metrics == tuple(names) and found.tasks == ("main/sts", "reify/sts", "role_confusion/sts", "amean")
    for values, row in zip(found.values.tolist(), rows, strict=True):
        assert values == pytest.approx([*(value for value in row.values if value is not None), row.amean])
    assert (found.low <= found.values).all() and (found.values <= found.high).all()
    # equal variants have equal draws, so their intervals are equal, too
    assert found.low[:, 0].tolist() == found.low[:, 1].tolist()
    assert found.differences == pytest.approx(found.values[:1] - found.values) and (found.differences[0] == 0).all()
    assert (found.p[0] == 1).all() and ((found.p > 0) & (found.p <= 1)).all()
    assert found == bamboo_intervals(folder, names, resamples=200)


def test_what_differs_and_what_does_not(folder):
    found = bamboo_intervals(folder, ["smatch", "smatch", "sembleu,k=1"], resamples=300)
    assert (found.p[1] == 1).all() and found.difference_low[1].tolist() == found.difference_high[1].tolist() == [0] * 4
    role = found.tasks.index("role_confusion/sts")
    assert found.p[2, role] < 0.01 and found.difference_low[2, role] > 0


def test_the_seed_decides(folder):
    one, again, other = (bamboo_intervals(folder, "smatch", resamples=50, seed=seed) for seed in (3, 3, 4))
    assert one.low.tolist() == again.low.tolist() != other.low.tolist()
    wide = bamboo_intervals(folder, "smatch", resamples=50, seed=3, confidence=0.99)
    assert (wide.low <= one.low).all() and (wide.high >= one.high).all()
    assert (wide.high - wide.low > one.high - one.low).any()


def test_a_column_a_field(folder):
    table = bamboo_intervals(folder, ["smatch", "sema"], resamples=20)._table()
    assert len(table["value"]) == 8
    assert " ".join(table) == "metric task value low high difference difference_low difference_high p"


@pytest.mark.parametrize("wrong", [{"resamples": 0}, {"resamples": True}, {"confidence": 1}, {"metrics": []}])
def test_wrong_options(folder, wrong):
    fails(OptionError, next(iter(wrong)), bamboo_intervals, folder, **{"metrics": "smatch", **wrong})
    assert np.isfinite(bamboo_intervals(folder, "smatch", resamples=1).p).all()
