"""Pages that show graphs: why-pages, adjudication, alignments on the terminal. No score is computed here."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from fastmatch.pages.adjudication import write_adjudication
    from fastmatch.pages.why_page import html

__all__ = ["html", "write_adjudication"]


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})


def __getattr__(name: str) -> object:
    """A page is imported when it is first asked for: what prints an alignment does not wait for it."""
    if name == "html":
        from fastmatch.pages.why_page import html

        return html
    if name == "write_adjudication":
        from fastmatch.pages.adjudication import write_adjudication

        return write_adjudication
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
