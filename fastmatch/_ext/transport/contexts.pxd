# cython: language_level=3
from libc.stdint cimport int32_t, int64_t


cdef enum:
    # Bytes of products that one call keeps, and of the embeddings of a graph that may be stored.
    CACHE = 1 << 26


cdef class NodeSpace:
    cdef readonly object node_offsets, node_rows, edge_offsets, edges, vectors, drawn, weights
    cdef readonly int iterations
    cdef readonly bint halve, multiply, down, up
    cdef Py_ssize_t graphs, n_draws, d, known
    cdef Py_ssize_t n_rows                          # label vectors
    cdef int64_t width                              # numbers in an embedding: (K + 1) d
    cdef const int64_t[::1] offset
    cdef const int32_t[::1] row
    cdef const double[:, ::1] fixed
    cdef const double[:, :, ::1] loose
    cdef const double[:, :, ::1] weight
    cdef list kept                                  # the memory of the next five
    cdef int64_t *message_start                     # [n_nodes + 1]
    cdef int32_t *message_from                      # node within the graph
    cdef int64_t *factor_start                      # [n_messages + 1]
    cdef int32_t *factor                            # number of a weight; complemented for one against the edge
    cdef double *inverse                            # [n_draws, n_nodes] 1 / length of the embedding, 0 for length 0
    cdef Py_ssize_t largest                         # nodes of the largest graph
    cdef double *alone                              # [n_nodes, width] of length 1 or 0, of an only graph; or NULL

    cdef const double *label(self, Py_ssize_t row, Py_ssize_t draw) noexcept nogil
    cdef void propagate(self, Py_ssize_t graph, Py_ssize_t draw, const double *weights, double *out) noexcept nogil
    cdef void shares(self, Py_ssize_t graph, const double *weights, double *out) noexcept nogil


cdef const double *weights_of(NodeSpace space, Py_ssize_t draw) noexcept nogil
cdef double make_long(double *x, int64_t width) noexcept nogil
