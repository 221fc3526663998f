# Box notation (SBN): its words and tokens, and the graph that a document is.
#
# What the default reading (sbn.pyx) and those of the published programs (boxes_published.pxd) have in common: both make
# nodes and edges of tokens here, and ``link`` makes a graph of them. Inline in a header, so that there is one module
# and no call through a boundary.
from libc.stdint cimport int32_t, int64_t, uint8_t, uint64_t
from libc.string cimport memcmp, memcpy

from fastmatch._ext.base.columns cimport Column, push, push_bytes, push_int32, release_all, reserve
from fastmatch._ext.base.letters cimport digits_end, fnv1a, is_digit, write_number
from fastmatch._ext.base.lines cimport Place, Span, word_end
from fastmatch._ext.base.sorting cimport Pair, packed, sort_pairs
from fastmatch._ext.reading.blocks cimport F_OWN_GLUED
from fastmatch._ext.reading.reader cimport FAULTY, FINISHED
from fastmatch._ext.reading.rows cimport MOST_ROWS


cdef enum Fault:
    F_EMPTY = F_OWN_GLUED + 100     # behind all that the base classes have
    F_TOKEN, F_SECOND, F_TARGET, F_NO_INDEX, F_BOX_INDEX, F_OPERATOR, F_NOWHERE, F_ILL, F_FIRST, F_NAME, F_CYCLE
    F_QUOTE

cdef enum Program:
    DEFAULT, PMB5, EVALUATION, UD_BOXER

# What a word is, and which programs know it. The default reading knows what pmb5 knows.
cdef enum Flag:
    ROLE = 1, OPERATOR = 2, BOX = 4
    INVERSE = 8             # a role that is written from the other end
    KNOWN = 16              # shifted by the program: pmb5 knows all words

cdef enum Kind:
    A_BOX, A_CONCEPT, A_CONSTANT

cdef enum:
    FOR_PMB5 = KNOWN << PMB5, FOR_EVALUATION = KNOWN << EVALUATION, FOR_UD = KNOWN << UD_BOXER
    FOR_ALL = FOR_PMB5 | FOR_EVALUATION | FOR_UD

cdef enum:
    N_SLOTS = 1024
    MOST_WORDS = 160


cdef struct Word:
    Place text
    int32_t length, flags

cdef struct Vocabulary:
    Word words[MOST_WORDS]
    int32_t n_words
    int32_t slots[N_SLOTS]      # open addressing: number of a word + 1

cdef struct Concept:
    Span lemma, sense
    Place pos      # one letter
    Place stop     # behind the digits

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

cdef struct Document:
    # how it is read
    const Vocabulary *vocabulary
    int program
    bint lenient, ill_formed, tolerant
    # where it stands
    Place text         # that it is a part of; places are counted from there
    int64_t begin, stop
    bint one_line
    Column spans                # its lines
    # what was found in it
    Column tokens               # of the line that is being read
    Column things               # nodes of all kinds
    Column edges
    Column boxes                # numbers of the nodes of this kind
    Column concepts             # the same
    Column words                # constants, in quotes
    Column stack                # scratch, as the next
    Column sorted
    int64_t current             # number of the box opened last
    int64_t n_boxes, n_concepts, n_constants
    int32_t positions
    int64_t ill                 # place of an index that points nowhere, or −1
    int fault                   # of the last error, and where it is
    int64_t at


cdef inline int refuse(Document *d, int code, int64_t at) noexcept nogil:
    d.fault = code
    d.at = at
    return FAULTY


cdef inline void release_document(Document *d) noexcept nogil:
    release_all(&d.spans, &d.sorted)


# Words and tokens -----------------------------------------------------------------------------------------------------

cdef inline bint as_concept(Place start, Place stop, bint with_x, Concept *out) noexcept nogil:
    """Whether a token begins with ``lemma.pos.digits``, the last such dot counting; its parts."""
    cdef Place p = stop - 4, q
    while p > start:
        if p[0] == c"." and p[2] == c"." and is_digit(p[3]) and (p[1] in b"nvar" or (with_x and p[1] == c"x")):
            q = digits_end(p + 3, stop)
            out.lemma = Span(start, p)
            out.pos = p + 1
            out.sense = Span(p + 3, q)
            out.stop = q
            return True
        p -= 1
    return False


cdef inline bint as_number(Place p, Place stop, int64_t *value) noexcept nogil:
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


cdef inline int32_t lookup(const Document *d, Place start, Place stop) noexcept nogil:
    """The number of a word that the program knows, or −1."""
    cdef const Word *word
    if stop - start > 16:
        return -1
    cdef uint64_t slot = fnv1a(start, stop - start) % N_SLOTS
    while d.vocabulary.slots[slot]:
        word = &d.vocabulary.words[d.vocabulary.slots[slot] - 1]
        if word.length == stop - start and memcmp(word.text, start, word.length) == 0:
            return d.vocabulary.slots[slot] - 1 if word.flags & (
                FOR_PMB5 if d.program == DEFAULT else KNOWN << d.program
            ) else -1
        slot = (slot + 1) % N_SLOTS
    return -1


cdef inline bint is_box(const Document *d, Place start, Place stop) noexcept nogil:
    cdef int32_t word = lookup(d, start, stop)
    return word >= 0 and d.vocabulary.words[word].flags & BOX != 0


cdef inline bint concept_at(const Document *d, Place start, Place stop, Concept *out) noexcept nogil:
    return as_concept(start, stop, d.program <= PMB5, out) and (d.program != DEFAULT or out.stop == stop)


cdef inline bint begins_document(const Document *d, Place start, Place stop) noexcept nogil:
    cdef Concept ignored
    return concept_at(d, start, stop, &ignored) or is_box(d, start, stop)


cdef inline int64_t name_of(const Node *node, uint8_t *out) noexcept nogil:
    """Write the name of a node, such as b0 or s12; its length, 11 at most."""
    out[0] = c"b" if node.kind == A_BOX else c"s" if node.kind == A_CONCEPT else c"c"
    return 1 + write_number(out + 1, node.number)


cdef inline int64_t role_of(const Document *d, int32_t word, bint turned, uint8_t *out) noexcept nogil:
    """Write a role with a colon in front, an inverse one with -of unless ``turned``; its length, 20 at most."""
    if word < 0:
        memcpy(out, b":member", 7)
        return 7
    out[0] = c":"
    cdef int64_t n = d.vocabulary.words[word].length
    memcpy(out + 1, d.vocabulary.words[word].text, n)
    if d.vocabulary.words[word].flags & INVERSE:
        n -= 2
        if not turned:
            memcpy(out + 1 + n, b"-of", 3)
            n += 3
    return n + 1


cdef inline int push_span(Column *out, const Span *span) except -1 nogil:
    return push_bytes(out, span.start, span.stop - span.start)


cdef inline int push_concept(Column *out, const Concept *concept) except -1 nogil:
    """Write a concept in double quotes."""
    push_bytes(out, b'"', 1)
    push_span(out, &concept.lemma)
    push_bytes(out, b".", 1)
    push_bytes(out, concept.pos, 1)
    push_bytes(out, b".", 1)
    push_span(out, &concept.sense)
    push_bytes(out, b'"', 1)


# Nodes and edges ------------------------------------------------------------------------------------------------------

cdef inline int add_token(Document *d, Place start, Place stop) except -1 nogil:
    (<Span *> push(&d.tokens, sizeof(Span)))[0] = Span(start, stop)


cdef inline Node *add_thing(Document *d, int kind) except NULL nogil:
    """A new node, and for a box its entry among the boxes, which makes it the current one."""
    cdef Node *node = <Node *> push(&d.things, sizeof(Node))
    node.kind = kind
    node.first = node.cursor = node.variable = -1
    node.state = 0
    node.reached = False
    node.position = 0
    node.words = node.length = 0
    if kind == A_CONSTANT:
        node.number = <int32_t> d.n_constants
        d.n_constants += 1
    else:
        push_int32(&d.boxes if kind == A_BOX else &d.concepts, <int32_t> d.things.used - 1)
        if kind == A_BOX:
            d.current = d.n_boxes
            node.number = <int32_t> d.n_boxes
            d.n_boxes += 1
        else:
            node.number = <int32_t> d.n_concepts
            d.n_concepts += 1
    if kind != A_CONSTANT or d.lenient:
        node.position = d.positions
        d.positions += 1 + 2 * (d.lenient and kind == A_CONCEPT)      # with lemma and part of speech
    return node


cdef inline int start_document(Document *d) except -1 nogil:
    """Begin a graph with its first box."""
    d.things.used = d.edges.used = d.boxes.used = d.concepts.used = d.words.used = 0
    d.current = d.n_boxes = d.n_concepts = d.n_constants = 0
    d.positions = 0
    d.ill = -1
    add_thing(d, A_BOX)


cdef inline int add_edge(
    Document *d, int source_kind, int64_t source, int kind, int64_t target, int32_t word, Place at
) except -1 nogil:
    (<Edge *> push(&d.edges, sizeof(Edge)))[0] = Edge(
        source_kind, <int32_t> max(-1, min(source, MOST_ROWS)), kind, <int32_t> max(-1, min(target, MOST_ROWS)), word,
        -1, d.positions, at - d.text,
    )
    d.positions += 1


cdef inline int add_concept(Document *d, const Concept *concept, Place at) except -1 nogil:
    add_edge(d, A_BOX, d.current, A_CONCEPT, d.n_concepts, -1, at)
    cdef Node *node = add_thing(d, A_CONCEPT)
    node.concept = concept[0]
    while node.concept.lemma.start < node.concept.lemma.stop and node.concept.lemma.start[0] == c'"':
        node.concept.lemma.start += 1
    while node.concept.lemma.start < node.concept.lemma.stop and node.concept.lemma.stop[-1] == c'"':
        node.concept.lemma.stop -= 1


cdef inline int add_constant(Document *d, int32_t word, const Span *first, const Span *last) except -1 nogil:
    """A constant, in double quotes: the tokens from ``first`` to ``last``, with one space between them."""
    cdef const Span *token = first
    cdef int64_t start = d.words.used
    cdef uint8_t left = first.start[0], right = last.stop[-1]
    cdef bint quoted = left == right and (left == c'"' or left == c"'")
    add_edge(d, A_CONCEPT, d.n_concepts - 1, A_CONSTANT, d.n_constants, word, first.start)
    cdef Node *node = add_thing(d, A_CONSTANT)
    if not quoted:
        push_bytes(&d.words, b'"', 1)
    while token <= last:
        if token > first:
            push_bytes(&d.words, b" ", 1)
        push_span(&d.words, token)
        token += 1
    if quoted:
        (<uint8_t *> d.words.data)[start] = (<uint8_t *> d.words.data)[d.words.used - 1] = c'"'
    else:
        push_bytes(&d.words, b'"', 1)
    node.words, node.length = start, d.words.used - start


cdef inline int add_box(Document *d, int32_t word, int64_t step, Place at) except -1 nogil:
    """A box that hangs on another one, ``step`` (below 0: backwards) from the next; 0: on none."""
    cdef int64_t box = d.current + step + 1
    if step:
        add_edge(d, A_BOX, max(0, box), A_BOX, d.n_boxes, word, at)
    add_thing(d, A_BOX)


cdef inline int64_t name_end(const Document *d, int64_t i) noexcept nogil:
    """Number of the token with which the name that begins at token ``i`` ends; −1: none ends with a quote."""
    cdef const Span *tokens = <const Span *> d.tokens.data
    if tokens[i].stop - tokens[i].start == 1 or tokens[i].stop[-1] != c'"':
        i += 1
        while i < d.tokens.used and tokens[i].stop[-1] != c'"':
            i += 1
    return i if i < d.tokens.used else -1


# The graph ------------------------------------------------------------------------------------------------------------

cdef inline int64_t node_of(const Document *d, int kind, int64_t number) noexcept nogil:
    """The node with this number among those of its kind, or −1. (Constants have their node already.)"""
    cdef const Column *numbers = &d.boxes if kind == A_BOX else &d.concepts
    if number < 0 or number >= numbers.used:
        return -1
    return (<const int32_t *> numbers.data)[number]


cdef inline int link(Document *d) except -1 nogil:
    """Resolve the ends of edges, chain them at their sources, and refuse what is no graph of the notation."""
    cdef Node *nodes = <Node *> d.things.data
    cdef Edge *edges = <Edge *> d.edges.data
    cdef int64_t i, e, n = d.edges.used, source, target, constants = 0
    if d.ill >= 0 and not d.ill_formed:
        return refuse(d, F_ILL, d.ill)
    reserve(&d.sorted, d.things.used, sizeof(int64_t))
    # the nodes of constants, in their order
    for i in range(d.things.used):
        if nodes[i].kind == A_CONSTANT:
            (<int64_t *> d.sorted.data)[constants] = i
            constants += 1
    for e in range(n):
        source = node_of(d, edges[e].source_kind, edges[e].source)
        if edges[e].kind == A_CONSTANT:
            target = (<const int64_t *> d.sorted.data)[edges[e].target]
        else:
            target = node_of(d, edges[e].kind, edges[e].target)
        if source < 0 or target < 0:
            if d.program == DEFAULT and edges[e].kind == A_CONCEPT and source >= 0:
                if d.ill_formed:
                    index_as_constant(d, e)
                    nodes = <Node *> d.things.data
                    target = d.things.used - 1
                else:
                    return refuse(d, F_ILL, edges[e].at)
            else:
                return refuse(d, F_NOWHERE, edges[e].at)
        edges[e].source = <int32_t> source
        edges[e].target = <int32_t> target
        nodes[target].reached = True
    if d.program != DEFAULT:
        join_parallel(d)
    e = n
    while e > 0:
        e -= 1
        if edges[e].word >= -1:
            edges[e].following = nodes[edges[e].source].first
            nodes[edges[e].source].first = <int32_t> e
    return look_for_cycle(d)


cdef inline int index_as_constant(Document *d, int64_t e) except -1 nogil:
    """Give an edge that points nowhere a constant with its index as a target."""
    cdef Edge *edge = <Edge *> d.edges.data + e
    cdef Node *node = add_thing(d, A_CONSTANT)
    cdef Place token = d.text + edge.at
    node.words = d.words.used
    push_bytes(&d.words, b'"', 1)
    push_bytes(&d.words, token, word_end(token, d.text + d.stop) - token)
    push_bytes(&d.words, b'"', 1)
    node.length = d.words.used - node.words
    edge.kind = A_CONSTANT


cdef inline int join_parallel(Document *d) except -1 nogil:
    """Of the edges from one node to another, leave the first, with the word of the last.

    A graph in which an edge is known by its ends has room for one.
    """
    cdef Edge *edges = <Edge *> d.edges.data
    cdef int64_t e, i, first = 0, n = d.edges.used
    d.sorted.used = 0
    reserve(&d.sorted, 4 * n, sizeof(int64_t))
    cdef Pair *pairs = <Pair *> d.sorted.data
    for e in range(n):
        pairs[e] = Pair(packed(edges[e].source, edges[e].target), e)
    sort_pairs(pairs, n, pairs + n)
    for i in range(1, n):
        if pairs[i].major == pairs[first].major:
            edges[pairs[first].minor].word = edges[pairs[i].minor].word
            edges[pairs[i].minor].word = -2
        else:
            first = i


cdef inline int look_for_cycle(Document *d) except -1 nogil:
    cdef Node *nodes = <Node *> d.things.data
    cdef const Edge *edges = <const Edge *> d.edges.data
    cdef int64_t i, depth
    cdef int32_t *stack
    cdef int32_t e
    reserve(&d.stack, d.things.used, sizeof(int32_t))
    stack = <int32_t *> d.stack.data
    for i in range(d.things.used):
        nodes[i].cursor = nodes[i].first
    for i in range(d.things.used):
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
                return refuse(d, F_CYCLE, edges[e].at)
            if nodes[edges[e].target].state == 0:
                nodes[edges[e].target].state = 1
                stack[depth] = edges[e].target
                depth += 1
    return FINISHED


cdef inline int64_t find_root(const Document *d) noexcept nogil:
    """The first node that no edge leads to; the oldest programs always begin with the first box."""
    cdef const Node *nodes = <const Node *> d.things.data
    cdef int64_t i = 0
    if d.program < EVALUATION:
        while nodes[i].reached:
            i += 1      # a graph without cycles has one
    return i
