# cython: language_level=3
"""Strings to int32 and back: the table under every vocabulary.

All strings (UTF-8) stand in one growing block of bytes; an array of offsets says where each begins, and a hash table
with open addressing finds the id of a string. That is 8 bytes for the offset and 16 to 32 bytes of table a string, with
no Python object for any of them. Ids are given in order of first appearance, from 0, and never change.

Locking: the table belongs to one lock, not to the GIL, because readers fill it without the GIL. Methods called from
Python take the lock themselves. Extension modules call ``enter`` (holding the GIL), then ``add`` as often as they like,
with or without the GIL, then ``leave``. A thread that waits for the lock never holds the GIL meanwhile. Only the number
of strings may be asked for without the lock (``size``), so that nobody waits for that while a long text is read.
"""

cimport cython
from cpython.buffer cimport PyBUF_FORMAT, PyBUF_SIMPLE, PyBUF_WRITABLE, PyBuffer_Release, PyObject_GetBuffer
from cpython.bytes cimport PyBytes_AS_STRING, PyBytes_FromStringAndSize, PyBytes_GET_SIZE
from cpython.pythread cimport (
    NOWAIT_LOCK, WAIT_LOCK, PyThread_acquire_lock, PyThread_allocate_lock, PyThread_free_lock,
    PyThread_release_lock, PyThread_type_lock,
)
from libc.stdint cimport int32_t, int64_t, uint8_t, uint32_t, uint64_t
from libc.stdlib cimport calloc, free, malloc, realloc
from libc.string cimport memchr, memcpy, memset

import os

import numpy as np

from fastmatch._ext.base.columns cimport Column, filled, out_of_memory, push_bytes, push_int32, push_int64, release
from fastmatch._ext.base.random cimport mix

cdef extern from "Python.h":
    # errors="surrogatepass" keeps the lone surrogates that a Python string may hold
    str PyUnicode_DecodeUTF8(const char *text, Py_ssize_t length, const char *errors)

cdef extern from *:
    """
    #if defined(__GNUC__) || defined(__clang__)
    #define READ_COUNT(at) __atomic_load_n(at, __ATOMIC_RELAXED)
    #define WRITE_COUNT(at, value) __atomic_store_n(at, value, __ATOMIC_RELAXED)
    #else
    #define READ_COUNT(at) (*(volatile int *)(at))
    #define WRITE_COUNT(at, value) (*(volatile int *)(at) = (value))
    #endif
    """
    int32_t READ_COUNT(int32_t *at) noexcept nogil
    void WRITE_COUNT(int32_t *at, int32_t value) noexcept nogil

# Addresses of the locks of all tables: a process that is forked while another thread holds one would wait for ever,
# as that thread is not in the child.
cdef set _locks = set()


def _release_locks():
    """In the child of a fork, which has one thread and holds no lock: let go what threads of the parent held.

    Those that copied a table left it as it was. One that a thread was adding to at that moment is not to be used in the
    child; scoring makes tables of its own, so only reading with ``vocabulary=`` can be at that.
    """
    for address in _locks:
        PyThread_acquire_lock(<PyThread_type_lock> <size_t> address, NOWAIT_LOCK)  # held now, by whomever
        PyThread_release_lock(<PyThread_type_lock> <size_t> address)


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_release_locks)

# The flags of Interner.fold, for Python.
CASE = FLAG_CASE
UNDERSCORES = FLAG_UNDERSCORES
QUOTES = FLAG_QUOTES
MARKS = FLAG_MARKS
SENSES = FLAG_SENSES

cdef enum:
    FIRST_SLOTS = 64
    FIRST_BYTES = 256

cdef int64_t MOST = 2147483646    # ids are int32, and id + 1 must fit as well


cdef inline uint32_t hash_bytes(const uint8_t *text, int64_t length, uint64_t seed) noexcept nogil:
    """32 bits of hash. Words of 8 bytes, the last two overlapping; most strings here have fewer than 17 bytes.

    The seed comes from Python's own string hash, so that inputs made to collide do not collide everywhere.
    """
    cdef uint64_t a, b, h = seed ^ (<uint64_t>length * <uint64_t>0x9e3779b97f4a7c15)
    cdef uint32_t low, high
    cdef int64_t left = length
    cdef const uint8_t *p = text
    while left > 16:
        memcpy(&a, p, 8)
        memcpy(&b, p + 8, 8)
        h = mix(h ^ a) + b * <uint64_t>0xbf58476d1ce4e5b9
        h ^= h >> 29
        p += 16
        left -= 16
    a = b = 0
    if left >= 8:
        memcpy(&a, p, 8)
        memcpy(&b, p + left - 8, 8)
    elif left >= 4:
        memcpy(&low, p, 4)
        memcpy(&high, p + left - 4, 4)
        a = low
        b = high
    elif left > 0:
        a = p[0] | (<uint64_t>p[left >> 1] << 8) | (<uint64_t>p[left - 1] << 16)
    h = mix((h ^ a) * <uint64_t>0x9fb21c651e98df25 ^ ((b << 32) | (b >> 32)) * <uint64_t>0xbf58476d1ce4e5b9)
    return <uint32_t>h


cdef inline bint same(const uint8_t *a, const uint8_t *b, int64_t length) noexcept nogil:
    # A call of memcmp costs more than the comparison for strings as short as these.
    cdef uint64_t x, y
    while length >= 8:
        memcpy(&x, a, 8)
        memcpy(&y, b, 8)
        if x != y:
            return False
        a += 8
        b += 8
        length -= 8
    while length > 0:
        length -= 1
        if a[length] != b[length]:
            return False
    return True


cdef inline int32_t look(Interner self, const uint8_t *text, int64_t length, uint32_t h, uint64_t *slot) noexcept nogil:
    """Id of a string with this hash, or -1; looks from ``slot`` on, which becomes the one where the search ends."""
    cdef uint64_t i = slot[0], entry = self.table[i]
    cdef int32_t index
    while entry:
        if <uint32_t>(entry >> 32) == h:
            index = <int32_t>(<uint32_t>entry - 1)
            if self.offsets[index + 1] - self.offsets[index] == length and same(
                self.blob + self.offsets[index], text, length
            ):
                return index
        i = (i + 1) & self.mask
        entry = self.table[i]
    slot[0] = i
    return -1


@cython.final
cdef class Interner:
    """A growing set of byte strings, numbered in order of first appearance.

    Thread-safe. ``len(interner)`` is the number of strings; at most 2**31 - 2. Adding or finding a string is O(length).
    """

    def __cinit__(self):
        self.lock = PyThread_allocate_lock()
        self.offsets = <int64_t *>malloc((FIRST_SLOTS // 2 + 1) * sizeof(int64_t))
        self.table = <uint64_t *>calloc(FIRST_SLOTS, sizeof(uint64_t))
        self.blob = <uint8_t *>malloc(FIRST_BYTES)
        if self.lock == NULL or self.offsets == NULL or self.table == NULL or self.blob == NULL:
            raise MemoryError()
        _locks.add(<size_t> self.lock)
        self.offsets[0] = 0
        self.capacity = FIRST_SLOTS // 2
        self.mask = FIRST_SLOTS - 1
        self.blob_capacity = FIRST_BYTES
        self.seed = <uint64_t><int64_t>hash("fastmatch")
        self.folds = {}

    def __dealloc__(self):
        free(self.blob)
        free(self.offsets)
        free(self.table)
        free(self.marks)
        if self.lock != NULL:
            if _locks is not None:  # None at the end of the interpreter
                _locks.discard(<size_t> self.lock)
            PyThread_free_lock(self.lock)

    # The lock ----------------------------------------------------------------------------------------------------

    cdef void enter(self) noexcept:
        """Take the lock, holding the GIL. It is let go while waiting: the owner of the lock may need it to finish."""
        if not PyThread_acquire_lock(self.lock, NOWAIT_LOCK):
            with nogil:
                PyThread_acquire_lock(self.lock, WAIT_LOCK)

    cdef void leave(self) noexcept nogil:
        PyThread_release_lock(self.lock)

    cdef int32_t size(self) noexcept nogil:
        return READ_COUNT(&self.count)

    # C level -----------------------------------------------------------------------------------------------------

    cdef int32_t find(self, const uint8_t *text, int64_t length) noexcept nogil:
        """Id of a string, or -1."""
        cdef uint32_t h = hash_bytes(text, length, self.seed)
        cdef uint64_t slot = h & self.mask
        return look(self, text, length, h, &slot)

    cdef int32_t add(self, const uint8_t *text, int64_t length) except -1 nogil:
        """Id of a string, which is added when it is new. MemoryError: no memory, or 2**31 - 2 strings already.

        ``text`` must not point into the interner itself.
        """
        cdef uint32_t h = hash_bytes(text, length, self.seed)
        cdef uint64_t i = h & self.mask
        cdef int32_t index = look(self, text, length, h, &i)
        if index >= 0:
            return index
        index = self.count
        if index >= MOST:
            return out_of_memory()
        if index == self.capacity:
            self.offsets = <int64_t *>grown(self.offsets, &self.capacity, 0, sizeof(int64_t))
        if self.blob_used + length > self.blob_capacity:
            self.blob = <uint8_t *>grown(self.blob, &self.blob_capacity, self.blob_used + length, 1)
        if 2 * (<uint64_t>index + 1) > self.mask:
            grow_table(self)
            i = h & self.mask
            while self.table[i]:
                i = (i + 1) & self.mask
        if length:
            memcpy(self.blob + self.blob_used, text, length)
        self.blob_used += length
        WRITE_COUNT(&self.count, index + 1)
        self.offsets[index + 1] = self.blob_used
        self.table[i] = (<uint64_t>h << 32) | <uint64_t>(index + 1)
        return index

    cdef int64_t length(self, int32_t index) noexcept nogil:
        """Bytes in the string with this id."""
        return self.offsets[index + 1] - self.offsets[index]

    cdef uint64_t new_stamp(self) noexcept nogil:
        """A number that no entry of ``marks`` carries in its high half yet (from 1 on)."""
        if self.stamp >= <uint64_t>0xffffffff:
            memset(self.marks, 0, self.marks_capacity * sizeof(uint64_t))
            self.stamp = 0
        self.stamp += 1
        return self.stamp

    cdef int reserve_marks(self) except -1 nogil:
        """Make room for a mark for each string there is now; new words are 0."""
        if self.marks_capacity >= self.count:
            return 0
        cdef int64_t before = self.marks_capacity
        self.marks = <uint64_t *>grown(self.marks, &self.marks_capacity, self.capacity, sizeof(uint64_t))
        memset(self.marks + before, 0, (self.marks_capacity - before) * sizeof(uint64_t))

    # Python level ------------------------------------------------------------------------------------------------

    def __len__(self):
        return self.size()

    def intern(self, bytes text not None):
        """Id of a string (UTF-8), added when new. MemoryError when there is no room."""
        self.enter()
        try:
            return self.add(<const uint8_t *>PyBytes_AS_STRING(text), PyBytes_GET_SIZE(text))
        finally:
            self.leave()

    def intern_many(self, list texts not None):
        """Ids of many strings, as an int32 array. TypeError when one of them is not bytes."""
        cdef Py_ssize_t i
        result = np.empty(len(texts), dtype=np.int32)
        cdef int32_t[::1] ids = result
        self.enter()
        try:
            for i, text in enumerate(texts):
                if type(text) is not bytes:
                    raise TypeError(f"expected bytes, found {type(text).__name__}")
                ids[i] = self.add(<const uint8_t *>PyBytes_AS_STRING(text), PyBytes_GET_SIZE(text))
        finally:
            self.leave()
        return result

    def lookup(self, bytes text not None):
        """Id of a string, or -1 when it has none."""
        self.enter()
        cdef int32_t index = self.find(<const uint8_t *>PyBytes_AS_STRING(text), PyBytes_GET_SIZE(text))
        self.leave()
        return index

    def text(self, int64_t index):
        """The string with this id. IndexError outside 0..len-1."""
        cdef int64_t begin
        if not 0 <= index < self.size():
            raise IndexError(f"no string has the id {index}; there are {self.size()}")
        self.enter()
        try:
            begin = self.offsets[index]
            return PyUnicode_DecodeUTF8(
                <const char *>self.blob + begin, self.offsets[index + 1] - begin, b"surrogatepass"
            )
        finally:
            self.leave()

    def bytes(self, int64_t index):
        """The string with this id as UTF-8. IndexError outside 0..len-1."""
        return self.text(index).encode("utf-8", "surrogatepass")

    @property
    def nbytes(self):
        """Bytes of memory held, folds included."""
        cdef int64_t total = self.blob_capacity + (self.capacity + 1) * 8 + <int64_t>(self.mask + 1) * 8
        return total + self.marks_capacity * 8 + sum(entry[0].nbytes for entry in list(self.folds.values()))

    # Folding -----------------------------------------------------------------------------------------------------

    def fold(self, int flags):
        """For each id, the id of its folded string, as a read-only int32 array of length ``len(self)`` afterwards.

        ``flags`` adds up CASE = 1 (as ``str.lower``), UNDERSCORES = 2 (all trailing ``_`` go), QUOTES = 4 (a pair of
        double quotes around the string goes), MARKS = 8 (every single and double quote goes) and SENSES = 16 (a
        hyphen and two or more digits at the end go). Repeated until nothing changes, so that ``fold[fold] == fold``.
        Strings that come out of folding are added to the table. The result is kept and only extended by a later call:
        O(new strings).
        """
        cdef Column ids = Column(NULL, 0, 0)
        cdef int32_t i
        if flags < 0 or flags > 31:
            raise ValueError(f"flags must be a sum of 1, 2, 4, 8 and 16, found {flags}")
        self.enter()
        try:
            buffer, done, result = self.folds.get(flags, (np.empty(0, np.int32), 0, None))
            if result is not None and done == self.count:
                return result
            i = done
            while i < self.count:       # folding adds strings; each of those folds to itself and adds no more
                push_int32(&ids, fold_one(self, i, flags))
                i += 1
            if len(buffer) < i:
                buffer = np.concatenate([buffer[:done], np.empty(i - done + i // 2 + 16, np.int32)])
            buffer[done:i] = filled(np.empty(ids.used, np.int32), &ids)
            result = buffer[:i]
            result.flags.writeable = False
            self.folds[flags] = (buffer, i, result)
            return result
        finally:
            release(&ids)
            self.leave()

    # In and out --------------------------------------------------------------------------------------------------

    def export(self):
        """All strings: (blob, uint8 array; offsets, int64 array of ``len(self) + 1``), both copies."""
        cdef uint8_t[::1] blob_view
        cdef int64_t[::1] offsets_view
        cdef int64_t used, count
        self.enter()
        used, count = self.blob_used, self.count
        self.leave()
        blob = np.empty(used, dtype=np.uint8)
        offsets = np.empty(count + 1, dtype=np.int64)
        blob_view, offsets_view = blob, offsets
        self.enter()    # strings that another thread has added meanwhile stand behind these
        if used:
            memcpy(&blob_view[0], self.blob, used)
        memcpy(&offsets_view[0], self.offsets, (count + 1) * sizeof(int64_t))
        self.leave()
        return blob, offsets

    @staticmethod
    def from_export(const uint8_t[::1] blob not None, const int64_t[::1] offsets not None):
        """The interner that ``export`` came from. ValueError for offsets that are no offsets, or a string twice."""
        cdef Interner self = Interner()
        cdef const int32_t[::1] ids = self.intern_table(blob, offsets)
        cdef int32_t i
        for i in range(ids.shape[0]):
            if ids[i] != i:
                raise ValueError(f"not a table of strings: string {i} stands there twice")
        return self

    def intern_table(self, const uint8_t[::1] blob not None, const int64_t[::1] offsets not None):
        """Ids of strings in the form of ``export``, as an int32 array. ValueError for offsets that are no offsets."""
        cdef int64_t i, n = offsets.shape[0] - 1, size = blob.shape[0]
        cdef const uint8_t *base = &blob[0] if size else NULL
        if n < 0 or offsets[0] != 0 or offsets[n] > size:
            raise ValueError("not a table of strings: the offsets must begin at 0 and end within the blob")
        result = np.empty(n, dtype=np.int32)
        cdef int32_t[::1] ids = result
        self.enter()
        with nogil:
            try:
                for i in range(n):
                    if not 0 <= offsets[i] <= offsets[i + 1] <= size:
                        with gil:
                            raise ValueError(f"not a table of strings: offset {i + 1} is out of order")
                    ids[i] = self.add(base + offsets[i], offsets[i + 1] - offsets[i])
            finally:
                self.leave()
        return result

    def copy(self):
        """Another interner with the same strings and ids; its folds are to be made again. O(bytes of the strings)."""
        return Interner.from_export(*self.export())

    def renumber(self, Interner target not None, list rows not None):
        """Turn ids of this interner into ids of another one, which gets the strings that the ids stand for.

        Parameters
        ----------
        target : Interner
            Another interner. It gets only the strings that are in use, in order of first appearance.
        rows : list of int32[n]
            C-contiguous, writable, changed in place. Numbers below 0 stay.

        Raises
        ------
        ValueError
            If there is no string with such an id, or ``target`` is this interner; the rows hold anything then.
        MemoryError
            If there is no room for the strings.

        Notes
        -----
        O(ids), whatever the number of strings here. The two locks are never held at once.
        """
        cdef Py_ssize_t n_rows = len(rows), held = 0, r
        cdef Column text = Column(NULL, 0, 0), ids = text
        if target is self:
            raise ValueError("expected another interner")
        cdef Py_buffer *views = <Py_buffer *>malloc((n_rows + 1) * sizeof(Py_buffer))
        if views == NULL:
            raise MemoryError("no room to renumber the strings")
        # Plain buffers: acquiring a memoryview of each row would take most of the time that a small graph takes.
        try:
            for each in rows:
                PyObject_GetBuffer(each, &views[held], PyBUF_SIMPLE | PyBUF_WRITABLE | PyBUF_FORMAT)
                held += 1
                if not of_int32(&views[held - 1]):
                    raise ValueError("expected arrays of int32")
            renumber_buffers(self, target, views, held, &text, &ids)
        finally:
            for r in range(held):
                PyBuffer_Release(&views[r])
            free(views)
            release(&text)
            release(&ids)

    def __reduce__(self):
        return (Interner.from_export, self.export())


cdef int grow_table(Interner self) except -1 nogil:
    cdef uint64_t slots = (self.mask + 1) * 2, mask = slots - 1, i, j, entry
    cdef uint64_t *table = <uint64_t *>calloc(slots, sizeof(uint64_t))
    if table == NULL:
        return out_of_memory()
    for i in range(self.mask + 1):
        entry = self.table[i]
        if entry:
            j = (entry >> 32) & mask
            while table[j]:
                j = (j + 1) & mask
            table[j] = entry
    free(self.table)
    self.table = table
    self.mask = mask


cdef void *grown(void *memory, int64_t *capacity, int64_t least, int64_t size) except NULL nogil:
    """The memory with room for half as many items again, at least so many, and one more that ``capacity`` lacks."""
    cdef int64_t wanted = max(capacity[0] + (capacity[0] >> 1), least)
    cdef void *larger = realloc(memory, (wanted + 1) * size)
    if larger == NULL:
        out_of_memory()
    else:
        capacity[0] = wanted
    return larger


cdef int renumber_buffers(
    Interner self, Interner target, Py_buffer *views, Py_ssize_t n_rows, Column *text, Column *ids
) except -1:
    """The work of :meth:`renumber`; what it needs of the strings in use goes into ``text`` and ``ids``."""
    cdef int32_t *row
    cdef int64_t start = 0, stop
    cdef int32_t k
    cdef uint64_t stamp
    cdef Py_ssize_t i, r
    cdef bint same_ids = True
    self.enter()
    try:
        self.reserve_marks()
        stamp = self.new_stamp()
        with nogil:
            for r in range(n_rows):
                row = <int32_t *>views[r].buf
                for i in range(views[r].len // <Py_ssize_t> sizeof(int32_t)):
                    k = row[i]
                    if k < 0:
                        continue
                    if k >= self.count:
                        with gil:
                            raise ValueError(f"no string has the id {k}; there are {self.count}")
                    if self.marks[k] >> 32 != stamp:
                        self.marks[k] = (stamp << 32) | <uint64_t>ids.used
                        push_bytes(text, self.blob + self.offsets[k], self.offsets[k + 1] - self.offsets[k])
                        push_int64(ids, text.used)      # for now, where the string ends
                    row[i] = <int32_t><uint32_t>self.marks[k]
    finally:
        self.leave()
    target.enter()
    with nogil:
        try:
            for k in range(<int32_t> ids.used):
                stop = (<int64_t *>ids.data)[k]
                (<int64_t *>ids.data)[k] = target.add(<const uint8_t *>text.data + start, stop - start)
                same_ids = same_ids and (<int64_t *>ids.data)[k] == k
                start = stop
        finally:
            target.leave()
        if not same_ids:
            for r in range(n_rows):
                row = <int32_t *>views[r].buf
                for i in range(views[r].len // <Py_ssize_t> sizeof(int32_t)):
                    if row[i] >= 0:
                        row[i] = <int32_t>(<int64_t *>ids.data)[row[i]]
    return 0


cdef int32_t fold_more(Interner self, int32_t index, int flags) except -1:
    """Id of the string without the quotes within it (MARKS) and its sense (SENSES). The lock is held.

    The two are rare and make most strings shorter by some bytes in the middle, so they go through a Python object.
    """
    cdef const uint8_t *text = self.blob + self.offsets[index]
    cdef int64_t length = self.offsets[index + 1] - self.offsets[index], i, end = length
    cdef bint quoted = flags & FLAG_MARKS and (
        memchr(text, c'"', length) != NULL or memchr(text, c"'", length) != NULL)
    if flags & FLAG_SENSES:
        i = length
        while i > 0 and c"0" <= text[i - 1] <= c"9":
            i -= 1
        if length - i >= 2 and i >= 2 and text[i - 1] == c"-":
            end = i - 1
    if not quoted and end == length:
        return index
    cdef bytes copy = PyBytes_FromStringAndSize(<const char *>text, end)
    if quoted:
        copy = copy.replace(b'"', b"").replace(b"'", b"")
    return self.add(<const uint8_t *>PyBytes_AS_STRING(copy), PyBytes_GET_SIZE(copy))


cdef int32_t fold_one(Interner self, int32_t index, int flags) except -1:
    """Id of the folded string. The lock is held."""
    cdef const uint8_t *text = self.blob + self.offsets[index]
    cdef int64_t begin = 0, length = self.offsets[index + 1] - self.offsets[index], end = length, i, old
    cdef bint upper = False, other = False
    cdef bytes copy
    cdef uint8_t *out
    cdef int32_t shorter
    if flags & (FLAG_MARKS | FLAG_SENSES):
        shorter = fold_more(self, index, flags)
        if shorter != index:
            return fold_one(self, shorter, flags)
    if flags & FLAG_CASE:
        i = 0
        while i < length:
            if text[i] >= 128:
                # U+3000 to U+9FFF, Chinese and Japanese, have no case: no need of a Python object
                if not 0xe3 <= text[i] <= 0xe9 or i + 2 >= length:
                    other = True
                    break
                i += 2
            elif c_is_upper(text[i]):
                upper = True
            i += 1
    # Case never makes or removes a quote or an underscore, so the two trims can be done first, and together.
    while True:
        old = end - begin
        if flags & FLAG_QUOTES and old >= 2 and text[begin] == c'"' and text[end - 1] == c'"':
            begin += 1
            end -= 1
        if flags & FLAG_UNDERSCORES:
            while end > begin and text[end - 1] == c"_":
                end -= 1
        if end - begin == old:
            break
    if end - begin == length and not upper and not other:
        return index
    if other:
        copy = PyBytes_FromStringAndSize(<const char *>text + begin, end - begin)
        copy = copy.decode("utf-8", "surrogatepass").lower().encode("utf-8", "surrogatepass")
    else:
        # made without a text, so that it is ours to write to: bytes of one character are shared by the interpreter
        copy = PyBytes_FromStringAndSize(NULL, end - begin)
        out = <uint8_t *>PyBytes_AS_STRING(copy)
        for i in range(end - begin):
            out[i] = text[begin + i] + (32 if upper and c_is_upper(text[begin + i]) else 0)
    shorter = self.add(<const uint8_t *>PyBytes_AS_STRING(copy), PyBytes_GET_SIZE(copy))
    # what stood within a pair of quotes may end in a sense
    return fold_one(self, shorter, flags) if flags & FLAG_SENSES and shorter != index else shorter


cdef inline bint of_int32(const Py_buffer *view) noexcept nogil:
    """Whether a buffer is of int32 in the machine's own byte order, in which files are also mapped."""
    cdef const char *kind = view.format
    cdef int one = 1
    if kind[0] == c"@" or kind[0] == c"=" or kind[0] == (c"<" if (<char *>&one)[0] else c">"):
        kind += 1
    return view.itemsize == sizeof(int32_t) and (kind[0] == c"i" or kind[0] == c"l") and kind[1] == 0


cdef inline bint c_is_upper(uint8_t c) noexcept nogil:
    return c"A" <= c <= c"Z"
