# cython: language_level=3
from libc.stdint cimport int32_t, int64_t, uint8_t

from fastmatch._ext.base.arena cimport Arena


cdef struct Branch:
    # A node of the tree, and its edge to the node above it.
    int64_t flow                      # what moves over that edge, in perturbed units: never 0
    double cost
    int32_t parent                    # -1 for the root
    int32_t depth
    int32_t child                     # first of the list of nodes below it, -1 for none
    int32_t next                      # in the list of the nodes that its parent has below it, -1 for none
    int32_t previous


cdef struct Simplex:
    # The problem and everything its solution needs. Nodes: sources 0 … n - 1, then sinks n … n + m - 1.
    int32_t n
    int32_t m
    int64_t units                     # perturbed units in one unit of mass
    const double *cost                # [n, m], finite
    int64_t *mass                     # [n + m] of sources and sinks, in perturbed units; used up by the start
    double *price                     # [n + m]: cost[i, j] = price[i] + price[n + j] for edges of the tree
    double *nearest                   # [n] of the start: the best open cell of each source
    int32_t *where                    # [n] its sink
    Branch *tree                      # [n + m]
    int32_t root
    int64_t pivots                    # steps taken
    int64_t work                      # cells and nodes of the tree looked at
    bint cut                          # the work was used up before the flow was known to be a cheapest one


cdef bint simplex_fits(int32_t n, int32_t m, int64_t total) noexcept nogil
cdef size_t simplex_size(int32_t n, int32_t m) noexcept nogil
cdef void simplex_init(Arena *arena, Simplex *s, int32_t n, int32_t m) noexcept nogil
cdef int simplex_solve(
    Simplex *s, const double *cost, const int64_t *supply, const int64_t *demand, int64_t most, const uint8_t *cancel
) noexcept nogil
cdef int64_t simplex_flow(const Simplex *s, int32_t node, int32_t *source, int32_t *sink) noexcept nogil
cdef double simplex_cost(const Simplex *s) noexcept nogil
