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

from fastmatch._ext.reading cimport smatch
from fastmatch._ext.base.columns cimport push
from fastmatch._ext.base.letters cimport digits_end
from fastmatch._ext.base.lines cimport Place, strip_left, word_end
from fastmatch._ext.reading.blocks cimport F_NO_CONCEPT, F_ORPHAN, F_OWN_GLUED, F_VALUE
from fastmatch._ext.reading.reader cimport FINISHED, marked
from fastmatch._ext.reading.rows cimport add_attribute, add_instance, add_relation
from fastmatch._ext.reading.smatch cimport Node

cdef enum Fault:
    F_UNDEFINED = F_OWN_GLUED

cdef struct Link:
    int32_t node, role
    int32_t value           # a string
    bint constant
    int32_t following       # next link of the same node, or -1
    int64_t at              # where its value ends in the glued line


cdef inline bint like_a_name(Place text, int64_t length) noexcept nogil:
    return length > 0 and c"a" <= text[0] <= c"z" and digits_end(text + 1, text + length) == text + length


@cython.final
cdef class Reader(smatch.Reader):
    """The dialect ``sembleu``; see the top of this module."""

    def __cinit__(self, interner):
        self.tool = "SemBleu"
        self.spaced = self.sembleu = True

    cdef int add_link(self, int32_t node, int32_t role, int32_t value, bint constant, int64_t at) except -1 nogil:
        (<Link *> push(&self.entries, sizeof(Link)))[0] = Link(node, role, value, constant, -1, at)

    cdef int lead_to(self, int32_t parent, int32_t role, int direction, int32_t name, int64_t at) except -1 nogil:
        return self.add_link(parent, role, name, False, at)

    cdef int finish_value(self, uint64_t stamp, int64_t letters, bint last, int64_t at) except -1 nogil:
        """Note a role whose value is no node in brackets, now that both are read; returns a Status.

        The buffer holds them: ``letters`` bytes from index 1 on. ``at`` is the place of an error.
        """
        cdef uint8_t *start = <uint8_t *> self.letters.data + 1
        cdef Place end = start + letters, word
        cdef uint8_t *role = <uint8_t *> strip_left(start, end)
        cdef Place p = word_end(role, end)
        cdef int64_t role_length = p - role, length = 0
        cdef int32_t role_id, value_id, node = -1
        cdef int direction
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
        if self.opened.used == 0:
            return self.fail_glued(F_ORPHAN, at)
        if (value_id := self.interner.find(value, length)) >= 0:
            node = marked(self.interner, value_id, stamp)
        if node < 0 or (<Node *> self.nodes.data)[node].concept < 0:
            constant = not like_a_name(value, length)
            if constant and length >= 2 and value[0] == c'"' and value[length - 1] == c'"':
                value += 1
                length -= 2
            value_id = self.interner.add(value, length)
        role_id = self.intern_role(role, role_length, False, &direction)
        self.add_link(self.innermost(), role_id, value_id, constant, at)
        return FINISHED

    cdef int settle_block(self, uint64_t stamp) except -1 nogil:
        """Make the rows of the graph, now that all its nodes are known; returns a Status."""
        cdef Node *nodes = <Node *> self.nodes.data
        cdef Link *link
        cdef int32_t k, target, number, n = <int32_t> self.nodes.used, position = n
        self.interner.reserve_marks()
        for number in range(<int32_t> self.entries.used - 1, -1, -1):
            link = <Link *> self.entries.data + number
            link.following, nodes[link.node].first = nodes[link.node].first, number
        for k in range(n):
            if nodes[k].concept < 0:
                return self.fail_glued(F_NO_CONCEPT, self.glued.used)
            add_instance(&self.instances, k, nodes[k].concept, k)
        for k in range(n):
            number = nodes[k].first
            while number >= 0:
                link = <Link *> self.entries.data + number
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
        return smatch.Reader.describe(self, code, at)
