"""``--on-error repair`` in every verb that has ``--on-error``: broken graphs keep their places, and are named."""

from pathlib import Path

import numpy as np
import pytest

from support.command_line import printed

WHOLE = "# ::id 1\n(a / b :x (c / d))\n\n# ::id 2\n(e / f :y (g / h))\n\n# ::id 3\n(i / j)\n"
BROKEN = "# ::id 1\n(a / b :x (c / d)\n\n# ::id 2\n(e / f :y (g / h)) so\n\n# ::id 3\nno graph\n"


@pytest.fixture(autouse=True)
def place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("gold.amr").write_text(WHOLE, encoding="utf-8")
    Path("pred.amr").write_text(BROKEN, encoding="utf-8")


def run(capsys: pytest.CaptureFixture[str], *arguments: str) -> tuple[str, list[str]]:
    out, err = printed(capsys, *arguments)
    return out, err.splitlines()


def test_matrix(capsys):
    _, err = run(capsys, "matrix", "pred.amr", "gold.amr", "--on-error", "repair", "-o", "out.npy")
    assert np.load("out.npy").diagonal().tolist() == [1, 1, 0]
    assert err[-2:] == [
        "fastmatch: graph 0: repaired: unclosed (pred.amr:2:18)",
        "fastmatch: graph 1: repaired: text-after (pred.amr:5:19)",
    ]
    assert err[0].startswith("fastmatch: graph 2 is unreadable and counts as empty: pred.amr:8:1: ")


@pytest.mark.parametrize("form", ["--json", "--markdown"])
def test_compare(capsys, form):
    files = ("pred.amr", "gold.amr", "gold.amr")
    out, err = run(capsys, "compare", *files, "--on-error", "repair", "--resamples", "50", form)
    assert "|on_error:repair|" in out
    assert any("pair 0, pred.amr: repaired: unclosed (pred.amr:2:18)" in line for line in err)


def test_standardize(capsys):
    out, err = run(capsys, "standardize", "pred.amr", "--steps", "drop-wiki", "--on-error", "repair")
    assert [" ".join(text.split()) for text in out.split("\n\n") if text.strip()] == [
        "# ::id 1 (a / b :x (c / d))",
        "# ::id 2 (e / f :y (g / h))",
        "# ::id 3 ()",
    ]
    assert err[0] == "fastmatch: graph 0: repaired: unclosed (pred.amr:2:18)"
    assert any(line.startswith("fastmatch: an empty graph instead: pred.amr:8:1: ") for line in err)


def test_a_lost_graph_is_a_warning(capsys):
    Path("pred.amr").write_text(WHOLE.replace("(c / d))", "(c / d))) (k / l)"), encoding="utf-8")
    _, err = run(capsys, "score", "pred.amr", "gold.amr", "--on-error", "repair")
    assert any("warning: within 1 repaired graph of pred another graph seems to begin" in line for line in err)
