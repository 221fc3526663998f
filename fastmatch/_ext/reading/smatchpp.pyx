# cython: language_level=3
"""Graphs as smatchpp reads them: its tolerant reader of Penman notation, and its tables of triples.

The tolerant reader
-------------------
smatchpp cuts a block into tokens: at white space, before ``)`` and behind ``(``. Brackets inside quotes do not count.
It then walks over the tokens. It counts the depth of brackets and keeps a current source and a current role for each
depth. A token before ``/`` is a variable, and its concept follows; any other token is the target of the current role. A
token that begins with a quote goes on to the next token that ends with the same quote. Roles keep their names and
directions.

Nothing is an error. The walk ends early where it needs one more token and there is none, or where a depth has no
source; the triples found so far are then the graph.

Tables
------
One triple a line, ``source target role``. Tabs separate the three; in a line without tabs, any white space does.

What both make
--------------
Both make a list of triples. The variables of the graph are the sources of ``:instance`` triples; other sources follow
behind them, as variables without an instance.

The top of the graph is x if a triple (ROOT_OF_GRAPH, :root, x) says so. In Penman notation this triple must be the
second, behind (x, :instance, …); in a table it may stand anywhere, but there must be only one. It is then no row of the
graph. Without it the top is ROOT_OF_GRAPH itself, a source without an instance, and all triples are rows.
"""

cimport cython
from libc.stdint cimport int32_t, int64_t, uint8_t, uint64_t
from libc.string cimport memchr, memcmp

from fastmatch._ext.reading cimport blocks as read_blocks
from fastmatch._ext.reading.interner cimport Interner
from fastmatch._ext.base.lines cimport Place, Span, space_at, strip_left, strip_right, word_end
from fastmatch._ext.reading.reader cimport FINISHED, F_OWN, F_SIZE, marked, variable_of
from fastmatch._ext.base.columns cimport Column, fresh, push, push_bytes, release_all
from fastmatch._ext.reading.rows cimport MOST_ROWS, add_attribute, add_instance, add_relation

cdef enum Fault:
    F_COLUMNS = F_OWN

cdef enum Sort:
    T_OTHER, T_OPEN, T_CLOSE, T_SLASH, T_ROLE, T_QUOTE

cdef struct Token:
    Place start, stop
    int32_t sort
    bint masked         # holds brackets inside quotes
    bint opens          # the bracket at its end is not inside quotes

cdef struct Level:
    # of one depth; -1: none yet
    int32_t source, role

cdef struct Row:
    int32_t source, role, target


@cython.final
cdef class Reader(read_blocks.BlockReader):
    """The dialects ``smatchpp``, ``wlk`` and ``tsv``; see the top of this module.

    Parameters
    ----------
    interner : Interner
        Gets every string.
    table : bool
        Read tables of triples.
    comments : bool
        Every line with ``#`` in its first column is a comment, not only those with ``# ::``.
    brackets : bool
        Brackets inside quotes cut tokens as others do. This is the older smatchpp 1.5, which WLK and WWLK use: the
        string ``"(x)"`` becomes ``"( x )"``, and two apostrophes in a graph do not hide the brackets between them.
    """

    cdef bint of_triples, all_comments, all_brackets
    cdef bint filled                                        # the block has more than spaces and comments
    cdef Column tokens, levels, rows                        # scratch of the graph that is being read
    cdef bint unended[2]                                    # whether no string with double, single quotes ends any more
    cdef int32_t instance, root, other_root, root_source    # ids of strings

    def __cinit__(self, Interner interner, *, bint table=False, bint comments=False, bint brackets=False):
        self.of_triples = table
        self.all_comments = comments
        self.all_brackets = brackets
        self.instance = interner.intern(b":instance")
        self.root = interner.intern(b":root")
        self.other_root = interner.intern(b":root_but_not_the_graph_root")
        self.root_source = interner.intern(b"ROOT_OF_GRAPH")

    def __dealloc__(self):
        release_all(&self.tokens, &self.rows)

    cdef int gather_block(self) except -1 nogil:
        """As of other readers; blocks of comments are left out."""
        self.filled = False
        read_blocks.BlockReader.gather_block(self)
        if not self.filled:
            self.pieces.used = 0

    cdef int take_line(self, Place p, Place stop) except -1 nogil:
        """Only an empty line ends a block; a line of spaces does not."""
        cdef Span *piece = <Span *>self.pieces.data
        cdef int64_t k
        if p == stop:
            if self.filled:
                return False
            # so far the block has only spaces and comments
            for k in range(self.pieces.used):
                if piece[k].start[0] == c"#":
                    self.add_comment(piece[k].start, piece[k].stop - piece[k].start)
            self.pieces.used = 0
        elif p[0] == c"#" and (self.all_comments or (stop - p >= 4 and memcmp(p, b"# ::", 4) == 0)):
            self.add_comment(p, stop - p)
        else:
            (<Span *>push(&self.pieces, sizeof(Span)))[0] = Span(p, stop)
            if not self.filled and p[0] != c"#" and strip_left(p, stop) < stop:
                self.filled = True
                self.begin_at(strip_left(p, stop))
        return True

    cdef int scan_block(self) except -1 nogil:
        cdef int status
        self.rows.used = 0
        if self.of_triples:
            status = self.scan_table()
        else:
            self.cut()
            status = self.walk()
        return self.settle() if status == FINISHED else status

    # The tolerant reader -----------------------------------------------------------------------------------------

    cdef bint is_last(self, int64_t piece, Place quote) noexcept nogil:
        """Return whether no other quote of the same kind follows in the block.

        The cost of all calls together is linear: each looks no further than the next quote of its kind.
        """
        cdef const Span *lines = <const Span *>self.pieces.data
        cdef Place p = quote + 1
        while True:
            if p < lines[piece].stop and memchr(p, quote[0], lines[piece].stop - p) != NULL:
                return False
            piece += 1
            if piece == self.pieces.used:
                return True
            p = lines[piece].start

    cdef int add_token(self, Place start, Place stop, bint masked, bint opens) except -1 nogil:
        cdef Token *token = <Token *>push(&self.tokens, sizeof(Token))
        cdef uint8_t c = start[0]
        token[0] = Token(start, stop, T_OTHER, masked, opens)
        if c == c":":
            token.sort = T_ROLE
        elif c == c'"' or c == c"'":
            token.sort = T_QUOTE
        elif stop - start == 1 and not masked:
            if c == c"(":
                token.sort = T_OPEN
            elif c == c")":
                token.sort = T_CLOSE
            elif c == c"/":
                token.sort = T_SLASH

    cdef int cut(self) except -1 nogil:
        """Cut the block into tokens."""
        cdef const Span *lines = <const Span *>self.pieces.data
        cdef Place p, stop, token
        cdef int64_t k
        cdef int width
        cdef uint8_t c
        cdef bint in_double = False, in_single = False, masked
        self.tokens.used = 0
        for k in range(self.pieces.used):
            p = lines[k].start
            stop = lines[k].stop
            token = p
            masked = False
            while p < stop:
                c = p[0]
                width = 0 if c"*" <= c < 0x80 else space_at(p, stop)
                if width or (c == c")" and not in_double and not in_single):
                    if token < p:
                        self.add_token(token, p, masked, False)
                    token = p + width
                    p = token if width else p + 1
                    masked = False
                    continue
                p += 1
                if self.all_brackets and (c == c'"' or c == c"'"):
                    continue
                if c == c'"':
                    # the last quote of all opens nothing
                    if in_double or not self.is_last(k, p - 1):
                        in_double = not in_double
                elif c == c"'":
                    # and the last single one does not even close
                    if not in_double and not self.is_last(k, p - 1):
                        in_single = not in_single
                elif c == c"(" or c == c")":
                    if in_double or in_single:
                        masked = True
                    else:
                        self.add_token(token, p, masked, True)
                        token = p
                        masked = False
            if token < p:
                self.add_token(token, p, masked, False)

    cdef inline int32_t word(self, const Token *token) except -1 nogil:
        """Return the id of a token's text."""
        return self.interner.add(token.start, token.stop - token.start)

    cdef int32_t role_word(self, const Token *token) except -1 nogil:
        """Return the id of a role.

        smatchpp replaces brackets inside quotes by marks, and does not turn the marks in roles back.
        """
        cdef Place p = token.start, stop = token.stop
        if not token.masked:
            return self.word(token)
        self.letters.used = 0
        while p < stop:
            if (p[0] == c"(" and not (token.opens and p + 1 == stop)) or p[0] == c")":
                push_bytes(&self.letters, b"<ENCLOSED_LBR>" if p[0] == c"(" else b"<ENCLOSED_RBR>", 14)
            else:
                push_bytes(&self.letters, p, 1)
            p += 1
        return self.intern_letters()

    cdef int32_t collect(self, int64_t *index) except -1 nogil:
        """Return the id of the string that begins with token ``index``, which becomes the string's last token.

        The string ends with the next token that ends with the same quote. -2: the tokens end first.
        """
        cdef const Token *tokens = <const Token *>self.tokens.data
        cdef const Token *token = tokens + index[0]
        cdef int64_t i = index[0] + 1
        cdef uint8_t quote = token.start[0]
        if token.stop - token.start == 1:
            if i == self.tokens.used:
                return -2
            if tokens[i].sort == T_CLOSE:
                return self.word(token)
        elif token.stop[-1] == quote:
            return self.word(token)
        if self.unended[quote == c"'"]:
            return self.word(token)
        while i < self.tokens.used and tokens[i].stop[-1] != quote:
            i += 1
        if i == self.tokens.used:
            self.unended[quote == c"'"] = True      # no later string ends either; this is looked for once only
            return self.word(token)
        self.letters.used = 0
        while token <= tokens + i:
            push_bytes(&self.letters, token.start, token.stop - token.start)
            push_bytes(&self.letters, b" ", 1)
            token += 1
        index[0] = i
        return self.interner.add(<uint8_t *>self.letters.data, self.letters.used - 1)

    cdef int add_row(self, int32_t source, int32_t role, int32_t target) except -1 nogil:
        (<Row *>push(&self.rows, sizeof(Row)))[0] = Row(source, role, target)

    cdef int walk(self) except -1 nogil:
        """Make triples of the tokens, up to the place where smatchpp would end; returns a Status."""
        cdef const Token *tokens = <const Token *>self.tokens.data
        cdef int64_t n = self.tokens.used, i, j, lowest = 0, highest = 0
        cdef int32_t text, concept
        cdef int sort
        if n >= MOST_ROWS:
            return self.fail(F_SIZE, self.begin)
        # The numbers of brackets bound the depth. (The walk may go less deep: brackets within a string do not count.)
        # One more level at the lower end, because what leads to a node is looked for one level above it.
        for i in range(n):
            sort = tokens[i].sort
            if sort == T_OPEN:
                highest += 1
            elif sort == T_CLOSE:
                lowest -= 1
        lowest -= 1
        cdef Level *level = <Level *>fresh(&self.levels, highest - lowest, sizeof(Level))
        for i in range(highest - lowest + 1):
            level[i] = Level(-1, -1)
        level -= lowest     # the level at depth 0
        level.source = self.root_source
        level.role = self.root
        self.unended[0] = self.unended[1] = False
        i = 0
        while i < n:
            sort = tokens[i].sort
            if sort == T_OPEN:
                level += 1
            elif sort == T_CLOSE:
                level -= 1
            elif sort == T_ROLE:
                level.role = self.role_word(tokens + i)
            elif i + 1 == n:
                break
            elif tokens[i + 1].sort == T_SLASH:
                if i + 2 == n:
                    break
                text = self.word(tokens + i)
                i += 2
                if sort != T_QUOTE and tokens[i].sort == T_QUOTE:
                    if (concept := self.collect(&i)) == -2:
                        break
                else:
                    concept = self.word(tokens + i)
                self.add_row(text, self.instance, concept)
                level.source = text
                if level[-1].source < 0 or level[-1].role < 0:
                    break
                self.add_row(level[-1].source, level[-1].role, text)
            else:
                j = 0
                if sort == T_QUOTE:
                    if (text := self.collect(&i)) == -2:
                        break
                else:
                    # The token belongs to a level outside the brackets right before it. At the first token smatchpp
                    # goes on from the end of the list, as indices below 0 do in Python.
                    while tokens[i - j - 1 if i > j else i - j - 1 + n].sort == T_OPEN:
                        j += 1
                    text = self.word(tokens + i)
                if level - <Level *>self.levels.data < j or level[-j].source < 0 or level[-j].role < 0:
                    break
                self.add_row(level[-j].source, level[-j].role, text)
            i += 1
        return FINISHED

    # Tables ------------------------------------------------------------------------------------------------------

    cdef int scan_table(self) except -1 nogil:
        cdef const Span *lines = <const Span *>self.pieces.data
        cdef Place p, stop, left, right
        cdef int64_t k
        cdef int32_t fields[3]
        cdef int count
        cdef bint tabs
        if self.pieces.used >= MOST_ROWS:
            return self.fail(F_SIZE, self.begin)
        for k in range(self.pieces.used):
            p = strip_left(lines[k].start, lines[k].stop)
            stop = strip_right(p, lines[k].stop)
            if p == stop:
                continue
            tabs = memchr(p, c"\t", stop - p) != NULL
            count = 0
            while p < stop:
                left = strip_left(p, stop)
                if tabs:
                    if (p := <Place> memchr(left, c"\t", stop - left)) == NULL:
                        p = stop
                    right = strip_right(left, p)
                else:
                    p = right = word_end(left, stop)
                if count < 3:
                    fields[count] = self.interner.add(left, right - left)
                count += 1
            if count != 3:
                return self.fail(F_COLUMNS, lines[k].start - self.text)
            self.add_row(fields[0], fields[2], fields[1])
        return FINISHED

    # Both --------------------------------------------------------------------------------------------------------

    cdef int settle(self) except -1 nogil:
        """Make instances, attributes and relations of the rows; returns a Status."""
        cdef Row *rows = <Row *>self.rows.data
        cdef int64_t n = self.rows.used, i, hidden = -1, roots = 0, first = self.variables.used
        cdef int32_t position = 0, variable, target, true_variables
        self.interner.reserve_marks()
        cdef uint64_t stamp = self.interner.new_stamp()
        for i in range(n):
            if rows[i].role == self.instance:
                variable_of(self, rows[i].source, stamp, first)
            elif rows[i].role == self.root and self.of_triples:
                if rows[i].source == self.root_source:      # other roots are attributes, as root-concept makes them
                    roots += 1
                    hidden = i
            elif rows[i].role == self.root:
                roots += 1
                if roots == 1:
                    if rows[i].source == self.root_source:
                        hidden = i
                else:
                    rows[i].role = self.other_root
        true_variables = <int32_t>(self.variables.used - first)
        if hidden >= 0:
            target = marked(self.interner, rows[hidden].target, stamp)
            if target < 0 or (roots > 1 if self.of_triples else hidden != 1 or target != 0):
                hidden = -1
        for i in range(n):
            if i != hidden:
                variable_of(self, rows[i].source, stamp, first)
        if n and hidden < 0:
            variable_of(self, self.root_source, stamp, first)
        for i in range(n):
            if i == hidden:
                continue
            variable = marked(self.interner, rows[i].source, stamp)
            if rows[i].role == self.instance:
                add_instance(&self.instances, variable, rows[i].target, position)
            else:
                target = marked(self.interner, rows[i].target, stamp)
                if 0 <= target < true_variables:
                    add_relation(&self.relations, variable, rows[i].role, target, position, 0)
                else:
                    add_attribute(&self.attributes, variable, rows[i].role, rows[i].target, position)
            position += 1
        if n == 0:
            target = -1
        else:
            target = marked(self.interner, rows[hidden].target if hidden >= 0 else self.root_source, stamp)
        self.close_graph(target)
        return FINISHED

    cdef str describe(self, int code, int64_t at):
        if code == F_COLUMNS:
            return "expected a triple in three columns: source, target, role"
        return read_blocks.BlockReader.describe(self, code, at)
