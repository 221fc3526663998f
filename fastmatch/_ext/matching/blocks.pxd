from libc.stdint cimport int32_t, int64_t

from fastmatch._ext.matching.relaxation cimport Relaxation
from fastmatch._ext.matching.solver cimport Solver


cdef void search_blocks(Solver *s, const Relaxation *x, int32_t most, double cost, int64_t work) noexcept nogil
