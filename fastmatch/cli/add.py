"""Arguments of verbs: those that ``verbs.txt`` lists, and those that are made of the options of metrics."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from typing import Any

from fastmatch.cli import converters
from fastmatch.cli.converters import NumbersToo, count, number_or_word, seconds
from fastmatch.cli.parser import OWN, Parser, flag_of
from fastmatch.cli.verbs import entries
from fastmatch.errors import OptionError
from fastmatch.fine_grained.kinds import KINDS
from fastmatch.metrics.common_options import COMMON
from fastmatch.metrics.names import DEFAULT

#: Options that only some kinds of aspects have → their flags.
ASPECT_FLAGS = {"only": "--aspect", "align": "--aspect-align", "frames": "--frames"}


def arguments(parser: Parser, section: str, *metrics: str, words: Sequence[str] = ()) -> None:
    """Add the arguments of a section to a parser, those of metrics for the metrics that are named."""
    groups: dict[str, Any] = {"": parser}
    place: Any = parser
    for head, text in entries(section, *words):
        key, *rest = head.split()
        if key == "group:":
            title = " ".join(rest)
            if title not in groups:
                groups[title] = parser.add_argument_group(title)
            place = groups[title]
        elif key == "either:":
            place = place.add_mutually_exclusive_group()
        elif key == "@options":
            _metric_options(parser, place, *(metrics if "several" in rest else metrics[-1:]), top_k="top_k" in rest)
        elif key == "@aspects":
            _aspects(parser)
        elif key == "@own" or (key == "@trained" and rest[0] in metrics):
            _own_options(parser, rest[0], without=rest[1:])
        elif key[0] != "@" and key[-1] != ":":
            _argument(place, key, rest, text)


def _argument(place: Any, name: str, words: list[str], text: str) -> None:
    """Add one argument: its name, and words that are flags, the value as it is shown, its choices, or named."""
    names, shown = [name], []
    named: dict[str, Any] = {"help": " ".join(text.split())}
    for word in words:
        key, equals, value = word.partition("=")
        if equals and key.isalpha():
            named[key] = value
        elif "|" in word:
            named["choices"] = [*filter(None, word.split("|"))]
        elif word[0] == "-":
            names.append(word)
        else:
            shown.append(word)
    switch = name[0] == "-" and not shown and not named.keys() & {"choices", "const"}
    if switch or ("const" in named and "nargs" not in named):
        named["action"] = "store_true" if switch else "store_const"
    if named.get("action") == "once":
        named["action"] = _Once
    if len(shown) > 1 and name[0] == "-":
        named |= {"metavar": tuple(shown), "nargs": len(shown)}
    elif shown:
        named["metavar"] = " ".join(shown)
    if "type" in named:
        named["type"] = {"int": int, "float": float}.get(named["type"]) or getattr(converters, named["type"])
    if "required" in named:
        named["required"] = True
    if "default" in named:
        default = named["default"]
        named["default"] = [] if default == "[]" else named.get("type", str)(default)
    place.add_argument(*names, **named)


class _Once(argparse.Action):
    """An option that is given twice is an error: the first one would be left out in silence."""

    def __call__(self, parser: Any, namespace: argparse.Namespace, values: Any, option: str | None = None) -> None:
        given = f"{self.dest} given"
        if hasattr(namespace, given):
            raise argparse.ArgumentError(self, f"expected once, found {getattr(namespace, given)!r} and {values!r}")
        setattr(namespace, given, values)
        setattr(namespace, self.dest, values)


def _metric_options(parser: Parser, group: Any, *metrics: str, top_k: bool = False) -> None:
    """Flags of options: those that metrics share, whatever metric is asked for, and those that these alone have.

    All options of the default metric are shared, so its module need not be loaded before the arguments are parsed.
    ``top_k``: ``--top`` also takes a number, for the K best; it can be told from the words that it takes otherwise.
    """
    parser.metrics = metrics
    for name, entry in COMMON.items():
        if not entry.everywhere:
            continue
        flag = "--" + name.replace("_", "-")
        if entry.kind is bool:
            group.add_argument(flag, action="store_true", default=None, help=entry.help)
            continue
        convert: Any = {int: count, float: seconds}.get(entry.kind, str)
        choices = entry.choices
        if top_k and name == "top" and choices is not None:
            convert, choices = number_or_word, NumbersToo(choices)
        group.add_argument(flag, type=convert, choices=choices, metavar=entry.metavar, help=entry.help)
    for metric in metrics:
        if metric != DEFAULT:
            _own_options(parser, metric)


def _own_options(parser: Parser, metric: str, *, without: Sequence[str] = ()) -> None:
    """Flags of one metric, made of the fields that describe themselves (:func:`fastmatch.metrics.options.option`).

    ``without``: options for which the verb has no use.
    """
    from fastmatch.metrics.options import described
    from fastmatch.metrics.registry import get

    if metric not in parser.metrics:
        parser.metrics += (metric,)
    try:
        options = described(get(metric))
    except OptionError:
        return  # the metric is unknown; making it says so
    group = parser.add_argument_group(f"options of {metric}")
    for option in options:
        if option.name in without or (option.name in COMMON and COMMON[option.name].everywhere):
            continue
        flag = flag_of(metric, option.name)
        if option.name in COMMON:
            if any(flag in action.option_strings for action in parser._actions):
                continue  # another metric has it, too
            dest = f"{OWN} {option.name}"
        else:
            dest = f"{OWN}{metric} {option.name}"
        text = option.help.replace("%", "%%")
        kinds = option.annotation.split(" | ")
        if "bool" in kinds and set(kinds) <= {"bool", "None"}:
            if option.default is not None:
                text = f"{text} (default: {'yes' if option.default else 'no'})"
            group.add_argument(flag, dest=dest, action=argparse.BooleanOptionalAction, help=text)
            continue
        if option.default is not None:
            text = f"{text} (default: {option.default})"
        number = {"int": int, "float": float}.get(kinds[0]) if set(kinds) <= {"int", "float", "None"} else None
        convert: Any = float if "float" in kinds and number else number or str
        shown = None if option.choices else option.name.upper()
        group.add_argument(flag, dest=dest, type=convert, choices=option.choices, help=text, metavar=shown)


def _aspects(parser: Parser) -> None:
    """``--aspects``, and the options of its kinds."""
    first, *others = KINDS
    width = max(map(len, KINDS)) + 4
    kinds = "".join(f"{f'  {name}':{width}}{kind.description}\n" for name, kind in KINDS.items())
    parser.more = f"\nkinds of aspects (--aspects KIND):\n{kinds}"
    takers = (f"with --aspects {' or '.join(kinds_with(option))}" for option in ASPECT_FLAGS)
    arguments(parser, "@kinds of aspects", words=("|".join(KINDS), first, ", ".join(others), *takers))


def kinds_with(*options: str) -> list[str]:
    return [name for name, kind in KINDS.items() if set(options) <= set(kind.options)]
