"""The graph with the best mean score over given nodes, from the votes of candidates on its triples.

What triples bring and cost, and how the graph is found, is told at the top of fastmatch/ensembles/merging.py, whose
functions give the same graphs; they are for votes that count in part. A *label* here is a concept, an attribute or a
loop of a node, with the candidates that have it; an *edge* is a relation with those that have it.
"""

from libc.math cimport INFINITY
from libc.stdint cimport int32_t, int64_t, uint8_t, uint32_t
from libc.string cimport memcpy

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


def best_of_votes(
    const int32_t[:, ::1] unary not None,
    const int32_t[::1] unary_voters not None,
    const int32_t[:, ::1] relations not None,
    const int32_t[::1] relation_voters not None,
    const int32_t[::1] roots not None,
    const int32_t[::1] root_concepts not None,
    const double[::1] weights not None,
    const double[::1] sizes not None,
    double size,
    const double[::1] matched not None,
    *,
    int32_t n_nodes,
    int top,
    int rounds,
):
    """The best graph of the triples that candidates have.

    Parameters
    ----------
    unary : int32, shape (3, n)
        Rows: node, role (-1: a concept), value of the triples with one node of all candidates, none twice of one.
    unary_voters : int32, shape (n,)
        The candidate of each, rising.
    relations : int32, shape (3, m)
        Rows: source, role, target.
    relation_voters : int32, shape (m,)
        The candidate of each, rising.
    roots, root_concepts : int32, shape (n_voters,)
        The root of each candidate, -1: none; and its concept, -2: none, -1: one that is not written.
    weights, sizes : float64, shape (n_voters,)
        The weight of each candidate, and its number of triples.
    size : float
        The number of triples of the graph that the nodes are from.
    matched : float64, shape (n_voters,)
        How many of them each candidate has.
    n_nodes : int
    top : int
        What stands for the root: 0 nothing, 1 a constant, 2 the concept of the root.
    rounds : int
        What triples bring and cost is computed anew at most so often.

    Returns
    -------
    nodes : int32
        The nodes of the graph, the root first; empty if there is no node.
    unary_rows, relation_rows : int32
        Its triples: for each the first row that has it.
    least, size : float
        Its mean score, at least; its number of triples.
    matched : float64, shape (n_voters,)

    Raises
    ------
    ValueError, IndexError
        If lengths, nodes or candidates do not fit.
    """
    cdef Py_ssize_t n_unary = unary.shape[1], n_relations = relations.shape[1], n_voters = weights.shape[0]
    cdef Py_ssize_t n_labels, n_edges, k, g, e, row, count, n_kept, n_order, n_roots, chosen_u, chosen_r
    if (unary.shape[0] != 3 or relations.shape[0] != 3 or unary_voters.shape[0] != n_unary
            or relation_voters.shape[0] != n_relations):
        raise ValueError("unary, relations and their voters differ in shape")
    if not n_voters == sizes.shape[0] == matched.shape[0] == roots.shape[0] == root_concepts.shape[0]:
        raise ValueError("weights, sizes, matched, roots and root_concepts differ in length")
    for k in range(n_unary):
        if not (0 <= unary[0, k] < n_nodes and 0 <= unary_voters[k] < n_voters):
            raise IndexError("a triple of a node or candidate that there is not")
    for k in range(n_relations):
        if not (0 <= relations[0, k] < n_nodes and 0 <= relations[2, k] < n_nodes
                and 0 <= relation_voters[k] < n_voters):
            raise IndexError("a relation of a node or candidate that there is not")
    for k in range(n_voters):
        if not -1 <= roots[k] < n_nodes:
            raise IndexError("a root that is no node")

    cdef Py_ssize_t room = max(n_unary, n_relations, n_nodes) + 1
    # a row of a table is taken in a tenth of the time that a view of an array takes
    cdef int64_t[:, :, ::1] pair_view = np.empty((2, room, 2), np.int64)
    cdef Pair *pairs = <Pair *> &pair_view[0, 0, 0]
    cdef Pair *scratch = <Pair *> &pair_view[1, 0, 0]
    cdef int32_t[:, ::1] ints = np.empty((20, room + 1), np.int32)
    cdef int32_t[::1] label_order = ints[0], label_start = ints[1], edge_order = ints[2], edge_start = ints[3]
    cdef int32_t[::1] sorted_edges = ints[4], parents = ints[5], near_start = ints[6], first_label = ints[7]
    cdef int32_t[::1] chosen = ints[8], over = ints[9], order = ints[10], kept = ints[11], best_kept = ints[12]
    cdef int32_t[::1] out_unary = ints[13], out_relations = ints[14], tree = ints[15], best_nodes = ints[16]
    cdef int32_t[::1] link_edge = ints[17], best_relations = ints[18], best_rows = ints[19]
    cdef int32_t[:, ::1] near_view = np.empty((2, 2 * room + 2), np.int32)
    cdef int32_t[::1] near = near_view[0], near_edge = near_view[1]
    cdef double[:, ::1] doubles = np.empty((5, room + 1), np.float64)
    cdef double[::1] label_gain = doubles[0], edge_gain = doubles[1], values = doubles[2], total = doubles[3]
    cdef double[::1] root_gain = doubles[4]
    cdef uint8_t[:, ::1] passing = np.full((2, room + 1), 2, np.uint8)
    cdef uint8_t[::1] label_passes = passing[0], edge_passes = passing[1]
    cdef double[:, ::1] voters = np.zeros((4, n_voters + 1), np.float64)
    cdef double[::1] gain_of = voters[0], had = voters[1], has = voters[2], best_has = voters[3]
    cdef int32_t[ROOTS + 1] tried_roots

    cdef double cost, score, best_score = 0.0, best_size = 0.0, whole, value, best_value, best, number
    cdef int32_t node, other, root, best_root, concept, root_concept, a, b, n_now
    cdef bint changed, passes
    cdef int r
    cdef Py_ssize_t best_u = 0, best_r = 0, best_n = 0
    had[:n_voters] = matched

    with nogil:
        for k in range(n_unary):
            pairs[k].major = (<int64_t> unary[0, k] << 32) | (<int64_t> unary[1, k] + 2)
            pairs[k].minor = ((<int64_t> unary[2, k] + 2) << 32) | k
        n_labels = grouped(pairs, scratch, n_unary, label_order, label_start)
        for k in range(n_relations):
            pairs[k].major = (<int64_t> relations[0, k] << 32) | relations[2, k]
            pairs[k].minor = ((<int64_t> relations[1, k] + 2) << 32) | k
        n_edges = grouped(pairs, scratch, n_relations, edge_order, edge_start)
        # labels are sorted by node, concepts first
        node = 0
        for g in range(n_labels):
            while node <= unary[0, label_order[label_start[g]]]:
                first_label[node] = <int32_t> g
                node += 1
        while node <= n_nodes:
            first_label[node] = <int32_t> n_labels
            node += 1

        for r in range(rounds if n_nodes else 0):
            cost = 0.0
            if size < 1.0:
                size = 1.0  # a graph of no triples, which gets some
            for k in range(n_voters):
                gain_of[k] = 2 * weights[k] / (size + sizes[k])
                if had[k] != 0:
                    cost += 2 * weights[k] * had[k] / ((size + sizes[k]) * (size + sizes[k]))
            changed = False
            for g in range(n_labels):
                label_gain[g] = 0.0
                for k in range(label_start[g], label_start[g + 1]):
                    label_gain[g] += gain_of[unary_voters[label_order[k]]]
                passes = label_gain[g] > cost
                changed = changed or label_passes[g] != passes
                label_passes[g] = passes
            for e in range(n_edges):
                edge_gain[e] = 0.0
                for k in range(edge_start[e], edge_start[e + 1]):
                    edge_gain[e] += gain_of[relation_voters[edge_order[k]]]
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
                row = -1
                for g in range(first_label[node], first_label[node + 1]):
                    k = label_order[label_start[g]]
                    if unary[1, k] != CONCEPT:
                        if label_gain[g] - cost > LEAST:
                            values[node] += label_gain[g] - cost
                    elif label_gain[g] > best + LEAST or (label_gain[g] > best - LEAST and k < row):
                        best = label_gain[g]
                        chosen[node] = <int32_t> g
                        row = k
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
                a, b = first_of(parents, relations[0, row]), first_of(parents, relations[2, row])
                if a != b:
                    parents[a] = b
                    tree[count] = sorted_edges[k]
                    count += 1
                    near_start[relations[0, row]] += 1
                    near_start[relations[2, row]] += 1
            n_now = 0
            for node in range(n_nodes + 1):
                other = near_start[node]
                near_start[node] = n_now
                n_now += other
            for k in range(count):
                row = edge_order[edge_start[tree[k]]]
                a, b = relations[0, row], relations[2, row]
                near[near_start[a]] = b
                near_edge[near_start[a]] = tree[k]
                near_start[a] += 1
                near[near_start[b]] = a
                near_edge[near_start[b]] = tree[k]
                near_start[b] += 1
            for node in range(n_nodes, 0, -1):
                near_start[node] = near_start[node - 1]
            near_start[0] = 0

            # the nodes with the most votes for the root, the first of equal ones first
            for node in range(n_nodes):
                root_gain[node] = 0.0
            for k in range(n_voters):
                if roots[k] >= 0:
                    root_gain[roots[k]] += gain_of[k]
            n_roots = 0
            while n_roots < ROOTS:
                best = 0.0
                best_root = -1
                for k in range(n_voters):
                    root = roots[k]
                    if root >= 0 and root_gain[root] > best:
                        passes = True
                        for g in range(n_roots):
                            if tried_roots[g] == root:
                                passes = False
                        if passes:
                            best, best_root = root_gain[root], root
                if best_root < 0:
                    break
                tried_roots[n_roots] = best_root
                n_roots += 1
            if n_roots == 0 or top == 0:
                best_root = 0
                for node in range(n_nodes):
                    if values[node] > values[best_root]:
                        best_root = node
                passes = True
                for g in range(n_roots):
                    if tried_roots[g] == best_root:
                        passes = False
                if passes:
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
                    kept[node] = 0
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
                        kept[node] = 1
                kept[root] = 1
                value = total[root]
                concept = chosen[root]
                if top == TOP_CONSTANT:
                    value += root_gain[root] - cost
                elif top == TOP_CONCEPT and concept != NOTHING:
                    best = -INFINITY
                    count = -1
                    for e in range(first_label[root], first_label[root + 1]):
                        row = label_order[label_start[e]]
                        if unary[1, row] != CONCEPT:
                            continue
                        number = label_gain[e]
                        for k in range(n_voters):
                            if roots[k] == root and root_concepts[k] == unary[2, row]:
                                number += gain_of[k]
                        if number > best + LEAST or (number > best - LEAST and row < count):
                            best, count = number, row
                            concept = <int32_t> e
                    value += best - label_gain[chosen[root]] - cost
                if value > best_value + LEAST:
                    best_value = value
                    root_concept = concept
                    n_kept = 0
                    for k in range(n_order):
                        node = order[k]
                        kept[node] = kept[node] and kept[over[node]]
                        if kept[node]:
                            best_kept[n_kept] = node
                            n_kept += 1
            root = best_kept[0]
            chosen[root] = root_concept

            # its triples
            for node in range(n_nodes):
                kept[node] = 0
                parents[node] = node
            for k in range(n_voters):
                has[k] = 0.0
            chosen_u = chosen_r = 0
            for k in range(n_kept):
                node = best_kept[k]
                kept[node] = 1
                for g in range(first_label[node], first_label[node + 1]):
                    row = label_order[label_start[g]]
                    if (unary[1, row] == CONCEPT and chosen[node] == g) or (
                            unary[1, row] != CONCEPT and label_gain[g] - cost > LEAST):
                        out_unary[chosen_u] = <int32_t> row
                        chosen_u += 1
                        for e in range(label_start[g], label_start[g + 1]):
                            has[unary_voters[label_order[e]]] += 1
            for k in range(n_edges):
                e = sorted_edges[k]
                row = edge_order[edge_start[e]]
                if not (kept[relations[0, row]] and kept[relations[2, row]]):
                    continue
                a, b = first_of(parents, relations[0, row]), first_of(parents, relations[2, row])
                if a != b or edge_gain[e] - cost > LEAST:
                    parents[a] = b
                    out_relations[chosen_r] = <int32_t> row
                    chosen_r += 1
                    for g in range(edge_start[e], edge_start[e + 1]):
                        has[relation_voters[edge_order[g]]] += 1
            size = chosen_u + chosen_r
            if top != 0:
                size += 1
                if root_concept != NOTHING:
                    root_concept = unary[2, label_order[label_start[root_concept]]]
                for k in range(n_voters):
                    if roots[k] == root and (top == TOP_CONSTANT or root_concepts[k] == root_concept):
                        has[k] += 1
            score = 0.0
            for k in range(n_voters):
                had[k] = has[k]
                if has[k] != 0:
                    score += 2 * weights[k] * has[k] / (size + sizes[k])
            if score <= best_score + LEAST:
                break
            best_score, best_size = score, size
            best_u, best_r, best_n = chosen_u, chosen_r, n_kept
            best_rows[:best_u] = out_unary[:best_u]
            best_relations[:best_r] = out_relations[:best_r]
            best_nodes[:best_n] = best_kept[:best_n]
            best_has[:] = has
    return (np.array(best_nodes[:best_n]), np.array(best_rows[:best_u]), np.array(best_relations[:best_r]), best_score,
            best_size, np.array(best_has[:n_voters]))


def placed(list maps not None, list relations not None, list concepts not None, Py_ssize_t n_nodes):
    """The node that each node of each candidate stands for: one that exists, or a new one.

    A node without a partner hangs on another one by a relation. Two such nodes of two candidates are one new node if
    they hang on the same node in the same direction, and have the same role and concept, or else the same concept, or
    else the same role.

    Parameters
    ----------
    maps : list of list of int
        Of each candidate the node of the graph that each of its nodes is mapped to, or -1.
    relations : list of list of (source, role, target, written role)
    concepts : list of list of int
        Of each candidate the concept of each node.
    n_nodes : int
        Nodes of the graph.

    Returns
    -------
    places : list of list of int
    n_nodes : int
        The new nodes counted too.

    Raises
    ------
    ValueError, IndexError
        If lengths differ, or a relation has a node that its candidate lacks.
    """
    cdef Py_ssize_t v, source, target, node, place, n, lacking
    cdef dict known = {}
    cdef list places = [], at, own, rest, later
    cdef set used
    cdef tuple row, keys
    if not len(maps) == len(relations) == len(concepts):
        raise ValueError("maps, relations and concepts differ in length")
    for v in range(len(maps)):
        at, own = list(maps[v]), concepts[v]
        n = len(at)
        if len(own) != n:
            raise ValueError("maps and concepts differ in nodes")
        places.append(at)
        lacking = at.count(-1)
        if not lacking:
            continue
        used = set(at)
        rest = relations[v]
        while lacking:
            later, node = [], -1
            for row in rest:
                if len(row) != 4:
                    raise ValueError("a relation is (source, role, target, written role)")
                source, target = row[0], row[2]
                if not (0 <= source < n and 0 <= target < n):
                    raise IndexError("a relation of a node that its candidate lacks")
                if at[source] >= 0 and at[target] >= 0:
                    continue
                if at[source] < 0 and at[target] < 0:
                    later.append(row)
                    continue
                node = target if at[target] < 0 else source
                other, forward, role, concept = at[source + target - node], node == target, row[1], own[node]
                keys = ((other, forward, role, concept), (other, forward, ANY, concept), (other, forward, role, ANY))
                place = known_place(known, keys, used, n_nodes)
                n_nodes += place == n_nodes
                at[node] = place
                lacking -= 1
            rest = later
            if node < 0:        # a part that hangs on nothing that is known begins with a node of its own
                node = at.index(-1)
                place = known_place(known, ((-1, True, -1, own[node]),), used, n_nodes)
                n_nodes += place == n_nodes
                at[node] = place
                lacking -= 1
    return places, n_nodes


cdef Py_ssize_t known_place(dict known, tuple keys, set used, Py_ssize_t n_nodes) except -1:
    """The node that one of these keys stands for, if this candidate has not used it, else a new one."""
    found = n_nodes
    for key in keys:
        other = known.get(key)
        if other is not None and other not in used:
            found = other
            break
    for key in keys:
        known.setdefault(key, found)
    used.add(found)
    return found


def merged_tables(
    list tables not None,
    list places not None,
    roots,
    root_concepts,
    weights,
    sizes,
    double size,
    matched,
    *,
    int32_t n_nodes,
    int top,
    int rounds,
):
    """The best graph of the triples of candidates, each given as tables, with its labels as they were written.

    Parameters
    ----------
    tables : list of (int32[5, n], int32[4, m])
        Of each candidate its triples with one node (node, role, value, written role, written value), and its relations
        (source, role, target, written role).
    places : list of list of int
        The node of the graph that each node of a candidate stands for.
    roots, root_concepts, weights, sizes, size, matched, n_nodes, top, rounds
        As for :func:`best_of_votes`; sequences of numbers.

    Returns
    -------
    n_kept : int
        The nodes of the graph are numbered anew, the root is 0.
    unary : list of (node, role, value, written role, written value)
    relations : list of (source, role, target, written role)
    least, size, matched
        As :func:`best_of_votes` gives them; ``matched`` as a list.

    Raises
    ------
    ValueError, IndexError
        If lengths, nodes or candidates do not fit.
    """
    cdef Py_ssize_t n_voters = len(tables), v, k, row, n_unary = 0, n_relations = 0
    cdef const int32_t[:, ::1] table
    cdef list at
    if len(places) != n_voters:
        raise ValueError("tables and places differ in length")
    for v in range(n_voters):
        n_unary += tables[v][0].shape[1]
        n_relations += tables[v][1].shape[1]
    # with the voter, and the labels as they were written
    unary_room, relation_room = np.empty((6, n_unary), np.int32), np.empty((5, n_relations), np.int32)
    cdef int32_t[:, ::1] unary = unary_room, relations = relation_room
    row = 0
    for v in range(n_voters):
        table, at = tables[v][0], places[v]
        if table.shape[0] != 5:
            raise ValueError("a table of triples with one node has 5 rows")
        for k in range(table.shape[1]):
            if not 0 <= table[0, k] < len(at):
                raise IndexError("a triple of a node that its candidate lacks")
            unary[0, row], unary[1, row], unary[2, row] = at[table[0, k]], table[1, k], table[2, k]
            unary[3, row], unary[4, row], unary[5, row] = <int32_t> v, table[3, k], table[4, k]
            row += 1
    row = 0
    for v in range(n_voters):
        table, at = tables[v][1], places[v]
        if table.shape[0] != 4:
            raise ValueError("a table of relations has 4 rows")
        for k in range(table.shape[1]):
            if not (0 <= table[0, k] < len(at) and 0 <= table[2, k] < len(at)):
                raise IndexError("a relation of a node that its candidate lacks")
            relations[0, row], relations[1, row], relations[2, row] = at[table[0, k]], table[1, k], at[table[2, k]]
            relations[3, row], relations[4, row] = <int32_t> v, table[3, k]
            row += 1
    nodes, unary_rows, relation_rows, least, new_size, shared = best_of_votes(
        unary_room[:3], unary_room[3], relation_room[:3], relation_room[3], np.array(roots, np.int32),
        np.array(root_concepts, np.int32), np.array(weights, np.float64), np.array(sizes, np.float64), size,
        np.array(matched, np.float64), n_nodes=n_nodes, top=top, rounds=rounds)
    cdef const int32_t[::1] chosen = unary_rows, chosen_relations = relation_rows, kept = nodes
    cdef int32_t[::1] number = np.empty(n_nodes + 1, np.int32)
    cdef list made_unary = [], made_relations = []
    for k in range(kept.shape[0]):
        number[kept[k]] = <int32_t> k
    for k in range(chosen.shape[0]):
        row = chosen[k]
        made_unary.append((number[unary[0, row]], unary[1, row], unary[2, row], unary[4, row], unary[5, row]))
    for k in range(chosen_relations.shape[0]):
        row = chosen_relations[k]
        made_relations.append((number[relations[0, row]], relations[1, row], number[relations[2, row]],
                               relations[4, row]))
    return kept.shape[0], made_unary, made_relations, least, new_size, shared.tolist()
