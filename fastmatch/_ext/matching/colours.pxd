# cython: language_level=3
"""A map of variables by colour refinement, the Weisfeiler-Leman test of isomorphism.

A *colour* is a number for what surrounds a variable. The first colours stand for the variable's unary features. Each
round replaces a colour by a hash of the old one and of what relations lead to, as a bag of (role, direction, colour at
the other end). After k rounds two variables have the same colour if their surroundings up to k steps away cannot be
told apart by this test. Both graphs are coloured together.

Variables are then paired that have the same colour, first by the colours of the last round, then by those of earlier
and earlier ones. From each pair the map *spreads*: the relations of the two are paired by role and colour, and so are
the variables that they lead to. If the graphs are trees, or if each colour belongs to one variable of either graph, two
isomorphic graphs get a map that matches everything.

Other graphs without differences (cycles, grids, equal twins) keep colours that several variables share. If both graphs
have the same colours equally often, one variable of either graph is *singled out* by a colour of its own, and
refinement goes on, until all colours belong to one variable of either graph (McKay 1981, Practical graph isomorphism,
without its backtracking: a few partners are tried for each variable).

The map is no more than a start: the caller counts what it is worth.

Ids of labels say only which labels are equal. They depend on what else is in a corpus, and the map must not, so colours
are made of places: a label is hashed by the variables that carry it. Labels with the same hash stand at the same
variables, and tell none of them apart.
"""

from libc.stdint cimport int32_t, int64_t, uint64_t
from libc.string cimport memcpy, memset

from fastmatch._ext.base.arena cimport PADDING, Arena, ints, take, take_zeros
from fastmatch._ext.base.random cimport mix, mix_next
from fastmatch._ext.base.sorting cimport Pair, packed, sort_pairs
from fastmatch._ext.matching.problem cimport GraphView, Run, next_key, next_of_either


cdef enum:
    LEVELS = 7                        # colours are kept after 0, 1, 2, 4, … rounds, and after the last one
    PARTNERS = 4                      # tried for a variable that is singled out
    # Visits of variables and relations after which no further round begins: some 5 ms. Of the first few rounds all
    # are made, and no variable is singled out after.
    ENOUGH = 500_000
    AT_LEAST = 8


# Two graphs side by side: node v < n is variable v of a, node n + v is variable v of b.
cdef struct Colours:
    int32_t n
    int32_t size
    int32_t n_halves
    int32_t *start                    # [size + 1] relations of each node, seen from it
    uint64_t *role                    # [n_halves] hash of the role; its complement if the relation leads to the node
    int32_t *other                    # [n_halves] node at the other end
    uint64_t *colour                  # [size]
    uint64_t *fresh                   # [size]
    uint64_t *saved                   # [size]
    uint64_t *level                   # [LEVELS * size] the colours that are kept
    int32_t n_levels
    Pair *order                       # [size] (colour, node), sorted
    Pair *scratch                     # [max(size, n_halves)]
    Pair *half                        # [n_halves] (role and colour, node at the other end), sorted for each node
    int32_t *queue                    # [n]
    int64_t work


cdef inline size_t colours_size(size_t size, size_t relations) noexcept nogil:
    """Bytes that :func:`begin` takes from an arena, for so many nodes and relations of both graphs."""
    cdef size_t halves = 2 * relations
    return (size * ((3 + LEVELS) * sizeof(uint64_t) + 2 * sizeof(int32_t) + sizeof(Pair)) + sizeof(int32_t)
            + halves * (sizeof(uint64_t) + sizeof(int32_t) + sizeof(Pair)) + max(size, halves) * sizeof(Pair)
            + 11 * PADDING)


cdef inline void put_relation(Colours *x, int32_t source, int32_t target, uint64_t label) noexcept nogil:
    """Add a relation between two nodes of one graph; ``label``: a hash of its role."""
    x.half[x.n_halves] = Pair(<int64_t> label, packed(source, target))
    x.n_halves += 1


cdef inline void lay_relations(Colours *x) noexcept nogil:
    """Group the relations that were added by the nodes at their ends."""
    cdef int32_t k, v, source, target, n = x.n_halves
    for k in range(n):
        x.start[x.half[k].minor >> 32] += 1
        x.start[<int32_t> x.half[k].minor] += 1
    for v in range(x.size):
        x.start[v + 1] += x.start[v]
    for k in range(n):                # from the end of each node's stretch to its start
        source, target = <int32_t> (x.half[k].minor >> 32), <int32_t> x.half[k].minor
        x.start[source] -= 1
        x.role[x.start[source]] = <uint64_t> x.half[k].major
        x.other[x.start[source]] = target
        x.start[target] -= 1
        x.role[x.start[target]] = ~<uint64_t> x.half[k].major
        x.other[x.start[target]] = source
    x.n_halves = 2 * n


cdef inline uint64_t key_hash(const GraphView *view, int32_t first, Py_ssize_t start, Py_ssize_t stop) noexcept nogil:
    """Of features with one key: a hash of the nodes that have them."""
    cdef uint64_t found = 0
    cdef Py_ssize_t k
    for k in range(start, stop):
        found += mix_next(<uint64_t> (first + view.variable[k])) * <uint64_t> view.unary_count[k]
    return found


cdef inline uint64_t role_hash(const GraphView *view, int32_t first, Py_ssize_t start, Py_ssize_t stop) noexcept nogil:
    """Of relations with one role: a hash of the pairs of nodes that they join."""
    cdef uint64_t found = 0
    cdef Py_ssize_t k
    for k in range(start, stop):
        found += mix(mix_next(<uint64_t> (first + view.source[k])) ^ <uint64_t> (first + view.target[k]))
    return found


cdef inline void put_unary(
    Colours *x, const GraphView *view, int32_t first, Py_ssize_t start, Py_ssize_t stop, uint64_t label
) noexcept nogil:
    cdef Py_ssize_t k
    for k in range(start, stop):
        x.colour[first + view.variable[k]] += mix_next(label) * <uint64_t> view.unary_count[k]


cdef inline void put_relations(
    Colours *x, const GraphView *view, int32_t first, Py_ssize_t start, Py_ssize_t stop, uint64_t label
) noexcept nogil:
    cdef Py_ssize_t k
    for k in range(start, stop):
        put_relation(x, first + view.source[k], first + view.target[k], label)


cdef inline void put_graphs(Colours *x, const GraphView *a, const GraphView *b) noexcept nogil:
    """Colours by unary features, and relations.

    Features are sorted by key, and relations by role, so a merge of the two graphs meets each label once. Where the
    graphs share few features, those of one alone are left out: they match nothing, and would keep all variables apart.
    """
    cdef Py_ssize_t shared = 0
    cdef uint64_t label
    cdef Run run = Run(0, 0, 0, 0)
    while next_key(a, b, &run):
        shared += min(run.stop_i - run.i, run.stop_j - run.j)
    cdef bint few = 2 * shared < min(a.n_unary, b.n_unary)
    run = Run(0, 0, 0, 0)
    while next_of_either(a.key, a.n_unary, b.key, b.n_unary, &run):
        label = key_hash(a, 0, run.i, run.stop_i) + key_hash(b, x.n, run.j, run.stop_j)
        if (run.i < run.stop_i and run.j < run.stop_j) or not few:
            put_unary(x, a, 0, run.i, run.stop_i, label)
            put_unary(x, b, x.n, run.j, run.stop_j, label)
    run = Run(0, 0, 0, 0)
    while next_of_either(a.role, a.n_relations, b.role, b.n_relations, &run):
        label = role_hash(a, 0, run.i, run.stop_i) + role_hash(b, x.n, run.j, run.stop_j)
        put_relations(x, a, 0, run.i, run.stop_i, label)
        put_relations(x, b, x.n, run.j, run.stop_j, label)


cdef inline void begin(Colours *x, Arena *arena, int32_t n, int32_t size, int32_t n_relations) noexcept nogil:
    """Take the arrays for ``size`` nodes, of which ``n`` are those of a, and at most so many relations."""
    cdef size_t halves = 2 * <size_t> n_relations
    x.n, x.size = n, size
    x.start = <int32_t *> take_zeros(arena, (x.size + 1) * sizeof(int32_t))
    x.role = <uint64_t *> take(arena, halves * sizeof(uint64_t))
    x.other = ints(arena, halves)
    x.colour = <uint64_t *> take_zeros(arena, x.size * sizeof(uint64_t))
    x.fresh = <uint64_t *> take(arena, x.size * sizeof(uint64_t))
    x.saved = <uint64_t *> take(arena, x.size * sizeof(uint64_t))
    x.level = <uint64_t *> take(arena, LEVELS * x.size * sizeof(uint64_t))
    x.order = <Pair *> take(arena, x.size * sizeof(Pair))
    x.scratch = <Pair *> take(arena, max(<size_t> x.size, halves) * sizeof(Pair))
    x.half = <Pair *> take(arena, halves * sizeof(Pair))
    x.queue = ints(arena, x.size)
    x.n_halves = x.work = x.n_levels = 0


cdef inline int32_t sort_by_colour(Colours *x) noexcept nogil:
    """Fill ``order``; returns the number of colours."""
    cdef int32_t v, found = 0
    for v in range(x.size):
        x.order[v] = Pair(<int64_t> x.colour[v], v)
    sort_pairs(x.order, x.size, x.scratch)
    for v in range(x.size):
        found += v == 0 or x.order[v].major != x.order[v - 1].major
    x.work += 8 * x.size
    return found


cdef inline void recolour(Colours *x) noexcept nogil:
    """One round."""
    cdef int32_t v, k
    cdef uint64_t colour
    for v in range(x.size):
        colour = mix_next(x.colour[v])
        for k in range(x.start[v], x.start[v + 1]):
            colour += mix(x.colour[x.other[k]] ^ mix_next(x.role[k]))
        x.fresh[v] = colour
    x.colour, x.fresh = x.fresh, x.colour
    x.work += x.size + x.n_halves


cdef inline void keep(Colours *x) noexcept nogil:
    """Keep the colours as a level; when there is no more room, in place of the last one."""
    if x.n_levels == LEVELS:
        x.n_levels -= 1
    memcpy(&x.level[x.n_levels * x.size], x.colour, x.size * sizeof(uint64_t))
    x.n_levels += 1


cdef inline void take_level(Colours *x, int32_t level) noexcept nogil:
    memcpy(x.colour, &x.level[level * x.size], x.size * sizeof(uint64_t))


cdef inline void refine(Colours *x, bint keeping) noexcept nogil:
    """Rounds until they tell no more variables apart; leaves ``order`` sorted."""
    cdef int32_t found = sort_by_colour(x), before, rounds = 0
    if keeping:
        keep(x)
    while rounds < AT_LEAST or x.work < ENOUGH:
        before = found
        recolour(x)
        rounds += 1
        found = sort_by_colour(x)
        if keeping and rounds & (rounds - 1) == 0:
            keep(x)
        if found == before:
            break
    if keeping and rounds & (rounds - 1):
        keep(x)


cdef inline int32_t stop_of(const Colours *x, int32_t first) noexcept nogil:
    """End of the nodes in ``order`` that have the colour of the one at ``first``."""
    cdef int32_t stop = first + 1
    while stop < x.size and x.order[stop].major == x.order[first].major:
        stop += 1
    return stop


cdef inline int32_t first_of_b(const Colours *x, int32_t first, int32_t stop) noexcept nogil:
    """The place of the first node of b among those of a colour; nodes of a come before them."""
    while first < stop and x.order[first].minor < x.n:
        first += 1
    return first


cdef inline bint balanced(const Colours *x) noexcept nogil:
    """Whether every colour is as frequent in a as in b."""
    cdef int32_t first = 0, stop, middle
    while first < x.size:
        stop = stop_of(x, first)
        middle = first_of_b(x, first, stop)
        if 2 * (middle - first) != stop - first:
            return False
        first = stop
    return True


cdef inline bint single_out(Colours *x) noexcept nogil:
    """Go on until every colour belongs to one variable of either graph; False if that takes too long or fails."""
    cdef int32_t first, stop, middle, best, least, k, u, v
    cdef uint64_t own = 0x5851F42D4C957F2D
    cdef bint fine
    while True:
        best, least = -1, x.size + 1
        first = 0
        while first < x.size:
            stop = stop_of(x, first)
            if 2 < stop - first < least:
                best, least = first, stop - first
            first = stop
        if best < 0:
            return True
        stop = best + least
        middle = first_of_b(x, best, stop)
        u = <int32_t> x.order[best].minor
        memcpy(x.saved, x.colour, x.size * sizeof(uint64_t))
        fine = False
        for k in range(PARTNERS):
            if middle + k >= stop or x.work > ENOUGH:
                break
            v = <int32_t> x.order[middle + k].minor
            own = mix_next(own)
            x.colour[u] = x.colour[v] = own
            refine(x, False)
            fine = balanced(x)
            if fine:
                break
            memcpy(x.colour, x.saved, x.size * sizeof(uint64_t))
            sort_by_colour(x)
        if not fine:
            return False


cdef inline void sort_halves(Colours *x) noexcept nogil:
    cdef int32_t v, k
    for v in range(x.size):
        for k in range(x.start[v], x.start[v + 1]):
            x.half[k] = Pair(<int64_t> (x.colour[x.other[k]] ^ mix_next(x.role[k])), x.other[k])
        sort_pairs(&x.half[x.start[v]], x.start[v + 1] - x.start[v], x.scratch)


cdef inline void join(Colours *x, int32_t u, int32_t v, int32_t *mapping, int32_t *owner, int32_t *tail) noexcept nogil:
    mapping[u] = v - x.n
    owner[v - x.n] = u
    x.queue[tail[0]] = u
    tail[0] += 1


cdef inline void spread(Colours *x, int32_t *mapping, int32_t *owner, int32_t head, int32_t *tail) noexcept nogil:
    """Pair the variables that equal relations of paired variables lead to, from place ``head`` of the queue on."""
    cdef int32_t u, v, i, j, stop_i, stop_j
    while head < tail[0]:
        u = x.queue[head]
        v = x.n + mapping[u]
        head += 1
        i, stop_i = x.start[u], x.start[u + 1]
        j, stop_j = x.start[v], x.start[v + 1]
        while i < stop_i and j < stop_j:
            if x.half[i].major < x.half[j].major or (
                    x.half[i].major == x.half[j].major and mapping[x.half[i].minor] >= 0):
                i += 1
            elif x.half[i].major > x.half[j].major or owner[x.half[j].minor - x.n] >= 0:
                j += 1
            else:
                join(x, <int32_t> x.half[i].minor, <int32_t> x.half[j].minor, mapping, owner, tail)
                i += 1
                j += 1


cdef inline void pair_level(Colours *x, int32_t *mapping, int32_t *owner, int steps) noexcept nogil:
    """Pair what has no partner yet by the present colours: around pairs, then colours of one variable, then others.

    ``steps``: 0 for the first of these only, 1 for the first two.
    """
    cdef int32_t first, stop, i, j, u, tail = 0, head
    cdef int step
    sort_by_colour(x)
    sort_halves(x)
    for u in range(x.n):
        if mapping[u] >= 0:
            x.queue[tail] = u
            tail += 1
    spread(x, mapping, owner, 0, &tail)
    for step in range(steps):
        first = 0
        while first < x.size:
            stop = stop_of(x, first)
            i, j = first, first_of_b(x, first, stop)
            if (step == 0) == (stop - first == 2):
                while i < stop and x.order[i].minor < x.n and j < stop:
                    if mapping[x.order[i].minor] >= 0:
                        i += 1
                    elif owner[x.order[j].minor - x.n] >= 0:
                        j += 1
                    else:
                        head = tail
                        join(x, <int32_t> x.order[i].minor, <int32_t> x.order[j].minor, mapping, owner, &tail)
                        spread(x, mapping, owner, head, &tail)
            first = stop
    x.work += 4 * (x.size + x.n_halves)


cdef inline int64_t pair_by_colour(
    Arena *arena, const GraphView *a, const GraphView *b, int32_t *mapping, int32_t *owner, bint *thorough
) noexcept nogil:
    """Map variables of ``a`` to variables of ``b`` by their colours.

    Parameters
    ----------
    arena : Arena
        With room for :func:`colours_size` bytes.
    mapping : int32[variables of a]
        -1, or a variable of b if it is known already. Receives the map.
    owner : int32[variables of b]
        Its inverse.
    thorough : bint[1]
        Whether to single variables out, where that may find an isomorphism. Receives whether it may.

    Returns
    -------
    Variables and relations that were visited. A round takes O(T log V) for T relations and V variables.
    """
    cdef Colours x
    cdef int32_t k
    begin(&x, arena, a.n_variables, a.n_variables + b.n_variables, <int32_t> (a.n_relations + b.n_relations))
    put_graphs(&x, a, b)
    lay_relations(&x)
    refine(&x, True)
    if not balanced(&x):
        thorough[0] = False
    elif not thorough[0]:
        thorough[0] = True
    elif single_out(&x):
        keep(&x)
    for k in range(x.n_levels - 1, -1, -1):
        take_level(&x, k)
        pair_level(&x, mapping, owner, 2)
    return x.work


cdef inline void pair_rest(
    Arena *arena, const GraphView *a, const GraphView *b, int32_t *mapping, int32_t *owner
) noexcept nogil:
    """Map what has no partner yet: variables with the same features, and those that relations of equal roles lead to.

    Parameters are those of :func:`pair_by_colour`.
    """
    cdef Colours x
    begin(&x, arena, a.n_variables, a.n_variables + b.n_variables, <int32_t> (a.n_relations + b.n_relations))
    put_graphs(&x, a, b)
    lay_relations(&x)
    pair_level(&x, mapping, owner, 2)
    memset(x.colour, 0, x.size * sizeof(uint64_t))
    pair_level(&x, mapping, owner, 0)
