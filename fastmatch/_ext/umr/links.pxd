# cython: language_level=3
"""C-level face of the links, for the kernel that compares sentences."""

from libc.stdint cimport int32_t, int64_t, uint8_t

from fastmatch._ext.base.arena cimport Arena


cdef struct Half:
    # One of two sentences: what is given, then scratch. Nodes stand in the order of their variables. The attributes of
    # a node, its concept among them, are in the order of role and value; values that are constants have other numbers
    # than the variables that are spelled like them.
    int32_t n
    const int32_t *variable     # id of a string: where that begins in ``text`` is in ``text_start``
    const int32_t *extended
    const int32_t *length
    const int64_t *text_start
    const uint8_t *text
    const int64_t *attribute_start
    const int32_t *role
    const int32_t *value
    const int32_t *child        # the node that the value is, or -1
    const int32_t *counts       # whether it is part of the score
    const int64_t *span_start
    const int32_t *first        # spans ascend
    const int32_t *last
    int64_t *start              # where the links of each node begin; they ascend
    int32_t *used               # how many it has
    int32_t *links
    int32_t *strong             # strong and weak matches of each link
    int32_t *weak
    int32_t *best               # place of the best link of each node among its links, or -1 if it is to be found
    int32_t *same               # node of the other sentence with the same variable, or -1
    int64_t *parent_start       # nodes that have this one as a child, each once
    int32_t *parents
    int64_t *work               # steps of work that are left, of both halves


cdef int link_sentences(
    Arena *small, Arena *large, Half *halves, int32_t n_tokens, int32_t unmapped, int64_t limit, int64_t work,
    int64_t *ambiguous, int32_t *partners_x, int32_t *partners_y, uint8_t *whole, const uint8_t *cancel,
) noexcept nogil
