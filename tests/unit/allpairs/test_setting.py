"""The digest of a corpus and the fingerprint of a computation."""

import warnings

import pytest

import fastmatch as fm
from fastmatch.allpairs.setting import digest, fingerprint

from support.written import TEXTS


def test_digest_is_of_the_content():
    alone = fm.parse(TEXTS)
    assert digest(alone) == digest(fm.parse(["(z / zebra :ARG0 (y / yak))", *TEXTS])[1:])
    others = [TEXTS[::-1], TEXTS[:-1], [TEXTS[0].replace("one", "two"), *TEXTS[1:]], [*TEXTS[:-1], "(c / cow)"]]
    others += [[*TEXTS[:-1], TEXTS[-1].replace(":ARG0", ":ARG2")], [*TEXTS[:-1], TEXTS[-1].replace("(d /", "(e /")]]
    assert len({digest(fm.parse(texts)) for texts in others} | {digest(alone)}) == len(others) + 1


def test_fingerprints_differ():
    assert fingerprint(a=1, b="x") == fingerprint(b="x", a=1)
    assert len({fingerprint(a=value) for value in (1, "1", None, 1.5, [1], {"a": 1})}) == 6


def test_points_for_a_cutoff_are_warned_of():
    pair = ["(a / ant :mod (b / bee))", "(a / ant)"]
    with pytest.warns(fm.FastmatchWarning, match="score_cutoff=90: scores are fractions, of a graph with itself 1;"):
        assert fm.groups(pair, score_cutoff=90).sizes.tolist() == [1, 1]
    with warnings.catch_warnings(action="error"):
        fm.cdist(pair, metric="rematch", score_cutoff=1)
        fm.cdist(pair, metric="wlk", kernel="dot", score_cutoff=2)  # a graph with itself has more
