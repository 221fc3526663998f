"""Files that are written whole or not at all."""

from __future__ import annotations

import os
from contextlib import contextmanager
from typing import IO, TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Iterator

__all__ = ["new_bytes", "new_text"]


@contextmanager
def new_text(path: str | os.PathLike[str], errors: str = "strict") -> Iterator[IO[str]]:
    """A text file to write, UTF-8 with newlines as they are; see :func:`new_bytes`."""
    with _new(path, "x", encoding="utf-8", newline="\n", errors=errors) as file:
        yield file


@contextmanager
def new_bytes(path: str | os.PathLike[str]) -> Iterator[IO[bytes]]:
    """A file to write, which takes its place when the ``with`` statement ends.

    It is written under a temporary name beside its place and then renamed, so whoever reads ``path`` finds either the
    whole file or what was there before, also when the run is interrupted or the disk fills up. A symbolic link stays,
    and its target is replaced. What is no regular file (``/dev/stdout``, a named pipe) cannot be replaced and is
    written to directly.

    Raises
    ------
    OSError
        If it cannot be written; names ``path``, not the temporary file.
    """
    with _new(path, "xb") as file:
        yield file


@contextmanager
def _new(path: str | os.PathLike[str], mode: str, **text: Any) -> Iterator[IO[Any]]:
    name = os.fspath(path)
    if os.path.exists(name) and not os.path.isfile(name) and not os.path.isdir(name):
        try:
            with open(name, mode.replace("x", "w"), **text) as file:
                yield file
        except OSError as error:
            error.filename = error.filename or name
            raise
        return
    target = os.path.realpath(name)
    folder, plain = os.path.split(target)
    temporary = os.path.join(folder, f".{plain}.{os.urandom(6).hex()}.partial")
    try:
        with open(temporary, mode, **text) as file:
            yield file
        os.replace(temporary, target)
    except BaseException as error:
        if os.path.exists(temporary):
            os.unlink(temporary)
        if isinstance(error, OSError) and error.filename in (None, temporary):
            error.filename = name  # the name the user knows
            del error.filename2  # None would be shown
        raise
