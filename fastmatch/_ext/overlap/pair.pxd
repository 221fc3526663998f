# cython: language_level=3
from libc.stdint cimport int32_t, int64_t, uint8_t, uint64_t

from fastmatch._ext.base.arena cimport Arena
from fastmatch._ext.base.columns cimport Column
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


cdef extern from "cells.h":
    ctypedef struct Labels "fm_labels":
        uint64_t *key
        uint64_t *lemma
        uint64_t *sign
        int32_t *n_bigrams
        int32_t *doubled
        uint8_t *kind
        uint8_t *odd
        double *number

    ctypedef struct Cells "fm_cells":
        int32_t *cell
        double *above
        double *scale
        int64_t n

cdef extern from "dense.h":
    ctypedef union Line "fm_line":
        double *each
    ctypedef struct Dense "fm_dense":
        int64_t *column_of
        Line *gain


cdef class Matcher:
    cdef Arena arena
    cdef Dense dense
    cdef float *two_rows              # of fill_rows
    cdef int32_t *special
    cdef Cells plain
    cdef Column alike_at              # of match_large: the lists of what is alike
    cdef Column alike_value
    cdef bint whole                   # whether nothing was dropped by match_large
    cdef int64_t n, m, n_edges, m_edges
    cdef bint lasting
    cdef Labels labels                # of the n nodes of the first graph
    cdef Labels others                # of the m nodes of the second one
    cdef double *likeness             # [n, m]
    cdef double *row                  # [n], [m]: what the best matches of nodes are worth
    cdef double *column
    cdef double *edge_row             # [n_edges], [m_edges]: the same of edges
    cdef double *edge_column
    cdef Best *row_best               # the same four with what the matches are; only if that was asked for
    cdef Best *column_best
    cdef Best *edge_row_best
    cdef Best *edge_column_best
    cdef bint with_single             # whether the next four were filled
    cdef Best *single_row             # [n], [m]: one-to-one matches of nodes
    cdef Best *single_column
    cdef Best *between_row            # [n_edges], [m_edges]: best matches of edges between such nodes
    cdef Best *between_column

    cdef int match(self, SoftSpace a, SoftSpace b, int64_t i, int64_t j, bint with_edges, bint traced,
                   bint lasting, const uint8_t *cancel) noexcept nogil
    cdef int match_large(self, SoftSpace a, SoftSpace b, int64_t i, int64_t j, bint with_edges,
                         const uint8_t *cancel) noexcept nogil


cdef inline double mixed(double best, const Best *single, double share) noexcept nogil:
    """The best value, less ``share`` of what the one-to-one match is below it: exactly the best if they are equal."""
    return best + share * (single.value - best)


cdef double label_likeness(const Label *one, const Label *two, const double *setting, const double *scale,
                           double product, Kind *kind) noexcept nogil
cdef void ask_for(SoftSpace space, int64_t g) noexcept nogil
cdef double product_of(SoftSpace a, SoftSpace b, int32_t r, int32_t q) noexcept nogil
cdef int check_spaces(SoftSpace a, SoftSpace b) except -1
