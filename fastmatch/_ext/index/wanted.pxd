"""What becomes of the sums of a row: scores in a matrix, the pairs that reach a cutoff, or the best k.

Scores of which there are few different ones are made once each and then looked up.
"""

from libc.stdint cimport int32_t, uint8_t, uint32_t, uint64_t
from libc.string cimport memset

from fastmatch._ext.base.best cimport offer, sort_best
from fastmatch._ext.base.bits cimport fm_first_bit
from fastmatch._ext.index.lists cimport note
from fastmatch._ext.index.slots cimport KINDS, SMALL, RowScorer
from fastmatch._ext.index.tiles cimport (
    FM_BLOCK, FM_HUGE, FM_SLACK, FM_TINY, fm_divide_double, fm_divide_float, fm_keys, fm_maxima, fm_nonzero, fm_pick,
    fm_quotients, fm_slot, fm_stream, number, real,
)
from fastmatch._ext.index.work cimport KEY_BITS, Row, Wanted, Work


cdef inline void know(Row *row, Work *work, RowScorer rows) noexcept nogil:
    """Forget the scores that are kept, unless they are those of this row, too: a row has few different ones."""
    if row.bits == 0 or work.known_row == row.number:
        return
    if work.known_row < 0 or not rows.scorer.alike(work.known_row, row.number):
        memset(work.keys, 0, sizeof(work.keys))
    work.known_row = row.number


cdef inline double make_known(
    uint32_t key, Py_ssize_t place, Row *row, Work *work, RowScorer rows, double cutoff
) noexcept nogil:
    cdef Py_ssize_t line
    cdef double score
    cdef double shared[KEY_BITS]
    for line in range(rows.n_lines):
        shared[line] = <double> (key >> (rows.n_lines - 1 - line) * row.bits & ((1 << row.bits) - 1))
    rows.scorer.score_some(
        row.number, &rows.graphs[place], &rows.sizes_there[place], 1, shared, 1, 0.0, &work.memo, &score
    )
    score = score if score >= cutoff else 0.0
    if key >> rows.n_lines * row.bits != KINDS:
        work.keys[fm_slot(key)], work.known[fm_slot(key)] = key, score
    return score


cdef inline double known_score(
    uint32_t key, Py_ssize_t place, Row *row, Work *work, RowScorer rows, double cutoff
) noexcept nogil:
    """The score with the graph at this place; 0 if it is below the cutoff.

    In the key are the sums, some bits each, and above them the kind of the graph's size, but not below the row's. It is
    not 0, which stands for no key: the first sum is at least 1.
    """
    cdef uint32_t slot = fm_slot(key)
    if work.keys[slot] != key:
        return make_known(key, place, row, work, rows, cutoff)
    return work.known[slot]


cdef inline void write_known(
    const uint8_t *sums, real *out, Row *row, Work *work, RowScorer rows, double cutoff, Py_ssize_t start, Py_ssize_t n
) noexcept nogil:
    cdef Py_ssize_t i, low, some
    cdef uint32_t *keys = <uint32_t *> work.shared
    cdef uint64_t left
    know(row, work, rows)
    memset(out, 0, n * sizeof(real))
    for low in range((n + FM_BLOCK - 1) // FM_BLOCK):
        low = low * FM_BLOCK
        some = min(n - low, <Py_ssize_t> FM_BLOCK)
        left = fm_nonzero(sums + low) & ~<uint64_t> 0 >> (FM_BLOCK - some)  # without the first line nothing is shared
        if not left:
            continue
        fm_keys(sums + low, work.width, rows.n_lines, row.bits, &rows.kinds[start + low], row.kind, some, keys)
        while left:
            i = fm_first_bit(left)
            left &= left - 1
            out[low + i] = <real> known_score(keys[i], start + low + i, row, work, rows, cutoff)


cdef inline void write_scores(
    number *sums, real *out, Row *row, Work *work, RowScorer rows, double cutoff, Py_ssize_t start, Py_ssize_t skipped,
    Py_ssize_t n,
) noexcept nogil:
    cdef Py_ssize_t i, line, m
    cdef double a = rows.scorer.sizes_pred[row.number]
    cdef float *quotients
    if rows.scorer.linear:
        if work.base_of != a:
            for i in range(skipped + n):
                work.base[i] = rows.scorer.base(a, rows.scorer.sizes_gold[start + i])
                work.single[i] = <float> work.base[i]
            work.base_of = a
        if real is float and cutoff <= 0 and number is not double:
            # of small whole numbers: rounding twice gives the same as rounding once
            if rows.scorer.bags_only and rows.small and a < SMALL and a == <double> <int32_t> a:
                # so cheap that half of the time goes to memory
                quotients = <float *> work.scores if work.streams else <float *> out
                fm_quotients(
                    sums, work.single + skipped, <float> rows.scorer.factor, <float> rows.scorer.part, n, quotients
                )
                if work.streams:
                    fm_stream(<float *> out, quotients, n)
                return
        if real is float and cutoff <= 0:
            fm_divide_float(sums, work.base + skipped, rows.scorer.factor, rows.scorer.part, n, out)
            return
        fm_divide_double(sums, work.base + skipped, rows.scorer.factor, rows.scorer.part, n, work.scores)
        for i in range(n):
            out[i] = <real> work.scores[i] if work.scores[i] >= cutoff else 0
        return
    if number is uint8_t:
        if row.bits:
            if real is float and work.streams:
                write_known(sums, <float *> work.scores, row, work, rows, cutoff, start + skipped, n)
                fm_stream(<float *> out, <float *> work.scores, n)
            else:
                write_known(sums, out, row, work, rows, cutoff, start + skipped, n)
            return
    m = fm_pick(sums, n, FM_TINY, work.picked)
    for i in range(m):
        work.chosen[i] = <int32_t> (start + skipped + work.picked[i])
        work.sizes[i] = rows.sizes_there[work.chosen[i]]
    for line in range(rows.n_lines):
        for i in range(m):
            work.shared[line * work.width + i] = <double> sums[line * work.width + work.picked[i]]
    rows.scorer.score_some(
        row.number, work.chosen, work.sizes, m, work.shared, work.width, cutoff, &work.memo, work.scores
    )
    memset(out, 0, n * sizeof(real))
    for i in range(m):
        if work.scores[i] >= cutoff:
            out[work.picked[i]] = <real> work.scores[i]


cdef inline void write_tile(
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
