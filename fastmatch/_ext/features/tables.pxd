# cython: language_level=3
# The tables of a corpus, for kernels that turn them into features: checked once, then trusted.
from libc.stdint cimport int32_t, int64_t, uint64_t

from fastmatch._ext.features.keys cimport tag


cdef enum:
    NO_LABEL = 1000     # the tag of a concept or value that is not there


cdef inline uint64_t key_of(const uint64_t[::1] keys, int32_t label) noexcept nogil:
    return keys[label] if label >= 0 else tag(NO_LABEL)


cdef inline int check_table(
    str name, const int64_t[::1] offsets, const int32_t[:, ::1] rows, int variable_rows, const int64_t[::1] variables,
    Py_ssize_t n_labels, int label_row, int last_label_row,
) except -1:
    """Raise ValueError unless rows divide into graphs, variables belong to theirs and labels have keys."""
    cdef Py_ssize_t g, k, n_graphs = variables.shape[0] - 1, n_rows = rows.shape[1]
    cdef int row
    cdef int64_t n_variables
    if rows.shape[0] <= last_label_row or offsets.shape[0] != n_graphs + 1 or offsets[0] < 0 \
            or offsets[n_graphs] > n_rows:
        raise ValueError(f"{name}: the table does not fit {n_graphs} graphs")
    for g in range(n_graphs):
        n_variables = variables[g + 1] - variables[g]
        if offsets[g] > offsets[g + 1] or n_variables < 0 or n_variables >= 1 << 31:
            raise ValueError(f"{name}: offsets of graph {g} decrease")
        for k in range(offsets[g], offsets[g + 1]):
            if not 0 <= rows[0, k] < n_variables or (variable_rows > 1 and not 0 <= rows[2, k] < n_variables):
                raise ValueError(f"{name}: graph {g} has no such variable")
            for row in range(label_row, last_label_row + 1):
                if (row != 2 or variable_rows == 1) and not -1 <= rows[row, k] < n_labels:
                    raise ValueError(f"{name}: a label of graph {g} lies outside its table")
    return 0
