# cython: language_level=3
"""AnCast's alignment and its scores, for lists of graph pairs.

A pair of graphs goes through four stages:

*similarity*  S[t, g] of every node of the prediction (t) with every gold node (g), from names, senses, attributes
              (``match.pxd``);
*rounds*      anchors are broadcast to neighbours until nothing changes (``broadcast.pxd``), which gives F[t, g]; pairs
              that are each other's best become the next anchors (``match.pxd``); until no new one appears;
*rest*        what is left is matched greedily by F (``match.pxd``);
*scores*      numerators and denominators of each score, from either graph's point of view (``relations.pxd``).

Equal graphs are matched node by node instead, and pairs whose tables would take too much memory by colours
(``coarse.pxd``).

F is rounded to four decimals by definition and stored as a whole number of ten-thousandths, so ties are exact.
"""

from libc.stdint cimport int32_t, int64_t, uint8_t
from libc.string cimport memset

from fastmatch._ext.anchors.broadcast cimport ANCAST_PANEL, LINES, ancast_leaf_row, broadcast, count_rows, measure
from fastmatch._ext.anchors.coarse cimport coarse_bytes, equal_graphs, match_coarsely
from fastmatch._ext.anchors.graphs cimport AncastGraphs
from fastmatch._ext.anchors.layout cimport (
    G_FIRST, G_FOLD, G_INNER, G_NODES, G_ORDER, G_SIZE, H_LEAF_GROUPS, H_ROOT, I_GROUP, I_ORDER, I_SIZE, NODE_ROWS,
    O_CANDIDATES, O_GROUPS, O_INNER, O_NODES, O_PAIRS, O_ROLE_SETS, O_VARIABLES, PAIR_ROWS, WORD_ROWS,
)
from fastmatch._ext.anchors.match cimport (
    choose_anchors, compare_nodes, first_anchors, list_anchors, log_match, match_rest,
)
from fastmatch._ext.anchors.pair cimport (
    CONCEPT_MATCHED, CONCEPT_TOTAL, RELATION_TOTAL, SIDE_STATISTICS, SMATCH_MATCHED, SMATCH_TOTAL, Options, Scratch,
    Spread, Tally, View,
)
from fastmatch._ext.anchors.relations cimport count_relations
from fastmatch._ext.base.arena cimport Arena, arena_free, arena_init, arena_reserve, doubles, ints, take
from fastmatch._ext.base.pairs cimport check_cancel, check_mapping, check_pairs, check_room
from fastmatch._ext.base.status cimport FINE, NO_MEMORY, raise_status


cdef inline const int32_t *part(const int32_t[:, ::1] rows, Py_ssize_t row, int64_t start) noexcept nogil:
    """Column ``start`` of a row, or NULL where the table has no such column."""
    if start >= rows.shape[1]:
        return NULL
    return &rows[row, start]


cdef inline const int32_t *stretch(const int32_t[::1] values) noexcept nogil:
    """The first number, or NULL if there is none."""
    return &values[0] if values.shape[0] else NULL


cdef inline int32_t root_of(const View *view, bint tool) noexcept nogil:
    """The node on top, -1 if there is none; for the tool the first node."""
    if tool:
        return 0 if view.n else -1
    return view.root


cdef void view_graph(View *view, AncastGraphs graphs, Py_ssize_t g) noexcept nogil:
    """Point the view to the parts of the tables that belong to graph g."""
    cdef int64_t node = graphs.offsets[O_NODES, g], pair = graphs.offsets[O_PAIRS, g]
    cdef int64_t inner = graphs.offsets[O_INNER, g], group = graphs.offsets[O_GROUPS, g]
    cdef int64_t role_set = graphs.offsets[O_ROLE_SETS, g], candidate = graphs.offsets[O_CANDIDATES, g]
    cdef int row
    view.n = <int32_t> (graphs.offsets[O_NODES, g + 1] - node)
    view.n_pairs = <int32_t> (graphs.offsets[O_PAIRS, g + 1] - pair)
    view.n_role_sets = <int32_t> (graphs.offsets[O_ROLE_SETS, g + 1] - role_set)
    view.n_candidates = <int32_t> (graphs.offsets[O_CANDIDATES, g + 1] - candidate)
    view.root = graphs.heads[H_ROOT, g]
    for row in range(NODE_ROWS):
        (&view.variable)[row] = part(graphs.nodes, row, node)
    for row in range(WORD_ROWS):
        (&view.word_id)[row] = &graphs.words[row, 0] if graphs.words.shape[1] else NULL
    for row in range(PAIR_ROWS):
        (&view.predicate)[row] = part(graphs.pairs, row, pair)
    view.text = &graphs.text[0] if graphs.text.shape[0] else NULL
    view.attribute_start = &graphs.attribute_start[node]
    view.attribute_label, view.attribute_value = part(graphs.attributes, 0, 0), part(graphs.attributes, 1, 0)
    view.candidate_name = part(graphs.candidates, 0, candidate)
    view.candidate_node = part(graphs.candidates, 1, candidate)
    view.role_start = &graphs.role_start[role_set]
    view.role = &graphs.roles[0] if graphs.roles.shape[0] else NULL
    view.inner_group = part(graphs.inner, I_GROUP, inner)
    view.out.n = <int32_t> (graphs.offsets[O_INNER, g + 1] - inner)
    view.out.size, view.out.order = part(graphs.inner, I_SIZE, inner), part(graphs.inner, I_ORDER, inner)
    view.out.start, view.out.start_two = &graphs.out_start[inner], &graphs.out_start_two[inner]
    view.out.part, view.out.part_two = stretch(graphs.out_groups), stretch(graphs.out_groups_two)
    view.leaf_groups = graphs.heads[H_LEAF_GROUPS, g]
    view.group_nodes = part(graphs.groups, G_NODES, group)
    view.group_inner = part(graphs.groups, G_INNER, group)
    view.group_first = part(graphs.groups, G_FIRST, group)
    view.group_fold = part(graphs.groups, G_FOLD, group)
    view.into.n = <int32_t> (graphs.offsets[O_GROUPS, g + 1] - group)
    view.into.size, view.into.order = part(graphs.groups, G_SIZE, group), part(graphs.groups, G_ORDER, group)
    view.into.start, view.into.start_two = &graphs.in_start[group], &graphs.in_start_two[group]
    view.into.part, view.into.part_two = stretch(graphs.in_inner), stretch(graphs.in_inner_two)
    view.label_start = &graphs.label_start[pair]
    view.labels = stretch(graphs.labels)
    view.sorted_label, view.sorted_node = part(graphs.by_label, 0, node), part(graphs.by_label, 1, node)


cdef size_t count_aligned(const View *t, const View *g) noexcept nogil:
    """Pairs of nodes that are aligned with the same tokens, but at least as many as t has nodes."""
    cdef size_t count = 0
    cdef int32_t i, j
    for i in range(t.n):
        if 0 < t.low[i] <= t.high[i]:
            for j in range(g.n):
                count += t.low[i] == g.low[j] and t.high[i] == g.high[j]
    return max(count, <size_t> t.n)


cdef void lay_out_match(Arena *room, Scratch *scratch, const View *t, const View *g) noexcept nogil:
    """Set the arrays that every pair needs: a first call, for an arena without memory, counts their bytes."""
    cdef size_t labels = max(t.label_start[t.n_pairs] - t.label_start[0], g.label_start[g.n_pairs] - g.label_start[0])
    scratch.row, scratch.column = ints(room, t.n), ints(room, g.n)
    scratch.found = <uint8_t *> take(room, labels + 1)         # so there is an array to clear where there are no labels


cdef void lay_out_tables(
    Arena *room, Scratch *scratch, const View *t, const View *g, const Options *options
) noexcept nogil:
    """Set the arrays that the rounds and the rest need, in the same way."""
    cdef size_t cells = <size_t> t.n * g.n, inner = <size_t> t.out.n * g.out.n, groups = <size_t> t.into.n * g.into.n
    cdef size_t anchors = count_aligned(t, g) if options.alignment else t.n
    cdef size_t leaves = ancast_leaf_row(t.into.n, t.leaf_groups, g.into.n, g.leaf_groups)
    cdef size_t line = max(g.out.n, g.into.n)
    cdef Spread *spread = &scratch.spread
    scratch.similarity = doubles(room, cells)
    scratch.common = ints(room, <size_t> t.n_role_sets * g.n_role_sets)
    scratch.row_choice, scratch.row_most, scratch.next = ints(room, t.n), ints(room, t.n), ints(room, t.n)
    scratch.column_choice, scratch.column_ties = ints(room, g.n), ints(room, g.n)
    scratch.column_most, scratch.place = ints(room, g.n), ints(room, g.n)
    scratch.anchor_start, scratch.anchor = ints(room, t.n + 1), ints(room, anchors)
    spread.value, spread.before = doubles(room, inner), doubles(room, inner)
    spread.leaf, spread.leaf_before = doubles(room, leaves), doubles(room, leaves)
    # B is used in the steps of a broadcast only, F behind them
    spread.sums = doubles(room, max(groups, (cells + 1) // 2))
    scratch.final = <int32_t *> spread.sums
    spread.received = doubles(room, ANCAST_PANEL * <size_t> g.into.n)
    spread.lines = doubles(room, LINES * line)
    spread.panel, spread.folded = doubles(room, ANCAST_PANEL * line), doubles(room, ANCAST_PANEL * line)
    scratch.counts = doubles(room, g.into.n)
    spread.g_nodes, spread.g_inner = doubles(room, g.into.n), doubles(room, g.into.n)
    spread.ratio_out = doubles(room, count_rows(&t.out, options.hops) * g.out.n)
    spread.ratio_in = doubles(room, count_rows(&t.into, options.hops) * g.into.n)
    spread.size_out, spread.size_in = ints(room, t.out.n), ints(room, t.into.n)
    spread.pins_start, spread.pins = ints(room, t.out.n + 2), ints(room, anchors)
    spread.leaf_start, spread.leaves = ints(room, t.into.n + 2), ints(room, anchors)
    spread.alone = <uint8_t *> take(room, anchors)
    scratch.joined, scratch.line = doubles(room, <size_t> g.out.n + g.into.n), doubles(room, g.n)
    scratch.open_row, scratch.open_column = ints(room, t.n), ints(room, g.n)
    scratch.best = ints(room, t.n)


cdef enum Way:
    # how a pair is matched
    NODE_BY_NODE        # the graphs are equal
    COARSELY            # tables would take too much memory
    BY_ANCHORS


cdef int reserve(
    Arena *arena, Scratch *scratch, const View *t, const View *g, const Options *options, Way *way
) noexcept nogil:
    """Choose how a pair is matched and make room for the scratch memory: FINE or NO_MEMORY."""
    cdef Arena counted
    arena_init(&counted)
    lay_out_match(&counted, scratch, t, g)
    if not options.tool and equal_graphs(t, g, options.alignment):
        way[0] = NODE_BY_NODE
    else:
        lay_out_tables(&counted, scratch, t, g, options)
        way[0] = BY_ANCHORS
        if counted.used > options.memory:
            way[0] = COARSELY
            counted.used = 0
            lay_out_match(&counted, scratch, t, g)
            counted.used += coarse_bytes(t, g)
    if arena_reserve(arena, counted.used) < 0:
        return NO_MEMORY
    lay_out_match(arena, scratch, t, g)
    if way[0] == BY_ANCHORS:
        lay_out_tables(arena, scratch, t, g, options)
    else:
        scratch.similarity = NULL
    return FINE


# Scores ---------------------------------------------------------------------------------------------------------------


cdef void log_all(
    const View *t, const View *g, const Options *options, const Scratch *scratch, Tally *tally
) noexcept nogil:
    """Add the match so far to the tallies of t and of g; the two differ in nothing but the tool's first anchors."""
    cdef int32_t i, j
    for i in range(t.n):
        if scratch.row[i] >= 0:
            log_match(t, g, options, scratch, i, scratch.row[i], &tally[0])
            if scratch.column[scratch.row[i]] == i:
                log_match(t, g, options, scratch, i, scratch.row[i], &tally[1])
    for j in range(g.n):
        i = scratch.column[j]
        if i >= 0 and scratch.row[i] != j:
            log_match(t, g, options, scratch, i, j, &tally[1])


cdef int match_by_anchors(
    const View *t, const View *g, const Options *options, Scratch *scratch, Tally *tally, const uint8_t *cancel
) noexcept nogil:
    """Match a pair as AnCast does, into ``scratch``. FINE, CANCELLED or INTERRUPTED.

    ``tally`` counts what is matched, and with ``tool`` what was matched for some rounds as well.
    """
    cdef int32_t number
    cdef int status
    memset(scratch.common, 0xff, <size_t> t.n_role_sets * g.n_role_sets * sizeof(int32_t))
    compare_nodes(t, g, options, scratch)
    first_anchors(t, g, options, scratch)
    log_all(t, g, options, scratch, tally)
    if t.n == 0 or g.n == 0:
        return FINE
    measure(t, g, options, scratch)
    for number in range(options.rounds):
        if (status := broadcast(t, g, options, scratch, number, cancel)) != FINE:
            return status
        if not choose_anchors(t, g, options, scratch, tally):
            break
        if scratch.spent > (options.work if number + 1 >= options.free_rounds else options.ceiling):
            scratch.settled = False
            break
        list_anchors(t, scratch)
    else:
        if not options.tool:    # the tool's limit of rounds is a rule of the tool
            scratch.settled = False
    return match_rest(t, g, options, scratch, tally, cancel)


cdef int score_pair(
    Arena *arena, const View *t, const View *g, const Options *options, const uint8_t *cancel, double *out,
    Scratch *scratch,
) noexcept nogil:
    """All statistics of a pair into ``out``, [2 * SIDE_STATISTICS]; the match into ``scratch``.

    FINE, NO_MEMORY, CANCELLED or INTERRUPTED; ``out`` is set only by FINE.
    """
    cdef int32_t i
    cdef int64_t hits
    cdef int status
    cdef bint top
    cdef int32_t t_root = root_of(t, options.tool), g_root = root_of(g, options.tool)
    cdef Tally tally[2]     # of t, of g
    cdef Way way
    cdef double *gold = out + SIDE_STATISTICS
    if reserve(arena, scratch, t, g, options, &way) < 0:
        return NO_MEMORY
    memset(tally, 0, sizeof(tally))
    scratch.spent, scratch.settled = 0, way != COARSELY
    if way == NODE_BY_NODE:
        for i in range(t.n):
            scratch.row[i] = scratch.column[i] = i
        status = FINE
    elif way == COARSELY:
        status = match_coarsely(arena, t, g, t_root, g_root, scratch.row, scratch.column, cancel)
    else:
        status = match_by_anchors(t, g, options, scratch, tally, cancel)
    if status != FINE:
        return status
    if not options.tool or way == COARSELY:     # pairs that were matched for some rounds only do not count
        memset(tally, 0, sizeof(tally))
        log_all(t, g, options, scratch, tally)
    out[CONCEPT_MATCHED], gold[CONCEPT_MATCHED] = tally[0].matched, tally[1].matched
    out[CONCEPT_TOTAL], gold[CONCEPT_TOTAL] = tally[0].count, tally[1].count
    for i in range(t.n):
        out[CONCEPT_TOTAL] += scratch.row[i] < 0
    for i in range(g.n):
        gold[CONCEPT_TOTAL] += scratch.column[i] < 0
    hits = count_relations(t, g, t, scratch.row, options, scratch.similarity, scratch.found, True, g.n, out)
    gold[SMATCH_MATCHED] = tally[1].identical + hits
    hits = count_relations(g, t, t, scratch.column, options, scratch.similarity, scratch.found, False, g.n, gold)
    out[SMATCH_MATCHED] = tally[0].identical + hits
    out[SMATCH_TOTAL] = out[CONCEPT_TOTAL] + out[RELATION_TOTAL]
    gold[SMATCH_TOTAL] = gold[CONCEPT_TOTAL] + gold[RELATION_TOTAL]
    if options.top:
        # a graph may have no root
        top = t_root >= 0 and g_root >= 0 and scratch.row[t_root] == g_root
        out[SMATCH_MATCHED] += top
        gold[SMATCH_MATCHED] += top
        out[SMATCH_TOTAL] += t_root >= 0
        gold[SMATCH_TOTAL] += g_root >= 0
    return FINE


def score_ancast(
    AncastGraphs a not None,
    AncastGraphs b not None,
    pairs not None,
    *,
    double[:, ::1] out not None,
    uint8_t[::1] settled not None,
    const int64_t[::1] mapping_offsets=None,
    int32_t[::1] mapping=None,
    **options,
):
    """AnCast's statistics of pairs ``start`` … ``stop - 1``.

    Parameters
    ----------
    a, b : AncastGraphs
        The graphs of predictions and of gold graphs, prepared with the same options and vocabulary.
    pairs : PairRange
        The pairs to score, of graphs of the two corpora.
    out : float64, shape (18, n_pairs)
        Output. For the prediction, then for the gold graph: concepts matched, in all; relations matched with labels,
        without, in all; weighted ones matched, in all; triples matched as in Smatch, in all.
    settled : uint8, shape (n_pairs,)
        Output. 1 where every broadcast ended because no value changed any more and no new anchor was found, and for
        equal graphs; 0 where ``work`` or ``ceiling`` ended it, or without ``tool`` the limit of steps or of rounds, and
        where a pair was matched coarsely.
    mapping_offsets, mapping : int64, shape (n_pairs + 1,), and int32, optional
        mapping[mapping_offsets[k] + i] becomes the variable of b that variable i of a is mapped to in pair k, or -1.
    options
        All of the following.
    alpha, beta : float in [0, 100]
        Biases of equation 13.
    gamma : float
        The sense coefficient of equation 1.
    neighbours : float in [0, 100]
        Weight of what nodes receive from their neighbours; the package's Cneighbor.
    tolerance, relative : float
        The broadcast ends when no value changed by more than tolerance + relative · value.
    iterations, rounds : int >= 1
        Most steps of a broadcast, most broadcasts.
    work : int >= 0
        Work that a pair may take, counted as ``broadcast.pxd`` says. Where the next step would exceed it the broadcast
        ends, and where it is used up no other one follows.
    free_steps, free_rounds : int >= 0
        So many steps of each of so many rounds are taken whatever the work; the first round always takes place.
    ceiling : int >= 0
        Work beyond which no step and no round is free.
    memory : int >= 0
        Bytes that the tables of a pair may take. What would take more is matched by ``coarse.pxd``.
    intrinsic : bool
        Relations are worth the similarity of their ends (equation 17), else that of the names.
    inner_weight : bool
        Weights are sqrt(d1 · d2 + 1) (equation 24), else sqrt(d1 · d2) + 1.
    overlap : bool
        Ties among what is matched last go by the number of common roles, else by Jaccard's index.
    top : bool
        AnCast's variant of Smatch has a triple for the root.
    alignment : bool
        The first anchors are the nodes that are aligned with the same tokens, else those of the same name.
    hops : bool
        The graphs were prepared with one and two steps told apart. Sums are then not weighted by the numbers of
        neighbours.
    tool : bool
        As the published tool: concepts that lost their partner count twice, ties won by node 0 are lost, a constant and
        a variable of one name are one, weights of gold relations come from the prediction, node 0 is the root.

    Raises
    ------
    IndexError, ValueError
        If an index, a length or an option does not fit.
    MemoryError
        If a pair does not fit in memory.

    Notes
    -----
    A step of the broadcast is O(c · c' + d · d') for c inner nodes and d groups of a, c' and d' of b (see
    ``broadcast.pxd``). All else is O(n_a · n_b) as a rule.
    """
    cdef const int32_t[::1] index_a = pairs[0], index_b = pairs[1]
    cdef Py_ssize_t start = pairs[2], stop = pairs[3]
    cdef const uint8_t[::1] cancel = pairs[4]
    cdef Py_ssize_t k = -1, r
    cdef int32_t i, j
    cdef int64_t at
    cdef int status = FINE
    cdef double row[2 * SIDE_STATISTICS]
    cdef View t, g
    cdef Arena arena
    cdef Scratch scratch
    cdef Options given = options
    check_pairs(index_a, index_b, start, stop, a.n_graphs, b.n_graphs, out.shape[1])
    check_cancel(cancel)
    check_mapping(mapping_offsets, mapping, index_a.shape[0])
    for k in range(start, stop):
        check_room(
            mapping_offsets, mapping, k, a.offsets[O_VARIABLES, index_a[k] + 1] - a.offsets[O_VARIABLES, index_a[k]]
        )
    if out.shape[0] != 2 * SIDE_STATISTICS or settled.shape[0] != out.shape[1]:
        raise ValueError(f"the outputs must have {2 * SIDE_STATISTICS} rows and one, and a column a pair")
    if min(given.iterations, given.rounds) < 1 or min(given.free_steps, given.free_rounds) < 0 \
            or min(given.work, given.ceiling) < 0:
        raise ValueError("iterations and rounds must be at least 1, the work and what is free at least 0")
    if not 0 <= given.alpha <= 100 or not 0 <= given.beta <= 100 or not 0 <= given.neighbours <= 100:
        raise ValueError("biases and weights must be in [0, 100]")
    if given.tool and (a.by_label.shape[1] != a.nodes.shape[1] or b.by_label.shape[1] != b.nodes.shape[1]):
        raise ValueError("the graphs were not prepared for the tool's way of scoring")
    arena_init(&arena)
    with nogil:
        for k in range(start, stop):
            if cancel[0]:
                break
            view_graph(&t, a, index_a[k])
            view_graph(&g, b, index_b[k])
            if (status := score_pair(&arena, &t, &g, &given, &cancel[0], row, &scratch)) != FINE:
                break
            for r in range(2 * SIDE_STATISTICS):
                out[r, k] = row[r]
            settled[k] = scratch.settled
            if mapping_offsets is not None:
                for at in range(mapping_offsets[k], mapping_offsets[k + 1]):
                    mapping[at] = -1
                for i in range(t.n):
                    j = scratch.row[i]
                    if j >= 0:
                        mapping[mapping_offsets[k] + t.variable[i]] = g.variable[j]
    arena_free(&arena)
    raise_status(status, f"aligning pair {k} does not fit in memory")
