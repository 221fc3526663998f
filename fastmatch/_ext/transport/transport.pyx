"""Optimal transport between two sets of points, exactly.

Source i has ``supply[i]`` units, sink j wants ``demand[j]``, and moving a unit costs ``cost[i, j]``: which flow is
cheapest? With equal masses 1/n and 1/m of the points of two sets (the Wasserstein distance of two graphs' nodes)
everything is a whole number once it is multiplied by the least common multiple of n and m. So masses are integers here:
no unit is ever lost to rounding, and the only real numbers are costs.

There are two methods. Large problems, and all in which the mass of a point has to be divided, go to
:mod:`fastmatch._ext.transport.simplex`. Small ones in which one number of nodes divides the other are solved faster by
successive shortest paths, in the form that Jonker and Volgenant (1987) gave it for assignments, here with masses:

* Prices ``u``, ``v`` keep every reduced cost ``cost[i, j] - u[i] - v[j]`` at 0 or above, and at 0 wherever something
  flows. A flow with such prices is optimal (complementary slackness), whatever masses are still to be sent.
* The start: ``v[j]`` is the cheapest way into sink j, ``u[i]`` what then remains for source i. All edges of reduced
  cost 0 are filled at once. Graphs that resemble each other are mostly matched by this alone.
* Then, while a source has something left: Dijkstra's search over reduced costs from it to the nearest sink that wants
  something. A sink that is full passes the path on to the sources it receives from, which may send elsewhere instead.
  Prices rise by what the search learned, and as much as the path bears is sent along it.

Ties: a sink that wants something goes before a full one, then the lower place in the list of open sinks. No random
number and no address decides anything, so equal input gives equal output, bit for bit. Where several flows are optimal
the one found depends on the order of the nodes; the cost does not.

A search costs at most O(n m), and there are about n + m of them at worst; a dense matrix needs no heap. The flow found
may have circles of edges; that of the simplex method is basic and has none.
"""

from libc.math cimport INFINITY
from libc.stdint cimport int32_t, int64_t, uint8_t
from libc.string cimport memset

import numpy as np

from fastmatch._ext.base.arena cimport Arena, arena_free, arena_init, arena_reserve, doubles, ints, take
from fastmatch._ext.base.status cimport FINE, raise_status, stop_after
from fastmatch._ext.transport.simplex cimport simplex_cost, simplex_fits, simplex_flow, simplex_init, simplex_solve

# Cells of cost matrix looked at between two questions about Ctrl-C and cancellation: some milliseconds.
cdef int64_t PATIENCE = 4_000_000
# Cells from which on the simplex method is as good where one number of nodes divides the other.
cdef int64_t DIVISOR_CELLS = 12_000


cdef bint tree_is_faster(int32_t n, int32_t m) noexcept nogil:
    """Whether to take the simplex method for equal masses on each side.

    If one number divides the other, whole nodes are moved, as in an assignment, and few searches fill all sinks at
    once; otherwise each node's mass is torn, and searches become many. Measured: paths take 0.4 to 1.2 times as long
    for divisors up to 100 x 100, 1 to 1.3 times for 8 x 9, 1.3 to 2.7 for 14 x 15, 5 to 8 for 100 x 101.
    """
    cdef int32_t least = n if n < m else m, most = m if n < m else n
    return (most % least != 0 or <int64_t> n * m > DIVISOR_CELLS) and simplex_fits(n, m, <int64_t> n * m)


cdef void transport_init(Arena *arena, Transport *t, int32_t n, int32_t m, bint by_tree) noexcept nogil:
    """Take the arrays of a problem from an arena with :func:`transport_size` bytes left. Masses are not set."""
    t.n = n
    t.m = m
    t.supply = <int64_t *> take(arena, n * sizeof(int64_t))
    t.demand = <int64_t *> take(arena, m * sizeof(int64_t))
    t.by_tree = by_tree
    if by_tree:
        simplex_init(arena, &t.simplex, n, m)
        return
    t.flow = <int64_t *> take(arena, <size_t> n * m * sizeof(int64_t))
    t.u, t.row_distance = doubles(arena, n), doubles(arena, n)
    t.v, t.distance = doubles(arena, m), doubles(arena, m)
    t.back, t.reached, t.mark = ints(arena, n), ints(arena, n), ints(arena, n)
    t.via, t.open, t.closed = ints(arena, m), ints(arena, m), ints(arena, m)


cdef size_t transport_size(int32_t n, int32_t m, bint by_tree) noexcept nogil:
    """Bytes that :func:`transport_init` takes."""
    cdef Arena counted
    cdef Transport t
    arena_init(&counted)
    transport_init(&counted, &t, n, m, by_tree)
    return counted.used


cdef int64_t uniform_masses(Transport *t) noexcept nogil:
    """Equal masses on each side, in the smallest whole numbers; returns their sum, the least common multiple."""
    cdef int64_t a = t.n, b = t.m
    cdef int32_t i
    while b:
        a, b = b, a % b
    for i in range(t.n):
        t.supply[i] = t.m // a
    for i in range(t.m):
        t.demand[i] = t.n // a
    return t.n // a * t.m


cdef void start(Transport *t) noexcept nogil:
    """First prices, and the flow over what costs nothing under them."""
    cdef int32_t n = t.n, m = t.m, i, j
    cdef int64_t amount
    cdef double least
    cdef const double *row = t.cost
    for j in range(m):
        t.v[j] = row[j]
    for _ in range(1, n):
        row += m
        for j in range(m):
            t.v[j] = row[j] if row[j] < t.v[j] else t.v[j]
    memset(t.flow, 0, <size_t> n * m * sizeof(int64_t))
    for i in range(n):
        row = t.cost + <int64_t> i * m
        least = INFINITY
        for j in range(m):
            if row[j] - t.v[j] < least:
                least = row[j] - t.v[j]
        t.u[i] = least
        for j in range(m):
            if t.supply[i] == 0:
                break
            if t.demand[j] and row[j] - t.v[j] == least:
                amount = min(t.supply[i], t.demand[j])
                t.flow[<int64_t> j * n + i] = amount
                t.supply[i] -= amount
                t.demand[j] -= amount
        t.mark[i] = 0
    t.search = 0


cdef int64_t send(Transport *t, int32_t source) noexcept nogil:
    """One search from a source that has something left, and what its path bears. Returns the cells looked at."""
    cdef int32_t n = t.n, m = t.m, n_open = m, n_closed = 0, n_reached = 0, row = source, i, j, k, best, sink, rest
    cdef int64_t cells = 0, amount
    cdef const int64_t *received
    cdef const double *cost
    cdef double base = 0.0, least, length
    cdef bint roomy
    t.search += 1
    for k in range(m):
        t.open[k] = k
        t.distance[k] = INFINITY
    t.back[source] = -1
    t.row_distance[source] = 0.0
    t.mark[source] = t.search
    t.reached[0] = source
    n_reached = 1
    rest = 0                          # reached[rest:] have not been looked at yet
    while True:
        while rest < n_reached:       # shorten the ways to the open sinks over the new sources
            row = t.reached[rest]
            rest += 1
            cost = t.cost + <int64_t> row * m
            base = t.row_distance[row] - t.u[row]
            for k in range(n_open):
                j = t.open[k]
                length = base + cost[j] - t.v[j]
                if length < t.distance[j]:
                    t.distance[j] = length
                    t.via[j] = row
            cells += n_open
        best = 0
        least = INFINITY
        roomy = False
        for k in range(n_open):
            j = t.open[k]
            length = t.distance[j]
            if length < least or (length == least and not roomy and t.demand[j] > 0):
                least = length
                best = k
                roomy = t.demand[j] > 0
        sink = t.open[best]
        if roomy:
            break
        n_open -= 1
        t.open[best] = t.open[n_open]
        t.closed[n_closed] = sink
        n_closed += 1
        received = t.flow + <int64_t> sink * n
        for i in range(n):
            if received[i] and t.mark[i] != t.search:
                t.mark[i] = t.search
                t.row_distance[i] = least
                t.back[i] = sink
                t.reached[n_reached] = i
                n_reached += 1
        cells += n
    for k in range(n_reached):
        i = t.reached[k]
        t.u[i] += least - t.row_distance[i]
    for k in range(n_closed):
        j = t.closed[k]
        t.v[j] -= least - t.distance[j]
    # what the path bears, then along it
    amount = min(t.supply[source], t.demand[sink])
    j = sink
    while (i := t.via[j]) != source:
        j = t.back[i]
        amount = min(amount, t.flow[<int64_t> j * n + i])
    t.supply[source] -= amount
    t.demand[sink] -= amount
    j = sink
    while True:
        i = t.via[j]
        t.flow[<int64_t> j * n + i] += amount
        if i == source:
            return cells
        j = t.back[i]
        t.flow[<int64_t> j * n + i] -= amount


cdef int transport_solve(Transport *t, const double *cost, int64_t most, const uint8_t *cancel) noexcept nogil:
    """Find a cheapest flow for the masses in ``supply`` and ``demand``, which are used up; their sums must be equal.

    The simplex method stops after the work ``most``, and ``cut`` says that it did. Shortest paths are taken for small
    problems only, and their number is limited by the number of nodes. ``cancel`` may be NULL. Returns FINE, CANCELLED
    or INTERRUPTED; after the latter two the flow is incomplete.
    """
    cdef int64_t cells = 0
    cdef int32_t i
    cdef int status
    t.cost = cost
    t.cut = False
    if t.by_tree:
        status = simplex_solve(&t.simplex, cost, t.supply, t.demand, most, cancel)
        t.cut = t.simplex.cut
        return status
    start(t)
    for i in range(t.n):
        while t.supply[i]:
            cells += send(t, i)
            if (status := stop_after(&cells, PATIENCE, cancel)) != FINE:
                return status
    return FINE


cdef double transport_cost(const Transport *t) noexcept nogil:
    """Sum of flow times cost, in an order that the sizes and the method decide."""
    cdef int32_t i, j
    cdef int64_t amount
    cdef double total = 0.0
    if t.by_tree:
        return simplex_cost(&t.simplex)
    for i in range(t.n):
        for j in range(t.m):
            amount = t.flow[<int64_t> j * t.n + i]
            if amount:
                total += amount * t.cost[<int64_t> i * t.m + j]
    return total


cdef void transport_flow(const Transport *t, int64_t *flow) noexcept nogil:
    """The flow as a matrix, int64[n, m]."""
    cdef int32_t i, j, node
    cdef int64_t amount
    if t.by_tree:
        memset(flow, 0, <size_t> t.n * t.m * sizeof(int64_t))
        for node in range(t.n + t.m):
            amount = simplex_flow(&t.simplex, node, &i, &j)
            if amount:
                flow[<int64_t> i * t.m + j] = amount
    else:
        for i in range(t.n):
            for j in range(t.m):
                flow[<int64_t> i * t.m + j] = t.flow[<int64_t> j * t.n + i]


def solve_transport(const double[:, ::1] cost not None, *, str method="auto", int64_t most=1 << 62):
    """The cheapest flow between n sources and m sinks; for tests and benchmarks.

    Parameters
    ----------
    cost : float64, shape (n, m)
        Finite.
    method : {"auto", "paths", "simplex"}
        "auto" takes the one that is likely to be faster. Both are exact. Where several flows are cheapest they may find
        different ones, and only that of the simplex method is certainly basic: at most n + m - 1 cells have a flow, and
        these make no circle.
    most : int >= 0
        Work of the simplex method, in cells looked at, after which it stops with a flow of these masses that is perhaps
        not a cheapest one.

    Returns
    -------
    distance : float
        The mean cost of a unit.
    flow : int64, shape (n, m)
        All rows sum to m / gcd(n, m), all columns to n / gcd(n, m).

    Raises
    ------
    ValueError
        If there are no points, or the method is unknown.
    MemoryError
        If the problem does not fit in memory.
    """
    cdef Py_ssize_t n = cost.shape[0], m = cost.shape[1]
    cdef Arena arena
    cdef Transport t
    cdef int status
    cdef int64_t total
    if not (0 < n and 0 < m and n + m < 2**31) or method not in ("auto", "paths", "simplex"):
        raise ValueError(f"{n} by {m} points, method {method!r}")
    cdef bint by_tree = method == "simplex" or method == "auto" and tree_is_faster(n, m)
    flow = np.empty((n, m), np.int64)
    cdef int64_t[:, ::1] moved = flow
    arena_init(&arena)
    try:
        if arena_reserve(&arena, transport_size(n, m, by_tree)) < 0:
            raise MemoryError(f"transport between {n} and {m} points does not fit in memory")
        transport_init(&arena, &t, n, m, by_tree)
        total = uniform_masses(&t)
        with nogil:
            status = transport_solve(&t, &cost[0, 0], most, NULL)
        raise_status(status, "")
        transport_flow(&t, &moved[0, 0])
        return transport_cost(&t) / total, flow
    finally:
        arena_free(&arena)
