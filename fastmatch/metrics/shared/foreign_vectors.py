"""A warning about word vectors that count for nothing, because none of them is of a word that the graphs have."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator

import numpy as np

from fastmatch.errors import first_few, warn_caller
from fastmatch.graphs.corpus import Corpus
from fastmatch.metrics.contract.metric import Metric

_SENSE = re.compile(r"-\d+$")
#: So many concepts are named.
_NAMED = 3


def warn_foreign_vectors(metric: Metric, pred: Corpus, gold: Corpus) -> None:
    """Warn if a metric was given word vectors and none of them is of a concept of these graphs.

    The file may be of another language, or its words may bear a prefix. A reward does not ask for this: it may not end
    a training run where warnings are errors.
    """
    given = getattr(metric, "embeddings", None)
    if given is None:
        return
    from fastmatch.metrics.embeddings.vectors import loaded_vectors

    vectors = loaded_vectors(given)
    assert vectors is not None
    concepts: dict[str, None] = {}
    for concept in _concepts(pred, gold):
        if any(vectors.lookup(word) >= 0 for word in _words(concept)):
            return  # mostly the first concept has one
        concepts[concept] = None
    if concepts:
        name = "the vectors" if vectors.path is None else os.path.basename(vectors.path)
        shown = first_few([f"{concept:.40}" for concept in concepts], most=_NAMED)
        warn_caller(f"embeddings: no concept of the graphs ({shown}) has a vector in {name} (words: {len(vectors):,})")


def _concepts(pred: Corpus, gold: Corpus) -> Iterator[str]:
    """The concepts of both corpora, the first ones of each first; some twice."""
    for some in (slice(10), slice(10, None)):
        for corpus in (pred, gold):
            numbers = np.unique(corpus.instances[1, some])
            yield from map(corpus.vocabulary.text, numbers[numbers >= 0].tolist())


def _words(concept: str) -> Iterator[str]:
    """What a metric may look up for a concept: whole, without its sense, its parts; as it is and in lower case."""
    for whole in (concept, concept.lower()):
        lemma = _SENSE.sub("", whole)
        yield from (whole, lemma, *re.split("[-_]", lemma))
