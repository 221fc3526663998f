"""Graphs of a corpus in, rewritten graphs out: what all rewriting shares. See rewrite.pyx."""

from libc.stdint cimport int32_t, int64_t

from fastmatch._ext.base.search cimport lower_bound_major
from fastmatch._ext.base.sorting cimport Pair
from fastmatch._ext.graphs.columns cimport Columns


# In -------------------------------------------------------------------------------------------------------------------

cdef enum Table:
    NO_TABLE = -1, INSTANCES, ATTRIBUTES, RELATIONS


cdef struct Heads:                    # the next row of each table in a merge of the three tables of a graph
    Py_ssize_t instance, attribute, relation


cdef struct Triple:
    Py_ssize_t row                    # of its table
    int32_t source
    int32_t role                      # -1 of an instance
    int32_t target                    # a variable, or the label of a concept or value, or -1
    int32_t position, inverted


cdef inline Heads first_rows(Columns corpus, Py_ssize_t g) noexcept nogil:
    """The rows where the tables of a graph begin."""
    cdef Heads heads
    heads.instance = corpus.instance_offsets[g]
    heads.attribute = corpus.attribute_offsets[g]
    heads.relation = corpus.relation_offsets[g]
    return heads


cdef inline Table next_triple(Columns corpus, Py_ssize_t g, Heads *heads, Triple *now) noexcept nogil:
    """Take the next triple of a graph in text order: returns its table; ``NO_TABLE`` at the end."""
    cdef Table table = NO_TABLE
    cdef Py_ssize_t k = heads.relation
    if heads.instance < corpus.instance_offsets[g + 1]:
        table, now.position = INSTANCES, corpus.instances[2, heads.instance]
    if heads.attribute < corpus.attribute_offsets[g + 1] and (
            table == NO_TABLE or corpus.attributes[3, heads.attribute] < now.position):
        table, now.position = ATTRIBUTES, corpus.attributes[3, heads.attribute]
    if k < corpus.relation_offsets[g + 1] and (table == NO_TABLE or corpus.relations[3, k] < now.position):
        table, now.position, now.inverted = RELATIONS, corpus.relations[3, k], corpus.relations[4, k]
        now.source, now.role, now.target = corpus.relations[0, k], corpus.relations[1, k], corpus.relations[2, k]
        heads.relation += 1
    elif table == ATTRIBUTES:
        k = heads.attribute
        now.source, now.role, now.target = corpus.attributes[0, k], corpus.attributes[1, k], corpus.attributes[2, k]
        heads.attribute += 1
    elif table == INSTANCES:
        k = heads.instance
        now.source, now.role, now.target = corpus.instances[0, k], -1, corpus.instances[1, k]
        heads.instance += 1
    now.row = k
    return table


cdef inline Py_ssize_t find_position(const Pair *places, Py_ssize_t n, int32_t position) noexcept nogil:
    """Return the index of the entry whose ``major`` is ``position``, -1 if there is none; the entries ascend."""
    cdef Py_ssize_t k = lower_bound_major(places, 0, n, position)
    return k if k < n and places[k].major == position else -1


# Out ------------------------------------------------------------------------------------------------------------------

cdef class Output:
    cdef int32_t[::1] root
    cdef int64_t[:, ::1] offsets      # rows: variables, instances, attributes, relations, surface
    cdef int32_t[:, ::1] instances, attributes, relations, surface
    # how much is written
    cdef int64_t n_variables
    cdef Py_ssize_t n_instances, n_attributes, n_relations, n_surface

    cdef dict arrays(self)


cdef inline void put_instance(Output out, int32_t variable, int32_t concept, int32_t position) noexcept nogil:
    cdef Py_ssize_t k = out.n_instances
    out.instances[0, k], out.instances[1, k], out.instances[2, k] = variable, concept, position
    out.n_instances += 1


cdef inline void put_attribute(
    Output out, int32_t variable, int32_t role, int32_t value, int32_t position
) noexcept nogil:
    cdef Py_ssize_t k = out.n_attributes
    out.attributes[0, k], out.attributes[1, k] = variable, role
    out.attributes[2, k], out.attributes[3, k] = value, position
    out.n_attributes += 1


cdef inline void put_relation(
    Output out, int32_t source, int32_t role, int32_t target, int32_t position, int32_t inverted
) noexcept nogil:
    cdef Py_ssize_t k = out.n_relations
    out.relations[0, k], out.relations[1, k], out.relations[2, k] = source, role, target
    out.relations[3, k], out.relations[4, k] = position, inverted
    out.n_relations += 1


cdef inline void put_surface(Output out, int32_t position, int32_t part, int32_t text) noexcept nogil:
    cdef Py_ssize_t k = out.n_surface
    out.surface[0, k], out.surface[1, k], out.surface[2, k] = position, part, text
    out.n_surface += 1


cdef inline void end_graph(Output out, Py_ssize_t g, int32_t root, int64_t n_variables) noexcept nogil:
    """Close graph ``g``: its rows are those written since the graph before it was closed."""
    out.root[g] = root
    out.n_variables += n_variables
    out.offsets[0, g + 1], out.offsets[1, g + 1] = out.n_variables, out.n_instances
    out.offsets[2, g + 1], out.offsets[3, g + 1] = out.n_attributes, out.n_relations
    out.offsets[4, g + 1] = out.n_surface
