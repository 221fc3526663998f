"""Word vectors from text: a parser of lines, and a checksum.

A line is a word and d numbers with blanks between them (GloVe). A first line of two whole numbers says how many lines
follow and what d is (word2vec, fastText). A file of 400,000 words has 40 million numbers, which ``numbers.pxd`` reads.
A line that is unusual (the first one, a word with blanks in it, an error) is read a second time, by slower code.
"""

from libc.stdint cimport int64_t, uint8_t, uint64_t
from libc.string cimport memcpy

import re

import numpy as np

from fastmatch._ext.base.columns cimport Column, filled, push_bytes, push_int64, release_all, reserve
from fastmatch._ext.base.status cimport FINE
from fastmatch._ext.base.lines cimport Place
from fastmatch._ext.reading.numbers cimport FM_LITTLE_ENDIAN, any_number, usual_number

cdef enum:
    PADDING = 16                      # bytes behind the text that may be looked at
    # what is wrong with a line, besides the statuses of base/status.pxd
    NO_WORD = 1, WRONG_LENGTH = 2, NO_NUMBER = 3, TOO_MANY = 4, TOO_LONG = 5, MOST_NUMBERS = 16384

#: Numbers of a vector at most: room for those of large language models. A line of a million is no vector.
MOST = MOST_NUMBERS

cdef object FIELD = re.compile(rb"[^ \t]+")


cdef inline bint is_blank(uint8_t byte) noexcept nogil:
    return byte == 32 or byte == 9


cdef class VectorParser:
    """Reads a file of vectors piece by piece; see the top of this module.

    ``feed`` parses the whole lines of a piece; ``take`` gives the rows that have come in since the last call. If a line
    is wrong, ``fault`` says how.
    """

    cdef readonly Py_ssize_t dimension      # 0 until the first vector
    cdef readonly int64_t n_rows
    cdef readonly int64_t announced         # rows that the first line promises, or -1
    cdef readonly object fault              # None, or (message, line, column)
    cdef int64_t line
    cdef Column rows, blob, offsets         # numbers of rows not taken yet; words; where each word ends
    cdef tuple bad                          # where a line is wrong: from and to which byte of it
    cdef int64_t found

    def __cinit__(self):
        self.announced = -1
        self.line = 0

    def __dealloc__(self):
        release_all(&self.rows, &self.offsets)

    cdef int keep(self, Place word, int64_t length) except -1 nogil:
        """Count the row whose numbers stand behind ``rows``."""
        push_bytes(&self.blob, word, length)
        push_int64(&self.offsets, self.blob.used)
        self.n_rows += 1
        self.rows.used += self.dimension

    cdef int64_t usual_line(self, Place p) except -1 nogil:
        """The line at ``p`` if it is a word and d numbers with blanks before each; returns its length, or 0."""
        cdef Place word = p, end
        cdef Py_ssize_t k
        while p[0] > 32:
            p += 1
        cdef int64_t length = p - word
        if length == 0:
            return 0
        reserve(&self.rows, self.dimension, sizeof(float))
        cdef float *row = <float *> self.rows.data + self.rows.used
        for k in range(self.dimension):
            if not is_blank(p[0]):
                return 0
            p += 1
            while is_blank(p[0]):
                p += 1
            if (end := usual_number(p, row + k)) == NULL:
                end = p
                while end[0] > 32:
                    end += 1
                if not any_number(p, end, row + k):
                    return 0
            p = end
        while is_blank(p[0]) or p[0] == 13:
            p += 1
        if p[0] != 10:
            return 0
        self.keep(word, length)
        return p - word

    cdef int any_line(self, bytes line) except -1:
        """A line, whatever it holds. The word may have blanks in it: the last d fields are the numbers."""
        cdef Py_ssize_t k, skip
        cdef float number
        line = line.rstrip(b" \t\r")
        cdef Place start = <Place> <const char *> line
        if not line:
            return FINE
        self.bad = 0, len(line)
        if is_blank(line[0]):
            return NO_WORD
        fields = [field.span() for field in FIELD.finditer(line)]
        self.found = len(fields) - 1
        if self.line == 1 and self.found == 1:
            # two whole numbers: what word2vec writes first
            rows, numbers = FIELD.findall(line)
            if (rows + numbers).isdigit() and len(rows) < 14 and len(numbers) < 14 and 0 < int(numbers) < 1 << 24:
                self.announced, self.dimension, self.found = int(rows), int(numbers), int(numbers)
                return FINE if self.dimension <= MOST_NUMBERS else TOO_LONG
        if self.dimension == 0:
            if self.found > MOST_NUMBERS:
                return TOO_LONG
            self.dimension = self.found
        skip = len(fields) - self.dimension         # fields of the word
        if self.found < 1 or skip < 1:
            return WRONG_LENGTH
        first, stop = fields[skip - 1]
        if skip > 1 and any_number(start + <Py_ssize_t> first, start + <Py_ssize_t> stop, &number):
            return WRONG_LENGTH       # rather a number too many than a word that ends in one
        if self.n_rows >= 2147483646:
            return TOO_MANY
        reserve(&self.rows, self.dimension, sizeof(float))
        cdef float *row = <float *> self.rows.data + self.rows.used
        for k in range(self.dimension):
            self.bad = first, last = fields[skip + k]
            if not any_number(start + <Py_ssize_t> first, start + <Py_ssize_t> last, row + k):
                return NO_NUMBER
        self.keep(start, stop)
        return FINE

    def feed(self, uint8_t[::1] data not None, Py_ssize_t size, bint last):
        """Parse the whole lines of a piece of a file.

        Parameters
        ----------
        data : uint8, shape (>= size + 16,)
            The piece, and 16 bytes behind it, of which the first is written to.
        size : int
            Bytes of the piece.
        last : bool
            Whether it is the last piece of the file, whose last line needs no end.

        Returns
        -------
        int
            How many bytes were used up; the rest goes before the next piece. -1: a line is wrong, see ``fault``.

        Raises
        ------
        ValueError
            If ``data`` is too short.
        MemoryError
            If the vectors do not fit in memory.
        """
        if size < 0 or data.shape[0] < size + PADDING:
            raise ValueError(f"{data.shape[0]} bytes, expected {PADDING} more than {size}")
        cdef Place next_line
        cdef Py_ssize_t used = size
        cdef int64_t length
        cdef int status = FINE
        if last:
            if size and data[size - 1] != 10:
                data[size] = 10
                used += 1
        else:
            while used > 0 and data[used - 1] != 10:
                used -= 1
        if used == 0:
            return 0
        cdef Place start = &data[0], p = start, end = p + used
        with nogil:
            while p < end:
                self.line += 1
                # not the first of a piece, for there may be nothing before it to look at
                if FM_LITTLE_ENDIAN and self.dimension and p != start and self.n_rows < 2147483646:
                    length = self.usual_line(p)
                    if length:
                        p += length + 1
                        continue
                next_line = p
                while next_line[0] != 10:
                    next_line += 1
                with gil:
                    line = (<const char *> p)[:next_line - p]
                    status = self.any_line(line)
                if status != FINE:
                    break
                p = next_line + 1
        if status != FINE:
            begin, stop = self.bad
            text = line[begin:stop].decode("utf-8", "replace")
            self.fault = (self.explain(status, text), self.line, len(line[:begin].decode("utf-8", "replace")) + 1)
            return -1
        return min(used, size)

    cdef str explain(self, int status, str text):
        if status == NO_WORD:
            return "expected a word at the beginning of the line, found a blank"
        if status == TOO_MANY:
            return "too many words: the most is 2147483646"
        if status == TOO_LONG:
            return f"too many numbers for a vector: expected {MOST_NUMBERS} at most, found {self.found}"
        if status == NO_NUMBER:
            return f"{text[:40]!r} is not a finite number"
        if self.dimension == 0:
            return "expected a word and its numbers, found no number"
        return f"expected {self.dimension} numbers behind the word, found {self.found}"

    def take(self):
        """The rows since the last call, float32, shape (n, dimension): a view that the next ``feed`` overwrites."""
        cdef int64_t n = self.rows.used // max(self.dimension, 1)
        self.rows.used = 0
        if n == 0:
            return np.empty((0, self.dimension), np.float32)
        return np.asarray(<float[:n, :self.dimension]> <float *> self.rows.data)

    def words(self):
        """All words, end to end: uint8 bytes, and where each begins, int64, shape (n_rows + 1,). Copies."""
        offsets = np.zeros(self.n_rows + 1, np.int64)
        filled(offsets[1:], &self.offsets)
        return filled(np.empty(self.blob.used, np.uint8), &self.blob), offsets


def checksum(const uint8_t[::1] data not None):
    """64 bits that change with nearly every damage to ``data``. Not for protection against intent. About 10 GB/s."""
    cdef Py_ssize_t n = data.shape[0], k = 0
    cdef uint64_t a = 1, b = 2, c = 3, d = 4, word, prime = <uint64_t> 0x9FB21C651E98DF25
    cdef uint64_t[4] block
    if n == 0:
        return 0
    cdef Place p = &data[0]
    with nogil:
        while k + 32 <= n:
            memcpy(block, p + k, 32)
            a = (a ^ block[0]) * prime
            b = (b ^ block[1]) * prime
            c = (c ^ block[2]) * prime
            d = (d ^ block[3]) * prime
            # without this the high bits of a word would only ever reach high bits
            a ^= a >> 32
            b ^= b >> 32
            c ^= c >> 32
            d ^= d >> 32
            k += 32
        a = (a ^ (b * 3)) * prime
        a = (a ^ (a >> 29) ^ c) * prime
        a = (a ^ (a >> 31) ^ d) * prime
        while k < n:
            a = (a ^ p[k]) * prime
            a ^= a >> 32
            k += 1
        word = a ^ <uint64_t> n
        word = (word ^ (word >> 32)) * prime
        word ^= word >> 29
    return word
