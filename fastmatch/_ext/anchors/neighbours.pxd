from libc.stdint cimport int32_t

from fastmatch._ext.anchors.builder cimport Builder
from fastmatch._ext.base.columns cimport Column


cdef int neighbours(Builder self, Column *edges, Column *one, Column *one_start, Column *near, Column *near_start,
                    int32_t n) except -1 nogil
cdef int classify(Builder self, int32_t *nodes, int32_t n, bint apart) except -1 nogil
cdef int count_reachable(Builder self, int32_t *nodes, int32_t n) except -1 nogil
