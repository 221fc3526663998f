# cython: language_level=3
"""Which nodes of two sentences belong together, as juːmæʧ (Zeman and Gamba 2026) decides it.

Two nodes are *linked* if both are aligned and share a token, or if both are unaligned and have the same extended
concept. Then the links are made one-to-one, in rounds: of all links of nodes that have several, the best one wins, and
its two nodes lose all others. Better is, in this order, the link

1. whose nodes have the same extended concept;
2. with more *strong* matches: attributes of the one node, their values translated by the links of the moment, that the
   other one has as well, where a child with several links counts once for each;
3. with more *weak* matches: names of attributes that both have;
4. with more characters in the aligned texts of the two nodes;
5. whose nodes have the same variable;
6. whose two variables, written together, come first.

The program goes over the nodes in the order of their variables, first those of one sentence, then those of the other.
Only when it comes to a node, that node's links to a node which the last winner took are dropped. Until then they count
as strong matches of nodes that come earlier. Here it is the same, but nothing is counted twice: the strong matches of
each link are kept, and a link that is dropped changes those of the links between its nodes' parents. Each node keeps
its best link until it loses it, or its strong matches change. So a round costs O(n log n) and what has changed, where
the program counts all links again.

Sentences have a few dozen nodes. A sentence of n nodes that all look alike has n² links and takes O(n³), so there is a
limit of links, and one of work. Work is counted, not timed, in steps of about 5 ns: a look at a link or an attribute is
one, a search for a link four, and one moves eight links. When the work of a sentence is spent, nothing is counted any
more and the links are made one-to-one *greedily*. The nodes of the first sentence are put in the order of their best
links, as far as matches were counted; those of equal ones, in the order of their variables. In this order each gets the
best of its links whose other node is free.
"""

from libc.stdint cimport int32_t, int64_t, uint32_t, uint8_t
from libc.string cimport memmove, memset

from fastmatch._ext.base.arena cimport PADDING, Arena, Ints, arena_reserve, ints, take
from fastmatch._ext.base.search cimport count_shared, lower_bound
from fastmatch._ext.base.sorting cimport Pair, packed, sort_pairs
from fastmatch._ext.base.status cimport FINE, NO_MEMORY, TOO_LARGE, asked_to_stop

ctypedef const int32_t *Given


cdef struct Half:
    # One of two sentences: what is given, then scratch. Nodes stand in the order of their variables. The attributes of
    # a node, its concept among them, are in the order of role and value; values that are constants have other numbers
    # than the variables that are spelled like them.
    int32_t n
    Given variable, extended, length    # the first is the id of a string, which begins at ``text_start`` in ``text``
    const uint8_t *text
    const int64_t *text_start
    const int64_t *attribute_start
    Given role, value
    Given child                 # the node that the value is, or -1
    Given counts                # whether it is part of the score
    const int64_t *span_start
    Given first, last           # spans ascend
    int64_t *start              # where the links of each node begin; they ascend
    int32_t *used               # how many it has
    Ints links, strong, weak    # strong and weak matches of each link
    int32_t *best               # place of the best link of each node among its links, or -1 if it is to be found
    int64_t *parent_start       # nodes that have this one as a child, each once
    int32_t *parents
    int64_t *work               # steps of work that are left, of both halves


cdef enum:
    SEARCH = 4          # steps of work that a search for a link takes
    MOVED = 8           # links that a step moves


cdef struct Candidate:
    const Half *x
    const Half *y
    int32_t i, j
    bint other_concept
    int32_t strong, weak
    int64_t length
    bint other_name


cdef inline bint linked(const Half *x, int32_t i, const Half *y, int32_t j, int32_t n_tokens) noexcept nogil:
    """Whether two nodes are linked at first; tokens behind ``n_tokens`` are not shared."""
    cdef int64_t a = x.span_start[i], b = y.span_start[j]
    if a == x.span_start[i + 1] or b == y.span_start[j + 1]:
        return a == x.span_start[i + 1] and b == y.span_start[j + 1] and x.extended[i] == y.extended[j]
    while a < x.span_start[i + 1] and b < y.span_start[j + 1]:
        if max(x.first[a], y.first[b]) <= min(min(x.last[a], y.last[b]), n_tokens):
            return True
        if x.last[a] < y.last[b]:   # spans ascend, so the one that ends first meets no other
            a += 1
        else:
            b += 1
    return False


cdef inline int64_t find(const Half *x, int32_t i, int32_t j) noexcept nogil:
    """Place of node i's link to j in ``x.links``, or -1."""
    cdef int64_t start = x.start[i], stop = start + x.used[i], at = lower_bound(x.links, start, stop, j)
    return at if at < stop and x.links[at] == j else -1


cdef inline int32_t said(
    const Half *x, int32_t i, int32_t role, int32_t value, int32_t node, int32_t unmapped
) noexcept nogil:
    """How often node i says role and value in the words of the other sentence, where the value is ``node`` or none."""
    cdef int64_t start = x.attribute_start[i], stop = x.attribute_start[i + 1]
    cdef int64_t a = lower_bound(x.role, start, stop, role)
    cdef int32_t child, count = 0
    x.work[0] -= SEARCH
    while a < stop and x.role[a] == role:
        x.work[0] -= 1
        if x.counts[a]:
            child = x.child[a]
            if child < 0:
                count += x.value[a] == value
            elif x.used[child] == 0:
                count += value == unmapped
            elif node >= 0:
                x.work[0] -= SEARCH
                count += find(x, child, node) >= 0
        a += 1
    return count


cdef inline int32_t strong_matches(
    const Half *x, int32_t i, const Half *y, int32_t j, int32_t about, int32_t unmapped
) noexcept nogil:
    """Attributes that i has in common with j; only those with the value ``about``, a node, unless that is -1."""
    cdef int64_t a = y.attribute_start[j], stop = y.attribute_start[j + 1], b
    cdef int32_t total = 0, written
    x.work[0] -= stop - a
    while a < stop:
        b = a
        written = 0
        while b < stop and y.role[b] == y.role[a] and y.value[b] == y.value[a]:
            written += y.counts[b] != 0
            b += 1
        if written and (about < 0 or y.child[a] == about):
            total += min(written, said(x, i, y.role[a], y.value[a], y.child[a], unmapped))
        a = b
    return total


cdef inline int32_t weak_matches(const Half *x, int32_t i, const Half *y, int32_t j) noexcept nogil:
    """Roles that both nodes have, as multisets."""
    cdef int64_t a = x.attribute_start[i], a_stop = x.attribute_start[i + 1]
    cdef int64_t b = y.attribute_start[j], b_stop = y.attribute_start[j + 1]
    x.work[0] -= a_stop - a + b_stop - b
    return <int32_t> count_shared(x.role, a, a_stop, y.role, b, b_stop)


cdef inline void count_parents(Half *x, Pair *pairs, Pair *spare) noexcept nogil:
    """Fill ``parent_start`` and ``parents``; ``pairs`` and ``spare`` have room for an entry an attribute."""
    cdef int32_t i
    cdef int64_t a, n = 0, k = 0, m = 0
    for i in range(x.n):
        for a in range(x.attribute_start[i], x.attribute_start[i + 1]):
            if x.child[a] >= 0 and x.counts[a]:
                pairs[n] = Pair(x.child[a], i)
                n += 1
    sort_pairs(pairs, n, spare)
    for i in range(x.n):
        x.parent_start[i] = m
        while k < n and pairs[k].major == i:
            if m == x.parent_start[i] or x.parents[m - 1] != pairs[k].minor:
                x.parents[m] = <int32_t> pairs[k].minor
                m += 1
            k += 1
    x.parent_start[x.n] = m


cdef inline const uint8_t *spelled(const Half *x, int32_t i) noexcept nogil:
    """The variable of a node, in UTF-8."""
    return x.text + x.text_start[x.variable[i]]


cdef inline int64_t size_of(const Half *x, int32_t i) noexcept nogil:
    """Bytes of the variable of a node."""
    return x.text_start[x.variable[i] + 1] - x.text_start[x.variable[i]]


cdef inline uint8_t letter(const Candidate *c, int64_t at) noexcept nogil:
    """A byte of the two variables written together."""
    cdef int64_t first = size_of(c.x, c.i)
    return spelled(c.x, c.i)[at] if at < first else spelled(c.y, c.j)[at - first]


cdef inline bint better(const Candidate *a, const Candidate *b, bint spelled) noexcept nogil:
    """Whether a is better than b; ``spelled``: by all six criteria, else by the first five."""
    cdef int64_t at, n, m
    if a.other_concept != b.other_concept:
        return b.other_concept
    if a.strong != b.strong:
        return a.strong > b.strong
    if a.weak != b.weak:
        return a.weak > b.weak
    if a.length != b.length:
        return a.length > b.length
    if a.other_name != b.other_name:
        return b.other_name
    if not spelled:
        return False
    n = size_of(a.x, a.i) + size_of(a.y, a.j)
    m = size_of(b.x, b.i) + size_of(b.y, b.j)
    for at in range(min(n, m)):
        if letter(a, at) != letter(b, at):
            return letter(a, at) < letter(b, at)
    return n < m


cdef inline void candidate(Candidate *c, const Half *x, int32_t i, const Half *y, int64_t at) noexcept nogil:
    c.x, c.y, c.i, c.j = x, y, i, x.links[at]
    c.other_concept = x.extended[i] != y.extended[c.j]
    c.strong, c.weak = x.strong[at], x.weak[at]
    c.length = <int64_t> x.length[i] + y.length[c.j]
    c.other_name = x.variable[i] != y.variable[c.j]


cdef inline void best_link(Half *x, int32_t i, const Half *y, Candidate *best) noexcept nogil:
    """The best link of a node that has at least one."""
    cdef Candidate other
    cdef int32_t k
    if x.best[i] >= 0:
        candidate(best, x, i, y, x.start[i] + x.best[i])
        return
    x.work[0] -= x.used[i]
    candidate(best, x, i, y, x.start[i])
    x.best[i] = 0
    for k in range(1, x.used[i]):   # links ascend, so the first of equals has the least variable
        candidate(&other, x, i, y, x.start[i] + k)
        if better(&other, best, False):
            best[0] = other
            x.best[i] = k


cdef inline void parents_matches(
    Half *x, int32_t i, const Half *y, int32_t j, int sign, int32_t unmapped
) noexcept nogil:
    """Add to, or take from, the links between parents of i and of j the matches that the link from i to j makes."""
    cdef int64_t p, q, at
    for p in range(x.parent_start[i], x.parent_start[i + 1]):
        if x.used[x.parents[p]] < 2:
            continue
        x.work[0] -= SEARCH * (y.parent_start[j + 1] - y.parent_start[j])
        for q in range(y.parent_start[j], y.parent_start[j + 1]):
            if (at := find(x, x.parents[p], y.parents[q])) >= 0:
                x.strong[at] += sign * strong_matches(x, x.parents[p], y, y.parents[q], j, unmapped)
                x.best[x.parents[p]] = -1


cdef inline void drop(Half *x, int32_t i, const Half *y, int64_t at, int32_t unmapped) noexcept nogil:
    """Drop a link of node i; strong matches of other links follow."""
    cdef int32_t j = x.links[at]
    cdef int64_t behind = x.start[i] + x.used[i] - at - 1, p, k
    cdef int32_t parent, place = <int32_t> (at - x.start[i])
    x.work[0] -= SEARCH + behind // MOVED
    parents_matches(x, i, y, j, -1, unmapped)
    memmove(x.links + at, x.links + at + 1, behind * sizeof(int32_t))
    memmove(x.strong + at, x.strong + at + 1, behind * sizeof(int32_t))
    memmove(x.weak + at, x.weak + at + 1, behind * sizeof(int32_t))
    x.used[i] -= 1
    if x.best[i] == place:
        x.best[i] = -1
    elif x.best[i] > place:
        x.best[i] -= 1
    parents_matches(x, i, y, j, 1, unmapped)
    if x.used[i] == 0:      # from now on i is unmapped, which a value may say, too
        for p in range(x.parent_start[i], x.parent_start[i + 1]):
            parent = x.parents[p]
            for k in range(x.start[parent], x.start[parent] + x.used[parent]):
                x.strong[k] = strong_matches(x, parent, y, x.links[k], -1, unmapped)
            x.best[parent] = -1


cdef inline void settle(Half *x, int32_t i, const Half *y, int32_t j, int32_t unmapped) noexcept nogil:
    """Drop all links of i but that to j."""
    cdef int64_t at
    for at in range(x.start[i] + x.used[i] - 1, x.start[i] - 1, -1):
        if x.links[at] != j:
            drop(x, i, y, at, unmapped)


cdef inline void link_greedily(
    Half *x, Half *y, Pair *order, Pair *spare, int32_t *partners_x, int32_t *partners_y
) noexcept nogil:
    """Make the links that are left one-to-one at once; ``order`` and ``spare`` have room for an entry a node of x.

    O(l + n log n) for l links of n nodes.
    """
    cdef Candidate best, other
    cdef int64_t n = 0, k, at
    cdef int32_t i
    memset(partners_y, 0xff, y.n * sizeof(int32_t))          # -1
    for i in range(x.n):
        partners_x[i] = -1
        if x.used[i]:
            best_link(x, i, y, &best)
            order[n] = Pair(packed(best.other_concept, 0) - best.strong, packed(-best.weak, i))
            n += 1
    sort_pairs(order, n, spare)
    for k in range(n):
        i = <int32_t> <uint32_t> order[k].minor
        for at in range(x.start[i], x.start[i] + x.used[i]):
            if partners_y[x.links[at]] >= 0:
                continue
            candidate(&other, x, i, y, at)
            if partners_x[i] < 0 or better(&other, &best, False):
                best = other
                partners_x[i] = other.j
        if partners_x[i] >= 0:
            partners_y[partners_x[i]] = i


cdef inline int first_links(Half *x, Half *y, int32_t n_tokens, bint fill, const uint8_t *cancel) noexcept nogil:
    """Count the links of each node in ``used``, or write them into ``links``; FINE, CANCELLED or INTERRUPTED."""
    cdef int32_t i, j
    cdef int status
    memset(x.used, 0, x.n * sizeof(int32_t))
    memset(y.used, 0, y.n * sizeof(int32_t))
    for i in range(x.n):
        if i % 64 == 63 and (status := asked_to_stop(cancel)) != FINE:
            return status
        for j in range(y.n):
            if linked(x, i, y, j, n_tokens):
                if fill:
                    x.links[x.start[i] + x.used[i]] = j
                    y.links[y.start[j] + y.used[j]] = i
                x.used[i] += 1
                y.used[j] += 1
    return FINE


cdef inline int link_sentences(
    Arena *small, Arena *large, Half *halves, int32_t n_tokens, int32_t unmapped, int64_t limit, int64_t work,
    int64_t *ambiguous, int32_t *partners_x, int32_t *partners_y, uint8_t *whole, const uint8_t *cancel,
) noexcept nogil:
    """Link the nodes of two sentences one-to-one; ambiguous: nodes with several links and these links, of both.

    ``whole`` becomes 0 if the links were made one-to-one greedily, because ``work`` steps were not enough.
    """
    cdef Half *x
    cdef Half *y
    cdef Candidate best, winner
    cdef size_t size = 0, most = halves[0].n + 1
    cdef int64_t total, k, round_ = 0, attributes
    cdef int32_t i, s
    cdef int32_t[2] taken
    cdef bint found
    for s in range(2):
        x = &halves[s]
        attributes = x.attribute_start[x.n] - x.attribute_start[0]
        size += (x.n + 1) * (2 * sizeof(int64_t) + 2 * sizeof(int32_t)) + (attributes + 1) * sizeof(int32_t)
        most = max(most, attributes)
    if arena_reserve(small, size + 2 * most * sizeof(Pair) + 12 * PADDING) < 0:
        return NO_MEMORY
    cdef Pair *order = <Pair *> take(small, most * sizeof(Pair))
    cdef Pair *spare = <Pair *> take(small, most * sizeof(Pair))
    whole[0] = 1
    halves[0].work = halves[1].work = &work
    for s in range(2):
        x = &halves[s]
        attributes = x.attribute_start[x.n] - x.attribute_start[0]
        x.start = <int64_t *> take(small, (x.n + 1) * sizeof(int64_t))
        x.parent_start = <int64_t *> take(small, (x.n + 1) * sizeof(int64_t))
        x.used, x.best, x.parents = ints(small, x.n + 1), ints(small, x.n + 1), ints(small, attributes + 1)
        count_parents(x, order, spare)
    cdef int status = first_links(&halves[0], &halves[1], n_tokens, False, cancel)
    if status != FINE:
        return status
    for s in range(2):
        x = &halves[s]
        total = 0
        ambiguous[2 * s] = ambiguous[2 * s + 1] = 0
        for i in range(x.n):
            x.start[i] = total
            total += x.used[i]
            x.best[i] = -1
            if x.used[i] > 1:
                ambiguous[2 * s] += 1
                ambiguous[2 * s + 1] += x.used[i]
        x.start[x.n] = total
    total = halves[0].start[halves[0].n]
    if total > limit:
        return TOO_LARGE
    if arena_reserve(large, 6 * ((total + 1) * sizeof(int32_t) + PADDING)) < 0:
        return NO_MEMORY
    for s in range(2):
        x = &halves[s]
        x.links, x.strong, x.weak = ints(large, total + 1), ints(large, total + 1), ints(large, total + 1)
    if (status := first_links(&halves[0], &halves[1], n_tokens, True, cancel)) != FINE:
        return status
    for s in range(2):
        x, y = &halves[s], &halves[1 - s]
        for i in range(x.n):
            if i % 64 == 0 and (status := asked_to_stop(cancel)) != FINE:
                return status
            for k in range(x.start[i], x.start[i] + x.used[i]):
                x.strong[k] = x.weak[k] = 0
                if x.used[i] > 1 and work > 0:
                    x.strong[k] = strong_matches(x, i, y, x.links[k], -1, unmapped)
                    x.weak[k] = weak_matches(x, i, y, x.links[k])
    taken[0] = taken[1] = -1
    memset(&winner, 0, sizeof(winner))
    while True:
        if round_ % 16 == 15 and (status := asked_to_stop(cancel)) != FINE:
            return status
        round_ += 1
        found = False
        for s in range(2):
            x, y = &halves[s], &halves[1 - s]
            work -= SEARCH * x.n
            for i in range(x.n):
                if taken[s] >= 0 and i != taken[s] and (k := find(x, i, taken[1 - s])) >= 0:
                    drop(x, i, y, k, unmapped)
                if x.used[i] > 1:
                    best_link(x, i, y, &best)
                    if not found or better(&best, &winner, True):
                        winner = best
                        found = True
        if not found:
            break
        if work < 0:    # here each link is known to both of its nodes
            whole[0] = 0
            link_greedily(&halves[0], &halves[1], order, spare, partners_x, partners_y)
            return FINE
        s = 0 if winner.x == &halves[0] else 1
        taken[s], taken[1 - s] = winner.i, winner.j
        settle(&halves[0], taken[0], &halves[1], taken[1], unmapped)
        settle(&halves[1], taken[1], &halves[0], taken[0], unmapped)
    for i in range(halves[0].n):
        partners_x[i] = halves[0].links[halves[0].start[i]] if halves[0].used[i] else -1
    for i in range(halves[1].n):
        partners_y[i] = halves[1].links[halves[1].start[i]] if halves[1].used[i] else -1
    return FINE
