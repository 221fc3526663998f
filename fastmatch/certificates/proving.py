"""Proofs that no map is better than a known one, from linear programs; see :mod:`check_certificates` for what they are.

The search that found the optimum is not asked how it knows it. The problem is that of the checker, computed from the
triples by the checker's own functions. A linear program over it (variables for candidates, and for pairs of candidates
that are at most as large as each of them) has prices. Rounded up to whole numbers of 1/D they are a step of a proof.

This module imports scipy, so it is imported only when certificates are made.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

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
#: Entries of a linear program, at most: some 5 s.
_LARGEST = 400_000


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
            step = problem.step(*problem.halves(), goal, (0,))
            if step is not None and step["closes"]:
                return [*steps, _written(step)]
            if self.left <= 0 or problem.size > _LARGEST:
                return None
            self.left -= 1
            prices = problem.prices(self.unit)
            if prices is None:
                return None
            share, v, x = prices
            step = problem.step(share, v, goal, _SCALES if self.unit == 1 else (0, 4))
            if step["closes"]:
                return [*steps, _written(step)]
            left = after(_written(step), self.n, self.m, w, g, goal)
            assert left is not None
            if len(left[0]) + len(left[1]) < len(w) + len(g) and _candidates(*left) < len(problem.candidates):
                steps.append(_written(step))
                w, g = left
                continue
            branch = self._branch(problem.candidates[int(np.argmin(abs(x - 0.5)))], w, g, goal)
            return None if branch is None else [*steps, branch]

    def _branch(self, pair: Pair, w: Own, g: Edges, goal: int) -> Step | None:
        own, edges, gain = taken(w, g, *pair)
        with_it = self.proof(own, edges, goal - gain)
        if with_it is None:
            return None
        own, edges = without(w, g, {pair})
        without_it = self.proof(own, edges, goal)
        return None if without_it is None else {"take": list(pair), "with": with_it, "without": without_it}


def _candidates(w: Own, g: Edges) -> int:
    return len({*w, *(end for edge in g for end in edge)})


def _written(step: Step) -> Step:
    return {name: step[name] for name in ("d", "split", "u", "v")}


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
        self.first, self.second = ends
        # each edge from each of its ends: the candidate here, and the row and the column there
        self.here, there = np.concatenate([self.first, self.second]), np.concatenate([self.second, self.first])
        self.groups = []
        for side, size in ((self.rows, n), (self.columns, m)):
            found, number = np.unique(self.here * size + side[there], return_inverse=True)
            self.groups.append((found // max(size, 1), number))
        self.size = 4 * len(edges) + 3 * len(self.candidates)

    def halves(self) -> tuple[FloatArray, FloatArray]:
        """All of each gain for the first candidate, and no price for a column."""
        return self.gain.astype(np.float64), np.zeros(self.m)

    def prices(self, unit: int) -> tuple[FloatArray, FloatArray, FloatArray] | None:
        """What the first end of each edge gets, prices of columns, and values of candidates; of the linear program."""
        n_candidates, n_edges = len(self.candidates), len(self.gain)
        owner, number = self.groups[0]
        base = self.n + self.m
        edge = n_candidates + np.tile(np.arange(n_edges), 2)
        rows = np.concatenate([self.rows, self.n + self.columns, base + number, base + np.arange(len(owner))])
        columns = np.concatenate([np.arange(n_candidates), np.arange(n_candidates), edge, owner])
        values = np.ones(len(rows))
        values[len(rows) - len(owner) :] = -1
        matrix: Any = csr_array(
            (values, (rows.astype(np.int32), columns.astype(np.int32))), (base + len(owner), n_candidates + n_edges)
        )
        limits = np.zeros(base + len(owner))
        limits[:base] = 1
        gains = np.concatenate([self.own, self.gain]) / unit
        result = linprog(-gains, A_ub=matrix, b_ub=limits, bounds=(0, None), method="highs")
        if result.status != 0:
            return None
        price = np.maximum(0.0, -result.ineqlin.marginals) * unit
        share = np.minimum(price[base + number[:n_edges]], self.gain)
        values = np.asarray(result.x)
        return share, price[self.n : base], values[:n_candidates]

    def step(self, share: FloatArray, v: FloatArray, goal: int, scales: tuple[int, ...]) -> Any:
        """The first step in whole numbers, of rising denominators, whose bound is below the goal; else the last one."""
        for d in scales:
            scale = 1 << d
            split = np.minimum(np.rint(share * scale).astype(np.int64), scale * self.gain)
            least = self._least(split, scale)
            spare = np.rint(v * scale).astype(np.int64)
            u, spare = self._mended(least, spare)
            total = int(u.sum() + spare.sum())
            closes = total < scale * goal
            if closes:
                break
        whole = bool((split == scale * self.gain).all())
        return {
            "closes": closes,
            "d": d,
            "split": None if whole else split.tolist(),
            "u": u.tolist(),
            "v": spare.tolist(),
        }

    def _least(self, split: Int64Array, scale: int) -> Int64Array:
        """What the prices of each candidate are to reach."""
        parts = np.maximum(np.concatenate([split, scale * self.gain - split]), 0)
        sums = []
        for owner, number in self.groups:
            best = np.zeros(len(owner), np.int64)
            np.maximum.at(best, number, parts)
            total = np.zeros(len(self.candidates), np.int64)
            np.add.at(total, owner, best)
            sums.append(total)
        return scale * self.own + np.minimum(*sums)

    def _mended(self, least: Int64Array, v: Int64Array) -> tuple[Int64Array, Int64Array]:
        """Prices of rows that are large enough beside those of the columns, and those of the columns no larger."""
        u = np.zeros(self.n, np.int64)
        np.maximum.at(u, self.rows, least - v[self.columns])
        smaller = np.zeros(self.m, np.int64)
        np.maximum.at(smaller, self.columns, least - u[self.rows])
        return u, smaller
