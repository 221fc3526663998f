from libc.stdint cimport int32_t, int64_t, uint8_t

from fastmatch._ext.base.arena cimport Arena
from fastmatch._ext.base.watch cimport Watch
from fastmatch._ext.matching.local_search cimport Selection
from fastmatch._ext.matching.problem cimport Problem
from fastmatch._ext.matching.relaxation cimport Relaxation


cdef enum:
    MAX_DEPTH = 128                   # nested shrinkings and splits of nodes; deeper nodes stay open
    FIRST = 100_000                   # work that the first round may take, and each local search, whatever the limit
    # What linear programs solve in 0.05 s each (scipy's HiGHS, candidates and halves).
    PROGRAMS_TO = 4000
    PROGRAMS_TO_HALVES = 2500
    RUNGS = 6                         # values of maps for which it is found out what such a map can have
    SPLITTABLE = 5                    # gap up to which splits help: each lowers the bound by a fraction of a triple
    NEAR = 10                         # gap up to which a search may spend all that its pair may take


cdef struct Limits:
    # Only maps that are better by at least this much are looked for. 1 where gains are whole numbers, else smaller.
    double step
    int64_t work                      # visits after which open nodes stay open
    int64_t nearer                    # what ``work`` becomes as soon as the gap of the pair is at most VERY_FAR
    int64_t most                      # what ``work`` becomes as soon as the gap of the pair is at most NEAR
    int64_t ordinary                  # the same for an ordinary pair: where it is looked whether the search gets on
    bint large                        # the pair may take more than an ordinary one
    bint short                        # other searches of the pair have left less than an ordinary pair may take
    int64_t branching                 # visits while branching after which a node is handed over; -1: never
    int32_t whole                     # candidates up to which all that is left may be handed over, and not only a part
    int32_t programs                  # candidates up to which a node of an ordinary pair may be handed over
    int32_t wide                      # candidates above which no round has all of them
    int32_t alike                     # candidates above which a search may be one of variables that look alike
    int32_t narrow                    # candidates above which most rounds are narrow, and large nodes are cut


cdef struct Solver                    # declared below


# Searches the part of node ``x`` with the candidates to keep: descend() in exact.pyx. It is passed as a pointer because
# search_core() and search_wide() need it, and modules must not import each other in a circle.
ctypedef double (*Descend)(Solver *solver, int depth, const Relaxation *x, const uint8_t *keep, double scale,
                           int budget) noexcept nogil
ctypedef double (*Search)(Solver *solver, int depth, const Problem *p, const double *profit, double scale,
                          int budget) noexcept nogil


cdef struct Solver:
    Limits limits
    Descend descend
    Search search
    Watch watch                       # limits that depend on no count
    const int32_t *hint               # [n_rows] a map to begin with: column or -1; NULL for none
    double ceiling                    # an upper bound that was known before
    double lower                      # value of the best map found
    double outside                    # what is added to it where a part of a map is searched for, else 0
    double upper                      # upper bound; equal to lower if the map found is proven to be optimal
    int32_t *best                     # [n_rows] the map of lower: column or -1
    int32_t *other                    # [n_rows] room for another map
    int64_t work                      # visits of candidates, halves and entries of assignments so far
    int64_t allowed                   # limits.work as it was at first
    bint stopped
    bint no_memory
    bint handed_over                  # an open node was handed over to the caller, as core
    bint partial                      # core is only a part of it
    bint split                        # the node is a part of one that was split
    bint aside                        # a block, or what two maps have, is searched: its bound is not that of the pair
    Problem core                      # valid until the next problem is solved
    # If core is only a part: a larger part, with all candidates of the maps that are worth rung[0] or more. What a map
    # has that is worth rung[k] or more reaches rung[k]. No rungs: there is no such part, or it is too large.
    Problem rest
    double *reach                     # [rest.n_candidates]
    double[RUNGS] rung
    int n_rungs
    int64_t next_check                # work after which to compare the gap with what it was
    double gap                        # upper bound less best value at the last comparison
    int64_t next_look                 # work after which to look whether the search is to end early
    const Problem *root               # the whole problem
    int64_t next_annealing            # work after which to anneal the best map
    int32_t *annealed                 # [n_rows] the best map found so, and its value
    double annealed_value
    double *presence                  # [root.n_candidates] of a wide root, whose searches write to few places; or NULL
    Arena own
    Arena annealing
    Arena blocks
    Arena cutting
    Arena excluding
    Arena reaching
    Arena resting
    Arena[MAX_DEPTH] problems
    Arena[MAX_DEPTH] relaxations


cdef void solver_init(Solver *solver, double step, double seconds, const uint8_t *cancel, object tell) noexcept
cdef void solver_free(Solver *solver) noexcept nogil
cdef void allow(Solver *s, int64_t ordinary, int64_t work, int64_t branching, int64_t spent) noexcept nogil
cdef int64_t to_share(const Solver *s, double matched, double upper) noexcept nogil
cdef int64_t left_for_programs(const Solver *s) noexcept nogil
cdef int begin_search(Solver *s, const Problem *problem, int64_t work, double ceiling,
                      const int32_t *hint) noexcept nogil
cdef int end_search(Solver *s, double upper) noexcept nogil
cdef bint out_of_limits(Solver *s) noexcept nogil
cdef bint hopeless(const Solver *s, double bound) noexcept nogil
cdef double aim(const Solver *s) noexcept nogil
cdef void offer(Solver *s, const Selection *selection) noexcept nogil
cdef void improve_choice(Solver *s, Selection *selection, const int32_t *some, int32_t n_some) noexcept nogil
cdef void anneal_best(Solver *s, int64_t work) noexcept nogil
cdef void seek(Solver *s, double upper) noexcept nogil
cdef bint stuck(Solver *s, double upper) noexcept nogil
cdef void go_on(Solver *s, double upper) noexcept nogil
cdef int32_t mark_kept(const Solver *s, const Relaxation *x, uint8_t *keep) noexcept nogil
cdef int32_t mark_reached(Solver *s, Relaxation *x, uint8_t *keep, uint8_t *trial, bint besides) noexcept nogil
cdef bint shrinkable(const Solver *s, const Relaxation *x, uint8_t *keep) noexcept nogil
cdef int shrink(Arena *arena, const Problem *p, const uint8_t *keep, const double *profit, const int32_t *fixed,
                Problem *smaller, double **smaller_profit) noexcept nogil
cdef void note_choice(const Relaxation *x, bint whole, double *presence) noexcept nogil
cdef void search_core(Solver *s, int depth, const Relaxation *x, const double *presence, double most,
                      uint8_t *keep) noexcept nogil
