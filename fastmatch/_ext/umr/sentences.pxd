# cython: language_level=3
"""C-level face of the sentences, for the kernel that compares them."""

from libc.stdint cimport int32_t, int64_t, uint8_t

cdef enum:
    # the rows of the columns
    N_VARIABLE, N_CONCEPT, N_EXTENDED, N_LENGTH, NODE_ROWS, A_ROLE = 0, A_VALUE, A_MAY_BE_VARIABLE, ATTRIBUTE_ROWS
    R_HEAD = 0, R_ROLE, R_TAIL, RELATION_ROWS


cdef class Sentences:
    cdef readonly Py_ssize_t n_sentences
    cdef readonly int32_t highest                   # the highest id of a string, or -1
    cdef readonly const int64_t[::1] node_start, attribute_start, span_start, token_start, relation_start
    cdef readonly const int32_t[:, ::1] nodes, attributes, spans, relations
    cdef readonly const int32_t[::1] tokens
    cdef readonly const uint8_t[::1] whole
