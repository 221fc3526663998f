from libc.stdint cimport int32_t, int64_t, uint64_t

from fastmatch._ext.base.arena cimport Arena
from fastmatch._ext.base.watch cimport Watch
from fastmatch._ext.matching.problem cimport Problem


# A one-to-one choice of candidates.
cdef struct Selection:
    const Problem *problem
    double value                      # sum of the gains
    uint64_t *chosen                  # which candidates are, in bits
    # The *support* of a candidate is its unary gain + the weights of its edge-pairs with chosen candidates: of each
    # candidate, or NULL, and then of the chosen one of each row.
    double *support
    double *of_row                    # [n_rows]
    int32_t *in_row                   # [n_rows] chosen candidate, or -1
    int32_t *in_col                   # [n_cols] chosen candidate, or -1


cdef size_t selection_size(const Problem *problem) noexcept nogil
cdef void selection_init(Arena *arena, Selection *selection, const Problem *problem) noexcept nogil
cdef void select(Selection *selection, const int32_t *row_match) noexcept nogil
cdef double map_value(const Problem *p, const int32_t *row_match) noexcept nogil
cdef double columns_value(const Problem *p, const int32_t *columns) noexcept nogil
cdef int64_t improve(Selection *selection, const int32_t *some, int32_t n_some, int64_t limit,
                     Watch *watch) noexcept nogil
cdef int64_t anneal(Selection *selection, int64_t limit, int32_t *best, Watch *watch) noexcept nogil
