# cython: language_level=3
"""Make the text of one graph readable, and find its triples in it; :mod:`fastmatch.graphs.repairing` has the rules.

The text is gone through once, from left to right, by the grammar of ``penman.pyx``. Where it departs from the grammar,
an *edit* is noted: a stretch of the text and what comes in its place. A text without edits is given back as it is. The
time is linear: every character is looked at a few times at most.

A *run* is what an unquoted value takes up, so far as it can be told: no blank ends within it, but brackets that close
within it (``Obama_(president)``), ``/``, and ``:`` before a digit or a slash (``10:30``, ``http://…``) belong to it.
"""

import re

cimport cython
from cpython.bytearray cimport PyByteArray_AS_STRING, PyByteArray_FromStringAndSize
from libc.stdint cimport int64_t, uint64_t

from fastmatch._ext.base.kept cimport space
from fastmatch._ext.reading.text cimport Text, at, text_of

cdef str EMPTY = "amr-empty"    # the neutral word: AMR's own for an empty sentence, and so in hardly any graph
cdef object SYMBOLS = re.compile(r'[^ \t\n\r\v\f()/:"~]+')
# a graph of which nothing was there but perhaps a variable, between comments; possessive, so that it takes linear time
cdef object NOTHING = re.compile(
    r'(\ufeff?(?:\s*+#[^\n\r]*+)*+\s*+)\(\s*+[^\s()/:"~]*+\s*+/\s*+amr-empty\s*+\)((?:\s*+#[^\n\r]*+)*+\s*+)'
)
cdef object ROLE = re.compile(r"(?:ARG|op|snt)[0-9]+(?:-of)?")      # without its colon

cdef enum:
    NEAR = 200              # characters within which a bracket within a value has to close
    # what stands at the same place: the concept of the node before, then the rest, then closing brackets
    FIRST = 0, INNER = 1, LAST = 2

cdef enum Kind:             # of what has a place in the text
    NODE                    # a node with its concept, or alone
    VARIABLE                # a node that is no triple: its concept comes by a role
    EDGE                    # a role, with what follows it

cdef inline bint is_space(Py_UCS4 c) noexcept nogil:
    return c == c" " or 9 <= <int> c <= 13


cdef inline bint is_symbol(Py_UCS4 c) noexcept nogil:
    # bits of the blanks and of ( ) / : "
    return c != c"~" and (c >= 64 or not <uint64_t> 0x0400830500003e00 >> <int> c & 1)


cdef inline bint is_digit(Py_UCS4 c) noexcept nogil:
    return c"0" <= c <= c"9"


@cython.final           # so that steps over characters are no calls through a table
cdef class Mender:
    """The text of one graph, and what is to be changed in it."""

    cdef str text
    cdef Text t
    cdef Py_ssize_t n
    cdef list edits             # (start, order, stop, replacement, rule)
    cdef set declared           # variables that have a concept
    cdef dict waiting           # variable -> place behind it, of nodes without a concept
    cdef set used               # all symbols of the text, once one is wanted that is none of them
    cdef dict numbers           # letter -> the last number tried behind it
    cdef list open              # of each open bracket: whether it stays
    cdef Py_ssize_t behind      # the place behind the last thing that stays
    cdef bint wanting           # the last role is still without its target

    def __cinit__(self, str text not None):
        self.text = text
        self.t = text_of(text)
        self.n = len(text)

    # What stands where -------------------------------------------------------------------------------------------

    cdef Py_UCS4 look(self, Py_ssize_t i) noexcept:
        """The character at a place; behind the end, 0."""
        return at(&self.t, i) if i < self.n else 0

    cdef Py_ssize_t spaces(self, Py_ssize_t i) noexcept:
        while i < self.n and is_space(at(&self.t, i)):
            i += 1
        return i

    cdef Py_ssize_t symbol(self, Py_ssize_t i) noexcept:
        while i < self.n and is_symbol(at(&self.t, i)):
            i += 1
        return i

    cdef bint begins_symbol(self, Py_ssize_t i) noexcept:
        return i < self.n and is_symbol(at(&self.t, i)) and at(&self.t, i) != c"#"

    cdef Py_ssize_t line_end(self, Py_ssize_t i) noexcept:
        while i < self.n and at(&self.t, i) != c"\n" and at(&self.t, i) != c"\r":
            i += 1
        return i

    cdef Py_ssize_t comments(self, Py_ssize_t i) noexcept:
        """The place behind blanks and comments."""
        i = self.spaces(i)
        while self.look(i) == c"#":
            i = self.spaces(self.line_end(i))
        return i

    cdef Py_ssize_t string(self, Py_ssize_t i) noexcept:
        """The place behind the string that begins at ``i``; -1 if it does not close on its line."""
        cdef Py_UCS4 c
        i += 1
        while i < self.n:
            c = at(&self.t, i)
            if c == c'"':
                return i + 1
            if c == c"\\":
                i += 1
                c = self.look(i)
            if c == c"\n" or c == c"\r":
                return -1
            i += 1
        return -1

    cdef Py_ssize_t target(self, Py_ssize_t i) noexcept:
        """The place behind the symbol or string at ``i``; ``i`` if there is none."""
        return max(i, self.string(i)) if self.look(i) == c'"' else self.symbol(i)

    cdef Py_ssize_t string_part(self, Py_ssize_t i) noexcept:
        """Where a string that does not close seems to end: before a bracket, a role or the end of the line."""
        cdef Py_UCS4 c
        i += 1
        cdef Py_ssize_t end = i
        while i < self.n:
            c = at(&self.t, i)
            if c == c")" or c == c"\n" or c == c"\r":
                break
            if c == c":" and is_space(at(&self.t, i - 1)) and self.look(i + 1) and is_symbol(self.look(i + 1)):
                break
            i += 1
            if not is_space(c):
                end = i
        return end

    cdef Py_ssize_t alignment(self, Py_ssize_t i) noexcept:
        """The place behind the alignment (``~e.1,4``) that begins with the tilde at ``i``; -1 if it is none."""
        i += 1
        if c"a" <= self.look(i) <= c"z":
            i += 1
            if self.look(i) == c".":
                i += 1
        cdef Py_ssize_t j = i
        while is_digit(self.look(j)):
            j += 1
        if i == j:
            return -1
        while self.look(j) == c"," and is_digit(self.look(j + 1)):
            j += 1
            while is_digit(self.look(j)):
                j += 1
        return j

    cdef Py_ssize_t bracketed(self, Py_ssize_t i) noexcept:
        """The place behind the bracket that closes the one at ``i`` in the same run; -1 if there is none near."""
        cdef Py_ssize_t depth = 0, stop = min(self.n, i + NEAR)
        cdef Py_UCS4 c
        while i < stop:
            c = at(&self.t, i)
            if is_space(c) or c == c'"':
                return -1
            i += 1
            if c == c"(":
                depth += 1
            elif c == c")":
                depth -= 1
                if depth == 0:
                    return i
        return -1

    cdef Py_ssize_t run(self, Py_ssize_t i, bint *plain) noexcept:
        """The place behind a run; ``plain`` becomes False if it is more than a symbol."""
        cdef Py_ssize_t start = i, j
        cdef Py_UCS4 c, after
        while i < self.n:
            c = at(&self.t, i)
            if is_symbol(c):
                i += 1
                continue
            after = self.look(i + 1)
            if c == c"/" and (i == start or (after and not is_space(after) and after != c"(" and after != c")")):
                i += 1
            elif c == c":" and i > start and (is_digit(after) or after == c"/"):
                i += 1
            elif c == c"~" and self.alignment(i) < 0:
                i += 1
            elif c == c"(" and i > start:
                if (j := self.bracketed(i)) < 0:
                    break
                i = j
            else:
                break
            plain[0] = False
        return i

    # Edits -------------------------------------------------------------------------------------------------------

    cdef void put(self, Py_ssize_t start, Py_ssize_t stop, str replacement, str rule, int order=INNER):
        self.edits.append((start, order, stop, replacement, rule))

    cdef void fill(self, Py_ssize_t i, str words, str rule, int order=INNER):
        """Put words in, with blanks where they would touch what stands there."""
        cdef Py_UCS4 c = self.look(i)
        self.put(i, i, f" {words}" if c == 0 or c == c")" or is_space(c) else f" {words} ", rule, order)

    cdef str fresh(self, str letter):
        """A name that stands nowhere in the text: the letter and the next number."""
        if self.used is None:
            self.used = set(SYMBOLS.findall(self.text))
            self.numbers = {}
        cdef Py_ssize_t number = self.numbers.get(letter, 1)
        while True:
            number += 1
            name = f"{letter}{number}"
            if name not in self.used:
                self.numbers[letter] = number
                self.used.add(name)
                return name

    cdef void declare(self, Py_ssize_t start, Py_ssize_t stop):
        """The variable there has a concept. If it had one before, this one gets another name."""
        cdef str name = self.text[start:stop]
        if name in self.declared:
            letter = name[0] if name[0].isalpha() else "x"
            name = self.fresh(letter)
            self.put(start, stop, name, "repeated-variable")
        self.declared.add(name)

    cdef Py_ssize_t drop_noise(self, Py_ssize_t i, bint slash, bint tilde):
        """Behind blanks; comments are dropped, and slashes and alignments if they are named."""
        cdef Py_ssize_t j
        cdef Py_UCS4 c
        while True:
            i = self.spaces(i)
            c = self.look(i)
            if c == c"#":
                j = self.line_end(i)
                self.put(i, j, "", "comment")
            elif c == c"/" and slash:
                j = i + 1
                self.put(i, j, "", "stray-text")
            elif c == c"~" and tilde:
                if (j := self.alignment(i)) < 0:
                    j = i + 1
                self.put(i, j, "", "stray-text")
            else:
                return i
            i = j

    # Parts of the grammar ----------------------------------------------------------------------------------------

    cdef Py_ssize_t value(self, Py_ssize_t start):
        """A concept or a constant that begins there, and its alignment; words beside it belong to it."""
        cdef Py_ssize_t end, i, j
        cdef bint plain = True, alone = True, quoted = self.look(start) == c'"'
        cdef Py_UCS4 c
        end = self.string(start) if quoted else self.run(start, &plain)
        if end < 0:
            end = self.string_part(start)
            alone = False
        while True:
            i = self.spaces(end)
            c = self.look(i)
            if c == c'"':
                if (j := self.string(i)) < 0:
                    j = self.string_part(i)
            elif self.begins_symbol(i) or c == c"/" or (c == c"~" and self.alignment(i) < 0):
                j = self.run(i, &plain)
                if i > end and self.names_role(i):
                    break       # without its colon
            else:
                break
            end = j
            plain = False
        if not plain or (quoted and not alone):
            words = self.text[start:end].replace('\\"', "").replace('"', "").replace("\\", "\\\\")
            # blanks within are those of a text in several lines, not of the value
            self.put(start, end, '"' + " ".join(words.split()) + '"', "unquoted" if alone else "unclosed-string")
        self.behind = end
        i = self.spaces(end)
        if self.look(i) == c"~":
            self.behind = end = self.alignment(i)
        return end

    cdef Py_ssize_t head(self, Py_ssize_t i):
        """Variable and concept of the node whose bracket stands before ``i``; the bracket is in ``open``."""
        cdef Py_ssize_t start, stop
        cdef Py_UCS4 c
        while True:
            i = self.drop_noise(i, False, True)
            if self.look(i) != c"(":
                break
            # two brackets for one node
            self.put(i, i + 1, "", "extra-bracket")
            self.open.insert(len(self.open) - 1, False)
            i += 1
        c = self.look(i)
        if c == c")":
            return i            # () is a node
        start = i
        if self.begins_symbol(i):
            stop = i = self.symbol(i)
            self.behind = i
            i = self.drop_noise(i, False, True)
            c = self.look(i)
        else:
            stop = -1
            self.behind = i
            name = self.fresh("x")
            self.declared.add(name)
            if c == c"/":
                self.put(i, i, f"{name} ", "missing-variable")
            elif c == c'"':
                self.put(i, i, f"{name} / ", "missing-variable")
            else:
                self.put(i, i, f"{name} / {EMPTY}" if c == 0 else f"{name} / {EMPTY} ", "missing-variable")
                self.put(i, i, "", "missing-concept")
                return i
        if c == c"/":
            self.behind = i + 1
            i = self.drop_noise(i + 1, True, True)
            if not self.begins_symbol(i) and self.look(i) != c'"':
                self.fill(self.behind, EMPTY, "missing-concept")
            else:
                i = self.value(i)
        elif c == c'"' or (stop >= 0 and self.begins_symbol(i) and not self.names_role(i)):
            if stop >= 0:
                self.put(i, i, "/ ", "missing-slash")
            i = self.value(i)
        else:
            self.waiting.setdefault(self.text[start:stop], stop)
            return i
        if stop >= 0:
            self.declare(start, stop)
        return i

    cdef bint names_role(self, Py_ssize_t i):
        """Whether the symbol at ``i`` seems to be a role: by its name, or because it stands before a bracket."""
        cdef Py_ssize_t j = self.symbol(i)
        return j > i and (self.look(self.spaces(j)) == c"(" or ROLE.fullmatch(self.text, i, j) is not None)

    cdef Py_ssize_t role(self, Py_ssize_t i):
        """A role whose colon is at ``i``, or whose name behind it; and its target, if that is no node."""
        cdef bint glued = i and not is_space(at(&self.t, i - 1))
        while self.look(i) == c":" and self.look(i + 1) == c":":
            # before a digit or a slash, the colon that stays would belong to the symbol that it touches
            self.put(i, i + 1, " " if glued else "", "stray-text")
            glued = False
            i += 1
        i += 1
        if not (i < self.n and is_symbol(at(&self.t, i))):
            self.put(i, i, EMPTY, "missing-role")
        i = self.symbol(i)
        while self.look(i) == c":" and not self.begins_symbol(i + 1):
            self.put(i, i + 1, "", "stray-text")
            i += 1
        self.behind = i
        cdef Py_ssize_t j = self.spaces(i)
        if self.look(j) == c"~" and self.alignment(j) >= 0:
            self.behind = i = self.alignment(j)
        i = self.drop_noise(i, True, False)
        while self.look(i) == c"~" and self.alignment(i) >= 0:
            i = self.drop_noise(i, True, True)
        self.wanting = self.look(i) == c"("
        if self.wanting:
            return i
        if self.begins_symbol(i) or self.look(i) == c'"' or self.look(i) == c"~":
            return self.value(i)
        self.fill(self.behind, EMPTY, "missing-target")
        return i

    cdef bint graph(self):
        """Go through the graph; False if there is none."""
        cdef Py_ssize_t i, j, depth
        cdef Py_UCS4 c
        cdef bint plain = True
        self.edits, self.declared, self.waiting, self.open = [], set(), {}, []
        i = self.comments(1 if self.look(0) == 0xfeff else 0)
        j = self.symbol(i)
        if self.look(i) == c"(":
            i += 1
        elif j > i and self.look(self.spaces(j)) == c"/":
            self.put(i, i, "(", "unopened")
        else:
            j = self.text.find("(", i)
            if j < 0:
                return False
            self.put(i, j, "", "text-before")
            i = j + 1
        self.behind = i
        self.open.append(True)
        depth = 1
        i = self.head(i)
        while depth:
            i = self.drop_noise(i, False, False)
            c = self.look(i)
            if i == self.n:
                self.put(self.behind, self.behind, ")" * depth, "unclosed", LAST)
                break
            if c == c")":
                i += 1
                if self.open.pop():
                    depth -= 1
                    self.behind = i
                else:
                    self.put(i - 1, i, "", "extra-bracket")
                continue
            if c == c"(":
                self.put(i, i, f":{EMPTY} ", "missing-role")
            elif c == c":" or (self.begins_symbol(i) and self.names_role(i)):
                if c != c":":
                    self.put(i, i, ":", "missing-colon")
                    i -= 1
                i = self.role(i)
                if not self.wanting:
                    continue
            else:
                if c == c'"':
                    if (j := self.string(i)) < 0:
                        j = self.string_part(i)
                elif c == c"~" and self.alignment(i) >= 0:
                    j = self.alignment(i)
                else:
                    j = self.run(i, &plain)
                self.put(i, max(j, i + 1), "", "stray-text")
                i = max(j, i + 1)
                continue
            # a node
            self.open.append(True)
            depth += 1
            self.behind = i + 1
            i = self.head(i + 1)
        while self.open and not self.open[len(self.open) - 1] and self.look(self.spaces(i)) == c")":
            j = self.spaces(i)
            self.put(j, j + 1, "", "extra-bracket")
            self.open.pop()
            i = j + 1
        if self.comments(i) < self.n:
            self.put(i, self.n, "", "text-after", LAST)
        for name, j in self.waiting.items():
            if name not in self.declared:
                self.fill(j, f"/ {EMPTY}", "missing-concept", FIRST)
        return True


def mend(str text not None):
    """The text of one graph, made readable.

    Parameters
    ----------
    text : str

    Returns
    -------
    (str, list of (str, int))
        The text, and of each repair the rule and the offset in the given text, in the order of the text. A text that
        needs none is given back itself, as is one in which no graph begins.
    """
    mended, repairs, _ = mend_with_places(text)
    return mended, repairs


def mend_with_places(str text not None):
    """As :func:`mend`, and where each piece of the new text comes from.

    Returns
    -------
    (str, list of (str, int), list of (int, int, int, bool))
        Of each piece its place in the new text, the stretch ``start … stop`` of the given text that it stands for, and
        whether it is that stretch (else it is what a repair put in its place). In the order of the new text.
    """
    cdef Mender mender = Mender(text)
    cdef Py_ssize_t done = 0, length = 0
    if not mender.graph() or not mender.edits:
        return text, [], [(0, 0, len(text), True)]
    mender.edits.sort(key=place)
    pieces, places = [], []
    for start, _, stop, replacement, _ in mender.edits:
        if start > done:
            length += add(pieces, text[done:start])
            places.append((length - (start - done), done, start, True))
        if replacement:
            length += add(pieces, replacement)
            places.append((length - len(replacement), max(start, done), max(stop, done), False))
        done = max(done, stop)      # what is put in behind the last thing that stays may be followed by what is dropped
    length += add(pieces, text[done:])
    places.append((length - (len(text) - done), done, len(text), True))
    mended = "".join(pieces)
    if "missing-concept" in [edit[4] for edit in mender.edits]:
        # a node alone would match the root of any graph, though it says nothing
        found = NOTHING.fullmatch(mended)
        if found is not None:
            mended, places = f"{found[1]}(){found[2]}", []
    return mended, [(rule, start) for start, _, _, _, rule in mender.edits], places


cdef place(edit):
    return edit[:2]


cdef Py_ssize_t add(list pieces, str piece):
    """Add a piece, not so that two symbols become one; returns by how many characters the text has grown."""
    cdef str last
    cdef Py_ssize_t blank = 0
    if piece:
        if pieces and is_symbol(ord(piece[0])):
            last = pieces[len(pieces) - 1]  # never empty
            if is_symbol(ord(last[len(last) - 1])):
                pieces.append(" ")
                blank = 1
        pieces.append(piece)
    return blank + len(piece)


# Places ---------------------------------------------------------------------------------------------------------------

cdef struct Spot:               # of a triple, in the text of its graph: stretches that end before their second number
    Kind kind
    Py_ssize_t[2] first         # its role; of a node the variable, or the bracket of a node that has none
    Py_ssize_t[2] second        # what follows the role; of a node the concept; empty if there is none


cdef class Scan:
    """The places of all triples of a text."""

    cdef list kept                          # their memory
    cdef Spot *places
    cdef Py_ssize_t n

    def __cinit__(self, str graph not None):
        cdef Mender text = Mender(graph)
        cdef Py_ssize_t room = 1 + len(graph)      # brackets and colons are fewer, but to count them takes longer
        self.kept, once = [], []
        self.places = <Spot *>space(self.kept, room, sizeof(Spot))
        # of each open node the number of its place, if it has no concept, else -1
        self.n = scan(text, self.places, <Py_ssize_t *>space(once, room, sizeof(Py_ssize_t)))


cdef Py_ssize_t scan(Mender text, Spot *places, Py_ssize_t *open_nodes) noexcept:
    """Fill in the places; returns their number."""
    cdef Py_ssize_t i, j, k, n = 0, n_open = 0
    cdef Spot *now
    cdef bint waits = False                 # the last role, whose target may be the next node
    cdef Py_UCS4 c
    i = text.comments(1 if text.look(0) == 0xfeff else 0)
    while i < text.n:
        c = at(&text.t, i)
        now = &places[n]
        if c == c"(":
            j = text.spaces(i + 1)
            k = text.symbol(j)
            now.kind = NODE
            now.first[0], now.first[1] = (j, k) if j < k else (i, i + 1)
            if waits:
                places[n - 1].second = now.first
            waits = False
            i = text.spaces(k)
            now.second[0] = now.second[1] = i
            open_nodes[n_open] = n
            if text.look(i) == c"/":
                open_nodes[n_open] = -1
                now.second[0] = text.spaces(i + 1)
                i = now.second[1] = text.target(now.second[0])
            n_open += 1
            n += 1
        elif c == c":":
            j = text.symbol(i + 1)
            now.kind = EDGE
            now.first[0], now.first[1] = i, j
            if n_open and open_nodes[n_open - 1] >= 0 and j - i == 9 and text.text[i:j] == ":instance":
                places[open_nodes[n_open - 1]].kind = VARIABLE      # the concept comes by a role
                open_nodes[n_open - 1] = -1
            i = text.spaces(j)
            if text.look(i) == c"~":
                i = text.alignment(i)
                i = j if i < 0 else i
            else:
                i = j
            j = text.spaces(i)
            now.second[0] = j
            now.second[1] = j if text.look(j) == c"#" else text.target(j)
            waits = j == now.second[1]
            if not waits:
                i = now.second[1]
            n += 1
        else:
            i += 1
            if c == c")":
                waits = False
                n_open -= n_open > 0
                if not n_open:
                    break
    return n


def places_of_triples(str graph not None, Py_ssize_t start=0):
    """The characters of each triple that the reader of the dialect ``penman`` makes of a text, and of each variable.

    Parameters
    ----------
    graph : str
        One graph that this reader can read.
    start : int
        What its places count from.

    Returns
    -------
    spans : list of tuples of (start, stop)
        In the order of ``fastmatch.parse(graph)[0].triples``.
    variables : dict
        Variable → its characters where its first node begins; of the node ``()`` those of its bracket.
    """
    cdef Scan found = Scan(graph)
    cdef Spot *now
    cdef Py_ssize_t k
    cdef list spans = []
    cdef dict variables = {}
    for k in range(found.n):
        now = &found.places[k]
        first = start + now.first[0], start + now.first[1]
        second = (start + now.second[0], start + now.second[1]) if now.second[0] < now.second[1] else None
        if now.kind == EDGE:
            spans.append((first,) if second is None else (first, second))
            continue
        name = graph[now.first[0]:now.first[1]]
        variables.setdefault(None if name == "(" else name, first)
        if now.kind == NODE:
            spans.append((first if second is None else second,))
    return spans, variables


def ends_of_triples(str graph not None, Py_ssize_t start=0):
    """Where each triple of a text is complete, after the root.

    Parameters
    ----------
    graph, start
        As for :func:`places_of_triples`.

    Returns
    -------
    bytearray
        int64: the place behind the variable of the first node, then that behind the last character of each triple.
    """
    cdef Scan found = Scan(graph)
    cdef Spot *now
    cdef Py_ssize_t k, n = found.n > 0
    for k in range(found.n):
        n += found.places[k].kind != VARIABLE
    made = PyByteArray_FromStringAndSize(NULL, n * sizeof(int64_t))
    cdef int64_t *ends = <int64_t *>PyByteArray_AS_STRING(made)
    n = 0
    for k in range(found.n):
        now = &found.places[k]
        if k == 0:
            ends[0], n = start + now.first[1], 1
        if now.kind != VARIABLE:
            ends[n] = start + (now.second[1] if now.second[0] < now.second[1] else now.first[1])
            n += 1
    return made
