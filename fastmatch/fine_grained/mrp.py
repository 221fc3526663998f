"""The scores of the shared tasks on meaning representation parsing: the counts of MRP, EDM, SDP and UCCA.

Graphs are in MRP JSON (:mod:`fastmatch.graphs.dialects`, ``mrp``), normalised as mtool does.

``mrp``
    Oepen et al. (2019): one map of nodes, under which tops, labels, properties, anchors, edges and attributes of edges
    match. ``all`` is their sum, which the map maximises; here the maximum is proven. mtool searches too, up to a limit
    of steps, and forbids some maps (of graphs in UCCA, and those in which the order of words would cross), so its sum
    is the same or lower. Where several maps are best, the six counts depend on which is taken.
``edm``, ``sdp``, ``ucca``
    Sets, which need no map: :mod:`fastmatch.fine_grained.mrp_sets`.

``preset="tool"`` turns the edges ``consist-of`` and ``subset-of`` around, as mtool does.
"""

from __future__ import annotations

import numpy as np

from fastmatch._ext.matching.subgraphs import count_matched
from fastmatch.errors import OptionError
from fastmatch.fine_grained.kinds import Found, Match
from fastmatch.fine_grained.mrp_sets import SETS, edge_attributes, sets_of
from fastmatch.fine_grained.request import PartScores, Request
from fastmatch.graphs.arrays import kept_rows
from fastmatch.graphs.corpus import Corpus
from fastmatch.graphs.forms import pair_ids
from fastmatch.metrics.choosing import agreed_fields
from fastmatch.metrics.registry import make
from fastmatch.metrics.smatch import Smatch
from fastmatch.results.pairs import PairScores
from fastmatch.results.problems import problems_of
from fastmatch.types import BoolArray

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


class _Rows:
    """The rows of a corpus, and the classes of its attributes and relations."""

    def __init__(self, corpus: Corpus) -> None:
        vocabulary = corpus.vocabulary
        self.corpus = corpus
        self.tops: BoolArray = corpus.attributes[1] == vocabulary.lookup(":TOP")
        self.anchors: BoolArray = corpus.attributes[1] == vocabulary.lookup(":ANCHORS")
        self.of_edges, _ = edge_attributes(corpus)

    def part(self, name: str) -> Corpus:
        """The corpus with the triples of one kind only."""
        corpus = self.corpus
        properties = ~self.tops & ~self.anchors
        attributes = {"tops": self.tops, "properties": properties, "anchors": self.anchors}
        relations = {"edges": ~self.of_edges, "attributes": self.of_edges}
        return corpus.with_columns(
            **kept_rows(corpus, "instance", np.full(corpus.instances.shape[1], name == "labels")),
            **kept_rows(corpus, "attribute", attributes.get(name, np.zeros(len(properties), np.bool_))),
            **kept_rows(corpus, "relation", relations.get(name, np.zeros(len(self.of_edges), np.bool_))),
        )


def _mrp(pred: Corpus, gold: Corpus, metric: Smatch, request: Request) -> tuple[dict[str, PartScores], PairScores]:
    index = np.arange(len(pred), dtype=np.int32)
    whole = request.scored(metric, map(metric.prepare, (pred, gold)), index, mapping=True)
    assert whole.mapping_offsets is not None
    assert whole.mapping is not None
    rows = [_Rows(corpus) for corpus in (pred, gold)]
    scores = {"all": PartScores(whole.matched, whole.n_pred, whole.n_gold, whole.upper, whole.certified)}
    for name in ("tops", "labels", "properties", "anchors", "edges", "attributes"):
        parts = [metric.features(row.part(name)) for row in rows]
        matched = count_matched(parts[0], parts[1], index, index, whole.mapping_offsets, whole.mapping)
        scores[name] = PartScores(matched, parts[0].n_triples, parts[1].n_triples, matched, whole.certified)
    return scores, whole
