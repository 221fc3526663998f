"""Smatch: the largest number of triples two graphs share under a one-to-one map of their variables.

Cai and Knight (2013), "Smatch: an evaluation metric for semantic feature structures". Their program searches by
hill-climbing and reports the best map it met; here the optimum is found and proven (``solver="exact"``), and the
hill-climber is there for comparison with numbers that were made by it (``solver="climb"``).

By default (``standard="default"``, graphs read as penman reads them):

* labels are compared in lower case and without surrounding double quotes: ``"New"`` equals ``new``;
* ``(a :domain b)`` is ``(b :mod a)``, as AMR defines it;
* a triple that is repeated in a graph counts once (``duplicates="once"``), so repeating it never raises a score;
* the root has one more triple: ``(root :TOP top)`` (``top="constant"``, as in smatch 1.0.4). It may also be
  ``(root :TOP concept)`` (``top="concept"``, as in older programs), or be left out (``top="none"``);
* ``()`` and ``(a)``, a root about which nothing is said, are empty graphs.

``preset="smatch"`` reproduces the triples and weights of smatch 1.0.4, its quirks included: its own reading of the text
(``dialect="smatch"``), trailing underscores ignored, and k copies of a triple against m copies count k·m, so that
``matched`` can exceed the number of triples.

``preset="smatch++"``, ``"smatch++/reify"``, ``"generic"`` and ``"none"`` reproduce smatchpp 1.8.0 (Opitz 2023) with the
graph types of these names: each graph is standardised (:data:`fastmatch.graphs.standardization.steps.PRESETS`), then
matched. Text is read as smatchpp reads it; corpora that were read as penman reads them are accepted, too.

``preset="pmb5"``, ``"sbn-evaluation"``, ``"sbn-evaluation/lenient"``, ``"ud-boxer"``, ``"ud-boxer/no-sense"`` and
``"ud-boxer/lenient"`` read box notation (SBN) as three programs of the Parallel Meaning Bank do, whose Penman text is
scored by smatch or mtool. ``preset="mrp"`` reads graphs in MRP JSON, whose tops, labels, properties, anchors, edges and
attributes are the triples; ``"mrp/tool"`` turns two labels of edges around as mtool does.

``compress=True`` matches pairs as smatchpp's lossless graph compression does, which changes the score
(:mod:`fastmatch.metrics.shared.compression`).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, ClassVar, Self, TypeAlias

import numpy as np

from fastmatch._ext.matching.problem import build_problem
from fastmatch._ext.matching.score import few_scores
from fastmatch._ext.matching.triples import TripleFeatures
from fastmatch.errors import OptionError, choice, otherwise_read
from fastmatch.graphs.arrays import owners_of
from fastmatch.graphs.corpus import Corpus
from fastmatch.graphs.vocabulary import CASE, MARKS, QUOTES, UNDERSCORES
from fastmatch.metrics.contract.metric import Metric, room_for_maps
from fastmatch.metrics.contract.required import PairRange
from fastmatch.metrics.options import common, keys_of
from fastmatch.metrics.registry import register
from fastmatch.metrics.shared.compression import Compressible, compressible, score_compressed
from fastmatch.metrics.shared.search import WORK, Searched, Shared, score_ilp, sharing
from fastmatch.metrics.shared.sentence_groups import grouped
from fastmatch.metrics.shared.triples import (
    ATTRIBUTE,
    INSTANCE,
    RELATION,
    TRIPLE_CLASSES,
    KeyedTriple,
    Labels,
    explanation,
    keyed_triples,
    without_bare_nodes,
)
from fastmatch.results.pairs import TripleScores, ZeroForNothing
from fastmatch.results.signature import Value
from fastmatch.types import Dialect, FloatArray, Int32Array, Int64Array

if TYPE_CHECKING:
    from fastmatch.metrics.feature_lists import FeatureLists
    from fastmatch.metrics.row_bounds import RowBounds
    from fastmatch.results.alignment import Explanation

#: What ``standard`` may be besides the programs below, and the steps that make such graphs. The first one, as they,
#: needs none: labels are folded while the features are made.
_STEPS: dict[str, tuple[str, ...]] = {
    "default": (),
    "smatch++": ("link-constants", "domain-to-mod", "de-invert-all", "dereify"),
    "smatch++/reify": ("link-constants", "domain-to-mod", "de-invert-all", "reify"),
    "generic": ("link-constants", "de-invert-all"),
    "none": ("as-written",),
}
# those in which a published program reads the text, and its dialect; its labels are compared as smatch does
_PROGRAMS: dict[str, Dialect] = {
    "smatch": "smatch",
    "pmb5": "sbn-pmb5",
    "sbn-evaluation": "sbn-evaluation",
    "sbn-evaluation/lenient": "sbn-evaluation-lenient",
    "ud-boxer": "sbn-ud-boxer",
    "ud-boxer/no-sense": "sbn-ud-boxer-no-sense",
    "ud-boxer/lenient": "sbn-ud-boxer-lenient",
    "mrp": "mrp",
    "mrp/tool": "mrp-tool",
}
_OF_BOXES = tuple(name for name, dialect in _PROGRAMS.items() if dialect.startswith("sbn"))
# dialects whose graphs the steps take: roles and quotes as they are written
_STANDARDIZED = ("penman", "smatchpp", "tsv", "sbn", "sbn-lenient", "mrp")
CLASSES = {"all": TRIPLE_CLASSES, "instance": INSTANCE, "attribute": ATTRIBUTE, "relation": RELATION}

#: What Smatch prepares: features, with more beside them if pairs are to be compressed.
Prepared: TypeAlias = "TripleFeatures | Compressible"


@register("smatch")
@dataclass(frozen=True)
class Smatch(Searched["Prepared"]):
    """Smatch with its options.

    Attributes
    ----------
    solver : {"exact", "climb", "ilp"}
        ``exact`` proves the optimum; ``climb`` is smatch's hill-climber with a seed; ``ilp`` is integer programming
        with HiGHS, slow and for checks.
    top : {"constant", "concept", "none"}
        The value of the triple that stands for the root.
    duplicates : {"once", "bag", "multiply"}
        What k copies of a triple against m copies count: 1, min(k, m) or k·m.
    triples : {"all", "instance", "attribute", "relation"}
        Match and count only triples of one class; the triple of the root is an attribute.
    standard : str
        ``"default"``, or the name of what a preset sets: how labels are compared, and how graphs are rewritten before
        they are matched (see above).
    compress : bool
        Match compressed pairs: variables whose concept is found once in the pair, or once in each of its graphs, become
        constants. This is faster for large graphs, and gives another score.
    within : {"document", "sentences", "tool"}
        What variables must share to be mapped to each other: nothing but the document, or a sentence of it, as in
        DocSmatch (:mod:`fastmatch.metrics.docsmatch`). A pair of which one graph has no ``:snt1``, ``:snt2``, … is
        matched as without this option.
    restarts : int
        Random starts of ``climb`` besides the one that matches equal concepts, ≥ 0.
    seed : int
        Of ``climb``'s random numbers, 0 to 2⁶⁴ − 1.
    effort : {"minimal", "low", "default", "high", "proof"}
        Work per pair for ``exact``, by counting; a pair that it leaves without a proof has ``certified`` False and an
        upper bound. ``proof`` has no limit.
    time_limit : float or None
        Seconds per pair for ``exact`` and ``ilp``, beside the limit of work.
    """

    presets: ClassVar[Mapping[str, Mapping[str, Any]]] = {
        "smatch": {"standard": "smatch", "duplicates": "multiply"},
        "smatch++": {"standard": "smatch++", "top": "concept"},
        "smatch++/reify": {"standard": "smatch++/reify", "top": "concept"},
        "generic": {"standard": "generic", "duplicates": "bag"},
        "none": {"standard": "none", "duplicates": "bag"},
        "pmb5": {"standard": "pmb5", "top": "none", "duplicates": "multiply"},
        **{name: {"standard": name, "top": "concept", "duplicates": "multiply"} for name in _OF_BOXES[1:]},
        "mrp": {"standard": "mrp", "top": "none"},
        "mrp/tool": {"standard": "mrp/tool", "top": "none"},
    }

    top: str = common("top")
    duplicates: str = common("duplicates")
    triples: str = common("triples")
    standard: str = "default"
    compress: bool = common("compress")

    def __post_init__(self) -> None:
        super().__post_init__()
        choice("standard", self.standard, (*_STEPS, *_PROGRAMS))
        if self.compress and self.duplicates == "multiply":
            raise OptionError(
                "compress=True needs duplicates='once' or 'bag': compressed triples are counted, not multiplied"
            )
        if self.compress and self.within != "document":
            raise OptionError(f"compress=True: a compressed pair has no sentences; leave out within={self.within!r}")

    @property
    def bounded(self) -> bool:
        """False if repeated triples multiply: scores can then exceed 1."""
        return self.duplicates != "multiply"

    @property
    def dialect(self) -> Dialect:
        if self.standard in _PROGRAMS:
            return _PROGRAMS[self.standard]
        return "penman" if self.standard == "default" else "smatchpp"

    def check(self, dialect: str) -> None:
        needed = _PROGRAMS.get(self.standard)
        if needed is None and self.standard != "default" and dialect not in _STANDARDIZED:
            needs = f"standard {self.standard!r} needs graphs as smatchpp or penman reads them"
            raise otherwise_read(needs, dialect, "smatchpp", "penman")
        if needed is not None and dialect != needed:
            raise otherwise_read(
                f"preset {self.standard!r} needs graphs as {needed.removeprefix('sbn-')} reads them", dialect, needed
            )

    def standardized(self, corpus: Corpus) -> Corpus:
        """The graphs that are matched: rewritten as ``standard`` says, with numbered copies where triples are a bag.

        Graphs that say nothing have no triples.
        """
        corpus = without_bare_nodes(corpus)
        steps = _STEPS.get(self.standard, ())
        if not steps and self.duplicates != "bag":
            return corpus
        from fastmatch.graphs.standardization.labels import folded
        from fastmatch.graphs.standardization.steps import resolved
        from fastmatch.graphs.standardization.triples import number_copies

        if self.standard == "default":
            corpus = folded(corpus, CASE | QUOTES)
            steps = ("domain-to-mod",)
        elif self.standard in _PROGRAMS:
            corpus = folded(corpus, CASE | UNDERSCORES)
        elif self.standard != "none":
            corpus = folded(corpus, CASE | MARKS)
        for step in resolved(steps, "smatch++", lower=True):
            corpus = step(corpus)
        return number_copies(corpus) if self.duplicates == "bag" else corpus

    def prepare(self, corpus: Corpus) -> Prepared:
        """Features of every graph; O(T log T) for a graph of T triples."""
        return self.compressible(self.grouped(self.standardized(corpus)), corpus)

    def grouped(self, corpus: Corpus, labels: Labels | None = None) -> TripleFeatures:
        """Features of graphs that are standardised already, under the option ``within``."""
        return grouped(self.features(corpus, labels), corpus, self.within)

    def compressible(self, features: TripleFeatures, corpus: Corpus) -> Prepared:
        """The features of a corpus, with what is needed besides if its pairs are to be compressed."""
        return compressible(features, corpus) if self.compress else features

    def features(self, corpus: Corpus, labels: Labels | None = None) -> TripleFeatures:
        """Features of graphs that are standardised already."""
        labels = labels or self.labels(corpus)
        multiply, classes = self.duplicates == "multiply", CLASSES[self.triples]
        return labels.features(corpus, self.top, multiply_duplicates=multiply, classes=classes)

    def labels(self, corpus: Corpus) -> Labels:
        """How labels are compared; standardised graphs are folded already, the others are not."""
        if self.standard in _PROGRAMS:  # smatch's reader has turned mod into domain already
            return Labels.of(corpus, CASE | UNDERSCORES, domain_as_mod=False)
        if self.standard == "default":
            return Labels.of(corpus)
        intern = corpus.vocabulary.interner.intern
        # as smatchpp has it: (root_of_graph :root r), or (r :root concept)
        role, value = intern(b":root" if self.top == "concept" else b":root-of"), intern(b"root_of_graph")
        return Labels(role, value, -1, -1, np.arange(len(corpus.vocabulary), dtype=np.int32))

    def sizes(self, prepared: Prepared) -> Int64Array:
        return prepared.n_triples

    def costs(self, pred: Prepared, gold: Prepared, index_pred: Int32Array, index_gold: Int32Array) -> FloatArray:
        # fitted to 7 µs for two graphs of 20 triples each, 11 ms for 330 and 80 ms for 650
        product = pred.n_triples[index_pred] * gold.n_triples[index_gold]
        seconds: FloatArray = np.power(product, 1.35) * 2e-9 + 1e-6
        return {"exact": seconds, "climb": 10 * seconds, "ilp": 5e-3 + 60 * seconds}[self.solver]

    def empty(
        self, pred: Prepared, gold: Prepared, index_pred: Int32Array, index_gold: Int32Array, mapping: bool
    ) -> TripleScores:
        n_pairs = len(index_pred)
        n_pred, n_gold = pred.n_triples[index_pred], gold.n_triples[index_gold]
        upper = np.zeros(n_pairs, np.int64)
        if self.solver == "climb" and not isinstance(pred, Compressible) and not isinstance(gold, Compressible):
            # the hill-climber finds no bound, so this one stays: a triple matches at most one of the other graph; where
            # triples multiply, one with k copies matches one with at most K copies and adds k·K at most
            multiply = self.duplicates == "multiply"
            most_pred = n_pred * _most_copies(gold)[index_gold] if multiply else n_pred
            most_gold = n_gold * _most_copies(pred)[index_pred] if multiply else n_gold
            upper = np.minimum(most_pred, most_gold)
        offsets, maps = room_for_maps(pred.n_variables, index_pred) if mapping else (None, None)
        scores = ZeroForNothing if self.standard in _OF_BOXES else TripleScores
        matched, certified = np.zeros(n_pairs, np.int64), np.zeros(n_pairs, np.bool_)
        return scores(matched, n_pred, n_gold, upper, certified, offsets, maps)

    def score(self, pred: Prepared, gold: Prepared, pairs: PairRange, out: TripleScores) -> None:
        if isinstance(pred, Compressible) and isinstance(gold, Compressible):
            climbs = self.solver == "climb"
            inner: Metric[Any] = replace(self, compress=False)
            if self._shared is not None:  # its maps are of other graphs
                inner = sharing(inner, Shared(self._shared.work[pairs.places], [None] * (pairs.stop - pairs.start)))
            score_compressed(inner, pred, gold, pairs, out, numbered=climbs)
        elif self.solver == "ilp":
            capped = self.duplicates != "multiply"
            score_ilp(self, lambda i, j, _: build_problem(pred, gold, i, j), pairs, out, capped=capped)
        else:
            self.search(pred, gold, pairs, out)

    def few(self, prepared: Prepared, pairs: list[tuple[int, int]]) -> list[float | None] | None:
        """F1 in [0, 1], by the kernel's search of small graphs and without threads.

        A map asked for from :meth:`score` keeps it from looking again where this has.
        """
        ordinary = type(self).score is Smatch.score and self.solver == "exact" and self.standard not in _OF_BOXES
        if not ordinary or self.time_limit is not None or isinstance(prepared, Compressible):
            return None
        return few_scores(prepared, pairs, WORK[self.effort] // self.ways)

    def reaching(self, cutoff: float | FloatArray) -> Self:
        """The search of a pair ends as soon as it is proven that fewer triples match than the cutoff needs."""
        return self.limited(cutoff) if self.solver == "exact" and not self.compress else self

    def bounds(self, pred: Prepared, gold: Prepared) -> RowBounds | None:
        """2 · overlap / (n_pred + n_gold), of triples without their variables: only those with equal labels can match.

        Where triples multiply, one of k copies adds k·K at most, K being the copies of the most repeated triple of the
        other graph. There is no bound if pairs are compressed, since other triples are counted then.
        """
        if isinstance(pred, Compressible) or isinstance(gold, Compressible):
            return None
        from fastmatch.metrics.row_bounds import OverlapBounds

        mine = self._counted(pred)
        theirs = mine if pred is gold else self._counted(gold)
        if self.duplicates != "multiply":
            return OverlapBounds(mine, theirs)
        copies = [_most_copies(side).astype(np.float64) for side in (pred, gold)]
        return OverlapBounds(mine, theirs, (copies[0], copies[1]))

    def _counted(self, prepared: TripleFeatures) -> FeatureLists:
        """The triples of each graph without their variables, counted; copies of a triple count once."""
        from fastmatch.metrics.feature_lists import FeatureLists

        _, _, unary_offsets, unary_keys, _, relation_offsets, relations = prepared.arrays
        owners = [owners_of(unary_offsets), owners_of(relation_offsets)]
        # relations below 0, unary features above: see _ext/matching/triples.pyx
        keys = np.concatenate([unary_keys, -1 - relations[0].astype(np.int64)])
        lists = FeatureLists.of(np.concatenate(owners), keys, prepared.n_graphs, measure="dice")
        return replace(lists, sizes=prepared.n_triples.astype(np.float64))

    def explain(self, pred: Corpus, gold: Corpus, i: int, j: int, mapping: Int32Array) -> Explanation:
        """Pair each predicted triple with the gold triple that it becomes under the map, each gold triple once at most.

        With ``compress``, too, these are the triples of the graphs, so more than the compressed ones that were counted.
        """
        mine, theirs = (self.keyed_triples(corpus, graph) for corpus, graph in ((pred, i), (gold, j)))
        return explanation(mine, theirs, mapping)

    def keyed_triples(self, corpus: Corpus, graph: int) -> list[KeyedTriple]:
        """The triples of a graph that count; see :func:`fastmatch.metrics.shared.triples.keyed_triples`."""
        repeated = self.duplicates == "multiply"  # of a bag the copies have other labels
        labels, classes = self.labels(corpus), CLASSES[self.triples]
        return keyed_triples(corpus, graph, labels, top=self.top, classes=classes, repeated=repeated)

    signature_names: ClassVar = keys_of("solver top dup=duplicates triples std=standard within compress")

    def fields(self, dialect: str) -> dict[str, Value]:
        return {**super().fields(dialect), "compress": self.compress or None}


def _most_copies(features: TripleFeatures) -> Int64Array:
    """Number of copies of the most repeated triple of each graph, at least 1; int64[n_graphs]."""
    _, _, unary_offsets, _, unary, relation_offsets, relations = features.arrays
    most = np.ones(features.n_graphs, np.int64)
    for copies, offsets in ((unary[1], unary_offsets), (relations[3], relation_offsets)):
        np.maximum.at(most, owners_of(offsets), copies)
    return most
