"""The optimum with a certificate: bound, improve, shrink, branch.

A node of the search is a matching problem with some candidates removed. In it, rounds of the relaxation lower the bound
and every round's assignment, improved by local search, may raise the best value known. The node is closed when nothing
in it can be better than that: gains are whole numbers, so a bound below ``best + 1`` will do. That ends nearly every
pair of sentences within a round or two. For gains that are no whole numbers a smaller step is given in place of 1, and
what is found is the optimum but for less than that step.

While a node is open, a candidate whose use would cost so much that the bound falls below ``best + 1`` (its reduced cost
in the assignment) cannot be in a better map and is dropped; when a quarter are gone, the problem is built anew.
Every so often the few candidates that recent rounds used are searched on their own for a better map. If the rounds stop
helping, candidates that they could not agree on are tried with and without; those not decided by that split the node.

A node that is still large when the rounds stop helping has a relaxation that is not whole but some triple or two above
the best map. If branching does not close it soon it hardly ever does, while a cutting-plane method needs seconds. If
the caller has one, such a node is handed over to it, with only the candidates left that a better map could use: of a
document of 500 variables one in six.

What limits of work or time leave open is reported as such: the largest bound of the open nodes is the upper bound.
"""

from libc.math cimport INFINITY, fabs
from libc.stdint cimport int32_t, int64_t, uint8_t
from libc.string cimport memcpy, memset

from fastmatch._ext.base.arena cimport Arena, arena_free, arena_reserve, padded, take
from fastmatch._ext.base.interrupt cimport interrupted
from fastmatch._ext.base.status cimport FINE, INTERRUPTED, NO_MEMORY
from fastmatch._ext.matching.local_search cimport Selection, improve, select, selection_init, selection_size
from fastmatch._ext.matching.problem cimport Problem, problem_init, problem_size
from fastmatch._ext.matching.relaxation cimport Relaxation, relaxation_bound, relaxation_init, relaxation_step

cdef extern from "<time.h>" nogil:
    struct timespec:
        long long tv_sec
        long tv_nsec
    int TIME_UTC
    int timespec_get(timespec *ts, int base)

cdef double CLOSED = 1e-6             # a bound this little (in steps) short of the next value still closes the node
# Lengths of the relaxation's steps, tuned on joined documents of 70 to 500 variables; sentences do not get this far.
cdef int PATIENCE = 20                # rounds without a better bound before steps get shorter; 10 stuck twice as far
cdef double BETTER = 1e-3             # by which a bound has to be better, or by this part of a gap that may be small
# The same for nodes that are not branched on while they are large: their bound has to be as good as it gets, for with
# it goes the number of candidates.
cdef int PATIENCE_LARGE = 30
cdef double BETTER_LARGE = 3e-4
cdef double SHORTEST_LARGE = 0.002
# The same for small nodes whose gains are no whole numbers: nearly twice as fast on pairs of sentences.
cdef int PATIENCE_FINE = 6
cdef int REVIEW_EVERY_FINE = 10       # and without searching the core, for local search runs in every round
cdef double SHORTER = 0.7
cdef double AIM = 0.5                 # steps aim so far above the best value: a bound below the next one will do
cdef int64_t LOOK = 1_000_000         # work between two looks for Ctrl-C, 10 to 40 ms
cdef double RESUMED = 0.1             # length to begin with where the parent's split of gains is taken over
# When to look at the node as a whole.
cdef int SHRINK_EVERY = 5             # rounds
cdef double WORTH_SHRINKING = 0.75    # part of the candidates that may be left for building the problem anew to pay
cdef int32_t SMALL = 2000             # candidates up to which local search runs in every round
cdef int REVIEW_EVERY = 20            # rounds: search the core, and ask if the node will close by itself
cdef double PROSPECT = 10             # reviews that a node may still need, at its present pace, before it is split
cdef double SHORT = 0.2               # steps have to be this short before it is
cdef double SPLITTABLE = 5            # and the gap this small: a split closes a fraction of a triple
cdef double LENGTHENED = 0.3          # length of the steps to go on with while it is not
cdef double SHORTEST = 0.003          # and no use at all below this
# Nodes of this size may be handed over. Smaller ones are branched on quickly, with larger ones no solver of linear
# programs helps.
cdef int32_t HAND_OVER_FROM = 1000    # candidates
cdef int32_t HAND_OVER_TO = 40_000
cdef int32_t HAND_OVER_HALVES = 40_000
# The core: candidates that recent assignments used. It is solved for better maps, not for bounds.
cdef double MEMORY = 0.96             # weight of the past in how often a candidate has been used, per round
cdef double CORE_PRESENCE = 0.01
cdef int CORE_ROUNDS = 60
cdef double CORE_SCALE = 0.3
cdef enum:
    PROBES = 16                       # candidates tried both ways before a node is split
cdef int PROBE_ROUNDS = 20
cdef int32_t FEW = 400                # candidates up to which a node is split untried, its parts being cheap


cdef double now() noexcept nogil:
    cdef timespec ts
    timespec_get(&ts, TIME_UTC)
    return <double> ts.tv_sec + 1e-9 * ts.tv_nsec


cdef double seconds_spent(const Solver *solver) noexcept nogil:
    """Wall time since the last problem was begun, if there is a limit to it; else 0."""
    return now() - solver.started if solver.limits.seconds < INFINITY else 0.0


cdef void solver_init(Solver *solver) noexcept nogil:
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
    if selection.value <= s.lower + CLOSED * s.limits.step:
        return
    s.lower = selection.value
    for i in range(p.n_rows):
        c = selection.in_row[i]
        s.best[i] = p.col[c] if c >= 0 else -1


cdef inline bint hopeless(const Solver *s, double bound) noexcept nogil:
    return bound < s.lower + s.limits.step * (1.0 - CLOSED)


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

    ``arena`` is emptied first. Rows and columns keep their numbers. Returns FINE or NO_MEMORY.
    """
    cdef int32_t c, h, i, n_candidates = 0, n_halves = 0
    cdef int32_t *new_candidate
    cdef int32_t *new_half
    for c in range(p.n_candidates):
        if keep[c]:
            n_candidates += 1
            for h in range(p.half_start[c], p.half_start[c + 1]):
                n_halves += keep[p.other[h]]
    if arena_reserve(arena, problem_size(p.n_rows, n_candidates, n_halves) + padded(n_halves * sizeof(double))
                     + padded(p.n_candidates * sizeof(int32_t)) + padded(p.n_halves * sizeof(int32_t))) < 0:
        return NO_MEMORY
    problem_init(arena, smaller, p.n_rows, p.n_cols, n_candidates, n_halves)
    smaller.n_candidates, smaller.n_halves = n_candidates, n_halves
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
    return FINE


cdef double descend(Solver *s, int depth, const Relaxation *x, const uint8_t *keep, double scale,
                    int budget) noexcept nogil:
    """Search the node ``x`` without the candidates not kept; returns a bound on that part of it."""
    cdef Problem smaller
    cdef double *profit
    if depth + 1 >= MAX_DEPTH or shrink(&s.problems[depth], x.problem, keep, x.profit, &smaller, &profit) != FINE:
        s.stopped = True
        return x.upper
    # the node's bound is one of its part as well, and the better one if that is left after a round or two
    return min(x.upper, search(s, depth + 1, &smaller, profit, scale, budget))


cdef void keep_with(const Problem *p, int32_t chosen, uint8_t *keep) noexcept nogil:
    """Unmark what choosing a candidate rules out: the others of its row and of its column."""
    cdef int32_t c
    for c in range(p.n_candidates):
        if c != chosen and (p.row[c] == p.row[chosen] or p.col[c] == p.col[chosen]):
            keep[c] = 0


cdef inline bint has_rival(const Relaxation *x, int32_t c) noexcept nogil:
    """Some other candidate has the row or the column of ``c``. Before the first step nobody knows: then it is true."""
    cdef const Problem *p = x.problem
    return (not x.warm or p.row_start[p.row[c] + 1] - p.row_start[p.row[c]] > 1
            or x.col_start[p.col[c] + 1] - x.col_start[p.col[c]] > 1)


cdef bint settle(Solver *s, Relaxation *x, Selection *selection) noexcept nogil:
    """Choose all candidates if no two are rivals: gains are not negative, so that is the best map of the node."""
    cdef const Problem *p = x.problem
    cdef int32_t c, i
    for c in range(p.n_candidates):
        if has_rival(x, c):
            return False
    for i in range(p.n_rows):
        x.matching.row_match[i] = p.row_start[i] if p.row_start[i] < p.row_start[i + 1] else -1
    select(selection, x.matching.row_match)
    offer(s, selection)
    return True


cdef double branch(Solver *s, int depth, const Relaxation *x, const double *presence, uint8_t *keep,
                   uint8_t *trial) noexcept nogil:
    """Split an open node, or find candidates that can be decided without splitting; returns the node's bound.

    The candidates that the rounds were least sure of are tried with and without, a few rounds each. Where one of the
    two turns out hopeless, the other is certain. If none is decided so, the node is split on the one whose two parts
    have the lowest bounds.
    """
    cdef const Problem *p = x.problem
    cdef int32_t[PROBES] doubtful
    cdef double[PROBES] doubts
    cdef int32_t c, h, k, n_doubtful = 0, best = -1, decided = 0
    cdef int32_t probes = PROBES if p.n_candidates > FEW else 1
    cdef double doubt, with_it, without_it, least = INFINITY
    for c in range(p.n_candidates):
        if not has_rival(x, c):
            continue                  # it costs nothing to choose it, and choosing it leaves the node as it is
        # how far the rounds disagreed about its edge-pairs, and how evenly about the candidate itself
        doubt = 0.0
        for h in range(p.half_start[c], p.half_start[c + 1]):
            k = min(h, p.mate[h])
            if x.active[k]:
                doubt += fabs(x.direction[k])
        doubt *= min(presence[c], 1.0 - presence[c])
        if n_doubtful == probes and doubt <= doubts[probes - 1]:
            continue
        k = n_doubtful if n_doubtful < probes else probes - 1
        while k > 0 and doubts[k - 1] < doubt:
            doubts[k], doubtful[k] = doubts[k - 1], doubtful[k - 1]
            k -= 1
        doubts[k], doubtful[k] = doubt, c
        n_doubtful = min(n_doubtful + 1, probes)
    memset(keep, 1, p.n_candidates)
    if probes == 1 and n_doubtful:
        best = doubtful[0]
        n_doubtful = 0
    for k in range(n_doubtful):
        c = doubtful[k]
        if not keep[c]:
            continue
        memcpy(trial, keep, p.n_candidates)
        keep_with(p, c, trial)
        with_it = descend(s, depth, x, trial, RESUMED, PROBE_ROUNDS)
        if s.stopped:
            return x.upper
        if hopeless(s, with_it):
            keep[c] = 0
            decided += 1
            continue
        memcpy(trial, keep, p.n_candidates)
        trial[c] = 0
        without_it = descend(s, depth, x, trial, RESUMED, PROBE_ROUNDS)
        if s.stopped:
            return x.upper
        if hopeless(s, without_it):
            keep_with(p, c, keep)
            decided += 1
        elif max(with_it, without_it) + 0.1 * min(with_it, without_it) < least:
            least = max(with_it, without_it) + 0.1 * min(with_it, without_it)
            best = c
    if decided or best < 0:
        return descend(s, depth, x, keep, RESUMED, 0)
    memcpy(trial, keep, p.n_candidates)
    keep_with(p, best, trial)
    with_it = descend(s, depth, x, trial, RESUMED, 0)
    if s.stopped:
        return x.upper
    memset(keep, 1, p.n_candidates)
    keep[best] = 0
    # a part that is searched to its end comes back hopeless; the larger bound counts where a limit stops the second
    return max(with_it, descend(s, depth, x, keep, RESUMED, 0))


cdef void search_core(Solver *s, int depth, const Relaxation *x, const double *presence, uint8_t *keep) noexcept nogil:
    """Look for a better map among the candidates of the best one and of recent assignments.

    This joins what is good in many maps at once, as fusion moves do for two (Hutschenreiter et al. 2021). One call took
    a document of 500 variables from 41 triples below the optimum to 1 below.
    """
    cdef const Problem *p = x.problem
    cdef int32_t c
    for c in range(p.n_candidates):
        keep[c] = presence[c] > CORE_PRESENCE or s.best[p.row[c]] == p.col[c]
    descend(s, depth, x, keep, CORE_SCALE, CORE_ROUNDS)


cdef double search(Solver *s, int depth, const Problem *p, const double *profit, double scale,
                   int budget) noexcept nogil:
    """Search one node; returns an upper bound on what a map in it can be worth, or less than any better map's value.

    ``profit``: how the gains are split to begin with, or NULL for halves. ``budget``: rounds after which to return,
    without splitting the node; 0 to search it to the end.
    """
    cdef Relaxation x
    cdef Selection selection
    cdef Arena *arena = &s.relaxations[depth]
    cdef uint8_t *keep
    cdef uint8_t *trial
    cdef double *presence
    cdef int32_t c, i
    cdef int rounds = 0, stalled = 0
    cdef double upper, reviewed = INFINITY
    cdef int64_t work
    cdef bint review, large = s.limits.branching >= 0 and not budget and p.n_candidates > HAND_OVER_FROM
    cdef int patience = PATIENCE_LARGE if large else PATIENCE
    cdef double better = BETTER_LARGE if large else BETTER
    cdef double shortest = SHORTEST_LARGE if large else SHORTEST
    cdef bint fine = s.limits.step < 1.0 and p.n_candidates <= FEW
    cdef int review_every = REVIEW_EVERY
    if fine:
        patience, review_every = PATIENCE_FINE, REVIEW_EVERY_FINE
    if relaxation_init(arena, &x, p, selection_size(p) + 2 * padded(p.n_candidates)
                       + padded(p.n_candidates * sizeof(double))) != FINE:
        s.stopped = True
        return INFINITY
    selection_init(arena, &selection, p)
    keep = <uint8_t *> take(arena, p.n_candidates)
    trial = <uint8_t *> take(arena, p.n_candidates)
    presence = <double *> take(arena, p.n_candidates * sizeof(double))
    memset(presence, 0, p.n_candidates * sizeof(double))
    if profit != NULL:
        memcpy(x.profit, profit, p.n_halves * sizeof(double))
    while True:
        upper = x.upper
        relaxation_bound(&x)
        rounds += 1
        review = rounds % review_every == 0
        s.work += p.n_candidates + p.n_halves
        if p.n_candidates <= SMALL or rounds == 1 or review:
            select(&selection, x.matching.row_match)
            offer(s, &selection)
            if not hopeless(s, x.upper):
                improve(&selection)
                offer(s, &selection)
        if hopeless(s, x.upper) or (budget and rounds >= budget) or out_of_limits(s):
            return x.upper
        if x.upper < upper - better * (1.0 if s.limits.step >= 1.0 else min(1.0, x.upper - s.lower)):
            stalled = 0
        else:
            stalled += 1
            if stalled == patience:
                scale *= SHORTER
                stalled = 0
        for c in range(p.n_candidates):
            presence[c] *= MEMORY
        for i in range(p.n_rows):
            if x.matching.row_match[i] >= 0:
                presence[x.matching.row_match[i]] += 1.0 - MEMORY
        if rounds % SHRINK_EVERY == 0 and mark_kept(s, &x, keep) < WORTH_SHRINKING * p.n_candidates:
            return descend(s, depth, &x, keep, scale, budget - rounds if budget else 0)
        if review and not budget:
            if not fine:
                search_core(s, depth, &x, presence, keep)
            if not large and scale < SHORT and (reviewed - x.upper) * PROSPECT < x.upper - (s.lower + s.limits.step):
                if x.upper - s.lower < SPLITTABLE * max(1.0, s.limits.step):
                    break
                scale = LENGTHENED
            reviewed = x.upper
        if scale < shortest:
            break
        if not relaxation_step(&x, scale, s.lower + AIM * s.limits.step):
            # every local problem agrees with the global one: its map is worth the bound, so the node is solved
            select(&selection, x.matching.row_match)
            offer(s, &selection)
            return x.upper
    if settle(s, &x, &selection):
        return selection.value
    if not (large and x.upper - s.lower < SPLITTABLE * max(1.0, s.limits.step)
            and p.n_candidates <= HAND_OVER_TO and p.n_halves <= HAND_OVER_HALVES):
        return branch(s, depth, &x, presence, keep, trial)
    work = s.limits.work
    s.limits.work = min(work, s.work + s.limits.branching)
    upper = branch(s, depth, &x, presence, keep, trial)
    if s.stopped and s.limits.work < s.work < work:
        s.core = p[0]
        s.handed_over = True
    s.limits.work = work
    return min(x.upper, upper)


cdef int solve(Solver *s, const Problem *problem) noexcept nogil:
    """Solve one problem: fills ``lower``, ``upper`` and ``best``.

    The caller has set ``limits``. ``best`` lives in the solver until the next call. Returns FINE (also if a limit is
    reached), NO_MEMORY or INTERRUPTED.
    """
    cdef double upper
    cdef int32_t i
    if arena_reserve(&s.own, padded(problem.n_rows * sizeof(int32_t))) < 0:
        return NO_MEMORY
    s.best = <int32_t *> take(&s.own, problem.n_rows * sizeof(int32_t))
    for i in range(problem.n_rows):
        s.best[i] = -1
    s.lower = 0.0
    s.next_look -= s.work             # counts on over pairs: a list of short ones must hear Ctrl-C too
    s.work = 0
    s.stopped = s.interrupted = s.handed_over = False
    if s.limits.seconds < INFINITY:
        s.started = now()
    upper = search(s, 0, problem, NULL, 1.0, 0)
    if s.interrupted:
        return INTERRUPTED
    if upper == INFINITY:
        return NO_MEMORY
    s.upper = s.lower if hopeless(s, upper) else upper
    return FINE
