from libc.stdint cimport int32_t, int64_t


cdef class TripleFeatures:
    cdef readonly Py_ssize_t n_graphs
    cdef const int32_t[::1] variables          # variables of each graph
    cdef const int64_t[::1] triples            # triples of each graph, as they count towards its total
    cdef const int64_t[::1] unary_offsets
    cdef const int64_t[::1] unary_keys         # sorted within a graph, ties by variable
    cdef const int32_t[:, ::1] unary           # rows: variable, count
    cdef const int64_t[::1] relation_offsets
    cdef const int32_t[:, ::1] relations       # rows: role, source, target, count; sorted by the first three
