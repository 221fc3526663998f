from libc.stdint cimport int32_t, int64_t, uint8_t, uint16_t

from fastmatch._ext.base.arena cimport Arena
from fastmatch._ext.base.watch cimport Watch


# The assignment problem as a search sees it that starts from a row (own lines are rows, opposite lines are columns) or
# from a column (the other way round). A *line* is a row or a column.
cdef struct Side:
    int32_t n
    const int32_t *start              # [n + 1] into entry
    const int32_t *entry              # entries, grouped by own line; NULL if entries are numbered in that order
    # The opposite lines and the gains of ``entry``, side by side in its order, so that they are read as they lie in
    # memory; NULL: they are looked up.
    const int32_t *near
    const double *near_gain
    const int32_t *own                # [n_entries] the entry's own line; NULL: it stands in ``own_short``
    const int32_t *opposite           # [n_entries] the entry's opposite line
    const uint16_t *own_short
    const uint16_t *opposite_short
    double *own_price
    double *opposite_price
    int32_t *own_match
    int32_t *opposite_match
    int32_t *own_partner              # the opposite line of own_match, where there is one
    int32_t *opposite_partner


# What one path search knows of an opposite line.
cdef struct Line:
    double distance                   # infinite between searches
    int32_t via                       # place of the entry by which the path reaches it
    int32_t place                     # position in the heap, -1 outside it


# A line in the heap.
cdef struct Reached:
    double distance
    int32_t j


# A sparse linear assignment problem: choose entries (row, col), at most one in each row and column, so that the sum of
# their gains is largest.
cdef struct Assignment:
    int32_t n_rows
    int32_t n_cols
    # [n_entries] row and column of the entries, which are sorted by row, and their gains, of any sign: an entry without
    # positive gain is never chosen. NULL: see assignment_bind_short().
    const int32_t *row
    const int32_t *col
    const double *gain
    const float *gain_float
    double *alpha                     # [n_rows] prices: alpha[i] + beta[j] >= gain of every entry, all >= 0
    double *beta                      # [n_cols]
    int32_t *row_match                # [n_rows] chosen entry of the row, or -1
    int32_t *col_match                # [n_cols]
    int32_t *row_partner              # [n_rows] column of row_match, where there is one
    int32_t *col_partner              # [n_cols] row of col_match
    Side rows
    Side cols                         # only for reassign()
    # Gains of some entries as ``near_gain`` of either side, [rows.start[n_rows]], and the place among those of the
    # columns of each of the rows; NULL if the sides have none of their own.
    double *row_gain
    double *col_gain
    const int32_t *col_place
    # Work space of one path search. Indices are opposite lines.
    Line *line
    Reached *heap
    int32_t *tree                     # lines whose distance is final
    int64_t work                      # visits of entries so far; the caller sets it to 0
    int64_t limit                     # visits after which assign() and reassign() give up
    int64_t pause                     # visits after which they look whether they are to give up
    Watch *watch                      # NULL: nobody wants them to end early


cdef size_t assignment_size(int32_t n_rows, int32_t n_cols) noexcept nogil
cdef void assignment_init(Arena *arena, Assignment *lap, int32_t n_rows, int32_t n_cols) noexcept nogil
cdef void assignment_bind(Assignment *lap, const int32_t *row_start, const int32_t *row, const int32_t *col,
                          const double *gain) noexcept nogil
cdef void assignment_bind_short(Assignment *lap, const uint16_t *row, const uint16_t *col,
                                const float *gain) noexcept nogil
cdef void assignment_bind_cols(Assignment *lap, const int32_t *col_start, const int32_t *col_entry) noexcept nogil
cdef void assignment_narrow(Assignment *lap, const int32_t *row_start, const int32_t *row_entry,
                            const int32_t *col_start, const int32_t *col_entry) noexcept nogil
cdef void assignment_gather(Assignment *lap, const int32_t *row_near, double *row_gain, const int32_t *col_near,
                            double *col_gain, const int32_t *col_place) noexcept nogil
cdef double price_sum(const Assignment *assignment) noexcept nogil
cdef double assign(Assignment *lap) noexcept nogil
cdef double reassign(Assignment *lap, const uint8_t *row_changed) noexcept nogil
