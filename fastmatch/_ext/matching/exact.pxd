from libc.stdint cimport int32_t, int64_t

from fastmatch._ext.matching.problem cimport Problem
from fastmatch._ext.matching.solver cimport Solver


cdef int solve(Solver *solver, const Problem *problem, int64_t work, double ceiling,
               const int32_t *hint) noexcept nogil
cdef bint refuted(Solver *s, const Problem *problem, int64_t work, double ceiling, double least) noexcept nogil
