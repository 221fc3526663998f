"""Better maps of large problems, one block after the other (large neighbourhood search).

exact.pyx describes the search and defines its terms. A *block* is a set of rows, with the columns that they have in the
best map and those that no row has. All other rows stay as they are in the best map. What is left is a smaller matching
problem. It has the candidates of the block that narrow rounds see. The weights of edge-pairs with chosen candidates
outside are a part of their unary gains. The ordinary search solves it, often to the end, since its gap is small.

Blocks are put where the gap is. The sum of all prices exceeds the value of the best map by the *losses* of the rows,
and by the prices of columns that no row has. The loss of a row is its price and that of its column, less the unary gain
of its chosen candidate, and less the profits of this candidate's halves whose other ends are chosen.

A block begins with the row of the largest loss. It grows by the rows that may have to change along with a row: those
that have the columns of its candidates with small reduced costs, those at the other ends of these candidates' halves,
and those that have the columns at the other ends. A row that was in a block begins no other in the same pass.
"""

from libc.stdint cimport int32_t, int64_t
from libc.string cimport memset

from fastmatch._ext.base.arena cimport Arena, arena_reserve, doubles, ints, padded
from fastmatch._ext.base.search cimport lower_bound
from fastmatch._ext.base.status cimport FINE, NO_MEMORY
from fastmatch._ext.matching.problem cimport (
    Problem, col_at, end_col, end_row, find_candidate, problem_init, problem_size, row_at, unary_gain, weight_of,
)
from fastmatch._ext.matching.relaxation cimport Relaxation, gain_of, own_gain, profit_of
from fastmatch._ext.matching.solver cimport Limits, Solver, out_of_limits

# A block grows by SPREAD rows at most from one row, so that the root of a document, which has a relation to every
# sentence, does not fill it.
cdef int32_t SPREAD = 60
cdef double LEAST_PROFIT = 0.05       # of a half whose other end may have to change along
cdef double LEAST_LOSS = 0.1          # of a row that a block begins with
cdef double SCALE = 0.3               # length of the first steps
cdef int64_t ROW_WORK = 13_000        # visits that a block may take, for each of its rows


cdef struct Blocks:
    const Relaxation *x
    int32_t *in_row                   # [n_rows] the best map: candidate or -1
    int32_t *in_col                   # [n_cols] the same
    double *loss                      # [n_rows] less than 0: was in a block of this pass
    int32_t *row_place                # [n_rows] number of a row in the block, or -1
    int32_t *col_place                # [n_cols] the same for columns
    int32_t *row                      # [n_rows] rows of the block
    int32_t *col                      # [n_cols] its columns
    int32_t *best                     # [n_rows] the map of the block, in its numbers: column or -1
    int32_t n_rows
    int32_t n_cols
    double cost                       # blocks grow over candidates of reduced costs up to this


cdef size_t blocks_size(const Problem *p) noexcept nogil:
    return (4 * padded(p.n_rows * sizeof(int32_t)) + 3 * padded(p.n_cols * sizeof(int32_t))
            + padded(p.n_rows * sizeof(double)))


cdef void blocks_init(Arena *arena, Blocks *b, const Relaxation *x, const int32_t *best) noexcept nogil:
    """Take over the best map, and find the losses of its rows."""
    cdef const Problem *p = x.problem
    cdef int32_t i, c, d, h
    b.x = x
    b.in_row, b.row_place, b.row = ints(arena, p.n_rows), ints(arena, p.n_rows), ints(arena, p.n_rows)
    b.best = ints(arena, p.n_rows)
    b.in_col, b.col_place, b.col = ints(arena, p.n_cols), ints(arena, p.n_cols), ints(arena, p.n_cols)
    b.loss = doubles(arena, p.n_rows)
    memset(b.in_col, 0xFF, p.n_cols * sizeof(int32_t))                # -1
    memset(b.row_place, 0xFF, p.n_rows * sizeof(int32_t))
    memset(b.col_place, 0xFF, p.n_cols * sizeof(int32_t))
    for i in range(p.n_rows):
        c = find_candidate(p, i, best[i]) if best[i] >= 0 else -1
        b.in_row[i] = c
        if c >= 0:
            b.in_col[best[i]] = c
    for i in range(p.n_rows):
        b.loss[i] = x.matching.alpha[i]
        c = b.in_row[i]
        if c < 0:
            continue
        b.loss[i] += x.matching.beta[col_at(p, c)] - own_gain(x, c)
        for h in range(p.half_start[c], p.half_start[c + 1]):
            d = p.other[h]
            if b.in_row[row_at(p, d)] == d:
                b.loss[i] -= profit_of(x, h)


cdef inline void add_row(Blocks *b, int32_t i) noexcept nogil:
    if b.row_place[i] < 0:
        b.row_place[i] = 0
        b.row[b.n_rows] = i
        b.n_rows += 1


cdef inline void add_owner(Blocks *b, int32_t j, int32_t limit) noexcept nogil:
    """Add the row that has column ``j``."""
    if b.in_col[j] >= 0 and b.n_rows < limit:
        add_row(b, row_at(b.x.problem, b.in_col[j]))


cdef int32_t number_places(int32_t *place, int32_t n, int32_t *list) noexcept nogil:
    """Number and list, in order, what has a place that is not below 0; how many these are."""
    cdef int32_t k, count = 0
    for k in range(n):
        if place[k] >= 0:
            place[k] = count
            list[count] = k
            count += 1
    return count


cdef void grow(Blocks *b, int32_t first, int32_t most) noexcept nogil:
    """Find the rows of the block that begins with row ``first``, ``most`` at most, in order of their numbers."""
    cdef const Relaxation *x = b.x
    cdef const Problem *p = x.problem
    cdef int32_t done = 0, i, k, c, h, limit
    b.n_rows = 0
    add_row(b, first)
    while done < b.n_rows < most:
        i = b.row[done]
        done += 1
        limit = min(most, b.n_rows + SPREAD)
        for k in range(x.core_row_start[i], x.core_row_start[i + 1]):
            c = x.core[k]
            if b.n_rows >= limit:
                break
            if x.matching.alpha[i] + x.matching.beta[col_at(p, c)] - gain_of(x, c) > b.cost:
                continue
            add_owner(b, col_at(p, c), limit)
            for h in range(p.half_start[c], p.half_start[c + 1]):
                if b.n_rows >= limit:
                    break
                if profit_of(x, h) > LEAST_PROFIT:
                    add_row(b, end_row(p, h))
                    add_owner(b, end_col(p, h), limit)
    b.n_rows = number_places(b.row_place, p.n_rows, b.row)
    for k in range(b.n_rows):
        b.loss[b.row[k]] = -1.0


cdef inline int32_t next_candidate(const Blocks *b, int32_t i, int32_t *k, bint *pending) noexcept nogil:
    """The next candidate of row ``i`` of the block, -1 after the last: those of the core, and the chosen one.

    ``k`` is the next place in the core; ``pending``: the chosen one is still to come.
    """
    cdef const Relaxation *x = b.x
    cdef int32_t chosen = b.in_row[i], c, owner
    while True:
        c = x.core[k[0]] if k[0] < x.core_row_start[i + 1] else -1
        if pending[0] and chosen >= 0 and (c < 0 or chosen <= c):
            pending[0] = False
            k[0] += c == chosen
            return chosen
        if c < 0:
            return -1
        k[0] += 1
        owner = b.in_col[col_at(x.problem, c)]
        if owner < 0 or b.row_place[row_at(x.problem, owner)] >= 0:
            return c


cdef inline int32_t place_of(const int32_t *values, int32_t start, int32_t stop, int32_t value) noexcept nogil:
    """Place of ``value`` in the sorted values[start:stop], or -1."""
    cdef int32_t k = <int32_t> lower_bound(values, start, stop, value)
    return k if k < stop and values[k] == value else -1


cdef int build_block(Blocks *b, Arena *arena, Problem *block, double **profit) noexcept nogil:
    """Build the problem of the block in ``arena``, with the profits of its halves. Returns FINE or NO_MEMORY."""
    cdef const Relaxation *x = b.x
    cdef const Problem *p = x.problem
    cdef int32_t c, d, e, h, i, k, r, n_candidates = 0, n_halves = 0
    cdef bint pending
    cdef int32_t *candidate           # of the whole problem, for each of the block
    cdef int32_t *half                # the same
    for r in range(b.n_rows):
        i = b.row[r]
        k, pending = x.core_row_start[i], True
        while True:
            c = next_candidate(b, i, &k, &pending)
            if c < 0:
                break
            n_candidates += 1
            n_halves += p.half_start[c + 1] - p.half_start[c]
            b.col_place[col_at(p, c)] = 0
    b.n_cols = number_places(b.col_place, p.n_cols, b.col)
    if arena_reserve(arena, problem_size(b.n_rows, n_candidates, n_halves) + padded(n_halves * sizeof(double))
                     + padded(n_candidates * sizeof(int32_t)) + padded(n_halves * sizeof(int32_t))) < 0:
        return NO_MEMORY
    problem_init(arena, block, b.n_rows, b.n_cols, n_candidates, n_halves)
    profit[0] = doubles(arena, n_halves)
    candidate = ints(arena, n_candidates)
    half = ints(arena, n_halves)
    n_candidates = n_halves = 0
    for r in range(b.n_rows):
        block.row_start[r] = n_candidates
        i = b.row[r]
        k, pending = x.core_row_start[i], True
        while True:
            c = next_candidate(b, i, &k, &pending)
            if c < 0:
                break
            candidate[n_candidates] = c
            block.row[n_candidates] = r
            block.col[n_candidates] = b.col_place[col_at(p, c)]
            n_candidates += 1
    block.row_start[b.n_rows] = n_candidates
    for c in range(n_candidates):
        block.half_start[c] = n_halves
        block.unary[c] = unary_gain(p, candidate[c])
        for h in range(p.half_start[candidate[c]], p.half_start[candidate[c] + 1]):
            d = p.other[h]
            r = b.row_place[row_at(p, d)]
            if r < 0:
                if b.in_row[row_at(p, d)] == d:
                    block.unary[c] += weight_of(p, h)
                continue
            e = place_of(candidate, block.row_start[r], block.row_start[r + 1], d)
            if e >= 0:
                block.other[n_halves] = e
                block.weight[n_halves] = weight_of(p, h)
                profit[0][n_halves] = profit_of(x, h)
                half[n_halves] = h
                n_halves += 1
    block.half_start[n_candidates] = n_halves
    for h in range(n_halves):
        e = block.other[h]
        block.mate[h] = place_of(half, block.half_start[e], block.half_start[e + 1], p.mate[half[h]])
    block.n_candidates, block.n_halves = n_candidates, n_halves
    return FINE


cdef double block_value(const Problem *block, const int32_t *best) noexcept nogil:
    """The value of the map of the block with column ``best[r]`` or none (-1) for row ``r``."""
    cdef int32_t c, d, h
    cdef double total = 0.0
    for c in range(block.n_candidates):
        if best[block.row[c]] == block.col[c]:
            total += block.unary[c]
            for h in range(block.half_start[c], block.half_start[c + 1]):
                d = block.other[h]
                if best[block.row[d]] == block.col[d]:
                    total += 0.5 * block.weight[h]
    return total


cdef void keep_block(Blocks *b, int32_t *best) noexcept nogil:
    """Take over the map of the block into the best map."""
    cdef const Problem *p = b.x.problem
    cdef int32_t r, c
    for r in range(b.n_rows):
        c = b.in_row[b.row[r]]
        if c >= 0:
            b.in_col[col_at(p, c)] = -1
    for r in range(b.n_rows):
        c = -1
        if b.best[r] >= 0:
            c = find_candidate(p, b.row[r], b.col[b.best[r]])
            b.in_col[col_at(p, c)] = c
        b.in_row[b.row[r]] = c
        best[b.row[r]] = col_at(p, c) if c >= 0 else -1


cdef void search_block(Blocks *b, Solver *s) noexcept nogil:
    """Search the block that has been found, and take over its map if that is better."""
    cdef Problem block
    cdef double *profit
    cdef Limits limits = s.limits
    cdef int32_t *best = s.best
    cdef int32_t r, c
    cdef int64_t next_annealing = s.next_annealing
    if build_block(b, &s.problems[0], &block, &profit) != FINE:
        s.stopped = s.no_memory = True
        return
    s.work += 2 * (<int64_t> block.n_candidates + block.n_halves) + b.x.problem.n_rows + b.x.problem.n_cols
    for r in range(b.n_rows):
        c = b.in_row[b.row[r]]
        b.best[r] = b.col_place[col_at(b.x.problem, c)] if c >= 0 else -1
    # The search sees the block alone, as if it were a part of a smaller pair.
    cdef double value = block_value(&block, b.best)
    s.outside = s.lower - value
    s.lower, s.best = value, b.best
    s.limits.large, s.limits.branching = False, -1
    s.limits.work = min(limits.work, s.work + ROW_WORK * b.n_rows)
    s.next_annealing = (<int64_t> 1) << 62
    s.aside = True
    s.search(s, 1, &block, profit, SCALE, 0)
    s.aside = False
    if s.work <= limits.work and not (s.no_memory or s.watch.over):
        s.stopped = False
    if s.lower > value:
        keep_block(b, best)
    s.lower += s.outside
    s.outside = 0.0
    s.limits, s.best, s.next_annealing = limits, best, next_annealing


cdef void search_blocks(Solver *s, const Relaxation *x, int32_t most, double cost, int64_t work) noexcept nogil:
    """One pass over the best map. It must be a map of the first node ``x``, whose last round was a narrow one.

    Parameters
    ----------
    most : int32 > 0
        Rows of a block.
    cost : double > 0
        A block grows over candidates of reduced costs up to this. Other costs give other blocks.
    work : int64
        Visits after which no other block begins.
    """
    cdef const Problem *p = x.problem
    cdef Blocks b
    cdef int32_t i, r, first
    cdef int64_t until = s.work + work
    if arena_reserve(&s.blocks, blocks_size(p)) < 0:
        s.stopped = s.no_memory = True
        return
    blocks_init(&s.blocks, &b, x, s.best)
    b.cost = cost
    s.work += x.n_core
    while s.work < until and not out_of_limits(s):
        first = 0
        for i in range(p.n_rows):
            if b.loss[i] > b.loss[first]:
                first = i
        if b.loss[first] < LEAST_LOSS:
            break
        grow(&b, first, most)
        search_block(&b, s)
        for r in range(b.n_rows):
            b.row_place[b.row[r]] = -1
        for r in range(b.n_cols):
            b.col_place[b.col[r]] = -1
