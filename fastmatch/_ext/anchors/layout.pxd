# Rows of the tables of AnCast's graphs (graphs.pxd), one enum a table.
#
# Terms, of one graph: the out-neighbourhood of a node is the nodes within two steps along relations, from predicate to
# argument, and its in-neighbourhood those within two steps against them. An inner node has an out-neighbourhood, a leaf
# has none. A group is the nodes that have the same in-neighbourhood. Nodes, words, groups and so on are numbered from 0
# within their graph, except for the rows of ``words``, which are numbered over all graphs.


cdef enum:
    # nodes
    N_VARIABLE      # variable of the graph
    N_LABEL         # name of the variable, an id of the vocabulary
    N_SENSE         # the two digits behind the concept's name
    N_NAME          # word: the concept's name
    N_FULL          # word: the name with the values of :op… behind it, where the options ask for that, else the name
    N_ROLES         # set of roles
    N_GROUP         # group
    N_INNER         # number among the inner nodes, or -1 for a leaf
    N_LOW           # the first and the last token that the node is aligned with, or 0
    N_HIGH
    N_REACH         # number of nodes that can be reached from it along relations
    NODE_ROWS

cdef enum:
    # words
    W_ID            # id of the vocabulary
    W_AT            # where its text begins, in ``text``
    W_BYTES
    W_CHARACTERS
    W_MASK          # bit b & 63 is set for every byte b that occurs in it
    WORD_ROWS

cdef enum:
    # offsets: where each graph's rows begin, in the tables of
    O_VARIABLES, O_NODES, O_CANDIDATES, O_ROLE_SETS, O_INNER, O_GROUPS, O_PAIRS, OFFSET_ROWS

cdef enum:
    # heads: numbers of each graph
    H_LEAF_GROUPS   # groups that have leaves, which come before the other groups
    H_ROOT          # node on top, or -1
    HEAD_ROWS

cdef enum:
    # inner nodes, sorted by group
    I_GROUP         # group
    I_SIZE          # nodes in the out-neighbourhood
    I_ORDER         # the inner nodes by the length of their lists: row k holds the k-th in this order
    INNER_ROWS

cdef enum:
    # groups
    G_NODES         # number of nodes
    G_INNER         # number of inner nodes
    G_FIRST         # the first inner node
    G_SIZE          # nodes in the in-neighbourhood
    G_ORDER         # the groups by the length of their lists: row k holds the k-th in this order
    G_FOLD          # the groups by their number of inner nodes, in the same way
    GROUP_ROWS

cdef enum:
    # pairs of ends that have a relation; an end is a node, or a constant
    P_PREDICATE     # node, or CONSTANT - id for a constant
    P_ARGUMENT
    P_PREDICATE_WORD    # word of the constant, or -1
    P_ARGUMENT_WORD
    PAIR_ROWS

cdef enum:
    # ends of relations
    NOTHING = -1    # neither a node nor a constant
    CONSTANT = -3   # CONSTANT - id is the constant with this id; an absent value has the id -1
