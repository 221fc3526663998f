# cython: language_level=3
"""What compare_umr.pl reads of a UMR file, its slips included, for ``preset="tool"`` of juːmæʧ.

The program (github.com/ufal/umrtools at 4377bc4) counts blocks where others look for headings. One empty line ends a
block, two in a row end a sentence. The blocks of a sentence are, by their places, its tokens, its graph, its alignment
and its document relations; what comes behind the fourth is not read. In the last three a line ends at its first ``#``,
also in a string.

A graph is eaten from the front, line by line, by the first rule that fits:

==  =======================================  ===========================================================================
1   ``( variable /``                         a node; its concept is the first word in the rest of the line
2   ``:role``                                a role that waits for its value; one that has waited before is forgotten
3   ``"string"``                             a value, without its quotes
4   a word up to white space or ``)``        a value; one that is spelled like a variable is that variable
5   ``)``                                    closes a node
==  =======================================  ===========================================================================

A line of which nothing but ``0`` is left ends there, so a ``0`` in the last place of a line is lost.

Where no rule fits (a *failure*) the rest of the sentence is not read, but what was read before is compared. The nodes
of a graph that was not read to its end have an empty extended concept, and no document relation knows them.

Where white space or letters are meant, they are those of Unicode.
"""

cimport cython
from cpython.bytes cimport PyBytes_AS_STRING, PyBytes_GET_SIZE
from libc.stdint cimport int32_t, int64_t, uint8_t, uint32_t, uint64_t
from libc.string cimport memchr, memcmp, memcpy, memmove

import numpy as np

from fastmatch._ext.base.columns cimport Column, add_int32, release, room
from fastmatch._ext.base.lines cimport space_at
from fastmatch._ext.base.sorting cimport Pair, sort_pairs
from fastmatch._ext.base.status cimport FINE, NO_MEMORY, raise_status
from fastmatch._ext.reading.interner cimport Interner
from fastmatch._ext.reading.reader cimport marked
from fastmatch._ext.umr.sentences cimport ATTRIBUTE_ROWS, NODE_ROWS, RELATION_ROWS

from fastmatch._ext.umr.sentences import Sentences

cdef extern from "Python.h":
    bint Py_UNICODE_ISALNUM(uint32_t character) nogil

ctypedef const uint8_t *Place

cdef enum:
    BLOCKS = 4
    SAID = 4                    # numbers of what is said of a node: node, role, value, whether it may be a variable
    LAST_TOKEN = 0x7fffffff     # the largest number of a token that is told apart
    FAILED = 1                  # the rest of the sentence is not read

cdef enum Failure:
    # why the program stops reading a sentence
    F_CONCEPT = 1
    F_OUTSIDE
    F_NO_ROLE
    F_NO_VALUE
    F_BRACKET
    F_VALUE
    F_VALUE_OUTSIDE
    F_ALIGNMENT
    F_VARIABLE
    F_TOKENS
    F_GROUP
    F_RELATION
    F_OPENING
    F_CLOSING
    F_WORD

cdef dict MESSAGES = {
    F_CONCEPT: "a node without a concept",
    F_OUTSIDE: "a node behind a role, but outside of the graph",
    F_NO_ROLE: "a node without a role",
    F_NO_VALUE: "the role {!r} has no value",
    F_BRACKET: "a closing bracket without an opening one",
    F_VALUE: "a value without a role",
    F_VALUE_OUTSIDE: "a value outside of the graph",
    F_ALIGNMENT: "a line that is no alignment",
    F_VARIABLE: "an alignment of {!r}, which is not in the graph",
    F_TOKENS: "tokens that are 0 or run backwards",
    F_GROUP: "a group in the wrong place",
    F_RELATION: "a relation in the wrong place",
    F_OPENING: "a bracket in the wrong place",
    F_CLOSING: "a closing bracket in the wrong place",
    F_WORD: "a word that is part of no relation",
}


cdef struct Line:
    Place start
    Place stop              # without the white space at its end
    int64_t number


cdef struct Keyed:
    int32_t text            # id of a string
    int32_t item


cdef struct Problem:
    int64_t sentence
    int64_t line
    int64_t column
    int32_t code
    int32_t name            # id of the string that the message names


# ---- characters ------------------------------------------------------------------------------------------------------

cdef inline int blank(Place p, Place end) noexcept nogil:
    """Number of bytes of the character at p if Perl takes it for white space, else 0."""
    return 0 if 28 <= p[0] <= 31 else space_at(p, end)


cdef inline Place over_blanks(Place p, Place end) noexcept nogil:
    cdef int width
    while p < end:
        width = blank(p, end)
        if width == 0:
            break
        p += width
    return p


cdef inline Place before_blanks(Place p, Place end) noexcept nogil:
    """The end of a text without the white space there."""
    while p < end:
        if end[-1] < 0x80:
            if blank(end - 1, end) == 0:
                break
            end -= 1
        elif end - p >= 2 and blank(end - 2, end) == 2:
            end -= 2
        elif end - p >= 3 and blank(end - 3, end) == 3:
            end -= 3
        else:
            break
    return end


cdef inline int width_of(Place p) noexcept nogil:
    """Number of bytes of the character at p."""
    return 1 if p[0] < 0x80 else 2 if p[0] < 0xe0 else 3 if p[0] < 0xf0 else 4


cdef inline int letter(Place p) noexcept nogil:
    """Number of bytes of the character at p if it is a letter or a number of any script, else 0."""
    cdef uint32_t c = p[0]
    if c < 0x80:
        return c"a" <= (c | 32) <= c"z" or c"0" <= c <= c"9"
    if c < 0xe0:
        return 2 if Py_UNICODE_ISALNUM((c & 0x1f) << 6 | (p[1] & 0x3f)) else 0
    if c < 0xf0:
        return 3 if Py_UNICODE_ISALNUM((c & 0x0f) << 12 | (p[1] & 0x3f) << 6 | (p[2] & 0x3f)) else 0
    c = (c & 0x07) << 18 | (p[1] & 0x3f) << 12 | (p[2] & 0x3f) << 6 | (p[3] & 0x3f)
    return 4 if Py_UNICODE_ISALNUM(c) else 0


cdef inline Place over_letters(Place p, Place end, bint hyphens) noexcept nogil:
    cdef int width
    while p < end:
        width = letter(p)
        if width == 0 and hyphens and p[0] == c"-":
            width = 1
        if width == 0:
            break
        p += width
    return p


cdef inline Place over_digits(Place p, Place end) noexcept nogil:
    while p < end and c"0" <= p[0] <= c"9":
        p += 1
    return p


cdef int64_t characters(Place p, Place end) noexcept nogil:
    cdef int64_t n = 0
    while p < end:
        n += p[0] & 0xc0 != 0x80
        p += 1
    return n


cdef int64_t number(Place p, Place end) noexcept nogil:
    """The number, or the largest that is told apart."""
    cdef int64_t n = 0
    while p < end and p[0] == c"0":
        p += 1
    if end - p >= 10:
        return LAST_TOKEN
    while p < end:
        n = 10 * n + p[0] - c"0"
        p += 1
    return n


cdef inline Place pattern_node(Place p, Place end) noexcept nogil:
    """The end of ``( variable /`` and the white space behind it, or NULL."""
    cdef Place word
    p = over_blanks(p + 1, end)
    word = p
    p = over_letters(p, end, False)
    if p == word:
        return NULL
    p = over_blanks(p, end)
    return over_blanks(p + 1, end) if p < end and p[0] == c"/" else NULL


cdef inline Place concept_start(Place p, Place end) noexcept nogil:
    """The first character that is neither white space nor a bracket, or the end."""
    cdef int width
    while p < end:
        width = 1 if p[0] == c"(" or p[0] == c")" else blank(p, end)
        if width == 0:
            break
        p += width
    return p


cdef inline Place word_stop(Place p, Place end, bint brackets) noexcept nogil:
    """Where a word ends: at white space, a closing bracket and, with ``brackets``, an opening one."""
    while p < end and p[0] != c")" and not (brackets and p[0] == c"(") and blank(p, end) == 0:
        p += 1
    return p


cdef inline Place pattern_sentence(Place p, Place end) noexcept nogil:
    """The end of ``( variable / sentence`` and the white space behind it, or NULL."""
    p = pattern_node(p, end)
    return over_blanks(p + 8, end) if p != NULL and end - p >= 8 and memcmp(p, b"sentence", 8) == 0 else NULL


cdef inline Place pattern_triple(Place p, Place end, Place *parts) noexcept nogil:
    """The end of ``( head :role tail )``, or NULL.

    ``parts``: where head, role and tail begin and end. Role and tail may be one word, whose last letter is the tail
    then.
    """
    parts[0] = over_blanks(p + 1, end)
    parts[1] = over_letters(parts[0], end, True)
    parts[2] = over_blanks(parts[1], end)
    if parts[1] == parts[0] or parts[2] == end or parts[2][0] != c":":
        return NULL
    parts[3] = over_letters(parts[2] + 1, end, True)
    if parts[3] == parts[2] + 1:
        return NULL
    parts[4] = over_blanks(parts[3], end)
    parts[5] = over_letters(parts[4], end, True)
    p = over_blanks(parts[5], end)
    if p == end or p[0] != c")":
        return NULL
    if parts[5] == parts[4]:
        parts[5] = parts[4] = parts[3]
        while True:
            parts[4] -= 1
            if parts[4][0] & 0xc0 != 0x80:
                break
        parts[3] = parts[4]
        if parts[3] == parts[2] + 1:
            return NULL
    return p + 1


# ---- lists -----------------------------------------------------------------------------------------------------------

cdef inline bint add_int64(Column *column, int64_t value) noexcept nogil:
    """Append to a column of int64. False: there is no memory."""
    if not room(column, 1, sizeof(int64_t)):
        return False
    (<int64_t *> column.data)[column.used] = value
    column.used += 1
    return True


cdef inline bint room_for(Column *column, int64_t n, int64_t size) noexcept nogil:
    """Forget what the column held and make room for n items. False: there is no memory."""
    column.used = 0
    return room(column, n, size)


cdef inline bint behind(const Keyed *x, const Keyed *y, const uint8_t *blob, const int64_t *offsets) noexcept nogil:
    """Whether the text of x comes behind that of y, in the order of their bytes."""
    cdef int64_t n = offsets[x.text + 1] - offsets[x.text], m = offsets[y.text + 1] - offsets[y.text]
    cdef int order = memcmp(blob + offsets[x.text], blob + offsets[y.text], min(n, m)) if n and m else 0
    return order > 0 or (order == 0 and n > m)


cdef void sort_by_text(
    Keyed *items, int64_t n, Keyed *spare, const uint8_t *blob, const int64_t *offsets
) noexcept nogil:
    """Sort by texts, by merging; items of equal texts keep their order. ``spare`` has room for n items."""
    cdef int64_t run = 1, start, middle, stop, i, j, k
    while run < n:
        start = 0
        while start < n:
            middle, stop = min(start + run, n), min(start + 2 * run, n)
            i, j = start, middle
            for k in range(start, stop):
                if i < middle and (j == stop or not behind(&items[i], &items[j], blob, offsets)):
                    spare[k] = items[i]
                    i += 1
                else:
                    spare[k] = items[j]
                    j += 1
            start = stop
        memcpy(items, spare, n * sizeof(Keyed))
        run *= 2


# ---- lines -----------------------------------------------------------------------------------------------------------

cdef inline bint add_line(Column *lines, Place start, Place stop, int64_t number) noexcept nogil:
    """Append a line. False: there is no memory."""
    cdef Line *line
    if not room(lines, 1, sizeof(Line)):
        return False
    line = <Line *> lines.data + lines.used
    lines.used += 1
    line.start, line.stop, line.number = start, stop, number
    return True


cdef inline Place line_stop(const Line *line) noexcept nogil:
    """The end of a line without its comment and the white space before that."""
    cdef Place comment = <Place> memchr(line.start, c"#", line.stop - line.start)
    return line.stop if comment == NULL else before_blanks(line.start, comment)


# ---- the reader ------------------------------------------------------------------------------------------------------

@cython.final
cdef class Reader:
    """Reads one text; see :func:`read_as_tool`."""

    cdef Interner interner
    cdef bint top
    cdef int32_t top_role, top_value, name, empty
    cdef uint64_t stamp
    # what is read, row by row
    cdef Column node_start, nodes, attribute_start, attributes, span_start, spans
    cdef Column token_start, tokens, relation_start, relations, whole, lines, problems
    # of the sentence that is being read: the lines of each block; the nodes in the order of the text, a variable that
    # is declared again among them; what is said of them; which are still open; the characters before each token
    cdef Column[BLOCKS] blocks
    cdef Column variables, concepts, lengths, own_spans, span_first, span_count, said, opened, before
    # scratch
    cdef Column keyed, order, places, pairs, spare, letters

    def __cinit__(self, Interner interner not None, bint top):
        self.interner = interner
        self.top = top
        self.top_role = interner.intern(b":TOP")
        self.top_value = interner.intern(b"TOP")
        self.name = interner.intern(b"name")
        self.empty = interner.intern(b"")

    def __dealloc__(self):
        cdef int k
        for k in range(BLOCKS):
            release(&self.blocks[k])
        release(&self.node_start)
        release(&self.nodes)
        release(&self.attribute_start)
        release(&self.attributes)
        release(&self.span_start)
        release(&self.spans)
        release(&self.token_start)
        release(&self.tokens)
        release(&self.relation_start)
        release(&self.relations)
        release(&self.whole)
        release(&self.lines)
        release(&self.problems)
        release(&self.variables)
        release(&self.concepts)
        release(&self.lengths)
        release(&self.own_spans)
        release(&self.span_first)
        release(&self.span_count)
        release(&self.said)
        release(&self.opened)
        release(&self.before)
        release(&self.keyed)
        release(&self.order)
        release(&self.places)
        release(&self.pairs)
        release(&self.spare)
        release(&self.letters)

    # Sentences -------------------------------------------------------------------------------------------------------

    cdef int feed(self, Place p, Place end) noexcept nogil:
        """Read a whole text; the interner's lock is held."""
        cdef Place stop
        cdef int64_t at = 0, block = 0
        cdef bint within = False        # a block, whose number from 1 is ``block``
        cdef int status
        if not (add_int64(&self.node_start, 0) and add_int64(&self.attribute_start, 0)
                and add_int64(&self.span_start, 0) and add_int64(&self.token_start, 0)
                and add_int64(&self.relation_start, 0)):
            return NO_MEMORY
        while True:
            stop = <Place> memchr(p, c"\n", end - p) if p < end else NULL
            if stop == NULL:
                stop = end
            at += 1
            if before_blanks(p, stop) > p:
                if not within:
                    block += 1
                    within = True
                if block <= BLOCKS and not add_line(&self.blocks[block - 1], p, before_blanks(p, stop), at):
                    return NO_MEMORY
            elif within:
                within = False
            elif block:
                status = self.sentence()
                if status != FINE:
                    return status
                block = 0
            if stop == end:
                return self.sentence() if block else FINE
            p = stop + 1

    cdef int sentence(self) noexcept nogil:
        """Read the blocks that have been gathered, and forget them."""
        cdef int64_t k
        cdef bint whole
        cdef int status
        self.variables.used = self.concepts.used = self.lengths.used = self.own_spans.used = 0
        self.span_first.used = self.span_count.used = self.said.used = self.opened.used = 0
        if not self.read_tokens() or not self.interner.reserve_marks():
            return NO_MEMORY
        self.stamp = self.interner.new_stamp()
        status = self.graph()
        whole = status == FINE
        if whole:
            status = self.alignment()
            if status == FINE:
                status = self.annotation()
        if (status == NO_MEMORY or not self.write_nodes(whole) or not room(&self.whole, 1, 1)
                or not add_int64(&self.lines, (<Line *> self.blocks[0].data).number)
                or not add_int64(&self.node_start, self.nodes.used // NODE_ROWS)
                or not add_int64(&self.token_start, self.tokens.used)
                or not add_int64(&self.relation_start, self.relations.used // RELATION_ROWS)):
            return NO_MEMORY
        (<uint8_t *> self.whole.data)[self.whole.used] = whole
        self.whole.used += 1
        for k in range(BLOCKS):
            self.blocks[k].used = 0
        return FINE

    cdef int fail(self, int code, int32_t name, const Line *line, Place p, Place stop) noexcept nogil:
        """The rest of the sentence is not read. ``p`` to ``stop`` is what is left of the line."""
        cdef Problem *problem
        if not room(&self.problems, 1, sizeof(Problem)):
            return NO_MEMORY
        problem = <Problem *> self.problems.data + self.problems.used
        self.problems.used += 1
        problem.sentence, problem.code, problem.name, problem.line = self.whole.used, code, name, line.number
        problem.column = characters(line.start, line_stop(line)) - characters(p, stop) + 1
        return FAILED

    # Tokens ----------------------------------------------------------------------------------------------------------

    cdef bint read_tokens(self) noexcept nogil:
        """The first line that begins with ``Words:`` and has something behind it. False: no memory."""
        cdef const Line *lines = <const Line *> self.blocks[0].data
        cdef int64_t k, total = 0
        cdef int32_t id
        cdef Place p, stop
        if not room_for(&self.before, 1, sizeof(int64_t)) or not add_int64(&self.before, 0):
            return False
        for k in range(self.blocks[0].used):
            if lines[k].stop - lines[k].start <= 6 or memcmp(lines[k].start, b"Words:", 6) != 0:
                continue
            p = over_blanks(lines[k].start + 6, lines[k].stop)
            while p < lines[k].stop:
                stop = p
                while stop < lines[k].stop and blank(stop, lines[k].stop) == 0:
                    stop += 1
                id = self.interner.add(p, stop - p)
                total += characters(p, stop)
                if id < 0 or not add_int32(&self.tokens, id) or not add_int64(&self.before, total):
                    return False
                p = over_blanks(stop, lines[k].stop)
            break
        return True

    # Graphs ----------------------------------------------------------------------------------------------------------

    cdef int graph(self) noexcept nogil:
        """Read the nodes of a graph and what is said of them, those before a failure as well."""
        cdef const Line *line = <const Line *> self.blocks[1].data
        cdef const Line *last = line + self.blocks[1].used
        cdef Place p, stop, q, start, end, text
        cdef int32_t role = -1, variable, value
        cdef int64_t n
        while line < last:
            stop = line_stop(line)
            p = over_blanks(line.start, stop)
            while p < stop and not (p[0] == c"0" and p + 1 == stop):
                q = pattern_node(p, stop) if p[0] == c"(" else NULL
                if q != NULL:
                    start = concept_start(q, stop)
                    if start == stop:
                        return self.fail(F_CONCEPT, -1, line, p, stop)
                    end = word_stop(start, stop, True)
                    text = over_blanks(p + 1, stop)
                    variable = self.interner.add(text, over_letters(text, stop, False) - text)
                    value = self.interner.add(start, end - start)
                    if variable < 0 or value < 0:
                        return NO_MEMORY
                    if role >= 0:
                        if self.opened.used == 0:
                            return self.fail(F_OUTSIDE, -1, line, p, stop)
                        if not self.say(self.last_opened(), role, variable, True):
                            return NO_MEMORY
                        role = -1
                    elif self.variables.used:
                        return self.fail(F_NO_ROLE, -1, line, p, stop)
                    if not add_int32(&self.opened, <int32_t> self.variables.used) or not self.declare(variable, value):
                        return NO_MEMORY
                    if start == q:
                        p = end
                        continue
                    # the concept is cut out: what stands before it is read before what stands behind it
                    n = start - q
                    if not self.is_copied(q):
                        if not room_for(&self.letters, stop - q, 1):
                            return NO_MEMORY
                        memcpy(self.letters.data, q, stop - q)
                        end = <Place> self.letters.data + (end - q)
                        stop = <Place> self.letters.data + (stop - q)
                        q = <Place> self.letters.data
                    p = end - n
                    memmove(<void *> p, q, n)
                elif p[0] == c":" and over_letters(p + 1, stop, True) > p + 1:
                    q = over_letters(p + 1, stop, True)
                    role = self.interner.add(p, q - p)
                    if role < 0:
                        return NO_MEMORY
                    p = over_blanks(q, stop)
                elif p[0] == c")":
                    if role >= 0:
                        return self.fail(F_NO_VALUE, role, line, p, stop)
                    if self.opened.used == 0:
                        return self.fail(F_BRACKET, -1, line, p, stop)
                    self.opened.used -= 1
                    p += 1
                elif blank(p, stop):
                    p += blank(p, stop)
                else:
                    start, end = p, NULL
                    if p[0] == c'"':
                        end = <Place> memchr(p + 1, c'"', stop - p - 1)
                    if end != NULL:
                        start, q = p + 1, end + 1
                    else:
                        q = end = word_stop(p, stop, False)
                    if self.opened.used == 0 or role < 0:
                        return self.fail(F_VALUE if self.opened.used else F_VALUE_OUTSIDE, -1, line, p, stop)
                    value = self.interner.add(start, end - start)
                    if value < 0 or not self.say(self.last_opened(), role, value, True):
                        return NO_MEMORY
                    role = -1
                    p = q
            line += 1
        return FINE

    cdef inline int32_t last_opened(self) noexcept nogil:
        return (<int32_t *> self.opened.data)[self.opened.used - 1]

    cdef inline bint is_copied(self, Place p) noexcept nogil:
        """Whether p stands in the copy of a line."""
        cdef Place start = <Place> self.letters.data
        return start != NULL and start <= p < start + self.letters.capacity

    cdef bint say(self, int32_t node, int32_t role, int32_t value, int32_t may_be_variable) noexcept nogil:
        """Add what is said of a node. False: no memory."""
        return (add_int32(&self.said, node) and add_int32(&self.said, role) and add_int32(&self.said, value)
                and add_int32(&self.said, may_be_variable))

    cdef bint declare(self, int32_t variable, int32_t concept) noexcept nogil:
        """Add a node, to which its variable leads from now on. False: no memory."""
        if not self.interner.reserve_marks():
            return False
        self.interner.marks[variable] = self.stamp << 32 | <uint64_t> self.variables.used
        return (add_int32(&self.variables, variable) and add_int32(&self.concepts, concept)
                and add_int32(&self.lengths, 0) and add_int32(&self.span_first, 0) and add_int32(&self.span_count, 0))

    cdef bint write_nodes(self, bint whole) noexcept nogil:
        """Write the nodes that variables lead to, in the order of these, and what is said of them. False: no memory."""
        cdef const int32_t *variables = <const int32_t *> self.variables.data
        cdef const int32_t *said
        cdef Keyed *keyed
        cdef Pair *rows
        cdef int32_t *order
        cdef int32_t *places
        cdef int64_t n = self.variables.used, n_said, m = 0, k, i = 0, start, stop = 0
        if n == 0:
            return True
        if whole and self.top and not self.say(
            marked(self.interner, variables[0], self.stamp), self.top_role, self.top_value, False
        ):
            return False
        n_said = self.said.used // SAID
        if not (room_for(&self.keyed, 2 * max(n, n_said), sizeof(Keyed)) and room_for(&self.order, n, sizeof(int32_t))
                and room_for(&self.places, n, sizeof(int32_t)) and room_for(&self.pairs, n_said, sizeof(Pair))
                and room_for(&self.spare, n_said, sizeof(Pair))):
            return False
        keyed, rows = <Keyed *> self.keyed.data, <Pair *> self.pairs.data
        order, places = <int32_t *> self.order.data, <int32_t *> self.places.data
        said = <const int32_t *> self.said.data
        for k in range(n):
            places[k] = -1
            if marked(self.interner, variables[k], self.stamp) == k:
                keyed[m].text, keyed[m].item = variables[k], <int32_t> k
                m += 1
        sort_by_text(keyed, m, keyed + m, self.interner.blob, self.interner.offsets)
        for k in range(m):
            order[k] = keyed[k].item
            places[order[k]] = <int32_t> k
        for k in range(n_said):
            if places[said[SAID * k]] >= 0:
                rows[i].major, rows[i].minor = places[said[SAID * k]], k
                i += 1
        n_said = i
        sort_pairs(rows, n_said, <Pair *> self.spare.data)
        for k in range(m):
            start = stop
            while stop < n_said and rows[stop].major == k:
                stop += 1
            if not self.write_node(order[k], whole, rows + start, stop - start):
                return False
        return True

    cdef bint write_node(self, int32_t node, bint whole, const Pair *rows, int64_t n) noexcept nogil:
        """Write a node; the minor parts of ``rows`` are the numbers of what is said of it. False: no memory."""
        cdef const int32_t *said = <const int32_t *> self.said.data
        cdef const int32_t *spans = <const int32_t *> self.own_spans.data
        cdef int32_t concept = (<const int32_t *> self.concepts.data)[node], extended = self.empty
        cdef int64_t k
        cdef int j
        if whole:
            extended = self.extended(concept, rows, n) if concept == self.name else concept
            if extended < 0:
                return False
        if not (add_int32(&self.nodes, (<const int32_t *> self.variables.data)[node])
                and add_int32(&self.nodes, concept) and add_int32(&self.nodes, extended)
                and add_int32(&self.nodes, (<const int32_t *> self.lengths.data)[node])):
            return False
        for k in range(n):
            for j in range(1, SAID):
                if not add_int32(&self.attributes, said[SAID * rows[k].minor + j]):
                    return False
        spans += 2 * (<const int32_t *> self.span_first.data)[node]
        for k in range(2 * (<const int32_t *> self.span_count.data)[node]):
            if not add_int32(&self.spans, spans[k]):
                return False
        return (add_int64(&self.attribute_start, self.attributes.used // ATTRIBUTE_ROWS)
                and add_int64(&self.span_start, self.spans.used // 2))

    cdef int32_t extended(self, int32_t concept, const Pair *rows, int64_t n) noexcept nogil:
        """The concept of a name with its ``:op1``, ``:op2`` … in the order of these words. -1: no memory."""
        cdef const int32_t *said = <const int32_t *> self.said.data
        cdef const uint8_t *blob = self.interner.blob
        cdef const int64_t *offsets = self.interner.offsets
        cdef Keyed *keyed = <Keyed *> self.keyed.data
        cdef int64_t k, m = 0
        cdef int32_t role
        cdef Place p, stop
        for k in range(n):
            role = said[SAID * rows[k].minor + 1]
            p, stop = blob + offsets[role], blob + offsets[role + 1]
            if stop - p > 3 and memcmp(p, b":op", 3) == 0 and over_digits(p + 3, stop) == stop:
                keyed[m].text, keyed[m].item = role, said[SAID * rows[k].minor + 2]
                m += 1
        sort_by_text(keyed, m, keyed + m, blob, offsets)
        if not room_for(&self.letters, 0, 1) or not self.spell(concept):
            return -1
        for k in range(m):
            if not room(&self.letters, 1, 1):
                return -1
            (<uint8_t *> self.letters.data)[self.letters.used] = c" "
            self.letters.used += 1
            if not self.spell(keyed[k].item):
                return -1
        return self.interner.add(<const uint8_t *> self.letters.data, self.letters.used)

    cdef bint spell(self, int32_t id) noexcept nogil:
        """Append a string to ``letters``. False: no memory."""
        cdef int64_t n = self.interner.length(id)
        if not room(&self.letters, n, 1):
            return False
        memcpy(<uint8_t *> self.letters.data + self.letters.used, self.interner.blob + self.interner.offsets[id], n)
        self.letters.used += n
        return True

    # Alignments ------------------------------------------------------------------------------------------------------

    cdef int alignment(self) noexcept nogil:
        """Read ``variable: first-last, first-last …``, a line each, those before a failure as well."""
        cdef const Line *line = <const Line *> self.blocks[2].data
        cdef const Line *last = line + self.blocks[2].used
        cdef Place p, stop, colon, q
        cdef int32_t variable, node
        while line < last:
            stop = line_stop(line)
            p = over_blanks(line.start, stop)
            if p < stop:
                colon = over_letters(p, stop, False)
                if colon == p or colon == stop or colon[0] != c":":
                    return self.fail(F_ALIGNMENT, -1, line, p, stop)
                self.pairs.used = 0
                q = over_blanks(colon + 1, stop)
                while True:
                    if not room(&self.pairs, 1, sizeof(Pair)):
                        return NO_MEMORY
                    q = self.interval(q, stop)
                    if q == NULL:
                        return self.fail(F_ALIGNMENT, -1, line, p, stop)
                    q = over_blanks(q, stop)
                    if q == stop:
                        break
                    if q[0] != c",":
                        return self.fail(F_ALIGNMENT, -1, line, p, stop)
                    q = over_blanks(q + 1, stop)
                variable = self.interner.add(p, colon - p)
                if variable < 0 or not self.interner.reserve_marks():
                    return NO_MEMORY
                node = marked(self.interner, variable, self.stamp)
                if node < 0:
                    return self.fail(F_VARIABLE, variable, line, p, stop)
                if not self.are_tokens():
                    return self.fail(F_TOKENS, -1, line, p, stop)
                if not self.align(node):
                    return NO_MEMORY
            line += 1
        return FINE

    cdef Place interval(self, Place p, Place stop) noexcept nogil:
        """Read ``first-last`` into ``pairs``, which have room; returns its end, or NULL if there is none."""
        cdef Place middle = over_digits(p, stop), end
        cdef Pair *pair
        if middle == p or middle == stop or middle[0] != c"-":
            return NULL
        end = over_digits(middle + 1, stop)
        if end == middle + 1:
            return NULL
        pair = <Pair *> self.pairs.data + self.pairs.used
        pair.major, pair.minor = number(p, middle), number(middle + 1, end)
        self.pairs.used += 1
        return end

    cdef bint are_tokens(self) noexcept nogil:
        """Whether the intervals are tokens, counted from 1; ``0-0`` alone stands for none, and is forgotten."""
        cdef const Pair *pairs = <const Pair *> self.pairs.data
        cdef int64_t k
        if self.pairs.used == 1 and pairs[0].major == 0 and pairs[0].minor == 0:
            self.pairs.used = 0
        for k in range(self.pairs.used):
            if not 0 < pairs[k].major <= pairs[k].minor:
                return False
        return True

    cdef bint align(self, int32_t node) noexcept nogil:
        """Align a node with the intervals, joined where they touch or overlap. False: no memory."""
        cdef const int64_t *before = <const int64_t *> self.before.data
        cdef int64_t n = self.pairs.used, n_tokens = self.before.used - 1, k = 0, first, last, words = 0, total = 0
        cdef int64_t start = self.own_spans.used // 2
        cdef Pair *pairs = <Pair *> self.pairs.data
        if not room_for(&self.spare, n, sizeof(Pair)):
            return False
        sort_pairs(pairs, n, <Pair *> self.spare.data)
        while k < n:
            first, last = pairs[k].major, pairs[k].minor
            k += 1
            while k < n and pairs[k].major <= last + 1:
                last = max(last, pairs[k].minor)
                k += 1
            if not add_int32(&self.own_spans, <int32_t> first) or not add_int32(&self.own_spans, <int32_t> last):
                return False
            if first <= n_tokens:
                last = min(last, n_tokens)
                words += last - first + 1
                total += before[last] - before[first - 1]
        (<int32_t *> self.span_first.data)[node] = <int32_t> start
        (<int32_t *> self.span_count.data)[node] = <int32_t> (self.own_spans.used // 2 - start)
        (<int32_t *> self.lengths.data)[node] = <int32_t> min(total + max(words - 1, 0), LAST_TOKEN)
        return True

    # Relations of the document level ---------------------------------------------------------------------------------

    cdef int annotation(self) noexcept nogil:
        """Read the relations of a sentence, those before a failure as well."""
        cdef const Line *line = <const Line *> self.blocks[3].data
        cdef const Line *last = line + self.blocks[3].used
        cdef Place p, stop, q
        cdef bint inside = False, group = False, waiting = False, fits
        cdef int wrong
        cdef Place[6] parts
        while line < last:
            stop = line_stop(line)
            p = over_blanks(line.start, stop)
            while p < stop and not (p[0] == c"0" and p + 1 == stop):
                fits = True
                wrong = F_WORD
                if p[0] == c":" and over_letters(p + 1, stop, True) > p + 1:
                    q = over_blanks(over_letters(p + 1, stop, True), stop)
                    fits = inside and not waiting
                    wrong = F_GROUP
                    group = waiting = True
                elif p[0] == c"(":
                    q = pattern_sentence(p, stop)
                    if q != NULL:
                        inside = True
                    else:
                        q = pattern_triple(p, stop, parts)
                        if q != NULL:
                            fits = inside and group and not waiting
                            wrong = F_RELATION
                            if fits and not self.relate(parts):
                                return NO_MEMORY
                        else:
                            q = over_blanks(p + 1, stop)
                            fits = inside and waiting
                            wrong = F_OPENING
                            waiting = False
                elif p[0] == c")":
                    q = p + 1
                    fits = inside and not waiting
                    wrong = F_CLOSING
                    if group:
                        group = False
                    else:
                        inside = False
                else:
                    q = over_blanks(p, stop)
                    fits = q > p
                if not fits:
                    return self.fail(wrong, -1, line, p, stop)
                p = q
            line += 1
        return FINE

    cdef bint relate(self, const Place *parts) noexcept nogil:
        """Write the relation with these parts; see ``pattern_triple``. False: no memory."""
        cdef int32_t id
        cdef int k
        for k in range(RELATION_ROWS):
            id = self.interner.add(parts[2 * k], parts[2 * k + 1] - parts[2 * k])
            if id < 0 or not add_int32(&self.relations, id):
                return False
        return True

    # Results ---------------------------------------------------------------------------------------------------------

    cdef object result(self):
        cdef const Problem *problem = <const Problem *> self.problems.data
        sentences = Sentences(
            column_of(&self.node_start), table_of(&self.nodes, NODE_ROWS), column_of(&self.attribute_start),
            table_of(&self.attributes, ATTRIBUTE_ROWS), column_of(&self.span_start), table_of(&self.spans, 2),
            column_of(&self.token_start), table_of(&self.tokens, 1)[0], column_of(&self.relation_start),
            table_of(&self.relations, RELATION_ROWS), bytes_of(&self.whole),
        )
        problems = []
        for k in range(self.problems.used):
            message = MESSAGES[problem[k].code]
            if problem[k].name >= 0:
                message = message.format(self.interner.text(problem[k].name))
            problems.append((problem[k].sentence, message, problem[k].line, problem[k].column))
        return sentences, column_of(&self.lines), problems


cdef object column_of(const Column *column):
    """A column of int64 as an array."""
    cdef int64_t[::1] view
    array = np.empty(column.used, np.int64)
    if column.used:
        view = array
        memcpy(&view[0], column.data, column.used * sizeof(int64_t))
    return array


cdef object bytes_of(const Column *column):
    cdef uint8_t[::1] view
    array = np.empty(column.used, np.uint8)
    if column.used:
        view = array
        memcpy(&view[0], column.data, column.used)
    return array


cdef object table_of(const Column *column, int width):
    """Rows of int32 as columns, int32[width, n]."""
    cdef int64_t n = column.used // width, k
    cdef int j
    cdef const int32_t *rows = <const int32_t *> column.data
    cdef int32_t[:, ::1] view
    array = np.empty((width, n), np.int32)
    view = array
    for k in range(n):
        for j in range(width):
            view[j, k] = rows[k * width + j]
    return array


def read_as_tool(str text not None, Interner interner not None, bint top=False):
    """The sentences of a text as the program sees them.

    Parameters
    ----------
    text : str
    interner : Interner
        Gives strings their ids.
    top : bool
        Add the relation ``:TOP TOP`` at the first node of each graph that is read to its end.

    Returns
    -------
    sentences : Sentences
    lines : int64, shape (n_sentences,)
        The line in which each sentence begins, from 1.
    problems : list of (sentence, message, line, column)
        Sentences that were not read to their end, and why; line and column are counted from 1, in characters.

    Raises
    ------
    MemoryError
        If there is no memory.

    Notes
    -----
    O(n log n) in the length of the text.
    """
    cdef bytes data = text.encode("utf-8", "surrogatepass")
    cdef Place start = <Place> PyBytes_AS_STRING(data)
    cdef Place end = start + PyBytes_GET_SIZE(data)
    cdef Reader reader = Reader(interner, top)
    cdef int status
    interner.enter()
    with nogil:
        status = reader.feed(start, end)
    interner.leave()
    raise_status(status, "no memory for the sentences of a text")
    return reader.result()
