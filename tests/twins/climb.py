"""smatch 1.0.4's hill-climber, restated slowly: every neighbour is scored from nothing by ``Problem.value``.

With ``random.Random(0)`` fresh for each pair it reproduces, pair by pair, the counts that the released package gives
under the same generator; that is how it was checked. ``improvement`` answers the question the compiled climber is
tested with: is there a move or swap that a correct climber would still have made?
"""

from collections.abc import Sequence
from random import Random

from twins.smatch_problem import Problem


def neighbours(problem: Problem, mapping: Sequence[int]) -> list[list[int]]:
    """All maps one step away, in smatch's order: moves to free candidates first, then swaps of two images."""
    taken = set(mapping)
    result = []
    for i in range(problem.n):
        for j in range(problem.m):
            if j not in taken and j in problem.candidates[i]:
                result.append([*mapping[:i], j, *mapping[i + 1 :]])
    for i in range(problem.n):
        for k in range(i + 1, problem.n):
            swapped = list(mapping)
            swapped[i], swapped[k] = swapped[k], swapped[i]
            result.append(swapped)
    return result


def improvement(problem: Problem, mapping: Sequence[int]) -> tuple[int, list[int]]:
    """Return the largest gain of any neighbour and the first neighbour with it; (0, mapping) at a local optimum."""
    value = problem.value(mapping)
    best_gain, best = 0, list(mapping)
    for neighbour in neighbours(problem, mapping):
        gain = problem.value(neighbour) - value
        if gain > best_gain:
            best_gain, best = gain, neighbour
    return best_gain, best


def _draw(candidates: list[int], taken: set[int], random: Random) -> int:
    """Draw from ``candidates`` (a copy that is used up) until one is free; -1 when none is."""
    while candidates:
        position = random.randint(0, len(candidates) - 1)
        if candidates[position] not in taken:
            taken.add(candidates[position])
            return candidates[position]
        candidates.pop(position)
    return -1


def smart_start(problem: Problem, concepts_a: Sequence[str], concepts_b: Sequence[str], random: Random) -> list[int]:
    """First start: equal raw concepts first (case and underscores matter here), the rest drawn at random."""
    mapping = [-1] * problem.n
    taken: set[int] = set()
    postponed = []
    for i, candidates in enumerate(problem.candidates):
        for j in candidates:
            if concepts_a[i] == concepts_b[j] and j not in taken:
                mapping[i] = j
                taken.add(j)
                break
        else:
            if candidates:
                postponed.append(i)
    for i in postponed:
        mapping[i] = _draw(list(problem.candidates[i]), taken, random)
    return mapping


def random_start(problem: Problem, random: Random) -> list[int]:
    """Further starts: each variable in turn draws a free candidate."""
    taken: set[int] = set()
    return [_draw(list(candidates), taken, random) for candidates in problem.candidates]


def ascend(problem: Problem, mapping: list[int]) -> list[int]:
    """Steepest ascent from ``mapping`` to a local optimum."""
    while True:
        gain, following = improvement(problem, mapping)
        if gain == 0:
            return mapping
        mapping = following


def climb(
    problem: Problem, concepts_a: Sequence[str], concepts_b: Sequence[str], *, restarts: int = 4, random: Random
) -> tuple[int, list[int]]:
    """Best of one smart and ``restarts`` random starts; the earliest best wins."""
    best_value, best = 0, [-1] * problem.n
    for start in range(restarts + 1):
        if start == 0:
            mapping = smart_start(problem, concepts_a, concepts_b, random)
        else:
            mapping = random_start(problem, random)
        mapping = ascend(problem, mapping)
        if (value := problem.value(mapping)) > best_value:
            best_value, best = value, mapping
    return best_value, best
