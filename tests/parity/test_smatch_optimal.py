"""The certified optimum under ``preset="smatch"`` against recorded and independent optima of smatch 1.0.4's objective.

``reference/smatch-optimal/*.tsv`` holds, for every pair, the optimal matched count (triples and pair weights taken from
smatch 1.0.4, solved with an integer program to a proven optimum) and both triple totals. Ours must equal them on every
row. The own corpora of ``tests/data`` need no shared data: there the judge is HiGHS on the twin's problem, built from
the triples of the installed smatch 1.0.4.
"""

import pytest

import fastmatch as fm

from support.recorded import SETS, corpora, counts, counts_of
from twins import ilp, readers
from twins.smatch_problem import DEFAULT, SMATCH, build

pytestmark = pytest.mark.slow


@pytest.mark.parametrize("name", SETS)
def test_every_recorded_optimum(data_dir, name):
    """matched, n_pred and n_gold equal the record on every row; every pair is certified; so do the corpus totals."""
    *_, n_pairs, (matched, n_pred, n_gold, f1) = SETS[name]
    expected = counts_of(data_dir / "reference" / "smatch-optimal" / f"{name}.tsv", 3)
    assert len(expected) == n_pairs
    result = fm.score(*corpora(data_dir, name, "smatch"), preset="smatch")
    pairs = result.pairs
    found = counts(pairs)
    wrong = [(k, ours, theirs) for k, (ours, theirs) in enumerate(zip(found, expected, strict=True)) if ours != theirs]
    assert not wrong, f"{len(wrong)} rows differ, the first: (pair, ours, recorded) = {wrong[:5]}"
    assert pairs.certified.all() and (pairs.upper == pairs.matched).all()
    assert tuple(map(sum, zip(*found, strict=True))) == (matched, n_pred, n_gold)
    assert result.f1 == pytest.approx(f1, abs=5e-7)
    assert result.f1 == pytest.approx(2 * matched / (n_pred + n_gold), rel=1e-12)


@pytest.mark.parametrize(
    ("name", "preset"),
    [("pairs", "smatch"), ("quirks", "smatch"), ("plain", "smatch"), ("pairs", None), ("plain", None)],
)
def test_own_corpora(own_data, name, preset):
    """Read and scored by us; read by smatch 1.0.4 or penman, and solved by HiGHS: the same counts, quirks included."""
    blocks, read, flavour = readers.penman_blocks, readers.read_penman, DEFAULT
    if preset:
        pytest.importorskip("amr", reason="smatch 1.0.4 is a test dependency")
        blocks, read, flavour = readers.smatch_lines, readers.read_smatch, SMATCH
    pred, gold = (own_data / f"{name}-{side}.amr" for side in ("pred", "gold"))
    pairs = fm.score(pred, gold, preset=preset).pairs
    assert pairs.certified.all()
    expected = []
    for texts in zip(blocks(pred), blocks(gold), strict=True):
        problem = build(*map(read, texts), flavour)
        expected.append((ilp.solve(problem).value, problem.n_pred, problem.n_gold))
    assert counts(pairs) == expected
