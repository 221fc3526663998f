"""smatch 1.0.4's hill-climber, restated slowly: every neighbour is scored from nothing by ``Problem.value``."""

from collections.abc import Sequence

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


def ascend(problem: Problem, mapping: list[int]) -> list[int]:
    """Steepest ascent from ``mapping`` to a local optimum; of equally good neighbours the first is taken."""
    while True:
        best = max(neighbours(problem, mapping), key=problem.value, default=mapping)
        if problem.value(best) <= problem.value(mapping):
            return mapping
        mapping = best
