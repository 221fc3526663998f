"""Lower bounds: the value of a map of variables, and a local search for better maps.

The moves are Smatch's: map a variable to another one, or exchange the images of two variables. Each move that improves
the map is made at once. Only candidates (see problem.pyx) are tried, so a sweep costs about as much as reading the
problem.

Simulated annealing finds a better map where local search finds none, and the bounds do not show where one might be.
The moves are the same, but a candidate is drawn at random, and a move that lowers the value by x is
made with a probability of about exp(-x / temperature). The temperature falls from the first move to the last
(Kirkpatrick, Gelatt and Vecchi 1983). Most candidates are drawn from the other ends of the edge-pairs of chosen ones:
where two relations could match and do not, such a move makes them match. So a map of 435 triples was found for two
trees of 250 equal variables in 0.1 s. Drawing from all candidates alike needed ten times as long for 417.

The sequence of random numbers is always the same, and so is the result.
"""

from libc.stdint cimport int32_t, int64_t, uint64_t
from libc.string cimport memcpy, memset

from fastmatch._ext.base.arena cimport PADDING, Arena, doubles, ints, take
from fastmatch._ext.base.bits cimport bits_size, has_bit, set_bit
from fastmatch._ext.base.random cimport draw_below, draw_unit
from fastmatch._ext.base.watch cimport Watch, look
from fastmatch._ext.matching.problem cimport Problem, col_at, find_candidate, joint_gain, row_at, unary_gain, weight_of

cdef double IMPROVES = 1e-6           # a move must improve the value by more than this
cdef int64_t LOOK = 200_000           # visits between two looks whether the work is to end
cdef int32_t PART = 200_000           # candidates of a sweep after which it may look, and end beyond its limit
# Of more than MANY candidates, with less than HALVES halves each, supports are added up when they are needed: they
# would be a sixth of all memory of the search.
cdef int32_t MANY = 500_000
cdef int32_t HALVES = 2

# Of annealing.
cdef double HOT = 0.25                # first temperature, in weights of an edge-pair; 0.4 found less in most families
cdef double COLD = 0.12               # last temperature
cdef double LEAST = 1e-6              # by which a map must be better to be kept, in the same unit
cdef enum:
    FROM_ALL = 26                     # of 256 draws, so many are from all candidates
    DRAW_WORK = 8                     # visits that a draw counts as, since the candidate may lie anywhere in memory
    COOL_EVERY = 256                  # draws
    LOOK_EVERY = 1 << 17              # draws between two looks whether the work is to end
    SEED = 1


cdef size_t selection_size(const Problem *problem) noexcept nogil:
    """Bytes that :func:`selection_init` takes from an arena."""
    return (bits_size(problem.n_candidates) + (<size_t> problem.n_candidates + problem.n_rows) * sizeof(double)
            + (<size_t> problem.n_rows + problem.n_cols) * sizeof(int32_t) + 5 * PADDING)


cdef void selection_init(Arena *arena, Selection *selection, const Problem *problem) noexcept nogil:
    selection.problem = problem
    selection.chosen = <uint64_t *> take(arena, bits_size(problem.n_candidates))
    selection.support = doubles(arena, problem.n_candidates)
    selection.of_row = doubles(arena, problem.n_rows)
    if problem.n_candidates > MANY and problem.n_halves < HALVES * <int64_t> problem.n_candidates:
        selection.support = NULL
    selection.in_row = ints(arena, problem.n_rows)
    selection.in_col = ints(arena, problem.n_cols)


cdef double add_up(const Selection *s, int32_t c) noexcept nogil:
    """The support of a candidate, from what is chosen."""
    cdef const Problem *p = s.problem
    cdef int32_t h
    cdef double support = unary_gain(p, c)
    for h in range(p.half_start[c], p.half_start[c + 1]):
        if has_bit(s.chosen, p.other[h]):
            support += weight_of(p, h)
    return support


cdef inline double support_of(const Selection *s, int32_t c) noexcept nogil:
    if s.support != NULL:
        return s.support[c]
    return s.of_row[row_at(s.problem, c)] if has_bit(s.chosen, c) else add_up(s, c)


cdef void select(Selection *s, const int32_t *row_match) noexcept nogil:
    """Choose ``row_match[i]``, a candidate or -1, in each row ``i``; fills the other fields."""
    cdef const Problem *p = s.problem
    cdef int32_t i, c
    memset(s.chosen, 0, bits_size(p.n_candidates))
    memset(s.in_col, 0xFF, p.n_cols * sizeof(int32_t))       # -1
    for i in range(p.n_rows):
        c = row_match[i]
        s.in_row[i] = c
        if c >= 0:
            set_bit(s.chosen, c, True)
            s.in_col[col_at(p, c)] = c
    if s.support != NULL:
        for c in range(p.n_candidates):
            s.support[c] = add_up(s, c)
    s.value = 0.0
    for i in range(p.n_rows):
        c = s.in_row[i]
        if c >= 0:
            if s.support == NULL:
                s.of_row[i] = add_up(s, c)
            s.value += 0.5 * (support_of(s, c) + unary_gain(p, c))


cdef double map_value(const Problem *p, const int32_t *row_match) noexcept nogil:
    """The value of the map with candidate ``row_match[i]`` or none (-1) in row ``i``, added up as in :func:`select`."""
    cdef int32_t i, c, d, h
    cdef double support, total = 0.0
    for i in range(p.n_rows):
        c = row_match[i]
        if c < 0:
            continue
        support = unary_gain(p, c)
        for h in range(p.half_start[c], p.half_start[c + 1]):
            d = p.other[h]
            if row_match[row_at(p, d)] == d:
                support += weight_of(p, h)
        total += 0.5 * (support + unary_gain(p, c))
    return total


cdef double columns_value(const Problem *p, const int32_t *columns) noexcept nogil:
    """The value of the map with column ``columns[i]`` or none (-1) for row ``i``."""
    cdef int32_t c, d, h
    cdef double total = 0.0
    for c in range(p.n_candidates):
        if columns[row_at(p, c)] == col_at(p, c):
            total += unary_gain(p, c)
            for h in range(p.half_start[c], p.half_start[c + 1]):
                d = p.other[h]
                if d > c and columns[row_at(p, d)] == col_at(p, d):
                    total += weight_of(p, h)
    return total


cdef int32_t put(Selection *s, int32_t c, bint chosen) noexcept nogil:
    """Choose a candidate, or choose it no more; returns the number of its halves."""
    cdef const Problem *p = s.problem
    cdef int32_t h
    cdef double sign = 1.0 if chosen else -1.0
    if s.support == NULL and chosen:
        s.of_row[row_at(p, c)] = add_up(s, c)
    set_bit(s.chosen, c, chosen)
    s.in_row[row_at(p, c)] = c if chosen else -1
    s.in_col[col_at(p, c)] = c if chosen else -1
    for h in range(p.half_start[c], p.half_start[c + 1]):
        if s.support != NULL:
            s.support[p.other[h]] += sign * weight_of(p, h)
        elif has_bit(s.chosen, p.other[h]):
            s.of_row[row_at(p, p.other[h])] += sign * weight_of(p, h)
    return p.half_start[c + 1] - p.half_start[c]


cdef double move_gain(const Selection *s, int32_t c, int32_t *fourth) noexcept nogil:
    """What choosing ``c`` adds to the value, if what has its row and its column is chosen no more.

    ``fourth`` receives the candidate of the displaced row and the displaced column, or -1. It is chosen then, too.
    """
    cdef const Problem *p = s.problem
    cdef int32_t in_row = s.in_row[row_at(p, c)], in_col = s.in_col[col_at(p, c)]
    cdef double delta = support_of(s, c)
    fourth[0] = -1
    if in_row >= 0:
        delta -= support_of(s, in_row)
    if in_col >= 0:
        delta -= support_of(s, in_col)
        if in_row >= 0:
            # Both supports hold the weight of their edge-pair.
            if p.half_start[in_row] < p.half_start[in_row + 1]:
                delta += joint_gain(p, in_row, in_col)
            fourth[0] = find_candidate(p, row_at(p, in_col), col_at(p, in_row))
            if fourth[0] >= 0:
                delta += support_of(s, fourth[0]) + joint_gain(p, fourth[0], c)
    return delta


cdef int32_t move(Selection *s, int32_t c, int32_t fourth, double delta) noexcept nogil:
    """Make the move of :func:`move_gain`; returns the halves that were visited."""
    cdef int32_t in_row = s.in_row[row_at(s.problem, c)], in_col = s.in_col[col_at(s.problem, c)], visits = 0
    if in_row >= 0:
        visits += put(s, in_row, False)
    if in_col >= 0:
        visits += put(s, in_col, False)
    visits += put(s, c, True)
    if fourth >= 0:
        visits += put(s, fourth, True)
    s.value += delta
    return visits


cdef int64_t improve(Selection *s, const int32_t *some, int32_t n_some, int64_t limit, Watch *watch) noexcept nogil:
    """Make improving moves until there is none, or until more than ``limit`` candidates and halves were visited.

    Only moves to the candidates ``some`` [n_some] are tried, or to all if it is NULL. A watch that has its reason may
    end it before.

    It ends without a limit, too, since each move raises the value, which is bounded. Returns the visits.
    """
    cdef const Problem *p = s.problem
    cdef int32_t c, k, part, stop, n = p.n_candidates if some == NULL else n_some, fourth = -1
    cdef int32_t last = n             # where the last move was: what a sweep met after it is as it was
    cdef double delta
    cdef int64_t work = 0, pause = LOOK
    cdef bint again = True
    while again:
        again = False
        part = 0
        while part < n:
            if work > pause:
                pause = work + LOOK
                if (work > limit and n > PART) or look(watch):
                    return work
            stop = min(n, part + PART)
            work += stop - part
            if some == NULL and s.support == NULL:    # a sum for each, in memory that is nowhere near
                work += stop - part + p.half_start[stop] - p.half_start[part]
            for k in range(part, stop):
                if k > last and not again:
                    break
                c = k if some == NULL else some[k]
                if has_bit(s.chosen, c):
                    continue
                delta = move_gain(s, c, &fourth)
                if delta > IMPROVES:
                    work += move(s, c, fourth, delta)
                    again, last = True, k
                    if work > limit:
                        return work
            part = stop
    return work


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
