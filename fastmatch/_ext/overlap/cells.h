/* What is compared for every two nodes, or every two edges, of two graphs: a row at a time, without a branch a cell.

   Each function has two versions, in which every cell is computed by the same operations. */

#ifndef FASTMATCH_OVERLAP_CELLS_H
#define FASTMATCH_OVERLAP_CELLS_H

#include <stdint.h>

#include "../base/versions.h"

/* Four numbers at a time, where the compiler has vectors, and one elsewhere. FM_LESS: all bits are set where x < y. */
#if defined(__GNUC__) || defined(__clang__)

typedef double fm_doubles __attribute__((vector_size(32), aligned(8)));
typedef uint64_t fm_words __attribute__((vector_size(32), aligned(8)));
#define FM_LANES 4
#define FM_LESS(x, y) ((fm_words) ((x) < (y)))

#else

typedef double fm_doubles;
typedef uint64_t fm_words;
#define FM_LANES 1
#define FM_LESS(x, y) ((x) < (y) ? ~(uint64_t) 0 : (uint64_t) 0)

#endif

typedef union {
    double each[FM_LANES];
    fm_doubles number;
    fm_words bits;
} fm_lane;

/* Put x where the bits of `chosen` are set; by address: passing vectors by value would depend on the processor. */
FM_ALWAYS void fm_put(fm_lane *target, const fm_words *chosen, const fm_lane *x)
{
    target->bits = (x->bits & *chosen) | (target->bits & ~*chosen);
}

/* What the likeness of labels asks besides their vectors: the labels of one graph's nodes, one array for each thing. */
typedef struct {
    uint64_t *key, *lemma, *sign;
    int32_t *n_bigrams, *doubled;
    uint8_t *kind, *odd; /* odd: FM_MINUS or FM_NUMBER, which need a closer look */
    double *number;      /* NaN where a label is none */
} fm_labels;

#define FM_MINUS 1
#define FM_NUMBER 2

FM_ALWAYS int64_t fm_ones(uint64_t x)
{
    x -= (x >> 1) & 0x5555555555555555ULL;
    x = (x & 0x3333333333333333ULL) + ((x >> 2) & 0x3333333333333333ULL);
    x = (x + (x >> 4)) & 0x0F0F0F0F0F0F0F0FULL;
    return (int64_t) ((x * 0x0101010101010101ULL) >> 56);
}

/* What may be alike by its vector alone: a list of cells, each with how far its product is above the floor, as a part of
   the way to 1 (above 0, at most 1), and with the scale of the two classes. */
typedef struct {
    int32_t *cell;
    double *above, *scale;
    int64_t n;
} fm_cells;

/* Sort the cells of label v of a, in one row, by what can make the two labels alike.

   hardware: whether the processor counts bits by itself.
   scales: of the label's class with each class.
   special: receives the columns in which something else than vectors may count. It holds all of those, and perhaps more.
   plain: the other cells whose product is above the floor are added to it, numbered from `first` on.

   Both lists need room for m + 1 cells more. Returns how many are in special. */
FM_ALWAYS int64_t fm_sort_cells_any(int hardware, const fm_labels *a, int64_t v, const fm_labels *b, int64_t m,
                                    const float *products, double floor, double least, const double *scales,
                                    int32_t *special, int64_t first, fm_cells *plain)
{
    uint64_t key = a->key[v], lemma = a->lemma[v], sign = a->sign[v];
    int32_t n_bigrams = a->n_bigrams[v], doubled = a->doubled[v];
    int odd = a->odd[v];
    int64_t n_special = 0, n_plain = plain->n, w;
    int32_t *cell = plain->cell;
    double *above = plain->above, *scale = plain->scale;
    double span = 1.0 - floor;
    for (w = 0; w < m; w++) {
        uint64_t common = sign & b->sign[w];
        double product = (double) products[w], part = (product - floor) / span;
#if defined(__GNUC__) || defined(__clang__)
        int64_t same = hardware ? __builtin_popcountll(common) : fm_ones(common);
#else
        int64_t same = fm_ones(common);
#endif
        /* shared bigrams set the same bits: no more of a label's bigrams are shared than set bits that both have, and
           those that set a bit which another of them has set already */
        int64_t fewer = n_bigrams < b->n_bigrams[w] ? n_bigrams : b->n_bigrams[w];
        same += doubled < b->doubled[w] ? doubled : b->doubled[w];
        fewer = fewer < same ? fewer : same;
        int more = (2.0 * (double) fewer >= least * (double) (n_bigrams + b->n_bigrams[w])) | (key == b->key[w]) |
                   (lemma == b->lemma[w]) | (((odd | b->odd[w]) & FM_MINUS) != 0) | ((odd & b->odd[w]) != 0);
        special[n_special] = (int32_t) w;
        n_special += more;
        cell[n_plain] = (int32_t) (first + w);
        above[n_plain] = part < 1.0 ? part : 1.0;
        scale[n_plain] = scales[b->kind[w]];
        n_plain += (!more) & (product > floor);
    }
    plain->n = n_plain;
    return n_special;
}

/* x[k]**power for n numbers above 0 and at most 1, exactly 1 for 1; off by 1e-15 of it at most. Four at a time.

   x = 2^e m with m about 1, ln m = 2 artanh((m - 1) / (m + 1)), and exp of what is nearest to a whole power of 2. Odd and
   even powers of each series are summed apart, so that one need not wait for the other. This takes a fifth of the time
   of the C library's pow, for a long list. */
FM_ALWAYS void fm_powers_any(double *x, int64_t n, double power)
{
    const double two52 = 4503599627370496.0, rounder = 6755399441055744.0, ln2 = 0.6931471805599453;
    int64_t k, i, stop;
    for (k = 0; k < n; k += FM_LANES) {
        fm_lane m, e, least;
        fm_doubles s, z, zz, y, odd, sum;
        stop = n - k < FM_LANES ? n - k : FM_LANES;
        for (i = 0; i < FM_LANES; i++)
            m.each[i] = i < stop ? x[k + i] : 1.0;
        /* 1023 + e: how far the bits are above those of the square root of 1/2, as a power of 2 */
        e.bits = (m.bits - 0x3FE6A09E667F3BCDULL + 0x3FF0000000000000ULL) >> 52;
        m.bits -= (e.bits - 1023) << 52;
        e.bits |= 0x4330000000000000ULL; /* as a double: 2^52 + 1023 + e */
        s = (m.number - 1.0) / (m.number + 1.0);
        z = s * s;
        zz = z * z;
        odd = ((zz * (1.0 / 17.0) + 1.0 / 13.0) * zz + 1.0 / 9.0) * zz + 1.0 / 5.0;
        sum = (((zz * (1.0 / 19.0) + 1.0 / 15.0) * zz + 1.0 / 11.0) * zz + 1.0 / 7.0) * zz + 1.0 / 3.0;
        sum = 2.0 * (s + s * (z * (sum + z * odd)));
        y = power * ((e.number - (two52 + 1023.0)) * ln2 + sum);
        /* so small a number is 0 */
        least.bits = FM_LESS(-700.0, y);
        m.number = y;
        m.bits &= least.bits;
        y = m.number;
        e.number = y * 1.4426950408889634 + rounder; /* the last bits of its own are the nearest whole number */
        s = y - (e.number - rounder) * ln2;
        zz = s * s;
        odd = (((zz * (1.0 / 39916800.0) + 1.0 / 362880.0) * zz + 1.0 / 5040.0) * zz + 1.0 / 120.0) * zz + 1.0 / 6.0;
        sum = ((zz * (1.0 / 479001600.0) + 1.0 / 3628800.0) * zz + 1.0 / 40320.0) * zz + 1.0 / 720.0;
        sum = (sum * zz + 1.0 / 24.0) * zz + 0.5;
        m.number = 1.0 + (s + zz * (sum + s * odd));
        m.bits = (m.bits + (e.bits << 52)) & least.bits;
        for (i = 0; i < stop; i++)
            x[k + i] = m.each[i];
    }
}

/* The largest of n numbers, at least 0; `largest` becomes, place by place, the larger one of the two. */
FM_ALWAYS double fm_largest_any(const double *values, int64_t n, double *largest)
{
    double one = 0.0, two = 0.0, three = 0.0, four = 0.0;
    int64_t k;
    for (k = 0; k < n; k++)
        largest[k] = values[k] > largest[k] ? values[k] : largest[k];
    for (k = 0; k + 4 <= n; k += 4) {
        one = values[k] > one ? values[k] : one;
        two = values[k + 1] > two ? values[k + 1] : two;
        three = values[k + 2] > three ? values[k + 2] : three;
        four = values[k + 3] > four ? values[k + 3] : four;
    }
    for (; k < n; k++)
        one = values[k] > one ? values[k] : one;
    one = two > one ? two : one;
    three = four > three ? four : three;
    return three > one ? three : one;
}

/* How well an edge matches each of n edges, straight or turned around; returns the largest value.

   source_source, source_target, …: the likeness of this edge's source with the other edges' sources, and so on.
   values: room for n numbers. largest: see fm_largest. */
FM_ALWAYS double fm_match_edge_any(const double *source_source, const double *source_target,
                                   const double *target_source, const double *target_target, int32_t role,
                                   const int32_t *roles, int64_t n, double other, double turned, double other_turned,
                                   double *values, double *largest)
{
    int64_t f;
    for (f = 0; f < n; f++) {
        double straight = source_source[f] * target_target[f] * (roles[f] == role ? 1.0 : other);
        double crossed = source_target[f] * target_source[f] * (roles[f] == role ? turned : other_turned);
        values[f] = crossed > straight ? crossed : straight;
    }
    return fm_largest_any(values, n, largest);
}

FM_VERSIONS_BY(int64_t, return, fm_sort_cells,
               (const fm_labels *a, int64_t v, const fm_labels *b, int64_t m, const float *products, double floor,
                double least, const double *scales, int32_t *special, int64_t first, fm_cells *plain),
               (a, v, b, m, products, floor, least, scales, special, first, plain),
               (0, a, v, b, m, products, floor, least, scales, special, first, plain),
               (1, a, v, b, m, products, floor, least, scales, special, first, plain))
FM_VERSIONS(void, , fm_powers, (double *x, int64_t n, double power), (x, n, power))
FM_VERSIONS(double, return, fm_largest, (const double *values, int64_t n, double *largest), (values, n, largest))
FM_VERSIONS(double, return, fm_match_edge,
            (const double *source_source, const double *source_target, const double *target_source,
             const double *target_target, int32_t role, const int32_t *roles, int64_t n, double other, double turned,
             double other_turned, double *values, double *largest),
            (source_source, source_target, target_source, target_target, role, roles, n, other, turned, other_turned,
             values, largest))

#endif
