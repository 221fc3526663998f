"""Pairs on the command line: warnings, pairing by id, files without graphs, None of which may pass in silence."""

import json
import random

import pytest

from support.command_line import fastmatch


@pytest.fixture
def folder(folder):
    """The sample corpus; its predictions in another order, and without seven of them; two files without graphs."""
    blocks = (folder / "pred.amr").read_text(encoding="utf-8").strip().split("\n\n")
    random.Random(1).shuffle(blocks)
    (folder / "shuffled.amr").write_text("\n\n".join(blocks) + "\n", encoding="utf-8")
    (folder / "fewer.amr").write_text("\n\n".join(blocks[7:]) + "\n", encoding="utf-8")
    (folder / "empty.amr").write_text("", encoding="utf-8")
    (folder / "remarks.amr").write_text("# no graphs\n\n", encoding="utf-8")
    return folder


def run(folder, *arguments: str, status: int = 0) -> tuple[str, list[str]]:
    """Standard output, and the lines of standard error."""
    done = fastmatch(*arguments, cwd=folder)
    assert done.returncode == status, (arguments, done.stdout, done.stderr)
    assert "Traceback" not in done.stderr
    return done.stdout, done.stderr.splitlines()


def test_another_order_without_ids(folder):
    """One line, also where nothing but the concepts tells."""
    graphs = [line for line in (folder / "pred.amr").read_text(encoding="utf-8").splitlines() if line[:1] != "#"]
    blocks = "\n".join(graphs).strip().split("\n\n")
    (folder / "bare.amr").write_text("\n\n".join([*blocks[:17], *blocks[18:], blocks[0]]), encoding="utf-8")
    (line,) = run(folder, "score", "bare.amr", "gold.amr", "--metric", "rematch")[1]
    assert line.startswith("fastmatch: warning: from graph 17 on, each graph of pred looks like the graph of gold")
    assert run(folder, "score", "bare.amr", "gold.amr", "--metric", "rematch", "--quiet")[1] == []


@pytest.mark.parametrize("verb", [("score",), ("score", "--aspects=damonte"), ("compare", "pred.amr")])
def test_a_shuffled_file(folder, verb):
    out, lines = run(folder, *verb, "shuffled.amr", "gold.amr")
    assert len(lines) == 1  # once a run
    assert lines[0].startswith("fastmatch: warning: ::id differs in 39 of 40 pairs of ")
    assert lines[0].count("sample.") == 10 and lines[0].endswith("; --pair-by 'id' pairs equal ids")
    assert run(folder, *verb, "shuffled.amr", "gold.amr", "--quiet") == (out, [])
    paired, lines = run(folder, *verb, "shuffled.amr", "gold.amr", "--pair-by", "id")
    assert lines == []
    (folder / "shuffled.amr").write_bytes((folder / "pred.amr").read_bytes())
    assert paired == run(folder, *verb, "shuffled.amr", "gold.amr")[0]


def test_missing_predictions(folder):
    for flags in ((), ("--pair-by", "id")):
        out, lines = run(folder, "score", "fewer.amr", "gold.amr", *flags, status=2)
        assert out == ""
        assert len(lines) == 1 and "7 ids" in lines[0] and lines[0].count("'sample.") == 5
    flags = ("--pair-by", "id", "--json", "--unpaired")
    out, lines = run(folder, "score", "fewer.amr", "gold.amr", *flags, "empty")
    found = json.loads(out)
    whole = json.loads(run(folder, "score", "pred.amr", "gold.amr", "--json")[0])
    assert found["counts"]["n_gold"] == whole["counts"]["n_gold"] and len(found["problems"]) == 7
    assert lines[0].startswith("fastmatch: pair ") and "counted as empty: no graph with ::id 'sample." in lines[0]
    assert lines[5] == "fastmatch: … and 2 empty graphs more"
    out, lines = run(folder, "score", "fewer.amr", "gold.amr", *flags, "skip")
    assert json.loads(out)["n_pairs"] == 33
    assert len(lines) == 1 and lines[0].startswith("fastmatch: warning: score: left out: 7 ids of gold not in pred (")


def test_no_graphs_on_either_side(folder):
    out, lines = run(folder, "score", "empty.amr", "remarks.amr")
    assert lines == ["fastmatch: warning: no graphs on either side: there is nothing to score"]
    assert "100" not in out and "no score" in out
    _, lines = run(folder, "score", "empty.amr", "remarks.amr", "--fail-under", "80", status=1)
    assert lines[1] == "fastmatch: there is no score, so it is below 80"
    assert run(folder, "score", "empty.amr", "remarks.amr", "--fail-under", "0", "--quiet", status=1)[1] == []
    record = json.loads(run(folder, "score", "empty.amr", "remarks.amr", "--json")[0])
    assert record["micro"]["f1"] is record["macro"]["f1"] is None and record["n_pairs"] == 0
    aspects = json.loads(run(folder, "score", "empty.amr", "remarks.amr", "--json", "--aspects")[0])
    assert {aspect["micro"]["f1"] for aspect in aspects["aspects"].values()} == {None}
