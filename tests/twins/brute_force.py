"""The optimum by looking at every map.

Weights are never negative, so a map that leaves a variable of the smaller graph without partner is never better than
the same map with one added: only the maps that use every variable of the smaller graph are looked at. For graphs of up
to 7 variables they are at most 5,040.
"""

from collections.abc import Iterator
from itertools import permutations

from twins.smatch_problem import Problem

Pair = tuple[int, int]

LIMIT = 7
"""More variables than this on the smaller side would take minutes."""


def full_maps(n: int, m: int) -> Iterator[list[int]]:
    """Yield every one-to-one map from n to m that uses all variables of the smaller side."""
    if n <= m:
        yield from (list(images) for images in permutations(range(m), n))
        return
    for chosen in permutations(range(n), m):
        mapping = [-1] * n
        for j, i in enumerate(chosen):
            mapping[i] = j
        yield mapping


def optimum(problem: Problem) -> tuple[int, list[int]]:
    """Return the largest value of any map and the first map that reaches it."""
    if max(problem.n, problem.m) > LIMIT:
        raise ValueError(f"brute force is for at most {LIMIT} variables, not {problem.n} and {problem.m}")
    best = max(full_maps(problem.n, problem.m), key=problem.value)
    return problem.value(best), best


def best_map(n: int, m: int, unary: dict[Pair, int], binary: dict[tuple[Pair, Pair], int]) -> tuple[int, list[int]]:
    """The largest value of a map from n to m variables, with gains of pairs and of two pairs; and such a map."""
    return optimum(Problem(n, m, unary, binary, [], 0, 0))
