"""The graph with the best mean score over given nodes, from the votes of candidates on its triples.

Each triple over these nodes, and over nodes that only candidates have, has votes. With the maps as they are, a graph
of s triples of which Cᵢ are those of candidate i has the mean score Σ 2 wᵢ Cᵢ / (s + |cᵢ|). So each triple that is
added brings W = Σ 2 wᵢ / (s + |cᵢ|) over the candidates that have it, and costs λ = Σ 2 wᵢ Cᵢ / (s + |cᵢ|)², because
the graph gets larger. The graph with the largest Σ (W − λ) is looked for on the maximum spanning tree of all relations,
where the best part that holds the root is found by one pass from the leaves; then W and λ are those of that graph,
until nothing improves. What comes out is connected, has a root, and has one concept a node.

A *label* here is a concept, an attribute or a loop of a node, with the candidates that have it; an *edge* is a relation
with those that have it.
"""

from libc.math cimport INFINITY
from libc.stdint cimport int32_t, int64_t, uint8_t, uint32_t
from libc.string cimport memcpy, memset

from fastmatch._ext.base.kept cimport space, zeros
from fastmatch._ext.base.sorting cimport Pair, sort_pairs

import numpy as np

cdef enum:
    ANY = -9                          # any role, or any concept
    CONCEPT = -1
    NOTHING = -2                      # the concept of a node for which no candidate has one
    TOP_CONSTANT = 1
    TOP_CONCEPT = 2
    ROOTS = 3                         # nodes that are tried as the root: those with the most votes

cdef double LEAST = 1e-12             # what grows by less has not grown


cdef struct Unary:                    # a concept, an attribute or a loop
    int32_t node
    int32_t role
    int32_t value
    int32_t written_role
    int32_t written_value
    int32_t voter


cdef struct Relation:
    int32_t source
    int32_t role
    int32_t target
    int32_t written
    int32_t voter


cdef inline int64_t falling(double gain) noexcept nogil:
    """A number that falls where a gain ≥ 0 rises."""
    cdef int64_t bits
    memcpy(&bits, &gain, sizeof(bits))
    return -bits


cdef inline int32_t first_of(int32_t[::1] parents, int32_t node) noexcept nogil:
    while parents[node] != node:
        parents[node] = parents[parents[node]]
        node = parents[node]
    return node


cdef inline bint is_among(const int32_t *numbers, Py_ssize_t n, int32_t number) noexcept nogil:
    cdef Py_ssize_t k
    for k in range(n):
        if numbers[k] == number:
            return True
    return False


cdef Py_ssize_t grouped(
    Pair *pairs, Pair *scratch, Py_ssize_t n_rows, int32_t[::1] order, int32_t[::1] starts,
) noexcept nogil:
    """Sort rows; those that are equal but for the lower half of ``minor``, the row, are a group. Returns how many."""
    cdef Py_ssize_t k, n_groups = 0
    sort_pairs(pairs, n_rows, scratch)
    for k in range(n_rows):
        order[k] = <int32_t> <uint32_t> pairs[k].minor
        if k == 0 or pairs[k].major != pairs[k - 1].major or pairs[k].minor >> 32 != pairs[k - 1].minor >> 32:
            starts[n_groups] = <int32_t> k
            n_groups += 1
    starts[n_groups] = <int32_t> n_rows
    return n_groups


cdef int32_t known_place(dict known, tuple keys, uint8_t *used, int32_t n_nodes) except -1:
    """The node that one of these keys stands for, if this candidate has not used it, else a new one."""
    cdef int32_t found = n_nodes
    for key in keys:
        other = known.get(key)
        if other is not None and not used[<int32_t> other]:
            found = other
            break
    for key in keys:
        known.setdefault(key, found)
    used[found] = 1
    return found


cdef class Votes:
    """The triples of the candidates of one sentence.

    Parameters
    ----------
    graphs : sequence of (n_nodes, root, unary, relations)
        The candidates, as :class:`fastmatch.ensembles.labels.GraphTriples` has them.
    weights, sizes : sequence of float
        The weight of each candidate, and its number of triples.

    Attributes
    ----------
    rooted : bool
        A candidate has a root.

    Raises
    ------
    ValueError, IndexError
        If lengths or nodes do not fit.
    """

    cdef list kept
    cdef readonly bint rooted
    cdef Py_ssize_t n_voters
    cdef Py_ssize_t n_unary
    cdef Py_ssize_t n_relations
    cdef Unary *unary                 # of all candidates, one after the other; nodes are those of the candidate
    cdef Relation *relations
    cdef int32_t *node_start          # [n_voters + 1] where the nodes of each candidate begin, in tables of all
    cdef int32_t *relation_start      # [n_voters + 1]
    cdef int32_t *concepts            # of each node; -1: it is not written
    cdef int32_t *roots               # of each candidate, or -1
    cdef int32_t *root_concepts
    cdef double *weights
    cdef double *sizes

    def __cinit__(self, graphs, weights, sizes):
        cdef Py_ssize_t v, k
        cdef Unary *one
        cdef Relation *two
        cdef int32_t n_nodes
        self.kept, self.n_voters = [], len(graphs)
        if not self.n_voters == len(weights) == len(sizes):
            raise ValueError("graphs, weights and sizes differ in length")
        self.n_unary, self.n_relations = sum([len(g[2]) for g in graphs]), sum([len(g[3]) for g in graphs])
        self.unary = one = <Unary *> space(self.kept, self.n_unary, sizeof(Unary))
        self.relations = two = <Relation *> space(self.kept, self.n_relations, sizeof(Relation))
        self.node_start = <int32_t *> zeros(self.kept, self.n_voters + 1, sizeof(int32_t))
        self.relation_start = <int32_t *> zeros(self.kept, self.n_voters + 1, sizeof(int32_t))
        self.concepts = <int32_t *> space(self.kept, sum([max(0, g[0]) for g in graphs]), sizeof(int32_t))
        self.roots = <int32_t *> space(self.kept, self.n_voters, sizeof(int32_t))
        self.root_concepts = <int32_t *> space(self.kept, self.n_voters, sizeof(int32_t))
        self.weights = <double *> space(self.kept, self.n_voters, sizeof(double))
        self.sizes = <double *> space(self.kept, self.n_voters, sizeof(double))
        for v in range(self.n_voters):
            n_nodes, self.roots[v], unary, relations = graphs[v]
            self.weights[v], self.sizes[v] = weights[v], sizes[v]
            if n_nodes < 0:
                raise ValueError("fewer than 0 nodes")
            concepts = self.concepts + self.node_start[v]
            for k in range(n_nodes):
                concepts[k] = NOTHING
            for row in unary:
                one.node, one.role, one.value, one.written_role, one.written_value = row
                one.voter = <int32_t> v
                if not 0 <= one.node < n_nodes:
                    raise IndexError("a triple of a node that its candidate lacks")
                if one.role == CONCEPT and concepts[one.node] == NOTHING:
                    concepts[one.node] = one.value
                one += 1
            for row in relations:
                two.source, two.role, two.target, two.written = row
                two.voter = <int32_t> v
                if not (0 <= two.source < n_nodes and 0 <= two.target < n_nodes):
                    raise IndexError("a relation of a node that its candidate lacks")
                two += 1
            if not -1 <= self.roots[v] < n_nodes:
                raise IndexError("a root that its candidate lacks")
            self.rooted = self.rooted or self.roots[v] >= 0
            self.root_concepts[v] = concepts[self.roots[v]] if self.roots[v] >= 0 else -1
            self.node_start[v + 1] = self.node_start[v] + n_nodes
            self.relation_start[v + 1] = <int32_t> (two - self.relations)

    cdef int32_t place(self, list maps, int32_t n_nodes, int32_t *places, list once) except -1:
        """Write the node that each node of each candidate stands for: one that exists, or a new one.

        A node without a partner hangs on another one by a relation. Two such nodes of two candidates are one new node
        if they hang on the same node in the same direction, and have the same role and concept, or else the same
        concept, or else the same role. Returns the number of nodes, the new ones counted too.
        """
        cdef Py_ssize_t v, k, n_rest, n_later, lacking
        cdef int32_t source, target, node, place, n
        cdef int32_t *at
        cdef int32_t *own
        cdef Relation *row
        cdef dict known = {}
        cdef uint8_t *used = <uint8_t *> space(once, max(0, n_nodes) + self.node_start[self.n_voters], 1)
        cdef Relation **rest = <Relation **> space(once, self.n_relations, sizeof(Relation *))
        if len(maps) != self.n_voters or n_nodes < 0:
            raise ValueError("not as many maps as candidates, or fewer than 0 nodes")
        for v in range(self.n_voters):
            if len(maps[v]) != self.node_start[v + 1] - self.node_start[v]:
                raise ValueError("a map of another number of nodes than its candidate has")
            for k, other in enumerate(maps[v], self.node_start[v]):
                places[k] = other
                if not -1 <= places[k] < n_nodes:
                    raise IndexError("a map to a node that there is not")
        for v in range(self.n_voters):
            n = self.node_start[v + 1] - self.node_start[v]
            at, own = places + self.node_start[v], self.concepts + self.node_start[v]
            lacking = 0
            memset(used, 0, n_nodes)     # a node that comes later is used by the candidate that makes it
            for k in range(n):
                if at[k] < 0:
                    lacking += 1
                else:
                    used[at[k]] = 1
            n_rest = self.relation_start[v + 1] - self.relation_start[v]
            for k in range(n_rest):
                rest[k] = self.relations + self.relation_start[v] + k
            while lacking:
                n_later, node = 0, -1
                for k in range(n_rest):
                    row = rest[k]
                    source, target = row.source, row.target
                    if at[source] < 0 and at[target] < 0:
                        rest[n_later] = row
                        n_later += 1
                    elif at[source] < 0 or at[target] < 0:
                        node = target if at[target] < 0 else source
                        place, forward = at[source + target - node], node == target
                        at[node] = known_place(known, (
                            (place, forward, row.role, own[node]), (place, forward, ANY, own[node]),
                            (place, forward, row.role, ANY)), used, n_nodes)
                        n_nodes += at[node] == n_nodes
                        lacking -= 1
                n_rest = n_later
                if node < 0:        # a part that hangs on nothing that is known begins with a node of its own
                    node = 0
                    while at[node] >= 0:
                        node += 1
                    at[node] = known_place(known, ((-1, True, -1, own[node]),), used, n_nodes)
                    n_nodes += at[node] == n_nodes
                    lacking -= 1
        return n_nodes

    def merged(
        self, list maps not None, int32_t n_nodes, double size, matched, *, int top, int rounds, dict similar=None,
    ):
        """The best graph of the triples that candidates have.

        Parameters
        ----------
        maps : list of list of int
            Of each candidate the node of the graph that each of its nodes is mapped to, or -1.
        n_nodes : int
            Nodes of the graph.
        size : float
            The number of triples of the graph that the nodes are from.
        matched : sequence of float
            How many of them each candidate has.
        top : int
            What stands for the root: 0 nothing, 1 a constant, 2 the concept of the root.
        rounds : int
            What triples bring and cost is computed anew at most so often.
        similar : dict, optional
            Similarity of two concepts that differ: votes for a concept count for similar ones, in part.

        Returns
        -------
        n_kept : int
            The nodes of the graph, of which the root is 0; 0 if there is no node.
        unary : list of (node, role, value, written role, written value)
        relations : list of (source, role, target, written role)
            Labels are written as the first candidate wrote them.
        least, size : float
            Its mean score, at least; its number of triples.
        matched : list of float
            How many of them each candidate has.
        maps : list of list of int
            The node of the graph for each node of each candidate, or -1.

        Raises
        ------
        ValueError, IndexError
            If lengths or nodes do not fit.
        """
        cdef Py_ssize_t n_labels, n_edges, k, g, e, row, count, n_kept, n_order, n_roots, chosen_u, chosen_r
        cdef Py_ssize_t n_voters = self.n_voters, n_unary = self.n_unary, n_relations = self.n_relations
        cdef list once = []
        cdef int32_t *places = <int32_t *> space(once, self.node_start[n_voters], sizeof(int32_t))
        n_nodes = self.place(maps, n_nodes, places, once)
        if len(matched) != n_voters:
            raise ValueError("not as many matches as candidates")
        cdef Py_ssize_t room = max(n_unary, n_relations, n_nodes, n_voters) + 2
        cdef Pair *pairs = <Pair *> space(once, 2 * room, sizeof(Pair))
        cdef Pair *scratch = pairs + room
        cdef int32_t[ROOTS + 1] tried_roots
        # a row of a table is taken in a tenth of the time that a view of an array takes
        cdef int32_t[:, ::1] ints = np.empty((23, room), np.int32)
        cdef int32_t[::1] label_order = ints[0], label_start = ints[1], edge_order = ints[2], edge_start = ints[3]
        cdef int32_t[::1] sorted_edges = ints[4], parents = ints[5], near_start = ints[6], first_label = ints[7]
        cdef int32_t[::1] first_single = ints[8], in_turn = ints[9], chosen = ints[10], over = ints[11]
        cdef int32_t[::1] order = ints[12], keeps = ints[13], best_kept = ints[14], out_unary = ints[15]
        cdef int32_t[::1] out_relations = ints[16], tree = ints[17], best_nodes = ints[18], link_edge = ints[19]
        cdef int32_t[::1] best_relations = ints[20], best_rows = ints[21], roots = ints[22]
        cdef int32_t[:, ::1] near_view = np.empty((2, 2 * room), np.int32)
        cdef int32_t[::1] near = near_view[0], near_edge = near_view[1]
        cdef double[:, ::1] floats = np.empty((10, room), np.float64)
        cdef double[::1] label_gain = floats[0], edge_gain = floats[1], values = floats[2], total = floats[3]
        cdef double[::1] root_gain = floats[4], worths = floats[5], gain_of = floats[6], had = floats[7]
        cdef double[::1] has = floats[8], best_has = floats[9]
        cdef uint8_t[:, ::1] passing = np.full((2, room), 2, np.uint8)
        cdef uint8_t[::1] label_passes = passing[0], edge_passes = passing[1]
        # the triples, between the nodes of the graph
        cdef Unary *unary = <Unary *> space(once, n_unary, sizeof(Unary))
        cdef Relation *relations = <Relation *> space(once, n_relations, sizeof(Relation))
        cdef double *alike = NULL     # of each two concepts of a node, with similar: alike[alike_at[g] + h]
        cdef int64_t *alike_at = NULL
        cdef double cost, score, best_score = 0.0, best_size = 0.0, whole, value, best_value, best, number, share
        cdef int32_t node, other, root, best_root, concept, root_concept, a, b
        cdef bint changed, passes
        cdef int r
        cdef Py_ssize_t best_u = 0, best_r = 0, best_n = 0
        for k in range(n_voters):
            had[k], best_has[k] = matched[k], 0.0
            roots[k] = places[self.node_start[k] + self.roots[k]] if self.roots[k] >= 0 else -1
        for k in range(n_unary):
            unary[k] = self.unary[k]
            unary[k].node = places[self.node_start[unary[k].voter] + unary[k].node]
            pairs[k].major = (<int64_t> unary[k].node << 32) | (<int64_t> unary[k].role + 2)
            pairs[k].minor = ((<int64_t> unary[k].value + 2) << 32) | k
        n_labels = grouped(pairs, scratch, n_unary, label_order, label_start)
        for k in range(n_relations):
            relations[k] = self.relations[k]
            relations[k].source = places[self.node_start[relations[k].voter] + relations[k].source]
            relations[k].target = places[self.node_start[relations[k].voter] + relations[k].target]
            pairs[k].major = (<int64_t> relations[k].source << 32) | relations[k].target
            pairs[k].minor = ((<int64_t> relations[k].role + 2) << 32) | k
        n_edges = grouped(pairs, scratch, n_relations, edge_order, edge_start)
        # Labels are sorted by node, concepts first; in_turn has concepts as the candidates name them. So it has all
        # labels of a node where similar concepts count.
        g = count = 0
        for node in range(n_nodes):
            first_label[node] = first_single[node] = <int32_t> g
            while g < n_labels and unary[label_order[label_start[g]]].node == node:
                row = first_single[node] if similar is not None else g
                if unary[label_order[label_start[g]]].role == CONCEPT:
                    row = first_label[node]
                    first_single[node] += 1
                k = g
                while k > row and label_order[label_start[in_turn[k - 1]]] > label_order[label_start[g]]:
                    in_turn[k] = in_turn[k - 1]
                    k -= 1
                in_turn[k] = <int32_t> g
                g += 1
            count += (first_single[node] - first_label[node]) * (first_single[node] - first_label[node])
        first_label[n_nodes] = <int32_t> n_labels
        if similar is not None:
            alike = <double *> space(once, count, sizeof(double))
            alike_at = <int64_t *> space(once, n_labels, sizeof(int64_t))
            count = 0
            for node in range(n_nodes):
                for g in range(first_label[node], first_single[node]):
                    alike_at[g] = count - first_label[node]
                    for e in range(first_label[node], first_single[node]):
                        alike[count] = similar.get(
                            (unary[label_order[label_start[g]]].value, unary[label_order[label_start[e]]].value), 0.0)
                        count += 1
        with nogil:
            for r in range(rounds if n_nodes else 0):
                cost = 0.0
                if size < 1.0:
                    size = 1.0  # a graph of no triples, which gets some
                for k in range(n_voters):
                    gain_of[k] = 2 * self.weights[k] / (size + self.sizes[k])
                    if had[k] != 0:
                        cost += 2 * self.weights[k] * had[k] / ((size + self.sizes[k]) * (size + self.sizes[k]))
                changed = False
                for g in range(n_labels):
                    label_gain[g] = 0.0
                    for k in range(label_start[g], label_start[g + 1]):
                        label_gain[g] += gain_of[unary[label_order[k]].voter]
                    passes = label_gain[g] > cost
                    changed = changed or label_passes[g] != passes
                    label_passes[g] = passes
                for e in range(n_edges):
                    edge_gain[e] = 0.0
                    for k in range(edge_start[e], edge_start[e + 1]):
                        edge_gain[e] += gain_of[relations[edge_order[k]].voter]
                    passes = edge_gain[e] > cost
                    changed = changed or edge_passes[e] != passes
                    edge_passes[e] = passes
                    pairs[e].major = falling(edge_gain[e])
                    pairs[e].minor = (<int64_t> edge_order[edge_start[e]] << 32) | e
                if not changed and r > 0:
                    break  # the same triples are worth their cost as before
                sort_pairs(pairs, n_edges, scratch)
                for k in range(n_edges):
                    sorted_edges[k] = <int32_t> <uint32_t> pairs[k].minor

                # what each node is worth by itself, with its best concept
                for node in range(n_nodes):
                    values[node] = 0.0
                    chosen[node] = NOTHING
                    best = -1.0
                    for k in range(first_label[node], first_single[node]):
                        g = in_turn[k]
                        worths[g] = label_gain[g]
                        for row in range(first_label[node], first_single[node] if alike != NULL else 0):
                            if in_turn[row] != g:
                                worths[g] += label_gain[in_turn[row]] * alike[alike_at[g] + in_turn[row]]
                        if worths[g] > best + LEAST:
                            best = worths[g]
                            chosen[node] = <int32_t> g
                    for k in range(first_single[node], first_label[node + 1]):
                        if label_gain[in_turn[k]] - cost > LEAST:
                            values[node] += label_gain[in_turn[k]] - cost
                    if chosen[node] != NOTHING:
                        values[node] += best - cost

                # the maximum spanning forest
                for node in range(n_nodes):
                    parents[node] = node
                    near_start[node] = 0
                near_start[n_nodes] = 0
                count = 0
                for k in range(n_edges):
                    row = edge_order[edge_start[sorted_edges[k]]]
                    a, b = first_of(parents, relations[row].source), first_of(parents, relations[row].target)
                    if a != b:
                        parents[a] = b
                        tree[count] = sorted_edges[k]
                        count += 1
                        near_start[relations[row].source] += 1
                        near_start[relations[row].target] += 1
                for node in range(n_nodes):
                    near_start[node + 1] += near_start[node]
                for k in range(count - 1, -1, -1):  # from the end of each node's stretch to its start
                    row = edge_order[edge_start[tree[k]]]
                    a, b = relations[row].source, relations[row].target
                    near_start[a] -= 1
                    near[near_start[a]], near_edge[near_start[a]] = b, tree[k]
                    near_start[b] -= 1
                    near[near_start[b]], near_edge[near_start[b]] = a, tree[k]

                # the nodes with the most votes for the root, the first of equal ones first
                root_gain[:n_nodes] = 0.0
                for k in range(n_voters):
                    if roots[k] >= 0:
                        root_gain[roots[k]] += gain_of[k]
                count = 0
                for k in range(n_voters):
                    if roots[k] >= 0 and root_gain[roots[k]] > 0 and not is_among(&roots[0], k, roots[k]):
                        pairs[count] = Pair(falling(root_gain[roots[k]]), k << 32 | roots[k])
                        count += 1
                sort_pairs(pairs, count, scratch)
                n_roots = min(count, <Py_ssize_t> ROOTS)
                for k in range(n_roots):
                    tried_roots[k] = <int32_t> <uint32_t> pairs[k].minor
                if n_roots == 0 or top == 0:
                    best_root = 0
                    for node in range(n_nodes):
                        if values[node] > values[best_root]:
                            best_root = node
                    if not is_among(tried_roots, n_roots, best_root):
                        tried_roots[n_roots] = best_root
                        n_roots += 1

                # the best part of the tree that holds each root
                best_value = -INFINITY
                n_kept = 0
                root_concept = NOTHING
                for g in range(n_roots):
                    root = tried_roots[g]
                    for node in range(n_nodes):
                        over[node] = -1
                        total[node] = values[node]
                        keeps[node] = 0
                    over[root] = root
                    link_edge[root] = -1
                    order[0] = root
                    n_order = 1
                    k = 0
                    while k < n_order:
                        node = order[k]
                        for row in range(near_start[node], near_start[node + 1]):
                            other = near[row]
                            if over[other] < 0:
                                over[other] = node
                                link_edge[other] = near_edge[row]
                                order[n_order] = other
                                n_order += 1
                        k += 1
                    for k in range(n_order - 1, 0, -1):
                        node = order[k]
                        whole = total[node] + (edge_gain[link_edge[node]] - cost)
                        if whole > LEAST:
                            total[over[node]] += whole
                            keeps[node] = 1
                    keeps[root] = 1
                    value = total[root]
                    concept = chosen[root]
                    if top == TOP_CONSTANT:
                        value += root_gain[root] - cost
                    elif top == TOP_CONCEPT and concept != NOTHING:
                        best = -INFINITY
                        for row in range(first_label[root], first_single[root]):
                            e = in_turn[row]
                            number = worths[e]
                            for k in range(n_voters):
                                if (roots[k] == root
                                        and self.root_concepts[k] == unary[label_order[label_start[e]]].value):
                                    number += gain_of[k]
                            if number > best + LEAST:
                                best, concept = number, <int32_t> e
                        value += best - worths[chosen[root]] - cost
                    if value > best_value + LEAST:
                        best_value = value
                        root_concept = concept
                        n_kept = 0
                        for k in range(n_order):
                            node = order[k]
                            keeps[node] = keeps[node] and keeps[over[node]]
                            if keeps[node]:
                                best_kept[n_kept] = node
                                n_kept += 1
                root = best_kept[0]
                chosen[root] = root_concept

                # its triples
                for node in range(n_nodes):
                    keeps[node] = 0
                    parents[node] = node
                has[:n_voters] = 0.0
                chosen_u = chosen_r = 0
                for k in range(n_kept):
                    node = best_kept[k]
                    keeps[node] = 1
                    for row in range(first_label[node], first_label[node + 1]):
                        g = in_turn[row]
                        if g == chosen[node] or (g >= first_single[node] and label_gain[g] - cost > LEAST):
                            out_unary[chosen_u] = label_order[label_start[g]]
                            chosen_u += 1
                            share = 1.0
                        elif alike != NULL and g < first_single[node] and chosen[node] != NOTHING:
                            share = alike[alike_at[chosen[node]] + g]
                        else:
                            continue
                        for e in range(label_start[g], label_start[g + 1]):
                            has[unary[label_order[e]].voter] += share
                for k in range(n_edges):
                    e = sorted_edges[k]
                    row = edge_order[edge_start[e]]
                    if not (keeps[relations[row].source] and keeps[relations[row].target]):
                        continue
                    a, b = first_of(parents, relations[row].source), first_of(parents, relations[row].target)
                    if a != b or edge_gain[e] - cost > LEAST:
                        parents[a] = b
                        out_relations[chosen_r] = <int32_t> row
                        chosen_r += 1
                        for g in range(edge_start[e], edge_start[e + 1]):
                            has[relations[edge_order[g]].voter] += 1
                size = chosen_u + chosen_r
                if top != 0:
                    size += 1
                    if root_concept != NOTHING:
                        root_concept = unary[label_order[label_start[root_concept]]].value
                    for k in range(n_voters):
                        if roots[k] == root and (top == TOP_CONSTANT or self.root_concepts[k] == root_concept):
                            has[k] += 1
                score = 0.0
                for k in range(n_voters):
                    had[k] = has[k]
                    if has[k] != 0:
                        score += 2 * self.weights[k] * has[k] / (size + self.sizes[k])
                if score <= best_score + LEAST:
                    break
                best_score, best_size = score, size
                best_u, best_r, best_n = chosen_u, chosen_r, n_kept
                best_rows[:best_u] = out_unary[:best_u]
                best_relations[:best_r] = out_relations[:best_r]
                best_nodes[:best_n] = best_kept[:best_n]
                best_has[:] = has
        parents[:n_nodes] = -1
        for k in range(best_n):
            parents[best_nodes[k]] = <int32_t> k
        made_unary, made_relations = [], []
        for k in range(best_u):
            row = best_rows[k]
            made_unary.append((parents[unary[row].node], unary[row].role, unary[row].value, unary[row].written_role,
                               unary[row].written_value))
        for k in range(best_r):
            row = best_relations[k]
            made_relations.append((parents[relations[row].source], relations[row].role, parents[relations[row].target],
                                   relations[row].written))
        maps = [[parents[places[k]] for k in range(self.node_start[row], self.node_start[row + 1])]
                for row in range(n_voters)]
        return best_n, made_unary, made_relations, best_score, best_size, [best_has[k] for k in range(n_voters)], maps
