"""``score`` with several metrics: all of them are reported, and what they cannot share is refused."""

import json
from pathlib import Path

import pytest

import fastmatch as fm

from support.command_line import printed, table
from support.json_records import headline

pytestmark = pytest.mark.usefixtures("few")

FILES = ("pred.amr", "gold.amr")
METRICS = ("--metric", "smatch", "--metric", "sembleu", "--metric", "wlk")


def test_all_are_reported(capsys):
    expected = [fm.score(*(fm.read(file) for file in FILES), metric=name) for name in METRICS[1::2]]
    out, err = printed(capsys, "score", *FILES, *METRICS)
    assert err == ""
    rows = [line.split() for line in out.splitlines() if line.startswith("  ")]
    assert rows[0] == ["is", "score", "precision", "recall", "macro", "proven", "invalid", "repaired"]
    assert [(row[0], row[2], row[-4]) for row in rows[1:]] == [
        (name, f"{100 * result.score:.2f}", f"{100 * result.macro.headline:.2f}")
        for name, result in zip(METRICS[1::2], expected, strict=True)
    ]
    assert [line for line in out.splitlines() if line.startswith("signature")] == [
        f"signature of {name}: {result.signature}" for name, result in zip(METRICS[1::2], expected, strict=True)
    ]
    records = json.loads(printed(capsys, "score", *FILES, *METRICS, "--json")[0])
    assert records == json.loads(json.dumps([result.to_dict() for result in expected]))
    rows = table(printed(capsys, "score", *FILES, *METRICS, "--tsv")[0])
    assert [row["metric"] for row in rows] == ["smatch", "sembleu", "wlk"]
    assert [row["signature"] for row in rows] == [str(result.signature) for result in expected]
    assert (rows[0]["f1"], rows[1]["f1"]) == (repr(expected[0].f1), "")
    assert float(rows[2]["cosine"]) == expected[2].score


def test_each_gets_the_options_that_it_has(capsys):
    flags = ("--solver", "climb", "--seed", "3", "--restarts", "2", "--sembleu-k", "2", "--wlk-k", "1", "--json")
    signatures = [each["signature"] for each in json.loads(printed(capsys, "score", *FILES, *METRICS, *flags)[0])]
    assert all(f"|{part}|" in signatures[0] for part in ("solver:climb", "seed:3", "restarts:2"))
    assert signatures[1].startswith("sembleu|k:2|") and signatures[2].startswith("wlk|k:1|")
    out = printed(capsys, "score", *FILES, "--metric", "sema", "--metric", "sembleu", "--preset", "tool", "--json")[0]
    assert ["|std:tool|" in each["signature"] for each in json.loads(out)] == [True, True]
    assert "embeddings" in printed(capsys, "score", "--metric", "s2match", "--metric", "wwlk", "--help")[0]


def test_preset_and_options_in_one_word(capsys):
    words = ("--metric", "sembleu/tool,k=2", "--metric", "sembleu", "--metric", "smatch/smatch,solver=climb,seed=3")
    wanted = [
        fm.score(*map(Path, FILES), metric="sembleu", preset="tool", k=2),
        fm.score(*map(Path, FILES), metric="sembleu", k=1),
        fm.score(*map(Path, FILES), preset="smatch", solver="climb", seed=3),
    ]
    records = json.loads(printed(capsys, "score", *FILES, *words, "--sembleu-k", "1", "--seed", "9", "--json")[0])
    assert [each["signature"] for each in records] == [str(result.signature) for result in wanted]
    assert [headline(each) for each in records] == [result.score for result in wanted]
    one = json.loads(printed(capsys, "score", *FILES, "--metric", "sembleu/tool,k=2", "--json")[0])
    assert one["signature"] == str(wanted[0].signature)
    assert fm.score(*map(Path, FILES), metric="sembleu/tool,k=2").signature == wanted[0].signature
    aligned = json.loads(printed(capsys, "align", *FILES, "--metric", "smatch/smatch,solver=climb", "--json")[0])
    assert "|solver:climb|" in aligned["signature"]


def test_the_same_twice_is_once(capsys):
    twice = ("--metric", "wlk", "--metric", "wlk", "--json")
    assert json.loads(printed(capsys, "score", *FILES, *twice)[0])["metric"] == "wlk"


def test_fail_under_holds_for_each(capsys):
    records = json.loads(printed(capsys, "score", *FILES, *METRICS, "--json")[0])
    scores = {each["metric"]: 100 * headline(each) for each in records}
    low, *_, high = sorted(scores.values())
    assert printed(capsys, "score", *FILES, *METRICS, "--fail-under", str(int(low)))[1] == ""
    err = printed(capsys, "score", *FILES, *METRICS, "--fail-under", str(int(high)), status=1)[1]
    below = [name for name, score in scores.items() if score < int(high)]
    assert [line.split(" is below ")[0].split(" ")[3] for line in err.splitlines()] == below and 0 < len(below) < 3
    err = printed(capsys, "score", *FILES, "--fail-under", "99.9", status=1)[1]
    assert err == f"fastmatch: F1 {scores['smatch']:.4f} is below 99.9\n"


def test_a_warning_is_given_once(capsys, monkeypatch):
    text = Path("pred.amr").read_text(encoding="utf-8")
    Path("pred.amr").write_text(text.replace("# ::id sample.", "# ::id sample.4"), encoding="utf-8")
    err = printed(capsys, "score", *FILES, *METRICS)[1]
    assert err.count("\n") == 1 and "::id differs in 12 of 12 pairs" in err


def test_aspects_take_their_own_metric(capsys):
    out = printed(capsys, "score", *FILES, "--aspects=smatch++", "--metric", "smatch++")[0]
    assert out == printed(capsys, "score", *FILES, "--aspects=smatch++")[0]


def test_python_makes_the_same_tables(capsys):
    """``Report.of`` is what the command line prints of several metrics."""
    made = {name: fm.score(*map(Path, FILES), metric=name) for name in ("smatch", "sembleu")}
    metrics = ("--metric", "smatch", "--metric", "sembleu")
    out = printed(capsys, "score", *FILES, *metrics, "--worst", "2")[0]
    assert fm.Report.of(made, worst=2).to("text") == out and "2 pairs with the lowest scores" in out
    systems = FILES[::-1]  # the second one loses
    compared = {
        name: fm.compare(*map(Path, (*systems, FILES[1])), names=systems, metric=name, resamples=50)
        for name in ("smatch", "sembleu")
    }
    arguments = ("compare", *systems, FILES[1], *metrics, "--resamples", "50", "--worst", "2")
    for form in ("markdown", "text", "latex"):
        flags = () if form == "text" else (f"--{form}",)
        shown = printed(capsys, *arguments, *flags)[0]
        assert shown == fm.Report.of(compared, worst=2).to(form) and "loses most against" in shown
    for wrong, message in (
        ({}, "found none"),
        ({"a": made["smatch"], "b": compared["smatch"]}, "found Comparison, CorpusScore"),
        ({"a": fm.align("(a / b)", "(a / b)")}, "expected scores or comparisons, found Alignment"),
        ({"a": made["smatch"], "b": fm.score("(a / b)", "(a / b)")}, "of the same pairs"),
    ):
        with pytest.raises(fm.OptionError, match=message):
            fm.Report.of(wrong)
