# cython: language_level=3
"""From a corpus to what AnCast needs of each graph, once per graph.

AnCast's broadcast looks at graphs through two matrices a side: which nodes are within two steps along relations (*out*)
and against them (*in*). Two nodes with the same out and in neighbourhoods cannot be told apart by it. They are put into
one *class* here, and the broadcast (``ancast.pyx``) works on classes: 400 identical siblings are one. Nothing is lost:
if t has a neighbour u, it has every node of u's class as a neighbour, since membership of u in t's out-neighbourhood is
the same fact as membership of t in u's in-neighbourhood. The neighbourhoods themselves are numbered too, because they
are shared more widely: all leaves have the empty one, all children of a node the same parent and grandparents.

Names of concepts are compared by containment, so their bytes are kept beside their ids, with the set of bytes that
occur as a bit mask: most pairs of names are told apart by two machine words.

The tool's reader can declare a variable twice; the second declaration is an object of its own whose children hang off
it, while only the first is ever visited. Its relations are then seen from the other end alone, the in and out matrices
are no longer transposes of each other, and every node of such a graph is a class of its own.
"""

from libc.stdint cimport int32_t, int64_t, uint8_t, uint32_t, uint64_t
from libc.string cimport memchr, memcmp, memcpy, memset

import numpy as np

from fastmatch._ext.interner cimport Interner
from fastmatch._ext.lines cimport line_end, space_at, strip_left, strip_right
from fastmatch._ext.rows cimport Column, add_int32, release, room
from fastmatch._ext.sorting cimport Pair, sort_pairs

cdef enum:
    CACHED_ROLES = 256
    FINE = 0
    NO_MEMORY = -1
    BAD_INDEX = -2

cdef enum:
    SWAPPED = 1         # predicate is the target of the relation as the corpus has it
    LOST = 2            # an attribute under it is no relation
    OP = 4              # :op1, :op2, …

cdef struct Role:
    int32_t role        # id in the corpus, -1: free
    int32_t label       # canonical
    int32_t flags
    int64_t at_source   # key in the sets of roles
    int64_t at_target

cdef struct Entry:      # an attribute
    int32_t node
    int32_t label
    int32_t value
    int32_t op
    int32_t position
    int64_t key


cdef class AncastGraphs:
    """What AnCast needs of a corpus's graphs; made by :func:`ancast_graphs`, immutable, cheap to pickle."""

    def __cinit__(self, *arrays):
        (
            self.offsets, self.roots, self.nodes, self.words, self.text, self.attribute_start, self.attributes,
            self.candidates, self.role_start, self.roles, self.classes, self.out_sizes, self.out_start,
            self.out_classes, self.in_sizes, self.in_start, self.in_classes, self.pairs, self.label_start,
            self.labels, self.by_label,
        ) = arrays
        self.n_graphs = self.offsets.shape[1] - 1

    @property
    def n_variables(self):
        """int64, shape (n_graphs,): variables of each graph, as its corpus counts them."""
        return np.diff(np.asarray(self.offsets)[O_VARIABLES])

    @property
    def n_nodes(self):
        """int64, shape (n_graphs,)."""
        return np.diff(np.asarray(self.offsets)[O_NODES])

    @property
    def n_candidates(self):
        """int64, shape (n_graphs,): nodes that are anchors if the other graph has their name as well."""
        return np.diff(np.asarray(self.offsets)[O_CANDIDATES])

    @property
    def n_classes(self):
        """int64, shape (n_graphs,): nodes that can be told apart by their neighbourhoods."""
        return np.diff(np.asarray(self.offsets)[O_CLASSES])

    @property
    def arrays(self):
        """The arrays, in the order of the constructor."""
        return tuple(map(np.asarray, (
            self.offsets, self.roots, self.nodes, self.words, self.text, self.attribute_start, self.attributes,
            self.candidates, self.role_start, self.roles, self.classes, self.out_sizes, self.out_start,
            self.out_classes, self.in_sizes, self.in_start, self.in_classes, self.pairs, self.label_start,
            self.labels, self.by_label,
        )))

    def __len__(self):
        return self.n_graphs

    def __reduce__(self):
        return (AncastGraphs, self.arrays)


cdef inline bint push(Column *column, int64_t value) noexcept nogil:
    if not room(column, 1, sizeof(int64_t)):
        return False
    (<int64_t *> column.data)[column.used] = value
    column.used += 1
    return True


cdef inline bint push_pair(Column *column, int64_t major, int64_t minor) noexcept nogil:
    if not room(column, 1, sizeof(Pair)):
        return False
    (<Pair *> column.data)[column.used].major = major
    (<Pair *> column.data)[column.used].minor = minor
    column.used += 1
    return True


cdef inline uint64_t mix(uint64_t x) noexcept nogil:
    """SplitMix64's finaliser: hashes of members, to be added up."""
    x += <uint64_t> 0x9e3779b97f4a7c15
    x = (x ^ (x >> 30)) * <uint64_t> 0xbf58476d1ce4e5b9
    x = (x ^ (x >> 27)) * <uint64_t> 0x94d049bb133111eb
    return x ^ (x >> 31)


cdef inline bint ends_in_of(const uint8_t *text, int64_t length) noexcept nogil:
    return length >= 3 and memcmp(text + length - 3, b"-of", 3) == 0


cdef inline bint is_digit(uint8_t c) noexcept nogil:
    return c"0" <= c <= c"9"


cdef bint contains(const uint8_t *text, int64_t size, const uint8_t *part, int64_t length) noexcept nogil:
    """Whether ``part`` occurs in ``text``."""
    cdef const uint8_t *p = text
    cdef const uint8_t *last = text + size - length
    if length > size:
        return False
    if length == 0:
        return True
    while p <= last:
        p = <const uint8_t *> memchr(p, part[0], last - p + 1)
        if p == NULL:
            return False
        if memcmp(p, part, length) == 0:
            return True
        p += 1
    return False


cdef object table(Column *column, Py_ssize_t width, kind):
    """Rows of ``width`` numbers to columns, or to one flat array (width 0); the rows are freed."""
    cdef Py_ssize_t rows = column.used, per = max(width, 1)
    cdef uint8_t[::1] view
    array = np.empty(rows * per, kind)
    if rows:
        view = array.view(np.uint8)
        memcpy(&view[0], column.data, view.shape[0])
    release(column)
    return np.ascontiguousarray(array.reshape(rows, width).T) if width else array


cdef class Builder:
    """Collects the tables, graph by graph."""

    cdef Interner interner
    cdef const int32_t[::1] lower
    cdef const int32_t[::1] value
    cdef bint tool, ops, assume
    # tables
    cdef Column offsets, roots, nodes, words, text, attribute_start, attributes, candidates, role_start, roles
    cdef Column classes, out_sizes, out_start, out_classes, in_sizes, in_start, in_classes, pairs, label_start, labels
    cdef Column by_label
    # scratch of a graph
    cdef Column node_of, ghost, concept, letters, sentence, incidents, entries, order, sorting, triples, edges_out
    cdef Column edges_in, out_one, out_one_start, in_one, in_one_start, out_two, out_two_start, in_two, in_two_start
    cdef Column stamps, slots, queue, values, out_set, in_set, by_node, by_node_start
    cdef int32_t stamp
    cdef Role cache[CACHED_ROLES]

    def __cinit__(self, Interner interner, const int32_t[::1] lower, const int32_t[::1] value, bint tool, bint ops,
                  bint assume):
        cdef int i
        self.interner, self.lower, self.value = interner, lower, value
        self.tool, self.ops, self.assume = tool, ops, assume
        for i in range(CACHED_ROLES):
            self.cache[i].role = -1

    def __dealloc__(self):
        cdef Column *column = &self.offsets
        while column <= &self.by_node_start:
            release(column)
            column += 1

    cdef const uint8_t *string(self, int32_t index, int64_t *length) noexcept nogil:
        """A string of the vocabulary; valid until the next one is added."""
        length[0] = self.interner.length(index)
        return self.interner.blob + self.interner.offsets[index]

    cdef int32_t intern_part(self, int32_t index, int64_t length) noexcept nogil:
        """Id of the first ``length`` bytes of a string; -1: no memory."""
        if length == self.interner.length(index):
            return index
        self.letters.used = 0
        if not room(&self.letters, length + 1, 1):
            return -1
        memcpy(self.letters.data, self.interner.blob + self.interner.offsets[index], length)
        return self.interner.add(<const uint8_t *> self.letters.data, length)

    cdef int64_t key(self, int32_t role) noexcept nogil:
        """Number of a role name: x and x-of get two neighbouring ones. -1: no memory."""
        cdef int64_t length
        cdef const uint8_t *text = self.string(role, &length)
        if ends_in_of(text, length):
            role = self.intern_part(role, length - 3)
            return 2 * <int64_t> role + 1 if role >= 0 else -1
        return 2 * <int64_t> role

    cdef Role *role_of(self, int32_t role) noexcept nogil:
        """What is known of a role; NULL: no memory."""
        cdef Role *entry = &self.cache[role & (CACHED_ROLES - 1)]
        cdef int64_t length, i
        cdef int32_t label, flags = 0, stem
        cdef const uint8_t *text
        if entry.role == role:
            return entry
        label = self.lower[role]
        text = self.string(label, &length)
        if length == 4 and memcmp(text, b":mod", 4) == 0:
            # small :domain marble is marble :mod small: the tool calls both mod-of, we domain
            label = self.interner.add(b":mod-of", 7) if self.tool else self.interner.add(b":domain", 7)
            flags = SWAPPED
        elif self.tool and length == 7 and memcmp(text, b":mod-of", 7) == 0:
            flags = LOST
        elif self.tool and ends_in_of(text, length):
            label = self.intern_part(label, length - 3)
            flags = SWAPPED | LOST
        if label < 0:
            return NULL
        text = self.string(label, &length)
        i = 1 if length and text[0] == c":" else 0
        if length >= i + 2 and text[i] == c"o" and text[i + 1] == c"p":
            i += 2
            while i < length and is_digit(text[i]):
                i += 1
            if self.tool or i == length:
                flags |= OP
        if self.tool:
            entry.at_source = self.key(role)
            text = self.string(role, &length)
            if ends_in_of(text, length):
                stem = self.intern_part(role, length - 3)
                entry.at_target = self.key(stem) if stem >= 0 else -1
            else:
                entry.at_target = 2 * <int64_t> role + 1
            if entry.at_source < 0 or entry.at_target < 0:
                return NULL
        else:
            entry.at_source = 2 * <int64_t> label + (flags & SWAPPED)
            entry.at_target = entry.at_source ^ 1
        entry.role, entry.label, entry.flags = role, label, flags
        return entry

    cdef int32_t add_word(self, int32_t index) noexcept nogil:
        """A row of ``words`` for a string; -1: no memory."""
        cdef int64_t length, i, characters = 0
        cdef const uint8_t *text = self.string(index, &length)
        cdef uint64_t mask = 0
        cdef int64_t *row
        if not room(&self.words, 1, WORD_ROWS * sizeof(int64_t)) or not room(&self.text, length + 1, 1):
            return -1
        memcpy(<uint8_t *> self.text.data + self.text.used, text, length)
        for i in range(length):
            mask |= <uint64_t> 1 << (text[i] & 63)
            characters += text[i] & 0xc0 != 0x80
        row = <int64_t *> self.words.data + WORD_ROWS * self.words.used
        row[W_ID] = index
        row[W_AT] = self.text.used
        row[W_BYTES] = length
        row[W_CHARACTERS] = characters
        row[W_MASK] = <int64_t> mask
        self.text.used += length
        self.words.used += 1
        return <int32_t> (self.words.used - 1)

    cdef bint sort(self, Column *pairs) noexcept nogil:
        if not room(&self.sorting, pairs.used, sizeof(Pair)):
            return False
        sort_pairs(<Pair *> pairs.data, pairs.used, <Pair *> self.sorting.data)
        return True

    cdef int32_t next_stamp(self) noexcept nogil:
        if self.stamp == 2147483647:
            memset(self.stamps.data, 0, self.stamps.capacity * sizeof(int32_t))
            self.stamp = 0
        self.stamp += 1
        return self.stamp

    cdef bint clear_stamps(self, int64_t n) noexcept nogil:
        """Make sure there are ``n`` stamps, none of them current."""
        cdef int64_t before = self.stamps.capacity
        self.stamps.used = 0
        if not room(&self.stamps, n + 1, sizeof(int32_t)):
            return False
        if self.stamps.capacity > before:
            memset(<int32_t *> self.stamps.data + before, 0, (self.stamps.capacity - before) * sizeof(int32_t))
        return True

    cdef object read_sentence(self, const uint8_t[::1] comments, int64_t start, int64_t stop):
        """Put the lower-cased sentence, the rest of the line behind the first ``::snt`` and a space, aside.

        Returns whether there is one.
        """
        cdef const uint8_t *p
        cdef const uint8_t *q
        cdef const uint8_t *end
        cdef uint8_t *out
        cdef int width
        cdef bint ascii = True, found = False
        self.sentence.used = 0
        if stop == start:
            return False
        p = &comments[start]
        end = p + (stop - start)
        while end - p >= 6:
            p = <const uint8_t *> memchr(p, c":", end - p)
            if p == NULL or end - p < 6:
                break
            if memcmp(p, b"::snt", 5) == 0:
                width = space_at(p + 5, end)
                if width:
                    found = True
                    p += 5 + width
                    break
            p += 1
        if not found:
            return False
        end = line_end(p, end)
        p = strip_left(p, end)
        end = strip_right(p, end)
        if not room(&self.sentence, end - p + 1, 1):
            raise MemoryError()
        out = <uint8_t *> self.sentence.data
        q = p
        while q < end:
            if q[0] >= 0x80:
                ascii = False
            out[q - p] = q[0] + 32 if c"A" <= q[0] <= c"Z" else q[0]
            q += 1
        self.sentence.used = end - p
        if not ascii:
            lowered = (<const char *> p)[:end - p].decode("utf-8", "surrogatepass").lower()
            lowered = lowered.encode("utf-8", "surrogatepass")
            self.sentence.used = 0
            if not room(&self.sentence, len(lowered) + 1, 1):
                raise MemoryError()
            memcpy(self.sentence.data, <const char *> lowered, len(lowered))
            self.sentence.used = len(lowered)
        return True

    # One graph ---------------------------------------------------------------------------------------------------

    cdef int number_nodes(self, const int32_t[::1] names, int64_t start, int32_t n) noexcept nogil:
        """Variables to nodes; returns the number of nodes, or NO_MEMORY.

        For the tool a variable whose name another one before it has is a ghost of that one.
        """
        cdef int32_t v, count = 0
        cdef int32_t *node_of
        cdef uint8_t *ghost
        cdef const Pair *pair = NULL
        self.node_of.used = self.ghost.used = 0
        if not room(&self.node_of, n + 1, sizeof(int32_t)) or not room(&self.ghost, n + 1, 1):
            return NO_MEMORY
        node_of = <int32_t *> self.node_of.data
        ghost = <uint8_t *> self.ghost.data
        memset(ghost, 0, n)
        if self.tool:
            self.order.used = 0
            for v in range(n):
                node_of[v] = v
                if not push_pair(&self.order, names[start + v], v):
                    return NO_MEMORY
            if not self.sort(&self.order):
                return NO_MEMORY
            pair = <const Pair *> self.order.data
            for v in range(1, n):
                if pair[v].major == pair[v - 1].major:
                    ghost[pair[v].minor] = 1
                    node_of[pair[v].minor] = node_of[pair[v - 1].minor]
        for v in range(n):
            if not ghost[v]:
                node_of[v] = count
                count += 1
            else:
                node_of[v] = node_of[node_of[v]]    # of a variable before it, which has its number already
        if self.tool:
            for v in range(n):
                if not ghost[pair[v].minor]:
                    if not add_int32(&self.by_label, <int32_t> pair[v].major):
                        return NO_MEMORY
                    if not add_int32(&self.by_label, node_of[pair[v].minor]):
                        return NO_MEMORY
        return count

    cdef int32_t node_called(self, int32_t label, int64_t start, int32_t n) noexcept nogil:
        """The node of this graph whose variable has this name, or -1; the tool's graphs only."""
        cdef const int32_t *rows = <const int32_t *> self.by_label.data + 2 * start
        cdef int32_t low = 0, high = n, middle
        while low < high:
            middle = (low + high) >> 1
            if rows[2 * middle] < label:
                low = middle + 1
            else:
                high = middle
        return rows[2 * low + 1] if low < n and rows[2 * low] == label else -1

    cdef int32_t split_concept(self, int32_t concept, int32_t *sense) noexcept nogil:
        """Id of the name of a concept, and its sense. -1: no memory.

        The tool cuts at the first "-" with two digits behind it, wherever it stands; otherwise the sense is at the end.
        """
        cdef int64_t length, i, cut
        cdef const uint8_t *text
        sense[0] = 0
        if concept < 0:
            return self.interner.add(b"", 0)
        concept = self.lower[concept] if self.tool else self.value[concept]
        text = self.string(concept, &length)
        cut = -1
        i = 0 if self.tool else max(length - 3, 0)
        while i + 2 < length:
            if text[i] == c"-" and is_digit(text[i + 1]) and is_digit(text[i + 2]):
                cut = i
                break
            i += 1
        if cut < 0:
            return concept
        sense[0] = 10 * (text[cut + 1] - c"0") + (text[cut + 2] - c"0")
        return self.intern_part(concept, cut)

    cdef bint add_triple(self, int32_t predicate, int32_t argument, int32_t label) noexcept nogil:
        return push_pair(&self.triples, (<int64_t> predicate << 32) | <uint32_t> argument, label)

    cdef int gather(
        self, int64_t variables, int32_t n_variables, int64_t by_label, int32_t n,
        const int32_t[:, ::1] attributes, int64_t attribute, int64_t attribute_stop,
        const int32_t[:, ::1] relations, int64_t relation, int64_t relation_stop,
    ) noexcept nogil:
        """Triples, edges, attributes and the roles around each node."""
        cdef int32_t n_labels = <int32_t> self.lower.shape[0], v, role, other, node, value, constant, swap
        cdef bint sees_source, sees_target, inverse
        cdef const int32_t *node_of = <const int32_t *> self.node_of.data
        cdef const uint8_t *ghost = <const uint8_t *> self.ghost.data
        cdef Role *info
        cdef Entry *entry
        self.triples.used = self.incidents.used = self.entries.used = self.edges_out.used = self.edges_in.used = 0
        while attribute < attribute_stop:
            v, role, value = attributes[0, attribute], attributes[1, attribute], attributes[2, attribute]
            if v < 0 or v >= n_variables or role < 0 or role >= n_labels or value < -1 or value >= n_labels:
                return BAD_INDEX
            if not ghost[v]:
                info = self.role_of(role)
                if info == NULL:
                    return NO_MEMORY
                node = node_of[v]
                if value >= 0:
                    value = self.value[value]
                constant = CONSTANT - value
                if self.tool and value >= 0:
                    other = self.node_called(value, by_label, n)
                    if other >= 0:
                        constant = other
                if self.tool and info.flags & LOST:
                    pass
                elif info.flags & SWAPPED:
                    if not self.add_triple(constant, node, info.label):
                        return NO_MEMORY
                elif not self.add_triple(node, constant, info.label):
                    return NO_MEMORY
                if not push_pair(
                    &self.incidents, info.at_source, (<int64_t> node << 32) | <uint32_t> attributes[3, attribute]
                ) or not room(&self.entries, 1, sizeof(Entry)):
                    return NO_MEMORY
                if not (self.tool and info.flags & SWAPPED):
                    entry = <Entry *> self.entries.data + self.entries.used
                    self.entries.used += 1
                    entry.node, entry.label, entry.value = node, info.label, value
                    entry.op = info.flags & OP
                    entry.position = attributes[3, attribute]
                    entry.key = info.at_source
            attribute += 1
        while relation < relation_stop:
            v, role, other = relations[0, relation], relations[1, relation], relations[2, relation]
            if v < 0 or v >= n_variables or other < 0 or other >= n_variables or role < 0 or role >= n_labels:
                return BAD_INDEX
            info = self.role_of(role)
            if info == NULL:
                return NO_MEMORY
            sees_source, sees_target = not ghost[v], not ghost[other]
            v, other = node_of[v], node_of[other]
            if sees_source and not push_pair(
                &self.incidents, info.at_source, (<int64_t> v << 32) | <uint32_t> relations[3, relation]
            ):
                return NO_MEMORY
            if sees_target and not push_pair(
                &self.incidents, info.at_target, (<int64_t> other << 32) | <uint32_t> relations[3, relation]
            ):
                return NO_MEMORY
            # as it was written: mod-of is no inverse, mod is
            inverse = (info.flags & SWAPPED != 0) != (relations[4, relation] != 0)
            if info.flags & SWAPPED:
                swap = v
                v = other
                other = swap
                sees_source, sees_target = sees_target, sees_source
            if sees_source or sees_target:
                if not self.add_triple(v, other, info.label):
                    return NO_MEMORY
                if v == other and self.tool and sees_source and sees_target:
                    # the tool sees a loop from one end only
                    sees_source, sees_target = not inverse, inverse
                if sees_source and not push_pair(&self.edges_out, v, other):
                    return NO_MEMORY
                if sees_target and not push_pair(&self.edges_in, other, v):
                    return NO_MEMORY
            relation += 1
        return FINE

    cdef bint neighbours(self, Column *edges, Column *one, Column *one_start, Column *two, Column *two_start,
                         int32_t n) noexcept nogil:
        """Neighbours one step away, and those at most two steps away without the node itself, as lists a node."""
        cdef const Pair *edge
        cdef const int32_t *first
        cdef const int64_t *start
        cdef int32_t i, j, k, stamp
        cdef int32_t *stamps = <int32_t *> self.stamps.data
        cdef int64_t e = 0, at, deeper
        one.used = one_start.used = two.used = two_start.used = 0
        if not self.sort(edges):
            return False
        edge = <const Pair *> edges.data
        for i in range(n):
            if not push(one_start, one.used):
                return False
            while e < edges.used and edge[e].major == i:
                if e == 0 or edge[e - 1].major != i or edge[e - 1].minor != edge[e].minor:
                    if not add_int32(one, <int32_t> edge[e].minor):
                        return False
                e += 1
        if not push(one_start, one.used):
            return False
        first = <const int32_t *> one.data
        start = <const int64_t *> one_start.data
        for i in range(n):
            if not push(two_start, two.used):
                return False
            stamp = self.next_stamp()
            stamps[i] = stamp
            for at in range(start[i], start[i + 1]):
                j = first[at]
                if stamps[j] != stamp:
                    stamps[j] = stamp
                    if not add_int32(two, j):
                        return False
            for at in range(start[i], start[i + 1]):
                j = first[at]
                for deeper in range(start[j], start[j + 1]):
                    k = first[deeper]
                    if stamps[k] != stamp:
                        stamps[k] = stamp
                        if not add_int32(two, k):
                            return False
        return push(two_start, two.used)

    cdef bint same_members(self, const Column *sets, const Column *starts, int32_t i, int32_t j) noexcept nogil:
        cdef const int32_t *members = <const int32_t *> sets.data
        cdef const int64_t *start = <const int64_t *> starts.data
        cdef int32_t *stamps = <int32_t *> self.stamps.data
        cdef int32_t stamp
        cdef int64_t at
        if start[i + 1] - start[i] != start[j + 1] - start[j]:
            return False
        stamp = self.next_stamp()
        for at in range(start[i], start[i + 1]):
            stamps[members[at]] = stamp
        for at in range(start[j], start[j + 1]):
            if stamps[members[at]] != stamp:
                return False
        return True

    cdef bint make_slots(self, int32_t n, int64_t *mask) noexcept nogil:
        """An empty hash table for up to ``n`` numbers."""
        cdef int64_t size = 4
        while size < 2 * <int64_t> n:
            size *= 2
        self.slots.used = 0
        if not room(&self.slots, size, sizeof(int32_t)):
            return False
        memset(self.slots.data, 0xff, size * sizeof(int32_t))
        mask[0] = size - 1
        return True

    cdef bint number_sets(self, const Column *sets, const Column *starts, Column *number, int32_t n) noexcept nogil:
        """Equal neighbourhoods get one number. ``queue``: the first node that has each of them."""
        cdef int32_t i, other, found
        cdef int64_t mask, slot, at
        cdef uint64_t h
        cdef int32_t *slots
        cdef const int32_t *members = <const int32_t *> sets.data
        cdef const int64_t *start = <const int64_t *> starts.data
        self.queue.used = number.used = 0
        if not self.make_slots(n, &mask):
            return False
        slots = <int32_t *> self.slots.data
        for i in range(n):
            h = 0
            for at in range(start[i], start[i + 1]):
                h += mix(members[at])
            slot = <int64_t> (mix(h) & <uint64_t> mask)
            while True:
                other = slots[slot]
                if other < 0 or self.same_members(sets, starts, i, other):
                    break
                slot = (slot + 1) & mask
            if other < 0:
                slots[slot] = i
                found = <int32_t> self.queue.used
                if not add_int32(&self.queue, i):
                    return False
            else:
                found = (<const int32_t *> number.data)[other]
            if not add_int32(number, found):
                return False
        return self.order_sets(start, number, n)

    cdef bint order_sets(self, const int64_t *start, Column *number, int32_t n) noexcept nogil:
        """Number the sets by their size, so that loops over their members run equally long most of the time."""
        cdef int32_t k, i
        cdef int32_t *first = <int32_t *> self.queue.data
        cdef int32_t *numbers = <int32_t *> number.data
        cdef const Pair *pair
        self.order.used = 0
        for k in range(<int32_t> self.queue.used):
            i = first[k]
            if not push_pair(&self.order, start[i + 1] - start[i], (<int64_t> k << 32) | i):
                return False
        if not self.sort(&self.order):
            return False
        pair = <const Pair *> self.order.data
        for k in range(<int32_t> self.queue.used):
            first[pair[k].minor >> 32] = k      # for a moment: old number → new one
        for i in range(n):
            numbers[i] = first[numbers[i]]
        for k in range(<int32_t> self.queue.used):
            first[k] = <int32_t> pair[k].minor
        return True

    cdef bint add_sets(
        self, const int32_t *nodes, const Column *sets, const Column *starts, Column *sizes, Column *class_start,
        Column *classes
    ) noexcept nogil:
        """The neighbourhoods that ``number_sets`` found, as the classes that they are made of."""
        cdef const int32_t *members = <const int32_t *> sets.data
        cdef const int64_t *start = <const int64_t *> starts.data
        cdef int32_t *stamps = <int32_t *> self.stamps.data
        cdef int32_t i, k, stamp, group
        cdef int64_t at
        for k in range(<int32_t> self.queue.used):
            i = (<const int32_t *> self.queue.data)[k]
            if not push(class_start, classes.used) or not add_int32(sizes, <int32_t> (start[i + 1] - start[i])):
                return False
            stamp = self.next_stamp()
            for at in range(start[i], start[i + 1]):
                group = nodes[NODE_ROWS * members[at] + N_CLASS]
                if stamps[group] != stamp:
                    stamps[group] = stamp
                    if not add_int32(classes, group):
                        return False
        return True

    cdef bint classify(self, int32_t *nodes, int32_t n, bint apart) noexcept nogil:
        """Nodes with the same two neighbourhoods become one class; ``apart``: none do."""
        cdef int32_t i, c = 0, other
        cdef int64_t mask, slot, first_class = self.classes.used
        cdef int32_t *slots
        cdef int32_t *row
        cdef const int32_t *out_set
        cdef const int32_t *in_set
        if (not self.number_sets(&self.in_two, &self.in_two_start, &self.in_set, n)
                or not self.number_sets(&self.out_two, &self.out_two_start, &self.out_set, n)
                or not self.make_slots(n, &mask)):
            return False
        slots = <int32_t *> self.slots.data
        out_set = <const int32_t *> self.out_set.data
        in_set = <const int32_t *> self.in_set.data
        for i in range(n):
            other = -1
            if not apart:
                slot = <int64_t> (mix(<uint64_t> out_set[i] << 32 | <uint64_t> in_set[i]) & <uint64_t> mask)
                while True:
                    other = slots[slot]
                    if other < 0 or (out_set[other] == out_set[i] and in_set[other] == in_set[i]):
                        break
                    slot = (slot + 1) & mask
                if other < 0:
                    slots[slot] = i
            if other >= 0:
                nodes[NODE_ROWS * i + N_CLASS] = nodes[NODE_ROWS * other + N_CLASS]
                (<int32_t *> self.classes.data)[
                    CLASS_ROWS * (first_class + nodes[NODE_ROWS * i + N_CLASS]) + C_SIZE
                ] += 1
                continue
            if not room(&self.classes, 1, CLASS_ROWS * sizeof(int32_t)):
                return False
            row = <int32_t *> self.classes.data + CLASS_ROWS * self.classes.used
            row[C_SIZE], row[C_OUT], row[C_IN] = 1, out_set[i], in_set[i]
            nodes[NODE_ROWS * i + N_CLASS] = c
            self.classes.used += 1
            c += 1
        if not self.order_classes(nodes, n, first_class):
            return False
        # queue is still that of the outgoing ones
        return (
            self.add_sets(nodes, &self.out_two, &self.out_two_start, &self.out_sizes, &self.out_start,
                          &self.out_classes)
            and self.number_sets(&self.in_two, &self.in_two_start, &self.in_set, n)
            and self.add_sets(nodes, &self.in_two, &self.in_two_start, &self.in_sizes, &self.in_start,
                              &self.in_classes)
        )

    cdef bint order_classes(self, int32_t *nodes, int32_t n, int64_t first) noexcept nogil:
        """Number a graph's classes by their neighbourhoods: usually only leaves share an outgoing one, and come first,

        so that what is known of outgoing neighbourhoods is known of classes, see ``receive`` in ``ancast.pyx``.
        """
        cdef int32_t k, i, count = <int32_t> (self.classes.used - first)
        cdef int32_t *row = <int32_t *> self.classes.data + CLASS_ROWS * first
        cdef int32_t *places = <int32_t *> self.slots.data
        cdef const Pair *pair
        self.order.used = 0
        for k in range(count):
            if not push_pair(
                &self.order, (<int64_t> row[CLASS_ROWS * k + C_OUT] << 32) | row[CLASS_ROWS * k + C_IN],
                (<int64_t> k << 32) | row[CLASS_ROWS * k + C_SIZE],
            ):
                return False
        if not self.sort(&self.order):
            return False
        pair = <const Pair *> self.order.data
        for k in range(count):
            places[pair[k].minor >> 32] = k
            row[CLASS_ROWS * k + C_SIZE] = <int32_t> pair[k].minor
            row[CLASS_ROWS * k + C_OUT] = <int32_t> (pair[k].major >> 32)
            row[CLASS_ROWS * k + C_IN] = <int32_t> pair[k].major
        for i in range(n):
            nodes[NODE_ROWS * i + N_CLASS] = places[nodes[NODE_ROWS * i + N_CLASS]]
        return True

    cdef bint count_reachable(self, int32_t *nodes, int32_t n) noexcept nogil:
        cdef int32_t i, j, k, stamp
        cdef int32_t *stamps = <int32_t *> self.stamps.data
        cdef const int32_t *first = <const int32_t *> self.out_one.data
        cdef const int64_t *start = <const int64_t *> self.out_one_start.data
        cdef int64_t at, done
        for i in range(n):
            stamp = self.next_stamp()
            self.queue.used = 0
            done = -1
            j = i
            while True:
                for at in range(start[j], start[j + 1]):
                    k = first[at]
                    if stamps[k] != stamp:
                        stamps[k] = stamp
                        if not add_int32(&self.queue, k):
                            return False
                done += 1
                if done >= self.queue.used:
                    break
                j = (<const int32_t *> self.queue.data)[done]
            nodes[NODE_ROWS * i + N_REACH] = <int32_t> self.queue.used
        return True

    cdef bint collect_roles(self, int32_t *nodes, int32_t n) noexcept nogil:
        """Sets of roles: equal ones become one. Needs the incidents sorted."""
        cdef const Pair *incident = <const Pair *> self.incidents.data
        cdef int64_t *start
        cdef int64_t *keys
        cdef int64_t k, mask, slot, at, count
        cdef int64_t first_set = self.role_start.used
        cdef int32_t i, node, other
        cdef int32_t *slots
        cdef const int64_t *theirs
        cdef uint64_t h
        self.by_node_start.used = self.by_node.used = 0
        if (not room(&self.by_node_start, n + 2, sizeof(int64_t))
                or not room(&self.by_node, self.incidents.used + 1, sizeof(int64_t))):
            return False
        start = <int64_t *> self.by_node_start.data
        keys = <int64_t *> self.by_node.data
        memset(start, 0, (n + 2) * sizeof(int64_t))
        for k in range(self.incidents.used):
            if k == 0 or not self.repeats(k):
                start[(incident[k].minor >> 32) + 2] += 1
        for i in range(n):
            start[i + 2] += start[i + 1]
        for k in range(self.incidents.used):
            if k == 0 or not self.repeats(k):
                node = <int32_t> (incident[k].minor >> 32)
                keys[start[node + 1]] = incident[k].major
                start[node + 1] += 1
        if not self.make_slots(n, &mask):
            return False
        slots = <int32_t *> self.slots.data
        for i in range(n):
            count = start[i + 1] - start[i]
            h = 0
            for at in range(start[i], start[i + 1]):
                h += mix(<uint64_t> keys[at])
            slot = <int64_t> (mix(h) & <uint64_t> mask)
            while True:
                other = slots[slot]
                if other < 0:
                    break
                theirs = keys + start[other]
                if start[other + 1] - start[other] == count and memcmp(
                    theirs, keys + start[i], count * sizeof(int64_t)
                ) == 0:
                    break
                slot = (slot + 1) & mask
            if other >= 0:
                nodes[NODE_ROWS * i + N_ROLES] = nodes[NODE_ROWS * other + N_ROLES]
                continue
            slots[slot] = i
            nodes[NODE_ROWS * i + N_ROLES] = <int32_t> (self.role_start.used - first_set)
            if not push(&self.role_start, self.roles.used):
                return False
            for at in range(start[i], start[i + 1]):
                if not push(&self.roles, keys[at]):
                    return False
        return True

    cdef inline bint repeats(self, int64_t k) noexcept nogil:
        """Whether incident k has the key and the node of the one before it."""
        cdef const Pair *incident = <const Pair *> self.incidents.data
        return incident[k].major == incident[k - 1].major and incident[k].minor >> 32 == incident[k - 1].minor >> 32

    cdef int64_t first_position(self, int64_t key, int32_t node) noexcept nogil:
        """The least position of an incident with this key and node."""
        cdef const Pair *incident = <const Pair *> self.incidents.data
        cdef int64_t low = 0, high = self.incidents.used, middle
        cdef Pair wanted
        wanted.major, wanted.minor = key, <int64_t> node << 32
        while low < high:
            middle = (low + high) >> 1
            if incident[middle].major < key or (
                incident[middle].major == key and incident[middle].minor < wanted.minor
            ):
                low = middle + 1
            else:
                high = middle
        return <uint32_t> incident[low].minor

    cdef bint collect_attributes(self, int32_t *nodes, int32_t n) noexcept nogil:
        """Attributes of each node, label → value, the last value counting; ops go into the node's full word."""
        cdef const Entry *entries = <const Entry *> self.entries.data
        cdef const Entry *entry
        cdef const Pair *pair
        cdef int32_t i, label
        cdef int64_t k = 0, first, at, other, rank
        self.order.used = 0
        for at in range(self.entries.used):
            entry = entries + at
            # the tool keeps relations in one list a role, in the order in which the roles first came
            rank = self.first_position(entry.key, entry.node) if self.tool else 0
            if not push_pair(
                &self.order, (<int64_t> entry.node << 32) | rank, (<int64_t> entry.position << 32) | at
            ):
                return False
        if not self.sort(&self.order):
            return False
        pair = <const Pair *> self.order.data
        for i in range(n):
            if not push(&self.attribute_start, self.attributes.used // 2):
                return False
            first = k
            self.triples.used = 0       # free by now: (label, place) of this node
            while k < self.order.used and pair[k].major >> 32 == i:
                entry = entries + <uint32_t> pair[k].minor
                if not push_pair(&self.triples, entry.label, k):
                    return False
                k += 1
            if k == first:
                continue
            if not self.sort(&self.triples):
                return False
            # each label has the place of its first and the value of its last entry
            self.values.used = at = 0
            while at < self.triples.used:
                label = <int32_t> (<const Pair *> self.triples.data)[at].major
                other = (<const Pair *> self.triples.data)[at].minor
                while (at + 1 < self.triples.used
                        and (<const Pair *> self.triples.data)[at + 1].major == label):
                    at += 1
                entry = entries + <uint32_t> pair[(<const Pair *> self.triples.data)[at].minor].minor
                at += 1
                if self.ops and entry.op:
                    if not push_pair(&self.values, other, entry.value):
                        return False
                elif not add_int32(&self.attributes, label) or not add_int32(&self.attributes, entry.value):
                    return False
            if self.values.used and not self.append_ops(nodes, i):
                return False
        return True

    cdef bint append_ops(self, int32_t *nodes, int32_t i) noexcept nogil:
        """The full word of node i: its name and the values in ``values``, in the order of their places."""
        cdef int32_t index = <int32_t> (<const int64_t *> self.words.data)[
            WORD_ROWS * <int64_t> nodes[NODE_ROWS * i + N_NAME] + W_ID
        ]
        cdef int64_t length, at
        cdef const uint8_t *text = self.string(index, &length)
        if not self.sort(&self.values):
            return False
        self.letters.used = 0
        if not room(&self.letters, length + 1, 1):
            return False
        memcpy(self.letters.data, text, length)
        self.letters.used = length
        for at in range(self.values.used):
            index = <int32_t> (<const Pair *> self.values.data)[at].minor
            if index < 0:
                continue
            text = self.string(index, &length)
            if not room(&self.letters, length + 1, 1):
                return False
            memcpy(<uint8_t *> self.letters.data + self.letters.used, text, length)
            self.letters.used += length
        index = self.interner.add(<const uint8_t *> self.letters.data, self.letters.used)
        if index < 0:
            return False
        nodes[NODE_ROWS * i + N_FULL] = self.add_word(index)
        return nodes[NODE_ROWS * i + N_FULL] >= 0

    cdef bint collect_pairs(self) noexcept nogil:
        """Triples, grouped by predicate and argument; a repeated triple counts once."""
        cdef const Pair *triple
        cdef int64_t k
        cdef int32_t end, which
        cdef int32_t *row
        if not self.sort(&self.triples):
            return False
        triple = <const Pair *> self.triples.data
        for k in range(self.triples.used):
            if k == 0 or triple[k].major != triple[k - 1].major:
                if (not room(&self.pairs, 1, PAIR_ROWS * sizeof(int32_t))
                        or not push(&self.label_start, self.labels.used)):
                    return False
                row = <int32_t *> self.pairs.data + PAIR_ROWS * self.pairs.used
                self.pairs.used += 1
                row[P_PREDICATE] = <int32_t> (triple[k].major >> 32)
                row[P_ARGUMENT] = <int32_t> triple[k].major
                for which in range(2):
                    end = row[P_PREDICATE + which]
                    row[P_PREDICATE_WORD + which] = -1
                    if self.tool and end < NOTHING - 1:
                        row[P_PREDICATE_WORD + which] = self.add_word(CONSTANT - end)
                        if row[P_PREDICATE_WORD + which] < 0:
                            return False
            elif triple[k].minor == triple[k - 1].minor:
                continue
            if not add_int32(&self.labels, <int32_t> triple[k].minor):
                return False
        return True

    cdef bint collect_candidates(self, const int32_t *nodes, int32_t n, bint all_concrete) noexcept nogil:
        """Nodes whose name is the only one of its kind in the graph, and occurs in the sentence."""
        cdef const Pair *pair
        cdef const int64_t *word
        cdef int32_t i
        self.order.used = 0
        for i in range(n):
            word = <const int64_t *> self.words.data + WORD_ROWS * <int64_t> nodes[NODE_ROWS * i + N_NAME]
            if not push_pair(&self.order, word[W_ID], i):
                return False
        if not self.sort(&self.order):
            return False
        pair = <const Pair *> self.order.data
        for i in range(n):
            if (i and pair[i - 1].major == pair[i].major) or (i + 1 < n and pair[i + 1].major == pair[i].major):
                continue
            word = <const int64_t *> self.words.data + WORD_ROWS * <int64_t> nodes[NODE_ROWS * pair[i].minor + N_NAME]
            if all_concrete or contains(
                <const uint8_t *> self.sentence.data, self.sentence.used,
                <const uint8_t *> self.text.data + word[W_AT], word[W_BYTES],
            ):
                if (not add_int32(&self.candidates, <int32_t> pair[i].major)
                        or not add_int32(&self.candidates, <int32_t> pair[i].minor)):
                    return False
        return True

    cdef int add_graph(
        self, int32_t root, const int32_t[::1] names, int64_t variable, int32_t n_variables,
        const int32_t[:, ::1] instances, int64_t instance, int64_t instance_stop,
        const int32_t[:, ::1] attributes, int64_t attribute, int64_t attribute_stop,
        const int32_t[:, ::1] relations, int64_t relation, int64_t relation_stop, bint all_concrete,
    ) noexcept nogil:
        cdef int32_t n_labels = <int32_t> self.lower.shape[0], v, n, index, word, sense, i
        cdef int64_t by_label = self.by_label.used // 2, first
        cdef int32_t *concept
        cdef int32_t *row
        cdef int32_t *nodes
        cdef bint apart
        cdef int status
        for v in range(n_variables):
            if names[variable + v] < -1 or names[variable + v] >= n_labels:
                return BAD_INDEX
        if root >= n_variables or root < -1:
            return BAD_INDEX
        n = self.number_nodes(names, variable, n_variables)
        self.concept.used = 0
        if n < 0 or not room(&self.concept, n_variables + 1, sizeof(int32_t)) or not self.clear_stamps(n):
            return NO_MEMORY
        apart = n < n_variables
        concept = <int32_t *> self.concept.data
        for v in range(n_variables):
            concept[v] = -2
        while instance < instance_stop:
            v = instances[0, instance]
            if v < 0 or v >= n_variables or instances[1, instance] < -1 or instances[1, instance] >= n_labels:
                return BAD_INDEX
            if concept[v] == -2:
                concept[v] = instances[1, instance]
            instance += 1
        first = self.nodes.used
        if not room(&self.nodes, n, NODE_ROWS * sizeof(int32_t)):
            return NO_MEMORY
        nodes = <int32_t *> self.nodes.data + NODE_ROWS * first
        i = 0
        for v in range(n_variables):
            if (<const uint8_t *> self.ghost.data)[v]:
                continue
            index = self.split_concept(concept[v], &sense)
            if index < 0:
                return NO_MEMORY
            word = self.add_word(index)
            if word < 0:
                return NO_MEMORY
            row = nodes + NODE_ROWS * i
            row[N_VARIABLE] = v
            row[N_LABEL] = names[variable + v]
            row[N_SENSE] = sense
            row[N_NAME] = row[N_FULL] = word
            i += 1
        self.nodes.used += n
        status = self.gather(variable, n_variables, by_label, n, attributes, attribute, attribute_stop,
                             relations, relation, relation_stop)
        if status != FINE:
            return status
        if (
            not self.collect_pairs()
            or not self.sort(&self.incidents)
            or not self.collect_roles(nodes, n)
            or not self.collect_attributes(nodes, n)
            or not self.neighbours(&self.edges_out, &self.out_one, &self.out_one_start, &self.out_two,
                                   &self.out_two_start, n)
            or not self.neighbours(&self.edges_in, &self.in_one, &self.in_one_start, &self.in_two,
                                   &self.in_two_start, n)
            or not self.classify(nodes, n, apart)
            or not self.count_reachable(nodes, n)
            or not self.collect_candidates(nodes, n, all_concrete)
            or not add_int32(&self.roots, (<const int32_t *> self.node_of.data)[root] if root >= 0 else -1)
            or not self.close_graph(n_variables)
        ):
            return NO_MEMORY
        return FINE

    cdef bint close_graph(self, int32_t n_variables) noexcept nogil:
        cdef int64_t before = 0
        cdef int64_t *row
        if not room(&self.offsets, 1, OFFSET_ROWS * sizeof(int64_t)):
            return False
        row = <int64_t *> self.offsets.data + OFFSET_ROWS * self.offsets.used
        if self.offsets.used:
            before = row[O_VARIABLES - OFFSET_ROWS]
        row[O_VARIABLES] = before + n_variables
        row[O_NODES] = self.nodes.used
        row[O_CANDIDATES] = self.candidates.used // 2
        row[O_ROLE_SETS] = self.role_start.used
        row[O_CLASSES] = self.classes.used
        row[O_OUT_SETS] = self.out_sizes.used
        row[O_IN_SETS] = self.in_sizes.used
        row[O_PAIRS] = self.pairs.used
        self.offsets.used += 1
        return True

    cdef object finish(self):
        if not (push(&self.attribute_start, self.attributes.used // 2) and push(&self.role_start, self.roles.used)
                and push(&self.out_start, self.out_classes.used) and push(&self.in_start, self.in_classes.used)
                and push(&self.label_start, self.labels.used)):
            raise MemoryError()
        self.attributes.used //= 2
        self.candidates.used //= 2
        self.by_label.used //= 2
        int32, int64, uint8 = np.int32, np.int64, np.uint8
        return AncastGraphs(
            table(&self.offsets, OFFSET_ROWS, int64), table(&self.roots, 0, int32),
            table(&self.nodes, NODE_ROWS, int32), table(&self.words, WORD_ROWS, int64), table(&self.text, 0, uint8),
            table(&self.attribute_start, 0, int64), table(&self.attributes, 2, int32),
            table(&self.candidates, 2, int32),
            table(&self.role_start, 0, int64), table(&self.roles, 0, int64), table(&self.classes, CLASS_ROWS, int32),
            table(&self.out_sizes, 0, int32), table(&self.out_start, 0, int64), table(&self.out_classes, 0, int32),
            table(&self.in_sizes, 0, int32), table(&self.in_start, 0, int64), table(&self.in_classes, 0, int32),
            table(&self.pairs, PAIR_ROWS, int32), table(&self.label_start, 0, int64), table(&self.labels, 0, int32),
            table(&self.by_label, 2, int32),
        )


cdef void check_offsets(const int64_t[::1] offsets, Py_ssize_t n_graphs, Py_ssize_t n_rows, str name) except *:
    cdef Py_ssize_t g
    if offsets.shape[0] != n_graphs + 1 or offsets[0] < 0 or offsets[n_graphs] > n_rows:
        raise ValueError(f"{name}: offsets do not fit {n_graphs} graphs and {n_rows} rows")
    for g in range(n_graphs):
        if offsets[g] > offsets[g + 1]:
            raise ValueError(f"{name}: offsets of graph {g} decrease")


def ancast_graphs(
    Interner interner not None,
    const int32_t[::1] root not None,
    const int64_t[::1] variable_offsets not None,
    const int32_t[::1] variable_names not None,
    const int64_t[::1] instance_offsets not None,
    const int32_t[:, ::1] instances not None,
    const int64_t[::1] attribute_offsets not None,
    const int32_t[:, ::1] attributes not None,
    const int64_t[::1] relation_offsets not None,
    const int32_t[:, ::1] relations not None,
    const int64_t[::1] comment_offsets not None,
    const uint8_t[::1] comments not None,
    const int32_t[::1] lower not None,
    const int32_t[::1] value not None,
    *,
    bint tool,
    bint ops,
    bint assume,
):
    """What AnCast needs of every graph of a corpus. The arrays are the columns of :class:`fastmatch.Corpus`.

    Args:
        interner: the table of the corpus's vocabulary; gets the names of concepts.
        lower, value: int32, shape (n_labels,): label id -> id of the label in lower case, and without quotes besides.
        tool: canonical roles, senses and repeated variables as the tool has them, else as the module of the metric
            says.
        ops: the values of ``:op1``, ``:op2``, … belong to the concept's name and are no attributes.
        assume: where a graph has no sentence every concept counts as occurring in it, else none does.

    Raises:
        ValueError: an offset, variable or label lies outside its table.
        MemoryError: no room.

    Cost: O(T log T + n · T) for a graph of n nodes and T triples, n · T being the walks that count descendants; where
    many nodes have many neighbours, the neighbourhoods of two steps add their size.
    """
    cdef Py_ssize_t n_graphs = root.shape[0], g
    cdef int64_t n
    cdef int status = FINE
    cdef bint has_sentence
    if instances.shape[0] < 2 or attributes.shape[0] < 4 or relations.shape[0] < 5:
        raise ValueError("a table has too few rows")
    if value.shape[0] != lower.shape[0]:
        raise ValueError("lower and value must have one entry a label")
    check_offsets(variable_offsets, n_graphs, variable_names.shape[0], "variables")
    check_offsets(instance_offsets, n_graphs, instances.shape[1], "instances")
    check_offsets(attribute_offsets, n_graphs, attributes.shape[1], "attributes")
    check_offsets(relation_offsets, n_graphs, relations.shape[1], "relations")
    check_offsets(comment_offsets, n_graphs, comments.shape[0], "comments")
    for g in range(n_graphs):
        if variable_offsets[g + 1] - variable_offsets[g] > 1000000000:
            raise ValueError(f"graph {g} has more than 1,000,000,000 variables")
    builder = Builder(interner, lower, value, tool, ops, assume)
    if not room(&builder.offsets, 1, OFFSET_ROWS * sizeof(int64_t)):
        raise MemoryError()
    memset(builder.offsets.data, 0, OFFSET_ROWS * sizeof(int64_t))
    builder.offsets.used = 1
    interner.enter()
    try:
        for g in range(n_graphs):
            has_sentence = builder.read_sentence(comments, comment_offsets[g], comment_offsets[g + 1])
            n = variable_offsets[g + 1] - variable_offsets[g]
            with nogil:
                status = builder.add_graph(
                    root[g], variable_names, variable_offsets[g], <int32_t> n, instances, instance_offsets[g],
                    instance_offsets[g + 1], attributes, attribute_offsets[g], attribute_offsets[g + 1], relations,
                    relation_offsets[g], relation_offsets[g + 1], assume and not has_sentence,
                )
            if status != FINE:
                break
    finally:
        interner.leave()
    if status == BAD_INDEX:
        raise ValueError(f"graph {g}: a variable or label lies outside its table")
    if status == NO_MEMORY:
        raise MemoryError(f"graph {g} does not fit in memory")
    return builder.finish()
