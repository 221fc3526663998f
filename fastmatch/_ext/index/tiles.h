/* Loops over the sums of one graph and the graphs of a tile.

   A sum is of one or two bytes, or a double: each loop is there for each of them. It is written so that a compiler makes
   vectors of it. Those that gain by them have two versions, in which each element is computed by itself. */

#ifndef FASTMATCH_INDEX_TILES_H
#define FASTMATCH_INDEX_TILES_H

#include <math.h>
#include <stdint.h>

#include "../base/versions.h"

#if defined(__SSE2__) || defined(__x86_64__) || defined(_M_X64)
#include <emmintrin.h>
#endif

#define FM_TINY 5e-324      /* the least number above 0 */
#define FM_HUGE 1e300       /* above all sums */
#define FM_SLACK (1 - 1e-9) /* rounding makes no score with more matches lower than one with fewer by this part */
#define FM_BLOCK 64         /* graphs whose highest sum is compared with what is needed */

/* Have the cache fetch what will be needed soon. */
static inline void fm_prefetch(const int32_t *place)
{
#if defined(__GNUC__) || defined(__clang__)
    __builtin_prefetch(place);
#else
    (void) place;
#endif
}

/* Copy numbers past the cache, to where nobody reads them soon: it need not fetch what is there. */
static inline void fm_stream(float *to, const float *from, int64_t n)
{
    int64_t j = 0;
#if defined(__SSE2__) || defined(__x86_64__) || defined(_M_X64)
    for (; j < n && (uintptr_t) (to + j) % 16; j++)
        to[j] = from[j];
    for (; j + 4 <= n; j += 4)
        _mm_stream_ps(to + j, _mm_loadu_ps(from + j));
    _mm_sfence(); /* for other threads such stores are in no order before it */
#endif
    for (; j < n; j++)
        to[j] = from[j];
}

/* For sums of type T:

   fm_add_T       add x to the sums of the graphs places[p], places[p + 1], … that are below `stop`; the tile's first graph
                  is `start`. Returns the first p that is left.
   fm_column_T    add x times a column: a number for each graph.
   fm_weigh_T     the sums times a weight; with `more`, added to what is there.
   fm_maxima_T    the highest sum of each block.
   fm_pick_T      the places of sums that are not below `wanted`; returns their number.
   fm_divide_*_T  factor * s / (base - part * s), for each sum s, in double precision, rounded once more where the
                  target is of single precision. */
#define FM_LOOPS(T)                                                                                               \
    static inline int64_t fm_add_##T(T *sums, const int32_t *places, int64_t p, int64_t end, int32_t start,       \
                                     int32_t stop, T x)                                                           \
    {                                                                                                             \
        while (p < end && places[p] < stop)                                                                       \
            sums[places[p++] - start] += x;                                                                       \
        return p;                                                                                                 \
    }                                                                                                             \
    FM_ALWAYS void fm_column_##T##_any(T *restrict sums, const uint8_t *restrict column, int64_t n, int64_t x)    \
    {                                                                                                             \
        int64_t j;                                                                                                \
        T y = 1;                                                                                                  \
        if (sizeof(T) > 1) { /* there are no vectors of products of bytes */                                      \
            y = (T) x;                                                                                            \
            x = 1;                                                                                                \
        }                                                                                                         \
        for (; x > 0; x--)                                                                                        \
            for (j = 0; j < n; j++)                                                                               \
                sums[j] += (T) (y * column[j]);                                                                   \
    }                                                                                                             \
    FM_VERSIONS(void, , fm_column_##T, (T *restrict sums, const uint8_t *restrict column, int64_t n, int64_t x),  \
                (sums, column, n, x))                                                                             \
    FM_ALWAYS void fm_weigh_##T##_any(const T *restrict sums, double weight, int64_t more, int64_t n,             \
                                      double *restrict total)                                                     \
    {                                                                                                             \
        int64_t j;                                                                                                \
        if (more)                                                                                                 \
            for (j = 0; j < n; j++)                                                                               \
                total[j] += weight * (double) sums[j];                                                            \
        else                                                                                                      \
            for (j = 0; j < n; j++)                                                                               \
                total[j] = weight * (double) sums[j];                                                             \
    }                                                                                                             \
    FM_VERSIONS(void, , fm_weigh_##T,                                                                             \
                (const T *restrict sums, double weight, int64_t more, int64_t n, double *restrict total),         \
                (sums, weight, more, n, total))                                                                   \
    FM_ALWAYS void fm_maxima_##T##_any(const T *restrict sums, int64_t n_blocks, double *restrict maxima)         \
    {                                                                                                             \
        int64_t block, j;                                                                                         \
        for (block = 0; block < n_blocks; block++, sums += FM_BLOCK) {                                            \
            T most = 0;                                                                                           \
            for (j = 0; j < FM_BLOCK; j++)                                                                        \
                most = sums[j] > most ? sums[j] : most;                                                           \
            maxima[block] = (double) most;                                                                        \
        }                                                                                                         \
    }                                                                                                             \
    FM_VERSIONS(void, , fm_maxima_##T, (const T *restrict sums, int64_t n_blocks, double *restrict maxima),       \
                (sums, n_blocks, maxima))                                                                         \
    static inline int64_t fm_pick_##T(const T *sums, int64_t n, double wanted, int32_t *picked)                   \
    {                                                                                                             \
        int64_t j, m = 0;                                                                                         \
        T least = (T) (sizeof(T) < sizeof(double) ? ceil(wanted) : wanted);                                       \
        for (j = 0; j < n; j++) {                                                                                 \
            picked[m] = (int32_t) j;                                                                              \
            m += sums[j] >= least;                                                                                \
        }                                                                                                         \
        return m;                                                                                                 \
    }                                                                                                             \
    FM_ALWAYS void fm_divide_double_##T##_any(const T *restrict sums, const double *restrict base, double factor, \
                                              double part, int64_t n, double *restrict out)                       \
    {                                                                                                             \
        int64_t j;                                                                                                \
        for (j = 0; j < n; j++)                                                                                   \
            out[j] = factor * (double) sums[j] / (base[j] - part * (double) sums[j]);                             \
    }                                                                                                             \
    FM_VERSIONS(void, , fm_divide_double_##T,                                                                     \
                (const T *restrict sums, const double *restrict base, double factor, double part, int64_t n,      \
                 double *restrict out),                                                                           \
                (sums, base, factor, part, n, out))                                                               \
    FM_ALWAYS void fm_divide_float_##T##_any(const T *restrict sums, const double *restrict base, double factor,  \
                                             double part, int64_t n, float *restrict out)                         \
    {                                                                                                             \
        int64_t j;                                                                                                \
        for (j = 0; j < n; j++)                                                                                   \
            out[j] = (float) (factor * (double) sums[j] / (base[j] - part * (double) sums[j]));                   \
    }                                                                                                             \
    FM_VERSIONS(void, , fm_divide_float_##T,                                                                      \
                (const T *restrict sums, const double *restrict base, double factor, double part, int64_t n,      \
                 float *restrict out),                                                                            \
                (sums, base, factor, part, n, out))

/* The same as fm_divide_float_T in single precision all along, for a quotient of whole numbers below 2^24. Such a quotient
   is nowhere so near to the middle between two numbers of single precision, without being it, that rounding it to double
   precision first could make a difference. */
#define FM_QUOTIENTS(T)                                                                                     \
    FM_ALWAYS void fm_quotients_##T##_any(const T *restrict sums, const float *restrict base, float factor, \
                                          float part, int64_t n, float *restrict out)                       \
    {                                                                                                       \
        int64_t j;                                                                                          \
        for (j = 0; j < n; j++)                                                                             \
            out[j] = factor * (float) sums[j] / (base[j] - part * (float) sums[j]);                         \
    }                                                                                                       \
    FM_VERSIONS(void, , fm_quotients_##T,                                                                   \
                (const T *restrict sums, const float *restrict base, float factor, float part, int64_t n,   \
                 float *restrict out),                                                                      \
                (sums, base, factor, part, n, out))

FM_QUOTIENTS(uint8_t)
FM_QUOTIENTS(uint16_t)

/* Keys of n graphs: the larger one of a kind and `least`, and behind it so many bits of each line's sum. */
FM_ALWAYS void fm_keys_any(const uint8_t *restrict sums, int64_t width, int64_t n_lines, int32_t bits,
                           const uint8_t *restrict kinds, uint8_t least, int64_t n, uint32_t *restrict keys)
{
    int64_t j, line;
    for (j = 0; j < n; j++)
        keys[j] = (uint32_t) (kinds[j] > least ? kinds[j] : least) << bits | sums[j];
    for (line = 1; line < n_lines; line++)
        for (j = 0; j < n; j++)
            keys[j] = keys[j] << bits | sums[line * width + j];
}
FM_VERSIONS(void, , fm_keys,
            (const uint8_t *restrict sums, int64_t width, int64_t n_lines, int32_t bits, const uint8_t *restrict kinds,
             uint8_t least, int64_t n, uint32_t *restrict keys),
            (sums, width, n_lines, bits, kinds, least, n, keys))

/* Scores that are kept in a table, each at the slot of its key. */
#define FM_KNOWN_BITS 11
#define FM_KNOWN (1 << FM_KNOWN_BITS)
static inline uint32_t fm_slot(uint32_t key)
{
    return key * 0x9E3779B1u >> (32 - FM_KNOWN_BITS);
}

/* Which of the sums of a block are not 0, a bit each. */
static inline uint64_t fm_nonzero(const uint8_t *sums)
{
    uint64_t found = 0;
    int j;
#if defined(__SSE2__) || defined(__x86_64__) || defined(_M_X64)
    for (j = 0; j < FM_BLOCK; j += 16) {
        __m128i zeros = _mm_cmpeq_epi8(_mm_loadu_si128((const void *) (sums + j)), _mm_setzero_si128());
        found |= (uint64_t) (~_mm_movemask_epi8(zeros) & 0xFFFF) << j;
    }
#else
    for (j = 0; j < FM_BLOCK; j++)
        found |= (uint64_t) (sums[j] != 0) << j;
#endif
    return found;
}

FM_LOOPS(uint8_t)
FM_LOOPS(uint16_t)
FM_LOOPS(double)

/* The same by the type that the first argument points to, which Cython has no name for where its code is for each of them.
   The compiler sees one case. */
#define FM_BY_SUMS(name, sums, ...)                                              \
    (sizeof(*(sums)) == 1   ? fm_##name##_uint8_t((void *) (sums), __VA_ARGS__)  \
     : sizeof(*(sums)) == 2 ? fm_##name##_uint16_t((void *) (sums), __VA_ARGS__) \
                            : fm_##name##_double((void *) (sums), __VA_ARGS__))
#define fm_add(sums, ...) FM_BY_SUMS(add, sums, __VA_ARGS__)
#define fm_column(sums, ...) FM_BY_SUMS(column, sums, __VA_ARGS__)
#define fm_weigh(sums, ...) FM_BY_SUMS(weigh, sums, __VA_ARGS__)
#define fm_maxima(sums, ...) FM_BY_SUMS(maxima, sums, __VA_ARGS__)
#define fm_pick(sums, ...) FM_BY_SUMS(pick, sums, __VA_ARGS__)
#define fm_divide_float(sums, ...) FM_BY_SUMS(divide_float, sums, __VA_ARGS__)
#define fm_divide_double(sums, ...) FM_BY_SUMS(divide_double, sums, __VA_ARGS__)
#define fm_quotients(sums, ...)                                                \
    (sizeof(*(sums)) == 1 ? fm_quotients_uint8_t((void *) (sums), __VA_ARGS__) \
                          : fm_quotients_uint16_t((void *) (sums), __VA_ARGS__))

#endif
