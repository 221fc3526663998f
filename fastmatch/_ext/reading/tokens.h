/* What a byte of Penman notation begins. The grammar that uses it is explained in penman.pyx. */

#ifndef FASTMATCH_READING_TOKENS_H
#define FASTMATCH_READING_TOKENS_H

#include <stdint.h>

/* The first two may stand inside a symbol (see SYMBOL_KINDS). Every byte that the table does not name is K_PLAIN. */
enum penman_kind {
    K_PLAIN,
    K_HASH,
    K_SPACE,
    K_END, /* the end of the text; no byte */
    K_OPEN,
    K_CLOSE,
    K_SLASH,
    K_COLON,
    K_QUOTE,
    K_TILDE
};
#define SYMBOL_KINDS K_HASH /* kinds up to this one may stand inside a symbol */

static const uint8_t KIND[256] = {
    ['\t'] = K_SPACE, ['\n'] = K_SPACE, ['\v'] = K_SPACE, ['\f'] = K_SPACE, ['\r'] = K_SPACE,
    [' '] = K_SPACE,  ['('] = K_OPEN,   [')'] = K_CLOSE,  ['/'] = K_SLASH,  [':'] = K_COLON,
    ['"'] = K_QUOTE,  ['~'] = K_TILDE,  ['#'] = K_HASH,
};

#endif
