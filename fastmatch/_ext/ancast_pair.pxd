# A pair of graphs as AnCast's kernels see it, and what both stages need of it: how alike two words are. Inline in a
# header, so that each module gets its own copy.
from libc.stdint cimport int32_t, int64_t, uint8_t
from libc.string cimport memchr, memcmp


cdef enum:
    FINE = 0
    NO_MEMORY = -1
    STOPPED = -2
    INTERRUPTED = -3

cdef enum:
    # of each side: the prediction's come first
    CONCEPT_MATCHED
    CONCEPT_TOTAL
    LABELLED_MATCHED
    UNLABELLED_MATCHED
    RELATION_TOTAL
    WEIGHTED_MATCHED
    WEIGHTED_TOTAL
    SMATCH_MATCHED
    SMATCH_TOTAL
    SIDE_STATISTICS

cdef struct Options:
    double alpha
    double beta
    double gamma            # the sense coefficient
    double tolerance
    double relative         # part of the tolerance that grows with the value
    int32_t iterations
    int32_t rounds
    bint intrinsic          # relations are worth the similarity S of their ends, else that of the names
    bint inner_weight       # weights are sqrt(d1 d2 + 1), else sqrt(d1 d2) + 1
    bint overlap            # the rest's ties: number of common roles, else Jaccard
    bint top
    bint tool               # what surely is a slip in the tool, kept

cdef struct Hood:
    # the neighbourhoods of a graph in one direction, and which of them each class has
    int32_t n
    const int32_t *of_class
    const int32_t *size         # nodes in it
    const int64_t *start        # its classes
    const int32_t *member

cdef struct View:
    int32_t n
    int32_t n_classes
    int32_t n_pairs
    int32_t n_role_sets
    int32_t n_candidates
    int32_t root
    const int32_t *variable
    const int32_t *label
    const int32_t *sense
    const int32_t *name
    const int32_t *full
    const int32_t *roles
    const int32_t *node_class
    const int32_t *reach
    const int64_t *word_id
    const int64_t *word_at
    const int64_t *word_bytes
    const int64_t *word_characters
    const int64_t *word_mask
    const uint8_t *text
    const int64_t *attribute_start
    const int32_t *attribute_label
    const int32_t *attribute_value
    const int32_t *candidate_name
    const int32_t *candidate_node
    const int64_t *role_start
    const int64_t *role
    const int32_t *class_size
    Hood out
    Hood into
    const int32_t *predicate
    const int32_t *argument
    const int32_t *predicate_word
    const int32_t *argument_word
    const int64_t *label_start
    const int32_t *labels
    const int32_t *sorted_label     # names of variables, sorted, and the nodes they are of; the tool's graphs only
    const int32_t *sorted_node

cdef struct Scratch:
    double *similarity      # S, [n_t, n_g]
    int64_t *words          # [n_g] id of each node's full word, and its mask
    int64_t *masks
    int32_t *final          # F in ten-thousandths, [n_t, n_g]
    int32_t *common         # roles that two sets of roles share, or -1 if not counted yet, [role sets of t, of g]
    # the match: partner or -1
    int32_t *row
    int32_t *column
    int32_t *row_choice
    int32_t *column_choice
    int32_t *row_before
    # the broadcast, [classes of t, classes of g]
    double *value
    double *before
    double *block           # sums
    double *room            # cells of the block that are no anchors
    double *anchors         # cells that are
    double *zeros           # [classes of g]
    double *passed          # [4, classes of g] rows on their way
    double *narrow          # [4, neighbourhoods of g]
    # [neighbourhoods of t, neighbourhoods of g], and spread over [neighbourhoods of t, classes of g]
    double *ratio_out       # smaller by larger
    double *ratio_in
    double *received_out
    double *received_in
    # the rest
    int32_t *open_row
    int32_t *open_column
    int32_t *best
    uint8_t *found          # labels of the other side that something was translated to

cdef struct Tally:
    double matched
    double count
    double identical


cdef inline bint contains(const uint8_t *text, int64_t size, const uint8_t *piece, int64_t length) noexcept nogil:
    """Whether ``piece`` occurs in ``text``."""
    cdef const uint8_t *p = text
    cdef const uint8_t *last = text + size - length
    if length == 0:
        return True
    if length > size:
        return False
    while p <= last:
        p = <const uint8_t *> memchr(p, piece[0], last - p + 1)
        if p == NULL:
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
