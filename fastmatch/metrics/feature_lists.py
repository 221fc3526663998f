"""Lists of features, and what their overlap says about the score of two graphs.

Many metrics look at a graph as a list of features: motifs, n-grams, labels, each with a count or a weight. The score of
a pair is then made of the overlap of two lists, and a whole corpus can be compared at once through an inverted index
(``_ext/index/lists.pyx``). A metric that searches for an alignment can have lists, too: the overlap of labels that
must be equal bounds what the search can find, and a pair whose bound is below a cutoff need not be searched.

A metric gives its lists by ``overlaps`` and ``filter`` (:mod:`fastmatch.metrics.contract.metric`);
:mod:`fastmatch.allpairs` makes blocks of a matrix, nearest neighbours and feature matrices of them.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from fastmatch.graphs.arrays import starts_of
from fastmatch.types import FloatArray, Int64Array

#: What the overlap of two lists is: the number of features in both; the sum of the smaller counts; the sum of the
#: products of weights. Numbers as in ``_ext/index/lists.pyx``.
KINDS = {"set": 0, "bag": 1, "dot": 2}


@dataclass(frozen=True, eq=False)
class FeatureLists:
    """A list of features for each graph of a corpus.

    Attributes
    ----------
    offsets : int64[n_graphs + 1]
        Graph g has the features ``offsets[g]`` … ``offsets[g + 1] − 1``.
    keys : int64[n_features]
        The features, ascending within a graph and each once; equal features have equal keys in all corpora that share
        a vocabulary.
    values : float64[n_features]
        Counts or weights, above 0; all of them 1 in sets.
    kind : {"set", "bag", "dot"}
        What the overlap of two lists is: the number of shared features, the sum of the smaller values, or the sum of
        the products of the values.
    sizes : float64[n_graphs]
        What ``measure`` divides by; usually a list's overlap with itself.
    measure : {"jaccard", "dice", "row"}
        How the score of a pair is bounded by the overlap o of its lists, which have the sizes a and b:
        ``"jaccard"``: by o / (a + b − o); ``"dice"``: by 2 o / (a + b); ``"row"``: not by it alone.
    """

    offsets: Int64Array
    keys: Int64Array
    values: FloatArray
    kind: str
    sizes: FloatArray
    measure: str

    def __len__(self) -> int:
        return len(self.offsets) - 1

    @classmethod
    def of(
        cls,
        owners: Int64Array,
        keys: Int64Array,
        n_graphs: int,
        *,
        kind: str = "bag",
        measure: str,
        weights: FloatArray | None = None,
    ) -> FeatureLists:
        """Lists from single occurrences of features; O(F log F).

        Parameters
        ----------
        owners : int64[F]
            Graph of each occurrence, in any order.
        keys : int64[F]
            The feature that occurs.
        n_graphs : int
        kind, measure : str
            As the attributes; counts are 1 if ``kind`` is ``"set"``.
        weights : float64[F], optional
            Above 0: what each occurrence counts; by default 1.
        """
        order = np.lexsort((keys, owners))
        owners, keys = owners[order], keys[order]
        fresh = np.ones(len(keys), np.bool_)
        fresh[1:] = (keys[1:] != keys[:-1]) | (owners[1:] != owners[:-1])
        places = np.flatnonzero(fresh)
        if weights is None or not len(places):
            counts = np.diff(np.append(places, len(keys))).astype(np.float64)
        else:
            counts = np.add.reduceat(weights[order], places)
        if kind == "set":
            counts[:] = 1
        offsets = starts_of(np.bincount(owners[places], minlength=n_graphs))
        sizes = np.bincount(owners[places], counts * counts if kind == "dot" else counts, minlength=n_graphs)
        return cls(offsets, keys[places].astype(np.int64), counts, kind, sizes.astype(np.float64), measure)

    @classmethod
    def of_rows(
        cls, offsets: Int64Array, keys: NDArray[np.uint64], counts: NDArray[np.int32] | None, *, kind: str, measure: str
    ) -> FeatureLists:
        """Lists that are sorted already, by unsigned keys.

        Parameters
        ----------
        offsets : int64[n_graphs + 1]
            Graph g has the features ``keys[offsets[g]:offsets[g + 1]]``.
        keys : uint64[·]
            Ascending within a graph, each once.
        counts : int32[·] or None
            At least 1; None: once each.
        kind, measure : str
            As the attributes.
        """
        used = slice(int(offsets[0]), int(offsets[-1]))
        values = np.ones(used.stop - used.start) if counts is None else counts[used].astype(np.float64)
        # the sign bit flipped, unsigned order becomes signed order
        signed = (keys[used] ^ np.uint64(1 << 63)).view(np.int64)
        offsets = offsets - offsets[0]
        weights = values * values if kind == "dot" else values
        sizes = np.diff(np.concatenate([[0.0], np.cumsum(weights)])[offsets])
        return cls(offsets, signed, values, kind, sizes, measure)
