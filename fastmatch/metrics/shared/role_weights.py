"""Files of role weights, which ``train wwlk`` learns.

Comment lines (``#``), then a line for each role in the order of their names: the role, a tab, its weight:

    # fastmatch role weights
    # signature: wwlk|k:2|...
    :arg0	0.2417
    :polarity	-0.083

Roles begin with a colon. They are written in lower case, and may be in any case where they are read. With
``direction="2-way"`` a role that is turned around ends in ``-of``.
"""

from __future__ import annotations

import math
import os
from collections.abc import Mapping, Sequence

from fastmatch.errors import ReadError
from fastmatch.graphs.sources import lines_of
from fastmatch.runtime.files import new_text

_TITLE = "fastmatch role weights"


def write_weights(path: str | os.PathLike[str], weights: Mapping[str, float], comments: Sequence[str] = ()) -> None:
    """Write a file of weights, whole or not at all. Numbers are written so that reading gives them back exactly."""
    lines = [f"# {_TITLE}", *(f"# {' '.join(comment.split())}" for comment in comments)]
    lines += [f"{role}\t{float(weight)!r}" for role, weight in sorted(weights.items())]
    with new_text(path, errors="surrogatepass") as file:
        file.write("\n".join(lines) + "\n")


def read_weights(path: str | os.PathLike[str]) -> tuple[dict[str, float], str]:
    """The weights in a file.

    Returns
    -------
    weights : dict of str → float
        By role.
    digest : str
        16 hexadecimal digits that depend on the weights and nothing else.

    Raises
    ------
    ReadError
        If a line is not a role and a finite number, a role stands there twice, there is no role, or it is no text.
    OSError
        If the file cannot be read.
    """
    from fastmatch._ext.reading.vectors import checksum

    name = os.fspath(path)
    weights: dict[str, float] = {}
    for number, line in enumerate(lines_of(name, "surrogatepass"), 1):
        if line.startswith("#") or not line.strip():
            continue
        role, tab, text = line.partition("\t")
        role = role.lower()
        try:
            weight = float(text) if tab else math.nan
        except ValueError:
            weight = math.nan
        if not role.startswith(":") or not math.isfinite(weight):
            expected = "expected a role, a tab and a finite number, such as ':arg0', tab, '0.2'"
            raise ReadError(expected, source=name, line=number, column=1)
        if role in weights:
            raise ReadError(f"role {role} stands there twice", source=name, line=number, column=1)
        weights[role] = weight
    if not weights:
        raise ReadError("expected a role and its weight on each line, found none", source=name)
    text = "".join(f"{role}\t{weight!r}\n" for role, weight in sorted(weights.items()))
    return weights, f"{checksum(text.encode('utf-8', 'surrogatepass')):016x}"
