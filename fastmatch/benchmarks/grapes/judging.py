"""How GrAPES judges items: a class for each kind of category.

The items of gold graphs are here, those of rows of the clone's tables in :mod:`fastmatch.benchmarks.grapes.rows`. An
item is made once, and then judges the predictions of any number of systems. What it says of a prediction is one truth
value for each of its metrics, in the order of :func:`metrics_of`: the main one, whether the edge is there whatever its
role, and whether what the edge connects is there at all. A failed prerequisite fails the others, a missing edge fails
the labelled one.

Everything is as the published program does it, what looks odd too; where the program ends with an exception, an item
is judged as if the triple that it cannot handle were not what is looked for.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, NamedTuple, Protocol

from fastmatch.benchmarks.grapes.categories import PREREQUISITES, UNLABELLED
from fastmatch.benchmarks.grapes.views import equal, strip
from fastmatch.graphs.standardization.reification import SMATCHPP

if TYPE_CHECKING:
    from fastmatch.benchmarks.grapes.categories import Category
    from fastmatch.benchmarks.grapes.views import View


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
        self._role, self._label = role, _CONCEPTS[role]

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
