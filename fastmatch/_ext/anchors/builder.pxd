# The tables of AnCast's graphs while they grow, and the scratch memory that the modules share which fill them: words
# and relations (words.pxd), neighbourhoods (neighbours.pxd), whole graphs (graphs.pyx).
from libc.stdint cimport int32_t, int64_t, uint8_t, uint64_t
from libc.string cimport memcmp

from fastmatch._ext.base.arena cimport Arena
from fastmatch._ext.reading.interner cimport Interner
from fastmatch._ext.base.columns cimport Column, push
from fastmatch._ext.base.sorting cimport Pair

cdef enum:
    CACHED_ROLES = 256

cdef enum:
    # flags of a role
    SWAPPED = 1         # the predicate is the relation's target in the corpus
    LOST = 2            # an attribute with this role is no relation
    OP = 4              # :op1, :op2, …

cdef struct Role:
    int32_t role        # id in the corpus, -1: free
    int32_t label       # id of the canonical role
    int32_t flags
    int64_t at_source   # key in the set of roles of the relation's source
    int64_t at_target   # and of its target
    uint64_t hash       # of the canonical role's text

cdef struct Entry:      # an attribute
    int32_t node
    int32_t label
    int32_t value
    int32_t op
    int32_t position
    int64_t key


cdef class Builder:
    cdef Interner interner
    cdef const int32_t[::1] lower
    cdef const int32_t[::1] value
    cdef bint tool, ops, assume, hops
    # tables
    cdef Column offsets, heads, nodes, words, text, attribute_start, attributes, candidates, role_start, roles
    cdef Column inner, out_start, out_groups, out_start_two, out_groups_two
    cdef Column groups, in_start, in_inner, in_start_two, in_inner_two
    cdef Column pairs, label_start, labels, by_label
    # scratch of a graph; ``node_of`` and ``repeated`` are explained in number_nodes
    cdef Column node_of, repeated, concept, letters, sentence, incidents, entries, order, sorting, triples, edges_out
    cdef Column edges_in, out_one, out_one_start, in_one, in_one_start, near_out, near_out_start, near_in, near_in_start
    cdef Column names, stamps, slots, queue, steps, values, counts, group, is_inner, by_node, by_node_start
    cdef int32_t stamp
    cdef bint has_loop          # the graph has a node that is its own neighbour, which the tool sees from one end only
    cdef Role cache[CACHED_ROLES]
    cdef Arena ordering         # scratch of order.pxd

    cdef const uint8_t *string(self, int32_t index, int64_t *length) noexcept nogil
    cdef uint64_t text_hash(self, int32_t index) noexcept nogil
    cdef int32_t intern_part(self, int32_t index, int64_t length) except -1 nogil
    cdef Role *role_of(self, int32_t role) except NULL nogil
    cdef int32_t add_word(self, int32_t index) except -1 nogil
    cdef int sort(self, Column *pairs) except -1 nogil
    cdef int32_t next_stamp(self) noexcept nogil
    cdef int clear_stamps(self, int64_t n) except -1 nogil
    cdef int make_slots(self, int32_t n, int64_t *mask) except -1 nogil
    cdef int32_t node_called(self, int32_t label, int64_t start, int32_t n) noexcept nogil


cdef inline int push_pair(Column *column, int64_t major, int64_t minor) except -1 nogil:
    """Append to a column of Pair."""
    (<Pair *> push(column, sizeof(Pair)))[0] = Pair(major, minor)


cdef inline bint ends_in_of(const uint8_t *text, int64_t length) noexcept nogil:
    return length >= 3 and memcmp(text + length - 3, b"-of", 3) == 0
