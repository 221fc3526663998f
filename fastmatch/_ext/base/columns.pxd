# Arenas that grow: one stretch of memory for what is written row by row. Inline in a header, so that each user gets a copy
# of its own with no call through a module boundary.
from libc.stdint cimport int32_t, int64_t
from libc.stdlib cimport free, realloc


cdef struct Column:
    void *data
    int64_t used
    int64_t capacity


cdef inline bint enlarge(Column *column, int64_t extra, int64_t size) noexcept nogil:
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
    return column.used + extra <= column.capacity or enlarge(column, extra, size)


cdef inline void release(Column *column) noexcept nogil:
    free(column.data)
    column.data = NULL
    column.used = 0
    column.capacity = 0


cdef inline bint add_int32(Column *column, int32_t value) noexcept nogil:
    if not room(column, 1, sizeof(int32_t)):
        return False
    (<int32_t *>column.data)[column.used] = value
    column.used += 1
    return True
