from libc.stdint cimport int32_t, int64_t

from fastmatch._ext.arena cimport Arena
from fastmatch._ext.features cimport TripleFeatures


cdef enum:
    # More unary matches or edge-pairs than this are not built: with the solver's arrays that is about a gigabyte.
    PROBLEM_LIMIT = 5_000_000
    TOO_LARGE = -2


cdef struct GraphView:                # one graph's features, borrowed from TripleFeatures
    int32_t n_variables
    Py_ssize_t n_unary
    const int64_t *key
    const int32_t *variable
    const int32_t *unary_count
    Py_ssize_t n_relations
    const int32_t *role
    const int32_t *source
    const int32_t *target
    const int32_t *relation_count


cdef struct Problem:
    # Candidates c = (row[c], col[c]): variable of A, variable of B; sorted by row, then col.
    int32_t n_rows
    int32_t n_cols
    int32_t n_candidates
    int32_t n_halves                  # two for each pair of relations that can match together
    int32_t *row
    int32_t *col
    double *unary                     # gain of choosing the candidate on its own
    int32_t *row_start                # [n_rows + 1] candidates of a row are row_start[i] .. row_start[i + 1] - 1
    # An edge-pair joins two candidates; each end sees it as a half. Halves of candidate c are
    # half_start[c] .. half_start[c + 1] - 1, sorted by the candidate at the other end (so grouped by its row).
    int32_t *half_start               # [n_candidates + 1]
    int32_t *other                    # candidate at the other end
    int32_t *mate                     # the same edge-pair's half at the other end
    double *weight                    # gain of choosing both ends, the same at both halves


cdef void view_graph(GraphView *view, TripleFeatures features, Py_ssize_t g) noexcept nogil
cdef int build(Arena *arena, const GraphView *a, const GraphView *b, int64_t limit, Problem *problem) noexcept nogil
cdef void count_matches(const GraphView *a, const GraphView *b, int64_t *n_unary, int64_t *n_edges) noexcept nogil
cdef Py_ssize_t key_run(const GraphView *view, Py_ssize_t start) noexcept nogil
cdef Py_ssize_t role_run(const GraphView *view, Py_ssize_t start) noexcept nogil
cdef tuple problem_arrays(const Problem *problem, bint whole)
