/* The order of bytes in a number, and powers of ten, for numbers.pxd. */

#ifndef FASTMATCH_READING_NUMBERS_H
#define FASTMATCH_READING_NUMBERS_H

#if defined(__BYTE_ORDER__) && __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
#define FM_LITTLE_ENDIAN 0
#else
#define FM_LITTLE_ENDIAN 1
#endif

/* Powers of ten that a double holds exactly, and what is nearest to their inverses. */
static const double POWER[23] = {
    1e0,  1e1,  1e2,  1e3,  1e4,  1e5,  1e6,  1e7,  1e8,  1e9,  1e10, 1e11,
    1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22,
};
static const double INVERSE[23] = {
    1e-0,  1e-1,  1e-2,  1e-3,  1e-4,  1e-5,  1e-6,  1e-7,  1e-8,  1e-9,  1e-10, 1e-11,
    1e-12, 1e-13, 1e-14, 1e-15, 1e-16, 1e-17, 1e-18, 1e-19, 1e-20, 1e-21, 1e-22,
};

/* From here on the nearest float32 is infinite. */
static const double INFINITE = 3.4028235677973362e38;

#endif
