# Bytes of text: digits, a hash, and text that grows byte by byte in a column. Inline in a header, as the columns.
from libc.stdint cimport int64_t, uint8_t, uint64_t
from libc.string cimport memcpy

from fastmatch._ext.base.columns cimport Column, room
from fastmatch._ext.base.lines cimport Place


cdef inline bint is_digit(uint8_t c) noexcept nogil:
    return c"0" <= c <= c"9"


cdef inline Place digits_end(Place p, Place end) noexcept nogil:
    """The first byte from ``p`` on that is no digit, or ``end``."""
    while p < end and is_digit(p[0]):
        p += 1
    return p


cdef inline uint64_t fnv1a(Place text, int64_t length) noexcept nogil:
    """A hash of a text that is the same in every run, unlike Python's and the interner's (Fowler, Noll and Vo, FNV-1a).

    Its low bits depend on few of the text's, so mix it (random.pxd) before it is used.
    """
    cdef uint64_t h = <uint64_t> 0xCBF29CE484222325
    cdef int64_t i
    for i in range(length):
        h = (h ^ text[i]) * <uint64_t> 0x100000001B3
    return h


cdef inline bint add_bytes(Column *column, Place text, int64_t length) noexcept nogil:
    """Append ``length`` bytes to a column of bytes. False: there is no memory."""
    if not room(column, length, 1):
        return False
    memcpy(<uint8_t *> column.data + column.used, text, length)
    column.used += length
    return True


cdef inline int64_t write_number(uint8_t *out, int64_t number) noexcept nogil:
    """Write a number from 0 on; how many digits it has, 19 at most."""
    cdef uint8_t digits[20]
    cdef int64_t n = 0, k
    while True:
        digits[n] = <uint8_t> (c"0" + number % 10)
        n += 1
        number //= 10
        if number == 0:
            break
    for k in range(n):
        out[k] = digits[n - 1 - k]
    return n
