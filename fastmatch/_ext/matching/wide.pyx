"""The search of the whole problem of documents of thousands of variables, which has millions of candidates.

exact.pyx describes the search and defines its terms. There, some rounds have all candidates of a node. An assignment of
millions of candidates takes seconds, so here none has. Sweeps of dual ascent (ascent.pyx) lower the bound first, with
prices from assignments of a core that grows by what exceeds its prices. Narrow rounds with this core follow, and the
searches for better maps see nothing else. Most of these maps are found block by block (blocks.pyx): of two documents of
5,000 variables, the best map rose from 7336 to 7419 triples in two passes over all blocks, which took 5 s.
"""

from libc.math cimport INFINITY
from libc.stdint cimport int32_t, int64_t, uint8_t

from fastmatch._ext.matching.ascent cimport ascend_by_prices, begin_ascent, first_prices
from fastmatch._ext.matching.blocks cimport search_blocks
from fastmatch._ext.matching.local_search cimport Selection, select
from fastmatch._ext.matching.problem cimport Problem
from fastmatch._ext.matching.relaxation cimport (
    Relaxation, narrow_bound, raise_prices, relaxation_step, relaxation_work, settle_prices,
)
from fastmatch._ext.matching.solver cimport (
    Solver, aim, hopeless, improve_choice, note_choice, offer, out_of_limits, search_core, seek, shrinkable, stuck,
)

cdef int FIRST_SWEEPS = 4
cdef int PHASES = 4                   # of SWEEPS sweeps and an assignment each
cdef int SWEEPS = 6
cdef int SETTLE_EVERY = 10            # rounds
cdef int IMPROVE_EVERY = 30
cdef int REVIEW_EVERY = 150
cdef int SHORTER_EVERY = 30
# Lengths (scale) of the relaxation's steps: the first, the factor by which they get shorter, and the last.
cdef double SCALE = 0.25
cdef double SHORTER = 0.9
cdef double SHORTEST = 0.02
# Rows of the blocks in which better maps are looked for, and work after which no other block begins. Blocks of 150 rows
# are searched ten times as fast as those of 600, but gained half as much; those of 1,500 rows are not searched to the
# end and gained less in the second pass.
cdef int32_t BLOCK_ROWS = 600
cdef int64_t BLOCKS_WORK = 150_000_000
# Twice as much work as usual is allowed if the gap is below NEAR times the best value when three quarters are done: the
# search gets on then, and needs much of its work only to begin.
cdef double NEAR = 0.03
cdef int32_t MOST = 20                # candidates of a row that the core gets at first, and then at a time
cdef int32_t MORE = 4
cdef double ADDED_COST = 0.05
cdef double KEPT_COST = 0.5


cdef bint pass_on(Solver *s, Relaxation *x) noexcept nogil:
    """Count the work of a wide search, and have it end if that is too much; False then."""
    s.work += relaxation_work(x)
    s.watch.bound = x.upper
    return not (hopeless(s, x.upper) or out_of_limits(s))


cdef bint search_wide(Solver *s, Relaxation *x, Selection *selection, uint8_t *keep, double *presence,
                      double *upper) noexcept nogil:
    """Search the whole problem of documents of thousands of variables.

    Parameters
    ----------
    keep : uint8[n_candidates]
        Scratch.
    presence : double[n_candidates]
        All 0. Receives how much recent rounds chose each candidate.

    Returns
    -------
    Whether the search is over, with an upper bound in ``upper``. If not, rounds with all candidates may follow.
    """
    cdef const Problem *p = x.problem
    cdef double scale = SCALE
    cdef int phase, k, rounds = 0
    cdef int64_t left
    begin_ascent(x, x.direction)
    first_prices(x, x.direction)
    for phase in range(PHASES + 1):
        for k in range(SWEEPS if phase else FIRST_SWEEPS):
            ascend_by_prices(x, x.direction, k & 1)
            upper[0] = x.upper
            if not pass_on(s, x):
                return True
        if not settle_prices(x, True, ADDED_COST, MOST, KEPT_COST, max(0, s.limits.work - s.work)):
            s.stopped = True
            return True
        if phase < PHASES:
            raise_prices(x)
    while pass_on(s, x):
        rounds += 1
        left = max(0, s.limits.work - s.work)
        narrow_bound(x, left)
        if x.bound == INFINITY or (rounds % SETTLE_EVERY == 0 and not settle_prices(
                x, False, ADDED_COST, MORE, KEPT_COST, left)):
            s.stopped = True          # given up: a search with more work would not meet this choice
            break
        s.work += x.n_core
        note_choice(x, False, presence)
        if rounds == 1 or rounds % IMPROVE_EVERY == 0:
            select(selection, x.matching.row_match)
            s.work += p.n_candidates + p.n_halves
            improve_choice(s, selection, x.core, x.n_core)
            if s.work > s.next_check and stuck(s, x.upper):
                s.stopped = True
                break
        if rounds % REVIEW_EVERY == 0:
            seek(s, x.upper)
            search_core(s, 0, x, presence, 1.0, keep)
            search_blocks(s, 0, x, BLOCK_ROWS, BLOCKS_WORK)
            raise_prices(x)
            if not s.stopped and shrinkable(s, x, keep):
                upper[0] = s.descend(s, 0, x, keep, scale, 0)
                return True
        if not s.extended and s.work > s.limits.work // 4 * 3 and x.upper - s.lower < NEAR * s.lower:
            s.extended = True
            s.limits.work *= 2
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
