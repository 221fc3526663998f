# cython: language_level=3
"""Values of one key in the comment lines of corpora (``# ::id 7 ::snt A boy .``), compared pair by pair.

A scoring run looks at the ids and sentences of all its pairs before it begins, so this must cost next to nothing: each
comment is read once, as bytes, and no string is made of it.
"""

from libc.stdint cimport int64_t, uint8_t
from libc.string cimport memchr, memcmp

import numpy as np

from fastmatch._ext.base.lines cimport Place, space_at
from fastmatch._ext.graphs.columns cimport Columns


cdef enum Answer:
    SAME
    DIFFERENT
    UNSURE       # characters beyond ASCII, or brackets in letters: Unicode's rules decide

#: A sentence that ends after so many letters or more, and goes on in the other corpus, was cut off; so was one of none.
cdef enum:
    CUT_OFF = 20


cdef void find_value(Place text, int64_t start, int64_t stop, Place key, int64_t size, int64_t *found) noexcept nogil:
    """Write where the value of a key begins and ends in the comment lines text[start:stop]; −1 twice if it has none.

    The rule is that of :func:`fastmatch.graphs.notation.parse_metadata`: a line is cut from the right at ``::``; of a
    key repeated in one line the leftmost counts, otherwise the last line. White space behind a value is left off.

    Cut from the right, a run of colons is cut into pairs that end where the run ends. So a key stands behind a run of
    two colons or more, and what is before the run ends at the run's first pair: at its second colon if it has an odd
    number of them. Reading forward, the search for colons and line breaks is the C library's.
    """
    cdef int64_t line = start, end, place, run, last, first
    cdef const void *hit
    found[0] = found[1] = -1
    while line < stop:
        hit = memchr(text + line, c"\n", stop - line)
        end = stop if hit == NULL else <Place> hit - text
        first = last = -1
        place = line
        while place < end and (hit := memchr(text + place, c":", end - place)) != NULL:
            run = place = <Place> hit - text
            while place < end and text[place] == c":":
                place += 1
            if place - run < 2:
                continue
            if first >= 0:
                last = run + ((place - run) & 1)
                break
            if place + size > end or memcmp(text + place, key, size) != 0:
                continue
            run = place + size
            if run == end or text[run] == c" ":
                first = run + (run < end)
            elif text[run] == c":":
                place = run
                while place < end and text[place] == c":":
                    place += 1
                if (place - run) & 1 == 0:
                    first = last = run
                    break
                place = run
        if first >= 0:
            if last < 0:
                last = end
            while last > first and space_at(text + last - 1, text + last):
                last -= 1
            found[0], found[1] = first, last
        line = end + 1


cdef inline bint counts(uint8_t c) noexcept nogil:
    """A letter, a digit, or part of a character beyond ASCII."""
    return c >= 128 or c"0" <= c <= c"9" or c"a" <= c <= c"z" or c"A" <= c <= c"Z"


cdef inline uint8_t lowered(uint8_t c) noexcept nogil:
    return c + 32 if c"A" <= c <= c"Z" else c


cdef inline bint plain(Place text, int64_t start, int64_t stop) noexcept nogil:
    """Whether a text is ASCII, without brackets that are written ``-LRB-``: its letters are what :func:`counts`."""
    cdef int64_t i
    for i in range(start, stop):
        if text[i] >= 128 or (text[i] == c"-" and i + 4 < stop and text[i + 4] == c"-"):
            return False
    return True


cdef Answer same_value(
    Place a, int64_t a_start, int64_t a_stop, Place b, int64_t b_start, int64_t b_stop, bint words
) noexcept nogil:
    """Whether two values are equal; with ``words`` only in what :func:`counts`, in whatever case, and up to a cut."""
    cdef int64_t i = a_start, j = b_start, n_equal = 0
    cdef bint cut
    if not words:
        return SAME if a_stop - i == b_stop - j and memcmp(a + i, b + j, a_stop - i) == 0 else DIFFERENT
    while True:
        while i < a_stop and not counts(a[i]):
            i += 1
        while j < b_stop and not counts(b[j]):
            j += 1
        if i == a_stop and j == b_stop:
            return SAME
        cut = i == a_stop or j == b_stop
        if cut or lowered(a[i]) != lowered(b[j]):
            break
        n_equal += 1
        i += 1
        j += 1
    if not (plain(a, a_start, a_stop) and plain(b, b_start, b_stop)):
        return UNSURE
    return SAME if cut and (n_equal == 0 or n_equal >= CUT_OFF) else DIFFERENT


def differing(Columns pred not None, Columns gold not None, bytes key not None, bint words):
    """Pairs of graphs whose values of a key differ.

    Parameters
    ----------
    pred, gold : Columns
        Two corpora of as many graphs.
    key : bytes
        ``b"id"``, ``b"snt"``.
    words : bool
        Compare letters, digits and characters beyond ASCII only, in whatever case: not spaces and punctuation, in which
        tokenised sentences differ. A value that is the beginning of the other one, of 20 letters or of none, does not
        differ from it.

    Returns
    -------
    places : int64[k]
        Pairs that have the key on both sides, with different values, ascending.
    sure : bool[k]
        Whether they differ for sure. With ``words``, characters beyond ASCII and brackets written ``-LRB-`` may be
        other forms of the same ones.
    n_both : int
        Pairs that have it on both sides; 0 if no values differ.

    Raises
    ------
    ValueError
        If the corpora have not as many graphs.

    Notes
    -----
    O(bytes of the comments).
    """
    cdef Py_ssize_t n = pred.n_graphs, g, used = 0, n_both = 0
    cdef const int64_t[::1] offsets = pred.comment_offsets, other_offsets = gold.comment_offsets
    cdef Place a = &pred.comments[0] if pred.comments.shape[0] else NULL, word = key
    cdef Place b = &gold.comments[0] if gold.comments.shape[0] else NULL
    cdef int64_t size = len(key), length
    cdef int64_t mine[2]
    cdef int64_t its[2]
    cdef Answer answer
    if gold.n_graphs != n:
        raise ValueError(f"{n} graphs on one side, {gold.n_graphs} on the other")
    found = np.empty(n, np.int64)
    cdef int64_t[::1] places = found
    with nogil:
        for g in range(n):
            length = offsets[g + 1] - offsets[g]
            if length == 0 or other_offsets[g] == other_offsets[g + 1]:
                continue
            if (length == other_offsets[g + 1] - other_offsets[g]
                    and memcmp(a + offsets[g], b + other_offsets[g], length) == 0):
                continue
            find_value(a, offsets[g], offsets[g + 1], word, size, mine)
            if mine[0] < 0:
                continue
            find_value(b, other_offsets[g], other_offsets[g + 1], word, size, its)
            if its[0] < 0:
                continue
            answer = same_value(a, mine[0], mine[1], b, its[0], its[1], words)
            if answer != SAME:
                places[used] = 2 * g + (answer == DIFFERENT)
                used += 1
        if used:  # otherwise nobody asks
            for g in range(n):
                find_value(a, offsets[g], offsets[g + 1], word, size, mine)
                find_value(b, other_offsets[g], other_offsets[g + 1], word, size, its)
                n_both += mine[0] >= 0 and its[0] >= 0
    found = found[:used]
    return found >> 1, (found & 1).astype(bool), n_both
