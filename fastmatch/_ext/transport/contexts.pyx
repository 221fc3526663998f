"""Graphs as the Wasserstein Weisfeiler-Leman metric compares them: nodes in context.

Every node v starts from a vector x⁰(v) that its label gives it. In each of K rounds all nodes at once take in their
neighbours,

    xᵏ⁺¹(v) = ½ (xᵏ(v) + mean over messages u → v of w · xᵏ(u))        w: the weight of the edge's role

(or the same without the half). The embedding of v is x⁰(v) … xᴷ(v), one behind the other, divided by its length.

The length of each node's embedding is computed once, when the :class:`NodeSpace` is made, and takes 8 bytes a node.
Scores need inner products, and :mod:`fastmatch._ext.transport.products` computes these without embeddings. Embeddings
are stored of a corpus of one graph only, if it is not huge: with 100 dimensions and two rounds they are 2.4 KB a node,
so 2 GB for 60,000 sentences, and writing to that much fresh memory costs more (8 µs a sentence) than computing them
again in memory that is in use (2 µs). They are computed again where nodes are nearly equal and have to be compared
number by number.
"""

cimport cython
from libc.math cimport sqrt
from libc.stdint cimport int32_t, int64_t
from libc.string cimport memcpy, memset

from functools import partial

import numpy as np

from fastmatch._ext.base.division cimport check_edges
from fastmatch._ext.base.dot cimport dot
from fastmatch._ext.base.kept cimport zeros
from fastmatch._ext.base.sorting cimport Pair, sort_pairs

from fastmatch.errors import FastmatchError

# Squared lengths are at most this, so that no product or sum of two embeddings is infinite.
cdef double LARGEST = 1e200


@cython.final
cdef class NodeSpace:
    """Graphs, the vectors of their nodes' labels and the weights of their edges: all that embeddings are made of.

    Parameters
    ----------
    node_offsets : int64, shape (n_graphs + 1,)
        Graph g has the nodes node_offsets[g] … node_offsets[g + 1] - 1.
    node_rows : int32, shape (n_nodes,)
        Row of each node's vector. Rows from ``len(vectors)`` on are those of ``drawn``.
    edge_offsets : int64, shape (n_graphs + 1,)
        Graph g has the edges edge_offsets[g] … edge_offsets[g + 1] - 1.
    edges : int32, shape (3, n_edges)
        Source, number of the edge's weight, target. Nodes are numbered within their graph.
    vectors : float64, shape (n_known, d)
        Vectors that are the same in all draws.
    drawn : float64, shape (n_draws, n_unknown, d)
        Vectors that each draw has of its own.
    weights : float64, shape (n_draws, 2, n_weights)
        For messages along an edge, and against it.
    iterations : int >= 0
        Rounds, K.
    halve : bool
        Divide by two after each round (the paper), or do not (its program).
    multiply : bool
        Edges between the same two nodes in the same direction are one message, whose weight is the product of theirs
        (the program). Otherwise each edge is a message.
    down, up : bool
        Whether there are messages from source to target, and from target to source.

    Raises
    ------
    ValueError, IndexError
        If a shape does not fit, or an index is out of range.
    FastmatchError
        If an embedding is no vector of finite numbers, or longer than 10¹⁰⁰.
    MemoryError
        If the graphs do not fit in memory.
    """

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
        self.graphs = self.offset.shape[0] - 1
        self.n_draws, self.d, self.known = self.weight.shape[0], self.fixed.shape[1], self.fixed.shape[0]
        self.n_rows = self.known + self.loose.shape[1]
        self.width = self.d * (<int64_t> iterations + 1)
        if iterations < 0 or self.n_draws < 1 or self.weight.shape[1] != 2:
            raise ValueError("expected 0 or more iterations and at least one draw of weights, in two directions")
        if self.loose.shape[0] != self.n_draws or self.loose.shape[2] != self.d:
            raise ValueError("vectors and weights are not of the same draws or dimensions")
        check_edges(self.offset, n_nodes, edge_offset, edge)
        for g in range(self.graphs):
            largest = max(largest, edge_offset[g + 1] - edge_offset[g])
            self.largest = max(self.largest, self.offset[g + 1] - self.offset[g])
        for k in range(n_edges):
            if not 0 <= edge[1, k] < self.weight.shape[2]:
                raise IndexError(f"edge {k} is out of range")
        for k in range(n_nodes):
            if not 0 <= self.row[k] < self.n_rows:
                raise IndexError(f"node {k} has the vector {self.row[k]}, of {self.n_rows}")
        self.kept = kept = []
        self.message_start = <int64_t *> zeros(kept, n_nodes + 1, sizeof(int64_t))
        self.message_from = <int32_t *> zeros(kept, 2 * n_edges, sizeof(int32_t))
        self.factor_start = <int64_t *> zeros(kept, 2 * n_edges + 1, sizeof(int64_t))
        self.factor = <int32_t *> zeros(kept, 2 * n_edges, sizeof(int32_t))
        self.inverse = <double *> zeros(kept, self.n_draws * n_nodes, sizeof(double))
        once = []
        cdef int64_t room = self.largest * self.width
        cdef bint alone = self.graphs == 1 and self.n_draws == 1 and 0 < room <= CACHE // <int64_t> sizeof(double)
        cdef Pair *items = <Pair *> zeros(once, 4 * largest, sizeof(Pair))
        cdef double *nodes = <double *> zeros(kept if alone else once, room, sizeof(double))
        cdef bint fine
        with nogil:
            collect(self, edge_offset, edge, items)
            fine = measure(self, nodes)
            for k in range(n_nodes if alone else 0):
                make_long(nodes + k * self.width, self.width)
        self.alone = nodes if alone else NULL
        if not fine:
            raise FastmatchError("the embeddings of nodes overflow: role weights or word vectors are too large")

    def __reduce__(self):
        graphs = (self.node_offsets, self.node_rows, self.edge_offsets, self.edges)
        options = {name: getattr(self, name) for name in ("iterations", "halve", "multiply", "down", "up")}
        return partial(NodeSpace, **options), (*graphs, self.vectors, self.drawn, self.weights)

    @property
    def n_nodes(self):
        """Nodes of each graph, int64, shape (n_graphs,)."""
        return np.diff(self.node_offsets)

    @property
    def dimension(self):
        """int: numbers in the embedding of a node, (K + 1) d."""
        return self.width

    @property
    def n_weights(self):
        """int: weights of each direction and draw."""
        return self.weight.shape[2]

    cdef const double *label(self, Py_ssize_t row, Py_ssize_t draw) noexcept nogil:
        """The vector in a row of the table, double[d]. For d > 0 only."""
        return &self.fixed[row, 0] if row < self.known else &self.loose[draw, row - self.known, 0]

    cdef void shares(self, Py_ssize_t graph, const double *weights, double *out) noexcept nogil:
        """Share of each message of a graph in its receiver's mean: strength divided by number of messages."""
        cdef int64_t v, message, first, last
        for v in range(self.offset[graph], self.offset[graph + 1]):
            first, last = self.message_start[v], self.message_start[v + 1]
            for message in range(first, last):
                out[0] = strength(self, message, weights) / (last - first)
                out += 1

    cdef void propagate(self, Py_ssize_t graph, Py_ssize_t draw, const double *weights, double *out) noexcept nogil:
        """Embeddings of a graph's nodes before they are divided by their lengths, double[n, width]."""
        cdef Py_ssize_t d = self.d, v
        cdef Py_ssize_t first = self.offset[graph], n = self.offset[graph + 1] - first
        cdef int64_t width = self.width, message, last, count
        cdef const double *x
        cdef const double *one
        cdef const double *two
        cdef double *y
        cdef double w, u, half = 0.5 if self.halve else 1.0
        cdef int iteration
        if d == 0:
            return
        for v in range(n):
            memcpy(out + v * width, self.label(self.row[first + v], draw), d * sizeof(double))
        for iteration in range(self.iterations):
            for v in range(n):
                x = out + v * width + iteration * d
                y = out + v * width + (iteration + 1) * d
                message, last = self.message_start[first + v], self.message_start[first + v + 1]
                count = last - message
                if count == 0:
                    add_messages(y, x, x, 0.0, x, 0.0, half, d)
                # two messages at a time, so that most nodes are written once
                while message < last:
                    one = out + self.message_from[message] * width + iteration * d
                    w = strength(self, message, weights) / count
                    message += 1
                    two, u = one, 0.0
                    if message < last:
                        two = out + self.message_from[message] * width + iteration * d
                        u = strength(self, message, weights) / count
                        message += 1
                    add_messages(y, x, one, w, two, u, half if message == last else 1.0, d)
                    x = y

    def embeddings(self, Py_ssize_t start, Py_ssize_t stop, Py_ssize_t draw=0):
        """Embeddings of the nodes of the graphs ``start`` … ``stop - 1``: float64, shape (n, dimension).

        Rows have the length 1, or 0.

        Raises
        ------
        IndexError
            If there is no such graph or draw.
        """
        if not 0 <= start <= stop <= self.graphs or not 0 <= draw < self.n_draws:
            raise IndexError(f"graphs {start} to {stop} of {self.graphs}, draw {draw} of {self.n_draws}")
        cdef int64_t first = self.offset[start], v, g
        result = np.zeros((self.offset[stop] - first, self.width))
        cdef double[:, ::1] out = result
        if out.shape[0] and self.width:
            with nogil:
                for g in range(start, stop):
                    if self.offset[g + 1] > self.offset[g]:
                        self.propagate(g, draw, weights_of(self, draw), &out[self.offset[g] - first, 0])
                for v in range(out.shape[0]):
                    make_long(&out[v, 0], self.width)
        return result

    def usage(self, const int32_t[::1] graphs not None):
        """How often each weight is used in one round of these graphs: int64, shape (2, n_weights).

        Raises
        ------
        IndexError
            If there is no such graph.
        """
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


cdef inline double strength(NodeSpace self, int64_t message, const double *weights) noexcept nogil:
    """The product of a message's weights. ``weights``: those along, then those against the edges."""
    cdef int64_t f, k
    cdef double w = 1.0
    for f in range(self.factor_start[message], self.factor_start[message + 1]):
        k = self.factor[f]
        w = w * (weights[k] if k >= 0 else weights[self.weight.shape[2] + ~k])
    return w


cdef void collect(
    NodeSpace self, const int64_t[::1] edge_offset, const int32_t[:, ::1] edge, Pair *items
) noexcept nogil:
    """List the messages that each node receives: first those against edges, from its targets, then those along.

    Within each direction they are sorted by sender, then by edge. So the order of sums follows from the numbers of
    nodes and edges alone.
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
                items[n] = Pair(2 * <int64_t> source, (<int64_t> target << 32) | (k - edge_offset[g]))
                n += 1
            if self.down:
                items[n] = Pair(2 * <int64_t> target + 1, (<int64_t> source << 32) | (k - edge_offset[g]))
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


cdef bint measure(NodeSpace self, double *nodes) noexcept nogil:
    """Compute the lengths of the embeddings of all graphs in all draws; ``nodes``: room for the largest.

    Returns whether all are numbers, and not so large that a distance would be none: a transport between distances
    that are NaN would not end.
    """
    cdef Py_ssize_t draw, g, v, place
    cdef bint fine = True
    for draw in range(self.n_draws):
        for g in range(self.graphs):
            place = draw * self.row.shape[0] + self.offset[g]
            self.propagate(g, draw, weights_of(self, draw), nodes)
            for v in range(self.offset[g + 1] - self.offset[g]):
                self.inverse[place + v] = reciprocal(nodes + v * self.width, self.width)
                fine = fine and self.inverse[place + v] >= 0
    return fine


cdef const double *weights_of(NodeSpace space, Py_ssize_t draw) noexcept nogil:
    """The weights of a draw, double[2, n_weights]; NULL if there are none."""
    return &space.weight[draw, 0, 0] if space.weight.shape[2] else NULL


cdef inline double reciprocal(const double *x, int64_t width) noexcept nogil:
    """1 / length, or 0 for length 0, or -1 for one that is no number or too large to compute with."""
    cdef double total = dot(x, x, width)
    if not total <= LARGEST:
        return -1.0
    return 1.0 / sqrt(total) if total > 0 else 0.0


cdef double make_long(double *x, int64_t width) noexcept nogil:
    """Make a vector one long, unless it is 0; returns what it was multiplied by, or 0.

    A vector that is too large becomes 0: weights that are still being learnt may be anything.
    """
    cdef double w = reciprocal(x, width)
    cdef int64_t c
    if w < 0:
        memset(x, 0, width * sizeof(double))
        return 0.0
    for c in range(width if w else 0):
        x[c] = x[c] * w
    return w


cdef inline void add_messages(double *y, const double *x, const double *one, double w, const double *two, double u,
                              double scale, Py_ssize_t d) noexcept nogil:
    """y = scale (x + w one + u two); y may be x."""
    cdef Py_ssize_t c
    for c in range(d):
        y[c] = scale * (x[c] + w * one[c] + u * two[c])
