"""Prices of a problem in whole numbers, from which a bound of all its maps follows: a step of a certificate.

``fastmatch/evaluation/certificates/check_certificates.py`` says what a step is and why it is a proof. The rounds of the
relaxation (relaxation.pyx) give one: the split of the weights, the prices of the columns in the local problems, the
prices of the global problem, and those of cuts, where few candidates would leave without them. When a round's bound is
low enough, its split and the prices of its cuts are rounded to whole multiples of 1/D, and one more round with all
gains times D has prices that are whole numbers, as an assignment of whole numbers has. Nothing is rounded afterwards.
"""

from libc.math cimport INFINITY, log2, rint
from libc.stdint cimport int32_t, int64_t, uint8_t
from libc.string cimport memcpy, memset, strlen

from fastmatch._ext.base.arena cimport PADDING, Arena, arena_reserve, arenas_free, doubles, ints, take, take_zeros
from fastmatch._ext.base.best cimport offer, sort_best
from fastmatch._ext.base.columns cimport Column, release, room
from fastmatch._ext.base.letters cimport add_bytes, write_number
from fastmatch._ext.base.status cimport FINE, INTERRUPTED, NO_MEMORY, raise_status
from fastmatch._ext.base.watch cimport Watch, look, watch_begin
from fastmatch._ext.matching.coarse cimport largest_count
from fastmatch._ext.matching.cuts cimport Cuts, MAX_CUTS, cuts_init, separate
from fastmatch._ext.matching.local_search cimport columns_value
from fastmatch._ext.matching.partial cimport (
    Links, Matching, SoftFeatures, SoftView, build_soft, check_matching, link, view_matching, view_soft,
)
from fastmatch._ext.matching.problem cimport (
    PROBLEM_LIMIT, GraphView, Problem, build, col_at, count_matches, join_halves, problem_init, put_edge,
    row_at, unary_gain, view_graph, weight_of,
)
from fastmatch._ext.matching.solver cimport note_choice, shrink
from fastmatch._ext.matching.relaxation cimport (
    Relaxation, assign_local, disagreement, find_core, lift_cuts, narrow_bound, pick_largest, relaxation_bound,
    relaxation_init, relaxation_step, relaxation_work, touch_all, use_cuts,
)
from fastmatch._ext.matching.triples cimport TripleFeatures

import numpy as np

# The rounds are those of the search (exact.pyx), where these are explained.
cdef double BELOW = 0.25              # in steps: rounds go on until the bound is so far below the goal
cdef double BETTER = 3e-4
cdef double SHORTER = 0.7
cdef double SHORTEST = 0.002
# The same where only a step that closes is wanted, and where gains are real numbers: their bound soon reaches the goal,
# or never.
cdef double SHORT = 0.1
cdef int64_t LOOK = 1_000_000
# The same with cuts (cuts.pyx), which are looked for every SEPARATE_EVERY rounds.
cdef double CUT_SCALE = 0.7
cdef double SHORTEST_CUT = 0.03
cdef enum:
    SEPARATE_EVERY = 100
    PATIENCE_CUT = 60
    PATIENCE = 20
    PROBES = 16
    PROBE_ROUNDS = 20
    N_SCALES = 8
    NARROW_FROM = 20_000
    WHOLE_EVERY = 10
    DIGEST = 32
    LARGE = 1 << 20
    ROUNDS = 400
    FEWEST_VISITS = 100_000           # of a thousand pairs of sentences one takes more
    LOOP = 0xFFFFFFFF                 # value of a loop in the key of a feature; see triples.pyx
# Exponents of the denominators D that are tried. Prices are often halves and thirds; small numbers make small files.
cdef int[N_SCALES] SCALES = [0, 1, 2, 4, 7, 11, 16, 30]
cdef double WORTH_AGAIN = 0.9         # the proof branches if more of the candidates than this share stay
cdef double RESUMED = 0.1
cdef double NEAR = 0.02               # in matches: a rounded bound so close to the best one is good enough


# Texts, one after another.
cdef struct Labels:
    const uint8_t *text
    const int64_t *start              # [n + 1]


# A graph as it stands in a line.
cdef struct Written:
    GraphView view
    SoftView soft
    const int32_t *name               # [n_variables] labels
    const int64_t *fourth             # [classes] what stands fourth in a row of a triple; NULL for nothing
    const int32_t *concept            # [concepts] labels
    const uint8_t *digest             # DIGEST characters; NULL for none


# The relaxation of a problem, and what is needed to round it.
cdef struct Rounding:
    Relaxation *relaxation
    const Problem *problem            # gains in matches
    Problem whole                     # the same problem, gains times D
    double unit                       # units of a match
    double goal                       # in matches: a bound below it closes
    double step                       # so much better than the optimum
    double scale                      # D * unit
    double parts                      # all is rounded to a multiple of 1/parts of a match
    double *best                      # [n_halves] the split of the best round
    Cuts cuts
    int32_t n_cuts                    # those of the best round,
    double *price                     # [n_cuts] and their prices in it
    double total                      # of the prices in the round that was rounded
    double *doubt                     # [n_candidates] how much rounds disagree on it
    uint8_t *keep                     # [n_candidates] those that a better map may have
    uint8_t *trial                    # [n_candidates]
    int64_t limit                     # visits that are left
    int64_t work
    Column text                       # of the step, in JSON
    Watch watch
    Arena own
    Arena rounds
    Arena cutting
    Arena smaller
    Arena room
    Arena problem_room
    Arena spare


cdef bint rounded(Rounding *r, const double *split, int exponent) noexcept nogil:
    """A round with a split in multiples of 2**-exponent of a match; NULL for one that gives all to first candidates.

    D is the least with which these are whole multiples of 1/D units. So are the prices and the bound. False if it was
    given up.
    """
    cdef Relaxation *x = r.relaxation
    cdef const Problem *p = r.problem
    cdef double parts = <double> (1 << exponent), scale = max(r.unit, parts), grain = scale / parts, price
    cdef int32_t c, h, k
    for c in range(p.n_candidates):
        r.whole.unary[c] = rint(unary_gain(p, c) * scale)
    for h in range(p.n_halves):
        r.whole.weight[h] = rint(weight_of(p, h) * scale)
    r.scale, r.parts, r.total = scale, parts, 0.0
    for k in range(r.n_cuts):
        price = grain * rint(r.price[k] * parts)
        r.total += price
        for c in range(r.cuts.start[k], r.cuts.start[k + 1]):
            h = r.cuts.member[c] - p.n_candidates
            if h < 0:
                r.whole.unary[r.cuts.member[c]] -= price
            else:
                r.whole.weight[h] -= price
                r.whole.weight[p.mate[h]] -= price
    for h in range(p.n_halves):
        if p.mate[h] > h:
            x.profit[h] = max(0.0, r.whole.weight[h])
            if split != NULL:
                x.profit[h] = min(x.profit[h], max(0.0, grain * rint(split[h] * parts)))
            x.profit[p.mate[h]] = r.whole.weight[h] - x.profit[h]
    touch_all(x)
    x.problem, x.unary = &r.whole, r.whole.unary
    relaxation_bound(x, r.limit - r.work)
    x.problem, x.unary = p, p.unary
    x.bound += r.total
    r.work += relaxation_work(x) + p.n_candidates + p.n_halves
    return x.bound < INFINITY


cdef bint settled(Rounding *r, double bound, bint *closes) noexcept nogil:
    """Round the best split so that the bound is below the goal, or else near ``bound``. False if it was given up."""
    cdef int k
    cdef double found
    if bound == INFINITY or r.watch.over:
        return False
    for k in range(N_SCALES):
        if not rounded(r, r.best, SCALES[k]):
            return False
        found = r.relaxation.bound / r.scale
        closes[0] = found < r.goal
        if closes[0] or (bound >= r.goal and found < bound + NEAR):
            break
    return True


cdef double lower(Rounding *r, double scale, double shortest, int patience) noexcept nogil:
    """Rounds until a bound is below the goal, or they do not lower it any more with steps that are shorter and shorter,
    from ``scale`` to ``shortest``. Returns the best bound; infinity if there is none within the limit.

    Keeps the split of the best round, and the prices of its cuts if there are cuts.
    """
    cdef Relaxation *x = r.relaxation
    cdef const Problem *p = r.problem
    cdef int rounds = 0, stalled = 0
    cdef int64_t pause = r.work + LOOK
    cdef bint narrow = False, whole
    cdef double best = INFINITY
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
        if x.cuts == NULL:
            note_choice(x, True, r.doubt)   # how often each candidate was chosen of late, 0 … 1
        if whole and x.bound < best - BETTER * min(1.0, best - r.goal + r.step):
            stalled = 0
        elif whole:
            stalled += WHOLE_EVERY if narrow else 1
        if whole and x.bound < best:
            best = x.bound
            memcpy(r.best, x.profit, p.n_halves * sizeof(double))
            if x.cuts != NULL:
                r.n_cuts = r.cuts.n
                memcpy(r.price, r.cuts.price, r.n_cuts * sizeof(double))
        if best < r.goal - BELOW * r.step:
            break
        if stalled >= patience:
            scale *= SHORTER
            stalled = 0
        if scale < shortest:
            break
        if x.cuts == NULL and p.n_candidates > NARROW_FROM and rounds == WHOLE_EVERY:
            narrow = True
            find_core(x)
        if x.cuts != NULL and rounds % SEPARATE_EVERY == 0:
            separate(&r.cuts, &r.work)
        if not relaxation_step(x, scale, r.goal - r.step):
            break
    return best


cdef bint lowered(Rounding *r, double shortest, bint *closes) noexcept nogil:
    """As :func:`lower`, from an even split on, and then a round that is rounded.

    ``closes`` receives whether its bound is below the goal, ``doubt``, zeros before, how much rounds disagree. False if
    there is no bound within the limit.
    """
    cdef Relaxation *x = r.relaxation
    cdef int32_t c
    for c in range(r.problem.n_halves):
        x.profit[c] = 0.5 * weight_of(r.problem, c)
    cdef double best = lower(r, 1.0, shortest, PATIENCE)
    # Disagreement about its edge-pairs times disagreement about the candidate.
    for c in range(r.problem.n_candidates):
        r.doubt[c] = disagreement(x, c) * min(r.doubt[c], 1.0 - r.doubt[c])
    return settled(r, best, closes)


cdef bint cut(Rounding *r, bint *closes) noexcept nogil:
    """As :func:`lowered`, after it and from the best split on, with cuts: these lower the bound of a few problems."""
    cdef Relaxation *x = r.relaxation
    cdef const Problem *p = r.problem
    cdef int32_t k, c, h
    if cuts_init(&r.cutting, &r.cuts, p) != FINE:
        r.watch.over = True
        return False
    use_cuts(x, &r.cuts)
    memcpy(x.profit, r.best, p.n_halves * sizeof(double))
    cdef double best = lower(r, CUT_SCALE, SHORTEST_CUT, PATIENCE_CUT)
    lift_cuts(x)
    x.cuts = NULL
    if not settled(r, best, closes):
        return False
    for k in range(r.n_cuts):         # what branches begin with is a split of all gains
        for c in range(r.cuts.start[k], r.cuts.start[k + 1]):
            h = r.cuts.member[c] - p.n_candidates
            if h >= 0:
                r.best[h] += 0.5 * r.price[k]
                r.best[p.mate[h]] += 0.5 * r.price[k]
    return True


cdef int32_t mark_left(Rounding *r) noexcept nogil:
    """Mark the candidates that stay when the bound, that of a round that was rounded, is not below the goal."""
    cdef Relaxation *x = r.relaxation
    cdef const Problem *p = r.problem
    cdef int32_t c, left = 0
    for c in range(p.n_candidates):
        r.keep[c] = (x.matching.alpha[row_at(p, c)] + x.matching.beta[col_at(p, c)] - x.gain[c]
                     <= x.bound - r.goal * r.scale)
        left += r.keep[c]
    return left


cdef double tried(Rounding *r) noexcept nogil:
    """The bound of the candidates in ``trial`` after some rounds that begin with the best split; -1 without memory."""
    cdef Problem smaller
    cdef Relaxation x
    cdef double *profit
    cdef int _round
    if shrink(&r.smaller, r.problem, r.trial, r.best, NULL, &smaller, &profit) != FINE:
        return -1.0
    if relaxation_init(&r.room, &x, &smaller, &r.watch, 0, False) != FINE:
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
    cdef double[PROBES] doubts
    cdef Py_ssize_t n_doubtful = 0
    cdef int32_t c, d, k, best = -1
    cdef double with_it, without_it, least = INFINITY
    for c in range(p.n_candidates):
        if r.keep[c]:
            n_doubtful = offer(doubts, doubtful, n_doubtful, PROBES, r.doubt[c], c)
    sort_best(doubts, doubtful, n_doubtful)
    for k in range(n_doubtful):
        c = doubtful[k]
        for d in range(p.n_candidates):
            r.trial[d] = r.keep[d] and (d == c or (row_at(p, d) != row_at(p, c) and col_at(p, d) != col_at(p, c)))
        with_it = tried(r)
        if with_it + 0.1 * (r.goal - r.step) >= least:
            continue
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
        slack = x.matching.alpha[row_at(p, c)] + x.matching.beta[col_at(p, c)] - x.gain[c]
        for h in range(p.half_start[c], p.half_start[c + 1]):
            more = r.whole.weight[h] - x.profit[h]
            if p.other[h] > c and 0.0 <= more <= slack:
                slack -= more
                x.profit[h] = r.whole.weight[h]
                x.profit[p.mate[h]] = 0.0


cdef inline void put(Rounding *r, const char *before, double number) noexcept nogil:
    """Add to the text; a number below 0 is left out."""
    cdef int64_t n = strlen(before)
    if not room(&r.text, n + 20, 1):
        r.watch.over = True
        return
    add_bytes(&r.text, <const uint8_t *> before, n)
    if number >= 0.0:
        r.text.used += write_number(<uint8_t *> r.text.data + r.text.used, <int64_t> number)


cdef inline void put_label(Rounding *r, const char *before, const Labels *labels, int64_t label) noexcept nogil:
    put(r, before, -1.0)
    if not add_bytes(&r.text, labels.text + labels.start[label], labels.start[label + 1] - labels.start[label]):
        r.watch.over = True


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


cdef void put_cuts(Rounding *r) noexcept nogil:
    """Add the cuts that have a price to the text: each one's price, and its members as lists of candidates."""
    cdef const Problem *p = r.problem
    cdef int32_t k, c, d, h
    cdef double price
    cdef const char *before = b'"cliques":[['
    for k in range(r.n_cuts):
        price = rint(r.price[k] * r.parts) * (r.scale / r.parts)
        if price == 0.0:
            continue
        put(r, before, price)
        for c in range(r.cuts.start[k], r.cuts.start[k + 1]):
            d, h = r.cuts.member[c], r.cuts.member[c] - p.n_candidates
            if h >= 0:
                d = p.other[p.mate[h]]
            put(r, b",[[", row_at(p, d))
            put(r, b",", col_at(p, d))
            if h >= 0:
                put(r, b"],[", row_at(p, p.other[h]))
                put(r, b",", col_at(p, p.other[h]))
            put(r, b"]]", -1.0)
        before = b"],["
    if before[0] == b"]":
        put(r, b"]],", -1.0)


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
        plain = plain and (p.mate[h] < h or x.profit[h] == max(0.0, r.whole.weight[h]))
    put(r, b"{", -1.0)
    if r.scale > r.unit:
        put(r, b'"d":', log2(r.scale / r.unit))
        put(r, b",", -1.0)
    put_cuts(r)
    for h in range(0 if plain else p.n_halves):
        if p.mate[h] > h:
            put(r, b"," if more else b'"split":[', x.profit[h])
            more = True
    put(r, b"" if plain else b"],", -1.0)
    more = False
    for c in range(p.n_candidates):
        several = pick_largest(x, c, &share)
        if several:
            assign_local(x, c)
        least, best, row = r.whole.unary[c], 0.0, -1
        for h in range(p.half_start[c], p.half_start[c + 1]):
            if row_at(p, p.other[h]) != row:
                row, best, least = row_at(p, p.other[h]), 0.0, least + best
            j, share = col_at(p, p.other[h]), x.profit[h]
            if several and x.stamp[j] == x.tick:
                share -= x.local.beta[x.stamp_value[j]]
            best = max(best, share)
        for h in range(p.half_start[c], p.half_start[c + 1] if several else 0):
            j = col_at(p, p.other[h])
            if x.stamp[j] == x.tick and x.local.beta[x.stamp_value[j]] > 0.0:
                x.stamp[j] = 0
                least += x.local.beta[x.stamp_value[j]]
                put(r, b",[" if more else b'"inner":[[', row_at(p, c))
                put(r, b",", col_at(p, c))
                put(r, b",", j)
                put(r, b",", x.local.beta[x.stamp_value[j]])
                put(r, b"]", -1.0)
                more = True
        holds = holds and x.matching.alpha[row_at(p, c)] + x.matching.beta[col_at(p, c)] >= least + best
    put(r, b"]," if more else b"", -1.0)
    best = put_prices(r, b'"u":[', x.matching.alpha, p.n_rows) + put_prices(r, b',"v":[', x.matching.beta, p.n_cols)
    put(r, b"}", -1.0)
    return holds and (not closes or best + r.total < r.goal * r.scale)


cdef bint find_step(Rounding *r, const Problem *p, double unit, double goal, double step, int64_t limit, bint only,
                    bint *closes, int32_t *doubtful) noexcept nogil:
    """Add a step to the text; ``only`` if it closes. False if there is none. Unless it closes, ``doubtful`` is set.

    ``goal`` and ``step`` are in units. See :func:`prices`.
    """
    cdef Relaxation x
    cdef int32_t n = p.n_candidates
    cdef bint found = False
    closes[0] = False
    doubtful[0] = -1
    cdef size_t size = (2 * <size_t> n + 2 * p.n_halves + MAX_CUTS) * sizeof(double) + 2 * n + 7 * PADDING
    if arena_reserve(&r.own, size) < 0 or relaxation_init(&r.rounds, &x, p, &r.watch, 0, False) != FINE:
        r.watch.over = True
        return False
    r.doubt = <double *> take_zeros(&r.own, n * sizeof(double))
    r.relaxation, r.problem, r.whole, r.limit, r.work = &x, p, p[0], limit, 0
    r.unit, r.goal, r.step, r.n_cuts = unit, goal / unit, step / unit, 0
    r.whole.unary, r.whole.weight = doubles(&r.own, n), doubles(&r.own, p.n_halves)
    r.best, r.price = doubles(&r.own, p.n_halves), doubles(&r.own, MAX_CUTS)
    r.keep, r.trial = <uint8_t *> take(&r.own, n), <uint8_t *> take(&r.own, n)
    if rounded(r, NULL, 0):
        found = closes[0] = x.bound < goal
        if not closes[0]:
            found = lowered(r, SHORT if only or r.step < 1.0 else SHORTEST, closes)
            if found and not only and not closes[0] and mark_left(r) >= WORTH_AGAIN * n:
                found = cut(r, closes)
            if closes[0]:
                simplify(r)
    if only and not closes[0]:
        return False
    found = found and put_step(r, closes[0])
    if found and not closes[0] and mark_left(r) >= WORTH_AGAIN * n:
        doubtful[0] = divided(r)
    return found


cdef void begin(Rounding *r, uint8_t *never) noexcept nogil:
    memset(r, 0, sizeof(Rounding))
    r.watch.cancel, r.watch.seconds = never, INFINITY
    watch_begin(&r.watch, 0)


cdef int end(Rounding *r) except -1:
    """Free what was taken; MemoryError or KeyboardInterrupt if that ended the work."""
    arenas_free(&r.own, &r.spare)
    release(&r.text)
    if r.watch.over:
        raise_status(INTERRUPTED if r.watch.interrupted else NO_MEMORY, "a proof does not fit in memory")
    return 0


def prices(int32_t n, int32_t m, const int32_t[::1] rows not None, const int32_t[::1] cols not None,
           const double[::1] own not None, const int32_t[::1] first not None, const int32_t[::1] second not None,
           const double[::1] gains not None, double unit, double goal, double step, int64_t limit):
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

    Raises
    ------
    ValueError
        If lists differ in length, or a candidate or an edge is none.
    MemoryError, KeyboardInterrupt
    """
    cdef Py_ssize_t n_candidates = rows.shape[0], n_edges = first.shape[0], k
    cdef Problem problem
    cdef Rounding r
    cdef double *weights
    cdef uint8_t never = 0
    cdef int32_t i, j, doubtful = -1
    cdef bint closes = False, found = False
    cdef bint fits = cols.shape[0] == own.shape[0] == n_candidates and second.shape[0] == gains.shape[0] == n_edges
    cdef size_t extra = 3 * n_edges * sizeof(double) + n_candidates * sizeof(int32_t) + 2 * PADDING
    begin(&r, &never)
    try:
        raise_status(problem_init(&r.problem_room, &problem, n, m, n_candidates, 2 * n_edges, extra),
                     "a proof does not fit in memory")
        problem.n_candidates = <int32_t> n_candidates
        weights = doubles(&r.problem_room, 3 * n_edges)
        memset(problem.row_start, 0, (n + 1) * sizeof(int32_t))
        for k in range(n_candidates if fits else 0):
            i, j = rows[k], cols[k]
            fits = fits and 0 <= i < n and 0 <= j < m
            if fits:
                problem.row[k], problem.col[k], problem.unary[k] = i, j, own[k]
                problem.row_start[i + 1] += 1
        for k in range(n):
            problem.row_start[k + 1] += problem.row_start[k]
        for k in range(n_edges if fits else 0):
            i, j = first[k], second[k]
            fits = fits and 0 <= i < j < n_candidates
            if fits:
                put_edge(&problem, weights, k, i, j, gains[k])
        if not fits:
            raise ValueError("lists differ in length, or a candidate has no variables, or an edge no candidates")
        with nogil:
            join_halves(&problem, <int32_t> n_edges, weights, ints(&r.problem_room, n_candidates))
            found = find_step(&r, &problem, unit, goal, step, limit, False, &closes, &doubtful)
        written = (<char *> r.text.data)[:r.text.used].decode("ascii") if found else None
    finally:
        end(&r)
    return written, closes, doubtful, r.work


cdef void put_graph(Rounding *r, const Written *graph, const Labels *labels, Py_ssize_t g,
                    int64_t n_labels) noexcept nogil:
    """Write graph ``g``; two labels more than ``n_labels`` are what stands for no value, and the role of concepts.

    Its groups, if it has some, are those of sentences.
    """
    cdef Py_ssize_t k, _copy
    cdef int64_t role, value, s
    cdef const GraphView *view = &graph.view
    cdef const char *before = b"["
    put(r, b'{"variables":[', -1.0)
    for k in range(view.n_variables):
        put_label(r, b"," if k else b"", labels, graph.name[k] if graph.name[k] >= 0 else n_labels)
    put(r, b'],"triples":[', -1.0)
    for k in range(view.n_unary):
        role, value = (view.key[k] >> 32) - 1, (view.key[k] & LOOP) - 1
        for _copy in range(view.unary_count[k]):
            put(r, before, view.variable[k])
            put_label(r, b",", labels, role if role >= 0 else n_labels + 1)
            if value + 1 == LOOP:
                put(r, b",", view.variable[k])
            else:
                put_label(r, b",", labels, value if value >= 0 else n_labels)
            if graph.fourth != NULL:
                put(r, b",", graph.fourth[graph.soft.unary_class[k]])
            before = b"],["
    for k in range(view.n_relations):
        for _copy in range(view.relation_count[k]):
            put(r, before, view.source[k])
            put_label(r, b",", labels, view.role[k])
            put(r, b",", view.target[k])
            if graph.fourth != NULL:
                put(r, b",", graph.fourth[graph.soft.relation_class[k]])
            before = b"],["
    put(r, b"]]" if view.n_unary + view.n_relations else b"]", -1.0)
    if view.group_start != NULL:
        put(r, b',"sentences":[', -1.0)
        for k in range(view.n_variables):
            put(r, b",[" if k else b"[", -1.0)
            for s in range(view.group_start[k], view.group_start[k + 1]):
                put(r, b"," if s > view.group_start[k] else b"", -1.0)
                put(r, b"-" if view.group[s] < 0 else b"", abs(<double> view.group[s]))
            put(r, b"]", -1.0)
        put(r, b"]", -1.0)
    if graph.digest != NULL:
        put(r, b',"sha256":"', -1.0)
        if not add_bytes(&r.text, graph.digest + g * DIGEST, DIGEST):
            r.watch.over = True
        put(r, b'"', -1.0)
    put(r, b"}", -1.0)


cdef void put_similar(Rounding *r, const Written *a, const Written *b, const Matching *matching, double unit,
                      const Labels *labels) noexcept nogil:
    """Write the concepts of two graphs that are alike: for each those like it."""
    cdef Py_ssize_t k, j
    cdef double similarity
    cdef bint some
    cdef const char *before = b',"similar":{'
    for k in range(a.soft.n_soft):
        if k and a.soft.concept[k] == a.soft.concept[k - 1]:
            continue
        some = False
        for j in range(b.soft.n_soft):
            if j and b.soft.concept[j] == b.soft.concept[j - 1]:
                continue
            similarity = link(matching, a.soft.concept[k], b.soft.concept[j])
            if similarity > 0.0:
                if not some:
                    put_label(r, before, labels, a.concept[a.soft.concept[k]])
                put_label(r, b"," if some else b":{", labels, b.concept[b.soft.concept[j]])
                put(r, b":", rint(similarity * unit))
                before = b"},"
                some = True
    if before[0] == b"}":
        put(r, b"}}", -1.0)


cdef int64_t copies(const GraphView *view) noexcept nogil:
    """How often a triple of a graph counts, at most."""
    return max(largest_count(view.unary_count, 0, view.n_unary),
               largest_count(view.relation_count, 0, view.n_relations))


cdef int64_t most_groups(const GraphView *view) noexcept nogil:
    """In how many groups a variable is, at most."""
    cdef int32_t i
    cdef int64_t most = 0
    for i in range(view.n_variables if view.group_start != NULL else 0):
        most = max(most, view.group_start[i + 1] - view.group_start[i])
    return most


cdef bint looks_at_few(const GraphView *a, const GraphView *b, int64_t most) noexcept nogil:
    """Whether the checker looks at ``most`` matches of triples or fewer, times the groups of which it looks at each."""
    cdef double own = a.n_unary + a.n_relations, theirs = copies(b)
    cdef double times = <double> copies(a) * max(<int64_t> 1, min(most_groups(a), most_groups(b)))
    cdef int64_t n_unary, n_edges
    if times * own * (1.0 + theirs * (b.n_unary + b.n_relations)) <= most:    # even if each matched each
        return True
    count_matches(a, b, &n_unary, &n_edges)
    return times * (own + theirs * (n_unary + n_edges)) <= most


cdef int64_t short_limit(const Problem *p) noexcept nogil:
    """Visits after which a pair is left to a search that may take several steps."""
    return max(<int64_t> FEWEST_VISITS, <int64_t> ROUNDS * (p.n_candidates + p.n_halves))


cdef void check_side(tuple side, TripleFeatures features, Py_ssize_t n_labels, n_classes, n_concepts) except *:
    """Raise ValueError unless the arrays of a side fit each other and what they name; the kernel then trusts them."""
    _, soft, starts, names, fourth, concepts, digests = side
    variables, _, _, keys, _, _, relations = features.arrays
    values = keys & <int64_t> LOOP
    named = [names, (keys >> 32) - 1, values[values != <int64_t> LOOP] - 1, relations[0]]
    if concepts is not None:
        named.append(concepts)
    if not (
        len(starts) == len(variables) + 1 and starts[0] == 0 and (np.diff(starts) == variables).all()
        and len(names) == starts[len(variables)]
        and max([numbers.max(initial=-1) for numbers in named]) < n_labels
        and (soft is None) == (concepts is None) == (n_classes is None)
        and (fourth is None or len(fourth) == n_classes) and (concepts is None or len(concepts) >= n_concepts)
        and (digests is None or len(digests) == DIGEST * len(variables))
    ):
        raise ValueError("arrays of a side do not fit each other, or name what is not there")


cdef bint divides(text, starts):
    """Whether a text is divided from its beginning on."""
    return len(starts) > 0 and starts[0] == 0 and (np.diff(starts) >= 0).all() and starts[len(starts) - 1] <= len(text)


cdef int gather(tuple side, Written *graph, const int64_t **start) except -1:
    """Point to the arrays of a side, which :func:`lines` explains and which must live as long."""
    cdef const int64_t[::1] some = side[2]
    cdef const int32_t[::1] numbers = side[3]
    start[0] = &some[0]
    graph.name = &numbers[0] if numbers.shape[0] else NULL
    graph.fourth = graph.digest = NULL
    if side[4] is not None:
        some = side[4]
        graph.fourth = &some[0]
    if side[5] is not None:
        numbers = side[5]
        graph.concept = &numbers[0] if numbers.shape[0] else NULL
    if side[6] is not None:
        graph.digest = <const uint8_t *> <const char *> side[6]
    return 0


def lines(tuple pred not None, tuple gold not None, tuple labels not None, tuple heads not None, Py_ssize_t start,
          const int64_t[::1] totals not None, const int64_t[::1] offsets not None, const int32_t[::1] mapping not None,
          bytes wanted not None, matching, double unit, double step, int64_t limit, int64_t most):
    """Lines of pairs: graph k of one side with graph k of the other.

    Of those that ``heads`` has texts for, as many from the first one on as come to ``LARGE`` characters.

    Parameters
    ----------
    pred, gold : tuple
        Of one side:

        * TripleFeatures; and SoftFeatures, or None if triples match only as a whole
        * int64[n_graphs + 1], int32: the variables of graph g are offsets[g] … offsets[g + 1] - 1; the label of each
        * int64[n_classes] or None: what stands fourth in the row of a triple of each class
        * int32[n_concepts] or None: the label of each concept that may match in part
        * bytes[64 * n_graphs] or None: the hash of each graph's text, as it is written
    labels, heads : (bytes, int64)
        Texts one after another, and where they start and the last one ends: the labels of both sides as they are
        written, then what stands for no value, then the role of concepts; what stands behind the number of each pair
        from ``start`` on.
    start : int
        The first pair. Calls begin at 0 and go on with the same arrays: what is in them is checked then.
    totals : int64, shape (2 * n_pairs,)
        What the triples of each graph come to, in units: first those of one side, then those of the other.
    offsets, mapping : int64, shape (n_pairs + 1,), int32
        Pair k has the map mapping[offsets[k]] … mapping[offsets[k + 1] - 1], -1 for a variable without a partner.
    wanted : bytes[n_pairs]
        Whether to look for a step that proves the map.
    matching : (Links, float64[classes, classes]) or None
    unit, step, limit
        See :func:`prices`; the limit is of each pair. No step is looked for longer than some hundred rounds take.
    most : int
        Where triples match only as a whole, no step is looked for if more of them match.

    Returns
    -------
    text : bytes
        The lines, one after another. One without a proof ends before its map, and without a newline.
    ends : list of int
        Where each one ends.
    proven : list of bool
        Whether it has a proof.

    Raises
    ------
    ValueError
        If lists differ in length, or name what is not there.
    MemoryError, KeyboardInterrupt
    """
    cdef TripleFeatures hard_a = pred[0], hard_b = gold[0]
    cdef SoftFeatures soft_a = pred[1], soft_b = gold[1]
    cdef const int64_t[::1] label_start = labels[1], head_start = heads[1]
    cdef const double[:, ::1] weight
    cdef Labels named, opened
    cdef Links links = None
    cdef Matching how
    cdef Problem problem
    cdef Rounding r
    cdef Written a, b
    cdef const int64_t *first_a
    cdef const int64_t *first_b
    cdef const int32_t *names_a
    cdef const int32_t *names_b
    cdef const uint8_t *wants = <const uint8_t *> <const char *> wanted
    cdef uint8_t never = 0
    cdef Py_ssize_t k, n = head_start.shape[0] - 1, n_pairs = len(wanted)
    cdef int32_t i, doubtful
    cdef int64_t kept
    cdef bint closes
    cdef double goal
    if not (0 <= start <= start + n <= n_pairs == hard_a.n_graphs == hard_b.n_graphs == offsets.shape[0] - 1
            and totals.shape[0] == 2 * n_pairs and mapping.shape[0] == offsets[n_pairs]
            and divides(heads[0], heads[1])):
        raise ValueError("lists differ in length")
    if matching is not None:
        links, weight = matching
    if start == 0:
        if label_start.shape[0] < 3 or not divides(labels[0], labels[1]):
            raise ValueError("labels are not divided")
        if not (offsets[0] == 0 and (np.diff(offsets) == hard_a.arrays[0]).all()):
            raise ValueError("a map is not one of the variables of its prediction")
        n_labels = label_start.shape[0] - 3
        if links is None:
            check_side(pred, hard_a, n_labels, None, None)
            check_side(gold, hard_b, n_labels, None, None)
        else:
            check_matching(soft_a, soft_b, links, weight)
            check_side(pred, hard_a, n_labels, weight.shape[0], links.n_a)
            check_side(gold, hard_b, n_labels, weight.shape[1], links.n_b)
    if links is not None:
        view_matching(&how, links, weight)
    gather(pred, &a, &first_a)
    gather(gold, &b, &first_b)
    names_a, names_b = a.name, b.name
    named.text, named.start = <const uint8_t *> <const char *> labels[0], &label_start[0]
    opened.text, opened.start = <const uint8_t *> <const char *> heads[0], &head_start[0]
    begin(&r, &never)
    ends, proven = [], []
    try:
        for k in range(start, start + n):
            with nogil:
                view_graph(&a.view, hard_a, k)
                view_graph(&b.view, hard_b, k)
                a.name, b.name = names_a + first_a[k], names_b + first_b[k]
                if links is not None:
                    view_soft(&a.soft, soft_a, k)
                    view_soft(&b.soft, soft_b, k)
                put(&r, b'{"pair":', k)
                put_label(&r, b"", &opened, k - start)
                put(&r, b',"pred":', -1.0)
                put_graph(&r, &a, &named, k, label_start.shape[0] - 3)
                put(&r, b',"gold":', -1.0)
                put_graph(&r, &b, &named, k, label_start.shape[0] - 3)
                if links is not None:
                    put_similar(&r, &a, &b, &how, unit, &named)
                kept = r.text.used
                closes = wants[k] and (links is not None or looks_at_few(&a.view, &b.view, most)) and FINE == (
                    build(&r.problem_room, &r.spare, &a.view, &b.view, PROBLEM_LIMIT, &problem) if links is None else
                    build_soft(&r.problem_room, &r.spare, &a.view, &b.view, &a.soft, &b.soft, &how, PROBLEM_LIMIT,
                               &problem))
                if closes:
                    goal = step + unit * columns_value(&problem, &mapping[offsets[k]] if problem.n_rows else NULL)
                    put(&r, b',"map":', -1.0)
                    for i in range(problem.n_rows):
                        put(&r, b"," if i else b"[", mapping[offsets[k] + i])
                        if mapping[offsets[k] + i] < 0:
                            put(&r, b"-", 1.0)
                    put(&r, b'],"matched":' if problem.n_rows else b'[],"matched":', goal - step)
                    put(&r, b',"n_pred":', totals[k])
                    put(&r, b',"n_gold":', totals[n_pairs + k])
                    put(&r, b',"proof":[', -1.0)
                    closes = find_step(&r, &problem, unit, goal, step, min(limit, short_limit(&problem)), True,
                                       &closes, &doubtful)
                    put(&r, b"]}\n", -1.0)
                if not closes:
                    r.text.used = kept
            if r.watch.over:
                break
            ends.append(r.text.used)
            proven.append(closes)
            if r.text.used > LARGE:
                break
        written = (<char *> r.text.data)[:r.text.used]
    finally:
        end(&r)
    return written, ends, proven
