"""Ctrl-C while a program starts.

Python raises ``KeyboardInterrupt`` between any two instructions of the main thread. While a module is imported, these
may belong to a callback of the import system, whose exceptions are printed and dropped, or to code that catches all of
them; then the program goes on as if nothing had happened. So the signal is only remembered there, and raised when the
import statement is done.

This module is imported before all others, so it imports next to nothing.
"""

from __future__ import annotations

import builtins
import signal
import sys

TYPE_CHECKING = False  # known to type checkers by its name
if TYPE_CHECKING:
    from collections.abc import Callable
    from types import FrameType


def interruptible(name: str, program: Callable[[], int]) -> int:
    """Run a program, from its first import on, so that no Ctrl-C is lost; returns its exit status, or 130.

    Parameters
    ----------
    name : str
        What the line on standard error begins with.
    program : callable
        Takes nothing and returns the exit status: 130, after a line of its own, if it saw ``KeyboardInterrupt``.

    Notes
    -----
    Where Ctrl-C is ignored or handled by others, and in other threads than the main one, the program just runs.
    """
    remembered = False
    imported = builtins.__import__

    def heed(_number: int, frame: FrameType | None) -> None:
        nonlocal remembered
        while frame is not None and frame.f_code is not interruptible.__code__:
            if frame.f_code.co_filename.startswith("<frozen importlib"):
                remembered = True
                return
            frame = frame.f_back
        raise KeyboardInterrupt

    def heeding(*arguments: object, **named: object) -> object:
        module = imported(*arguments, **named)  # type: ignore[arg-type]
        if remembered:
            raise KeyboardInterrupt
        return module

    if signal.getsignal(signal.SIGINT) is not signal.default_int_handler:
        return program()
    try:
        signal.signal(signal.SIGINT, heed)
    except ValueError:  # in another thread
        return program()
    try:
        builtins.__import__ = heeding  # type: ignore[assignment]
        status = program()
        if not remembered or status == 130:
            return status
    except KeyboardInterrupt:
        pass
    finally:
        builtins.__import__ = imported
        signal.signal(signal.SIGINT, signal.default_int_handler)
    if sys.stderr is not None:
        sys.stderr.write(f"{name}: interrupted\n")
    return 130
