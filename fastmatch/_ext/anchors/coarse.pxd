# cython: language_level=3
"""A match of two graphs without a table of all pairs of nodes: for equal graphs, and for very large ones.

Nodes get colours by colour refinement, in both graphs at once (:mod:`fastmatch._ext.matching.colours`): the first
colour of a node is a hash of its word, sense and attributes, later ones are also of the roles and colours around it.
Then pairs of nodes are matched:

1. nodes whose colour is alone of its kind in either graph, by the last colours first, and nodes of one colour to which
   relations of one role lead from matched nodes;
2. other nodes of one colour, in the order of their numbers, by the last colours first, and those to which relations
   lead from these; before the first colours, which say nothing of what is around a node, the roots, whatever they are;
3. nodes of one name, and at last all others, in the same way.

O((n + T) log n) for n nodes and T relations of either graph.
"""

from libc.stdint cimport INT32_MAX, SIZE_MAX, int32_t, int64_t, uint64_t, uint8_t
from libc.string cimport memcmp, memset

from fastmatch._ext.anchors.pair cimport View
from fastmatch._ext.base.arena cimport Arena
from fastmatch._ext.base.random cimport mix_next
from fastmatch._ext.base.status cimport FINE, asked_to_stop
from fastmatch._ext.matching.colours cimport (
    Colours, begin, colours_size, lay_relations, pair_level, put_relation, refine, take_level,
)


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
    """The memory that :func:`match_coarsely` takes from its arena; for too many nodes, more than there is."""
    cdef int64_t nodes = <int64_t> t.n + g.n, labels = count_labels(t) + count_labels(g)
    return colours_size(nodes, labels) if max(nodes, 2 * labels) < INT32_MAX else SIZE_MAX // 2


cdef inline void put_graph(Colours *x, const View *view, int32_t first) noexcept nogil:
    """The colours of a graph's nodes, from number ``first`` on, and its relations."""
    cdef int32_t i, p, u, v
    cdef int64_t k
    cdef uint64_t colour
    for i in range(view.n):
        colour = mix_next(mix_next(<uint64_t> view.word_id[view.full[i]]) + <uint64_t> view.sense[i])
        for k in range(view.attribute_start[i], view.attribute_start[i + 1]):
            colour = mix_next(colour ^ <uint64_t> view.attribute_label[k])
            colour = mix_next(colour ^ <uint64_t> view.attribute_value[k])
        x.colour[first + i] = colour
    for p in range(view.n_pairs):
        u, v = view.predicate[p], view.argument[p]
        for k in range(view.label_start[p], view.label_start[p + 1] if u >= 0 and v >= 0 else 0):
            put_relation(x, first + u, first + v, mix_next(<uint64_t> view.labels[k]))


cdef inline int match_coarsely(
    Arena *arena, const View *t, const View *g, int32_t t_root, int32_t g_root, int32_t *row, int32_t *column,
    const uint8_t *cancel,
) noexcept nogil:
    """Match the nodes of two graphs, into ``row`` and ``column``. FINE, CANCELLED or INTERRUPTED.

    The arena has room for :func:`coarse_bytes`.
    """
    cdef Colours x
    cdef int32_t i, level
    cdef int status, step
    begin(&x, arena, t.n, t.n + g.n, <int32_t> (count_labels(t) + count_labels(g)))
    memset(row, 0xff, t.n * sizeof(int32_t))
    memset(column, 0xff, g.n * sizeof(int32_t))
    put_graph(&x, t, 0)
    put_graph(&x, g, t.n)
    lay_relations(&x)
    refine(&x, True)
    if t_root >= 0 and g_root >= 0 and x.level[t_root] == x.level[t.n + g_root]:
        row[t_root], column[g_root] = g_root, t_root
    for step in range(1, -1, -1):
        for level in range(x.n_levels - 1, -1, -1):
            take_level(&x, level)
            pair_level(&x, row, column, step)
    for level in range(x.n_levels - 1, -3, -1):
        if (status := asked_to_stop(cancel)) != FINE:
            return status
        if level == 0 and t_root >= 0 and g_root >= 0 and row[t_root] < 0 and column[g_root] < 0:
            row[t_root], column[g_root] = g_root, t_root
        if level >= 0:
            take_level(&x, level)
        else:               # names, then nothing
            for i in range(x.size):
                x.colour[i] = 0
                if level == -1:
                    x.colour[i] = t.word_id[t.name[i]] if i < t.n else g.word_id[g.name[i - t.n]]
        pair_level(&x, row, column, 2)
        if level > 0:
            take_level(&x, 0)
            pair_level(&x, row, column, 0)
    return FINE
