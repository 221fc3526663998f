from libc.stdint cimport int32_t

from fastmatch._ext.anchors.builder cimport Builder
from fastmatch._ext.base.columns cimport Column


cdef bint neighbours(Builder self, Column *edges, Column *one, Column *one_start, Column *near, Column *near_start,
                     int32_t n) noexcept nogil
cdef bint classify(Builder self, int32_t *nodes, int32_t n, bint apart) noexcept nogil
cdef bint count_reachable(Builder self, int32_t *nodes, int32_t n) noexcept nogil
