"""Lower bounds: the value of a map of variables, and a local search for better maps.

The moves are Smatch's: map a variable to another one, or exchange the images of two variables. Each move that improves
the map is made at once. Only candidates (see problem.pyx) are tried, so a sweep costs about as much as reading the
problem.
"""

from libc.stdint cimport int32_t, int64_t, uint64_t
from libc.string cimport memset

from fastmatch._ext.base.arena cimport Arena, doubles, ints, padded, take
from fastmatch._ext.base.bits cimport bits_size, has_bit, set_bit
from fastmatch._ext.base.watch cimport Watch, look
from fastmatch._ext.matching.problem cimport Problem, col_at, find_candidate, joint_gain, row_at, unary_gain, weight_of

cdef double IMPROVES = 1e-6           # a move must improve the value by more than this
cdef int64_t LOOK = 200_000           # visits between two looks whether the work is to end
cdef int32_t PART = 200_000           # candidates of a sweep after which it may look, and end beyond its limit
# Of more than MANY candidates, with less than HALVES halves each, supports are added up when they are needed: they
# would be a sixth of all memory of the search.
cdef int32_t MANY = 500_000
cdef int32_t HALVES = 2


cdef size_t selection_size(const Problem *problem) noexcept nogil:
    """Bytes that :func:`selection_init` takes from an arena."""
    return (padded(bits_size(problem.n_candidates)) + padded(problem.n_candidates * sizeof(double))
            + padded(problem.n_rows * sizeof(double))
            + padded(problem.n_rows * sizeof(int32_t)) + padded(problem.n_cols * sizeof(int32_t)))


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
    for i in range(p.n_cols):
        s.in_col[i] = -1
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
