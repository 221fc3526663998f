"""The search of the whole problem of documents of thousands of variables, which has 500,000 candidates or more, and of
graphs that share little.

exact.pyx describes the search and defines its terms. There, some rounds have all candidates of a node. An assignment of
millions of candidates takes seconds, so here none has. Of documents that share little, such rounds even raise the bound
again, since the core that they leave for the rounds between them is too small. Sweeps of dual ascent (ascent.pyx) lower
the bound first, with prices from assignments of a core that grows by what exceeds its prices. Narrow rounds with this
core follow, and the searches for better maps see nothing else.

Better maps are found block by block, a large neighbourhood search, and by fusion (Hutschenreiter et al. 2021): another
map is improved in the same way, then a map is searched that has the best of both. Of two documents of 5,000 variables
the best map rose so from 7320 triples to 7415, 7440 and 7448 in three reviews.

A *block* is a set of rows, with the columns that they have in the
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

from libc.math cimport INFINITY
from libc.stdint cimport int32_t, int64_t, uint8_t, uint16_t
from libc.string cimport memcpy, memset

from fastmatch._ext.base.arena cimport PADDING, Arena, arena_reserve, doubles, ints
from fastmatch._ext.base.search cimport lower_bound
from fastmatch._ext.base.status cimport FINE, NO_MEMORY
from fastmatch._ext.matching.ascent cimport ascend_by_prices, begin_ascent, first_prices
from fastmatch._ext.matching.local_search cimport Selection, columns_value, select
from fastmatch._ext.matching.problem cimport (
    Problem, col_at, end_col, end_row, find_candidate, problem_init, row_at, unary_gain, unlimited, weight_of,
)
from fastmatch._ext.matching.relaxation cimport (
    Relaxation, Slack, gain_of, narrow_bound, own_gain, profit_of, raise_prices, relaxation_step, relaxation_work,
    settle_prices,
)
from fastmatch._ext.matching.solver cimport (
    Limits, Solver, aim, go_on, hopeless, improve_choice, note_choice, offer, out_of_limits, search_core, seek,
    shrinkable, stuck,
)

cdef int FIRST_SWEEPS = 4
cdef int PHASES = 4                   # of SWEEPS sweeps and an assignment each, at most
cdef int SWEEPS = 6
cdef int64_t SWEPT = 130_000_000      # candidates and halves that all sweeps look at, about: half of the work
# Of what is left of the work after the sweeps, so much is spent if there are more than FAR_FROM candidates: what a
# round or a block visits lies far apart in memory, and takes half as long again as what a sweep visits in order.
cdef double AFTER_SWEEPS = 0.7
cdef int32_t FAR_FROM = 500_000
cdef int SETTLE_EVERY = 10            # rounds
cdef int IMPROVE_EVERY = 30
# Better maps are looked for after FIRST_REVIEW rounds, then every REVIEW_EVERY rounds, and after each review that found
# none, after twice as many as before it.
cdef int FIRST_REVIEW = 150
cdef int REVIEW_EVERY = 75
cdef int SHORTER_EVERY = 30
# A search whose gap is above DISTANT, a share of the bound, may end before the first review, or even before the first
# round. So whenever its map is improved, and once between the sweeps, a pass over small blocks follows: it takes a
# hundredth of the work. Of unrelated documents of 4,500 variables it raised the best map from 5029 triples to 5343.
cdef double DISTANT = 0.1
cdef int32_t SMALL_ROWS = 150
cdef int64_t SMALL_WORK = 30_000_000
# Lengths (scale) of the relaxation's steps: the first, the factor by which they get shorter, and the last.
cdef double SCALE = 0.25
cdef double SHORTER = 0.9
cdef double SHORTEST = 0.02
# Rows of the blocks in which better maps are looked for, and work after which no other block begins. Blocks of 150 rows
# are searched ten times as fast as those of 600, but gained half as much; those of 1,500 rows are not searched to the
# end and gained less in the second pass.
cdef int32_t BLOCK_ROWS = 600
cdef int64_t BLOCKS_WORK = 150_000_000
# Reduced costs over which blocks grow, in turns: the same blocks seldom find something twice. At the first review
# prices are rough.
cdef double[3] GROWN_COST = [0.3, 0.03, 0.1]
cdef int64_t FUSION_WORK = 20_000_000
cdef double FUSION_SCALE = 0.3        # length of the first steps
cdef int32_t MOST = 20                # candidates of a row that the core gets at first, and then at a time
cdef int32_t MORE = 4
cdef double ADDED_COST = 0.05
cdef double KEPT_COST = 0.5
# A block grows by SPREAD rows at most from one row, so that the root of a document, which has a relation to every
# sentence, does not fill it.
cdef int32_t SPREAD = 60
cdef double LEAST_PROFIT = 0.05       # of a half whose other end may have to change along
cdef double LEAST_LOSS = 0.1          # of a row that a block begins with
cdef double BLOCK_SCALE = 0.3         # length of the first steps
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


cdef int blocks_init(Arena *arena, Blocks *b, const Relaxation *x, const int32_t *best) noexcept nogil:
    """Take over the best map, and find the losses of its rows. Empties ``arena``; FINE or NO_MEMORY."""
    cdef const Problem *p = x.problem
    cdef int32_t i, c, d, h
    if arena_reserve(arena, p.n_rows * (sizeof(double) + 4 * sizeof(int32_t)) + 3 * p.n_cols * sizeof(int32_t)
                     + 8 * PADDING) < 0:
        return NO_MEMORY
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
        while (c := next_candidate(b, i, &k, &pending)) >= 0:
            n_candidates += 1
            n_halves += p.half_start[c + 1] - p.half_start[c]
            b.col_place[col_at(p, c)] = 0
    b.n_cols = number_places(b.col_place, p.n_cols, b.col)
    cdef size_t extra = n_halves * (sizeof(double) + sizeof(int32_t)) + n_candidates * sizeof(int32_t) + 3 * PADDING
    if problem_init(arena, block, b.n_rows, b.n_cols, n_candidates, n_halves, extra) != FINE:
        return NO_MEMORY
    profit[0] = doubles(arena, n_halves)
    candidate = ints(arena, n_candidates)
    half = ints(arena, n_halves)
    n_candidates = n_halves = 0
    for r in range(b.n_rows):
        block.row_start[r] = n_candidates
        i = b.row[r]
        k, pending = x.core_row_start[i], True
        while (c := next_candidate(b, i, &k, &pending)) >= 0:
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
            if (e := place_of(candidate, block.row_start[r], block.row_start[r + 1], d)) >= 0:
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
    cdef double value = columns_value(&block, b.best)
    s.outside = s.lower - value
    s.lower, s.best = value, b.best
    s.limits.large, s.limits.branching = False, -1
    s.limits.work = min(limits.work, s.work + ROW_WORK * b.n_rows)
    s.next_annealing = (<int64_t> 1) << 62
    s.aside = True
    s.search(s, 1, &block, profit, BLOCK_SCALE, 0)
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
    if blocks_init(&s.blocks, &b, x, s.best) != FINE:
        s.stopped = s.no_memory = True
        return
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


cdef bint pass_on(Solver *s, Relaxation *x) noexcept nogil:
    """Count the work of a wide search, and have it end if that is too much; False then."""
    s.work += relaxation_work(x)
    s.watch.bound = x.upper
    go_on(s, x.upper)
    return not (hopeless(s, x.upper) or out_of_limits(s))


cdef void fuse(Solver *s, const Relaxation *x, uint8_t *keep) noexcept nogil:
    """Combine ``s.other`` with the best map: search the candidates of both. Mostly it is done to the end, and soon."""
    cdef const Problem *p = x.problem
    cdef Limits limits = s.limits
    cdef int32_t c
    for c in range(p.n_candidates):
        keep[c] = s.best[row_at(p, c)] == col_at(p, c) or s.other[row_at(p, c)] == col_at(p, c)
    s.limits.branching = -1
    s.limits.work = min(limits.work, s.work + FUSION_WORK)
    s.aside = True
    s.descend(s, 0, x, keep, FUSION_SCALE, 0)
    s.aside = False
    if s.work <= limits.work and not (s.no_memory or s.watch.over):
        s.stopped = False
    s.limits = limits


cdef void renew(Solver *s, const Relaxation *x, Selection *selection, double cost, uint8_t *keep) noexcept nogil:
    """Make another map out of the last round, improve it block by block, and combine it with the best one.

    The best map is at some point one that no block improves. Another one gets to other places: of two documents of
    2,000 variables, passes over the best map ended at 2703 triples, and with another map before each pass 2709 were
    found.

    Parameters
    ----------
    cost : double
        See :func:`search_blocks`.
    keep : uint8[n_candidates]
        Scratch.
    """
    cdef const Problem *p = x.problem
    cdef double value = s.lower
    memcpy(s.other, s.best, p.n_rows * sizeof(int32_t))
    s.lower = -1.0
    select(selection, x.matching.row_match)
    s.work += p.n_candidates + p.n_halves
    improve_choice(s, selection, x.core, x.n_core)
    search_blocks(s, x, BLOCK_ROWS, cost, BLOCKS_WORK)
    if s.lower < value:
        s.best, s.other, s.lower = s.other, s.best, value
    if not out_of_limits(s):
        fuse(s, x, keep)


cdef inline bint distant(const Solver *s, const Relaxation *x) noexcept nogil:
    return x.problem.n_rows > SMALL_ROWS and x.upper - s.lower > DISTANT * x.upper


cdef void improve_round(Solver *s, const Relaxation *x, Selection *selection) noexcept nogil:
    """Improve the last choice by local search; if the gap is wide, the best map by small blocks, too."""
    select(selection, x.matching.row_match)
    s.work += x.problem.n_candidates + x.problem.n_halves
    improve_choice(s, selection, x.core, x.n_core)
    if distant(s, x):
        search_blocks(s, x, SMALL_ROWS, GROWN_COST[0], SMALL_WORK)


cdef bint sweep_first(Solver *s, Relaxation *x, Slack *slack, Selection *selection, double *upper) noexcept nogil:
    """Sweeps of dual ascent, and prices after some of them; whether the search goes on."""
    cdef const Problem *p = x.problem
    cdef int64_t sweeps = SWEPT // (<int64_t> p.n_candidates + p.n_halves)
    cdef int64_t before
    cdef int phase, k, phases = <int> min(<int64_t> PHASES, max(<int64_t> 0, (sweeps - FIRST_SWEEPS) // SWEEPS))
    begin_ascent(x, slack)
    first_prices(x, slack)
    for phase in range(phases + 1):
        for k in range(SWEEPS if phase else FIRST_SWEEPS):
            ascend_by_prices(x, slack, k & 1)
            upper[0] = x.upper
            if not pass_on(s, x):
                return False
        if not settle_prices(x, True, ADDED_COST, MOST, KEPT_COST, max(0, s.limits.work - s.work)):
            s.stopped = True
            return False
        if phase == 0 and distant(s, x):
            before = s.work
            improve_round(s, x, selection)
            if not unlimited(s.limits.work):          # so that the bound falls as far as without it
                s.limits.work += s.work - before
                s.limits.nearer += s.work - before
        if phase < phases:
            raise_prices(x)
    return True


cdef bint search_wide(Solver *s, Relaxation *x, Selection *selection, uint8_t *keep, double *presence,
                      double *upper) noexcept nogil:
    """Search the whole problem of documents of thousands of variables, or of graphs that share little.

    Parameters
    ----------
    keep : uint8[n_candidates]
        Scratch.
    presence : double[n_candidates]
        All 0. Receives how much recent rounds chose each candidate, if one block holds all rows.

    Returns
    -------
    Whether the search is over, with an upper bound in ``upper``. If not, rounds with all candidates may follow.
    """
    cdef const Problem *p = x.problem
    cdef double scale = SCALE, cost, before
    cdef int rounds = 0, reviews = 0, next_review = FIRST_REVIEW, wait = REVIEW_EVERY
    cdef int64_t left
    if not (sweep_first(s, x, x.state, selection, upper) if p.n_candidates > FAR_FROM else
            sweep_first(s, x, x.direction, selection, upper)):
        return True
    memset(x.state, 0, p.n_halves * sizeof(uint16_t))
    if p.n_candidates > FAR_FROM and not unlimited(s.limits.work) and pass_on(s, x):
        s.limits.work = s.work + <int64_t> (AFTER_SWEEPS * (s.limits.work - s.work))
        s.limits.nearer = s.work + <int64_t> (AFTER_SWEEPS * (s.limits.nearer - s.work))
    while pass_on(s, x):
        rounds += 1
        left = max(0, s.limits.work - s.work)
        narrow_bound(x, left)
        if x.bound == INFINITY or (rounds % SETTLE_EVERY == 0 and not settle_prices(
                x, False, ADDED_COST, MORE, KEPT_COST, left)):
            s.stopped = True          # given up: a search with more work would not meet this choice
            break
        s.work += x.n_core
        if p.n_rows <= BLOCK_ROWS:
            note_choice(x, False, presence)
        if rounds == 1 or rounds % IMPROVE_EVERY == 0:
            improve_round(s, x, selection)
            if s.work > s.next_check and stuck(s, x.upper):
                s.stopped = True
                break
        if rounds == next_review:
            before = s.lower
            seek(s, x.upper)
            cost = GROWN_COST[reviews % 3]
            reviews += 1
            if p.n_rows > BLOCK_ROWS:
                renew(s, x, selection, cost, keep)
            else:                     # one block holds all rows, whatever map it begins with
                search_core(s, 0, x, presence, 1.0, keep)
            search_blocks(s, x, BLOCK_ROWS, cost, BLOCKS_WORK)
            wait = REVIEW_EVERY if s.lower > before else 2 * wait
            next_review = rounds + wait
            raise_prices(x)
            if not s.stopped and shrinkable(s, x, keep):
                upper[0] = s.descend(s, 0, x, keep, scale, 0)
                return True
        if rounds % SHORTER_EVERY == 0:
            scale *= SHORTER
            if scale < SHORTEST:
                return False
        if not relaxation_step(x, scale, aim(s)):
            # The choice is worth the bound of the core, not always that of all candidates.
            select(selection, x.matching.row_match)
            offer(s, selection)
            return False
    upper[0] = x.upper
    return True
