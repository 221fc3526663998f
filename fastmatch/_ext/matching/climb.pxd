from libc.stdint cimport int32_t, int64_t, uint8_t, uint64_t

from fastmatch._ext.base.arena cimport Arena
from fastmatch._ext.matching.problem cimport GraphView, Problem


cdef enum:
    # With fewer candidates than this, looking at all of them at each step is faster than keeping their gains: measured
    # on joined sentences, by a quarter at 30 candidates, not at all at 100, and half as fast at 550.
    FEW_CANDIDATES = 100

    # what climb returns if it does not reach the end
    NO_MEMORY = -1
    CANCELLED = -2
    INTERRUPTED = -3                  # by a signal, in the main thread: its exception waits for raise_pending


cdef int climb(
    Arena *arena, const GraphView *a, const GraphView *b, const Problem *problem, int32_t restarts, uint64_t seed,
    uint64_t pair, int32_t few, const uint8_t *cancel, double *matched, int32_t *mapping
) noexcept nogil
