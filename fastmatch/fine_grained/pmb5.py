r"""The fine-grained scores of the Parallel Meaning Bank 5, of documents in box notation (SBN).

``sbn_smatch_fine_grained.py`` (60ad482) has two kinds of rows.

Smatch of texts that a regular expression has changed (``-e smatch -d …``), the mean over documents:

========  ====================================  ========================================================================
row       expression                            what it does
========  ====================================  ========================================================================
none                                            Smatch as with the preset ``pmb5``, unknown tokens skipped
role      ``:([A-Z][a-z]*)`` → ``:role``        all roles are one; ``:EQU`` becomes ``:roleQU``
relation  ``:([A-Z]{4,12})`` → ``:relation``    all box words are one
sense     ``(.+)\.(n|v|a|r)\.\d+`` → ``\1``     concepts have no part of speech and no sense
========  ====================================  ========================================================================

Its row ``operator`` never finds anything to change, and is the row ``none``.

Bags of labels (``-e node``), which need no map; P and R are sums over documents that both sides can write: Names (the
concept of a node with a ``Name``), Negation and Discourse (the concept at a ``NEGATION``, or at another box word of
PMB 4), Roles (of PMB 4's list), Members (how many there are), Concepts, and these by part of speech. The script is told
the gold file first, so what it prints as P is the recall.

Smatch of the triples of one kind, and of the concepts at their ends (``-e triple``): of each document a graph is made,
whose nodes are those that the triples name, in the order in which they name them; the concept of the first one is a
further triple, ``TOP``. Rows are sums over the documents that both sides can write. The script climbs from random
starts; here the optimum is proven.

==================  ==========================================================================================
row                 triples
==================  ==========================================================================================
Roles_triple        roles of PMB 4 between concepts; the script takes any name with an "s" in it for that of a
                    concept, so constants such as ``speaker`` count as well. MadeOf is turned around
Names_triple        ``Name``
Members_triple      ``member``
Operators_triple    operators of PMB 4 but ``TOP``, whatever their target
Discourses_triple   box words of PMB 4 but ``NEGATION``
==================  ==========================================================================================
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Container, Iterable, Mapping
from dataclasses import dataclass, fields
from functools import cached_property, partial

import numpy as np

from fastmatch.errors import OptionError, otherwise_read
from fastmatch.fine_grained.kinds import Found, Match
from fastmatch.fine_grained.request import PartScores, Request
from fastmatch.graphs.arrays import kept_rows
from fastmatch.graphs.corpus import Corpus
from fastmatch.graphs.forms import pair_ids
from fastmatch.graphs.graph import Graph
from fastmatch.graphs.standardization.labels import LABELLED, with_labels
from fastmatch.graphs.vocabulary import Vocabulary, relabelled
from fastmatch.metrics.registry import make
from fastmatch.metrics.shared.search import Shared, sharing
from fastmatch.metrics.smatch import Smatch
from fastmatch.results.pairs import ZeroForNothing
from fastmatch.results.problems import problems_of
from fastmatch.types import BoolArray, Dialect

_DIALECT: Dialect = "sbn-pmb5-tolerant"
#: Row → expression and replacement; None: nothing changes.
_CHANGES: dict[str, tuple[str, str] | None] = {
    "none": None,
    "role": (r":([A-Z][a-z]*)", ":role"),
    "relation": (r":([A-Z]{4,12})$", ":relation"),
    "sense": (r"(.*)\.(n|v|a|r)\.\d+", r"\1"),
}
_PARTS_OF_SPEECH = {"Con_noun": "n", "Con_adj": "a", "Con_adv": "r", "Con_verb": "v"}
_LABELS = ("Names", "Negation", "Discourse", "Roles", "Members", "Concepts", *_PARTS_OF_SPEECH)
#: Box words of PMB 4, but for NEGATION; operators; and what else is no role of PMB 4.
_BOX_WORDS = """ALTERNATION ATTRIBUTION CONDITION CONSEQUENCE CONTINUATION CONTRAST EXPLANATION NECESSITY POSSIBILITY
PRECONDITION RESULT SOURCE"""
_OPERATORS = "TSU MOR BOT TOP ESU EPR EQU NEQ APX LES LEQ TPR TAB TIN SZP SZN SXP SXN STI STO SY1 SY2 SXY TCT ANA"
_OTHERS = "NEGATION CONJUNCTION ELABORATION COMMENTARY FeatureOf QuantityOf Affectee member instance"
_DISCOURSE = frozenset(_BOX_WORDS.split())
#: Those of ``-e triple``.
_OF_TRIPLES = frozenset(_OPERATORS.split()) - {"TOP", "TCT", "ANA"}
_NO_ROLES = _DISCOURSE.union(_OPERATORS.split(), _OTHERS.split())


def score(request: Request) -> Found:
    """All rows; see :func:`fastmatch.aspects`. ``options`` are those of Smatch's search (``solver``, …)."""
    if request.preset not in (None, "tool"):
        raise OptionError(f"preset={request.preset!r}: aspects of PMB 5 are its script's anyway; leave it out")
    plain = make("smatch", "pmb5", **request.options)
    assert isinstance(plain, Smatch)
    metric = _Tolerant(**{field.name: getattr(plain, field.name) for field in fields(plain)})
    corpora = request.corpora(metric)
    n_pairs = len(corpora[0])
    metric = sharing(metric, Shared.of(n_pairs))
    scores: dict[str, PartScores] = {}
    matches: dict[str, Match] = {}

    def match(name: str, sides: Iterable[Corpus], kind: type[PartScores]) -> None:
        one, two = sides
        found = request.scored(metric, map(metric.prepare, (one, two)), n_pairs, mapping=request.mapping)
        scores[name] = kind.of(found)
        if request.mapping:
            matches[name] = Match(metric, one, two, found, rewritten=True)

    for name, change in _CHANGES.items():
        match(name, (_changed(corpus, change) for corpus in corpora), _OfDocuments)
    scores |= _labels(*corpora)
    for name, sides in _triples(*corpora).items():
        match(name, sides, PartScores)
    return Found(scores, metric.signature_fields(_DIALECT), problems_of(*corpora), pair_ids(*corpora), matches)


@dataclass(frozen=True)
class _Tolerant(Smatch):
    """Smatch of documents in which unknown tokens are skipped."""

    @property
    def dialect(self) -> Dialect:
        return _DIALECT

    def check(self, dialect: str) -> None:
        if dialect != _DIALECT:
            raise otherwise_read("aspects of PMB 5 need documents as its script reads them", dialect, _DIALECT)


class _OfDocuments(ZeroForNothing, PartScores):
    """Scores whose mean is over all documents; 0 where neither side can be written."""

    @cached_property
    def present(self) -> BoolArray:
        return np.ones(len(self), np.bool_)


def _changed(corpus: Corpus, change: tuple[str, str] | None) -> Corpus:
    """The corpus with an expression replaced in all labels, and then without ``:TOP``, as smatch sees it."""
    vocabulary = corpus.vocabulary
    top = vocabulary.lookup(":TOP")
    if change is not None:
        replaced = partial(re.compile(change[0]).sub, change[1])
        corpus = with_labels(corpus, lambda labels: relabelled(vocabulary, labels, replaced), *LABELLED)
    return corpus.with_columns(**kept_rows(corpus, "attribute", corpus.attributes[1] != top))


def _labels(pred: Corpus, gold: Corpus) -> dict[str, PartScores]:
    counts = {name: np.zeros((3, len(pred)), np.int64) for name in _LABELS}
    for k, (one, two) in enumerate(zip(pred, gold, strict=True)):
        if not one.variables or not two.variables:
            continue  # a document that cannot be written is left out on both sides
        theirs = _bags(two)
        for name, bag in _bags(one).items():
            counts[name][:, k] = (bag & theirs[name]).total(), bag.total(), theirs[name].total()
    certain = np.ones(len(pred), np.bool_)
    return {name: PartScores(row[0], row[1], row[2], row[0], certain) for name, row in counts.items()}


def _bags(graph: Graph) -> dict[str, Counter[str]]:
    concepts = {source: target or "" for source, role, target in graph.triples if role == ":instance"}
    found: dict[str, list[str]] = {name: [] for name in _LABELS}
    for source, colon_role, target in graph.triples:
        role = colon_role[1:]
        here = concepts.get(source, "")
        if role == "Name":
            found["Names"].append(here)
        elif role == "NEGATION":
            found["Negation"].append(here)
        elif role in _DISCOURSE:
            found["Discourse"].append(here)
        elif role == "member":
            found["Members"].append(role)
        elif role == "instance" and target:
            # into several bags, if it looks like several parts of speech
            for name, letter in _PARTS_OF_SPEECH.items():
                if re.match(rf".+\.{letter}\.\d", target):
                    found[name].append(target)
            if re.match(r".+\.[nvar]\.\d", target):
                found["Concepts"].append(target)
        if role not in _NO_ROLES:
            found["Roles"].append(role)
    return {name: Counter(labels) for name, labels in found.items()}


def _triples(pred: Corpus, gold: Corpus) -> dict[str, tuple[Corpus, Corpus]]:
    """Row → graphs of the triples of its kind; empty ones where a document cannot be written, on both sides."""
    graphs: dict[str, tuple[list[_Triples], list[_Triples]]] = {name: ([], []) for name in _KINDS}
    for pair in zip(pred, gold, strict=True):
        readable = all(graph.variables for graph in pair)
        for side, graph in enumerate(pair):
            concepts = {source: target for source, role, target in graph.triples if role == ":instance"}
            for name, chosen in _KINDS.items():
                kept = [each for triple in graph.triples if (each := chosen(*triple)) is not None] if readable else []
                graphs[name][side].append(_joined(kept, concepts))
    made: dict[str, tuple[Corpus, Corpus]] = {}
    for name, sides in graphs.items():
        vocabulary = Vocabulary()
        first, second = (
            Corpus.from_triples(((None, triples) for triples in side), rooted=False, vocabulary=vocabulary)
            for side in sides
        )
        made[name] = first, second
    return made


_Triple = tuple[str | None, str, str | None]
_Triples = list[_Triple]


def _joined(triples: _Triples, concepts: Mapping[str | None, str | None]) -> _Triples:
    """The triples, with the concepts of the nodes that they name, and that of the first one."""
    nodes = list(dict.fromkeys(end for source, _, target in triples for end in (source, target) if end in concepts))
    if not nodes:
        return []
    instances: _Triples = [(node, ":instance", concepts[node]) for node in nodes]
    # what hangs on a constant is lost, as in the script
    rest = [triple for triple in triples if triple[0] in concepts]
    return [*instances, *rest, (nodes[0], ":TOP", concepts[nodes[0]])]


def _of_roles(source: str | None, role: str, target: str | None) -> _Triple | None:
    if role[1:] in _NO_ROLES or "s" not in (source or "") or "s" not in (target or ""):
        return None
    return (target, role[:-3], source) if role.endswith("Of") else (source, role, target)


def _of(roles: Container[str]) -> Callable[[str | None, str, str | None], _Triple | None]:
    def chosen(source: str | None, role: str, target: str | None) -> _Triple | None:
        return (source, role, target) if role[1:] in roles else None

    return chosen


#: Row of ``-e triple`` → its triple of a triple, or None.
_KINDS: dict[str, Callable[[str | None, str, str | None], _Triple | None]] = {
    "Roles_triple": _of_roles,
    "Names_triple": _of(("Name",)),
    "Members_triple": _of(("member",)),
    "Operators_triple": _of(_OF_TRIPLES),
    "Discourses_triple": _of(_DISCOURSE),
}
