"""Links lead to pages and headings that exist, where the repository is hosted; the site checks its own."""

import re
from pathlib import Path

import pytest

import fastmatch as fm

CHECKOUT = Path(__file__).parents[2]
DOCS = CHECKOUT / "docs"
PAGES = [*sorted(DOCS.rglob("*.md")), *(CHECKOUT / name for name in ("README.md", "CONTRIBUTING.md", "SECURITY.md"))]
PAGES = [page for page in PAGES if page.exists()]


def text(page: Path) -> str:
    """The page without its blocks of code."""
    return re.sub(r"^```.*?^```", "", page.read_text(encoding="utf-8"), flags=re.MULTILINE | re.DOTALL)


def places(page: Path) -> set[str]:
    """What GitHub makes of the headings: lower case, punctuation dropped, hyphens for spaces."""
    headings = re.findall(r"^#+ (.*)$", text(page), re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-") for heading in headings}


def test_links_lead_somewhere() -> None:
    for page in PAGES:
        for link in re.findall(r"\]\(([^)\s]+)\)", text(page)):
            if link.startswith(("https:", "http:", "mailto:")):
                continue
            path, _, place = link.partition("#")
            target = page.parent / path if path else page
            assert target.exists(), f"{page.name}: {link}"
            assert not place or place in places(target), f"{page.name}: {link}"


@pytest.mark.skipif(not DOCS.exists(), reason="no docs beside these tests")
def test_every_page_is_in_the_navigation() -> None:
    """The lists of index.md are the navigation of the site."""
    listed = re.findall(r"^- \[[^]]+\]\(([^)]+)\)", (DOCS / "index.md").read_text(encoding="utf-8"), re.MULTILINE)
    assert sorted(listed) == sorted(
        page.relative_to(DOCS).as_posix() for page in DOCS.rglob("*.md") if page.name != "index.md"
    )


@pytest.mark.skipif(not DOCS.exists(), reason="no docs beside these tests")
def test_every_public_name_is_in_the_reference() -> None:
    reference = (DOCS / "api.md").read_text(encoding="utf-8")
    named = {
        name for names in re.findall(r"<!-- docstrings:\s(.*?)\s-->", reference, re.DOTALL) for name in names.split()
    }
    assert set(fm.__all__) - {"__version__"} <= named
