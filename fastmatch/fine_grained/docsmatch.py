"""Coreference under DocSmatch's map: how well two documents agree in the relations that join their sentences.

The documents are matched as the metric ``docsmatch`` matches them. Then, of the triples that match under the best map,
those about coreference are counted. A node is *shared* if it belongs to several sentences, and what leads to it comes
from different ones. About coreference are

* the concept of a chain (``coref-entity``) and of a role that no word fills (``implicit-role``);
* relations to a chain, to such a role, and to a shared node;
* ``:coref`` and ``:same-as``;
* bridges: ``:part`` and ``:subset`` between nodes that do not belong to the same sentences.

Rows: ``DocSmatch`` (all triples), ``Coreference`` (those above), and its parts ``Named entities`` (the thing has a
``:name``, or a mention of its chain has one), ``Bridging`` and ``Other coreference``. A triple of the prediction
matches in a part if its partner is in the same part; so the parts may have fewer matches in all than ``Coreference``.

``preset="tool"`` counts as ``doc-smatch --coref-subscore`` of docAMR 0.1.1 does, in lists, with repeated triples; its
named entities are chains with a name, and only their concepts. Under equal maps the counts are equal; where several
maps are best, they depend on which of them is taken. It takes another one in each run, here it is always the same.
"""

from __future__ import annotations

from itertools import pairwise
from typing import NamedTuple

import numpy as np

from fastmatch.errors import OptionError
from fastmatch.fine_grained.kinds import Found, Match
from fastmatch.fine_grained.request import PartScores, Request
from fastmatch.graphs.corpus import Corpus
from fastmatch.graphs.forms import pair_ids
from fastmatch.metrics.choosing import agreed_fields
from fastmatch.metrics.docsmatch import DocSmatch
from fastmatch.metrics.registry import make
from fastmatch.metrics.shared.sentence_groups import sentence_groups, warn_undivided
from fastmatch.metrics.shared.triples import Labels
from fastmatch.results.problems import problems_of

#: The parts of coreference, in the order of their numbers.
PARTS = ("Named entities", "Bridging", "Other coreference")
_NAMED, _BRIDGING, _OTHER = range(3)

_SPECIAL = ("coref-entity", "implicit-role")


class Document(NamedTuple):
    """What one graph says about coreference; variables and labels by their numbers.

    Attributes
    ----------
    nodes : dict of int → (concept, part)
        Of the nodes whose concept is about coreference.
    edges : list of (role, source, target, part)
        The relations about coreference; for the program, with repetitions.
    relations : list of (role, source, target)
        All relations.
    """

    nodes: dict[int, tuple[int, int]]
    edges: list[tuple[int, int, int, int]]
    relations: list[tuple[int, int, int]]


def score(request: Request) -> Found:
    """All rows; see :func:`fastmatch.aspects`. ``options`` are those of the metric ``docsmatch``."""
    metric = make(request.kind, request.preset, **request.options)
    assert isinstance(metric, DocSmatch)
    if metric.standard not in ("default", "smatch") or metric.duplicates == "bag" or metric.triples != "all":
        raise OptionError(
            "aspects of docsmatch: need all triples, of graphs that are not rewritten; leave out standard="
        )
    corpora = request.corpora(metric)
    warn_undivided(metric, *corpora)
    n_pairs = len(corpora[0])
    whole = request.scored(metric, map(metric.prepare, corpora), n_pairs, mapping=True)
    tool = metric.standard == "smatch"
    documents = [coreference(metric.standardized(corpus), tool=tool) for corpus in corpora]
    counts = np.zeros((4, 3, n_pairs), np.int64)
    for k, (mine, theirs) in enumerate(zip(*documents, strict=True)):
        counts[:, :, k] = count(mine, theirs, whole.mapping_of(k).tolist(), tool=tool)
    rows = {"DocSmatch": PartScores.of(whole)}
    for name, (matched, n_pred, n_gold) in zip(("Coreference", *PARTS), counts, strict=True):
        rows[name] = PartScores(matched, n_pred, n_gold, matched, whole.certified)
    fields = agreed_fields(metric, *corpora)
    # the other rows count what the best map of all triples matches
    matches = {"DocSmatch": Match(metric, *corpora, whole, rewritten=False)}
    return Found(rows, fields, problems_of(*corpora), pair_ids(*corpora), matches)


# ---- one graph -------------------------------------------------------------------------------------------------------


def coreference(corpus: Corpus, *, tool: bool = False) -> list[Document]:
    """What each graph of a corpus says about coreference.

    Parameters
    ----------
    corpus : Corpus
    tool : bool
        As DocSmatch, for graphs that were read as smatch reads them.

    Notes
    -----
    O(R) for R relations, and O(S) for each variable that belongs to S sentences.
    """
    text = corpus.vocabulary.text
    labels = None if tool else Labels.of(corpus)
    _, offsets, groups = sentence_groups(corpus, tool=tool)
    names: dict[int, str] = {}

    def role_name(role: int) -> str:
        if role not in names:
            names[role] = text(role)[1:] if tool else text(role)[1:].lower()
        return names[role]

    found = []
    for g in range(len(corpus)):
        first, stop = corpus.variable_offsets[g : g + 2].tolist()
        bounds = offsets[first : stop + 1].tolist()
        sentences = [groups[start:end].tobytes() for start, end in pairwise(bounds)]
        several = [end - start > 1 for start, end in pairwise(bounds)]
        concepts: dict[int, int] = {}
        for variable, concept, _ in corpus.rows("instances", g).T.tolist():
            if concept >= 0:
                concepts.setdefault(variable, concept if labels is None else int(labels.fold[concept]))
        rows: list[tuple[int, int, int]] = []
        parents: list[set[bytes]] = [set() for _ in sentences]
        named: set[int] = set()
        for source, role, target, _, inverted in corpus.rows("relations", g).T.tolist():
            name = role_name(role)
            if name == "name":
                named.add(source)
            if labels is not None:
                role = int(labels.fold[role])
                if role == labels.domain:
                    source, role, target = target, labels.mod, source
            rows.append((role, source, target))
            if name not in ("coref", "part", "subset") and (tool or name != "same-as"):
                child, parent = (source, target) if tool and inverted else (target, source)
                if sentences[parent] != sentences[child]:
                    parents[child].add(sentences[parent])
        special = {variable for variable, concept in concepts.items() if text(concept) in _SPECIAL}
        joint = special | {v for v, led in enumerate(parents) if several[v] and len(led) > 1}
        if not tool:
            named |= {source for role, source, target in rows if role_name(role) == "coref" and target in named}
        edges = []
        for role, source, target in rows:
            name = role_name(role)
            if name in ("part", "subset"):
                about = target in joint if tool else False
                about = about or sentences[source] != sentences[target]
            elif name == "coref":
                about = not tool or target in joint or source in joint
            else:
                about = target in joint or (name == "same-as" and not tool)
            if about:
                of_name = not tool and (source if name == "coref" else target) in named
                part = _BRIDGING if name in ("part", "subset") else _NAMED if of_name else _OTHER
                edges.append((role, source, target, part))
        nodes = {v: (concepts[v], _NAMED if v in named else _OTHER) for v in sorted(special)}
        found.append(Document(nodes, edges if tool else list(dict.fromkeys(edges)), rows))
    return found


# ---- a pair ----------------------------------------------------------------------------------------------------------


def count(pred: Document, gold: Document, mapping: list[int], *, tool: bool = False) -> list[list[int]]:
    """Triples about coreference: those that match under a map, of the prediction, of the gold document.

    Parameters
    ----------
    pred, gold : Document
    mapping : list of int
        A variable of the gold document, or −1, for each variable of the prediction.
    tool : bool
        As DocSmatch counts.

    Returns
    -------
    list of [matched, n_pred, n_gold]
        Of coreference, then of each of the :data:`PARTS`.
    """
    parts = _listed(pred, gold, mapping) if tool else _distinct(pred, gold, mapping)
    for side, document in ((1, pred), (2, gold)):
        for _, part in document.nodes.values():
            parts[part][side] += 1
        for *_, part in document.edges:
            parts[part][side] += 1
    total = [sum(part[side] for part in parts) for side in range(3)]
    if not tool:
        total[0] = parts.pop()[0]
    return [total, *parts[:3]]


def _distinct(pred: Document, gold: Document, mapping: list[int]) -> list[list[int]]:
    """Matches in each part, and in a fourth entry all; a triple of the prediction matches one at most."""
    found = [[0, 0, 0] for _ in range(4)]
    pairs: list[tuple[int, int | None]] = []
    for variable, (concept, part) in pred.nodes.items():
        partner = gold.nodes.get(mapping[variable])
        if partner is not None and partner[0] == concept:
            pairs.append((part, partner[1]))
    known = {edge[:3]: edge[3] for edge in gold.edges}
    for role, source, target, part in pred.edges:
        other = known.get((role, mapping[source], mapping[target]))
        if other is not None:
            pairs.append((part, other))
    for part, other in pairs:
        found[3][0] += 1
        found[part][0] += part == other
    return found


def _listed(pred: Document, gold: Document, mapping: list[int]) -> list[list[int]]:
    """Matches in each part as DocSmatch counts them."""
    found = [[0, 0, 0] for _ in range(3)]
    back = {partner: variable for variable, partner in enumerate(mapping) if partner >= 0}
    for variable, (concept, part) in gold.nodes.items():
        partner = pred.nodes.get(back.get(variable, -1))
        found[part][0] += partner is not None and partner[0] == concept
    first: dict[tuple[int, int], tuple[int, int, int]] = {}
    for edge in gold.relations:
        first.setdefault(edge[1:], edge)
    known = set(gold.relations)
    about = {edge[:3] for edge in pred.edges}
    assigned: dict[tuple[int, int, int], set[tuple[int, int, int]]] = {}
    for role, source, target in pred.relations:
        ends = mapping[source], mapping[target]
        edge = (role, *ends)
        if edge not in known and ends in first:
            edge = first[ends]
        assigned.setdefault(edge, set()).add((role, source, target))
    for role, source, target, part in gold.edges:
        of = assigned.get((role, source, target), set())
        found[part][0] += sum(other[0] == role and other in about for other in of)
    return found
