"""The list of metrics, and one metric with its presets and options, for people."""

from __future__ import annotations

import shutil
import textwrap
from typing import TYPE_CHECKING, Any

from fastmatch.metrics.names import ELSEWHERE

if TYPE_CHECKING:
    from collections.abc import Sequence

__all__ = ["print_metric", "print_metrics"]


def print_metrics(records: Sequence[dict[str, Any]]) -> None:
    """A line or two for each metric, with the names of its presets."""
    width = max((len(record["name"]) for record in records), default=0) + 4
    for record in records:
        presets = f" [presets: {', '.join(record['presets'])}]" if record["presets"] else ""
        _print_entry(record["name"], record["about"] + presets, width)
    for name, how in ELSEWHERE.items():
        _print_entry(name, f"not of graphs: {how}", width)
    print("\nfastmatch metrics NAME lists the presets and options of one.")


def print_metric(record: dict[str, Any]) -> None:
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
    """A head and a text beside it, in as many lines as the terminal's width asks for."""
    columns = shutil.get_terminal_size((100, 24)).columns
    print(
        textwrap.fill(
            text,
            max(columns - 1, width + 30),
            initial_indent=head.ljust(width),
            subsequent_indent=" " * width,
            break_long_words=False,
            break_on_hyphens=False,
        )
    )
