"""Matching problems with real gains: weighted triples and similar concepts.

This is the general match of Opitz (2023, SMATCH++, section 3). Two triples that are equal under the map of variables
have the gain ``w(t, t')``. Two instance triples of mapped variables have the gain ``w(t, t') * sim(c, c')``, where c
and c' are their concepts. In Smatch w is 1 and sim is equality. In S2match sim is a similarity of word vectors. In
WSmatch w falls with the distance from the root.

Two tables define w and sim here:

* Every triple has a *class*, a number for all that its weight depends on. ``weight[class, class']`` is w.
* Concepts are numbered in each corpus. A *link* is a concept of one corpus, one of the other, and their similarity.
  Only similarities above 0 are kept, so a pair of graphs has about as many candidates as in Smatch. Equal concepts need
  no link: they match as unary features.

An instance triple that may match in part is a *soft* feature: the concept's *kind*, its number, the variable and the
class. Links join only concepts of the same kind. Triples that match only if they are equal are *hard* features.

The result is the sparse problem of problem.pyx. All gains are multiples of 2**-30. So sums up to 2**22 are exact in any
order, and the score of (A, B) equals that of (B, A).
"""

from libc.math cimport rint
from libc.stdint cimport int32_t, int64_t
from libc.string cimport memset

from fastmatch._ext.base.arena cimport Arena, arena_free, arena_init, arena_reserve, padded, take, take_zeros
from fastmatch._ext.base.division cimport check_division
from fastmatch._ext.base.search cimport lower_bound_two, next_shared
from fastmatch._ext.base.status cimport FINE, NO_MEMORY, TOO_LARGE
from fastmatch._ext.matching.triples cimport TripleFeatures
from fastmatch._ext.matching.problem cimport (
    LOOKED_AT, PROBLEM_LIMIT, Cells, GraphView, Problem, Run, Word, allowed, col_at, count_allowed, count_matches,
    find_relation, find_unary, fits, join_halves, mark_cell, next_key, next_role, number_cells, number_of,
    place_candidates, problem_arrays, problem_init, put_edge, put_unary, restricted, row_at, too_many,
    use_bytes, view_graph,
)

import numpy as np

cdef enum:
    # A problem of so many candidates is built in any case, whatever its limit; it takes 100 MB.
    ANY_CANDIDATES = 1 << 22

cdef double GRID = 1073741824.0       # 2**30


cdef inline double on_grid(double gain) noexcept nogil:
    return rint(gain * GRID) / GRID


cdef class SoftFeatures:
    """Features with classes of triples, and with concepts that may match in part.

    Parameters
    ----------
    hard : TripleFeatures
        Features that match if they are equal. Repeated triples count once.
    unary_class : int32, shape (n_unary,)
        Classes of the unary features of ``hard``, >= 0.
    relation_class : int32, shape (n_relations,)
        Classes of the relations of ``hard``, >= 0.
    soft_offsets : int64, shape (n_graphs + 1,)
        Graph g has the soft features soft_offsets[g] … soft_offsets[g + 1] - 1.
    soft : int32, shape (4, n)
        Rows: kind, concept, variable, class, all >= 0; sorted by the first three within a graph. Only concepts of the
        same kind can match.

    Raises
    ------
    ValueError
        If the arrays do not belong together.
    """

    def __cinit__(self, TripleFeatures hard not None, const int32_t[::1] unary_class not None,
                  const int32_t[::1] relation_class not None, const int64_t[::1] soft_offsets not None,
                  const int32_t[:, ::1] soft not None):
        cdef Py_ssize_t g, k
        if unary_class.shape[0] != hard.unary_keys.shape[0] or relation_class.shape[0] != hard.relations.shape[1]:
            raise ValueError("expected one class for each feature and relation")
        if soft.shape[0] != 4:
            raise ValueError("expected 4 rows of soft features")
        check_division("soft features", soft_offsets, hard.n_graphs, soft.shape[1])
        for g in range(hard.n_graphs):
            for k in range(soft_offsets[g], soft_offsets[g + 1]):
                if not 0 <= soft[2, k] < hard.variables[g] or soft[1, k] < 0 or soft[0, k] < 0 or soft[3, k] < 0:
                    raise ValueError(f"graph {g}: a soft feature lies outside its table")
                if k > soft_offsets[g] and (soft[0, k], soft[1, k], soft[2, k]) <= (
                        soft[0, k - 1], soft[1, k - 1], soft[2, k - 1]):
                    raise ValueError(f"graph {g}: soft features are not sorted")
        for k in range(hard.unary.shape[1]):
            if hard.unary[1, k] != 1:
                raise ValueError("a repeated triple must count once")
        self.hard, self.unary_class, self.relation_class = hard, unary_class, relation_class
        self.soft_offsets, self.soft = soft_offsets, soft

    @property
    def arrays(self):
        """The arrays, in the order of the constructor."""
        return (np.asarray(self.unary_class), np.asarray(self.relation_class), np.asarray(self.soft_offsets),
                np.asarray(self.soft))

    def __reduce__(self):
        return (SoftFeatures, (self.hard, *self.arrays))


cdef class Links:
    """Similarities of the concepts of two corpora, as a sparse matrix.

    Parameters
    ----------
    n_a, n_b : int
        Numbers of concepts of the two corpora.
    a, b : int32, shape (n,)
        Concepts of the first and of the second corpus; each pair once, in any order.
    similarity : float64, shape (n,)
        In [0, 1]. Pairs with 0 are left out.

    Raises
    ------
    ValueError
        If a concept or a similarity is out of range, or a pair occurs twice.
    """

    def __cinit__(self, Py_ssize_t n_a, Py_ssize_t n_b, a, b, similarity):
        a, b = np.asarray(a, np.int32), np.asarray(b, np.int32)
        similarity = np.asarray(similarity, np.float64)
        if not a.shape == b.shape == similarity.shape or a.ndim != 1:
            raise ValueError("a, b and similarity differ in shape")
        if not ((similarity >= 0) & (similarity <= 1)).all():
            raise ValueError("a similarity is not between 0 and 1")
        if not similarity.all():
            kept = np.flatnonzero(similarity)
            a, b, similarity = a[kept], b[kept], similarity[kept]
        if len(a) and (a.min() < 0 or a.max() >= n_a or b.min() < 0 or b.max() >= n_b):
            raise ValueError("a concept is out of range")
        if not ((a[1:] > a[:-1]) | ((a[1:] == a[:-1]) & (b[1:] >= b[:-1]))).all():
            order = np.lexsort((b, a))
            a, b, similarity = a[order], b[order], similarity[order]
        if len(a) and ((np.diff(a) == 0) & (np.diff(b) == 0)).any():
            raise ValueError("a pair of concepts has two similarities")
        start = np.zeros(n_a + 1, np.int64)
        np.cumsum(np.bincount(a, minlength=n_a), out=start[1:])
        self.n_a, self.n_b = n_a, n_b
        self.start, self.concept, self.similarity = start, b, similarity

    @property
    def arrays(self):
        """Concept of a, concept of b (int32) and similarity (float64) of each link, sorted."""
        start = np.asarray(self.start)
        return (np.repeat(np.arange(self.n_a, dtype=np.int32), np.diff(start)), np.asarray(self.concept),
                np.asarray(self.similarity))

    def __reduce__(self):
        return (Links, (self.n_a, self.n_b, *self.arrays))


cdef void view_soft(SoftView *view, SoftFeatures features, Py_ssize_t g) noexcept nogil:
    cdef int64_t start = features.hard.unary_offsets[g]
    if features.hard.unary_offsets[g + 1] > start:
        view.unary_class = &features.unary_class[start]
    start = features.hard.relation_offsets[g]
    if features.hard.relation_offsets[g + 1] > start:
        view.relation_class = &features.relation_class[start]
    start = features.soft_offsets[g]
    view.n_soft = features.soft_offsets[g + 1] - start
    if view.n_soft:
        view.kind = &features.soft[0, start]
        view.concept = &features.soft[1, start]
        view.variable = &features.soft[2, start]
        view.soft_class = &features.soft[3, start]


cdef inline double pair_weight(const Matching *matching, int32_t class_a, int32_t class_b) noexcept nogil:
    return matching.weight[class_a * matching.n_classes_b + class_b]


cdef inline Py_ssize_t first_soft(const SoftView *view, int32_t kind, int32_t concept) noexcept nogil:
    """Index of the first soft feature that is not before (kind, concept)."""
    return lower_bound_two(view.kind, view.concept, 0, view.n_soft, kind, concept)


cdef void add_soft(double *cells, int32_t m, const SoftView *a, const SoftView *b,
                   const Matching *matching) noexcept nogil:
    """Add the gains of similar concepts to ``cells`` [n, m], the unary gains of all pairs of variables."""
    cdef Py_ssize_t i = 0, stop_i, low, high, k, stop_k
    cdef int32_t kind, concept
    cdef Py_ssize_t e
    while i < a.n_soft:
        kind, concept = a.kind[i], a.concept[i]
        stop_i = i + 1
        while stop_i < a.n_soft and a.kind[stop_i] == kind and a.concept[stop_i] == concept:
            stop_i += 1
        if matching.link_start[concept] < matching.link_start[concept + 1]:
            low = first_soft(b, kind, 0)
            high = first_soft(b, kind + 1, 0)
            # Its concepts and the links are sorted alike.
            k, stop_k = matching.link_start[concept], matching.link_start[concept + 1]
            while next_shared(matching.link_concept, &k, stop_k, b.concept, &low, high):
                for e in range(i, stop_i):
                    cells[<int64_t> a.variable[e] * m + b.variable[low]] += on_grid(
                        matching.link_similarity[k] * pair_weight(matching, a.soft_class[e], b.soft_class[low]))
                low += 1
        i = stop_i


cdef inline int64_t n_groups(const GraphView *view) noexcept nogil:
    """Groups of all variables of a graph, each counted as often as a variable is in it."""
    return view.group_start[view.n_variables] - view.group_start[0]


cdef int build_soft(Arena *arena, Arena *spare, const GraphView *a, const GraphView *b, const SoftView *sa,
                    const SoftView *sb, const Matching *matching, int64_t limit, Problem *problem) noexcept nogil:
    """Build the problem of two graphs in ``arena``; it and ``spare`` are emptied first, see ``build`` in problem.pyx.

    Returns
    -------
    FINE, NO_MEMORY, or TOO_LARGE if there would be more than ``limit`` unary matches or edge-pairs, more than CELLS
    pairs of variables, more candidates than 3 · ``limit`` and ANY_CANDIDATES, or too many for the memory.
    """
    cdef int64_t raw_unary, raw_edges, n_cells, cell, n_candidates
    cdef int32_t n = a.n_variables, m = b.n_variables, c, d, n_edges
    cdef Py_ssize_t i, j, e, f
    cdef Run run = Run(0, 0, 0, 0)
    cdef double w
    cdef bint within = restricted(a, b), small = True, once = True
    cdef Cells cells = Cells(NULL, 0, NULL, 0)
    count_matches(a, b, &raw_unary, &raw_edges)
    if within and count_allowed(a, b, limit, &raw_unary, &raw_edges) != FINE:
        return TOO_LARGE
    problem.n_matches = raw_unary + raw_edges
    n_cells = <int64_t> n * m
    if within and n * n_groups(b) + m * n_groups(a) > LOOKED_AT * limit:
        return TOO_LARGE        # what finding out which similar concepts may match could cost
    if raw_unary > limit or raw_edges > limit or n_cells > CELLS:
        return TOO_LARGE
    # one item more: graphs without variables need none, and a table must be somewhere
    cdef size_t listed = padded(n_cells * sizeof(int32_t))
    cdef size_t room = max(n_cells * sizeof(double), listed + 3 * raw_edges * sizeof(double))
    if arena_reserve(spare, padded(room) + padded((n_cells // 64 + 1) * sizeof(Word)) + padded(sizeof(double))) < 0:
        return NO_MEMORY
    cdef double *values = <double *> take(spare, room)
    cells.n_words = n_cells // 64 + 1
    cells.word = <Word *> take_zeros(spare, cells.n_words * sizeof(Word))
    # when gains of cells are needed no more
    cdef int32_t *fill = <int32_t *> values
    cdef double *gains = <double *> (<char *> values + listed)

    # 1. Compute the unary gains of all cells (i, j), and number the candidates in order of (row, col).
    memset(values, 0, n_cells * sizeof(double))
    while next_key(a, b, &run):
        for e in range(run.i, run.stop_i):
            for f in range(run.j, run.stop_j):
                values[<int64_t> a.variable[e] * m + b.variable[f]] += pair_weight(
                    matching, sa.unary_class[e], sb.unary_class[f])
    add_soft(values, m, sa, sb, matching)
    n_edges = 0
    run = Run(0, 0, 0, 0)
    while next_role(a, b, &run):
        for e in range(run.i, run.stop_i):
            for f in range(run.j, run.stop_j):
                w = pair_weight(matching, sa.relation_class[e], sb.relation_class[f])
                if within and not (allowed(a, b, a.source[e], b.source[f])
                                   and allowed(a, b, a.target[e], b.target[f])):
                    continue
                if w > 0:
                    mark_cell(&cells, <int64_t> a.source[e] * m + b.source[f])
                    mark_cell(&cells, <int64_t> a.target[e] * m + b.target[f])
                    once = once and w == 1.0
                    n_edges += 1
    cell = 0
    for i in range(n):
        for j in range(m):
            if values[cell] > 0 and (not within or allowed(a, b, <int32_t> i, <int32_t> j)):
                mark_cell(&cells, cell)
                small = small and fits(values[cell])
            cell += 1
    n_candidates = number_cells(&cells)
    if n_candidates > max(3 * limit, <int64_t> ANY_CANDIDATES) or too_many(n_candidates, 2 * n_edges):
        return TOO_LARGE        # concepts that are alike made more than so many matches alone could
    if problem_init(arena, problem, n, m, n_candidates, 2 * n_edges, 0) != FINE:
        return NO_MEMORY
    place_candidates(problem, &cells, n_candidates)
    use_bytes(problem, small, False)
    for c in range(problem.n_candidates):
        put_unary(problem, c, values[<int64_t> row_at(problem, c) * m + col_at(problem, c)])

    # 2. Write the edge-pairs as pairs of candidates.
    if once:
        gains = NULL
    n_edges = 0
    run = Run(0, 0, 0, 0)
    while next_role(a, b, &run):
        for e in range(run.i, run.stop_i):
            for f in range(run.j, run.stop_j):
                w = pair_weight(matching, sa.relation_class[e], sb.relation_class[f])
                c = number_of(&cells, <int64_t> a.source[e] * m + b.source[f])
                d = number_of(&cells, <int64_t> a.target[e] * m + b.target[f])
                if w > 0 and c >= 0 and d >= 0:
                    put_edge(problem, gains, n_edges, c, d, w)
                    n_edges += 1
    join_halves(problem, n_edges, gains, fill)
    return FINE


cdef double soft_value(const GraphView *a, const GraphView *b, const SoftView *sa, const SoftView *sb,
                       const Matching *matching, const int32_t *mapping) noexcept nogil:
    """Sum of the gains of a map, computed from the triples without a problem. O(T log T) for T triples."""
    cdef Py_ssize_t k, other
    cdef int32_t source, target
    cdef double total = 0.0
    for k in range(a.n_unary):
        source = mapping[a.variable[k]]
        other = find_unary(b, a.key[k], source) if source >= 0 else -1
        if other >= 0:
            total += pair_weight(matching, sa.unary_class[k], sb.unary_class[other])
    for k in range(sa.n_soft):
        source = mapping[sa.variable[k]]
        if source < 0:
            continue
        for other in range(first_soft(sb, sa.kind[k], 0), first_soft(sb, sa.kind[k] + 1, 0)):
            if sb.variable[other] == source:
                total += on_grid(link(matching, sa.concept[k], sb.concept[other])
                                 * pair_weight(matching, sa.soft_class[k], sb.soft_class[other]))
    for k in range(a.n_relations):
        source, target = mapping[a.source[k]], mapping[a.target[k]]
        other = find_relation(b, a.role[k], source, target) if source >= 0 and target >= 0 else -1
        if other >= 0:
            total += pair_weight(matching, sa.relation_class[k], sb.relation_class[other])
    return total


cdef void check_matching(SoftFeatures a, SoftFeatures b, Links links, const double[:, ::1] weight) except *:
    """Raise ValueError unless classes, concepts and weights are in their ranges; the kernels then trust them."""
    for features, n_classes, n_concepts in ((a, weight.shape[0], links.n_a), (b, weight.shape[1], links.n_b)):
        unary_class, relation_class, _, soft = features.arrays
        for classes in (unary_class, relation_class, soft[3]):
            if len(classes) and not (classes.min() >= 0 and classes.max() < n_classes):
                raise ValueError("a class of a triple has no weight")
        if soft.shape[1] and soft[1].max() >= n_concepts:
            raise ValueError(f"a concept is not one of the {n_concepts} that are linked")
    table = np.asarray(weight)
    if table.size and not (table.min() >= 0 and table.max() <= 2**20 and (np.rint(table * GRID) == table * GRID).all()):
        raise ValueError("a weight is not a multiple of 2**-30 between 0 and 2**20")


cdef void view_matching(Matching *matching, Links links, const double[:, ::1] weight) noexcept nogil:
    matching.weight = &weight[0, 0]
    matching.n_classes_b = weight.shape[1]
    matching.link_start = &links.start[0]
    if links.concept.shape[0]:
        matching.link_concept = &links.concept[0]
        matching.link_similarity = &links.similarity[0]


def build_soft_problem(SoftFeatures a not None, SoftFeatures b not None, Links links not None,
                       const double[:, ::1] weight not None, Py_ssize_t i, Py_ssize_t j, bint checked=False):
    """The matching problem of graph ``i`` of ``a`` and graph ``j`` of ``b``, for other solvers and for tests.

    Parameters
    ----------
    a, b : SoftFeatures
        Features of the two corpora (same options, same vocabulary).
    links : Links
        Similarities of a's concepts to b's.
    weight : float64, shape (classes of a, classes of b)
        Weights of pairs of triples by their classes: multiples of 2**-30 in [0, 2**20].
    i, j : int
        Graphs, from 0.
    checked : bool
        An earlier call had the same features, links and weights, so their ranges are not looked at again.

    Returns
    -------
    As :func:`fastmatch._ext.matching.problem.build_problem`, with unary gains and weights float64.

    Raises
    ------
    IndexError
        If there is no such graph.
    ValueError
        If classes or concepts do not fit ``weight`` and ``links``.
    MemoryError
        If the problem does not fit in memory, or is too large to be built.
    """
    cdef GraphView view_a, view_b
    cdef SoftView soft_a, soft_b
    cdef Matching matching
    cdef Problem problem
    cdef Arena arena, spare
    if not (0 <= i < a.hard.n_graphs and 0 <= j < b.hard.n_graphs):
        raise IndexError(f"no graph {i} or {j} in corpora of {a.hard.n_graphs} and {b.hard.n_graphs} graphs")
    if not checked:
        check_matching(a, b, links, weight)
    view_graph(&view_a, a.hard, i)
    view_graph(&view_b, b.hard, j)
    view_soft(&soft_a, a, i)
    view_soft(&soft_b, b, j)
    view_matching(&matching, links, weight)
    arena_init(&arena)
    arena_init(&spare)
    cdef int status = build_soft(&arena, &spare, &view_a, &view_b, &soft_a, &soft_b, &matching, PROBLEM_LIMIT, &problem)
    arena_free(&spare)
    if status != FINE:
        arena_free(&arena)
        raise MemoryError(f"matching graphs {i} and {j} does not fit in memory")
    arrays = problem_arrays(&problem, False)
    arena_free(&arena)
    return arrays
