"""Soft overlap: what holds of its scores, its files of parameters, and what it explains."""

import numpy as np
import pytest

import fastmatch as fm
from fastmatch._ext.matching.score import score_exact
from fastmatch.metrics.base import from_text, make
from fastmatch.metrics.embeddings import Embeddings
from fastmatch.metrics.run import run
from fastmatch.metrics.shared.overlap_parameters import (
    UNTRAINED,
    Parameters,
    read_parameters,
    rounded,
    write_parameters,
)
from fastmatch.metrics.shared.search import WORK
from fastmatch.metrics.softoverlap import SoftOverlap, centring

from support.hostile import FAMILIES
from support.places import DATA
from support.refusal import fails

pytestmark = pytest.mark.filterwarnings("ignore::fastmatch.PairingWarning")

GOLD, PRED = DATA / "pairs-gold.amr", DATA / "pairs-pred.amr"
WORDS = "the want need boy girl cat dog go run new york city person not eat big small two".split()  # noqa: SIM905
RANDOM = np.random.default_rng(0)
VECTORS = Embeddings.from_arrays(WORDS, RANDOM.normal(size=(len(WORDS), 12)) + 1)
TRAINED = Parameters(
    vectors=VECTORS.fingerprint,
    rank=1.5,
    classes={"frame": 0.3, "string": -0.5},
    incoming={":arg0": 0.4, ":top": 0.7},
    edges={":arg1": -0.2},
    warp=np.array([0.05, 0.05, 0.05, 0.1, 0.1, 0.1, 0.1, 0.15, 0.15, 0.15]),
    square=0.3,
    single=0.4,
    between=0.7,
    map=0.1 * RANDOM.normal(size=(12, 12)),
)
METRICS = [
    SoftOverlap(),
    SoftOverlap(smatch=0.0),
    SoftOverlap(embeddings=VECTORS),
    SoftOverlap(embeddings=VECTORS, parameters=TRAINED, smatch=0.1),
    SoftOverlap(embeddings=VECTORS, parameters=TRAINED, smatch=0.1, structure=0.7, means=0.3),
]
each = pytest.mark.parametrize("metric", METRICS, ids=["letters", "pure", "vectors", "trained", "structure"])


def corpora() -> list[fm.Corpus]:
    return fm.Corpus.together([fm.read(PRED), fm.read(GOLD)])


def all_pairs(metric: SoftOverlap):
    pred, gold = corpora()
    i, j = np.divmod(np.arange(len(pred) * len(gold), dtype=np.int32), np.int32(len(gold)))
    return metric.prepare(pred), metric.prepare(gold), i, j


@each
def test_symmetric_bounded_and_one_for_itself(metric):
    one, two, i, j = all_pairs(metric)
    there, back = run(metric, one, two, i, j), run(metric, two, one, j, i)
    assert there.score.tolist() == back.score.tolist()
    assert there.scores["precision"].tolist() == back.scores["recall"].tolist() and (there.score >= 0).all()
    assert (there.score <= 1).all()
    same = run(metric, two, two, j, j)
    assert (same.score == 1).all() and (same.scores["precision"] == 1).all()


def test_only_equal_graphs_score_one_where_smatch_has_a_part():
    pair = "(a / and :op1 (c / cat) :op2 (d / cat))", "(a / and :op1 (c / cat))"
    assert fm.score(*pair, metric="softoverlap").score < 1
    # every node and edge finds an equal one if one may be found twice, but :op2
    twice = "(h / hit-01 :arg0 (c / cat) :arg1 (d / cat))", "(h / hit-01 :arg0 (c / cat) :arg1 c)"
    assert fm.score(*twice, metric="softoverlap", smatch=0.0).score == 1
    assert fm.score(*twice, metric="softoverlap").score < 1


def test_graphs_are_standardised():
    for one, two in (
        ("(w / Want-01 :ARG0 (b / boy))", "(w / want-01 :ARG0 (b / boy))"),
        ('(c / city :name (n / name :op1 "York") :wiki "York")', "(c / city :name (n / name :op1 york))"),
        # the root is another one, but no mass depends on roots except by depth
        ("(b / boy :domain (g / girl))", "(g / girl :mod (b / boy) )"),
    ):
        assert fm.score(one, two, metric="softoverlap", smatch=0.0).score == 1


def test_structure_decides_where_all_words_match():
    def scored(one: str, two: str, **options: object) -> dict[str, float]:
        result = fm.score(one, two, metric="softoverlap", smatch=0.1, **options)
        names = result.pairs.names
        return {"score": result.score, **{name: result.pairs.statistics[names.index(name), 0] for name in names}}

    chases = "(c / chase-01 :ARG0 (d / dog) :ARG1 (k / cat))"
    other_way = "(c / chase-01 :ARG0 (k / cat) :ARG1 (d / dog))"
    usual, structured = (scored(chases, other_way, **options) for options in ({}, {"structure": 0.7}))
    assert usual["nodes"] == structured["nodes"] == 1
    soft = (usual["score"] - 0.1 * usual["smatch"]) / 0.9
    assert structured["score"] == pytest.approx(0.3 * soft + 0.7 * usual["smatch"], abs=1e-12)
    assert structured["score"] < usual["score"] - 0.1
    # a word that is only like its match: the part is that of its power
    near = "(c / chase-02 :ARG0 (k / cat) :ARG1 (d / dog))"
    usual, structured = (scored(chases, near, **options) for options in ({}, {"structure": 0.6}))
    assert 0.95 < usual["nodes"] < 1
    part = 0.1 + 0.5 * usual["nodes"] ** 4
    soft = (usual["score"] - 0.1 * usual["smatch"]) / 0.9
    assert structured["score"] == pytest.approx((1 - part) * soft + part * usual["smatch"], abs=1e-12)
    assert fm.score(chases, near, metric="softoverlap", preset="people").score == structured["score"]
    # as everywhere: the same option says the same as none
    assert scored(chases, near, structure=0.1)["score"] == pytest.approx(usual["score"], abs=1e-15)
    assert fm.score(chases, other_way, metric="softoverlap", smatch=0.0, structure=1.0).score < 1
    assert fm.score(chases, chases, metric="softoverlap", structure=0.5).score == 1


def test_mean_vectors_have_a_part():
    def scored(one: str, two: str, **options: object) -> float:
        return fm.score(one, two, metric="softoverlap", embeddings=VECTORS, **options).score

    wants, needs = "(w / want-01 :ARG0 (b / boy))", "(n / need-01 :ARG0 (g / girl :mod (s / small)))"
    soft = scored(wants, needs, smatch=0.0)
    cosine = scored(wants, needs, smatch=0.0, means=1.0)
    assert 0 < soft < 1
    assert 0 < cosine < 1
    both = scored(wants, needs, smatch=0.0, means=0.3)
    assert both == pytest.approx(1 / (0.7 / soft + 0.3 / cosine), abs=1e-12)
    triples = fm.score(wants, needs, metric="softoverlap", smatch=1.0).score
    assert scored(wants, needs, smatch=0.1, means=0.3) == pytest.approx(0.9 * both + 0.1 * triples, abs=1e-12)
    # no vectors, and everything found: the score is that without means
    for other in ("(f / frobnicate-01)", wants, "(w / want-01 :ARG0 (b / boy :ARG0-of w))"):
        assert scored(wants, other, smatch=0.1, means=0.3) == scored(wants, other, smatch=0.1)


def test_the_order_of_a_list_is_no_difference_but_to_smatch():
    pair = "(a / and :op1 (c / cat) :op2 (d / dog))", "(a / and :op1 (d / dog) :op2 (c / cat))"
    assert fm.score(*pair, metric="softoverlap", smatch=0.0).score == 1
    assert fm.score(*pair, metric="softoverlap").score < 1
    other = "(a / and :op1 (c / cat) :ARG2 (d / dog))", "(a / and :ARG1 (d / dog) :op2 (c / cat))"
    assert fm.score(*other, metric="softoverlap", smatch=0.0).score < 1


def test_terms_of_likeness():
    def scored(one, two, **options):
        return fm.score(f"(a / {one})", f"(a / {two})", metric="softoverlap", smatch=0.0, **options).scores.precision

    assert scored("want-01", "want-02") == scored("want-01", "want") == 0.95 and scored("want-01", "need-01") == 0
    assert 0 < scored("want-01", "need-01", embeddings=VECTORS) < 0.7
    assert scored("running", "runnings") == pytest.approx(0.85 * 12 / 13) and scored(20, 10) == 0.25 * 0.5
    assert scored("-", "+") == scored("-", "cat") == scored(20, -10) == 0


def test_less_mass_for_frequent_words():
    """``the`` is the first line of the file, ``two`` the last one."""
    frequent, rare = ("(a / boy :mod (b / the))", "(a / boy)"), ("(a / boy :mod (b / two))", "(a / boy)")
    scores = [fm.score(*pair, metric="softoverlap", embeddings=VECTORS).score for pair in (frequent, rare)]
    assert scores[0] > scores[1]
    without = [fm.score(*pair, metric="softoverlap").score for pair in (frequent, rare)]
    assert without[0] == without[1]


def test_pairs_that_stay_uncertified_are_symmetric_too(monkeypatch):
    """Unrelated graphs without anything to tell nodes apart, and hardly any work allowed: one limit for both ways."""
    limits = []

    def watched(*arguments, **options):
        limits.append(options["max_work"])
        score_exact(*arguments, **options)

    monkeypatch.setattr("fastmatch.metrics.shared.search.score_exact", watched)
    one, two = FAMILIES["graphs"](4, 600)
    metric = make("softoverlap", effort="minimal")
    there = fm.score(one, two, metric=metric)
    assert not there.pairs.whole[0] and len(limits) == 2 and sum(limits) == WORK["minimal"]
    assert fm.score(two, one, metric=metric).score == there.score


@each
def test_bounds_skip_work_and_are_bounds(metric):
    pairs = all_pairs(metric)
    exact, bound, half = (run(each, *pairs).score for each in (metric, metric.reaching(np.inf), metric.reaching(0.5)))
    assert (bound >= exact).all() and (bound > exact).any()
    assert (half[exact >= 0.5] == exact[exact >= 0.5]).all() and (half[exact < 0.5] < 0.5).all()
    assert (half != exact).any()


@each
def test_flow(metric):
    pred, gold = corpora()
    found = fm.align(pred[:1], gold[:1], metric=metric)
    assert found.score == fm.score(pred[:1], gold[:1], metric=metric).score and 0 < found.mass.sum() <= 1 + 1e-9
    assert found.mass.shape == found.cost.shape == (len(found.nodes_pred), len(found.nodes_gold))
    assert found.cost.min() >= 0 and found.cost.max() <= 1 and (found.mass[found.cost == 1] == 0).all()
    assert found.distance == pytest.approx(1 - (found.mass * (1 - found.cost)).sum())
    for v, line in enumerate(found.cost):
        assert (found.mass[v, line.argmin()] > 0) == (line.min() < 1)
    for v in {flow.pred for flow in found.flows}:
        parts = [row[1] for row, flow in zip(found.rows(), found.flows, strict=True) if flow.pred == v]
        assert abs(sum(int(part.removesuffix(" %")) for part in parts) - 100) <= len(parts)


def test_flow_of_graphs_with_nothing_in_common():
    found = fm.align("(a / cat)", "(d / 7 :mod (b / 8))", metric="softoverlap", smatch=0.0)
    assert found.flows == [] and (found.score, found.distance, found.mapping) == (0, 1, {})
    same = fm.align("(a / cat)", "(c / cat)", metric="softoverlap")
    assert (same.score, same.distance, same.mapping) == (1, 0, {"a": {"c": 1.0}})


def test_signature_names_vectors_and_parameters(tmp_path):
    path = tmp_path / "parameters.tsv"
    write_parameters(path, TRAINED)
    text = str(SoftOverlap(embeddings=VECTORS, parameters=path).signature("penman"))
    assert f"vec:{VECTORS.fingerprint[:16]}" in text and f"par:{read_parameters(path).digest}" in text
    assert "option." not in text and str(tmp_path) not in text  # trained vectors need the file; it has its digest
    fails(fm.OptionError, "give what it is of with embeddings=", fm.metrics.from_signature, text)


def test_centring_takes_out_what_all_words_share():
    vectors = np.random.default_rng(1).normal(size=(2000, 6)) + 5
    centre, matrix = centring(Embeddings.from_arrays([f"w{k}" for k in range(2000)], vectors))
    assert centre == pytest.approx(vectors.mean(axis=0), abs=1e-5)
    assert np.linalg.matrix_rank(matrix) == 3
    centre, matrix = centring(VECTORS)  # too few words
    assert (centre == 0).all()
    assert (matrix == np.eye(12)).all()


# ---------------------------------------------------------------- parameters


def test_parameters_are_read_as_they_were_written(tmp_path):
    path = tmp_path / "parameters.tsv"
    write_parameters(path, TRAINED, ["made by a test"])
    assert path.read_text().startswith("# fastmatch softoverlap parameters\n# made by a test\nvectors\t")
    found = read_parameters(path)
    assert found.digest == rounded(TRAINED).digest and (found.rank, found.vectors) == (1.5, VECTORS.fingerprint)
    assert found.incoming == TRAINED.incoming and found.map == pytest.approx(TRAINED.map, rel=1e-5)
    pred, gold = corpora()
    metrics = (SoftOverlap(embeddings=VECTORS, parameters=each) for each in (path, found))
    one, two = (fm.score(pred, gold, metric=metric).pairs.score.tolist() for metric in metrics)
    assert one == two


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "found none"),
        ("rank 1", "expected a name, a tab and a finite number"),
        ("rank\tnan", "a finite number"),
        ("rank\t1\nrank\t2", "stands there twice"),
        ("speed\t1", "expected a parameter of soft overlap, found 'speed'"),
        ("class:verb\t1", "expected a parameter"),
        ("incoming:arg0\t1", "expected a parameter"),
        ("scale:frame\t1", "expected a parameter"),
        ("scale:frame word\t1.5", "from 0 to 1"),
        ("lemma\t2", "lemma: expected a number from 0 to 1"),
        ("floor\t1", "floor: expected"),
        ("power\t0", "power: expected a number above 0"),
        ("warp\t1 2 3", "expected a parameter"),
        ("warp\t0 1 1 1 1 1 1 1 1 1", "expected a parameter"),
        ("map:0\t1 2", "the map has 1 rows"),
        ("map:1\t1", "numbered from 0"),
        ("map:x\t1", "expected a parameter"),
        (f"map:{'9' * 5000}\t1", "expected a parameter of soft overlap, found 'map:99999"),
    ],
)
def test_files_that_are_none(tmp_path, text, message):
    path = tmp_path / "bad.tsv"
    path.write_text(text)
    fails(fm.ReadError, message, read_parameters, path)


def test_other_vectors_are_refused(tmp_path):
    path = tmp_path / "parameters.tsv"
    write_parameters(path, TRAINED)
    other = Embeddings.from_arrays(WORDS, RANDOM.normal(size=(len(WORDS), 12)))
    long = Embeddings.from_arrays(["cat"], np.ones((1, 4097)))
    asked = "(a / cat)", "(a / cat)"
    for options, message in (
        ({"embeddings": other, "parameters": str(path)}, "trained with the word vectors"),
        ({"embeddings": other, "parameters": Parameters(map=np.eye(5))}, "a map of 5 dimensions"),
        ({"parameters": path}, rf"{TRAINED.vectors}; give their file as embeddings"),
        ({"embeddings": long}, "^embeddings: vectors of 4097 numbers; soft overlap takes 4096 at most$"),
    ):
        fails(fm.OptionError, message, fm.score, *asked, metric="softoverlap", **options)
    # numbers that no vectors had a part in need none
    assert fm.score(*asked, metric="softoverlap", parameters=Parameters(rank=1.5)).score == 1


def test_the_preset_of_trained_parameters_without_any_is_doubted(recwarn):
    """At the line that asks; not where parameters are given, or another preset is meant."""
    make.cache_clear()
    asked = "(a / cat)", "(a / cat)"
    message = "^softoverlap/bamboo: no parameters given, .*train softoverlap"
    with pytest.warns(fm.FastmatchWarning, match=message) as told:
        fm.score(*asked, metric="softoverlap", preset="bamboo")
    assert [each.filename for each in told] == [__file__]
    with pytest.warns(fm.FastmatchWarning, match="no parameters"):
        from_text("softoverlap/bamboo,smatch=0.2")
    recwarn.clear()
    fm.score(*asked, metric="softoverlap", preset="bamboo", parameters=Parameters(rank=1.5))
    fm.score(*asked, metric="softoverlap", preset="untrained")
    fm.score(*asked, metric="softoverlap", smatch=0.1)
    assert not len(recwarn)
    fails(fm.OptionError, "smatch=2", make, "softoverlap", "bamboo", smatch=2)  # what is wrong comes first
    assert not len(recwarn)


def test_options():
    wrongs = [{"smatch": value} for value in (1.5, True, "x")] + [{"structure": value} for value in (-0.1, True)]
    wrongs += [{"means": value} for value in (1.5, None)] + [{"embeddings": 3}, {"parameters": 3}]
    for wrong in wrongs:
        fails(fm.OptionError, next(iter(wrong)), make, "softoverlap", **wrong)
    absent = make("softoverlap", parameters="nowhere.tsv")
    fails(fm.OptionError, "cannot read nowhere", fm.score, "(a / b)", "(a / b)", metric=absent)
    assert make("softoverlap", "untrained") == make("softoverlap")
    assert make("softoverlap", "bamboo", parameters=UNTRAINED).smatch == 0.1


def test_the_score_of_sums():
    """0 of nothing matched, 1 of all, between them as Tversky has it; the warp is monotone."""
    plain = Parameters(larger=1.0, smaller=0.5, square=0.0)
    # C = 2.5, unmatched 2 and 2
    sums = np.array([(2.0, 0.0), (4.0, 4.0), (3.0, 0.0), (5.0, 5.0)])
    assert plain.scored(*sums).tolist() == pytest.approx([2.5 / 5.5, 0])
    zero = np.zeros(1)
    assert plain.scored(zero, zero, zero, zero).tolist() == [1]
    assert plain.scored(zero, zero, zero, zero + 1).tolist() == [0]
    grid = np.linspace(0, 1, 101)
    warped = TRAINED.scored(grid, np.ones(101), grid, np.ones(101))
    assert warped[0] == 0 and warped[-1] == 1 and (np.diff(warped) > 0).all()
    assert UNTRAINED.heights == pytest.approx(np.linspace(0, 1, 11))
