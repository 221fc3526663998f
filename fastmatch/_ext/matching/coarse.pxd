from libc.stdint cimport int32_t, int64_t

from fastmatch._ext.base.arena cimport Arena
from fastmatch._ext.matching.problem cimport GraphView


cdef int64_t counting_bound(const GraphView *a, const GraphView *b) noexcept nogil
cdef int64_t largest_count(const int32_t *counts, Py_ssize_t start, Py_ssize_t stop) noexcept nogil
cdef int64_t unary_bound(const GraphView *a, const GraphView *b) noexcept nogil
cdef int64_t relation_bound(Arena *arena, const GraphView *a, const GraphView *b) noexcept nogil
cdef int64_t map_value(const GraphView *a, const GraphView *b, const int32_t *mapping) noexcept nogil
cdef int64_t coarse_match(Arena *arena, const GraphView *a, const GraphView *b, int64_t ceiling,
                          const int32_t **mapping, int64_t *work) noexcept nogil
cdef int complete_map(Arena *arena, const GraphView *a, const GraphView *b, int32_t *mapping) noexcept nogil
