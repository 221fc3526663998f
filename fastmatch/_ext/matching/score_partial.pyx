"""Scores of lists of graph pairs with real gains: the entry point for S2match, WSmatch and weighted Smatch.

The solvers are those of :mod:`fastmatch._ext.matching.score`, and partial.pyx builds the problems. With whole gains, a
node of the search is closed when its bound is less than 1 above the best value. With real gains the bound has to fall
to the best value itself, but for a tolerance, so nodes are closed later.
"""

from libc.math cimport INFINITY, floor
from libc.stdint cimport INT64_MAX, int32_t, int64_t, uint8_t, uint64_t
from libc.string cimport memcpy

from fastmatch._ext.base.arena cimport Arena, arena_free, arena_init, arena_reserve
from fastmatch._ext.base.pairs cimport row_of
from fastmatch._ext.base.status cimport FINE, NO_MEMORY, TOO_LARGE, raise_status
from fastmatch._ext.base.watch cimport watch_begin
from fastmatch._ext.matching.climb cimport FEW_CANDIDATES, climb
from fastmatch._ext.matching.coarse cimport coarse_match, degrees_size, relation_bound
from fastmatch._ext.matching.exact cimport refuted, solve
from fastmatch._ext.matching.partial cimport (
    Links, Matching, SoftFeatures, SoftView, build_soft, check_matching, soft_value, view_matching, view_soft,
)
from fastmatch._ext.matching.problem cimport (
    BUILD_WORK, FEW_MATCHES, PROBLEM_LIMIT, GraphView, Problem, allowance, largest_problem, takes_too_long,
    unary_gain, view_graph, weight_of,
)
from fastmatch._ext.matching.score cimport check, check_spent, keep_map, kept_map, left_open, search_likely
from fastmatch._ext.matching.solver cimport Solver, allow, solver_free, solver_init, to_share

#: With real gains, a pair is certified if no map is better than the one found by more than this, in triples.
TOLERANCE = 1e-6

cdef double GRID = 1 << 30
cdef double BELOW = 5e-7              # what is refuted is below the least, by so many steps at least
cdef double ROUNDING = 1e-6           # tolerance when a bound on whole numbers is rounded down


cdef double unary_ceiling(const GraphView *a, const SoftView *sa, const double *most) noexcept nogil:
    """The part of :func:`ceiling` that stands for unary features."""
    cdef Py_ssize_t k
    cdef double total = 0.0
    for k in range(a.n_unary):
        total += most[sa.unary_class[k]]
    return total


cdef double ceiling(const GraphView *a, const SoftView *sa, const double *most) noexcept nogil:
    """Upper bound on the value of any map: the sum over a's triples of the largest weight of their class."""
    cdef Py_ssize_t k
    cdef double total = unary_ceiling(a, sa, most)
    for k in range(a.n_relations):
        total += most[sa.relation_class[k]]
    return total


cdef double heaviest(const GraphView *a, const SoftView *sa, const double *most) noexcept nogil:
    """The largest weight of the class of a relation."""
    cdef Py_ssize_t k
    cdef double top = 0.0
    for k in range(a.n_relations):
        top = max(top, most[sa.relation_class[k]])
    return top


cdef double tight_ceiling(Arena *arena, const GraphView *a, const GraphView *b, const SoftView *sa, const SoftView *sb,
                          const double *most_a, const double *most_b) noexcept nogil:
    """A bound from the degrees of variables, for large pairs. Empties ``arena``; negative if it has no room."""
    if arena_reserve(arena, degrees_size(a, b)) < 0:
        return -1.0
    return min(unary_ceiling(a, sa, most_a), unary_ceiling(b, sb, most_b)) + relation_bound(arena, a, b) * min(
        heaviest(a, sa, most_a), heaviest(b, sb, most_b))


cdef double common_unit(const Problem *p, double least) noexcept nogil:
    """The largest number of which all gains are multiples, or ``least`` if it is below that.

    So is the value of every map, and a better map is better by that much. Gains are multiples of 2**-30.
    """
    cdef int64_t unit = 0, gain, rest
    cdef int64_t smallest = <int64_t> (least * GRID)
    cdef int32_t k
    for k in range(p.n_candidates + p.n_halves):
        gain = <int64_t> (GRID * (unary_gain(p, k) if k < p.n_candidates else weight_of(p, k - p.n_candidates)))
        if unit and gain & (unit - 1) == 0 and unit & (unit - 1) == 0:
            continue                  # the usual case, without a division
        while gain:
            rest = unit % gain
            unit = gain
            gain = rest
        if unit and unit <= smallest:
            return least
    return max(least, unit / GRID)


def score_soft(
    SoftFeatures a not None,
    SoftFeatures b not None,
    Links links not None,
    const double[:, ::1] weight not None,
    const double[::1] most_a not None,
    const double[::1] most_b not None,
    pairs not None,
    *,
    bint whole,
    int32_t climb_restarts=-1,
    uint64_t seed=0,
    int64_t max_work,
    double time_limit,
    double[::1] matched not None,
    double[::1] upper not None,
    uint8_t[::1] certified not None,
    const int64_t[::1] mapping_offsets=None,
    int32_t[::1] mapping=None,
    list unsolved=None,
    int64_t branching=5_000_000,
    int64_t[::1] work=None,
    object tell=None,
    const double[::1] least=None,
    int64_t[::1] spent=None,
    list maps=None,
):
    """The largest sum of gains of each of the pairs ``start … stop - 1``, with a proof.

    Parameters
    ----------
    a, b : SoftFeatures
        Features of the two corpora (same options, same vocabulary).
    links : Links
        Similarities of a's concepts to b's.
    weight : float64, shape (classes of a, classes of b)
        Weights of pairs of triples by their classes: multiples of 2**-30 in [0, 2**20].
    most_a, most_b : float64, shape (classes of a,) and (classes of b,)
        The largest entry in each row, and in each column, of ``weight``.
    pairs : PairRange
        The pairs to score, of graphs of the two corpora.
    whole : bool
        All gains are whole numbers, so there are no links. Then certified results are exactly optimal.
    climb_restarts : int
        -1 for the exact solver; 0 or more for hill-climbing with so many random starts.
    seed : int, 0 … 2**64 - 1
        Of hill-climbing.
    max_work, time_limit, mapping_offsets, mapping, unsolved, branching, work, tell, spent, maps
        See :func:`fastmatch._ext.matching.score.score_exact`.
    matched, upper : float64, shape (n_pairs,)
        Outputs: matched <= optimum <= upper + TOLERANCE.
    certified : uint8, shape (n_pairs,)
        Output: 1 if ``matched`` and ``upper`` are equal.

    least : float64, shape (n_pairs,), optional
        Sums: where less matches, ``matched`` may be anything from the optimum up to this, exclusive, and ``upper`` and
        ``certified`` mean nothing.

    Raises
    ------
    IndexError, ValueError
        If an index, an array's length or a class does not fit.
    OverflowError
        If ``seed`` is out of range.
    MemoryError
        If a pair does not fit in memory.

    Notes
    -----
    Of pairs that are too large for a search only likely candidates are searched, for a map that is best where all gains
    are 1, or none; they get that map, or a greedy one, and the bound that the weights of all triples give.
    """
    cdef const int32_t[::1] index_a = pairs[0], index_b = pairs[1]
    cdef Py_ssize_t start = pairs[2], stop = pairs[3]
    cdef const uint8_t[::1] cancel = pairs[4]
    check(a.hard, b.hard, index_a, index_b, start, stop,
          min(matched.shape[0], upper.shape[0], certified.shape[0]), cancel, mapping_offsets, mapping)
    check_matching(a, b, links, weight)
    if weight.size == 0 or most_a.shape[0] != weight.shape[0] or most_b.shape[0] != weight.shape[1]:
        raise ValueError("most_a and most_b must have one entry a row and a column of weight, and there must be some")
    check_spent(least, spent, maps, stop)
    cdef Py_ssize_t k = start
    cdef GraphView view_a, view_b
    cdef SoftView soft_a, soft_b
    cdef Matching matching
    cdef Arena arena, climb_arena, coarse_arena
    cdef Problem problem
    cdef Solver solver
    cdef double bound, limit, value
    cdef double tolerance = TOLERANCE
    cdef int64_t effort
    cdef const int32_t *best
    cdef const int32_t *kept
    cdef int64_t allowed
    cdef int32_t *row
    cdef int status = FINE
    cdef bint climbing = climb_restarts >= 0, hurried, large
    cdef bint handing_over = unsolved is not None
    view_matching(&matching, links, weight)
    arena_init(&arena)
    arena_init(&climb_arena)
    arena_init(&coarse_arena)
    solver_init(&solver, 1.0 if whole else tolerance, time_limit, &cancel[0], tell)
    with nogil:
        for k in range(start, stop):
            if cancel[0]:
                break
            watch_begin(&solver.watch, k)
            view_graph(&view_a, a.hard, index_a[k])
            view_graph(&view_b, b.hard, index_b[k])
            view_soft(&soft_a, a, index_a[k])
            view_soft(&soft_b, b, index_b[k])
            limit = min(ceiling(&view_a, &soft_a, &most_a[0]), ceiling(&view_b, &soft_b, &most_b[0]))
            row = row_of(mapping_offsets, mapping, k, view_a.n_variables)
            allowed = allowance(max_work, &view_a, &view_b)
            allow(&solver, max_work, allowed, branching if handing_over else -1, spent[k] if spent is not None else 0)
            solver.work = 0
            status = TOO_LARGE
            hurried = takes_too_long(&view_a, &view_b, &solver.watch)
            if climbing or not hurried:
                status = build_soft(&arena, &climb_arena if climbing else &solver.relaxations[0], &view_a, &view_b,
                                    &soft_a, &soft_b, &matching,
                                    PROBLEM_LIMIT if climbing else largest_problem(solver.limits.work), &problem)
            bound = limit
            best = kept = NULL
            effort = 0
            if maps is not None and (solver.limits.short or allowed > max_work):
                kept = kept_map(maps, k, &view_a, &view_b)
            if status == FINE and not climbing:
                if not whole:
                    solver.limits.step = common_unit(&problem, tolerance)
                if least is not None and least[k] > 0 and refuted(
                        &solver, &problem, BUILD_WORK * problem.n_matches, limit, least[k]):
                    matched[k] = upper[k] = min(limit, least[k] - (1.0 if whole else solver.limits.step * BELOW))
                    certified[k] = 1
                    continue
            solver.handed_over = False      # it may be left from the pair before
            if status == TOO_LARGE or (status == FINE and not climbing and problem.n_matches > FEW_MATCHES):
                value = tight_ceiling(
                    &coarse_arena, &view_a, &view_b, &soft_a, &soft_b, &most_a[0], &most_b[0])
                if value < 0 or coarse_match(&coarse_arena, &view_a, &view_b, INT64_MAX, &best, &effort) < 0:
                    status = NO_MEMORY
                else:
                    limit = bound = min(limit, value)
                    value = soft_value(&view_a, &view_b, &soft_a, &soft_b, &matching, best)
                    if kept != NULL and soft_value(&view_a, &view_b, &soft_a, &soft_b, &matching, kept) > value:
                        value, best = soft_value(&view_a, &view_b, &soft_a, &soft_b, &matching, kept), kept
                    if status == TOO_LARGE or value >= limit:
                        large = status == TOO_LARGE and not climbing and value < limit and not hurried
                        status = TOO_LARGE
                        matched[k], solver.work = value, effort
                        if large:
                            # as if all gains were whole
                            solver.limits.step = 1.0
                            status = search_likely(&solver, &arena, &problem, &view_a, &view_b, max_work, allowed,
                                                   spent[k] if spent is not None else 0, INFINITY, best, &effort)
                            if status == FINE:
                                value = soft_value(&view_a, &view_b, &soft_a, &soft_b, &matching, solver.best)
                                if value > matched[k]:
                                    matched[k], best = value, solver.best
                                status = TOO_LARGE
            if status == TOO_LARGE:
                status = FINE
            elif status == FINE and climbing:
                status = climb(
                    &climb_arena, &view_a, &view_b, &problem, 0, climb_restarts, seed,
                    (<uint64_t> index_a[k] << 32) | <uint64_t> index_b[k], FEW_CANDIDATES, &cancel[0], &matched[k], row,
                )
            elif status == FINE:
                status = solve(&solver, &problem, effort + BUILD_WORK * problem.n_matches, limit, best)
                if status == FINE:
                    matched[k], bound, best = solver.lower, solver.upper, solver.best
                    if solver.limits.step > tolerance:
                        bound = solver.limits.step * floor(bound / solver.limits.step + ROUNDING)
            if status != FINE:
                break
            upper[k] = min(bound, limit)
            if whole:
                upper[k] = <double> <int64_t> (upper[k] + ROUNDING)
            elif upper[k] <= matched[k] + tolerance:
                upper[k] = matched[k]
            certified[k] = upper[k] == matched[k]
            if work is not None:
                work[k] = solver.work
            if spent is not None:
                spent[k] += to_share(&solver, matched[k], upper[k])
                if maps is not None and solver.work > max_work:
                    keep_map(maps, k, best, view_a.n_variables)
            if solver.handed_over and not certified[k]:
                with gil:
                    unsolved.append(left_open(k, &solver, solver.limits.step == floor(solver.limits.step)))
            if row != NULL and best != NULL:
                memcpy(row, best, view_a.n_variables * sizeof(int32_t))
    arena_free(&arena)
    arena_free(&climb_arena)
    arena_free(&coarse_arena)
    solver_free(&solver)
    if status != FINE:
        raise_status(status, f"matching pair {k} does not fit in memory")
