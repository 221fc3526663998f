"""Soft overlap of pairs of graphs: what of each graph's mass is matched in the other one.

The score is made of these sums in :mod:`fastmatch.metrics.softoverlap`; the matches are those of
:mod:`fastmatch._ext.overlap.pair`.
"""

from libc.math cimport NAN, sqrt
from libc.stdint cimport int32_t, int64_t, uint8_t

import numpy as np

from fastmatch._ext.base.pairs cimport check_cancel, check_pairs
from fastmatch._ext.base.status cimport FINE, raise_status
from fastmatch._ext.overlap.pair cimport Best, Kind, Matcher, ask_for, check_spaces, label_likeness, mixed
from fastmatch._ext.overlap.space cimport BETWEEN, SINGLE, SoftSpace


# Pairs of nodes, or of edges, from which on to match labels is faster than to match nodes: sentences of some 30 nodes
# take as long either way, those of 100 half or a third, documents of 1,000 a tenth or less.
cdef int64_t LARGE = 1000
# Bounds of likeness are raised by more than the roundings of powers, and of single precision.
cdef double RAISED = 1 + 1e-6


cdef inline void add_up(const double[::1] masses, int64_t first, int64_t n, const double *best, const Best *single,
                        double share, double *sums) noexcept nogil:
    """Add masses times matches, and masses, in the order of nodes or edges; ``single`` is NULL if there are none."""
    cdef int64_t k
    for k in range(n):
        sums[0] += masses[first + k] * (best[k] if single == NULL else mixed(best[k], &single[k], share))
        sums[1] += masses[first + k]


cdef inline double share_of(const double[::1] masses, int64_t first, int64_t n, const double *best) noexcept nogil:
    """The part of the mass of n nodes that their best matches cover; exactly 1 if all have equal ones."""
    cdef double[2] sums
    sums[0] = sums[1] = 0.0
    add_up(masses, first, n, best, NULL, 0.0, sums)
    return sums[0] / sums[1] if sums[1] > 0.0 else 1.0


cdef inline bint is_large(SoftSpace a, SoftSpace b, int64_t i, int64_t j, int64_t limit) noexcept nogil:
    return ((a.offset[i + 1] - a.offset[i]) * (b.offset[j + 1] - b.offset[j]) >= limit
            or (a.edge_offset[i + 1] - a.edge_offset[i]) * (b.edge_offset[j + 1] - b.edge_offset[j]) >= limit)


def score_pairs(
    SoftSpace a not None,
    SoftSpace b not None,
    pairs not None,
    *,
    double[:, ::1] out not None,
    double[::1] nodes=None,
    const uint8_t[::1] skip=None,
    bint with_edges=True,
    bint lasting=False,
    int64_t large_from=LARGE,
    uint8_t[::1] whole=None,
):
    """Matched mass of the pairs ``start`` … ``stop - 1``.

    Parameters
    ----------
    a, b : SoftSpace
        The two corpora, prepared with the same options.
    pairs : PairRange
        The pairs to score, of graphs of the two corpora.
    out : float64, shape (4 or more, n_pairs)
        Output: of the first graph's mass what is matched, and all; the same of the second graph's.
    nodes : float64, shape (n_pairs,), optional
        Output: the part of the nodes' mass that finds a match, of the graph that has less of it; 1 where there is none.
    skip : uint8, shape (n_pairs,), optional
        1 for pairs that are left as they are.
    with_edges : bool
        False gives upper bounds of what is matched, without comparing edges.
    lasting : bool
        Give the last bits that parameters were trained with so far: powers by the C library, and what the sparse
        assignment takes of equally good one-to-one matches. Training asks for it, as it goes to other numbers from a
        difference of one bit; sums differ by 1e-14 of their size at most, and take longer.

    large_from : int
        Pairs of nodes, or of edges, from which on a pair is matched by its labels instead of its nodes: the same bits
        in less time and memory, unless more of it is alike than is looked at. Not with one-to-one matches. -1: never.
    whole : uint8, shape (n_pairs,), optional
        Output: 0 where more is alike than was looked at, so that matches of edges may be too small.

    Raises
    ------
    IndexError, ValueError
        If an index or a shape does not fit.
    MemoryError
        If a pair does not fit in memory.
    """
    cdef const int32_t[::1] index_a = pairs[0], index_b = pairs[1]
    cdef Py_ssize_t start = pairs[2], stop = pairs[3]
    cdef const uint8_t[::1] cancel = pairs[4]
    cdef Py_ssize_t k = -1
    cdef int status = FINE
    cdef int64_t i, j
    cdef double sums[4]
    cdef double single, between
    cdef bint mixes
    cdef Matcher matcher = Matcher()
    check_spaces(a, b)
    check_pairs(index_a, index_b, start, stop, a.n_graphs, b.n_graphs, out.shape[1])
    check_cancel(cancel)
    if out.shape[0] < 4:
        raise ValueError("the output must have 4 rows")
    if nodes is not None and nodes.shape[0] != out.shape[1]:
        raise ValueError(f"room for {nodes.shape[0]} pairs, of {out.shape[1]}")
    if skip is not None and skip.shape[0] != out.shape[1]:
        raise ValueError(f"{skip.shape[0]} marks for {out.shape[1]} pairs")
    if whole is not None and whole.shape[0] != out.shape[1]:
        raise ValueError(f"room for {whole.shape[0]} pairs, of {out.shape[1]}")
    cdef const uint8_t *stop_flag = &cancel[0]
    single, between = a.setting[SINGLE], a.setting[BETWEEN]
    with nogil:
        for k in range(start, stop):
            if cancel[0]:
                break
            if skip is not None and skip[k]:
                continue
            i, j = index_a[k], index_b[k]
            if k + 1 < stop:
                ask_for(a, index_a[k + 1])
                ask_for(b, index_b[k + 1])
            if large_from >= 0 and not (lasting or single > 0.0 or between > 0.0) and is_large(a, b, i, j, large_from):
                status = matcher.match_large(a, b, i, j, with_edges, stop_flag)
            else:
                status = matcher.match(a, b, i, j, with_edges, False, lasting, stop_flag)
            if status != FINE:
                break
            sums[0] = sums[1] = sums[2] = sums[3] = 0.0
            mixes = matcher.with_single
            add_up(a.mass, a.offset[i], matcher.n, matcher.row, matcher.single_row if mixes else NULL, single, sums)
            add_up(a.edge_mass, a.edge_offset[i], matcher.n_edges, matcher.edge_row,
                   matcher.between_row if mixes else NULL, between, sums)
            add_up(b.mass, b.offset[j], matcher.m, matcher.column, matcher.single_column if mixes else NULL, single,
                   sums + 2)
            add_up(b.edge_mass, b.edge_offset[j], matcher.m_edges, matcher.edge_column,
                   matcher.between_column if mixes else NULL, between, sums + 2)
            out[0, k], out[1, k], out[2, k], out[3, k] = sums[0], sums[1], sums[2], sums[3]
            if nodes is not None:
                nodes[k] = min(share_of(a.mass, a.offset[i], matcher.n, matcher.row),
                               share_of(b.mass, b.offset[j], matcher.m, matcher.column))
            if whole is not None:
                whole[k] = matcher.whole
    raise_status(status, f"the matches of pair {k} do not fit in memory")


def mean_vectors(SoftSpace space not None):
    """The mean of the vectors of each graph's nodes, of length 1; NaN where there is none, or it is 0.

    A node counts with the square root of its mass.

    Returns
    -------
    float64, shape (n_graphs, width)
    """
    result = np.zeros((space.n_graphs, space.width))
    cdef double[:, ::1] out = result
    cdef Py_ssize_t g, v, k, width = space.width
    cdef const float *vector
    cdef double weight, total
    with nogil:
        for g in range(space.n_graphs if width else 0):
            for v in range(space.offset[g], space.offset[g + 1]):
                vector = &space.vector[space.row[v], 0]
                weight = sqrt(space.mass[v])
                for k in range(width):
                    out[g, k] += weight * vector[k]
            total = 0.0
            for k in range(width):
                total += out[g, k] * out[g, k]
            total = sqrt(total) if total > 0.0 else NAN
            for k in range(width):
                out[g, k] /= total
    return result


def cosines(const double[:, ::1] a not None, const double[:, ::1] b not None, pairs not None, double[::1] out not None):
    """The cosines of the mean vectors of the pairs ``start`` … ``stop - 1``.

    Parameters
    ----------
    a, b : float64, shape (n_graphs, width)
        Of both corpora, from :func:`mean_vectors`.
    pairs : PairRange
    out : float64, shape (n_pairs,)
        Output: 0 to 1, 0 if it is negative, or -1 if one of the graphs has no mean vector.

    Raises
    ------
    IndexError, ValueError
        If an index or a shape does not fit.
    """
    cdef const int32_t[::1] index_a = pairs[0], index_b = pairs[1]
    cdef Py_ssize_t start = pairs[2], stop = pairs[3], k, c, e, width = a.shape[1]
    cdef double sums[8]
    cdef double total
    check_pairs(index_a, index_b, start, stop, a.shape[0], b.shape[0], out.shape[0])
    if b.shape[1] != width or width % 8:
        raise ValueError("the two sides were prepared with different options")
    with nogil:
        for k in range(start, stop):
            # in eight lanes, since each addition waits for the one before it
            for e in range(8):
                sums[e] = 0.0
            for c in range(0, width, 8):
                for e in range(8):
                    sums[e] += a[index_a[k], c + e] * b[index_b[k], c + e]
            total = ((sums[0] + sums[4]) + (sums[2] + sums[6])) + ((sums[1] + sums[5]) + (sums[3] + sums[7]))
            out[k] = -1.0 if total != total else min(max(total, 0.0), 1.0)


cdef Matcher matched(SoftSpace a, SoftSpace b, Py_ssize_t i, Py_ssize_t j, bint single):
    """The matches of graph i of a and graph j of b; `single`: those that are one-to-one as well."""
    check_spaces(a, b)
    if not (0 <= i < a.n_graphs and 0 <= j < b.n_graphs):
        raise IndexError(f"graphs {i} and {j}, of {a.n_graphs} and {b.n_graphs}")
    cdef Matcher matcher = Matcher()
    cdef int status
    with nogil:
        status = matcher.match(a, b, i, j, single, False, False, NULL)
    raise_status(status, "the matches do not fit in memory")
    return matcher


def likeness(SoftSpace a not None, SoftSpace b not None, Py_ssize_t i, Py_ssize_t j):
    """Likeness of every two nodes of graph i of a and graph j of b, float64, shape (n, m), in [0, 1].

    Raises
    ------
    IndexError, ValueError
        If there are no such graphs, or the spaces do not fit together.
    MemoryError
        If it does not fit in memory.
    """
    cdef Matcher matcher = matched(a, b, i, j, False)
    result = np.zeros((matcher.n, matcher.m))
    cdef double[:, ::1] out = result
    cdef int64_t v, w
    for v in range(matcher.n):
        for w in range(matcher.m):
            out[v, w] = matcher.likeness[v * matcher.m + w]
    return result


def single_matches(SoftSpace a not None, SoftSpace b not None, Py_ssize_t i, Py_ssize_t j):
    """The one-to-one matches of the nodes of graph i of a: nodes of graph j of b, or -1, int32, shape (n,).

    All are -1 if these matches count for nothing.

    Raises
    ------
    IndexError, ValueError
        If there are no such graphs, or the spaces do not fit together.
    MemoryError
        If it does not fit in memory.
    """
    cdef Matcher matcher = matched(a, b, i, j, True)
    result = np.full(matcher.n, -1, np.int32)
    cdef int32_t[::1] out = result
    cdef int64_t v
    if matcher.with_single:
        for v in range(matcher.n):
            out[v] = matcher.single_row[v].of
    return result


def label_table(
    SoftSpace a not None,
    SoftSpace b not None,
    const int64_t[::1] labels not None,
    const float[:, ::1] products not None,
):
    """Upper bounds of the likeness of labels of a to all labels of b, float32, shape (n, n_labels), in [0, 1].

    Parameters
    ----------
    a, b : SoftSpace
    labels : int64, shape (n,)
        Labels of a.
    products : float32, shape (n, n_labels)
        Inner products of their vectors with those of the labels of b, or more.

    Raises
    ------
    IndexError, ValueError
        If there is no such label, or a shape does not fit.
    """
    cdef Py_ssize_t k, q
    cdef Kind kind
    check_spaces(a, b)
    if products.shape[0] != labels.shape[0] or products.shape[1] != b.n_labels:
        raise ValueError("a product for each two labels is needed")
    for k in range(labels.shape[0]):
        if not 0 <= labels[k] < a.n_labels:
            raise IndexError(f"label {labels[k]}, of {a.n_labels}")
    result = np.empty((labels.shape[0], b.n_labels), np.float32)
    cdef float[:, ::1] out = result
    with nogil:
        for k in range(labels.shape[0]):
            for q in range(b.n_labels):
                out[k, q] = <float> (label_likeness(
                    a.label + labels[k], b.label + q, &a.setting[0], &a.scale[a.label[labels[k]].kind, 0],
                    products[k, q], &kind) * RAISED)
    return result
