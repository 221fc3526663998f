# cython: language_level=3
from libc.stdint cimport int32_t, int64_t, uint8_t, uint64_t

from fastmatch._ext.base.arena cimport Arena, Doubles, Ints
from fastmatch._ext.base.columns cimport Column
from fastmatch._ext.overlap.space cimport Label, SoftSpace

cdef enum Kind:
    # Which term of the likeness of two labels is the largest.
    NOTHING, EQUAL, SAME_LEMMA, VECTORS, SHARED_CHARACTERS, NUMBERS


cdef struct Best:
    # The best match of a node or an edge. Of an edge, `turned` says that it is turned around.
    double value
    int32_t of
    bint turned

ctypedef Best *Bests


cdef extern from "cells.h":
    ctypedef struct Labels "fm_labels":
        uint64_t *key
        uint64_t *lemma
        uint64_t *sign
        Ints n_bigrams, doubled
        uint8_t *kind
        uint8_t *odd
        double *number

    ctypedef struct Cells "fm_cells":
        int32_t *cell
        Doubles above, scale
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
    cdef Doubles row, column          # [n], [m]: what the best matches of nodes are worth
    cdef Doubles edge_row, edge_column      # [n_edges], [m_edges]: the same of edges
    # the same four with what the matches are; only if that was asked for
    cdef Bests row_best, column_best, edge_row_best, edge_column_best
    cdef bint with_single             # whether the next four were filled
    cdef Bests single_row, single_column    # [n], [m]: one-to-one matches of nodes
    cdef Bests between_row, between_column  # [n_edges], [m_edges]: best matches of edges between such nodes

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
