"""Sparse linear assignment by shortest augmenting paths, with optimal prices.

The problem: choose *entries* (i, j), at most one in each row and column, so that the sum of their gains is largest.
Rows and columns may stay free, so a path may also end by freeing the row that it would displace.

The *prices* alpha[i] >= 0 of rows and beta[j] >= 0 of columns are the dual solution: alpha[i] + beta[j] >= gain of
every entry, with equality for chosen ones, and free rows and columns have price 0. So the sum of the prices is the
optimum, and the *reduced cost* alpha[i] + beta[j] - gain is the least that forcing an entry into the assignment costs.

When some gains have changed, :func:`reassign` keeps the prices and choices that still hold. Free rows and free columns
with a price above 0 are then starts of paths. One routine searches from rows and from columns; the two differ only in
the arrays that it is given, a :class:`Side`.

The entries that are visited are counted, since the work grows with the cube of the lines in the worst case. Both give
up when their caller's limit is reached, or when the work is to end for another reason. The choice is then a real one,
but the prices prove nothing.
"""

from libc.math cimport INFINITY, fabs
from libc.stdint cimport INT64_MAX, int32_t, int64_t, uint8_t, uint16_t
from libc.string cimport memset

from fastmatch._ext.base.arena cimport PADDING, Arena, doubles, ints, take
from fastmatch._ext.base.watch cimport look

cdef double TIGHT = 1e-10             # an entry whose reduced cost is at most this stays chosen
cdef int64_t LOOK = 1_000_000         # visits between two looks whether the work is to end


cdef size_t assignment_size(int32_t n_rows, int32_t n_cols) noexcept nogil:
    """Bytes that :func:`assignment_init` takes from an arena."""
    return ((<size_t> n_rows + n_cols) * (sizeof(double) + 2 * sizeof(int32_t))
            + max(n_rows, n_cols) * (sizeof(Line) + sizeof(Reached) + sizeof(int32_t)) + 9 * PADDING)


cdef void assignment_init(Arena *arena, Assignment *lap, int32_t n_rows, int32_t n_cols) noexcept nogil:
    cdef int32_t k, longest = max(n_rows, n_cols)
    lap.n_rows, lap.n_cols = n_rows, n_cols
    lap.work = 0
    lap.limit = INT64_MAX
    lap.watch = NULL
    lap.alpha = doubles(arena, n_rows)
    lap.beta = doubles(arena, n_cols)
    lap.row_match = ints(arena, n_rows)
    lap.col_match = ints(arena, n_cols)
    lap.row_partner = ints(arena, n_rows)
    lap.col_partner = ints(arena, n_cols)
    lap.line = <Line *> take(arena, longest * sizeof(Line))
    lap.heap = <Reached *> take(arena, longest * sizeof(Reached))
    lap.tree = ints(arena, longest)
    for k in range(longest):
        lap.line[k] = Line(INFINITY, -1, -1)


cdef void assignment_bind(Assignment *lap, const int32_t *row_start, const int32_t *row, const int32_t *col,
                          const double *gain) noexcept nogil:
    lap.row, lap.col, lap.gain = row, col, gain
    lap.rows.n = lap.n_rows
    lap.rows.start = row_start
    lap.rows.entry = NULL
    lap.rows.near, lap.rows.near_gain = col, gain
    lap.row_gain = NULL
    lap.rows.own, lap.rows.opposite = row, col
    lap.rows.own_price, lap.rows.opposite_price = lap.alpha, lap.beta
    lap.rows.own_match, lap.rows.opposite_match = lap.row_match, lap.col_match
    lap.rows.own_partner, lap.rows.opposite_partner = lap.row_partner, lap.col_partner


cdef void assignment_bind_short(Assignment *lap, const uint16_t *row, const uint16_t *col,
                                const float *gain) noexcept nogil:
    """Give rows and columns of the entries in two bytes each, and gains in four, where assignment_bind() got NULL."""
    lap.gain_float = gain
    lap.rows.near = NULL
    lap.rows.own_short = lap.cols.opposite_short = row
    lap.rows.opposite_short = lap.cols.own_short = col


cdef inline double gain_at(const Assignment *lap, int32_t c) noexcept nogil:
    return lap.gain[c] if lap.gain != NULL else lap.gain_float[c]


cdef inline int32_t own_line(const Side *side, int32_t c) noexcept nogil:
    return side.own[c] if side.own != NULL else side.own_short[c]


cdef inline int32_t opposite_line(const Side *side, int32_t c) noexcept nogil:
    return side.opposite[c] if side.opposite != NULL else side.opposite_short[c]


cdef void assignment_bind_cols(Assignment *lap, const int32_t *col_start, const int32_t *col_entry) noexcept nogil:
    """Give the entries grouped by column, which :func:`reassign` needs."""
    lap.cols.n = lap.n_cols
    lap.cols.start = col_start
    lap.cols.entry = col_entry
    lap.cols.near = NULL
    lap.cols.own, lap.cols.opposite = lap.col, lap.row
    lap.cols.own_price, lap.cols.opposite_price = lap.beta, lap.alpha
    lap.cols.own_match, lap.cols.opposite_match = lap.col_match, lap.row_match
    lap.cols.own_partner, lap.cols.opposite_partner = lap.col_partner, lap.row_partner


cdef void assignment_narrow(Assignment *lap, const int32_t *row_start, const int32_t *row_entry,
                            const int32_t *col_start, const int32_t *col_entry) noexcept nogil:
    """Let :func:`reassign` see only some of the entries, all chosen ones among them; NULL for ``row_entry``: all."""
    lap.rows.start, lap.rows.entry = row_start, row_entry
    lap.cols.start, lap.cols.entry = col_start, col_entry
    if row_entry == NULL and lap.col != NULL and lap.gain != NULL:
        lap.rows.near, lap.rows.near_gain = lap.col, lap.gain
    else:
        lap.rows.near = NULL
    lap.cols.near = lap.row_gain = NULL


cdef void assignment_gather(Assignment *lap, const int32_t *row_near, double *row_gain, const int32_t *col_near,
                            double *col_gain, const int32_t *col_place) noexcept nogil:
    """Give what the few entries of :func:`assignment_narrow` are, side by side.

    Of millions of candidates the gains of few lie far apart in memory, and each that a path looks at would be waited
    for.

    Parameters
    ----------
    row_near, row_gain, col_near, col_gain
        ``near`` and ``near_gain`` of either side. :func:`reassign` brings the gains of changed rows up to date.
    col_place : int32
        The place in ``col_near`` of each entry of ``row_near``.
    """
    lap.rows.near, lap.rows.near_gain, lap.row_gain = row_near, row_gain, row_gain
    lap.cols.near, lap.cols.near_gain, lap.col_gain = col_near, col_gain, col_gain
    lap.col_place = col_place


cdef inline void sift_up(Line *line, Reached *heap, int32_t position, Reached new) noexcept nogil:
    """Put a line where it belongs, from ``position`` on towards the nearest one."""
    cdef int32_t parent
    while position > 0:
        parent = (position - 1) >> 1
        if heap[parent].distance <= new.distance:
            break
        heap[position] = heap[parent]
        line[heap[position].j].place = position
        position = parent
    heap[position] = new
    line[new.j].place = position


cdef inline int32_t pop(Line *line, Reached *heap, int32_t size) noexcept nogil:
    """The nearest line; ``size`` others are left."""
    cdef int32_t first = heap[0].j, position = 0, child
    cdef Reached last = heap[size]
    line[first].place = -1
    if size == 0:
        return first
    while True:
        child = 2 * position + 1
        if child >= size:
            break
        if child + 1 < size and heap[child + 1].distance < heap[child].distance:
            child += 1
        if heap[child].distance >= last.distance:
            break
        heap[position] = heap[child]
        line[heap[position].j].place = position
        position = child
    heap[position] = last
    line[last.j].place = position
    return first


cdef void augment(Assignment *lap, const Side *side, int32_t start) noexcept nogil:
    """Assign the free line ``start``, or set its price to 0, whichever costs less (Dijkstra's algorithm)."""
    cdef int32_t r = start, end_own = start, end_opposite = -1, n_heap = 0, n_tree = 0, c, j, k, previous
    cdef double d = 0.0, end = side.own_price[start], length, price, most
    cdef int64_t visits = 0
    # Most of the time of large pairs goes to this loop: what it reads again and again is at hand.
    cdef const int32_t *first = side.start
    cdef const int32_t *entry = side.entry
    cdef const int32_t *near = side.near
    cdef const double *gain = side.near_gain
    cdef const double *opposite_price = side.opposite_price
    cdef Line *line = lap.line
    cdef Reached *heap = lap.heap
    while True:
        visits += first[r + 1] - first[r]
        price = side.own_price[r]
        for k in range(first[r], first[r + 1]):
            if near != NULL:
                j = near[k]
                length = price + opposite_price[j] - gain[k]
            else:
                c = entry[k] if entry != NULL else k
                j = opposite_line(side, c)
                length = price + opposite_price[j] - gain_at(lap, c)
            # Rounding must not shorten it. No processor foresees these comparisons, so there is one branch.
            length = d + 0.5 * (length + fabs(length))
            most = line[j].distance if line[j].distance < end else end
            if length < most:
                line[j].distance, line[j].via = length, k
                if line[j].place < 0:
                    line[j].place = n_heap
                    n_heap += 1
                sift_up(line, heap, line[j].place, Reached(length, j))
        if n_heap == 0 or heap[0].distance >= end:
            break
        n_heap -= 1
        j = pop(line, heap, n_heap)
        lap.tree[n_tree] = j
        n_tree += 1
        d = line[j].distance
        if side.opposite_match[j] < 0:
            end, end_opposite = d, j
            break
        r = side.opposite_partner[j]
        if d + side.own_price[r] < end:
            end, end_own = d + side.own_price[r], r
    lap.work += visits
    # Update the prices of all lines that are nearer than the end of the path.
    side.own_price[start] -= end
    for k in range(n_tree):
        j = lap.tree[k]
        if line[j].distance < end:
            side.opposite_price[j] += end - line[j].distance
            side.own_price[side.opposite_partner[j]] -= end - line[j].distance
        line[j].distance = INFINITY
    for k in range(n_heap):
        line[heap[k].j] = Line(INFINITY, -1, -1)
    # Exchange the chosen and the other entries along the path.
    if end_opposite < 0:
        side.own_price[end_own] = 0.0
        if end_own == start:
            return
        j = side.own_partner[end_own]
        side.own_match[end_own] = -1
    else:
        j = end_opposite
    while True:
        c = line[j].via if entry == NULL else entry[line[j].via]
        r = own_line(side, c)
        previous = side.own_partner[r]
        side.own_match[r], side.own_partner[r] = c, j
        side.opposite_match[j], side.opposite_partner[j] = c, r
        if r == start:
            return
        j = previous


cdef inline bint gives_up(Assignment *lap) noexcept nogil:
    """Whether the limit of work is reached, or the work is to end for another reason; from ``pause`` on."""
    lap.pause = min(lap.limit, lap.work + LOOK)
    return lap.work > lap.limit or (lap.watch != NULL and look(lap.watch))


cdef double price_sum(const Assignment *lap) noexcept nogil:
    cdef int32_t i
    cdef double total = 0.0
    for i in range(lap.n_rows):
        total += lap.alpha[i]
    for i in range(lap.n_cols):
        total += lap.beta[i]
    return total


cdef double assign(Assignment *lap) noexcept nogil:
    """Solve from scratch: fills prices and matches, returns the optimum (the sum of the prices).

    Returns INFINITY if it gives up; the rows that were not reached are then free.
    """
    cdef int32_t i, j, c, best
    cdef double value, top
    memset(lap.beta, 0, lap.n_cols * sizeof(double))
    memset(lap.col_match, 0xFF, lap.n_cols * sizeof(int32_t))     # -1
    memset(lap.row_match, 0xFF, lap.n_rows * sizeof(int32_t))
    lap.pause = min(lap.limit, lap.work + LOOK)
    lap.work += lap.rows.start[lap.n_rows]
    for i in range(lap.n_rows):
        if lap.work > lap.pause and gives_up(lap):
            return INFINITY
        top, best = 0.0, -1
        for c in range(lap.rows.start[i], lap.rows.start[i + 1]):
            value = gain_at(lap, c) - lap.beta[opposite_line(&lap.rows, c)]
            if value > top or (value == top and best >= 0 and lap.col_match[opposite_line(&lap.rows, best)] >= 0
                               and lap.col_match[opposite_line(&lap.rows, c)] < 0):
                top, best = value, c
        lap.alpha[i] = top
        if best < 0:
            continue
        if lap.col_match[opposite_line(&lap.rows, best)] < 0:
            j = opposite_line(&lap.rows, best)
            lap.row_match[i], lap.row_partner[i] = best, j
            lap.col_match[j], lap.col_partner[j] = best, i
        else:
            augment(lap, &lap.rows, i)
    return price_sum(lap)


cdef double reassign(Assignment *lap, const uint8_t *row_changed) noexcept nogil:
    """Solve again after gains have changed in the rows marked in ``row_changed`` [n_rows]; see :func:`assign`.

    Returns INFINITY if it gives up. It cannot go on from there, only :func:`assign` can.
    """
    cdef int32_t i, j, c, k
    cdef double value, top
    lap.pause = min(lap.limit, lap.work + LOOK)
    for i in range(lap.n_rows):
        if not row_changed[i]:
            continue
        lap.work += lap.rows.start[i + 1] - lap.rows.start[i]
        top = 0.0
        for k in range(lap.rows.start[i], lap.rows.start[i + 1]):
            c = k if lap.rows.entry == NULL else lap.rows.entry[k]
            value = gain_at(lap, c) - lap.beta[opposite_line(&lap.rows, c)]
            if lap.row_gain != NULL:
                lap.row_gain[k] = lap.col_gain[lap.col_place[k]] = gain_at(lap, c)
            if value > top:
                top = value
        lap.alpha[i] = top
        c = lap.row_match[i]
        if c >= 0 and gain_at(lap, c) - lap.beta[opposite_line(&lap.rows, c)] < top - TIGHT:
            lap.row_match[i] = -1
            lap.col_match[opposite_line(&lap.rows, c)] = -1
    for i in range(lap.n_rows):
        if lap.row_match[i] < 0 and lap.alpha[i] > 0:
            if lap.work > lap.pause and gives_up(lap):
                return INFINITY
            augment(lap, &lap.rows, i)
    for j in range(lap.n_cols):
        if lap.col_match[j] < 0 and lap.beta[j] > 0:
            if lap.work > lap.pause and gives_up(lap):
                return INFINITY
            augment(lap, &lap.cols, j)
    return price_sum(lap)
