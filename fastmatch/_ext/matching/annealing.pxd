from libc.stdint cimport int32_t, int64_t

from fastmatch._ext.base.watch cimport Watch
from fastmatch._ext.matching.local_search cimport Selection


cdef int64_t anneal(Selection *selection, int64_t limit, int32_t *best, Watch *watch) noexcept nogil
