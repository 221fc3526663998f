# cython: language_level=3
from libc.stdint cimport int32_t, int64_t, uint8_t, uint16_t, uint64_t

cdef enum:
    # The numbers of `settings`, see space.pyx.
    LEMMA = 0
    FLOOR = 1
    POWER = 2
    CHARACTERS = 3
    LEAST = 4
    NUMBER = 5
    OTHER_ROLE = 6
    TURNED = 7
    SINGLE = 8
    BETWEEN = 9
    N_SETTINGS = 10


cdef class SoftSpace:
    cdef readonly tuple arrays
    cdef readonly Py_ssize_t n_graphs, n_classes, width
    cdef readonly Py_ssize_t n_labels
    cdef const int64_t[::1] offset
    cdef const int32_t[::1] row
    cdef const double[::1] mass
    cdef const int64_t[::1] edge_offset
    cdef const int32_t[:, ::1] edge
    cdef const double[::1] edge_mass
    cdef const float[:, ::1] vector
    cdef const uint64_t[::1] key
    cdef const uint64_t[::1] lemma
    cdef const uint8_t[::1] kind
    cdef const double[::1] number
    cdef const int64_t[::1] bigram_offset
    cdef const uint16_t[::1] bigram
    cdef const uint64_t[::1] sign
    cdef const double[:, ::1] scale
    cdef const double[::1] setting


cdef int check_offsets(const int64_t[::1] offsets, Py_ssize_t n) except -1
