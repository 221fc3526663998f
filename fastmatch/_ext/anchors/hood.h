/* Neighbourhoods and broadcasts as AnCast's C code takes them, and how that code is compiled. */

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

/* What a broadcast works on. t: the prediction, g: the gold graph; c, d: inner nodes and groups of t; c', d': of g. */
typedef struct {
    const ancast_hood *t_out, *t_in, *g_out, *g_in;
    int64_t t_leaf_groups, g_leaf_groups;       /* number of groups that have leaves; they come first */
    const int32_t *t_nodes, *t_inner, *t_first; /* [d] nodes, inner nodes, the first inner node */
    double *g_nodes, *g_inner;                  /* [d'] nodes, inner nodes */
    const int32_t *g_inner_count, *g_first;     /* [d'] inner nodes as a whole number, the first of them */
    const int32_t *g_fold;                      /* [d'] the groups of g by their number of inner nodes */
    const int32_t *g_group;                     /* [c'] the group of each inner node */
    int hops;                                   /* whether one step and two steps are told apart */
    /* The smaller by the larger number of neighbours, for lists of t and of g. Lists of t that are equally long share
       a row. */
    double *ratio_out, *ratio_in; /* [rows, c'], [rows, d'] */
    int32_t *size_out, *size_in;  /* [c], [d] row of each list of t */
    double *value, *before;       /* [c, c'] X, and X of the step before */
    double *leaf, *leaf_before;   /* V, and V of the step before, see ancast_leaf_row */
    double *sums;                 /* [d, d'] B */
    double *received;             /* [ANCAST_PANEL, d'] Si of the groups at work */
    double factor, largest;       /* by which ``before``, ``leaf_before``, ``sums`` are to be multiplied;
                                                   the largest value among them */
    double *lines;                /* [ANCAST_PANEL + 3, max(c', d')] rows at work; row ANCAST_PANEL is 0 */
    double *panel, *folded;       /* [max(c', d'), ANCAST_PANEL] */
    int32_t *pins_start, *pins;   /* anchors of two inner nodes: for each of t's, those of g */
    int32_t *leaf_start, *leaves; /* other anchors: for each group of t, the groups of g */
    uint8_t *alone;               /* for each of these: all pairs with a leaf of the two are anchors */
    double scale, tolerance, relative;
} ancast_spread;

/* Where V of group i with the groups of g begins. There is one only if either group has a leaf. So groups of t that have
   one come first, with all d' groups of g each; each of the others has a row of g's first groups, those with a leaf. */
FM_ALWAYS int64_t ancast_leaf_row(int64_t i, int64_t t_leaf_groups, int64_t d_g, int64_t g_leaf_groups)
{
    return i < t_leaf_groups ? i * d_g : t_leaf_groups * d_g + (i - t_leaf_groups) * g_leaf_groups;
}

#endif
