"""Branch and bound by linear programs: its results are those of HiGHS's own search, and its bounds hold."""

import time
from types import SimpleNamespace

import numpy as np
import pytest

import fastmatch as fm
from fastmatch._ext.matching.problem import build_problem
from fastmatch.metrics.shared import integer_program, linear_programs

from support.entangled import relabelled_tree
from support.exact_search import prepared, worth
from support.nightly import by_day
from support.places import DATA


def problem_of(seed: int, n: int) -> integer_program.Problem:
    return build_problem(*prepared(*relabelled_tree(seed, n, max(1, n // 4), 3)), 0, 0)


@pytest.mark.parametrize("seed", by_day(list(range(10)), 3))
@pytest.mark.parametrize("whole", [True, False])
def test_the_optimum_is_that_of_the_integer_program(seed: int, whole: bool) -> None:
    problem = problem_of(seed, 10 + seed)
    if not whole:
        rng = np.random.default_rng(seed)
        unary, weight = (gains * rng.uniform(0.3, 1.7, len(gains)) for gains in (problem[4], problem[7]))
        problem = (*problem[:4], unary, *problem[5:7], weight)
    optimum = integer_program.solve(problem).matched
    found = linear_programs.branch(problem, 0, 10**9)
    assert found.certified and found.matched == found.upper == pytest.approx(optimum, abs=1e-5)
    assert worth(problem, found.mapping) == pytest.approx(found.matched, abs=1e-9)
    # no map is worth more than the optimum
    again = linear_programs.branch(problem, found.matched, 10**9)
    assert (again.matched, again.upper, again.certified) == (found.matched, found.matched, True)
    assert (again.mapping == -1).all()


def test_candidates_are_excluded_by_the_bound_of_their_own_prices() -> None:
    """After a program with cuts comes one without: its prices do not go with the bound of the first.

    A few problems of hundreds of candidates show it, and none that was drawn at random. This one is in the file.
    """
    sizes, candidates, pairs = (DATA / "excluded.txt").read_text("ascii").split("\n\n")
    rows, columns, unary = np.array([text.split("-") for text in candidates.split()], np.int64).T
    first, second = np.array([text.split("-") for text in pairs.split()], np.int32).T
    n_rows, n_columns = map(int, sizes.split())
    places = rows.astype(np.int32), columns.astype(np.int32)
    problem = (n_rows, n_columns, *places, unary, first, second, np.ones(len(first), np.int64))
    optimum = integer_program.solve(problem).matched
    assert linear_programs.branch(problem, optimum - 1, 50_000_000)[:3] == (optimum, optimum, True)


@pytest.mark.parametrize("seed", range(6))
def test_bounds_hold_whenever_the_work_ends(seed: int) -> None:
    problem = problem_of(seed, 26)
    optimum = integer_program.solve(problem).matched
    for work in (0, 500_000, 2_000_000, 5_000_000):
        found = linear_programs.branch(problem, 1, work)
        assert 1 <= found.matched <= optimum <= found.upper and found.certified == (found.matched == found.upper)
    assert linear_programs.branch(problem, 1, 0)[:3] == (1, np.inf, False)
    assert linear_programs.branch(problem, 1, 10**9, until=time.time() - 1.0)[:3] == (1, np.inf, False)


def test_bounds_do_not_rely_on_highs(monkeypatch: pytest.MonkeyPatch) -> None:
    """Whatever it returns as prices, no bound is below the optimum."""
    problem = problem_of(3, 20)
    optimum = integer_program.solve(problem).matched
    solve = linear_programs.linprog
    rng = np.random.default_rng(0)

    def wrong(*arguments: object, **options: object) -> object:
        result = solve(*arguments, **options)
        if result.status != 0:
            return result
        prices = result.ineqlin.marginals * rng.uniform(0.5, 1.2, len(result.ineqlin.marginals))
        return SimpleNamespace(status=0, x=result.x, nit=result.nit, fun=0.0, ineqlin=SimpleNamespace(marginals=prices))

    monkeypatch.setattr(linear_programs, "linprog", wrong)
    for work in (3_000_000, 30_000_000):
        found = linear_programs.branch(problem, 0, work)
        assert found.matched <= optimum <= found.upper


@pytest.mark.parametrize("solution", [None, np.zeros(1)])
def test_a_solution_that_fails_leaves_the_bound_as_it_was(monkeypatch: pytest.MonkeyPatch, solution: object) -> None:
    monkeypatch.setattr(linear_programs, "linprog", lambda *_, **__: SimpleNamespace(status=4, x=solution))
    assert linear_programs.branch(problem_of(1, 12), 2, 10**9)[:3] == (2, np.inf, False)


def test_cuts_exclude_no_map() -> None:
    """Every map keeps to them: the best one with random gains is worth the same with the cuts of other gains."""
    problem = problem_of(2, 16)
    n = len(problem[4])
    rng = np.random.default_rng(0)
    cut = 0
    for _ in range(8):
        program = linear_programs._Program(problem)
        columns = len(program.gains)
        cut += program.cut(rng.uniform(0.3, 0.7, columns))
        unary, weight = rng.uniform(0, 1, n), rng.uniform(0, 1, columns - n)
        mapping = integer_program.solve((*problem[:4], unary, *problem[5:7], weight)).mapping
        chosen = mapping[problem[2]] == problem[3]
        x = np.concatenate([chosen, chosen[problem[5]] & chosen[problem[6]]]).astype(float)
        assert (program.matrix @ x <= program.limits + 1e-12).all()
    assert cut > 100


def test_weights_of_ones_own_are_certified_by_default() -> None:
    """80 variables; steps of the relaxation alone left a gap of 0.4."""
    corpus, other = relabelled_tree(2, 80, 20, 5)
    weight = {f":r{k}": 0.8 + 0.07 * k for k in range(5)}
    assert fm.score(corpus, other, metric="softmatch", weight=weight).certified
    # little work is done in one process
    assert not fm.score(corpus, other, metric="softmatch", weight=weight, effort="low").certified


def test_iterations_count_the_more_the_more_there_are(monkeypatch: pytest.MonkeyPatch) -> None:
    """They need many iterations, which get longer and longer. Where each counted its columns, a pair took 1.5 s."""
    n, rng = 17, np.random.default_rng(0)
    gains = np.zeros(n * n, np.int64)
    rows, columns = (np.ascontiguousarray(ends.ravel().astype(np.int32)) for ends in np.indices((n, n)))
    first, second = rng.integers(0, n * n, (2, 4000)).astype(np.int32)
    fine = (rows[first] != rows[second]) & (columns[first] != columns[second])
    first, second = first[fine][:1200], second[fine][:1200]
    problem = (n, n, rows, columns, gains, first, second, np.ones(len(first), np.int64))
    solve, visits = linear_programs.linprog, []

    def counted(*arguments, **options):
        result = solve(*arguments, **options)
        visits.append(result.nit * (750 + result.nit))
        return result

    monkeypatch.setattr(linear_programs, "linprog", counted)
    limit = 20_000_000
    assert not linear_programs.branch(problem, 0, limit).certified and 0.5 * limit < sum(visits) <= limit
