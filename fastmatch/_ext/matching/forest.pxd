from libc.stdint cimport int32_t, uint8_t, uint64_t

from fastmatch._ext.base.arena cimport Arena
from fastmatch._ext.matching.local_search cimport Selection
from fastmatch._ext.matching.problem cimport Problem
from fastmatch._ext.matching.relaxation cimport Relaxation
from fastmatch._ext.matching.solver cimport Solver


cdef enum:
    GROUPINGS = 3                     # ways to put columns that look alike in groups, from coarse to fine


# A problem whose rows make a forest; terms are defined at the top of forest.pyx.
cdef struct Forest:
    Relaxation *relaxation
    int32_t *parent                   # [n_rows] the row above, -1 for a root
    int32_t *order                    # [n_rows] all rows, children before their parents
    uint8_t *inner                    # [n_rows] whether a row has children
    double *price                     # [n_cols] what a row pays that is mapped to the column, in triples
    double *best_price                # [n_cols] the prices of the least bound so far
    double *value                     # [n_candidates] the most that the tree below its row is worth if it is chosen
    double *below                     # [n_rows] the sum of ``best`` of its children: what they are worth if cut off
    double *best                      # [n_rows] the most that the tree from the row downwards is worth
    int32_t *load                     # [n_cols] number of rows that the choices of this round map to the column
    int32_t *choice                   # [n_rows] candidate, -1 for none, or UNDECIDED
    int32_t *map                      # [n_rows] the best map that annealing met: candidate or -1
    double *direction                 # [n_cols] of the next step
    int32_t *group                    # [GROUPINGS * n_cols] group of a column: the number of its first column
    double *total                     # [n_cols] of a group: sum of the steps of its columns
    int32_t *size                     # [n_cols] of a group: number of its columns
    uint64_t *colour                  # [2 * n_cols] work space: hashes of the surroundings of columns
    uint64_t random                   # state of the random numbers
    double scale                      # length of the next step
    double bound                      # of the last round
    double upper                      # the least so far


cdef size_t forest_size(const Problem *problem) noexcept nogil
cdef bint all_alike(const Problem *problem) noexcept nogil
cdef bint makes_forest(Arena *arena, Relaxation *relaxation) noexcept nogil
cdef bint search_forest(Solver *solver, Arena *arena, Relaxation *relaxation, Selection *selection) noexcept nogil
