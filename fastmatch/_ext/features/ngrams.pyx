"""N-grams of graphs (SemBleu): the labels along walks that follow the direction of the edges.

The nodes are the variables, labelled with their concepts, and the constants, one for each attribute, labelled with the
attribute's value. An n-gram of *order* k consists of the labels of k nodes and of the k - 1 edges between them, along a
walk that uses no edge twice. The n-grams of a graph are a bag: two walks with the same labels count twice. Source: Song
and Gildea (2019), "SemBleu".

The key of a walk is the key of the walk without its last step, joined with an edge and a node, so each walk costs two
joins. There are as many n-grams of order k as walks of k nodes. In a dense graph that is exponential in k, so there is
a limit: further walks are left out, and the graph is reported as *cut*.

``published`` reproduces the program ``sembleu``, which differs in four points:

* Repeated triples stay repeated.
* A relation with a role in ``-of`` is turned around, also if it leads to a constant.
* Walks start only at nodes that can be reached from nodes without an incoming edge, or from the first variable if every
  node has an incoming edge.
* The program notes the start of a walk among the edges that the walk has used. So a walk from constant c also avoids
  the edge whose number is, by coincidence, the number of c among the nodes.
"""

from libc.stdint cimport int32_t, int64_t, uint8_t, uint64_t
from libc.string cimport memset

from fastmatch._ext.features.keys cimport NO_LABEL, JoinTable, append_sorted, join, key_of, tag
from fastmatch._ext.features.keys import HASHING
from fastmatch._ext.features.sets import FeatureSets
from fastmatch._ext.base.columns cimport Column, filled, push, release, release_all, reserve
from fastmatch._ext.base.sorting cimport Pair, sort_pairs
from fastmatch._ext.graphs.columns cimport Columns, check_labels, count_attributes, count_relations, count_variables

import numpy as np

cdef enum:
    MOST_ORDER = 64


cdef struct Edge:
    int32_t source, target
    int32_t number          # the published program's number of the edge; -1 if no start is to avoid it
    uint64_t role


cdef inline int put(Column *bag, uint64_t key) except -1 nogil:
    (<uint64_t *> push(bag, sizeof(uint64_t)))[0] = key


cdef struct Scratch:
    uint64_t *labels        # of the nodes
    Edge *edges
    int32_t *leaving        # numbers of the edges, ordered by source
    int32_t *starts         # where those of each source begin
    uint8_t *reached
    int32_t *queue
    Pair *pairs             # room for three times the edges


cdef int walks_from(
    int32_t start, int32_t forbidden, int order, const Scratch *s, JoinTable joins, Column *bags, int64_t *left,
    uint8_t *cut,
) except -1 nogil:
    """Put the keys of all walks of at most ``order`` nodes from ``start`` into ``bags``, depth first.

    ``left`` walks of two nodes and more at most, a number that is lowered; ``cut`` is set where there are more.
    """
    cdef int32_t next_edge[MOST_ORDER]
    cdef int32_t path[MOST_ORDER]
    cdef int32_t nodes[MOST_ORDER]
    cdef uint64_t keys[MOST_ORDER]
    cdef int depth = 0, d
    cdef int32_t e
    cdef bint used
    nodes[0] = start
    keys[0] = s.labels[start]
    next_edge[0] = s.starts[start]
    put(&bags[0], keys[0])
    while depth >= 0:
        if depth == order - 1 or next_edge[depth] == s.starts[nodes[depth] + 1]:
            depth -= 1
            continue
        e = s.leaving[next_edge[depth]]
        next_edge[depth] += 1
        used = forbidden >= 0 and s.edges[e].number == forbidden
        for d in range(depth):
            used = used or path[d] == e
        if used:
            continue
        if left[0] <= 0:
            cut[0] = True
            return 0
        path[depth] = e
        depth += 1
        nodes[depth] = s.edges[e].target
        keys[depth] = join(joins, join(joins, keys[depth - 1], s.edges[e].role), s.labels[nodes[depth]])
        next_edge[depth] = s.starts[nodes[depth]]
        left[0] -= 1
        put(&bags[depth], keys[depth])


cdef int32_t reach(int32_t n_variables, int32_t n_nodes, int32_t n_edges, Scratch *s) noexcept nogil:
    """Mark the nodes that can be reached from nodes without an incoming edge; return their number.

    If every node has an incoming edge, the search starts at node 0.
    """
    cdef int32_t first = 0, last = 0, v, k
    memset(s.reached, 0, n_nodes)
    for k in range(n_edges):
        s.reached[s.edges[k].target] = 1
    for v in range(n_nodes):
        s.reached[v] = not s.reached[v]
        if s.reached[v]:
            s.queue[last] = v
            last += 1
    if last == 0 and n_nodes:
        s.reached[0] = 1
        s.queue[0] = 0
        last = 1
    while first < last:
        v = s.queue[first]
        first += 1
        for k in range(s.starts[v], s.starts[v + 1]):
            if not s.reached[s.edges[s.leaving[k]].target]:
                s.reached[s.edges[s.leaving[k]].target] = 1
                s.queue[last] = s.edges[s.leaving[k]].target
                last += 1
    return last


def ngram_bags(
    Columns corpus not None,
    const uint64_t[::1] label_keys not None,
    const uint64_t[::1] role_keys not None,
    const uint8_t[::1] turned not None,
    *,
    int order,
    bint published=False,
    int64_t most=10_000_000,
    JoinTable table=None,
):
    """Collect the n-grams of every graph of a corpus.

    Parameters
    ----------
    corpus : Columns
    label_keys : uint64, shape (n_labels,)
        Keys of concepts and values, as :func:`~fastmatch._ext.features.keys.label_keys` makes them.
    role_keys : uint64, shape (n_labels,)
        Keys of roles.
    turned : uint8, shape (n_labels,)
        1 for the roles, those of attributes included, whose edges are turned around; used only with ``published``.
    order : int
        The highest order, 1 to 64.
    published : bool
        Reproduce the published program; see the top of this module. By default every triple counts once, no edge is
        turned around and walks start at every node.
    most : int >= 0
        N-grams of order 2 and higher of one graph. Of those beyond, in the order of the nodes that walks start from and
        then depth first, none is counted. N-grams of order 1 always are.
    table : JoinTable, optional
        Numbers the n-grams exactly; without it they are hashed. Its lock is held during the call.

    Returns
    -------
    features : FeatureSets
        Bags with ``order`` levels, one an order. ``cut`` names the graphs that have more than ``most`` n-grams.
    lengths : int64, shape (n_graphs,)
        Number of nodes and edges of each graph.

    Raises
    ------
    ValueError
        If the tables of keys differ in length or lack a label of the corpus, if ``order`` is out of range, or if a
        graph has more than 2**30 nodes or edges.
    MemoryError
        If there is no room for the keys.

    Notes
    -----
    Cost: O(G log G) for a graph of G n-grams.
    """
    cdef Py_ssize_t n_graphs = corpus.n_graphs, n_labels = label_keys.shape[0], g, k, widest = 0, most_edges = 0
    cdef JoinTable joins = HASHING if table is None else table
    cdef Scratch s
    cdef Column bags[MOST_ORDER]        # the keys of each order, as they are found
    cdef int level
    cdef int64_t left
    cdef int32_t n
    if not 1 <= order <= MOST_ORDER:
        raise ValueError(f"order {order}: expected 1 to {MOST_ORDER}")
    if role_keys.shape[0] != n_labels or turned.shape[0] != n_labels:
        raise ValueError("the tables of keys differ in length")
    check_labels(corpus, n_labels)
    for g in range(n_graphs):
        widest = max(widest, count_variables(corpus, g) + count_attributes(corpus, g))
        most_edges = max(most_edges, count_attributes(corpus, g) + count_relations(corpus, g))
    if widest > 1 << 30 or most_edges > 1 << 30:
        raise ValueError("a graph has more than 2**30 nodes or edges")
    cdef uint64_t[::1] labels = np.empty(widest + 1, np.uint64)
    cdef uint8_t[::1] edges = np.empty((most_edges + 1) * sizeof(Edge), np.uint8)
    cdef int32_t[::1] leaving = np.empty(most_edges + 1, np.int32), starts = np.empty(widest + 2, np.int32)
    cdef uint8_t[::1] reached = np.empty(widest + 1, np.uint8)
    cdef int32_t[::1] queue = np.empty(widest + 1, np.int32)
    cdef int64_t[::1] pairs = np.empty(6 * (most_edges + 1), np.int64)
    s.labels, s.edges, s.leaving, s.starts = &labels[0], <Edge *> &edges[0], &leaving[0], &starts[0]
    s.reached, s.queue, s.pairs = &reached[0], &queue[0], <Pair *> &pairs[0]
    out_lengths = np.zeros(n_graphs, np.int64)
    out_offsets = np.zeros(n_graphs * order + 1, np.int64)
    cut = np.zeros(n_graphs, np.bool_)
    cdef uint8_t[::1] is_cut = cut.view(np.uint8)
    cdef int64_t[::1] lengths = out_lengths, offsets = out_offsets
    cdef Column keys = Column(NULL, 0, 0), counts = keys
    memset(bags, 0, sizeof(bags))
    try:
        with joins, nogil:
            for g in range(n_graphs):
                n = build(corpus, label_keys, role_keys, turned, g, published, &s, &lengths[g])
                left = most
                for level in range(order):
                    bags[level].used = 0
                for k in range(n):
                    if not published or s.reached[k]:
                        walks_from(
                            k, k if published and k >= count_variables(corpus, g) else -1,
                            order, &s, joins, bags, &left, &is_cut[g],
                        )
                gather(bags, order, &keys, &counts, &offsets[g * order])
        out_keys = filled(np.empty(keys.used, np.uint64), &keys)
        out_counts = filled(np.empty(counts.used, np.int32), &counts)
    finally:
        release_all(&bags[0], &bags[order - 1])
        release(&keys)
        release(&counts)
    return FeatureSets(out_offsets, out_keys, out_counts, order, cut), out_lengths


cdef int gather(Column *bags, int order, Column *keys, Column *counts, int64_t *offsets) except -1 nogil:
    """Append the keys of each order, sorted and counted, to the output."""
    cdef int level
    cdef int64_t n
    cdef uint64_t *found
    for level in range(order):
        n = bags[level].used
        reserve(&bags[level], n, sizeof(uint64_t))
        reserve(keys, n, sizeof(uint64_t))
        reserve(counts, n, sizeof(int32_t))
        found = <uint64_t *> bags[level].data
        keys.used = counts.used = append_sorted(
            found, n, found + n, <uint64_t *> keys.data, <int32_t *> counts.data, keys.used
        )
        offsets[level + 1] = keys.used


cdef int32_t build(
    Columns corpus, const uint64_t[::1] label_keys, const uint64_t[::1] role_keys, const uint8_t[::1] turned,
    Py_ssize_t g, bint published, Scratch *s, int64_t *length,
) noexcept nogil:
    """Build the nodes and edges of one graph, set ``length``, mark what can be reached; return the number of nodes."""
    cdef int32_t n_variables = count_variables(corpus, g), n = n_variables, n_edges = 0
    cdef int32_t v, e, source, target, number = n_variables
    cdef int64_t a = corpus.attribute_offsets[g], a_end = corpus.attribute_offsets[g + 1]
    cdef int64_t r = corpus.relation_offsets[g], r_end = corpus.relation_offsets[g + 1], k, n_pairs
    cdef bint constant
    for v in range(n_variables):
        s.labels[v] = tag(NO_LABEL)
    # backwards: of several concepts of a variable the first stays
    for k in range(corpus.instance_offsets[g + 1] - 1, corpus.instance_offsets[g] - 1, -1):
        s.labels[corpus.instances[0, k]] = key_of(label_keys, corpus.instances[1, k])
    if published:
        # both tables in the order of their positions, as in the program, which also numbers the labels as edges
        while a < a_end or r < r_end:
            constant = r == r_end or (a < a_end and corpus.attributes[3, a] < corpus.relations[3, r])
            if constant:
                s.labels[n] = key_of(label_keys, corpus.attributes[2, a])
                number += 1
                add_edge(s, n_edges, corpus.attributes[0, a], corpus.attributes[1, a], n, number, role_keys, turned)
                n += 1
                a += 1
            else:
                add_edge(
                    s, n_edges, corpus.relations[0, r], corpus.relations[1, r], corpus.relations[2, r], number,
                    role_keys, turned,
                )
                r += 1
            number += 1
            n_edges += 1
    else:
        n_pairs = 0
        for k in range(r, r_end):
            s.pairs[n_pairs].major = (<int64_t> corpus.relations[0, k] << 32) | corpus.relations[2, k]
            s.pairs[n_pairs].minor = <int64_t> key_of(role_keys, corpus.relations[1, k])
            n_pairs += 1
        sort_pairs(s.pairs, n_pairs, s.pairs + n_pairs)
        for k in range(n_pairs):
            if k and s.pairs[k - 1].major == s.pairs[k].major and s.pairs[k - 1].minor == s.pairs[k].minor:
                continue
            source, target = <int32_t> (s.pairs[k].major >> 32), <int32_t> (s.pairs[k].major & 0x7FFFFFFF)
            s.edges[n_edges] = Edge(source, target, -1, <uint64_t> s.pairs[k].minor)
            n_edges += 1
        n_pairs = 0
        for k in range(a, a_end):
            s.pairs[n_pairs] = Pair(corpus.attributes[0, k], k)
            n_pairs += 1
        sort_pairs(s.pairs, n_pairs, s.pairs + n_pairs)
        n = constants_of(corpus, label_keys, role_keys, n_pairs, n, &n_edges, s)
    memset(s.starts, 0, (n + 2) * sizeof(int32_t))
    for e in range(n_edges):
        s.starts[s.edges[e].source + 2] += 1
    for v in range(n):
        s.starts[v + 2] += s.starts[v + 1]
    for e in range(n_edges):
        s.leaving[s.starts[s.edges[e].source + 1]] = e
        s.starts[s.edges[e].source + 1] += 1
    length[0] = n + n_edges
    if published:
        reach(n_variables, n, n_edges, s)
    return n


cdef inline void add_edge(
    Scratch *s, int32_t e, int32_t source, int32_t role, int32_t target, int32_t number,
    const uint64_t[::1] role_keys, const uint8_t[::1] turned,
) noexcept nogil:
    if role >= 0 and turned[role]:
        source, target = target, source
    s.edges[e] = Edge(source, target, number, key_of(role_keys, role))


cdef int32_t constants_of(
    Columns corpus, const uint64_t[::1] label_keys, const uint64_t[::1] role_keys,
    int64_t n_pairs, int32_t n, int32_t *n_edges, Scratch *s,
) noexcept nogil:
    """Add a node and an edge for every distinct attribute; return the number of nodes so far.

    ``s.pairs`` holds the attributes, ordered by variable.
    """
    cdef int64_t first = 0, k, stop, row
    cdef int32_t variable
    cdef Pair *of_one = s.pairs + n_pairs
    while first < n_pairs:
        stop = first
        while stop < n_pairs and s.pairs[stop].major == s.pairs[first].major:
            stop += 1
        variable = <int32_t> s.pairs[first].major
        for k in range(first, stop):
            row = s.pairs[k].minor
            of_one[k - first].major = <int64_t> key_of(role_keys, corpus.attributes[1, row])
            of_one[k - first].minor = <int64_t> key_of(label_keys, corpus.attributes[2, row])
        sort_pairs(of_one, stop - first, of_one + n_pairs)
        for k in range(stop - first):
            if k and of_one[k - 1].major == of_one[k].major and of_one[k - 1].minor == of_one[k].minor:
                continue
            s.labels[n] = <uint64_t> of_one[k].minor
            s.edges[n_edges[0]] = Edge(variable, n, -1, <uint64_t> of_one[k].major)
            n_edges[0] += 1
            n += 1
        first = stop
    return n
