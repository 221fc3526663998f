"""``--plot`` of all verbs that have it."""

from pathlib import Path
from xml.etree import ElementTree

import numpy as np
import pytest

from fastmatch.cli import main

from support.command_line import printed
from support.nightly import by_day

pytest.importorskip("matplotlib", reason="matplotlib is not installed: pip install 'fastmatch[plot]'")

# the lowest version of matplotlib calls pyparsing by names that newer versions of it warn of
pytestmark = [pytest.mark.filterwarnings("ignore::DeprecationWarning"), pytest.mark.usefixtures("here")]

PAIR = ["pred.amr", "gold.amr"]


def described(name: str) -> str:
    text = ElementTree.parse(name).getroot().find("{http://www.w3.org/2000/svg}desc").text
    assert text
    return text


@pytest.mark.parametrize(
    ("arguments", "shown"),
    by_day(
        [
            (["score", *PAIR], "Histogram of the F1 of 40 pairs by smatch"),
            (["score", *PAIR, "--metric", "wlk", "--metric", "smatch", "--json"], "by wlk, in points"),
            (["score", *PAIR, "--aspects"], "F1 of the aspects of damonte"),
            (["compare", "pred.amr", *PAIR, "--resamples", "20"], "F1 of 2 systems by smatch on 40 pairs"),
            (["bench", "principles", *PAIR, "--runs", "2", "--probes", "5"], "How often metrics violate principles"),
            (["matrix", "gold.amr"], "Heat map of the similarity of every two of 40 graphs"),
            (["matrix", "gold.amr", "--plot-as", "dendrogram"], "Dendrogram of 40 graphs"),
            (["matrix", "gold.amr", "--plot-as", "map", "--metric", "rematch"], "Map of 40 graphs"),
        ],
        2,
    ),
)
def test_a_picture_beside_the_report(arguments, shown, tmp_path, capsys):
    output = printed(capsys, *arguments, "--plot", "p.svg")
    assert output.out and not output.err
    assert shown in described("p.svg")
    # the report is the same without the picture
    if arguments[0] != "matrix":
        assert printed(capsys, *arguments)[0] == output.out


def test_the_matrix_and_its_picture(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["matrix", "gold.amr", "--metric", "wlk", "-o", "m.npy", "--plot", "p.svg"]) == 0
    assert capsys.readouterr().out == "m.npy: 40 x 40 graphs compared\np.svg: 40 graphs as a heatmap\n"
    others = np.load("m.npy")[~np.eye(40, dtype=bool)]
    assert f"mean {others.mean(dtype=float):.4f}, from" in described("p.svg")
    first = Path("p.svg").read_bytes()
    assert main(["matrix", "gold.amr", "--metric", "wlk", "--plot", "p.svg"]) == 0
    assert Path("p.svg").read_bytes() == first


def test_a_corpus_that_is_too_large(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:

    monkeypatch.setattr("fastmatch.plot.corpora.LARGEST", 39)
    assert main(["matrix", "gold.amr", "--plot", "p.svg"]) == 2
    assert "gold.amr holds 40 graphs; expected 39 at most" in capsys.readouterr().err
