/* The largest entries of a row of F, and of columns. */

#ifndef FASTMATCH_ANCHORS_MATCH_H
#define FASTMATCH_ANCHORS_MATCH_H

#include <stdint.h>

#include "hood.h"

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
