# cython: language_level=3
"""From a corpus to the tables that AnCast needs of its graphs, made once.

``words.pxd`` gathers words, roles and relations, ``neighbours.pxd`` neighbourhoods and groups. Both write into the
tables of a builder (``builder.pyx``), which become arrays here.
"""

from libc.stdint cimport int32_t, int64_t, uint8_t
from libc.string cimport memset

import numpy as np

from fastmatch._ext.anchors.builder cimport Builder
from fastmatch._ext.anchors.layout cimport (
    GROUP_ROWS, H_LEAF_GROUPS, HEAD_ROWS, INNER_ROWS, N_FULL, N_HIGH, N_LABEL, N_LOW, N_NAME, N_SENSE, N_VARIABLE,
    NODE_ROWS, O_CANDIDATES, O_GROUPS, O_INNER, O_NODES, O_PAIRS, O_ROLE_SETS, O_VARIABLES, OFFSET_ROWS, PAIR_ROWS,
    WORD_ROWS,
)
from fastmatch._ext.anchors.neighbours cimport classify, count_reachable, neighbours
from fastmatch._ext.anchors.order cimport order_nodes
from fastmatch._ext.anchors.words cimport (
    collect_attributes, collect_candidates, collect_last_attributes, collect_pairs, collect_roles, gather,
    number_nodes, read_sentence, split_concept,
)
from fastmatch._ext.reading.interner cimport Interner
from fastmatch._ext.base.columns cimport Column, filled, fresh, push, push_int32, push_int64, release, reserve
from fastmatch._ext.graphs.columns cimport Columns, check_labels, count_variables


cdef class AncastGraphs:
    """What AnCast needs of a corpus's graphs; made by :func:`ancast_graphs`, immutable, cheap to pickle."""

    def __cinit__(self, *given):
        self.arrays = given
        (
            self.offsets, self.heads, self.nodes, self.words, self.text, self.attribute_start, self.attributes,
            self.candidates, self.role_start, self.roles, self.inner, self.out_start, self.out_groups,
            self.out_start_two, self.out_groups_two, self.groups, self.in_start, self.in_inner, self.in_start_two,
            self.in_inner_two, self.pairs, self.label_start, self.labels, self.by_label,
        ) = given
        self.n_graphs = self.offsets.shape[1] - 1

    @property
    def n_variables(self):
        """int64, shape (n_graphs,): variables of each graph, as its corpus counts them."""
        return np.diff(np.asarray(self.offsets)[O_VARIABLES])

    @property
    def n_nodes(self):
        """int64, shape (n_graphs,): nodes of each graph."""
        return np.diff(np.asarray(self.offsets)[O_NODES])

    @property
    def n_candidates(self):
        """int64, shape (n_graphs,): nodes that become anchors where the other graph has their name as well."""
        return np.diff(np.asarray(self.offsets)[O_CANDIDATES])

    @property
    def n_classes(self):
        """int64, shape (n_graphs,): nodes that the broadcast tells apart, the leaves of a group counted as one."""
        return np.diff(np.asarray(self.offsets)[O_INNER]) + np.asarray(self.heads)[H_LEAF_GROUPS]

    def __len__(self):
        return self.n_graphs

    def __reduce__(self):
        return (AncastGraphs, self.arrays)


cdef object table(Column *column, Py_ssize_t width, kind):
    """A table as an array of dtype ``kind``, shape (width, n), or (n,) for width 0; the column's memory is freed."""
    array = filled(np.empty(column.used * max(width, 1), kind), column)
    release(column)
    return np.ascontiguousarray(array.reshape(-1, width).T) if width else array


cdef int close_graph(Builder self, int32_t n_variables) except -1 nogil:
    """Note where the graph ends in each table."""
    cdef int64_t *row = <int64_t *> push(&self.offsets, OFFSET_ROWS * sizeof(int64_t))
    row[O_VARIABLES] = row[O_VARIABLES - OFFSET_ROWS] + n_variables
    row[O_NODES] = self.nodes.used
    row[O_CANDIDATES] = self.candidates.used // 2
    row[O_ROLE_SETS] = self.role_start.used
    row[O_INNER] = self.inner.used
    row[O_GROUPS] = self.groups.used
    row[O_PAIRS] = self.pairs.used


cdef int add_graph(
    Builder self, Columns columns, Py_ssize_t g, const int32_t[:, ::1] spans, bint all_concrete
) except -1 nogil:
    """Add graph g of a corpus to all tables.

    ``all_concrete``: every concept is taken as occurring in the sentence.
    """
    cdef int64_t variable = columns.variable_offsets[g]
    cdef int32_t n_variables = count_variables(columns, g), root = columns.root[g], v, n, word
    cdef Py_ssize_t instance
    cdef int64_t by_label = self.by_label.used // 2, first
    cdef int32_t *row
    cdef int32_t *nodes
    n = number_nodes(self, columns.variable_names, variable, n_variables)
    self.clear_stamps(n)
    cdef bint apart = n < n_variables
    cdef int32_t *concept = <int32_t *> fresh(&self.concept, n_variables, sizeof(int32_t))
    cdef int32_t *names = <int32_t *> fresh(&self.names, 2 * n_variables, sizeof(int32_t))
    for v in range(n_variables):
        concept[v] = -2
    for instance in range(columns.instance_offsets[g], columns.instance_offsets[g + 1]):
        v = columns.instances[0, instance]
        if concept[v] == -2:
            concept[v] = columns.instances[1, instance]
    first = self.nodes.used
    reserve(&self.nodes, n, NODE_ROWS * sizeof(int32_t))
    nodes = <int32_t *> self.nodes.data + NODE_ROWS * first
    for v in range(n_variables):
        if not (<const uint8_t *> self.repeated.data)[v]:
            names[v] = split_concept(self, concept[v], &names[n_variables + v])
    # the tool's nodes are numbered as they come in the text
    if not self.tool:
        order_nodes(self, columns, g, names, names + n_variables, n)
    for v in range(n_variables):
        if (<const uint8_t *> self.repeated.data)[v]:
            continue
        word = self.add_word(names[v])
        row = nodes + NODE_ROWS * (<const int32_t *> self.node_of.data)[v]
        row[N_VARIABLE] = v
        row[N_LABEL] = columns.variable_names[variable + v]
        row[N_SENSE] = names[n_variables + v]
        row[N_LOW] = spans[0, variable + v] if spans is not None else 0
        row[N_HIGH] = spans[1, variable + v] if spans is not None else 0
        row[N_NAME] = row[N_FULL] = word
    self.nodes.used += n
    gather(self, columns, g, by_label, n)
    collect_pairs(self)
    self.sort(&self.incidents)
    collect_roles(self, nodes, n)
    if self.tool:
        collect_last_attributes(self, nodes, n)
    else:
        collect_attributes(self, nodes, n)
    neighbours(self, &self.edges_out, &self.out_one, &self.out_one_start, &self.near_out, &self.near_out_start, n)
    neighbours(self, &self.edges_in, &self.in_one, &self.in_one_start, &self.near_in, &self.near_in_start, n)
    classify(self, nodes, n, apart or (self.hops and self.tool and self.has_loop))
    count_reachable(self, nodes, n)
    collect_candidates(self, nodes, n, all_concrete)
    push_int32(&self.heads, (<const int32_t *> self.node_of.data)[root] if root >= 0 else -1)
    close_graph(self, n_variables)


cdef object finish(Builder self):
    """The tables as arrays; the builder is empty afterwards."""
    push_int64(&self.attribute_start, self.attributes.used // 2)
    push_int64(&self.role_start, self.roles.used)
    push_int64(&self.out_start, self.out_groups.used)
    push_int64(&self.in_start, self.in_inner.used)
    push_int64(&self.out_start_two, self.out_groups_two.used)
    push_int64(&self.in_start_two, self.in_inner_two.used)
    push_int64(&self.label_start, self.labels.used)
    self.attributes.used //= 2
    self.candidates.used //= 2
    self.by_label.used //= 2
    self.heads.used //= HEAD_ROWS
    int32, int64, uint8 = np.int32, np.int64, np.uint8
    return AncastGraphs(
        table(&self.offsets, OFFSET_ROWS, int64), table(&self.heads, HEAD_ROWS, int32),
        table(&self.nodes, NODE_ROWS, int32), table(&self.words, WORD_ROWS, int64), table(&self.text, 0, uint8),
        table(&self.attribute_start, 0, int64), table(&self.attributes, 2, int32), table(&self.candidates, 2, int32),
        table(&self.role_start, 0, int64), table(&self.roles, 0, int64), table(&self.inner, INNER_ROWS, int32),
        table(&self.out_start, 0, int64), table(&self.out_groups, 0, int32), table(&self.out_start_two, 0, int64),
        table(&self.out_groups_two, 0, int32), table(&self.groups, GROUP_ROWS, int32), table(&self.in_start, 0, int64),
        table(&self.in_inner, 0, int32), table(&self.in_start_two, 0, int64), table(&self.in_inner_two, 0, int32),
        table(&self.pairs, PAIR_ROWS, int32), table(&self.label_start, 0, int64), table(&self.labels, 0, int32),
        table(&self.by_label, 2, int32),
    )


def ancast_graphs(
    Columns columns not None,
    Interner interner not None,
    const int32_t[::1] lower not None,
    const int32_t[::1] value not None,
    const int32_t[:, ::1] spans=None,
    *,
    bint tool,
    bint ops,
    bint assume,
    bint hops,
):
    """The tables that AnCast needs of the graphs of a corpus.

    Parameters
    ----------
    columns : Columns
        The corpus.
    interner : Interner
        The table of the corpus's vocabulary. Names of concepts are added to it.
    lower, value : int32, shape (n_labels,)
        Label id → id of the label in lower case, and of the label in lower case without quotes.
    spans : int32, shape (2, n_variables), optional
        The first and the last token that each variable is aligned with, from 1, or 0 for none. None: all are 0.
    tool : bool
        Roles, senses and repeated variables as the published tool takes them, else as :mod:`fastmatch.metrics.ancast`
        says.
    ops : bool
        The values of ``:op1``, ``:op2``, … belong to the concept's name and are no attributes.
    assume : bool
        In a graph without a sentence every concept counts as occurring in the sentence, else none does.
    hops : bool
        Neighbours one step and two steps away are told apart, the latter counted by the ways that lead to them.

    Returns
    -------
    AncastGraphs

    Raises
    ------
    ValueError
        If ``lower``, ``value`` or ``spans`` do not fit the corpus.
    MemoryError
        If the tables do not fit in memory.

    Notes
    -----
    O(T log T + n · T) for a graph of n nodes and T triples; n · T is the walks that count descendants, which chains and
    circles do without. Where many nodes have many neighbours, the size of the neighbourhoods of two steps comes on top.
    """
    cdef Py_ssize_t g = 0
    cdef bint has_sentence
    check_labels(columns, lower.shape[0])
    if columns.n_names > lower.shape[0]:
        raise ValueError(f"a table of {lower.shape[0]} labels lacks the name {columns.n_names - 1} of a variable")
    if value.shape[0] != lower.shape[0]:
        raise ValueError("lower and value must have one entry a label")
    if spans is not None and (spans.shape[0] != 2 or spans.shape[1] != columns.variable_names.shape[0]):
        raise ValueError("spans must have two rows, and a column a variable")
    if columns.most_variables > 1000000000:
        raise ValueError("a graph has more than 1,000,000,000 variables")
    builder = Builder(interner, lower, value, tool, ops, assume, hops)
    memset(push(&builder.offsets, OFFSET_ROWS * sizeof(int64_t)), 0, OFFSET_ROWS * sizeof(int64_t))
    interner.enter()
    try:
        for g in range(columns.n_graphs):
            has_sentence = read_sentence(
                builder, columns.comments, columns.comment_offsets[g], columns.comment_offsets[g + 1]
            )
            with nogil:
                add_graph(builder, columns, g, spans, assume and not has_sentence)
    except MemoryError:
        raise MemoryError(f"graph {g} does not fit in memory") from None
    finally:
        interner.leave()
    return finish(builder)
