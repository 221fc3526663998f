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

from libc.math cimport ceil
from libc.stdint cimport int32_t, int64_t, uint8_t, uint16_t, uint32_t
from libc.stdlib cimport free, malloc, realloc
from libc.string cimport memset

from fastmatch._ext.base.best cimport offer, sort_best
from fastmatch._ext.base.interrupt cimport interrupted
from fastmatch._ext.base.search cimport lower_bound
from fastmatch._ext.base.sorting cimport Pair, sort_pairs
from fastmatch._ext.base.status cimport FINE, INTERRUPTED, NO_MEMORY, raise_status
from fastmatch._ext.index.formulas cimport Memo, OverlapScorer
from fastmatch._ext.index.postings cimport FeatureIndex, check_lists

import numpy as np

from fastmatch._ext.index.postings import BAG, DOT

cdef extern from "tiles.h":
    enum:
        FM_BLOCK
        FM_KNOWN
    void fm_prefetch(const int32_t *) noexcept nogil
    int64_t fm_add_uint8_t(
        uint8_t *, const int32_t *, int64_t, int64_t, int32_t, int32_t, uint8_t) noexcept nogil
    int64_t fm_add_uint16_t(
        uint16_t *, const int32_t *, int64_t, int64_t, int32_t, int32_t, uint16_t) noexcept nogil
    int64_t fm_add_double(double *, const int32_t *, int64_t, int64_t, int32_t, int32_t, double) noexcept nogil
    void fm_column_uint8_t(uint8_t *, const uint8_t *, int64_t, int64_t) noexcept nogil
    void fm_column_uint16_t(uint16_t *, const uint8_t *, int64_t, int64_t) noexcept nogil
    void fm_column_double(double *, const uint8_t *, int64_t, int64_t) noexcept nogil
    void fm_weigh_uint8_t(const uint8_t *, double, int64_t, int64_t, double *) noexcept nogil
    void fm_weigh_uint16_t(const uint16_t *, double, int64_t, int64_t, double *) noexcept nogil
    void fm_weigh_double(const double *, double, int64_t, int64_t, double *) noexcept nogil
    void fm_maxima_uint8_t(const uint8_t *, int64_t, double *) noexcept nogil
    void fm_maxima_uint16_t(const uint16_t *, int64_t, double *) noexcept nogil
    void fm_maxima_double(const double *, int64_t, double *) noexcept nogil
    int64_t fm_pick_uint8_t(const uint8_t *, int64_t, uint8_t, int32_t *) noexcept nogil
    int64_t fm_pick_uint16_t(const uint16_t *, int64_t, uint16_t, int32_t *) noexcept nogil
    int64_t fm_pick_double(const double *, int64_t, double, int32_t *) noexcept nogil
    void fm_keys(
        const uint8_t *, int64_t, int64_t, int32_t, const uint8_t *, uint8_t, int64_t, uint32_t *) noexcept nogil
    uint32_t fm_slot(uint32_t) noexcept nogil
    int64_t fm_known_float(const uint32_t *, int64_t, int64_t, const uint32_t *, const double *, float *) noexcept nogil
    int64_t fm_known_double(
        const uint32_t *, int64_t, int64_t, const uint32_t *, const double *, double *) noexcept nogil
    void fm_divide_float_uint8_t(const uint8_t *, const double *, double, double, int64_t, float *) noexcept nogil
    void fm_divide_float_uint16_t(const uint16_t *, const double *, double, double, int64_t, float *) noexcept nogil
    void fm_divide_float_double(const double *, const double *, double, double, int64_t, float *) noexcept nogil
    void fm_quotients_uint8_t(const uint8_t *, const float *, float, float, int64_t, float *) noexcept nogil
    void fm_quotients_uint16_t(const uint16_t *, const float *, float, float, int64_t, float *) noexcept nogil
    void fm_divide_double_uint8_t(const uint8_t *, const double *, double, double, int64_t, double *) noexcept nogil
    void fm_divide_double_uint16_t(const uint16_t *, const double *, double, double, int64_t, double *) noexcept nogil
    void fm_divide_double_double(const double *, const double *, double, double, int64_t, double *) noexcept nogil

cdef enum:
    # Rows that go through the tiles together.
    BATCH = 64
    # Cells between two looks at Ctrl-C: about a millisecond.
    STRIDE = 1 << 22
    # A feature that one graph in so many has is a column: then that takes no longer than the postings.
    COMMON = 32
    # Different sizes that keys of known scores tell apart.
    KINDS = 255
    # Bits of such a key for sums.
    KEY_BITS = 24
    # Kinds of lists, as in postings.pyx.
    BAG_KIND = 1
    DOT_KIND = 2
    # The highest value with which a list still counts as one of small whole numbers.
    HIGHEST = 65535
    # Whole numbers below it, and sums of two of them, are numbers of single precision.
    SMALL = 1 << 23

#: Graphs of a tile: their sums, of one byte each and in a few lines, fit the cache that is next to the processor.
TILE = 8192

#: The least number above 0, and one above all sums.
cdef double TINY = 5e-324
cdef double HUGE = 1e300
#: Rounding does not make a score with more matches lower than one with fewer by this part.
cdef double SLACK = 1 - 1e-9

ctypedef fused real:
    float
    double

ctypedef fused number:
    uint8_t
    uint16_t
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
    by_size : bool
        Whether the graphs of the columns stand in the order of their sizes: for :func:`find_rows` with a cutoff, and
        for :func:`best_rows`. :func:`score_rows` wants them as they are.
    tile : int
        Graphs of a tile, at least 1. No result depends on it.

    Raises
    ------
    ValueError, IndexError
        If an array's length or an index does not fit, or a value is not above 0.

    Notes
    -----
    Memory: 4 bytes for each posting (12 if values are not small whole numbers), 8 for each different feature, and for
    each feature that one graph in 32 has a byte a graph.
    """

    cdef readonly OverlapScorer scorer
    cdef readonly bint by_size
    cdef tuple indexes
    cdef tuple lists
    cdef Py_ssize_t tile
    cdef Py_ssize_t n_lists
    cdef Py_ssize_t n_lines         # of sums: 1 if the overlaps of all lists may be added up at once
    cdef bint whole                 # all values are small whole numbers
    # A slot is what a list may have: a feature, in bags of whole numbers its first, second, … occurrence.
    cdef int32_t[::1] graphs        # in the order of the tiles
    cdef double[::1] sizes_there    # of these graphs
    cdef int64_t[::1] starts        # of the postings of each slot
    cdef int32_t[::1] places        # of graphs in `graphs`, rising; so often as the feature occurs, in products
    cdef double[::1] values         # where they are not whole
    cdef int32_t[::1] most          # of each slot: how much it adds to a sum, at most; if values are whole
    cdef int32_t[::1] column_of     # of each slot, or -1
    cdef uint8_t[:, ::1] columns
    cdef int64_t[::1] first_slots   # of each list
    cdef bint small                 # sizes are small whole numbers
    cdef double[::1] kind_sizes     # different sizes, rising
    cdef uint8_t[::1] kinds         # which of them each of `graphs` has; KINDS for those that are too many
    cdef tuple further              # of each list: the slot of the second occurrence of each feature, int64; or None
    cdef int64_t[::1] n_cursors     # slots of each row, at most

    def __cinit__(
        self, tuple indexes not None, tuple lists not None, OverlapScorer scorer not None, bint by_size=False,
        Py_ssize_t tile=TILE,
    ):
        cdef Py_ssize_t n_lists = len(indexes)
        cdef FeatureIndex index
        cdef const int64_t[::1] offsets
        cdef const int32_t[::1] ids
        cdef const double[::1] values
        if n_lists != scorer.n_overlaps or len(lists) != n_lists:
            raise ValueError(f"{n_lists} indexes and {len(lists)} lists for {scorer.n_overlaps} overlaps")
        if tile < 1:
            raise ValueError(f"tiles of {tile} graphs")
        whole = True
        for index, (offsets, ids, values) in zip(indexes, lists, strict=True):
            if index.n_graphs != scorer.n_gold or offsets.shape[0] != scorer.n_pred + 1:
                raise ValueError(
                    f"lists of {offsets.shape[0] - 1} and an index of {index.n_graphs} graphs, a scorer of "
                    f"{scorer.n_pred} and {scorer.n_gold}"
                )
            if scorer.bags_only and index.kind == DOT:
                raise ValueError("this formula takes sets and bags, not products")
            check_lists(index, offsets, ids, values, 0, scorer.n_pred)
            whole = whole and small_and_whole(values) and small_and_whole(index.values)
        self.indexes, self.lists, self.scorer, self.by_size = indexes, lists, scorer, by_size
        if not by_size and not scorer.linear:
            tile *= 4  # scores of a row are looked up: less often anew
        self.n_lists, self.tile, self.whole = n_lists, min(tile, scorer.n_gold + 1), whole
        self.n_lines = n_lists
        if whole and scorer.linear and (np.asarray(scorer.weights) == 1).all():
            self.n_lines = 1
        sizes = np.asarray(scorer.sizes_gold)
        self.graphs = (np.argsort(sizes, kind="stable") if by_size else np.arange(len(sizes))).astype(np.int32)
        self.sizes_there = sizes[np.asarray(self.graphs)]
        self.small = ((sizes >= 0) & (sizes < SMALL) & (sizes == np.floor(sizes))).all()
        self.kind_sizes, kinds = np.unique(np.asarray(self.sizes_there), return_inverse=True)
        self.kinds = np.minimum(kinds, KINDS).astype(np.uint8)
        fill_slots(self)


cdef bint small_and_whole(const double[::1] values) noexcept nogil:
    """All values are whole numbers, few above 1 so that each occurrence may have a place of its own."""
    cdef Py_ssize_t k
    cdef double total = 0.0
    for k in range(values.shape[0]):
        if values[k] > HIGHEST or values[k] != <double> <int64_t> values[k]:
            return False
        total += values[k]
    return total <= 8.0 * values.shape[0] + 1048576


cdef int fill_slots(RowScorer rows) except -1:
    """Make postings and columns."""
    cdef Py_ssize_t line, k, f, g, c, n_slots = 0, n_columns = 0, n_graphs = rows.scorer.n_gold, place, slot, times
    cdef FeatureIndex index
    cdef int64_t[::1] after, at, counts, amounts
    cdef bint bag, dot, several = False
    first, further, n_cursors = np.zeros(rows.n_lists + 1, np.int64), [], np.zeros(rows.scorer.n_pred + 1, np.int64)
    cdef int64_t[::1] first_slots = first
    for line, index in enumerate(rows.indexes):
        first[line] = n_slots
        n_slots += index.n_features
        bag = rows.whole and index.kind == BAG
        more = None
        if bag:
            more = np.concatenate([[0], np.cumsum(np.asarray(index.most) - 1)]).astype(np.int64) + n_slots
            n_slots = more[-1]
        further.append(more)
        offsets, _, values = rows.lists[line]
        row_values = np.concatenate([[0], np.cumsum(values if bag else np.ones(len(values)))])
        n_cursors[:-1] += np.diff(row_values[offsets]).astype(np.int64)
    first[rows.n_lists] = n_slots
    rows.first_slots, rows.further, rows.n_cursors = first, tuple(further), n_cursors
    starts = np.zeros(n_slots + 2, np.int64)
    rows.most = np.ones(n_slots + 1, np.int32)
    rows.column_of = np.full(n_slots + 1, -1, np.int32)
    # how many graphs have each slot, and how many postings that makes; then where they begin, one place too early, as
    # filling moves the places on
    counts = amounts = np.zeros(n_slots + 1, np.int64)
    for index in rows.indexes:
        several = several or (rows.whole and index.kind == DOT)
    if several:
        amounts = np.zeros(n_slots + 1, np.int64)
    for line, index in enumerate(rows.indexes):
        bag, dot = rows.whole and index.kind == BAG, rows.whole and index.kind == DOT
        after = further[line] if bag else first
        for k in range(index.ids.shape[0]):
            f = index.ids[k]
            counts[first_slots[line] + f] += 1
            if several:
                amounts[first_slots[line] + f] += <int64_t> index.values[k] if dot else 1
            if bag:
                for c in range(1, <Py_ssize_t> index.values[k]):
                    counts[after[f] + c - 1] += 1
                    if several:
                        amounts[after[f] + c - 1] += 1
        if rows.whole and index.kind == DOT:
            for f in range(index.n_features):
                rows.most[first_slots[line] + f] = <int32_t> index.most[f]
    if rows.whole and n_graphs >= COMMON:
        for slot in range(n_slots):
            if counts[slot] * COMMON >= n_graphs and rows.most[slot] < 256:
                rows.column_of[slot] = <int32_t> n_columns
                n_columns += 1
    rows.columns = np.zeros((n_columns, n_graphs), np.uint8)
    at = starts
    for slot in range(n_slots):
        if rows.column_of[slot] < 0:
            at[slot + 2] = amounts[slot]
    for slot in range(n_slots):
        at[slot + 1] += at[slot]
    at[n_slots + 1] += at[n_slots]
    rows.places = np.empty(at[n_slots + 1], np.int32)
    rows.values = np.empty(0 if rows.whole else at[n_slots + 1])
    for line, index in enumerate(rows.indexes):
        bag = rows.whole and index.kind == BAG
        after = further[line] if bag else first
        for place in range(n_graphs):
            g = rows.graphs[place]
            for k in range(index.offsets[g], index.offsets[g + 1]):
                f = index.ids[k]
                slot = first_slots[line] + f
                if rows.column_of[slot] >= 0:
                    rows.columns[rows.column_of[slot], place] = <uint8_t> (index.values[k] if index.kind == DOT else 1)
                else:
                    times = <Py_ssize_t> index.values[k] if rows.whole and index.kind == DOT else 1
                    for c in range(times):
                        rows.places[at[slot + 1]] = <int32_t> place
                        if not rows.whole:
                            rows.values[at[slot + 1]] = index.values[k]
                        at[slot + 1] += 1
                if bag:
                    for c in range(1, <Py_ssize_t> index.values[k]):
                        slot = after[f] + c - 1
                        if rows.column_of[slot] >= 0:
                            rows.columns[rows.column_of[slot], place] = 1
                        else:
                            rows.places[at[slot + 1]] = <int32_t> place
                            at[slot + 1] += 1
    rows.starts = starts
    return 0


cdef struct Cursor:
    # A slot of a row.
    int64_t begin       # postings
    int64_t next        # the first one that no tile has had
    int64_t end
    double value        # of the row: it is added so often
    int32_t line        # of the sums
    int32_t column      # or -1
    int kind            # of the list


cdef struct Row:
    Py_ssize_t number
    Cursor *cursors
    Py_ssize_t n_cursors
    int bytes           # of a sum
    int bits            # of a sum in a key of a known score; 0: scores of the row are not kept
    uint8_t kind        # of the largest size that is not above the row's
    Py_ssize_t n_best   # so far
    Py_ssize_t middle   # the first place of a graph that is not smaller
    double least        # of `low` and `high`
    Py_ssize_t low      # places of graphs whose size lets them reach it
    Py_ssize_t high


cdef struct Line:
    # A list of each row, as pointers.
    const int64_t *offsets
    const int32_t *ids
    const double *values
    int64_t first
    const int64_t *further      # NULL: occurrences are not counted one by one
    int kind


cdef struct Work:
    # What a thread needs to score rows.
    Line *lines
    Cursor *cursors     # of a batch
    Py_ssize_t room     # for so many
    Row rows[BATCH]
    char *sums          # of a tile: a line after the other
    double *total       # of a tile: weighted sums
    double *base        # of a tile: what scores of `base_of` with these graphs divide by
    float *single       # the same numbers, in single precision
    double base_of
    double *maxima      # of a tile's blocks: a line after the other
    int32_t *picked
    int32_t *chosen     # the picked graphs
    double *sizes       # of them
    double *shared      # of the picked ones: a line after the other
    double *scores
    Memo *memo
    uint32_t keys[FM_KNOWN]        # of the scores of `known_row` that were made
    double known[FM_KNOWN]
    Py_ssize_t known_row
    Py_ssize_t width    # of a line of sums: the tile's graphs in whole blocks
    Py_ssize_t since    # cells since the last look at Ctrl-C


cdef int open_work(Work *work, RowScorer rows) except -1:
    cdef Py_ssize_t line, n = rows.n_lists
    cdef const int64_t[::1] offsets, further
    cdef const int32_t[::1] ids
    cdef const double[::1] values
    memset(work, 0, sizeof(Work))
    work.width = (rows.tile + FM_BLOCK - 1) // FM_BLOCK * FM_BLOCK
    work.lines = <Line *> malloc((n + 1) * sizeof(Line))
    work.sums = <char *> malloc((n + 1) * work.width * sizeof(double))
    work.total = <double *> malloc(work.width * sizeof(double))
    work.base = <double *> malloc(work.width * sizeof(double))
    work.single = <float *> malloc(work.width * sizeof(float))
    work.maxima = <double *> malloc((n + 1) * (work.width // FM_BLOCK) * sizeof(double))
    work.picked = <int32_t *> malloc((work.width + 1) * sizeof(int32_t))
    work.chosen = <int32_t *> malloc((work.width + 1) * sizeof(int32_t))
    work.sizes = <double *> malloc(work.width * sizeof(double))
    work.shared = <double *> malloc((n + 1) * work.width * sizeof(double))
    work.scores = <double *> malloc(work.width * sizeof(double))
    work.memo = <Memo *> malloc(sizeof(Memo))
    if (work.lines == NULL or work.sums == NULL or work.total == NULL or work.base == NULL
            or work.single == NULL
            or work.maxima == NULL or work.picked == NULL or work.chosen == NULL or work.shared == NULL
            or work.sizes == NULL
            or work.scores == NULL or work.memo == NULL):
        close_work(work)
        raise MemoryError()
    work.memo.row = work.known_row = -1
    work.memo.least = 0.0
    for line in range(n):
        offsets, ids, values = rows.lists[line]
        work.lines[line].offsets = &offsets[0]
        work.lines[line].ids = &ids[0] if ids.shape[0] else NULL
        work.lines[line].values = &values[0] if ids.shape[0] else NULL
        work.lines[line].first = rows.first_slots[line]
        work.lines[line].further = NULL
        if rows.further[line] is not None:
            further = rows.further[line]
            work.lines[line].further = &further[0]
        work.lines[line].kind = rows.indexes[line].kind
    return 0


cdef void close_work(Work *work) noexcept:
    free(work.lines)
    free(work.cursors)
    free(work.sums)
    free(work.total)
    free(work.base)
    free(work.single)
    free(work.maxima)
    free(work.picked)
    free(work.chosen)
    free(work.sizes)
    free(work.shared)
    free(work.scores)
    free(work.memo)


cdef void open_row(Row *row, Work *work, RowScorer rows, Py_ssize_t number, Cursor *cursors) noexcept nogil:
    """Look up the slots of a row, and which type its sums need."""
    cdef Py_ssize_t line, k, n = 0, c, times
    cdef int64_t slot
    cdef double highest = 0.0, value
    cdef const Line *lists
    row.number, row.cursors, row.n_best = number, cursors, 0
    for line in range(rows.n_lists):
        lists = &work.lines[line]
        if lists.ids == NULL:
            continue
        for k in range(lists.offsets[number], lists.offsets[number + 1]):
            if lists.ids[k] < 0:
                continue
            slot, value, times = lists.first + lists.ids[k], lists.values[k], 1
            if lists.further != NULL:
                times = min(<Py_ssize_t> value, 1 + lists.further[lists.ids[k] + 1] - lists.further[lists.ids[k]])
            if rows.whole and lists.kind != DOT_KIND:
                value = 1.0
            for c in range(times):
                if c:
                    slot = lists.further[lists.ids[k]] + c - 1
                cursors[n].begin = cursors[n].next = rows.starts[slot]
                cursors[n].end = rows.starts[slot + 1]
                cursors[n].value, cursors[n].kind = value, lists.kind
                cursors[n].line = <int32_t> (line if rows.n_lines > 1 else 0)
                cursors[n].column = rows.column_of[slot]
                highest += value * rows.most[slot]
                if cursors[n].column < 0 and cursors[n].next < cursors[n].end:
                    fm_prefetch(&rows.places[cursors[n].next])
                n += 1
    row.n_cursors = n
    row.middle, row.least, row.low, row.high = 0, 0.0, 0, rows.scorer.n_gold
    row.kind = <uint8_t> min(kind_of(rows.kind_sizes, rows.scorer.sizes_pred[number]), <Py_ssize_t> KINDS)
    row.bits = min(8, KEY_BITS // rows.n_lines) if rows.scorer.by_size and rows.whole else 0
    if highest >= 1 << row.bits:
        row.bits = 0
    row.bytes = 8 if not rows.whole or highest > HIGHEST else 2 if highest > 255 else 1


cdef void add_cursor(
    number *sums, Cursor *cursor, RowScorer rows, int32_t start, int32_t stop
) noexcept nogil:
    """Add to the sums of a tile what a slot of the row makes."""
    cdef Py_ssize_t p
    cdef int32_t place
    cdef double other
    if cursor.column >= 0:
        if number is uint8_t:
            fm_column_uint8_t(sums, &rows.columns[cursor.column, start], stop - start, <int64_t> cursor.value)
        elif number is uint16_t:
            fm_column_uint16_t(sums, &rows.columns[cursor.column, start], stop - start, <int64_t> cursor.value)
        else:
            fm_column_double(sums, &rows.columns[cursor.column, start], stop - start, <int64_t> cursor.value)
        return
    if cursor.next == cursor.end or rows.places[cursor.next] >= stop:
        return
    if rows.places[cursor.next] < start:  # of tiles that were left out
        cursor.next = lower_bound(&rows.places[0], cursor.next, cursor.end, start)
    if rows.whole:
        if number is uint8_t:
            cursor.next = fm_add_uint8_t(
                sums, &rows.places[0], cursor.next, cursor.end, start, stop, <uint8_t> cursor.value
            )
        elif number is uint16_t:
            cursor.next = fm_add_uint16_t(
                sums, &rows.places[0], cursor.next, cursor.end, start, stop, <uint16_t> cursor.value
            )
        else:
            cursor.next = fm_add_double(
                sums, &rows.places[0], cursor.next, cursor.end, start, stop, cursor.value
            )
        return
    p = cursor.next
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


cdef void weigh(number *sums, Work *work, RowScorer rows, Py_ssize_t n) noexcept nogil:
    """The sums of all lines times their weights, added in their order."""
    cdef Py_ssize_t line
    for line in range(rows.n_lines):
        if number is uint8_t:
            fm_weigh_uint8_t(sums + line * work.width, rows.scorer.weights[line], line, n, work.total)
        elif number is uint16_t:
            fm_weigh_uint16_t(sums + line * work.width, rows.scorer.weights[line], line, n, work.total)
        else:
            fm_weigh_double(sums + line * work.width, rows.scorer.weights[line], line, n, work.total)


cdef struct Wanted:
    # What is to become of the scores, and where it is written.
    bint dense, listed
    double cutoff
    bint triangle       # of pairs: only columns from the row on
    bint skip_self      # of the best
    Py_ssize_t start    # the first row of the outputs
    Py_ssize_t first    # of a matrix: the first column
    Py_ssize_t k
    float *single       # a matrix in either precision
    double *full
    int32_t *columns    # the best
    double *values
    Found *found        # pairs
    Py_ssize_t n_found, room


cdef struct Found:
    int32_t row
    int32_t column
    double score


cdef int sum_tile(
    number *sums, Row *row, Work *work, RowScorer rows, Wanted *wanted, Py_ssize_t start, Py_ssize_t stop
) noexcept nogil:
    """Add up one tile for one row, and use the sums: FINE or NO_MEMORY."""
    cdef Py_ssize_t k, width = work.width, n = stop - start
    memset(sums, 0, rows.n_lines * width * sizeof(number))
    for k in range(row.n_cursors):
        add_cursor(sums + row.cursors[k].line * width, &row.cursors[k], rows, <int32_t> start, <int32_t> stop)
    if rows.scorer.linear and (rows.n_lines > 1 or rows.scorer.weights[0] != 1):
        weigh(sums, work, rows, width)
        if wanted.dense:
            return write_tile(work.total, row, work, rows, wanted, start, n)
        return use_tile(work.total, 1, row, work, rows, wanted, start, n)
    if wanted.dense:
        return write_tile(sums, row, work, rows, wanted, start, n)
    return use_tile(sums, rows.n_lines, row, work, rows, wanted, start, n)


cdef int use_tile(
    number *sums, Py_ssize_t n_lines, Row *row, Work *work, RowScorer rows, Wanted *wanted, Py_ssize_t start,
    Py_ssize_t n,
) noexcept nogil:
    """Find what reaches the cutoff, or is among the best, in the sums of one row and one tile: FINE or NO_MEMORY."""
    cdef Py_ssize_t i_block, block, nearest, low, some, i, line, m
    cdef Py_ssize_t n_blocks = (n + FM_BLOCK - 1) // FM_BLOCK, width = work.width
    cdef Py_ssize_t step = width // FM_BLOCK
    cdef const int32_t *graphs = &rows.graphs[start]
    cdef double least, floor, score, at_least = 0.0
    cdef double *heap = NULL
    cdef int32_t *columns = NULL
    cdef int32_t own = -1
    cdef uint32_t key
    cdef bint known
    know(row, work, rows)
    if not wanted.listed:
        heap = wanted.values + (row.number - wanted.start) * wanted.k
        columns = wanted.columns + (row.number - wanted.start) * wanted.k
        own = <int32_t> row.number if wanted.skip_self else -1
    for line in range(n_lines):
        if number is uint8_t:
            fm_maxima_uint8_t(sums + line * width, n_blocks, work.maxima + line * step)
        elif number is uint16_t:
            fm_maxima_uint16_t(sums + line * width, n_blocks, work.maxima + line * step)
        else:
            fm_maxima_double(sums + line * width, n_blocks, work.maxima + line * step)
    # graphs as large as the row's first: with a high score among the best, few others need be looked at
    nearest = min(max(row.middle - start, 0), n - 1) // FM_BLOCK
    if row.least > 0 and rows.scorer.linear:  # what all of these graphs must share, as the first is the smallest
        at_least = rows.scorer.floor_of(row.number, rows.sizes_there[start], &HUGE, 1, row.least, work.memo)
    for i_block in range(n_blocks):
        block = nearest + i_block
        if block >= n_blocks:
            block = n_blocks - 1 - i_block
        if work.maxima[block] <= 0 or work.maxima[block] < at_least:
            continue
        least = wanted.cutoff
        if not wanted.listed and row.n_best == wanted.k and heap[0] > least:
            least = heap[0]
        low, floor = block * FM_BLOCK, TINY
        some = min(n - low, <Py_ssize_t> FM_BLOCK)
        known = False
        if number is uint8_t:
            known = row.bits > 0
            if known:
                if least > 0 and rows.by_size:
                    key = max(row.kind, rows.kinds[start + low])
                    for line in range(n_lines):
                        key = key << row.bits | <uint32_t> work.maxima[line * step + block]
                    if known_score(key, start + low, row, work, rows, wanted.cutoff) < least * SLACK:
                        continue
                write_known(sums + low, work.scores, row, work, rows, wanted.cutoff, start + low, some)
                m = fm_pick_double(work.scores, some, max(least, TINY), work.picked)
                for i in range(m):
                    work.chosen[i] = graphs[low + work.picked[i]]
                    work.scores[i] = work.scores[work.picked[i]]
        if not known:
            if least > 0 and rows.by_size:
                floor = rows.scorer.floor_of(
                    row.number, rows.sizes_there[start + low], work.maxima + block, step, least, work.memo
                )
                if floor > work.maxima[block]:
                    continue
                # of lines with fractions only what is summed up is compared
                floor = max(floor if rows.whole or rows.scorer.linear else 0.0, TINY)
            if number is uint8_t:
                m = fm_pick_uint8_t(sums + low, some, <uint8_t> ceil(floor), work.picked)
            elif number is uint16_t:
                m = fm_pick_uint16_t(sums + low, some, <uint16_t> ceil(floor), work.picked)
            else:
                m = fm_pick_double(sums + low, some, floor, work.picked)
            for i in range(m):
                work.chosen[i] = graphs[low + work.picked[i]]
                work.sizes[i] = rows.sizes_there[start + low + work.picked[i]]
            for line in range(n_lines):
                for i in range(m):
                    work.shared[line * FM_BLOCK + i] = <double> sums[line * width + low + work.picked[i]]
            rows.scorer.score_some(
                row.number, work.chosen, work.sizes, m, work.shared, FM_BLOCK, least, work.memo, work.scores
            )
        for i in range(m):
            score = work.scores[i]
            if score < wanted.cutoff or score <= 0:
                continue
            if not wanted.listed:
                if work.chosen[i] != own:
                    row.n_best = offer(heap, columns, row.n_best, wanted.k, score, work.chosen[i])
            elif not wanted.triangle or work.chosen[i] >= row.number:
                if wanted.n_found == wanted.room and grow(wanted) != FINE:
                    return NO_MEMORY
                wanted.found[wanted.n_found].row = <int32_t> row.number
                wanted.found[wanted.n_found].column = work.chosen[i]
                wanted.found[wanted.n_found].score = score
                wanted.n_found += 1
    return FINE


cdef int grow(Wanted *wanted) noexcept nogil:
    """Make room for further pairs: FINE or NO_MEMORY."""
    cdef Py_ssize_t room = 2 * wanted.room + 1024
    cdef Found *larger = <Found *> realloc(wanted.found, room * sizeof(Found))
    if larger == NULL:
        return NO_MEMORY
    wanted.found, wanted.room = larger, room
    return FINE


cdef int write_tile(
    number *sums, Row *row, Work *work, RowScorer rows, Wanted *wanted, Py_ssize_t start, Py_ssize_t n
) noexcept nogil:
    """Write the scores of one row and one tile into a matrix."""
    cdef Py_ssize_t skipped = max(0, wanted.first - start), place = (row.number - wanted.start) * rows.scorer.n_gold
    sums += skipped
    place += start + skipped
    if wanted.single != NULL:
        write_scores(sums, wanted.single + place, row, work, rows, wanted.cutoff, start, skipped, n - skipped)
    else:
        write_scores(sums, wanted.full + place, row, work, rows, wanted.cutoff, start, skipped, n - skipped)
    return FINE


cdef void write_scores(
    number *sums, real *out, Row *row, Work *work, RowScorer rows, double cutoff, Py_ssize_t start, Py_ssize_t skipped,
    Py_ssize_t n,
) noexcept nogil:
    cdef Py_ssize_t i, line, m
    cdef double a = rows.scorer.sizes_pred[row.number]
    if rows.scorer.linear:
        if work.base_of != a:
            for i in range(skipped + n):
                work.base[i] = rows.scorer.base(a, rows.scorer.sizes_gold[start + i])
                work.single[i] = <float> work.base[i]
            work.base_of = a
        if real is float and cutoff <= 0 and number is not double:
            # of small whole numbers: rounding twice gives the same as rounding once
            if rows.scorer.bags_only and rows.small and a < SMALL and a == <double> <int32_t> a:
                if number is uint8_t:
                    fm_quotients_uint8_t(
                        sums, work.single + skipped, <float> rows.scorer.factor, <float> rows.scorer.part, n, out
                    )
                elif number is uint16_t:
                    fm_quotients_uint16_t(
                        sums, work.single + skipped, <float> rows.scorer.factor, <float> rows.scorer.part, n, out
                    )
                return
        if real is float and cutoff <= 0:
            if number is uint8_t:
                fm_divide_float_uint8_t(sums, work.base + skipped, rows.scorer.factor, rows.scorer.part, n, out)
            elif number is uint16_t:
                fm_divide_float_uint16_t(sums, work.base + skipped, rows.scorer.factor, rows.scorer.part, n, out)
            else:
                fm_divide_float_double(sums, work.base + skipped, rows.scorer.factor, rows.scorer.part, n, out)
            return
        if number is uint8_t:
            fm_divide_double_uint8_t(sums, work.base + skipped, rows.scorer.factor, rows.scorer.part, n, work.scores)
        elif number is uint16_t:
            fm_divide_double_uint16_t(sums, work.base + skipped, rows.scorer.factor, rows.scorer.part, n, work.scores)
        else:
            fm_divide_double_double(sums, work.base + skipped, rows.scorer.factor, rows.scorer.part, n, work.scores)
        for i in range(n):
            out[i] = <real> work.scores[i] if work.scores[i] >= cutoff else 0
        return
    if number is uint8_t:
        if row.bits:
            write_known(sums, out, row, work, rows, cutoff, start + skipped, n)
            return
    if number is uint8_t:
        m = fm_pick_uint8_t(sums, n, 1, work.picked)
    elif number is uint16_t:
        m = fm_pick_uint16_t(sums, n, 1, work.picked)
    else:
        m = fm_pick_double(sums, n, TINY, work.picked)
    for i in range(m):
        work.chosen[i] = <int32_t> (start + skipped + work.picked[i])
        work.sizes[i] = rows.sizes_there[work.chosen[i]]
    for line in range(rows.n_lines):
        for i in range(m):
            work.shared[line * work.width + i] = <double> sums[line * work.width + work.picked[i]]
    rows.scorer.score_some(
        row.number, work.chosen, work.sizes, m, work.shared, work.width, cutoff, work.memo, work.scores
    )
    memset(out, 0, n * sizeof(real))
    for i in range(m):
        if work.scores[i] >= cutoff:
            out[work.picked[i]] = <real> work.scores[i]


cdef void know(Row *row, Work *work, RowScorer rows) noexcept nogil:
    """Forget the scores that are kept, unless they are those of this row, too: a row has few different ones."""
    if row.bits == 0 or work.known_row == row.number:
        return
    if work.known_row < 0 or not rows.scorer.alike(work.known_row, row.number):
        memset(work.keys, 0, sizeof(work.keys))
        memset(work.known, 0, sizeof(work.known))
    work.known_row = row.number


cdef inline double known_score(
    uint32_t key, Py_ssize_t place, Row *row, Work *work, RowScorer rows, double cutoff
) noexcept nogil:
    """The score with the graph at this place; 0 if it is below the cutoff.

    In the key are the sums, some bits each, and above them the kind of the graph's size, but not below the row's. The
    key 0 is of a graph that shares nothing: its score is 0, as that of a table without keys.
    """
    cdef uint32_t slot = fm_slot(key)
    if work.keys[slot] != key:
        return make_known(key, place, row, work, rows, cutoff)
    return work.known[slot]


cdef double make_known(
    uint32_t key, Py_ssize_t place, Row *row, Work *work, RowScorer rows, double cutoff
) noexcept nogil:
    cdef Py_ssize_t line
    cdef double score
    cdef double shared[KEY_BITS]
    for line in range(rows.n_lines):
        shared[line] = <double> (key >> (rows.n_lines - 1 - line) * row.bits & ((1 << row.bits) - 1))
    rows.scorer.score_some(
        row.number, &rows.graphs[place], &rows.sizes_there[place], 1, shared, 1, 0.0, work.memo, &score
    )
    score = score if score >= cutoff else 0.0
    if key >> rows.n_lines * row.bits != KINDS:
        work.keys[fm_slot(key)], work.known[fm_slot(key)] = key, score
    return score


cdef void write_known(
    const uint8_t *sums, real *out, Row *row, Work *work, RowScorer rows, double cutoff, Py_ssize_t start, Py_ssize_t n
) noexcept nogil:
    cdef Py_ssize_t i, low, some
    cdef uint32_t *keys = <uint32_t *> work.shared
    know(row, work, rows)
    for low in range((n + FM_BLOCK - 1) // FM_BLOCK):
        low = low * FM_BLOCK
        some = min(n - low, <Py_ssize_t> FM_BLOCK)
        fm_keys(sums + low, work.width, rows.n_lines, row.bits, &rows.kinds[start + low], row.kind, some, keys)
        i = 0
        while True:
            if real is float:
                i = fm_known_float(keys, i, some, work.keys, work.known, out + low)
            else:
                i = fm_known_double(keys, i, some, work.keys, work.known, out + low)
            if i == some:
                break
            out[low + i] = <real> make_known(keys[i], start + low + i, row, work, rows, cutoff)
            i += 1


cdef int use_empty(Row *row, RowScorer rows, Wanted *wanted) noexcept nogil:
    """A row without features: it equals the columns that have none, and shares nothing with the others."""
    cdef Py_ssize_t j, place
    cdef double score = rows.scorer.of_empty, value
    cdef bint equal
    for j in range(wanted.first, rows.scorer.n_gold):
        equal = rows.scorer.sizes_gold[j] == 0 and score >= wanted.cutoff and score > 0
        if wanted.dense:
            value, place = score if equal else 0.0, (row.number - wanted.start) * rows.scorer.n_gold + j
            if wanted.single != NULL:
                wanted.single[place] = <float> value
            else:
                wanted.full[place] = value
        elif not equal:
            continue
        elif not wanted.listed:
            if not wanted.skip_self or j != row.number:
                place = (row.number - wanted.start) * wanted.k
                row.n_best = offer(
                    wanted.values + place, wanted.columns + place, row.n_best, wanted.k, score, <int32_t> j
                )
        elif not wanted.triangle or j >= row.number:
            if wanted.n_found == wanted.room and grow(wanted) != FINE:
                return NO_MEMORY
            wanted.found[wanted.n_found].row, wanted.found[wanted.n_found].column = <int32_t> row.number, <int32_t> j
            wanted.found[wanted.n_found].score = score
            wanted.n_found += 1
    return FINE


cdef int go(
    RowScorer rows, Py_ssize_t start, Py_ssize_t stop, Wanted *wanted, const uint8_t[::1] cancel
) except -100:
    """Score these rows with all columns, in the manner that is wanted: FINE, INTERRUPTED or NO_MEMORY."""
    cdef Work work
    cdef int status = FINE
    cdef Py_ssize_t batch, low, high, first, last, low_place, high_place, needed, i, n, n_tiles, near, tile
    cdef Py_ssize_t n_gold = rows.scorer.n_gold
    cdef double least
    cdef Cursor *cursors
    cdef Row *row
    cdef int64_t[::1] order = start + rows.scorer.alike_together(start, stop)
    if start == stop:
        return FINE
    open_work(&work, rows)
    with nogil:
        for batch in range((stop - start + BATCH - 1) // BATCH):
            low = batch * BATCH
            high = min(low + BATCH, stop - start)
            if cancel[0] or status != FINE:
                break
            needed = 1
            for i in range(low, high):
                needed += rows.n_cursors[order[i]]
            if needed > work.room:
                free(work.cursors)
                work.cursors, work.room = <Cursor *> malloc(needed * sizeof(Cursor)), needed
                if work.cursors == NULL:
                    status = NO_MEMORY
                    break
            cursors, n = work.cursors, 0
            for i in range(low, high):
                row = &work.rows[n]
                open_row(row, &work, rows, order[i], cursors)
                cursors += row.n_cursors
                if rows.scorer.sizes_pred[order[i]] != 0:
                    n += 1
                elif status == FINE:
                    status = use_empty(row, rows, wanted)
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
                if last <= wanted.first or status != FINE:
                    continue
                work.base_of = -1.0
                for i in range(n):
                    row = &work.rows[i]
                    work.since += last - first
                    if work.since > STRIDE:
                        work.since = 0
                        if interrupted():
                            status = INTERRUPTED
                            break
                    if rows.by_size and not wanted.dense:
                        least = wanted.cutoff
                        if not wanted.listed and row.n_best == wanted.k:
                            least = max(least, wanted.values[(row.number - wanted.start) * wanted.k])
                        if least > row.least:
                            narrow(row, rows, least, work.memo)
                    low_place, high_place = max(first, row.low), min(last, row.high)
                    if low_place >= high_place:
                        continue
                    if row.bytes == 1:
                        status = sum_tile(<uint8_t *> work.sums, row, &work, rows, wanted, low_place, high_place)
                    elif row.bytes == 2:
                        status = sum_tile(<uint16_t *> work.sums, row, &work, rows, wanted, low_place, high_place)
                    else:
                        status = sum_tile(<double *> work.sums, row, &work, rows, wanted, low_place, high_place)
                    if status != FINE:
                        break
            if not wanted.dense and not wanted.listed and status == FINE:
                for i in range(n):
                    finish_best(&work.rows[i], rows, wanted)
    close_work(&work)
    return status


cdef Py_ssize_t place_of(const double[::1] sizes, double size) noexcept nogil:
    """The first place of a size that is not smaller, in rising ones."""
    cdef Py_ssize_t low = 0, high = sizes.shape[0], middle
    while low < high:
        middle = (low + high) >> 1
        if sizes[middle] < size:
            low = middle + 1
        else:
            high = middle
    return low


cdef Py_ssize_t kind_of(const double[::1] sizes, double size) noexcept nogil:
    """The last place of a size that is not larger, in different rising ones; 0 if all are larger."""
    cdef Py_ssize_t place = place_of(sizes, size)
    return place if place < sizes.shape[0] and sizes[place] == size else max(place - 1, 0)


cdef void narrow(Row *row, RowScorer rows, double least, Memo *memo) noexcept nogil:
    """Leave out the graphs that are too small or too large for the least score that is wanted."""
    cdef Py_ssize_t low, high, middle
    low, high = row.low, min(row.middle, row.high)
    while low < high:
        middle = (low + high) >> 1
        if rows.scorer.floor_of(row.number, rows.sizes_there[middle], NULL, 0, least, memo) > HUGE:
            low = middle + 1
        else:
            high = middle
    row.low = low
    low, high = max(row.middle, row.low), row.high
    while low < high:
        middle = (low + high) >> 1
        if rows.scorer.floor_of(row.number, rows.sizes_there[middle], NULL, 0, least, memo) > HUGE:
            high = middle
        else:
            low = middle + 1
    row.high, row.least = max(low, row.low), least


cdef void finish_best(Row *row, RowScorer rows, Wanted *wanted) noexcept nogil:
    """Sort the best of a row, and fill it up with graphs that share nothing with it."""
    cdef Py_ssize_t place = (row.number - wanted.start) * wanted.k, n = row.n_best, k = wanted.k, i, known = n
    cdef double *heap = wanted.values + place
    cdef int32_t *columns = wanted.columns + place
    cdef int32_t column = 0
    sort_best(heap, columns, n)
    # if there is room left, all graphs that score above 0 are in the list
    while wanted.cutoff <= 0 and n < k and column < rows.scorer.n_gold:
        for i in range(known):
            if columns[i] == column:
                break
        else:
            if not wanted.skip_self or column != row.number:
                heap[n], columns[n] = 0.0, column
                n += 1
        column += 1
    for i in range(n, k):
        heap[i], columns[i] = 0.0, -1


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
    wanted.dense, wanted.cutoff, wanted.start, wanted.first = True, cutoff, start, first
    if out.dtype == np.float32:
        single = out
        wanted.single = &single[0, 0]
    else:
        full = out
        wanted.full = &full[0, 0]
    raise_status(go(rows, start, stop, &wanted, cancel), "the rows do not fit in memory")


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
    cdef Py_ssize_t k, i, place, longest = 0
    cdef int64_t row
    cdef int status
    cdef Pair *pairs = NULL
    check_rows(rows, start, stop, 0, cancel)
    memset(&wanted, 0, sizeof(Wanted))
    wanted.listed, wanted.triangle, wanted.cutoff, wanted.start = True, triangle, cutoff, start
    status = go(rows, start, stop, &wanted, cancel)
    # rows come in any order, and so do columns, if they stand by size
    ends = np.zeros(stop - start + 1, np.int64)
    cdef int64_t[::1] at = ends
    for k in range(wanted.n_found):
        at[wanted.found[k].row - start + 1] += 1
    if stop > start:
        longest = ends.max()
    np.cumsum(ends, out=ends)
    pairs = <Pair *> malloc((wanted.n_found + longest + 1) * sizeof(Pair))
    if pairs == NULL and status == FINE:
        status = NO_MEMORY
    if status != FINE:
        free(pairs)
        free(wanted.found)
        raise_status(status, "the pairs do not fit in memory")
    found_rows, columns = np.repeat(np.arange(start, stop, dtype=np.int32), np.diff(ends)), None
    columns, scores = np.empty(wanted.n_found, np.int32), np.empty(wanted.n_found)
    cdef int32_t[::1] out_columns = columns
    cdef double[::1] out_scores = scores
    with nogil:
        for k in range(wanted.n_found):
            row = wanted.found[k].row - start
            pairs[at[row]].major, pairs[at[row]].minor = wanted.found[k].column, k
            at[row] += 1
        place = 0
        for row in range(stop - start):  # at[row] is its end now
            sort_pairs(pairs + place, at[row] - place, pairs + wanted.n_found)
            place = at[row]
        for k in range(wanted.n_found):
            i = pairs[k].minor
            out_columns[k], out_scores[k] = wanted.found[i].column, wanted.found[i].score
    free(pairs)
    free(wanted.found)
    return found_rows, columns, scores


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
    raise_status(go(rows, start, stop, &wanted, cancel), "the rows do not fit in memory")
