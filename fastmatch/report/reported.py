"""Results that show themselves."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from fastmatch.errors import OptionError
from fastmatch.report.model import Report


class Reported:
    """A result that shows itself: :meth:`report`, and the same in a notebook."""

    __slots__ = ()

    def report(self) -> Report:
        """What there is to see, for every form: ``result.report().to("latex")``."""
        raise NotImplementedError

    @classmethod
    def _together(cls, results: Mapping[str, Any], worst: int | None) -> Report:
        """What :meth:`Report.of` gives for several results of this kind."""
        raise OptionError(f"Report.of: expected scores or comparisons, found {cls.__name__}; each has a report()")

    def _repr_html_(self) -> str:
        return self.report()._repr_html_()
