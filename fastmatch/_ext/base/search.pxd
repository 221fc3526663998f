# Searches in ascending values, inline in a header, so that each kernel gets its own copy with no call through a module
# boundary. Those named ``lower_bound`` are binary: they return the first place in ``low … high - 1`` whose value is not
# below the wanted one, or ``high`` where there is none, in O(log(high - low)).
from libc.stdint cimport int32_t, int64_t, uint16_t, uint32_t, uint64_t

from fastmatch._ext.base.sorting cimport Pair, pair_less

ctypedef fused Number:
    uint16_t
    int32_t
    int64_t
    uint64_t
    double

ctypedef fused Minor:
    int32_t
    uint32_t


cdef inline Py_ssize_t lower_bound_every(
    const Number *values, Py_ssize_t step, Py_ssize_t low, Py_ssize_t high, Number value
) noexcept nogil:
    """First place ``i`` in ``low … high`` with ``values[step * i] >= value``: a search in one column of a table."""
    cdef Py_ssize_t middle
    while low < high:
        middle = (low + high) >> 1
        if values[step * middle] < value:
            low = middle + 1
        else:
            high = middle
    return low


cdef inline Py_ssize_t lower_bound(const Number *values, Py_ssize_t low, Py_ssize_t high, Number value) noexcept nogil:
    """First place ``i`` in ``low … high`` with ``values[i] >= value``."""
    return lower_bound_every(values, 1, low, high, value)


cdef inline Py_ssize_t stop_of_equals(const Number *values, Py_ssize_t start, Py_ssize_t stop) noexcept nogil:
    """First place behind ``start``, or ``stop``, whose value is not that of ``start``."""
    cdef Py_ssize_t i = start + 1
    while i < stop and values[i] == values[start]:
        i += 1
    return i


cdef inline bint next_shared(
    const Number *a, Py_ssize_t *i, Py_ssize_t stop_a, const Number *b, Py_ssize_t *j, Py_ssize_t stop_b
) noexcept nogil:
    """Move ``i`` in ``a`` and ``j`` in ``b`` on to the next value that both have; False if there is none."""
    cdef Number x, y
    while i[0] < stop_a and j[0] < stop_b:
        x, y = a[i[0]], b[j[0]]
        if x == y:
            return True
        i[0] += x < y   # without a branch, which nothing could predict
        j[0] += y < x
    return False


cdef inline Py_ssize_t count_shared(
    const Number *a, Py_ssize_t i, Py_ssize_t stop_a, const Number *b, Py_ssize_t j, Py_ssize_t stop_b
) noexcept nogil:
    """How many values ``a[i … stop_a - 1]`` and ``b[j … stop_b - 1]`` share, as multisets."""
    cdef Py_ssize_t count = 0
    while next_shared(a, &i, stop_a, b, &j, stop_b):
        count += 1
        i += 1
        j += 1
    return count


cdef inline Py_ssize_t lower_bound_two(
    const Number *major, const Minor *minor, Py_ssize_t low, Py_ssize_t high, Number x, Minor y
) noexcept nogil:
    """First place ``i`` in ``low … high`` with ``(major[i], minor[i]) >= (x, y)``."""
    cdef Py_ssize_t middle
    while low < high:
        middle = (low + high) >> 1
        if major[middle] < x or (major[middle] == x and minor[middle] < y):
            low = middle + 1
        else:
            high = middle
    return low


cdef inline Py_ssize_t lower_bound_three(
    const int32_t *first, const int32_t *second, const int32_t *third, Py_ssize_t low, Py_ssize_t high,
    int32_t x, int32_t y, int32_t z,
) noexcept nogil:
    """First place ``i`` in ``low … high`` with ``(first[i], second[i], third[i]) >= (x, y, z)``."""
    cdef Py_ssize_t middle
    while low < high:
        middle = (low + high) >> 1
        if first[middle] < x or (first[middle] == x and (
                second[middle] < y or (second[middle] == y and third[middle] < z))):
            low = middle + 1
        else:
            high = middle
    return low


cdef inline Py_ssize_t lower_bound_pair(
    const Pair *items, Py_ssize_t low, Py_ssize_t high, int64_t major, int64_t minor
) noexcept nogil:
    """First place ``i`` in ``low … high`` with ``items[i] >= (major, minor)``."""
    cdef Py_ssize_t middle
    cdef Pair wanted
    wanted.major, wanted.minor = major, minor
    while low < high:
        middle = (low + high) >> 1
        if pair_less(items[middle], wanted):
            low = middle + 1
        else:
            high = middle
    return low


cdef inline Py_ssize_t lower_bound_major(
    const Pair *items, Py_ssize_t low, Py_ssize_t high, int64_t major
) noexcept nogil:
    """First place ``i`` in ``low … high`` with ``items[i].major >= major``."""
    return lower_bound_every(&items.major, sizeof(Pair) // sizeof(int64_t), low, high, major)
