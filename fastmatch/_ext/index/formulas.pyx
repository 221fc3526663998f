"""From overlaps of lists of features to scores, one graph against a whole corpus at a time.

A block of everything against everything has many rows, and a row is thousands of scores made of the same few numbers.
In Python each step of a formula would be a pass over memory, and threads would wait for the interpreter's lock between
two steps. So a formula is a class with C methods, which :mod:`fastmatch._ext.index.rows` calls while the overlaps are
still in the cache: what a block of graphs must share to be looked at, and the scores of those that share it.

Pairs are scored elsewhere (a metric's ``score`` and ``combine``), and both results must be equal to the last bit: the
formulas here do the same operations in the same order.
"""

from libc.math cimport INFINITY, sqrt
from libc.stdint cimport int32_t

import numpy as np

cdef enum Formula:
    JACCARD
    DICE
    COSINE
    DOT

FORMULAS = {"jaccard": JACCARD, "dice": DICE, "cosine": COSINE, "dot": DOT}


#: What suffices is computed in floating point: by this much it is taken to be less than it is.
cdef double SLACK = 1 - 1e-9


cdef class OverlapScorer:
    """Base class. Graphs that share nothing score 0, unless both are empty."""

    cdef object alike_together(self, Py_ssize_t start, Py_ssize_t stop):
        """An order of the graphs ``start`` … ``stop - 1``, int64: by size, and then those whose scores are alike."""
        return np.argsort(np.asarray(self.sizes_pred)[start:stop], kind="stable")

    cdef bint alike(self, Py_ssize_t row, Py_ssize_t other) noexcept nogil:
        """Whether the scores of these two graphs differ only by what they share with others: needed if ``by_size``."""
        return False

    cdef double base(self, double a, double b) noexcept nogil:
        """What a score of two graphs of the sizes a, which is not 0, and b divides by; above 0."""
        return 1.0

    cdef double floor_of(
        self, Py_ssize_t row, double b, const double *most, Py_ssize_t step, double least, Memo *memo
    ) noexcept nogil:
        """What a graph must share with graph ``row`` to score ``least``, which is above 0; infinite if it cannot.

        ``b``: the least size of the graph; ``most[line * step]``: what it shares of each line, at most. NULL: no more
        than graph ``row`` shares with itself, or a graph of size b, which b is then, with itself; a score that cannot
        be reached with this b cannot be reached with one that is further from the size of graph ``row``. The result is
        of the first line. ``memo`` belongs to the caller's thread.
        """
        return 0.0

    cdef void score_some(
        self, Py_ssize_t row, const int32_t *graphs, const double *sizes, Py_ssize_t n, const double *sums,
        Py_ssize_t step, double least, Memo *memo, double *scores,
    ) noexcept nogil:
        """``scores[i]`` of graph ``row`` with ``graphs[i]``, of size ``sizes[i]``; shared: ``sums[line * step + i]``.

        In place of a score below ``least`` there may be 0.
        """


cdef class RatioScorer(OverlapScorer):
    """Scores that are an overlap divided by a function of the sizes of both graphs.

    The overlap o is the sum of the lists' overlaps, each times its weight, added in their order; a and b are the sizes.
    jaccard: o / (a + b - o). dice: 2 o / (a + b). cosine: o / sqrt(a b). dot: o. Two graphs of size 0 score 1, but for
    dot. Jaccard and dice are of lists of kind SET or BAG.

    Parameters
    ----------
    formula : str
        One of :data:`FORMULAS`.
    weights : float64, shape (n_lists,)
    sizes_pred, sizes_gold : float64, shapes (n_pred,) and (n_gold,)
        The overlap of each graph's lists with themselves, or more; 0 where they have no features.

    Raises
    ------
    ValueError
        If there is no such formula, or no weight.
    """

    cdef Formula formula

    def __cinit__(
        self, str formula not None, const double[::1] weights not None,
        const double[::1] sizes_pred not None, const double[::1] sizes_gold not None,
    ):
        if formula not in FORMULAS or weights.shape[0] == 0:
            raise ValueError(f"formula {formula!r} of {weights.shape[0]} overlaps")
        self.formula, self.linear = FORMULAS[formula], True
        self.weights = weights
        self.sizes_pred, self.sizes_gold = sizes_pred, sizes_gold
        self.n_pred, self.n_gold = sizes_pred.shape[0], sizes_gold.shape[0]
        self.n_overlaps = weights.shape[0]
        self.bags_only = self.formula == JACCARD or self.formula == DICE
        self.of_empty = 0.0 if self.formula == DOT else 1.0
        self.factor = 2.0 if self.formula == DICE else 1.0
        self.part = 1.0 if self.formula == JACCARD else 0.0

    cdef double base(self, double a, double b) noexcept nogil:
        if self.formula == DOT or b == 0:  # nothing is shared with a graph of size 0
            return 1.0 if self.formula != JACCARD else a
        return sqrt(a * b) if self.formula == COSINE else a + b

    cdef double floor_of(
        self, Py_ssize_t row, double b, const double *most, Py_ssize_t step, double least, Memo *memo
    ) noexcept nogil:
        """The overlap o from the score: t (a + b) / (1 + t) for jaccard, t (a + b) / 2 for dice, t sqrt(a b), t."""
        cdef double a = self.sizes_pred[row], floor = least
        if self.formula == JACCARD:
            floor = least * (a + b) / (1 + least)
        elif self.formula == DICE:
            floor = least * (a + b) / 2
        elif self.formula == COSINE:
            floor = least * sqrt(a * b)
        floor *= SLACK
        if most == NULL:
            return INFINITY if self.bags_only and floor > min(a, b) else floor
        return INFINITY if floor > most[0] else floor

    cdef void score_some(
        self, Py_ssize_t row, const int32_t *graphs, const double *sizes, Py_ssize_t n, const double *sums,
        Py_ssize_t step, double least, Memo *memo, double *scores,
    ) noexcept nogil:
        cdef Py_ssize_t i
        cdef double a = self.sizes_pred[row]
        for i in range(n):
            scores[i] = self.factor * sums[i] / (self.base(a, sizes[i]) - self.part * sums[i])
