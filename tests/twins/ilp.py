"""The optimum as an integer program, solved by HiGHS: an independent judge for graphs too big for brute force.

Gains may be whole numbers (Smatch) or real ones (``soft_match``).

One 0/1 variable x per candidate pair, one variable y per edge pair. Each variable of A and of B is used at most once.
An edge pair counts only when both its ends are chosen. The linking constraints are grouped: of all edge pairs that go
from the pair (i, j) to one variable k of A (or to one variable q of B), at most one can count, because k (q) has one
partner; so their sum is at most x[i, j]. That is the formulation of Klau (2009) and implies y <= x for each singly.
"""

from collections import defaultdict
from dataclasses import dataclass
from math import floor
from numbers import Integral

import numpy as np
from scipy.optimize import Bounds, LinearConstraint, milp
from scipy.sparse import csr_array

from twins.smatch_problem import Pair, Problem

#: HiGHS accepts points that break a constraint by 1e-6.
TOLERANCE = 1e-5


@dataclass(frozen=True)
class Solution:
    """What the solver found: a map, its value, an upper bound on any map, and whether the two meet."""

    value: float
    upper: float
    proven: bool
    mapping: list[int]


def solve(problem: Problem, *, time_limit: float = 3600.0) -> Solution:
    """Solve ``problem``; ``time_limit`` in seconds.

    An optimum is ``proven`` when HiGHS's bound rounds down to it, or, if gains are real, is within its tolerance.
    """
    pairs: list[Pair] = sorted({*problem.unary, *(end for ends in problem.binary for end in ends)})
    if not pairs:
        return Solution(0, 0, True, [-1] * problem.n)
    column = {pair: c for c, pair in enumerate(pairs)}
    edges = list(problem.binary.items())
    profit = np.zeros(len(pairs) + len(edges))
    for pair, weight in problem.unary.items():
        profit[column[pair]] = weight

    # Each constraint is a list of columns with +1, whose sum is at most 1, or at most the column beside them.
    rows: list[tuple[list[int], int | None]] = []
    for side in (0, 1):
        used: dict[int, list[int]] = defaultdict(list)
        for pair, c in column.items():
            used[pair[side]].append(c)
        rows += [(columns, None) for columns in used.values()]
    grouped: dict[tuple[Pair, int, int], list[int]] = defaultdict(list)
    for e, ((first, second), weight) in enumerate(edges):
        y = len(pairs) + e
        profit[y] = weight
        for here, there in ((first, second), (second, first)):
            for side in (0, 1):
                grouped[here, side, there[side]].append(y)
    rows += [(columns, column[here]) for (here, _, _), columns in grouped.items()]

    entries = [(r, c, 1.0) for r, (columns, _) in enumerate(rows) for c in columns]
    entries += [(r, minus, -1.0) for r, (_, minus) in enumerate(rows) if minus is not None]
    row_index, column_index, values = zip(*entries, strict=True)
    # scipy 1.11 cannot hand 64-bit indices to HiGHS
    places = (np.array(row_index, np.int32), np.array(column_index, np.int32))
    matrix = csr_array((values, places), shape=(len(rows), len(profit)))
    # y needs no integrality of its own: with x fixed at 0/1 the best y is 0/1.
    integrality = np.concatenate([np.ones(len(pairs)), np.zeros(len(edges))])
    result = milp(
        -profit,
        constraints=LinearConstraint(matrix, ub=np.array([float(minus is None) for _, minus in rows])),
        bounds=Bounds(0, 1),
        integrality=integrality,
        options={"time_limit": time_limit, "mip_rel_gap": 0.0},
    )
    mapping = [-1] * problem.n
    if result.x is not None:
        for (i, j), x in zip(pairs, result.x, strict=False):
            if x > 0.5:
                mapping[i] = j
    value = problem.value(mapping)
    if result.mip_dual_bound is None:
        upper: float = problem.n_pred
    elif all(isinstance(gain, Integral) for gain in [*problem.unary.values(), *problem.binary.values()]):
        upper = floor(-result.mip_dual_bound + 1e-6)
    else:
        upper = -result.mip_dual_bound
    return Solution(value, upper, upper <= value + TOLERANCE, mapping)
