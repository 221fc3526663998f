# cython: language_level=3
"""AnCast's alignment and its scores, for lists of graph pairs.

A pair goes through four stages:

*similarity*  S[t, g] of every node of the prediction (t) with every gold node (g), from names, senses, attributes;
*rounds*      anchors are broadcast to neighbours until nothing changes (``broadcast``), which gives F[t, g]; pairs that
              are each other's best become the next anchors (``choose_anchors``); until no new one appears;
*rest*        what is left is matched greedily by F (``match_rest``);
*scores*      numerators and denominators of each score, for both sides (``ancast_relations.pyx``).

The broadcast works on classes of nodes with equal neighbourhoods (``ancast_graphs.pyx``). Within a block of two classes
all values but those of anchors are equal, so a block is one number, and its sum over the block's cells

    (cells − anchors) · value + anchors

is what a neighbour receives of it.

F is rounded to four decimals by definition and kept as a whole number of ten-thousandths, so ties are exact. The rest
is matched in the order (F, likeness of roles, node of the prediction, gold node): rounds of mutual best picks, as the
package has them, and the best pair of all, again and again, as the paper, are the same thing in such an order. Each
open row keeps its best column and looks for another one only when that has been taken: O(n · m) as a rule, also where
all nodes are alike.
"""

from libc.math cimport fabs
from libc.stdint cimport int32_t, int64_t, uint8_t
from libc.string cimport memcpy, memset

from fastmatch._ext.ancast_graphs cimport (
    C_IN, C_OUT, C_SIZE, N_CLASS, N_FULL, N_LABEL, N_NAME, N_REACH, N_ROLES, N_SENSE, N_VARIABLE,
    O_CANDIDATES, O_CLASSES, O_IN_SETS, O_NODES, O_OUT_SETS, O_PAIRS, O_ROLE_SETS, O_VARIABLES, P_ARGUMENT,
    P_PREDICATE, W_AT, W_BYTES, W_CHARACTERS, W_ID, W_MASK, AncastGraphs,
)
from fastmatch._ext.ancast_pair cimport (
    CONCEPT_MATCHED, CONCEPT_TOTAL, RELATION_TOTAL, SIDE_STATISTICS, SMATCH_MATCHED, SMATCH_TOTAL, Hood, Options, View,
    likeness,
)
from fastmatch._ext.ancast_relations cimport count_relations
from fastmatch._ext.arena cimport Arena, arena_free, arena_init, arena_reserve, padded, take
from fastmatch._ext.interrupt cimport interrupted, raise_pending

cdef extern from *:
    """
    #include <math.h>
    #include <stdint.h>

    /* The loops that the time goes into. Where the C library can choose at run time, they are compiled once more for
       wider registers; without fused multiply-add, so that every machine gets the same bits. */
    #if defined(__GNUC__) && !defined(__clang__) && defined(__x86_64__) && defined(__GLIBC__) && defined(__OPTIMIZE__)
    #define WIDE __attribute__((target_clones("avx2", "default")))
    #else
    #define WIDE
    #endif

    /* sum = a + b */
    WIDE static void add_rows(const double *a, const double *b, double *sum, int64_t n)
    {
        for (int64_t k = 0; k < n; k++)
            sum[k] = a[k] + b[k];
    }

    /* a = a * b + 1 */
    WIDE static void scale_rows(double *a, const double *b, int64_t n)
    {
        for (int64_t k = 0; k < n; k++)
            a[k] = a[k] * b[k] + 1.0;
    }

    /* value = sqrt(a b - 1); the largest of them and of ``largest`` */
    WIDE static double combine_rows(const double *a, const double *b, double *value, int64_t n, double largest)
    {
        double most[8];
        int64_t k = 0;
        for (int64_t i = 0; i < n; i++)
            value[i] = sqrt(a[i] * b[i] - 1.0);
        for (int j = 0; j < 8; j++)
            most[j] = largest;
        for (; k + 8 <= n; k += 8)
            for (int j = 0; j < 8; j++)
                most[j] = value[k + j] > most[j] ? value[k + j] : most[j];
        for (; k < n; k++)
            most[0] = value[k] > most[0] ? value[k] : most[0];
        for (int j = 0; j < 8; j++)
            largest = most[j] > largest ? most[j] : largest;
        return largest;
    }

    /* value = value / largest; block = empty * value + anchors */
    WIDE static void settle_rows(double *value, const double *empty, const double *anchors, double *block, int64_t n,
                                 double largest)
    {
        for (int64_t k = 0; k < n; k++) {
            double x = value[k] / largest;
            value[k] = x;
            block[k] = empty[k] * x + anchors[k];
        }
    }
    """
    void add_rows(const double *a, const double *b, double *sum, int64_t n) noexcept nogil
    void scale_rows(double *a, const double *b, int64_t n) noexcept nogil
    double combine_rows(const double *a, const double *b, double *value, int64_t n, double largest) noexcept nogil
    void settle_rows(
        double *value, const double *empty, const double *anchors, double *block, int64_t n, double largest
    ) noexcept nogil


cdef enum:
    FINE = 0
    NO_MEMORY = -1
    STOPPED = -2
    INTERRUPTED = -3

cdef enum:
    TEN_THOUSAND = 10000
    # Cells of a broadcast matrix from which on Ctrl-C is looked for in every iteration.
    MANY_CELLS = 20000

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


cdef inline const int32_t *part(const int32_t[:, ::1] rows, Py_ssize_t row, int64_t start) noexcept nogil:
    """Where a stretch of a row begins; of a table without columns, nowhere."""
    if start >= rows.shape[1]:
        return NULL
    return &rows[row, start]


cdef inline const int32_t *stretch(const int32_t[::1] values) noexcept nogil:
    return &values[0] if values.shape[0] else NULL


cdef inline const int64_t *numbers(const int64_t[:, ::1] rows, Py_ssize_t row) noexcept nogil:
    return &rows[row, 0] if rows.shape[1] else NULL


cdef void view_graph(View *view, AncastGraphs graphs, Py_ssize_t g) noexcept nogil:
    cdef int64_t node = graphs.offsets[O_NODES, g], pair = graphs.offsets[O_PAIRS, g]
    cdef int64_t group = graphs.offsets[O_CLASSES, g], candidate = graphs.offsets[O_CANDIDATES, g]
    cdef int64_t role_set = graphs.offsets[O_ROLE_SETS, g], first
    view.n = <int32_t> (graphs.offsets[O_NODES, g + 1] - node)
    view.n_classes = <int32_t> (graphs.offsets[O_CLASSES, g + 1] - group)
    view.n_pairs = <int32_t> (graphs.offsets[O_PAIRS, g + 1] - pair)
    view.n_role_sets = <int32_t> (graphs.offsets[O_ROLE_SETS, g + 1] - role_set)
    view.n_candidates = <int32_t> (graphs.offsets[O_CANDIDATES, g + 1] - candidate)
    view.root = graphs.roots[g]
    view.variable = part(graphs.nodes, N_VARIABLE, node)
    view.label = part(graphs.nodes, N_LABEL, node)
    view.sense = part(graphs.nodes, N_SENSE, node)
    view.name = part(graphs.nodes, N_NAME, node)
    view.full = part(graphs.nodes, N_FULL, node)
    view.roles = part(graphs.nodes, N_ROLES, node)
    view.node_class = part(graphs.nodes, N_CLASS, node)
    view.reach = part(graphs.nodes, N_REACH, node)
    view.word_id = numbers(graphs.words, W_ID)
    view.word_at = numbers(graphs.words, W_AT)
    view.word_bytes = numbers(graphs.words, W_BYTES)
    view.word_characters = numbers(graphs.words, W_CHARACTERS)
    view.word_mask = numbers(graphs.words, W_MASK)
    view.text = &graphs.text[0] if graphs.text.shape[0] else NULL
    view.attribute_start = &graphs.attribute_start[node]
    view.attribute_label = part(graphs.attributes, 0, 0)
    view.attribute_value = part(graphs.attributes, 1, 0)
    view.candidate_name = part(graphs.candidates, 0, candidate)
    view.candidate_node = part(graphs.candidates, 1, candidate)
    view.role_start = &graphs.role_start[role_set]
    view.role = &graphs.roles[0] if graphs.roles.shape[0] else NULL
    view.class_size = part(graphs.classes, C_SIZE, group)
    view.out.of_class = part(graphs.classes, C_OUT, group)
    view.into.of_class = part(graphs.classes, C_IN, group)
    first = graphs.offsets[O_OUT_SETS, g]
    view.out.n = <int32_t> (graphs.offsets[O_OUT_SETS, g + 1] - first)
    view.out.size = stretch(graphs.out_sizes) + first
    view.out.start = &graphs.out_start[first]
    view.out.member = stretch(graphs.out_classes)
    first = graphs.offsets[O_IN_SETS, g]
    view.into.n = <int32_t> (graphs.offsets[O_IN_SETS, g + 1] - first)
    view.into.size = stretch(graphs.in_sizes) + first
    view.into.start = &graphs.in_start[first]
    view.into.member = stretch(graphs.in_classes)
    view.predicate = part(graphs.pairs, P_PREDICATE, pair)
    view.argument = part(graphs.pairs, P_ARGUMENT, pair)
    view.predicate_word = part(graphs.pairs, P_PREDICATE + 2, pair)
    view.argument_word = part(graphs.pairs, P_ARGUMENT + 2, pair)
    view.label_start = &graphs.label_start[pair]
    view.labels = stretch(graphs.labels)
    view.sorted_label = part(graphs.by_label, 0, node)
    view.sorted_node = part(graphs.by_label, 1, node)


cdef int reserve(Arena *arena, Scratch *scratch, const View *t, const View *g) noexcept nogil:
    cdef size_t cells = <size_t> t.n * g.n, blocks = <size_t> t.n_classes * g.n_classes
    cdef size_t sets = <size_t> t.n_role_sets * g.n_role_sets
    cdef size_t outs = <size_t> t.out.n * g.out.n, ins = <size_t> t.into.n * g.into.n
    cdef size_t wide_outs = <size_t> t.out.n * g.n_classes, wide_ins = <size_t> t.into.n * g.n_classes
    cdef size_t labels = max(t.label_start[t.n_pairs] - t.label_start[0], g.label_start[g.n_pairs] - g.label_start[0])
    cdef size_t hoods = max(g.out.n, g.into.n), ints = sizeof(int32_t), doubles = sizeof(double)
    if arena_reserve(
        arena, padded(cells * doubles) + 2 * padded(g.n * sizeof(int64_t)) + padded(cells * ints) + padded(sets * ints)
        + 5 * padded(t.n * ints) + 3 * padded(g.n * ints) + 5 * padded(blocks * doubles)
        + 5 * padded(g.n_classes * doubles) + 4 * padded(hoods * doubles) + padded(outs * doubles)
        + padded(ins * doubles) + padded(wide_outs * doubles) + padded(wide_ins * doubles) + padded(labels) + 16,
    ) < 0:
        return NO_MEMORY
    scratch.similarity = <double *> take(arena, cells * doubles)
    scratch.words = <int64_t *> take(arena, g.n * sizeof(int64_t))
    scratch.masks = <int64_t *> take(arena, g.n * sizeof(int64_t))
    scratch.final = <int32_t *> take(arena, cells * ints)
    scratch.common = <int32_t *> take(arena, sets * ints)
    scratch.row = <int32_t *> take(arena, t.n * ints)
    scratch.row_choice = <int32_t *> take(arena, t.n * ints)
    scratch.row_before = <int32_t *> take(arena, t.n * ints)
    scratch.open_row = <int32_t *> take(arena, t.n * ints)
    scratch.best = <int32_t *> take(arena, t.n * ints)
    scratch.column = <int32_t *> take(arena, g.n * ints)
    scratch.column_choice = <int32_t *> take(arena, g.n * ints)
    scratch.open_column = <int32_t *> take(arena, g.n * ints)
    scratch.value = <double *> take(arena, blocks * doubles)
    scratch.before = <double *> take(arena, blocks * doubles)
    scratch.block = <double *> take(arena, blocks * doubles)
    scratch.room = <double *> take(arena, blocks * doubles)
    scratch.anchors = <double *> take(arena, blocks * doubles)
    scratch.zeros = <double *> take(arena, g.n_classes * doubles)
    scratch.passed = <double *> take(arena, 4 * g.n_classes * doubles)
    scratch.narrow = <double *> take(arena, 4 * hoods * doubles)
    scratch.ratio_out = <double *> take(arena, outs * doubles)
    scratch.ratio_in = <double *> take(arena, ins * doubles)
    scratch.received_out = <double *> take(arena, wide_outs * doubles)
    scratch.received_in = <double *> take(arena, wide_ins * doubles)
    scratch.found = <uint8_t *> take(arena, labels)
    return FINE


# Similarity -----------------------------------------------------------------------------------------------------------


cdef void compare_nodes(const View *t, const View *g, const Options *options, Scratch *scratch) noexcept nogil:
    """S of every pair of nodes (equations 1 to 4)."""
    cdef int32_t i, j, shared, equal
    cdef int64_t a, b, a_stop, b_stop, word, mask, other
    cdef double value, other_sense = 1.0 - options.gamma
    cdef double *row = scratch.similarity
    for j in range(g.n):
        scratch.words[j] = g.word_id[g.full[j]]
        scratch.masks[j] = g.word_mask[g.full[j]]
    for i in range(t.n):
        word, mask = t.word_id[t.full[i]], t.word_mask[t.full[i]]
        for j in range(g.n):
            other = scratch.masks[j]
            if scratch.words[j] == word:
                value = 1.0
            elif mask & ~other and other & ~mask:
                value = 0.0     # each has a byte that the other lacks
            else:
                value = likeness(t, t.full[i], g, g.full[j])
            row[j] = value if t.sense[i] == g.sense[j] else value * other_sense
        a_stop = t.attribute_start[i + 1]
        if t.attribute_start[i] < a_stop:
            for j in range(g.n):
                b, b_stop = g.attribute_start[j], g.attribute_start[j + 1]
                if b == b_stop:
                    continue
                a = t.attribute_start[i]
                shared = equal = 0
                while a < a_stop and b < b_stop:
                    if t.attribute_label[a] < g.attribute_label[b]:
                        a += 1
                    elif t.attribute_label[a] > g.attribute_label[b]:
                        b += 1
                    else:
                        shared += 1
                        equal += t.attribute_value[a] == g.attribute_value[b]
                        a += 1
                        b += 1
                if shared:
                    row[j] = (row[j] + <double> equal / <double> shared) / 2
        row += g.n


cdef inline bint identical(const View *t, int32_t i, const View *g, int32_t j) noexcept nogil:
    """Whether two nodes are the same instance for the imitation of Smatch."""
    return t.word_id[t.full[i]] == g.word_id[g.full[j]] and t.sense[i] == g.sense[j]


# Rounds ---------------------------------------------------------------------------------------------------------------


cdef void first_anchors(const View *t, const View *g, Scratch *scratch) noexcept nogil:
    """Candidates of the same name."""
    cdef int32_t a = 0, b = 0, i
    for i in range(t.n):
        scratch.row[i] = -1
    for i in range(g.n):
        scratch.column[i] = -1
    while a < t.n_candidates and b < g.n_candidates:
        if t.candidate_name[a] < g.candidate_name[b]:
            a += 1
        elif t.candidate_name[a] > g.candidate_name[b]:
            b += 1
        else:
            scratch.row[t.candidate_node[a]] = g.candidate_node[b]
            scratch.column[g.candidate_node[b]] = t.candidate_node[a]
            a += 1
            b += 1


cdef void measure(const Hood *t, const Hood *g, double *ratio) noexcept nogil:
    """The smaller number of neighbours by the larger one, which stay as they are in all rounds; 0 if one is 0."""
    cdef int32_t i, j
    for i in range(t.n):
        for j in range(g.n):
            if t.size[i] == 0 or g.size[j] == 0:
                ratio[0] = 0
            else:
                ratio[0] = <double> min(t.size[i], g.size[j]) / <double> max(t.size[i], g.size[j])
            ratio += 1


cdef const double *sum_rows(
    const Hood *t, int32_t i, int32_t n_columns, const double *block, const double *zeros, double *passed
) noexcept nogil:
    """The sum of the rows of neighbourhood i; a row of the block itself if there is but one."""
    cdef int64_t at = t.start[i]
    cdef const double *source
    if at == t.start[i + 1]:
        return zeros
    source = block + <int64_t> t.member[at] * n_columns
    at += 1
    while at < t.start[i + 1]:
        add_rows(source, block + <int64_t> t.member[at] * n_columns, passed, n_columns)
        source = passed
        at += 1
    return source


cdef int32_t place_of_sets(const Hood *hood, int32_t n_classes) noexcept nogil:
    """Where class by class is set by set: set j is that of class j + the result alone, and classes before have none.

    -1 if it is not so; then results have to be spread over the classes that have a set.
    """
    cdef int32_t k = 0, base = hood.n > 0 and hood.size[0] == 0, empty
    while base and k < n_classes and hood.of_class[k] == 0:
        k += 1
    empty = k
    if n_classes - empty != hood.n - base:
        return -1
    while k < n_classes:
        if hood.of_class[k] != k - empty + base:
            return -1
        k += 1
    return empty - base


cdef void receive(
    const Hood *t, const Hood *g, int32_t n_columns, const double *block, const double *ratio, const double *zeros,
    double *passed, double *narrow, double *received, int32_t place,
) noexcept nogil:
    """received[i, k] = 1 + the sum of block over t's neighbourhood i and that of g's class k, times their ratio.

    First the rows of i's classes are added up, then the entries of each neighbourhood of g in that, and the results are
    spread over the classes that have it, unless they can go to their ``place`` at once; what is before it is 1 already.
    Four rows go together, because what costs is finding out what to add.
    """
    cdef int32_t i = 0, j, k, r, lines, member
    cdef int64_t at
    cdef const double *s[4]
    cdef double *d[4]
    cdef double x0, x1, x2, x3
    while i < t.n:
        lines = min(4, t.n - i)
        for r in range(4):
            s[r] = zeros
            d[r] = narrow + r * g.n
        for r in range(lines):
            s[r] = sum_rows(t, i + r, n_columns, block, zeros, passed + r * n_columns)
            if place >= 0:
                d[r] = received + r * n_columns + place
        for j in range(g.n):
            x0 = x1 = x2 = x3 = 0
            for at in range(g.start[j], g.start[j + 1]):
                member = g.member[at]
                x0 += s[0][member]
                x1 += s[1][member]
                x2 += s[2][member]
                x3 += s[3][member]
            d[0][j] = x0
            d[1][j] = x1
            d[2][j] = x2
            d[3][j] = x3
        for r in range(lines):
            scale_rows(d[r], ratio, g.n)
            if place < 0:
                for k in range(n_columns):
                    received[k] = d[r][g.of_class[k]]
            received += n_columns
            ratio += g.n
        i += 4


cdef bint settled(
    const double *value, const double *before, const double *empty, int64_t n, const Options *options
) noexcept nogil:
    """Whether no value that is not an anchor's has changed much."""
    cdef int64_t k
    for k in range(n):
        if fabs(before[k] - value[k]) - options.relative * value[k] > options.tolerance and empty[k] > 0:
            return False
    return True


cdef int broadcast(
    const View *t, const View *g, const Options *options, Scratch *scratch, const uint8_t *cancel
) noexcept nogil:
    """Spread the anchors in ``row`` until the values stay (equations 5 to 9), then F (equation 13)."""
    cdef int32_t n_rows = t.n_classes, n_columns = g.n_classes, i, j, c, k, _iteration
    cdef int64_t n_blocks = <int64_t> n_rows * n_columns, cell, own
    cdef int32_t place_out = place_of_sets(&g.out, n_columns), place_in = place_of_sets(&g.into, n_columns)
    cdef double largest, value
    cdef double *swap
    cell = 0
    for c in range(n_rows):
        for k in range(n_columns):
            scratch.room[cell] = <double> t.class_size[c] * g.class_size[k]
            scratch.anchors[cell] = 0
            cell += 1
    for i in range(t.n):
        if scratch.row[i] >= 0:
            cell = <int64_t> t.node_class[i] * n_columns + g.node_class[scratch.row[i]]
            scratch.anchors[cell] += 1
            scratch.room[cell] -= 1
    for cell in range(<int64_t> t.out.n * n_columns):
        scratch.received_out[cell] = 1
    for cell in range(<int64_t> t.into.n * n_columns):
        scratch.received_in[cell] = 1
    memset(scratch.value, 0, n_blocks * sizeof(double))
    memcpy(scratch.block, scratch.anchors, n_blocks * sizeof(double))
    for _iteration in range(options.iterations):
        if n_blocks > MANY_CELLS:
            if cancel[0]:
                return STOPPED
            if interrupted():
                return INTERRUPTED
        swap = scratch.before
        scratch.before = scratch.value
        scratch.value = swap
        receive(&t.out, &g.out, n_columns, scratch.block, scratch.ratio_out, scratch.zeros, scratch.passed,
                scratch.narrow, scratch.received_out, place_out)
        receive(&t.into, &g.into, n_columns, scratch.block, scratch.ratio_in, scratch.zeros, scratch.passed,
                scratch.narrow, scratch.received_in, place_in)
        largest = 0
        for c in range(n_rows):
            own = <int64_t> c * n_columns
            largest = combine_rows(
                scratch.received_out + <int64_t> t.out.of_class[c] * n_columns,
                scratch.received_in + <int64_t> t.into.of_class[c] * n_columns, scratch.value + own, n_columns, largest,
            )
        settle_rows(scratch.value, scratch.room, scratch.anchors, scratch.block, n_blocks,
                    largest if largest > 0 else 1.0)
        if settled(scratch.value, scratch.before, scratch.room, n_blocks, options):
            break
    cell = 0
    for i in range(t.n):
        own = <int64_t> t.node_class[i] * n_columns
        for j in range(g.n):
            value = scratch.value[own + g.node_class[j]]
            if scratch.row[i] == j:
                value = 1
            value = (value + options.beta) * (scratch.similarity[cell] + options.alpha)
            # to the nearest whole number, a half to the even one
            scratch.final[cell] = <int32_t> (value * TEN_THOUSAND + 6755399441055744.0 - 6755399441055744.0)
            cell += 1
    return FINE


cdef int32_t common_roles(const View *t, int32_t i, const View *g, int32_t j, Scratch *scratch) noexcept nogil:
    """Roles around t's node i that are also around g's node j; counted once for each two sets of roles."""
    cdef int32_t *known = scratch.common + <int64_t> t.roles[i] * g.n_role_sets + g.roles[j]
    cdef int64_t a, b, a_stop, b_stop
    cdef int32_t count = 0
    if known[0] >= 0:
        return known[0]
    a, a_stop = t.role_start[t.roles[i]], t.role_start[t.roles[i] + 1]
    b, b_stop = g.role_start[g.roles[j]], g.role_start[g.roles[j] + 1]
    while a < a_stop and b < b_stop:
        if t.role[a] < g.role[b]:
            a += 1
        elif t.role[a] > g.role[b]:
            b += 1
        else:
            count += 1
            a += 1
            b += 1
    known[0] = count
    return count


cdef double jaccard(const View *t, int32_t i, const View *g, int32_t j, Scratch *scratch) noexcept nogil:
    cdef int32_t common = common_roles(t, i, g, j, scratch)
    cdef int64_t together = (
        t.role_start[t.roles[i] + 1] - t.role_start[t.roles[i]] + g.role_start[g.roles[j] + 1]
        - g.role_start[g.roles[j]] - common
    )
    return <double> common / <double> together if together else 0.0


cdef int32_t choose(
    const View *t, const View *g, Scratch *scratch, int32_t own, bint by_row, bint tool
) noexcept nogil:
    """The best partner of a row or of a column: largest F, then the most alike roles; -1 if several are.

    The tool forgets a partner with the number 0 that was chosen by its roles.
    """
    cdef int32_t n = g.n if by_row else t.n, other, best = -1, ties = 0
    cdef int64_t step = 1 if by_row else g.n
    cdef const int32_t *final = scratch.final + (<int64_t> own * g.n if by_row else own)
    cdef int32_t largest = -2147483647
    cdef double like, most = -1
    cdef bint again = False
    for other in range(n):
        if final[other * step] > largest:
            largest = final[other * step]
            best, ties = other, 1
        elif final[other * step] == largest:
            ties += 1
    if ties <= 1:
        return best
    for other in range(n):
        if final[other * step] == largest:
            like = jaccard(t, own, g, other, scratch) if by_row else jaccard(t, other, g, own, scratch)
            if like > most:
                most, best, again = like, other, False
            elif like == most:
                again = True
    return -1 if again or (tool and best == 0) else best


cdef void log_match(
    const View *t, const View *g, const Scratch *scratch, int32_t i, int32_t j, Tally *tally
) noexcept nogil:
    tally.matched += scratch.similarity[<int64_t> i * g.n + j]
    tally.identical += identical(t, i, g, j)
    tally.count += 1


cdef bint choose_anchors(
    const View *t, const View *g, const Options *options, Scratch *scratch, Tally *tally
) noexcept nogil:
    """Put pairs that are each other's choice into ``row`` and ``column``. Returns whether there is a new one.

    The tool counts new ones in ``tally`` and does not take back those that vanish.
    """
    cdef int32_t i, j
    cdef bint new = False
    for i in range(t.n):
        scratch.row_before[i] = scratch.row[i]
        scratch.row[i] = -1
        scratch.row_choice[i] = choose(t, g, scratch, i, True, options.tool)
    for j in range(g.n):
        scratch.column[j] = -1
        i = choose(t, g, scratch, j, False, options.tool)
        if i >= 0 and scratch.row_choice[i] == j:
            scratch.row[i] = j
            scratch.column[j] = i
    for i in range(t.n):
        if scratch.row[i] >= 0 and scratch.row[i] != scratch.row_before[i]:
            new = True
            log_match(t, g, scratch, i, scratch.row[i], tally)
    return new


# The rest -------------------------------------------------------------------------------------------------------------


cdef double role_score(
    const View *t, int32_t i, const View *g, int32_t j, const Options *options, Scratch *scratch
) noexcept nogil:
    if options.overlap:
        return common_roles(t, i, g, j, scratch)
    return jaccard(t, i, g, j, scratch)


cdef int32_t best_open(
    const View *t, const View *g, const Options *options, Scratch *scratch, int32_t i, int32_t n_columns
) noexcept nogil:
    """The open column that comes first for row i."""
    cdef int32_t k, j, best = scratch.open_column[0]
    cdef const int32_t *final = scratch.final + <int64_t> i * g.n
    cdef double like, most = -1
    for k in range(1, n_columns):
        j = scratch.open_column[k]
        if final[j] > final[best]:
            best, most = j, -1
        elif final[j] == final[best]:
            if most < 0:
                most = role_score(t, i, g, best, options, scratch)
            like = role_score(t, i, g, j, options, scratch)
            if like > most:
                best, most = j, like
    return best


cdef int match_rest(
    const View *t, const View *g, const Options *options, Scratch *scratch, Tally *tally, const uint8_t *cancel
) noexcept nogil:
    """Match what is left, always the first pair in the order (F, roles, row, column)."""
    cdef int32_t n_rows = 0, n_columns = 0, i, j, k, first, steps = 0
    cdef double like, most
    cdef int64_t cell, most_cell
    for i in range(t.n):
        if scratch.row[i] < 0:
            scratch.open_row[n_rows] = i
            n_rows += 1
    for j in range(g.n):
        if scratch.column[j] < 0:
            scratch.open_column[n_columns] = j
            n_columns += 1
    if n_columns:
        for k in range(n_rows):
            scratch.best[k] = best_open(t, g, options, scratch, scratch.open_row[k], n_columns)
    while n_rows and n_columns:
        steps += 1
        if steps & 127 == 0:
            if cancel[0]:
                return STOPPED
            if interrupted():
                return INTERRUPTED
        first = 0
        most = -1
        most_cell = <int64_t> scratch.open_row[0] * g.n + scratch.best[0]
        for k in range(1, n_rows):
            cell = <int64_t> scratch.open_row[k] * g.n + scratch.best[k]
            if scratch.final[cell] > scratch.final[most_cell]:
                first, most_cell, most = k, cell, -1
            elif scratch.final[cell] == scratch.final[most_cell]:
                if most < 0:
                    most = role_score(t, scratch.open_row[first], g, scratch.best[first], options, scratch)
                like = role_score(t, scratch.open_row[k], g, scratch.best[k], options, scratch)
                if like > most:
                    first, most_cell, most = k, cell, like
        i, j = scratch.open_row[first], scratch.best[first]
        if scratch.column[j] >= 0:  # taken since it was looked up
            scratch.best[first] = best_open(t, g, options, scratch, i, n_columns)
            continue
        scratch.row[i] = j
        scratch.column[j] = i
        log_match(t, g, scratch, i, j, tally)
        n_rows -= 1
        for k in range(first, n_rows):
            scratch.open_row[k] = scratch.open_row[k + 1]
            scratch.best[k] = scratch.best[k + 1]
        n_columns -= 1
        k = 0
        while scratch.open_column[k] != j:
            k += 1
        while k < n_columns:
            scratch.open_column[k] = scratch.open_column[k + 1]
            k += 1
    return FINE


# Scores ---------------------------------------------------------------------------------------------------------------


cdef int score_pair(
    Arena *arena, const View *t, const View *g, const Options *options, const uint8_t *cancel, double *out,
    Scratch *scratch,
) noexcept nogil:
    """All statistics of a pair into ``out``, [2 * SIDE_STATISTICS]; the match into ``scratch``."""
    cdef int32_t i, _round
    cdef int64_t hits
    cdef int status
    cdef bint top
    cdef Tally tally
    cdef double *gold = out + SIDE_STATISTICS
    if reserve(arena, scratch, t, g) < 0:
        return NO_MEMORY
    tally.matched = tally.count = tally.identical = 0
    memset(scratch.common, 0xff, <size_t> t.n_role_sets * g.n_role_sets * sizeof(int32_t))
    compare_nodes(t, g, options, scratch)
    first_anchors(t, g, scratch)
    for i in range(t.n):
        if scratch.row[i] >= 0:
            log_match(t, g, scratch, i, scratch.row[i], &tally)
    if t.n and g.n:
        measure(&t.out, &g.out, scratch.ratio_out)
        measure(&t.into, &g.into, scratch.ratio_in)
        memset(scratch.zeros, 0, g.n_classes * sizeof(double))
        for _round in range(options.rounds):
            status = broadcast(t, g, options, scratch, cancel)
            if status != FINE:
                return status
            if not choose_anchors(t, g, options, scratch, &tally):
                break
        status = match_rest(t, g, options, scratch, &tally, cancel)
        if status != FINE:
            return status
    if not options.tool:    # what vanished on the way does not count
        tally.matched = tally.count = tally.identical = 0
        for i in range(t.n):
            if scratch.row[i] >= 0:
                log_match(t, g, scratch, i, scratch.row[i], &tally)
    out[CONCEPT_MATCHED] = gold[CONCEPT_MATCHED] = tally.matched
    out[CONCEPT_TOTAL] = gold[CONCEPT_TOTAL] = tally.count
    for i in range(t.n):
        out[CONCEPT_TOTAL] += scratch.row[i] < 0
    for i in range(g.n):
        gold[CONCEPT_TOTAL] += scratch.column[i] < 0
    hits = count_relations(t, g, t, scratch.row, options, scratch.similarity, scratch.found, True, g.n, out)
    gold[SMATCH_MATCHED] = tally.identical + hits
    hits = count_relations(g, t, t, scratch.column, options, scratch.similarity, scratch.found, False, g.n, gold)
    out[SMATCH_MATCHED] = tally.identical + hits
    out[SMATCH_TOTAL] = out[CONCEPT_TOTAL] + out[RELATION_TOTAL]
    gold[SMATCH_TOTAL] = gold[CONCEPT_TOTAL] + gold[RELATION_TOTAL]
    if options.top:
        # the tool takes the first node for the root
        top = t.n and g.n and scratch.row[0 if options.tool else t.root] == (0 if options.tool else g.root)
        out[SMATCH_MATCHED] += top
        gold[SMATCH_MATCHED] += top
        out[SMATCH_TOTAL] += t.n > 0
        gold[SMATCH_TOTAL] += g.n > 0
    return FINE


cdef void check_pairs(
    AncastGraphs a, AncastGraphs b, const int32_t[::1] index_a, const int32_t[::1] index_b,
    Py_ssize_t start, Py_ssize_t stop, const uint8_t[::1] cancel, const double[:, ::1] out,
    const int64_t[::1] mapping_offsets, const int32_t[::1] mapping,
) except *:
    """Check once what the kernel then trusts."""
    cdef Py_ssize_t k, n_pairs = index_a.shape[0]
    cdef int64_t variables
    if index_b.shape[0] != n_pairs or out.shape[1] < n_pairs or cancel.shape[0] < 1:
        raise ValueError("index_a, index_b and the output must have one entry a pair, cancel one entry")
    if out.shape[0] != 2 * SIDE_STATISTICS:
        raise ValueError(f"the output must have {2 * SIDE_STATISTICS} rows")
    if not 0 <= start <= stop <= n_pairs:
        raise IndexError(f"pairs {start} to {stop} of {n_pairs}")
    if mapping_offsets is not None and (mapping is None or mapping_offsets.shape[0] < n_pairs + 1):
        raise ValueError("mapping_offsets must have one entry more than there are pairs, and come with mapping")
    for k in range(start, stop):
        if not (0 <= index_a[k] < a.n_graphs and 0 <= index_b[k] < b.n_graphs):
            raise IndexError(f"pair {k} is of graphs {index_a[k]} and {index_b[k]}, of {a.n_graphs} and {b.n_graphs}")
        if mapping_offsets is not None:
            variables = a.offsets[O_VARIABLES, index_a[k] + 1] - a.offsets[O_VARIABLES, index_a[k]]
            if not (0 <= mapping_offsets[k] <= mapping_offsets[k + 1] <= mapping.shape[0]
                    and mapping_offsets[k] + variables <= mapping_offsets[k + 1]):
                raise ValueError(f"mapping of pair {k} has no room for its {variables} variables")


def score_ancast(
    AncastGraphs a not None,
    AncastGraphs b not None,
    const int32_t[::1] index_a not None,
    const int32_t[::1] index_b not None,
    Py_ssize_t start,
    Py_ssize_t stop,
    *,
    double alpha,
    double beta,
    double gamma,
    double tolerance,
    double relative,
    int32_t iterations,
    int32_t rounds,
    bint intrinsic,
    bint inner_weight,
    bint overlap,
    bint top,
    bint tool,
    const uint8_t[::1] cancel not None,
    double[:, ::1] out not None,
    const int64_t[::1] mapping_offsets=None,
    int32_t[::1] mapping=None,
):
    """AnCast's statistics of pairs ``start .. stop - 1``.

    Args:
        a, b: the graphs of predictions and gold, prepared with the same options and vocabulary.
        index_a, index_b: int32, shape (n_pairs,): graphs of each pair.
        alpha, beta: biases of equation 13. gamma: the sense coefficient of equation 1.
        tolerance, relative: the broadcast ends when no value changed by more than tolerance + relative · value.
        iterations, rounds: most steps of a broadcast, most broadcasts; at least 1.
        intrinsic: relations are worth the similarity of their ends (equation 17), else that of the names.
        inner_weight: weights are sqrt(d1 · d2 + 1) (equation 24), else sqrt(d1 · d2) + 1.
        overlap: ties among what is matched last go by the number of common roles, else by Jaccard's index.
        top: the imitation of Smatch has a triple for the root.
        tool: concepts that lost their partner count twice, ties won by node 0 are lost, constants and variables of one
            name are one, weights of gold relations come from the prediction, node 0 is the root.
        cancel: uint8, shape (1,): set to 1 by another thread, it leaves the remaining pairs unscored.
        out: output, float64, shape (18, n_pairs): for the prediction, then for the gold graph: concepts matched and in
            all; relations matched with labels, without; in all; weighted ones matched, in all; triples matched as in
            Smatch, in all.
        mapping_offsets, mapping: if given, mapping[mapping_offsets[k] + i] becomes the variable of b that variable i of
            a is mapped to in pair k, or -1.

    Raises:
        IndexError, ValueError: an index, a length or an option does not fit.
        MemoryError: a pair does not fit in memory.

    Cost: a step of the broadcast is O(c · d + m), for c and d classes of nodes on the two sides and m members of their
    neighbourhoods times the classes of the other side; everything else O(n_a · n_b), as a rule.
    """
    cdef Py_ssize_t k, failed = -1, r
    cdef int32_t i, j
    cdef int64_t at
    cdef int status = FINE
    cdef double row[2 * SIDE_STATISTICS]
    cdef View t, g
    cdef Arena arena
    cdef Scratch scratch
    cdef Options options
    check_pairs(a, b, index_a, index_b, start, stop, cancel, out, mapping_offsets, mapping)
    if iterations < 1 or rounds < 1 or not 0 <= alpha <= 100 or not 0 <= beta <= 100:
        raise ValueError("iterations and rounds must be at least 1, biases in [0, 100]")
    if tool and (a.by_label.shape[1] != a.nodes.shape[1] or b.by_label.shape[1] != b.nodes.shape[1]):
        raise ValueError("the graphs were not prepared for the tool's way of scoring")
    options.alpha, options.beta, options.gamma = alpha, beta, gamma
    options.tolerance, options.relative = tolerance, relative
    options.iterations, options.rounds = iterations, rounds
    options.intrinsic, options.inner_weight, options.overlap = intrinsic, inner_weight, overlap
    options.top, options.tool = top, tool
    arena_init(&arena)
    with nogil:
        for k in range(start, stop):
            if cancel[0]:
                break
            view_graph(&t, a, index_a[k])
            view_graph(&g, b, index_b[k])
            status = score_pair(&arena, &t, &g, &options, &cancel[0], row, &scratch)
            if status != FINE:
                failed = k
                break
            for r in range(2 * SIDE_STATISTICS):
                out[r, k] = row[r]
            if mapping_offsets is not None:
                for at in range(mapping_offsets[k], mapping_offsets[k + 1]):
                    mapping[at] = -1
                for i in range(t.n):
                    j = scratch.row[i]
                    if j >= 0:
                        mapping[mapping_offsets[k] + t.variable[i]] = g.variable[j]
    arena_free(&arena)
    if status == INTERRUPTED:
        raise_pending()
    if status == NO_MEMORY:
        raise MemoryError(f"aligning pair {failed} does not fit in memory")
