from libc.stdint cimport int32_t, int64_t, uint8_t

from fastmatch._ext.base.arena cimport Arena
from fastmatch._ext.matching.problem cimport GraphView, Problem
from fastmatch._ext.matching.solver cimport Solver
from fastmatch._ext.matching.triples cimport TripleFeatures


cdef int check(
    TripleFeatures a, TripleFeatures b, const int32_t[::1] index_a, const int32_t[::1] index_b,
    Py_ssize_t start, Py_ssize_t stop, Py_ssize_t n_out, const uint8_t[::1] cancel,
    const int64_t[::1] mapping_offsets, const int32_t[::1] mapping,
) except -1
cdef int check_spent(least, spent, maps, Py_ssize_t stop) except -1
cdef const int32_t *kept_map(list maps, Py_ssize_t k, const GraphView *a, const GraphView *b) except? NULL with gil
cdef int keep_map(list maps, Py_ssize_t k, const int32_t *best, int32_t n_variables) except -1 with gil
cdef tuple left_open(Py_ssize_t k, const Solver *solver, bint whole)
cdef int search_likely(
    Solver *solver, Arena *arena, Problem *problem, const GraphView *a, const GraphView *b, int64_t max_work,
    int64_t allowed, int64_t spent, double ceiling, const int32_t *hint, int64_t *effort
) noexcept nogil
