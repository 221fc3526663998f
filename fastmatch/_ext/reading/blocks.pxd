# cython: language_level=3
"""What readers of blocks share: see blocks.pyx."""

from libc.stdint cimport int32_t, int64_t

from fastmatch._ext.reading cimport reader
from fastmatch._ext.reading.reader cimport F_OWN
from fastmatch._ext.base.columns cimport Column
from fastmatch._ext.base.lines cimport Place


cdef enum GluedFault:
    F_SLASH = F_OWN, F_DUPLICATE, F_VALUE, F_TWO_ROLES, F_ORPHAN, F_NO_CONCEPT, F_NO_NODE
    F_OWN_GLUED     # from here on, a dialect's own


cdef struct Piece:
    int64_t glued           # offset in the glued line
    int64_t source          # offset in the text


cdef class BlockReader(reader.Reader):
    cdef Column pieces              # the block's lines that are no comments; none at the end of the text
    cdef Column letters             # scratch: a string that is made byte by byte

    # What a dialect defines:
    cdef int take_line(self, Place p, Place stop) except -1 nogil     # see blocks.pyx
    cdef int scan_block(self) except -1 nogil       # add the graph's rows and close it; a Status

    cdef int gather_block(self) except -1 nogil
    cdef void begin_at(self, Place p) noexcept nogil
    cdef int64_t line_of(self, int64_t place) noexcept nogil
    cdef int32_t intern_letters(self) except -1 nogil


cdef class GluedReader(BlockReader):
    cdef str tool                   # who is said to refuse something, in messages
    cdef bint spaced                # lines are glued with a space, and a comment begins in the first column
    cdef Column glued               # the block's lines as one

    cdef int fail_glued(self, int code, int64_t at) noexcept nogil


cdef class PlainReader(BlockReader):
    cdef public str lone            # how bytes that are no text become characters and back: Python's "errors"
    cdef bint fresh                 # a text has begun
    cdef readonly int64_t here      # where the line begins that ``takes`` looks at
    cdef int64_t lost_line
    cdef str lost_name
    cdef list lines
    cdef str said                   # what is wrong with the graph that was read last

    cdef int add_graph(self) except -1
