"""Sub-graphs of one aspect of meaning, and the triples that given alignments match.

:func:`extract` marks in every graph of a corpus the triples of one aspect (a role, a group of concepts, re-entrancies)
and the triples connected to them. The definition is that of smatchpp 1.8.0 (Opitz 2023, section 7). Nodes are variables
and constants, and a concept is a constant.
"""

from libc.stdint cimport int32_t, int64_t, uint8_t

from fastmatch._ext.base.kept cimport space, zeros
from fastmatch._ext.base.pairs cimport check_mapping, check_pairs, check_room
from fastmatch._ext.graphs.columns cimport Columns, count_variables
from fastmatch._ext.matching.coarse cimport map_value
from fastmatch._ext.matching.problem cimport GraphView, view_graph
from fastmatch._ext.matching.triples cimport TripleFeatures

import numpy as np


# A triple: an instance, an attribute or a relation.
cdef struct Edge:
    int32_t source                    # node: a variable from 0 up, or a constant as -2 - label
    int32_t target                    # node
    int32_t role                      # -1 for an instance
    uint8_t triggers                  # it is marked in step 1 because of its role
    uint8_t inside                    # it is marked
    uint8_t fresh                     # step 4 will mark it


# Arrays with one entry for every node, see place().
cdef struct Nodes:
    int64_t *mark                     # a node is marked if this is the current stamp
    int32_t *n_in                     # triples that lead to the node, without instances
    int32_t *n_out                    # triples that leave it


cdef inline Py_ssize_t place(int32_t node, int32_t n_variables) noexcept nogil:
    return node if node >= 0 else n_variables - 1 - node


cdef void mark_ends(
    const Edge *edges, Py_ssize_t n_edges, int64_t *mark, int32_t n_variables, int64_t stamp, bint sources, bint targets
) noexcept nogil:
    """Mark the sources, or targets, of the triples that are marked."""
    cdef Py_ssize_t k
    for k in range(n_edges):
        if edges[k].inside and sources:
            mark[place(edges[k].source, n_variables)] = stamp
        if edges[k].inside and targets:
            mark[place(edges[k].target, n_variables)] = stamp


def extract(
    Columns corpus not None,
    const uint8_t[::1] turned not None,
    const uint8_t[::1] triggers not None,
    const uint8_t[::1] group not None,
    *,
    int32_t root_role,
    bint concepts=False,
    int depth=0,
    bint parents=False,
    bint predicates=False,
    bint reentrancies=False,
):
    """Mark the triples of one aspect in every graph.

    1. Mark triples with a role in ``triggers``, instances if ``concepts``, and all triples of a variable that has a
       concept or constant in ``group``. With ``reentrancies``, mark instead the triples that lead to a variable that
       is the target of several.
    2. ``depth`` times, mark the triples that leave the target of a marked triple.
    3. With ``parents``, mark the triples that lead to the source of a marked triple.
    4. With ``predicates``, mark the triples that lead to a node of a marked triple from a node that has no other triple
       but instances. The triple that marks the root is left out.
    5. Mark the instances of all variables in marked triples.

    Parameters
    ----------
    corpus : Columns
    turned : uint8, shape (n_labels,)
        1 if an attribute with this role leads from its constant to its variable.
    triggers : uint8, shape (n_labels,)
        Roles of step 1: 1 for triples that leave their variable, 2 for attributes that lead to it, 3 for both.
    group : uint8, shape (n_labels,)
        1 for the concepts and constants of step 1.
    root_role : int
        Role of the attribute that marks the root, -1 if there is none.
    concepts, parents, predicates, reentrancies : bool
        See the steps.
    depth : int >= 0
        See step 2.

    Returns
    -------
    instances, attributes, relations : uint8, shape (number of each,)
        1 for marked triples.

    Raises
    ------
    ValueError
        If an array has not one entry a label.
    MemoryError
        If the arrays do not fit in memory.

    Notes
    -----
    O((1 + depth) T) for a graph of T triples.
    """
    cdef Py_ssize_t n_labels = turned.shape[0], n_nodes = corpus.most_variables + n_labels + 2
    if n_labels < corpus.n_labels or triggers.shape[0] != n_labels or group.shape[0] != n_labels:
        raise ValueError("turned, triggers and group must have one entry a label")
    out = (
        np.zeros(corpus.instances.shape[1], np.uint8),
        np.zeros(corpus.attributes.shape[1], np.uint8),
        np.zeros(corpus.relations.shape[1], np.uint8),
    )
    cdef uint8_t[::1] keep_instances = out[0]
    cdef uint8_t[::1] keep_attributes = out[1]
    cdef uint8_t[::1] keep_relations = out[2]
    kept = []
    cdef Edge *edges = <Edge *> space(kept, corpus.most_triples, sizeof(Edge))
    cdef Nodes nodes
    nodes.mark = <int64_t *> zeros(kept, n_nodes, sizeof(int64_t))
    nodes.n_in = <int32_t *> zeros(kept, n_nodes, sizeof(int32_t))
    nodes.n_out = <int32_t *> zeros(kept, n_nodes, sizeof(int32_t))
    cdef Py_ssize_t g, k, n, n_edges, n_instances
    cdef int32_t n_variables
    cdef int64_t stamp = 0
    cdef int _
    cdef Edge *edge
    cdef bint any_inside
    with nogil:
        for g in range(corpus.n_graphs):
            n_variables = count_variables(corpus, g)
            n = 0
            for k in range(corpus.instance_offsets[g], corpus.instance_offsets[g + 1]):
                edge = &edges[n]
                edge.source, edge.target, edge.role = corpus.instances[0, k], -2 - corpus.instances[1, k], -1
                edge.triggers = concepts
                n += 1
            n_instances = n
            for k in range(corpus.attribute_offsets[g], corpus.attribute_offsets[g + 1]):
                edge = &edges[n]
                edge.source, edge.target = corpus.attributes[0, k], -2 - corpus.attributes[2, k]
                edge.role = corpus.attributes[1, k]
                edge.triggers = triggers[edge.role] & 1
                if turned[edge.role]:
                    edge.source, edge.target = edge.target, edge.source
                    edge.triggers = triggers[edge.role] & 2
                n += 1
            for k in range(corpus.relation_offsets[g], corpus.relation_offsets[g + 1]):
                edge = &edges[n]
                edge.source, edge.target = corpus.relations[0, k], corpus.relations[2, k]
                edge.role = corpus.relations[1, k]
                edge.triggers = triggers[edge.role] & 1
                n += 1
            n_edges = n

            # 1. roles, concepts and constants, or re-entrancies
            stamp += 1
            any_inside = False
            if not reentrancies:
                for k in range(n_edges):
                    if edges[k].target < -1 and group[-2 - edges[k].target] and edges[k].source >= 0:
                        nodes.mark[edges[k].source] = stamp
            if reentrancies or predicates:
                count(edges, n_edges, n_instances, n_variables, &nodes, 1)
            for k in range(n_edges):
                edge = &edges[k]
                edge.fresh = False
                if reentrancies:
                    edge.inside = k >= n_instances and edge.target >= 0 and nodes.n_in[edge.target] > 1
                else:
                    edge.inside = (
                        edge.triggers != 0
                        or (edge.source >= 0 and nodes.mark[edge.source] == stamp)
                        or (edge.target >= 0 and nodes.mark[edge.target] == stamp)
                    )
                any_inside = any_inside or edge.inside
            if any_inside:
                # 2. triples that leave a target
                for _ in range(depth):
                    stamp += 1
                    mark_ends(edges, n_edges, nodes.mark, n_variables, stamp, False, True)
                    for k in range(n_instances, n_edges):
                        if nodes.mark[place(edges[k].source, n_variables)] == stamp:
                            edges[k].inside = True
                # 3. parents
                if parents:
                    stamp += 1
                    mark_ends(edges, n_edges, nodes.mark, n_variables, stamp, True, False)
                    for k in range(n_edges):
                        if nodes.mark[place(edges[k].target, n_variables)] == stamp:
                            edges[k].inside = True
                # 4. predicates
                if predicates:
                    stamp += 1
                    mark_ends(edges, n_edges, nodes.mark, n_variables, stamp, True, True)
                    for k in range(n_instances, n_edges):
                        edge = &edges[k]
                        edge.fresh = (
                            edge.role != root_role
                            and nodes.mark[place(edge.target, n_variables)] == stamp
                            and nodes.n_in[place(edge.source, n_variables)] == 0
                            and nodes.n_out[place(edge.source, n_variables)] == 1
                        )
                    for k in range(n_instances, n_edges):
                        edges[k].inside = edges[k].inside or edges[k].fresh
                # 5. instances
                stamp += 1
                for k in range(n_edges):
                    if edges[k].inside:
                        nodes.mark[place(edges[k].source, n_variables)] = stamp
                        nodes.mark[place(edges[k].target, n_variables)] = stamp
                for k in range(n_instances):
                    if nodes.mark[edges[k].source] == stamp:
                        edges[k].inside = True
                n = 0
                for k in range(corpus.instance_offsets[g], corpus.instance_offsets[g + 1]):
                    keep_instances[k] = edges[n].inside
                    n += 1
                for k in range(corpus.attribute_offsets[g], corpus.attribute_offsets[g + 1]):
                    keep_attributes[k] = edges[n].inside
                    n += 1
                for k in range(corpus.relation_offsets[g], corpus.relation_offsets[g + 1]):
                    keep_relations[k] = edges[n].inside
                    n += 1
            if reentrancies or predicates:
                count(edges, n_edges, n_instances, n_variables, &nodes, -1)
    return out


cdef void count(
    const Edge *edges, Py_ssize_t n_edges, Py_ssize_t n_instances, int32_t n_variables, Nodes *nodes, int32_t step
) noexcept nogil:
    """Add ``step`` to the counts of nodes for each triple that is no instance; -1 sets them back to 0."""
    cdef Py_ssize_t k
    for k in range(n_instances, n_edges):
        nodes.n_in[place(edges[k].target, n_variables)] += step
        nodes.n_out[place(edges[k].source, n_variables)] += step


def count_matched(
    TripleFeatures a not None,
    TripleFeatures b not None,
    const int32_t[::1] index_a not None,
    const int32_t[::1] index_b not None,
    const int64_t[::1] mapping_offsets not None,
    const int32_t[::1] mapping not None,
):
    """Triples that given alignments match.

    Parameters
    ----------
    a, b : TripleFeatures
        Features of the two corpora, in which each triple counts once.
    index_a, index_b : int32, shape (n_pairs,)
        Graphs of each pair.
    mapping_offsets : int64, shape (n_pairs + 1,)
    mapping : int32
        mapping[mapping_offsets[k] + i] is the variable of b's graph that variable i of a's graph is mapped to in pair
        k, or -1.

    Returns
    -------
    int64, shape (n_pairs,)

    Raises
    ------
    IndexError, ValueError
        If an index or an array's length does not fit.

    Notes
    -----
    O(T log T) for a pair of T triples.
    """
    cdef Py_ssize_t n_pairs = index_a.shape[0], k
    cdef GraphView view_a, view_b
    check_pairs(index_a, index_b, 0, n_pairs, a.n_graphs, b.n_graphs, n_pairs)
    check_mapping(mapping_offsets, mapping, n_pairs)
    for k in range(n_pairs):
        check_room(mapping_offsets, mapping, k, a.variables[index_a[k]])
    out = np.zeros(n_pairs, np.int64)
    cdef int64_t[::1] matched = out
    with nogil:
        for k in range(n_pairs):
            view_graph(&view_a, a, index_a[k])
            view_graph(&view_b, b, index_b[k])
            if not view_a.n_variables:
                continue
            matched[k] = map_value(&view_a, &view_b, &mapping[mapping_offsets[k]])
    return out
