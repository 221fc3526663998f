"""Lists of features: random ones, and as the kernels take them."""

import numpy as np
from hypothesis import strategies as st

from fastmatch._ext.index import postings as kernel
from fastmatch.metrics.feature_lists import KINDS, FeatureLists

from twins.everything import overlap

KEYS = st.sampled_from([-(2**40), -3, 0, 1, 2, 3, 5, 8, 2**33, 2**62])
NO = np.zeros(1, np.uint8)


@st.composite
def corpora(draw, kinds=("set", "bag", "dot"), values=None):
    """Kind, and the lists of two corpora."""
    kind = draw(st.sampled_from(kinds))
    value = st.integers(1, 4).map(float) if values is None else values
    sides = draw(st.tuples(*[st.lists(st.dictionaries(KEYS, value, max_size=8), max_size=7)] * 2))
    if kind == "set":
        sides = tuple([dict.fromkeys(graph, 1.0) for graph in side] for side in sides)
    return kind, *sides


def lists(kind: str, graphs: list[dict[int, float]], measure: str = "dice") -> FeatureLists:
    offsets = np.cumsum([0] + [len(graph) for graph in graphs])
    pairs = [(key, graph[key]) for graph in graphs for key in sorted(graph)]
    keys, values = [key for key, _ in pairs], [value for _, value in pairs]
    sizes = [overlap(kind, graph, graph) for graph in graphs]
    return FeatureLists(
        offsets.astype(np.int64),
        np.array(keys, np.int64),
        np.array(values, float),
        kind,
        np.array(sizes, float),
        measure,
    )


def index(given: FeatureLists) -> kernel.FeatureIndex:
    return kernel.feature_index(given.offsets, given.keys, given.values, KINDS[given.kind])
