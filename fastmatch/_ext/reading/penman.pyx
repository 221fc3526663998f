# cython: language_level=3
"""The reader of the dialect ``penman``: Penman notation as ``penman.load`` reads it with its AMR model.

::

    graph := comment* node
    node  := "(" [symbol ["/" [(symbol | string) [alignment]]] edge*] ")"
    edge  := role [alignment] [(symbol | string) [alignment] | node]

The tokens are found in ``tokens.pxd``.

The target of an edge may be a variable that the text introduces only later: ``(w :ARG0 b :ARG1 (b / boy))``. So the
reader keeps the edges of a graph in a list. When the last bracket closes, it makes a relation or an attribute of each.

A node without "/" gets the triple (variable, :instance, nothing), at the place where the node begins. If the node has a
role ``:instance`` after all, the row of this triple is marked when the role is read. It is taken out when the graph is
finished, and the positions of the other triples close up.

After an error
--------------
The reader goes on where the next graph seems to begin (``borders.pxd``). A graph that lacks a bracket may already have
taken the next block of lines for a child: ``(a / x :ARG0``, a blank line, ``(b / y)``. The reader then goes back to the
first block that the graph swallowed. From there up to the place of the error a blank line and a bracket end a graph in
any case (``strict``). Without that rule the same text could be read over and over.
"""

cimport cython
from libc.stdint cimport int32_t, int64_t, uint32_t, uint64_t
from libc.stdlib cimport qsort
from libc.string cimport memset

from fastmatch._ext.reading cimport reader
from fastmatch._ext.base.lines cimport Place, line_end
from fastmatch._ext.reading.borders cimport after_blank, announces_graph, first_border, next_border
from fastmatch._ext.reading.reader cimport (
    FAULTY, FINISHED, PAUSED, F_CLOSE, F_JUNK, F_OWN, F_SIZE, F_UTF8, close_up, last_graph, variable_of,
)
from fastmatch._ext.base.columns cimport Column, fresh, push, push_int32, release_all
from fastmatch._ext.reading.rows cimport (
    MOST_ROWS, GraphRow, InstanceRow, add_attribute, add_instance, add_relation, add_surface,
)
from fastmatch._ext.reading.tokens cimport (
    KIND, K_CLOSE, K_COLON, K_END, K_HASH, K_OPEN, K_PLAIN, K_QUOTE, K_SLASH, K_SPACE, K_TILDE, Cursor,
    alignment_end, is_instance, may_invert, skip_space, string_end, symbol_end,
)

# What is said of a fence: models put graphs between them.
cdef str FENCE = "; fm.extract (--extract, where answers are in fields) finds the graph of an answer"

cdef enum Fault:
    F_VARIABLE = F_OWN, F_ROLE, F_TARGET, F_OPEN_AT_END, F_OPEN_AT_BLOCK

cdef enum:
    # what an alignment belongs to: the part of a surface row
    OF_TARGET = 0               # or of a concept
    OF_ROLE = 1

cdef struct Edge:
    int32_t source
    int32_t role                # id; of a role that may be inverted, the id without its -of
    int32_t target              # local variable when nested, else id of the string or -1
    int32_t position
    int32_t kind                # sum of E_...
    int32_t role_length         # the role as written, needed again when it turns out not to be inverted
    Place role_text

cdef enum:
    E_NESTED = 1, E_OF = 2, E_INSTANCE = 4

cdef struct Frame:              # a node whose bracket is open
    int32_t variable
    int64_t placeholder         # row of its (variable, :instance, nothing), which may have to go; or -1

cdef struct Draft:              # the graph that is being read
    uint64_t stamp              # what its variables are marked with in the interner
    int64_t first_variable
    int32_t position            # of the next triple
    int32_t nameless            # local variable of the nodes ``()``, or -1: there is none yet
    bint strict                 # a blank line and a bracket end it
    bint has_gaps               # some instance rows are marked as taken out


cdef int by_position(const void *a, const void *b) noexcept nogil:
    cdef int32_t x = (<const InstanceRow *>a).position, y = (<const InstanceRow *>b).position
    return (x > y) - (x < y)


@cython.final
cdef class Reader(reader.Reader):
    """The dialect ``penman``; see the top of this module."""

    cdef Column edges, frames, shifts       # scratch of the graph that is being read
    cdef int64_t strict                     # up to here, blocks are hard borders

    def __dealloc__(self):
        release_all(&self.edges, &self.shifts)

    cdef void restart(self) noexcept nogil:
        self.strict = 0

    cdef bint settled(self) noexcept nogil:
        return reader.Reader.settled(self) and self.strict <= self.position

    cdef int scan(self, int64_t limit) except -1 nogil:
        """Read up to ``limit`` graphs from ``self.position`` on. The interner's lock is held."""
        cdef Cursor at
        cdef Place before, stop
        at.p = self.text + self.position
        at.end = self.text + self.size
        at.line = self.line
        while True:
            if limit == 0:
                self.position = at.p - self.text
                self.line = at.line
                return PAUSED
            before = at.p
            skip_space(&at)
            if self.attached and at.p != before and after_blank(self.text, at.p):
                self.attached = False
            if at.kind == K_OPEN:
                self.begin = at.p - self.text
                self.begin_line = at.line
                if scan_graph(self, &at) == FAULTY:
                    return FAULTY
                self.attached = True
                self.anchor = at.p - self.text
                self.anchor_line = at.line
                limit -= 1
            elif at.kind == K_HASH:
                stop = line_end(at.p, at.end)
                self.add_comment(at.p, stop - at.p)
                at.p = stop
                self.attached = False
            elif at.kind == K_END:
                self.position = self.size
                self.line = at.line
                return FINISHED
            else:
                self.begin = at.p - self.text
                self.begin_line = at.line
                return self.fail(F_CLOSE if at.kind == K_CLOSE else F_JUNK, self.begin)

    cdef int finish_graph(self, Place end, Draft draft) except -1 nogil:
        """Make rows of the edges of the graph that ends at ``end``, and the graph's own row; returns a Status."""
        cdef bint unordered = False
        cdef int64_t first, n
        if self.invalid < end - self.text:
            return self.fail(F_UTF8, self.invalid)
        self.settle(&draft, &unordered)
        if unordered:
            first = last_graph(self).instances
            n = self.instances.used - first
            qsort(<InstanceRow *>self.instances.data + first, n, sizeof(InstanceRow), by_position)
        if draft.has_gaps:
            self.close_gaps(draft.position)
        self.close_graph(0)
        return FINISHED

    cdef int settle(self, const Draft *draft, bint *unordered) except -1 nogil:
        """Sort the edges of the graph into relations, attributes and instances, now that all variables are known.

        ``unordered`` becomes True if instances are no longer in text order.
        """
        cdef const int32_t *names = <const int32_t *>self.variables.data + draft.first_variable
        cdef const Edge *edge = <const Edge *>self.edges.data
        cdef const Edge *end = edge + self.edges.used
        cdef uint64_t mark
        cdef int32_t variable, role
        cdef bint inverted
        if self.interner.marks_capacity < self.interner.count:
            self.interner.reserve_marks()
        while edge < end:
            role = edge.role
            if edge.kind & E_NESTED:
                variable = edge.target
                inverted = edge.kind & E_OF != 0
            elif edge.target < 0:
                variable = draft.nameless   # no target: the node without a variable, if there is one
                inverted = False
            else:
                mark = self.interner.marks[edge.target]
                variable = <int32_t><uint32_t>mark if mark >> 32 == draft.stamp else -1
                inverted = variable >= 0 and edge.kind & E_OF != 0
            if edge.kind & E_INSTANCE and (inverted or not edge.kind & E_OF):
                unordered[0] = True
                if inverted:
                    add_instance(&self.instances, variable, names[edge.source], edge.position)
                else:
                    add_instance(
                        &self.instances, edge.source, names[variable] if edge.kind & E_NESTED else edge.target,
                        edge.position,
                    )
            elif inverted:
                add_relation(&self.relations, variable, role, edge.source, edge.position, 1)
            else:
                if edge.kind & E_OF:
                    role = self.interner.add(edge.role_text, edge.role_length)
                    if self.interner.marks_capacity < self.interner.count:
                        self.interner.reserve_marks()
                if variable >= 0:
                    add_relation(&self.relations, edge.source, role, variable, edge.position, 0)
                else:
                    add_attribute(&self.attributes, edge.source, role, edge.target, edge.position)
            edge += 1

    cdef int close_gaps(self, int32_t positions) except -1 nogil:
        """Remove the instance rows that were marked (variable -1), and close the gaps in the positions."""
        cdef GraphRow first = last_graph(self)
        cdef int64_t i, kept = first.instances
        cdef InstanceRow *instances = <InstanceRow *>self.instances.data
        cdef int32_t *shift = <int32_t *>fresh(&self.shifts, positions, sizeof(int32_t))
        memset(shift, 0, positions * sizeof(int32_t))
        for i in range(first.instances, self.instances.used):
            if instances[i].variable < 0:
                shift[instances[i].position] = 1
            else:
                instances[kept] = instances[i]
                kept += 1
        self.instances.used = kept
        close_up(self, shift, positions)

    # After an error ----------------------------------------------------------------------------------------------

    cdef void blame(self, int *code, int64_t *at) noexcept nogil:
        cdef Place end = self.text + self.size
        cdef int64_t line = self.begin_line
        if code[0] == F_ROLE and announces_graph(self.text, self.text + at[0], end):
            code[0] = F_OPEN_AT_BLOCK
        if code[0] != F_OPEN_AT_END and code[0] != F_OPEN_AT_BLOCK:
            return
        while code[0] == F_OPEN_AT_END and at[0] > 0 and KIND[self.text[at[0] - 1]] == K_SPACE:
            at[0] -= 1      # the end of the last line that says something
        # name the first block that the graph swallowed, not the last
        cdef Place border = first_border(self.text + self.begin, self.text + self.fault_at, end, &line)
        if border != NULL:
            code[0], at[0] = F_OPEN_AT_BLOCK, border - self.text

    cdef void recover(self) noexcept nogil:
        """Set position and line to where reading goes on after an error.

        That is the first of: a block (after a blank line) inside the broken graph that begins with ``(`` or ``#``;
        after the error, a line that follows a blank line and cannot continue a graph (continuations begin with one of
        ``: ) / ~ "``); or a line with ``(`` in its first column, unless a role waits for it, or with metadata.
        """
        cdef Place end = self.text + self.size, fault = self.text + self.fault_at
        cdef int64_t line = self.begin_line
        cdef Place p = first_border(self.text + self.begin, fault, end, &line)
        if p != NULL:
            self.strict = max(self.strict, self.fault_at)
        else:
            line = self.begin_line
            p = next_border(self.text, self.text + self.begin, fault, end, &line)
        self.position = p - self.text
        self.line = line

    cdef str token_at(self, int64_t at):
        """The token at a place, for a message."""
        cdef Place p = self.text + at, end = self.text + self.size, q = p + 1
        if p >= end:
            return "the end of the text"
        cdef int kind = KIND[p[0]]
        if kind == K_QUOTE:
            if (q := string_end(p, end)) == NULL:
                return "a string that does not end on its line"
        elif kind == K_HASH:
            return "a comment inside a graph"
        elif kind == K_TILDE:
            if (q := alignment_end(p, end)) == NULL:
                return "'~' without an alignment such as ~e.3,4"
        elif kind == K_COLON or kind == K_PLAIN:
            q = symbol_end(q, end)
        token = (<const char *>p)[:q - p if q - p < 200 else 200].decode("utf-8", "replace")
        return repr(token if len(token) <= 40 else token[:37] + "...")

    cdef str describe(self, int code, int64_t at):
        cdef Edge *edge
        if code == F_VARIABLE:
            return f"expected a variable or ')' after '(', found {self.token_at(at)}"
        if code == F_ROLE:
            return f"expected a role or ')', found {self.token_at(at)}"
        if code == F_TARGET:
            edge = <Edge *>self.edges.data + (self.edges.used - 1)
            role = self.token_at(edge.role_text - self.text)
            return f"role {role} has no target: expected a variable, a constant or '(', found {self.token_at(at)}"
        if code == F_OPEN_AT_END or code == F_OPEN_AT_BLOCK:
            where = "the text ends" if code == F_OPEN_AT_END else "a new graph begins"
            return f"{where}, but the graph of line {self.begin_line} is not closed; expected ')'"
        if code == F_JUNK:
            token = self.token_at(at)
            return f"expected '(' or a comment outside a graph, found {token}" + (FENCE if "```" in token else "")
        return reader.Reader.describe(self, code, at)


# One graph ------------------------------------------------------------------------------------------------------------
#
# Functions and not methods: each is called in one place, and the compiler then makes one loop of them, which it does
# not do with methods. Those that return a Status return FINISHED, or FAULTY after an error, which they have noted.

cdef inline int32_t intern(Reader self, Place token, int64_t length) except -1 nogil:
    """Id of a token.

    A graph with bytes that are no UTF-8 is refused when it ends. Until then its tokens stand for nothing: a vocabulary
    holds text only.
    """
    if token + length - self.text > self.invalid:
        length = 0
    return self.interner.add(token, length)


cdef int scan_graph(Reader self, Cursor *at) except -1 nogil:
    """Read the graph that begins at the bracket under the cursor, and leave the cursor behind it."""
    cdef Draft draft
    cdef Edge *edge = NULL      # leads to the node under the cursor
    if self.interner.marks == NULL:
        self.interner.reserve_marks()
    draft.stamp = self.interner.new_stamp()
    draft.first_variable = self.variables.used
    draft.position = 0
    draft.nameless = -1
    draft.strict = self.begin < self.strict
    draft.has_gaps = False
    self.edges.used = self.frames.used = 0
    while True:
        if scan_node(self, at, &draft, edge) == FAULTY:
            return FAULTY
        while True:
            if at.kind == K_COLON:
                if scan_edge(self, at, &draft, &edge) == FAULTY:
                    return FAULTY
                if edge.kind & E_NESTED:
                    break
            elif at.kind == K_CLOSE:
                at.p += 1
                self.frames.used -= 1
                if self.frames.used == 0:
                    return self.finish_graph(at.p, draft)
                skip_space(at)
            elif at.kind == K_END:
                return self.fail(F_OPEN_AT_END, at.p - self.text)
            elif (at.kind == K_OPEN or at.kind == K_HASH) and after_blank(self.text, at.p):
                return self.fail(F_OPEN_AT_BLOCK, at.p - self.text)
            else:
                return self.fail(F_ROLE, at.p - self.text)


cdef int scan_node(Reader self, Cursor *at, Draft *draft, Edge *edge) except -1 nogil:
    """Read the variable and the concept of the node whose bracket is under the cursor, and open a frame for it.

    ``edge`` leads to the node; NULL at the root. The cursor is then at the node's first role or closing bracket.
    """
    cdef int32_t variable, concept = -1
    at.p += 1
    skip_space(at)
    if draft.position >= MOST_ROWS:
        return self.fail(F_SIZE, self.begin)
    if at.kind != K_PLAIN and at.kind != K_CLOSE:
        return self.fail(F_VARIABLE, at.p - self.text)
    variable = scan_variable(self, at, draft)
    if edge != NULL:
        edge.target = variable
    cdef Frame *frame = <Frame *>push(&self.frames, sizeof(Frame))
    frame.variable = variable
    frame.placeholder = -1
    if at.kind != K_SLASH:
        frame.placeholder = self.instances.used
    elif scan_concept(self, at, draft, &concept) == FAULTY:
        return FAULTY
    add_instance(&self.instances, variable, concept, draft.position)
    draft.position += 1
    return FINISHED


cdef int32_t scan_variable(Reader self, Cursor *at, Draft *draft) except -1 nogil:
    """Read the symbol under the cursor, if there is one; returns the local variable."""
    cdef Place token = at.p
    cdef int32_t name
    if at.kind == K_PLAIN:
        at.p = symbol_end(at.p, at.end)
        name = intern(self, token, at.p - token)
        skip_space(at)
        return variable_of(self, name, draft.stamp, draft.first_variable)
    # () is a node with neither variable nor concept; penman takes all of those for the same node
    if draft.nameless < 0:
        push_int32(&self.variables, -1)
        draft.nameless = <int32_t>(self.variables.used - 1 - draft.first_variable)
    return draft.nameless


cdef int scan_concept(Reader self, Cursor *at, Draft *draft, int32_t *concept) except -1 nogil:
    """Read the concept behind the slash under the cursor: its id goes to ``concept`` unless there is none."""
    at.p += 1
    skip_space(at)
    cdef Place token = at.p
    if at.kind != K_PLAIN and at.kind != K_QUOTE:
        return FINISHED
    at.p = symbol_end(token, at.end) if at.kind == K_PLAIN else string_end(token, at.end)
    if at.p == NULL:
        return self.fail(F_ROLE, token - self.text)
    concept[0] = intern(self, token, at.p - token)
    return scan_alignment(self, at, draft.position, OF_TARGET)


cdef int scan_edge(Reader self, Cursor *at, Draft *draft, Edge **edge) except -1 nogil:
    """Read the role under the cursor and its target, but of a node no more than that there is one (``E_NESTED``)."""
    if draft.position >= MOST_ROWS:
        return self.fail(F_SIZE, self.begin)
    edge[0] = <Edge *>push(&self.edges, sizeof(Edge))
    scan_role(self, at, draft, edge[0])
    if scan_target(self, at, draft, edge[0]) == FAULTY:
        return FAULTY
    draft.position += 1
    return FINISHED


cdef int scan_target(Reader self, Cursor *at, Draft *draft, Edge *edge) except -1 nogil:
    """Read what stands under the cursor as the target of ``edge``, which may be nothing."""
    cdef Place token = at.p
    if at.kind == K_OPEN:
        if draft.strict and after_blank(self.text, at.p):
            return self.fail(F_OPEN_AT_BLOCK, at.p - self.text)
        edge.kind |= E_NESTED
        return FINISHED
    if at.kind == K_COLON or at.kind == K_CLOSE:
        return FINISHED
    if at.kind != K_PLAIN and at.kind != K_QUOTE:
        return self.fail(F_OPEN_AT_END if at.kind == K_END else F_TARGET, at.p - self.text)
    at.p = symbol_end(token, at.end) if at.kind == K_PLAIN else string_end(token, at.end)
    if at.p == NULL:
        return self.fail(F_TARGET, token - self.text)
    edge.target = intern(self, token, at.p - token)
    return scan_alignment(self, at, draft.position, OF_TARGET)


cdef int scan_role(Reader self, Cursor *at, Draft *draft, Edge *edge) except -1 nogil:
    """Read the role under the cursor into ``edge``, which has no target then."""
    cdef Frame *frame = <Frame *>self.frames.data + (self.frames.used - 1)
    cdef Place token = at.p
    cdef int64_t length, stem
    at.p = symbol_end(at.p + 1, at.end)
    length = stem = at.p - token
    edge.kind = 0
    if may_invert(token, length):
        edge.kind = E_OF
        stem = length - 3
    if is_instance(token, stem):
        edge.kind |= E_INSTANCE
        if frame.placeholder >= 0 and stem == length:
            (<InstanceRow *>self.instances.data)[frame.placeholder].variable = -1
            frame.placeholder = -1
            draft.has_gaps = True
    edge.source = frame.variable
    edge.role = intern(self, token, stem)
    edge.target = -1
    edge.position = draft.position
    edge.role_text = token
    edge.role_length = <int32_t>length
    return scan_alignment(self, at, draft.position, OF_ROLE)


cdef inline int scan_alignment(Reader self, Cursor *at, int32_t position, int32_t part) except -1 nogil:
    """Go to the next token; if that is an alignment, read it and go to the one behind it."""
    skip_space(at)
    if at.kind == K_TILDE:
        note_alignment(self, at, position, part)
        skip_space(at)
    return FINISHED


cdef int note_alignment(Reader self, Cursor *at, int32_t position, int32_t part) except -1 nogil:
    """Add the alignment at the tilde under the cursor, if it is one, and leave the cursor behind it."""
    cdef Place stop = alignment_end(at.p, at.end)
    if stop != NULL:
        add_surface(&self.surface, position, part, intern(self, at.p, stop - at.p))
        at.p = stop
