# cython: language_level=3
"""Texts of Chinese AMR (CAMR), as the corpus has them: Penman notation with ids of words on nodes and relations.

    # ::id export_amr.7 ::cid export_amr.7 ::2020-01-01 00:00:00
    # ::wid x1_妈妈 x2_把 x3_蛋糕 x4_切 x5_了 x6_她 x7_哭
    (x4 / 切-01
          :arg0() (x1 / 妈妈)
          :arg1(x2/把) (x3 / 蛋糕)
          :cause() (x7 / 哭-01
                :arg0() (x6 / x1)
                :arg1() x3))

An empty line ends a graph. Lines are joined with nothing between them. A line with ``#`` in front is a comment; one
says which sentence it is (``::id``), and one has its words (``::wid``). Byte-order marks and U+200B count for nothing.

Blanks and tabs in concepts are dropped, and so are double quotes; between quotes ``( ) : /`` are letters like others.
Brackets right behind a role hold the function words that stand on it; ``()`` is none.

A concept that is an id (``x6 / x1``) is a co-reference: the concept is the word, or characters of words, on which the
node itself stands. If it stands on none, its concept is that of the node which it refers to.

A role with an id, ``/`` and text behind it (``:op1 x1/北京``) is a piece of a name. The pieces of a node, joined, are
its concept, if a ``)`` follows the last one; they are no relations.

A node that is introduced twice has the concept that comes last, and its relations count twice.

The rows are those that the converter of the CAMRP shared tasks writes: one for the root, and then for each node, in the
order in which nodes are introduced, its relations; :mod:`fastmatch._ext.reading.camr_rows` makes a graph of them. The
converter differs in a few points: it puts words on the last relation to the same node, takes the words of a sentence
without a graph for those of the next one, and stops at what is read here: a role without brackets within a line, pieces
at the beginning of a line, several blanks between words, co-reference beyond the sentence. A concept with any text
behind an ``x`` is an id to it.
"""

cimport cython
from libc.stdint cimport int32_t, int64_t, uint8_t, uint64_t
from libc.string cimport memchr, memcmp

from fastmatch._ext.reading cimport camr_rows
from fastmatch._ext.reading.camr_rows cimport F_ID, F_OWN_ROWS, Row, id_end
from fastmatch._ext.base.lines cimport Place, strip_left, strip_right
from fastmatch._ext.base.search cimport lower_bound_every
from fastmatch._ext.base.sorting cimport Pair, sort_pairs
from fastmatch._ext.reading.reader cimport FINISHED, F_CLOSE, F_SIZE, marked
from fastmatch._ext.base.columns cimport Column, push, push_bytes, push_int32, release_all, reserve
from fastmatch._ext.reading.rows cimport MOST_ROWS

cdef enum TextFault:
    F_NO_SENTENCE = F_OWN_ROWS, F_NO_WORDS, F_WORD_LIST, F_OPEN, F_SLASH, F_NO_CONCEPT, F_IN_CONCEPT, F_QUOTE, F_ROLE
    F_TARGET, F_WORDS, F_BEHIND, F_UNDEFINED, F_NO_WORD

cdef enum:
    DIGITS = 9      # of the number of a word
    MOST_REPEATED = 100000      # relations of a graph that count again because their node is introduced again

cdef struct Piece:
    int64_t glued           # offset in the glued line
    int64_t source          # offset in the text
    int64_t begins          # whether a line begins here, and not only what stands behind a mark

cdef struct Node:
    int32_t name, concept, coref
    int32_t first           # of its relations, and the last; -1: none
    int32_t last
    int32_t first_text      # of its pieces of a name, and the last
    int32_t last_text
    bint ends_in_text       # a piece is the last thing in it so far
    int64_t at

cdef struct Relation:
    int32_t role, place, word
    int32_t target          # the id of a node
    int32_t next
    int64_t at

cdef struct Text:
    int32_t text, next


cdef inline int mark_at(Place p, Place stop) noexcept nogil:
    """Bytes of a byte-order mark or a zero-width space at ``p``, or 0."""
    if stop - p < 3 or (p[0] != 0xef and p[0] != 0xe2):
        return 0
    return 3 if memcmp(p, b"\xef\xbb\xbf", 3) == 0 or memcmp(p, b"\xe2\x80\x8b", 3) == 0 else 0


cdef inline Place find_key(Place p, Place stop, const uint8_t *key, int64_t size) noexcept nogil:
    """Behind ``key`` in a line, or NULL."""
    cdef const void *found
    while p + size <= stop:
        found = memchr(p, key[0], stop - p - size + 1)
        if found == NULL:
            return NULL
        p = <Place> found
        if memcmp(p, key, size) == 0:
            return p + size
        p += 1
    return NULL


#: Error → what is wrong.
cdef dict SAID = {
    F_NO_SENTENCE: "expected a line with the id of the sentence before the graph, such as '# ::id export_amr.7'",
    F_NO_WORDS: "expected a line with the words of the sentence before the graph, such as '# ::wid x1_我 x2_想'",
    F_WORD_LIST: "expected numbered words with blanks between them, such as x1_我 x2_想",
    F_OPEN: "expected a graph, which begins with '('",
    F_SLASH: "expected '/' and a concept behind the id of a node",
    F_NO_CONCEPT: "expected a concept",
    F_QUOTE: "a string that does not end; expected another '\"'",
    F_ROLE: "expected a role or ')'",
    F_TARGET: "a role that leads nowhere; expected '(' or the id of a node behind it",
    F_WORDS: "expected the words on the relation, such as (x2/把), or ()",
    F_BEHIND: "text behind the graph; expected an empty line",
    F_UNDEFINED: "the id of a node that does not exist; expected one that is in brackets somewhere in the graph",
    F_NO_WORD: "a co-reference from a node that stands on no word, to one without a concept of its own",
}


@cython.final
cdef class Reader(camr_rows.RowReader):
    """The dialect ``camr``; see the top of this module."""

    cdef Column glued, nodes, introduced, rels, texts, open_nodes, words, word_scratch
    cdef Place word_line       # the words of the sentence: behind '::wid', to the end of the line
    cdef Place word_line_end
    cdef bint named                     # whether a comment has '::id'

    def __dealloc__(self):
        release_all(&self.glued, &self.word_scratch)

    # Lines -----------------------------------------------------------------------------------------------------------

    cdef int gather_block(self) except -1 nogil:
        self.forget_header()
        return camr_rows.RowReader.gather_block(self)

    cdef int take_line(self, Place p, Place stop) except -1 nogil:
        """Join the line to those before. ``pieces`` say where parts of the joined line come from: each line begins one.
        """
        cdef Place left = strip_left(p, stop), found
        while mark_at(left, stop):
            left = strip_left(left + 3, stop)
        if left == stop:
            if self.pieces.used:
                return False
            self.forget_header()    # of a sentence without a graph
        elif left[0] == c"#":
            self.add_comment(left, stop - left)
            found = find_key(left, stop, b"::wid", 5)
            if found != NULL:
                self.word_line, self.word_line_end = found, stop
            if find_key(left, stop, b"::id", 4) != NULL:
                self.named = True
        else:
            if self.pieces.used == 0:
                self.glued.used = 0
                self.begin_at(left)
            self.glue(left, strip_right(left, stop))
        return True

    cdef void forget_header(self) noexcept nogil:
        self.comments.used = self.comments_kept()
        self.word_line = NULL
        self.named = False

    cdef int glue(self, Place left, Place right) except -1 nogil:
        """Append a line without its marks."""
        cdef Place p, start = left
        while left < right:
            p = left
            while p < right and mark_at(p, right) == 0:
                p += 1
            (<Piece *>push(&self.pieces, sizeof(Piece)))[0] = Piece(self.glued.used, left - self.text, left == start)
            push_bytes(&self.glued, left, p - left)
            left = p + 3

    cdef int64_t place_of(self, int64_t at) noexcept nogil:
        """The offset in the text of an offset in the joined line."""
        cdef const Piece *pieces = <const Piece *>self.pieces.data
        cdef Py_ssize_t step = sizeof(Piece) // sizeof(int64_t)
        cdef Py_ssize_t last = lower_bound_every(&pieces.glued, step, 1, self.pieces.used, at + 1) - 1
        return pieces[last].source + at - pieces[last].glued

    cdef int64_t next_joint(self, int64_t at) noexcept nogil:
        """Where the next line begins behind an offset in the joined line."""
        cdef const Piece *pieces = <const Piece *>self.pieces.data
        cdef Py_ssize_t step = sizeof(Piece) // sizeof(int64_t)
        cdef Py_ssize_t k = lower_bound_every(&pieces.glued, step, 0, self.pieces.used, at + 1)
        while k < self.pieces.used and not pieces[k].begins:
            k += 1
        return pieces[k].glued if k < self.pieces.used else self.glued.used

    cdef int fail_at(self, int code, int64_t at) noexcept nogil:
        """Do as ``fail``, for an offset in the joined line, whose end is the end of its last line."""
        return self.fail(code, self.place_of(at) if at < self.glued.used else self.place_of(at - 1) + 1)

    # The text --------------------------------------------------------------------------------------------------------

    cdef int scan_block(self) except -1 nogil:
        if not self.named:
            return self.fail(F_NO_SENTENCE, self.begin)
        if self.word_line == NULL:
            return self.fail(F_NO_WORDS, self.begin)
        if self.glued.used >= MOST_ROWS // 6:
            return self.fail(F_SIZE, self.begin)
        self.nodes.used = self.introduced.used = self.rels.used = self.texts.used = self.open_nodes.used = 0
        self.stamp = self.interner.new_stamp()
        cdef int status = self.read_words()
        if status == FINISHED:
            status = self.read_text()
        if status == FINISHED:
            status = self.name_references()
        return self.write_rows() if status == FINISHED else status

    cdef int read_words(self) except -1 nogil:
        """Fill ``words`` with the numbers of the words and their places, in the order of the numbers."""
        cdef Place p = self.word_line, stop = self.word_line_end, word
        cdef int64_t number
        self.words.used = 0
        while True:
            p = strip_left(p, stop)
            if p == stop:
                break
            word = p
            number = 0
            if p[0] != c"x":
                return self.fail(F_WORD_LIST, word - self.text)
            p += 1
            while p < stop and c"0" <= p[0] <= c"9" and p - word <= DIGITS:
                number = 10 * number + p[0] - c"0"
                p += 1
            if p == word + 1 or p == stop or p[0] != c"_":
                return self.fail(F_WORD_LIST, word - self.text)
            p += 1
            (<Pair *>push(&self.words, sizeof(Pair)))[0] = Pair(number, p - self.text)
            while p < stop and strip_left(p, stop) == p:
                p += 1
        reserve(&self.word_scratch, self.words.used, sizeof(Pair))
        sort_pairs(<Pair *>self.words.data, self.words.used, <Pair *>self.word_scratch.data)
        return FINISHED

    cdef int64_t skip(self, int64_t i) noexcept nogil:
        """The next character that is no blank."""
        cdef Place text = <Place> self.glued.data
        while i < self.glued.used and (text[i] == c" " or text[i] == c"\t"):
            i += 1
        return i

    cdef int read_text(self) except -1 nogil:
        """Collect nodes, their relations and pieces; returns a Status."""
        cdef Place text = <Place> self.glued.data
        cdef int64_t i = self.skip(0), n = self.glued.used
        cdef Node *node
        if text[i] != c"(":
            return self.fail_at(<int>F_CLOSE if text[i] == c")" else <int>F_OPEN, i)
        cdef int status = self.open_node(&i)
        while status == FINISHED:
            i = self.skip(i)
            if i == n:
                return FINISHED     # brackets may be missing at the end
            if self.open_nodes.used == 0:
                return self.fail_at(<int>F_CLOSE if text[i] == c")" else <int>F_BEHIND, i)
            if text[i] == c")":
                self.open_nodes.used -= 1
                node = self.node_at((<int32_t *>self.open_nodes.data)[self.open_nodes.used])
                if node.ends_in_text:
                    node.concept = self.joined(node.first_text)
                    node.coref = self.dash
                i += 1
            elif text[i] == c":":
                status = self.read_role(&i)
            else:
                return self.fail_at(F_ROLE, i)
        return status

    cdef inline Node *node_at(self, int32_t index) noexcept nogil:
        return <Node *>self.nodes.data + index

    cdef int32_t joined(self, int32_t piece) except -1 nogil:
        """The id of the texts of pieces, one behind the other."""
        cdef const Text *texts = <const Text *>self.texts.data
        self.letters.used = 0
        while piece >= 0:
            push_bytes(
                &self.letters, self.interner.blob + self.interner.offsets[texts[piece].text],
                self.interner.length(texts[piece].text),
            )
            piece = texts[piece].next
        return self.intern_letters()

    cdef int read_id(self, int64_t *index, int32_t *name) except -1 nogil:
        """Read the id of a node; returns a Status."""
        cdef Place text = <Place> self.glued.data
        cdef int64_t i = index[0], stop = id_end(text + i, text + self.glued.used) - text
        cdef uint8_t c = text[stop] if stop < self.glued.used else c")"
        if stop == i or c not in b" \t):/":
            return self.fail_at(F_ID, i)
        name[0] = self.interner.add(text + i, stop - i)
        index[0] = stop
        return FINISHED

    cdef int read_concept(self, int64_t *index, int32_t *name) except -1 nogil:
        """Read text up to the next bracket, colon or slash that is not quoted; returns a Status."""
        cdef Place text = <Place> self.glued.data
        cdef int64_t i = index[0], start, quote = -1
        cdef uint8_t c = 0
        self.letters.used = 0
        start = i = self.skip(i)
        while i < self.glued.used:
            c = text[i]
            if c == c'"':
                quote = i if quote < 0 else -1
            elif quote < 0 and (c == c"(" or c == c")" or c == c":" or c == c"/"):
                break
            elif c != c" " and c != c"\t":
                push_bytes(&self.letters, &c, 1)
            i += 1
        if quote >= 0:
            return self.fail_at(F_QUOTE, quote)
        if i < self.glued.used and (c == c"(" or c == c"/"):
            return self.fail_at(F_IN_CONCEPT, i)
        if self.letters.used == 0:
            return self.fail_at(F_NO_CONCEPT, start)
        name[0] = self.intern_letters()
        index[0] = i
        return FINISHED

    cdef int open_node(self, int64_t *index) except -1 nogil:
        """Read a bracket, an id and a concept; returns a Status."""
        cdef Place text = <Place> self.glued.data
        cdef int64_t i = self.skip(index[0] + 1), at = i
        cdef int32_t name = -1, concept = -1, found
        cdef Node *node
        cdef int status = self.read_id(&i, &name)
        if status != FINISHED:
            return status
        i = self.skip(i)
        if i == self.glued.used or text[i] != c"/":
            return self.fail_at(F_SLASH, i)
        i += 1
        status = self.read_concept(&i, &concept)
        if status != FINISHED:
            return status
        self.interner.reserve_marks()
        found = marked(self.interner, name, self.stamp)
        if found < 0:
            found = <int32_t>self.nodes.used
            node = <Node *>push(&self.nodes, sizeof(Node))
            self.interner.marks[name] = (self.stamp << 32) | <uint64_t>found
            node.name = name
            node.first = node.last = node.first_text = node.last_text = -1
        node = self.node_at(found)
        node.at = at
        node.concept = concept
        node.coref = self.dash
        node.ends_in_text = False
        cdef Place letters = <uint8_t *>self.letters.data
        if id_end(letters, letters + self.letters.used) == letters + self.letters.used:
            node.coref = concept
        index[0] = i
        push_int32(&self.introduced, found)
        push_int32(&self.open_nodes, found)
        return FINISHED

    cdef int read_role(self, int64_t *index) except -1 nogil:
        """Read a role and what it leads to; returns a Status."""
        cdef Place text = <Place> self.glued.data, slash, close
        cdef int64_t i = index[0] + 1, n = self.glued.used, joint = self.next_joint(index[0]), at = index[0]
        cdef int32_t role, target = -1, parent, text_id = -1, place = self.dash, word = self.dash
        cdef Node *node
        cdef int status
        while i < joint and text[i] not in b" \t():":
            i += 1
        role = self.interner.add(text + at, i - at)
        if i < joint and text[i] == c"(":
            i += 1
            close = <Place> memchr(text + i, c")", n - i)
            if close == NULL:
                return self.fail_at(F_WORDS, i - 1)
            if close > text + i:
                slash = <Place> memchr(text + i, c"/", close - text - i)
                if slash == NULL:
                    return self.fail_at(F_WORDS, i - 1)
                place = self.interner.add(text + i, slash - text - i)
                word = self.interner.add(slash + 1, close - slash - 1)
            i = close - text + 1
        i = self.skip(i)
        parent = (<int32_t *>self.open_nodes.data)[self.open_nodes.used - 1]
        if i < n and text[i] == c"(":
            at = i
            status = self.open_node(&i)
            if status != FINISHED:
                return status
            target = self.node_at((<int32_t *>self.open_nodes.data)[self.open_nodes.used - 1]).name
        elif i < n and text[i] == c"x":
            at = i
            status = self.read_id(&i, &target)
            if status != FINISHED:
                return status
            i = self.skip(i)
            if i < n and text[i] == c"/":
                i += 1
                status = self.read_concept(&i, &text_id)
                if status != FINISHED:
                    return status
                node = self.node_at(parent)
                if node.last_text < 0:
                    node.first_text = <int32_t>self.texts.used
                else:
                    (<Text *>self.texts.data)[node.last_text].next = <int32_t>self.texts.used
                node.last_text = <int32_t>self.texts.used
                node.ends_in_text = True
                (<Text *>push(&self.texts, sizeof(Text)))[0] = Text(text_id, -1)
                index[0] = i
                return FINISHED
        else:
            return self.fail_at(F_TARGET, index[0])
        node = self.node_at(parent)
        node.ends_in_text = False
        if node.last < 0:
            node.first = <int32_t>self.rels.used
        else:
            (<Relation *>self.rels.data)[node.last].next = <int32_t>self.rels.used
        node.last = <int32_t>self.rels.used
        (<Relation *>push(&self.rels, sizeof(Relation)))[0] = Relation(role, place, word, target, -1, at)
        index[0] = i
        return FINISHED

    # What it means ---------------------------------------------------------------------------------------------------

    cdef int add_words(self, int32_t name) except -1 nogil:
        """Put the words and characters that an id names into ``letters``. Returns False if the sentence lacks one."""
        cdef Place p = self.interner.blob + self.interner.offsets[name], word = NULL, end, word_end = NULL
        cdef Place stop = self.interner.blob + self.interner.offsets[name + 1]
        cdef const Pair *words = <const Pair *>self.words.data
        cdef Py_ssize_t step = sizeof(Pair) // sizeof(int64_t), k = 0
        cdef int64_t number
        cdef bint is_word
        self.letters.used = 0
        while p < stop:
            is_word = p[0] == c"x"
            p += is_word
            number = 0
            while p < stop and c"0" <= p[0] <= c"9":
                if number < 1000000000:
                    number = 10 * number + p[0] - c"0"
                p += 1
            p += 1          # behind the underscore
            if is_word:
                # of words with one number the last counts
                k = lower_bound_every(&words.major, step, 0, self.words.used, number + 1) - 1
                if k < 0 or words[k].major != number:
                    return False
                word = self.text + words[k].minor
                word_end = word
                while word_end < self.word_line_end and strip_left(word_end, self.word_line_end) == word_end:
                    word_end += 1
                if p < stop and p[0] != c"x":
                    continue        # characters of it follow
                end = word_end
            else:
                end = word
                while number > 0 and end < word_end:
                    word = end
                    end += 1
                    while end < word_end and end[0] & 0xc0 == 0x80:
                        end += 1
                    number -= 1
                if number > 0 or end == word:
                    return False
            push_bytes(&self.letters, word, end - word)
            if not is_word:         # the next character is counted from the beginning of the word
                word = self.text + words[k].minor
        return True

    cdef int name_references(self) except -1 nogil:
        """Give concepts to nodes that refer to others; returns a Status."""
        cdef int32_t i, other, concept
        cdef Node *node
        for i in range(<int32_t>self.nodes.used):
            node = self.node_at(i)
            if node.coref == self.dash:
                continue
            if self.add_words(node.name):
                concept = self.intern_letters()
                self.interner.reserve_marks()
            else:
                other = marked(self.interner, node.coref, self.stamp)
                if other < 0 or self.node_at(other).coref != self.dash:
                    return self.fail_at(F_NO_WORD, node.at)
                concept = self.node_at(other).concept
            node.concept = concept
        return FINISHED

    cdef int write_rows(self) except -1 nogil:
        """Make the graph of the nodes and relations; returns a Status."""
        cdef const Relation *relations = <const Relation *>self.rels.data
        cdef const Node *other
        cdef int32_t r, target
        cdef int64_t i, total = 0
        for r in range(<int32_t>self.rels.used):
            target = marked(self.interner, relations[r].target, self.stamp)
            if target < 0:
                return self.fail_at(F_UNDEFINED, relations[r].at)
            (<Relation *>self.rels.data)[r].target = target
        self.begin_rows()
        cdef const Node *node = self.node_at(0)
        cdef Row row = Row(
            self.dash, self.root_word, self.dash, self.top_role, self.dash, self.dash,
            node.name, node.concept, node.coref, self.place_of(node.at),
        )
        self.add_row(&row)
        for i in range(self.introduced.used):
            node = self.node_at((<int32_t *>self.introduced.data)[i])
            r = node.first
            while r >= 0:
                total += 1
                if total > self.rels.used + MOST_REPEATED:
                    return self.fail(F_SIZE, self.begin)
                other = self.node_at(relations[r].target)
                row = Row(
                    node.name, node.concept, node.coref, relations[r].role, relations[r].place, relations[r].word,
                    other.name, other.concept, other.coref, self.place_of(relations[r].at),
                )
                self.add_row(&row)
                r = relations[r].next
        self.end_rows()
        return FINISHED

    cdef str describe(self, int code, int64_t at):
        if code == F_IN_CONCEPT:
            return f"{chr(self.text[at])!r} in a concept; expected double quotes around it"
        return SAID.get(code) or camr_rows.RowReader.describe(self, code, at)
