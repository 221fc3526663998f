"""What every metric must do, and the registry: one set of tests for all metrics.

A new metric is tested here by being registered. If one needs this file changed, ``metrics/contract/`` is wrong.
"""

import importlib.metadata
import pickle
from contextlib import suppress
from typing import get_args

import numpy as np
import pytest

import fastmatch as fm
from fastmatch.metrics import Metric, available, from_signature, get, make, names, register, registry
from fastmatch.metrics.common_options import COMMON
from fastmatch.metrics.options import described, taking
from fastmatch.metrics.run import run
from fastmatch.metrics.smatch import Smatch

from support import toy_metric
from support.exercise import check_scores, settings
from support.refusal import fails

METRICS = available()

TEXTS = [
    "(w / want-01 :ARG0 (b / boy) :ARG1 (g / go-02 :ARG0 b :polarity -))",
    "(w / want-01 :ARG0 (g / girl) :ARG1 (b / believe-01 :ARG0 g :ARG1 (b2 / boy)))",
    "(c / cat :mod (b / black) :quant 2)",
    "(d / dog)",
    '(n / name :op1 "New" :op2 "York")',
    "(a / and :op1 (x / x) :op2 (y / x) :op3 (z / x))",
    "()",
]


@pytest.fixture(params=METRICS)
def metric(request) -> Metric:
    return make(request.param)


def corpora(metric: Metric, pred: list[str], gold: list[str]) -> tuple[fm.Corpus, fm.Corpus]:
    dialect = metric.dialect
    texts = [[text for text in side if dialect == "penman" or text != "()"] for side in (pred, gold)]
    pred_corpus = fm.parse(texts[0], dialect=dialect)
    return pred_corpus, fm.parse(texts[1], dialect=dialect, vocabulary=pred_corpus.vocabulary)


def all_pairs(metric: Metric) -> tuple[object, object, np.ndarray, np.ndarray]:
    pred, gold = corpora(metric, TEXTS, TEXTS[::-1])
    i, j = np.divmod(np.arange(len(pred) * len(gold), dtype=np.int32), np.int32(len(gold)))
    return metric.prepare(pred), metric.prepare(gold), i, j


def columns(scores: fm.PairScores) -> dict[str, list]:
    return {name: column.tolist() for name, column in scores.columns().items()}


# ---------------------------------------------------------------- what every metric must do


def test_a_graph_compared_with_itself_scores_exactly_one(metric):
    result = fm.score(*corpora(metric, TEXTS, TEXTS), metric=metric)
    assert result.pairs.score.tolist() == [1.0] * len(result)
    assert result.score == result.scores.headline == result.macro.headline == 1


def test_scores_are_fractions_and_columns_have_their_types(metric):
    scores = run(metric, *all_pairs(metric))
    check_scores(metric, scores)
    assert {column.dtype for column in scores.scores.values()} == {np.dtype(np.float64)}
    if isinstance(scores, fm.TripleScores):
        assert (scores.certified <= (scores.matched == scores.upper)).all()
    assert scores.statistics.shape == (len(metric.statistics), len(scores))
    assert scores.statistics.dtype == (np.int64 if metric.counts else np.float64) and scores.names == metric.statistics
    assert scores.certified.dtype == np.bool_ and next(iter(scores.columns())) == "score"
    assert all(len(column) == len(scores) for column in columns(scores).values())


def test_the_corpus_score_is_made_of_the_statistics(metric):
    scores = run(metric, *all_pairs(metric))
    result = fm.CorpusScore(scores, metric.signature(metric.dialect))
    assert {name: column.mean() for name, column in scores.scores.items()} == pytest.approx(result.macro, rel=1e-12)
    if metric.summable:
        assert metric.combine(scores.statistics.sum(axis=1)) == pytest.approx(result.micro, rel=1e-12)
    else:
        assert result.scores == result.macro
        with pytest.raises(AttributeError, match="no micro score"):
            result.micro  # noqa: B018
    assert result.to_dict(pairs=True)["pairs"]["score"] == scores.score.tolist()


def test_symmetry_where_it_is_claimed(metric):
    pred, gold, i, j = all_pairs(metric)
    there, back = run(metric, pred, gold, i, j), run(metric, gold, pred, j, i)
    if metric.symmetric:
        assert there.score.tolist() == back.score.tolist()


@pytest.mark.parametrize("workers", [2, 3, 7])
def test_workers_change_nothing(metric, workers, monkeypatch):
    """With the threshold for threads down, so that these few small pairs do go to threads."""
    pred, gold, i, j = all_pairs(metric)
    alone = run(metric, pred, gold, i, j)
    monkeypatch.setattr("fastmatch.runtime.threads.INLINE", 1e-9)
    assert columns(run(metric, pred, gold, i, j, workers=workers)) == columns(alone)


def test_a_pair_alone_scores_as_among_others(metric):
    pred, gold, i, j = all_pairs(metric)
    together = columns(run(metric, pred, gold, i, j))
    for k in range(0, len(i), 5):
        alone = columns(run(metric, pred, gold, i[k : k + 1], j[k : k + 1]))
        assert {name: [column[k]] for name, column in together.items()} == alone


def test_an_empty_graph_against_something_scores_zero(metric):
    result = fm.score(["nonsense", "(a / b)", "x"], ["(a / b)", "(", "y"], metric=metric, on_error="empty")
    assert result.pairs.score.tolist() == [0, 0, 1] and len(result.problems) == 4


@pytest.mark.parametrize(
    ("nothing", "on_error"),
    [("", "empty"), ("()", "empty"), ("(a)", "empty"), *((text, "repair") for text in ("", "(a)", "(", "((a /"))],
)
def test_a_graph_that_says_nothing_earns_nothing(metric, nothing, on_error):
    """The triple of the root is equal in all graphs; alone it is no credit. Two such graphs are equal."""
    for something in ("(a / cat)", "(a / cat :ARG0 (b / dog))", "(b / cat :polarity -)"):
        for pair in ((nothing, something), (something, nothing)):
            assert fm.score([pair[0]], [pair[1]], metric=metric, on_error=on_error).score == 0
    assert fm.score([nothing], [nothing], metric=metric, on_error=on_error).score == 1


def test_what_is_mended_scores_as_if_it_had_been_whole(metric):
    gold = ["(a / cat :ARG0 (b / dog))", "(c / cat)", "(d / dog)"]
    whole = fm.score(["(a / cat :ARG0 (b / dog))", "(c / cat)", ""], gold, metric=metric, on_error="empty")
    mended = fm.score(["(a / cat :ARG0 (b / dog", "(c / cat) x", "no graph"], gold, metric=metric, on_error="repair")
    assert columns(mended.pairs) == columns(whole.pairs) and (mended.n_repaired, mended.n_invalid) == (2, 1)
    assert fm.cdist(["(a / cat :ARG0 (b / dog"], gold, metric=metric, on_error="repair")[0, 0] == 1


#: Presets whose program reads ``(a)`` as a graph with a root, which equals that of any other graph.
ROOT_ALONE = {("smatch", "generic"), ("smatch", "none")}


@pytest.mark.parametrize(("name", "preset"), [setting for setting in settings() if setting[1]])
def test_a_graph_that_says_nothing_under_presets(name, preset):
    for nothing in ("", "()", "(a)"):
        for pair in ((nothing, "(a / cat)"), ("(a / cat)", nothing)):
            result = fm.score([pair[0]], [pair[1]], metric=name, preset=preset, on_error="empty")
            assert result.score == (0.5 if nothing == "(a)" and (name, preset) in ROOT_ALONE else 0)


def test_no_pairs_at_all(metric):
    """There is no score, least of all a perfect one."""
    with pytest.warns(fm.PairingWarning, match="nothing to score"):
        result = fm.score([], [], metric=metric)
    assert len(result) == 0 and result.certified
    assert np.isnan([result.score, *result.macro.values(), *result.scores.values()]).all()
    record = result.to_dict()
    assert {*record.get("micro", {}).values(), *record["macro"].values()} == {None}


def test_corpora_stay_as_they_are(metric):
    """Predictions bring new words, and metrics add labels as they compare them: not to what is kept."""
    pred, gold = corpora(metric, TEXTS, TEXTS[::-1])
    before = pickle.dumps((pred, gold)), list(gold.vocabulary)
    fm.score(pred, gold, metric=metric)
    fm.score(gold, gold.detached(), metric=metric)
    if len(gold) == len(TEXTS):
        fm.score([text.replace("b / ", "b / New") for text in TEXTS], gold, metric=metric)
    assert (pickle.dumps((pred, gold)), list(gold.vocabulary)) == before


def test_the_order_of_the_vocabulary_changes_nothing(metric):
    pred, gold = corpora(metric, TEXTS, TEXTS[::-1])
    expected = columns(run(metric, *all_pairs(metric)))
    words = fm.Vocabulary(list(gold.vocabulary)[::-1])
    pred, gold = pred.detached(words), gold.detached(words)
    i, j = np.divmod(np.arange(len(pred) * len(gold), dtype=np.int32), np.int32(len(gold)))
    assert columns(run(metric, metric.prepare(pred), metric.prepare(gold), i, j)) == expected


def test_pickle(metric):
    """The metric, what it prepared, and what it found."""
    pred, gold, i, j = all_pairs(metric)
    expected = run(metric, pred, gold, i, j)
    metric, pred, gold = pickle.loads(pickle.dumps((metric, pred, gold)))
    assert columns(run(metric, pred, gold, i, j)) == columns(expected)
    assert columns(pickle.loads(pickle.dumps(expected))) == columns(expected)


def test_signature(metric):
    text = str(metric.signature(metric.dialect))
    assert text.startswith(f"{metric.name}|") and text.endswith(f"|v:{fm.__version__}")
    assert fm.Signature.parse(text) == text and from_signature(text) == metric
    assert fm.score(*corpora(metric, TEXTS, TEXTS), metric=metric).signature == text


def test_a_damaged_signature(metric):
    """A field less, or a value that is none, is an OptionError or another metric, never another exception."""
    signature = metric.signature(metric.dialect)
    for key in signature.fields:
        fields = dict(signature.fields)
        for value in (None, "?", "nan"):
            fields[key] = value
            with suppress(fm.OptionError):
                assert from_signature(fm.Signature(metric.name, fields)).name == metric.name


def test_options_are_a_frozen_dataclass(metric):
    assert hash(metric) == hash(make(metric.name))
    with pytest.raises(AttributeError):
        metric.anything = 1
    fails(fm.OptionError, "has no option 'flavour'", make, metric.name, flavour="sweet")


def test_options_say_what_they_are(metric):
    """The command line makes flags of them."""
    for name, kind, default, text, choices in described(type(metric)):
        assert text and not text.endswith("."), name
        assert kind.split(" ")[0] in ("str", "int", "float", "bool"), name
        assert choices is None or default in choices, name
        if name in COMMON:
            assert COMMON[name].kind.__name__ in kind.split(" | ")
            assert set(choices or ()) <= set(COMMON[name].choices or choices or ())


# ---------------------------------------------------------------- the registry


def test_names():
    assert {"smatch", "toy"} <= set(METRICS) and sorted(METRICS) == METRICS
    assert get("smatch") is Smatch and get("toy").name == "toy"


def test_unknown_metric():
    fails(fm.OptionError, r"metric='smach': expected one of .*'smatch'", get, "smach")


def test_a_name_belongs_to_one_class():
    with pytest.raises(fm.OptionError, match=r"metric 'smatch' is fastmatch\.metrics\.smatch\.Smatch already"):
        register("smatch")(toy_metric.ConceptOverlap)
    assert toy_metric.ConceptOverlap.name == "toy"
    register("toy")(toy_metric.ConceptOverlap)  # the same one may come again


@pytest.mark.parametrize("name", ["", "Smatch", "a b", "a|b", "a:b"])
def test_names_that_a_signature_could_not_hold(name):
    fails(fm.OptionError, "lower-case name", register, name)


def test_made_once_per_set_of_options():
    assert make("smatch") is make("smatch") and make("smatch", top="concept") is make("smatch", top="concept")
    assert make("smatch", restarts=1) is not make("smatch", restarts=2) and make.cache_info().maxsize is not None


def test_presets():
    assert make("smatch", "smatch") == Smatch(standard="smatch", duplicates="multiply")
    assert make("smatch", "smatch", duplicates="once") == Smatch(standard="smatch")
    fails(fm.OptionError, "preset='smat': metric 'smatch' has 'smatch'", make, "smatch", "smat")
    fails(fm.OptionError, "no presets", make, "toy", "smatch")


def test_entry_points(monkeypatch):
    """Metrics of other packages: found by name, imported only when asked for."""

    class Point:
        name = "elsewhere"

        def load(self):
            return type("Elsewhere", (toy_metric.ConceptOverlap,), {})

    asked = []

    def entry_points(*, group):
        asked.append(group)
        return [Point()]

    monkeypatch.setattr(importlib.metadata, "entry_points", entry_points)
    try:
        assert get("smatch") is Smatch
        assert asked == []
        assert get("elsewhere").name == "elsewhere"
        assert set(asked) == {"fastmatch.metrics"}
        assert toy_metric.ConceptOverlap.name == "toy"
    finally:
        registry._REGISTRY.pop("elsewhere", None)


def test_the_table_of_names_agrees_with_the_type_of_names():
    assert set(names.BUILT_IN) == set(get_args(fm.types.MetricName)) and names.DEFAULT in names.BUILT_IN
    for name, module in names.BUILT_IN.items():
        assert get(name).__module__ == f"fastmatch.metrics.{module}"


# ---------------------------------------------------------------- what the command line asks


def test_the_flags_of_the_default_metric_bear_no_name():
    """The command line makes them of the table of common options, without loading the metric."""
    assert {entry.name for entry in described(get(names.DEFAULT))} == {
        name for name, entry in COMMON.items() if entry.everywhere
    }


def test_what_options_take():
    assert taking(get("wwlk")) == ("embeddings", "weights")
    assert taking(get("wwlk"), "vectors") == taking(get("s2match"), "vectors") == ("embeddings",)
    assert taking(get("rematch")) == taking(get("rematch"), "frames") == ("frames",)
    assert taking(get("rematch"), "vectors") == taking(get("toy")) == ()


def test_what_metrics_align(metric):
    """``aligns`` says beforehand what ``align`` gives."""
    pred, gold = corpora(metric, TEXTS[:1], TEXTS[1:2])
    kinds = {"map": fm.Alignment, "flow": fm.FlowAlignment}
    if metric.aligns is None:
        fails(fm.OptionError, "makes no alignment", fm.align, pred, gold, metric=metric)
    else:
        assert isinstance(fm.align(pred, gold, metric=metric), kinds[metric.aligns])


def test_maps_have_what_an_alignment_shows(metric):
    """The columns of the scores, and room for a map of each prediction's variables."""
    if metric.aligns != "map":
        return
    pred, gold = corpora(metric, TEXTS, TEXTS[::-1])
    index = np.arange(len(pred), dtype=np.int32)
    pairs = run(metric, metric.prepare(pred), metric.prepare(gold), index, index, mapping=True)
    for column in (pairs.matched, pairs.n_pred, pairs.n_gold, pairs.upper, pairs.certified):
        assert column.shape == (len(pred),)
    for k in range(len(pred)):
        mapping = pairs.mapping_of(k)
        assert mapping.dtype == np.int32 and len(mapping) == len(pred[k].variables)
        partners = mapping[mapping >= 0].tolist()
        assert len(set(partners)) == len(partners) and all(partner < len(gold[k].variables) for partner in partners)


def test_metrics_that_are_others_before_a_user_gives_them_functions():
    assert [name for name in METRICS if not get(name).distinct] == ["softmatch"]
