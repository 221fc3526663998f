"""Pages that show graphs: why-pages, adjudication, alignments on the terminal. No score is computed here."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from fastmatch.pages.why_page import html

__all__ = ["html"]


def __getattr__(name: str) -> object:
    """A page is imported when it is first asked for: what prints an alignment does not wait for it."""
    if name != "html":
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from fastmatch.pages.why_page import html

    return html


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
