"""How GrAPES judges items: a class for each kind of category.

An item is made once, of a row of the clone's tables or of a gold graph, and then judges the predictions of any number
of systems. What it says of a prediction is one truth value for each of its metrics, in the order of :func:`metrics_of`:
the main one, whether the edge is there whatever its role, and whether what the edge connects is there at all. A failed
prerequisite fails the others, a missing edge fails the labelled one.

Everything is as the published program does it, what looks odd too; where the program ends with an exception, an item
is judged as if the triple that it cannot handle were not what is looked for.
"""

from __future__ import annotations

import re
from collections import Counter
from typing import TYPE_CHECKING, NamedTuple, Protocol

from fastmatch.benchmarks.grapes.categories import PREREQUISITES, UNLABELLED
from fastmatch.benchmarks.grapes.views import Views, contains, equal, strip
from fastmatch.graphs.notation import STRING
from fastmatch.graphs.reading import parse

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from fastmatch.benchmarks.grapes.categories import Category, Kind
    from fastmatch.benchmarks.grapes.views import View

__all__ = ["Conjuncts", "Fragments", "Item", "conjuncts", "item_of_graph", "item_of_row", "metrics_of"]


class Item(Protocol):
    """What is looked for in a predicted graph."""

    def judge(self, pred: View) -> tuple[bool, ...]:
        """One truth value a metric."""
        ...


def metrics_of(category: Category) -> tuple[str, ...]:
    """The names of what items of this category say, the main metric first."""
    if category.kind in ("edge", "pp"):
        return category.metric, UNLABELLED, PREREQUISITES
    return (category.metric, PREREQUISITES) if category.prerequisites else (category.metric,)


# ---- rows of tables --------------------------------------------------------------------------------------------------


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
    kind: Kind = category.kind
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


# ---- gold graphs -----------------------------------------------------------------------------------------------------


def item_of_graph(category: Category, gold: View, metadata: Mapping[str, str], group: str) -> Item | None:
    """The item of a gold graph; None if the category has none for it.

    Parameters
    ----------
    category : Category
        Of whole graphs.
    gold : View
    metadata : mapping
        Of the graph.
    group : str
        What its id begins with: one of the category's ``material``.
    """
    if category.kind == "handcrafted":
        return _Word(metadata.get("label", ""))
    if category.kind == "karidi":
        return _exact_or_role(gold, metadata.get("suppl", ""))
    if category.kind == "pp":
        return _attachment(gold, group)
    return _Exact(gold, labels=False, senses=False)


class _Exact:
    """A graph that is equal to the gold graph."""

    def __init__(self, gold: View, *, labels: bool, senses: bool) -> None:
        self._gold, self._labels, self._senses = gold, labels, senses

    def judge(self, pred: View) -> tuple[bool, ...]:
        return (equal(self._gold, pred, labels=self._labels, senses=self._senses),)


#: What :func:`item_of_graph` looks for beside a role, in both kinds of word ambiguities.
_NODES_OF_ROLES = {
    ":time": "be-temporally-at-91",
    ":location": "be-located-at-91",
    ":quant": "have-quant-91",
    ":degree": "have-degree-91",
}
_ROLES_OF_WORDS = {
    ":purpose": "have-purpose-91",
    ":beneficiary": "benefit-01",
    ":duration": "last-01",
    ":topic": "concern-02",
    ":accompanier": "accompany-01",
    ":manner": "have-manner-91",
    ":instrument": "have-instrument-91",
    ":location": "be-located-at-91",
    ":time": "be-temporally-at-91",
}


class _Word:
    """A role, a role with the label of its target, or a label."""

    def __init__(self, wanted: str) -> None:
        role, _, self._target = wanted.partition(" ")
        self._role = role if role.startswith(":") else None
        self._label = wanted if self._role is None else None if self._target else _NODES_OF_ROLES.get(role)

    def judge(self, pred: View) -> tuple[bool, ...]:
        if self._label is not None and self._label in pred.all_labels:
            return (True,)
        return (
            any(
                role == self._role and (not self._target or pred.labels[target] == self._target)
                for _, role, target in pred.edges
            ),
        )


class _Role:
    """A role, as an edge or as the node that stands for it."""

    def __init__(self, role: str) -> None:
        self._role, self._label = role, _ROLES_OF_WORDS[role]

    def judge(self, pred: View) -> tuple[bool, ...]:
        return (self._label in pred.all_labels or any(role == self._role for _, role, _ in pred.edges),)


class _Label:
    """A label."""

    def __init__(self, label: str | None) -> None:
        self._label = label

    def judge(self, pred: View) -> tuple[bool, ...]:
        return (self._label in pred.all_labels,)


def _exact_or_role(gold: View, supplement: str) -> Item:
    if re.fullmatch(r"anna_bert\.tsv-[0-3]", supplement):
        return _Exact(gold, labels=True, senses=True)
    for role in _ROLES_OF_WORDS:
        item = _Role(role)
        if item.judge(gold)[0]:
            return item
    return _Label(gold.labels[gold.top] if gold.top >= 0 else None)


# ---- attachment of prepositional phrases -----------------------------------------------------------------------------

#: Group → the roles and the labels one of which says what the preposition means.
_ATTACHMENTS: dict[str, tuple[tuple[str, ...], tuple[str, ...]]] = {
    "see_with": ((":poss", ":instrument"), ()),
    "read_by": ((":time", ":manner"), ("author-01",)),
    "bought_for": ((":purpose", ":ARG3"), ()),
    "keep_from": ((":source", ":ARG2"), ()),
    "give_up_in": ((":time", ":topic"), ("cause-01",)),
}

#: Role → nodes that stand for it, and the roles that lead from them to the source and the target of the edge.
_REIFIED = {
    ":accompanier": (("accompany-01",), ":ARG0", ":ARG1"),
    ":age": (("age-01",), ":ARG1", ":ARG2"),
    ":beneficiary": (("benefit-01",), ":ARG0", ":ARG1"),
    ":concession": (("have-concession-91",), ":ARG1", ":ARG2"),
    ":poss": (("own-01", "have-03"), ":ARG1", ":ARG0"),
    ":instrument": (("have-instrument-91",), ":ARG1", ":ARG2"),
    ":time": (("be-temporally-at-91",), ":ARG1", ":ARG2"),
    ":location": (("be-located-at-91",), ":ARG1", ":ARG2"),
    ":source": (("be-from-91",), ":ARG1", ":ARG2"),
    ":destination": (("be-destined-for-91",), ":ARG1", ":ARG2"),
    ":purpose": (("have-purpose-91",), ":ARG1", ":ARG2"),
    ":example": (("exemplify-01",), ":ARG0", ":ARG1"),
    ":extent": (("have-extent-91",), ":ARG1", ":ARG2"),
    ":manner": (("have-manner-91",), ":ARG1", ":ARG2"),
    ":cause": (("cause-01",), ":ARG0", ":ARG1"),
}
_ARGUMENT = re.compile(":ARG[0-9]")


def _attachment(gold: View, group: str) -> Item | None:
    roles, labels = _ATTACHMENTS[group]
    edges = [(source, role, target) for source, role, target in gold.edges if role in roles]
    nodes = [(node, label) for node, label in gold.instances if label in labels]
    if len(edges) + len(nodes) != 1 and not (len(nodes) == len(edges) == 1 and (nodes[0][1], edges[0][1]) == _CAUSE):
        return None
    if not nodes:
        source, role, target = edges[0]
        return _Attached(gold.stripped[source], role, gold.stripped[target])
    node, label = nodes[0]
    ends = [
        next((gold.stripped[target] for source, role, target in gold.edges if (source, role) == (node, wanted)), None)
        for wanted in (":ARG0", ":ARG1")
    ]
    return _AttachedByNode(label, *ends)


#: With these two in a gold graph the node is what counts.
_CAUSE = ("cause-01", ":time")


class _Ends(NamedTuple):
    """What a prediction has between nodes of two labels."""

    present: bool
    direct: bool
    common: bool


def _ends(pred: View, a: str | None, b: str | None) -> _Ends:
    labels = pred.stripped
    direct = any((labels[source], labels[target]) in ((a, b), (b, a)) for source, _, target in pred.edges)
    to_a, to_b = (
        {source for source, role, target in pred.edges if _ARGUMENT.match(role) and labels[target] == end}
        for end in (a, b)
    )
    bare = set(map(strip, pred.all_labels))
    return _Ends(a in bare and b in bare, direct, not to_a.isdisjoint(to_b))


def _joined(pred: View, labels: Sequence[str | None], to: str, a: str | None, fro: str, b: str | None) -> bool:
    """Whether a node with one of these labels has an edge ``to`` an a and one ``fro`` a b."""
    nodes = {node for node, label in pred.instances if label in labels}
    bare = pred.stripped
    at_a = {source for source, role, target in pred.edges if role == to and bare[target] == a}
    return any(role == fro and source in at_a and source in nodes and bare[t] == b for source, role, t in pred.edges)


class _Attached:
    """An edge of the gold graph."""

    def __init__(self, a: str | None, role: str, b: str | None) -> None:
        self._a, self._role, self._b = a, role, b

    def judge(self, pred: View) -> tuple[bool, ...]:
        present, direct, common = _ends(pred, self._a, self._b)
        if not present or not (direct or common):
            return False, False, present
        if direct:
            bare = pred.stripped
            wanted = self._a, self._role, self._b
            return any((bare[source], role, bare[target]) == wanted for source, role, target in pred.edges), True, True
        if self._role not in _REIFIED:
            return False, True, True
        labels, to, fro = _REIFIED[self._role]
        return _joined(pred, labels, to, self._a, fro, self._b), True, True


class _AttachedByNode:
    """A node of the gold graph that joins two others."""

    def __init__(self, label: str | None, a: str | None, b: str | None) -> None:
        self._label, self._a, self._b = label, a, b

    def judge(self, pred: View) -> tuple[bool, ...]:
        present, direct, common = _ends(pred, self._a, self._b)
        if not present or not (direct or common):
            return False, False, present
        if common:
            return _joined(pred, (self._label,), ":ARG0", self._a, ":ARG1", self._b), True, True
        bare = pred.stripped
        wanted = self._a, ":cause", self._b
        found = any((bare[source], role, bare[target]) == wanted for source, role, target in pred.edges)
        return self._label == "cause-01" and found, True, True


# ---- lists -----------------------------------------------------------------------------------------------------------

_CONJUNCT = re.compile(r":op([0-9]+)")

#: From here on, roles of conjuncts are rare enough not to be in training data.
_UNSEEN = 20


class Conjuncts(NamedTuple):
    """What a prediction has of the conjuncts of a gold graph.

    Attributes
    ----------
    recalled : int
        Conjuncts of the gold graph that are equal to one of the prediction.
    n_gold, n_pred : int
    unseen : int
        Roles ``:op20`` and higher of both graphs.
    n_unseen : int
        Those of the gold graph.
    """

    recalled: int
    n_gold: int
    n_pred: int
    unseen: int
    n_unseen: int


def conjuncts(gold: View, pred: View) -> Conjuncts:
    """Compare the conjuncts of two graphs: what hangs on edges ``:op1``, ``:op2``, …, anywhere."""
    (its, its_roles), (mine, my_roles) = (_conjuncts(view) for view in (gold, pred))
    alike: dict[object, list[View]] = {}
    for other in mine:
        alike.setdefault(other.outline, []).append(other)
    twice = [other for other in mine if other.has_second_labels]  # of whose labels any may count
    recalled = 0
    for one in its:
        others = mine if one.has_second_labels else [*alike.get(one.outline, ()), *twice]
        recalled += any(equal(one, other, labels=False, senses=False) for other in others)
    unseen = its_roles & my_roles
    return Conjuncts(recalled, len(its), len(mine), unseen.total(), its_roles.total())


def _conjuncts(view: View) -> tuple[list[View], Counter[int]]:
    parts: list[View] = []
    roles: Counter[int] = Counter()
    for number, (_, role, target) in enumerate(view.edges):
        found = _CONJUNCT.match(role)
        if found:
            parts.append(view.spanning(target, number))
            # of :op1x the program can make no number and ends
            if found.end() == len(role) and len(found[1]) < 10 and int(found[1]) >= _UNSEEN:
                roles[int(found[1])] += 1
    return parts, roles
