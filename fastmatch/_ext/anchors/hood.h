/* What AnCast's C code and its callers share, and how that code is compiled. */

#ifndef FASTMATCH_ANCHORS_HOOD_H
#define FASTMATCH_ANCHORS_HOOD_H

#include <stdint.h>

#include "../base/versions.h"

/* FASTMATCH_WIDE: the function is compiled twice, once of it for AVX2, and the C library chooses when the module is
   loaded. Neither of the two uses fused multiply-add, so both give the same bits. */
#if defined(__GNUC__) && !defined(__clang__) && defined(__x86_64__) && defined(__GLIBC__) && defined(__OPTIMIZE__)
#define FASTMATCH_WIDE __attribute__((target_clones("avx2", "default")))
#else
#define FASTMATCH_WIDE
#endif

/* Rows that are summed up together in spread.h. */
enum { ANCAST_PANEL = 8 };

/* Both are defined in pair.pxd, and so behind this header and before spread.h. */
typedef struct ancast_hood ancast_hood;
typedef struct ancast_spread ancast_spread;

/* Where V of group i with the groups of g begins. There is one only if either group has a leaf. So groups of t that have
   one come first, with all d' groups of g each; each of the others has a row of g's first groups, those with a leaf. */
FM_ALWAYS int64_t ancast_leaf_row(int64_t i, int64_t t_leaf_groups, int64_t d_g, int64_t g_leaf_groups)
{
    return i < t_leaf_groups ? i * d_g : t_leaf_groups * d_g + (i - t_leaf_groups) * g_leaf_groups;
}

#endif
