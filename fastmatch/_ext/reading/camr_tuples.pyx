# cython: language_level=3
"""Tables of the CAMRP shared tasks: Chinese AMR as rows of ten cells, with tabs between them.

    sid  nid1  concept1  coref1  rel  rid  ralign  nid2  concept2  coref2

A row is one relation of the graph of sentence ``sid``; :mod:`fastmatch._ext.reading.camr_rows` says what a graph is
made of. Eight cells, without the two of co-reference, are read as ten with ``-`` there. White space around a row counts
for nothing, that within it belongs to the cells. A row whose first cell is ``sid`` or ``句子编号`` is a heading, and
passed over wherever it stands. An empty line, or the end of the text, ends a graph.

The program of the shared tasks loses a graph that no empty line follows, and takes rows of several sentences in one
block for one graph. Here the first is read, and the second is an error.
"""

cimport cython
from libc.stdint cimport int32_t, int64_t
from libc.string cimport memchr, memcmp

from fastmatch._ext.reading cimport camr_rows
from fastmatch._ext.reading.camr_rows cimport F_ID, F_OWN_ROWS, Row, id_end
from fastmatch._ext.base.lines cimport Place, Span, line_end, strip_left, strip_right
from fastmatch._ext.reading.reader cimport FINISHED, F_SIZE
from fastmatch._ext.base.columns cimport push
from fastmatch._ext.reading.rows cimport MOST_ROWS

cdef enum TupleFault:
    F_CELLS = F_OWN_ROWS, F_NO_SENTENCE, F_OTHER_SENTENCE

cdef enum:
    CELLS = 10
    FEWER_CELLS = 8
    TRIPLES_OF_A_ROW = 6    # at most: two nodes, a relation, words, two co-references


cdef bint is_heading(Place start, Place stop) noexcept nogil:
    if stop - start >= 4 and memcmp(start, b"sid\t", 4) == 0:
        return True
    return stop - start >= 13 and memcmp(start, b"\xe5\x8f\xa5\xe5\xad\x90\xe7\xbc\x96\xe5\x8f\xb7\t", 13) == 0


@cython.final
cdef class Reader(camr_rows.RowReader):
    """The dialect ``camr-tuples``; see the top of this module."""

    cdef int take_line(self, Place p, Place stop) except -1 nogil:
        cdef Place left = strip_left(p, stop), right = strip_right(left, stop)
        if left == right:
            return self.pieces.used == 0
        if not is_heading(left, right):
            if self.pieces.used == 0:
                self.begin_at(left)
            (<Span *>push(&self.pieces, sizeof(Span)))[0] = Span(left, right)
        return True

    cdef int scan_block(self) except -1 nogil:
        cdef const Span *lines = <const Span *>self.pieces.data
        cdef int64_t k
        cdef int status
        cdef Span first
        if self.pieces.used >= MOST_ROWS // TRIPLES_OF_A_ROW:
            return self.fail(F_SIZE, self.begin)
        self.begin_rows()
        for k in range(self.pieces.used):
            status = self.scan_row(lines[k].start, lines[k].stop, &first, k == 0)
            if status != FINISHED:
                return status
        self.end_rows()
        return FINISHED

    cdef int scan_row(self, Place start, Place stop, Span *sentence, bint is_first) except -1 nogil:
        """Add one row; the first one of a graph sets its ``sentence``. Returns a Status."""
        cdef Span cells[CELLS]
        cdef int32_t ids[CELLS]
        cdef Span cell
        cdef Place p = start, tab
        cdef int k, n = 0
        while True:
            tab = <Place> memchr(p, c"\t", stop - p)
            if n == CELLS:
                return self.fail(F_CELLS, start - self.text)
            cells[n].start = p
            cells[n].stop = stop if tab == NULL else tab
            n += 1
            if tab == NULL:
                break
            p = tab + 1
        if n == FEWER_CELLS:
            cells[8], cells[7] = cells[7], cells[6]
            cells[6], cells[5], cells[4] = cells[5], cells[4], cells[3]
            cells[3].start = cells[3].stop = cells[9].start = cells[9].stop = NULL
        elif n != CELLS:
            return self.fail(F_CELLS, start - self.text)
        cell.start = cells[0].start
        cell.stop = strip_right(cell.start, cells[0].stop)
        if is_first:
            if cell.start == cell.stop:
                return self.fail(F_NO_SENTENCE, start - self.text)
            p = cell.start
            while p + 1 < cell.stop:
                if p[0] == c":" and p[1] == c":":
                    return self.fail(F_NO_SENTENCE, start - self.text)
                p += 1
            sentence[0] = cell
            self.add_id_comment(cell.start, cell.stop)
        elif cell.stop - cell.start != sentence.stop - sentence.start or memcmp(
            cell.start, sentence.start, cell.stop - cell.start
        ) != 0:
            return self.fail(F_OTHER_SENTENCE, start - self.text)
        for k in range(1, CELLS):
            ids[k] = self.dash if cells[k].start == NULL else self.interner.add(
                cells[k].start, cells[k].stop - cells[k].start
            )
        if ids[2] != self.root_word or ids[4] != self.top_role:
            if cells[1].start == cells[1].stop or id_end(cells[1].start, cells[1].stop) != cells[1].stop:
                return self.fail(F_ID, cells[1].start - self.text)
        if cells[7].start == cells[7].stop or id_end(cells[7].start, cells[7].stop) != cells[7].stop:
            return self.fail(F_ID, cells[7].start - self.text)
        cdef Row row = Row(ids[1], ids[2], ids[3], ids[4], ids[5], ids[6], ids[7], ids[8], ids[9], start - self.text)
        self.add_row(&row)
        return FINISHED

    cdef str describe(self, int code, int64_t at):
        cdef Place end = self.text + self.size, stop
        if code == F_CELLS:
            stop = line_end(self.text + at, end)
            n = (<const char *>self.text)[at:stop - self.text].decode("utf-8", "replace").strip().count("\t") + 1
            return f"expected a row of 10 cells (8 without co-reference) with tabs between them, found {n}"
        if code == F_NO_SENTENCE:
            return f"expected the id of a sentence, without '::', found {self.spelled(at)}"
        if code == F_OTHER_SENTENCE:
            return f"a row of sentence {self.spelled(at)} in the graph of another one; expected an empty line before it"
        return camr_rows.RowReader.describe(self, code, at)
