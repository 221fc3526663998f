"""The loops of ``tiles.h``. ``void *`` stands for ``number *``, the sums, or for ``real *``, the scores."""

from libc.stdint cimport int32_t, int64_t, uint8_t, uint16_t, uint32_t, uint64_t

cdef extern from "tiles.h":
    enum:
        FM_BLOCK
        FM_KNOWN
    const double FM_TINY
    const double FM_HUGE
    const double FM_SLACK
    void fm_prefetch(const int32_t *) noexcept nogil
    void fm_stream(float *, const float *, int64_t) noexcept nogil
    int64_t fm_add(void *, const int32_t *, int64_t, int64_t, int32_t, int32_t, double) noexcept nogil
    void fm_column(void *, const uint8_t *, int64_t, int64_t) noexcept nogil
    void fm_weigh(const void *, double, int64_t, int64_t, double *) noexcept nogil
    void fm_maxima(const void *, int64_t, double *) noexcept nogil
    int64_t fm_pick(const void *, int64_t, double, int32_t *) noexcept nogil
    void fm_keys(
        const uint8_t *, int64_t, int64_t, int32_t, const uint8_t *, uint8_t, int64_t, uint32_t *) noexcept nogil
    uint32_t fm_slot(uint32_t) noexcept nogil
    uint64_t fm_nonzero(const uint8_t *) noexcept nogil
    void fm_divide_float(const void *, const double *, double, double, int64_t, float *) noexcept nogil
    void fm_divide_double(const void *, const double *, double, double, int64_t, double *) noexcept nogil
    void fm_quotients(const void *, const float *, float, float, int64_t, float *) noexcept nogil

ctypedef fused real:
    float
    double

ctypedef fused number:
    uint8_t
    uint16_t
    double
