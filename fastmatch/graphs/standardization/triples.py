"""Steps that add, drop, select or link triples, on whole columns or in a kernel (``_ext/graphs/rewrite.pyx``)."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from fastmatch._ext.graphs.rewrite import find_copies, link_names, select
from fastmatch.graphs.arrays import kept_rows, owners_of, starts_of
from fastmatch.graphs.corpus import Corpus
from fastmatch.graphs.standardization.labels import used_labels
from fastmatch.graphs.vocabulary import CASE, MARKS
from fastmatch.types import BoolArray, Int32Array


def selected(
    corpus: Corpus,
    *,
    variables: NDArray[Any] | None = None,
    instances: NDArray[Any] | None = None,
    attributes: NDArray[Any] | None = None,
    relations: NDArray[Any] | None = None,
) -> Corpus:
    """The variables and triples where a mask is True; a mask that is None keeps all."""

    def mask(given: NDArray[Any] | None, size: int) -> NDArray[np.uint8]:
        return np.ones(size, np.uint8) if given is None else given.astype(np.uint8, copy=False)

    keep = mask(variables, len(corpus.variable_names))
    tables = ((instances, corpus.instances), (attributes, corpus.attributes), (relations, corpus.relations))
    columns = select(corpus.columns, keep, *(mask(given, table.shape[1]) for given, table in tables))
    return corpus.with_columns(variable_names=corpus.variable_names[keep != 0], **columns)


def remove_duplicates(corpus: Corpus) -> Corpus:
    """Of equal triples of a graph only the first."""
    copies = find_copies(corpus.columns)
    if not any(column.any() for column in copies):
        return corpus
    instances, attributes, relations = (column == 0 for column in copies)
    return selected(corpus, instances=instances, attributes=attributes, relations=relations)


def number_copies(corpus: Corpus) -> Corpus:
    """Equal triples of a graph made different: the k-th copy (from the second on) gets its number into its label.

    k copies against m copies then match as min(k, m) pairs, under any metric that matches triples one to one.
    """
    changed: dict[str, Int32Array] = {}
    vocabulary = corpus.vocabulary
    for name, copies in zip(("instances", "attributes", "relations"), find_copies(corpus.columns), strict=True):
        rows = np.flatnonzero(copies)
        if rows.size:
            table = changed[name] = getattr(corpus, name).copy()
            labels = zip(table[1, rows].tolist(), copies[rows].tolist(), strict=True)
            # a space cannot stand in a role or a concept
            table[1, rows] = vocabulary.ids(
                [f"{vocabulary.text(label) if label >= 0 else ''} {copy}" for label, copy in labels]
            )
    return corpus.with_columns(**changed) if changed else corpus


def without_attributes(corpus: Corpus, roles: set[str]) -> Corpus:
    """Without the attributes whose role is, in lower case, one of these."""
    text = corpus.vocabulary.text
    drop = [label for label in used_labels(corpus.attributes[1]) if text(label).lower() in roles]
    if not drop:
        return corpus
    return selected(corpus, attributes=~np.isin(corpus.attributes[1], drop))


def with_root(corpus: Corpus, concept: bool) -> Corpus:
    """One more attribute for the root, ``:root``, behind all other triples of the graph, unless it is there already.

    Its value is the root's concept (a root without one gets no attribute), or else ``top``.
    """
    vocabulary, root = corpus.vocabulary, corpus.root
    value = np.full(len(corpus), vocabulary.id("top"), np.int32)
    if concept:
        value.fill(-1)
        graphs = owners_of(corpus.instance_offsets)
        # the first concept of the root: later ones are overwritten by those before them
        of_root = np.flatnonzero(corpus.instances[0] == root[graphs])[::-1]
        value[graphs[of_root]] = corpus.instances[1, of_root]
        root = np.where(value >= 0, root, np.int32(-1))
    role = vocabulary.id(":root")
    there = np.flatnonzero(corpus.attributes[1] == role)
    if there.size:  # the graphs were written by this step, and read again
        graphs = owners_of(corpus.attribute_offsets)[there]
        equal = (corpus.attributes[0, there] == root[graphs]) & (corpus.attributes[2, there] == value[graphs])
        root = np.array(root)
        root[graphs[equal]] = -1
    given = root >= 0
    position = np.full(len(corpus), -1, np.int32)
    for name, row in (("instance", 2), ("attribute", 3), ("relation", 3)):  # whose rows ascend by position
        offsets = getattr(corpus, f"{name}_offsets")
        some = np.diff(offsets) > 0
        position[some] = np.maximum(position[some], getattr(corpus, f"{name}s")[row, offsets[1:][some] - 1])
    position += position < np.iinfo(np.int32).max  # positions may be equal, not negative
    made = np.stack([root, np.full_like(root, role), value, position])[:, given]
    return corpus.with_columns(
        attributes=np.insert(corpus.attributes, corpus.attribute_offsets[1:][given], made, axis=1),
        attribute_offsets=corpus.attribute_offsets + np.concatenate([[0], np.cumsum(given)]),
    )


def link_constants(corpus: Corpus) -> Corpus:
    """Constants spelled like a variable become relations to it; variables that differ in case or quotes become one."""
    fold = np.append(corpus.vocabulary.fold(CASE | MARKS), np.int32(-1))
    linked, same = link_names(corpus.columns, fold[corpus.variable_names], fold[corpus.attributes[2]])
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
    graphs = owners_of(corpus.attribute_offsets)
    relations = np.concatenate(
        [corpus.relations, np.stack([made[0], made[1], targets[rows], made[3], np.zeros_like(made[0])])], axis=1
    )
    of = np.concatenate([owners_of(corpus.relation_offsets), graphs[rows]])
    order = np.lexsort((relations[3], of))
    offsets, relations = starts_of(np.bincount(of, minlength=len(corpus))), np.ascontiguousarray(relations[:, order])
    return corpus.with_columns(relation_offsets=offsets, relations=relations, **kept_rows(corpus, "attribute", ~rows))


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
    return selected(corpus.with_columns(root=root, **changed), variables=keep)
