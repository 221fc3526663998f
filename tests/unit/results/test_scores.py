"""Results of scoring: the worst pairs, ids, names that complete."""

import gc
import inspect
import pickle
import weakref

import numpy as np
import pytest

import fastmatch as fm
from fastmatch.fine_grained.request import PartScores
from fastmatch.results.scores import ScoredPair

from support.refusal import fails


def triples(matched, of=10, kind=fm.TripleScores):
    matched = np.array(matched)
    sizes = np.full(len(matched), of) if np.ndim(of) == 0 else np.array(of)
    return kind(matched, sizes, sizes, matched, np.ones(len(matched), bool))


def result(pairs, ids=()):
    return fm.CorpusScore(pairs, fm.Signature("toy", {}), ids=ids)


def test_the_worst_come_first_and_ties_in_the_order_of_the_corpus():
    found = result(triples([5, 1, 9, 1, 0, 5]), ids="abcdef").worst(4)
    assert found.indices.tolist() == [4, 1, 3, 0] and found.ids == ("e", "b", "d", "a")
    assert found.scores.tolist() == [0.0, 0.1, 0.1, 0.5] and list(found)[1] == found[1] == ScoredPair(1, "b", 0.1)
    assert found[1].index == 1 and found[:2].indices.tolist() == [4, 1]
    assert repr(found) == "<Worst: 4 pairs: e 0.000000, b 0.100000, d 0.100000, …>"


def test_another_number_than_there_are():
    two = result(triples([1, 2]))
    assert len(two.worst(10)) == 2 and two.worst(np.int64(1)).ids == (None,)
    assert repr(two.worst(0)) == "<Worst: 0 pairs>"
    for wrong in (-1, 1.5, "3", None):
        fails(fm.OptionError, "worst: expected a whole number of pairs, 0 or more, found", two.worst, wrong)


def test_pairs_without_a_score_are_none_of_the_worst():
    pairs = triples([3.0, np.nan, 1.0])
    pairs.__dict__["scores"] = {"f1": np.array([0.3, np.nan, 0.1])}
    assert result(pairs).worst(3).indices.tolist() == [2, 0]


def test_pairs_without_the_aspect_are_none_of_the_worst():
    assert result(triples([0, 0, 2], of=[0, 4, 4], kind=PartScores)).worst(3).indices.tolist() == [1, 2]
    assert not len(result(triples([0, 0], of=0, kind=PartScores)).worst(3))
    gold = fm.parse("# ::id x\n(a / b)\n\n# ::id y\n(a / b :polarity -)\n\n# ::id z\n(a / b :polarity -)")
    pred = ["(a / b)", "(a / b :polarity -)", "(a / b)"]
    assert list(fm.aspects(pred, gold)["Negations"].worst()) == [(2, "z", 0.0), (1, "y", 1.0)]


def test_ids_are_those_of_the_gold_graphs_or_of_the_predictions():
    pred = "# ::id p1\n(a / b)\n\n# ::id p2\n(a / b)\n\n(a / b)"
    gold = "# ::id p1\n(a / b)\n\n(a / b)\n\n(a / b)"
    found = fm.score(pred, gold)
    assert len(found.ids) == 3 and tuple(found.ids) == ("p1", "p2", None) and found.ids[-2:] == ("p2", None)
    assert pickle.loads(pickle.dumps(found)).ids == ("p1", "p2", None)
    compared = fm.compare(pred, gold, gold, resamples=9)
    assert [tuple(each.ids) for each in compared.results] == [("p1", "p2", None), ("p1", None, None)]


def test_a_result_does_not_keep_the_corpora():
    """Only the comment lines are kept, and those only until the ids are asked for."""
    pred, gold = fm.parse("# ::id a\n(a / b)"), fm.parse("# ::id a\n(a / b)")
    made = weakref.ref(pred), weakref.ref(gold)
    scored = fm.score(pred, gold)
    del pred, gold
    gc.collect()
    assert [reference() for reference in made] == [None, None]
    assert scored.ids[0] == "a"


def test_a_summary_is_one_row_of_a_table():
    row = fm.score(["(a / b)"], ["(a / c)"], bootstrap=9).summary()
    assert row["metric"] == "smatch" and row["n_pairs"] == 1 and row["matched"] == 1
    assert {"f1", "macro_f1", "f1_low", "signature"} <= set(row)
    assert all(isinstance(value, (str, int, float)) for value in row.values())


def test_names_complete():
    scored = fm.score("(a / b)", "(a / b)")
    assert {"f1", "matched", "upper", "worst", "to_pandas", "ids"} <= set(dir(scored))
    assert {"f1", "precision", "matched", "certified", "to_arrow"} <= set(dir(scored.pairs))
    assert {"f1", "recall", "headline", "items"} <= set(dir(scored.scores))
    other = fm.score("(a / b)", "(a / b)", metric="sembleu")
    assert {*other.pairs.names, *other.pairs.scores} <= set(dir(other.pairs)) and "matched" not in dir(other.pairs)


@pytest.mark.parametrize(
    "function", filter(inspect.isfunction, (getattr(fm, name) for name in fm.__all__)), ids=lambda each: each.__name__
)
def test_signatures_show_the_parameters(function):
    """No function hides what it takes behind a wrapper: ``**options`` stands only beside named parameters."""
    parameters = inspect.signature(function).parameters.values()
    assert [each for each in parameters if each.kind in (each.KEYWORD_ONLY, each.POSITIONAL_OR_KEYWORD)]
    assert all(each.annotation is not each.empty for each in parameters)
    assert inspect.getdoc(function)
