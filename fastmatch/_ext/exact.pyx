"""The optimum with a certificate: bound, improve, shrink, branch.

A node of the search is a matching problem with some candidates removed. In it, rounds of the relaxation lower the bound
and every round's assignment, improved by local search, may raise the best value known. The node is closed when nothing in
it can be better than that: gains are whole numbers, so a bound below ``best + 1`` will do. That ends nearly every pair of
sentences within a round or two.

While a node is open, a candidate whose use would cost so much that the bound falls below ``best + 1`` (its reduced cost in
the assignment) cannot be in a better map and is dropped; when a quarter are gone the problem is built again without them. If
the rounds stop helping, the node branches on a candidate that they could not agree on: with it, without it.

What limits of work or time leave open is reported as such: the largest bound of the open nodes is the upper bound.
"""

from libc.math cimport INFINITY
from libc.stdint cimport int32_t, int64_t, uint8_t
from libc.string cimport memcpy, memset

from fastmatch._ext.arena cimport Arena, arena_free, arena_init, arena_reserve, padded, take
from fastmatch._ext.interrupt cimport interrupted
from fastmatch._ext.local_search cimport Selection, improve, select, selection_init, selection_size
from fastmatch._ext.problem cimport Problem
from fastmatch._ext.relaxation cimport Relaxation, relaxation_bound, relaxation_init, relaxation_step

cdef extern from "<time.h>" nogil:
    struct timespec:
        long long tv_sec
        long tv_nsec
    int TIME_UTC
    int timespec_get(timespec *ts, int base)

cdef double CLOSED = 1e-6             # a bound this little short of the next value still closes the node
cdef int PATIENCE = 10                # rounds without a better bound before steps get shorter
cdef double SHORTER = 0.7
cdef double SHORTEST = 0.02           # steps shorter than this no longer help: branch
cdef int64_t LOOK = 10_000_000        # work between two looks for Ctrl-C, about 20 ms
cdef int32_t SMALL = 2000             # candidates up to which local search runs in every round


cdef double now() noexcept nogil:
    cdef timespec ts
    timespec_get(&ts, TIME_UTC)
    return <double> ts.tv_sec + 1e-9 * ts.tv_nsec


cdef void solver_init(Solver *solver) noexcept nogil:
    cdef int depth
    memset(solver, 0, sizeof(Solver))
    solver.next_look = LOOK


cdef void solver_free(Solver *solver) noexcept nogil:
    cdef int depth
    arena_free(&solver.own)
    for depth in range(MAX_DEPTH):
        arena_free(&solver.problems[depth])
        arena_free(&solver.relaxations[depth])


cdef bint out_of_limits(Solver *s) noexcept nogil:
    if s.stopped:
        return True
    if s.work > s.limits.work or s.limits.cancel[0] or (
            s.limits.seconds < INFINITY and now() - s.started > s.limits.seconds):
        s.stopped = True
    elif s.work > s.next_look:
        s.next_look = s.work + LOOK
        s.interrupted = s.stopped = interrupted()
    return s.stopped


cdef void offer(Solver *s, const Selection *selection) noexcept nogil:
    """Keep a map that is better than the best."""
    cdef const Problem *p = selection.problem
    cdef int32_t i, c
    if selection.value <= s.lower + CLOSED:
        return
    s.lower = selection.value
    for i in range(p.n_rows):
        c = selection.in_row[i]
        s.best[i] = p.col[c] if c >= 0 else -1


cdef inline bint hopeless(const Solver *s, double bound) noexcept nogil:
    return bound < s.lower + s.limits.step - CLOSED


cdef int32_t mark_kept(const Solver *s, const Relaxation *x, uint8_t *keep) noexcept nogil:
    """Mark the candidates that could be in a better map, by their reduced cost; returns how many."""
    cdef const Problem *p = x.problem
    cdef int32_t c, kept = 0
    cdef double cost
    for c in range(p.n_candidates):
        cost = x.matching.alpha[p.row[c]] + x.matching.beta[p.col[c]] - x.gain[c]
        keep[c] = not hopeless(s, x.bound - cost)
        kept += keep[c]
    return kept


cdef int shrink(Arena *arena, const Problem *p, const uint8_t *keep, const double *profit, Problem *smaller,
                double **smaller_profit) noexcept nogil:
    """Copy the problem without the candidates not kept, and the profits of the halves that remain.

    ``arena`` is emptied first. Rows and columns keep their numbers. Returns -1 without memory.
    """
    cdef int32_t c, h, i, n_candidates = 0, n_halves = 0
    cdef int32_t *new_candidate
    cdef int32_t *new_half
    for c in range(p.n_candidates):
        if keep[c]:
            n_candidates += 1
            for h in range(p.half_start[c], p.half_start[c + 1]):
                n_halves += keep[p.other[h]]
    if arena_reserve(
        arena,
        2 * padded(n_candidates * sizeof(int32_t)) + padded(n_candidates * sizeof(double))
        + padded((p.n_rows + 1) * sizeof(int32_t)) + padded((n_candidates + 1) * sizeof(int32_t))
        + 2 * padded(n_halves * sizeof(int32_t)) + 2 * padded(n_halves * sizeof(double))
        + padded(p.n_candidates * sizeof(int32_t)) + padded(p.n_halves * sizeof(int32_t)),
    ) < 0:
        return -1
    smaller.n_rows, smaller.n_cols = p.n_rows, p.n_cols
    smaller.n_candidates, smaller.n_halves = n_candidates, n_halves
    smaller.row = <int32_t *> take(arena, n_candidates * sizeof(int32_t))
    smaller.col = <int32_t *> take(arena, n_candidates * sizeof(int32_t))
    smaller.unary = <double *> take(arena, n_candidates * sizeof(double))
    smaller.row_start = <int32_t *> take(arena, (p.n_rows + 1) * sizeof(int32_t))
    smaller.half_start = <int32_t *> take(arena, (n_candidates + 1) * sizeof(int32_t))
    smaller.other = <int32_t *> take(arena, n_halves * sizeof(int32_t))
    smaller.mate = <int32_t *> take(arena, n_halves * sizeof(int32_t))
    smaller.weight = <double *> take(arena, n_halves * sizeof(double))
    smaller_profit[0] = <double *> take(arena, n_halves * sizeof(double))
    new_candidate = <int32_t *> take(arena, p.n_candidates * sizeof(int32_t))
    new_half = <int32_t *> take(arena, p.n_halves * sizeof(int32_t))
    n_candidates = n_halves = 0
    for i in range(p.n_rows):
        smaller.row_start[i] = n_candidates
        for c in range(p.row_start[i], p.row_start[i + 1]):
            if keep[c]:
                new_candidate[c] = n_candidates
                smaller.row[n_candidates] = p.row[c]
                smaller.col[n_candidates] = p.col[c]
                smaller.unary[n_candidates] = p.unary[c]
                smaller.half_start[n_candidates] = n_halves
                for h in range(p.half_start[c], p.half_start[c + 1]):
                    if keep[p.other[h]]:
                        new_half[h] = n_halves
                        n_halves += 1
                n_candidates += 1
    smaller.row_start[p.n_rows] = n_candidates
    smaller.half_start[n_candidates] = n_halves
    for c in range(p.n_candidates):
        if keep[c]:
            for h in range(p.half_start[c], p.half_start[c + 1]):
                if keep[p.other[h]]:
                    i = new_half[h]
                    smaller.other[i] = new_candidate[p.other[h]]
                    smaller.mate[i] = new_half[p.mate[h]]
                    smaller.weight[i] = p.weight[h]
                    smaller_profit[0][i] = profit[h]
    return 0


cdef double descend(Solver *s, int depth, const Relaxation *x, const uint8_t *keep, double scale) noexcept nogil:
    """Search the node ``x`` without the candidates not kept; returns its bound."""
    cdef Problem smaller
    cdef double *profit
    if depth + 1 >= MAX_DEPTH or shrink(&s.problems[depth], x.problem, keep, x.profit, &smaller, &profit) < 0:
        s.stopped = True
        return x.upper
    return min(x.upper, search(s, depth + 1, &smaller, profit, scale))


cdef double branch(Solver *s, int depth, const Relaxation *x, const double *presence, uint8_t *keep) noexcept nogil:
    """Split the node on the candidate that the rounds were least sure of; returns the larger bound of its parts."""
    cdef const Problem *p = x.problem
    cdef int32_t c, best = -1
    cdef double doubt, most = -1.0, with_it, without_it
    for c in range(p.n_candidates):
        # candidates with edge-pairs first: the others never disagree
        doubt = min(presence[c], 1.0 - presence[c]) * (1 + p.half_start[c + 1] - p.half_start[c])
        if doubt > most:
            most, best = doubt, c
    for c in range(p.n_candidates):
        keep[c] = c == best or (p.row[c] != p.row[best] and p.col[c] != p.col[best])
    with_it = descend(s, depth, x, keep, 1.0)
    if s.stopped:
        return x.upper
    memset(keep, 1, p.n_candidates)
    keep[best] = 0
    without_it = descend(s, depth, x, keep, 1.0)
    return max(with_it, without_it)


cdef double search(Solver *s, int depth, const Problem *p, const double *profit, double scale) noexcept nogil:
    """Search one node; returns an upper bound on what a map in it can be worth, or less than any better map's value.

    ``profit``: how the gains are split to begin with, or NULL for halves.
    """
    cdef Relaxation x
    cdef Selection selection
    cdef uint8_t *keep
    cdef double *presence
    cdef int32_t c, i, kept
    cdef int rounds = 0, stalled = 0
    cdef double upper
    if relaxation_init(&s.relaxations[depth], &x, p, selection_size(p) + padded(p.n_candidates)
                       + padded(p.n_candidates * sizeof(double))) < 0:
        s.stopped = True
        return INFINITY
    selection_init(&s.relaxations[depth], &selection, p)
    keep = <uint8_t *> take(&s.relaxations[depth], p.n_candidates)
    presence = <double *> take(&s.relaxations[depth], p.n_candidates * sizeof(double))
    if profit != NULL:
        memcpy(x.profit, profit, p.n_halves * sizeof(double))
    memset(presence, 0, p.n_candidates * sizeof(double))
    while True:
        upper = x.upper
        relaxation_bound(&x)
        rounds += 1
        s.work += p.n_candidates + p.n_halves
        if x.upper < upper - 1e-3:
            stalled = 0
        else:
            stalled += 1
            if stalled == PATIENCE:
                scale *= SHORTER
                stalled = 0
        if p.n_candidates <= SMALL or rounds % 4 == 1 or hopeless(s, x.upper - s.limits.step):
            select(&selection, x.matching.row_match)
            if not hopeless(s, x.upper):
                offer(s, &selection)
            if not hopeless(s, x.upper):
                improve(&selection)
                offer(s, &selection)
        if hopeless(s, x.upper) or out_of_limits(s):
            return x.upper
        for c in range(p.n_candidates):
            presence[c] *= 0.9
        for i in range(p.n_rows):
            if x.matching.row_match[i] >= 0:
                presence[x.matching.row_match[i]] += 0.1
        if rounds % 5 == 0:
            kept = mark_kept(s, &x, keep)
            if kept < 0.75 * p.n_candidates:
                return descend(s, depth, &x, keep, scale)
        if scale < SHORTEST:
            break
        if not relaxation_step(&x, scale, s.lower):
            # every local problem agrees: the assignment's map is worth the bound, so the node is solved
            select(&selection, x.matching.row_match)
            offer(s, &selection)
            return x.upper
    return branch(s, depth, &x, presence, keep)


cdef double solve(Solver *s, const Problem *problem) noexcept nogil:
    """Solve one problem. Fills ``lower`` and ``best``; returns an upper bound, equal to ``lower`` if it is proven.

    The caller has set ``limits``. ``best`` lives in the solver until the next call. -1: no memory at all.
    """
    cdef double upper
    cdef int32_t i
    if arena_reserve(&s.own, padded(problem.n_rows * sizeof(int32_t))) < 0:
        return -1.0
    s.best = <int32_t *> take(&s.own, problem.n_rows * sizeof(int32_t))
    for i in range(problem.n_rows):
        s.best[i] = -1
    s.lower = 0.0
    s.next_look -= s.work             # counts on over pairs: a list of short ones must hear Ctrl-C too
    s.work = 0
    s.stopped = s.interrupted = False
    if s.limits.seconds < INFINITY:
        s.started = now()
    upper = search(s, 0, problem, NULL, 1.0)
    return s.lower if hopeless(s, upper) else upper
