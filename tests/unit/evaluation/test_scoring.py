"""score and align: what may be given, how it is paired, what comes back, and what wrong input gets."""

import penman
import pytest

import fastmatch as fm
from fastmatch.metrics import make

from support import toy_metric  # noqa: F401 - registers the metric that makes no alignment
from support.refusal import fails

PRED = [
    "(w / want-01 :ARG0 (b / boy) :ARG1 (g / go-02 :ARG0 b :polarity -))",
    "(c / cat :mod (b / black) :quant 2)",
    '(n / name :op1 "New" :op2 "York")',
]
GOLD = [
    "(x / want-01 :ARG0 (y / girl) :ARG1 (z / go-02 :ARG0 y))",
    "(k / cat :domain-of (l / Black) :quant 3)",
    "(m / name :op1 New)",
]
# by hand: all triples but boy/girl and the polarity; all but quant (mod is domain-of, Black is black); all but op2
MATCHED, N_PRED, N_GOLD = [6, 4, 3], [8, 5, 4], [7, 5, 3]


def counts(result: fm.CorpusScore) -> tuple[list[int], list[int], list[int]]:
    pairs = result.pairs
    return pairs.matched.tolist(), pairs.n_pred.tolist(), pairs.n_gold.tolist()


# ---------------------------------------------------------------- what may be given

FORMS = {
    "strings": list,
    "tuple": tuple,
    "generator": iter,
    "text": "\n\n".join,
    "corpus": fm.parse,
    "graphs": lambda texts: list(fm.parse(texts)),
    "penman": lambda texts: [penman.decode(text) for text in texts],
    "mixed objects": lambda texts: [fm.parse(texts[0])[0], *map(penman.decode, texts[1:])],
}


@pytest.mark.parametrize("form", FORMS)
def test_every_form_beside_every_other(form):
    for other in FORMS.values():
        assert counts(fm.score(FORMS[form](PRED), other(GOLD))) == (MATCHED, N_PRED, N_GOLD)


@pytest.mark.parametrize("form", [str, lambda text: fm.parse(text)[0], penman.decode])
def test_one_graph(form):
    for function in (fm.score, fm.align):
        assert function(form(PRED[0]), form(GOLD[0])).matched == MATCHED[0]


@pytest.mark.parametrize("bad", [3, None, bytearray(b"(a / b)"), [b"(a / b)"], [PRED[0], 3, PRED[2]], object()])
def test_what_holds_no_graphs(bad):
    where = r"gold\[1\]" if isinstance(bad, list) and len(bad) == 3 else r"gold(\[0\])?"
    fails(TypeError, where + ": expected a Corpus, Penman text, a Graph, a graph of penman or", fm.score, PRED, bad)


def test_strings_and_objects_do_not_mix():
    fails(TypeError, "pred: strings and graph objects do not mix", fm.score, [PRED[0], fm.parse(PRED[1])[0]], GOLD)


# ---------------------------------------------------------------- pairing and reading


def test_an_unreadable_graph_says_which():
    assert fails(fm.ReadError, r"^gold\[1\]:1:", fm.score, PRED, [GOLD[0], "(c / ", GOLD[2]]).source == "gold[1]"
    fails(fm.ReadError, r"^pred\[2\]:1:", fm.score, [*PRED[:2], "nothing"], GOLD)
    fails(fm.ReadError, r"^pred:3:", fm.score, "(a / b)\n\n(c / ", "(a / b) (c / d)")


def test_a_string_of_a_sequence_is_one_graph():
    fails(fm.ReadError, r"^pred\[0\]", fm.score, ["(a / b) (c / d)"], ["(a / b)"])


def test_unreadable_graphs_counted_as_empty():
    result = fm.score([PRED[0], "(c / ", PRED[2]], [GOLD[0], GOLD[1], ""], on_error="empty")
    assert counts(result) == ([6, 0, 0], [8, 0, 4], [7, 5, 0]) and result.pairs.f1.tolist()[1:] == [0, 0]
    assert [(side, index) for side, index, *_ in result.problems] == [("pred", 1), ("gold", 2)]
    assert "2 counted as empty" in repr(result) and len(result.to_dict()["problems"]) == 2


def test_broken_graphs_repaired():
    pred = [PRED[0], "(c / cat :x (b / big", "no graph", None]
    result = fm.score(pred, [GOLD[0], "(c / cat :x (b / big))", GOLD[2], GOLD[2]], on_error="repair")
    assert result.pairs.f1[1:].tolist() == [1, 0, 0] and (result.n_invalid, result.n_repaired) == (2, 1)
    found = [(problem.side, problem.pair, problem.rule) for problem in result.problems]
    assert found == [("pred", 1, "unclosed"), ("pred", 2, None), ("pred", 3, None)]
    assert "2 counted as empty, 1 repaired" in repr(result)
    record = result.to_dict()
    assert (record["n_invalid"], record["n_repaired"], record["n_certified"]) == (2, 1, len(result))
    place = "<string 1>:1:21"
    problem = {"side": "pred", "index": 1, "message": f"{place}: unclosed", "rule": "unclosed", "place": place}
    assert record["problems"][0] == problem and "rule" not in record["problems"][1]


def test_repairs_follow_their_pairs():
    pred = "# ::id 2\n(c / cat\n\n# ::id 1\n(d / dog) x)\n\n# ::id 3\n(e / elk)"
    gold = "# ::id 1\n(d / dog)\n\n# ::id 2\n(c / cat)\n\n# ::id 3\n(e / elk)"
    result = fm.score(pred, gold, pair_by="id", on_error="repair")
    assert result.f1 == 1
    assert [(problem.pair, problem.rule) for problem in result.problems] == [(0, "text-after"), (1, "unclosed")]


def test_unequal_numbers_name_what_is_no_graph():
    text, one = "Sure!\n\n(c / cat)", "(c / cat)"
    message = r"2 predictions but 1 gold .*; 1 of pred cannot be read \(the first: <string>:1"
    fails(fm.PairingError, message, fm.score, text, one, on_error="repair")
    message = r"cannot be read \(the first: [^;]*$"
    fails(fm.PairingError, message, fm.score, fm.parse(text, on_error="repair"), fm.parse(one))


# ---------------------------------------------------------------- options


@pytest.mark.parametrize(
    ("option", "value", "expected"),
    [
        ("solver", "best", "'exact', 'climb', 'ilp'"),
        ("top", "root", "'constant', 'concept', 'none'"),
        ("duplicates", "twice", "'once', 'bag', 'multiply'"),
        ("triples", "relations", "'all', 'instance', 'attribute', 'relation'"),
        ("standard", "smatch+", "'default', 'smatch++', 'smatch++/reify'"),
        ("restarts", -1, "a whole number from 0"),
        ("seed", -1, "a whole number from 0"),
        ("time_limit", 0.0, "seconds per pair, more than 0"),
        ("time_limit", float("nan"), "seconds per pair, more than 0"),
        ("time_limit", "1", "seconds per pair, more than 0"),
        ("effort", "most", "'low', 'default', 'high', 'proof'"),
        ("solver", ["exact"], "'exact', 'climb', 'ilp'"),
    ],
)
def test_wrong_values_name_the_right_ones(option, value, expected):
    for call in (fm.score, fm.align):
        caught = fails(fm.OptionError, None, call, PRED[0], GOLD[0], **{option: value})
        assert f"{option}={value!r}: expected" in str(caught) and expected in str(caught)


def test_unknown_names():
    for options, message in (
        ({"sovler": "exact"}, "metric 'smatch' has no option 'sovler'; expected one of 'solver'"),
        ({"preset": "amr"}, "preset='amr'"),
        ({"workers": 0}, "workers=0"),
    ):
        fails(fm.OptionError, message, fm.score, PRED, GOLD, **options)


def test_a_metric_that_is_made_already():
    metric = make("smatch", top="concept")
    assert fm.score(PRED, GOLD, metric=metric).signature.fields["top"] == "concept"
    message = "metric is made already: 'preset', 'top' cannot be given besides"
    fails(fm.OptionError, message, fm.score, PRED, GOLD, metric=metric, preset="smatch", top="none")
    fails(TypeError, "expected the name of a metric or a Metric", fm.score, PRED, GOLD, metric=3)


def test_equal_numbers_of_different_types_are_not_confused_by_the_cache():
    fm.score(PRED, GOLD, restarts=1)
    fails(fm.OptionError, "restarts=True", fm.score, PRED, GOLD, restarts=True)


def test_preset_needs_its_dialect():
    corpus = fm.parse(PRED)
    message = r"preset 'smatch' needs .* read them with dialect='smatch', or give paths or texts"
    fails(fm.OptionError, message, fm.score, corpus, GOLD, preset="smatch")
    assert fm.score(fm.parse(PRED, dialect="smatch"), GOLD, preset="smatch").signature.fields["read"] == "smatch"
    message = "pred was read with dialect='penman', gold with 'smatch'"
    fails(fm.OptionError, message, fm.score, corpus, fm.parse(GOLD, dialect="smatch"))


@pytest.mark.parametrize("form", ["strings", "graphs", "penman"])
def test_preset_reads_text_as_smatch_does(form):
    """``:mod 5`` leaves no triple in smatch's reading, wherever the graph comes from."""
    texts = ["(a / b :mod 5)"]
    assert fm.score(FORMS[form](texts), FORMS[form](texts)).n_pred == 3
    assert fm.score(FORMS[form](texts), FORMS[form](texts), preset="smatch").n_pred == 2


# ---------------------------------------------------------------- results


def test_corpus_score():
    result = fm.score(PRED, GOLD)
    assert (result.matched, result.n_pred, result.n_gold, result.upper) == (13, 17, 15, 13)
    assert (result.precision, result.recall, result.f1) == (13 / 17, 13 / 15, 26 / 32)
    assert result.micro == {"f1": result.f1, "precision": result.precision, "recall": result.recall}
    assert result.score == result.micro.headline == result.f1
    assert result.macro.recall == pytest.approx((6 / 7 + 4 / 5 + 1) / 3) and result.certified
    assert result.n_certified == len(result) == 3
    assert result.signature == f"smatch|solver:exact|top:constant|dup:once|std:default|read:penman|v:{fm.__version__}"
    numbers = "F1 0.812500 precision 0.764706 recall 0.866667, 3 pairs, 3 certified"
    assert repr(result) == f"<CorpusScore: {numbers}, {result.signature}>"
    assert "<td>81.25</td>" in result._repr_html_() and str(result.signature) in result._repr_html_()


def test_results_are_frozen():
    result, alignment = fm.score(PRED, GOLD), fm.align(PRED[0], GOLD[0])
    for thing, name in ((result, "pairs"), (result.pairs, "matched"), (alignment, "matched")):
        fails(AttributeError, None, setattr, thing, name, 0)
        fails(AttributeError, None, delattr, thing, name)


def test_mappings_of_many_pairs():
    result = fm.score(PRED, GOLD, mapping=True)
    assert result.pairs.mapping_of(0).tolist() == [0, 1, 2]
    assert result.pairs.mapping_of(1).tolist() == result.pairs.mapping_of(-2).tolist() == [0, 1]
    fails(IndexError, "pair 3 of 3", result.pairs.mapping_of, 3)
    fails(ValueError, "alignments were not asked for", fm.score(PRED, GOLD).pairs.mapping_of, 0)


def test_alignment():
    alignment = fm.align(PRED[0], GOLD[0])
    assert alignment.mapping == {"w": "x", "b": "y", "g": "z"}
    assert (("g", ":ARG0", "b"), ("z", ":ARG0", "y")) in alignment.matched_triples
    assert (("w", ":TOP", "top"), ("x", ":TOP", "top")) in alignment.matched_triples
    assert len(alignment.matched_triples) == alignment.matched == alignment.upper == 6
    assert alignment.unmatched_pred == [("b", ":instance", "boy"), ("g", ":polarity", "-")]
    assert alignment.unmatched_gold == [("y", ":instance", "girl")]
    assert (alignment.precision, alignment.recall, alignment.f1) == (6 / 8, 6 / 7, 12 / 15) and alignment.certified
    shown = "<Alignment: F1 0.800000, 6 triples matched (optimal) of 8 predicted and 7 gold, smatch|"
    assert repr(alignment).startswith(shown)
    lines = str(alignment).splitlines()
    assert "  w -> x" in lines and "  = g :ARG0 b  z :ARG0 y" in lines and "  - g :polarity -" in lines
    assert "  + y :instance girl" in lines


def test_align_takes_one_pair():
    message = r"align: expected one graph, gold has 3; choose one: gold\[0\]"
    fails(fm.PairingError, message, fm.align, PRED[0], fm.parse(GOLD))
    fails(fm.ReadError, r"^gold:", fm.align, PRED[0], "(a / b) (c / d)")
    fails(fm.OptionError, "metric 'toy' makes no alignment", fm.align, PRED[0], GOLD[0], metric="toy")
