# A column is an array that grows at its end: one stretch of memory for what is written row by row. Inline in a header,
# so that each kernel gets its own copy with no call through a module boundary.
from libc.stdint cimport int32_t, int64_t
from libc.stdlib cimport free, realloc


cdef struct Column:
    void *data
    int64_t used            # in items, whose size the functions below are told
    int64_t capacity


cdef inline bint enlarge(Column *column, int64_t extra, int64_t size) noexcept nogil:
    """Get memory for half as many items again, and at least ``extra``, of ``size`` bytes. False: there is none."""
    cdef int64_t capacity = column.capacity + (column.capacity >> 1) + 16
    cdef void *data
    if capacity < column.used + extra:
        capacity = column.used + extra
    data = realloc(column.data, capacity * size)
    if data == NULL:
        return False
    column.data = data
    column.capacity = capacity
    return True


cdef inline bint room(Column *column, int64_t extra, int64_t size) noexcept nogil:
    """Make room for ``extra`` items of ``size`` bytes behind those in use. False: there is no memory."""
    return column.used + extra <= column.capacity or enlarge(column, extra, size)


cdef inline void release(Column *column) noexcept nogil:
    """Free the memory; the column is empty and may be used again."""
    free(column.data)
    column.data = NULL
    column.used = 0
    column.capacity = 0


cdef inline bint add_int32(Column *column, int32_t value) noexcept nogil:
    """Append to a column of int32. False: there is no memory."""
    if not room(column, 1, sizeof(int32_t)):
        return False
    (<int32_t *>column.data)[column.used] = value
    column.used += 1
    return True


cdef inline bint add_int64(Column *column, int64_t value) noexcept nogil:
    """Append to a column of int64. False: there is no memory."""
    if not room(column, 1, sizeof(int64_t)):
        return False
    (<int64_t *>column.data)[column.used] = value
    column.used += 1
    return True
