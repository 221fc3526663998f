"""Credit for each token: shares sum to the score, and stand where the triples are written."""

from __future__ import annotations

import itertools
import pickle
from math import fsum
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import fastmatch as fm
from fastmatch import OptionError, ReadError
from fastmatch.rewards import GraphReward
from fastmatch.rewards.credit import _COLOURS

from support.strategies import Spec, pairs

GOLD = '(w / want-01 :ARG0 (b / boy :quant 3) :ARG1 (g / go-02 :ARG0 b :time (n / now) :name "A B"))'
TEXT = "Here: (w / want-01 :ARG0 (b / boy :quant 2) :ARG1 (g / go-02~e.3 :ARG0 b))"


def written(found: fm.Credit) -> dict[tuple[str, str, str], list[str]]:
    return {entry.triple: [found.text[slice(*span)] for span in entry.spans] for entry in found.triples}


def test_where_triples_stand() -> None:
    found = fm.credit(TEXT, GOLD)
    assert written(found) == {
        ("w", ":TOP", "top"): ["w"],
        ("w", ":instance", "want-01"): ["want-01"],
        ("w", ":ARG0", "b"): [":ARG0", "b"],
        ("b", ":instance", "boy"): ["boy"],
        ("b", ":quant", "2"): [":quant", "2"],
        ("w", ":ARG1", "g"): [":ARG1", "g"],
        ("g", ":instance", "go-02"): ["go-02"],
        ("g", ":ARG0", "b"): [":ARG0", "b"],
    }
    assert [entry.triple for entry in found.triples if not entry.matched] == [("b", ":quant", "2")]
    assert found.missing == (
        (("b", ":quant", "3"), "b"),
        (("g", ":time", "n"), "g"),
        (("n", ":instance", "now"), None),
        (("g", ":name", '"A B"'), "g"),
    )
    assert (found.score, found.valid, found.repaired, found.certified) == (fm.score(TEXT[6:], GOLD).f1, True, 0, True)


def test_mended_text() -> None:
    """Positions are those of the answer; what a repair filled in stands nowhere."""
    text = "(w / want-01 ARG0 (b / boy :name A B :quant) :ARG1 (g go-02"
    found = fm.credit(text, '(w / want-01 :ARG0 (b / boy :name "A B") :ARG1 (g / go-02))', repair=True, extract="text")
    assert found.repaired > 3
    words = written(found)
    assert words["b", ":name", '"A B"'] == [":name", "A B"]
    assert words["g", ":instance", "go-02"] == ["go-02"]
    assert words["w", ":instance", "want-01"] == ["want-01"]
    assert words["b", ":quant", "amr-empty"] == [":quant"]
    assert fsum(entry.share for entry in found.triples) == found.score > 0.8
    assert not fm.credit(text, GOLD).valid


def tokens(text: str, cuts: list[int]) -> list[tuple[int, int]]:
    places = sorted({0, len(text), *(cut % (len(text) + 1) for cut in cuts)})
    return list(itertools.pairwise(places))


@given(
    pairs(), st.lists(st.integers(0, 10**6), max_size=12), st.sampled_from(["{}", "So: {} That is it.", "```\n{}\n```"])
)
def test_shares_sum_to_the_score(pair: tuple[Spec, Spec], cuts: list[int], frame: str) -> None:
    text, gold = frame.format(pair[0].text()), pair[1].text()
    found = fm.credit(text, gold)
    assert found.score == GraphReward().one(text, gold).score
    assert fsum(entry.share for entry in found.triples) == found.score
    offsets = tokens(text, cuts)
    assert fsum(found.to_tokens(offsets)) == found.score
    assert fsum(found.to_tokens([(0, 0), *offsets, (0, 0)])) == found.score
    assert fsum(found.to_tokens([(0, 0)])) == found.score
    assert fsum(found.to_tokens(offsets[::2])) == found.score or not offsets[::2]
    for entry in found.triples:
        assert (entry.share > 0) == (entry.matched and found.score > 0)


@given(pairs())
def test_spans_say_what_triples_say(pair: tuple[Spec, Spec]) -> None:
    found = fm.credit(pair[0].text(), pair[1].text())
    for entry in found.triples:
        source, role, target = entry.triple
        words = [found.text[slice(*span)] for span in entry.spans]
        if role == ":instance":
            assert words == [target]
        elif role == ":TOP" and target == "top" and len(words) == 1:
            assert words == [source]
        else:
            assert words[0] in (role, f"{role}-of", role.removesuffix("-of")) and words[1] in (source, target)


@given(st.text(alphabet='()/:ab "\\~e.1#\n<answer>`', max_size=80), st.booleans())
def test_no_answer_raises_anything(text: str, repair: bool) -> None:
    found = fm.credit(text, GOLD, repair=repair)
    assert fsum(entry.share for entry in found.triples) == found.score
    assert all(0 <= start < stop <= len(text) for entry in found.triples for start, stop in entry.spans)
    assert found.text == text
    found.to_html(), found.to_terminal(True)
    assert fsum(found.to_tokens([(0, len(text))])) == found.score


@pytest.mark.parametrize("text", [None, 5, b"(a / b)", "", "no graph", "(" * 9000, "(a / b" + " :r (c / d" * 2000])
def test_answers_without_a_graph(text: Any) -> None:
    found = fm.credit(text, GOLD)
    assert (found.score, found.valid, found.triples, found.missing) == (0.0, False, (), ())
    assert found.to_tokens([(0, 3), (3, 6)]) == [0.0, 0.0]
    assert found.to_tokens([]) == []


def test_errors_of_the_caller() -> None:
    with pytest.raises(ReadError):
        fm.credit("(a / b)", "(a / ")
    for options in ({"preset": "smatch++"}, {"compress": True}):
        with pytest.raises(OptionError, match="only triples as they are written"):
            fm.credit("(a / b)", "(a / b)", **options)
    with pytest.raises(OptionError):
        fm.credit("(a / b)", "(a / b)", extract="nowhere")  # type: ignore[arg-type]


def test_repeated_triples_and_loops() -> None:
    found = fm.credit("(a / b :r 1 :r 1 :s a :s a)", "(a / b :r 1 :s a)")
    assert fsum(entry.share for entry in found.triples) == found.score == 1
    assert sorted(len(entry.spans) for entry in found.triples) == [1, 1, 2, 2]


def test_tokens() -> None:
    text = "(c / cat :mod (b / big))"
    found = fm.credit(text, text)
    share = found.score / 4
    # of a span in two tokens each gets its part; what lies in none goes to the token before
    assert found.to_tokens([(0, 6), (6, 24)]) == pytest.approx([share * (1 + 1 / 3), share * (3 - 1 / 3)])
    assert found.to_tokens([(0, 2), (20, 24)]) == pytest.approx([share * 3, share])
    assert found.to_tokens([(20, 24), (0, 2)]) == pytest.approx([share, share * 3])


def test_pictures(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    found = fm.credit("<b> (c / cat :mod (b / big))", "(c / cat)")
    page = found._repr_html_()
    assert page.startswith("<pre") and "&lt;b&gt; (" in page and page.count("<mark") == 5
    assert 'title="(c :instance cat): 0.3333">cat</mark>' in page
    green, red = _COLOURS[True][0], _COLOURS[False][0]
    assert found.to_terminal(True).startswith(f"<b> ({green}c\x1b[0m / {green}cat\x1b[0m {red}:mod\x1b[0m")
    assert found.to_terminal() == found.text  # no terminal here
    assert pickle.loads(pickle.dumps(found)) == found
