"""The entry points of the searches: outputs, independence of the cut, interruption, bad arguments."""

import signal
import threading
from itertools import pairwise

import numpy as np
import pytest

from fastmatch._ext.matching.score import score_climb, score_exact
from fastmatch.graphs.vocabulary import Vocabulary
from fastmatch.metrics.base import PairRange

from support.columnar import any_triples, features
from support.refusal import fails
from twins.smatch_problem import DEFAULT, Triples


def corpora(sizes):
    vocabulary, random = Vocabulary(), np.random.default_rng(0)
    return tuple(  # type: ignore[return-value]
        features([any_triples(random, n, n + n // 4, 3, 3) for n in sizes], DEFAULT, vocabulary) for _ in range(2)
    )


def arguments(a, b, pairs):
    """Keyword arguments for all pairs; the outputs are filled with a mark that no result equals."""
    index_a, index_b = (np.array(column, np.int32) for column in zip(*pairs, strict=True))
    offsets = np.concatenate([[0], np.cumsum(a.n_variables[index_a])]).astype(np.int64)
    return {
        "a": a,
        "b": b,
        "pairs": PairRange.all(index_a, index_b),
        "matched": np.full(len(pairs), -7, np.int64),
        "mapping_offsets": offsets,
        "mapping": np.full(offsets[-1], -7, np.int32),
    }


def exact(*, matched: np.ndarray, **call) -> None:
    """The exact search, without limits."""
    upper, certified = matched.copy(), np.zeros(len(matched), np.uint8)
    score_exact(**call, matched=matched, upper=upper, certified=certified, max_work=2**62, time_limit=np.inf)


either = pytest.mark.parametrize("score", [score_climb, exact])

SIZES = [6, 1, 14, 0, 9, 40, 3]
PAIRS = [(i, j) for i in range(len(SIZES)) for j in range(len(SIZES))]


@pytest.fixture(scope="module")
def both():
    return corpora(SIZES)


@pytest.fixture
def call(both):
    return arguments(*both, PAIRS)


@either
@pytest.mark.parametrize("cut", [[0, 49], [0, 1, 2, 3, 49], [0, 20, 20, 49]])
def test_results_do_not_depend_on_the_cut(score, call, cut):
    whole = {**call, "matched": call["matched"].copy(), "mapping": call["mapping"].copy()}
    score(**whole)
    for start, stop in reversed(list(pairwise(cut))):
        score(**{**call, "pairs": call["pairs"]._replace(start=start, stop=stop)})
    assert np.array_equal(call["matched"], whole["matched"]) and np.array_equal(call["mapping"], whole["mapping"])


@either
def test_other_pairs_are_left_alone(score, call):
    score(**{**call, "pairs": call["pairs"]._replace(start=10, stop=12)})
    assert (call["matched"][np.delete(np.arange(len(PAIRS)), [10, 11])] == -7).all()
    assert (call["matched"][10:12] >= 0).all()
    first, last = call["mapping_offsets"][[10, 12]]
    assert (call["mapping"][:first] == -7).all() and (call["mapping"][first:last] >= -1).all()
    assert (call["mapping"][last:] == -7).all()


@either
def test_cancelled_before_the_start(score, call):
    call["pairs"].cancel[0] = 1
    score(**call)
    assert (call["matched"] == -7).all()


def test_cancelled_within_a_pair(both):
    """Two billion starts would take hours."""
    call = arguments(*both, [(5, 5)])
    timer = threading.Timer(0.1, call["pairs"].cancel.fill, [1])
    timer.start()
    score_climb(**call, restarts=2**31 - 2)
    timer.join()
    assert call["matched"].tolist() == [-7]


@pytest.mark.skipif(not hasattr(signal, "setitimer"), reason="needs a signal that comes by itself")
@pytest.mark.parametrize("few", [0, 2**31 - 1])
def test_interrupted_within_a_pair(both, few):
    """A signal handler that raises is heard, as Ctrl-C must be."""

    class Heard(Exception):
        pass

    def handler(*_: object) -> None:
        raise Heard

    def endless() -> None:
        signal.setitimer(signal.ITIMER_REAL, 0.1)
        score_climb(**arguments(*both, [(5, 5)]), restarts=2**31 - 2, few=few)

    before = signal.signal(signal.SIGALRM, handler)
    try:
        fails(Heard, None, endless)
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)


@either
def test_without_mapping(score, call):
    score(**call)
    bare = {**call, "matched": np.zeros(len(PAIRS), np.int64), "mapping": None, "mapping_offsets": None}
    score(**bare)
    assert np.array_equal(bare["matched"], call["matched"])


@either
@pytest.mark.parametrize(
    ("change", "error", "message"),
    [
        ({"index_gold": np.zeros(3, np.int32)}, ValueError, "one entry a pair"),
        ({"matched": np.zeros(48, np.int64)}, ValueError, "one entry a pair"),
        ({"cancel": np.zeros(0, np.uint8)}, ValueError, "cancel"),
        ({"start": -1}, IndexError, "pairs -1 to 49 of 49"),
        ({"stop": 50}, IndexError, "pairs 0 to 50 of 49"),
        ({"start": 3, "stop": 2}, IndexError, "pairs 3 to 2 of 49"),
        ({"index_pred": np.full(49, 7, np.int32)}, IndexError, "pair 0 is of graphs 7"),
        ({"index_pred": np.full(49, -1, np.int32)}, IndexError, "pair 0 is of graphs -1"),
        ({"index_gold": np.full(49, 7, np.int32)}, IndexError, "pair 0 is of graphs 0 and 7"),
        ({"index_gold": np.full(49, -1, np.int32)}, IndexError, "pair 0 is of graphs 0 and -1"),
        ({"mapping": None}, ValueError, "mapping"),
        ({"mapping": np.zeros(5, np.int32)}, ValueError, "mapping of pair 0 has no room for its 6 variables"),
        ({"mapping_offsets": np.zeros(50, np.int64)}, ValueError, "mapping of pair 0"),
        ({"mapping_offsets": np.zeros(49, np.int64)}, ValueError, "mapping_offsets"),
        ({"mapping_offsets": np.full(50, 2**63 - 1, np.int64)}, ValueError, "mapping of pair 0"),
        ({"mapping_offsets": np.full(50, -6, np.int64)}, ValueError, "mapping of pair 0"),
        ({"index_pred": np.zeros(49, np.int64)}, ValueError, "dtype"),
    ],
)
def test_bad_arguments(score, call, change, error, message):
    fields = {name: value for name, value in change.items() if name in PairRange._fields}
    rest = {name: value for name, value in change.items() if name not in fields}
    fails(error, message, score, **{**call, "pairs": call["pairs"]._replace(**fields), **rest})


def test_bad_options(call):
    fails(ValueError, "restarts must not be negative: -1", score_climb, **call, restarts=-1)
    fails(OverflowError, "negative", score_climb, **call, seed=-1)
    fails(OverflowError, "too large|too big", score_climb, **call, seed=2**64)


def test_a_pair_that_is_too_large_is_matched_greedily() -> None:
    """4,000 equal concepts a side are 16 million candidates: no search, but a map, and the pairs around it are done."""
    names = tuple(f"v{k}" for k in range(4000))
    flat = Triples(names[0], names, tuple((name, "c") for name in names), (), ())
    a = features([any_triples(np.random.default_rng(1), 5, 6, 3, 3), flat], DEFAULT, Vocabulary())
    call = arguments(a, a, [(0, 0), (1, 1), (0, 0)])
    score_climb(**call)
    assert call["matched"].tolist() == a.n_triples[[0, 1, 0]].tolist()
    assert call["mapping"][call["mapping_offsets"][1] : call["mapping_offsets"][2]].tolist() == list(range(4000))
