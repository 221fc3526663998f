"""Features of graphs for triple matching, computed once for each graph of a corpus.

A triple with one variable (an instance, an attribute, TOP, a self-loop) can match as soon as that variable is mapped.
It becomes a *unary feature*: a 64-bit key and the variable. Features are sorted by key, so the unary matches of two
graphs are found by one merge. A triple with two variables is a *relation*. Relations are sorted by role, so those with
matching roles are found by one merge as well.

*Folding* replaces the id of a label by the id of the label that it is compared as. The key of a unary feature is
(role + 1) << 32 | (value + 1), of folded ids:
    instance of concept c        0            | c + 1
    attribute :role value        role + 1     | value + 1
    self-loop :role              role + 1     | 0xFFFFFFFF
An absent concept or value (id -1) has value part 0 and equals only another absent one.

Features may have *groups*: each variable is in some groups, such as the sentences of a document, and two variables may
be mapped to each other only if they share one.
"""

from libc.stdint cimport int32_t, int64_t

from fastmatch._ext.base.division cimport check_division
from fastmatch._ext.base.kept cimport space
from fastmatch._ext.base.sorting cimport Pair, sort_pairs
from fastmatch._ext.graphs.columns cimport Columns, check_labels, count_variables

import numpy as np

cdef enum:
    INSTANCES = 1
    ATTRIBUTES = 2
    RELATIONS = 4
    TOP_NONE = 0
    TOP_CONSTANT = 1
    TOP_CONCEPT = 2
    SELF_LOOP = 0xFFFFFFFF


cdef class TripleFeatures:
    """Features of a corpus's graphs, made by :func:`triple_features`. Immutable.

    Parameters
    ----------
    variables : int32, shape (n_graphs,)
        Number of variables of each graph.
    triples : int64, shape (n_graphs,)
        Number of triples of each graph, the divisor of precision or recall.
    unary_offsets : int64, shape (n_graphs + 1,)
        Graph g has the unary features unary_offsets[g] … unary_offsets[g + 1] - 1.
    unary_keys : int64, shape (n_unary,)
        Keys, sorted within a graph; equal keys are sorted by variable.
    unary : int32, shape (2, n_unary)
        Rows: variable, count.
    relation_offsets : int64, shape (n_graphs + 1,)
        Graph g has the relations relation_offsets[g] … relation_offsets[g + 1] - 1.
    relations : int32, shape (4, n_relations)
        Rows: role, source, target, count; sorted by the first three within a graph.
    restricted : uint8, shape (n_graphs,), optional
        The last four arrays come together: see :meth:`grouped_by`.
    variable_offsets : int64, shape (n_graphs + 1,), optional
    group_offsets : int64, shape (variables of all graphs + 1,), optional
    groups : int32, optional
    """

    def __cinit__(self, variables, triples, unary_offsets, unary_keys, unary, relation_offsets, relations,
                  restricted=None, variable_offsets=None, group_offsets=None, groups=None):
        self.n_variables = self.variables = variables
        self.n_triples = self.triples = triples
        self.unary_offsets = unary_offsets
        self.unary_keys = unary_keys
        self.unary = unary
        self.relation_offsets = relation_offsets
        self.relations = relations
        self.n_graphs = self.variables.shape[0]
        self.grouped = restricted is not None
        if self.grouped:
            self.restricted = restricted
            self.variable_offsets = variable_offsets
            self.group_offsets = group_offsets
            self.groups = groups

    def grouped_by(self, restricted, group_offsets, groups):
        """The same features with groups: two variables may be mapped to each other only if they share one.

        Parameters
        ----------
        restricted : uint8, shape (n_graphs,)
            0: variables of this graph may match any variable of any graph, whatever their groups are.
        group_offsets : int64, shape (variables of all graphs + 1,)
            The variables of all graphs are numbered one after the other. Variable v is in the groups
            ``groups[group_offsets[v]]`` … ``groups[group_offsets[v + 1] - 1]``. Without any it matches nothing.
        groups : int32
            Ascending for each variable, any numbers.

        Returns
        -------
        TripleFeatures

        Raises
        ------
        ValueError
            If an array has the wrong length, or offsets or groups fall.
        """
        cdef Py_ssize_t v, k
        variable_offsets = np.zeros(self.n_graphs + 1, np.int64)
        np.cumsum(self.variables, out=variable_offsets[1:])
        found = TripleFeatures(*self.arrays, restricted, variable_offsets, group_offsets, groups)
        cdef TripleFeatures new = found
        cdef const int64_t[::1] offsets = new.group_offsets
        cdef const int32_t[::1] group = new.groups
        if new.restricted.shape[0] != self.n_graphs:
            raise ValueError(f"restricted has {new.restricted.shape[0]} entries for {self.n_graphs} graphs")
        cdef int64_t n_variables = int(variable_offsets[self.n_graphs])
        check_division("groups", offsets, n_variables, group.shape[0], "variable")
        for v in range(n_variables):
            for k in range(offsets[v] + 1, offsets[v + 1]):
                if group[k] <= group[k - 1]:
                    raise ValueError(f"the groups of variable {v} are not ascending")
        return found

    @property
    def arrays(self):
        """The seven arrays, in the order of the constructor."""
        return (
            self.n_variables, self.n_triples, np.asarray(self.unary_offsets), np.asarray(self.unary_keys),
            np.asarray(self.unary), np.asarray(self.relation_offsets), np.asarray(self.relations),
        )

    def __len__(self):
        return self.n_graphs

    def __reduce__(self):
        if not self.grouped:
            return (TripleFeatures, self.arrays)
        return (TripleFeatures, (
            *self.arrays, np.asarray(self.restricted), np.asarray(self.variable_offsets),
            np.asarray(self.group_offsets), np.asarray(self.groups),
        ))


cdef inline int32_t folded(const int32_t[::1] fold, int32_t label) noexcept nogil:
    return fold[label] if label >= 0 else -1


def triple_features(
    Columns corpus not None,
    const int32_t[::1] fold not None,
    *,
    int top,
    int32_t top_role,
    int32_t top_value,
    int32_t mod_role=-1,
    int32_t domain_role=-1,
    bint multiply_duplicates=False,
    int classes=INSTANCES | ATTRIBUTES | RELATIONS,
):
    """Features of every graph of a corpus.

    Parameters
    ----------
    corpus : Columns
    fold : int32, shape (n_labels,)
        For each label id, the id of the label that it is compared as.
    top : int
        Value of the TOP triple: 0 for no such triple, 1 for the constant ``top_value``, 2 for the concept of the root.
    top_role, top_value : int
        Folded label ids.
    mod_role, domain_role : int
        Folded label ids of :mod and :domain, or -1. If both are given, (a :domain b) becomes (b :mod a).
    multiply_duplicates : bool
        Keep how often a triple is repeated, as smatch 1.0.4 does; otherwise count it once.
    classes : int
        Triples to keep, a sum of 1 (instances), 2 (attributes and TOP) and 4 (relations).

    Returns
    -------
    TripleFeatures

    Raises
    ------
    ValueError
        If a label of the corpus has no entry in ``fold``.
    MemoryError
        If the features do not fit in memory.

    Notes
    -----
    O(T log T) for a graph of T triples.
    """
    cdef Py_ssize_t n_graphs = corpus.n_graphs, n_relations = corpus.relations.shape[1]
    check_labels(corpus, fold.shape[0])

    cdef Py_ssize_t g, row, n_unary, n_binary, n_before, room = corpus.most_triples + 1, u = 0, r = 0
    cdef Py_ssize_t unary_room = 1 + n_graphs + corpus.instances.shape[1] + corpus.attributes.shape[1] + n_relations
    cdef int32_t source, target, role, label, concept
    cdef int64_t total
    kept = []
    cdef Pair *pairs = <Pair *> space(kept, 2 * room, sizeof(Pair))
    cdef Pair *scratch = pairs + room
    # Memory first, then the arrays of the result: a view of an array takes 0.4 µs, and each has one.
    cdef int32_t *new_variables = <int32_t *> space(kept, n_graphs, sizeof(int32_t))
    cdef int64_t *new_triples = <int64_t *> space(kept, n_graphs, sizeof(int64_t))
    cdef int64_t *new_unary_offsets = <int64_t *> space(kept, n_graphs + 1, sizeof(int64_t))
    cdef int64_t *new_relation_offsets = <int64_t *> space(kept, n_graphs + 1, sizeof(int64_t))
    cdef int64_t *new_keys = <int64_t *> space(kept, unary_room, sizeof(int64_t))
    cdef int32_t[2] *new_unary = <int32_t[2] *> space(kept, unary_room, sizeof(int32_t[2]))
    cdef int32_t[4] *new_relations = <int32_t[4] *> space(kept, n_relations + 1, sizeof(int32_t[4]))
    with nogil:
        new_unary_offsets[0] = 0
        new_relation_offsets[0] = 0
        for g in range(n_graphs):
            total = n_unary = 0
            concept = -1
            for row in range(corpus.instance_offsets[g], corpus.instance_offsets[g + 1]):
                source, label = corpus.instances[0, row], folded(fold, corpus.instances[1, row])
                if source == corpus.root[g] and concept == -1:
                    concept = label
                if classes & INSTANCES:
                    pairs[n_unary] = Pair(feature_key(-1, label), source)
                    n_unary += 1
            if classes & ATTRIBUTES:
                for row in range(corpus.attribute_offsets[g], corpus.attribute_offsets[g + 1]):
                    role, label = corpus.attributes[1, row], corpus.attributes[2, row]
                    pairs[n_unary] = Pair(feature_key(fold[role], folded(fold, label)), corpus.attributes[0, row])
                    n_unary += 1
                if top != TOP_NONE and corpus.root[g] >= 0:
                    pairs[n_unary].major = feature_key(top_role, concept if top == TOP_CONCEPT else top_value)
                    pairs[n_unary].minor = corpus.root[g]
                    n_unary += 1
            if classes & RELATIONS:
                # Self-loops are unary features. The other relations are collected below.
                for row in range(corpus.relation_offsets[g], corpus.relation_offsets[g + 1]):
                    source, role, target = corpus.relations[0, row], corpus.relations[1, row], corpus.relations[2, row]
                    if source == target:
                        role = fold[role]
                        if role == domain_role and mod_role >= 0:
                            role = mod_role
                        pairs[n_unary] = Pair(((<int64_t> role + 1) << 32) | SELF_LOOP, source)
                        n_unary += 1
            sort_pairs(pairs, n_unary, scratch)
            n_before = u
            for row in range(n_unary):
                if u > n_before and pairs[row].major == new_keys[u - 1] and pairs[row].minor == new_unary[u - 1][0]:
                    if multiply_duplicates:
                        new_unary[u - 1][1] += 1
                        total += 1
                    continue
                new_keys[u] = pairs[row].major
                new_unary[u][0] = <int32_t> pairs[row].minor
                new_unary[u][1] = 1
                u += 1
                total += 1
            n_binary = 0
            if classes & RELATIONS:
                for row in range(corpus.relation_offsets[g], corpus.relation_offsets[g + 1]):
                    source, target = corpus.relations[0, row], corpus.relations[2, row]
                    if source == target:
                        continue
                    role = fold[corpus.relations[1, row]]
                    if role == domain_role and mod_role >= 0:
                        role = mod_role
                        source, target = target, source
                    pairs[n_binary] = Pair(role, (<int64_t> source << 32) | target)
                    n_binary += 1
                sort_pairs(pairs, n_binary, scratch)
            n_before = r
            for row in range(n_binary):
                source, target = <int32_t> (pairs[row].minor >> 32), <int32_t> pairs[row].minor
                role = <int32_t> pairs[row].major
                if (r > n_before and role == new_relations[r - 1][0] and source == new_relations[r - 1][1]
                        and target == new_relations[r - 1][2]):
                    if multiply_duplicates:
                        new_relations[r - 1][3] += 1
                        total += 1
                    continue
                new_relations[r][0] = role
                new_relations[r][1] = source
                new_relations[r][2] = target
                new_relations[r][3] = 1
                r += 1
                total += 1
            new_variables[g] = count_variables(corpus, g)
            new_triples[g] = total
            new_unary_offsets[g + 1] = u
            new_relation_offsets[g + 1] = r
    cdef TripleFeatures made = TripleFeatures(
        np.empty(n_graphs, np.int32), np.empty(n_graphs, np.int64), np.empty(n_graphs + 1, np.int64),
        np.empty(u, np.int64), np.empty((2, u), np.int32), np.empty(n_graphs + 1, np.int64), np.empty((4, r), np.int32))
    for g in range(n_graphs + 1):
        (<int64_t *> &made.unary_offsets[g])[0] = new_unary_offsets[g]
        (<int64_t *> &made.relation_offsets[g])[0] = new_relation_offsets[g]
    for g in range(n_graphs):
        (<int32_t *> &made.variables[g])[0] = new_variables[g]
        (<int64_t *> &made.triples[g])[0] = new_triples[g]
    for row in range(u):
        (<int64_t *> &made.unary_keys[row])[0] = new_keys[row]
        for g in range(2):
            (<int32_t *> &made.unary[g, row])[0] = new_unary[row][g]
    for row in range(r):
        for g in range(4):
            (<int32_t *> &made.relations[g, row])[0] = new_relations[row][g]
    return made
