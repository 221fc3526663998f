"""Lists of features as the kernels take them."""

import numpy as np

from fastmatch._ext.index import lists as kernel
from fastmatch.metrics.feature_lists import KINDS, FeatureLists

from twins.everything import overlap

NO = np.zeros(1, np.uint8)


def lists(kind: str, graphs: list[dict[int, float]], measure: str = "dice") -> FeatureLists:
    offsets = np.cumsum([0] + [len(graph) for graph in graphs]).astype(np.int64)
    pairs = [(key, graph[key]) for graph in graphs for key in sorted(graph)]
    keys, values = [key for key, _ in pairs], [value for _, value in pairs]
    sizes = np.array([overlap(kind, graph, graph) for graph in graphs], float)
    return FeatureLists(offsets, np.array(keys, np.int64), np.array(values, float), kind, sizes, measure)


def index(given: FeatureLists) -> kernel.FeatureIndex:
    return kernel.feature_index(given.offsets, given.keys, given.values, KINDS[given.kind])
