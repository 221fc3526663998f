"""Metrics against judgements of people: kinds of labels, figures, what is wrong with an input."""

import json
import random
import warnings

import numpy as np
import pytest
import scipy.stats

import fastmatch as fm
from fastmatch.benchmarks.concordance import STATISTICS, calibrated, calibrated_rows, perm_both, preferences_equal
from fastmatch.benchmarks.judgements import judgements
from fastmatch.benchmarks.overview import overview
from fastmatch.metrics.registry import from_text

from support.refusal import fails

WORDS = ["boy", "girl", "cat", "dog", "see-01", "want-01"]


@pytest.fixture(scope="module")
def pairs() -> tuple[list[str], list[str]]:
    """Forty pairs of graphs."""
    rng = random.Random(0)
    made = [[rng.choice(WORDS) for _ in range(3)] for _ in range(80)]
    texts = ["(a / {} :ARG0 (b / {}) :ARG1 (c / {}))".format(*words) for words in made]
    return texts[:40], texts[40:]


def scores(pred: list[str], gold: list[str], metric: str) -> np.ndarray:
    return np.array([fm.score(one, two, metric=metric).score for one, two in zip(pred, gold, strict=True)])


def test_graded(pairs: tuple[list[str], list[str]]) -> None:
    labels = [k % 5 for k in range(40)]
    (question,) = judgements(*pairs, labels, ["smatch", "wlk"], resamples=50, permutations=50).questions
    assert (question.kind, question.n, question.n_missing) == ("graded", 40, 0)
    assert question.statistics == ("pearson", "spearman", "kendall", "acc_eq")
    for i, metric in enumerate(("smatch", "wlk")):
        for k, correlation in enumerate((scipy.stats.pearsonr, scipy.stats.spearmanr, scipy.stats.kendalltau)):
            assert question.values[i, k] == pytest.approx(correlation(scores(*pairs, metric), labels).statistic)
    assert (question.low < question.high).all() and question.p[0, 1] == question.p[1, 0] <= 1
    assert question.p_williams[0, 1] <= 1


def test_the_same_for_any_number_of_workers(pairs: tuple[list[str], list[str]]) -> None:
    labels = [k % 3 for k in range(40)]
    asked = {"metrics": ["smatch", "rematch"], "resamples": 30, "permutations": 30}
    one, two = (judgements(*pairs, labels, **asked, workers=k) for k in (1, 2))
    assert one == two != judgements(*pairs, labels, **asked, seed=1)


@pytest.mark.parametrize(
    "labels", [[1, 0] * 20, [True, False] * 20, ["yes", "no"] * 20, ["TRUE", " false "] * 20, np.array([1.0, 0.0] * 20)]
)
def test_yes_and_no(pairs: tuple[list[str], list[str]], labels: list[object]) -> None:
    (question,) = judgements(*pairs, labels, "smatch", resamples=0, permutations=0).questions
    assert question.kind == "yes-no" and question.counts == {"yes": 20, "no": 20}
    row = scores(*pairs, "smatch")
    expected = scipy.stats.mannwhitneyu(row[0::2], row[1::2]).statistic / 400
    assert question.values[0, 0] == pytest.approx(expected) and np.isnan(question.low).all()


def test_classes_in_their_order(pairs: tuple[list[str], list[str]]) -> None:
    names = ["none", "Some", "all"]
    labels = [names[k % 3].lower() for k in range(40)]
    found = judgements(*pairs, labels, "smatch", classes=names, yes_from="some", resamples=0).questions[0]
    numbers = judgements(*pairs, [k % 3 for k in range(40)], "smatch", yes_from=1, resamples=0).questions[0]
    assert found.statistics == ("pearson", "spearman", "kendall", "acc_eq", "auc")
    assert found.values.tolist() == numbers.values.tolist() and found.counts == {"yes": 26, "no": 14}
    # names that are numbers
    again = judgements(*pairs, [k % 3 + 7 for k in range(40)], "smatch", classes=["7", "8", "9"], resamples=0)
    assert again.questions[0].values[0].tolist() == numbers.values[0, :4].tolist()
    (words,) = judgements(*pairs, [True, False] * 20, "smatch", classes=["false", "true"], resamples=0).questions
    expected = scipy.stats.pearsonr(scores(*pairs, "smatch"), [1, 0] * 20).statistic
    assert words.kind == "graded" and words.values[0, 0] == pytest.approx(expected)


@pytest.mark.parametrize("form", ["alternating", "halved", "other"])
def test_preferences(pairs: tuple[list[str], list[str]], form: str) -> None:
    pred, gold = pairs
    first, second, gold = pred[0::2], pred[1::2], gold[:20]
    if form == "other":
        labels = ["first", "second", "tie", "first"] * 5
        (question,) = judgements(first, gold, labels, ["smatch"], other=second).questions
    else:
        golds = gold if form == "halved" else [text for text in gold for _ in range(2)]
        (question,) = judgements(pred, golds, [1, 0, 0.5, 1] * 5, ["smatch"]).questions
    assert question.kind == "preferences" and question.counts == {"first": 10, "second": 5, "tie": 5}
    apart = scores(first, gold, "smatch") - scores(second, gold, "smatch")
    wanted = np.array([1, -1, 0, 1] * 5)
    right = [0.5 if not d else float(np.sign(d) == w) for d, w in zip(apart, wanted, strict=True) if w]
    assert question.values[0, 0] == pytest.approx(np.mean(right))
    assert question.ties[0] == sum(not d for d, w in zip(apart, wanted, strict=True) if w)
    assert question.values[0, 1] >= np.mean(np.sign(apart) == wanted)


def test_groups(pairs: tuple[list[str], list[str]]) -> None:
    labels, topics = [k % 5 for k in range(40)], ["even", "odd"] * 20
    (question,) = judgements(*pairs, labels, ["smatch"], groups=topics, resamples=100).questions
    row = scores(*pairs, "smatch")
    assert question.groups == ("even", "odd") and question.group_sizes == (20, 20)
    expected = [scipy.stats.pearsonr(row[k::2], labels[k::2]).statistic for k in (0, 1)]
    assert question.group_values[0, 0].tolist() == pytest.approx(expected)
    assert question.group_mean[0, 0] == pytest.approx(np.mean(expected))
    calibration = calibrated(row, np.array(labels, float), np.array([0, 1] * 20))
    assert question.group_mean[0, 3] == pytest.approx(calibration.accuracy)
    expected_tau = [scipy.stats.kendalltau(row[k::2], labels[k::2]).statistic for k in (0, 1)]
    assert question.group_values[0, 2].tolist() == pytest.approx(expected_tau)
    # two groups are drawn: twice one of them, or both
    assert min(expected) - 1e-9 <= question.low[0, 0] <= question.high[0, 0] <= max(expected) + 1e-9


def test_what_is_tested(pairs: tuple[list[str], list[str]]) -> None:
    """Any statistic and its mean over groups, each from the same permutations as the test by itself."""
    labels, topics = [k % 5 for k in range(40)], [k % 3 for k in range(40)]
    human, groups = np.array(labels, float), np.array(topics)
    both = np.stack([scores(*pairs, name) for name in ("smatch", "wlk")])

    def asked(**options):
        options |= {"groups": topics, "resamples": 0, "permutations": 50, "yes_from": 3}
        return judgements(*pairs, labels, ["smatch", "wlk"], **options).questions[0]

    def tau(row):
        parts = [groups == each for each in range(3)]
        return np.mean([scipy.stats.kendalltau(row[each], human[each]).statistic for each in parts])

    def mean(rows):
        return np.array([tau(row) for row in rows])

    def areas(rows):
        return STATISTICS["auc"](rows, (human >= 3).astype(float), np.ones(rows.shape))

    for options, figures in (
        ({"test": "kendall", "test_groups": True}, mean),
        ({"test": "auc"}, areas),
        ({"test": "acc_eq"}, lambda rows: calibrated_rows(rows, human)),
        ({"test": "acc_eq", "test_groups": True}, lambda rows: calibrated_rows(rows, human, groups)),
    ):
        found = asked(**options)
        assert found.p[0, 1] == perm_both(both, figures, 50, 0)[0, 1]
        assert (found.tested, found.test_groups) == (options["test"], "test_groups" in options)
        assert np.isnan(found.p_williams).all()
        figure = found.group_mean if found.test_groups else found.values
        assert figure[:, found.statistics.index(found.tested)] == pytest.approx(figures(both))
    # a question that has no such statistic is tested in its headline
    assert asked(test="accuracy").tested == "pearson" and asked().p_williams[0, 1] > 0


def test_ties_of_preferences_are_tested_as_answers(pairs: tuple[list[str], list[str]]) -> None:
    first, gold = pairs
    second = [*first[1:], first[0]]
    labels = [("first", "second", "tie", "first")[k % 4] for k in range(40)]
    asked = {"metrics": ["smatch", "wlk"], "other": second, "resamples": 0, "permutations": 50, "test": "acc_eq"}
    (found,) = judgements(first, gold, labels, **asked).questions
    rows = np.stack([scores(first, gold, name) - scores(second, gold, name) for name in ("smatch", "wlk")])
    human = np.array([(1.0, -1.0, 0.0, 1.0)[k % 4] for k in range(40)])

    def figures(rows):
        return np.array([preferences_equal(row, human).accuracy for row in rows])

    assert found.p[0, 1] == perm_both(rows, figures, 50, 0, centred=False)[0, 1]


def test_a_group_whose_labels_do_not_vary_is_left_out_of_the_mean(pairs: tuple[list[str], list[str]]) -> None:
    labels, groups = [k % 5 for k in range(20)] + [3] * 20, ["a"] * 20 + [None, float("nan"), " "] + ["b"] * 17
    (question,) = judgements(*pairs, labels, "smatch", groups=groups, resamples=0).questions
    assert (question.groups, question.group_sizes) == (("a", "(none)", "b"), (20, 3, 17))
    assert np.isnan(question.group_values[0, 0, 1:]).all()
    assert question.group_mean[0, 0] == question.group_values[0, 0, 0]


def test_missing_labels_are_left_out_and_counted(pairs: tuple[list[str], list[str]]) -> None:
    labels: list[object] = [None, "", float("nan"), *(k % 5 for k in range(37))]
    (question,) = judgements(*pairs, labels, "smatch", groups=["a"] * 40).questions
    (rest,) = judgements(pairs[0][3:], pairs[1][3:], labels[3:], "smatch").questions
    assert (question.n, question.n_missing) == (37, 3) and question.values.tolist() == rest.values.tolist()


def test_what_other_packages_have_for_nothing(pairs: tuple[list[str], list[str]]) -> None:
    pandas = pytest.importorskip("pandas", reason="pandas is not installed")
    pyarrow = pytest.importorskip("pyarrow", reason="pyarrow is not installed")
    numbers = [None, *(k % 5 for k in range(39))]
    expected = judgements(*pairs, numbers, "smatch", resamples=0).questions[0]
    masked = np.ma.array([0, *numbers[1:]], mask=[True] + [False] * 39)
    for labels in (pandas.Series(numbers, dtype="Int64"), pyarrow.array(numbers), masked):
        (question,) = judgements(*pairs, labels, "smatch", resamples=0).questions
        assert (question.n, question.n_missing) == (39, 1) and question.values.tolist() == expected.values.tolist()
    groups = pandas.Series([None, *"ab" * 19, "a"], dtype="string")
    assert judgements(*pairs, numbers, "smatch", groups=groups, resamples=0).questions[0].groups == ("a", "b")
    frame = pandas.DataFrame({"alike": numbers, "good": [k % 3 == 0 for k in range(40)]})
    found = judgements(*pairs, frame, "smatch", resamples=0).questions
    assert [(each.name, each.kind) for each in found] == [("alike", "graded"), ("good", "yes-no")]
    assert found[0].values.tolist() == expected.values.tolist()


def test_figures_that_are_not_defined(pairs: tuple[list[str], list[str]]) -> None:
    """Each a group of its own: dashes, which are explained, and no warning of another package."""
    labels = [k % 5 for k in range(40)]
    with warnings.catch_warnings(action="error"):
        found = judgements(*pairs, labels, ["smatch", "wlk"], groups=range(40), resamples=10, permutations=10)
        alone = judgements(pairs[0][:1], pairs[1][:1], [3], resamples=10, permutations=10)
        constant = judgements(*pairs, [3] * 40, "smatch", resamples=10)
    assert np.isnan(found.questions[0].group_values).all()
    assert "–: not defined, as all labels or all scores of the group" in found.report().to("text")
    assert "–: not defined, as all labels or all scores are the same\n" not in found.report().to("text")
    for each in (alone, constant):
        assert np.isnan(each.questions[0].values[0, :3]).all()
        assert "–: not defined, as all labels or all scores are the same\n" in each.report().to("text")


def test_several_questions_and_metrics_of_other_readers(pairs: tuple[list[str], list[str]]) -> None:
    labels = {"alike": [k % 5 for k in range(40)], "good": [k % 3 == 0 for k in range(40)]}
    found = judgements(*pairs, labels, ["smatch", "sembleu/tool"], resamples=0, permutations=20)
    table = overview(found, [from_text(name) for name in found.metrics])
    assert [each.name for each in table.measures] == ["alike", "good"] and table.vectors == (False, False)
    assert (table.microseconds > 0).all()
    json.dumps([found.to_dict(), table.to_dict()], allow_nan=False)
    assert "<table" in found._repr_html_()
    pytest.importorskip("pandas", reason="pandas is not installed")
    assert len(found.to_pandas()) == 2 * 4 * 2
    assert "alike pearson" in table.to_pandas().columns


def test_files(tmp_path, pairs):
    for name, texts in zip(("pred", "gold"), pairs, strict=True):
        (tmp_path / name).write_text("\n\n".join(texts), encoding="utf-8")

    def asked(text: str):
        (tmp_path / "labels").write_text(text, encoding="utf-8")
        return judgements(tmp_path / "pred", tmp_path / "gold", tmp_path / "labels", resamples=0).questions

    numbers = [k % 5 for k in range(40)]
    lines = [f"{number}\n" for number in numbers]
    expected = judgements(*pairs, numbers, resamples=0).questions[0]
    assert asked("".join(lines))[0].values.tolist() == expected.values.tolist()
    # blank lines at the end are missing labels where these are missing, and else nothing
    for known, blank, missing in ((40, 0, 0), (40, 3, 0), (38, 2, 2), (38, 5, 2)):
        (question,) = asked("".join(lines[:known]) + "\n" * blank)
        assert (question.n, question.n_missing) == (known, missing)
    (question,) = asked("1\n0\n" * 10 + "\n" * 30)
    assert (question.kind, question.n, question.n_missing) == ("preferences", 20, 0)
    first, second = asked("".join(f"{(1, 0, 0.5)[k % 3]}\t{k % 2}\t1\tid.{k}\nsee above\n" for k in range(20)))
    assert (first.name, first.kind, first.n) == ("preference", "preferences", 20)
    assert (second.name, second.kind, second.n) == ("acceptable", "yes-no", 40)
    for text, message in (
        ("1\t1\nsee above\n", r"labels:1:1: expected a preference and two answers"),
        ("1\t1\t0\nsee above\n1\t1\t0\nsee\n", r"labels:4:1: expected 'see above'"),
        ("1\t1\t0\nsee above\n1\t1\t0\n", r"labels:4:1: expected 'see above', found the end"),
    ):
        fails(fm.ReadError, message, asked, text)


@pytest.mark.parametrize(
    ("labels", "options", "message"),
    [
        (["good"] * 40, {}, r"label\[0\]: expected a number, found 'good'; if labels are names of classes"),
        ([1, 2] * 20, {"kind": "yes-no"}, r"label\[1\]: expected 1 or 0, or yes or no, found 2"),
        ([1, 2] * 10, {}, r"label\[1\]: expected 1, 0 or 0.5, or first, second or tie, found 2"),
        ([10**400] * 40, {}, "expected a number, found 1000"),
        ([float("inf")] * 40, {}, "expected a number, found inf"),
        ([[1]] * 40, {}, r"label\[0\]: expected a number, found \[1\]"),
        ([None] * 40, {}, "label: no label"),
        (["a"] * 40, {"classes": ["b", "c"]}, "expected one of b, c, found 'a'"),
        (["a"] * 40, {"classes": ["a", "A"]}, "expected two different names or more"),
        (["a", "b"] * 20, {"classes": "ab"}, "classes='ab': expected two different names or more"),
        (["1,5", "2"] * 20, {}, r"label\[0\]: expected a number, found '1,5'; write it with a point$"),
        ([1, 0] * 20, {"yes_from": 1}, "goes with graded labels"),
        ([1, 2] * 20, {"yes_from": "high"}, "yes_from='high': expected a number"),
        ([1, 2] * 20, {"kind": "good"}, "kind='good'"),
        ([1, 2] * 20, {"resamples": -1}, "resamples=-1"),
        ([1, 2] * 20, {"permutations": True}, "permutations=True"),
        ([1, 2] * 20, {"confidence": 95}, "confidence=95"),
        ([1, 2] * 20, {"metrics": []}, "metrics: expected at least one"),
        ({}, {}, "labels: expected at least one column"),
        ({1, 2}, {}, "labels: expected a sequence"),
        (3, {}, "labels: expected a sequence"),
        ([1, 0] * 20, {"other": ["(a / b)"] * 40, "kind": "graded"}, "kind='graded'"),
        ([1, 2] * 20, {"test": "tau"}, "test='tau'"),
        ([1, 2] * 20, {"test_groups": True}, "there are no groups"),
    ],
)
def test_wrong_input(pairs, labels, options, message):
    fails(fm.OptionError, message, judgements, *pairs, labels, **options)


def test_wrong_numbers(pairs: tuple[list[str], list[str]]) -> None:
    pred, gold = pairs
    for given, options, message in (
        ((pred, gold[:7], [1] * 40), {}, "pred has 40 graphs, but gold 7"),
        ((pred, gold, [1, 2, 3]), {}, "label: 3 labels of 40 pairs of graphs"),
        ((pred, gold, [1] * 40), {"kind": "preferences"}, "40 labels of 20 pairs of predictions"),
        ((pred, gold, [1, 2] * 20), {"groups": ["a"]}, "groups: 1, but 40 labels of label"),
        ((pred, gold, [1] * 40), {"other": pred[1:]}, "as many first as second predictions"),
        ((pred[:3], gold[:3], [1, 2, 3]), {"kind": "preferences"}, "between two predictions, but there are 3"),
    ):
        fails(fm.PairingError, message, judgements, *given, **options)


def test_a_metric_without_a_score_of_some_pair_has_no_figures(pairs, monkeypatch):
    monkeypatch.setattr("fastmatch.benchmarks.judgements._scores", lambda *given: np.append(np.arange(39.0), np.nan))
    found = judgements(*pairs, [k % 5 for k in range(40)], "smatch", resamples=10)
    assert found.n_unscored == (1,) and np.isnan(found.questions[0].values).all()
    assert "smatch: no figures: no score of 1 pair" in found.report().to("text")


def test_reading_word_vectors_is_no_cost_of_a_pair(pairs, monkeypatch):
    """A clock by which the first call of ``prepare`` takes an hour, and nothing else any time."""
    calls: list[int] = []
    plain = type(from_text("smatch")).prepare

    def prepare(metric, corpus):
        calls.append(len(corpus))
        return plain(metric, corpus)

    monkeypatch.setattr(type(from_text("smatch")), "prepare", prepare)
    monkeypatch.setattr("fastmatch.benchmarks.judgements.perf_counter", lambda: 3600.0 * bool(calls))
    assert judgements(*pairs, [k % 5 for k in range(40)], "smatch", resamples=0).seconds == (0.0,)
    assert calls[:2] == [1, 40]


def test_overview_of_other_metrics(pairs: tuple[list[str], list[str]]) -> None:
    from fastmatch.benchmarks.rare import evaluate, generate

    found = judgements(*pairs, [k % 5 for k in range(40)], "smatch", resamples=0)
    made = generate(fm.parse(pairs[0]), ("test",))
    fails(fm.OptionError, "different metrics", overview, found, [from_text("smatch")], rare=evaluate(made, ["wlk"]))
    assert overview(found, [from_text("smatch")], rare=evaluate(made, ["smatch"])).measures[-1].name == "RARE"


#: Accuracy on 134 preferences and AUC of 400 answers, percent. WLK's AUC is the best one.
PARSES = {
    "smatch": (69.4, 61.3), "smatch++": (70.1, 61.3), "s2match": (71.6, 61.0), "wsmatch": (70.1, 56.6),
    "sembleu": (63.4, 60.1), "rematch": (67.2, 60.6), "wlk": (67.2, 63.0), "ancast": (68.3, 59.8),
    "softoverlap": (65.3, 57.1),
}  # fmt: skip


def test_judgements_of_parses(data_dir):
    """The set of Opitz and Frank (2022), The Little Prince: figures that were worked out by another program."""
    data = data_dir / "data"
    vectors = data / "glove.6B.100d.subset.txt"
    metrics = [f"{name},embeddings={vectors}" if name in ("s2match", "softoverlap") else name for name in PARSES]
    files = data / "lpp/parsers.amr", data / "lpp/parsers-gold.amr", data / "judgements/lpp-parsers.labels.txt"
    preference, acceptable = judgements(*files, metrics, resamples=200, permutations=0).questions
    assert preference.counts == {"first": 54, "second": 80, "tie": 66}
    assert acceptable.counts == {"yes": 245, "no": 155}
    for i, (accuracy, area) in enumerate(PARSES.values()):
        assert 100 * preference.values[i, 0] == pytest.approx(accuracy, abs=0.05 + 1e-9)
        assert 100 * acceptable.values[i, 0] == pytest.approx(area, abs=0.05 + 1e-9)
        # with 134 preferences an interval is some 8 points on each side
        assert 13 < 100 * (preference.high[i, 0] - preference.low[i, 0]) < 19
