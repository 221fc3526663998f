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

Here are the division of a text into documents, the default reading and its rows. Words, tokens and the graph of a
document are in ``boxes.pxd``; how the programs read, and what they write, in ``boxes_published.pxd``.
"""

cimport cython
from libc.stdint cimport int32_t, int64_t, uint8_t, uint64_t
from libc.string cimport memcmp

from fastmatch._ext.reading cimport smatch as read_smatch
from fastmatch._ext.reading.interner cimport Interner
from fastmatch._ext.base.columns cimport push, push_bytes, push_int32
from fastmatch._ext.base.letters cimport fnv1a
from fastmatch._ext.base.lines cimport Place, Span, line_end, next_line, space_at, strip_left, strip_right, word_end
from fastmatch._ext.reading.blocks cimport BlockReader, Piece
from fastmatch._ext.reading.boxes cimport (
    A_BOX, A_CONCEPT, A_CONSTANT, BOX, DEFAULT, Document, Edge, EVALUATION, FOR_ALL, FOR_EVALUATION, FOR_PMB5,
    F_BOX_INDEX, F_CYCLE, F_EMPTY, F_FIRST, F_ILL, F_NAME, F_NOWHERE, F_NO_INDEX, F_OPERATOR, F_SECOND, F_TARGET,
    F_TOKEN, INVERSE, MOST_WORDS, N_SLOTS, Node, OPERATOR, PMB5, ROLE, UD_BOXER, Vocabulary, Word, add_box,
    add_concept, add_constant, add_edge, add_token, as_number, begins_document, concept_at, Concept, find_root,
    is_box, is_negative, is_sign, link, lookup, name_end, name_of, push_concept, refuse, release_document, role_of,
    start_document,
)
from fastmatch._ext.reading.boxes_published cimport read_as_program, write_text
from fastmatch._ext.reading.reader cimport FAULTY, FINISHED, F_OWN, F_SIZE
from fastmatch._ext.reading.rows cimport (
    MOST_ROWS, AttributeRow, GraphRow, InstanceRow, RelationRow, add_attribute, add_instance, add_relation,
)

cdef enum:
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

cdef Vocabulary VOCABULARY
cdef list _texts = []           # what its words point to


cdef void _learn(str words, int flags):
    cdef uint64_t slot
    cdef Word *word
    for each in words.split():
        text = each.encode()
        _texts.append(text)
        assert VOCABULARY.n_words < MOST_WORDS
        word = &VOCABULARY.words[VOCABULARY.n_words]
        word[0] = Word(<Place> <const char *> text, <int32_t> len(text), flags)
        slot = fnv1a(word.text, word.length) % N_SLOTS
        while VOCABULARY.slots[slot]:
            slot = (slot + 1) % N_SLOTS
        VOCABULARY.n_words += 1
        VOCABULARY.slots[slot] = VOCABULARY.n_words


_learn(_BOXES, BOX | FOR_ALL)
_learn("CONJUNCTION ELABORATION COMMENTARY", BOX | FOR_PMB5)
_learn(_OPERATORS, OPERATOR | FOR_ALL)
_learn("TCT", OPERATOR | FOR_PMB5 | FOR_EVALUATION)
_learn("ANA", OPERATOR | FOR_PMB5)
_learn(_ROLES, ROLE | FOR_ALL)
_learn(_INVERSE, ROLE | INVERSE | FOR_ALL)
_learn("FeatureOf", ROLE | FOR_PMB5 | FOR_EVALUATION)
_learn("QuantityOf Affectee", ROLE | FOR_PMB5)


#: Error → what is wrong.
cdef dict SAID = {
    F_EMPTY: "an empty document; expected a concept, such as dog.n.01",
    F_SECOND: "a second concept in a line, {found!r}; expected a role, or the concept in a line of its own",
    F_TARGET: "{found!r} has no target; expected an index, a constant or a name in quotes",
    F_NO_INDEX: "{found!r} has no index; expected one of a box, such as <1",
    F_OPERATOR: "an operator cannot point to a box, as {found!r} does",
    F_NOWHERE: "{found!r} points to nothing that is there",
    F_ILL: "the index {found!r} points to no concept",
    F_FIRST: "a role before the first concept",
    F_NAME: "a name without a closing quote",
    F_CYCLE: "the edges make a cycle here",
}


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

    cdef Document document          # what was read of the current one, and how to read
    cdef bint by_line               # documents are lines

    def __cinit__(
        self, Interner interner, str program="default", *, bint lenient=False, bint ill_formed=False,
        bint tolerant=False,
    ):
        cdef Document *d = &self.document
        d.vocabulary = &VOCABULARY
        d.program = ["default", "pmb5", "evaluation", "ud-boxer"].index(program)
        d.lenient = lenient
        d.ill_formed = ill_formed
        d.tolerant = tolerant
        self.mark = True
        self.tool = "smatch" if d.program == PMB5 else "mtool"
        self.kept = d.program >= EVALUATION

    def __dealloc__(self):
        release_document(&self.document)

    # Documents ---------------------------------------------------------------------------------------------------

    cdef bint is_comment(self, Place p, Place stop) noexcept nogil:
        """Whether a whole line, stripped, is a comment; ``#`` for metadata is no part of the notation."""
        return (stop - p >= 3 and memcmp(p, b"%%%", 3) == 0) or (
            self.document.program == DEFAULT and p < stop and p[0] == c"#" and (stop - p == 1 or p[1] == c" ")
        )

    cdef int keep_comment(self, Place p, Place stop) except -1 nogil:
        """Keep a comment line, ``%%%`` as ``#``, or what a line has before its document."""
        if p[0] == c"#":
            return self.add_comment(p, stop - p)
        if stop - p >= 3 and memcmp(p, b"%%%", 3) == 0:
            p += 3
        self.letters.used = 0
        push_bytes(&self.letters, b"# ", 1 if p < stop and space_at(p, stop) else 2)
        push_bytes(&self.letters, p, stop - p)
        return self.add_comment(<uint8_t *> self.letters.data, self.letters.used)

    cdef void restart(self) noexcept nogil:
        """Find out whether documents are divided line by line."""
        cdef Place p = self.text, end = self.text + self.size, stop, q, token
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
                    elif begins_document(&self.document, token, q):
                        heads += 1
                        other = other or (first and is_box(&self.document, token, q))
                    elif q == token + 1 and token[0] == c"%":
                        indices = True
                        break
                    elif is_sign(token[0], True) and as_number(token + 1, q, &number) and number:
                        indices = True
                    elif first and lookup(&self.document, token, q) >= 0:
                        other = True
                    first = False
                    q = strip_left(q, stop)
                if heads > 1:
                    whole += 1
                elif indices or other:
                    part += 1
            p = next_line(stop, end)
        self.by_line = adjacent and (whole > part or (whole == part and not apart))

    cdef int gather_block(self) except -1 nogil:
        """Put the lines of the next document into ``spans``, and one entry into ``pieces`` if there is one."""
        self.document.spans.used = 0
        BlockReader.gather_block(self)
        self.document.one_line = self.document.spans.used == 1
        if self.document.one_line and not self.single:
            self.cut_at_tab()

    cdef int take_line(self, Place p, Place stop) except -1 nogil:
        cdef Place left = strip_left(p, stop), right = strip_right(left, stop)
        if self.pieces.used and self.by_line:
            return False
        if self.is_comment(left, right):
            self.keep_comment(left, right)
        elif left < right or self.by_line:
            if self.pieces.used == 0:
                self.begin_at(left)
                (<Piece *> push(&self.pieces, sizeof(Piece)))[0] = Piece(0, self.begin)
            if self.document.program != DEFAULT:    # the programs look for comments before they strip a line
                right = stop
                if not self.by_line:
                    left = p
            (<Span *> push(&self.document.spans, sizeof(Span)))[0] = Span(left, right)
        elif self.pieces.used and not self.single:
            return False
        return True

    cdef int cut_at_tab(self) except -1 nogil:
        """Of a document that is one line, leave what follows the last tab.

        So do the scripts of PMB 5. The default reading cuts nothing off that belongs to a document.
        """
        cdef Span *line = <Span *> self.document.spans.data
        cdef Place left = strip_left(line.start, line.stop), right = strip_right(left, line.stop), p = right
        while p > left and p[-1] != c"\t":
            p -= 1
        if p == left or self.document.program > PMB5 or (
            self.document.program == DEFAULT and begins_document(&self.document, left, word_end(left, right))
        ):
            return 0
        line.start = strip_left(p, right)
        return self.keep_comment(left, strip_right(left, p))

    cdef int scan_block(self) except -1 nogil:
        cdef Document *d = &self.document
        if self.position - self.begin > MOST_ROWS // 4:
            return self.fail(F_SIZE, self.begin)
        d.text = self.text
        d.begin = self.begin
        d.stop = self.position
        start_document(d)
        cdef int status = read_default(d) if d.program == DEFAULT else read_as_program(d)
        if status == FINISHED:
            status = link(d)
        if status == FINISHED and d.program != DEFAULT:
            status = write_text(d, &self.glued)
        if status == FAULTY:
            return self.fail(d.fault, d.at)
        if d.program == DEFAULT:
            return self.add_rows()
        status = read_smatch.Reader.scan_block(self)
        if status == FAULTY:
            if self.fault_code != F_SIZE:
                self.fault_at = self.begin      # the place is one in the Penman text
            return FAULTY
        self.settle_attributes()
        return FINISHED

    # Rows of the default reading ---------------------------------------------------------------------------------

    cdef int32_t numbered(self, const Node *node) except -1 nogil:
        """Id of the name of a node, b0 or s12."""
        cdef uint8_t name[16]
        return self.interner.add(name, name_of(node, name))

    cdef int32_t concept_id(self, const Node *node) except -1 nogil:
        """Id of a concept, in quotes if it is no symbol of Penman notation."""
        cdef const Concept *concept = &node.concept
        cdef Place p = concept.lemma.start
        cdef bint plain = p < concept.lemma.stop and p[0] != c"#"
        while p < concept.lemma.stop:
            plain = plain and p[0] not in b'"():/~'
            p += 1
        self.letters.used = 0
        push_concept(&self.letters, concept)
        if plain:
            return self.interner.add(<uint8_t *> self.letters.data + 1, self.letters.used - 2)
        return self.intern_letters()

    cdef int add_parts(self, const Node *node) except -1 nogil:
        """The lemma and the part of speech of a concept without its sense."""
        cdef const Concept *concept = &node.concept
        self.add_part(node, b":lemma", 6, concept.lemma.start, concept.lemma.stop, 1)
        self.add_part(node, b":pos", 4, concept.pos, concept.pos + 1, 2)

    cdef int add_part(
        self, const Node *node, const uint8_t *role, int64_t length, Place start, Place stop,
        int place,
    ) except -1 nogil:
        self.letters.used = 0
        push_bytes(&self.letters, b'"', 1)
        push_bytes(&self.letters, start, stop - start)
        push_bytes(&self.letters, b'"', 1)
        cdef int32_t role_id = self.interner.add(role, length), value = self.intern_letters()
        add_attribute(&self.attributes, node.variable, role_id, value, node.position + place)

    cdef int32_t role_id(self, int32_t word, bint turned) except -1 nogil:
        """Id of the role of an edge; ``turned``: of the edge in its other direction, without -of."""
        cdef uint8_t role[24]
        return self.interner.add(role, role_of(&self.document, word, turned, role))

    cdef int add_rows(self) except -1 nogil:
        """Make rows of the nodes and edges, in the order of the text, and close the graph; a Status."""
        cdef Node *nodes = <Node *> self.document.things.data
        cdef const Edge *edges = <const Edge *> self.document.edges.data
        cdef Place words = <Place> self.document.words.data
        cdef const Node *target
        cdef int64_t i, e
        cdef int32_t variable = 0, text, role
        cdef bint turned
        for i in range(self.document.things.used):
            if nodes[i].kind == A_CONSTANT and not self.document.lenient:
                continue
            nodes[i].variable = variable
            variable += 1
            push_int32(&self.variables, self.numbered(nodes + i))
            if nodes[i].kind == A_BOX:
                text = self.interner.add(b"box", 3)
            elif nodes[i].kind == A_CONSTANT:
                text = self.interner.add(words + nodes[i].words, nodes[i].length)
            elif self.document.lenient:
                text = self.interner.add(b"synset", 6)
            else:
                text = self.concept_id(nodes + i)
            add_instance(&self.instances, nodes[i].variable, text, nodes[i].position)
            if nodes[i].kind == A_CONCEPT and self.document.lenient:
                self.add_parts(nodes + i)
        for e in range(self.document.edges.used):
            target = nodes + edges[e].target
            turned = target.variable >= 0 and edges[e].word >= 0 and (
                VOCABULARY.words[edges[e].word].flags & INVERSE != 0
            )
            role = self.role_id(edges[e].word, turned)
            variable = nodes[edges[e].source].variable
            if target.variable < 0:
                text = self.interner.add(words + target.words, target.length)
                add_attribute(&self.attributes, variable, role, text, edges[e].position)
            elif turned:
                add_relation(&self.relations, target.variable, role, variable, edges[e].position, 1)
            else:
                add_relation(&self.relations, variable, role, target.variable, edges[e].position, 0)
        self.close_graph(nodes[find_root(&self.document)].variable)
        return FINISHED

    # What the programs do beside ---------------------------------------------------------------------------------

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
            if rows[i].role == top and self.document.program == PMB5:
                if not self.document.tolerant:   # what is read for fine-grained scores gets other roles first
                    continue
            elif rows[i].role == top:
                while instances[instance].variable != rows[i].variable:    # both are in the order of the nodes
                    instance += 1
                rows[i].value = instances[instance].concept
            j = k
            if self.document.program != PMB5:    # the attributes of a node are neighbours
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
        cdef Place p = self.text + at, stop = word_end(p, self.text + self.size)
        if code < F_EMPTY:
            message = read_smatch.Reader.describe(self, code, at)
            if self.document.program != DEFAULT and code >= F_OWN:
                return f"the Penman text that the program makes of this document cannot be read: {message}"
            return message
        found = (<const char *> p)[:min(stop - p, 60)].decode("utf-8", "replace")
        if code == F_TOKEN:
            other = "; this seems to be Penman notation" if found[:1] == "(" else ""
            return f"{found!r} is no concept (lemma.pos.number), role, operator or box word{other}"
        if code == F_BOX_INDEX:
            usual = "-1" if self.document.program == UD_BOXER else "<1"
            return f"{found!r} is no index of a box; expected one such as {usual}"
        return SAID.get(code, "ud-boxer refuses a quote inside a name or a lemma").format(found=found)


# The default reading --------------------------------------------------------------------------------------------------

cdef int read_default(Document *d) except -1 nogil:
    """Make nodes and edges; a Status."""
    cdef const Span *lines = <const Span *> d.spans.data
    cdef const Span *tokens
    cdef Place p, start
    cdef int64_t k, i, end, number = 0
    cdef int32_t word
    cdef Concept concept
    cdef uint8_t c
    for k in range(d.spans.used):
        d.tokens.used = 0
        p = lines[k].start
        while p < lines[k].stop:
            start = p
            p = word_end(p, lines[k].stop)
            if p == start + 1 and start[0] == c"%":
                break
            add_token(d, start, p)
            if start[0] == c'"' and (p == start + 1 or p[-1] != c'"'):      # a name, in which % is no comment
                while p < lines[k].stop:
                    start = strip_left(p, lines[k].stop)
                    p = word_end(start, lines[k].stop)
                    add_token(d, start, p)
                    if p[-1] == c'"':
                        break
            p = strip_left(p, lines[k].stop)
        tokens = <const Span *> d.tokens.data
        i = 0
        while i < d.tokens.used:
            start = tokens[i].start
            if concept_at(d, start, tokens[i].stop, &concept):
                if i and not d.one_line:
                    return refuse(d, F_SECOND, start - d.text)
                add_concept(d, &concept, start)
                i += 1
                continue
            word = lookup(d, start, tokens[i].stop)
            if word < 0:
                return refuse(d, F_TOKEN, start - d.text)
            if i + 1 == d.tokens.used or (
                d.one_line
                and tokens[i + 1].start[0] != c'"'
                and begins_document(d, tokens[i + 1].start, tokens[i + 1].stop)
            ):
                return refuse(d, F_NO_INDEX if d.vocabulary.words[word].flags & BOX else F_TARGET, start - d.text)
            i += 1
            p = tokens[i].start
            c = p[0]
            if d.vocabulary.words[word].flags & BOX:
                if not is_sign(c, True) or not as_number(p + 1, tokens[i].stop, &number):
                    return refuse(d, F_BOX_INDEX, p - d.text)
                add_box(d, word, -number if is_negative(c) else number, start)
                i += 1
                continue
            if d.n_concepts == 0:
                return refuse(d, F_FIRST, start - d.text)
            end = i
            if is_sign(c, True) and as_number(p + 1, tokens[i].stop, &number):
                if is_negative(c):
                    number = -number
                if c == c"<" or c == c">":
                    if d.vocabulary.words[word].flags & OPERATOR:
                        return refuse(d, F_OPERATOR, p - d.text)
                    add_edge(d, A_CONCEPT, d.n_concepts - 1, A_BOX, d.current + number, word, p)
                else:
                    add_edge(d, A_CONCEPT, d.n_concepts - 1, A_CONCEPT, d.n_concepts - 1 + number, word, p)
            else:
                if c == c'"':
                    end = name_end(d, i)
                    if end < 0:
                        return refuse(d, F_NAME, p - d.text)
                add_constant(d, word, tokens + i, tokens + end)
            i = end + 1
    if d.n_concepts == 0 and d.n_boxes == 1:
        return refuse(d, F_EMPTY, d.begin)
    return FINISHED
