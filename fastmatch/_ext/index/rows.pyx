"""Rows of everything against everything, from inverted indexes to scores, without the interpreter in between.

For each row the overlaps of one graph with all graphs of a corpus are summed over the postings of its features
(:mod:`fastmatch._ext.index.postings`), and a formula makes scores of them (:mod:`fastmatch._ext.index.formulas`). The
memory for that is small enough to stay in the cache. What the caller wants of the scores is then written once: a row of
a matrix (:func:`score_rows`), those that reach a cutoff (:func:`find_rows`), the best k (:func:`best_rows`).

With a cutoff most graphs need not be scored. The rarest features of the row are looked at first. Once the rest of its
lists could not reach the cutoff alone, no further graph is taken up (prefix filtering: Bayardo, Ma and Srikant 2007,
"Scaling up all pairs similarity search"): the long postings of the commonest features only add to graphs that were met
before. This adds overlaps in another order than a merge of two lists would. Sums of whole numbers do not depend on the
order; lists with other values are always added in the order of their features.
"""

from libc.stdint cimport int32_t, int64_t, uint8_t
from libc.stdlib cimport free, malloc, realloc

from fastmatch._ext.base.best cimport offer, sort_best
from fastmatch._ext.index.postings cimport (
    FeatureIndex, Lists, Overlaps, add_feature, add_feature_of_met, add_overlaps, check_lists, clear_overlaps,
    close_overlaps, lists_of, open_overlaps,
)
from fastmatch._ext.base.interrupt cimport interrupted, raise_pending
from fastmatch._ext.base.status cimport FINE, INTERRUPTED, NO_MEMORY, raise_status
from fastmatch._ext.index.formulas cimport OverlapScorer
from fastmatch._ext.base.sorting cimport Pair, sort_pairs

from fastmatch._ext.index.postings import DOT

import numpy as np

cdef enum:
    # Cells between two looks at Ctrl-C: about a millisecond.
    STRIDE = 1 << 20

# A feature's place is its list's number times this, and its place in the list; no list is as long.
cdef int64_t PLACES = 1099511627776

#: Needs are computed in floating point: by this much they are taken to be less strict than they are.
cdef double SLACK = 1 - 1e-9

ctypedef fused real:
    float
    double


cdef class RowScorer:
    """The graphs of two corpora, ready to be scored row by row, in any number of threads.

    Parameters
    ----------
    indexes : tuple of :class:`~fastmatch._ext.index.postings.FeatureIndex`
        Of the columns' lists, one for each overlap of the scorer.
    lists : tuple of (offsets, ids, values)
        For each index the rows' lists, as :meth:`~fastmatch._ext.index.postings.FeatureIndex.candidates` takes them.
    scorer : OverlapScorer
        Makes scores of overlaps.

    Raises
    ------
    ValueError, IndexError
        If an array's length or an index does not fit, or a value is not above 0.
    """

    cdef readonly OverlapScorer scorer
    cdef tuple owners           # of the memory that the tables point into
    cdef Lists *tables
    cdef Py_ssize_t longest     # features of a row, in all lists, at most
    cdef bint whole             # all values are whole numbers

    def __cinit__(self, tuple indexes not None, tuple lists not None, OverlapScorer scorer not None):
        cdef Py_ssize_t line, k, n_lists = len(indexes)
        cdef FeatureIndex index
        cdef const int64_t[::1] offsets
        cdef const int32_t[::1] ids
        cdef const double[::1] values
        if n_lists != scorer.n_overlaps or len(lists) != n_lists:
            raise ValueError(f"{n_lists} indexes and {len(lists)} lists for {scorer.n_overlaps} overlaps")
        self.scorer, self.owners, self.whole = scorer, (indexes, lists), True
        counts = np.zeros(scorer.n_pred, np.int64)
        for index, (offsets, ids, values) in zip(indexes, lists, strict=True):
            if index.n_graphs != scorer.n_gold or offsets.shape[0] != scorer.n_pred + 1:
                raise ValueError(
                    f"lists of {offsets.shape[0] - 1} and an index of {index.n_graphs} graphs, a scorer of "
                    f"{scorer.n_pred} and {scorer.n_gold}"
                )
            if scorer.bags_only and index.kind == DOT:
                raise ValueError("this formula takes sets and bags, not products")
            check_lists(index, offsets, ids, values, 0, scorer.n_pred)
            counts += np.diff(np.asarray(offsets))
            for k in range(values.shape[0]):
                self.whole &= values[k] == <double> <int64_t> values[k]
            for k in range(index.values.shape[0]):
                self.whole &= index.values[k] == <double> <int64_t> index.values[k]
        self.longest = counts.max(initial=0)
        self.tables = <Lists *> malloc((n_lists + 1) * sizeof(Lists))
        if self.tables == NULL:
            raise MemoryError()
        for line in range(n_lists):
            offsets, ids, values = lists[line]
            self.tables[line] = lists_of(indexes[line], offsets, ids, values)

    def __dealloc__(self):
        free(self.tables)


cdef struct Work:
    # What a thread needs to score rows.
    Overlaps overlaps
    double *scores      # of the graphs met
    Pair *order         # features of the row, the rarest first
    Pair *scratch
    Py_ssize_t since    # cells since the last look at Ctrl-C


cdef int open_work(Work *work, RowScorer rows) except -1:
    cdef int status = open_overlaps(&work.overlaps, rows.scorer.n_overlaps, rows.scorer.n_gold)
    work.scores = <double *> malloc((rows.scorer.n_gold + 1) * sizeof(double))
    work.order = <Pair *> malloc(2 * (rows.longest + 1) * sizeof(Pair))
    work.scratch = work.order + rows.longest + 1
    work.since = 0
    if status < 0 or work.scores == NULL or work.order == NULL:
        close_work(work)
        raise MemoryError()
    return 0


cdef void close_work(Work *work) noexcept:
    close_overlaps(&work.overlaps)
    free(work.scores)
    free(work.order)


cdef bint score_row(Work *work, RowScorer rows, Py_ssize_t row, Py_ssize_t first, double cutoff) noexcept nogil:
    """Meet the graphs from ``first`` on that may reach the cutoff, and score them; False: interrupted."""
    cdef Overlaps *overlaps = &work.overlaps
    cdef Py_ssize_t line, k
    cdef double need = 0.0
    work.since += overlaps.n_graphs
    if work.since > STRIDE:
        work.since = 0
        if interrupted():
            return False
    clear_overlaps(overlaps)
    if rows.scorer.sizes_pred[row] == 0:
        for k in range(first, overlaps.n_graphs):
            if rows.scorer.sizes_gold[k] == 0:
                overlaps.met[overlaps.n_met] = <int32_t> k
                overlaps.seen[k] = 1
                work.scores[overlaps.n_met] = rows.scorer.of_empty
                overlaps.n_met += 1
        return True
    if cutoff > 0 and rows.whole:
        need = rows.scorer.need(row, cutoff)
    if need > 0:
        add_rare_first(work, rows, row, first, need * SLACK)
    else:
        for line in range(overlaps.n_lines):
            add_overlaps(overlaps, line, &rows.tables[line], row, first)
    rows.scorer.score_met(overlaps, row, cutoff, work.scores)
    return True


cdef void add_rare_first(
    Work *work, RowScorer rows, Py_ssize_t row, Py_ssize_t first, double need
) noexcept nogil:
    """Add the overlaps with the graphs whose shared features may be worth the need."""
    cdef Py_ssize_t line, k, place, n = 0
    cdef double left = 0.0
    cdef const Lists *lists
    for line in range(work.overlaps.n_lines):
        lists = &rows.tables[line]
        if lists.ids == NULL:
            continue
        for k in range(lists.offsets[row], lists.offsets[row + 1]):
            if lists.ids[k] < 0:
                continue
            work.order[n].major = lists.posting_offsets[lists.ids[k] + 1] - lists.posting_offsets[lists.ids[k]]
            if rows.scorer.worth(line, lists.values[k]) == 0:  # to the end: no graph is taken up for it
                work.order[n].major += PLACES
            work.order[n].minor = line * PLACES + k
            n += 1
            left += rows.scorer.worth(line, lists.values[k])
    sort_pairs(work.order, n, work.scratch)
    for place in range(n):
        line, k = work.order[place].minor // PLACES, work.order[place].minor % PLACES
        if left >= need:
            add_feature(&work.overlaps, line, &rows.tables[line], k, first)
            left -= rows.scorer.worth(line, rows.tables[line].values[k])
        elif work.overlaps.n_met:
            add_feature_of_met(&work.overlaps, line, &rows.tables[line], k, first)
        else:
            break


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
    cancel : uint8, shape (1,)
        Set to 1 by another thread, it leaves the remaining rows as they are.

    Raises
    ------
    ValueError, IndexError
        If an array's length or type, or an index, does not fit.

    Notes
    -----
    An addition for each feature that two graphs share, a score for each pair that shares one; a row of zeros.
    """
    cdef Work work
    cdef Py_ssize_t row, width = rows.scorer.n_gold
    cdef float[:, ::1] single
    cdef double[:, ::1] full
    cdef float *to_single = NULL
    cdef double *to_full = NULL
    cdef bint stopped = False
    check_rows(rows, start, stop, first, cancel)
    if out.shape != (stop - start, width):
        raise ValueError("out must have one row a graph and one column a graph of the corpus")
    if start == stop or first == width:
        return
    if out.dtype == np.float32:
        single = out
        to_single = &single[0, 0]
    else:
        full = out
        to_full = &full[0, 0]
    open_work(&work, rows)
    with nogil:
        for row in range(start, stop):
            if cancel[0]:
                break
            if not score_row(&work, rows, row, first, cutoff):
                stopped = True
                break
            if to_single != NULL:
                write_row(&work, to_single + (row - start) * width, first, cutoff)
            else:
                write_row(&work, to_full + (row - start) * width, first, cutoff)
    close_work(&work)
    if stopped:
        raise_pending()


cdef void write_row(const Work *work, real *target, Py_ssize_t first, double cutoff) noexcept nogil:
    cdef Py_ssize_t k
    for k in range(first, work.overlaps.n_graphs):
        target[k] = 0
    for k in range(work.overlaps.n_met):
        if work.scores[k] >= cutoff:
            target[work.overlaps.met[k]] = <real> work.scores[k]


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
    cdef Work work
    cdef Py_ssize_t row, k, n = 0, n_found = 0, room = 0
    cdef int status = FINE
    cdef Found *found = NULL
    cdef Pair *reached
    check_rows(rows, start, stop, 0, cancel)
    open_work(&work, rows)
    reached = <Pair *> malloc(2 * (rows.scorer.n_gold + 1) * sizeof(Pair))
    if reached == NULL:
        status = NO_MEMORY
    if status == FINE:
        with nogil:
            for row in range(start, stop):
                if cancel[0]:
                    break
                if not score_row(&work, rows, row, min(row, rows.scorer.n_gold) if triangle else 0, cutoff):
                    status = INTERRUPTED
                    break
                n = 0
                for k in range(work.overlaps.n_met):
                    if work.scores[k] >= cutoff and work.scores[k] > 0:
                        reached[n].major, reached[n].minor = work.overlaps.met[k], k
                        n += 1
                sort_pairs(reached, n, reached + rows.scorer.n_gold + 1)
                if n_found + n > room:
                    room = 2 * room + n + 1024
                    status = grow(&found, room)
                    if status != FINE:
                        break
                for k in range(n):
                    found[n_found].row, found[n_found].column = <int32_t> row, <int32_t> reached[k].major
                    found[n_found].score = work.scores[reached[k].minor]
                    n_found += 1
    close_work(&work)
    free(reached)
    if status != FINE:
        free(found)
        raise_status(status, "the pairs do not fit in memory")
    found_rows, columns = np.empty(n_found, np.int32), np.empty(n_found, np.int32)
    scores = np.empty(n_found)
    cdef int32_t[::1] out_rows = found_rows
    cdef int32_t[::1] out_columns = columns
    cdef double[::1] out_scores = scores
    for k in range(n_found):
        out_rows[k], out_columns[k], out_scores[k] = found[k].row, found[k].column, found[k].score
    free(found)
    return found_rows, columns, scores


cdef struct Found:
    int32_t row
    int32_t column
    double score


cdef int grow(Found **found, Py_ssize_t room) noexcept nogil:
    """Make room for so many pairs: FINE or NO_MEMORY."""
    cdef Found *larger = <Found *> realloc(found[0], room * sizeof(Found))
    if larger == NULL:
        return NO_MEMORY
    found[0] = larger
    return FINE


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
    As :func:`score_rows` without the row of zeros; O(log k) for a score that is among the best so far.
    """
    cdef Work work
    cdef Py_ssize_t row, k, n, own, room = indices.shape[1], width = rows.scorer.n_gold
    cdef double score
    cdef double *heap
    cdef int32_t *places
    cdef int32_t column
    cdef bint stopped = False
    check_rows(rows, start, stop, 0, cancel)
    if indices.shape[0] != stop - start or values.shape[0] != stop - start or values.shape[1] != room:
        raise ValueError("indices and values must have one row a graph, and the same shape")
    if room == 0 or start == stop:
        return
    open_work(&work, rows)
    with nogil:
        for row in range(start, stop):
            if cancel[0]:
                break
            if not score_row(&work, rows, row, 0, cutoff):
                stopped = True
                break
            heap, places, n = &values[row - start, 0], &indices[row - start, 0], 0
            own = row if skip_self else -1
            for k in range(work.overlaps.n_met):
                score, column = work.scores[k], work.overlaps.met[k]
                if score < cutoff or score <= 0 or column == own:
                    work.overlaps.seen[column] = 0
                else:
                    n = offer(heap, places, n, room, score, column)
            sort_best(heap, places, n)
            # if there is room left, all graphs still seen are in the list; all others score 0
            column = 0
            while cutoff <= 0 and n < room and column < width:
                if column != own and not work.overlaps.seen[column]:
                    heap[n], places[n] = 0.0, column
                    n += 1
                column += 1
            for k in range(n, room):
                heap[k], places[k] = 0.0, -1
    close_work(&work)
    if stopped:
        raise_pending()
