"""Which relations stand for a node, and which nodes for a relation: tables of reification.

AMR lets an annotator write a relation or, whenever something is to be said about it, the node that it stands for:

    (d / dog :location (h / house))
    (d / dog :ARG1-of (b / be-located-at-91 :ARG2 (h / house)))

A rule names the relation, the concept of the node, and the node's roles to what was the source and the target.

:data:`AMR` (``amr.txt``) holds the rules of the AMR guidelines (Banarescu et al., AMR 1.2.6 specification,
"reification"), the same set as the AMR model of the package penman. Some relations have two nodes (``:poss``): the
first is made, both are undone. Two relations may share a node if its roles tell them apart; ``:subset`` and
``:superset`` are the same relation seen from its two ends, so ``(a :superset b)`` comes back as ``(b :subset a)``.
:data:`SMATCHPP` is what smatchpp 1.8.0 does.

A file of rules has one rule a line, four words: relation, concept, role of the source, role of the target. ``#`` begins
a comment.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache
from graphlib import CycleError, TopologicalSorter
from os import PathLike, fspath
from typing import NamedTuple, TypeAlias

import numpy as np

import fastmatch._ext.graphs.reification as kernel
from fastmatch.errors import OptionError
from fastmatch.graphs.corpus import Corpus
from fastmatch.graphs.sources import lines_of
from fastmatch.graphs.standardization.labels import plain_role, turned_labels, used_labels
from fastmatch.graphs.standardization.triples import selected
from fastmatch.types import Int32Array

TableSource: TypeAlias = str | PathLike[str] | Mapping[str, Sequence[str]] | Iterable[Sequence[str]]


class Rule(NamedTuple):
    """``x relation y`` is ``v / concept``, ``v source x``, ``v target y``; roles with their colon."""

    relation: str
    concept: str
    source: str
    target: str


def _rules(name: str) -> tuple[Rule, ...]:
    """The rules of a file."""
    lines = enumerate(lines_of(name), start=1)
    rows = ((f"{name}:{number}", re.split("[#;]", line)[0].split()) for number, line in lines)
    return _checked(((place, words) for place, words in rows if words), name)


def _checked(rows: Iterable[tuple[str, Sequence[str]]], name: str) -> tuple[Rule, ...]:
    rules: list[Rule] = []
    seen: set[tuple[str, str]] = set()
    for place, words in rows:
        if isinstance(words, str) or len(words) != 4 or not all(isinstance(word, str) and word for word in words):
            found = words if isinstance(words, str) else " ".join(map(str, words))
            raise OptionError(
                f"{place}: expected relation, concept, role of the source, role of the target; found {found!r}"
            )
        relation, source, target = (word if word.startswith(":") else f":{word}" for word in (words[0], *words[2:]))
        rule = Rule(relation, words[1], source, target)
        for role in (relation, source, target):
            if role == ":" or role.endswith("-of"):
                raise OptionError(f"{place}: role {role!r}: expected a role that is not inverted")
        if source == target:
            raise OptionError(f"{place}: source and target of {relation!r} have the same role {source!r}")
        if (relation, rule.concept) in seen:
            raise OptionError(f"{place}: a second rule for {relation!r} and {rule.concept!r}")
        seen.add((relation, rule.concept))
        rules.append(rule)
    if not rules:
        raise OptionError(f"{name}: a table of reification without a rule")
    _refuse_cycles(rules, name)
    return tuple(rules)


def _refuse_cycles(rules: Sequence[Rule], name: str) -> None:
    """A relation whose node has, directly or through other rules, that relation as a role could be reified for ever."""
    uses: dict[str, list[str]] = {}
    for rule in rules:
        uses.setdefault(rule.relation, []).extend((rule.source, rule.target))
    try:
        TopologicalSorter(uses).prepare()
    except CycleError as error:
        raise OptionError(f"{name}: the rules go in a circle: {' -> '.join(reversed(error.args[1]))}") from None


#: The rules of the AMR guidelines.
AMR = _rules(os.path.join(os.path.dirname(__file__), "amr.txt"))

# what smatchpp 1.8.0 leaves out, and its one other concept
_UNKNOWN = {":cause", ":cost", ":employed-by", ":meaning", ":role", ":subset", ":superset"}
_SECOND = {"receive-01", "have-03"}

#: The rules that smatchpp 1.8.0 has: one node a relation.
SMATCHPP = tuple(
    rule._replace(concept="have-degree-91") if rule.relation == ":degree" else rule
    for rule in AMR
    if rule.relation not in _UNKNOWN and rule.concept not in _SECOND
)

_KNOWN = {"amr": AMR, "smatch++": SMATCHPP}


def rule_table(source: TableSource) -> tuple[Rule, ...]:
    """A table of rules from its name, a file, a mapping or rows.

    Parameters
    ----------
    source : str, path, mapping or iterable
        ``"amr"``, ``"smatch++"``; else the name of a file (see the top of this module); else relation → (concept, role
        of the source, role of the target), or rows (relation, concept, role of the source, role of the target). Roles
        may lack their colon.

    Raises
    ------
    OptionError
        If a rule is malformed or stands twice, or rules go in a circle.
    ReadError
        If a file is no text in UTF-8.
    OSError
        If there is no such file.
    """
    if isinstance(source, str) and source in _KNOWN:
        return _KNOWN[source]
    if isinstance(source, str | PathLike):
        return _rules(fspath(source))
    if hasattr(source, "items"):
        return _checked(((f"table[{key!r}]", (key, *words)) for key, words in source.items()), "table")
    return _checked(((f"table[{number}]", words) for number, words in enumerate(source)), "table")


# The steps ``reify`` and ``dereify``: relations become nodes, and nodes relations.
#
# The tables of rules are in :mod:`fastmatch.graphs.standardization.reification`, the work on the arrays in a kernel
# (``_ext/graphs/reification.pyx``).


def reify(corpus: Corpus, rules: tuple[Rule, ...] = AMR, lower: bool = False) -> Corpus:
    """Relations of a table as nodes; of several rules for a relation the first. ``lower``: words in lower case."""
    vocabulary = corpus.vocabulary
    rule_of: dict[str, Rule] = {}
    for rule in _lowered(rules) if lower else rules:
        rule_of.setdefault(rule.relation.lower(), rule)  # the first of several
    used = []
    for label in used_labels(corpus.relations[1], corpus.attributes[1]):
        role, turned = plain_role(vocabulary.text(label).lower(), exceptions=False)
        if role in rule_of:
            rule = rule_of[role]
            first, second = (rule.target, rule.source) if turned else (rule.source, rule.target)
            used.append((label, vocabulary.id(rule.concept), vocabulary.id(first), vocabulary.id(second)))
    if not used:
        return corpus
    words = np.full((3, max(corpus.columns.n_labels, len(vocabulary))), -1, np.int32)
    for label, *ids in used:
        words[:, label] = ids
    columns = kernel.reify(corpus.columns, words[0], words[1], words[2])
    added = np.diff(columns["variable_offsets"]) - np.diff(corpus.variable_offsets)
    names = _new_names(corpus, int(added.max(initial=0)))
    # where the new variables stand: behind the others of their graph
    new = np.zeros(len(corpus.variable_names) + int(added.sum()), np.bool_)
    number = np.arange(int(added.sum())) - np.repeat(np.cumsum(added) - added, added)
    new[number + np.repeat(columns["variable_offsets"][1:] - added, added)] = True
    columns["variable_names"] = np.empty(len(new), np.int32)
    columns["variable_names"][new] = names[number]
    columns["variable_names"][~new] = corpus.variable_names
    return corpus.with_columns(**columns)


def dereify(corpus: Corpus, rules: tuple[Rule, ...] = AMR, lower: bool = False) -> Corpus:
    """Nodes that stand for a relation of a table as that relation. ``lower``: words of the table in lower case."""
    vocabulary = corpus.vocabulary
    lowered = _lowered(rules)
    # text with roles in lower case is AMR as well
    either = lowered if lower else (*rules, *(rule for rule in lowered if rule not in rules))
    known = [rule for rule in either if vocabulary.lookup(rule.concept) >= 0]
    if not known:
        return corpus
    rows = np.empty((5, len(known)), np.int32)
    first: dict[int, int] = {}
    last: dict[int, int] = {}
    for number, rule in enumerate(known):
        concept = vocabulary.id(rule.concept)
        first.setdefault(concept, number)
        if concept in last:
            rows[4, last[concept]] = number
        last[concept] = number
        words = (rule.source, rule.target, rule.relation, f"{rule.relation}-of")
        rows[:, number] = [*vocabulary.ids(words), -1]
    size = max(corpus.columns.n_labels, len(vocabulary))
    rule_of = np.full(size, -1, np.int32)
    rule_of[list(first)] = list(first.values())
    found = kernel.dereify(corpus.columns, rule_of, rows, turned_labels(corpus, size))
    if found is None:
        return corpus
    variables, instances, kept_relations, attributes, relations, surface = found
    changed = corpus.with_columns(attributes=attributes, relations=relations, surface=surface)
    return selected(changed, variables=variables, instances=instances, relations=kept_relations)


@lru_cache(maxsize=8)  # one graph takes less time than its table
def _lowered(rules: tuple[Rule, ...]) -> tuple[Rule, ...]:
    return tuple([Rule(*(word.lower() for word in rule)) for rule in rules])


def _new_names(corpus: Corpus, count: int) -> Int32Array:
    """``count`` names that no variable of the corpus has."""
    vocabulary, prefix = corpus.vocabulary, "rf"
    while True:
        names = vocabulary.ids([f"{prefix}{number}" for number in range(count)])
        taken = np.zeros(len(vocabulary) + 1, np.bool_)  # one more place, for variables without a name
        taken[corpus.variable_names] = True
        if not taken[names].any():
            return names
        prefix += "x"
