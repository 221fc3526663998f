# JSON: a value and all that it holds, as a list of values with their places in the text, and what they say. For readers
# of formats that are made of it. Inline in a header, so that each gets its own copy with no call through a module
# boundary.
from libc.stdint cimport int32_t, int64_t, uint8_t
from libc.string cimport memcmp

from fastmatch._ext.base.columns cimport Column, push, push_bytes, push_int32, release
from fastmatch._ext.base.letters cimport digits_end, is_digit
from fastmatch._ext.base.lines cimport Place
from fastmatch._ext.reading.reader cimport FAULTY, FINISHED, F_OWN, F_SIZE
from fastmatch._ext.reading.rows cimport MOST_ROWS


cdef enum JsonFault:
    F_JSON = F_OWN, F_STRING, F_ENDS, F_BEHIND
    F_OWN_JSON      # from here on, a format's own

cdef enum Type:
    AN_OBJECT, A_LIST, A_STRING, A_NUMBER, A_TRUE, A_FALSE, A_NULL

cdef struct Value:
    int32_t type
    int32_t after           # number of the value behind this one and all that it holds
    int64_t start           # places in the text; of a string within its quotes
    int64_t stop
    bint escaped            # a string with a backslash

cdef struct Json:
    Place text
    Column values
    Column stack            # scratch
    int fault               # of the last error, and where it is
    int64_t at


cdef inline int refuse(Json *j, int code, int64_t at) noexcept nogil:
    j.fault = code
    j.at = at
    return FAULTY


cdef inline void release_json(Json *j) noexcept nogil:
    release(&j.values)
    release(&j.stack)


cdef inline int hex_digit(uint8_t c) noexcept nogil:
    if is_digit(c):
        return c - c"0"
    c |= 32
    return c - c"a" + 10 if c"a" <= c <= c"f" else -1


cdef inline int32_t unit_at(Place p) noexcept nogil:
    """The number that four hexadecimal digits are, or −1."""
    cdef int32_t value = 0
    cdef int i, digit
    for i in range(4):
        digit = hex_digit(p[i])
        if digit < 0:
            return -1
        value = 16 * value + digit
    return value


# Reading --------------------------------------------------------------------------------------------------------------

cdef inline Value *add_value(Json *j, int type, int64_t start, int64_t stop) except NULL nogil:
    cdef Value *value = <Value *> push(&j.values, sizeof(Value))
    value[0] = Value(type, <int32_t> j.values.used, start, stop, False)
    return value


cdef inline int64_t skip(const Json *j, int64_t i, int64_t stop) noexcept nogil:
    cdef uint8_t c
    while i < stop:
        c = j.text[i]
        if c != c" " and c != c"\t":
            break
        i += 1
    return i


cdef inline int64_t scan_string(Json *j, int64_t i, int64_t stop) except -1 nogil:
    """Add the string whose opening quote is at ``i``; the place behind it, or FAULTY."""
    cdef Place text = j.text
    cdef int64_t start = i + 1
    cdef bint escaped = False
    i += 1
    while i < stop and text[i] != c'"':
        if text[i] < 32:
            return refuse(j, F_STRING, i)
        if text[i] == c"\\":
            escaped = True
            i += 1
            if i == stop:
                break
            if text[i] == c"u":
                if stop - i < 5 or unit_at(text + i + 1) < 0:
                    return refuse(j, F_STRING, i - 1)
                i += 4
            elif text[i] not in b'"\\/bfnrt':
                return refuse(j, F_STRING, i - 1)
        i += 1
    if i >= stop:
        return refuse(j, F_ENDS, stop)
    add_value(j, A_STRING, start, i).escaped = escaped
    return i + 1


cdef inline int64_t scan_number(Json *j, int64_t i, int64_t stop) except -1 nogil:
    cdef Place p = j.text + i, end = j.text + stop
    if p[0] == c"-":
        p += 1
    if p == end or not is_digit(p[0]):
        return refuse(j, F_JSON, i)
    p = p + 1 if p[0] == c"0" else digits_end(p, end)      # behind a 0, no digit may follow
    if end - p > 1 and p[0] == c"." and is_digit(p[1]):
        p = digits_end(p + 1, end)
    if p < end and p[0] | 32 == c"e":
        p += 1
        if p < end and (p[0] == c"-" or p[0] == c"+"):
            p += 1
        if p == end or not is_digit(p[0]):
            return refuse(j, F_JSON, i)
        p = digits_end(p, end)
    add_value(j, A_NUMBER, i, p - j.text)
    return p - j.text


cdef inline int64_t scan_key(Json *j, int64_t i, int64_t stop) except -1 nogil:
    """A key and its colon; the place behind them, or FAULTY."""
    if j.text[i] != c'"':
        return refuse(j, F_JSON, i)
    i = scan_string(j, i, stop)
    if i < 0:
        return i
    i = skip(j, i, stop)
    if i == stop or j.text[i] != c":":
        return refuse(j, F_ENDS if i == stop else F_JSON, i)
    return i + 1


cdef inline int scan_json(Json *j, int64_t i, int64_t stop) except -1 nogil:
    """Put the value at ``i``, which is to end at ``stop``, and all that it holds into ``values``; a Status."""
    cdef Place text = j.text
    cdef int64_t word
    cdef uint8_t c
    cdef bint comma
    cdef Value *value
    j.values.used = j.stack.used = 0
    while True:
        # a value, or the end of an empty object or list
        i = skip(j, i, stop)
        if i == stop:
            return refuse(j, F_ENDS, stop)
        c = text[i]
        comma = True
        if c == c"{" or c == c"[":
            push_int32(&j.stack, <int32_t> j.values.used)
            add_value(j, AN_OBJECT if c == c"{" else A_LIST, i, i)
            i = skip(j, i + 1, stop)
            if i == stop:
                return refuse(j, F_ENDS, stop)
            comma = False
            if text[i] != (c"}" if c == c"{" else c"]"):
                if c == c"{":
                    i = scan_key(j, i, stop)
                    if i < 0:
                        return FAULTY
                continue
        elif c == c'"':
            i = scan_string(j, i, stop)
        elif c == c"-" or is_digit(c):
            i = scan_number(j, i, stop)
        else:
            word = 5 if c == c"f" else 4
            if stop - i < word or memcmp(
                text + i, b"false" if c == c"f" else b"true" if c == c"t" else b"null", word
            ) != 0:
                return refuse(j, F_JSON, i)
            add_value(j, A_FALSE if c == c"f" else A_TRUE if c == c"t" else A_NULL, i, i + word)
            i += word
        if i < 0:
            return FAULTY
        # what ends here, up to a comma
        while j.stack.used:
            i = skip(j, i, stop)
            if i == stop:
                return refuse(j, F_ENDS, stop)
            value = <Value *> j.values.data + (<int32_t *> j.stack.data)[j.stack.used - 1]
            if text[i] == (c"}" if value.type == AN_OBJECT else c"]"):
                value.after = <int32_t> j.values.used
                value.stop = i + 1
                j.stack.used -= 1
                comma = True
                i += 1
                continue
            if not comma or text[i] != c",":
                return refuse(j, F_JSON, i)
            i = skip(j, i + 1, stop)
            if i == stop:
                return refuse(j, F_ENDS, stop)
            if value.type == AN_OBJECT:
                i = scan_key(j, i, stop)
                if i < 0:
                    return FAULTY
            break
        if j.stack.used == 0:
            i = skip(j, i, stop)
            if i < stop:
                return refuse(j, F_BEHIND, i)
            return FINISHED
        if j.values.used > MOST_ROWS:
            return refuse(j, F_SIZE, 0)


cdef inline int32_t field(const Json *j, int32_t of, const char *name, int64_t length) noexcept nogil:
    """Number of the value of an object's field, or −1 where there is none, or null. The last one counts."""
    cdef const Value *values = <const Value *> j.values.data
    cdef int32_t i = of + 1, found = -1
    while i < values[of].after:
        if values[i].stop - values[i].start == length and memcmp(j.text + values[i].start, name, length) == 0:
            found = i + 1
        i = values[i + 1].after
    return found if found < 0 or values[found].type != A_NULL else -1


cdef inline bint has_text(const Json *j, int32_t i, const char *text, int64_t length) noexcept nogil:
    """Whether a value is a text, without regard to the case of its letters."""
    cdef const Value *value = <const Value *> j.values.data + i
    cdef int64_t k
    if i < 0 or value.stop - value.start != length:
        return False
    for k in range(length):
        if j.text[value.start + k] != text[k] and j.text[value.start + k] | 32 != text[k]:
            return False
    return True


cdef inline int64_t number_of(const Json *j, int32_t i) noexcept nogil:
    """A number from 0 on that a value is, or −1."""
    cdef const Value *value = <const Value *> j.values.data + i
    cdef int64_t p, number = 0
    if i < 0 or value.type != A_NUMBER:
        return -1
    for p in range(value.start, value.stop):
        if not is_digit(j.text[p]):
            return -1
        if number < 100000000:
            number = 10 * number + (j.text[p] - c"0")
    return number


# Strings --------------------------------------------------------------------------------------------------------------

cdef inline int add_character(Column *column, int32_t code) except -1 nogil:
    """Append a character in UTF-8."""
    cdef uint8_t out[4]
    cdef int n = 1 if code < 0x80 else 2 if code < 0x800 else 3 if code < 0x10000 else 4, k
    for k in range(n - 1, 0, -1):
        out[k] = <uint8_t> (0x80 | (code & 0x3f))
        code >>= 6
    out[0] = <uint8_t> (code if n == 1 else 0xf00 >> n | code)
    return push_bytes(column, out, n)


cdef inline int add_text(Column *out, const Json *j, int32_t i) except -1 nogil:
    """Append a string without its escapes, or anything else as it is written."""
    cdef const Value *value = <const Value *> j.values.data + i
    cdef int64_t p = value.start
    cdef int32_t code, low
    cdef uint8_t c
    if not value.escaped:
        return push_bytes(out, j.text + value.start, value.stop - value.start)
    while p < value.stop:
        c = j.text[p]
        if c != c"\\":
            push_bytes(out, &c, 1)
            p += 1
            continue
        c = j.text[p + 1]
        p += 2
        if c == c"u":
            code = unit_at(j.text + p)
            p += 4
            if (0xd800 <= code < 0xdc00 and value.stop - p >= 6 and j.text[p] == c"\\" and j.text[p + 1] == c"u"):
                low = unit_at(j.text + p + 2)
                if 0xdc00 <= low < 0xe000:
                    code = 0x10000 + ((code - 0xd800) << 10) + (low - 0xdc00)
                    p += 6
        else:
            code = 8 if c == c"b" else 12 if c == c"f" else 10 if c == c"n" else 13 if c == c"r" else (
                9 if c == c"t" else c
            )
        add_character(out, code)
