"""The optimum of a matching problem with a proof, by branch and bound.

Candidates, gains and halves are defined at the top of problem.pyx. A *node* of the search is a matching problem with
some candidates removed. *Rounds* of the relaxation (relaxation.pyx) lower the node's upper bound. The assignment of
each round, improved by local search, may raise the best value known. The node is *closed* when no map in it can be
better than the best one known. If gains are whole numbers, a bound below ``best + 1`` closes it, and nearly every pair
of sentences is closed after a round or two. If gains are real numbers, a smaller *step* takes the place of 1, and the
result is within that step of the optimum.

While a node is open, these steps close it or make it smaller:

* Shrinking. A candidate is dropped if the bound less its reduced cost in the assignment is below ``best + 1``, for it
  cannot be in a better map. When a quarter of the candidates are dropped, the problem is built anew.
* Core search. From time to time the *core*, the few candidates that recent rounds chose, is searched on its own. A
  better map found there raises the best value.
* Probing. When the rounds no longer lower the bound enough, the candidates on which they disagreed are tried with and
  without. If one of the two trials is closed, the other is certain.
* Splitting. If no candidate is decided so, the node is split in two parts: one with a candidate and one without it.

Graphs whose variables look alike are searched in another way. If the first round leaves a wide gap, and the relations
of the first graph make a forest, prices of variables lower the bound (forest.pyx). Else, if the first rounds do not
lower the bound of the whole problem, dual ascent (ascent.pyx) takes their place until it does not get on any more. And
if the gap is wide when a certain amount of work is done, the best map is annealed (local_search.pyx).

Large nodes, of documents, have most rounds on a core of candidates with small reduced costs: the others can be in no
map that is nearly as good as the bound. When steps have got shorter, cuts (cuts.pyx) lower the bound below what the
relaxation alone could reach. If too many candidates are left even so, only a part is handed over, in which a better map
is likely; it proves nothing.

Documents of thousands of variables have up to millions of candidates. Their first rounds see few of these; see
wide.pyx. Where nothing but relations tells so many variables apart, a map is annealed first, and a forest is searched
by prices, as a smaller one is. Smaller graphs that share little, as their first round shows, are searched so, too.

Where a node is still open when the rounds no longer help, its bound is mostly a triple or two above the best map. If
branching does not close such a node soon, it hardly ever does, while a few linear programs do so at once, or a
cutting-plane method in seconds. If the caller has such methods, the node is handed over to them. It holds only the
candidates that a better map could use: one in six for a document of 500 variables.

If a limit of work or time leaves nodes open, the largest of their bounds is the upper bound of the result.
"""

from libc.math cimport INFINITY
from libc.stdint cimport int32_t, int64_t, uint8_t, uint32_t
from libc.stdlib cimport calloc, free
from libc.string cimport memcpy, memset

from fastmatch._ext.base.arena cimport PADDING, Arena, take, take_zeros
from fastmatch._ext.base.best cimport offer as offer_best, sort_best
from fastmatch._ext.base.status cimport FINE
from fastmatch._ext.matching.ascent cimport ascend, begin_ascent
from fastmatch._ext.matching.cuts cimport Cuts, cuts_init, separate
from fastmatch._ext.matching.forest cimport all_alike, forest_size, makes_forest, search_forest
from fastmatch._ext.matching.local_search cimport Selection, select, selection_init, selection_size
from fastmatch._ext.matching.problem cimport Problem, col_at, find_candidate, row_at, unlimited
from fastmatch._ext.matching.relaxation cimport (
    Relaxation, disagreement, find_core, gain_of, lay_cuts, lift_cuts, narrow_bound, relaxation_bound, relaxation_init,
    relaxation_step, relaxation_work, sort_by_col, use_cuts,
)
from fastmatch._ext.matching.solver cimport (
    FIRST, MAX_DEPTH, PROGRAMS_TO_HALVES, SPLITTABLE, Limits, Solver, aim, anneal_best, begin_search, end_search,
    go_on, hopeless, improve_choice, mark_kept, mark_reached, note_choice, offer, out_of_limits, search_core, seek,
    shrink, shrinkable, stuck,
)
from fastmatch._ext.matching.wide cimport search_wide

# Lengths (scale) of the relaxation's steps, tuned on joined documents of 70 to 500 variables.
cdef int PATIENCE = 20                # rounds without a better bound before steps get shorter; 10 left twice the gap
cdef double BETTER = 1e-3             # decrease that makes a bound better; with real gains, times a gap below 1
# The same for large nodes that may be handed over. They need the best bound, since it determines how many candidates
# are left.
cdef int PATIENCE_LARGE = 30
cdef double BETTER_LARGE = 3e-4
cdef double SHORTEST_LARGE = 0.002
# The same for small nodes with real gains: nearly twice as fast on pairs of sentences.
cdef int PATIENCE_FINE = 6
cdef int REVIEW_EVERY_FINE = 10       # their core is not searched, since local search runs in every round
cdef double SHORTER = 0.7             # factor by which steps get shorter
cdef double RESUMED = 0.1             # first length where the parent's split of weights is taken over
# When to shrink, search the core, or split.
cdef int SHRINK_EVERY = 5             # rounds
cdef int32_t SMALL = 2000             # candidates up to which local search runs in every round
# In problems of more than Limits.narrow candidates, only every WHOLE_EVERY-th round has all of them.
cdef int WHOLE_EVERY = 10
cdef int REVIEW_EVERY_NARROW = 60
# Large nodes are cut from steps of length CUT_SCALE on. Cuts are looked for every SEPARATE_EVERY rounds, a better map
# every SEEK_EVERY rounds. This ends when FEW_KEPT * Limits.narrow candidates could be in a better map, or steps are
# short.
cdef double CUT_SCALE = 0.3
cdef double SHORTEST_CUT = 0.01
cdef int PATIENCE_CUT = 100
cdef int SEPARATE_EVERY = 100
cdef int SEEK_EVERY = 300
cdef double FEW_KEPT = 0.6
# If too many are left, those of a reduced cost up to PARTIAL_COST are searched, or up to a half of it, a quarter, …,
# until they are no more than PARTIAL_TO. Of a document of 1,000 variables HiGHS took 7 s for 5,000 candidates, 29 s
# for 8,000, and had not ended after 6 minutes for 18,000. For 5,000 its maps were as good in four of five documents,
# and one triple below in the fifth.
cdef double PARTIAL_COST = 0.1
cdef double LEAST_COST = 1e-6         # not halved below this
cdef int32_t PARTIAL_TO = 5_000
cdef int REVIEW_EVERY = 20            # rounds from one review to the next; a review searches the core
# A review splits the node if it would need more than PROSPECT further reviews to close, steps are shorter than SHORT,
# and the gap is below SPLITTABLE, since a split lowers the bound by a fraction of a triple. If only the gap is too
# large, rounds go on with steps of length LENGTHENED. Rounds end when steps are shorter than SHORTEST.
cdef double PROSPECT = 10
cdef double SHORT = 0.2
cdef double LENGTHENED = 0.3
# Dual ascent takes the place of the first steps if they have hardly lowered the bound of the first round: at round
# TRIED by less than FALLEN, as a share of the gap, in problems of more than Limits.alike candidates.
cdef int TRIED = 5
cdef double FALLEN = 0.03
cdef double AFTER = 0.5               # length of the first steps after it
cdef double WORTH = 0.02              # share of the gap that four sweeps must close
cdef double SHORTEST = 0.003
# Nodes are large from LARGE_FROM candidates on. Those above HAND_OVER_TO and HAND_OVER_HALVES are too large for HiGHS's
# own search. Small nodes, and those of ordinary pairs, are handed over only if linear programs solve them soon.
cdef int32_t LARGE_FROM = 1000
cdef int32_t HAND_OVER_TO = 20_000
cdef int32_t HAND_OVER_HALVES = 14_000
# Graphs that share little, as the gap of the first round (a share of the bound) shows, are searched as wide ones are
# from Limits.narrow candidates on: of two random graphs of 600 variables that finds 802 of at most 859 triples, and not
# 739 of 1004. Related documents have a gap of 9 % at most.
cdef double UNRELATED = 0.25
cdef enum:
    PROBES = 16                       # candidates tried with and without before a node is split
cdef int PROBE_ROUNDS = 20
# Candidates of a problem of which it is first tried to prove that its maps are worth too little, and the work of that.
cdef int32_t REFUTABLE = 2000
cdef int64_t REFUTING = 100_000
cdef double EXCLUDED = 0.75           # rounds go on if fewer than this share of the candidates is left
# Times the work of an ordinary pair that problems of more than Limits.wide candidates, and those of graphs that share
# little, may take, however near the bound is; and those of them in which nearly all variables look alike, where a visit
# takes twice as long; and visits of annealing for each of their candidates and halves.
cdef int64_t AT_LAST_WIDE = 10
cdef int64_t SYMMETRIC = 4
cdef int64_t ANNEALING = 2
cdef int32_t FEW = 400                # candidates up to which a node is split without probing


cdef double descend(Solver *s, int depth, const Relaxation *x, const uint8_t *keep, double scale,
                    int budget) noexcept nogil:
    """Search the part of node ``x`` with the candidates to keep; returns an upper bound on that part."""
    cdef Problem smaller
    cdef double *profit
    if depth + 1 >= MAX_DEPTH:
        s.stopped = True
        return x.upper
    if shrink(&s.problems[depth], x.problem, keep, x.profit, x.fixed, &smaller, &profit) != FINE:
        s.stopped = s.no_memory = True
        return x.upper
    s.work += x.problem.n_candidates + x.problem.n_halves
    # The node's bound holds for its part too, and is the lower one if the search of the part ends after a few rounds.
    return min(x.upper, search(s, depth + 1, &smaller, profit, scale, budget))


cdef void keep_with(const Problem *p, int32_t chosen, uint8_t *keep) noexcept nogil:
    """Unmark the candidates that choosing one rules out: the others of its row and of its column."""
    cdef int32_t c
    for c in range(p.n_candidates):
        if c != chosen and (row_at(p, c) == row_at(p, chosen) or col_at(p, c) == col_at(p, chosen)):
            keep[c] = 0


cdef inline bint has_rival(const Relaxation *x, int32_t c) noexcept nogil:
    """Whether another candidate has the row or column of ``c``; True before the first step.

    Columns are sorted, since :func:`settle` came before.
    """
    cdef const Problem *p = x.problem
    return (not x.warm or p.row_start[row_at(p, c) + 1] - p.row_start[row_at(p, c)] > 1
            or x.col_start[col_at(p, c) + 1] - x.col_start[col_at(p, c)] > 1)


cdef bint settle(Solver *s, Relaxation *x, Selection *selection) noexcept nogil:
    """Choose all candidates if no two share a row or column: gains are not negative, so this is the node's optimum."""
    cdef const Problem *p = x.problem
    cdef int32_t c, i
    if x.warm:
        sort_by_col(x)
    for c in range(p.n_candidates):
        if has_rival(x, c):
            return False
    for i in range(p.n_rows):
        x.matching.row_match[i] = p.row_start[i] if p.row_start[i] < p.row_start[i + 1] else -1
    select(selection, x.matching.row_match)
    offer(s, selection)
    return True


cdef double branch(Solver *s, int depth, const Relaxation *x, const double *presence, uint8_t *keep,
                   uint8_t *trial) noexcept nogil:
    """Probe the candidates of an open node, and split it if none is decided; returns the node's upper bound.

    The candidates on which the rounds disagreed most are tried with and without, a few rounds each. If one of the two
    trials is closed, the other is certain. If no candidate is decided so, the node is split on the one whose two parts
    have the lowest bounds.
    """
    cdef const Problem *p = x.problem
    cdef int32_t[PROBES] doubtful
    cdef double[PROBES] doubts
    cdef int32_t c, k, best = -1, decided = 0
    cdef Py_ssize_t n_doubtful = 0, probes = PROBES if p.n_candidates > FEW else 1
    cdef double doubt, with_it, without_it, least = INFINITY
    for c in range(p.n_candidates):
        if not has_rival(x, c):
            continue                  # choosing it rules out nothing, so there is nothing to decide
        # Disagreement about its edge-pairs (deflected subgradient) times disagreement about the candidate (presence).
        doubt = disagreement(x, c) * min(presence[c], 1.0 - presence[c])
        n_doubtful = offer_best(doubts, doubtful, n_doubtful, probes, doubt, c)
    sort_best(doubts, doubtful, n_doubtful)
    s.work += p.n_candidates + p.n_halves
    memset(keep, 1, <uint32_t> p.n_candidates)      # unsigned, as GCC warns of a size below 0
    if probes == 1 and n_doubtful:
        best = doubtful[0]
        n_doubtful = 0
    for k in range(n_doubtful):
        c = doubtful[k]
        if not keep[c]:
            continue
        memcpy(trial, keep, p.n_candidates)
        keep_with(p, c, trial)
        with_it = descend(s, depth, x, trial, RESUMED, PROBE_ROUNDS)
        if s.stopped:
            return x.upper
        if hopeless(s, with_it):
            keep[c] = 0
            decided += 1
            continue
        memcpy(trial, keep, p.n_candidates)
        trial[c] = 0
        without_it = descend(s, depth, x, trial, RESUMED, PROBE_ROUNDS)
        if s.stopped:
            return x.upper
        if hopeless(s, without_it):
            keep_with(p, c, keep)
            decided += 1
        elif max(with_it, without_it) + 0.1 * min(with_it, without_it) < least:
            least = max(with_it, without_it) + 0.1 * min(with_it, without_it)
            best = c
    if decided or best < 0:
        return descend(s, depth, x, keep, RESUMED, 0)
    memcpy(trial, keep, p.n_candidates)
    keep_with(p, best, trial)
    with_it = descend(s, depth, x, trial, RESUMED, 0)
    if s.stopped:
        return x.upper
    memset(keep, 1, p.n_candidates)
    keep[best] = 0
    # The bound of a part that was searched to its end is below any better map's value.
    return max(with_it, descend(s, depth, x, keep, RESUMED, 0))


cdef void take_hint(Solver *s, Relaxation *x, Selection *selection) noexcept nogil:
    """Offer the map that the search begins with, and what local search makes of it.

    Among millions of candidates that takes seconds. There, blocks improve what the first rounds choose.
    """
    cdef const Problem *p = x.problem
    cdef int32_t i
    for i in range(p.n_rows):
        x.matching.row_match[i] = find_candidate(p, i, s.hint[i]) if s.hint[i] >= 0 else -1
    select(selection, x.matching.row_match)
    offer(s, selection)
    s.work += p.n_candidates + p.n_halves
    if p.n_candidates <= s.limits.wide and not hopeless(s, x.upper):
        improve_choice(s, selection, NULL, 0)


cdef void mark_cheap(Solver *s, const Relaxation *x, uint8_t *keep) noexcept nogil:
    """Mark the candidates of the best map and those with small reduced costs, about PARTIAL_TO at most."""
    cdef const Problem *p = x.problem
    cdef double most = PARTIAL_COST
    cdef int32_t c, kept
    while True:
        kept = 0
        for c in range(p.n_candidates):
            keep[c] = x.matching.alpha[row_at(p, c)] + x.matching.beta[col_at(p, c)] - gain_of(x, c) < most
            kept += keep[c]
        s.work += p.n_candidates
        if kept <= PARTIAL_TO or most < LEAST_COST:
            break
        most *= 0.5
    if kept > PARTIAL_TO:             # where very many candidates are equal: the first of them
        kept = 0
        for c in range(p.n_candidates):
            kept += keep[c]
            keep[c] = keep[c] and kept <= PARTIAL_TO
    for c in range(p.n_candidates):
        if s.best[row_at(p, c)] == col_at(p, c):
            keep[c] = 1


cdef void hand_over_part(Solver *s, int depth, const Relaxation *x, uint8_t *keep) noexcept nogil:
    """Hand a part of node ``x`` over, in which a better map is likely. It proves nothing of the node."""
    cdef double *profit
    s.partial = True
    mark_cheap(s, x, keep)
    if shrink(&s.problems[depth], x.problem, keep, x.profit, x.fixed, &s.core, &profit) != FINE:
        s.no_memory = True


cdef void cut(Solver *s, int depth, Relaxation *x, Selection *selection, uint8_t *keep,
              uint8_t *trial) noexcept nogil:
    """Lower the bound of a large node by cuts (cuts.pyx), as long as that gets on, and mark what to search then.

    These are the candidates that could be in a better map. If they are too many to search, ``s.partial`` is set.
    """
    cdef const Problem *p = x.problem
    cdef Cuts cuts
    cdef double scale = CUT_SCALE, upper
    cdef int rounds = 0, stalled = 0
    cdef bint whole, agree = False
    if cuts_init(&s.cutting, &cuts, p) != FINE:
        s.stopped = s.no_memory = True
        return
    use_cuts(x, &cuts)
    while True:
        whole = agree or rounds % WHOLE_EVERY == 0
        rounds += 1
        upper = x.upper
        if whole:
            relaxation_bound(x, max(0, s.limits.work - s.work))
            find_core(x)
        else:
            narrow_bound(x, s.limits.work - s.work)
        s.work += relaxation_work(x) + x.n_core
        s.watch.bound = min(s.watch.bound, x.upper)
        if x.bound == INFINITY:
            s.stopped = True
            break
        if whole:
            go_on(s, x.upper)
            if hopeless(s, x.upper) or out_of_limits(s):
                break
            if x.upper < upper - BETTER_LARGE:
                stalled = 0
            else:
                stalled += WHOLE_EVERY
                if stalled >= PATIENCE_CUT:
                    scale *= SHORTER
                    stalled = 0
            if agree:
                # The choice is worth the bound, as in search().
                select(selection, x.matching.row_match)
                offer(s, selection)
                break
            if scale < SHORTEST_CUT or (rounds > SEPARATE_EVERY and mark_kept(s, x, keep) < FEW_KEPT * s.limits.narrow):
                break
        if rounds % SEPARATE_EVERY == 0:
            select(selection, x.matching.row_match)
            improve_choice(s, selection, x.core, x.n_core)
            if rounds % SEEK_EVERY == SEPARATE_EVERY:
                lift_cuts(x)
                search_core(s, depth, x, cuts.chosen, cuts.rounds, keep)
                lay_cuts(x)
            separate(&cuts, &s.work)
        agree = not relaxation_step(x, scale, aim(s))
    if not s.stopped and not hopeless(s, x.upper) and mark_reached(s, x, keep, trial, True) > min(
            s.limits.narrow, HAND_OVER_TO):
        s.partial = True
    lift_cuts(x)
    x.cuts = x.unary = NULL


cdef bint begin_root(Solver *s, Relaxation *x, Selection *selection, bint symmetric) noexcept nogil:
    """Begin with the map and the bound that are known of a whole problem, and limit its work.

    Returns whether that is all, as the bound is reached or the time is over.
    """
    cdef const Problem *p = x.problem
    x.upper = s.ceiling
    if s.hint != NULL:
        take_hint(s, x, selection)
        if s.limits.short and p.n_candidates <= s.limits.wide:
            # Too little is left for other ways to a map. Visits of annealing take half the time of others.
            anneal_best(s, max(s.limits.work // 4, s.limits.ordinary // 6))
        if hopeless(s, x.upper) or s.watch.over:
            return True
    if p.n_candidates > s.limits.wide and not unlimited(s.limits.ordinary):
        s.limits.most = min(s.limits.most, AT_LAST_WIDE * s.limits.ordinary)
        if symmetric:
            s.limits.work = s.limits.nearer = min(s.limits.work, SYMMETRIC * s.limits.ordinary)
    return False


cdef double finish(Solver *s, int depth, Relaxation *x, Selection *selection, const double *presence, uint8_t *keep,
                   uint8_t *trial, int budget, bint large, bint narrow) noexcept nogil:
    """Close a node that rounds no longer help: by cuts, a smaller problem, or branching; or hand it over.

    Parameters and result are those of :func:`search`; ``large`` and ``narrow`` say in which way its rounds went.
    """
    cdef const Problem *p = x.problem
    cdef double upper
    cdef int64_t work, branching
    cdef bint few, split
    if settle(s, x, selection):
        return selection.value
    if narrow and large:
        cut(s, depth, x, selection, keep, trial)
        if s.stopped or hopeless(s, x.upper):
            return x.upper
        if not s.partial:
            return descend(s, depth, x, keep, RESUMED, 0)
        s.stopped = s.handed_over = True
        hand_over_part(s, depth, x, keep)
        return x.upper
    if not budget and not narrow:
        if mark_reached(s, x, keep, trial, False) < EXCLUDED * p.n_candidates and not s.stopped:
            return min(x.upper, descend(s, depth, x, keep, RESUMED, 0))
        if s.stopped or hopeless(s, x.upper):
            return x.upper
    work, branching, split = s.limits.work, s.limits.branching, s.split
    s.split = True
    few = p.n_candidates <= (HAND_OVER_TO if large else s.limits.programs) and p.n_halves <= (
        HAND_OVER_HALVES if large else PROGRAMS_TO_HALVES)
    if branching < 0 or budget or not few or x.upper - s.lower >= SPLITTABLE * max(1.0, s.limits.step):
        if large and depth == 0 and s.work < work // 2 - s.limits.ordinary:
            s.limits.work = 2 * s.work + s.limits.ordinary      # branching on so much is of no avail, if not soon
        if not budget:
            s.limits.branching = -1   # a part of a node that is split says nothing of the other one
        upper = branch(s, depth, x, presence, keep, trial)
        s.limits.branching, s.split = branching, split
        return upper
    s.limits.work = min(work, s.work + branching)
    upper = branch(s, depth, x, presence, keep, trial)
    s.split = split
    if s.stopped and s.limits.work < s.work < work:
        s.handed_over = True
        if p.n_candidates <= s.limits.whole:
            s.core = p[0]
        else:
            hand_over_part(s, depth, x, keep)
    s.limits.work = work
    return min(x.upper, upper)


cdef double search(Solver *s, int depth, const Problem *p, const double *profit, double scale,
                   int budget) noexcept nogil:
    """Search one node.

    Parameters
    ----------
    profit : double[n_halves] or NULL
        The split of the weights to begin with; NULL for an even one.
    scale : double
        Length of the first steps.
    budget : int
        Rounds after which to return, without splitting the node; 0 to search it to the end.

    Returns
    -------
    An upper bound on the values of the node's maps that are better than the best one known. If there are none, it is
    below the value of any better map.
    """
    cdef Relaxation x
    cdef Selection selection
    cdef Arena *arena = &s.relaxations[depth]
    cdef double *presence
    cdef int rounds = 0, stalled = 0
    cdef double upper, reviewed = INFINITY, first = INFINITY
    cdef bint ascending = False, wide = False
    cdef bint whole, narrow = False, review
    cdef bint large = s.limits.large and not budget and p.n_candidates > min(LARGE_FROM, s.limits.narrow)
    cdef bint undivided = not (budget or s.split or s.aside)      # the node has all better maps of the pair
    # Its variables may look alike: the first rounds show it.
    cdef bint alike = depth == 0 and s.limits.alike < p.n_candidates
    cdef bint symmetric
    cdef int patience = PATIENCE_LARGE if large else PATIENCE
    cdef double better = BETTER_LARGE if large else BETTER
    cdef double shortest = SHORTEST_LARGE if large else SHORTEST
    cdef bint fine = s.limits.step < 1.0 and p.n_candidates <= FEW
    cdef int review_every = REVIEW_EVERY
    if fine:
        patience, review_every = PATIENCE_FINE, REVIEW_EVERY_FINE
    symmetric = depth == 0 and p.n_candidates > s.limits.wide and all_alike(p)
    cdef bint fixed = depth == 0 and p.n_candidates > s.limits.wide and not symmetric and p.weight == NULL
    cdef size_t extra = selection_size(p) + p.n_candidates * (2 + sizeof(double)) + 3 * PADDING
    if relaxation_init(arena, &x, p, &s.watch, extra + (forest_size(p) if depth == 0 else 0), fixed) != FINE:
        s.stopped = s.no_memory = True
        return INFINITY
    selection_init(arena, &selection, p)
    cdef uint8_t *keep = <uint8_t *> take(arena, p.n_candidates)
    cdef uint8_t *trial = <uint8_t *> take(arena, p.n_candidates)
    if depth == 0 and p.n_candidates > s.limits.wide:
        # Zeros that nobody writes to take no memory.
        free(s.presence)
        s.presence = <double *> calloc(p.n_candidates, sizeof(double))
        if s.presence == NULL:
            s.stopped = s.no_memory = True
            return INFINITY
        presence = s.presence
    else:
        presence = <double *> take_zeros(arena, p.n_candidates * sizeof(double))
    if profit != NULL:
        memcpy(x.profit, profit, p.n_halves * sizeof(double))
    if depth == 0:
        if begin_root(s, &x, &selection, symmetric):
            return x.upper
        wide = p.n_candidates > s.limits.wide and not (symmetric and makes_forest(arena, &x))
        if wide and symmetric:
            anneal_best(s, ANNEALING * (<int64_t> p.n_candidates + p.n_halves))
    while True:
        if wide:
            if search_wide(s, &x, &selection, keep, presence, &upper):
                return upper
            s.next_check, s.gap = 2 * s.work, INFINITY
            scale = CUT_SCALE
            wide, alike, narrow = False, False, large
            if large:
                review_every = REVIEW_EVERY_NARROW
                shortest = CUT_SCALE
        rounds += 1
        whole = not narrow or rounds % WHOLE_EVERY == 0
        if whole:
            upper = x.upper
            relaxation_bound(&x, max(FIRST if depth == 0 and rounds == 1 else 0, s.limits.work - s.work))
            if narrow:
                find_core(&x)
        else:
            narrow_bound(&x, s.limits.work - s.work)
        review = rounds % review_every == 0
        s.work += relaxation_work(&x) + (p.n_candidates if whole else x.n_core)
        if depth == 0:
            s.watch.bound = x.upper
        seek(s, min(upper, s.watch.bound))
        if x.bound == INFINITY:       # given up: a search with more work would not meet this choice
            if rounds == 1 and alike:
                search_forest(s, arena, &x, &selection)
            s.stopped = True
            return x.upper
        if p.n_candidates <= SMALL or rounds == 1 or review:
            select(&selection, x.matching.row_match)
            s.work += p.n_candidates + p.n_halves
            offer(s, &selection)
            if not hopeless(s, x.upper):
                improve_choice(s, &selection, x.core if narrow else NULL, x.n_core)
        if rounds == 1 and alike and search_forest(s, arena, &x, &selection):
            seek(s, x.upper)
            if not out_of_limits(s):
                scale = AFTER
                continue
        if undivided:
            go_on(s, x.upper)
        if hopeless(s, x.upper) or (budget and rounds >= budget) or out_of_limits(s):
            return x.upper
        if depth == 0 and s.work > s.next_check and stuck(s, x.upper):
            s.stopped = True
            return x.upper
        if rounds == 1:
            first = x.bound
            wide = depth == 0 and p.n_candidates > s.limits.narrow and x.upper - s.lower > UNRELATED * x.upper
            if wide:
                s.limits.nearer = s.limits.work       # a visit takes longer there
                if not unlimited(s.limits.ordinary):
                    s.limits.most = min(s.limits.most, AT_LAST_WIDE * s.limits.ordinary)
                continue
        elif rounds == TRIED and alike and x.bound > first - FALLEN * (first - s.lower):
            begin_ascent(&x, x.direction)
            ascending = True
        if ascending:
            # The work after which it pauses depends on no limit, as in seek().
            ascending = ascend(&x, x.direction, WORTH * (x.upper - s.lower),
                               min(s.work, max(0, s.next_annealing - s.work)), max(0, s.limits.work - s.work), &s.watch)
            scale = AFTER
            if s.watch.over:
                s.stopped = True
                return x.upper
            if ascending:
                continue
        if not whole:
            pass                      # no bound of the node
        elif x.upper < upper - better * (1.0 if s.limits.step >= 1.0 else min(1.0, x.upper - s.lower)):
            stalled = 0
        else:
            stalled += WHOLE_EVERY if narrow else 1
            if stalled >= patience:
                scale *= SHORTER
                stalled = 0
        note_choice(&x, whole, presence)
        if not narrow and p.n_candidates > s.limits.narrow and rounds == WHOLE_EVERY:
            narrow = True
            review_every = REVIEW_EVERY_NARROW
            if large:
                shortest = CUT_SCALE
            find_core(&x)
        if whole and rounds % SHRINK_EVERY == 0 and shrinkable(s, &x, keep):
            return descend(s, depth, &x, keep, scale, budget - rounds if budget else 0)
        if review and not budget:
            if not fine:
                search_core(s, depth, &x, presence, 1.0, keep)
            if not large and scale < SHORT and (reviewed - x.upper) * PROSPECT < x.upper - (s.lower + s.limits.step):
                if x.upper - s.lower < SPLITTABLE * max(1.0, s.limits.step):
                    break
                scale = LENGTHENED
            reviewed = x.upper
        if scale < shortest:
            break
        if not relaxation_step(&x, scale, aim(s)):
            # The local problems agree with the global one, so its map attains the bound: the node is solved.
            select(&selection, x.matching.row_match)
            offer(s, &selection)
            return x.upper
    return finish(s, depth, &x, &selection, presence, keep, trial, budget, large, narrow)


cdef int solve(Solver *s, const Problem *problem, int64_t work, double ceiling,
               const int32_t *hint) noexcept nogil:
    """Solve one problem: fills ``lower``, ``upper`` and ``best``.

    Parameters
    ----------
    s : Solver
        The caller has set ``limits`` and begun ``watch``. ``best`` is valid until the next call.
    work : int64
        What building the problem counts.
    ceiling : double
        An upper bound that is known already; infinite if none is.
    hint : int32[n_rows] or NULL
        A map to begin with: a column for each row, or -1.

    Returns
    -------
    FINE, also if a limit is reached, NO_MEMORY or INTERRUPTED.
    """
    cdef int status = begin_search(s, problem, work, ceiling, hint)
    if status != FINE:
        return status
    s.descend, s.search = descend, search
    return end_search(s, search(s, 0, problem, NULL, 1.0, 0))


cdef bint refuted(Solver *s, const Problem *problem, int64_t work, double ceiling, double least) noexcept nogil:
    """Whether it is soon proven that no map is worth ``least``. Says nothing of the best map; limits stay as they are.

    The parameters are those of solve(). What it finds otherwise is forgotten, so that solve() gives what it always
    gives.
    """
    cdef Limits limits = s.limits
    cdef double beside = least - s.limits.step, upper
    if ceiling < least - s.limits.step * 0.5:
        return True
    if problem.n_candidates > REFUTABLE or not 0 < beside < INFINITY:
        return False
    if begin_search(s, problem, work, ceiling, NULL) != FINE:
        return False                  # the ordinary search will say so
    s.limits.work = min(limits.work, work + REFUTING)
    s.limits.large, s.limits.branching = False, -1
    s.next_annealing = (<int64_t> 1) << 62
    s.lower = beside                  # as if a map were known that is just too little
    s.descend, s.search = descend, search
    upper = search(s, 0, problem, NULL, 1.0, 0)
    s.limits = limits
    return hopeless(s, upper) and s.lower == beside
