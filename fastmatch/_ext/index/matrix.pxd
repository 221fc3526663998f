"""What a row of a matrix is: the scores of one graph with those of a tile."""

from libc.stdint cimport int32_t, uint8_t
from libc.string cimport memset

from fastmatch._ext.index.known cimport write_known
from fastmatch._ext.index.slots cimport SMALL, RowScorer
from fastmatch._ext.index.tiles cimport (
    FM_TINY, fm_divide_double, fm_divide_float, fm_pick, fm_quotients, fm_stream, number, real,
)
from fastmatch._ext.index.work cimport Row, Wanted, Work


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
