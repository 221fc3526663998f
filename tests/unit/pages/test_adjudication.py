"""The page for adjudication: everything is in the file, nothing in it is markup, and other scripts cannot run."""

import json
import re
from html.parser import HTMLParser

import pytest

import fastmatch as fm
from fastmatch.pages.adjudication import adjudication_page, write_adjudication

EVIL = '</script><img src=x onerror="alert(1)">'
TEXTS = [
    ["(s / sing-01 :ARG0 (b / bird))", '(r / run-02 :ARG0 (d / dog :mod "a&b<c>"))'],
    ["(s / sing-01 :ARG0 (c / cat))", "(r / run-02 :ARG0 (d / dog))"],
    ["(h / hum-02 :ARG0 (b / bird))", "(w / walk-01 :ARG0 (d / dog :mod (b / big)))"],
]
NAMES = ["a.amr", f"{EVIL}.amr", "c.amr"]


@pytest.fixture(scope="module")
def made():
    corpora = [
        fm.parse([f"# ::id {EVIL}\n# ::snt {EVIL}\n{text}" if not k else text for k, text in enumerate(texts)])
        for texts in TEXTS
    ]
    return fm.ensemble(corpora)


class Page(HTMLParser):
    """The tags of a page, and the triples of its boxes."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.tags: list[str] = []
        self.boxes: list[tuple[list[str], bool]] = []
        self.labels: list[str] = []
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append(tag)
        given = dict(attrs)
        if tag == "input" and given.get("type") == "checkbox":
            self.boxes.append((json.loads(given["data-triple"] or ""), "checked" in given))
            self.labels.append(given["aria-label"] or "")


def test_every_triple_has_a_box(made):
    page = Page("".join(adjudication_page(made, NAMES)))
    expected = []
    for k in range(len(made)):
        expected += [(list(vote.triple), True) for vote in made.votes(k)]
        expected += [(list(vote.triple), False) for vote in made.left_out(k)]
    assert page.boxes == expected and page.labels == [f"keep {' '.join(triple)}" for triple, _ in expected]
    assert page.tags.count("section") == page.tags.count("table") == 2


def test_nothing_that_is_shown_is_markup(made):
    text = "".join(adjudication_page(made, NAMES))
    tags = Page(text).tags
    assert "<img" not in text and tags.count("script") == tags.count("style") == 1
    assert len(re.findall(r"'sha256-[^']+'", text)) == 2 and "default-src 'none'" in text


def test_who_has_what(made):
    text = "".join(adjudication_page(made, ["a", "b", "c"]))
    assert "<td><code>d :instance dog</code></td><td>3 of 3: a, b, c</td><td>kept</td>" in text
    assert re.search(r'class="out some".*left out', text)
    assert f"mean score {100 * made.scores[1]:.2f}, no graph reaches more than {100 * made.uppers[1]:.2f}" in text


def test_of_many_sentences_those_that_agree_least(made, monkeypatch):
    monkeypatch.setattr("fastmatch.pages.adjudication.MOST", 1)
    text = "".join(adjudication_page(made, NAMES))
    least = min(range(2), key=lambda k: made.scores[k])
    assert "1 of 2 sentences" in text and text.count("<section") == 1 and f'data-number="{least}"' in text


def test_the_same_page_each_time(made, tmp_path):
    for name in ("one", "two"):
        write_adjudication(made, NAMES, str(tmp_path / name))
    assert (tmp_path / "one").read_bytes() == (tmp_path / "two").read_bytes()
    assert (tmp_path / "one").read_text(encoding="utf-8").endswith("</html>\n")


def test_nobody_can_be_read() -> None:
    made = fm.ensemble([["(a"], ["(b"]], on_error="empty")
    assert Page("".join(adjudication_page(made, ["a", "b"]))).tags.count("section") == 1
