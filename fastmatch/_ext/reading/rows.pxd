# The rows that readers write, one structure a table of the corpus. Inline in a header, so that each reader gets its own
# copy with no call through a module boundary.
from libc.stdint cimport int32_t, int64_t

from fastmatch._ext.base.columns cimport Column, push


cdef enum:
    # Rows of one graph: well inside int32, also doubled.
    MOST_ROWS = 1000000000


cdef struct GraphRow:       # of 64 bytes: more, and memory for the rows of one small graph takes longer to get
    int32_t root, line
    # where the rows of the graph end
    int64_t variables, instances, attributes, relations, surface, comments
    int64_t begin           # where the graph begins in its text


cdef struct InstanceRow:
    int32_t variable, concept, position


cdef struct AttributeRow:
    int32_t variable, role, value, position


cdef struct RelationRow:
    int32_t source, role, target, position, inverted


cdef struct SurfaceRow:
    int32_t position, part, text


cdef inline int add_instance(Column *column, int32_t variable, int32_t concept, int32_t position) except -1 nogil:
    (<InstanceRow *>push(column, sizeof(InstanceRow)))[0] = InstanceRow(variable, concept, position)


cdef inline int add_attribute(
    Column *column, int32_t variable, int32_t role, int32_t value, int32_t position
) except -1 nogil:
    (<AttributeRow *>push(column, sizeof(AttributeRow)))[0] = AttributeRow(variable, role, value, position)


cdef inline int add_relation(
    Column *column, int32_t source, int32_t role, int32_t target, int32_t position, int32_t inverted
) except -1 nogil:
    (<RelationRow *>push(column, sizeof(RelationRow)))[0] = RelationRow(source, role, target, position, inverted)


cdef inline int add_surface(Column *column, int32_t position, int32_t part, int32_t text) except -1 nogil:
    (<SurfaceRow *>push(column, sizeof(SurfaceRow)))[0] = SurfaceRow(position, part, text)
