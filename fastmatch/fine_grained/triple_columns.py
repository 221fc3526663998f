"""The triples of all graphs of a corpus at once, as columns, in the order in which the published programs list them.

:class:`TripleColumns` gives what the rows of :mod:`fastmatch.fine_grained.damonte` are about: the *items* of an overlap
(concepts, frames, values of a role, …), or a part of every graph as a corpus. :class:`Labels` says how labels are
compared; :func:`relabelled` changes strings once for each different one.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any, NamedTuple, TypeAlias

import numpy as np

from fastmatch.graphs.arrays import owners_of, starts_of
from fastmatch.graphs.corpus import Corpus
from fastmatch.graphs.vocabulary import CASE, QUOTES, SENSES, Vocabulary, distinct, relabelled
from fastmatch.types import BoolArray, Int32Array, Int64Array

#: Graph of every item, and the columns that together are the item.
Items: TypeAlias = tuple[Int64Array, list[Int32Array]]

#: How labels are compared by default.
ALIKE = CASE | QUOTES

#: The end of a frame, as the enhanced program recognises it.
_TOOL_SENSE = re.compile(r"-\d\d$")


class TripleColumns:
    """A corpus as the programs list its triples: first the attributes of a graph, node by node, then its relations.

    Parameters
    ----------
    corpus : Corpus
    labels : Labels
        How labels are compared; of the vocabulary of the corpus.

    Attributes
    ----------
    graph_of : int64[n_variables]
        Graph of every variable; variables are numbered through all graphs.
    concepts : (int64[n_instances], int32[n_instances])
        Graph and concept, as compared, of every triple ``:instance``.
    concept : int32[n_variables]
        The (last) concept of every variable, or −1.
    edges : _Edges
        Attributes and relations, with TOP, whose value is the root's concept, behind the other attributes of the root.
    """

    def __init__(self, corpus: Corpus, labels: Labels) -> None:
        self.corpus, self.labels = corpus, labels
        fold = np.append(labels.fold, np.int32(-1))
        self.graph_of = owners_of(corpus.variable_offsets)
        first = corpus.variable_offsets[:-1]
        owner = owners_of(corpus.instance_offsets)
        self.concepts = owner, fold[corpus.instances[1]]
        self.concept = np.full(len(self.graph_of), -1, np.int32)
        self.concept[corpus.instances[0] + first[owner]] = self.concepts[1]

        owner, (variable, role, value, _) = owners_of(corpus.attribute_offsets), corpus.attributes
        constant = np.full(len(owner), -1, np.int64)
        attributes = _Edges(owner, fold[role], variable + first[owner], constant, fold[value])
        places = 2 * (np.arange(len(owner)) - corpus.attribute_offsets[owner])
        graphs = np.flatnonzero(corpus.root >= 0)
        before = np.bincount(owner[variable == corpus.root[owner]], minlength=len(corpus))[graphs]
        roots = corpus.root[graphs] + first[graphs]
        top = _Edges(
            graphs, np.full(len(graphs), labels.top, np.int32), roots, self._named(graphs, roots), self.concept[roots]
        )
        owner, (variable, role, other, _, _) = owners_of(corpus.relation_offsets), corpus.relations
        nothing = np.full(len(owner), -1, np.int32)
        relations = _Edges(owner, fold[role], variable + first[owner], other + first[owner], nothing)

        parts = (attributes, top, relations)
        joined = _Edges._make(np.concatenate([part[column] for part in parts]) for column in range(5))
        place = np.concatenate((places, 2 * before - 1, np.arange(len(owner))))
        kind = np.repeat((0, 0, 1), [len(part.graph) for part in parts])
        self.edges = joined.take(np.lexsort((place, kind, joined.graph)))
        if not labels.tool:
            inverse = (self.edges.role == labels.domain) & (self.edges.target >= 0)
            self.edges = self.edges.turned(inverse, np.int32(labels.mod))
        elif labels.kind == "damonte":
            self.edges = self._upright(self.edges, "-of")

    def _named(self, graphs: Int64Array, roots: Int64Array) -> Int64Array:
        """For the programs a constant spelled like a variable of its graph is that variable: also TOP's."""
        found = np.full(len(graphs), -1, np.int64)
        if self.labels.tool and len(graphs):
            size = len(self.labels.vocabulary)
            keys = self.graph_of * size + self.corpus.variable_names
            order = np.argsort(keys)
            wanted = graphs * size + self.concept[roots]
            at = order[np.minimum(np.searchsorted(keys, wanted, sorter=order), len(keys) - 1)]
            hit = keys[at] == wanted
            found[hit] = at[hit]
        return found

    def _upright(self, edges: _Edges, ending: str) -> _Edges:
        """The edges; those whose role ends so are turned around, and their role loses its last three characters."""
        turned = self.labels.matching(edges.role, lambda role: role.endswith(ending))
        return edges.turned(turned, relabelled(self.labels.vocabulary, edges.role[turned], lambda role: role[:-3]))

    # ---- items of overlaps

    def all_concepts(self) -> Items:
        """The concepts of all nodes."""
        owner, concept = self.concepts
        return owner[concept >= 0], [concept[concept >= 0]]

    def owners_of(self, role: int) -> Items:
        """Concepts of the nodes with such a role, once for each time they have it."""
        chosen = self.edges.take((self.edges.role == role) & (self.edges.source >= 0))
        concept = self.concept[chosen.source]
        return chosen.graph[concept >= 0], [concept[concept >= 0]]

    def values_of(self, role: int) -> Items:
        """Constants with such a role; for the programs a variable is a constant like any other, by its name."""
        chosen = self.edges.take((self.edges.role == role) & (self.labels.tool | (self.edges.target < 0)))
        names = np.append(self.corpus.variable_names, np.int32(-1))
        return chosen.graph, [np.where(chosen.target >= 0, names[chosen.target], chosen.value)]

    def frames(self, senses: bool) -> Items:
        """Concepts with a sense; ``senses``: with it, else without."""
        owner, concept = self.concepts
        if self.labels.tool:
            chosen = self.labels.matching(concept, _TOOL_SENSE.search)
            frames = concept[chosen]
            if not senses:
                frames = relabelled(self.labels.vocabulary, frames, lambda text: _TOOL_SENSE.sub("", text))
        else:
            stem = np.append(self.labels.vocabulary.fold(ALIKE | SENSES), np.int32(-1))[concept]
            chosen = stem != concept
            frames = (concept if senses else stem)[chosen]
        return owner[chosen], [frames]

    def without_variables(self) -> Items:
        """All attributes and relations, with concepts in place of variables."""
        edges, concept = self.edges, np.append(self.concept, np.int32(-1))
        return edges.graph, [
            edges.role,
            concept[edges.source],
            np.where(edges.target >= 0, concept[edges.target], edges.value),
        ]

    # ---- parts of graphs

    def reentrancies(self) -> Corpus:
        """The edges into variables that have more than one, variable by variable."""
        inner = self.edges.take(self.edges.target >= 0)
        inner = inner.take(np.bincount(inner.target, minlength=len(self.graph_of))[inner.target] > 1)
        return self._part(inner.take(np.argsort(inner.target, kind="stable")))

    def roles(self) -> Corpus:
        """The edges ``:ARG…``."""
        prefix = ":ARG" if self.labels.tool else ":arg"
        edges = self.edges.take(self.labels.matching(self.edges.role, lambda role: role.startswith(prefix)))
        return self._part(self._upright(edges, "of") if self.labels.tool else edges)

    def _part(self, edges: _Edges) -> Corpus:
        """The graphs that these edges and the nodes at their ends make.

        amr-evaluation puts a TOP on the node that is mentioned first; the enhanced scripts keep edges in dictionaries,
        one for each (source, target), enter each again as the attribute (source, role, concept of the target), one for
        each (source, role), and drop constants. Where two edges want one place the last one has it.
        """
        tool = self.labels.tool
        n_graphs = len(self.corpus)
        mentioned = np.stack((edges.source, edges.target), axis=1).ravel()
        mentioned = mentioned[mentioned >= 0]
        used = np.unique(mentioned)
        variable_offsets = _offsets(self.graph_of[used], n_graphs)
        local = np.full(len(self.graph_of) + 1, -1, np.int32)
        local[used] = np.arange(len(used)) - variable_offsets[self.graph_of[used]]
        root = np.full(n_graphs, -1, np.int32)
        if tool and self.labels.kind == "damonte":
            graphs, at = np.unique(self.graph_of[mentioned], return_index=True)
            root[graphs] = local[mentioned[at]]
        named = used[self.concept[used] >= 0]
        relations = edges.take((edges.source >= 0) & (edges.target >= 0))
        attributes = edges.take((edges.source >= 0) & (edges.target < 0))
        if tool and self.labels.kind != "damonte":
            attributes = relations._replace(value=self.concept[relations.target])
            attributes = attributes.take(_last(attributes.source * len(self.labels.vocabulary) + attributes.role))
            relations = relations.take(_last(relations.source * len(self.graph_of) + relations.target))
        return self.corpus.with_columns(
            root=root,
            lines=np.zeros(n_graphs, np.int32),
            variable_offsets=variable_offsets,
            variable_names=self.corpus.variable_names[used],
            instance_offsets=_offsets(self.graph_of[named], n_graphs),
            instances=_table(local[named], self.concept[named], 0),
            attribute_offsets=_offsets(attributes.graph, n_graphs),
            attributes=_table(local[attributes.source], attributes.role, attributes.value, 0),
            relation_offsets=_offsets(relations.graph, n_graphs),
            relations=_table(local[relations.source], relations.role, local[relations.target], 0, 0),
            surface_offsets=np.zeros(n_graphs + 1, np.int64),
            surface=np.empty((3, 0), np.int32),
            comment_offsets=np.zeros(n_graphs + 1, np.int64),
            comments=np.empty(0, np.uint8),
            problems=(),
        )


class Labels:
    """Ids of the roles that rows look for, and how labels are compared in overlaps.

    Parameters
    ----------
    vocabulary : Vocabulary
    kind : str
        Kind of aspects.
    tool : bool
        As its program does it.
    """

    def __init__(self, vocabulary: Vocabulary, kind: str, tool: bool) -> None:
        self.vocabulary, self.kind, self.tool = vocabulary, kind, tool
        self.top, self.name, self.polarity, self.wiki, self.domain, self.mod = vocabulary.ids(
            (":TOP" if tool else ":top", ":name", ":polarity", ":wiki", ":domain", ":mod")
        ).tolist()
        # the programs compare items of their overlaps as they are
        self.fold = np.arange(len(vocabulary), dtype=np.int32) if tool else vocabulary.fold(ALIKE)

    def matching(self, ids: Int32Array, test: Callable[[str], object]) -> BoolArray:
        """Which of the ids have a string that passes; one call of ``test`` for each different string."""
        found, places = distinct(ids)
        passing = [id >= 0 and bool(test(self.vocabulary.text(id))) for id in found.tolist()]
        return np.array(passing, np.bool_)[places]


class _Edges(NamedTuple):
    """Attributes and relations, one entry each. Variables are numbered through all graphs.

    ``source`` and ``target`` are −1 for a constant, and ``value`` is the constant that is the target, else −1.
    """

    graph: Int64Array
    role: Int32Array
    source: Int64Array
    target: Int64Array
    value: Int32Array

    def take(self, which: Any) -> _Edges:
        return _Edges._make(column[which] for column in self)

    def turned(self, which: BoolArray, role: Any) -> _Edges:
        """With some edges turned around and renamed. One with a constant gets it as source, where nothing counts it."""
        roles = self.role.copy()
        roles[which] = role
        source, target = np.where(which, self.target, self.source), np.where(which, self.source, self.target)
        return _Edges(self.graph, roles, source, target, np.where(which, np.int32(-1), self.value))


def _offsets(owners: Int64Array, n_graphs: int) -> Int64Array:
    """The inverse of :func:`~fastmatch.graphs.arrays.owners_of`."""
    return starts_of(np.bincount(owners, minlength=n_graphs))


def _table(first: Int32Array, *rows: Int32Array | int) -> Int32Array:
    return np.stack(np.broadcast_arrays(first, *rows)).astype(np.int32)


def _last(keys: Int64Array) -> Int64Array:
    """Positions of the last entry with each key, ascending."""
    at = np.unique(keys[::-1], return_index=True)[1]
    return np.sort(len(keys) - 1 - at)
