from libc.stdint cimport int32_t, int64_t

from fastmatch._ext.base.arena cimport Arena
from fastmatch._ext.matching.problem cimport GraphView


cdef size_t colours_size(const GraphView *a, const GraphView *b) noexcept nogil
cdef int64_t pair_by_colour(Arena *arena, const GraphView *a, const GraphView *b, int32_t *mapping,
                            int32_t *owner, bint *thorough) noexcept nogil
