"""Rows of everything against everything, from lists of features to scores, without the interpreter in between.

The graphs of the columns are taken in *tiles*, some thousand at a time. The overlaps of one graph with those of a tile
are a dense array of sums that stays in the cache. It is filled from two things: for a feature that few graphs have, the
places of the graphs that have it (*postings*); for one that many have, a *column*, a byte for each graph, which is
added as vectors are. Most of what two graphs share are a few features that every other graph has, so columns do most of
the work, and in a small part of the time that postings would take.

Counts are whole numbers, so sums are as well. A row takes the smallest type that holds any sum it can reach: a byte
mostly. Such sums do not depend on the order in which they are added, and a score made of them is the score of the pair
to the last bit. Lists with other values have postings only, with a value each, and sums in double precision, in the
order of the features, as a merge of two lists adds them.

What the caller wants of the sums (:mod:`fastmatch._ext.index.formulas` makes scores of them) is written once: a row of
a matrix (:func:`score_rows`), the pairs that reach a cutoff (:func:`find_rows`), the best k (:func:`best_rows`). For
the latter two the graphs stand in the order of their sizes, so that those of a block of some dozen are about equally
large. Then one number says what a graph of the block must share to be among the best so far, or to reach the cutoff;
mostly no graph shares as much, and the block is done. So is a tile whose graphs are all too large or too small.

Rows are taken some dozen at a time, the tiles one after the other for all of them: what a tile consists of is in the
cache then.
"""

from libc.stdint cimport int32_t, int64_t, uint8_t, uint16_t
from libc.string cimport memset

from fastmatch._ext.base.columns cimport release
from fastmatch._ext.base.interrupt cimport raise_signals
from fastmatch._ext.base.search cimport lower_bound
from fastmatch._ext.index.lists cimport sorted_pairs
from fastmatch._ext.index.slots cimport RowScorer
from fastmatch._ext.index.tiles cimport fm_add, fm_column, fm_weigh, number
from fastmatch._ext.index.wanted cimport finish_best, use_empty, use_tile, write_tile
from fastmatch._ext.index.work cimport (
    BAG_KIND, BATCH, DOT_KIND, Cursor, Row, Wanted, Work, narrow, open_row, open_work, place_of,
)

import numpy as np

cdef enum:
    # Cells between two looks at Ctrl-C: about a millisecond.
    STRIDE = 1 << 22


cdef void add_cursor(
    number *sums, Cursor *cursor, RowScorer rows, int32_t start, int32_t stop
) noexcept nogil:
    """Add to the sums of a tile what a slot of the row makes."""
    cdef int32_t place
    cdef double other
    if cursor.column >= 0:
        fm_column(sums, &rows.columns[cursor.column, start], stop - start, <int64_t> cursor.value)
        return
    if cursor.next == cursor.end or rows.places[cursor.next] >= stop:
        return
    if rows.places[cursor.next] < start:  # of tiles that were left out
        cursor.next = lower_bound(&rows.places[0], cursor.next, cursor.end, start)
    if rows.whole:
        cursor.next = fm_add(sums, &rows.places[0], cursor.next, cursor.end, start, stop, cursor.value)
        return
    cdef Py_ssize_t p = cursor.next
    while p < cursor.end and rows.places[p] < stop:
        place, other = rows.places[p], rows.values[p]
        if cursor.kind == DOT_KIND:
            other = cursor.value * other
        elif cursor.kind == BAG_KIND:
            other = min(cursor.value, other)
        else:
            other = 1.0
        sums[place - start] = <number> (sums[place - start] + other)
        p += 1
    cursor.next = p


cdef int sum_tile(
    number *sums, Row *row, Work *work, RowScorer rows, Wanted *wanted, Py_ssize_t start, Py_ssize_t stop
) except -1 nogil:
    """Add up one tile for one row, and use the sums."""
    cdef Py_ssize_t k, line, width = work.width, n = stop - start
    memset(sums, 0, rows.n_lines * width * sizeof(number))
    for k in range(row.n_cursors):
        add_cursor(sums + row.cursors[k].line * width, &row.cursors[k], rows, <int32_t> start, <int32_t> stop)
    if rows.scorer.linear and (rows.n_lines > 1 or rows.scorer.weights[0] != 1):
        for line in range(rows.n_lines):    # times their weights, added in their order
            fm_weigh(sums + line * width, rows.scorer.weights[line], line, width, work.total)
        if wanted.dense:
            write_tile(work.total, row, work, rows, wanted, start, n)
        else:
            use_tile(work.total, 1, row, work, rows, wanted, start, n)
    elif wanted.dense:
        write_tile(sums, row, work, rows, wanted, start, n)
    else:
        use_tile(sums, rows.n_lines, row, work, rows, wanted, start, n)
    return 0


cdef int go(
    RowScorer rows, Py_ssize_t start, Py_ssize_t stop, Wanted *wanted, const uint8_t[::1] cancel
) except -1:
    """Score these rows with all columns, in the manner that is wanted."""
    cdef Work work
    cdef Py_ssize_t batch, low, high, first, last, low_place, high_place, i, n, n_tiles, near, tile
    cdef Py_ssize_t n_gold = rows.scorer.n_gold
    cdef double least
    cdef Cursor *cursors
    cdef Row *row
    cdef int64_t[::1] order = start + rows.scorer.alike_together(start, stop)
    kept = []
    if start == stop:
        return 0
    open_work(&work, rows, order, wanted.streams, kept)
    with nogil:
        for batch in range((stop - start + BATCH - 1) // BATCH):
            low = batch * BATCH
            high = min(low + BATCH, stop - start)
            if cancel[0]:
                break
            cursors, n = work.cursors, 0
            for i in range(low, high):
                row = &work.rows[n]
                open_row(row, &work, rows, order[i], cursors)
                cursors += row.n_cursors
                if rows.scorer.sizes_pred[order[i]] != 0:
                    n += 1
                else:
                    use_empty(row, rows, wanted)
                    if not wanted.dense and not wanted.listed:
                        finish_best(row, rows, wanted)
            # from graphs as large as these on, then the smaller ones
            n_tiles, near = (n_gold + rows.tile - 1) // rows.tile, 0
            if rows.by_size and n and n_tiles:
                for i in range(n):
                    work.rows[i].middle = place_of(
                        rows.sizes_there, rows.scorer.sizes_pred[work.rows[i].number]
                    )
                near = min(work.rows[n // 2].middle // rows.tile, n_tiles - 1)
            for tile in range(n_tiles):
                tile = tile + near
                if tile == n_tiles:
                    for i in range(cursors - work.cursors):
                        work.cursors[i].next = work.cursors[i].begin
                first = tile % n_tiles * rows.tile
                last = min(first + rows.tile, n_gold)
                if last <= wanted.first:
                    continue
                work.base_of = -1.0
                for i in range(n):
                    row = &work.rows[i]
                    work.since += last - first
                    if work.since > STRIDE:
                        work.since = 0
                        raise_signals()
                    if rows.by_size and not wanted.dense:
                        least = wanted.cutoff
                        if not wanted.listed and row.n_best == wanted.k:
                            least = max(least, wanted.values[(row.number - wanted.start) * wanted.k])
                        if least > row.least:
                            narrow(row, rows, least, &work.memo)
                    low_place, high_place = max(first, row.low), min(last, row.high)
                    if low_place >= high_place:
                        continue
                    if row.bytes == 1:
                        sum_tile(<uint8_t *> work.sums, row, &work, rows, wanted, low_place, high_place)
                    elif row.bytes == 2:
                        sum_tile(<uint16_t *> work.sums, row, &work, rows, wanted, low_place, high_place)
                    else:
                        sum_tile(<double *> work.sums, row, &work, rows, wanted, low_place, high_place)
            if not wanted.dense and not wanted.listed:
                for i in range(n):
                    finish_best(&work.rows[i], rows, wanted)
    return 0


cdef int check_rows(
    RowScorer rows, Py_ssize_t start, Py_ssize_t stop, Py_ssize_t first, const uint8_t[::1] cancel
) except -1:
    if not 0 <= start <= stop <= rows.scorer.n_pred or not 0 <= first <= rows.scorer.n_gold:
        raise IndexError(f"rows {start} to {stop}, columns from {first}: no such graphs")
    if cancel.shape[0] < 1:
        raise ValueError("cancel must have one entry")
    return 0


def score_rows(
    RowScorer rows not None,
    Py_ssize_t start,
    Py_ssize_t stop,
    out not None,
    *,
    Py_ssize_t first=0,
    double cutoff=0.0,
    bint streams=False,
    const uint8_t[::1] cancel not None,
):
    """Scores of the graphs ``start`` … ``stop - 1`` with the graphs ``first``, ``first + 1``, … of the other corpus.

    Parameters
    ----------
    rows : RowScorer
    start, stop : int
        The rows, 0 <= start <= stop <= n_pred.
    out : float32 or float64, shape (stop - start, n_gold)
        Output; columns before ``first`` are left as they are.
    first : int
        The first column.
    cutoff : float
        Scores below it become 0.
    streams : bool
        Write past the cache, in which what is written has no room. It changes no score.
    cancel : uint8, shape (1,)
        Set to 1 by another thread, it leaves the remaining rows as they are.

    Raises
    ------
    ValueError, IndexError
        If an array's length or type, or an index, does not fit.

    Notes
    -----
    For each pair some additions of vectors, and one for each rare feature that the graphs share.
    """
    cdef Wanted wanted
    cdef Py_ssize_t width = rows.scorer.n_gold
    cdef float[:, ::1] single
    cdef double[:, ::1] full
    check_rows(rows, start, stop, first, cancel)
    if rows.by_size:
        raise ValueError("a matrix wants the columns as they are, not by size")
    if out.shape != (stop - start, width):
        raise ValueError("out must have one row a graph and one column a graph of the corpus")
    if start == stop or first == width:
        return
    memset(&wanted, 0, sizeof(Wanted))
    wanted.dense, wanted.cutoff, wanted.start, wanted.first, wanted.streams = True, cutoff, start, first, streams
    if out.dtype == np.float32:
        single = out
        wanted.single = &single[0, 0]
    else:
        full = out
        wanted.full = &full[0, 0]
    go(rows, start, stop, &wanted, cancel)


def find_rows(
    RowScorer rows not None,
    Py_ssize_t start,
    Py_ssize_t stop,
    *,
    bint triangle=False,
    double cutoff,
    const uint8_t[::1] cancel not None,
):
    """The pairs of these rows that score more than 0 and reach the cutoff.

    Parameters
    ----------
    rows : RowScorer
    start, stop : int
        The rows, 0 <= start <= stop <= n_pred.
    triangle : bool
        Of row i only the columns i, i + 1, …
    cutoff : float
        0 or more.
    cancel : uint8, shape (1,)
        Set to 1 by another thread, it ends the search early.

    Returns
    -------
    rows, columns : int32
    scores : float64
        The pairs, sorted by row and column.

    Raises
    ------
    ValueError, IndexError
        If an array's length or an index does not fit.
    MemoryError
        If the pairs do not fit in memory.
    """
    cdef Wanted wanted
    check_rows(rows, start, stop, 0, cancel)
    memset(&wanted, 0, sizeof(Wanted))
    wanted.listed, wanted.triangle, wanted.cutoff, wanted.start = True, triangle, cutoff, start
    try:
        go(rows, start, stop, &wanted, cancel)
        return sorted_pairs(&wanted.found, start, stop)
    finally:
        release(&wanted.found)


def best_rows(
    RowScorer rows not None,
    Py_ssize_t start,
    Py_ssize_t stop,
    *,
    double cutoff,
    bint skip_self,
    int32_t[:, ::1] indices not None,
    double[:, ::1] values not None,
    const uint8_t[::1] cancel not None,
):
    """The best scores of each of these rows, the best first, ties by column.

    Parameters
    ----------
    rows : RowScorer
    start, stop : int
        The rows, 0 <= start <= stop <= n_pred.
    cutoff : float
        Scores below it are left out.
    skip_self : bool
        Leave column i out of row i.
    indices, values : int32 and float64, shape (stop - start, k)
        Outputs: columns and scores; -1 and 0 where there are fewer.
    cancel : uint8, shape (1,)
        Set to 1 by another thread, it leaves the remaining rows as they are.

    Raises
    ------
    ValueError, IndexError
        If an array's length or an index does not fit.

    Notes
    -----
    As :func:`score_rows`, without most of the scores; O(log k) for one that is among the best so far.
    """
    cdef Wanted wanted
    cdef Py_ssize_t room = indices.shape[1]
    check_rows(rows, start, stop, 0, cancel)
    if indices.shape[0] != stop - start or values.shape[0] != stop - start or values.shape[1] != room:
        raise ValueError("indices and values must have one row a graph, and the same shape")
    if room == 0 or start == stop:
        return
    memset(&wanted, 0, sizeof(Wanted))
    wanted.cutoff, wanted.skip_self, wanted.start, wanted.k = cutoff, skip_self, start, room
    wanted.columns, wanted.values = &indices[0, 0], &values[0, 0]
    go(rows, start, stop, &wanted, cancel)
