from libc.stdint cimport int32_t, uint8_t

from fastmatch._ext.anchors.pair cimport Options, Scratch, View


cdef void measure(const View *t, const View *g, const Options *options, Scratch *scratch) noexcept nogil
cdef int broadcast(
    const View *t, const View *g, const Options *options, Scratch *scratch, int32_t number, const uint8_t *cancel
) noexcept nogil
