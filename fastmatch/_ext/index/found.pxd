"""The pairs that are found among all pairs, in a column that grows."""

from libc.stdint cimport int32_t

from fastmatch._ext.base.columns cimport Column, push


cdef struct Found:
    int32_t row
    int32_t column
    double score        # or overlap


cdef inline int note(Column *found, Py_ssize_t row, Py_ssize_t column, double score) except -1 nogil:
    (<Found *> push(found, sizeof(Found)))[0] = Found(<int32_t> row, <int32_t> column, score)
