"""Rematch: motifs against a plain Python twin, its switches, its file of frames."""

import json
import pickle
from itertools import combinations

import pytest
from hypothesis import given
from hypothesis import strategies as st

import fastmatch as fm
from fastmatch.metrics import from_signature, make

from support.refusal import fails
from support.strategies import specs
from twins.motifs import motifs
from twins.readers import read_penman


def counts(pred: str, gold: str, **options) -> tuple[int, int]:
    pairs = fm.score(pred, gold, metric="rematch", **options).pairs
    return pairs.shared.item(), pairs.union.item()


NAMES = ("attributes", "instances", "relations", "labels")
SWITCHES = [some for n in range(1, 5) for some in combinations(NAMES, n)]


@pytest.mark.slow
@given(specs(missing_concepts=True), specs(missing_concepts=True), st.sampled_from(SWITCHES))
def test_as_the_twin(pred, gold, switches):
    options = {name: name in switches for name in NAMES}
    left, right = (motifs(read_penman(spec.text()), switches) for spec in (pred, gold))
    expected = len(left & right), len(left | right)
    assert counts(pred.text(), gold.text(), **options) == expected
    assert counts(pred.text(), gold.text(), **options, keys="exact") == expected


@pytest.mark.parametrize(
    "content",
    ["want-01 WISH\n# a comment\n\nwish-01\tWISH\n", json.dumps({"want-01": {"label": "WISH"}, "wish-01": "WISH"})],
)
def test_frames(tmp_path, content):
    path = tmp_path / "frames"
    path.write_text(content)
    pred, gold = "(w / Want-01 :ARG0 (i / i))", "(w / wish-01 :ARG0 (i / i))"
    assert counts(pred, gold) == (1, 5)
    for keys in ("hashed", "exact"):
        assert counts(pred, gold, frames=str(path), keys=keys) == (3, 3)
    signature = str(make("rematch", frames=str(path)).signature("penman"))
    assert "|frames:" in signature
    fails(fm.OptionError, "is a digest of frames; give what it is of with frames=", from_signature, signature)


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ("a b c", "frames:1: expected a concept and a frame, found 'a b c'"),
        ('{"a": 3}', "expected a frame, or an object with a label, for 'a'"),
        ("{", "frames"),
        ('{"a":' * 200_000, "frames: .*: not JSON that can be read"),
        ('{"a": ' + "9" * 5000 + "}", "frames: .*: not JSON that can be read"),
    ],
    ids=lambda text: text[:9],
)
def test_bad_frames(tmp_path, content, message):
    path = tmp_path / "frames"
    path.write_text(content)
    fails(fm.OptionError, message, make, "rematch", frames=str(path))
    fails(fm.OptionError, "cannot read", make, "rematch", frames=str(tmp_path / "nowhere"))


def test_options_that_make_no_sense():
    fails(fm.OptionError, "nothing to compare", make, "rematch", attributes=False, instances=False, relations=False)
    fails(fm.OptionError, "expected True or False", make, "rematch", labels=1)


def test_the_tools_quirks():
    """Underscores and case of values fall away, a value ``top`` takes its attribute along, roles keep their case."""
    assert counts("(a / B_ :mode top :x Y_)", "(a / b :x y)", preset="tool") == (2, 2)
    assert counts("(a / b :ARG0 (c / d))", "(a / b :arg0 (c / d))", preset="tool") == (2, 4)
    assert counts("(a / b :ARG0 (c / d))", "(a / b :arg0 (c / d))") == (3, 3)


def test_too_many_motifs():
    """Two variables with thousands of attributes each, and a relation: not gigabytes, but a report."""
    values = " ".join(f":x {k}" for k in range(8000))
    text = f"(a / a {values} :y (b / b {values}) :z (c / c))"
    result = fm.score([text, "(a / a)"], [text, "(a / a)"], metric="rematch")
    assert not result.certified and result.pairs.certified.tolist() == [False, True]
    assert result.pairs.union.tolist() == [8000 + 2 * 8000 + 1 + 8000, 1]  # the relation to c is still there
    assert result.score == 1
    assert counts(text, "(a / a)", relations=False) == (0, 24002)
    assert fm.score(text, text, metric="rematch", relations=False).certified


def test_motifs_of_a_short_text_are_limited():
    """130 relations of a variable to itself and its 300 attributes: 12 million motifs in 1,855 characters."""
    values = "".join(f":{chr(0xC0 + k)} {k % 10}" for k in range(300))
    text = f"(a / c{values}" + "".join(f" :{chr(0xC0 + k)} a" for k in range(130)) + ")"
    for effort, relations in {"low": 1, "default": 5}.items():
        result = fm.score(text, text, metric="rematch", effort=effort)
        assert result.union == 300 + 300 + relations * 300**2 and not result.certified
        assert f"|effort:{effort}|" in str(result.signature) or effort == "default"
    prepared = make("rematch").prepare(fm.parse([text, "(a / b)"]))
    assert prepared.cut.tolist() == pickle.loads(pickle.dumps(prepared)).cut.tolist() == [True, False]
    assert make("rematch").prepare(fm.parse(["(a / b)"])).cut is None
