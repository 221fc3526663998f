from libc.stdint cimport int32_t, int64_t, uint8_t

from fastmatch._ext.base.arena cimport Arena
from fastmatch._ext.matching.problem cimport Problem


cdef enum:
    MAX_DEPTH = 128                   # of compactions and branchings; deeper nodes stay open


cdef struct Limits:
    # A better map is better by at least this much: 1 where gains are whole numbers. Elsewhere a little; a map that is
    # better by less is not looked for.
    double step
    int64_t work                      # candidate and half visits after which open nodes stay open
    double seconds                    # the same for wall time
    const uint8_t *cancel             # set to 1 by another thread to stop soon
    int64_t branching                 # work on branching after which a large node is handed over; -1: never


cdef struct Solver:
    Limits limits
    double lower                      # value of the best map found
    double upper                      # no map is worth more; equal to ``lower`` if that is proven
    int32_t *best                     # [n_rows] that map: column or -1
    int64_t work
    double started
    bint stopped
    bint handed_over
    Problem core                      # then: the open node, valid until the next problem is solved
    bint interrupted                  # by a signal: see base/interrupt.pxd
    int64_t next_look                 # work after which to look for signals again
    Arena own
    Arena[MAX_DEPTH] problems
    Arena[MAX_DEPTH] relaxations


cdef void solver_init(Solver *solver) noexcept nogil
cdef void solver_free(Solver *solver) noexcept nogil
cdef double seconds_spent(const Solver *solver) noexcept nogil
cdef int solve(Solver *solver, const Problem *problem) noexcept nogil
