"""Options that mean the same in every metric that has them.

A metric has one of them by the field ``solver: str = common("solver")`` (:func:`fastmatch.metrics.options.common`). On
the command line their flags bear no metric's name: ``--solver``, where an option of one metric alone is
``--wlk-kernel``. The command line makes its flags from this table (``common_options.tsv``) before numpy is loaded, so
nothing of the package is imported here.
"""

from __future__ import annotations

import os
from typing import Any, NamedTuple


class CommonOption(NamedTuple):
    """An option that means the same in every metric that has it.

    Attributes
    ----------
    kind : type
        ``str``, ``int``, ``float`` or ``bool``. Numbers are not negative.
    default : Any
        Its default, unless a metric has another one.
    help : str
        What the command line says of it.
    choices : tuple of str or None
        The values that it may have; None: any of its kind.
    limits : (int, int) or None
        The least and the greatest value of a number.
    metavar : str or None
        What stands for the value in a usage message.
    everywhere : bool
        There is a flag whatever metric is asked for. False: only with metrics that have the option, and with their own
        help.
    """

    kind: type
    default: Any
    help: str
    choices: tuple[str, ...] | None = None
    limits: tuple[int, int] | None = None
    metavar: str | None = None
    everywhere: bool = True


def _row(line: str) -> tuple[str, CommonOption]:
    name, kind, default, choices, limits, metavar, flag, text = line.split("\t")
    convert: type = {"str": str, "int": int, "float": float, "bool": bool}[kind]
    known = convert(default) if default or convert is bool else None
    ends: Any = tuple(map(int, limits.split())) or None
    return name, CommonOption(
        convert, known, text, tuple(choices.split()) or None, ends, metavar or None, flag != "own"
    )


with open(f"{os.path.splitext(__file__)[0]}.tsv", encoding="utf-8") as _file:
    #: Name of the option → what it is, in the order in which the command line lists them.
    COMMON = dict(map(_row, _file.read().splitlines()[1:]))
