# cython: language_level=3
"""Penman notation as SemBleu's program reads it, so that its scores can be reproduced.

The program leaves out lines whose first character is ``#`` and joins the other lines of a block with single spaces. It
reads the result character by character with a machine of four states, as smatch does, but with rules of its own:

* quotes stay, but the characters ``( ) : /`` inside them vanish: ``"a:b/c"`` is ``"abc"``;
* a role and its value end at the next ``:`` or ``)``. The first word is the role. All others, joined by single spaces,
  are the value;
* a value that names a node whose concept is already read is that node. A value of one lower-case letter, or of one and
  digits behind it, must be a node that is defined somewhere in the graph. If it is not, the program dies; here this is
  an error of the block. Any other value is a constant, *even a longer name of a node that comes later*;
* a constant between double quotes loses the quotes. If it is then the name of a node (``"i"``), the concept of that
  node takes its place.

Relations keep their names and directions here: the program inverts them only when it scores. Triples are numbered in
the program's order: nodes as they are defined, and for each node its edges in the order of the text.
"""

cimport cython
from libc.stdint cimport int32_t, int64_t, uint8_t, uint64_t
from libc.string cimport memmove

from fastmatch._ext.reading cimport blocks as read_blocks
from fastmatch._ext.base.lines cimport strip_left, strip_right, word_end
from fastmatch._ext.reading.blocks cimport (
    F_DUPLICATE, F_NO_CONCEPT, F_NO_NODE, F_ORPHAN, F_OWN_GLUED, F_SLASH, F_TWO_ROLES, F_VALUE,
)
from fastmatch._ext.reading.reader cimport FAULTY, FINISHED, F_CLOSE, marked
from fastmatch._ext.base.columns cimport Column, push, push_int32, release_all, reserve
from fastmatch._ext.reading.rows cimport add_attribute, add_instance, add_relation

cdef enum Fault:
    F_UNDEFINED = F_OWN_GLUED

# The last significant character.
cdef enum State:
    OUTSIDE         # none yet, or ")"
    OPENED
    ROLE
    SLASH

cdef struct Link:
    int32_t role
    int32_t value           # a string
    bint constant
    int32_t following       # next link of the same node, or -1
    int64_t at              # where its value ends in the glued line

cdef struct Node:
    int32_t concept         # -1 until it is complete
    int32_t first
    int32_t last


cdef inline bint like_a_name(const uint8_t *text, int64_t length) noexcept nogil:
    cdef int64_t i
    if length < 1 or text[0] < c"a" or text[0] > c"z":
        return False
    for i in range(1, length):
        if text[i] < c"0" or text[i] > c"9":
            return False
    return True


@cython.final
cdef class Reader(read_blocks.GluedReader):
    """The dialect ``sembleu``; see the top of this module."""

    cdef Column letters, names, nodes, links     # scratch of the graph that is being read

    def __cinit__(self, interner):
        self.tool = "SemBleu"
        self.spaced = True

    def __dealloc__(self):
        release_all(&self.letters, &self.links)

    cdef int32_t intern_role(self, uint8_t *role, int64_t length) except -1 nogil:
        """Return the id of a role with a colon in front, which is written over the byte before ``role``."""
        (role - 1)[0] = c":"
        return self.interner.add(role - 1, length + 1)

    cdef int add_link(self, int32_t node, int32_t role, int32_t value, bint constant, int64_t at) except -1 nogil:
        cdef Node *source = <Node *> self.nodes.data + node
        cdef int32_t number = <int32_t> self.links.used
        (<Link *> push(&self.links, sizeof(Link)))[0] = Link(role, value, constant, -1, at)
        if source.first < 0:
            source.first = number
        else:
            (<Link *> self.links.data)[source.last].following = number
        source.last = number

    cdef int finish_value(self, uint64_t stamp, int64_t letters, int64_t at) except -1 nogil:
        """Note a role whose value is no node in brackets, now that both are read; returns a Status.

        The buffer holds them: ``letters`` bytes from index 1 on. ``at`` is the place of an error.
        """
        cdef uint8_t *start = <uint8_t *> self.letters.data + 1
        cdef const uint8_t *end = start + letters
        cdef uint8_t *role = <uint8_t *> strip_left(start, end)
        cdef const uint8_t *p = word_end(role, end)
        cdef const uint8_t *word
        cdef int64_t role_length = p - role, length = 0
        cdef int32_t role_id, value_id, node = -1
        cdef bint constant = False
        p = strip_left(p, end)
        cdef uint8_t *value = <uint8_t *> p
        while p < end:
            word = p
            p = word_end(word, end)
            if length:
                value[length] = c" "
                length += 1
            memmove(value + length, word, p - word)
            length += p - word
            p = strip_left(p, end)
        if length == 0:
            return self.fail_glued(F_VALUE, at)
        if self.names.used == 0:
            return self.fail_glued(F_ORPHAN, at)
        value_id = self.interner.find(value, length)
        if value_id >= 0:
            node = marked(self.interner, value_id, stamp)
        if node < 0 or (<Node *> self.nodes.data)[node].concept < 0:
            constant = not like_a_name(value, length)
            if constant and length >= 2 and value[0] == c'"' and value[length - 1] == c'"':
                value += 1
                length -= 2
            value_id = self.interner.add(value, length)
        role_id = self.intern_role(role, role_length)
        self.add_link((<int32_t *> self.names.data)[self.names.used - 1], role_id, value_id, constant, at)
        return FINISHED

    cdef int complete(self, int64_t letters) except -1 nogil:
        """Take what is in the buffer for the concept of the innermost open node."""
        cdef int32_t node = (<int32_t *> self.names.data)[self.names.used - 1]
        (<Node *> self.nodes.data)[node].concept = self.interner.add(
            <const uint8_t *> self.letters.data + 1, letters
        )

    cdef int scan_block(self) except -1 nogil:
        """Read one block as the program does; returns a Status.

        Characters wait in a buffer. Spaces go into it only behind a ``:``.
        """
        cdef const uint8_t *line = <const uint8_t *> self.glued.data
        cdef int64_t size = self.glued.used, i, used = 0
        cdef uint8_t *letters
        cdef uint8_t *left
        cdef const uint8_t *right
        cdef uint8_t c
        cdef int state = OUTSIDE
        cdef bint quoted = False, special
        cdef int32_t pending = -1, name, node
        self.names.used = 0         # numbers of the open nodes
        self.nodes.used = 0
        self.links.used = 0
        self.letters.used = 0
        # index 0 is kept free for the colon of a role
        reserve(&self.letters, size + 1, 1)
        self.interner.reserve_marks()
        letters = <uint8_t *> self.letters.data + 1
        cdef uint64_t stamp = self.interner.new_stamp()
        for i in range(size):
            c = line[i]
            special = c == c"(" or c == c")" or c == c":" or c == c"/"
            if c == c'"':
                quoted = not quoted
            if quoted and special:
                continue
            if not special:
                if c != c" " or state == ROLE:
                    letters[used] = c
                    used += 1
            elif c == c"(":
                if state == ROLE:
                    if pending >= 0:
                        return self.fail_glued(F_TWO_ROLES, i)
                    left = <uint8_t *> strip_left(letters, letters + used)
                    right = strip_right(left, letters + used)
                    if left < right:
                        pending = self.intern_role(left, right - left)
                    used = 0
                state = OPENED
            elif c == c":":
                if state == SLASH:
                    self.complete(used)
                    used = 0
                elif state == ROLE:
                    if self.finish_value(stamp, used, i) == FAULTY:
                        return FAULTY
                    used = 0
                state = ROLE
            elif c == c"/":
                if state != OPENED:
                    return self.fail_glued(F_SLASH, i)
                name = self.interner.add(letters, used)
                used = 0
                self.interner.reserve_marks()
                if marked(self.interner, name, stamp) >= 0:
                    return self.fail_glued(F_DUPLICATE, i)
                node = <int32_t> self.nodes.used
                push_int32(&self.variables, name)
                (<Node *> push(&self.nodes, sizeof(Node)))[0] = Node(-1, -1, -1)
                self.interner.marks[name] = (stamp << 32) | <uint64_t> node
                if pending >= 0:
                    if self.names.used == 0:
                        return self.fail_glued(F_ORPHAN, i)
                    self.add_link((<int32_t *> self.names.data)[self.names.used - 1], pending, name, False, i)
                    pending = -1
                push_int32(&self.names, node)
                state = SLASH
            else:
                if self.names.used == 0:
                    return self.fail_glued(F_CLOSE, i)
                if state == ROLE:
                    if self.finish_value(stamp, used, i) == FAULTY:
                        return FAULTY
                    used = 0
                elif state == SLASH:
                    self.complete(used)
                    used = 0
                self.names.used -= 1
                pending = -1
                state = OUTSIDE
        if self.nodes.used == 0:
            return self.fail_glued(F_NO_NODE, 0)
        return self.settle_block(stamp)

    cdef int settle_block(self, uint64_t stamp) except -1 nogil:
        """Make the rows of the graph, now that all its nodes are known; returns a Status."""
        cdef const Node *nodes = <const Node *> self.nodes.data
        cdef const Link *link
        cdef int32_t k, target, number, n = <int32_t> self.nodes.used, position = n
        self.interner.reserve_marks()
        for k in range(n):
            if nodes[k].concept < 0:
                return self.fail_glued(F_NO_CONCEPT, self.glued.used)
            add_instance(&self.instances, k, nodes[k].concept, k)
        for k in range(n):
            number = nodes[k].first
            while number >= 0:
                link = <const Link *> self.links.data + number
                target = marked(self.interner, link.value, stamp)
                if link.constant:
                    add_attribute(
                        &self.attributes, k, link.role, link.value if target < 0 else nodes[target].concept, position
                    )
                elif target < 0:
                    return self.fail_glued(F_UNDEFINED, link.at)
                else:
                    add_relation(&self.relations, k, link.role, target, position, 0)
                position += 1
                number = link.following
        self.close_graph(0)
        return FINISHED

    cdef str describe(self, int code, int64_t at):
        if code == F_UNDEFINED:
            return "SemBleu takes a letter with digits for a variable, and one is not defined in this graph"
        return read_blocks.GluedReader.describe(self, code, at)
