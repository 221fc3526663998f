"""The scores of the shared tasks on meaning representation parsing: the counts of MRP, EDM, SDP and UCCA.

Graphs are in MRP JSON (:mod:`fastmatch.graphs.dialects`, ``mrp``), normalised as mtool does.

``mrp``
    Oepen et al. (2019): one map of nodes, under which tops, labels, properties, anchors, edges and attributes of edges
    match. ``all`` is their sum, which the map maximises; here the maximum is proven. mtool searches too, up to a limit
    of steps, and forbids some maps (of graphs in UCCA, and those in which the order of words would cross), so its sum
    is the same or lower. Where several maps are best, the six counts depend on which is taken.

The others need no map: each graph is a set of items, in which a node is known by its place.

``edm``
    Dridan and Oepen (2011), elementary dependency match: a node is known by the characters that it covers, nodes that
    cover the same ones are one. Names (labels), arguments (edges), tops and properties; ``all`` is their sum.
``sdp``
    Oepen et al. (2014), semantic dependencies, whose nodes are words: edges and tops, with labels and without.
``ucca``
    Hershcovich et al. (2017), UCCA: a node is known by the characters that it and all nodes below it cover. Edges, with
    labels and without, *primary* ones apart from those marked as ``remote``, which no characters come through.

A node *below* another one is any that primary edges lead to, circles included; mtool's answer depends on the order of
its sets where there are some.

``preset="tool"`` turns the edges ``consist-of`` and ``subset-of`` around, as mtool does.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import accumulate, pairwise
from typing import Any

import numpy as np

from fastmatch.errors import OptionError
from fastmatch.fine_grained.kinds import Found, Match
from fastmatch.fine_grained.request import PartScores, Request
from fastmatch.graphs.arrays import kept_rows
from fastmatch.graphs.corpus import Corpus
from fastmatch.graphs.forms import pair_ids
from fastmatch.graphs.vocabulary import CASE
from fastmatch.metrics.choosing import agreed_fields
from fastmatch.metrics.registry import make
from fastmatch.metrics.smatch import Smatch
from fastmatch.results.pairs import PairScores
from fastmatch.results.problems import problems_of
from fastmatch.types import BoolArray, Int64Array

#: Aspect → the items of a graph.
_Items = dict[str, set[Any]]


def certain(counts: Int64Array) -> PartScores:
    """Scores that need no search, of matched, predicted and gold items."""
    return PartScores(counts[0], counts[1], counts[2], counts[0], np.ones(counts.shape[1], np.bool_))


def sets_of(kind: str, pred: Corpus, gold: Corpus) -> dict[str, PartScores]:
    """Aspect → scores, of one of :data:`SETS`."""
    items_of = SETS[kind]
    counts: dict[str, list[tuple[int, int, int]]] = {}
    for mine, its in zip(_graphs(pred), _graphs(gold), strict=True):
        if kind == "ucca":
            # between these places both graphs cover all characters or none
            anchors = (*mine.anchors.values(), *its.anchors.values())
            mine.cuts = its.cuts = sorted({place for text in anchors for run in _runs(text) for place in run})
        theirs = items_of(its)
        for name, items in items_of(mine).items():
            counts.setdefault(name, []).append((len(items & theirs[name]), len(items), len(theirs[name])))
    columns = {name: np.array(rows, np.int64).T for name, rows in counts.items()}
    if not columns:  # no graphs
        columns = {name: np.zeros((3, 0), np.int64) for name in items_of(_Graph())}
    if kind == "edm":
        columns = {"all": sum(columns.values(), np.zeros(3, np.int64)[:, None]), **columns}
    return {name: certain(np.ascontiguousarray(column)) for name, column in columns.items()}


def edge_attributes(corpus: Corpus) -> tuple[BoolArray, BoolArray]:
    """Which relations are attributes of edges, such as ``:A|remote=true``, and which are edges with one of that name.

    The reader puts the attributes of an edge behind it, with its role in front of theirs.
    """
    vocabulary, relations = corpus.vocabulary, corpus.relations
    attribute, remote = (np.zeros(relations.shape[1], np.bool_) for _ in range(2))
    roles = {role: vocabulary.text(role).lower() for role in np.unique(relations[1]).tolist()}
    described = np.isin(relations[1], [role for role, text in roles.items() if "|" in text])
    firsts = corpus.relation_offsets[:-1]
    described[firsts[firsts < len(described)]] = False  # before the first of a graph there is no edge
    for k in np.flatnonzero(described).tolist():
        edge = k - 1
        while attribute[edge]:
            edge -= 1
        if (relations[[0, 2], k] != relations[[0, 2], edge]).any():
            continue
        before, text = f"{roles[int(relations[1, edge])]}|", roles[int(relations[1, k])]
        if text.startswith(before):
            attribute[k] = True
            remote[edge] |= text.startswith("remote=", len(before))
    return attribute, remote


class _Graph:
    """The tuples of one graph, labels folded.

    Attributes
    ----------
    text : str or None
        Its sentence.
    n_nodes : int
    anchors : dict of int → str
        Node → the characters that it covers, as the reader writes them: ``0:4,5:9``.
    labels : list of (node, label)
    properties : list of (node, name, value)
    tops : list of nodes
    edges : list of (source, label, target, remote)
    cuts : sequence of int
        Places at which runs of this graph, or of the one that it is compared with, begin and end; in order.
    """

    def __init__(self, text: str | None = None, n_nodes: int = 0) -> None:
        self.text, self.n_nodes = text, n_nodes
        self.anchors: dict[int, str] = {}
        self.labels: list[tuple[int, int]] = []
        self.properties: list[tuple[int, int, int]] = []
        self.tops: list[int] = []
        self.edges: list[tuple[int, int, int, bool]] = []
        self.cuts: Sequence[int] = ()


def _graphs(corpus: Corpus) -> Iterator[_Graph]:
    vocabulary = corpus.vocabulary
    fold: list[int] = vocabulary.fold(CASE).tolist()
    top, anchors = vocabulary.lookup(":TOP"), vocabulary.lookup(":ANCHORS")
    attribute, remote = (mask.tolist() for mask in edge_attributes(corpus))
    tables = [
        (pairwise(getattr(corpus, f"{name}_offsets").tolist()), getattr(corpus, f"{name}s").T.tolist())
        for name in ("instance", "attribute", "relation")
    ]
    (instance_rows, instances), (attribute_rows, attributes), (relation_rows, relations) = tables
    sizes: list[int] = np.diff(corpus.variable_offsets).tolist()
    for k, spans in enumerate(zip(instance_rows, attribute_rows, relation_rows, strict=True)):
        graph = _Graph(_sentence(corpus, k), sizes[k])
        graph.labels = [(node, fold[label]) for node, label, _ in instances[slice(*spans[0])]]
        for node, role, value, _ in attributes[slice(*spans[1])]:
            if role == top:
                graph.tops.append(node)
            elif role == anchors:
                graph.anchors[node] = vocabulary.text(value).strip('"')
            else:
                graph.properties.append((node, fold[role], fold[value]))
        for number in range(*spans[2]):
            source, role, target, *_ = relations[number]
            if not attribute[number]:
                graph.edges.append((source, fold[role], target, remote[number]))
        yield graph


_SENTENCE = b"# ::snt "


def _sentence(corpus: Corpus, k: int) -> str | None:
    """The input of a graph, character by character: as metadata it would lose blanks at its ends."""
    for line in corpus.rows("comments", k).tobytes().split(b"\n"):
        if line.startswith(_SENTENCE):
            return line[len(_SENTENCE) :].decode("utf-8", "replace")
    return None


# ---- items -----------------------------------------------------------------------------------------------------------


def _edm(graph: _Graph) -> _Items:
    # a node of punctuation covers no character, as one without anchors
    known = {node: characters for node, characters in graph.anchors.items() if characters}
    return {
        "names": {(known.get(node), label) for node, label in graph.labels},
        "arguments": {(known.get(source), label, known.get(target)) for source, label, target, _ in graph.edges},
        "tops": {known.get(node) for node in graph.tops},
        "properties": {(known.get(node), name, value) for node, name, value in graph.properties},
    }


def _sdp(graph: _Graph) -> _Items:
    known = graph.anchors
    tops = {("top", known.get(node)) for node in graph.tops}
    return {
        "labeled": tops | {(known.get(source), known.get(target), label) for source, label, target, _ in graph.edges},
        "unlabeled": tops | {(known.get(source), known.get(target)) for source, _, target, _ in graph.edges},
    }


def _ucca(graph: _Graph) -> _Items:
    known = _yields(graph)
    found: _Items = {f"{labels} {kind}": set() for labels in ("labeled", "unlabeled") for kind in ("primary", "remote")}
    for source, label, target, remote in graph.edges:
        kind = "remote" if remote else "primary"
        found[f"labeled {kind}"].add((known[source], known[target], label))
        found[f"unlabeled {kind}"].add((known[source], known[target]))
    return found


def _yields(graph: _Graph) -> list[int]:
    """Node → the characters that it and all nodes below it cover: the pieces of the text, as bits of a number."""
    cuts = graph.cuts
    blank = 0
    if graph.text is not None:
        # how many characters before each place are no white space
        filled = [0, *accumulate(not character.isspace() for character in graph.text)]
        last = len(filled) - 1
        for number, (start, stop) in enumerate(pairwise(cuts)):
            if filled[min(start, last)] == filled[min(stop, last)]:
                blank |= 1 << number
    found = [0] * graph.n_nodes
    for node, anchors in graph.anchors.items():
        for start, stop in _runs(anchors):
            found[node] |= (1 << bisect_left(cuts, stop)) - (1 << bisect_left(cuts, start))
        found[node] &= ~blank
    below: list[list[int]] = [[] for _ in range(graph.n_nodes)]
    for source, _, target, remote in graph.edges:
        if not remote:
            below[source].append(target)
    order: list[int] = []  # children first
    met = [False] * graph.n_nodes
    waiting = [*range(graph.n_nodes)]
    while waiting:
        node = waiting.pop()
        if node < 0:
            order.append(~node)
        elif not met[node]:
            met[node] = True
            waiting.append(~node)
            waiting += below[node]
    news = True
    while news:  # more than once only where there are circles
        news = False
        for node in order:
            for child in below[node]:
                if found[child] & ~found[node]:
                    found[node] |= found[child]
                    news = True
    return found


def _runs(anchors: str) -> list[tuple[int, int]]:
    """``0:4,5:9`` as pairs of numbers."""
    pairs = (run.split(":") for run in anchors.split(",") if run)
    return [(int(start), int(stop)) for start, stop in pairs]


#: Kind → what makes the items of a graph.
SETS: Mapping[str, Callable[[_Graph], _Items]] = {"edm": _edm, "sdp": _sdp, "ucca": _ucca}


_PRESETS = {None: "mrp", "tool": "mrp/tool"}


def score(request: Request) -> Found:
    """The counts of ``kind``, ``"mrp"`` or one of the sets; see :func:`fastmatch.aspects`.

    ``options``: those of Smatch's search; sets take them, and need no search.

    Raises
    ------
    OptionError
        If there is no such preset or option.
    """
    kind, preset = request.kind, request.preset
    if preset not in _PRESETS:
        raise OptionError(f"preset={preset!r}: expected None or 'tool'")
    for name in request.options:
        if name not in ("solver", "restarts", "seed", "effort", "time_limit"):
            raise OptionError(f"{name}={request.options[name]!r}: the aspects {kind!r} have no such option")
    metric = make("smatch", _PRESETS[preset], **request.options)
    assert isinstance(metric, Smatch)
    corpora = request.corpora(metric)
    matches: dict[str, Match] = {}
    if kind in SETS:
        scores = sets_of(kind, *corpora)
    else:
        scores, found = _mrp(*corpora, metric, request)
        # the other rows count what the best map of all triples matches
        matches["all"] = Match(metric, *corpora, found, rewritten=False)
    fields = agreed_fields(metric, *corpora)
    if kind in SETS:
        fields = {"std": fields["std"], "read": fields["read"]}
    return Found(scores, fields, problems_of(*corpora), pair_ids(*corpora), matches)


def _parts(corpus: Corpus) -> Iterator[tuple[str, Corpus]]:
    """Kind of triples → the corpus with the triples of that kind only."""
    tops, anchors = (corpus.attributes[1] == corpus.vocabulary.lookup(role) for role in (":TOP", ":ANCHORS"))
    of_edges, _ = edge_attributes(corpus)
    attributes = {"tops": tops, "properties": ~tops & ~anchors, "anchors": anchors}
    relations = {"edges": ~of_edges, "attributes": of_edges}
    for name in ("tops", "labels", "properties", "anchors", "edges", "attributes"):
        part = corpus.with_columns(
            **kept_rows(corpus, "instance", np.full(corpus.instances.shape[1], name == "labels")),
            **kept_rows(corpus, "attribute", attributes.get(name, np.zeros_like(tops))),
            **kept_rows(corpus, "relation", relations.get(name, np.zeros_like(of_edges))),
        )
        yield name, part


def _mrp(pred: Corpus, gold: Corpus, metric: Smatch, request: Request) -> tuple[dict[str, PartScores], PairScores]:
    whole = request.scored(metric, map(metric.prepare, (pred, gold)), len(pred), mapping=True)
    scores = {"all": PartScores.of(whole)}
    for (name, mine), (_, theirs) in zip(_parts(pred), _parts(gold), strict=True):
        scores[name] = PartScores.counted(whole, metric.features(mine), metric.features(theirs))
    return scores, whole
