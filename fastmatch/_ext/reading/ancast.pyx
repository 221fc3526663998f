# cython: language_level=3
"""Penman notation as the package ancast 0.1.1 reads it, what it loses included, so that its scores can be reproduced.

A block ends at an empty line. Its graph is what follows the line of the *last* ``#``, so a ``#`` inside a value cuts
the graph off: the package gives up on what is left, or takes a part of the graph for the whole. Here such a block is an
error, unless the option ``cut`` (dialect ``ancast-cut``) asks for the part. From the graph's first line on the package
walks over the characters:

* a node is looked for behind a bracket, not expected there, and the walk goes on behind as many characters as the
  node's head has: a space after the bracket puts it one character back, into the concept;
* a role ends at the next *space*, wherever it is, so a role at the end of a line takes the line break with it;
* a bare value that is no number, ``imperative`` or ``expressive`` (in UMR: that looks like a variable) is taken for a
  variable that comes later, and lost if none does: ``:mode interrogative``, ``:quant 1,000``;
* a relation exists from the moment when its target is complete, and that order matters: see ``anchors/graphs.pyx``;
* what follows the first graph of a block is ignored.

A variable declared again is another variable of the same name here. What the package gives up on (it prints a line and
leaves the pair out of all averages) is an error. A block that holds only comments is skipped, and one without
``# ::snt`` is read, while the package passes it over in silence.
"""

cimport cython
from libc.stdint cimport int32_t, int64_t, uint8_t, uint32_t, uint64_t
from libc.string cimport memchr, memcmp, memcpy

from fastmatch._ext.reading cimport blocks as read_blocks
from fastmatch._ext.reading.interner cimport Interner
from fastmatch._ext.base.letters cimport digits_end
from fastmatch._ext.base.lines cimport Place, line_end, next_line, space_at, strip_left, strip_right
from fastmatch._ext.reading.reader cimport FAULTY, FINISHED, PAUSED, F_CLOSE, F_OWN, F_SIZE, F_UTF8, marked
from fastmatch._ext.base.columns cimport Column, fresh, push, push_bytes, push_int32, release_all
from fastmatch._ext.reading.rows cimport MOST_ROWS, add_attribute, add_instance, add_relation

cdef enum:
    F_HEAD = F_OWN, F_SLASH, F_COLON, F_OPEN, F_ROLE, F_QUOTE, F_NO_NODE, F_EMPTY_VALUE, F_CUT

cdef enum:
    # what marks hold for a name: a variable, or UNRESOLVED - the last reference to a variable that has not come yet
    UNRESOLVED = -2

cdef struct Frame:
    int32_t variable
    int32_t role            # of the relation that this node is the target of, or -1
    int32_t role_inverted

cdef struct Reference:
    int32_t variable, role, role_inverted
    int32_t following       # the reference to the same name before it, or -1

cdef struct Walk:
    # the graph's text, and the next space, tab, newline and bracket at or behind a place that was asked for
    Place text
    int64_t size, space, tab, newline, bracket


cdef inline int64_t next_of(const Walk *walk, int64_t *known, uint8_t c, int64_t at) noexcept nogil:
    """Place of the next ``c`` from ``at`` on, or ``size``; each stretch of text is searched once."""
    cdef Place found
    if known[0] < at:
        found = <Place> memchr(walk.text + at, c, walk.size - at)
        known[0] = found - walk.text if found != NULL else walk.size
    return known[0]


cdef inline bint is_name(uint8_t c) noexcept nogil:
    return c"a" <= c <= c"z" or c"0" <= c <= c"9" or c == c"_" or c == c"-"


cdef inline bint is_plain(uint8_t c) noexcept nogil:
    return c"a" <= c <= c"z" or c"0" <= c <= c"9"


cdef bint is_amr_value(Place text, int64_t length) noexcept nogil:
    """Whether the package takes a bare value for one."""
    cdef int64_t i
    if length == 10 and (memcmp(text, b"imperative", 10) == 0 or memcmp(text, b"expressive", 10) == 0):
        return True
    for i in range(length):
        if not (c"0" <= text[i] <= c"9" or text[i] == c"." or text[i] == c":" or text[i] == c"+" or text[i] == c"-"):
            return False
    return length > 0


cdef bint is_umr_variable(Place text, int64_t length) noexcept nogil:
    """s, digits, letters, perhaps digits."""
    cdef Place end = text + length, digits = text + 1, letters = digits_end(digits, end), p = letters
    while p < end and c"a" <= p[0] <= c"z":
        p += 1
    return length and text[0] == c"s" and digits < letters < p and digits_end(p, end) == end


#: Error → what is wrong.
cdef dict SAID = {
    F_HEAD: "expected a variable in small letters, '/' and a concept after '('",
    F_SLASH: "ancast takes no concept with a '/' in it",
    F_COLON: "ancast expects a role, which begins with ':', or ')'",
    F_OPEN: "the block ends, but its graph is not closed; expected ')'",
    F_ROLE: "a role with no space behind it in all of the block",
    F_QUOTE: "a string without its closing quote",
    F_NO_NODE: "expected a graph behind the last '#' of the block, found no '('",
    F_EMPTY_VALUE: "role without a value; expected a variable, a constant or '('",
    F_CUT: "ancast drops what stands before the last '#' of a block, so this '#' cuts the graph off",
}


@cython.final
cdef class Reader(read_blocks.BlockReader):
    """The dialect ``ancast``; see the top of this module.

    Parameters
    ----------
    interner : Interner
    umr : bool
        What bare values are: as in UMR (``data_format="umr"``) instead of AMR.
    cut : bool
        Read what a ``#`` inside a graph leaves of it, as the package does, where that is a graph. Otherwise the block
        is an error, as it is anyway where nothing is left.
    """

    cdef bint umr, cut
    cdef Column unified, frames, references     # scratch of the graph that is being read
    cdef bint moved             # line breaks were changed: offsets in the graph are no offsets in the text
    cdef int64_t graph_at       # offset of the graph in the text
    cdef int32_t position_of    # next position of a triple
    cdef int32_t n_open         # variables of this graph so far

    def __cinit__(self, Interner interner, *, bint umr=False, bint cut=False):
        self.umr = umr
        self.cut = cut

    def __dealloc__(self):
        release_all(&self.unified, &self.references)

    cdef int scan(self, int64_t limit) except -1 nogil:
        """Read up to ``limit`` blocks from ``self.position`` on. The interner's lock is held."""
        cdef Place end = self.text + self.size, start, stop, p
        cdef int64_t line
        cdef int status = FINISHED
        while True:
            if limit == 0:
                return PAUSED
            if status == FINISHED:      # what blocks without a graph hold belongs to the next graph
                self.anchor = self.position
                self.anchor_line = self.line
            line = self.line
            start = self.text + self.position
            if start == end:
                return FINISHED
            # the block ends at a line break that another one follows
            p = start
            while True:
                stop = line_end(p, end)
                p = next_line(stop, end)
                self.line += stop < end
                if p == end or p[0] == c"\n" or p[0] == c"\r":
                    break
            if p < end:
                p = next_line(p, end)
                self.line += 1
            self.position = p - self.text
            if (status := self.scan_lines(start, stop, line)) == FAULTY:
                return FAULTY
            if status == FINISHED:
                limit -= 1

    cdef int fail_here(self, int code, int64_t at) noexcept nogil:
        """As ``fail``, for an offset in the graph."""
        return self.fail(code, self.graph_at + (0 if self.moved else at))

    cdef int scan_lines(self, Place start, Place stop, int64_t line) except -1 nogil:
        """Comments and graph of a block, which begins in this line; PAUSED if it holds only comments."""
        cdef Place graph = start, p = start, q, right
        cdef Place opened = NULL   # where a graph begins that a # cuts off,
        cdef Place hash = NULL     # the first # behind that,
        cdef int64_t opened_line = 0        # and the line of its beginning
        cdef uint8_t *out
        cdef Walk walk
        if self.umr:    # behind the comments
            while p < stop:
                q = line_end(p, stop)
                right = strip_left(p, q)
                if right < q and right[0] != c"#":
                    break
                p = graph = next_line(q, stop)
        else:           # behind the line of the last #
            while (q := <Place> memchr(p, c"#", stop - p)) != NULL:
                p = graph = next_line(line_end(q, stop), stop)
        p = start
        while p < graph:
            q = line_end(p, graph)
            right = strip_left(p, q)
            if opened == NULL and right < q and right[0] == c"(":
                opened = right
                opened_line = line
            if opened != NULL and hash == NULL:
                hash = <Place> memchr(right, c"#", q - right)
            # what was cut off is no comment of the empty graph in its place
            if (opened == NULL or self.cut) and right < q:
                self.add_comment(p, q - p)
            p = next_line(q, graph)
            line += 1
        right = strip_left(graph, stop)
        if opened != NULL and (right == stop or not self.cut):
            self.begin = opened - self.text
            self.begin_line = opened_line
            return self.fail(F_CUT, hash - self.text)
        if right == stop:
            self.cut_back(True)
            return PAUSED
        self.begin = graph - self.text
        self.begin_line = line
        self.graph_at = self.begin
        if self.invalid < stop - self.text:
            return self.fail(F_UTF8, self.invalid)
        if stop - graph > MOST_ROWS:
            return self.fail(F_SIZE, self.begin)
        walk.text = graph
        walk.size = stop - graph
        self.moved = memchr(graph, c"\r", walk.size) != NULL
        if self.moved:
            out = <uint8_t *> fresh(&self.unified, walk.size, 1)
            p = graph
            while p < stop:
                q = line_end(p, stop)
                memcpy(out, p, q - p)
                out += q - p
                if q < stop:
                    out[0] = c"\n"
                    out += 1
                p = next_line(q, stop)
            walk.text = <Place> self.unified.data
            walk.size = out - walk.text
        walk.space = walk.tab = walk.newline = walk.bracket = -1
        return self.scan_graph(&walk)

    cdef int32_t role_id(self, Place role, int64_t length, int32_t *inverted) except -1 nogil:
        """Id of a role with a colon in front, without its -of if that is the only one."""
        inverted[0] = length >= 3 and memcmp(role + length - 3, b"-of", 3) == 0 and not (
            length >= 6 and role[length - 6] == c"-" and role[length - 5] | 32 == c"o" and role[length - 4] | 32 == c"f"
        )
        if inverted[0]:
            length -= 3
        self.letters.used = 0
        push_bytes(&self.letters, b":", 1)
        push_bytes(&self.letters, role, length)
        return self.intern_letters()

    cdef int relate(self, int32_t variable, int32_t role, int32_t inverted, int32_t target) except -1 nogil:
        cdef int32_t source = target if inverted else variable
        self.position_of += 1
        add_relation(&self.relations, source, role, variable if inverted else target, self.position_of - 1, inverted)

    cdef int add_constant(
        self, int32_t variable, int32_t role, int32_t inverted, Place text, int64_t length, bint quoted
    ) except -1 nogil:
        cdef int32_t value
        self.letters.used = 0
        if inverted:    # a constant is no source
            push_bytes(&self.letters, self.interner.blob + self.interner.offsets[role], self.interner.length(role))
            push_bytes(&self.letters, b"-of", 3)
            role = self.intern_letters()
            self.letters.used = 0
        push_bytes(&self.letters, b'"', quoted)
        push_bytes(&self.letters, text, length)
        push_bytes(&self.letters, b'"', quoted)
        value = self.intern_letters()
        self.position_of += 1
        add_attribute(&self.attributes, variable, role, value, self.position_of - 1)

    cdef int open_node(
        self, const Walk *walk, int64_t *at, int32_t role, int32_t inverted, uint64_t stamp
    ) except -1 nogil:
        """Read the head of a node from ``at`` on, where a bracket has just been; FINISHED or FAULTY."""
        cdef Place text = walk.text
        cdef int64_t start = at[0], i = start, size = walk.size, name_start, name_end, label, stop, characters
        cdef int32_t name, concept, mark, variable, reference, following, before
        cdef Reference *references
        while True:     # [a-z0-9_-]+ space* / space* [^) space]+, wherever it begins
            while i < size and not is_name(text[i]):
                i += 1
            if i == size:
                return self.fail_here(F_HEAD, start)
            name_end = i
            while name_end < size and is_name(text[name_end]):
                name_end += 1
            label = strip_left(text + name_end, text + size) - text
            if label < size and text[label] == c"/":
                label = strip_left(text + label + 1, text + size) - text
                if label < size and text[label] != c")":
                    break
            i = name_end
        stop = label
        while stop < size and text[stop] != c")" and not space_at(text + stop, text + size):
            if text[stop] == c"/":
                return self.fail_here(F_SLASH, stop)
            stop += 1
        # as many characters further as the head has, from where the search began
        name_start = i
        at[0] = stop
        if name_start > start:
            characters = 0
            while i < stop:
                characters += text[i] & 0xc0 != 0x80
                i += 1
            i = start
            while characters:
                i += 1
                while i < size and text[i] & 0xc0 == 0x80:
                    i += 1
                characters -= 1
            at[0] = i
        name = self.interner.add(text + name_start, name_end - name_start)
        concept = self.interner.add(text + label, stop - label)
        self.interner.reserve_marks()
        push_int32(&self.variables, name)
        variable = self.n_open
        self.n_open += 1
        add_instance(&self.instances, variable, concept, self.position_of)
        self.position_of += 1
        (<Frame *> push(&self.frames, sizeof(Frame)))[0] = Frame(variable, role, inverted)
        if (mark := marked(self.interner, name, stamp)) >= 0:
            return FINISHED     # declared again: the first one keeps the name
        self.interner.marks[name] = (stamp << 32) | <uint64_t> variable
        if mark <= UNRESOLVED:
            # references that waited for it, in their order
            references = <Reference *> self.references.data
            reference = UNRESOLVED - mark
            before = -1
            while reference >= 0:
                following = references[reference].following
                references[reference].following = before
                before = reference
                reference = following
            while before >= 0:
                self.relate(
                    references[before].variable, references[before].role, references[before].role_inverted, variable
                )
                before = references[before].following
        return FINISHED

    cdef int scan_value(self, Walk *walk, int64_t *at, int32_t role, int32_t inverted, uint64_t stamp) except -1 nogil:
        """A bare value: a variable, one that may come, or a constant."""
        cdef Place text = walk.text
        cdef int64_t i = at[0], stop
        cdef int32_t variable = (<const Frame *> self.frames.data)[self.frames.used - 1].variable, name, mark
        stop = min(
            min(next_of(walk, &walk.space, c" ", i), next_of(walk, &walk.tab, c"\t", i)),
            min(next_of(walk, &walk.newline, c"\n", i), next_of(walk, &walk.bracket, c")", i)),
        )
        if stop == walk.size:
            return self.fail_here(F_OPEN, walk.size)
        at[0] = stop
        cdef Place left = strip_left(text + i, text + stop), right = strip_right(left, text + stop)
        name = self.interner.add(left, right - left)
        self.interner.reserve_marks()
        if (mark := marked(self.interner, name, stamp)) >= 0:
            self.relate(variable, role, inverted, mark)
            return FINISHED
        if is_umr_variable(left, right - left) if self.umr else not is_amr_value(left, right - left):
            self.interner.marks[name] = (stamp << 32) | <uint64_t> <uint32_t> (
                UNRESOLVED - <int32_t> self.references.used
            )
            (<Reference *> push(&self.references, sizeof(Reference)))[0] = Reference(
                variable, role, inverted, UNRESOLVED - mark if mark <= UNRESOLVED else -1
            )
            return FINISHED
        if left == right:
            return self.fail_here(F_EMPTY_VALUE, i)
        self.add_constant(variable, role, inverted, left, right - left, False)
        return FINISHED

    cdef int scan_graph(self, Walk *walk) except -1 nogil:
        cdef Place text = walk.text, found
        cdef int64_t size = walk.size, i = 0, stop
        cdef int32_t role, inverted = 0
        cdef Frame frame
        self.frames.used = self.references.used = 0
        self.position_of = self.n_open = 0
        self.interner.reserve_marks()
        cdef uint64_t stamp = self.interner.new_stamp()
        while i < size and text[i] != c"(" and text[i] != c")":
            i += 1
        if i == size:
            return self.fail_here(F_NO_NODE, 0)
        if text[i] == c")":
            return self.fail_here(F_CLOSE, i)
        i += 1
        if self.open_node(walk, &i, -1, 0, stamp) == FAULTY:
            return FAULTY
        while True:
            if i >= size:
                return self.fail_here(F_OPEN, size)
            if text[i] == c")":
                i += 1
                self.frames.used -= 1
                frame = (<const Frame *> self.frames.data)[self.frames.used]
                if self.frames.used == 0:
                    break
                self.relate(
                    (<const Frame *> self.frames.data)[self.frames.used - 1].variable, frame.role, frame.role_inverted,
                    frame.variable,
                )
                continue
            if text[i] != c":":
                if is_plain(text[i]):
                    return self.fail_here(F_COLON, i)
                i += 1
                continue
            stop = next_of(walk, &walk.space, c" ", i)
            if stop == size:
                stop = next_of(walk, &walk.tab, c"\t", i)
            if stop == size:
                # the package goes on at the last character, and finds an empty value if that is a bracket
                if text[size - 1] != c")" or self.umr:
                    return self.fail_here(F_ROLE, i)
                i = size - 1
                continue
            role = self.role_id(text + i + 1, stop - i - 1, &inverted)
            i = stop
            while i < size and (text[i] == c" " or text[i] == c"\t"):
                i += 1
            if i == size:
                return self.fail_here(F_OPEN, size)
            if text[i] == c"(":
                i += 1
                if self.open_node(walk, &i, role, inverted, stamp) == FAULTY:
                    return FAULTY
            elif text[i] == c'"':
                if (found := <Place> memchr(text + i + 1, c'"', size - i - 1)) == NULL:
                    # it goes on at the last character, which may close a graph that has no other node open
                    if text[size - 1] != c")" or self.frames.used > 1 or i + 1 > size - 1:
                        return self.fail_here(F_QUOTE, i)
                    stop = size - 1
                else:
                    stop = found - text
                self.add_constant(
                    (<const Frame *> self.frames.data)[self.frames.used - 1].variable, role, inverted, text + i + 1,
                    stop - i - 1, True,
                )
                i = stop if found == NULL else stop + 1
            elif self.scan_value(walk, &i, role, inverted, stamp) == FAULTY:
                return FAULTY
        self.close_graph(0)
        return FINISHED

    cdef str describe(self, int code, int64_t at):
        return SAID.get(code) or read_blocks.BlockReader.describe(self, code, at)
