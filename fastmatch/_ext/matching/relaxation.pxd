from libc.stdint cimport int32_t, uint8_t

from fastmatch._ext.base.arena cimport Arena
from fastmatch._ext.matching.assignment cimport Assignment
from fastmatch._ext.matching.problem cimport Problem


cdef struct Relaxation:
    const Problem *problem
    Assignment matching               # the global problem: candidates with gain = unary + local optimum
    double *gain                      # [n_candidates]
    double *profit                    # [n_halves] what a half brings at its own end; with its mate's, the weight
    double *direction                 # [n_halves / 2 entries used] deflected subgradient, at the smaller half of a pair
    double upper                      # best bound of all rounds so far
    double bound                      # of this round, valid together with matching's prices
    bint warm
    uint8_t *row_changed              # [n_rows] some gain in this row has changed since the last round
    uint8_t *stale                    # [n_candidates] local optimum must be computed again
    int32_t *stale_list
    int32_t n_stale
    uint8_t *used                     # [n_halves] chosen by the local optimum of a chosen candidate
    int32_t *used_list
    int32_t n_used
    uint8_t *active                   # [n_halves] direction is not 0
    int32_t *active_list
    int32_t n_active
    # the local problem of one candidate
    Assignment local
    int32_t *local_start
    int32_t *local_row
    int32_t *local_col
    int32_t *local_half
    double *local_gain
    int32_t *picked
    int32_t *stamp                    # [n_cols]
    int32_t *stamp_value
    int32_t tick
    int32_t *col_start
    int32_t *col_entry


cdef int relaxation_init(Arena *arena, Relaxation *relaxation, const Problem *problem, size_t extra) noexcept nogil
cdef void relaxation_bound(Relaxation *relaxation) noexcept nogil
cdef bint relaxation_step(Relaxation *relaxation, double scale, double target) noexcept nogil
