"""The optimum by integer programming: HiGHS through scipy.

It is a judge that shares no idea with the other solvers, and it ends what ``exact`` leaves: of large documents whose
linear relaxation is not whole, the part in which a better map would have to be, a tenth or so of the problem.

Variables: x[c] for every candidate (i, j), whole; y[e] for every edge-pair between two candidates, continuous. With x
fixed, y is at most its two ends, and weights are positive, so y takes the value of their product by itself.

    maximise    Σ unary[c]·x[c] + Σ weight[e]·y[e]
    one-to-one  Σ_j x[i,j] ≤ 1 for each i,   Σ_i x[i,j] ≤ 1 for each j
    linking     for each candidate (i,j) and each k of A:  Σ_l y[(i,j),(k,l)] ≤ x[i,j]
                for each candidate (i,j) and each l of B:  Σ_k y[(i,j),(k,l)] ≤ x[i,j]

The linking constraints hold for both ends of y. They are grouped: k has at most one partner l, so of all y that join
(i,j) with some (k,·) at most one is 1. Linking each y to each end singly allows many more fractional points: the linear
relaxation of the grouped model is nearly always whole.

Only this module imports scipy, and only a run that comes to need it imports this module.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
from scipy.optimize import Bounds, LinearConstraint, milp
from scipy.sparse import csr_array

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from fastmatch.types import Int32Array, Int64Array

__all__ = ["Problem", "Solution", "solve"]

#: HiGHS accepts a point that breaks a constraint by 1e-6 or less, and its bound is as exact as that.
TOLERANCE = 1e-5

#: What ``build_problem`` and ``build_soft_problem`` return: n, m, candidate_a, candidate_b, unary, first, second,
#: weight. Gains are int64, or float64 if they are no whole numbers.
Problem = tuple[int, int, "Int32Array", "Int32Array", "NDArray[Any]", "Int32Array", "Int32Array", "NDArray[Any]"]


class Solution(NamedTuple):
    """``matched`` is the value of ``mapping`` (int32[n], −1 for no partner); no map has more than ``upper``."""

    matched: float
    upper: float
    certified: bool
    mapping: Int32Array


def solve(problem: Problem, time_limit: float | None = None, *, more_than: float | None = None) -> Solution:
    """Solve one matching problem.

    ``time_limit`` in seconds; None for no limit. When it is reached the best map so far and HiGHS's bound are returned.

    With ``more_than`` only maps that match more are looked for, which is faster than to look for the best. If there are
    none the solution is certified, with that number as ``matched`` and ``upper`` and a mapping of −1; if none was found
    in time the mapping is the same.
    """
    n, m, candidate_a, candidate_b, unary, first, second, weight = problem
    n_candidates, n_edges = len(unary), len(weight)
    mapping = np.full(n, -1, np.int32)
    if not n_candidates:
        return Solution(0, 0, True, mapping)
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
    for end, other in ((first, second), (second, first)):
        for side, size in ((candidate_a, n), (candidate_b, m)):
            # one row for each candidate at this end and each variable at the other
            used, row = np.unique(end.astype(np.int64) * size + side[other], return_inverse=True)
            add(n_rows + row, n_candidates + np.arange(n_edges), 1.0)
            add(n_rows + np.arange(len(used)), used // size, -1.0)
            limits.append(np.zeros(len(used)))
            n_rows += len(used)
    gains = np.concatenate([unary, weight]).astype(np.float64)
    least = np.full(n_rows, -np.inf)
    if more_than is not None:
        rows.append(np.full(len(gains), n_rows))
        columns.append(np.arange(len(gains)))
        values.append(gains)
        least = np.append(least, more_than + (1.0 if unary.dtype.kind == "i" else TOLERANCE))
        limits.append(np.full(1, np.inf))
        n_rows += 1
    matrix = csr_array(
        (np.concatenate(values), (np.concatenate(rows), np.concatenate(columns))),
        shape=(n_rows, n_candidates + n_edges),
    )
    options: Any = {"mip_rel_gap": 0.0}
    if time_limit is not None:
        options["time_limit"] = time_limit
    result = milp(
        -gains,
        integrality=np.concatenate([np.ones(n_candidates), np.zeros(n_edges)]),
        bounds=Bounds(0, 1),
        constraints=LinearConstraint(matrix, least, np.concatenate(limits)),
        options=options,
    )
    if result.status == 2 and more_than is not None:
        return Solution(more_than, more_than, True, mapping)
    if result.status not in (0, 1):  # the problem is feasible and bounded: anything else is a failure of the solver
        raise RuntimeError(f"HiGHS: {result.message}")
    chosen = np.zeros(n_candidates, np.bool_)
    if result.x is not None:
        chosen = result.x[:n_candidates] > 0.5
    # count what the map is worth, instead of rounding the solver's objective
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
