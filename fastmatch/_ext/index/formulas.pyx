"""From overlaps of lists of features to scores, one graph against a whole corpus at a time.

A block of everything against everything has many rows, and a row is thousands of scores made of the same few numbers.
In Python each step of a formula would be a pass over memory, and threads would wait for the interpreter's lock between
two steps. So a formula is a class with one C method, which :func:`fastmatch._ext.index.rows.score_rows` calls for every
row while the row's overlaps are still in the cache.

Pairs are scored elsewhere (a metric's ``score`` and ``combine``), and both results must be equal to the last bit: the
formulas here do the same operations in the same order.
"""

from libc.math cimport INFINITY, sqrt

from fastmatch._ext.index.postings cimport Overlaps

cdef enum Formula:
    JACCARD
    DICE
    COSINE
    DOT

FORMULAS = {"jaccard": JACCARD, "dice": DICE, "cosine": COSINE, "dot": DOT}


cdef class OverlapScorer:
    """Base class. Graphs that share nothing score 0, unless both are empty.

    With a cutoff, a row needs to look at some of the graphs only. Each feature of its lists has a worth, and a graph
    whose shared features are worth less than the row's need does not reach the cutoff.
    """

    cdef double need(self, Py_ssize_t row, double cutoff) noexcept nogil:
        """What the features that graph ``row`` shares must be worth for a cutoff above 0; 0 if nothing is known."""
        return 0.0

    cdef double worth(self, Py_ssize_t line, double value) noexcept nogil:
        """Of sharing a feature of this list of the row, which has this value there: at most."""
        return 0.0

    cdef void score_met(self, const Overlaps *overlaps, Py_ssize_t row, double cutoff, double *scores) noexcept nogil:
        """``scores[k]``, for each graph that graph ``row`` shares something with: the score with graph ``met[k]``.

        In place of a score below the cutoff there may be 0.
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
    cdef const double[::1] weights

    def __cinit__(
        self, str formula not None, const double[::1] weights not None,
        const double[::1] sizes_pred not None, const double[::1] sizes_gold not None,
    ):
        if formula not in FORMULAS or weights.shape[0] == 0:
            raise ValueError(f"formula {formula!r} of {weights.shape[0]} overlaps")
        self.formula = FORMULAS[formula]
        self.weights = weights
        self.sizes_pred, self.sizes_gold = sizes_pred, sizes_gold
        self.n_pred, self.n_gold = sizes_pred.shape[0], sizes_gold.shape[0]
        self.n_overlaps = weights.shape[0]
        self.bags_only = self.formula == JACCARD or self.formula == DICE
        self.of_empty = 0.0 if self.formula == DOT else 1.0

    cdef double need(self, Py_ssize_t row, double cutoff) noexcept nogil:
        """From o <= b: a t for jaccard, a t / (2 - t) for dice.

        Of the cosine, the squared norm of the part of the list that is shared, p: o <= sqrt(p b), so a score of t needs
        p >= a t^2. The same holds where overlaps are of smaller values, which are not above the root of the product.
        """
        cdef double a = self.sizes_pred[row]
        if self.formula == JACCARD:
            return a * cutoff
        if self.formula == DICE:
            return a * cutoff / (2 - cutoff) if cutoff < 2 else INFINITY
        if self.formula == COSINE:
            return a * cutoff * cutoff
        return 0.0

    cdef double worth(self, Py_ssize_t line, double value) noexcept nogil:
        # in sets and bags an overlap is not above the row's own value; and that, a whole number, not above its square
        return self.weights[line] * (value * value if self.formula == COSINE else value)

    cdef void score_met(self, const Overlaps *overlaps, Py_ssize_t row, double cutoff, double *scores) noexcept nogil:
        cdef Py_ssize_t k, line, n = overlaps.n_met
        cdef double a = self.sizes_pred[row], b, weight
        cdef const double *sums = overlaps.sums
        for k in range(n):
            scores[k] = self.weights[0] * sums[overlaps.met[k]]
        for line in range(1, self.n_overlaps):
            sums, weight = overlaps.sums + line * overlaps.n_graphs, self.weights[line]
            for k in range(n):
                scores[k] += weight * sums[overlaps.met[k]]
        if self.formula == DOT:
            return
        for k in range(n):
            b = self.sizes_gold[overlaps.met[k]]
            if self.formula == JACCARD:
                scores[k] = scores[k] / (a + b - scores[k])
            elif self.formula == DICE:
                scores[k] = 2 * scores[k] / (a + b)
            else:
                scores[k] = scores[k] / sqrt(a * b)
