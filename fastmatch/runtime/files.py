"""Files that are written whole or not at all.

One rule holds for every file of a result: a symbolic link stays and the file it leads to is replaced, and a file that
is replaced keeps its permissions. A new file has those that the umask leaves.
"""

from __future__ import annotations

import errno
import os
import stat
from contextlib import contextmanager, suppress
from typing import IO, TYPE_CHECKING, Any

from fastmatch.errors import OptionError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

#: Characters of a file's name that its temporary name repeats: the whole name may be as long as a name can be.
_REPEATED = 40


@contextmanager
def new_text(path: str | os.PathLike[str], errors: str = "strict") -> Iterator[IO[str]]:
    """A text file to write, UTF-8 with newlines as they are; see :func:`new_bytes`."""
    with _new(path, "x", encoding="utf-8", newline="\n", errors=errors) as file:
        yield file


@contextmanager
def new_bytes(path: str | os.PathLike[str]) -> Iterator[IO[bytes]]:
    """A file to write, which takes its place when the ``with`` statement ends.

    It is written under a temporary name beside its place and then renamed, so whoever reads ``path`` finds either the
    whole file or what was there before, also when the run is interrupted or the disk fills up. What is no regular file
    (``/dev/stdout``, a named pipe) cannot be replaced and is written to directly.

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
    target = followed(name)
    if os.path.exists(name) and not os.path.isfile(name) and not os.path.isdir(name):
        try:
            with open(name, mode.replace("x", "w"), **text) as file:
                yield file
        except OSError as error:
            error.filename = error.filename or name
            raise
        return
    folder, plain = os.path.split(target)
    temporary = os.path.join(folder, f".{plain[:_REPEATED]}.{os.urandom(6).hex()}.partial")
    try:
        with open(temporary, mode, opener=opener(target), **text) as file:
            yield file
        take_place(temporary, target)
    except BaseException as error:
        if os.path.exists(temporary):
            os.unlink(temporary)
        if isinstance(error, OSError) and error.filename in (None, temporary):
            error.filename = name  # the name the user knows
            del error.filename2  # None would be shown
        raise


def followed(path: str | os.PathLike[str]) -> str:
    """The path of the file itself where ``path`` is a symbolic link, to a file or to nothing yet; else ``path``.

    Raises
    ------
    OSError
        If the name is empty, or links lead in a circle.
    """
    name = os.fspath(path)
    if not name:
        raise FileNotFoundError(errno.ENOENT, os.strerror(errno.ENOENT), name)
    if not os.path.islink(name):
        return name
    target = os.path.realpath(name)
    if os.path.islink(target):
        raise OSError(errno.ELOOP, os.strerror(errno.ELOOP), name)
    return target


def version(path: str | os.PathLike[str], option: str, *, quoted: bool = False) -> tuple[str, int, int, int]:
    """By what a file that an option names is known if it was read before: name, size, time of change and inode.

    ``quoted``: its name is, in the message of an error.

    Raises
    ------
    OptionError
        If there is no such file, or it cannot be looked at.
    """
    try:
        name = os.fspath(path)
        status = os.stat(name)
    except (OSError, TypeError, ValueError) as error:  # the last for a name with a NUL
        reason = getattr(error, "strerror", None) or error
        raise OptionError(f"{option}: cannot read {repr(path) if quoted or not path else path}: {reason}") from None
    return name, status.st_size, status.st_mtime_ns, status.st_ino


def permissions(target: str) -> int:
    """What a file is opened with that will take the place of ``target``: no more than that has, but for its owner."""
    try:
        return stat.S_IMODE(os.stat(target).st_mode) & 0o777 | 0o600
    except OSError:
        return 0o666


def opener(target: str) -> Callable[[str, int], int]:
    """For ``open``: a new file is opened with the :func:`permissions` of ``target``."""
    return lambda path, flags: os.open(path, flags, permissions(target))


def take_place(temporary: str, target: str) -> None:
    """Rename a file, which takes over the permissions of the one that it replaces; and owner and group, if it may.

    What the group may do with a file is not given to another group.

    Raises
    ------
    OSError
        If it cannot be renamed.
    """
    if os.name != "nt":
        with suppress(OSError):  # there is none yet, or the file system has no permissions
            old = os.stat(target)
            for owner in (old.st_uid, -1):
                with suppress(OSError):
                    os.chown(temporary, owner, old.st_gid)
                    break
            group = 0o070 if os.stat(temporary).st_gid == old.st_gid else 0
            os.chmod(temporary, old.st_mode & (0o707 | group))
    os.replace(temporary, target)


def remove(path: str) -> None:
    """Remove a file or a folder with all that is in it, if it is there; of a symbolic link, the link."""
    if os.path.isdir(path) and not os.path.islink(path):
        import shutil

        shutil.rmtree(path)
    elif os.path.lexists(path):
        os.unlink(path)
