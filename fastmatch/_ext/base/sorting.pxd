# A sort for the many short and few long lists that graphs are made of.
#
# Inline in a header so that every kernel gets its own copy with no call through a module boundary.
from libc.stdint cimport int64_t, uint32_t, uint64_t
from libc.string cimport memcpy


cdef struct Pair:
    int64_t major
    int64_t minor


cdef inline int64_t packed(int64_t high, int64_t low) noexcept nogil:
    """``high`` above the 32 bits of ``low``; of values that have the same order as (high, low) if low is not negative.

    A shift of a negative number is undefined in C, so ``high`` is shifted as an unsigned one.
    """
    return <int64_t> (<uint64_t> high << 32 | <uint32_t> low)


cdef inline bint pair_less(Pair x, Pair y) noexcept nogil:
    return x.major < y.major or (x.major == y.major and x.minor < y.minor)


ctypedef fused Sortable:
    Pair
    uint64_t


cdef inline bint less(Sortable x, Sortable y) noexcept nogil:
    if Sortable is Pair:
        return pair_less(x, y)
    else:
        return x < y


cdef inline void sort_items(Sortable *items, Py_ssize_t n, Sortable *scratch) noexcept nogil:
    """Sort ``items[0:n]`` in place; ``scratch`` has room for ``n`` items.

    Short runs by insertion (a sentence's lists end there), then bottom-up merging, so the cost is O(n log n) for any
    input.
    """
    cdef Py_ssize_t run = 16 if Sortable is Pair else 24, start, stop, middle, i, j, k
    cdef Sortable item
    cdef Sortable *source = items
    cdef Sortable *target = scratch
    start = 0
    while start < n:
        stop = min(start + run, n)
        for i in range(start + 1, stop):
            item = items[i]
            j = i
            while j > start and less(item, items[j - 1]):
                items[j] = items[j - 1]
                j -= 1
            items[j] = item
        start = stop
    while run < n:
        start = 0
        while start < n:
            middle = min(start + run, n)
            stop = min(start + 2 * run, n)
            i, j, k = start, middle, start
            while i < middle and j < stop:
                if less(source[j], source[i]):
                    target[k] = source[j]
                    j += 1
                else:
                    target[k] = source[i]
                    i += 1
                k += 1
            while i < middle:
                target[k] = source[i]
                i += 1
                k += 1
            while j < stop:
                target[k] = source[j]
                j += 1
                k += 1
            start = stop
        source, target = target, source
        run *= 2
    if source != items:
        memcpy(items, source, n * sizeof(items[0]))


cdef inline void sort_pairs(Pair *items, Py_ssize_t n, Pair *scratch) noexcept nogil:
    """Sort ``items[0:n]`` by (major, minor), in place; ``scratch`` has room for ``n`` items."""
    sort_items(items, n, scratch)


cdef inline void sort_keys(uint64_t *keys, Py_ssize_t n, uint64_t *scratch) noexcept nogil:
    """Sort ``keys[0:n]`` in place; ``scratch`` has room for ``n`` keys."""
    sort_items(keys, n, scratch)
