# Lines, and white space as Python sees it, in UTF-8. Inline in a header, as the rows.
from libc.stdint cimport uint8_t
from libc.string cimport memchr

ctypedef const uint8_t *Place       # in a text


cdef struct Span:            # of a text
    Place start
    Place stop


cdef inline Place line_end(Place p, Place end) noexcept nogil:
    """The end of the line that p stands in: its newline, carriage return, or the end of the text."""
    if p == end:
        return end
    cdef const void *found = memchr(p, c"\n", end - p)
    if found != NULL:
        end = <Place> found
    if p < end and (found := memchr(p, c"\r", end - p)) != NULL:
        end = <Place> found
    return end


cdef inline Place next_line(Place p, Place end) noexcept nogil:
    """The line after the one whose end is p."""
    if p < end:
        p += 1
        if p[-1] == c"\r" and p < end and p[0] == c"\n":
            p += 1
    return p


cdef inline int space_at(Place p, Place end) noexcept nogil:
    """Number of bytes of the character at p if Python's ``str.split`` takes it for white space, else 0."""
    cdef uint8_t c = p[0]
    if c < 0x80:
        return c == c" " or 9 <= c <= 13 or 28 <= c <= 31
    if c == 0xc2:
        return 2 if end - p >= 2 and (p[1] == 0x85 or p[1] == 0xa0) else 0
    if end - p < 3:
        return 0
    if c == 0xe1:
        return 3 if p[1] == 0x9a and p[2] == 0x80 else 0
    if c == 0xe2:
        if p[1] == 0x80:
            return 3 if 0x80 <= p[2] <= 0x8a or p[2] == 0xa8 or p[2] == 0xa9 or p[2] == 0xaf else 0
        return 3 if p[1] == 0x81 and p[2] == 0x9f else 0
    if c == 0xe3:
        return 3 if p[1] == 0x80 and p[2] == 0x80 else 0
    return 0


cdef inline int space_of(Place p, Place end, bint separators) noexcept nogil:
    """As :func:`space_at`; ``separators``: whether those of ASCII, 28 to 31, are white space."""
    return 0 if not separators and 28 <= p[0] <= 31 else space_at(p, end)


cdef inline Place strip_left_of(Place p, Place end, bint separators) noexcept nogil:
    cdef int width
    while p < end and (width := space_of(p, end, separators)) > 0:
        p += width
    return p


cdef inline Place strip_right_of(Place p, Place end, bint separators) noexcept nogil:
    while p < end:
        if end[-1] < 0x80:
            if space_of(end - 1, end, separators) == 0:
                break
            end -= 1
        elif end - p >= 2 and space_at(end - 2, end) == 2:
            end -= 2
        elif end - p >= 3 and space_at(end - 3, end) == 3:
            end -= 3
        else:
            break
    return end


cdef inline Place strip_left(Place p, Place end) noexcept nogil:
    return strip_left_of(p, end, True)


cdef inline Place strip_right(Place p, Place end) noexcept nogil:
    return strip_right_of(p, end, True)


cdef inline Place word_end(Place p, Place end) noexcept nogil:
    while p < end and space_at(p, end) == 0:
        p += 1
    return p
