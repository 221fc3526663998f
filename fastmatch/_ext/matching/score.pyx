"""Smatch scores of lists of graph pairs, and those of its relatives with real gains: the entry points of the solvers.

Both functions score the stretch ``start … stop - 1`` of a list of pairs, without the GIL, and write to the entries of
these pairs in the given arrays. So threads can share a list. The result of a pair does not depend on the stretch it is
in. Candidates, edge-pairs and halves are defined at the top of problem.pyx.

Of S2match, WSmatch and weighted Smatch the gains are real numbers; partial.pyx builds these problems. With whole gains,
a node of the search is closed when its bound is less than 1 above the best value. With real gains the bound has to fall
to the best value itself, but for a tolerance, so nodes are closed later.
"""

from libc.math cimport INFINITY, floor
from libc.stdint cimport INT64_MAX, int32_t, int64_t, uint8_t, uint64_t
from libc.string cimport memcpy, memset

from fastmatch._ext.base.arena cimport Arena, arenas_free
from fastmatch._ext.base.kept cimport space
from fastmatch._ext.base.pairs cimport check_cancel, check_mapping, check_pairs, check_room, row_of
from fastmatch._ext.base.status cimport FINE, INTERRUPTED, NO_MEMORY, TOO_LARGE, raise_status
from fastmatch._ext.base.watch cimport glance, look, watch_begin, watch_spent
from fastmatch._ext.matching.climb cimport FEW_CANDIDATES, climb
from fastmatch._ext.matching.coarse cimport (
    coarse_match, complete_map, counting_bound, map_value, relation_bound, unary_bound,
)
from fastmatch._ext.matching.exact cimport refuted, solve
from fastmatch._ext.matching.partial cimport (
    Links, Matching, SoftFeatures, SoftView, build_soft, check_matching, soft_value, view_matching, view_soft,
)
from fastmatch._ext.matching.problem cimport (
    BUILD_WORK, FEW_MATCHES, PROBLEM_LIMIT, GraphView, Problem, allowance, build, count_matches, largest_problem,
    problem_arrays, restricted, takes_too_long, unary_gain, unlimited, view_graph, weight_of,
)
from fastmatch._ext.matching.small cimport Small, small_optimum
from fastmatch._ext.matching.solver cimport Solver, allow, left_for_programs, solver_free, solver_init, to_share
from fastmatch._ext.matching.triples cimport TripleFeatures

import numpy as np

#: With real gains, a pair is certified if no map is better than the one found by more than this, in triples.
TOLERANCE = 1e-6

cdef double GRID = 1 << 30
cdef double SAME = TOLERANCE
cdef double BELOW = 5e-7              # what is refuted is below the least, by so many steps at least
cdef double ROUNDING = 1e-6           # tolerance when a bound on whole numbers is rounded down

cdef int64_t MANY_MATCHES = 500_000   # with more, the time that the problem alone takes counts


# Visits of the search of small graphs, at most, and their share of the limit of work. What that search closes so soon,
# the ordinary one closes within the limit, too: all but 2 of 169,000 pairs of random graphs with one to eight labels,
# whose values it had found without a proof, and all of 180,000 under the least limit that a metric sets. So a map is
# worth what is said without it. A few pairs may take more: to go on to the ordinary search takes arrays.
cdef int64_t SMALL_WORK = 10_000, SMALL_SHARE = 250, FEW_SHARE = 100
cdef int64_t SOON = 1_000_000         # work on small graphs between two looks for Ctrl-C, 5 ms
cdef int64_t UNSEEN = 100             # work of building a small problem, about


# Work that a thin problem may take, where an ordinary pair may take as much. It has few candidates a row, so that
# keeping them in order takes most of the time. Where work has no limit, this one has: it proves nothing of the pair.
# Up to THIN_ROWS variables, which few texts of 200,000 characters exceed, a pair is to take 5 s.
cdef int64_t THIN_WORK = 600_000_000, THIN_SHARE = 3, THIN_WIDE = 500_000, THIN_ROWS = 15_000
cdef int64_t THIN_LOOKS = 8           # edge-pairs that are looked at while it is built, for one visit


cdef int search_likely(
    Solver *solver, Arena *arena, Problem *problem, const GraphView *a, const GraphView *b, int64_t max_work,
    int64_t allowed, int64_t spent, double ceiling, const int32_t *hint, int64_t *effort
) noexcept nogil:
    """Search a map of a pair that is too large to be searched whole, among likely candidates (``thin`` of build()).

    Parameters
    ----------
    solver : Solver
        With the limits of the pair. ``best`` receives the map. Nothing it says of an upper bound holds for the pair.
    arena, problem
        Scratch; ``problem`` must live as long as the solver's state is asked for.
    max_work, allowed, spent : int64
        See allow() in solver.pyx.
    ceiling, hint
        See solve() in exact.pyx.
    effort : int64[1]
        Work that was done before; what building the problem takes is added.

    Returns
    -------
    FINE, NO_MEMORY, INTERRUPTED, or TOO_LARGE without a map: likely candidates are too many as well, or more work would
    search the pair whole, and may not find a worse map.
    """
    cdef int64_t unary, edges, largest = largest_problem(solver.limits.work), work
    cdef int status
    count_matches(a, b, &unary, &edges)
    if largest < max(unary, edges) <= PROBLEM_LIMIT:
        return TOO_LARGE
    status = build(arena, &solver.relaxations[0], a, b, largest, problem, True)
    effort[0] += edges // THIN_LOOKS
    if status == FINE:
        work = THIN_WORK if unlimited(max_work) else max_work
        if problem.n_candidates <= THIN_WIDE:
            work = work // THIN_SHARE
        elif max(problem.n_rows, problem.n_cols) <= THIN_ROWS:
            work = work // 4 * 3
        allow(solver, work, allowed, -1, spent)
        status = solve(solver, problem, effort[0] + BUILD_WORK * problem.n_matches, ceiling, hint)
    if status == FINE:
        solver.handed_over = False
        status = complete_map(arena, a, b, solver.best)
    return status


cdef int check_spent(least, spent, maps, Py_ssize_t stop) except -1:
    """Check the arguments that say what is known of pairs and what they have taken; see :func:`score_exact`."""
    for name, given in (("least", least), ("spent", spent), ("maps", maps)):
        if given is not None and len(given) < stop:
            raise ValueError(f"{name} has {len(given)} entries for {stop} pairs")
    if maps is not None and spent is None:
        raise ValueError("maps: expected spent as well")
    return 0


cdef tuple left_open(Py_ssize_t k, const Solver *solver, bint whole):
    """What ``unsolved`` gets of pair k, see :func:`score_exact`; gains are int64 if ``whole``, else float64."""
    cdef object rest = None
    if solver.partial and not solver.split and solver.n_rungs > 0:
        reach = np.asarray(<double[:solver.rest.n_candidates]> solver.reach).copy()
        rungs = np.asarray(<double[:solver.n_rungs]> <double *> solver.rung).copy()
        rest = problem_arrays(&solver.rest, whole), reach, rungs, solver.limits.step
    return (k, watch_spent(&solver.watch), problem_arrays(&solver.core, whole), not solver.partial,
            left_for_programs(solver), solver.limits.large, rest)


cdef const int32_t *kept_map(list maps, Py_ssize_t k, const GraphView *a, const GraphView *b) except? NULL with gil:
    """The map that another search of the pair has kept, where it can be one of these graphs, or NULL."""
    cdef Py_ssize_t i
    if maps[k] is None:
        return NULL
    cdef const int32_t[::1] kept = maps[k]
    if kept.shape[0] != a.n_variables or kept.shape[0] == 0:
        return NULL
    for i in range(kept.shape[0]):
        if kept[i] >= b.n_variables:
            return NULL
    return &kept[0]                   # maps[k] stays what it is


cdef int keep_map(list maps, Py_ssize_t k, const int32_t *best, int32_t n_variables) except -1 with gil:
    """Keep a map for other searches of the pair, unless one is kept."""
    if maps[k] is None:
        maps[k] = np.asarray(<int32_t[:n_variables]> <int32_t *> best).copy() if n_variables else None
    return 0


cdef struct GraphPair:
    # Two graphs, how their triples match, and what is found of them.
    GraphView a
    GraphView b
    SoftView soft_a
    SoftView soft_b
    const Matching *how     # NULL: only as a whole
    const double *most_a    # the largest weight of each class
    const double *most_b
    bint whole              # all gains are whole numbers
    Arena arena             # of the problem
    Arena coarse            # of a map that is found without one
    Arena climbing
    Problem problem
    double ceiling          # no map is worth more, as far as is known
    double matched
    double upper
    const int32_t *best     # the map, until the next pair is matched
    bint refuted            # so little matches that no map was searched
    bint left_open          # the solver has what is left, for programs


cdef class Pairs:
    """The pairs that an entry point is to score, checked once, before the kernels trust them; see base/pairs.pxd."""

    cdef TripleFeatures a
    cdef TripleFeatures b
    cdef SoftFeatures soft_a
    cdef SoftFeatures soft_b
    cdef Links links        # None: triples match only as a whole
    cdef const double[:, ::1] weight
    cdef const double[::1] most_a
    cdef const double[::1] most_b
    cdef Matching how
    cdef const int32_t[::1] index_a
    cdef const int32_t[::1] index_b
    cdef Py_ssize_t start
    cdef Py_ssize_t stop
    cdef const uint8_t[::1] cancel

    def __cinit__(self, a, b, pairs, Links links, weight, Py_ssize_t n_out, const int64_t[::1] mapping_offsets,
                  const int32_t[::1] mapping):
        cdef Py_ssize_t k
        self.index_a, self.index_b, self.start, self.stop, self.cancel = pairs
        if links is None:
            self.a, self.b = a, b
        else:
            self.soft_a, self.soft_b, self.links, self.weight = a, b, links, weight
            self.a, self.b = self.soft_a.hard, self.soft_b.hard
            check_matching(self.soft_a, self.soft_b, links, self.weight)
            self.most_a, self.most_b = np.max(weight, axis=1), np.max(weight, axis=0)
            view_matching(&self.how, links, self.weight)
        check_pairs(self.index_a, self.index_b, self.start, self.stop, self.a.n_graphs, self.b.n_graphs, n_out)
        check_cancel(self.cancel)
        check_mapping(mapping_offsets, mapping, self.index_a.shape[0])
        for k in range(self.start, self.stop):
            check_room(mapping_offsets, mapping, k, self.a.variables[self.index_a[k]])


cdef void begin(Pairs pairs, bint whole, GraphPair *pair) noexcept:
    """Make room for one pair after the other."""
    memset(pair, 0, sizeof(GraphPair))
    pair.whole = whole
    if pairs.links is not None:
        pair.how, pair.most_a, pair.most_b = &pairs.how, &pairs.most_a[0], &pairs.most_b[0]


cdef void open_pair(Pairs pairs, Py_ssize_t k, GraphPair *pair) noexcept nogil:
    """Point to the graphs of pair k."""
    view_graph(&pair.a, pairs.a, pairs.index_a[k])
    view_graph(&pair.b, pairs.b, pairs.index_b[k])
    pair.ceiling = INFINITY
    if pair.how != NULL:
        view_soft(&pair.soft_a, pairs.soft_a, pairs.index_a[k])
        view_soft(&pair.soft_b, pairs.soft_b, pairs.index_b[k])
        pair.ceiling = min(ceiling(&pair.a, &pair.soft_a, pair.most_a), ceiling(&pair.b, &pair.soft_b, pair.most_b))


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


cdef double common_unit(const Problem *p, double least) noexcept nogil:
    """The largest number of which all gains are multiples, or ``least`` if it is below that.

    So is the value of every map, and a better map is better by that much. Gains are multiples of 2**-30.
    """
    cdef int64_t unit = 0, gain
    cdef int64_t smallest = <int64_t> (least * GRID)
    cdef int32_t k
    for k in range(p.n_candidates + p.n_halves):
        gain = <int64_t> (GRID * (unary_gain(p, k) if k < p.n_candidates else weight_of(p, k - p.n_candidates)))
        if unit and gain & (unit - 1) == 0 and unit & (unit - 1) == 0:
            continue                  # the usual case, without a division
        while gain:
            unit, gain = gain, unit % gain
        if unit and unit <= smallest:
            return least
    return max(least, unit / GRID)


cdef double value_of(const GraphPair *pair, const int32_t *mapping) noexcept nogil:
    """What a map is worth."""
    if pair.how == NULL:
        return <double> map_value(&pair.a, &pair.b, mapping)
    return soft_value(&pair.a, &pair.b, &pair.soft_a, &pair.soft_b, pair.how, mapping)


cdef int build_pair(GraphPair *pair, Arena *spare, int64_t limit) noexcept nogil:
    """Build the problem of the pair; see build() in problem.pyx."""
    if pair.how == NULL:
        return build(&pair.arena, spare, &pair.a, &pair.b, limit, &pair.problem)
    return build_soft(&pair.arena, spare, &pair.a, &pair.b, &pair.soft_a, &pair.soft_b, pair.how, limit, &pair.problem)


cdef int match_greedily(GraphPair *pair, int64_t *effort) noexcept nogil:
    """Find a map without a problem, and lower the ceiling by the degrees of variables; FINE or NO_MEMORY."""
    cdef const GraphView *a = &pair.a
    cdef const GraphView *b = &pair.b
    cdef int64_t found, enough = INT64_MAX, relations = relation_bound(&pair.coarse, a, b)
    cdef double top, unary
    if relations < 0:
        return NO_MEMORY
    if pair.how == NULL:
        enough = unary_bound(a, b) + relations
        pair.ceiling = <double> enough
    else:
        top = min(heaviest(a, &pair.soft_a, pair.most_a), heaviest(b, &pair.soft_b, pair.most_b))
        unary = min(unary_ceiling(a, &pair.soft_a, pair.most_a), unary_ceiling(b, &pair.soft_b, pair.most_b))
        pair.ceiling = min(pair.ceiling, unary + relations * top)
    if (found := coarse_match(&pair.coarse, a, b, enough, &pair.best, effort)) < 0:
        return NO_MEMORY
    pair.matched = <double> found if pair.how == NULL else value_of(pair, pair.best)
    return FINE


cdef void round_upper(GraphPair *pair) noexcept nogil:
    """Let the bound of the pair be what a map can be worth, so far as that is known."""
    if pair.whole:
        pair.upper = floor(pair.upper + ROUNDING)
    elif pair.upper <= pair.matched + SAME:
        pair.upper = pair.matched


cdef int match_pair(GraphPair *pair, Solver *solver, int64_t max_work, int64_t allowed, int64_t spent,
                    double enough, const int32_t *kept) noexcept nogil:
    """Find the best map of two graphs, with a proof if the limits allow it; fills what is found.

    Parameters
    ----------
    pair, solver
        With the graphs, and with the limits that ``max_work``, ``allowed`` and ``spent`` give (allow() in solver.pyx).
    enough : double
        If above 0, a pair in which less matches need not be searched.
    kept : int32[n_variables] or NULL
        A map that is known.

    Returns
    -------
    FINE, NO_MEMORY, or INTERRUPTED.
    """
    cdef const GraphView *a = &pair.a
    cdef const GraphView *b = &pair.b
    cdef Problem *problem = &pair.problem
    cdef int64_t unary, edges, effort = 0
    cdef double step
    cdef bint greedy = False, large = False
    cdef int status = TOO_LARGE
    pair.best, pair.refuted, pair.left_open = NULL, False, False
    if not takes_too_long(a, b, &solver.watch):
        # Of a copy the map and the bound are equal: no problem is built.
        count_matches(a, b, &unary, &edges)
        greedy = unary + edges > FEW_MATCHES and enough <= 0 and not restricted(a, b)
        if greedy and match_greedily(pair, &effort) != FINE:
            return NO_MEMORY
        if not greedy or pair.matched < pair.ceiling:
            status = build_pair(pair, &solver.relaxations[0], largest_problem(solver.limits.work))
            large = status == TOO_LARGE
    if status == FINE and not pair.whole:
        solver.limits.step = common_unit(problem, SAME)
    if status == FINE and enough > 0 and refuted(
            solver, problem, BUILD_WORK * problem.n_matches, pair.ceiling, enough):
        step = 1.0 if pair.whole else solver.limits.step * BELOW
        pair.matched = pair.upper = min(pair.ceiling, enough - step)
        pair.refuted = True
        return FINE
    if status == FINE and problem.n_matches > MANY_MATCHES and look(&solver.watch):
        # To build it has taken all the time, so what needs no search has to do.
        status = INTERRUPTED if solver.watch.interrupted else TOO_LARGE
    if status == TOO_LARGE or (status == FINE and problem.n_matches > FEW_MATCHES):
        if not greedy and match_greedily(pair, &effort) != FINE:
            return NO_MEMORY
        if kept != NULL and value_of(pair, kept) > pair.matched:
            pair.matched, pair.best = value_of(pair, kept), kept
        if status == TOO_LARGE or pair.matched >= pair.ceiling or (
                problem.n_matches > MANY_MATCHES and glance(&solver.watch)):
            pair.upper, solver.work = pair.ceiling, effort
            status = TOO_LARGE
            if large and pair.matched < pair.ceiling and pair.ceiling >= enough:
                solver.limits.step = 1.0        # as if all gains were whole
                status = search_likely(
                    solver, &pair.arena, problem, a, b, max_work, allowed, spent,
                    pair.ceiling if pair.how == NULL else INFINITY, pair.best, &effort)
            if status == FINE and value_of(pair, solver.best) > pair.matched:
                pair.matched, pair.best = value_of(pair, solver.best), solver.best
            return FINE if status == TOO_LARGE else status
    if status == FINE:
        status = solve(solver, problem, effort + BUILD_WORK * problem.n_matches, pair.ceiling, pair.best)
    if status == FINE:
        step = solver.limits.step
        pair.matched, pair.upper, pair.best = solver.lower, solver.upper, solver.best
        if step > SAME:
            pair.upper = step * floor(pair.upper / step + ROUNDING)
        pair.upper = min(pair.upper, pair.ceiling)
        if pair.how == NULL:
            pair.matched = floor(pair.matched + 0.5)
            if pair.upper > pair.matched:
                pair.upper = min(pair.upper, <double> counting_bound(a, b))
        pair.left_open = solver.handed_over
    return status


def score_exact(
    a not None,
    b not None,
    pairs not None,
    *,
    Links links=None,
    weight=None,
    bint whole=True,
    int64_t max_work,
    double time_limit,
    matched not None,
    upper not None,
    uint8_t[::1] certified not None,
    const int64_t[::1] mapping_offsets=None,
    int32_t[::1] mapping=None,
    list unsolved=None,
    int64_t branching=5_000_000,
    dict limits=None,
    int64_t[::1] work=None,
    object tell=None,
    const double[::1] least=None,
    int64_t[::1] spent=None,
    list maps=None,
):
    """The most triples that can match in each of the pairs ``start … stop - 1``, with a proof.

    Parameters
    ----------
    a, b : TripleFeatures or, with ``links``, SoftFeatures
        Features of the two corpora (same options, same vocabulary).
    pairs : PairRange
        The pairs to score, of graphs of the two corpora.
    links : Links, optional
        Similarities of a's concepts to b's; without them triples match only as a whole.
    weight : float64, shape (classes of a, classes of b), with ``links``
        Weights of pairs of triples by their classes: multiples of 2**-30 in [0, 2**20].
    whole : bool, with ``links``
        All gains are whole numbers, so there are no links. Then certified results are exactly optimal.
    max_work : int
        Visits of candidates, halves and entries of assignments after which a pair is left open, 10 to 40 ns each. The
        result does not depend on the machine. Pairs of graphs that no text of 2,000 characters can hold may take more;
        see ``allowance`` in problem.pyx.
    time_limit : float
        Seconds of wall time after which a pair is left open; ``inf`` for no limit.
    matched, upper : int64 or, with ``links``, float64, shape (n_pairs,)
        Outputs: matched <= optimum <= upper; with ``links``, <= upper + TOLERANCE.
    certified : uint8, shape (n_pairs,)
        Output: 1 if ``matched`` and ``upper`` are equal.
    mapping_offsets : int64, shape (n_pairs + 1,), optional
    mapping : int32, optional
        Output: mapping[mapping_offsets[k] + i] is the variable of b that variable i of a is mapped to in pair k, or -1.
    unsolved : list, optional
        Output: pairs that branching does not close soon are left open, and get an entry (k, seconds, problem, all,
        visits, large, rest): the pair, the wall time spent on it (0 without ``time_limit``), and what is left of its
        problem, in the form of :func:`fastmatch._ext.matching.problem.build_problem`. If ``all`` is true, every map
        that matches more than ``matched[k]`` triples is a map of that problem. Else it is a part in which such maps are
        likely. ``visits`` is what is left of the work of the pair, 0 if the problem is too large for linear programs.
        ``large`` is whether the pair may take more than ``max_work``, or work has no limit. Other pairs get an entry
        only if what is left is small, and none if ``max_work`` is below ten million. ``rest`` is None, or, where
        ``all`` is not true, (problem, reach, rungs, step): a larger problem, a number for each of its candidates, some
        rising numbers, and by how much a map is better than another at least. A map that is worth ``rungs[i]`` or more
        is a map of the candidates of that problem that reach ``rungs[i]``. So when a better map is found in the part,
        still better ones can have fewer candidates.
    branching : int
        Visits while branching after which a pair goes to ``unsolved``. The default takes less than 0.1 s.
    limits : dict, optional
        Other numbers for fields of ``Limits`` in solver.pxd, by their names: numbers of candidates above which problems
        are searched in other ways. Small ones let tests check these where the optimum is known.
    work : int64, shape (n_pairs,), optional
        Output: visits that the pair took. A pair that ends without a proof may have gone over its limit by its first
        round and by what a few sweeps over its problem take.
    tell : callable, optional
        Gets (k, matched, upper, share) many times a second while a pair takes long: what is known of pair k, and the
        share of its limit of work that is spent. What it raises ends the work. It is called in the calling thread.
    least : float64, shape (n_pairs,), optional
        Numbers of triples, or sums: where less matches, ``matched`` may be anything from the optimum up to this,
        exclusive, and ``upper`` and ``certified`` mean nothing. To rule out such a pair takes less than its optimum.
    spent : int64, shape (n_pairs,), optional
        Visits that other searches of the same pairs have taken, such as those of other aspects. What this one takes is
        added, some of it twice. Where it is above 0, a pair may take a half of what is left of 12 times ``max_work``,
        or a quarter of ``max_work`` if that is more.
    maps : list, with ``spent``
        None for each pair at first. Gets the map, int32[n_variables], of the first search that takes more than
        ``max_work``. Later ones begin with it, or with a greedy one if that is better, where they may take more than
        ``max_work``, or have less than that because of the others.

    Raises
    ------
    IndexError, ValueError
        If an index, an array's length or a class does not fit.
    MemoryError
        If a pair does not fit in memory.

    Notes
    -----
    Of pairs with more than 5 million unary matches or edge-pairs only likely candidates are searched (``thin`` in
    problem.pyx), and if those are too many, none. They get that map, or a greedy one, and a bound from counts of
    triples. Small graphs are searched by small.pyx if neither map nor work is asked for, and no limit is in
    its way. With ``links`` likely candidates are searched for a map that is best where all gains are 1.
    """
    cdef int64_t[::1] whole_matched, whole_upper
    cdef double[::1] real_matched, real_upper
    if links is None:
        whole_matched, whole_upper = matched, upper
    else:
        real_matched, real_upper = matched, upper
    cdef Pairs given = Pairs(a, b, pairs, links, weight, min(len(matched), len(upper), certified.shape[0]),
                             mapping_offsets, mapping)
    cdef Py_ssize_t k = given.start
    cdef GraphPair pair
    cdef Solver solver
    cdef double enough
    cdef int64_t allowed, taken, found
    cdef const int32_t *kept
    cdef int32_t *row
    cdef int status = FINE
    # The map, and the work that it took, are those of the ordinary search; so is what limits cut off.
    cdef bint quickly = (
        links is None and mapping is None and work is None and time_limit == INFINITY and not limits)
    cdef bint handing_over = unsolved is not None
    cdef int64_t small_work = min(SMALL_WORK, max_work // SMALL_SHARE)
    cdef Small small
    cdef int64_t visits = 0           # of small pairs, since the last look for Ctrl-C
    check_spent(least, spent, maps, given.stop)
    begin(given, whole, &pair)
    solver_init(&solver, 1.0 if whole else SAME, time_limit, &given.cancel[0], tell)
    if limits:
        solver.limits = {**solver.limits, **limits}
    with nogil:
        for k in range(given.start, given.stop):
            if given.cancel[0]:
                break
            watch_begin(&solver.watch, k)
            open_pair(given, k, &pair)
            enough = max(0.0, least[k]) if least is not None else 0.0
            if quickly:
                found = small_optimum(&small, &pair.a, &pair.b, small_work, <int64_t> enough)
                if 0 <= found < enough:     # the answer is that of a search for all maps
                    found = small_optimum(&small, &pair.a, &pair.b, small_work, 0)
                if found >= 0:
                    whole_matched[k] = whole_upper[k] = found
                    certified[k] = True
                    visits += small.work + UNSEEN
                    if visits > SOON:
                        visits = 0
                        if look(&solver.watch) and solver.watch.interrupted:
                            status = INTERRUPTED
                            break
                    continue
            row = row_of(mapping_offsets, mapping, k, pair.a.n_variables)
            allowed = allowance(max_work, &pair.a, &pair.b, whole)
            taken = spent[k] if spent is not None else 0
            allow(&solver, max_work, allowed, branching if handing_over else -1, taken)
            kept = NULL
            if maps is not None and (solver.limits.short or allowed > max_work):
                kept = kept_map(maps, k, &pair.a, &pair.b)
            if (status := match_pair(&pair, &solver, max_work, allowed, taken, enough, kept)) != FINE:
                break
            round_upper(&pair)
            if links is None:
                whole_matched[k], whole_upper[k] = <int64_t> pair.matched, <int64_t> pair.upper
            else:
                real_matched[k], real_upper[k] = pair.matched, pair.upper
            certified[k] = pair.matched == pair.upper
            if pair.refuted:
                continue
            if pair.left_open and not certified[k]:
                with gil:
                    unsolved.append(left_open(k, &solver, solver.limits.step == floor(solver.limits.step)))
            if work is not None:
                work[k] = solver.work
            if spent is not None:
                spent[k] += to_share(&solver, pair.matched, pair.upper)
                if maps is not None and solver.work > max_work:
                    keep_map(maps, k, pair.best, pair.a.n_variables)
            if row != NULL:
                memcpy(row, pair.best, pair.a.n_variables * sizeof(int32_t))
    arenas_free(&pair.arena, &pair.climbing)
    solver_free(&solver)
    raise_status(status, f"matching pair {k} does not fit in memory")


def few_scores(TripleFeatures graphs not None, list pairs not None, int64_t max_work):
    """The F1 of a few pairs of small graphs of one corpus: for so few, arrays would take longer than the searches.

    Parameters
    ----------
    graphs : TripleFeatures
    pairs : list of (int, int)
        Graphs; the search of each pair takes some microseconds at most.
    max_work : int
        As for :func:`score_exact`, which finds the same optima.

    Returns
    -------
    list of float or None
        None where one of the graphs is not small, or the search takes too long.

    Raises
    ------
    IndexError
        If there is no such graph.
    """
    cdef Py_ssize_t n = len(pairs), k = 0, i, j
    cdef GraphView view_a, view_b
    cdef Small small
    cdef int64_t size
    kept = []
    cdef int32_t[2] *index = <int32_t[2] *> space(kept, n, sizeof(int32_t[2]))
    cdef int64_t *matched = <int64_t *> space(kept, n, sizeof(int64_t))
    for k in range(n):
        i, j = pairs[k]
        if not (0 <= i < graphs.n_graphs and 0 <= j < graphs.n_graphs):
            raise IndexError(f"pair {k}: graphs {i} and {j} of {graphs.n_graphs}")
        index[k][0], index[k][1] = <int32_t> i, <int32_t> j
    with nogil:
        for k in range(n):
            view_graph(&view_a, graphs, index[k][0])
            view_graph(&view_b, graphs, index[k][1])
            matched[k] = small_optimum(&small, &view_a, &view_b, min(SMALL_WORK, max_work // FEW_SHARE), 0)
    cdef list found = []
    for k in range(n):
        size = graphs.triples[index[k][0]] + graphs.triples[index[k][1]]
        found.append(None if matched[k] < 0 else <double> (2 * matched[k]) / <double> size if size else 1.0)
    return found


def score_climb(
    a not None,
    b not None,
    pairs not None,
    *,
    Links links=None,
    weight=None,
    bint whole=True,
    int32_t restarts=4,
    uint64_t seed=0,
    int32_t first=0,
    int32_t few=FEW_CANDIDATES,
    uint64_t salt=0,
    matched not None,
    double[::1] upper=None,
    const int64_t[::1] mapping_offsets=None,
    int32_t[::1] mapping=None,
):
    """Smatch's hill-climbing for the pairs ``start … stop - 1``.

    The first start maps variables with equal concepts, and ``restarts`` further starts are random. A pair's result
    depends only on its graphs, their indices in ``a`` and ``b``, ``restarts`` and ``seed``.

    Parameters
    ----------
    a, b, pairs, links, weight, whole
        See :func:`score_exact`.
    restarts : int >= 0
    seed : int, 0 … 2**64 - 1
    first : int, 0 … restarts
        The first of the starts: with 0 that from equal concepts, with k > 0 the k-th random one.
    few : int
        With fewer candidates than this, every step computes all gains. It changes the time, not the result.
    salt : int, 0 … 2**64 - 1
        With the indices of a pair's graphs and the number of the start, it determines every random choice.
    matched : int64 or, with ``links``, float64, shape (n_pairs,)
        Output: what matches under the best map found, at most the optimum.
    upper : float64, shape (n_pairs,), with ``links``
        Output: an upper bound of the optimum.
    mapping_offsets : int64, shape (n_pairs + 1,), optional
    mapping : int32, optional
        Output: mapping[mapping_offsets[k] + i] is the variable of b that variable i of a is mapped to in pair k, or -1,
        also where the two have no part in any match.

    Raises
    ------
    IndexError, ValueError
        If an index or an array's length does not fit, or ``restarts`` or ``first`` is out of range.
    OverflowError
        If ``seed`` is out of range.
    MemoryError
        If a pair does not fit in memory. The pairs before it are done, those after it are not.

    Notes
    -----
    A pair that is too large for a search gets the same greedy map as in :func:`score_exact`.

    A step takes O(candidates) for a sentence, and O(candidates in the rows and columns it concerns) for a document.

    Source: Cai and Knight 2013, as in smatch 1.0.4; ``climb.pyx`` lists what differs.
    """
    cdef int64_t[::1] whole_matched
    cdef double[::1] real_matched
    if links is None:
        whole_matched = matched
    else:
        real_matched = matched
    if restarts < 0:
        raise ValueError(f"restarts must not be negative: {restarts}")
    if not 0 <= first <= restarts:
        raise ValueError(f"first must lie between 0 and {restarts}: {first}")
    cdef Pairs given = Pairs(a, b, pairs, links, weight, len(matched) if links is None else min(
        len(matched), upper.shape[0]), mapping_offsets, mapping)
    cdef Py_ssize_t k = given.start
    cdef GraphPair pair
    cdef int32_t *row
    cdef int64_t effort
    cdef int status = FINE
    begin(given, whole, &pair)
    with nogil:
        for k in range(given.start, given.stop):
            if given.cancel[0]:
                break
            open_pair(given, k, &pair)
            row = row_of(mapping_offsets, mapping, k, pair.a.n_variables)
            status = build_pair(&pair, &pair.climbing, PROBLEM_LIMIT)
            if status == TOO_LARGE:
                status = match_greedily(&pair, &effort)
                if status == FINE and row != NULL:
                    memcpy(row, pair.best, pair.a.n_variables * sizeof(int32_t))
            elif status == FINE:
                status = climb(
                    &pair.climbing, &pair.a, &pair.b, &pair.problem, first, restarts, seed,
                    ((<uint64_t> given.index_a[k] << 32) | <uint64_t> given.index_b[k]) + salt, few, &given.cancel[0],
                    &pair.matched, row,
                )
            if status != FINE:
                break
            if links is None:
                whole_matched[k] = <int64_t> pair.matched
            else:
                pair.upper = pair.ceiling
                round_upper(&pair)
                real_matched[k], upper[k] = pair.matched, pair.upper
    arenas_free(&pair.arena, &pair.climbing)
    raise_status(status, f"matching pair {k} does not fit in memory")


def count_matched(
    TripleFeatures a not None,
    TripleFeatures b not None,
    const int32_t[::1] index_a not None,
    const int32_t[::1] index_b not None,
    const int64_t[::1] mapping_offsets not None,
    const int32_t[::1] mapping not None,
):
    """Triples that given alignments match.

    Parameters
    ----------
    a, b : TripleFeatures
        Features of the two corpora, in which each triple counts once.
    index_a, index_b : int32, shape (n_pairs,)
        Graphs of each pair.
    mapping_offsets : int64, shape (n_pairs + 1,)
    mapping : int32
        mapping[mapping_offsets[k] + i] is the variable of b's graph that variable i of a's graph is mapped to in pair
        k, or -1.

    Returns
    -------
    int64, shape (n_pairs,)

    Raises
    ------
    IndexError, ValueError
        If an index or an array's length does not fit.

    Notes
    -----
    O(T log T) for a pair of T triples.
    """
    cdef Py_ssize_t n_pairs = index_a.shape[0], k
    cdef GraphView view_a, view_b
    check_pairs(index_a, index_b, 0, n_pairs, a.n_graphs, b.n_graphs, n_pairs)
    check_mapping(mapping_offsets, mapping, n_pairs)
    for k in range(n_pairs):
        check_room(mapping_offsets, mapping, k, a.variables[index_a[k]])
    out = np.zeros(n_pairs, np.int64)
    cdef int64_t[::1] matched = out
    with nogil:
        for k in range(n_pairs):
            view_graph(&view_a, a, index_a[k])
            view_graph(&view_b, b, index_b[k])
            if view_a.n_variables:
                matched[k] = map_value(&view_a, &view_b, &mapping[mapping_offsets[k]])
    return out
