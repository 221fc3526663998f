"""The verb ``metrics``: which metrics there are, and the presets and options of each."""

from __future__ import annotations

import argparse
import shutil
import sys
from collections.abc import Sequence
from typing import Any

from fastmatch.cli.parser import entry, flag_of
from fastmatch.metrics.base import Metric
from fastmatch.metrics.names import ELSEWHERE
from fastmatch.metrics.options import described
from fastmatch.metrics.registry import available, get
from fastmatch.report.model import Report, Table, emit


def run_metrics(arguments: argparse.Namespace) -> int:

    records = [_record(get(name)) for name in arguments.names or available()]
    if arguments.form != "text":
        emit(_options_report(records) if arguments.names else _list_report(records), arguments.form)
    elif arguments.names:
        for number, record in enumerate(records):
            if number:
                print()
            _print_metric(record)
    else:
        _print_metrics(records)
    return 0


def _list_report(records: list[dict[str, Any]]) -> Report:
    """A row a metric."""

    columns = ("name", "about", "presets")
    rows = [(record["name"], record["about"], " ".join(record["presets"])) for record in records]
    return Report("fastmatch metrics", [Table(columns, rows, right=False)], columns, rows, records)


def _options_report(records: list[dict[str, Any]]) -> Report:
    """A table a metric, a row an option."""

    columns = ("option", "flag", "type", "default", "choices", "help")
    tables, data = [], []
    for record in records:
        rows = []
        for option in record["options"]:
            default = None if option["default"] is None else _spelled(option["default"])
            choices = " ".join(option["choices"] or ())
            rows.append((option["name"], option["flag"], option["type"], default, choices, option["help"]))
        tables.append(Table(columns, rows, f"{record['name']}: {record['about']}", right=False))
        data += [(record["name"], *row) for row in rows]
    return Report("fastmatch metrics", tables, ("metric", *columns), data, records)


def _record(metric: type[Metric]) -> dict[str, Any]:
    """What a metric says of itself."""

    return {
        "name": metric.name,
        "about": _about(metric),
        "presets": {name: dict(options) for name, options in metric.presets.items()},
        "options": [
            {
                "name": option.name,
                "flag": flag_of(metric.name, option.name),
                "type": option.annotation,
                "default": option.default if isinstance(option.default, (bool, int, float, str)) else None,
                "choices": option.choices,
                "help": option.help,
            }
            for option in described(metric)
        ],
    }


def _about(metric: type[Metric]) -> str:
    """The first sentence of the metric's module, or else of its class; its name is left out."""
    module = sys.modules.get(metric.__module__)
    text = (getattr(module, "__doc__", None) if metric.__module__.startswith("fastmatch.") else None) or metric.__doc__
    first = " ".join((text or "").strip().partition("\n\n")[0].split())
    name, colon, rest = first.partition(": ")
    if colon and name.lower() == metric.name.lower():
        first = rest
    return first.rstrip(".")


def _print_metrics(records: Sequence[dict[str, Any]]) -> None:
    """A line or two for each metric, with the names of its presets."""
    width = max((len(record["name"]) for record in records), default=0) + 4
    for record in records:
        presets = f" [presets: {', '.join(record['presets'])}]" if record["presets"] else ""
        _print_entry(record["name"], record["about"] + presets, width)
    for name, how in ELSEWHERE.items():
        _print_entry(name, f"not of graphs: {how}", width)
    print("\nfastmatch metrics NAME lists the presets and options of one.")


def _print_metric(record: dict[str, Any]) -> None:
    """The metric, what each preset stands for, and its options with their defaults."""
    _print_entry(record["name"], record["about"], len(record["name"]) + 4)
    if record["presets"]:
        print("\npresets (--preset NAME):")
        width = max(map(len, record["presets"])) + 4
        for name, options in record["presets"].items():
            stands_for = ", ".join(f"{option}={value}" for option, value in options.items())
            _print_entry(f"  {name}", stands_for or "every option as by default", width + 2)
    if record["options"]:
        print("\noptions:")
        width = max(len(option["flag"]) for option in record["options"]) + 4
        for option in record["options"]:
            _print_entry(f"  {option['flag']}", _described(option), width)
    settings = next((f",{option['name']}={_spelled(option['default'])}" for option in record["options"]), "")
    preset = next((f"/{name}" for name in record["presets"]), "")
    print(f"\nIn one word, where several metrics are named: {record['name']}{preset}{settings}")


def _described(option: dict[str, Any]) -> str:
    text: str = option["help"].replace(" (default)", "").replace(", the default)", ")")
    if option["choices"] and not all(choice in text for choice in option["choices"]):
        text += f"; one of {', '.join(option['choices'])}"
    default = option["default"]
    if default is not None and "(default:" not in text:
        text += f" (default: {_spelled(default)})"
    return text


def _spelled(value: object) -> str:
    return ("yes" if value else "no") if isinstance(value, bool) else str(value)


def _print_entry(head: str, text: str, width: int) -> None:
    print(entry(head, text, width, shutil.get_terminal_size((100, 24)).columns - 1))
