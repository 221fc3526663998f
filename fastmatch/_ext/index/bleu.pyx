"""BLEU from counts of n-grams: one formula for single pairs, for sums over a corpus and for rows of a matrix.

The three callers must agree to the last bit, and in array operations the formula would take a dozen passes over memory.
Precisions are ratios of small whole numbers, so their logarithms come from a table. It holds the logarithm of the ratio
and not the difference of two logarithms, so that equal precisions give equal scores and ranks do not depend on last
bits.
"""

from libc.math cimport INFINITY, exp, log
from libc.stdint cimport int32_t

from fastmatch._ext.index.formulas cimport Memo, OverlapScorer

import numpy as np

cdef enum:
    # More than most sentences have n-grams of an order. Few of them match, so few rows of the table are used.
    N_LOGS = 128
    # Of orders; an order is an n-gram's length.
    MOST_ORDERS = 64

cdef enum Direction:
    PRED_GOLD
    GOLD_PRED
    MEAN

DIRECTIONS = {"pred-gold": PRED_GOLD, "gold-pred": GOLD_PRED, "mean": MEAN}

cdef double LOGS[N_LOGS][N_LOGS]
cdef Py_ssize_t _m, _n
for _m in range(N_LOGS):
    for _n in range(N_LOGS):
        LOGS[_m][_n] = log(<double> _m / <double> _n) if _m and _n else 0.0


cdef struct Options:
    Py_ssize_t n_orders
    bint nist       # smoothing
    bint brevity
    double weights[MOST_ORDERS]


cdef inline double log_of(double part, double whole) noexcept nogil:
    """Logarithm of a ratio of numbers that are mostly small and whole; 1 at least."""
    if part < N_LOGS and whole < N_LOGS and part == <Py_ssize_t> part and whole == <Py_ssize_t> whole:
        return LOGS[<Py_ssize_t> part][<Py_ssize_t> whole]
    return log(part / whole)


cdef inline void weigh_orders(
    const Options *options, const double *totals, Py_ssize_t step, double *weights
) noexcept nogil:
    """The weight of each order: those that the hypothesis is too small for do not count, the others share theirs."""
    cdef Py_ssize_t order, highest = 0
    for order in range(options.n_orders):
        highest += totals[order * step] > 0
    for order in range(options.n_orders):
        weights[order] = options.weights[order] if highest == options.n_orders else 1.0 / max(highest, 1)


cdef inline double log_bleu(
    const Options *options, const double *matches, Py_ssize_t step, const double *totals, Py_ssize_t total_step,
    const double *weights,
) noexcept nogil:
    """The logarithm of a score without brevity, where the first order has a match.

    ``matches[o * step]`` and ``totals[o * total_step]``: of order o + 1, what matched, and what the hypothesis has.
    With ``nist`` the i-th order without a match has 1 / 2^i matches.
    """
    cdef double exponent = 0.0, match, total, halved = 1.0
    cdef Py_ssize_t order
    for order in range(options.n_orders):
        match, total = matches[order * step], totals[order * total_step]
        if total <= 0:
            continue
        if match > 0:
            exponent += weights[order] * log_of(match, total)
        elif options.nist:
            halved *= 2
            exponent += weights[order] * log_of(1.0, halved * total)
        else:
            return -INFINITY
    return exponent


cdef inline double bleu(
    const Options *options, const double *matches, Py_ssize_t step, const double *totals, Py_ssize_t total_step,
    double size, double other, double least, const double *weights,
) noexcept nogil:
    """The score of a hypothesis; or 0, if its logarithm is below ``least``.

    ``size`` and ``other``: of the hypothesis and of the reference; the others as for :func:`log_bleu`.
    """
    if matches[0] == 0:
        # two empty graphs are equal
        return 1.0 if size == 0 and other == 0 else 0.0
    cdef double exponent = log_bleu(options, matches, step, totals, total_step, weights)
    if options.brevity and 0 < size <= other:
        exponent += 1 - other / size
    return 0.0 if exponent < least else exp(exponent)


cdef inline double log_of_least(Memo *memo, double least) noexcept nogil:
    """Its logarithm, taken to be less by more than rounding can do."""
    if memo.least != least:
        memo.least, memo.log_least = least, log(least) - 1e-9
    return memo.log_least


cdef Options options_of(const double[::1] weights, str smoothing, bint brevity) except *:
    cdef Options options
    cdef Py_ssize_t order
    if not 1 <= weights.shape[0] <= MOST_ORDERS:
        raise ValueError(f"{weights.shape[0]} orders, at most {MOST_ORDERS}")
    options.n_orders = weights.shape[0]
    options.nist = smoothing == "nist"
    options.brevity = brevity
    for order in range(weights.shape[0]):
        options.weights[order] = weights[order]
    return options


def bleu_scores(
    const double[:, ::1] matches not None,
    const double[:, ::1] totals not None,
    const double[::1] sizes not None,
    const double[::1] others not None,
    *,
    const double[::1] weights not None,
    str smoothing not None,
    bint brevity,
):
    """Scores of hypotheses, float64, shape (n,), in [0, 1].

    Parameters
    ----------
    matches, totals : float64, shape (n_orders, n)
        0 or more: n-grams of each order of the hypothesis, those that match and all.
    sizes, others : float64, shape (n,)
        Sizes of hypotheses and of references.
    weights : float64, shape (n_orders,)
    smoothing : {"nist", "none"}
    brevity : bool
        Whether hypotheses smaller than their references lose score.

    Raises
    ------
    ValueError
        If an array's shape does not fit.
    """
    cdef Options options = options_of(weights, smoothing, brevity)
    cdef double orders[MOST_ORDERS]
    cdef Py_ssize_t i, n = sizes.shape[0]
    if (matches.shape[0] != weights.shape[0] or totals.shape[0] != weights.shape[0] or matches.shape[1] != n
            or totals.shape[1] != n or others.shape[0] != n):
        raise ValueError("matches and totals must have one row an order and, like the sizes, one entry a pair")
    result = np.empty(n)
    cdef double[::1] out = result
    with nogil:
        for i in range(n):
            weigh_orders(&options, &totals[0, i], n, orders)
            out[i] = bleu(&options, &matches[0, i], n, &totals[0, i], n, sizes[i], others[i], -INFINITY, orders)
    return result


cdef class BleuScorer(OverlapScorer):
    """BLEU of one graph with each graph of a corpus.

    Parameters
    ----------
    totals_pred, totals_gold : float64, shape (n_orders, n_graphs)
        n-grams of each order.
    sizes_pred, sizes_gold : float64, shape (n_graphs,)
    direction : str
        One of :data:`DIRECTIONS`: which graph is the hypothesis, or the mean of both scores.
    weights, smoothing, brevity
        As for :func:`bleu_scores`.

    Raises
    ------
    ValueError
        If an array's shape does not fit, or there is no such direction.
    """

    cdef Options options
    cdef Direction direction
    cdef const double[:, ::1] totals_pred
    cdef const double[:, ::1] totals_gold

    def __cinit__(
        self,
        const double[:, ::1] totals_pred not None,
        const double[:, ::1] totals_gold not None,
        const double[::1] sizes_pred not None,
        const double[::1] sizes_gold not None,
        *,
        str direction not None,
        const double[::1] weights not None,
        str smoothing not None,
        bint brevity,
    ):
        self.options = options_of(weights, smoothing, brevity)
        if direction not in DIRECTIONS:
            raise ValueError(f"direction {direction!r}")
        self.direction = DIRECTIONS[direction]
        self.by_size = self.direction == PRED_GOLD
        self.n_overlaps, self.n_pred, self.n_gold = weights.shape[0], sizes_pred.shape[0], sizes_gold.shape[0]
        if (totals_pred.shape[0] != self.n_overlaps or totals_pred.shape[1] != self.n_pred
                or totals_gold.shape[0] != self.n_overlaps or totals_gold.shape[1] != self.n_gold):
            raise ValueError("totals must have one row an order and one column a graph")
        self.totals_pred, self.totals_gold = totals_pred, totals_gold
        self.sizes_pred, self.sizes_gold = sizes_pred, sizes_gold
        self.of_empty = 1.0

    cdef double floor_of(
        self, Py_ssize_t row, double b, const double *most, Py_ssize_t step, double least, Memo *memo
    ) noexcept nogil:
        """Matches of the first order, from the most matches of all orders: more matches never lower a score."""
        cdef double a = self.sizes_pred[row], target, others, match
        cdef double weights[MOST_ORDERS]
        cdef const double *totals = &self.totals_pred[0, row]
        if most == NULL:
            most, step = totals, self.n_pred
        if self.direction == GOLD_PRED:  # the totals of the other graphs are not known here
            return 1.0
        if self.direction == MEAN:
            least = 2 * least - 1
        if least <= 0:
            return 1.0
        target = log_of_least(memo, least)
        if self.options.brevity and 0 < a <= b:
            target -= 1 - b / a
        weigh_orders(&self.options, totals, self.n_pred, weights)
        others = log_bleu(&self.options, most, step, totals, self.n_pred, weights)
        if others < target:
            return INFINITY
        match, others = most[0], others - weights[0] * log_of(most[0], totals[0])
        while match > 1 and others + weights[0] * log_of(match - 1, totals[0]) >= target:
            match -= 1
        return match

    cdef object alike_together(self, Py_ssize_t start, Py_ssize_t stop):
        return np.lexsort((*np.asarray(self.totals_pred)[:, start:stop], np.asarray(self.sizes_pred)[start:stop]))

    cdef void score_some(
        self, Py_ssize_t row, const int32_t *graphs, const double *sizes, Py_ssize_t n, const double *sums,
        Py_ssize_t step, double least, Memo *memo, double *scores,
    ) noexcept nogil:
        cdef Py_ssize_t i, j
        cdef double a = self.sizes_pred[row], b, there = 0.0, back = 0.0, lowest = -INFINITY
        cdef double weights[MOST_ORDERS]
        cdef double weights_back[MOST_ORDERS]
        if self.direction == MEAN:
            least = 2 * least - 1
        if least > 0:
            lowest = log_of_least(memo, least)
        weigh_orders(&self.options, &self.totals_pred[0, row], self.n_pred, weights)
        for i in range(n):
            j = graphs[i]
            b = sizes[i]
            if self.direction != GOLD_PRED:
                there = bleu(
                    &self.options, sums + i, step, &self.totals_pred[0, row], self.n_pred, a, b, lowest, weights
                )
            if self.direction != PRED_GOLD:
                weigh_orders(&self.options, &self.totals_gold[0, j], self.n_gold, weights_back)
                back = bleu(
                    &self.options, sums + i, step, &self.totals_gold[0, j], self.n_gold, b, a, lowest, weights_back
                )
            scores[i] = (there + back) / 2 if self.direction == MEAN else there + back

    cdef bint alike(self, Py_ssize_t row, Py_ssize_t other) noexcept nogil:
        """Two graphs have as many n-grams of each order, and the same size."""
        cdef Py_ssize_t order
        if row < 0 or self.sizes_pred[row] != self.sizes_pred[other]:
            return False
        for order in range(self.n_overlaps):
            if self.totals_pred[order, row] != self.totals_pred[order, other]:
                return False
        return True
