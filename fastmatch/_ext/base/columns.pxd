# A column is an array that grows at its end: one stretch of memory for what is written row by row. Inline in a header,
# so that each kernel gets its own copy with no call through a module boundary.
from cpython.buffer cimport PyBUF_WRITABLE, PyBuffer_Release, PyObject_GetBuffer
from libc.stdint cimport int32_t, int64_t, uint8_t
from libc.stdlib cimport free, realloc
from libc.string cimport memcpy

cdef extern from "Python.h":
    void PyErr_NoMemory()


cdef struct Column:
    void *data
    int64_t used            # in items, whose size the functions below are told
    int64_t capacity


cdef inline bint enlarge(Column *column, int64_t extra, int64_t size) noexcept nogil:
    """Get memory for half as many items again, and at least ``extra``, of ``size`` bytes. False: there is none."""
    cdef int64_t capacity = column.capacity + (column.capacity >> 1) + 16
    capacity = max(capacity, column.used + extra)
    cdef void *data = realloc(column.data, capacity * size)
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
    column.used = column.capacity = 0


cdef inline void release_all(Column *first, Column *last) noexcept nogil:
    """Free the memory of columns that stand side by side in a struct."""
    while first <= last:
        release(first)
        first += 1


# Here a lack of memory is a MemoryError, so that callers need not hand it on. Only then the GIL is taken.

cdef inline int out_of_memory() noexcept with gil:
    """Set MemoryError and return -1, as a function ``except -1`` does that raises."""
    PyErr_NoMemory()
    return -1


cdef inline int reserve(Column *column, int64_t extra, int64_t size) except -1 nogil:
    """As :func:`room`."""
    return 0 if room(column, extra, size) else out_of_memory()


cdef inline void *fresh(Column *column, int64_t n, int64_t size) except NULL nogil:
    """Forget what the column held; its memory, with room for ``n`` items of ``size`` bytes and one more."""
    column.used = 0
    reserve(column, n + 1, size)
    return column.data


cdef inline void *push(Column *column, int64_t size) except NULL nogil:
    """Append an item of ``size`` bytes, for the caller to fill."""
    if not room(column, 1, size):
        out_of_memory()
        return NULL
    column.used += 1
    return <char *> column.data + (column.used - 1) * size


cdef inline int push_int32(Column *column, int32_t value) except -1 nogil:
    (<int32_t *> push(column, sizeof(int32_t)))[0] = value


cdef inline int push_int64(Column *column, int64_t value) except -1 nogil:
    (<int64_t *> push(column, sizeof(int64_t)))[0] = value


cdef inline int push_bytes(Column *column, const uint8_t *text, int64_t length) except -1 nogil:
    """Append to a column of bytes."""
    reserve(column, length + 1, 1)      # memory even for no bytes: memcpy takes no NULL
    memcpy(<uint8_t *> column.data + column.used, text, length)
    column.used += length


cdef inline object filled(object array, const Column *column):
    """The array, with a copy of what the column holds; both have the same number of bytes."""
    cdef Py_buffer view
    PyObject_GetBuffer(array, &view, PyBUF_WRITABLE)
    if view.len:
        memcpy(view.buf, column.data, view.len)
    PyBuffer_Release(&view)
    return array
