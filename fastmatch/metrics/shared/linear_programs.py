"""A small matching problem solved by branch and bound whose bounds are linear programs.

The search of ``exact`` lowers its bound by steps that get slower the nearer they come to the best bound of the
relaxation. Where few candidates are left, a linear program finds that bound at once: 0.03 s for 1,700 candidates, where
0.4 s of steps had left a gap of 0.2. A few more linear programs, with cuts, with a candidate and without it, mostly
prove the optimum. HiGHS's own search of the same problem takes 1 to 30 times as long.

No bound relies on HiGHS being right. Any prices >= 0 of the constraints give a valid bound: the sum of prices times
limits, and of what each variable is worth more than its prices, times the largest value that it may have. The prices
are HiGHS's, the bound is computed from them here. What a variable is worth less than its prices is what it costs to
choose it, so candidates that are too dear for a better map are left out.

Work is counted as in the kernels, so that a limit gives the same result on every machine. An iteration of the simplex
method takes the longer the more of them were before. So n iterations count a visit each for each column, or n·(750 + n)
if that is more: 5 to 16 ns a visit, of 250 programs. Where columns alone counted, it was up to 38 ns.

This module imports scipy, so it is imported only by a run that needs it.
"""

from __future__ import annotations

from heapq import heappop, heappush
from math import floor, inf, isqrt
from time import time
from typing import Any

import numpy as np
from scipy.optimize import linprog
from scipy.sparse import csr_array, vstack
from scipy.sparse.csgraph import dijkstra

from fastmatch.metrics.shared.integer_program import TOLERANCE, Problem, Rest, Solution, constraints, restricted, solve
from fastmatch.types import BoolArray, FloatArray, Int32Array

#: Visits that a linear program counts beside its iterations, and those of each entry of its matrix: 1 to 4 ms of
#: preparation.
_PREPARATION = 100_000
_ENTRY = 20
#: Visits of an iteration, at least; each that was before it counts one more.
_ITERATION = 750
#: Visits that a search for cuts counts.
_CUTTING = 800_000
#: The program is made anew if less than this share of its candidates is left.
_WORTH_SHRINKING = 0.8
#: A value that is nearer to 0 or 1 is whole.
_WHOLE = 1e-6
#: Cuts: the problem as a whole gets so many rounds of them. They are looked for among so many elements with values that
#: are not nearer to 0 or 1, from each of them with so many others; a cut must be broken by more than _BROKEN.
_ROUNDS = 5
_MOST_ELEMENTS = 150
_SHARE = 0.02
_PARTNERS = 6
_BROKEN = 0.02
_MOST_CUTS = 100
#: Candidates up to which HiGHS gets all that a better map can have: 3 to 7 s for 23,000, under a second for 8,000.
_REST_TO = 25_000


class _Program:
    """The linear relaxation of a problem; its variables are the candidates, then the edge-pairs."""

    def __init__(self, problem: Problem) -> None:
        self.problem = problem
        self.gains: FloatArray = np.concatenate([problem[4], problem[7]]).astype(np.float64)
        self.matrix, self.limits = constraints(problem)

    def solve(self, low: FloatArray, high: FloatArray, work: int) -> tuple[float, FloatArray, FloatArray, int] | None:
        """Bound, values, worth less prices, and visits, if the variables lie between ``low`` and ``high``.

        None if that would take more than ``work`` visits, or if HiGHS fails.
        """
        size = len(self.gains)
        preparation = _PREPARATION + _ENTRY * self.matrix.nnz
        most = max(work - preparation, 0)
        iterations = min(most // size, (isqrt(_ITERATION**2 + 4 * most) - _ITERATION) // 2, 2**30)
        if iterations <= 0:
            return None
        # Any: the stubs of scipy know dense matrices only
        rows: Any = {"A_ub": self.matrix, "b_ub": self.limits, "bounds": np.column_stack([low, high])}
        result = linprog(-self.gains, **rows, method="highs-ds", options={"maxiter": iterations})
        if result.status != 0 or result.x is None:
            return None
        n = int(result.nit)
        price = np.maximum(0.0, -result.ineqlin.marginals)
        worth = self.gains - self.matrix.T @ price
        bound = float(self.limits @ price + np.where(worth > 0.0, high, low) @ worth)
        return bound, result.x, worth, preparation + max(n * size, n * (_ITERATION + n))

    def cut(self, x: FloatArray) -> int:
        """Add constraints that the solution ``x`` breaks; returns how many.

        Elements are candidates and edge-pairs, as in ``_ext/matching/cuts.pyx``. Two of them conflict if they map a
        variable to two, or two variables to one. Of a clique, elements that conflict with each other, one at most can
        be chosen. Of an odd cycle, elements that conflict with the next one, less than half can. Cliques are grown from
        pairs, by the element of the largest value that conflicts with all.
        """
        _, _, candidate_a, candidate_b, unary, first, second, _ = self.problem
        n = len(unary)
        element = np.flatnonzero((x > _SHARE) & (x < 1.0 - _SHARE))
        element = element[np.argsort(-x[element], kind="stable")][:_MOST_ELEMENTS]
        value = x[element]
        edge = np.maximum(element - n, 0)
        one, two = (np.where(element < n, element, ends[edge] if len(ends) else 0) for ends in (first, second))
        conflict = np.zeros((len(element), len(element)), np.bool_)
        for mine in (one, two):
            for theirs in (one, two):
                same_a = candidate_a[mine][:, None] == candidate_a[theirs]
                conflict |= same_a != (candidate_b[mine][:, None] == candidate_b[theirs])
        found: dict[tuple[int, ...], int] = {}
        for e in range(len(element)):
            for f in np.flatnonzero(conflict[e])[:_PARTNERS].tolist():
                clique = [e, f]
                others = conflict[e] & conflict[f]
                while others.any():
                    g = int(others.argmax())
                    clique.append(g)
                    others &= conflict[g]
                if value[clique].sum() > 1.0 + _BROKEN:
                    found[tuple(sorted(clique))] = 1
        for cycle in _odd_cycles(conflict, value):
            found[cycle] = len(cycle) // 2
        new = list(found)[:_MOST_CUTS]
        if new:
            row = np.repeat(np.arange(len(new)), [len(members) for members in new])
            column = element[np.concatenate(new)]
            more = csr_array((np.ones(len(row)), (row, column)), shape=(len(new), len(self.gains)))
            self.matrix = vstack([self.matrix, more], format="csr")
            self.limits = np.append(self.limits, [float(found[members]) for members in new])
        return len(new)

    def value(self, chosen: BoolArray) -> float:
        """What the map of these candidates is worth; it is counted, since HiGHS rounds."""
        _, _, _, _, unary, first, second, weight = self.problem
        return unary[chosen].sum().item() + weight[chosen[first] & chosen[second]].sum().item()

    def without(self, dear: BoolArray) -> Problem:
        """The problem without some of its variables."""
        n = len(self.problem[4])
        return restricted(self.problem, ~dear[:n], ~dear[n:])

    def doubtful(self, x: FloatArray) -> int:
        """The candidate to try with and without: of those not chosen as a whole, one with many edge-pairs."""
        _, _, _, _, unary, first, second, weight = self.problem
        n = len(unary)
        joined = weight * (x[n:] > _WHOLE)
        doubt = np.minimum(x[:n], 1.0 - x[:n]) * (
            1.0 + np.bincount(first, joined, n) + np.bincount(second, joined, n)
        )  # fmt: skip
        return int(doubt.argmax())


def _odd_cycles(conflict: BoolArray, value: FloatArray) -> list[tuple[int, ...]]:
    """Odd cycles of elements that conflict with the next one, whose values add up to more than they may.

    Such a cycle is a shortest path from an element to its copy, in a graph with two copies of each where every conflict
    leads from one copy to the other, and costs what the two values lack of 1 (Grötschel, Lovász and Schrijver 1988).
    """
    n = len(value)
    one, two = np.nonzero(conflict)
    cost = np.maximum(1.0 - value[one] - value[two], 0.0) + _WHOLE  # scipy takes 0 for no edge
    ends = np.concatenate([one, one + n]), np.concatenate([two + n, two])
    graph = csr_array((np.concatenate([cost, cost]), ends), shape=(2 * n, 2 * n))
    length, before = dijkstra(graph, indices=np.arange(n), limit=1.0 - 2.0 * _BROKEN, return_predecessors=True)
    cycles: dict[tuple[int, ...], None] = {}
    for e in np.flatnonzero(np.isfinite(length[np.arange(n), np.arange(n) + n])).tolist():
        place, cycle = e + n, []
        while place != e:
            cycle.append(place % n)
            place = int(before[e, place])
        if len(set(cycle)) == len(cycle):
            cycles[tuple(sorted(cycle))] = None
    return list(cycles)


def branch(problem: Problem, more_than: float, work: int, until: float = inf) -> Solution:
    """Look for a map that is worth more than ``more_than``, or prove that there is none.

    Parameters
    ----------
    problem : Problem
    more_than : int or float
        The value of a map that is known.
    work : int
        Visits after which it gives up: 4 to 20 ns each.
    until : float
        What :func:`time.time` may be when a linear program begins.

    Returns
    -------
    Solution
        Its map is −1 everywhere if no better one was found. Gains that are not whole numbers are proven to
        :data:`~fastmatch.metrics.shared.integer_program.TOLERANCE`.
    """
    whole = problem[4].dtype.kind == "i"
    least = 1.0 - _WHOLE if whole else TOLERANCE
    best, mapping = more_than, np.full(problem[0], -1, np.int32)
    if not len(problem[4]):
        return Solution(best, best, True, mapping)
    program = _Program(problem)
    # a bound, negative for the heap; a number that orders equals; what the variables may be at least and at most
    nodes = [(-inf, 0, np.zeros(len(program.gains)), np.ones(len(program.gains)))]
    made, rounds = 1, 0
    while nodes and -nodes[0][0] >= best + least:
        known, number, low, high = nodes[0]
        solved = program.solve(low, high, work) if time() < until else None
        if solved is None:
            break
        heappop(nodes)
        priced, x, worth, visits = solved
        bound = min(priced, -known)
        work -= visits
        n = len(program.problem[4])
        chosen = x[:n] > 0.5 + _WHOLE  # HiGHS breaks limits by a little: two of a row might be above 0.5
        value = program.value(chosen)
        if value > best + (0.5 if whole else _WHOLE):
            best = value
            mapping.fill(-1)
            mapping[program.problem[2][chosen]] = program.problem[3][chosen]
        if bound < best + least:
            continue
        # ``worth`` belongs to the prices of this program, not to those of one before it that had cuts
        dear = (priced + worth < best + least) & (low < 1.0)
        if number == 0 and dear[:n].sum() > (1.0 - _WORTH_SHRINKING) * n:
            program = _Program(program.without(dear))
            heappush(nodes, (-bound, 0, np.zeros(len(program.gains)), np.ones(len(program.gains))))
            continue
        if number == 0 and rounds < _ROUNDS and program.cut(x):
            rounds += 1
            work -= _CUTTING
            heappush(nodes, (-bound, 0, low, np.where(dear, 0.0, high)))
            continue
        c = program.doubtful(x)
        row, column = program.problem[2], program.problem[3]
        high = np.where(dear, 0.0, high)
        low_with, high_with, high_without = low.copy(), high.copy(), high
        high_with[:n][(row == row[c]) | (column == column[c])] = 0.0
        low_with[c] = high_with[c] = 1.0
        high_without[c] = 0.0
        heappush(nodes, (-bound, made, low_with, high_with))
        heappush(nodes, (-bound, made + 1, low, high_without))
        made += 2
    open_bound = -nodes[0][0] if nodes else best
    if open_bound < best + least:
        open_bound = best
    elif whole and open_bound < inf:
        open_bound = floor(open_bound + TOLERANCE)
    return Solution(best, open_bound, open_bound == best, mapping)


def solve_until(
    problem: Problem,
    until: float,
    node_limit: int | None,
    more_than: float | None,
    gap: float,
    visits: int,
    matched: float = 0.0,
    rest: Rest | None = None,
) -> tuple[float, float, bool, Int32Array] | None:
    """Solve a problem by linear programs, then by integer programming, for a caller in another process.

    The caller does not import this module.

    Parameters
    ----------
    problem : Problem
    until : float
        A limit of :func:`time.time`.
    node_limit, more_than, gap
        See :func:`fastmatch.metrics.shared.integer_program.solve`. 0 nodes: linear programs alone.
    visits : int
        What linear programs may take; 0 for none. If there are some, there is ``more_than``.
    matched : int or float
        The value of a map that is known, of the problem or of ``rest``.
    rest : Rest, optional
        The problem is a part of this one, whose bound is asked for. See
        :func:`fastmatch._ext.matching.score.score_exact`.

    Returns
    -------
    The fields of the solution; None if time is over before anything was done.
    """
    left = until - time()
    if left <= 0:
        return None
    known: Solution | None = None
    if visits > 0 and more_than is not None:
        known = branch(problem, more_than, visits, until)
        left = until - time()
        if known.certified or node_limit == 0 or left <= 0:
            return known.matched, known.upper, known.certified, known.mapping
        more_than = known.matched
    found = solve(problem, left if left < inf else None, node_limit, more_than=more_than, gap=gap)
    if known is not None:
        upper = min(found.upper, known.upper)
        mapping = found.mapping if found.matched > known.matched else known.mapping
        return found.matched, upper, found.matched == upper, mapping
    if rest is not None:
        found = _solve_rest(rest, found, max(found.matched, matched), until, node_limit)
    return found.matched, found.upper, found.certified, found.mapping


def _solve_rest(rest: Rest, part: Solution, matched: float, until: float, node_limit: int | None) -> Solution:
    """Look for a map worth more than ``matched`` among all that such a map can have, or prove that there is none.

    What a part has given is returned with the bound of the whole problem, unless there is a better map.
    """
    problem, reach, rungs, step = rest
    # the kernel's bound for a rung holds for maps that are below it by 2e-6 of a step
    rung = int(np.searchsorted(rungs, matched + (1.0 + 1e-6) * step, "right")) - 1
    left = until - time()
    if rung < 0 or left <= 0:
        return part._replace(upper=inf, certified=False)
    kept = reach >= rungs[rung]
    if kept.sum() > _REST_TO:
        return part._replace(upper=inf, certified=False)
    some = restricted(problem, kept)
    found = solve(some, left if left < inf else None, node_limit, more_than=matched)
    return found if found.matched > matched else part._replace(upper=found.upper, certified=found.certified)
