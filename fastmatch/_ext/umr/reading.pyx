# cython: language_level=3
"""What compare_umr.pl reads of a UMR file, its slips included, for ``preset="tool"`` of juːmæʧ.

The program (github.com/ufal/umrtools at 4377bc4) counts blocks where others look for headings. One empty line ends a
block, two in a row end a sentence. The blocks of a sentence are, by their places, its tokens, its graph, its alignment
and its document relations; what comes behind the fourth is not read. In the last three a line ends at its first ``#``,
also in a string.

Where a line fits nothing that is expected there (a *failure*) the rest of the sentence is not read, but what was read
before is compared. The nodes of a graph that was not read to its end have an empty extended concept, and no document
relation knows them. patterns.pxd has what matches in a line.

A graph is eaten from the front, line by line, by the first rule that fits:

==  =======================================  ===========================================================================
1   ``( variable /``                         a node; its concept is the first word in the rest of the line
2   ``:role``                                a role that waits for its value; one that has waited before is forgotten
3   ``"string"``                             a value, without its quotes
4   a word up to white space or ``)``        a value; one that is spelled like a variable is that variable
5   ``)``                                    closes a node
==  =======================================  ===========================================================================

A line of which nothing but ``0`` is left ends there, so a ``0`` in the last place of a line is lost.
"""

cimport cython
from cpython.bytes cimport PyBytes_AS_STRING, PyBytes_GET_SIZE
from libc.stdint cimport int32_t, int64_t, uint8_t, uint64_t
from libc.string cimport memchr, memcmp, memcpy, memmove

import numpy as np

from fastmatch._ext.base.columns cimport Column, filled, fresh, push, push_int32, push_int64, release_all
from fastmatch._ext.base.letters cimport digits_end
from fastmatch._ext.base.sorting cimport Pair, sort_pairs
from fastmatch._ext.base.status cimport FINE
from fastmatch._ext.base.lines cimport Place
from fastmatch._ext.reading.interner cimport Interner
from fastmatch._ext.reading.reader cimport marked
from fastmatch._ext.umr.patterns cimport (
    LAST_TOKEN, Line, before_blanks, blank, characters, concept_start, line_stop, number, over_blanks,
    over_letters, pattern_node, pattern_sentence, pattern_triple, word_stop,
)
from fastmatch._ext.umr.sentences cimport RELATION_ROWS

cdef enum:
    BLOCKS = 4
    FAILED = 1                  # the rest of the sentence is not read
    SAID = 4                    # numbers of what is said of a node: node, role, value, whether it may be a variable

cdef enum Failure:
    # why the program stops reading a sentence
    F_CONCEPT = 1, F_OUTSIDE, F_NO_ROLE, F_NO_VALUE, F_BRACKET, F_VALUE, F_VALUE_OUTSIDE, F_ALIGNMENT, F_VARIABLE
    F_TOKENS, F_GROUP, F_RELATION, F_OPENING, F_CLOSING, F_WORD


cdef struct Node:
    int32_t variable, concept
    int32_t length              # characters of its tokens
    int32_t span, n_spans       # the first one, and how many


cdef struct Problem:
    int64_t sentence, line, column
    int32_t code
    int32_t name            # id of the string that the message names


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


@cython.final
cdef class Reader:
    """Reads one text; see :func:`read_sentences`."""

    cdef Interner interner
    cdef bint top
    cdef int32_t top_role, top_value
    cdef uint64_t stamp
    cdef int64_t first          # number of the first node of the sentence that is being read
    # what is read, row by row
    cdef Column node_start, nodes, said, spans, token_start, tokens, relation_start, relations, lines, whole, problems
    # of the sentence that is being read: the lines of each block; open nodes; the characters before each token
    cdef Column[BLOCKS] blocks
    cdef Column opened, before
    # scratch
    cdef Column pairs, spare, letters

    def __cinit__(self, Interner interner not None, bint top):
        self.interner = interner
        self.top = top
        self.top_role = interner.intern(b":TOP")
        self.top_value = interner.intern(b"TOP")

    def __dealloc__(self):
        release_all(&self.node_start, &self.letters)

    # Sentences -------------------------------------------------------------------------------------------------------

    cdef int feed(self, Place p, Place end) except -1 nogil:
        """Read a whole text; the interner's lock is held."""
        cdef Place stop
        cdef int64_t at = 0, block = 0
        cdef bint within = False        # a block, whose number from 1 is ``block``
        push_int64(&self.node_start, 0)
        push_int64(&self.token_start, 0)
        push_int64(&self.relation_start, 0)
        while True:
            stop = <Place> memchr(p, c"\n", end - p) if p < end else NULL
            if stop == NULL:
                stop = end
            at += 1
            if before_blanks(p, stop) > p:
                if not within:
                    block += 1
                    within = True
                if block <= BLOCKS:
                    (<Line *> push(&self.blocks[block - 1], sizeof(Line)))[0] = Line(p, before_blanks(p, stop), at)
            elif within:
                within = False
            elif block:
                self.sentence()
                block = 0
            if stop == end:
                break
            p = stop + 1
        if block:
            self.sentence()

    cdef int sentence(self) except -1 nogil:
        """Read the blocks that have been gathered, and forget them."""
        cdef int64_t k
        self.first, self.opened.used = self.nodes.used, 0
        self.read_tokens()
        self.interner.reserve_marks()
        self.stamp = self.interner.new_stamp()
        cdef bint whole = self.graph() == FINE
        if whole and self.alignment() == FINE:
            self.annotation()
        if whole and self.top and self.nodes.used > self.first:
            self.say(marked(self.interner, (<const Node *> self.nodes.data)[self.first].variable, self.stamp),
                     self.top_role, self.top_value, False)
        push_int64(&self.lines, (<Line *> self.blocks[0].data).number)
        push_int64(&self.node_start, self.nodes.used)
        push_int64(&self.token_start, self.tokens.used)
        push_int64(&self.relation_start, self.relations.used // RELATION_ROWS)
        (<uint8_t *> push(&self.whole, 1))[0] = whole
        for k in range(BLOCKS):
            self.blocks[k].used = 0

    cdef int fail(self, int code, int32_t name, const Line *line, Place p, Place stop) except -1 nogil:
        """The rest of the sentence is not read. ``p`` to ``stop`` is what is left of the line."""
        cdef Problem *problem = <Problem *> push(&self.problems, sizeof(Problem))
        problem.sentence, problem.code, problem.name, problem.line = self.whole.used, code, name, line.number
        problem.column = characters(line.start, line_stop(line)) - characters(p, stop) + 1
        return FAILED

    # Tokens ----------------------------------------------------------------------------------------------------------

    cdef int read_tokens(self) except -1 nogil:
        """The first line that begins with ``Words:`` and has something behind it."""
        cdef const Line *lines = <const Line *> self.blocks[0].data
        cdef int64_t k, total = 0
        cdef Place p, stop
        self.before.used = 0
        push_int64(&self.before, 0)
        for k in range(self.blocks[0].used):
            if lines[k].stop - lines[k].start <= 6 or memcmp(lines[k].start, b"Words:", 6) != 0:
                continue
            p = over_blanks(lines[k].start + 6, lines[k].stop)
            while p < lines[k].stop:
                stop = p
                while stop < lines[k].stop and blank(stop, lines[k].stop) == 0:
                    stop += 1
                total += characters(p, stop)
                push_int32(&self.tokens, self.interner.add(p, stop - p))
                push_int64(&self.before, total)
                p = over_blanks(stop, lines[k].stop)
            break

    # Graphs ----------------------------------------------------------------------------------------------------------

    cdef int graph(self) except -1 nogil:
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
                    if role >= 0:
                        if self.opened.used == 0:
                            return self.fail(F_OUTSIDE, -1, line, p, stop)
                        self.say(self.last_opened(), role, variable, True)
                        role = -1
                    elif self.nodes.used > self.first:
                        return self.fail(F_NO_ROLE, -1, line, p, stop)
                    push_int32(&self.opened, <int32_t> self.nodes.used)
                    self.declare(variable, value)
                    if start == q:
                        p = end
                        continue
                    # the concept is cut out: what stands before it is read before what stands behind it
                    n = start - q
                    if not self.is_copied(q):
                        memcpy(fresh(&self.letters, stop - q, 1), q, stop - q)
                        end = <Place> self.letters.data + (end - q)
                        stop = <Place> self.letters.data + (stop - q)
                        q = <Place> self.letters.data
                    p = end - n
                    memmove(<void *> p, q, n)
                elif p[0] == c":" and over_letters(p + 1, stop, True) > p + 1:
                    q = over_letters(p + 1, stop, True)
                    role = self.interner.add(p, q - p)
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
                    self.say(self.last_opened(), role, value, True)
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

    cdef int say(self, int32_t node, int32_t role, int32_t value, int32_t may_be_variable) except -1 nogil:
        """Add what is said of a node."""
        push_int32(&self.said, node)
        push_int32(&self.said, role)
        push_int32(&self.said, value)
        push_int32(&self.said, may_be_variable)

    cdef int declare(self, int32_t variable, int32_t concept) except -1 nogil:
        """Add a node, to which its variable leads from now on."""
        self.interner.reserve_marks()
        self.interner.marks[variable] = self.stamp << 32 | <uint64_t> self.nodes.used
        (<Node *> push(&self.nodes, sizeof(Node)))[0] = Node(variable, concept, 0, 0, 0)

    # Alignments ------------------------------------------------------------------------------------------------------

    cdef int alignment(self) except -1 nogil:
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
                    if (q := self.interval(q, stop)) == NULL:
                        return self.fail(F_ALIGNMENT, -1, line, p, stop)
                    q = over_blanks(q, stop)
                    if q == stop:
                        break
                    if q[0] != c",":
                        return self.fail(F_ALIGNMENT, -1, line, p, stop)
                    q = over_blanks(q + 1, stop)
                variable = self.interner.add(p, colon - p)
                self.interner.reserve_marks()
                if (node := marked(self.interner, variable, self.stamp)) < 0:
                    return self.fail(F_VARIABLE, variable, line, p, stop)
                if not self.are_tokens():
                    return self.fail(F_TOKENS, -1, line, p, stop)
                self.align(node)
            line += 1
        return FINE

    cdef Place interval(self, Place p, Place stop) except? NULL nogil:
        """Read ``first-last`` into ``pairs``; returns its end, or NULL if there is none."""
        cdef Place middle = digits_end(p, stop), end
        if middle == p or middle == stop or middle[0] != c"-":
            return NULL
        end = digits_end(middle + 1, stop)
        if end == middle + 1:
            return NULL
        (<Pair *> push(&self.pairs, sizeof(Pair)))[0] = Pair(number(p, middle), number(middle + 1, end))
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

    cdef int align(self, int32_t node) except -1 nogil:
        """Align a node with the intervals, joined where they touch or overlap."""
        cdef const int64_t *before = <const int64_t *> self.before.data
        cdef int64_t n = self.pairs.used, n_tokens = self.before.used - 1, k = 0, first, last, words = 0, total = 0
        cdef Node *at = <Node *> self.nodes.data + node
        cdef Pair *pairs = <Pair *> self.pairs.data
        sort_pairs(pairs, n, <Pair *> fresh(&self.spare, n, sizeof(Pair)))
        at.span, at.n_spans = <int32_t> (self.spans.used // 2), 0
        while k < n:
            first, last = pairs[k].major, pairs[k].minor
            k += 1
            while k < n and pairs[k].major <= last + 1:
                last = max(last, pairs[k].minor)
                k += 1
            push_int32(&self.spans, <int32_t> first)
            push_int32(&self.spans, <int32_t> last)
            at.n_spans += 1
            if first <= n_tokens:
                last = min(last, n_tokens)
                words += last - first + 1
                total += before[last] - before[first - 1]
        at.length = <int32_t> min(total + max(words - 1, 0), LAST_TOKEN)

    # Relations of the document level ---------------------------------------------------------------------------------

    cdef int annotation(self) except -1 nogil:
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
                    if (q := pattern_sentence(p, stop)) != NULL:
                        inside = True
                    elif (q := pattern_triple(p, stop, parts)) != NULL:
                        fits = inside and group and not waiting
                        wrong = F_RELATION
                        if fits:
                            self.relate(parts)
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

    cdef int relate(self, const Place *parts) except -1 nogil:
        """Write the relation with these parts; see ``pattern_triple``."""
        cdef int k
        for k in range(RELATION_ROWS):
            push_int32(&self.relations, self.interner.add(parts[2 * k], parts[2 * k + 1] - parts[2 * k]))

    # Results ---------------------------------------------------------------------------------------------------------

    cdef object result(self):
        cdef const Problem *problem = <const Problem *> self.problems.data
        arrays = [
            column_of(&self.lines), column_of(&self.whole, np.uint8), column_of(&self.node_start),
            column_of(&self.nodes, (np.int32, 5)).T, table_of(&self.said, SAID), table_of(&self.spans, 2),
            column_of(&self.token_start), table_of(&self.tokens, 1)[0], column_of(&self.relation_start),
            table_of(&self.relations, RELATION_ROWS),
        ]
        problems = []
        for k in range(self.problems.used):
            message = MESSAGES[problem[k].code]
            if problem[k].name >= 0:
                message = message.format(self.interner.text(problem[k].name))
            problems.append((problem[k].sentence, message, problem[k].line, problem[k].column))
        return *arrays, problems


cdef object column_of(const Column *column, kind=np.int64):
    """A column as an array of this dtype."""
    return filled(np.empty(column.used, kind), column)


cdef object table_of(const Column *column, int width):
    """Rows of ``width`` int32 as columns, int32[width, n]."""
    return np.ascontiguousarray(filled(np.empty(column.used, np.int32), column).reshape(-1, width).T)


def read_sentences(str text not None, Interner interner not None, bint top):
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
    lines : int64, shape (n_sentences,)
        The line in which each sentence begins, from 1.
    whole : uint8, shape (n_sentences,)
        Whether its graph was read to its end.
    node_start, nodes : int64, shape (n_sentences + 1,); int32, shape (5, ·)
        In the order of the text: variable, concept, characters of the tokens, first run of tokens, number of runs. A
        variable may be declared again in a sentence, and leads to the last of its nodes.
    said : int32, shape (4, ·)
        What is said of nodes: the node, role, value, whether the value may be a variable.
    spans : int32, shape (2, ·)
        First and last token of each run of tokens.
    token_start, tokens, relation_start, relations
        As of :class:`fastmatch._ext.umr.sentences.Sentences`.
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
    cdef Place start = <Place> PyBytes_AS_STRING(data), end = start + PyBytes_GET_SIZE(data)
    cdef Reader reader = Reader(interner, top)
    interner.enter()
    with nogil:
        try:
            reader.feed(start, end)
        finally:
            interner.leave()
    return reader.result()
