"""Metrics without alignment under ``preset="tool"`` against recorded output of the published programs, row by row.

``reference/<metric>/*.tsv`` name program, version and options in their first line.
"""

import os

import numpy as np
import pytest

import fastmatch as fm

from support.recorded import SETS, columns_of, corpora

pytestmark = pytest.mark.slow


@pytest.mark.parametrize("name", SETS)
def test_rematch(data_dir, name):
    """Intersections and unions without the VerbAtlas map, which may not be passed on."""
    recorded = columns_of(data_dir / "reference" / "rematch" / f"{name}.tsv")
    pairs = fm.score(*corpora(data_dir, name, "sema", "empty"), metric="rematch", preset="tool").pairs
    assert pairs.shared.tolist() == list(map(int, recorded["num_nomap"]))
    assert pairs.union.tolist() == list(map(int, recorded["den_nomap"]))
    assert pairs.score.tolist() == pytest.approx(list(map(float, recorded["score_nomap"])), abs=1e-12)


@pytest.mark.skipif("FASTMATCH_FRAMES" not in os.environ, reason="FASTMATCH_FRAMES names no file of VerbAtlas frames")
@pytest.mark.parametrize("name", SETS)
def test_rematch_with_the_map(data_dir, name):
    """The same with the map, for those who have the file that comes with the program (``pb2va.json``)."""
    recorded = columns_of(data_dir / "reference" / "rematch" / f"{name}.tsv")
    frames = os.environ["FASTMATCH_FRAMES"]
    pairs = fm.score(*corpora(data_dir, name, "sema", "empty"), metric="rematch", preset="tool", frames=frames).pairs
    assert pairs.shared.tolist() == list(map(int, recorded["num"]))
    assert pairs.union.tolist() == list(map(int, recorded["den"]))


@pytest.mark.parametrize("name", SETS)
def test_sembleu(data_dir, name):
    """Orders 1 to 4 with equal weights, and the program's own weights, both ways. It dies of one pair (NA)."""
    recorded = columns_of(data_dir / "reference" / "sembleu" / f"{name}.tsv")
    pred, gold = corpora(data_dir, name, "sembleu", "empty")
    unread = [g for g, _ in pred.problems + gold.problems]
    assert unread == ([308] if name == "lpp-parsers" else [])
    for column, cells in recorded.items():
        if column == "index":
            continue
        order, _, way = column.partition("_")
        options = {"k": 3} if order == "default" else {"k": int(order[1:]), "weights": "uniform"}
        direction = {"ab": "pred-gold", "ba": "gold-pred"}[way]
        scores = fm.score(pred, gold, metric="sembleu", preset="tool", direction=direction, **options).pairs.score
        assert [k for k, cell in enumerate(cells) if cell == "NA"] == unread
        wanted = [0.0 if cell == "NA" else float(cell) for cell in cells]
        assert scores.tolist() == pytest.approx(wanted, abs=1e-9), column


def test_what_the_program_dies_of_scores_by_default(data_dir):
    pred, gold = corpora(data_dir, "lpp-parsers", "penman", "empty")
    scores = fm.score(pred, gold, metric="sembleu").pairs.score
    assert pred.problems == gold.problems == ()
    assert scores[308] > 0.1


@pytest.mark.parametrize("name", SETS)
def test_sema(data_dir, name):
    """Matched, test and gold triples, and the scores made of them, above 1 where the program's are."""
    recorded = columns_of(data_dir / "reference" / "sema" / f"{name}.tsv")
    pairs = fm.score(*corpora(data_dir, name, "sema", "empty"), metric="sema", preset="tool").pairs
    for column, mine in (("m", pairs.matched), ("c", pairs.n_pred), ("t", pairs.n_gold)):
        assert mine.tolist() == list(map(int, recorded[column])), column
    for column, scores in (("P", pairs.precision), ("R", pairs.recall), ("F", pairs.f1)):
        assert scores.tolist() == pytest.approx(list(map(float, recorded[column])), abs=1e-12), column
    assert name != "lpp-parsers" or (pairs.f1 > 1).sum() == 26


#: Rows of STS on which a third round depends on the hash seed, though the second does not: what the program gives under
#: PYTHONHASHSEED 0 to 15 (the record has seed 0 only).
OTHER_SEEDS = {
    939: (0.571994577183, 0.573542833182),
    1066: (0.775615687551, 0.777287273085),
    1147: (0.859353649217, 0.867007315491, 0.869762635349),
}


@pytest.mark.parametrize("name", SETS)
def test_wlk(data_dir, name):
    """Scores after 0 to 3 rounds, where they are the program's own: they depend on the order of a Python set.

    The record has the least and the greatest score of k = 2 over eight hash seeds. Where the two agree it is met,
    and so are those of other numbers of rounds, but for three rows that a third round makes depend on the order again:
    there ours is one of those that the program gives under other seeds.
    """
    recorded = columns_of(data_dir / "reference" / "wlk" / f"{name}.tsv")
    columns = {column: np.array(cells, np.float64) for column, cells in recorded.items()}
    stable = columns["k2_max"] - columns["k2_min"] < 1e-12
    assert stable.sum() == {"lpp-parsers": 356, "sts-main-test": 1135, "sick-main-test-1000": 984}[name]
    pred, gold = corpora(data_dir, name, "wlk", "empty")
    for k in range(4):
        scores = fm.score(pred, gold, metric="wlk", preset="tool", k=k).pairs.score
        met = abs(scores - columns[f"k{k}"]) < 1e-9
        unmet = np.flatnonzero(stable & ~met).tolist()
        assert unmet == (list(OTHER_SEEDS) if k == 3 and name == "sts-main-test" else []), k
        for row in unmet:
            assert min(abs(scores[row] - np.array(OTHER_SEEDS[row]))) < 1e-9, row
        assert met.mean() > 0.88, k


#: Pairs on which WLK's order of triples, its variables and its reader matter, and what the program gives for them
#: under every PYTHONHASHSEED from 0 to 23 (weisfeiler-leman-amr-metrics 51624e2, smatchpp 1.5.1, CPython 3.11:
#: ``main_wlk.py -a A -b B -round_decimals 12``).
ODD_PAIRS = [
    (
        '(c4 / country :name (n2 / name :op1 "Iran") :wiki "Iran")',
        '(c4 / country :wiki "Iran" :name (n2 / name :op1 "Iran"))',
        1.0,
    ),
    (
        '(p / person :name (n / name :op1 "A") :ARG0-of (r / run-01 :time "A"))',
        '(p / person :ARG0-of (r / run-01 :time "A") :name (n / name :op1 "A"))',
        1.0,
    ),
    (
        '(x / say-01 :ARG0 (c / cat :name (z / name :op1 "C")))',
        '(x / say-01 :ARG0 (c / cat :name (z / name :op1 "D")))',
        0.678820457575,
    ),
    (
        '(x / say-01 :ARG0 (C / cat :name (z / name :op1 "c")))',
        "(x / say-01 :ARG0 (c / cat :name (z / name :op1 c)))",
        1.0,
    ),
    ("(B / boy :ARG0 (b / girl))", "(a / boy :ARG0 (b / girl))", 0.337318871502),
    ('(c / city :wiki "city")', "(c / city)", 1.0),
    ('(c / city :wiki "city" :mod (b / big))', '(c / city :wiki "City" :mod (b / big))', 1.0),
    ('(n / name :op1 "(x)")', '(n / name :op1 "( x )")', 1.0),
    ("(b / boy :mod b)", '(b / boy :mod "B")', 1.0),
]


@pytest.mark.parametrize(("pred", "gold", "score"), ODD_PAIRS)
def test_wlk_on_odd_pairs(pred: str, gold: str, score: float) -> None:
    assert fm.score([pred], [gold], metric="wlk", preset="tool").score == pytest.approx(score, abs=1e-11)


def test_wlk_sees_brackets_between_apostrophes() -> None:
    """The reader of smatchpp 1.5, which WLK uses, does not take two apostrophes for quotes."""
    text = "(s / see-01 :time (o / o'clock :mod (a / about)) :ARG1 (p / party :time (o2 / o'clock)))"
    assert [name for name, _, _ in fm.parse(text, dialect="wlk")[0].instances] == ["s", "o", "a", "p", "o2"]
    assert "(a" in fm.parse(text, dialect="smatchpp")[0].variables
