# cython: language_level=3
from libc.stdint cimport int32_t, int64_t, uint8_t

from fastmatch._ext.transport.contexts cimport NodeSpace

cdef enum:
    # Columns of products that a round of context changes at a time.
    STRIP = 64
    # Products or distances computed between two questions about Ctrl-C and cancellation.
    PATIENCE = 1 << 20
    # Bytes of products, and of embeddings, that one call keeps.
    CACHE = 1 << 26


cdef struct Tables:
    # Products of the nodes of one graph of the first corpus with labels of the second corpus's table.
    int64_t graph                     # of the first corpus, -1 for none
    int64_t full                      # its nodes, rounded up to a multiple of four
    double *panels                    # [n_draws, full / 4, d, 4] vectors of its nodes' labels, interleaved by fours
    int64_t panels_room
    double *products                  # [n_draws, n_rows, full], or NULL if that is too much to be kept
    int64_t products_room
    int64_t *stamp                    # [n_draws, n_rows] serial number of the graph that a row belongs to
    int64_t serial                    # of this graph
    bint keeps                        # whether this graph's products are stored


cdef void tables_init(Tables *t) noexcept nogil
cdef int tables_make(Tables *t, NodeSpace a, NodeSpace b, int64_t graph, bint keeps) noexcept nogil
cdef void tables_free(Tables *t) noexcept nogil
cdef int label_products(Tables *t, NodeSpace b, int64_t graph, int64_t draw, int32_t *missing, const uint8_t *cancel,
                        double *out) noexcept nogil
cdef int sums_in_one(
    Tables *t, NodeSpace a, NodeSpace b, int64_t i, int64_t j, const double *shares_a, const double *shares_b,
    int32_t *list, double *spare, const uint8_t *cancel, double *sums,
) noexcept nogil
cdef void products_in_context(
    NodeSpace a, NodeSpace b, int64_t i, int64_t j, const double *shares_a, const double *shares_b, int64_t full,
    double *now, double *spare, double *sums,
) noexcept nogil
