"""Comparing systems: p-values against full enumeration and against other programs' definitions, corrections, edges."""

import itertools
import json
import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

import fastmatch as fm
from fastmatch import CorpusScore, OptionError, PairingError, TripleScores
from fastmatch._ext.resampling import BOOTSTRAP, SWAP
from fastmatch.evaluation import bootstrap as resampling
from fastmatch.evaluation.comparison import compare_scores
from fastmatch.evaluation.significance import adjusted
from fastmatch.metrics import available, make

from support.columnar import weights
from support.nightly import by_day
from support.refusal import fails

SIGNATURE = make("smatch").signature("penman")


def result(rows) -> CorpusScore:
    columns = np.array(rows, np.int64).reshape(-1, 3).T
    return CorpusScore(TripleScores(*columns, columns[0], np.ones(columns.shape[1], np.bool_)), SIGNATURE)


def some_systems(n: int, seed: int = 0, gain: float = 0.1) -> tuple[CorpusScore, CorpusScore]:
    """Two systems on the same gold graphs; the second matches a little more."""
    rng = np.random.default_rng(seed)
    n_gold = rng.integers(3, 30, n)
    systems = []
    for chance in (0.6, 0.6 + gain):
        n_pred = np.maximum(1, n_gold + rng.integers(-2, 3, n))
        matched = rng.binomial(np.minimum(n_pred, n_gold), chance)
        systems.append(result(np.stack([matched, n_pred, n_gold], axis=1)))
    return systems[0], systems[1]


def of(scored: CorpusScore, name: str) -> float:
    kind, _, plain = name.rpartition("_")
    return (scored.macro if kind else scored.micro)[plain]


def difference(a: CorpusScore, b: CorpusScore, name: str) -> float:
    return of(b, name) - of(a, name)


def exchanged(a: CorpusScore, b: CorpusScore, which) -> tuple[CorpusScore, CorpusScore]:
    mine, its = a.pairs.statistics.T.copy(), b.pairs.statistics.T.copy()
    mine[which], its[which] = its[which].copy(), mine[which].copy()
    return result(mine), result(its)


# ---------------------------------------------------------------- p-values


@pytest.mark.parametrize("n", [2, 5, 9])
def test_exact_randomisation_is_the_full_enumeration(n):
    """All 2**n exchanges, each scored as a corpus, in plain Python."""
    a, b = some_systems(n, seed=n)
    found = compare_scores([a, b], ["a", "b"], resamples=600)
    assert "exchanges:exact" in str(found.signature)
    for row in found.differences:
        observed = difference(a, b, row.score)
        as_far = [
            abs(difference(*exchanged(a, b, np.array(which)), row.score)) >= abs(observed) - 1e-12
            for which in itertools.product([False, True], repeat=n)
        ]
        assert row.p_randomisation == sum(as_far) / 2**n and row.difference == pytest.approx(observed, abs=1e-15)


def test_random_exchanges_follow_the_definition():
    """Too many pairs for all exchanges: the kernel's own coins, each replicate scored as a corpus, and the + 1."""
    a, b = some_systems(20, seed=5, gain=0.05)
    found = compare_scores([a, b], ["a", "b"], resamples=99, bootstrap_seed=8)
    assert "exchanges:random" in str(found.signature)
    for name in ("f1", "macro_recall"):
        row = found.of(name)[0]
        swaps = (weights(8, SWAP, replicate, 20) == 1 for replicate in range(99))
        as_far = [abs(difference(*exchanged(a, b, swap), name)) >= abs(row.difference) - 1e-12 for swap in swaps]
        assert row.p_randomisation == (sum(as_far) + 1) / 100


def test_paired_bootstrap_follows_the_definition():
    a, b = some_systems(15, seed=6, gain=0.05)
    asked = {"resamples": 99, "bootstrap_seed": 2}
    row = compare_scores([a, b], ["a", "b"], **asked).of("f1")[0]
    drawn = [weights(2, BOOTSTRAP, replicate, 15) for replicate in range(99)]
    systems = [[result(np.repeat(system.pairs.statistics, draw, axis=1).T) for draw in drawn] for system in (a, b)]
    draws = np.array([difference(*both, "f1") for both in zip(*systems, strict=True)])
    as_far = np.abs(draws - draws.mean()) >= abs(row.difference)
    assert row.p_bootstrap == (as_far.sum() + 1) / 100
    percentile = compare_scores([a, b], ["a", "b"], **asked, bootstrap_method="percentile").of("f1")[0]
    np.testing.assert_allclose(percentile.interval, np.quantile(draws, [0.025, 0.975]), rtol=1e-12)


def test_a_clear_difference_and_none_at_all():
    a, b = some_systems(60, gain=0.3)
    for row in compare_scores([a, b], ["a", "b"], resamples=500).of("f1"):
        assert row.p_randomisation == row.p_bootstrap == 1 / 501
        assert 0 < row.interval.low < row.difference < row.interval.high and row.better > row.worse and row.effect > 0.5
    for row in compare_scores([a, a], ["a", "a"], resamples=500).differences:
        assert row.p_randomisation == row.p_bootstrap == 1 and row.interval == (0, 0)
        assert (row.effect, row.better, row.equal, row.worse) == (0, 0, 60, 0)
        assert (row.first, row.second) == ("a", "a (2)")


def test_effect_of_means_is_cohens_d():
    a, b = some_systems(25, seed=4)
    row = compare_scores([a, b], ["a", "b"], resamples=50).of("macro_f1")[0]
    gains = b.pairs.f1 - a.pairs.f1
    assert row.effect == pytest.approx(gains.mean() / gains.std(ddof=1), rel=1e-9)
    back = compare_scores([b, a], ["b", "a"], resamples=50).of("macro_f1")[0]
    assert back.effect == pytest.approx(-row.effect, rel=1e-12)


@pytest.mark.parametrize("n", [0, 1])
def test_too_few_pairs_say_nothing(n):
    a, b = some_systems(n)
    found = compare_scores([a, b], ["a", "b"], resamples=10)
    for row in found.differences:
        assert all(map(math.isnan, (row.p_randomisation, row.p_bootstrap, row.adjusted_bootstrap, row.effect)))
        assert all(map(math.isnan, row.interval))
        assert all(math.isnan(value) == (n == 0) for value in (*row.values, row.difference))
    assert "NaN" not in json.dumps(found.to_dict())


def test_real_statistics():
    """Soft matches are float64; with sums that end at 0, rounding must not leave a negative count."""
    a, b = some_systems(9, seed=7)
    soft = []
    for system in (a, b):
        columns = [column / 10 for column in (system.pairs.matched, system.pairs.n_pred, system.pairs.n_gold)]
        columns[0][::2] = 0
        soft.append(CorpusScore(TripleScores(*columns, columns[0], system.pairs.certified), SIGNATURE))
    whole = [result(np.round(10 * system.pairs.statistics.T)) for system in soft]
    found = compare_scores(soft, ["a", "b"], resamples=600)
    for row, other in zip(found.differences, compare_scores(whole, ["a", "b"], resamples=600).differences, strict=True):
        assert row.p_randomisation == other.p_randomisation
        assert row.difference == pytest.approx(other.difference, abs=1e-12)


# ---------------------------------------------------------------- several systems


@given(st.lists(st.floats(0, 1), max_size=12))
def test_corrections_against_their_definitions(p):
    assert adjusted(p, "none") == p and all(map(math.isnan, adjusted([0.1, math.nan], "holm")))
    assert adjusted(p, "bh") == pytest.approx(list(stats.false_discovery_control(p)) if p else [], abs=1e-12)
    holm, bonferroni = adjusted(p, "holm"), adjusted(p, "bonferroni")
    assert bonferroni == pytest.approx([min(1, value * len(p)) for value in p])
    # Holm by its stepwise definition: rejected at level t if all smaller ones are, and p_(i) <= t / (m - i)
    for level in (0.01, 0.05, 0.3):
        rejected = set()
        for place, number in enumerate(sorted(range(len(p)), key=p.__getitem__)):
            if p[number] * (len(p) - place) > level:
                break
            rejected.add(number)
        assert rejected == {number for number, value in enumerate(holm) if value <= level}
    assert all(before <= after <= most for before, after, most in zip(p, holm, bonferroni, strict=True))


def test_which_are_compared():
    systems = [*some_systems(30), some_systems(30, seed=1)[1]]
    names = ["base", "one", "two"]
    first = compare_scores(systems, names, resamples=200)
    assert [(row.first, row.second) for row in first.of("f1")] == [("base", "one"), ("base", "two")]
    every = compare_scores(systems, names, resamples=200, against="all", correction="bonferroni")
    assert [(row.first, row.second) for row in every.of("f1")] == [("base", "one"), ("base", "two"), ("one", "two")]
    for row, other in zip(first.of("f1"), every.of("f1"), strict=False):
        assert (row.p_randomisation, row.interval) == (other.p_randomisation, other.interval)
        assert other.adjusted_randomisation == min(1, 3 * other.p_randomisation)
    assert "against:all|correction:bonferroni|family:3" in str(every.signature)
    assert "correction" not in str(compare_scores(systems[:2], names[:2], resamples=10).signature)
    for system, scored in zip(systems, every.results, strict=True):
        assert scored.intervals == resampling.bootstrap(system.pairs, resampling.checked(200, 0.95, "bca", 0))


# ---------------------------------------------------------------- from graphs


GOLD = ["(a / b :ARG0 (c / d))", "(e / f :mod (g / h))", "(x / y)"]
ONE = ["(a / b :ARG0 (c / d))", "(e / f)", "(x / z)"]
TWO = ["(a / b :ARG1 (c / d))", "(e / f :mod (g / i))", "(x / y)"]


@pytest.mark.parametrize("metric", ["smatch", "toy"])
def test_every_form_of_arguments(metric):
    from support import toy_metric  # noqa: F401

    expected = fm.compare(ONE, TWO, GOLD, metric=metric, resamples=50)
    assert expected.names == ("A", "B")
    assert expected.of("f1")[0].values == (fm.score(ONE, GOLD, metric=metric).f1, fm.score(TWO, GOLD, metric=metric).f1)
    forms = [
        fm.compare(ONE, TWO, gold=GOLD, metric=metric, resamples=50),
        fm.compare(fm.parse(ONE), fm.parse(TWO), fm.parse(GOLD), metric=metric, resamples=50),
        fm.compare(*(fm.score(side, GOLD, metric=metric) for side in (ONE, TWO)), resamples=50),
    ]
    for form in forms:
        assert form.differences == expected.differences and form.signature == expected.signature
    assert f"p {expected.of('f1')[0].p_randomisation:.4f}" in repr(expected)
    assert json.loads(json.dumps(expected.to_dict()))["systems"][1]["name"] == "B"


@pytest.mark.parametrize("name", by_day(available(), 3))
def test_every_metric(name):
    """Intervals and comparisons of whatever a metric counts; its own scores of the corpus stand in them."""
    metric = make(name)
    gold, one, two = (fm.parse(side * 4, dialect=metric.dialect) for side in (GOLD, ONE, TWO))
    result = fm.score(one, gold, metric=metric, bootstrap=40)
    expected = dict(result.micro) if result.pairs.summable else {}
    prefix = "macro_" if expected else ""
    expected.update({f"{prefix}{name}": value for name, value in result.macro.items()})
    assert set(result.intervals) == set(expected) and all(low <= high for low, high in result.intervals.values())
    found = fm.compare(one, two, gold, metric=metric, resamples=40)
    for row in found.differences:
        assert row.values[0] == pytest.approx(expected[row.score], abs=1e-12) and 0 < row.p_randomisation <= 1
        assert 0 < row.p_bootstrap <= 1
    assert found.of(found.headlines[0])[0].first == "A"


def test_what_cannot_be_compared():
    one, two = fm.score(ONE, GOLD), fm.score(TWO, GOLD, top="none")
    for arguments, options, message in (
        ((ONE, GOLD), {}, "two systems or more, and the gold graphs"),
        ((), {}, "two systems or more, and the gold graphs"),
        ((one,), {}, "two systems or more, found 1"),
        ((one, TWO), {"gold": GOLD}, "results and graphs do not mix"),
        ((ONE, TWO[:2], GOLD), {}, "compare: B has 2 graphs, gold 3"),
        ((one, fm.score(TWO[:2], GOLD[:2])), {}, "A has 3 pairs, B 2"),
        ((one, two), {}, r"A was scored as smatch.* B as smatch.*; score both alike"),
        ((ONE, TWO, GOLD), {"names": ["one"]}, "2 systems but 1 names"),
        ((ONE, TWO, GOLD), {"correction": "sidak"}, "'sidak': expected one of 'holm', 'bonferroni', 'bh', 'none'"),
        ((ONE, TWO, GOLD), {"against": "last"}, "against='last'"),
    ):
        fails((OptionError, PairingError), message, fm.compare, *arguments, **options)
    fails(
        OptionError, "score='F1': expected one of 'f1', 'precision'", fm.compare(ONE, TWO, GOLD, resamples=5).of, "F1"
    )


def test_a_system_with_repairs_is_compared_with_one_that_needs_none():
    gold = ["(a / cat :x (b / dog))", "(c / cow)", "(d / dove)"]
    mended = ["(a / cat :x (b / dog", "(c / cow)", "(e / elk)"]
    found = fm.compare(mended, gold, gold=gold, on_error="repair", resamples=50)
    assert [result.n_repaired for result in found.results] == [1, 0]
    assert {result.signature.fields["on_error"] for result in found.results} == {"repair"}
    others = [found.results[0], fm.score(gold, gold, metric="smatch", top="none")]
    fails(OptionError, "score both alike", compare_scores, others, ["a", "b"])


# ---------------------------------------------------------------- slips


def test_results_of_other_pairs_are_told_apart():
    """Results are compared by position; the ids say when one was made of files in another order."""
    texts = [f"# ::id s{k}\n(a / cat :quant {k})" for k in range(4)]
    right, shuffled = fm.score(texts, texts), fm.score(texts[::-1], texts[::-1])
    with pytest.warns(fm.PairingWarning, match=r"pair 0 is 's0' in A and 's3' in new; results"):
        fm.compare(right, shuffled, names=["A", "new"])
    bare = [text.split("\n")[1] for text in texts]
    fm.compare(right, right, fm.score(bare, texts), fm.score(bare, bare))  # nothing is known to differ


def test_options_of_intervals_are_named_as_they_are_given():
    for option in ({"bootstrap_seed": -1}, {"bootstrap_method": "bca "}):
        fails(OptionError, f"^{next(iter(option))}=", fm.compare, ["(a / b)"], ["(a / b)"], ["(a / b)"], **option)


def test_means_of_aspects_are_of_the_pairs_that_have_them():
    """Each system's own pairs count, as in its own scores, whether it is compared or not."""
    gold = ["(a / b :polarity -)", "(a / b)", "(a / c :polarity - :ARG0 (d / e))", "(a / b)", "(a / b)", "(a / b)"]
    systems = [
        ["(a / b)", "(a / b)", "(a / c :polarity - :ARG0 (d / e))", "(a / b)", "(a / b)", "(a / b :polarity -)"],
        ["(a / b :polarity -)", "(a / b)", "(a / x :ARG0 (d / e))", "(a / b)", "(a / b)", "(a / b)"],
        gold,
    ]
    scored = [fm.aspects(system, gold) for system in systems]
    assert [aspects["Negations"].n_macro for aspects in scored] == [3, 2, 2]
    for name in scored[0]:
        results = [aspects[name] for aspects in scored]
        found = compare_scores(results, "abc", resamples=200, against="all")
        assert found.differences
        for each in found.differences:
            for system, value in zip((each.first, each.second), each.values, strict=True):
                assert value == pytest.approx(of(results["abc".index(system)], each.score), abs=1e-12)
        for own in found.results:
            for score, interval in own.intervals.items():
                assert interval.low - 1e-12 <= of(own, score) <= interval.high + 1e-12
