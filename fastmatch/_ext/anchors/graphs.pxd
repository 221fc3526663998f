from libc.stdint cimport int32_t, int64_t, uint8_t


cdef enum:
    N_VARIABLE      # variable of the graph
    N_LABEL         # its name, an id of the vocabulary
    N_SENSE         # the two digits behind the concept's name
    N_NAME          # word: the concept's name
    N_FULL          # word: the name with the values of :op… behind it, where options say so
    N_ROLES         # which of the graph's sets of roles
    N_GROUP         # which of the graph's groups of nodes with the same in-neighbourhood
    N_LOUD          # which of the graph's loud nodes, those with an out-neighbourhood; or -1
    N_LOW           # the first and the last token that it is aligned with, or 0
    N_HIGH
    N_REACH         # nodes that can be reached from it, from predicate to argument
    NODE_ROWS

cdef enum:
    W_ID            # id of the vocabulary
    W_AT            # where its text begins
    W_BYTES
    W_CHARACTERS
    W_MASK          # bit b & 63 for every byte b in it
    WORD_ROWS

cdef enum:
    O_VARIABLES
    O_NODES
    O_CANDIDATES
    O_ROLE_SETS
    O_LOUD
    O_GROUPS
    O_PAIRS
    OFFSET_ROWS

cdef enum:
    H_HUSHED        # groups that have leaves; they come first
    H_ROOT          # node on top, or -1
    HEAD_ROWS

cdef enum:
    # of loud nodes, which stand by group
    L_GROUP
    L_SIZE          # nodes in the out-neighbourhood
    L_ORDER         # the loud nodes, in an order in which neighbouring ones have equally long lists
    LOUD_ROWS

cdef enum:
    # of groups
    G_NODES
    G_LOUD          # loud ones among them
    G_FIRST         # the first of these
    G_SIZE          # nodes in the in-neighbourhood
    G_ORDER         # the groups, in such an order
    G_FOLD          # the groups, by their number of loud nodes
    GROUP_ROWS

cdef enum:
    P_PREDICATE     # node, or CONSTANT - id
    P_ARGUMENT
    P_PREDICATE_WORD    # word of a constant, or -1
    P_ARGUMENT_WORD
    PAIR_ROWS

cdef enum:
    NOTHING = -1    # as an end of a relation: what stands for no node and no constant
    CONSTANT = -3   # CONSTANT - id stands for the constant with this id; id -1, a value that is absent, included


cdef class AncastGraphs:
    cdef readonly Py_ssize_t n_graphs
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
    cdef const int32_t[:, ::1] loud             # [LOUD_ROWS, n_loud]
    cdef const int64_t[::1] out_start           # [n_loud + 1]
    cdef const int32_t[::1] out_groups          # what each loud node's out-neighbourhood is made of
    cdef const int64_t[::1] out_start_two       # the same for two steps, if one and two steps are told apart
    cdef const int32_t[::1] out_groups_two
    cdef const int32_t[:, ::1] groups           # [GROUP_ROWS, n_groups]
    cdef const int64_t[::1] in_start            # [n_groups + 1]
    cdef const int32_t[::1] in_loud             # what each group's in-neighbourhood is made of
    cdef const int64_t[::1] in_start_two
    cdef const int32_t[::1] in_loud_two
    cdef const int32_t[:, ::1] pairs            # [PAIR_ROWS, n_pairs] sorted by predicate, argument within a graph
    cdef const int64_t[::1] label_start         # [n_pairs + 1]
    cdef const int32_t[::1] labels              # sorted within a pair
    cdef const int32_t[:, ::1] by_label         # rows: name of the variable, node; sorted; empty unless asked for
