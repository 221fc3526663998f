# Where a text stops being UTF-8. Inline in a header, as the rows.
from libc.stdint cimport int64_t, uint8_t, uint64_t
from libc.string cimport memcpy

from fastmatch._ext.base.lines cimport Place


cdef inline int64_t next_invalid(Place text, int64_t start, int64_t size) noexcept nogil:
    """Offset of the first byte from ``start`` on that is not UTF-8 as Python defines it, or ``size``."""
    cdef Place p = text + start, end = text + size
    cdef uint64_t word
    cdef uint8_t c, d
    cdef int more
    while p < end:
        while end - p >= 8:
            memcpy(&word, p, 8)
            if word & <uint64_t>0x8080808080808080:
                break
            p += 8
        if p == end:
            break
        c = p[0]
        if c < 0x80:
            p += 1
            continue
        if 0xc2 <= c <= 0xdf:
            more = 1
        elif 0xe0 <= c <= 0xef:
            more = 2
        elif 0xf0 <= c <= 0xf4:
            more = 3
        else:
            return p - text
        if end - p <= more:
            return p - text
        d = p[1]
        if d & 0xc0 != 0x80 or (c == 0xe0 and d < 0xa0) or (c == 0xed and d >= 0xa0):
            return p - text
        if (c == 0xf0 and d < 0x90) or (c == 0xf4 and d >= 0x90):
            return p - text
        if more >= 2 and p[2] & 0xc0 != 0x80 or more == 3 and p[3] & 0xc0 != 0x80:
            return p - text
        p += more + 1
    return size
