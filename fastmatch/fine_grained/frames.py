"""Files that say what the roles of frames mean, one predicate a line::

    abase-01  ARG0: causer  ARG1: thing abased  ARG2: instrument

smatchpp downloads such a file; here a user names one.
"""

from __future__ import annotations

import re
from os import PathLike

from fastmatch.errors import OptionError, shortened
from fastmatch.graphs.sources import lines_of

#: Where the description of a frame's next role begins.
_ROLE = re.compile(r"\s+(?=ARG[^\s:]*:)")


def described_roles(path: str | PathLike[str]) -> list[tuple[str, str, str]]:
    """The lines of a frame file as (predicate, role without colon, description), as they are written.

    Raises
    ------
    OptionError
        If a line is no predicate with roles, or the file describes no role.
    ReadError
        If it is no text in UTF-8.
    OSError
        If it cannot be read.
    """
    described: list[tuple[str, str, str]] = []
    for number, line in enumerate(lines_of(path), start=1):
        predicate, *roles = _ROLE.split(line.strip())
        if len(predicate.split()) > 1 or (roles and not predicate):
            found = shortened(line.strip(), 60)
            raise OptionError(f"{path}:{number}: expected 'predicate  ARG0: description  ARG1: …', found {found!r}")
        for text in roles:
            role, _, description = text.partition(":")
            described.append((predicate, role, description.strip()))
    if not described:
        raise OptionError(f"{path}: a frame file without a role")
    return described
