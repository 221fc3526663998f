# A pair of graphs as AnCast's kernels see it: options, views of the two graphs, scratch memory, and the likeness of two
# words. Always t is the prediction and g the gold graph; inner nodes, leaves and groups are explained in layout.pxd.
from libc.stdint cimport int32_t, int64_t, uint8_t
from libc.string cimport memchr, memcmp

from fastmatch._ext.base.arena cimport Doubles, Ints

ctypedef const int32_t *Row     # of a table of graphs.pxd, from the first entry of a graph on
ctypedef const int64_t *LongRow


cdef enum:
    # statistics of a graph; those of the prediction come before those of the gold graph
    CONCEPT_MATCHED, CONCEPT_TOTAL, LABELLED_MATCHED, UNLABELLED_MATCHED, RELATION_TOTAL
    WEIGHTED_MATCHED, WEIGHTED_TOTAL, SMATCH_MATCHED, SMATCH_TOTAL, SIDE_STATISTICS

cdef struct Options:
    double alpha, beta
    double gamma            # the sense coefficient
    double neighbours       # weight of what nodes receive from their neighbours
    double tolerance
    double relative         # part of the tolerance that grows with the value
    int32_t iterations
    int32_t rounds
    int64_t work            # that steps and rounds may take, see broadcast.pxd; beyond it there are only free ones
    int32_t free_steps      # of a round, that are taken whatever the work
    int32_t free_rounds     # rounds that have such steps
    int64_t ceiling         # work beyond which nothing is free
    size_t memory           # bytes for tables of pairs of nodes; what needs more is matched coarsely
    bint intrinsic          # relations are worth the similarity S of their ends, else that of the names
    bint inner_weight       # weights are sqrt(d1 d2 + 1), else sqrt(d1 d2) + 1
    bint overlap            # ties among what is matched last: by the number of common roles, else by Jaccard's index
    bint top                # AnCast's variant of Smatch has a triple for the root
    bint alignment          # the first anchors are nodes aligned with the same tokens
    bint hops               # one step and two steps are told apart
    bint tool               # errors of the tool, repeated here

cdef extern from "hood.h":
    ctypedef struct Hood "ancast_hood":
        int32_t n
        Row size, order, part, part_two
        LongRow start, start_two

    ctypedef struct Spread "ancast_spread":
        const Hood *t_out
        const Hood *t_in
        const Hood *g_out
        const Hood *g_in
        int64_t t_leaf_groups, g_leaf_groups
        Row t_nodes, t_inner, t_first, g_inner_count, g_first, g_fold, g_group
        Doubles g_nodes, g_inner, ratio_out, ratio_in, value, before, leaf, leaf_before, sums, received
        Doubles lines, panel, folded
        Ints size_out, size_in, pins_start, pins, leaf_start, leaves
        uint8_t *alone
        double factor, largest, scale, tolerance, relative
        bint hops

# A graph. Arrays are parts of the tables of graphs.pxd; words are numbered over all graphs.
cdef struct View:
    int32_t n, n_pairs, n_role_sets, n_candidates, root
    # the rows of nodes, of words, and of pairs, all in the order of layout.pxd
    Row variable, label, sense, name, full, roles, group, inner, low, high, reach
    LongRow word_id, word_at, word_bytes, word_characters, word_mask
    Row predicate, argument, predicate_word, argument_word
    const uint8_t *text
    LongRow attribute_start, role_start, role, label_start
    Row attribute_label, attribute_value, candidate_name, candidate_node, labels
    Row inner_group                 # group of each inner node
    Hood out                        # out-neighbourhoods of inner nodes: lists of groups
    int32_t leaf_groups             # number of groups with leaves, which come first
    Row group_nodes, group_inner, group_first, group_fold
    Hood into                       # in-neighbourhoods of groups: lists of inner nodes
    Row sorted_label, sorted_node   # names of variables, sorted, and the nodes they are of; the tool's graphs only

cdef struct Scratch:
    double *similarity      # S, [n_t, n_g], or NULL
    int32_t *final          # F in ten-thousandths, [n_t, n_g]
    int32_t *common         # roles that two sets of roles share, or -1 if not counted yet, [role sets of t, of g]
    # the match: partner or -1
    Ints row, column, row_choice, column_choice, column_ties
    int32_t *next           # anchors that are being chosen: for each node of t, that of g or -1
    Ints anchor_start, anchor       # of the next broadcast: for each node of t, those of g
    Ints row_most, column_most      # largest F
    # the broadcast, see broadcast.pxd and hood.h; c, d: inner nodes and groups of g
    int64_t spent           # work of the pair so far
    bint settled            # every broadcast so far ended because no value changed any more
    Spread spread
    double *counts          # [d]
    int32_t *place          # of g's nodes in a row of values of inner nodes and groups
    double *joined          # such a row, [c + d]
    double *line            # [n_g]
    Ints open_row, open_column, best        # of the rest
    uint8_t *found          # labels of the other graph that a relation was translated to

# Concept statistics of a graph.
cdef struct Tally:
    double matched          # sum of the similarities of matched pairs
    double count            # matched pairs
    double identical        # those with the same instance triple


cdef inline bint contains(const uint8_t *text, int64_t size, const uint8_t *piece, int64_t length) noexcept nogil:
    """Whether ``piece`` occurs in ``text``."""
    cdef const uint8_t *p = text
    if length == 0:
        return True
    if length > size:       # the text may be NULL, if it is empty
        return False
    cdef const uint8_t *last = text + size - length
    while p <= last:
        if (p := <const uint8_t *> memchr(p, piece[0], last - p + 1)) == NULL:
            return False
        if memcmp(p, piece, length) == 0:
            return True
        p += 1
    return False


cdef inline double likeness(const View *a, int32_t i, const View *b, int32_t j) noexcept nogil:
    """Length of the shorter by length of the longer word if the one contains the other, else 0."""
    cdef int64_t length, other
    if a.word_id[i] == b.word_id[j]:
        return 1.0
    length, other = a.word_bytes[i], b.word_bytes[j]
    if length < other:
        if a.word_mask[i] & ~b.word_mask[j]:
            return 0.0
        if not contains(b.text + b.word_at[j], other, a.text + a.word_at[i], length):
            return 0.0
        return <double> a.word_characters[i] / <double> b.word_characters[j]
    if length == other or b.word_mask[j] & ~a.word_mask[i]:
        return 0.0
    if not contains(a.text + a.word_at[i], length, b.text + b.word_at[j], other):
        return 0.0
    return <double> b.word_characters[j] / <double> a.word_characters[i]
