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
from libc.stdint cimport int32_t, uint8_t, uint64_t
from libc.stdlib cimport calloc, free, malloc, realloc
from libc.string cimport memcpy

from fastmatch._ext.reading.interner cimport Interner
from fastmatch._ext.features.keys cimport Joins
from fastmatch._ext.base.random cimport mix

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
        if hashing:
            return
        self.lock = Lock()
        self.joins.slots = <uint32_t *> calloc(FIRST_SLOTS, sizeof(uint32_t))
        self.joins.pairs = <uint64_t *> malloc(FIRST_SLOTS * sizeof(uint64_t))
        if self.joins.slots == NULL or self.joins.pairs == NULL:
            raise MemoryError()
        self.joins.mask = FIRST_SLOTS - 1
        self.joins.capacity = FIRST_SLOTS // 2

    def __dealloc__(self):
        free(self.joins.slots)
        free(self.joins.pairs)

    def __len__(self):
        return self.joins.count

    def __enter__(self):
        if self.lock is not None:
            self.lock.acquire()

    def __exit__(self, *error):
        if self.lock is not None:
            self.lock.release()
        if self.joins.failed:
            raise MemoryError()


#: What makers of features use without a table.
HASHING = JoinTable(True)


cdef bint enlarge(Joins *joins) noexcept nogil:
    """Double both tables, so that at most half of the slots are taken; return False if memory runs out."""
    cdef uint64_t size = 2 * (joins.mask + 1), place
    cdef int64_t k
    if joins.count >= MOST_PAIRS:
        return False
    cdef uint64_t *pairs = <uint64_t *> realloc(joins.pairs, size * sizeof(uint64_t))
    if pairs == NULL:
        return False
    joins.pairs = pairs
    cdef uint32_t *slots = <uint32_t *> calloc(size, sizeof(uint32_t))
    if slots == NULL:
        return False
    free(joins.slots)
    joins.slots = slots
    joins.mask = size - 1
    joins.capacity = size // 2
    for k in range(joins.count):
        place = mix(mix(pairs[2 * k]) + pairs[2 * k + 1]) & joins.mask
        while slots[place]:
            place = (place + 1) & joins.mask
        slots[place] = <uint32_t> (k + 1)
    return True


cdef uint64_t join_exactly(Joins *joins, uint64_t left, uint64_t right) noexcept nogil:
    cdef uint64_t place = mix(mix(left) + right) & joins.mask
    cdef uint32_t number
    while True:
        number = joins.slots[place]
        if number == 0:
            break
        if joins.pairs[2 * (<int64_t> number - 1)] == left and joins.pairs[2 * (<int64_t> number - 1) + 1] == right:
            return FIRST_JOIN + number - 1
        place = (place + 1) & joins.mask
    if joins.count == joins.capacity:
        if not enlarge(joins):
            joins.failed = True
            return 0
        return join_exactly(joins, left, right)
    joins.pairs[2 * joins.count] = left
    joins.pairs[2 * joins.count + 1] = right
    joins.count += 1
    joins.slots[place] = <uint32_t> joins.count
    return FIRST_JOIN + joins.count - 1


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
