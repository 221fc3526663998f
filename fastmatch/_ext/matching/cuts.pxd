from libc.stdint cimport int32_t, int64_t, uint64_t

from fastmatch._ext.base.arena cimport Arena
from fastmatch._ext.matching.problem cimport Problem


cdef enum:
    MAX_CUTS = 2048
    MAX_MEMBERS = 32                  # of one cut


# Terms are defined at the top of cuts.pyx.
cdef struct Cuts:
    const Problem *problem
    int32_t n
    int32_t *start                    # [MAX_CUTS + 1] members of cut k are member[start[k]] … member[start[k + 1] - 1]
    int32_t *member                   # candidate c, or n_candidates + the smaller half of an edge-pair
    double *price                     # [MAX_CUTS]
    double *kept                      # [MAX_CUTS] prices while they are taken back
    double *direction                 # [MAX_CUTS] deflected subgradient
    uint64_t *hash                    # [MAX_CUTS] of its members
    uint64_t *conflicts               # room for the sets of elements that each element conflicts with
    double total                      # sum of the prices
    double *unary                     # [n_candidates] room for the unary gains that rounds see
    # How often rounds chose a candidate and used a half, weighted: later rounds count more.
    double *chosen                    # [n_candidates]
    double *used                      # [n_halves]
    double weight                     # of the next round
    double rounds                     # sum of all weights so far


cdef int cuts_init(Arena *arena, Cuts *cuts, const Problem *problem) noexcept nogil
cdef void remember(Cuts *cuts) noexcept nogil
cdef int32_t separate(Cuts *cuts, int64_t *work) noexcept nogil
