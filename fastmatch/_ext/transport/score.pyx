"""Wasserstein Weisfeiler-Leman: the transport distance between two graphs.

The distance of two graphs is the cost of moving the nodes of one onto the nodes of the other, where each graph's mass
is spread evenly over its nodes and a unit of mass pays the Euclidean distance between the nodes' embeddings (Opitz,
Daza and Frank 2021, sections 3.2 and 3.3, after Togninalli et al. 2019). Embeddings are defined in
:mod:`fastmatch._ext.transport.contexts`.

Distances are computed as |a|² + |b|² - 2 a·b, and the inner products need no embeddings
(:mod:`fastmatch._ext.transport.products`).

Where a and b are nearly equal, |a|² + |b|² - 2 a·b loses digits, and between similar graphs most of the flow goes
there. So small distances are computed again, from a - b, with embeddings that are made when they are needed. Those of
the last graph of either corpus are kept.

All sums run over the dimensions in order, and which of two graphs takes in its neighbours first depends on their
content, not on their order. So equal vectors are at distance 0, and neither exchanging the graphs nor the width of the
processor's registers changes a bit of a score.
"""

from libc.math cimport INFINITY, sqrt
from libc.stdint cimport int32_t, int64_t, uint8_t, uint32_t, uint64_t
from libc.string cimport memcpy

import numpy as np

from fastmatch._ext.base.arena cimport PADDING, Arena, arena_free, arena_init, arena_reserve, doubles, ints, take
from fastmatch._ext.base.pairs cimport check_cancel, check_pairs
from fastmatch._ext.base.sorting cimport Pair, packed, sort_pairs
from fastmatch._ext.base.status cimport FINE, NO_MEMORY, asked_to_stop, raise_status, stop_after
from fastmatch._ext.transport.contexts cimport CACHE, NodeSpace, make_long, weights_of
from fastmatch._ext.transport.products cimport (
    PATIENCE, STRIP, Tables, label_products, products_in_context, tables_free, tables_make,
)
from fastmatch._ext.transport.transport cimport (
    Transport, transport_cost, transport_flow, transport_init, transport_size, transport_solve, tree_is_faster,
    uniform_masses,
)

# Squared distances below this are computed again from the differences: at this size the other form has lost 12 of 53
# bits.
cdef double NEAR = 1e-3
# Bounds are lowered by this, which is more than the roundings of a bound and of the true distance together.
cdef double SLACK = 1e-12

cdef struct Side:
    # Embeddings of one graph, of the first or the second corpus.
    int64_t graph                     # which it is, -1 for none
    int64_t draw
    Arena room                        # the memory of what follows
    double *nodes                     # [n, width] of length 1 or 0
    double *inverse                   # [n] what they were multiplied by to have length 1, 0 for length 0


cdef int side_make(Side *side, NodeSpace space, int64_t graph, int64_t draw, const double *weights) noexcept nogil:
    """Compute the embeddings of a graph, unless it is the last one; -1 without memory.

    ``weights``: in place of those of the space, or NULL.
    """
    cdef int64_t n = space.offset[graph + 1] - space.offset[graph], v
    if side.graph == graph and side.draw == draw:
        return 0
    if space.alone != NULL and weights == NULL:
        side.nodes, side.inverse, side.graph, side.draw = space.alone, space.inverse, graph, draw
        return 0
    side.graph = -1
    if arena_reserve(&side.room, (n * space.width + n) * sizeof(double) + 2 * PADDING) < 0:
        return -1
    side.nodes, side.inverse = doubles(&side.room, n * space.width), doubles(&side.room, n)
    space.propagate(graph, draw, weights if weights != NULL else weights_of(space, draw), side.nodes)
    for v in range(n):
        side.inverse[v] = make_long(side.nodes + v * space.width, space.width)
    side.graph, side.draw = graph, draw
    return 0


cdef inline double near_distance(const double *a, const double *b, int64_t d) noexcept nogil:
    """|a - b|², in four sums side by side, because each addition to a sum waits for the one before it."""
    cdef double[4] sums
    cdef double x
    cdef int64_t k = 0, r
    for r in range(4):
        sums[r] = 0.0
    while k + 4 <= d:
        for r in range(4):
            x = a[k + r] - b[k + r]
            sums[r] += x * x
        k += 4
    for r in range(d - k):
        x = a[k + r] - b[k + r]
        sums[0] += x * x
    return (sums[0] + sums[1]) + (sums[2] + sums[3])


cdef int64_t vector_hash(const double *x, int64_t width) noexcept nogil:
    """Hash of a vector's bits."""
    cdef const uint64_t *bits = <const uint64_t *> x
    cdef uint64_t h = 0
    cdef int64_t k
    for k in range(width):
        h = (h ^ bits[k]) * <uint64_t> 0x9E3779B97F4A7C15     # in half the time of `mix`, as only time depends on it
        h ^= h >> 32
    return <int64_t> h


cdef void send(Pair *flow, int64_t *count, int64_t *left_a, int64_t *left_b, int64_t x, int64_t y) noexcept nogil:
    """Send as much as there is left of x and wanted by y."""
    cdef int64_t amount = min(left_a[x], left_b[y])
    flow[count[0]].major, flow[count[0]].minor = packed(x, y), amount
    count[0] += 1
    left_a[x] -= amount
    left_b[y] -= amount


cdef bint turned(const double *cost, int32_t n, int32_t m) noexcept nogil:
    """Whether to solve the transposed problem: decided so that (a, b) and (b, a) end up the same way round."""
    cdef int64_t i, j
    if n != m:
        return n > m
    for i in range(n):
        for j in range(i):
            if cost[i * m + j] != cost[j * m + i]:
                return cost[i * m + j] < cost[j * m + i]
    return False


cdef void nearest(const double *cost, int32_t n, int32_t m, double *columns, double *first,
                  double *second) noexcept nogil:
    """Mean distance from a node to the nearest one on the other side: over rows, and over columns."""
    cdef int32_t j
    cdef double least, total = 0.0
    cdef const double *row = cost
    memcpy(columns, cost, m * sizeof(double))
    for _ in range(n):
        least = row[0]
        for j in range(m):
            least = row[j] if row[j] < least else least
            columns[j] = row[j] if row[j] < columns[j] else columns[j]
        total += least
        row += m
    first[0] = total / n
    total = 0.0
    for j in range(m):
        total += columns[j]
    second[0] = total / m


cdef bint squares(
    double *sums, Py_ssize_t n, Py_ssize_t m, Py_ssize_t full, const double *inverse_a, const double *inverse_b
) noexcept nogil:
    """Turn inner products into squares of distances. Returns whether one is so small that it is inexact."""
    cdef Py_ssize_t v, w
    cdef double square, length
    cdef double *row
    cdef bint near = False
    for w in range(m):
        row = sums + w * full
        length = 1.0 if inverse_b[w] > 0 else 0.0
        for v in range(n):
            square = length + (1.0 if inverse_a[v] > 0 else 0.0) - 2.0 * row[v] * (inverse_a[v] * inverse_b[w])
            near = near or square < NEAR
            row[v] = square
    return near


cdef class _Work:
    # Scratch of one call: products, embeddings, costs, transport. Freed with the object, whatever ends the call.
    cdef Tables tables
    cdef Side a
    cdef Side b
    cdef Arena arena
    cdef double *cost                 # [n, m]
    cdef double *other                # room for its transpose
    cdef double *columns
    cdef Transport transport

    def __cinit__(self):
        self.a.graph = self.b.graph = -1
        self.tables.graph = -1
        arena_init(&self.arena)

    def __dealloc__(self):
        tables_free(&self.tables)
        arena_free(&self.a.room)
        arena_free(&self.b.room)
        arena_free(&self.arena)

    cdef bint embed(self, NodeSpace a, NodeSpace b, int64_t i, int64_t j, int64_t draw,
                    const double *weights) noexcept nogil:
        """Have the embeddings of two graphs at hand; False without memory."""
        return side_make(&self.a, a, i, draw, weights) == 0 and side_make(&self.b, b, j, draw, weights) == 0

    cdef int costs(self, NodeSpace a, NodeSpace b, int64_t i, int64_t j, const double *weights, bint by_tree,
                   const uint8_t *cancel) noexcept nogil:
        """Costs of the transport: the mean over the draws of the distances between the nodes of two graphs.

        Both have nodes. ``by_tree``: the method of the transport to come. FINE, NO_MEMORY, CANCELLED or INTERRUPTED.
        """
        cdef int64_t n = a.offset[i + 1] - a.offset[i], m = b.offset[j + 1] - b.offset[j], k, cells = n * m, draw
        cdef int64_t messages_a = a.message_start[a.offset[i + 1]] - a.message_start[a.offset[i]]
        cdef int64_t messages_b = b.message_start[b.offset[j + 1]] - b.message_start[b.offset[j]]
        cdef int64_t full = (n + 3) & ~(<int64_t> 3)
        cdef int status
        if cells > <int64_t> 1 << 40 or tables_make(&self.tables, a, b, i) < 0:
            return NO_MEMORY
        if arena_reserve(
            &self.arena, sizeof(double) * (
                (cells if a.n_draws > 1 else 0) + m + 2 * full * m + max(full, STRIP * m) + messages_a + messages_b
            ) + m * sizeof(int32_t) + 8 * PADDING + transport_size(<int32_t> min(n, m), <int32_t> max(n, m), by_tree)
        ) < 0:
            return NO_MEMORY
        self.columns = doubles(&self.arena, m)
        cdef double *products = doubles(&self.arena, full * m)
        cdef double *spare = doubles(&self.arena, max(full, STRIP * m))
        cdef double *sums = doubles(&self.arena, full * m)
        # Two matrices are enough: the products are done with when the costs come, the sums when costs are transposed.
        # Only costs that are added up over draws stay beside both.
        self.cost = <double *> take(&self.arena, cells * sizeof(double)) if a.n_draws > 1 else products
        self.other = sums
        cdef double *shares_a = doubles(&self.arena, messages_a)
        cdef double *shares_b = doubles(&self.arena, messages_b)
        cdef int32_t *missing = ints(&self.arena, m)
        for draw in range(a.n_draws):
            if (status := label_products(&self.tables, b, j, draw, missing, cancel, products)) != FINE:
                return status
            a.shares(i, weights if weights != NULL else weights_of(a, draw), shares_a)
            b.shares(j, weights if weights != NULL else weights_of(b, draw), shares_b)
            products_in_context(a, b, i, j, shares_a, shares_b, full, products, spare, sums)
            if (status := self.distances(a, b, i, j, draw, weights, sums, cancel)) != FINE:
                return status
        if a.n_draws > 1:
            for k in range(cells):
                self.cost[k] /= a.n_draws
        return FINE

    cdef int distances(self, NodeSpace a, NodeSpace b, int64_t i, int64_t j, int64_t draw, const double *weights,
                       double *sums, const uint8_t *cancel) noexcept nogil:
        """Add to the costs the distances of one draw, computed from products.

        FINE, NO_MEMORY, CANCELLED or INTERRUPTED.
        """
        cdef int64_t n = a.offset[i + 1] - a.offset[i], m = b.offset[j + 1] - b.offset[j], v, w, since = 0
        cdef int64_t full = self.tables.full
        cdef const double *inverse_a = a.inverse + draw * a.row.shape[0] + a.offset[i]
        cdef const double *inverse_b = b.inverse + draw * b.row.shape[0] + b.offset[j]
        cdef double square
        cdef double *row
        cdef int status
        if weights != NULL:
            if not self.embed(a, b, i, j, draw, weights):
                return NO_MEMORY
            inverse_a, inverse_b = self.a.inverse, self.b.inverse
        if squares(sums, n, m, full, inverse_a, inverse_b) and not self.embed(a, b, i, j, draw, weights):
            return NO_MEMORY
        for w in range(m):
            row = sums + w * full
            for v in range(n):
                square = row[v]
                if not square >= NEAR:    # or NaN, of weights so large that `make_long` has made an embedding 0
                    square = near_distance(self.a.nodes + v * a.width, self.b.nodes + w * b.width, a.width)
                    since += 1
                square = sqrt(square)
                if draw:
                    self.cost[v * m + w] += square
                else:
                    self.cost[v * m + w] = square
            if (status := stop_after(&since, PATIENCE, cancel)) != FINE:
                return status
        return FINE

    cdef int bound(self, NodeSpace a, NodeSpace b, int64_t i, int64_t j, const double *weights, const uint8_t *cancel,
                   double *mean) noexcept nogil:
        """The cost of some flow, for graphs that are too large for a matrix: an upper bound of the distance.

        Nodes with equal embeddings send to each other first; what is left flows in the order of the nodes. Where not
        even the embeddings are small, the bound is 2, which no distance exceeds. FINE, NO_MEMORY, CANCELLED or
        INTERRUPTED.
        """
        cdef int64_t n = a.offset[i + 1] - a.offset[i], m = b.offset[j + 1] - b.offset[j], width = a.width, x, y, k
        cdef int64_t count = 0, draw
        cdef Pair *flow               # (row and column, amount)
        cdef double total = 0.0
        cdef int status
        mean[0] = 2.0
        if max(n, m) > CACHE // <int64_t> (width * sizeof(double) + 1) or max(n, m) >= <int64_t> 1 << 30:
            return FINE
        if arena_reserve(
            &self.arena, (n + m + max(n, m) + 2 * (n + m)) * sizeof(Pair) + (n + m) * sizeof(int64_t) + 6 * PADDING
        ) < 0:
            return NO_MEMORY
        cdef Pair *first = <Pair *> take(&self.arena, n * sizeof(Pair))
        cdef Pair *second = <Pair *> take(&self.arena, m * sizeof(Pair))
        cdef Pair *scratch = <Pair *> take(&self.arena, max(n, m) * sizeof(Pair))
        flow = <Pair *> take(&self.arena, 2 * (n + m) * sizeof(Pair))
        cdef int64_t *left_a = <int64_t *> take(&self.arena, n * sizeof(int64_t))
        cdef int64_t *left_b = <int64_t *> take(&self.arena, m * sizeof(int64_t))
        for draw in range(a.n_draws):
            if not self.embed(a, b, i, j, draw, weights):
                return NO_MEMORY
            if (status := asked_to_stop(cancel)) != FINE:
                return status
            if draw == 0:
                # what the last round makes of a node tells as much as all rounds do
                for x in range(n):
                    first[x].major, first[x].minor = vector_hash(self.a.nodes + (x + 1) * width - a.d, a.d), x
                    left_a[x] = m
                for y in range(m):
                    second[y].major, second[y].minor = vector_hash(self.b.nodes + (y + 1) * width - a.d, a.d), y
                    left_b[y] = n
                sort_pairs(first, n, scratch)
                sort_pairs(second, m, scratch)
                x = y = 0
                while x < n and y < m:
                    if first[x].major < second[y].major:
                        x += 1
                    elif first[x].major > second[y].major:
                        y += 1
                    else:
                        send(flow, &count, left_a, left_b, first[x].minor, second[y].minor)
                        x += left_a[first[x].minor] == 0
                        y += y < m and left_b[second[y].minor] == 0
                x = y = 0
                while x < n and y < m:
                    if left_a[x] == 0:
                        x += 1
                    elif left_b[y] == 0:
                        y += 1
                    else:
                        send(flow, &count, left_a, left_b, x, y)
            for k in range(count):
                x, y = flow[k].major >> 32, <uint32_t> flow[k].major
                total += flow[k].minor * sqrt(near_distance(self.a.nodes + x * width, self.b.nodes + y * width, width))
        mean[0] = min(total / a.n_draws / <double> (n * m), 2.0)
        return FINE

    cdef int move(self, int32_t n, int32_t m, bint by_tree, int64_t most, const uint8_t *cancel, double *mean,
                  bint *transposed) noexcept nogil:
        """Solve the transport; ``mean`` becomes the mean cost of a unit. FINE, CANCELLED or INTERRUPTED.

        ``most``: work of the transport. ``transposed``: whether it was solved from the second graph to the first. That
        does not depend on the order of the two graphs.
        """
        cdef const double *cost = self.cost
        cdef double *other = self.other
        cdef int64_t total, i, j
        transposed[0] = turned(cost, n, m)
        if transposed[0]:
            for i in range(n):
                for j in range(m):
                    other[j * n + i] = cost[i * m + j]
            cost = other
            n, m = m, n
        transport_init(&self.arena, &self.transport, n, m, by_tree)
        total = uniform_masses(&self.transport)
        cdef int status = transport_solve(&self.transport, cost, most, cancel)
        if status == FINE:
            mean[0] = transport_cost(&self.transport) / total
        return status


cdef int64_t work_of(int64_t most, int64_t most_per_cell, int64_t n, int64_t m) noexcept nogil:
    """Work that the transport between n and m nodes may take."""
    cdef int64_t cells = n * m
    if most_per_cell > 0 and cells > ((<int64_t> 1 << 62) // most_per_cell):
        return <int64_t> 1 << 62
    return max(most, most_per_cell * cells)


cdef int check_spaces(NodeSpace a, NodeSpace b) except -1:
    """Raise ValueError unless two spaces have the same dimensions and draws."""
    if a.width != b.width or a.n_draws != b.n_draws:
        raise ValueError("the two sides were embedded with different options")
    return 0


def score_pairs(
    NodeSpace a not None,
    NodeSpace b not None,
    pairs not None,
    *,
    double[:, ::1] out not None,
    const double[:, ::1] weights=None,
    double limit=INFINITY,
    int64_t most=1 << 62,
    int64_t most_per_cell=0,
    uint8_t[::1] whole=None,
    int64_t room=1 << 40,
):
    """Distances of the pairs ``start`` … ``stop - 1``.

    Parameters
    ----------
    a, b : NodeSpace
        The two corpora, made with the same dimensions, iterations and draws.
    pairs : PairRange
        The pairs to score, of graphs of the two corpora.
    out : float64, shape (3, n_pairs)
        Output: the transport distance; the mean distance from a node of a to the nearest node of b; the same from b to
        a. All in [0, 2]; 0 if both graphs are empty, 1 if one is.
    weights : float64, shape (2, n_weights), optional
        Weights for all draws in place of those of the spaces, which must number their weights alike.
    limit : float
        For pairs that are farther apart than this, the transport distance may be anything between the limit and the
        true distance. No node can move for less than the distance to its nearest node; where this bound exceeds the
        limit, nothing is transported and the bound is the result. With a negative limit all results are bounds.
    most, most_per_cell : int >= 0
        Work of the transport of one pair, in cells looked at (:mod:`fastmatch._ext.transport.simplex`): ``most``, or
        for large pairs ``most_per_cell`` times the number of their cells. After it the distance is that of some flow,
        which is perhaps larger than the least.
    whole : uint8, shape (n_pairs,), optional
        Output: 0 where that work was used up, or where the distance is a bound above 0 because the pair is too large.
        Else 1.
    room : int >= 0
        Cells of all matrices of a pair: it needs two, or three with several draws. Without room for them the distance
        is an upper bound, that of a flow between equal nodes, then in the order of the nodes, and the other two outputs
        are 0.

    Raises
    ------
    IndexError, ValueError
        If an index or a shape does not fit.
    MemoryError
        If a pair does not fit in memory.
    """
    cdef const int32_t[::1] index_a = pairs[0], index_b = pairs[1]
    cdef Py_ssize_t start = pairs[2], stop = pairs[3]
    cdef const uint8_t[::1] cancel = pairs[4]
    cdef Py_ssize_t k = -1
    cdef int64_t n, m
    cdef int status = FINE
    cdef bint transposed = False, by_tree
    cdef const double *given = NULL
    cdef _Work work = _Work()
    check_spaces(a, b)
    check_pairs(index_a, index_b, start, stop, a.graphs, b.graphs, out.shape[1])
    check_cancel(cancel)
    if out.shape[0] != 3:
        raise ValueError("the output must have 3 rows")
    if whole is not None and whole.shape[0] != out.shape[1]:
        raise ValueError(f"{whole.shape[0]} marks for {out.shape[1]} pairs")
    if weights is not None:
        if weights.shape[0] != 2 or weights.shape[1] != a.n_weights or a.n_weights != b.n_weights:
            raise ValueError("weights do not fit the two corpora")
        if weights.shape[1]:
            given = &weights[0, 0]
    cdef const uint8_t *stop_flag = &cancel[0]
    with nogil:
        for k in range(start, stop):
            if cancel[0]:
                break
            n = a.offset[index_a[k] + 1] - a.offset[index_a[k]]
            m = b.offset[index_b[k] + 1] - b.offset[index_b[k]]
            if whole is not None:
                whole[k] = True
            if n == 0 or m == 0:
                out[0, k] = out[1, k] = out[2, k] = 0.0 if n == m else 1.0
                continue
            by_tree = tree_is_faster(<int32_t> min(n, m), <int32_t> max(n, m))
            if n * m > room // (2 + (a.n_draws > 1)):
                status = work.bound(a, b, index_a[k], index_b[k], given, stop_flag, &out[0, k])
                out[1, k] = out[2, k] = 0.0
                if whole is not None:
                    whole[k] = out[0, k] == 0.0     # no flow costs less
                if status == FINE:
                    continue
            else:
                status = work.costs(a, b, index_a[k], index_b[k], given, by_tree, stop_flag)
            if status == FINE:
                nearest(work.cost, <int32_t> n, <int32_t> m, work.columns, &out[1, k], &out[2, k])
                out[0, k] = max(out[1, k], out[2, k]) - SLACK
                if out[0, k] > limit:
                    continue
                status = work.move(
                    <int32_t> n, <int32_t> m, by_tree, work_of(most, most_per_cell, n, m), stop_flag, &out[0, k],
                    &transposed,
                )
                if whole is not None:
                    whole[k] = not work.transport.cut
            if status != FINE:
                break
    raise_status(status, f"the distances of pair {k} do not fit in memory")


def plan(
    NodeSpace a not None,
    NodeSpace b not None,
    Py_ssize_t i,
    Py_ssize_t j,
    *,
    int64_t most=1 << 62,
    int64_t most_per_cell=0,
):
    """Costs and flow between graph i of a and graph j of b; ``most`` and ``most_per_cell`` as for :func:`score_pairs`.

    Returns
    -------
    cost : float64, shape (n, m)
    flow : int64, shape (n, m)
        Divided by its sum it is the transport plan. The sum is the least common multiple of n and m, or 0 if a graph is
        empty. The plan is basic, a corner of the set of all plans: at most n + m - 1 cells have a flow, these make no
        circle, and between equally many nodes the plan is one to one.

    Raises
    ------
    IndexError, ValueError
        If there are no such graphs, or the spaces do not fit together.
    MemoryError
        If the distances do not fit in memory.
    """
    check_spaces(a, b)
    if not (0 <= i < a.graphs and 0 <= j < b.graphs):
        raise IndexError(f"graphs {i} and {j}, of {a.graphs} and {b.graphs}")
    cdef int32_t n = <int32_t> (a.offset[i + 1] - a.offset[i]), m = <int32_t> (b.offset[j + 1] - b.offset[j])
    cdef int status
    cdef bint transposed = False
    cdef double mean
    cdef _Work work = _Work()
    costs, flows = np.zeros((n, m)), np.zeros((n, m), np.int64)
    cdef int64_t[:, ::1] flow = flows
    if n == 0 or m == 0:
        return costs, flows
    with nogil:
        if (status := work.costs(a, b, i, j, NULL, True, NULL)) == FINE:
            status = work.move(n, m, True, work_of(most, most_per_cell, n, m), NULL, &mean, &transposed)
    raise_status(status, "the distances do not fit in memory")
    transport_flow(&work.transport, &flow[0, 0])
    costs[:] = <double[:n, :m]> work.cost
    return costs, flows.reshape(m, n).T.copy() if transposed else flows
