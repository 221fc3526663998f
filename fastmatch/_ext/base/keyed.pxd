"""A hash table for small keys: three numbers lead to one.

It is made once and used for one graph after the other; emptying it is one addition.
"""

from libc.stdint cimport int32_t, int64_t, uint64_t
from libc.string cimport memset

from fastmatch._ext.base.kept cimport space, zeros


cdef struct Entry:
    int32_t a
    int32_t b
    int32_t c
    int32_t value


cdef struct Table:
    # A hash table for the keys of one graph after the other. A slot counts as empty unless it holds the current stamp,
    # so raising the stamp empties the table.
    Entry *entries
    uint64_t *slots                   # stamp in the high half, number of the entry in the low one
    uint64_t mask
    uint64_t stamp
    int32_t used


cdef inline int table_init(Table *table, int64_t most, list kept) except -1:
    """Make room for ``most`` keys at a time, for as long as the list ``kept`` is there."""
    cdef uint64_t size = 16
    while size < <uint64_t> (2 * most):
        size *= 2
    table.mask = size - 1
    table.stamp = table.used = 0
    table.slots = <uint64_t *> zeros(kept, size, sizeof(uint64_t))
    table.entries = <Entry *> space(kept, most + 1, sizeof(Entry))
    return 0


cdef inline void table_clear(Table *table) noexcept nogil:
    table.stamp += 1
    table.used = 0
    if table.stamp >> 32:
        memset(table.slots, 0, (table.mask + 1) * sizeof(uint64_t))
        table.stamp = 1


cdef inline int32_t *place(Table *table, int32_t a, int32_t b, int32_t c, bint add) noexcept nogil:
    """Return where the value of a key is stored.

    A key that is not there yet is added with the value -1 if ``add``; otherwise the result is NULL.
    """
    cdef uint64_t h = (<uint64_t> <int64_t> a * <uint64_t> 0x9E3779B97F4A7C15) ^ (<uint64_t> <int64_t> b << 32), i, slot
    cdef Entry *entry
    h = (h ^ <uint64_t> <int64_t> c ^ (h >> 29)) * <uint64_t> 0xBF58476D1CE4E5B9
    h ^= h >> 32
    i = h & table.mask
    while True:
        slot = table.slots[i]
        if slot >> 32 != table.stamp:
            if not add:
                return NULL
            table.slots[i] = (table.stamp << 32) | <uint64_t> table.used
            entry = &table.entries[table.used]
            table.used += 1
            entry.a, entry.b, entry.c, entry.value = a, b, c, -1
            return &entry.value
        entry = &table.entries[slot & <uint64_t> 0xFFFFFFFF]
        if entry.a == a and entry.b == b and entry.c == c:
            return &entry.value
        i = (i + 1) & table.mask
