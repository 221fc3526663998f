"""Sums over the features of every graph of a corpus, in dense rows: what upper bounds of scores are made of.

A bound that decides which of 30,000 graphs need not be scored must cost next to nothing a pair. Two things do that:

* :class:`Postings` looks up what a table of one number a feature makes of each graph, where most numbers are 0.
* :func:`lane_sums` and :func:`lane_maxima` look up, for each feature of each graph, a row of eight numbers in a table,
  one for each of eight *lanes*: queries, or labels of queries. So a pass over the corpus serves eight of them.

Numbers are of single precision. All are at least 0, so that a sum of n of them is off by n · 2^-24 of its size at most;
:mod:`fastmatch.metrics.row_bounds` raises bounds by more than that.
"""

from libc.stdint cimport int32_t, int64_t

import numpy as np

cdef enum:
    C_LANES = 8

#: Queries, or labels of queries, that a pass over a corpus serves.
LANES = C_LANES


cdef int check_table(const int64_t[::1] offsets, const int32_t[::1] ids, Py_ssize_t n_features) except -1:
    """Raise unless offsets divide these numbers of features, each from 0 to ``n_features`` - 1."""
    cdef Py_ssize_t g, k, n = offsets.shape[0] - 1
    if n < 0 or n >= 1 << 31 or offsets[0] < 0 or offsets[n] > ids.shape[0]:
        raise ValueError(f"offsets do not fit {ids.shape[0]} features")
    for g in range(n):
        if offsets[g + 1] < offsets[g]:
            raise ValueError(f"offsets of graph {g} decrease")
    for k in range(offsets[0], offsets[n]):
        if not 0 <= ids[k] < n_features:
            raise IndexError(f"feature {ids[k]} of {n_features}")
    return 0


cdef class Postings:
    """The graphs of each feature of a corpus.

    Parameters
    ----------
    offsets : int64, shape (n_graphs + 1,)
        Graph g has the features offsets[g] … offsets[g + 1] - 1.
    ids : int32, shape (n,)
        Their numbers, each once in a graph.
    values : float32, shape (n,)
        Counts or weights, at least 0.
    n_features : int
        Numbers are below it.

    Raises
    ------
    ValueError, IndexError
        If an array's length or a number does not fit.
    """

    cdef readonly Py_ssize_t n_graphs
    cdef readonly Py_ssize_t n_features
    cdef int64_t[::1] starts        # of the postings of each feature
    cdef int32_t[::1] graphs
    cdef float[::1] values

    def __cinit__(
        self, const int64_t[::1] offsets not None, const int32_t[::1] ids not None, const float[::1] values not None,
        Py_ssize_t n_features,
    ):
        cdef Py_ssize_t g, k, f
        check_table(offsets, ids, n_features)
        if values.shape[0] != ids.shape[0]:
            raise ValueError("ids and values must have one entry a feature")
        self.n_graphs, self.n_features = offsets.shape[0] - 1, n_features
        self.starts = np.zeros(n_features + 2, np.int64)
        self.graphs, self.values = np.empty(ids.shape[0], np.int32), np.empty(ids.shape[0], np.float32)
        with nogil:
            for k in range(offsets[0], offsets[self.n_graphs]):    # one place too late, as filling moves them on
                self.starts[ids[k] + 2] += 1
            for f in range(n_features):
                self.starts[f + 1] += self.starts[f]
            for g in range(self.n_graphs):
                for k in range(offsets[g], offsets[g + 1]):
                    f = self.starts[ids[k] + 1]
                    self.graphs[f], self.values[f] = <int32_t> g, values[k]
                    self.starts[ids[k] + 1] += 1

    def look_up(self, const float[::1] numbers not None, float[::1] out not None, *, bint add):
        """What the features with a number above 0 make of each graph.

        Parameters
        ----------
        numbers : float32, shape (n_features,)
            At least 0.
        out : float32, shape (n_graphs,)
            Output: the sum over a graph's features of mass times number; or, without ``add``, the largest number.

        Raises
        ------
        ValueError
            If a shape does not fit.
        """
        cdef Py_ssize_t f, k
        cdef float number
        if numbers.shape[0] != self.n_features or out.shape[0] != self.n_graphs:
            raise ValueError("a number for each feature, and room for each graph, are needed")
        with nogil:
            out[:] = 0
            for f in range(self.n_features):
                number = numbers[f]
                if number <= 0:
                    continue
                if add:
                    for k in range(self.starts[f], self.starts[f + 1]):
                        out[self.graphs[k]] += self.values[k] * number
                else:
                    for k in range(self.starts[f], self.starts[f + 1]):
                        if out[self.graphs[k]] < number:
                            out[self.graphs[k]] = number

cdef int check_lanes(
    const int64_t[::1] offsets, const int32_t[::1] ids, const float[:, ::1] table, float[:, ::1] out
) except -1:
    check_table(offsets, ids, table.shape[0])
    if table.shape[1] != C_LANES or out.shape[0] != C_LANES or out.shape[1] != offsets.shape[0] - 1:
        raise ValueError(f"a table of {C_LANES} numbers a feature, and room for as many a graph, are needed")
    return 0


def lane_sums(
    const int64_t[::1] offsets not None,
    const int32_t[::1] ids not None,
    const float[::1] masses not None,
    const float[:, ::1] table not None,
    float[:, ::1] out not None,
    *,
    const int32_t[::1] others=None,
):
    """For each graph and lane the sum, over the graph's features, of mass times the feature's number in the table.

    Parameters
    ----------
    offsets : int64, shape (n_graphs + 1,)
        Graph g has the features offsets[g] … offsets[g + 1] - 1.
    ids : int32, shape (n,)
        Their numbers.
    masses : float32, shape (n,)
    table : float32, shape (n_features, 8)
        A number for each feature and lane.
    out : float32, shape (8, n_graphs)
        Output.
    others : int32, shape (n,), optional
        The number of a second feature, by whose number in the table the product is multiplied.

    Raises
    ------
    ValueError, IndexError
        If an array's length or a number does not fit.
    """
    cdef Py_ssize_t g, k, lane, n = offsets.shape[0] - 1
    cdef const float *line
    cdef const float *other
    cdef float mass
    cdef float[C_LANES] sums
    check_lanes(offsets, ids, table, out)
    if masses.shape[0] != ids.shape[0]:
        raise ValueError("ids and masses must have one entry a feature")
    if others is not None:
        if others.shape[0] != ids.shape[0]:
            raise ValueError("ids and others must have one entry a feature")
        check_table(offsets, others, table.shape[0])
    with nogil:
        for g in range(n):
            for lane in range(C_LANES):
                sums[lane] = 0
            for k in range(offsets[g], offsets[g + 1]):
                line, mass = &table[ids[k], 0], masses[k]
                if others is None:
                    for lane in range(C_LANES):
                        sums[lane] += mass * line[lane]
                else:
                    other = &table[others[k], 0]
                    for lane in range(C_LANES):
                        sums[lane] += mass * line[lane] * other[lane]
            for lane in range(C_LANES):
                out[lane, g] = sums[lane]


def lane_maxima(
    const int64_t[::1] offsets not None,
    const int32_t[::1] ids not None,
    const float[:, ::1] table not None,
    float[:, ::1] out not None,
):
    """For each graph and lane the largest number that a feature of the graph has in the table; 0 if it has none.

    Parameters are as those of :func:`lane_sums`; numbers are at least 0.
    """
    cdef Py_ssize_t g, k, lane, n = offsets.shape[0] - 1
    cdef const float *line
    cdef float[C_LANES] most
    check_lanes(offsets, ids, table, out)
    with nogil:
        for g in range(n):
            for lane in range(C_LANES):
                most[lane] = 0
            for k in range(offsets[g], offsets[g + 1]):
                line = &table[ids[k], 0]
                for lane in range(C_LANES):
                    most[lane] = line[lane] if line[lane] > most[lane] else most[lane]
            for lane in range(C_LANES):
                out[lane, g] = most[lane]
