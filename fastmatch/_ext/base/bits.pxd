# The bits of a number, for sets of up to 64 members. Inline in a header, so that each kernel gets its own copy with no
# call through a module boundary.
from libc.stdint cimport uint64_t

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
