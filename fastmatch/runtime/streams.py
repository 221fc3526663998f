"""Standard output that takes every text, and text that a terminal can take.

Labels hold any characters of Unicode, and names of files any bytes. Python's standard output takes what its encoding
has: ASCII under some locales, a code page of 256 characters on Windows. On a terminal some characters are commands; so
what people are told is printed with :func:`say`.
"""

from __future__ import annotations

import errno
import io
import os
import re
import sys
from typing import Any, TextIO

#: Errors that only writing ends in: the disk is full, or a limit is reached.
_FULL = tuple(getattr(errno, name) for name in ("ENOSPC", "EDQUOT", "EFBIG") if hasattr(errno, name))

#: What moves the cursor, changes colours or turns the text around: on a terminal a label could hide or forge others.
CONTROL = re.compile("[\x00-\x1f\x7f-\x9f\u2028\u2029\u202a-\u202e\u2066-\u2069]")


def printable(text: str) -> str:
    """Text in one line, for people, with U+FFFD for each character that would move the cursor or change colours."""
    return text if text.isascii() and text.isprintable() else CONTROL.sub("\ufffd", text)


def say(text: str, file: TextIO) -> None:
    """Print lines for people, each of them as :func:`printable` makes it."""
    print("\n".join(map(printable, text.split("\n"))), file=file)


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


def drop_unwritten() -> None:
    """Drop what standard output and standard error do not take.

    Python would write it once more as it ends, say that this failed, and make 120 of the exit status.
    """
    for stream in (sys.stdout, sys.stderr):
        try:
            stream.flush()
        except OSError:
            os.dup2(os.open(os.devnull, os.O_WRONLY), stream.fileno())


def name_standard_output(error: OSError) -> None:
    """Give the error of a full disk the name of standard output, if it has no name.

    Whatever else is written names its file (:mod:`fastmatch.runtime.files`, :mod:`fastmatch.runtime.journal`).
    """
    if error.filename is None and error.errno in _FULL:
        error.filename = "standard output"
