# cython: language_level=3
"""What compare_umr.pl reads of the tokens and the graph of a sentence, for the reader of whole files (reading.pyx).

A graph is eaten from the front, line by line, by the first rule that fits:

==  =======================================  ===========================================================================
1   ``( variable /``                         a node; its concept is the first word in the rest of the line
2   ``:role``                                a role that waits for its value; one that has waited before is forgotten
3   ``"string"``                             a value, without its quotes
4   a word up to white space or ``)``        a value; one that is spelled like a variable is that variable
5   ``)``                                    closes a node
==  =======================================  ===========================================================================

A line of which nothing but ``0`` is left ends there, so a ``0`` in the last place of a line is lost.

Where no rule fits, the rest of the sentence is not read. What was read before is kept; its nodes have an empty extended
concept then.
"""

from libc.stdint cimport int32_t, int64_t, uint8_t, uint64_t
from libc.string cimport memchr, memcmp, memcpy, memmove

from fastmatch._ext.base.columns cimport push, push_bytes, push_int32, push_int64, release_all
from fastmatch._ext.base.sorting cimport Pair, sort_pairs
from fastmatch._ext.base.status cimport FINE
from fastmatch._ext.reading.interner cimport Interner
from fastmatch._ext.reading.reader cimport marked
from fastmatch._ext.base.letters cimport digits_end
from fastmatch._ext.umr.patterns cimport (
    Line, Place, blank, characters, concept_start, line_stop, over_blanks, over_letters, pattern_node, word_stop,
)
from fastmatch._ext.umr.sentences cimport ATTRIBUTE_ROWS

cdef enum:
    SAID = 4                    # numbers of what is said of a node: node, role, value, whether it may be a variable


cdef struct Keyed:
    int32_t text            # id of a string
    int32_t item


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


cdef class GraphReader:
    """Reads tokens and graphs; see :func:`fastmatch._ext.umr.reading.read_as_tool`."""

    def __cinit__(self, Interner interner not None, bint top):
        self.interner = interner
        self.top = top
        self.top_role = interner.intern(b":TOP")
        self.top_value = interner.intern(b"TOP")
        self.name = interner.intern(b"name")
        self.empty = interner.intern(b"")

    def __dealloc__(self):
        release_all(&self.node_start, &self.letters)

    # Sentences -------------------------------------------------------------------------------------------------------

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
                    elif self.variables.used:
                        return self.fail(F_NO_ROLE, -1, line, p, stop)
                    push_int32(&self.opened, <int32_t> self.variables.used)
                    self.declare(variable, value)
                    if start == q:
                        p = end
                        continue
                    # the concept is cut out: what stands before it is read before what stands behind it
                    n = start - q
                    if not self.is_copied(q):
                        room_for(&self.letters, stop - q, 1)
                        memcpy(self.letters.data, q, stop - q)
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
        self.interner.marks[variable] = self.stamp << 32 | <uint64_t> self.variables.used
        push_int32(&self.variables, variable)
        push_int32(&self.concepts, concept)
        push_int32(&self.lengths, 0)
        push_int32(&self.span_first, 0)
        push_int32(&self.span_count, 0)

    cdef int write_nodes(self, bint whole) except -1 nogil:
        """Write the nodes that variables lead to, in the order of these, and what is said of them."""
        cdef const int32_t *variables = <const int32_t *> self.variables.data
        cdef const int32_t *said
        cdef Keyed *keyed
        cdef Pair *rows
        cdef int32_t *order
        cdef int32_t *places
        cdef int64_t n = self.variables.used, n_said, m = 0, k, i = 0, start, stop = 0
        if n == 0:
            return 0
        if whole and self.top:
            self.say(marked(self.interner, variables[0], self.stamp), self.top_role, self.top_value, False)
        n_said = self.said.used // SAID
        room_for(&self.keyed, 2 * max(n, n_said), sizeof(Keyed))
        room_for(&self.order, n, sizeof(int32_t))
        room_for(&self.places, n, sizeof(int32_t))
        room_for(&self.pairs, n_said, sizeof(Pair))
        room_for(&self.spare, n_said, sizeof(Pair))
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
            self.write_node(order[k], whole, rows + start, stop - start)

    cdef int write_node(self, int32_t node, bint whole, const Pair *rows, int64_t n) except -1 nogil:
        """Write a node; the minor parts of ``rows`` are the numbers of what is said of it."""
        cdef const int32_t *said = <const int32_t *> self.said.data
        cdef const int32_t *spans = <const int32_t *> self.own_spans.data
        cdef int32_t concept = (<const int32_t *> self.concepts.data)[node], extended = self.empty
        cdef int64_t k
        cdef int j
        if whole:
            extended = self.extended(concept, rows, n) if concept == self.name else concept
        push_int32(&self.nodes, (<const int32_t *> self.variables.data)[node])
        push_int32(&self.nodes, concept)
        push_int32(&self.nodes, extended)
        push_int32(&self.nodes, (<const int32_t *> self.lengths.data)[node])
        for k in range(n):
            for j in range(1, SAID):
                push_int32(&self.attributes, said[SAID * rows[k].minor + j])
        spans += 2 * (<const int32_t *> self.span_first.data)[node]
        for k in range(2 * (<const int32_t *> self.span_count.data)[node]):
            push_int32(&self.spans, spans[k])
        push_int64(&self.attribute_start, self.attributes.used // ATTRIBUTE_ROWS)
        push_int64(&self.span_start, self.spans.used // 2)

    cdef int32_t extended(self, int32_t concept, const Pair *rows, int64_t n) except -1 nogil:
        """The concept of a name with its ``:op1``, ``:op2`` … in the order of these words."""
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
            if stop - p > 3 and memcmp(p, b":op", 3) == 0 and digits_end(p + 3, stop) == stop:
                keyed[m].text, keyed[m].item = role, said[SAID * rows[k].minor + 2]
                m += 1
        sort_by_text(keyed, m, keyed + m, blob, offsets)
        self.letters.used = 0
        self.spell(concept)
        for k in range(m):
            push_bytes(&self.letters, b" ", 1)
            self.spell(keyed[k].item)
        return self.interner.add(<const uint8_t *> self.letters.data, self.letters.used)

    cdef int spell(self, int32_t id) except -1 nogil:
        """Append a string to ``letters``."""
        push_bytes(&self.letters, self.interner.blob + self.interner.offsets[id], self.interner.length(id))
