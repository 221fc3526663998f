# Random numbers without a shared state: SplitMix64 (Steele, Lea and Flood, "Fast splittable pseudorandom number
# generators", OOPSLA 2014). The k-th number of a stream is a function of the stream's key and k alone, and the key is a
# function of what the stream is for, so no result depends on the order of the work or on who does it.
from libc.stdint cimport int32_t, uint64_t


cdef inline uint64_t mix(uint64_t z) noexcept nogil:
    """The generator's output function (variant 13 of Stafford's mixers): a bijection in which every bit counts."""
    z = (z ^ (z >> 30)) * <uint64_t> 0xBF58476D1CE4E5B9
    z = (z ^ (z >> 27)) * <uint64_t> 0x94D049BB133111EB
    return z ^ (z >> 31)


cdef inline uint64_t mix_next(uint64_t z) noexcept nogil:
    """The number that a stream in state ``z`` gives next. As a hash it has one advantage over ``mix``: 0 is not 0."""
    return mix(z + <uint64_t> 0x9E3779B97F4A7C15)


cdef inline uint64_t stream(uint64_t seed, uint64_t first, uint64_t second) noexcept nogil:
    """State of the stream that belongs to three numbers. Mixed between them, so (1, 2) and (2, 1) have no relation."""
    return mix(mix(mix(seed + <uint64_t> 0x9E3779B97F4A7C15) + first) + second)


cdef inline uint64_t draw(uint64_t *state) noexcept nogil:
    """Next number of the stream, uniform over 64 bits."""
    state[0] += <uint64_t> 0x9E3779B97F4A7C15
    return mix(state[0])


cdef inline double draw_unit(uint64_t *state) noexcept nogil:
    """Next number of the stream, uniform over the multiples of 2**-53 in [0, 1)."""
    return <double> (draw(state) >> 11) * (1.0 / 9007199254740992.0)


cdef inline int32_t draw_below(uint64_t *state, int32_t n) noexcept nogil:
    """Uniform integer in 0 .. n - 1; ``n`` must be positive. 32 random bits: the bias is below n / 2**32."""
    return <int32_t> (((draw(state) >> 32) * <uint64_t> n) >> 32)
