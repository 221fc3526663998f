"""``fastmatch agreement``: its report, its forms for programs, and what it refuses."""

import json
import re

import pytest

import fastmatch as fm

from support.command_line import refused, run, table


@pytest.fixture
def folder(folder):
    """Beside the sample: every third graph of the gold file, the rest predicted; and a file that lacks some graphs."""
    pred, gold = fm.read(folder / "pred.amr"), fm.read(folder / "gold.amr")
    texts = [(pred if k % 3 else gold)[k].encode() for k in range(len(gold))]
    (folder / "third.amr").write_text("\n\n".join(texts), encoding="utf-8")
    (folder / "part.amr").write_text("\n\n".join(texts[3:]), encoding="utf-8")
    return folder


FILES = ("pred.amr", "gold.amr", "third.amr")


def test_the_report(folder):
    lines = run("agreement", *FILES, cwd=folder).stdout.splitlines()
    found = fm.agreement([folder / name for name in FILES])
    assert lines[0] == "smatch: 3 annotators, 40 graphs"
    assert [line.split() for line in lines[2:5]] == [["A", "pred.amr"], ["B", "gold.amr"], ["C", "third.amr"]]
    assert lines[6] == "micro F1:" and lines[8].split() == ["A", "B", "C", "mean"]
    for k, line in enumerate(lines[9:12]):
        values = ["–" if value != value else f"{100 * value:.2f}" for value in found.matrix[k]]
        assert line.split() == ["ABC"[k], *values, f"{100 * found.mean_of(k):.2f}"]
    assert re.split(r"\s{2,}", lines[13].strip()) == ["pair", "precision", "recall", "F1", "macro F1"]
    for pair, line in zip(found.pairs, lines[14:17], strict=True):
        score = pair.score
        values = (score.precision, score.recall, score.f1, score.macro.f1)
        assert line.split()[3:] == [f"{100 * value:.2f}" for value in values]
    assert lines[18] == f"mean of 3 pairs: F1 {100 * found.mean.f1:.2f}, macro F1 {100 * found.mean['macro_f1']:.2f}"
    assert lines[19] == "proven optimal: 120 of 120 pairs of graphs" and lines[21] == f"signature: {found.signature}"


def test_a_metric_that_is_not_symmetric(folder):
    text = run("agreement", *FILES, "--metric", "sembleu", "--sembleu-k", "2", cwd=folder).stdout
    found = fm.agreement([folder / name for name in FILES], metric="sembleu", k=2)
    assert "micro bleu, rows as predictions of columns:" in text
    ways = [line.split()[:3] for line in text.splitlines() if " > " in line]
    assert ways == [[one, ">", two] for one, two in ("AB", "AC", "BA", "BC", "CA", "CB")]
    assert f"the two directions differ by up to {100 * found.asymmetry:.2f} points" in text
    assert "mean of 6 pairs: bleu" in text and "proven optimal" not in text


def test_json_and_tsv(folder):
    flags = ("--bootstrap", "40", "--bootstrap-seed", "2", "--preset", "smatch")
    corpora = [fm.read(folder / name, dialect="smatch") for name in FILES]
    found = fm.agreement(corpora, names=FILES, preset="smatch", bootstrap=40, bootstrap_seed=2)
    record = json.loads(run("agreement", *FILES, *flags, "--json", cwd=folder).stdout)
    assert record == json.loads(json.dumps(found.to_dict()))
    rows = table(run("agreement", *FILES, *flags, "--tsv", cwd=folder).stdout)
    assert rows == [{name: str(value) for name, value in row.items()} for row in found.summaries()]
    text = run("agreement", *FILES, *flags, cwd=folder).stdout
    low, high = found.intervals["f1"]
    assert f"F1 {100 * found.mean.f1:.2f} [{100 * low:.2f}, {100 * high:.2f}]" in text
    assert text.count("95 % interval") == 2


def test_missing_ids(folder):
    files = ("pred.amr", "part.amr", "gold.amr")
    line = refused("agreement", *files, cwd=folder)
    assert "pred.amr has 40 graphs, part.amr 37; not in part.amr: 3 ids" in line
    line = refused("agreement", *files, "--pair-by", "id", cwd=folder)
    assert "3 ids ('sample.1', 'sample.2', 'sample.3') not in part.amr; --unpaired 'empty'" in line
    for how, sizes in (("empty", "40 graphs"), ("skip", "37 to 40 graphs in common")):
        arguments = ("agreement", *files, "--pair-by", "id", "--unpaired", how, "--quiet")
        done = run(*arguments, cwd=folder)
        assert done.stdout.startswith(f"smatch: 3 annotators, {sizes}\n")
        assert "missing in part.amr: 3 ids (sample.1, sample.2, sample.3)\n" in done.stdout
        record = json.loads(run(*arguments, "--json", cwd=folder).stdout)
        assert record["missing"] == {"part.amr": ["sample.1", "sample.2", "sample.3"]}


def test_standard_input_and_a_broken_graph(folder):
    text = (folder / "gold.amr").read_text(encoding="utf-8")
    assert run("agreement", "pred.amr", "-", "--tsv", cwd=folder, stdin=text).stdout == (
        run("agreement", "pred.amr", "gold.amr", "--tsv", cwd=folder).stdout.replace("gold.amr", "-")
    )
    (folder / "broken.amr").write_text(text.replace("(r / refuse-01", "(r / refuse-01 / x", 1), encoding="utf-8")
    assert refused("agreement", "pred.amr", "broken.amr", cwd=folder).startswith("fastmatch: broken.amr:3:")
    done = run("agreement", "pred.amr", "broken.amr", "--on-error", "empty", "--quiet", cwd=folder)
    assert "invalid, counted as empty: 1 graph; repaired: 0" in done.stdout
    (folder / "broken.amr").write_text(text.strip()[:-1], encoding="utf-8")
    done = run("agreement", "pred.amr", "broken.amr", "--on-error", "repair", "--quiet", cwd=folder)
    assert "invalid, counted as empty: 0 graphs; repaired: 1" in done.stdout
