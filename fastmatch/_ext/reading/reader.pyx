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
``settled``
    Says whether the reader stands where another one could go on as well. That is so where no comments wait for a graph;
    a reader that keeps something else from graph to graph asks for more.

Bytes that are not UTF-8 are looked for ahead: ``self.invalid`` is the place of the next one. A scan fails when a graph
goes beyond this place.

The interner's ``marks`` hold sets of strings of one graph, such as its variables. For string i they hold the number of
the graph and an index in the graph. So a graph needs no hash table, and nothing is cleared between graphs.
"""

from cpython.buffer cimport PyBUF_SIMPLE, PyBUF_WRITABLE, PyBuffer_Release, PyObject_GetBuffer
from cpython.exc cimport PyErr_CheckSignals
from libc.stdint cimport int32_t, int64_t, uint8_t
from libc.string cimport memcmp, memcpy

import numpy as np

from fastmatch._ext.reading.interner cimport Interner
from fastmatch._ext.base.lines cimport Place, line_end, next_line
from fastmatch._ext.base.columns cimport Column, push, push_bytes, release, release_all, room
from fastmatch._ext.reading.rows cimport GraphRow
from fastmatch._ext.reading.utf8 cimport next_invalid

cdef extern from "Python.h":
    const char *PyUnicode_AsUTF8AndSize(object text, Py_ssize_t *size) except NULL

cdef extern from *:
    """
    #if defined(__GLIBC__)
    #include <malloc.h>
    #define give_back_memory() malloc_trim(0)
    #else
    #define give_back_memory() ((void) 0)
    #endif
    """
    void give_back_memory() noexcept nogil      # memory that was freed, to the system

cdef object INT32 = np.dtype(np.int32)
cdef object INT64 = np.dtype(np.int64)
cdef object UINT8 = np.dtype(np.uint8)
cdef object empty = np.empty
cdef str NO_ROOM = "no memory left for the columns, or more than 2**31 - 2 strings"

cdef enum:
    RAISE = 0, SKIP = 1, EMPTY = 2
    # Bytes of rows from which on it is worth a few milliseconds to hand freed memory back to the system.
    MANY = 1 << 23
    # Rows below which the GIL is kept.
    FEW = 1 << 12
    # Numbers of fields of a GraphRow: the first of those that say where rows end, and ``begin``.
    FIRST_END = 2, BEGIN = 8
    # Rows that are turned into columns at once.
    AT_ONCE = 1 << 10
    # Texts of one graph that are read without the GIL in between: a tenth of a millisecond.
    TEXTS_AT_ONCE = 64


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
        release_all(&self.graphs, &self.comments)

    def __len__(self):
        return self.graphs.used

    # What a dialect defines --------------------------------------------------------------------------------------

    cdef void restart(self) noexcept nogil:
        pass

    cdef int scan(self, int64_t limit) except -1 nogil:
        return FINISHED

    cdef void blame(self, int *code, int64_t *at) noexcept nogil:
        pass

    cdef void recover(self) noexcept nogil:
        pass

    cdef bint settled(self) noexcept nogil:
        return self.comments.used == self.comments_kept()

    cdef str describe(self, int code, int64_t at):
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
        return "expected one graph, found another one behind it"

    @property
    def between(self):
        """Whether reading stands between two graphs, and nothing before this place matters for what follows."""
        return self.settled()

    # For the scans -----------------------------------------------------------------------------------------------

    cdef int64_t comments_kept(self) noexcept nogil:
        """Bytes of comments that belong to the graphs so far."""
        return last_graph(self).comments

    cdef int fail(self, int code, int64_t at) noexcept nogil:
        self.fault_code = code
        self.fault_at = at
        return FAULTY

    cdef int add_comment(self, Place text, int64_t length) except -1 nogil:
        """Keep a comment line, given without its line end."""
        push_bytes(&self.comments, text, length)
        push_bytes(&self.comments, b"\n", 1)

    cdef int close_graph(self, int32_t root) except -1 nogil:
        cdef int64_t comments = self.comments_kept()
        cdef GraphRow *row = <GraphRow *>push(&self.graphs, sizeof(GraphRow))
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

    # After an error ----------------------------------------------------------------------------------------------

    cdef void cut_back(self, bint comments_too) noexcept nogil:
        """Drop the rows of a graph that was not finished."""
        cdef GraphRow row = last_graph(self)
        self.variables.used = row.variables
        self.instances.used = row.instances
        self.attributes.used = row.attributes
        self.relations.used = row.relations
        self.surface.used = row.surface
        if comments_too:
            self.comments.used = row.comments

    cdef tuple locate(self, int code, int64_t at):
        """(message, line, column, excerpt, place of the fault in the excerpt) of an error."""
        cdef Place end = self.text + self.size, place = self.text + at, p = place, q = place, start
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

    def feed(
        self, text, int on_error=0, bint single=False, int64_t start=0, int64_t limit=-1, int64_t line=0,
        int64_t stop=-1
    ):
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
        line : int
            Not 0: ``start`` is any place, in this line, and nothing is known of the text before it.
        stop : int
            Read up to here, the beginning of a line that another reader begins with; -1: to the end of the text.

        Returns
        -------
        int
            0 if the whole text was read. The place to go on from if ``limit`` graphs were read. -1 after an error with
            ``on_error=0``; ``fault`` describes the error then. -2 if what stands before ``stop`` may go on behind it,
            so that what was read is not what a reader of the whole text reads.

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
                self.text = <Place> PyUnicode_AsUTF8AndSize(text, &size)
            except UnicodeEncodeError:
                text = text.encode("utf-8", "surrogatepass")
        if self.text == NULL:
            PyObject_GetBuffer(text, &view, PyBUF_SIMPLE)
            has_buffer = True
            self.text, size = <Place> view.buf, view.len
        if is_text:
            self.invalid = size     # a str has no bytes that are not UTF-8, lone surrogates being welcome
        elif start == 0 or line:
            self.invalid = -1       # not looked for yet
        if size >= 3 and memcmp(self.text, b"\xef\xbb\xbf", 3) == 0:
            # a byte-order mark is no part of the text
            self.text += 3
            size -= 3
            if is_text or self.invalid > size:
                self.invalid = size
        try:
            if not 0 <= start <= size:
                raise ValueError(f"start must lie in the text, found {start}")
            if stop >= 0:
                if not start <= stop <= size:
                    raise ValueError(f"stop must lie in the text, behind start, found {stop}")
                size = stop
                if is_text:
                    self.invalid = size
            return self.feed_buffer(size, on_error, single, start, limit, line, stop >= 0)
        finally:
            self.text = NULL
            if has_buffer:
                PyBuffer_Release(&view)

    def feed_each(self, tuple texts not None, Py_ssize_t start, Py_ssize_t stop):
        """Read texts of exactly one graph each, as long as they are that.

        Parameters
        ----------
        texts : tuple of str
            Something else in it ends the reading, as an error does.
        start, stop : int
            Read ``texts[start:stop]``.

        Returns
        -------
        int
            The number of the text that was not read, and of which nothing is kept: :meth:`feed` says what is wrong
            with it. ``stop`` if all were read.

        Raises
        ------
        MemoryError
            If there is no memory for the graphs.
        RuntimeError
            If another thread uses this reader.
        IndexError
            If there are no texts of these numbers.
        """
        cdef Place text[TEXTS_AT_ONCE]
        cdef Py_ssize_t size[TEXTS_AT_ONCE]
        cdef Py_ssize_t n, k
        cdef int64_t graphs, lost = 0
        if self.text != NULL:
            raise RuntimeError("this reader is at work in another thread")
        if not 0 <= start <= stop <= len(texts):
            raise IndexError(f"texts {start} to {stop} of {len(texts)}")
        while start < stop:
            n = 0
            while n < TEXTS_AT_ONCE and start + n < stop and isinstance(texts[start + n], str):
                try:
                    text[n] = <Place> PyUnicode_AsUTF8AndSize(texts[start + n], &size[n])
                except UnicodeEncodeError:    # half of a surrogate pair
                    break
                n += 1
            k = 0
            if not n:
                break
            graphs = self.graphs.used
            self.interner.enter()
            try:
                with nogil:
                    try:
                        while k < n:
                            lost = self.n_lost
                            if not read_one(self, text[k], size[k]):
                                break
                            k += 1
                    finally:
                        self.text = NULL
                        self.interner.leave()
            except MemoryError:
                self.graphs.used = graphs + k
                self.cut_back(True)
                raise MemoryError(NO_ROOM) from None
            start += k
            if k < n:
                self.graphs.used, self.n_lost = graphs + k, lost
                self.cut_back(True)
                break
            PyErr_CheckSignals()
        return start

    cdef int64_t feed_buffer(
        self, int64_t size, int on_error, bint single, int64_t start, int64_t limit, int64_t line, bint part
    ) except -3:
        cdef int status, code
        cdef int64_t graphs = self.graphs.used, ceiling, at
        cdef bint spoils
        self.size = size
        self.single = single
        self.fault = None
        begin_text(self, start, line or start == 0)
        if single:
            limit = 2
        ceiling = -1 if limit < 1 else graphs + limit
        while True:
            self.interner.enter()
            try:
                with nogil:
                    try:
                        if self.invalid < self.position:
                            self.invalid = next_invalid(self.text, self.position, size)
                        status = self.scan(ceiling - self.graphs.used if ceiling >= 0 else -1)
                    finally:
                        self.interner.leave()
            except MemoryError:
                self.cut_back(True)
                raise MemoryError(NO_ROOM) from None
            if single and status != FAULTY and self.graphs.used != graphs + 1:
                if self.graphs.used > graphs:
                    self.fail(F_MORE_GRAPHS, self.begin)
                else:
                    self.begin, self.begin_line = 0, 1
                    self.fail(F_NO_GRAPH, size)
                status = FAULTY
            if status == PAUSED:
                return self.position
            if part and (not self.settled() if status == FINISHED else self.fault_at >= size):
                return -2
            if status == FINISHED:
                if self.invalid < size and on_error == RAISE:
                    # in comments behind the last graph
                    self.begin, self.begin_line = self.anchor, self.anchor_line
                    self.fault = self.locate(F_UTF8, self.invalid)
                    return -1
                self.cut_back(True)
                return 0
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
                    uncover(self)
            else:
                self.recover()
                if part and self.position >= size:
                    return -2
                if spoils:
                    uncover(self)
            self.attached = False
            self.anchor, self.anchor_line = self.position, self.line
            if on_error == EMPTY:
                add_empty(self)
                self.problems.append((self.graphs.used - 1, self.fault[0], self.fault[1], self.fault[2]))
                self.stops.append(size if single else self.position)
            else:
                self.cut_back(True)
            self.fault = None
            if single:
                return 0

    # Out ---------------------------------------------------------------------------------------------------------

    @property
    def counts(self):
        """Graphs, variables, instances, attributes, relations, alignments, and bytes of comments read so far."""
        return (
            self.graphs.used, self.variables.used, self.instances.used, self.attributes.used, self.relations.used,
            self.surface.used, self.comments_kept(),
        )

    def columns(self):
        """Return the columns of all graphs read and empty the reader.

        Returns
        -------
        dict of str to array
            By the names of the fields of a corpus.
        """
        cdef bint many = (
            20 * (self.instances.used + self.attributes.used + self.relations.used) + self.comments.used > MANY
        )
        columns = new_columns(self.counts)
        self.write(columns, (0, 0, 0, 0, 0, 0, 0))
        if many:
            give_back_memory()
        return columns

    def write(self, dict columns not None, tuple places not None, const int32_t[::1] ids=None):
        """Write all graphs read into columns, and empty the reader. Each table of rows is freed once it is written.

        Parameters
        ----------
        columns : dict
            As :func:`new_columns` makes them.
        places : tuple of int
            Where these graphs, and their rows, begin in the columns, in the order of ``counts``.
        ids : int32[n], optional
            For each string of the interner, the id to write.

        Raises
        ------
        ValueError
            If the columns are too short, or ``ids`` is not as long as the interner.
        """
        cdef int64_t at[7]
        cdef int k
        cdef const int32_t *numbers = NULL
        for k in range(7):
            at[k] = places[k]
        if ids is not None:
            if ids.shape[0] != self.interner.count:
                raise ValueError("expected a number for each string")
            numbers = &ids[0] if ids.shape[0] else NULL
        write_graphs(columns["root"], &self.graphs, 0, at[0], 0)
        write_graphs(columns["lines"], &self.graphs, 1, at[0], 0)
        for k, name in enumerate(OFFSETS):
            write_graphs(columns[name], &self.graphs, FIRST_END + k, at[0] + 1, at[k + 1])
        write_comments(columns["comments"], &self.comments, self.comments_kept(), at[6])
        release(&self.graphs)
        release(&self.comments)
        write_table(columns["variable_names"], &self.variables, 1, 1, at[1], numbers)
        write_table(columns["instances"], &self.instances, 3, 2, at[2], numbers)
        write_table(columns["attributes"], &self.attributes, 4, 6, at[3], numbers)
        write_table(columns["relations"], &self.relations, 5, 2, at[4], numbers)
        write_table(columns["surface"], &self.surface, 3, 4, at[5], numbers)

    def begins(self):
        """Where the graphs read so far begin in their texts, in bytes behind a byte-order mark: int64, shape (n,)."""
        array = empty(self.graphs.used, INT64)
        write_graphs(array, &self.graphs, BEGIN, 0, 0)
        return array


cdef int add_empty(Reader self) except -1 nogil:
    self.cut_back(False)
    self.close_graph(-1)


cdef void uncover(Reader self) noexcept nogil:
    """Open the last graph again, because text behind it makes it broken.

    Its comments stay, for the empty graph that may take its place.
    """
    self.graphs.used -= 1
    cdef GraphRow *row = <GraphRow *>self.graphs.data + self.graphs.used
    self.begin = row.begin
    self.begin_line = row.line
    self.comments.used = row.comments
    if room(&self.comments, 1, 1):
        (<uint8_t *>self.comments.data)[self.comments.used] = c"\n"
        self.comments.used += row.comments > self.comments_kept()


cdef int read_one(Reader self, Place text, int64_t size) except -1 nogil:
    """Read a text; 0 if it is anything else than exactly one graph."""
    cdef int64_t graphs = self.graphs.used
    if size >= 3 and memcmp(text, b"\xef\xbb\xbf", 3) == 0:
        text += 3
        size -= 3
    self.text, self.size, self.invalid, self.single = text, size, size, True
    begin_text(self, 0, 1)
    if self.scan(2) != FINISHED or self.graphs.used != graphs + 1:
        return 0
    self.cut_back(True)
    return 1


cdef void begin_text(Reader self, int64_t start, int64_t line) noexcept nogil:
    """Stand at a place of the text; ``line`` is 0 if reading goes on there."""
    self.position = start
    if line:
        self.line = line
        self.attached = False
        self.restart()
    self.begin = self.anchor = self.position
    self.begin_line = self.anchor_line = self.line


# Columns --------------------------------------------------------------------------------------------------------------
#
# Many rows are written without the GIL, few with it: letting it go and taking it back would be a good part of the time
# that one small graph takes.

cdef tuple OFFSETS = (
    "variable_offsets", "instance_offsets", "attribute_offsets", "relation_offsets", "surface_offsets",
    "comment_offsets",
)


def new_columns(tuple counts not None):
    """Columns for so many graphs and rows, in the order of ``Reader.counts``; nothing is in them yet."""
    graphs, variables, instances, attributes, relations, surface, comments = counts
    columns = {"root": empty(graphs, INT32), "lines": empty(graphs, INT32)}
    for name in OFFSETS:
        columns[name] = empty(graphs + 1, INT64)
    columns["comments"] = empty(comments, UINT8)
    columns["variable_names"] = empty(variables, INT32)
    columns["instances"] = empty((3, instances), INT32)
    columns["attributes"] = empty((4, attributes), INT32)
    columns["relations"] = empty((5, relations), INT32)
    columns["surface"] = empty((3, surface), INT32)
    return columns


def trim():
    """Hand freed memory back to the system, which takes a few milliseconds."""
    with nogil:
        give_back_memory()


cdef int get_writable(object array, Py_buffer *view, int64_t items, Py_ssize_t size) except -1:
    """The memory of a column that must hold so many items of ``size`` bytes."""
    PyObject_GetBuffer(array, view, PyBUF_SIMPLE | PyBUF_WRITABLE)
    if items * size > view.len:
        PyBuffer_Release(view)
        raise ValueError("a column is too short")
    return 0


cdef int write_graphs(object array, const Column *graphs, int field, int64_t at, int64_t base) except -1:
    """A field of the rows of graphs, by its number: roots and lines as int32, the others as int64, more by ``base``."""
    cdef int64_t i
    cdef const GraphRow *rows = <const GraphRow *>graphs.data
    cdef Py_buffer view
    get_writable(array, &view, at + graphs.used, sizeof(int32_t) if field < FIRST_END else sizeof(int64_t))
    if field >= FIRST_END and at == 1:
        (<int64_t *>view.buf)[0] = 0        # where the rows of the first graph begin
    for i in range(graphs.used):
        if field < FIRST_END:
            (<int32_t *>view.buf)[at + i] = (&rows[i].root)[field]
        else:
            (<int64_t *>view.buf)[at + i] = base + (&rows[i].variables)[field - FIRST_END]
    PyBuffer_Release(&view)
    return 0


cdef int write_comments(object array, const Column *comments, int64_t n, int64_t at) except -1:
    cdef Py_buffer view
    if n:
        get_writable(array, &view, at + n, 1)
        memcpy(<uint8_t *>view.buf + at, comments.data, n)
        PyBuffer_Release(&view)
    return 0


cdef int write_table(object array, Column *column, int width, int with_ids, int64_t at, const int32_t *ids) except -1:
    """Turn the rows of a table into columns, from place ``at`` on, and free the rows.

    ``with_ids`` has a bit for each field that holds ids of strings; those are replaced by ``ids`` unless it is NULL.
    """
    cdef Py_buffer view
    cdef int64_t total
    if column.used:
        get_writable(array, &view, (at + column.used) * width, sizeof(int32_t))
        total = view.len // <Py_ssize_t>sizeof(int32_t) // width
        if column.used < FEW:
            turn(<int32_t *>view.buf + at, total, column, width, with_ids, ids)
        else:
            with nogil:
                turn(<int32_t *>view.buf + at, total, column, width, with_ids, ids)
        PyBuffer_Release(&view)
    release(column)
    return 0


cdef void turn(
    int32_t *out, int64_t total, const Column *column, int width, int with_ids, const int32_t *ids
) noexcept nogil:
    """The loop of :func:`write_table`: field k of row i goes to ``out[k * total + i]``. Some rows at a time, so that
    they are in the cache for each of their fields."""
    cdef const int32_t *rows = <const int32_t *>column.data
    cdef int64_t i, begin = 0, end, n = column.used
    cdef int32_t value
    cdef int k
    while begin < n:
        end = begin + AT_ONCE if begin + AT_ONCE < n else n
        for k in range(width):
            if ids != NULL and with_ids >> k & 1:
                for i in range(begin, end):
                    value = rows[i * width + k]
                    out[k * total + i] = ids[value] if value >= 0 else value
            else:
                for i in range(begin, end):
                    out[k * total + i] = rows[i * width + k]
        begin = end
