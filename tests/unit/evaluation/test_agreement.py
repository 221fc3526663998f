"""Agreement of annotators: every score is one of ``score``; the rest is which graphs belong together, and means."""

import json
import random
import warnings
from itertools import combinations, permutations

import numpy as np
import pytest

import fastmatch as fm
from fastmatch.metrics.names import BUILT_IN

from support.nightly import by_day
from support.places import GOLD, PRED
from support.refusal import fails


@pytest.fixture(scope="module")
def annotators() -> list[fm.Corpus]:
    """Three annotators of 12 sentences: the third one mixes the other two."""
    pred, gold = (fm.read(path)[:12] for path in (PRED, GOLD))
    return [pred, gold, fm.parse("\n\n".join([(pred if k % 3 else gold)[k].encode() for k in range(12)]))]


def without_ids(corpus: fm.Corpus) -> list[str]:
    return ["\n".join(line for line in graph.encode().splitlines() if line[0] != "#") for graph in corpus]


@pytest.mark.parametrize("metric", by_day(list(BUILT_IN), 3))
def test_every_score_is_one_of_score(annotators: list[fm.Corpus], metric: str) -> None:
    found = fm.agreement(annotators, metric=metric, workers=2)
    couples = list((combinations if found.symmetric else permutations)(range(3), 2))
    assert [(pair.first, pair.second) for pair in found.pairs] == [("ABC"[i], "ABC"[j]) for i, j in couples]
    for (i, j), (_, _, score) in zip(couples, found.pairs, strict=True):
        expected = fm.score(annotators[i], annotators[j], metric=metric)
        assert score.to_dict(pairs=True) == expected.to_dict(pairs=True)
        assert score.signature == found.signature == expected.signature and list(score.ids) == list(expected.ids)
        assert found.of(i, j) is found.of("ABC"[i], "ABC"[j]) is score and found.matrix[i, j] == expected.score
        assert found.macro_matrix[i, j] == expected.macro.headline
    assert np.isnan(np.diag(found.matrix)).all()
    if found.symmetric:
        assert np.array_equal(found.matrix, found.matrix.T, equal_nan=True) and found.of(2, 0) is found.of(0, 2)
        assert found.asymmetry == 0
        for i, j in couples:  # the metric keeps its promise
            assert fm.score(annotators[j], annotators[i], metric=metric).score == pytest.approx(found.matrix[i, j])
    else:
        assert found.asymmetry == max(abs(found.matrix[i, j] - found.matrix[j, i]) for i, j in couples)


def test_means(annotators: list[fm.Corpus]) -> None:
    for metric in ("smatch", "sembleu", "wlk"):
        found = fm.agreement(annotators, metric=metric)
        assert found.mean.headline == pytest.approx(np.mean([pair.score.score for pair in found.pairs]))
        assert len(found.mean) == len(found.headlines) == (1 if metric == "wlk" else 2)
        macro = [pair.score.macro.headline for pair in found.pairs]
        assert list(found.mean.values())[-1] == pytest.approx(np.mean(macro))
        for name in found.names:
            own = [pair.score.score for pair in found.pairs if name in pair[:2]]
            assert found.mean_of(name) == pytest.approx(np.mean(own))


def test_one_annotator_twice(annotators: list[fm.Corpus]) -> None:
    found = fm.agreement([annotators[0], annotators[1], annotators[1]], names=["x", "y", "y"])
    assert found.names == ("x", "y", "y (2)") and found.of("y", "y (2)").score == 1
    assert found.matrix[0, 1] == found.matrix[0, 2]


def test_forms_of_annotators(annotators, tmp_path):
    path = tmp_path / "a.amr"
    path.write_text("(a / b)\n\n(c / d)\n", encoding="utf-8")
    lists = ["(a / b)", "(c / e)"]
    found = fm.agreement({"file": path, "list": lists, "text": "(a / b) (c / d)"})
    assert found.names == ("file", "list", "text") and found.of("file", "text").score == 1
    assert found.of("file", "list").f1 < 1
    assert fm.agreement([path, lists, "(a / b) (c / d)"], names=found.names).to_dict() == found.to_dict()
    before = [len(corpus.vocabulary) for corpus in annotators]
    fm.agreement(annotators)
    assert [len(corpus.vocabulary) for corpus in annotators] == before  # nothing that is given grows


# ---- ids -------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("metric", ["smatch", "sembleu"])
def test_by_id_in_any_order(annotators: list[fm.Corpus], metric: str) -> None:
    rng = random.Random(0)
    mixed = [corpus[rng.sample(range(12), 12)] for corpus in annotators]
    asked = {"metric": metric, "bootstrap": 50}
    found = fm.agreement(mixed, pair_by="id", **asked)
    expected = fm.agreement(annotators, **asked)
    assert found.matrix == pytest.approx(expected.matrix, nan_ok=True) and found.missing == {}
    assert found.intervals is not None
    assert [list(pair.score.ids) for pair in found.pairs] == [mixed[0].ids] * len(found.pairs)
    with pytest.warns(fm.PairingWarning, match="::id differs in .* of [AB] and [BC]"):
        assert fm.agreement(mixed, metric=metric).mean.headline < expected.mean.headline


def test_missing_ids(annotators: list[fm.Corpus]) -> None:
    some = [annotators[0][1:], annotators[1], annotators[2][[0, 1, 5, 7]]]
    ids = annotators[0].ids
    raised = fails(fm.PairingError, None, fm.agreement, some, pair_by="id", names=["one", "two", "three"])
    assert f"1 id ({ids[0]!r}) not in one; 8 ids ({ids[2]!r}, " in str(raised)
    assert "not in three; unpaired='empty' counts" in str(raised)
    with pytest.warns(fm.PairingWarning) as given:
        found = fm.agreement(some, pair_by="id", unpaired="skip", names=["one", "two", "three"], bootstrap=20)
    assert len(given) == 3
    lacking = tuple(id for k, id in enumerate(ids) if k not in (0, 1, 5, 7))
    assert {name: set(missing) for name, missing in found.missing.items()} == {"one": {ids[0]}, "three": set(lacking)}
    assert [len(pair.score) for pair in found.pairs] == [11, 3, 4]
    both = annotators[1][[1, 5, 7, 0]], annotators[2][[1, 5, 7, 0]]  # in the order in which ids are first met
    assert found.of("two", "three").pairs.f1.tolist() == fm.score(*both).pairs.f1.tolist()
    assert found.intervals is None  # not all on the same sentences
    assert found.pairs[0].score.intervals is not None
    empty = fm.agreement(some, pair_by="id", unpaired="empty", names=["one", "two", "three"])
    assert empty.missing == found.missing and [len(pair.score) for pair in empty.pairs] == [12, 12, 12]
    assert empty.of("two", "three").matched == found.of("two", "three").matched
    assert [side for side, *_ in empty.of("one", "two").problems] == ["pred"]
    assert len(empty.of("two", "three").problems) == 8 and empty.n_invalid == {"one": 1, "two": 0, "three": 8}
    for pair in empty.pairs:
        assert not pair.score.pairs.f1[[problem.pair for problem in pair.score.problems]].any()


def test_an_id_that_two_annotators_lack(annotators: list[fm.Corpus]) -> None:
    """It is no pair of theirs, with ``empty`` neither: nothing is compared with nothing."""
    some = [annotators[0], annotators[1][2:], annotators[2][2:]]
    found = fm.agreement(some, pair_by="id", unpaired="empty", bootstrap=20)
    assert [len(pair.score) for pair in found.pairs] == [12, 12, 10] and found.intervals is None


def test_ids_that_are_wrong_by_themselves(annotators: list[fm.Corpus]) -> None:
    twice = fm.Corpus.concatenate([annotators[1][:11], annotators[1][:1]])
    fails(fm.PairingError, r"1 repeated id in B", fm.agreement, [annotators[0], twice], pair_by="id")
    some = [annotators[0], without_ids(annotators[1])]
    fails(fm.PairingError, "12 graphs of B without ::id", fm.agreement, some, pair_by="id")


def test_unequal_numbers(annotators: list[fm.Corpus]) -> None:
    some = [*annotators[:2], annotators[2][:11]]
    fails(fm.PairingError, "^agreement: A has 12 graphs, C 11; not in C: 1 id", fm.agreement, some)


# ---- intervals -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("method", ["bca", "percentile"])
def test_intervals(annotators: list[fm.Corpus], method: str) -> None:
    asked = {"bootstrap": 200, "bootstrap_method": method, "bootstrap_seed": 3, "confidence": 0.9}
    found = fm.agreement(annotators, **asked)
    assert found.intervals is not None
    for i, j in combinations(range(3), 2):
        assert found.of(i, j).intervals == fm.score(annotators[i], annotators[j], **asked).intervals
    for name, value in found.mean.items():
        low, high = found.intervals[name]
        assert low < value < high
        assert high - low <= max(np.subtract(*pair.score.intervals[name][::-1]) for pair in found.pairs)
    assert found.intervals.confidence == 0.9 and f"ci:{method}|conf:0.9|n:200|seed:3" in str(found.intervals.signature)
    alone = fm.agreement(annotators[:2], **asked)  # the mean of one pair is that pair
    for name in found.mean:
        assert alone.intervals[name] == pytest.approx(alone.pairs[0].score.intervals[name], abs=1e-12)


def test_workers_and_progress(annotators: list[fm.Corpus]) -> None:
    seen: list[tuple[int, int]] = []
    found = fm.agreement(annotators, metric="sembleu", bootstrap=30, progress=lambda *done: seen.append(done))
    assert seen[-1] == (72, 72) and seen == sorted(seen)
    assert fm.agreement(annotators, metric="sembleu", bootstrap=30, workers=3).to_dict() == found.to_dict()


# ---- results ---------------------------------------------------------------------------------------------------------


def test_json_and_tables(annotators: list[fm.Corpus]) -> None:
    found = fm.agreement(annotators, bootstrap=20, names=["<A>", "B", "C"])
    record = json.loads(json.dumps(found.to_dict(), allow_nan=False))
    assert record["names"] == ["<A>", "B", "C"] and record["mean"] == dict(found.mean)
    assert set(record["mean_of"]) == {"<A>", "B", "C"}
    assert [row["micro"]["f1"] for row in record["pairs"]] == [pair.score.f1 for pair in found.pairs]
    assert set(record["intervals"]) == {"confidence", "signature", "f1", "macro_f1"}
    assert [row["first"] for row in found.summaries()] == ["<A>", "<A>", "B"]
    assert repr(found).startswith("<Agreement: 3 annotators, mean F1 0.")
    pandas = pytest.importorskip("pandas")
    frame = found.to_pandas()
    assert isinstance(frame, pandas.DataFrame) and frame["second"].tolist() == ["B", "C", "C"]
    assert frame["f1"].tolist() == [pair.score.f1 for pair in found.pairs]


def test_broken_graphs(annotators: list[fm.Corpus]) -> None:
    texts = [without_ids(corpus) for corpus in annotators[:2]]
    texts[1][3] = "(a / b"
    fails(fm.ReadError, r"^B\[3\]:1:", fm.agreement, texts)
    found = fm.agreement(texts, on_error="empty")
    assert (found.n_invalid, found.n_repaired) == ({"A": 0, "B": 1}, {"A": 0, "B": 0})
    mended = fm.agreement(texts, on_error="repair")
    assert (mended.n_invalid, mended.n_repaired) == ({"A": 0, "B": 0}, {"A": 0, "B": 1})


def test_the_signature_says_that_graphs_of_any_annotator_were_repaired() -> None:
    texts = [["(a / b)"], ["(a / b)"], ["(a / b"]]
    found = fm.agreement(texts, on_error="repair")
    assert "on_error" not in found.pairs[0].score.signature.fields and found.signature.fields["on_error"] == "repair"
    assert fm.agreement(texts[:2], on_error="repair").signature == fm.score(*texts[:2]).signature


def test_no_graphs() -> None:
    with pytest.warns(fm.PairingWarning, match="no graphs"):
        found = fm.agreement([[], []], bootstrap=20)
    assert np.isnan(found.mean.headline) and json.dumps(found.to_dict(), allow_nan=False)


@pytest.mark.parametrize(
    ("given", "named", "message"),
    [
        ((["(a / b)"] * 2,), {"names": ["one"]}, "2 annotators but 1 names"),
        ((["(a / b)"] * 2,), {"unpaired": "skip"}, "goes with pair_by='id'"),
        ((["(a / b)"] * 2,), {"on_error": "skip"}, "on_error"),
        ((["(a / b)"] * 2,), {"bootstrap": 0}, "bootstrap"),
        ((["(a / b)"] * 2,), {"pair_by": "name"}, "pair_by"),
    ],
)
def test_what_is_refused(given: tuple[object], named: dict[str, object], message: str) -> None:
    fails(fm.OptionError, message, fm.agreement, *given, **named)


def test_names_that_are_not_there(annotators: list[fm.Corpus]) -> None:
    found = fm.agreement(annotators)
    for wrong in ("D", 3, -1, True, None):
        fails(fm.OptionError, "no annotator", found.of, "A", wrong)
    fails(fm.OptionError, "agreement of 'B' with itself", found.of, "B", 1)


def test_a_warning_names_the_annotators(annotators: list[fm.Corpus]) -> None:
    with warnings.catch_warnings(action="error"):
        fm.agreement(annotators)
    shifted = annotators[1][[*range(1, 12), 0]]
    with pytest.warns(fm.PairingWarning, match="of mine and theirs") as given:
        fm.agreement({"mine": annotators[0], "theirs": shifted})
    assert [warning.filename for warning in given] == [__file__]


def test_annotators_are_counted_whatever_holds_them():
    texts = ["(a / cat)", "(a / dog)"]
    assert fm.agreement(texts for _ in range(3)).names == ("A", "B", "C")
    for wrong, found in (({"x"}, "set"), (None, "NoneType"), ("(a / b)", "str"), (iter([texts]), "1")):
        fails(fm.OptionError, f"expected a sequence of two annotators or more, found {found}", fm.agreement, wrong)
