/* Functions that are compiled twice, for any processor and for AVX2.

   Both versions give the same bits: no operation is fused with another, and whatever else the result depends on, such as
   the order of a sum, is written in the function. */

#ifndef FASTMATCH_BASE_VERSIONS_H
#define FASTMATCH_BASE_VERSIONS_H

/* FM_ALWAYS: always inlined, because a function that is called would be compiled only once. */
#if defined(__GNUC__) || defined(__clang__)
#define FM_ALWAYS static inline __attribute__((always_inline))
#else
#define FM_ALWAYS static inline
#endif

/* The function `type name given`, which calls `name_any passed`, an FM_ALWAYS, in the version for this processor. `give` is
   `return`, or nothing for a function without a result. FM_VERSIONS_BY: name_any is passed something else in each of the
   two. */
#define FM_VERSIONS(type, give, name, given, passed) FM_VERSIONS_BY(type, give, name, given, passed, passed, passed)
#if (defined(__GNUC__) || defined(__clang__)) && defined(__x86_64__)
#define FM_VERSIONS_BY(type, give, name, given, passed, plain, avx2)            \
    static type name##_plain given                                              \
    {                                                                           \
        give name##_any plain;                                                  \
    }                                                                           \
    __attribute__((target("avx2,popcnt"))) static type name##_avx2 given        \
    {                                                                           \
        give name##_any avx2;                                                   \
    }                                                                           \
    static inline type name given                                               \
    {                                                                           \
        if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("popcnt")) \
            give name##_avx2 passed;                                            \
        else                                                                    \
            give name##_plain passed;                                           \
    }
#else
#define FM_VERSIONS_BY(type, give, name, given, passed, plain, avx2) \
    static inline type name given                                    \
    {                                                                \
        give name##_any plain;                                       \
    }
#endif

#endif
