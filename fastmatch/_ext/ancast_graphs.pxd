from libc.stdint cimport int32_t, int64_t, uint8_t


cdef enum:
    N_VARIABLE      # variable of the graph
    N_LABEL         # its name, an id of the vocabulary
    N_SENSE         # the two digits behind the concept's name
    N_NAME          # word: the concept's name
    N_FULL          # word: the name with the values of :op… behind it, where options say so
    N_ROLES         # which of the graph's sets of roles
    N_CLASS         # which of the graph's classes of nodes with the same neighbours
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
    O_CLASSES
    O_OUT_SETS
    O_IN_SETS
    O_PAIRS
    OFFSET_ROWS

cdef enum:
    C_SIZE
    C_OUT           # the outgoing neighbourhood of its members, as a number among the graph's
    C_IN            # the incoming one
    CLASS_ROWS

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
    cdef const int32_t[::1] roots               # node on top, or -1
    cdef const int32_t[:, ::1] nodes            # [NODE_ROWS, n_nodes]
    cdef const int64_t[:, ::1] words            # [WORD_ROWS, n_words]
    cdef const uint8_t[::1] text
    cdef const int64_t[::1] attribute_start     # [n_nodes + 1]
    cdef const int32_t[:, ::1] attributes       # rows: label, value; sorted by label, each label once a node
    cdef const int32_t[:, ::1] candidates       # rows: name, node: nodes that may be anchors, sorted by name
    cdef const int64_t[::1] role_start          # [n_role_sets + 1]
    cdef const int64_t[::1] roles               # keys, sorted within a set
    cdef const int32_t[:, ::1] classes          # [CLASS_ROWS, n_classes]
    cdef const int32_t[::1] out_sizes           # [n_out_sets] nodes in each outgoing neighbourhood
    cdef const int64_t[::1] out_start           # [n_out_sets + 1]
    cdef const int32_t[::1] out_classes         # the classes that it is made of
    cdef const int32_t[::1] in_sizes            # the same for incoming ones
    cdef const int64_t[::1] in_start
    cdef const int32_t[::1] in_classes
    cdef const int32_t[:, ::1] pairs            # [PAIR_ROWS, n_pairs] sorted by predicate, argument within a graph
    cdef const int64_t[::1] label_start         # [n_pairs + 1]
    cdef const int32_t[::1] labels              # sorted within a pair
    cdef const int32_t[:, ::1] by_label         # rows: name of the variable, node; sorted; empty unless asked for
