"""DocSmatch: Smatch of documents, in which sentence k may only match sentence k.

Naseem et al. (2022), "DocAMR: Multi-Sentence AMR Representation and Evaluation". The root of a document graph has a
relation ``:snt1``, ``:snt2``, … to the root of each sentence. Two variables may be mapped to each other only if some
sentence number belongs to both. This is Smatch with fewer candidates, so its optimum is found and proven in the same
way, and is never above that of Smatch, which ``within="document"`` gives. If the two documents divide their text into
other sentences, ``sentence_map`` says which belong together.

Which sentences a variable belongs to (:mod:`fastmatch._ext.matching.sentences`):

* ``within="sentences"``: those whose root reaches it along relations, but for those between mentions (``:coref``,
  ``:part``, ``:subset``, ``:same-as``). A variable that no root reaches belongs to the sentences of those that it is
  connected with. A chain belongs to the sentences of its mentions. The rule looks at triples only, not at which of them
  the text writes with ``-of``;
* ``within="tool"``: as DocSmatch of docAMR 0.1.1, where a relation that is written with ``-of`` is followed in both
  directions.

The root, and what is connected to no sentence, is a group of its own. What the concept of the root is does not matter,
so ``multi-sentence`` graphs of AMR are documents, too. Numbers may be left out, and the two documents may have
different numbers of sentences. If one of two graphs has no ``:snt1``, …, the pair is matched as Smatch does.

``preset="tool"`` has the reading, the triples and the groups of the program: its optimum is that of the program's
search, which climbs hills from a few starts that differ from run to run. A text that makes the program fail (a gap in
the numbers of sentences) is scored here.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any, ClassVar, NamedTuple

from fastmatch._ext.matching.triples import TripleFeatures
from fastmatch.errors import OptionError
from fastmatch.graphs.corpus import Corpus
from fastmatch.metrics.contract.required import PairRange
from fastmatch.metrics.options import common, option, refuse_digests
from fastmatch.metrics.registry import register
from fastmatch.metrics.row_bounds import RowBounds
from fastmatch.metrics.shared.sentence_groups import sentence_groups
from fastmatch.metrics.shared.sentence_maps import SentenceMap, mapped_groups, warn_unknown
from fastmatch.metrics.smatch import Smatch
from fastmatch.results.pairs import TripleScores
from fastmatch.results.signature import Value
from fastmatch.types import FloatArray, Int32Array, Int64Array


class BothSides(NamedTuple):
    """Features of documents as predictions and as gold documents: with a map of sentences they are in other groups."""

    pred: TripleFeatures
    gold: TripleFeatures


@register("docsmatch")
@dataclass(frozen=True)
class DocSmatch(Smatch):
    """DocSmatch with its options.

    Attributes
    ----------
    within : {"sentences", "tool", "document"}
        What variables must share to be mapped to each other: a sentence, a sentence as DocSmatch counts what is in one,
        or nothing but the document.
    sentence_map : str, mapping or None
        Which sentences belong together, for documents whose sentences are divided otherwise: pairs of numbers (of the
        prediction, of the gold document) by the id of the document, or the name of a file; see
        :mod:`fastmatch.metrics.shared.sentence_maps`. In a document that it names, variables may match only if they are
        in sentences of such a pair. None, and for other documents: sentence k belongs to sentence k.
    solver, top, duplicates, triples, standard, restarts, seed, effort, time_limit
        As for Smatch.
    compress : bool
        Must be False: a compressed pair has no sentences.
    """

    presets: ClassVar[Mapping[str, Mapping[str, Any]]] = {"tool": {**Smatch.presets["smatch"], "within": "tool"}}

    within: str = common("within", "sentences")
    sentence_map: str | Mapping[str, Iterable[tuple[int, int]]] | None = option(
        None,
        "file that says which sentences belong together: lines of a document's id, a tab, sentences of the prediction "
        "(such as 2,3), a tab, sentences of gold; without it, those of the same number",
        takes="sentences",
    )

    def __post_init__(self) -> None:
        if self.compress is True:
            raise OptionError("compress=True: docsmatch keeps to sentences, and a compressed pair has none; use smatch")
        super().__post_init__()
        given = SentenceMap.checked(self.sentence_map)
        if given is not None and self.within == "document":
            raise OptionError("sentence_map: has no effect with within='document'; leave one of them out")
        object.__setattr__(self, "sentence_map", given)

    @property
    def symmetric(self) -> bool:
        """As Smatch's; not with a map, which says what belongs to a prediction, and what to gold."""
        return self.sentence_map is None and super().symmetric

    def prepare(self, corpus: Corpus) -> Any:
        if self.sentence_map is None:
            return super().prepare(corpus)
        return self.on_both_sides(self.standardized(corpus))

    def on_both_sides(self, graphs: Corpus) -> BothSides:
        """Features of graphs that are standardised already, under the map of sentences, which there must be."""
        assert self.sentence_map is not None
        features = self.features(graphs)
        restricted, offsets, groups = sentence_groups(graphs, tool=self.within == "tool")
        known, ids = SentenceMap.of(self.sentence_map), graphs.ids
        warn_unknown(known, ids)
        return BothSides(
            *(
                features.grouped_by(
                    restricted, *mapped_groups(known, side, ids, graphs.variable_offsets, offsets, groups)
                )
                for side in (0, 1)
            )
        )

    def sizes(self, prepared: Any) -> Int64Array:
        return super().sizes(prepared.pred if isinstance(prepared, BothSides) else prepared)

    def costs(self, pred: Any, gold: Any, index_pred: Int32Array, index_gold: Int32Array) -> FloatArray:
        return super().costs(*_sides(pred, gold), index_pred, index_gold)

    def empty(
        self, pred: Any, gold: Any, index_pred: Int32Array, index_gold: Int32Array, mapping: bool
    ) -> TripleScores:
        return super().empty(*_sides(pred, gold), index_pred, index_gold, mapping)

    def score(self, pred: Any, gold: Any, pairs: PairRange, out: TripleScores) -> None:
        super().score(*_sides(pred, gold), pairs, out)

    def bounds(self, pred: Any, gold: Any) -> RowBounds | None:
        if isinstance(pred, BothSides):  # the triples of both sides are the same
            return super().bounds(pred.pred, pred.pred if pred is gold else gold.pred)
        return super().bounds(pred, gold)

    def fields(self, dialect: str) -> dict[str, Value]:
        fields = super().fields(dialect)
        del fields["within"]
        known = None if self.sentence_map is None else SentenceMap.of(self.sentence_map).digest
        return {"within": self.within, "map": known, **fields}

    @classmethod
    def options(cls, fields: Mapping[str, str]) -> dict[str, Any]:
        refuse_digests(cls, fields, {"map": "sentence_map"})
        return super().options(fields)


def _sides(pred: Any, gold: Any) -> tuple[TripleFeatures, TripleFeatures]:
    return (pred.pred, gold.gold) if isinstance(pred, BothSides) else (pred, gold)
