# The bits of a number, for sets of up to 64 members. Inline in a header, so that each kernel gets its own copy with no
# call through a module boundary.
from libc.stdint cimport int32_t, uint64_t

cdef extern from *:
    """
    #if defined(_MSC_VER)
    #include <intrin.h>
    static int fm_first_bit(unsigned long long x) { unsigned long i; _BitScanForward64(&i, x); return (int) i; }
    #else
    #define fm_first_bit(x) __builtin_ctzll(x)
    #endif
    """
    # The place of the lowest bit that is set, 0 to 63; x must not be 0.
    int fm_first_bit(uint64_t x) noexcept nogil


cdef inline int32_t count_bits(uint64_t x) noexcept nogil:
    """How many bits are set."""
    x -= (x >> 1) & <uint64_t> 0x5555555555555555
    x = (x & <uint64_t> 0x3333333333333333) + ((x >> 2) & <uint64_t> 0x3333333333333333)
    x = (x + (x >> 4)) & <uint64_t> 0x0F0F0F0F0F0F0F0F
    return <int32_t> ((x * <uint64_t> 0x0101010101010101) >> 56)


cdef inline size_t bits_size(Py_ssize_t n) noexcept nogil:
    """Bytes of a set of the numbers from 0 to n - 1."""
    return (n + 63) // 64 * sizeof(uint64_t)


cdef inline bint has_bit(const uint64_t *members, Py_ssize_t i) noexcept nogil:
    return members[i >> 6] >> (i & 63) & 1


cdef inline void set_bit(uint64_t *members, Py_ssize_t i, bint member) noexcept nogil:
    if member:
        members[i >> 6] |= <uint64_t> 1 << (i & 63)
    else:
        members[i >> 6] &= ~(<uint64_t> 1 << (i & 63))
