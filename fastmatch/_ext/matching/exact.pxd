from libc.stdint cimport int32_t, int64_t, uint8_t

from fastmatch._ext.base.arena cimport Arena
from fastmatch._ext.base.watch cimport Watch
from fastmatch._ext.matching.problem cimport Problem


cdef enum:
    MAX_DEPTH = 128                   # nested shrinkings and splits of nodes; deeper nodes stay open


cdef struct Limits:
    # Only maps that are better by at least this much are looked for. 1 where gains are whole numbers, else smaller.
    double step
    int64_t work                      # visits after which open nodes stay open
    int64_t ordinary                  # the same for an ordinary pair: where it is looked whether the search gets on
    int64_t branching                 # visits while branching after which a large node is handed over; -1: never
    int32_t wide                      # candidates above which no round has all of them
    int32_t narrow                    # candidates above which most rounds are narrow, and large nodes are cut


cdef struct Solver:
    Limits limits
    Watch watch                       # limits that depend on no count
    const int32_t *hint               # [n_rows] a map to begin with: column or -1; NULL for none
    double ceiling                    # an upper bound that was known before
    double lower                      # value of the best map found
    double upper                      # upper bound; equal to lower if the map found is proven to be optimal
    int32_t *best                     # [n_rows] the map of lower: column or -1
    int64_t work                      # visits of candidates, halves and entries of assignments so far
    int64_t allowed                   # limits.work as it was at first
    bint stopped
    bint no_memory
    bint handed_over                  # an open node was handed over to the caller, as core
    bint partial                      # core is only a part of it
    Problem core                      # valid until the next problem is solved
    int64_t next_check                # work after which to compare the gap with what it was
    double gap                        # upper bound less best value at the last comparison
    int64_t next_look                 # work after which to look whether the search is to end early
    const Problem *root               # the whole problem
    int64_t next_annealing            # work after which to anneal the best map
    int32_t *annealed                 # [n_rows] the best map found so, and its value
    double annealed_value
    Arena own
    Arena annealing
    Arena cutting
    Arena[MAX_DEPTH] problems
    Arena[MAX_DEPTH] relaxations


cdef void solver_init(Solver *solver) noexcept nogil
cdef void solver_free(Solver *solver) noexcept nogil
cdef int solve(Solver *solver, const Problem *problem, int64_t work, double ceiling,
               const int32_t *hint) noexcept nogil
