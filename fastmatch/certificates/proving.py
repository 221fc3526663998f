"""Proofs that no map is better than a known one, from linear programs; see :mod:`check_certificates` for what they are.

The search that found the optimum is not asked how it knows it. The problem is that of the checker, computed from the
triples by the checker's own functions. A linear program over it (variables for candidates, and for pairs of candidates
that are at most as large as each of them) has prices. Rounded up to whole numbers of 1/D they are a step of a proof.

This module imports scipy, so it is imported only when certificates are made.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
from scipy.optimize import linprog
from scipy.sparse import csr_array

from fastmatch.certificates.check_certificates import after, taken, without

if TYPE_CHECKING:
    from typing import TypeAlias

    from fastmatch.types import FloatArray, Int64Array

    Pair: TypeAlias = tuple[int, int]
    #: Gains of candidates, and of pairs of candidates.
    Own: TypeAlias = dict[Pair, int]
    Edges: TypeAlias = dict[tuple[Pair, Pair], int]
    Step: TypeAlias = dict[str, Any]

__all__ = ["Prover"]

#: Exponents of the denominators that are tried. Prices are often halves and thirds; small numbers make small files.
_SCALES = (0, 1, 2, 4, 7, 11, 16)
#: The next linear program is worth it if no more of the candidates than this share are left; else the proof branches.
_WORTH_AGAIN = 0.9
#: Entries of a linear program, at most: some 5 s.
_LARGEST = 1_500_000


class Prover:
    """Looks for a proof with a limited number of linear programs.

    Parameters
    ----------
    n, m : int
        Variables of both graphs.
    unit : int
        So many units are a whole match.
    programs : int
        Linear programs that may be solved.
    """

    def __init__(self, n: int, m: int, unit: int, programs: int) -> None:
        self.n, self.m, self.unit, self.left = n, m, unit, programs

    def proof(self, w: Own, g: Edges, goal: int) -> list[Step] | None:
        """Steps that prove that no map has a value of ``goal`` or more; None if there was no proof within the limit."""
        steps: list[Step] = []
        while True:
            problem = _Problem(self.n, self.m, w, g)
            step = problem.step(problem.whole(), goal, (0,))
            if step["closes"]:
                return [*steps, _written(step)]
            if goal <= 0 or self.left <= 0 or problem.size > _LARGEST:  # the empty map reaches 0
                return None
            self.left -= 1
            found = problem.prices(self.unit)
            if found is None:
                return None
            prices, x = found
            candidates = problem.candidates
            step = problem.step(prices, goal, _SCALES if self.unit == 1 else (0, 4))
            if step["closes"]:
                return [*steps, _written(step)]
            left = after(_written(step), self.n, self.m, w, g, goal)
            assert left is not None
            count = len(problem.candidates)
            if len(left[0]) + len(left[1]) < len(w) + len(g):
                steps.append(_written(step))
                w, g = left
                problem = _Problem(self.n, self.m, w, g)
                if len(problem.candidates) < _WORTH_AGAIN * count:
                    continue
            values = dict(zip(candidates, x.tolist(), strict=True))
            branch = self._branch(problem.doubtful(np.array([values[pair] for pair in problem.candidates])), w, g, goal)
            return None if branch is None else [*steps, branch]

    def _branch(self, pair: Pair, w: Own, g: Edges, goal: int) -> Step | None:
        own, edges, gain = taken(w, g, *pair)
        with_it = self.proof(own, edges, goal - gain)
        if with_it is None:
            return None
        own, edges = without(w, g, {pair})
        without_it = self.proof(own, edges, goal)
        return None if without_it is None else {"take": list(pair), "with": with_it, "without": without_it}


def _written(step: Step) -> Step:
    return {name: step[name] for name in ("d", "split", "inner", "u", "v")}


class _Groups(NamedTuple):
    """Halves of a candidate that lead to one line, a row or a column.

    Attributes
    ----------
    owner, line : int64[n_groups]
        The candidate, and the line.
    number : int64[n_halves]
        The group of each half.
    """

    owner: Int64Array
    line: Int64Array
    number: Int64Array


class _Prices(NamedTuple):
    """What a step is made of.

    Attributes
    ----------
    share : float64[n_edges]
        What of each gain the first candidate gets.
    inner : float64[n_groups]
        Prices of the columns that halves of a candidate lead to.
    v : float64[m]
        Prices of columns.
    """

    share: FloatArray
    inner: FloatArray
    v: FloatArray


class _Problem:
    """Gains as arrays: candidates, and the edges between them, in the order of the checker."""

    def __init__(self, n: int, m: int, w: Own, g: Edges) -> None:
        edges = sorted(g)
        self.n, self.m = n, m
        self.candidates: list[Pair] = sorted({*w, *(end for edge in edges for end in edge)})
        place = {pair: k for k, pair in enumerate(self.candidates)}
        self.rows, self.columns = np.array(self.candidates, np.int64).reshape(-1, 2).T
        self.own = np.array([w.get(pair, 0) for pair in self.candidates], np.int64)
        self.gain = np.array([g[edge] for edge in edges], np.int64)
        ends = np.array([(place[one], place[two]) for one, two in edges], np.int64).reshape(-1, 2).T
        # each edge from each of its ends: the candidate here, and the row and the column there
        self.here, there = np.concatenate(ends), np.concatenate(ends[::-1])
        # the halves of a candidate that lead to one row, and to one column: groups of which one counts at most
        self.groups = []
        for side, size in ((self.rows, n), (self.columns, m)):
            found, number = np.unique(self.here * max(size, 1) + side[there], return_inverse=True)
            self.groups.append(_Groups(found // max(size, 1), found % max(size, 1), number))
        self.size = 6 * len(edges) + 4 * len(self.candidates)

    def whole(self) -> _Prices:
        """All of each gain for the first candidate, and no prices."""
        return _Prices(self.gain.astype(np.float64), np.zeros(len(self.groups[1].owner)), np.zeros(self.m))

    def prices(self, unit: int) -> tuple[_Prices, FloatArray] | None:
        """Those of the linear program, and the values of the candidates."""
        n_candidates, n_edges = len(self.candidates), len(self.gain)
        edge = n_candidates + np.tile(np.arange(n_edges), 2)
        rows, columns = [self.rows, self.n + self.columns], [np.arange(n_candidates)] * 2
        base = [self.n + self.m]
        for owner, _, number in self.groups:
            rows += [base[-1] + number, base[-1] + np.arange(len(owner))]
            columns += [edge, owner]
            base.append(base[-1] + len(owner))
        values = np.concatenate([np.ones(len(part)) for part in rows])
        for k in (3, 5):
            start = sum(map(len, rows[:k]))
            values[start : start + len(rows[k])] = -1
        places: Any = tuple(np.concatenate(part).astype(np.int32) for part in (rows, columns))
        matrix: Any = csr_array((values, places), (base[-1], n_candidates + n_edges))
        limits = np.zeros(base[-1])
        limits[: base[0]] = 1
        gains = np.concatenate([self.own, self.gain]) / unit
        result = linprog(-gains, A_ub=matrix, b_ub=limits, bounds=(0, None), method="highs")
        if result.status != 0:
            return None
        price = np.maximum(0.0, -result.ineqlin.marginals) * unit
        outer, inner = price[base[0] : base[1]], price[base[1] :]
        share = np.minimum(outer[self.groups[0].number[:n_edges]] + inner[self.groups[1].number[:n_edges]], self.gain)
        x = np.asarray(result.x)
        return _Prices(share, inner, price[self.n : base[0]]), x[:n_candidates]

    def doubtful(self, x: FloatArray) -> Pair:
        """The candidate to branch on: of those that are partly chosen, the one that brings most with its neighbours."""
        worth = self.own + np.bincount(self.here, np.tile(self.gain, 2), len(self.own))
        return self.candidates[int(np.argmax(np.minimum(x, 1 - x) * (1 + worth)))]

    def step(self, prices: _Prices, goal: int, scales: tuple[int, ...]) -> Step:
        """The first step in whole numbers, of rising denominators, whose bound is below the goal; else the lowest."""
        found: Step | None = None
        for d in scales:
            scale = 1 << d
            share, inner, v = (np.rint(part * scale).astype(np.int64) for part in prices)
            share = np.minimum(share, scale * self.gain)
            u, v = self._mended(self._least(share, inner, scale), v)
            bound = int(u.sum() + v.sum()) / scale
            if found is None or bound < found["bound"]:
                owner, column, _ = self.groups[1]
                used = np.flatnonzero(inner)
                places = np.stack(
                    [self.rows[owner[used]], self.columns[owner[used]], column[used], inner[used]], axis=1
                )
                found = {
                    "bound": bound,
                    "d": d,
                    "split": None if (share == scale * self.gain).all() else share.tolist(),
                }
                found |= {"inner": places.tolist(), "u": u.tolist(), "v": v.tolist(), "closes": bound < goal}
                if found["closes"]:
                    break
        assert found is not None
        return found

    def _least(self, share: Int64Array, inner: Int64Array, scale: int) -> Int64Array:
        """What the prices of each candidate are to reach."""
        halves = np.concatenate([share, scale * self.gain - share])
        (owner, _, number), (other, _, column) = self.groups
        best = np.zeros(len(owner), np.int64)
        np.maximum.at(best, number, halves - inner[column])
        total = scale * self.own
        np.add.at(total, owner, best)
        np.add.at(total, other, inner)
        return total

    def _mended(self, least: Int64Array, v: Int64Array) -> tuple[Int64Array, Int64Array]:
        """Prices of rows that are large enough beside those of the columns, and those of the columns no larger."""
        u = np.zeros(self.n, np.int64)
        np.maximum.at(u, self.rows, least - v[self.columns])
        smaller = np.zeros(self.m, np.int64)
        np.maximum.at(smaller, self.columns, least - u[self.rows])
        return u, smaller
