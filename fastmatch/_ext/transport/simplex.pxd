# cython: language_level=3
"""Optimal transport between two large sets of points, exactly: the network simplex method.

A flow between n sources and m sinks needs no more than n + m - 1 edges, and these need no circle: some cheapest flow is
the flow of a *tree* that spans all nodes, for in a tree the masses leave no choice. Edges of the tree also leave no
choice of prices: from the root on, price[i] + price[j] = cost[i, j] sets them. If all other edges cost at least what
their ends' prices add up to, no flow is cheaper (complementary slackness). So:

* find an edge whose cost is below that; it closes a circle with the tree;
* send as much around the circle as the edges that lose flow allow; the one that is emptied leaves the tree;
* what the edge that left cut off hangs on the new edge now: turn its stem around, set its prices and depths again.

Three things make this fast and sure.

*No standing still.* Where a subset of sources has just what a subset of sinks wants, an edge of the tree may carry
nothing, and a circle may bear nothing: such steps may go on for ever. Orden's perturbation rules that out: every source
has a little more, too little to matter, and the last sink wants it all. In whole numbers: a unit of mass becomes
``2 n + 1`` units, every source gets one besides. No two subsets add up to the same then, so every edge of every tree
carries something, every step lowers the cost, and no tree comes twice. (These trees are the strongly feasible bases of
Cunningham 1976.) Rounding to the nearest multiple gives the flow that was asked for.

*A good start.* Always the cheapest cell among those whose source and sink both have something left (costs counted from
the cheapest way into each sink); each fills up one of the two, so that n + m - 1 of them make a tree.

*Looking at little.* The next edge is the best of the rows of a small block, not of all; the next search goes on where
this one ended. Rows are scanned without a branch.

Prices are floating-point numbers, each computed anew from the node above it, so their errors do not add up over the
steps. An edge enters if it is better by more than all roundings together could make it seem; after that, a limited
number of steps goes on down to differences of 2^-47 of the largest cost. So the number of steps is finite whatever the
costs are, and the flow's cost exceeds the least by no more than that difference.

How many steps there are no one can say beforehand: usually some times n + m, but the simplex method has families of
costs on which they grow exponentially, and nothing keeps a text from having such distances. So there may be a limit of
*work*, counted in cells of the cost matrix and nodes of the tree that are looked at, about a third of a nanosecond
each; it is the same on every machine. If it is used up the flow is still one of the masses that were asked for, only
perhaps not a cheapest one, and ``cut`` says so. If the start alone uses it up, the rest of the start takes the first
open cells instead of the cheapest.

Ties go to the lower index. Equal input gives equal output, bit for bit.

Sources: Orden (1956), "The transhipment problem"; Cunningham (1976), "A network simplex method"; block pricing as in
Grigoriadis (1986), "An efficient implementation of the network simplex method".
"""

from libc.math cimport INFINITY
from libc.stdint cimport int32_t, int64_t, uint8_t

from fastmatch._ext.base.arena cimport Arena, doubles, ints, take
from fastmatch._ext.base.status cimport FINE, asked_to_stop

cdef enum:
    # Cells of the cost matrix looked at between two questions about Ctrl-C and cancellation: some milliseconds.
    PATIENCE = 4000000
    # Cells looked at for one edge, at least; whole rows.
    BLOCK = 1024
    # Cells that take as long as a node of the tree.
    NODE = 16


cdef struct Branch:
    # A node of the tree, and its edge to the node above it.
    int64_t flow                      # what moves over that edge, in perturbed units: never 0
    double cost
    int32_t parent                    # -1 for the root
    int32_t depth
    int32_t child                     # first of the list of nodes below it, -1 for none
    int32_t next                      # in the list of the nodes that its parent has below it, -1 for none
    int32_t previous


cdef struct Simplex:
    # The problem and everything its solution needs. Nodes: sources 0 … n - 1, then sinks n … n + m - 1.
    int32_t n
    int32_t m
    int64_t units                     # perturbed units in one unit of mass
    const double *cost                # [n, m], finite
    int64_t *mass                     # [n + m] of sources and sinks, in perturbed units; used up by the start
    double *price                     # [n + m]: cost[i, j] = price[i] + price[n + j] for edges of the tree
    double *nearest                   # [n] of the start: the best open cell of each source
    int32_t *where                    # [n] its sink
    Branch *tree                      # [n + m]
    int32_t root
    int64_t work                      # cells and nodes of the tree looked at
    bint cut                          # the work was used up before the flow was known to be a cheapest one


cdef inline bint simplex_fits(int32_t n, int32_t m, int64_t total) noexcept nogil:
    """Whether masses that add up to ``total`` can be perturbed without overflow."""
    return total <= ((<int64_t> 1 << 61) // (2 * <int64_t> n + 1)) - 1


cdef inline void simplex_init(Arena *arena, Simplex *s, int32_t n, int32_t m) noexcept nogil:
    """Take the arrays of a problem from an arena: memory linear in n + m."""
    cdef size_t nodes = <size_t> n + m
    s.n = n
    s.m = m
    s.mass = <int64_t *> take(arena, nodes * sizeof(int64_t))
    s.price = doubles(arena, nodes)
    s.nearest = doubles(arena, n)
    s.where = ints(arena, n)
    s.tree = <Branch *> take(arena, nodes * sizeof(Branch))


# ---------------------------------------------------------------- the tree


cdef inline void hang(Branch *tree, int32_t node, int32_t parent) noexcept nogil:
    """Put a node at the head of its new parent's list."""
    cdef int32_t first = tree[parent].child
    tree[node].parent = parent
    tree[node].previous = -1
    tree[node].next = first
    if first >= 0:
        tree[first].previous = node
    tree[parent].child = node


cdef inline void unhook(Branch *tree, int32_t node) noexcept nogil:
    """Take a node out of its parent's list."""
    cdef int32_t before = tree[node].previous, after = tree[node].next
    if before >= 0:
        tree[before].next = after
    else:
        tree[tree[node].parent].child = after
    if after >= 0:
        tree[after].previous = before


cdef inline void settle(Simplex *s, int32_t top) noexcept nogil:
    """Depths and prices of a node, whose parent has them, and of all below it."""
    cdef Branch *tree = s.tree
    cdef int32_t node = top
    while True:
        s.work += NODE
        tree[node].depth = tree[tree[node].parent].depth + 1
        s.price[node] = tree[node].cost - s.price[tree[node].parent]
        if tree[node].child >= 0:
            node = tree[node].child
            continue
        while node != top and tree[node].next < 0:
            node = tree[node].parent
        if node == top:
            return
        node = tree[node].next


cdef inline void turn(
    Branch *tree, int32_t node, int32_t last, int32_t parent, int64_t flow, double cost
) noexcept nogil:
    """Hang ``node`` on ``parent`` and turn around the stem above it, up to ``last``, whose edge has left the tree."""
    cdef int32_t above
    cdef int64_t old_flow
    cdef double old_cost
    while True:
        above, old_flow, old_cost = tree[node].parent, tree[node].flow, tree[node].cost
        unhook(tree, node)
        hang(tree, node, parent)
        tree[node].flow, tree[node].cost = flow, cost
        if node == last:
            return
        parent, flow, cost = node, old_flow, old_cost
        node = above


cdef inline void pivot(Simplex *s, int32_t source, int32_t sink) noexcept nogil:
    """Let the edge from ``source`` to ``sink`` (a node's number) into the tree."""
    cdef Branch *tree = s.tree
    cdef int32_t a = source, b = sink, n = s.n, leaves = -1
    cdef bint ours = True             # the edge that leaves is on the source's side
    cdef int64_t most = (<int64_t> 1 << 62)
    # up to where the two ways to the root meet; going round, flow is taken from edges whose lower end is like the start
    while a != b:
        s.work += NODE
        if tree[a].depth >= tree[b].depth:
            if a < n and tree[a].flow < most:
                most, leaves, ours = tree[a].flow, a, True
            a = tree[a].parent
        else:
            if b >= n and tree[b].flow < most:
                most, leaves, ours = tree[b].flow, b, False
            b = tree[b].parent
    a = source
    while a != b:
        tree[a].flow += -most if a < n else most
        a = tree[a].parent
    b = sink
    while b != a:
        tree[b].flow += -most if b >= n else most
        b = tree[b].parent
    if ours:
        turn(tree, source, leaves, sink, most, s.cost[<int64_t> source * s.m + sink - n])
        settle(s, source)
    else:
        turn(tree, sink, leaves, source, most, s.cost[<int64_t> source * s.m + sink - n])
        settle(s, sink)


# ---------------------------------------------------------------- the start


cdef inline double least_of_row(const double *row, const double *v, int32_t m) noexcept nogil:
    """The least of row[j] - v[j]; eight at a time, for one alone would wait for itself at every step."""
    cdef double[8] least
    cdef double x
    cdef int32_t j = 0, k
    for k in range(8):
        least[k] = INFINITY
    while j + 8 <= m:
        for k in range(8):
            x = row[j + k] - v[j + k]
            least[k] = x if x < least[k] else least[k]
        j += 8
    for k in range(m - j):
        x = row[j + k] - v[j + k]
        least[0] = x if x < least[0] else least[0]
    for k in range(1, 8):
        least[0] = least[k] if least[k] < least[0] else least[0]
    return least[0]


cdef inline void find_nearest(Simplex *s, int32_t i) noexcept nogil:
    """The sink with room that source i reaches most cheaply, counted from the prices of the sinks."""
    cdef const double *row = s.cost + <int64_t> i * s.m
    cdef const double *v = s.price + s.n
    cdef double least = least_of_row(row, v, s.m)
    cdef int32_t j = 0
    while j < s.m - 1 and row[j] - v[j] > least:
        j += 1
    s.nearest[i] = least
    s.where[i] = j
    s.work += s.m


cdef inline void start(Simplex *s, int64_t most) noexcept nogil:
    """A tree of cheap edges, with its flow, depths and prices; of any edges, once the work exceeds ``most``."""
    cdef int32_t n = s.n, m = s.m, i, j = 0, best = 0, left = n, node, other
    cdef int64_t amount
    cdef double *v = s.price + n      # of sinks that are filled up: out of reach
    cdef double least
    cdef const double *row = s.cost
    cdef Branch *tree = s.tree
    for j in range(m):
        v[j] = row[j]
    for _ in range(1, n):
        row += m
        for j in range(m):
            v[j] = row[j] if row[j] < v[j] else v[j]
    for i in range(n):
        find_nearest(s, i)
        s.price[i] = 0.0
    while True:
        if s.work > most:
            if not s.cut:             # from here on the first source and the first sink that have something left
                s.cut = True
                best = j = 0
            while s.mass[best] == 0:
                best += 1
            while s.mass[n + j] == 0:
                j += 1
        else:
            least = least_of_row(s.nearest, s.price, n)
            s.work += n
            best = 0
            while best < n - 1 and s.nearest[best] > least:
                best += 1
            j = s.where[best]
            if s.mass[n + j] == 0:    # filled up since it was found
                find_nearest(s, best)
                continue
        amount = s.mass[best] if s.mass[best] < s.mass[n + j] else s.mass[n + j]
        s.mass[best] -= amount
        s.mass[n + j] -= amount
        # what is used up now has no further edges: it hangs on what is left of the other
        node, other = (best, n + j) if s.mass[best] == 0 else (n + j, best)
        tree[node].parent = other
        tree[node].flow = amount
        tree[node].cost = s.cost[<int64_t> best * m + j]
        if node == best:
            left -= 1
            if left == 0:             # the last sink has all it wants as well: it is the root
                s.root = n + j
                break
            s.nearest[best] = INFINITY
        else:
            v[j] = -INFINITY
            if not s.cut:
                find_nearest(s, best)
    for node in range(n + m):
        tree[node].child = -1
    for node in range(n + m):
        if node != s.root:
            hang(tree, node, tree[node].parent)
    node = s.root
    tree[node].parent = tree[node].next = tree[node].previous = -1
    tree[node].depth = 0
    tree[node].flow = 0
    tree[node].cost = 0.0
    s.price[node] = 0.0
    node = tree[node].child
    while node >= 0:
        settle(s, node)
        node = tree[node].next


# ---------------------------------------------------------------- prices


cdef inline int improve(
    Simplex *s, double tolerance, int64_t steps, int64_t most, const uint8_t *cancel
) noexcept nogil:
    """Steps until no edge is better than the tolerance, so many are done, or the work exceeds ``most``."""
    cdef int32_t n = s.n, m = s.m, i, j, row = 0, best, rest = n
    cdef int32_t block = <int32_t> max(1, min(n, BLOCK // m))
    cdef int64_t asked = s.work
    cdef int status
    cdef double *v = s.price + n
    cdef double gain, least, wanted
    cdef const double *cost
    while rest > 0 and steps > 0:     # rest: rows to be looked at in vain before all have been
        if s.work > most:
            s.cut = True
            return FINE
        best = -1
        gain = -tolerance
        for _ in range(min(block, rest)):
            i = row
            row += 1
            if row == n:
                row = 0
            least = least_of_row(s.cost + <int64_t> i * m, v, m) - s.price[i]
            if least < gain:
                gain = least
                best = i
        s.work += <int64_t> block * m
        if best < 0:
            rest -= block
        else:
            cost = s.cost + <int64_t> best * m
            wanted = gain
            j = 0
            while j < m - 1 and cost[j] - v[j] - s.price[best] > wanted:
                j += 1
            pivot(s, best, n + j)
            rest = n
            steps -= 1
        if s.work - asked > PATIENCE:
            asked = s.work
            if (status := asked_to_stop(cancel)) != FINE:
                return status
    return FINE


cdef inline int simplex_solve(
    Simplex *s, const double *cost, const int64_t *supply, const int64_t *demand, int64_t most, const uint8_t *cancel
) noexcept nogil:
    """Find a cheapest flow, or with work beyond ``most`` some flow, which ``cut`` tells.

    Supply may have zeros, demand may not; both have the same sum, that :func:`simplex_fits` allows, and there is at
    least one source and one sink. ``cancel`` may be NULL. Returns FINE, CANCELLED or INTERRUPTED; after the
    latter two there is no flow.
    """
    cdef int32_t n = s.n, m = s.m, i, j
    cdef int64_t k
    cdef double largest = 0.0, x, tight
    s.cost = cost
    s.units = 2 * <int64_t> n + 1
    for i in range(n):
        s.mass[i] = supply[i] * s.units + 1
    for j in range(m):
        s.mass[n + j] = demand[j] * s.units
    s.mass[n + m - 1] += n
    for k in range(<int64_t> n * m):
        x = cost[k] if cost[k] >= 0 else -cost[k]
        largest = x if x > largest else largest
    s.work = 0
    s.cut = False
    start(s, most)
    tight = largest / (<int64_t> 1 << 47)       # a difference that counts as none
    # how far a price can be off: half an ulp a step, of numbers of this size, over at most n + m steps from the root
    cdef int status = improve(s, max(tight, largest / (<int64_t> 1 << 51) * (n + m)), <int64_t> 1 << 62, most, cancel)
    if status == FINE and not s.cut:
        status = improve(s, tight, 4 * (<int64_t> n + m), s.work + min(most, <int64_t> 1 << 61), cancel)
        s.cut = False                 # what may be left to gain are roundings
    return status


cdef inline int64_t simplex_flow(const Simplex *s, int32_t node, int32_t *source, int32_t *sink) noexcept nogil:
    """What moves over the edge above a node, and its ends; 0 for the root, and perhaps for others."""
    cdef int32_t parent = s.tree[node].parent
    if parent < 0:
        source[0] = sink[0] = 0
        return 0
    source[0] = node if node < s.n else parent
    sink[0] = (parent if node < s.n else node) - s.n
    return (s.tree[node].flow + s.n) // s.units


cdef inline double simplex_cost(const Simplex *s) noexcept nogil:
    """Sum of flow times cost, over the nodes."""
    cdef int32_t node, i, j
    cdef double total = 0.0
    for node in range(s.n + s.m):
        total += simplex_flow(s, node, &i, &j) * s.tree[node].cost
    return total
