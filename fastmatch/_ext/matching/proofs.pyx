"""Prices of a problem in whole numbers, from which a bound of all its maps follows: a step of a certificate.

``fastmatch/certificates/check_certificates.py`` says what a step is and why it is a proof. The rounds of the relaxation
(relaxation.pyx) give one: the split of the weights, the prices of the columns in the local problems, and the prices
of the global problem. When a round's bound is low enough, its split is rounded to whole multiples of 1/D, and one more
round with all gains times D has prices that are whole numbers, as an assignment of whole numbers has. Nothing is
rounded afterwards.
"""

from libc.math cimport INFINITY, log2, rint
from libc.stdint cimport int32_t, int64_t, uint8_t
from libc.string cimport memcpy, memset, strlen

from fastmatch._ext.base.arena cimport Arena, arena_free, arena_init, arena_reserve, padded, take
from fastmatch._ext.base.columns cimport Column, release, room
from fastmatch._ext.base.letters cimport add_bytes, write_number
from fastmatch._ext.base.sorting cimport Pair
from fastmatch._ext.base.status cimport FINE, INTERRUPTED, NO_MEMORY, raise_status
from fastmatch._ext.base.watch cimport Watch, look, watch_begin
from fastmatch._ext.matching.problem cimport Problem, join_halves, problem_init, problem_size, unary_gain, weight_of
from fastmatch._ext.matching.solver cimport note_choice, shrink
from fastmatch._ext.matching.relaxation cimport (
    Relaxation, assign_local, disagreement, find_core, narrow_bound, relaxation_bound, relaxation_init,
    relaxation_step, relaxation_work, touch_all,
)

# The rounds are those of the search (exact.pyx), where these are explained.
cdef double BELOW = 0.25              # in steps: rounds go on until the bound is so far below the goal
cdef double BETTER = 3e-4
cdef double SHORTER = 0.7
cdef double SHORTEST = 0.002
cdef int64_t LOOK = 1_000_000
cdef enum:
    PATIENCE = 20
    NARROW_FROM = 20_000
    WHOLE_EVERY = 10
    PROBES = 16
    PROBE_ROUNDS = 20
    N_SCALES = 8
# Exponents of the denominators D that are tried. Prices are often halves and thirds; small numbers make small files.
cdef int[N_SCALES] SCALES = [0, 1, 2, 4, 7, 11, 16, 30]
cdef double WORTH_AGAIN = 0.9         # the proof branches if more of the candidates than this share stay
cdef double RESUMED = 0.1
cdef double NEAR = 0.02               # in matches: a rounded bound so close to the best one is good enough


# The relaxation of a problem, and what is needed to round it.
cdef struct Rounding:
    Relaxation *relaxation
    const Problem *problem            # gains in matches
    Problem whole                     # the same problem, gains times D
    double unit                       # units of a match
    double goal                       # in matches: a bound below it closes
    double step                       # so much better than the optimum
    double scale                      # D * unit
    double *best                      # [n_halves] the split of the best round
    double *doubt                     # [n_candidates] how much rounds disagree on it
    uint8_t *keep                     # [n_candidates] those that a better map may have
    uint8_t *trial                    # [n_candidates]
    int64_t limit                     # visits that are left
    int64_t work
    Column text                       # of the step, in JSON
    Watch watch
    Arena rounds
    Arena smaller
    Arena room


cdef bint rounded(Rounding *r, const double *split, int exponent) noexcept nogil:
    """A round with a split in multiples of 2**-exponent of a match; NULL for one that gives all to first candidates.

    D is the least with which these are whole multiples of 1/D units. So are the prices and the bound. False if it was
    given up.
    """
    cdef Relaxation *x = r.relaxation
    cdef const Problem *p = r.problem
    cdef double parts = <double> (1 << exponent), scale = max(r.unit, parts), grain = scale / parts
    cdef int32_t c, h
    for c in range(p.n_candidates):
        r.whole.unary[c] = rint(unary_gain(p, c) * scale)
        for h in range(p.half_start[c], p.half_start[c + 1]):
            r.whole.weight[h] = rint(weight_of(p, h) * scale)
            if p.other[h] > c:
                x.profit[h] = r.whole.weight[h]
                if split != NULL:
                    x.profit[h] = min(x.profit[h], max(0.0, grain * rint(split[h] * parts)))
                x.profit[p.mate[h]] = r.whole.weight[h] - x.profit[h]
    r.scale = scale
    touch_all(x)
    x.problem, x.unary = &r.whole, r.whole.unary
    relaxation_bound(x, r.limit - r.work)
    x.problem, x.unary = p, p.unary
    r.work += relaxation_work(x) + p.n_candidates + p.n_halves
    return x.bound < INFINITY


cdef bint settled(Rounding *r, double bound, bint *closes) noexcept nogil:
    """Round the best split so that the bound is below the goal, or else near ``bound``. False if it was given up."""
    cdef int k
    cdef double found
    for k in range(N_SCALES):
        if not rounded(r, r.best, SCALES[k]):
            return False
        found = r.relaxation.bound / r.scale
        closes[0] = found < r.goal
        if closes[0] or (bound >= r.goal and found < bound + NEAR):
            break
    return True


cdef bint lowered(Rounding *r, bint *closes) noexcept nogil:
    """Rounds until a bound is below the goal, or they do not lower it any more; then one that is rounded.

    ``closes`` receives whether its bound is below the goal, ``doubt``, zeros before, how much rounds disagree. False if
    there is no bound within the limit.
    """
    cdef Relaxation *x = r.relaxation
    cdef const Problem *p = r.problem
    cdef double *presence = r.doubt   # how often each candidate was chosen of late, 0 … 1
    cdef int32_t c
    cdef int rounds = 0, stalled = 0
    cdef int64_t pause = LOOK
    cdef bint narrow = False, whole
    cdef double scale = 1.0, best = INFINITY
    for c in range(p.n_halves):
        x.profit[c] = 0.5 * weight_of(p, c)
    touch_all(x)
    while True:
        rounds += 1
        whole = not narrow or rounds % WHOLE_EVERY == 0
        if whole:
            relaxation_bound(x, r.limit - r.work)
            if narrow:
                find_core(x)
        else:
            narrow_bound(x, r.limit - r.work)
        r.work += relaxation_work(x) + (p.n_candidates if whole else x.n_core)
        if x.bound == INFINITY or (r.work > pause and look(&r.watch)):
            break
        pause = max(pause, r.work + LOOK)
        note_choice(x, True, presence)
        if whole:
            if x.bound < best - BETTER * min(1.0, best - r.goal + r.step):
                stalled = 0
            else:
                stalled += WHOLE_EVERY if narrow else 1
            if x.bound < best:
                best = x.bound
                memcpy(r.best, x.profit, p.n_halves * sizeof(double))
            if best < r.goal - BELOW * r.step:
                break
            if stalled >= PATIENCE:
                scale *= SHORTER
                stalled = 0
            if scale < SHORTEST:
                break
            if not narrow and p.n_candidates > NARROW_FROM and rounds == WHOLE_EVERY:
                narrow = True
                find_core(x)
        if not relaxation_step(x, scale, r.goal - r.step):
            break
    # Disagreement about its edge-pairs times disagreement about the candidate.
    for c in range(p.n_candidates):
        r.doubt[c] = disagreement(x, c) * min(presence[c], 1.0 - presence[c])
    return best < INFINITY and not r.watch.over and settled(r, best, closes)


cdef int32_t mark_left(Rounding *r) noexcept nogil:
    """Mark the candidates that stay when the bound, that of a round that was rounded, is not below the goal."""
    cdef Relaxation *x = r.relaxation
    cdef const Problem *p = r.problem
    cdef int32_t c, left = 0
    for c in range(p.n_candidates):
        # one that brings nothing, whatever its prices, stays with the checker, too: it is in none of its lists
        r.keep[c] = x.gain[c] == 0.0 or (x.matching.alpha[p.row[c]] + x.matching.beta[p.col[c]] - x.gain[c]
                                         <= x.bound - r.goal * r.scale)
        left += r.keep[c]
    return left


cdef double tried(Rounding *r) noexcept nogil:
    """The bound of the candidates in ``trial`` after some rounds that begin with the best split; -1 without memory."""
    cdef Problem smaller
    cdef Relaxation x
    cdef double *profit
    cdef int _round
    if shrink(&r.smaller, r.problem, r.trial, r.best, &smaller, &profit) != FINE:
        return -1.0
    if relaxation_init(&r.room, &x, &smaller, &r.watch, 0) != FINE:
        return -1.0
    memcpy(x.profit, profit, smaller.n_halves * sizeof(double))
    for _round in range(PROBE_ROUNDS):
        relaxation_bound(&x, r.limit - r.work)
        if x.upper < r.goal or not relaxation_step(&x, RESUMED, r.goal - r.step):
            break
    r.work += relaxation_work(&x) + r.problem.n_candidates
    return max(x.upper, r.goal - r.step)


cdef int32_t divided(Rounding *r) noexcept nogil:
    """The candidate to branch on: of those on which rounds disagree, the one whose two parts have the lowest bounds."""
    cdef const Problem *p = r.problem
    cdef int32_t[PROBES] doubtful
    cdef int32_t c, d, k, n_doubtful = 0, best = -1
    cdef double with_it, without_it, least = INFINITY
    for c in range(p.n_candidates):
        if not r.keep[c] or (n_doubtful == PROBES and r.doubt[c] <= r.doubt[doubtful[PROBES - 1]]):
            continue
        k = n_doubtful if n_doubtful < PROBES else PROBES - 1
        while k > 0 and r.doubt[doubtful[k - 1]] < r.doubt[c]:
            doubtful[k] = doubtful[k - 1]
            k -= 1
        doubtful[k] = c
        n_doubtful = min(n_doubtful + 1, PROBES)
    for k in range(n_doubtful):
        c = doubtful[k]
        for d in range(p.n_candidates):
            r.trial[d] = r.keep[d] and (d == c or (p.row[d] != p.row[c] and p.col[d] != p.col[c]))
        with_it = tried(r)
        memcpy(r.trial, r.keep, p.n_candidates)
        r.trial[c] = 0
        without_it = tried(r)
        if with_it < 0.0 or without_it < 0.0:
            break
        if max(with_it, without_it) + 0.1 * min(with_it, without_it) < least:
            least = max(with_it, without_it) + 0.1 * min(with_it, without_it)
            best = c
    return best


cdef void simplify(Rounding *r) noexcept nogil:
    """Give all of a gain to the first candidate wherever the prices allow it: equal numbers make small files."""
    cdef Relaxation *x = r.relaxation
    cdef const Problem *p = r.problem
    cdef int32_t c, h
    cdef double slack, more
    for c in range(p.n_candidates):
        slack = x.matching.alpha[p.row[c]] + x.matching.beta[p.col[c]] - x.gain[c]
        for h in range(p.half_start[c], p.half_start[c + 1]):
            more = r.whole.weight[h] - x.profit[h]
            if p.other[h] > c and more <= slack:
                slack -= more
                x.profit[h] = r.whole.weight[h]
                x.profit[p.mate[h]] = 0.0


cdef void put(Rounding *r, const char *before, double number) noexcept nogil:
    """Add to the text; a number below 0 is left out."""
    cdef int64_t n = strlen(before)
    if not room(&r.text, n + 20, 1):
        r.watch.over = True
        return
    add_bytes(&r.text, <const uint8_t *> before, n)
    if number >= 0.0:
        r.text.used += write_number(<uint8_t *> r.text.data + r.text.used, <int64_t> number)


cdef double put_prices(Rounding *r, const char *first, const double *values, int32_t n) noexcept nogil:
    """Add a list of whole numbers to the text; returns their sum."""
    cdef int32_t k
    cdef double total = 0.0
    put(r, first, -1.0)
    for k in range(n):
        put(r, b"," if k else b"", values[k])
        total += values[k]
    put(r, b"]", -1.0)
    return total


cdef bint put_step(Rounding *r, bint closes) noexcept nogil:
    """Write the step of a round that was rounded. False if it does not hold: its inequalities are added up anew, as the
    checker does it, from what is written and not from what the rounds made of it.
    """
    cdef Relaxation *x = r.relaxation
    cdef const Problem *p = r.problem
    cdef int32_t c, h, j, row
    cdef bint plain = True, several, more = False, holds = True
    cdef double least, best, share
    for h in range(p.n_halves):
        plain = plain and (p.mate[h] < h or x.profit[h] == r.whole.weight[h])
    put(r, b'{"d":', log2(r.scale / r.unit))
    put(r, b',"split":null' if plain else b',"split":[', -1.0)
    for h in range(0 if plain else p.n_halves):
        if p.mate[h] > h:
            put(r, b"," if more else b"", x.profit[h])
            more = True
    put(r, b',"inner":[' if plain else b'],"inner":[', -1.0)
    more = False
    for c in range(p.n_candidates):
        several = p.half_start[c + 1] - p.half_start[c] > 1
        if several:
            assign_local(x, c)
        least, best, row = r.whole.unary[c], 0.0, -1
        for h in range(p.half_start[c], p.half_start[c + 1]):
            if p.row[p.other[h]] != row:
                row, best, least = p.row[p.other[h]], 0.0, least + best
            j, share = p.col[p.other[h]], x.profit[h]
            if several and x.stamp[j] == x.tick:
                share -= x.local.beta[x.stamp_value[j]]
            best = max(best, share)
        for h in range(p.half_start[c], p.half_start[c + 1] if several else 0):
            j = p.col[p.other[h]]
            if x.stamp[j] == x.tick and x.local.beta[x.stamp_value[j]] > 0.0:
                x.stamp[j] = 0
                least += x.local.beta[x.stamp_value[j]]
                put(r, b",[" if more else b"[", p.row[c])
                put(r, b",", p.col[c])
                put(r, b",", j)
                put(r, b",", x.local.beta[x.stamp_value[j]])
                put(r, b"]", -1.0)
                more = True
        holds = holds and x.matching.alpha[p.row[c]] + x.matching.beta[p.col[c]] >= least + best
    best = put_prices(r, b'],"u":[', x.matching.alpha, p.n_rows) + put_prices(r, b',"v":[', x.matching.beta, p.n_cols)
    put(r, b"}", -1.0)
    return holds and (not closes or best < r.goal * r.scale)


def prices(int32_t n, int32_t m, const int32_t[::1] rows not None, const int32_t[::1] cols not None,
           const double[::1] own not None, const int32_t[::1] first not None, const int32_t[::1] second not None,
           const double[::1] gains not None, double unit, double goal, double step, int64_t limit,
           const int32_t[::1] mapping):
    """A step of a proof.

    Parameters
    ----------
    n, m : int
        Variables of both graphs.
    rows, cols : int32[n_candidates]
        The two variables of each candidate, sorted.
    own : float64[n_candidates]
        What each candidate brings by itself, in matches.
    first, second : int32[n_edges]
        The numbers of two candidates, the smaller one first; sorted.
    gains : float64[n_edges]
        What each edge brings, in matches.
    unit : float
        A match has so many units, a power of 2; gains are whole multiples of a unit.
    goal : float
        In units; a bound below it closes.
    step : float
        In units; so much below the goal there is a map.
    limit : int
        Visits of candidates and their edges after which it gives up.
    mapping : int32[n] or None
        A map, -1 for variables without a partner. The goal is then what it brings, and a step more.

    Returns
    -------
    step : str or None
        As it stands in a file; None if there was none within the limit, or if it does not hold.
    closes : bool
        Whether its bound is below the goal.
    doubtful : int
        The candidate on which to branch; -1 if it closes, or if few candidates are left after the step.
    work : int
        Visits.
    goal : float

    Raises
    ------
    ValueError
        If lists differ in length, or a candidate or an edge is none.
    MemoryError, KeyboardInterrupt
    """
    cdef Py_ssize_t n_candidates = rows.shape[0], n_edges = first.shape[0], k
    cdef Arena arena
    cdef Problem problem
    cdef Relaxation x
    cdef Rounding r
    cdef Pair *pairs
    cdef uint8_t never = 0
    cdef int32_t i, j, doubtful = -1
    cdef bint closes = False, found = False, mapped = mapping is not None
    cdef bint fits = (cols.shape[0] == own.shape[0] == n_candidates and second.shape[0] == gains.shape[0] == n_edges
                      and (not mapped or mapping.shape[0] == n))
    r.text = Column(NULL, 0, 0)
    r.watch.cancel, r.watch.seconds, r.watch.tell, r.watch.interrupted = &never, INFINITY, NULL, False
    watch_begin(&r.watch, 0)
    arena_init(&arena)
    arena_init(&r.rounds)
    arena_init(&r.smaller)
    arena_init(&r.room)
    try:
        if arena_reserve(
            &arena, problem_size(n, n_candidates, 2 * n_edges) + 2 * padded(n_candidates * sizeof(double))
            + 2 * padded(n_candidates) + 2 * padded(2 * n_edges * sizeof(double)) + 2 * padded(n_edges * sizeof(Pair)),
        ) < 0:
            raise_status(NO_MEMORY, "a proof does not fit in memory")
        problem_init(&arena, &problem, n, m, n_candidates, 2 * n_edges)
        problem.n_candidates = <int32_t> n_candidates
        pairs = <Pair *> take(&arena, n_edges * sizeof(Pair))
        memset(problem.row_start, 0, (n + 1) * sizeof(int32_t))
        if mapped:
            goal = step
        for k in range(n_candidates if fits else 0):
            i, j = rows[k], cols[k]
            fits = fits and 0 <= i < n and 0 <= j < m
            if fits:
                problem.row[k], problem.col[k], problem.unary[k] = i, j, own[k]
                problem.row_start[i + 1] += 1
                goal += own[k] * unit if mapped and mapping[i] == j else 0.0
        for k in range(n):
            problem.row_start[k + 1] += problem.row_start[k]
        for k in range(n_edges if fits else 0):
            i, j = first[k], second[k]
            fits = fits and 0 <= i < j < n_candidates
            if fits:
                pairs[k].major = <int64_t> i << 32 | <int64_t> j
                pairs[k].minor = <int64_t> (gains[k] * unit)
                if mapped and mapping[problem.row[i]] == problem.col[i] and mapping[problem.row[j]] == problem.col[j]:
                    goal += gains[k] * unit
        if not fits:
            raise ValueError("lists differ in length, or a candidate has no variables, or an edge no candidates")
        with nogil:
            r.doubt = <double *> take(&arena, n_candidates * sizeof(double))
            join_halves(&problem, pairs, <int32_t> n_edges, 1.0 / unit, <Pair *> take(&arena, n_edges * sizeof(Pair)),
                        <int32_t *> r.doubt)
            memset(r.doubt, 0, n_candidates * sizeof(double))
            r.relaxation, r.problem, r.whole, r.limit, r.work = &x, &problem, problem, limit, 0
            r.unit, r.goal, r.step = unit, goal / unit, step / unit
            r.whole.unary = <double *> take(&arena, n_candidates * sizeof(double))
            r.whole.weight = <double *> take(&arena, 2 * n_edges * sizeof(double))
            r.best = <double *> take(&arena, 2 * n_edges * sizeof(double))
            r.keep, r.trial = <uint8_t *> take(&arena, n_candidates), <uint8_t *> take(&arena, n_candidates)
            if relaxation_init(&r.rounds, &x, &problem, &r.watch, 0) != FINE:
                r.watch.over = True
            elif rounded(&r, NULL, 0):
                closes = x.bound < goal
                found = closes or lowered(&r, &closes)
                if closes:
                    simplify(&r)
            found = found and put_step(&r, closes)
            if found and not closes and mark_left(&r) >= WORTH_AGAIN * n_candidates:
                doubtful = divided(&r)
        written = (<char *> r.text.data)[:r.text.used].decode("ascii") if found else None
    finally:
        arena_free(&arena)
        arena_free(&r.rounds)
        arena_free(&r.smaller)
        arena_free(&r.room)
        release(&r.text)
    if r.watch.over:
        raise_status(INTERRUPTED if r.watch.interrupted else NO_MEMORY, "a proof does not fit in memory")
    return written, closes, doubtful, r.work, goal
