"""Upper bounds: Lagrangian decomposition of the matching problem into one assignment and many small ones.

Candidates, edge-pairs, weights and halves are defined at the top of problem.pyx. The weight of every edge-pair is
*split* into two *profits* that sum to it, one for each of its halves. Then

* the *local problem* of a candidate is to choose, among its halves, those that are compatible and have the largest
  profits. It is a small assignment: the candidates at the other ends must differ in their rows and in their columns;
* the *global problem* is to choose candidates one-to-one, each with a gain of its unary gain plus its local optimum.

A solution of the matching problem is feasible for all of these at once. So the global optimum is an upper bound of the
matching problem, however the weights are split. With the best split, the bound is that of a tight linear relaxation
(Klau 2009, A new graph-based method for pairwise global network alignment). For meaning graphs it is nearly always a
whole number and the optimum.

Splits are improved by a subgradient method. A half that is used although its mate is not gives profit to its mate, by a
step of Polyak's length towards the best value known. Each direction is added to the earlier ones, which decay
(deflection, Camerini, Fratta and Maffioli 1975). Without deflection, documents of 300 variables needed three times the
rounds.

Few profits change from one round to the next. Local problems are solved again only for candidates whose profits
changed, and the global problem only for their rows.
"""

from libc.math cimport INFINITY, fabs
from libc.stdint cimport int32_t, int64_t, uint8_t, uint16_t, uint64_t
from libc.string cimport memset

from fastmatch._ext.base.ahead cimport fm_ask
from fastmatch._ext.base.arena cimport (
    PADDING, Arena, arena_reserve, doubles, ints, rest_in_small_pages, take, take_zeros,
)
from fastmatch._ext.base.best cimport offer
from fastmatch._ext.base.bits cimport bits_size, fm_first_bit, set_bit
from fastmatch._ext.base.status cimport FINE, NO_MEMORY
from fastmatch._ext.base.watch cimport Watch
from fastmatch._ext.matching.assignment cimport (
    assign, assignment_bind, assignment_bind_cols, assignment_bind_short, assignment_gather, assignment_init,
    assignment_narrow, assignment_size, price_sum, reassign,
)
from fastmatch._ext.matching.cuts cimport Cuts, remember
from fastmatch._ext.matching.problem cimport (
    Problem, col_at, end_col, end_row, group_by_line, row_at, unary_gain, weight_of,
)

cdef double DEFLECTION = 0.85         # factor of the earlier direction; 0.8 to 0.9 differ little
cdef double NEGLIGIBLE = 1e-3         # a component of the direction smaller than this becomes 0
cdef double MOST_PRICE = 16.0         # of a cut, where profits are whole multiples of 1 / GRAINS
cdef double CUT_STEP = 5.0            # steps of the prices of cuts are so many times as long as those of profits
cdef double CORE_COST = 0.3
# Assignments of a core that grows: at most TRIES, until the bound of all candidates is less than SETTLED above theirs.
# A candidate exceeds its prices if it does by more than EXCEEDS.
cdef enum:
    TRIES = 20
    MOST_ADDED = 32
    NEAR_SHARE = 4                    # a core of more than a fourth of the candidates is not copied: too much memory
# A local problem of more halves, as the centres of two stars have, is not solved: the largest profits of its rows are a
# bound.
cdef int32_t MOST_LOCAL = 1_000_000
cdef double SETTLED = 1.0
cdef double EXCEEDS = 1e-9


cdef int relaxation_init(Arena *arena, Relaxation *relaxation, const Problem *problem, Watch *watch,
                         size_t extra, bint fixed) noexcept nogil:
    """Set up in ``arena``, which is emptied first, with every weight split evenly.

    Parameters
    ----------
    watch : Watch
        Says whether a round is to end early.
    extra : size_t
        Bytes that stay free in the arena for the caller.
    fixed : bool
        Profits and gains are kept in half the memory: profits are rounded to whole multiples of 1 / GRAINS, gains up.
        Weights stand in bytes.

    Returns
    -------
    FINE or NO_MEMORY.
    """
    cdef int32_t n = problem.n_rows, m = problem.n_cols, n_candidates = problem.n_candidates
    cdef int32_t n_halves = problem.n_halves, c, h, degree = 0, near = n_candidates // NEAR_SHARE
    cdef Relaxation *x = relaxation
    for c in range(n_candidates):
        degree = max(degree, problem.half_start[c + 1] - problem.half_start[c])
    # No local problem has more rows or columns than the whole one, and large ones are not solved.
    cdef int32_t local_rows = min(degree, n), local_cols = min(degree, m)
    degree = min(degree, MOST_LOCAL)
    if arena_reserve(
        arena,
        extra + assignment_size(n, m) + assignment_size(local_rows, local_cols) + n + bits_size(n_candidates)
        + n_candidates * (sizeof(double) + 3 * sizeof(int32_t))
        + n_halves * (2 * sizeof(double) + 2 * sizeof(int32_t) + sizeof(uint16_t))
        + (n + 4 * <size_t> m + 2 * local_rows + 5) * sizeof(int32_t)
        + degree * (sizeof(double) + 3 * sizeof(int32_t)) + near * (2 * sizeof(double) + 3 * sizeof(int32_t))
        + 27 * PADDING,
    ) < 0:
        return NO_MEMORY
    x.problem = problem
    x.cuts = x.unary = NULL
    x.n_core = 0
    assignment_init(arena, &x.matching, n, m)
    assignment_init(arena, &x.local, local_rows, local_cols)
    x.matching.watch = watch
    x.row_changed = <uint8_t *> take(arena, n)
    x.local_start, x.picked = ints(arena, local_rows + 1), ints(arena, local_rows + 1)
    x.stamp = <int32_t *> take_zeros(arena, m * sizeof(int32_t))
    x.stamp_value = ints(arena, m)
    x.col_start, x.core_row_start, x.core_col_start = ints(arena, m + 1), ints(arena, n + 1), ints(arena, m + 1)
    x.gain_float = <float *> ints(arena, n_candidates) if fixed else NULL
    x.gain = NULL if fixed else doubles(arena, n_candidates)
    x.fixed = ints(arena, n_halves) if fixed else NULL
    x.profit = NULL if fixed else doubles(arena, n_halves)
    x.stale = <uint64_t *> take(arena, bits_size(n_candidates))
    x.state = <uint16_t *> take_zeros(arena, n_halves * sizeof(uint16_t))
    rest_in_small_pages(arena)
    x.direction = doubles(arena, n_halves)
    x.col_entry = ints(arena, n_candidates)
    x.used_list, x.active_list = ints(arena, n_halves), ints(arena, n_halves)
    x.local_row, x.local_col, x.local_half = ints(arena, degree), ints(arena, degree), ints(arena, degree)
    x.local_gain = doubles(arena, degree)
    x.core, x.core_by_col = ints(arena, n_candidates), ints(arena, n_candidates)
    x.most_near = near
    x.near_col, x.near_row, x.near_place = ints(arena, near), ints(arena, near), ints(arena, near)
    x.near_gain, x.near_col_gain = doubles(arena, near), doubles(arena, near)
    all_stale(x)
    for h in range(n_halves):
        if fixed:
            x.fixed[h] = <int32_t> (0.5 * weight_of(problem, h) * GRAINS)
        else:
            x.profit[h] = 0.5 * weight_of(problem, h)
    x.tick = x.n_used = x.n_active = 0
    x.halves = n_candidates + n_halves
    x.upper = x.bound = x.least = INFINITY
    x.warm = x.sorted = False
    assignment_bind(&x.matching, problem.row_start, problem.row, problem.col, x.gain)
    if problem.row == NULL or fixed:
        assignment_bind_short(&x.matching, problem.row_short, problem.col_short, x.gain_float)
    assignment_bind_cols(&x.matching, x.col_start, x.col_entry)
    assignment_bind(&x.local, x.local_start, x.local_row, x.local_col, x.local_gain)
    return FINE


cdef void sort_by_col(Relaxation *x) noexcept nogil:
    """Group the candidates by column, as :func:`reassign` needs them, unless they are.

    Where rounds see nothing but a core, that is never needed.
    """
    if not x.sorted:
        x.sorted = True
        group_by_line(x.problem, True, NULL, x.problem.n_candidates, x.col_start, x.col_entry, NULL)


cdef inline void use(Relaxation *x, int32_t half) noexcept nogil:
    x.state[half] |= USED
    x.used_list[x.n_used] = half
    x.n_used += 1


cdef double assign_local(Relaxation *x, int32_t c) noexcept nogil:
    """Solve the local problem of candidate ``c`` as an assignment of its halves that have profit; see :func:`assign`.

    ``stamp_value`` of the columns with ``stamp`` equal to ``tick`` are their numbers in it.
    """
    cdef const Problem *p = x.problem
    cdef int32_t h = p.half_start[c], stop = p.half_start[c + 1]
    cdef int32_t row, j, n_entries = 0, n_rows = 0, n_cols = 0
    cdef double value
    x.tick += 1
    x.halves += stop - h
    x.local_start[0] = 0
    while h < stop:
        row = end_row(p, h)
        while h < stop and end_row(p, h) == row:
            value = profit_of(x, h)
            if value > 0:
                j = end_col(p, h)
                if x.stamp[j] != x.tick:
                    x.stamp[j] = x.tick
                    x.stamp_value[j] = n_cols
                    n_cols += 1
                x.local_col[n_entries] = x.stamp_value[j]
                x.local_row[n_entries] = n_rows
                x.local_gain[n_entries] = value
                x.local_half[n_entries] = h
                n_entries += 1
            h += 1
        if n_entries > x.local_start[n_rows]:
            n_rows += 1
            x.local_start[n_rows] = n_entries
    x.local.n_rows, x.local.n_cols = n_rows, n_cols
    return assign(&x.local)


cdef inline int32_t largest_in_row(const Relaxation *x, int32_t *h, int32_t stop) noexcept nogil:
    """Of the halves with the row of half ``h`` the one with the largest profit above 0, or -1; ``h`` moves behind them.
    """
    cdef const Problem *p = x.problem
    cdef int32_t row = end_row(p, h[0]), best = -1
    cdef double top = 0.0, value
    while h[0] < stop and end_row(p, h[0]) == row:
        value = profit_of(x, h[0])
        if value > top:
            top, best = value, h[0]
        h[0] += 1
    return best


cdef double local_prices(Relaxation *x, int32_t c, Slack *cost) noexcept nogil:
    """The optimum of the local problem of candidate ``c``, with a proof: reduced costs of its halves.

    ``cost[h]`` becomes what the profit of its half h may rise by without raising this optimum, at least 0.
    """
    cdef const Problem *p = x.problem
    cdef int32_t h = p.half_start[c], stop = p.half_start[c + 1], first, best, j, k
    cdef double total = 0.0, top
    cdef bint clash = False
    x.tick += 1
    while h < stop:
        first = h
        best = largest_in_row(x, &h, stop)
        top = profit_of(x, best) if best >= 0 else 0.0
        for k in range(first, h):
            put_slack(cost, k, top - profit_of(x, k))
        if best >= 0:
            total += top
            j = end_col(p, best)
            clash = clash or x.stamp[j] == x.tick
            x.stamp[j] = x.tick
    if not clash or stop - p.half_start[c] > MOST_LOCAL:
        return total
    x.halves += stop - p.half_start[c]            # an assignment takes about as long again as the sweep
    top = assign_local(x, c)
    if top == INFINITY:
        return total
    # A half without profit costs at least the price of its column; the price of its row is not known.
    for h in range(p.half_start[c], stop):
        j = end_col(p, h)
        put_slack(cost, h, x.local.beta[x.stamp_value[j]] if x.stamp[j] == x.tick else 0.0)
    for k in range(x.local_start[x.local.n_rows]):
        put_slack(cost, x.local_half[k], max(0.0, x.local.alpha[x.local_row[k]] + x.local.beta[x.local_col[k]]
                                             - x.local_gain[k]))
    return top


cdef bint pick_largest(Relaxation *x, int32_t c, double *total) noexcept nogil:
    """Pick the half with the largest profit in each row of a local problem; ``total`` becomes the sum of their profits.

    Returns whether two of them are in one column. If not, they are the optimum.
    """
    cdef const Problem *p = x.problem
    cdef int32_t h = p.half_start[c], stop = p.half_start[c + 1]
    cdef int32_t best, j, n_picked = 0
    cdef double found = 0.0
    cdef bint clash = False
    x.tick += 1
    while h < stop:
        if (best := largest_in_row(x, &h, stop)) >= 0:
            found += profit_of(x, best)
            j = end_col(p, best)
            if x.stamp[j] == x.tick:
                clash = True
            x.stamp[j] = x.tick
            x.picked[n_picked] = best
            n_picked += 1
    total[0], x.n_picked = found, n_picked
    return clash


cdef double local_optimum(Relaxation *x, int32_t c, bint mark) noexcept nogil:
    """Optimum of the local problem of candidate ``c``; with ``mark``, its halves are marked as used.

    An upper bound of it if the limit of work is reached, or if it is too large.
    """
    cdef int32_t n_halves = x.problem.half_start[c + 1] - x.problem.half_start[c], k
    cdef double total, top
    if n_halves == 0:
        return 0.0
    if not pick_largest(x, c, &total) or n_halves > MOST_LOCAL:
        if mark:
            for k in range(x.n_picked):
                use(x, x.picked[k])
        return total
    top = assign_local(x, c)
    if mark:
        for k in range(x.local.n_rows):
            if x.local.row_match[k] >= 0:
                use(x, x.local_half[x.local.row_match[k]])
    return top if top < INFINITY else total


cdef inline void touch(Relaxation *x, int32_t c) noexcept nogil:
    set_bit(x.stale, c, True)


cdef inline void all_stale(Relaxation *x) noexcept nogil:
    memset(x.stale, 0xFF, bits_size(x.problem.n_candidates))
    if x.problem.n_candidates & 63:
        x.stale[x.problem.n_candidates >> 6] = (<uint64_t> 1 << (x.problem.n_candidates & 63)) - 1


cdef void touch_all(Relaxation *x) noexcept nogil:
    """Have everything computed again from the profits, without directions of earlier steps."""
    cdef int32_t k
    for k in range(x.n_active):
        put_place(x, x.active_list[k], x.problem.mate[x.active_list[k]], 0)
    x.n_active = 0
    x.warm = False
    all_stale(x)


cdef double excess(const Relaxation *x) noexcept nogil:
    """How far rounding has left the sum of the prices below a valid bound: 0, or of the order of 1e-12."""
    cdef const Problem *p = x.problem
    cdef int32_t c, i
    cdef double total = 0.0, price, beta, short_by
    for i in range(p.n_rows):
        if x.matching.alpha[i] < 0:
            total -= x.matching.alpha[i]
    for i in range(p.n_cols):
        if x.matching.beta[i] < 0:
            total -= x.matching.beta[i]
    for i in range(p.n_rows):
        price = max(0.0, x.matching.alpha[i])
        for c in range(p.row_start[i], p.row_start[i + 1]):       # without branches, which no processor foresees
            beta = x.matching.beta[col_at(p, c)]
            short_by = gain_of(x, c) - price - 0.5 * (beta + fabs(beta))
            total += 0.5 * (short_by + fabs(short_by))
    return total


cdef int64_t relaxation_work(Relaxation *x) noexcept nogil:
    """Visits of candidates, halves and entries of assignments since the last call."""
    cdef int64_t work = x.halves + x.matching.work + x.local.work
    x.halves = x.matching.work = x.local.work = 0
    return work


cdef inline void ask_halves(const Relaxation *x, int32_t c) noexcept nogil:
    """Have the cache fetch the halves of a candidate."""
    cdef int32_t h = x.problem.half_start[c]
    fm_ask(x.problem.ends + 2 * <size_t> h if x.problem.ends != NULL else <uint16_t *> (x.problem.other + h))
    fm_ask(x.profit + h if x.fixed == NULL else <double *> (x.fixed + h))


cdef int64_t solve_local(Relaxation *x, int64_t limit) noexcept nogil:
    """Solve the local problems whose profits have changed, and mark their rows; returns the halves visited."""
    cdef const Problem *p = x.problem
    cdef int32_t w, c, words = (p.n_candidates + 63) >> 6
    cdef int64_t visits = 0
    cdef uint64_t members
    x.local.limit = limit
    if x.warm:
        memset(x.row_changed, 0, p.n_rows)
    for w in range(words):
        members = x.stale[w + 1] if w + 1 < words else 0
        while members:
            ask_halves(x, 64 * (w + 1) + fm_first_bit(members))
            members &= members - 1
        members, x.stale[w] = x.stale[w], 0
        while members:
            c = 64 * w + fm_first_bit(members)
            members &= members - 1
            put_gain(x, c, own_gain(x, c) + local_optimum(x, c, False))
            visits += p.half_start[c + 1] - p.half_start[c]
            if x.warm:
                x.row_changed[row_at(p, c)] = 1
    return visits


cdef void sort_core(Relaxation *x) noexcept nogil:
    """Group the core by column, too, and copy what assignments read of it."""
    cdef const Problem *p = x.problem
    cdef int32_t c, k, place
    cdef bint near = x.n_core <= x.most_near
    group_by_line(x.problem, True, x.core, x.n_core, x.core_col_start, x.core_by_col, x.near_place if near else NULL)
    if near:
        for k in range(x.n_core):
            c, place = x.core[k], x.near_place[k]
            x.near_col[k], x.near_row[place] = col_at(p, c), row_at(p, c)
            x.near_gain[k] = x.near_col_gain[place] = gain_of(x, c)


cdef double reassign_core(Relaxation *x) noexcept nogil:
    """Solve the global problem of the core, with the rows that have changed; see :func:`reassign`."""
    assignment_narrow(&x.matching, x.core_row_start, x.core, x.core_col_start, x.core_by_col)
    if x.n_core <= x.most_near:
        assignment_gather(&x.matching, x.near_col, x.near_gain, x.near_row, x.near_col_gain, x.near_place)
    cdef double value = reassign(&x.matching, x.row_changed)
    assignment_narrow(&x.matching, x.problem.row_start, NULL, x.col_start, x.col_entry)
    return value


cdef void find_core(Relaxation *x) noexcept nogil:
    """Let narrow rounds see the candidates that now have a small reduced cost. The last round was one with all."""
    cdef const Problem *p = x.problem
    cdef int32_t i, c, n_core = 0
    for i in range(p.n_rows):
        x.core_row_start[i] = n_core
        for c in range(p.row_start[i], p.row_start[i + 1]):
            x.core[n_core] = c
            n_core += x.matching.alpha[i] + x.matching.beta[col_at(p, c)] - gain_of(x, c) <= CORE_COST
    x.core_row_start[p.n_rows] = x.n_core = n_core
    sort_core(x)
    x.halves += p.n_candidates


cdef void grow_core(Relaxation *x, double cost, int32_t most, double keep) noexcept nogil:
    """Add candidates to the core of narrow rounds, and take others out. Sets ``bound`` and lowers ``upper``.

    The bound is that of all candidates: what exceeds the price of its row, as gains outside the core may, raises it.

    Parameters
    ----------
    cost : double
        Candidates of a reduced cost below it are added, which may be negative, of each row those with the least.
    most : int32, 1 … MOST_ADDED
        So many of a row at most: of millions that exceed their prices a little, few are in the next assignment.
    keep : double
        Candidates of a reduced cost above it are taken out, except those of the assignment.
    """
    cdef const Problem *p = x.problem
    cdef int32_t i, j, c, k, n_core = 0, old = 0, n_old = x.n_core, n_added
    cdef int32_t[MOST_ADDED] added
    cdef double[MOST_ADDED] value
    cdef double total = 0.0, top, v
    for k in range(n_old):
        x.core_by_col[k] = x.core[k]
    for i in range(p.n_rows):
        x.core_row_start[i] = n_core
        top = 0.0
        n_added = 0
        for c in range(p.row_start[i], p.row_start[i + 1]):
            v = gain_of(x, c) - max(0.0, x.matching.beta[col_at(p, c)])
            top = max(top, v)
            if old < n_old and x.core_by_col[old] == c:
                old += 1
                if v >= x.matching.alpha[i] - keep or x.matching.row_match[i] == c:
                    x.core[n_core] = c
                    n_core += 1
            elif v > x.matching.alpha[i] - cost:
                n_added = <int32_t> offer(value, added, n_added, most, v, c)
        for j in range(n_added):
            k = n_core
            while k > x.core_row_start[i] and x.core[k - 1] > added[j]:
                x.core[k] = x.core[k - 1]
                k -= 1
            x.core[k] = added[j]
            n_core += 1
        total += top
    for j in range(p.n_cols):
        total += max(0.0, x.matching.beta[j])
    x.core_row_start[p.n_rows] = x.n_core = n_core
    sort_core(x)
    x.halves += p.n_candidates
    x.bound = total
    x.upper = min(x.upper, total)


cdef bint settle_prices(Relaxation *x, bint afresh, double cost, int32_t most, double keep,
                        int64_t limit) noexcept nogil:
    """Solve the global problem with all candidates by assignments of a core that grows. Sets ``bound``.

    The gains belong to the profits. Of a document with five million candidates this takes a fifth of the visits that an
    assignment with all of them takes.

    Parameters
    ----------
    afresh : bint
        There is no assignment yet, only prices.
    cost, most, keep
        See :func:`grow_core`.

    Returns
    -------
    False if it gives up, after more than ``limit`` visits or because the watch says so.
    """
    cdef const Problem *p = x.problem
    cdef int _tries
    cdef double value
    x.warm = True
    if afresh:
        memset(x.stale, 0, bits_size(p.n_candidates))
        memset(x.matching.row_match, 0xFF, p.n_rows * sizeof(int32_t))      # -1
        memset(x.matching.col_match, 0xFF, p.n_cols * sizeof(int32_t))
    grow_core(x, cost, most, keep)
    x.matching.limit = limit
    for _tries in range(TRIES):
        memset(x.row_changed, 1, p.n_rows)
        value = reassign_core(x)
        if value == INFINITY:
            return False
        grow_core(x, -EXCEEDS, most, keep)
        if x.bound < value + SETTLED:
            break
    return True


cdef void raise_prices(Relaxation *x) noexcept nogil:
    """Raise the prices of rows to what candidates outside the core need. Sets ``bound``."""
    cdef const Problem *p = x.problem
    cdef int32_t i, c
    for i in range(p.n_rows):
        for c in range(p.row_start[i], p.row_start[i + 1]):
            x.matching.alpha[i] = max(x.matching.alpha[i], gain_of(x, c) - x.matching.beta[col_at(p, c)])
    x.bound = price_sum(&x.matching)
    x.halves += p.n_candidates


cdef void narrow_bound(Relaxation *x, int64_t limit) noexcept nogil:
    """A round whose global problem has only the core. It may follow a step, and a step may follow it.

    Its ``bound`` is a bound of the core, and does not lower ``upper``: a candidate outside it may have got a gain that
    is above its prices. The next round with all candidates takes it in. Of a document of 900 variables the core has an
    eighth of the candidates, and such rounds take a fifth of the time.
    """
    cdef int64_t visits = solve_local(x, limit)
    x.halves += visits
    x.matching.limit = limit - x.halves - x.local.work
    x.bound = reassign_core(x)
    if x.cuts != NULL:
        x.bound += x.cuts.total
    x.least = min(x.least, x.bound)


cdef void relaxation_bound(Relaxation *x, int64_t limit) noexcept nogil:
    """One round: solve the local problems, then the global one. Sets ``bound`` and lowers ``upper``.

    With more than ``limit`` visits, or if the watch says so, the round is given up and ``bound`` is infinite. No step
    may follow then.
    """
    cdef const Problem *p = x.problem
    x.halves += p.n_candidates
    cdef int64_t visits = solve_local(x, limit)
    if x.n_core:                      # gains of all rows may have changed since they were looked at
        memset(x.row_changed, 1, p.n_rows)
    x.matching.limit = limit - visits - x.halves - x.local.work
    if not x.warm:
        x.bound = assign(&x.matching)
    else:
        sort_by_col(x)
        x.bound = reassign(&x.matching, x.row_changed)
    if x.bound < INFINITY:
        x.bound += excess(x)
        if x.cuts != NULL:
            x.bound += x.cuts.total
    x.halves += visits
    x.upper = min(x.upper, x.bound)
    x.least = min(x.least, x.bound)


cdef inline void disagree(Relaxation *x, int32_t half, double sign) noexcept nogil:
    cdef int32_t mate = x.problem.mate[half], place
    if mate < half:
        half, sign = mate, -sign
        mate = x.problem.mate[half]
    place = active_place(x, half, mate) - 1
    if place < 0:
        place = x.n_active
        x.direction[place] = 0.0
        x.active_list[place] = half
        x.n_active += 1
        put_place(x, half, mate, x.n_active)
    x.direction[place] += sign


cdef void use_cuts(Relaxation *x, Cuts *cuts) noexcept nogil:
    """Have the rounds use cuts. A whole round must come next."""
    cdef int32_t c
    for c in range(x.problem.n_candidates):
        cuts.unary[c] = unary_gain(x.problem, c)
    x.cuts, x.unary = cuts, cuts.unary


cdef void lift_cuts(Relaxation *x) noexcept nogil:
    """Take all prices of cuts back, so that profits sum to weights; :func:`lay_cuts` undoes it."""
    cdef int32_t k
    for k in range(x.cuts.n):
        x.cuts.kept[k] = x.cuts.price[k]
        change_price(x, k, 0.0)


cdef void lay_cuts(Relaxation *x) noexcept nogil:
    cdef int32_t k
    for k in range(x.cuts.n):
        change_price(x, k, x.cuts.kept[k])


cdef inline void add_profit(Relaxation *x, int32_t h, double more) noexcept nogil:
    if x.fixed == NULL:
        x.profit[h] += more
    else:
        x.fixed[h] += <int32_t> (more * GRAINS)


cdef void change_price(Relaxation *x, int32_t k, double price) noexcept nogil:
    cdef const Problem *p = x.problem
    cdef Cuts *cuts = x.cuts
    if x.fixed != NULL:               # what is taken from each of two halves is a whole number, too
        price = <int32_t> (min(price, MOST_PRICE) * (GRAINS // 2)) * (2.0 / GRAINS)
    cdef double change = price - cuts.price[k]
    cdef int32_t i, h
    if change == 0.0:
        return
    cuts.price[k] = price
    cuts.total += change
    for i in range(cuts.start[k], cuts.start[k + 1]):
        h = cuts.member[i] - p.n_candidates
        if h < 0:
            x.unary[cuts.member[i]] -= change
            touch(x, cuts.member[i])
        else:
            add_profit(x, h, -0.5 * change)
            add_profit(x, p.mate[h], -0.5 * change)
            touch(x, p.other[h])
            touch(x, p.other[p.mate[h]])


cdef bint broken_cuts(Relaxation *x, double *norm) noexcept nogil:
    """Find in which direction to change the prices of cuts, and remember what was chosen.

    ``norm`` grows by the squares of the directions. Returns whether the choice keeps to all cuts, and has one member of
    those that have a price.
    """
    cdef const Problem *p = x.problem
    cdef Cuts *cuts = x.cuts
    cdef int32_t i, k, c, h
    cdef double members
    cdef bint kept = True
    for i in range(p.n_rows):
        c = x.matching.row_match[i]
        if c >= 0:
            cuts.chosen[c] += cuts.weight
    for k in range(x.n_used):
        cuts.used[x.used_list[k]] += cuts.weight
    remember(cuts)
    for k in range(cuts.n):
        members = 0.0
        for i in range(cuts.start[k], cuts.start[k + 1]):
            c = cuts.member[i]
            if c < p.n_candidates:
                members += x.matching.row_match[row_at(p, c)] == c
            else:
                h = c - p.n_candidates
                members += 0.5 * ((x.state[h] & USED) + (x.state[p.mate[h]] & USED))
        if members > 1.0 or (members < 1.0 and cuts.price[k] > 0.0):
            kept = False
        cuts.direction[k] = DEFLECTION * cuts.direction[k] + members - 1.0
        if cuts.price[k] == 0.0 and cuts.direction[k] < 0.0:
            cuts.direction[k] = 0.0
        norm[0] += CUT_STEP * cuts.direction[k] * cuts.direction[k]
    x.halves += x.n_used + p.n_rows + cuts.start[cuts.n]
    return kept


cdef bint relaxation_step(Relaxation *x, double scale, double target) noexcept nogil:
    """Change the split by ``scale`` times Polyak's step from ``bound`` to ``target``.

    Returns
    -------
    False if every half that is used has a mate that is used. Then the choice of the global problem is worth the bound,
    so it is the optimum.
    """
    cdef const Problem *p = x.problem
    cdef int32_t i, k, h, kept = 0
    cdef double norm = 0.0, length, more
    cdef bint agree = True
    x.warm = True
    for k in range(x.n_active):
        x.direction[k] *= DEFLECTION
    for i in range(p.n_rows):
        if x.matching.row_match[i] >= 0:
            local_optimum(x, x.matching.row_match[i], True)
    for k in range(x.n_used):
        h = x.used_list[k]
        if not x.state[p.mate[h]] & USED:
            disagree(x, h, 1.0)
            agree = False
    x.halves += x.n_used + 2 * x.n_active
    if x.cuts != NULL:
        agree = broken_cuts(x, &norm) and agree
    for k in range(x.n_used):
        x.state[x.used_list[k]] &= ~USED
    x.n_used = 0
    if agree:
        return False
    for k in range(x.n_active):
        h = x.active_list[k]
        if fabs(x.direction[k]) < NEGLIGIBLE:
            put_place(x, h, p.mate[h], 0)
            continue
        x.active_list[kept], x.direction[kept] = h, x.direction[k]
        kept += 1
        put_place(x, h, p.mate[h], kept)
        norm += x.direction[k] * x.direction[k]
    x.n_active = kept
    if norm == 0.0:
        return True
    length = scale * (x.bound - target) / norm
    for k in range(kept):
        h = x.active_list[k]
        more = -length * x.direction[k]
        if x.fixed != NULL:           # so that both change by the same, which stays far from what an int32 holds
            more = max(more * GRAINS, -1.0 * MOST_GRAINS - x.fixed[h])
            more = <int32_t> min(more, 1.0 * MOST_GRAINS - x.fixed[h]) * (1.0 / GRAINS)
        add_profit(x, h, more)
        add_profit(x, p.mate[h], -more)
        touch(x, p.other[h])
        touch(x, p.other[p.mate[h]])
    if x.cuts != NULL:
        for k in range(x.cuts.n):
            if x.cuts.direction[k] != 0.0:
                change_price(x, k, max(0.0, x.cuts.price[k] + CUT_STEP * length * x.cuts.direction[k]))
    return True
