"""What all trainings share: the learning curve, and how progress is told."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any, ClassVar, NamedTuple, TypeAlias

from fastmatch.report.cells import Points
from fastmatch.report.frames import Tabular
from fastmatch.report.model import Report, Reported, Table
from fastmatch.results.signature import Signature
from fastmatch.runtime.progress import Bar

#: What a callable that reports progress gets: updates made, updates at most, the last look.
Tell: TypeAlias = Callable[[int, int, "Look"], object]


@contextmanager
def telling(progress: bool | Tell | None, what: str, note: str) -> Iterator[Tell]:
    """What a training calls as it goes: the caller's function, or a bar that counts ``what``, if one is wanted.

    ``note`` is the text behind the bar, with the fields of a look in braces.
    """
    if callable(progress):
        yield progress
        return
    with Bar(what, quiet=not progress) as bar:
        yield lambda done, total, look: bar(done, total, note.format(**look._asdict()))


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


@dataclass(frozen=True)
class Learning(Reported, Tabular):
    """What all trainings have: looks at the development pairs, of which one was the best."""

    #: What figures call it, what judges it, and what its updates are called.
    title: ClassVar[str]
    judged_by: ClassVar[str]
    steps: ClassVar[str]

    looks: tuple[Look, ...] = field(repr=False)
    best: int
    updates: int
    interrupted: bool
    signature: Signature

    def report(self) -> Report:
        """Before and after, set by set; for programs the learning curve, a row a look."""
        rows = [(name, Points(before), Points(after)) for name, (before, after) in self._gains().items()]
        ended = ", interrupted" if self.interrupted else ""
        best = self.looks[self.best].update
        title = f"{self.updates:,} {self.steps}{ended}; best after {best:,}; {self.judged_by}, x 100"
        table = Table(("", "before", "after"), rows, title)
        return self._reported(f"fastmatch train {self.signature.metric}", [table], Look._fields, self.looks)

    def _gains(self) -> dict[str, tuple[float, float]]:
        """Name of a set → value before and after."""
        raise NotImplementedError

    def to_dict(self) -> dict[str, Any]:
        """Plain Python values, ready for JSON."""
        raise NotImplementedError

    def _rows(self) -> list[dict[str, Any]]:
        """The learning curve: one row a look at the development pairs."""
        return [look._asdict() for look in self.looks]

    def _facts(self, judged: str) -> list[str]:
        """What a file of the result says of it first; ``judged``: what the looks are values of."""
        look = self.looks[self.best]
        values = f"{self.before:.6f} before, {look.dev:.6f} after {look.update} {self.steps}"
        return [f"signature: {self.signature}", f"{judged}: {values}"]

    @property
    def before(self) -> float:
        """What ``dev`` was at the start."""
        return self.looks[0].dev

    @property
    def after(self) -> float:
        """What ``dev`` is of the result: that of the best look."""
        return self.looks[self.best].dev
