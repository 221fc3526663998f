# cython: language_level=3
# What the patterns of compare_umr.pl match in a line; see reading.pyx.
#
# Where white space or letters are meant, they are those of Unicode.
from libc.stdint cimport int64_t, uint32_t
from libc.string cimport memchr, memcmp

from fastmatch._ext.base.lines cimport Place, space_of, strip_left_of, strip_right_of

cdef extern from "Python.h":
    bint Py_UNICODE_ISALNUM(uint32_t character) nogil

cdef enum:
    LAST_TOKEN = 0x7fffffff     # the largest number of a token that is told apart


cdef struct Line:
    Place start
    Place stop              # without the white space at its end
    int64_t number


cdef inline int blank(Place p, Place end) noexcept nogil:
    """Number of bytes of the character at p if Perl takes it for white space, else 0."""
    return space_of(p, end, False)


cdef inline Place over_blanks(Place p, Place end) noexcept nogil:
    return strip_left_of(p, end, False)


cdef inline Place before_blanks(Place p, Place end) noexcept nogil:
    """The end of a text without the white space there."""
    return strip_right_of(p, end, False)


cdef inline int letter(Place p) noexcept nogil:
    """Number of bytes of the character at p if it is a letter or a number of any script, else 0."""
    cdef uint32_t c = p[0]
    if c < 0x80:
        return c"a" <= (c | 32) <= c"z" or c"0" <= c <= c"9"
    if c < 0xe0:
        return 2 if Py_UNICODE_ISALNUM((c & 0x1f) << 6 | (p[1] & 0x3f)) else 0
    if c < 0xf0:
        return 3 if Py_UNICODE_ISALNUM((c & 0x0f) << 12 | (p[1] & 0x3f) << 6 | (p[2] & 0x3f)) else 0
    c = (c & 0x07) << 18 | (p[1] & 0x3f) << 12 | (p[2] & 0x3f) << 6 | (p[3] & 0x3f)
    return 4 if Py_UNICODE_ISALNUM(c) else 0


cdef inline Place over_letters(Place p, Place end, bint hyphens) noexcept nogil:
    cdef int width
    while p < end:
        width = letter(p)
        if width == 0 and hyphens and p[0] == c"-":
            width = 1
        if width == 0:
            break
        p += width
    return p


cdef inline int64_t characters(Place p, Place end) noexcept nogil:
    cdef int64_t n = 0
    while p < end:
        n += p[0] & 0xc0 != 0x80
        p += 1
    return n


cdef inline int64_t number(Place p, Place end) noexcept nogil:
    """The number, or the largest that is told apart."""
    cdef int64_t n = 0
    while p < end and p[0] == c"0":
        p += 1
    if end - p >= 10:
        return LAST_TOKEN
    while p < end:
        n = 10 * n + p[0] - c"0"
        p += 1
    return n


cdef inline Place pattern_node(Place p, Place end) noexcept nogil:
    """The end of ``( variable /`` and the white space behind it, or NULL."""
    p = over_blanks(p + 1, end)
    cdef Place word = p
    p = over_letters(p, end, False)
    if p == word:
        return NULL
    p = over_blanks(p, end)
    return over_blanks(p + 1, end) if p < end and p[0] == c"/" else NULL


cdef inline Place concept_start(Place p, Place end) noexcept nogil:
    """The first character that is neither white space nor a bracket, or the end."""
    cdef int width
    while p < end:
        width = 1 if p[0] == c"(" or p[0] == c")" else blank(p, end)
        if width == 0:
            break
        p += width
    return p


cdef inline Place word_stop(Place p, Place end, bint brackets) noexcept nogil:
    """Where a word ends: at white space, a closing bracket and, with ``brackets``, an opening one."""
    while p < end and p[0] != c")" and not (brackets and p[0] == c"(") and blank(p, end) == 0:
        p += 1
    return p


cdef inline Place pattern_sentence(Place p, Place end) noexcept nogil:
    """The end of ``( variable / sentence`` and the white space behind it, or NULL."""
    p = pattern_node(p, end)
    return over_blanks(p + 8, end) if p != NULL and end - p >= 8 and memcmp(p, b"sentence", 8) == 0 else NULL


cdef inline Place pattern_triple(Place p, Place end, Place *parts) noexcept nogil:
    """The end of ``( head :role tail )``, or NULL.

    ``parts``: where head, role and tail begin and end. Role and tail may be one word, whose last letter is the tail
    then.
    """
    parts[0] = over_blanks(p + 1, end)
    parts[1] = over_letters(parts[0], end, True)
    parts[2] = over_blanks(parts[1], end)
    if parts[1] == parts[0] or parts[2] == end or parts[2][0] != c":":
        return NULL
    parts[3] = over_letters(parts[2] + 1, end, True)
    if parts[3] == parts[2] + 1:
        return NULL
    parts[4] = over_blanks(parts[3], end)
    parts[5] = over_letters(parts[4], end, True)
    p = over_blanks(parts[5], end)
    if p == end or p[0] != c")":
        return NULL
    if parts[5] == parts[4]:
        parts[5] = parts[4] = parts[3]
        while True:
            parts[4] -= 1
            if parts[4][0] & 0xc0 != 0x80:
                break
        parts[3] = parts[4]
        if parts[3] == parts[2] + 1:
            return NULL
    return p + 1


cdef inline Place line_stop(const Line *line) noexcept nogil:
    """The end of a line without its comment and the white space before that."""
    cdef Place comment = <Place> memchr(line.start, c"#", line.stop - line.start)
    return line.stop if comment == NULL else before_blanks(line.start, comment)
