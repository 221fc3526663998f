# Text that grows byte by byte, in a column of bytes. Inline in a header, as the columns.
from libc.stdint cimport int64_t, uint8_t
from libc.string cimport memcpy

from fastmatch._ext.base.columns cimport Column, room


cdef inline bint is_digit(uint8_t c) noexcept nogil:
    return c"0" <= c <= c"9"


cdef inline bint add_bytes(Column *column, const uint8_t *text, int64_t length) noexcept nogil:
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
