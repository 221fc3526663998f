# cython: language_level=3
from libc.stdint cimport int32_t, int64_t, uint8_t

from fastmatch._ext.base.arena cimport Arena
from fastmatch._ext.overlap.space cimport Label, SoftSpace

cdef enum Kind:
    # Which term of the likeness of two labels is the largest.
    NOTHING = 0
    EQUAL = 1
    SAME_LEMMA = 2
    VECTORS = 3
    SHARED_CHARACTERS = 4
    NUMBERS = 5


cdef struct Best:
    # The best match of a node or an edge. Of an edge, `turned` says that it is turned around.
    double value
    int32_t of
    bint turned


cdef class Matcher:
    cdef Arena arena
    cdef int64_t n, m, n_edges, m_edges
    cdef double *likeness             # [n, m]
    cdef float *products              # [m]
    cdef Best *row                    # [n], [m]: best matches of nodes
    cdef Best *column
    cdef Best *edge_row               # [n_edges], [m_edges]: best matches of edges
    cdef Best *edge_column
    cdef bint with_single             # whether the next four were filled
    cdef Best *single_row             # [n], [m]: one-to-one matches of nodes
    cdef Best *single_column
    cdef Best *between_row            # [n_edges], [m_edges]: best matches of edges between such nodes
    cdef Best *between_column

    cdef int match(self, SoftSpace a, SoftSpace b, int64_t i, int64_t j, bint with_edges,
                   const uint8_t *cancel) noexcept nogil
    cdef int match_edges(self, SoftSpace a, SoftSpace b, int64_t i, int64_t j, const uint8_t *cancel) noexcept nogil
    cdef int match_single(self, SoftSpace a, SoftSpace b, int64_t i, int64_t j,
                          const uint8_t *cancel) noexcept nogil
    cdef bint exchanged(self, const double *masses, const double *others) noexcept nogil
    cdef int match_between(self, SoftSpace a, SoftSpace b, int64_t i, int64_t j, const uint8_t *cancel) noexcept nogil
    cdef void bound_edges(self, SoftSpace space, int64_t first, Best *edges, int64_t count, const Best *nodes,
                          int64_t others) noexcept nogil


cdef inline double mixed(const Best *best, const Best *single, double share) noexcept nogil:
    """The best value, less ``share`` of what the one-to-one match is below it: exactly the best if they are equal."""
    return best.value + share * (single.value - best.value)


cdef double label_likeness(const Label *one, const Label *two, const double *setting, const double *scale,
                           double product, Kind *kind) noexcept nogil
cdef void ask_for(SoftSpace space, int64_t g) noexcept nogil
cdef double product_of(SoftSpace a, SoftSpace b, int32_t r, int32_t q) noexcept nogil
cdef int check_spaces(SoftSpace a, SoftSpace b) except -1
