# cython: language_level=3
"""Tables of the CAMRP shared tasks: Chinese AMR as rows of ten cells, with tabs between them.

    sid  nid1  concept1  coref1  rel  rid  ralign  nid2  concept2  coref2

A row is one relation of the graph of sentence ``sid``. Eight cells, without the two of co-reference, are read as ten
with ``-`` there. White space around a row counts for nothing, that within it belongs to the cells. A row whose first
cell is ``sid`` or ``句子编号`` is a heading, and passed over wherever it stands. An empty line, or the end of the text,
ends a graph.

The program of the shared tasks loses a graph that no empty line follows, and takes rows of several sentences in one
block for one graph. Here the first is read, and the second is an error.

A row is a relation with both its ends. Each end has the id of a node, its concept, and the id of another node that it
refers to, or ``-``. A relation has a role and the function words that stand on it, by their ids and their text.

Nodes
    An id that is new is a node. An id that is known, with the concept that it has, is that node. With another concept
    it is one more node, each time: its name is the id with one to ten letters ``x`` in front, the first that is free.
    When all ten are taken, the row means the node of that id.
Relations
    A role of two characters or more that begins with a colon is a relation. ``-of`` at its end goes, once, and the
    relation is turned around, ``consist-of`` excepted. Other roles make their nodes and no relation.
Words
    A relation of its own for the words on a row, between the same nodes, turned around if the role is. Its role has
    the ids and the text of the words, with ``=`` between them: ``:x2=把``. In other roles, and in the two parts,
    ``=`` is written ``%1`` and ``%`` is written ``%0``, so no word is ever equal to a role.
Co-reference
    A relation ``:coref`` to the node whose name stands in the cell, once for each node and name; none if a row
    ``:coref`` to that node came before. A name that no node has is left out, and counted.
Root
    A row whose first concept is ``root`` and whose role is ``:top`` names the root, and makes nothing else of its
    first end. Without such a row the root is the first node.

Names of variables are the ids as written, so a metric can tell on which words a node stands.
"""

cimport cython
from libc.stdint cimport int32_t, int64_t, uint8_t, uint64_t
from libc.string cimport memchr, memcmp, memset

from fastmatch._ext.reading cimport blocks as read_blocks
from fastmatch._ext.reading.interner cimport Interner
from fastmatch._ext.base.columns cimport Column, fresh, push, push_bytes, push_int32, push_int64, release_all, reserve
from fastmatch._ext.base.letters cimport digits_end
from fastmatch._ext.base.lines cimport Place, Span, line_end, strip_left, strip_right
from fastmatch._ext.base.sorting cimport Pair, sort_pairs
from fastmatch._ext.reading.reader cimport FINISHED, F_OWN, F_SIZE, close_up, last_graph, marked
from fastmatch._ext.reading.rows cimport MOST_ROWS, RelationRow, add_instance, add_relation

cdef enum TupleFault:
    F_ID = F_OWN, F_CELLS, F_NO_SENTENCE, F_OTHER_SENTENCE

cdef enum:
    CELLS = 10
    FEWER_CELLS = 8
    TRIPLES_OF_A_ROW = 6    # at most: two nodes, a relation, words, two co-references
    MOST_COPIES = 10        # nodes of one id besides the first
    LEFT_OUT = -1           # target of a co-reference that makes no relation
    SHOWN = 40              # characters of a cell in a message


cdef struct Row:
    # a relation with both its ends: ids of strings, "-" for what is not there
    int32_t node            # id of node 1, its concept, and the id of the node that it refers to
    int32_t concept, coref
    int32_t role            # with its colon
    int32_t place           # ids of the words on the relation, and the words
    int32_t word
    int32_t other           # the same of node 2
    int32_t other_concept, other_coref
    int64_t at              # where the row stands in the text


cdef inline Place id_end(Place p, Place stop) noexcept nogil:
    """Where the id of a node that begins at ``p`` ends: ``x3``, ``x3_x5``, ``x15_1_2``; ``p`` itself if none does."""
    cdef Place end = p
    if p == stop or p[0] != c"x":
        return end
    p += 1
    while digits_end(p, stop) > p:
        end = p = digits_end(p, stop)
        if p == stop or p[0] != c"_":
            break
        p += 1
        if p < stop and p[0] == c"x":
            p += 1
    return end


cdef bint is_heading(Place start, Place stop) noexcept nogil:
    if stop - start >= 4 and memcmp(start, b"sid\t", 4) == 0:
        return True
    return stop - start >= 13 and memcmp(start, b"\xe5\x8f\xa5\xe5\xad\x90\xe7\xbc\x96\xe5\x8f\xb7\t", 13) == 0


@cython.final
cdef class Reader(read_blocks.BlockReader):
    """The dialect ``camr-tuples``; see the top of this module."""

    cdef Column concepts, events, places, gone, scratch
    cdef int32_t dash, root_word, top_role, coref_role      # ids of strings
    cdef uint64_t stamp
    cdef int64_t first_variable
    cdef int32_t placed, top
    cdef int64_t lost_line
    cdef int32_t lost_name

    def __cinit__(self, Interner interner not None):
        self.dash = interner.intern(b"-")
        self.root_word = interner.intern(b"root")
        self.top_role = interner.intern(b":top")
        self.coref_role = interner.intern(b":coref")

    def __dealloc__(self):
        release_all(&self.concepts, &self.scratch)

    @property
    def lost(self):
        """What was left out of graphs that were read: (number of co-references, line of the first, name), or None."""
        if self.n_lost == 0:
            return None
        return self.n_lost, self.lost_line, self.interner.text(self.lost_name)

    cdef int take_line(self, Place p, Place stop) except -1 nogil:
        cdef Place left = strip_left(p, stop), right = strip_right(left, stop)
        if left == right:
            return self.pieces.used == 0
        if not is_heading(left, right):
            if self.pieces.used == 0:
                self.begin_at(left)
            (<Span *>push(&self.pieces, sizeof(Span)))[0] = Span(left, right)
        return True

    cdef int scan_block(self) except -1 nogil:
        cdef const Span *lines = <const Span *>self.pieces.data
        cdef int64_t k
        cdef int status
        cdef Span first
        if self.pieces.used >= MOST_ROWS // TRIPLES_OF_A_ROW:
            return self.fail(F_SIZE, self.begin)
        self.begin_rows()
        for k in range(self.pieces.used):
            if (status := self.scan_row(lines[k].start, lines[k].stop, &first, k == 0)) != FINISHED:
                return status
        self.end_rows()
        return FINISHED

    cdef int scan_row(self, Place start, Place stop, Span *sentence, bint is_first) except -1 nogil:
        """Add one row; the first one of a graph sets its ``sentence``. Returns a Status."""
        cdef Span cells[CELLS]
        cdef int32_t ids[CELLS]
        cdef Span cell
        cdef Place p = start, tab
        cdef int k, n = 0
        while True:
            tab = <Place> memchr(p, c"\t", stop - p)
            if n == CELLS:
                return self.fail(F_CELLS, start - self.text)
            cells[n].start = p
            cells[n].stop = stop if tab == NULL else tab
            n += 1
            if tab == NULL:
                break
            p = tab + 1
        if n == FEWER_CELLS:
            cells[8], cells[7] = cells[7], cells[6]
            cells[6], cells[5], cells[4] = cells[5], cells[4], cells[3]
            cells[3].start = cells[3].stop = cells[9].start = cells[9].stop = NULL
        elif n != CELLS:
            return self.fail(F_CELLS, start - self.text)
        cell.start = cells[0].start
        cell.stop = strip_right(cell.start, cells[0].stop)
        if is_first:
            if cell.start == cell.stop:
                return self.fail(F_NO_SENTENCE, start - self.text)
            p = cell.start
            while p + 1 < cell.stop:
                if p[0] == c":" and p[1] == c":":
                    return self.fail(F_NO_SENTENCE, start - self.text)
                p += 1
            sentence[0] = cell
            self.add_id_comment(cell.start, cell.stop)
        elif cell.stop - cell.start != sentence.stop - sentence.start or memcmp(
            cell.start, sentence.start, cell.stop - cell.start
        ) != 0:
            return self.fail(F_OTHER_SENTENCE, start - self.text)
        for k in range(1, CELLS):
            ids[k] = self.dash if cells[k].start == NULL else self.interner.add(
                cells[k].start, cells[k].stop - cells[k].start
            )
        if ids[2] != self.root_word or ids[4] != self.top_role:
            if cells[1].start == cells[1].stop or id_end(cells[1].start, cells[1].stop) != cells[1].stop:
                return self.fail(F_ID, cells[1].start - self.text)
        if cells[7].start == cells[7].stop or id_end(cells[7].start, cells[7].stop) != cells[7].stop:
            return self.fail(F_ID, cells[7].start - self.text)
        cdef Row row = Row(ids[1], ids[2], ids[3], ids[4], ids[5], ids[6], ids[7], ids[8], ids[9], start - self.text)
        self.add_row(&row)
        return FINISHED

    # From rows to a graph --------------------------------------------------------------------------------------------

    cdef int begin_rows(self) except -1 nogil:
        self.concepts.used = self.events.used = self.places.used = 0
        self.first_variable = self.variables.used
        self.placed = 0
        self.top = -1
        self.interner.reserve_marks()
        self.stamp = self.interner.new_stamp()

    cdef int add_row(self, const Row *row) except -1 nogil:
        cdef Place role
        cdef int64_t size = self.interner.length(row.role)
        cdef int32_t node, other, text, place, target
        cdef bint is_relation, turned
        if row.concept == self.root_word and row.role == self.top_role:
            other = self.node(row.other, row.other_concept)
            if self.top < 0:
                self.top = other
            return self.refer(other, row.other_coref, row.at)
        role = self.interner.blob + self.interner.offsets[row.role]
        is_relation = size > 1 and role[0] == c":"
        turned = size >= 3 + is_relation and memcmp(role + size - 3, b"-of", 3) == 0 and not (
            size == 10 + is_relation and memcmp(role + is_relation, b"consist-of", 10) == 0
        )
        node = self.node(row.node, row.concept)
        self.refer(node, row.coref, row.at)
        place = self.placed       # before the other node, as where it is written
        self.placed += is_relation
        other = self.node(row.other, row.other_concept)
        target = other
        if turned:
            target, node = node, other
        if is_relation:
            self.letters.used = 0
            self.add_escaped(row.role, size - 3 * turned)
            text = self.intern_letters()
            add_relation(&self.relations, node, text, target, place, turned)
            if text == self.coref_role:
                self.add_event(node, (<int32_t *>self.variables.data)[self.first_variable + target], 0)
        if row.place != self.dash and row.word != self.dash:
            text = self.word_role(row.place, row.word)
            add_relation(&self.relations, node, text, target, self.placed, turned)
            self.placed += 1
        return self.refer(other, row.other_coref, row.at)

    cdef int end_rows(self) except -1 nogil:
        """Lead co-references to their nodes; leave out those that are there already, or lead nowhere."""
        cdef Pair *events = <Pair *>self.events.data
        cdef int64_t k, kept, n = self.events.used
        cdef int32_t name
        sort_pairs(events, n, <Pair *>fresh(&self.scratch, n, sizeof(Pair)))
        cdef RelationRow *rows = <RelationRow *>self.relations.data
        for k in range(n):
            if events[k].minor & 1 == 0:
                continue        # a row
            name = <int32_t>events[k].major
            if k and events[k - 1].major == events[k].major:
                rows[events[k].minor >> 1].target = LEFT_OUT
                continue
            kept = -2 - rows[events[k].minor >> 1].target
            rows[events[k].minor >> 1].target = marked(self.interner, name, self.stamp)
            if rows[events[k].minor >> 1].target < 0:
                if self.n_lost == 0:
                    self.lost_name = name
                    self.lost_line = self.line_of((<int64_t *>self.places.data)[kept])
                self.n_lost += 1
        self.close_gaps(self.placed)
        return self.close_graph(self.top if self.top >= 0 else 0)

    cdef int close_gaps(self, int32_t positions) except -1 nogil:
        """Drop the relations that are left out, and give their positions to those behind them."""
        cdef RelationRow *rows = <RelationRow *>self.relations.data
        cdef int64_t first = last_graph(self).relations, k, kept = first
        cdef int32_t *gone = <int32_t *>fresh(&self.gone, positions, sizeof(int32_t))
        memset(gone, 0, positions * sizeof(int32_t))
        for k in range(first, self.relations.used):
            if rows[k].target == LEFT_OUT:
                gone[rows[k].position] = 1
            else:
                rows[kept] = rows[k]
                kept += 1
        self.relations.used = kept
        close_up(self, gone, positions)

    cdef int add_id_comment(self, Place start, Place stop) except -1 nogil:
        """Keep the id of the sentence as every corpus has it: ``# ::id 1849``."""
        self.letters.used = 0
        push_bytes(&self.letters, b"# ::id ", 7)
        push_bytes(&self.letters, start, stop - start)
        return self.add_comment(<uint8_t *>self.letters.data, self.letters.used)

    cdef int32_t node(self, int32_t name, int32_t concept) except -1 nogil:
        """The variable of a node, which is made if it is new."""
        cdef int32_t found, variable = <int32_t>(self.variables.used - self.first_variable), other, copies
        cdef int64_t length
        self.interner.reserve_marks()
        if (found := marked(self.interner, name, self.stamp)) >= 0:
            if (<int32_t *>self.concepts.data)[found] == concept:
                return found
            self.letters.used = 0
            push_bytes(&self.letters, b"xxxxxxxxxx", MOST_COPIES)      # as many as there may be
            length = self.interner.length(name)
            push_bytes(&self.letters, self.interner.blob + self.interner.offsets[name], length)
            for copies in range(1, MOST_COPIES + 1):
                other = self.interner.add(<uint8_t *>self.letters.data + MOST_COPIES - copies, copies + length)
                self.interner.reserve_marks()
                if marked(self.interner, other, self.stamp) < 0:
                    break
            else:
                return found
            name = other
        self.interner.marks[name] = (self.stamp << 32) | <uint64_t>variable
        push_int32(&self.variables, name)
        push_int32(&self.concepts, concept)
        add_instance(&self.instances, variable, concept, self.placed)
        self.placed += 1
        return variable

    cdef int refer(self, int32_t node, int32_t name, int64_t at) except -1 nogil:
        """Add a co-reference that ``end_rows`` leads to its node; its target is the number of its place till then."""
        if name == self.dash:
            return 0
        add_relation(&self.relations, node, self.coref_role, <int32_t>(-2 - self.places.used), self.placed, 0)
        self.placed += 1
        push_int64(&self.places, at)
        self.add_event(node, name, 1)

    cdef int add_event(self, int32_t node, int32_t name, int open) except -1 nogil:
        """Note the last relation as a co-reference; ``open``: its node is to be found by ``name``."""
        (<Pair *>push(&self.events, sizeof(Pair)))[0] = Pair(
            <int64_t>node << 32 | name, 2 * (self.relations.used - 1) + open
        )

    cdef int32_t word_role(self, int32_t place, int32_t word) except -1 nogil:
        """The id of the role that stands for words on a relation."""
        self.letters.used = 0
        push_bytes(&self.letters, b":", 1)
        self.add_escaped(place, self.interner.length(place))
        push_bytes(&self.letters, b"=", 1)
        self.add_escaped(word, self.interner.length(word))
        return self.intern_letters()

    cdef int add_escaped(self, int32_t text, int64_t length) except -1 nogil:
        cdef Place p = self.interner.blob + self.interner.offsets[text]
        cdef int64_t i
        reserve(&self.letters, 2 * length + 1, 1)
        cdef uint8_t *out = <uint8_t *>self.letters.data + self.letters.used
        for i in range(length):
            if p[i] == c"=" or p[i] == c"%":
                # digits, since letters would change how str.lower takes a sigma beside them
                out[0] = c"%"
                out[1] = c"1" if p[i] == c"=" else c"0"
                out += 2
            else:
                out[0] = p[i]
                out += 1
        self.letters.used = out - <uint8_t *>self.letters.data

    cdef str describe(self, int code, int64_t at):
        cdef Place stop = line_end(self.text + at, self.text + self.size)
        row = (<const char *>self.text)[at:stop - self.text].decode("utf-8", "replace")
        cell = row.partition("\t")[0].strip()
        spelled = repr(cell if len(cell) <= SHOWN else f"{cell[:SHOWN]}…")
        if code == F_CELLS:
            n = row.strip().count("\t") + 1
            return f"expected a row of 10 cells (8 without co-reference) with tabs between them, found {n}"
        if code == F_NO_SENTENCE:
            return f"expected the id of a sentence, without '::', found {spelled}"
        if code == F_OTHER_SENTENCE:
            return f"a row of sentence {spelled} in the graph of another one; expected an empty line before it"
        if code == F_ID:
            return f"expected the id of a node, such as x3, x3_x5 or x15_1_2, found {spelled}"
        return read_blocks.BlockReader.describe(self, code, at)
