"""Sums over resampled pairs, from which bootstrap intervals and paired tests are computed.

A *replicate* gives every pair a small integer weight. Only the weighted sums of the rows of a table are needed of it.
There are three kinds of weights:

    BOOTSTRAP   how often the pair was drawn in n draws with replacement
    SWAP        0 or 1 with equal probability; 1 means that the two systems exchange this pair
    SUBSET      bit k of the replicate's number for pair k: replicates 0 to 2**n - 1 are all subsets, each once

A replicate costs n draws and, for each cell of the table, one multiplication and addition, in the order of the pairs.
Besides the sums only one vector of weights is held. (A table of indices [replicates, pairs], which sampling functions
usually make, would take 160 MB for 10,000 replicates of 2,000 pairs.) Replicate r draws from the random stream of
(seed, mode, r), so its sums depend neither on the thread that computes it nor on the number of replicates.
"""

from libc.stdint cimport int32_t, int64_t, uint8_t, uint64_t
from libc.string cimport memset

from fastmatch._ext.base.interrupt cimport interrupted, raise_pending
from fastmatch._ext.base.kept cimport zeros
from fastmatch._ext.base.random cimport draw, stream

cdef enum:
    MODE_BOOTSTRAP, MODE_SWAP, MODE_SUBSET
    # Cells and draws after which a pending Ctrl-C is looked for again: a few hundredths of a second.
    WORK_UNTIL_LOOK = 1 << 24


BOOTSTRAP, SWAP, SUBSET = MODE_BOOTSTRAP, MODE_SWAP, MODE_SUBSET


cdef void weigh(int32_t *weight, Py_ssize_t n, uint64_t seed, int mode, int64_t replicate) noexcept nogil:
    """Set the n weights of one replicate."""
    cdef uint64_t state, bits = 0
    cdef uint64_t size = <uint64_t> n
    cdef Py_ssize_t k, _k
    if mode == MODE_SUBSET:
        for k in range(n):
            weight[k] = <int32_t> ((replicate >> k) & 1)
        return
    state = stream(seed, <uint64_t> mode, <uint64_t> replicate)
    if mode == MODE_SWAP:
        for k in range(n):
            if k & 63 == 0:
                bits = draw(&state)
            weight[k] = <int32_t> (bits & 1)
            bits >>= 1
        return
    memset(weight, 0, n * sizeof(int32_t))
    # Each random number gives two indices, of 32 bits each. Their probabilities have a relative error below n / 2**32.
    for _k in range(n >> 1):
        bits = draw(&state)
        weight[((bits >> 32) * size) >> 32] += 1
        weight[((bits & <uint64_t> 0xFFFFFFFF) * size) >> 32] += 1
    if n & 1:
        weight[((draw(&state) >> 32) * size) >> 32] += 1


cdef int64_t count_sum(const int32_t *weight, const int64_t *row, Py_ssize_t n) noexcept nogil:
    """Return the weighted sum of a row of counts."""
    cdef int64_t total = 0
    cdef Py_ssize_t k
    for k in range(n):
        total += weight[k] * row[k]
    return total


cdef double real_sum(const int32_t *weight, const double *row, Py_ssize_t n) noexcept nogil:
    """Return the weighted sum of a row of reals.

    Four sums are kept side by side, because each addition waits for the one before it. The order is always the same.
    """
    cdef double a = 0, b = 0, c = 0, d = 0
    cdef Py_ssize_t k, whole = n & ~<Py_ssize_t> 3
    for k in range(0, whole, 4):
        a += weight[k] * row[k]
        b += weight[k + 1] * row[k + 1]
        c += weight[k + 2] * row[k + 2]
        d += weight[k + 3] * row[k + 3]
    for k in range(whole, n):
        a += weight[k] * row[k]
    return (a + b) + (c + d)


def resampled_sums(
    const int64_t[:, ::1] counts not None,
    const double[:, ::1] reals not None,
    uint64_t seed,
    int mode,
    Py_ssize_t start,
    Py_ssize_t stop,
    int64_t[:, ::1] count_sums not None,
    double[:, ::1] real_sums not None,
    const uint8_t[::1] cancel not None,
):
    """Weighted sums of the rows of two tables for the replicates ``start`` … ``stop - 1``, with the same weights.

    Parameters
    ----------
    counts : int64, shape (n_counts, n)
        The sum of a row's absolute values, times n, must stay below 2**63.
    reals : float64, shape (n_reals, n)
        Either table may have no rows.
    seed : int
        Seed of the random streams, 0 to 2**64 - 1.
    mode : {BOOTSTRAP, SWAP, SUBSET}
        The kind of weights, see the top of this module.
    start, stop : int
        The replicates, 0 <= start <= stop <= n_replicates.
    count_sums : int64, shape (n_counts, n_replicates)
        Output.
    real_sums : float64, shape (n_reals, n_replicates)
        Output.
    cancel : uint8, shape (1,)
        Set to 1 by another thread, it leaves the remaining replicates as they are.

    Raises
    ------
    ValueError, IndexError
        If a shape, the mode or the range does not fit.
    MemoryError
        If there is no room for the weights.

    Notes
    -----
    A replicate takes n draws and one multiplication a cell; a call n int32 of scratch.
    """
    cdef Py_ssize_t n = counts.shape[1], n_counts = counts.shape[0], n_reals = reals.shape[0], r, row
    cdef int64_t work = 0
    cdef bint stopped = False
    if reals.shape[1] != n or count_sums.shape[0] != n_counts or real_sums.shape[0] != n_reals:
        raise ValueError("counts and reals must have one column a pair, the sums one row for each of theirs")
    if count_sums.shape[1] != real_sums.shape[1] or cancel.shape[0] < 1:
        raise ValueError("the sums must have one column a replicate, cancel one entry")
    if not 0 <= start <= stop <= count_sums.shape[1]:
        raise IndexError(f"replicates {start} to {stop} of {count_sums.shape[1]}")
    if mode not in (MODE_BOOTSTRAP, MODE_SWAP, MODE_SUBSET):
        raise ValueError(f"mode {mode}: expected BOOTSTRAP, SWAP or SUBSET")
    if n >= <Py_ssize_t> 1 << 31:
        raise ValueError(f"{n} pairs: at most 2**31 - 1 can be resampled")
    if mode == MODE_SUBSET and (n > 62 or (stop > start and stop > <int64_t> 1 << n)):
        raise ValueError(f"subsets {start} to {stop} of {n} pairs: expected at most 62 pairs, and 2**pairs subsets")
    kept = []
    cdef int32_t *weight = <int32_t *> zeros(kept, n, sizeof(int32_t))
    with nogil:
        for r in range(start, stop):
            if cancel[0]:
                break
            weigh(weight, n, seed, mode, r)
            for row in range(n_counts):
                count_sums[row, r] = count_sum(weight, &counts[row, 0], n) if n else 0
            for row in range(n_reals):
                real_sums[row, r] = real_sum(weight, &reals[row, 0], n) if n else 0
            work += n * (4 + n_counts + n_reals) + 1
            if work >= WORK_UNTIL_LOOK:
                work = 0
                if interrupted():
                    stopped = True
                    break
    if stopped:
        raise_pending()
