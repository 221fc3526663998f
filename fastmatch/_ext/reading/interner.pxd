# cython: language_level=3
"""C-level face of the interner, for the other extension modules."""

from cpython.pythread cimport PyThread_type_lock
from libc.stdint cimport int32_t, int64_t, uint8_t, uint64_t

cdef enum:
    # What Interner.fold takes away. Python gets the same numbers without FLAG_ from the module.
    FLAG_CASE = 1                   # upper case, as str.lower
    FLAG_UNDERSCORES = 2            # all underscores at the end
    FLAG_QUOTES = 4                 # one pair of double quotes around the string
    FLAG_MARKS = 8                  # every single and double quote
    FLAG_SENSES = 16                # a hyphen with two or more digits at the end


cdef class Interner:
    cdef uint8_t *blob              # all strings, one after the other
    cdef int64_t blob_used
    cdef int64_t blob_capacity
    cdef int64_t *offsets           # count + 1 entries; string i is blob[offsets[i]:offsets[i + 1]]
    cdef int32_t count              # without the lock: size()
    cdef int64_t capacity           # of offsets, less the one entry at the end
    cdef uint64_t *table            # open addressing; high half: hash, low half: id + 1; 0 is a free slot
    cdef uint64_t mask
    cdef uint64_t seed
    cdef uint64_t *marks            # readers' scratch, one word a string; NULL until a reader asks for it
    cdef int64_t marks_capacity
    cdef uint64_t stamp             # see new_stamp
    cdef PyThread_type_lock lock
    cdef dict folds                 # flags -> (buffer, number of ids done, read-only view)

    # Everything below down to leave() wants the lock held.
    cdef int32_t add(self, const uint8_t *text, int64_t length) except -1 nogil
    cdef int32_t find(self, const uint8_t *text, int64_t length) noexcept nogil
    cdef int64_t length(self, int32_t index) noexcept nogil
    cdef uint64_t new_stamp(self) noexcept nogil
    cdef int reserve_marks(self) except -1 nogil

    cdef void enter(self) noexcept                  # the caller holds the GIL
    cdef void leave(self) noexcept nogil
    cdef int32_t size(self) noexcept nogil          # with or without the lock: there are at least so many strings
