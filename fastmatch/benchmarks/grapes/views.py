"""Graphs as GrAPES sees them, and when one contains another.

The program reads with penman's *default* model, which turns every ``-of`` around, while the dialect ``penman`` has the
AMR model, which keeps ``:consist-of`` and two more. A :class:`View` is a graph under the default model.

A graph F *contains* a graph S if S's nodes can be mapped to nodes of F, several of them perhaps to one, so that

1. labels are equal (without ``senses``: equal when the sense is off);
2. every attribute of a node is one of its image: equal values, quotes apart, and with ``labels`` equal roles;
3. every edge s –r→ t, s ≠ t, has an edge m(s) –r→ m(t); without ``labels``, any edge between the two in any direction;
4. between s and t are no more edges than between m(s) and m(t), whatever their direction. A self-loop counts twice.

All conditions are about one or two nodes of S, so this is a constraint satisfaction problem: a node's *domain* is the
set of nodes that it may be mapped to. Domains are made arc consistent: what lacks a partner in a neighbour's domain is
taken out. That decides the question if S has no circles; else one node after the other is fixed, and the others'
domains are made consistent again.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache

import numpy as np

from fastmatch.graphs.corpus import Corpus
from fastmatch.graphs.notation import NOT_INVERTED
from fastmatch.runtime.cached import cached_property

_SENSE = re.compile(r".*-[0-9][0-9]")

#: Nodes that a search fixes at most. Four predictions of the whole suite needed two; 2,000 characters made to be hard
#: (a colouring that there is not) need some thousands, in a second. What needs more counts as not contained.
MOST_TRIALS = 10_000

#: What is between a node and a neighbour: the neighbour, roles to it, roles from it, and how many edges.
_Link = tuple[int, frozenset[str], frozenset[str], int]


@lru_cache(maxsize=1 << 16)  # of labels there are few, asked for again with every graph
def strip(label: str) -> str:
    """A label without its sense, by the program's rule.

    If a hyphen and two digits stand somewhere in its first line, the last three characters are cut off, whatever they
    are: ``run-01`` becomes ``run``, ``run-001`` becomes ``run-``, ``F-16`` becomes ``F``.
    """
    return label[:-3] if _SENSE.match(label) else label


@dataclass(eq=False)
class View:
    """One graph.

    Attributes
    ----------
    top : int
        Its node on top, −1 in an empty graph.
    n_nodes : int
    instances : list of (node, label or None)
        Those of a node in the order of the text; it may have two.
    attributes : list of (node, role, value or None)
        Triples whose target is no variable.
    edges : list of (node, role, node)
        Every ``-of`` turned around.
    """

    top: int
    n_nodes: int
    instances: list[tuple[int, str | None]]
    attributes: list[tuple[int, str, str | None]]
    edges: list[tuple[int, str, int]]

    @cached_property
    def labels(self) -> list[str | None]:
        """Node → the label of its first instance."""
        found: list[str | None] = [None] * self.n_nodes
        for node, label in reversed(self.instances):
            found[node] = label
        return found

    @cached_property
    def all_labels(self) -> list[str]:
        """The labels of all instances."""
        return [label for _, label in self.instances if label is not None]

    @cached_property
    def stripped(self) -> list[str | None]:
        """Node → its label without the sense."""
        return [None if label is None else strip(label) for label in self.labels]

    def names(self, senses: bool) -> list[str | None]:
        """Node → its label, with or without the sense."""
        return self.labels if senses else self.stripped

    def is_copy(self, other: View, senses: bool) -> bool:
        """True only if the graphs are the same node by node, in this order, so that each contains the other; cheap."""
        return (
            self.edges == other.edges
            and self.attributes == other.attributes
            and self.names(senses) == other.names(senses)
        )

    @property
    def has_second_labels(self) -> bool:
        """Whether a node has two instances or more."""
        return len(self.instances) > self.n_nodes

    @cached_property
    def label_set(self) -> frozenset[str | None]:
        """The labels of its nodes without senses."""
        return frozenset(self.stripped)

    @cached_property
    def outline(self) -> tuple[frozenset[str | None], frozenset[tuple[str | None, str | None]]]:
        """Labels of nodes without senses, and these with the values of their attributes.

        Graphs that contain each other, senses and roles apart, have the same, unless a node has two labels.
        """
        names = self.stripped
        return self.label_set, frozenset((names[node], bare(value)) for node, _, value in self.attributes)

    @cached_property
    def _sets(self) -> tuple[tuple[frozenset[str | None], ...], ...]:
        """Without and with senses: labels of nodes, and labels of instances."""
        labels = frozenset(self.labels)
        if not self.has_second_labels:
            return (self.label_set, self.label_set), (labels, labels)
        every = frozenset(label for _, label in self.instances)
        bare = frozenset(None if label is None else strip(label) for label in every)
        return (self.label_set, bare), (labels, every)

    def known(self, senses: bool) -> frozenset[str | None]:
        """The labels of all instances, with or without senses."""
        return self._sets[senses][1]

    def may_contain(self, part: View, senses: bool) -> bool:
        """False only if a label of the part is missing here; cheap."""
        return part._sets[senses][0] <= self._sets[senses][1]

    @cached_property
    def _places(self) -> tuple[dict[str | None, int], ...]:
        """Label → its nodes, as the bits of a number; without senses and with them."""
        made: list[dict[str | None, int]] = []
        for names in (self.stripped, self.labels):
            places: dict[str | None, int] = {}
            for node, name in enumerate(names):
                places[name] = places.get(name, 0) | 1 << node
            made.append(places)
        return tuple(made)

    def places(self, name: str | None, senses: bool) -> int:
        """The nodes with this label, as bits."""
        return self._places[senses].get(name, 0)

    def places_by_any(self, name: str | None, senses: bool) -> int:
        """The nodes one of whose labels is this one, as bits."""
        found = 0
        for node, label in self.instances:
            if (label if senses or label is None else strip(label)) == name:
                found |= 1 << node
        return found

    @cached_property
    def properties(self) -> tuple[list[frozenset[object]], list[frozenset[object]]]:
        """Node → the values of its attributes, without quotes; node → the same, each with its role."""
        values: list[set[object]] = [set() for _ in range(self.n_nodes)]
        pairs: list[set[object]] = [set() for _ in range(self.n_nodes)]
        for node, role, value in self.attributes:
            plain = bare(value)
            values[node].add(plain)
            pairs[node].add((role, plain))
        return list(map(frozenset, values)), list(map(frozenset, pairs))

    @cached_property
    def links(self) -> list[list[_Link]]:
        """Node → its neighbours, itself among them if it has a self-loop."""
        between: dict[tuple[int, int], set[str]] = {}
        count: dict[tuple[int, int], int] = {}
        for source, role, target in self.edges:
            between.setdefault((source, target), set()).add(role)
            for ends in ((source, target), (target, source)):
                count[ends] = count.get(ends, 0) + 1
        found: list[list[_Link]] = [[] for _ in range(self.n_nodes)]
        for (a, b), n in count.items():
            found[a].append((b, frozenset(between.get((a, b), ())), frozenset(between.get((b, a), ())), n))
        return found

    @cached_property
    def loops(self) -> list[int]:
        """Node → twice the number of its self-loops."""
        return [sum(n for b, _, _, n in links if b == a) for a, links in enumerate(self.links)]

    @cached_property
    def is_tree(self) -> bool:
        """Whether a graph in one piece has no circle of edges, without direction and counted once between two nodes."""
        return sum(a < b for a, links in enumerate(self.links) for b, *_ in links) == self.n_nodes - 1

    def spanning(self, top: int, without: int) -> View:
        """A spanning tree of what can be reached from ``top`` when edge ``without`` is taken out.

        Depth first: at each node the edges that leave it, then those that enter it, in their order; edges to nodes that
        were met before are lost. Attributes are kept.
        """
        number = {top: 0}
        kept: list[tuple[int, str, int]] = []
        path = [self._moves(top, without)]
        while path:
            for source, role, target, other in path[-1]:
                if other not in number:
                    number[other] = len(number)
                    kept.append((number[source], role, number[target]))
                    path.append(self._moves(other, without))
                    break
            else:
                path.pop()
        instances, attributes = self._by_node
        labels = [(place, label) for node, place in number.items() for label in instances[node]]
        values = [(place, role, value) for node, place in number.items() for role, value in attributes[node]]
        return View(0, len(number), labels, values, kept)

    @cached_property
    def _by_node(self) -> tuple[list[list[str | None]], list[list[tuple[str, str | None]]]]:
        """Node → its labels; node → roles and values of its attributes; in the order of the text."""
        instances: list[list[str | None]] = [[] for _ in range(self.n_nodes)]
        attributes: list[list[tuple[str, str | None]]] = [[] for _ in range(self.n_nodes)]
        for node, label in self.instances:
            instances[node].append(label)
        for node, role, value in self.attributes:
            attributes[node].append((role, value))
        return instances, attributes

    @cached_property
    def _incident(self) -> tuple[list[list[int]], list[list[int]]]:
        leaving: list[list[int]] = [[] for _ in range(self.n_nodes)]
        entering: list[list[int]] = [[] for _ in range(self.n_nodes)]
        for number, (source, _, target) in enumerate(self.edges):
            leaving[source].append(number)
            entering[target].append(number)
        return leaving, entering

    def _moves(self, node: int, without: int) -> Iterator[tuple[int, str, int, int]]:
        leaving, entering = self._incident
        for numbers, other in ((leaving[node], 2), (entering[node], 0)):
            for number in numbers:
                if number != without:
                    edge = self.edges[number]
                    yield (*edge, edge[other])  # type: ignore[misc]


class Views:
    """The graphs of a corpus as views, each made when it is first asked for."""

    def __init__(self, corpus: Corpus) -> None:
        self.corpus = corpus
        self._strings = list(corpus.vocabulary)
        self._made: dict[int, View] = {}
        self._rows = [
            (getattr(corpus, f"{kind}_offsets").tolist(), getattr(corpus, f"{kind}s").T.tolist())
            for kind in ("instance", "attribute", "relation")
        ]
        self._sizes = np.diff(corpus.variable_offsets).tolist()

    def __getitem__(self, g: int) -> View:
        if g not in self._made:
            self._made[g] = self._view(g)
        return self._made[g]

    def _view(self, g: int) -> View:
        text = self._strings
        instances, attributes, relations = (rows[offsets[g] : offsets[g + 1]] for offsets, rows in self._rows)
        edges = []
        for source, id, target, _, inverted in relations:
            role = text[id]
            if role in NOT_INVERTED and not inverted:
                source, role, target = target, role[:-3], source
            edges.append((source, role, target))
        labels = [(node, text[label] if label >= 0 else None) for node, label, _ in instances]
        values = [(node, text[role], text[value] if value >= 0 else None) for node, role, value, _ in attributes]
        return View(int(self.corpus.root[g]), self._sizes[g], labels, values, edges)


def bare(value: str | None) -> str | None:
    """A value without quotes."""
    return None if value is None else value.replace('"', "")


def equal(one: View, other: View, *, labels: bool, senses: bool) -> bool:
    """Whether each contains the other."""
    if one.is_copy(other, senses):
        return True
    return (
        one.may_contain(other, senses)
        and contains(other, one, labels=labels, senses=senses)
        and contains(one, other, labels=labels, senses=senses)
    )


def contains(full: View, part: View, *, labels: bool, senses: bool, most_trials: int = MOST_TRIALS) -> bool:
    """Whether ``full`` contains ``part``, as the top of this module says.

    A node with two labels is, as the image of the part's top, taken with any of them, elsewhere with its first.

    Parameters
    ----------
    full, part : View
        All nodes of the part can be reached from its top: text in brackets makes no other graphs.
    labels : bool
        Roles and directions of edges count, and roles of attributes.
    senses : bool
        Senses count.
    most_trials : int
        The search gives up, and says no, after so many trials.
    """
    if not full.may_contain(part, senses):
        return False
    domains = _first_domains(full, part, labels, senses)
    if domains is None:
        return False
    if not part.edges:
        return True
    supports = _Supports(full, part, labels)
    if not supports.make_consistent(domains, list(range(part.n_nodes))):
        return False
    return part.is_tree or _search(supports, domains, most_trials)


def _first_domains(full: View, part: View, labels: bool, senses: bool) -> list[int] | None:
    """For each node of the part, the nodes that fit it by themselves, as bits; None if some node has none."""
    demanding = bool(part.attributes or part.edges)
    need, loops = (part.properties[labels], part.loops) if demanding else ((), ())
    domains = []
    for node, name in enumerate(part.names(senses)):
        fitting = full.places_by_any(name, senses) if node == part.top else full.places(name, senses)
        if demanding and (need[node] or loops[node]):
            have = full.properties[labels]
            for image in _bits(fitting):
                if not need[node] <= have[image] or (loops[node] and loops[node] > full.loops[image]):
                    fitting &= ~(1 << image)
        if not fitting:
            return None
        domains.append(fitting)
    return domains


class _Supports:
    """What conditions 3 and 4 leave for a neighbour when a node's image is known."""

    def __init__(self, full: View, part: View, labels: bool) -> None:
        self._full, self._part, self._labels = full, part, labels
        self._known: dict[tuple[int, int, int], int] = {}

    def _of(self, node: int, place: int, image: int) -> int:
        key = node, place, image
        found = self._known.get(key)
        if found is None:
            _, there, back, n = self._part.links[node][place]
            found = 0
            for other, to, fro, count in self._full.links[image]:
                if count >= n and (not self._labels or (there <= to and back <= fro)):
                    found |= 1 << other
            self._known[key] = found
        return found

    def make_consistent(self, domains: list[int], changed: list[int]) -> bool:
        """Take out of the domains what has no partner; False if one becomes empty."""
        waiting = set(changed)
        while changed:
            node = changed.pop()
            waiting.discard(node)
            for place, (neighbour, *_) in enumerate(self._part.links[node]):
                if neighbour == node:
                    continue
                allowed = 0
                for image in _bits(domains[node]):
                    allowed |= self._of(node, place, image)
                left = domains[neighbour] & allowed
                if left != domains[neighbour]:
                    if not left:
                        return False
                    domains[neighbour] = left
                    if neighbour not in waiting:
                        waiting.add(neighbour)
                        changed.append(neighbour)
        return True


def _search(supports: _Supports, domains: list[int], most_trials: int) -> bool:
    """Whether some choice of one image for each node is consistent."""
    open_ones: list[tuple[list[int], int, Iterator[int]]] = []
    while True:
        node = _smallest(domains)
        if node < 0:
            return True
        open_ones.append((domains, node, _bits(domains[node])))
        while open_ones:
            before, node, images = open_ones[-1]
            image = next(images, -1)
            if image < 0:
                open_ones.pop()
                continue
            most_trials -= 1
            if most_trials < 0:
                return False
            domains = before.copy()
            domains[node] = 1 << image
            if supports.make_consistent(domains, [node]):
                break
        else:
            return False


def _smallest(domains: Sequence[int]) -> int:
    """The node with the fewest images, of those that have several; −1 if none has."""
    sizes = [(size, node) for node, domain in enumerate(domains) if (size := domain.bit_count()) > 1]
    return min(sizes)[1] if sizes else -1


def _bits(number: int) -> Iterator[int]:
    while number:
        low = number & -number
        yield low.bit_length() - 1
        number ^= low
