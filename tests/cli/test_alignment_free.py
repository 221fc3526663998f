"""The metrics without alignment from the command line: columns of ``--per-pair``, flags, presets, frames."""

import json
from pathlib import Path

import pytest

import fastmatch as fm
from fastmatch.cli import main

from support.json_records import headline

PRED = '(w / want-01 :ARG0 (b / boy) :ARG1 (g / go-02 :ARG0 b :polarity -))\n\n(n / name :op1 "New York")\n'
GOLD = "(w / want-01 :ARG0 (b / girl) :ARG1 (g / go-02 :ARG0 b))\n\n(n / name :op1 York)\n"


@pytest.fixture(autouse=True)
def files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "pred.amr").write_text(PRED)
    (tmp_path / "gold.amr").write_text(GOLD)
    (tmp_path / "frames.tsv").write_text("boy YOUTH\ngirl YOUTH\n")
    monkeypatch.chdir(tmp_path)


def score(capsys: pytest.CaptureFixture[str], line: str) -> dict:
    assert main(f"score pred.amr gold.amr --json {line}".split()) == 0
    return json.loads(capsys.readouterr().out)


@pytest.mark.parametrize(
    ("metric", "flags", "options"),
    [
        ("rematch", "--no-rematch-relations --rematch-keys exact", {"relations": False, "keys": "exact"}),
        ("rematch", "--rematch-labels --no-rematch-attributes", {"labels": True, "attributes": False}),
        ("rematch", "--rematch-frames frames.tsv", {"frames": "frames.tsv"}),
        ("sembleu", "--sembleu-k 2 --sembleu-direction mean", {"k": 2, "direction": "mean"}),
        ("sembleu", "--sembleu-smoothing none --no-sembleu-brevity", {"smoothing": "none", "brevity": False}),
        ("sema", "--sema-keys exact", {"keys": "exact"}),
        ("wlk", "--wlk-k 1 --wlk-kernel minmax --wlk-edges", {"k": 1, "kernel": "minmax", "edges": True}),
        ("wlk", "--wlk-direction top-down --wlk-counting set", {"direction": "top-down", "counting": "set"}),
    ],
)
def test_flags(capsys, metric, flags, options):
    expected = fm.score(Path("pred.amr"), Path("gold.amr"), metric=metric, **options)
    found = score(capsys, f"--metric {metric} {flags}")
    assert (headline(found), found["signature"]) == (expected.score, str(expected.signature))
    assert headline(found) != fm.score(Path("pred.amr"), Path("gold.amr"), metric=metric).score or metric == "sema"
