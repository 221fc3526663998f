# cython: language_level=3
# Best matches of large graphs: each label, and each kind of edge, is looked at once, and lists hold what is alike.
# Inline, for the one module that matches pairs.
from libc.stdint cimport int32_t, int64_t, uint8_t
from libc.string cimport memset

from fastmatch._ext.base.arena cimport Arena, Ints, ints, take, take_zeros
from fastmatch._ext.base.columns cimport Column, release, room
from fastmatch._ext.base.sorting cimport Pair, packed, sort_pairs
from fastmatch._ext.base.status cimport FINE, NO_MEMORY, stop_after

cdef enum:
    # Labels that are alike, and what is looked at to compare edges.
    MOST_ALIKE = 20000000
    MOST_VISITS = 1000000000
    # Cells computed between two questions whether to go on: a millisecond.
    PATIENCE = 100000


# A large graph: its labels, and its kinds of edges.
cdef struct Side:
    int64_t n_labels, n_kinds
    int32_t *rows                     # [n_labels] of the space
    int32_t *label                    # [nodes]
    double *best                      # [n_labels] what the best match is worth, and the first label that is one
    int32_t *first
    Ints source, target, role         # [n_kinds] two labels and a role; sorted by source and target
    int32_t *kind                     # [edges]
    double *edge_best                 # [n_kinds]
    Ints by_source_start, by_source   # [n_labels + 1], [n_kinds]: kinds that leave each label, of the second graph
    Ints by_target_start, by_target   # and that enter it


cdef struct Large:
    Side mine
    Side theirs
    int64_t *start                    # [labels + 1] of each label of the first graph, where its list begins
    Column at                         # int32: labels of the second graph that are alike, and how much
    Column value                      # double
    double least                      # what is not more alike is not on the lists
    bint whole                        # whether nothing was dropped
    Pair *sorting[3]
    int64_t *leaving                  # [labels] of each label of the first graph: how long its list is, and how many
    int64_t *entering                 # kinds of edges leave the labels that are on it; and enter them


cdef inline void number_labels(Arena *arena, Large *x, Side *side, const int32_t *rows, int64_t n) noexcept nogil:
    """Number the labels of n nodes."""
    cdef int64_t k
    cdef Pair *list = x.sorting[0]
    side.label, side.rows, side.first = ints(arena, n), ints(arena, n), ints(arena, n)
    side.best = <double *> take_zeros(arena, n * sizeof(double))
    for k in range(n):
        list[k].major, list[k].minor = rows[k], k
    sort_pairs(list, n, x.sorting[1])
    side.n_labels = 0
    for k in range(n):
        if k == 0 or list[k].major != list[k - 1].major:
            side.rows[side.n_labels] = <int32_t> list[k].major
            side.n_labels += 1
        side.label[list[k].minor] = <int32_t> side.n_labels - 1


cdef inline void number_edges(
    Arena *arena, Large *x, Side *side, const int32_t *sources, const int32_t *roles, const int32_t *targets, int64_t n
) noexcept nogil:
    """Number the kinds of n edges: label of the source, label of the target, role."""
    cdef int64_t k
    cdef Pair *list = x.sorting[0]
    side.kind, side.source, side.target = ints(arena, n), ints(arena, n), ints(arena, n)
    side.role = ints(arena, n)
    side.edge_best = <double *> take_zeros(arena, n * sizeof(double))
    for k in range(n):
        list[k].major = packed(side.label[sources[k]], side.label[targets[k]])
        list[k].minor = packed(roles[k], k)
    sort_pairs(list, n, x.sorting[1])
    side.n_kinds = 0
    for k in range(n):
        if (k == 0 or list[k].major != list[k - 1].major or list[k].minor >> 32 != list[k - 1].minor >> 32):
            side.source[side.n_kinds] = <int32_t> (list[k].major >> 32)
            side.target[side.n_kinds] = <int32_t> list[k].major
            side.role[side.n_kinds] = <int32_t> (list[k].minor >> 32)
            side.n_kinds += 1
        side.kind[<int32_t> list[k].minor] = <int32_t> side.n_kinds - 1


cdef inline void index_kinds(Arena *arena, Side *side, int64_t n_labels) noexcept nogil:
    """List the kinds of edges at each label, those that leave it and those that enter it."""
    cdef int64_t k
    cdef int way
    cdef int32_t *start[2]
    cdef int32_t *list[2]
    cdef const int32_t *end[2]
    end[0], end[1] = side.source, side.target
    for way in range(2):
        start[way] = <int32_t *> take_zeros(arena, (n_labels + 1) * sizeof(int32_t))
        list[way] = ints(arena, side.n_kinds)
        for k in range(side.n_kinds):
            start[way][end[way][k]] += 1
        for k in range(n_labels):
            start[way][k + 1] += start[way][k]
        for k in range(side.n_kinds):   # from the end of each stretch to its start
            start[way][end[way][k]] -= 1
            list[way][start[way][end[way][k]]] = <int32_t> k
    side.by_source_start, side.by_source = start[0], list[0]
    side.by_target_start, side.by_target = start[1], list[1]


cdef inline void lead(Large *x) noexcept nogil:
    """Count what the lists of labels lead to."""
    cdef int64_t v, k
    cdef const int32_t *at = <const int32_t *> x.at.data
    cdef const int32_t *leaving = x.theirs.by_source_start
    cdef const int32_t *entering = x.theirs.by_target_start
    for v in range(x.mine.n_labels):
        x.leaving[v] = x.entering[v] = x.start[v + 1] - x.start[v]
        for k in range(x.start[v], x.start[v + 1]):
            x.leaving[v] += leaving[at[k] + 1] - leaving[at[k]]
            x.entering[v] += entering[at[k] + 1] - entering[at[k]]


cdef inline int64_t visits(const Large *x) noexcept nogil:
    """What :func:`match_kinds` does, about: kinds of edges and entries of lists."""
    cdef int64_t e, count = 0
    cdef const int32_t *source = x.mine.source
    cdef const int32_t *target = x.mine.target
    for e in range(x.mine.n_kinds):
        count += min(x.leaving[source[e]], x.entering[target[e]])
        count += min(x.entering[source[e]], x.leaving[target[e]])
    return count


cdef inline int64_t look(
    Large *x, int64_t e, int32_t label, const int32_t *start, const int32_t *list, const int32_t *end,
    const double *alike, double same, double other
) noexcept nogil:
    """Match kind e with the kinds that the list of its one end leads to.

    ``alike``: how its other end is like each label. ``end``: of each kind of the other graph, the end at which
    ``alike`` counts. Returns how many were looked at.
    """
    cdef int64_t k, p, count = 0
    cdef int32_t f, role = x.mine.role[e]
    cdef const int32_t *at = <const int32_t *> x.at.data
    cdef const double *value = <const double *> x.value.data
    cdef double s, best = x.mine.edge_best[e]
    for k in range(x.start[label], x.start[label + 1]):
        count += 1 + start[at[k] + 1] - start[at[k]]
        for p in range(start[at[k]], start[at[k] + 1]):
            f = list[p]
            s = value[k] * alike[end[f]] * (same if x.theirs.role[f] == role else other)
            best = s if s > best else best
            x.theirs.edge_best[f] = s if s > x.theirs.edge_best[f] else x.theirs.edge_best[f]
    x.mine.edge_best[e] = best
    return count


cdef inline bint may_drop(const Large *x) noexcept nogil:
    """Whether anything is on the lists but what is nearly equal: that is never dropped."""
    return x.least < 0.99


cdef inline void drop(Large *x, int64_t n_rows) noexcept nogil:
    """Take what is no more than half of the way from ``least`` to 1 alike off the lists of the first labels."""
    cdef int64_t v, k, first, used = 0
    cdef int32_t *at = <int32_t *> x.at.data
    cdef double *value = <double *> x.value.data
    x.least = 0.5 + x.least / 2
    x.whole = False
    for v in range(n_rows):
        first = x.start[v]
        x.start[v] = used
        for k in range(first, x.start[v + 1]):
            if value[k] > x.least:
                at[used], value[used] = at[k], value[k]
                used += 1
    x.start[n_rows] = x.at.used = x.value.used = used


cdef inline bint keep_best(Large *x) noexcept nogil:
    """Put the first best match of each label of either graph back on the lists. False: there is no memory."""
    cdef int64_t v, w, k = 0, p, n = x.mine.n_labels, count = 0, first
    cdef Pair *list = x.sorting[0]
    cdef Column at, value
    memset(&at, 0, sizeof(at))
    memset(&value, 0, sizeof(value))
    for v in range(n):
        if 0.0 < x.mine.best[v] <= x.least:
            list[count].major, list[count].minor = v, x.mine.first[v]
            count += 1
    for w in range(x.theirs.n_labels):
        v = x.theirs.first[w]
        if 0.0 < x.theirs.best[w] <= x.least and x.mine.first[v] != w:
            list[count].major, list[count].minor = v, w
            count += 1
    sort_pairs(list, count, x.sorting[1])
    if (not room(&at, x.at.used + count, sizeof(int32_t))
            or not room(&value, x.at.used + count, sizeof(double))):
        release(&at)
        release(&value)
        return False
    for v in range(n):
        first = at.used
        for p in range(x.start[v], x.start[v + 1]):
            (<int32_t *> at.data)[at.used] = (<const int32_t *> x.at.data)[p]
            (<double *> value.data)[at.used] = (<const double *> x.value.data)[p]
            at.used += 1
        while k < count and list[k].major == v:
            w = list[k].minor
            (<int32_t *> at.data)[at.used] = <int32_t> w
            (<double *> value.data)[at.used] = (
                x.mine.best[v] if x.mine.first[v] == w else x.theirs.best[w])
            at.used += 1
            k += 1
        x.start[v] = first
    x.start[n] = value.used = at.used
    release(&x.at)
    release(&x.value)
    x.at, x.value = at, value
    return True


cdef inline int match_kinds(Arena *arena, Large *x, double turned, double other, const uint8_t *cancel) noexcept nogil:
    """Best matches of kinds of edges. FINE, NO_MEMORY, CANCELLED or INTERRUPTED.

    An edge matches another one only if both pairs of their ends are alike. So the other graph's edges are looked up
    from one of the two lists, the one that leads to fewer edges, straight and turned around.
    """
    cdef Side *mine = &x.mine
    cdef Side *theirs = &x.theirs
    cdef int64_t m = theirs.n_labels, e, k, since = 0
    cdef int32_t source, target, other_source = -1
    cdef double *from_source = <double *> take_zeros(arena, m * sizeof(double))
    cdef double *from_target = <double *> take_zeros(arena, m * sizeof(double))
    cdef int status
    index_kinds(arena, theirs, m)
    x.leaving = <int64_t *> take(arena, mine.n_labels * sizeof(int64_t))
    x.entering = <int64_t *> take(arena, mine.n_labels * sizeof(int64_t))
    lead(x)
    while visits(x) > MOST_VISITS and may_drop(x):
        drop(x, mine.n_labels)
        lead(x)
    if not x.whole:
        if not keep_best(x):
            return NO_MEMORY
        lead(x)
    cdef const int32_t *at = <const int32_t *> x.at.data
    cdef const double *value = <const double *> x.value.data
    for e in range(mine.n_kinds):
        source, target = mine.source[e], mine.target[e]
        if source != other_source:
            if other_source >= 0:
                for k in range(x.start[other_source], x.start[other_source + 1]):
                    from_source[at[k]] = 0.0
            for k in range(x.start[source], x.start[source + 1]):
                from_source[at[k]] = value[k]
            other_source = source
        for k in range(x.start[target], x.start[target + 1]):
            from_target[at[k]] = value[k]
        # straight: the source is like the other one's source
        if x.leaving[source] <= x.entering[target]:
            since += look(x, e, source, theirs.by_source_start, theirs.by_source, theirs.target, from_target,
                          1.0, other)
        else:
            since += look(x, e, target, theirs.by_target_start, theirs.by_target, theirs.source, from_source,
                          1.0, other)
        if turned > 0.0:
            if x.entering[source] <= x.leaving[target]:
                since += look(x, e, source, theirs.by_target_start, theirs.by_target, theirs.source,
                              from_target, turned, turned * other)
            else:
                since += look(x, e, target, theirs.by_source_start, theirs.by_source, theirs.target,
                              from_source, turned, turned * other)
        for k in range(x.start[target], x.start[target + 1]):
            from_target[at[k]] = 0.0
        if (status := stop_after(&since, PATIENCE, cancel)) != FINE:
            return status
    return FINE
