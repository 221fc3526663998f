"""The graphs of two corpora as :mod:`fastmatch._ext.index.rows` takes them."""

from libc.stdint cimport int32_t, int64_t, uint8_t

from fastmatch._ext.index.formulas cimport OverlapScorer

cdef enum:
    # Different sizes that keys of known scores tell apart.
    KINDS = 255
    # Whole numbers below it, and sums of two of them, are numbers of single precision.
    SMALL = 1 << 23
    # The highest value with which a list still counts as one of small whole numbers.
    HIGHEST = 65535


cdef class RowScorer:
    cdef readonly OverlapScorer scorer
    cdef readonly bint by_size
    cdef tuple indexes
    cdef tuple lists
    cdef Py_ssize_t tile
    cdef Py_ssize_t n_lists
    cdef Py_ssize_t n_lines         # of sums: 1 if the overlaps of all lists may be added up at once
    cdef bint whole                 # all values are small whole numbers
    # A slot is what a list may have: a feature, in bags of whole numbers its first, second, … occurrence.
    cdef int32_t[::1] graphs        # in the order of the tiles
    cdef double[::1] sizes_there    # of these graphs
    cdef int64_t[::1] starts        # of the postings of each slot
    cdef int32_t[::1] places        # of graphs in `graphs`, rising; so often as the feature occurs, in products
    cdef double[::1] values         # where they are not whole
    cdef int32_t[::1] most          # of each slot: how much it adds to a sum, at most; if values are whole
    cdef int32_t[::1] column_of     # of each slot, or -1
    cdef uint8_t[:, ::1] columns
    cdef int64_t[::1] first_slots   # of each list
    cdef bint small                 # sizes are small whole numbers
    cdef double[::1] kind_sizes     # different sizes, rising
    cdef uint8_t[::1] kinds         # which of them each of `graphs` has; KINDS for those that are too many
    cdef tuple further              # of each list: the slot of the second occurrence of each feature, int64; or None
    cdef int64_t[::1] n_cursors     # slots of each row, at most
