# cython: language_level=3
"""A match of two graphs without a table of all pairs of nodes: for equal graphs, and for very large ones.

Nodes get colours by colour refinement, in both graphs at once: colour 0 of a node is a hash of its word, sense and
attributes, colour k + 1 one of its colour k and of the roles and colours k around it. Then pairs of nodes are matched:

1. the roots, if they have the same colour 0, and nodes whose colour is alone of its kind in either graph;
2. nodes of one colour, those of the last colours first, in the order of their numbers; before colour 0, which says
   nothing of what is around a node, the roots, whatever they are;
3. nodes of one name;
4. all others in the order of their numbers.

From every pair the match *grows* along relations: neighbours by the same role are matched if they have one colour, the
last colours first, and behind step 3 whatever they are. O((n + T) log n) for n nodes and T relations of either graph.
"""

from libc.stdint cimport int32_t, int64_t, uint64_t, uint8_t
from libc.string cimport memcmp, memset

from fastmatch._ext.anchors.pair cimport View
from fastmatch._ext.base.arena cimport Arena, ints, padded, take, take_zeros
from fastmatch._ext.base.random cimport mix_next
from fastmatch._ext.base.sorting cimport Pair, sort_pairs
from fastmatch._ext.base.status cimport FINE, asked_to_stop


cdef enum:
    LEVELS = 9      # colours of a node
    ANY = -1        # in place of a level: colours do not matter
    NAMES = -2      # the name alone

# Nodes of g come behind those of t.
cdef struct Coarse:
    int32_t n                       # nodes of t
    int32_t all                     # of both
    int32_t *row
    int32_t *column
    uint64_t *colours[LEVELS]
    int64_t *start                  # [all + 1]
    Pair *half                      # (role and direction, node at the other end), sorted for each node
    Pair *mine                      # (colour, node)
    Pair *theirs
    Pair *scratch
    int32_t *queue                  # nodes of t from whose pair the match has still to grow
    int32_t waiting


cdef inline bint equal_graphs(const View *t, const View *g, bint alignment) noexcept nogil:
    """Whether two graphs are equal with their nodes in the order of their numbers.

    ``alignment``: they are also aligned with the same tokens.
    """
    cdef int32_t i
    cdef int64_t a, b, n_labels
    if t.n != g.n or t.n_pairs != g.n_pairs or t.root != g.root:
        return False
    for i in range(t.n):
        if (t.word_id[t.name[i]] != g.word_id[g.name[i]] or t.word_id[t.full[i]] != g.word_id[g.full[i]]
                or t.sense[i] != g.sense[i]):
            return False
        if alignment and (t.low[i] != g.low[i] or t.high[i] != g.high[i]):
            return False
        if t.attribute_start[i + 1] - t.attribute_start[i] != g.attribute_start[i + 1] - g.attribute_start[i]:
            return False
    if t.n:
        a, b = t.attribute_start[0], g.attribute_start[0]
        for i in range(<int32_t> (t.attribute_start[t.n] - a)):
            if (t.attribute_label[a + i] != g.attribute_label[b + i]
                    or t.attribute_value[a + i] != g.attribute_value[b + i]):
                return False
    a, b = t.label_start[0], g.label_start[0]
    for i in range(t.n_pairs):
        if (t.predicate[i] != g.predicate[i] or t.argument[i] != g.argument[i]
                or t.label_start[i + 1] - a != g.label_start[i + 1] - b):
            return False
    n_labels = t.label_start[t.n_pairs] - a
    return not n_labels or memcmp(t.labels + a, g.labels + b, n_labels * sizeof(int32_t)) == 0


cdef inline int64_t count_labels(const View *view) noexcept nogil:
    return view.label_start[view.n_pairs] - view.label_start[0]


cdef inline size_t coarse_bytes(const View *t, const View *g) noexcept nogil:
    """The memory that :func:`match_coarsely` takes from its arena."""
    cdef size_t n = <size_t> t.n + g.n, halves = 2 * <size_t> (count_labels(t) + count_labels(g))
    return (
        LEVELS * padded(n * sizeof(uint64_t)) + padded((n + 1) * sizeof(int64_t)) + padded(halves * sizeof(Pair))
        + 2 * padded(2 * n * sizeof(Pair)) + padded((n + halves) * sizeof(Pair)) + padded(n * sizeof(int32_t))
    )


cdef inline void put_halves(Coarse *x, const View *view, int32_t base) noexcept nogil:
    """The relations of a graph as each of their ends sees them; ``start`` holds where each node's stretch ends, and
    afterwards where it begins."""
    cdef int32_t p, u, v
    cdef int64_t k
    for p in range(view.n_pairs):
        u, v = view.predicate[p], view.argument[p]
        if u < 0 or v < 0:
            continue
        for k in range(view.label_start[p], view.label_start[p + 1]):
            x.start[base + u] -= 1
            x.half[x.start[base + u]].major = 2 * <int64_t> view.labels[k]
            x.half[x.start[base + u]].minor = base + v
            x.start[base + v] -= 1
            x.half[x.start[base + v]].major = 2 * <int64_t> view.labels[k] + 1
            x.half[x.start[base + v]].minor = base + u


cdef inline void count_halves(Coarse *x, const View *view, int32_t base) noexcept nogil:
    cdef int32_t p
    cdef int64_t size
    for p in range(view.n_pairs):
        if view.predicate[p] >= 0 and view.argument[p] >= 0:
            size = view.label_start[p + 1] - view.label_start[p]
            x.start[base + view.predicate[p]] += size
            x.start[base + view.argument[p]] += size


cdef inline void first_colours(Coarse *x, const View *view, int32_t base) noexcept nogil:
    cdef int32_t i
    cdef int64_t k
    cdef uint64_t colour
    for i in range(view.n):
        colour = mix_next(mix_next(<uint64_t> view.word_id[view.full[i]]) + <uint64_t> view.sense[i])
        for k in range(view.attribute_start[i], view.attribute_start[i + 1]):
            colour = mix_next(colour ^ <uint64_t> view.attribute_label[k])
            colour = mix_next(colour ^ <uint64_t> view.attribute_value[k])
        x.colours[0][base + i] = colour


cdef inline void refine(Coarse *x) noexcept nogil:
    cdef int32_t level, u
    cdef int64_t k
    cdef uint64_t sum
    for level in range(1, LEVELS):
        for u in range(x.all):
            sum = mix_next(x.colours[level - 1][u])
            for k in range(x.start[u], x.start[u + 1]):
                sum += mix_next(mix_next(<uint64_t> x.half[k].major) ^ x.colours[level - 1][x.half[k].minor])
            x.colours[level][u] = sum


cdef inline void put(Coarse *x, int32_t i, int32_t j) noexcept nogil:
    """Match node i of t with node j of g, which counts from 0."""
    x.row[i] = j
    x.column[j] = i
    x.queue[x.waiting] = i
    x.waiting += 1


cdef inline int64_t colour_of(const Coarse *x, int32_t level, int64_t u) noexcept nogil:
    return 0 if level == ANY else <int64_t> x.colours[level][u]


cdef inline bint is_open(const Coarse *x, int64_t u) noexcept nogil:
    return x.row[u] < 0 if u < x.n else x.column[u - x.n] < 0


cdef inline void put_equals(Coarse *x, int64_t n_mine, int64_t n_theirs, bint alone) noexcept nogil:
    """Match nodes of the lists that have one colour, in their order.

    ``alone``: only if no other node has the colour.
    """
    cdef int64_t a = 0, b = 0
    sort_pairs(x.mine, n_mine, x.scratch)
    sort_pairs(x.theirs, n_theirs, x.scratch)
    while a < n_mine and b < n_theirs:
        if x.mine[a].major < x.theirs[b].major:
            a += 1
        elif x.mine[a].major > x.theirs[b].major:
            b += 1
        elif alone and (
            (a + 1 < n_mine and x.mine[a + 1].major == x.mine[a].major)
            or (b + 1 < n_theirs and x.theirs[b + 1].major == x.theirs[b].major)
        ):
            while a + 1 < n_mine and x.mine[a + 1].major == x.mine[a].major:
                a += 1
            while b + 1 < n_theirs and x.theirs[b + 1].major == x.theirs[b].major:
                b += 1
            a += 1
            b += 1
        else:
            put(x, <int32_t> x.mine[a].minor, <int32_t> (x.theirs[b].minor - x.n))
            a += 1
            b += 1


cdef inline int64_t gather(
    const Coarse *x, Pair *into, int64_t start, int64_t stop, int32_t level
) noexcept nogil:
    """List the open nodes at the ends of relations start … stop - 1, each once, with their colours."""
    cdef int64_t k, count = 0
    for k in range(start, stop):
        if is_open(x, x.half[k].minor) and (k == start or x.half[k - 1].minor != x.half[k].minor):
            into[count].major, into[count].minor = colour_of(x, level, x.half[k].minor), x.half[k].minor
            count += 1
    return count


cdef inline void grow(Coarse *x, int32_t least) noexcept nogil:
    """Match neighbours of matched nodes, down to level ``least`` (0 or ANY)."""
    cdef int32_t i, level
    cdef int64_t a, b, u, v, a_stop, b_stop, a_next, b_next, n_mine, n_theirs
    while x.waiting:
        x.waiting -= 1
        i = x.queue[x.waiting]
        u, v = i, x.n + x.row[i]
        a, a_stop, b, b_stop = x.start[u], x.start[u + 1], x.start[v], x.start[v + 1]
        while a < a_stop and b < b_stop:
            if x.half[a].major < x.half[b].major:
                a += 1
                continue
            if x.half[a].major > x.half[b].major:
                b += 1
                continue
            a_next, b_next = a + 1, b + 1
            while a_next < a_stop and x.half[a_next].major == x.half[a].major:
                a_next += 1
            while b_next < b_stop and x.half[b_next].major == x.half[b].major:
                b_next += 1
            level = LEVELS - 1
            while level >= least:
                n_mine = gather(x, x.mine, a, a_next, level)
                if not n_mine:
                    break
                n_theirs = gather(x, x.theirs, b, b_next, level)
                if not n_theirs:
                    break
                put_equals(x, n_mine, n_theirs, False)
                level = level // 2 if level > 0 else level - 1
            a, b = a_next, b_next


cdef inline void match_open(Coarse *x, const View *t, const View *g, int32_t level, int32_t least) noexcept nogil:
    """Match open nodes of one colour (or name) in their order, and let the match grow from each pair."""
    cdef int64_t a = 0, b = 0, n_mine = 0, n_theirs = 0
    cdef int32_t i
    cdef Pair *mine = x.mine
    cdef Pair *theirs = x.theirs
    for i in range(x.n):
        if x.row[i] < 0:
            x.mine[n_mine] = Pair(t.word_id[t.name[i]] if level == NAMES else colour_of(x, level, i), i)
            n_mine += 1
    for i in range(x.all - x.n):
        if x.column[i] < 0:
            x.theirs[n_theirs] = Pair(g.word_id[g.name[i]] if level == NAMES else colour_of(x, level, x.n + i), x.n + i)
            n_theirs += 1
    sort_pairs(mine, n_mine, x.scratch)
    sort_pairs(theirs, n_theirs, x.scratch)
    x.mine, x.theirs = mine + n_mine, theirs + n_theirs     # for ``grow``
    while a < n_mine and b < n_theirs:
        if not is_open(x, mine[a].minor):
            a += 1
        elif not is_open(x, theirs[b].minor):
            b += 1
        elif mine[a].major < theirs[b].major:
            a += 1
        elif mine[a].major > theirs[b].major:
            b += 1
        else:
            put(x, <int32_t> mine[a].minor, <int32_t> (theirs[b].minor - x.n))
            grow(x, least)
            a += 1
            b += 1
    x.mine, x.theirs = mine, theirs


cdef inline int match_coarsely(
    Arena *arena, const View *t, const View *g, int32_t t_root, int32_t g_root, int32_t *row, int32_t *column,
    const uint8_t *cancel,
) noexcept nogil:
    """Match the nodes of two graphs, into ``row`` and ``column``. FINE, CANCELLED or INTERRUPTED.

    The arena has room for :func:`coarse_bytes`.
    """
    cdef Coarse x
    cdef int32_t u, level
    cdef int64_t halves = 2 * (count_labels(t) + count_labels(g)), n_mine, n_theirs
    cdef int status
    x.n, x.all, x.waiting = t.n, t.n + g.n, 0
    x.row, x.column = row, column
    memset(row, 0xff, t.n * sizeof(int32_t))
    memset(column, 0xff, g.n * sizeof(int32_t))
    for level in range(LEVELS):
        x.colours[level] = <uint64_t *> take(arena, x.all * sizeof(uint64_t))
    x.start = <int64_t *> take_zeros(arena, (x.all + 1) * sizeof(int64_t))
    x.half = <Pair *> take(arena, halves * sizeof(Pair))
    x.mine = <Pair *> take(arena, 2 * x.all * sizeof(Pair))
    x.theirs = <Pair *> take(arena, 2 * x.all * sizeof(Pair))
    x.scratch = <Pair *> take(arena, (x.all + halves) * sizeof(Pair))
    x.queue = ints(arena, x.all)
    count_halves(&x, t, 0)
    count_halves(&x, g, t.n)
    for u in range(x.all):
        x.start[u + 1] += x.start[u]
    put_halves(&x, t, 0)
    put_halves(&x, g, t.n)
    for u in range(x.all):
        sort_pairs(x.half + x.start[u], x.start[u + 1] - x.start[u], x.scratch)
    first_colours(&x, t, 0)
    first_colours(&x, g, t.n)
    refine(&x)
    if t_root >= 0 and g_root >= 0 and x.colours[0][t_root] == x.colours[0][t.n + g_root]:
        put(&x, t_root, g_root)
    level = LEVELS - 1
    while level >= 0:
        n_mine = n_theirs = 0
        for u in range(x.all):
            if not is_open(&x, u):
                continue
            if u < x.n:
                x.mine[n_mine].major, x.mine[n_mine].minor = colour_of(&x, level, u), u
                n_mine += 1
            else:
                x.theirs[n_theirs].major, x.theirs[n_theirs].minor = colour_of(&x, level, u), u
                n_theirs += 1
        put_equals(&x, n_mine, n_theirs, True)
        level -= 1
    grow(&x, 0)
    for level in range(LEVELS - 1, -1, -1):
        status = asked_to_stop(cancel)
        if status != FINE:
            return status
        if level == 0 and t_root >= 0 and g_root >= 0 and row[t_root] < 0 and column[g_root] < 0:
            put(&x, t_root, g_root)
            grow(&x, 0)
        match_open(&x, t, g, level, 0)
    match_open(&x, t, g, NAMES, 0)
    for u in range(x.n):        # from all pairs once more
        if row[u] >= 0:
            x.queue[x.waiting] = u
            x.waiting += 1
    grow(&x, ANY)
    match_open(&x, t, g, ANY, ANY)
    return FINE
