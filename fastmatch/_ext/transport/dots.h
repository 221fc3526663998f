/* Inner products of four rows with four columns.

   Every sum runs over the dimensions in order, whatever the width of the registers. */

#ifndef FASTMATCH_TRANSPORT_DOTS_H
#define FASTMATCH_TRANSPORT_DOTS_H

#include <assert.h>
#include <stdint.h>

#include "../base/versions.h"

/* fm_dots:

       out[4 * r + c] = sum over k < d of rows[r][k] * columns[4 * k + c]        for r, c < 4

   rows: four vectors of d numbers. columns: [d, 4], four vectors side by side. out: [4, 4]. */

#if defined(__GNUC__) || defined(__clang__)

typedef double fm_four __attribute__((vector_size(32), aligned(8)));

FM_ALWAYS void fm_dots_any(const double *const *rows, const double *columns, int64_t d, double *out)
{
    const double *a0 = rows[0], *a1 = rows[1], *a2 = rows[2], *a3 = rows[3];
    fm_four s0 = {0}, s1 = {0}, s2 = {0}, s3 = {0};
    assert(d >= 0 && a0 && a1 && a2 && a3 && columns && out);
    for (int64_t k = 0; k < d; k++) {
        fm_four b = *(const fm_four *) (columns + 4 * k);
        s0 += a0[k] * b;
        s1 += a1[k] * b;
        s2 += a2[k] * b;
        s3 += a3[k] * b;
    }
    *(fm_four *) out = s0;
    *(fm_four *) (out + 4) = s1;
    *(fm_four *) (out + 8) = s2;
    *(fm_four *) (out + 12) = s3;
}

#else

FM_ALWAYS void fm_dots_any(const double *const *rows, const double *columns, int64_t d, double *out)
{
    assert(d >= 0 && rows && columns && out);
    for (int r = 0; r < 4; r++)
        for (int c = 0; c < 4; c++) {
            double s = 0.0;
            for (int64_t k = 0; k < d; k++)
                s += rows[r][k] * columns[4 * k + c];
            out[4 * r + c] = s;
        }
}

#endif

FM_VERSIONS(void, , fm_dots, (const double *const *rows, const double *columns, int64_t d, double *out),
            (rows, columns, d, out))

#endif
