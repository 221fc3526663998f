"""S2match: Smatch in which similar concepts match in part (Opitz, Parcalabescu and Frank 2020).

The concepts of two variables that are mapped to each other add their similarity, 1 if they are equal. Similarities come
from word vectors (``embeddings``, a file in GloVe's or word2vec's text format); without vectors, only predicates of one
lemma (``see-01`` and ``see-02``, or ``see``) are similar. The optimum is found and proven to 1e-6 of a triple.

What counts as a predicate, and the vector of a concept, differ between the default and the authors' program:

=====================  ==================================  =====================================================
\\                      default                             ``preset="tool"``
=====================  ==================================  =====================================================
reading                as penman, ``:domain`` is ``:mod``  its own old reader (dialect ``amrsuite``)
root                   the constant ``top``                the root's concept, matched in part like an instance
quotes                 make no difference                  ``"x"`` differs from ``x``
predicate              a name, ``-``, two or more digits   anything with a ``-`` and, anywhere, a digit
vector of a predicate  of its lemma; or of the parts       of its lemma plus, if there is one, of lemma + ``s``
                       between ``-`` that have one
vector of a name       its own; or the sum of the parts between ``-`` that have one
=====================  ==================================  =====================================================

See docs/soft-matching.md.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from fastmatch._ext.matching.similarity import concept_similarities
from fastmatch.errors import OptionError
from fastmatch.graphs.corpus import Corpus
from fastmatch.graphs.vocabulary import CASE
from fastmatch.metrics.embeddings.vectors import Embeddings, loaded_vectors
from fastmatch.metrics.options import common, keys_of, option
from fastmatch.metrics.registry import register
from fastmatch.metrics.shared.labels import ToolReads
from fastmatch.metrics.shared.partial_matching import SoftGraphs, SoftMetric
from fastmatch.metrics.shared.triples import Labels
from fastmatch.types import Dialect, FloatArray, Int32Array

_SIMILARITIES = ("cosine", "euclidean", "cityblock")
_SENSE = re.compile(r"(.+)-\d\d+")
_DIGIT = re.compile(r"\d")


@register("s2match")
@dataclass(frozen=True)
class S2match(ToolReads, SoftMetric):
    """S2match with its options.

    Attributes
    ----------
    embeddings : path, Embeddings or None
        Word vectors. None: no two words are similar.
    similarity : {"cosine", "euclidean", "cityblock"}
        Cosine (negative ones are 0), or exp(−distance).
    cutoff : float
        Similarities that are not above it are 0; in [0, 1].
    diffsense : float
        The similarity of two senses of a lemma, and a factor of the similarities of predicates; in [0, 1].
    oov : {"zero", "error"}
        What becomes of a concept without a vector: it is similar to nothing, or an OptionError names it.
    quotes : bool
        A quoted value differs from the same without quotes.
    standard : {"default", "tool"}
        Which reading, which predicates and which vectors (see above).
    top, within, solver, restarts, seed, effort, time_limit
        As for Smatch; with ``top="concept"`` the concepts in the triples of the roots match in part, too.
    """

    presets: ClassVar = {"tool": {"standard": "tool", "top": "concept", "quotes": True}}

    embeddings: str | Embeddings | None = common("embeddings")
    similarity: str = option("cosine", "of two vectors", choices=_SIMILARITIES)
    cutoff: float = option(0.5, "similarities that are not above this are 0", limits=(0, 1))
    diffsense: float = option(
        0.5, "what two senses of a lemma bring, and a factor for similar predicates", limits=(0, 1)
    )
    oov: str = option(
        "zero", "what a concept without a vector is: similar to nothing, or an error", choices=("zero", "error")
    )
    quotes: bool = option(False, "whether a quoted value differs from the same without quotes")
    standard: str = option("default", "whose reading, predicates and vectors", choices=("default", "tool"))

    @property
    def tool_dialect(self) -> Dialect:  # type: ignore[override]
        return "amrsuite" if self.quotes else "amrsuite-unmarked"

    def labels(self, corpus: Corpus) -> Labels:
        if self.standard == "default" and not self.quotes:
            return super().labels(corpus)
        return Labels.of(corpus, CASE, domain_as_mod=self.standard == "default")

    def describe(self, corpus: Corpus, concepts: tuple[str, ...], labels: Int32Array) -> tuple[Any, Any]:
        """Vectors of the concepts.

        Returns
        -------
        table : int32[3, n_concepts]
            Folded id of the concept, id of its lemma, row of its vector; −1 where there is none.
        vectors : float64[·, d]
        """
        found = loaded_vectors(self.embeddings)
        table = np.full((3, len(concepts)), -1, np.int32)
        table[0] = labels
        vectors: list[FloatArray] = []
        intern = corpus.vocabulary.interner.intern
        for number, concept in enumerate(concepts):
            lemma = self._lemma(concept)
            if lemma is not None:
                table[1, number] = intern(lemma.encode("utf-8", "surrogatepass"))
            vector = None if found is None else self._vector(found, concept, lemma)
            if vector is not None:
                table[2, number] = len(vectors)
                vectors.append(vector)
            elif found is not None and self.oov == "error":
                raise OptionError(f"embeddings: no vector for the concept {concept!r} (oov='error')")
        width = 0 if found is None else found.dimension
        return table, np.array(vectors, np.float64).reshape(len(vectors), width)

    def _lemma(self, concept: str) -> str | None:
        """The lemma of a predicate, None for any other concept."""
        if self.standard == "tool":
            return concept.rpartition("-")[0] if "-" in concept and _DIGIT.search(concept) else None
        match = _SENSE.fullmatch(concept)
        return match[1] if match else None

    def _vector(self, found: Embeddings, concept: str, lemma: str | None) -> Any:
        tool = self.standard == "tool"
        word = concept if lemma is None else lemma
        row = found.lookup(word)
        if row >= 0:
            vector = found.vectors[row].astype(np.float64)
            if tool and lemma is not None:
                plural = found.lookup(lemma + "s")
                if plural >= 0:
                    vector += found.vectors[plural]
            return vector
        if "-" not in word or (tool and lemma is not None):
            return None
        rows = [row for part in word.split("-") if (row := found.lookup(part)) >= 0]
        return found.vectors[rows].astype(np.float64).sum(axis=0) if rows else None

    def similarities(self, pred: SoftGraphs, gold: SoftGraphs, concepts: Int32Array) -> FloatArray:
        sides, kind = (*pred.more, *gold.more), _SIMILARITIES.index(self.similarity)
        return concept_similarities(concepts, *sides, kind=kind, cutoff=self.cutoff, diffsense=self.diffsense)

    signature_names: ClassVar = keys_of(
        "solver vec#embeddings sim=similarity cutoff diffsense oov quotes top std=standard within"
    )

    def digest(self, option: str) -> str | None:
        found = loaded_vectors(self.embeddings)
        return None if found is None else found.fingerprint
