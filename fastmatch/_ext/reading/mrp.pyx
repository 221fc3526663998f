# cython: language_level=3
"""Graphs in MRP JSON, the format of the shared tasks on meaning representation parsing (2019, 2020), normalised.

Each line is a graph, a JSON object. Its nodes become variables (``n12`` for the id 12), and its tuples triples:

* the label of a node is its concept, a node without one has no instance;
* a top is an attribute ``:TOP "top"`` of its node, the first one is the root as well; a graph without tops has none;
* a property is an attribute with the property's name;
* anchors are an attribute ``:ANCHORS`` that says which characters they cover (below);
* an edge is a relation, and each of its attributes a further one with the role ``:label|name=value``.

Values are in double quotes, and so are concepts that are no symbols of Penman notation.

Normalisation
-------------
As mtool does before it scores (``Graph.normalize``). Letters in upper case stay, because labels are compared without
regard to case.

* Three kinds of edges are turned around: those with a field ``normal``, which becomes the label; those with the label
  ``mod``, which becomes ``domain``; and those whose label ends in ``-of`` (or ``-of-of``), which is cut off. Labels
  ``prep-…-of`` stay, and so do ``consist-of`` and ``subset-of``, which mtool means to leave but turns (``published``).
* Attributes of edges ``remote``, ``effective`` and ``member`` with the value ``false`` are dropped.
* The spans of a node are joined to runs, and punctuation and white space at both ends of each run are taken off. The
  node covers the other characters, apart from white space. They are written as ``from:to``, one for each run of them,
  in places that do not count white space: so equal texts are equal sets of characters. Without ``input`` they are the
  runs as they are.

Of edges with the same source, target and label the first one counts.

Here the graph is made; JSON itself is read in ``json.pxd``.
"""

cimport cython
from libc.stdint cimport int32_t, int64_t, uint8_t, uint64_t
from libc.string cimport strlen

from fastmatch._ext.reading cimport blocks as read_blocks
from fastmatch._ext.reading.interner cimport Interner
from fastmatch._ext.base.columns cimport Column, push, push_bytes, push_int32, push_int64, release_all, reserve
from fastmatch._ext.base.letters cimport write_number
from fastmatch._ext.base.lines cimport Place, line_end, space_at, strip_left, strip_right
from fastmatch._ext.base.sorting cimport Pair, packed, sort_pairs
from fastmatch._ext.reading.json cimport (
    AN_OBJECT, A_LIST, A_NUMBER, A_STRING, F_BEHIND, F_ENDS, F_JSON, F_OWN_JSON, F_STRING, Json, Value, add_text,
    field, has_text, number_of, release_json, scan_json,
)
from fastmatch._ext.reading.reader cimport FAULTY, FINISHED, F_SIZE, marked
from fastmatch._ext.reading.rows cimport MOST_ROWS, add_attribute, add_instance, add_relation

cdef enum:
    N_FIELDS = 13           # that a graph of MRP may have

cdef enum Fault:
    F_OBJECT = F_OWN_JSON, F_LIST, F_FIELD, F_NO_ID, F_TWICE, F_NO_NODE, F_LENGTHS, F_SPAN, F_BEYOND

cdef struct Edge:
    int32_t source, target, label
    int32_t value           # the object
    bint dropped


#: Error → what is wrong.
cdef dict SAID = {
    F_STRING: "no JSON here: a string with an escape that does not exist, or a control character",
    F_ENDS: "the line ends within its JSON; in MRP each line is a graph",
    F_BEHIND: "text behind the graph; in MRP each line is a graph",
    F_OBJECT: "expected a graph, node or edge of MRP: a JSON object with its fields",
    F_LIST: "expected a list, [ … ]",
    F_FIELD: "expected a string",
    F_NO_ID: "a node without an id; expected a number or a string",
    F_TWICE: "a second node with the same id",
    F_NO_NODE: "expected the id of a node",
    F_LENGTHS: "properties or attributes and their values; expected two lists of equal length",
    F_SPAN: 'expected an anchor, such as {"from": 0, "to": 3}',
    F_BEYOND: "an anchor that ends behind the input",
}


@cython.final
cdef class Reader(read_blocks.BlockReader):
    """The dialects ``mrp`` and ``mrp-tool``; see the top of this module.

    Parameters
    ----------
    interner : Interner
        Gets every string.
    published : bool
        Turn ``consist-of`` and ``subset-of`` around, as mtool does.
    """

    cdef bint published
    cdef int32_t position_of, n_nodes
    cdef Json json                  # the line that is being read
    cdef Column edges, pairs, solid, filled
    cdef int64_t n_characters       # of the input; −1: there is none
    cdef int32_t top_role, top_value, anchor_role

    def __cinit__(self, Interner interner, *, bint published=False):
        self.published = published
        self.top_role = interner.intern(b":TOP")
        self.top_value = interner.intern(b'"top"')
        self.anchor_role = interner.intern(b":ANCHORS")

    def __dealloc__(self):
        release_json(&self.json)
        release_all(&self.edges, &self.filled)

    cdef int take_line(self, Place p, Place stop) except -1 nogil:
        """A line that is not empty is a block: where it begins and ends are the ``pieces``."""
        cdef Place left = strip_left(p, stop)
        if self.pieces.used:
            return False
        if left < stop:
            push_int64(&self.pieces, left - self.text)
            push_int64(&self.pieces, strip_right(left, stop) - self.text)
            self.begin_at(left)
        return True

    # Fields ------------------------------------------------------------------------------------------------------

    cdef int32_t typed(self, int32_t of, const char *name, int64_t length, int type) noexcept nogil:
        """Number of the value of an object's field, −1 where there is none; FAULTY if it has another type."""
        cdef int32_t found = field(&self.json, of, name, length)
        if found >= 0 and (<const Value *> self.json.values.data)[found].type != type:
            return self.fail(
                F_FIELD if type == A_STRING else F_LIST, (<const Value *> self.json.values.data)[found].start
            )
        return found

    # Strings -----------------------------------------------------------------------------------------------------

    cdef int put_value(self, int32_t i) except -1 nogil:
        return add_text(&self.letters, &self.json, i)

    cdef int32_t quoted(self, int32_t i, bint always) except -1 nogil:
        """Id of a value as Penman notation has it: in quotes, unless it is a symbol and need not be."""
        cdef int64_t k, n, before
        cdef uint8_t c
        self.letters.used = 0
        self.put_value(i)
        n = self.letters.used
        cdef Place p = <Place> self.letters.data
        cdef bint plain = not always and n > 0 and p[0] != c"#"
        k = 0
        while k < n and plain:
            c = p[k]
            plain = not (c in b'()/:~"' or c < 33 or space_at(p + k, p + n))
            k += 1
        if plain:
            return self.interner.add(p, n)
        before = n
        push_bytes(&self.letters, b'"', 1)
        for k in range(n):
            c = (<Place> self.letters.data)[k]
            if c == c'"' or c == c"\\":
                push_bytes(&self.letters, b"\\", 1)
            push_bytes(&self.letters, &c, 1)
        push_bytes(&self.letters, b'"', 1)
        return self.interner.add(<Place> self.letters.data + before, self.letters.used - before)

    cdef int32_t role(self, int32_t i) except -1 nogil:
        """Id of a value with a colon in front, ``:`` alone for −1."""
        self.letters.used = 0
        push_bytes(&self.letters, b":", 1)
        if i >= 0:
            self.put_value(i)
        return self.intern_letters()

    cdef int32_t node_name(self, int32_t i) except -1 nogil:
        """Id of the variable of a node's id: ``n12`` for 12, a string as it is."""
        self.letters.used = 0
        if (<const Value *> self.json.values.data)[i].type == A_NUMBER:
            push_bytes(&self.letters, b"n", 1)
        self.put_value(i)
        return self.intern_letters()

    # The graph ---------------------------------------------------------------------------------------------------

    cdef int scan_block(self) except -1 nogil:
        cdef int64_t start = (<const int64_t *> self.pieces.data)[0], stop = (<const int64_t *> self.pieces.data)[1]
        cdef int32_t nodes, edges, tops, i, root
        if stop - start > MOST_ROWS // 4:
            return self.fail(F_SIZE, self.begin)
        self.json.text = self.text
        if scan_json(&self.json, start, stop) == FAULTY:
            return self.fail(self.json.fault, self.json.at)
        cdef const Value *values = <const Value *> self.json.values.data
        if values[0].type != AN_OBJECT:
            return self.fail(F_OBJECT, start)
        self.add_comments()
        self.interner.reserve_marks()
        i = self.typed(0, b"input", 5, A_STRING)    # of several that are wrong the last one here is named
        tops = self.typed(0, b"tops", 4, A_LIST)
        edges = self.typed(0, b"edges", 5, A_LIST)
        nodes = self.typed(0, b"nodes", 5, A_LIST)
        if min(i, tops, edges, nodes) == FAULTY:
            return FAULTY
        self.look_at_input(i)
        if nodes < 0 and edges < 0 and tops < 0 and (field(&self.json, 0, b"id", 2) < 0 or self.has_other_fields()):
            return self.fail(F_OBJECT, start)
        cdef uint64_t stamp = self.interner.new_stamp()
        self.position_of = self.n_nodes = 0
        if nodes >= 0:
            i = nodes + 1
            while i < values[nodes].after:
                if self.add_node(i, stamp) == FAULTY:
                    return FAULTY
                i = values[i].after
        root = -1
        if tops >= 0:
            i = tops + 1
            while i < values[tops].after:
                if self.add_top(i, stamp, &root, i == tops + 1) == FAULTY:
                    return FAULTY
                i = values[i].after
        if edges >= 0 and self.add_edges(edges, stamp) == FAULTY:
            return FAULTY
        self.close_graph(root)
        return FINISHED

    cdef int add_comments(self) except -1 nogil:
        """Metadata: ``::id`` with the framework in front, and the input as ``::snt``."""
        cdef int32_t i = field(&self.json, 0, b"id", 2), framework = field(&self.json, 0, b"framework", 9)
        if i >= 0:
            self.letters.used = 0
            push_bytes(&self.letters, b"# ::id ", 7)
            if framework >= 0:
                self.put_value(framework)
                push_bytes(&self.letters, b"/", 1)
            self.put_value(i)
            self.add_line()
        i = field(&self.json, 0, b"input", 5)
        if i >= 0:
            self.letters.used = 0
            push_bytes(&self.letters, b"# ::snt ", 8)
            self.put_value(i)
            self.add_line()

    cdef int add_line(self) except -1 nogil:
        """Keep ``letters`` as one comment line."""
        cdef uint8_t *p = <uint8_t *> self.letters.data
        cdef int64_t k
        for k in range(self.letters.used):
            if p[k] == c"\n" or p[k] == c"\r":
                p[k] = c" "
        return self.add_comment(p, self.letters.used)

    cdef int add_node(self, int32_t i, uint64_t stamp) except -1 nogil:
        cdef const Value *values = <const Value *> self.json.values.data
        cdef int32_t id, label, names, given, name, node = self.n_nodes, text, role
        if values[i].type != AN_OBJECT:
            return self.fail(F_OBJECT, values[i].start)
        id = field(&self.json, i, b"id", 2)
        if id < 0 or (values[id].type != A_NUMBER and values[id].type != A_STRING):
            return self.fail(F_NO_ID, values[i].start)
        name = self.node_name(id)
        self.interner.reserve_marks()
        push_int32(&self.variables, name)
        if marked(self.interner, name, stamp) >= 0:
            return self.fail(F_TWICE, values[id].start)
        self.interner.marks[name] = (stamp << 32) | <uint64_t> node
        self.n_nodes += 1
        label = field(&self.json, i, b"label", 5)
        if label >= 0:
            text = self.quoted(label, False)
            add_instance(&self.instances, node, text, self.next_position())
        names = self.typed(i, b"properties", 10, A_LIST)
        given = self.typed(i, b"values", 6, A_LIST)
        if names == FAULTY or given == FAULTY:
            return FAULTY
        if (names < 0) != (given < 0):
            return self.fail(F_LENGTHS, values[i].start)
        if names >= 0:
            name, text = names + 1, given + 1
            while name < values[names].after and text < values[given].after:
                role = self.role(name)
                id = self.quoted(text, True)
                add_attribute(&self.attributes, node, role, id, self.next_position())
                name, text = values[name].after, values[text].after
            if name < values[names].after or text < values[given].after:
                return self.fail(F_LENGTHS, values[i].start)
        return self.add_anchors(i, node)

    cdef int32_t next_position(self) noexcept nogil:
        self.position_of += 1
        return self.position_of - 1

    cdef int32_t end_of(self, int32_t edge, const char *name, uint64_t stamp) except -1 nogil:
        """The node that a field of an edge, with a name of six letters, leads to; FAULTY if there is none."""
        cdef int32_t id = field(&self.json, edge, name, 6)
        return self.node_at(edge if id < 0 else id, stamp)

    cdef int32_t node_at(self, int32_t i, uint64_t stamp) except -1 nogil:
        """The node with an id; FAULTY if there is none."""
        cdef const Value *values = <const Value *> self.json.values.data
        cdef int32_t node = -1
        if values[i].type == A_NUMBER or values[i].type == A_STRING:
            node = marked(self.interner, self.node_name(i), stamp)
        return node if node >= 0 else self.fail(F_NO_NODE, values[i].start)

    cdef int add_top(self, int32_t i, uint64_t stamp, int32_t *root, bint first) except -1 nogil:
        cdef int32_t node = self.node_at(i, stamp)
        if node < 0:
            return FAULTY
        if first:
            root[0] = node
        add_attribute(&self.attributes, node, self.top_role, self.top_value, self.next_position())
        return FINISHED

    # Anchors -----------------------------------------------------------------------------------------------------

    cdef int look_at_input(self, int32_t i) except -1 nogil:
        """Of each character of the input: how many before it are not white space, and the next and the last one that
        neither is white space nor punctuation.
        """
        cdef int32_t *filled
        cdef int32_t *solid
        cdef int64_t n = 0, k
        cdef int width
        cdef uint8_t c
        self.n_characters = -1
        if i < 0:
            return 0
        self.letters.used = 0
        self.put_value(i)
        n = self.letters.used
        self.filled.used = self.solid.used = 0
        reserve(&self.filled, n + 1, sizeof(int32_t))
        reserve(&self.solid, 2 * n + 2, sizeof(int32_t))
        cdef Place p = <Place> self.letters.data, end = p + n
        filled = <int32_t *> self.filled.data
        solid = <int32_t *> self.solid.data
        n = 0
        filled[0] = 0
        while p < end:
            width = space_at(p, end)
            filled[n + 1] = filled[n] + (width == 0)
            solid[n] = width == 0 and not is_punctuation(p, end)    # for now
            if width == 0:
                c = p[0]
                width = 1 if c < 0xc0 else 2 if c < 0xe0 else 3 if c < 0xf0 else 4
            p += width
            n += 1
        self.n_characters = n
        # solid[n + 1 + k]: the first solid character from k on; solid[k]: behind the last one before k + 1
        solid[2 * n + 1] = <int32_t> n
        k = n
        while k > 0:
            k -= 1
            solid[n + 1 + k] = <int32_t> k if solid[k] else solid[n + 2 + k]
        for k in range(n):
            solid[k] = <int32_t> (k + 1) if solid[k] else (solid[k - 1] if k else 0)

    cdef int add_anchors(self, int32_t i, int32_t node) except -1 nogil:
        """The attribute that says which characters a node covers, if it has anchors; a Status."""
        cdef const Value *values = <const Value *> self.json.values.data
        cdef int32_t list_of = self.typed(i, b"anchors", 7, A_LIST), k, value, first, last
        cdef int64_t start, stop, n = 0, j, size = self.n_characters, left, right
        cdef const int32_t *filled = <const int32_t *> self.filled.data
        cdef const int32_t *solid = <const int32_t *> self.solid.data
        cdef uint8_t out[48]
        if list_of == FAULTY:
            return FAULTY
        if list_of < 0:
            return FINISHED
        self.pairs.used = 0
        k = list_of + 1
        while k < values[list_of].after:
            if values[k].type != AN_OBJECT:
                return self.fail(F_SPAN, values[k].start)
            first, last = field(&self.json, k, b"from", 4), field(&self.json, k, b"to", 2)
            if first >= 0 and last >= 0:        # others are no spans of characters
                start, stop = number_of(&self.json, first), number_of(&self.json, last)
                if start < 0 or stop < start:
                    return self.fail(F_SPAN, values[k].start)
                if size >= 0 and stop > size:
                    return self.fail(F_BEYOND, values[k].start)
                reserve(&self.pairs, 2 * n + 2, sizeof(Pair))
                if start < stop:
                    (<Pair *> self.pairs.data)[n] = Pair(start, stop)
                    n += 1
                    self.pairs.used = n
            k = values[k].after
        if n == 0:
            return FINISHED
        reserve(&self.pairs, n + 1, sizeof(Pair))
        cdef Pair *spans = <Pair *> self.pairs.data
        sort_pairs(spans, n, spans + n)
        # runs of characters; a gap of white space behind white space belongs to a run
        j = 0
        for k in range(1, <int32_t> n):
            left = spans[j].minor
            if spans[k].major <= left or (size >= 0 and filled[spans[k].major] == filled[left - 1]):
                spans[j].minor = max(left, spans[k].minor)
            else:
                j += 1
                spans[j] = spans[k]
        n = j + 1
        if size >= 0:
            # less what is at the ends of runs, and runs with nothing but white space between them as one
            j = 0
            for k in range(<int32_t> n):
                left, right = solid[size + 1 + spans[k].major], solid[spans[k].minor - 1]
                if left >= right:
                    continue
                if j and filled[left] == filled[spans[j - 1].minor]:
                    spans[j - 1].minor = right
                else:
                    spans[j] = Pair(left, right)
                    j += 1
            n = j       # 0: the node covers nothing but punctuation, and so no character
        self.letters.used = 0
        push_bytes(&self.letters, b'"', 1)
        for k in range(<int32_t> n):
            left = write_number(out, spans[k].major)
            out[left] = c":"
            left += 1
            left += write_number(out + left, spans[k].minor)
            if k:
                push_bytes(&self.letters, b",", 1)
            push_bytes(&self.letters, out, left)
        push_bytes(&self.letters, b'"', 1)
        value = self.intern_letters()
        add_attribute(&self.attributes, node, self.anchor_role, value, self.next_position())
        return FINISHED

    # Edges -------------------------------------------------------------------------------------------------------

    cdef int add_edges(self, int32_t list_of, uint64_t stamp) except -1 nogil:
        cdef const Value *values = <const Value *> self.json.values.data
        cdef int32_t i = list_of + 1
        cdef int64_t n = 0, e, first = 0
        cdef Edge *edge
        cdef Pair *pairs
        self.edges.used = 0
        while i < values[list_of].after:
            if values[i].type != AN_OBJECT:
                return self.fail(F_OBJECT, values[i].start)
            edge = <Edge *> push(&self.edges, sizeof(Edge))
            edge.value = i
            edge.dropped = False
            edge.source = self.end_of(i, b"source", stamp)
            if edge.source < 0:
                return FAULTY
            edge.target = self.end_of(i, b"target", stamp)
            if edge.target < 0:
                return FAULTY
            edge.label = self.role(field(&self.json, i, b"label", 5))
            i = values[i].after
        # of equal edges the first one: equal ends first, then equal labels among them
        n = self.edges.used
        self.pairs.used = 0
        reserve(&self.pairs, 2 * n, sizeof(Pair))
        pairs = <Pair *> self.pairs.data
        edge = <Edge *> self.edges.data
        for e in range(n):
            pairs[e] = Pair(packed(edge[e].label, edge[e].source), e)
        sort_pairs(pairs, n, pairs + n)
        e = 0
        while first < n:        # runs of one label and source, by their targets
            e = first
            while e < n and pairs[e].major == pairs[first].major:
                e += 1
            self.drop_repeated(pairs + first, e - first, pairs + n)
            first = e
        for e in range(n):
            if not (<const Edge *> self.edges.data)[e].dropped and self.add_edge(e) == FAULTY:
                return FAULTY
        return FINISHED

    cdef void drop_repeated(self, Pair *pairs, int64_t n, Pair *scratch) noexcept nogil:
        cdef Edge *edges = <Edge *> self.edges.data
        cdef int64_t k
        for k in range(n):
            pairs[k].major = edges[pairs[k].minor].target
        sort_pairs(pairs, n, scratch)
        for k in range(1, n):
            if pairs[k].major == pairs[k - 1].major:
                edges[pairs[k].minor].dropped = True

    cdef int add_edge(self, int64_t e) except -1 nogil:
        """A relation, and one for each attribute of the edge; a Status."""
        cdef const Edge *edge = <const Edge *> self.edges.data + e
        cdef const Value *values = <const Value *> self.json.values.data
        cdef int32_t label = field(&self.json, edge.value, b"label", 5)
        cdef int32_t normal = field(&self.json, edge.value, b"normal", 6)
        cdef int32_t source = edge.source, target = edge.target, role = edge.label, names, given, name, text, turned = 0
        cdef int64_t n
        if normal >= 0:
            turned = 1
            role = self.role(normal)
        elif has_text(&self.json, label, b"mod", 3):
            turned = 1
            role = self.interner.add(b":domain", 7)
        elif label >= 0 and self.ends_on_of(label):
            turned = 1
            role = self.role(label)
            n = self.interner.length(role)
            role = self.interner.add(<Place> self.letters.data, n - 3)
        if turned:
            source, target = target, source
        add_relation(&self.relations, source, role, target, self.next_position(), turned)
        names = self.typed(edge.value, b"attributes", 10, A_LIST)
        if names == -1:
            names = self.typed(edge.value, b"properties", 10, A_LIST)
        given = self.typed(edge.value, b"values", 6, A_LIST)
        if names == FAULTY or given == FAULTY:
            return FAULTY
        if (names < 0) != (given < 0):
            return self.fail(F_LENGTHS, values[edge.value].start)
        if names < 0:
            return FINISHED
        name, text = names + 1, given + 1
        while name < values[names].after and text < values[given].after:
            if not (
                has_text(&self.json, text, b"false", 5)
                and (
                    has_text(&self.json, name, b"remote", 6) or has_text(&self.json, name, b"effective", 9)
                    or has_text(&self.json, name, b"member", 6)
                )
            ):
                n = self.interner.length(role)
                self.letters.used = 0
                push_bytes(&self.letters, self.interner.blob + self.interner.offsets[role], n)
                push_bytes(&self.letters, b"|", 1)
                self.put_value(name)
                push_bytes(&self.letters, b"=", 1)
                self.put_value(text)
                label = self.intern_letters()
                add_relation(&self.relations, source, label, target, self.next_position(), turned)
            name, text = values[name].after, values[text].after
        if name < values[names].after or text < values[given].after:
            return self.fail(F_LENGTHS, values[edge.value].start)
        return FINISHED

    cdef bint has_other_fields(self) noexcept nogil:
        """Whether the line has a field that no graph of MRP has: without nodes it is a row of another kind of file."""
        cdef const Value *values = <const Value *> self.json.values.data
        cdef int32_t i = 1, k
        cdef const char **known = [
            b"id", b"flavor", b"framework", b"version", b"time", b"source", b"provenance", b"language", b"input",
            b"targets", b"tops", b"nodes", b"edges",
        ]
        while i < values[0].after:
            for k in range(N_FIELDS):
                if has_text(&self.json, i, known[k], strlen(known[k])):
                    break
            else:
                return True
            i = values[i + 1].after
        return False

    cdef bint ends_on_of(self, int32_t label) noexcept nogil:
        """Whether an edge with this label is turned around."""
        cdef const Value *value = <const Value *> self.json.values.data + label
        cdef int64_t n = value.stop - value.start
        cdef Place p = self.text + value.start
        if n < 3 or p[n - 3] != c"-" or p[n - 2] | 32 != c"o" or p[n - 1] | 32 != c"f":
            return False
        if n >= 6 and p[n - 6] == c"-" and p[n - 5] | 32 == c"o" and p[n - 4] | 32 == c"f":
            return True
        if n >= 5 and p[4] == c"-" and p[0] | 32 == c"p" and p[1] | 32 == c"r" and (
            p[2] | 32 == c"e" and p[3] | 32 == c"p"
        ):
            return False
        return self.published or not (
            has_text(&self.json, label, b"consist-of", 10) or has_text(&self.json, label, b"subset-of", 9)
        )

    cdef str describe(self, int code, int64_t at):
        cdef int64_t stop
        if code == F_JSON:
            stop = line_end(self.text + at, self.text + self.size) - self.text
            found = (<const char *> self.text)[at:min(at + 80, stop)].decode("utf-8", "ignore")
            return f"no JSON here: {found[:20]!r}"
        return SAID.get(code) or read_blocks.BlockReader.describe(self, code, at)


cdef bint is_punctuation(Place p, Place end) noexcept nogil:
    """Whether mtool takes a character off at the ends of an anchor."""
    cdef uint8_t c = p[0]
    if c < 0x80:
        return c in b""".?!;,:"'()[]{}"""
    if end - p < 3 or c != 0xe2 or p[1] != 0x80:
        return False
    return p[2] == 0x9c or p[2] == 0x9d or p[2] == 0x98 or p[2] == 0x99     # “ ” ‘ ’
