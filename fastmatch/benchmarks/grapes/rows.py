"""Items of GrAPES that are rows of the clone's tables, and how each judges a prediction.

:mod:`fastmatch.benchmarks.grapes.judging` says what items are.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from operator import itemgetter

from fastmatch.benchmarks.grapes.categories import Category
from fastmatch.benchmarks.grapes.judging import Item
from fastmatch.benchmarks.grapes.views import View, Views, bare, contains, strip
from fastmatch.graphs.notation import STRING
from fastmatch.graphs.reading import parse


class Fragments:
    """The graphs that stand in cells of a table, by their text: those of many rows are read together.

    Reading one text takes many times what it takes among others.
    """

    def __init__(self) -> None:
        self._known: dict[str, tuple[Views, int]] = {}
        self._encoded: dict[str, str] = {}
        self._wholes: dict[tuple[str, ...], list[str]] = {}

    def fetch(self, category: Category, rows: Sequence[Sequence[str]]) -> None:
        """Read all that the items of these rows will ask for; what cannot be read is left to them."""
        if category.kind == "subgraph":
            self._fetch([_fragment(cells[0], 0) for cells in rows])
        elif category.kind == "edge":
            self._fetch([text for cells in rows for text in _fragments(cells)])
            wholes: list[str] = []
            for cells in rows:
                if all(text in self._known for text in _fragments(cells)):
                    wholes += self.wholes(cells)
            self._fetch(wholes)

    def _fetch(self, texts: Sequence[str]) -> None:
        texts = [text for text in dict.fromkeys(texts) if text not in self._known]
        corpus = parse([_first_graph(text) for text in texts], on_error="empty")
        views, broken = Views(corpus), {number for number, _ in corpus.problems}
        self._known |= {text: (views, k) for k, text in enumerate(texts) if k not in broken}

    def view(self, text: str) -> View:
        """The first graph of a text.

        Raises
        ------
        ReadError
            If there is none.
        """
        if text not in self._known:
            self._known[text] = Views(parse([_first_graph(text)])), 0
        views, k = self._known[text]
        return views[k]

    def wholes(self, cells: Sequence[str]) -> list[str]:
        """An edge as one graph in text; where the cell of the role has several words, also with each of them."""
        made = self._wholes.get(tuple(cells))
        if made is not None:
            return made
        texts = []
        for text in _fragments(cells):
            self.view(text)
            if text not in self._encoded:
                views, k = self._known[text]
                self._encoded[text] = views.corpus[k].encode(None)
            texts.append(self._encoded[text])
        role, inner = cells[1], texts[1]
        if len(texts) > 2:
            back = cells[4].strip()
            back = back[:-3] if back.endswith("-of") else f"{back}-of"
            inner = f"{inner[:-1]} {back} {texts[2]})"
        # fragments are put together as text: a variable that both have makes them one node
        made = [f"{texts[0][:-1]} {one} {inner})" for one in (role, *_words(role))]
        self._wholes[tuple(cells)] = made
        return made


def item_of_row(category: Category, cells: Sequence[str], fragments: Fragments | None = None) -> Item:
    """The item of a row; ``cells`` are those of the category's columns, ``fragments`` what was read of them already.

    Raises
    ------
    ReadError
        If a cell that should hold a graph holds none.
    """
    kind = category.kind
    if kind == "edge":
        return _edge(cells, category.senses, fragments or Fragments())
    if kind == "node":
        return _node(cells[0], category.prerequisites)
    if kind == "wiki":
        return _wiki(cells[0])
    if kind == "name":
        return _entity("name", cells[0], lambda pairs: " ".join(value for _, value in pairs).replace('"', ""))
    if kind == "date":
        return _entity("date-entity", cells[0], lambda pairs: " ".join(f"{role} {value}" for role, value in pairs))
    if kind == "other":
        return _other(cells[0])
    if kind == "type":
        return _type(cells[0], cells[1])
    if kind == "ellipsis":  # two instances of a label; one is the prerequisite
        return lambda pred: (pred.all_labels.count(cells[0]) >= 2, cells[0] in pred.all_labels)
    if kind == "subgraph":
        part = (fragments or Fragments()).view(_fragment(cells[0], 0))
        return lambda pred: (contains(pred, part, labels=True, senses=True),)
    return _imperative(*cells)


_NAMELESS = "fragment"


#: Of what brackets do not count in, and brackets.
_BRACKET = re.compile(f"{STRING}|[()]")


def _first_graph(text: str) -> str:
    """A text up to the end of its first graph. What follows it does not count."""
    depth = 0
    for found in _BRACKET.finditer(text):
        depth += {"(": 1, ")": -1}.get(found[0], 0)
        if not depth:
            return text[: found.end()]
    return text


def _fragment(cell: str, number: int) -> str:
    """The graph of a cell as text: its own if it begins with a bracket, else one node with this label."""
    return cell if cell.startswith("(") else f"({_NAMELESS}{number} / {cell})"


def _fragments(cells: Sequence[str]) -> list[str]:
    """Those of a row: the source of the edge, its target, and perhaps a second parent of it."""
    source, _, target, *second = cells
    return [_fragment(cell, number) for number, cell in enumerate((source, target, *second[:1]))]


def _edge(cells: Sequence[str], senses: bool, fragments: Fragments) -> Item:
    """An edge between two fragments, and perhaps one from a second parent to the target."""
    needed = [fragments.view(text) for text in _fragments(cells)]
    labelled = [fragments.view(text) for text in fragments.wholes(cells)]

    def judge(pred: View) -> tuple[bool, ...]:
        if not all(contains(pred, part, labels=True, senses=True) for part in needed):
            return False, False, False
        if not contains(pred, labelled[0], labels=False, senses=senses):
            return False, False, True
        return any(contains(pred, one, labels=True, senses=senses) for one in labelled), True, True

    return judge


def _words(text: str) -> list[str]:
    """The words of a cell with several."""
    words = text.split()
    return words if len(words) > 1 else []


def _targets(cell: str) -> set[str]:
    """A cell without quotes; of several words each will do, too."""
    bare = cell.replace('"', "")
    return {bare, *(bare.split(" ") if " " in bare else [])}


def _node(cell: str, prerequisites: bool) -> Item:
    """A label; of several words each will do."""
    targets = _targets(cell)
    stripped = set(map(strip, targets))

    def judge(pred: View) -> tuple[bool, ...]:
        needed = not stripped.isdisjoint(pred.known(senses=False))
        found = needed and not targets.isdisjoint(pred.known(senses=True))
        return (found, needed) if prerequisites else (found,)

    return judge


def _wiki(cell: str) -> Item:
    """The value of a ``:wiki``; of several words each will do."""
    targets = _targets(cell)
    return lambda pred: (any(role == ":wiki" and bare(value) in targets for _, role, value in pred.attributes),)


def _entity(label: str, target: str, said: Callable[[list[tuple[str, str]]], str]) -> Item:
    """A node with this label whose attributes, in the order of their roles as text, say this."""

    def judge(pred: View) -> tuple[bool, ...]:
        attributes: dict[int, list[tuple[str, str]]] = {node: [] for node, its in pred.instances if its == label}
        for node, role, value in pred.attributes:
            if node in attributes:
                attributes[node].append((role, value or ""))
        return (any(said(sorted(pairs)) == target for pairs in attributes.values()),)

    return judge


def _other(cell: str) -> Item:
    """A label, or the value of an attribute, whatever its role; case does not matter."""
    target = _folded(cell)
    return lambda pred: (
        any(
            _folded(text) == target
            for text in (*pred.all_labels, *(value for *_, value in pred.attributes if value is not None))
        ),
    )


def _folded(text: str) -> str:
    return text.lower().replace('"', "")


def _type(label: str, name: str) -> Item:
    """The label of the first node with this name."""

    def judge(pred: View) -> tuple[bool, ...]:
        for source, role, target in pred.edges:
            if role == ":name":
                pairs = [(its, value or "") for node, its, value in pred.attributes if node == target]
                pairs.sort(key=itemgetter(0))
                if " ".join(value for _, value in pairs).replace('"', "") == name:
                    return pred.labels[source] == label, True
        return False, False

    return judge


def _imperative(verb: str, argument: str, target: str) -> Item:
    """A verb that is marked as imperative and has this argument; the verb is the prerequisite."""

    def judge(pred: View) -> tuple[bool, ...]:
        verbs = {node for node, label in pred.instances if label == verb}
        marked = {node for node, role, value in pred.attributes if role == ":mode" and value == "imperative"}
        found = any(
            source in verbs and source in marked and role == f":{argument}" and pred.labels[end] == target
            for source, role, end in pred.edges
        )
        return found, bool(verbs)

    return judge
