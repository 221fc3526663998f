"""Steps that change labels: case, quotes, senses, and the names and directions of roles.

All of them work on whole columns; the only Python loops are over distinct roles, and over the few constants that a rare
case concerns.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from fastmatch._ext.graphs.rewrite import link_names
from fastmatch.graphs.arrays import ID_ROWS
from fastmatch.graphs.corpus import Corpus
from fastmatch.graphs.dialects import DIALECTS
from fastmatch.graphs.notation import is_inverted, is_string, is_symbol, string_of
from fastmatch.graphs.vocabulary import SENSES, relabelled
from fastmatch.types import BoolArray, Int32Array

#: The tables that have labels of triples.
LABELLED = ("instances", "attributes", "relations")


def folded(corpus: Corpus, flags: int) -> Corpus:
    """All labels as :meth:`fastmatch.Vocabulary.fold` has them with these flags."""
    return _folded(corpus, flags, *LABELLED)


def drop_senses(corpus: Corpus) -> Corpus:
    """Concepts without the number of their sense."""
    return _folded(corpus, SENSES, "instances")


def unlabel(corpus: Corpus) -> Corpus:
    """Every role becomes ``:label``."""
    relations, attributes = corpus.relations.copy(), corpus.attributes.copy()
    relations[1] = attributes[1] = corpus.vocabulary.id(":label")
    return corpus.with_columns(relations=relations, attributes=attributes)


def turn_roles(corpus: Corpus, rename: Callable[[str], tuple[str, bool]]) -> Corpus:
    """Roles under other names.

    Parameters
    ----------
    corpus : Corpus
    rename : callable
        Role → its new name, and whether the triple turns around by it. An attribute that turns around keeps its
        variable, and its role says so by one ``-of``.
    """
    vocabulary = corpus.vocabulary
    used = used_labels(corpus.relations[1], corpus.attributes[1])
    of_relations = np.arange(max(used, default=-1) + 1, dtype=np.int32)
    of_attributes, turns = of_relations.copy(), np.zeros(len(of_relations), np.bool_)
    for label in used:
        new, turns[label] = rename(vocabulary.text(label))
        of_relations[label] = vocabulary.id(new)
        of_attributes[label] = vocabulary.id(f"{new}-of" if turns[label] else new)
    if (of_relations == np.arange(len(of_relations))).all():
        return corpus
    relations, attributes = corpus.relations.copy(), corpus.attributes.copy()
    relations[1], attributes[1] = of_relations[relations[1]], of_attributes[attributes[1]]
    _turn(relations, turns[corpus.relations[1]])
    return corpus.with_columns(relations=relations, attributes=attributes)


def plain_role(role: str, exceptions: bool = True) -> tuple[str, bool]:
    """The role without what inverts it, and whether it was inverted an odd number of times.

    ``exceptions``: roles of AMR that end in ``-of`` by themselves (``:consist-of``) stay as they are.
    """
    turned = False
    while role.endswith("-of") and len(role) > 4 and (not exceptions or is_inverted(role)):
        role, turned = role[:-3], not turned
    return role, turned


def domain_to_mod(role: str) -> tuple[str, bool]:
    """``:mod`` for ``:domain``, which turns the triple around; other roles as they are."""
    return {":domain": (":mod", True), ":domain-of": (":mod", False)}.get(role, (role, False))


def mod_to_domain(role: str) -> tuple[str, bool]:
    """``:domain`` for ``:mod``, which turns the triple around; other roles as they are."""
    return {":mod": (":domain", True), ":mod-of": (":domain", False)}.get(role, (role, False))


def as_written(corpus: Corpus) -> Corpus:
    """Relations as the text has them: what reading turned around is turned back and gets its ``-of``."""
    inverted = corpus.relations[4] != 0
    if not inverted.any():
        return corpus
    relations = corpus.relations.copy()
    relations[1][inverted] = relabelled(corpus.vocabulary, relations[1][inverted], "{}-of".format)
    _turn(relations, inverted)
    return corpus.with_columns(relations=relations)


def writable(corpus: Corpus) -> Corpus:
    """Quotes around what Penman text could not hold otherwise, for corpora whose quotes a step dropped.

    Concepts and constants that are no symbols, and constants spelled like a variable of their graph. Labels without
    quotes in them stay in corpora whose dialect drops quotes: the writer puts them back.
    """
    vocabulary, unquotes = corpus.vocabulary, DIALECTS[corpus.dialect].unquotes

    def plain(text: str) -> str:
        known = is_symbol(text) or is_string(text) or (unquotes and text and '"' not in text)
        return text if known else string_of(text)

    def no_variable(text: str) -> str:
        return string_of(text) if is_symbol(text) else plain(text)

    instances, attributes = corpus.instances.copy(), corpus.attributes.copy()
    instances[1] = relabelled(vocabulary, instances[1], plain)
    values = corpus.attributes[2]
    attributes[2] = relabelled(vocabulary, values, plain)
    linked = link_names(corpus.columns, corpus.variable_names, values)[0] >= 0
    attributes[2, linked] = relabelled(vocabulary, values[linked], no_variable)
    return corpus.with_columns(instances=instances, attributes=attributes)


def quoted(corpus: Corpus) -> Corpus:
    """The same, with quotes around every constant: some readers lose bare ones that they do not know."""
    corpus = writable(corpus)
    attributes = corpus.attributes.copy()
    attributes[2] = relabelled(corpus.vocabulary, attributes[2], _in_quotes)
    return corpus.with_columns(attributes=attributes)


def _in_quotes(text: str) -> str:
    return f'"{text}"' if is_symbol(text) else text


def used_labels(*columns: Int32Array) -> list[int]:
    """The distinct ids in these columns, ascending; none of them is negative."""
    size = max((int(column.max(initial=-1)) for column in columns), default=-1) + 1
    counts = np.zeros(size, np.int64)
    for column in columns:
        counts += np.bincount(column, minlength=size)
    return np.flatnonzero(counts).tolist()


def turned_labels(corpus: Corpus, size: int) -> NDArray[np.uint8]:
    """uint8[size]: 1 for the roles of attributes that point at their variable, ``:ARG0-of 5``."""
    turned = np.zeros(size, np.uint8)
    text = corpus.vocabulary.text
    turned[[label for label in used_labels(corpus.attributes[1]) if text(label).endswith("-of")]] = 1
    return turned


def _folded(corpus: Corpus, flags: int, *names: str) -> Corpus:
    """The labels in these tables as :meth:`fastmatch.Vocabulary.fold` has them."""
    ids = np.append(corpus.vocabulary.fold(flags), np.int32(-1))  # −1, which is nothing, stays −1
    return with_labels(corpus, ids.__getitem__, *names)


def with_labels(corpus: Corpus, change: Callable[[Int32Array], Int32Array], *names: str) -> Corpus:
    """The corpus with other ids of labels in these tables."""
    changed = {name: getattr(corpus, name).copy() for name in names}
    for name, table in changed.items():
        for row in ID_ROWS[name] or ():
            table[row] = change(table[row])
    return corpus.with_columns(**changed)


def _turn(relations: Int32Array, rows: BoolArray) -> None:
    """Exchange source and target of some relations, in place."""
    relations[0], relations[2] = np.where(rows, relations[2], relations[0]), np.where(rows, relations[0], relations[2])
    relations[4] ^= rows
