# cython: language_level=3
"""The words of AnCast's graphs: sentences, concepts and their senses, roles, attributes, relations, likely anchors.

Names of concepts are compared by containment. So their bytes are stored beside their ids, and the set of bytes that
occur as a bit mask: most pairs of names are told apart by the two masks alone.
"""

from libc.stdint cimport int32_t, int64_t, uint32_t, uint64_t, uint8_t
from libc.string cimport memchr, memcmp, memset

from fastmatch._ext.anchors.builder cimport LOST, OP, SWAPPED, Builder, Entry, Role, push_pair
from fastmatch._ext.anchors.layout cimport (
    CONSTANT, NODE_ROWS, NOTHING, N_FULL, N_NAME, N_ROLES, PAIR_ROWS, P_ARGUMENT, P_PREDICATE, P_PREDICATE_WORD,
    WORD_ROWS, W_AT, W_BYTES, W_ID,
)
from fastmatch._ext.anchors.pair cimport contains
from fastmatch._ext.base.columns cimport fresh, push, push_bytes, push_int32, push_int64
from fastmatch._ext.base.letters cimport is_digit
from fastmatch._ext.base.lines cimport line_end, space_at, strip_left, strip_right
from fastmatch._ext.base.random cimport mix_next
from fastmatch._ext.base.search cimport lower_bound_pair
from fastmatch._ext.base.sorting cimport Pair, packed
from fastmatch._ext.graphs.columns cimport Columns


cdef inline object read_sentence(Builder self, const uint8_t[::1] comments, int64_t start, int64_t stop):
    """Store the graph's sentence in lower case: the rest of the line behind the first ``::snt`` and a white space.

    Returns whether there is one. Raises MemoryError.
    """
    cdef int width
    cdef bint ascii = True, found = False
    self.sentence.used = 0
    if stop == start:
        return False
    cdef const uint8_t *p = &comments[start]
    cdef const uint8_t *end = p + (stop - start)
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
    cdef uint8_t *out = <uint8_t *> fresh(&self.sentence, end - p, 1)
    cdef const uint8_t *q = p
    while q < end:
        if q[0] >= 0x80:
            ascii = False
        out[q - p] = q[0] + 32 if c"A" <= q[0] <= c"Z" else q[0]
        q += 1
    self.sentence.used = end - p
    if not ascii:
        try:
            lowered = (<const char *> p)[:end - p].decode("utf-8", "surrogatepass").lower()
        except UnicodeDecodeError:  # the comments of a graph that could not be read for this very reason
            lowered = (<const char *> p)[:end - p].decode("utf-8", "replace").lower()
        lowered = lowered.encode("utf-8", "surrogatepass")
        self.sentence.used = 0
        push_bytes(&self.sentence, <const uint8_t *> <const char *> lowered, len(lowered))
    return True


cdef inline int number_nodes(Builder self, const int32_t[::1] names, int64_t start, int32_t n) except -1 nogil:
    """Number the nodes; returns how many there are.

    Every variable is a node, but with ``tool`` a variable whose name an earlier variable has is *repeated*, and belongs
    to the earlier one's node; a variable without a name is not. ``node_of``: the node of each variable; ``repeated``: 1
    for these.
    """
    cdef int32_t v, count = 0
    cdef int32_t *node_of = <int32_t *> fresh(&self.node_of, n, sizeof(int32_t))
    cdef uint8_t *repeated = <uint8_t *> fresh(&self.repeated, n, 1)
    cdef const Pair *pair = NULL
    memset(repeated, 0, n)
    if self.tool:
        self.order.used = 0
        for v in range(n):
            node_of[v] = v
            push_pair(&self.order, names[start + v], v)
        self.sort(&self.order)
        pair = <const Pair *> self.order.data
        for v in range(1, n):
            if pair[v].major == pair[v - 1].major and pair[v].major >= 0:
                repeated[pair[v].minor] = 1
                node_of[pair[v].minor] = node_of[pair[v - 1].minor]
    for v in range(n):
        if not repeated[v]:
            node_of[v] = count
            count += 1
        else:
            node_of[v] = node_of[node_of[v]]    # of the first variable with the name, which has its number already
    if self.tool:
        for v in range(n):
            if not repeated[pair[v].minor]:
                push_int32(&self.by_label, <int32_t> pair[v].major)
                push_int32(&self.by_label, node_of[pair[v].minor])
    return count


cdef inline int32_t split_concept(Builder self, int32_t concept, int32_t *sense) except -1 nogil:
    """Id of a concept's name, and its sense, 0 without one.

    The sense is a hyphen and two digits at the end; with ``tool`` the first ones anywhere, and what follows is dropped.
    """
    cdef int64_t length, i, cut
    sense[0] = 0
    if concept < 0:
        return self.interner.add(b"", 0)
    concept = self.lower[concept] if self.tool else self.value[concept]
    cdef const uint8_t *text = self.string(concept, &length)
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


cdef inline int add_triple(Builder self, int32_t predicate, int32_t argument, int32_t label) except -1 nogil:
    """Add a triple. An end is a node, or CONSTANT - id."""
    push_pair(&self.triples, packed(predicate, argument), label)


cdef inline int add_incident(Builder self, int64_t key, int32_t node, int32_t position) except -1 nogil:
    """A role at a node. Sorted by key, then by node, then by position in the text."""
    push_pair(&self.incidents, key, packed(node, position))


cdef inline int add_attribute(
    Builder self, int32_t node, int32_t role, int32_t value, int32_t position, int64_t by_label, int32_t n
) except -1 nogil:
    """An attribute of a node: as a triple, as a role around the node, as an entry."""
    cdef int32_t constant, other
    cdef Role *info = self.role_of(role)
    if value >= 0:
        value = self.value[value]
    constant = CONSTANT - value
    if self.tool and value >= 0 and (other := self.node_called(value, by_label, n)) >= 0:
        constant = other
    if self.tool and info.flags & LOST:
        pass
    elif info.flags & SWAPPED:
        add_triple(self, constant, node, info.label)
    else:
        add_triple(self, node, constant, info.label)
    add_incident(self, info.at_source, node, position)
    if not (self.tool and info.flags & SWAPPED):
        (<Entry *> push(&self.entries, sizeof(Entry)))[0] = Entry(
            node, info.label, value, info.flags & OP, position, info.at_source
        )


cdef inline int add_relation(
    Builder self, int32_t source, int32_t role, int32_t target, int32_t position, bint inverted
) except -1 nogil:
    """A relation between two variables: as a triple, as edges, as roles around its ends.

    A repeated variable does not see its relations: they are no edges and no roles of its node.
    """
    cdef const int32_t *node_of = <const int32_t *> self.node_of.data
    cdef const uint8_t *repeated = <const uint8_t *> self.repeated.data
    cdef bint sees_source = not repeated[source], sees_target = not repeated[target], inverse
    cdef Role *info = self.role_of(role)
    source, target = node_of[source], node_of[target]
    if sees_source:
        add_incident(self, info.at_source, source, position)
    if sees_target:
        add_incident(self, info.at_target, target, position)
    # as it was written: mod-of is no inverse, mod is
    inverse = (info.flags & SWAPPED != 0) != inverted
    if info.flags & SWAPPED:
        source, target = target, source
        sees_source, sees_target = sees_target, sees_source
    if sees_source or sees_target:
        add_triple(self, source, target, info.label)
        self.has_loop |= source == target
        if source == target and self.tool and sees_source and sees_target:
            # the tool sees a loop from one end only
            sees_source, sees_target = not inverse, inverse
        if sees_source:
            push_pair(&self.edges_out, source, target)
        if sees_target:
            push_pair(&self.edges_in, target, source)


cdef inline int gather(Builder self, Columns columns, Py_ssize_t g, int64_t by_label, int32_t n) except -1 nogil:
    """Collect the triples, the edges, the attributes and the roles around each node of a graph.

    Parameters
    ----------
    g : int
        Number of the graph in the corpus.
    by_label : int64
        First row of the graph's nodes in ``by_label``.
    n : int32
        Nodes of the graph.
    """
    cdef const int32_t *node_of = <const int32_t *> self.node_of.data
    cdef const uint8_t *repeated = <const uint8_t *> self.repeated.data
    cdef int32_t v
    cdef Py_ssize_t k
    self.triples.used = self.incidents.used = self.entries.used = self.edges_out.used = self.edges_in.used = 0
    self.has_loop = False
    for k in range(columns.attribute_offsets[g], columns.attribute_offsets[g + 1]):
        v = columns.attributes[0, k]
        if not repeated[v]:
            add_attribute(
                self, node_of[v], columns.attributes[1, k], columns.attributes[2, k], columns.attributes[3, k],
                by_label, n,
            )
    for k in range(columns.relation_offsets[g], columns.relation_offsets[g + 1]):
        add_relation(
            self, columns.relations[0, k], columns.relations[1, k], columns.relations[2, k], columns.relations[3, k],
            columns.relations[4, k] != 0,
        )


cdef inline bint repeats(Builder self, int64_t k) noexcept nogil:
    """Whether incident k has the key and the node of the one before it."""
    cdef const Pair *incident = <const Pair *> self.incidents.data
    return incident[k].major == incident[k - 1].major and incident[k].minor >> 32 == incident[k - 1].minor >> 32


cdef inline int collect_roles(Builder self, int32_t *nodes, int32_t n) except -1 nogil:
    """Add the sets of roles of the nodes; equal sets are stored once. Needs the incidents sorted."""
    cdef const Pair *incident = <const Pair *> self.incidents.data
    cdef int64_t k, mask, slot, at, count
    cdef int64_t first_set = self.role_start.used
    cdef int32_t i, node, other
    cdef const int64_t *theirs
    cdef uint64_t h
    cdef int64_t *start = <int64_t *> fresh(&self.by_node_start, n + 2, sizeof(int64_t))
    cdef int64_t *keys = <int64_t *> fresh(&self.by_node, self.incidents.used, sizeof(int64_t))
    memset(start, 0, (n + 2) * sizeof(int64_t))
    for k in range(self.incidents.used):
        if k == 0 or not repeats(self, k):
            start[(incident[k].minor >> 32) + 2] += 1
    for i in range(n):
        start[i + 2] += start[i + 1]
    for k in range(self.incidents.used):
        if k == 0 or not repeats(self, k):
            node = <int32_t> (incident[k].minor >> 32)
            keys[start[node + 1]] = incident[k].major
            start[node + 1] += 1
    self.make_slots(n, &mask)
    cdef int32_t *slots = <int32_t *> self.slots.data
    for i in range(n):
        count = start[i + 1] - start[i]
        h = 0
        for at in range(start[i], start[i + 1]):
            h += mix_next(<uint64_t> keys[at])
        slot = <int64_t> (mix_next(h) & <uint64_t> mask)
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
        push_int64(&self.role_start, self.roles.used)
        for at in range(start[i], start[i + 1]):
            push_int64(&self.roles, keys[at])


cdef inline int64_t first_position(Builder self, int64_t key, int32_t node) noexcept nogil:
    """The least position of an incident with this key and node."""
    cdef const Pair *incident = <const Pair *> self.incidents.data
    return <uint32_t> incident[lower_bound_pair(incident, 0, self.incidents.used, key, packed(node, 0))].minor


cdef inline int append_ops(Builder self, int32_t *nodes, int32_t i) except -1 nogil:
    """Add the full word of node i: its name, then the strings in ``values`` in the order of their places."""
    cdef int32_t index = <int32_t> (<const int64_t *> self.words.data)[
        WORD_ROWS * <int64_t> nodes[NODE_ROWS * i + N_NAME] + W_ID
    ]
    cdef int64_t length, at
    cdef const uint8_t *text = self.string(index, &length)
    self.sort(&self.values)
    self.letters.used = 0
    push_bytes(&self.letters, text, length)
    for at in range(self.values.used):
        index = <int32_t> (<const Pair *> self.values.data)[at].minor
        if index >= 0:
            text = self.string(index, &length)
            push_bytes(&self.letters, text, length)
    index = self.interner.add(<const uint8_t *> self.letters.data, self.letters.used)
    nodes[NODE_ROWS * i + N_FULL] = self.add_word(index)


cdef inline int64_t op_place(Builder self, int32_t label, int32_t value) noexcept nogil:
    """Place of a value among those of a node's :op1, :op2, …: by the role's number, then by a hash of its text."""
    cdef int64_t length, i, number = 0
    cdef const uint8_t *text = self.string(label, &length)
    for i in range(max(length - 9, 0), length):
        if is_digit(text[i]):
            number = 10 * number + (text[i] - c"0")
    return packed(number, <int64_t> (self.text_hash(value) >> 32))


cdef inline int collect_attributes(Builder self, int32_t *nodes, int32_t n) except -1 nogil:
    """Add the attributes of each node, as (label, value), sorted; equal ones count once.

    Where the options ask for that, the values of :op1, :op2, … go into the node's full word instead.
    """
    cdef const Entry *entry = <const Entry *> self.entries.data
    cdef int32_t i, label, value
    cdef int64_t k = 0
    self.order.used = 0
    for k in range(self.entries.used):
        push_pair(&self.order, packed(entry[k].node, entry[k].label), packed(entry[k].value, entry[k].op != 0))
    self.sort(&self.order)
    cdef const Pair *row = <const Pair *> self.order.data
    k = 0
    for i in range(n):
        push_int64(&self.attribute_start, self.attributes.used // 2)
        self.values.used = 0
        while k < self.order.used and row[k].major >> 32 == i:
            label, value = <int32_t> row[k].major, <int32_t> (row[k].minor >> 32)
            if k and row[k].major == row[k - 1].major and row[k].minor == row[k - 1].minor:
                pass
            elif self.ops and <int32_t> row[k].minor:
                push_pair(&self.values, op_place(self, label, value), value)
            else:
                push_int32(&self.attributes, label)
                push_int32(&self.attributes, value)
            k += 1
        if self.values.used:
            append_ops(self, nodes, i)


cdef inline int collect_last_attributes(Builder self, int32_t *nodes, int32_t n) except -1 nogil:
    """Add the attributes of each node as the tool does: of several values of a label the last one counts.

    Where the options ask for that, the values of :op1, :op2, … go into the node's full word instead.
    """
    cdef const Entry *entries = <const Entry *> self.entries.data
    cdef const Entry *entry
    cdef int32_t i, label
    cdef int64_t k = 0, first, at, other, rank
    self.order.used = 0
    for at in range(self.entries.used):
        entry = entries + at
        # the tool keeps relations in one list a role, in the order in which the roles first came
        rank = first_position(self, entry.key, entry.node)
        push_pair(&self.order, packed(entry.node, rank), packed(entry.position, at))
    self.sort(&self.order)
    cdef const Pair *pair = <const Pair *> self.order.data
    for i in range(n):
        push_int64(&self.attribute_start, self.attributes.used // 2)
        first = k
        self.triples.used = 0       # the triples are done; from here on: (label, place) of this node
        while k < self.order.used and pair[k].major >> 32 == i:
            entry = entries + <uint32_t> pair[k].minor
            push_pair(&self.triples, entry.label, k)
            k += 1
        if k == first:
            continue
        self.sort(&self.triples)
        # the place of each label is that of its first entry, the value that of its last
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
                push_pair(&self.values, other, entry.value)
            else:
                push_int32(&self.attributes, label)
                push_int32(&self.attributes, entry.value)
        if self.values.used:
            append_ops(self, nodes, i)


cdef inline int collect_pairs(Builder self) except -1 nogil:
    """Add the pairs of ends and the labels of each; equal triples count once."""
    cdef int64_t k
    cdef int32_t end, which
    cdef int32_t *row
    self.sort(&self.triples)
    cdef const Pair *triple = <const Pair *> self.triples.data
    for k in range(self.triples.used):
        if k == 0 or triple[k].major != triple[k - 1].major:
            push_int64(&self.label_start, self.labels.used)
            row = <int32_t *> push(&self.pairs, PAIR_ROWS * sizeof(int32_t))
            row[P_PREDICATE] = <int32_t> (triple[k].major >> 32)
            row[P_ARGUMENT] = <int32_t> triple[k].major
            for which in range(2):
                end = row[P_PREDICATE + which]
                row[P_PREDICATE_WORD + which] = -1
                if self.tool and end < NOTHING - 1:
                    row[P_PREDICATE_WORD + which] = self.add_word(CONSTANT - end)
        elif triple[k].minor == triple[k - 1].minor:
            continue
        push_int32(&self.labels, <int32_t> triple[k].minor)


cdef inline int collect_candidates(Builder self, const int32_t *nodes, int32_t n, bint all_concrete) except -1 nogil:
    """Add the nodes whose name no other node of the graph has, and which occurs in the sentence.

    ``all_concrete``: take every name as occurring.
    """
    cdef const int64_t *word
    cdef int32_t i
    self.order.used = 0
    for i in range(n):
        word = <const int64_t *> self.words.data + WORD_ROWS * <int64_t> nodes[NODE_ROWS * i + N_NAME]
        push_pair(&self.order, word[W_ID], i)
    self.sort(&self.order)
    cdef const Pair *pair = <const Pair *> self.order.data
    for i in range(n):
        if (i and pair[i - 1].major == pair[i].major) or (i + 1 < n and pair[i + 1].major == pair[i].major):
            continue
        word = <const int64_t *> self.words.data + WORD_ROWS * <int64_t> nodes[NODE_ROWS * pair[i].minor + N_NAME]
        if all_concrete or contains(
            <const uint8_t *> self.sentence.data, self.sentence.used,
            <const uint8_t *> self.text.data + word[W_AT], word[W_BYTES],
        ):
            push_int32(&self.candidates, <int32_t> pair[i].major)
            push_int32(&self.candidates, <int32_t> pair[i].minor)
