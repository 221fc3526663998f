from libc.stdint cimport int32_t, uint8_t

from fastmatch._ext.anchors.pair cimport View
from fastmatch._ext.base.arena cimport Arena


cdef bint equal_graphs(const View *t, const View *g, bint alignment) noexcept nogil
cdef size_t coarse_bytes(const View *t, const View *g) noexcept nogil
cdef int match_coarsely(
    Arena *arena, const View *t, const View *g, int32_t t_root, int32_t g_root, int32_t *row, int32_t *column,
    const uint8_t *cancel,
) noexcept nogil
