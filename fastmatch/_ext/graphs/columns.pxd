from libc.stdint cimport int32_t, int64_t, uint8_t


cdef class Columns:
    cdef readonly Py_ssize_t n_graphs
    cdef readonly Py_ssize_t n_labels          # one more than the greatest label of a triple
    cdef readonly Py_ssize_t n_names           # one more than the greatest label that names a variable
    cdef readonly Py_ssize_t n_bare            # graphs with a root of which nothing is said
    cdef int32_t most_variables                # of a graph; at least 0, as are the next two
    cdef int64_t most_attributes, most_relations
    cdef int64_t most_triples                  # instances, attributes and relations together
    cdef const int32_t[::1] root, variable_names
    cdef const int64_t[::1] variable_offsets, instance_offsets, attribute_offsets, relation_offsets
    cdef const int64_t[::1] surface_offsets, comment_offsets
    cdef const int32_t[:, ::1] instances       # rows: variable, concept, position
    cdef const int32_t[:, ::1] attributes      # rows: variable, role, value, position
    cdef const int32_t[:, ::1] relations       # rows: source, role, target, position, inverted
    cdef const int32_t[:, ::1] surface         # rows: position, part, text
    cdef const uint8_t[::1] comments


cdef inline int32_t count_variables(Columns columns, Py_ssize_t g) noexcept nogil:
    return <int32_t> (columns.variable_offsets[g + 1] - columns.variable_offsets[g])


cdef inline int64_t count_instances(Columns columns, Py_ssize_t g) noexcept nogil:
    return columns.instance_offsets[g + 1] - columns.instance_offsets[g]


cdef inline int64_t count_attributes(Columns columns, Py_ssize_t g) noexcept nogil:
    return columns.attribute_offsets[g + 1] - columns.attribute_offsets[g]


cdef inline int64_t count_relations(Columns columns, Py_ssize_t g) noexcept nogil:
    return columns.relation_offsets[g + 1] - columns.relation_offsets[g]


cdef inline int check_labels(Columns columns, Py_ssize_t n_labels) except -1:
    """Raise ValueError if a triple has a label that a table of ``n_labels`` entries lacks."""
    if columns.n_labels > n_labels:
        raise ValueError(f"a table of {n_labels} labels is too short: a triple has the label {columns.n_labels - 1}")
    return 0
