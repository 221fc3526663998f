"""``score --certificate`` writes proofs, ``check`` checks them."""

import json
import re

from support.command_line import printed, refused, run

FILES = ("pred.amr", "gold.amr")


def test_written_and_checked(folder):
    assert "526 matched triples" in run("score", *FILES, "--certificate", "c.jsonl", cwd=folder).stdout
    lines = (folder / "c.jsonl").read_text("utf-8").splitlines()
    assert len(lines) == 41 and json.loads(lines[0])["pred"]["name"] == "pred.amr"
    out = run("check", "c.jsonl", *FILES, cwd=folder).stdout.splitlines()
    assert out[0] == "pair 0: checked: matched 16, of 16 and 17"
    assert out[-1].startswith("40 checked, 0 without a proof, 0 skipped, 0 refused, matched 526, of 599 and 636, ")
    assert out[-1].endswith(", F1 0.851822, on trust: nothing")
    record = json.loads(lines[3])
    lines[3] = json.dumps({**record, "matched": record["matched"] + 1})
    (folder / "c.jsonl").write_text("\n".join(lines) + "\n", "utf-8")
    done = run("check", "c.jsonl", "--summary", cwd=folder, status=1)
    assert done.stdout.startswith("pair 2: refused: matched, n_pred, n_gold: ")
    (folder / "pred.amr").write_text("(a / b)", "utf-8")
    error = refused("check", "c.jsonl", *FILES, cwd=folder)
    assert error == "fastmatch: c.jsonl: pred.amr is not the file that was compared\n"


def test_the_line_about_pairs_without_a_proof(here, monkeypatch, capsys):
    monkeypatch.setattr("fastmatch.evaluation.certificates.making.WORK", 0)
    error = printed(capsys, "score", *FILES, "--certificate", "c.jsonl").err
    assert re.search(r"^fastmatch: \d+ of 40 pairs have no proof \(pair \d+", error, re.MULTILINE)
    assert printed(capsys, "score", *FILES, "--certificate", "c.jsonl", "--quiet").err == ""
    printed(capsys, "check", "c.jsonl", "--strict", status=1)


def test_of_what_align_shows(folder):
    run("align", *FILES, "--worst", "3", "--certificate", "c.jsonl", cwd=folder)
    done = run("check", "c.jsonl", "--summary", cwd=folder)
    assert done.stdout.startswith("3 checked, 0 without a proof, 0 skipped, 0 refused")
    assert "pred.amr is not the file that was compared" in refused("check", "c.jsonl", *FILES, cwd=folder)
    # the hash is of a text, wherever it stands: a file of the texts that were shown is what was compared
    run("align", *FILES, "--index", "7", "--certificate", "c.jsonl", cwd=folder)
    for name in FILES:
        texts = (folder / name).read_text("utf-8").split("\n\n")
        (folder / f"one-{name}").write_text(texts[7], "utf-8")
        (folder / f"other-{name}").write_text(texts[8], "utf-8")
    run("check", "c.jsonl", *(f"one-{name}" for name in FILES), cwd=folder)
    done = run("check", "c.jsonl", *(f"other-{name}" for name in FILES), cwd=folder, status=1)
    assert "pair 0: refused: pred: not the text that was compared" in done.stdout
    run("align", "--text", "(a / b)", "(a / c)", "--certificate", "c.jsonl", cwd=folder)
    assert run("check", "c.jsonl", cwd=folder).stdout.startswith("pair 0: checked: matched 1, of 2 and 2")


def test_aspects(folder):
    """A line for each aspect that matches, with the sums of the report."""
    arguments = ("--aspects", "--certificate", "a.gz", "--json", "--quiet")
    scores = json.loads(run("score", *FILES, *arguments, cwd=folder).stdout)["aspects"]
    lines = run("check", "a.gz", *FILES, "--summary", cwd=folder).stdout.splitlines()
    names, sums = lines[::2], lines[1::2]
    assert names == ["Smatch:", "Unlabeled:", "No WSD:", "Reentrancies:", "SRL:"]
    for name, line in zip(names, sums, strict=True):
        counts = scores[name.rstrip(":")]["counts"]
        assert f"matched {counts['matched']}, of {counts['n_pred']} and {counts['n_gold']}," in line
