"""Options of metrics: how a field is described, checked and read from text."""

from __future__ import annotations

from dataclasses import MISSING, field, fields
from typing import TYPE_CHECKING, Any

from fastmatch.errors import OptionError

if TYPE_CHECKING:
    from fastmatch.metrics.base import Metric

__all__ = ["choice", "described", "listed", "option", "value_of"]


def option(default: Any, help: str, *, choices: tuple[str, ...] | None = None) -> Any:  # noqa: A002 - as argparse has it
    """A field of a metric: its default, and what the command line says of it.

    The command line makes flags of the fields, ``--<metric>-<field>``, with the type that the field is annotated with
    (``bool`` gives ``--x`` and ``--no-x``). ``choices`` are checked when the metric is made.
    """
    return field(default=default, metadata={"help": help, "choices": choices})


def choice(option: str, value: object, allowed: tuple[str, ...]) -> None:
    """Raise :class:`~fastmatch.OptionError` unless ``value`` is one of the allowed strings."""
    if not (isinstance(value, str) and value in allowed):
        raise OptionError(f"{option}={value!r}: expected one of {listed(allowed)}")


def described(metric: type[Metric]) -> list[tuple[str, str, Any, str, tuple[str, ...] | None]]:
    """(name, annotation, default, help, choices) of the options that were made by :func:`option`."""
    return [
        (entry.name, str(entry.type), entry.default, entry.metadata["help"], entry.metadata["choices"])
        for entry in fields(metric)  # type: ignore[arg-type]
        if entry.default is not MISSING and "help" in entry.metadata
    ]


def value_of(text: str, option: str, value: str, kind: str) -> Any:
    """An option's value from its spelling, by the annotation of its field."""
    kinds = [part.strip() for part in kind.split("|")]
    if value == "None" and "None" in kinds:
        return None
    if "bool" in kinds:
        if value not in ("yes", "no"):
            raise OptionError(f"metric {text!r}: {option} is yes or no, found {value!r}")
        return value == "yes"
    for convert in (int, float):
        if convert.__name__ in kinds:
            try:
                return convert(value)
            except ValueError:
                continue
    if not {"str", "Any"} & set(kinds) and {"int", "float"} & set(kinds):
        raise OptionError(f"metric {text!r}: {option} is a number, found {value!r}")
    return value


def listed(names: Any) -> str:
    return ", ".join(repr(name) for name in names)
