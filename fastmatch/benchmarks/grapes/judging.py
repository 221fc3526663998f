"""How GrAPES judges items: a function for each kind of category.

There are items of gold graphs, and of rows of the clone's tables. An item is made once, and then judges the predictions
of any number of systems: it is a function of a prediction. What it says is one truth value for each of its metrics, in
the order of :func:`metrics_of`: the main one, whether the edge is there whatever its role, and whether what the edge
connects is there at all. A failed prerequisite fails the others, a missing edge fails the labelled one.

Everything is as the published program does it, what looks odd too; where the program ends with an exception, an item
is judged as if the triple that it cannot handle were not what is looked for.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from operator import itemgetter
from pathlib import Path
from typing import TypeAlias

from fastmatch.benchmarks.grapes.categories import PREREQUISITES, UNLABELLED, Category
from fastmatch.benchmarks.grapes.views import View, Views, bare, contains, equal, strip
from fastmatch.graphs.notation import STRING
from fastmatch.graphs.reading import parse
from fastmatch.graphs.standardization.reification import SMATCHPP

#: What is looked for in a predicted graph: one truth value a metric.
Item: TypeAlias = "Callable[[View], tuple[bool, ...]]"


def metrics_of(category: Category) -> tuple[str, ...]:
    """The names of what items of this category say, the main metric first."""
    if category.kind in ("edge", "pp"):
        return category.metric, UNLABELLED, PREREQUISITES
    return (category.metric, PREREQUISITES) if category.prerequisites else (category.metric,)


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
        return _word(metadata.get("label", ""))
    if category.kind == "karidi":
        return _exact_or_role(gold, metadata.get("suppl", ""))
    if category.kind == "pp":
        return _attachment(gold, group)
    return lambda pred: (equal(gold, pred, labels=False, senses=False),)


#: What :func:`item_of_graph` looks for beside a role, in both kinds of word ambiguities.
_CONCEPTS = {rule.relation: rule.concept for rule in SMATCHPP}
_NODES_OF_ROLES = {role: _CONCEPTS[role] for role in (":time", ":location", ":quant", ":degree")}
#: Roles for which it looks as edges or as nodes, in this order.
_ROLES_OF_WORDS = [
    ":purpose",
    ":beneficiary",
    ":duration",
    ":topic",
    ":accompanier",
    ":manner",
    ":instrument",
    ":location",
    ":time",
]


def _word(wanted: str) -> Item:
    """A role, a role with the label of its target, or a label."""
    role, _, target = wanted.partition(" ")
    label = wanted if not role.startswith(":") else None if target else _NODES_OF_ROLES.get(role)

    def judge(pred: View) -> tuple[bool, ...]:
        if label is not None and label in pred.all_labels:
            return (True,)
        return (any(its == role and (not target or pred.labels[end] == target) for _, its, end in pred.edges),)

    return judge


def _has_role(pred: View, role: str) -> bool:
    """Whether there is a role, as an edge or as the node that stands for it."""
    return _CONCEPTS[role] in pred.all_labels or any(its == role for _, its, _ in pred.edges)


def _exact_or_role(gold: View, supplement: str) -> Item:
    if re.fullmatch(r"anna_bert\.tsv-[0-3]", supplement):
        return lambda pred: (equal(gold, pred, labels=True, senses=True),)
    for role in _ROLES_OF_WORDS:
        if _has_role(gold, role):
            return lambda pred, role=role: (_has_role(pred, role),)  # type: ignore[misc]
    label = gold.labels[gold.top] if gold.top >= 0 else None
    return lambda pred: (label in pred.all_labels,)


# ---- attachment of prepositional phrases -----------------------------------------------------------------------------

#: What prepositions mean, and nodes that stand for roles: the rows of the table beside this file, their cells as words.
_ROLES: dict[str, dict[str, list[list[str]]]] = {}
for _line in Path(__file__).with_name("roles.tsv").read_text(encoding="utf-8").splitlines()[1:]:
    _use, _name, *_cells = _line.split("\t")
    _ROLES.setdefault(_use, {})[_name] = [_cell.split() for _cell in _cells]

_ARGUMENT = re.compile(":ARG[0-9]")


def _attachment(gold: View, group: str) -> Item | None:
    # what the preposition means is said by one of the roles, or of the labels
    roles, labels, _ = _ROLES["attachment"][group]
    edges = [(source, role, target) for source, role, target in gold.edges if role in roles]
    nodes = [(node, label) for node, label in gold.instances if label in labels]
    if len(edges) + len(nodes) != 1 and not (len(nodes) == len(edges) == 1 and (nodes[0][1], edges[0][1]) == _CAUSE):
        return None
    if not nodes:
        source, role, target = edges[0]
        return _attached(gold.stripped[source], gold.stripped[target], role)
    node, label = nodes[0]
    ends = [
        next((gold.stripped[target] for source, role, target in gold.edges if (source, role) == (node, wanted)), None)
        for wanted in (":ARG0", ":ARG1")
    ]
    return _attached(ends[0], ends[1], "", label)


#: With these two in a gold graph the node is what counts.
_CAUSE = ("cause-01", ":time")


def _ends(pred: View, a: str | None, b: str | None) -> tuple[bool, bool, bool]:
    """Whether there are nodes of both labels, an edge between two such nodes, and a node with an argument of each."""
    labels = pred.stripped
    direct = any((labels[source], labels[target]) in ((a, b), (b, a)) for source, _, target in pred.edges)
    to_a, to_b = (
        {source for source, role, target in pred.edges if _ARGUMENT.match(role) and labels[target] == end}
        for end in (a, b)
    )
    bare = set(map(strip, pred.all_labels))
    return a in bare and b in bare, direct, not to_a.isdisjoint(to_b)


def _joined(pred: View, labels: Sequence[str | None], to: str, a: str | None, fro: str, b: str | None) -> bool:
    """Whether a node with one of these labels has an edge ``to`` an a and one ``fro`` a b."""
    nodes = {node for node, label in pred.instances if label in labels}
    bare = pred.stripped
    at_a = {source for source, role, target in pred.edges if role == to and bare[target] == a}
    return any(role == fro and source in at_a and source in nodes and bare[t] == b for source, role, t in pred.edges)


def _edge_between(pred: View, *wanted: str | None) -> bool:
    """Whether an edge has this label of its source, this role and this label of its target, senses apart."""
    bare = pred.stripped
    return any((bare[source], role, bare[target]) == wanted for source, role, target in pred.edges)


def _attached(a: str | None, b: str | None, role: str, label: str | None = None) -> Item:
    """An edge of the gold graph, or a node of it that joins two others: that with ``label``, if there is one."""

    def judge(pred: View) -> tuple[bool, ...]:
        present, direct, common = _ends(pred, a, b)
        if not present or not (direct or common):
            return False, False, present
        found = False
        if label is not None and common:
            found = _joined(pred, (label,), ":ARG0", a, ":ARG1", b)
        elif label is not None:
            found = label == "cause-01" and _edge_between(pred, a, ":cause", b)
        elif direct:
            found = _edge_between(pred, a, role, b)
        elif role in _ROLES["reified"]:
            # nodes that stand for the role, and the roles that lead from them to the source and the target of the edge
            labels, (to,), (fro,) = _ROLES["reified"][role]
            found = _joined(pred, labels, to, a, fro, b)
        return found, True, True

    return judge


# ---- lists -----------------------------------------------------------------------------------------------------------

_CONJUNCT = re.compile(r":op([0-9]+)")

#: From here on, roles of conjuncts are rare enough not to be in training data.
_UNSEEN = 20


def conjuncts(gold: View, pred: View) -> tuple[int, int, int, int, int]:
    """Compare the conjuncts of two graphs: what hangs on edges ``:op1``, ``:op2``, …, anywhere.

    Returns
    -------
    recalled : int
        Conjuncts of the gold graph that are equal to one of the prediction.
    n_gold, n_pred : int
    unseen : int
        Roles ``:op20`` and higher of both graphs.
    n_unseen : int
        Those of the gold graph.
    """
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
    return recalled, len(its), len(mine), unseen.total(), its_roles.total()


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


# ---- rows of the clone's tables --------------------------------------------------------------------------------------


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

    def judge(pred: View) -> tuple[bool, ...]:
        values = (value for *_, value in pred.attributes if value is not None)
        return (any(_folded(text) == target for text in (*pred.all_labels, *values)),)

    return judge


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
