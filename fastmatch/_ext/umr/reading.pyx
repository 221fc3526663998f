# cython: language_level=3
"""What compare_umr.pl reads of a UMR file, its slips included, for ``preset="tool"`` of juːmæʧ.

The program (github.com/ufal/umrtools at 4377bc4) counts blocks where others look for headings. One empty line ends a
block, two in a row end a sentence. The blocks of a sentence are, by their places, its tokens, its graph, its alignment
and its document relations; what comes behind the fourth is not read. In the last three a line ends at its first ``#``,
also in a string.

Where a line fits nothing that is expected there (a *failure*) the rest of the sentence is not read, but what was read
before is compared. The nodes of a graph that was not read to its end have an empty extended concept, and no document
relation knows them. graph.pyx reads tokens and graphs, patterns.pxd has what matches in a line.
"""

cimport cython
from cpython.bytes cimport PyBytes_AS_STRING, PyBytes_GET_SIZE
from libc.stdint cimport int32_t, int64_t, uint8_t
from libc.string cimport memchr, memcpy

import numpy as np

from fastmatch._ext.base.columns cimport Column, push, push_int32, push_int64, release_all
from fastmatch._ext.base.sorting cimport Pair, sort_pairs
from fastmatch._ext.base.status cimport FINE
from fastmatch._ext.reading.interner cimport Interner
from fastmatch._ext.reading.reader cimport marked
from fastmatch._ext.umr.graph cimport (
    BLOCKS, F_ALIGNMENT, F_BRACKET, F_CLOSING, F_CONCEPT, F_GROUP, F_NO_ROLE, F_NO_VALUE, F_OPENING, F_OUTSIDE,
    F_RELATION, F_TOKENS, F_VALUE, F_VALUE_OUTSIDE, F_VARIABLE, F_WORD, GraphReader, Problem, room_for,
)
from fastmatch._ext.base.letters cimport digits_end
from fastmatch._ext.umr.patterns cimport (
    LAST_TOKEN, Line, Place, before_blanks, line_stop, number, over_blanks, over_letters,
    pattern_sentence, pattern_triple,
)
from fastmatch._ext.umr.sentences cimport ATTRIBUTE_ROWS, NODE_ROWS, RELATION_ROWS

from fastmatch._ext.umr.sentences import Sentences

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
cdef class Reader(GraphReader):
    """Reads one text; see :func:`read_as_tool`."""

    # what is read, row by row, besides nodes
    cdef Column token_start, relation_start, relations, lines

    def __dealloc__(self):
        release_all(&self.token_start, &self.lines)

    # Sentences -------------------------------------------------------------------------------------------------------

    cdef int feed(self, Place p, Place end) except -1 nogil:
        """Read a whole text; the interner's lock is held."""
        cdef Place stop
        cdef int64_t at = 0, block = 0
        cdef bint within = False        # a block, whose number from 1 is ``block``
        push_int64(&self.node_start, 0)
        push_int64(&self.attribute_start, 0)
        push_int64(&self.span_start, 0)
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
        self.variables.used = self.concepts.used = self.lengths.used = self.own_spans.used = 0
        self.span_first.used = self.span_count.used = self.said.used = self.opened.used = 0
        self.read_tokens()
        self.interner.reserve_marks()
        self.stamp = self.interner.new_stamp()
        cdef int status = self.graph()
        cdef bint whole = status == FINE
        if whole:
            status = self.alignment()
            if status == FINE:
                status = self.annotation()
        self.write_nodes(whole)
        push_int64(&self.lines, (<Line *> self.blocks[0].data).number)
        push_int64(&self.node_start, self.nodes.used // NODE_ROWS)
        push_int64(&self.token_start, self.tokens.used)
        push_int64(&self.relation_start, self.relations.used // RELATION_ROWS)
        (<uint8_t *> push(&self.whole, 1))[0] = whole
        for k in range(BLOCKS):
            self.blocks[k].used = 0

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
                self.interner.reserve_marks()
                node = marked(self.interner, variable, self.stamp)
                if node < 0:
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
        cdef int64_t start = self.own_spans.used // 2
        cdef Pair *pairs = <Pair *> self.pairs.data
        room_for(&self.spare, n, sizeof(Pair))
        sort_pairs(pairs, n, <Pair *> self.spare.data)
        while k < n:
            first, last = pairs[k].major, pairs[k].minor
            k += 1
            while k < n and pairs[k].major <= last + 1:
                last = max(last, pairs[k].minor)
                k += 1
            push_int32(&self.own_spans, <int32_t> first)
            push_int32(&self.own_spans, <int32_t> last)
            if first <= n_tokens:
                last = min(last, n_tokens)
                words += last - first + 1
                total += before[last] - before[first - 1]
        (<int32_t *> self.span_first.data)[node] = <int32_t> start
        (<int32_t *> self.span_count.data)[node] = <int32_t> (self.own_spans.used // 2 - start)
        (<int32_t *> self.lengths.data)[node] = <int32_t> min(total + max(words - 1, 0), LAST_TOKEN)

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
                    q = pattern_sentence(p, stop)
                    if q != NULL:
                        inside = True
                    else:
                        q = pattern_triple(p, stop, parts)
                        if q != NULL:
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
        sentences = Sentences(
            column_of(&self.node_start), table_of(&self.nodes, NODE_ROWS), column_of(&self.attribute_start),
            table_of(&self.attributes, ATTRIBUTE_ROWS), column_of(&self.span_start), table_of(&self.spans, 2),
            column_of(&self.token_start), table_of(&self.tokens, 1)[0], column_of(&self.relation_start),
            table_of(&self.relations, RELATION_ROWS), column_of(&self.whole, np.uint8),
        )
        problems = []
        for k in range(self.problems.used):
            message = MESSAGES[problem[k].code]
            if problem[k].name >= 0:
                message = message.format(self.interner.text(problem[k].name))
            problems.append((problem[k].sentence, message, problem[k].line, problem[k].column))
        return sentences, column_of(&self.lines), problems


cdef object column_of(const Column *column, kind=np.int64):
    """A column as an array of this dtype."""
    cdef uint8_t[::1] view
    array = np.empty(column.used, kind)
    if column.used:
        view = array.view(np.uint8)
        memcpy(&view[0], column.data, view.shape[0])
    return array


cdef object table_of(const Column *column, int width):
    """Rows of int32 as columns, int32[width, n]."""
    cdef int64_t n = column.used // width, k
    cdef int j
    cdef const int32_t *rows = <const int32_t *> column.data
    array = np.empty((width, n), np.int32)
    cdef int32_t[:, ::1] view = array
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
    interner.enter()
    with nogil:
        try:
            reader.feed(start, end)
        finally:
            interner.leave()
    return reader.result()
