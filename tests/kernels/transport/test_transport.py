"""The transport kernel, by both of its methods: optimal, exact, complete, the same every time."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.optimize import linprog

from fastmatch._ext.transport.transport import solve_transport

from support.nightly import examples
from twins.wwlk import transport as by_assignment

SIZES = st.tuples(st.integers(1, 12), st.integers(1, 12))
METHODS = ("auto", "paths", "simplex")
either = pytest.mark.parametrize("method", METHODS)


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


def by_linear_program(cost: np.ndarray, supply: np.ndarray, demand: np.ndarray) -> float:
    n, m = cost.shape
    rows = np.kron(np.eye(n), np.ones(m))
    columns = np.kron(np.ones(n), np.eye(m))
    result = linprog(
        cost.ravel(), A_eq=np.concatenate([rows, columns]), b_eq=np.concatenate([supply, demand]), method="highs"
    )
    assert result.success, result.message
    return float(result.fun)


def check(cost: np.ndarray, distance: float, flow: np.ndarray, supply: np.ndarray, demand: np.ndarray) -> None:
    assert flow.dtype == np.int64
    assert (flow >= 0).all()
    assert flow.sum(axis=1).tolist() == supply.tolist()
    assert flow.sum(axis=0).tolist() == demand.tolist()
    assert distance == pytest.approx((flow * cost).sum() / max(supply.sum(), 1), rel=1e-14, abs=1e-14)


def circles(flow: np.ndarray) -> int:
    """Cells with a flow beyond those that a forest of rows and columns has: 0 if and only if the flow is basic."""
    n, m = flow.shape
    above = list(range(n + m))

    def top(node: int) -> int:
        while above[node] != node:
            node = above[node]
        return node

    count = 0
    for i, j in zip(*np.nonzero(flow), strict=True):
        a, b = top(int(i)), top(n + int(j))
        count += a == b
        above[a] = b
    return count


@either
@examples(25)
@given(cost=costs())
def test_uniform_masses(method: str, cost: np.ndarray) -> None:
    n, m = cost.shape
    distance, flow = solve_transport(cost, method=method)
    common = math.gcd(n, m)
    check(cost, distance, flow, np.full(n, m // common), np.full(m, n // common))
    assert distance == pytest.approx(by_assignment(cost), rel=1e-12, abs=1e-12)


@either
@examples(15)
@given(cost=costs(), data=st.data())
def test_any_masses(method: str, cost: np.ndarray, data: st.DataObject) -> None:
    n, m = cost.shape
    supply = np.array(data.draw(st.lists(st.integers(0, 20), min_size=n, max_size=n)), np.int64)
    # cut the same total elsewhere; some sinks want nothing
    cuts = sorted(data.draw(st.lists(st.integers(0, int(supply.sum())), min_size=m - 1, max_size=m - 1)))
    demand = np.diff([0, *cuts, int(supply.sum())]).astype(np.int64)
    distance, flow = solve_transport(cost, supply, demand, method=method)
    if method == "simplex":
        assert circles(flow) == 0
    check(cost, distance, flow, supply, demand)
    assert distance * max(supply.sum(), 1) == pytest.approx(by_linear_program(cost, supply, demand), rel=1e-9, abs=1e-9)


@examples(20)
@given(costs())
def test_the_simplex_method_finds_a_corner(cost: np.ndarray) -> None:
    flow = solve_transport(cost, method="simplex")[1]
    assert np.count_nonzero(flow) <= sum(cost.shape) - 1
    assert circles(flow) == 0
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
        assert circles(flow) == 0
        assert distance >= least - 1e-12


def test_work_is_counted() -> None:
    """Costs i · j need far more steps than those of points at random; the same limit gives the same flow again."""
    cost = np.outer(np.arange(1.0, 121), np.arange(1.0, 122))
    least, _ = solve_transport(cost, method="simplex")
    cut = [solve_transport(cost, method="simplex", most=20 * cost.size) for _ in range(2)]
    assert cut[0][0] > least and cut[0][0] == cut[1][0] and np.array_equal(cut[0][1], cut[1][1])
    assert solve_transport(cost, method="simplex", most=1000 * cost.size)[0] == least


def test_nothing_to_move() -> None:
    assert solve_transport(np.zeros((0, 0)))[0] == 0
    distance, flow = solve_transport(np.ones((2, 1)), np.zeros(2, np.int64), np.zeros(1, np.int64))
    assert distance == 0
    assert flow.tolist() == [[0], [0]]


def test_masses_too_large_to_be_perturbed() -> None:
    """These go along paths, unless one insists."""
    cost, masses = np.array([[0.0, 1.0], [1.0, 0.0]]), np.array([2**60, 2**60])
    distance, flow = solve_transport(cost, masses, masses)
    assert distance == 0
    assert flow.tolist() == [[2**60, 0], [0, 2**60]]
    with pytest.raises(ValueError, match="too large for the simplex method"):
        solve_transport(cost, masses, masses, method="simplex")


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ((np.array([[np.nan]]),), r"cost\[0, 0\] is nan"),
        ((np.array([[1.0, np.inf]]),), r"cost\[0, 1\] is inf"),
        ((np.array([[1e301]]),), "expected a number between -1e300 and 1e300"),
        ((np.zeros((0, 3)),), "0 sources and 3 sinks"),
        ((np.zeros((1, 1)), np.array([1])), "together or not at all"),
        ((np.zeros((1, 1)), np.array([1]), np.array([2])), "supply adds up to 1, demand to 2"),
        ((np.zeros((1, 1)), np.array([-1]), np.array([-1])), r"supply\[0\] is -1"),
        ((np.zeros((1, 2)), np.array([1]), np.array([1])), "masses of 1 and 1 points for costs of 1 and 2"),
        ((np.zeros((2, 1)), np.array([2**62, 1]), np.array([1])), r"supply\[1\]"),
    ],
)  # fmt: skip
def test_wrong_input(arguments: tuple[np.ndarray, ...], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        solve_transport(*arguments)
    with pytest.raises(ValueError, match="method 'magic': expected 'auto', 'paths' or 'simplex'"):
        solve_transport(np.zeros((1, 1)), method="magic")
