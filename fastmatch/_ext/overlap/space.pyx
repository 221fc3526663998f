"""Graphs as soft overlap compares them: nodes and edges with masses, and what is known of their labels.

A label is described once for a corpus, however many nodes bear it:

- a key, equal for equal labels, and the key of its lemma, which is the label without its sense (``want-01``: ``want``);
- a class (:mod:`fastmatch._ext.overlap.labels`);
- a vector of length 1, or 0 where there is none;
- its value, if it is a number, else NaN;
- the pairs of neighbouring characters in its lemma (*bigrams*), sorted, and 64 bits in which each of them sets one.

Arrays are kept, not copied. Training changes masses, vectors, scales and settings in place
(:mod:`fastmatch.metrics.training.softoverlap`); nobody else does. What a label has besides its vector never changes,
and is copied, all of one label together.
"""

cimport cython
from libc.stdint cimport int32_t, int64_t, uint8_t, uint16_t, uint64_t

import numpy as np

from fastmatch._ext.base.bits cimport count_bits
from fastmatch._ext.base.division cimport check_division, check_edges
from fastmatch._ext.base.kept cimport zeros


@cython.final
cdef class SoftSpace:
    """All that a score is made of.

    Parameters
    ----------
    node_offsets : int64, shape (n_graphs + 1,)
        Graph g has the nodes node_offsets[g] … node_offsets[g + 1] - 1.
    rows : int32, shape (n_nodes,)
        The label of each node.
    masses : float64, shape (n_nodes,)
        0 or more.
    edge_offsets : int64, shape (n_graphs + 1,)
    edges : int32, shape (3, n_edges)
        Source, role, target. Nodes are numbered within their graph; equal roles have equal numbers in all corpora that
        are compared.
    edge_masses : float64, shape (n_edges,)
    vectors : float32, shape (n_labels, width)
        ``width`` is a multiple of 8, perhaps 0.
    keys, lemmas : uint64, shape (n_labels,)
    classes : uint8, shape (n_labels,)
    numbers : float64, shape (n_labels,)
    bigram_offsets : int64, shape (n_labels + 1,)
    bigrams : uint16, shape (n_bigrams,)
    signs : uint64, shape (n_labels,)
    scales : float64, shape (n_classes, n_classes)
        How much the likeness of vectors counts between two classes of labels, in [0, 1]; symmetric.
    settings : float64, shape (10,)
        Two labels with the same lemma; the cosine that counts as nothing; the power of what is above it; shared
        characters, and the least share of them that counts; two numbers; an edge with another role; an edge turned
        around; how much the one-to-one matches of nodes count, and the matches of edges between them. All in [0, 1]
        except the power.

    Raises
    ------
    ValueError, IndexError
        If a shape does not fit, or an index is out of range.
    """

    def __cinit__(
        self, node_offsets not None, rows not None, masses not None, edge_offsets not None, edges not None,
        edge_masses not None, vectors not None, keys not None, lemmas not None, classes not None, numbers not None,
        bigram_offsets not None, bigrams not None, signs not None, scales not None, settings not None,
    ):
        self.arrays = (
            node_offsets, rows, masses, edge_offsets, edges, edge_masses, vectors, keys, lemmas, classes, numbers,
            bigram_offsets, bigrams, signs, scales, settings,
        )
        self.offset, self.row, self.mass = node_offsets, rows, masses
        self.edge_offset, self.edge, self.edge_mass = edge_offsets, edges, edge_masses
        self.vector, self.scale, self.setting = vectors, scales, settings
        cdef const uint64_t[::1] key = keys, lemma = lemmas, sign = signs
        cdef const uint8_t[::1] kind = classes
        cdef const double[::1] number = numbers
        cdef const int64_t[::1] bigram_offset = bigram_offsets
        cdef const uint16_t[::1] bigram = bigrams
        self.n_graphs, self.width = self.offset.shape[0] - 1, self.vector.shape[1]
        self.n_labels, self.n_classes = key.shape[0], self.scale.shape[0]
        cdef Py_ssize_t n_nodes = self.row.shape[0], n_edges = self.edge.shape[1], k
        if self.mass.shape[0] != n_nodes or self.edge_mass.shape[0] != n_edges:
            raise ValueError("masses and edges do not fit")
        check_edges(self.offset, n_nodes, self.edge_offset, self.edge)
        if {len(each) for each in (vectors, lemmas, classes, numbers, signs)} != {self.n_labels}:
            raise ValueError(f"descriptions of another number of labels than {self.n_labels}")
        check_division("bigrams", bigram_offset, self.n_labels, bigram.shape[0], "label")
        if self.width % 8 or self.scale.shape[1] != self.n_classes or self.setting.shape[0] != N_SETTINGS:
            raise ValueError("vectors, scales or settings have not the right shape")
        for k in range(n_nodes):
            if not 0 <= self.row[k] < self.n_labels:
                raise IndexError(f"node {k} has the label {self.row[k]}, of {self.n_labels}")
        for k in range(self.n_labels):
            if not kind[k] < self.n_classes:
                raise IndexError(f"label {k} has the class {kind[k]}, of {self.n_classes}")
            if bigram_offset[k + 1] - bigram_offset[k] >= 2**30:
                raise ValueError("a label is too long")
        self.kept = kept = []
        self.label = <Label *> zeros(kept, self.n_labels, sizeof(Label))
        for k in range(self.n_labels):
            self.label[k].key, self.label[k].lemma, self.label[k].sign = key[k], lemma[k], sign[k]
            self.label[k].number, self.label[k].kind = number[k], kind[k]
            self.label[k].n_bigrams = <int32_t> (bigram_offset[k + 1] - bigram_offset[k])
            self.label[k].bigram = &bigram[bigram_offset[k]] if self.label[k].n_bigrams else NULL
            self.label[k].doubled = self.label[k].n_bigrams - count_bits(sign[k])

    def __reduce__(self):
        return SoftSpace, self.arrays

    @property
    def n_nodes(self):
        """Nodes of each graph, int64, shape (n_graphs,)."""
        return np.diff(self.arrays[0])

    @property
    def n_edges(self):
        """Edges of each graph, int64, shape (n_graphs,)."""
        return np.diff(self.arrays[3])
