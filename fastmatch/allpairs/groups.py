"""``groups``: what hangs together by scores that reach a cutoff, such as near duplicates."""

from __future__ import annotations

import threading
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from fastmatch.allpairs.setting import Setting, checked_cutoff
from fastmatch.errors import OptionError, choice
from fastmatch.graphs.dialects import DIALECTS
from fastmatch.graphs.forms import Graphs, corpus_of, graph_ids
from fastmatch.graphs.identical import first_of_equals
from fastmatch.metrics.base import Metric
from fastmatch.metrics.choosing import chosen_metric
from fastmatch.report import markup
from fastmatch.report.frames import Tabular
from fastmatch.results.equality import ByValue
from fastmatch.runtime import threads
from fastmatch.runtime.cpus import worker_count
from fastmatch.runtime.progress import Steps
from fastmatch.types import Int64Array, MetricName, OnErrorPaired, Progress

#: Pairs that are kept until they are made into a forest, which has fewer pairs than graphs: 16 bytes each.
_PAIRS = 1 << 24

#: Estimated seconds of a block of rows, at most: one thread does it, and Ctrl-C waits for it.
BLOCK_SECONDS = 0.5
#: The same where most pairs are skipped, which the estimate does not know.
SKIPPED_SECONDS = 1e4

#: Groups that a notebook shows.
_SHOWN = 10


def groups(
    corpus: Graphs,
    *,
    score_cutoff: float = 0.9,
    metric: MetricName | str | Metric = "smatch",
    preset: str | None = None,
    workers: int = 1,
    progress: Progress = None,
    on_error: OnErrorPaired = "raise",
    **options: Any,
) -> Groups:
    """Groups of graphs that hang together: two graphs are linked if their score reaches a cutoff.

    Parameters
    ----------
    corpus : Corpus, or graphs in another form
        As for :func:`fastmatch.score`.
    score_cutoff : float
        Inclusive, above 0. A group is a connected component: each of its graphs is linked to another one of it, but two
        of them may score less with each other.
    metric, preset, **options
        As for :func:`fastmatch.score`. If the metric depends on the direction, one direction is enough for a link.
    workers : int
        Threads, −1 for all CPUs this process may use. Results do not depend on it.
    progress : None, bool or callable
        True draws a bar with an estimate on a terminal; a callable gets (pairs done, pairs in all).
    on_error : {"raise", "empty", "repair"}
        As for :func:`fastmatch.score`. A graph that could not be read is a group by itself.

    Returns
    -------
    Groups
        Every graph is in one group. A graph that is like no other one is a group of one.

    Raises
    ------
    OptionError
        Besides what :func:`fastmatch.cdist` raises: the cutoff is not above 0.

    Notes
    -----
    The pairs are those of ``cdist(corpus, sparse=True, score_cutoff=…)``. They are found block by block, and no more of
    them are kept than needed. Equal graphs are compared with others only once.

    Examples
    --------
    >>> import fastmatch as fm
    >>> found = fm.groups(["(a / cat)", "(a / dog)", "(b / cat)"])
    >>> found.labels.tolist(), found.sizes.tolist(), found.representatives.tolist()
    ([0, 1, 0], [2, 1], [0, 1])
    """
    cutoff = checked_cutoff(score_cutoff)
    if not cutoff:
        raise OptionError(f"score_cutoff={score_cutoff!r}: expected more than 0, as all graphs are one group with 0")
    choice("on_error", on_error, ("raise", "empty", "repair"))
    workers = worker_count(workers)
    chosen = chosen_metric(metric, preset, options)
    graphs = corpus_of("corpus", corpus, None, chosen.dialect, on_error, workers=workers)
    read = np.ones(len(graphs), bool)
    read[[number for number, _ in graphs.problems]] = False
    same = np.arange(len(graphs)) if DIALECTS[graphs.dialect].identified else first_of_equals(graphs)
    same[~read] = np.flatnonzero(~read)
    # one graph of each kind is compared
    kinds, kind, counts = np.unique(same[read], return_inverse=True, return_counts=True)
    setting = Setting.make(graphs[kinds], None, chosen, None, cutoff, on_error, {})
    links = _Links(len(kinds), counts)
    comparison = setting.comparison
    comparison.make_indexes(bounds=True)

    def work(start: int, stop: int) -> None:
        found = comparison.listed(start, stop, half=comparison.half)
        links.add(found.rows, found.columns)

    size = len(kinds)
    with Steps(progress, size**2) as report:
        blocks = setting.blocks(setting.height(8, SKIPPED_SECONDS if comparison.skips else BLOCK_SECONDS))
        cancel = np.zeros(1, np.uint8)
        threads.spread(work, blocks, size, workers, cancel, lambda done, total: report(int(done * size)))
        report(report.total)
    several = np.flatnonzero(counts > 1)
    linked = np.zeros(len(kinds), bool)  # equal graphs that reach the cutoff with each other
    linked[several] = comparison.grid.scores(several, several, workers) >= cutoff
    # a part is what hangs together, named by one of its kinds; equal graphs without any link are apart
    part = np.full(len(graphs), -1)
    part[read] = links.components()[kind]
    degree = np.zeros(len(graphs), np.int64)
    scores_each = 1 if comparison.half else 2  # of two graphs: in each direction, where that matters
    degree[read] = (links.degrees + np.where(linked, scores_each * (counts - 1), 0))[kind]
    alone = degree == 0
    part[alone] = len(kinds) + np.arange(int(alone.sum()))
    # numbered in the order of their first graphs; the graph of each with most links, and of several the first
    _, first, place = np.unique(part, return_index=True, return_inverse=True)
    labels = np.argsort(np.argsort(first))[place]
    order = np.lexsort((np.arange(len(labels)), -degree, labels))
    _, best, sizes = np.unique(labels[order], return_index=True, return_counts=True)
    return Groups(labels, sizes, order[best], str(setting.signature), graph_ids(graphs))


class _Links:
    """Pairs of kinds of graphs, and what hangs together by them. ``counts``: graphs of each kind."""

    def __init__(self, size: int, counts: Int64Array) -> None:
        self._lock = threading.Lock()
        self._counts = counts
        self._size = size
        self._pairs: list[NDArray[np.int64]] = []  # int64[2, n]
        self._kept = 0  # their number
        #: Scores that reach the cutoff in which a graph of this kind takes part, those of equal graphs left out.
        self.degrees = np.zeros(size, np.int64)

    def add(self, rows: Int64Array, columns: Int64Array) -> None:
        """Add pairs; from several threads."""
        apart = rows != columns
        rows, columns = rows[apart], columns[apart]
        with self._lock:
            for one, other in ((rows, columns), (columns, rows)):
                np.add.at(self.degrees, one, self._counts[other])
            self._pairs.append(np.stack([rows, columns]))
            self._kept += len(rows)
            if self._kept > max(_PAIRS, 2 * self._size):
                whole = self.components()
                _, first = np.unique(whole, return_index=True)
                self._pairs = [np.stack([np.arange(self._size), first[whole]])]
                self._kept = self._size

    def components(self) -> Int64Array:
        """The number of the connected component of each kind."""
        from scipy.sparse import coo_array
        from scipy.sparse.csgraph import connected_components

        rows, columns = np.concatenate(self._pairs or [np.empty((2, 0), np.int64)], axis=1)
        links = coo_array((np.ones(len(rows), bool), (rows, columns)), (self._size, self._size))
        return connected_components(links, directed=False)[1].astype(np.int64)


@dataclass(frozen=True, eq=False, repr=False)
class Groups(ByValue, Tabular):
    """The groups of a corpus, in the order of their first graphs.

    Attributes
    ----------
    labels : int64[n_graphs]
        The number of each graph's group.
    sizes : int64[n_groups]
        Graphs in each group.
    representatives : int64[n_groups]
        The graph that stands for each group: that which reaches the cutoff with most others (in most scores, where they
        depend on the direction); of several the first.
    signature : str
        What the scores depend on.
    ids : sequence of str or None
        The ``::id`` of every graph.
    """

    labels: Int64Array
    sizes: Int64Array
    representatives: Int64Array
    signature: str
    ids: Sequence[str | None] = field(default=())

    def members(self, group: int) -> Int64Array:
        """The graphs of a group, ascending: int64[sizes[group]].

        Raises
        ------
        IndexError
            If there is no such group.
        """
        if not -len(self) <= group < len(self):
            raise IndexError(f"group {group} of {len(self)}")
        return np.flatnonzero(self.labels == group % len(self))

    def _table(self) -> dict[str, Any]:
        """One row a graph: ``group``, ``size``, ``representative`` (is it that?), ``index``, ``id``; by group."""
        order = np.argsort(self.labels, kind="stable")
        chosen = np.zeros(len(self.labels), bool)
        chosen[self.representatives] = True
        labels = self.labels[order]
        ids = np.array(self.ids, object)[order].tolist()
        return {"group": labels, "size": self.sizes[labels], "representative": chosen[order], "index": order, "id": ids}

    def _repr_html_(self) -> str:
        """The largest groups."""
        largest = np.argsort(-self.sizes, kind="stable")[:_SHOWN].tolist()
        rows = []
        for group in largest:
            chosen = int(self.representatives[group])
            rows.append((group, int(self.sizes[group]), chosen, self.ids[chosen] or ""))
        header = ("group", "size", "representative", "id")
        title = markup.paragraph(markup.escape(repr(self)[1:-1]))
        return title + markup.beginning(header, rows, "rrrl", _SHOWN, len(self), "group")

    def to_dict(self) -> dict[str, Any]:
        """Plain Python values, ready for JSON: for each group its representative and its members."""
        order = np.argsort(self.labels, kind="stable")
        parts = np.split(order, np.cumsum(self.sizes)[:-1]) if len(self) else []
        return {
            "signature": self.signature,
            "groups": [
                {"representative": chosen, "size": len(part), "members": part.tolist()}
                for chosen, part in zip(self.representatives.tolist(), parts, strict=True)
            ],
        }

    def __len__(self) -> int:
        return len(self.sizes)

    def __repr__(self) -> str:
        return f"<Groups: {len(self):,} of {len(self.labels):,} graphs, {self.signature}>"
