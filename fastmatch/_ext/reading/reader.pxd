# cython: language_level=3
"""What all readers share: see reader.pyx. A reader cimports this and subclasses ``Reader``."""

from libc.stdint cimport int32_t, int64_t, uint32_t, uint64_t
from libc.string cimport memset

from fastmatch._ext.reading.interner cimport Interner
from fastmatch._ext.reading.rows cimport AttributeRow, GraphRow, InstanceRow, RelationRow, SurfaceRow
from fastmatch._ext.base.columns cimport Column, push_int32
from fastmatch._ext.base.lines cimport Place


cdef enum Status:
    FINISHED        # at the end of the text
    PAUSED          # as many graphs as were asked for
    FAULTY = -2     # self.fault_code, self.fault_at; below all places and numbers, which may stand for FINISHED

cdef enum Fault:
    F_NONE, F_SIZE, F_UTF8, F_JUNK, F_CLOSE, F_NO_GRAPH, F_MORE_GRAPHS
    F_OWN           # from here on, a reader's own


cdef class Reader:
    cdef Interner interner
    cdef readonly list problems     # (index, message, line, column) of the graphs that an empty one stands for
    cdef readonly list stops        # for each of them, where its text ends: reading went on there
    cdef readonly object fault      # (message, line, column, text, place in text) of the last error, or None

    cdef Column graphs, variables, instances, attributes, relations, surface, comments

    # the text that is being read
    cdef Place text
    cdef int64_t size
    cdef int64_t position           # where reading goes on, and the line there
    cdef int64_t line
    cdef int64_t invalid            # next byte that is no UTF-8, or size
    cdef int64_t begin              # where the graph that is being read begins
    cdef int64_t begin_line
    cdef bint single                # the text must hold exactly one graph
    cdef bint attached              # nothing but spaces since the last graph ended: junk here spoils that graph
    cdef int64_t anchor             # a place before all that belongs to this graph, and its line
    cdef int64_t anchor_line
    cdef int fault_code
    cdef int64_t fault_at
    cdef int64_t n_lost             # things that graphs can do without, left out of those read

    # What a dialect defines:
    cdef void restart(self) noexcept nogil                          # a new text begins
    cdef int scan(self, int64_t limit) except -1 nogil              # a Status; the interner's lock is held
    cdef void blame(self, int *code, int64_t *at) noexcept nogil    # name the error better than the scan could
    cdef void recover(self) noexcept nogil                          # put position and line behind the broken graph
    cdef str describe(self, int code, int64_t at)                   # the message
    cdef bint settled(self) noexcept nogil                          # another reader could go on from here

    # For the scans. Where there is no memory, these and the scans themselves raise MemoryError.
    cdef int fail(self, int code, int64_t at) noexcept nogil
    cdef int add_comment(self, Place text, int64_t length) except -1 nogil
    cdef int close_graph(self, int32_t root) except -1 nogil

    cdef int64_t comments_kept(self) noexcept nogil
    cdef void cut_back(self, bint comments_too) noexcept nogil
    cdef tuple locate(self, int code, int64_t at)
    cdef int64_t feed_buffer(
        self, int64_t size, int on_error, bint single, int64_t start, int64_t limit, int64_t line, bint part
    ) except -3


cdef inline GraphRow last_graph(Reader self) noexcept nogil:
    """The row of the last graph that is finished: the rows of the next one begin where its own end."""
    cdef GraphRow row
    if self.graphs.used:
        row = (<const GraphRow *>self.graphs.data)[self.graphs.used - 1]
    else:
        memset(&row, 0, sizeof(GraphRow))
    return row


cdef inline void close_up(Reader self, int32_t *gone, int32_t n) noexcept nogil:
    """Number the triples of the graph that is being read anew, where ``gone`` is 1 for each of n positions left out."""
    cdef InstanceRow *instances = <InstanceRow *>self.instances.data
    cdef AttributeRow *attributes = <AttributeRow *>self.attributes.data
    cdef RelationRow *relations = <RelationRow *>self.relations.data
    cdef SurfaceRow *surface = <SurfaceRow *>self.surface.data
    cdef GraphRow first = last_graph(self)
    cdef int64_t i
    for i in range(1, n):
        gone[i] += gone[i - 1]
    for i in range(first.instances, self.instances.used):
        instances[i].position -= gone[instances[i].position]
    for i in range(first.attributes, self.attributes.used):
        attributes[i].position -= gone[attributes[i].position]
    for i in range(first.relations, self.relations.used):
        relations[i].position -= gone[relations[i].position]
    for i in range(first.surface, self.surface.used):
        surface[i].position -= gone[surface[i].position]


cdef inline int32_t variable_of(Reader self, int32_t name, uint64_t stamp, int64_t first) except -1 nogil:
    """Number of a variable in its graph, whose variables begin at ``first``; it is made if it is new."""
    if name >= self.interner.marks_capacity:
        self.interner.reserve_marks()
    cdef uint64_t mark = self.interner.marks[name]
    if mark >> 32 == stamp:
        return <int32_t><uint32_t>mark
    self.interner.marks[name] = (stamp << 32) | <uint64_t>(self.variables.used - first)
    push_int32(&self.variables, name)
    return <int32_t>(self.variables.used - 1 - first)


cdef inline int32_t marked(Interner interner, int32_t name, uint64_t stamp) noexcept nogil:
    """What the string ``name`` is marked with under this stamp, or -1."""
    if name >= interner.marks_capacity:
        return -1
    cdef uint64_t mark = interner.marks[name]
    return <int32_t><uint32_t>mark if mark >> 32 == stamp else -1
