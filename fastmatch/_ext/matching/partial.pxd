from libc.stdint cimport int32_t, int64_t

from fastmatch._ext.base.arena cimport Arena
from fastmatch._ext.base.search cimport lower_bound
from fastmatch._ext.matching.triples cimport TripleFeatures
from fastmatch._ext.matching.problem cimport GraphView, Problem


cdef enum:
    # Most pairs of variables of a problem that is built, as of two documents of 5,800: 400 MB of work space.
    CELLS = 1 << 25


cdef class SoftFeatures:
    cdef readonly TripleFeatures hard          # triples that match if they are equal
    cdef const int32_t[::1] unary_class        # class of each unary feature of hard
    cdef const int32_t[::1] relation_class     # class of each relation of hard
    cdef const int64_t[::1] soft_offsets       # [n_graphs + 1]
    cdef const int32_t[:, ::1] soft            # rows: kind, concept, variable, class; sorted within a graph


cdef class Links:
    cdef readonly Py_ssize_t n_a
    cdef readonly Py_ssize_t n_b
    cdef const int64_t[::1] start              # [n_a + 1] concept c of a has the links start[c] … start[c + 1] - 1
    cdef const int32_t[::1] concept            # concept of b, ascending for each concept of a
    cdef const double[::1] similarity          # in (0, 1]


# One graph's part of a SoftFeatures, beside its GraphView.
cdef struct SoftView:
    const int32_t *unary_class
    const int32_t *relation_class
    Py_ssize_t n_soft
    const int32_t *kind
    const int32_t *concept
    const int32_t *variable
    const int32_t *soft_class


# How triples are compared: weights of classes and links of concepts.
cdef struct Matching:
    const double *weight                       # [n_classes_a, n_classes_b]
    Py_ssize_t n_classes_b
    const int64_t *link_start
    const int32_t *link_concept
    const double *link_similarity


cdef inline double link(const Matching *matching, int32_t concept_a, int32_t concept_b) noexcept nogil:
    """Similarity of two concepts, 0 if they have no link."""
    cdef Py_ssize_t stop = matching.link_start[concept_a + 1]
    cdef Py_ssize_t k = lower_bound(matching.link_concept, matching.link_start[concept_a], stop, concept_b)
    return matching.link_similarity[k] if k < stop and matching.link_concept[k] == concept_b else 0.0


cdef void view_soft(SoftView *view, SoftFeatures features, Py_ssize_t g) noexcept nogil
cdef int build_soft(Arena *arena, Arena *spare, const GraphView *a, const GraphView *b, const SoftView *sa,
                    const SoftView *sb, const Matching *matching, int64_t limit, Problem *problem) noexcept nogil
cdef double soft_value(const GraphView *a, const GraphView *b, const SoftView *sa, const SoftView *sb,
                       const Matching *matching, const int32_t *mapping) noexcept nogil
cdef void check_matching(SoftFeatures a, SoftFeatures b, Links links, const double[:, ::1] weight) except *
cdef void view_matching(Matching *matching, Links links, const double[:, ::1] weight) noexcept nogil
