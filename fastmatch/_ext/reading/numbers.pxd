# Numbers in text as float32, as ``numpy.float32(float(text))`` gives them. Inline in a header, as the rows.
#
# Nearly all numbers of a file of word vectors look like ``-0.12345``. So ``usual_number`` reads eight digits at a time,
# without a branch on their number or on the sign, and scales by a multiplication where that provably rounds to the same
# float32. ``any_number`` reads digit by digit.
from libc.stdint cimport int64_t, uint32_t, uint64_t
from libc.string cimport memcpy

from fastmatch._ext.base.bits cimport fm_first_bit
from fastmatch._ext.base.letters cimport is_digit
from fastmatch._ext.base.lines cimport Place


cdef extern from *:
    """
    #if defined(__BYTE_ORDER__) && __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
    #define FM_LITTLE_ENDIAN 0
    #else
    #define FM_LITTLE_ENDIAN 1
    #endif
    static const double POWER[23] = {
        1e0,  1e1,  1e2,  1e3,  1e4,  1e5,  1e6,  1e7,  1e8,  1e9,  1e10, 1e11,
        1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22,
    };
    static const double INVERSE[8] = {1e-0, 1e-1, 1e-2, 1e-3, 1e-4, 1e-5, 1e-6, 1e-7};
    """
    enum:
        FM_LITTLE_ENDIAN        # usual_number works only then
    const double POWER[23]      # powers of ten that a double holds exactly
    const double INVERSE[8]     # what is nearest to their inverses

# From here on the nearest float32 is infinite.
cdef extern from *:
    const double INFINITE "3.4028235677973362e38"


cdef inline Place usual_number(Place p, float *value) noexcept nogil:
    """Read ``-0.12345`` at ``p``: one digit, a point, one to seven digits, then a byte below 33.

    Returns where it ends, or NULL if it is something else. Looks at up to 8 bytes before ``p``. What the next number
    waits for is only where this one ends, so that is found first, and from three bytes on, since none is shorter.
    """
    cdef uint64_t word, bits, length, n, negative = p[0] == 45
    cdef uint32_t first, pattern
    memcpy(&word, p + 3, 8)
    word = (word - <uint64_t> 0x2121212121212121) & ~word & <uint64_t> 0x8080808080808080    # bytes below 33
    if word == 0:
        return NULL
    length = 3 + (fm_first_bit(word) >> 3)
    cdef Place end = p + length
    n = length - negative - 2
    first = <uint32_t> p[negative] - 48
    if first > 9 or p[negative + 1] != 46 or n - 1 > 6:
        return NULL
    # the digits at the high end of the word, zeros below; then pairs, fours and eights are put together
    memcpy(&word, end - 8, 8)
    word = (word ^ <uint64_t> 0x3030303030303030) & (~<uint64_t> 0 << (64 - 8 * n))
    if ((word + <uint64_t> 0x7676767676767676) | word) & <uint64_t> 0x8080808080808080:
        return NULL
    word |= <uint64_t> first << (56 - 8 * n)
    word = word * 10 + (word >> 8)
    word = (
        (word & <uint64_t> 0x000000FF000000FF) * <uint64_t> 0x000F424000000064
        + ((word >> 16) & <uint64_t> 0x000000FF000000FF) * <uint64_t> 0x0000271000000001
    ) >> 32
    # The product with 1/10^n is at most one unit in the last place off the quotient. That can only matter to the
    # float32 if the 29 bits it loses are about half of its own last place.
    cdef double number = <double> (<int64_t> word) * INVERSE[n]
    memcpy(&bits, &number, 8)
    if (bits & 0x1FFFFFFF) - 0x0FFFFFFC <= 8:
        number = <double> (<int64_t> word) / POWER[n]
    cdef float narrow = <float> number
    memcpy(&pattern, &narrow, 4)
    pattern |= <uint32_t> negative << 31
    memcpy(value, &pattern, 4)
    return end


cdef inline bint any_number(Place p, Place end, float *value) noexcept nogil:
    """Read p[0:end] as a number, exactly; False if it is none, or one that no float32 can hold."""
    cdef Place start = p
    cdef uint64_t mantissa = 0
    cdef int n_digits = 0, scale = 0, exponent = 0, seen = 0
    cdef bint negative = False, minus = False, point = False
    cdef double number
    if p < end and (p[0] == 45 or p[0] == 43):
        negative = p[0] == 45
        p += 1
    while p < end and (is_digit(p[0]) or (p[0] == 46 and not point)):
        if p[0] == 46:
            point = True
        else:
            seen += 1
            if n_digits or p[0] != 48:
                n_digits += 1
            if n_digits <= 18:
                mantissa = mantissa * 10 + (p[0] - 48)
                scale -= point
        p += 1
    if seen == 0:
        return False
    if p < end and (p[0] == 101 or p[0] == 69):
        p += 1
        if p < end and (p[0] == 45 or p[0] == 43):
            minus = p[0] == 45
            p += 1
        if p == end:
            return False
        while p < end and is_digit(p[0]):
            if exponent < 100000:
                exponent = exponent * 10 + (p[0] - 48)
            p += 1
        scale += -exponent if minus else exponent
    if p != end:
        return False
    # both factors are exact doubles then, so one operation rounds once
    if n_digits <= 18 and mantissa < (<uint64_t> 1 << 53) and -22 <= scale <= 22:
        number = <double> mantissa
        number = number * POWER[scale] if scale >= 0 else number / POWER[-scale]
    else:
        with gil:
            number = abs(float((<const char *> start)[:end - start]))
    if not number < INFINITE:
        return False
    value[0] = <float> (-number if negative else number)
    return True
