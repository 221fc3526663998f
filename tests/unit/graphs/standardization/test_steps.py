"""Every step on a graph written for it, tables and what is wrong with them, and the graphs that come out."""

import numpy as np
import pytest

import fastmatch as fm
from fastmatch._ext.graphs import reification as reification_kernel
from fastmatch._ext.graphs import rewrite
from fastmatch.graphs.standardization import reification
from fastmatch.graphs.standardization import steps as standardization
from fastmatch.graphs.standardization.labels import writable
from fastmatch.graphs.standardization.reification import AMR, SMATCHPP, Rule, rule_table

from support.readback import spelled
from support.refusal import fails


def triples(text: str, steps, **options) -> list[tuple]:
    return fm.standardize(fm.parse(text), steps, **options).validate()[0].triples


#: Step, a graph, and its triples after the step.
STEPS = [
    ("lower-case", "(a / Cat :ARG0 B)", "a :instance cat; a :arg0 b"),
    ("drop-quotes", '(a / cat :op1 "N\'Y")', "a :instance cat; a :op1 N'Y"),
    ("drop-all-quotes", '(a / cat :op1 "N\'Y")', "a :instance cat; a :op1 NY"),
    ("link-constants", '(a / cat :mod "A")', "a :instance cat; a :mod a"),
    ("domain-to-mod", "(a / c :domain (b / d) :domain x)", "a :instance c; b :mod a; b :instance d; a :mod-of x"),
    ("mod-to-domain", "(a / c :mod (b / d) :mod x)", "a :instance c; b :domain a; b :instance d; a :domain-of x"),
    ("de-invert", "(a / c :consist-of (b / d) :x-of-of 3)", "a :instance c; a :consist-of b; b :instance d; a :x 3"),
    ("de-invert-all", "(a / c :consist-of (b / d) :x-of 3)", "a :instance c; b :consist a; b :instance d; a :x-of 3"),
    ("as-written", "(a / cat :ARG0-of (b / run-02))", "a :instance cat; a :ARG0-of b; b :instance run-02"),
    ("root-concept", "(a / cat)", "a :instance cat; a :root cat"),
    ("root-constant", "(a / cat)", "a :instance cat; a :root top"),
    ("drop-root", "(a / cat :TOP x :root y :roots z)", "a :instance cat; a :roots z"),
    ("drop-wiki", '(a / cat :wiki "Cat" :op1 x)', "a :instance cat; a :op1 x"),
    (
        "drop-senses",
        "(a / run-02 :op1 b-01 :op2 (b / x-1) :op3 (c / -01))",
        "a :instance run; a :op1 b-01; a :op2 b; b :instance x-1; a :op3 c; c :instance -01",
    ),
    ("unlabel", "(a / cat :op1 x :mod (b / b))", "a :instance cat; a :label x; a :label b; b :instance b"),
    ("remove-duplicates", "(a / c :op1 x :y (b / d) :op1 x :y b)", "a :instance c; a :op1 x; a :y b; b :instance d"),
    (
        "reify",
        "(a / cat :mod~e.1 (b / big) :polarity -)",
        "a :instance cat; rf0 :ARG1 a; rf0 :instance have-mod-91; rf0 :ARG2 b; b :instance big; "
        "rf1 :ARG1 a; rf1 :instance have-polarity-91; rf1 :ARG2 -",
    ),
    (
        "dereify",
        "(a / cat :ARG1-of (v / have-mod-91 :ARG2 (b / big)) :arg1-of (w / have-polarity-91 :arg2 -))",
        "a :instance cat; a :mod b; b :instance big; a :polarity -",
    ),
]


@pytest.mark.parametrize(("step", "text", "expected"), STEPS, ids=[step for step, _, _ in STEPS])
def test_step(step, text, expected):
    assert spelled(triples(text, step)) == spelled(triples(text, [step])) == expected


def test_every_step_is_tested():
    assert {step for step, _, _ in STEPS} == {*standardization.STEPS, "reify", "dereify"}


def test_steps_are_taken_in_order_and_may_be_functions():
    text = "(a / Cat :MOD Big :mod big)"
    assert len(triples(text, "remove-duplicates,lower-case")) == 3
    assert len(triples(text, ["lower-case", "remove-duplicates"])) == 2
    assert len(triples(text, ["lower-case", lambda corpus: corpus[:0] + corpus])) == 3


def test_reification_after_lower_case_is_in_lower_case():
    assert ("rf0", ":arg1", "a") in triples("(a / cat :mod (b / big))", "lower-case,reify")
    assert ("rf0", ":ARG1", "a") in triples("(a / cat :mod (b / big))", "reify,drop-wiki")


@pytest.mark.parametrize(
    "text",
    [
        "(v / have-mod-91 :ARG1 (a / cat) :ARG2 (b / big))",  # the root
        "(a / cat :ARG1-of (v / have-mod-91 :ARG2 (b / big) :ARG3 c))",  # more to say
        "(a / cat :ARG1-of (v / have-mod-91 :ARG2 (b / big :ARG0 v)))",  # something points at it
        "(a / cat :ARG1-of (v / have-mod-91 :ARG3 (b / big)))",  # another role
        "(a / cat :ARG1-of (v / have-mod-91))",
        "(a / cat :ARG1-of (v / have-mod-92 :ARG2 (b / big)))",  # another concept
        "(a / cat :ARG1-of (v / have-mod-91 :ARG2 v))",
        "(a / cat :ARG1-of (v / have-mod-91 :ARG2-of 3))",  # a constant points at it
    ],
)
def test_nodes_that_stay(text):
    corpus = fm.parse(text)
    assert fm.standardize(corpus, "dereify") is corpus


def test_a_concept_that_stands_for_two_relations():
    """have-org-role-91 is :employed-by or :role by its roles; :superset comes back as :subset the other way round."""
    text = "(p / person :ARG0-of (h / have-org-role-91 :ARG{} (c / company)))"
    assert ("p", ":employed-by", "c") in triples(text.format(1), "dereify")
    assert ("p", ":role", "c") in triples(text.format(2), "dereify")
    assert ("b", ":subset", "a") in triples("(a / cat :superset (b / pet))", "reify,dereify")
    assert ("a", ":poss", "b") in triples("(a / cat :ARG1-of (h / have-03 :ARG0 (b / boy)))", "dereify")


def test_new_variables_have_new_names():
    assert len({source for source, _, _ in triples("(rf0 / cat :mod (rf1 / big))", "reify")}) == 3


def test_alignments_follow_their_triples():
    corpus = fm.parse("(a / cat :mod~e.1 (b / big~e.2) :polarity~e.3 -~e.4 :ARG0 b~e.5)")
    reified = fm.standardize(corpus, "reify")
    alignments = reified[0].alignments
    assert alignments[("rf0", ":instance", "have-mod-91")] == (1,)
    assert alignments[("rf1", ":instance", "have-polarity-91")] == (3,) and alignments[("rf1", ":ARG2", "-")] == (4,)
    assert fm.standardize(reified, "dereify") == corpus
    assert fm.standardize(corpus, "drop-wiki,remove-duplicates") == corpus


def test_variables_that_smatchpp_takes_for_one():
    text = '(a / cat :ARG0 (A / dog) :ARG1 (b / c :mod "B\'"))'
    expected = "a :instance cat; a :ARG0 a; a :instance dog; a :ARG1 b; b :instance c; b :mod b"
    assert spelled(triples(text, "link-constants")) == expected


def test_empty_graphs_and_no_graphs():
    corpus = fm.parse(["()", "(a / cat :mod (b / big))", "()"])
    for name in standardization.PRESETS:
        assert len(fm.standardize(corpus, name).validate()) == 3
        assert len(fm.standardize(corpus[:0], name).validate()) == 0


def test_writable():
    """What dropped quotes leave behind can be written, and read as the same graphs once they are dropped again."""
    text = '(a / cat :op1 "New York" :op2 "a" :op3 "b:c" :op4 x :mod (b / "two words"))'
    corpus = fm.standardize(fm.parse(text), "drop-quotes")
    again = fm.parse(writable(corpus)[0].encode())
    assert ("a", ":op2", '"a"') in again[0].triples and fm.standardize(again, "drop-quotes") == corpus


# ---------------------------------------------------------------- tables


def test_tables():
    assert len(AMR) == 37 and len(SMATCHPP) == 28 and Rule(":degree", "have-degree-91", ":ARG1", ":ARG2") in SMATCHPP
    assert rule_table("amr") is AMR


def test_own_tables(tmp_path):
    file = tmp_path / "rules.txt"
    file.write_text("# own\nlikes  like-01 ARG0 :ARG1  # a comment\n\n")
    expected = (Rule(":likes", "like-01", ":ARG0", ":ARG1"),)
    assert rule_table(file) == rule_table(str(file)) == expected
    assert rule_table({":likes": ("like-01", ":ARG0", ":ARG1")}) == expected
    assert rule_table([("likes", "like-01", "ARG0", "ARG1")]) == expected
    assert ("rf0", ":instance", "like-01") in triples("(a / cat :likes (b / boy))", "reify", table=file)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("a b c", r"rules:1: expected relation, concept, role of the source, role of the target; found 'a b c'"),
        ("", "rules: a table of reification without a rule"),
        ("a c :x :y\na c :y :x", r"rules:2: a second rule for ':a' and 'c'"),
        ("a c :x :x", "rules:1: source and target of ':a' have the same role ':x'"),
        ("a-of c :x :y", "rules:1: role ':a-of': expected a role that is not inverted"),
        ("a c :a :y", "rules: the rules go in a circle: :a -> :a"),
        ("a c :x :b\nb d :y :e\ne f :a :z", "rules: the rules go in a circle: :a -> :b -> :e -> :a"),
    ],
)
def test_bad_tables(tmp_path, monkeypatch, text, message):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "rules").write_text(text)
    assert "\n" not in str(fails(fm.OptionError, message, fm.standardize, fm.parse("(a / b)"), "reify", table="rules"))


def test_a_chain_of_rules_is_no_circle():
    assert len(rule_table([("a", "c", "x", "b"), ("b", "d", "y", "z"), ("e", "f", "b", "a")])) == 3


def test_a_byte_order_mark_is_no_part_of_the_first_rule(tmp_path):
    (tmp_path / "rules").write_bytes(b"\xef\xbb\xbf:mod have-mod-91 :ARG1 :ARG2\r\n")
    graph = fm.standardize(fm.parse("(a / b :mod (c / d))"), ["reify"], table=tmp_path / "rules")[0]
    assert "have-mod-91" in graph.encode()


def test_a_table_that_is_no_text(tmp_path):
    (tmp_path / "rules").write_bytes(b"# \xff\xfe")
    fails(fm.ReadError, ":1:3: byte 0xff is not UTF-8; expected", rule_table, tmp_path / "rules")
    fails(fm.OptionError, r"table\[':mod'\]: expected", rule_table, {":mod": ("x",)})
    fails(FileNotFoundError, None, rule_table, tmp_path / "nothing")


def test_unknown_step():
    with pytest.raises(fm.OptionError, match=r"steps: no step 'reifi'; there are as-written, .*presets smatch\+\+"):
        fm.standardize(fm.parse("(a / b)"), ["reifi"])
    assert reification.rule_table("smatch++") is SMATCHPP


@pytest.mark.parametrize("dialect", ["penman", "smatch", "smatchpp", "wlk", "ancast", "amrsuite"])
def test_twice_is_once(own_data, dialect):
    """Standardised graphs may be standardised again, by a metric for instance: ``:root`` was added each time."""
    names = [f"{name}-{side}.amr" for name in ("plain", "knots", "quirks") for side in ("pred", "gold")]
    texts = [(own_data / name).read_text(encoding="utf-8") for name in names]
    corpus = fm.parse("\n\n".join(texts), dialect=dialect, on_error="skip")
    assert len(corpus) > 20
    for steps in (*standardization.STEPS, "reify", "dereify", *standardization.PRESETS):
        once = fm.standardize(corpus, steps)
        for one, other in zip(once, fm.standardize(once, steps).validate(), strict=True):
            assert sorted(one.triples, key=str) == sorted(other.triples, key=str), steps


def test_another_value_of_root_is_no_root():
    text = "(a / cat :root dog :root cat :x (b / cow :root top))"
    assert triples(text, "root-concept") == triples(text, "as-written")
    assert triples(text, "root-constant") == [*triples(text, "as-written"), ("a", ":root", "top")]


# ---------------------------------------------------------------- kernels


def test_kernels_refuse_what_does_not_fit():
    corpus = fm.parse("(a / cat :mod (b / big) :polarity -)")
    columns = corpus.columns
    assert len(columns) == 1
    short, kept = np.zeros(1, np.int32), [np.ones(n, np.uint8) for n in (2, 1, 1)]
    labels, rule = np.full(len(corpus.vocabulary), 3, np.int32), np.zeros((5, 1), np.int32)
    none = np.zeros(len(labels), np.uint8)
    for kernel, arguments, message in (
        (reification_kernel.reify, (short, short, short), "one entry a label"),
        (reification_kernel.dereify, (short, rule[:, :0].copy(), np.zeros(1, np.uint8)), "one entry a label"),
        (reification_kernel.dereify, (labels, rule, none), "a rule that does not exist"),
        (reification_kernel.dereify, (labels * 0, rule, none), "must follow each other"),
        (rewrite.select, [np.ones(1, np.uint8)] * 4, "differ in length"),
        (rewrite.select, (np.array([1, 0], np.uint8), *kept), "of a variable that is dropped"),
        (rewrite.link_names, (short, short), "one entry a variable"),
    ):
        fails(ValueError, message, kernel, columns, *arguments)
