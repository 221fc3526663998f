# Whether offsets divide a table among graphs. Inline in a header, as the columns.
from libc.stdint cimport int64_t


cdef inline int check_division(
    str name, const int64_t[::1] offsets, Py_ssize_t n_graphs, Py_ssize_t n_columns, str kind="graph"
) except -1:
    """Raise ValueError unless the offsets divide the columns of a table among the graphs, or things of another kind."""
    cdef Py_ssize_t g
    # str.format, since each extension gets its own copy: f-strings are kilobytes of C
    if n_graphs < 0 or offsets.shape[0] != n_graphs + 1 or offsets[0] != 0 or offsets[n_graphs] != n_columns:
        raise ValueError(
            "{}: the offsets do not divide {} columns among {} {}s".format(name, n_columns, n_graphs, kind))
    for g in range(n_graphs):
        if offsets[g] > offsets[g + 1]:
            raise ValueError("{}: offsets of {} {} decrease".format(name, kind, g))
    return 0
