"""What is sought in a row: the pairs that reach a cutoff, or the best k."""

from libc.stdint cimport int32_t, uint8_t, uint32_t

from fastmatch._ext.base.best cimport offer, sort_best
from fastmatch._ext.index.found cimport note
from fastmatch._ext.index.known cimport know, known_score, write_known
from fastmatch._ext.index.slots cimport RowScorer
from fastmatch._ext.index.tiles cimport (
    FM_BLOCK, FM_HUGE, FM_SLACK, FM_TINY, fm_maxima, fm_pick, number,
)
from fastmatch._ext.index.work cimport Row, Wanted, Work


cdef inline int use_tile(
    number *sums, Py_ssize_t n_lines, Row *row, Work *work, RowScorer rows, Wanted *wanted, Py_ssize_t start,
    Py_ssize_t n,
) except -1 nogil:
    """Find what reaches the cutoff, or is among the best, in the sums of one row and one tile."""
    cdef Py_ssize_t i_block, block, nearest, low, some, place, i, line, m
    cdef Py_ssize_t n_blocks = (n + FM_BLOCK - 1) // FM_BLOCK, width = work.width
    cdef Py_ssize_t step = width // FM_BLOCK
    cdef const int32_t *graphs = &rows.graphs[start]
    cdef double least, floor, score, at_least = 0.0, highest = 0.0
    cdef double huge = FM_HUGE
    cdef double *heap = NULL
    cdef int32_t *columns = NULL
    cdef int32_t own = -1
    cdef uint32_t key
    know(row, work, rows)
    if not wanted.listed:
        heap = wanted.values + (row.number - wanted.start) * wanted.k
        columns = wanted.columns + (row.number - wanted.start) * wanted.k
        own = <int32_t> row.number if wanted.skip_self else -1
    for line in range(n_lines):
        fm_maxima(sums + line * width, n_blocks, work.maxima + line * step)
    # graphs as large as the row's first: with a high score among the best, few others need be looked at
    nearest = min(max(row.middle - start, 0), n - 1) // FM_BLOCK
    if row.least > 0 and rows.scorer.linear:  # what all of these graphs must share, as the first is the smallest
        at_least = rows.scorer.floor_of(row.number, rows.sizes_there[start], &huge, 1, row.least, &work.memo)
    cdef bint known = row.bits > 0
    if known and rows.by_size:  # the highest scores of blocks: first that which may have the best graph
        for block in range(n_blocks):
            if work.maxima[block] > 0:
                place = start + block * FM_BLOCK
                key = max(row.kind, rows.kinds[place])
                for line in range(n_lines):
                    key = key << row.bits | <uint32_t> work.maxima[line * step + block]
                work.maxima[block] = known_score(key, place, row, work, rows, wanted.cutoff)
                if work.maxima[block] > highest:
                    nearest, highest = block, work.maxima[block]
    for i_block in range(n_blocks):
        block = nearest + i_block
        if block >= n_blocks:
            block = n_blocks - 1 - i_block
        if work.maxima[block] <= 0 or work.maxima[block] < at_least:
            continue
        least = wanted.cutoff
        if not wanted.listed and row.n_best == wanted.k and heap[0] > least:
            least = heap[0]
        low, floor = block * FM_BLOCK, FM_TINY
        some = min(n - low, <Py_ssize_t> FM_BLOCK)
        if number is uint8_t:
            if known:
                if rows.by_size and work.maxima[block] < least * FM_SLACK:
                    continue
                write_known(sums + low, work.scores, row, work, rows, wanted.cutoff, start + low, some)
                m = fm_pick(work.scores, some, max(least, FM_TINY), work.picked)
                for i in range(m):
                    work.chosen[i] = graphs[low + work.picked[i]]
                    work.scores[i] = work.scores[work.picked[i]]
        if not known:
            if least > 0 and rows.by_size:
                floor = rows.scorer.floor_of(
                    row.number, rows.sizes_there[start + low], work.maxima + block, step, least, &work.memo
                )
                if floor > work.maxima[block]:
                    continue
                # of lines with fractions only what is summed up is compared
                floor = max(floor if rows.whole or rows.scorer.linear else 0.0, FM_TINY)
            m = fm_pick(sums + low, some, floor, work.picked)
            for i in range(m):
                work.chosen[i] = graphs[low + work.picked[i]]
                work.sizes[i] = rows.sizes_there[start + low + work.picked[i]]
            for line in range(n_lines):
                for i in range(m):
                    work.shared[line * FM_BLOCK + i] = <double> sums[line * width + low + work.picked[i]]
            rows.scorer.score_some(
                row.number, work.chosen, work.sizes, m, work.shared, FM_BLOCK, least, &work.memo, work.scores
            )
        for i in range(m):
            score = work.scores[i]
            if score < wanted.cutoff or score <= 0:
                continue
            if not wanted.listed:
                if work.chosen[i] != own:
                    row.n_best = offer(heap, columns, row.n_best, wanted.k, score, work.chosen[i])
            elif not wanted.triangle or work.chosen[i] >= row.number:
                note(&wanted.found, row.number, work.chosen[i], score)
    return 0


cdef inline int use_empty(Row *row, RowScorer rows, Wanted *wanted) except -1 nogil:
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
            note(&wanted.found, row.number, j, score)
    return 0


cdef inline void finish_best(Row *row, RowScorer rows, Wanted *wanted) noexcept nogil:
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
