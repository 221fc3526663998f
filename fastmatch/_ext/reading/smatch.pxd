# cython: language_level=3
"""The reader of smatch 1.0.4, for readers that make Penman text and then read it as smatch would: see smatch.pyx."""

from libc.stdint cimport int32_t, int64_t, uint64_t

from fastmatch._ext.base.columns cimport Column
from fastmatch._ext.base.lines cimport Place
from fastmatch._ext.reading cimport blocks as read_blocks


cdef enum State:
    # the last significant character
    OUTSIDE                     # none yet, or ")"
    OPENED, ROLE, SLASH

cdef struct Node:
    int32_t name
    int32_t concept             # -1 until it is complete
    int32_t first               # of its two lists of edges
    int32_t second


cdef class Reader(read_blocks.GluedReader):
    cdef bint partial, keyed, mark
    cdef bint kept              # an inverted role whose value is a constant keeps its name, and the constant
    cdef bint sembleu           # the rules of SemBleu's program, where they differ
    cdef Column opened, nodes, order, entries, pairs      # scratch of the graph being read

    cdef int32_t intern_role(self, Place role, int64_t length, bint turn, int *direction) except -1 nogil
    cdef int note(self, int32_t source, int32_t role, int32_t value, int direction, bint second) except -1 nogil
    cdef int32_t innermost(self) noexcept nogil
    cdef int lead_to(self, int32_t parent, int32_t role, int direction, int32_t name, int64_t at) except -1 nogil
    cdef int finish_value(self, uint64_t stamp, int64_t letters, bint last, int64_t at) except -1 nogil
    cdef int settle_block(self, uint64_t stamp) except -1 nogil
