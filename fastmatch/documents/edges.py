"""A document graph while it is rewritten: nodes, and a list of edges whose order decides which mention comes first.

Each constant is a node of its own, so that merging two mentions can move or drop it like any other node.

An edge between a mention and its chain is ``(mention, coref-of, chain)``. The program docAMR (``tool=True``) holds an
edge as the text writes it where a chain, or any other node, is opened below an inverse role, and turned around
elsewhere. So it knows two kinds of edges for one thing, ``(m, coref-of, c)`` and ``(c, coref, m)``, and does not see
that they are equal. Its other orders are reproduced as well: edges into a node that is entered three times or more wait
until that node is opened, and constants come last, sorted.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator

from fastmatch.errors import FastmatchError
from fastmatch.graphs.graph import Graph
from fastmatch.graphs.notation import ATTRIBUTE, INSTANCE, INVERTED, NOT_INVERTED, RELATION, is_inverted
from fastmatch.graphs.reaching import reached
from fastmatch.types import Triple

#: Concepts of a chain, and of a participant that no word mentions.
CHAIN, IMPLICIT = "coref-entity", "implicit-role"

#: Roles from a chain that a text writes at the other end, with ``-of``.
_CHAINED = (":coref", ":part", ":subset")

#: A variable by its name, a constant by its number.
Node = str | int
#: Source, role without colon, target.
Edge = tuple[Node, str, Node]


class DocumentEdges:
    """The nodes and edges of one document.

    Each edge has a *slot*, a number that says its place among the others. What merges nodes changes edges in their
    slots, and takes time in proportion to the edges of these nodes.

    Parameters
    ----------
    top : str
        The root.
    concepts : dict of Node → str or None
        Of every node; a constant has its value, without quotes if ``tool``.
    edges : iterable of Edge
    tool : bool
        Whether to do what docAMR does, its slips included.
    """

    def __init__(
        self, top: str, concepts: dict[Node, str | None], edges: Iterable[Edge], *, tool: bool = False
    ) -> None:
        self.top = top
        self.concepts = concepts
        self.tool = tool
        self._slots: dict[int, Edge] = {}
        self._at: dict[Node, set[int]] = {}
        self._known: Counter[Edge] = Counter()
        self._free = 0
        for edge in edges:
            self.add(edge)

    @classmethod
    def of(cls, graph: Graph, *, tool: bool = False) -> DocumentEdges:
        """The edges of a graph that was read with the dialect ``penman``.

        Raises
        ------
        FastmatchError
            If a node has no variable, or a variable several concepts.
        """
        if graph.top is None or None in graph.variables:
            raise FastmatchError("a node without a variable; expected one for each node of a document")
        if len({source for source, _, _ in graph.instances}) != len(graph.instances):
            raise FastmatchError("a variable with several concepts; expected one for each node of a document")
        concepts: dict[Node, str | None] = dict.fromkeys(map(str, graph.variables))
        edges: list[Edge] = []
        constants: list[tuple[str, str, str | None]] = []
        openings: list[Node | None] = []
        triples = graph.triples
        for place, (triple, kind) in enumerate(zip(triples, graph._kinds, strict=True)):
            source, role, target = str(triple[0]), triple[1][1:], triple[2]
            if kind == INSTANCE:
                concepts[source] = _unquoted(target) if tool else target
            elif kind == ATTRIBUTE:
                constants.append((source, role, target))
                if not tool:
                    concepts[len(constants) - 1] = target
                    edges.append((source, role, len(constants) - 1))
            else:
                assert target is not None
                following = triples[place + 1] if place + 1 < len(triples) else (None, "", None)
                opened = following[0] if following[1] == ":instance" else None
                edges.append(_as_held(source, role, target, kind == INVERTED, opened, tool=tool))
                openings.append(opened if opened in (source, target) else None)
        if tool:
            edges = _in_its_order(edges, openings, graph.top)
            constants = sorted((source, role, _unquoted(value) or "") for source, role, value in constants)
            concepts.update(enumerate(value for _, _, value in constants))
            edges += [(source, role, number) for number, (source, role, _) in enumerate(constants)]
        return cls(graph.top, concepts, edges, tool=tool)

    # ---- looking -----------------------------------------------------------------------------------------------------

    def chains(self) -> dict[Node, list[Node]]:
        """Chain → its mentions. Chains come in the order of their first edge.

        Mentions come in the order of edges for ``tool``, and twice if both kinds of edges are there; else in the order
        of variables, once. For ``tool`` a constant can be a chain, or a mention.
        """
        found: dict[Node, list[Node]] = {}
        for source, role, target in self.edges:
            if isinstance(target, int) and not self.tool:
                continue
            if role == "coref-of":
                found.setdefault(target, []).append(source)
            elif role == "coref":
                found.setdefault(source, []).append(target)
        if not self.tool:
            place = {node: number for number, node in enumerate(self.concepts)}
            return {chain: sorted(set(mentions), key=place.__getitem__) for chain, mentions in found.items()}
        return found

    def concept(self, node: Node) -> str:
        """The concept of a node, or the value of a constant; empty if it has none."""
        return self.concepts.get(node) or ""

    @property
    def size(self) -> tuple[int, int]:
        """Numbers of nodes and of edges."""
        return len(self.concepts), len(self._slots)

    @property
    def edges(self) -> list[Edge]:
        """All edges in order."""
        return [edge for _, edge in sorted(self._slots.items())]

    def slots(self, node: Node) -> list[int]:
        """The slots of the edges from and to a node, in order."""
        return sorted(self._at.get(node, ()))

    def edge(self, slot: int) -> Edge:
        """The edge in a slot."""
        return self._slots[slot]

    def edges_from(self, node: Node) -> Iterator[tuple[int, str, Node]]:
        """Slot, role and target of the edges that leave a node."""
        for slot in self.slots(node):
            source, role, target = self._slots[slot]
            if source == node:
                yield slot, role, target

    def children(self, node: Node, role: str) -> list[Node]:
        """The targets of the edges of this role."""
        return [target for _, its, target in self.edges_from(node) if its == role]

    def __contains__(self, edge: Edge) -> bool:
        return self._known[edge] > 0

    def new_name(self, stem: str) -> str:
        """``stem``, or the first of ``stem1``, ``stem2``, … that no node has."""
        name, number = stem, 0
        while name in self.concepts:
            number += 1
            name = f"{stem}{number}"
        return name

    # ---- changing ----------------------------------------------------------------------------------------------------

    def add(self, edge: Edge) -> None:
        """Append an edge."""
        self._put(self._free, edge)
        self._free += 1

    def replace(self, slot: int, edge: Edge) -> None:
        """Put another edge in a slot."""
        self.remove(slot)
        self._put(slot, edge)

    def remove(self, slot: int) -> None:
        """Empty a slot."""
        edge = self._slots.pop(slot)
        self._known[edge] -= 1
        for node in (edge[0], edge[2]):
            self._at[node].discard(slot)

    def _put(self, slot: int, edge: Edge) -> None:
        self._slots[slot] = edge
        self._known[edge] += 1
        for node in (edge[0], edge[2]):
            self._at.setdefault(node, set()).add(slot)

    # ---- writing -----------------------------------------------------------------------------------------------------

    def graph(self, comments: str) -> tuple[Graph, int]:
        """The graph, with these comment lines, and the number of nodes that had no connection with its root.

        Edges whose end is gone are left out, edges of the root come first, and equal triples are there once (of a
        document of docAMR ``(m, coref-of, c)`` and ``(c, coref, m)`` are not equal, so their triple is there twice).
        """
        alive = [edge for edge in dict.fromkeys(self.edges) if edge[0] in self.concepts and edge[2] in self.concepts]
        kept = self._kept(alive)
        alive = [edge for edge in alive if edge[0] in kept and edge[2] in kept and not self._unprinted(edge)]
        alive.sort(key=lambda edge: edge[0] != self.top)
        triples: list[Triple] = []
        for node in self.concepts:
            if node in kept and isinstance(node, str):
                triples.append((node, ":instance", self.concepts[node]))
        triples.sort(key=lambda triple: triple[0] != self.top)
        kinds, of_edges = [INSTANCE] * len(triples), []
        once: set[tuple[Triple, bool]] = set()
        for source, role, target in alive:
            kind = self.tool and role == "coref-of"
            if isinstance(target, int):
                value = self.concepts[target]
                triple: Triple = (str(source), f":{role}", f'"{value}"' if self.tool else value)
            elif self.tool and f":{role}-of" in NOT_INVERTED:
                triple = (str(target), f":{role}-of", str(source))
            elif is_inverted(f":{role}"):
                triple = (str(target), f":{role.removesuffix('-of')}", str(source))
            else:
                triple = (str(source), f":{role}", str(target))
            if (triple, kind) not in once:
                once.add((triple, kind))
                triples.append(triple)
                # written at the mention, so that the text has every mention in its own sentence
                chained = self.concepts.get(str(triple[0])) == CHAIN and triple[1] in _CHAINED
                of_edges.append(ATTRIBUTE if isinstance(target, int) else INVERTED if chained else RELATION)
        made = Graph(self.top, [triple[0] for triple in triples[: len(kinds)]], triples, kinds + of_edges, {}, comments)
        lost = sum(isinstance(node, str) for node in self.concepts) - sum(isinstance(node, str) for node in kept)
        return made, lost

    def _kept(self, edges: list[Edge]) -> set[Node]:
        """The nodes that are written.

        By default those that are connected with the root. The program keeps a node if it reaches, along edges as they
        are held, anything that the root reaches.
        """
        forth: dict[Node, list[Node]] = {}
        back: dict[Node, list[Node]] = {}
        for source, _, target in edges:
            forth.setdefault(source, []).append(target)
            back.setdefault(target, []).append(source)
        return reached(reached({self.top}, forth), back) if self.tool else reached({self.top}, forth, back)

    def _unprinted(self, edge: Edge) -> bool:
        """Constants where none can stand: as a source; in the program also on a chain, and below an inverse role.

        The program turns inverse roles around before it writes, and then has the constant for a source.
        """
        source, role, target = edge
        if isinstance(source, int):
            return True
        if not self.tool or not isinstance(target, int):
            return False
        return self.concepts[source] == CHAIN or (role.endswith("-of") and role != "coref-of")


def _unquoted(text: str | None) -> str | None:
    return None if text is None else text.replace('"', "")


def _as_held(source: str, role: str, target: str, inverted: bool, opened: Node | None, *, tool: bool) -> Edge:
    """One relation, ``-of`` undone by AMR's model, as the edge that is held."""
    if not tool:
        if role == "coref":
            return target, "coref-of", source
        return source, role, target
    if inverted and opened == source:
        return target, f"{role}-of", source
    if not inverted and role.endswith("-of") and opened != target:
        # the model that docAMR reads with has no exceptions: ":consist-of" is undone
        return target, role.removesuffix("-of"), source
    return source, role, target


def _in_its_order(edges: list[Edge], openings: list[Node | None], top: Node) -> list[Edge]:
    """Edges into a node that is entered three times or more wait until it is opened; left-overs come last."""
    entered: dict[Node, int] = {top: 1}
    for source, role, target in edges:
        end = source if role.endswith("-of") else target
        entered[end] = entered.get(end, 0) + 1
    waiting: dict[Node, list[Edge]] = {}
    opened = {top}
    found: list[Edge] = []
    for edge, opens in zip(edges, openings, strict=True):
        source, role, target = edge
        end = source if role.endswith("-of") else target
        if entered[end] >= 3 and end not in opened and end != opens:
            waiting.setdefault(end, []).append(edge)
            continue
        found.append(edge)
        if opens is not None:
            opened.add(opens)
            found += waiting.pop(opens, [])
    for left in waiting.values():
        found += left
    return found
