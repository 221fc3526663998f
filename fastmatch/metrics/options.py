"""Options of metrics: how a field is described, checked, written into a signature and read from text.

What an option may be says its annotation, resolved: ``bool`` is the same with and without ``from __future__ import
annotations``, as is ``Optional[int]`` and ``int | None``. The flags of the command line, the check of a value and its
spelling in a signature follow from that.
"""

from __future__ import annotations

import builtins
import math
import pickle
import re
import sys
from ast import literal_eval
from collections.abc import Iterable, Mapping
from contextlib import suppress
from dataclasses import MISSING, field, fields, is_dataclass
from functools import lru_cache
from inspect import get_annotations
from numbers import Integral, Real
from os import PathLike, fspath
from types import GenericAlias, NoneType, UnionType
from typing import Annotated, Any, Literal, NamedTuple, Union, get_args, get_origin
from urllib.parse import unquote

import numpy as np

from fastmatch.errors import OptionError
from fastmatch.metrics.common_options import COMMON

#: What keys of signatures begin with that stand for options which a metric's own fields do not tell.
UNTOLD = "option."

#: What a file may hold whose name is the value of an option: word vectors, the frames of concepts, weights of roles.
Taken = Literal["vectors", "frames", "weights", "lengths", "sentences"]

#: What the files hold that common options name.
_TAKEN: dict[str, Taken] = {"embeddings": "vectors", "lengths": "lengths"}


class Described(NamedTuple):
    """What an option says of itself: the arguments of :func:`option`, with the name of the field and its annotation.

    The annotation is resolved and written as ``"bool"``, ``"int | None"``, None last: see :func:`kinds`.
    """

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
    limits: tuple[float, float] | None = None,
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
    limits : (number, number), optional
        The least and the greatest value of a number; checked when the metric is made.
    takes : {"vectors", "frames", "weights", "lengths", "sentences"}, optional
        The value names a file with these; see :func:`taking`.
    """
    return field(default=default, metadata={"help": help, "choices": choices, "limits": limits, "takes": takes})


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
    taken: Taken | None = _TAKEN.get(name)
    if default is MISSING:
        default = entry.default
    return option(default, entry.help, choices=entry.choices, limits=entry.limits, takes=taken)


def whole(option: str, value: object, least: int) -> None:
    """Raise :class:`~fastmatch.OptionError` unless ``value`` is a whole number of at least ``least``."""
    if isinstance(value, bool) or not isinstance(value, int) or value < least:
        raise OptionError(f"{option}={value!r}: expected a whole number, {least} or more")


def fraction(option: str, value: object) -> None:
    """Raise :class:`~fastmatch.OptionError` unless ``value`` is a number between 0 and 1, both excluded."""
    if isinstance(value, bool) or not isinstance(value, int | float) or not 0 < value < 1:
        hint = f"; did you mean {value / 100:g}?" if isinstance(value, int | float) and 1 < value < 100 else ""
        raise OptionError(f"{option}={value!r}: expected a fraction between 0 and 1{hint}")


def described(metric: type) -> list[Described]:
    """The options of a metric's class that were made by :func:`option`, in the order of the fields."""
    known = kinds(metric)
    return [
        Described(
            entry.name, " | ".join(known[entry.name]), entry.default, entry.metadata["help"], entry.metadata["choices"]
        )
        for entry in fields(metric)
        if entry.default is not MISSING and "help" in entry.metadata
    ]


def kinds(metric: type) -> dict[str, tuple[str, ...]]:
    """What each option of a metric's class may be, from its annotation.

    Returns
    -------
    dict of str → tuple of str
        Name of the option → ``"bool"``, ``"int"``, ``"float"``, ``"str"``, the names of other types, and ``"None"``,
        which comes last. What cannot be evaluated keeps its spelling.
    """
    of: Any = metric
    return _kinds(of)


@lru_cache(maxsize=64)
def _kinds(metric: Any) -> dict[str, tuple[str, ...]]:
    if not is_dataclass(metric):
        return {}
    found = {}
    lineage: tuple[type, ...] = metric.__mro__  # type: ignore[union-attr]
    for entry in fields(metric):
        # with the names that the class saw which wrote the annotation
        home = next((base for base in lineage if entry.name in get_annotations(base)), metric)
        names = _Names({**vars(builtins), **vars(sys.modules.get(home.__module__, sys)), **vars(home)})
        found[entry.name] = _kinds_of(entry.type, names)
    return found


class _Names(dict[str, Any]):
    """Names in annotations; one that is there for type checkers only stands for a class of that name."""

    def __missing__(self, name: str) -> type:
        return type(name, (), {"__class_getitem__": classmethod(GenericAlias)})


def _kinds_of(annotation: Any, names: _Names) -> tuple[str, ...]:
    if isinstance(annotation, str):
        try:
            return _kinds_of(eval(annotation, {}, names), names)
        except Exception:  # whatever stands there
            return (annotation,)
    origin = get_origin(annotation)
    if origin is Annotated:
        return _kinds_of(get_args(annotation)[0], names)
    if origin in (Union, UnionType):
        parts = [kind for part in get_args(annotation) for kind in _kinds_of(part, names)]
    elif origin is Literal:
        parts = [_kind(type(value)) for value in get_args(annotation)]
    else:
        parts = [_kind(annotation if origin is None else origin)]
    return tuple(sorted(dict.fromkeys(parts), key="None".__eq__))


def _kind(annotation: Any) -> str:
    if annotation in (None, NoneType):
        return "None"
    return getattr(annotation, "__name__", str(annotation))


#: Kinds whose values are checked when a metric is made: what is written is what is read.
_PLAIN = {"bool", "int", "float", "str", "None"}


def checked(name: str, value: Any, of: tuple[str, ...]) -> Any:
    """The value of an option whose kinds are all plain, as an object of one of these kinds.

    Numbers of numpy become Python's, and whole numbers become floats where an option is a float only, so that equal
    metrics have equal signatures.

    Raises
    ------
    OptionError
        If it is of no such kind: ``"False"`` is no truth value, though Python takes it for true.
    """
    if {"PathLike", "Embeddings"} & set(of):  # a file, or what was made of one
        if isinstance(value, PathLike):
            return fspath(value)
        if not any(_kind(base) in of for base in type(value).__mro__):
            more = "".join(f", or {kind}" for kind in of if kind not in ("str", "PathLike", "None"))
            raise OptionError(f"{name}={value!r}: expected the name of a file{more}")
    if not set(of) <= _PLAIN or (value is None and "None" in of):
        return value
    if type(value).__name__ in ("bool", "bool_") and isinstance(value, (bool, np.bool_)):
        if "bool" in of:
            return bool(value)
    elif isinstance(value, Integral):
        if "int" in of:
            return int(value)
        if "float" in of:
            return _float(int(value))
    elif isinstance(value, Real):
        if "float" in of:
            return float(value)
    elif isinstance(value, str) and "str" in of:
        return value
    wanted = {"bool": "True or False", "int": "a whole number", "float": "a number", "str": "a string", "None": "None"}
    raise OptionError(f"{name}={value!r}: expected {' or '.join(wanted[kind] for kind in of)}")


def _float(value: int) -> float:
    """A whole number as a float: infinite if it is larger than any, as Python reads ``1e400``."""
    try:
        return float(value)
    except OverflowError:
        return math.copysign(math.inf, value > 0 or -1)


def defaults_of(metric: type) -> dict[str, Any]:
    """The default of each option of a metric's class; ``MISSING`` where there is none. Empty for no dataclass."""
    return {
        entry.name: entry.default if entry.default_factory is MISSING else entry.default_factory()
        for entry in (fields(metric) if is_dataclass(metric) else ())
    }


# ---- in signatures ---------------------------------------------------------------------------------------------------


def spelled(value: Any, of: tuple[str, ...]) -> str | int | float | bool:
    """The value of an option as it stands in a signature: no two values alike, and most can be read back.

    Objects that have no spelling are named by their type and a digest of what they hold.
    """
    if value is None:
        return "none"
    if isinstance(value, (bool, int, float)) and set(of) & {"bool", "int", "float"}:
        return value
    if isinstance(value, str):
        text = _escaped(value)
        try:
            plain = bool(text) and read_back(text, of) == value
        except OptionError:
            plain = False
        return text if plain else f"%={text}"

    text = repr(value)
    try:
        literal = len(text) < 200 and literal_eval(text) == value
    except (ValueError, SyntaxError, TypeError, MemoryError, RecursionError):
        literal = False
    return f"%:{_escaped(text)}" if literal else f"{type(value).__name__}#{digest(value)}"


def read_back(text: str, of: tuple[str, ...]) -> Any:
    """The inverse of :func:`spelled`.

    Raises
    ------
    OptionError
        If the option has no such value, or the signature only names what it was.
    """
    if text.startswith("%="):
        return _unescaped(text[2:])
    if text.startswith("%:"):
        try:
            return literal_eval(_unescaped(text[2:]))
        except (ValueError, SyntaxError, TypeError, MemoryError, RecursionError):
            raise OptionError(f"expected a value, found {text!r}") from None
    if text == "none" and not set(of) <= {"str"}:
        return None
    if "bool" in of and text in ("yes", "no"):
        return text == "yes"
    for convert in (int, float):
        if convert.__name__ in of:
            with suppress(ValueError):
                return convert(text)
    if "str" in of:
        return _unescaped(text)
    raise OptionError(f"expected {' or '.join(of)}, found {text!r}, from which it cannot be made")


#: Keys that are in a signature only if the option is not at its default.
_LATER = frozenset(("effort", "keys", "means", "structure", "triples", "within"))


def keys_of(text: str) -> dict[str, str]:
    """Keys of fields → options, in printing order, of words ``KEY=OPTION``, or ``OPTION`` where both are the same.

    ``KEY#OPTION``, or ``OPTION#``: the field is a digest, and the entry is ``#OPTION``.
    """
    words = (re.fullmatch("(.*?)(?:([=#])(.*))?", word) for word in text.split())
    return {key: mark.strip("=") + (name or key) for key, mark, name in (word.groups("") for word in words if word)}


def told(metric: Any, names: Mapping[str, str]) -> dict[str, Any]:
    """What the signature says of a metric's options; ``names``: the keys of its fields → the options."""
    defaults = defaults_of(type(metric))
    found: dict[str, Any] = {}
    for key, name in names.items():
        option = name.lstrip("#")
        value = getattr(metric, option)
        if option != name and value is not None:
            value = metric.digest(option)
        found[key] = None if key in _LATER and value == defaults[option] else value
    return found


def told_back(
    metric: Any, fields: Mapping[str, str], names: Mapping[str, str], *, whole: bool = True
) -> dict[str, Any]:
    """The inverse of :func:`told`: the options that these fields give. Switches without a field are off.

    Raises
    ------
    KeyError
        If ``whole``, and there is no field that every signature has.
    OptionError
        If there is a digest, which nothing can be made of, or what should be a number is not one.
    """
    known = kinds(metric)
    found: dict[str, Any] = {}
    for key, name in names.items():
        if name[0] == "#":
            if key in fields:
                name = name[1:]
                raise OptionError(
                    f"signature of {metric.name}: {fields[key]} is a digest of {name}; give what it is of with {name}=…"
                )
        elif key in fields or (whole and key not in _LATER):
            found[name] = read_back(fields[key], known[name])
        elif "bool" in known[name]:
            found[name] = False
    return found


def digest(value: Any) -> str:
    """8 hexadecimal digits that tell apart what objects hold, functions and tables among them."""
    from hashlib import sha256

    return sha256(_bytes_of(value, 0)).hexdigest()[:8]


def _bytes_of(value: Any, depth: int) -> bytes:
    """What differs where values differ: code, constants, defaults and closures of functions, else a pickle."""
    code = getattr(value, "__code__", None)
    if code is not None and depth < 8:
        parts = [code.co_code, repr(code.co_names).encode(), repr(getattr(value, "__defaults__", None)).encode()]
        parts += [repr(getattr(value, "__kwdefaults__", None)).encode()]
        parts += [_bytes_of(constant, depth + 1) for constant in code.co_consts]
        cells = getattr(value, "__closure__", None) or ()
        parts += [_bytes_of(cell.cell_contents, depth + 1) for cell in cells]
        owner = getattr(value, "__self__", None)
        parts += [] if owner is None else [_bytes_of(owner, depth + 1)]
        return b"\0".join(parts)
    if hasattr(value, "co_code") and depth < 8:  # a function within the function
        return b"\0".join([value.co_code, *(_bytes_of(constant, depth + 1) for constant in value.co_consts)])

    if isinstance(value, (tuple, list, dict, set, frozenset)) and depth < 8:
        each = [_bytes_of(part, depth + 1) for part in (value.items() if isinstance(value, dict) else value)]
        return type(value).__name__.encode() + b"\1".join(each if isinstance(value, (tuple, list)) else sorted(each))
    try:
        return pickle.dumps(value, protocol=4)
    except Exception:  # whatever an object's own way to be pickled raises
        own = getattr(value, "__dict__", None)
        if own and depth < 8:
            return type(value).__qualname__.encode() + _bytes_of(own, depth + 1)
        return repr(value).partition(" at 0x")[0].encode("utf-8", "backslashreplace")  # not where it lies in memory


def _escaped(text: str) -> str:
    for character in "%|\n\r":
        text = text.replace(character, f"%{ord(character):02X}")
    return text.replace(" ", "%20") if text != text.strip() else text


def _unescaped(text: str) -> str:

    return unquote(text) if "%" in text else text


def taking(metric: type, what: Taken | None = None) -> tuple[str, ...]:
    """Names of the options whose value names a file: of one that holds ``what``, or of any file."""
    of: Any = metric
    return _taking(of, what)


@lru_cache(maxsize=64)  # asked for with every pair of a loop
def _taking(metric: Any, what: Taken | None) -> tuple[str, ...]:
    taken = {entry.name: entry.metadata.get("takes") for entry in fields(metric)}
    return tuple(name for name, held in taken.items() if held is not None and what in (None, held))


def value_of(text: str, option: str, value: str, of: tuple[str, ...]) -> Any:
    """An option's value from its spelling.

    Parameters
    ----------
    text : str
        What the user typed for the whole metric; for messages.
    option, value : str
        Name of the option, and what it was set to.
    of : tuple of str
        What the option may be, as :func:`kinds` has it.

    Raises
    ------
    OptionError
        If the value is none of that.
    """
    if value == "None" and "None" in of:
        return None
    if "bool" in of:
        if value in ("yes", "no"):
            return value == "yes"
        if set(of) <= {"bool", "None"}:
            if value.lower() in ("true", "false"):
                return value.lower() == "true"
            raise OptionError(f"metric {text!r}: {option} is yes or no, found {value!r}")
    for convert in (int, float):
        if convert.__name__ in of:
            with suppress(ValueError):
                return convert(value)
    if not {"str", "Any"} & set(of) and {"int", "float"} & set(of):
        raise OptionError(f"metric {text!r}: {option} is a number, found {value!r}")
    return value


def listed(names: Iterable[str]) -> str:
    """Names for a message: quoted, with commas between them."""
    return ", ".join(repr(name) for name in names)
