# cython: language_level=3
"""What every part of the building of AnCast's graphs needs.

A :class:`Builder` holds the tables, which grow graph by graph, and scratch memory of the graph at work. Its methods
give strings, roles, words, a sort, a hash table, and stamps for nodes that were visited.
"""

from libc.stdint cimport int32_t, int64_t, uint8_t, uint64_t
from libc.string cimport memcmp, memset

from fastmatch._ext.anchors.layout cimport W_AT, W_BYTES, W_CHARACTERS, W_ID, W_MASK, WORD_ROWS
from fastmatch._ext.base.arena cimport arena_free, arena_init
from fastmatch._ext.reading.interner cimport Interner
from fastmatch._ext.base.columns cimport Column, fresh, push, push_bytes, release_all
from fastmatch._ext.base.letters cimport fnv1a, is_digit
from fastmatch._ext.base.random cimport mix_next
from fastmatch._ext.base.search cimport lower_bound_every
from fastmatch._ext.base.sorting cimport Pair, sort_pairs


cdef class Builder:
    """Collects the tables, graph by graph."""

    def __cinit__(self, Interner interner, const int32_t[::1] lower, const int32_t[::1] value, bint tool, bint ops,
                  bint assume, bint hops):
        cdef int i
        self.interner, self.lower, self.value = interner, lower, value
        self.tool, self.ops, self.assume, self.hops = tool, ops, assume, hops
        for i in range(CACHED_ROLES):
            self.cache[i].role = -1
        arena_init(&self.ordering)

    def __dealloc__(self):
        release_all(&self.offsets, &self.by_node_start)
        arena_free(&self.ordering)

    cdef const uint8_t *string(self, int32_t index, int64_t *length) noexcept nogil:
        """A string of the vocabulary; valid until the next one is added."""
        length[0] = self.interner.length(index)
        return self.interner.blob + self.interner.offsets[index]

    cdef uint64_t text_hash(self, int32_t index) noexcept nogil:
        """Hash of a string's text, the same in every vocabulary; 0 for no string (-1)."""
        cdef int64_t length
        if index < 0:
            return 0
        cdef const uint8_t *text = self.string(index, &length)
        return mix_next(fnv1a(text, length))

    cdef int32_t intern_part(self, int32_t index, int64_t length) except -1 nogil:
        """Id of the first ``length`` bytes of a string."""
        if length == self.interner.length(index):
            return index
        self.letters.used = 0
        push_bytes(&self.letters, self.interner.blob + self.interner.offsets[index], length)
        return self.interner.add(<const uint8_t *> self.letters.data, length)

    cdef Role *role_of(self, int32_t role) except NULL nogil:
        """What is known of a role."""
        cdef Role *entry = &self.cache[role & (CACHED_ROLES - 1)]
        cdef int64_t length, i
        cdef int32_t label, flags = 0
        if entry.role == role:
            return entry
        label = self.lower[role]
        cdef const uint8_t *text = self.string(label, &length)
        if length == 4 and memcmp(text, b":mod", 4) == 0:
            # small :domain marble is marble :mod small: the tool calls both mod-of, we domain
            label = self.interner.add(b":mod-of", 7) if self.tool else self.interner.add(b":domain", 7)
            flags = SWAPPED
        elif self.tool and length == 7 and memcmp(text, b":mod-of", 7) == 0:
            flags = LOST
        elif self.tool and ends_in_of(text, length):
            label = self.intern_part(label, length - 3)
            flags = SWAPPED | LOST
        text = self.string(label, &length)
        i = 1 if length and text[0] == c":" else 0
        if length >= i + 2 and text[i] == c"o" and text[i + 1] == c"p":
            i += 2
            while i < length and is_digit(text[i]):
                i += 1
            if self.tool or i == length:
                flags |= OP
        if self.tool:
            entry.at_source = key(self, role)
            text = self.string(role, &length)
            if ends_in_of(text, length):
                entry.at_target = key(self, self.intern_part(role, length - 3))
            else:
                entry.at_target = 2 * <int64_t> role + 1
        else:
            entry.at_source = 2 * <int64_t> label + (flags & SWAPPED)
            entry.at_target = entry.at_source ^ 1
        entry.role, entry.label, entry.flags, entry.hash = role, label, flags, self.text_hash(label)
        return entry

    cdef int32_t add_word(self, int32_t index) except -1 nogil:
        """A row of ``words`` for a string."""
        cdef int64_t length, i, characters = 0
        cdef const uint8_t *text = self.string(index, &length)
        cdef uint64_t mask = 0
        push_bytes(&self.text, text, length)
        for i in range(length):
            mask |= <uint64_t> 1 << (text[i] & 63)
            characters += text[i] & 0xc0 != 0x80
        cdef int64_t *row = <int64_t *> push(&self.words, WORD_ROWS * sizeof(int64_t))
        row[W_ID] = index
        row[W_AT] = self.text.used - length
        row[W_BYTES] = length
        row[W_CHARACTERS] = characters
        row[W_MASK] = <int64_t> mask
        return <int32_t> (self.words.used - 1)

    cdef int sort(self, Column *pairs) except -1 nogil:
        sort_pairs(<Pair *> pairs.data, pairs.used, <Pair *> fresh(&self.sorting, pairs.used, sizeof(Pair)))

    cdef int32_t next_stamp(self) noexcept nogil:
        if self.stamp == 2147483647:
            memset(self.stamps.data, 0, self.stamps.capacity * sizeof(int32_t))
            self.stamp = 0
        self.stamp += 1
        return self.stamp

    cdef int clear_stamps(self, int64_t n) except -1 nogil:
        """Make sure there are ``n`` stamps, none of them current."""
        cdef int64_t before = self.stamps.capacity
        fresh(&self.stamps, n, sizeof(int32_t))
        if self.stamps.capacity > before:
            memset(<int32_t *> self.stamps.data + before, 0, (self.stamps.capacity - before) * sizeof(int32_t))

    cdef int make_slots(self, int32_t n, int64_t *mask) except -1 nogil:
        """An empty hash table for up to ``n`` numbers."""
        cdef int64_t size = 4
        while size < 2 * <int64_t> n:
            size *= 2
        memset(fresh(&self.slots, size, sizeof(int32_t)), 0xff, size * sizeof(int32_t))
        mask[0] = size - 1

    cdef int32_t node_called(self, int32_t label, int64_t start, int32_t n) noexcept nogil:
        """The node of this graph whose variable has this name, or -1; the tool's graphs only."""
        cdef const int32_t *rows = <const int32_t *> self.by_label.data + 2 * start
        cdef Py_ssize_t at = lower_bound_every(rows, 2, 0, n, label)
        return rows[2 * at + 1] if at < n and rows[2 * at] == label else -1


cdef int64_t key(Builder self, int32_t role) except -1 nogil:
    """Number of a role name: x and x-of get two neighbouring ones."""
    cdef int64_t length
    cdef const uint8_t *text = self.string(role, &length)
    if ends_in_of(text, length):
        return 2 * <int64_t> self.intern_part(role, length - 3) + 1
    return 2 * <int64_t> role
