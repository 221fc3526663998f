"""What can be said of a pair without its matching problem: for graphs too large to build one.

Two lists of 10,000 equal concepts have 100 million candidates. Nothing sensible can be searched there, but a bound and
a map that is worth something are still cheap: both functions take time and memory linear in the two graphs (but for a
logarithm).
"""

from libc.stdint cimport int32_t, int64_t

from fastmatch._ext.arena cimport Arena, arena_reserve, padded, take
from fastmatch._ext.problem cimport GraphView, key_run, role_run


cdef int64_t most(const int32_t *counts, Py_ssize_t start, Py_ssize_t stop) noexcept nogil:
    cdef int64_t top = 1
    cdef Py_ssize_t k
    for k in range(start, stop):
        top = max(top, counts[k])
    return top


cdef int64_t counting_bound(const GraphView *a, const GraphView *b) noexcept nogil:
    """No more triples of a kind (same key, same role) can match than the graph with fewer of them has.

    A triple that is repeated, where repetitions multiply, counts as often as the most repeated of its kind.
    """
    cdef Py_ssize_t i = 0, j = 0, stop_i, stop_j
    cdef int64_t total = 0
    while i < a.n_unary and j < b.n_unary:
        if a.key[i] < b.key[j]:
            i += 1
        elif a.key[i] > b.key[j]:
            j += 1
        else:
            stop_i, stop_j = key_run(a, i), key_run(b, j)
            total += (min(stop_i - i, stop_j - j) * most(a.unary_count, i, stop_i)
                      * most(b.unary_count, j, stop_j))
            i, j = stop_i, stop_j
    i = j = 0
    while i < a.n_relations and j < b.n_relations:
        if a.role[i] < b.role[j]:
            i += 1
        elif a.role[i] > b.role[j]:
            j += 1
        else:
            stop_i, stop_j = role_run(a, i), role_run(b, j)
            total += (min(stop_i - i, stop_j - j) * most(a.relation_count, i, stop_i)
                      * most(b.relation_count, j, stop_j))
            i, j = stop_i, stop_j
    return total


cdef void pair_off(const GraphView *a, const GraphView *b, int64_t limit, int32_t *mapping,
                   int32_t *owner) noexcept nogil:
    """Map variables that share a key, in their order, for the keys that at most ``limit`` pairs of variables share."""
    cdef Py_ssize_t i = 0, j = 0, stop_i, stop_j
    while i < a.n_unary and j < b.n_unary:
        if a.key[i] < b.key[j]:
            i += 1
        elif a.key[i] > b.key[j]:
            j += 1
        else:
            stop_i, stop_j = key_run(a, i), key_run(b, j)
            if <int64_t> (stop_i - i) * (stop_j - j) <= limit:
                while i < stop_i and j < stop_j:
                    if mapping[a.variable[i]] >= 0:
                        i += 1
                    elif owner[b.variable[j]] >= 0:
                        j += 1
                    else:
                        mapping[a.variable[i]] = b.variable[j]
                        owner[b.variable[j]] = a.variable[i]
                        i += 1
                        j += 1
            i, j = stop_i, stop_j


cdef int64_t value(const GraphView *a, const GraphView *b, const int32_t *mapping) noexcept nogil:
    """Triples that match under a map. Both lists are sorted, so each triple's partner is found by bisection."""
    cdef Py_ssize_t k, low, high, middle
    cdef int32_t source, target
    cdef int64_t total = 0
    for k in range(a.n_unary):
        source = mapping[a.variable[k]]
        if source < 0:
            continue
        low, high = 0, b.n_unary
        while low < high:
            middle = (low + high) >> 1
            if b.key[middle] < a.key[k] or (b.key[middle] == a.key[k] and b.variable[middle] < source):
                low = middle + 1
            else:
                high = middle
        if low < b.n_unary and b.key[low] == a.key[k] and b.variable[low] == source:
            total += <int64_t> a.unary_count[k] * b.unary_count[low]
    for k in range(a.n_relations):
        source, target = mapping[a.source[k]], mapping[a.target[k]]
        if source < 0 or target < 0:
            continue
        low, high = 0, b.n_relations
        while low < high:
            middle = (low + high) >> 1
            if b.role[middle] < a.role[k] or (b.role[middle] == a.role[k] and (
                    b.source[middle] < source or (b.source[middle] == source and b.target[middle] < target))):
                low = middle + 1
            else:
                high = middle
        if low < b.n_relations and b.role[low] == a.role[k] and b.source[low] == source and b.target[low] == target:
            total += <int64_t> a.relation_count[k] * b.relation_count[low]
    return total


cdef int64_t coarse_match(Arena *arena, const GraphView *a, const GraphView *b,
                          const int32_t **mapping) noexcept nogil:
    """Map variables greedily, the rarest shared keys first; returns the triples that match, -1 without memory.

    ``mapping`` then points to variable of b or -1 for each variable of a, in ``arena``, which is emptied first.
    """
    cdef int32_t *places
    cdef int32_t *owner
    cdef int32_t i
    if arena_reserve(arena, padded(a.n_variables * sizeof(int32_t)) + padded(b.n_variables * sizeof(int32_t))) < 0:
        return -1
    places = <int32_t *> take(arena, a.n_variables * sizeof(int32_t))
    owner = <int32_t *> take(arena, b.n_variables * sizeof(int32_t))
    for i in range(a.n_variables):
        places[i] = -1
    for i in range(b.n_variables):
        owner[i] = -1
    pair_off(a, b, 1, places, owner)
    pair_off(a, b, 100, places, owner)
    pair_off(a, b, <int64_t> 1 << 62, places, owner)
    mapping[0] = places
    return value(a, b, places)
