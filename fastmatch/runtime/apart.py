"""Work in another process, which can be ended at any moment.

For libraries that neither look for Ctrl-C nor keep to a limit of time while they work. The other process imports what
it needs once and then waits for more work, half a minute. It ends with this one. No more of them wait than there are
CPUs, however many threads gave them work.

Where no process can be started (a frozen program, a browser), the work is done in this one.
"""

from __future__ import annotations

import atexit
import os
import pickle
import subprocess
import sys
import threading
from collections.abc import Callable
from contextlib import suppress
from importlib import import_module
from time import monotonic, sleep
from typing import Any, BinaryIO

from fastmatch.runtime.collecting import no_collection
from fastmatch.runtime.cpus import usable_cpus
from fastmatch.types import ByteArray

#: Seconds between two looks whether the work is to end.
WAKE = 0.05
#: Seconds that the other process waits for more work.
IDLE = 30.0

_CODE = "import sys; sys.path[:] = sys.argv[1:]; from fastmatch.runtime.apart import serve; serve()"
_idle: list[_Process] = []
_lock = threading.Lock()


def _new_lock() -> None:
    """A process that is forked while another thread holds the lock would wait for it for ever."""
    global _lock
    _lock = threading.Lock()


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_new_lock)


class Ended(Exception):
    """The work was ended before it was done."""


def call(
    module: str,
    name: str,
    arguments: tuple[Any, ...],
    *,
    until: float = float("inf"),
    cancel: ByteArray | None = None,
    meanwhile: Callable[[], object] | None = None,
) -> Any:
    """What function ``name`` of ``module`` returns for ``arguments``, in another process.

    Parameters
    ----------
    module, name : str
    arguments : tuple
        They and the result can be pickled.
    until : float
        What :func:`time.monotonic` may be at most when the result is there.
    cancel : uint8[1], optional
        Another thread sets it to 1 to end the work.
    meanwhile : callable, optional
        Is called again and again while the work is done. What it raises ends it.

    Raises
    ------
    Ended
        If ``until`` or ``cancel`` has ended the work.
    MemoryError
        If the other process is gone without an answer.
    Exception
        What the function raises.
    """
    process = _take()
    if process is None:
        return getattr(import_module(module), name)(*arguments)
    fine, answer = process.ask((module, name, arguments), until, cancel, meanwhile)
    most = usable_cpus()
    with _lock:
        spare = len(_idle) >= most
        if not spare:
            _idle.append(process)
    if spare:
        process.end()
    if not fine:
        raise answer
    return answer


@atexit.register
def end_idle() -> None:
    """End the processes that wait for work."""
    while _idle:
        process = _idle.pop()
        if process.owner == os.getpid():
            process.end()


def _take() -> _Process | None:
    """A process that waits for work; None if there can be none. Those that have ended meanwhile are forgotten."""
    with _lock:
        # after a fork the child has the parent's list, but not the parent's processes
        mine = [process for process in _idle if process.owner == os.getpid()]
        _idle[:] = [process for process in mine if process.waits()]
        found = _idle.pop() if _idle else None
        ended = [process for process in mine if process is not found and process not in _idle]
    for process in ended:
        process.end()
    if found is not None:
        return found
    if not sys.executable or getattr(sys, "frozen", False):
        return None
    try:
        return _Process()
    except OSError:
        return None


class _Process:
    """Another process and the two pipes to it."""

    def __init__(self) -> None:
        self.owner = os.getpid()
        self._since = monotonic()
        # Ctrl-C on a terminal reaches all processes of its group; this one is ended by its owner
        own_group: dict[str, Any] = {"process_group": 0}
        if sys.platform == "win32":
            own_group = {"creationflags": subprocess.CREATE_NEW_PROCESS_GROUP}
        path = [entry or os.getcwd() for entry in sys.path]
        # numpy and scipy start threads for products of matrices, which spin for a moment and are not used there
        surroundings = os.environ | {"OPENBLAS_NUM_THREADS": "1"}
        self._process = subprocess.Popen(
            [sys.executable, "-P", "-c", _CODE, *path],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            env=surroundings,
            **own_group,
        )

    def waits(self) -> bool:
        """Whether it still waits for work, and will for a moment."""
        return self._process.poll() is None and monotonic() - self._since < 0.8 * IDLE

    def ask(
        self, question: Any, until: float, cancel: ByteArray | None, meanwhile: Callable[[], object] | None
    ) -> tuple[bool, Any]:
        """The answer: (True, result) or (False, exception). If there is none, the process is ended."""
        answers: list[tuple[bool, Any]] = []
        # a read from a pipe cannot be given up on every system, a thread that reads can
        reader = threading.Thread(target=self._exchange, args=(question, answers), daemon=True)
        try:
            reader.start()
            while True:
                reader.join(max(0.0, min(WAKE, until - monotonic())))
                if not reader.is_alive():
                    break
                if monotonic() > until or (cancel is not None and cancel[0]):
                    raise Ended
                if meanwhile is not None:
                    meanwhile()
            if not answers:
                raise MemoryError("a process that did a part of the work has ended, for want of memory perhaps")
        except BaseException:
            self._process.kill()
            for _ in range(100):  # Ctrl-C may have come while the thread was being started
                if reader.ident is not None:
                    reader.join()
                    break
                sleep(0.001)
            self.end()
            raise
        self._since = monotonic()
        return answers[0]

    def _exchange(self, question: Any, answers: list[tuple[bool, Any]]) -> None:
        to, back = self._process.stdin, self._process.stdout
        assert to is not None
        assert back is not None
        with suppress(OSError, EOFError, ValueError, pickle.UnpicklingError):  # it is gone, or is being ended
            pickle.dump(question, to, pickle.HIGHEST_PROTOCOL)
            to.flush()
            answers.append(pickle.load(back))

    def end(self) -> None:
        """End it now."""
        self._process.kill()
        self._process.wait()
        for pipe in (self._process.stdin, self._process.stdout):
            with suppress(OSError):
                if pipe is not None:
                    pipe.close()


def serve() -> None:
    """Answer questions until there are no more: the main function of the other process."""
    questions: BinaryIO = sys.stdin.buffer
    # what a library prints is no answer, and nobody asked for it
    answers = os.fdopen(os.dup(1), "wb")
    os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
    begun = [monotonic()]
    threading.Thread(target=_watch, args=(os.getppid(), begun), daemon=True).start()
    while True:
        try:
            module, name, arguments = pickle.load(questions)
        except EOFError:
            return
        begun[0] = float("inf")
        try:
            with no_collection():  # what is imported stays
                function = getattr(import_module(module), name)
            answer = True, function(*arguments)
        except Exception as error:
            answer = False, error
        pickle.dump(answer, answers, pickle.HIGHEST_PROTOCOL)
        answers.flush()
        begun[0] = monotonic()


def _watch(parent: int, begun: list[float]) -> None:
    """End this process when its parent is gone, or has given it no work for long."""
    while os.getppid() == parent and monotonic() - begun[0] < IDLE:
        sleep(1.0)
    os._exit(0)
