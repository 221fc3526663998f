/* Inner products of two vectors with several rows of a table.

   Every product is summed in eight lanes, which are added up in a fixed order at the end. So both versions give the same
   bits, and exchanging the two vectors changes none. */

#ifndef FASTMATCH_OVERLAP_ROW_H
#define FASTMATCH_OVERLAP_ROW_H

#include <assert.h>
#include <stdint.h>

#include "../base/versions.h"

/* fm_rows:

       out[c] = sum over k < width of x[k] * table[rows[c] * width + k]        for c < n
       out2[c]: the same with y for x

   width is a multiple of eight. y may be x; then out2 is out. */

#if defined(__GNUC__) || defined(__clang__)

typedef float fm_eight __attribute__((vector_size(32), aligned(4)));
typedef float fm_quad __attribute__((vector_size(16), aligned(4)));

#if defined(__clang__) || __GNUC__ >= 12
#define fm_shuffle __builtin_shufflevector
#else
#define fm_shuffle(x, y, i, j, k, l) __builtin_shuffle(x, y, (__attribute__((vector_size(16))) int) {i, j, k, l})
#endif

typedef union {
    fm_eight all;
    fm_quad half[2];
} fm_sums;

/* Of each of four s, ((s0 + s4) + (s2 + s6)) + ((s1 + s5) + (s3 + s7)). By address: passing vectors by value would depend
   on the processor, which compilers warn of. */
FM_ALWAYS void fm_lanes(const fm_sums *s, float *out)
{
    fm_quad a = s[0].half[0] + s[0].half[1], b = s[1].half[0] + s[1].half[1];
    fm_quad c = s[2].half[0] + s[2].half[1], d = s[3].half[0] + s[3].half[1];
    a = fm_shuffle(a, b, 0, 1, 4, 5) + fm_shuffle(a, b, 2, 3, 6, 7);
    c = fm_shuffle(c, d, 0, 1, 4, 5) + fm_shuffle(c, d, 2, 3, 6, 7);
    *(fm_quad *) out = fm_shuffle(a, c, 0, 2, 4, 6) + fm_shuffle(a, c, 1, 3, 5, 7);
}

FM_ALWAYS void fm_rows_any(const float *x, const float *y, const float *table, const int32_t *rows, int64_t n,
                           int64_t width, float *out, float *out2)
{
    assert(width % 8 == 0);
    for (int64_t c = 0; c < n; c += 4) {
        int64_t left = n - c, i;
        const float *z0 = table + rows[c] * width, *z1 = left > 1 ? table + rows[c + 1] * width : z0;
        const float *z2 = left > 2 ? table + rows[c + 2] * width : z0,
                    *z3 = left > 3 ? table + rows[c + 3] * width : z0;
        fm_sums s[4], t[4];
        float four[4];
        fm_eight s0 = {0}, s1 = {0}, s2 = {0}, s3 = {0}, t0 = {0}, t1 = {0}, t2 = {0}, t3 = {0};
        for (int64_t k = 0; k < width; k += 8) {
            fm_eight a = *(const fm_eight *) (x + k), b = *(const fm_eight *) (y + k), z;
            z = *(const fm_eight *) (z0 + k);
            s0 += a * z;
            t0 += b * z;
            z = *(const fm_eight *) (z1 + k);
            s1 += a * z;
            t1 += b * z;
            z = *(const fm_eight *) (z2 + k);
            s2 += a * z;
            t2 += b * z;
            z = *(const fm_eight *) (z3 + k);
            s3 += a * z;
            t3 += b * z;
        }
        s[0].all = s0, s[1].all = s1, s[2].all = s2, s[3].all = s3;
        t[0].all = t0, t[1].all = t1, t[2].all = t2, t[3].all = t3;
        if (left >= 4) {
            fm_lanes(s, out + c);
            fm_lanes(t, out2 + c);
            continue;
        }
        fm_lanes(s, four);
        for (i = 0; i < left; i++)
            out[c + i] = four[i];
        fm_lanes(t, four);
        for (i = 0; i < left; i++)
            out2[c + i] = four[i];
    }
}

#else

FM_ALWAYS void fm_rows_any(const float *x, const float *y, const float *table, const int32_t *rows, int64_t n,
                           int64_t width, float *out, float *out2)
{
    assert(width % 8 == 0);
    for (int64_t c = 0; c < n; c++) {
        const float *z = table + rows[c] * width;
        float s[8] = {0}, t[8] = {0};
        for (int64_t k = 0; k < width; k++) {
            s[k % 8] += x[k] * z[k];
            t[k % 8] += y[k] * z[k];
        }
        out[c] = ((s[0] + s[4]) + (s[2] + s[6])) + ((s[1] + s[5]) + (s[3] + s[7]));
        out2[c] = ((t[0] + t[4]) + (t[2] + t[6])) + ((t[1] + t[5]) + (t[3] + t[7]));
    }
}

#endif

FM_VERSIONS(void, , fm_rows,
            (const float *x, const float *y, const float *table, const int32_t *rows, int64_t n, int64_t width,
             float *out, float *out2),
            (x, y, table, rows, n, width, out, out2))

#endif
