"""What the kernel of Weisfeiler-Leman labels refuses; tests/unit/metrics/test_wlk.py compares what it counts."""

import numpy as np
import pytest

from fastmatch._ext.features.neighbourhoods import label_bags

from support.refusal import fails


def bags(nodes: list[int], edges: list[int], label: int = 0, target: int = 1) -> object:
    """Two graphs, by default the first with both nodes and the edge."""
    return label_bags(
        np.array(nodes, np.int64),
        np.array([0, label], np.int32),
        np.array(edges, np.int64),
        np.array([[0], [0], [target]], np.int32),
        np.zeros(1, np.uint64),
        np.zeros(1, np.uint64),
        rounds=1,
        down=True,
        up=True,
    )


def test_what_fits() -> None:
    assert bags([0, 2, 2], [0, 1, 1]) is not None


@pytest.mark.parametrize(
    ("nodes", "edges", "message"),
    [
        ([0, 2, 1], [0, 1, 1], "offsets of graph 1 decrease"),
        ([0, 2, 2], [0, 1, 0], "offsets of graph 1 decrease"),
        ([-1, 2, 2], [0, 1, 1], "do not fit together"),
        ([0, 2, 3], [0, 1, 1], "do not fit together"),
        ([0, 2], [0, 1, 1], "do not fit together"),
        # the last offset fits, but not the one before
        ([0, 1 << 29, 2], [0, 0, 1], "offsets of graph 0 lie outside their tables"),
        ([0, 2, 2], [0, 1 << 40, 1], "offsets of graph 0 lie outside their tables"),
    ],
)
def test_offsets_that_do_not_fit(nodes: list[int], edges: list[int], message: str) -> None:
    fails(ValueError, message, bags, nodes, edges)


def test_indices_that_do_not_fit() -> None:
    fails(ValueError, "a label of graph 0 lies outside its table", bags, [0, 2, 2], [0, 1, 1], label=1)
    fails(ValueError, "an edge of graph 0 lies outside its table", bags, [0, 2, 2], [0, 1, 1], target=2)
