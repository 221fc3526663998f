"""DocSmatch: Smatch of documents, in which sentence k may only match sentence k.

Naseem et al. (2022), "DocAMR: Multi-Sentence AMR Representation and Evaluation". The root of a document graph has a
relation ``:snt1``, ``:snt2``, … to the root of each sentence. Two variables may be mapped to each other only if some
sentence number belongs to both. This is Smatch with fewer candidates, so its optimum is found and proven alike, and it
is never above that of Smatch: ``within="document"`` gives that one.

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

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np

from fastmatch.errors import OptionError
from fastmatch.metrics.options import option
from fastmatch.metrics.registry import register
from fastmatch.metrics.smatch import Smatch

if TYPE_CHECKING:
    from collections.abc import Mapping

    from fastmatch._ext.matching.triples import TripleFeatures
    from fastmatch.graphs.corpus import Corpus
    from fastmatch.metrics.smatch import Prepared
    from fastmatch.results.signature import Value
    from fastmatch.types import ByteArray, Int32Array, Int64Array

__all__ = ["DocSmatch", "sentence_groups"]

#: Roles as the kernel tells them apart; all others are 0.
_TOOL_KINDS = {":coref": 1, ":part": 2, ":subset": 2, ":domain": 3}
_KINDS = {**_TOOL_KINDS, ":same-as": 2}
#: Numbers of sentences from here on are told apart by their digits.
_LARGE = 2**30


@register("docsmatch")
@dataclass(frozen=True)
class DocSmatch(Smatch):
    """DocSmatch with its options.

    Attributes
    ----------
    within : {"sentences", "tool", "document"}
        What variables must share to be mapped to each other: a sentence, a sentence as DocSmatch counts what is in one,
        or nothing but the document.
    solver, top, duplicates, triples, standard, restarts, seed, effort, time_limit
        As for Smatch.
    compress : bool
        Must be False: a compressed pair has no sentences.
    """

    presets: ClassVar[Mapping[str, Mapping[str, Any]]] = {
        "tool": {**Smatch.presets["smatch"], "within": "tool"},
    }

    within: str = option(
        "sentences",
        "what variables that match must share: a sentence, a sentence as DocSmatch divides documents (tool), or only "
        "the document, as in Smatch",
        choices=("sentences", "tool", "document"),
    )

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.compress:
            raise OptionError("compress=True: docsmatch keeps to sentences, and a compressed pair has none; use smatch")

    def prepare(self, corpus: Corpus) -> Prepared:
        corpus = self.standardized(corpus)
        features: TripleFeatures = self.features(corpus)
        if self.within == "document":
            return features
        return features.grouped_by(*sentence_groups(corpus, tool=self.within == "tool"))

    def fields(self, dialect: str) -> dict[str, Value]:
        return {"within": self.within, **super().fields(dialect)}

    @classmethod
    def options(cls, fields: Mapping[str, str]) -> dict[str, Any]:
        return {"within": fields["within"], **super().options(fields)}


def sentence_groups(corpus: Corpus, *, tool: bool = False) -> tuple[ByteArray, Int64Array, Int32Array]:
    """The groups of variables that may match: those of sentences.

    Parameters
    ----------
    corpus : Corpus
    tool : bool
        Divide documents as DocSmatch does.

    Returns
    -------
    restricted : uint8[n_graphs]
        0 for a graph without sentences: its variables may match any.
    offsets : int64[n_variables + 1]
        Variable v, of all graphs' one after the other, has the groups ``groups[offsets[v]:offsets[v + 1]]``.
    groups : int32[offsets[-1]]
        0: the root, and what is in no sentence; k + 1: what is in the sentence of ``:snt<k>``.
    """
    from fastmatch._ext.matching.sentences import sentence_groups as groups

    known = _TOOL_KINDS if tool else _KINDS
    n_labels = len(corpus.vocabulary)
    numbers = np.full(n_labels, -1, np.int32)
    kinds = np.zeros(n_labels, np.uint8)
    # only roles: a vocabulary that many corpora share may be large
    for role in np.unique(corpus.relations[1]).tolist():
        text = corpus.vocabulary.text(role)
        if not tool:
            text = text.lower()
        kinds[role] = known.get(text, 0)
        if number := re.fullmatch(r":snt([0-9]+)", text):
            digits = number[1].lstrip("0") or "0"
            small = len(digits) < 10 and int(digits) < _LARGE
            numbers[role] = int(digits) if small else _LARGE + corpus.vocabulary.interner.intern(digits.encode())
    return groups(corpus.columns, numbers, kinds, tool=tool)
