# cython: language_level=3
"""Who is near whom: neighbourhoods of one and two steps, the classes of nodes that they cannot tell apart, descendants.

AnCast's broadcast looks at graphs through two matrices a side: which nodes are within two steps along relations (*out*)
and against them (*in*). Two nodes with the same out and in neighbourhoods cannot be told apart by it. They are put into
one *class* here, and the broadcast (``ancast_broadcast.pyx``) works on classes: 400 identical siblings are one. Nothing
is lost: if t has a neighbour u, it has every node of u's class as a neighbour, since membership of u in t's
out-neighbourhood is the same fact as membership of t in u's in-neighbourhood. The neighbourhoods themselves are
numbered too, because they are shared more widely: all leaves have the empty one, all children of a node the same parent
and grandparents.

The tool's reader can declare a variable twice; the second declaration is an object of its own whose children hang off
it, while only the first is ever visited. Its relations are then seen from the other end alone, the in and out matrices
are no longer transposes of each other, and every node of such a graph is a class of its own.
"""

from libc.stdint cimport int32_t, int64_t, uint64_t

from fastmatch._ext.ancast_builder cimport Builder, mix, push, push_pair
from fastmatch._ext.ancast_graphs cimport C_IN, C_OUT, C_SIZE, CLASS_ROWS, N_CLASS, N_REACH, NODE_ROWS
from fastmatch._ext.rows cimport Column, add_int32, room
from fastmatch._ext.sorting cimport Pair


cdef bint neighbours(Builder self, Column *edges, Column *one, Column *one_start, Column *two, Column *two_start,
                     int32_t n) noexcept nogil:
    """Neighbours one step away, and those at most two steps away without the node itself, as lists a node."""
    cdef const Pair *edge
    cdef const int32_t *first
    cdef const int64_t *start
    cdef int32_t i, j, k, stamp
    cdef int32_t *stamps = <int32_t *> self.stamps.data
    cdef int64_t e = 0, at, deeper
    one.used = one_start.used = two.used = two_start.used = 0
    if not self.sort(edges):
        return False
    edge = <const Pair *> edges.data
    for i in range(n):
        if not push(one_start, one.used):
            return False
        while e < edges.used and edge[e].major == i:
            if e == 0 or edge[e - 1].major != i or edge[e - 1].minor != edge[e].minor:
                if not add_int32(one, <int32_t> edge[e].minor):
                    return False
            e += 1
    if not push(one_start, one.used):
        return False
    first = <const int32_t *> one.data
    start = <const int64_t *> one_start.data
    for i in range(n):
        if not push(two_start, two.used):
            return False
        stamp = self.next_stamp()
        stamps[i] = stamp
        for at in range(start[i], start[i + 1]):
            j = first[at]
            if stamps[j] != stamp:
                stamps[j] = stamp
                if not add_int32(two, j):
                    return False
        for at in range(start[i], start[i + 1]):
            j = first[at]
            for deeper in range(start[j], start[j + 1]):
                k = first[deeper]
                if stamps[k] != stamp:
                    stamps[k] = stamp
                    if not add_int32(two, k):
                        return False
    return push(two_start, two.used)


cdef bint same_members(Builder self, const Column *sets, const Column *starts, int32_t i, int32_t j) noexcept nogil:
    cdef const int32_t *members = <const int32_t *> sets.data
    cdef const int64_t *start = <const int64_t *> starts.data
    cdef int32_t *stamps = <int32_t *> self.stamps.data
    cdef int32_t stamp
    cdef int64_t at
    if start[i + 1] - start[i] != start[j + 1] - start[j]:
        return False
    stamp = self.next_stamp()
    for at in range(start[i], start[i + 1]):
        stamps[members[at]] = stamp
    for at in range(start[j], start[j + 1]):
        if stamps[members[at]] != stamp:
            return False
    return True


cdef bint order_sets(Builder self, const int64_t *start, Column *number, int32_t n) noexcept nogil:
    """Number the sets by their size, so that loops over their members run equally long most of the time."""
    cdef int32_t k, i
    cdef int32_t *first = <int32_t *> self.queue.data
    cdef int32_t *numbers = <int32_t *> number.data
    cdef const Pair *pair
    self.order.used = 0
    for k in range(<int32_t> self.queue.used):
        i = first[k]
        if not push_pair(&self.order, start[i + 1] - start[i], (<int64_t> k << 32) | i):
            return False
    if not self.sort(&self.order):
        return False
    pair = <const Pair *> self.order.data
    for k in range(<int32_t> self.queue.used):
        first[pair[k].minor >> 32] = k      # for a moment: old number → new one
    for i in range(n):
        numbers[i] = first[numbers[i]]
    for k in range(<int32_t> self.queue.used):
        first[k] = <int32_t> pair[k].minor
    return True


cdef bint number_sets(Builder self, const Column *sets, const Column *starts, Column *number, int32_t n) noexcept nogil:
    """Equal neighbourhoods get one number. ``queue``: the first node that has each of them."""
    cdef int32_t i, other, found
    cdef int64_t mask, slot, at
    cdef uint64_t h
    cdef int32_t *slots
    cdef const int32_t *members = <const int32_t *> sets.data
    cdef const int64_t *start = <const int64_t *> starts.data
    self.queue.used = number.used = 0
    if not self.make_slots(n, &mask):
        return False
    slots = <int32_t *> self.slots.data
    for i in range(n):
        h = 0
        for at in range(start[i], start[i + 1]):
            h += mix(members[at])
        slot = <int64_t> (mix(h) & <uint64_t> mask)
        while True:
            other = slots[slot]
            if other < 0 or same_members(self, sets, starts, i, other):
                break
            slot = (slot + 1) & mask
        if other < 0:
            slots[slot] = i
            found = <int32_t> self.queue.used
            if not add_int32(&self.queue, i):
                return False
        else:
            found = (<const int32_t *> number.data)[other]
        if not add_int32(number, found):
            return False
    return order_sets(self, start, number, n)


cdef bint add_sets(
    Builder self, const int32_t *nodes, const Column *sets, const Column *starts, Column *sizes, Column *class_start,
    Column *classes
) noexcept nogil:
    """The neighbourhoods that ``number_sets`` found, as the classes that they are made of."""
    cdef const int32_t *members = <const int32_t *> sets.data
    cdef const int64_t *start = <const int64_t *> starts.data
    cdef int32_t *stamps = <int32_t *> self.stamps.data
    cdef int32_t i, k, stamp, group
    cdef int64_t at
    for k in range(<int32_t> self.queue.used):
        i = (<const int32_t *> self.queue.data)[k]
        if not push(class_start, classes.used) or not add_int32(sizes, <int32_t> (start[i + 1] - start[i])):
            return False
        stamp = self.next_stamp()
        for at in range(start[i], start[i + 1]):
            group = nodes[NODE_ROWS * members[at] + N_CLASS]
            if stamps[group] != stamp:
                stamps[group] = stamp
                if not add_int32(classes, group):
                    return False
    return True


cdef bint order_classes(Builder self, int32_t *nodes, int32_t n, int64_t first) noexcept nogil:
    """Number a graph's classes by their neighbourhoods: usually only leaves share an outgoing one, and come first,

    so that what is known of outgoing neighbourhoods is known of classes, see ``receive`` in ``ancast.pyx``.
    """
    cdef int32_t k, i, count = <int32_t> (self.classes.used - first)
    cdef int32_t *row = <int32_t *> self.classes.data + CLASS_ROWS * first
    cdef int32_t *places = <int32_t *> self.slots.data
    cdef const Pair *pair
    self.order.used = 0
    for k in range(count):
        if not push_pair(
            &self.order, (<int64_t> row[CLASS_ROWS * k + C_OUT] << 32) | row[CLASS_ROWS * k + C_IN],
            (<int64_t> k << 32) | row[CLASS_ROWS * k + C_SIZE],
        ):
            return False
    if not self.sort(&self.order):
        return False
    pair = <const Pair *> self.order.data
    for k in range(count):
        places[pair[k].minor >> 32] = k
        row[CLASS_ROWS * k + C_SIZE] = <int32_t> pair[k].minor
        row[CLASS_ROWS * k + C_OUT] = <int32_t> (pair[k].major >> 32)
        row[CLASS_ROWS * k + C_IN] = <int32_t> pair[k].major
    for i in range(n):
        nodes[NODE_ROWS * i + N_CLASS] = places[nodes[NODE_ROWS * i + N_CLASS]]
    return True


cdef bint classify(Builder self, int32_t *nodes, int32_t n, bint apart) noexcept nogil:
    """Nodes with the same two neighbourhoods become one class; ``apart``: none do."""
    cdef int32_t i, c = 0, other
    cdef int64_t mask, slot, first_class = self.classes.used
    cdef int32_t *slots
    cdef int32_t *row
    cdef const int32_t *out_set
    cdef const int32_t *in_set
    if (not number_sets(self, &self.in_two, &self.in_two_start, &self.in_set, n)
            or not number_sets(self, &self.out_two, &self.out_two_start, &self.out_set, n)
            or not self.make_slots(n, &mask)):
        return False
    slots = <int32_t *> self.slots.data
    out_set = <const int32_t *> self.out_set.data
    in_set = <const int32_t *> self.in_set.data
    for i in range(n):
        other = -1
        if not apart:
            slot = <int64_t> (mix(<uint64_t> out_set[i] << 32 | <uint64_t> in_set[i]) & <uint64_t> mask)
            while True:
                other = slots[slot]
                if other < 0 or (out_set[other] == out_set[i] and in_set[other] == in_set[i]):
                    break
                slot = (slot + 1) & mask
            if other < 0:
                slots[slot] = i
        if other >= 0:
            nodes[NODE_ROWS * i + N_CLASS] = nodes[NODE_ROWS * other + N_CLASS]
            (<int32_t *> self.classes.data)[
                CLASS_ROWS * (first_class + nodes[NODE_ROWS * i + N_CLASS]) + C_SIZE
            ] += 1
            continue
        if not room(&self.classes, 1, CLASS_ROWS * sizeof(int32_t)):
            return False
        row = <int32_t *> self.classes.data + CLASS_ROWS * self.classes.used
        row[C_SIZE], row[C_OUT], row[C_IN] = 1, out_set[i], in_set[i]
        nodes[NODE_ROWS * i + N_CLASS] = c
        self.classes.used += 1
        c += 1
    if not order_classes(self, nodes, n, first_class):
        return False
    # queue is still that of the outgoing ones
    return (
        add_sets(self, nodes, &self.out_two, &self.out_two_start, &self.out_sizes, &self.out_start,
                 &self.out_classes)
        and number_sets(self, &self.in_two, &self.in_two_start, &self.in_set, n)
        and add_sets(self, nodes, &self.in_two, &self.in_two_start, &self.in_sizes, &self.in_start,
                     &self.in_classes)
    )


cdef bint count_reachable(Builder self, int32_t *nodes, int32_t n) noexcept nogil:
    cdef int32_t i, j, k, stamp
    cdef int32_t *stamps = <int32_t *> self.stamps.data
    cdef const int32_t *first = <const int32_t *> self.out_one.data
    cdef const int64_t *start = <const int64_t *> self.out_one_start.data
    cdef int64_t at, done
    for i in range(n):
        stamp = self.next_stamp()
        self.queue.used = 0
        done = -1
        j = i
        while True:
            for at in range(start[j], start[j + 1]):
                k = first[at]
                if stamps[k] != stamp:
                    stamps[k] = stamp
                    if not add_int32(&self.queue, k):
                        return False
            done += 1
            if done >= self.queue.used:
                break
            j = (<const int32_t *> self.queue.data)[done]
        nodes[NODE_ROWS * i + N_REACH] = <int32_t> self.queue.used
    return True
