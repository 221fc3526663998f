"""The pictures of docs/ show what the solver does."""

import importlib.util
import re
from itertools import pairwise
from pathlib import Path

import pytest

import fastmatch as fm

DOCS = Path(__file__).parents[2] / "docs"
PICTURES = DOCS / "pictures"
needs_docs = pytest.mark.skipif(not PICTURES.exists(), reason="no docs beside these tests")


def script(name: str):
    """A script that draws."""
    found = importlib.util.spec_from_file_location(name, PICTURES / f"{name}.py")
    assert found and found.loader
    module = importlib.util.module_from_spec(found)
    found.loader.exec_module(module)
    return module


@needs_docs
def test_the_bound_closes_as_it_is_drawn() -> None:
    """If the solver's work has changed, ``python docs/pictures/bound.py`` draws the picture again."""
    bound = script("bound")
    steps = bound.history()
    for (_, matched, upper), (_, later_matched, later_upper) in pairwise(steps):
        assert matched <= later_matched <= later_upper <= upper
    work, matched, upper = steps[-1]
    assert matched == upper
    says = bound.PICTURE.read_text(encoding="utf-8").partition("<desc>")[2].partition("</desc>")[0]
    assert says in bound.drawn(steps) and f"After {work:,} visits both are {matched}" in says


@needs_docs
@pytest.mark.parametrize("name", ["speed", "credit", pytest.param("rooms", marks=pytest.mark.slow)])
def test_what_is_drawn_is_as_it_is(name: str) -> None:
    """If figures, credit, rooms or imports have changed, ``python docs/pictures/NAME.py`` draws the picture again."""
    made = script(name)
    assert made.PICTURE.read_text(encoding="utf-8") == made.drawn()


@needs_docs
def test_the_gallery_shows_every_figure() -> None:
    """Each function that draws, with its code and its picture, whose text says what the picture says of itself.

    What the code draws is tested elsewhere, and that it runs in ``test_pages.py``; here nothing is drawn.
    """
    gallery = script("gallery")
    text = gallery.PAGE.read_text(encoding="utf-8")
    code = "\n".join(re.findall(r"^```python\n(.*?)^```", text, re.MULTILINE | re.DOTALL))
    assert set(re.findall(r"fm\.plot\.(\w+)\(", code)) == set(fm.plot.__all__)
    pictures = re.findall(r"^!\[([^\]]+)\]\(pictures/([\w-]+\.png)\)$", text, re.MULTILINE)
    assert sorted(name for _, name in pictures) == sorted(re.findall(r'"(gallery-[\w-]+\.png)"', code))
    for alternative, name in pictures:
        assert alternative == gallery.link_text(gallery.described(PICTURES / name))


@needs_docs
def test_examples_of_metrics_are_drawn_as_they_are() -> None:
    """If a metric finds something else, ``python docs/pictures/examples.py`` draws it."""
    examples = script("examples")
    for name in examples.EXAMPLES:
        assert (PICTURES / f"metric-{name}.svg").read_text(encoding="utf-8") == examples.drawn(name)
        told = examples.told(examples.found(name))
        page = (DOCS / "metrics" / f"{name}.md").read_text(encoding="utf-8")
        assert f"![{told}](../pictures/metric-{name}.svg)" in page
