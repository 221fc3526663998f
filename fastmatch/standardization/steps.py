"""Standardisation: rewriting graphs so that what means the same is written the same.

A step takes a corpus and gives a corpus; steps are named and put one after the other:

    fm.standardize(corpus, ["lower-case", "de-invert", "dereify", "remove-duplicates"])

====================  ==================================================================================================
step                  what it does
====================  ==================================================================================================
``lower-case``        concepts, roles and constants in lower case
``drop-quotes``       constants and concepts without one pair of double quotes around them
``drop-all-quotes``   every single and double quote goes, wherever it stands (smatchpp)
``link-constants``    a constant spelled like a variable of its graph becomes a relation to it, variables that differ
                      only in case or quotes become one (smatchpp)
``domain-to-mod``     ``(a :domain b)`` becomes ``(b :mod a)``
``mod-to-domain``     ``(a :mod b)`` becomes ``(b :domain a)``
``de-invert``         roles on ``-of`` are turned around, but for AMR's own (``:consist-of``, ``:prep-out-of`` …)
``de-invert-all``     the same without an exception (smatchpp)
``as-written``        relations as the text has them: what reading turned around gets its ``-of`` back
``reify``             listed relations become nodes (:mod:`fastmatch.standardization.reification`)
``dereify``           nodes that stand for a listed relation become one, if nothing points at them, they are not the
                      root, and they have their two roles and nothing else
``root-concept``      the root gets an attribute ``:root`` with its concept
``root-constant``     the root gets an attribute ``:root top``
``drop-root``         attributes ``:root`` and ``:TOP`` go
``drop-wiki``         attributes ``:wiki`` go
``drop-senses``       ``want-01`` becomes ``want``: a hyphen with two or more digits at the end of a concept
``unlabel``           every role of a relation or attribute becomes ``:label``
``remove-duplicates`` of equal triples of a graph the first stays
====================  ==================================================================================================

A constant may be what an inverted role points from, as in ``(a :ARG0-of 5)``: it stays an attribute of ``a``, and its
role keeps exactly one ``-of``.

Everything here works on whole columns, or in a kernel (:mod:`fastmatch._ext.graphs.rewrite`); the only Python loops are over
distinct roles, and over the few constants that a rare case concerns. Source: Opitz (2023), "SMATCH++: Standardized and
Extended Evaluation of Semantic Graphs", section 5; the names follow it where it has one.
"""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any

import numpy as np

from fastmatch._ext.graphs import rewrite
from fastmatch.errors import OptionError
from fastmatch.graphs.notation import is_inverted, is_string, is_symbol
from fastmatch.graphs.vocabulary import CASE, MARKS, QUOTES, SENSES
from fastmatch.standardization.reification import AMR, SMATCHPP, Rule, rule_table

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping
    from typing import TypeAlias

    from numpy.typing import NDArray

    from fastmatch.graphs.corpus import Corpus
    from fastmatch.standardization.reification import TableSource
    from fastmatch.types import BoolArray, Int32Array

    Step: TypeAlias = Callable[[Corpus], Corpus]

__all__ = ["PRESETS", "STEPS", "standardize"]


def standardize(corpus: Corpus, steps: str | Iterable[str | Step], *, table: TableSource | None = None) -> Corpus:
    """Rewrite the graphs of a corpus.

    Parameters
    ----------
    corpus : Corpus
        Is left as it is; the result shares its vocabulary, which gets the new labels.
    steps : str, or iterable of str and callables
        A preset (:data:`PRESETS`), one step, steps separated by commas, or a sequence of names and of functions from
        corpus to corpus. They are taken in order.
    table : optional
        Rules of ``reify`` and ``dereify`` (see :func:`fastmatch.standardization.reification.rule_table`); default: the AMR guidelines,
        and in the presets of smatchpp its own. Written in lower case if a step ``lower-case`` stands before.

    Returns
    -------
    Corpus
        Variables that are gone are missing, new ones stand behind the others of their graph.

    Raises
    ------
    OptionError
        If there is no such step, or the table is malformed.

    Notes
    -----
    Linear in the size of the corpus, and about as fast as reading it.
    """
    for step in resolved(steps, table):
        corpus = step(corpus)
    return corpus


def resolved(steps: str | Iterable[str | Step], table: TableSource | None = None, *, lower: bool = False) -> list[Step]:
    """Steps as functions; whether labels are in lower case by then decides how reification writes its own.

    ``lower``: they are from the beginning.
    """
    rules = None if table is None else rule_table(table)
    if isinstance(steps, str):
        if steps in PRESETS and rules is None:
            rules = SMATCHPP
        steps = PRESETS[steps] if steps in PRESETS else [name.strip() for name in steps.split(",")]
    made: list[Step] = []
    for step in steps:
        if callable(step):
            made.append(step)
        elif step in ("reify", "dereify"):
            function = _reify if step == "reify" else _dereify
            made.append(partial(function, rules=AMR if rules is None else rules, lower=lower))
        elif step in STEPS:
            _append(made, STEPS[step])
            lower = lower or step == "lower-case"
        else:
            known = ", ".join(sorted({*STEPS, "reify", "dereify"}))
            raise OptionError(f"steps: no step {step!r}; there are {known}, and the presets {', '.join(PRESETS)}")
    return made


def _append(steps: list[Step], step: Step) -> None:
    """Add a step; if it is a look-up like the one before it, the two become one look-up."""
    before: Any = steps[-1] if steps else None
    after: Any = step
    if isinstance(before, partial) and isinstance(after, partial) and before.func is after.func:
        if before.func is folded:
            steps[-1] = partial(folded, flags=before.keywords["flags"] | after.keywords["flags"])
            return
        if before.func is _turn_roles:
            steps[-1] = partial(_turn_roles, rename=partial(_renamed_twice, before.keywords, after.keywords))
            return
    steps.append(step)


def _renamed_twice(first: dict[str, Any], second: dict[str, Any], role: str) -> tuple[str, bool]:
    role, turned = first["rename"](role)
    # what the first step turns around, the second sees as an attribute does: with one "-of" at its end
    role, again = second["rename"](role)
    return role, turned != again


# ---- labels ----------------------------------------------------------------------------------------------------------


def _relabelled(corpus: Corpus, ids: Int32Array, *, roles: bool, values: bool = True) -> Corpus:
    """Concepts, and if asked for values and roles, by the table id → id."""
    ids = np.append(ids, np.int32(-1))  # −1, which is nothing, stays −1
    instances, changed = corpus.instances.copy(), {}
    instances[1] = ids[instances[1]]
    changed["instances"] = instances
    if roles or values:
        attributes = changed["attributes"] = corpus.attributes.copy()
        if values:
            attributes[2] = ids[attributes[2]]
        if roles:
            attributes[1] = ids[attributes[1]]
    if roles:
        relations = changed["relations"] = corpus.relations.copy()
        relations[1] = ids[relations[1]]
    return corpus.with_columns(**changed)


def folded(corpus: Corpus, flags: int) -> Corpus:
    """All labels as :meth:`fastmatch.Vocabulary.fold` has them with these flags."""
    return _relabelled(corpus, corpus.vocabulary.fold(flags), roles=True)


def _drop_senses(corpus: Corpus) -> Corpus:
    return _relabelled(corpus, corpus.vocabulary.fold(SENSES), roles=False, values=False)


def _used(*columns: Int32Array) -> list[int]:
    """The distinct ids in these columns, ascending; none of them is negative."""
    size = max((int(column.max(initial=-1)) for column in columns), default=-1) + 1
    counts = np.zeros(size, np.int64)
    for column in columns:
        counts += np.bincount(column, minlength=size)
    return np.flatnonzero(counts).tolist()


def _turn_roles(corpus: Corpus, rename: Callable[[str], tuple[str, bool]]) -> Corpus:
    """Give roles other names; ``rename`` says the new one, and whether the triple turns around by it.

    An attribute that turns around keeps its variable, and its role says so by one ``-of``.
    """
    vocabulary = corpus.vocabulary
    used = _used(corpus.relations[1], corpus.attributes[1])
    of_relations = np.arange(max(used, default=-1) + 1, dtype=np.int32)
    of_attributes = of_relations.copy()
    turns = np.zeros(len(of_relations), np.bool_)
    for label in used:
        text = vocabulary.text(label)
        new, turned = rename(text)
        if new != text:
            of_relations[label] = vocabulary.id(new)
            turns[label] = turned
        written = f"{new}-of" if turned else new
        if written != text:
            of_attributes[label] = vocabulary.id(written)
    relations, attributes = corpus.relations, corpus.attributes
    labels = np.arange(len(of_relations))
    if (of_relations != labels).any():
        relations = relations.copy()
        turned_rows = turns[relations[1]]
        relations[1] = of_relations[relations[1]]
        _turn(relations, turned_rows)
    if (of_attributes != labels).any():
        attributes = attributes.copy()
        attributes[1] = of_attributes[attributes[1]]
    return corpus.with_columns(relations=relations, attributes=attributes)


def _turn(relations: Int32Array, rows: BoolArray) -> None:
    """Exchange source and target of some relations, in place."""
    relations[0], relations[2] = np.where(rows, relations[2], relations[0]), np.where(rows, relations[0], relations[2])
    relations[4] ^= rows


def _plain(role: str, exceptions: bool = True) -> tuple[str, bool]:
    """The role without what inverts it, and whether it was inverted an odd number of times."""
    turned = False
    while role.endswith("-of") and len(role) > 4 and (not exceptions or is_inverted(role)):
        role, turned = role[:-3], not turned
    return role, turned


def _domain_to_mod(role: str) -> tuple[str, bool]:
    return {":domain": (":mod", True), ":domain-of": (":mod", False)}.get(role, (role, False))


def _mod_to_domain(role: str) -> tuple[str, bool]:
    return {":mod": (":domain", True), ":mod-of": (":domain", False)}.get(role, (role, False))


def _as_written(corpus: Corpus) -> Corpus:
    inverted = corpus.relations[4] != 0
    if not inverted.any():
        return corpus
    relations, vocabulary = corpus.relations.copy(), corpus.vocabulary
    used = _used(relations[1][inverted])
    names = np.arange(max(used) + 1, dtype=np.int32)
    names[used] = vocabulary.ids([f"{vocabulary.text(label)}-of" for label in used])
    relations[1][inverted] = names[relations[1][inverted]]
    _turn(relations, inverted)
    return corpus.with_columns(relations=relations)


def _unlabel(corpus: Corpus) -> Corpus:
    label = corpus.vocabulary.id(":label")
    relations, attributes = corpus.relations.copy(), corpus.attributes.copy()
    relations[1] = label
    attributes[1] = label
    return corpus.with_columns(relations=relations, attributes=attributes)


def writable(corpus: Corpus) -> Corpus:
    """Quotes around what Penman text could not hold otherwise, for corpora whose quotes a step dropped.

    Concepts and constants that are no symbols, and constants spelled like a variable of their graph.
    """
    vocabulary = corpus.vocabulary
    linked, _ = rewrite.link_names(tables(corpus), corpus.variable_names, corpus.attributes[2])
    size = max([int(column.max(initial=-1)) for column in (corpus.instances[1], corpus.attributes[2])]) + 1
    names, quoted = np.arange(size, dtype=np.int32), np.arange(size, dtype=np.int32)
    values = corpus.attributes[2]
    used = _used(corpus.instances[1][corpus.instances[1] >= 0], values[values >= 0])
    of_variables = set(values[linked >= 0].tolist())
    for label in used:
        text = vocabulary.text(label)
        symbol = is_symbol(text)
        if (symbol and label in of_variables) or not (symbol or is_string(text)):
            made = vocabulary.id('"' + text.replace("\\", "\\\\").replace('"', '\\"') + '"')
            quoted[label] = made
            names[label] = label if symbol else made
    if (quoted == np.arange(size)).all():
        return corpus
    instances, attributes = corpus.instances.copy(), corpus.attributes.copy()
    instances[1] = np.append(names, np.int32(-1))[instances[1]]
    attributes[2] = np.append(names, np.int32(-1))[values]
    attributes[2][linked >= 0] = quoted[values[linked >= 0]]
    return corpus.with_columns(instances=instances, attributes=attributes)


# ---- triples ---------------------------------------------------------------------------------------------------------


def tables(corpus: Corpus) -> rewrite.Tables:
    """The columns that the kernels work on."""
    return rewrite.Tables(
        corpus.root,
        corpus.variable_offsets,
        corpus.instance_offsets,
        corpus.instances,
        corpus.attribute_offsets,
        corpus.attributes,
        corpus.relation_offsets,
        corpus.relations,
        corpus.surface_offsets,
        corpus.surface,
    )


def _selected(
    corpus: Corpus,
    *,
    variables: NDArray[Any] | None = None,
    instances: NDArray[Any] | None = None,
    attributes: NDArray[Any] | None = None,
    relations: NDArray[Any] | None = None,
) -> Corpus:
    """The variables and rows where a mask is True; a mask that is None keeps all."""

    def mask(given: NDArray[Any] | None, size: int) -> NDArray[np.uint8]:
        return np.ones(size, np.uint8) if given is None else given.astype(np.uint8, copy=False)

    keep = mask(variables, len(corpus.variable_names))
    columns = rewrite.select(
        tables(corpus),
        keep,
        mask(instances, corpus.instances.shape[1]),
        mask(attributes, corpus.attributes.shape[1]),
        mask(relations, corpus.relations.shape[1]),
    )
    return corpus.with_columns(variable_names=corpus.variable_names[keep != 0], **columns)


def _remove_duplicates(corpus: Corpus) -> Corpus:
    copies = rewrite.find_copies(tables(corpus))
    if not any(column.any() for column in copies):
        return corpus
    instances, attributes, relations = (column == 0 for column in copies)
    return _selected(corpus, instances=instances, attributes=attributes, relations=relations)


def number_copies(corpus: Corpus) -> Corpus:
    """Equal triples of a graph made different: the k-th copy (from the second on) gets its number into its label.

    k copies against m copies then match as min(k, m) pairs, under any metric that matches triples one to one.
    """
    changed: dict[str, Int32Array] = {}
    vocabulary = corpus.vocabulary
    for name, copies in zip(("instances", "attributes", "relations"), rewrite.find_copies(tables(corpus)), strict=True):
        rows = np.flatnonzero(copies)
        if rows.size:
            table = changed[name] = getattr(corpus, name).copy()
            labels = zip(table[1, rows].tolist(), copies[rows].tolist(), strict=True)
            # a space cannot stand in a role or a concept
            table[1, rows] = vocabulary.ids(
                [f"{vocabulary.text(label) if label >= 0 else ''} {copy}" for label, copy in labels]
            )
    return corpus.with_columns(**changed) if changed else corpus


def _without_attributes(corpus: Corpus, roles: set[str]) -> Corpus:
    text = corpus.vocabulary.text
    drop = [label for label in _used(corpus.attributes[1]) if text(label).lower() in roles]
    if not drop:
        return corpus
    return _selected(corpus, attributes=~np.isin(corpus.attributes[1], drop))


def _graphs_of(offsets: NDArray[np.int64]) -> NDArray[np.int64]:
    """The graph of every row."""
    return np.repeat(np.arange(len(offsets) - 1), np.diff(offsets))


def _with_root(corpus: Corpus, concept: bool) -> Corpus:
    """One more attribute for the root, ``:root``, behind all other triples of the graph."""
    vocabulary, root = corpus.vocabulary, corpus.root
    value = np.full(len(corpus), vocabulary.id("top"), np.int32)
    if concept:
        value.fill(-1)
        graphs = _graphs_of(corpus.instance_offsets)
        # the first concept of the root: later ones are overwritten by those before them
        of_root = np.flatnonzero(corpus.instances[0] == root[graphs])[::-1]
        value[graphs[of_root]] = corpus.instances[1, of_root]
        root = np.where(value >= 0, root, np.int32(-1))
    offsets, attributes = rewrite.append_attribute(tables(corpus), root, vocabulary.id(":root"), value)
    return corpus.with_columns(attributes=attributes, attribute_offsets=offsets)


def _link_constants(corpus: Corpus) -> Corpus:
    fold = np.append(corpus.vocabulary.fold(CASE | MARKS), np.int32(-1))
    linked, same = rewrite.link_names(tables(corpus), fold[corpus.variable_names], fold[corpus.attributes[2]])
    rows = linked >= 0
    if rows.any():
        corpus = _attributes_to_relations(corpus, rows, linked)
    n_variables = np.diff(corpus.variable_offsets)
    first = np.repeat(corpus.variable_offsets[:-1], n_variables)
    merged = same != np.arange(len(same)) - first
    return _merged(corpus, same, ~merged) if merged.any() else corpus


def _attributes_to_relations(corpus: Corpus, rows: BoolArray, targets: Int32Array) -> Corpus:
    """The attributes in ``rows`` as relations to ``targets``."""
    made = corpus.attributes[:, rows]
    graphs = _graphs_of(corpus.attribute_offsets)
    relations = np.concatenate(
        [corpus.relations, np.stack([made[0], made[1], targets[rows], made[3], np.zeros_like(made[0])])], axis=1
    )
    of = np.concatenate([_graphs_of(corpus.relation_offsets), graphs[rows]])
    order = np.lexsort((relations[3], of))
    kept, gone = corpus.attributes[:, ~rows], np.bincount(graphs[rows], minlength=len(corpus))
    attribute_offsets, relation_offsets = corpus.attribute_offsets.copy(), corpus.relation_offsets.copy()
    attribute_offsets[1:] -= np.cumsum(gone)
    relation_offsets[1:] += np.cumsum(gone)
    return corpus.with_columns(
        attributes=np.ascontiguousarray(kept),
        attribute_offsets=attribute_offsets,
        relations=np.ascontiguousarray(relations[:, order]),
        relation_offsets=relation_offsets,
    )


def _merged(corpus: Corpus, same: Int32Array, keep: BoolArray) -> Corpus:
    """Every variable replaced by ``same`` of it; those not to be kept go."""
    changed: dict[str, Int32Array] = {}
    for name, offsets, rows in (
        ("instances", corpus.instance_offsets, (0,)),
        ("attributes", corpus.attribute_offsets, (0,)),
        ("relations", corpus.relation_offsets, (0, 2)),
    ):
        table = changed[name] = getattr(corpus, name).copy()
        first = np.repeat(corpus.variable_offsets[:-1], np.diff(offsets))
        for row in rows:
            table[row] = same[first + table[row]]
    root = corpus.root.copy()
    some = root >= 0
    root[some] = same[corpus.variable_offsets[:-1][some] + root[some]]
    return _selected(corpus.with_columns(root=root, **changed), variables=keep)


# ---- reification -----------------------------------------------------------------------------------------------------


def _lowered(rules: Iterable[Rule]) -> list[Rule]:
    return [Rule(*(word.lower() for word in rule)) for rule in rules]


def _reify(corpus: Corpus, rules: tuple[Rule, ...] = AMR, lower: bool = False) -> Corpus:
    vocabulary = corpus.vocabulary
    rule_of: dict[str, Rule] = {}
    for rule in _lowered(rules) if lower else rules:
        rule_of.setdefault(rule.relation.lower(), rule)  # the first of several
    used = []
    for label in _used(corpus.relations[1], corpus.attributes[1]):
        role, turned = _plain(vocabulary.text(label).lower(), exceptions=False)
        if role in rule_of:
            rule = rule_of[role]
            first, second = (rule.target, rule.source) if turned else (rule.source, rule.target)
            used.append((label, vocabulary.id(rule.concept), vocabulary.id(first), vocabulary.id(second)))
    if not used:
        return corpus
    table = tables(corpus)
    words = np.full((3, max(table.n_labels, len(vocabulary))), -1, np.int32)
    for label, *ids in used:
        words[:, label] = ids
    columns = rewrite.reify(table, words[0], words[1], words[2])
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


def _dereify(corpus: Corpus, rules: tuple[Rule, ...] = AMR, lower: bool = False) -> Corpus:
    vocabulary = corpus.vocabulary
    known = list(rules if not lower else _lowered(rules))
    if not lower:  # text with roles in lower case is AMR as well
        known += [rule for rule in _lowered(rules) if rule not in rules]
    known = [rule for rule in known if vocabulary.lookup(rule.concept) >= 0]
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
    table = tables(corpus)
    size = max(table.n_labels, len(vocabulary))
    rule_of = np.full(size, -1, np.int32)
    rule_of[list(first)] = list(first.values())
    found = rewrite.dereify(table, rule_of, rows, turned_labels(corpus, size))
    if found is None:
        return corpus
    variables, instances, kept_relations, attributes, relations, surface = found
    return _selected(
        corpus.with_columns(attributes=attributes, relations=relations, surface=surface),
        variables=variables,
        instances=instances,
        relations=kept_relations,
    )


def turned_labels(corpus: Corpus, size: int) -> NDArray[np.uint8]:
    """uint8[size]: 1 for the roles of attributes that point at their variable, ``:ARG0-of 5``."""
    turned = np.zeros(size, np.uint8)
    for label in _used(corpus.attributes[1]):
        if corpus.vocabulary.text(label).endswith("-of"):
            turned[label] = 1
    return turned


#: Steps without options, by name; ``reify`` and ``dereify`` take a table.
STEPS: Mapping[str, Step] = {
    "lower-case": partial(folded, flags=CASE),
    "drop-quotes": partial(folded, flags=QUOTES),
    "drop-all-quotes": partial(folded, flags=MARKS),
    "link-constants": _link_constants,
    "domain-to-mod": partial(_turn_roles, rename=_domain_to_mod),
    "mod-to-domain": partial(_turn_roles, rename=_mod_to_domain),
    "de-invert": partial(_turn_roles, rename=_plain),
    "de-invert-all": partial(_turn_roles, rename=partial(_plain, exceptions=False)),
    "as-written": _as_written,
    "root-concept": partial(_with_root, concept=True),
    "root-constant": partial(_with_root, concept=False),
    "drop-root": partial(_without_attributes, roles={":root", ":top"}),
    "drop-wiki": partial(_without_attributes, roles={":wiki"}),
    "drop-senses": _drop_senses,
    "unlabel": _unlabel,
    "remove-duplicates": _remove_duplicates,
}

_GENERIC = ("lower-case", "drop-all-quotes", "link-constants")

#: What smatchpp 1.8.0 does, by the name of its graph type; ``smatch++`` is its best practice for AMR.
PRESETS: Mapping[str, tuple[str, ...]] = {
    "smatch++": (*_GENERIC, "domain-to-mod", "de-invert-all", "root-concept", "dereify", "remove-duplicates"),
    "smatch++/reify": (*_GENERIC, "domain-to-mod", "de-invert-all", "root-concept", "reify", "remove-duplicates"),
    "generic": (*_GENERIC, "de-invert-all", "root-constant"),
    "none": ("as-written", "root-constant"),
}
