from libc.math cimport fabs
from libc.stdint cimport int32_t, int64_t, uint8_t, uint16_t, uint64_t

from fastmatch._ext.base.arena cimport Arena
from fastmatch._ext.base.watch cimport Watch
from fastmatch._ext.matching.assignment cimport Assignment
from fastmatch._ext.matching.cuts cimport Cuts
from fastmatch._ext.matching.problem cimport Problem, unary_gain, weight_of


cdef enum:
    USED = 1
    SLACK_GRAINS = 1 << 14
    GRAINS = 1 << 20
    MOST_GRAINS = 1 << 29             # of a profit, after a step


# Slack of large problems takes a fourth of the memory: in units of 1 / SLACK_GRAINS, and less than 4. It is rounded,
# but no bound is made of it: bounds are sums of prices, which are found from the gains.
ctypedef fused Slack:
    uint16_t
    double


# State of the Lagrangian decomposition of one problem; terms are defined at the top of relaxation.pyx.
cdef struct Relaxation:
    const Problem *problem
    Cuts *cuts                        # NULL for none
    double *unary                     # [n_candidates] unary gain, less the prices of cuts; NULL without cuts
    Assignment matching               # the global problem
    double *gain                      # [n_candidates] unary gain + local optimum; NULL: it stands in ``gain_float``
    float *gain_float                 # [n_candidates] the same, or a little more
    double *profit                    # [n_halves] a half's share of the weight; with its mate's share it is the weight
    int32_t *fixed                    # the same in units of 1 / GRAINS; then ``profit`` and ``gain`` are NULL
    double upper                      # least bound of all rounds so far
    double bound                      # bound of the last round, to which the prices of matching belong
    double least                      # least bound of all rounds, narrow ones too
    bint warm                         # matching has been solved, and reassign() may start from its prices
    bint sorted                       # col_start and col_entry are there
    uint8_t *row_changed              # [n_rows] some gain in this row has changed since the last round
    uint64_t *stale                   # in bits: the local optima of which candidates must be computed again
    int32_t *used_list                # halves that the local optima of chosen candidates use
    int32_t n_used
    # The deflected subgradient where it is not 0, and its halves, of each pair the smaller one. Few have one, and
    # memory that nobody writes to is not taken. ``direction`` has room for n_halves.
    double *direction
    int32_t *active_list
    int32_t n_active
    # [n_halves] USED if it is in used_list, and above that bit, of both halves together, the place of the pair; see
    # :func:`active_place`. In sweeps of dual ascent, which need neither, room for something else.
    uint16_t *state
    # The local problem of one candidate.
    Assignment local
    int32_t *local_start
    int32_t *local_row
    int32_t *local_col
    int32_t *local_half
    double *local_gain
    int32_t *picked                   # of a candidate, the half with the largest profit of each row that has one
    int32_t n_picked
    int32_t *stamp                    # [n_cols] value of tick when the column was last seen
    int32_t *stamp_value              # [n_cols] number of the column in the local problem
    int32_t tick
    int32_t *col_start                # [n_cols + 1] candidates of the global problem by column
    int32_t *col_entry
    # The core of a narrow round: candidates whose reduced cost was small in the last round with all candidates.
    int32_t n_core
    int32_t *core_row_start           # [n_rows + 1] into core
    int32_t *core                     # [n_candidates] sorted
    int32_t *core_col_start           # [n_cols + 1] the same candidates by column
    int32_t *core_by_col
    # Columns and gains of the core in its order, rows and gains in the order of core_by_col, and the place there of
    # each of the core: if it is at most ``most_near`` candidates.
    int32_t most_near
    int32_t *near_col
    int32_t *near_row
    int32_t *near_place
    double *near_gain
    double *near_col_gain
    int64_t halves                    # visits of halves and candidates, besides those of the assignments


cdef inline double own_gain(const Relaxation *x, int32_t c) noexcept nogil:
    """The unary gain of a candidate, less the prices of cuts."""
    return unary_gain(x.problem, c) if x.unary == NULL else x.unary[c]


cdef inline double gain_of(const Relaxation *x, int32_t c) noexcept nogil:
    return x.gain[c] if x.gain != NULL else x.gain_float[c]


cdef inline void put_gain(Relaxation *x, int32_t c, double gain) noexcept nogil:
    if x.gain != NULL:
        x.gain[c] = gain
        return
    x.gain_float[c] = <float> gain
    if x.gain_float[c] < gain:        # a bound must not be too low
        x.gain_float[c] = <float> (gain + fabs(gain) / (1 << 23))


cdef inline double profit_of(const Relaxation *x, int32_t h) noexcept nogil:
    return x.profit[h] if x.fixed == NULL else x.fixed[h] * (1.0 / GRAINS)


cdef inline void split_weight(Relaxation *x, int32_t h, double profit) noexcept nogil:
    """Give half ``h`` a profit, and its mate the rest of the weight: a difference, so that rounding does not add up."""
    if x.fixed == NULL:
        x.profit[h] = profit
        x.profit[x.problem.mate[h]] = weight_of(x.problem, h) - profit
    else:
        x.fixed[h] = <int32_t> (profit * GRAINS)
        x.fixed[x.problem.mate[h]] = <int32_t> (weight_of(x.problem, h) * GRAINS) - x.fixed[h]


cdef inline int32_t active_place(const Relaxation *x, int32_t h, int32_t mate) noexcept nogil:
    """1 + the place in active_list of an edge-pair with the halves h < mate, or 0."""
    return (x.state[h] >> 1) | (x.state[mate] >> 1) << 15


cdef inline void put_place(Relaxation *x, int32_t h, int32_t mate, int32_t place) noexcept nogil:
    """Have :func:`active_place` return ``place``."""
    x.state[h] = <uint16_t> ((x.state[h] & USED) | (place & 0x7FFF) << 1)
    x.state[mate] = <uint16_t> ((x.state[mate] & USED) | (place >> 15) << 1)


cdef inline double slack_of(const Slack *slack, int32_t h) noexcept nogil:
    if Slack is double:
        return slack[h]
    else:
        return slack[h] * (1.0 / SLACK_GRAINS)


cdef inline void put_slack(Slack *slack, int32_t h, double value) noexcept nogil:
    if Slack is double:
        slack[h] = value
    else:
        slack[h] = <uint16_t> min(value * SLACK_GRAINS, 65535.0)


cdef inline double disagreement(const Relaxation *x, int32_t c) noexcept nogil:
    """How much the two ends of the edge-pairs of a candidate disagree of late."""
    cdef double total = 0.0
    cdef int32_t h, k, mate
    for h in range(x.problem.half_start[c], x.problem.half_start[c + 1]):
        mate = x.problem.mate[h]
        k = active_place(x, min(h, mate), max(h, mate))
        if k:
            total += fabs(x.direction[k - 1])
    return total


cdef int relaxation_init(Arena *arena, Relaxation *relaxation, const Problem *problem, Watch *watch,
                         size_t extra, bint fixed) noexcept nogil
cdef void relaxation_bound(Relaxation *relaxation, int64_t limit) noexcept nogil
cdef void narrow_bound(Relaxation *relaxation, int64_t limit) noexcept nogil
cdef bint settle_prices(Relaxation *relaxation, bint afresh, double cost, int32_t most, double keep,
                        int64_t limit) noexcept nogil
cdef void raise_prices(Relaxation *relaxation) noexcept nogil
cdef void find_core(Relaxation *relaxation) noexcept nogil
cdef void sort_by_col(Relaxation *relaxation) noexcept nogil
cdef int64_t relaxation_work(Relaxation *relaxation) noexcept nogil
cdef bint relaxation_step(Relaxation *relaxation, double scale, double target) noexcept nogil
cdef bint pick_largest(Relaxation *relaxation, int32_t c, double *total) noexcept nogil
cdef double local_optimum(Relaxation *relaxation, int32_t c, bint mark) noexcept nogil
cdef double assign_local(Relaxation *relaxation, int32_t c) noexcept nogil
cdef double local_prices(Relaxation *relaxation, int32_t c, Slack *cost) noexcept nogil
cdef void use_cuts(Relaxation *relaxation, Cuts *cuts) noexcept nogil
cdef void lift_cuts(Relaxation *relaxation) noexcept nogil
cdef void lay_cuts(Relaxation *relaxation) noexcept nogil
cdef void touch_all(Relaxation *relaxation) noexcept nogil
cdef double excess(const Relaxation *relaxation) noexcept nogil
