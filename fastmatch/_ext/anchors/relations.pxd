from libc.stdint cimport int32_t, int64_t, uint8_t

from fastmatch._ext.anchors.pair cimport Options, View


cdef int64_t count_relations(
    const View *me, const View *you, const View *t, const int32_t *match, const Options *options,
    const double *similarity, uint8_t *found, bint is_pred, int32_t n_g, double *out,
) noexcept nogil
