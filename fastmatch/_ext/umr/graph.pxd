# cython: language_level=3
"""C-level face of what reads graphs, for the reader of whole files."""

from libc.stdint cimport int32_t, int64_t, uint64_t

from fastmatch._ext.base.columns cimport Column, reserve
from fastmatch._ext.base.sorting cimport Pair
from fastmatch._ext.reading.interner cimport Interner
from fastmatch._ext.umr.patterns cimport Line, Place

cdef enum:
    BLOCKS = 4
    FAILED = 1                  # the rest of the sentence is not read

cdef enum Failure:
    # why the program stops reading a sentence
    F_CONCEPT = 1
    F_OUTSIDE
    F_NO_ROLE
    F_NO_VALUE
    F_BRACKET
    F_VALUE
    F_VALUE_OUTSIDE
    F_ALIGNMENT
    F_VARIABLE
    F_TOKENS
    F_GROUP
    F_RELATION
    F_OPENING
    F_CLOSING
    F_WORD


cdef struct Problem:
    int64_t sentence
    int64_t line
    int64_t column
    int32_t code
    int32_t name            # id of the string that the message names


cdef inline int room_for(Column *column, int64_t n, int64_t size) except -1 nogil:
    """Forget what the column held and make room for n items."""
    column.used = 0
    return reserve(column, n, size)


cdef class GraphReader:
    cdef Interner interner
    cdef bint top
    cdef int32_t top_role, top_value, name, empty
    cdef uint64_t stamp
    # what is read, row by row
    cdef Column node_start, nodes, attribute_start, attributes, span_start, spans, tokens, whole, problems
    # of the sentence that is being read: the lines of each block; the nodes in the order of the text, a variable that
    # is declared again among them; what is said of them; which are still open; the characters before each token
    cdef Column[BLOCKS] blocks
    cdef Column variables, concepts, lengths, own_spans, span_first, span_count, said, opened, before
    # scratch
    cdef Column keyed, order, places, pairs, spare, letters

    cdef int fail(self, int code, int32_t name, const Line *line, Place p, Place stop) except -1 nogil
    cdef int read_tokens(self) except -1 nogil
    cdef int graph(self) except -1 nogil
    cdef int32_t last_opened(self) noexcept nogil
    cdef bint is_copied(self, Place p) noexcept nogil
    cdef int say(self, int32_t node, int32_t role, int32_t value, int32_t may_be_variable) except -1 nogil
    cdef int declare(self, int32_t variable, int32_t concept) except -1 nogil
    cdef int write_nodes(self, bint whole) except -1 nogil
    cdef int write_node(self, int32_t node, bint whole, const Pair *rows, int64_t n) except -1 nogil
    cdef int32_t extended(self, int32_t concept, const Pair *rows, int64_t n) except -1 nogil
    cdef int spell(self, int32_t id) except -1 nogil
