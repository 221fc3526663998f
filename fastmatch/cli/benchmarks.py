"""Verbs that run benchmarks (``bench bamboo``, ``rare``, ``principles``) and studies of the papers about metrics.

These are ``bench optima``, ``space``, ``impact`` and ``ranking``.
"""

from __future__ import annotations

import argparse
import os
import sys
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from fastmatch.cli import inputs
from fastmatch.cli.outputs import check_target
from fastmatch.errors import OptionError
from fastmatch.evaluation.comparison import distinct_names
from fastmatch.graphs.reading import read
from fastmatch.metrics.names import DEFAULT
from fastmatch.metrics.options import taking
from fastmatch.metrics.registry import available, from_text, get
from fastmatch.report.model import Report

if TYPE_CHECKING:
    from fastmatch.benchmarks.rare import Preset, RareSet, Split


def metrics_of(arguments: argparse.Namespace, default: list[str]) -> list[str]:
    """The metrics that were named, each as one word.

    Raises
    ------
    OptionError
        If one of them is wrong: that is said before the work begins.
    """

    texts: list[str] = []
    for text in arguments.metrics or default:
        texts += (name for name in available() if get(name).distinct) if text == "all" else [text]
    metrics = [from_text(text) for text in texts]
    if arguments.embeddings is not None:
        for place, metric in enumerate(metrics):
            for option in taking(type(metric), "vectors"):
                if getattr(metric, option) is None:
                    texts[place] += f",{option}={arguments.embeddings}"
        for text in texts:
            from_text(text)
    return texts


def run_bamboo(arguments: argparse.Namespace) -> Report:
    from fastmatch.benchmarks.bamboo import bamboo

    metrics = metrics_of(arguments, [DEFAULT])
    return bamboo(arguments.folder, metrics, **inputs.running(arguments, "protocol", "split")).report()


def run_rare(arguments: argparse.Namespace) -> Report:
    import logging

    from fastmatch.benchmarks.rare import SPLITS, RareResult, evaluate, write

    # under the preset tool it warns of every attribute whose role looks inverted
    logging.getLogger("penman").setLevel(logging.ERROR)
    chosen = arguments.splits or ["test"]
    splits = tuple(split for split in SPLITS if split in chosen)
    metrics = metrics_of(arguments, [] if arguments.write is not None else [DEFAULT])
    pairs = _rare_pairs(arguments, splits)
    if arguments.write is not None:
        write(pairs, arguments.write)
    result = RareResult((), pairs)
    if metrics:
        pairs = replace(pairs, splits=tuple(split for split in pairs.splits if split.split in splits))
        result = evaluate(pairs, metrics, **inputs.running(arguments))
    return result.report()


def _rare_pairs(arguments: argparse.Namespace, splits: tuple[Split, ...]) -> RareSet:
    """The pairs of a folder, or those of a corpus: of all three splits if they are to be written."""

    from fastmatch.benchmarks.rare import SPLITS, check_folder, generate, load

    if os.path.isdir(arguments.corpus):
        for name in ("preset", "seed", "write"):
            if getattr(arguments, name) is not None:
                raise OptionError(f"--{name} is about making pairs; those of {arguments.corpus} are made")
        return load(arguments.corpus, splits)
    if arguments.write is not None:
        check_folder(arguments.write)
        splits = SPLITS
    preset: Preset = arguments.preset or "default"
    seed: int = arguments.seed or 0
    return generate(read(arguments.corpus), splits, preset=preset, seed=seed, progress=not arguments.quiet)


def run_principles(arguments: argparse.Namespace) -> Report:
    from fastmatch.benchmarks.principles import principles
    from fastmatch.benchmarks.reports import principles_report

    metrics = metrics_of(arguments, [DEFAULT])
    # standard input is read once, files by each metric's own reader
    pred, gold = (read(name) if name == "-" else Path(name) for name in (arguments.pred, arguments.gold))
    given = inputs.running(arguments, "runs", "probes", "seed")
    results = [principles(pred, gold, text, **given) for text in metrics]
    if arguments.plot is not None:
        from fastmatch.plot.pages import write_principles

        write_principles(results, arguments.plot)
    return principles_report(results)


def run_optima(arguments: argparse.Namespace) -> Report:
    from fastmatch.benchmarks.studies import optima

    pred, gold = _given(arguments.pred, arguments.gold)
    return optima(pred, gold, **inputs.flags(arguments, "runs", "seed", "preset", "workers")).report()


def run_space(arguments: argparse.Namespace) -> Report:
    from fastmatch.benchmarks.studies import search_space, space_report

    metrics = metrics_of(arguments, [DEFAULT])
    pred, gold = _given(arguments.pred, arguments.gold)
    return space_report(search_space(pred, gold, metrics))


def run_impact(arguments: argparse.Namespace) -> Report:
    from fastmatch.benchmarks.studies import impact

    (graphs,) = _given(arguments.graphs)
    return impact(graphs, k=arguments.longest).report()


def run_ranking(arguments: argparse.Namespace) -> Report:
    from fastmatch.benchmarks.studies import ranking

    files = arguments.files
    if len(files) < 3:
        raise OptionError(f"bench ranking: expected two systems or more and GOLD, found {len(files)}")
    metrics = metrics_of(arguments, [DEFAULT])
    *systems, gold = _given(*files)
    return ranking(systems, gold, metrics, workers=arguments.workers).report(files)


def _given(*files: str) -> list[Any]:
    """The files; standard input is read once, though some studies read their files once a metric."""
    return [sys.stdin.read() if name == "-" else Path(name) for name in files]


# ---- GrAPES ----------------------------------------------------------------------------------------------------------


def run_grapes(arguments: argparse.Namespace) -> Report:

    from fastmatch.benchmarks.grapes.evaluation import evaluate
    from fastmatch.benchmarks.grapes.results import write_grapes_csv, write_grapes_items

    pred, testset = _systems(arguments)
    if arguments.per_item is not None:
        check_target(arguments.per_item, *pred.values(), *testset.values())
    given = inputs.running(arguments, "gold", "gold_testset", "categories", "preset", "pair_by")
    result = evaluate(arguments.folder, pred or None, pred_testset=testset or None, smatch=arguments.smatch, **given)
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
