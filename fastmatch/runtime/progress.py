"""How long work says how far it is: to a callable, or by a bar on the terminal."""

from __future__ import annotations

import sys
from time import monotonic
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable
    from types import TracebackType

    from rich.progress import Progress as RichProgress
    from rich.progress import TaskID

    from fastmatch.types import Progress

__all__ = ["Bar", "Report"]

#: Seconds before a bar appears: what is over by then needs none.
APPEARS_AFTER = 0.5


class Bar:
    """Drawn on standard error if that is a terminal, else nothing. To be closed, or used in a ``with`` statement.

    Parameters
    ----------
    what
        What is counted, to stand in front: "pairs".
    quiet
        Draw nothing, wherever standard error goes.

    Can be called wherever a progress function (done, total) is asked for. Not for use from two threads at once.
    """

    def __init__(self, what: str, quiet: bool = False) -> None:
        self._what = what
        self._draws = not quiet and sys.stderr is not None and sys.stderr.isatty()
        self._began = monotonic()
        self._bar: RichProgress | None = None
        self._task: TaskID

    def __call__(self, done: int, total: int, note: str = "") -> None:
        """``done`` of ``total`` is done; ``note`` stands behind the bar."""
        if not self._draws or (self._bar is None and monotonic() - self._began < APPEARS_AFTER):
            return
        if self._bar is None:
            # what an earlier run had done was no work of this one, and says nothing of how long the rest takes
            self._bar = self._open(done, total)
        self._bar.update(self._task, completed=done, description=note)

    def _open(self, done: int, total: int) -> RichProgress:
        # rich costs 50 ms to import: only on a terminal, only for work that lasts
        from rich.console import Console
        from rich.progress import BarColumn, TextColumn, TimeRemainingColumn
        from rich.progress import Progress as RichProgress

        columns = (
            TextColumn(self._what, markup=False),
            BarColumn(),
            TextColumn("{task.completed:,.0f} of {task.total:,.0f}"),
            TimeRemainingColumn(),
            TextColumn("{task.description}"),
        )
        bar = RichProgress(*columns, console=Console(stderr=True), transient=True)
        self._task = bar.add_task("", total=total, completed=done)
        bar.start()
        return bar

    def close(self) -> None:
        """Take the bar away."""
        if self._bar is not None:
            self._bar.stop()

    def __enter__(self) -> Bar:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        self.close()


class Report:
    """Tells a callable, or a bar on a terminal, how far the work is. To be closed, or used in a ``with`` statement.

    Parameters
    ----------
    progress : None, bool or callable
        What the user wishes: True draws a bar, a callable gets (done, total), else nobody is told.
    total : int
        How much there is to do.
    what : str
        What is counted, to stand in front of the bar.
    """

    def __init__(self, progress: Progress, total: int, what: str = "pairs") -> None:
        self.total, self.last = total, -1
        self.bar = Bar(what, quiet=progress is not True)
        self.call = progress if callable(progress) else self.bar

    call: Callable[[int, int], object]

    def __call__(self, done: int) -> None:
        """So much is done; what was said already is not said again."""
        if done != self.last:
            self.last = done
            self.call(done, self.total)

    def step(self) -> None:
        """One more is done."""
        self(max(self.last, 0) + 1)

    def part(self, before: int) -> Callable[[int, int], None]:
        """A progress function for a part of the work that begins when ``before`` is done."""
        return lambda done, _: self(before + done)

    def close(self) -> None:
        """Take the bar away."""
        self.bar.close()

    def __enter__(self) -> Report:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        self.close()
