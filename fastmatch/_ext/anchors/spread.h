/* One step of AnCast's broadcast, F from its values, and the largest of them. The mathematics and the terms are explained
   in broadcast.pxd.

   Bounds are checked by assertions, in builds that define no NDEBUG. */

#ifndef FASTMATCH_ANCHORS_SPREAD_H
#define FASTMATCH_ANCHORS_SPREAD_H

#include <assert.h>
#include <math.h>
#include <stdint.h>
#include <string.h>

#include "hood.h"

/* A promise to the compiler: the rows of the next loop do not overlap, or are the same. */
#if defined(__GNUC__) && !defined(__clang__)
#define APART _Pragma("GCC ivdep")
#else
#define APART
#endif

/* FOUR: the compiler has vectors of four numbers, and shuffles them. */
#if defined(__GNUC__) && defined(__has_builtin)
#if __has_builtin(__builtin_shufflevector)
#define FOUR
#endif
#endif

#ifdef FOUR
typedef double four __attribute__((vector_size(32), aligned(8), may_alias));

/* Four rows of four numbers: transposed in place. */
#define TURN(a, b, c, d)                                     \
    do {                                                     \
        four ab = __builtin_shufflevector(a, b, 0, 4, 2, 6); \
        four cd = __builtin_shufflevector(c, d, 0, 4, 2, 6); \
        four ba = __builtin_shufflevector(a, b, 1, 5, 3, 7); \
        four dc = __builtin_shufflevector(c, d, 1, 5, 3, 7); \
        a = __builtin_shufflevector(ab, cd, 0, 1, 4, 5);     \
        b = __builtin_shufflevector(ba, dc, 0, 1, 4, 5);     \
        c = __builtin_shufflevector(ab, cd, 2, 3, 6, 7);     \
        d = __builtin_shufflevector(ba, dc, 2, 3, 6, 7);     \
    } while (0)
#endif

/* The sum of the n rows in ``part``, of n_rows: ``zeros`` if there is none, the row itself if there is one, else in
   ``line``. */
FM_ALWAYS const double *sum_rows(const double *rows, int64_t n_rows, int64_t width, const int32_t *part, int64_t n,
                                 const double *zeros, double *line)
{
    const double *a, *b;
    for (int64_t m = 0; m < n; m++)
        assert(0 <= part[m] && part[m] < n_rows);
    if (n == 0)
        return zeros;
    a = rows + part[0] * width;
    if (n == 1)
        return a;
    b = rows + part[1] * width;
    APART
    for (int64_t k = 0; k < width; k++)
        line[k] = a[k] + b[k];
    for (int64_t m = 2; m < n; m++) {
        a = rows + part[m] * width;
        APART
        for (int64_t k = 0; k < width; k++)
            line[k] += a[k];
    }
    return line;
}

/* Four rows of ``width`` numbers into four columns of a panel; ``panel`` is its first row, from the first of the four
   columns on. */
FM_ALWAYS void into_panel(const double *const *s, int64_t width, double *panel)
{
    int64_t k = 0;
#ifdef FOUR
    const double *s0 = s[0], *s1 = s[1], *s2 = s[2], *s3 = s[3];
    for (; k + 4 <= width; k += 4) {
        four a = *(const four *) (s0 + k), b = *(const four *) (s1 + k);
        four c = *(const four *) (s2 + k), d = *(const four *) (s3 + k);
        TURN(a, b, c, d);
        *(four *) (panel + k * ANCAST_PANEL) = a;
        *(four *) (panel + (k + 1) * ANCAST_PANEL) = b;
        *(four *) (panel + (k + 2) * ANCAST_PANEL) = c;
        *(four *) (panel + (k + 3) * ANCAST_PANEL) = d;
    }
#endif
    for (; k < width; k++)
        for (int r = 0; r < 4; r++)
            panel[k * ANCAST_PANEL + r] = s[r][k];
}

/* folded[j], if ``add`` added to, = the sum of the panel's rows in list j of g: in the first ``width`` columns, 4 or 8.
   The panel has n_rows. */
FM_ALWAYS void sum_places(const double *panel, int64_t n_rows, const ancast_hood *g, const int64_t *start,
                          const int32_t *part, int width, int add, double *folded)
{
    for (int64_t q = 0; q < g->n; q++) {
        int64_t j = g->order[q], n = start[j + 1] - start[j];
        double *to = folded + j * ANCAST_PANEL;
        const int32_t *list = part + start[j];
        assert(0 <= j && j < g->n && n >= 0);
        for (int64_t m = 0; m < n; m++)
            assert(0 <= list[m] && list[m] < n_rows);
#ifdef FOUR
        four low = {0, 0, 0, 0}, high = {0, 0, 0, 0};
        for (int64_t m = 0; m < n; m++) {
            const double *a = panel + (int64_t) list[m] * ANCAST_PANEL;
            low += *(const four *) a;
            if (width > 4)
                high += *(const four *) (a + 4);
        }
        if (add) {
            low += *(const four *) to;
            if (width > 4)
                high += *(const four *) (to + 4);
        }
        *(four *) to = low;
        if (width > 4)
            *(four *) (to + 4) = high;
#else
        double sum[ANCAST_PANEL] = {0};
        for (int64_t m = 0; m < n; m++)
            for (int r = 0; r < width; r++)
                sum[r] += panel[(int64_t) list[m] * ANCAST_PANEL + r];
        for (int r = 0; r < width; r++)
            to[r] = add ? to[r] + sum[r] : sum[r];
#endif
    }
}

/* d[r][j] = folded[j, r] * factor * ratio[r][j] + 1 for four rows r and all j < n. */
FM_ALWAYS void out_of_panel(const double *folded, int64_t n, const double *const *ratio, double factor,
                            double *const *d)
{
    int64_t j = 0;
#ifdef FOUR
    double *d0 = d[0], *d1 = d[1], *d2 = d[2], *d3 = d[3];
    const double *y0 = ratio[0], *y1 = ratio[1], *y2 = ratio[2], *y3 = ratio[3];
    for (; j + 4 <= n; j += 4) {
        four a = *(const four *) (folded + j * ANCAST_PANEL), b = *(const four *) (folded + (j + 1) * ANCAST_PANEL);
        four c = *(const four *) (folded + (j + 2) * ANCAST_PANEL),
             e = *(const four *) (folded + (j + 3) * ANCAST_PANEL);
        TURN(a, b, c, e);
        *(four *) (d0 + j) = a * factor * *(const four *) (y0 + j) + 1.0;
        *(four *) (d1 + j) = b * factor * *(const four *) (y1 + j) + 1.0;
        *(four *) (d2 + j) = c * factor * *(const four *) (y2 + j) + 1.0;
        *(four *) (d3 + j) = e * factor * *(const four *) (y3 + j) + 1.0;
    }
#endif
    for (; j < n; j++)
        for (int r = 0; r < 4; r++)
            d[r][j] = folded[j * ANCAST_PANEL + r] * factor * ratio[r][j] + 1.0;
}

/* to[i − first, j] = 1 + the sum of ``from`` over t's list i and g's list j, times the factor and the ratio of the two lists.

   For the rows i = first ... first + min(rows, width) - 1; ``width`` is 4 or 8. They are summed up together, turned
   into columns, because the time goes into finding what is to be added. from: [n_rows, columns]; line: the length of a row
   of s->lines. */
FM_ALWAYS void receive_rows(const ancast_spread *s, const ancast_hood *t, const ancast_hood *g, const double *from,
                            int64_t n_rows, int64_t columns, int64_t line, const double *ratio, const int32_t *size,
                            int64_t first, int64_t rows, int width, double *to)
{
    const double *zeros = s->lines + ANCAST_PANEL * line, *source[ANCAST_PANEL], *by[ANCAST_PANEL];
    double *target[ANCAST_PANEL];
    for (int two = 0; two <= s->hops; two++) {
        const int64_t *start = two ? t->start_two : t->start;
        const int32_t *part = two ? t->part_two : t->part;
        for (int r = 0; r < width; r++)
            source[r] = r < rows ? sum_rows(from, n_rows, columns, part + start[first + r],
                                            start[first + r + 1] - start[first + r], zeros, s->lines + r * line)
                                 : zeros;
        for (int r = 0; r < width; r += 4)
            into_panel(source + r, columns, s->panel + r);
        if (two)
            sum_places(s->panel, columns, g, g->start_two, g->part_two, width, 1, s->folded);
        else
            sum_places(s->panel, columns, g, g->start, g->part, width, 0, s->folded);
    }
    for (int r = 0; r < width; r++) { /* rows beyond the last one go into a line that is not read */
        target[r] = r < rows ? to + r * g->n : s->lines + (ANCAST_PANEL + 1) * line;
        by[r] = r < rows ? ratio + (int64_t) size[first + r] * g->n : zeros;
    }
    for (int r = 0; r < width; r += 4)
        out_of_panel(s->folded + r, g->n, by + r, s->factor, target + r);
}

/* From So + 1, in ``value``, and ``before`` to V, X and B; anchors are left to ``pin``. Returns the largest value.

   Si is received for a few groups at a time and used up at once: all of it together would be as large as B. */
FM_ALWAYS double combine(const ancast_spread *s)
{
    int64_t n_t = s->t_in->n, n_g = s->g_in->n, c_g = s->g_out->n, line = c_g > n_g ? c_g : n_g;
    double *wide = s->lines, *added = s->lines + line, *most = s->lines + (ANCAST_PANEL + 2) * line, largest = 0;
    for (int64_t k = 0; k < line; k++)
        most[k] = 0;
    for (int64_t i = 0; i < n_t; i++) {
        double *received = s->received + i % ANCAST_PANEL * n_g, *sums = s->sums + i * n_g;
        double *leaf = s->leaf + ancast_leaf_row(i, s->t_leaf_groups, n_g, s->g_leaf_groups);
        double nodes = s->t_nodes[i], inner = s->t_inner[i];
        int64_t width = i < s->t_leaf_groups ? n_g : s->g_leaf_groups;
        int64_t first = s->t_first[i], stop = first + s->t_inner[i];
        const double *row = added;
        assert(width <= n_g && 0 <= first && stop <= s->t_out->n);
        if (i % ANCAST_PANEL == 0)
            receive_rows(s, s->t_in, s->g_in, s->before, s->t_out->n, c_g, line, s->ratio_in, s->size_in, i, n_t - i,
                         n_t - i > 4 ? ANCAST_PANEL : 4, s->received);
        if (first < stop)
            for (int64_t k = 0; k < c_g; k++)
                wide[k] = received[s->g_group[k]];
        APART
        for (int64_t j = 0; j < width; j++) {
            double y = sqrt(received[j] - 1.0);
            leaf[j] = y;
            sums[j] = (nodes * s->g_nodes[j] - inner * s->g_inner[j]) * y;
            most[j] = y > most[j] ? y : most[j];
        }
        for (int64_t j = width; j < n_g; j++)
            sums[j] = 0;
        for (int64_t c = first; c < stop; c++) {
            double *x = s->value + c * c_g;
            APART
            for (int64_t k = 0; k < c_g; k++) {
                double y = sqrt(x[k] * wide[k] - 1.0);
                x[k] = y;
                most[k] = y > most[k] ? y : most[k];
            }
            APART
            for (int64_t k = 0; k < (c > first ? c_g : 0); k++)
                added[k] = row[k] + x[k];
            row = c > first ? added : x;
        }
        if (first < stop)
            for (int64_t q = 0; q < n_g; q++) {
                int64_t j = s->g_fold[q], n = s->g_inner_count[j];
                const double *x = row + s->g_first[j];
                double sum = sums[j];
                assert(0 <= s->g_first[j] && s->g_first[j] + n <= c_g);
                if (n == 1)
                    sum += x[0];
                else
                    for (int64_t k = 0; k < n; k++)
                        sum += x[k];
                sums[j] = sum;
            }
    }
    for (int64_t k = 0; k < line; k++)
        largest = most[k] > largest ? most[k] : largest;
    return largest;
}

/* Raise the values of anchors to ``one``, which the factor makes 1. */
FM_ALWAYS void pin(ancast_spread *s, double one)
{
    int64_t n_t = s->t_in->n, n_g = s->g_in->n, c_g = s->g_out->n;
    for (int64_t i = 0; i < n_t; i++) {
        double *leaf = s->leaf + ancast_leaf_row(i, s->t_leaf_groups, n_g, s->g_leaf_groups), *sums = s->sums + i * n_g;
        for (int32_t at = s->leaf_start[i]; at < s->leaf_start[i + 1]; at++) {
            int32_t j = s->leaves[at];
            assert(0 <= j && j < (i < s->t_leaf_groups ? n_g : s->g_leaf_groups));
            sums[j] += leaf[j] < one ? one - leaf[j] : 0.0;
        }
        for (int32_t at = s->leaf_start[i]; at < s->leaf_start[i + 1]; at++) {
            int32_t j = s->leaves[at];
            if (s->alone[at])
                leaf[j] = leaf[j] < one ? one : leaf[j];
        }
        for (int64_t c = s->t_first[i]; c < s->t_first[i] + s->t_inner[i]; c++)
            for (int32_t at = s->pins_start[c]; at < s->pins_start[c + 1]; at++) {
                int32_t k = s->pins[at];
                double *x = s->value + c * c_g + k;
                assert(0 <= k && k < c_g);
                if (*x < one) {
                    sums[s->g_group[k]] += one - *x;
                    *x = one;
                }
            }
    }
}

/* Whether a value of a row, x times the factor, differs from the one before by more than
   tolerance + relative * value. */
FM_ALWAYS int row_moves(const double *x, const double *before, int64_t n, double factor, double factor_before,
                        double tolerance, double relative)
{
    int moved = 0;
    for (int64_t k = 0; k < n; k++) {
        double y = x[k] * factor;
        moved |= fabs(before[k] * factor_before - y) - relative * y > tolerance;
    }
    return moved;
}

/* The same for all values. */
FM_ALWAYS int moves(const ancast_spread *s, double factor)
{
    int64_t n_t = s->t_in->n, n_g = s->g_in->n, c_g = s->g_out->n;
    for (int64_t i = 0; i < n_t; i++) {
        int64_t at = ancast_leaf_row(i, s->t_leaf_groups, n_g, s->g_leaf_groups);
        if (row_moves(s->leaf + at, s->leaf_before + at, i < s->t_leaf_groups ? n_g : s->g_leaf_groups, factor,
                      s->factor, s->tolerance, s->relative))
            return 1;
    }
    for (int64_t c = 0; c < s->t_out->n; c++)
        if (row_moves(s->value + c * c_g, s->before + c * c_g, c_g, factor, s->factor, s->tolerance, s->relative))
            return 1;
    return 0;
}

FM_ALWAYS void swap_values(ancast_spread *s)
{
    double *swap = s->before;
    s->before = s->value;
    s->value = swap;
    swap = s->leaf_before;
    s->leaf_before = s->leaf;
    s->leaf = swap;
}

/* The values before the first step: 1 for anchors, else 0. */
FASTMATCH_WIDE static void begin_spread(ancast_spread *s)
{
    int64_t inner = s->t_out->n * s->g_out->n, groups = s->t_in->n * s->g_in->n;
    int64_t leaves = ancast_leaf_row(s->t_in->n, s->t_leaf_groups, s->g_in->n, s->g_leaf_groups);
    memset(s->value, 0, inner * sizeof(double));
    memset(s->leaf, 0, leaves * sizeof(double));
    memset(s->sums, 0, groups * sizeof(double));
    pin(s, 1.0);
    s->factor = s->largest = 1.0;
    swap_values(s);
}

/* One step from the values in ``before`` and ``leaf_before``, where the new ones are afterwards. Returns whether a
   value has moved.

   Values are to be divided by the largest and multiplied by the scale. They are stored as they are, and the factor is
   applied to the next step's sums, because a division takes as long as a square root. */
FASTMATCH_WIDE static int spread(ancast_spread *s)
{
    int64_t c_g = s->g_out->n, d_g = s->g_in->n, line = c_g > d_g ? c_g : d_g;
    double largest, factor;
    int moved;
    assert(c_g <= line && d_g <= line);
    for (int64_t i = 0; i < s->t_out->n; i += ANCAST_PANEL) { /* all of So: from B, whose place the new B takes */
        int64_t rows = s->t_out->n - i;
        receive_rows(s, s->t_out, s->g_out, s->sums, s->t_in->n, d_g, line, s->ratio_out, s->size_out, i, rows,
                     rows > 4 ? ANCAST_PANEL : 4, s->value + i * c_g);
    }
    largest = combine(s);
    if (largest == 0)
        largest = 1;
    factor = s->scale / largest;
    pin(s, largest / s->scale);
    moved = moves(s, factor);
    s->factor = factor;
    s->largest = largest;
    swap_values(s);
    return moved;
}

/* F (equation 13) of a node of t with each of the n nodes of g, in ten-thousandths, rounded to the nearest whole
   number, a half to the even one. Returns the largest, and updates ``column_most``, the largest of each column so far.

   values[place[j]] is the value of the pair with node j. pins: the nodes of g that the node of t is anchored to; they
   are worth 1 at least. line: room for n numbers. */
FASTMATCH_WIDE static int32_t weigh(const double *values, const int32_t *place, double largest, double scale,
                                    const double *similarity, double alpha, double beta, const int32_t *pins,
                                    int32_t n_pins, double *line, int32_t *final, int32_t *column_most, int64_t n)
{
    int32_t most = -2147483647;
    for (int64_t j = 0; j < n; j++)
        line[j] = values[place[j]];
    for (int64_t j = 0; j < n; j++)
        line[j] = line[j] / largest * scale;
    for (int32_t p = 0; p < n_pins; p++) {
        assert(0 <= pins[p] && pins[p] < n);
        line[pins[p]] = values[place[pins[p]]] * scale > largest ? line[pins[p]] : 1.0;
    }
    for (int64_t j = 0; j < n; j++) {
        double x = (line[j] + beta) * (similarity[j] + alpha);
        final[j] = (int32_t) (x * 10000 + 6755399441055744.0 - 6755399441055744.0);
    }
    for (int64_t j = 0; j < n; j++) {
        most = final[j] > most ? final[j] : most;
        column_most[j] = final[j] > column_most[j] ? final[j] : column_most[j];
    }
    return most;
}

/* Returns the first place of ``most`` in row i of F, and in ``ties`` how many places hold it; n if none does.

   Also updates the columns whose largest F the row has: ``column_choice`` is the first row that has it, and
   ``column_ties`` the number of rows that have it. All arrays have n entries. */
FASTMATCH_WIDE static int32_t find_most(const int32_t *final, int32_t most, const int32_t *column_most, int32_t i,
                                        int32_t *column_choice, int32_t *column_ties, int32_t n, int32_t *ties)
{
    int32_t count = 0, first = n;
    for (int32_t j = 0; j < n; j++) {
        int32_t here = final[j] == most;
        int32_t place = here ? j : n;
        count += here;
        first = place < first ? place : first;
    }
    for (int32_t j = 0; j < n; j++) {
        int32_t here = final[j] == column_most[j], before = column_ties[j];
        column_choice[j] = (here & (before == 0)) ? i : column_choice[j];
        column_ties[j] = before + here;
    }
    *ties = count;
    return first;
}

#endif
