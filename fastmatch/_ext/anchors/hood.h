/* Neighbourhoods as AnCast's C code takes them, and how that code is compiled. */

#ifndef FASTMATCH_ANCHORS_HOOD_H
#define FASTMATCH_ANCHORS_HOOD_H

#include <stdint.h>

/* FASTMATCH_WIDE: the function is compiled twice, once of it for AVX2, and the C library chooses when the module is
   loaded. Neither of the two uses fused multiply-add, so both give the same bits. */
#if defined(__GNUC__) && !defined(__clang__) && defined(__x86_64__) && defined(__GLIBC__) && defined(__OPTIMIZE__)
#define FASTMATCH_WIDE __attribute__((target_clones("avx2", "default")))
#else
#define FASTMATCH_WIDE
#endif

/* FASTMATCH_INLINE: always inlined, because a function that is called would be compiled only once. */
#if defined(__GNUC__)
#define FASTMATCH_INLINE static inline __attribute__((always_inline))
#else
#define FASTMATCH_INLINE static inline
#endif

/* The neighbourhoods of one graph in one direction: n lists of their parts (see neighbours.pyx). */
typedef struct {
    int32_t n;
    const int32_t *size;  /* [n] number of nodes in each neighbourhood */
    const int32_t *order; /* [n] the lists, equally long ones behind each other */
    const int64_t *start; /* [n + 1] list i is part[start[i]] ... part[start[i + 1] - 1] */
    const int32_t *part;
    const int64_t *start_two; /* [n + 1] the same for two steps, if one and two steps are told apart */
    const int32_t *part_two;
} ancast_hood;

/* Rows that are summed up together in spread.h. */
enum { ANCAST_PANEL = 8 };

/* Where V of group i with the groups of g begins. There is one only if either group has a leaf. So groups of t that have
   one come first, with all d' groups of g each; each of the others has a row of g's first groups, those with a leaf. */
FASTMATCH_INLINE int64_t ancast_leaf_row(int64_t i, int64_t t_leaf_groups, int64_t d_g, int64_t g_leaf_groups)
{
    return i < t_leaf_groups ? i * d_g : t_leaf_groups * d_g + (i - t_leaf_groups) * g_leaf_groups;
}

#endif
