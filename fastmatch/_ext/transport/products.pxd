# cython: language_level=3
"""Inner products of the nodes of two graphs, in context, without embeddings.

A round of context is linear: if P says what each node of the one graph takes from each node, and Q the same of the
other graph, then

    products of all nodes after a round  =  P · (products before) · Qᵀ

with P and Q sparse, two or three numbers a row. So vectors of 100 numbers are multiplied only for the first products,
those of the *labels*, and every round costs a few multiplications a pair of nodes instead of 100. In a matrix of scores
the labels' products are stored as well: those of one graph's nodes with each label that the other corpus has, for a
whole row. Neither cost depends on the number of graphs, and no graph's embeddings are stored.

All sums run over the dimensions in order, and which of two graphs takes in its neighbours first depends on their
content, not on their order. So neither exchanging the graphs nor the width of the processor's registers changes a bit.
"""

from libc.stdint cimport int32_t, int64_t, uint8_t
from libc.stdlib cimport calloc, free
from libc.string cimport memcpy, memset

from fastmatch._ext.base.arena cimport Arena, arena_free, arena_reserve, doubles, take_zeros
from fastmatch._ext.base.status cimport FINE, stop_after
from fastmatch._ext.transport.contexts cimport CACHE, NodeSpace


cdef enum:
    # Columns of products that a round of context changes at a time.
    STRIP = 64
    # Products or distances computed between two questions about Ctrl-C and cancellation.
    PATIENCE = 1 << 20


cdef struct Tables:
    # Products of the nodes of one graph of the first corpus with labels of the second corpus's table.
    int64_t graph                     # of the first corpus, -1 for none
    int64_t full                      # its nodes, rounded up to a multiple of four
    double *panels                    # [n_draws, full / 4, d, 4] vectors of its nodes' labels, interleaved by fours
    double *products                  # [n_draws, n_rows, full], or NULL if that is too much to be kept
    Arena small, large                # the memory of the panels, and of the products
    int64_t *stamp                    # [n_draws, n_rows] serial number of the graph that a row belongs to
    int64_t serial                    # of this graph
    bint keeps                        # whether this graph's products are stored


cdef extern from "dots.h":
    void fm_dots(const double *const *rows, const double *columns, int64_t d, double *out) noexcept nogil


cdef inline void along(
    NodeSpace space, int64_t graph, const double *shares, int64_t m, int64_t full, double *products, double *line
) noexcept nogil:
    """A round of context for the first graph: of the products, double[m, full], within each row.

    ``line``: room for a row.
    """
    cdef int64_t first = space.offset[graph], n = space.offset[graph + 1] - first, v, message, start, stop
    cdef int64_t begin = space.message_start[first]
    cdef double total, half = 0.5 if space.halve else 1.0
    for _ in range(m):
        memcpy(line, products, n * sizeof(double))
        stop = begin
        for v in range(n):
            start = stop
            stop = space.message_start[first + v + 1]
            total = line[v]           # added up in the same order as across rows
            for message in range(start, stop):
                total += shares[message - begin] * line[space.message_from[message]]
            products[v] = total * half
        products += full


cdef inline void across(
    NodeSpace space, int64_t graph, const double *shares, int64_t full, double *products, double *strip
) noexcept nogil:
    """A round of context for the second graph: of whole rows of the products, double[m, full].

    ``strip``: room for ``STRIP`` columns. So many at a time are changed in place; a copy of all would be another
    matrix.
    """
    cdef int64_t first = space.offset[graph], m = space.offset[graph + 1] - first, w, v, message, column, width
    cdef int64_t begin = space.message_start[first]
    cdef double share, half = 0.5 if space.halve else 1.0
    cdef const double *other
    cdef double *row
    column = 0
    while column < full:
        width = min(<int64_t> STRIP, full - column)
        for w in range(m):
            memcpy(strip + w * width, products + w * full + column, width * sizeof(double))
        for w in range(m):
            row = products + w * full + column
            for message in range(space.message_start[first + w], space.message_start[first + w + 1]):
                share = shares[message - begin]
                other = strip + space.message_from[message] * width
                for v in range(width):
                    row[v] += share * other[v]
            for v in range(width):
                row[v] *= half
        column += width


cdef inline int compare(
    NodeSpace a, NodeSpace b, int64_t i, int64_t j, const double *shares_a, const double *shares_b,
    const double *products, int64_t full,
) noexcept nogil:
    """Which graph takes in its neighbours first: -1 the first, 1 the second, whichever way round the two are given.

    0 if the graphs are equal in all that enters the computation but the lengths of vectors.
    """
    cdef int64_t n = a.offset[i + 1] - a.offset[i], m = b.offset[j + 1] - b.offset[j], v, w, k
    cdef int64_t first = a.message_start[a.offset[i]], second = b.message_start[b.offset[j]], x, y
    if n != m:
        return -1 if n < m else 1
    for w in range(n):
        for v in range(w):
            if products[w * full + v] != products[v * full + w]:
                return -1 if products[w * full + v] < products[v * full + w] else 1
    for v in range(n):
        x = a.message_start[a.offset[i] + v + 1] - first
        y = b.message_start[b.offset[j] + v + 1] - second
        if x != y:
            return -1 if x < y else 1
    for k in range(a.message_start[a.offset[i + 1]] - first):
        if a.message_from[first + k] != b.message_from[second + k]:
            return -1 if a.message_from[first + k] < b.message_from[second + k] else 1
        if shares_a[k] != shares_b[k]:
            return -1 if shares_a[k] < shares_b[k] else 1
    return 0


cdef inline int tables_make(Tables *t, NodeSpace a, NodeSpace b, int64_t graph) noexcept nogil:
    """Prepare the tables for a graph of the first corpus. -1 without memory."""
    cdef int64_t n = a.offset[graph + 1] - a.offset[graph], full = (n + 3) & ~(<int64_t> 3), v, c, draw
    cdef int64_t rows = a.n_draws * b.n_rows
    cdef const double *x
    cdef double *p
    if t.graph == graph:
        return 0
    t.graph = -1
    t.full = full
    if arena_reserve(&t.small, a.n_draws * full * a.d * sizeof(double)) < 0:
        return -1
    t.panels = <double *> take_zeros(&t.small, a.n_draws * full * a.d * sizeof(double))
    for draw in range(a.n_draws if a.d else 0):
        for v in range(n):
            x = a.label(a.row[a.offset[graph] + v], draw)
            p = t.panels + draw * full * a.d + (v >> 2) * 4 * a.d + (v & 3)
            for c in range(a.d):
                p[4 * c] = x[c]
    t.keeps = rows * full * <int64_t> sizeof(double) <= CACHE
    if t.keeps:
        t.keeps = arena_reserve(&t.large, rows * full * sizeof(double)) == 0
        t.products = doubles(&t.large, rows * full)
    if t.keeps and t.stamp == NULL:
        t.stamp = <int64_t *> calloc(rows + 1, sizeof(int64_t))
        t.keeps = t.stamp != NULL
    t.serial += 1
    t.graph = graph
    return 0


cdef inline void tables_free(Tables *t) noexcept nogil:
    arena_free(&t.small)
    arena_free(&t.large)
    free(t.stamp)


cdef inline int label_products(
    Tables *t, NodeSpace b, int64_t graph, int64_t draw, int32_t *missing, const uint8_t *cancel, double *out
) noexcept nogil:
    """Products of labels, double[m, full]: a row for each node of a graph of the second corpus.

    ``missing``: room for m numbers. FINE, CANCELLED or INTERRUPTED.
    """
    cdef int64_t first = b.offset[graph], m = b.offset[graph + 1] - first, full = t.full, d = b.d, w, k, r, c, p, slot
    cdef int64_t n_missing = 0, since = 0
    cdef const double *panels = t.panels + draw * full * d
    cdef const double *x[4]
    cdef double *rows[4]
    cdef double[16] tile
    cdef int status
    if d == 0:
        memset(out, 0, m * full * sizeof(double))
        return FINE
    for w in range(m):
        if t.keeps:
            slot = draw * b.n_rows + b.row[first + w]
            if t.stamp[slot] == t.serial:
                continue
            t.stamp[slot] = t.serial
        missing[n_missing] = <int32_t> w
        n_missing += 1
    k = 0
    while k < n_missing:
        for r in range(4):            # the last group repeats its last
            w = missing[min(k + r, n_missing - 1)]
            x[r] = b.label(b.row[first + w], draw)
            rows[r] = t.products + (draw * b.n_rows + b.row[first + w]) * full if t.keeps else out + w * full
        for p in range(0, full, 4):
            fm_dots(x, panels + p * d, d, tile)
            for r in range(4):
                for c in range(4):
                    rows[r][p + c] = tile[4 * r + c]
        k += 4
        since += 4 * full
        if (status := stop_after(&since, PATIENCE, cancel)) != FINE:
            return status
    if t.keeps:
        for w in range(m):
            memcpy(out + w * full, t.products + (draw * b.n_rows + b.row[first + w]) * full, full * sizeof(double))
    return FINE


cdef inline void products_in_context(
    NodeSpace a, NodeSpace b, int64_t i, int64_t j, const double *shares_a, const double *shares_b, int64_t full,
    double *now, double *spare, double *sums,
) noexcept nogil:
    """Products of embeddings before division by their lengths, double[m, full], into ``sums``.

    ``now``: the products of labels, which are overwritten. ``spare``: room for a row, and for ``STRIP`` columns.
    """
    cdef int64_t n = a.offset[i + 1] - a.offset[i], m = b.offset[j + 1] - b.offset[j], v, w, k
    memcpy(sums, now, full * m * sizeof(double))
    if a.iterations == 0:
        return
    cdef int order = compare(a, b, i, j, shares_a, shares_b, now, full)
    for _ in range(a.iterations):
        if order <= 0:
            along(a, i, shares_a, m, full, now, spare)
            across(b, j, shares_b, full, now, spare)
        else:
            across(b, j, shares_b, full, now, spare)
            along(a, i, shares_a, m, full, now, spare)
        for k in range(full * m):
            sums[k] += now[k]
    if order == 0:                    # either order is as good: their mean
        for w in range(n):
            for v in range(w):
                sums[w * full + v] = sums[v * full + w] = 0.5 * (sums[w * full + v] + sums[v * full + w])
