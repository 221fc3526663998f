# cython: language_level=3
# Keys of labels, for kernels that turn the triples of a corpus into features.
from libc.stdint cimport int32_t, uint64_t

from fastmatch._ext.base.sorting cimport sort_keys
from fastmatch._ext.features.keys cimport tag


cdef enum:
    NO_LABEL = 1000     # the tag of a concept or value that is missing


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
