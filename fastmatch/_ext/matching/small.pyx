"""The optimum of two small graphs, without the map: branch and bound over sets of candidates, of one bit each.

Terms are defined at the top of problem.pyx. Nearly all pairs of sentences are small: up to 64 variables, 128 candidates
and no triple that counts twice. The search of exact.pyx takes most of its time for them to set itself up.

A *node* is a set of chosen candidates and a set of those that may still be chosen, the *open* ones. A *group* of a
candidate (i, j) are the candidates with which it makes edge-pairs by the same relation of A: that relation can match
once at most. So no map of the node is worth more than its chosen candidates and

    sum over rows of the largest, over the row's open candidates, of
        unary gain + groups with a chosen candidate + half of the groups with an open one

A group with an open candidate counts half, as its edge-pair is seen from both ends. The same sum over columns is a
bound as well, and the smaller one is taken. It is the bound of the first round of relaxation.pyx, but for columns that
several rows want.

From the largest candidates of the rows a map is made, which is often the optimum. An open candidate that leaves a bound
that is not above the best value is dropped. Then the search goes on with and without the candidate that has the most
groups of those that are the largest of their rows; if several have, that whose row would lose most. (Without regard to
groups there were a fifth more visits.) All numbers are counted twice, so that they are whole.
"""

from libc.stdint cimport int16_t, int32_t, int64_t, uint8_t, uint64_t
from libc.string cimport memset

from fastmatch._ext.base.bits cimport fm_first_bit, has_bit, set_bit
from fastmatch._ext.matching.problem cimport GraphView, Run, next_key, next_role, restricted

# Share of the open candidates that must be dropped for the bound to be computed again at once: a quarter.
cdef int32_t WORTH_AGAIN = 4
# More triples than any small graph has.
cdef int64_t LARGE = 1 << 20


cdef inline int32_t meet(const Set *x, const Set *y) noexcept nogil:
    """1 if the sets have a candidate in common, else 0."""
    return ((x.word[0] & y.word[0]) | (x.word[1] & y.word[1])) != 0


cdef inline void clear(Set *x) noexcept nogil:
    x.word[0] = x.word[1] = 0


cdef inline int32_t take_first(Set *x) noexcept nogil:
    """Take the first candidate out of a set, or -1 if it is empty."""
    cdef int32_t c
    if x.word[0]:
        c = fm_first_bit(x.word[0])
        x.word[0] &= x.word[0] - 1
        return c
    if x.word[1]:
        c = 64 + fm_first_bit(x.word[1])
        x.word[1] &= x.word[1] - 1
        return c
    return -1


cdef bint build_small(Small *s, const GraphView *a, const GraphView *b) noexcept nogil:
    """Fill in the problem of two graphs; False if it is not small."""
    cdef int32_t n = a.n_variables, m = b.n_variables, n_cells = n * m, n_edges = 0, cell, i, j, k, c, d, count = 0
    cdef Py_ssize_t e, f
    cdef Run run = Run(0, 0, 0, 0)
    memset(s.table, 0, n_cells * sizeof(int32_t))
    while next_key(a, b, &run):
        for e in range(run.i, run.stop_i):
            for f in range(run.j, run.stop_j):
                if a.unary_count[e] != 1 or b.unary_count[f] != 1:
                    return False
                cell = a.variable[e] * m + b.variable[f]
                s.table[cell] = (s.table[cell] | 1) + 2
    run = Run(0, 0, 0, 0)
    while next_role(a, b, &run):
        if (run.stop_i - run.i) * (run.stop_j - run.j) > SMALL_EDGES - n_edges:
            return False
        for e in range(run.i, run.stop_i):
            for f in range(run.j, run.stop_j):
                if a.relation_count[e] != 1 or b.relation_count[f] != 1:
                    return False
                s.edge[n_edges][0] = <int16_t> e
                s.edge[n_edges][1] = <int16_t> (a.source[e] * m + b.source[f])
                s.edge[n_edges][2] = <int16_t> (a.target[e] * m + b.target[f])
                s.table[s.edge[n_edges][1]] |= 1
                s.table[s.edge[n_edges][2]] |= 1
                n_edges += 1
    # Number the candidates by row, then by column. What is written for an empty cell is overwritten by the next one.
    cell = 0
    for j in range(m):
        clear(&s.in_col[j])
    for i in range(n):
        clear(&s.in_row[i])
        for j in range(m):
            k = s.table[cell]
            s.table[cell] = count
            s.row[count], s.col[count] = <uint8_t> i, <uint8_t> j
            s.unary[count] = k - 1
            cell += 1
            count += k & 1
            if count > SMALL_CANDIDATES:
                return False
    s.n_rows, s.n_cols, s.n_candidates = n, m, count
    for c in range(count):
        set_bit(s.in_row[s.row[c]].word, c, True)
        set_bit(s.in_col[s.col[c]].word, c, True)
        s.n_groups[c] = 0
        s.latest[c] = -1
    for k in range(n_edges):
        e, c, d = s.edge[k][0], s.table[s.edge[k][1]], s.table[s.edge[k][2]]
        if not (join_group(s, c, d, <int32_t> e) and join_group(s, d, c, <int32_t> e)):
            return False
    return True


cdef inline bint join_group(Small *s, int32_t c, int32_t d, int32_t relation) noexcept nogil:
    """Add candidate ``d`` to the group that ``c`` has by a relation; False if there is no room for one more."""
    cdef int32_t g = s.n_groups[c]
    if s.latest[c] != relation:
        if g == SMALL_GROUPS:
            return False
        s.latest[c] = relation
        clear(&s.group[c][g])
        s.n_groups[c] = g + 1
        set_bit(s.group[c][g].word, d, True)
    else:
        set_bit(s.group[c][g - 1].word, d, True)
    return True


cdef inline int32_t worth(const Small *s, int32_t c, const Set *open, const Set *chosen) noexcept nogil:
    """Twice what candidate ``c`` adds to a bound."""
    cdef int32_t g, value = s.unary[c]
    for g in range(s.n_groups[c]):
        value += meet(&s.group[c][g], open) + 2 * meet(&s.group[c][g], chosen)
    return value


cdef bint search_small(Small *s, Set open, Set chosen, int32_t value) noexcept nogil:
    """Search a node, whose chosen candidates are worth ``value``; False if that takes too long."""
    cdef int32_t[SMALL_CANDIDATES] worths
    cdef int32_t[SMALL_LINES] in_row
    cdef int32_t[SMALL_LINES] in_col
    cdef Set rest, pick, fewer
    cdef uint64_t taken
    cdef int32_t c, i, j, k, w, first, second, top, loss, total, n_open, n_dropped, rows, cols, bound, split
    cdef int32_t split_loss, split_groups, free, free_worth
    while True:
        # 1. What each open candidate is worth, its row's and its column's largest, and a map.
        memset(in_col, 0, s.n_cols * sizeof(int32_t))
        rows = cols = n_open = 0
        taken = 0
        clear(&pick)
        split, split_loss, split_groups = -1, -1, -1
        for i in range(s.n_rows):
            if not meet(&open, &s.in_row[i]):
                continue
            for k in range(2):
                rest.word[k] = open.word[k] & s.in_row[i].word[k]
            top, first, second = -1, 0, 0
            free, free_worth = -1, 0
            while (c := take_first(&rest)) >= 0:
                w = worth(s, c, &open, &chosen)
                worths[c] = w
                n_open += 1
                s.work += 1 + s.n_groups[c]
                j = s.col[c]
                in_col[j] = max(in_col[j], w)
                if w > first:
                    second = first
                    first, top = w, c
                elif w > second:
                    second = w
                if w > free_worth and not (taken >> j) & 1:
                    free, free_worth = c, w
            in_row[i] = first
            rows += first
            loss = first - second
            if top >= 0 and (s.n_groups[top] > split_groups or (s.n_groups[top] == split_groups and loss > split_loss)):
                split, split_loss, split_groups = top, loss, s.n_groups[top]
            if free >= 0:
                taken |= <uint64_t> 1 << s.col[free]
                set_bit(pick.word, free, True)
        if s.work > s.most:
            return False
        # 2. Close the node.
        for j in range(s.n_cols):
            cols += in_col[j]
        bound = value + min(rows, cols)
        if s.first < 0:
            s.first = bound
        if bound < s.best + 2:
            return True
        if split < 0:                 # nothing is open that adds anything
            s.best = max(s.best, value)
            return True
        total = value
        rest = pick
        while (c := take_first(&rest)) >= 0:
            total += worth(s, c, &pick, &chosen)
        s.best = max(s.best, total)
        if bound < s.best + 2:
            return True
        # 3. Drop what can be in no better map.
        n_dropped = 0
        rest = open
        while (c := take_first(&rest)) >= 0:
            w = value + worths[c] - s.best - 2
            if w + rows - in_row[s.row[c]] < 0 or w + cols - in_col[s.col[c]] < 0:
                set_bit(open.word, c, False)
                n_dropped += 1
        if WORTH_AGAIN * n_dropped > n_open or not has_bit(open.word, split):
            continue
        # 4. Split.
        for k in range(2):
            fewer.word[k] = open.word[k] & ~(s.in_row[s.row[split]].word[k] | s.in_col[s.col[split]].word[k])
        clear(&pick)
        w = value + worth(s, split, &pick, &chosen)
        pick = chosen
        set_bit(pick.word, split, True)
        if not search_small(s, fewer, pick, w):
            return False
        if bound < s.best + 2:
            return True
        set_bit(open.word, split, False)


cdef int64_t small_optimum(
    Small *s, const GraphView *a, const GraphView *b, int64_t most, int64_t least,
) noexcept nogil:
    """The most triples that can match in two graphs, or -1 if they are not small or their search takes too long.

    It takes too long with more than ``most`` visits of candidates and groups, 4 ns each.
    Maps of fewer than ``least`` triples are not looked for. If there are no others, the result is an upper bound below
    ``least``.
    """
    cdef Set open, chosen
    cdef int32_t c, nothing
    if (a.n_variables > SMALL_LINES or b.n_variables > SMALL_LINES or restricted(a, b)
            or a.n_variables * b.n_variables > SMALL_CELLS or a.n_relations > SMALL_EDGES):
        return -1
    if not build_small(s, a, b):
        return -1
    nothing = <int32_t> max(0, 2 * min(least, LARGE) - 2)
    s.best = nothing
    s.first = -1
    s.work = 0
    s.most = most
    clear(&open)
    clear(&chosen)
    for c in range(s.n_candidates):
        set_bit(open.word, c, True)
    if not search_small(s, open, chosen, 0):
        return -1
    return min(s.best, s.first) // 2 if s.best == nothing else s.best // 2
