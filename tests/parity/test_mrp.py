"""MRP, EDM, SDP and UCCA as mtool (4cee3a2) counts them.

``tests/data/recorded/mrp/mrp.json`` has its counts of the invented graphs in ``tests/data``.
"""

import json

import pytest

import fastmatch as fm

from support import recorded

KINDS = ("mrp", "edm", "sdp", "ucca")

#: Graphs in which nodes cover the same characters by other spans: for SDP they are other nodes there, the same here.
OTHER_SPANS = {"anchors": 0, "unicode": 2}


def counts(scores: fm.CorpusScore) -> list[tuple[int, ...]]:
    """Triples of gold, of the prediction, and what matches."""
    return [row[::-1] for row in recorded.counts(scores.pairs)]


@pytest.mark.parametrize("kind", KINDS)
def test_recorded(own_data, kind):
    """Every count of every graph."""
    record = json.loads((own_data / "recorded" / "mrp" / "mrp.json").read_text(encoding="utf-8"))[kind]
    gold, pred = (fm.read(own_data / f"mrp-{side}.mrp", dialect="mrp-tool") for side in ("gold", "pred"))
    pred = pred.detached(gold.vocabulary)
    scores = fm.aspects(pred, gold, kind=kind, preset="tool")
    ids = [id.split("/")[1] for id in gold.ids]
    assert len(ids) == 11
    for row in scores:
        if row != "all":
            wanted = {id: tuple(record[id][row]) for id in ids}
            if kind == "sdp":
                for id, matched in OTHER_SPANS.items():
                    n_gold, n_pred, theirs = wanted[id]
                    assert theirs == matched
                    wanted[id] = n_gold, n_pred, min(n_gold, n_pred)
            assert counts(scores[row]) == list(wanted.values()), row
    if kind in ("sdp", "ucca"):
        return
    assert counts(scores["all"]) == [
        tuple(map(sum, zip(*(record[id][row] for row in record[id]), strict=True))) for id in ids
    ]
