"""Smatch++'s aspects: what is in a sub-graph, frames, averages, and what is refused."""

import numpy as np
import pytest

import fastmatch as fm
from fastmatch._ext.matching.score import count_matched
from fastmatch.fine_grained.smatchpp import ASPECTS
from fastmatch.metrics.base import make

from support.refusal import fails

GOLD = [
    "(w / want-01 :ARG0 (b / boy) :ARG1 (g / go-02 :ARG0 b :time (n / now)) :polarity -)",
    '(d / dog :location (c / city :name (m / name :op1 "Bonn")))',
    "()",
]
PRED = [
    "(w / want-01 :ARG0 (b / boy) :ARG1 (g / go-02 :ARG0 (c / cat) :time (n / now)))",
    "(d / dog :mod (c / city))",
    "()",
]


def counts(scores: fm.AspectScores, name: str) -> tuple[list[int], list[int], list[int]]:
    pairs = scores[name].pairs
    return pairs.matched.tolist(), pairs.n_pred.tolist(), pairs.n_gold.tolist()


@pytest.mark.parametrize("align", ["one", "each"])
def test_what_is_in_an_aspect(align):
    scores = fm.aspects(PRED, GOLD, kind="smatch++", align=align)
    assert list(scores) == list(ASPECTS) and counts(scores, "POLARITY") == ([0, 0, 0], [0, 0, 0], [2, 0, 0])
    assert counts(scores, "TIME (temporal)") == ([3, 0, 0], [3, 0, 0], [3, 0, 0])
    assert counts(scores, "REENTRANCIES") == ([0, 0, 0], [0, 0, 0], [5, 0, 0])
    # the city triggers, with what leads to it and what hangs on it
    assert counts(scores, "LOCATION (spatial)") == ([0, 2, 0], [0, 3, 0], [0, 6, 0])
    assert counts(scores, "CONCEPT") == ([4, 2, 0], [5, 2, 0], [4, 3, 0])
    assert counts(scores, "WIKI") == ([0, 0, 0], [0, 0, 0], [0, 0, 0])


def test_means_leave_out_pairs_without_the_aspect():
    scores = fm.aspects(PRED, GOLD, kind="smatch++", bootstrap=50)
    assert scores["TIME (temporal)"].macro.f1 == 1 and scores["POLARITY"].macro.f1 == 0
    assert scores["CONCEPT"].macro.f1 == pytest.approx((8 / 9 + 4 / 5) / 2)
    assert scores["WIKI"].macro.f1 == scores["WIKI"].f1 == 1 and scores["WIKI"].n_pred == 0
    assert scores["WIKI"].intervals is not None and not scores["WIKI"].pairs.present.any()


def test_a_graph_with_itself():
    scores = fm.aspects(GOLD, GOLD, kind="smatch++")
    assert all(score.f1 == 1 and score.certified for score in scores.values())
    fields = "kind:smatch++|solver:exact|top:concept|dup:once|std:smatch++|read:penman|align:one|frames:no|"
    assert fields in str(scores.signature)


def test_only_some_and_compressed():
    assert list(fm.aspects(PRED, GOLD, kind="smatch++", only="NER")) == ["NER"]
    assert list(fm.aspects(PRED, GOLD, kind="smatch++", only=["WIKI", "NER"])) == ["WIKI", "NER"]
    compressed = fm.aspects(PRED, GOLD, kind="smatch++", compress=True, align="each", only="CONCEPT")
    assert counts(compressed, "CONCEPT")[1] == [0, 0, 0]
    with pytest.warns(fm.PairingWarning, match="nothing to score"):
        assert np.isnan(fm.aspects([], [], kind="smatch++")["NER"].f1)


def test_frames(tmp_path):
    """A role is renamed where its description has the word; later aspects win; a second colon ends a description."""
    file = tmp_path / "frames.txt"
    lines = "go-02  ARG0: owner, purpose  ARG1: tool: x  ARG2:  the\tcause", "at-01\n", "run-01  ARG1: cause-like\n"
    file.write_text("\n".join(lines))
    text = "(g / go-02 :ARG0 (a / a) :ARG1 (b / b) :ARG2 (c / c :ARG0-of (r / run-01 :ARG1 x)) :ARG1 y)"
    sizes = {name: score.n_pred for name, score in fm.aspects(text, text, kind="smatch++", frames=file).items()}
    plain = {name: score.n_pred for name, score in fm.aspects(text, text, kind="smatch++").items()}
    assert plain["PURPOSE"] == plain["INSTRUMENT"] == plain["CAUSE"] == 0
    assert sizes["PURPOSE"] > 0 and sizes["INSTRUMENT"] > 0 and sizes["CAUSE"] > 0
    assert sizes["POSSESSION"] == 0 and sizes["SRL-core"] < plain["SRL-core"]


NO_LINE = "frames:1: expected 'predicate  ARG0: description  ARG1: …'"


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("two words ARG0: x", f"{NO_LINE}, found 'two words ARG0: x'"),
        ("two words " + "x" * 1000, f"{NO_LINE}, found 'two words {'x' * 50}…'"),
        ("nothing", "frames: a frame file without a role"),
        (b"a ARG0: b\n\xff", "frames:2:1: byte 0xff is not UTF-8; expected a text file in UTF-8"),
    ],
)
def test_bad_frames(tmp_path, monkeypatch, text, message):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "frames").write_bytes(text if isinstance(text, bytes) else text.encode())
    assert str(fails(fm.FastmatchError, None, fm.aspects, PRED, GOLD, kind="smatch++", frames="frames")) == message


def test_a_byte_order_mark_is_no_part_of_the_first_predicate(tmp_path):
    path, text = tmp_path / "frames", "(a / abase-01 :ARG2 (s / stick))"
    path.write_bytes(b"\xef\xbb\xbfabase-01  ARG2: instrument\n")
    assert fm.aspects(text, text, kind="smatch++", frames=path)["INSTRUMENT"].n_pred > 0


def test_what_is_refused():
    for options, message in (
        ({"align": "two"}, "align='two': expected one of 'one', 'each'"),
        ({"only": "NERD"}, "only='NERD': expected aspects, of 'AGENT'"),
        ({"preset": "generic"}, "need graphs standardised for AMR"),
        ({"triples": "relation"}, "need graphs standardised for AMR"),
        ({"preset": "amr"}, r"metric 'smatch\+\+' has 'tool'"),
    ):
        fails(fm.OptionError, message, fm.aspects, PRED, GOLD, kind="smatch++", **options)
    fails(fm.PairingError, "2 predictions but 3 gold graphs", fm.aspects, PRED[:2], GOLD, kind="smatch++")
    fails(FileNotFoundError, None, fm.aspects, PRED, GOLD, kind="smatch++", frames="no such file")


def test_presets_read_as_their_tool():
    assert make("smatch++").dialect == "penman"
    assert make("smatch++", "tool").dialect == make("smatch", "smatch++").dialect == "smatchpp"
    assert fm.score("(a / b :c d ) )", "(a / b :c d)", metric="smatch++", preset="tool").f1 == 1
    corpus = fm.parse("(a / b)", dialect="smatch")
    with pytest.raises(fm.OptionError, match=r"standard 'smatch\+\+' needs graphs as smatchpp or penman reads them"):
        fm.score(corpus, corpus, preset="smatch++")


def test_the_kernel_refuses_what_does_not_fit():
    features, index = make("smatch").prepare(fm.parse("(a / b :c (d / e))")), np.zeros(1, np.int32)
    identity, room = np.arange(2, dtype=np.int32), np.array([0, 2])
    for gold, offsets, message in (
        (index, room[:1], "one entry more than there are pairs"),
        (index + 1, room, "pair 0 is of graphs 0 and 1"),
        (index, room - 1, "has no room for its 2 variables"),
    ):
        fails((IndexError, ValueError), message, count_matched, features, features, index, gold, offsets, identity)
    for mapping, matched in ((identity, 4), (identity[::-1].copy(), 0)):
        assert count_matched(features, features, index, index, room, mapping).tolist() == [matched]
