"""The optimum by integer programming: HiGHS through scipy.

It checks the other solvers, with which it shares no code (``solver="ilp"``), and it ends what ``exact`` leaves open: of
large documents whose linear relaxation has no whole solution, the part of the problem in which a better map would have
to be, about a tenth of it.

Variables: x[c] for every candidate (i, j), a whole number; y[e] for every edge-pair between two candidates, any real
number. Given x, each y is at most the smaller of its two ends, and weights are positive, so an optimal y is their
product.

    maximise    Σ unary[c]·x[c] + Σ weight[e]·y[e]
    one-to-one  Σ_j x[i,j] ≤ 1 for each i,   Σ_i x[i,j] ≤ 1 for each j
    linking     for each candidate (i,j) and each k of A:  Σ_l y[(i,j),(k,l)] ≤ x[i,j]
                for each candidate (i,j) and each l of B:  Σ_k y[(i,j),(k,l)] ≤ x[i,j]

The linking constraints hold for both ends of y. They are grouped: k has at most one partner l, so of all y that join
(i,j) with some (k,·) at most one is 1, whichever way their relations point. Constraints that link each y to each of its
ends alone allow many more points that are not whole; the linear relaxation of the grouped model nearly always has a
whole solution.

This module imports scipy, so it is imported only by a run that needs it.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import Bounds, LinearConstraint, milp
from scipy.sparse import csr_array, vstack

from fastmatch.types import BoolArray, FloatArray, Int32Array, Int64Array

#: HiGHS accepts a point that breaks a constraint by 1e-6 or less, and its bound is not more exact than that.
TOLERANCE = 1e-5

#: What ``build_problem`` and ``build_soft_problem`` return: n, m, candidate_a, candidate_b, unary, first, second,
#: weight. The gains ``unary`` and ``weight`` are int64, or float64 if they need not be whole numbers.
Problem = tuple[int, int, "Int32Array", "Int32Array", "NDArray[Any]", "Int32Array", "Int32Array", "NDArray[Any]"]

#: What ``score_exact`` hands over besides a part of a problem: a larger problem, what each of its candidates reaches,
#: rungs, and by how much a map is better than another at least.
Rest = tuple[Problem, "FloatArray", "FloatArray", float]


class Solution(NamedTuple):
    """A map and what is proven of it.

    Attributes
    ----------
    matched : int or float
        Value of the map.
    upper : int or float
        No map has a higher value.
    certified : bool
        The two are equal.
    mapping : int32[n]
        Variable → variable of the gold graph, or −1.
    """

    matched: float
    upper: float
    certified: bool
    mapping: Int32Array


def constraints(problem: Problem) -> tuple[csr_array, FloatArray]:
    """The constraints of the model: a matrix, and how large its product with (x, y) may be at most.

    Parameters
    ----------
    problem : Problem
        With at least one candidate.

    Returns
    -------
    matrix : csr_array, shape (n_constraints, n_candidates + n_edge_pairs)
    limits : float64[n_constraints]
    """
    n, m, candidate_a, candidate_b, unary, first, second, weight = problem
    n_candidates, n_edges = len(unary), len(weight)
    rows, columns, values, limits = [], [], [], []
    n_rows = 0

    def add(row_of: Int64Array, column: Int64Array, value: float) -> None:
        rows.append(row_of)
        columns.append(column)
        values.append(np.full(len(row_of), value))

    for side in (candidate_a, candidate_b):
        used, row = np.unique(side, return_inverse=True)
        add(n_rows + row, np.arange(n_candidates), 1.0)
        limits.append(np.ones(len(used)))
        n_rows += len(used)
    # each edge-pair twice, seen from each of its ends
    end, other = np.concatenate([first, second]).astype(np.int64), np.concatenate([second, first])
    edge = np.tile(np.arange(n_edges), 2)
    for side, size in ((candidate_a, n), (candidate_b, m)):
        # one row for each candidate at this end and each variable at the other
        groups, group = np.unique(end * size + side[other], return_inverse=True)
        add(n_rows + group, n_candidates + edge, 1.0)
        add(n_rows + np.arange(len(groups)), groups // size, -1.0)
        limits.append(np.zeros(len(groups)))
        n_rows += len(groups)
    # scipy 1.11 cannot hand 64-bit indices to HiGHS
    indices = [np.concatenate(side).astype(np.int32) for side in (rows, columns)]
    matrix = csr_array((np.concatenate(values), tuple(indices)), shape=(n_rows, n_candidates + n_edges))
    return matrix, np.concatenate(limits)


def restricted(problem: Problem, kept: BoolArray, edges: BoolArray | bool = True) -> Problem:
    """The problem with some of its candidates, and the edge-pairs between them, or those among them of ``edges``."""
    n, m, candidate_a, candidate_b, unary, first, second, weight = problem
    edge = edges & kept[first] & kept[second]
    place = (np.cumsum(kept) - 1).astype(np.int32)
    return (
        n, m, candidate_a[kept], candidate_b[kept], unary[kept], place[first[edge]], place[second[edge]], weight[edge],
    )  # fmt: skip


def solve(
    problem: Problem,
    time_limit: float | None = None,
    node_limit: int | None = None,
    *,
    more_than: float | None = None,
    gap: float = 0.0,
) -> Solution:
    """Solve one matching problem.

    Parameters
    ----------
    problem : Problem
    time_limit : float or None
        Seconds; None for no limit. When it is reached, the best map so far and HiGHS's bound are returned.
    node_limit : int or None
        The same in nodes of branch and bound, which does not depend on the machine's speed.
    more_than : int or float, optional
        Look only for maps with a higher value, which is faster than to look for the best map. If there is none, this
        number is ``matched`` and ``upper`` of a certified solution and the map is −1 everywhere; the map is so, too, if
        none was found in time.
    gap : float
        Be content with a map when a better one could add at most this share of its value.

    Raises
    ------
    RuntimeError
        If HiGHS fails.
    """
    n, _, candidate_a, candidate_b, unary, first, second, weight = problem
    n_candidates, n_edges = len(unary), len(weight)
    mapping = np.full(n, -1, np.int32)
    if not n_candidates:
        return Solution(0, 0, True, mapping)
    matrix, limits = constraints(problem)
    gains = np.concatenate([unary, weight]).astype(np.float64)
    least = np.full(len(limits), -np.inf)
    if more_than is not None:
        matrix = vstack([matrix, csr_array(gains[None])], format="csr")
        least = np.append(least, more_than + (1.0 if unary.dtype.kind == "i" else TOLERANCE))
        limits = np.append(limits, np.inf)
    options: Any = {"mip_rel_gap": gap}
    if time_limit is not None:
        options["time_limit"] = time_limit
    if node_limit is not None:
        options["node_limit"] = node_limit
    whole = np.concatenate([np.ones(n_candidates), np.zeros(n_edges)])
    rows = LinearConstraint(matrix, least, limits)
    result = milp(-gains, integrality=whole, bounds=Bounds(0, 1), constraints=rows, options=options)
    if result.status == 2 and more_than is not None:
        return Solution(more_than, more_than, True, mapping)
    # The problem is feasible and bounded, so any other status is a failure. But scipy does not know HiGHS's answer
    # where a limit of nodes ends the search before it has found any point, and reports that as one.
    if result.status not in (0, 1) and not (result.status == 4 and node_limit is not None):
        raise RuntimeError(f"HiGHS: {result.message}")
    chosen = np.zeros(n_candidates, np.bool_)
    if result.x is not None:
        chosen = result.x[:n_candidates] > 0.5
    # the value of the map is counted, since the solver's objective is rounded
    matched = unary[chosen].sum().item() + weight[chosen[first] & chosen[second]].sum().item()
    mapping[candidate_a[chosen]] = candidate_b[chosen]
    bound = None if result.mip_dual_bound is None else -float(result.mip_dual_bound)
    if bound is None or not np.isfinite(bound):
        upper = unary.sum().item() + weight.sum().item()
    elif unary.dtype.kind == "i":
        upper = max(matched, int(np.floor(bound + TOLERANCE)))
    else:
        upper = matched if bound < matched + TOLERANCE else bound
    if more_than is not None:
        matched = max(matched, more_than)
    return Solution(matched, max(matched, upper), matched == upper, mapping)
