"""The state of a search for the optimum, and the steps that the ordinary search and the search of wide problems share.

exact.pyx describes the search and defines its terms: node, round, shrinking, core. wide.pyx searches the whole problem
of two documents where it has 500,000 candidates or more.
"""

from libc.math cimport INFINITY
from libc.stdint cimport INT32_MAX, INT64_MAX, int32_t, int64_t, uint8_t
from libc.stdlib cimport free
from libc.string cimport memcpy, memset

from fastmatch._ext.base.arena cimport PADDING, Arena, arena_free, arena_reserve, arenas_free, doubles, ints
from fastmatch._ext.base.status cimport FINE, INTERRUPTED, NO_MEMORY
from fastmatch._ext.base.watch cimport glance, look
from fastmatch._ext.matching.exclusion cimport Exclusion, exclude, exclusion_init
from fastmatch._ext.matching.local_search cimport (
    Selection, anneal, improve, map_value, select, selection_init, selection_size,
)
from fastmatch._ext.matching.problem cimport (
    Problem, col_at, find_candidate, find_mates, problem_init, put_unary, put_weight, row_at, unary_gain,
    unlimited, use_bytes, weight_of,
)
from fastmatch._ext.matching.relaxation cimport GRAINS, Relaxation, gain_of

cdef double CLOSED = 1e-6             # tolerance of bounds and values, in steps
cdef double AIM = 0.5                 # target of the relaxation's steps above the best value, in units of Limits.step
cdef int64_t LOOK = 1_000_000         # work between two looks for Ctrl-C and the like, 10 to 40 ms
cdef double WORTH_SHRINKING = 0.75    # the problem is built anew if fewer than this share of its candidates are left
cdef double STUCK = 0.97              # share of the gap above which the search does not get on
# In problems of more than Limits.narrow candidates, by default NARROW_FROM, only some rounds have all of them; in those
# of more than Limits.wide candidates, by default WIDE_FROM, no round has.
cdef int32_t NARROW_FROM = 20_000
cdef int32_t WIDE_FROM = 500_000
# HiGHS can be limited in nodes, but not in what the first one takes, so the size of what it gets is limited: 29 s for
# 8,000 candidates, while the first node of 18,000 had not ended after 6 minutes.
cdef int32_t WHOLE_TO = 8_000
# Times the work of an ordinary pair that a larger one may take while its gap is not NEAR: 3 to 6 s by default. By then
# documents of 900 variables that are proven in the end have a gap of 5 triples; hostile texts have hundreds. While the
# gap is above VERY_FAR, a share of the bound, it may take less: of documents and their parses 2 % is left at most, but
# the bound of random graphs stays far above all maps, and what they visit lies so far apart in memory that a visit
# takes twice the time.
cdef int64_t AT_FIRST = 7
cdef int64_t AT_FIRST_VERY_FAR = 5
cdef double VERY_FAR = 0.3
# The same for all searches of one pair together, such as those of aspects. Each may take a third of what is left, half
# of it if its gap is NEAR, and a quarter of what an ordinary pair may take in any case. Visits of wide problems take
# half as long again, and count so. Those of a search that leaves a wide gap count twice: the others would get no
# further.
cdef int64_t TOGETHER = 12
# Share of the bound above which a gap is wide: documents of up to 50 sentences and their parses are left with 1 % at
# most, mostly, and those of 400 to 2,500 variables that have little in common with 1.4 % and more.
cdef double FAR = 0.01
cdef int64_t HANDING_OVER = 10_000_000      # who allows less work wants an answer within a known time, from one process
cdef int32_t ALIKE_FROM = 1000        # Limits.alike by default
# The best map is annealed where the gap is above WIDE times its value: when the work has reached ANNEAL_AT, or that
# times a power of ANNEAL_AGAIN, with ANNEAL_SHARE of this work.
cdef double WIDE = 0.03
cdef int64_t ANNEAL_AT = 1_200_000
cdef int64_t ANNEAL_AGAIN = 25
cdef double ANNEAL_SHARE = 0.35
# What is looked at for candidates that no better map can have (exclusion.pyx), at most: times Limits.narrow, so by
# default 150,000; and what such maps can have, at most.
cdef double EXCLUDE_TO = 7.5
cdef int32_t REST_TO = 30_000
cdef int64_t EXCLUDING = 100_000_000  # visits for it
# The core: candidates that recent assignments chose. It is searched for better maps, not for bounds.
# The *presence* of a candidate is a moving average over rounds of whether it was chosen. MEMORY is the factor a round.
cdef double MEMORY = 0.96
cdef double CORE_PRESENCE = 0.01      # candidates of more presence belong to the core
cdef int CORE_ROUNDS = 60
cdef double CORE_SCALE = 0.3


cdef void solver_init(Solver *solver, double step, double seconds, const uint8_t *cancel, object tell) noexcept:
    """A solver with the usual limits; ``step`` is one of them. The others are fields of its watch, ``tell`` or None."""
    memset(solver, 0, sizeof(Solver))
    solver.watch.seconds, solver.watch.cancel = seconds, cancel
    solver.watch.tell = NULL if tell is None else <void *> tell
    solver.limits.step = step
    solver.next_look = LOOK
    solver.limits.whole = WHOLE_TO
    solver.limits.programs = PROGRAMS_TO
    solver.limits.narrow = NARROW_FROM
    solver.limits.wide = WIDE_FROM
    solver.limits.alike = ALIKE_FROM


cdef void solver_free(Solver *solver) noexcept nogil:
    free(solver.presence)
    arenas_free(&solver.own, &solver.relaxations[MAX_DEPTH - 1])


cdef void allow(Solver *s, int64_t ordinary, int64_t work, int64_t branching, int64_t spent) noexcept nogil:
    """Limit the next search to ``work`` visits, where an ordinary pair may take ``ordinary``.

    ``branching`` is that of Limits, -1 where the caller takes nothing. ``spent`` is what other searches of the pair
    have taken, see :func:`to_share`: after them, this one has its part of what is left of TOGETHER.
    """
    cdef int64_t left
    s.limits.ordinary, s.limits.work, s.limits.nearer, s.limits.most = ordinary, work, work, work
    s.limits.short = False
    s.root = NULL
    if not unlimited(ordinary):
        # A product that might not fit is not formed.
        s.limits.work = AT_FIRST * ordinary if ordinary <= work // AT_FIRST else work
        if spent > 0:
            left = TOGETHER * min(ordinary, INT64_MAX // TOGETHER) - spent
            s.limits.most = min(work, max(left // 2, ordinary // 4))
            left = max(left // 3, ordinary // 4)
            s.limits.short = left < ordinary
            s.limits.work = min(left, s.limits.work)
        s.limits.nearer = s.limits.work
        if ordinary < s.limits.work // AT_FIRST_VERY_FAR:
            s.limits.work = AT_FIRST_VERY_FAR * ordinary
    s.limits.large = branching >= 0 and (unlimited(ordinary) or work > ordinary)
    s.limits.branching = branching if ordinary >= HANDING_OVER else -1


cdef int64_t to_share(const Solver *s, double matched, double upper) noexcept nogil:
    """What is taken from other searches of the pair for the visits of the last one."""
    if upper - matched > FAR * upper:
        return 2 * s.work
    return s.work + (s.work // 2 if s.root != NULL and s.root.n_candidates > s.limits.wide else 0)


cdef int64_t left_for_programs(const Solver *s) noexcept nogil:
    """Visits that linear programs may take for what was handed over; 0 if it is only a part, or too large for them."""
    if s.partial or s.core.n_candidates > PROGRAMS_TO or s.core.n_halves > PROGRAMS_TO_HALVES:
        return 0
    return max(s.limits.work - s.work, s.limits.ordinary // 4)


cdef int begin_search(Solver *s, const Problem *problem, int64_t work, double ceiling,
                      const int32_t *hint) noexcept nogil:
    """Forget the last problem; the parameters are those of solve(). Returns FINE or NO_MEMORY."""
    if arena_reserve(&s.own, 3 * (problem.n_rows * sizeof(int32_t) + PADDING)) < 0:
        return NO_MEMORY
    s.best, s.other = ints(&s.own, problem.n_rows), ints(&s.own, problem.n_rows)
    s.annealed = ints(&s.own, problem.n_rows)
    memset(s.best, 0xFF, problem.n_rows * sizeof(int32_t))           # -1
    s.lower = s.outside = 0.0
    s.next_look -= s.work             # counts on from pair to pair, so that Ctrl-C ends a list of short pairs too
    s.work = work
    s.ceiling, s.hint = ceiling, hint
    s.next_check, s.gap = s.limits.ordinary, INFINITY
    s.root, s.next_annealing, s.annealed_value = problem, ANNEAL_AT, 0.0
    if unlimited(s.limits.work) and s.limits.whole == WHOLE_TO:
        s.limits.whole = INT32_MAX
    s.stopped = s.handed_over = s.partial = s.no_memory = s.split = s.aside = False
    s.n_rungs = 0
    s.allowed = s.limits.most
    s.watch.bound = ceiling
    s.watch.reached = 0.0
    return FINE


cdef int end_search(Solver *s, double upper) noexcept nogil:
    """Fill ``lower``, ``upper`` and ``best``; ``upper`` is what the search returned.

    Returns
    -------
    FINE, also if a limit was reached, NO_MEMORY or INTERRUPTED.
    """
    free(s.presence)
    s.presence = NULL
    if s.watch.interrupted:
        return INTERRUPTED
    if s.no_memory:                   # a bound is there, but results are not to depend on how much memory there is
        return NO_MEMORY
    if s.annealed_value > s.lower + CLOSED * s.limits.step:
        s.lower = s.annealed_value
        memcpy(s.best, s.annealed, s.root.n_rows * sizeof(int32_t))
    s.upper = s.lower if hopeless(s, upper) else upper
    return FINE


cdef bint out_of_limits(Solver *s) noexcept nogil:
    if s.stopped:
        return True
    if s.work > s.limits.work or glance(&s.watch):
        s.stopped = True
    elif s.work > s.next_look:
        s.next_look = s.work + LOOK
        # Where another map than the best one is improved, less than before may match.
        s.watch.reached = max(s.watch.reached, s.lower + s.outside)
        s.watch.share = min(1.0, <double> s.work / s.allowed)
        s.stopped = look(&s.watch)
    return s.stopped


cdef bint hopeless(const Solver *s, double bound) noexcept nogil:
    """Whether a part of the search with this bound has no better map than the best one known."""
    return bound < s.lower + s.limits.step * (1.0 - CLOSED)


cdef double aim(const Solver *s) noexcept nogil:
    """What the relaxation's steps head for: a bound just above the best value."""
    return s.lower + AIM * s.limits.step


cdef void offer(Solver *s, const Selection *selection) noexcept nogil:
    """Keep a map if it is better than the best one known."""
    cdef const Problem *p = selection.problem
    cdef int32_t i, c
    if selection.value <= s.lower + CLOSED * s.limits.step:
        return
    s.lower = selection.value
    for i in range(p.n_rows):
        c = selection.in_row[i]
        s.best[i] = col_at(p, c) if c >= 0 else -1


cdef void improve_choice(Solver *s, Selection *selection, const int32_t *some, int32_t n_some) noexcept nogil:
    """Improve a map by local search among ``some`` candidates (NULL: all), whatever the limit of work, and offer it."""
    s.work += improve(selection, some, n_some, max(FIRST, s.limits.work - s.work), &s.watch)
    offer(s, selection)


cdef void anneal_best(Solver *s, int64_t work) noexcept nogil:
    """Anneal the best map, with ``work`` visits.

    The search does not learn of the map before its end: a better map makes its steps shorter, which does not always
    help it.
    """
    cdef const Problem *p = s.root
    cdef Selection selection
    cdef int32_t i, c
    if arena_reserve(&s.annealing, selection_size(p) + p.n_rows * sizeof(int32_t) + PADDING) < 0:
        s.stopped = s.no_memory = True
        return
    selection_init(&s.annealing, &selection, p)
    cdef int32_t *best = ints(&s.annealing, p.n_rows)
    for i in range(p.n_rows):
        c = s.best[i] if s.lower >= s.annealed_value else s.annealed[i]
        best[i] = find_candidate(p, i, c) if c >= 0 else -1
    select(&selection, best)
    work = p.n_candidates + p.n_halves + anneal(&selection, work, best, &s.watch)
    s.work += work
    s.next_check += work              # stuck() is not to expect a better bound of this
    cdef double value = map_value(p, best)
    if value > s.annealed_value:
        s.annealed_value = value
        for i in range(p.n_rows):
            s.annealed[i] = col_at(p, best[i]) if best[i] >= 0 else -1
    if p.n_candidates > s.limits.wide:
        arena_free(&s.annealing)      # seldom needed again


cdef void seek(Solver *s, double upper) noexcept nogil:
    """Anneal the best map whenever the work has passed a certain amount, if the gap is wide.

    When that happens, and what it takes, depends on no limit, so with more effort the same comes first.
    """
    cdef int64_t work
    if s.work <= s.next_annealing or s.limits.work <= ANNEAL_AT:
        return
    work = <int64_t> (ANNEAL_SHARE * s.next_annealing)
    s.next_annealing *= ANNEAL_AGAIN
    if upper - s.lower >= WIDE * s.lower:
        anneal_best(s, work)


cdef bint stuck(Solver *s, double upper) noexcept nogil:
    """Whether as much work as all before has hardly narrowed a gap that branching cannot close.

    Symmetric graphs keep a wide gap however long the rounds go on; documents have closed theirs by then.
    """
    cdef double gap = upper - s.lower
    cdef bint stays = gap > max(STUCK * s.gap, SPLITTABLE * max(1.0, s.limits.step))
    s.next_check = 2 * s.work
    s.gap = gap
    return stays


cdef void go_on(Solver *s, double upper) noexcept nogil:
    """Allow the work that the pair may take where ``upper`` is, a bound of the pair and not only of a part."""
    if upper - s.lower <= NEAR * max(1.0, s.limits.step):
        s.limits.work = s.limits.most
    elif upper - s.lower <= VERY_FAR * upper:
        s.limits.work = max(s.limits.work, s.limits.nearer)


cdef int32_t mark_kept(const Solver *s, const Relaxation *x, uint8_t *keep) noexcept nogil:
    """Mark the candidates that could be in a better map, by their reduced cost; returns their number."""
    cdef const Problem *p = x.problem
    cdef int32_t i, c, kept = 0
    cdef double least = s.lower + s.limits.step * (1.0 - CLOSED)      # less is hopeless
    for i in range(p.n_rows):
        for c in range(p.row_start[i], p.row_start[i + 1]):
            keep[c] = x.bound - (x.matching.alpha[i] + x.matching.beta[col_at(p, c)] - gain_of(x, c)) >= least
            kept += keep[c]
    return kept


cdef int32_t mark_within(const Relaxation *x, double most, uint8_t *marks) noexcept nogil:
    """Mark the candidates with reduced costs up to ``most``; returns their number."""
    cdef const Problem *p = x.problem
    cdef int32_t c, n = 0
    for c in range(p.n_candidates):
        marks[c] = x.matching.alpha[row_at(p, c)] + x.matching.beta[col_at(p, c)] - gain_of(x, c) <= most
        n += marks[c]
    return n


cdef void keep_rest(Solver *s, const Problem *reached, Exclusion *e, const double *profit) noexcept nogil:
    """Keep the candidates that reach the first rung as ``rest``."""
    cdef double *unused
    cdef int32_t c, n = 0
    for c in range(reached.n_candidates):
        e.keep[c] = s.reach[c] >= s.rung[0]
        if e.keep[c]:
            s.reach[n] = s.reach[c]
            n += 1
    if shrink(&s.resting, reached, e.keep, profit, NULL, &s.rest, &unused) != FINE:
        s.stopped = s.no_memory = True


cdef int32_t mark_reached(Solver *s, Relaxation *x, uint8_t *keep, uint8_t *trial, bint besides) noexcept nogil:
    """Mark the candidates that could be in a better map, with what exclusion.pyx finds; returns their number.

    A value that no map can have lowers the bound.

    Parameters
    ----------
    x : Relaxation
        Its last round was a whole one, and its profits have not changed since.
    keep : uint8[n_candidates]
        Receives the marks.
    trial : uint8[n_candidates]
        Room for others.
    besides : bool
        Find out, too, what maps can have that are better by more than a step, and keep that as ``rest``: whoever
        searches a part may find such a map.
    """
    cdef Problem reached
    cdef Exclusion e
    cdef double *profit
    cdef double near = 2.0 * CLOSED * s.limits.step
    cdef double value = s.lower + s.limits.step, width = max(s.limits.step, (x.bound - value) / RUNGS)
    cdef bint least = True
    cdef int32_t b, c, kept = mark_kept(s, x, keep)
    s.n_rungs = 0
    s.work += 2 * x.problem.n_candidates
    while mark_within(x, x.bound - value + near, trial) > EXCLUDE_TO * s.limits.narrow:
        s.work += x.problem.n_candidates
        value += width
        least = False
        if value > x.bound:
            return kept
    if (shrink(&s.excluding, x.problem, trial, x.profit, x.fixed, &reached, &profit) != FINE
            or exclusion_init(&s.reaching, &e, &reached, profit, x, trial) != FINE):
        s.stopped = s.no_memory = True
        return kept
    s.reach = e.reach
    for c in range(reached.n_candidates):
        s.reach[c] = -INFINITY
    while value <= x.bound:
        exclude(&e, x.bound - value + near, min(EXCLUDING, s.limits.work - s.work))
        if e.n_kept == 0:
            x.upper = min(x.upper, value - near)
        if least:
            least = False
            kept, c = e.n_kept, 0
            for b in range(x.problem.n_candidates):
                keep[b] = trial[b] and e.keep[c]
                c += trial[b]
        if e.n_kept == 0 or not besides:
            break
        if e.n_kept <= REST_TO and s.n_rungs < RUNGS:
            s.rung[s.n_rungs] = value
            s.n_rungs += 1
            for c in range(reached.n_candidates):
                if e.keep[c]:
                    s.reach[c] = value
        value += width
    s.work += e.work
    if s.n_rungs > 0:
        keep_rest(s, &reached, &e, profit)
    return kept


cdef bint shrinkable(const Solver *s, const Relaxation *x, uint8_t *keep) noexcept nogil:
    """Mark the candidates that could be in a better map; returns whether they are so few that shrinking pays."""
    return mark_kept(s, x, keep) < WORTH_SHRINKING * x.problem.n_candidates


cdef int shrink(Arena *arena, const Problem *p, const uint8_t *keep, const double *profit, const int32_t *fixed,
                Problem *smaller, double **smaller_profit) noexcept nogil:
    """Copy the problem with the candidates to keep, and the profits of their halves.

    Parameters
    ----------
    arena : Arena
        Emptied first; receives ``smaller`` and ``smaller_profit``.
    keep : uint8[n_candidates]
    profit : double[n_halves]
    fixed : int32[n_halves] or NULL
        The profits in units of 1 / GRAINS, in place of ``profit``.
    smaller : Problem
        Its rows and columns have the same numbers as those of ``p``.

    Returns
    -------
    FINE or NO_MEMORY.
    """
    cdef int32_t c, h, i, n_candidates = 0, n_halves = 0
    for c in range(p.n_candidates):
        if keep[c]:
            n_candidates += 1
            for h in range(p.half_start[c], p.half_start[c + 1]):
                n_halves += keep[p.other[h]]
    cdef size_t extra = n_halves * sizeof(double) + (p.n_candidates + n_candidates) * sizeof(int32_t) + 3 * PADDING
    if problem_init(arena, smaller, p.n_rows, p.n_cols, n_candidates, n_halves, extra) != FINE:
        return NO_MEMORY
    use_bytes(smaller, p.unary == NULL, p.weight == NULL)
    smaller.n_candidates, smaller.n_halves = n_candidates, n_halves
    smaller_profit[0] = doubles(arena, n_halves)
    cdef int32_t *new_candidate = ints(arena, p.n_candidates)
    cdef int32_t *fill = ints(arena, n_candidates)
    n_candidates = n_halves = 0
    for i in range(p.n_rows):
        smaller.row_start[i] = n_candidates
        for c in range(p.row_start[i], p.row_start[i + 1]):
            if keep[c]:
                new_candidate[c] = n_candidates
                smaller.row[n_candidates] = row_at(p, c)
                smaller.col[n_candidates] = col_at(p, c)
                put_unary(smaller, n_candidates, unary_gain(p, c))
                smaller.half_start[n_candidates] = n_halves
                for h in range(p.half_start[c], p.half_start[c + 1]):
                    n_halves += keep[p.other[h]]
                n_candidates += 1
    smaller.row_start[p.n_rows] = n_candidates
    smaller.half_start[n_candidates] = n_halves
    i = 0
    for c in range(p.n_candidates):
        if keep[c]:
            for h in range(p.half_start[c], p.half_start[c + 1]):
                if keep[p.other[h]]:
                    smaller.other[i] = new_candidate[p.other[h]]
                    put_weight(smaller, i, weight_of(p, h))
                    smaller_profit[0][i] = profit[h] if fixed == NULL else fixed[h] * (1.0 / GRAINS)
                    i += 1
    find_mates(smaller, fill)
    return FINE


cdef void note_choice(const Relaxation *x, bint whole, double *presence) noexcept nogil:
    """Add a round's choice to the presence of candidates. ``whole``: the round had all of them, not only its core."""
    cdef const Problem *p = x.problem
    cdef int32_t c, i
    if whole:
        for c in range(p.n_candidates):
            presence[c] *= MEMORY
    else:
        for i in range(x.n_core):
            if presence[x.core[i]] > 0.0:       # to write a 0 would take memory, see Solver.presence
                presence[x.core[i]] *= MEMORY
    for i in range(p.n_rows):
        if x.matching.row_match[i] >= 0:
            presence[x.matching.row_match[i]] += 1.0 - MEMORY


cdef void search_core(Solver *s, int depth, const Relaxation *x, const double *presence, double most,
                      uint8_t *keep) noexcept nogil:
    """Look for a better map among the candidates of the best map and of recent assignments.

    This combines parts of many maps at once, as fusion moves do for two (Hutschenreiter et al. 2021). For a document of
    500 variables one call raised the best map from 41 triples below the optimum to 1 below.

    Parameters
    ----------
    presence : double[n_candidates]
    most : double
        What the presence of a candidate would be that every round chose.
    keep : uint8[n_candidates]
        Receives the marks of the core.
    """
    cdef const Problem *p = x.problem
    cdef int32_t c
    for c in range(p.n_candidates):
        keep[c] = presence[c] > CORE_PRESENCE * most or s.best[row_at(p, c)] == col_at(p, c)
    s.descend(s, depth, x, keep, CORE_SCALE, CORE_ROUNDS)
