"""Items of GrAPES that are rows of the clone's tables, and how each judges a prediction.

:mod:`fastmatch.benchmarks.grapes.judging` says what items are.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import TYPE_CHECKING

from fastmatch.benchmarks.grapes.judging import Item
from fastmatch.benchmarks.grapes.views import Views, contains, strip
from fastmatch.graphs.notation import STRING
from fastmatch.graphs.reading import parse

if TYPE_CHECKING:
    from fastmatch.benchmarks.grapes.categories import Category
    from fastmatch.benchmarks.grapes.views import View


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
        return _Edge(cells, category.senses, fragments or Fragments())
    if kind == "node":
        return _Node(cells[0], category.prerequisites)
    if kind == "wiki":
        return _Wiki(cells[0])
    if kind == "name":
        return _Entity("name", cells[0])
    if kind == "date":
        return _Date("date-entity", cells[0])
    if kind == "other":
        return _Other(cells[0])
    if kind == "type":
        return _Type(cells[0], cells[1])
    if kind == "ellipsis":
        return _Ellipsis(cells[0])
    if kind == "subgraph":
        return _Subgraph(cells[0], fragments or Fragments())
    return _Imperative(*cells)


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


class _Edge:
    """An edge between two fragments, and perhaps one from a second parent to the target."""

    def __init__(self, cells: Sequence[str], senses: bool, fragments: Fragments) -> None:
        self._needed = [fragments.view(text) for text in _fragments(cells)]
        self._senses = senses
        self._labelled = [fragments.view(text) for text in fragments.wholes(cells)]
        self._unlabelled = self._labelled[0]

    def judge(self, pred: View) -> tuple[bool, ...]:
        if not all(contains(pred, part, labels=True, senses=True) for part in self._needed):
            return False, False, False
        if not contains(pred, self._unlabelled, labels=False, senses=self._senses):
            return False, False, True
        found = any(contains(pred, one, labels=True, senses=self._senses) for one in self._labelled)
        return found, True, True


def _words(text: str) -> list[str]:
    """The words of a cell with several."""
    words = text.split()
    return words if len(words) > 1 else []


class _Node:
    """A label; of several words each will do."""

    def __init__(self, target: str, prerequisites: bool) -> None:
        bare = target.replace('"', "")
        self._targets = {bare, *_split(bare)}
        self._stripped = {strip(target) for target in self._targets}
        self._prerequisites = prerequisites

    def judge(self, pred: View) -> tuple[bool, ...]:
        needed = not self._stripped.isdisjoint(pred.known(senses=False))
        found = needed and not self._targets.isdisjoint(pred.known(senses=True))
        return (found, needed) if self._prerequisites else (found,)


def _split(text: str) -> list[str]:
    return text.split(" ") if " " in text else []


class _Wiki:
    """The value of a ``:wiki``; of several words each will do."""

    def __init__(self, target: str) -> None:
        bare = target.replace('"', "")
        self._targets = {bare, *_split(bare)}

    def judge(self, pred: View) -> tuple[bool, ...]:
        return (any(role == ":wiki" and _bare(value) in self._targets for _, role, value in pred.attributes),)


def _bare(value: str | None) -> str | None:
    return None if value is None else value.replace('"', "")


class _Entity:
    """A node with this label whose attributes, in the order of their roles as text, say this."""

    def __init__(self, label: str, target: str) -> None:
        self._label, self._target = label, target

    def judge(self, pred: View) -> tuple[bool, ...]:
        nodes = {node for node, label in pred.instances if label == self._label}
        attributes: dict[int, list[tuple[str, str]]] = {node: [] for node in nodes}
        for node, role, value in pred.attributes:
            if node in nodes:
                attributes[node].append((role, value or ""))
        return (any(self._said(sorted(pairs)) == self._target for pairs in attributes.values()),)

    def _said(self, pairs: list[tuple[str, str]]) -> str:
        return " ".join(value for _, value in pairs).replace('"', "")


class _Date(_Entity):
    """The same with the roles."""

    def _said(self, pairs: list[tuple[str, str]]) -> str:
        return " ".join(f"{role} {value}" for role, value in pairs)


class _Other:
    """A label, or the value of an attribute, whatever its role; case does not matter."""

    def __init__(self, target: str) -> None:
        self._target = _folded(target)

    def judge(self, pred: View) -> tuple[bool, ...]:
        texts = (*pred.all_labels, *(value for *_, value in pred.attributes if value is not None))
        return (any(_folded(text) == self._target for text in texts),)


def _folded(text: str) -> str:
    return text.lower().replace('"', "")


class _Type:
    """The label of the first node with this name."""

    def __init__(self, label: str, name: str) -> None:
        self._label, self._name = label, name

    def judge(self, pred: View) -> tuple[bool, ...]:
        for source, role, target in pred.edges:
            if role == ":name":
                pairs = [(role, value or "") for node, role, value in pred.attributes if node == target]
                pairs.sort(key=_role)
                if " ".join(value for _, value in pairs).replace('"', "") == self._name:
                    return pred.labels[source] == self._label, True
        return False, False


def _role(pair: tuple[str, str]) -> str:
    return pair[0]


class _Ellipsis:
    """Two instances of a label; one is the prerequisite."""

    def __init__(self, target: str) -> None:
        self._target = target

    def judge(self, pred: View) -> tuple[bool, ...]:
        n = pred.all_labels.count(self._target)
        return n >= 2, n >= 1


class _Subgraph:
    """A fragment."""

    def __init__(self, cell: str, fragments: Fragments) -> None:
        self._part = fragments.view(_fragment(cell, 0))

    def judge(self, pred: View) -> tuple[bool, ...]:
        return (contains(pred, self._part, labels=True, senses=True),)


class _Imperative:
    """A verb that is marked as imperative and has this argument; the verb is the prerequisite."""

    def __init__(self, verb: str, role: str, target: str) -> None:
        self._verb, self._role, self._target = verb, f":{role}", target

    def judge(self, pred: View) -> tuple[bool, ...]:
        verbs = {node for node, label in pred.instances if label == self._verb}
        marked = {node for node, role, value in pred.attributes if role == ":mode" and value == "imperative"}
        found = any(
            source in verbs and source in marked and role == self._role and pred.labels[target] == self._target
            for source, role, target in pred.edges
        )
        return found, bool(verbs)
