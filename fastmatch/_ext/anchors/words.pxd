from libc.stdint cimport int32_t, int64_t, uint8_t

from fastmatch._ext.anchors.builder cimport Builder
from fastmatch._ext.graphs.columns cimport Columns


cdef object read_sentence(Builder self, const uint8_t[::1] comments, int64_t start, int64_t stop)
cdef int number_nodes(Builder self, const int32_t[::1] names, int64_t start, int32_t n) except -1 nogil
cdef int32_t split_concept(Builder self, int32_t concept, int32_t *sense) except -1 nogil
cdef int gather(Builder self, Columns columns, Py_ssize_t g, int64_t by_label, int32_t n) except -1 nogil
cdef int collect_pairs(Builder self) except -1 nogil
cdef int collect_roles(Builder self, int32_t *nodes, int32_t n) except -1 nogil
cdef int collect_attributes(Builder self, int32_t *nodes, int32_t n) except -1 nogil
cdef int collect_last_attributes(Builder self, int32_t *nodes, int32_t n) except -1 nogil
cdef int collect_candidates(Builder self, const int32_t *nodes, int32_t n, bint all_concrete) except -1 nogil
