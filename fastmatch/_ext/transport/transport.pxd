# cython: language_level=3
from libc.stdint cimport int32_t, int64_t, uint8_t

from fastmatch._ext.base.arena cimport Arena
from fastmatch._ext.transport.simplex cimport Simplex


cdef struct Transport:
    # The problem and everything its solution needs, for one pair at a time.
    int32_t n                         # sources
    int32_t m                         # sinks
    bint by_tree                      # solved by the simplex method: of what follows, only masses are used
    Simplex simplex
    bint cut                          # the flow is perhaps not a cheapest one
    const double *cost                # [n, m], finite
    int64_t *supply                   # [n] mass not sent yet
    int64_t *demand                   # [m] mass not received yet
    int64_t *flow                     # [m, n]: the sinks' lists of what they receive are contiguous
    double *u                         # [n] prices: cost[i, j] - u[i] - v[j] >= 0, and 0 wherever something flows
    double *v                         # [m]
    # work space of one path search
    double *distance                  # [m]
    double *row_distance              # [n]
    int32_t *via                      # [m] source from which the sink is reached
    int32_t *back                     # [n] sink through which the source is reached, -1 for the start
    int32_t *open                     # [m] sinks whose distance may still fall
    int32_t *closed                   # [m] sinks whose distance is final
    int32_t *reached                  # [n] sources in the tree
    int32_t *mark                     # [n] number of the search that reached the source last
    int32_t search


cdef bint tree_is_faster(int32_t n, int32_t m) noexcept nogil
cdef size_t transport_size(int32_t n, int32_t m, bint by_tree) noexcept nogil
cdef void transport_init(Arena *arena, Transport *t, int32_t n, int32_t m, bint by_tree) noexcept nogil
cdef int64_t uniform_masses(Transport *t) noexcept nogil
cdef int transport_solve(Transport *t, const double *cost, int64_t most, const uint8_t *cancel) noexcept nogil
cdef double transport_cost(const Transport *t) noexcept nogil
cdef void transport_flow(const Transport *t, int64_t *flow) noexcept nogil
