"""Figures of a corpus by the similarity of its graphs: an ordered heat map, a dendrogram, a map.

All three take the square matrix that :func:`fastmatch.cdist` makes of one corpus. The distance of two graphs is 1 minus
their similarity; of a metric that is not symmetric, 1 minus the mean of both directions.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from fastmatch.errors import OptionError
from fastmatch.plot.canvas import BLUE, Spot, describe, new_axes, short
from fastmatch.types import FloatArray, Int64Array

if TYPE_CHECKING:
    from matplotlib.axes import Axes


#: Graphs of the largest corpus that is drawn, which takes about 1 GB: a table of its distances has 200 MB.
LARGEST = 5000

#: Rows that are drawn one by one, that have their names, that have a text under the pointer, and whose neighbours in a
#: dendrogram are put as near to each other as can be.
_DRAWN, _NAMED, _POINTED, _ARRANGED = 1000, 40, 100, 500


def heatmap(
    matrix: ArrayLike, *, names: Sequence[str | None] | None = None, order: bool = True, ax: Axes | None = None
) -> Axes:
    """The similarity of every two graphs as a colour; similar graphs stand beside each other.

    Parameters
    ----------
    matrix : array of shape (n, n)
        Similarities, such as :func:`fastmatch.cdist` makes of one corpus.
    names : sequence of n str or None, optional
        Names of the graphs, such as ``corpus.ids``; their numbers by default. Up to 40 are drawn.
    order : bool
        Rows and columns in the order of the leaves of :func:`dendrogram`; else as they are.
    ax : matplotlib.axes.Axes, optional
        By default those of a new figure.

    Returns
    -------
    matplotlib.axes.Axes

    Raises
    ------
    OptionError
        If the matrix is not square, too large, empty, or holds NaN; or matplotlib is not installed.

    Notes
    -----
    Of more than 1,000 graphs, neighbouring ones share a dot of the picture, which has their mean. The colours are for
    different graphs: those of a graph with itself may lie above the scale.
    """
    similarity, called = _checked(matrix, names)
    n = len(similarity)
    ax = new_axes(ax, 6.0, 5.2)
    leaves = _leaves(_linkage(similarity)) if order and n > 1 else np.arange(n)
    shown = similarity[np.ix_(leaves, leaves)]
    drawn = _pooled(shown)
    others = similarity[~np.eye(n, dtype=bool)] if n > 1 else similarity.ravel()
    lowest, highest = min(0.0, float(others.min())), float(others.max())
    highest = highest if highest > lowest else 1.0
    image = ax.imshow(
        drawn, cmap="cividis", vmin=lowest, vmax=highest, interpolation="nearest", extent=(-0.5, n - 0.5, n - 0.5, -0.5)
    )
    if n <= _NAMED:
        labels = [short(called[k]) for k in leaves.tolist()]
        ax.set_xticks(range(n), labels, rotation=90, fontsize=7)
        ax.set_yticks(range(n), labels, fontsize=7)
    ax.set_title(f"similarity of {n:,} graphs{', ordered' if order else ''}", loc="left")
    ends = "max" if similarity.max() > highest else "neither"
    ax.figure.colorbar(image, ax=ax, label="similarity", shrink=0.8, extend=ends).outline.set_visible(False)
    spots: tuple[Spot, ...] = ()
    if n <= _POINTED:
        spots = tuple(
            Spot(x, y, 1, 1, f"{called[leaves[y]]} and {called[leaves[x]]}: {shown[y, x]:.4f}")
            for y in range(n)
            for x in range(n)
        )
    facts = f"mean {others.mean():.4f}, from {others.min():.4f} to {others.max():.4f}" if n > 1 else "one graph"
    return describe(ax, f"Heat map of the similarity of every two of {n:,} graphs, different ones: {facts}.", spots)


def dendrogram(matrix: ArrayLike, *, names: Sequence[str | None] | None = None, ax: Axes | None = None) -> Axes:
    """The graphs as leaves of a tree, which joins the most similar ones first (average linkage).

    Parameters
    ----------
    matrix, names
        As for :func:`heatmap`; two graphs or more.
    ax : matplotlib.axes.Axes, optional
        By default those of a new figure.

    Returns
    -------
    matplotlib.axes.Axes

    Raises
    ------
    OptionError
        As for :func:`heatmap`; or there is only one graph.
    """
    similarity, called = _checked(matrix, names)
    n = len(similarity)
    if n < 2:
        raise OptionError("plot: a dendrogram needs two graphs or more")
    ax = new_axes(ax, 6.4, max(3.0, min(9.0, 1.2 + 0.18 * n)))
    tree = _linkage(similarity)
    height = np.zeros(2 * n - 1)
    place = np.zeros(2 * n - 1)
    leaves = _leaves(tree)
    place[leaves] = np.arange(n)
    segments = []
    for k, (a, b, distance, _) in enumerate(tree.tolist(), start=n):
        a, b = int(a), int(b)
        height[k], place[k] = distance, (place[a] + place[b]) / 2
        segments.append([(height[a], place[a]), (distance, place[a]), (distance, place[b]), (height[b], place[b])])
    from matplotlib.collections import LineCollection

    ax.add_collection(LineCollection(segments, colors=BLUE, linewidths=1.2 if n <= _POINTED else 0.5))
    top = float(tree[-1, 2])
    ax.set(xlim=(-0.02 * (top or 1), 1.05 * (top or 1)), ylim=(n - 0.5, -0.5), xlabel="distance (1 − similarity)")
    if n <= 2 * _NAMED:
        ax.set_yticks(range(n), [short(called[k]) for k in leaves.tolist()], fontsize=7)
    else:
        ax.set_yticks([])
    ax.tick_params(axis="y", length=0)
    ax.spines["left"].set_visible(False)
    ax.set_title(f"{n:,} graphs, joined by average distance", loc="left")
    wide = 0.04 * (top or 1)
    spots = tuple(Spot(0, y, wide, 1, called[k]) for y, k in enumerate(leaves.tolist())) if n <= _DRAWN else ()
    first = tree[0]
    nearest = " and ".join(called[int(k)] for k in first[:2])
    return describe(
        ax,
        f"Dendrogram of {n:,} graphs. The first two to be joined are {nearest}, at distance {first[2]:.4f}; all are "
        f"joined at {top:.4f}. In the order of the leaves: {', '.join(called[k] for k in leaves[:_NAMED].tolist())}"
        f"{', …' if n > _NAMED else '.'}",
        spots,
    )


def corpus_map(
    matrix: ArrayLike,
    *,
    names: Sequence[str | None] | None = None,
    texts: Sequence[str] | None = None,
    ax: Axes | None = None,
) -> Axes:
    """The graphs as points of a plane, similar ones near each other (classical multidimensional scaling).

    Parameters
    ----------
    matrix, names
        As for :func:`heatmap`. Names are drawn beside up to 40 points.
    texts : sequence of n str, optional
        What is shown besides the name while the pointer is on a point, in SVG and HTML: the sentences.
    ax : matplotlib.axes.Axes, optional
        By default those of a new figure.

    Returns
    -------
    matplotlib.axes.Axes

    Raises
    ------
    OptionError
        As for :func:`heatmap`; or there are not as many ``texts``.

    Notes
    -----
    The plane is that of the largest variance of the squared distances. The title says which share of it the picture
    shows: if that is low, points that are near each other in the picture may still be unlike.
    """
    similarity, called = _checked(matrix, names)
    n = len(similarity)
    if texts is not None and len(texts) != n:
        raise OptionError(f"plot: {n:,} graphs, but {len(texts):,} texts")
    ax = new_axes(ax, 6.4, 5.4)
    points, share = _plane(_distances(similarity))
    ax.scatter(points[:, 0], points[:, 1], s=36 if n <= 200 else 10, color=BLUE, alpha=0.65, linewidths=0)
    if n <= _NAMED:
        for (x, y), name in zip(points.tolist(), called, strict=True):
            ax.annotate(short(name), (x, y), xytext=(4, 3), textcoords="offset points", fontsize=7)
    ax.set_aspect("equal", adjustable="datalim")
    ax.margins(0.1)
    ax.set(xticks=[], yticks=[])
    for side in ("left", "bottom"):
        ax.spines[side].set_visible(False)
    ax.set_title(f"map of {n:,} graphs ({share:.0%} of the variance)", loc="left")
    more = [f": {text}" if text else "" for text in texts] if texts is not None else [""] * n
    spots = tuple(
        Spot(x, y, 0, 0, name + text) for (x, y), name, text in zip(points.tolist(), called, more, strict=True)
    )
    return describe(
        ax,
        f"Map of {n:,} graphs by classical multidimensional scaling: a point a graph, similar graphs near each other. "
        f"It shows {share:.0%} of the variance of the distances.",
        spots,
    )


# ---- what is drawn ---------------------------------------------------------------------------------------------------


def _checked(matrix: ArrayLike, names: Sequence[str | None] | None) -> tuple[FloatArray, list[str]]:
    """The similarities as float64, and a name for every graph."""
    shape = np.shape(matrix)
    if len(shape) != 2 or shape[0] != shape[1] or not shape[0]:
        raise OptionError(f"plot: expected a square matrix of similarities, found the shape {shape}")
    n = shape[0]
    if n > LARGEST:
        raise OptionError(f"plot: {n:,} graphs are too many to draw; expected {LARGEST:,} at most")
    similarity = np.array(matrix, np.float64)
    if not np.isfinite(similarity).all():
        row, column = np.argwhere(~np.isfinite(similarity))[0].tolist()
        raise OptionError(f"plot: the similarity of graphs {row} and {column} is no number")
    if names is not None and len(names) != n:
        raise OptionError(f"plot: {n:,} graphs, but {len(names):,} names")
    given = [None] * n if names is None else names
    return similarity, [name if name else str(k) for k, name in enumerate(given)]


def _distances(similarity: FloatArray) -> FloatArray:
    distances: FloatArray = np.maximum(1 - (similarity + similarity.T) / 2, 0)
    np.fill_diagonal(distances, 0)
    return distances


def _linkage(similarity: FloatArray) -> FloatArray:
    from scipy.cluster.hierarchy import linkage
    from scipy.spatial.distance import squareform

    condensed = squareform(_distances(similarity), checks=False)
    return linkage(condensed, "average", optimal_ordering=len(similarity) <= _ARRANGED)


def _leaves(tree: FloatArray) -> Int64Array:
    from scipy.cluster.hierarchy import leaves_list

    return np.asarray(leaves_list(tree), np.int64)


def _pooled(matrix: FloatArray) -> FloatArray:
    """The matrix, or means of its blocks if it has more rows than a picture has dots."""
    n = len(matrix)
    if n <= _DRAWN:
        return matrix
    starts = np.linspace(0, n, _DRAWN, endpoint=False).astype(np.int64)
    sizes = np.diff(starts, append=n)
    sums = np.add.reduceat(np.add.reduceat(matrix, starts, axis=0), starts, axis=1)
    return sums / np.outer(sizes, sizes)


def _plane(distances: FloatArray) -> tuple[NDArray[Any], float]:
    """Coordinates by classical scaling, float64[n, 2], and the share of the variance that they hold.

    The two largest eigenvalues of the matrix of squared distances, centred on both sides, times −1/2 (Torgerson 1952).
    Negative eigenvalues, which distances that are not Euclidean have, do not count.
    """
    n = len(distances)
    squares = distances**2
    means = squares.mean(axis=0)
    inner = (means[:, None] + means[None, :] - squares - squares.mean()) / 2
    if n <= _DRAWN:
        from scipy.linalg import eigh

        values, vectors = eigh(inner)
        total = float(np.maximum(values, 0).sum())
    else:
        from scipy.sparse.linalg import eigsh

        values, vectors = eigsh(inner, k=2, v0=np.cos(np.arange(n)))
        # the trace has the negative eigenvalues in it as well: with many graphs the share is a little too large
        total = float(np.trace(inner))
    order = np.argsort(-values)[:2]
    lengths = np.maximum(values[order], 0)
    points = np.zeros((n, 2))
    points[:, : len(order)] = vectors[:, order] * np.sqrt(lengths)
    # either direction of an axis is right: the one in which the farthest point lies to the right, or on top
    for axis in points.T:
        if axis[np.argmax(np.abs(axis))] < 0:
            axis *= -1
    return points, float(lengths.sum() / total) if total > 0 else 1.0
