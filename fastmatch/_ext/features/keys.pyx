"""Keys: 64-bit numbers that stand for features of any length.

Metrics without an alignment compare sets and bags of *features*: motifs, n-grams, labels of nodes with their
neighbourhoods. Each feature is a sequence of labels. Two operations make its key:

* a **label** gets a key (:func:`label_keys`);
* two keys are **joined** to one, and a longer sequence is joined from the left.

Keys are hashed or exact. The kernels that use them are the same for both:

hashed
    The key of a label is a 64-bit hash of its text, and a join mixes two keys into one (SplitMix64's output function, a
    bijection in which every bit of the input affects the result, applied twice). Keys mean the same in every process,
    on every machine and with every vocabulary, and need no table. Two different features may get the same key. By the
    birthday bound, the probability that this happens among n distinct features is about n² / 2⁶⁵: 3·10⁻⁸ for 10⁶,
    3·10⁻⁴ for 10⁸ and 2.7 % for 10⁹. Pairs of graphs that hold the two features then share one feature too many. The
    hash has no secret key, so texts with equal hashes can be constructed on purpose.
exact
    The key of a label is its number in the vocabulary plus 1, and a :class:`JoinTable` numbers the distinct pairs of
    keys that are joined. No two features share a key. Keys can be compared only if they come from the same vocabulary
    and the same table.
"""

cimport cython
from libc.stdint cimport int32_t, int64_t, uint8_t, uint32_t, uint64_t
from libc.stdlib cimport calloc, free
from libc.string cimport memcpy

from fastmatch._ext.reading.interner cimport Interner
from fastmatch._ext.base.columns cimport release, room
from fastmatch._ext.base.random cimport mix
from fastmatch._ext.base.sorting cimport Pair

import numpy as np

from threading import Lock

cdef enum:
    FIRST_SLOTS = 1024
    MOST_PAIRS = 0xFFFFFFF0

# The first key of a joined pair: above the keys of labels, which are at most 2**31, and below those of tags.
cdef uint64_t FIRST_JOIN = <uint64_t> 1 << 32


@cython.final
cdef class JoinTable:
    """The distinct pairs of keys joined so far, numbered; or a table that numbers none, so that keys are hashed.

    Keys are made in a ``with`` block, which one thread at a time is in. It ends with MemoryError if the table could not
    grow.
    """

    def __cinit__(self, bint hashing=False):
        self.lock = Lock()
        if not hashing and not enlarge(self):
            raise MemoryError()

    def __dealloc__(self):
        free(self.slots)
        release(&self.pairs)

    def __len__(self):
        return self.pairs.used

    def __enter__(self):
        if self.slots != NULL:
            self.lock.acquire()

    def __exit__(self, *error):
        if self.slots != NULL:
            self.lock.release()
        if self.failed:
            raise MemoryError()


#: What makers of features use without a table.
HASHING = JoinTable(True)


cdef inline uint64_t place_of(JoinTable table, uint64_t left, uint64_t right) noexcept nogil:
    """The slot of a pair of keys, which is free if the pair is new."""
    cdef const Pair *pairs = <const Pair *> table.pairs.data
    cdef uint64_t place = mix(mix(left) + right) & table.mask
    while table.slots[place] and (
            <uint64_t> pairs[table.slots[place] - 1].major != left
            or <uint64_t> pairs[table.slots[place] - 1].minor != right):
        place = (place + 1) & table.mask
    return place


cdef bint enlarge(JoinTable table) noexcept nogil:
    """Double the slots, so that at most half of them are taken; return False if memory runs out."""
    cdef uint64_t size = 2 * (table.mask + 1) if table.slots != NULL else FIRST_SLOTS
    cdef const Pair *pairs = <const Pair *> table.pairs.data
    cdef int64_t k
    cdef uint32_t *slots = <uint32_t *> calloc(size, sizeof(uint32_t))
    if slots == NULL:
        return False
    free(table.slots)
    table.slots, table.mask = slots, size - 1
    for k in range(table.pairs.used):
        slots[place_of(table, <uint64_t> pairs[k].major, <uint64_t> pairs[k].minor)] = <uint32_t> (k + 1)
    return True


cdef uint64_t join_exactly(JoinTable table, uint64_t left, uint64_t right) noexcept nogil:
    cdef uint64_t place = place_of(table, left, right)
    cdef int64_t n = table.pairs.used
    if table.slots[place] == 0:
        if n >= MOST_PAIRS or not room(&table.pairs, 1, sizeof(Pair)):
            table.failed = True
            return 0
        (<Pair *> table.pairs.data)[n] = Pair(<int64_t> left, <int64_t> right)
        table.pairs.used += 1
        table.slots[place] = <uint32_t> (n + 1)
        if 2 * <uint64_t> n > table.mask and not enlarge(table):
            table.failed = True
        return FIRST_JOIN + n
    return FIRST_JOIN + table.slots[place] - 1


cdef uint64_t hash_text(const uint8_t *text, int64_t length) noexcept nogil:
    """Return a 64-bit hash of a byte string. It takes eight bytes at a time; each step is a bijection of the state."""
    cdef uint64_t state = mix(<uint64_t> length + <uint64_t> 0x51ED270B0F4F2A1D), word
    while length >= 8:
        memcpy(&word, text, 8)
        state = mix(state ^ word) + <uint64_t> 0x9E3779B97F4A7C15
        text += 8
        length -= 8
    word = 0
    while length > 0:
        length -= 1
        word = (word << 8) | text[length]
    return mix(mix(state ^ word) + <uint64_t> 0xD6E8FEB86659FD93)


def label_keys(Interner interner not None, const int32_t[::1] fold not None, tuple rows not None, bint exact):
    """Make the keys of the labels that occur in ``rows``.

    Parameters
    ----------
    interner : Interner
        The strings of the vocabulary.
    fold : int32, shape (n_labels,)
        For each label the id of the label it is compared as, as ``Interner.fold`` makes it.
    rows : tuple of int32 arrays
        Label ids, -1 for none.
    exact : bool
        Number the labels instead of hashing their texts.

    Returns
    -------
    uint64, shape (n_labels,)
        Key of each label, 0 for labels that occur in none of the rows.

    Raises
    ------
    ValueError
        If a label has no entry in ``fold``, or if ``fold`` names a label that the interner lacks.

    Notes
    -----
    Cost: linear in the rows and in the texts of the labels that occur in them.
    """
    cdef Py_ssize_t n_labels = fold.shape[0], k
    result = np.zeros(n_labels, np.uint64)
    cdef uint64_t[::1] keys = result
    cdef const int32_t[::1] row
    cdef int32_t label, target
    cdef bint bad = False
    for row in rows:
        interner.enter()
        with nogil:
            for k in range(row.shape[0]):
                label = row[k]
                if label < 0:
                    continue
                if label >= n_labels:
                    bad = True
                    break
                if keys[label]:
                    continue
                target = fold[label]
                if target < 0 or target >= interner.count:
                    bad = True
                    break
                if exact:
                    keys[label] = <uint64_t> target + 1
                else:
                    keys[label] = hash_text(interner.blob + interner.offsets[target], interner.length(target))
        interner.leave()
        if bad:
            raise ValueError("a label lies outside its table")
    return result
