"""The transport kernel: optimal, exact, complete, the same every time."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from scipy.optimize import linprog

from fastmatch._ext.transport import solve_transport

from reference.wwlk import transport as by_assignment

SIZES = st.tuples(st.integers(1, 12), st.integers(1, 12))


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


@settings(max_examples=120)
@given(costs())
def test_uniform_masses(cost: np.ndarray) -> None:
    n, m = cost.shape
    distance, flow = solve_transport(cost)
    common = math.gcd(n, m)
    check(cost, distance, flow, np.full(n, m // common), np.full(m, n // common))
    assert distance == pytest.approx(by_assignment(cost), rel=1e-12, abs=1e-12)


@settings(max_examples=40)
@given(costs(), st.data())
def test_any_masses(cost: np.ndarray, data: st.DataObject) -> None:
    n, m = cost.shape
    supply = np.array(data.draw(st.lists(st.integers(0, 20), min_size=n, max_size=n)), np.int64)
    # cut the same total elsewhere; some sinks want nothing
    cuts = sorted(data.draw(st.lists(st.integers(0, int(supply.sum())), min_size=m - 1, max_size=m - 1)))
    demand = np.diff([0, *cuts, int(supply.sum())]).astype(np.int64)
    distance, flow = solve_transport(cost, supply, demand)
    check(cost, distance, flow, supply, demand)
    assert distance * max(supply.sum(), 1) == pytest.approx(by_linear_program(cost, supply, demand), rel=1e-9, abs=1e-9)


@given(costs())
@example(np.zeros((3, 5)))
def test_prices_prove_it(cost: np.ndarray) -> None:
    """Optimal means: no cycle of cells along which mass could be moved at a gain (Bellman and Ford find none)."""
    n, m = cost.shape
    _, flow = solve_transport(cost)
    length = np.zeros(n + m)
    for _ in range(n + m + 1):
        there = np.minimum(length[n:], (length[:n, None] + cost).min(axis=0))
        back = np.where(flow > 0, there[None] - cost, np.inf).min(axis=1)
        new = np.concatenate([np.minimum(length[:n], back), there])
        if (length - new).max() <= 1e-12:
            return
        length = new
    raise AssertionError("a cycle of negative cost is left")


@pytest.mark.parametrize(("n", "m"), [(60, 60), (60, 61), (40, 100), (1, 70)])
def test_larger(n: int, m: int) -> None:
    cost = np.random.default_rng(n * m).random((n, m))
    assert solve_transport(cost)[0] == pytest.approx(by_assignment(cost), rel=1e-12)


def test_equal_input_gives_equal_output() -> None:
    cost = np.random.default_rng(0).integers(0, 4, (9, 7)).astype(float)
    first = solve_transport(cost)
    for _ in range(3):
        again = solve_transport(cost.copy())
        assert again[0] == first[0]
        assert (again[1] == first[1]).all()


def test_nothing_to_move() -> None:
    assert solve_transport(np.zeros((0, 0)))[0] == 0
    distance, flow = solve_transport(np.ones((2, 1)), np.zeros(2, np.int64), np.zeros(1, np.int64))
    assert distance == 0
    assert flow.tolist() == [[0], [0]]


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ((np.array([[np.nan]]),), r"cost\[0, 0\] is nan"),
        ((np.array([[1.0, np.inf]]),), r"cost\[0, 1\] is inf"),
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
