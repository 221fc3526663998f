"""The sparse quadratic matching problem of two graphs A and B, built from their features.

All solvers work on this problem. Its terms:

* A *candidate* (i, j) is a variable i of A, its row, and a variable j of B, its column, that share a unary feature or
  have relations of the same role. No other pair of variables can add to the score, so no other is stored.
* The *unary gain* of a candidate is the number of triples that match as soon as i is mapped to j.
* An *edge-pair* is two relations with the same role, i -> k in A and j -> l in B. Its *weight* is what it adds if both
  (i, j) and (k, l) are chosen. Edge-pairs of the same two candidates are joined, and their weights added.
* A *half* is an edge-pair as stored with one of its two candidates. The other candidate stores its *mate*.
* A *gain* is a unary gain or a weight. Gains are whole numbers here, and real numbers in partial.pyx; none is negative.

If both graphs have groups (triples.pyx), only pairs of variables that share a group can be candidates.

A solution chooses candidates, at most one in each row and in each column, so that the sum of the gains is largest.

Joined news documents of 500 variables have some 60,000 of 250,000 possible candidates and 40,000 edge-pairs. A sentence
has a few dozen of each.
"""

from libc.math cimport INFINITY
from libc.stdint cimport INT64_MAX, int32_t, int64_t, uint8_t, uint16_t, uint64_t
from libc.string cimport memcpy

from fastmatch._ext.base.arena cimport (
    PADDING, Arena, arena_free, arena_init, arena_reserve, doubles, ints, padded, take, take_zeros,
)
from fastmatch._ext.base.bits cimport count_bits, fm_first_bit
from fastmatch._ext.matching.triples cimport TripleFeatures
from fastmatch._ext.base.search cimport lower_bound_three, lower_bound_two
from fastmatch._ext.base.sorting cimport sort_keys
from fastmatch._ext.base.status cimport FINE, NO_MEMORY, TOO_LARGE
from fastmatch._ext.base.watch cimport Watch, watch_spent

import numpy as np

cdef enum:
    # Candidates are numbered in a table of all cells (i, j), a fourth of a byte each, and not by sorting, if there are
    # not more cells than this, or if the table takes no more memory than the lists that would be sorted.
    DENSE_CELLS = 1 << 28
    # The same for a thin problem, and edge-pairs that are looked at for each that it may have.
    THIN_CELLS = 1 << 29
    THIN_EDGES = 40

cdef double ORDINARY = 2000.0         # characters
cdef double MOST = 22.0
cdef double MOST_REAL = 18.0            # where gains are no whole numbers, whose visits take longer
cdef int64_t GROWING = 10_000_000      # work from which on it grows with the graphs
cdef int64_t FEW = 10_000
# Wall time until a problem has its first bound, for each unary match and each edge-pair: 0.9 s for 3.5 million edges.
cdef double SECONDS_UNARY = 5e-8
cdef double SECONDS_EDGE = 2.5e-7


cdef void view_graph(GraphView *view, TripleFeatures features, Py_ssize_t g) noexcept nogil:
    cdef int64_t start = features.unary_offsets[g]
    view.n_variables = features.variables[g]
    view.n_unary = features.unary_offsets[g + 1] - start
    if view.n_unary:
        view.key = &features.unary_keys[start]
        view.variable = &features.unary[0, start]
        view.unary_count = &features.unary[1, start]
    start = features.relation_offsets[g]
    view.n_relations = features.relation_offsets[g + 1] - start
    if view.n_relations:
        view.role = &features.relations[0, start]
        view.source = &features.relations[1, start]
        view.target = &features.relations[2, start]
        view.relation_count = &features.relations[3, start]
    view.group_start = NULL
    if features.grouped and features.restricted[g]:
        view.group_start = &features.group_offsets[features.variable_offsets[g]]
        if features.groups.shape[0]:
            view.group = &features.groups[0]


cdef Py_ssize_t find_unary(const GraphView *view, int64_t key, int32_t variable) noexcept nogil:
    """Index of a unary feature of a graph, or -1."""
    cdef Py_ssize_t k = lower_bound_two(view.key, view.variable, 0, view.n_unary, key, variable)
    return k if k < view.n_unary and view.key[k] == key and view.variable[k] == variable else -1


cdef Py_ssize_t find_relation(const GraphView *view, int32_t role, int32_t source, int32_t target) noexcept nogil:
    """Index of a relation of a graph, or -1."""
    cdef Py_ssize_t k
    k = lower_bound_three(view.role, view.source, view.target, 0, view.n_relations, role, source, target)
    if k < view.n_relations and view.role[k] == role and view.source[k] == source and view.target[k] == target:
        return k
    return -1


cdef double shortest_text(const GraphView *view) noexcept nogil:
    """Characters of the shortest text that a graph of so many variables, concepts, values and relations can have.

    ``:(x/y)`` is a variable with a concept and the relation that leads to it, ``: x`` one more relation or value.
    """
    cdef Py_ssize_t k, named = 0, more
    for k in range(view.n_unary):
        if <int32_t> view.key[k] != 0:
            named += 1
    more = max(<Py_ssize_t> 0, view.n_relations - view.n_variables + 1)
    return <double> (3 * view.n_variables + 2 * named + view.n_relations + 2 * more)


cdef int64_t allowance(int64_t work, const GraphView *a, const GraphView *b, bint whole) noexcept nogil:
    """Work that a pair may take, if one whose texts may have ORDINARY characters may take ``work``.

    It grows with the fourth power of the geometric mean of the two sizes, up to MOST times ``work``, or MOST_REAL where
    gains are not ``whole``. The bounds of documents close in the end, but take more rounds, and the work of a round
    grows with the square of the size.
    Less work than GROWING does not grow: whoever allows so little wants an answer within a known time.
    """
    if unlimited(work) or work < GROWING:
        return work
    if 3.0 * max(a.n_variables + a.n_unary + a.n_relations, b.n_variables + b.n_unary + b.n_relations) <= ORDINARY:
        return work                   # as for nearly all sentences
    cdef double size = shortest_text(a) * shortest_text(b) / (ORDINARY * ORDINARY)
    return <int64_t> (work * min(MOST if whole else MOST_REAL, max(1.0, size * size)))


cdef int64_t largest_problem(int64_t work) noexcept nogil:
    """Unary matches, or edge-pairs, up to which a problem is built: FEW, or what takes at most half of ``work``."""
    return min(<int64_t> PROBLEM_LIMIT, max(FEW, work // (4 * BUILD_WORK)))


cdef void count_matches(const GraphView *a, const GraphView *b, int64_t *n_unary, int64_t *n_edges) noexcept nogil:
    """Count the pairs of unary features with the same key, and those of relations with the same role."""
    cdef Run run = Run(0, 0, 0, 0)
    n_unary[0] = 0
    n_edges[0] = 0
    while next_key(a, b, &run):
        n_unary[0] += <int64_t> (run.stop_i - run.i) * (run.stop_j - run.j)
    run = Run(0, 0, 0, 0)
    while next_role(a, b, &run):
        n_edges[0] += <int64_t> (run.stop_i - run.i) * (run.stop_j - run.j)


cdef bint takes_too_long(const GraphView *a, const GraphView *b, const Watch *watch) noexcept nogil:
    """Whether to build the problem, and to bound it once, would take more time than is left, where time is limited.

    This is an estimate, since neither can be left half done. Groups leave little of large problems.
    """
    cdef int64_t n_unary, n_edges
    if watch.seconds == INFINITY or restricted(a, b):
        return False
    count_matches(a, b, &n_unary, &n_edges)
    return n_unary + n_edges > FEW and (
        SECONDS_UNARY * n_unary + SECONDS_EDGE * n_edges > watch.seconds - watch_spent(watch))


cdef inline int64_t groups_of(const GraphView *view, int32_t i) noexcept nogil:
    return view.group_start[i + 1] - view.group_start[i] + 1


cdef int count_allowed(const GraphView *a, const GraphView *b, int64_t limit, int64_t *n_unary,
                       int64_t *n_edges) noexcept nogil:
    """As :func:`count_matches`, but only what groups allow.

    Returns
    -------
    FINE, or TOO_LARGE, with no counts, if one exceeds ``limit``, or if that takes too long to find out: long lists of
    groups that have nothing in common are read to their ends for each pair of variables.
    """
    cdef Run run = Run(0, 0, 0, 0)
    cdef Py_ssize_t e, f
    cdef int64_t cost = 0
    n_unary[0] = 0
    n_edges[0] = 0
    while next_key(a, b, &run):
        for e in range(run.i, run.stop_i):
            for f in range(run.j, run.stop_j):
                n_unary[0] += allowed(a, b, a.variable[e], b.variable[f])
                cost += groups_of(a, a.variable[e]) + groups_of(b, b.variable[f])
            if n_unary[0] > limit or cost > LOOKED_AT * limit:
                return TOO_LARGE
    run = Run(0, 0, 0, 0)
    while next_role(a, b, &run):
        for e in range(run.i, run.stop_i):
            for f in range(run.j, run.stop_j):
                if allowed(a, b, a.source[e], b.source[f]) and allowed(a, b, a.target[e], b.target[f]):
                    n_edges[0] += 1
                cost += groups_of(a, a.source[e]) + groups_of(b, b.source[f])
            if n_edges[0] > limit or cost > LOOKED_AT * limit:
                return TOO_LARGE
    return FINE


cdef int problem_init(Arena *arena, Problem *problem, int32_t n_rows, int32_t n_cols, int64_t n_candidates,
                      int64_t n_halves, size_t extra) noexcept nogil:
    """Empty ``arena``, and take arrays from it for at most so many candidates and halves; FINE or NO_MEMORY.

    ``extra`` bytes stay free in it for the caller. Sets ``n_rows`` and ``n_cols``, but not ``n_candidates`` and
    ``n_halves``. Gains are put into no bytes, unless the caller has it so (:func:`use_bytes`): room that is not used
    takes no memory in large problems.
    """
    if arena_reserve(
        arena,
        n_candidates * (sizeof(double) + 3 * sizeof(int32_t) + 1) + (n_rows + 2) * sizeof(int32_t)
        + n_halves * (sizeof(double) + 2 * sizeof(int32_t) + 1) + 10 * PADDING + extra,
    ) < 0:
        return NO_MEMORY
    problem.n_rows, problem.n_cols = n_rows, n_cols
    problem.row, problem.col = ints(arena, n_candidates), ints(arena, n_candidates)
    problem.unary_byte = <uint8_t *> take(arena, n_candidates)
    problem.row_start = ints(arena, n_rows + 1)
    problem.half_start = ints(arena, n_candidates + 1)
    problem.other, problem.mate = ints(arena, n_halves), ints(arena, n_halves)
    problem.weight_byte = <uint8_t *> take(arena, n_halves)
    problem.weight_room, problem.unary_room = doubles(arena, n_halves), doubles(arena, n_candidates)
    problem.ends = NULL
    use_bytes(problem, False, False)
    return FINE


cdef int64_t number_cells(Cells *cells) noexcept nogil:
    """Number the marked cells in their order; returns how many they are."""
    cdef int64_t n = 0
    cdef Py_ssize_t k
    if cells.word == NULL:
        sort_keys(cells.cell, cells.n_listed, cells.cell + cells.n_listed)
        for k in range(cells.n_listed):
            if k == 0 or cells.cell[k] != cells.cell[n - 1]:
                cells.cell[n] = cells.cell[k]
                n += 1
        cells.n_listed = n
        return n
    for k in range(cells.n_words):
        cells.word[k].before = n
        n += count_bits(cells.word[k].members)
    return n


cdef void place_candidates(Problem *problem, const Cells *cells, int64_t n_candidates) noexcept nogil:
    """Fill in rows and columns of the candidates, and set their number."""
    cdef int64_t cell, begin = 0, stop = 0
    cdef int32_t n = 0, i = -1
    cdef uint64_t members
    cdef Py_ssize_t k
    if n_candidates > SHORT_FROM and max(problem.n_rows, problem.n_cols) <= 1 << 16:
        problem.row_short, problem.row = <uint16_t *> problem.row, NULL
        problem.col_short, problem.col = problem.row_short + n_candidates, NULL
    for k in range(cells.n_words if cells.word != NULL else cells.n_listed):
        members = cells.word[k].members if cells.word != NULL else 1
        while members:
            cell = 64 * k + fm_first_bit(members) if cells.word != NULL else <int64_t> cells.cell[k]
            members &= members - 1
            while cell >= stop:
                i += 1
                begin, stop = stop, stop + problem.n_cols
                problem.row_start[i] = n
            if problem.row != NULL:
                problem.row[n], problem.col[n] = i, <int32_t> (cell - begin)
            else:
                problem.row_short[n], problem.col_short[n] = <uint16_t> i, <uint16_t> (cell - begin)
            n += 1
    for k in range(i + 1, problem.n_rows + 1):
        problem.row_start[k] = n
    problem.n_candidates = n


cdef bint sort_halves(Problem *problem, const double *gains, int32_t *fill, bint *twice) noexcept nogil:
    """Sort the lists in ``mate`` of what each candidate is joined to into ``other``, with weights.

    Candidate c is in ``half_start[c]`` … ``fill[c]`` - 1 then. ``twice``: whether it was in some list several times.
    Returns whether the weights fit where they stand.
    """
    cdef int32_t c, d, h, k
    cdef double w = 1.0
    cdef bint narrow = problem.weight == NULL
    memcpy(fill, problem.half_start, problem.n_candidates * sizeof(int32_t))
    # Whom the lists of c = 0, 1, … name, in this order, gets c: each list comes out as it was, but sorted.
    for c in range(problem.n_candidates):
        for h in range(problem.half_start[c], problem.half_start[c + 1]):
            d = problem.mate[h]
            k = fill[d]
            if gains != NULL:
                w = gains[h]
            if k > problem.half_start[d] and problem.other[k - 1] == c:
                twice[0] = True
                if narrow and weight_of(problem, k - 1) + w > 255.0:
                    return False
                put_weight(problem, k - 1, weight_of(problem, k - 1) + w)
            else:
                problem.other[k] = c
                put_weight(problem, k, w)
                fill[d] = k + 1
    return True


cdef void find_mates(Problem *problem, int32_t *fill) noexcept nogil:
    """Fill in ``mate`` and ``ends``, when all else is known. ``fill`` [n_candidates] is work space."""
    cdef int32_t c, d, h
    # Of each list those with a smaller candidate come first, in the order in which these are visited here.
    memcpy(fill, problem.half_start, problem.n_candidates * sizeof(int32_t))
    for c in range(problem.n_candidates):
        for h in range(problem.half_start[c], problem.half_start[c + 1]):
            d = problem.other[h]
            if d > c:
                problem.mate[h], problem.mate[fill[d]] = fill[d], h
                fill[d] += 1
    if problem.weight == NULL and max(problem.n_rows, problem.n_cols) <= 1 << 16:
        problem.ends = <uint16_t *> problem.weight_room
        for h in range(problem.n_halves):
            problem.ends[2 * <size_t> h] = <uint16_t> row_at(problem, problem.other[h])
            problem.ends[2 * <size_t> h + 1] = <uint16_t> col_at(problem, problem.other[h])


cdef void join_halves(Problem *problem, int32_t n_edges, double *gains, int32_t *fill) noexcept nogil:
    """Fill in the halves from the edge-pairs that :func:`put_edge` has noted; those of the same candidates are joined.

    Parameters
    ----------
    problem : Problem
        Its candidates are known. Receives ``half_start``, ``other``, ``mate``, ``weight`` and ``n_halves``.
    n_edges : int32
    gains : double[3 * n_edges] or NULL
        What :func:`put_edge` got, and work space; NULL if all gains are 1.
    fill : int32[n_candidates]
        Work space.
    """
    cdef int32_t c, d, h, k, begin, n = 0
    cdef double *laid = gains + n_edges if gains != NULL else NULL
    cdef bint small = True, twice = False
    memset(problem.half_start, 0, (problem.n_candidates + 1) * sizeof(int32_t))
    for h in range(2 * n_edges):
        problem.half_start[problem.other[h] + 1] += 1
    for c in range(problem.n_candidates):
        fill[c] = problem.half_start[c]
        problem.half_start[c + 1] += problem.half_start[c]
    for k in range(n_edges):
        c, d = problem.other[2 * k], problem.other[2 * k + 1]
        problem.mate[fill[c]], problem.mate[fill[d]] = d, c
        if gains != NULL:
            laid[fill[c]] = laid[fill[d]] = gains[k]
            small = small and fits(gains[k])
        fill[c] += 1
        fill[d] += 1
    use_bytes(problem, problem.unary == NULL, small)
    if not sort_halves(problem, laid, fill, &twice):
        use_bytes(problem, problem.unary == NULL, False)
        sort_halves(problem, laid, fill, &twice)
    n = 2 * n_edges
    if twice:
        n = 0
        for c in range(problem.n_candidates):
            begin, problem.half_start[c] = problem.half_start[c], n
            for h in range(begin, fill[c]):
                problem.other[n] = problem.other[h]
                put_weight(problem, n, weight_of(problem, h))
                n += 1
    problem.half_start[problem.n_candidates] = problem.n_halves = n
    find_mates(problem, fill)


cdef bint counted_once(const int32_t *counts, Py_ssize_t n) noexcept nogil:
    """Whether all counts are 1."""
    cdef Py_ssize_t k
    for k in range(n):
        if counts[k] != 1:
            return False
    return True


cdef bint add_unary(const GraphView *a, const GraphView *b, const Cells *cells, Problem *problem) noexcept nogil:
    """Fill in the unary gains; returns whether they fit where they stand."""
    cdef Run run = Run(0, 0, 0, 0)
    cdef Py_ssize_t e, f
    cdef int32_t c
    cdef double gain
    cdef bint narrow = problem.unary == NULL
    for c in range(problem.n_candidates):
        put_unary(problem, c, 0.0)
    while next_key(a, b, &run):
        for e in range(run.i, run.stop_i):
            for f in range(run.j, run.stop_j):
                c = number_of(cells, <int64_t> a.variable[e] * problem.n_cols + b.variable[f])
                if c >= 0:            # they may match
                    gain = unary_gain(problem, c) + <double> a.unary_count[e] * b.unary_count[f]
                    if narrow and not fits(gain):
                        return False
                    put_unary(problem, c, gain)
    return True


cdef inline int64_t matches_of(const Run *run) noexcept nogil:
    return <int64_t> (run.stop_i - run.i) * (run.stop_j - run.j)


cdef int64_t rare_enough(const GraphView *a, const GraphView *b, int64_t limit, int64_t *n_unary) noexcept nogil:
    """Matches that a key may have at most so that all those with no more have ``limit`` or fewer, about; and these."""
    cdef Run run
    cdef int64_t most = limit
    while True:
        n_unary[0] = 0
        run = Run(0, 0, 0, 0)
        while next_key(a, b, &run):
            n_unary[0] += matches_of(&run) if matches_of(&run) <= most else 0
        if n_unary[0] <= limit:
            return most
        most //= 2


# Where relations of B stand that have the same role.
cdef struct Ends:
    int32_t *first      # [n_variables] of each source its first one, or -1
    int32_t *last       # [n_variables] of each target its last one, or -1
    int32_t *before     # [n_relations] the one before with the same target, or -1
    int32_t *columns    # [n_variables] room for marked_in()


cdef size_t ends_size(const GraphView *b) noexcept nogil:
    """Bytes that :func:`ends_init` takes from an arena."""
    return (3 * <size_t> b.n_variables + b.n_relations) * sizeof(int32_t) + 4 * PADDING


cdef void ends_init(Arena *arena, const GraphView *b, Ends *ends) noexcept nogil:
    """Take arrays from ``arena``, :func:`ends_size` bytes; no relation is entered."""
    ends.first, ends.last = ints(arena, b.n_variables), ints(arena, b.n_variables)
    ends.columns, ends.before = ints(arena, b.n_variables), ints(arena, b.n_relations)
    memset(ends.first, 0xff, b.n_variables * sizeof(int32_t))
    memset(ends.last, 0xff, b.n_variables * sizeof(int32_t))


cdef void index_ends(const GraphView *b, const Run *run, bint known, Ends *ends) noexcept nogil:
    """Enter the relations of a run of B if they are ``known``; else forget them."""
    cdef Py_ssize_t f
    for f in range(run.j, run.stop_j):
        if not known:
            ends.first[b.source[f]] = ends.last[b.target[f]] = -1
            continue
        if f == run.j or b.source[f] != b.source[f - 1]:
            ends.first[b.source[f]] = <int32_t> f
        ends.before[f] = ends.last[b.target[f]]
        ends.last[b.target[f]] = <int32_t> f


cdef int32_t marked_in(const Cells *cells, int64_t row, int32_t n_cols, int32_t *columns) noexcept nogil:
    """List the columns of the candidates of a row, where there is a table; returns how many they are."""
    cdef int64_t k, start = row * n_cols, stop = start + n_cols
    cdef uint64_t members
    cdef int32_t n = 0
    for k in range(start >> 6, (stop + 63) >> 6):
        members = cells.word[k].members
        if k == start >> 6:
            members &= ~<uint64_t> 0 << (start & 63)
        if k == stop >> 6:
            members &= (<uint64_t> 1 << (stop & 63)) - 1
        while members:
            columns[n] = <int32_t> (64 * k + fm_first_bit(members) - start)
            members &= members - 1
            n += 1
    return n


cdef int64_t edges_of(
    const GraphView *a, const GraphView *b, Cells *cells, Ends *ends, int64_t limit, bint marking, Problem *problem,
    double *gains
) noexcept nogil:
    """Count the edge-pairs whose cells, both, are candidates, in a table; it stops soon after ``limit``.

    ``problem``, if it is not NULL, gets them. With ``marking``, one cell is enough, and both are marked for later. Only
    relations at candidates are looked at: a large text has a hundred times as many pairs of relations of one role.
    """
    cdef int32_t m = b.n_variables, k, n_columns
    cdef int64_t n_edges = 0, near, far
    cdef Py_ssize_t e, f
    cdef Run run = Run(0, 0, 0, 0)
    while next_role(a, b, &run):
        index_ends(b, &run, True, ends)
        for e in range(run.i, run.stop_i):
            near, far = <int64_t> a.source[e] * m, <int64_t> a.target[e] * m
            n_columns = marked_in(cells, a.source[e], m, ends.columns)
            for k in range(n_columns):
                f = ends.first[ends.columns[k]]
                while 0 <= f < run.stop_j and b.source[f] == ends.columns[k]:
                    if marking:
                        mark_later(cells, near + b.source[f])
                        mark_later(cells, far + b.target[f])
                        n_edges += 1
                    elif marked(cells, far + b.target[f]):
                        if problem != NULL:
                            put_edge(problem, gains, <int32_t> n_edges, number_of(cells, near + b.source[f]),
                                     number_of(cells, far + b.target[f]),
                                     <double> a.relation_count[e] * b.relation_count[f])
                        n_edges += 1
                    f += 1
            n_columns = marked_in(cells, a.target[e], m, ends.columns) if marking else 0
            for k in range(n_columns):
                f = ends.last[ends.columns[k]]
                while f >= 0:
                    if not marked(cells, near + b.source[f]):
                        mark_later(cells, near + b.source[f])
                        mark_later(cells, far + b.target[f])
                        n_edges += 1
                    f = ends.before[f]
            if n_edges > limit:
                return n_edges
        index_ends(b, &run, False, ends)
    return n_edges


cdef int build(Arena *arena, Arena *spare, const GraphView *a, const GraphView *b, int64_t limit,
               Problem *problem, bint thin=False) noexcept nogil:
    """Build the problem of two graphs in ``arena``, which is emptied first.

    ``spare`` is emptied, too, and holds the little that is needed only meanwhile: edge-pairs
    are listed where the halves will be. With ``thin``, candidates are left out that are unlikely in large graphs: those
    that have no unary feature in common, or only one that too many have, and no edge-pair with such a candidate.

    Returns
    -------
    FINE, NO_MEMORY, or TOO_LARGE if there would be more than ``limit`` unary matches or edge-pairs, or too many
    candidates and halves for the memory.
    """
    cdef int64_t raw_unary, raw_edges, n_cells, n_raw, n_candidates, n_thin, most = INT64_MAX
    cdef int32_t n = a.n_variables, m = b.n_variables, c, d, n_edges = 0
    cdef Ends ends
    cdef Py_ssize_t e, f, k
    cdef Run run = Run(0, 0, 0, 0)
    cdef bint within = restricted(a, b), once
    cdef Cells cells = Cells(NULL, 0, NULL, 0)
    cdef double *gains = NULL
    count_matches(a, b, &raw_unary, &raw_edges)
    if within and count_allowed(a, b, limit, &raw_unary, &raw_edges) != FINE:
        return TOO_LARGE
    problem.n_matches = raw_unary + raw_edges
    n_cells = <int64_t> n * m
    if thin:
        if within or n_cells > THIN_CELLS or raw_edges > THIN_EDGES * limit:
            return TOO_LARGE
        # No limit of work changes which problem this is: more work finds no worse map.
        most = rare_enough(a, b, <int64_t> (PROBLEM_LIMIT * min(1.0, 0.5 * n_cells / (raw_edges + 1.0))), &raw_unary)
        raw_edges = min(raw_edges, limit)
    if raw_unary > limit or raw_edges > limit:
        return TOO_LARGE
    n_raw = raw_unary + 2 * raw_edges
    once = counted_once(a.relation_count, a.n_relations) and counted_once(b.relation_count, b.n_relations)
    cdef bint dense = thin or n_cells <= max(DENSE_CELLS, 8 * n_raw * <int64_t> sizeof(uint64_t))
    cdef size_t room = (n_cells // 64 + 1) * sizeof(Word) if dense else 2 * n_raw * sizeof(uint64_t)
    if arena_reserve(spare, padded(room) + (0 if once else padded(3 * raw_edges * sizeof(double)))
                     + padded(min(n_raw, n_cells) * sizeof(int32_t)) + (ends_size(b) if thin else 0)) < 0:
        return NO_MEMORY
    if dense:
        cells.n_words = n_cells // 64 + 1
        cells.word = <Word *> take_zeros(spare, room)
    else:
        cells.cell = <uint64_t *> take(spare, room)
    if not once:
        gains = doubles(spare, 3 * raw_edges)
    cdef int32_t *fill = ints(spare, min(n_raw, n_cells))

    # 1. Number the candidates in order of (row, col).
    while next_key(a, b, &run):
        if matches_of(&run) > most:
            continue
        for e in range(run.i, run.stop_i):
            for f in range(run.j, run.stop_j):
                if not within or allowed(a, b, a.variable[e], b.variable[f]):
                    mark_cell(&cells, <int64_t> a.variable[e] * m + b.variable[f])
    run = Run(0, 0, 0, 0)
    while not thin and next_role(a, b, &run):
        for e in range(run.i, run.stop_i):
            for f in range(run.j, run.stop_j):
                if not within or (allowed(a, b, a.source[e], b.source[f])
                                  and allowed(a, b, a.target[e], b.target[f])):
                    mark_cell(&cells, <int64_t> a.source[e] * m + b.source[f])
                    mark_cell(&cells, <int64_t> a.target[e] * m + b.target[f])
                    n_edges += 1
            if n_edges > limit:
                return TOO_LARGE
    if thin:
        ends_init(spare, b, &ends)
        if edges_of(a, b, &cells, &ends, limit, True, NULL, NULL) > limit:
            return TOO_LARGE
        for k in range(cells.n_words):
            cells.word[k].members |= <uint64_t> cells.word[k].before
        n_thin = edges_of(a, b, &cells, &ends, limit, False, NULL, NULL)
        if n_thin > limit:
            return TOO_LARGE
        n_edges = <int32_t> n_thin
        problem.n_matches = raw_unary + n_edges
    n_candidates = number_cells(&cells)
    if too_many(n_candidates, 2 * n_edges):
        return TOO_LARGE
    if problem_init(arena, problem, n, m, n_candidates, 2 * n_edges, 0) != FINE:
        return NO_MEMORY
    place_candidates(problem, &cells, n_candidates)
    use_bytes(problem, True, False)
    if not add_unary(a, b, &cells, problem):
        use_bytes(problem, False, False)
        add_unary(a, b, &cells, problem)

    # 2. Write the edge-pairs as pairs of candidates. One is allowed if both of its cells are candidates: no other is.
    if thin:
        edges_of(a, b, &cells, &ends, limit, False, problem, gains)
        join_halves(problem, n_edges, gains, fill)
        return FINE
    n_edges = 0
    run = Run(0, 0, 0, 0)
    while next_role(a, b, &run):
        for e in range(run.i, run.stop_i):
            for f in range(run.j, run.stop_j):
                c = number_of(&cells, <int64_t> a.source[e] * m + b.source[f])
                d = number_of(&cells, <int64_t> a.target[e] * m + b.target[f])
                if c >= 0 and d >= 0:
                    put_edge(problem, gains, n_edges, c, d, <double> a.relation_count[e] * b.relation_count[f])
                    n_edges += 1
    join_halves(problem, n_edges, gains, fill)
    return FINE


def build_problem(TripleFeatures a not None, TripleFeatures b not None, Py_ssize_t i, Py_ssize_t j,
                  bint whole=True, bint thin=False):
    """The matching problem of graph ``i`` of ``a`` and graph ``j`` of ``b``, for other solvers and for tests.

    Parameters
    ----------
    a, b : TripleFeatures
        Features of the two corpora (same options, same vocabulary).
    i, j : int
        Graphs, from 0.
    whole : bool
        Gains are int64; otherwise the same numbers are float64.
    thin : bool
        Only what is likely in large graphs: candidates that have a unary feature in common which not too many have,
        those at the other ends of their edge-pairs, and the edge-pairs between all these.

    Returns
    -------
    n, m : int
        Numbers of variables of the two graphs.
    candidate_a, candidate_b : int32, shape (n_candidates,)
        The two variables of each candidate, sorted.
    unary : int64, shape (n_candidates,)
        Unary gains, >= 0.
    first, second : int32, shape (n_edge_pairs,)
        The two candidates of each edge-pair, first < second.
    weight : int64, shape (n_edge_pairs,)
        Weights of the edge-pairs, > 0.

    Raises
    ------
    IndexError
        If there is no such graph.
    MemoryError
        If the problem does not fit in memory, or has more than 5 million unary matches or edge-pairs.

    Notes
    -----
    The terms are defined at the top of ``problem.pyx``.
    """
    cdef GraphView view_a, view_b
    cdef Problem problem
    cdef Arena arena, spare
    if not (0 <= i < a.n_graphs and 0 <= j < b.n_graphs):
        raise IndexError(f"no graph {i} or {j} in corpora of {a.n_graphs} and {b.n_graphs} graphs")
    view_graph(&view_a, a, i)
    view_graph(&view_b, b, j)
    arena_init(&arena)
    arena_init(&spare)
    cdef int status = build(&arena, &spare, &view_a, &view_b, PROBLEM_LIMIT, &problem, thin)
    arena_free(&spare)
    if status != FINE:
        arena_free(&arena)
        raise MemoryError(f"matching graphs {i} and {j} does not fit in memory")
    arrays = problem_arrays(&problem, whole)
    arena_free(&arena)
    return arrays


cdef tuple problem_arrays(const Problem *problem, bint whole):
    """A problem as :func:`build_problem` returns it; gains are int64 if ``whole``, else float64."""
    cdef int32_t c, h
    cdef Py_ssize_t e = 0
    candidates = np.empty((2, problem.n_candidates), np.int32)
    unary = np.empty(problem.n_candidates, np.float64)
    ends = np.empty((2, problem.n_halves // 2), np.int32)
    weight = np.empty(problem.n_halves // 2, np.float64)
    cdef int32_t[:, ::1] candidates_view = candidates
    cdef int32_t[:, ::1] ends_view = ends
    cdef double[::1] unary_view = unary
    cdef double[::1] weight_view = weight
    for c in range(problem.n_candidates):
        candidates_view[0, c] = row_at(problem, c)
        candidates_view[1, c] = col_at(problem, c)
        unary_view[c] = unary_gain(problem, c)
        for h in range(problem.half_start[c], problem.half_start[c + 1]):
            if problem.other[h] > c:
                ends_view[0, e] = c
                ends_view[1, e] = problem.other[h]
                weight_view[e] = weight_of(problem, h)
                e += 1
    if whole:
        unary, weight = unary.astype(np.int64), weight.astype(np.int64)
    return problem.n_rows, problem.n_cols, candidates[0], candidates[1], unary, ends[0], ends[1], weight
