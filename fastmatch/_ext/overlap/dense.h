/* The assignment of matching/assignment.pyx for a table of few lines, in which most cells have a gain.

   It takes the same steps, so it makes the same choice, except where a path may go to one of several columns that are
   equally near: there the sparse form's heap decides, and the first column here. Without heap and lists, each step is a
   loop over a row: a third of the time for the nodes of a sentence. */

#ifndef FASTMATCH_OVERLAP_DENSE_H
#define FASTMATCH_OVERLAP_DENSE_H

#include <stdint.h>

#include "cells.h"

#define FM_DENSE_TO 64 /* columns of the largest table */
#define FM_DENSE_LANES (FM_DENSE_TO / FM_LANES)

/* Arrays over columns are padded to whole lanes. */
typedef union {
    double each[FM_DENSE_TO];
    fm_lane lane[FM_DENSE_LANES];
} fm_line;

typedef struct {
    int64_t column_of[FM_DENSE_TO]; /* the column of each row, or -1 */
    int64_t row_of[FM_DENSE_TO];
    double row_price[FM_DENSE_TO]; /* see assignment.pyx */
    fm_line column_price;
    fm_line gain[FM_DENSE_TO]; /* the caller fills it: of each row and column, 0 or more, and 0 in the padding */
    /* Work space of one path search. Indices are columns. */
    fm_line distance;
    fm_line open;              /* the same, but beyond all ends where it is final */
    fm_line via;               /* the row from which the path reaches a column */
    int64_t tree[FM_DENSE_TO]; /* columns whose distance is final */
} fm_dense;

FM_ALWAYS int64_t fm_lanes_of(int64_t n)
{
    return (n + FM_LANES - 1) / FM_LANES;
}

/* Assign row `start`, which has none, or set its price to 0, whichever costs less. */
FM_ALWAYS void fm_path(fm_dense *d, int64_t n, int64_t start)
{
    int64_t r = start, end_row = start, end_column = -1, n_tree = 0, j, k, before, lanes = fm_lanes_of(n);
    double reached = 0.0, end = d->row_price[start];
    const double beyond = end + end + 1.0;
    for (k = 0; k < lanes; k++)
        for (j = 0; j < FM_LANES; j++)
            d->open.lane[k].each[j] = d->distance.lane[k].each[j] = beyond;
    for (;;) {
        const fm_line *gain = d->gain + r;
        double price = d->row_price[r], least = end;
        fm_lane row, nearest;
        for (j = 0; j < FM_LANES; j++) {
            row.each[j] = (double) r;
            nearest.each[j] = end;
        }
        for (k = 0; k < lanes; k++) {
            fm_lane length;
            fm_words nearer;
            length.number = price + d->column_price.lane[k].number - gain->lane[k].number;
            nearer = FM_LESS(0.0, length.number);
            length.bits &= nearer;
            length.number = reached + length.number;
            nearer = FM_LESS(length.number, d->distance.lane[k].number);
            fm_put(&d->distance.lane[k], &nearer, &length);
            fm_put(&d->open.lane[k], &nearer, &length);
            fm_put(&d->via.lane[k], &nearer, &row);
            nearer = FM_LESS(d->open.lane[k].number, nearest.number);
            fm_put(&nearest, &nearer, &d->open.lane[k]);
        }
        for (j = 0; j < FM_LANES; j++)
            least = nearest.each[j] < least ? nearest.each[j] : least;
        if (least >= end)
            break;
        j = 0;
        while (d->open.each[j] != least)
            j++;
        d->tree[n_tree++] = j;
        d->open.each[j] = beyond;
        reached = least;
        if (d->row_of[j] < 0) {
            end = reached;
            end_column = j;
            break;
        }
        r = d->row_of[j];
        if (reached + d->row_price[r] < end) {
            end = reached + d->row_price[r];
            end_row = r;
        }
    }
    d->row_price[start] -= end;
    for (k = 0; k < n_tree; k++) {
        j = d->tree[k];
        if (d->distance.each[j] < end) {
            d->column_price.each[j] += end - d->distance.each[j];
            d->row_price[d->row_of[j]] -= end - d->distance.each[j];
        }
    }
    if (end_column < 0) {
        d->row_price[end_row] = 0.0;
        if (end_row == start)
            return;
        j = d->column_of[end_row];
        d->column_of[end_row] = -1;
    } else
        j = end_column;
    for (;;) {
        r = (int64_t) d->via.each[j];
        before = d->column_of[r];
        d->column_of[r] = j;
        d->row_of[j] = r;
        if (r == start)
            return;
        j = before;
    }
}

/* Choose cells of d->gain[n_rows, n], at most one in each row and column, so that the sum of their gains is largest.

   d->column_of receives the choice. A cell without gain is never chosen. */
FM_ALWAYS void fm_assign_any(fm_dense *d, int64_t n_rows, int64_t n)
{
    int64_t i, j, k, best, lanes = fm_lanes_of(n);
    for (j = 0; j < lanes * FM_LANES; j++) {
        d->column_price.each[j] = 0.0;
        d->row_of[j] = -1;
    }
    for (i = 0; i < n_rows; i++) {
        fm_line value;
        fm_lane largest;
        fm_words larger;
        double top = 0.0;
        for (j = 0; j < FM_LANES; j++)
            largest.each[j] = 0.0;
        for (k = 0; k < lanes; k++) {
            value.lane[k].number = d->gain[i].lane[k].number - d->column_price.lane[k].number;
            larger = FM_LESS(largest.number, value.lane[k].number);
            fm_put(&largest, &larger, &value.lane[k]);
        }
        for (j = 0; j < FM_LANES; j++)
            top = largest.each[j] > top ? largest.each[j] : top;
        d->row_price[i] = top;
        d->column_of[i] = -1;
        if (top == 0.0)
            continue;
        /* of equally good columns the first that is free, else the first */
        best = 0;
        while (value.each[best] != top)
            best++;
        if (d->row_of[best] >= 0)
            for (j = best + 1; j < n; j++)
                if (value.each[j] == top && d->row_of[j] < 0) {
                    best = j;
                    break;
                }
        if (d->row_of[best] < 0) {
            d->row_of[best] = i;
            d->column_of[i] = best;
        } else
            fm_path(d, n, i);
    }
}

FM_VERSIONS(void, , fm_assign, (fm_dense * d, int64_t n_rows, int64_t n), (d, n_rows, n))

#endif
