"""Options of metrics: how a field is described, checked and read from text."""

from __future__ import annotations

from dataclasses import MISSING, field, fields
from typing import TYPE_CHECKING, Any, Literal, NamedTuple

from fastmatch.errors import OptionError
from fastmatch.metrics.common_options import COMMON

if TYPE_CHECKING:
    from collections.abc import Iterable

__all__ = ["Described", "Taken", "choice", "common", "described", "listed", "option", "taking", "value_of"]

#: What a file may hold whose name is the value of an option: word vectors, the frames of concepts, weights of roles.
Taken = Literal["vectors", "frames", "weights"]


class Described(NamedTuple):
    """What an option says of itself: the arguments of :func:`option`, with the name and annotation of the field."""

    name: str
    annotation: str
    default: Any
    help: str
    choices: tuple[str, ...] | None


def option(
    default: Any,
    help: str,  # noqa: A002 - as argparse has it
    *,
    choices: tuple[str, ...] | None = None,
    takes: Taken | None = None,
) -> Any:
    """A field of a metric: its default, and what the command line says of it.

    The command line makes flags of the fields, ``--<metric>-<field>``, with the type that the field is annotated with
    (``bool`` gives ``--x`` and ``--no-x``). Fields named in :data:`fastmatch.metrics.common_options.COMMON` have flags
    without the metric's name; such a field must mean what the table says.

    Parameters
    ----------
    default : Any
        Also what a metric means that was made without this option.
    help : str
        A phrase without a full stop.
    choices : tuple of str, optional
        The values that are allowed; checked when the metric is made.
    takes : {"vectors", "frames", "weights"}, optional
        The value names a file with these; see :func:`taking`.
    """
    return field(default=default, metadata={"help": help, "choices": choices, "takes": takes})


def common(name: str, default: Any = MISSING) -> Any:
    """A field that means the same in every metric that has it, by its name in the table of common options.

    Parameters
    ----------
    name : str
        One of :data:`fastmatch.metrics.common_options.COMMON`; the field must have this name.
    default : Any, optional
        In place of the default in the table.
    """
    entry = COMMON[name]
    taken: Taken | None = "vectors" if name == "embeddings" else None
    if default is MISSING:
        default = entry.default
    return option(default, entry.help, choices=entry.choices, takes=taken)


def choice(option: str, value: object, allowed: tuple[str, ...]) -> None:
    """Raise :class:`~fastmatch.OptionError` unless ``value`` is one of the allowed strings."""
    if not (isinstance(value, str) and value in allowed):
        raise OptionError(f"{option}={value!r}: expected one of {listed(allowed)}")


def described(metric: type) -> list[Described]:
    """The options of a metric's class that were made by :func:`option`, in the order of the fields."""
    return [
        Described(entry.name, str(entry.type), entry.default, entry.metadata["help"], entry.metadata["choices"])
        for entry in fields(metric)
        if entry.default is not MISSING and "help" in entry.metadata
    ]


def taking(metric: type, what: Taken | None = None) -> list[str]:
    """Names of the options whose value names a file: of one that holds ``what``, or of any file."""
    taken = {entry.name: entry.metadata.get("takes") for entry in fields(metric)}
    return [name for name, held in taken.items() if held is not None and what in (None, held)]


def value_of(text: str, option: str, value: str, annotation: str) -> Any:
    """An option's value from its spelling.

    Parameters
    ----------
    text : str
        What the user typed for the whole metric; for messages.
    option, value : str
        Name of the option, and what it was set to.
    annotation : str
        Of the option's field: ``"int"``, ``"float | None"``, …

    Raises
    ------
    OptionError
        If the value is none that the annotation allows.
    """
    kinds = [part.strip() for part in annotation.split("|")]
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


def listed(names: Iterable[str]) -> str:
    """Names for a message: quoted, with commas between them."""
    return ", ".join(repr(name) for name in names)
