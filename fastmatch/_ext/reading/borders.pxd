# Where a graph seems to begin, by the look of the text. The reader of the dialect ``penman`` needs this when a graph is
# broken: the brackets do not say then where the next graph begins. Inline in a header, as the tokens.
#
# ``text`` is the beginning of the text and ``end`` its end; ``p`` is a place between them.
from libc.stdint cimport int64_t, uint8_t

from fastmatch._ext.base.lines cimport Place, line_end, next_line
from fastmatch._ext.reading.tokens cimport KIND, K_SPACE, in_symbol


cdef inline bint is_break(uint8_t byte) noexcept nogil:
    return byte == c"\n" or byte == c"\r"


cdef inline Place first_token(Place line, Place end) noexcept nogil:
    """The first token of the line at ``line``; the end of the line or of the text if it is blank."""
    while line < end and KIND[line[0]] == K_SPACE and not is_break(line[0]):
        line += 1
    return line


cdef inline bint after_blank(Place text, Place p) noexcept nogil:
    """Whether p is the first token on its line and the line before it is blank."""
    cdef int breaks = 0
    while p > text and KIND[p[-1]] == K_SPACE:
        p -= 1
        if p[0] == c"\n":
            breaks += 1
            if p > text and p[-1] == c"\r":
                p -= 1
        elif p[0] == c"\r":
            breaks += 1
        if breaks == 2:
            return True
    return False


cdef inline bint after_role(Place text, Place p) noexcept nogil:
    """Whether the last token before p is a role."""
    while p > text and KIND[p[-1]] == K_SPACE:
        p -= 1
    while p > text and in_symbol(p[-1]):
        p -= 1
    return p > text and p[-1] == c":"


cdef inline bint announces_graph(Place text, Place p, Place end) noexcept nogil:
    """Whether a graph seems to begin at p, which must begin a line.

    That is a bracket in the first column, unless a role waits for it, or metadata (``# ::``).
    """
    if p == end or (p > text and not is_break(p[-1])):
        return False
    if p[0] == c"(":
        return not after_role(text, p)
    if p[0] != c"#":
        return False
    p += 1
    while p < end and p[0] == c" ":
        p += 1
    return end - p >= 2 and p[0] == c":" and p[1] == c":"


cdef inline Place first_border(Place p, Place stop, Place end, int64_t *line) noexcept nogil:
    """The first line in (p, stop] that follows a blank line and begins with ``(`` or ``#``, or NULL.

    ``line`` is the number of the line of p, and then of the line that was found.
    """
    cdef Place q
    cdef int64_t number = line[0]
    cdef bint blank = False
    while True:
        q = line_end(p, end)
        if q == end:
            return NULL
        p = next_line(q, end)
        number += 1
        if p > stop:
            return NULL
        q = first_token(p, end)
        if q == end or is_break(q[0]):
            blank = True
            continue
        if blank and (q[0] == c"(" or q[0] == c"#"):
            line[0] = number
            return p
        blank = False


cdef inline Place next_border(Place text, Place graph, Place fault, Place end, int64_t *line) noexcept nogil:
    """The first place from ``fault`` on where a graph seems to begin, or ``end``.

    ``graph`` is where the broken graph begins, ``line`` the number of its line, and then of the line that was found.
    """
    cdef Place p = graph, q
    cdef bint blank = False
    while True:     # to the end of the line of the fault
        q = line_end(p, end)
        if q >= fault:
            break
        p = next_line(q, end)
        line[0] += 1
    if fault > graph and announces_graph(text, fault, end):
        return fault
    p = q
    while p < end:
        p = next_line(p, end)
        line[0] += 1
        q = first_token(p, end)
        if q == end or is_break(q[0]):
            blank = True
            p = q
            continue
        if blank and (q[0] == c"(" or in_symbol(q[0])) or announces_graph(text, p, end):
            break
        blank = False
        p = line_end(q, end)
    return p
