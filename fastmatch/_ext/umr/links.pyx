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

Sentences have a few dozen nodes. A sentence of n nodes that all look alike has n² links, so there is a limit of links.
"""

from libc.stdint cimport int32_t, int64_t, uint8_t
from libc.string cimport memcmp, memmove, memset

from fastmatch._ext.base.arena cimport Arena, arena_free, arena_init, arena_reserve, padded, take
from fastmatch._ext.base.search cimport lower_bound
from fastmatch._ext.base.status cimport FINE, NO_MEMORY, TOO_LARGE, asked_to_stop, raise_status

cdef enum:
    A_ROLE, A_VALUE, A_CHILD, A_COUNTS, ATTRIBUTE_ROWS
    N_EXTENDED = 0
    N_NAME, N_LENGTH, NODE_ROWS


cdef class Nodes:
    """The nodes of the sentences of one side, checked once.

    Parameters
    ----------
    sentences : int64, shape (n_sentences + 1,)
        Where the nodes of each sentence begin; they stand in the order of their variables.
    nodes : int32, shape (3, n_nodes)
        Ids of the extended concept and of the variable as a value, and the characters of the aligned text.
    text_start : int64, shape (n_nodes + 1,)
    text : uint8, shape (·,)
        The variables in UTF-8.
    attribute_start : int64, shape (n_nodes + 1,)
    attributes : int32, shape (4, ·)
        For each attribute of each node, in the order of role and value: ids of role and value, the node of the sentence
        that the value is, or -1, and whether it counts as a strong match (1) or not (0).
    span_start : int64, shape (n_nodes + 1,)
    spans : int32, shape (2, ·)
        First and last token of each span of each node. A node without one is unaligned.

    Raises
    ------
    ValueError, IndexError
        If shapes, offsets or indices do not fit.

    Ids are shared by the two sides. Extended concepts may have ids of their own.
    """

    cdef readonly Py_ssize_t n_sentences
    cdef const int64_t[::1] sentences
    cdef const int32_t[:, ::1] nodes
    cdef const int64_t[::1] text_start
    cdef const uint8_t[::1] text
    cdef const int64_t[::1] attribute_start
    cdef const int32_t[:, ::1] attributes
    cdef const int64_t[::1] span_start
    cdef const int32_t[:, ::1] spans

    def __cinit__(
        self,
        const int64_t[::1] sentences not None,
        const int32_t[:, ::1] nodes not None,
        const int64_t[::1] text_start not None,
        const uint8_t[::1] text not None,
        const int64_t[::1] attribute_start not None,
        const int32_t[:, ::1] attributes not None,
        const int64_t[::1] span_start not None,
        const int32_t[:, ::1] spans not None,
    ):
        cdef Py_ssize_t s, i, a, n, n_nodes = nodes.shape[1]
        if nodes.shape[0] != NODE_ROWS or attributes.shape[0] != ATTRIBUTE_ROWS or spans.shape[0] != 2:
            raise ValueError(f"expected {NODE_ROWS} rows of nodes, {ATTRIBUTE_ROWS} of attributes and 2 of spans")
        check_offsets(sentences, n_nodes, "sentences")
        for offsets, stop, name in (
            (text_start, text.shape[0], "text_start"),
            (attribute_start, attributes.shape[1], "attribute_start"),
            (span_start, spans.shape[1], "span_start"),
        ):
            if offsets.shape[0] != n_nodes + 1:
                raise ValueError(f"{name} must have {n_nodes + 1} entries, not {offsets.shape[0]}")
            check_offsets(offsets, stop, name)
        for s in range(sentences.shape[0] - 1):
            n = sentences[s + 1] - sentences[s]
            if n >= 2**31:
                raise ValueError("a sentence has 2**31 nodes or more")
            for i in range(sentences[s], sentences[s + 1]):
                for a in range(attribute_start[i], attribute_start[i + 1]):
                    if not -1 <= attributes[A_CHILD, a] < n:
                        raise IndexError(f"attribute {a}: no node {attributes[A_CHILD, a]} in its sentence")
                    if a > attribute_start[i] and (attributes[A_ROLE, a], attributes[A_VALUE, a]) < (
                        attributes[A_ROLE, a - 1], attributes[A_VALUE, a - 1]
                    ):
                        raise ValueError("attributes must be in the order of role and value")
        self.n_sentences = sentences.shape[0] - 1
        self.sentences, self.nodes, self.text_start, self.text = sentences, nodes, text_start, text
        self.attribute_start, self.attributes = attribute_start, attributes
        self.span_start, self.spans = span_start, spans

    def __len__(self):
        return self.n_sentences


def check_offsets(const int64_t[::1] offsets, Py_ssize_t stop, str name):
    cdef Py_ssize_t k
    if offsets.shape[0] < 1 or offsets[0] != 0 or offsets[offsets.shape[0] - 1] != stop:
        raise ValueError(f"{name} must go from 0 to {stop}")
    for k in range(offsets.shape[0] - 1):
        if offsets[k] > offsets[k + 1]:
            raise ValueError(f"{name} must ascend")


cdef struct Half:
    # one of the two sentences: what is given, then scratch
    int32_t n
    const int32_t *extended
    const int32_t *name
    const int32_t *length
    const int64_t *text_start
    const uint8_t *text
    const int64_t *attribute_start
    const int32_t *role
    const int32_t *value
    const int32_t *child
    const int32_t *counts
    const int64_t *span_start
    const int32_t *first
    const int32_t *last
    int64_t *start              # where the links of each node begin; they ascend
    int32_t *used               # how many it has
    int32_t *links
    int32_t *strong             # strong and weak matches of each link
    int32_t *weak
    int32_t *best               # place of the best link of each node among its links, or -1 if it is to be found
    int32_t *same               # node of the other sentence with the same variable, or -1
    int64_t *parent_start       # nodes that have this one as a child, each once
    int32_t *parents


cdef struct Candidate:
    const Half *x
    const Half *y
    int32_t i
    int32_t j
    bint other_concept
    int32_t strong
    int32_t weak
    int64_t length
    bint other_name


cdef void view(Half *half, Nodes nodes, Py_ssize_t s) noexcept:
    cdef int64_t at = nodes.sentences[s]
    half.n = <int32_t> (nodes.sentences[s + 1] - at)
    half.text_start = &nodes.text_start[at]
    half.attribute_start = &nodes.attribute_start[at]
    half.span_start = &nodes.span_start[at]
    half.extended = half.name = half.length = half.role = half.value = half.child = half.counts = NULL
    half.first = half.last = NULL
    half.text = NULL
    if half.n:
        half.extended = &nodes.nodes[N_EXTENDED, at]
        half.name = &nodes.nodes[N_NAME, at]
        half.length = &nodes.nodes[N_LENGTH, at]
    if nodes.attributes.shape[1]:
        half.role = &nodes.attributes[A_ROLE, 0]
        half.value = &nodes.attributes[A_VALUE, 0]
        half.child = &nodes.attributes[A_CHILD, 0]
        half.counts = &nodes.attributes[A_COUNTS, 0]
    if nodes.spans.shape[1]:
        half.first = &nodes.spans[0, 0]
        half.last = &nodes.spans[1, 0]
    if nodes.text.shape[0]:
        half.text = &nodes.text[0]


cdef bint linked(const Half *x, int32_t i, const Half *y, int32_t j, int32_t n_tokens) noexcept nogil:
    """Whether two nodes are linked at first; tokens behind ``n_tokens`` are not shared."""
    cdef int64_t a, b
    if x.span_start[i] == x.span_start[i + 1]:
        return y.span_start[j] == y.span_start[j + 1] and x.extended[i] == y.extended[j]
    for a in range(x.span_start[i], x.span_start[i + 1]):
        for b in range(y.span_start[j], y.span_start[j + 1]):
            if max(x.first[a], y.first[b]) <= min(min(x.last[a], y.last[b]), n_tokens):
                return True
    return False


cdef inline int64_t find(const Half *x, int32_t i, int32_t j) noexcept nogil:
    """Place of node i's link to j in ``x.links``, or -1."""
    cdef int64_t start = x.start[i], stop = start + x.used[i]
    cdef int64_t at = lower_bound(x.links, start, stop, j)
    return at if at < stop and x.links[at] == j else -1


cdef int32_t said(
    const Half *x, int32_t i, int32_t role, int32_t value, int32_t node, int32_t unmapped
) noexcept nogil:
    """How often node i says role and value in the words of the other sentence, where the value is ``node`` or none."""
    cdef int64_t start = x.attribute_start[i], stop = x.attribute_start[i + 1]
    cdef int64_t a = lower_bound(x.role, start, stop, role)
    cdef int32_t child, count = 0
    while a < stop and x.role[a] == role:
        if x.counts[a]:
            child = x.child[a]
            if child < 0:
                count += x.value[a] == value
            elif x.used[child] == 0:
                count += value == unmapped
            elif node >= 0:
                count += find(x, child, node) >= 0
        a += 1
    return count


cdef int32_t strong_matches(
    const Half *x, int32_t i, const Half *y, int32_t j, int32_t about, int32_t unmapped
) noexcept nogil:
    """Attributes that i has in common with j; only those with the value ``about``, a node, unless that is -1."""
    cdef int64_t a = y.attribute_start[j], stop = y.attribute_start[j + 1], b
    cdef int32_t total = 0, written
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


cdef int32_t weak_matches(const Half *x, int32_t i, const Half *y, int32_t j) noexcept nogil:
    """Roles that both nodes have, as multisets."""
    cdef int64_t a = x.attribute_start[i], a_stop = x.attribute_start[i + 1]
    cdef int64_t b = y.attribute_start[j], b_stop = y.attribute_start[j + 1]
    cdef int32_t total = 0
    while a < a_stop and b < b_stop:
        if x.role[a] < y.role[b]:
            a += 1
        elif x.role[a] > y.role[b]:
            b += 1
        else:
            total += 1
            a += 1
            b += 1
    return total


cdef void count_parents(Half *x, int32_t *last) noexcept nogil:
    """Fill ``parent_start`` and ``parents``; ``last`` has room for an entry a node."""
    cdef int32_t i, c
    cdef int64_t a
    cdef int step
    for step in range(2):   # how many each node has, then which
        if step == 0:
            for i in range(x.n + 1):
                x.parent_start[i] = 0
        for i in range(x.n):
            last[i] = -1
        for i in range(x.n):
            for a in range(x.attribute_start[i], x.attribute_start[i + 1]):
                c = x.child[a]
                if c < 0 or not x.counts[a] or last[c] == i:
                    continue
                last[c] = i
                if step == 0:
                    x.parent_start[c + 1] += 1
                else:
                    x.parents[x.parent_start[c]] = i
                    x.parent_start[c] += 1
        if step == 0:
            for i in range(x.n):
                x.parent_start[i + 1] += x.parent_start[i]
    for i in range(x.n, 0, -1):
        x.parent_start[i] = x.parent_start[i - 1]
    x.parent_start[0] = 0


cdef inline int compare_bytes(const uint8_t *a, int64_t n, const uint8_t *b, int64_t m) noexcept nogil:
    cdef int order = memcmp(a, b, min(n, m)) if min(n, m) else 0
    return order if order else (n > m) - (n < m)


cdef void find_same(Half *x, Half *y) noexcept nogil:
    """Fill ``same``: variables ascend on both sides."""
    cdef int32_t i, j = 0
    cdef int order
    for i in range(x.n):
        x.same[i] = -1
    for j in range(y.n):
        y.same[j] = -1
    i = j = 0
    while i < x.n and j < y.n:
        order = compare_bytes(
            x.text + x.text_start[i], x.text_start[i + 1] - x.text_start[i],
            y.text + y.text_start[j], y.text_start[j + 1] - y.text_start[j],
        )
        if order == 0:
            x.same[i] = j
            y.same[j] = i
        i += order <= 0
        j += order >= 0


cdef inline uint8_t letter(const Candidate *c, int64_t at) noexcept nogil:
    """A byte of the two variables written together."""
    cdef int64_t first = c.x.text_start[c.i + 1] - c.x.text_start[c.i]
    if at < first:
        return c.x.text[c.x.text_start[c.i] + at]
    return c.y.text[c.y.text_start[c.j] + at - first]


cdef int64_t size_of(const Candidate *c) noexcept nogil:
    return (c.x.text_start[c.i + 1] - c.x.text_start[c.i]) + (c.y.text_start[c.j + 1] - c.y.text_start[c.j])


cdef bint better(const Candidate *a, const Candidate *b, bint spelled) noexcept nogil:
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
    n = size_of(a)
    m = size_of(b)
    for at in range(min(n, m)):
        if letter(a, at) != letter(b, at):
            return letter(a, at) < letter(b, at)
    return n < m


cdef inline void candidate(Candidate *c, const Half *x, int32_t i, const Half *y, int64_t at) noexcept nogil:
    c.x, c.y, c.i, c.j = x, y, i, x.links[at]
    c.other_concept = x.extended[i] != y.extended[c.j]
    c.strong, c.weak = x.strong[at], x.weak[at]
    c.length = <int64_t> x.length[i] + y.length[c.j]
    c.other_name = x.same[i] != c.j


cdef void best_link(Half *x, int32_t i, const Half *y, Candidate *best) noexcept nogil:
    """The best link of a node that has at least one."""
    cdef Candidate other
    cdef int32_t k
    if x.best[i] >= 0:
        candidate(best, x, i, y, x.start[i] + x.best[i])
        return
    candidate(best, x, i, y, x.start[i])
    x.best[i] = 0
    for k in range(1, x.used[i]):   # links ascend, so the first of equals has the least variable
        candidate(&other, x, i, y, x.start[i] + k)
        if better(&other, best, False):
            best[0] = other
            x.best[i] = k


cdef void parents_matches(
    Half *x, int32_t i, const Half *y, int32_t j, int sign, int32_t unmapped
) noexcept nogil:
    """Add to, or take from, the links between parents of i and of j the matches that the link from i to j makes."""
    cdef int64_t p, q, at
    for p in range(x.parent_start[i], x.parent_start[i + 1]):
        if x.used[x.parents[p]] < 2:
            continue
        for q in range(y.parent_start[j], y.parent_start[j + 1]):
            at = find(x, x.parents[p], y.parents[q])
            if at >= 0:
                x.strong[at] += sign * strong_matches(x, x.parents[p], y, y.parents[q], j, unmapped)
                x.best[x.parents[p]] = -1


cdef void drop(Half *x, int32_t i, const Half *y, int64_t at, int32_t unmapped) noexcept nogil:
    """Drop a link of node i; strong matches of other links follow."""
    cdef int32_t j = x.links[at]
    cdef int64_t behind = x.start[i] + x.used[i] - at - 1, p, k
    cdef int32_t parent, place = <int32_t> (at - x.start[i])
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


cdef void settle(Half *x, int32_t i, const Half *y, int32_t j, int32_t unmapped) noexcept nogil:
    """Drop all links of i but that to j."""
    cdef int64_t at
    for at in range(x.start[i] + x.used[i] - 1, x.start[i] - 1, -1):
        if x.links[at] != j:
            drop(x, i, y, at, unmapped)


cdef int first_links(Half *x, Half *y, int32_t n_tokens, bint fill, const uint8_t *cancel) noexcept nogil:
    """Count the links of each node in ``used``, or write them into ``links``; FINE, CANCELLED or INTERRUPTED."""
    cdef int32_t i, j
    cdef int status
    for i in range(x.n):
        x.used[i] = 0
    for j in range(y.n):
        y.used[j] = 0
    for i in range(x.n):
        if i % 64 == 63:
            status = asked_to_stop(cancel)
            if status != FINE:
                return status
        for j in range(y.n):
            if linked(x, i, y, j, n_tokens):
                if fill:
                    x.links[x.start[i] + x.used[i]] = j
                    y.links[y.start[j] + y.used[j]] = i
                x.used[i] += 1
                y.used[j] += 1
    return FINE


cdef int link_sentences(
    Arena *small, Arena *large, Half *halves, int32_t n_tokens, int32_t unmapped, int64_t limit, int64_t *ambiguous,
    int32_t *partners_x, int32_t *partners_y, const uint8_t *cancel,
) noexcept nogil:
    """Link the nodes of two sentences one-to-one; ambiguous: nodes with several links and these links, of both."""
    cdef Half *x
    cdef Half *y
    cdef Candidate best, winner
    cdef size_t size = 0
    cdef int64_t total, k, round_ = 0, attributes
    cdef int32_t i, s
    cdef int32_t *scratch
    cdef int32_t[2] taken
    cdef bint found
    cdef int status
    for s in range(2):
        x = &halves[s]
        attributes = x.attribute_start[x.n] - x.attribute_start[0]
        size += 2 * padded((x.n + 1) * sizeof(int64_t)) + 4 * padded((x.n + 1) * sizeof(int32_t))
        size += padded((attributes + 1) * sizeof(int32_t))
    if arena_reserve(small, size) < 0:
        return NO_MEMORY
    for s in range(2):
        x = &halves[s]
        attributes = x.attribute_start[x.n] - x.attribute_start[0]
        x.start = <int64_t *> take(small, (x.n + 1) * sizeof(int64_t))
        x.parent_start = <int64_t *> take(small, (x.n + 1) * sizeof(int64_t))
        x.used = <int32_t *> take(small, (x.n + 1) * sizeof(int32_t))
        x.best = <int32_t *> take(small, (x.n + 1) * sizeof(int32_t))
        x.same = <int32_t *> take(small, (x.n + 1) * sizeof(int32_t))
        scratch = <int32_t *> take(small, (x.n + 1) * sizeof(int32_t))
        x.parents = <int32_t *> take(small, (attributes + 1) * sizeof(int32_t))
        count_parents(x, scratch)
    status = first_links(&halves[0], &halves[1], n_tokens, False, cancel)
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
    if arena_reserve(large, 6 * padded((total + 1) * sizeof(int32_t))) < 0:
        return NO_MEMORY
    for s in range(2):
        x = &halves[s]
        x.links = <int32_t *> take(large, (total + 1) * sizeof(int32_t))
        x.strong = <int32_t *> take(large, (total + 1) * sizeof(int32_t))
        x.weak = <int32_t *> take(large, (total + 1) * sizeof(int32_t))
    status = first_links(&halves[0], &halves[1], n_tokens, True, cancel)
    if status != FINE:
        return status
    find_same(&halves[0], &halves[1])
    for s in range(2):
        x, y = &halves[s], &halves[1 - s]
        for i in range(x.n):
            if i % 64 == 0:
                status = asked_to_stop(cancel)
                if status != FINE:
                    return status
            for k in range(x.start[i], x.start[i] + x.used[i]):
                x.strong[k] = x.weak[k] = 0
                if x.used[i] > 1:
                    x.strong[k] = strong_matches(x, i, y, x.links[k], -1, unmapped)
                    x.weak[k] = weak_matches(x, i, y, x.links[k])
    taken[0] = taken[1] = -1
    memset(&winner, 0, sizeof(winner))
    while True:
        if round_ % 16 == 15:
            status = asked_to_stop(cancel)
            if status != FINE:
                return status
        round_ += 1
        found = False
        for s in range(2):
            x, y = &halves[s], &halves[1 - s]
            for i in range(x.n):
                if taken[s] >= 0 and i != taken[s]:
                    k = find(x, i, taken[1 - s])
                    if k >= 0:
                        drop(x, i, y, k, unmapped)
                if x.used[i] > 1:
                    best_link(x, i, y, &best)
                    if not found or better(&best, &winner, True):
                        winner = best
                        found = True
        if not found:
            break
        s = 0 if winner.x == &halves[0] else 1
        taken[s], taken[1 - s] = winner.i, winner.j
        settle(&halves[0], taken[0], &halves[1], taken[1], unmapped)
        settle(&halves[1], taken[1], &halves[0], taken[0], unmapped)
    for i in range(halves[0].n):
        partners_x[i] = halves[0].links[halves[0].start[i]] if halves[0].used[i] else -1
    for i in range(halves[1].n):
        partners_y[i] = halves[1].links[halves[1].start[i]] if halves[1].used[i] else -1
    return FINE


def link_nodes(
    Nodes a not None,
    Nodes b not None,
    const int32_t[::1] n_tokens not None,
    int32_t unmapped,
    int64_t limit,
    const uint8_t[::1] cancel not None,
    int64_t[:, ::1] ambiguous not None,
    int32_t[::1] partners_a not None,
    int32_t[::1] partners_b not None,
):
    """Link the nodes of each two sentences one-to-one; see the top of this module.

    Parameters
    ----------
    a, b : Nodes
        As many sentences on both sides. Ties depend on which is the first, so a is the side that the program has first:
        gold.
    n_tokens : int32, shape (n_sentences,)
        Tokens of each sentence; what lies behind them is not shared.
    unmapped : int
        Id of the value that stands for a child without a partner, or -1 if no value does.
    limit : int >= 0
        Most links between two sentences.
    cancel : uint8, shape (1,)
        Set to 1 by another thread, it leaves the remaining sentences undone.
    ambiguous : int64, shape (n_sentences, 4)
        Output. Nodes of a that are linked to several, and these links; the same of b.
    partners_a, partners_b : int32, shape (n_nodes,)
        Output. For each node the number of its partner in the other sentence, or -1.

    Returns
    -------
    int
        -1, or the number of the first sentence that has more than ``limit`` links; those behind it are left undone.

    Raises
    ------
    ValueError
        If lengths do not fit.
    MemoryError
        If the links of a sentence do not fit in memory.

    Notes
    -----
    O(n m) for sentences of n and m nodes; for l links of nodes that have several, O(l + r (n + m) log(n + m)) more in r
    rounds, if few nodes have many equal children.
    """
    cdef Py_ssize_t s, n = a.n_sentences
    cdef int32_t *nowhere = NULL
    cdef Half[2] halves
    cdef Arena small, large
    cdef int status = FINE
    if b.n_sentences != n or n_tokens.shape[0] != n or ambiguous.shape[0] != n or ambiguous.shape[1] != 4:
        raise ValueError(f"expected {n} sentences everywhere, and 4 columns of ambiguous nodes")
    if partners_a.shape[0] != a.nodes.shape[1] or partners_b.shape[0] != b.nodes.shape[1]:
        raise ValueError("expected a partner for each node")
    if cancel.shape[0] != 1:
        raise ValueError("cancel must have one entry")
    arena_init(&small)
    arena_init(&large)
    for s in range(n):
        view(&halves[0], a, s)
        view(&halves[1], b, s)
        with nogil:
            status = link_sentences(
                &small, &large, halves, n_tokens[s], unmapped, limit, &ambiguous[s, 0],
                &partners_a[a.sentences[s]] if halves[0].n else nowhere,
                &partners_b[b.sentences[s]] if halves[1].n else nowhere,
                &cancel[0],
            )
        if status != FINE:
            break
    arena_free(&small)
    arena_free(&large)
    raise_status(status, "no memory for the links of a sentence")
    return s if status == TOO_LARGE else -1
