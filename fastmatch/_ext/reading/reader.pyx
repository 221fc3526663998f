# cython: language_level=3
"""What all readers share: the loop over a text, the way on after an error, and the step from rows to columns.

The reader of a dialect is a subclass in a file of its own. A reader goes through the text once and without recursion.
It holds no Python objects meanwhile: each string goes into the interner, and the graph holds its id.

A subclass defines these methods:

``scan``
    Reads graphs from ``self.position`` on. It sets ``begin`` and ``begin_line`` where a graph begins, adds rows, and
    calls ``close_graph`` behind each graph. At an error it returns ``self.fail(code, offset)``; the rows of the graph
    that was not finished are then dropped.
``recover``
    Sets the place where reading goes on after an error.
``blame``
    May replace an error's code and place by ones that help the reader of the message more.
``describe``
    Makes the message of an error.

Bytes that are not UTF-8 are looked for ahead: ``self.invalid`` is the place of the next one. A scan fails when a graph
goes beyond this place.

The interner's ``marks`` hold sets of strings of one graph, such as its variables. For string i they hold the number of
the graph and an index in the graph. So a graph needs no hash table, and nothing is cleared between graphs.
"""

from cpython.buffer cimport PyBUF_SIMPLE, PyBUF_WRITABLE, PyBuffer_Release, PyObject_GetBuffer
from libc.stdint cimport int32_t, int64_t, uint8_t
from libc.string cimport memcmp, memcpy

import numpy as np

from fastmatch._ext.reading.interner cimport Interner
from fastmatch._ext.base.lines cimport line_end, next_line
from fastmatch._ext.base.columns cimport Column, release, room
from fastmatch._ext.reading.rows cimport GraphRow
from fastmatch._ext.reading.utf8 cimport next_invalid

cdef extern from "Python.h":
    const char *PyUnicode_AsUTF8AndSize(object text, Py_ssize_t *size) except NULL

cdef extern from "memory.h":
    void give_back_memory() noexcept nogil

cdef object INT32 = np.dtype(np.int32)
cdef object INT64 = np.dtype(np.int64)
cdef object UINT8 = np.dtype(np.uint8)
cdef object empty = np.empty

cdef enum:
    RAISE = 0
    SKIP = 1
    EMPTY = 2
    # Bytes of rows from which on it is worth a few milliseconds to hand freed memory back to the system.
    MANY = 1 << 23


cdef class Reader:
    """Collects the graphs of any number of texts and then returns their columns. Only its subclasses can read.

    Parameters
    ----------
    interner : Interner
        Gets every string.

    Two threads must not use one reader at the same time. Readers in several threads may share one interner.
    """

    def __cinit__(self, Interner interner not None, *arguments, **options):
        self.interner = interner
        self.problems = []
        self.stops = []

    def __dealloc__(self):
        release(&self.graphs)
        release(&self.variables)
        release(&self.instances)
        release(&self.attributes)
        release(&self.relations)
        release(&self.surface)
        release(&self.comments)

    def __len__(self):
        return self.graphs.used

    # What a dialect defines --------------------------------------------------------------------------------------

    cdef void restart(self) noexcept nogil:
        pass

    cdef int scan(self, int64_t limit) noexcept nogil:
        return FINISHED

    cdef void blame(self, int *code, int64_t *at) noexcept nogil:
        pass

    cdef void recover(self) noexcept nogil:
        pass

    cdef str describe(self, int code, int64_t at):
        if code == F_MEMORY:
            return "no memory left"
        if code == F_SIZE:
            return "the graph is too large; expected at most 1,000,000,000 triples, and few node names twice"
        if code == F_UTF8:
            if at == 0 and self.size > 1 and (self.text[0] == 0xff or self.text[0] == 0xfe):
                return "the text looks like UTF-16; expected UTF-8"
            return f"byte 0x{self.text[at]:02x} is not UTF-8; expected a text file in UTF-8"
        if code == F_CLOSE:
            return "')' without a '(' before it"
        if code == F_NO_GRAPH:
            return "expected a graph, found none"
        if code == F_MORE_GRAPHS:
            return "expected one graph, found another one behind it"
        return "not a graph"

    # For the scans -----------------------------------------------------------------------------------------------

    cdef int fail(self, int code, int64_t at) noexcept nogil:
        self.fault_code = code
        self.fault_at = at
        return FAULTY

    cdef bint add_comment(self, const uint8_t *text, int64_t length) noexcept nogil:
        """Keep a comment line, given without its line end. Returns False when there is no memory."""
        if not room(&self.comments, length + 1, 1):
            return False
        memcpy(<uint8_t *>self.comments.data + self.comments.used, text, length)
        self.comments.used += length
        (<uint8_t *>self.comments.data)[self.comments.used] = c"\n"
        self.comments.used += 1
        return True

    cdef bint close_graph(self, int32_t root) noexcept nogil:
        cdef GraphRow *row
        cdef int64_t comments = self.graphs.used and (<GraphRow *>self.graphs.data)[self.graphs.used - 1].comments
        if not room(&self.graphs, 1, sizeof(GraphRow)):
            return False
        row = <GraphRow *>self.graphs.data + self.graphs.used
        self.graphs.used += 1
        if self.comments.used > comments:
            self.comments.used -= 1     # without the newline behind the last comment
        row.root = root
        row.line = <int32_t>self.begin_line if self.begin_line < 2147483647 else 0
        row.variables = self.variables.used
        row.instances = self.instances.used
        row.attributes = self.attributes.used
        row.relations = self.relations.used
        row.surface = self.surface.used
        row.comments = self.comments.used
        row.begin = self.begin
        return True

    # After an error ----------------------------------------------------------------------------------------------

    cdef void cut_back(self, bint comments_too) noexcept nogil:
        """Drop the rows of a graph that was not finished."""
        cdef GraphRow *row
        cdef GraphRow zero
        if self.graphs.used:
            row = <GraphRow *>self.graphs.data + (self.graphs.used - 1)
        else:
            zero = GraphRow(-1, 0, 0, 0, 0, 0, 0, 0, 0)
            row = &zero
        self.variables.used = row.variables
        self.instances.used = row.instances
        self.attributes.used = row.attributes
        self.relations.used = row.relations
        self.surface.used = row.surface
        if comments_too:
            self.comments.used = row.comments

    cdef void uncover(self) noexcept nogil:
        """Open the last graph again, because text behind it makes it broken.

        Its comments stay, for the empty graph that may take its place.
        """
        cdef GraphRow *row
        self.graphs.used -= 1
        row = <GraphRow *>self.graphs.data + self.graphs.used
        self.begin = row.begin
        self.begin_line = row.line
        self.comments.used = row.comments
        if room(&self.comments, 1, 1):
            (<uint8_t *>self.comments.data)[self.comments.used] = c"\n"
            self.comments.used += row.comments > (
                (<GraphRow *>self.graphs.data)[self.graphs.used - 1].comments if self.graphs.used else 0
            )

    cdef bint add_empty(self) noexcept nogil:
        self.cut_back(False)
        return self.close_graph(-1)

    cdef tuple locate(self, int code, int64_t at):
        """(message, line, column, excerpt, place of the fault in the excerpt) of an error."""
        cdef const uint8_t *end = self.text + self.size
        cdef const uint8_t *place = self.text + at
        cdef const uint8_t *p = place
        cdef const uint8_t *q = place
        cdef const uint8_t *start
        cdef int64_t line, column = 1
        if at >= self.begin:
            line = self.begin_line
            start = self.text + self.begin
        else:   # in its comments
            line = self.anchor_line
            start = self.text + self.anchor
        while True:
            p = line_end(start, end)
            if p >= place:
                break
            start = next_line(p, end)
            line += 1
        start = place
        while start > self.text and start[-1] != c"\n" and start[-1] != c"\r":
            start -= 1
            column += start[0] & 0xc0 != 0x80
        # An excerpt of at most about 70 characters on each side.
        p = place
        while p > start and place - p < 70:
            p -= 1
        while p > start and p[0] & 0xc0 == 0x80:
            p -= 1
        while q < end and q - place < 70 and q[0] != c"\n" and q[0] != c"\r":
            q += 1
        while q < end and q[0] & 0xc0 == 0x80:
            q += 1
        before = (<const char *>p)[:place - p].decode("utf-8", "replace")
        after = (<const char *>place)[:q - place].decode("utf-8", "replace")
        return self.describe(code, at), line, column, before + after, len(before)

    # In ----------------------------------------------------------------------------------------------------------

    def feed(self, text, int on_error=0, bint single=False, int64_t start=0, int64_t limit=-1):
        """Read the graphs of a text.

        Parameters
        ----------
        text : str or object with a buffer
            A buffer holds UTF-8 bytes.
        on_error : int
            What happens to a graph that cannot be read. 0: reading stops; 1: it is left out; 2: an empty graph takes
            its place.
        single : bool
            Whether the text must hold exactly one graph.
        start : int
            Where to begin: 0, or what the call before returned for the same text.
        limit : int
            Stop after so many graphs; below 1: never.

        Returns
        -------
        int
            0 if the whole text was read. The place to go on from if ``limit`` graphs were read. -1 after an error with
            ``on_error=0``; ``fault`` describes the error then.

        Raises
        ------
        MemoryError
            If there is no memory for the graphs.
        RuntimeError
            If another thread uses this reader.
        ValueError
            If ``start`` is no place in the text.
        """
        cdef Py_buffer view
        cdef Py_ssize_t size = 0
        cdef bint is_text = isinstance(text, str), has_buffer = False
        if self.text != NULL:
            raise RuntimeError("this reader is at work in another thread")
        if is_text:
            try:
                self.text = <const uint8_t *>PyUnicode_AsUTF8AndSize(text, &size)
            except UnicodeEncodeError:
                text = text.encode("utf-8", "surrogatepass")
                PyObject_GetBuffer(text, &view, PyBUF_SIMPLE)
                has_buffer = True
                self.text = <const uint8_t *>view.buf
                size = view.len
            self.invalid = size     # a str has no bytes that are not UTF-8, lone surrogates being welcome
        else:
            PyObject_GetBuffer(text, &view, PyBUF_SIMPLE)
            has_buffer = True
            self.text = <const uint8_t *>view.buf
            size = view.len
            if start == 0:
                self.invalid = -1   # not looked for yet
        if size >= 3 and memcmp(self.text, b"\xef\xbb\xbf", 3) == 0:
            # a byte-order mark is no part of the text
            self.text += 3
            size -= 3
            if is_text or self.invalid > size:
                self.invalid = size
        try:
            return self.feed_buffer(size, on_error, single, start, limit)
        finally:
            self.text = NULL
            if has_buffer:
                PyBuffer_Release(&view)

    cdef int64_t feed_buffer(self, int64_t size, int on_error, bint single, int64_t start, int64_t limit) except -2:
        cdef int status, code
        cdef int64_t graphs = self.graphs.used, ceiling, at
        cdef bint spoils
        self.size = size
        self.single = single
        self.fault = None
        if start < 0 or start > size:
            raise ValueError(f"start must lie in the text, found {start}")
        if start == 0:
            self.position = 0
            self.line = 1
            self.attached = False
            self.restart()
        else:
            self.position = start
        self.begin = self.anchor = self.position
        self.begin_line = self.anchor_line = self.line
        if single:
            limit = 2
        ceiling = -1 if limit < 1 else graphs + limit
        while True:
            self.interner.enter()
            with nogil:
                if self.invalid < self.position:
                    self.invalid = next_invalid(self.text, self.position, size)
                status = self.scan(ceiling - self.graphs.used if ceiling >= 0 else -1)
                self.interner.leave()
            if single and status != FAULTY and self.graphs.used != graphs + 1:
                if self.graphs.used > graphs:
                    self.fail(F_MORE_GRAPHS, self.begin)
                else:
                    self.begin, self.begin_line = 0, 1
                    self.fail(F_NO_GRAPH, size)
                status = FAULTY
            if status == PAUSED:
                return self.position
            if status == FINISHED:
                if self.invalid < size and on_error == RAISE:
                    # in comments behind the last graph
                    self.begin, self.begin_line = self.anchor, self.anchor_line
                    self.fault = self.locate(F_UTF8, self.invalid)
                    return -1
                self.cut_back(True)
                return 0
            if self.fault_code == F_MEMORY:
                self.cut_back(True)
                raise MemoryError("no memory left for the columns, or more than 2**31 - 2 strings")
            spoils = self.attached and (self.fault_code == F_JUNK or self.fault_code == F_CLOSE)
            if self.invalid <= self.fault_at and self.invalid < size:
                self.fail(F_UTF8, self.invalid)
            code, at = self.fault_code, self.fault_at
            self.blame(&code, &at)
            self.fault = self.locate(code, at)
            if on_error == RAISE:
                self.cut_back(True)
                return -1
            if single:
                while self.graphs.used > graphs:
                    self.uncover()
            else:
                self.recover()
                if spoils:
                    self.uncover()
            self.attached = False
            self.anchor, self.anchor_line = self.position, self.line
            if on_error == EMPTY:
                if not self.add_empty():
                    raise MemoryError("no memory left for the columns")
                self.problems.append((self.graphs.used - 1, self.fault[0], self.fault[1], self.fault[2]))
                self.stops.append(size if single else self.position)
            else:
                self.cut_back(True)
                self.skipped += 1
            self.fault = None
            if single:
                return 0

    # Out ---------------------------------------------------------------------------------------------------------

    def columns(self):
        """Return the columns of all graphs read and empty the reader.

        Each table of rows is freed as soon as its columns are made, so the memory never holds all tables twice.

        Returns
        -------
        dict of str to array
            By the names of the fields of a corpus.
        """
        cdef int64_t size = 20 * (self.instances.used + self.attributes.used + self.relations.used)
        cdef bint many = size + self.comments.used > MANY
        columns = {
            "root": self.graph_column(0),
            "lines": self.graph_column(1),
            "variable_offsets": self.offsets(0),
            "instance_offsets": self.offsets(1),
            "attribute_offsets": self.offsets(2),
            "relation_offsets": self.offsets(3),
            "surface_offsets": self.offsets(4),
            "comment_offsets": self.offsets(5),
            "comments": self.bytes_column(),
        }
        release(&self.graphs)
        columns["variable_names"] = self.table(&self.variables, 1, True)
        columns["instances"] = self.table(&self.instances, 3, False)
        columns["attributes"] = self.table(&self.attributes, 4, False)
        columns["relations"] = self.table(&self.relations, 5, False)
        columns["surface"] = self.table(&self.surface, 3, False)
        if many:
            give_back_memory()
        return columns

    def begins(self):
        """Where the graphs read so far begin in their texts, in bytes behind a byte-order mark: int64, shape (n,)."""
        cdef int64_t i, n = self.graphs.used
        cdef const GraphRow *rows = <const GraphRow *>self.graphs.data
        cdef Py_buffer view
        cdef int64_t *out
        array = empty(n, INT64)
        PyObject_GetBuffer(array, &view, PyBUF_SIMPLE | PyBUF_WRITABLE)
        out = <int64_t *>view.buf
        for i in range(n):
            out[i] = rows[i].begin
        PyBuffer_Release(&view)
        return array

    cdef object graph_column(self, int which):
        cdef int64_t i, n = self.graphs.used
        cdef const GraphRow *rows = <const GraphRow *>self.graphs.data
        cdef Py_buffer view
        cdef int32_t *out
        array = empty(n, INT32)
        PyObject_GetBuffer(array, &view, PyBUF_SIMPLE | PyBUF_WRITABLE)
        out = <int32_t *>view.buf
        for i in range(n):
            out[i] = rows[i].line if which else rows[i].root
        PyBuffer_Release(&view)
        return array

    cdef object offsets(self, int which):
        cdef int64_t i, n = self.graphs.used
        cdef const GraphRow *rows = <const GraphRow *>self.graphs.data
        cdef Py_buffer view
        cdef int64_t *out
        array = empty(n + 1, INT64)
        PyObject_GetBuffer(array, &view, PyBUF_SIMPLE | PyBUF_WRITABLE)
        out = <int64_t *>view.buf
        out[0] = 0
        for i in range(n):
            out[i + 1] = (&rows[i].variables)[which]
        PyBuffer_Release(&view)
        return array

    cdef object table(self, Column *column, int width, bint flat):
        """Turn the rows of a table into columns and free the rows.

        Returns int32, shape (width, n), or (n,) if ``flat``.
        """
        cdef int64_t i, n = column.used
        cdef int k
        cdef const int32_t *rows = <const int32_t *>column.data
        cdef Py_buffer view
        cdef int32_t *out
        array = empty(n, INT32) if flat else empty((width, n), INT32)
        if n == 0:
            release(column)
            return array
        PyObject_GetBuffer(array, &view, PyBUF_SIMPLE | PyBUF_WRITABLE)
        out = <int32_t *>view.buf
        for i in range(n):
            for k in range(width):
                out[k * n + i] = rows[i * width + k]
        PyBuffer_Release(&view)
        release(column)
        return array

    cdef object bytes_column(self):
        cdef int64_t n = self.graphs.used and (<const GraphRow *>self.graphs.data)[self.graphs.used - 1].comments
        cdef Py_buffer view
        array = empty(n, UINT8)
        if n:
            PyObject_GetBuffer(array, &view, PyBUF_SIMPLE | PyBUF_WRITABLE)
            memcpy(view.buf, self.comments.data, n)
            PyBuffer_Release(&view)
        release(&self.comments)
        return array
