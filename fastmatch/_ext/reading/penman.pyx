# cython: language_level=3
"""Penman notation as ``penman.load`` reads it with its AMR model.

::

    graph := comment* node
    node  := "(" [symbol ["/" [(symbol | string) [alignment]]] edge*] ")"
    edge  := role [alignment] [(symbol | string) [alignment] | node]

Whether the target of an edge is a variable is known only when the whole graph has been read (``(w :ARG0 b :ARG1 (b /
boy))``), so edges wait in a list until then and are sorted into relations and attributes at the closing bracket of the
graph.

A node without "/" gets a triple (variable, :instance, nothing) in the place where the node begins, unless it turns out
to have a role ``:instance``; the row is then taken out again at the end.

After an error
--------------
A graph that cannot be read ends where the next one seems to begin; ``recover`` says what seems to. When a graph lacks a
bracket, the grammar may swallow the next block as its child before it notices (``(a / x :ARG0`` blank line ``(b /
y)``); the reader then goes back to the first block that it swallowed and from there up to the place of the error takes
blocks as hard borders, so that no text is read three times.
"""

cimport cython
from libc.stdint cimport int32_t, int64_t, uint8_t, uint32_t, uint64_t
from libc.stdlib cimport qsort
from libc.string cimport memcmp, memcpy

from fastmatch._ext.reading cimport reader
from fastmatch._ext.base.lines cimport line_end, next_line
from fastmatch._ext.reading.reader cimport FAULTY, FINISHED, PAUSED, F_CLOSE, F_JUNK, F_MEMORY, F_OWN, F_SIZE, F_UTF8
from fastmatch._ext.base.columns cimport Column, add_int32, release, room
from fastmatch._ext.reading.rows cimport (
    MOST_ROWS, AttributeRow, GraphRow, InstanceRow, RelationRow, SurfaceRow, add_attribute, add_instance, add_relation,
    add_surface,
)

cdef enum Kind:
    # What a byte begins. From K_HASH on a byte may stand inside a symbol.
    K_SPACE
    K_END
    K_OPEN
    K_CLOSE
    K_SLASH
    K_COLON
    K_QUOTE
    K_TILDE
    K_HASH
    K_PLAIN

cdef uint8_t KIND[256]
for _code in range(256):
    KIND[_code] = K_PLAIN
for _code in (9, 10, 11, 12, 13, 32):
    KIND[_code] = K_SPACE
KIND[c"("] = K_OPEN
KIND[c")"] = K_CLOSE
KIND[c"/"] = K_SLASH
KIND[c":"] = K_COLON
KIND[c'"'] = K_QUOTE
KIND[c"~"] = K_TILDE
KIND[c"#"] = K_HASH

cdef enum Fault:
    F_VARIABLE = F_OWN
    F_ROLE
    F_TARGET
    F_OPEN_AT_END
    F_OPEN_AT_BLOCK

cdef struct Edge:
    int32_t source
    int32_t role            # id; of a role that may be inverted, the id without its -of
    int32_t target          # local variable when nested, else id of the string or -1
    int32_t position
    int32_t kind            # sum of E_...
    int32_t role_length     # the role as written, needed again when it turns out not to be inverted
    const uint8_t *role_text

cdef enum:
    E_NESTED = 1
    E_OF = 2
    E_INSTANCE = 4

cdef struct Frame:
    int32_t variable
    int32_t placeholder     # row of the (variable, :instance, nothing) that may have to go, or -1

cdef struct Cursor:
    const uint8_t *p
    const uint8_t *end
    int64_t line


cdef int by_position(const void *a, const void *b) noexcept nogil:
    cdef int32_t x = (<const InstanceRow *>a).position, y = (<const InstanceRow *>b).position
    return (x > y) - (x < y)


cdef inline int skip_space(Cursor *at) noexcept nogil:
    """Go to the next token; returns what it begins with, or K_END."""
    cdef int kind
    cdef uint8_t c
    cdef uint64_t word
    while at.p < at.end:
        c = at.p[0]
        kind = KIND[c]
        if kind != K_SPACE:
            return kind
        at.p += 1
        if c == c"\n":
            at.line += 1
            # indentation: usually a good part of the text
            while at.end - at.p >= 8:
                memcpy(&word, at.p, 8)
                if word != <uint64_t>0x2020202020202020:
                    break
                at.p += 8
        elif c == c"\r":
            at.line += 1
            if at.p < at.end and at.p[0] == c"\n":
                at.p += 1
    return K_END


cdef inline const uint8_t *symbol_end(const uint8_t *p, const uint8_t *end) noexcept nogil:
    while p < end and KIND[p[0]] >= K_HASH:
        p += 1
    return p


cdef inline const uint8_t *string_end(const uint8_t *p, const uint8_t *end) noexcept nogil:
    """Behind the closing quote of the string at p, or NULL: it has to close on its line."""
    p += 1
    while p < end:
        if p[0] == c'"':
            return p + 1
        if p[0] == c"\\":
            p += 1
            if p == end:
                return NULL
        if p[0] == c"\n" or p[0] == c"\r":
            return NULL
        p += 1
    return NULL


cdef inline const uint8_t *digits_end(const uint8_t *p, const uint8_t *end) noexcept nogil:
    while p < end and c"0" <= p[0] <= c"9":
        p += 1
    return p


cdef inline const uint8_t *alignment_end(const uint8_t *p, const uint8_t *end) noexcept nogil:
    """Behind the alignment (``~e.1,4``, ``~e1``, ``~3``) that begins with the tilde at p, or NULL: it is none."""
    cdef const uint8_t *q
    p += 1
    if p < end and c"a" <= p[0] <= c"z":
        p += 1
        if p < end and p[0] == c".":
            p += 1
    q = digits_end(p, end)
    if q == p:
        return NULL
    while q < end and q[0] == c",":
        p = q + 1
        q = digits_end(p, end)
        if q == p:
            return p - 1
    return q


cdef inline bint may_invert(const uint8_t *role, int64_t length) noexcept nogil:
    """Whether a role (with its colon) ends in -of without being itself a role of the AMR model."""
    if length < 4 or role[length - 1] != c"f" or role[length - 2] != c"o" or role[length - 3] != c"-":
        return False
    if length == 11:
        return memcmp(role, b":consist-of", 11) != 0
    if length == 12:
        return memcmp(role, b":prep-out-of", 12) != 0
    if length == 18:
        return memcmp(role, b":prep-on-behalf-of", 18) != 0
    return True


cdef inline bint is_instance(const uint8_t *role, int64_t length) noexcept nogil:
    return length == 9 and memcmp(role, b":instance", 9) == 0


@cython.final
cdef class Reader(reader.Reader):
    """The dialect ``penman``; see the top of this module."""

    cdef Column edges, frames, shifts       # scratch of the graph that is being read
    cdef int64_t strict                     # up to here, blocks are hard borders

    def __dealloc__(self):
        release(&self.edges)
        release(&self.frames)
        release(&self.shifts)

    cdef void restart(self) noexcept nogil:
        self.strict = 0

    cdef inline int32_t variable_of(self, int32_t name, uint64_t stamp, int64_t first) noexcept nogil:
        """Local index of a variable, which is made if it is new; -1: out of memory."""
        cdef uint64_t mark
        if name >= self.interner.marks_capacity and not self.interner.reserve_marks():
            return -1
        mark = self.interner.marks[name]
        if mark >> 32 == stamp:
            return <int32_t><uint32_t>mark
        self.interner.marks[name] = (stamp << 32) | <uint64_t>(self.variables.used - first)
        if not add_int32(&self.variables, name):
            return -1
        return <int32_t>(self.variables.used - 1 - first)

    cdef bint after_blank(self, const uint8_t *p) noexcept nogil:
        """Whether p is the first thing on its line and the line before it is blank."""
        cdef int breaks = 0
        while p > self.text and KIND[p[-1]] == K_SPACE:
            p -= 1
            if p[0] == c"\n":
                breaks += 1
                if p > self.text and p[-1] == c"\r":
                    p -= 1
            elif p[0] == c"\r":
                breaks += 1
            if breaks == 2:
                return True
        return False

    cdef int scan(self, int64_t limit) noexcept nogil:
        """Read up to ``limit`` graphs from ``self.position`` on. The interner's lock is held."""
        cdef Cursor at
        cdef const uint8_t *stop
        cdef const uint8_t *token
        cdef int kind, status
        at.p = self.text + self.position
        at.end = self.text + self.size
        at.line = self.line
        while True:
            if limit == 0:
                self.position = at.p - self.text
                self.line = at.line
                return PAUSED
            token = at.p
            kind = skip_space(&at)
            if self.attached and at.p != token and self.after_blank(at.p):
                self.attached = False
            if kind == K_OPEN:
                self.begin = at.p - self.text
                self.begin_line = at.line
                status = self.scan_graph(&at)
                if status == FAULTY:
                    return status
                self.attached = True
                self.anchor = at.p - self.text
                self.anchor_line = at.line
                limit -= 1
            elif kind == K_HASH:
                stop = line_end(at.p, at.end)
                if not self.add_comment(at.p, stop - at.p):
                    return self.fail(F_MEMORY, at.p - self.text)
                at.p = stop
                self.attached = False
            elif kind == K_END:
                self.position = self.size
                self.line = at.line
                return FINISHED
            else:
                self.begin = at.p - self.text
                self.begin_line = at.line
                return self.fail(F_CLOSE if kind == K_CLOSE else F_JUNK, self.begin)

    cdef int scan_graph(self, Cursor *at) noexcept nogil:
        """Read the graph that begins at the bracket under the cursor, and leave the cursor behind it."""
        cdef uint64_t stamp
        cdef const uint8_t *token
        cdef const uint8_t *role_text
        cdef int64_t role_length
        cdef int64_t first_variable = self.variables.used, first_instance = self.instances.used
        cdef int32_t position = 0, variable, name, concept, role = 0, target, text, none = -1
        cdef int kind, flags = 0, removed = 0
        cdef bint strict = self.begin < self.strict
        cdef bint unordered = False
        cdef Frame *frame
        cdef Edge *edge = NULL
        if self.interner.marks == NULL and not self.interner.reserve_marks():
            return self.fail(F_MEMORY, self.begin)
        stamp = self.interner.new_stamp()
        self.edges.used = 0
        self.frames.used = 0
        at.p += 1
        while True:
            # A node, behind its bracket; ``edge`` is the edge to it.
            kind = skip_space(at)
            if position >= MOST_ROWS:
                return self.fail(F_SIZE, self.begin)
            if kind == K_CLOSE:
                # () is a node with neither variable nor concept; penman takes all of those for the same node
                if none < 0:
                    none = <int32_t>(self.variables.used - first_variable)
                    if not add_int32(&self.variables, -1):
                        return self.fail(F_MEMORY, self.begin)
                variable = none
            elif kind == K_PLAIN:
                token = at.p
                at.p = symbol_end(at.p, at.end)
                name = self.interner.add(token, at.p - token)
                if name < 0:
                    return self.fail(F_MEMORY, self.begin)
                variable = self.variable_of(name, stamp, first_variable)
                if variable < 0:
                    return self.fail(F_MEMORY, self.begin)
            else:
                return self.fail(F_VARIABLE, at.p - self.text)
            if edge != NULL:
                edge.target = variable
                edge = NULL
            if not room(&self.frames, 1, sizeof(Frame)):
                return self.fail(F_MEMORY, self.begin)
            frame = <Frame *>self.frames.data + self.frames.used
            self.frames.used += 1
            frame.variable = variable
            frame.placeholder = -1
            if kind == K_PLAIN:
                kind = skip_space(at)
            concept = -1
            if kind == K_SLASH:
                at.p += 1
                kind = skip_space(at)
                token = at.p
                if kind == K_PLAIN:
                    at.p = symbol_end(at.p, at.end)
                elif kind == K_QUOTE:
                    at.p = string_end(at.p, at.end)
                    if at.p == NULL:
                        return self.fail(F_ROLE, token - self.text)
                if at.p != token:
                    concept = self.interner.add(token, at.p - token)
                    if concept < 0:
                        return self.fail(F_MEMORY, self.begin)
                    kind = skip_space(at)
                    if kind == K_TILDE:
                        token = alignment_end(at.p, at.end)
                        if token != NULL:
                            text = self.interner.add(at.p, token - at.p)
                            if text < 0 or not add_surface(&self.surface, position, 0, text):
                                return self.fail(F_MEMORY, self.begin)
                            at.p = token
                            kind = skip_space(at)
            else:
                frame.placeholder = <int32_t>(self.instances.used - first_instance)
            if not add_instance(&self.instances, variable, concept, position):
                return self.fail(F_MEMORY, self.begin)
            position += 1

            # Its edges. ``kind`` is the token under the cursor.
            while True:
                if kind == K_COLON:
                    if position >= MOST_ROWS:
                        return self.fail(F_SIZE, self.begin)
                    role_text = at.p
                    at.p = symbol_end(at.p + 1, at.end)
                    role_length = at.p - role_text
                    flags = 0
                    if may_invert(role_text, role_length):
                        flags = E_OF
                        role = self.interner.add(role_text, role_length - 3)
                        if is_instance(role_text, role_length - 3):
                            flags |= E_INSTANCE
                    else:
                        role = self.interner.add(role_text, role_length)
                        if is_instance(role_text, role_length):
                            flags = E_INSTANCE
                            if frame.placeholder >= 0:
                                (<InstanceRow *>self.instances.data)[first_instance + frame.placeholder].variable = -1
                                frame.placeholder = -1
                                removed += 1
                    if role < 0 or not room(&self.edges, 1, sizeof(Edge)):
                        return self.fail(F_MEMORY, self.begin)
                    edge = <Edge *>self.edges.data + self.edges.used
                    self.edges.used += 1
                    edge.source = frame.variable
                    edge.role = role
                    edge.target = -1
                    edge.position = position
                    edge.role_text = role_text
                    edge.role_length = <int32_t>role_length
                    kind = skip_space(at)
                    if kind == K_TILDE:
                        token = alignment_end(at.p, at.end)
                        if token != NULL:
                            text = self.interner.add(at.p, token - at.p)
                            if text < 0 or not add_surface(&self.surface, position, 1, text):
                                return self.fail(F_MEMORY, self.begin)
                            at.p = token
                            kind = skip_space(at)
                    token = at.p
                    if kind == K_PLAIN:
                        at.p = symbol_end(at.p, at.end)
                    elif kind == K_QUOTE:
                        at.p = string_end(at.p, at.end)
                        if at.p == NULL:
                            return self.fail(F_TARGET, token - self.text)
                    elif kind == K_OPEN:
                        if strict and self.after_blank(at.p):
                            return self.fail(F_OPEN_AT_BLOCK, at.p - self.text)
                        edge.kind = flags | E_NESTED
                        at.p += 1
                        position += 1
                        break       # to the node; edge.target follows there
                    elif kind != K_COLON and kind != K_CLOSE:
                        return self.fail(F_OPEN_AT_END if kind == K_END else F_TARGET, at.p - self.text)
                    edge.kind = flags
                    if at.p != token:
                        target = self.interner.add(token, at.p - token)
                        if target < 0:
                            return self.fail(F_MEMORY, self.begin)
                        edge.target = target
                        kind = skip_space(at)
                        if kind == K_TILDE:
                            token = alignment_end(at.p, at.end)
                            if token != NULL:
                                text = self.interner.add(at.p, token - at.p)
                                if text < 0 or not add_surface(&self.surface, position, 0, text):
                                    return self.fail(F_MEMORY, self.begin)
                                at.p = token
                                kind = skip_space(at)
                    edge = NULL
                    position += 1
                elif kind == K_CLOSE:
                    at.p += 1
                    self.frames.used -= 1
                    if self.frames.used == 0:
                        break
                    frame = <Frame *>self.frames.data + (self.frames.used - 1)
                    kind = skip_space(at)
                elif kind == K_END:
                    return self.fail(F_OPEN_AT_END, at.p - self.text)
                elif (kind == K_OPEN or kind == K_HASH) and self.after_blank(at.p):
                    return self.fail(F_OPEN_AT_BLOCK, at.p - self.text)
                else:
                    return self.fail(F_ROLE, at.p - self.text)
            if self.frames.used == 0:
                break

        if self.invalid < at.p - self.text:
            return self.fail(F_UTF8, self.invalid)
        if not self.settle(stamp, first_variable, none, &unordered):
            return self.fail(F_MEMORY, self.begin)
        if unordered:
            qsort(
                <InstanceRow *>self.instances.data + first_instance, self.instances.used - first_instance,
                sizeof(InstanceRow), by_position,
            )
        if removed and not self.take_out(first_instance, position):
            return self.fail(F_MEMORY, self.begin)
        if not self.close_graph(0):
            return self.fail(F_MEMORY, self.begin)
        return FINISHED

    cdef bint settle(self, uint64_t stamp, int64_t first_variable, int32_t none, bint *unordered) noexcept nogil:
        """Sort the edges of the graph into relations, attributes and instances, now that all variables are known."""
        cdef const int32_t *names = <const int32_t *>self.variables.data + first_variable
        cdef const Edge *edge = <const Edge *>self.edges.data
        cdef const Edge *end = edge + self.edges.used
        cdef uint64_t mark
        cdef int32_t variable, role
        cdef bint inverted
        if self.interner.marks_capacity < self.interner.count and not self.interner.reserve_marks():
            return False
        while edge < end:
            role = edge.role
            if edge.kind & E_NESTED:
                variable = edge.target
                inverted = edge.kind & E_OF != 0
            elif edge.target < 0:
                variable = none     # no target: the node without a variable, if there is one
                inverted = False
            else:
                mark = self.interner.marks[edge.target]
                variable = <int32_t><uint32_t>mark if mark >> 32 == stamp else -1
                inverted = variable >= 0 and edge.kind & E_OF != 0
            if edge.kind & E_INSTANCE and (inverted or not edge.kind & E_OF):
                unordered[0] = True
                if inverted:
                    if not add_instance(&self.instances, variable, names[edge.source], edge.position):
                        return False
                elif not add_instance(
                    &self.instances, edge.source, names[variable] if edge.kind & E_NESTED else edge.target,
                    edge.position
                ):
                    return False
            elif inverted:
                if not add_relation(&self.relations, variable, role, edge.source, edge.position, 1):
                    return False
            else:
                if edge.kind & E_OF:
                    role = self.interner.add(edge.role_text, edge.role_length)
                    if role < 0:
                        return False
                    if self.interner.marks_capacity < self.interner.count and not self.interner.reserve_marks():
                        return False
                if variable >= 0:
                    if not add_relation(&self.relations, edge.source, role, variable, edge.position, 0):
                        return False
                elif not add_attribute(&self.attributes, edge.source, role, edge.target, edge.position):
                    return False
            edge += 1
        return True

    cdef bint take_out(self, int64_t first_instance, int32_t positions) noexcept nogil:
        """Remove the instance rows that were marked (variable -1), and close the gaps in the positions."""
        cdef int32_t *shift
        cdef int32_t total = 0
        cdef int64_t i, kept = first_instance
        cdef const GraphRow *graphs = <const GraphRow *>self.graphs.data
        cdef int64_t before = self.graphs.used - 1
        cdef int64_t first_attribute = graphs[before].attributes if before >= 0 else 0
        cdef int64_t first_relation = graphs[before].relations if before >= 0 else 0
        cdef int64_t first_surface = graphs[before].surface if before >= 0 else 0
        cdef InstanceRow *instances = <InstanceRow *>self.instances.data
        cdef AttributeRow *attributes = <AttributeRow *>self.attributes.data
        cdef RelationRow *relations = <RelationRow *>self.relations.data
        cdef SurfaceRow *surface = <SurfaceRow *>self.surface.data
        self.shifts.used = 0
        if not room(&self.shifts, positions, sizeof(int32_t)):
            return False
        shift = <int32_t *>self.shifts.data
        for i in range(positions):
            shift[i] = 0
        for i in range(first_instance, self.instances.used):
            if instances[i].variable < 0:
                shift[instances[i].position] = 1
            else:
                instances[kept] = instances[i]
                kept += 1
        self.instances.used = kept
        for i in range(positions):
            total += shift[i]
            shift[i] = total
        for i in range(first_instance, self.instances.used):
            instances[i].position -= shift[instances[i].position]
        for i in range(first_attribute, self.attributes.used):
            attributes[i].position -= shift[attributes[i].position]
        for i in range(first_relation, self.relations.used):
            relations[i].position -= shift[relations[i].position]
        for i in range(first_surface, self.surface.used):
            surface[i].position -= shift[surface[i].position]
        return True

    # After an error ----------------------------------------------------------------------------------------------

    cdef const uint8_t *first_border(self, const uint8_t *p, const uint8_t *stop, int64_t *line) noexcept nogil:
        """The first line in (p, stop] that follows a blank line and begins with ``(`` or ``#``, or NULL.

        ``line`` is the number of the line of p, and then of the line that was found.
        """
        cdef const uint8_t *end = self.text + self.size
        cdef const uint8_t *q
        cdef int64_t number = line[0]
        cdef bint blank = False
        while True:
            q = line_end(p, end)
            if q == end:
                return NULL
            p = next_line(q, end)
            number += 1
            if p > stop:
                return NULL
            q = p
            while q < end and KIND[q[0]] == K_SPACE and q[0] != c"\n" and q[0] != c"\r":
                q += 1
            if q == end or q[0] == c"\n" or q[0] == c"\r":
                blank = True
                continue
            if blank and (q[0] == c"(" or q[0] == c"#"):
                line[0] = number
                return p
            blank = False

    cdef bint after_role(self, const uint8_t *p) noexcept nogil:
        """Whether the last token before p is a role."""
        while p > self.text and KIND[p[-1]] == K_SPACE:
            p -= 1
        while p > self.text and KIND[p[-1]] >= K_HASH:
            p -= 1
        return p > self.text and p[-1] == c":"

    cdef bint announces(self, const uint8_t *p, const uint8_t *end) noexcept nogil:
        """Whether the line at p begins a graph by its look: a bracket in the first column, or metadata (``# ::``)."""
        if p[0] == c"(":
            return not self.after_role(p)
        if p[0] != c"#":
            return False
        p += 1
        while p < end and p[0] == c" ":
            p += 1
        return end - p >= 2 and p[0] == c":" and p[1] == c":"

    cdef bint announces_graph(self, int64_t at) noexcept nogil:
        """Whether a line that seems to begin a graph begins at this place."""
        if at == self.size or (at > 0 and self.text[at - 1] != c"\n" and self.text[at - 1] != c"\r"):
            return False
        return self.announces(self.text + at, self.text + self.size)

    cdef void blame(self, int *code, int64_t *at) noexcept nogil:
        cdef int64_t line = self.begin_line
        cdef const uint8_t *border
        if code[0] == F_ROLE and self.announces_graph(at[0]):
            code[0] = F_OPEN_AT_BLOCK
        if code[0] != F_OPEN_AT_END and code[0] != F_OPEN_AT_BLOCK:
            return
        while code[0] == F_OPEN_AT_END and at[0] > 0 and KIND[self.text[at[0] - 1]] == K_SPACE:
            at[0] -= 1      # the end of the last line that says something
        # name the first block that the graph swallowed, not the last
        border = self.first_border(self.text + self.begin, self.text + self.fault_at, &line)
        if border != NULL:
            code[0], at[0] = F_OPEN_AT_BLOCK, border - self.text

    cdef void recover(self) noexcept nogil:
        """Set position and line to where reading goes on after an error.

        That is the first of: a block (after a blank line) inside the broken graph that begins with ``(`` or ``#``;
        after the error, a line that follows a blank line and cannot continue a graph (continuations begin with one of
        ``: ) / ~ "``); or a line with ``(`` in its first column, unless a role waits for it, or with metadata.
        """
        cdef const uint8_t *end = self.text + self.size
        cdef const uint8_t *fault = self.text + self.fault_at
        cdef const uint8_t *p
        cdef const uint8_t *q
        cdef int64_t line = self.begin_line
        cdef bint blank
        cdef int kind
        p = self.first_border(self.text + self.begin, fault, &line)
        if p != NULL:
            if self.strict < self.fault_at:
                self.strict = self.fault_at
            self.position = p - self.text
            self.line = line
            return
        # number of the line of the fault
        line = self.begin_line
        p = self.text + self.begin
        while True:
            q = line_end(p, end)
            if q >= fault:
                break
            p = next_line(q, end)
            line += 1
        if self.fault_at > self.begin and self.announces_graph(self.fault_at):
            self.position = self.fault_at
            self.line = line
            return
        p = q
        blank = False
        while p < end:
            p = next_line(p, end)
            line += 1
            q = p
            while q < end and KIND[q[0]] == K_SPACE and q[0] != c"\n" and q[0] != c"\r":
                q += 1
            if q == end or q[0] == c"\n" or q[0] == c"\r":
                blank = True
                p = q
                continue
            kind = KIND[q[0]]
            if (blank and (kind == K_OPEN or kind >= K_HASH)) or self.announces(p, end):
                break
            blank = False
            p = line_end(q, end)
        self.position = p - self.text
        self.line = line

    cdef str token_at(self, int64_t at):
        """The token at a place, for a message."""
        cdef const uint8_t *p = self.text + at
        cdef const uint8_t *end = self.text + self.size
        cdef const uint8_t *q = p
        cdef int kind
        if p >= end:
            return "the end of the text"
        kind = KIND[p[0]]
        if kind == K_QUOTE:
            q = string_end(p, end)
            if q == NULL:
                return "a string that does not end on its line"
        elif kind == K_HASH:
            return "a comment inside a graph"
        elif kind == K_TILDE and alignment_end(p, end) == NULL:
            return "'~' without an alignment such as ~e.3,4"
        elif kind == K_COLON:
            q = symbol_end(p + 1, end)
        elif kind == K_TILDE:
            q = alignment_end(p, end)
        elif kind == K_PLAIN:
            q = symbol_end(p, end)
        else:
            q = p + 1
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
            return f"expected '(' or a comment outside a graph, found {self.token_at(at)}"
        return reader.Reader.describe(self, code, at)
