"""Candidates that no better map can have, although their reduced cost alone does not show it.

The prices of a round (relaxation.pyx) give every map a *loss*, by which it stays below the bound. The loss is a sum of
terms that are not negative:

* for each row and each column without a chosen candidate, its price;
* for each chosen candidate, the prices of its row and its column, less its unary gain, less the profits of its halves
  whose other ends are chosen;
* for each cut, a part of its price.

A map that is worth at least v loses at most ``most``, the bound less v. The *cost* of a candidate is the least that its
own term can be; at first that is its reduced cost. A candidate of a higher cost than ``most`` is excluded. Two more
conclusions exclude five times as many in documents of a thousand variables:

* A half is *usable* if the costs of its two ends add up to ``most`` or less. Without the profits of halves that are not
  usable, costs rise, so that further halves are not usable.
* If a candidate (i, j) is chosen, a row that relations join to i has one of its own candidates, not in column j, or
  none. All profits between this row and the other candidates of row i are lost. So each such row has a least loss, and
  so has the row that the round matched with column j. These are different terms of the sum. The same holds for columns.

All terms of exact.pyx hold here too. A *line* is a row or a column.
"""

from libc.math cimport INFINITY
from libc.stdint cimport INT64_MAX, int32_t, int64_t, uint8_t
from libc.string cimport memset

from fastmatch._ext.base.arena cimport (
    PADDING, Arena, arena_free, arena_init, arena_reserve, doubles, ints, take, take_zeros,
)
from fastmatch._ext.base.status cimport FINE, NO_MEMORY
from fastmatch._ext.base.watch cimport Watch, watch_begin
from fastmatch._ext.matching.problem cimport SHORT_FROM, GraphView, Problem, build, col_at, group_by_line, view_graph
from fastmatch._ext.matching.relaxation cimport (
    Relaxation, gain_of, own_gain, relaxation_bound, relaxation_init, relaxation_step,
)
from fastmatch._ext.matching.triples cimport TripleFeatures

import numpy as np

cdef enum:
    PASSES = 4                        # over both sides; they end when less than one candidate in FEW_MORE is excluded
    FEW_MORE = 50
    LOCAL_PASSES = 5


cdef void lines_init(Arena *arena, Lines *lines, const Problem *p, bint columns, const Relaxation *r) noexcept nogil:
    cdef int32_t c, i
    lines.n = p.n_cols if columns else p.n_rows
    lines.line = p.col if columns else p.row
    lines.across = p.row if columns else p.col
    lines.price = r.matching.beta if columns else r.matching.alpha
    lines.start, lines.member = ints(arena, lines.n + 1), ints(arena, p.n_candidates)
    lines.owner = ints(arena, p.n_rows if columns else p.n_cols)
    group_by_line(p, columns, NULL, p.n_candidates, lines.start, lines.member, NULL)
    memset(lines.owner, 0xFF, (p.n_rows if columns else p.n_cols) * sizeof(int32_t))         # -1
    for i in range(p.n_rows):
        c = r.matching.row_match[i]                     # a candidate of the node, not of ``p``
        if c >= 0:
            if columns:
                lines.owner[i] = col_at(r.problem, c)
            else:
                lines.owner[col_at(r.problem, c)] = i


cdef int exclusion_init(Arena *arena, Exclusion *x, const Problem *p, const double *profit,
                        const Relaxation *relaxation, const uint8_t *kept) noexcept nogil:
    """Begin with reduced costs; no candidate is excluded yet. Empties ``arena``; FINE or NO_MEMORY.

    Parameters
    ----------
    problem : Problem
        What shrink() made of the problem of the relaxation.
    profit : double[n_halves]
    relaxation : Relaxation
        Its last round was a whole one, and its profits have not changed since.
    kept : uint8[candidates of the relaxation's problem]
        Which of them ``problem`` has.
    """
    cdef size_t n = max(p.n_rows, p.n_cols)
    cdef int32_t b, c = 0
    if arena_reserve(
        arena,
        <size_t> p.n_candidates * (5 * sizeof(double) + 2 * sizeof(int32_t) + 1) + p.n_halves
        + n * (6 * sizeof(double) + 7 * sizeof(int32_t) + 1) + 2 * sizeof(int32_t) + 23 * PADDING,
    ) < 0:
        return NO_MEMORY
    x.problem, x.profit = p, profit
    x.base, x.cost = doubles(arena, p.n_candidates), doubles(arena, p.n_candidates)
    x.grouped, x.reach = doubles(arena, p.n_candidates), doubles(arena, p.n_candidates)
    x.toward = <double *> take_zeros(arena, p.n_candidates * sizeof(double))
    x.keep, x.usable = <uint8_t *> take(arena, p.n_candidates), <uint8_t *> take(arena, p.n_halves)
    lines_init(arena, &x.lines[0], p, False, relaxation)
    lines_init(arena, &x.lines[1], p, True, relaxation)
    x.largest = <double *> take_zeros(arena, n * sizeof(double))
    x.value, x.first, x.second = doubles(arena, n), doubles(arena, n), doubles(arena, n)
    x.own_first, x.own_second = doubles(arena, n), doubles(arena, n)
    x.at, x.own_at, x.near = ints(arena, n), ints(arena, n), ints(arena, n)
    x.is_near = <uint8_t *> take_zeros(arena, n)
    memset(x.keep, 1, p.n_candidates)
    memset(x.usable, 1, p.n_halves)
    for b in range(relaxation.problem.n_candidates):
        if kept[b]:
            x.base[c] = relaxation.matching.alpha[p.row[c]] + relaxation.matching.beta[p.col[c]]
            x.cost[c] = max(0.0, x.base[c] - gain_of(relaxation, b))
            x.base[c] -= own_gain(relaxation, b)
            c += 1
    x.n_kept = p.n_candidates
    x.work = <int64_t> relaxation.problem.n_candidates + p.n_candidates + p.n_halves
    return FINE


cdef double largest_profits(Exclusion *x, int32_t c, const int32_t *line) noexcept nogil:
    """Sum of the largest profit of each line that usable halves of ``c`` lead to: at least its local optimum."""
    cdef const Problem *p = x.problem
    cdef double total = 0.0
    cdef int32_t h, k
    for h in range(p.half_start[c], p.half_start[c + 1]):
        k = line[p.other[h]]
        if x.usable[h] and x.profit[h] > x.largest[k]:
            total += x.profit[h] - x.largest[k]
            x.largest[k] = x.profit[h]
    for h in range(p.half_start[c], p.half_start[c + 1]):
        x.largest[line[p.other[h]]] = 0.0
    return total


cdef inline void drop(Exclusion *x, int32_t c) noexcept nogil:
    x.keep[c] = 0
    x.n_kept -= 1


cdef void raise_costs(Exclusion *x, double most) noexcept nogil:
    """One pass over all candidates: which halves are usable, and what costs are without the others."""
    cdef const Problem *p = x.problem
    cdef int32_t c, h
    for c in range(p.n_candidates):
        if not x.keep[c]:
            continue
        for h in range(p.half_start[c], p.half_start[c + 1]):
            x.usable[h] = x.keep[p.other[h]] and x.cost[c] + x.cost[p.other[h]] <= most
        x.cost[c] = max(x.cost[c], x.base[c] - min(largest_profits(x, c, p.row), largest_profits(x, c, p.col)))
        x.work += 1 + p.half_start[c + 1] - p.half_start[c]
        if x.cost[c] > most:
            drop(x, c)


cdef inline void note_least(double loss, int32_t at, double *first, double *second, int32_t *first_at) noexcept nogil:
    """Keep the least loss and the least but one; no two of a line are at the same line on the other side."""
    if loss < first[0]:
        second[0] = first[0]
        first[0], first_at[0] = loss, at
    elif loss < second[0]:
        second[0] = loss


cdef void own_losses(Exclusion *x, const Lines *lines) noexcept nogil:
    """The least cost at each line, whatever is chosen elsewhere, and the least at another column (or row)."""
    cdef int32_t c, i, a
    for i in range(lines.n):
        x.own_first[i], x.own_second[i], x.own_at[i] = lines.price[i], INFINITY, -1
        for a in range(lines.start[i], lines.start[i + 1]):
            c = lines.member[a]
            if x.keep[c]:
                note_least(x.cost[c], lines.across[c], &x.own_first[i], &x.own_second[i], &x.own_at[i])
    x.work += x.problem.n_candidates


cdef int32_t look_around(Exclusion *x, const Lines *lines, int32_t i) noexcept nogil:
    """Find the lines near line ``i``, and their least losses if nothing leads to line ``i``; returns their number."""
    cdef const Problem *p = x.problem
    cdef int32_t a, b, c, d, h, k, m, n = 0
    for a in range(lines.start[i], lines.start[i + 1]):
        c = lines.member[a]
        if not x.keep[c]:
            continue
        for h in range(p.half_start[c], p.half_start[c + 1]):
            d = p.other[h]
            k = lines.line[d]             # never i: halves join candidates of different rows and columns
            if x.usable[h] and not x.is_near[k]:
                x.is_near[k] = 1
                x.near[n] = k
                n += 1
            if x.usable[p.mate[h]]:
                x.toward[d] = max(x.toward[d], x.profit[p.mate[h]])
        x.work += p.half_start[c + 1] - p.half_start[c]
    for m in range(n):
        k = x.near[m]
        x.first[k], x.second[k], x.at[k] = lines.price[k], INFINITY, -1
        for b in range(lines.start[k], lines.start[k + 1]):
            d = lines.member[b]
            if x.keep[d]:
                note_least(max(x.cost[d], x.base[d] - (x.grouped[d] - x.toward[d])), lines.across[d],
                           &x.first[k], &x.second[k], &x.at[k])
        x.work += lines.start[k + 1] - lines.start[k]
    return n


cdef double least_loss(Exclusion *x, const Lines *lines, int32_t c, int32_t n_near) noexcept nogil:
    """What a map with candidate ``c`` loses at least, at its line, those near it, and that which it displaces."""
    cdef const Problem *p = x.problem
    cdef int32_t d, h, k, m, j = lines.across[c], displaced = lines.owner[lines.across[c]]
    cdef double loss = x.base[c], there
    for m in range(n_near):
        k = x.near[m]
        x.value[k] = x.first[k] if x.at[k] != j else x.second[k]
    for h in range(p.half_start[c], p.half_start[c + 1]):
        d = p.other[h]
        k = lines.line[d]
        if x.usable[h] and x.keep[d]:     # so line k is near, and d is not in column j
            there = max(x.cost[d], x.base[d] - (x.grouped[d] - x.toward[d] + x.profit[p.mate[h]]))
            x.value[k] = min(x.value[k], there - x.profit[h])
    for m in range(n_near):
        loss += x.value[x.near[m]]
    if displaced >= 0 and displaced != lines.line[c] and not x.is_near[displaced]:
        loss += x.own_first[displaced] if x.own_at[displaced] != j else x.own_second[displaced]
    x.work += 1 + n_near + p.half_start[c + 1] - p.half_start[c]
    return loss


cdef void look_at_lines(Exclusion *x, const Lines *lines, double most, int64_t limit) noexcept nogil:
    """One pass over the lines of one side: exclude candidates that make their surroundings lose too much."""
    cdef const Problem *p = x.problem
    cdef int32_t a, c, h, i, m, n_near
    for c in range(p.n_candidates):
        if x.keep[c]:
            x.grouped[c] = largest_profits(x, c, lines.line)
    own_losses(x, lines)
    x.work += p.n_candidates + p.n_halves
    for i in range(lines.n):
        if x.work > limit:
            return
        n_near = look_around(x, lines, i)
        for a in range(lines.start[i], lines.start[i + 1]):
            c = lines.member[a]
            if x.keep[c] and least_loss(x, lines, c, n_near) > most:
                drop(x, c)
        for a in range(lines.start[i], lines.start[i + 1]):
            c = lines.member[a]
            for h in range(p.half_start[c], p.half_start[c + 1]):
                x.toward[p.other[h]] = 0.0
        for m in range(n_near):
            x.is_near[x.near[m]] = 0


cdef void exclude(Exclusion *x, double most, int64_t limit) noexcept nogil:
    """Exclude what no map can have that loses at most ``most``; ends when ``work`` exceeds ``limit``.

    It may be called again with a smaller ``most``.
    """
    cdef int32_t before, count
    cdef int _first, _again
    for _first in range(PASSES):
        before = x.n_kept
        for _again in range(LOCAL_PASSES):
            count = x.n_kept
            raise_costs(x, most)
            if x.n_kept == count or x.work > limit:
                break
        look_at_lines(x, &x.lines[0], most, limit)
        look_at_lines(x, &x.lines[1], most, limit)
        if x.n_kept > before - before // FEW_MORE or x.work > limit:
            break


def reaching(TripleFeatures a not None, TripleFeatures b not None, Py_ssize_t i, Py_ssize_t j,
             const double[::1] values not None, int rounds, int64_t limit=INT64_MAX):
    """The candidates that maps of certain values may have, after some rounds of the relaxation; for tests.

    Parameters
    ----------
    a, b, i, j
        See :func:`fastmatch._ext.matching.problem.build_problem`.
    values : float64[n]
        The values, rising. Each is looked for among what was kept for the one before.
    rounds : int > 0
    limit : int
        Visits after which it ends, of all values.

    Returns
    -------
    kept : uint8[n, n_candidates]
        1 for a candidate of the problem that may be in a map of that value. A map that has another one is worth less.
    count : int32[n]
        How many are kept, as the search counts them.
    """
    if not (0 <= i < a.n_graphs and 0 <= j < b.n_graphs):
        raise IndexError(f"no graph {i} or {j} in corpora of {a.n_graphs} and {b.n_graphs} graphs")
    cdef GraphView view_a, view_b
    cdef Problem problem
    cdef Relaxation x
    cdef Exclusion e
    cdef Watch watch
    cdef Arena arena, room, excluding
    cdef int32_t c
    cdef int k
    cdef Py_ssize_t v, n = values.shape[0]
    never = np.zeros(1, np.uint8)
    cdef const uint8_t[::1] cancel = never
    watch.cancel, watch.seconds, watch.tell = &cancel[0], INFINITY, NULL
    watch_begin(&watch, 0)
    view_graph(&view_a, a, i)
    view_graph(&view_b, b, j)
    arena_init(&arena)
    arena_init(&room)
    arena_init(&excluding)
    cdef bint fits = build(&arena, &room, &view_a, &view_b, SHORT_FROM // 3, &problem) == FINE
    fits = fits and relaxation_init(&room, &x, &problem, &watch, 0, False) == FINE
    found, counted = np.ones((n + 1, problem.n_candidates if fits else 0), np.uint8), np.zeros(n, np.int32)
    cdef uint8_t[:, ::1] kept = found       # first all candidates
    cdef int32_t[::1] count = counted
    if fits and problem.n_candidates and n:
        for k in range(rounds):
            relaxation_bound(&x, INT64_MAX)
            if k == rounds - 1 or not relaxation_step(&x, 1.0, values[n - 1]):
                break
        if k < rounds - 1:                # the last step has left the profits as they were
            relaxation_bound(&x, INT64_MAX)
        fits = exclusion_init(&excluding, &e, &problem, x.profit, &x, &kept[0, 0]) == FINE
        for v in range(n if fits else 0):
            exclude(&e, x.bound - values[v] + 1e-6, limit)      # prices are rounded
            count[v] = e.n_kept
            for c in range(problem.n_candidates):
                kept[v + 1, c] = e.keep[c]
    arena_free(&arena)
    arena_free(&room)
    arena_free(&excluding)
    if not fits:
        raise MemoryError(f"matching graphs {i} and {j} does not fit in memory")
    return found[1:], counted
