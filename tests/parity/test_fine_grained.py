"""Fine-grained scores against what the programs printed.

Recorded with amr-evaluation 8bc6b2e (``damonte``) and amr-metric-suite 711a231 (``enhanced``): ``evaluation.sh PRED
GOLD`` without options. Both seed their hill-climber from the clock.

Every overlap has to agree in every digit. The Smatch rows of the programs are what the climber reached on that day:
ours are the optimum, so never smaller, and with our climber the printed digits have to come near. That the totals they
divide by are the same follows from precision and recall together: their quotient is n_gold / n_pred. (Run pair by pair,
the rebuilt graphs of Reentrancies and SRL had the same size on all 2,780 pairs, and no climb ended above our optimum;
it ended below in up to 20 of the pairs of a set.)
"""

import random

import pytest

import fastmatch as fm

from support.nightly import by_day
from support.recorded import SETS, cells_of

pytestmark = pytest.mark.slow

SMATCH_ROWS = ("Smatch", "Unlabeled", "No WSD", "Reentrancies", "SRL")
DIGITS = {"damonte": 2, "enhanced": 3}
VECTORS = "data/glove.6B.100d.subset.txt"

#: How far below the optimum the programs' climbers ended, at most, in F1. Unlabeled leaves them the least to go by.
SHORT = {"Smatch": 0.002, "Unlabeled": 0.006, "No WSD": 0.003, "Reentrancies": 0.002, "SRL": 0.002}


def printed(path) -> dict[str, tuple[float, float, float]]:
    return {name: (float(p), float(r), float(f)) for name, p, r, f in cells_of(path)}


def graphs(data_dir, name: str) -> tuple[str, str]:
    pred, gold, count, _ = SETS[name]
    texts = [(data_dir / path).read_text(encoding="utf-8").strip().split("\n\n")[:count] for path in (pred, gold)]
    return "\n\n".join(texts[0]), "\n\n".join(texts[1])


#: Sums of matched, predicted and gold triples by amrlib 0.8.1 over smatch 1.0.4 with ten restarts a pair, on the 400
#: pairs of the Little Prince. Its climber ends one triple below the optimum in two pairs of Unlabeled.
AMRLIB = {"Smatch": (5912, 7939, 7866), "Unlabeled": (6329, 7940, 7866), "No WSD": (5974, 7939, 7866)}


def test_the_rows_of_amrlib(data_dir):
    pred, gold, _, _ = SETS["lpp-parsers"]
    found = fm.aspects(data_dir / pred, data_dir / gold, kind="amrlib")
    assert list(found) == list(AMRLIB)
    for row, (matched, n_pred, n_gold) in AMRLIB.items():
        pairs = found[row].pairs
        assert (pairs.n_pred.sum(), pairs.n_gold.sum()) == (n_pred, n_gold), row
        assert pairs.matched.sum() == matched + 2 * (row == "Unlabeled") and pairs.certified.all()


@pytest.mark.parametrize("seed", by_day([0, 1], 2))
def test_amrlibs_text_and_smatch(data_dir, seed, monkeypatch):
    """Pair by pair against smatch itself, on text made as amrlib makes it: whole lines, squeezed spaces, lost pairs."""
    smatch = pytest.importorskip("smatch", reason="needs smatch")
    from fastmatch.fine_grained.amrlib import joined_lines
    from fastmatch.fine_grained.old_texts import half_unlabelled_text, one_sense_text

    pred, gold, _, _ = SETS["lpp-parsers"]
    texts = ["\n\n".join((data_dir / path).read_text(encoding="utf-8").split("\n\n")[:60]) for path in (pred, gold)]
    odd = [
        '# ::id x\n(a / city :name "New   York"\n\t:time 12:30 :consist-of (b / b-2a))\n# end',
        "(c / covid-19-01 :prep-on-behalf-of (d / dog) :ARG0-of (e / e))",
        "(a / b :ARG0 (a / c))",
        "(f / fox :domain (g / go-02) :mod f)",
    ]
    texts = ["\n\n".join([text.strip(), *odd, *odd[::-1]]) for text in (texts[0], texts[1])]
    texts[1] = texts[1].replace("New   York", "New York").replace(":mod f", ":mod g")
    found = fm.aspects(*texts, kind="amrlib", on_error="empty")
    rows = {"Smatch": None, "Unlabeled": half_unlabelled_text, "No WSD": one_sense_text}
    monkeypatch.setattr(smatch, "iteration_num", 30)  # fewer were two triples below the optimum, once
    monkeypatch.setattr(smatch, "match_triple_dict", {})
    random.seed(seed)
    monkeypatch.setattr(random, "seed", lambda *_: None)  # smatch calls it before each start, without a number
    for row, rewrite in rows.items():
        plain = [[block.rsplit("\n", 1)[-1] for block in joined_lines(text, rewrite).split("\n\n")] for text in texts]
        pairs = found[row].pairs
        assert len(plain[0]) == len(pairs.matched)
        for number, lines in enumerate(zip(*plain, strict=True)):
            smatch.match_triple_dict.clear()
            try:
                expected = smatch.get_amr_match(*lines)
            except Exception:  # of whatever kind: amrlib lets the pair go
                expected = (0, 0, 0)
            ours = (pairs.matched[number], pairs.n_pred[number], pairs.n_gold[number])
            assert ours[1:] == expected[1:], (row, lines)
            assert 0 <= ours[0] - expected[0] <= 1, (row, lines)


@pytest.mark.parametrize("name", SETS)
@pytest.mark.parametrize("kind", DIGITS)
def test_every_row(data_dir, kind, name):
    expected = printed(data_dir / "reference" / f"fine-grained-{kind}" / f"{name}.tsv")
    texts = graphs(data_dir, name)
    found = fm.aspects(*texts, kind=kind, preset="tool")
    climbed = [fm.aspects(*texts, kind=kind, preset="tool", solver="climb", seed=seed) for seed in range(3)]
    assert set(found) == set(expected)
    half = 0.5 * 10 ** -DIGITS[kind]
    for row, numbers in expected.items():
        ours = tuple(getattr(found[row], part) for part in ("precision", "recall", "f1"))
        if row not in SMATCH_ROWS:
            assert tuple(round(number, DIGITS[kind]) for number in ours) == numbers, row
            continue
        assert found[row].certified
        for number, optimum, short in zip(numbers, ours, (1.2, 1.2, 1), strict=True):
            assert optimum - short * SHORT[row] - half <= number <= optimum + half + 1e-12, row
        # the totals: precision : recall = n_gold : n_pred
        low, high = (numbers[0] - half) / (numbers[1] + half), (numbers[0] + half) / (numbers[1] - half)
        assert low <= found[row].n_gold / found[row].n_pred <= high, row
        reached = [result[row].f1 for result in climbed]
        assert max(reached) <= found[row].f1
        assert abs(numbers[2] - sum(reached) / 3) <= half + 0.0015, row


@pytest.mark.parametrize("name", SETS)
def test_every_row_with_s2match(data_dir, name):
    """The overlaps are those of ``enhanced``; for the S2match rows the digits cannot be had.

    The programs had vectors of 341,479 words, of which a part is at hand; with that part amr-metric-suite itself, run
    pair by pair on the first set with 60 starts, gives our Reentrancies and SRL on all 400 pairs (to 1e-7; with its 5
    starts it stays below on 1 and 3). So: the totals, and not far below.
    """
    expected = printed(data_dir / "reference" / "fine-grained-s2match" / f"{name}.tsv")
    found = fm.aspects(*graphs(data_dir, name), kind="s2match", preset="tool", embeddings=str(data_dir / VECTORS))
    assert set(found) == set(expected)
    for row, numbers in expected.items():
        ours = tuple(getattr(found[row], part) for part in ("precision", "recall", "f1"))
        if row not in (*SMATCH_ROWS, "S2match"):
            assert tuple(round(number, 3) for number in ours) == numbers, row
            continue
        assert found[row].certified
        low, high = (numbers[0] - 5e-4) / (numbers[1] + 5e-4), (numbers[0] + 5e-4) / (numbers[1] - 5e-4)
        assert low <= found[row].n_gold / found[row].n_pred <= high, row
        assert all(number - 5e-4 <= best <= number + 0.007 for number, best in zip(numbers, ours, strict=True)), row
