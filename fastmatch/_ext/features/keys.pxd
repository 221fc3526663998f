# cython: language_level=3
"""Joining and sorting keys of features, for the kernels that make them; keys.pyx defines the terms."""

from libc.stdint cimport int32_t, uint32_t, uint64_t

from fastmatch._ext.base.columns cimport Column
from fastmatch._ext.base.random cimport mix
from fastmatch._ext.base.sorting cimport sort_keys


cdef enum:
    NO_LABEL = 1000     # the tag of a concept or value that is missing


cdef class JoinTable:
    cdef Column pairs       # of Pair: the keys joined so far, in order; the key of pair k is FIRST_JOIN + k
    cdef uint32_t *slots    # hash table with open addressing; 0 is free, else the number of the pair + 1; NULL: hash
    cdef uint64_t mask
    cdef bint failed        # the tables could not grow: keys made since are wrong, and the caller must raise
    cdef readonly object lock


cdef uint64_t join_exactly(JoinTable table, uint64_t left, uint64_t right) noexcept nogil


cdef inline uint64_t tag(uint32_t kind) noexcept nogil:
    """Return the key of a marker that is no label, such as the kind of a feature at the start of its sequence.

    No exact key of a label or a pair is equal to it.
    """
    return (<uint64_t> 0xFFFFFFFF << 32) | kind


cdef inline uint64_t join(JoinTable table, uint64_t left, uint64_t right) noexcept nogil:
    """Return the key of a pair of keys; a sequence is ((first, second), third) …"""
    if table.slots == NULL:
        return mix(mix(left + <uint64_t> 0x9E3779B97F4A7C15) + right)
    return join_exactly(table, left, right)


cdef inline uint64_t key_of(const uint64_t[::1] keys, int32_t label) noexcept nogil:
    return keys[label] if label >= 0 else tag(NO_LABEL)


cdef inline Py_ssize_t append_sorted(
    uint64_t *made, Py_ssize_t n, uint64_t *scratch, uint64_t *keys, int32_t *counts, Py_ssize_t used
) noexcept nogil:
    """Sort n keys and append each once to the first ``used`` of ``keys``; returns how many these are then.

    ``counts``: how often each is there, or NULL. ``scratch`` has room for n keys.
    """
    cdef Py_ssize_t k, first = used
    sort_keys(made, n, scratch)
    for k in range(n):
        if used > first and keys[used - 1] == made[k]:
            if counts != NULL:
                counts[used - 1] += 1
            continue
        keys[used] = made[k]
        if counts != NULL:
            counts[used] = 1
        used += 1
    return used
