# cython: language_level=3
"""What matches of the sentences of two UMR documents, as juːmæʧ (Zeman and Gamba 2026) counts it.

The nodes of each two sentences are linked one-to-one (:mod:`fastmatch._ext.umr.links`). Then all is counted that is
said of nodes: their concepts and their relations, to values or to other nodes. It matches if the node's partner has it
as well, nodes named by their partners. Relations of the document level are compared in the same way, when all sentences
have their links. :mod:`fastmatch.umr.jumatch` says where the published program differs.

One call does a document. What is said of a node is sorted once, so a sentence costs O(n log n) beside its links.
"""

from libc.stdint cimport int32_t, int64_t, uint8_t, uint32_t
from libc.string cimport memset

import numpy as np

from fastmatch._ext.base.arena cimport Arena, Ints, arena_free, arena_init
from fastmatch._ext.base.division cimport check_division
from fastmatch._ext.base.kept cimport zeros
from fastmatch._ext.base.keyed cimport Table, place, table_clear, table_init
from fastmatch._ext.base.search cimport lower_bound, lower_bound_pair
from fastmatch._ext.base.sorting cimport Pair, packed, pair_less, sort_pairs
from fastmatch._ext.base.status cimport FINE, TOO_LARGE, asked_to_stop, raise_status
from fastmatch._ext.umr.links cimport Half, link_sentences
from fastmatch._ext.umr.sentences cimport (
    A_MAY_BE_VARIABLE, A_ROLE, A_VALUE, N_CONCEPT, N_EXTENDED, N_LENGTH, N_VARIABLE, R_HEAD, R_ROLE, R_TAIL, Sentences,
)

cdef enum:
    # what is counted of a sentence: fastmatch.umr.jumatch.STATISTICS, in its order
    MATCHED, N_PRED, N_GOLD, LINKED, N_LINKED_PRED, N_LINKED_GOLD, MAPPED_PRED, MAPPED_GOLD, NODES_PRED, NODES_GOLD
    TOKENS, N_TOKENS_PRED, N_TOKENS_GOLD, AMBIGUOUS_PRED, AMBIGUOUS_GOLD, LINKS_PRED, LINKS_GOLD, N_STATISTICS

cdef enum:
    # the sides, and the rows of what is counted of roles
    GOLD, PRED
    BOTH = 0, OF_PRED, OF_GOLD


cdef struct Strings:
    # what is the same for both sides: all strings, those roles that are left out, and some ids
    const int64_t *start
    const uint8_t *text
    const uint8_t *ignored
    int32_t n
    int32_t concept             # the role that stands for a node's concept
    int32_t empty
    int32_t unmapped            # the word for a node without a partner, or -1 if there is none


cdef class Side:
    """One document: what is given, and what is made of it once."""

    cdef Sentences given
    cdef int32_t *partner       # for each node the number of its partner in the other sentence, or -1
    cdef list kept              # the memory of all that follows
    # what is said of each node and its concept, sorted, for links.pxd
    cdef int64_t *attribute_start
    cdef Ints role, value, child, counts
    # variable -> the nodes of whole graphs that have it, in the order of the sentences
    cdef int64_t *declared_start
    cdef int64_t *declared
    cdef int32_t *sentence_of   # of each node

    def __cinit__(self, Sentences given, int32_t[::1] partner, int32_t n_strings):
        cdef int64_t n_nodes = given.nodes.shape[1], n = given.attributes.shape[1] + n_nodes
        self.given, self.kept = given, []
        if n_nodes:
            self.partner = &partner[0]
        self.attribute_start = <int64_t *> zeros(self.kept, n_nodes + 1, sizeof(int64_t))
        self.role = <int32_t *> zeros(self.kept, n, sizeof(int32_t))
        self.value = <int32_t *> zeros(self.kept, n, sizeof(int32_t))
        self.child = <int32_t *> zeros(self.kept, n, sizeof(int32_t))
        self.counts = <int32_t *> zeros(self.kept, n, sizeof(int32_t))
        self.declared_start = <int64_t *> zeros(self.kept, n_strings + 2, sizeof(int64_t))
        self.declared = <int64_t *> zeros(self.kept, n_nodes, sizeof(int64_t))
        self.sentence_of = <int32_t *> zeros(self.kept, n_nodes, sizeof(int32_t))


cdef struct Scratch:
    Arena small, large
    Table sets
    int32_t *node_of            # variable -> its node in a sentence, of the side and the sentence last looked at
    int64_t *stamp_of           # variable -> for which node_of holds
    int64_t stamp
    Pair *pairs                 # three stretches of so many as a sentence may need
    Pair *others
    Pair *spare
    uint8_t *seen               # set of tokens -> sides that have it


cdef inline int32_t as_variable(int32_t id) noexcept nogil:
    """The number of a value that may be a variable; constants are odd."""
    return 2 * id


cdef void prepare(Side side, int64_t n, Scratch *scratch, const Strings *strings) noexcept nogil:
    """Sort what is said of each node of the first n sentences, and find the nodes that each variable names."""
    cdef const int64_t[::1] node_start = side.given.node_start
    cdef const int32_t[:, ::1] nodes = side.given.nodes, said = side.given.attributes
    cdef int64_t s, i, a, at = 0, k
    cdef int32_t id, value
    cdef bint counts
    cdef Pair *rows = scratch.pairs
    for s in range(n):
        scratch.stamp += 1
        for i in range(node_start[s], node_start[s + 1]):
            id = nodes[N_VARIABLE, i]
            scratch.node_of[id] = <int32_t> (i - node_start[s])
            scratch.stamp_of[id] = scratch.stamp
            side.sentence_of[i] = <int32_t> s
            if side.given.whole[s]:
                side.declared_start[id + 2] += 1
        for i in range(node_start[s], node_start[s + 1]):
            side.attribute_start[i] = at
            id = nodes[N_CONCEPT, i]
            rows[0].major = packed(strings.concept, as_variable(id) + 1)
            rows[0].minor = packed(-1, id != strings.empty and not strings.ignored[strings.concept])
            k = 1
            for a in range(side.given.attribute_start[i], side.given.attribute_start[i + 1]):
                id = said[A_VALUE, a]
                counts = id != strings.empty and not strings.ignored[said[A_ROLE, a]]
                value = as_variable(id)
                if not said[A_MAY_BE_VARIABLE, a]:
                    value += 1
                rows[k].major = packed(said[A_ROLE, a], value)
                if said[A_MAY_BE_VARIABLE, a] and scratch.stamp_of[id] == scratch.stamp:
                    rows[k].minor = packed(scratch.node_of[id], counts)
                else:
                    rows[k].minor = packed(-1, counts)
                k += 1
            sort_pairs(rows, k, scratch.spare)
            for a in range(k):
                side.role[at] = <int32_t> (rows[a].major >> 32)
                side.value[at] = <int32_t> <uint32_t> rows[a].major
                side.child[at] = <int32_t> (rows[a].minor >> 32)
                side.counts[at] = <int32_t> (rows[a].minor & 1)
                at += 1
    side.attribute_start[node_start[n]] = at
    for id in range(strings.n):
        side.declared_start[id + 2] += side.declared_start[id + 1]
    for s in range(n):
        if side.given.whole[s]:
            for i in range(node_start[s], node_start[s + 1]):
                id = nodes[N_VARIABLE, i]
                side.declared[side.declared_start[id + 1]] = i
                side.declared_start[id + 1] += 1


cdef inline const int32_t *part(const int32_t[:, ::1] rows, Py_ssize_t row, int64_t start) noexcept nogil:
    """Column ``start`` of a row, or NULL where the table has no such column."""
    return &rows[row, start] if start < rows.shape[1] else NULL


cdef void half_of(Half *half, Side side, int64_t s, const Strings *strings) noexcept nogil:
    cdef int64_t at = side.given.node_start[s]
    memset(half, 0, sizeof(Half))
    half.n = <int32_t> (side.given.node_start[s + 1] - at)
    half.text_start, half.text = strings.start, strings.text
    half.attribute_start = side.attribute_start + at
    half.role, half.value, half.child, half.counts = side.role, side.value, side.child, side.counts
    half.span_start = &side.given.span_start[at]
    half.first, half.last = part(side.given.spans, 0, 0), part(side.given.spans, 1, 0)
    half.variable = part(side.given.nodes, N_VARIABLE, at)
    half.extended = part(side.given.nodes, N_EXTENDED, at)
    half.length = part(side.given.nodes, N_LENGTH, at)


# ---- nodes -----------------------------------------------------------------------------------------------------------

cdef int64_t written(
    Side side, int64_t i, Side other, int64_t start, int32_t unmapped, Pair *rows, int64_t *by_role
) noexcept nogil:
    """Put what counts of node i into ``rows``, as (role, value), and count it in ``by_role``; returns how much it is.

    With ``other`` in its words: a node is called as its partner in the sentence whose nodes begin at ``start``, or
    unmapped if it has none.
    """
    cdef int64_t a, n = 0, at = side.given.node_start[side.sentence_of[i]]
    cdef int32_t partner, value
    for a in range(side.attribute_start[i], side.attribute_start[i + 1]):
        if not side.counts[a]:
            continue
        if by_role != NULL:
            by_role[side.role[a]] += 1
        value = side.value[a]
        if other is not None and side.child[a] >= 0:
            partner = side.partner[at + side.child[a]]
            if partner >= 0:
                value = as_variable(other.given.nodes[N_VARIABLE, start + partner])
            else:
                value = as_variable(unmapped) if unmapped >= 0 else -1
        rows[n] = Pair(side.role[a], value)
        n += 1
    return n


cdef void count_nodes(
    Side gold, Side pred, int64_t s, Scratch *scratch, const Strings *strings, int64_t *counts, int64_t *by_role
) noexcept nogil:
    cdef int64_t i, j, k, n, m, start = pred.given.node_start[s]
    cdef int64_t *of_pred = by_role + OF_PRED * strings.n
    cdef int64_t *of_gold = by_role + OF_GOLD * strings.n
    for j in range(start, pred.given.node_start[s + 1]):
        counts[N_PRED] += written(pred, j, None, 0, -1, scratch.others, of_pred)
    for i in range(gold.given.node_start[s], gold.given.node_start[s + 1]):
        n = written(gold, i, pred, start, strings.unmapped, scratch.pairs, of_gold)
        counts[N_GOLD] += n
        if gold.partner[i] < 0:
            continue
        j = start + gold.partner[i]
        m = written(pred, j, None, 0, -1, scratch.others, NULL)
        counts[MAPPED_GOLD] += 1
        counts[MAPPED_PRED] += 1
        counts[N_LINKED_GOLD] += n
        counts[N_LINKED_PRED] += m
        sort_pairs(scratch.pairs, n, scratch.spare)
        j = k = 0
        while j < n and k < m:      # what was written is sorted already
            if pair_less(scratch.pairs[j], scratch.others[k]):
                j += 1
            elif pair_less(scratch.others[k], scratch.pairs[j]):
                k += 1
            else:
                by_role[BOTH * strings.n + scratch.pairs[j].major] += 1
                counts[LINKED] += 1
                j += 1
                k += 1
    counts[MATCHED] += counts[LINKED]
    counts[NODES_GOLD] = gold.given.node_start[s + 1] - gold.given.node_start[s]
    counts[NODES_PRED] = pred.given.node_start[s + 1] - start


# ---- sets of tokens --------------------------------------------------------------------------------------------------

cdef void count_token_sets(Sentences side, int which, int64_t s, Scratch *scratch, int64_t *counts) noexcept nogil:
    """Distinct sets of tokens with which nodes are aligned: each is the end of a path of its spans, in their order.

    First of the gold sentence, then of the other one.
    """
    cdef int64_t i, a
    cdef int32_t state
    cdef int32_t *next_state
    if which == GOLD:
        table_clear(&scratch.sets)
    for i in range(side.node_start[s], side.node_start[s + 1]):
        if side.span_start[i] == side.span_start[i + 1]:
            continue
        state = 0
        for a in range(side.span_start[i], side.span_start[i + 1]):
            next_state = place(&scratch.sets, state, side.spans[0, a], side.spans[1, a], True)
            if next_state[0] < 0:
                next_state[0] = scratch.sets.used
                scratch.seen[next_state[0]] = 0
            state = next_state[0]
        if not scratch.seen[state] & (1 << which):
            counts[N_TOKENS_PRED if which == PRED else N_TOKENS_GOLD] += 1
            scratch.seen[state] |= <uint8_t> (1 << which)
            counts[TOKENS] += scratch.seen[state] == 3


# ---- relations of the document level ---------------------------------------------------------------------------------

cdef int64_t relations_of(
    Sentences side, int64_t s, const Strings *strings, Pair *rows, Pair *spare, int64_t *by_role
) noexcept nogil:
    """Put the relations of a sentence that count into ``rows``, sorted, each once; returns their number."""
    cdef int64_t a, n = 0, k = 0
    for a in range(side.relation_start[s], side.relation_start[s + 1]):
        if not strings.ignored[side.relations[R_ROLE, a]]:
            rows[n] = Pair(packed(side.relations[R_ROLE, a], side.relations[R_HEAD, a]), side.relations[R_TAIL, a])
            n += 1
    sort_pairs(rows, n, spare)
    for a in range(n):
        if a == 0 or pair_less(rows[a - 1], rows[a]):
            rows[k] = rows[a]
            k += 1
    for a in range(k):
        by_role[rows[a].major >> 32] += 1
    return k


cdef int32_t translated(
    Side side, Side other, int32_t name, int64_t s, const Strings *strings, bint tool
) noexcept nogil:
    """A name of sentence s in the words of the other side, or -1 if it has none there.

    A variable is looked for in this sentence and those before, the last one first, then in those behind; by the
    program, in the last sentence of all, whose nodes have no partners yet if it is behind this one.
    """
    cdef int64_t start = side.declared_start[name], stop = side.declared_start[name + 1], behind, node
    if start == stop:
        return name
    if tool:
        node = side.declared[stop - 1]
        if side.sentence_of[node] > s:
            return strings.unmapped
    else:
        behind = lower_bound(side.declared, start, stop, side.given.node_start[s + 1])
        node = side.declared[behind - 1 if behind > start else start]
    cdef int32_t partner = side.partner[node]
    if partner < 0:
        return strings.unmapped
    return other.given.nodes[N_VARIABLE, other.given.node_start[side.sentence_of[node]] + partner]


cdef int64_t found_on(
    Side side, Side other, int64_t s, const Strings *strings, bint tool, const Pair *rows, int64_t n,
    const Pair *others, int64_t m, int64_t *by_role,
) noexcept nogil:
    """How many relations the other side has as well; counted in ``by_role``, too, unless that is NULL."""
    cdef int64_t k, at, found = 0
    cdef int32_t head, tail
    cdef Pair wanted
    for k in range(n):
        head = translated(side, other, <int32_t> <uint32_t> rows[k].major, s, strings, tool)
        tail = translated(side, other, <int32_t> rows[k].minor, s, strings, tool)
        if head < 0 or tail < 0:
            continue
        wanted.major, wanted.minor = packed(rows[k].major >> 32, head), tail
        at = lower_bound_pair(others, 0, m, wanted.major, wanted.minor)
        if at < m and not pair_less(wanted, others[at]):
            found += 1
            if by_role != NULL:
                by_role[rows[k].major >> 32] += 1
    return found


cdef void count_relations(
    Side gold, Side pred, int64_t s, Scratch *scratch, const Strings *strings, bint tool, int64_t *counts,
    int64_t *by_role,
) noexcept nogil:
    cdef int64_t n, m, matched
    n = relations_of(gold.given, s, strings, scratch.pairs, scratch.spare, by_role + OF_GOLD * strings.n)
    m = relations_of(pred.given, s, strings, scratch.others, scratch.spare, by_role + OF_PRED * strings.n)
    matched = found_on(gold, pred, s, strings, tool, scratch.pairs, n, scratch.others, m, by_role + BOTH * strings.n)
    counts[MATCHED] += matched
    counts[N_GOLD] += n
    if tool:        # matches, and what gold lacks
        m += matched - found_on(pred, gold, s, strings, tool, scratch.others, m, scratch.pairs, n, NULL)
    counts[N_PRED] += m


# ---- documents -------------------------------------------------------------------------------------------------------

cdef int64_t compare_documents(
    Side gold, Side pred, int64_t n, Scratch *scratch, const Strings *strings, bint document_level, bint tool,
    int64_t limit, int64_t work, const uint8_t *cancel, int64_t *statistics, int64_t *by_role, uint8_t *whole,
    int *status,
) noexcept nogil:
    """Fill all outputs of n sentences; returns the sentence in which ``status`` has ended the work, or -1."""
    cdef Half[2] halves
    cdef int64_t[4] ambiguous
    cdef int64_t s
    cdef int64_t *counts
    cdef int32_t n_tokens
    cdef const int64_t[::1] token_start = gold.given.token_start
    prepare(gold, n, scratch, strings)
    prepare(pred, n, scratch, strings)
    for s in range(n):
        counts = statistics + s * N_STATISTICS
        half_of(&halves[GOLD], gold, s, strings)
        half_of(&halves[PRED], pred, s, strings)
        # to the program, nobody shares a token that the sentence does not have
        n_tokens = <int32_t> min(token_start[s + 1] - token_start[s], 0x7fffffff) if tool else 0x7fffffff
        status[0] = link_sentences(
            &scratch.small, &scratch.large, halves, n_tokens,
            as_variable(strings.unmapped) if strings.unmapped >= 0 else -1, limit, work, ambiguous,
            gold.partner + gold.given.node_start[s], pred.partner + pred.given.node_start[s], whole + s, cancel,
        )
        if status[0] != FINE:
            return s
        counts[AMBIGUOUS_GOLD], counts[LINKS_GOLD] = ambiguous[0], ambiguous[1]
        counts[AMBIGUOUS_PRED], counts[LINKS_PRED] = ambiguous[2], ambiguous[3]
    for s in range(n):
        if s % 256 == 255:
            status[0] = asked_to_stop(cancel)
            if status[0] != FINE:
                return s
        counts = statistics + s * N_STATISTICS
        count_nodes(gold, pred, s, scratch, strings, counts, by_role)
        count_token_sets(gold.given, GOLD, s, scratch, counts)
        count_token_sets(pred.given, PRED, s, scratch, counts)
        if document_level:
            count_relations(gold, pred, s, scratch, strings, tool, counts, by_role)
    return -1


def compare_sentences(
    Sentences pred not None,
    Sentences gold not None,
    const int64_t[::1] text_start not None,
    const uint8_t[::1] text not None,
    const uint8_t[::1] ignored not None,
    int32_t concept,
    int32_t empty,
    int32_t unmapped,
    bint document_level,
    bint tool,
    int64_t limit,
    int64_t work,
    const uint8_t[::1] cancel not None,
    int64_t[:, ::1] statistics not None,
    int64_t[:, ::1] by_role not None,
    int32_t[::1] partners_pred not None,
    int32_t[::1] partners_gold not None,
    uint8_t[::1] whole not None,
):
    """Compare the sentences of two documents, which are paired by their places; see the top of this module.

    Parameters
    ----------
    pred, gold : Sentences
        The first n_sentences of both sides are compared. Ties between links depend on which side the program has
        first: gold.
    text_start : int64, shape (n_strings + 1,)
    text : uint8, shape (·,)
        All strings, in UTF-8.
    ignored : uint8, shape (n_strings,)
        1 for the roles that are left out.
    concept, empty, unmapped : int
        Ids of the role that stands for a node's concept, of the empty string, which is no value, and of the word that
        stands for a node without a partner, or -1 if no word does; the program has one.
    document_level : bool
        Whether the relations of the document level count.
    tool : bool
        As the program compare_umr.pl does it.
    limit : int >= 0
        Most links between two sentences.
    work : int >= 0
        Steps of work for the links of two sentences; one takes about 5 ns (:mod:`fastmatch._ext.umr.links`).
    cancel : uint8, shape (1,)
        Set to 1 by another thread, it leaves the remaining sentences undone.
    statistics : int64, shape (n_sentences, 17)
        Output, zeros before: what ``fastmatch.umr.jumatch.STATISTICS`` names.
    by_role : int64, shape (3, n_strings)
        Output, zeros before: for each role its matches, what the prediction says and what gold says.
    partners_pred, partners_gold : int32, shape (n_nodes,)
        Output. For each node the number of its partner in the other sentence, or -1.
    whole : uint8, shape (n_sentences,)
        Output. 0 where ``work`` was not enough, so that links were made one-to-one greedily.

    Returns
    -------
    int
        -1, or the number of the first sentence that has more than ``limit`` links; nothing is counted then.

    Raises
    ------
    ValueError
        If lengths or ids do not fit.
    MemoryError
        If there is no memory for a sentence.

    Notes
    -----
    O(n m) for sentences of n and m nodes; for l links of nodes that have several, O(l + r (n + m) log(n + m)) more in r
    rounds, if few nodes have many equal children; and no more than ``work`` and one round.
    """
    cdef Scratch scratch
    cdef Strings strings
    cdef int64_t n = whole.shape[0], most = 1, spans, at = -1
    cdef int32_t n_strings = <int32_t> ignored.shape[0]
    cdef int status = FINE
    if min(pred.n_sentences, gold.n_sentences) < n or statistics.shape[0] != n or statistics.shape[1] != N_STATISTICS:
        raise ValueError(f"expected {n} sentences everywhere, and {N_STATISTICS} columns of statistics")
    if partners_pred.shape[0] != pred.nodes.shape[1] or partners_gold.shape[0] != gold.nodes.shape[1]:
        raise ValueError("expected a partner for each node")
    if ignored.shape[0] >= 2**30 or max(pred.highest, gold.highest) >= n_strings:
        raise ValueError("a string has an id that is too high")
    if not (0 <= concept < n_strings and 0 <= empty < n_strings and -int(not tool) <= unmapped < n_strings):
        raise ValueError("expected the ids of two or three strings")
    check_division("text_start", text_start, n_strings, text.shape[0], "string")
    if by_role.shape[0] != 3 or by_role.shape[1] != n_strings or cancel.shape[0] != 1:
        raise ValueError(f"expected 3 rows of {n_strings} roles, and one entry in cancel")
    strings.start, strings.text, strings.ignored = &text_start[0], NULL, &ignored[0]
    if text.shape[0]:
        strings.text = &text[0]
    strings.n, strings.concept, strings.empty, strings.unmapped = n_strings, concept, empty, unmapped
    kept = []
    cdef Side gold_side = Side(gold, partners_gold, n_strings), pred_side = Side(pred, partners_pred, n_strings)
    n_spans = np.ones(n, np.int64)
    for each in (gold, pred):
        n_spans += np.diff(np.asarray(each.span_start)[each.node_start])[:n]
        # of a node, its concept included, or of a sentence
        most = max(most, np.diff(each.attribute_start).max(initial=0) + 1, np.diff(each.relation_start).max(initial=0))
    spans = n_spans.max(initial=1)
    memset(&scratch, 0, sizeof(Scratch))
    arena_init(&scratch.small)
    arena_init(&scratch.large)
    scratch.node_of = <int32_t *> zeros(kept, n_strings, sizeof(int32_t))
    scratch.stamp_of = <int64_t *> zeros(kept, n_strings, sizeof(int64_t))
    scratch.pairs = <Pair *> zeros(kept, most, sizeof(Pair))
    scratch.others = <Pair *> zeros(kept, most, sizeof(Pair))
    scratch.spare = <Pair *> zeros(kept, most, sizeof(Pair))
    scratch.seen = <uint8_t *> zeros(kept, spans, 1)
    table_init(&scratch.sets, spans, kept)
    try:
        if n:
            with nogil:
                at = compare_documents(
                    gold_side, pred_side, n, &scratch, &strings, document_level, tool, limit, work, &cancel[0],
                    &statistics[0, 0], &by_role[0, 0], &whole[0], &status,
                )
    finally:
        arena_free(&scratch.small)
        arena_free(&scratch.large)
    raise_status(status, "no memory for the nodes of a document")
    return at if status == TOO_LARGE else -1
