# The rows that readers write, one structure a table of the corpus. Inline in a header, so that each reader gets its own
# copy with no call through a module boundary.
from libc.stdint cimport int32_t, int64_t

from fastmatch._ext.base.columns cimport Column, room


cdef enum:
    # Rows of one graph: well inside int32, also doubled.
    MOST_ROWS = 1000000000


cdef struct GraphRow:
    int32_t root
    int32_t line
    # where the rows of the graph end
    int64_t variables
    int64_t instances
    int64_t attributes
    int64_t relations
    int64_t surface
    int64_t comments
    int64_t begin           # where the graph begins in its text


cdef struct InstanceRow:
    int32_t variable
    int32_t concept
    int32_t position


cdef struct AttributeRow:
    int32_t variable
    int32_t role
    int32_t value
    int32_t position


cdef struct RelationRow:
    int32_t source
    int32_t role
    int32_t target
    int32_t position
    int32_t inverted


cdef struct SurfaceRow:
    int32_t position
    int32_t part
    int32_t text


cdef inline bint add_instance(Column *column, int32_t variable, int32_t concept, int32_t position) noexcept nogil:
    if not room(column, 1, sizeof(InstanceRow)):
        return False
    (<InstanceRow *>column.data)[column.used] = InstanceRow(variable, concept, position)
    column.used += 1
    return True


cdef inline bint add_attribute(
    Column *column, int32_t variable, int32_t role, int32_t value, int32_t position
) noexcept nogil:
    if not room(column, 1, sizeof(AttributeRow)):
        return False
    (<AttributeRow *>column.data)[column.used] = AttributeRow(variable, role, value, position)
    column.used += 1
    return True


cdef inline bint add_relation(
    Column *column, int32_t source, int32_t role, int32_t target, int32_t position, int32_t inverted
) noexcept nogil:
    if not room(column, 1, sizeof(RelationRow)):
        return False
    (<RelationRow *>column.data)[column.used] = RelationRow(source, role, target, position, inverted)
    column.used += 1
    return True


cdef inline bint add_surface(Column *column, int32_t position, int32_t part, int32_t text) noexcept nogil:
    if not room(column, 1, sizeof(SurfaceRow)):
        return False
    (<SurfaceRow *>column.data)[column.used] = SurfaceRow(position, part, text)
    column.used += 1
    return True
