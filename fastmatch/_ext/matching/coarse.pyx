"""A greedy map and an upper bound that need no matching problem: where a search begins, or what stands for one.

Two graphs of 10,000 variables with the same concept have 100 million candidates (see problem.pyx), too many to search.
A greedy map and a bound from counts of triples still take memory linear in the two graphs, and time O(T log T) for T
triples. Where the two meet, as for most isomorphic graphs, no search is needed.
"""

from libc.stdint cimport int32_t, int64_t, uint64_t
from libc.string cimport memset

from fastmatch._ext.base.arena cimport PADDING, Arena, arena_reserve, ints, take, take_zeros
from fastmatch._ext.base.random cimport mix_next
from fastmatch._ext.base.sorting cimport Pair, sort_pairs
from fastmatch._ext.base.status cimport FINE, NO_MEMORY
from fastmatch._ext.matching.colours cimport colours_size, pair_by_colour, pair_rest
from fastmatch._ext.matching.problem cimport (
    GraphView, Run, allowed, find_relation, find_unary, next_key, next_role, restricted,
)


cdef int64_t largest_count(const int32_t *counts, Py_ssize_t start, Py_ssize_t stop) noexcept nogil:
    """The largest of ``counts[start:stop]``, at least 1."""
    cdef int64_t top = 1
    cdef Py_ssize_t k
    for k in range(start, stop):
        top = max(top, counts[k])
    return top


cdef int64_t unary_bound(const GraphView *a, const GraphView *b) noexcept nogil:
    """The part of :func:`counting_bound` that stands for unary features."""
    cdef Run run = Run(0, 0, 0, 0)
    cdef int64_t total = 0
    while next_key(a, b, &run):
        total += (min(run.stop_i - run.i, run.stop_j - run.j) * largest_count(a.unary_count, run.i, run.stop_i)
                  * largest_count(b.unary_count, run.j, run.stop_j))
    return total


cdef int64_t counting_bound(const GraphView *a, const GraphView *b) noexcept nogil:
    """Upper bound on the triples that match: for each key and role, the smaller of the two graphs' numbers of triples.

    Where repeated triples multiply, each counts as often as the most repeated triple of its key or role.
    """
    cdef Run run = Run(0, 0, 0, 0)
    cdef int64_t total = unary_bound(a, b)
    while next_role(a, b, &run):
        total += (min(run.stop_i - run.i, run.stop_j - run.j) * largest_count(a.relation_count, run.i, run.stop_i)
                  * largest_count(b.relation_count, run.j, run.stop_j))
    return total


cdef void count_degrees(const int32_t *variable, Py_ssize_t start, Py_ssize_t stop, int32_t *degree,
                        int32_t *frequency) noexcept nogil:
    """``frequency[d]`` becomes the number of variables that occur d times in ``variable[start:stop]``, d > 0.

    ``degree`` has an entry a variable, and is 0 before and after.
    """
    cdef Py_ssize_t k
    memset(frequency, 0, (stop - start + 1) * sizeof(int32_t))
    for k in range(start, stop):
        degree[variable[k]] += 1
    for k in range(start, stop):
        frequency[degree[variable[k]]] += 1
        degree[variable[k]] = 0
    frequency[0] = 0


cdef int64_t degree_bound(const int32_t *first, Py_ssize_t i, Py_ssize_t stop_i, const int32_t *second, Py_ssize_t j,
                          Py_ssize_t stop_j, int32_t *degree, int32_t *in_a, int32_t *in_b) noexcept nogil:
    """Upper bound on the relations that match, by how many of them each variable has at one end.

    Of two variables that are mapped to each other, as many relations match as the one has that has fewer. The sum over
    all pairs is largest if variables are paired in the order of their numbers. So it is the sum over all d > 0 of the
    variables that have d or more, in the graph that has fewer of these.
    """
    cdef Py_ssize_t d
    cdef int64_t of_a = 0, of_b = 0, total = 0
    count_degrees(first, i, stop_i, degree, in_a)
    count_degrees(second, j, stop_j, degree, in_b)
    for d in range(max(stop_i - i, stop_j - j), 0, -1):
        of_a += in_a[d] if d <= stop_i - i else 0
        of_b += in_b[d] if d <= stop_j - j else 0
        total += min(of_a, of_b)
    return total


cdef int64_t relation_bound(Arena *arena, const GraphView *a, const GraphView *b) noexcept nogil:
    """Upper bound on the relations that match, by role and by the numbers of relations that leave and reach variables.

    O(R) for R relations. ``arena`` is emptied; NO_MEMORY, which is negative, if there is none for it.
    """
    cdef Run run = Run(0, 0, 0, 0)
    cdef int32_t n = max(a.n_variables, b.n_variables)
    cdef int64_t total = 0, most_here
    if arena_reserve(arena, (n + a.n_relations + b.n_relations + 2) * sizeof(int32_t) + 3 * PADDING) < 0:
        return NO_MEMORY
    cdef int32_t *degree = <int32_t *> take_zeros(arena, n * sizeof(int32_t))
    cdef int32_t *in_a = ints(arena, a.n_relations + 1)
    cdef int32_t *in_b = ints(arena, b.n_relations + 1)
    while next_role(a, b, &run):
        most_here = min(
            degree_bound(a.source, run.i, run.stop_i, b.source, run.j, run.stop_j, degree, in_a, in_b),
            degree_bound(a.target, run.i, run.stop_i, b.target, run.j, run.stop_j, degree, in_a, in_b))
        total += (most_here * largest_count(a.relation_count, run.i, run.stop_i)
                  * largest_count(b.relation_count, run.j, run.stop_j))
    return total


cdef void empty(const GraphView *a, const GraphView *b, int32_t *mapping, int32_t *owner) noexcept nogil:
    memset(mapping, 0xFF, a.n_variables * sizeof(int32_t))   # -1
    memset(owner, 0xFF, b.n_variables * sizeof(int32_t))


cdef uint64_t places_of(const GraphView *a, const GraphView *b, const Run *run) noexcept nogil:
    """Hash of the variables that have a key. Ids of labels depend on what else is in a corpus; the map must not."""
    cdef uint64_t found = 0
    cdef Py_ssize_t k
    for k in range(run.i, run.stop_i):
        found += mix_next(<uint64_t> a.variable[k])
    for k in range(run.j, run.stop_j):
        found += mix_next(~(<uint64_t> b.variable[k]))
    return found


cdef void pair_off(const GraphView *a, const GraphView *b, Pair *order, Run *runs, Pair *scratch, int32_t *mapping,
                   int32_t *owner) noexcept nogil:
    """Map variables that share a key, in ascending order; keys that few pairs of variables share come first.

    ``order``, ``runs`` and ``scratch`` have room for all keys of the graph that has fewer unary features.
    """
    cdef Run run = Run(0, 0, 0, 0)
    cdef Py_ssize_t i, j, k, n = 0
    cdef int64_t size
    while next_key(a, b, &run):
        runs[n] = run
        size = min(<int64_t> (run.stop_i - run.i) * (run.stop_j - run.j), <int64_t> 1 << 30)
        order[n].major = (size << 32) | <int64_t> (places_of(a, b, &run) >> 32)
        order[n].minor = n
        n += 1
    sort_pairs(order, n, scratch)
    for k in range(n):
        run = runs[order[k].minor]
        i, j = run.i, run.j
        while i < run.stop_i and j < run.stop_j:
            if mapping[a.variable[i]] >= 0:
                i += 1
            elif owner[b.variable[j]] >= 0:
                j += 1
            else:
                mapping[a.variable[i]] = b.variable[j]
                owner[b.variable[j]] = a.variable[i]
                i += 1
                j += 1


cdef void part_forbidden(const GraphView *a, const GraphView *b, int32_t *mapping) noexcept nogil:
    """Take the pairs of variables that share no group out of a map."""
    cdef int32_t i
    if not restricted(a, b):
        return
    for i in range(a.n_variables):
        if mapping[i] >= 0 and not allowed(a, b, i, mapping[i]):
            mapping[i] = -1


cdef int64_t map_value(const GraphView *a, const GraphView *b, const int32_t *mapping) noexcept nogil:
    """Triples that match under a map, a variable of b or -1 for each variable of a. O(T log T) for T triples."""
    cdef Py_ssize_t k, other
    cdef int32_t source, target
    cdef int64_t total = 0
    for k in range(a.n_unary):
        source = mapping[a.variable[k]]
        other = find_unary(b, a.key[k], source) if source >= 0 else -1
        if other >= 0:
            total += <int64_t> a.unary_count[k] * b.unary_count[other]
    for k in range(a.n_relations):
        source, target = mapping[a.source[k]], mapping[a.target[k]]
        other = find_relation(b, a.role[k], source, target) if source >= 0 and target >= 0 else -1
        if other >= 0:
            total += <int64_t> a.relation_count[k] * b.relation_count[other]
    return total


cdef int64_t coarse_match(Arena *arena, const GraphView *a, const GraphView *b, int64_t ceiling,
                          const int32_t **mapping, int64_t *work) noexcept nogil:
    """Map variables greedily: those with equal surroundings first, or those that share rare keys, whichever is better.

    Parameters
    ----------
    arena : Arena
        Emptied first.
    ceiling : int64
        Triples that no map can exceed. A map that reaches it is not improved.
    mapping : const int32 *[1]
        Receives a pointer into ``arena``: for each variable of a a variable of b, or -1.
    work : int64[1]
        Receives the variables and triples that were visited.

    Returns
    -------
    The triples that match, or NO_MEMORY, which is negative.
    """
    cdef int64_t value, other_value
    cdef int attempt
    cdef bint thorough = False
    cdef Py_ssize_t n_keys = min(a.n_unary, b.n_unary)
    cdef int64_t triples = a.n_unary + a.n_relations + b.n_unary + b.n_relations
    if arena_reserve(arena, (2 * a.n_variables + b.n_variables) * sizeof(int32_t) + 6 * PADDING
                     + n_keys * (2 * sizeof(Pair) + sizeof(Run))
                     + colours_size(a.n_variables + b.n_variables, a.n_relations + b.n_relations)) < 0:
        return NO_MEMORY
    cdef int32_t *places = ints(arena, a.n_variables)
    cdef int32_t *other = ints(arena, a.n_variables)
    cdef int32_t *owner = ints(arena, b.n_variables)
    cdef Pair *order = <Pair *> take(arena, n_keys * sizeof(Pair))
    cdef Pair *scratch = <Pair *> take(arena, n_keys * sizeof(Pair))
    cdef Run *runs = <Run *> take(arena, n_keys * sizeof(Run))
    cdef size_t used = arena.used
    empty(a, b, places, owner)
    pair_off(a, b, order, runs, scratch, places, owner)
    part_forbidden(a, b, places)
    value = map_value(a, b, places)
    work[0] = 8 * triples
    for attempt in range(2):
        if value >= ceiling or (attempt and not thorough):
            break
        arena.used = used
        empty(a, b, other, owner)
        work[0] += 4 * triples + pair_by_colour(arena, a, b, other, owner, &thorough)
        pair_off(a, b, order, runs, scratch, other, owner)
        part_forbidden(a, b, other)
        other_value = map_value(a, b, other)
        if other_value > value:
            value = other_value
            places, other = other, places
    mapping[0] = places
    return value


cdef int complete_map(Arena *arena, const GraphView *a, const GraphView *b, int32_t *mapping) noexcept nogil:
    """Map variables that have no partner yet by their features and relations; FINE or NO_MEMORY.

    Empties ``arena``. Nothing is to be forbidden (:func:`allowed`).
    """
    cdef int32_t i
    if arena_reserve(arena, b.n_variables * sizeof(int32_t) + PADDING
                     + colours_size(a.n_variables + b.n_variables, a.n_relations + b.n_relations)) < 0:
        return NO_MEMORY
    cdef int32_t *owner = ints(arena, b.n_variables)
    memset(owner, 0xFF, b.n_variables * sizeof(int32_t))     # -1
    for i in range(a.n_variables):
        if mapping[i] >= 0:
            owner[mapping[i]] = i
    pair_rest(arena, a, b, mapping, owner)
    return FINE
