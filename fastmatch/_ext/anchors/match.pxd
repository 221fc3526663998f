# cython: language_level=3
"""Similarities of nodes, the first anchors, the anchors of each round, and the match of the other nodes.

What is left after the rounds is matched in the order (F, likeness of roles, node of the prediction, gold node). The
package matches rounds of mutual best picks, the paper the best pair of all, again and again; in such an order both give
the same match. Each open row stores its best column and looks for another one only when that has been taken: O(n · m)
as a rule, also where all nodes are alike.
"""

from libc.stdint cimport int32_t, int64_t, uint8_t
from libc.string cimport memset

from fastmatch._ext.anchors.pair cimport Options, Scratch, Tally, View, likeness
from fastmatch._ext.base.search cimport count_shared, next_shared, stop_of_equals
from fastmatch._ext.base.status cimport FINE, asked_to_stop


cdef extern from "spread.h":
    int32_t find_most(
        const int32_t *final, int32_t most, const int32_t *column_most, int32_t i, int32_t *column_choice,
        int32_t *column_ties, int32_t n, int32_t *ties
    ) noexcept nogil


# Similarity -----------------------------------------------------------------------------------------------------------


cdef inline double with_attributes(const View *t, int32_t i, const View *g, int32_t j, double value) noexcept nogil:
    """The mean of ``value``, the similarity of the names, and of the share of equal attributes, if any are shared.

    The paper has one value a role. Here a role with n values of the one node and m of the other is shared min(n, m)
    times, and equal as often as a value of both.
    """
    cdef int32_t shared = 0, equal = 0
    cdef Py_ssize_t a = t.attribute_start[i], b = g.attribute_start[j], first, other_first
    cdef Py_ssize_t a_stop = t.attribute_start[i + 1], b_stop = g.attribute_start[j + 1]
    while next_shared(t.attribute_label, &a, a_stop, g.attribute_label, &b, b_stop):
        # a label's n and m values, each sorted: min(n, m) are shared
        first, other_first = a, b
        a, b = stop_of_equals(t.attribute_label, a, a_stop), stop_of_equals(g.attribute_label, b, b_stop)
        equal += <int32_t> count_shared(t.attribute_value, first, a, g.attribute_value, other_first, b)
        shared += <int32_t> min(a - first, b - other_first)
    return (value + <double> equal / <double> shared) / 2 if shared else value


cdef inline double similar(const View *t, int32_t i, const View *g, int32_t j, const Options *options) noexcept nogil:
    """S of a pair of nodes (equations 1 to 4), in [0, 1]."""
    cdef double value = likeness(t, t.full[i], g, g.full[j])
    if t.sense[i] != g.sense[j]:
        value = value * (1.0 - options.gamma)
    return with_attributes(t, i, g, j, value)


cdef inline void compare_nodes(const View *t, const View *g, const Options *options, Scratch *scratch) noexcept nogil:
    """S of every pair of nodes."""
    cdef int32_t i, j
    cdef double *row = scratch.similarity
    for i in range(t.n):
        for j in range(g.n):
            row[j] = similar(t, i, g, j, options)
        row += g.n


cdef inline bint identical(const View *t, int32_t i, const View *g, int32_t j) noexcept nogil:
    """Whether two nodes have the same instance triple in AnCast's variant of Smatch."""
    return t.word_id[t.full[i]] == g.word_id[g.full[j]] and t.sense[i] == g.sense[j]


# Anchors --------------------------------------------------------------------------------------------------------------


cdef inline void add_anchor(Scratch *scratch, int32_t i, int32_t j) noexcept nogil:
    """Add a first anchor. A node that has several is matched with the first of them."""
    scratch.anchor[scratch.anchor_start[i + 1]] = j
    scratch.anchor_start[i + 1] += 1
    if scratch.row[i] < 0:
        scratch.row[i] = j
    if scratch.column[j] < 0:
        scratch.column[j] = i


cdef inline void first_anchors(const View *t, const View *g, const Options *options, Scratch *scratch) noexcept nogil:
    """The first anchors: nodes aligned with the same tokens, or candidates of the same name."""
    cdef int32_t i, j
    cdef Py_ssize_t a = 0, b = 0
    memset(scratch.row, 0xff, t.n * sizeof(int32_t))        # -1
    memset(scratch.column, 0xff, g.n * sizeof(int32_t))
    if not options.alignment:
        while next_shared(t.candidate_name, &a, t.n_candidates, g.candidate_name, &b, g.n_candidates):
            scratch.row[t.candidate_node[a]] = g.candidate_node[b]
            a += 1
            b += 1
    scratch.anchor_start[0] = 0
    for i in range(t.n):
        scratch.anchor_start[i + 1] = scratch.anchor_start[i]
        if options.alignment:
            if t.low[i] > 0 and t.low[i] <= t.high[i]:
                for j in range(g.n):
                    if t.low[i] == g.low[j] and t.high[i] == g.high[j]:
                        add_anchor(scratch, i, j)
        elif scratch.row[i] >= 0:
            add_anchor(scratch, i, scratch.row[i])


cdef inline void list_anchors(const View *t, Scratch *scratch) noexcept nogil:
    """Make the match the anchors of the next broadcast."""
    cdef int32_t i, count = 0
    for i in range(t.n):
        scratch.anchor_start[i] = count
        if scratch.row[i] >= 0:
            scratch.anchor[count] = scratch.row[i]
            count += 1
    scratch.anchor_start[t.n] = count


cdef inline int32_t common_roles(const View *t, int32_t i, const View *g, int32_t j, Scratch *scratch) noexcept nogil:
    """Roles around t's node i that are also around g's node j; counted once for each two sets of roles."""
    cdef int32_t *known = scratch.common + <int64_t> t.roles[i] * g.n_role_sets + g.roles[j]
    cdef const int64_t *a = t.role_start + t.roles[i]
    cdef const int64_t *b = g.role_start + g.roles[j]
    if known[0] < 0:
        known[0] = <int32_t> count_shared(t.role, a[0], a[1], g.role, b[0], b[1])
    return known[0]


cdef inline double jaccard(const View *t, int32_t i, const View *g, int32_t j, Scratch *scratch) noexcept nogil:
    """Jaccard's index of the roles around t's node i and g's node j; 0 if there are none."""
    cdef int32_t common = common_roles(t, i, g, j, scratch)
    cdef int64_t together = (
        t.role_start[t.roles[i] + 1] - t.role_start[t.roles[i]] + g.role_start[g.roles[j] + 1]
        - g.role_start[g.roles[j]] - common
    )
    return <double> common / <double> together if together else 0.0


cdef inline int32_t decide(
    const View *t, const View *g, Scratch *scratch, int32_t own, bint by_row, bint tool
) noexcept nogil:
    """The best partner of a row or of a column for which several have the largest F: that of the most alike roles.

    -1 if several are alike in this, too. The tool takes a partner with the number 0 for none.
    """
    cdef int32_t n = g.n if by_row else t.n, other, best = -1
    cdef int64_t step = 1 if by_row else g.n
    cdef const int32_t *final = scratch.final + (<int64_t> own * g.n if by_row else own)
    cdef int32_t largest = scratch.row_most[own] if by_row else scratch.column_most[own]
    cdef double like, most = -1
    cdef bint again = False
    for other in range(n):
        if final[other * step] == largest:
            like = jaccard(t, own, g, other, scratch) if by_row else jaccard(t, other, g, own, scratch)
            if like > most:
                most, best, again = like, other, False
            elif like == most:
                again = True
    return -1 if again or (tool and best == 0) else best


cdef inline void log_match(
    const View *t, const View *g, const Options *options, const Scratch *scratch, int32_t i, int32_t j, Tally *tally
) noexcept nogil:
    """Add a matched pair to the concept statistics of one graph."""
    if scratch.similarity != NULL:
        tally.matched += scratch.similarity[<int64_t> i * g.n + j]
    else:
        tally.matched += similar(t, i, g, j, options)
    tally.identical += identical(t, i, g, j)
    tally.count += 1


cdef inline bint was_anchor(const Scratch *scratch, int32_t i, int32_t j) noexcept nogil:
    """Whether (i, j) was an anchor of the last broadcast."""
    cdef int32_t at
    for at in range(scratch.anchor_start[i], scratch.anchor_start[i + 1]):
        if scratch.anchor[at] == j:
            return True
    return False


cdef inline bint choose_anchors(
    const View *t, const View *g, const Options *options, Scratch *scratch, Tally *tally
) noexcept nogil:
    """Put pairs that are each other's choice into ``row`` and ``column``. Returns whether there is a new one.

    The tool counts new pairs in ``tally``, one for each graph, and does not take back those that vanish. Without a new
    pair it drops the partner of every node that lost an anchor, even where the node has another one.
    """
    cdef int32_t i, j, ties, at
    cdef int32_t *next_anchor = scratch.next
    cdef bint new = False
    memset(scratch.column_ties, 0, g.n * sizeof(int32_t))
    for i in range(t.n):
        next_anchor[i] = -1
        scratch.row_choice[i] = find_most(
            scratch.final + <int64_t> i * g.n, scratch.row_most[i], scratch.column_most, i, scratch.column_choice,
            scratch.column_ties, g.n, &ties,
        )
        if ties > 1:
            scratch.row_choice[i] = decide(t, g, scratch, i, True, options.tool)
    for j in range(g.n):
        i = scratch.column_choice[j]
        if scratch.column_ties[j] > 1:
            i = decide(t, g, scratch, j, False, options.tool)
        if i >= 0 and scratch.row_choice[i] == j:
            next_anchor[i] = j
            new |= not was_anchor(scratch, i, j)
    if options.tool:
        for i in range(t.n):
            for at in range(scratch.anchor_start[i], scratch.anchor_start[i + 1]):
                if scratch.anchor[at] != next_anchor[i]:
                    scratch.row[i] = -1
                    scratch.column[scratch.anchor[at]] = -1
        if not new:
            return False
        for i in range(t.n):
            j = next_anchor[i]
            if j >= 0 and scratch.row[i] < 0:
                scratch.row[i] = j
                log_match(t, g, options, scratch, i, j, &tally[0])
            if j >= 0 and scratch.column[j] < 0:
                scratch.column[j] = i
                log_match(t, g, options, scratch, i, j, &tally[1])
        return True
    memset(scratch.column, 0xff, g.n * sizeof(int32_t))
    for i in range(t.n):
        scratch.row[i] = next_anchor[i]
        if next_anchor[i] >= 0:
            scratch.column[next_anchor[i]] = i
    return new


# The rest -------------------------------------------------------------------------------------------------------------


cdef inline double role_score(
    const View *t, int32_t i, const View *g, int32_t j, const Options *options, Scratch *scratch
) noexcept nogil:
    """How alike the roles around two nodes are, for ties of F: the number of common ones, or Jaccard's index."""
    return common_roles(t, i, g, j, scratch) if options.overlap else jaccard(t, i, g, j, scratch)


cdef inline int32_t best_open(
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


cdef inline int match_rest(
    const View *t, const View *g, const Options *options, Scratch *scratch, Tally *tally, const uint8_t *cancel
) noexcept nogil:
    """Match what is left, always the first pair in the order (F, roles, row, column).

    FINE, CANCELLED or INTERRUPTED.
    """
    cdef int32_t n_rows = 0, n_columns = 0, i, j, k, first, steps = 0
    cdef double like, most
    cdef int64_t cell, most_cell
    cdef int status
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
        if steps & 127 == 0 and (status := asked_to_stop(cancel)) != FINE:
            return status
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
        log_match(t, g, options, scratch, i, j, &tally[0])
        log_match(t, g, options, scratch, i, j, &tally[1])
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
