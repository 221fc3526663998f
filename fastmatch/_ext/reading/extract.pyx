# cython: language_level=3
"""Where a graph stands in a text that a language model wrote; :mod:`fastmatch.graphs.extracting` says by which rules.

Each search goes through its part of the text once, from left to right, and keeps the last place that fits. So the time
is linear in the length of any text. Offsets count characters. A *part* is a stretch ``start … stop - 1`` of the text.

A *head* is the beginning of a node: ``(``, a name, and behind it ``/`` and a concept, or a role. What follows the
concept has to be a role, a bracket, an alignment or the end of the line; so ``(see above)`` and ``(and / or both)`` in
an English sentence are no heads.
"""

from libc.string cimport memchr

from fastmatch._ext.reading.text cimport Text, at, text_of

cdef enum:
    FENCE = 3               # characters of a line that begins or ends a fenced block: ``` or ~~~
    INDENT = 3              # blanks that may stand before it

cdef enum Tag:
    NO_TAG, THINK, ANSWER, AMR, GRAPH

cdef struct Part:
    Py_ssize_t start
    Py_ssize_t stop         # below start: there is no such part

cdef struct Blocks:
    Part closed             # the last node whose brackets are balanced, and that stands in no other one
    Part open               # the last head whose brackets are not, up to the end


cdef inline bint is_blank(Py_UCS4 c) noexcept nogil:
    return c == c" " or c == c"\n" or c == c"\t" or c == c"\r" or c == c"\v" or c == c"\f" or c == 0xa0


cdef Py_ssize_t find(const Text *t, char wanted, Py_ssize_t i, Py_ssize_t stop) noexcept nogil:
    """The first place from ``i`` on with this character, or ``stop``."""
    cdef const char *found
    if i >= stop:
        return stop
    if t.kind == 1:
        found = <const char *> memchr(<const char *> t.data + i, wanted, stop - i)
        return stop if found == NULL else found - <const char *> t.data
    while i < stop and at(t, i) != <unsigned char> wanted:
        i += 1
    return i


cdef Py_ssize_t skip_blanks(const Text *t, Py_ssize_t i, Py_ssize_t stop) noexcept nogil:
    while i < stop and is_blank(at(t, i)):
        i += 1
    return i


cdef Part strip(const Text *t, Part part) noexcept nogil:
    """The part without blanks at its ends; an empty one becomes none."""
    part.start = skip_blanks(t, part.start, part.stop)
    while part.stop > part.start and is_blank(at(t, part.stop - 1)):
        part.stop -= 1
    if part.start >= part.stop:
        part.stop = part.start - 1
    return part


# Tags ----------------------------------------------------------------------------------------------------------------

cdef Py_ssize_t behind_word(const Text *t, const char *word, Py_ssize_t i, Py_ssize_t stop) noexcept nogil:
    """The place behind this word, upper case being the same as lower case; -1 if another one stands at ``i``."""
    cdef Py_UCS4 c
    while word[0]:
        if i == stop:
            return -1
        c = at(t, i)
        if c"A" <= c <= c"Z":
            c = <Py_UCS4> (<int> c + 32)
        if c != <unsigned char> word[0]:
            return -1
        word += 1
        i += 1
    return i


cdef Tag tag_at(const Text *t, Py_ssize_t i, Py_ssize_t stop, bint *closes, Py_ssize_t *behind) noexcept nogil:
    """The tag that begins with the ``<`` at ``i``, and the place behind its ``>``."""
    cdef const char **words = [b"think", b"answer", b"amr", b"graph"]     # in the order of the tags
    cdef Tag tag = NO_TAG
    cdef int k
    i += 1
    closes[0] = i < stop and at(t, i) == c"/"
    if closes[0]:
        i += 1
    cdef Py_ssize_t j = -1
    for k in range(4):
        if (j := behind_word(t, words[k], i, stop)) >= 0:
            tag = <Tag> (THINK + k)
            break
    if tag == THINK:
        j = max(j, behind_word(t, b"ing", j, stop))
    if tag == NO_TAG or j == stop or at(t, j) != c">":
        return NO_TAG
    behind[0] = j + 1
    return tag


cdef bint leave_thoughts(const Text *t, Part *part, bint thinking) noexcept nogil:
    """Cut off all up to the end of the last thoughts; whether there was such an end. Open thoughts leave nothing."""
    cdef Py_ssize_t i = find(t, c"<", part.start, part.stop), behind = 0, stop = part.stop
    cdef bint closes = False, closed = False
    while i < stop:
        if tag_at(t, i, stop, &closes, &behind) == THINK:
            thinking = not closes
            closed = closed or closes
            part.start = behind
            i = behind
        else:
            i += 1
        i = find(t, c"<", i, stop)
    if thinking:
        part.start = part.stop
    return closed


cdef Tag last_tagged(const Text *t, Part part, Part *content) noexcept nogil:
    """What stands between the last of the tags for an answer and the next such tag, or the end, if not only blanks."""
    cdef Py_ssize_t i = find(t, c"<", part.start, part.stop), behind = 0
    cdef bint closes = False
    cdef Tag tag, open = NO_TAG, found = NO_TAG
    cdef Part inside
    while True:
        tag = tag_at(t, i, part.stop, &closes, &behind) if i < part.stop else NO_TAG
        if i == part.stop or (tag != NO_TAG and tag != THINK):
            if open != NO_TAG:
                inside.stop = i
                inside = strip(t, inside)
                if inside.start < inside.stop:
                    content[0] = inside
                    found = open
            if i == part.stop:
                return found
            open = NO_TAG if closes else tag
            inside.start = behind
            i = behind
        else:
            i += 1
        i = find(t, c"<", i, part.stop)


# Nodes ---------------------------------------------------------------------------------------------------------------

cdef bint is_name(Py_UCS4 c) noexcept nogil:
    return not (is_blank(c) or c == c"(" or c == c")" or c == c"/" or c == c":" or c == c'"' or c == c"`" or c == c"<")


cdef Py_ssize_t behind_string(const Text *t, Py_ssize_t i, Py_ssize_t stop) noexcept nogil:
    """The place behind the string that begins at ``i``; one that is not closed ends with its line."""
    cdef Py_UCS4 c
    i += 1
    while i < stop:
        c = at(t, i)
        if c == c"\n":
            return i
        i += 1
        if c == c'"':
            return i
        if c == c"\\" and i < stop and at(t, i) != c"\n":
            i += 1
    return stop


cdef bint is_head(const Text *t, Py_ssize_t i, Py_ssize_t stop) noexcept nogil:
    """Whether a node begins with the ``(`` at ``i``. No other ``(`` is read beyond the name: all calls are linear."""
    cdef Py_ssize_t name
    cdef Py_UCS4 c
    i = name = skip_blanks(t, i + 1, stop)
    while i < stop and is_name(at(t, i)):
        i += 1
    name = i - name
    i = skip_blanks(t, i, stop)
    if i == stop:
        return False
    if at(t, i) == c":":
        return name > 0 and i + 1 < stop and not is_blank(at(t, i + 1))
    if at(t, i) != c"/":
        return False
    i = skip_blanks(t, i + 1, stop)
    if i == stop:
        return name > 0
    c = at(t, i)
    if c == c'"':
        i = behind_string(t, i, stop)
    else:
        while i < stop:
            c = at(t, i)
            if is_blank(c) or c == c"(" or c == c")" or c == c":":
                break
            i += 1
    while i < stop:
        c = at(t, i)
        if c == c"\n":
            return True
        if not is_blank(c):
            return c == c":" or c == c")" or c == c"(" or c == c"~"
        i += 1
    return True


cdef Blocks find_blocks(const Text *t, Part part) noexcept nogil:
    cdef Blocks found
    cdef Py_ssize_t i = part.start, j, stop = part.stop, depth = 0, start = 0
    cdef Py_UCS4 c
    found.closed = found.open = Part(0, -1)
    while i < stop:
        if depth == 0:
            i = find(t, c"(", i, stop)
            if i < stop and is_head(t, i, stop):
                start = i
                depth = 1
            i += 1
            continue
        c = at(t, i)
        i += 1
        if c == c"(":
            depth += 1
        elif c == c")":
            depth -= 1
            if depth == 0:
                found.closed = Part(start, i)
        elif c == c'"':
            i = behind_string(t, i - 1, stop)
        elif c == c"\n":
            j = i
            while j < stop and (at(t, j) == c" " or at(t, j) == c"\t" or at(t, j) == c"\r"):
                j += 1
            if j == stop:
                break
            i = find(t, c"\n", j, stop) if at(t, j) == c"#" else j      # behind a comment
            # A graph that begins at the margin behind an empty line stands in no other graph.
            if at(t, j) == c"\n" and j + 1 < stop and at(t, j + 1) == c"(" and is_head(t, j + 1, stop):
                found.open = Part(start, stop)
                depth = 0
    if depth:
        found.open = Part(start, stop)
    return found


cdef inline bint is_there(Part part) noexcept nogil:
    return part.start < part.stop


cdef inline Part best_of(Blocks blocks) noexcept nogil:
    """A balanced node if there is any, else one that is not closed."""
    return blocks.closed if is_there(blocks.closed) else blocks.open


cdef void add_blocks(Blocks *all, Blocks later) noexcept nogil:
    """Add what a later part holds: of each kind the last one counts, as long as there is one."""
    if is_there(later.closed):
        all.closed = later.closed
    elif is_there(later.open):
        all.open = later.open


# Fenced blocks -------------------------------------------------------------------------------------------------------

cdef Part last_fenced(const Text *t, Part part) noexcept nogil:
    """The last graph in a fenced block: a balanced one if there is any, else one that is not closed."""
    cdef Part inside
    cdef Blocks found
    cdef Py_ssize_t i = part.start, j, length, fence = 0
    cdef Py_UCS4 c, mark = 0
    found.closed = found.open = Part(0, -1)
    # a part begins with a line, if not in the middle of one
    while i < part.stop:
        j = i
        while j < part.stop and j - i < INDENT and at(t, j) == c" ":
            j += 1
        c = at(t, j) if j < part.stop else 0
        length = 0
        if c == c"`" or c == c"~":
            while j < part.stop and at(t, j) == c:
                length += 1
                j += 1
        if length >= FENCE and mark == 0:
            mark, fence = c, length
            inside.start = min(find(t, c"\n", j, part.stop) + 1, part.stop)
        elif mark and length >= fence and c == mark:
            inside.stop = i
            mark = 0
            add_blocks(&found, find_blocks(t, inside))
        i = find(t, c"\n", i, part.stop) + 1
    if mark:
        inside.stop = part.stop
        add_blocks(&found, find_blocks(t, inside))
    return best_of(found)


# The rules -----------------------------------------------------------------------------------------------------------

cdef Part graph_in(const Text *t, Part part) noexcept nogil:
    """The graph in the content of a tag, or behind thoughts: fenced, balanced, not closed, or whatever stands there."""
    cdef Part found = last_fenced(t, part)
    if not is_there(found):
        found = best_of(find_blocks(t, part))
    return strip(t, found if is_there(found) else part)


def locate(str text not None, str where not None, bint thinking):
    """The place of a graph.

    Parameters
    ----------
    text : str
    where : str
        The rule: ``auto`` for one after the other, or one of ``tag``, ``think``, ``fence``, ``block``, ``text``.
    thinking : bool
        The text begins within thoughts.

    Returns
    -------
    (int, int, str)
        Start, stop, and how it was found; ``(0, 0, "")`` if it was not.
    """
    cdef Text t = text_of(text)
    cdef Part part, found
    cdef Blocks blocks
    cdef Tag tag
    part.start, part.stop = 0, len(text)
    cdef bint thought = leave_thoughts(&t, &part, thinking)
    part = strip(&t, part)
    if not is_there(part):
        return 0, 0, ""
    cdef bint every = where == "auto"
    if every or where == "tag":
        tag = last_tagged(&t, part, &found)
        if tag != NO_TAG:
            found = graph_in(&t, found)
            return found.start, found.stop, "answer" if tag == ANSWER else "amr" if tag == AMR else "graph"
    if thought and (every or where == "think"):
        found = graph_in(&t, part)
        return found.start, found.stop, "think"
    if every or where == "fence":
        found = last_fenced(&t, part)
        if is_there(found):
            found = strip(&t, found)
            return found.start, found.stop, "fence"
    if every or where == "block":
        blocks = find_blocks(&t, part)
        if is_there(blocks.closed):
            return blocks.closed.start, blocks.closed.stop, "block"
        if is_there(blocks.open):
            found = strip(&t, blocks.open)
            return found.start, found.stop, "open"
    if where == "text":
        return part.start, part.stop, "text"
    return 0, 0, ""
