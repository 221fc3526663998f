"""Graphs whose edges are exchanged step by step, each with the share of edges that are left: the data of RARE.

*Randomized AMRs with Rewired Edges* (Kachwala et al. 2024, section 4.1) asks whether a metric notices structure: the
labels of a graph stay, its edges are rewired, pair by pair, and the score should fall with every exchange. One exchange
takes two edges of one kind:

* two attributes exchange their sources: role and constant stay together (``:polarity -``);
* two relations exchange their targets: source and role stay together (``talk-01`` keeps an ``:ARG0``, with another
  target).

So every node keeps its in-degree and its out-degree. A new edge may not be in the graph, nor have been in the original
one. The graph stays connected. A new relation may not join two nodes that another one joins, nor lie on a cycle, so an
acyclic graph stays acyclic. With ``E`` edges, ``N`` of them no longer there, the similarity is ``(E − N) / E``.

Every original edge gets its turn once, in random order, unless it is gone already. It is exchanged with the first
partner, in random order, that the constraints allow. An edge of the original never returns, so ``N`` only grows. The
graph after each exchange is kept.

There are two generators:

:func:`rewire`
    as the paper says. Random numbers are a function of the seed, the number of the graph and how many were drawn, so a
    graph's rewirings depend on no other graph. The root stays. Edges that were not exchanged are written in their old
    direction, unless a node cannot be reached otherwise.
:func:`rewire_as_published`
    what the published program does (osome-iu/Rematch-RARE), triple for triple. It differs from the paper: its random
    numbers begin anew with seed 0 before every shuffle; it rules out cycles by the heights of nodes, which also rules
    out some exchanges that make no cycle; one pair of parallel relations in a graph forbids all exchanges of relations;
    an exchange removes all copies of a repeated triple; ``-of`` is turned around in ``:consist-of`` too; and the source
    of the first triple, an attribute mostly, becomes the top.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from functools import lru_cache
from itertools import chain
from typing import Any, NamedTuple

import numpy as np

from fastmatch.errors import FastmatchError
from fastmatch.graphs.graph import Graph
from fastmatch.graphs.notation import ATTRIBUTE, INSTANCE
from fastmatch.graphs.reaching import connected, reached
from fastmatch.types import Triple

Edge = tuple[Any, str, Any]

#: Units of work for one graph, 0.1 µs each or a little more: for an edge or a node that is looked at, a partner that is
#: tried, a triple that is written. Graphs of up to 500 edges, or 250 by the program's rules, get all their exchanges.
#: Without a limit the number of exchanges would grow with that of the edges, and so does the text of each.
WORK = 20_000_000
_LOOKING = 4
_TRYING = 25
_WRITING = 80
_WRITING_BY_PENMAN = 300

_MASK = (1 << 64) - 1
_GOLDEN = 0x9E3779B97F4A7C15


class Rewired(NamedTuple):
    """A rewired graph: its name ``<graph>_<step>_<edges exchanged>``, its similarity with the original, its text."""

    label: str
    score: float
    text: str


class Rewirings(NamedTuple):
    """The text of a graph without ``:wiki``, and its rewired graphs; both empty if nothing could be exchanged.

    ``cut``: the last ones are missing, because the work for one graph has a limit (``WORK``).
    """

    original: str
    series: list[Rewired]
    cut: bool


class _Spent(Exception):
    """The work for a graph has come to its limit."""


class _Work:
    """Counts the work for a graph."""

    def __init__(self) -> None:
        self.left = WORK

    def spend(self, units: int) -> None:
        self.left -= units
        if self.left < 0:
            raise _Spent


class Stream:
    """Random numbers that are a function of three whole numbers and of how many were drawn.

    SplitMix64 (Steele, Lea and Flood 2014), the numbers of ``_ext/base/random.pxd``.
    """

    def __init__(self, seed: int, first: int, second: int) -> None:
        self.state = _mix(_mix(_mix(seed + _GOLDEN) + first) + second)

    def below(self, n: int) -> int:
        """Uniform in 0 … n − 1, n < 2³²."""
        self.state = (self.state + _GOLDEN) & _MASK
        return ((_mix(self.state) >> 32) * n) >> 32

    def shuffled(self, n: int) -> Iterator[int]:
        """0 … n − 1 in random order, drawn one by one."""
        places = list(range(n))
        for left in range(n, 0, -1):
            chosen = self.below(left)
            yield places[chosen]
            places[chosen] = places[left - 1]


def _mix(z: int) -> int:
    z &= _MASK
    z = ((z ^ (z >> 30)) * 0xBF58476D1CE4E5B9) & _MASK
    z = ((z ^ (z >> 27)) * 0x94D049BB133111EB) & _MASK
    return z ^ (z >> 31)


# ------------------------------------------------------------------------------------------------------ as in the paper


def rewire(graph: Graph, number: int = 0, seed: int = 0) -> Rewirings:
    """Rewire a graph as the paper describes it.

    Parameters
    ----------
    graph : Graph
        Its ``:wiki`` attributes and its alignments are left out.
    number : int
        Of the graph in its corpus: part of the labels, and of what decides the random numbers.
    seed : int

    Returns
    -------
    Rewirings
        A step that Penman notation cannot express (possible only if a variable has several concepts) is left out.

    Notes
    -----
    For E edges there are at most E exchanges with at most E partners each, and looking at a partner is O(E) at worst;
    mostly one of the first few partners is allowed. ``WORK`` limits it all.
    """
    original = _without_wiki(graph)
    work = _Work()
    state = _State(original, work)
    n_edges = len(state.places)
    several = len({variable for variable, _, _ in original.instances}) < len(original.instances)
    stream = Stream(seed, number, 0)
    series = []
    changed: set[int] = set()
    cut = False
    try:
        for step, one in enumerate(stream.shuffled(n_edges)):
            if one in changed:
                continue
            two = state.exchange(one, stream)
            if two < 0:
                continue
            work.spend(_WRITING * len(state.triples))
            changed |= {one, two}
            label, score = f"{number}_{step}_{len(changed)}", (n_edges - len(changed)) / n_edges
            try:
                text = _labelled(original, list(state.triples), original._kinds, label, score).encode()
            except FastmatchError:
                if several:
                    continue
                raise
            series.append(Rewired(label, score, text))
    except _Spent:
        cut = True
    label = f"{number}_-1"
    text = _labelled(original, original.triples, original._kinds, label, 1.0).encode() if series else ""
    return Rewirings(text, [*series, Rewired(label, 1.0, text)] if series else [], cut)


def _without_wiki(graph: Graph) -> Graph:
    kept = [(t, kind) for t, kind in zip(graph.triples, graph._kinds, strict=True) if t[1] != ":wiki"]
    return Graph(
        graph.top, graph.variables, [t for t, _ in kept], [k for _, k in kept], {}, graph.comments, graph.dialect
    )


def _labelled(graph: Graph, triples: list[Triple], kinds: list[int], label: str, score: float) -> Graph:
    lines = [graph.comments] if graph.comments else []
    lines += [f"# ::label {label}", f"# ::score {score!r}"]
    return Graph(graph.top, graph.variables, triples, kinds, {}, "\n".join(lines), graph.dialect)


class _State:
    """A graph that is being rewired.

    Attributes
    ----------
    triples : list of Triple
        Those of the graph as it is now.
    places : list of int
        Edge → where it stands among the triples; edges are numbered in the order of the text.
    edges : list of Edge
        Edge → its triple as it is now.
    partners : list of list of int
        Edge → the edges of its kind.
    forbidden, present : set of Edge
        The edges of the original graph; those of the graph as it is now.
    targets, sources : dict
        Node → the nodes at the other ends of its relations.
    """

    def __init__(self, graph: Graph, work: _Work) -> None:
        self.work = work
        self.triples = list(graph.triples)
        self.places = [k for k, kind in enumerate(graph._kinds) if kind != INSTANCE]
        self.edges: list[Edge] = [graph.triples[k] for k in self.places]
        is_attribute = [graph._kinds[k] == ATTRIBUTE for k in self.places]
        attributes = [edge for edge, flag in enumerate(is_attribute) if flag]
        relations = [edge for edge, flag in enumerate(is_attribute) if not flag]
        self.is_attribute = is_attribute
        self.partners = [attributes if flag else relations for flag in is_attribute]
        self.forbidden = set(self.edges)
        self.present = set(self.edges)
        self.targets: dict[Any, list[Any]] = {}  # node → where its relations lead
        self.sources: dict[Any, list[Any]] = {}
        for edge in relations:
            source, _, target = self.edges[edge]
            for node in (source, target):
                self.targets.setdefault(node, [])
                self.sources.setdefault(node, [])
            self.targets[source].append(target)
            self.sources[target].append(source)

    def exchange(self, one: int, stream: Stream) -> int:
        """Exchange an edge with the first partner that is allowed; that partner, or −1 if there is none."""
        attribute = self.is_attribute[one]
        source1, role1, target1 = self.edges[one]
        partners = self.partners[one]
        for place in stream.shuffled(len(partners)):
            self.work.spend(_TRYING)
            two = partners[place]
            source2, role2, target2 = self.edges[two]
            if attribute:
                new = (source1, role2, target2), (source2, role1, target1)
            else:
                new = (source1, role1, target2), (source2, role2, target1)
            if any(edge in self.forbidden or edge in self.present for edge in new):
                continue
            if not attribute and not self._may_join(source1, target1, source2, target2):
                continue
            for edge, made in zip((one, two), new, strict=True):
                self.present.discard(self.edges[edge])
                self.edges[edge] = self.triples[self.places[edge]] = made
            self.present.update(new)
            return two
        return -1

    def _may_join(self, source1: Any, target1: Any, source2: Any, target2: Any) -> bool:
        """Exchange the targets of two relations among ``targets`` and ``sources``, unless that breaks a constraint."""
        self._move(source1, target1, target2)
        self._move(source2, target2, target1)
        if (
            self._n_joining(source1, target2) == 1
            and self._n_joining(source2, target1) == 1
            and not self._leads(target2, source1)
            and not self._leads(target1, source2)
            and self._connected()
        ):
            return True
        self._move(source1, target2, target1)
        self._move(source2, target1, target2)
        return False

    def _move(self, source: Any, old: Any, new: Any) -> None:
        self.targets[source].remove(old)
        self.targets[source].append(new)
        self.sources[old].remove(source)
        self.sources[new].append(source)

    def _n_joining(self, a: Any, b: Any) -> int:
        return self.targets[a].count(b) + self.targets[b].count(a)

    def _leads(self, start: Any, end: Any) -> bool:
        seen = {start}
        waiting = [start]
        while waiting:
            node = waiting.pop()
            if node == end:
                return True
            for target in self.targets[node]:
                if target not in seen:
                    seen.add(target)
                    waiting.append(target)
            self.work.spend(_LOOKING * (1 + len(self.targets[node])))
        return False

    def _connected(self) -> bool:
        self.work.spend(2 * _LOOKING * len(self.targets))
        return len(reached({next(iter(self.targets))}, self.targets, self.sources)) == len(self.targets)


# -------------------------------------------------------------------------------------------------- as in the program


@lru_cache(maxsize=512)
def legacy_order(n: int) -> tuple[int, ...]:
    """The order that ``numpy.random.seed(0); numpy.random.shuffle`` gives a list; it depends on the length alone."""
    order = list(range(n))
    np.random.RandomState(0).shuffle(order)
    return tuple(order)


def rewire_as_published(graph: Graph, number: int = 0) -> Rewirings:
    """Rewire a graph as the program of the paper's authors does, with penman 1.3 as its reader and writer.

    Parameters
    ----------
    graph : Graph
    number : int
        Of the graph after the program's shuffle of the corpus: part of the labels only.

    Returns
    -------
    Rewirings

    Raises
    ------
    FastmatchError
        If penman cannot read or write a graph, which also ends the program.
    """
    import penman

    try:
        original = penman.decode(graph.encode())
        metadata = original.metadata
        original = penman.decode(penman.encode(penman.Graph([t for t in original.triples if t[1] != ":wiki"])))
        instances = [tuple(triple) for triple in original.instances()]
        constants: list[Edge] = [tuple(triple) for triple in original.attributes()]
        edges: list[Edge] = [tuple(triple) for triple in original.edges()]
        n_edges = len(constants) + len(edges)
        series = []
        cut = False
        work = _Work()
        try:
            for step, n_swapped, attributes, relations in _published_series(constants, edges, work):
                label, score = f"{number}_{step}_{n_swapped}", (n_edges - n_swapped) / n_edges
                triples = attributes + instances + relations
                work.spend(_WRITING_BY_PENMAN * len(triples))
                made = penman.Graph(triples, metadata={**metadata, "label": label, "score": repr(score)})
                series.append(Rewired(label, score, penman.encode(made)))
        except _Spent:
            cut = True
        label = f"{number}_-1"
        original.metadata = {**metadata, "label": label, "score": "1"}
        text = penman.encode(original) if series else ""
    except (penman.PenmanError, RecursionError) as error:
        name = graph.metadata.get("id", "without id")
        raise FastmatchError(f"graph {name}: penman, which the preset 'tool' needs, gives up: {error}") from error
    return Rewirings(text, [*series, Rewired(label, 1.0, text)] if series else [], cut)


def _published_series(
    attributes: list[Edge], relations: list[Edge], work: _Work
) -> Iterator[tuple[int, int, list[Edge], list[Edge]]]:
    """(step, edges exchanged, attributes, relations) after every exchange."""
    originals = [*attributes, *relations]
    constant = set(attributes)
    forbidden = set(originals)
    swapped: set[Edge] = set()
    n_swapped = 0
    for step, place in enumerate(legacy_order(len(originals))):
        one = originals[place]
        current = attributes if one in constant else relations
        if one not in current:
            continue
        work.spend(_TRYING * len(current))
        found = _published_partner(one, current, forbidden, work, relational=current is relations)
        if found is None:
            continue
        two, new = found
        # an edge that is not original was put there by an exchange, and has been counted
        n_swapped += (one not in swapped) + (two not in swapped)
        swapped -= {one, two}
        swapped.update(new)
        shuffled = (current[k] for k in legacy_order(len(current)))
        updated = [edge for edge in shuffled if edge not in (one, two)] + list(new)
        if current is attributes:
            attributes = updated
        else:
            relations = updated
        yield step, n_swapped, attributes, relations


def _published_partner(
    one: Edge, current: list[Edge], forbidden: set[Edge], work: _Work, *, relational: bool
) -> tuple[Edge, tuple[Edge, Edge]] | None:
    """The first partner that the program accepts, and the two new edges."""
    present = set(current)
    heights = _heights(current, work) if relational else {}
    source1, role1, target1 = one
    for place in legacy_order(len(current)):
        work.spend(_TRYING)
        two = current[place]
        source2, role2, target2 = two
        if relational:
            new = (source1, role1, target2), (source2, role2, target1)
        else:
            new = (source1, role2, target2), (source2, role1, target1)
        if any(edge in forbidden or edge in present for edge in new):
            continue
        if not relational:
            return two, new
        if not _levels_differ(heights, source1, target1, source2, target2):
            continue
        work.spend(_TRYING * len(current))
        updated = [edge for edge in current if edge not in (one, two)] + list(new)
        joined = Counter((source, target) for source, _, target in updated)
        if max(joined.values()) == 1 and connected(set(chain.from_iterable(joined)), joined):
            return two, new
    return None


def _levels_differ(heights: dict[Any, int], source1: Any, target1: Any, source2: Any, target2: Any) -> bool:
    """The program's test for cycles: it never makes an acyclic graph cyclic, but forbids more than it need."""
    high1, low1, high2, low2 = heights[source1], heights[target1], heights[source2], heights[target2]
    return (
        (high1 == high2 and source1 != source2)
        or (low1 == low2 and target1 != target2)
        or (high1 > high2 >= low1 and source2 != target1)
        or (high2 > high1 >= low2 and source1 != target2)
    )


def _heights(relations: Sequence[Edge], work: _Work) -> dict[Any, int]:
    """Longest way down from each node; children that are known to lead back to the node do not count.

    The result for graphs with cycles depends on the order of the depth-first walk, which is that of the relations.
    """
    below: dict[Any, dict[Any, None]] = {}
    for source, _, target in relations:
        below.setdefault(source, {})[target] = None
        below.setdefault(target, {})
    order: list[Any] = []
    seen: set[Any] = set()
    for root in below:
        if root in seen:
            continue
        seen.add(root)
        stack = [(root, iter(below[root]))]
        while stack:
            node, children = stack[-1]
            child = next((child for child in children if child not in seen), None)
            if child is None:
                order.append(node)
                stack.pop()
            else:
                seen.add(child)
                stack.append((child, iter(below[child])))
    reached = {node: set(children) for node, children in below.items()}
    heights = dict.fromkeys(below, 0)
    for node in order:
        down = [child for child in below[node] if child != node and node not in reached[child]]
        if down:
            heights[node] = 1 + max(heights[child] for child in down)
            for child in down:
                work.spend(_LOOKING * len(reached[child]))
                reached[node].update(reached[child])
    return heights
