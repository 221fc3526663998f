from libc.stdint cimport int16_t, int32_t, int64_t, uint8_t, uint64_t

from fastmatch._ext.matching.problem cimport GraphView

cdef enum:
    SMALL_LINES = 64                  # variables of each graph, at most
    SMALL_CELLS = 1024                # pairs of variables
    SMALL_CANDIDATES = 128
    SMALL_EDGES = 512                 # edge-pairs
    SMALL_GROUPS = 16                 # of a candidate


# A set of candidates.
cdef struct Set:
    uint64_t[2] word


# The problem of two small graphs, and a search for its optimum; see small.pyx.
cdef struct Small:
    int32_t n_rows
    int32_t n_cols
    int32_t n_candidates
    int32_t best                      # twice the value of the best map found
    int32_t first                     # the bound of the first node; -1: not known yet
    int64_t work                      # visits of candidates and groups so far
    int64_t most                      # with more, the search gives up
    uint8_t[SMALL_CANDIDATES + 1] row
    uint8_t[SMALL_CANDIDATES + 1] col
    int32_t[SMALL_CANDIDATES + 1] unary                  # twice the unary gain
    int32_t[SMALL_CANDIDATES] n_groups
    Set[SMALL_CANDIDATES][SMALL_GROUPS] group
    Set[SMALL_LINES] in_row
    Set[SMALL_LINES] in_col
    # Work space of building: of each cell, 0, or 1 and twice its unary gain, then the number of its candidate.
    int32_t[SMALL_CELLS] table
    int16_t[SMALL_EDGES][3] edge      # number of the relation of A, cell of the sources, cell of the targets
    int32_t[SMALL_CANDIDATES] latest  # the relation that a candidate's last group belongs to


cdef int64_t small_optimum(
    Small *s, const GraphView *a, const GraphView *b, int64_t most, int64_t least,
) noexcept nogil
