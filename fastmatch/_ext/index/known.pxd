"""Scores of a row that are made once each and then looked up, as there are few different ones."""

from libc.stdint cimport uint8_t, uint32_t, uint64_t
from libc.string cimport memset

from fastmatch._ext.base.bits cimport fm_first_bit
from fastmatch._ext.index.slots cimport KINDS, RowScorer
from fastmatch._ext.index.tiles cimport FM_BLOCK, fm_keys, fm_nonzero, fm_slot, real
from fastmatch._ext.index.work cimport KEY_BITS, Row, Work


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
