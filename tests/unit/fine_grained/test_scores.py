"""What the scores of all kinds of aspects have in common."""

import re

import pytest

import fastmatch as fm
from fastmatch.metrics.shared.search import WORK

from support.nightly import by_day
from support.sentence_documents import pair

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
    assert fm.score(rootless, rootless, metric="smatch").signature.fields["top"] == "none"


ROWS = [("damonte", "Smatch", "No WSD"), ("s2match", "S2match", "No WSD"), ("amrlib", "Smatch", "No WSD")]


@pytest.mark.parametrize(("kind", "first", "second"), by_day([*ROWS, ("smatch++", "PATIENT", "SRL-core")], 4))
def test_aspects_of_large_pairs_share_a_budget(kind, first, second, monkeypatch):
    """Of documents about different things, without senses, rows that match equal graphs have bounds of different work.

    The second search of the same graphs begins with the map of the first. With a sixth of the work, to be quick.
    """
    monkeypatch.setitem(WORK, "default", 10**7)
    texts = [[re.sub(r"-\d\d", "", text)] for text in pair("unrelated", 1, 600)]
    options = {"s2match": {"embeddings": None}, "smatch++": {"align": "each"}}.get(kind, {})
    found = fm.aspects(*texts, kind=kind, **options)
    if kind == "smatch++":
        alone = fm.aspects(*texts, kind=kind, only=second, **options)[second]
    else:
        alone = found[first]
    assert alone.upper - alone.matched > 20 and found[second].upper > alone.upper
    if kind == "smatch++":
        assert found[second].matched <= alone.matched
    else:
        assert found[second].matched >= alone.matched and found["Unlabeled"].matched >= alone.matched
