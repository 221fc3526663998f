"""How GrAPES judges items: a function for each kind of category.

The items of gold graphs are here, those of rows of the clone's tables in :mod:`fastmatch.benchmarks.grapes.rows`. An
item is made once, and then judges the predictions of any number of systems: it is a function of a prediction. What it
says is one truth value for each of its metrics, in the order of :func:`metrics_of`: the main one, whether the edge is
there whatever its role, and whether what the edge connects is there at all. A failed prerequisite fails the others, a
missing edge fails the labelled one.

Everything is as the published program does it, what looks odd too; where the program ends with an exception, an item
is judged as if the triple that it cannot handle were not what is looked for.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import TypeAlias

from fastmatch.benchmarks.grapes.categories import PREREQUISITES, UNLABELLED, Category
from fastmatch.benchmarks.grapes.views import View, equal, strip
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
