"""Fine-grained scores against a slow twin on generated graphs, and what the aspects' interface promises."""

import json

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import fastmatch as fm

from support.refusal import fails
from support.strategies import Spec, specs
from twins.fine_grained import default_scores
from twins.readers import read_penman

SMATCH, NAMES = ("Smatch", "Unlabeled", "No WSD"), ("Named Ent.", "Negations", "Wikification")
ROWS = {
    "damonte": (*SMATCH, "Concepts", *NAMES, "Reentrancies", "SRL"),
    "enhanced": (*SMATCH, "Concepts", "Frames", "Non_sense_frames", *NAMES, "IgnoreVars", "Reentrancies", "SRL"),
}

CONCEPTS = ("cat", "Cat", "want-01", "want-02", "go-101", "boeing-747-plane", "name", "v0", "v1", "x-3")
ROLES = (":ARG0", ":ARG1", ":ARG0-of", ":ARG1-of", ":mod", ":domain", ":name", ":polarity", ":prep-out-of", ":part-of")
VALUE_ROLES = (":ARG0", ":ARG1-of", ":op1", ":op2", ":polarity", ":polarity-of", ":wiki", ":quant", ":wiki-of")
VALUES = ("-", "5", '"Kim"', "v0", "v2", '"a:b"', '"x-07"')


@st.composite
def rich_specs(draw: st.DrawFn) -> Spec:
    """Graphs in which every row finds something, re-entrancies and constants spelled like variables included."""
    n = draw(st.integers(1, 5))
    node = st.integers(0, n - 1)
    role = st.sampled_from(ROLES)
    leaf = st.tuples(node, st.sampled_from(VALUE_ROLES), st.sampled_from(VALUES))
    return Spec(
        concepts=tuple(draw(st.lists(st.sampled_from(CONCEPTS), min_size=n, max_size=n))),
        tree=tuple((draw(st.integers(0, k - 1)), draw(role)) for k in range(1, n)),
        edges=tuple(draw(st.lists(st.tuples(node, role, node), max_size=n + 2))),
        attributes=tuple(draw(st.lists(leaf, max_size=5))),
    )


@st.composite
def texts(draw: st.DrawFn) -> str:
    spec = draw(st.one_of(rich_specs(), specs(max_size=5)))
    return spec.text(order=draw(st.permutations(range(spec.n_branches))))


def counts(scores: fm.AspectScores) -> dict[str, tuple[int, ...]]:
    return {name: tuple(score.pairs.statistics[:, 0].tolist()) for name, score in scores.items()}


# ---------------------------------------------------------------- against the twin


@pytest.mark.slow
@pytest.mark.parametrize("kind", ROWS)
@given(pred=texts(), gold=texts())
def test_the_default(kind, pred, gold):
    assert counts(fm.aspects([pred], [gold], kind=kind)) == default_scores(read_penman(pred), read_penman(gold), kind)


# ---------------------------------------------------------------- what rows mean


def test_edges_that_are_turned_around_or_overwritten():
    """``damonte`` turns what its reader left in ``-of``; ``enhanced`` has one edge of two that want one place."""
    pred = "(w / want-01 :ARG0 (b / boy) :ARG0-of b :name-of b :polarity-of 5 :ARG1 (g / go-02 :ARG0 b))"
    gold = "(w / want-01 :ARG0 (b / boy) :ARG1 (g / go-02 :ARG0 b :ARG1 w) :name (n / name))"
    damonte, enhanced = (counts(fm.aspects(pred, gold, kind=kind, preset="tool")) for kind in ROWS)
    assert [damonte[row] for row in ("Named Ent.", "Reentrancies", "SRL")] == [(0, 1, 1), (6, 8, 6), (7, 8, 8)]
    assert [enhanced[row] for row in ("Named Ent.", "Reentrancies", "SRL")] == [(0, 0, 1), (5, 7, 7), (7, 7, 11)]


def test_nothing_to_score():
    """Nothing on either side: equal by the library's convention, 0 as amr-evaluation prints it, 1 as enhanced does."""
    for kind, preset, expected in (("damonte", None, 1), ("damonte", "tool", 0), ("enhanced", "tool", 1)):
        found = fm.aspects("(a / b)", "(a / b)", kind=kind, preset=preset)
        assert found["Wikification"].f1 == found["Wikification"].macro.f1 == expected and found["Smatch"].f1 == 1
    with pytest.warns(fm.PairingWarning, match="nothing to score"):
        assert np.isnan(fm.aspects([], [])["Concepts"].f1)


def test_no_sense_for_a_part_of_a_word():
    """A sense is two digits or more at the end; the tools take any digits behind a hyphen, in the middle as well."""
    pair = "(a / boeing-747-plane)", "(a / boeing-737-plane)"
    assert fm.aspects(*pair)["No WSD"].f1 == 0.5 and fm.aspects(*pair, preset="tool")["No WSD"].f1 == 1


# ---------------------------------------------------------------- the interface


PRED = ["(a / want-01 :ARG0 (b / boy) :polarity -)", "(c / cat :mod (d / dog))", "(x / y)"]
GOLD = ["(a / want-01 :ARG1 (b / boy))", "(c / cat :mod (d / dog) :ARG0 d)", "(x / y :polarity -)"]


@pytest.mark.parametrize("preset", [None, "tool"])
@pytest.mark.parametrize("kind", ROWS)
def test_every_form_of_graphs(kind, preset, tmp_path):
    expected = fm.aspects(PRED, GOLD, kind=kind, preset=preset)
    assert tuple(expected) == ROWS[kind]
    texts = ["\n\n".join(graphs) for graphs in (PRED, GOLD)]
    paths = [tmp_path / name for name in ("pred", "gold")]
    for path, text in zip(paths, texts, strict=True):
        path.write_text(f"# ::id 1 :x\n{text}\n", encoding="utf-8")
    for sides in (paths, texts, map(fm.parse, (PRED, GOLD)), (list(fm.parse(PRED)), GOLD), (PRED, GOLD)):
        assert fm.aspects(*sides, kind=kind, preset=preset, workers=2).to_dict() == expected.to_dict()


def test_results():
    found = fm.aspects(PRED, GOLD, kind="enhanced", bootstrap=50, confidence=0.9)
    assert found["Smatch"].f1 == fm.score(PRED, GOLD).f1
    assert found["Smatch"].intervals["f1"] == fm.score(PRED, GOLD, bootstrap=50, confidence=0.9).intervals["f1"]
    assert all(score.certified for score in found.values())
    assert str(found.signature).startswith("aspects|kind:enhanced|solver:exact|")
    assert "aspects|kind:enhanced|aspect:Named Ent.|" in str(found["Named Ent."].signature)
    record = json.loads(json.dumps(found.to_dict()))
    assert list(record["aspects"]) == list(found) and "<td>" in found._repr_html_()
    assert f"Smatch {found['Smatch'].f1:.4f}" in repr(found)
    assert "solver:climb" in str(fm.aspects(PRED, GOLD, solver="climb", seed=3).signature)


def test_with_s2match():
    """Enhanced, with S2match in the rows that align; its options are taken."""
    found = fm.aspects(PRED, GOLD, kind="s2match", diffsense=0.25)
    enhanced = fm.aspects(PRED, GOLD, kind="enhanced")
    assert tuple(found) == ("S2match", *ROWS["enhanced"][1:])
    assert found["S2match"].f1 == fm.score(PRED, GOLD, metric="s2match", diffsense=0.25).f1
    assert "diffsense:0.25" in str(found.signature)
    for name in ("Concepts", "Frames", "IgnoreVars", "Negations"):
        assert found[name].pairs.statistics.tolist() == enhanced[name].pairs.statistics.tolist()
    pair = "(a / see-01 :ARG0 (b / b))", "(a / see-02 :ARG0 (b / b))"
    # two senses of a lemma bring a half; with one sense for all, everything
    assert fm.aspects(*pair, kind="s2match")["SRL"].matched == 2.5
    assert fm.aspects(*pair, kind="s2match")["No WSD"].f1 == 1
    # the program counts the edge again, with its child's concept
    assert fm.aspects(*pair, kind="s2match", preset="tool")["SRL"].matched == 3.5


def test_unreadable_graphs():
    for preset in (None, "tool"):
        found = fm.aspects(["(a / b", "(c / d)"], ["(a / b)", "(c / d)"], preset=preset, on_error="empty")
        assert [problem[:2] for problem in found.problems] == [("pred", 0)]
        assert found["Concepts"].pairs.f1.tolist() == [0, 1]
        fails(fm.ReadError, r"gold\[1\]", fm.aspects, PRED[:2], ["(a / b)", "junk"], preset=preset)


def test_refused(tmp_path):
    (tmp_path / "broken.amr").write_bytes(b"(a / b\xff)\n")
    smatch, tool = fm.parse(GOLD, dialect="smatch"), {"preset": "tool"}
    for pred, gold, options, message in (
        (PRED, GOLD, {"kind": "damonty"}, r"kind='damonty': expected one of 'damonte', .*; did you mean 'damonte'"),
        (PRED, GOLD, {"preset": "smatch"}, "preset='smatch': fine-grained scores have 'tool'"),
        (PRED, GOLD, {**tool, "duplicates": "once"}, "duplicates='once': preset 'tool' sets this"),
        (PRED, GOLD, {"colour": "red"}, "has no option 'colour'"),
        (PRED, GOLD[:2], {}, "3 predictions but 2 gold graphs"),
        (PRED, smatch, tool, "rewrites the text before it is read; gold was read with dialect='smatch'"),
        (PRED, GOLD, {"bootstrap": 0}, "bootstrap=0"),
        (tmp_path / "absent.amr", GOLD, tool, "absent"),
        (tmp_path / "broken.amr", GOLD, tool, r"broken\.amr:1:"),
    ):
        fails((fm.OptionError, fm.PairingError, fm.ReadError, OSError), message, fm.aspects, pred, gold, **options)


@pytest.mark.parametrize("kind", ["damonte", "enhanced", "smatch++"])
@pytest.mark.parametrize("preset", [None, "tool"])
def test_means_leave_out_pairs_that_have_nothing(kind, preset):
    """One rule for all kinds: two graphs without a negation say nothing about negations."""
    name = "POLARITY" if kind == "smatch++" else "Negations"
    plain = "(c / cat)"
    pred = [plain] * 18 + ["(g / go-01 :polarity -)", "(g / go-01)"]
    gold = [plain] * 18 + ["(g / go-01 :polarity -)", "(g / go-01 :polarity -)"]
    scores = fm.aspects(pred, gold, kind=kind, preset=preset, bootstrap=20)
    found = scores[name]
    assert (found.n_macro, len(found)) == (2, 20) and found.macro.f1 == 0.5 and found.intervals["macro_f1"].low == 0
    assert found.to_dict()["n_macro"] == 2
    # what is not counted has the number that the program prints where no pair has anything: one rule within a preset
    of_none = 0 if (kind, preset) == ("damonte", "tool") else 1
    assert found.pairs.f1.tolist() == [of_none] * 18 + [1, 0]
    whole = scores["CONCEPT" if kind == "smatch++" else "Smatch"]
    assert whole.n_macro == len(whole) == 20
    for preset_of_none in (None, preset):
        nothing = fm.aspects([plain], [plain], kind=kind, preset=preset_of_none)[name]
        assert nothing.n_macro == 0
        assert nothing.macro == nothing.micro  # a convention, and said to be a mean of no pairs
        assert nothing.micro.f1 == nothing.pairs.f1[0] == (1 if preset_of_none is None else of_none)
