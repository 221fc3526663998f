"""A whole new metric in one file: concept overlap. It goes through the shared metric tests as it is."""

from collections import Counter
from dataclasses import dataclass
from itertools import pairwise

import numpy as np

from fastmatch.metrics.base import Metric, option, register
from fastmatch.metrics.feature_lists import FeatureLists


@register("toy")
@dataclass(frozen=True)
class ConceptOverlap(Metric):
    """How many concepts two graphs share, as sets or as bags."""

    counting: str = option("bag", "whether a repeated concept counts again", choices=("bag", "set"))

    @property
    def symmetric(self):
        return True

    def prepare(self, corpus):
        fold = corpus.vocabulary.fold(1)
        fold = np.append(fold, -1)  # a node without a concept has −1
        offsets, concepts = corpus.instance_offsets, fold[corpus.instances[1]]
        bags = [Counter(concepts[start:stop].tolist()) for start, stop in pairwise(offsets.tolist())]
        for bag in bags:
            del bag[-1]
        return bags if self.counting == "bag" else [Counter(set(bag)) for bag in bags]

    def sizes(self, prepared):
        return np.array([bag.total() for bag in prepared], np.int64)

    def score(self, pred, gold, pairs, out):
        for pair, i, j in pairs.each():
            out.matched[pair] = (pred[i] & gold[j]).total()

    def overlaps(self, prepared):
        concepts = np.array([concept for bag in prepared for concept in bag.elements()], np.int64)
        owners = np.repeat(np.arange(len(prepared)), self.sizes(prepared))
        return (FeatureLists.of(owners, concepts, len(prepared), measure="dice"),)

    def fields(self, dialect):
        return {"counting": self.counting, "read": dialect}

    @classmethod
    def options(cls, fields):
        return {"counting": fields["counting"]}
