# cython: language_level=3
"""Joining and sorting keys of features, for the kernels that make them; keys.pyx defines the terms."""

from libc.stdint cimport int64_t, uint32_t, uint64_t

from fastmatch._ext.base.random cimport mix


cdef struct Joins:
    # The pairs of keys joined so far, in order; NULL where keys are hashed. The key of pair k is FIRST_JOIN + k.
    uint64_t *pairs
    uint32_t *slots         # hash table with open addressing; 0 is free, else the number of the pair + 1
    uint64_t mask
    int64_t count, capacity
    bint failed             # the tables could not grow: keys made since are wrong, and the caller must raise


cdef class JoinTable:
    cdef Joins joins
    cdef readonly object lock


cdef uint64_t join_exactly(Joins *joins, uint64_t left, uint64_t right) noexcept nogil


cdef inline uint64_t tag(uint32_t kind) noexcept nogil:
    """Return the key of a marker that is no label, such as the kind of a feature at the start of its sequence.

    No exact key of a label or a pair is equal to it.
    """
    return (<uint64_t> 0xFFFFFFFF << 32) | kind


cdef inline uint64_t join(Joins *joins, uint64_t left, uint64_t right) noexcept nogil:
    """Return the key of a pair of keys; a sequence is ((first, second), third) …"""
    if joins.slots == NULL:
        return mix(mix(left + <uint64_t> 0x9E3779B97F4A7C15) + right)
    return join_exactly(joins, left, right)
