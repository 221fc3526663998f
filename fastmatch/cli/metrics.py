"""The verb ``metrics``: which metrics there are, and the presets and options of each."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Any

from fastmatch.cli.arguments import add_json
from fastmatch.cli.parser import flag_of

if TYPE_CHECKING:
    import argparse

    from fastmatch.cli.arguments import Verbs
    from fastmatch.metrics.base import Metric

__all__ = ["add_metrics_verb"]


def add_metrics_verb(verbs: Verbs, *_: str) -> None:
    """Add the verb."""
    metrics = verbs.add_parser(
        "metrics",
        help="list the metrics, their presets and their options",
        description="List all metrics, those of other installed packages included, with a sentence for each; or, of "
        "the metrics that are named, every preset and every option.",
    )
    metrics.add_argument("names", metavar="NAME", nargs="*", help="a metric, to see its presets and options")
    add_json(metrics, "the list")
    metrics.set_defaults(run=_metrics)


def _metrics(arguments: argparse.Namespace) -> int:
    from fastmatch import report
    from fastmatch.metrics.registry import available, get

    records = [_record(get(name)) for name in arguments.names or available()]
    if arguments.json:
        report.print_json(records)
    elif arguments.names:
        for number, record in enumerate(records):
            if number:
                print()
            report.print_metric(record)
    else:
        report.print_metrics(records)
    return 0


def _record(metric: type[Metric]) -> dict[str, Any]:
    """What a metric says of itself."""
    from fastmatch.metrics.options import described

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
