# cython: language_level=3
"""What readers of Chinese AMR (CAMR) share: see camr_rows.pyx."""

from libc.stdint cimport int32_t, int64_t, uint64_t

from fastmatch._ext.reading cimport blocks as read_blocks
from fastmatch._ext.reading.reader cimport F_OWN
from fastmatch._ext.base.columns cimport Column
from fastmatch._ext.base.letters cimport digits_end
from fastmatch._ext.base.lines cimport Place


cdef enum RowFault:
    F_ID = F_OWN
    F_OWN_ROWS      # from here on, a dialect's own


cdef struct Row:
    # a relation with both its ends: ids of strings, "-" for what is not there
    int32_t node            # id of node 1, its concept, and the id of the node that it refers to
    int32_t concept, coref
    int32_t role            # with its colon
    int32_t place           # ids of the words on the relation, and the words
    int32_t word
    int32_t other           # the same of node 2
    int32_t other_concept, other_coref
    int64_t at              # where the row stands in the text


cdef class RowReader(read_blocks.BlockReader):
    cdef Column concepts, events, places, scratch
    cdef int32_t dash, root_word, top_role, coref_role      # ids of strings
    cdef uint64_t stamp
    cdef int64_t first_variable, first_relation, first_instance
    cdef int32_t placed, top
    cdef int64_t lost_line
    cdef int32_t lost_name

    cdef int begin_rows(self) except -1 nogil
    cdef int add_row(self, const Row *row) except -1 nogil
    cdef int end_rows(self) except -1 nogil
    cdef void close_gaps(self) noexcept nogil
    cdef int add_id_comment(self, Place start, Place stop) except -1 nogil
    cdef int32_t node(self, int32_t name, int32_t concept) except -1 nogil
    cdef int refer(self, int32_t node, int32_t name, int64_t at) except -1 nogil
    cdef int32_t role_of(self, int32_t role, int64_t length) except -1 nogil
    cdef int32_t word_role(self, int32_t place, int32_t word) except -1 nogil
    cdef int add_event(self, int32_t node, int32_t name, int open) except -1 nogil
    cdef int add_escaped(self, int32_t text, int64_t length) except -1 nogil
    cdef str spelled(self, int64_t at)


cdef inline Place id_end(Place p, Place stop) noexcept nogil:
    """Where the id of a node that begins at ``p`` ends: ``x3``, ``x3_x5``, ``x15_1_2``; ``p`` itself if none does."""
    cdef Place end = p
    if p == stop or p[0] != c"x":
        return end
    p += 1
    while digits_end(p, stop) > p:
        end = p = digits_end(p, stop)
        if p == stop or p[0] != c"_":
            break
        p += 1
        if p < stop and p[0] == c"x":
            p += 1
    return end
