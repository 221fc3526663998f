"""How long work says how far it is: to a callable, by a bar on a terminal or in a notebook, or by lines in a log."""

from __future__ import annotations

import sys
import threading
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from time import monotonic

from fastmatch.types import Progress

#: What a kernel calls while it works on one item: its number, the value of the best result so far, an upper bound
#: of all results, and the share of the work that is done, of what it may be at most.
Tell = Callable[[int, float, float, float], object]

#: Seconds before a bar appears: what is over by then needs none.
APPEARS_AFTER = 0.5
#: Seconds between two lines where no bar can be drawn.
LINE_EVERY = 30.0
#: Seconds between two reports from inside one item.
INSIDE_EVERY = 0.1

_here = threading.local()


def listener() -> Tell | None:
    """What a kernel is to call while it works long on one item, in this thread; None if nobody wants to know."""
    return getattr(_here, "tell", None)


@contextmanager
def heard(tell: Tell | None) -> Iterator[None]:
    """Within it, :func:`listener` of this thread is ``tell``."""
    before = listener()
    _here.tell = tell
    try:
        yield
    finally:
        _here.tell = before


class Bar:
    """Says on standard error how far work is. To be closed, or used in a ``with`` statement.

    On a terminal it is a bar, in a notebook a bar in the output of the cell. Elsewhere, in the log of a batch job, it
    is a line each half minute, so work that is over sooner writes nothing.

    Parameters
    ----------
    what
        What is counted, to stand in front: "pairs".
    quiet
        Say nothing, wherever standard error goes.

    Can be called wherever a progress function (done, total) is asked for. Not for use from two threads at once.
    """

    def __init__(self, what: str, quiet: bool = False) -> None:
        self._what = what
        self._began = monotonic()
        self._start: float | None = None
        self._shown: _Terminal | _Cell | _Lines | None = None
        if quiet or sys.stderr is None:
            self._appears = float("inf")
        elif _in_notebook() or sys.stderr.isatty():
            self._appears = self._began + APPEARS_AFTER
        else:
            self._appears = self._began + LINE_EVERY

    def __call__(self, done: float, total: int, note: str = "") -> None:
        """``done`` of ``total`` is done, with a part of the one at work; ``note`` stands behind."""
        now = monotonic()
        if self._shown is None:
            if self._start is None:
                # what an earlier run had done was no work of this one, and says nothing of how long the rest takes
                self._start = done
            if now < self._appears:
                return
            self._shown = self._open(done, total)
        self._shown.show(done, total, note, self._left(done, total, now))

    def _left(self, done: float, total: int, now: float) -> float:
        """Estimated seconds until the end; NaN if nothing is known."""
        made = done - (self._start or 0)
        return (now - self._began) * (total - done) / made if made > 0 else float("nan")

    def _open(self, done: float, total: int) -> _Terminal | _Cell | _Lines:
        if _in_notebook():
            return _Cell(self._what)
        return _Terminal(self._what, done, total) if sys.stderr.isatty() else _Lines(self._what)

    def close(self) -> None:
        """Take the bar away."""
        if self._shown is not None:
            self._shown.close()

    def __enter__(self) -> Bar:
        return self

    def __exit__(self, *raised: object) -> None:
        self.close()


class _Terminal:
    """A bar that is drawn again and again on one line."""

    def __init__(self, what: str, done: float, total: int) -> None:
        # rich costs 50 ms to import: only on a terminal, only for work that lasts
        from rich.console import Console
        from rich.progress import BarColumn, TextColumn, TimeRemainingColumn
        from rich.progress import Progress as RichProgress

        count, note = TextColumn("{task.fields[count]}"), TextColumn("{task.description}")
        columns = TextColumn(what, markup=False), BarColumn(), count, TimeRemainingColumn(), note
        self._bar = RichProgress(*columns, console=Console(stderr=True), transient=True)
        self._task = self._bar.add_task("", total=total, completed=int(done), count="")
        self._bar.start()

    def show(self, done: float, total: int, note: str, left: float) -> None:
        self._bar.update(self._task, completed=done, total=total, description=note, count=f"{int(done):,} of {total:,}")

    def close(self) -> None:
        self._bar.stop()


class _Cell:
    """A bar in the output of a notebook's cell, which needs no widgets."""

    def __init__(self, what: str) -> None:
        from html import escape

        from IPython.display import HTML, display

        self._what, self._drawn = what, monotonic()
        self._escape, self._html = escape, HTML
        self._handle = display(HTML(""), display_id=True)

    def show(self, done: float, total: int, note: str, left: float) -> None:
        now = monotonic()
        if now - self._drawn < 0.2 and done < total:
            return
        self._drawn = now
        text = self._escape(_sentence(self._what, done, total, note, left))
        bar = f'<progress value="{done}" max="{max(total, 1)}" aria-label="{text}"></progress>'
        self._handle.update(self._html(f"{bar} {text}"))

    def close(self) -> None:
        self._handle.update(self._html(""))


class _Lines:
    """A line each half minute."""

    def __init__(self, what: str) -> None:
        self._what = what
        self._next = 0.0

    def show(self, done: float, total: int, note: str, left: float) -> None:
        now = monotonic()
        if now >= self._next:
            self._next = now + LINE_EVERY
            sys.stderr.write(f"fastmatch: {_sentence(self._what, done, total, note, left)}\n")
            sys.stderr.flush()

    def close(self) -> None:
        pass


def _sentence(what: str, done: float, total: int, note: str, left: float) -> str:
    """``pairs: 1,200 of 5,000, about 3 min left``."""
    text = f"{what}: {int(done):,} of {total:,}"
    if done < total and left == left:
        text += f", about {left:.0f} s left" if left < 99 else f", about {left / 60:.0f} min left"
    return f"{text}, {note}" if note else text


def _in_notebook() -> bool:
    """Whether a notebook's kernel runs this."""
    module = sys.modules.get("IPython")
    shell = module.get_ipython() if module is not None and hasattr(module, "get_ipython") else None
    return getattr(shell, "kernel", None) is not None


class Steps:
    """Tells a callable, or a bar on a terminal, how far the work is. To be closed, or used in a ``with`` statement.

    Parameters
    ----------
    progress : None, bool or callable
        What the user wishes: True draws a bar, a callable gets (done, total), else nobody is told. While one item takes
        long, ``done`` is not a whole number but has a part of that item.
    total : int
        How much there is to do.
    what : str
        What is counted, to stand in front of the bar.
    """

    def __init__(self, progress: Progress, total: int, what: str = "pairs") -> None:
        self.total = total
        self.last: float = -1
        self.wanted = progress is True or callable(progress)
        self._said: float = 0
        self._next = 0.0
        self.bar = Bar(what, quiet=progress is not True)
        self.call: Callable[..., object] = progress if callable(progress) else self.bar

    def __call__(self, done: float) -> None:
        """So much is done; what was said already is not said again."""
        if done != self.last:
            self.last = done
            self._say(done)

    def step(self) -> None:
        """One more is done."""
        self(max(self.last, 0) + 1)

    def inside(self, done: int, items: Iterable[tuple[float, float, float]]) -> None:
        """So much is done, and parts of the items at work: (reached, bound, share) of each, as a kernel tells them.

        Says so ten times a second at most, also if nothing is new: whoever is told may wish to end the work.
        """
        now = monotonic()
        at_work = list(items)
        if not at_work or now < self._next:
            return
        self._next = now + INSIDE_EVERY
        if done != self.last:
            self(done)
        reached, bound, _ = max(at_work, key=lambda item: item[1] - item[0])
        most = f", at most {bound:,.8g}" if bound < float("inf") else ""
        # nothing that is still at work counts as done
        shares = sum(min(share, 0.99) for *_, share in at_work)
        self._say(done + shares, f"at work: {reached:,.8g} matched{most}")

    def _say(self, done: float, note: str = "") -> None:
        # shares may fall, since a limit of work is not the same all the time; what was said must not
        self._said = max(self._said, done)
        if self.call is self.bar:
            self.bar(self._said, self.total, note)
        else:
            self.call(self._said, self.total)

    def part(self, before: int) -> Callable[..., None]:
        """A progress function for a part of the work, which begins when ``before`` is done; it may say of how much."""
        return lambda done, total=0: self(before + done)

    def more(self, n: int) -> Callable[..., None] | None:
        """The same for ``n`` more, which nobody knew of before and which come next; None if nobody wants to know."""
        self.total += n
        return self.part(self.total - n) if self.wanted else None

    def close(self) -> None:
        """Take the bar away."""
        self.bar.close()

    def __enter__(self) -> Steps:
        return self

    def __exit__(self, *raised: object) -> None:
        self.close()
