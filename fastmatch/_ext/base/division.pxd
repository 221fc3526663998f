# Whether offsets divide a table among graphs. Inline in a header, as the columns.
from libc.stdint cimport int32_t, int64_t


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


cdef inline int check_edges(
    const int64_t[::1] node_offsets, Py_ssize_t n_nodes, const int64_t[::1] edge_offsets, const int32_t[:, ::1] edges
) except -1:
    """Raise ValueError or IndexError unless the offsets divide nodes and edges, whose ends are nodes of their graph.

    ``edges``: source, role, target; roles may be anything. Graphs have fewer than 2**31 - 1 nodes and 2**30 edges.
    """
    cdef Py_ssize_t g, k, n_graphs = node_offsets.shape[0] - 1
    cdef int64_t n
    if edges.shape[0] != 3:
        raise ValueError("edges must have three rows")
    check_division("nodes", node_offsets, n_graphs, n_nodes)
    check_division("edges", edge_offsets, n_graphs, edges.shape[1])
    for g in range(n_graphs):
        n = node_offsets[g + 1] - node_offsets[g]
        if n >= 2147483647 or edge_offsets[g + 1] - edge_offsets[g] >= 1073741824:
            raise ValueError("graph {} is too large".format(g))
        for k in range(edge_offsets[g], edge_offsets[g + 1]):
            if not (0 <= edges[0, k] < n and 0 <= edges[2, k] < n):
                raise IndexError("edge {} is out of range".format(k))
    return 0
