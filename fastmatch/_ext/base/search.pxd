# Binary searches in ascending values. Each returns the first place in ``low … high - 1`` whose value is not below the
# wanted one, or ``high`` where there is none: O(log(high - low)). Inline in a header, so that each kernel gets its own
# copy with no call through a module boundary.
from libc.stdint cimport int32_t, int64_t, uint32_t, uint64_t

from fastmatch._ext.base.sorting cimport Pair, pair_less

ctypedef fused Number:
    int32_t
    int64_t
    uint64_t

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


cdef inline Py_ssize_t lower_bound(
    const Number *values, Py_ssize_t low, Py_ssize_t high, Number value
) noexcept nogil:
    """First place ``i`` in ``low … high`` with ``values[i] >= value``."""
    return lower_bound_every(values, 1, low, high, value)


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
    cdef Py_ssize_t middle
    while low < high:
        middle = (low + high) >> 1
        if items[middle].major < major:
            low = middle + 1
        else:
            high = middle
    return low
