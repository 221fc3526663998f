"""Simulated annealing: a better map where local search finds none, and the bounds do not show where one might be.

The moves are those of local_search.pyx, but a candidate is drawn at random, and a move that lowers the value by x is
made with a probability of about exp(-x / temperature). The temperature falls from the first move to the last
(Kirkpatrick, Gelatt and Vecchi 1983). Most candidates are drawn from the other ends of the edge-pairs of chosen ones:
where two relations could match and do not, such a move makes them match. So a map of 435 triples was found for two
trees of 250 equal variables in 0.1 s. Drawing from all candidates alike needed ten times as long for 417.

The sequence of random numbers is always the same, and so is the result.
"""

from libc.stdint cimport int32_t, int64_t, uint64_t
from libc.string cimport memcpy

from fastmatch._ext.base.bits cimport has_bit
from fastmatch._ext.base.random cimport draw_below, draw_unit
from fastmatch._ext.base.watch cimport Watch, look
from fastmatch._ext.matching.local_search cimport Selection, move, move_gain
from fastmatch._ext.matching.problem cimport Problem, weight_of

cdef double HOT = 0.25                # first temperature, in weights of an edge-pair; 0.4 found less in most families
cdef double COLD = 0.12               # last temperature
cdef double LEAST = 1e-6              # by which a map must be better to be kept, in the same unit
cdef enum:
    FROM_ALL = 26                     # of 256 draws, so many are from all candidates
    DRAW_WORK = 8                     # visits that a draw counts as, since the candidate may lie anywhere in memory
    COOL_EVERY = 256                  # draws
    LOOK_EVERY = 1 << 17              # draws between two looks whether the work is to end
    SEED = 1


cdef inline bint accepted(double loss, double temperature, uint64_t *state) noexcept nogil:
    """True with a probability of (1 + x / 8) ** -8 for x = loss / temperature: exp(-x), but equal on every machine."""
    cdef double x = loss / temperature
    if x > 20.0:
        return False
    x = 1.0 + 0.125 * x
    x *= x
    x *= x
    x *= x
    return draw_unit(state) * x < 1.0


cdef int32_t propose(const Selection *s, uint64_t *state) noexcept nogil:
    """Draw a candidate to choose; -1 if the row that was drawn suggests none.

    Mostly a row is drawn: the candidate is at the other end of an edge-pair of the row's chosen one, or, if the row has
    none, any of the row's own.
    """
    cdef const Problem *p = s.problem
    cdef int32_t i, c, n
    if draw_below(state, 256) < FROM_ALL:
        return draw_below(state, p.n_candidates)
    i = draw_below(state, p.n_rows)
    c = s.in_row[i]
    if c < 0:
        n = p.row_start[i + 1] - p.row_start[i]
        return p.row_start[i] + draw_below(state, n) if n else -1
    n = p.half_start[c + 1] - p.half_start[c]
    return p.other[p.half_start[c] + draw_below(state, n)] if n else -1


cdef double typical_weight(const Problem *p) noexcept nogil:
    """The mean weight of the edge-pairs, 1 if there are none."""
    cdef double total = 0.0
    cdef int32_t h
    for h in range(p.n_halves):
        total += weight_of(p, h)
    return total / p.n_halves if p.n_halves and total > 0 else 1.0


cdef int64_t anneal(Selection *s, int64_t limit, int32_t *best, Watch *watch) noexcept nogil:
    """Move on from a map, with about ``limit`` visits of candidates and halves.

    Parameters
    ----------
    s : Selection
        The map to begin with. Receives the last one.
    limit : int64 > 0
    best : int32[n_rows]
        Receives the best map met: a candidate or -1 for each row.
    watch : Watch
        May end it before the limit.

    Returns
    -------
    The visits.
    """
    cdef const Problem *p = s.problem
    cdef uint64_t state = SEED
    cdef int64_t work = p.n_halves, draws = 0
    cdef int32_t c, fourth = -1
    cdef double delta, left, top = s.value, unit = typical_weight(p), temperature = HOT * unit
    memcpy(best, s.in_row, p.n_rows * sizeof(int32_t))
    while work < limit:
        draws += 1
        work += DRAW_WORK
        if draws % LOOK_EVERY == 0 and look(watch):
            break
        if draws % COOL_EVERY == 0:
            left = 1.0 - <double> work / limit
            temperature = unit * (COLD + (HOT - COLD) * left * left)
        c = propose(s, &state)
        if c < 0 or has_bit(s.chosen, c):
            continue
        delta = move_gain(s, c, &fourth)
        if delta < 0 and not accepted(-delta, temperature, &state):
            continue
        work += move(s, c, fourth, delta)
        if s.value > top + unit * LEAST:
            top = s.value
            memcpy(best, s.in_row, p.n_rows * sizeof(int32_t))
            work += p.n_rows // 4
    return work
