# cython: language_level=3
"""Neighbourhoods of one and two steps, the nodes that they cannot tell apart, and the number of descendants.

AnCast's broadcast looks at a graph through two matrices: which nodes are within two steps of a node along relations
(the *out-neighbourhood*), and against them (the *in-neighbourhood*). Nodes with the same in-neighbourhood, such as
siblings in a tree, are a *group*. That u is in t's out-neighbourhood is the same fact as that t is in u's
in-neighbourhood, so a node that has one node of a group in its out-neighbourhood has all of the group:
out-neighbourhoods consist of whole groups, and sums over them are sums of sums over groups. Nodes with an
out-neighbourhood are *inner nodes*; only they occur in in-neighbourhoods. The other nodes are *leaves*, and the leaves
of a group are alike: 400 of them have one value (``broadcast.pxd``).

Where one step and two steps are told apart (``hops``), a neighbourhood is two lists. In that of two steps a node occurs
once for every way that leads to it, and what was said of membership holds for how often a node occurs.

The tool's reader can declare a variable twice. The second declaration is an object of its own which has the children of
that place, but only the first is ever visited. Relations of the second are then seen from the other end alone, and the
two matrices are no longer transposes of each other. In such a graph every node is a group of its own and counts as an
inner node.
"""

from libc.stdint cimport int32_t, int64_t, uint64_t, uint8_t
from libc.string cimport memset

from fastmatch._ext.anchors.builder cimport Builder, push_pair
from fastmatch._ext.anchors.layout cimport (
    GROUP_ROWS, G_FIRST, G_FOLD, G_INNER, G_NODES, G_ORDER, G_SIZE, INNER_ROWS, I_GROUP, I_ORDER, I_SIZE, NODE_ROWS,
    N_GROUP, N_INNER, N_REACH,
)
from fastmatch._ext.base.columns cimport Column, fresh, push_int32, push_int64, reserve
from fastmatch._ext.base.random cimport mix_next
from fastmatch._ext.base.sorting cimport Pair


cdef inline int neighbours(
    Builder self, Column *edges, Column *one, Column *one_start, Column *near, Column *near_start, int32_t n
) except -1 nogil:
    """Lists of neighbours for each node: ``one`` step away, and ``near``, at most two steps away without the node
    itself.

    If one step and two steps are told apart, ``near`` lists the neighbours u one step away, the node itself included if
    it is one, and n + u for each way to another node u in two steps. ``edges`` are (node, neighbour) and get sorted.
    """
    cdef int32_t i, j, k, stamp
    cdef int32_t *stamps = <int32_t *> self.stamps.data
    cdef int64_t e = 0, at, deeper
    one.used = one_start.used = near.used = near_start.used = 0
    self.sort(edges)
    cdef const Pair *edge = <const Pair *> edges.data
    for i in range(n):
        push_int64(one_start, one.used)
        while e < edges.used and edge[e].major == i:
            if e == 0 or edge[e - 1].major != i or edge[e - 1].minor != edge[e].minor:
                push_int32(one, <int32_t> edge[e].minor)
            e += 1
    push_int64(one_start, one.used)
    cdef const int32_t *first = <const int32_t *> one.data
    cdef const int64_t *start = <const int64_t *> one_start.data
    for i in range(n):
        push_int64(near_start, near.used)
        stamp = self.next_stamp()
        stamps[i] = stamp
        for at in range(start[i], start[i + 1]):
            j = first[at]
            if self.hops or stamps[j] != stamp:
                stamps[j] = stamp
                push_int32(near, j)
        for at in range(start[i], start[i + 1]):
            j = first[at]
            for deeper in range(start[j], start[j + 1]):
                k = first[deeper]
                if self.hops:
                    if k != i:
                        push_int32(near, n + k)
                elif stamps[k] != stamp:
                    stamps[k] = stamp
                    push_int32(near, k)
    push_int64(near_start, near.used)


cdef inline bint same_members(Builder self, int32_t i, int32_t j) noexcept nogil:
    """Whether two nodes have the same in-neighbourhood: every node as often."""
    cdef const int32_t *members = <const int32_t *> self.near_in.data
    cdef const int64_t *start = <const int64_t *> self.near_in_start.data
    cdef int32_t *counts = <int32_t *> self.counts.data
    cdef int64_t at
    cdef bint same = True
    if start[i + 1] - start[i] != start[j + 1] - start[j]:
        return False
    for at in range(start[i], start[i + 1]):
        counts[members[at]] += 1
    for at in range(start[j], start[j + 1]):
        counts[members[at]] -= 1
    for at in range(start[i], start[i + 1]):
        same &= counts[members[at]] == 0
        counts[members[at]] = 0
    for at in range(start[j], start[j + 1]):
        counts[members[at]] = 0
    return same


cdef inline int number_groups(Builder self, int32_t n, bint apart) except -1 nogil:
    """Number the different in-neighbourhoods; ``apart`` takes them all for different.

    ``group`` becomes the number of each node, ``queue`` the first node of each number.
    """
    cdef int32_t i, other, found
    cdef int64_t mask, slot, at
    cdef uint64_t h
    cdef const int32_t *members = <const int32_t *> self.near_in.data
    cdef const int64_t *start = <const int64_t *> self.near_in_start.data
    self.queue.used = self.group.used = 0
    self.make_slots(n, &mask)
    memset(fresh(&self.counts, 2 * n, sizeof(int32_t)), 0, 2 * n * sizeof(int32_t))
    cdef int32_t *slots = <int32_t *> self.slots.data
    for i in range(n):
        other = -1
        if not apart:
            h = 0
            for at in range(start[i], start[i + 1]):
                h += mix_next(members[at])
            slot = <int64_t> (mix_next(h) & <uint64_t> mask)
            while True:
                other = slots[slot]
                if other < 0 or same_members(self, i, other):
                    break
                slot = (slot + 1) & mask
        if other < 0:
            if not apart:
                slots[slot] = i
            found = <int32_t> self.queue.used
            push_int32(&self.queue, i)
        else:
            found = (<const int32_t *> self.group.data)[other]
        push_int32(&self.group, found)


cdef inline int order_groups(Builder self, int32_t n) except -1 nogil:
    """Renumber the groups: those with leaves first, within these by the size of the in-neighbourhood.

    So groups that follow each other take equally long.
    """
    cdef int32_t k, i, count = <int32_t> self.queue.used
    cdef int32_t *first = <int32_t *> self.queue.data
    cdef int32_t *group = <int32_t *> self.group.data
    cdef int32_t *leaves = <int32_t *> self.counts.data
    cdef const int64_t *start = <const int64_t *> self.near_in_start.data
    cdef const uint8_t *inner = <const uint8_t *> self.is_inner.data
    for i in range(n):
        leaves[group[i]] |= not inner[i]
    self.order.used = 0
    for k in range(count):
        i = first[k]
        push_pair(&self.order, (<int64_t> (not leaves[k]) << 32) | (start[i + 1] - start[i]), (<int64_t> k << 32) | i)
        leaves[k] = 0
    self.sort(&self.order)
    cdef const Pair *pair = <const Pair *> self.order.data
    for k in range(count):
        first[pair[k].minor >> 32] = k      # until the loop after the next: old number → new one
    for i in range(n):
        group[i] = first[group[i]]
    for k in range(count):
        first[k] = <int32_t> pair[k].minor


cdef inline int classify(Builder self, int32_t *nodes, int32_t n, bint apart) except -1 nogil:
    """Add the rows of ``groups`` and ``inner``, and the neighbourhoods of either as lists of the other.

    ``apart``: every node is a group of its own, and an inner node.
    """
    cdef int32_t i, k, c = 0, count, leaf_groups = 0
    cdef int64_t first_group = self.groups.used, first_inner = self.inner.used
    cdef const int64_t *start = <const int64_t *> self.near_in_start.data
    cdef const int64_t *out = <const int64_t *> self.near_out_start.data
    cdef uint8_t *inner = <uint8_t *> fresh(&self.is_inner, n, 1)
    for i in range(n):
        inner[i] = apart or out[i] < out[i + 1]
    number_groups(self, n, apart)
    order_groups(self, n)
    cdef const int32_t *group = <const int32_t *> self.group.data
    cdef const int32_t *first = <const int32_t *> self.queue.data
    count = <int32_t> self.queue.used
    reserve(&self.groups, count, GROUP_ROWS * sizeof(int32_t))
    cdef int32_t *row = <int32_t *> self.groups.data + GROUP_ROWS * first_group
    for k in range(count):
        i = first[k]
        row[GROUP_ROWS * k + G_NODES] = row[GROUP_ROWS * k + G_INNER] = row[GROUP_ROWS * k + G_FIRST] = 0
        row[GROUP_ROWS * k + G_SIZE] = <int32_t> (start[i + 1] - start[i])
    self.groups.used += count
    self.order.used = 0
    for i in range(n):
        nodes[NODE_ROWS * i + N_GROUP] = group[i]
        nodes[NODE_ROWS * i + N_INNER] = -1
        row[GROUP_ROWS * group[i] + G_NODES] += 1
        row[GROUP_ROWS * group[i] + G_INNER] += inner[i]
        if inner[i]:
            push_pair(&self.order, group[i], i)
    for k in range(count):
        row[GROUP_ROWS * k + G_FIRST] = c
        c += row[GROUP_ROWS * k + G_INNER]
        leaf_groups += row[GROUP_ROWS * k + G_NODES] > row[GROUP_ROWS * k + G_INNER]
    self.sort(&self.order)
    reserve(&self.inner, c, INNER_ROWS * sizeof(int32_t))
    cdef const Pair *pair = <const Pair *> self.order.data
    row = <int32_t *> self.inner.data + INNER_ROWS * first_inner
    for k in range(c):
        i = <int32_t> pair[k].minor
        nodes[NODE_ROWS * i + N_INNER] = k
        row[INNER_ROWS * k + I_GROUP] = group[i]
        row[INNER_ROWS * k + I_SIZE] = <int32_t> (out[i + 1] - out[i])
    self.inner.used += c
    for k in range(c):      # in the order of the inner nodes
        add_out_set(self, <int32_t> pair[k].minor, n)
    for k in range(count):
        add_in_set(self, nodes, first[k], n)
    order_sets(self, row, INNER_ROWS, I_ORDER, <const int64_t *> self.out_start.data + first_inner, c,
               self.out_groups.used)
    row = <int32_t *> self.groups.data + GROUP_ROWS * first_group
    order_sets(self, row, GROUP_ROWS, G_ORDER, <const int64_t *> self.in_start.data + first_group, count,
               self.in_inner.used)
    self.order.used = 0
    for k in range(count):
        push_pair(&self.order, row[GROUP_ROWS * k + G_INNER], k)
    set_order(self, row, GROUP_ROWS, G_FOLD)
    push_int32(&self.heads, leaf_groups)


cdef inline int add_out_set(Builder self, int32_t i, int32_t n) except -1 nogil:
    """Add the out-neighbourhood of node i: the groups that it consists of, in lists of one and of two steps."""
    cdef const int32_t *members = <const int32_t *> self.near_out.data
    cdef const int64_t *start = <const int64_t *> self.near_out_start.data
    cdef const int32_t *group = <const int32_t *> self.group.data
    cdef int32_t *stamps = <int32_t *> self.stamps.data
    cdef int32_t *leader = <int32_t *> self.counts.data     # of each group the node that is counted for it
    cdef int32_t stamp = self.next_stamp(), far = self.next_stamp(), u, k
    cdef int64_t at
    push_int64(&self.out_start, self.out_groups.used)
    push_int64(&self.out_start_two, self.out_groups_two.used)
    for at in range(start[i], start[i + 1]):
        u = members[at]
        if u < n:
            k = group[u]
            if stamps[k] != stamp:
                stamps[k] = stamp
                push_int32(&self.out_groups, k)
        else:
            k = group[u - n]
            if stamps[k] != far:
                stamps[k] = far
                leader[k] = u
            if leader[k] == u:
                push_int32(&self.out_groups_two, k)


cdef inline int add_in_set(Builder self, const int32_t *nodes, int32_t i, int32_t n) except -1 nogil:
    """Add the in-neighbourhood of node i: inner nodes, in lists of one and of two steps."""
    cdef const int32_t *members = <const int32_t *> self.near_in.data
    cdef const int64_t *start = <const int64_t *> self.near_in_start.data
    cdef int32_t u
    cdef int64_t at
    push_int64(&self.in_start, self.in_inner.used)
    push_int64(&self.in_start_two, self.in_inner_two.used)
    for at in range(start[i], start[i + 1]):
        u = members[at]
        if u < n:
            push_int32(&self.in_inner, nodes[NODE_ROWS * u + N_INNER])
        else:
            push_int32(&self.in_inner_two, nodes[NODE_ROWS * (u - n) + N_INNER])


cdef inline int set_order(Builder self, int32_t *row, int32_t n_rows, int32_t which) except -1 nogil:
    """Sort ``order``, pairs of a size and a number, and write the numbers into row ``which``."""
    cdef int64_t k
    self.sort(&self.order)
    for k in range(self.order.used):
        row[n_rows * k + which] = <int32_t> (<const Pair *> self.order.data)[k].minor


cdef inline int order_sets(
    Builder self, int32_t *row, int32_t n_rows, int32_t which, const int64_t *start, int32_t n, int64_t stop
) except -1 nogil:
    """Set row ``which``: the n lists by their length, so that most loops over them are as long as the one before.

    The lists begin at ``start``, and the last one ends at ``stop``.
    """
    cdef int32_t k
    self.order.used = 0
    for k in range(n):
        push_pair(&self.order, (start[k + 1] if k + 1 < n else stop) - start[k], k)
    return set_order(self, row, n_rows, which)


cdef inline int32_t walk(Builder self, int32_t i) except -1 nogil:
    """How many nodes are reached from node i over one edge or more."""
    cdef int32_t k, stamp = self.next_stamp()
    cdef int32_t *stamps = <int32_t *> self.stamps.data
    cdef const int32_t *first = <const int32_t *> self.out_one.data
    cdef const int64_t *start = <const int64_t *> self.out_one_start.data
    cdef int64_t at, done = 0
    self.queue.used = 0
    while True:
        for at in range(start[i], start[i + 1]):
            k = first[at]
            if stamps[k] != stamp:
                stamps[k] = stamp
                push_int32(&self.queue, k)
        if done == self.queue.used:
            return <int32_t> self.queue.used
        i = (<const int32_t *> self.queue.data)[done]
        done += 1


cdef struct Step:
    # A node in the search of Tarjan (1972, "Depth-first search and linear graph algorithms") for nodes that reach each
    # other.
    int64_t at                        # the next of its edges
    int32_t number, low               # in the order found, from 1; the lowest that it is known to reach
    int32_t part                      # first found of those that reach each other and it, -1 while that is not known
    int32_t reach                     # nodes that this part reaches, its own among them
    int32_t node, caller              # the k-th node that waits for its part; the k-th caller


cdef inline int32_t close_part(Builder self, Step *x, int32_t *nodes, int32_t v, int32_t waiting) except -1 nogil:
    """Count what the nodes reach that reach each other and v: the last that wait. Returns how many wait then."""
    cdef const int32_t *first = <const int32_t *> self.out_one.data
    cdef const int64_t *start = <const int64_t *> self.out_one_start.data
    cdef int32_t k, w, left = waiting, other = -1
    cdef int64_t at
    cdef bint circle = False, several = False
    while x[v].part < 0:
        left -= 1
        x[x[left].node].part = v
    for k in range(left, waiting):
        for at in range(start[x[k].node], start[x[k].node + 1]):
            w = x[first[at]].part
            if w == v:
                circle = True
            elif w != other:
                several, other = other >= 0, w
    if several:
        x[v].reach = walk(self, v) + (not circle)
    else:
        x[v].reach = waiting - left + (x[other].reach if other >= 0 else 0)
    for k in range(left, waiting):
        nodes[NODE_ROWS * x[k].node + N_REACH] = x[v].reach - (not circle)
    return left


cdef inline int count_reachable(Builder self, int32_t *nodes, int32_t n) except -1 nogil:
    """Set N_REACH: how many nodes are reached from each over one edge or more.

    Nodes that reach each other reach the same. Where they lead to one other such part only, they reach what that one
    does, and their own: chains and circles take as long as they have edges. From others, a walk counts.
    """
    cdef Step *x = <Step *> fresh(&self.steps, n, sizeof(Step))
    cdef const int32_t *first = <const int32_t *> self.out_one.data
    cdef const int64_t *start = <const int64_t *> self.out_one_start.data
    cdef int32_t i, v, w, depth, count = 0, waiting = 0
    memset(x, 0, n * sizeof(Step))
    for i in range(n):
        if x[i].number:
            continue
        depth, w = -1, i
        while True:
            if w >= 0:                # found
                count += 1
                depth += 1
                x[w].number = x[w].low = count
                x[w].at, x[w].part = start[w], -1
                x[depth].caller = x[waiting].node = w
                waiting += 1
            v, w = x[depth].caller, -1
            if x[v].at < start[v + 1]:
                w = first[x[v].at]
                x[v].at += 1
                if x[w].number:
                    if x[w].part < 0:
                        x[v].low = min(x[v].low, x[w].number)
                    w = -1
                continue
            if x[v].low == x[v].number:
                waiting = close_part(self, x, nodes, v, waiting)
            if depth == 0:
                break
            depth -= 1
            w = x[depth].caller
            x[w].low = min(x[w].low, x[v].low)
            w = -1
