"""Matching in part against brute force, an integer program, and what must hold for every pair of graphs."""

import random
from dataclasses import replace
from math import inf

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

import fastmatch as fm
from fastmatch import OptionError
from fastmatch._ext.matching.score import TOLERANCE, score_exact
from fastmatch.metrics import make
from fastmatch.metrics.base import PairRange
from fastmatch.metrics.embeddings.vectors import Embeddings
from fastmatch.metrics.run import run
from fastmatch.metrics.softmatch import Softmatch

from support import strategies
from support.nightly import examples
from support.refusal import fails
from support.strategies import Spec
from twins import brute_force, readers
from twins.smatch_problem import DEFAULT, Problem
from twins.soft_match import problem, root_weight, s2match_similarity

#: Vectors of the words in the generated graphs and of a few more, so that sums and plurals occur; "want" has none.
WORDS = ("cat", "dog", "kitten", "run", "runs", "big", "house", "cat-flap", "run-over")
VECTORS = dict(zip(WORDS, np.random.default_rng(5).normal(0.3, 0.5, (len(WORDS), 6)).astype(np.float32), strict=True))
EMBEDDINGS = Embeddings.from_arrays(WORDS, np.stack(list(VECTORS.values())))
CONCEPTS = (
    "cat", "dog", "kitten", "run-01", "run-02", "run", "big-house", "cat-flap", "want-01", "run-over-03", "x-1y",
)  # fmt: skip


def repainted(spec: Spec, seed: int) -> Spec:
    """The same graph with other concepts, but where it has none."""
    generator = random.Random(seed)
    concepts = (concept and generator.choice(CONCEPTS) for concept in spec.concepts)
    return replace(spec, concepts=tuple(concepts))


PAIRS = strategies.pairs(max_size=5) | strategies.pairs(min_size=2, max_size=5, missing_concepts=True)

painted = st.tuples(PAIRS, st.integers(0, 10**6)).map(
    lambda drawn: (repainted(drawn[0][0], drawn[1]), repainted(drawn[0][1], drawn[1] + 1))
)


def judge(pair: tuple[Spec, Spec], **how: object) -> Problem:
    a, b = (readers.read_penman(spec.text()) for spec in pair)
    return problem(a, b, DEFAULT, **how)


def check(pair: tuple[Spec, Spec], metric: fm.metrics.Metric, twin: Problem) -> None:
    """Totals, optimum, bounds, and that the map is worth what is said of it."""
    result = fm.score(*([spec.text()] for spec in pair), metric=metric, mapping=True).pairs
    optimum, _ = brute_force.optimum(twin)
    assert (result.n_pred[0], result.n_gold[0]) == pytest.approx((twin.n_pred, twin.n_gold), abs=1e-7)
    assert result.certified[0] and result.upper[0] == result.matched[0]
    assert result.matched[0] == pytest.approx(optimum, abs=2 * TOLERANCE)
    assert twin.value(result.mapping_of(0).tolist()) == pytest.approx(result.matched[0], abs=1e-8)


@given(
    pair=painted,
    kind=st.sampled_from(["cosine", "euclidean", "cityblock"]),
    cutoff=st.sampled_from([0.0, 0.25, 0.5, 0.9]),
    diffsense=st.sampled_from([0.0, 0.5, 0.95, 1.0]),
    top=st.sampled_from(["constant", "concept", "none"]),
    known=st.booleans(),
)
@examples(15)
def test_s2match_is_the_optimum_of_its_definition(pair, kind, cutoff, diffsense, top, known):
    options = {"cutoff": cutoff, "diffsense": diffsense}
    metric = make("s2match", embeddings=EMBEDDINGS if known else None, similarity=kind, top=top, **options)
    vectors = {word: vector.tolist() for word, vector in VECTORS.items()} if known else {}
    similar = s2match_similarity(vectors, kind=kind, **options)
    check(pair, metric, judge(pair, weight=lambda *_: 1.0, similarity=similar, top=top))


@given(
    pair=PAIRS,
    threshold=st.integers(1, 6),
    limit=st.sampled_from([-1, 0, 1, 2]),
    weighted=st.booleans(),
    top=st.sampled_from(["constant", "concept", "none"]),
)
@examples(15)
def test_wsmatch_is_the_optimum_of_its_definition(pair, threshold, limit, weighted, top):
    metric = make("wsmatch", threshold=threshold, levels=limit, weighted=weighted, top=top)
    twin = judge(pair, weight=root_weight(threshold, limit, weighted), similarity=lambda a, b: 0.0, top=top)
    check(pair, metric, twin)
    found = fm.score(*([spec.text()] for spec in pair), metric=metric).pairs
    assert found.matched[0] == brute_force.optimum(twin)[0], "whole numbers: no tolerance"


weights = st.sampled_from([0.0, 0.1, 1 / 3, 1.0, 2.5])


@pytest.mark.slow
@given(
    pair=painted,
    table=st.dictionaries(st.tuples(st.sampled_from(CONCEPTS), st.sampled_from(CONCEPTS)), st.floats(0, 1)),
    by_role=st.dictionaries(st.sampled_from([":instance", ":arg0", ":mod", ":quant", ":TOP"]), weights),
    decay=weights,
    top=st.sampled_from(["constant", "concept"]),
)
@examples(15)
def test_softmatch_is_the_optimum_of_the_users_definition(pair, table, by_role, decay, top):
    def similar(a, b):
        return table.get((a, b), table.get((b, a), 0.0))

    def by_name(role):
        return by_role.get({":top": ":TOP"}.get(role, role), 1.0)

    def falling(role, level, other):
        return by_name(role) * (1 + decay) ** -min(level + other, 40)

    by_roles = judge(pair, weight=lambda role, *_: by_name(role), similarity=similar, top=top)
    check(pair, Softmatch(similarity=table, weight=by_role, top=top), by_roles)
    own = {"similarity": similar, "weight": falling, "top": top}
    check(pair, Softmatch(**own), judge(pair, **own))


METRICS = {
    "s2match": make("s2match", embeddings=EMBEDDINGS, cutoff=0.1),
    "s2match-concept": make("s2match", embeddings=EMBEDDINGS, cutoff=0.1, top="concept"),
    "wsmatch": make("wsmatch"),
    "softmatch": Softmatch(similarity={("cat", "dog"): 0.3, ("run-01", "run"): 0.7}, weight={":mod": 0.25}),
}


@pytest.mark.parametrize("name", METRICS)
@given(pair=painted)
@examples(15)
def test_no_solver_exceeds_the_optimum(name, pair):
    metric = METRICS[name]
    texts = [spec.text() for spec in pair]
    there = fm.score([texts[0]], [texts[1]], metric=metric).pairs
    for solver in ("climb", "ilp"):
        other = fm.score([texts[0]], [texts[1]], metric=replace(metric, solver=solver)).pairs
        assert other.matched[0] <= there.matched[0] + 2 * TOLERANCE and there.matched[0] <= other.upper[0] + 1e-5
        if solver == "ilp":
            assert other.certified[0] and other.matched[0] == pytest.approx(there.matched[0], abs=2e-5)


@pytest.mark.slow
@given(pair=strategies.big_pairs(min_size=6, max_size=14), seed=st.integers(0, 1000), work=st.integers(0, 3000))
@examples(15)
def test_bigger_graphs_agree_with_the_integer_program_and_limits_leave_brackets(pair, seed, work):
    generator = np.random.default_rng(seed)
    table = {(f"c{i}", f"c{j}"): float(generator.random()) for i in range(6) for j in range(i)}
    metric = Softmatch(similarity=table, weight={role: float(generator.random()) for role in (":arg0", ":mod")})
    corpora = fm.Corpus.together([fm.parse(spec.text()) for spec in pair])
    exact = fm.score(*corpora, metric=metric).pairs
    assert exact.certified[0]
    ilp = fm.score(*corpora, metric=replace(metric, solver="ilp")).pairs
    assert ilp.matched[0] == pytest.approx(exact.matched[0], abs=2e-5)
    prepared = [metric.prepare(corpus) for corpus in corpora]
    index = np.zeros(1, np.int32)
    out = metric.empty(*prepared, index, index, False)
    links, table = out.shared
    score_exact(
        *(graphs.features for graphs in prepared), PairRange.all(index, index), links=links, weight=table,
        whole=False, max_work=work, time_limit=inf, matched=out.matched, upper=out.upper,
        certified=out.certified.view(np.uint8),
    )  # fmt: skip
    assert out.matched[0] <= exact.matched[0] + TOLERANCE and exact.matched[0] <= out.upper[0] + 2 * TOLERANCE
    assert out.certified[0] == (out.upper[0] == out.matched[0]) and 0 <= out.gap[0] < 1
    assert out.certified[0] == (out.gap[0] == 0)


@given(pair=painted)
@examples(15)
def test_an_explanation_is_worth_the_score(pair):
    """Matched triples, each worth 1 or the similarity of its concepts, sum to ``matched``."""
    metric = METRICS["s2match-concept"]
    similar = s2match_similarity({word: vector.tolist() for word, vector in VECTORS.items()}, cutoff=0.1)
    found = fm.align(pair[0].text(), pair[1].text(), metric=metric)
    total = 0.0
    for (_, role, value), (_, other_role, other) in found.matched_triples:
        soft = role in (":instance", ":TOP") and role == other_role and value is not None
        total += similar(value.lower().strip('"'), other.lower().strip('"')) if soft else 1.0
    # an attribute that is spelled :TOP matches as written only
    assume(not any(role == ":TOP" for spec in pair for _, role, _ in spec.attributes))
    assert total == pytest.approx(found.matched, abs=1e-6)
    assert len(found.matched_triples) + len(found.unmatched_pred) == found.n_pred
    assert len(found.matched_triples) + len(found.unmatched_gold) == found.n_gold


def test_lists_of_pairs_link_what_meets():
    """All pairs of a list at once give what each gives alone, however many concepts meet."""
    generator = random.Random(1)
    texts = [f"(a / {generator.choice(CONCEPTS)} :ARG0 (b / {generator.choice(CONCEPTS)}))" for _ in range(12)]
    metric = METRICS["s2match"]
    prepared = metric.prepare(fm.parse(texts))
    i, j = np.divmod(np.arange(144, dtype=np.int32), np.int32(12))
    together = run(metric, prepared, prepared, i, j)
    for k in range(0, 144, 7):
        assert fm.score([texts[i[k]]], [texts[j[k]]], metric=metric).pairs.matched[0] == together.matched[k]


def test_a_pair_too_large_to_search_is_bracketed():
    """5,900 × 5,900 variables: more cells than are searched; a greedy map and a bound from counts."""
    text = "(a / and " + " ".join(f":op{k} (x{k} / thing{k})" for k in range(5900)) + ")"
    result = fm.score([text], [text.replace("thing7)", "thing8)")], metric="s2match").pairs
    assert not result.certified[0] and 11_790 < result.matched[0] <= result.upper[0] <= result.n_pred[0]


def test_values_that_are_out_of_range():
    for metric, message in (
        (lambda: Softmatch(similarity={("a", "b"): 1.5}), "similarity of \\('a', 'b'\\) is 1.5"),
        (lambda: Softmatch(similarity={"a": 1}), "'a' is not a pair of concepts"),
        (lambda: Softmatch(weight={":mod": -1}), "weight of ':mod' is -1"),
        (lambda: Softmatch(weight={"mod": 1}), "weight: 'mod' is not a role"),
        (lambda: Softmatch(weight={":ARG0": 1, ":arg0": 2}), "weight of ':arg0': there is another one"),
        (lambda: Softmatch(similarity={("Cat", "dog"): 1, ("cat", "Dog"): 0}), "there is another one, for case"),
        (lambda: Softmatch(weight=3), "weight=3: expected a table"),
        (lambda: Softmatch(embeddings=EMBEDDINGS), "expected a function of two vectors"),
        (lambda: make("s2match", cutoff=2), "cutoff=2: expected a number from 0 to 1"),
        (lambda: make("s2match", similarity="dot"), "similarity='dot': expected one of 'cosine'"),
        (lambda: make("s2match", quotes=1), "quotes=1: expected True or False"),
        (lambda: make("s2match", embeddings=3), "embeddings=3: expected the name of a file"),
        (lambda: make("wsmatch", threshold=0), "threshold=0: expected a whole number from 1"),
        (lambda: make("wsmatch", levels=-2), "levels=-2: expected a whole number from -1"),
        (lambda: make("wsmatch", restarts=-1), "restarts=-1: expected a whole number"),
        (lambda: make("wsmatch", time_limit=0), "time_limit=0.0: expected seconds"),
    ):
        fails(OptionError, message, metric)
    for metric, message in (
        (Softmatch(similarity=lambda a, b: -1), "similarity of 'cat' and 'dog' is -1.0"),
        (Softmatch(similarity=lambda a, b: float("nan")), "similarity of 'cat' and 'dog' is nan"),
        (Softmatch(weight=lambda role, a, b: "much"), "weight of ':.*' at levels 0 and 0 is 'much'"),
        (make("s2match", embeddings=EMBEDDINGS, oov="error"), "no vector for the concept 'wombat'"),
    ):
        fails(OptionError, message, fm.score, ["(a / cat)", "(a / wombat)"], ["(a / dog)", "(a / cat)"], metric=metric)


def test_case_of_a_table_makes_no_difference():
    """A weight of ``:ARG0``, as graphs spell it, was no weight at all: roles are compared in lower case."""
    pair = "(a / Cat :ARG0 (d / dog))", "(b / Cow :ARG0 (d / dog))"
    tables = [
        {"weight": {":ARG0": 3, ":top": 2}, "similarity": {("Cat", "COW"): 0.5}},
        {"weight": {":arg0": 3.0, ":TOP": 2}, "similarity": {("cat", "cow"): 0.5}},
    ]
    spelled, folded = (fm.score(*pair, metric=Softmatch(**table)) for table in tables)
    assert spelled.sums["matched"] == 3 + 2 + 1 + 0.5 and spelled.sums == folded.sums
    assert spelled.signature == folded.signature
