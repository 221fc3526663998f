"""What a notebook shows of results: data never becomes HTML, long things are cut, nothing needs a script."""

from html.parser import HTMLParser

import numpy as np
import pytest

import fastmatch as fm
from fastmatch.benchmarks.bamboo import BambooResult, BambooRow
from fastmatch.benchmarks.principles import principles
from fastmatch.report import markup

#: Text that would run, close what holds it, or be no UTF-8 in a saved notebook.
HOSTILE = "</script><script>alert(1)</script>\"'><img src=x onerror=alert(1)>\x00\x1b\x85\ud800&amp;"
TAGS = {"p", "br", "table", "thead", "tbody", "tr", "th", "td", "pre", "code", "span", "strong"}


class Page(HTMLParser):
    """Reads HTML strictly: every element is closed, and only those that the package writes are there."""

    def __init__(self, text: str) -> None:
        super().__init__(convert_charrefs=True)
        self.open: list[str] = []
        self.text: list[str] = []
        self.cells: list[str] = []
        self.n_rows = 0
        self.feed(text)
        self.close()
        assert not self.open
        text.encode("utf-8")

    def handle_starttag(self, tag, attributes):
        assert tag in TAGS
        assert {name for name, _ in attributes} <= {"style", "scope"}
        self.n_rows += tag == "tr"
        if tag in ("td", "th"):
            self.cells.append("")
        if tag != "br":
            self.open.append(tag)

    def handle_endtag(self, tag):
        assert self.open.pop() == tag

    def handle_data(self, data):
        self.text.append(data)
        if self.open[-1] in ("td", "th"):
            self.cells[-1] += data


def page(thing: object) -> Page:
    return Page(thing._repr_html_())


def hostile_graph() -> fm.Graph:
    graph = fm.Graph.from_triples(
        [("a", ":instance", HOSTILE), ("a", f":{HOSTILE}", "b"), ("b", ":instance", "dog")],
        metadata={"id": HOSTILE.replace("\x00", ""), "snt": HOSTILE},
    )
    graph.comments = f"# ::id {HOSTILE} ::snt {HOSTILE}"
    return graph


@pytest.fixture
def hostile() -> list[object]:
    graph = hostile_graph()
    corpus = fm.Corpus.from_graphs([graph, fm.Graph.from_triples([("b", ":instance", "<b>")])], source=HOSTILE)
    result = fm.score(corpus, corpus, bootstrap=10, duplicates="multiply")
    return [
        graph,
        corpus,
        fm.parse(["(a / b", "(a / <b>)"], on_error="empty"),
        fm.align(corpus[:1], corpus[:1]),
        fm.align(corpus[:1], corpus[:1], metric="wwlk"),
        result,
        result.pairs,
        result.worst(2),
        fm.aspects(["(a / b :polarity -)"], ["(a / b)"]),
        fm.compare(corpus, corpus, corpus, names=[HOSTILE, "<i>"], resamples=9),
        fm.agreement([corpus, corpus], names=[HOSTILE, "<i>"]),
        fm.top_k(corpus, k=1),
        fm.extract(f"<answer>{HOSTILE}</answer>"),
        fm.repair(f"(a / b :op1 {HOSTILE}"),
        fm.repair("(a / b)"),
        principles(["(a / b)"] * 3, ["(a / c)"] * 3, runs=2),
        BambooResult((BambooRow(HOSTILE, "<i>", (50.0,) + (None,) * 11, (5,) + (0,) * 11, None, 1.0),), "0.2", "test"),
        fm.umr.score(UMR, UMR),
        fm.umr.score(UMR, UMR, metric="jumatch"),
    ]


UMR = "# sentence level graph:\n(s1a / act-01)\n\n# alignment:\ns1a: 1-1\n\n# document level annotation:\n(s1s0 / s)\n"


def test_nothing_in_the_data_becomes_html(hostile):
    for thing in hostile:
        assert page(thing).text, thing


def test_escape():
    assert markup.escape("<a b='1' c=\"2\">&\t\n") == "&lt;a b=&#x27;1&#x27; c=&quot;2&quot;&gt;&amp;\t\n"
    assert markup.escape("\x00\x0b\x9b\udfff\ufffe") == "\ufffd" * 5


def test_a_corpus_shows_its_first_graphs_and_reads_no_others():
    assert "0 graphs" in "".join(page(fm.Corpus.from_graphs([])).text)
    texts = "\n\n".join(f"# ::id g.{k} ::snt cat number {k}\n(c / cat :quant {k})" for k in range(100))
    corpus = fm.parse(texts)
    # comments of later graphs that cannot be read are never looked at
    comments = corpus.comments.copy()
    comments[corpus.comment_offsets[5] :] = 255
    found = page(corpus.with_columns(comments=comments))
    assert found.cells[5:10] == ["0", "g.0", "cat number 0", "1", "2"] and found.n_rows == 6
    assert "… and 95 more graphs" in found.text


def test_a_graph_is_shown_as_text():
    found = page(fm.parse("# ::id x ::snt A big cat.\n(c / cat :mod (b / big))")[0])
    assert "".join(found.text) == ("Graph: x, top c, 2 variables, 3 triplesA big cat.(c / cat\n      :mod (b / big))")


def test_a_graph_that_is_large_or_has_no_text_is_listed():
    found = page(fm.Graph.from_triples([(f"v{k}", ":ARG0", f"v{k + 1}") for k in range(3000)]))
    assert found.n_rows == 51 and "… and 2,950 more triples" in found.text
    apart = fm.Graph.from_triples([("a", ":instance", "cat"), ("b", ":instance", "dog")])
    assert page(apart).cells == ["source", "role", "target", "a", ":instance", "cat", "b", ":instance", "dog"]


def test_an_alignment_lists_every_triple_once():
    found = page(fm.align("(a / cat :mod (b / big))", "(c / cat :mod (d / small))"))
    rows = [tuple(found.cells[k : k + 3]) for k in range(0, len(found.cells), 3)]
    header = ("prediction", "", "gold")
    assert rows == [
        header,
        ("a / cat", "=", "c / cat"),
        ("b / big", "~", "d / small"),
        header,
        ("a :TOP top", "=", "c :TOP top"),
        ("a :instance cat", "=", "c :instance cat"),
        ("a :mod b", "=", "c :mod d"),
        ("b :instance big", "-", ""),
        ("", "+", "d :instance small"),
    ]


def test_intervals_stand_behind_the_scores():
    pred = [f"(a / {name})" for name in "cdcdcdcd"]
    result = fm.score(pred, ["(a / c)"] * 8, bootstrap=50)
    low, high = result.intervals["f1"]
    assert f"{100 * result.f1:.2f} [{100 * low:.2f}, {100 * high:.2f}]" in page(result).cells
    assert "in brackets: 95 % intervals" in "".join(page(result).text)
    assert not any("[" in cell for cell in page(fm.score(pred, pred)).cells)
    low, high = fm.aspects(pred, ["(a / c)"] * 8, bootstrap=50)["Concepts"].intervals["f1"]
    shown = page(fm.aspects(pred, ["(a / c)"] * 8, bootstrap=50)).cells
    assert any(cell.endswith(f"[{100 * low:.2f}, {100 * high:.2f}]") for cell in shown)


def test_a_score_that_does_not_exist_is_not_shown():
    with pytest.warns(fm.PairingWarning):
        found = page(fm.score([], []))
    assert not found.cells and "no score, as there is nothing to compare" in "".join(found.text)


def test_long_tables_are_cut():
    found = page(fm.score(["(a / cat)"] * 25, ["(a / cat)"] * 25).pairs)
    assert found.n_rows == 11 and "… and 15 more rows" in found.text
    found = page(fm.TopK(np.zeros((7, 9), np.int32), np.ones((7, 9)), "s", ("q",) * 7, ("i",) * 3))
    assert found.n_rows == 1 + 5 * 5 and "… and 2 more queries" in found.text
