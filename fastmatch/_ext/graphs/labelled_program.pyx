"""The labelled graphs of the published program (weisfeiler-leman-amr-metrics 0.4), on which WLK and WWLK work under
``preset="tool"``.

They differ in four points from those of :mod:`fastmatch._ext.graphs.labelled`:

* The program lower-cases all text and removes all quotes before it looks for variables. So variables whose names then
  are equal are one node, and a constant that then is the name of a variable is that variable: in
  ``(c / cat :name (n / name :op1 "C"))`` the edge of ``:op1`` leads to ``cat``.
* A constant with the label of a concept gets no node of its own. In ``(c / city :name (n / name :op1 "city"))`` the
  edge of ``:op1`` leads to the last variable whose concept is ``city``.
* A variable without a concept is not a node. A relation that leads to it leads to a constant, its name. The edges that
  leave it are lost.
* The order of the nodes, on which the program's labels depend (:mod:`fastmatch._ext.features.neighbourhoods`), is not
  that of the text. The program renames the variables (to the first letter of the concept, and a number from the second
  variable with that letter on), makes a Python set of the triples, and takes the order of the set. So graphs that have
  equal triples after renaming have one order, but it changes with Python's hash seed. Here it is the alphabetical order
  of the renamed triples, where constants with the same source and role stay in the order of the text. Where the program
  gives one score for all seeds, it gives that score for this order as well.

One thing is not copied. The program drops every edge from a constant to a variable with its label if that variable is
node 0, which it may be or not, by the seed. Here such an edge is dropped if the graph has one variable only, so that it
is node 0 always.
"""

from libc.stdint cimport int32_t, int64_t, uint8_t
from libc.string cimport memcmp, memcpy, memset

from fastmatch._ext.base.columns cimport Column, fresh, release
from fastmatch._ext.base.kept cimport zeros
from fastmatch._ext.base.keyed cimport Table, place, table_clear, table_init
from fastmatch._ext.base.sorting cimport Pair, sort_pairs
from fastmatch._ext.base.letters cimport write_number
from fastmatch._ext.base.lines cimport Place
from fastmatch._ext.graphs.columns cimport Columns, count_attributes, count_relations, count_variables
from fastmatch._ext.reading.interner cimport Interner

import numpy as np

cdef enum:
    NOT_A_NODE = -1
    # digits of a renamed variable's number in its sort key, the one behind them included; see sort_key
    KEY_DIGITS = 11


cdef struct Program:
    # scratch for one graph after the other; arrays by the number of a variable within its graph
    int32_t *one_of         # the first variable with the same folded name
    int32_t *concept        # the concept that the text has last
    int32_t *label          # the concept that the program's order has last, the greatest
    int32_t *node           # the variable's node; NOT_A_NODE without a concept
    Pair *pairs             # for sorting, of variables and then of constants
    Pair *scratch
    int32_t *node_of        # number of each constant's node, in the order in which they are found
    int32_t *target_of      # the constant that an edge leads to, in that order, or -1
    Table names             # folded name -> first variable with it
    Table concepts          # all concepts of the graph; value: the last variable, in the program's order, with it
    Table constants         # all labels that are no variables
    Table letters           # first letter of a concept -> variables that begin with it
    Table seen              # edges, and (variable, concept)
    Column text             # a variable's new name


cdef inline int32_t first_letter(Interner interner, int32_t label) noexcept nogil:
    """Code point of the first character of a string; 0 if it is empty or there is none."""
    cdef int64_t length = interner.length(label) if label >= 0 else 0
    if length == 0:
        return 0
    cdef Place p = interner.blob + interner.offsets[label]
    if p[0] >= 0xf0 and length >= 4:
        return (p[0] & 0x07) << 18 | (p[1] & 0x3f) << 12 | (p[2] & 0x3f) << 6 | (p[3] & 0x3f)
    if p[0] >= 0xe0 and length >= 3:
        return (p[0] & 0x0f) << 12 | (p[1] & 0x3f) << 6 | (p[2] & 0x3f)
    if p[0] >= 0xc0 and length >= 2:
        return (p[0] & 0x1f) << 6 | (p[1] & 0x3f)
    return p[0]


cdef inline bint comes_later(Interner interner, int32_t a, int32_t b) noexcept nogil:
    """Whether string ``a`` comes behind string ``b`` by code points; no string (-1) comes first."""
    cdef int64_t n, m
    if a < 0 or b < 0:
        return a > b
    n, m = interner.length(a), interner.length(b)
    cdef int order = memcmp(interner.blob + interner.offsets[a], interner.blob + interner.offsets[b], min(n, m))
    return order > 0 if order else n > m


cdef inline int64_t sort_key(int32_t letter, int32_t number, bint more) noexcept nogil:
    """A number that sorts as the new name of a variable does: a letter, the digits of ``number`` unless it is 0, and x
    if ``more``. A name that ends comes before a digit, a digit before x."""
    cdef uint8_t[KEY_DIGITS] digits
    cdef int64_t key = letter, n = write_number(digits, number) if number else 0, k
    for k in range(KEY_DIGITS):
        key *= 12
        if k < n:
            key += 1 + digits[k] - c"0"
        elif k == n and more:
            key += 11
    return key


cdef int is_taken(Program *scratch, Interner interner, int32_t concept, int32_t number, int64_t added) except -1 nogil:
    """Whether the name of the first letter of ``concept``, ``number`` and ``added`` times x is a constant of the graph.
    """
    cdef int64_t letter = 0, length = interner.length(concept) if concept >= 0 else 0
    cdef Place start
    cdef uint8_t *out = <uint8_t *> fresh(&scratch.text, 4 + KEY_DIGITS + added, 1)
    if length:
        start = interner.blob + interner.offsets[concept]
        letter = 1
        while letter < length and start[letter] & 0xc0 == 0x80:
            letter += 1
        letter = min(letter, 4)
        memcpy(out, start, letter)
    if number:
        letter += write_number(out + letter, number)
    memset(out + letter, c"x", added)
    cdef int32_t label = interner.find(out, letter + added)
    return label >= 0 and place(&scratch.constants, label, 0, 0, False) != NULL


def program_graphs(
    Columns corpus not None,
    Interner interner not None,
    const int32_t[::1] labels not None,
    const int32_t[::1] roles not None,
    const int32_t[::1] ranks not None,
    const uint8_t[::1] inverse not None,
    int32_t root_role=-1,
):
    """Make the graphs of the published program; see the top of this module.

    Parameters
    ----------
    corpus : Columns
        Read with the dialect of the program.
    interner : Interner
        Has the strings of all labels. Its lock is held during the call.
    labels : int32, shape (n_labels,)
        Folded id of each concept, constant and name; as long as the vocabulary was when the corpus was made, or longer.
        The string of a folded id is the folded string.
    roles : int32, shape (n_labels,)
        Folded id of each role.
    ranks : int32, shape (n_labels,)
        Place of each role's folded string in alphabetical order, ≥ 0; equal for equal strings.
    inverse : uint8, shape (n_labels,)
        1 for the roles whose edges are turned around.
    root_role : int
        Folded id of the role whose triples are left out, or -1.

    Returns
    -------
    node_offsets, node_labels, edge_offsets, edges : arrays
        As of :func:`fastmatch._ext.graphs.labelled.node_graphs`. Variables come first, then constants, both in the
        order said above.
    node_variables : int32, shape (n_nodes,)
        For each node the number of the variable within its graph, -1 for a constant.

    Raises
    ------
    IndexError
        If a label of the corpus lies beyond the end of ``labels``, ``roles``, ``ranks`` or ``inverse``, or a folded one
        beyond the strings of ``interner``.
    MemoryError
        If the graphs do not fit in memory.

    Notes
    -----
    Cost: O(T log T) for T triples, on average (the keys are hashed).
    """
    cdef Py_ssize_t n_graphs = corpus.n_graphs, g, k
    cdef Py_ssize_t most = corpus.most_variables, largest = most + corpus.most_triples
    cdef int32_t n_ids = min(min(labels.shape[0], roles.shape[0]), min(ranks.shape[0], inverse.shape[0]))
    cdef Program scratch
    cdef int64_t at = 0, edge_at = 0
    if corpus.n_labels > n_ids or corpus.n_names > n_ids:
        raise IndexError(
            f"a label of the corpus is out of range: labels, roles, ranks and inverse have {n_ids} entries"
        )
    for k in range(labels.shape[0]):
        if not -1 <= labels[k] < interner.size():
            raise IndexError(f"a folded label is out of range: there are {interner.size()} strings")
    cdef Py_ssize_t n_edges = corpus.attributes.shape[1] + corpus.relations.shape[1]
    node_offsets = np.zeros(n_graphs + 1, np.int64)
    node_labels = np.empty(corpus.variable_names.shape[0] + n_edges, np.int32)
    node_variables = np.empty(len(node_labels), np.int32)
    edge_offsets = np.zeros(n_graphs + 1, np.int64)
    edges = np.empty((3, n_edges), np.int32)
    cdef int64_t[::1] node_offset = node_offsets, edge_offset = edge_offsets
    cdef int32_t[::1] node_label = node_labels, node_variable = node_variables
    cdef int32_t[:, ::1] edge = edges
    memset(&scratch, 0, sizeof(Program))
    kept = []
    scratch.one_of = <int32_t *> zeros(kept, most, sizeof(int32_t))
    scratch.concept = <int32_t *> zeros(kept, most, sizeof(int32_t))
    scratch.label = <int32_t *> zeros(kept, most, sizeof(int32_t))
    scratch.node = <int32_t *> zeros(kept, most, sizeof(int32_t))
    scratch.pairs = <Pair *> zeros(kept, largest, sizeof(Pair))
    scratch.scratch = <Pair *> zeros(kept, largest, sizeof(Pair))
    scratch.node_of = <int32_t *> zeros(kept, largest, sizeof(int32_t))
    scratch.target_of = <int32_t *> zeros(kept, largest, sizeof(int32_t))
    table_init(&scratch.names, largest, kept)
    table_init(&scratch.concepts, largest, kept)
    table_init(&scratch.constants, 2 * largest, kept)
    table_init(&scratch.letters, largest, kept)
    table_init(&scratch.seen, 2 * largest, kept)
    interner.enter()
    try:
        with nogil:
            for g in range(n_graphs):
                add_program_graph(
                    corpus, g, interner, labels, roles, ranks, inverse, root_role, &scratch, &at, &edge_at, node_label,
                    node_variable, edge,
                )
                node_offset[g + 1] = at
                edge_offset[g + 1] = edge_at
    finally:
        interner.leave()
        release(&scratch.text)
    return (
        node_offsets, node_labels[:at].copy(), edge_offsets, np.ascontiguousarray(edges[:, :edge_at]),
        node_variables[:at].copy(),
    )


cdef int add_program_graph(
    Columns corpus, Py_ssize_t g, Interner interner, const int32_t[::1] labels, const int32_t[::1] roles,
    const int32_t[::1] ranks, const uint8_t[::1] inverse, int32_t root_role, Program *scratch, int64_t *at,
    int64_t *edge_at, int32_t[::1] node_label, int32_t[::1] node_variable, int32_t[:, ::1] edge,
) except -1 nogil:
    """Append nodes and edges of graph ``g`` behind the first ``at`` nodes and ``edge_at`` edges."""
    cdef int64_t first = at[0], k, added
    cdef int32_t n_variables = count_variables(corpus, g), n_nodes, n_instances = 0, n_constants = 0, n_named = 0
    cdef int32_t v, source, target, label, role, letter, number, rank
    cdef int32_t *found
    cdef bint turned
    table_clear(&scratch.names)
    table_clear(&scratch.concepts)
    table_clear(&scratch.constants)
    table_clear(&scratch.letters)
    table_clear(&scratch.seen)
    for v in range(n_variables):
        scratch.one_of[v] = v
        scratch.node[v] = NOT_A_NODE
        if (label := folded_name(corpus, g, v, labels)) >= 0:
            found = place(&scratch.names, label, 0, 0, True)
            if found[0] < 0:
                found[0] = v
            scratch.one_of[v] = found[0]
    # concepts; pairs get the variables that have one, in the order of the text
    for k in range(corpus.instance_offsets[g], corpus.instance_offsets[g + 1]):
        v = scratch.one_of[corpus.instances[0, k]]
        label = corpus.instances[1, k]
        if label >= 0:
            label = labels[label]
        if scratch.node[v] == NOT_A_NODE:
            scratch.node[v] = 0
            scratch.label[v] = label
            scratch.pairs[n_named].minor = v
            n_named += 1
        elif comes_later(interner, label, scratch.label[v]):
            scratch.label[v] = label
        scratch.concept[v] = label
        place(&scratch.concepts, label, 0, 0, True)
        found = place(&scratch.seen, v, -1, label, True)
        n_instances += found[0] < 0
        found[0] = 0
    # constants, which a new name must not equal: last concepts, and ends of other triples that are no nodes
    for k in range(n_named):
        place(&scratch.constants, scratch.concept[scratch.pairs[k].minor], 0, 0, True)
    for k in range(corpus.relation_offsets[g], corpus.relation_offsets[g + 1]):
        for turned in range(2):
            v = scratch.one_of[corpus.relations[2 if turned else 0, k]]
            if scratch.node[v] == NOT_A_NODE:
                place(&scratch.constants, folded_name(corpus, g, v, labels), 0, 0, True)
    for k in range(corpus.attribute_offsets[g], corpus.attribute_offsets[g + 1]):
        v = scratch.one_of[corpus.attributes[0, k]]
        if scratch.node[v] == NOT_A_NODE:
            place(&scratch.constants, folded_name(corpus, g, v, labels), 0, 0, True)
        label = folded_value(corpus, k, labels)
        if variable_called(scratch, label) < 0:
            place(&scratch.constants, label, 0, 0, True)
    # new names, by which the variables are sorted
    for k in range(n_named):
        v = <int32_t> scratch.pairs[k].minor
        letter = first_letter(interner, scratch.concept[v])
        found = place(&scratch.letters, letter, 0, 0, True)
        found[0] += 1
        number = found[0]
        added = 0
        while is_taken(scratch, interner, scratch.concept[v], number, added):
            added += 1
        scratch.pairs[k].major = sort_key(letter, number, added > 0)
    sort_pairs(scratch.pairs, n_named, scratch.scratch)
    for k in range(n_named):
        v = <int32_t> scratch.pairs[k].minor
        scratch.node[v] = <int32_t> k
        node_label[first + k] = scratch.label[v]
        node_variable[first + k] = v
        place(&scratch.concepts, scratch.label[v], 0, 0, True)[0] = <int32_t> k
    n_nodes = n_named
    # edges; pairs get the constants with nodes of their own, target_of the constant that an edge leads to
    cdef int64_t n_relations = count_relations(corpus, g), n_triples = n_relations + count_attributes(corpus, g)
    cdef int64_t row, edges = 0
    for k in range(n_triples):
        if k < n_relations:
            row = corpus.relation_offsets[g] + k
            role = corpus.relations[1, row]
            source = end_of(scratch, corpus, g, corpus.relations[0, row], labels)
            target = end_of(scratch, corpus, g, corpus.relations[2, row], labels)
        else:
            row = corpus.attribute_offsets[g] + k - n_relations
            role = corpus.attributes[1, row]
            source = end_of(scratch, corpus, g, corpus.attributes[0, row], labels)
            label = folded_value(corpus, row, labels)
            v = variable_called(scratch, label)
            target = scratch.node[v] if v >= 0 else -2 - label
        if inverse[role]:
            source, target = target, source
        rank = ranks[role]
        role = roles[role]
        found = place(&scratch.seen, source, role, target, True)
        if found[0] >= 0 or role == root_role:
            continue
        found[0] = 0
        scratch.target_of[edges] = -1
        if target < 0:
            if (found := place(&scratch.concepts, -2 - target, 0, 0, False)) == NULL:
                scratch.target_of[edges] = n_constants
                # an end that is no node comes last
                scratch.pairs[n_constants].major = <int64_t> (source if source >= 0 else n_named) << 32 | rank
                scratch.pairs[n_constants].minor = n_constants
                scratch.node_of[n_constants] = -2 - target
                n_constants += 1
            elif found[0] < 0 or n_instances == 1:
                continue        # a concept that no node is left with, or node 0
            else:
                target = found[0]
        if source >= 0:
            edge[0, edge_at[0] + edges], edge[1, edge_at[0] + edges], edge[2, edge_at[0] + edges] = source, role, target
            edges += 1
    sort_pairs(scratch.pairs, n_constants, scratch.scratch)
    for k in range(n_constants):
        v = <int32_t> scratch.pairs[k].minor
        node_label[first + n_nodes] = scratch.node_of[v]
        node_variable[first + n_nodes] = -1
        scratch.node_of[v] = n_nodes
        n_nodes += 1
    for k in range(edges):
        if scratch.target_of[k] >= 0:
            edge[2, edge_at[0] + k] = scratch.node_of[scratch.target_of[k]]
    at[0] += n_nodes
    edge_at[0] += edges


cdef inline int32_t folded_name(Columns corpus, Py_ssize_t g, int32_t v, const int32_t[::1] labels) noexcept nogil:
    cdef int32_t name = corpus.variable_names[corpus.variable_offsets[g] + v]
    return labels[name] if name >= 0 else -1


cdef inline int32_t folded_value(Columns corpus, int64_t row, const int32_t[::1] labels) noexcept nogil:
    cdef int32_t value = corpus.attributes[2, row]
    return labels[value] if value >= 0 else -1


cdef inline int32_t variable_called(Program *scratch, int32_t label) noexcept nogil:
    """The variable with a concept whose folded name is ``label``, or -1."""
    cdef int32_t *found = place(&scratch.names, label, 0, 0, False) if label >= 0 else NULL
    return found[0] if found != NULL and scratch.node[found[0]] != NOT_A_NODE else -1


cdef inline int32_t end_of(
    Program *scratch, Columns corpus, Py_ssize_t g, int32_t v, const int32_t[::1] labels
) noexcept nogil:
    """An end of a relation: the node of its variable, or -2 - its name if it has no concept."""
    v = scratch.one_of[v]
    return scratch.node[v] if scratch.node[v] != NOT_A_NODE else -2 - folded_name(corpus, g, v, labels)
