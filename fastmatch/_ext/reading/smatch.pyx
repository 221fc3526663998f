# cython: language_level=3
"""Penman notation as smatch 1.0.4 and the tools that grew out of older ones read it, quirks included.

smatch takes the lines of a block, up to a blank line, as one line without separators. It reads this line character by
character with a machine of four states; ``scan_block`` is that machine. SemBleu's program has nearly the same one, so
its reader (sembleu.pyx) shares it.

The tools that grew out of smatch treat roles in three ways:

* smatch 1.0.4 inverts every relation whose role ends in ``-of``, except three roles, and makes ``domain`` of ``mod``;
* older tools (``partial``) invert a relation only if it leads to a new node or is the last thing in its node. So
  ``:ARG0-of x`` before another role keeps its name and its direction. They have no exceptions and leave ``mod`` alone;
* S2match and tools with the same reader (``keyed``) keep the edges of a node in dictionaries: one relation for each
  target, one attribute for each role. Of several, the last one counts, in the place of the first.
"""

from libc.stdint cimport int32_t, int64_t, uint8_t, uint64_t
from libc.string cimport memcmp, memcpy, memmove

from fastmatch._ext.reading cimport blocks as read_blocks
from fastmatch._ext.reading.interner cimport Interner
from fastmatch._ext.base.lines cimport Place, strip_left, strip_right, word_end
from fastmatch._ext.reading.blocks cimport (
    F_DUPLICATE, F_NO_CONCEPT, F_NO_NODE, F_ORPHAN, F_OWN_GLUED, F_SLASH, F_TWO_ROLES, F_VALUE,
)
from fastmatch._ext.reading.reader cimport FAULTY, FINISHED, F_CLOSE, F_SIZE, marked
from fastmatch._ext.base.columns cimport Column, fresh, push, push_int32, release_all
from fastmatch._ext.reading.rows cimport MOST_ROWS, AttributeRow, RelationRow, add_attribute, add_instance, add_relation
from fastmatch._ext.base.sorting cimport Pair, sort_pairs

cdef enum Fault:
    F_NO_NAME = F_OWN_GLUED

cdef struct Entry:
    # an edge as smatch notes it: under the name of one node, in its first or second list
    int32_t key, role, other, inverted, second, following


cdef class Reader(read_blocks.GluedReader):
    """The dialects of smatch and of the tools that grew out of it; see the top of this module.

    Parameters
    ----------
    interner : Interner
        Gets every string.
    tool : str
        The tool that error messages name.
    partial, keyed : bool
        How the tool treats roles; see the top of this module.
    mark : bool
        Whether ``_`` is put behind a string in quotes.
    kept : bool
        An inverted role whose value is a constant keeps its name, and the constant.
    """

    def __cinit__(
        self, Interner interner, str tool="smatch", *, bint partial=False, bint keyed=False, bint mark=True,
        bint kept=False, **options
    ):
        self.tool = tool
        self.partial = partial
        self.keyed = keyed
        self.mark = mark
        self.kept = kept

    def __dealloc__(self):
        release_all(&self.opened, &self.pairs)

    cdef int32_t intern_role(self, Place role, int64_t length, bint turn, int *direction) except -1 nogil:
        """Return the id of a role as it is stored, with a colon in front.

        ``turn`` says whether the tool inverts a relation in this place. ``direction`` becomes 1 if this one is
        inverted, so that its two ends are swapped, else 0.
        """
        direction[0] = 0
        if not turn:
            pass
        elif length >= 3 and memcmp(role + length - 3, b"-of", 3) == 0 and (self.partial or not (
            (length == 10 and memcmp(role, b"consist-of", 10) == 0)
            or (length == 11 and memcmp(role, b"prep-out-of", 11) == 0)
            or (length == 17 and memcmp(role, b"prep-on-behalf-of", 17) == 0)
        )):
            direction[0] = 1
            length -= 3
        elif not self.partial and length == 3 and memcmp(role, b"mod", 3) == 0:
            direction[0] = 1
            return self.interner.add(b":domain", 7)
        # The role stands in ``letters`` behind at least one free byte, or begins there at index 1: see scan_block.
        cdef uint8_t *buffer = <uint8_t *>role - 1
        buffer[0] = c":"
        return self.interner.add(buffer, length + 1)

    cdef int note(self, int32_t source, int32_t role, int32_t value, int direction, bint second) except -1 nogil:
        """Do what ``update_triple`` of smatch does: file an edge under its source, an inverted one under its value.

        ``second``: into the second of the two lists of that name.
        """
        cdef Entry *entry = <Entry *>push(&self.entries, sizeof(Entry))
        entry.role = role
        entry.inverted = direction
        entry.second = second
        if direction:
            entry.key = value
            entry.other = source
        else:
            entry.key = source
            entry.other = value

    cdef int finish_value(self, uint64_t stamp, int64_t letters, bint last, int64_t at) except -1 nogil:
        """File a role whose value is a constant or a variable, now that both are read; returns a Status.

        The buffer holds them: ``letters`` bytes from index 1 on. ``last``: nothing follows in the same node. ``at`` is
        the place of an error.
        """
        cdef Place p = <Place> self.letters.data + 1, end = p + letters
        cdef int64_t role_length, value_length
        cdef int32_t role_id, value_id, node
        cdef int direction = 0
        cdef Place role = strip_left(p, end)
        p = word_end(role, end)
        role_length = p - role
        cdef Place value = strip_left(p, end)
        value_length = word_end(value, end) - value    # only the first word counts
        if value_length == 0:
            return self.fail_glued(F_VALUE, at)
        if self.opened.used == 0:
            return self.fail_glued(F_ORPHAN, at)
        value_id = self.interner.add(value, value_length)
        node = marked(self.interner, value_id, stamp)
        role_id = self.intern_role(
            role, role_length, (last or not self.partial) and (node >= 0 or not self.kept), &direction
        )
        cdef const Node *nodes = <const Node *>self.nodes.data
        self.note(
            nodes[self.innermost()].name, role_id, value_id, direction,
            not (self.partial and direction) and (node < 0 or nodes[node].concept < 0),
        )
        return FINISHED

    cdef inline int32_t innermost(self) noexcept nogil:
        """The number of the innermost open node."""
        return (<const int32_t *>self.opened.data)[self.opened.used - 1]

    cdef int lead_to(self, int32_t parent, int32_t role, int direction, int32_t name, int64_t at) except -1 nogil:
        """File an edge from an open node to the node that has just been introduced in brackets."""
        return self.note((<const Node *>self.nodes.data)[parent].name, role, name, direction, False)

    cdef int scan_block(self) except -1 nogil:
        """Read one block as ``parse_AMR_line`` of smatch does; returns a Status.

        The state is the last significant character. Other characters wait in a buffer, which not every step empties.
        Spaces go into it only behind a ``:``, tabs always. Quotes are not stored, but a closing quote leaves ``_``.
        SemBleu's program stores quotes, and drops ``( ) : /`` between them.
        """
        cdef Place line = <Place> self.glued.data, left, right
        cdef int64_t size = self.glued.used, i, used = 0
        cdef uint8_t *letters
        cdef uint8_t c
        cdef State state = OUTSIDE
        cdef bint quoted = False
        cdef int32_t pending = -1, name, node
        cdef int direction = 0
        self.opened.used = 0        # numbers of the open nodes
        self.nodes.used = 0         # one for each name
        self.order.used = 0         # nodes in order of their "/"; a name may stand there twice
        self.entries.used = 0
        # A quote gives at most one letter, as any other character; index 0 is kept free for the colon of a role.
        letters = <uint8_t *>fresh(&self.letters, size, 1) + 1
        self.interner.reserve_marks()
        cdef uint64_t stamp = self.interner.new_stamp()
        for i in range(size):
            c = line[i]
            if c == c" ":
                if state == ROLE:
                    letters[used] = c
                    used += 1
            elif c == c'"':
                if self.sembleu or (quoted and self.mark):
                    letters[used] = c if self.sembleu else c"_"
                    used += 1
                quoted = not quoted
            elif quoted or (c != c"(" and c != c")" and c != c":" and c != c"/"):
                if not (quoted and self.sembleu and (c == c"(" or c == c")" or c == c":" or c == c"/")):
                    letters[used] = c
                    used += 1
            elif c == c"(":
                if state == ROLE:
                    if pending >= 0:
                        return self.fail_glued(F_TWO_ROLES, i)
                    left = strip_left(letters, letters + used)
                    right = strip_right(left, letters + used)
                    if left < right:
                        pending = self.intern_role(left, right - left, not self.sembleu, &direction)
                    used = 0
                state = OPENED
            elif c == c"/":
                if state != OPENED:
                    return self.fail_glued(F_SLASH, i)
                name = self.interner.add(letters, used)
                used = 0
                self.interner.reserve_marks()
                node = marked(self.interner, name, stamp)
                if node >= 0 and (self.sembleu or (<Node *>self.nodes.data)[node].concept >= 0):
                    return self.fail_glued(F_DUPLICATE, i)
                if node < 0:
                    node = <int32_t>self.nodes.used
                    (<Node *>push(&self.nodes, sizeof(Node)))[0] = Node(name, -1, -1, -1)
                    push_int32(&self.variables, name)
                    self.interner.marks[name] = (stamp << 32) | <uint64_t>node
                if pending >= 0:
                    if self.opened.used == 0:
                        return self.fail_glued(F_ORPHAN, i)
                    self.lead_to(self.innermost(), pending, direction, name, i)
                    pending = -1
                push_int32(&self.opened, node)
                push_int32(&self.order, node)
                state = SLASH
            else:
                if c == c")" and self.opened.used == 0:
                    return self.fail_glued(F_CLOSE, i)
                if state == ROLE:
                    if self.finish_value(stamp, used, c == c")", i) == FAULTY:
                        return FAULTY
                    used = 0
                elif state == SLASH:
                    (<Node *>self.nodes.data)[self.innermost()].concept = self.interner.add(letters, used)
                    used = 0
                state = ROLE
                if c == c")":
                    self.opened.used -= 1
                    pending = -1
                    state = OUTSIDE
        if self.order.used == 0:
            return self.fail_glued(F_NO_NODE, 0)
        return self.settle_block(stamp)

    cdef int settle_block(self, uint64_t stamp) except -1 nogil:
        """Make rows in the order of the lists that smatch makes: for each node its first list, then its second.

        Returns a Status.
        """
        cdef Node *nodes = <Node *>self.nodes.data
        cdef Entry *entries = <Entry *>self.entries.data
        cdef const int32_t *order = <const int32_t *>self.order.data
        cdef int64_t k, rows = 0, first_instance = self.instances.used, first_attribute = self.attributes.used
        cdef int64_t first_relation = self.relations.used, node_attributes, node_relations
        cdef int32_t node, other, e, position
        cdef int list_number
        self.interner.reserve_marks()
        for k in range(self.order.used):
            if nodes[order[k]].concept < 0:
                return self.fail_glued(F_NO_CONCEPT, self.glued.used)
        for k in range(self.entries.used - 1, -1, -1):
            if (node := marked(self.interner, entries[k].key, stamp)) < 0:
                continue    # filed under a constant; smatch loses such an edge, too
            if entries[k].second:
                entries[k].following = nodes[node].second
                nodes[node].second = <int32_t>k
            else:
                entries[k].following = nodes[node].first
                nodes[node].first = <int32_t>k
        for k in range(self.order.used):
            node = order[k]
            node_attributes = self.attributes.used
            node_relations = self.relations.used
            add_instance(&self.instances, node, nodes[node].concept, <int32_t>k)
            for list_number in range(2):
                e = nodes[node].second if list_number else nodes[node].first
                while e >= 0:
                    # A node whose "/" stands in the text k times has its edges k times. The limit keeps a short text
                    # from becoming a huge graph.
                    rows += 1
                    if rows > MOST_ROWS or rows > 1000000 + 16 * self.glued.used:
                        return self.fail(F_SIZE, self.begin)
                    other = marked(self.interner, entries[e].other, stamp)
                    if list_number and self.interner.length(entries[e].other) == 0:
                        # smatch looks at the first character of the name
                        return self.fail_glued(F_NO_NAME, self.glued.used)
                    if other >= 0:
                        add_relation(&self.relations, node, entries[e].role, other, 0, entries[e].inverted)
                    else:
                        add_attribute(&self.attributes, node, entries[e].role, entries[e].other, 0)
                    e = entries[e].following
            if self.keyed:
                keep_last(self, &self.attributes, node_attributes, 4, 1)     # one for each role
                keep_last(self, &self.relations, node_relations, 5, 2)       # and for each target
        position = <int32_t>(self.instances.used - first_instance)
        for k in range(first_attribute, self.attributes.used):
            (<AttributeRow *>self.attributes.data)[k].position = position
            position += 1
        for k in range(first_relation, self.relations.used):
            (<RelationRow *>self.relations.data)[k].position = position
            position += 1
        self.close_graph(0)
        return FINISHED

    cdef str describe(self, int code, int64_t at):
        if code == F_NO_NAME:
            return f"{self.tool} refuses an inverted edge from a node without a variable"
        return read_blocks.GluedReader.describe(self, code, at)


cdef int keep_last(Reader self, Column *column, int64_t start, int width, int key) except -1 nogil:
    """Of the rows from ``start`` on that are equal in the field ``key`` keep the last, in the place of the first.

    A row has ``width`` fields, of which that one is not negative.
    """
    cdef int32_t *rows = <int32_t *>column.data + start * width
    cdef int64_t n = column.used - start, first = 0, i
    cdef Pair *pairs = <Pair *>fresh(&self.pairs, 2 * n, sizeof(Pair))
    for i in range(n):
        pairs[i] = Pair(rows[i * width + key], i)
    sort_pairs(pairs, n, pairs + n)
    for i in range(1, n):
        if pairs[i].major == pairs[first].major:
            memcpy(rows + pairs[first].minor * width, rows + pairs[i].minor * width, width * sizeof(int32_t))
            rows[pairs[i].minor * width + key] = -1
        else:
            first = i
    column.used = start
    for i in range(n):
        if rows[i * width + key] >= 0:
            memmove(rows + (column.used - start) * width, rows + i * width, width * sizeof(int32_t))
            column.used += 1
