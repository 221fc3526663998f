# cython: language_level=3
"""How much graphs have in common by their concepts alone: a look at pairs before they are scored.

It tells a graph of the same sentence from one of another sentence, and costs some dozens of nanoseconds a pair. Graphs
are bags of concepts: the likeness of two is twice what they share, divided by the concepts of both.
"""

from libc.math cimport NAN
from libc.stdint cimport int32_t, int64_t

import numpy as np

from fastmatch._ext.base.kept cimport zeros
from fastmatch._ext.graphs.columns cimport Columns, count_instances


cdef int check_graphs(Columns corpus, const int64_t[::1] graphs) except -1:
    """Raise ValueError if one of these graphs does not exist."""
    cdef Py_ssize_t k
    for k in range(graphs.shape[0]):
        if not 0 <= graphs[k] < corpus.n_graphs:
            raise ValueError(f"graph {graphs[k]} of {corpus.n_graphs}")
    return 0


cdef inline int32_t *room_for_labels(list kept, Columns mine, Columns its, int n) except NULL:
    """``n`` zeros for each label of either corpus."""
    return <int32_t *>zeros(kept, n * max(mine.n_labels, its.n_labels), sizeof(int32_t))


cdef inline double alike(Columns mine, int64_t g, Columns its, int64_t h, int32_t *left) noexcept nogil:
    """The likeness of graph g of one corpus and graph h of another; ``left`` has a zero for each label, as before."""
    cdef int64_t n_mine = 0, n_its = 0, n_shared = 0, i
    cdef int32_t concept
    for i in range(mine.instance_offsets[g], mine.instance_offsets[g + 1]):
        concept = mine.instances[1, i]
        if concept >= 0:
            left[concept] += 1  # how often it is still to be found
            n_mine += 1
    for i in range(its.instance_offsets[h], its.instance_offsets[h + 1]):
        concept = its.instances[1, i]
        if concept >= 0:
            n_its += 1
            if left[concept] > 0:
                left[concept] -= 1
                n_shared += 1
    for i in range(mine.instance_offsets[g], mine.instance_offsets[g + 1]):
        if mine.instances[1, i] >= 0:
            left[mine.instances[1, i]] = 0
    return 2.0 * n_shared / (n_mine + n_its) if n_mine and n_its else NAN


def likeness(
    Columns mine not None, Columns its not None, const int64_t[::1] graphs not None, const int64_t[::1] others not None
):
    """The likeness of pairs of graphs.

    Parameters
    ----------
    mine, its : Columns
        Two corpora over one vocabulary.
    graphs, others : int64[k]
        The pairs: places in the first corpus, and in the other one.

    Returns
    -------
    float64[k]
        Between 0 and 1; nan if a graph of the pair has no concepts.

    Raises
    ------
    ValueError
        If a graph does not exist, or there are more of one side than of the other.

    Notes
    -----
    O(concepts of the pairs).
    """
    cdef Py_ssize_t n = graphs.shape[0], k
    check_graphs(mine, graphs)
    check_graphs(its, others)
    if others.shape[0] != n:
        raise ValueError(f"{n} graphs but {others.shape[0]} others")
    found = np.empty(n)
    cdef double[::1] out = found
    kept = []
    cdef int32_t *left = room_for_labels(kept, mine, its, 1)
    with nogil:
        for k in range(n):
            out[k] = alike(mine, graphs[k], its, others[k], left)
    return found


def closest(Columns mine not None, Columns its not None, const int64_t[::1] graphs not None):
    """The graph of another corpus that is most like each of some graphs; of several the one in the nearest place.

    Parameters
    ----------
    mine, its : Columns
        As for :func:`likeness`.
    graphs : int64[k]
        Places in the first corpus.

    Returns
    -------
    float64[k]
        The greatest :func:`likeness`; 0 if there is none.
    int64[k]
        The place of that graph in the other corpus; −1 if there is none.

    Raises
    ------
    ValueError
        As for :func:`likeness`.

    Notes
    -----
    The graphs are listed by concept, and the other corpus is read once: O(its concepts · graphs that have the concept).
    """
    cdef Py_ssize_t n = graphs.shape[0], n_entries = 0, used = 0, n_touched, k, i, other, who
    cdef int64_t n_its
    cdef int32_t concept, entry
    cdef double like
    check_graphs(mine, graphs)
    for k in range(n):
        n_entries += count_instances(mine, graphs[k])
    if n_entries >= <Py_ssize_t> 1 << 31:
        raise ValueError(f"{n_entries} concepts are too many")
    best = np.zeros(n)
    places = np.full(n, -1, np.int64)
    cdef double[::1] likest = best
    cdef int64_t[::1] place = places
    # Of each concept: its first entry, counted from 1, and how often the graph that is being read has had it.
    kept = []
    cdef int32_t *first = room_for_labels(kept, mine, its, 2)
    # Of each entry: the next one of its concept, the graph that it belongs to, and how often the graph has the concept.
    cdef int32_t *entries = <int32_t *>zeros(kept, 3 * n_entries, sizeof(int32_t))
    # Of each graph: its concepts, those that it shares with the graph that is being read; and who shares any.
    cdef int64_t *sums = <int64_t *>zeros(kept, 3 * n, sizeof(int64_t))
    cdef int32_t *seen = first + max(mine.n_labels, its.n_labels)
    cdef int64_t *sizes = sums
    cdef int64_t *shared = sums + n
    cdef int64_t *touched = sums + 2 * n
    with nogil:
        for k in range(n):
            for i in range(mine.instance_offsets[graphs[k]], mine.instance_offsets[graphs[k] + 1]):
                if mine.instances[1, i] >= 0:
                    seen[mine.instances[1, i]] += 1
                    sizes[k] += 1
            for i in range(mine.instance_offsets[graphs[k]], mine.instance_offsets[graphs[k] + 1]):
                concept = mine.instances[1, i]
                if concept >= 0 and seen[concept]:
                    entries[3 * used], entries[3 * used + 1] = first[concept], <int32_t> k
                    entries[3 * used + 2] = seen[concept]
                    used += 1
                    first[concept], seen[concept] = <int32_t> used, 0
        for other in range(its.n_graphs):
            n_its = n_touched = 0
            for i in range(its.instance_offsets[other], its.instance_offsets[other + 1]):
                concept = its.instances[1, i]
                if concept < 0:
                    continue
                n_its += 1
                entry = first[concept]
                if entry == 0:
                    continue
                seen[concept] += 1
                while entry:
                    who = entries[3 * (entry - 1) + 1]
                    if entries[3 * (entry - 1) + 2] >= seen[concept]:
                        if shared[who] == 0:
                            touched[n_touched] = who
                            n_touched += 1
                        shared[who] += 1
                    entry = entries[3 * (entry - 1)]
            for i in range(its.instance_offsets[other], its.instance_offsets[other + 1]):
                if its.instances[1, i] >= 0:
                    seen[its.instances[1, i]] = 0
            for i in range(n_touched):
                who = touched[i]
                like = 2.0 * shared[who] / (sizes[who] + n_its)
                shared[who] = 0
                if like > likest[who] or (like == likest[who] and other + place[who] < 2 * graphs[who]):  # nearer
                    likest[who], place[who] = like, other
    return best, places
