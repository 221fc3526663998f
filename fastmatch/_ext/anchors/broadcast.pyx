# cython: language_level=3
"""AnCast's broadcast: being near anchors makes nodes alike.

The value of t's node u and g's node w comes from So, the sum of the values of all pairs of their out-neighbours, and
Si, that of their in-neighbours: sqrt((So + 1) (Si + 1) − 1), by the largest of all. n · m values, and for each of them
sums over neighbourhoods: what makes this cheap is how neighbourhoods are made (``ancast_neighbours.pyx``).

Out-neighbourhoods consist of whole groups, so So is a sum over B, what the pairs of two groups have together. And only
loud nodes, those with out-neighbours, occur in in-neighbourhoods, so Si is a sum over X, the values of two loud nodes.
Si is the same for all nodes of two groups. Where either node is a leaf, So is 0, and the value sqrt(Si): one number V
for all such pairs of two groups. So a step is, for c loud nodes and d groups on either side (in sentences about 0.6 n),

    X → Si     [d, d]: rows of X added up, then columns
    B → So     [c, c]: rows of B added up, then columns
    Si → V     [d, d], Si, So → X  [c, c]: the square roots
    V, X → B   [d, d]: V times the number of pairs with a leaf, and the X of the loud ones.

An anchor is worth 1 at least, whatever the value of its pair.
"""

from libc.stdint cimport int32_t, int64_t, uint8_t
from libc.string cimport memcpy, memset

from fastmatch._ext.anchors.pair cimport FINE, INTERRUPTED, STOPPED, Hood, Options, Scratch, View
from fastmatch._ext.base.interrupt cimport interrupted

cdef extern from *:
    """
    #include <math.h>
    #include <stdint.h>
    #include <string.h>

    typedef struct {
        const ancast_hood *t_out, *t_in, *g_out, *g_in;
        int64_t t_hushed, g_hushed;         /* groups with leaves: the first ones */
        const int32_t *t_nodes, *t_loud, *t_first;  /* of each group of t: nodes, loud ones, the first loud one */
        const double *g_nodes, *g_loud;     /* of each group of g */
        const int32_t *g_loud_count, *g_first, *g_fold;     /* the last: groups by their number of loud nodes */
        const int32_t *g_group;             /* of each loud node of g */
        int hops;
        const double *ratio_out, *ratio_in; /* smaller by larger number of neighbours, [sizes of t, lists of g] */
        const int32_t *size_out, *size_in;  /* which of the rows for each list of t */
        double *value, *before;             /* X [c, c'] */
        double *leaf, *leaf_before;         /* V [d, d'] */
        double *sums;                       /* B [d, d'] */
        double factor, largest;             /* of ``before``, ``leaf_before`` and ``sums``: see ``spread`` */
        double *lines;                      /* [PANEL + 2, max(c', d')], row PANEL is 0 */
        double *panel, *folded;             /* [max(c', d'), PANEL] */
        const int32_t *pins_start, *pins;   /* anchors of two loud nodes, for each of t's: those of g */
        const int32_t *leaf_start, *leaves; /* other anchors, for each group of t: those of g */
        const uint8_t *alone;               /* for each of these: whether the two groups have no other such pair */
        double scale, tolerance, relative;
    } ancast_spread;

    enum { PANEL = 8 };     /* rows that go together */

    #if defined(__GNUC__) && !defined(__clang__)
    #define APART _Pragma("GCC ivdep")  /* rows do not overlap, or are the same */
    #else
    #define APART
    #endif

    #if defined(__GNUC__) && defined(__has_builtin)
    #if __has_builtin(__builtin_shufflevector)
    #define FOUR
    #endif
    #endif

    #ifdef FOUR
    typedef double four __attribute__((vector_size(32), aligned(8), may_alias));

    /* Four rows of four, columns to rows. */
    #define TURN(a, b, c, d)                                                            \
        do {                                                                            \
            four ab = __builtin_shufflevector(a, b, 0, 4, 2, 6), cd = __builtin_shufflevector(c, d, 0, 4, 2, 6); \
            four ba = __builtin_shufflevector(a, b, 1, 5, 3, 7), dc = __builtin_shufflevector(c, d, 1, 5, 3, 7); \
            a = __builtin_shufflevector(ab, cd, 0, 1, 4, 5);                            \
            b = __builtin_shufflevector(ba, dc, 0, 1, 4, 5);                            \
            c = __builtin_shufflevector(ab, cd, 2, 3, 6, 7);                            \
            d = __builtin_shufflevector(ba, dc, 2, 3, 6, 7);                            \
        } while (0)
    #endif

    /* The sum of some rows; a row itself if there is but one. */
    FASTMATCH_INLINE const double *sum_rows(const double *rows, int64_t width, const int32_t *part, int64_t n,
                                            const double *zeros, double *line)
    {
        const double *a, *b;
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

    /* Four rows into columns ``first`` .. first + 3 of a panel. */
    FASTMATCH_INLINE void into_panel(const double *const *s, int64_t width, double *panel)
    {
        const double *s0 = s[0], *s1 = s[1], *s2 = s[2], *s3 = s[3];
        int64_t k = 0;
    #ifdef FOUR
        for (; k + 4 <= width; k += 4) {
            four a = *(const four *) (s0 + k), b = *(const four *) (s1 + k);
            four c = *(const four *) (s2 + k), d = *(const four *) (s3 + k);
            TURN(a, b, c, d);
            *(four *) (panel + k * PANEL) = a;
            *(four *) (panel + (k + 1) * PANEL) = b;
            *(four *) (panel + (k + 2) * PANEL) = c;
            *(four *) (panel + (k + 3) * PANEL) = d;
        }
    #endif
        for (; k < width; k++) {
            panel[k * PANEL] = s0[k];
            panel[k * PANEL + 1] = s1[k];
            panel[k * PANEL + 2] = s2[k];
            panel[k * PANEL + 3] = s3[k];
        }
    }

    /* folded[j] = (or +=) the sum of the panel's places in list j of g. */
    FASTMATCH_INLINE void sum_places(const double *panel, const ancast_hood *g, const int64_t *start,
                                     const int32_t *part, int width, int add, double *folded)
    {
        for (int64_t q = 0; q < g->n; q++) {
            int64_t j = g->order[q], n = start[j + 1] - start[j];
            double *to = folded + j * PANEL;
            const int32_t *list = part + start[j];
    #ifdef FOUR
            four low = {0, 0, 0, 0}, high = {0, 0, 0, 0};
            if (n == 2) {
                const double *a = panel + (int64_t) list[0] * PANEL, *b = panel + (int64_t) list[1] * PANEL;
                low = *(const four *) a + *(const four *) b;
                if (width > 4)
                    high = *(const four *) (a + 4) + *(const four *) (b + 4);
            } else
                for (int64_t m = 0; m < n; m++) {
                    const double *a = panel + (int64_t) list[m] * PANEL;
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
            double sum[PANEL] = {0};
            for (int64_t m = 0; m < n; m++)
                for (int r = 0; r < width; r++)
                    sum[r] += panel[(int64_t) list[m] * PANEL + r];
            for (int r = 0; r < width; r++)
                to[r] = add ? to[r] + sum[r] : sum[r];
    #endif
        }
    }

    /* d[r, j] = folded[j, r] times factor and ratio, + 1, for four rows. */
    FASTMATCH_INLINE void out_of_panel(const double *folded, int64_t n, const double *const *ratio, double factor,
                                       double *const *d)
    {
        double *d0 = d[0], *d1 = d[1], *d2 = d[2], *d3 = d[3];
        const double *y0 = ratio[0], *y1 = ratio[1], *y2 = ratio[2], *y3 = ratio[3];
        int64_t j = 0;
    #ifdef FOUR
        for (; j + 4 <= n; j += 4) {
            four a = *(const four *) (folded + j * PANEL), b = *(const four *) (folded + (j + 1) * PANEL);
            four c = *(const four *) (folded + (j + 2) * PANEL), e = *(const four *) (folded + (j + 3) * PANEL);
            TURN(a, b, c, e);
            *(four *) (d0 + j) = a * factor * *(const four *) (y0 + j) + 1.0;
            *(four *) (d1 + j) = b * factor * *(const four *) (y1 + j) + 1.0;
            *(four *) (d2 + j) = c * factor * *(const four *) (y2 + j) + 1.0;
            *(four *) (d3 + j) = e * factor * *(const four *) (y3 + j) + 1.0;
        }
    #endif
        for (; j < n; j++) {
            d0[j] = folded[j * PANEL] * factor * y0[j] + 1.0;
            d1[j] = folded[j * PANEL + 1] * factor * y1[j] + 1.0;
            d2[j] = folded[j * PANEL + 2] * factor * y2[j] + 1.0;
            d3[j] = folded[j * PANEL + 3] * factor * y3[j] + 1.0;
        }
    }

    /* Up to ``width`` rows, 4 or 8: to[i, j] = 1 + the sum of ``from`` over t's list i and g's list j, times their
       ratio. Eight rows go together, turned into columns, because what costs is finding out what to add. */
    FASTMATCH_INLINE void receive_rows(const ancast_spread *s, const ancast_hood *t, const ancast_hood *g,
                                       const double *from, int64_t columns, int64_t line, const double *ratio,
                                       const int32_t *size, int64_t first, int64_t rows, int width, double *to)
    {
        const double *zeros = s->lines + PANEL * line, *source[PANEL], *by[PANEL];
        double *target[PANEL];
        for (int two = 0; two <= s->hops; two++) {
            const int64_t *start = two ? t->start_two : t->start;
            const int32_t *part = two ? t->part_two : t->part;
            for (int r = 0; r < width; r++)
                source[r] = r < rows ? sum_rows(from, columns, part + start[first + r],
                                                start[first + r + 1] - start[first + r], zeros, s->lines + r * line)
                                     : zeros;
            for (int r = 0; r < width; r += 4)
                into_panel(source + r, columns, s->panel + r);
            if (two)
                sum_places(s->panel, g, g->start_two, g->part_two, width, 1, s->folded);
            else
                sum_places(s->panel, g, g->start, g->part, width, 0, s->folded);
        }
        for (int r = 0; r < width; r++) {   /* rows that are not there go where nobody looks */
            target[r] = r < rows ? to + (first + r) * g->n : s->lines + (PANEL + 1) * line;
            by[r] = r < rows ? ratio + (int64_t) size[first + r] * g->n : zeros;
        }
        for (int r = 0; r < width; r += 4)
            out_of_panel(s->folded + r, g->n, by + r, s->factor, target + r);
    }

    FASTMATCH_INLINE void receive(const ancast_spread *s, const ancast_hood *t, const ancast_hood *g,
                                  const double *from, int64_t columns, int64_t line, const double *ratio,
                                  const int32_t *size, double *to)
    {
        int64_t i = 0;
        for (; i + 4 < t->n; i += PANEL)
            receive_rows(s, t, g, from, columns, line, ratio, size, i, t->n - i, PANEL, to);
        if (i < t->n)
            receive_rows(s, t, g, from, columns, line, ratio, size, i, t->n - i, 4, to);
    }

    /* Si and So + 1 to V, X and B, but for anchors. Returns the largest value. */
    FASTMATCH_INLINE double combine(const ancast_spread *s)
    {
        int64_t n_t = s->t_in->n, n_g = s->g_in->n, c_g = s->g_out->n, line = c_g > n_g ? c_g : n_g;
        double *wide = s->lines, *most = s->lines + line, *added = s->lines + 2 * line, largest = 0;
        for (int64_t k = 0; k < line; k++)
            most[k] = 0;
        for (int64_t i = 0; i < n_t; i++) {
            double *leaf = s->leaf + i * n_g, *sums = s->sums + i * n_g, nodes = s->t_nodes[i], loud = s->t_loud[i];
            int64_t width = i < s->t_hushed ? n_g : s->g_hushed, first = s->t_first[i], stop = first + s->t_loud[i];
            const double *row = added;
            if (first < stop)
                for (int64_t k = 0; k < c_g; k++)
                    wide[k] = leaf[s->g_group[k]];
            APART
            for (int64_t j = 0; j < width; j++) {
                double y = sqrt(leaf[j] - 1.0);
                leaf[j] = y;
                sums[j] = (nodes * s->g_nodes[j] - loud * s->g_loud[j]) * y;
                most[j] = y > most[j] ? y : most[j];
            }
            for (int64_t j = width; j < n_g; j++)
                sums[j] = 0;
            for (int64_t c = first; c < stop; c++) {
                double *x = s->value + c * c_g;
                if (c == first) {
                    row = x;
                    APART
                    for (int64_t k = 0; k < c_g; k++) {
                        double y = sqrt(x[k] * wide[k] - 1.0);
                        x[k] = y;
                        most[k] = y > most[k] ? y : most[k];
                    }
                } else {
                    APART
                    for (int64_t k = 0; k < c_g; k++) {
                        double y = sqrt(x[k] * wide[k] - 1.0);
                        x[k] = y;
                        added[k] = row[k] + y;
                        most[k] = y > most[k] ? y : most[k];
                    }
                    row = added;
                }
            }
            if (first < stop)
                for (int64_t q = 0; q < n_g; q++) {
                    int64_t j = s->g_fold[q], n = s->g_loud_count[j];
                    const double *x = row + s->g_first[j];
                    double sum = sums[j];
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

    /* Anchors are worth ``one`` at least, which is 1 before it is multiplied by the factor. */
    FASTMATCH_INLINE void pin(ancast_spread *s, double one)
    {
        int64_t n_t = s->t_in->n, n_g = s->g_in->n, c_g = s->g_out->n;
        for (int64_t i = 0; i < n_t; i++) {
            double *leaf = s->leaf + i * n_g, *sums = s->sums + i * n_g;
            for (int32_t at = s->leaf_start[i]; at < s->leaf_start[i + 1]; at++) {
                int32_t j = s->leaves[at];
                sums[j] += leaf[j] < one ? one - leaf[j] : 0.0;
            }
            for (int32_t at = s->leaf_start[i]; at < s->leaf_start[i + 1]; at++) {
                int32_t j = s->leaves[at];      /* nothing but anchors */
                if (s->alone[at])
                    leaf[j] = leaf[j] < one ? one : leaf[j];
            }
            for (int64_t c = s->t_first[i]; c < s->t_first[i] + s->t_loud[i]; c++)
                for (int32_t at = s->pins_start[c]; at < s->pins_start[c + 1]; at++) {
                    int32_t k = s->pins[at];
                    double *x = s->value + c * c_g + k;
                    if (*x < one) {
                        sums[s->g_group[k]] += one - *x;
                        *x = one;
                    }
                }
        }
    }

    FASTMATCH_INLINE int row_moves(const double *x, const double *before, int64_t n, double factor,
                                   double factor_before, double tolerance, double relative)
    {
        int moved = 0;
        for (int64_t k = 0; k < n; k++) {
            double y = x[k] * factor;
            moved |= fabs(before[k] * factor_before - y) - relative * y > tolerance;
        }
        return moved;
    }

    FASTMATCH_INLINE int moves(const ancast_spread *s, double factor)
    {
        int64_t n_t = s->t_in->n, n_g = s->g_in->n, c_g = s->g_out->n;
        for (int64_t i = 0; i < n_t; i++)
            if (row_moves(s->leaf + i * n_g, s->leaf_before + i * n_g, i < s->t_hushed ? n_g : s->g_hushed, factor,
                          s->factor, s->tolerance, s->relative))
                return 1;
        for (int64_t c = 0; c < s->t_out->n; c++)
            if (row_moves(s->value + c * c_g, s->before + c * c_g, c_g, factor, s->factor, s->tolerance, s->relative))
                return 1;
        return 0;
    }

    FASTMATCH_INLINE void swap_values(ancast_spread *s)
    {
        double *swap = s->before;
        s->before = s->value;
        s->value = swap;
        swap = s->leaf_before;
        s->leaf_before = s->leaf;
        s->leaf = swap;
    }

    /* Nothing but anchors. */
    FASTMATCH_WIDE static void begin_spread(ancast_spread *s)
    {
        int64_t loud = s->t_out->n * s->g_out->n, groups = s->t_in->n * s->g_in->n;
        memset(s->value, 0, loud * sizeof(double));
        memset(s->leaf, 0, groups * sizeof(double));
        memset(s->sums, 0, groups * sizeof(double));
        pin(s, 1.0);
        s->factor = s->largest = 1.0;
        swap_values(s);
    }

    /* One step, from ``before``; the new values are there afterwards. Returns whether one has moved.

       Values are to be divided by the largest and multiplied by the scale. They are left as they are, and the factor
       goes into the next step's sums, because a division takes as long as a square root. */
    FASTMATCH_WIDE static int spread(ancast_spread *s)
    {
        int64_t c_g = s->g_out->n, d_g = s->g_in->n, line = c_g > d_g ? c_g : d_g;
        double largest, factor;
        int moved;
        receive(s, s->t_in, s->g_in, s->before, c_g, line, s->ratio_in, s->size_in, s->leaf);
        receive(s, s->t_out, s->g_out, s->sums, d_g, line, s->ratio_out, s->size_out, s->value);
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

    /* F of a node of t with all of g, in ten-thousandths, rounded to the nearest whole number, a half to the even one;
       the largest of them, and of each column so far. */
    FASTMATCH_WIDE static int32_t weigh(const double *values, const int32_t *place, double largest, double scale,
                                        const double *similarity, double alpha, double beta, const int32_t *pins,
                                        int32_t n_pins, double *line, int32_t *final, int32_t *column_most, int64_t n)
    {
        int32_t most = -2147483647;
        for (int64_t j = 0; j < n; j++)
            line[j] = values[place[j]];
        for (int64_t j = 0; j < n; j++)
            line[j] = line[j] / largest * scale;
        for (int32_t p = 0; p < n_pins; p++)
            line[pins[p]] = values[place[pins[p]]] * scale > largest ? line[pins[p]] : 1.0;
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
    """
    ctypedef struct ancast_spread:
        const Hood *t_out
        const Hood *t_in
        const Hood *g_out
        const Hood *g_in
        int64_t t_hushed
        int64_t g_hushed
        const int32_t *t_nodes
        const int32_t *t_loud
        const int32_t *t_first
        const double *g_nodes
        const double *g_loud
        const int32_t *g_loud_count
        const int32_t *g_first
        const int32_t *g_fold
        const int32_t *g_group
        bint hops
        const double *ratio_out
        const double *ratio_in
        const int32_t *size_out
        const int32_t *size_in
        double *value
        double *before
        double *leaf
        double *leaf_before
        double *sums
        double factor
        double largest
        double *lines
        double *panel
        double *folded
        const int32_t *pins_start
        const int32_t *pins
        const int32_t *leaf_start
        const int32_t *leaves
        const uint8_t *alone
        double scale
        double tolerance
        double relative
    void begin_spread(ancast_spread *s) noexcept nogil
    bint spread(ancast_spread *s) noexcept nogil
    int32_t weigh(
        const double *values, const int32_t *place, double largest, double scale, const double *similarity,
        double alpha, double beta, const int32_t *pins, int32_t n_pins, double *line, int32_t *final,
        int32_t *column_most, int64_t n
    ) noexcept nogil


cdef enum:
    # Values of a broadcast from which on Ctrl-C is looked for in every step.
    MANY_CELLS = 20000


cdef void measure_sizes(
    const Hood *t, const Hood *g, bint hops, double *ratio, int32_t *size, int32_t *first
) noexcept nogil:
    """For each number of neighbours on t's side: the smaller number by the larger one for all of g's; 0 if one is 0.

    1 throughout if hops are told apart. ``size``: which row each list of t has. ``first``: what a row was made for.
    """
    cdef int32_t i, j, k, rows = 0
    if hops:
        memset(size, 0, t.n * sizeof(int32_t))
        for j in range(g.n if t.n else 0):
            ratio[j] = 1
        return
    for i in range(t.n):
        k = 0
        while k < rows and t.size[first[k]] != t.size[i]:
            k += 1
        size[i] = k
        if k < rows:
            continue
        first[k] = i
        rows += 1
        for j in range(g.n):
            if t.size[i] == 0 or g.size[j] == 0:
                ratio[0] = 0
            else:
                ratio[0] = <double> min(t.size[i], g.size[j]) / <double> max(t.size[i], g.size[j])
            ratio += 1


cdef void measure(const View *t, const View *g, const Options *options, Scratch *scratch) noexcept nogil:
    """What stays as it is in all rounds."""
    cdef int32_t j
    measure_sizes(&t.out, &g.out, options.hops, scratch.ratio_out, scratch.size_out, scratch.pins_start)
    measure_sizes(&t.into, &g.into, options.hops, scratch.ratio_in, scratch.size_in, scratch.leaf_start)
    for j in range(g.into.n):
        scratch.group_nodes[j] = g.group_nodes[j]
        scratch.group_loud[j] = g.group_loud[j]
        scratch.counts[j] = 0
    memset(scratch.lines, 0, 10 * max(g.into.n, g.out.n) * sizeof(double))
    for j in range(g.n):
        scratch.place[j] = g.loud[j] if g.loud[j] >= 0 else g.out.n + g.group[j]


cdef void sort_anchors(const View *t, const View *g, Scratch *scratch) noexcept nogil:
    """Anchors of two loud nodes by loud node of t, all others by group of t; as loud nodes and groups of g."""
    cdef int32_t i, j, k, at
    cdef int32_t *start = scratch.pins_start
    cdef int32_t *leaf_start = scratch.leaf_start
    memset(start, 0, (t.out.n + 2) * sizeof(int32_t))
    memset(leaf_start, 0, (t.into.n + 2) * sizeof(int32_t))
    for i in range(t.n):
        for at in range(scratch.anchor_start[i], scratch.anchor_start[i + 1]):
            if t.loud[i] >= 0 and g.loud[scratch.anchor[at]] >= 0:
                start[t.loud[i] + 2] += 1
            else:
                leaf_start[t.group[i] + 2] += 1
    for k in range(t.out.n):
        start[k + 2] += start[k + 1]
    for k in range(t.into.n):
        leaf_start[k + 2] += leaf_start[k + 1]
    for i in range(t.n):
        for at in range(scratch.anchor_start[i], scratch.anchor_start[i + 1]):
            j = scratch.anchor[at]
            if t.loud[i] >= 0 and g.loud[j] >= 0:
                k = t.loud[i] + 1
                scratch.pins[start[k]] = g.loud[j]
                start[k] += 1
            else:
                k = t.group[i] + 1
                scratch.leaves[leaf_start[k]] = g.group[j]
                leaf_start[k] += 1
    for k in range(t.into.n):
        for at in range(leaf_start[k], leaf_start[k + 1]):
            scratch.counts[scratch.leaves[at]] += 1
        for at in range(leaf_start[k], leaf_start[k + 1]):
            j = scratch.leaves[at]
            scratch.alone[at] = scratch.counts[j] == (
                <int64_t> t.group_nodes[k] * g.group_nodes[j] - <int64_t> t.group_loud[k] * g.group_loud[j]
            )
        for at in range(leaf_start[k], leaf_start[k + 1]):
            scratch.counts[scratch.leaves[at]] = 0


cdef int broadcast(
    const View *t, const View *g, const Options *options, Scratch *scratch, const uint8_t *cancel
) noexcept nogil:
    """Spread the anchors until the values stay (equations 5 to 9), then F (equation 13) and its maxima."""
    cdef ancast_spread s
    cdef int32_t i, j, k, _iteration
    cdef const double *values
    cdef const int32_t *place
    cdef int64_t c_g = g.out.n, d_g = g.into.n
    cdef bint many = <int64_t> t.out.n * c_g + <int64_t> t.into.n * d_g > MANY_CELLS
    sort_anchors(t, g, scratch)
    s.t_out, s.t_in, s.g_out, s.g_in = &t.out, &t.into, &g.out, &g.into
    s.t_hushed, s.g_hushed = t.hushed, g.hushed
    s.t_nodes, s.t_loud, s.t_first = t.group_nodes, t.group_loud, t.group_first
    s.g_nodes, s.g_loud, s.g_group = scratch.group_nodes, scratch.group_loud, g.loud_group
    s.g_loud_count, s.g_first, s.g_fold = g.group_loud, g.group_first, g.group_fold
    s.hops = options.hops
    s.ratio_out, s.ratio_in = scratch.ratio_out, scratch.ratio_in
    s.size_out, s.size_in = scratch.size_out, scratch.size_in
    s.value, s.before, s.leaf, s.leaf_before = scratch.value, scratch.before, scratch.leaf, scratch.leaf_before
    s.sums, s.lines, s.panel, s.folded = scratch.sums, scratch.lines, scratch.panel, scratch.folded
    s.pins_start, s.pins = scratch.pins_start, scratch.pins
    s.leaf_start, s.leaves, s.alone = scratch.leaf_start, scratch.leaves, scratch.alone
    s.scale = options.neighbours if options.neighbours > 0 else 1
    s.tolerance, s.relative = options.tolerance, options.relative
    begin_spread(&s)
    for _iteration in range(options.iterations if options.neighbours > 0 else 0):
        if many:
            if cancel[0]:
                return STOPPED
            if interrupted():
                return INTERRUPTED
        if not spread(&s):
            break
    for j in range(g.n):
        scratch.column_most[j] = -2147483647
    for i in range(t.n):
        k = scratch.anchor_start[i]
        values = s.leaf_before + t.group[i] * d_g
        place = g.group
        if t.loud[i] >= 0:
            memcpy(scratch.joined, s.before + t.loud[i] * c_g, c_g * sizeof(double))
            memcpy(scratch.joined + c_g, values, d_g * sizeof(double))
            values = scratch.joined
            place = scratch.place
        scratch.row_most[i] = weigh(
            values, place, s.largest, s.scale, scratch.similarity + <int64_t> i * g.n, options.alpha, options.beta,
            scratch.anchor + k, scratch.anchor_start[i + 1] - k, scratch.line,
            scratch.final + <int64_t> i * g.n, scratch.column_most, g.n,
        )
    return FINE
