# cython: language_level=3
"""An order of a graph's nodes that does not depend on the order in which the graph is written.

AnCast breaks its last ties by the numbers of nodes. If these came from the text, two equal graphs written differently
would be aligned differently. So the nodes are numbered by what the graph says, in three steps.

*Colours.* The first colour of a node is a hash of its name, sense and attributes, and of whether it is the root. Nodes
of one colour form a *cell*. A round tells each cell what its relations lead to: the nodes at the other ends of changed
nodes add up hashes of (role, direction, new colour), and a cell whose nodes get different sums is split. Rounds end
when no cell is split any more (colour refinement, or the Weisfeiler-Leman test).

*Singling out.* Nodes that still share a cell are equal as far as this test can see, as two twins are. One of them, no
matter which, gets a colour of its own, and rounds follow that split the cells around it, until every cell is one node
(McKay 1981, Practical graph isomorphism, without its backtracking).

*Numbers.* Depth first from the root, along relations in both directions, by role, direction and colour; then what the
root does not reach, by colour.

The result is the same for all ways to write a graph if nodes that refinement cannot tell apart are images of each other
under a symmetry of the graph. That is so for all trees and all but contrived graphs: the smallest exceptions are made
of regular parts, for instance two triangles and a hexagon of equal concepts. Labels are hashed by their text, as ids
depend on what else is in a vocabulary. The work is bounded (``ENOUGH``); beyond it, equal colours go by the text.
"""

from libc.stdint cimport int32_t, int64_t, uint64_t, uint8_t
from libc.string cimport memset

from fastmatch._ext.anchors.builder cimport SWAPPED, Builder, Role, push_pair
from fastmatch._ext.base.arena cimport PADDING, arena_reserve, ints, take
from fastmatch._ext.base.columns cimport out_of_memory
from fastmatch._ext.base.random cimport mix_next
from fastmatch._ext.base.sorting cimport Pair, packed, sort_pairs
from fastmatch._ext.graphs.columns cimport Columns, count_relations


cdef enum:
    # Visits, for each node and relation of a graph, after which no cell is split any more: some 0.1 ms a node. Graphs
    # without symmetry need about four, 2,000 equal children of one node with a child each some 300.
    ENOUGH = 1000
    # What is added to the colour of the root, and of a node that is singled out.
    ROOT = 1
    SINGLE = 2


# Each relation is seen from both its ends, as a hash of its role: h from its predicate, ~h from its argument.
cdef struct Cells:
    int32_t n
    int32_t *start              # [n + 1] relations of each node
    Pair *half                  # [2 relations] (hash of the role as the node sees it, node at the other end)
    uint64_t *colour            # [n]
    uint64_t *sum               # [n] what a round tells a node
    int32_t *cell               # [n]
    int32_t *size               # [cells]
    int32_t n_cells
    int32_t *changed            # [n] nodes whose colour the last round changed
    uint8_t *told               # [n]
    Pair *list                  # [n] (colour, node)
    Pair *heard                 # [n] (sum, cell and node) of the nodes that were told something
    Pair *scratch               # [max(n, 2 relations)]
    int32_t *next               # [n]
    int64_t work                # that is left


cdef inline int lay_out(Builder self, Cells *x, int32_t n, int64_t n_relations) except -1 nogil:
    """Make room."""
    cdef size_t pairs = max(n, 2 * n_relations)
    if arena_reserve(
        &self.ordering,
        (5 * n + 1) * sizeof(int32_t) + n * (2 * sizeof(uint64_t) + 1)
        + (2 * n_relations + 2 * n + pairs) * sizeof(Pair) + 12 * PADDING,
    ) < 0:
        return out_of_memory()
    x.n = n
    x.start = ints(&self.ordering, n + 1)
    x.half = <Pair *> take(&self.ordering, 2 * n_relations * sizeof(Pair))
    x.colour = <uint64_t *> take(&self.ordering, n * sizeof(uint64_t))
    x.sum = <uint64_t *> take(&self.ordering, n * sizeof(uint64_t))
    x.cell, x.size, x.changed = ints(&self.ordering, n), ints(&self.ordering, n), ints(&self.ordering, n)
    x.next = ints(&self.ordering, n)
    x.told = <uint8_t *> take(&self.ordering, n)
    x.list = <Pair *> take(&self.ordering, n * sizeof(Pair))
    x.heard = <Pair *> take(&self.ordering, n * sizeof(Pair))
    x.scratch = <Pair *> take(&self.ordering, pairs * sizeof(Pair))


cdef inline int put_relations(Builder self, Cells *x, Columns columns, Py_ssize_t g) except -1 nogil:
    """The relations of each node; a relation that is there twice counts once."""
    cdef const Role *role
    cdef int32_t source, target, v
    cdef int64_t k, count = 0
    self.order.used = 0
    for k in range(columns.relation_offsets[g], columns.relation_offsets[g + 1]):
        role = self.role_of(columns.relations[1, k])
        source, target = columns.relations[0, k], columns.relations[2, k]
        if role.flags & SWAPPED:
            source, target = target, source
        push_pair(&self.order, packed(source, target), <int64_t> role.hash)
    self.sort(&self.order)
    memset(x.start, 0, (x.n + 1) * sizeof(int32_t))
    cdef const Pair *triple = <const Pair *> self.order.data
    for k in range(self.order.used):
        if k and triple[k].major == triple[k - 1].major and triple[k].minor == triple[k - 1].minor:
            continue
        x.scratch[count] = triple[k]
        count += 1
        x.start[triple[k].major >> 32] += 1
        x.start[<int32_t> triple[k].major] += 1
    for v in range(x.n):
        x.start[v + 1] += x.start[v]
    for k in range(count):      # from the end of each node's stretch to its start
        source, target = <int32_t> (x.scratch[k].major >> 32), <int32_t> x.scratch[k].major
        x.start[source] -= 1
        x.half[x.start[source]].major, x.half[x.start[source]].minor = x.scratch[k].minor, target
        x.start[target] -= 1
        x.half[x.start[target]].major, x.half[x.start[target]].minor = ~x.scratch[k].minor, source


cdef inline int put_colours(
    Builder self, Cells *x, Columns columns, Py_ssize_t g, const int32_t *name, const int32_t *sense
) except -1 nogil:
    """The first colours, and the cells they make."""
    cdef const Role *role
    cdef int32_t v, value
    cdef int64_t k
    cdef uint64_t seen
    for v in range(x.n):
        x.colour[v] = mix_next(self.text_hash(name[v]) + <uint64_t> sense[v])
    self.order.used = 0
    for k in range(columns.attribute_offsets[g], columns.attribute_offsets[g + 1]):
        role = self.role_of(columns.attributes[1, k])
        value = columns.attributes[2, k]
        seen = ~role.hash if role.flags & SWAPPED else role.hash
        seen = mix_next(seen ^ self.text_hash(self.value[value] if value >= 0 else -1))
        push_pair(&self.order, columns.attributes[0, k], <int64_t> seen)
    self.sort(&self.order)
    cdef const Pair *attribute = <const Pair *> self.order.data
    for k in range(self.order.used):
        if k == 0 or attribute[k].major != attribute[k - 1].major or attribute[k].minor != attribute[k - 1].minor:
            x.colour[attribute[k].major] += <uint64_t> attribute[k].minor
    if columns.root[g] >= 0:
        x.colour[columns.root[g]] += mix_next(ROOT)
    x.n_cells = 0
    sort_by_colour(x)
    for k in range(x.n):
        v = <int32_t> x.list[k].minor
        if k == 0 or x.list[k].major != x.list[k - 1].major:
            x.size[x.n_cells] = 0
            x.n_cells += 1
        x.cell[v] = x.n_cells - 1
        x.size[x.n_cells - 1] += 1
        x.changed[k] = v
        x.told[v] = False


cdef inline void sort_by_colour(Cells *x) noexcept nogil:
    cdef int32_t v
    for v in range(x.n):
        x.list[v].major, x.list[v].minor = <int64_t> x.colour[v], v
    sort_pairs(x.list, x.n, x.scratch)


cdef inline bint refine(Cells *x, int32_t n_changed) noexcept nogil:
    """Rounds, begun by the first ``n_changed`` nodes of ``changed``. Returns whether a cell was split."""
    cdef int32_t k, u, w, cell, n_told, first, stop
    cdef int64_t at
    cdef bint split = False
    cdef Pair *told = x.heard
    while n_changed and x.work > 0:
        n_told = 0
        for k in range(n_changed):
            w = x.changed[k]
            x.work -= 1 + x.start[w + 1] - x.start[w]
            for at in range(x.start[w], x.start[w + 1]):
                u = <int32_t> x.half[at].minor
                if x.size[x.cell[u]] == 1:
                    continue
                if not x.told[u]:
                    x.told[u] = True
                    x.sum[u] = 0
                    x.next[n_told] = u
                    n_told += 1
                x.sum[u] += mix_next(x.colour[w] ^ ~<uint64_t> x.half[at].major)
        for k in range(n_told):
            u = x.next[k]
            x.told[u] = False
            told[k].major, told[k].minor = <int64_t> x.sum[u], packed(x.cell[u], u)
        sort_pairs(told, n_told, x.scratch)
        n_changed = first = 0
        while first < n_told:
            cell = <int32_t> (told[first].minor >> 32)
            stop = first + 1
            while (stop < n_told and told[stop].major == told[first].major
                    and told[stop].minor >> 32 == cell):
                stop += 1
            if stop - first < x.size[cell]:     # else all of the cell, or what is left of it, which keeps its colour
                split = True
                x.size[cell] -= stop - first
                x.size[x.n_cells] = stop - first
                for k in range(first, stop):
                    u = <int32_t> told[k].minor
                    x.cell[u] = x.n_cells
                    x.colour[u] = mix_next(x.colour[u] + x.sum[u])
                    x.changed[n_changed] = u
                    n_changed += 1
                x.n_cells += 1
            first = stop
    return split


cdef inline void single_out(Cells *x, int32_t v, uint64_t colour) noexcept nogil:
    """Give a node a cell of its own."""
    x.size[x.cell[v]] -= 1
    x.cell[v] = x.n_cells
    x.size[x.n_cells] = 1
    x.n_cells += 1
    x.colour[v] = mix_next(colour + SINGLE)


cdef inline void separate(Cells *x) noexcept nogil:
    """Single nodes out until every cell is one node, cell by cell in the order of their colours."""
    cdef int32_t first = 0, stop, k, u, v, cell
    sort_by_colour(x)
    while first < x.n and x.n_cells < x.n:
        stop = first + 1
        while stop < x.n and x.list[stop].major == x.list[first].major:
            stop += 1
        while stop - first > 1 and x.work > 0:
            x.work -= stop - first
            v = -1
            for k in range(first, stop):
                u = <int32_t> x.list[k].minor
                if x.size[x.cell[u]] > 1 and (v < 0 or x.colour[u] < x.colour[v]):
                    v = u
            if v < 0:
                break
            cell = x.cell[v]
            single_out(x, v, x.colour[v])
            x.changed[0] = v
            if refine(x, 1):
                continue
            for k in range(first, stop):    # nothing else depends on which is which
                u = <int32_t> x.list[k].minor
                if x.cell[u] == cell and x.size[cell] > 1:
                    single_out(x, u, x.colour[v])
                    v = u
        first = stop


cdef inline void number(Cells *x, int32_t root, int32_t *node_of) noexcept nogil:
    """Number the nodes depth first, from the root and then from what is left, by colour."""
    cdef int32_t k, v, u, count = 0, depth
    cdef int32_t *rank = x.cell         # cells are no longer needed
    cdef int32_t *stack = x.changed
    sort_by_colour(x)
    for k in range(x.n):
        rank[x.list[k].minor] = k
        node_of[k] = -1
    for v in range(x.n):
        for k in range(x.start[v], x.start[v + 1]):
            x.half[k].minor = rank[x.half[k].minor]
        sort_pairs(x.half + x.start[v], x.start[v + 1] - x.start[v], x.scratch)
        x.next[v] = x.start[v]
    for k in range(-1, x.n):
        v = <int32_t> x.list[k].minor if k >= 0 else root
        if v < 0 or node_of[v] >= 0:
            continue
        node_of[v] = count
        count += 1
        stack[0], depth = v, 1
        while depth:
            v = stack[depth - 1]
            if x.next[v] == x.start[v + 1]:
                depth -= 1
                continue
            u = <int32_t> x.list[x.half[x.next[v]].minor].minor
            x.next[v] += 1
            if node_of[u] < 0:
                node_of[u] = count
                count += 1
                stack[depth] = u
                depth += 1


cdef inline int order_nodes(
    Builder self, Columns columns, Py_ssize_t g, const int32_t *name, const int32_t *sense, int32_t n
) except -1 nogil:
    """Number the n nodes of graph g, into ``node_of``.

    Parameters
    ----------
    name, sense : int32, [n]
        Id of the name of each variable's concept, and its sense.
    """
    cdef Cells x
    cdef int64_t n_relations = count_relations(columns, g)
    if n <= 1 or n_relations > 1 << 29:     # places of relations are int32; ``node_of`` has the order of the text
        return 0
    lay_out(self, &x, n, n_relations)
    put_relations(self, &x, columns, g)
    put_colours(self, &x, columns, g, name, sense)
    x.work = ENOUGH * (n + n_relations)
    refine(&x, n)
    if x.n_cells < n:
        separate(&x)
    number(&x, columns.root[g], <int32_t *> self.node_of.data)
