"""Score lists of graph pairs: the entry points through which every way of using Smatch goes.

Both functions take a stretch ``start .. stop`` of the pair list, run it without the GIL and write to the given arrays
at the pairs' own places, so any number of threads may share the work. What a pair gets does not depend on the stretch
it is in.
"""

from libc.math cimport floor
from libc.stdint cimport int32_t, int64_t, uint8_t, uint64_t
from libc.string cimport memcpy

from fastmatch._ext.base.arena cimport Arena, arena_free, arena_init
from fastmatch._ext.base.pairs cimport check_cancel, check_mapping, check_pairs, check_room, row_of
from fastmatch._ext.base.status cimport FINE, NO_MEMORY, TOO_LARGE, raise_status
from fastmatch._ext.matching.climb cimport FEW_CANDIDATES, climb
from fastmatch._ext.matching.coarse cimport coarse_match, counting_bound
from fastmatch._ext.matching.exact cimport Solver, seconds_spent, solve, solver_free, solver_init
from fastmatch._ext.matching.problem cimport PROBLEM_LIMIT, GraphView, Problem, build, problem_arrays, view_graph
from fastmatch._ext.matching.triples cimport TripleFeatures


cdef int check(
    TripleFeatures a, TripleFeatures b, const int32_t[::1] index_a, const int32_t[::1] index_b,
    Py_ssize_t start, Py_ssize_t stop, Py_ssize_t n_out, const uint8_t[::1] cancel,
    const int64_t[::1] mapping_offsets, const int32_t[::1] mapping,
) except -1:
    """Check once what the kernels then trust; see base/pairs.pxd."""
    cdef Py_ssize_t k
    check_pairs(index_a, index_b, start, stop, a.n_graphs, b.n_graphs, n_out)
    check_cancel(cancel)
    check_mapping(mapping_offsets, mapping, index_a.shape[0])
    for k in range(start, stop):
        check_room(mapping_offsets, mapping, k, a.variables[index_a[k]])
    return 0


def score_exact(
    TripleFeatures a not None,
    TripleFeatures b not None,
    const int32_t[::1] index_a not None,
    const int32_t[::1] index_b not None,
    Py_ssize_t start,
    Py_ssize_t stop,
    *,
    int64_t max_work,
    double time_limit,
    const uint8_t[::1] cancel not None,
    int64_t[::1] matched not None,
    int64_t[::1] upper not None,
    uint8_t[::1] certified not None,
    const int64_t[::1] mapping_offsets=None,
    int32_t[::1] mapping=None,
    list unsolved=None,
    int64_t branching=5_000_000,
):
    """The most triples that can match, with a certificate, for pairs ``start .. stop - 1``.

    Args:
        a, b: features of the two corpora (same options, same vocabulary).
        index_a, index_b: int32, shape (n_pairs,): graphs of each pair.
        max_work: candidates and halves visited after which a pair is left open; the result then is the same on every
            machine. Pairs too large to be searched at all (5 million edge-pairs) get a greedy map and a bound from
            counts.
        time_limit: the same in seconds of wall time a pair; ``inf`` for none.
        cancel: uint8, shape (1,): set to 1 by another thread, it leaves the remaining pairs unscored.
        matched, upper, certified: outputs, shape (n_pairs,). matched <= optimum <= upper; certified if they are equal.
        mapping_offsets, mapping: if given, mapping[mapping_offsets[k] + i] becomes the variable of b that variable i of
            a is mapped to in pair k, or -1.
        unsolved: if given, large pairs that branching does not close soon are left open, and get an entry ``(k,
            seconds, problem)``: the pair, the wall time spent on it if there is a limit of it (else 0), and what is
            left of its problem, in the form of :func:`fastmatch._ext.matching.problem.build_problem`. If a map matches
            more than ``matched[k]``, it is a map of that problem.
        branching: how soon, in the unit of ``max_work``; the default is less than a tenth of a second.

    Raises:
        IndexError, ValueError: an index or an array's length does not fit.
        MemoryError: a pair does not fit in memory.
    """
    check(a, b, index_a, index_b, start, stop, min(matched.shape[0], upper.shape[0], certified.shape[0]), cancel,
          mapping_offsets, mapping)
    cdef Py_ssize_t k = start
    cdef GraphView view_a, view_b
    cdef Arena arena
    cdef Problem problem
    cdef Solver solver
    cdef const int32_t *best = NULL
    cdef int32_t *row
    cdef int status = FINE
    arena_init(&arena)
    solver_init(&solver)
    solver.limits.step = 1.0
    solver.limits.work = max_work
    solver.limits.seconds = time_limit
    solver.limits.cancel = &cancel[0]
    solver.limits.branching = branching if unsolved is not None else -1
    with nogil:
        for k in range(start, stop):
            if cancel[0]:
                break
            view_graph(&view_a, a, index_a[k])
            view_graph(&view_b, b, index_b[k])
            row = row_of(mapping_offsets, mapping, k, view_a.n_variables)
            status = build(&arena, &view_a, &view_b, PROBLEM_LIMIT, &problem)
            if status == TOO_LARGE:
                matched[k] = coarse_match(&arena, &view_a, &view_b, &best)
                upper[k] = counting_bound(&view_a, &view_b)
                status = FINE if matched[k] >= 0 else NO_MEMORY
            elif status == FINE:
                status = solve(&solver, &problem)
                if status == FINE:
                    matched[k] = <int64_t> (solver.lower + 0.5)
                    upper[k] = <int64_t> floor(solver.upper + 1e-6)
                    best = solver.best
                    if upper[k] > matched[k]:
                        upper[k] = min(upper[k], counting_bound(&view_a, &view_b))
                    if solver.handed_over and upper[k] > matched[k]:
                        with gil:
                            unsolved.append((k, seconds_spent(&solver), problem_arrays(&solver.core, True)))
            if status != FINE:
                break
            certified[k] = matched[k] == upper[k]
            if row != NULL:
                memcpy(row, best, view_a.n_variables * sizeof(int32_t))
    arena_free(&arena)
    solver_free(&solver)
    if status != FINE:
        raise_status(status, f"matching pair {k} does not fit in memory")


def score_climb(
    TripleFeatures a not None,
    TripleFeatures b not None,
    const int32_t[::1] index_a not None,
    const int32_t[::1] index_b not None,
    Py_ssize_t start,
    Py_ssize_t stop,
    *,
    int32_t restarts=4,
    uint64_t seed=0,
    const uint8_t[::1] cancel not None,
    int64_t[::1] matched not None,
    const int64_t[::1] mapping_offsets=None,
    int32_t[::1] mapping=None,
):
    """Smatch's hill-climbing for pairs ``start .. stop - 1``: one smart and ``restarts`` random starts.

    A pair's result depends on its graphs, their places in ``a`` and ``b``, ``restarts`` and ``seed`` alone.

    Args:
        a, b: features of the two corpora (same options, same vocabulary).
        index_a, index_b: int32, shape (n_pairs,): graphs of each pair.
        restarts: at least 0.
        seed: 0 to 2**64 - 1.
        cancel: uint8, shape (1,): set to 1 by another thread, it leaves the remaining pairs unscored, the one at work
            among them.
        matched: output, shape (n_pairs,): the best of the starts, never above the optimum.
        mapping_offsets, mapping: if given, mapping[mapping_offsets[k] + i] becomes the variable of b that variable i of
            a is mapped to in pair k, or -1; -1 also where the two have no part in any match.

    Raises:
        IndexError, ValueError: an index or an array's length does not fit, or ``restarts`` is negative.
        OverflowError: ``seed`` is out of range.
        MemoryError: a pair does not fit in memory. The pairs before it are done, those after it are not.

    A pair too large for a search gets the greedy map that :func:`score_exact` falls back on.

    Cost of a step: O(candidates) for a sentence, for a document O(candidates in the rows and columns it concerns).
    Source: Cai and Knight 2013, as in smatch 1.0.4; see ``climb.pyx`` for what differs.
    """
    if restarts < 0:
        raise ValueError(f"restarts must not be negative: {restarts}")
    check(a, b, index_a, index_b, start, stop, matched.shape[0], cancel, mapping_offsets, mapping)
    cdef Py_ssize_t k = start
    cdef GraphView view_a, view_b
    cdef Arena problem_arena, climb_arena
    cdef Problem problem
    cdef int32_t *row
    cdef const int32_t *coarse = NULL
    cdef double found = 0
    cdef int status = FINE
    arena_init(&problem_arena)
    arena_init(&climb_arena)
    with nogil:
        for k in range(start, stop):
            if cancel[0]:
                break
            view_graph(&view_a, a, index_a[k])
            view_graph(&view_b, b, index_b[k])
            row = row_of(mapping_offsets, mapping, k, view_a.n_variables)
            status = build(&problem_arena, &view_a, &view_b, PROBLEM_LIMIT, &problem)
            if status == TOO_LARGE:
                matched[k] = coarse_match(&problem_arena, &view_a, &view_b, &coarse)
                status = FINE if matched[k] >= 0 else NO_MEMORY
                if status == FINE and row != NULL:
                    memcpy(row, coarse, view_a.n_variables * sizeof(int32_t))
            elif status == FINE:
                status = climb(
                    &climb_arena, &view_a, &view_b, &problem, restarts, seed,
                    (<uint64_t> index_a[k] << 32) | <uint64_t> index_b[k], FEW_CANDIDATES, &cancel[0], &found, row,
                )
                if status == FINE:
                    matched[k] = <int64_t> found
            if status != FINE:
                break
    arena_free(&problem_arena)
    arena_free(&climb_arena)
    if status != FINE:
        raise_status(status, f"matching pair {k} does not fit in memory")
