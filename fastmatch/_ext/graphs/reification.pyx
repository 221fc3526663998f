"""Relations as nodes and nodes as relations: the two steps of standardisation that change the shape of a graph.

:func:`reify` turns ``x :role y`` into ``x :first-of (v / concept :second y)``; :func:`dereify` does the inverse. The
one undoes the other exactly, alignments included: that of a target stays, that of a role becomes that of the concept.

Positions and rows are explained in ``rewrite.pyx``.
"""

from libc.stdint cimport int32_t, int64_t, uint8_t

from fastmatch._ext.base.kept cimport zeros
from fastmatch._ext.base.sorting cimport Pair
from fastmatch._ext.graphs.columns cimport Columns, count_variables
from fastmatch._ext.graphs.rewrite cimport (
    ATTRIBUTES, INSTANCES, NO_TABLE, Heads, Output, Table, Triple, end_graph, find_position, first_rows, next_triple,
    put_attribute, put_instance, put_relation, put_surface,
)

import numpy as np

cdef enum:
    TARGET = 0                        # what an alignment belongs to, in the second row of ``surface``
    ROLE = 1


def reify(
    Columns corpus not None,
    const int32_t[::1] concept_of not None,
    const int32_t[::1] first_of not None,
    const int32_t[::1] second_of not None,
):
    """Replace every relation and attribute with a listed role by a node.

    ``x :role y`` becomes ``x :first-of (v / concept :second y)``.

    Parameters
    ----------
    corpus : Columns
    concept_of : int32, shape (n_labels,)
        For a listed role the label id of the node's concept; -1 for all other labels.
    first_of : int32, shape (n_labels,)
        For a listed role the role that leads from the node to the source.
    second_of : int32, shape (n_labels,)
        For a listed role the role that leads from the node to the target.

    Returns
    -------
    dict of str to array
        The arrays of the new corpus by name, without lines, names of variables and comments. The new variables of a
        graph follow its old ones.

    Raises
    ------
    ValueError
        If the tables differ in length or are shorter than the labels need.
    MemoryError
        If there is no room for the positions of one graph.

    Notes
    -----
    Cost: linear, and O(log T) for an alignment in a graph of T triples.
    """
    cdef Py_ssize_t n_labels = concept_of.shape[0]
    if n_labels < corpus.n_labels or first_of.shape[0] != n_labels or second_of.shape[0] != n_labels:
        raise ValueError("the rules must have one entry a label")
    cdef Py_ssize_t n_new = 0, g, k
    for k in range(corpus.attributes.shape[1]):
        n_new += concept_of[corpus.attributes[1, k]] >= 0
    for k in range(corpus.relations.shape[1]):
        n_new += concept_of[corpus.relations[1, k]] >= 0
    cdef Output out = Output(corpus, n_new)
    kept = []
    cdef Pair *places = <Pair *> zeros(kept, corpus.most_triples, sizeof(Pair))
    with nogil:
        for g in range(corpus.n_graphs):
            reify_graph(corpus, g, concept_of, first_of, second_of, places, out)
    return out.arrays()


cdef void reify_graph(
    Columns corpus, Py_ssize_t g, const int32_t[::1] concept_of, const int32_t[::1] first_of,
    const int32_t[::1] second_of, Pair *places, Output out,
) noexcept nogil:
    """Write a graph with nodes for its listed relations and attributes.

    ``places`` is scratch memory, one entry a triple. It holds for each old triple in ``major`` its old position, in
    ``minor`` twice its new position, plus 1 if the triple has become a node.
    """
    cdef Heads heads = first_rows(corpus, g)
    cdef Table table
    cdef Triple now
    cdef Py_ssize_t k, found, n_places = 0
    cdef int32_t v = count_variables(corpus, g)       # of the next new node
    cdef int32_t position = 0, role, place
    cdef bint made
    while (table := next_triple(corpus, g, &heads, &now)) != NO_TABLE:
        role = now.role
        made = role >= 0 and concept_of[role] >= 0
        if made:
            put_instance(out, v, concept_of[role], position + 1)
            if table == ATTRIBUTES:
                put_relation(out, v, first_of[role], now.source, position, True)
                put_attribute(out, v, second_of[role], now.target, position + 2)
            elif now.inverted:
                # the node is written in the place of the relation: here that is below the target
                put_relation(out, v, second_of[role], now.target, position, True)
                put_relation(out, v, first_of[role], now.source, position + 2, False)
            else:
                put_relation(out, v, first_of[role], now.source, position, True)
                put_relation(out, v, second_of[role], now.target, position + 2, False)
        elif table == INSTANCES:
            put_instance(out, now.source, now.target, position)
        elif table == ATTRIBUTES:
            put_attribute(out, now.source, role, now.target, position)
        else:
            put_relation(out, now.source, role, now.target, position, now.inverted)
        places[n_places].major = now.position
        places[n_places].minor = <int64_t> position * 2 + made
        n_places += 1
        position += 3 if made else 1
        v += made
    for k in range(corpus.surface_offsets[g], corpus.surface_offsets[g + 1]):
        if (found := find_position(places, n_places, corpus.surface[0, k])) < 0:
            continue
        place = <int32_t> (places[found].minor >> 1)
        if not places[found].minor & 1:
            put_surface(out, place, corpus.surface[1, k], corpus.surface[2, k])
        else:
            put_surface(out, place + 1 if corpus.surface[1, k] == ROLE else place + 2, TARGET, corpus.surface[2, k])
    end_graph(out, g, corpus.root[g], v)


# Nodes as relations ---------------------------------------------------------------------------------------------------

cdef struct Node:
    int32_t n_in, n_out, n_concepts, concept
    Py_ssize_t[2] row                 # its outgoing triples: k for row k of ``relations``, -1 - k of ``attributes``
    Py_ssize_t instance


cdef class Changes:
    """What :func:`dereify` changes: masks of what stays, and tables in which a row may be another triple."""

    cdef uint8_t[::1] keep_variables, keep_instances, keep_relations
    cdef int32_t[:, ::1] attributes, relations, surface

    def __cinit__(self, Columns corpus not None):
        self.keep_variables = np.ones(corpus.variable_offsets[corpus.n_graphs], np.uint8)
        self.keep_instances = np.ones(corpus.instances.shape[1], np.uint8)
        self.keep_relations = np.ones(corpus.relations.shape[1], np.uint8)
        self.attributes = np.array(corpus.attributes, order="C")
        self.relations = np.array(corpus.relations, order="C")
        self.surface = np.array(corpus.surface, order="C")

    cdef tuple arrays(self):
        return (
            np.asarray(self.keep_variables), np.asarray(self.keep_instances), np.asarray(self.keep_relations),
            np.asarray(self.attributes), np.asarray(self.relations), np.asarray(self.surface),
        )


def dereify(
    Columns corpus not None,
    const int32_t[::1] rule_of not None,
    const int32_t[:, ::1] rules not None,
    const uint8_t[::1] turned not None,
):
    """Replace nodes that stand for a relation by that relation, where nothing is lost.

    A node is replaced if it is not the root, no triple points at it, and it has exactly one concept and exactly two
    further triples, at least one of them a relation. A rule must have that concept and the roles of the two triples.

    Parameters
    ----------
    corpus : Columns
    rule_of : int32, shape (n_labels,)
        For a concept the number of its first rule; -1 for all other labels.
    rules : int32, shape (5, n_rules)
        Rows: the role to the source; the role to the target; the role of the relation; the role of the relation seen
        from its target, for a source that is a constant; the next rule of the same concept, or -1. All but the last row
        are label ids.
    turned : uint8, shape (n_labels,)
        1 for the roles whose attributes count as pointing at their variable.

    Returns
    -------
    keep_variables, keep_instances, keep_relations : uint8
        Masks for :func:`fastmatch._ext.graphs.rewrite.select`, one entry a variable, instance and relation.
    attributes, relations, surface : int32
        The changed tables, to which the masks apply.

        The result is None instead if no graph changes.

    Raises
    ------
    ValueError
        If an array has another shape than expected, or if rules name rules that do not exist or do not follow.
    MemoryError
        If there is no room for the nodes of one graph.

    Notes
    -----
    Cost: linear, plus for each graph its alignments times its nodes that are replaced.
    """
    cdef Py_ssize_t n_labels = rule_of.shape[0], n_rules = rules.shape[1], g, k, n_changed = 0
    if n_labels < corpus.n_labels or turned.shape[0] != n_labels:
        raise ValueError("rule_of and turned must have one entry a label")
    if rules.shape[0] != 5:
        raise ValueError("rules: expected 5 rows")
    for k in range(n_labels):
        if rule_of[k] >= n_rules:
            raise ValueError("rule_of names a rule that does not exist")
    for k in range(n_rules):
        if rules[4, k] >= 0 and not k < rules[4, k] < n_rules:
            raise ValueError("rules of one concept must follow each other")
    cdef Changes changes = Changes(corpus)
    kept = []
    cdef Node *nodes = <Node *> zeros(kept, corpus.most_variables, sizeof(Node))
    with nogil:
        for g in range(corpus.n_graphs):
            if has_candidates(corpus, g, rule_of):
                n_changed += dereify_graph(corpus, g, rule_of, rules, turned, nodes, changes)
    return changes.arrays() if n_changed else None


cdef bint has_candidates(Columns corpus, Py_ssize_t g, const int32_t[::1] rule_of) noexcept nogil:
    """Whether a concept of the graph has a rule."""
    cdef Py_ssize_t k
    for k in range(corpus.instance_offsets[g], corpus.instance_offsets[g + 1]):
        if corpus.instances[1, k] >= 0 and rule_of[corpus.instances[1, k]] >= 0:
            return True
    return False


cdef Py_ssize_t dereify_graph(
    Columns corpus, Py_ssize_t g, const int32_t[::1] rule_of, const int32_t[:, ::1] rules, const uint8_t[::1] turned,
    Node *nodes, Changes changes,
) noexcept nogil:
    """Replace the nodes of one graph that can be replaced; returns their number. ``nodes`` is scratch memory."""
    cdef Py_ssize_t n_changed = 0, first = 0, second = 0
    cdef int32_t v, rule
    cdef Node *node
    look_at_nodes(corpus, g, turned, nodes)
    for v in range(count_variables(corpus, g)):
        node = &nodes[v]
        if (node.n_in or node.n_out != 2 or node.n_concepts != 1 or node.concept < 0 or v == corpus.root[g]
                or (node.row[0] < 0 and node.row[1] < 0)):
            continue
        if (rule := fitting_rule(corpus, node, rule_of[node.concept], rules, &first, &second)) >= 0:
            changes.keep_variables[corpus.variable_offsets[g] + v] = 0
            changes.keep_instances[node.instance] = 0
            replace_node(corpus, g, node.instance, first, second, rules[2, rule], rules[3, rule], changes)
            n_changed += 1
    return n_changed


cdef void look_at_nodes(Columns corpus, Py_ssize_t g, const uint8_t[::1] turned, Node *nodes) noexcept nogil:
    """Fill ``nodes`` for one graph."""
    cdef Py_ssize_t k
    cdef int32_t v
    cdef Node *node
    for v in range(count_variables(corpus, g)):
        nodes[v].n_in = nodes[v].n_out = nodes[v].n_concepts = 0
        nodes[v].concept = -1
    for k in range(corpus.instance_offsets[g], corpus.instance_offsets[g + 1]):
        node = &nodes[corpus.instances[0, k]]
        node.n_concepts += 1
        node.concept = corpus.instances[1, k]
        node.instance = k
    for k in range(corpus.attribute_offsets[g], corpus.attribute_offsets[g + 1]):
        node = &nodes[corpus.attributes[0, k]]
        if turned[corpus.attributes[1, k]]:
            node.n_in += 1
            continue
        if node.n_out < 2:
            node.row[node.n_out] = -1 - k
        node.n_out += 1
    for k in range(corpus.relation_offsets[g], corpus.relation_offsets[g + 1]):
        nodes[corpus.relations[2, k]].n_in += 1
        node = &nodes[corpus.relations[0, k]]
        if node.n_out < 2:
            node.row[node.n_out] = k
        node.n_out += 1


cdef int32_t fitting_rule(
    Columns corpus, const Node *node, int32_t rule, const int32_t[:, ::1] rules, Py_ssize_t *first, Py_ssize_t *second
) noexcept nogil:
    """The first rule from ``rule`` on whose two roles the node has, or -1.

    ``first`` becomes the row that leads to the source, ``second`` the one that leads to the target.
    """
    while rule >= 0:
        first[0], second[0] = node.row[0], node.row[1]
        if role_at(corpus, first[0]) == rules[1, rule] and role_at(corpus, second[0]) == rules[0, rule]:
            first[0], second[0] = node.row[1], node.row[0]
        if role_at(corpus, first[0]) == rules[0, rule] and role_at(corpus, second[0]) == rules[1, rule]:
            break
        rule = rules[4, rule]
    return rule


cdef void replace_node(
    Columns corpus, Py_ssize_t g, Py_ssize_t instance, Py_ssize_t first, Py_ssize_t second, int32_t role,
    int32_t role_from_target, Changes changes,
) noexcept nogil:
    """Let one of a node's two rows become the relation or attribute that the node stands for; drop the other row.

    Alignments move along: that of the concept, row ``instance``, becomes that of the role.
    """
    cdef Py_ssize_t kept, k
    cdef int32_t place_instance = corpus.instances[2, instance], place_kept
    cdef int32_t place_first = place_at(corpus, first), place_second = place_at(corpus, second)
    if first >= 0 and second >= 0:
        # the row of whichever of the two stands first in the text becomes the relation
        kept = first if place_first < place_second else second
        changes.relations[1, kept] = role
        changes.relations[4, kept] = corpus.relations[4, second] and not corpus.relations[4, first]
        changes.relations[0, kept], changes.relations[2, kept] = corpus.relations[2, first], corpus.relations[2, second]
        changes.keep_relations[second if kept == first else first] = 0
        place_kept = min(place_first, place_second)
    elif second < 0:      # the target is a constant
        kept = -1 - second
        changes.attributes[0, kept], changes.attributes[1, kept] = corpus.relations[2, first], role
        changes.keep_relations[first] = 0
        place_kept = place_second
    else:
        kept = -1 - first
        changes.attributes[0, kept], changes.attributes[1, kept] = corpus.relations[2, second], role_from_target
        changes.keep_relations[second] = 0
        place_kept = place_first
    for k in range(corpus.surface_offsets[g], corpus.surface_offsets[g + 1]):
        if corpus.surface[0, k] == place_instance:
            changes.surface[0, k], changes.surface[1, k] = place_kept, ROLE
        elif corpus.surface[0, k] == place_first or corpus.surface[0, k] == place_second:
            changes.surface[0, k] = place_kept


cdef inline int32_t role_at(Columns corpus, Py_ssize_t row) noexcept nogil:
    return corpus.relations[1, row] if row >= 0 else corpus.attributes[1, -1 - row]


cdef inline int32_t place_at(Columns corpus, Py_ssize_t row) noexcept nogil:
    return corpus.relations[3, row] if row >= 0 else corpus.attributes[3, -1 - row]
