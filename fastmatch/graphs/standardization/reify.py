"""The steps ``reify`` and ``dereify``: relations become nodes, and nodes relations.

The tables of rules are in :mod:`fastmatch.graphs.standardization.reification`, the work on the arrays in a kernel
(``_ext/graphs/reification.pyx``).
"""

from __future__ import annotations

from functools import lru_cache

import numpy as np

import fastmatch._ext.graphs.reification as kernel
from fastmatch.graphs.corpus import Corpus
from fastmatch.graphs.standardization.labels import plain_role, turned_labels, used_labels
from fastmatch.graphs.standardization.reification import AMR, Rule
from fastmatch.graphs.standardization.triples import selected
from fastmatch.types import Int32Array


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
    return selected(
        corpus.with_columns(attributes=attributes, relations=relations, surface=surface),
        variables=variables,
        instances=instances,
        relations=kept_relations,
    )


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
