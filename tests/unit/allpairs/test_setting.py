"""The digest of a corpus and the fingerprint of a computation."""

from __future__ import annotations

import fastmatch as fm
from fastmatch.allpairs.setting import digest, fingerprint

from support.written import TEXTS


def test_digest_is_of_the_content():
    alone = fm.parse(TEXTS)
    crowded = fm.parse(["(z / zebra :ARG0 (y / yak))", *TEXTS])[1:]
    assert digest(alone) == digest(crowded)
    others = [TEXTS[::-1], TEXTS[:-1], [TEXTS[0].replace("one", "two"), *TEXTS[1:]], [*TEXTS[:-1], "(c / cow)"]]
    others += [[*TEXTS[:-1], TEXTS[-1].replace(":ARG0", ":ARG2")], [*TEXTS[:-1], TEXTS[-1].replace("(d /", "(e /")]]
    assert len({digest(fm.parse(texts)) for texts in others} | {digest(alone)}) == len(others) + 1


def test_fingerprints_differ():
    assert fingerprint(a=1, b="x") == fingerprint(b="x", a=1)
    assert len({fingerprint(a=value) for value in (1, "1", None, 1.5, [1], {"a": 1})}) == 6
