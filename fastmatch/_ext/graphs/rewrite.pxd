from libc.stdint cimport int32_t, int64_t


cdef class Tables:
    cdef readonly Py_ssize_t n_graphs
    cdef readonly Py_ssize_t n_labels          # one more than the greatest label in a triple
    cdef int32_t most_variables                # in a graph
    cdef int64_t most_triples
    cdef const int32_t[::1] root
    cdef const int64_t[::1] variable_offsets
    cdef const int64_t[::1] instance_offsets
    cdef const int32_t[:, ::1] instances
    cdef const int64_t[::1] attribute_offsets
    cdef const int32_t[:, ::1] attributes
    cdef const int64_t[::1] relation_offsets
    cdef const int32_t[:, ::1] relations
    cdef const int64_t[::1] surface_offsets
    cdef const int32_t[:, ::1] surface
