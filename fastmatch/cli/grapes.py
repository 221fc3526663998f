"""The verb ``bench grapes``: its flags, and one call of :func:`fastmatch.benchmarks.grapes.evaluation.evaluate`."""

from __future__ import annotations

import argparse
import os

from fastmatch.benchmarks.grapes.evaluation import evaluate
from fastmatch.benchmarks.grapes.results import write_grapes_csv, write_grapes_items
from fastmatch.cli import inputs
from fastmatch.cli.outputs import check_target
from fastmatch.errors import OptionError
from fastmatch.evaluation.comparison import distinct_names
from fastmatch.report.model import Report


def run_grapes(arguments: argparse.Namespace) -> Report:

    pred, testset = _systems(arguments)
    if arguments.per_item is not None:
        check_target(arguments.per_item, *pred.values(), *testset.values())
    result = evaluate(
        arguments.folder,
        pred or None,
        pred_testset=testset or None,
        **inputs.flags(arguments, "gold", "gold_testset", "categories", "preset", "pair_by"),
        smatch=arguments.smatch,
        **inputs.running(arguments),
    )
    if arguments.per_item is not None:
        write_grapes_items(result, arguments.per_item)
    if arguments.write is not None:
        write_grapes_csv(result, arguments.write)
    return result.report()


def _systems(arguments: argparse.Namespace) -> tuple[dict[str, str], dict[str, str]]:
    """Name → file: predictions for the suite, and for the test set."""

    given = [[_named(text) for text in texts] for texts in (arguments.pred, arguments.pred_testset)]
    if not given[0] and not given[1]:
        raise OptionError("grapes: no predictions; expected --pred FILE, --pred-testset FILE, or both")
    if given[0] and given[1] and len(given[0]) != len(given[1]):
        raise OptionError(
            f"grapes: {len(given[0])} times --pred, but {len(given[1])} times --pred-testset; expected one of each "
            "for every system"
        )
    first = given[0] or given[1]
    own = distinct_names([file for _, file in first])
    names = [name or plain for (name, _), plain in zip(first, own, strict=True)]
    if len(set(names)) < len(names):
        raise OptionError(f"grapes: expected a different name for each system, found {', '.join(names)}")
    for (mine, _), (its, _) in zip(*given, strict=False):
        if mine and its and mine != its:
            raise OptionError(f"grapes: the system {mine!r} of --pred stands where --pred-testset has {its!r}")
    pred, testset = (dict(zip(names, (file for _, file in side), strict=False)) for side in given)
    return pred, testset


def _named(text: str) -> tuple[str, str]:
    """Name and file of ``NAME=FILE``; no name for a file."""
    name, equals, file = text.partition("=")
    if not equals or os.path.exists(text) or not name or os.sep in name:
        name, file = "", text
    if file == "-":
        raise OptionError("grapes: expected the name of a file with predictions, found '-' (standard input)")
    return name, file
