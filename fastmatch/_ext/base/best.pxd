# The best k of many scores, ties to the lower column: a heap with the worst on top.
#
# Inline in a header so that every kernel gets its own copy with no call through a module boundary.
from libc.stdint cimport int32_t


cdef inline bint worse(double x, int32_t i, double y, int32_t j) noexcept nogil:
    """Score x of column i ranks behind score y of column j."""
    return x < y or (x == y and i > j)


cdef inline Py_ssize_t offer(
    double *scores, int32_t *columns, Py_ssize_t n, Py_ssize_t k, double score, int32_t column
) noexcept nogil:
    """Put a score into a heap of ``n``, of at most ``k``, if it is among the best; returns the new ``n``. O(log k)."""
    cdef Py_ssize_t place, above
    if n == k:
        if worse(scores[0], columns[0], score, column):
            scores[0], columns[0] = score, column
            sift(scores, columns, 0, n)
        return n
    place = n
    while place > 0:
        above = (place - 1) // 2
        if not worse(score, column, scores[above], columns[above]):
            break
        scores[place], columns[place] = scores[above], columns[above]
        place = above
    scores[place], columns[place] = score, column
    return n + 1


cdef inline void sift(double *scores, int32_t *columns, Py_ssize_t place, Py_ssize_t n) noexcept nogil:
    """Mend a heap whose entry at ``place`` may rank before those below it."""
    cdef Py_ssize_t child
    cdef double score = scores[place]
    cdef int32_t column = columns[place]
    while 2 * place + 1 < n:
        child = 2 * place + 1
        if child + 1 < n and worse(scores[child + 1], columns[child + 1], scores[child], columns[child]):
            child += 1
        if not worse(scores[child], columns[child], score, column):
            break
        scores[place], columns[place] = scores[child], columns[child]
        place = child
    scores[place], columns[place] = score, column


cdef inline void sort_best(double *scores, int32_t *columns, Py_ssize_t n) noexcept nogil:
    """A heap as a list, the best first. O(n log n)."""
    cdef Py_ssize_t last
    cdef double score
    cdef int32_t column
    for last in range(n - 1, 0, -1):  # the worst goes to the end
        score, column = scores[0], columns[0]
        scores[0], columns[0] = scores[last], columns[last]
        scores[last], columns[last] = score, column
        sift(scores, columns, 0, last)
