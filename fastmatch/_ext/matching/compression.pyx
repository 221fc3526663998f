"""Lossless compression of a pair of graphs: variables with a concept of their own become constants.

If at most one variable of each graph has a concept, that variable needs no search. It is *compressed*: the concept
takes its place in its triples, and its instance triple is dropped. What is left to align is much smaller, above all in
large graphs. "Lossless" means that the pair can be restored, not that the score stays the same: triples without
variables match by themselves, and dropped instance triples do not count. Source: Opitz (2023), section 6.3, and
smatchpp 1.8.0.

    x :ARG0 y, both compressed     ->  a *ground* triple, one without variables: compared, not aligned
    x :ARG0 y, y compressed        ->  attribute of x, :ARG0 "concept of y"
    x :ARG0 y, x compressed        ->  attribute of y, :ARG0-of "concept of x"
    attribute of x, x compressed   ->  a ground triple

A role is *turned* by adding "-of" at its end, or by removing it there. A concept that became a constant equals a
constant of the same spelling, so a triple may occur twice. Of k copies in one graph and m in the other, min(k, m)
match.
"""

from libc.stdint cimport int32_t, int64_t, uint8_t

from fastmatch._ext.base.kept cimport space
from fastmatch._ext.base.pairs cimport check_pairs
from fastmatch._ext.base.sorting cimport Pair, sort_pairs
from fastmatch._ext.matching.problem cimport GraphView, Run, next_key, next_of_either, view_graph
from fastmatch._ext.matching.triples cimport TripleFeatures, feature_key

import numpy as np

# Not an enum, since C would make them unsigned ints of 32 bits.
cdef int64_t LOW = 0xFFFFFFFF         # keys of instances are at most this
cdef int64_t SELF_LOOP = 0xFFFFFFFF   # value part of a key: see triples.pyx
cdef int64_t FURTHER = <int64_t> 1 << 62    # added to keys of third and fourth copies; no key is as large


cdef inline int32_t role_of(int64_t key) noexcept nogil:
    return <int32_t> ((key >> 32) - 1)


cdef void mark(
    const GraphView *a, const GraphView *b, int64_t size_a, int64_t size_b,
    int32_t *label_a, int32_t *label_b, int32_t *implied
) noexcept nogil:
    """Find the variables to compress.

    Parameters
    ----------
    a, b : GraphView
    size_a, size_b : int64
        Numbers of their triples.
    label_a, label_b : int32[n_variables]
        Receive the concept that takes each variable's place, or a negative number.
    implied : int32[n_variables of a] or NULL
        Receives for each variable of a the variable of b that is compressed to the same concept, or -1.
    """
    cdef Py_ssize_t k, n_a, n_b
    cdef int64_t key
    cdef Run run = Run(0, 0, 0, 0)
    for k in range(a.n_variables):
        label_a[k] = -1
        if implied != NULL:
            implied[k] = -1
    for k in range(b.n_variables):
        label_b[k] = -1
    while next_of_either(a.key, a.n_unary, b.key, b.n_unary, &run):
        n_a, n_b = run.stop_i - run.i, run.stop_j - run.j
        key = a.key[run.i] if n_a else b.key[run.j]
        if key > LOW:                 # instances come first
            break
        # A graph of a single triple, its concept, is left as it is.
        if key > 0 and n_a <= 1 and n_b <= 1 and n_a != size_a and n_b != size_b:
            if n_a:
                # A variable with a second concept is not compressed.
                label_a[a.variable[run.i]] = <int32_t> (key - 1) if label_a[a.variable[run.i]] == -1 else -2
            if n_b:
                label_b[b.variable[run.j]] = <int32_t> (key - 1) if label_b[b.variable[run.j]] == -1 else -2
        else:
            for k in range(run.i, run.stop_i):
                label_a[a.variable[k]] = -2
            for k in range(run.j, run.stop_j):
                label_b[b.variable[k]] = -2
    if implied == NULL:
        return
    run = Run(0, 0, 0, 0)
    while next_key(a, b, &run) and a.key[run.i] <= LOW:
        if label_a[a.variable[run.i]] >= 0 and label_b[b.variable[run.j]] >= 0:
            implied[a.variable[run.i]] = b.variable[run.j]


cdef inline int compared(Pair x, Pair y) noexcept nogil:
    if x.major != y.major:
        return -1 if x.major < y.major else 1
    if x.minor != y.minor:
        return -1 if x.minor < y.minor else 1
    return 0


cdef bint number_copies(Pair *unary, Py_ssize_t n) noexcept nogil:
    """Change the keys of equal triples, so that each copy matches only the copy of its number in the other graph.

    A triple :r-of "c" of a variable may come from an attribute, from :r-of to a variable with the concept c, and from
    :r or :r-of-of from such a variable, so it has four copies at most. Returns whether there is a second copy.
    """
    cdef Py_ssize_t k
    cdef int copy = 0
    cdef bint found = False
    cdef Pair before
    for k in range(n):
        copy = copy + 1 if k and compared(unary[k], before) == 0 else 0
        before = unary[k]
        if copy >= 2:
            unary[k].major += FURTHER
        if copy & 1:
            unary[k].major = -unary[k].major
        found |= copy > 0
    return found


cdef class Side:
    """The compressed graphs of one side, in arrays as those of :class:`TripleFeatures`, all counts 1."""

    cdef int32_t[::1] variables
    cdef int64_t[::1] triples, unary_offsets, keys, relation_offsets
    cdef int32_t[:, ::1] unary, relations
    cdef Py_ssize_t n_unary, n_relations        # filled in

    def __cinit__(self, Py_ssize_t n_graphs, int64_t room, int64_t relations):
        self.variables, self.triples = np.zeros(n_graphs, np.int32), np.zeros(n_graphs, np.int64)
        self.unary_offsets, self.relation_offsets = np.zeros((2, n_graphs + 1), np.int64)
        self.keys, self.unary = np.empty(room, np.int64), np.ones((2, room), np.int32)
        self.relations = np.ones((4, relations), np.int32)

    def features(self):
        return TripleFeatures(*map(np.ascontiguousarray, (
            self.variables, self.triples, self.unary_offsets, self.keys[:self.n_unary], self.unary[:, :self.n_unary],
            self.relation_offsets, self.relations[:, :self.n_relations],
        )))


cdef Py_ssize_t compress(
    Side side, Py_ssize_t g, const GraphView *graph, int64_t n_triples, const int32_t *label,
    const int32_t[::1] turned_role, const uint8_t[::1] turned, Pair *unary, Pair *ground, Pair *scratch
) noexcept nogil:
    """Compress one graph.

    Parameters
    ----------
    side, g : Side, int
        Receives the triples with one variable and with two as graph g.
    graph, n_triples : GraphView, int
    label : int32[n_variables]
        See :func:`mark`.
    turned_role, turned : int32[n_labels], uint8[n_labels]
        See :func:`compress_pairs`.
    unary, scratch : Pair[triples]
    ground : Pair[triples]
        Receives the triples without a variable, sorted.

    Returns
    -------
    The number of triples without a variable.
    """
    cdef Py_ssize_t k, n_unary = 0, n_ground = 0
    cdef int32_t role, value, source, target
    cdef Pair triple
    for k in range(graph.n_unary):
        value = label[graph.variable[k]]
        if value < 0:
            unary[n_unary] = Pair(graph.key[k], graph.variable[k])
            n_unary += 1
        elif graph.key[k] <= LOW:
            n_triples -= 1
        else:
            role = role_of(graph.key[k])
            if graph.key[k] & LOW == SELF_LOOP:
                triple = Pair(feature_key(role, value), value)
            elif turned[role]:
                triple = Pair(feature_key(turned_role[role], <int32_t> ((graph.key[k] & LOW) - 1)), value)
            else:
                triple = Pair(feature_key(role, value), (graph.key[k] & LOW) - 1)
            ground[n_ground] = triple
            n_ground += 1
    for k in range(graph.n_relations):
        role, source, target = graph.role[k], label[graph.source[k]], label[graph.target[k]]
        if source < 0 and target < 0:
            side.relations[0, side.n_relations], side.relations[1, side.n_relations] = role, graph.source[k]
            side.relations[2, side.n_relations] = graph.target[k]
            side.n_relations += 1
        elif source >= 0 and target >= 0:
            ground[n_ground] = Pair(feature_key(role, source), target)
            n_ground += 1
        elif source >= 0:
            unary[n_unary] = Pair(feature_key(turned_role[role], source), graph.target[k])
            n_unary += 1
        else:
            unary[n_unary] = Pair(feature_key(role, target), graph.source[k])
            n_unary += 1
    sort_pairs(unary, n_unary, scratch)
    if number_copies(unary, n_unary):
        sort_pairs(unary, n_unary, scratch)
    sort_pairs(ground, n_ground, scratch)
    for k in range(n_unary):
        side.keys[side.n_unary], side.unary[0, side.n_unary] = unary[k].major, <int32_t> unary[k].minor
        side.n_unary += 1
    side.variables[g], side.triples[g] = graph.n_variables, n_triples
    side.unary_offsets[g + 1], side.relation_offsets[g + 1] = side.n_unary, side.n_relations
    return n_ground


cdef void add_sizes(TripleFeatures corpus, Py_ssize_t g, int64_t *room, int64_t *relations, Py_ssize_t *most,
                    int32_t *most_variables) noexcept nogil:
    """Count the triples of a graph: room for all, and for the relations; ``most``: one more than any graph has."""
    cdef Py_ssize_t n = corpus.relation_offsets[g + 1] - corpus.relation_offsets[g]
    relations[0] += n
    n += corpus.unary_offsets[g + 1] - corpus.unary_offsets[g]
    room[0] += n
    most[0] = max(most[0], n + 1)
    most_variables[0] = max(most_variables[0], corpus.variables[g])


def compress_pairs(
    TripleFeatures a not None,
    TripleFeatures b not None,
    const int32_t[::1] index_a not None,
    const int32_t[::1] index_b not None,
    Py_ssize_t start,
    Py_ssize_t stop,
    const int32_t[::1] turned_role not None,
    const uint8_t[::1] turned not None,
    *,
    Py_ssize_t first=0,
    bint mapping=False,
):
    """Compressed features of the pairs ``start … stop - 1``: two corpora with one graph a pair.

    Parameters
    ----------
    a, b : TripleFeatures
        Features of the two corpora, in which each triple counts once.
    index_a, index_b : int32, shape (n_pairs,)
        Graphs of each pair.
    start, stop : int
        Pairs to compress, 0 <= start <= stop <= n_pairs.
    turned_role : int32, shape (n_labels,)
        For each role the id of the role with "-of" at its end, or without it if it has it.
    turned : uint8, shape (n_labels,)
        1 if the role ends in "-of".
    first : int, 0 … start
        Pair k is graph k - first of the result. Graphs before that of pair ``start`` are empty.
    mapping : bool
        Find the variables that the compression aligns.

    Returns
    -------
    features_a, features_b : TripleFeatures
        The compressed graphs of each pair.
    matched : int64, shape (stop - first,)
        Ground triples that match.
    implied : int32 or None
        For each variable of a's graph of each pair from ``start`` on, the variable of b's graph that is compressed to
        the same concept, or -1. None without ``mapping``.

    Raises
    ------
    IndexError, ValueError
        If an index or an array's length does not fit, or a triple counts more than once.
    MemoryError
        If the result does not fit in memory.

    Notes
    -----
    O(T log T) for a pair of T triples.
    """
    cdef Py_ssize_t n_labels = turned_role.shape[0], n_pairs = index_a.shape[0], k, g, most = 1
    cdef int64_t room_a = 0, room_b = 0, relations_a = 0, relations_b = 0, implied_room = 0
    check_pairs(index_a, index_b, start, stop, a.n_graphs, b.n_graphs, n_pairs)
    if not 0 <= first <= start:
        raise ValueError(f"first must be between 0 and {start}: {first}")
    if turned.shape[0] != n_labels:
        raise ValueError("turned_role and turned must have one entry a label")
    if n_labels >= (1 << 30) - 1:
        raise ValueError("there are more labels than keys have room for")
    check_labels(a, n_labels)
    check_labels(b, n_labels)
    cdef int32_t most_variables = 1
    for k in range(start, stop):
        add_sizes(a, index_a[k], &room_a, &relations_a, &most, &most_variables)
        add_sizes(b, index_b[k], &room_b, &relations_b, &most, &most_variables)
        implied_room += a.variables[index_a[k]]
    cdef Side side_a = Side(stop - first, room_a, relations_a), side_b = Side(stop - first, room_b, relations_b)
    out_ground = np.zeros(stop - first, np.int64)
    out_implied = np.empty(implied_room if mapping else 0, np.int32)
    cdef int64_t[::1] ground_matched = out_ground
    cdef int32_t[::1] implied = out_implied
    cdef Py_ssize_t n_a, n_b, i, j, place = 0
    kept = []
    cdef Pair *pairs = <Pair *> space(kept, 5 * most, sizeof(Pair))
    cdef int32_t *labels = <int32_t *> space(kept, 2 * most_variables, sizeof(int32_t))
    cdef Pair *ground_a = pairs + most
    cdef Pair *ground_b = pairs + 2 * most
    cdef Pair *scratch = pairs + 3 * most    # room for 2 * most, which no list exceeds
    cdef int32_t *label_b = labels + most_variables
    cdef GraphView view_a, view_b
    cdef int order
    with nogil:
        for k in range(start, stop):
            view_graph(&view_a, a, index_a[k])
            view_graph(&view_b, b, index_b[k])
            mark(&view_a, &view_b, a.triples[index_a[k]], b.triples[index_b[k]], labels, label_b,
                 &implied[place] if mapping and view_a.n_variables else NULL)
            place += view_a.n_variables if mapping else 0
            g = k - first
            n_a = compress(side_a, g, &view_a, a.triples[index_a[k]], labels, turned_role, turned, pairs, ground_a,
                           scratch)
            n_b = compress(side_b, g, &view_b, b.triples[index_b[k]], label_b, turned_role, turned, pairs, ground_b,
                           scratch)
            i = j = 0
            while i < n_a and j < n_b:
                order = compared(ground_a[i], ground_b[j])
                if order == 0:
                    ground_matched[g] += 1
                i += order <= 0
                j += order >= 0
    return side_a.features(), side_b.features(), out_ground, out_implied if mapping else None


cdef void check_labels(TripleFeatures features, Py_ssize_t n_labels) except *:
    """Raise ValueError unless every role has an entry in the tables and every triple counts once."""
    cdef Py_ssize_t k
    for k in range(features.unary_keys.shape[0]):
        if features.unary_keys[k] < 0 or role_of(features.unary_keys[k]) >= n_labels:
            raise ValueError("turned_role must have one entry a label")
        if features.unary[1, k] != 1:
            raise ValueError("a triple that counts more than once cannot be compressed")
    for k in range(features.relations.shape[1]):
        if features.relations[0, k] >= n_labels:
            raise ValueError("turned_role must have one entry a label")
        if features.relations[3, k] != 1:
            raise ValueError("a triple that counts more than once cannot be compressed")
