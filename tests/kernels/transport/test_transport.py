"""The transport kernel, by both of its methods: optimal, exact, complete, the same every time."""

import math

import networkx as nx
import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

import fastmatch as fm
from fastmatch._ext.transport.score import score_pairs
from fastmatch._ext.transport.transport import solve_transport
from fastmatch.metrics.base import make

from support import strategies
from support.nightly import examples
from twins.wwlk import transport as by_assignment

SIZES = st.tuples(st.integers(1, 12), st.integers(1, 12))
either = pytest.mark.parametrize("method", ["auto", "paths", "simplex"])


@st.composite
def costs(draw: st.DrawFn) -> np.ndarray:
    """Random costs, with many ties, on a line, all equal, or of points in space."""
    n, m = draw(SIZES)
    rng = np.random.default_rng(draw(st.integers(0, 2**32)))
    kind = draw(st.integers(0, 4))
    if kind == 0:
        return rng.random((n, m))
    if kind == 1:
        return rng.integers(0, 3, (n, m)).astype(float)
    if kind == 2:
        return np.abs(rng.integers(0, 9, (n, 1)) - rng.integers(0, 9, (1, m))).astype(float)
    if kind == 3:
        return np.full((n, m), rng.normal())
    return np.sqrt(((rng.normal(size=(n, 1, 3)) - rng.normal(size=(1, m, 3))) ** 2).sum(axis=2))


def check(cost: np.ndarray, distance: float, flow: np.ndarray, supply: np.ndarray, demand: np.ndarray) -> None:
    assert flow.dtype == np.int64 and (flow >= 0).all() and flow.sum(axis=1).tolist() == supply.tolist()
    assert flow.sum(axis=0).tolist() == demand.tolist()
    assert distance == pytest.approx((flow * cost).sum() / max(supply.sum(), 1), rel=1e-14, abs=1e-14)


def is_basic(flow: np.ndarray) -> bool:
    """Whether the cells with a flow, as edges between rows and columns, make no circle."""
    return nx.is_forest(nx.Graph([(("row", i), ("column", j)) for i, j in zip(*np.nonzero(flow), strict=True)]))


@either
@examples(45)
@given(cost=costs())
@example(cost=np.zeros((3, 5)))
def test_uniform_masses(method: str, cost: np.ndarray) -> None:
    n, m = cost.shape
    distance, flow = solve_transport(cost, method=method)
    common = math.gcd(n, m)
    check(cost, distance, flow, np.full(n, m // common), np.full(m, n // common))
    assert distance == pytest.approx(by_assignment(cost), rel=1e-12, abs=1e-12)


@examples(20)
@given(costs())
def test_the_simplex_method_finds_a_corner(cost: np.ndarray) -> None:
    flow = solve_transport(cost, method="simplex")[1]
    assert is_basic(flow)
    if cost.shape[0] == cost.shape[1]:  # as many on both sides: one to one
        assert (np.count_nonzero(flow, axis=1) == 1).all()


@either
@pytest.mark.parametrize(("n", "m"), [(60, 60), (30, 31), (40, 100), (1, 70), (70, 1), (50, 100)])
def test_larger(method: str, n: int, m: int) -> None:
    cost = np.random.default_rng(n * m).random((n, m))
    distance, flow = solve_transport(cost, method=method)
    common = math.gcd(n, m)
    check(cost, distance, flow, np.full(n, m // common), np.full(m, n // common))
    assert distance == pytest.approx(by_assignment(cost), rel=1e-12)


@pytest.mark.parametrize("scale", [1e-200, 1.0, 1e200])
@pytest.mark.parametrize("kind", ["equal", "zero", "two values", "rank one", "identity"])
def test_large_and_degenerate(kind: str, scale: float) -> None:
    """Where nearly everything ties, a tree of the masses alone could turn for ever."""
    n, m = (120, 120) if kind == "identity" else (120, 180)
    rng = np.random.default_rng(1)
    cost = {
        "equal": np.ones((n, m)),
        "zero": np.zeros((n, m)),
        "two values": rng.integers(0, 2, (n, m)).astype(float),
        "rank one": rng.random((n, 1)) + rng.random((1, m)),
        "identity": 1.0 - np.eye(n, m),
    }[kind]
    distance, flow = solve_transport(cost * scale, method="simplex")
    common = math.gcd(n, m)
    check(cost * scale, distance, flow, np.full(n, m // common), np.full(m, n // common))
    assert distance == pytest.approx(scale * by_assignment(cost), rel=1e-12, abs=1e-300)


@given(costs(), st.integers(0, 400))
def test_a_limit_of_work_leaves_a_flow(cost: np.ndarray, most: int) -> None:
    """Cut short in the start or later, what there is moves all the mass, and costs no less than the cheapest flow."""
    n, m = cost.shape
    least, _ = solve_transport(cost, method="simplex")
    for limit in (0, most):
        distance, flow = solve_transport(cost, method="simplex", most=limit)
        g = math.gcd(n, m)
        check(cost, distance, flow, np.full(n, m // g), np.full(m, n // g))
        assert is_basic(flow)
        assert distance >= least - 1e-12


def test_work_is_counted() -> None:
    """Costs i · j need far more steps than those of points at random; the same limit gives the same flow again."""
    cost = np.outer(np.arange(1.0, 121), np.arange(1.0, 122))
    least, _ = solve_transport(cost, method="simplex")
    cut = [solve_transport(cost, method="simplex", most=20 * cost.size) for _ in range(2)]
    assert cut[0][0] > least and cut[0][0] == cut[1][0] and np.array_equal(cut[0][1], cut[1][1])
    assert solve_transport(cost, method="simplex", most=1000 * cost.size)[0] == least


@pytest.mark.parametrize(
    ("cost", "method"), [(np.zeros((0, 3)), "auto"), (np.zeros((2, 0)), "paths"), (np.zeros((1, 1)), "magic")]
)
def test_wrong_input(cost: np.ndarray, method: str) -> None:
    with pytest.raises(ValueError, match=f"points, method '{method}'"):
        solve_transport(cost, method=method)


# ---- pairs that are too large for matrices; small pairs are declared large here --------------------------------------


def distances(pred: str, gold: str, options, copies: int = 1, **limits: int) -> tuple[np.ndarray, bool]:
    """The three distances of a pair, of corpora of so many copies of its graphs; and whether they are whole."""
    metric = make("wwlk", **options)
    corpora = fm.Corpus.together([fm.parse([text] * copies) for text in (pred, gold)])
    spaces = [metric.prepare(corpus) for corpus in corpora]
    index, out, whole = np.zeros(1, np.int32), np.full((3, 1), np.nan), np.zeros(1, np.uint8)
    score_pairs(*spaces, (index, index, 0, 1, np.zeros(1, np.uint8)), out=out, whole=whole, **limits)
    return out[:, 0], bool(whole[0])


OPTIONS = [{}, {"k": 0}, {"k": 1}, {"k": 3}, {"direction": "2-way"}, {"update": "tool"}, {"stability": 1}]


@pytest.mark.parametrize("options", OPTIONS, ids=str)
@examples(15)
@given(specs=strategies.big_pairs(min_size=1, max_size=20))
def test_without_room_there_is_a_bound(options, specs):
    pred, gold = (spec.text() for spec in specs)
    true, _ = distances(pred, gold, options)
    (bound, *others), whole = distances(pred, gold, options, room=0)
    assert whole == (bound == 0)
    assert true[0] - 1e-12 <= bound <= 2
    assert others == [0, 0]
    selves, whole = distances(pred, pred, options, room=0)
    assert whole and selves.tolist() == [0, 0, 0]


@pytest.mark.parametrize("options", OPTIONS, ids=str)
@pytest.mark.parametrize("room", [0, 1 << 40], ids=["bound", "exact"])
@examples(15)
@given(specs=strategies.big_pairs(min_size=1, max_size=20))
def test_embeddings_that_are_stored_are_those_that_are_made(options, room, specs):
    pred, gold = (spec.text() for spec in specs)
    stored, _ = distances(pred, gold, options, room=room)
    made, _ = distances(pred, gold, options, copies=2, room=room)
    assert stored.tolist() == made.tolist()


def test_room_is_counted_in_matrices():
    pred, gold = "(a / b :x (c / d))", "(a / b :x (c / e) :y 1)"  # 2 and 3 nodes: 6 cells
    for options, matrices in (({}, 2), ({"stability": 1}, 3)):
        assert distances(pred, gold, options, room=6 * matrices)[1]
        assert not distances(pred, gold, options, room=6 * matrices - 1)[1]
