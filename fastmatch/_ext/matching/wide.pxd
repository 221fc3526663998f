from libc.stdint cimport uint8_t

from fastmatch._ext.matching.local_search cimport Selection
from fastmatch._ext.matching.relaxation cimport Relaxation
from fastmatch._ext.matching.solver cimport Solver


cdef bint search_wide(Solver *s, Relaxation *x, Selection *selection, uint8_t *keep, double *presence,
                      double *upper) noexcept nogil
