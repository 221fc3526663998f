"""Similarities of concepts by word vectors (S2match, Opitz, Parcalabescu and Frank 2020).

Two concepts *meet* if some pair of graphs has one in each graph. A similarity is computed once for each two concepts
that meet. A concept is a name or a predicate, which is a lemma with the number of a sense. Three numbers describe it:
the id of its label, the id of its lemma (-1 if it is no predicate) and the row of its vector.
"""

from libc.math cimport exp, fabs, rint, sqrt
from libc.stdint cimport int32_t, int64_t, uint64_t

from fastmatch._ext.base.bits cimport fm_first_bit
from fastmatch._ext.base.dot cimport dot
from fastmatch._ext.base.pairs cimport check_pairs
from fastmatch._ext.matching.partial cimport CELLS, SoftFeatures

import numpy as np

cdef enum:
    COSINE = 0
    EUCLIDEAN = 1
    CITYBLOCK = 2

cdef double GRID = 1073741824.0       # 2**30: see partial.pyx
# Size of the table of concepts that meet, in bits: 64 MB. If more concepts could meet, the pairs are swept repeatedly.
cdef int64_t BITS = 1 << 29
# Pairs of concepts that are listed at a time: 16 MB.
cdef int64_t AT_A_TIME = 1 << 21


def concepts_that_meet(
    SoftFeatures a not None, SoftFeatures b not None, const int32_t[::1] index_a not None,
    const int32_t[::1] index_b not None, int64_t n_a, int64_t n_b, give not None, int64_t at_a_time=AT_A_TIME,
):
    """Pairs of concepts of the same kind that occur in the two graphs of some pair, each once.

    Pairs of graphs that are too large to be searched are left out: of their concepts only equal ones match.

    Parameters
    ----------
    a, b : SoftFeatures
        Features of the two corpora.
    index_a, index_b : int32, shape (n_pairs,)
        Graphs of each pair.
    n_a, n_b : int
        Numbers of concepts of a and of b.
    give : callable
        Gets the pairs, part by part: of two corpora with 20,000 concepts each, 400 million may meet. A part is int32,
        shape (2, n); rows: concept of a, concept of b; sorted, from part to part as well.
    at_a_time : int
        Pairs after which a part ends, about.

    Raises
    ------
    IndexError
        If a graph or a concept is out of range.
    ValueError
        If the index arrays differ in length.
    MemoryError
        If the table of what meets, 64 MB at most, does not fit in memory.
    """
    cdef Py_ssize_t k, n_pairs = index_a.shape[0], i, j, first_i, stop_i, first_j, stop_j
    cdef int64_t rows, begin, place, n_places, total, c
    cdef int32_t kind, first_graph = -1
    cdef int32_t[:, ::1] out
    check_pairs(index_a, index_b, 0, n_pairs, a.hard.n_graphs, b.hard.n_graphs, n_pairs)
    for features, n in ((a, n_a), (b, n_b)):
        concepts = features.arrays[3][1]
        if len(concepts) and concepts.max() >= n:
            raise IndexError(f"a concept is not one of {n}")
    if n_a == 0 or n_b == 0:
        return
    # a row for each concept that occurs in these graphs of a: they may be few of a large corpus
    occurring = np.zeros(n_a, np.int32)
    cdef int32_t[::1] row_of = occurring
    for k in range(n_pairs):
        if index_a[k] != first_graph:
            first_graph = index_a[k]
            for i in range(a.soft_offsets[first_graph], a.soft_offsets[first_graph + 1]):
                row_of[a.soft[1, i]] = 1
    names = np.flatnonzero(occurring).astype(np.int32)
    cdef const int32_t[::1] concept_of = names
    occurring[names] = np.arange(len(names), dtype=np.int32)
    n_a = len(names)
    rows = min(n_a, max(1, BITS // n_b))
    n_places = (rows * n_b + 63) // 64
    table = np.zeros(n_places, np.uint64)
    cdef uint64_t[::1] marks = table
    for begin in range(0, n_a, max(rows, 1)):
        with nogil:
            for k in range(n_pairs):
                first_i, stop_i = a.soft_offsets[index_a[k]], a.soft_offsets[index_a[k] + 1]
                first_j, stop_j = b.soft_offsets[index_b[k]], b.soft_offsets[index_b[k] + 1]
                if <int64_t> a.hard.variables[index_a[k]] * b.hard.variables[index_b[k]] > CELLS:
                    continue
                for i in range(first_i, stop_i):
                    c, kind = row_of[a.soft[1, i]] - begin, a.soft[0, i]
                    if c < 0 or c >= rows or (i > first_i and a.soft[1, i - 1] == a.soft[1, i]
                                              and a.soft[0, i - 1] == kind):
                        continue
                    for j in range(first_j, stop_j):
                        if b.soft[0, j] == kind:
                            place = c * n_b + b.soft[1, j]
                            marks[place >> 6] |= <uint64_t> 1 << (place & 63)
        part = np.empty((2, at_a_time + 64), np.int32)
        out = part
        total = 0
        for place in range(n_places):
            while marks[place]:
                c = 64 * place + fm_first_bit(marks[place])
                marks[place] &= marks[place] - 1
                out[0, total] = concept_of[begin + c // n_b]
                out[1, total] = <int32_t> (c % n_b)
                total += 1
            if total >= at_a_time:
                give(part[:, :total].copy())
                total = 0
        if total:
            give(part[:, :total].copy())


cdef inline double distance(const double *x, const double *y, Py_ssize_t n, bint squared) noexcept nogil:
    cdef double total = 0, d
    cdef Py_ssize_t k
    for k in range(n):
        d = x[k] - y[k]
        total += d * d if squared else fabs(d)
    return sqrt(total) if squared else total


cdef void check_rows(rows, used, Py_ssize_t n_vectors) except *:
    if len(rows) and rows.max() >= n_vectors:
        raise ValueError("a concept's vector is out of range")
    if len(used) and not (used.min() >= 0 and used.max() < len(rows)):
        raise ValueError("a concept is out of range")


def concept_similarities(
    const int32_t[:, ::1] pairs not None,
    const int32_t[:, ::1] a not None,
    const double[:, ::1] vectors_a not None,
    const int32_t[:, ::1] b not None,
    const double[:, ::1] vectors_b not None,
    *,
    int kind,
    double cutoff,
    double diffsense,
):
    """Similarities of pairs of concepts, as S2match defines them.

    Parameters
    ----------
    pairs : int32, shape (2, n)
        Columns of ``a`` and of ``b``.
    a, b : int32, shape (3, n_concepts)
        Rows: label, lemma or -1, row in the vectors or -1.
    vectors_a, vectors_b : float64, shape (n_vectors, d)
    kind : int
        0 for the cosine, or 0 if that is negative; 1 for exp(-Euclidean distance); 2 for exp(-city block distance).
    cutoff : float
        Similarities of vectors up to this become 0.
    diffsense : float
        Similarity of two predicates of the same lemma, and of a predicate and its lemma. A factor of the similarity of
        vectors if one of the two is a predicate.

    Returns
    -------
    float64, shape (n,)
        Multiples of 2**-30 in [0, 1]. 0 for concepts with the same label, which need no link, and for concepts without
        a vector.

    Raises
    ------
    ValueError
        If an entry is out of range, or the vectors differ in length.
    """
    cdef Py_ssize_t k, n = pairs.shape[1], d = vectors_a.shape[1]
    cdef int32_t i, j, u, v
    cdef double s
    if vectors_b.shape[1] != d or pairs.shape[0] != 2 or a.shape[0] != 3 or b.shape[0] != 3 or not 0 <= kind <= 2:
        raise ValueError("tables of concepts do not fit each other")
    check_rows(np.asarray(a)[2], np.asarray(pairs)[0], vectors_a.shape[0])
    check_rows(np.asarray(b)[2], np.asarray(pairs)[1], vectors_b.shape[0])
    norms_a = np.sqrt(np.einsum("ij,ij->i", vectors_a, vectors_a))
    norms_b = np.sqrt(np.einsum("ij,ij->i", vectors_b, vectors_b))
    cdef const double[::1] length_a = norms_a
    cdef const double[::1] length_b = norms_b
    out = np.zeros(n, np.float64)
    cdef double[::1] result = out
    with nogil:
        for k in range(n):
            i, j = pairs[0, k], pairs[1, k]
            if a[0, i] == b[0, j]:
                continue
            if ((a[1, i] >= 0 and a[1, i] == b[1, j]) or (a[1, i] >= 0 and b[1, j] < 0 and a[1, i] == b[0, j])
                    or (b[1, j] >= 0 and a[1, i] < 0 and b[1, j] == a[0, i])):
                result[k] = rint(diffsense * GRID) / GRID
                continue
            u, v = a[2, i], b[2, j]
            if u < 0 or v < 0:
                continue
            if kind == COSINE:
                s = length_a[u] * length_b[v]
                s = dot(&vectors_a[u, 0], &vectors_b[v, 0], d) / s if s > 0 else 0.0
                s = min(1.0, max(0.0, s))
            else:
                s = exp(-distance(&vectors_a[u, 0], &vectors_b[v, 0], d, kind == EUCLIDEAN))
            if s > cutoff:
                if a[1, i] >= 0 or b[1, j] >= 0:
                    s *= diffsense
                result[k] = rint(s * GRID) / GRID
    return out
