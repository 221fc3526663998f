# cython: language_level=3
"""Readers that take a text block by block: lines up to an empty one, a graph each.

``BlockReader`` is the loop over blocks, and over the lines of each. ``GluedReader`` is for tools that join the lines of
a block to one line before they look at it. A dialect defines ``scan_block``, which makes a graph of this glued line. It
reports an error by its place in the glued line (``fail_glued`` finds the place in the text). ``PlainReader`` is for
formats of which there are few and small files: a class in Python makes the graphs.

The tools differ in two points. smatch puts nothing between two lines; to smatch a line is a comment if its first
character other than white space is ``#``. SemBleu (``spaced``) puts a space between two lines, and the ``#`` of a
comment must be in the first column.
"""

from libc.stdint cimport int32_t, int64_t

from fastmatch._ext.reading cimport reader
from fastmatch._ext.base.lines cimport Place, line_end, next_line, strip_left, strip_right
from fastmatch._ext.reading.reader cimport FAULTY, FINISHED, PAUSED, F_OWN, F_SIZE, F_UTF8
from fastmatch._ext.reading.rows cimport MOST_ROWS, add_attribute, add_instance, add_relation
from fastmatch._ext.base.columns cimport push, push_bytes, push_int32, push_int64, release, release_all
from fastmatch._ext.base.search cimport lower_bound_every

cdef enum:
    FIRST_PART = 1 << 22    # bytes of a text that are looked at before it is read

#: Error → what is wrong.
cdef dict SAID = {
    F_SLASH: "{tool} takes '/' only after the variable of a node",
    F_DUPLICATE: "{tool} refuses a second node with the same variable",
    F_VALUE: "role without a value; expected a variable or a constant before this",
    F_TWO_ROLES: "two roles wait for a node; expected a variable after '('",
    F_ORPHAN: "role outside a node; expected '(' and a variable first",
    F_NO_CONCEPT: "a node has no complete concept; expected ')'",
    F_NO_NODE: "expected a graph, found no '/' after a variable",
}


cdef class BlockReader(reader.Reader):
    """The loop over blocks. Only its subclasses can read."""

    def __dealloc__(self):
        release_all(&self.pieces, &self.letters)

    cdef int gather_block(self) except -1 nogil:
        """Fill ``pieces`` with the next block, line by line; leave none at the end of the text."""
        cdef Place end = self.text + self.size, p = self.text + self.position, stop
        self.pieces.used = 0
        while p < end:
            stop = line_end(p, end)
            if not self.take_line(p, stop):
                break
            self.line += stop < end
            p = next_line(stop, end)
        self.position = p - self.text

    cdef int take_line(self, Place p, Place stop) except -1 nogil:
        """Add a line to ``pieces`` unless it is a comment; ``begin_at`` its first. False: the block ended before it."""
        return False

    cdef void begin_at(self, Place p) noexcept nogil:
        """The graph begins here, in the line that is being looked at."""
        self.begin = p - self.text
        self.begin_line = self.line

    cdef int64_t line_of(self, int64_t place) noexcept nogil:
        """The number of the line of a place in the graph."""
        cdef Place end = self.text + self.size, p = line_end(self.text + self.begin, end)
        cdef int64_t line = self.begin_line
        while p < self.text + place:
            p = line_end(next_line(p, end), end)
            line += 1
        return line

    cdef int32_t intern_letters(self) except -1 nogil:
        """Id of the string in ``letters``."""
        return self.interner.add(<Place> self.letters.data, self.letters.used)

    cdef int scan_block(self) except -1 nogil:
        return FINISHED

    cdef int scan(self, int64_t limit) except -1 nogil:
        """Read up to ``limit`` blocks from ``self.position`` on."""
        while True:
            if limit == 0:
                return PAUSED
            self.anchor = self.position
            self.anchor_line = self.line
            self.gather_block()
            if self.pieces.used == 0:
                return FINISHED
            if self.invalid < self.position:
                return self.fail(F_UTF8, self.invalid)
            if self.scan_block() == FAULTY:
                return FAULTY
            limit -= 1


cdef class GluedReader(BlockReader):
    """Joins the lines of a block to one. Only its subclasses can read."""

    def __dealloc__(self):
        release(&self.glued)

    cdef int gather_block(self) except -1 nogil:
        """Join the lines of the next block; none at the end of the text.

        A loop of its own: one call for each line would be 6 to 9 % of the time of reading.
        """
        cdef Place end = self.text + self.size, p = self.text + self.position, stop, left, right
        cdef Place first       # where a '#' makes the line a comment
        cdef Piece *piece
        self.glued.used = self.pieces.used = 0
        while p < end:
            stop = line_end(p, end)
            left = strip_left(p, stop)
            first = p if self.spaced else left
            if left == stop:
                if self.glued.used:
                    break
            elif first[0] == c"#":
                self.add_comment(first, stop - first)
            else:
                right = strip_right(left, stop)
                if self.glued.used == 0:
                    self.begin = left - self.text
                    self.begin_line = self.line
                elif self.spaced:
                    push_bytes(&self.glued, b" ", 1)
                piece = <Piece *>push(&self.pieces, sizeof(Piece))
                piece.glued = self.glued.used
                piece.source = left - self.text
                push_bytes(&self.glued, left, right - left)
            if stop < end:
                self.line += 1
            p = next_line(stop, end)
        self.position = p - self.text

    cdef int fail_glued(self, int code, int64_t at) noexcept nogil:
        """Do as ``fail``, for an offset in the glued line."""
        cdef const Piece *pieces = <const Piece *>self.pieces.data
        # the last piece that begins at ``at`` or before; the first one begins at 0
        cdef Py_ssize_t step = sizeof(Piece) // sizeof(int64_t)
        cdef Py_ssize_t last = lower_bound_every(&pieces.glued, step, 1, self.pieces.used, at + 1) - 1
        return self.fail(code, pieces[last].source + at - pieces[last].glued)

    cdef str describe(self, int code, int64_t at):
        if code in SAID:
            return SAID[code].format(tool=self.tool)
        return reader.Reader.describe(self, code, at)


class Broken(Exception):
    """Raised by a :class:`PlainReader`: what is wrong, number of the line, place in it.

    For the line -1 the place is one in the bytes of the text, and -1 is where the graph begins.
    """


cdef class PlainReader(BlockReader):
    """Has graphs made by a subclass in Python, which defines three methods.

    ``look_at(text)`` looks at the first megabytes of a text, bytes. ``takes(line, first)`` says whether a line belongs
    to the graph, of which it may be the first: 1, 0, or -1 where the graph ended before it. ``graph(lines)`` returns
    the names of the variables; the triples in their order, as (variable, role, target, whether it was turned around);
    and the variable at the root, or -1. Variables are numbers there; a target is a number, or text; the role of an
    instance is None. ``Broken`` says that the lines are no graph. The last two call ``note`` with comment lines.
    """

    def __cinit__(self, *arguments, **options):
        self.lone = "surrogatepass"

    @property
    def alone(self):
        """bool: the text must hold one graph."""
        return self.single

    @property
    def lost(self):
        """What was left out of graphs that were read: (how many things, line of the first, its name), or None."""
        return (self.n_lost, self.lost_line, self.lost_name) if self.n_lost else None

    def lose(self, int64_t number, Py_ssize_t line, str name):
        """So many things are left out of the graph that was made, the first in this of its lines."""
        if self.n_lost == 0:
            self.lost_line, self.lost_name = self.line_of((<const int64_t *> self.pieces.data)[line]), name
        self.n_lost += number

    def look_at(self, bytes text):
        """Nothing is looked at, unless a subclass does."""

    def note(self, str line):
        """Keep a comment line."""
        cdef bytes text = line.encode("utf-8", self.lone)
        self.add_comment(<Place> <const char *> text, len(text))

    def forget_notes(self):
        """Drop the comment lines that no graph has yet."""
        self.comments.used = self.comments_kept()

    cdef void restart(self) noexcept nogil:
        self.fresh = True

    cdef int scan(self, int64_t limit) except -1 nogil:
        self.interner.leave()       # whatever runs in Python may ask it for something
        try:
            with gil:
                if self.fresh:
                    self.look_at((<const char *> self.text)[:min(self.size, <int64_t> FIRST_PART)])
                self.fresh = False
            return BlockReader.scan(self, limit)
        finally:
            with gil:
                self.interner.enter()

    cdef int gather_block(self) except -1 nogil:
        with gil:
            self.lines = []
        return BlockReader.gather_block(self)

    cdef int take_line(self, Place p, Place stop) except -1 nogil:
        cdef int taken
        with gil:
            self.here = p - self.text
            line = (<const char *> p)[:stop - p].decode("utf-8", "surrogateescape" if (
                self.invalid < stop - self.text
            ) else self.lone)
            taken = self.takes(line, self.pieces.used == 0)
            if taken > 0:
                self.lines.append(line)
        if taken > 0:
            if self.pieces.used == 0:
                self.begin_at(strip_left(p, stop))
            push_int64(&self.pieces, p - self.text)
        return taken >= 0

    cdef int scan_block(self) except -1 nogil:
        if self.position - self.begin > MOST_ROWS // 4:
            return self.fail(F_SIZE, self.begin)
        with gil:
            return self.add_graph()

    cdef int add_graph(self) except -1:
        cdef int32_t position = 0
        cdef int64_t at = self.begin
        try:
            names, triples, root = self.graph(self.lines)
        except Broken as broken:
            self.said, line, place = broken.args
            if line >= 0:
                at = (<const int64_t *> self.pieces.data)[<int64_t> line]
                at += len(self.lines[line][:place].encode("utf-8", self.lone))
            elif place >= 0:
                at = place
            return self.fail(F_OWN, at)
        self.interner.enter()
        try:
            for name in names:
                push_int32(&self.variables, id_of(self, name))
            for variable, role, target, turned in triples:
                if role is None:
                    add_instance(&self.instances, variable, id_of(self, target), position)
                elif isinstance(target, str):
                    add_attribute(&self.attributes, variable, id_of(self, role), id_of(self, target), position)
                else:
                    add_relation(&self.relations, variable, id_of(self, role), target, position, turned)
                position += 1
        finally:
            self.interner.leave()
        self.close_graph(root)
        return FINISHED

    cdef str describe(self, int code, int64_t at):
        return self.said if code == F_OWN else reader.Reader.describe(self, code, at)


cdef int32_t id_of(PlainReader self, str text) except -1:
    cdef bytes encoded = text.encode("utf-8", self.lone)
    return self.interner.add(<Place> <const char *> encoded, len(encoded))
