from libc.stdint cimport int32_t, int64_t, uint8_t

from fastmatch._ext.matching.solver cimport Solver
from fastmatch._ext.matching.triples cimport TripleFeatures


cdef int check(
    TripleFeatures a, TripleFeatures b, const int32_t[::1] index_a, const int32_t[::1] index_b,
    Py_ssize_t start, Py_ssize_t stop, Py_ssize_t n_out, const uint8_t[::1] cancel,
    const int64_t[::1] mapping_offsets, const int32_t[::1] mapping,
) except -1
cdef tuple left_open(Py_ssize_t k, const Solver *solver, bint whole)
