"""Rewriting the graphs of a corpus: the steps of standardisation that add, drop or compare triples.

Steps that only replace labels are table look-ups and stand in :mod:`fastmatch.standardization.steps`.

Every function takes the arrays of a corpus as a :class:`~fastmatch._ext.graphs.columns.Columns` and walks over them
without the GIL. A *position* is the place of a triple among all triples of its graph, in the order of the text; a *row*
is the entry of one triple in one of the three tables (instances, attributes, relations). Within a graph the rows of a
table ascend by position, so a merge of the three tables gives all triples in the order of the text. Functions that add
or drop triples number the positions anew (0, 1, 2, …) and move the alignments (``surface``) along with them.

:func:`reify` turns ``x :role y`` into ``x :first-of (v / concept :second y)``; :func:`dereify` does the inverse. The
one undoes the other exactly, alignments included: that of a target stays, that of a role becomes that of the concept.
"""

from libc.stdint cimport int32_t, int64_t, uint8_t
from libc.stdlib cimport free, malloc
from libc.string cimport memchr, memcpy

from fastmatch._ext.base.search cimport lower_bound_major
from fastmatch._ext.base.sorting cimport Pair, sort_pairs
from fastmatch._ext.graphs.columns cimport Columns, count_attributes, count_instances, count_relations, count_variables

import numpy as np

cdef enum:
    NOT_AN_INSTANCE = 0
    TARGET = 0                        # what an alignment belongs to, in the second row of ``surface``
    ROLE = 1


cdef struct Heads:                    # the next row of each table in a merge of the three tables of a graph
    Py_ssize_t instance
    Py_ssize_t attribute
    Py_ssize_t relation


cdef inline int next_triple(Columns corpus, Py_ssize_t g, Heads *heads) noexcept nogil:
    """Return the table of the next triple in text order: 0 instances, 1 attributes, 2 relations; -1 at the end."""
    cdef int kind = -1
    cdef int32_t position = 0
    if heads.instance < corpus.instance_offsets[g + 1]:
        kind, position = 0, corpus.instances[2, heads.instance]
    if heads.attribute < corpus.attribute_offsets[g + 1] and (
            kind < 0 or corpus.attributes[3, heads.attribute] < position):
        kind, position = 1, corpus.attributes[3, heads.attribute]
    if heads.relation < corpus.relation_offsets[g + 1] and (kind < 0 or corpus.relations[3, heads.relation] < position):
        kind = 2
    return kind


cdef inline Py_ssize_t find_position(const Pair *places, Py_ssize_t n, int32_t position) noexcept nogil:
    """Return the index of the entry whose ``major`` is ``position``, -1 if there is none; the entries ascend."""
    cdef Py_ssize_t k = lower_bound_major(places, 0, n, position)
    return k if k < n and places[k].major == position else -1


# Equal triples --------------------------------------------------------------------------------------------------------

def find_copies(Columns corpus not None):
    """Count the equal triples that stand before each triple in its graph.

    Parameters
    ----------
    corpus : Columns

    Returns
    -------
    of_instances : int32, shape (n_instances,)
    of_attributes : int32, shape (n_attributes,)
    of_relations : int32, shape (n_relations,)
        0 for the first of several equal triples, 1 for the second, and so on.

    Raises
    ------
    MemoryError
        If there is no room to sort the triples of a graph.

    Notes
    -----
    Cost: O(T log T) for a graph of T triples.
    """
    out = (
        np.zeros(corpus.instances.shape[1], np.int32),
        np.zeros(corpus.attributes.shape[1], np.int32),
        np.zeros(corpus.relations.shape[1], np.int32),
    )
    cdef int32_t[::1] of_instances = out[0]
    cdef int32_t[::1] of_attributes = out[1]
    cdef int32_t[::1] of_relations = out[2]
    cdef Pair *pairs = <Pair *> malloc((2 * corpus.most_triples + 1) * sizeof(Pair))
    cdef Pair *scratch
    cdef Py_ssize_t g, k, n, start
    if pairs == NULL:
        raise MemoryError()
    scratch = pairs + corpus.most_triples
    with nogil:
        for g in range(corpus.n_graphs):
            start = corpus.instance_offsets[g]
            n = corpus.instance_offsets[g + 1] - start
            for k in range(n):
                pairs[k].major = pack(NOT_AN_INSTANCE, corpus.instances[0, start + k])
                pairs[k].minor = pack(corpus.instances[1, start + k], <int32_t> k)
            count_copies(pairs, n, scratch, &of_instances[start] if n else NULL)
            start = corpus.attribute_offsets[g]
            n = corpus.attribute_offsets[g + 1] - start
            for k in range(n):
                pairs[k].major = pack(corpus.attributes[1, start + k], corpus.attributes[0, start + k])
                pairs[k].minor = pack(corpus.attributes[2, start + k], <int32_t> k)
            count_copies(pairs, n, scratch, &of_attributes[start] if n else NULL)
            start = corpus.relation_offsets[g]
            n = corpus.relation_offsets[g + 1] - start
            for k in range(n):
                pairs[k].major = pack(corpus.relations[1, start + k], corpus.relations[0, start + k])
                pairs[k].minor = pack(corpus.relations[2, start + k], <int32_t> k)
            count_copies(pairs, n, scratch, &of_relations[start] if n else NULL)
    free(pairs)
    return out


cdef inline int64_t pack(int32_t high, int32_t low) noexcept nogil:
    return <int64_t> high * (<int64_t> 1 << 32) + low     # no shift: high may be negative


cdef void count_copies(Pair *pairs, Py_ssize_t n, Pair *scratch, int32_t *out) noexcept nogil:
    cdef Py_ssize_t k
    cdef int32_t copies = 0
    if n < 2:
        return
    sort_pairs(pairs, n, scratch)     # the lowest bits hold the row, so equal triples stay in text order
    for k in range(1, n):
        if pairs[k].major == pairs[k - 1].major and (pairs[k].minor >> 32) == (pairs[k - 1].minor >> 32):
            copies += 1
            out[<int32_t> pairs[k].minor] = copies
        else:
            copies = 0


# Variables by name ----------------------------------------------------------------------------------------------------

def link_names(Columns corpus not None, const int32_t[::1] names not None, const int32_t[::1] values not None):
    """Find the attributes whose value is the name of a variable of their graph, and the variables that share a name.

    Parameters
    ----------
    corpus : Columns
    names : int32, shape (n_variables,)
        Folded id of each variable's name, over all graphs; -1 for none.
    values : int32, shape (n_attributes,)
        Folded id of each attribute's value; -1 for none.

    Returns
    -------
    linked : int32, shape (n_attributes,)
        The first variable of the graph whose name is the value, as a number within the graph; -1 if there is none.
    same : int32, shape (n_variables,)
        The first variable of the graph with the same name (the variable itself if it is the first or has no name).

    Raises
    ------
    ValueError
        If ``names`` or ``values`` has another length.

    Notes
    -----
    Cost: linear in the variables, the attributes and the greatest id.
    """
    cdef Py_ssize_t n_names = names.shape[0], g, k, most = 0
    cdef int64_t start
    cdef int32_t v, name, first
    if n_names != corpus.variable_offsets[corpus.n_graphs] or values.shape[0] != corpus.attributes.shape[1]:
        raise ValueError("names and values must have one entry a variable and an attribute")
    for k in range(n_names):
        most = max(most, names[k])
    for k in range(values.shape[0]):
        most = max(most, values[k])
    linked = np.full(values.shape[0], -1, np.int32)
    same = np.empty(n_names, np.int32)
    seen_graph = np.full(most + 1, -1, np.int64)
    seen_variable = np.empty(most + 1, np.int32)
    cdef int32_t[::1] linked_view = linked
    cdef int32_t[::1] same_view = same
    cdef int64_t[::1] graph_of = seen_graph
    cdef int32_t[::1] variable_of = seen_variable
    with nogil:
        for g in range(corpus.n_graphs):
            start = corpus.variable_offsets[g]
            for v in range(<int32_t> (corpus.variable_offsets[g + 1] - start)):
                name = names[start + v]
                first = v
                if name >= 0:
                    if graph_of[name] == g:
                        first = variable_of[name]
                    else:
                        graph_of[name] = g
                        variable_of[name] = v
                same_view[start + v] = first
            for k in range(corpus.attribute_offsets[g], corpus.attribute_offsets[g + 1]):
                name = values[k]
                if name >= 0 and graph_of[name] == g:
                    linked_view[k] = variable_of[name]
    return linked, same


cdef inline bint all_kept(const uint8_t[::1] keep, int64_t start, int64_t stop) noexcept nogil:
    return start == stop or memchr(&keep[start], 0, stop - start) == NULL


cdef inline void copy_rows(
    const int32_t[:, ::1] table, int64_t start, int64_t stop, int32_t[:, ::1] out, Py_ssize_t at
) noexcept nogil:
    cdef Py_ssize_t row
    if stop > start:
        for row in range(table.shape[0]):
            memcpy(&out[row, at], &table[row, start], (stop - start) * sizeof(int32_t))


def append_attribute(Columns corpus not None, const int32_t[::1] variables not None, int32_t role,
                     const int32_t[::1] values not None):
    """Add one attribute to some of the graphs, behind their other triples.

    Parameters
    ----------
    corpus : Columns
    variables : int32, shape (n_graphs,)
        The variable of the new attribute, as a number within the graph; -1 leaves the graph as it is.
    role : int
        Label id of the new attributes' role.
    values : int32, shape (n_graphs,)
        Label ids of the new attributes' values.

    Returns
    -------
    attribute_offsets : int64, shape (n_graphs + 1,)
    attributes : int32, shape (4, n_attributes + number of new ones)
        The whole table, as a corpus has it.

    Raises
    ------
    ValueError
        If an array has another length or a graph lacks the variable.

    Notes
    -----
    Cost: linear.
    """
    cdef Py_ssize_t g, k, out = 0
    cdef int32_t position
    if variables.shape[0] != corpus.n_graphs or values.shape[0] != corpus.n_graphs:
        raise ValueError("variables and values must have one entry a graph")
    for g in range(corpus.n_graphs):
        if not -1 <= variables[g] < count_variables(corpus, g):
            raise ValueError(f"graph {g} has no variable {variables[g]}")
        out += variables[g] >= 0
    offsets = np.zeros(corpus.n_graphs + 1, np.int64)
    attributes = np.empty((4, corpus.attributes.shape[1] + out), np.int32)
    cdef int64_t[::1] bounds = offsets
    cdef int32_t[:, ::1] rows = attributes
    out = 0
    with nogil:
        for g in range(corpus.n_graphs):
            copy_rows(corpus.attributes, corpus.attribute_offsets[g], corpus.attribute_offsets[g + 1], rows, out)
            out += count_attributes(corpus, g)
            if variables[g] >= 0:
                position = -1
                for k in range(corpus.instance_offsets[g], corpus.instance_offsets[g + 1]):
                    position = max(position, corpus.instances[2, k])
                for k in range(corpus.attribute_offsets[g], corpus.attribute_offsets[g + 1]):
                    position = max(position, corpus.attributes[3, k])
                for k in range(corpus.relation_offsets[g], corpus.relation_offsets[g + 1]):
                    position = max(position, corpus.relations[3, k])
                position += position < 2147483647     # positions may be equal, not negative
                rows[0, out], rows[1, out], rows[2, out], rows[3, out] = variables[g], role, values[g], position
                out += 1
            bounds[g + 1] = out
    return offsets, attributes


# Dropping -------------------------------------------------------------------------------------------------------------

def select(
    Columns corpus not None,
    const uint8_t[::1] keep_variables not None,
    const uint8_t[::1] keep_instances not None,
    const uint8_t[::1] keep_attributes not None,
    const uint8_t[::1] keep_relations not None,
):
    """Keep some variables and triples; number variables and positions anew in the graphs that lose any.

    Parameters
    ----------
    corpus : Columns
    keep_variables : uint8, shape (n_variables,)
    keep_instances : uint8, shape (n_instances,)
    keep_attributes : uint8, shape (n_attributes,)
    keep_relations : uint8, shape (n_relations,)
        1 for what stays, 0 for what is dropped.

    Returns
    -------
    dict of str to array
        The arrays of the new corpus by name, as of :func:`columns`. Alignments of dropped triples are dropped.

    Raises
    ------
    ValueError
        If a kept triple or root belongs to a dropped variable, or if a mask has another length than its table.
    MemoryError
        If there is no room for the numbers of one graph.

    Notes
    -----
    Cost: linear, and O(log T) for an alignment in a graph of T triples.
    """
    cdef Py_ssize_t n_instances = corpus.instances.shape[1], n_attributes = corpus.attributes.shape[1]
    cdef Py_ssize_t n_relations = corpus.relations.shape[1], n_surface = corpus.surface.shape[1]
    if (keep_variables.shape[0] != corpus.variable_offsets[corpus.n_graphs] or keep_instances.shape[0] != n_instances
            or keep_attributes.shape[0] != n_attributes or keep_relations.shape[0] != n_relations):
        raise ValueError("a mask and its table differ in length")
    out_root = np.empty(corpus.n_graphs, np.int32)
    cdef int32_t[::1] root = out_root
    offsets = np.zeros((5, corpus.n_graphs + 1), np.int64)
    cdef int64_t[:, ::1] bounds = offsets
    out_instances = np.empty((3, n_instances), np.int32)
    out_attributes = np.empty((4, n_attributes), np.int32)
    out_relations = np.empty((5, n_relations), np.int32)
    out_surface = np.empty((3, n_surface), np.int32)
    cdef int32_t[:, ::1] instances = out_instances
    cdef int32_t[:, ::1] attributes = out_attributes
    cdef int32_t[:, ::1] relations = out_relations
    cdef int32_t[:, ::1] surface = out_surface
    cdef int32_t *number = <int32_t *> malloc((corpus.most_variables + 1) * sizeof(int32_t))
    cdef Pair *places = <Pair *> malloc((corpus.most_triples + 1) * sizeof(Pair))
    if number == NULL or places == NULL:
        free(number)
        free(places)
        raise MemoryError()
    cdef Py_ssize_t g, k, found, i = 0, a = 0, r = 0, s = 0
    cdef int64_t start, n_variables = 0
    cdef int32_t position, kept, v
    cdef Heads heads
    cdef Py_ssize_t bad = -1
    cdef int kind
    with nogil:
        for g in range(corpus.n_graphs):
            start = corpus.variable_offsets[g]
            if (all_kept(keep_variables, start, corpus.variable_offsets[g + 1])
                    and all_kept(keep_instances, corpus.instance_offsets[g], corpus.instance_offsets[g + 1])
                    and all_kept(keep_attributes, corpus.attribute_offsets[g], corpus.attribute_offsets[g + 1])
                    and all_kept(keep_relations, corpus.relation_offsets[g], corpus.relation_offsets[g + 1])):
                root[g] = corpus.root[g]
                copy_rows(corpus.instances, corpus.instance_offsets[g], corpus.instance_offsets[g + 1], instances, i)
                copy_rows(
                    corpus.attributes, corpus.attribute_offsets[g], corpus.attribute_offsets[g + 1], attributes, a)
                copy_rows(corpus.relations, corpus.relation_offsets[g], corpus.relation_offsets[g + 1], relations, r)
                copy_rows(corpus.surface, corpus.surface_offsets[g], corpus.surface_offsets[g + 1], surface, s)
                n_variables += corpus.variable_offsets[g + 1] - start
                i += count_instances(corpus, g)
                a += count_attributes(corpus, g)
                r += count_relations(corpus, g)
                s += corpus.surface_offsets[g + 1] - corpus.surface_offsets[g]
                bounds[0, g + 1], bounds[1, g + 1], bounds[2, g + 1] = n_variables, i, a
                bounds[3, g + 1], bounds[4, g + 1] = r, s
                continue
            kept = 0
            for v in range(<int32_t> (corpus.variable_offsets[g + 1] - start)):
                number[v] = -1
                if keep_variables[start + v]:
                    number[v] = kept
                    kept += 1
            n_variables += kept
            root[g] = number[corpus.root[g]] if corpus.root[g] >= 0 else -1
            if root[g] < 0 and kept:
                bad = g
                break
            heads.instance, heads.attribute = corpus.instance_offsets[g], corpus.attribute_offsets[g]
            heads.relation = corpus.relation_offsets[g]
            position = 0
            while True:
                kind = next_triple(corpus, g, &heads)
                if kind < 0:
                    break
                if kind == 0:
                    k = heads.instance
                    heads.instance += 1
                    if not keep_instances[k]:
                        continue
                    instances[0, i], instances[1, i] = number[corpus.instances[0, k]], corpus.instances[1, k]
                    instances[2, i] = position
                    places[position].major = corpus.instances[2, k]
                    if instances[0, i] < 0:
                        bad = g
                    i += 1
                elif kind == 1:
                    k = heads.attribute
                    heads.attribute += 1
                    if not keep_attributes[k]:
                        continue
                    attributes[0, a], attributes[1, a] = number[corpus.attributes[0, k]], corpus.attributes[1, k]
                    attributes[2, a], attributes[3, a] = corpus.attributes[2, k], position
                    places[position].major = corpus.attributes[3, k]
                    if attributes[0, a] < 0:
                        bad = g
                    a += 1
                else:
                    k = heads.relation
                    heads.relation += 1
                    if not keep_relations[k]:
                        continue
                    relations[0, r], relations[1, r] = number[corpus.relations[0, k]], corpus.relations[1, k]
                    relations[2, r], relations[3, r] = number[corpus.relations[2, k]], position
                    relations[4, r] = corpus.relations[4, k]
                    places[position].major = corpus.relations[3, k]
                    if relations[0, r] < 0 or relations[2, r] < 0:
                        bad = g
                    r += 1
                position += 1
            if bad >= 0:
                break
            for k in range(corpus.surface_offsets[g], corpus.surface_offsets[g + 1]):
                found = find_position(places, position, corpus.surface[0, k])
                if found >= 0:
                    surface[0, s] = <int32_t> found
                    surface[1, s], surface[2, s] = corpus.surface[1, k], corpus.surface[2, k]
                    s += 1
            bounds[0, g + 1], bounds[1, g + 1], bounds[2, g + 1] = n_variables, i, a
            bounds[3, g + 1], bounds[4, g + 1] = r, s
    free(number)
    free(places)
    if bad >= 0:
        raise ValueError(f"graph {bad}: a triple or root that is kept is of a variable that is dropped")
    return columns(
        out_root, offsets, out_instances[:, :i], out_attributes[:, :a], out_relations[:, :r], out_surface[:, :s]
    )


def columns(root, offsets, instances, attributes, relations, surface):
    """Name the arrays of a rewritten corpus as :class:`~fastmatch.Corpus` does.

    Parameters
    ----------
    root : int32, shape (n_graphs,)
    offsets : int64, shape (5, n_graphs + 1)
        Rows: offsets of variables, instances, attributes, relations, surface.
    instances, attributes, relations, surface : int32, shapes (3, ...), (4, ...), (5, ...), (3, ...)

    Returns
    -------
    dict of str to array
        All arrays of a corpus except lines, names of variables and comments, which rewriting does not make.
    """
    return {
        "root": root,
        "variable_offsets": offsets[0],
        "instance_offsets": offsets[1],
        "instances": np.ascontiguousarray(instances),
        "attribute_offsets": offsets[2],
        "attributes": np.ascontiguousarray(attributes),
        "relation_offsets": offsets[3],
        "relations": np.ascontiguousarray(relations),
        "surface_offsets": offsets[4],
        "surface": np.ascontiguousarray(surface),
    }


# Reification ----------------------------------------------------------------------------------------------------------

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
        The arrays of the new corpus, as of :func:`columns`. The new variables of a graph follow its old ones.

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
    cdef Py_ssize_t n_instances = corpus.instances.shape[1], n_attributes = corpus.attributes.shape[1]
    cdef Py_ssize_t n_relations = corpus.relations.shape[1], n_surface = corpus.surface.shape[1], n_new = 0, g, k
    for k in range(n_attributes):
        n_new += concept_of[corpus.attributes[1, k]] >= 0
    for k in range(n_relations):
        n_new += concept_of[corpus.relations[1, k]] >= 0
    offsets = np.zeros((5, corpus.n_graphs + 1), np.int64)
    cdef int64_t[:, ::1] bounds = offsets
    out_instances = np.empty((3, n_instances + n_new), np.int32)
    out_attributes = np.empty((4, n_attributes), np.int32)
    out_relations = np.empty((5, n_relations + n_new), np.int32)
    out_surface = np.empty((3, n_surface), np.int32)
    cdef int32_t[:, ::1] instances = out_instances
    cdef int32_t[:, ::1] attributes = out_attributes
    cdef int32_t[:, ::1] relations = out_relations
    cdef int32_t[:, ::1] surface = out_surface
    # for each old triple: major, its old position; minor, 2 * its new position, + 1 if it has become a node
    cdef Pair *places = <Pair *> malloc((corpus.most_triples + 1) * sizeof(Pair))
    if places == NULL:
        raise MemoryError()
    cdef Py_ssize_t n_places, found, i = 0, a = 0, r = 0, s = 0
    cdef int64_t n_variables = 0
    cdef int32_t position, made, v, role, concept, source, target
    cdef Heads heads
    cdef int kind
    with nogil:
        for g in range(corpus.n_graphs):
            heads.instance, heads.attribute = corpus.instance_offsets[g], corpus.attribute_offsets[g]
            heads.relation = corpus.relation_offsets[g]
            v = count_variables(corpus, g)
            position = 0
            n_places = 0
            while True:
                kind = next_triple(corpus, g, &heads)
                if kind < 0:
                    break
                made = 0
                if kind == 0:
                    k = heads.instance
                    heads.instance += 1
                    places[n_places].major = corpus.instances[2, k]
                    instances[0, i], instances[1, i] = corpus.instances[0, k], corpus.instances[1, k]
                    instances[2, i] = position
                    i += 1
                elif kind == 1:
                    k = heads.attribute
                    heads.attribute += 1
                    places[n_places].major = corpus.attributes[3, k]
                    source, role = corpus.attributes[0, k], corpus.attributes[1, k]
                    concept = concept_of[role]
                    if concept >= 0:
                        made = 2
                        relations[0, r], relations[1, r], relations[2, r] = v, first_of[role], source
                        relations[3, r], relations[4, r] = position, 1
                        r += 1
                        instances[0, i], instances[1, i], instances[2, i] = v, concept, position + 1
                        i += 1
                        source, role = v, second_of[role]
                        v += 1
                    attributes[0, a], attributes[1, a] = source, role
                    attributes[2, a], attributes[3, a] = corpus.attributes[2, k], position + made
                    a += 1
                else:
                    k = heads.relation
                    heads.relation += 1
                    places[n_places].major = corpus.relations[3, k]
                    source, role, target = corpus.relations[0, k], corpus.relations[1, k], corpus.relations[2, k]
                    concept = concept_of[role]
                    if concept >= 0:
                        made = 2
                        # the node is written in the place of the relation: below the source, or below the target
                        # if the relation was inverted
                        relations[0, r] = relations[0, r + 1] = v
                        relations[3, r], relations[3, r + 1] = position, position + 2
                        relations[4, r], relations[4, r + 1] = 1, 0
                        if corpus.relations[4, k]:
                            relations[1, r], relations[2, r] = second_of[role], target
                            relations[1, r + 1], relations[2, r + 1] = first_of[role], source
                        else:
                            relations[1, r], relations[2, r] = first_of[role], source
                            relations[1, r + 1], relations[2, r + 1] = second_of[role], target
                        instances[0, i], instances[1, i], instances[2, i] = v, concept, position + 1
                        i += 1
                        r += 2
                        v += 1
                    else:
                        relations[0, r], relations[1, r], relations[2, r] = source, role, target
                        relations[3, r], relations[4, r] = position, corpus.relations[4, k]
                        r += 1
                places[n_places].minor = <int64_t> position * 2 + (made > 0)
                n_places += 1
                position += 1 + made
            for k in range(corpus.surface_offsets[g], corpus.surface_offsets[g + 1]):
                found = find_position(places, n_places, corpus.surface[0, k])
                if found >= 0:
                    surface[0, s] = <int32_t> (places[found].minor >> 1)
                    surface[1, s], surface[2, s] = corpus.surface[1, k], corpus.surface[2, k]
                    if places[found].minor & 1:
                        surface[0, s] += 1 if corpus.surface[1, k] == ROLE else 2
                        surface[1, s] = TARGET
                    s += 1
            n_variables += v
            bounds[0, g + 1], bounds[1, g + 1], bounds[2, g + 1] = n_variables, i, a
            bounds[3, g + 1], bounds[4, g + 1] = r, s
    free(places)
    return columns(
        np.asarray(corpus.root).copy(), offsets, out_instances, out_attributes, out_relations, out_surface[:, :s]
    )


cdef struct Node:
    int32_t n_in
    int32_t n_out
    int32_t n_concepts
    int32_t concept
    Py_ssize_t[2] row                 # its outgoing triples: k for row k of ``relations``, -1 - k of ``attributes``
    Py_ssize_t instance


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
        Masks for :func:`select`, one entry a variable, instance and relation.
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
    cdef Py_ssize_t n_labels = rule_of.shape[0], n_rules = rules.shape[1]
    cdef Py_ssize_t n_variables = corpus.variable_offsets[corpus.n_graphs]
    cdef Py_ssize_t k
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
    out_attributes, out_relations = np.array(corpus.attributes, order="C"), np.array(corpus.relations, order="C")
    out_surface = np.array(corpus.surface, order="C")
    masks = (
        np.ones(n_variables, np.uint8),
        np.ones(corpus.instances.shape[1], np.uint8),
        np.ones(corpus.relations.shape[1], np.uint8),
    )
    cdef int32_t[:, ::1] attributes = out_attributes
    cdef int32_t[:, ::1] relations = out_relations
    cdef int32_t[:, ::1] surface = out_surface
    cdef uint8_t[::1] keep_variables = masks[0]
    cdef uint8_t[::1] keep_instances = masks[1]
    cdef uint8_t[::1] keep_relations = masks[2]
    cdef Node *nodes = <Node *> malloc((corpus.most_variables + 1) * sizeof(Node))
    if nodes == NULL:
        raise MemoryError()
    cdef Py_ssize_t g, first, second, swap, kept, changed = 0
    cdef int32_t v, n, rule, place_first, place_second, place_kept, place_instance
    cdef Node *node
    cdef bint candidates
    with nogil:
        for g in range(corpus.n_graphs):
            candidates = False
            for k in range(corpus.instance_offsets[g], corpus.instance_offsets[g + 1]):
                if corpus.instances[1, k] >= 0 and rule_of[corpus.instances[1, k]] >= 0:
                    candidates = True
                    break
            if not candidates:
                continue
            n = count_variables(corpus, g)
            for v in range(n):
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
            for v in range(n):
                node = &nodes[v]
                if (node.n_in or node.n_out != 2 or node.n_concepts != 1 or node.concept < 0 or v == corpus.root[g]
                        or (node.row[0] < 0 and node.row[1] < 0)):
                    continue
                rule = rule_of[node.concept]
                while rule >= 0:
                    first, second = node.row[0], node.row[1]
                    if role_at(corpus, first) == rules[1, rule] and role_at(corpus, second) == rules[0, rule]:
                        swap = first
                        first = second
                        second = swap
                    if role_at(corpus, first) == rules[0, rule] and role_at(corpus, second) == rules[1, rule]:
                        break
                    rule = rules[4, rule]
                if rule < 0:
                    continue
                changed += 1
                keep_variables[corpus.variable_offsets[g] + v] = 0
                keep_instances[node.instance] = 0
                place_instance = corpus.instances[2, node.instance]
                place_first, place_second = place_at(corpus, first), place_at(corpus, second)
                if first >= 0 and second >= 0:
                    # the row of whichever of the two stands first in the text becomes the relation
                    kept = first if place_first < place_second else second
                    relations[1, kept] = rules[2, rule]
                    relations[4, kept] = corpus.relations[4, second] and not corpus.relations[4, first]
                    relations[0, kept], relations[2, kept] = corpus.relations[2, first], corpus.relations[2, second]
                    keep_relations[second if kept == first else first] = 0
                    place_kept = min(place_first, place_second)
                elif second < 0:      # the target is a constant
                    kept = -1 - second
                    attributes[0, kept], attributes[1, kept] = corpus.relations[2, first], rules[2, rule]
                    keep_relations[first] = 0
                    place_kept = place_second
                else:
                    kept = -1 - first
                    attributes[0, kept], attributes[1, kept] = corpus.relations[2, second], rules[3, rule]
                    keep_relations[second] = 0
                    place_kept = place_first
                for k in range(corpus.surface_offsets[g], corpus.surface_offsets[g + 1]):
                    if corpus.surface[0, k] == place_instance:
                        surface[0, k], surface[1, k] = place_kept, ROLE
                    elif corpus.surface[0, k] == place_first or corpus.surface[0, k] == place_second:
                        surface[0, k] = place_kept
    free(nodes)
    return (*masks, out_attributes, out_relations, out_surface) if changed else None


cdef inline int32_t role_at(Columns corpus, Py_ssize_t row) noexcept nogil:
    return corpus.relations[1, row] if row >= 0 else corpus.attributes[1, -1 - row]


cdef inline int32_t place_at(Columns corpus, Py_ssize_t row) noexcept nogil:
    return corpus.relations[3, row] if row >= 0 else corpus.attributes[3, -1 - row]
