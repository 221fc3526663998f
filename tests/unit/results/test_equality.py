"""Results are equal by value: to their pickles, to the same computed again, and to nothing else."""

import pickle

import numpy as np
import pytest

import fastmatch as fm
from fastmatch.metrics import available
from fastmatch.results.equality import equal_values

PRED = ["# ::id a\n(w / want-01 :ARG0 (b / boy))", "(c / cat)", "()"]
GOLD = ["# ::id a\n(w / want-01 :ARG0 (g / girl))", "(c / cat)", "()"]

MAKERS = {
    "scores": lambda pred: fm.score(pred, GOLD, bootstrap=20),
    "several": lambda pred: fm.compare(pred, PRED, gold=GOLD, resamples=20),
    "top": lambda pred: fm.top_k(pred, GOLD, 2, metric="wlk"),
    "worst": lambda pred: fm.score(pred, GOLD).worst(2),
    "alignment": lambda pred: fm.align(pred[0], GOLD[0]),
    "flow": lambda pred: fm.align(pred[0], GOLD[0], metric="wwlk"),
    "agreement": lambda pred: fm.agreement([pred, GOLD]),
    "ensemble": lambda pred: fm.ensemble([pred, GOLD, GOLD]),
}


@pytest.mark.parametrize("name", MAKERS)
def test_equal_by_value(name):
    make = MAKERS[name]
    result, again, other = make(PRED), make(PRED), make(["(w / see-01 :ARG0 (b / dog))", *PRED[1:]])
    pickled = pickle.loads(pickle.dumps(result))
    assert result == again == pickled and hash(result) == hash(again) == hash(pickled) and result != other
    assert result != "a text" and len({result, again, pickled, other}) == 2


@pytest.mark.parametrize("metric", available())
def test_what_was_computed_from_a_result_does_not_count(metric):
    result, again = fm.score(PRED, GOLD, metric=metric), fm.score(PRED, GOLD, metric=metric)
    assert result.pairs.score.tolist() == again.pairs.score.tolist()
    result.to_dict(pairs=True)
    assert result == again and result.pairs == again.pairs and result == pickle.loads(pickle.dumps(result))
    assert result != fm.score(PRED[:2], GOLD[:2], metric=metric)


def test_values():
    assert equal_values(float("nan"), float("nan")) and not equal_values(float("nan"), 1.0)
    assert equal_values(np.array([1.0, np.nan]), np.array([1.0, np.nan]))
    assert not equal_values(np.array([1, 2]), np.array([1.0, 2.0])) and not equal_values(np.array([1]), [1])
    assert equal_values({"a": (1, [2])}, {"a": [1, (2,)]}) and not equal_values({"a": 1}, {"b": 1})
    assert not equal_values([1], [1, 2]) and not equal_values("ab", ["a", "b"]) and not equal_values({"a": 1}, ["a"])
