"""Standard output that takes every text.

Labels hold any characters of Unicode, and names of files any bytes. Python's standard output takes what its encoding
has: ASCII under some locales, a code page of 256 characters on Windows.
"""

from __future__ import annotations

import errno
import io
from typing import Any

__all__ = ["name_standard_output", "take_any_text"]

#: Errors that only writing ends in: the disk is full, or a limit is reached.
_FULL = tuple(getattr(errno, name) for name in ("ENOSPC", "EDQUOT", "EFBIG") if hasattr(errno, name))


def take_any_text(stream: Any) -> None:
    r"""Let standard output take every text.

    A file or a pipe gets UTF-8 whatever the locale, because graphs, tables and JSON are read again as UTF-8. A terminal
    keeps its encoding. What the encoding has not is written as an escape (``\u00e9``). In UTF-8 these are only halves
    of surrogate pairs, which also stand for bytes of a file's name that are no text. Such an escape is right in JSON.

    Parameters
    ----------
    stream : file object
        Is changed if it writes text to bytes (:class:`io.TextIOWrapper`); what a notebook puts in its place is not.
    """
    if isinstance(stream, io.TextIOWrapper):
        encoding = stream.encoding if stream.isatty() else "utf-8"
        stream.reconfigure(encoding=encoding, errors="backslashreplace")


def name_standard_output(error: OSError) -> None:
    """Give the error of a full disk the name of standard output, if it has no name.

    Whatever else is written names its file (:mod:`fastmatch.runtime.files`, :mod:`fastmatch.runtime.journal`).
    """
    if error.filename is None and error.errno in _FULL:
        error.filename = "standard output"
