"""What makes scores of the overlaps of one graph with a whole corpus."""

from libc.stdint cimport int32_t

cdef struct Memo:
    # A score that a scorer was asked about last, and its logarithm; it belongs to a thread.
    double least
    double log_least


cdef class OverlapScorer:
    cdef readonly Py_ssize_t n_overlaps     # that a score is made of: one a list of features
    cdef readonly Py_ssize_t n_pred
    cdef readonly Py_ssize_t n_gold
    cdef const double[::1] sizes_pred       # of graphs; those of size 0 share nothing with any other
    cdef const double[::1] sizes_gold
    cdef bint bags_only                     # lists of kind DOT do not fit
    cdef double of_empty                    # the score of two graphs of size 0; that of others that share nothing is 0
    # A linear score is made of one number s, the sum of all overlaps times their weights, added in their order.
    cdef bint linear
    cdef const double[::1] weights
    cdef double factor, part                # the score is factor * s / (base - part * s)
    # Else: graphs of one size that share as much with a graph have one score.
    cdef bint by_size

    cdef object alike_together(self, Py_ssize_t start, Py_ssize_t stop)
    cdef double base(self, double a, double b) noexcept nogil
    cdef bint alike(self, Py_ssize_t row, Py_ssize_t other) noexcept nogil
    cdef double floor_of(
        self, Py_ssize_t row, double b, const double *most, Py_ssize_t step, double least, Memo *memo
    ) noexcept nogil
    cdef void score_some(
        self, Py_ssize_t row, const int32_t *graphs, const double *sizes, Py_ssize_t n, const double *sums,
        Py_ssize_t step, double least, Memo *memo, double *scores,
    ) noexcept nogil
