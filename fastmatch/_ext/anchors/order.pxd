from libc.stdint cimport int32_t

from fastmatch._ext.anchors.builder cimport Builder
from fastmatch._ext.graphs.columns cimport Columns


cdef int order_nodes(
    Builder self, Columns columns, Py_ssize_t g, const int32_t *name, const int32_t *sense, int32_t n
) except -1 nogil
