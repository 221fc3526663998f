"""The search of the whole problem of documents of thousands of variables, which has 500,000 candidates or more, and of
graphs that share little.

exact.pyx describes the search and defines its terms. There, some rounds have all candidates of a node. An assignment of
millions of candidates takes seconds, so here none has. Of documents that share little, such rounds even raise the bound
again, since the core that they leave for the rounds between them is too small. Sweeps of dual ascent (ascent.pyx) lower
the bound first, with prices from assignments of a core that grows by what exceeds its prices. Narrow rounds with this
core follow, and the searches for better maps see nothing else.

Better maps are found block by block (blocks.pyx), and by fusion (Hutschenreiter et al. 2021): another map is improved
in the same way, then a map is searched that has the best of both. Of two documents of 5,000 variables the best map rose
so from 7320 triples to 7415, 7440 and 7448 in three reviews.
"""

from libc.math cimport INFINITY
from libc.stdint cimport int32_t, int64_t, uint8_t, uint16_t
from libc.string cimport memcpy, memset

from fastmatch._ext.matching.ascent cimport ascend_by_prices, begin_ascent, first_prices
from fastmatch._ext.matching.blocks cimport search_blocks
from fastmatch._ext.matching.local_search cimport Selection, select
from fastmatch._ext.matching.problem cimport Problem, col_at, row_at, unlimited
from fastmatch._ext.matching.relaxation cimport (
    Relaxation, Slack, narrow_bound, raise_prices, relaxation_step, relaxation_work, settle_prices,
)
from fastmatch._ext.matching.solver cimport (
    Limits, Solver, aim, go_on, hopeless, improve_choice, note_choice, offer, out_of_limits, search_core, seek,
    shrinkable, stuck,
)

cdef int FIRST_SWEEPS = 4
cdef int PHASES = 4                   # of SWEEPS sweeps and an assignment each, at most
cdef int SWEEPS = 6
cdef int64_t SWEPT = 130_000_000      # candidates and halves that all sweeps look at, about: half of the work
# Of what is left of the work after the sweeps, so much is spent if there are more than FAR_FROM candidates: what a
# round or a block visits lies far apart in memory, and takes half as long again as what a sweep visits in order.
cdef double AFTER_SWEEPS = 0.7
cdef int32_t FAR_FROM = 500_000
cdef int SETTLE_EVERY = 10            # rounds
cdef int IMPROVE_EVERY = 30
# Better maps are looked for after FIRST_REVIEW rounds, then every REVIEW_EVERY rounds, and after each review that found
# none, after twice as many as before it.
cdef int FIRST_REVIEW = 150
cdef int REVIEW_EVERY = 75
cdef int SHORTER_EVERY = 30
# A search whose gap is above DISTANT, a share of the bound, may end before the first review, or even before the first
# round. So whenever its map is improved, and once between the sweeps, a pass over small blocks follows: it takes a
# hundredth of the work. Of unrelated documents of 4,500 variables it raised the best map from 5029 triples to 5343.
cdef double DISTANT = 0.1
cdef int32_t SMALL_ROWS = 150
cdef int64_t SMALL_WORK = 30_000_000
# Lengths (scale) of the relaxation's steps: the first, the factor by which they get shorter, and the last.
cdef double SCALE = 0.25
cdef double SHORTER = 0.9
cdef double SHORTEST = 0.02
# Rows of the blocks in which better maps are looked for, and work after which no other block begins. Blocks of 150 rows
# are searched ten times as fast as those of 600, but gained half as much; those of 1,500 rows are not searched to the
# end and gained less in the second pass.
cdef int32_t BLOCK_ROWS = 600
cdef int64_t BLOCKS_WORK = 150_000_000
# Reduced costs over which blocks grow, in turns: the same blocks seldom find something twice. At the first review
# prices are rough.
cdef double[3] GROWN_COST = [0.3, 0.03, 0.1]
cdef int64_t FUSION_WORK = 20_000_000
cdef double FUSION_SCALE = 0.3        # length of the first steps
cdef int32_t MOST = 20                # candidates of a row that the core gets at first, and then at a time
cdef int32_t MORE = 4
cdef double ADDED_COST = 0.05
cdef double KEPT_COST = 0.5


cdef bint pass_on(Solver *s, Relaxation *x) noexcept nogil:
    """Count the work of a wide search, and have it end if that is too much; False then."""
    s.work += relaxation_work(x)
    s.watch.bound = x.upper
    go_on(s, x.upper)
    return not (hopeless(s, x.upper) or out_of_limits(s))


cdef void fuse(Solver *s, const Relaxation *x, uint8_t *keep) noexcept nogil:
    """Combine ``s.other`` with the best map: search the candidates of both. Mostly it is done to the end, and soon."""
    cdef const Problem *p = x.problem
    cdef Limits limits = s.limits
    cdef int32_t c
    for c in range(p.n_candidates):
        keep[c] = s.best[row_at(p, c)] == col_at(p, c) or s.other[row_at(p, c)] == col_at(p, c)
    s.limits.branching = -1
    s.limits.work = min(limits.work, s.work + FUSION_WORK)
    s.aside = True
    s.descend(s, 0, x, keep, FUSION_SCALE, 0)
    s.aside = False
    if s.work <= limits.work and not (s.no_memory or s.watch.over):
        s.stopped = False
    s.limits = limits


cdef void renew(Solver *s, const Relaxation *x, Selection *selection, double cost, uint8_t *keep) noexcept nogil:
    """Make another map out of the last round, improve it block by block, and combine it with the best one.

    The best map is at some point one that no block improves. Another one gets to other places: of two documents of
    2,000 variables, passes over the best map ended at 2703 triples, and with another map before each pass 2709 were
    found.

    Parameters
    ----------
    cost : double
        See :func:`search_blocks`.
    keep : uint8[n_candidates]
        Scratch.
    """
    cdef const Problem *p = x.problem
    cdef double value = s.lower
    cdef int32_t i
    memcpy(s.other, s.best, p.n_rows * sizeof(int32_t))
    s.lower = -1.0
    select(selection, x.matching.row_match)
    s.work += p.n_candidates + p.n_halves
    improve_choice(s, selection, x.core, x.n_core)
    search_blocks(s, x, BLOCK_ROWS, cost, BLOCKS_WORK)
    if s.lower < value:
        for i in range(p.n_rows):
            s.best[i], s.other[i] = s.other[i], s.best[i]
        s.lower = value
    if not out_of_limits(s):
        fuse(s, x, keep)


cdef inline bint distant(const Solver *s, const Relaxation *x) noexcept nogil:
    return x.problem.n_rows > SMALL_ROWS and x.upper - s.lower > DISTANT * x.upper


cdef void improve_round(Solver *s, const Relaxation *x, Selection *selection) noexcept nogil:
    """Improve the last choice by local search; if the gap is wide, the best map by small blocks, too."""
    select(selection, x.matching.row_match)
    s.work += x.problem.n_candidates + x.problem.n_halves
    improve_choice(s, selection, x.core, x.n_core)
    if distant(s, x):
        search_blocks(s, x, SMALL_ROWS, GROWN_COST[0], SMALL_WORK)


cdef bint sweep_first(Solver *s, Relaxation *x, Slack *slack, Selection *selection, double *upper) noexcept nogil:
    """Sweeps of dual ascent, and prices after some of them; whether the search goes on."""
    cdef const Problem *p = x.problem
    cdef int64_t sweeps = SWEPT // (<int64_t> p.n_candidates + p.n_halves)
    cdef int64_t before
    cdef int phase, k, phases = <int> min(<int64_t> PHASES, max(<int64_t> 0, (sweeps - FIRST_SWEEPS) // SWEEPS))
    begin_ascent(x, slack)
    first_prices(x, slack)
    for phase in range(phases + 1):
        for k in range(SWEEPS if phase else FIRST_SWEEPS):
            ascend_by_prices(x, slack, k & 1)
            upper[0] = x.upper
            if not pass_on(s, x):
                return False
        if not settle_prices(x, True, ADDED_COST, MOST, KEPT_COST, max(0, s.limits.work - s.work)):
            s.stopped = True
            return False
        if phase == 0 and distant(s, x):
            before = s.work
            improve_round(s, x, selection)
            if not unlimited(s.limits.work):          # so that the bound falls as far as without it
                s.limits.work += s.work - before
                s.limits.nearer += s.work - before
        if phase < phases:
            raise_prices(x)
    return True


cdef bint search_wide(Solver *s, Relaxation *x, Selection *selection, uint8_t *keep, double *presence,
                      double *upper) noexcept nogil:
    """Search the whole problem of documents of thousands of variables, or of graphs that share little.

    Parameters
    ----------
    keep : uint8[n_candidates]
        Scratch.
    presence : double[n_candidates]
        All 0. Receives how much recent rounds chose each candidate, if one block holds all rows.

    Returns
    -------
    Whether the search is over, with an upper bound in ``upper``. If not, rounds with all candidates may follow.
    """
    cdef const Problem *p = x.problem
    cdef double scale = SCALE, cost, before
    cdef int rounds = 0, reviews = 0, next_review = FIRST_REVIEW, wait = REVIEW_EVERY
    cdef int64_t left
    if not (sweep_first(s, x, x.state, selection, upper) if p.n_candidates > FAR_FROM else
            sweep_first(s, x, x.direction, selection, upper)):
        return True
    memset(x.state, 0, p.n_halves * sizeof(uint16_t))
    if p.n_candidates > FAR_FROM and not unlimited(s.limits.work) and pass_on(s, x):
        s.limits.work = s.work + <int64_t> (AFTER_SWEEPS * (s.limits.work - s.work))
        s.limits.nearer = s.work + <int64_t> (AFTER_SWEEPS * (s.limits.nearer - s.work))
    while pass_on(s, x):
        rounds += 1
        left = max(0, s.limits.work - s.work)
        narrow_bound(x, left)
        if x.bound == INFINITY or (rounds % SETTLE_EVERY == 0 and not settle_prices(
                x, False, ADDED_COST, MORE, KEPT_COST, left)):
            s.stopped = True          # given up: a search with more work would not meet this choice
            break
        s.work += x.n_core
        if p.n_rows <= BLOCK_ROWS:
            note_choice(x, False, presence)
        if rounds == 1 or rounds % IMPROVE_EVERY == 0:
            improve_round(s, x, selection)
            if s.work > s.next_check and stuck(s, x.upper):
                s.stopped = True
                break
        if rounds == next_review:
            before = s.lower
            seek(s, x.upper)
            cost = GROWN_COST[reviews % 3]
            reviews += 1
            if p.n_rows > BLOCK_ROWS:
                renew(s, x, selection, cost, keep)
            else:                     # one block holds all rows, whatever map it begins with
                search_core(s, 0, x, presence, 1.0, keep)
            search_blocks(s, x, BLOCK_ROWS, cost, BLOCKS_WORK)
            wait = REVIEW_EVERY if s.lower > before else 2 * wait
            next_review = rounds + wait
            raise_prices(x)
            if not s.stopped and shrinkable(s, x, keep):
                upper[0] = s.descend(s, 0, x, keep, scale, 0)
                return True
        if rounds % SHORTER_EVERY == 0:
            scale *= SHORTER
            if scale < SHORTEST:
                return False
        if not relaxation_step(x, scale, aim(s)):
            # The choice is worth the bound of the core, not always that of all candidates.
            select(selection, x.matching.row_match)
            offer(s, selection)
            return False
    upper[0] = x.upper
    return True
