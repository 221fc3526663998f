# Box notation as three programs read it, and the Penman text that they make of it. For sbn.pyx only, which says which
# programs these are; inline in a header, as boxes.pxd.
from libc.stdint cimport int32_t, int64_t, uint8_t
from libc.string cimport memchr, memcmp

from fastmatch._ext.base.columns cimport Column, push, push_bytes
from fastmatch._ext.base.letters cimport digits_end, is_digit
from fastmatch._ext.base.lines cimport Place, Span, space_at, strip_left, strip_right, word_end
from fastmatch._ext.reading.boxes cimport (
    A_BOX, A_CONCEPT, A_CONSTANT, BOX, Concept, Document, Edge, EVALUATION, F_BOX_INDEX, F_EMPTY, F_FIRST, F_NAME,
    F_NO_INDEX, F_OPERATOR, F_QUOTE, F_SECOND, F_TARGET, F_TOKEN, Node, PMB5, ROLE, UD_BOXER, add_box,
    add_concept, add_constant, add_edge, add_token, as_number, begins_document, concept_at, find_root, is_negative,
    is_sign, lookup, name_end, name_of, push_concept, refuse, role_of,
)
from fastmatch._ext.reading.reader cimport FAULTY, FINISHED

cdef enum:
    MOST_TABS = 64          # of a row: a text that is deeper would be quadratic in its length


# Reading --------------------------------------------------------------------------------------------------------------

cdef inline int split_line(Document *d) except -1 nogil:
    """Put a line break before each token that seems to begin a concept or a box, names included.

    Only single blanks divide here.
    """
    cdef Span line = (<const Span *> d.spans.data)[0]
    cdef Place p = line.start, stop
    d.spans.used = 0
    cdef Place start = p
    while p <= line.stop:
        stop = <Place> memchr(p, c" ", line.stop - p) if p < line.stop else NULL
        if stop == NULL:
            stop = line.stop
        if (p < stop and begins_document(d, p, stop) and p > start) or stop == line.stop:
            if p > start and p < stop and begins_document(d, p, stop):
                (<Span *> push(&d.spans, sizeof(Span)))[0] = Span(start, p)
                start = p
            if stop == line.stop:
                (<Span *> push(&d.spans, sizeof(Span)))[0] = Span(start, stop)
                break
        p = stop + 1


cdef inline int read_as_program(Document *d) except -1 nogil:
    """Make nodes and edges; a Status."""
    cdef const Span *tokens
    cdef Place p, start, stop
    cdef int64_t k, i, n_lines = 0
    cdef int32_t word
    cdef Concept concept
    if d.one_line:
        split_line(d)
    cdef Span *lines = <Span *> d.spans.data
    for k in range(d.spans.used):
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
    d.spans.used = n_lines
    if n_lines == 0:
        return refuse(d, F_EMPTY, d.begin)
    for k in range(n_lines):
        d.tokens.used = 0
        p = lines[k].start
        while p < lines[k].stop:
            start = p
            p = word_end(p, lines[k].stop)
            add_token(d, start, p)
            p = strip_left(p, lines[k].stop)
        tokens = <const Span *> d.tokens.data
        i = 0
        while i < d.tokens.used:
            start = tokens[i].start
            if i == 0 and concept_at(d, start, tokens[i].stop, &concept):
                add_concept(d, &concept, start)
                i += 1
                continue
            word = lookup(d, start, tokens[i].stop)
            if word < 0 and d.tolerant:
                i += 1
                continue
            if word < 0:
                if concept_at(d, start, tokens[i].stop, &concept):
                    return refuse(d, F_SECOND, start - d.text)
                return refuse(d, F_TOKEN, start - d.text)
            if i + 1 == d.tokens.used:
                return refuse(d, F_NO_INDEX if d.vocabulary.words[word].flags & BOX else F_TARGET, start - d.text)
            i += 1
            if d.vocabulary.words[word].flags & BOX:
                if box_of_program(d, word, tokens + i) == FAULTY:
                    return FAULTY
            else:
                i = target_of_program(d, word, i, n_lines)
                if i < 0:
                    return FAULTY
            i += 1
    return FINISHED


cdef inline int box_of_program(Document *d, int32_t word, const Span *token) except -1 nogil:
    cdef int64_t number = 0
    cdef Place p = token.start
    if d.program == EVALUATION:
        if memchr(p, c"<", token.stop - p) == NULL:
            return refuse(d, F_BOX_INDEX, p - d.text)
        return add_box(d, word, -1, p)
    if d.program == UD_BOXER:
        if p[0] != c"-" or not as_number(p + 1, token.stop, &number) or number != 1:
            return refuse(d, F_BOX_INDEX, p - d.text)
        return add_box(d, word, -1, p)
    if token.stop - p < 2 or not is_sign(p[0], True) or not is_digit(p[1]):
        return FINISHED         # no box, in silence
    if not as_number(p + 1, token.stop, &number):
        return refuse(d, F_BOX_INDEX, p - d.text)
    return add_box(d, word, -number if is_negative(p[0]) else number, p)


cdef inline int64_t target_of_program(Document *d, int32_t word, int64_t i, int64_t n_lines) except -1 nogil:
    """The edge of a role or an operator to token ``i``; number of the last token that it took, or FAULTY."""
    cdef const Span *tokens = <const Span *> d.tokens.data
    cdef Place p = tokens[i].start, stop = tokens[i].stop
    cdef int64_t number = 0, last = d.n_concepts - 1, end
    cdef bint late = d.program == PMB5, angular
    if d.n_concepts == 0:
        # an edge from a node that never comes
        return refuse(d, F_FIRST, p - d.text)
    if stop - p >= 2 and is_sign(p[0], late) and is_digit(p[1]):
        angular = late and (memchr(p, c"<", stop - p) != NULL or memchr(p, c">", stop - p) != NULL)
        if angular and d.vocabulary.words[word].flags & ROLE:
            if not as_number(p + 1, stop, &number):
                return refuse(d, F_BOX_INDEX, p - d.text)
            if is_negative(p[0]):
                number = -number
            add_edge(d, A_CONCEPT, last, A_BOX, d.current + number, word, p)
            return i
        if late and (p[0] == c"<" or p[0] == c">"):
            return refuse(d, F_OPERATOR, p - d.text)
        as_number(p + 1, digits_end(p + 2, stop) if late else p + 2, &number)       # without late, one digit
        if is_negative(p[0]):
            number = -number
        if 0 <= last + number < n_lines:
            add_edge(d, A_CONCEPT, last, A_CONCEPT, last + number, word, p)
            return i
        if d.ill < 0:
            d.ill = p - d.text
        end = i
    elif p[0] == c'"' and stop - p > 1:
        end = name_end(d, i)
        if end < 0:
            return refuse(d, F_NAME, p - d.text)
    else:
        end = i
    add_constant(d, word, tokens + i, tokens + end)
    return end


# Penman text ----------------------------------------------------------------------------------------------------------

cdef inline int put_gap(const Document *d, Column *out, int64_t depth) except -1 nogil:
    """What stands before a role: a blank, and for pmb5 a tab for each node around it.

    Text with deep nodes would be quadratic in its length. So from ``MOST_TABS`` on, the depth follows in digits
    that are white space as well: concepts are equal if and only if they were with all tabs.
    """
    cdef uint8_t gap[MOST_TABS + 40]
    cdef int64_t n = 1
    gap[0] = c" "
    if d.program == PMB5:
        for n in range(1, 1 + min(depth, MOST_TABS)):
            gap[n] = c"\t"
        n = 1 + min(depth, MOST_TABS)
        if depth > MOST_TABS:
            while depth:
                gap[n] = 0x1c + (depth & 3)
                n += 1
                depth >>= 2
    push_bytes(out, gap, n)


cdef inline int put_part(Column *out, const char *role, int64_t length, Place start, Place stop) except -1 nogil:
    """A role and what it says of a concept, in quotes."""
    cdef bint quoted = stop - start > 1 and start[0] == c"'" and stop[-1] == c"'"
    push_bytes(out, <Place> role, length)
    push_bytes(out, b' "', 2)
    push_bytes(out, start + quoted, stop - start - 2 * quoted)
    push_bytes(out, b'"', 1)


cdef inline int put_node(const Document *d, Column *out, const Node *node, int64_t depth) except -1 nogil:
    """Open a node."""
    cdef uint8_t name[16]
    cdef const Concept *concept = &node.concept
    push_bytes(out, b"(", 1)
    push_bytes(out, name, name_of(node, name))
    push_bytes(out, b" / ", 3)
    if node.kind == A_BOX:
        push_bytes(out, b'"box"', 5)
    elif node.kind == A_CONSTANT:
        push_bytes(out, <Place> d.words.data + node.words, node.length)
    elif d.program != UD_BOXER and not d.lenient:
        push_concept(out, concept)
    else:
        push_bytes(out, b'"synset"', 8)
        put_gap(d, out, depth)
        put_part(out, b":lemma", 6, concept.lemma.start, concept.lemma.stop)
        put_gap(d, out, depth)
        put_part(out, b":pos", 4, concept.pos, concept.pos + 1)
        if not d.lenient:
            put_gap(d, out, depth)
            put_part(out, b":sense", 6, concept.sense.start, concept.sense.stop)


cdef inline bint is_one_token(Place text, int64_t n) noexcept nogil:
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


cdef inline int write_text(Document *d, Column *out) except -1 nogil:
    """Write the nodes that the root leads to, depth first, into ``out``; a Status."""
    cdef Node *nodes = <Node *> d.things.data
    cdef const Edge *edges = <const Edge *> d.edges.data
    cdef int32_t *stack = <int32_t *> d.stack.data      # has room for all nodes
    cdef Node *target
    cdef uint8_t name[24]
    cdef int64_t i, depth = 1
    cdef int32_t e
    out.used = 0
    for i in range(d.things.used):
        nodes[i].cursor = nodes[i].first
        nodes[i].state = 0
        if d.program == UD_BOXER and nodes[i].kind == A_CONSTANT and not is_one_token(
            <Place> d.words.data + nodes[i].words, nodes[i].length
        ):
            return refuse(d, F_QUOTE, d.begin)
        if d.program == UD_BOXER and nodes[i].kind == A_CONCEPT and memchr(
            nodes[i].concept.lemma.start, c'"', nodes[i].concept.lemma.stop - nodes[i].concept.lemma.start
        ) != NULL:
            return refuse(d, F_QUOTE, nodes[i].concept.lemma.start - d.text)
    stack[0] = <int32_t> find_root(d)
    nodes[stack[0]].state = 1
    put_node(d, out, nodes + stack[0], depth)
    while depth:
        e = nodes[stack[depth - 1]].cursor
        if e < 0:
            depth -= 1
            push_bytes(out, b")", 1)
            continue
        nodes[stack[depth - 1]].cursor = edges[e].following
        target = nodes + edges[e].target
        put_gap(d, out, depth)
        push_bytes(out, name, role_of(d, edges[e].word, False, name))
        push_bytes(out, b" ", 1)
        if target.kind == A_CONSTANT:
            if d.program == UD_BOXER:
                put_node(d, out, target, depth + 1)
                push_bytes(out, b")", 1)
            elif d.lenient:
                put_node(d, out, target, depth + 1)      # without a bracket, as the programs do
            else:
                push_bytes(out, <Place> d.words.data + target.words, target.length)
        elif target.state:
            push_bytes(out, name, name_of(target, name))
        else:
            target.state = 1
            stack[depth] = edges[e].target
            depth += 1
            put_node(d, out, target, depth)
    return FINISHED
