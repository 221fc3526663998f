from libc.stdint cimport int32_t, int64_t, uint8_t

from fastmatch._ext.base.arena cimport Arena
from fastmatch._ext.matching.problem cimport Problem
from fastmatch._ext.matching.relaxation cimport Relaxation


# The lines of one side of a problem: its rows, or its columns.
cdef struct Lines:
    int32_t n
    const int32_t *line               # [n_candidates] the line of a candidate
    const int32_t *across             # [n_candidates] its line on the other side
    const double *price               # [n]
    int32_t *start                    # [n + 1] line i has the candidates member[start[i]] … member[start[i + 1] - 1]
    int32_t *member                   # [n_candidates]
    int32_t *owner                    # [number of lines on the other side] line that the last round matched, or -1


# Terms are defined at the top of exclusion.pyx.
cdef struct Exclusion:
    const Problem *problem
    const double *profit              # [n_halves] of the last round
    double *base                      # [n_candidates] prices of its row and its column, less its unary gain
    double *cost                      # [n_candidates] what a map loses at this candidate at least
    uint8_t *keep                     # [n_candidates]
    uint8_t *usable                   # [n_halves]
    Lines[2] lines                    # rows, columns
    double *reach                     # [n_candidates] room for the caller
    int32_t n_kept
    int64_t work
    # Room for one pass over the lines of one side, and for one line.
    double *grouped                   # [n_candidates] sum of the largest profit of each line that halves lead to
    double *toward                    # [n_candidates] the largest profit of a half that leads to the line
    double *largest                   # [lines]
    double *value                     # [lines] least loss at a line, of the candidate that is looked at
    double *first                     # [lines] the same if nothing leads to the line, at another column than second
    double *second                    # [lines]
    int32_t *at                       # [lines] where ``first`` is: line on the other side, or -1
    double *own_first                 # [lines] the same three, whatever line is looked at
    double *own_second
    int32_t *own_at
    int32_t *near                     # [lines] lines that halves of the line lead to
    uint8_t *is_near                  # [lines]


cdef int exclusion_init(Arena *arena, Exclusion *x, const Problem *problem, const double *profit,
                        const Relaxation *relaxation, const uint8_t *kept) noexcept nogil
cdef void exclude(Exclusion *x, double most, int64_t limit) noexcept nogil
