"""Distances of pairs that are too large for matrices. Small pairs are declared large here."""

from typing import Any

import numpy as np
import pytest
from hypothesis import given

import fastmatch as fm
from fastmatch._ext.transport.score import score_pairs
from fastmatch.metrics.base import make

from support import strategies
from support.nightly import examples


def distances(pred: str, gold: str, options: dict[str, Any], **limits: int) -> tuple[np.ndarray, bool]:
    """The three distances of a pair, and whether they are whole."""
    metric = make("wwlk", **options)
    first = fm.parse([pred])
    second = fm.parse([gold], vocabulary=first.vocabulary)
    spaces = [metric.prepare(corpus) for corpus in (first, second)]
    index, out, whole = np.zeros(1, np.int32), np.full((3, 1), np.nan), np.zeros(1, np.uint8)
    cancel = np.zeros(1, np.uint8)
    score_pairs(*spaces, (index, index, 0, 1, cancel), out=out, whole=whole, **limits)
    return out[:, 0], bool(whole[0])


OPTIONS: list[dict[str, Any]] = [
    {},
    {"k": 0},
    {"k": 1},
    {"k": 3},
    {"direction": "2-way"},
    {"update": "tool"},
    {"stability": 1},
]


@pytest.mark.parametrize("options", OPTIONS, ids=str)
@examples(15)
@given(specs=strategies.big_pairs(min_size=1, max_size=20))
def test_without_room_there_is_a_bound(options, specs):
    pred, gold = (spec.text() for spec in specs)
    true, _ = distances(pred, gold, options)
    (bound, *others), whole = distances(pred, gold, options, room=0)
    assert not whole
    assert true[0] - 1e-12 <= bound <= 2
    assert others == [0, 0]
    assert distances(pred, pred, options, room=0)[0][0] == 0


def test_room_is_counted_in_matrices():
    pred, gold = "(a / b :x (c / d))", "(a / b :x (c / e) :y 1)"  # 2 and 3 nodes: 6 cells
    for options, matrices in (({}, 2), ({"stability": 1}, 3)):
        assert distances(pred, gold, options, room=6 * matrices)[1]
        assert not distances(pred, gold, options, room=6 * matrices - 1)[1]
