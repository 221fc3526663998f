"""Wasserstein Weisfeiler-Leman: node embeddings of graphs in context, and the transport distance between two graphs.

Every node v starts from a vector x⁰(v) that its label gives it. K times all nodes at once take in their neighbours,

    xᵏ⁺¹(v) = ½ (xᵏ(v) + mean over messages u → v of w · xᵏ(u))        w: the weight of the edge's role

(or the same without the half), and what stands for v in the end is x⁰ … xᴷ end to end, made one long. Two graphs are as
far apart as it costs to move the nodes of one onto the nodes of the other, each graph's mass spread evenly over its
nodes, a unit of mass paying the Euclidean distance (Opitz, Daza and Frank 2021, sections 3.2 and 3.3, after Togninalli
et al. 2019).

Where time goes, and what is done about it: for two graphs of 14 nodes the 196 distances between vectors of 300 numbers
cost more than all the rest. They are taken as |a|² + |b|² - 2 a·b, four by four nodes at a time out of registers. That
form loses digits where a and b are nearly equal, which for graphs that resemble each other is exactly where the flow
goes; so small distances are computed again from a - b. All sums run over the dimensions in order, so equal vectors are
at distance 0, exchanging the graphs changes no bit, and neither does the width of the processor's registers.

Embeddings are made when a pair needs them: that takes a fifth of the time of scoring it, while those of a whole corpus
would be 2.4 KB a node. The last graph of the first side stays at hand, and of the second side all graphs that a call
meets again and again (rows of a matrix of scores), as far as ``CACHE`` bytes go.
"""

cimport cython
from libc.math cimport sqrt
from libc.stdint cimport int32_t, int64_t, uint8_t
from libc.stdlib cimport calloc, free, malloc
from libc.string cimport memcpy, memset

import numpy as np

from fastmatch._ext.arena cimport Arena, arena_free, arena_init, arena_reserve, padded, take
from fastmatch._ext.interrupt cimport interrupted, raise_pending
from fastmatch._ext.sorting cimport Pair, sort_pairs
from fastmatch._ext.transport cimport (
    PENDING,
    SOLVED,
    STOPPED,
    Transport,
    transport_cost,
    transport_flow,
    transport_init,
    transport_size,
    transport_solve,
    tree_is_faster,
    uniform_masses,
)

cdef extern from *:
    """
    /* Dot products of 4 rows with 4 columns: rows one after the other, columns interleaved by fours. Every sum runs
    over
       k in order, whatever the width of the registers, and AVX2 is asked for without FMA: both give the same bits. */
    #if defined(__GNUC__) || defined(__clang__)
    typedef double fm_four __attribute__((vector_size(32), aligned(8)));
    #define FM_DOTS_BODY \\
        fm_four s0 = {0}, s1 = {0}, s2 = {0}, s3 = {0}; \\
        for (long k = 0; k < d; k++) { \\
            fm_four b = *(const fm_four *) (columns + 4 * k); \\
            s0 += a0[k] * b; s1 += a1[k] * b; s2 += a2[k] * b; s3 += a3[k] * b; \\
        } \\
        *(fm_four *) out = s0; *(fm_four *) (out + 4) = s1; *(fm_four *) (out + 8) = s2; *(fm_four *) (out + 12) = s3;
    static void fm_dots_plain(const double *a0, const double *a1, const double *a2, const double *a3,
                              const double *columns, long d, double *out) { FM_DOTS_BODY }
    #if defined(__x86_64__)
    __attribute__((target("avx2")))
    static void fm_dots_avx2(const double *a0, const double *a1, const double *a2, const double *a3,
                             const double *columns, long d, double *out) { FM_DOTS_BODY }
    #define FM_HAS_AVX2 __builtin_cpu_supports("avx2")
    #else
    #define fm_dots_avx2 fm_dots_plain
    #define FM_HAS_AVX2 0
    #endif
    #else
    static void fm_dots_plain(const double *a0, const double *a1, const double *a2, const double *a3,
                              const double *columns, long d, double *out) {
        const double *rows[4] = {a0, a1, a2, a3};
        for (int r = 0; r < 4; r++)
            for (int c = 0; c < 4; c++) {
                double s = 0.0;
                for (long k = 0; k < d; k++) s += rows[r][k] * columns[4 * k + c];
                out[4 * r + c] = s;
            }
    }
    #define fm_dots_avx2 fm_dots_plain
    #define FM_HAS_AVX2 0
    #endif
    """
    void fm_dots_plain(
        const double *a0, const double *a1, const double *a2, const double *a3, const double *columns, long d, double
        *out
    ) noexcept nogil
    void fm_dots_avx2(
        const double *a0, const double *a1, const double *a2, const double *a3, const double *columns, long d, double
        *out
    ) noexcept nogil
    bint FM_HAS_AVX2

# Squared distances below this are computed again from the differences: above it the other form has lost 12 of 53 bits.
cdef double NEAR = 1e-3
# Distances computed between two questions about Ctrl-C and cancellation.
cdef int64_t PATIENCE = 1 << 20
# Bytes of embeddings that one call keeps.
cdef int64_t CACHE = 1 << 27


@cython.final
cdef class NodeSpace:
    """Graphs, the vectors of their nodes' labels and the weights of their edges: all that embedding needs.

    Args:
        node_offsets: int64, shape (n_graphs + 1,).
        node_rows: int32, shape (n_nodes,): row of each node's vector; rows from ``len(vectors)`` on are those of
        ``drawn``. edge_offsets, edges: int64, shape (n_graphs + 1,), and int32, shape (3, n_edges): source, number of
        the edge's
            weight, target.
        vectors: float64, shape (n_known, d): vectors that are the same in all draws.
        drawn: float64, shape (n_draws, n_unknown, d): vectors that each draw has of its own.
        weights: float64, shape (n_draws, 2, n_weights): for messages along an edge, and against it.
        iterations: K, 0 or more.
        halve: divide by two after each message round (the paper), or do not (its program).
        multiply: edges between the same two nodes, in the same direction, are one message whose weight is the product
        of
            theirs (the program); otherwise each edge is a message.
        down, up: messages from source to target, and from target to source.

    Raises:
        ValueError, IndexError: a shape does not fit, or an index is out of range.
        MemoryError: there is no room.
    """

    cdef readonly object node_offsets, node_rows, edge_offsets, edges, vectors, drawn, weights
    cdef readonly int iterations
    cdef readonly bint halve, multiply, down, up
    cdef Py_ssize_t graphs, n_draws, d, known
    cdef int64_t width                              # numbers in an embedding: (K + 1) d
    cdef const int64_t[::1] offset
    cdef const int32_t[::1] row
    cdef const double[:, ::1] fixed
    cdef const double[:, :, ::1] loose
    cdef const double[:, :, ::1] weight
    cdef int64_t *message_start                     # [n_nodes + 1]
    cdef int32_t *message_from                      # node within the graph
    cdef int64_t *factor_start                      # [n_messages + 1]
    cdef int32_t *factor                            # number of a weight; complemented for one against the edge

    def __cinit__(
        self, node_offsets not None, node_rows not None, edge_offsets not None, edges not None, vectors not None,
        drawn not None, weights not None, *, int iterations, bint halve, bint multiply, bint down, bint up,
    ):
        self.node_offsets, self.node_rows = node_offsets, node_rows
        self.edge_offsets, self.edges = edge_offsets, edges
        self.vectors, self.drawn, self.weights = vectors, drawn, weights
        self.iterations, self.halve, self.multiply, self.down, self.up = iterations, halve, multiply, down, up
        self.offset, self.row, self.fixed, self.loose, self.weight = node_offsets, node_rows, vectors, drawn, weights
        cdef const int64_t[::1] edge_offset = edge_offsets
        cdef const int32_t[:, ::1] edge = edges
        cdef Py_ssize_t g, k, n_nodes = self.row.shape[0], n_edges = edge.shape[1], largest = 0
        cdef int64_t n
        self.graphs = self.offset.shape[0] - 1
        self.n_draws, self.d, self.known = self.weight.shape[0], self.fixed.shape[1], self.fixed.shape[0]
        self.width = self.d * (<int64_t> iterations + 1)
        if iterations < 0 or self.n_draws < 1 or self.weight.shape[1] != 2:
            raise ValueError("expected 0 or more iterations and at least one draw of weights, in two directions")
        if self.loose.shape[0] != self.n_draws or self.loose.shape[2] != self.d:
            raise ValueError("vectors and weights are not of the same draws or dimensions")
        if self.graphs < 0 or edge_offset.shape[0] != self.graphs + 1 or edge.shape[0] != 3:
            raise ValueError("offsets do not fit")
        if self.offset[0] != 0 or self.offset[self.graphs] != n_nodes:
            raise ValueError("offsets do not fit")
        if edge_offset[0] != 0 or edge_offset[self.graphs] != n_edges:
            raise ValueError("offsets do not fit")
        for g in range(self.graphs):
            n = self.offset[g + 1] - self.offset[g]
            if not (0 <= n < 2**31 - 1 and edge_offset[g] <= edge_offset[g + 1]):
                raise ValueError("offsets do not fit")
            largest = max(largest, edge_offset[g + 1] - edge_offset[g])
            for k in range(edge_offset[g], edge_offset[g + 1]):
                if not (0 <= edge[0, k] < n and 0 <= edge[2, k] < n and 0 <= edge[1, k] < self.weight.shape[2]):
                    raise IndexError(f"edge {k} is out of range")
        for k in range(n_nodes):
            if not 0 <= self.row[k] < self.known + self.loose.shape[1]:
                raise IndexError(f"node {k} has the vector {self.row[k]}, of {self.known + self.loose.shape[1]}")
        self.message_start = <int64_t *> malloc((n_nodes + 1) * sizeof(int64_t))
        self.message_from = <int32_t *> malloc((2 * n_edges + 1) * sizeof(int32_t))
        self.factor_start = <int64_t *> malloc((2 * n_edges + 1) * sizeof(int64_t))
        self.factor = <int32_t *> malloc((2 * n_edges + 1) * sizeof(int32_t))
        cdef Pair *items = <Pair *> malloc((4 * largest + 1) * sizeof(Pair))
        if (
            self.message_start == NULL or self.message_from == NULL or self.factor_start == NULL or self.factor == NULL
            or items == NULL
        ):
            free(items)
            raise MemoryError("the graphs do not fit in memory")
        with nogil:
            self.collect(edge_offset, edge, items)
        free(items)

    def __dealloc__(self):
        free(self.message_start)
        free(self.message_from)
        free(self.factor_start)
        free(self.factor)

    def __reduce__(self):
        graphs = (self.node_offsets, self.node_rows, self.edge_offsets, self.edges)
        arrays = (*graphs, self.vectors, self.drawn, self.weights)
        return again, (arrays, self.iterations, self.halve, self.multiply, self.down, self.up)

    @property
    def n_graphs(self):
        return self.graphs

    @property
    def n_nodes(self):
        """Nodes of each graph, int64, shape (n_graphs,)."""
        return np.diff(self.node_offsets)

    @property
    def dimension(self):
        """Numbers in the embedding of a node."""
        return self.width

    @property
    def n_weights(self):
        return self.weight.shape[2]

    cdef void collect(self, const int64_t[::1] edge_offset, const int32_t[:, ::1] edge, Pair *items) noexcept nogil:
        """The messages that each node receives: first those against the edges, from its targets, then those along them.

        Within these by sender, then by edge, so that sums do not depend on the order of the text more than nodes do.
        """
        cdef Py_ssize_t g, v, k, i, n, first
        cdef int64_t n_messages = 0, n_factors = 0
        cdef int64_t before
        cdef int32_t source, target
        for g in range(self.graphs):
            n = 0
            first = self.offset[g]
            for k in range(edge_offset[g], edge_offset[g + 1]):
                source, target = edge[0, k], edge[2, k]
                if self.up:
                    items[n].major = 2 * <int64_t> source
                    items[n].minor = (<int64_t> target << 32) | (k - edge_offset[g])
                    n += 1
                if self.down:
                    items[n].major = 2 * <int64_t> target + 1
                    items[n].minor = (<int64_t> source << 32) | (k - edge_offset[g])
                    n += 1
            sort_pairs(items, n, items + n)
            i = 0
            for v in range(self.offset[g + 1] - first):
                self.message_start[first + v] = n_messages
                before = -1
                while i < n and items[i].major >> 1 == v:
                    # the same sender in the same direction: a further factor of its message
                    if not (self.multiply and before >= 0 and items[i].major == items[before].major
                            and items[i].minor >> 32 == items[before].minor >> 32):
                        self.message_from[n_messages] = <int32_t> (items[i].minor >> 32)
                        self.factor_start[n_messages] = n_factors
                        n_messages += 1
                    k = edge_offset[g] + (items[i].minor & <int64_t> 0xFFFFFFFF)
                    self.factor[n_factors] = edge[1, k] if items[i].major & 1 else ~edge[1, k]
                    n_factors += 1
                    before = i
                    i += 1
        self.message_start[self.row.shape[0]] = n_messages
        self.factor_start[n_messages] = n_factors

    cdef void embed(self, Py_ssize_t graph, Py_ssize_t draw, const double *weights, double *out) noexcept nogil:
        """Embeddings of a graph's nodes, double[n, width]. ``weights``: along, then against the edges."""
        cdef Py_ssize_t d = self.d, n_weights = self.weight.shape[2], v, c, row
        cdef Py_ssize_t first = self.offset[graph], n = self.offset[graph + 1] - first
        cdef int64_t width = self.width, k, message, f
        cdef const double *x
        cdef double *y
        cdef double w, total, half = 0.5 if self.halve else 1.0
        cdef int iteration
        for v in range(n):
            row = self.row[first + v]
            x = &self.fixed[row, 0] if row < self.known else &self.loose[draw, row - self.known, 0]
            memcpy(out + v * width, x, d * sizeof(double))
        for iteration in range(self.iterations):
            for v in range(n):
                x = out + v * width + iteration * d
                y = out + v * width + (iteration + 1) * d
                memset(y, 0, d * sizeof(double))
                for message in range(self.message_start[first + v], self.message_start[first + v + 1]):
                    w = 1.0
                    for f in range(self.factor_start[message], self.factor_start[message + 1]):
                        k = self.factor[f]
                        w = w * (weights[k] if k >= 0 else weights[n_weights + ~k])
                    add_scaled(y, out + self.message_from[message] * width + iteration * d, w, d)
                k = self.message_start[first + v + 1] - self.message_start[first + v]
                w = 1.0 / k if k else 0.0
                for c in range(d):
                    y[c] = half * (x[c] + w * y[c])
        for v in range(n):
            y = out + v * width
            total = square_length(y, width)
            if total > 0:
                w = 1.0 / sqrt(total)
                for c in range(width):
                    y[c] = y[c] * w

    def embeddings(self, Py_ssize_t graph, Py_ssize_t draw=0):
        """What stands for the nodes of one graph, float64, shape (n, dimension): rows of length 1, or 0."""
        if not 0 <= graph < self.graphs or not 0 <= draw < self.n_draws:
            raise IndexError(f"graph {graph} of {self.graphs}, draw {draw} of {self.n_draws}")
        cdef Py_ssize_t n = self.offset[graph + 1] - self.offset[graph]
        result = np.zeros((n, self.width))
        cdef double[:, ::1] out = result
        if n and self.width:
            with nogil:
                self.embed(graph, draw, weights_of(self, draw), &out[0, 0])
        return result

    def usage(self, const int32_t[::1] graphs not None):
        """How often each weight is used in one message round of these graphs: int64, shape (2, n_weights)."""
        result = np.zeros((2, self.n_weights), np.int64)
        cdef int64_t[:, ::1] count = result
        cdef Py_ssize_t k, g
        cdef int64_t f
        for k in range(graphs.shape[0]):
            g = graphs[k]
            if not 0 <= g < self.graphs:
                raise IndexError(f"graph {g} of {self.graphs}")
            for f in range(self.factor_start[self.message_start[self.offset[g]]],
                           self.factor_start[self.message_start[self.offset[g + 1]]]):
                if self.factor[f] >= 0:
                    count[0, self.factor[f]] += 1
                else:
                    count[1, ~self.factor[f]] += 1
        return result


def again(arrays, int iterations, bint halve, bint multiply, bint down, bint up):
    """What a pickled NodeSpace is made by."""
    return NodeSpace(*arrays, iterations=iterations, halve=halve, multiply=multiply, down=down, up=up)


cdef inline const double *weights_of(NodeSpace space, Py_ssize_t draw) noexcept nogil:
    return &space.weight[draw, 0, 0] if space.weight.shape[2] else NULL


cdef inline void add_scaled(double *y, const double *x, double w, Py_ssize_t d) noexcept nogil:
    cdef Py_ssize_t c
    for c in range(d):
        y[c] += w * x[c]


cdef inline double square_length(const double *a, int64_t d) noexcept nogil:
    """Four sums at a time: one alone would wait for itself at every step."""
    cdef double s0 = 0.0, s1 = 0.0, s2 = 0.0, s3 = 0.0
    cdef int64_t k = 0
    while k + 4 <= d:
        s0 += a[k] * a[k]
        s1 += a[k + 1] * a[k + 1]
        s2 += a[k + 2] * a[k + 2]
        s3 += a[k + 3] * a[k + 3]
        k += 4
    while k < d:
        s0 += a[k] * a[k]
        k += 1
    return (s0 + s1) + (s2 + s3)


cdef struct Side:
    # One graph at work: its embeddings, with rows of zeros up to a multiple of four nodes.
    int64_t graph                     # which it is, -1 for none
    int64_t n
    int64_t room                      # nodes there is room for
    double *nodes                     # [n rounded up to 4, width]
    double *norms                     # [n rounded up to 4] their lengths: 1, or 0
    double *panels                    # [n / 4 rounded up, width, 4] the same, interleaved by fours


cdef void side_free(Side *side) noexcept nogil:
    free(side.nodes)
    free(side.norms)
    free(side.panels)
    side.nodes, side.norms, side.panels = NULL, NULL, NULL
    side.room = 0
    side.graph = -1


cdef int side_make(Side *side, NodeSpace space, int64_t graph, int64_t draw, const double *weights,
                   bint panels) noexcept nogil:
    """Embed a graph; -1 without memory."""
    cdef int64_t n = space.offset[graph + 1] - space.offset[graph], full = (n + 3) & ~(<int64_t> 3), v, k
    cdef int64_t width = space.width, room
    cdef double *p
    cdef const double *row
    if full > side.room:
        room = full + (full // 2 if side.room else 0)
        side_free(side)
        side.nodes = <double *> malloc(room * width * sizeof(double) + 1)
        side.norms = <double *> malloc(room * sizeof(double))
        side.panels = <double *> malloc(room * width * sizeof(double) + 1) if panels else NULL
        if side.nodes == NULL or side.norms == NULL or (panels and side.panels == NULL):
            side_free(side)
            return -1
        side.room = room
    side.n = n
    space.embed(graph, draw, weights, side.nodes)
    memset(side.nodes + n * width, 0, (full - n) * width * sizeof(double))
    for v in range(full):
        row = side.nodes + v * width
        side.norms[v] = 0.0
        for k in range(width):
            if row[k] != 0:
                side.norms[v] = 1.0
                break
        if panels:
            p = side.panels + (v >> 2) * 4 * width + (v & 3)
            for k in range(width):
                p[4 * k] = row[k]
    side.graph = graph
    return 0


cdef inline double near_distance(const double *a, const double *b, int64_t d) noexcept nogil:
    cdef double s0 = 0.0, s1 = 0.0, s2 = 0.0, s3 = 0.0, x
    cdef int64_t k = 0
    while k + 4 <= d:
        x = a[k] - b[k]
        s0 += x * x
        x = a[k + 1] - b[k + 1]
        s1 += x * x
        x = a[k + 2] - b[k + 2]
        s2 += x * x
        x = a[k + 3] - b[k + 3]
        s3 += x * x
        k += 4
    while k < d:
        x = a[k] - b[k]
        s0 += x * x
        k += 1
    return (s0 + s1) + (s2 + s3)


cdef int distances(const Side *a, const Side *b, int64_t width, bint wide, bint add, const uint8_t *cancel,
                   double *out) noexcept nogil:
    """Euclidean distances between the nodes of two graphs, double[n, m]; ``add`` to what stands there."""
    cdef int32_t n = <int32_t> a.n, m = <int32_t> b.n, i, j, r, c
    cdef int64_t since = 0
    cdef double[16] tile
    cdef double square
    cdef const double *rows
    cdef const double *panel
    i = 0
    while i < n:
        rows = a.nodes + i * width
        j = 0
        while j < m:
            panel = b.panels + j * width
            if wide:
                fm_dots_avx2(rows, rows + width, rows + 2 * width, rows + 3 * width, panel, width, tile)
            else:
                fm_dots_plain(rows, rows + width, rows + 2 * width, rows + 3 * width, panel, width, tile)
            for r in range(min(4, n - i)):
                for c in range(min(4, m - j)):
                    square = a.norms[i + r] + b.norms[j + c] - 2.0 * tile[4 * r + c]
                    if square < NEAR:
                        square = near_distance(rows + r * width, b.nodes + (j + c) * width, width)
                    square = sqrt(square)
                    if add:
                        out[<int64_t> (i + r) * m + j + c] += square
                    else:
                        out[<int64_t> (i + r) * m + j + c] = square
            j += 4
        since += 4 * m
        if since > PATIENCE:
            since = 0
            if cancel != NULL and cancel[0]:
                return STOPPED
            if interrupted():
                return PENDING
        i += 4
    return SOLVED


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


cdef class _Work:
    # Scratch of one call: two graphs, costs, transport. Freed with the object, whatever ends the call.
    cdef Side a
    cdef Side b
    cdef Side *stock                  # [n_stock] graphs of the second side that are kept, or NULL
    cdef Py_ssize_t n_stock
    cdef int64_t stocked              # bytes they take
    cdef Arena arena
    cdef double *cost                 # [n, m], then its transpose
    cdef double *columns
    cdef Transport transport
    cdef bint wide

    def __cinit__(self):
        self.a.graph = self.b.graph = -1
        arena_init(&self.arena)
        self.wide = FM_HAS_AVX2

    def __dealloc__(self):
        cdef Py_ssize_t k
        side_free(&self.a)
        side_free(&self.b)
        for k in range(self.n_stock):
            side_free(&self.stock[k])
        free(self.stock)
        arena_free(&self.arena)

    cdef void keep_stock(self, NodeSpace b, const int32_t[::1] index, Py_ssize_t start, Py_ssize_t stop) noexcept nogil:
        """Get ready to keep graphs of the second side, if they come at least twice each. Without memory it is left."""
        cdef Py_ssize_t k, distinct = 0
        if stop - start < 4 or b.n_draws != 1:
            return
        self.stock = <Side *> calloc(b.graphs, sizeof(Side))
        if self.stock == NULL:
            return
        self.n_stock = b.graphs
        for k in range(start, stop):
            distinct += self.stock[index[k]].graph == 0
            self.stock[index[k]].graph = -1
        if 2 * distinct > stop - start:
            free(self.stock)
            self.stock = NULL
            self.n_stock = 0

    cdef const Side *second(self, NodeSpace b, int64_t graph, int64_t draw, const double *weights) noexcept nogil:
        """The graph of the second side, embedded; NULL without memory."""
        cdef Side *side = &self.b
        if self.stock != NULL:
            if self.stock[graph].graph == graph and self.stock[graph].room:
                return &self.stock[graph]
            if self.stocked < CACHE:
                side = &self.stock[graph]
        elif b.n_draws == 1 and side.graph == graph:
            return side
        if side_make(side, b, graph, draw, weights, True) < 0:
            return NULL
        if side != &self.b:
            self.stocked += 2 * side.room * b.width * sizeof(double)
        return side

    cdef int costs(self, NodeSpace a, NodeSpace b, int64_t i, int64_t j, const double *weights, bint by_tree,
                   const uint8_t *cancel) noexcept nogil:
        """Mean over the draws of the distances between two graphs that both have nodes; < 0 without memory.

        ``by_tree``: the method of the transport to come.
        """
        cdef int64_t n = a.offset[i + 1] - a.offset[i], m = b.offset[j + 1] - b.offset[j], k, cells = n * m
        cdef int64_t draw
        cdef const Side *other
        cdef int status
        if cells > <int64_t> 1 << 40:
            return -1
        if arena_reserve(
            &self.arena, 2 * padded(cells * sizeof(double)) + padded(m * sizeof(double))
            + transport_size(<int32_t> min(n, m), <int32_t> max(n, m), by_tree)
        ) < 0:
            return -1
        self.cost = <double *> take(&self.arena, cells * sizeof(double))
        self.columns = <double *> take(&self.arena, m * sizeof(double))
        for draw in range(a.n_draws):
            if a.n_draws > 1 or self.a.graph != i:
                if side_make(&self.a, a, i, draw, weights if weights != NULL else weights_of(a, draw), False) < 0:
                    return -1
            other = self.second(b, j, draw, weights if weights != NULL else weights_of(b, draw))
            if other == NULL:
                return -1
            status = distances(&self.a, other, a.width, self.wide, draw > 0, cancel, self.cost)
            if status != SOLVED:
                return status
        if a.n_draws > 1:
            for k in range(cells):
                self.cost[k] /= a.n_draws
        return SOLVED

    cdef int move(self, int32_t n, int32_t m, bint by_tree, const uint8_t *cancel, double *mean,
                  bint *transposed) noexcept nogil:
        """Transport over the costs; which way round it was solved does not depend on the order of the two graphs."""
        cdef const double *cost = self.cost
        cdef double *other
        cdef int64_t total, i, j
        cdef int status
        transposed[0] = turned(cost, n, m)
        if transposed[0]:
            other = <double *> take(&self.arena, <size_t> n * m * sizeof(double))
            for i in range(n):
                for j in range(m):
                    other[j * n + i] = cost[i * m + j]
            cost = other
            n, m = m, n
        transport_init(&self.arena, &self.transport, n, m, by_tree)
        total = uniform_masses(&self.transport)
        status = transport_solve(&self.transport, cost, cancel)
        if status == SOLVED:
            mean[0] = transport_cost(&self.transport) / total
        return status


cdef int check_spaces(NodeSpace a, NodeSpace b) except -1:
    if a.width != b.width or a.n_draws != b.n_draws:
        raise ValueError("the two sides were embedded with different options")
    return 0


def score_pairs(
    NodeSpace a not None,
    NodeSpace b not None,
    const int32_t[::1] index_a not None,
    const int32_t[::1] index_b not None,
    Py_ssize_t start,
    Py_ssize_t stop,
    *,
    const uint8_t[::1] cancel not None,
    double[:, ::1] out not None,
    const double[:, ::1] weights=None,
):
    """Distances of the pairs ``start .. stop - 1``.

    Args:
        a, b: the two corpora, embedded alike (dimensions, iterations, draws).
        index_a, index_b: int32, shape (n_pairs,): graphs of each pair.
        cancel: uint8, shape (1,): set to 1 by another thread, it leaves the remaining pairs unscored.
        out: float64, shape (3, n_pairs): the transport distance; the mean distance from a node of a to the nearest of
        b;
            the same from b to a. All in [0, 2]; 0 if both graphs are empty, 1 if one is.
        weights: float64, shape (2, n_weights): use these in all draws instead of the spaces' own, which must number
            their weights alike.

    Raises:
        IndexError, ValueError: an index or a shape does not fit.
        MemoryError: a pair does not fit in memory.
    """
    cdef Py_ssize_t k, n_pairs = index_a.shape[0], failed = -1
    cdef int64_t n, m
    cdef int status = SOLVED
    cdef bint transposed = False, by_tree
    cdef const double *given = NULL
    cdef const uint8_t *stop_flag
    cdef _Work work = _Work()
    check_spaces(a, b)
    if index_b.shape[0] != n_pairs or out.shape[0] != 3 or out.shape[1] != n_pairs or cancel.shape[0] < 1:
        raise ValueError("index_a, index_b and out must have one entry a pair, cancel one entry")
    if not 0 <= start <= stop <= n_pairs:
        raise IndexError(f"pairs {start} to {stop} of {n_pairs}")
    for k in range(start, stop):
        if not (0 <= index_a[k] < a.graphs and 0 <= index_b[k] < b.graphs):
            raise IndexError(f"pair {k} is of graphs {index_a[k]} and {index_b[k]}, of {a.graphs} and {b.graphs}")
    if weights is not None:
        if weights.shape[0] != 2 or weights.shape[1] != a.n_weights or a.n_weights != b.n_weights:
            raise ValueError("weights do not fit the two corpora")
        if weights.shape[1]:
            given = &weights[0, 0]
    stop_flag = &cancel[0]
    with nogil:
        work.keep_stock(b, index_b, start, stop)
        for k in range(start, stop):
            if cancel[0]:
                break
            n = a.offset[index_a[k] + 1] - a.offset[index_a[k]]
            m = b.offset[index_b[k] + 1] - b.offset[index_b[k]]
            if n == 0 or m == 0:
                out[0, k] = out[1, k] = out[2, k] = 0.0 if n == m else 1.0
                continue
            by_tree = tree_is_faster(<int32_t> min(n, m), <int32_t> max(n, m))
            status = work.costs(a, b, index_a[k], index_b[k], given, by_tree, stop_flag)
            if status == SOLVED:
                nearest(work.cost, <int32_t> n, <int32_t> m, work.columns, &out[1, k], &out[2, k])
                status = work.move(<int32_t> n, <int32_t> m, by_tree, stop_flag, &out[0, k], &transposed)
            if status != SOLVED:
                failed = k
                break
    if status == PENDING:
        raise_pending()
    if status < 0:
        raise MemoryError(f"the distances of pair {failed} do not fit in memory")


def plan(NodeSpace a not None, NodeSpace b not None, Py_ssize_t i, Py_ssize_t j):
    """Costs and flow between graph i of a and graph j of b.

    Returns:
        (cost, flow): float64 and int64, shape (n, m). The flow divided by its sum is the transport plan; the sum is the
        least common multiple of n and m, or 0 if a graph is empty. The plan is basic, a corner of the set of all plans:
        at most n + m - 1 cells have a flow, these make no circle, and between as many nodes it is one to one.
    """
    check_spaces(a, b)
    if not (0 <= i < a.graphs and 0 <= j < b.graphs):
        raise IndexError(f"graphs {i} and {j}, of {a.graphs} and {b.graphs}")
    cdef int32_t n = <int32_t> (a.offset[i + 1] - a.offset[i]), m = <int32_t> (b.offset[j + 1] - b.offset[j]), r, c
    cdef int status
    cdef bint transposed = False
    cdef double mean
    cdef _Work work = _Work()
    costs, flows = np.zeros((n, m)), np.zeros((n, m), np.int64)
    cdef double[:, ::1] cost = costs
    cdef int64_t[:, ::1] flow = flows
    if n == 0 or m == 0:
        return costs, flows
    with nogil:
        status = work.costs(a, b, i, j, NULL, True, NULL)
        if status == SOLVED:
            status = work.move(n, m, True, NULL, &mean, &transposed)
    if status == PENDING:
        raise_pending()
    if status < 0:
        raise MemoryError("the distances do not fit in memory")
    transport_flow(&work.transport, &flow[0, 0])
    for r in range(n):
        for c in range(m):
            cost[r, c] = work.cost[<int64_t> r * m + c]
    return costs, flows.reshape(m, n).T.copy() if transposed else flows
