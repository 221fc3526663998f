"""An upper bound for forests: prices of columns take the place of the split of weights.

Rows, columns, candidates, edge-pairs and halves are defined at the top of problem.pyx; profits, local problems and the
split at the top of relaxation.pyx. Where the relations of the first graph make a forest, so do the rows, and all local
problems can be solved together, by dynamic programming from the leaves to the roots.

Every column gets a *price* >= 0, which each row that is mapped to it pays. A column may then be used any number of
times, but only once by rows with the same parent. The *value* of a candidate is the most that the tree below its row is
worth if it is chosen. It is found by one small assignment: each child of the row is either connected, by a candidate at
the other end of an edge-pair, or cut off. A child that is cut off has the best of its values. The values of the roots
and the sum of all prices are together an upper bound, since no map pays a price twice.

With the best prices, this is the bound of the relaxation with the best split. But there is one price for each column,
where the split has one number for each edge-pair: of two trees of 250 equal variables 250 instead of 62,000. And a
round has the effect of many sweeps of dual ascent, since it passes from the leaves to the roots. A round costs one look
at each candidate and its halves, and the small assignments.

Prices are improved by subgradient steps: those of columns that several rows chose rise, those of columns that none
chose fall. Where variables look alike, hundreds of choices are equally good. The column with the fewest rows so far is
taken, and among several of these one at random. What is left of chance is averaged out: columns with the same
surroundings could have the same price, so they are put in groups, in three ways from coarse to fine. The step of a
column is the sum of the mean steps of its three groups and a share of its own step. Of two trees of 250 equal variables
the bound was 473 triples after 10 rounds and 466 after 80, in 0.2 s, where dual ascent stops at 481 after 0.3 s. A long
annealing found a map of 453.

The prices make a split for the relaxation, which goes on from there. The half of the parent's candidate gets what the
child would add by being connected instead of cut off; the half of the child's candidate gets the rest of the weight.
"""

from libc.math cimport INFINITY
from libc.stdint cimport int32_t, int64_t, uint64_t
from libc.string cimport memcpy, memset

from fastmatch._ext.base.arena cimport PADDING, Arena, doubles, ints, take, take_zeros
from fastmatch._ext.base.random cimport draw_below, mix_next
from fastmatch._ext.base.watch cimport Watch, look
from fastmatch._ext.matching.local_search cimport Selection, anneal, select
from fastmatch._ext.matching.problem cimport Problem, col_at, end_col, end_row, row_at, unary_gain, weight_of
from fastmatch._ext.matching.relaxation cimport USED, Relaxation, local_optimum, relaxation_work, touch_all
from fastmatch._ext.matching.solver cimport SPLITTABLE, Solver, improve_choice, out_of_limits

cdef enum:
    UNDECIDED = -2                    # in ``choice`` and ``parent``
    CHOICES = 2                       # choices of a round, which are averaged
    PATIENCE = 5                      # rounds without a better bound before steps get shorter
    SEED = 1
    ROUNDS = 400                      # of a stage, at most
    ROUNDS_SHARE = 3                  # of the work of a stage
    ANNEAL_SHARE = 4                  # the same: one long annealing found more than four of a quarter of its length
cdef int64_t FIRST_WORK = 600_000     # visits of the first rounds, if the limit is not reached
cdef int64_t STAGE_WORK = 7_000_000   # visits of the first stage, for each share
cdef double TIE = 1e-9                # two values that differ by no more are equal
cdef double OWN_SHARE = 0.2           # weight of a column's own step, where each mean has 1
cdef double FIRST_SCALE = 0.3         # of the first steps, as a share of those that would reach the target if all fell
cdef double RESUMED_SCALE = 0.05      # of the first steps of a later stage
cdef double SHRINK = 0.8              # steps get shorter by this factor
cdef double LEAST_SCALE = 0.002       # shorter steps end a stage
cdef int64_t ANNEAL_AGAIN = 25        # the best map is annealed again after so many times the work of the last maps
cdef double WIDE = 0.03               # gap above which the steps of exact.pyx do not close it, times the best value
cdef double ALIKE = 0.6               # share of all pairs of variables that are candidates of the least gain
cdef double BETTER = 1e-3             # decrease that makes a bound better, as a share of the gap


cdef size_t forest_size(const Problem *p) noexcept nogil:
    """Bytes that :func:`search_forest` takes from an arena."""
    return (p.n_rows * (4 * sizeof(int32_t) + 1 + 2 * sizeof(double)) + p.n_candidates * sizeof(double) + 16 * PADDING
            + p.n_cols * (4 * sizeof(double) + (2 + GROUPINGS) * sizeof(int32_t) + 2 * sizeof(uint64_t)))


cdef int32_t root_of(int32_t *above, int32_t i) noexcept nogil:
    """The row that stands for the tree of row ``i`` so far (union-find; shortens the way there)."""
    while above[i] != i:
        above[i] = above[above[i]]
        i = above[i]
    return i


cdef bint find_trees(Forest *f, int32_t *above, int32_t *seen) noexcept nogil:
    """Fill ``parent``, ``order`` and ``inner``; False if edge-pairs join the rows to a cycle.

    The root of a tree is the first of its rows: in a text that is read from the top, that is its top. ``above`` and
    ``seen`` [n_rows] are work space.
    """
    cdef const Problem *p = f.relaxation.problem
    cdef int32_t i, j, k, c, h, head = 0, tail = 0
    cdef int32_t *queue = above       # when ``above`` is of no more use
    for i in range(p.n_rows):
        above[i] = i
        seen[i] = -1
        f.parent[i] = UNDECIDED
        f.inner[i] = 0
    for i in range(p.n_rows):
        for c in range(p.row_start[i], p.row_start[i + 1]):
            for h in range(p.half_start[c], p.half_start[c + 1]):
                k = end_row(p, h)
                if k <= i or seen[k] == i:
                    continue
                seen[k] = i
                j = root_of(above, k)
                if j == root_of(above, i):
                    return False
                above[j] = root_of(above, i)
    # From the roots downwards; ``order`` is that in reverse.
    for j in range(p.n_rows):
        if f.parent[j] != UNDECIDED:
            continue
        f.parent[j] = -1
        queue[tail] = j
        tail += 1
        while head < tail:
            i = queue[head]
            head += 1
            for c in range(p.row_start[i], p.row_start[i + 1]):
                for h in range(p.half_start[c], p.half_start[c + 1]):
                    k = end_row(p, h)
                    if f.parent[k] == UNDECIDED:
                        f.parent[k] = i
                        f.inner[i] = 1
                        queue[tail] = k
                        tail += 1
    for i in range(p.n_rows):
        f.order[i] = queue[p.n_rows - 1 - i]
    return True


cdef bint all_alike(const Problem *p) noexcept nogil:
    """Whether nothing but relations tells most variables apart: most pairs of them are candidates of the least gain."""
    cdef int32_t c, equal = 0
    cdef double least = INFINITY
    for c in range(p.n_candidates):
        least = min(least, unary_gain(p, c))
    for c in range(p.n_candidates):
        equal += unary_gain(p, c) == least
    return equal > ALIKE * p.n_rows * p.n_cols


cdef bint makes_forest(Arena *arena, Relaxation *x) noexcept nogil:
    """Whether the rows make a forest."""
    cdef const Problem *p = x.problem
    cdef size_t used = arena.used
    cdef Forest f
    f.relaxation = x
    f.parent, f.order = ints(arena, p.n_rows), ints(arena, p.n_rows)
    f.inner = <uint8_t *> take(arena, p.n_rows)
    cdef bint found = find_trees(&f, <int32_t *> take(arena, p.n_rows * sizeof(int32_t)),
                                 <int32_t *> take(arena, p.n_rows * sizeof(int32_t)))
    x.halves += p.n_halves // 4         # to look is work: read in order, mostly
    arena.used = used
    return found


cdef void group_columns(Forest *f) noexcept nogil:
    """Put columns in groups: by their own gains, and then by those of more and more of their surroundings."""
    cdef const Problem *p = f.relaxation.problem
    cdef int32_t c, h, j, k, grouping
    cdef uint64_t *old = f.colour
    cdef uint64_t *new = f.colour + p.n_cols
    cdef uint64_t gain
    memset(old, 0, p.n_cols * sizeof(uint64_t))
    for c in range(p.n_candidates):
        gain = <uint64_t> (1024.0 * unary_gain(p, c))
        old[col_at(p, c)] += mix_next(gain ^ (<uint64_t> (p.half_start[c + 1] - p.half_start[c]) << 32))
    for grouping in range(GROUPINGS):
        # The first column of each colour, by a table that ``new`` has room for: 0 is an empty place.
        memset(new, 0, p.n_cols * sizeof(uint64_t))
        for j in range(p.n_cols):
            k = <int32_t> (mix_next(old[j]) % <uint64_t> p.n_cols)
            while new[k] and old[new[k] - 1] != old[j]:
                k = (k + 1) % p.n_cols
            if new[k] == 0:
                new[k] = j + 1
            f.group[grouping * p.n_cols + j] = <int32_t> (new[k] - 1)
        for j in range(p.n_cols):
            new[j] = mix_next(old[j])
        for c in range(p.n_candidates):
            for h in range(p.half_start[c], p.half_start[c + 1]):
                new[col_at(p, c)] += mix_next(old[end_col(p, h)] ^ <uint64_t> (1024.0 * weight_of(p, h)))
        old, new = new, old


cdef bint forest_init(Arena *arena, Forest *f, Relaxation *relaxation) noexcept nogil:
    """Set up in ``arena``, for a relaxation that has had a round. False if the rows make no forest."""
    cdef const Problem *p = relaxation.problem
    cdef int32_t c, h
    cdef double above
    f.relaxation = relaxation
    f.parent, f.order, f.choice = ints(arena, p.n_rows), ints(arena, p.n_rows), ints(arena, p.n_rows)
    f.map = ints(arena, p.n_rows)
    f.inner = <uint8_t *> take(arena, p.n_rows)
    f.below, f.best = doubles(arena, p.n_rows), doubles(arena, p.n_rows)
    f.value = doubles(arena, p.n_candidates)
    f.price = <double *> take_zeros(arena, p.n_cols * sizeof(double))
    f.best_price, f.direction = doubles(arena, p.n_cols), doubles(arena, p.n_cols)
    f.total = doubles(arena, p.n_cols)
    f.load, f.size = ints(arena, p.n_cols), ints(arena, p.n_cols)
    f.group = ints(arena, GROUPINGS * p.n_cols)
    f.colour = <uint64_t *> take(arena, 2 * p.n_cols * sizeof(uint64_t))
    if not find_trees(f, f.choice, <int32_t *> f.best):
        relaxation.halves += p.n_halves // 4
        return False
    group_columns(f)
    relaxation.halves += (1 + GROUPINGS) * p.n_halves // 4      # read in order, mostly: 3 ns each
    # The price of a column begins with the largest gain of its candidates, without what edge-pairs with the parent's
    # candidates give to it: the parent's side of the sum has these.
    for c in range(p.n_candidates):
        above = 0.0
        for h in range(p.half_start[c], p.half_start[c + 1]):
            if end_row(p, h) == f.parent[row_at(p, c)]:
                above = max(above, 0.5 * weight_of(p, h))
        f.price[col_at(p, c)] = max(f.price[col_at(p, c)], relaxation.gain[c] - above)
    for c in range(relaxation.n_used):
        relaxation.state[relaxation.used_list[c]] &= ~USED
    relaxation.n_used = 0
    relaxation.local.limit = 1 << 62
    f.random = SEED
    f.scale = FIRST_SCALE
    f.bound = f.upper = INFINITY
    return True


cdef void set_profits(Forest *f, int32_t c) noexcept nogil:
    """Set the profits of the halves of candidate ``c``: what each child of its row adds by being connected."""
    cdef Relaxation *x = f.relaxation
    cdef const Problem *p = x.problem
    cdef int32_t i = row_at(p, c), h, k, d
    for h in range(p.half_start[c], p.half_start[c + 1]):
        d = p.other[h]
        k = row_at(p, d)
        x.profit[h] = max(0.0, weight_of(p, h) + f.value[d] - f.best[k]) if f.parent[k] == i else 0.0


cdef void solve_trees(Forest *f) noexcept nogil:
    """Find the values of all candidates under the present prices, from the leaves upwards, and the bound."""
    cdef Relaxation *x = f.relaxation
    cdef const Problem *p = x.problem
    cdef int32_t r, i, c
    cdef double top
    f.bound = 0.0
    memset(f.below, 0, p.n_rows * sizeof(double))
    for r in range(p.n_rows):
        i = f.order[r]
        top = 0.0
        for c in range(p.row_start[i], p.row_start[i + 1]):
            f.value[c] = unary_gain(p, c) - f.price[col_at(p, c)]
            if f.inner[i]:
                set_profits(f, c)
                f.value[c] += local_optimum(x, c, False)
            top = max(top, f.value[c])
        for c in range(p.row_start[i], p.row_start[i + 1]):
            f.value[c] += f.below[i]
        f.best[i] = f.below[i] + top
        if f.parent[i] >= 0:
            f.below[f.parent[i]] += f.best[i]
        else:
            f.bound += f.best[i]
    for i in range(p.n_cols):
        f.bound += f.price[i]
    x.halves += p.n_candidates


cdef void add_choice(Forest *f) noexcept nogil:
    """Make a choice that is worth the bound, from the roots downwards, and add it to ``load``.

    Of equally good candidates the one is taken whose column has the least load; of several of these, one at random.
    """
    cdef Relaxation *x = f.relaxation
    cdef const Problem *p = x.problem
    cdef int32_t r, i, c, h, d, k, n
    for i in range(p.n_rows):
        f.choice[i] = UNDECIDED
    for r in range(p.n_rows - 1, -1, -1):
        i = f.order[r]
        if f.choice[i] == UNDECIDED:
            f.choice[i] = -1
            n = 0
            for c in range(p.row_start[i], p.row_start[i + 1]):
                if f.value[c] < f.best[i] - TIE:
                    continue
                if n and f.load[col_at(p, c)] > f.load[col_at(p, f.choice[i])]:
                    continue
                if n and f.load[col_at(p, c)] < f.load[col_at(p, f.choice[i])]:
                    n = 0
                n += 1
                if n == 1 or draw_below(&f.random, n) == 0:
                    f.choice[i] = c
        c = f.choice[i]
        if c < 0:
            continue
        f.load[col_at(p, c)] += 1
        if not f.inner[i]:
            continue
        set_profits(f, c)
        for h in range(p.half_start[c], p.half_start[c + 1]):
            if x.profit[h] > 0:
                x.profit[h] = max(0.0, x.profit[h] - TIE * (
                    f.load[end_col(p, h)] + draw_below(&f.random, 1024) / 1024.0))
        local_optimum(x, c, True)
        for k in range(x.n_used):
            h = x.used_list[k]
            x.state[h] &= ~USED
            d = p.other[h]
            f.choice[row_at(p, d)] = d
        x.n_used = 0
    x.halves += p.n_candidates


cdef void step_prices(Forest *f, double target) noexcept nogil:
    """Change the prices by a step of Polyak's length towards ``target``, the value of a good map."""
    cdef const Problem *p = f.relaxation.problem
    cdef const int32_t *group
    cdef int32_t j, grouping
    cdef double slope, norm = 0.0
    for j in range(p.n_cols):
        f.direction[j] = OWN_SHARE * (<double> f.load[j] / CHOICES - 1.0)
    for grouping in range(GROUPINGS):
        group = f.group + grouping * p.n_cols
        for j in range(p.n_cols):
            f.total[j] = 0.0
            f.size[j] = 0
        for j in range(p.n_cols):
            f.total[group[j]] += <double> f.load[j] / CHOICES - 1.0
            f.size[group[j]] += 1
        for j in range(p.n_cols):
            f.direction[j] += f.total[group[j]] / f.size[group[j]]
    for j in range(p.n_cols):
        slope = f.direction[j]
        if slope < 0 and f.price[j] <= 0:
            f.direction[j] = 0.0
        norm += f.direction[j] * f.direction[j]
    if norm > 0:
        norm = f.scale * max(0.0, f.bound - target) / norm
        for j in range(p.n_cols):
            f.price[j] = max(0.0, f.price[j] + norm * f.direction[j])


cdef void improve_prices(Forest *f, int rounds, double target, int64_t limit, Watch *watch) noexcept nogil:
    """Improve the prices, from the best ones so far. Lowers ``upper``, here and in the relaxation.

    Parameters
    ----------
    rounds : int
        The most rounds.
    target : double
        The value of a good map, towards which steps go.
    limit : int64
        Visits of candidates, halves and entries of assignments after which it ends.
    watch : Watch
        May end it earlier, and is ``over`` then.
    """
    cdef Relaxation *x = f.relaxation
    cdef int64_t begun = x.halves + x.local.work
    cdef int stalled = 0, _round, _choice
    f.scale = max(f.scale, RESUMED_SCALE)
    if f.upper < INFINITY:
        memcpy(f.price, f.best_price, x.problem.n_cols * sizeof(double))
    for _round in range(rounds):
        solve_trees(f)
        stalled = 0 if f.bound < f.upper - BETTER * (f.upper - target) else stalled + 1
        if f.bound < f.upper:
            f.upper = f.bound
            x.upper = min(x.upper, f.upper)
            memcpy(f.best_price, f.price, x.problem.n_cols * sizeof(double))
        if stalled >= PATIENCE:
            f.scale *= SHRINK
            stalled = 0
        if f.upper <= target or f.scale < LEAST_SCALE or x.halves + x.local.work - begun > limit or look(watch):
            return
        memset(f.load, 0, x.problem.n_cols * sizeof(int32_t))
        for _choice in range(CHOICES):
            add_choice(f)
        step_prices(f, target)


cdef void split_weights(Forest *f) noexcept nogil:
    """Give the relaxation the split that belongs to the best prices: its bound is then as low, or lower."""
    cdef Relaxation *x = f.relaxation
    cdef const Problem *p = x.problem
    cdef int32_t c, h
    memcpy(f.price, f.best_price, p.n_cols * sizeof(double))
    solve_trees(f)
    for c in range(p.n_candidates):
        set_profits(f, c)
    for c in range(p.n_candidates):
        for h in range(p.half_start[c], p.half_start[c + 1]):
            if f.parent[end_row(p, h)] == row_at(p, c):
                x.profit[p.mate[h]] = weight_of(p, h) - x.profit[h]
    touch_all(x)


cdef const int32_t *first_come(Forest *f) noexcept nogil:
    """A map from a choice, a candidate or -1 for each row: of rows that chose a column, the first from the top gets it.
    """
    cdef const Problem *p = f.relaxation.problem
    cdef int32_t r, i, c
    memset(f.load, 0, p.n_cols * sizeof(int32_t))
    add_choice(f)
    memset(f.load, 0, p.n_cols * sizeof(int32_t))
    for r in range(p.n_rows - 1, -1, -1):
        i = f.order[r]
        c = f.choice[i]
        if c >= 0 and f.load[col_at(p, c)]:
            f.choice[i] = -1
        elif c >= 0:
            f.load[col_at(p, c)] = 1
    return f.choice


cdef bint wide_gap(const Solver *s, const Forest *f) noexcept nogil:
    """Whether the gap is wider than what the other steps of exact.pyx close."""
    return f.relaxation.upper - s.lower > max(SPLITTABLE * max(1.0, s.limits.step), WIDE * s.lower)


cdef void anneal_choice(Solver *s, Forest *f, Selection *selection, int64_t work) noexcept nogil:
    """Anneal the map that :func:`first_come` makes, with ``work`` visits."""
    cdef const Problem *p = f.relaxation.problem
    if not wide_gap(s, f) or out_of_limits(s):
        return
    select(selection, first_come(f))
    s.work += p.n_candidates + p.n_halves
    s.work += anneal(selection, work, f.map, &s.watch)
    select(selection, f.map)
    improve_choice(s, selection, NULL, 0)


cdef bint search_forest(Solver *s, Arena *arena, Relaxation *x, Selection *selection) noexcept nogil:
    """Search a problem whose rows make a forest, if the gap is wide after the first round of the relaxation.

    The first round is made whatever the limit of work. Then stages follow of rounds and annealing, each of ten times
    the work of the one before, until the gap is narrow or the next one does not fit into the limit, or into that of an
    ordinary pair. So with more work the same comes first.

    Parameters
    ----------
    arena : Arena
        Has room for :func:`forest_size` bytes.
    x : Relaxation
        Has had a round. Receives a better split, if there is work left to use it.
    selection : Selection
        Work space.

    Returns
    -------
    False if there is nothing to do: the gap is not wide, or the rows make no forest.
    """
    cdef Forest f
    cdef int64_t work = STAGE_WORK
    f.relaxation = x
    if not wide_gap(s, &f) or not forest_init(arena, &f, x):
        return False
    improve_prices(&f, ROUNDS, s.lower, FIRST_WORK if s.work <= s.limits.work else 0, &s.watch)
    s.work += relaxation_work(x)
    while (wide_gap(s, &f) and (ROUNDS_SHARE + ANNEAL_SHARE) * work < min(s.limits.ordinary, s.limits.work - s.work)
           and not out_of_limits(s)):
        improve_prices(&f, ROUNDS, s.lower, ROUNDS_SHARE * work, &s.watch)
        s.work += relaxation_work(x)
        s.watch.bound = x.upper
        anneal_choice(s, &f, selection, ANNEAL_SHARE * work)
        work *= 10
        s.next_annealing = work * ANNEAL_AGAIN
    if not out_of_limits(s):
        split_weights(&f)
        s.work += relaxation_work(x)
    return True
