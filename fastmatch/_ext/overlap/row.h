/* Inner products of one vector with several rows of a table.

   Every product is summed in eight lanes, which are added up in a fixed order at the end, and AVX2 is asked for without
   fused multiply-add. So both versions give the same bits, and exchanging the two vectors changes none. */

#ifndef FASTMATCH_OVERLAP_ROW_H
#define FASTMATCH_OVERLAP_ROW_H

#include <assert.h>
#include <stdint.h>

/* fm_row_plain and fm_row_avx2, where the processor has AVX2 (FM_ROW_AVX2):

       out[c] = sum over k < width of x[k] * table[rows[c] * width + k]        for c < n

   width is a multiple of eight. */

#if defined(__GNUC__) || defined(__clang__)

typedef float fm_eight __attribute__((vector_size(32), aligned(4)));

static inline __attribute__((always_inline)) float fm_lanes(const fm_eight *sum)
{
    fm_eight s = *sum; /* by address: passing it by value would depend on the processor, which compilers warn of */
    return ((s[0] + s[4]) + (s[2] + s[6])) + ((s[1] + s[5]) + (s[3] + s[7]));
}

static inline __attribute__((always_inline)) void fm_row(const float *x, const float *table, const int32_t *rows,
                                                         int64_t n, int64_t width, float *out)
{
    int64_t c = 0;
    assert(width % 8 == 0);
    for (; c + 4 <= n; c += 4) {
        const float *y0 = table + rows[c] * width, *y1 = table + rows[c + 1] * width;
        const float *y2 = table + rows[c + 2] * width, *y3 = table + rows[c + 3] * width;
        fm_eight s0 = {0}, s1 = {0}, s2 = {0}, s3 = {0};
        for (int64_t k = 0; k < width; k += 8) {
            fm_eight a = *(const fm_eight *) (x + k);
            s0 += a * *(const fm_eight *) (y0 + k);
            s1 += a * *(const fm_eight *) (y1 + k);
            s2 += a * *(const fm_eight *) (y2 + k);
            s3 += a * *(const fm_eight *) (y3 + k);
        }
        out[c] = fm_lanes(&s0);
        out[c + 1] = fm_lanes(&s1);
        out[c + 2] = fm_lanes(&s2);
        out[c + 3] = fm_lanes(&s3);
    }
    for (; c < n; c++) {
        const float *y = table + rows[c] * width;
        fm_eight s = {0};
        for (int64_t k = 0; k < width; k += 8)
            s += *(const fm_eight *) (x + k) * *(const fm_eight *) (y + k);
        out[c] = fm_lanes(&s);
    }
}

#else

static void fm_row(const float *x, const float *table, const int32_t *rows, int64_t n, int64_t width, float *out)
{
    assert(width % 8 == 0);
    for (int64_t c = 0; c < n; c++) {
        const float *y = table + rows[c] * width;
        float s[8] = {0};
        for (int64_t k = 0; k < width; k++)
            s[k % 8] += x[k] * y[k];
        out[c] = ((s[0] + s[4]) + (s[2] + s[6])) + ((s[1] + s[5]) + (s[3] + s[7]));
    }
}

#endif

static void fm_row_plain(const float *x, const float *table, const int32_t *rows, int64_t n, int64_t width, float *out)
{
    fm_row(x, table, rows, n, width, out);
}

#if (defined(__GNUC__) || defined(__clang__)) && defined(__x86_64__)

__attribute__((target("avx2"))) static void fm_row_avx2(const float *x, const float *table, const int32_t *rows,
                                                        int64_t n, int64_t width, float *out)
{
    fm_row(x, table, rows, n, width, out);
}
#define FM_ROW_AVX2 __builtin_cpu_supports("avx2")

#else

#define fm_row_avx2 fm_row_plain
#define FM_ROW_AVX2 0

#endif

#endif
