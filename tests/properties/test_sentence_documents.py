"""Documents of 100 to 400 variables against an integer program that is made of their triples as text.

The judge shares nothing with the library: penman reads the texts, twins make the matching problem by double loops over
the triples, and HiGHS solves it. Whatever HiGHS has found when its time is over, its bound and its map are a bound and
a map of the pair.
"""

import logging
from collections.abc import Callable
from dataclasses import dataclass, replace
from itertools import product
from typing import Any

import numpy as np
import pytest

import fastmatch as fm
from fastmatch._ext.matching.score import TOLERANCE
from fastmatch.metrics import make
from fastmatch.metrics.embeddings.vectors import Embeddings
from fastmatch.metrics.softmatch import Softmatch

from support.nightly import NIGHT, by_day
from support.sentence_documents import CONCEPTS, pair
from twins import ilp, readers
from twins.smatch_problem import DEFAULT, Problem, build
from twins.soft_match import problem, root_weight, s2match_similarity

WORDS = tuple(dict.fromkeys(concept.partition("-")[0] for concept in CONCEPTS))
VECTORS = np.random.default_rng(3).normal(0.4, 0.6, (len(WORDS), 8)).astype(np.float32)
SIMILAR = {word: vector.tolist() for word, vector in zip(WORDS, VECTORS, strict=True)}
EMBEDDINGS = Embeddings.from_arrays(WORDS, VECTORS)
TABLE = {("cat", "dog"): 0.3, ("cat", "kitten"): 0.85, ("run-01", "run"): 0.7, ("boy", "person"): 0.4, ("i", "we"): 0.5}
BY_ROLE = {":instance": 1.5, ":mod": 0.25, ":arg0": 1 / 3, ":quant": 2.0}


def equal(*_: object) -> float:
    return 1


def nothing(a: str, b: str) -> float:
    return 0


def falling(role: str, level: int, other: int) -> float:
    return BY_ROLE.get(role, 1.0) * 1.25 ** -min(level + other, 12)


def listed(a: str, b: str) -> float:
    return TABLE.get((a, b), TABLE.get((b, a), 0.0))


@dataclass(frozen=True)
class Setting:
    """A metric, and the same for the judge."""

    metric: Any
    weight: Callable[[str, int, int], float] = equal
    similarity: Callable[[str, str], float] = nothing
    top: str = "constant"
    multiply: bool = False

    def judge(self, texts: tuple[str, str]) -> Problem:
        a, b = map(readers.read_penman, texts)
        if self.multiply:
            return build(a, b, replace(DEFAULT, multiply_duplicates=True))
        return problem(a, b, DEFAULT, weight=self.weight, similarity=self.similarity, top=self.top)


SETTINGS = {
    "smatch": Setting(make("smatch")),
    "smatch, top concept": Setting(make("smatch", top="concept"), top="concept"),
    "smatch, duplicates multiply": Setting(make("smatch", duplicates="multiply"), multiply=True),
    "s2match": Setting(make("s2match", embeddings=EMBEDDINGS), similarity=s2match_similarity(SIMILAR)),
    "s2match, cutoff 0, top concept": Setting(
        make("s2match", embeddings=EMBEDDINGS, cutoff=0.0, top="concept"),
        similarity=s2match_similarity(SIMILAR, cutoff=0.0),
        top="concept",
    ),
    "wsmatch": Setting(make("wsmatch"), weight=root_weight()),
    "wsmatch, threshold 3, levels 2": Setting(
        make("wsmatch", threshold=3, levels=2, top="concept"), weight=root_weight(3, 2), top="concept"
    ),
    "softmatch, table, weights by role": Setting(
        Softmatch(similarity=TABLE, weight=BY_ROLE), weight=lambda role, *_: BY_ROLE.get(role, 1.0), similarity=listed
    ),
    "softmatch, functions": Setting(
        Softmatch(similarity=listed, weight=falling, top="concept"), weight=falling, similarity=listed, top="concept"
    ),
}


def check(setting: Setting, texts: tuple[str, str], seconds: float) -> tuple[bool, bool]:
    """matched ≤ optimum ≤ upper, equal if certified, and the map is worth it; returns what both have proven."""
    logging.getLogger("penman").setLevel(logging.ERROR)  # it warns of repeated triples
    twin = setting.judge(texts)
    found = fm.score([texts[0]], [texts[1]], metric=setting.metric, mapping=True).pairs
    judge = ilp.solve(twin, time_limit=seconds)
    whole = np.issubdtype(found.matched.dtype, np.integer)
    near = 1e-6 if whole else 2 * TOLERANCE + ilp.TOLERANCE  # HiGHS's bound of whole gains may be 127.999…
    assert (found.n_pred[0], found.n_gold[0]) == pytest.approx((twin.n_pred, twin.n_gold), abs=1e-7)
    assert twin.value(found.mapping_of(0).tolist()) == pytest.approx(found.matched[0], abs=1e-7)
    assert found.matched[0] <= judge.upper + near and judge.value <= found.upper[0] + near
    assert found.certified[0] == (found.matched[0] == found.upper[0])
    if judge.proven and found.certified[0]:
        assert abs(found.matched[0] - judge.value) <= near
    return bool(found.certified[0]), judge.proven


@pytest.mark.parametrize(("name", "kind"), by_day([*product(SETTINGS, ("parsed", "alike"))], 3))
def test_documents_of_60_variables(name: str, kind: str) -> None:
    assert check(SETTINGS[name], pair(kind, 5, 60), 60.0) == (True, True)


LARGER = [("parsed", 250), ("parsed", 400), ("alike", 150), ("unrelated", 100)]


@pytest.mark.slow
@pytest.mark.parametrize(
    ("name", "kind", "variables"), by_day([(name, *size) for name in SETTINGS for size in LARGER], 19)
)
def test_documents_of_100_to_400_variables(name: str, kind: str, variables: int) -> None:
    check(SETTINGS[name], pair(kind, 1, variables), 20.0 if NIGHT else 1.0)
