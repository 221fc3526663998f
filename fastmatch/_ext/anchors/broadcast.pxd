# cython: language_level=3
"""AnCast's broadcast: the nearer two nodes are to anchors, the higher their value.

The value of t's node u and g's node w comes from So, the sum of the values of all pairs of their out-neighbours, and
Si, that of their in-neighbours: sqrt((So + 1) (Si + 1) − 1), divided by the largest of all values (equations 5 to 9).
These are n · m values, and for each of them sums over two neighbourhoods. They are cheap because of the structure of
neighbourhoods that ``neighbours.pxd`` explains; *groups*, *inner nodes* and *leaves* are defined there.

Out-neighbourhoods consist of whole groups, so So is a sum over B, where B[k, l] is the sum of the values of all pairs
of group k and group l. In-neighbourhoods consist of inner nodes, so Si is a sum over X, the values of two inner nodes.
Si is the same for all pairs of two groups. Where either node is a leaf, So is 0 and the value is sqrt(Si): one number V
for all such pairs of two groups. So a step is, for c inner nodes and d groups of either graph (about 0.6 n each in
sentences),

    B → So     [c, c]: rows of B added up, then columns
    X → Si     [d, d]: rows of X added up, then columns; for a few groups at a time, which use it up at once
    Si → V     [d, d], Si, So → X  [c, c]: the square roots
    V, X → B   [d, d]: V times the number of pairs with a leaf, and the X of the inner nodes.

An anchor has a value of at least 1. The arithmetic is in ``spread.h``.

How many steps it takes until nothing changes depends on the graphs: as many as nodes in a chain, for values spread by
two nodes a step. So steps are counted by what they do. The *work* of a step is the numbers that it adds up and four for
each value that it computes, about 0.4 ns a unit; that of a round is 16 for each pair of nodes. A broadcast ends where
the next step would take the pair beyond ``options.work``, but not before its free steps, unless these would take it
beyond ``options.ceiling``. The count is the same on every machine, unlike time.
"""

from libc.stdint cimport int32_t, int64_t, uint8_t
from libc.string cimport memcpy, memset

from fastmatch._ext.anchors.pair cimport Hood, Options, Scratch, Spread, View
from fastmatch._ext.base.status cimport FINE, asked_to_stop


cdef extern from "hood.h":
    enum:
        ANCAST_PANEL
    int64_t ancast_leaf_row(int64_t i, int64_t t_leaf_groups, int64_t d_g, int64_t g_leaf_groups) noexcept nogil

cdef enum:
    LINES = ANCAST_PANEL + 3    # rows at work


cdef extern from "spread.h":
    void begin_spread(Spread *s) noexcept nogil
    bint spread(Spread *s) noexcept nogil
    int32_t weigh(
        const double *values, const int32_t *place, double largest, double scale, const double *similarity,
        double alpha, double beta, const int32_t *pins, int32_t n_pins, double *line, int32_t *final,
        int32_t *column_most, int64_t n
    ) noexcept nogil


cdef enum:
    # Number of values from which on every step asks whether it is to stop.
    MANY_CELLS = 20000
    # Work of a value of a step, and of a pair of nodes in what a round does beside its steps.
    VALUE_WORK = 4
    ROUND_WORK = 16


cdef inline int64_t count_rows(const Hood *t, bint hops) noexcept nogil:
    """Most rows that :func:`measure_sizes` fills: as many as there are numbers of neighbours, from 0 to the largest."""
    cdef int32_t i, most = 0
    if hops:
        return 1
    for i in range(t.n):
        most = max(most, t.size[i])
    return min(t.n, most + 1)


cdef inline void measure_sizes(
    const Hood *t, const Hood *g, bint hops, double *ratio, int32_t *size, int32_t *first
) noexcept nogil:
    """The smaller by the larger number of neighbours, for lists of t and of g; 0 if one of the numbers is 0.

    ``ratio``: [rows, lists of g], a row for each number of neighbours that t's lists have, and ``size`` the row of each
    list of t. If one step and two steps are told apart (``hops``) there is one row, and it is 1. ``first``: room for a
    number a row.
    """
    cdef int32_t i, j, k, rows = 0
    if hops:
        memset(size, 0, t.n * sizeof(int32_t))
        for j in range(g.n if t.n else 0):
            ratio[j] = 1
        return
    for i in range(t.n):
        k = 0
        while k < rows and t.size[first[k]] != t.size[i]:
            k += 1
        size[i] = k
        if k < rows:
            continue
        first[k] = i
        rows += 1
        for j in range(g.n):
            if t.size[i] == 0 or g.size[j] == 0:
                ratio[0] = 0
            else:
                ratio[0] = <double> min(t.size[i], g.size[j]) / <double> max(t.size[i], g.size[j])
            ratio += 1


cdef inline void measure(const View *t, const View *g, const Options *options, Scratch *scratch) noexcept nogil:
    """Set what all rounds have in common."""
    cdef int32_t j
    cdef Spread *s = &scratch.spread
    s.t_out, s.t_in, s.g_out, s.g_in = &t.out, &t.into, &g.out, &g.into
    s.t_leaf_groups, s.g_leaf_groups = t.leaf_groups, g.leaf_groups
    s.t_nodes, s.t_inner, s.t_first = t.group_nodes, t.group_inner, t.group_first
    s.g_inner_count, s.g_first, s.g_fold, s.g_group = g.group_inner, g.group_first, g.group_fold, g.inner_group
    s.hops = options.hops
    s.scale = options.neighbours if options.neighbours > 0 else 1
    s.tolerance, s.relative = options.tolerance, options.relative
    measure_sizes(&t.out, &g.out, options.hops, s.ratio_out, s.size_out, s.pins_start)
    measure_sizes(&t.into, &g.into, options.hops, s.ratio_in, s.size_in, s.leaf_start)
    for j in range(g.into.n):
        s.g_nodes[j] = g.group_nodes[j]
        s.g_inner[j] = g.group_inner[j]
        scratch.counts[j] = 0
    memset(s.lines, 0, LINES * max(g.into.n, g.out.n) * sizeof(double))
    for j in range(g.n):
        scratch.place[j] = g.inner[j] if g.inner[j] >= 0 else g.out.n + g.group[j]


cdef inline int64_t length(const Hood *hood) noexcept nogil:
    """Of all lists together."""
    return hood.start[hood.n] - hood.start[0] + hood.start_two[hood.n] - hood.start_two[0]


cdef inline int64_t step_work(const View *t, const View *g) noexcept nogil:
    """The work of one step: rows are added up along t's lists, then the columns of what that gives along g's."""
    return (
        VALUE_WORK * (<int64_t> t.out.n * g.out.n + <int64_t> t.into.n * g.into.n)
        + length(&t.out) * g.into.n + length(&g.out) * t.out.n
        + length(&t.into) * g.out.n + length(&g.into) * t.into.n
    )


cdef inline void sort_anchors(const View *t, const View *g, Scratch *scratch) noexcept nogil:
    """Sort the anchors: those of two inner nodes by the inner node of t, as inner nodes of g (``pins``), all others by
    the group of t, as groups of g (``leaves``).

    ``alone``: whether all pairs of the two groups in which either node is a leaf are anchors.
    """
    cdef int32_t i, j, k, at
    cdef int32_t *start = scratch.spread.pins_start
    cdef int32_t *leaf_start = scratch.spread.leaf_start
    memset(start, 0, (t.out.n + 2) * sizeof(int32_t))
    memset(leaf_start, 0, (t.into.n + 2) * sizeof(int32_t))
    for i in range(t.n):
        for at in range(scratch.anchor_start[i], scratch.anchor_start[i + 1]):
            if t.inner[i] >= 0 and g.inner[scratch.anchor[at]] >= 0:
                start[t.inner[i] + 2] += 1
            else:
                leaf_start[t.group[i] + 2] += 1
    for k in range(t.out.n):
        start[k + 2] += start[k + 1]
    for k in range(t.into.n):
        leaf_start[k + 2] += leaf_start[k + 1]
    for i in range(t.n):
        for at in range(scratch.anchor_start[i], scratch.anchor_start[i + 1]):
            j = scratch.anchor[at]
            if t.inner[i] >= 0 and g.inner[j] >= 0:
                k = t.inner[i] + 1
                scratch.spread.pins[start[k]] = g.inner[j]
                start[k] += 1
            else:
                k = t.group[i] + 1
                scratch.spread.leaves[leaf_start[k]] = g.group[j]
                leaf_start[k] += 1
    for k in range(t.into.n):
        for at in range(leaf_start[k], leaf_start[k + 1]):
            scratch.counts[scratch.spread.leaves[at]] += 1
        for at in range(leaf_start[k], leaf_start[k + 1]):
            j = scratch.spread.leaves[at]
            scratch.spread.alone[at] = scratch.counts[j] == (
                <int64_t> t.group_nodes[k] * g.group_nodes[j] - <int64_t> t.group_inner[k] * g.group_inner[j]
            )
        for at in range(leaf_start[k], leaf_start[k + 1]):
            scratch.counts[scratch.spread.leaves[at]] = 0


cdef inline int broadcast(
    const View *t, const View *g, const Options *options, Scratch *scratch, int32_t number, const uint8_t *cancel
) noexcept nogil:
    """Spread the anchors until the values no longer change (equations 5 to 9); then F (equation 13) and its maxima.

    ``number`` of the round, from 0. FINE, CANCELLED or INTERRUPTED; F is set only by FINE. ``scratch.spent`` grows by
    the work, and ``scratch.settled`` becomes False if the values still changed when the work was used up, or the steps
    that the paper sets no limit to.
    """
    cdef Spread *s = &scratch.spread
    cdef int32_t i, j, k, iteration, free = options.free_steps if number < options.free_rounds else 0
    cdef int status
    cdef int64_t work = step_work(t, g)
    cdef bint moving = options.neighbours > 0
    cdef const double *values
    cdef const int32_t *place
    cdef int64_t c_g = g.out.n, d_g = g.into.n
    cdef bint many = <int64_t> t.out.n * c_g + <int64_t> t.into.n * d_g > MANY_CELLS
    sort_anchors(t, g, scratch)
    begin_spread(s)
    scratch.spent += ROUND_WORK * <int64_t> t.n * g.n
    iteration = 0
    while moving and iteration < options.iterations:
        if scratch.spent + work > (options.work if iteration >= free else options.ceiling):
            scratch.settled = False
            break
        scratch.spent += work
        iteration += 1
        if many and (status := asked_to_stop(cancel)) != FINE:
            return status
        moving = spread(s)
    if moving and not options.tool:     # the tool's limit of steps is a rule of the tool
        scratch.settled = False
    for j in range(g.n):
        scratch.column_most[j] = -2147483647
    for i in range(t.n):
        k = scratch.anchor_start[i]
        values = s.leaf_before + ancast_leaf_row(t.group[i], t.leaf_groups, d_g, g.leaf_groups)
        place = g.group
        if t.inner[i] >= 0:
            memcpy(scratch.joined, s.before + t.inner[i] * c_g, c_g * sizeof(double))
            # the groups of g's leaves come first
            memcpy(scratch.joined + c_g, values, g.leaf_groups * sizeof(double))
            values = scratch.joined
            place = scratch.place
        scratch.row_most[i] = weigh(
            values, place, s.largest, s.scale, scratch.similarity + <int64_t> i * g.n, options.alpha, options.beta,
            scratch.anchor + k, scratch.anchor_start[i + 1] - k, scratch.line,
            scratch.final + <int64_t> i * g.n, scratch.column_most, g.n,
        )
    return FINE
