from libc.stdint cimport int32_t, uint8_t, uint64_t

from fastmatch._ext.base.arena cimport Arena
from fastmatch._ext.matching.local_search cimport Selection
from fastmatch._ext.matching.problem cimport Problem
from fastmatch._ext.matching.relaxation cimport Relaxation
from fastmatch._ext.matching.solver cimport Solver


cdef enum:
    SORTS = 3                         # ways to tell which columns are alike, from coarse to fine


# A problem whose rows make a forest; terms are defined at the top of forest.pyx.
cdef struct Forest:
    Relaxation *relaxation
    int32_t *parent                   # [n_rows] the row above, or -1
    int32_t *order                    # [n_rows] rows, those below before those above
    uint8_t *inner                    # [n_rows] whether rows are below it
    double *price                     # [n_cols] what it costs to map to a column
    double *best_price                # [n_cols] those of the least bound so far
    double *value                     # [n_candidates] the most that its tree, from its row downwards, is worth with it
    double *below                     # [n_rows] the most that the trees below are worth, cut off from it
    double *best                      # [n_rows] the most that the tree from here downwards is worth
    int32_t *load                     # [n_cols] rows that the choices of this round map to it
    int32_t *choice                   # [n_rows] candidate, -1 for none, UNDECIDED
    int32_t *map                      # [n_rows] the best map that annealing met: candidate or -1
    double *direction                 # [n_cols]
    int32_t *kind                     # [SORTS * n_cols] the first column that is alike
    double *total                     # [n_cols]
    int32_t *size                     # [n_cols]
    uint64_t *colour                  # [2 * n_cols]
    uint64_t random
    double scale                      # length of the next step
    double bound                      # of the last round
    double upper                      # the least so far


cdef size_t forest_size(const Problem *problem) noexcept nogil
cdef bint search_forest(Solver *solver, Arena *arena, Relaxation *relaxation, Selection *selection) noexcept nogil
