# cython: language_level=3
# Keys of labels, for kernels that turn the triples of a corpus into features.
from libc.stdint cimport int32_t, uint64_t

from fastmatch._ext.features.keys cimport tag


cdef enum:
    NO_LABEL = 1000     # the tag of a concept or value that is missing


cdef inline uint64_t key_of(const uint64_t[::1] keys, int32_t label) noexcept nogil:
    return keys[label] if label >= 0 else tag(NO_LABEL)
