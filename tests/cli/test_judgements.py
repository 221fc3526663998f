"""``fastmatch bench judgements``: its inputs, its report, its forms for programs and papers, and what it refuses."""

import json
import re

import pytest

import fastmatch as fm
from fastmatch.benchmarks.judgements import judgements

from support.command_line import refused, run, table

METRICS = ("--metric", "smatch", "--metric", "wlk")
FEW = ("--resamples", "20", "--permutations", "20")
FIELDS = ("judged.jsonl", "--pred-field", "a", "--gold-field", "b")


@pytest.fixture
def folder(folder):
    """Beside the sample: labels a line, and the same graphs in rows with labels of every kind."""
    pred, gold = fm.read(folder / "pred.amr"), fm.read(folder / "gold.amr")
    (folder / "labels.txt").write_text("".join(f"{k % 5}\n" for k in range(40)), encoding="utf-8")
    (folder / "best.txt").write_text("".join(f"{('first', 'tie')[k % 2]}\n" for k in range(40)), encoding="utf-8")
    rows = [
        {
            "a": f"It is {pred[k].encode()}.",
            "b": gold[k].encode(),
            "c": gold[(k + 1) % 40].encode(),
            "alike": k % 5,
            "class": ["no", "some", "yes"][k % 3],
            "good": k % 2 == 0,
            "best": [1, 0, 0.5][k % 3],
            "topic": f"t{k % 3}" if k % 3 else None,
        }
        for k in range(40)
    ]
    (folder / "judged.jsonl").write_text("".join(f"{json.dumps(row)}\n" for row in rows), encoding="utf-8")
    lines = "".join(f"{row['alike']}\t{row['topic'] or ''}\n" for row in rows)
    (folder / "labels.tsv").write_text("alike\ttopic\n" + lines, encoding="utf-8")
    return folder


GIVEN = ("pred.amr", "gold.amr", "labels.txt")


def told(folder, *arguments: str, stdin: str = "") -> str:
    """Standard output of ``bench judgements``."""
    return run("bench", "judgements", *arguments, cwd=folder, stdin=stdin).stdout


def test_the_report(folder):
    text = told(folder, *GIVEN, *METRICS)
    lines = text.splitlines()
    (question,) = judgements(*(folder / name for name in GIVEN), ["smatch", "wlk"]).questions
    assert lines[0] == "label: 40 judgements, graded, points, 95 % intervals"
    best = int(question.values[1, 0] > question.values[0, 0])
    first = re.split(r"\s{2,}", lines[3].strip())
    assert first[0] == ("smatch", "wlk")[best]
    value, low, high = (100 * float(each[best, 0]) for each in (question.values, question.low, question.high))
    assert first[1] == f"{value:.2f} [{low:.2f}, {high:.2f}]"
    assert "metrics that share a letter are not told apart (PERM-BOTH of Pearson's r, Holm, 0.05)" in lines
    assert [line[:17] for line in lines[-2:]] == ["signature of smat", "signature of wlk:"]
    fields = ("--extract", "--label-field", "alike", "--group-field", "topic", "--test", "acc_eq", "--test-groups")
    text = told(folder, *FIELDS, *fields, *METRICS, *FEW)
    assert "(PERM-BOTH of acc*eq, mean of groups, Holm, 0.05)" in text


def test_fields_groups_and_several_questions(folder):
    fields = ("--label-field", "alike", "--label-field", "good", "--group-field", "topic", "--extract")
    text = told(folder, *FIELDS, *fields, *METRICS, *FEW)
    assert "alike, Pearson's r by group" in text
    assert "good: 40 judgements, yes-no (20 yes, 20 no), points, 95 % intervals" in text
    assert re.search(r"\n  \(none\) +14 ", text) and "all together, points" in text
    of_files = (*GIVEN[:2], "labels.tsv", "--label-field", "alike", "--group-field", "topic")
    rows = table(told(folder, *of_files, "--tsv", *FEW))
    assert rows == table(told(folder, *FIELDS, "--extract", *fields[:2], *fields[4:6], "--tsv", *FEW))
    assert [row["group"] for row in rows[:5]] == ["", "mean", "(none)", "t1", "t2"]


def test_labels_on_standard_input(folder):
    given = ("pred.amr", "gold.amr")
    labels = (folder / "labels.txt").read_text(encoding="utf-8")
    assert told(folder, *given, "-", "--tsv", *FEW, stdin=labels) == told(folder, *given, "labels.txt", "--tsv", *FEW)
    error = refused("bench", "judgements", *given, "-", cwd=folder, stdin=labels.replace("0\n", "x\n", 1))
    assert "<stdin>:1:1: expected a number" in error


def test_judgements_of_parses_in_words(folder):
    """Columns without names: the first line is not taken for a header."""
    lines = "".join(f"{('first', 'tie')[k % 2]}\tyes\tno\tid\nsee above\n" for k in range(20))
    (folder / "words.txt").write_text(lines, encoding="utf-8")
    text = told(folder, "pred.amr", "gold.amr", "words.txt", *METRICS, *FEW)
    assert "preference: 20 judgements, preferences (10 first, 0 second, 10 tie)" in text


def test_preferences(folder):
    fields = ("--other-field", "c", "--label-field", "best", "--extract")
    (question,) = json.loads(told(folder, *FIELDS, *fields, "--json", *METRICS, *FEW))["questions"]
    assert question["kind"] == "preferences" and question["counts"] == {"first": 14, "second": 13, "tie": 13}
    assert question["headline"] == "accuracy"
    assert {row["metric"]: set(row) for row in question["rows"]} == {
        name: {"metric", "statistics", "cluster", "threshold", "ties"} for name in ("smatch", "wlk")
    }
    assert question["tests"][0]["metrics"] == ["smatch", "wlk"]
    text = told(folder, "pred.amr", "pred.amr", "gold.amr", "best.txt", *FEW)
    # the same prediction twice: nothing but ties
    assert re.search(r"\n  smatch +50.00 \[50.00, 50.00\] .* 20 ", text)


def test_classes(folder):
    classes = ("--label-field", "class", "--classes", "no,some,yes", "--yes-from", "some", "--extract")
    assert told(folder, *FIELDS, *classes, *FEW).startswith("class: 40 judgements, graded (26 yes, 14 no), points")


@pytest.mark.parametrize("form", ["--latex", "--markdown"])
def test_papers(folder, form):
    text = told(folder, *GIVEN, *METRICS, *FEW, form)
    assert text.replace(r"\textbar\allowbreak{}", "|").count("smatch|solver:exact") == 1
    if form == "--latex":
        assert text.count(r"\begin{tabular}{l" + r"r@{\enspace}l" * 4 + "rr}") == 1 and r"acc{*}eq" in text
    else:
        assert "| metric | Pearson's r |" in text


def test_no_intervals_and_no_tests(folder):
    text = told(folder, *GIVEN, *METRICS, "--resamples", "0", "--permutations", "0")
    assert "interval" not in text and "letter" not in text and "[" not in text


def test_benchmarks_in_the_same_table(folder):
    task = folder / "bamboo" / "sts" / "main"
    task.mkdir(parents=True)
    for side, name in (("src", "gold"), ("tgt", "pred")):
        (task / f"{side}.test.amr").write_text((folder / f"{name}.amr").read_text(encoding="utf-8"), encoding="utf-8")
    (task.parent / "test.y").write_text((folder / "labels.txt").read_text(encoding="utf-8"), encoding="utf-8")
    more = ("--bamboo", "bamboo", "--rare", "gold.amr", *METRICS, *FEW)
    text = told(folder, *GIVEN, *more)
    assert re.search(
        r"metric +label Pearson's r +BAMBOO amean +BAMBOO hmean +RARE Spearman's rho +µs a pair +vectors", text
    )
    assert "not in BAMBOO's data, and not in its means: main/sick, main/para, reify/sts, " in text
    rows = table(told(folder, *GIVEN, *more, "--tsv"))
    values = {(row["question"], row["statistic"]): row["value"] for row in rows if row["metric"] == "smatch"}
    # BAMBOO's one task here is the question itself
    assert float(values["BAMBOO", "amean"]) == pytest.approx(float(values["label", "pearson"]))
    assert ("RARE", "spearman") in values
    record = json.loads(told(folder, *GIVEN, *more, "--json"))
    assert [each["name"] for each in record["overview"][0]["measures"]] == ["label", "BAMBOO", "BAMBOO", "RARE"]
    assert len(record["absent"]) == 11


def test_names_of_groups_stay_in_their_cells(folder):
    rows = [{"a": "(a / b)", "b": "(a / c)", "y": k, "g": "x\ty\nz"} for k in range(4)]
    (folder / "rows.jsonl").write_text("".join(f"{json.dumps(row)}\n" for row in rows), encoding="utf-8")
    given = ("rows.jsonl", "--pred-field", "a", "--gold-field", "b", "--label-field", "y", "--group-field", "g", *FEW)
    text = told(folder, *given, "--tsv")
    assert {len(line.split("\t")) for line in text.splitlines()} == {11} and "x y z" in text
