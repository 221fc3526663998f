"""``--plot``: what the verbs that draw a picture share."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any

from fastmatch.errors import OptionError

if TYPE_CHECKING:
    import argparse


def add_plot(parser: Any, what: str) -> None:
    """``--plot OUT``, to a parser or a group; ``what`` is drawn."""
    parser.add_argument(
        "--plot", metavar="OUT", help=f"also draw {what}, to OUT.svg, .png, .pdf or .html (needs fastmatch[plot])"
    )


def check_plot(arguments: argparse.Namespace, *inputs: str) -> None:
    """Check before any work that the picture can be drawn and written, if one was asked for.

    Raises
    ------
    OptionError
        If the name has another ending, matplotlib is not installed, or the file is one that is read, or written with
        something else.
    OSError
        If it cannot be written.
    """
    if arguments.plot is None:
        return
    from fastmatch.cli.outputs import check_target
    from fastmatch.plot import files

    files.check_plot(arguments.plot)
    check_target(arguments.plot, *(name for name in inputs if isinstance(name, str)))
    for flag in ("output", "per_pair"):
        other = getattr(arguments, flag, None)
        if other is not None and os.path.realpath(other) == os.path.realpath(arguments.plot):
            raise OptionError(f"{arguments.plot}: --{flag.replace('_', '-')} and --plot cannot go to one file")
