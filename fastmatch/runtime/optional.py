"""Packages that only some functions need."""

from __future__ import annotations

from importlib import import_module
from types import ModuleType

from fastmatch.errors import OptionError


def needed(module: str, what: str, extra: str) -> ModuleType:
    """A module of another package.

    Parameters
    ----------
    module : str
    what : str
        Who needs it, for the message.
    extra : str
        The extra of this package that installs it.

    Raises
    ------
    OptionError
        If it is not installed.
    """
    try:
        return import_module(module)
    except ImportError:
        name = module.partition(".")[0]
        raise OptionError(f"{what} {name}: pip install 'fastmatch[{extra}]'") from None
