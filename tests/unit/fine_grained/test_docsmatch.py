"""Scores of what joins the sentences of documents."""

from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

import fastmatch as fm
from fastmatch.fine_grained.docsmatch import PARTS, coreference

from support import recorded
from support.made_documents import document
from support.nightly import examples

ROWS = ("DocSmatch", "Coreference", *PARTS)

DOCUMENT = """
(d / document
    :snt1 (s1.s / see-01
        :ARG0 (s1.p / person :name (s1.n / name :op1 "Ida") :coref-of (c1 / coref-entity))
        :ARG1 (s1.f / ferry :coref-of (c2 / coref-entity)))
    :snt2 (s2.p / paint-02
        :ARG0 (s2.s / she :coref-of c1)
        :ARG1 (s2.m / mast :part-of c2)
        :ARG2 (s2.i / implicit-role)))"""


def counts(pred: str, gold: str) -> dict[str, tuple[int, ...]]:
    found = fm.aspects([pred], [gold], kind="docsmatch")
    assert tuple(found) == ROWS
    return {name: recorded.counts(score.pairs)[0] for name, score in found.items()}


def test_what_is_about_coreference() -> None:
    """Two chains and an implicit role; three mentions, the way to the role; the mast is a part of another sentence."""
    found = counts(DOCUMENT, DOCUMENT)
    assert found["Coreference"] == (8, 8, 8)
    assert found["Named entities"] == (3, 3, 3)  # the chain of Ida, and its mentions
    assert found["Bridging"] == (1, 1, 1) and found["Other coreference"] == (4, 4, 4)


def test_a_mention_that_is_missing() -> None:
    found = counts(DOCUMENT.replace(" :coref-of c1)", ")"), DOCUMENT)
    assert found["Coreference"] == (7, 7, 8) and found["Named entities"] == (2, 2, 3)


def test_merged_documents() -> None:
    """A node that two sentences share is coreference, its own children are not."""
    merged = fm.documents.represent(fm.parse(DOCUMENT), "merge-all")[0].encode()
    found = counts(merged, merged)
    # ARG0 of both sentences to Ida; the bridge; the implicit role and the way to it
    assert found["Named entities"] == (2, 2, 2) and found["Bridging"] == (1, 1, 1)
    assert found["Other coreference"] == (2, 2, 2)


def test_pairs_of_mentions() -> None:
    text = "(d / document :snt1 (a / boy) :snt2 (b / he :same-as a))"
    assert counts(text, text)["Other coreference"] == (1, 1, 1)


def test_a_triple_that_changes_its_part() -> None:
    """It matches, in the sum alone."""
    found = counts(DOCUMENT.replace(' :name (s1.n / name :op1 "Ida")', ""), DOCUMENT)
    assert found["Coreference"] == (8, 8, 8) and found["Named entities"] == (0, 0, 3)
    assert found["Other coreference"] == (4, 7, 4)


def test_sentences_alone_have_none() -> None:
    found = fm.aspects(["(a / b :ARG0 (c / d))"], ["(a / b)"], kind="docsmatch")
    assert {name: score.n_macro for name, score in found.items()} == {**dict.fromkeys(ROWS, 0), "DocSmatch": 1}
    assert counts("(a / b)", "()")["Coreference"] == (0, 0, 0)


@given(st.integers(0, 2**32))
@examples(20)
def test_parts_of_any_documents(seed: int) -> None:
    """Every count is a part of DocSmatch's, which is at most what there is; the two sides may be exchanged."""
    texts = [document(Random(seed + k), pairs=seed % 2 == 1) for k in range(2)]
    there, back = counts(*texts), counts(*texts[::-1])
    for side in (1, 2):
        assert there["Coreference"][side] == sum(there[part][side] for part in PARTS)
        assert there["Coreference"][side] <= there["DocSmatch"][side]
    assert sum(there[part][0] for part in PARTS) <= there["Coreference"][0] <= there["DocSmatch"][0]
    for name in ROWS:
        assert there[name][0] <= min(there[name][1:]) and there[name][1:] == back[name][:0:-1]
    assert all(matched == n for matched, n, _ in counts(texts[0], texts[0]).values())


def test_options_that_have_no_meaning() -> None:
    for options in ({"standard": "smatch++"}, {"duplicates": "bag"}, {"triples": "relation"}):
        with pytest.raises(fm.OptionError, match="aspects of docsmatch: need all triples"):
            fm.aspects([DOCUMENT], [DOCUMENT], kind="docsmatch", **options)


def test_a_corpus_without_graphs() -> None:
    assert coreference(fm.parse([])) == []
