# The tokens of Penman notation as the reader of the dialect ``penman`` takes them. Inline in a header, as the rows: the
# compiler makes one loop of this and the reader.
from libc.stdint cimport int64_t, uint8_t, uint64_t
from libc.string cimport memcmp, memcpy

from fastmatch._ext.base.letters cimport digits_end
from fastmatch._ext.base.lines cimport Place


cdef extern from *:
    """
    /* What a byte begins. The first two may stand inside a symbol. K_END is the end of the text, no byte. */
    enum penman_kind {
        K_PLAIN, K_HASH, K_SPACE, K_END, K_OPEN, K_CLOSE, K_SLASH, K_COLON, K_QUOTE, K_TILDE, SYMBOL_KINDS = K_HASH
    };
    static const uint8_t KIND[256] = {      /* every other byte is K_PLAIN */
        ['\\t'] = K_SPACE, ['\\n'] = K_SPACE, ['\\v'] = K_SPACE, ['\\f'] = K_SPACE, ['\\r'] = K_SPACE,
        [' '] = K_SPACE,  ['('] = K_OPEN,   [')'] = K_CLOSE,  ['/'] = K_SLASH,  [':'] = K_COLON,
        ['"'] = K_QUOTE,  ['~'] = K_TILDE,  ['#'] = K_HASH,
    };
    """
    enum:
        K_PLAIN, K_HASH, K_SPACE, K_END, K_OPEN, K_CLOSE, K_SLASH, K_COLON, K_QUOTE, K_TILDE, SYMBOL_KINDS
    const uint8_t KIND[256]


cdef struct Cursor:
    Place p        # the token that comes next, or the end of the text
    Place end
    int64_t line            # of p
    int kind                # what p begins, or K_END


cdef inline void skip_space(Cursor *at) noexcept nogil:
    """Go to the next token, which may begin where the cursor stands."""
    cdef int kind
    cdef uint8_t c
    cdef uint64_t word
    while at.p < at.end:
        c = at.p[0]
        kind = KIND[c]
        if kind != K_SPACE:
            at.kind = kind
            return
        at.p += 1
        if c == c"\n":
            at.line += 1
            # indentation: usually a good part of the text
            while at.end - at.p >= 8:
                memcpy(&word, at.p, 8)
                if word != <uint64_t>0x2020202020202020:
                    break
                at.p += 8
        elif c == c"\r":
            at.line += 1
            if at.p < at.end and at.p[0] == c"\n":
                at.p += 1
    at.kind = K_END


cdef inline bint in_symbol(uint8_t byte) noexcept nogil:
    return KIND[byte] <= SYMBOL_KINDS


cdef inline Place symbol_end(Place p, Place end) noexcept nogil:
    while p < end and in_symbol(p[0]):
        p += 1
    return p


cdef inline Place string_end(Place p, Place end) noexcept nogil:
    """Behind the closing quote of the string at p, or NULL: it has to close on its line."""
    p += 1
    while p < end:
        if p[0] == c'"':
            return p + 1
        if p[0] == c"\\":
            p += 1
            if p == end:
                return NULL
        if p[0] == c"\n" or p[0] == c"\r":
            return NULL
        p += 1
    return NULL


cdef inline Place alignment_end(Place p, Place end) noexcept nogil:
    """Behind the alignment (``~e.1,4``, ``~e1``, ``~3``) that begins with the tilde at p, or NULL: it is none."""
    p += 1
    if p < end and c"a" <= p[0] <= c"z":
        p += 1
        if p < end and p[0] == c".":
            p += 1
    cdef Place q = digits_end(p, end)
    if q == p:
        return NULL
    while q < end and q[0] == c",":
        p = q + 1
        q = digits_end(p, end)
        if q == p:
            return p - 1
    return q


# Roles, with their colon ----------------------------------------------------------------------------------------------

cdef inline bint may_invert(Place role, int64_t length) noexcept nogil:
    """Whether a role ends in -of without being itself a role of the AMR model."""
    if length < 4 or role[length - 1] != c"f" or role[length - 2] != c"o" or role[length - 3] != c"-":
        return False
    if length == 11:
        return memcmp(role, b":consist-of", 11) != 0
    if length == 12:
        return memcmp(role, b":prep-out-of", 12) != 0
    if length == 18:
        return memcmp(role, b":prep-on-behalf-of", 18) != 0
    return True


cdef inline bint is_instance(Place role, int64_t length) noexcept nogil:
    return length == 9 and memcmp(role, b":instance", 9) == 0
