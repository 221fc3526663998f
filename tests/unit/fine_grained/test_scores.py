"""What the scores of all kinds of aspects have in common."""

from __future__ import annotations

import pytest

import fastmatch as fm

SEES = [("s", ":instance", "see-01"), ("s", ":ARG0", "c"), ("c", ":instance", "cat")]


@pytest.mark.parametrize("kind", ["damonte", "enhanced", "smatch++", "docsmatch"])
def test_graphs_without_roots_have_no_triple_for_a_root(kind: str) -> None:
    """The signature says what ``fm.score`` says of the same graphs."""
    rootless = fm.Corpus.from_triples([(None, SEES)], rooted=False)
    rooted = fm.Corpus.from_triples([("s", SEES)])
    for pred, gold, expected in ((rootless, rootless, True), (rootless, rooted, False), (rooted, rooted, False)):
        found = fm.aspects(pred, gold, kind=kind)
        assert (found.signature.fields["top"] == "none") == expected
        assert {score.signature.fields["top"] for score in found.values()} == {found.signature.fields["top"]}
    whole = fm.score(rootless, rootless, metric="smatch")
    assert whole.signature.fields["top"] == "none"
