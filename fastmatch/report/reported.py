"""Results that show themselves."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from fastmatch.report.model import Report

__all__ = ["Reported"]


class Reported:
    """A result that shows itself: :meth:`report`, and the same in a notebook."""

    __slots__ = ()

    def report(self) -> Report:
        """What there is to see, for every form: ``result.report().to("latex")``."""
        raise NotImplementedError

    def _repr_html_(self) -> str:
        return self.report()._repr_html_()
