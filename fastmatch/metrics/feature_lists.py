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
