"""What a thread needs to score rows, and how far it is with each of them."""

from libc.stdint cimport int32_t, int64_t, uint8_t, uint32_t
from libc.string cimport memset

from fastmatch._ext.base.columns cimport Column
from fastmatch._ext.base.kept cimport space
from fastmatch._ext.base.search cimport lower_bound
from fastmatch._ext.index.formulas cimport Memo
from fastmatch._ext.index.slots cimport HIGHEST, KINDS, RowScorer
from fastmatch._ext.index.tiles cimport FM_BLOCK, FM_HUGE, FM_KNOWN, fm_prefetch

cdef enum:
    # Rows that go through the tiles together.
    BATCH = 64
    # Kinds of lists, as in lists.pyx.
    BAG_KIND = 1
    DOT_KIND = 2
    # Bits of a key of a known score for sums.
    KEY_BITS = 24


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
    Memo memo
    uint32_t keys[FM_KNOWN]        # of the scores of `known_row` that were made
    double known[FM_KNOWN]
    Py_ssize_t known_row
    Py_ssize_t width    # of a line of sums: the tile's graphs in whole blocks
    Py_ssize_t since    # cells since the last look at Ctrl-C
    bint streams        # a matrix is written past the cache


cdef struct Wanted:
    # What is to become of the scores, and where it is written.
    bint dense, listed
    bint streams        # of a matrix: it is larger than a cache
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
    Column found        # pairs


cdef inline int open_work(
    Work *work, RowScorer rows, const int64_t[::1] order, bint streams, list kept
) except -1:
    """Take what the rows ``order`` need, for as long as the list ``kept`` is there."""
    cdef Py_ssize_t line, i, most = 0, needed = 0, n = rows.n_lists
    cdef const int64_t[::1] offsets, further
    cdef const int32_t[::1] ids
    cdef const double[::1] values
    memset(work, 0, sizeof(Work))
    for i in range(order.shape[0]):
        needed = rows.n_cursors[order[i]] + (needed if i % BATCH else 0)
        most = max(most, needed)
    work.streams = streams
    work.width = (rows.tile + FM_BLOCK - 1) // FM_BLOCK * FM_BLOCK
    work.lines = <Line *> space(kept, n, sizeof(Line))
    work.cursors = <Cursor *> space(kept, most, sizeof(Cursor))
    work.sums = <char *> space(kept, n * work.width, sizeof(double))
    work.total = <double *> space(kept, work.width, sizeof(double))
    work.base = <double *> space(kept, work.width, sizeof(double))
    work.single = <float *> space(kept, work.width, sizeof(float))
    work.maxima = <double *> space(kept, n * (work.width // FM_BLOCK), sizeof(double))
    work.picked = <int32_t *> space(kept, work.width + 1, sizeof(int32_t))
    work.chosen = <int32_t *> space(kept, work.width + 1, sizeof(int32_t))
    work.sizes = <double *> space(kept, work.width, sizeof(double))
    work.shared = <double *> space(kept, n * work.width, sizeof(double))
    work.scores = <double *> space(kept, work.width, sizeof(double))
    work.known_row = -1
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


cdef inline Py_ssize_t place_of(const double[::1] sizes, double size) noexcept nogil:
    """The first place of a size that is not smaller, in rising ones."""
    return lower_bound(&sizes[0], 0, sizes.shape[0], size) if sizes.shape[0] else 0


cdef inline Py_ssize_t kind_of(const double[::1] sizes, double size) noexcept nogil:
    """The last place of a size that is not larger, in different rising ones; 0 if all are larger."""
    cdef Py_ssize_t place = place_of(sizes, size)
    return place if place < sizes.shape[0] and sizes[place] == size else max(place - 1, 0)


cdef inline void open_row(Row *row, Work *work, RowScorer rows, Py_ssize_t number, Cursor *cursors) noexcept nogil:
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


cdef inline Py_ssize_t first_place(
    const Row *row, RowScorer rows, Py_ssize_t low, Py_ssize_t high, bint within, double least, Memo *memo
) noexcept nogil:
    """The first place from ``low`` on, up to ``high``, of a graph that may reach a score, or, not ``within``, may not.

    There is one place where that changes.
    """
    cdef Py_ssize_t middle
    while low < high:
        middle = (low + high) >> 1
        if (rows.scorer.floor_of(row.number, rows.sizes_there[middle], NULL, 0, least, memo) <= FM_HUGE) == within:
            high = middle
        else:
            low = middle + 1
    return low


cdef inline void narrow(Row *row, RowScorer rows, double least, Memo *memo) noexcept nogil:
    """Leave out the graphs that are too small or too large for the least score that is wanted."""
    row.low = first_place(row, rows, row.low, min(row.middle, row.high), True, least, memo)
    row.high = first_place(row, rows, max(row.middle, row.low), row.high, False, least, memo)
    row.high, row.least = max(row.high, row.low), least
