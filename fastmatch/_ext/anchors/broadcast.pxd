from libc.stdint cimport int32_t, int64_t, uint8_t

from fastmatch._ext.anchors.pair cimport Hood, Options, Scratch, View


cdef extern from "hood.h":
    enum:
        ANCAST_PANEL
    int64_t ancast_leaf_row(int64_t i, int64_t t_leaf_groups, int64_t d_g, int64_t g_leaf_groups) noexcept nogil

cdef enum:
    LINES = ANCAST_PANEL + 3    # rows at work

cdef int64_t count_rows(const Hood *t, bint hops) noexcept nogil
cdef void measure(const View *t, const View *g, const Options *options, Scratch *scratch) noexcept nogil
cdef int broadcast(
    const View *t, const View *g, const Options *options, Scratch *scratch, int32_t number, const uint8_t *cancel
) noexcept nogil
