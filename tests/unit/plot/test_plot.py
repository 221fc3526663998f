"""Figures: what they show is what the results say, in picture and words; files are whole, safe and repeatable."""

import re
from itertools import permutations
from xml.etree import ElementTree

import numpy as np
import pytest

import fastmatch as fm
from fastmatch.benchmarks.overview import Measure, Overview
from fastmatch.benchmarks.principles import principles
from fastmatch.metrics.training.curve import Look
from fastmatch.metrics.training.wwlk import Training

pytest.importorskip("matplotlib", reason="matplotlib is not installed: pip install 'fastmatch[plot]'")

from PIL import Image

from fastmatch.plot import canvas, corpora, pages

from support.child import printed
from support.nightly import by_day
from support.refusal import fails

GOLD = [f"(a / c{k} :mod (b / big) :quant {k})" for k in range(12)]
PRED = [text.replace("big", "small") if k % 3 == 0 else text for k, text in enumerate(GOLD)]
HOSTILE = "</title><script>alert(1)</script>$\\frac{$ & \"'\x00\ud800"
SPACE = "{http://www.w3.org/2000/svg}"


@pytest.fixture
def ax():
    return canvas.figure(6, 4)[1][0]


@pytest.fixture(scope="module")
def result():
    return fm.score(PRED, GOLD, bootstrap=100)


@pytest.fixture(scope="module")
def comparison():
    return fm.compare(PRED, GOLD, PRED, gold=GOLD, names=("first", HOSTILE, "third"), resamples=100)


@pytest.fixture(scope="module")
def matrix():
    return fm.cdist(GOLD, metric="rematch", dtype=np.float64)


def words(ax) -> str:
    return canvas.description(ax.figure)


def dots_of(ax) -> list:
    return [line for line in ax.get_lines() if line.get_marker() == "o"]


# ---- what is drawn ---------------------------------------------------------------------------------------------------


def test_histogram(ax, result):
    assert fm.plot.histogram(result, ax=ax) is ax
    heights = [bar.get_height() for bar in ax.patches]
    assert sum(heights) == len(result)
    counts, _ = np.histogram(100 * result.pairs.score, np.linspace(0, 100, 21))
    assert heights == counts.tolist()
    lines = {line.get_label(): line.get_xdata() for line in ax.get_lines()}
    low, high = result.intervals["f1"]
    name = f"micro F1 {100 * result.f1:.2f} [{100 * low:.2f}, {100 * high:.2f}]"
    assert lines[name] == [100 * result.f1] * 2 and name in words(ax) and str(result.signature) in words(ax)
    assert any(list(line.get_xdata()) == [100 * low, 100 * high] for line in ax.get_lines())


def test_histogram_of_scores_above_one(ax):
    """Triples that multiply may push a score above 1."""
    text = "(a / b :ARG0 a :ARG0 a)"
    scored = fm.score([text], [text], preset="smatch")
    assert scored.pairs.score[0] > 1
    fm.plot.histogram(scored, ax=ax)
    assert sum(bar.get_height() for bar in ax.patches) == 1
    assert ax.get_xlim()[1] == pytest.approx(100 * scored.pairs.score[0])


def test_histogram_of_nothing():
    with pytest.warns(fm.PairingWarning):
        nothing = fm.score([], [])
    fails(fm.OptionError, "no pairs", fm.plot.histogram, nothing)


def test_aspects(ax):
    scores = fm.aspects(PRED, GOLD, bootstrap=50)
    fm.plot.aspects(scores, ax=ax)
    shown = [label.get_text() for label in ax.get_yticklabels()]
    assert shown == [name for name, score in scores.items() if score.n_macro]
    dots = [dot.get_xdata()[0] for dot in dots_of(ax)]
    assert dots == [100 * scores[name].f1 for name in shown] and "Negations" in scores and "Negations" not in shown
    nothing = fm.aspects(["(a / b)"], ["(a / b)"], kind="smatch++", only=["POLARITY"])
    fails(fm.OptionError, "nothing to draw", fm.plot.aspects, nothing, ax=ax)


@pytest.mark.parametrize("score", [None, "macro_f1", "recall"])
def test_systems_and_differences(comparison, score):
    _, (above, below) = canvas.figure(6, 6, 1, 2)
    fm.plot.systems(comparison, score=score, ax=above)
    fm.plot.differences(comparison, score=score, ax=below)
    name = score or "f1"
    assert [dot.get_xdata()[0] for dot in dots_of(above)][1:] == [100 * row.values[1] for row in comparison.of(name)]
    dots = dots_of(below)
    assert [dot.get_xdata()[0] for dot in dots] == [100 * row.difference for row in comparison.of(name)]
    full = [row.adjusted_randomisation < 0.05 for row in comparison.of(name)]
    assert [dot.get_markerfacecolor() != "white" for dot in dots] == full
    assert all(f"p {row.adjusted_randomisation:.4f}" in words(below) for row in comparison.of(name))


def test_a_score_that_there_is_not(comparison, ax):
    fails(fm.OptionError, "score='f2': expected one of", fm.plot.systems, comparison, score="f2", ax=ax)


def test_principles(ax):
    shorter = [text.replace(" :mod (b / big)", "") if k % 3 == 0 else text for k, text in enumerate(GOLD)]
    results = [principles(shorter, GOLD, metric, runs=2) for metric in ("smatch", "sembleu")]
    assert 0 < results[1].svr < 1
    fm.plot.principles(results, ax=ax)
    grid = {}
    for text in ax.texts:
        column, row = text.get_position()
        grid[ax.get_yticklabels()[row].get_text(), column] = text.get_text()
    assert grid["not symmetric", 1] == f"{100 * results[1].svr:.1f}" and grid["scores outside [0, 1]", 0] == "0"
    assert grid["coreference resolved: unseen", 0] == "–"  # no graph has a variable twice
    assert [label.get_text() for label in ax.get_xticklabels()] == ["smatch", "sembleu"]
    assert fm.plot.principles(results[0], ax=canvas.figure(4, 4)[1][0]).get_xlim() == (-0.5, 0.5)
    fails(fm.OptionError, "no metric", fm.plot.principles, [], ax=ax)


def test_cost_and_agreement(ax):
    names = ("smatch", "wlk,k=1", "wlk,k=2", "sema")
    values = np.array([0.7, 0.6, 0.6, np.nan])
    measure = Measure("alike", "pearson", values, values - 0.1, values + 0.1)
    table = Overview(names, (measure,), np.array([5.0, 2.0, 2.0, 1.0]), (True, False, False, False))
    fm.plot.cost_and_agreement(table, ax=ax)
    assert ax.get_title(loc="left") == "alike" and ax.get_ylabel() == "Pearson's r, points"
    # a metric without a figure is left out; two at one point have names at two places
    assert sorted(text.get_text() for text in ax.texts) == ["smatch", "wlk,k=1", "wlk,k=2"]
    assert len({text.get_position() for text in ax.texts}) == 3
    assert "smatch 70.0 [60.0, 80.0], 5.0 µs, word vectors" in canvas.description(ax.figure)
    fails(fm.OptionError, "measure=1: there are 1", fm.plot.cost_and_agreement, table, measure=1, ax=ax)


def test_names_stand_over_no_other_point(ax):
    """The figures of RARE that metrics have: several at one height, two nearly at one place."""
    names = ("smatch", "smatch++", "wsmatch", "ancast", "sema", "rematch", "softoverlap", "softoverlap/people")
    values = np.array([0.97, 0.9701, 0.929, 0.995, 0.981, 0.975, 0.9712, 0.9706])
    costs = np.array([4.0, 5.6, 10.3, 18.9, 1.6, 1.2, 29.3, 29.0])
    measure = Measure("RARE", "spearman", values, np.full(8, np.nan), np.full(8, np.nan))
    fm.plot.cost_and_agreement(Overview(names, (measure,), costs, (False,) * 8), ax=ax)
    ax.figure.canvas.draw()
    points = dict(zip(names, ax.transData.transform(np.stack([costs, 100 * values], axis=1)), strict=True))
    boxes = {text.get_text(): text.get_window_extent() for text in ax.texts}
    assert set(boxes) == set(names)
    for name, other in permutations(names, 2):
        assert not boxes[name].contains(*points[other]) and not boxes[name].overlaps(boxes[other])


def test_learning_curve(ax):
    looks = (Look(0, 0.5, float("nan")), Look(10, 0.61, 0.4), Look(20, float("nan"), 0.55))
    fm.plot.learning_curve(Training(looks, 1, 20, False, fm.Signature("wwlk", {}), {}), ax=ax)
    lines = {line.get_label(): list(zip(*line.get_data(), strict=True)) for line in ax.get_lines()}
    assert lines == {
        "development set": [(0, 50.0), (10, 61.0)],
        "training batches": [(10, 40.0), (20, pytest.approx(55.0))],
        "best, 61.00": [(10, 61.0)],
    }


def test_heatmap(ax, matrix):
    fm.plot.heatmap(matrix, names=[f"g{k}" for k in range(12)], ax=ax)
    order = [int(label.get_text()[1:]) for label in ax.get_xticklabels()]
    assert sorted(order) == list(range(12))
    np.testing.assert_array_equal(ax.images[0].get_array(), matrix[np.ix_(order, order)])
    fm.plot.heatmap(matrix, order=False, ax=(plain := canvas.figure(5, 5)[1][0]))
    np.testing.assert_array_equal(plain.images[0].get_array(), matrix)


def test_similar_graphs_stand_beside_each_other(ax):
    kinds = np.array([0, 1, 2] * 4)
    fm.plot.heatmap(np.where(kinds[:, None] == kinds, 0.9, 0.1), ax=ax)
    order = [int(label.get_text()) for label in ax.get_xticklabels()]
    assert (np.diff(kinds[order]) != 0).sum() == 2


def test_a_large_heatmap_is_of_means(monkeypatch):
    monkeypatch.setattr(corpora, "_DRAWN", 7)
    matrix = np.random.default_rng(0).random((20, 20))
    starts = [20 * k // 7 for k in range(7)]
    sums = np.add.reduceat(np.add.reduceat(matrix, starts, axis=0), starts, axis=1)
    sizes = np.diff([*starts, 20])
    assert corpora._pooled(matrix) == pytest.approx(sums / np.outer(sizes, sizes))


def test_dendrogram(ax):
    similarity = np.array([[1, 0.9, 0.1, 0.2], [0.9, 1, 0.3, 0.2], [0.1, 0.3, 1, 0.6], [0.2, 0.2, 0.6, 1.0]])
    fm.plot.dendrogram(similarity, names="abcd", ax=ax)
    heights = sorted(segment[1][0] for segment in ax.collections[0].get_segments())
    assert heights == pytest.approx([0.1, 0.4, 0.8])  # the mean of 0.9, 0.8, 0.7, 0.8
    assert "first two to be joined are a and b, at distance 0.1000" in words(ax)
    fails(fm.OptionError, "two graphs or more", fm.plot.dendrogram, [[1.0]], ax=ax)


def test_a_map_keeps_distances_that_a_plane_can_hold(ax):
    points = np.random.default_rng(1).random((20, 2)) / 3
    distances = np.linalg.norm(points[:, None] - points, axis=2)
    fm.plot.corpus_map(1 - distances, ax=ax)
    drawn = ax.collections[0].get_offsets()
    np.testing.assert_allclose(np.linalg.norm(drawn[:, None] - drawn, axis=2), distances, atol=1e-6)
    assert "(100% of the variance)" in ax.get_title("left")


def test_a_large_map_is_that_of_all_eigenvalues(monkeypatch):
    distances = corpora._distances(np.random.default_rng(2).random((40, 40)))
    points, _ = corpora._plane(distances)
    monkeypatch.setattr(corpora, "_DRAWN", 10)
    np.testing.assert_allclose(corpora._plane(distances)[0], points, atol=1e-8)


@pytest.mark.parametrize("n", [1, 2, 3])
def test_few_graphs(n, ax):
    matrix = np.where(np.eye(n) > 0, 1.0, 0.5)
    fm.plot.corpus_map(matrix, ax=ax)
    assert len(ax.collections[0].get_offsets()) == n
    fm.plot.heatmap(matrix, ax=canvas.figure(4, 4)[1][0])
    fm.plot.corpus_map(np.ones((n, n)), ax=canvas.figure(4, 4)[1][0])


@pytest.mark.parametrize(
    ("matrix", "options", "message"),
    [
        (np.ones((2, 3)), {}, r"expected a square matrix of similarities, found the shape \(2, 3\)"),
        (np.ones((0, 0)), {}, "square"),
        (np.ones(3), {}, "square"),
        ([[1, np.nan], [0, 1]], {}, "the similarity of graphs 0 and 1 is no number"),
        (np.ones((2, 2)), {"names": ["a"]}, "2 graphs, but 1 names"),
        (np.broadcast_to(1.0, (6000, 6000)), {}, "6,000 graphs are too many to draw; expected 5,000 at most"),
    ],
)
@pytest.mark.parametrize("draw", [fm.plot.heatmap, fm.plot.dendrogram, fm.plot.corpus_map])
def test_matrices_that_cannot_be_drawn(ax, draw, matrix, options, message):
    fails(fm.OptionError, message, draw, matrix, ax=ax, **options)


def test_as_many_texts_as_graphs(ax):
    fails(fm.OptionError, "2 graphs, but 1 texts", fm.plot.corpus_map, np.ones((2, 2)), texts=["a"], ax=ax)


def test_without_axes_a_new_figure_is_made(result):
    from matplotlib import pyplot

    pyplot.switch_backend("agg")
    made = fm.plot.histogram(result)
    assert made.figure.number in pyplot.get_fignums()
    pyplot.close(made.figure)


def svg(path) -> ElementTree.Element:
    return ElementTree.parse(path).getroot()


# ---- files -----------------------------------------------------------------------------------------------------------


def test_every_form_says_what_is_to_be_seen(tmp_path, ax, result):
    fm.plot.histogram(result, ax=ax)
    said = words(ax)
    for suffix in (".svg", ".png", ".pdf", ".html"):
        fm.plot.save(ax, tmp_path / f"p{suffix}")
    root = svg(tmp_path / "p.svg")
    assert root.attrib["role"] == "img"
    title, described = root.find(f"{SPACE}title"), root.find(f"{SPACE}desc")
    assert root.attrib["aria-labelledby"].split() == [title.attrib["id"], described.attrib["id"]]
    assert (title.text, described.text) == ("smatch, 12 pairs", said)
    with Image.open(tmp_path / "p.png") as picture:
        assert (picture.text["Title"], picture.text["Description"]) == ("smatch, 12 pairs", said)
    assert b"/Title (smatch, 12 pairs)" in (tmp_path / "p.pdf").read_bytes()
    page = (tmp_path / "p.html").read_text(encoding="utf-8")
    assert page.startswith("<!doctype html>") and "<script" not in page and "default-src 'none'" in page


def test_the_same_figure_gives_the_same_file(tmp_path, result):
    for suffix in by_day(["html", "pdf", "png", "svg"], 2):  # a page holds the vector graphic
        for name in ("one", "two"):
            pages.write_scores({"smatch": result}, str(tmp_path / f"{name}.{suffix}"))
        assert (tmp_path / f"one.{suffix}").read_bytes() == (tmp_path / f"two.{suffix}").read_bytes()


def test_names_are_only_names(tmp_path, matrix, comparison):
    """Neither formulas nor elements nor scripts."""
    matrix = matrix[:3, :3]
    for kind in ("dendrogram", "map"):
        for suffix in ("svg", "html"):
            pages.write_corpus(kind, matrix, [HOSTILE] * 3, [HOSTILE] * 3, HOSTILE, str(tmp_path / f"p.{suffix}"))
        root = svg(tmp_path / "p.svg")
        assert not list(root.iter(f"{SPACE}script"))
        assert "<script" not in (tmp_path / "p.html").read_text(encoding="utf-8")
        assert "<script>alert(1)</script>$\\frac{$ &" in "".join(root.itertext())
    pages.write_comparison(comparison, str(tmp_path / "c.svg"))
    assert not list(svg(tmp_path / "c.svg").iter(f"{SPACE}script"))


def spots(path) -> list[tuple[float, ...]]:
    """x, y, width, height of the places with a text, and the text."""
    places = [place for place in svg(path).iter(f"{SPACE}rect") if place.find(f"{SPACE}title") is not None]
    numbers = [[float(place.attrib[name]) for name in ("x", "y", "width", "height")] for place in places]
    return [(*row, place.find(f"{SPACE}title").text) for row, place in zip(numbers, places, strict=True)]


def test_the_texts_under_the_pointer_lie_on_the_bars(tmp_path, ax, result):
    fm.plot.histogram(result, ax=ax)
    fm.plot.save(ax, tmp_path / "p.svg")
    svg = (tmp_path / "p.svg").read_text(encoding="utf-8")
    bars = []
    for path in re.findall(r'<path d="(M[^"]*)" clip-path[^>]*style="fill: #0072b2; opacity', svg):
        numbers = np.array(re.findall(r"[\d.]+", path), float).reshape(-1, 2)
        (left, top), (right, bottom) = numbers.min(axis=0), numbers.max(axis=0)
        if bottom - top > 0.01:
            bars.append((left, top, right - left, bottom - top))
    found = spots(tmp_path / "p.svg")
    assert len(found) == len(bars) > 1
    np.testing.assert_allclose([place[:4] for place in found], bars, atol=0.02)
    assert sum(int(place[4].split(": ")[1].split()[0]) for place in found) == len(result)


def test_every_cell_of_a_small_heatmap_has_a_text(tmp_path, ax, matrix):
    fm.plot.heatmap(matrix, order=False, ax=ax)
    fm.plot.save(ax, tmp_path / "p.svg")
    found = spots(tmp_path / "p.svg")
    assert [text for *_, text in found] == [
        f"{row} and {column}: {matrix[row, column]:.4f}" for row in range(12) for column in range(12)
    ]


def test_sentences_are_under_the_pointer(tmp_path, matrix):
    sentences = [f"Sentence {k}." for k in range(11)] + [""]
    pages.write_corpus("map", matrix, [None] * 12, sentences, "s", str(tmp_path / "p.svg"))
    assert [text for *_, text in spots(tmp_path / "p.svg")] == [f"{k}: Sentence {k}." for k in range(11)] + ["11"]


def test_a_wrong_ending(tmp_path, ax):
    message = r"expected a name that ends in \.svg, \.png, \.pdf or \.html"
    for name in ("p.jpg", "p", ".svg"):
        fails(fm.OptionError, message, fm.plot.save, ax, tmp_path / name)
    assert not list(tmp_path.iterdir())


def test_pages_of_several_metrics_and_of_one_without_sums(tmp_path, result):
    results = {"smatch": result, "wlk,k=2": fm.score(PRED, GOLD, metric="wlk"), "smatch/$x$": result}
    pages.write_scores(results, str(tmp_path / "s.svg"))
    root = svg(tmp_path / "s.svg")
    assert root.find(f"{SPACE}desc").text.count("Histogram") == 3
    assert all(name in "".join(root.itertext()) for name in results)
    pages.write_comparison(fm.compare(PRED, GOLD, GOLD, metric="wlk", resamples=9), str(tmp_path / "c.svg"))


# ---- what is imported ------------------------------------------------------------------------------------------------


def test_drawing_a_file_needs_no_pyplot(tmp_path):
    code = (
        "import sys, fastmatch as fm; from fastmatch.plot.pages import write_scores; "
        "write_scores({'x': fm.score('(a / b)', '(a / b)')}, sys.argv[1]); print('matplotlib.pyplot' in sys.modules)"
    )
    assert printed("-c", code, str(tmp_path / "p.png")) == "False\n"


def test_public_names():
    for name in fm.plot.__all__:
        assert callable(getattr(fm.plot, name)) and name in dir(fm.plot)
    with pytest.raises(AttributeError):
        fm.plot.histogramm  # noqa: B018
