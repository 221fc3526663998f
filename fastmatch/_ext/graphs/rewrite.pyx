"""Rewriting the graphs of a corpus: the steps of standardisation that add, drop or compare triples.

Steps that only replace labels are table look-ups and stand in :mod:`fastmatch.graphs.standardization.steps`; relations
that become nodes, and nodes that become relations, are in :mod:`fastmatch._ext.graphs.reification`.

Every function takes the arrays of a corpus as a :class:`~fastmatch._ext.graphs.columns.Columns` and walks over them
without the GIL. A *position* is the place of a triple among all triples of its graph, in the order of the text; a *row*
is the entry of one triple in one of the three tables (instances, attributes, relations). Within a graph the rows of a
table ascend by position, so a merge of the three tables gives all triples in the order of the text (``next_triple`` in
``rewrite.pxd``). Functions that add or drop triples number the positions anew (0, 1, 2, …) and move the alignments
(``surface``) along with them.
"""

from libc.stdint cimport int32_t, int64_t, uint8_t

from fastmatch._ext.base.kept cimport zeros
from fastmatch._ext.base.keyed cimport Table as Seen, place, table_clear, table_init
from fastmatch._ext.base.sorting cimport Pair
from fastmatch._ext.graphs.columns cimport Columns, count_variables

import numpy as np

cdef enum:
    NOT_A_ROLE = -1     # that of an instance


cdef class Output:
    """The arrays of the rewritten corpus, written graph by graph with the functions of ``rewrite.pxd``.

    Parameters
    ----------
    corpus : Columns
        What is rewritten. There is room for its triples and alignments.
    n_more : int
        Room for so many more instances and relations.
    """

    def __cinit__(self, Columns corpus not None, Py_ssize_t n_more=0):
        self.root = np.empty(corpus.n_graphs, np.int32)
        self.offsets = np.zeros((5, corpus.n_graphs + 1), np.int64)
        self.instances = np.empty((3, corpus.instances.shape[1] + n_more), np.int32)
        self.attributes = np.empty((4, corpus.attributes.shape[1]), np.int32)
        self.relations = np.empty((5, corpus.relations.shape[1] + n_more), np.int32)
        self.surface = np.empty((3, corpus.surface.shape[1]), np.int32)

    cdef dict arrays(self):
        """What is written, by name as :class:`~fastmatch.Corpus` has it.

        All arrays of a corpus are there except lines, names of variables and comments, which rewriting does not make.
        """
        offsets = np.asarray(self.offsets)
        return {
            "root": np.asarray(self.root),
            "variable_offsets": offsets[0],
            "instance_offsets": offsets[1],
            "instances": np.ascontiguousarray(self.instances[:, :self.n_instances]),
            "attribute_offsets": offsets[2],
            "attributes": np.ascontiguousarray(self.attributes[:, :self.n_attributes]),
            "relation_offsets": offsets[3],
            "relations": np.ascontiguousarray(self.relations[:, :self.n_relations]),
            "surface_offsets": offsets[4],
            "surface": np.ascontiguousarray(self.surface[:, :self.n_surface]),
        }


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
        If there is no room for the triples of a graph.

    Notes
    -----
    Cost: linear in the triples, on average (they are hashed).
    """
    sizes = corpus.instances.shape[1], corpus.attributes.shape[1], corpus.relations.shape[1]
    out = tuple(np.zeros(n, np.int32) for n in sizes)
    cdef int32_t[::1] of_instances = out[0], of_attributes = out[1], of_relations = out[2]
    cdef Seen seen
    cdef Py_ssize_t g, k
    kept = []
    table_init(&seen, corpus.most_triples, kept)
    with nogil:
        for g in range(corpus.n_graphs):
            table_clear(&seen)
            for k in range(corpus.instance_offsets[g], corpus.instance_offsets[g + 1]):
                of_instances[k] = one_more(&seen, corpus.instances[0, k], NOT_A_ROLE, corpus.instances[1, k])
            for k in range(corpus.attribute_offsets[g], corpus.attribute_offsets[g + 1]):
                of_attributes[k] = one_more(
                    &seen, corpus.attributes[0, k], corpus.attributes[1, k], -2 - corpus.attributes[2, k])
            for k in range(corpus.relation_offsets[g], corpus.relation_offsets[g + 1]):
                of_relations[k] = one_more(
                    &seen, corpus.relations[0, k], corpus.relations[1, k], corpus.relations[2, k])
    return out


cdef inline int32_t one_more(Seen *seen, int32_t source, int32_t role, int32_t target) noexcept nogil:
    """How often this triple was counted before."""
    cdef int32_t *copies = place(seen, source, role, target, True)
    copies[0] += 1      # from -1 on
    return copies[0]


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
    Cost: linear in the variables and the attributes, on average (names are hashed).
    """
    cdef Py_ssize_t g, k
    cdef int64_t start
    cdef int32_t v
    cdef int32_t *first
    cdef Seen seen
    if names.shape[0] != corpus.variable_offsets[corpus.n_graphs] or values.shape[0] != corpus.attributes.shape[1]:
        raise ValueError("names and values must have one entry a variable and an attribute")
    linked = np.full(values.shape[0], -1, np.int32)
    same = np.empty(names.shape[0], np.int32)
    cdef int32_t[::1] linked_view = linked, same_view = same
    kept = []
    table_init(&seen, corpus.most_variables, kept)
    with nogil:
        for g in range(corpus.n_graphs):
            table_clear(&seen)
            start = corpus.variable_offsets[g]
            for v in range(count_variables(corpus, g)):
                same_view[start + v] = v
                if names[start + v] >= 0:
                    first = place(&seen, names[start + v], 0, 0, True)
                    if first[0] < 0:
                        first[0] = v
                    same_view[start + v] = first[0]
            for k in range(corpus.attribute_offsets[g], corpus.attribute_offsets[g + 1]):
                first = place(&seen, values[k], 0, 0, False) if values[k] >= 0 else NULL
                if first != NULL:
                    linked_view[k] = first[0]
    return linked, same


# Dropping -------------------------------------------------------------------------------------------------------------

def select(
    Columns corpus not None,
    const uint8_t[::1] keep_variables not None,
    const uint8_t[::1] keep_instances not None,
    const uint8_t[::1] keep_attributes not None,
    const uint8_t[::1] keep_relations not None,
):
    """Keep some variables and triples; number what stays anew.

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
        The arrays of the new corpus by name, without lines, names of variables and comments. Alignments of dropped
        triples are dropped.

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
    if (keep_variables.shape[0] != corpus.variable_offsets[corpus.n_graphs]
            or keep_instances.shape[0] != corpus.instances.shape[1]
            or keep_attributes.shape[0] != corpus.attributes.shape[1]
            or keep_relations.shape[0] != corpus.relations.shape[1]):
        raise ValueError("a mask and its table differ in length")
    cdef Output out = Output(corpus)
    kept = []
    cdef int32_t *number = <int32_t *> zeros(kept, corpus.most_variables, sizeof(int32_t))
    cdef Pair *places = <Pair *> zeros(kept, corpus.most_triples, sizeof(Pair))
    cdef Py_ssize_t g, bad = -1
    with nogil:
        for g in range(corpus.n_graphs):
            if not select_graph(
                corpus, g, keep_variables, keep_instances, keep_attributes, keep_relations, number, places, out
            ):
                bad = g
                break
    if bad >= 0:
        raise ValueError(f"graph {bad}: a triple or root that is kept is of a variable that is dropped")
    return out.arrays()


cdef bint select_graph(
    Columns corpus, Py_ssize_t g, const uint8_t[::1] keep_variables, const uint8_t[::1] keep_instances,
    const uint8_t[::1] keep_attributes, const uint8_t[::1] keep_relations, int32_t *number, Pair *places, Output out,
) noexcept nogil:
    """Write what is kept of a graph. Returns False if the root or a kept triple is of a variable that is dropped.

    ``number`` (one entry a variable) and ``places`` (one entry a triple) are scratch memory.
    """
    cdef Heads heads = first_rows(corpus, g)
    cdef Table table
    cdef Triple now
    cdef Py_ssize_t k, found
    cdef int64_t first_variable = corpus.variable_offsets[g]
    cdef int32_t v, source, target, root = -1, kept = 0, position = 0
    for v in range(count_variables(corpus, g)):
        number[v] = -1
        if keep_variables[first_variable + v]:
            number[v] = kept
            kept += 1
    if corpus.root[g] >= 0:
        root = number[corpus.root[g]]
        if root < 0 and kept:
            return False
    while (table := next_triple(corpus, g, &heads, &now)) != NO_TABLE:
        if table == INSTANCES:
            if not keep_instances[now.row]:
                continue
            source = target = number[now.source]
            put_instance(out, source, now.target, position)
        elif table == ATTRIBUTES:
            if not keep_attributes[now.row]:
                continue
            source = target = number[now.source]
            put_attribute(out, source, now.role, now.target, position)
        else:
            if not keep_relations[now.row]:
                continue
            source, target = number[now.source], number[now.target]
            put_relation(out, source, now.role, target, position, now.inverted)
        if source < 0 or target < 0:
            return False
        places[position].major = now.position
        position += 1
    for k in range(corpus.surface_offsets[g], corpus.surface_offsets[g + 1]):
        if (found := find_position(places, position, corpus.surface[0, k])) >= 0:
            put_surface(out, <int32_t> found, corpus.surface[1, k], corpus.surface[2, k])
    end_graph(out, g, root, kept)
    return True
