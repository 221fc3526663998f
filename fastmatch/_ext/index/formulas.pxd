"""What makes scores of the overlaps of one graph with a whole corpus."""

from fastmatch._ext.index.postings cimport Overlaps


cdef class OverlapScorer:
    cdef readonly Py_ssize_t n_overlaps     # that a score is made of: one a list of features
    cdef readonly Py_ssize_t n_pred
    cdef readonly Py_ssize_t n_gold
    cdef const double[::1] sizes_pred       # of graphs; those of size 0 share nothing with any other
    cdef const double[::1] sizes_gold
    cdef bint bags_only                     # lists of kind DOT do not fit
    cdef double of_empty                    # the score of two graphs of size 0; that of others that share nothing is 0

    cdef double need(self, Py_ssize_t row, double cutoff) noexcept nogil
    cdef double worth(self, Py_ssize_t line, double value) noexcept nogil
    cdef void score_met(self, const Overlaps *overlaps, Py_ssize_t row, double cutoff, double *scores) noexcept nogil
