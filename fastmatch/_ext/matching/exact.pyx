"""The optimum of a matching problem with a proof, by branch and bound.

Candidates, gains and halves are defined at the top of problem.pyx. A *node* of the search is a matching problem with
some candidates removed. *Rounds* of the relaxation (relaxation.pyx) lower the node's upper bound. The assignment of
each round, improved by local search, may raise the best value known. The node is *closed* when no map in it can be
better than the best one known. If gains are whole numbers, a bound below ``best + 1`` closes it, and nearly every pair
of sentences is closed after a round or two. If gains are real numbers, a smaller *step* takes the place of 1, and the
result is within that step of the optimum.

While a node is open, these steps close it or make it smaller:

* Shrinking. A candidate is dropped if the bound less its reduced cost in the assignment is below ``best + 1``, for it
  cannot be in a better map. When a quarter of the candidates are dropped, the problem is built anew.
* Core search. From time to time the *core*, the few candidates that recent rounds chose, is searched on its own. A
  better map found there raises the best value.
* Probing. When the rounds no longer lower the bound enough, the candidates on which they disagreed are tried with and
  without. If one of the two trials is closed, the other is certain.
* Splitting. If no candidate is decided so, the node is split in two parts: one with a candidate and one without it.

Graphs whose variables look alike are searched in another way. If the first rounds do not lower the bound of the whole
problem, dual ascent (ascent.pyx) takes their place until it does not get on any more. And if the gap is wide when a
certain amount of work is done, the best map is annealed (annealing.pyx).

Large nodes, of documents, have most rounds on a core of candidates with small reduced costs: the others can be in no
map that is nearly as good as the bound. When steps have got shorter, cuts (cuts.pyx) lower the bound below what the
relaxation alone could reach. If too many candidates are left even so, only a part is handed over, in which a better map
is likely; it proves nothing.

Documents of thousands of variables have millions of candidates, and no round sees all of them; see search_wide().

Where a node is still large when the rounds no longer help, the bound of the relaxation is mostly a triple or two above
the best map. If branching does not close such a node soon, it hardly ever does, while a cutting-plane method closes it
in seconds. If the caller has such a method, the node is handed over to it. It holds only the candidates that a better
map could use: one in six for a document of 500 variables.

If a limit of work or time leaves nodes open, the largest of their bounds is the upper bound of the result.
"""

from libc.math cimport INFINITY, fabs
from libc.stdint cimport int32_t, int64_t, uint8_t
from libc.string cimport memcpy, memset

from fastmatch._ext.base.arena cimport Arena, arena_free, arena_reserve, padded, take
from fastmatch._ext.base.status cimport FINE, INTERRUPTED, NO_MEMORY
from fastmatch._ext.base.watch cimport glance, look
from fastmatch._ext.matching.annealing cimport anneal
from fastmatch._ext.matching.ascent cimport ascend, ascend_by_prices, begin_ascent, first_prices
from fastmatch._ext.matching.cuts cimport Cuts, cuts_init, cuts_size, separate
from fastmatch._ext.matching.local_search cimport Selection, improve, map_value, select, selection_init, selection_size
from fastmatch._ext.matching.problem cimport Problem, find_candidate, problem_init, problem_size
from fastmatch._ext.matching.relaxation cimport (
    Relaxation, find_core, lay_cuts, lift_cuts, narrow_bound, raise_prices, relaxation_bound, relaxation_init,
    relaxation_step, relaxation_work, settle_prices, use_cuts,
)

cdef double CLOSED = 1e-6             # tolerance of bounds and values, in steps
# Lengths (scale) of the relaxation's steps, tuned on joined documents of 70 to 500 variables.
cdef int PATIENCE = 20                # rounds without a better bound before steps get shorter; 10 left twice the gap
cdef double BETTER = 1e-3             # decrease that makes a bound better; with real gains, times a gap below 1
# The same for large nodes that may be handed over. They need the best bound, since it determines how many candidates
# are left.
cdef int PATIENCE_LARGE = 30
cdef double BETTER_LARGE = 3e-4
cdef double SHORTEST_LARGE = 0.002
# The same for small nodes with real gains: nearly twice as fast on pairs of sentences.
cdef int PATIENCE_FINE = 6
cdef int REVIEW_EVERY_FINE = 10       # their core is not searched, since local search runs in every round
cdef double SHORTER = 0.7             # factor by which steps get shorter
cdef double AIM = 0.5                 # target of the steps above the best value, in units of Limits.step
cdef int64_t FIRST = 100_000          # work that the first round may take, and each local search, whatever the limit
cdef int64_t LOOK = 1_000_000         # work between two looks for Ctrl-C and the like, 10 to 40 ms
cdef double RESUMED = 0.1             # first length where the parent's split of weights is taken over
# When to shrink, search the core, or split.
cdef int SHRINK_EVERY = 5             # rounds
cdef double WORTH_SHRINKING = 0.75    # the problem is built anew if fewer than this share of its candidates are left
cdef int32_t SMALL = 2000             # candidates up to which local search runs in every round
# In problems of more than Limits.narrow candidates, by default NARROW_FROM, only every WHOLE_EVERY-th round has all.
cdef int32_t NARROW_FROM = 20_000
cdef int WHOLE_EVERY = 10
cdef int REVIEW_EVERY_NARROW = 60
# Large nodes are cut from steps of length CUT_SCALE on. Cuts are looked for every SEPARATE_EVERY rounds, a better map
# every SEEK_EVERY rounds. This ends when FEW_KEPT * Limits.narrow candidates could be in a better map, or steps are
# short.
cdef double CUT_SCALE = 0.3
cdef double SHORTEST_CUT = 0.01
cdef int PATIENCE_CUT = 100
cdef int SEPARATE_EVERY = 100
cdef int SEEK_EVERY = 300
cdef double FEW_KEPT = 0.6
# If too many are left, those of a reduced cost up to PARTIAL_COST are searched, or up to a half of it, a quarter, …,
# until they are no more than PARTIAL_TO. Of a document of 1,000 variables HiGHS took 7 s for 5,000 candidates, 29 s
# for 8,000, and had not ended after 6 minutes for 18,000. For 5,000 its maps were as good in four of five documents,
# and one triple below in the fifth.
cdef double PARTIAL_COST = 0.1
cdef int32_t PARTIAL_TO = 5_000
# Problems of more than Limits.wide candidates, by default WIDE_FROM: see search_wide().
cdef int32_t WIDE_FROM = 2_000_000
cdef int FIRST_SWEEPS = 4
cdef int PHASES = 4                   # of SWEEPS sweeps and an assignment each
cdef int SWEEPS = 6
cdef int SETTLE_EVERY = 10            # rounds
cdef int IMPROVE_EVERY = 30
cdef int REVIEW_EVERY_WIDE = 150
cdef int SHORTER_EVERY = 30
cdef double SCALE_WIDE = 0.25
cdef double SHORTER_WIDE = 0.9
cdef double SHORTEST_WIDE = 0.02
cdef int32_t MOST_WIDE = 20           # candidates of a row that the core gets at first, and then at a time
cdef int32_t MORE_WIDE = 4
cdef double ADDED_COST = 0.05
cdef double KEPT_COST = 0.5
cdef int REVIEW_EVERY = 20            # rounds from one review to the next; a review searches the core
# A review splits the node if it would need more than PROSPECT further reviews to close, steps are shorter than SHORT,
# and the gap is below SPLITTABLE, since a split lowers the bound by a fraction of a triple. If only the gap is too
# large, rounds go on with steps of length LENGTHENED. Rounds end when steps are shorter than SHORTEST.
cdef double PROSPECT = 10
cdef double SHORT = 0.2
cdef double SPLITTABLE = 5
cdef double LENGTHENED = 0.3
# Dual ascent takes the place of the first steps if they have hardly lowered the bound of the first round: at round
# TRIED by less than FALLEN, as a share of the gap, in problems of more than ALIKE_FROM candidates.
cdef int TRIED = 5
cdef double FALLEN = 0.03
cdef int32_t ALIKE_FROM = 1000
cdef double AFTER = 0.5               # length of the first steps after it
cdef double WORTH = 0.02              # share of the gap that four sweeps must close
# The best map is annealed where the gap is above WIDE times its value: when the work has reached ANNEAL_AT, or that
# times a power of ANNEAL_AGAIN, with ANNEAL_SHARE of this work.
cdef double WIDE = 0.03
cdef int64_t ANNEAL_AT = 1_200_000
cdef int64_t ANNEAL_AGAIN = 25
cdef double ANNEAL_SHARE = 0.35
cdef double STUCK = 0.97              # share of the gap above which the search does not get on
cdef double SHORTEST = 0.003
# Nodes of these sizes may be handed over. Branching on smaller ones is quick, and larger ones are too large for a
# solver of linear programs.
cdef int32_t HAND_OVER_FROM = 1000    # candidates
cdef int32_t HAND_OVER_TO = 20_000
cdef int32_t HAND_OVER_HALVES = 14_000
# The core: candidates that recent assignments chose. It is searched for better maps, not for bounds.
# The *presence* of a candidate is a moving average over rounds of whether it was chosen. MEMORY is the factor a round.
cdef double MEMORY = 0.96
cdef double CORE_PRESENCE = 0.01      # candidates of more presence belong to the core
cdef int CORE_ROUNDS = 60
cdef double CORE_SCALE = 0.3
cdef enum:
    PROBES = 16                       # candidates tried with and without before a node is split
cdef int PROBE_ROUNDS = 20
cdef int32_t FEW = 400                # candidates up to which a node is split without probing


cdef void solver_init(Solver *solver) noexcept nogil:
    memset(solver, 0, sizeof(Solver))
    solver.next_look = LOOK
    solver.limits.narrow = NARROW_FROM
    solver.limits.wide = WIDE_FROM


cdef void solver_free(Solver *solver) noexcept nogil:
    cdef int depth
    arena_free(&solver.own)
    arena_free(&solver.annealing)
    arena_free(&solver.cutting)
    for depth in range(MAX_DEPTH):
        arena_free(&solver.problems[depth])
        arena_free(&solver.relaxations[depth])


cdef bint out_of_limits(Solver *s) noexcept nogil:
    if s.stopped:
        return True
    if s.work > s.limits.work or glance(&s.watch):
        s.stopped = True
    elif s.work > s.next_look:
        s.next_look = s.work + LOOK
        s.watch.reached = s.lower
        s.watch.share = <double> s.work / s.allowed
        s.stopped = look(&s.watch)
    return s.stopped


cdef void offer(Solver *s, const Selection *selection) noexcept nogil:
    """Keep a map if it is better than the best one known."""
    cdef const Problem *p = selection.problem
    cdef int32_t i, c
    if selection.value <= s.lower + CLOSED * s.limits.step:
        return
    s.lower = selection.value
    for i in range(p.n_rows):
        c = selection.in_row[i]
        s.best[i] = p.col[c] if c >= 0 else -1


cdef void seek(Solver *s, double upper) noexcept nogil:
    """Anneal the best map once the work has passed a certain amount, if the gap is wide.

    When that happens, and what it takes, depends on no limit, so with more effort the same comes first. The search does
    not learn of the map before its end: a better map makes its steps shorter, which does not always help it.
    """
    cdef const Problem *p = s.root
    cdef Selection selection
    cdef int32_t i, c
    cdef int32_t *best
    cdef int64_t work = <int64_t> (ANNEAL_SHARE * s.next_annealing)
    cdef double value
    s.next_annealing *= ANNEAL_AGAIN
    if upper - s.lower < WIDE * s.lower:
        return
    if arena_reserve(&s.annealing, selection_size(p) + padded(p.n_rows * sizeof(int32_t))) < 0:
        s.stopped = s.no_memory = True
        return
    selection_init(&s.annealing, &selection, p)
    best = <int32_t *> take(&s.annealing, p.n_rows * sizeof(int32_t))
    for i in range(p.n_rows):
        c = s.best[i] if s.lower >= s.annealed_value else s.annealed[i]
        best[i] = find_candidate(p, i, c) if c >= 0 else -1
    select(&selection, best)
    s.work += p.n_candidates + p.n_halves + anneal(&selection, work, best, &s.watch)
    value = map_value(p, best)
    if value > s.annealed_value:
        s.annealed_value = value
        for i in range(p.n_rows):
            s.annealed[i] = p.col[best[i]] if best[i] >= 0 else -1


cdef bint stuck(Solver *s, double upper) noexcept nogil:
    """Whether as much work as all before has hardly narrowed a gap that branching cannot close.

    Symmetric graphs keep a wide gap however long the rounds go on; documents have closed theirs by then.
    """
    cdef double gap = upper - s.lower
    cdef bint stays = gap > max(STUCK * s.gap, SPLITTABLE * max(1.0, s.limits.step))
    s.next_check = 2 * s.work
    s.gap = gap
    return stays


cdef inline bint hopeless(const Solver *s, double bound) noexcept nogil:
    return bound < s.lower + s.limits.step * (1.0 - CLOSED)


cdef int32_t mark_kept(const Solver *s, const Relaxation *x, uint8_t *keep) noexcept nogil:
    """Mark the candidates that could be in a better map, by their reduced cost; returns their number."""
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
    """Copy the problem with the candidates to keep, and the profits of their halves.

    Parameters
    ----------
    arena : Arena
        Emptied first; receives ``smaller`` and ``smaller_profit``.
    keep : uint8[n_candidates]
    profit : double[n_halves]
    smaller : Problem
        Its rows and columns have the same numbers as those of ``p``.

    Returns
    -------
    FINE or NO_MEMORY.
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
    """Search the part of node ``x`` with the candidates to keep; returns an upper bound on that part."""
    cdef Problem smaller
    cdef double *profit
    if depth + 1 >= MAX_DEPTH:
        s.stopped = True
        return x.upper
    if shrink(&s.problems[depth], x.problem, keep, x.profit, &smaller, &profit) != FINE:
        s.stopped = s.no_memory = True
        return x.upper
    s.work += x.problem.n_candidates + x.problem.n_halves
    # The node's bound holds for its part too, and is the lower one if the search of the part ends after a few rounds.
    return min(x.upper, search(s, depth + 1, &smaller, profit, scale, budget))


cdef void keep_with(const Problem *p, int32_t chosen, uint8_t *keep) noexcept nogil:
    """Unmark the candidates that choosing one rules out: the others of its row and of its column."""
    cdef int32_t c
    for c in range(p.n_candidates):
        if c != chosen and (p.row[c] == p.row[chosen] or p.col[c] == p.col[chosen]):
            keep[c] = 0


cdef inline bint has_rival(const Relaxation *x, int32_t c) noexcept nogil:
    """Whether another candidate has the row or column of ``c``; True before columns are sorted in the first step."""
    cdef const Problem *p = x.problem
    return (not x.warm or p.row_start[p.row[c] + 1] - p.row_start[p.row[c]] > 1
            or x.col_start[p.col[c] + 1] - x.col_start[p.col[c]] > 1)


cdef bint settle(Solver *s, Relaxation *x, Selection *selection) noexcept nogil:
    """Choose all candidates if no two share a row or column: gains are not negative, so this is the node's optimum."""
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
    """Probe the candidates of an open node, and split it if none is decided; returns the node's upper bound.

    The candidates on which the rounds disagreed most are tried with and without, a few rounds each. If one of the two
    trials is closed, the other is certain. If no candidate is decided so, the node is split on the one whose two parts
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
            continue                  # choosing it rules out nothing, so there is nothing to decide
        # Disagreement about its edge-pairs (deflected subgradient) times disagreement about the candidate (presence).
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
    s.work += p.n_candidates + p.n_halves
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
    # The bound of a part that was searched to its end is below any better map's value.
    return max(with_it, descend(s, depth, x, keep, RESUMED, 0))


cdef void search_core(Solver *s, int depth, const Relaxation *x, const double *presence, uint8_t *keep) noexcept nogil:
    """Look for a better map among the candidates of the best map and of recent assignments.

    This combines parts of many maps at once, as fusion moves do for two (Hutschenreiter et al. 2021). For a document of
    500 variables one call raised the best map from 41 triples below the optimum to 1 below.
    """
    cdef const Problem *p = x.problem
    cdef int32_t c
    for c in range(p.n_candidates):
        keep[c] = presence[c] > CORE_PRESENCE or s.best[p.row[c]] == p.col[c]
    descend(s, depth, x, keep, CORE_SCALE, CORE_ROUNDS)


cdef void take_hint(Solver *s, Relaxation *x, Selection *selection) noexcept nogil:
    """Offer the map that the search begins with, and what local search makes of it."""
    cdef const Problem *p = x.problem
    cdef int32_t i
    for i in range(p.n_rows):
        x.matching.row_match[i] = find_candidate(p, i, s.hint[i]) if s.hint[i] >= 0 else -1
    select(selection, x.matching.row_match)
    offer(s, selection)
    s.work += p.n_candidates + p.n_halves
    if not hopeless(s, x.upper):
        s.work += improve(selection, NULL, 0, max(FIRST, s.limits.work - s.work), &s.watch)
        offer(s, selection)


cdef void mark_cheap(Solver *s, const Relaxation *x, uint8_t *keep) noexcept nogil:
    """Mark the candidates of the best map and those with small reduced costs, about PARTIAL_TO at most."""
    cdef const Problem *p = x.problem
    cdef double most = PARTIAL_COST
    cdef int32_t c, kept
    while True:
        kept = 0
        for c in range(p.n_candidates):
            keep[c] = x.matching.alpha[p.row[c]] + x.matching.beta[p.col[c]] - x.gain[c] < most
            kept += keep[c]
        s.work += p.n_candidates
        if kept <= PARTIAL_TO or most < CLOSED:
            break
        most *= 0.5
    for c in range(p.n_candidates):
        if s.best[p.row[c]] == p.col[c]:
            keep[c] = 1


cdef void cut(Solver *s, int depth, Relaxation *x, Selection *selection, uint8_t *keep) noexcept nogil:
    """Lower the bound of a large node by cuts (cuts.pyx), as long as that gets on, and mark what to search then.

    These are the candidates that could be in a better map. If they are too many, only those with the smallest reduced
    costs are marked, for a search for a better map that proves nothing, and ``s.partial`` is set.
    """
    cdef const Problem *p = x.problem
    cdef Cuts cuts
    cdef double scale = CUT_SCALE, upper
    cdef int rounds = 0, stalled = 0
    cdef int32_t c
    cdef bint whole, agree = False
    if arena_reserve(&s.cutting, cuts_size(p) + padded(p.n_candidates * sizeof(double))) < 0:
        s.stopped = s.no_memory = True
        return
    cuts_init(&s.cutting, &cuts, p)
    use_cuts(x, &cuts, <double *> take(&s.cutting, p.n_candidates * sizeof(double)))
    while True:
        whole = agree or rounds % WHOLE_EVERY == 0
        rounds += 1
        upper = x.upper
        if whole:
            relaxation_bound(x, max(0, s.limits.work - s.work))
            find_core(x)
        else:
            narrow_bound(x, s.limits.work - s.work)
        s.work += relaxation_work(x) + x.n_core
        s.watch.bound = min(s.watch.bound, x.upper)
        if x.bound == INFINITY:
            s.stopped = True
            break
        if whole:
            if hopeless(s, x.upper) or out_of_limits(s):
                break
            if x.upper < upper - BETTER_LARGE:
                stalled = 0
            else:
                stalled += WHOLE_EVERY
                if stalled >= PATIENCE_CUT:
                    scale *= SHORTER
                    stalled = 0
            if agree:
                # The choice is worth the bound, as in search().
                select(selection, x.matching.row_match)
                offer(s, selection)
                break
            if scale < SHORTEST_CUT or (rounds > SEPARATE_EVERY and mark_kept(s, x, keep) < FEW_KEPT * s.limits.narrow):
                break
        if rounds % SEPARATE_EVERY == 0:
            select(selection, x.matching.row_match)
            s.work += improve(selection, x.core, x.n_core, max(FIRST, s.limits.work - s.work), &s.watch)
            offer(s, selection)
            if rounds % SEEK_EVERY == SEPARATE_EVERY:
                for c in range(p.n_candidates):
                    keep[c] = cuts.chosen[c] > CORE_PRESENCE * cuts.rounds or s.best[p.row[c]] == p.col[c]
                lift_cuts(x)
                descend(s, depth, x, keep, CORE_SCALE, CORE_ROUNDS)
                lay_cuts(x)
            separate(&cuts, &s.work)
        agree = not relaxation_step(x, scale, s.lower + AIM * s.limits.step)
    if not s.stopped and mark_kept(s, x, keep) > min(s.limits.narrow, HAND_OVER_TO):
        s.partial = True
        mark_cheap(s, x, keep)
    lift_cuts(x)
    x.cuts, x.unary = NULL, p.unary


cdef bint pass_on(Solver *s, Relaxation *x) noexcept nogil:
    """Count the work of a wide search, and have it end if that is too much; False then."""
    s.work += relaxation_work(x)
    s.watch.bound = x.upper
    return not (hopeless(s, x.upper) or out_of_limits(s))


cdef bint search_wide(Solver *s, Relaxation *x, Selection *selection, uint8_t *keep, double *presence,
                      double *upper) noexcept nogil:
    """Search the whole problem of documents of thousands of variables.

    An assignment of millions of candidates takes seconds, so there is none. Sweeps of dual ascent lower the bound
    first, with prices from assignments of a core that grows by what exceeds its prices. Narrow rounds with this core
    follow, and the local search for better maps sees nothing else.

    Returns
    -------
    Whether the search is over, with an upper bound in ``upper``. If not, rounds with all candidates may follow.
    """
    cdef const Problem *p = x.problem
    cdef double scale = SCALE_WIDE
    cdef int32_t i
    cdef int phase, k, rounds = 0
    cdef int64_t left
    begin_ascent(x, x.direction)
    first_prices(x, x.direction)
    for phase in range(PHASES + 1):
        for k in range(SWEEPS if phase else FIRST_SWEEPS):
            ascend_by_prices(x, x.direction, k & 1)
            upper[0] = x.upper
            if not pass_on(s, x):
                return True
        if not settle_prices(x, True, ADDED_COST, MOST_WIDE, KEPT_COST, max(0, s.limits.work - s.work)):
            s.stopped = True
            return True
        if phase < PHASES:
            raise_prices(x)
    while pass_on(s, x):
        rounds += 1
        left = max(0, s.limits.work - s.work)
        narrow_bound(x, left)
        if x.bound == INFINITY or (rounds % SETTLE_EVERY == 0 and not settle_prices(
                x, False, ADDED_COST, MORE_WIDE, KEPT_COST, left)):
            s.stopped = True          # given up: a search with more work would not meet this choice
            break
        s.work += x.n_core
        for i in range(x.n_core):
            presence[x.core[i]] *= MEMORY
        for i in range(p.n_rows):
            if x.matching.row_match[i] >= 0:
                presence[x.matching.row_match[i]] += 1.0 - MEMORY
        if rounds == 1 or rounds % IMPROVE_EVERY == 0:
            select(selection, x.matching.row_match)
            s.work += p.n_candidates + p.n_halves
            s.work += improve(selection, x.core, x.n_core, max(FIRST, s.limits.work - s.work), &s.watch)
            offer(s, selection)
            if s.work > s.next_check and stuck(s, x.upper):
                s.stopped = True
                break
        if rounds % REVIEW_EVERY_WIDE == 0:
            if s.work > s.next_annealing and s.limits.work > ANNEAL_AT:
                seek(s, x.upper)
            search_core(s, 0, x, presence, keep)
            raise_prices(x)
            if not s.stopped and mark_kept(s, x, keep) < WORTH_SHRINKING * p.n_candidates:
                upper[0] = descend(s, 0, x, keep, scale, 0)
                return True
        if rounds % SHORTER_EVERY == 0:
            scale *= SHORTER_WIDE
            if scale < SHORTEST_WIDE:
                return False
        if not relaxation_step(x, scale, s.lower + AIM * s.limits.step):
            # The choice is worth the bound of the core, not always that of all candidates.
            select(selection, x.matching.row_match)
            offer(s, selection)
            return False
    upper[0] = x.upper
    return True


cdef double search(Solver *s, int depth, const Problem *p, const double *profit, double scale,
                   int budget) noexcept nogil:
    """Search one node.

    Parameters
    ----------
    profit : double[n_halves] or NULL
        The split of the weights to begin with; NULL for an even one.
    scale : double
        Length of the first steps.
    budget : int
        Rounds after which to return, without splitting the node; 0 to search it to the end.

    Returns
    -------
    An upper bound on the values of the node's maps that are better than the best one known. If there are none, it is
    below the value of any better map.
    """
    cdef Relaxation x
    cdef Selection selection
    cdef Arena *arena = &s.relaxations[depth]
    cdef uint8_t *keep
    cdef uint8_t *trial
    cdef double *presence
    cdef int32_t c, i
    cdef int rounds = 0, stalled = 0
    cdef double *partial_profit
    cdef double upper, reviewed = INFINITY, first = INFINITY
    cdef int64_t work
    cdef bint ascending = False
    cdef bint whole, narrow = False, review
    cdef bint large = s.limits.branching >= 0 and not budget and p.n_candidates > min(HAND_OVER_FROM, s.limits.narrow)
    cdef int patience = PATIENCE_LARGE if large else PATIENCE
    cdef double better = BETTER_LARGE if large else BETTER
    cdef double shortest = SHORTEST_LARGE if large else SHORTEST
    cdef bint fine = s.limits.step < 1.0 and p.n_candidates <= FEW
    cdef int review_every = REVIEW_EVERY
    if fine:
        patience, review_every = PATIENCE_FINE, REVIEW_EVERY_FINE
    if relaxation_init(arena, &x, p, &s.watch, selection_size(p) + 2 * padded(p.n_candidates)
                       + padded(p.n_candidates * sizeof(double))) != FINE:
        s.stopped = s.no_memory = True
        return INFINITY
    selection_init(arena, &selection, p)
    keep = <uint8_t *> take(arena, p.n_candidates)
    trial = <uint8_t *> take(arena, p.n_candidates)
    presence = <double *> take(arena, p.n_candidates * sizeof(double))
    memset(presence, 0, p.n_candidates * sizeof(double))
    if profit != NULL:
        memcpy(x.profit, profit, p.n_halves * sizeof(double))
    if depth == 0:
        x.upper = s.ceiling
        if s.hint != NULL:
            take_hint(s, &x, &selection)
            if hopeless(s, x.upper):
                return x.upper
        if p.n_candidates > s.limits.wide:
            if search_wide(s, &x, &selection, keep, presence, &upper):
                return upper
            scale = CUT_SCALE
    while True:
        rounds += 1
        whole = not narrow or rounds % WHOLE_EVERY == 0
        if whole:
            upper = x.upper
            relaxation_bound(&x, max(FIRST if depth == 0 and rounds == 1 else 0, s.limits.work - s.work))
            if narrow:
                find_core(&x)
        else:
            narrow_bound(&x, s.limits.work - s.work)
        review = rounds % review_every == 0
        s.work += relaxation_work(&x) + (p.n_candidates if whole else x.n_core)
        if depth == 0:
            s.watch.bound = x.upper
        if s.work > s.next_annealing and s.limits.work > ANNEAL_AT:
            seek(s, min(upper, s.watch.bound))
        if x.bound == INFINITY:       # given up: a search with more work would not meet this choice
            s.stopped = True
            return x.upper
        if p.n_candidates <= SMALL or rounds == 1 or review:
            select(&selection, x.matching.row_match)
            s.work += p.n_candidates + p.n_halves
            offer(s, &selection)
            if not hopeless(s, x.upper):
                s.work += improve(&selection, x.core if narrow else NULL, x.n_core,
                                  max(FIRST, s.limits.work - s.work), &s.watch)
                offer(s, &selection)
        if hopeless(s, x.upper) or (budget and rounds >= budget) or out_of_limits(s):
            return x.upper
        if depth == 0 and s.work > s.next_check and stuck(s, x.upper):
            s.stopped = True
            return x.upper
        if rounds == 1:
            first = x.bound
        elif depth == 0 and rounds == TRIED and p.n_candidates > ALIKE_FROM and (
                x.bound > first - FALLEN * (first - s.lower)):
            begin_ascent(&x, x.direction)
            ascending = True
        if ascending:
            # The work after which it pauses depends on no limit, as in seek().
            ascending = ascend(&x, x.direction, WORTH * (x.upper - s.lower),
                               min(s.work, max(0, s.next_annealing - s.work)), max(0, s.limits.work - s.work), &s.watch)
            scale = AFTER
            if s.watch.over:
                s.stopped = True
                return x.upper
            if ascending:
                continue
        if not whole:
            pass                      # no bound of the node
        elif x.upper < upper - better * (1.0 if s.limits.step >= 1.0 else min(1.0, x.upper - s.lower)):
            stalled = 0
        else:
            stalled += WHOLE_EVERY if narrow else 1
            if stalled >= patience:
                scale *= SHORTER
                stalled = 0
        if whole:
            for c in range(p.n_candidates):
                presence[c] *= MEMORY
        else:
            for i in range(x.n_core):
                presence[x.core[i]] *= MEMORY
        for i in range(p.n_rows):
            if x.matching.row_match[i] >= 0:
                presence[x.matching.row_match[i]] += 1.0 - MEMORY
        if not narrow and p.n_candidates > s.limits.narrow and rounds == WHOLE_EVERY:
            narrow = True
            review_every = REVIEW_EVERY_NARROW
            if large:
                shortest = CUT_SCALE
            find_core(&x)
        if whole and rounds % SHRINK_EVERY == 0 and mark_kept(s, &x, keep) < WORTH_SHRINKING * p.n_candidates:
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
            # The local problems agree with the global one, so its map attains the bound: the node is solved.
            select(&selection, x.matching.row_match)
            offer(s, &selection)
            return x.upper
    if settle(s, &x, &selection):
        return selection.value
    if narrow and large:
        cut(s, depth, &x, &selection, keep)
        if s.stopped or hopeless(s, x.upper):
            return x.upper
        if not s.partial:
            return descend(s, depth, &x, keep, RESUMED, 0)
        s.stopped = s.handed_over = True
        if shrink(&s.problems[depth], p, keep, x.profit, &s.core, &partial_profit) != FINE:
            s.no_memory = True
        return x.upper
    if not (large and x.upper - s.lower < SPLITTABLE * max(1.0, s.limits.step)
            and p.n_candidates <= HAND_OVER_TO and p.n_halves <= HAND_OVER_HALVES):
        if large and depth == 0 and s.work < s.limits.work // 2 - s.limits.ordinary:
            s.limits.work = 2 * s.work + s.limits.ordinary      # branching on so much is of no avail, if not soon
        return branch(s, depth, &x, presence, keep, trial)
    work = s.limits.work
    s.limits.work = min(work, s.work + s.limits.branching)
    upper = branch(s, depth, &x, presence, keep, trial)
    if s.stopped and s.limits.work < s.work < work:
        s.core = p[0]
        s.handed_over = True
    s.limits.work = work
    return min(x.upper, upper)


cdef int solve(Solver *s, const Problem *problem, int64_t work, double ceiling,
               const int32_t *hint) noexcept nogil:
    """Solve one problem: fills ``lower``, ``upper`` and ``best``.

    Parameters
    ----------
    s : Solver
        The caller has set ``limits`` and begun ``watch``. ``best`` is valid until the next call.
    work : int64
        What building the problem counts.
    ceiling : double
        An upper bound that is known already; infinite if none is.
    hint : int32[n_rows] or NULL
        A map to begin with: a column for each row, or -1.

    Returns
    -------
    FINE, also if a limit is reached, NO_MEMORY or INTERRUPTED.
    """
    cdef double upper
    cdef int32_t i
    if arena_reserve(&s.own, 2 * padded(problem.n_rows * sizeof(int32_t))) < 0:
        return NO_MEMORY
    s.best = <int32_t *> take(&s.own, problem.n_rows * sizeof(int32_t))
    s.annealed = <int32_t *> take(&s.own, problem.n_rows * sizeof(int32_t))
    for i in range(problem.n_rows):
        s.best[i] = -1
    s.lower = 0.0
    s.next_look -= s.work             # counts on from pair to pair, so that Ctrl-C ends a list of short pairs too
    s.work = work
    s.ceiling, s.hint = ceiling, hint
    s.next_check, s.gap = s.limits.ordinary, INFINITY
    s.root, s.next_annealing, s.annealed_value = problem, ANNEAL_AT, 0.0
    s.stopped = s.handed_over = s.partial = s.no_memory = False
    s.allowed = s.limits.work
    s.watch.bound = ceiling
    upper = search(s, 0, problem, NULL, 1.0, 0)
    if s.watch.interrupted:
        return INTERRUPTED
    if s.no_memory:                   # a bound is there, but results are not to depend on how much memory there is
        return NO_MEMORY
    if s.annealed_value > s.lower + CLOSED * s.limits.step:
        s.lower = s.annealed_value
        memcpy(s.best, s.annealed, problem.n_rows * sizeof(int32_t))
    s.upper = s.lower if hopeless(s, upper) else upper
    return FINE
