from libc.stdint cimport int32_t, uint8_t

from fastmatch._ext.anchors.pair cimport Options, Scratch, Tally, View


cdef double similar(const View *t, int32_t i, const View *g, int32_t j, const Options *options) noexcept nogil
cdef void compare_nodes(const View *t, const View *g, const Options *options, Scratch *scratch) noexcept nogil
cdef void first_anchors(const View *t, const View *g, const Options *options, Scratch *scratch) noexcept nogil
cdef void list_anchors(const View *t, Scratch *scratch) noexcept nogil
cdef void log_match(
    const View *t, const View *g, const Options *options, const Scratch *scratch, int32_t i, int32_t j, Tally *tally
) noexcept nogil
cdef bint choose_anchors(
    const View *t, const View *g, const Options *options, Scratch *scratch, Tally *tally
) noexcept nogil
cdef int match_rest(
    const View *t, const View *g, const Options *options, Scratch *scratch, Tally *tally, const uint8_t *cancel
) noexcept nogil
