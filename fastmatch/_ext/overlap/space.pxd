# cython: language_level=3
from libc.stdint cimport int32_t, int64_t, uint8_t, uint16_t, uint64_t

cdef enum:
    # The numbers of `settings`, see space.pyx.
    LEMMA, FLOOR, POWER, CHARACTERS, LEAST, NUMBER, OTHER_ROLE, TURNED, SINGLE, BETWEEN, N_SETTINGS


cdef struct Label:
    # What likeness needs of a label besides its vector: together, because each cell of a pair needs all of it.
    uint64_t key, lemma, sign
    double number
    const uint16_t *bigram            # [n_bigrams]
    int32_t n_bigrams
    int32_t doubled                   # bigrams that set a bit which another of them has set already
    uint8_t kind


cdef class SoftSpace:
    cdef readonly tuple arrays
    cdef readonly Py_ssize_t n_graphs, n_classes, width
    cdef readonly Py_ssize_t n_labels
    cdef const int64_t[::1] offset, edge_offset
    cdef const int32_t[::1] row
    cdef const int32_t[:, ::1] edge
    cdef const double[::1] mass, edge_mass
    cdef const float[:, ::1] vector
    cdef list kept                    # the memory of the next one
    cdef Label *label                 # [n_labels]
    cdef const double[:, ::1] scale
    cdef const double[::1] setting
