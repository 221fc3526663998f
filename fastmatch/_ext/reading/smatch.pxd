# cython: language_level=3
"""The reader of smatch 1.0.4, for readers that make Penman text and then read it as smatch would: see smatch.pyx."""

from libc.stdint cimport int32_t, int64_t, uint8_t, uint64_t

from fastmatch._ext.base.columns cimport Column
from fastmatch._ext.reading cimport blocks as read_blocks


cdef class Reader(read_blocks.GluedReader):
    cdef bint partial, keyed, mark
    cdef bint kept              # an inverted role whose value is a constant keeps its name, and the constant
    cdef Column letters, names, nodes, order, entries, pairs     # scratch of the graph being read

    cdef int32_t intern_role(self, const uint8_t *role, int64_t length, bint turn, int *direction) except -1 nogil
    cdef int note(
        self, uint64_t stamp, int32_t source, int32_t role, int32_t value, int direction, bint second
    ) except -1 nogil
    cdef int finish_value(self, uint64_t stamp, int64_t letters, bint last, int64_t at) except -1 nogil
    cdef int settle_block(self, uint64_t stamp) except -1 nogil
    cdef int collapse(self, int64_t first_attribute, int64_t first_relation) except -1 nogil
