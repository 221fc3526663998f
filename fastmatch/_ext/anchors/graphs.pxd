# The tables of AnCast's graphs, those of all graphs one behind the other. Their rows are named in layout.pxd.
from libc.stdint cimport int32_t, int64_t, uint8_t


cdef class AncastGraphs:
    cdef readonly Py_ssize_t n_graphs
    cdef readonly tuple arrays                  # all of the following, in the order of the constructor
    cdef const int64_t[:, ::1] offsets          # [OFFSET_ROWS, n_graphs + 1]
    cdef const int32_t[:, ::1] heads            # [HEAD_ROWS, n_graphs]
    cdef const int32_t[:, ::1] nodes            # [NODE_ROWS, n_nodes]
    cdef const int64_t[:, ::1] words            # [WORD_ROWS, n_words]
    cdef const uint8_t[::1] text
    cdef const int64_t[::1] attribute_start     # [n_nodes + 1]
    cdef const int32_t[:, ::1] attributes       # rows: label, value; sorted by label, each label once a node
    cdef const int32_t[:, ::1] candidates       # rows: name, node: nodes that may be anchors, sorted by name
    cdef const int64_t[::1] role_start          # [n_role_sets + 1]
    cdef const int64_t[::1] roles               # keys, sorted within a set
    cdef const int32_t[:, ::1] inner            # [INNER_ROWS, n_inner]
    # [n_inner + 1], and the groups that each inner node's out-neighbourhood consists of; ``two``: the same for two
    # steps, if one step and two steps are told apart
    cdef const int64_t[::1] out_start, out_start_two
    cdef const int32_t[::1] out_groups, out_groups_two
    cdef const int32_t[:, ::1] groups           # [GROUP_ROWS, n_groups]
    # [n_groups + 1], and the inner nodes that each group's in-neighbourhood consists of
    cdef const int64_t[::1] in_start, in_start_two
    cdef const int32_t[::1] in_inner, in_inner_two
    cdef const int32_t[:, ::1] pairs            # [PAIR_ROWS, n_pairs] sorted by predicate, argument within a graph
    cdef const int64_t[::1] label_start         # [n_pairs + 1]
    cdef const int32_t[::1] labels              # sorted within a pair
    cdef const int32_t[:, ::1] by_label         # rows: name of the variable, node; sorted; only with ``tool``, or empty
