"""Fine-grained scores: what of a graph a parser gets right, one number for each kind of thing.

Damonte, Cohen and Satta (2017), "An incremental parser for Abstract Meaning Representation", proposed them; their
scripts (amr-evaluation) and an "enhanced" version of these (amr-metric-suite) are what papers quote. Two kinds of row:

=====================  =======================================================================
Smatch, of …
Smatch (or S2match)    the graphs as they are
Unlabeled              the graphs with one label for all roles
No WSD                 the graphs with one sense for all frames
Reentrancies           the edges into nodes that have more than one, and the nodes at their ends
SRL                    the edges ``:ARG…``, and the nodes at their ends
Overlap, of …
Concepts               the nodes' concepts
Named Ent.             concepts of nodes with a ``:name``
Negations              concepts of nodes with a ``:polarity``
Wikification           values of ``:wiki``
Frames                 concepts with a sense: ``want-01``
Non_sense_frames       the same without it: ``want``
IgnoreVars             all attributes and edges, variables replaced by concepts
=====================  =======================================================================

The overlaps compare multisets for ``kind="damonte"`` and sets for ``"enhanced"`` and ``"s2match"``, which alone have
Frames, Non_sense_frames and IgnoreVars. Everything is done on the columns of the corpora, all graphs at once; the
Smatch rows are proven optima. The counts of each pair are kept, so a row has a micro and a macro average and intervals.

By default graphs are read as penman reads them, labels are compared as ``smatch`` does here, and a part of a graph is
just that part. ``preset="tool"`` follows the programs (docs/fine-grained.md lists all differences): their readers;
labels rewritten in the *text* before it is read, so a role's new name decides what overwrites what; a TOP in the parts
(``damonte``); every edge of a part again as an attribute with its child's concept (``enhanced``); 0 where neither side
has anything (``damonte``). It therefore needs text: strings, paths, or graphs that can be written as text.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from os import PathLike
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from fastmatch import reading, scoring
from fastmatch._ext.features import triple_features
from fastmatch.corpus import Corpus
from fastmatch.errors import OptionError, PairingError
from fastmatch.metrics.base import Metric, choice, make
from fastmatch.metrics.smatch import Smatch
from fastmatch.results import Scores, TripleScores
from fastmatch.sides import corpora_of, of_objects, parsed
from fastmatch.vocabulary import CASE, QUOTES, SENSES, UNDERSCORES, Vocabulary

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from numpy.typing import NDArray

    from fastmatch._ext.features import TripleFeatures
    from fastmatch.sides import Graphs
    from fastmatch.types import BoolArray, FloatArray, Int32Array, Int64Array, Progress

__all__ = ["KINDS", "Found", "score"]

KINDS = ("damonte", "enhanced", "s2match")

_DIALECTS = {"damonte": "damonte", "enhanced": "amrsuite", "s2match": "amrsuite"}
#: How labels are compared by default.
_ALIKE = CASE | QUOTES
_TOOL_SENSE = re.compile(r"-\d\d$")


class Found(NamedTuple):
    """Scores by row, in the order in which they are printed; fields of the signature; unreadable graphs."""

    scores: dict[str, TripleScores]
    fields: dict[str, str | int | float | bool | None]
    problems: tuple[tuple[str, int, str], ...]


def score(
    pred: Graphs,
    gold: Graphs,
    *,
    kind: str,
    preset: str | None,
    workers: int,
    progress: Progress,
    on_error: str,
    options: Mapping[str, Any],
) -> Found:
    """All rows of one kind; see :func:`fastmatch.aspects`.

    ``options`` are those of Smatch (``solver``, ``time_limit``), or of S2match for ``kind="s2match"``.
    """
    if preset not in (None, "tool"):
        raise OptionError(f"preset={preset!r}: fine-grained scores have 'tool'")
    choice("on_error", on_error, ("raise", "empty"))
    metric = _metric(kind, preset, dict(options))
    if preset == "tool":
        texts = (_text("pred", pred), _text("gold", gold))
        rewriting = _REWRITING[kind]
        vocabulary = Vocabulary()

        def read(rewrite: Callable[[str], str] | None) -> tuple[Corpus, Corpus]:
            sides = [text.read(rewrite, _DIALECTS[kind], on_error, vocabulary) for text in texts]
            return sides[0], sides[1]

        plain = read(None)
        whole = {"Unlabeled": read(rewriting[0]), "No WSD": read(rewriting[1])}
    else:
        plain = corpora_of(pred, gold, metric, on_error)
        whole = {"Unlabeled": _each(_unlabelled, plain), "No WSD": _each(_one_sense, plain)}
    if len(plain[0]) != len(plain[1]):
        raise PairingError(f"aspects: {len(plain[0])} predictions but {len(plain[1])} gold graphs")
    labels = _Labels(plain[0].vocabulary, kind, preset == "tool")
    columns = _Columns(plain[0], labels), _Columns(plain[1], labels)
    scores: dict[str, TripleScores] = {}

    def match(name: str, sides: tuple[Corpus, Corpus], metric: Metric) -> None:
        found, _ = scoring.run(metric, *sides, workers, progress, False)
        assert isinstance(found, TripleScores)
        scores[name] = _convention(found, preset, kind)

    match("S2match" if kind == "s2match" else "Smatch", plain, metric)
    for name, sides in whole.items():
        match(name, sides, metric)
    for name, items in _BAGS.items():
        if kind != "damonte" or name not in _ENHANCED_ONLY:
            found = _overlap(items(columns[0]), items(columns[1]), len(plain[0]), sets=kind != "damonte")
            scores[name] = _convention(found, preset, kind)
    part = _metric(kind, preset, {**options, "top": "concept" if labels.tool and kind == "damonte" else "none"})
    match("Reentrancies", (columns[0].reentrancies(), columns[1].reentrancies()), part)
    match("SRL", (columns[0].roles(), columns[1].roles()), part)
    problems = [
        (side, *problem) for side, corpus in zip(("pred", "gold"), plain, strict=True) for problem in corpus.problems
    ]
    fields = {**metric.fields(plain[0].dialect), "preset": preset}
    return Found(scores, fields, tuple(problems))


# ---- Smatch of graphs and of their parts -----------------------------------------------------------------------------


@dataclass(frozen=True)
class _OldSmatch(Smatch):
    """The triples and weights of the smatch inside the tools: theirs to fold, the root's concept at the top."""

    duplicates: str = "multiply"
    top: str = "concept"
    flags: int = CASE

    def check(self, dialect: str) -> None:
        pass

    def prepare(self, corpus: Corpus) -> TripleFeatures:
        vocabulary = corpus.vocabulary
        top_role = vocabulary.id(":top")
        fold = vocabulary.fold(self.flags)
        return triple_features(
            corpus.root,
            corpus.variable_offsets,
            corpus.instance_offsets,
            corpus.instances,
            corpus.attribute_offsets,
            corpus.attributes,
            corpus.relation_offsets,
            corpus.relations,
            fold,
            top=2 if self.top == "concept" else 0,
            top_role=top_role,
            top_value=-1,
            multiply_duplicates=True,
        )


def _metric(kind: str, preset: str | None, options: dict[str, Any]) -> Metric:
    if kind == "s2match":
        return make("s2match", preset, **options)
    if preset == "tool":
        for option in options:
            if option not in ("solver", "restarts", "seed", "time_limit", "top"):
                raise OptionError(f"{option}={options[option]!r}: preset 'tool' sets this")
        return _OldSmatch(**options, flags=CASE | UNDERSCORES if kind == "damonte" else CASE)
    return make("smatch", None, **options)


class _ZeroForNothing(TripleScores):
    """Scores that are 0 where neither side has anything, as amr-evaluation prints them."""

    def combine(self, statistics: NDArray[Any]) -> dict[str, FloatArray]:
        nothing = (statistics[1] == 0) & (statistics[2] == 0)
        return {name: np.where(nothing, 0.0, values) for name, values in super().combine(statistics).items()}

    def micro(self) -> Scores:
        return Scores((name, float(value)) for name, value in self.combine(np.array(self.totals[:3])).items())


def _convention(scores: TripleScores, preset: str | None, kind: str) -> TripleScores:
    if preset != "tool" or kind != "damonte":
        return scores
    return _ZeroForNothing(scores.matched, scores.n_pred, scores.n_gold, scores.upper, scores.certified)


def _each(change: Callable[[Corpus], Corpus], sides: tuple[Corpus, Corpus]) -> tuple[Corpus, Corpus]:
    return change(sides[0]), change(sides[1])


def _unlabelled(corpus: Corpus) -> Corpus:
    """The corpus with one label for all roles; ``:domain`` is the inverse of ``:mod`` still."""
    labels = _Labels(corpus.vocabulary, "damonte", False)
    label = np.int32(corpus.vocabulary.id(":label"))
    attributes, relations = corpus.attributes.copy(), corpus.relations.copy()
    swapped = labels.fold[relations[1]] == labels.domain
    relations[0][swapped], relations[2][swapped] = corpus.relations[2][swapped], corpus.relations[0][swapped]
    attributes[1] = relations[1] = label
    return corpus.with_columns(attributes=attributes, relations=relations)


def _one_sense(corpus: Corpus) -> Corpus:
    """The corpus with sense 01 for every concept that has one."""
    instances = corpus.instances.copy()
    stem = np.append(corpus.vocabulary.fold(_ALIKE | SENSES), np.int32(-1))[instances[1]]
    frame = stem != np.append(corpus.vocabulary.fold(_ALIKE), np.int32(-1))[instances[1]]
    instances[1][frame] = _mapped(corpus.vocabulary, stem[frame], lambda text: f"{text}-01")
    return corpus.with_columns(instances=instances)


def _mapped(vocabulary: Vocabulary, ids: Int32Array, change: Callable[[str], str]) -> Int32Array:
    """The ids of the changed strings; one call of ``change`` for each different string. −1 stays."""
    known = _different(ids, len(vocabulary))
    table = np.full(len(vocabulary) + 1, -1, np.int32)
    table[known] = vocabulary.ids(change(vocabulary.text(id)) for id in known.tolist())
    return table[ids]


def _different(ids: Int32Array, size: int) -> Int64Array:
    """The ids that occur, ascending, without −1."""
    return np.flatnonzero(np.bincount(ids + 1, minlength=size + 1)[1:])


# ---- the columns of all graphs at once -------------------------------------------------------------------------------


class _Labels:
    """Ids of the roles that rows look for, and how labels are compared in overlaps."""

    def __init__(self, vocabulary: Vocabulary, kind: str, tool: bool) -> None:
        self.vocabulary, self.kind, self.tool = vocabulary, kind, tool
        self.top, self.name, self.polarity, self.wiki, self.domain, self.mod = vocabulary.ids(
            (":TOP" if tool else ":top", ":name", ":polarity", ":wiki", ":domain", ":mod")
        ).tolist()
        # the tools compare items of their overlaps as they are
        self.fold = np.arange(len(vocabulary), dtype=np.int32) if tool else vocabulary.fold(_ALIKE)

    def matching(self, ids: Int32Array, test: Callable[[str], object]) -> BoolArray:
        """Which of the ids have a string that passes; one call for each different one."""
        table = np.zeros(len(self.vocabulary) + 1, np.bool_)
        known = _different(ids, len(self.vocabulary))
        table[known] = [bool(test(self.vocabulary.text(id))) for id in known.tolist()]
        return table[ids]


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
        return _Edges(*(column[which] for column in self))

    def turned(self, which: BoolArray, role: Any) -> _Edges:
        """With some edges turned around and renamed. One with a constant gets it as source, where nothing counts it."""
        roles = self.role.copy()
        roles[which] = role
        source, target = np.where(which, self.target, self.source), np.where(which, self.source, self.target)
        return _Edges(self.graph, roles, source, target, np.where(which, np.int32(-1), self.value))

    @classmethod
    def joined(cls, parts: Sequence[_Edges]) -> _Edges:
        return cls(*(np.concatenate([part[column] for part in parts]) for column in range(5)))


#: Graph of every item, and the columns that make it.
_Items = tuple[np.ndarray[Any, Any], list[np.ndarray[Any, Any]]]


class _Columns:
    """A corpus as the tools list its triples: first the attributes of a graph, node by node, then its relations.

    Attributes
    ----------
    graph_of : int64[n_variables]
        Graph of every variable.
    concept : int32[n_variables]
        Its (last) concept as compared, or −1.
    edges : _Edges
        With TOP, whose value is the root's concept, behind the other attributes of the root.
    """

    def __init__(self, corpus: Corpus, labels: _Labels) -> None:
        self.corpus, self.labels = corpus, labels
        fold = np.append(labels.fold, np.int32(-1))
        self.graph_of = _owners(corpus.variable_offsets)
        first = corpus.variable_offsets[:-1]
        owner = _owners(corpus.instance_offsets)
        self.concepts = owner, fold[corpus.instances[1]]
        self.concept = np.full(len(self.graph_of), -1, np.int32)
        self.concept[corpus.instances[0] + first[owner]] = self.concepts[1]

        owner, (variable, role, value, _) = _owners(corpus.attribute_offsets), corpus.attributes
        constant = np.full(len(owner), -1, np.int64)
        attributes = _Edges(owner, fold[role], variable + first[owner], constant, fold[value])
        places = 2 * (np.arange(len(owner)) - corpus.attribute_offsets[owner])
        graphs = np.flatnonzero(corpus.root >= 0)
        before = np.bincount(owner[variable == corpus.root[owner]], minlength=len(corpus))[graphs]
        roots = corpus.root[graphs] + first[graphs]
        top = _Edges(
            graphs, np.full(len(graphs), labels.top, np.int32), roots, self._named(graphs, roots), self.concept[roots]
        )
        owner, (variable, role, other, _, _) = _owners(corpus.relation_offsets), corpus.relations
        nothing = np.full(len(owner), -1, np.int32)
        relations = _Edges(owner, fold[role], variable + first[owner], other + first[owner], nothing)

        parts = (attributes, top, relations)
        joined = _Edges.joined(parts)
        place = np.concatenate((places, 2 * before - 1, np.arange(len(owner))))
        kind = np.repeat((0, 0, 1), [len(part.graph) for part in parts])
        self.edges = joined.take(np.lexsort((place, kind, joined.graph)))
        if not labels.tool:
            inverse = (self.edges.role == labels.domain) & (self.edges.target >= 0)
            self.edges = self.edges.turned(inverse, np.int32(labels.mod))
        elif labels.kind == "damonte":
            self.edges = self._upright(self.edges, "-of")

    def _named(self, graphs: Int64Array, roots: Int64Array) -> Int64Array:
        """For the tools a constant spelled like a variable of its graph is that variable: also TOP's."""
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
        """Edges whose role has the ending without it (and without the character before ``of``), turned around."""
        turned = self.labels.matching(edges.role, lambda role: role.endswith(ending))
        return edges.turned(turned, _mapped(self.labels.vocabulary, edges.role[turned], lambda role: role[:-3]))

    # ---- what is compared item by item: graphs, and columns that together are an item

    def all_concepts(self) -> _Items:
        owner, concept = self.concepts
        return owner[concept >= 0], [concept[concept >= 0]]

    def owners_of(self, role: int) -> _Items:
        """Concepts of the nodes with such a role, once for each time they have it."""
        chosen = self.edges.take((self.edges.role == role) & (self.edges.source >= 0))
        concept = self.concept[chosen.source]
        return chosen.graph[concept >= 0], [concept[concept >= 0]]

    def values_of(self, role: int) -> _Items:
        """Constants with such a role; for the tools a variable is one like any other, by its name."""
        chosen = self.edges.take((self.edges.role == role) & (self.labels.tool | (self.edges.target < 0)))
        names = np.append(self.corpus.variable_names, np.int32(-1))
        return chosen.graph, [np.where(chosen.target >= 0, names[chosen.target], chosen.value)]

    def frames(self, senses: bool) -> _Items:
        owner, concept = self.concepts
        if self.labels.tool:
            chosen = self.labels.matching(concept, _TOOL_SENSE.search)
            frames = concept[chosen]
            if not senses:
                frames = _mapped(self.labels.vocabulary, frames, lambda text: _TOOL_SENSE.sub("", text))
        else:
            stem = np.append(self.labels.vocabulary.fold(_ALIKE | SENSES), np.int32(-1))[concept]
            chosen = stem != concept
            frames = (concept if senses else stem)[chosen]
        return owner[chosen], [frames]

    def without_variables(self) -> _Items:
        edges, concept = self.edges, np.append(self.concept, np.int32(-1))
        return edges.graph, [
            edges.role,
            concept[edges.source],
            np.where(edges.target >= 0, concept[edges.target], edges.value),
        ]

    # ---- what is matched as a graph

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


_BAGS: dict[str, Callable[[_Columns], _Items]] = {
    "Concepts": _Columns.all_concepts,
    "Frames": lambda columns: columns.frames(senses=True),
    "Non_sense_frames": lambda columns: columns.frames(senses=False),
    "Named Ent.": lambda columns: columns.owners_of(columns.labels.name),
    "Negations": lambda columns: columns.owners_of(columns.labels.polarity),
    "Wikification": lambda columns: columns.values_of(columns.labels.wiki),
    "IgnoreVars": _Columns.without_variables,
}
_ENHANCED_ONLY = ("Frames", "Non_sense_frames", "IgnoreVars")


def _overlap(pred: _Items, gold: _Items, n_graphs: int, *, sets: bool) -> TripleScores:
    """Sizes and intersections of the graphs' multisets, or sets, of items."""
    split = len(pred[0])
    code = np.concatenate((pred[0], gold[0])).astype(np.int64)
    for column in zip(pred[1], gold[1], strict=True):  # graph and columns become one number, the same for equal items
        values = np.concatenate(column).astype(np.int64) + 1
        code = np.unique(code * (int(values.max(initial=0)) + 1) + values, return_inverse=True)[1].reshape(-1)
    owner = np.empty(int(code.max(initial=-1)) + 1, np.int64)
    owner[code] = np.concatenate((pred[0], gold[0]))
    mine, its = np.bincount(code[:split], minlength=len(owner)), np.bincount(code[split:], minlength=len(owner))
    if sets:
        mine, its = np.minimum(mine, 1), np.minimum(its, 1)
    matched, n_pred, n_gold = (
        np.bincount(owner, counts, n_graphs).astype(np.int64) for counts in (np.minimum(mine, its), mine, its)
    )
    return TripleScores(matched, n_pred, n_gold, matched, np.ones(n_graphs, np.bool_))


def _owners(offsets: Int64Array) -> Int64Array:
    """Which graph each entry of a table belongs to."""
    return np.repeat(np.arange(len(offsets) - 1), np.diff(offsets))


def _offsets(owners: Int64Array, n_graphs: int) -> Int64Array:
    """The inverse of :func:`_owners`."""
    offsets = np.zeros(n_graphs + 1, np.int64)
    np.cumsum(np.bincount(owners, minlength=n_graphs), out=offsets[1:])
    return offsets


def _table(first: Int32Array, *rows: Int32Array | int) -> Int32Array:
    table = np.empty((1 + len(rows), len(first)), np.int32)
    for number, row in enumerate((first, *rows)):
        table[number] = row
    return table


def _last(keys: Int64Array) -> Int64Array:
    """Positions of the last entry with each key, ascending."""
    at = np.unique(keys[::-1], return_index=True)[1]
    return np.sort(len(keys) - 1 - at)


# ---- text, rewritten as the tools rewrite it -------------------------------------------------------------------------


class _Text(NamedTuple):
    """What one side holds before it is read: one string with all graphs, or one string for each."""

    side: str
    name: str | None
    text: str | list[str]

    def read(self, rewrite: Callable[[str], str] | None, dialect: str, on_error: str, vocabulary: Vocabulary) -> Corpus:
        if not isinstance(self.text, str):
            texts = self.text if rewrite is None else [rewrite(text) for text in self.text]
            return parsed(self.side, texts, dialect, on_error, vocabulary)
        text = self.text if rewrite is None else rewrite(self.text)
        if self.name is None:
            return parsed(self.side, text, dialect, on_error, vocabulary)
        stream: Any = _Stream(self.name, text)
        return reading.read(stream, dialect=dialect, on_error=on_error, vocabulary=vocabulary)  # type: ignore[arg-type]


class _Stream(NamedTuple):
    name: str
    text: str

    def read(self) -> bytes:
        return self.text.encode("utf-8", "surrogateescape")


def _text(side: str, graphs: Any) -> _Text:
    if isinstance(graphs, str):
        return _Text(side, None, graphs)
    if isinstance(graphs, PathLike):
        name, data = reading.contents(graphs)
        return _Text(side, name, data if isinstance(data, str) else bytes(data).decode("utf-8", "surrogateescape"))
    if not isinstance(graphs, Corpus):
        graphs = [graphs] if not hasattr(graphs, "__iter__") else list(graphs)
        if all(isinstance(graph, str) for graph in graphs):
            return _Text(side, None, graphs)
        graphs = of_objects(side, graphs, "penman", None)
    if graphs.dialect != "penman":
        raise OptionError(
            f"preset 'tool' rewrites the text before it is read; {side} was read with dialect={graphs.dialect!r}: "
            "give its path or its text"
        )
    return _Text(side, None, [graph.encode() for graph in graphs])


def _unlabelled_text(text: str) -> str:
    """Every colon and the letters, digits and hyphens behind it, in comments and strings as well."""
    return re.sub(r":[a-zA-Z0-9-]*", ":label", text)


def _half_unlabelled_text(text: str) -> str:
    """The same up to the first hyphen, and an ``-of`` there stays.

    Two passes: the first takes one character less before ``-of``, which is why the second has to clean up.
    """
    text = re.sub(r":[0-9a-zA-Z]*(?!-of)", ":label", text)
    return re.sub(r":[0-9a-zA-Z]*-of", ":label-of", text)


def _one_sense_text(text: str) -> str:
    """The last hyphen with digits among the letters, digits and hyphens of a concept becomes ``-01``."""
    return re.sub(r"(/ [a-zA-Z0-9-]+)-[0-9]+", r"\1-01", text)


_REWRITING = {
    "damonte": (_unlabelled_text, _one_sense_text),
    "enhanced": (_half_unlabelled_text, _one_sense_text),
    "s2match": (_half_unlabelled_text, _one_sense_text),
}
