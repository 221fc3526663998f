"""Labelled graphs: the nodes and edges on which the Weisfeiler-Leman metrics (WLK, WWLK) work.

In AMR a constant (``:polarity -``, ``:op1 "Paris"``) is an attribute of a variable, not a node. Weisfeiler-Leman
relabelling passes messages between nodes. So every attribute becomes a node here, labelled with its value:

    (w / want-01 :polarity - :ARG0 (b / boy))        want-01 --:arg0--> boy
                                                      want-01 --:polarity--> -

The nodes of a graph are its variables in order, then its constants in the order of the attributes. Its edges are the
relations, then the attributes. A triple that a graph repeats is one edge. Labels and roles are *folded* ids: the caller
has mapped all labels that count as equal, for instance those that differ only in case or quotes, to one id.

The published program makes other graphs: :mod:`fastmatch._ext.graphs.labelled_program`.
"""

from libc.stdint cimport int32_t, int64_t

from fastmatch._ext.base.keyed cimport Table, place, table_clear, table_init
from fastmatch._ext.graphs.columns cimport Columns, count_variables

import numpy as np


def node_graphs(
    Columns corpus not None,
    const int32_t[::1] labels not None,
    const int32_t[::1] roles not None,
):
    """Make the labelled graphs of all graphs of a corpus.

    Parameters
    ----------
    corpus : Columns
    labels : int32, shape (n_labels,)
        Folded id of each concept, constant and name; as long as the vocabulary was when the corpus was made, or longer.
    roles : int32, shape (n_labels,)
        Folded id of each role.

    Returns
    -------
    node_offsets : int64, shape (n_graphs + 1,)
        Graph g has the nodes ``node_offsets[g]`` … ``node_offsets[g + 1] - 1``.
    node_labels : int32, shape (n_nodes,)
        Folded label of each node, -1 for a node without a label.
    edge_offsets : int64, shape (n_graphs + 1,)
        Graph g has the edges ``edge_offsets[g]`` … ``edge_offsets[g + 1] - 1``.
    edges : int32, shape (3, n_edges)
        Rows: source, folded role, target. Sources and targets are numbers of nodes within their graph, from 0.

    Raises
    ------
    IndexError
        If a label of the corpus lies beyond the end of ``labels`` or ``roles``.
    MemoryError
        If the graphs do not fit in memory.

    Notes
    -----
    Cost: linear in the triples, on average (the keys are hashed).
    """
    cdef Py_ssize_t n_graphs = corpus.n_graphs, g, k
    cdef int32_t n_ids = min(labels.shape[0], roles.shape[0])
    cdef Table edges_seen
    cdef int64_t at = 0, edge_at = 0, first
    cdef int32_t v, n, source, target, role, label
    cdef int32_t *found
    if corpus.n_labels > n_ids or corpus.n_names > n_ids:
        raise IndexError(f"a label of the corpus is out of range: labels and roles have {n_ids} entries")
    cdef Py_ssize_t n_attributes = corpus.attributes.shape[1], n_relations = corpus.relations.shape[1]
    node_offsets = np.zeros(n_graphs + 1, np.int64)
    node_labels = np.empty(corpus.variable_names.shape[0] + n_attributes, np.int32)
    edge_offsets = np.zeros(n_graphs + 1, np.int64)
    edges = np.empty((3, n_attributes + n_relations), np.int32)
    cdef int64_t[::1] node_offset = node_offsets, edge_offset = edge_offsets
    cdef int32_t[::1] node_label = node_labels
    cdef int32_t[:, ::1] edge = edges
    kept = []
    table_init(&edges_seen, corpus.most_triples, kept)
    with nogil:
        for g in range(n_graphs):
            table_clear(&edges_seen)
            n = count_variables(corpus, g)
            first = at
            for v in range(n):
                node_label[first + v] = -1
            # of several concepts of a variable the last one counts
            for k in range(corpus.instance_offsets[g], corpus.instance_offsets[g + 1]):
                v = corpus.instances[0, k]
                node_label[first + v] = labels[corpus.instances[1, k]] if corpus.instances[1, k] >= 0 else -1
            for k in range(corpus.relation_offsets[g], corpus.relation_offsets[g + 1]):
                role = roles[corpus.relations[1, k]]
                source = corpus.relations[0, k]
                target = corpus.relations[2, k]
                found = place(&edges_seen, source, role, target, True)
                if found[0] < 0:
                    found[0] = 0
                    edge[0, edge_at], edge[1, edge_at], edge[2, edge_at] = source, role, target
                    edge_at += 1
            for k in range(corpus.attribute_offsets[g], corpus.attribute_offsets[g + 1]):
                role = roles[corpus.attributes[1, k]]
                source = corpus.attributes[0, k]
                label = labels[corpus.attributes[2, k]] if corpus.attributes[2, k] >= 0 else -1
                found = place(&edges_seen, source, role, -2 - label, True)
                if found[0] < 0:
                    found[0] = 0
                    node_label[first + n] = label
                    edge[0, edge_at], edge[1, edge_at], edge[2, edge_at] = source, role, n
                    n += 1
                    edge_at += 1
            at = first + n
            node_offset[g + 1] = at
            edge_offset[g + 1] = edge_at
    return node_offsets, node_labels[:at].copy(), edge_offsets, np.ascontiguousarray(edges[:, :edge_at])
