"""S2match, WSmatch and Softmatch as users meet them: small examples worked out by hand, options, the command line."""

import os
import pickle
import re
import tracemalloc
import warnings

import numpy as np
import pytest

import fastmatch as fm
from fastmatch._ext.matching.partial import Links, SoftFeatures, build_soft_problem
from fastmatch._ext.matching.score import score_exact
from fastmatch._ext.matching.similarity import concept_similarities, concepts_that_meet
from fastmatch.metrics.base import PairRange, from_signature, make
from fastmatch.metrics.embeddings.vectors import Embeddings
from fastmatch.metrics.run import run
from fastmatch.metrics.shared.search import finish
from fastmatch.metrics.softmatch import Softmatch
from fastmatch.rewards import GraphReward

from support.entangled import relabelled_tree
from support.exact_search import worth
from support.refusal import fails

#: Cosine of cat and kitten 0.8, of cat and dog 0.6, of runs + run and cat 1/√2.
WORDS = {
    "cat": (1, 0, 0), "kitten": (4, 3, 0), "dog": (3, 4, 0), "run": (2, 0, 1), "runs": (0, 2, 1), "house": (0, 0, 2),
    "cat-flap": (0, 1, 0),
}  # fmt: skip
EMBEDDINGS = Embeddings.from_arrays(list(WORDS), list(WORDS.values()))


def similarity(a: str, b: str, preset: str | None = None, **options: object) -> float:
    """What mapping one concept to the other brings."""
    options.setdefault("embeddings", EMBEDDINGS)
    return fm.score(
        [f"(x / {a})"], [f"(y / {b})"], metric="s2match", preset=preset, top="none", **options
    ).pairs.matched[0]


def test_predicates_differ_between_default_and_tool():
    # the tool adds the vector of the plural: (2, 2, 2) instead of (2, 0, 1)
    assert similarity("run-01", "cat") == pytest.approx(0.5 * 2 / np.sqrt(5), abs=1e-7)
    assert similarity("run-01", "cat", "tool") == pytest.approx(0.5 / np.sqrt(3), abs=1e-7)
    assert similarity("run", "cat", "tool") == pytest.approx(2 / np.sqrt(5), abs=1e-7)
    # a predicate of several words: the tool looks for the whole only
    assert similarity("cat-wombat-01", "cat") == pytest.approx(0.5, abs=1e-7)
    assert similarity("cat-wombat-01", "cat", "tool") == 0
    # one digit anywhere makes a predicate of anything with a hyphen
    assert similarity("cat-5x", "cat-6", "tool") == 0.5
    assert similarity("cat-5x", "cat-6") == 1, "cat and cat: the vectors of the parts that have one"


def test_softmatch_by_hand():
    assert not Softmatch(similarity={("dog", "cat"): 0.2, ("cat", "dog"): 0.1}).symmetric
    calls = []

    def function(a, b):
        calls.append((a, b))
        return 0.5 * (a[0] == b[0])

    texts = ["(a / cat :mod (b / dog))", "(a / Cow :mod (b / dog))"] * 3
    result = fm.score(texts, [texts[1]] * 6, metric=Softmatch(similarity=function, weight={":MOD": 3}))
    assert result.pairs.matched[0] == 0.5 + 1 + 3 + 1
    assert sorted(calls) == sorted(set(calls)), "each two concepts once"
    weighted = Softmatch(weight=lambda role, a, b: {":instance": 1.0, ":TOP": 0.0, ":mod": a + b}[role])
    assert fm.score([texts[0]], [texts[0]], metric=weighted).pairs.n_pred[0] == 1 + 1 + 2


@pytest.mark.slow
def test_a_similarity_of_vectors_is_compiled():
    numba = pytest.importorskip("numba")

    def product(x, y):
        return min(1.0, abs((x * y).sum()) / 100)

    for function in (product, numba.njit(product)):
        metric = Softmatch(similarity=function, embeddings=EMBEDDINGS, top="none")
        result = fm.score(["(a / kitten)", "(a / kitten)"], ["(b / dog)", "(b / wombat)"], metric=metric)
        assert result.pairs.matched.tolist() == pytest.approx([0.24, 0], abs=1e-8)
        assert "|sim:function-product#" in str(result.signature)


def test_signatures(tmp_path):
    path = tmp_path / "some|words.txt"
    path.write_text("cat 1 0\nkitten 1 1\n")
    metric = make("s2match", embeddings=str(path), cutoff=0.25)
    text = str(metric.signature("penman"))
    assert text.startswith("s2match|solver:exact|vec:") and "some" not in text
    other = tmp_path / "of_another_name.txt"
    other.write_bytes(path.read_bytes())
    assert str(make("s2match", embeddings=str(other), cutoff=0.25).signature("penman")) == text
    other.write_text("cat 1 0\nkitten 1 2\n")
    assert str(make("s2match", embeddings=str(other), cutoff=0.25).signature("penman")) != text
    assert "|sim:cosine|cutoff:0.25|diffsense:0.5|oov:zero|quotes:no|top:constant|std:default|read:penman|" in text
    fails(fm.OptionError, "[0-9a-f]{16} is a digest of embeddings", from_signature, text)
    assert make("s2match", embeddings=path) == metric or make("s2match", embeddings=path).embeddings == str(path)
    table = Softmatch(similarity={("b", "c"): 1, ("a", "b"): 0.5})
    assert table.signature("penman") == Softmatch(similarity={("a", "b"): 0.5, ("b", "c"): 1.0}).signature("penman")
    fails(fm.OptionError, "table#.* is a digest of similarity", from_signature, table.signature("penman"))


@pytest.mark.parametrize("metric", ["s2match", "wwlk", "softoverlap"])
def test_vectors_of_no_concept_are_warned_of(tmp_path, metric):
    path = tmp_path / "german.txt"
    path.write_text("hund 1 0\nkatze 0 1\n")
    pred, gold = ["(a / dog)"], ["(b / run-away-02 :ARG0 (c / Cat-01))"]
    said = "embeddings: no concept of the graphs (dog, run-away-02, Cat-01) has a vector in german.txt (words: 2)"
    for compare in (fm.score, fm.cdist):
        with pytest.warns(fm.FastmatchWarning, match=re.escape(said)) as caught:
            compare(pred, gold, metric=metric, embeddings=str(path))
        assert [each.filename for each in caught] == [__file__]
        with warnings.catch_warnings(action="error"):
            for word in ("dog", "run", "away", "cat"):  # as it is, a part of it, in lower case
                compare(pred, gold, metric=metric, embeddings=Embeddings.from_arrays(["hund", word], [[1, 0], [0, 1]]))
            compare(["()"], ["()"], metric=metric, embeddings=str(path), on_error="empty")
            GraphReward(metric=metric, embeddings=str(path))(completions=pred, amr=gold)  # a reward may not raise
    with pytest.warns(fm.FastmatchWarning, match=r"\(dog, run-away-02, Cat-01, …\) has a vector"):
        fm.score(pred, ["(b / run-away-02 :ARG0 (c / Cat-01 :mod (d / old)))"], metric=metric, embeddings=str(path))


def test_a_file_is_loaded_once_until_it_changes(tmp_path):
    path = tmp_path / "v"
    texts = (["(a / cat)"], ["(a / dog)"])
    scores = []
    for number, line in enumerate(["dog 1 0", "dog 0 1"]):
        path.write_text(f"cat 1 0\n{line}\n")
        os.utime(path, ns=(10**18 + number, 10**18 + number))
        scores.append(fm.score(*texts, metric="s2match", embeddings=str(path), top="none").f1)
    assert scores == [1, 0]


def test_prepared_graphs_travel():
    metric = make("s2match", embeddings=EMBEDDINGS, top="concept", solver="climb")
    prepared = metric.prepare(fm.parse(["(a / cat :mod (b / run-01))", "(a / kitten)", "()"]))
    i, j = np.divmod(np.arange(9, dtype=np.int32), np.int32(3))
    there = pickle.loads(pickle.dumps((metric, prepared)))
    found = [run(*pair, pair[1], i, j, mapping=True) for pair in ((metric, prepared), there)]
    assert found[0].matched.tolist() == found[1].matched.tolist()
    assert pickle.loads(pickle.dumps(found[0])).shared is None
    # a range can be scored into arrays that bring no links along
    bare = fm.TripleScores(np.zeros(9), found[0].n_pred, found[0].n_gold, np.zeros(9), np.zeros(9, np.bool_))
    metric.score(prepared, prepared, PairRange(i, j, 2, 7, np.zeros(1, np.uint8)), bare)
    assert bare.matched[2:7].tolist() == found[0].matched[2:7].tolist() and not bare.matched[7:].any()


def test_kernels_check_what_they_are_given():
    prepared = make("s2match", embeddings=EMBEDDINGS).prepare(fm.parse(["(a / cat :mod (b / dog))", "(a / kitten)"]))
    features, (table, vectors) = prepared.features, prepared.more
    unary, relations, offsets, soft = features.arrays
    links, weight = Links(3, 3, [0], [1], [0.5]), np.ones((1, 1))
    assert [part.tolist() for part in links.arrays] == [[0], [1], [0.5]]
    index, out = np.zeros(1, np.int32), np.zeros((2, 1))
    found = {"matched": out[0], "upper": out[1], "certified": np.zeros(1, np.uint8)}

    def problem(given, weight, i=0):
        return build_soft_problem(features, features, given, weight, i, 0)

    def score(weight, i):
        pairs, limits = PairRange.all(index + i, index), {"whole": False, "max_work": 9, "time_limit": 1.0}
        return score_exact(features, features, pairs, links=links, weight=weight, **limits, **found)

    def meet(i, size):
        return concepts_that_meet(features, features, index + i, index, size, 3, print)

    def similar(concepts, words, gold):
        pairs = np.array(concepts, np.int32)
        return concept_similarities(pairs, table, words, table, gold, kind=0, cutoff=0.5, diffsense=0.5)

    beyond = np.where(soft == soft[2], 9, soft).astype(np.int32)
    for call, arguments, message in (
        (SoftFeatures, (features.hard, unary[:-1], relations, offsets, soft), "one class for each"),
        (SoftFeatures, (features.hard, unary, relations, offsets[:-1], soft), "do not divide"),
        (SoftFeatures, (features.hard, unary, relations, offsets, soft[:3]), "4 rows of soft features"),
        (SoftFeatures, (features.hard, unary, relations, offsets, beyond), "outside its table"),
        (SoftFeatures, (features.hard, unary, relations, offsets, np.ascontiguousarray(soft[:, ::-1])), "graph 0: "),
        (Links, (3, 3, [0], [9], [0.5]), "concept is out of range"),
        (Links, (3, 3, [0], [0], [1.5]), "not between 0 and 1"),
        (Links, (3, 3, [0], [0], [np.nan]), "not between 0 and 1"),
        (Links, (3, 3, [0, 0], [1, 1], [0.5, 0.6]), "two similarities"),
        (Links, (3, 3, [0], [0, 1], [0.5]), "differ in shape"),
        (problem, (Links(2, 3, [], [], []), weight), "not one of the 2 that are linked"),
        (problem, (links, np.ones((0, 1))), "class of a triple"),
        (problem, (links, np.full((1, 1), 1 / 3)), "multiple of 2"),
        (problem, (links, np.full((1, 1), -1.0)), "multiple of 2"),
        (problem, (links, np.full((1, 1), 2.0**21)), "between 0 and 2"),
        (problem, (links, weight, 2), "no graph 2"),
        (score, (weight[:, :0], 0), "class of a triple"),
        (score, (weight, 7), "pair 0"),
        (meet, (7, 3), "pair 0"),
        (meet, (0, 2), "not one of 2"),
        (similar, ([[9], [0]], vectors, vectors), "concept is out of range"),
        (similar, ([[0], [0]], vectors[:1], vectors), "vector is out of range"),
        (similar, ([[0], [0]], vectors, vectors[:, :2].copy()), "do not fit"),
    ):
        fails((ValueError, IndexError), message, call, *arguments)


def left_open(metric: Softmatch, pred: fm.Corpus, gold: fm.Corpus) -> tuple:
    """What the search finds of pairs without branching, what it hands over, and the arguments that make problems."""
    n = len(pred)
    prepared = [metric.prepare(corpus) for corpus in (pred, gold)]
    index = np.arange(n, dtype=np.int32)
    out = metric.empty(*prepared, index, index, True)
    links, weight = out.shared
    features = tuple(graphs.features for graphs in prepared)
    unsolved: list[tuple] = []
    score_exact(
        *features, PairRange.all(index, index), links=links, weight=weight, whole=False, max_work=2**62,
        time_limit=np.inf, matched=out.matched, upper=out.upper, certified=out.certified.view(np.uint8),
        mapping_offsets=out.mapping_offsets, mapping=out.mapping, unsolved=unsolved, branching=0,
    )  # fmt: skip
    return out, unsolved, (*features, links, weight)


def test_what_branching_leaves_of_a_large_pair_is_solved_by_an_integer_program():
    metric = Softmatch(weight={f":r{k}": 0.8 + 0.07 * k for k in range(5)})
    out, unsolved, problem = left_open(metric, *relabelled_tree(1, 100, 25, 5))
    assert len(unsolved) == 1
    before = out.matched[0]
    finish(metric, unsolved[:1], out, np.zeros(1, np.uint8))
    assert out.certified[0] and before <= out.matched[0] == out.upper[0]
    assert worth(build_soft_problem(*problem, 0, 0), out.mapping) == pytest.approx(out.matched[0], abs=1e-8)


def test_a_pair_too_large_to_build_does_not_hand_over_the_pair_before():
    """The first pair stays open and is handed over; of the second nothing was built."""
    n = 2300  # equal concepts: more matches than a problem may have
    star = [("r", ":instance", "and")] + [("r", ":op1", f"v{k}") for k in range(n)]
    chain = [(f"v{k}", ":ARG0", f"v{k + 1}") for k in range(n)]
    things = [(f"v{k}", ":instance", "x") for k in range(n + 1)]
    pred, gold = relabelled_tree(1, 100, 25, 5)
    pred += fm.Corpus.from_triples([("r", star + things)])
    gold += fm.Corpus.from_triples([("v0", chain + things)])
    gold = gold.remap(pred.vocabulary)
    out, unsolved, _ = left_open(Softmatch(weight={f":r{k}": 0.8 + 0.07 * k for k in range(5)}), pred, gold)
    assert not out.certified.any()
    assert [pair for pair, *_ in unsolved] == [0]
    assert n <= out.matched[1] <= out.upper[1]


def test_a_bound_falls_to_the_next_sum_of_weights():
    """Where all gains are multiples of a quarter, a bound that lacks less than that of the best map proves it."""
    nodes = [(f"v{i}", ":instance", "x") for i in range(9)]
    ring = [(f"v{i}", ":r", f"v{(i + 1) % 9}") for i in range(9)]
    triangles = [(f"v{i}", ":r", f"v{3 * (i // 3) + (i + 1) % 3}") for i in range(9)]
    a, b = (fm.Corpus.from_triples([("v0", nodes + relations)]) for relations in (triangles, ring))
    for weight in (1.5, 0.3):
        found, ilp = (fm.score(a, b, metric=Softmatch(weight={":r": weight}, solver=way)) for way in ("exact", "ilp"))
        assert found.certified and found.matched == pytest.approx(ilp.matched, abs=1e-5)


def test_concepts_that_meet_come_in_parts() -> None:
    """However many there are at a time, they are the same in the same order."""
    metric = make("s2match")
    graphs = ("(r / r " + " ".join(f":op{k} (v{k} / c{k + first})" for k in range(15)) + ")" for first in (0, 10))
    prepared = metric.prepare(fm.parse("\n\n".join(graphs)))
    size = len(prepared.concepts)
    index = np.array([0, 1], np.int32)
    found: dict[int, list[np.ndarray]] = {1: [], 1000: []}
    for at_a_time, parts in found.items():
        concepts_that_meet(prepared.features, prepared.features, index, index, size, size, parts.append, at_a_time)
    assert len(found[1000]) == 1 < len(found[1])
    assert np.concatenate(found[1], axis=1).tolist() == found[1000][0].tolist()
    assert found[1000][0].shape[1] == 2 * 16**2 - 6**2


def test_concepts_of_texts_that_are_too_large_to_search_are_not_compared() -> None:
    """Of two texts with 6,000 concepts each, 36 million pairs meet: 288 MB for their numbers alone."""
    texts = ["(r / r " + " ".join(f":op{k} (v{k} / {side}{k})" for k in range(6000)) + ")" for side in "pg"]
    words = Embeddings.from_arrays(["r"], np.ones((1, 2), np.float32))
    fm.score("(a / b)", "(a / c)", metric="s2match", embeddings=words)
    tracemalloc.start()
    result = fm.score(*texts, metric="s2match", embeddings=words)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert result.matched >= 2
    assert peak < 50_000_000
