# cython: language_level=3
"""Readers of Penman notation: bytes in, columns out.

Two dialects. ``penman`` gives the triples that ``penman.load`` gives with its AMR model; ``smatch`` gives the lists of
smatch 1.0.4's own reader, its quirks included, so that its scores can be reproduced. Both go through the text once,
hold no Python object while they do, and need no recursion; every string goes into an interner at once.

The penman dialect
------------------
::

    graph := comment* node
    node  := "(" [symbol ["/" [(symbol | string) [alignment]]] edge*] ")"
    edge  := role [alignment] [(symbol | string) [alignment] | node]

Whether the target of an edge is a variable is known only when the whole graph has been read (``(w :ARG0 b :ARG1 (b /
boy))``), so edges wait in a list until then and are sorted into relations and attributes at the closing bracket of the
graph. A variable is found through the interner's ``marks``: word i holds (number of the graph, local index) for string
i, so no hash table is made per graph and nothing is cleared between graphs.

A node without "/" gets a triple (variable, :instance, nothing) in the place where the node begins, unless it turns out
to have a role ``:instance``; the row is then taken out again at the end.

The smatch dialect
------------------
smatch glues the lines of a block (up to a blank line) together without a separator and runs a machine of four states
over the characters. ``scan_block`` is that machine, with its own behaviour in each state, see there.

After an error
--------------
A graph that cannot be read ends where the next one seems to begin; ``recover`` says what seems to. When a graph lacks a
bracket, the grammar may swallow the next block as its child before it notices (``(a / x :ARG0`` blank line ``(b /
y)``); the reader then goes back to the first block that it swallowed and from there up to the place of the error takes
blocks as hard borders, so that no text is read three times.
"""

cimport cython
from cpython.buffer cimport PyBUF_SIMPLE, PyBUF_WRITABLE, PyBuffer_Release, PyObject_GetBuffer
from libc.stdint cimport int32_t, int64_t, uint8_t, uint32_t, uint64_t
from libc.stdlib cimport free, qsort, realloc
from libc.string cimport memchr, memcmp, memcpy

import numpy as np

from fastmatch._ext.interner cimport Interner

cdef extern from "Python.h":
    const char *PyUnicode_AsUTF8AndSize(object text, Py_ssize_t *size) except NULL

cdef object INT32 = np.dtype(np.int32)
cdef object INT64 = np.dtype(np.int64)
cdef object UINT8 = np.dtype(np.uint8)
cdef object empty = np.empty

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

cdef enum Status:
    FINISHED        # at the end of the text
    PAUSED          # as many graphs as were asked for
    FAULTY          # self.fault_code, self.fault_at

cdef enum Fault:
    F_NONE
    F_MEMORY
    F_SIZE
    F_UTF8
    F_VARIABLE
    F_ROLE
    F_TARGET
    F_OPEN_AT_END
    F_OPEN_AT_BLOCK
    F_JUNK
    F_CLOSE
    F_NO_GRAPH
    F_MORE_GRAPHS
    # of the smatch dialect only
    F_SLASH
    F_DUPLICATE
    F_VALUE
    F_TWO_ROLES
    F_ORPHAN
    F_NO_CONCEPT
    F_NO_NODE
    F_NO_NAME

cdef enum:
    RAISE = 0
    SKIP = 1
    EMPTY = 2
    # Rows of one graph: well inside int32, also doubled.
    MOST_ROWS = 1000000000

cdef struct Column:
    void *data
    int64_t used
    int64_t capacity

cdef struct GraphRow:
    int32_t root
    int32_t line
    # where the rows of the graph end
    int64_t variables
    int64_t instances
    int64_t attributes
    int64_t relations
    int64_t surface
    int64_t comments

cdef struct InstanceRow:
    int32_t variable
    int32_t concept
    int32_t position

cdef struct AttributeRow:
    int32_t variable
    int32_t role
    int32_t value
    int32_t position

cdef struct RelationRow:
    int32_t source
    int32_t role
    int32_t target
    int32_t position
    int32_t inverted

cdef struct SurfaceRow:
    int32_t position
    int32_t part
    int32_t text

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

cdef struct Piece:
    int64_t glued           # offset in the glued line
    int64_t source          # offset in the text

cdef struct Entry:
    # an edge as smatch notes it: under the name of one node, in its first or second list
    int32_t key
    int32_t role
    int32_t other
    int32_t inverted
    int32_t second
    int32_t following

cdef struct SmatchNode:
    int32_t concept         # -1 until it is complete
    int32_t first           # of its two lists of entries
    int32_t second


cdef bint enlarge(Column *column, int64_t extra, int64_t size) noexcept nogil:
    cdef int64_t capacity = column.capacity + (column.capacity >> 1) + 16
    cdef void *data
    if capacity < column.used + extra:
        capacity = column.used + extra
    data = realloc(column.data, capacity * size)
    if data == NULL:
        return False
    column.data = data
    column.capacity = capacity
    return True


cdef inline bint room(Column *column, int64_t extra, int64_t size) noexcept nogil:
    return column.used + extra <= column.capacity or enlarge(column, extra, size)


cdef inline bint add_instance(Column *column, int32_t variable, int32_t concept, int32_t position) noexcept nogil:
    cdef InstanceRow *row
    if not room(column, 1, sizeof(InstanceRow)):
        return False
    row = <InstanceRow *>column.data + column.used
    row.variable = variable
    row.concept = concept
    row.position = position
    column.used += 1
    return True


cdef inline bint add_attribute(
    Column *column, int32_t variable, int32_t role, int32_t value, int32_t position
) noexcept nogil:
    cdef AttributeRow *row
    if not room(column, 1, sizeof(AttributeRow)):
        return False
    row = <AttributeRow *>column.data + column.used
    row.variable = variable
    row.role = role
    row.value = value
    row.position = position
    column.used += 1
    return True


cdef inline bint add_relation(
    Column *column, int32_t source, int32_t role, int32_t target, int32_t position, int32_t inverted
) noexcept nogil:
    cdef RelationRow *row
    if not room(column, 1, sizeof(RelationRow)):
        return False
    row = <RelationRow *>column.data + column.used
    row.source = source
    row.role = role
    row.target = target
    row.position = position
    row.inverted = inverted
    column.used += 1
    return True


cdef inline bint add_surface(Column *column, int32_t position, int32_t part, int32_t text) noexcept nogil:
    cdef SurfaceRow *row
    if not room(column, 1, sizeof(SurfaceRow)):
        return False
    row = <SurfaceRow *>column.data + column.used
    row.position = position
    row.part = part
    row.text = text
    column.used += 1
    return True


cdef inline bint add_int32(Column *column, int32_t value) noexcept nogil:
    if not room(column, 1, sizeof(int32_t)):
        return False
    (<int32_t *>column.data)[column.used] = value
    column.used += 1
    return True


cdef int by_position(const void *a, const void *b) noexcept nogil:
    cdef int32_t x = (<const InstanceRow *>a).position, y = (<const InstanceRow *>b).position
    return (x > y) - (x < y)


# Text -----------------------------------------------------------------------------------------------------------------


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


cdef inline const uint8_t *line_end(const uint8_t *p, const uint8_t *end) noexcept nogil:
    """The end of the line that p stands in: its newline, carriage return, or the end of the text."""
    cdef const void *found
    if p == end:
        return end
    found = memchr(p, c"\n", end - p)
    if found != NULL:
        end = <const uint8_t *>found
    if p < end:
        found = memchr(p, c"\r", end - p)
        if found != NULL:
            end = <const uint8_t *>found
    return end


cdef inline const uint8_t *next_line(const uint8_t *p, const uint8_t *end) noexcept nogil:
    """The line after the one whose end is p."""
    if p < end:
        p += 1
        if p[-1] == c"\r" and p < end and p[0] == c"\n":
            p += 1
    return p


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


cdef int64_t next_invalid(const uint8_t *text, int64_t start, int64_t size) noexcept nogil:
    """Offset of the first byte from ``start`` on that is not UTF-8 as Python defines it, or ``size``."""
    cdef const uint8_t *p = text + start
    cdef const uint8_t *end = text + size
    cdef uint64_t word
    cdef uint8_t c, d
    cdef int more
    while p < end:
        while end - p >= 8:
            memcpy(&word, p, 8)
            if word & <uint64_t>0x8080808080808080:
                break
            p += 8
        if p == end:
            break
        c = p[0]
        if c < 0x80:
            p += 1
            continue
        if 0xc2 <= c <= 0xdf:
            more = 1
        elif 0xe0 <= c <= 0xef:
            more = 2
        elif 0xf0 <= c <= 0xf4:
            more = 3
        else:
            return p - text
        if end - p <= more:
            return p - text
        d = p[1]
        if d & 0xc0 != 0x80 or (c == 0xe0 and d < 0xa0) or (c == 0xed and d >= 0xa0):
            return p - text
        if (c == 0xf0 and d < 0x90) or (c == 0xf4 and d >= 0x90):
            return p - text
        if more >= 2 and p[2] & 0xc0 != 0x80 or more == 3 and p[3] & 0xc0 != 0x80:
            return p - text
        p += more + 1
    return size


cdef inline int space_at(const uint8_t *p, const uint8_t *end) noexcept nogil:
    """Number of bytes of the character at p if Python's ``str.split`` takes it for white space, else 0."""
    cdef uint8_t c = p[0]
    if c < 0x80:
        return c == c" " or 9 <= c <= 13 or 28 <= c <= 31
    if c == 0xc2:
        return 2 if end - p >= 2 and (p[1] == 0x85 or p[1] == 0xa0) else 0
    if end - p < 3:
        return 0
    if c == 0xe1:
        return 3 if p[1] == 0x9a and p[2] == 0x80 else 0
    if c == 0xe2:
        if p[1] == 0x80:
            return 3 if 0x80 <= p[2] <= 0x8a or p[2] == 0xa8 or p[2] == 0xa9 or p[2] == 0xaf else 0
        return 3 if p[1] == 0x81 and p[2] == 0x9f else 0
    if c == 0xe3:
        return 3 if p[1] == 0x80 and p[2] == 0x80 else 0
    return 0


cdef inline const uint8_t *strip_left(const uint8_t *p, const uint8_t *end) noexcept nogil:
    cdef int width
    while p < end:
        width = space_at(p, end)
        if width == 0:
            break
        p += width
    return p


cdef inline const uint8_t *strip_right(const uint8_t *p, const uint8_t *end) noexcept nogil:
    while p < end:
        if end[-1] < 0x80:
            if space_at(end - 1, end) == 0:
                break
            end -= 1
        elif end - p >= 2 and space_at(end - 2, end) == 2:
            end -= 2
        elif end - p >= 3 and space_at(end - 3, end) == 3:
            end -= 3
        else:
            break
    return end


cdef inline const uint8_t *word_end(const uint8_t *p, const uint8_t *end) noexcept nogil:
    while p < end and space_at(p, end) == 0:
        p += 1
    return p


@cython.final
cdef class Reader:
    """Collects graphs from any number of texts, then hands out the columns.

    Parameters
    ----------
    interner
        gets every string.
    smatch
        read as smatch 1.0.4 does instead of as penman does.

    Not for use from two threads at once; several readers may share one interner from several threads.
    """

    cdef Interner interner
    cdef bint smatch
    cdef readonly list problems     # (index, message, line, column) of the graphs that an empty one stands for
    cdef readonly int64_t skipped   # number of graphs left out
    cdef readonly object fault      # (message, line, column, text, place in text) of the last error, or None

    cdef Column graphs, variables, instances, attributes, relations, surface, comments
    cdef Column edges, frames, shifts                       # scratch of the graph that is being read
    cdef Column glued, pieces, letters, nodes, order, entries

    # the text that is being read
    cdef const uint8_t *text
    cdef int64_t size
    cdef int64_t position
    cdef int64_t line
    cdef int64_t invalid            # next byte that is no UTF-8, or size
    cdef int64_t strict             # up to here, blocks are hard borders
    cdef int64_t begin              # where the graph that is being read begins
    cdef int64_t begin_line
    cdef bint attached              # nothing but spaces since the last graph ended
    cdef int64_t anchor             # a place before all that belongs to this graph, and its line
    cdef int64_t anchor_line
    cdef int fault_code
    cdef int64_t fault_at

    def __cinit__(self, Interner interner not None, bint smatch=False):
        self.interner = interner
        self.smatch = smatch
        self.problems = []

    def __dealloc__(self):
        free(self.graphs.data)
        free(self.variables.data)
        free(self.instances.data)
        free(self.attributes.data)
        free(self.relations.data)
        free(self.surface.data)
        free(self.comments.data)
        free(self.edges.data)
        free(self.frames.data)
        free(self.shifts.data)
        free(self.glued.data)
        free(self.pieces.data)
        free(self.letters.data)
        free(self.nodes.data)
        free(self.order.data)
        free(self.entries.data)

    def __len__(self):
        return self.graphs.used

    # The penman dialect ------------------------------------------------------------------------------------------

    cdef int fail(self, int code, int64_t at) noexcept nogil:
        self.fault_code = code
        self.fault_at = at
        return FAULTY

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
        cdef int64_t breaks
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
                breaks = stop - at.p
                if not room(&self.comments, breaks + 1, 1):
                    return self.fail(F_MEMORY, at.p - self.text)
                memcpy(<uint8_t *>self.comments.data + self.comments.used, at.p, breaks)
                self.comments.used += breaks
                (<uint8_t *>self.comments.data)[self.comments.used] = c"\n"
                self.comments.used += 1
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
        cdef GraphRow *last = <GraphRow *>self.graphs.data + (self.graphs.used - 1)
        cdef int64_t first_attribute = last.attributes if self.graphs.used else 0
        cdef int64_t first_relation = last.relations if self.graphs.used else 0
        cdef int64_t first_surface = last.surface if self.graphs.used else 0
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

    # The smatch dialect ------------------------------------------------------------------------------------------

    cdef bint gather_block(self) noexcept nogil:
        """Glue the lines of the next block, as ``get_amr_line`` of smatch does. False: out of memory.

        Comments go to their column; ``self.glued`` stays empty when the text is at its end.
        """
        cdef const uint8_t *end = self.text + self.size
        cdef const uint8_t *p = self.text + self.position
        cdef const uint8_t *stop
        cdef const uint8_t *left
        cdef const uint8_t *right
        cdef Piece *piece
        self.glued.used = 0
        self.pieces.used = 0
        while p < end:
            stop = line_end(p, end)
            left = strip_left(p, stop)
            if left == stop:
                if self.glued.used:
                    break
            elif left[0] == c"#":
                if not room(&self.comments, stop - left + 1, 1):
                    return False
                memcpy(<uint8_t *>self.comments.data + self.comments.used, left, stop - left)
                self.comments.used += stop - left
                (<uint8_t *>self.comments.data)[self.comments.used] = c"\n"
                self.comments.used += 1
            else:
                right = strip_right(left, stop)
                if not room(&self.pieces, 1, sizeof(Piece)) or not room(&self.glued, right - left, 1):
                    return False
                if self.glued.used == 0:
                    self.begin = left - self.text
                    self.begin_line = self.line
                piece = <Piece *>self.pieces.data + self.pieces.used
                self.pieces.used += 1
                piece.glued = self.glued.used
                piece.source = left - self.text
                memcpy(<uint8_t *>self.glued.data + self.glued.used, left, right - left)
                self.glued.used += right - left
            if stop < end:
                self.line += 1
            p = next_line(stop, end)
        self.position = p - self.text
        return True

    cdef int fail_glued(self, int code, int64_t at) noexcept nogil:
        """As ``fail``, for an offset in the glued line."""
        cdef const Piece *pieces = <const Piece *>self.pieces.data
        cdef int64_t low = 0, high = self.pieces.used, middle
        while high - low > 1:
            middle = (low + high) >> 1
            if pieces[middle].glued <= at:
                low = middle
            else:
                high = middle
        return self.fail(code, pieces[low].source + at - pieces[low].glued)

    cdef int scan_blocks(self, int64_t limit) noexcept nogil:
        """Read up to ``limit`` blocks from ``self.position`` on. The interner's lock is held."""
        while True:
            if limit == 0:
                return PAUSED
            self.anchor = self.position
            self.anchor_line = self.line
            if not self.gather_block():
                return self.fail(F_MEMORY, self.position)
            if self.glued.used == 0:
                return FINISHED
            if self.invalid < self.position:
                return self.fail(F_UTF8, self.invalid)
            if self.scan_block() == FAULTY:
                return FAULTY
            limit -= 1

    cdef int32_t intern_role(self, const uint8_t *role, int64_t length, int *direction) noexcept nogil:
        """Id of a role as smatch stores it, with a colon in front; direction: whether its ends are swapped."""
        cdef uint8_t *buffer
        direction[0] = 0
        if length >= 3 and memcmp(role + length - 3, b"-of", 3) == 0 and not (
            (length == 10 and memcmp(role, b"consist-of", 10) == 0)
            or (length == 11 and memcmp(role, b"prep-out-of", 11) == 0)
            or (length == 17 and memcmp(role, b"prep-on-behalf-of", 17) == 0)
        ):
            direction[0] = 1
            length -= 3
        elif length == 3 and memcmp(role, b"mod", 3) == 0:
            direction[0] = 1
            return self.interner.add(b":domain", 7)
        # The role stands in ``letters`` behind at least one free byte, or begins there at index 1: see scan_block.
        buffer = <uint8_t *>role - 1
        buffer[0] = c":"
        return self.interner.add(buffer, length + 1)

    cdef int32_t node_of(self, int32_t name, uint64_t stamp) noexcept nogil:
        """Index of the node with this name, or -1."""
        cdef uint64_t mark
        if name >= self.interner.marks_capacity:
            return -1
        mark = self.interner.marks[name]
        return <int32_t><uint32_t>mark if mark >> 32 == stamp else -1

    cdef bint note(
        self, uint64_t stamp, int32_t source, int32_t role, int32_t value, int direction, bint second
    ) noexcept nogil:
        """``update_triple`` of smatch: file an edge under its source, or under its value when the ends are swapped."""
        cdef Entry *entry
        if not room(&self.entries, 1, sizeof(Entry)):
            return False
        entry = <Entry *>self.entries.data + self.entries.used
        self.entries.used += 1
        entry.role = role
        entry.inverted = direction
        entry.second = second
        if direction:
            entry.key = value
            entry.other = source
        else:
            entry.key = source
            entry.other = value
        return True

    cdef int finish_value(self, uint64_t stamp, int64_t letters, int64_t at) noexcept nogil:
        """A role with an atomic value is complete: file it. The buffer holds ``letters`` bytes from index 1 on."""
        cdef const uint8_t *p = <const uint8_t *>self.letters.data + 1
        cdef const uint8_t *end = p + letters
        cdef const uint8_t *role
        cdef const uint8_t *value
        cdef int64_t role_length, value_length
        cdef int32_t role_id, value_id, node
        cdef int direction = 0
        role = strip_left(p, end)
        p = word_end(role, end)
        role_length = p - role
        value = strip_left(p, end)
        value_length = word_end(value, end) - value    # only the first word counts
        if value_length == 0:
            return self.fail_glued(F_VALUE, at)
        if self.frames.used == 0:
            return self.fail_glued(F_ORPHAN, at)
        value_id = self.interner.add(value, value_length)
        role_id = self.intern_role(role, role_length, &direction)
        if value_id < 0 or role_id < 0:
            return self.fail(F_MEMORY, self.begin)
        node = self.node_of(value_id, stamp)
        if not self.note(
            stamp, (<int32_t *>self.frames.data)[self.frames.used - 1], role_id, value_id, direction,
            node < 0 or (<SmatchNode *>self.nodes.data)[node].concept < 0,
        ):
            return self.fail(F_MEMORY, self.begin)
        return FINISHED

    cdef int scan_block(self) noexcept nogil:
        """``parse_AMR_line`` of smatch 1.0.4 on the glued line.

        State: the last significant character: 0 start or ``)``, 1 ``(``, 2 ``:``, 3 ``/``. Letters wait in a buffer,
        which not every step empties; spaces go into it only in state 2, tabs always. A quote is not stored, but a
        closing one leaves ``_``.
        """
        cdef const uint8_t *line = <const uint8_t *>self.glued.data
        cdef int64_t size = self.glued.used, i, used = 0
        cdef uint8_t *letters
        cdef const uint8_t *left
        cdef const uint8_t *right
        cdef uint8_t c
        cdef int state = 0, direction = 0
        cdef bint quoted = False
        cdef int32_t pending = -1, pending_direction = 0, name, node, concept, parent
        cdef uint64_t stamp
        cdef SmatchNode *nodes
        self.frames.used = 0        # here: ids of the names of the open nodes
        self.nodes.used = 0         # one for each name
        self.order.used = 0         # nodes in order of their "/"; a name may stand there twice
        self.entries.used = 0
        self.letters.used = 0
        # A quote gives at most one letter, as any other character; index 0 is kept free for the colon of a role.
        if not room(&self.letters, size + 1, 1) or not self.interner.reserve_marks():
            return self.fail(F_MEMORY, self.begin)
        letters = <uint8_t *>self.letters.data + 1
        stamp = self.interner.new_stamp()
        for i in range(size):
            c = line[i]
            if c == c" ":
                if state == 2:
                    letters[used] = c
                    used += 1
            elif c == c'"':
                if quoted:
                    letters[used] = c"_"
                    used += 1
                quoted = not quoted
            elif quoted or (c != c"(" and c != c")" and c != c":" and c != c"/"):
                letters[used] = c
                used += 1
            elif c == c"(":
                if state == 2:
                    if pending >= 0:
                        return self.fail_glued(F_TWO_ROLES, i)
                    left = strip_left(letters, letters + used)
                    right = strip_right(left, letters + used)
                    if left < right:
                        pending = self.intern_role(left, right - left, &direction)
                        pending_direction = direction
                        if pending < 0:
                            return self.fail(F_MEMORY, self.begin)
                    used = 0
                state = 1
            elif c == c":":
                if state == 3:
                    concept = self.interner.add(letters, used)
                    if concept < 0:
                        return self.fail(F_MEMORY, self.begin)
                    used = 0
                    node = self.node_of((<int32_t *>self.frames.data)[self.frames.used - 1], stamp)
                    (<SmatchNode *>self.nodes.data)[node].concept = concept
                elif state == 2:
                    if self.finish_value(stamp, used, i) == FAULTY:
                        return FAULTY
                    used = 0
                state = 2
            elif c == c"/":
                if state != 1:
                    return self.fail_glued(F_SLASH, i)
                name = self.interner.add(letters, used)
                used = 0
                if name < 0 or not self.interner.reserve_marks():
                    return self.fail(F_MEMORY, self.begin)
                node = self.node_of(name, stamp)
                if node >= 0 and (<SmatchNode *>self.nodes.data)[node].concept >= 0:
                    return self.fail_glued(F_DUPLICATE, i)
                if node < 0:
                    if not room(&self.nodes, 1, sizeof(SmatchNode)) or not add_int32(&self.variables, name):
                        return self.fail(F_MEMORY, self.begin)
                    node = <int32_t>self.nodes.used
                    nodes = <SmatchNode *>self.nodes.data + node
                    self.nodes.used += 1
                    nodes.concept = -1
                    nodes.first = -1
                    nodes.second = -1
                    self.interner.marks[name] = (stamp << 32) | <uint64_t>node
                if not add_int32(&self.frames, name) or not add_int32(&self.order, node):
                    return self.fail(F_MEMORY, self.begin)
                if pending >= 0:
                    if self.frames.used < 2:
                        return self.fail_glued(F_ORPHAN, i)
                    parent = (<int32_t *>self.frames.data)[self.frames.used - 2]
                    if not self.note(stamp, parent, pending, name, pending_direction, False):
                        return self.fail(F_MEMORY, self.begin)
                    pending = -1
                state = 3
            else:
                if self.frames.used == 0:
                    return self.fail_glued(F_CLOSE, i)
                if state == 2:
                    if self.finish_value(stamp, used, i) == FAULTY:
                        return FAULTY
                    used = 0
                elif state == 3:
                    concept = self.interner.add(letters, used)
                    if concept < 0:
                        return self.fail(F_MEMORY, self.begin)
                    used = 0
                    node = self.node_of((<int32_t *>self.frames.data)[self.frames.used - 1], stamp)
                    (<SmatchNode *>self.nodes.data)[node].concept = concept
                self.frames.used -= 1
                pending = -1
                state = 0
        if self.order.used == 0:
            return self.fail_glued(F_NO_NODE, 0)
        return self.settle_block(stamp)

    cdef int settle_block(self, uint64_t stamp) noexcept nogil:
        """The lists that smatch makes when the scan is over: per node, its first list, then what its second holds."""
        cdef SmatchNode *nodes = <SmatchNode *>self.nodes.data
        cdef Entry *entries = <Entry *>self.entries.data
        cdef const int32_t *order = <const int32_t *>self.order.data
        cdef int64_t k, rows = 0, first_instance = self.instances.used, first_attribute = self.attributes.used
        cdef int64_t first_relation = self.relations.used
        cdef int32_t node, other, e, position
        cdef int list_number
        if not self.interner.reserve_marks():
            return self.fail(F_MEMORY, self.begin)
        for k in range(self.order.used):
            if nodes[order[k]].concept < 0:
                return self.fail_glued(F_NO_CONCEPT, self.glued.used)
        k = self.entries.used
        while k > 0:
            k -= 1
            node = self.node_of(entries[k].key, stamp)
            if node < 0:
                continue    # filed under a constant: lost, as in smatch
            if entries[k].second:
                entries[k].following = nodes[node].second
                nodes[node].second = <int32_t>k
            else:
                entries[k].following = nodes[node].first
                nodes[node].first = <int32_t>k
        for k in range(self.order.used):
            node = order[k]
            if not add_instance(&self.instances, node, nodes[node].concept, <int32_t>k):
                return self.fail(F_MEMORY, self.begin)
            for list_number in range(2):
                e = nodes[node].second if list_number else nodes[node].first
                while e >= 0:
                    # A name that stands in the order k times has its edges k times: bound what that can make of a text.
                    rows += 1
                    if rows > MOST_ROWS or rows > 1000000 + 16 * self.glued.used:
                        return self.fail(F_SIZE, self.begin)
                    other = self.node_of(entries[e].other, stamp)
                    if list_number and self.interner.length(entries[e].other) == 0:
                        # smatch looks at the first character of the name
                        return self.fail_glued(F_NO_NAME, self.glued.used)
                    if other >= 0:
                        if not add_relation(&self.relations, node, entries[e].role, other, 0, entries[e].inverted):
                            return self.fail(F_MEMORY, self.begin)
                    elif not add_attribute(&self.attributes, node, entries[e].role, entries[e].other, 0):
                        return self.fail(F_MEMORY, self.begin)
                    e = entries[e].following
        position = <int32_t>(self.instances.used - first_instance)
        for k in range(first_attribute, self.attributes.used):
            (<AttributeRow *>self.attributes.data)[k].position = position
            position += 1
        for k in range(first_relation, self.relations.used):
            (<RelationRow *>self.relations.data)[k].position = position
            position += 1
        if not self.close_graph(0):
            return self.fail(F_MEMORY, self.begin)
        return FINISHED

    # Both dialects -----------------------------------------------------------------------------------------------

    cdef bint close_graph(self, int32_t root) noexcept nogil:
        cdef GraphRow *row
        cdef int64_t comments = self.graphs.used and (<GraphRow *>self.graphs.data)[self.graphs.used - 1].comments
        if not room(&self.graphs, 1, sizeof(GraphRow)):
            return False
        row = <GraphRow *>self.graphs.data + self.graphs.used
        self.graphs.used += 1
        if self.comments.used > comments:
            self.comments.used -= 1     # the newline behind the last one
        row.root = root
        row.line = <int32_t>self.begin_line if self.begin_line < 2147483647 else 0
        row.variables = self.variables.used
        row.instances = self.instances.used
        row.attributes = self.attributes.used
        row.relations = self.relations.used
        row.surface = self.surface.used
        row.comments = self.comments.used
        return True

    cdef void cut_back(self, bint comments_too) noexcept nogil:
        """Drop the rows of a graph that was not finished."""
        cdef GraphRow *row
        cdef GraphRow zero
        if self.graphs.used:
            row = <GraphRow *>self.graphs.data + (self.graphs.used - 1)
        else:
            zero = GraphRow(-1, 0, 0, 0, 0, 0, 0, 0)
            row = &zero
        self.variables.used = row.variables
        self.instances.used = row.instances
        self.attributes.used = row.attributes
        self.relations.used = row.relations
        self.surface.used = row.surface
        if comments_too:
            self.comments.used = row.comments

    cdef void uncover(self) noexcept nogil:
        """Open the last graph again, because what follows it spoils it; its comments are kept for the empty one."""
        cdef GraphRow *row
        self.graphs.used -= 1
        row = <GraphRow *>self.graphs.data + self.graphs.used
        self.begin_line = row.line
        self.comments.used = row.comments
        if room(&self.comments, 1, 1):
            (<uint8_t *>self.comments.data)[self.comments.used] = c"\n"
            self.comments.used += row.comments > (
                (<GraphRow *>self.graphs.data)[self.graphs.used - 1].comments if self.graphs.used else 0
            )

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
        if self.smatch:
            return      # the next block: gather_block has gone there
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

    cdef tuple locate(self, int code, int64_t at):
        """(message, line, column, excerpt, place of the fault in the excerpt) of an error."""
        cdef const uint8_t *end = self.text + self.size
        cdef const uint8_t *place = self.text + at
        cdef const uint8_t *p = place
        cdef const uint8_t *q = place
        cdef const uint8_t *start
        cdef int64_t line, column = 1
        if at >= self.begin:
            line = self.begin_line
            start = self.text + self.begin
        else:   # in its comments
            line = self.anchor_line
            start = self.text + self.anchor
        while True:
            p = line_end(start, end)
            if p >= place:
                break
            start = next_line(p, end)
            line += 1
        start = place
        while start > self.text and start[-1] != c"\n" and start[-1] != c"\r":
            start -= 1
            column += start[0] & 0xc0 != 0x80
        # An excerpt of at most about 70 characters on each side.
        p = place
        while p > start and place - p < 70:
            p -= 1
        while p > start and p[0] & 0xc0 == 0x80:
            p -= 1
        while q < end and q - place < 70 and q[0] != c"\n" and q[0] != c"\r":
            q += 1
        while q < end and q[0] & 0xc0 == 0x80:
            q += 1
        before = (<const char *>p)[:place - p].decode("utf-8", "replace")
        after = (<const char *>place)[:q - place].decode("utf-8", "replace")
        return self.describe(code, at), line, column, before + after, len(before)

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
        if code == F_MEMORY:
            return "no memory left"
        if code == F_SIZE:
            return "the graph is too large; expected at most 1,000,000,000 triples, and few node names twice"
        if code == F_UTF8:
            if at == 0 and self.size > 1 and (self.text[0] == 0xff or self.text[0] == 0xfe):
                return "the text looks like UTF-16; expected UTF-8"
            return f"byte 0x{self.text[at]:02x} is not UTF-8; expected a text file in UTF-8"
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
        if code == F_CLOSE:
            return "')' without a '(' before it"
        if code == F_NO_GRAPH:
            return "expected a graph, found none"
        if code == F_MORE_GRAPHS:
            return "expected one graph, found another one behind it"
        if code == F_SLASH:
            return "smatch takes '/' only after the variable of a node"
        if code == F_DUPLICATE:
            return "smatch refuses a second node with the same variable"
        if code == F_VALUE:
            return "role without a value; expected a variable or a constant before this"
        if code == F_TWO_ROLES:
            return "two roles wait for a node; expected a variable after '('"
        if code == F_ORPHAN:
            return "role outside a node; expected '(' and a variable first"
        if code == F_NO_CONCEPT:
            return "a node has no complete concept; expected ')'"
        if code == F_NO_NODE:
            return "expected a graph, found no '/' after a variable"
        return "smatch refuses an inverted edge from a node without a variable"

    cdef bint add_empty(self) noexcept nogil:
        self.cut_back(False)
        return self.close_graph(-1)

    def feed(self, text, int on_error=0, bint single=False, int64_t start=0, int64_t limit=-1):
        """Read the graphs of a text.

        Parameters
        ----------
        text
            str, or an object with a buffer of UTF-8 bytes.
        on_error
            0: stop at the first error; 1: leave such a graph out; 2: put an empty graph in its place.
        single
            the text has to hold exactly one graph.
        start, limit
            stop after ``limit`` graphs (below 1: never); go on at ``start``, which is what the call before returned for
            the same text.

        Returns
        -------
        int
            0 when all of the text was read; where to go on when ``limit`` graphs were; -1 after an error with
            ``on_error=0``, which is then in ``fault``.
        """
        cdef Py_buffer view
        cdef Py_ssize_t size = 0
        cdef bint is_text = isinstance(text, str), has_buffer = False
        if self.text != NULL:
            raise RuntimeError("this reader is at work in another thread")
        if is_text:
            try:
                self.text = <const uint8_t *>PyUnicode_AsUTF8AndSize(text, &size)
            except UnicodeEncodeError:
                text = text.encode("utf-8", "surrogatepass")
                PyObject_GetBuffer(text, &view, PyBUF_SIMPLE)
                has_buffer = True
                self.text = <const uint8_t *>view.buf
                size = view.len
            self.invalid = size     # a str has no bytes that are not UTF-8, lone surrogates being welcome
        else:
            PyObject_GetBuffer(text, &view, PyBUF_SIMPLE)
            has_buffer = True
            self.text = <const uint8_t *>view.buf
            size = view.len
            if start == 0:
                self.invalid = -1   # not looked for yet
        if size >= 3 and memcmp(self.text, b"\xef\xbb\xbf", 3) == 0:
            # a byte-order mark is no part of the text
            self.text += 3
            size -= 3
            if is_text or self.invalid > size:
                self.invalid = size
        try:
            return self.feed_buffer(size, on_error, single, start, limit)
        finally:
            self.text = NULL
            if has_buffer:
                PyBuffer_Release(&view)

    cdef int64_t feed_buffer(self, int64_t size, int on_error, bint single, int64_t start, int64_t limit) except -2:
        cdef int status, code
        cdef int64_t graphs = self.graphs.used, ceiling, at, line
        cdef const uint8_t *border
        cdef bint spoils
        self.size = size
        self.fault = None
        if start < 0 or start > size:
            raise ValueError(f"start must lie in the text, found {start}")
        if start == 0:
            self.position = 0
            self.line = 1
            self.strict = 0
            self.attached = False
        else:
            self.position = start
        self.begin = self.anchor = self.position
        self.begin_line = self.anchor_line = self.line
        if single:
            limit = 2
        ceiling = -1 if limit < 1 else graphs + limit
        while True:
            self.interner.enter()
            with nogil:
                if self.invalid < self.position:
                    self.invalid = next_invalid(self.text, self.position, size)
                if self.smatch:
                    status = self.scan_blocks(ceiling - self.graphs.used if ceiling >= 0 else -1)
                else:
                    status = self.scan(ceiling - self.graphs.used if ceiling >= 0 else -1)
                self.interner.leave()
            if single and status != FAULTY and self.graphs.used != graphs + 1:
                if self.graphs.used > graphs:
                    self.fail(F_MORE_GRAPHS, self.begin)
                else:
                    self.begin, self.begin_line = 0, 1
                    self.fail(F_NO_GRAPH, size)
                status = FAULTY
            if status == PAUSED:
                return self.position
            if status == FINISHED:
                if self.invalid < size and on_error == RAISE:
                    # in comments behind the last graph
                    self.begin, self.begin_line = self.anchor, self.anchor_line
                    self.fault = self.locate(F_UTF8, self.invalid)
                    return -1
                self.cut_back(True)
                return 0
            if self.fault_code == F_MEMORY:
                self.cut_back(True)
                raise MemoryError("no memory left for the columns, or more than 2**31 - 2 strings")
            spoils = self.attached and (self.fault_code == F_JUNK or self.fault_code == F_CLOSE)
            if self.invalid <= self.fault_at and self.invalid < size:
                self.fail(F_UTF8, self.invalid)
            code, at = self.fault_code, self.fault_at
            if code == F_ROLE and self.announces_graph(at):
                code = F_OPEN_AT_BLOCK
            if code == F_OPEN_AT_END or code == F_OPEN_AT_BLOCK:
                while code == F_OPEN_AT_END and at > 0 and KIND[self.text[at - 1]] == K_SPACE:
                    at -= 1     # the end of the last line that says something
                # name the first block that the graph swallowed, not the last
                line = self.begin_line
                border = self.first_border(self.text + self.begin, self.text + self.fault_at, &line)
                if border != NULL:
                    code, at = F_OPEN_AT_BLOCK, border - self.text
            self.fault = self.locate(code, at)
            if on_error == RAISE:
                self.cut_back(True)
                return -1
            if single:
                while self.graphs.used > graphs:
                    self.uncover()
            else:
                self.recover()
                if spoils:
                    self.uncover()
            self.attached = False
            self.anchor, self.anchor_line = self.position, self.line
            if on_error == EMPTY:
                if not self.add_empty():
                    raise MemoryError("no memory left for the columns")
                self.problems.append((self.graphs.used - 1, self.fault[0], self.fault[1], self.fault[2]))
            else:
                self.cut_back(True)
                self.skipped += 1
            self.fault = None
            if single:
                return 0

    # Out ---------------------------------------------------------------------------------------------------------

    def columns(self):
        """The columns of all graphs read, by the names of the fields of a corpus. The reader keeps what it has."""
        return {
            "root": self.graph_column(0),
            "lines": self.graph_column(1),
            "variable_offsets": self.offsets(0),
            "variable_names": self.table(&self.variables, 1, True),
            "instance_offsets": self.offsets(1),
            "instances": self.table(&self.instances, 3, False),
            "attribute_offsets": self.offsets(2),
            "attributes": self.table(&self.attributes, 4, False),
            "relation_offsets": self.offsets(3),
            "relations": self.table(&self.relations, 5, False),
            "surface_offsets": self.offsets(4),
            "surface": self.table(&self.surface, 3, False),
            "comment_offsets": self.offsets(5),
            "comments": self.bytes_column(),
        }

    cdef object graph_column(self, int which):
        cdef int64_t i, n = self.graphs.used
        cdef const GraphRow *rows = <const GraphRow *>self.graphs.data
        cdef Py_buffer view
        cdef int32_t *out
        array = empty(n, INT32)
        PyObject_GetBuffer(array, &view, PyBUF_SIMPLE | PyBUF_WRITABLE)
        out = <int32_t *>view.buf
        for i in range(n):
            out[i] = rows[i].line if which else rows[i].root
        PyBuffer_Release(&view)
        return array

    cdef object offsets(self, int which):
        cdef int64_t i, n = self.graphs.used
        cdef const GraphRow *rows = <const GraphRow *>self.graphs.data
        cdef Py_buffer view
        cdef int64_t *out
        array = empty(n + 1, INT64)
        PyObject_GetBuffer(array, &view, PyBUF_SIMPLE | PyBUF_WRITABLE)
        out = <int64_t *>view.buf
        out[0] = 0
        for i in range(n):
            out[i + 1] = (&rows[i].variables)[which]
        PyBuffer_Release(&view)
        return array

    cdef object table(self, Column *column, int width, bint flat):
        """Rows to columns."""
        cdef int64_t i, n = column.used
        cdef int k
        cdef const int32_t *rows = <const int32_t *>column.data
        cdef Py_buffer view
        cdef int32_t *out
        array = empty(n, INT32) if flat else empty((width, n), INT32)
        if n == 0:
            return array
        PyObject_GetBuffer(array, &view, PyBUF_SIMPLE | PyBUF_WRITABLE)
        out = <int32_t *>view.buf
        for i in range(n):
            for k in range(width):
                out[k * n + i] = rows[i * width + k]
        PyBuffer_Release(&view)
        return array

    cdef object bytes_column(self):
        cdef int64_t n = self.graphs.used and (<const GraphRow *>self.graphs.data)[self.graphs.used - 1].comments
        cdef Py_buffer view
        array = empty(n, UINT8)
        if n:
            PyObject_GetBuffer(array, &view, PyBUF_SIMPLE | PyBUF_WRITABLE)
            memcpy(view.buf, self.comments.data, n)
            PyBuffer_Release(&view)
        return array
