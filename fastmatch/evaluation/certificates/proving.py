"""Proofs that no map is better than a known one; see :mod:`check_certificates` for what they are.

The search that found the optimum is not asked how it knows it. The problem is that of the checker, computed from the
triples by the checker's own functions. A compiled kernel finds prices whose bound is as low as rounds of the relaxation
make it: a step. If its bound is not low enough, candidates leave, or the proof branches.
"""

from __future__ import annotations

import json
from typing import Any, TypeAlias

import numpy as np

from fastmatch._ext.matching.proofs import prices
from fastmatch.evaluation.certificates.check_certificates import WORK, gone_after, left
from fastmatch.types import Int32Array

Pair: TypeAlias = tuple[int, int]
#: Gains of candidates, and of pairs of candidates.
Own: TypeAlias = dict[Pair, int]
Edges: TypeAlias = dict[tuple[Pair, Pair], int]
Step: TypeAlias = dict[str, Any]

#: Visits that take as long as what is done here for a step, about.
_STEP = 20_000


def _columns(pairs: list[Pair]) -> Int32Array:
    """int32[2, n]."""
    return np.array(pairs, np.int32).reshape(-1, 2).T.copy()


class Prover:
    """Looks for a proof with limited work.

    Parameters
    ----------
    n, m : int
        Variables of both graphs.
    unit : int
        So many units are a whole match.
    step : int
        Gains are multiples of 1/``unit`` of a match; no map is to be better by so many units.
    work : int
        Visits of candidates and their edges that may be made.
    """

    def __init__(self, n: int, m: int, unit: int, step: int, work: int) -> None:
        self.n, self.m, self.unit, self.step, self.left = n, m, unit, step, work
        #: So much longer a proof may be, as the checker measures it.
        self.room = WORK

    def proof(self, w: Own, g: Edges, goal: int) -> list[Step] | None:
        """Steps that prove that no map has a value of ``goal`` or more; None if there was no proof within the limit."""
        steps: list[Step] = []
        while goal > 0 and self.left > 0 and self.room > 0:  # the empty map reaches 0
            candidates = sorted({*w, *(end for edge in g for end in edge)})
            place = {pair: k for k, pair in enumerate(candidates)}
            rows, cols = _columns(candidates)
            first, second = _columns([(place[one], place[two]) for one, two in g])
            own = np.array([w.get(pair, 0) for pair in candidates], np.float64) / self.unit
            gains = np.array(list(g.values()), np.float64) / self.unit
            text, closes, doubtful, work = prices(
                self.n, self.m, rows, cols, own, first, second, gains, self.unit, goal, self.step, self.left
            )
            self.left -= work + _STEP
            if text is None:
                return None
            step: Step = json.loads(text)
            length = self.n + self.m + len(candidates) + len(g)
            length += sum(len(some) ** 2 for some in step.get("cliques", ()))
            self.room -= length
            steps.append(step)
            if closes:
                return steps
            gone = gone_after(step, w, g, goal)
            assert gone is not None
            if gone:
                w, g, goal = left(w, g, goal, gone)
            else:
                steps.pop()
                self.room += length
            if doubtful < 0:
                continue
            pair = candidates[doubtful]
            others = {(j, b) for j, b in candidates if (j == pair[0]) != (b == pair[1])}
            branch: Step = {"take": list(pair)}
            for name, gone in (("with", others), ("without", {pair})):
                proof = self.proof(*left(w, g, goal, gone))
                if proof is None:
                    return None
                branch[name] = proof
            return [*steps, branch]
        return None
