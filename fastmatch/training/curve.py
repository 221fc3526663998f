"""What all trainings share: the learning curve, and how progress is told."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

from fastmatch.errors import OptionError
from fastmatch.notebooks.frames import Tabular, columns_of

if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import TypeAlias

    #: What a callable that reports progress gets: updates made, updates at most, the last look.
    Tell: TypeAlias = Callable[[int, int, "Look"], object]

__all__ = ["Learning", "Look", "whole"]


class Look(NamedTuple):
    """One look at the development set.

    Attributes
    ----------
    update : int
        After how many updates.
    dev : float
        Pearson's r on the development set.
    train : float
        Mean r of the training batches since the last look, as they were scored for the updates; nan at the start.
    """

    update: int
    dev: float
    train: float


class Learning(Tabular):
    """What all trainings have: looks at the development pairs, of which one was the best.

    A subclass is a dataclass with these two fields.
    """

    looks: tuple[Look, ...]
    best: int

    def _table(self) -> dict[str, Any]:
        """The learning curve: one row a look at the development pairs."""
        return columns_of([look._asdict() for look in self.looks])

    @property
    def before(self) -> float:
        """What ``dev`` was at the start."""
        return self.looks[0].dev

    @property
    def after(self) -> float:
        """What ``dev`` is of the result: that of the best look."""
        return self.looks[self.best].dev


def whole(name: str, value: object, least: int) -> None:
    """Raise ``OptionError`` unless the option is a whole number of at least ``least``."""
    if isinstance(value, bool) or not isinstance(value, int) or value < least:
        raise OptionError(f"{name}={value!r}: expected a whole number, {least} or more")
