"""The loops of ``tiles.h``, for the types of sums and of scores."""

from libc.stdint cimport int32_t, int64_t, uint8_t, uint16_t, uint32_t

cdef extern from "tiles.h":
    enum:
        FM_BLOCK
        FM_KNOWN
    const double FM_TINY
    const double FM_HUGE
    const double FM_SLACK
    void fm_prefetch(const int32_t *) noexcept nogil
    void fm_stream(float *, const float *, int64_t) noexcept nogil
    int64_t fm_add_uint8_t(
        uint8_t *, const int32_t *, int64_t, int64_t, int32_t, int32_t, uint8_t) noexcept nogil
    int64_t fm_add_uint16_t(
        uint16_t *, const int32_t *, int64_t, int64_t, int32_t, int32_t, uint16_t) noexcept nogil
    int64_t fm_add_double(double *, const int32_t *, int64_t, int64_t, int32_t, int32_t, double) noexcept nogil
    void fm_column_uint8_t(uint8_t *, const uint8_t *, int64_t, int64_t) noexcept nogil
    void fm_column_uint16_t(uint16_t *, const uint8_t *, int64_t, int64_t) noexcept nogil
    void fm_column_double(double *, const uint8_t *, int64_t, int64_t) noexcept nogil
    void fm_weigh_uint8_t(const uint8_t *, double, int64_t, int64_t, double *) noexcept nogil
    void fm_weigh_uint16_t(const uint16_t *, double, int64_t, int64_t, double *) noexcept nogil
    void fm_weigh_double(const double *, double, int64_t, int64_t, double *) noexcept nogil
    void fm_maxima_uint8_t(const uint8_t *, int64_t, double *) noexcept nogil
    void fm_maxima_uint16_t(const uint16_t *, int64_t, double *) noexcept nogil
    void fm_maxima_double(const double *, int64_t, double *) noexcept nogil
    int64_t fm_pick_uint8_t(const uint8_t *, int64_t, uint8_t, int32_t *) noexcept nogil
    int64_t fm_pick_uint16_t(const uint16_t *, int64_t, uint16_t, int32_t *) noexcept nogil
    int64_t fm_pick_double(const double *, int64_t, double, int32_t *) noexcept nogil
    void fm_keys(
        const uint8_t *, int64_t, int64_t, int32_t, const uint8_t *, uint8_t, int64_t, uint32_t *) noexcept nogil
    uint32_t fm_slot(uint32_t) noexcept nogil
    int64_t fm_known_float(const uint32_t *, int64_t, int64_t, const uint32_t *, const double *, float *) noexcept nogil
    int64_t fm_known_double(
        const uint32_t *, int64_t, int64_t, const uint32_t *, const double *, double *) noexcept nogil
    void fm_divide_float_uint8_t(const uint8_t *, const double *, double, double, int64_t, float *) noexcept nogil
    void fm_divide_float_uint16_t(const uint16_t *, const double *, double, double, int64_t, float *) noexcept nogil
    void fm_divide_float_double(const double *, const double *, double, double, int64_t, float *) noexcept nogil
    void fm_quotients_uint8_t(const uint8_t *, const float *, float, float, int64_t, float *) noexcept nogil
    void fm_quotients_uint16_t(const uint16_t *, const float *, float, float, int64_t, float *) noexcept nogil
    void fm_divide_double_uint8_t(const uint8_t *, const double *, double, double, int64_t, double *) noexcept nogil
    void fm_divide_double_uint16_t(const uint16_t *, const double *, double, double, int64_t, double *) noexcept nogil
    void fm_divide_double_double(const double *, const double *, double, double, int64_t, double *) noexcept nogil

ctypedef fused real:
    float
    double

ctypedef fused number:
    uint8_t
    uint16_t
    double
