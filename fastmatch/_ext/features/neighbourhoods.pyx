"""Weisfeiler-Leman labels: labels of nodes that describe their neighbourhoods, extended round by round.

In each round the new label of a node is made of its old label and of the bag of (role, label) pairs of its neighbours.
All nodes change at once. A graph is the bag of its nodes' labels, one *level* a round: level 0 holds the given labels,
level k those after k rounds. Source: Shervashidze et al. (2011); Opitz, Daza and Frank (2021), "Weisfeiler-Leman in the
BAMBOO", section 3.1.

A label is a key (:mod:`fastmatch._ext.features.keys`): that of the old label joined with those of the neighbours in
ascending order. So equal bags give equal keys, and no text grows. The graphs come from
:mod:`fastmatch._ext.graphs.labelled` and :mod:`fastmatch._ext.graphs.labelled_program`.

``by_label`` reproduces an error of the published program (weisfeiler-leman-amr-metrics 0.4). It stores new labels by
old label instead of by node. So all nodes with the same old label get the new label of the last of them.
"""

from libc.stdint cimport int32_t, int64_t, uint64_t
from libc.string cimport memset

from fastmatch._ext.features.keys cimport JoinTable, append_sorted, join, key_of, tag
from fastmatch._ext.features.keys import HASHING
from fastmatch._ext.features.sets import FeatureSets
from fastmatch._ext.base.division cimport check_edges
from fastmatch._ext.base.kept cimport space
from fastmatch._ext.base.sorting cimport Pair, sort_keys, sort_pairs

import numpy as np

cdef enum Kind:
    RELABELLED = 1, TURNED, TRIPLE

cdef enum:
    MOST_ROUNDS = 100


def label_bags(
    const int64_t[::1] node_offsets not None,
    const int32_t[::1] node_labels not None,
    const int64_t[::1] edge_offsets not None,
    const int32_t[:, ::1] edges not None,
    const uint64_t[::1] label_keys not None,
    const uint64_t[::1] role_keys not None,
    *,
    int rounds,
    bint down,
    bint up,
    bint mark_turned=False,
    bint triples=False,
    bint counted=True,
    bint by_label=False,
    JoinTable table=None,
):
    """Collect the Weisfeiler-Leman labels of labelled graphs.

    Parameters
    ----------
    node_offsets : int64, shape (n_graphs + 1,)
    node_labels : int32, shape (n_nodes,)
    edge_offsets : int64, shape (n_graphs + 1,)
    edges : int32, shape (3, n_edges)
        The graphs, as :func:`~fastmatch._ext.graphs.labelled.node_graphs` returns them.
    label_keys, role_keys : uint64, shape (n_labels,)
        Key of each label as a node's label and as a role.
    rounds : int
        0 to 100.
    down : bool
        The targets of edges receive the labels of the sources.
    up : bool
        The sources of edges receive the labels of the targets.
    mark_turned : bool
        Keep labels received from a source (``down``) apart from those received from a target.
    triples : bool
        Add (label, role, label) of every edge to level 0.
    counted : bool
        Make bags; otherwise sets.
    by_label : bool
        Reproduce the published program; see the top of this module.
    table : JoinTable, optional
        Numbers the labels exactly; without it they are hashed. Its lock is held during the call.

    Returns
    -------
    FeatureSets
        Of ``rounds + 1`` levels.

    Raises
    ------
    ValueError, IndexError
        If an offset, node or label lies outside its table, if ``rounds`` is out of range, or if a graph has more than
        2**30 nodes or 2**29 edges.
    MemoryError
        If the table cannot grow.

    Notes
    -----
    Cost: O(rounds · (N log N + E log D)) for a graph of N nodes and E edges, at most D of them at one node.
    """
    cdef Py_ssize_t n_graphs = node_offsets.shape[0] - 1, n_labels = label_keys.shape[0], g, k, n
    cdef Py_ssize_t most_nodes = 0, most_edges = 0, total, used = 0, n_rounds = rounds + 1, step
    cdef int64_t n_nodes
    cdef int32_t v, source, target
    cdef uint64_t key
    cdef JoinTable joins = HASHING if table is None else table
    if not 0 <= rounds <= MOST_ROUNDS:
        raise ValueError(f"rounds {rounds}: expected 0 to {MOST_ROUNDS}")
    if role_keys.shape[0] != n_labels:
        raise ValueError("the tables of keys differ in length")
    check_edges(node_offsets, node_labels.shape[0], edge_offsets, edges)
    for k in range(node_labels.shape[0]):
        if not -1 <= node_labels[k] < n_labels:
            raise ValueError(f"the label of node {k} lies outside its table")
    for k in range(edges.shape[1]):
        if not -1 <= edges[1, k] < n_labels:
            raise ValueError(f"the role of edge {k} lies outside its table")
    for g in range(n_graphs):
        most_nodes = max(most_nodes, node_offsets[g + 1] - node_offsets[g])
        most_edges = max(most_edges, edge_offsets[g + 1] - edge_offsets[g])
    if most_nodes > 1 << 30 or most_edges > 1 << 29:
        raise ValueError("a graph has more than 2**30 nodes or 2**29 edges")
    cdef Py_ssize_t widest = max(most_nodes + most_edges, 2 * most_edges) + 1
    total = n_rounds * node_labels.shape[0] + (edges.shape[1] if triples else 0)
    out_offsets = np.zeros(n_graphs * n_rounds + 1, np.int64)
    out_keys = np.empty(total + 1, np.uint64)
    out_counts = np.empty(total + 1, np.int32)
    cdef uint64_t[::1] keys = out_keys
    cdef int32_t[::1] counts = out_counts
    cdef int64_t[::1] offsets = out_offsets
    kept = []
    cdef uint64_t *labels = <uint64_t *> space(kept, 2 * most_nodes, sizeof(uint64_t))
    cdef uint64_t *renewed = labels + most_nodes
    cdef uint64_t *received = <uint64_t *> space(kept, 2 * widest, sizeof(uint64_t))
    cdef int32_t *starts = <int32_t *> space(kept, most_nodes + 2, sizeof(int32_t))
    cdef Pair *pairs = <Pair *> space(kept, 2 * most_nodes, sizeof(Pair))
    with joins, nogil:
        for g in range(n_graphs):
            n_nodes = node_offsets[g + 1] - node_offsets[g]
            for v in range(n_nodes):
                labels[v] = key_of(label_keys, node_labels[node_offsets[g] + v])
            # where the pairs that each node receives begin
            memset(starts, 0, (n_nodes + 1) * sizeof(int32_t))
            for k in range(edge_offsets[g], edge_offsets[g + 1]):
                starts[edges[0, k] + 1] += up
                starts[edges[2, k] + 1] += down
            for v in range(n_nodes):
                starts[v + 1] += starts[v]
            n = 0
            if triples:
                for k in range(edge_offsets[g], edge_offsets[g + 1]):
                    key = join(joins, join(joins, tag(TRIPLE), labels[edges[0, k]]), key_of(role_keys, edges[1, k]))
                    received[n] = join(joins, key, labels[edges[2, k]])
                    n += 1
            for v in range(n_nodes):
                received[n] = labels[v]
                n += 1
            used = append_sorted(received, n, received + widest, &keys[0], &counts[0], used)
            offsets[g * n_rounds + 1] = used
            for step in range(1, n_rounds):
                for k in range(edge_offsets[g], edge_offsets[g + 1]):
                    source, target = edges[0, k], edges[2, k]
                    key = key_of(role_keys, edges[1, k])
                    if up:
                        received[starts[source]] = join(joins, key, labels[target])
                        starts[source] += 1
                    if down:
                        if mark_turned:
                            key = join(joins, tag(TURNED), key)
                        received[starts[target]] = join(joins, key, labels[source])
                        starts[target] += 1
                n = 0       # each start has moved to the end of the node's pairs, where those of the next node begin
                for v in range(n_nodes):
                    sort_keys(received + n, starts[v] - n, received + widest)
                    key = join(joins, tag(RELABELLED), labels[v])
                    for k in range(n, starts[v]):
                        key = join(joins, key, received[k])
                    renewed[v] = key
                    k = starts[v]
                    starts[v] = <int32_t> n
                    n = k
                if by_label:
                    agree(labels, renewed, <int32_t> n_nodes, pairs, pairs + most_nodes)
                for v in range(n_nodes):
                    labels[v] = renewed[v]
                    received[v] = renewed[v]
                used = append_sorted(received, n_nodes, received + widest, &keys[0], &counts[0], used)
                offsets[g * n_rounds + step + 1] = used
    # few labels stand twice in a graph, so no copies are made: what is left over was never touched
    return FeatureSets(out_offsets, out_keys[:used], out_counts[:used] if counted else None, n_rounds)


cdef inline void agree(
    const uint64_t *labels, uint64_t *renewed, int32_t n_nodes, Pair *pairs, Pair *scratch
) noexcept nogil:
    """Give all nodes with the same old label the new label of the last of them."""
    cdef int32_t k
    for k in range(n_nodes):
        pairs[k] = Pair(<int64_t> labels[k], k)
    sort_pairs(pairs, n_nodes, scratch)
    for k in range(n_nodes - 1, 0, -1):
        if pairs[k - 1].major == pairs[k].major:
            renewed[pairs[k - 1].minor] = renewed[pairs[k].minor]
