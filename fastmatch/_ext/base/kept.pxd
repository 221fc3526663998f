# Memory for the length of a call, or of an object's life, that nobody has to free. Inline in a header, as the columns.
from cpython.bytearray cimport PyByteArray_AS_STRING, PyByteArray_FromStringAndSize


cdef inline void *zeros(list kept, size_t n, size_t size) except NULL:
    """Room for n items of ``size`` bytes, all 0, that is there as long as the list ``kept``."""
    room = bytearray(n * size + 1)
    kept.append(room)
    return PyByteArray_AS_STRING(room)


cdef inline void *space(list kept, size_t n, size_t size) except NULL:
    """As :func:`zeros`, but what is there may be anything."""
    room = PyByteArray_FromStringAndSize(NULL, n * size + 1)
    kept.append(room)
    return PyByteArray_AS_STRING(room)
