"""cdist, cpdist, pairs and top_k against brute force, for every metric there is."""

import pickle

import numpy as np
import pytest

import fastmatch as fm
from fastmatch.allpairs import candidates, tiles
from fastmatch.allpairs.blocks import AllPairs
from fastmatch.metrics import Metric, available, make

from support import toy_metric  # noqa: F401 - registers itself
from support.every_pair import check_every_pair
from support.refusal import fails
from twins.everything import best

TEXTS = [
    "(w / want-01 :ARG0 (b / boy) :ARG1 (g / go-02 :ARG0 b :polarity -))",
    "(w / want-01 :ARG0 (g / girl) :ARG1 (b / believe-01 :ARG0 g :ARG1 (b2 / boy)))",
    "(w / want-01 :ARG0 (g / girl) :ARG1 (b / believe-01 :ARG0 g :ARG1 (b2 / boy :mod (t / tall))))",
    "(c / cat :mod (b / black) :quant 2)",
    "(d / dog)",
    "(c / cat :mod (b / black) :quant 2)",
    '(n / name :op1 "New" :op2 "York")',
    "(a / and :op1 (x / x) :op2 (y / x) :op3 (z / x))",
    "(g / go-02 :ARG0 (b / boy) :time (n / now) :polarity -)",
    "(d / dog :quant 2)",
    "(c / cat)",
    "(b / believe-01 :ARG0 (d / dog) :ARG1 (c / cat))",
]
BROKEN = "((("  # an empty graph, with on_error="empty"


@pytest.fixture(scope="module", params=available())
def metric(request) -> Metric:
    return make(request.param)


@pytest.fixture(scope="module")
def corpora(metric) -> tuple[fm.Corpus, fm.Corpus]:
    options = {"dialect": metric.dialect, "on_error": "empty"}
    pred = fm.parse([*TEXTS[::-2], BROKEN, *TEXTS[1::3]], **options)
    return pred, fm.parse([*TEXTS, BROKEN, *TEXTS[2:5], BROKEN], vocabulary=pred.vocabulary, **options)


# ---------------------------------------------------------------- what every metric owes


def test_every_form_is_brute_force(metric, corpora):
    for given in (corpora, (corpora[1], None)):
        check_every_pair(*given, metric, 1, k=(1, 2, 5))


@pytest.mark.slow
def test_small_tiles_and_several_workers_change_nothing(metric, corpora, monkeypatch):
    monkeypatch.setattr(tiles, "TILE", 7)
    monkeypatch.setattr(tiles, "STRETCH", 20)
    monkeypatch.setattr(candidates, "SEARCH_ROWS", 2)
    monkeypatch.setattr(tiles, "CANDIDATES", 30)
    monkeypatch.setattr("fastmatch.allpairs.setting.BLOCK_BYTES", 300)
    monkeypatch.setattr("fastmatch.runtime.threads.INLINE", 1e-9)
    for given in (corpora, (corpora[1], None)):
        check_every_pair(*given, metric, 3, k=(3,))


def test_chosen_pairs(metric, corpora):
    index = np.array([[0, 3], [2, 2], [0, 3], [len(corpora[0]) - 1, 0]])
    expected = fm.cdist(*corpora, metric=metric, dtype=np.float64)[index[:, 0], index[:, 1]].tolist()
    assert fm.cpdist(*corpora, index, metric=metric).tolist() == expected
    scores = fm.pairs(*corpora, index, metric=metric)
    assert scores.score.tolist() == expected and len(scores.certified) == 4


def test_a_comparison_is_pickled_without_its_indexes(metric, corpora):
    pred, gold = (metric.prepare(corpus) for corpus in corpora)
    comparison = AllPairs(metric, pred, gold, *map(len, corpora))
    out = np.empty((2, len(corpora[1])))
    comparison.dense(1, 3, out)
    again = pickle.loads(pickle.dumps(comparison))
    assert set(vars(again)) == {"grid"}
    out[:] = 0
    again.dense(1, 3, out)
    assert out.tolist() == fm.cdist(*corpora, metric=metric, dtype=np.float64)[1:3].tolist()
    assert pickle.loads(pickle.dumps(AllPairs(metric, gold, gold, len(corpora[1]), len(corpora[1])))).grid.same


# ---------------------------------------------------------------- forms of input and output


def test_an_array_is_filled():
    out = np.full((2, 3), 9.0)
    assert fm.cdist(TEXTS[:2], TEXTS[:3], metric="toy", out=out) is out and out[0, 0] == 1
    assert fm.cdist(TEXTS[:2], metric="toy", dtype=np.float16).dtype == np.float16


def test_an_option_called_k():
    """Of SemBleu and WLK: top_k has a k of its own."""
    corpus = fm.parse(TEXTS)
    found = fm.top_k(corpus, corpus, k=2, metric="sembleu", sembleu_k=1)
    assert found.indices.tolist() == best(fm.cdist(corpus, corpus, metric="sembleu", k=1, dtype=float), 2)
    assert found.signature.startswith("sembleu|k:1|")


def test_no_graphs():
    assert fm.cdist([], [], metric="toy").shape == (0, 0) and fm.cdist([], TEXTS, metric="toy").shape == (0, len(TEXTS))
    assert fm.cdist(TEXTS, [], metric="smatch", score_cutoff=0.5).shape == (len(TEXTS), 0)
    assert fm.cdist(TEXTS, [], metric="toy", sparse=True).shape == (len(TEXTS), 0)
    assert fm.top_k([], TEXTS, metric="toy").indices.shape == (0, 10)
    assert fm.top_k(TEXTS, [], metric="smatch").indices.tolist() == [[-1]] * len(TEXTS)
    assert fm.cpdist(TEXTS, index_pairs=[], metric="toy").tolist() == []


def test_pairs_in_order():
    assert fm.cpdist(TEXTS[:4], TEXTS[:3] + TEXTS[4:5], metric="toy", score_cutoff=1).tolist() == [1, 1, 1, 0]
    assert fm.pairs(TEXTS, TEXTS[::-1], metric="smatch", mapping=True).mapping_of(0) is not None
    fails(fm.PairingError, "12 graphs in A but 2 in B", fm.cpdist, TEXTS, TEXTS[:2])


@pytest.mark.parametrize("cutoff", [None, 0.4])
def test_progress(cutoff, monkeypatch):
    monkeypatch.setattr("fastmatch.allpairs.setting.BLOCK_BYTES", 100)
    for call in (fm.cdist, fm.top_k):
        for name in ("toy", "smatch"):
            seen: list[tuple[int, int]] = []
            call(
                TEXTS, TEXTS, metric=name, score_cutoff=cutoff, progress=lambda *counts, seen=seen: seen.append(counts)
            )
            assert seen == sorted(seen) and seen[-1] == (144, 144)
            assert len(seen) > 3 or (call, name) == (fm.cdist, "toy")  # an index does all of so few rows at once


def test_neighbours_as_plain_values():
    found = fm.top_k(
        "# ::id q\n(a / cat)", "# ::id x\n(d / dog)\n\n(c / cat)\n\n# ::id y\n(b / bird)", k=2, metric="toy"
    )
    assert found.to_dict()["queries"] == [
        {
            "query": 0,
            "id": "q",
            "matches": [{"index": 1, "id": None, "score": 1.0}, {"index": 0, "id": "x", "score": 0.0}],
        }
    ]
    assert repr(found) == f"<TopK: 1 queries, the best 2 of 3, {found.signature}>" and len(found) == 1


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: fm.cdist(TEXTS, metric="toy", dtype=int), "dtype='int64': scores are fractions"),
        (lambda: fm.cpdist(TEXTS, TEXTS, metric="toy", dtype=int), "dtype='int64': scores are fractions"),
        (
            lambda: fm.cdist(TEXTS, metric="toy", out=np.zeros((2, 2))),
            r"out has the shape \(2, 2\), expected \(12, 12\)",
        ),
        (lambda: fm.cdist(TEXTS, metric="toy", out=np.zeros((12, 12)), sparse=True), "out may be a path"),
        (lambda: fm.cdist(TEXTS, metric="toy", out=[[0.0]]), "out: expected the name of a file, or an array"),
        (lambda: fm.cdist(TEXTS, metric="toy", out=np.broadcast_to(0.0, (12, 12))), "out is an array that cannot"),
        (lambda: fm.cdist(TEXTS, metric="toy", score_cutoff=-0.5), "score_cutoff=-0.5: expected 0 or more"),
        (lambda: fm.cdist(TEXTS, metric="toy", score_cutoff=float("nan")), "score_cutoff=nan: expected 0 or more"),
        (lambda: fm.cdist(TEXTS, metric="toy", score_cutoff="0.5"), "score_cutoff='0.5': expected a fraction"),
        (lambda: fm.cdist(TEXTS, metric="toy", workers=0), "workers=0"),
        (lambda: fm.cdist(TEXTS, metric="toy", on_error="skip"), "on_error='skip'"),
        (lambda: fm.top_k(TEXTS, k=0, metric="toy"), "k=0: expected a positive whole number"),
        (lambda: fm.top_k(TEXTS, k=True, metric="toy"), "k=True"),
        (lambda: fm.pairs(TEXTS, index_pairs=[[0, 12]], metric="toy"), "graph 12 of B, which has 12"),
        (lambda: fm.pairs(TEXTS, index_pairs=[[-1, 0]], metric="toy"), "graph -1 of A, which has 12"),
        (lambda: fm.pairs(TEXTS, index_pairs=[0, 1], metric="toy"), r"index_pairs: .* not \(2,\)"),
        (lambda: fm.pairs(TEXTS, index_pairs=[[0.5, 1]], metric="toy"), "expected whole numbers"),
    ],
)
def test_wrong_arguments(call, message):
    fails(fm.OptionError, message, call)


@pytest.mark.parametrize("verb", [fm.cdist, fm.cpdist, fm.top_k, fm.pairs, fm.features])
def test_what_is_no_metric(verb):
    more = {"k": 1} if verb is fm.top_k else {"B": TEXTS} if verb is fm.cpdist else {}
    fails(TypeError, "metric: expected the name of a metric or a Metric, not int", verb, TEXTS, metric=5, **more)


def test_corpora_read_in_two_ways():
    fails(fm.OptionError, "read both alike", fm.cdist, fm.parse(TEXTS), fm.parse(TEXTS[:2], dialect="smatch"))


@pytest.mark.parametrize("metric", ["smatch", "sema", "rematch"])
def test_progress_of_neighbours(metric, monkeypatch):
    """Told while a block is worked on, not only after it."""
    monkeypatch.setattr(tiles, "TILE", 1)
    monkeypatch.setattr(candidates, "GROUP", 1)
    corpus = fm.parse(["(a / ant :mod (b / bee))", "(a / ant)", "(c / cat :mod (b / bee))", "(d / dog)"] * 3)
    told = []
    fm.top_k(corpus, k=2, metric=metric, progress=lambda done, total: told.append((done, total)))
    assert told == sorted(told) and told[-1] == (144, 144)
    assert metric == "rematch" or len(told) > 6  # the index of Rematch does all rows at once


def test_neighbours_that_score_below_zero():
    """Without ``clip`` WWLK has negative scores, and all neighbours count, as if all pairs were scored and sorted."""
    matrix = fm.cdist(TEXTS, metric="wwlk", clip=False, dtype=np.float64)
    assert (matrix < 0).any()
    for cutoff in (None, 0):  # neither leaves out anything
        found = fm.top_k(TEXTS, TEXTS, len(TEXTS), metric="wwlk", clip=False, score_cutoff=cutoff)
        assert (found.indices >= 0).all() and np.array_equal(found.scores, -np.sort(-matrix, axis=1))
        chosen = fm.cpdist(TEXTS, TEXTS[::-1], metric="wwlk", clip=False, score_cutoff=cutoff)
        assert np.array_equal(chosen, np.diag(matrix[:, ::-1]))
    alone = fm.top_k(TEXTS, None, len(TEXTS), metric="wwlk", clip=False)
    assert alone.indices.shape == (len(TEXTS), len(TEXTS) - 1) and (alone.indices >= 0).all()
    above = fm.top_k(TEXTS, TEXTS, len(TEXTS), metric="wwlk", clip=False, score_cutoff=0.5)
    assert np.array_equal((above.indices >= 0).sum(1), (matrix >= 0.5).sum(1))


def test_sparse_matrices_have_narrow_indices():
    """Half of a matrix and a whole one: wide indices would take as much memory as the scores."""
    for sides in ((["(a / cat)", "(a / cat)"],), (["(a / cat)"], ["(a / cat)", "(a / dog)"])):
        found = fm.cdist(*sides, sparse=True)
        assert found.nnz and found.indices.dtype == found.indptr.dtype == np.int32


def test_ids_of_a_corpus_by_itself_are_looked_up_once():
    found = fm.top_k(TEXTS, k=1, metric="toy")
    assert found.query_ids is found.ids
