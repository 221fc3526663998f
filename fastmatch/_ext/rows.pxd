# The rows that readers write, in arenas that grow. Inline in a header, so that each reader gets its own copy with no call
# through a module boundary.
from libc.stdint cimport int32_t, int64_t
from libc.stdlib cimport free, realloc


cdef enum:
    # Rows of one graph: well inside int32, also doubled.
    MOST_ROWS = 1000000000


cdef struct Column:
    void *data
    int64_t used
    int64_t capacity


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


cdef inline bint enlarge(Column *column, int64_t extra, int64_t size) noexcept nogil:
    cdef int64_t capacity = column.capacity + (column.capacity >> 1) + 16
    cdef void *data
    if capacity < column.used + extra:
        capacity = column.used + extra
    data = realloc(column.data, capacity * size)
    if data == NULL:
        return False
    column.data = data
    column.capacity = capacity
    return True


cdef inline bint room(Column *column, int64_t extra, int64_t size) noexcept nogil:
    return column.used + extra <= column.capacity or enlarge(column, extra, size)


cdef inline void release(Column *column) noexcept nogil:
    free(column.data)
    column.data = NULL
    column.used = 0
    column.capacity = 0


cdef inline bint add_instance(Column *column, int32_t variable, int32_t concept, int32_t position) noexcept nogil:
    cdef InstanceRow *row
    if not room(column, 1, sizeof(InstanceRow)):
        return False
    row = <InstanceRow *>column.data + column.used
    row.variable = variable
    row.concept = concept
    row.position = position
    column.used += 1
    return True


cdef inline bint add_attribute(
    Column *column, int32_t variable, int32_t role, int32_t value, int32_t position
) noexcept nogil:
    cdef AttributeRow *row
    if not room(column, 1, sizeof(AttributeRow)):
        return False
    row = <AttributeRow *>column.data + column.used
    row.variable = variable
    row.role = role
    row.value = value
    row.position = position
    column.used += 1
    return True


cdef inline bint add_relation(
    Column *column, int32_t source, int32_t role, int32_t target, int32_t position, int32_t inverted
) noexcept nogil:
    cdef RelationRow *row
    if not room(column, 1, sizeof(RelationRow)):
        return False
    row = <RelationRow *>column.data + column.used
    row.source = source
    row.role = role
    row.target = target
    row.position = position
    row.inverted = inverted
    column.used += 1
    return True


cdef inline bint add_surface(Column *column, int32_t position, int32_t part, int32_t text) noexcept nogil:
    cdef SurfaceRow *row
    if not room(column, 1, sizeof(SurfaceRow)):
        return False
    row = <SurfaceRow *>column.data + column.used
    row.position = position
    row.part = part
    row.text = text
    column.used += 1
    return True


cdef inline bint add_int32(Column *column, int32_t value) noexcept nogil:
    if not room(column, 1, sizeof(int32_t)):
        return False
    (<int32_t *>column.data)[column.used] = value
    column.used += 1
    return True
