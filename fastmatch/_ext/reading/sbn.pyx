# cython: language_level=3
"""Box notation (SBN) of the Parallel Meaning Bank, as graphs: the default reading, and those of three programs.

A document is a sequence of tokens. A *concept* (``dog.n.01``) opens a node. A *role* or an *operator* stands behind a
concept and has a target: an index (``-1``: the concept before), a constant (``now``), a name in double quotes, or an
index of a box (``>1``). A *box word* (``NEGATION <1``) opens a box. The first box is there without a word. Each concept
is a member of the box that was opened last. Boxes, concepts and constants become nodes; memberships, roles, operators
and box words become edges. Bos (2023), "The sequence notation: catching complex meanings in simple graphs".

Documents in a text
-------------------
Either each line is a document (*line by line*: what parsers write), or an empty line ends one (*in blocks*: the files
of the releases, where each concept and each box word begins a line). A text is read line by line if it has lines with
no empty line between them, and more of its lines say so: a line with two concepts can only be a document, and a line
with a comment, or with an index but at most one concept, only a part of one. A text that must hold one graph is one
document, whatever lines it has. A document of one line may have several concepts in it.

The default reading
-------------------
It makes the graph that the programs below make, where they read what is written. Where they misread, it reads what is
written, or refuses it: two edges between the same nodes are two; a token is an index only as a whole; names are not cut
at words that look like concepts; ``%`` begins a comment everywhere; boxes that nothing leads to stay in the graph; a
box word without an index is an error. What the programs refuse is an error here, too: a cycle, and an index that points
nowhere.

``lenient`` and ``ill_formed`` are the programs' lenient mode: concepts have no sense, constants are nodes, and an index
that points nowhere is a constant.

The programs
------------
``pmb5`` is that of PMB 5, ``evaluation`` is SBN-evaluation-tool, ``ud-boxer`` the oldest. Each makes Penman text, which
smatch or mtool then reads. So does this reader, and the reader of smatch, its base class, makes the rows. mtool differs
from smatch in three points (``kept`` of the base class, and ``settle_attributes``). pmb5 gives smatch a text with tabs,
which stay at the end of a concept if its node has edges; so a node's depth becomes a part of its concept.
"""

cimport cython
from libc.stdint cimport int32_t, int64_t, uint8_t, uint32_t
from libc.string cimport memchr, memcmp, memcpy

from fastmatch._ext.reading cimport smatch as read_smatch
from fastmatch._ext.reading.interner cimport Interner
from fastmatch._ext.base.columns cimport Column, release, room
from fastmatch._ext.base.lines cimport line_end, next_line, space_at, strip_left, strip_right, word_end
from fastmatch._ext.base.sorting cimport Pair, packed, sort_pairs
from fastmatch._ext.reading.blocks cimport F_OWN_GLUED, Piece
from fastmatch._ext.reading.reader cimport FAULTY, FINISHED, F_MEMORY, F_OWN, F_SIZE
from fastmatch._ext.reading.rows cimport (
    MOST_ROWS, AttributeRow, GraphRow, InstanceRow, RelationRow, add_attribute, add_instance, add_relation,
)

cdef enum Fault:
    F_EMPTY = F_OWN_GLUED + 100     # behind all that the base classes have
    F_TOKEN
    F_SECOND
    F_TARGET
    F_NO_INDEX
    F_BOX_INDEX
    F_OPERATOR
    F_NOWHERE
    F_ILL
    F_FIRST
    F_NAME
    F_CYCLE
    F_QUOTE

cdef enum Program:
    DEFAULT
    PMB5
    EVALUATION
    UD_BOXER

# What a word is, and which programs know it. The default reading knows what pmb5 knows.
cdef enum Flag:
    ROLE = 1
    OPERATOR = 2
    BOX = 4
    INVERSE = 8             # a role that is written from the other end
    KNOWN = 16              # shifted by the program: pmb5 knows all words

cdef enum Kind:
    A_BOX
    A_CONCEPT
    A_CONSTANT

cdef enum:
    N_SLOTS = 1024
    MOST_TABS = 64          # of a row: a text that is deeper would be quadratic in its length
    MANY_VOTES = 1000       # lines that say how documents are divided; more are not asked


_BOXES = """ALTERNATION ATTRIBUTION CONDITION CONSEQUENCE CONTINUATION CONTRAST EXPLANATION NECESSITY NEGATION
POSSIBILITY PRECONDITION RESULT SOURCE"""
_OPERATORS = "TSU MOR BOT TOP ESU EPR EQU NEQ APX LES LEQ TPR TAB TIN SZP SZN SXP SXN STI STO SY1 SY2 SXY"
_ROLES = """Affector Agent Asset Attribute Bearer Beneficiary Cause Causer ClockTime Co-Agent Co-Patient Co-Theme Colour
Consumer Content Context Creator DayOfMonth DayOfWeek Decade Degree Destination Duration Equal Experiencer Extent Finish
Frequency Goal Instance Instrument Location MadeOf Manner Material Measure MonthOfYear Name Of Operand Order Owner Part
Participant Path Patient Pivot Player Precondition Product Proposition Quantity Recipient Result Role Source Start
Stimulus Sub Theme Time Title Topic Unit User Value YearOfCentury"""
_INVERSE = "AttributeOf ColourOf ContentOf InstanceOf PartOf SubOf"

cdef struct Word:
    const uint8_t *text
    int32_t length
    int32_t flags

cdef Word WORDS[160]
cdef int N_WORDS = 0
cdef int32_t SLOTS[N_SLOTS]     # open addressing: number of a word + 1
cdef list _texts = []           # what WORDS points to


cdef inline uint32_t hash_of(const uint8_t *text, int64_t length) noexcept nogil:
    cdef uint32_t value = 2166136261
    cdef int64_t i
    for i in range(length):
        value = (value ^ text[i]) * 16777619
    return value


cdef void _learn(str words, int flags):
    global N_WORDS
    cdef uint32_t slot
    for word in words.split():
        text = word.encode()
        _texts.append(text)
        WORDS[N_WORDS] = Word(<const uint8_t *> <const char *> text, <int32_t> len(text), flags)
        slot = hash_of(WORDS[N_WORDS].text, WORDS[N_WORDS].length) % N_SLOTS
        while SLOTS[slot]:
            slot = (slot + 1) % N_SLOTS
        N_WORDS += 1
        SLOTS[slot] = N_WORDS


cdef enum:
    FOR_PMB5 = KNOWN << PMB5
    FOR_EVALUATION = KNOWN << EVALUATION
    FOR_UD = KNOWN << UD_BOXER
    FOR_ALL = FOR_PMB5 | FOR_EVALUATION | FOR_UD

_learn(_BOXES, BOX | FOR_ALL)
_learn("CONJUNCTION ELABORATION COMMENTARY", BOX | FOR_PMB5)
_learn(_OPERATORS, OPERATOR | FOR_ALL)
_learn("TCT", OPERATOR | FOR_PMB5 | FOR_EVALUATION)
_learn("ANA", OPERATOR | FOR_PMB5)
_learn(_ROLES, ROLE | FOR_ALL)
_learn(_INVERSE, ROLE | INVERSE | FOR_ALL)
_learn("FeatureOf", ROLE | FOR_PMB5 | FOR_EVALUATION)
_learn("QuantityOf Affectee", ROLE | FOR_PMB5)


cdef struct Span:
    const uint8_t *start
    const uint8_t *stop

cdef struct Concept:
    Span lemma
    Span sense
    const uint8_t *pos      # one letter
    const uint8_t *stop     # behind the digits

cdef struct Node:
    int32_t kind
    int32_t number          # among those of its kind
    int32_t first           # its edges, in their order
    int32_t cursor          # the next one to look at
    int32_t state           # of a walk: 0 not met, 1 open, 2 done
    int32_t variable        # of the graph, or −1
    int32_t position        # of its instance
    bint reached            # an edge leads to it
    Concept concept
    int64_t words           # a constant: where it is in ``words``, quoted
    int64_t length

cdef struct Edge:
    int32_t source_kind
    int32_t source          # number among those of its kind; then the node
    int32_t kind
    int32_t target          # the same
    int32_t word            # −1: member
    int32_t following       # edge of the same source
    int32_t position
    int64_t at              # place in the text


cdef inline bint is_digit(uint8_t c) noexcept nogil:
    return c"0" <= c <= c"9"


cdef inline bint as_concept(const uint8_t *start, const uint8_t *stop, bint with_x, Concept *out) noexcept nogil:
    """Whether a token begins with ``lemma.pos.digits``, the last such dot counting; its parts."""
    cdef const uint8_t *p = stop - 4
    cdef const uint8_t *q
    while p > start:
        if p[0] == c"." and p[2] == c"." and is_digit(p[3]) and (
            p[1] == c"n" or p[1] == c"v" or p[1] == c"a" or p[1] == c"r" or (with_x and p[1] == c"x")
        ):
            q = p + 3
            while q < stop and is_digit(q[0]):
                q += 1
            out.lemma = Span(start, p)
            out.pos = p + 1
            out.sense = Span(p + 3, q)
            out.stop = q
            return True
        p -= 1
    return False


cdef inline bint as_number(const uint8_t *p, const uint8_t *stop, int64_t *value) noexcept nogil:
    """Whether the rest of a token is digits; their value, or a large number."""
    cdef int64_t number = 0
    if p == stop:
        return False
    while p < stop:
        if not is_digit(p[0]):
            return False
        if number < 1000000000:
            number = 10 * number + (p[0] - c"0")
        p += 1
    value[0] = number
    return True


cdef inline bint is_sign(uint8_t c, bint boxes) noexcept nogil:
    return c == c"-" or c == c"+" or (boxes and (c == c"<" or c == c">"))


cdef inline bint is_negative(uint8_t c) noexcept nogil:
    return c == c"-" or c == c"<"


@cython.final
cdef class Reader(read_smatch.Reader):
    """The dialects of box notation; see the top of this module.

    Parameters
    ----------
    interner : Interner
        Gets every string.
    program : {"default", "pmb5", "evaluation", "ud-boxer"}
        How to read.
    lenient : bool
        Concepts have no sense and constants are nodes; all programs but ud-boxer, whose constants are nodes anyway,
        then leave a bracket open behind each.
    ill_formed : bool
        An index that points nowhere is a constant.
    tolerant : bool
        The programs skip a token that they do not know, as the fine-grained script of PMB 5 does.
    """

    cdef int program
    cdef bint lenient, ill_formed, tolerant
    cdef bint by_line               # documents are lines
    cdef bint one_line              # this one is
    cdef int64_t current            # number of the box opened last
    cdef int64_t n_boxes, n_concepts, n_constants
    cdef int32_t positions
    cdef int64_t ill                # place of an index that points nowhere, or −1
    cdef Column spans, tokens, things, edges, boxes, concepts, stack, words, sorted

    def __cinit__(
        self, Interner interner, str program="default", *, bint lenient=False, bint ill_formed=False,
        bint tolerant=False,
    ):
        self.program = ["default", "pmb5", "evaluation", "ud-boxer"].index(program)
        self.lenient = lenient
        self.ill_formed = ill_formed
        self.tolerant = tolerant
        self.mark = True
        self.tool = "smatch" if self.program == PMB5 else "mtool"
        self.kept = self.program >= EVALUATION

    def __dealloc__(self):
        release(&self.spans)
        release(&self.tokens)
        release(&self.things)
        release(&self.edges)
        release(&self.boxes)
        release(&self.concepts)
        release(&self.stack)
        release(&self.words)
        release(&self.sorted)

    # Documents ---------------------------------------------------------------------------------------------------

    cdef inline int32_t lookup(self, const uint8_t *start, const uint8_t *stop) noexcept nogil:
        """The number of a word that the program knows, or −1."""
        cdef uint32_t slot
        cdef const Word *word
        if stop - start > 16:
            return -1
        slot = hash_of(start, stop - start) % N_SLOTS
        while SLOTS[slot]:
            word = &WORDS[SLOTS[slot] - 1]
            if word.length == stop - start and memcmp(word.text, start, word.length) == 0:
                return SLOTS[slot] - 1 if word.flags & (
                    FOR_PMB5 if self.program == DEFAULT else KNOWN << self.program
                ) else -1
            slot = (slot + 1) % N_SLOTS
        return -1

    cdef inline bint is_box(self, const uint8_t *start, const uint8_t *stop) noexcept nogil:
        cdef int32_t word = self.lookup(start, stop)
        return word >= 0 and WORDS[word].flags & BOX != 0

    cdef bint concept(self, const uint8_t *start, const uint8_t *stop, Concept *out) noexcept nogil:
        return as_concept(start, stop, self.program <= PMB5, out) and (self.program != DEFAULT or out.stop == stop)

    cdef bint begins_document(self, const uint8_t *start, const uint8_t *stop) noexcept nogil:
        cdef Concept ignored
        return self.concept(start, stop, &ignored) or self.is_box(start, stop)

    cdef bint is_comment(self, const uint8_t *p, const uint8_t *stop) noexcept nogil:
        """Whether a whole line, stripped, is a comment; ``#`` for metadata is no part of the notation."""
        return (stop - p >= 3 and memcmp(p, b"%%%", 3) == 0) or (
            self.program == DEFAULT and p < stop and p[0] == c"#" and (stop - p == 1 or p[1] == c" ")
        )

    cdef bint keep_comment(self, const uint8_t *p, const uint8_t *stop) noexcept nogil:
        """Keep a comment line, ``%%%`` as ``#``, or what a line has before its document. False: no memory."""
        cdef uint8_t *out
        cdef int64_t n
        if p[0] == c"#":
            return self.add_comment(p, stop - p)
        if stop - p >= 3 and memcmp(p, b"%%%", 3) == 0:
            p += 3
        n = stop - p
        self.words.used = 0
        if not room(&self.words, n + 2, 1):
            return False
        out = <uint8_t *> self.words.data
        out[0] = c"#"
        out[1] = c" "
        if n and space_at(p, stop):
            memcpy(out + 1, p, n)
            n -= 1
        else:
            memcpy(out + 2, p, n)
        return self.add_comment(out, n + 2)

    cdef void restart(self) noexcept nogil:
        """Find out whether documents are divided line by line."""
        cdef const uint8_t *p = self.text
        cdef const uint8_t *end = self.text + self.size
        cdef const uint8_t *stop
        cdef const uint8_t *q
        cdef const uint8_t *token
        cdef int64_t heads, whole = 0, part = 0, number
        cdef bint above = False, adjacent = False, apart = False, seen = False, indices, first, other
        self.by_line = False
        if self.single:
            return
        while p < end and whole + part < MANY_VOTES:
            stop = line_end(p, end)
            q = strip_left(p, stop)
            if q == stop:
                above = False
            elif not self.is_comment(q, stop):
                adjacent = adjacent or above
                apart = apart or (seen and not above)
                above = seen = True
                heads = 0
                indices = other = False
                first = True
                while q < stop:
                    token = q
                    q = word_end(q, stop)
                    if token[0] == c'"':
                        while q < stop and q[-1] != c'"':   # a name
                            q = word_end(strip_left(q, stop), stop)
                    elif self.begins_document(token, q):
                        heads += 1
                        other = other or (first and self.is_box(token, q))
                    elif q == token + 1 and token[0] == c"%":
                        indices = True
                        break
                    elif is_sign(token[0], True) and as_number(token + 1, q, &number) and number:
                        indices = True
                    elif first and self.lookup(token, q) >= 0:
                        other = True
                    first = False
                    q = strip_left(q, stop)
                if heads > 1:
                    whole += 1
                elif indices or other:
                    part += 1
            p = next_line(stop, end)
        self.by_line = adjacent and (whole > part or (whole == part and not apart))

    cdef bint gather_block(self) noexcept nogil:
        """Put the lines of the next document into ``spans``, and one entry into ``pieces`` if there is one."""
        cdef const uint8_t *end = self.text + self.size
        cdef const uint8_t *p = self.text + self.position
        cdef const uint8_t *stop
        cdef const uint8_t *left
        cdef const uint8_t *right
        cdef bint found = False
        self.spans.used = 0
        self.pieces.used = 0
        if not room(&self.pieces, 1, sizeof(Piece)):
            return False
        while p < end:
            stop = line_end(p, end)
            left = strip_left(p, stop)
            right = strip_right(left, stop)
            if self.is_comment(left, right):
                if not self.keep_comment(left, right):
                    return False
            elif left < right or self.by_line:
                if not found:
                    self.begin = left - self.text
                    self.begin_line = self.line
                    found = True
                if not room(&self.spans, 1, sizeof(Span)):
                    return False
                if self.program != DEFAULT:     # the programs look for comments before they strip a line
                    right = stop
                    if not self.by_line:
                        left = p
                (<Span *> self.spans.data)[self.spans.used] = Span(left, right)
                self.spans.used += 1
            elif found and not self.single:
                break
            if stop < end:
                self.line += 1
            p = next_line(stop, end)
            if found and self.by_line:
                break
        self.position = p - self.text
        self.one_line = self.spans.used == 1
        if self.one_line and not self.single and not self.cut_at_tab():
            return False
        if found:
            self.pieces.used = 1
            (<Piece *> self.pieces.data)[0] = Piece(0, self.begin)
        return True

    cdef bint cut_at_tab(self) noexcept nogil:
        """Of a document that is one line, leave what follows the last tab. False: no memory.

        So do the scripts of PMB 5. The default reading cuts nothing off that belongs to a document.
        """
        cdef Span *line = <Span *> self.spans.data
        cdef const uint8_t *left = strip_left(line.start, line.stop)
        cdef const uint8_t *right = strip_right(left, line.stop)
        cdef const uint8_t *p = right
        while p > left and p[-1] != c"\t":
            p -= 1
        if p == left or self.program > PMB5:
            return True
        if self.program == DEFAULT and self.begins_document(left, word_end(left, right)):
            return True
        line.start = strip_left(p, right)
        return self.keep_comment(left, strip_right(left, p))

    cdef int scan_block(self) noexcept nogil:
        cdef int status
        cdef int64_t size = self.position - self.begin
        if size > MOST_ROWS // 4:
            return self.fail(F_SIZE, self.begin)
        self.things.used = self.edges.used = self.boxes.used = self.concepts.used = self.words.used = 0
        self.current = self.n_boxes = self.n_concepts = self.n_constants = 0
        self.positions = 0
        self.ill = -1
        if self.add_thing(A_BOX) == NULL:
            return self.fail(F_MEMORY, self.begin)
        status = self.read_default() if self.program == DEFAULT else self.read_as_program()
        if status == FINISHED:
            status = self.link()
        if status == FAULTY:
            return FAULTY
        if self.program == DEFAULT:
            return self.add_rows()
        status = self.write_text()
        if status == FAULTY:
            return FAULTY
        status = read_smatch.Reader.scan_block(self)
        if status == FAULTY:
            if self.fault_code != F_MEMORY and self.fault_code != F_SIZE:
                self.fault_at = self.begin      # the place is one in the Penman text
            return FAULTY
        self.settle_attributes()
        return FINISHED

    # Tokens ------------------------------------------------------------------------------------------------------

    cdef bint add_token(self, const uint8_t *start, const uint8_t *stop) noexcept nogil:
        if not room(&self.tokens, 1, sizeof(Span)):
            return False
        (<Span *> self.tokens.data)[self.tokens.used] = Span(start, stop)
        self.tokens.used += 1
        return True

    cdef Node *add_thing(self, int kind) noexcept nogil:
        """A new node, and for a box its entry among the boxes, which makes it the current one; NULL: no memory."""
        cdef Node *node
        cdef Column *numbers = &self.boxes if kind == A_BOX else &self.concepts
        if not room(&self.things, 1, sizeof(Node)):
            return NULL
        node = <Node *> self.things.data + self.things.used
        node.kind = kind
        node.first = node.cursor = node.variable = -1
        node.state = 0
        node.reached = False
        node.position = 0
        node.words = node.length = 0
        if kind == A_CONSTANT:
            node.number = <int32_t> self.n_constants
            self.n_constants += 1
        else:
            if not room(numbers, 1, sizeof(int32_t)):
                return NULL
            (<int32_t *> numbers.data)[numbers.used] = <int32_t> self.things.used
            numbers.used += 1
            if kind == A_BOX:
                self.current = self.n_boxes
                node.number = <int32_t> self.n_boxes
                self.n_boxes += 1
            else:
                node.number = <int32_t> self.n_concepts
                self.n_concepts += 1
        if kind != A_CONSTANT or self.lenient:
            node.position = self.positions
            self.positions += 1 + 2 * (self.lenient and kind == A_CONCEPT)      # with lemma and part of speech
        self.things.used += 1
        return node

    cdef bint add_edge(
        self, int source_kind, int64_t source, int kind, int64_t target, int32_t word, const uint8_t *at
    ) noexcept nogil:
        cdef Edge *edge
        if not room(&self.edges, 1, sizeof(Edge)):
            return False
        edge = <Edge *> self.edges.data + self.edges.used
        self.edges.used += 1
        edge.source_kind = source_kind
        edge.source = <int32_t> max(-1, min(source, MOST_ROWS))
        edge.kind = kind
        edge.target = <int32_t> max(-1, min(target, MOST_ROWS))
        edge.word = word
        edge.following = -1
        edge.position = self.positions
        self.positions += 1
        edge.at = at - self.text
        return True

    cdef int add_concept(self, const Concept *concept, const uint8_t *at) noexcept nogil:
        cdef Node *node
        if not self.add_edge(A_BOX, self.current, A_CONCEPT, self.n_concepts, -1, at):
            return self.fail(F_MEMORY, self.begin)
        node = self.add_thing(A_CONCEPT)
        if node == NULL:
            return self.fail(F_MEMORY, self.begin)
        node.concept = concept[0]
        while node.concept.lemma.start < node.concept.lemma.stop and node.concept.lemma.start[0] == c'"':
            node.concept.lemma.start += 1
        while node.concept.lemma.start < node.concept.lemma.stop and node.concept.lemma.stop[-1] == c'"':
            node.concept.lemma.stop -= 1
        return FINISHED

    cdef int add_constant(self, int32_t word, const Span *first, const Span *last) noexcept nogil:
        """A constant, in double quotes: the tokens from ``first`` to ``last``, with one space between them."""
        cdef Node *node
        cdef uint8_t *out
        cdef const Span *token = first
        cdef int64_t size = 2, start = self.words.used
        cdef uint8_t left = first.start[0], right = last.stop[-1]
        cdef bint quoted = left == right and (left == c'"' or left == c"'")
        if not self.add_edge(A_CONCEPT, self.n_concepts - 1, A_CONSTANT, self.n_constants, word, first.start):
            return self.fail(F_MEMORY, self.begin)
        node = self.add_thing(A_CONSTANT)
        if node == NULL:
            return self.fail(F_MEMORY, self.begin)
        while token <= last:
            size += token.stop - token.start + 1
            token += 1
        if not room(&self.words, size, 1):
            return self.fail(F_MEMORY, self.begin)
        out = <uint8_t *> self.words.data + start
        if not quoted:
            out[0] = c'"'
            out += 1
        token = first
        while token <= last:
            if token > first:
                out[0] = c" "
                out += 1
            memcpy(out, token.start, token.stop - token.start)
            out += token.stop - token.start
            token += 1
        if not quoted:
            out[0] = c'"'
            out += 1
        else:
            (<uint8_t *> self.words.data)[start] = c'"'
            out[-1] = c'"'
        node.words = start
        node.length = out - <uint8_t *> self.words.data - start
        self.words.used = start + node.length
        return FINISHED

    cdef int add_box(self, int32_t word, int64_t step, const uint8_t *at) noexcept nogil:
        """A box that hangs on another one, ``step`` (below 0: backwards) from the next; 0: on none."""
        cdef int64_t box = self.current + step + 1
        if step and not self.add_edge(A_BOX, max(0, box), A_BOX, self.n_boxes, word, at):
            return self.fail(F_MEMORY, self.begin)
        if self.add_thing(A_BOX) == NULL:
            return self.fail(F_MEMORY, self.begin)
        return FINISHED

    cdef int64_t name_end(self, int64_t i) noexcept nogil:
        """Number of the token with which the name that begins at token ``i`` ends; −1: none ends with a quote."""
        cdef const Span *tokens = <const Span *> self.tokens.data
        if tokens[i].stop - tokens[i].start == 1 or tokens[i].stop[-1] != c'"':
            i += 1
            while i < self.tokens.used and tokens[i].stop[-1] != c'"':
                i += 1
        return i if i < self.tokens.used else -1

    # The default reading -----------------------------------------------------------------------------------------

    cdef int read_default(self) noexcept nogil:
        """Make nodes and edges; a Status."""
        cdef const Span *lines = <const Span *> self.spans.data
        cdef const Span *tokens
        cdef const uint8_t *p
        cdef const uint8_t *start
        cdef int64_t k, i, end, number = 0
        cdef int32_t word
        cdef Concept concept
        cdef int status
        cdef uint8_t c
        for k in range(self.spans.used):
            self.tokens.used = 0
            p = lines[k].start
            while p < lines[k].stop:
                start = p
                p = word_end(p, lines[k].stop)
                if p == start + 1 and start[0] == c"%":
                    break
                if not self.add_token(start, p):
                    return self.fail(F_MEMORY, self.begin)
                if start[0] == c'"' and (p == start + 1 or p[-1] != c'"'):      # a name, in which % is no comment
                    while p < lines[k].stop:
                        start = strip_left(p, lines[k].stop)
                        p = word_end(start, lines[k].stop)
                        if not self.add_token(start, p):
                            return self.fail(F_MEMORY, self.begin)
                        if p[-1] == c'"':
                            break
                p = strip_left(p, lines[k].stop)
            tokens = <const Span *> self.tokens.data
            i = 0
            while i < self.tokens.used:
                start = tokens[i].start
                if self.concept(start, tokens[i].stop, &concept):
                    if i and not self.one_line:
                        return self.fail(F_SECOND, start - self.text)
                    if self.add_concept(&concept, start) == FAULTY:
                        return FAULTY
                    i += 1
                    continue
                word = self.lookup(start, tokens[i].stop)
                if word < 0:
                    return self.fail(F_TOKEN, start - self.text)
                if i + 1 == self.tokens.used or (
                    self.one_line
                    and tokens[i + 1].start[0] != c'"'
                    and self.begins_document(tokens[i + 1].start, tokens[i + 1].stop)
                ):
                    return self.fail(F_NO_INDEX if WORDS[word].flags & BOX else F_TARGET, start - self.text)
                i += 1
                p = tokens[i].start
                c = p[0]
                if WORDS[word].flags & BOX:
                    if not is_sign(c, True) or not as_number(p + 1, tokens[i].stop, &number):
                        return self.fail(F_BOX_INDEX, p - self.text)
                    if self.add_box(word, -number if is_negative(c) else number, start) == FAULTY:
                        return FAULTY
                    i += 1
                    continue
                if self.n_concepts == 0:
                    return self.fail(F_FIRST, start - self.text)
                end = i
                status = FINISHED
                if is_sign(c, True) and as_number(p + 1, tokens[i].stop, &number):
                    if is_negative(c):
                        number = -number
                    if c == c"<" or c == c">":
                        if WORDS[word].flags & OPERATOR:
                            return self.fail(F_OPERATOR, p - self.text)
                        if not self.add_edge(A_CONCEPT, self.n_concepts - 1, A_BOX, self.current + number, word, p):
                            return self.fail(F_MEMORY, self.begin)
                    elif not self.add_edge(
                        A_CONCEPT, self.n_concepts - 1, A_CONCEPT, self.n_concepts - 1 + number, word, p
                    ):
                        return self.fail(F_MEMORY, self.begin)
                else:
                    if c == c'"':
                        end = self.name_end(i)
                        if end < 0:
                            return self.fail(F_NAME, p - self.text)
                    status = self.add_constant(word, tokens + i, tokens + end)
                if status == FAULTY:
                    return FAULTY
                i = end + 1
        if self.n_concepts == 0 and self.n_boxes == 1:
            return self.fail(F_EMPTY, self.begin)
        return FINISHED

    # As the programs read ----------------------------------------------------------------------------------------

    cdef bint split_line(self) noexcept nogil:
        """Put a line break before each token that seems to begin a concept or a box, names included. False: no memory.

        Only single blanks divide here.
        """
        cdef Span line = (<const Span *> self.spans.data)[0]
        cdef const uint8_t *p = line.start
        cdef const uint8_t *start
        cdef const uint8_t *stop
        self.spans.used = 0
        start = p
        while p <= line.stop:
            stop = <const uint8_t *> memchr(p, c" ", line.stop - p) if p < line.stop else NULL
            if stop == NULL:
                stop = line.stop
            if (p < stop and self.begins_document(p, stop) and p > start) or stop == line.stop:
                if not room(&self.spans, 2, sizeof(Span)):
                    return False
                if p > start and p < stop and self.begins_document(p, stop):
                    (<Span *> self.spans.data)[self.spans.used] = Span(start, p)
                    self.spans.used += 1
                    start = p
                if stop == line.stop:
                    (<Span *> self.spans.data)[self.spans.used] = Span(start, stop)
                    self.spans.used += 1
                    break
            p = stop + 1
        return True

    cdef int read_as_program(self) noexcept nogil:
        """Make nodes and edges; a Status."""
        cdef Span *lines
        cdef const Span *tokens
        cdef const uint8_t *p
        cdef const uint8_t *start
        cdef const uint8_t *stop
        cdef int64_t k, i, n_lines = 0
        cdef int32_t word
        cdef Concept concept
        if self.one_line and not self.split_line():
            return self.fail(F_MEMORY, self.begin)
        lines = <Span *> self.spans.data
        for k in range(self.spans.used):
            start, stop = lines[k].start, lines[k].stop
            if stop - start >= 3 and memcmp(start, b"%%%", 3) == 0:
                continue
            p = start
            while p + 3 <= stop and memcmp(p, b" % ", 3) != 0:
                p += 1
            if p + 3 <= stop:
                if strip_left(start, p) < p:
                    stop = p
                else:
                    start = p + 3       # a line that is only a comment is read
            start = strip_left(start, stop)
            stop = strip_right(start, stop)
            if start < stop:
                lines[n_lines] = Span(start, stop)
                n_lines += 1
        self.spans.used = n_lines
        if n_lines == 0:
            return self.fail(F_EMPTY, self.begin)
        for k in range(n_lines):
            self.tokens.used = 0
            p = lines[k].start
            while p < lines[k].stop:
                start = p
                p = word_end(p, lines[k].stop)
                if not self.add_token(start, p):
                    return self.fail(F_MEMORY, self.begin)
                p = strip_left(p, lines[k].stop)
            tokens = <const Span *> self.tokens.data
            i = 0
            while i < self.tokens.used:
                start = tokens[i].start
                if i == 0 and self.concept(start, tokens[i].stop, &concept):
                    if self.add_concept(&concept, start) == FAULTY:
                        return FAULTY
                    i += 1
                    continue
                word = self.lookup(start, tokens[i].stop)
                if word < 0 and self.tolerant:
                    i += 1
                    continue
                if word < 0:
                    if self.concept(start, tokens[i].stop, &concept):
                        return self.fail(F_SECOND, start - self.text)
                    return self.fail(F_TOKEN, start - self.text)
                if i + 1 == self.tokens.used:
                    return self.fail(F_NO_INDEX if WORDS[word].flags & BOX else F_TARGET, start - self.text)
                i += 1
                if WORDS[word].flags & BOX:
                    if self.box_of_program(word, tokens + i) == FAULTY:
                        return FAULTY
                else:
                    i = self.target_of_program(word, i, n_lines)
                    if i < 0:
                        return FAULTY
                i += 1
        return FINISHED

    cdef int box_of_program(self, int32_t word, const Span *token) noexcept nogil:
        cdef int64_t number = 0
        cdef const uint8_t *p = token.start
        if self.program == EVALUATION:
            if memchr(p, c"<", token.stop - p) == NULL:
                return self.fail(F_BOX_INDEX, p - self.text)
            return self.add_box(word, -1, p)
        if self.program == UD_BOXER:
            if p[0] != c"-" or not as_number(p + 1, token.stop, &number) or number != 1:
                return self.fail(F_BOX_INDEX, p - self.text)
            return self.add_box(word, -1, p)
        if token.stop - p < 2 or not is_sign(p[0], True) or not is_digit(p[1]):
            return FINISHED         # no box, in silence
        if not as_number(p + 1, token.stop, &number):
            return self.fail(F_BOX_INDEX, p - self.text)
        return self.add_box(word, -number if is_negative(p[0]) else number, p)

    cdef int64_t target_of_program(self, int32_t word, int64_t i, int64_t n_lines) noexcept nogil:
        """The edge of a role or an operator to token ``i``; number of the last token that it took, or −1: an error."""
        cdef const Span *tokens = <const Span *> self.tokens.data
        cdef const uint8_t *p = tokens[i].start
        cdef const uint8_t *stop = tokens[i].stop
        cdef const uint8_t *q
        cdef int64_t number = 0, last = self.n_concepts - 1, end
        cdef bint late = self.program == PMB5
        cdef bint angular
        if self.n_concepts == 0:
            # an edge from a node that never comes
            self.fail(F_FIRST, p - self.text)
            return -1
        if stop - p >= 2 and is_sign(p[0], late) and is_digit(p[1]):
            angular = late and (memchr(p, c"<", stop - p) != NULL or memchr(p, c">", stop - p) != NULL)
            if angular and WORDS[word].flags & ROLE:
                if not as_number(p + 1, stop, &number):
                    self.fail(F_BOX_INDEX, p - self.text)
                    return -1
                if is_negative(p[0]):
                    number = -number
                if not self.add_edge(A_CONCEPT, last, A_BOX, self.current + number, word, p):
                    self.fail(F_MEMORY, self.begin)
                    return -1
                return i
            if late and (p[0] == c"<" or p[0] == c">"):
                self.fail(F_OPERATOR, p - self.text)
                return -1
            q = p + 2
            while late and q < stop and is_digit(q[0]):
                q += 1
            as_number(p + 1, q, &number)        # without late, one digit
            if is_negative(p[0]):
                number = -number
            if 0 <= last + number < n_lines:
                if not self.add_edge(A_CONCEPT, last, A_CONCEPT, last + number, word, p):
                    self.fail(F_MEMORY, self.begin)
                    return -1
                return i
            if self.ill < 0:
                self.ill = p - self.text
            end = i
        elif p[0] == c'"' and stop - p > 1:
            end = self.name_end(i)
            if end < 0:
                self.fail(F_NAME, p - self.text)
                return -1
        else:
            end = i
        return -1 if self.add_constant(word, tokens + i, tokens + end) == FAULTY else end

    # The graph ---------------------------------------------------------------------------------------------------

    cdef int64_t node_of(self, int kind, int64_t number) noexcept nogil:
        """The node with this number among those of its kind, or −1. (Constants have their node already.)"""
        cdef const Column *numbers = &self.boxes if kind == A_BOX else &self.concepts
        if number < 0 or number >= numbers.used:
            return -1
        return (<const int32_t *> numbers.data)[number]

    cdef int link(self) noexcept nogil:
        """Resolve the ends of edges, chain them at their sources, and refuse what is no graph of the notation."""
        cdef Node *nodes = <Node *> self.things.data
        cdef Edge *edges = <Edge *> self.edges.data
        cdef int64_t i, e, n = self.edges.used, source, target, constants = 0
        if self.ill >= 0 and not self.ill_formed:
            return self.fail(F_ILL, self.ill)
        if not room(&self.sorted, self.things.used, sizeof(int64_t)):
            return self.fail(F_MEMORY, self.begin)
        # the nodes of constants, in their order
        for i in range(self.things.used):
            if nodes[i].kind == A_CONSTANT:
                (<int64_t *> self.sorted.data)[constants] = i
                constants += 1
        for e in range(n):
            source = self.node_of(edges[e].source_kind, edges[e].source)
            if edges[e].kind == A_CONSTANT:
                target = (<const int64_t *> self.sorted.data)[edges[e].target]
            else:
                target = self.node_of(edges[e].kind, edges[e].target)
            if source < 0 or target < 0:
                if self.program == DEFAULT and edges[e].kind == A_CONCEPT and source >= 0:
                    if self.ill_formed:
                        if self.index_as_constant(e) == FAULTY:
                            return FAULTY
                        nodes = <Node *> self.things.data
                        target = self.things.used - 1
                    else:
                        return self.fail(F_ILL, edges[e].at)
                else:
                    return self.fail(F_NOWHERE, edges[e].at)
            edges[e].source = <int32_t> source
            edges[e].target = <int32_t> target
            nodes[target].reached = True
        if self.program != DEFAULT and not self.join_parallel():
            return self.fail(F_MEMORY, self.begin)
        e = n
        while e > 0:
            e -= 1
            if edges[e].word >= -1:
                edges[e].following = nodes[edges[e].source].first
                nodes[edges[e].source].first = <int32_t> e
        return self.look_for_cycle()

    cdef int index_as_constant(self, int64_t e) noexcept nogil:
        """Give an edge that points nowhere a constant with its index as a target."""
        cdef Edge *edge = <Edge *> self.edges.data + e
        cdef Node *node
        cdef Span token
        cdef uint8_t *out
        token.start = self.text + edge.at
        token.stop = word_end(token.start, self.text + self.position)
        node = self.add_thing(A_CONSTANT)
        if node == NULL or not room(&self.words, token.stop - token.start + 2, 1):
            return self.fail(F_MEMORY, self.begin)
        out = <uint8_t *> self.words.data + self.words.used
        out[0] = c'"'
        memcpy(out + 1, token.start, token.stop - token.start)
        out[token.stop - token.start + 1] = c'"'
        node.words = self.words.used
        node.length = token.stop - token.start + 2
        self.words.used += node.length
        edge.kind = A_CONSTANT
        return FINISHED

    cdef bint join_parallel(self) noexcept nogil:
        """Of the edges from one node to another, leave the first, with the word of the last. False: no memory.

        A graph in which an edge is known by its ends has room for one.
        """
        cdef Edge *edges = <Edge *> self.edges.data
        cdef int64_t e, i, first = 0, n = self.edges.used
        cdef Pair *pairs
        self.sorted.used = 0
        if not room(&self.sorted, 4 * n, sizeof(int64_t)):
            return False
        pairs = <Pair *> self.sorted.data
        for e in range(n):
            pairs[e] = Pair(packed(edges[e].source, edges[e].target), e)
        sort_pairs(pairs, n, pairs + n)
        for i in range(1, n):
            if pairs[i].major == pairs[first].major:
                edges[pairs[first].minor].word = edges[pairs[i].minor].word
                edges[pairs[i].minor].word = -2
            else:
                first = i
        return True

    cdef int look_for_cycle(self) noexcept nogil:
        cdef Node *nodes = <Node *> self.things.data
        cdef const Edge *edges = <const Edge *> self.edges.data
        cdef int64_t i, depth
        cdef int32_t *stack
        cdef int32_t e
        if not room(&self.stack, self.things.used, sizeof(int32_t)):
            return self.fail(F_MEMORY, self.begin)
        stack = <int32_t *> self.stack.data
        for i in range(self.things.used):
            nodes[i].cursor = nodes[i].first
        for i in range(self.things.used):
            if nodes[i].state:
                continue
            stack[0] = <int32_t> i
            nodes[i].state = 1
            depth = 1
            while depth:
                e = nodes[stack[depth - 1]].cursor
                if e < 0:
                    nodes[stack[depth - 1]].state = 2
                    depth -= 1
                    continue
                nodes[stack[depth - 1]].cursor = edges[e].following
                if nodes[edges[e].target].state == 1:
                    return self.fail(F_CYCLE, edges[e].at)
                if nodes[edges[e].target].state == 0:
                    nodes[edges[e].target].state = 1
                    stack[depth] = edges[e].target
                    depth += 1
        return FINISHED

    cdef int64_t find_root(self) noexcept nogil:
        """The first node that no edge leads to; the oldest programs always begin with the first box."""
        cdef const Node *nodes = <const Node *> self.things.data
        cdef int64_t i = 0
        if self.program < EVALUATION:
            while nodes[i].reached:
                i += 1      # a graph without cycles has one
        return i

    # Rows of the default reading ---------------------------------------------------------------------------------

    cdef int32_t numbered(self, const Node *node) noexcept nogil:
        """Id of the name of a node, b0 or s12; −1: no memory."""
        cdef uint8_t name[16]
        return self.interner.add(name, name_of(node, name))

    cdef int32_t concept_id(self, const Node *node) noexcept nogil:
        """Id of a concept, in quotes if it is no symbol of Penman notation; −1: no memory."""
        cdef const uint8_t *p
        cdef uint8_t *out
        cdef int64_t n = node.concept.lemma.stop - node.concept.lemma.start
        cdef int64_t m = node.concept.sense.stop - node.concept.sense.start
        cdef bint plain = n > 0 and node.concept.lemma.start[0] != c"#"
        self.letters.used = 0
        if not room(&self.letters, 2 * n + m + 5, 1):
            return -1
        out = <uint8_t *> self.letters.data
        out[0] = c'"'
        out += 1
        p = node.concept.lemma.start
        while p < node.concept.lemma.stop:
            if p[0] == c'"' or p[0] == c"\\":
                plain = plain and p[0] == c"\\"
            elif p[0] == c"(" or p[0] == c")" or p[0] == c":" or p[0] == c"/" or p[0] == c"~":
                plain = False
            out[0] = p[0]
            out += 1
            p += 1
        out[0] = c"."
        out[1] = node.concept.pos[0]
        out[2] = c"."
        memcpy(out + 3, node.concept.sense.start, m)
        out += 3 + m
        out[0] = c'"'
        p = <const uint8_t *> self.letters.data
        return self.interner.add(p + 1, out - p - 1) if plain else self.interner.add(p, out - p + 1)

    cdef bint add_parts(self, const Node *node) noexcept nogil:
        """The lemma and the part of speech of a concept without its sense. False: no memory."""
        cdef int64_t n = node.concept.lemma.stop - node.concept.lemma.start
        cdef uint8_t *out
        cdef int32_t role, value
        self.letters.used = 0
        if not room(&self.letters, n + 3, 1):
            return False
        out = <uint8_t *> self.letters.data
        out[0] = c'"'
        memcpy(out + 1, node.concept.lemma.start, n)
        out[n + 1] = c'"'
        role, value = self.interner.add(b":lemma", 6), self.interner.add(out, n + 2)
        if role < 0 or value < 0 or not add_attribute(
            &self.attributes, node.variable, role, value, node.position + 1
        ):
            return False
        out[1] = node.concept.pos[0]
        out[2] = c'"'
        role, value = self.interner.add(b":pos", 4), self.interner.add(out, 3)
        return role >= 0 and value >= 0 and add_attribute(
            &self.attributes, node.variable, role, value, node.position + 2
        )

    cdef int32_t role_id(self, int32_t word, bint turned) noexcept nogil:
        """Id of the role of an edge; ``turned``: of the edge in its other direction, without -of; −1: no memory."""
        cdef uint8_t role[24]
        return self.interner.add(role, role_of(word, turned, role))

    cdef int add_rows(self) noexcept nogil:
        """Make rows of the nodes and edges, in the order of the text, and close the graph; a Status."""
        cdef Node *nodes = <Node *> self.things.data
        cdef const Edge *edges = <const Edge *> self.edges.data
        cdef const uint8_t *words = <const uint8_t *> self.words.data
        cdef const Node *target
        cdef int64_t i, e
        cdef int32_t variable = 0, text, role
        cdef bint turned, added
        for i in range(self.things.used):
            if nodes[i].kind == A_CONSTANT and not self.lenient:
                continue
            nodes[i].variable = variable
            variable += 1
            text = self.numbered(nodes + i)
            if text < 0 or not room(&self.variables, 1, sizeof(int32_t)):
                return self.fail(F_MEMORY, self.begin)
            (<int32_t *> self.variables.data)[self.variables.used] = text
            self.variables.used += 1
            if nodes[i].kind == A_BOX:
                text = self.interner.add(b"box", 3)
            elif nodes[i].kind == A_CONSTANT:
                text = self.interner.add(words + nodes[i].words, nodes[i].length)
            elif self.lenient:
                text = self.interner.add(b"synset", 6)
            else:
                text = self.concept_id(nodes + i)
            if text < 0 or not add_instance(&self.instances, nodes[i].variable, text, nodes[i].position):
                return self.fail(F_MEMORY, self.begin)
            if nodes[i].kind == A_CONCEPT and self.lenient and not self.add_parts(nodes + i):
                return self.fail(F_MEMORY, self.begin)
        for e in range(self.edges.used):
            target = nodes + edges[e].target
            turned = edges[e].word >= 0 and WORDS[edges[e].word].flags & INVERSE != 0 and target.variable >= 0
            role = self.role_id(edges[e].word, turned)
            if role < 0:
                return self.fail(F_MEMORY, self.begin)
            variable = nodes[edges[e].source].variable
            if target.variable < 0:
                text = self.interner.add(words + target.words, target.length)
                added = text >= 0 and add_attribute(&self.attributes, variable, role, text, edges[e].position)
            elif turned:
                added = add_relation(&self.relations, target.variable, role, variable, edges[e].position, 1)
            else:
                added = add_relation(&self.relations, variable, role, target.variable, edges[e].position, 0)
            if not added:
                return self.fail(F_MEMORY, self.begin)
        if not self.close_graph(nodes[self.find_root()].variable):
            return self.fail(F_MEMORY, self.begin)
        return FINISHED

    # Penman text, as the programs write it -----------------------------------------------------------------------

    cdef bint put(self, const uint8_t *text, int64_t length) noexcept nogil:
        if not room(&self.glued, length, 1):
            return False
        memcpy(<uint8_t *> self.glued.data + self.glued.used, text, length)
        self.glued.used += length
        return True

    cdef bint put_gap(self, int64_t depth) noexcept nogil:
        """What stands before a role: a blank, and for pmb5 a tab for each node around it.

        Text with deep nodes would be quadratic in its length. So from ``MOST_TABS`` on, the depth follows in digits
        that are white space as well: concepts are equal if and only if they were with all tabs.
        """
        cdef uint8_t gap[MOST_TABS + 40]
        cdef int64_t n = 1
        gap[0] = c" "
        if self.program == PMB5:
            for n in range(1, 1 + min(depth, MOST_TABS)):
                gap[n] = c"\t"
            n = 1 + min(depth, MOST_TABS)
            if depth > MOST_TABS:
                while depth:
                    gap[n] = 0x1c + (depth & 3)
                    n += 1
                    depth >>= 2
        return self.put(gap, n)

    cdef bint put_part(
        self, const char *role, int64_t length, const uint8_t *start, const uint8_t *stop
    ) noexcept nogil:
        """A role and what it says of a concept, in quotes."""
        cdef bint quoted = stop - start > 1 and start[0] == c"'" and stop[-1] == c"'"
        return (
            self.put(<const uint8_t *> role, length)
            and self.put(b' "', 2)
            and self.put(start + quoted, stop - start - 2 * quoted)
            and self.put(b'"', 1)
        )

    cdef bint put_node(self, const Node *node, int64_t depth) noexcept nogil:
        """Open a node. False: no memory."""
        cdef uint8_t name[16]
        cdef const Concept *concept = &node.concept
        if not (self.put(b"(", 1) and self.put(name, name_of(node, name)) and self.put(b" / ", 3)):
            return False
        if node.kind == A_BOX:
            return self.put(b'"box"', 5)
        if node.kind == A_CONSTANT:
            return self.put(<const uint8_t *> self.words.data + node.words, node.length)
        if self.program != UD_BOXER and not self.lenient:
            return (
                self.put(b'"', 1)
                and self.put(concept.lemma.start, concept.lemma.stop - concept.lemma.start)
                and self.put(b".", 1)
                and self.put(concept.pos, 1)
                and self.put(b".", 1)
                and self.put(concept.sense.start, concept.sense.stop - concept.sense.start)
                and self.put(b'"', 1)
            )
        return (
            self.put(b'"synset"', 8)
            and self.put_gap(depth)
            and self.put_part(b":lemma", 6, concept.lemma.start, concept.lemma.stop)
            and self.put_gap(depth)
            and self.put_part(b":pos", 4, concept.pos, concept.pos + 1)
            and (self.lenient or (
                self.put_gap(depth) and self.put_part(b":sense", 6, concept.sense.start, concept.sense.stop)
            ))
        )

    cdef int write_text(self) noexcept nogil:
        """Write the nodes that the root leads to, depth first, into ``glued``; a Status."""
        cdef Node *nodes = <Node *> self.things.data
        cdef const Edge *edges = <const Edge *> self.edges.data
        cdef int32_t *stack = <int32_t *> self.stack.data      # has room for all nodes
        cdef Node *target
        cdef uint8_t name[24]
        cdef int64_t i, depth = 1
        cdef int32_t e
        cdef bint written
        self.glued.used = 0
        for i in range(self.things.used):
            nodes[i].cursor = nodes[i].first
            nodes[i].state = 0
            if self.program == UD_BOXER and nodes[i].kind == A_CONSTANT and not is_one_token(
                <const uint8_t *> self.words.data + nodes[i].words, nodes[i].length
            ):
                return self.fail(F_QUOTE, self.begin)
            if self.program == UD_BOXER and nodes[i].kind == A_CONCEPT and memchr(
                nodes[i].concept.lemma.start, c'"', nodes[i].concept.lemma.stop - nodes[i].concept.lemma.start
            ) != NULL:
                return self.fail(F_QUOTE, nodes[i].concept.lemma.start - self.text)
        stack[0] = <int32_t> self.find_root()
        nodes[stack[0]].state = 1
        written = self.put_node(nodes + stack[0], depth)
        while depth and written:
            e = nodes[stack[depth - 1]].cursor
            if e < 0:
                depth -= 1
                written = self.put(b")", 1)
                continue
            nodes[stack[depth - 1]].cursor = edges[e].following
            target = nodes + edges[e].target
            written = (
                self.put_gap(depth) and self.put(name, role_of(edges[e].word, False, name)) and self.put(b" ", 1)
            )
            if not written:
                break
            if target.kind == A_CONSTANT:
                if self.program == UD_BOXER:
                    written = self.put_node(target, depth + 1) and self.put(b")", 1)
                elif self.lenient:
                    written = self.put_node(target, depth + 1)      # without a bracket, as the programs do
                else:
                    written = self.put(<const uint8_t *> self.words.data + target.words, target.length)
            elif target.state:
                written = self.put(name, name_of(target, name))
            else:
                target.state = 1
                stack[depth] = edges[e].target
                depth += 1
                written = self.put_node(target, depth)
        return FINISHED if written else self.fail(F_MEMORY, self.begin)

    cdef void settle_attributes(self) noexcept nogil:
        """Do to the attributes of the last graph what the programs do beside reading its text.

        pmb5 drops ``:TOP``, which is smatch's name for the root's triple. mtool takes it for such a triple, whose value
        is the node's concept; and of a node's attributes with the same role it keeps the last.
        """
        cdef GraphRow *graph = <GraphRow *> self.graphs.data + (self.graphs.used - 1)
        cdef GraphRow zero = GraphRow(-1, 0, 0, 0, 0, 0, 0, 0, 0)
        cdef const GraphRow *before = graph - 1 if self.graphs.used > 1 else &zero
        cdef int64_t first = before.attributes, i, j, k = first, instance = before.instances
        cdef int32_t top = self.interner.find(b":TOP", 4), position
        cdef AttributeRow *rows = <AttributeRow *> self.attributes.data
        cdef const InstanceRow *instances = <const InstanceRow *> self.instances.data
        cdef RelationRow *relations = <RelationRow *> self.relations.data
        if first == graph.attributes:
            return
        position = rows[first].position
        for i in range(first, graph.attributes):
            if rows[i].role == top and self.program == PMB5:
                if not self.tolerant:   # what is read for fine-grained scores gets other roles first
                    continue
            elif rows[i].role == top:
                while instances[instance].variable != rows[i].variable:    # both are in the order of the nodes
                    instance += 1
                rows[i].value = instances[instance].concept
            j = k
            if self.program != PMB5:    # the attributes of a node are neighbours
                while j > first and rows[j - 1].variable == rows[i].variable and rows[j - 1].role != rows[i].role:
                    j -= 1
                if j > first and rows[j - 1].variable == rows[i].variable:
                    rows[j - 1].value = rows[i].value
                    continue
            rows[k] = rows[i]
            rows[k].position = position
            position += 1
            k += 1
        for i in range(before.relations, graph.relations):
            relations[i].position -= <int32_t> (graph.attributes - k)
        graph.attributes = self.attributes.used = k

    cdef str describe(self, int code, int64_t at):
        cdef const uint8_t *p = self.text + at
        cdef const uint8_t *stop = word_end(p, self.text + self.size)
        if code < F_EMPTY:
            message = read_smatch.Reader.describe(self, code, at)
            if self.program != DEFAULT and code >= F_OWN:
                return f"the Penman text that the program makes of this document cannot be read: {message}"
            return message
        found = (<const char *> p)[:min(stop - p, 60)].decode("utf-8", "replace")
        if code == F_EMPTY:
            return "an empty document; expected a concept, such as dog.n.01"
        if code == F_TOKEN:
            other = "; this seems to be Penman notation" if found[:1] == "(" else ""
            return f"{found!r} is no concept (lemma.pos.number), role, operator or box word{other}"
        if code == F_SECOND:
            return f"a second concept in a line, {found!r}; expected a role, or the concept in a line of its own"
        if code == F_TARGET:
            return f"{found!r} has no target; expected an index, a constant or a name in quotes"
        if code == F_NO_INDEX:
            return f"{found!r} has no index; expected one of a box, such as <1"
        if code == F_BOX_INDEX:
            return f"{found!r} is no index of a box; expected one such as {'-1' if self.program == UD_BOXER else '<1'}"
        if code == F_OPERATOR:
            return f"an operator cannot point to a box, as {found!r} does"
        if code == F_NOWHERE:
            return f"{found!r} points to nothing that is there"
        if code == F_ILL:
            return f"the index {found!r} points to no concept"
        if code == F_FIRST:
            return "a role before the first concept"
        if code == F_NAME:
            return "a name without a closing quote"
        if code == F_CYCLE:
            return "the edges make a cycle here"
        return "ud-boxer refuses a quote inside a name or a lemma"


cdef int64_t name_of(const Node *node, uint8_t *out) noexcept nogil:
    """Write the name of a node, such as b0 or s12; its length, 11 at most."""
    cdef uint8_t digits[12]
    cdef int64_t n = 0, k, number = node.number
    while True:
        digits[n] = <uint8_t> (c"0" + number % 10)
        n += 1
        number //= 10
        if number == 0:
            break
    out[0] = c"b" if node.kind == A_BOX else c"s" if node.kind == A_CONCEPT else c"c"
    for k in range(n):
        out[1 + k] = digits[n - 1 - k]
    return n + 1


cdef int64_t role_of(int32_t word, bint turned, uint8_t *out) noexcept nogil:
    """Write a role with a colon in front, an inverse one with -of unless ``turned``; its length, 20 at most."""
    cdef int64_t n
    if word < 0:
        memcpy(out, b":member", 7)
        return 7
    out[0] = c":"
    n = WORDS[word].length
    memcpy(out + 1, WORDS[word].text, n)
    if WORDS[word].flags & INVERSE:
        n -= 2
        if not turned:
            memcpy(out + 1 + n, b"-of", 3)
            n += 3
    return n + 1


cdef bint is_one_token(const uint8_t *text, int64_t n) noexcept nogil:
    """Whether penman takes a text in quotes for one string, or, if no quote ends it, for one symbol."""
    cdef int64_t i = 1
    while i < n and text[i] != c'"':
        i += 2 if text[i] == c"\\" else 1
    if i < n:
        return i == n - 1
    for i in range(n):
        if text[i] in (c"(", c")", c"/", c":", c"~") or space_at(text + i, text + n):
            return False
    return True
