"""Slopes of the sums of soft overlap against differences of them."""

import numpy as np
import pytest

from fastmatch._ext.overlap.gradient import add_slopes
from fastmatch._ext.overlap.score import score_pairs
from fastmatch._ext.overlap.space import SoftSpace

from twins import overlap

N, D = 30, 16
NEVER = np.zeros(1, np.uint8)
#: Places of the arrays that have slopes.
NODES, EDGES, VECTORS, SCALES, SETTINGS = 2, 5, 6, 14, 15
NAMES = {NODES: "node_masses", EDGES: "edge_masses", VECTORS: "vectors", SCALES: "scales", SETTINGS: "settings"}


def pairs() -> tuple[np.ndarray, np.ndarray]:
    i, j = np.divmod(np.arange(N * N, dtype=np.int32), np.int32(N))
    return i, j


def sums(arrays: list[np.ndarray]) -> np.ndarray:
    i, j = pairs()
    out = np.empty((4, len(i)))
    space = SoftSpace(*arrays)
    score_pairs(space, space, (i, j, 0, len(i), NEVER), out=out)
    return out


def slopes_of(arrays: list[np.ndarray], weights: np.ndarray, **options: np.ndarray) -> dict[int, np.ndarray]:
    found = {place: np.zeros(arrays[place].shape) for place in NAMES}
    given = {NAMES[place]: found[place] for place in found}
    add_slopes(SoftSpace(*arrays), *pairs(), weights, **{"cancel": NEVER, **given, **options})
    return found


@pytest.mark.parametrize("place", list(NAMES), ids=list(NAMES.values()))
@pytest.mark.parametrize(("seed", "alone"), [(1, (0.0, 0.0)), (2, (0.3, 0.6)), (3, (0.0, 0.0)), (5, (0.7, 0.2))])
def test_slopes_are_those_of_differences(place, seed, alone):
    """Along a random direction; vectors are of single precision, so steps are large and few digits are left."""
    random = np.random.default_rng([seed, place])
    arrays = list(overlap.random_space(seed, N, D, shared=seed, alone=alone))
    weights = random.normal(size=(4, N * N))
    slope = slopes_of(arrays, weights)[place]
    way = random.normal(size=arrays[place].shape)
    if place == SCALES:
        way = way + way.T
        slope = (slope + slope.T) / 2
    if place == SETTINGS:
        way[4] = 0  # the least share of characters that counts is a jump
        if alone == (0.0, 0.0):
            way[8:] = 0  # one-to-one matches are not computed there
    step = 1e-4 if place == VECTORS else 1e-6
    changed = []
    for sign in (1, -1):
        moved = list(arrays)
        moved[place] = (arrays[place] + sign * step * way).astype(arrays[place].dtype)
        changed.append(float((weights * sums(moved)).sum()))
    expected = (changed[0] - changed[1]) / (2 * step)
    assert float((slope * way).sum()) == pytest.approx(expected, rel=2e-2 if place == VECTORS else 1e-4)
    assert abs(expected) > 1e-3


def test_slopes_are_added():
    arrays = list(overlap.random_space(1, N, D))
    weights = np.random.default_rng(0).normal(size=(4, N * N))
    once = slopes_of(arrays, weights)
    assert (slopes_of(arrays, 0 * weights)[NODES] == 0).all()
    for place, slope in slopes_of(arrays, 2 * weights).items():
        assert slope == pytest.approx(2 * once[place])
    assert all((slope == 0).all() for slope in slopes_of(arrays, weights, cancel=np.ones(1, np.uint8)).values())


@pytest.mark.parametrize("place", list(NAMES), ids=list(NAMES.values()))
def test_what_does_not_fit_is_refused(place):
    arrays = list(overlap.random_space(1, N, D))
    with pytest.raises(ValueError, match="do not fit"):
        slopes_of(arrays, np.zeros((4, N * N)), **{NAMES[place]: np.zeros(arrays[place].shape)[:-1]})
    with pytest.raises(ValueError, match="4 sums"):
        slopes_of(arrays, np.zeros((3, N * N)))
