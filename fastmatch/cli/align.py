"""The verb ``align``: one pair, the worst pairs, or a page of all pairs."""

from __future__ import annotations

import argparse
import os
import shutil
import sys
from collections.abc import Sequence
from functools import partial
from pathlib import Path
from typing import Any, TextIO

from fastmatch.cli import inputs
from fastmatch.cli.check import check_certificate, write_certificate
from fastmatch.errors import OptionError
from fastmatch.evaluation.checks import warn_odd_pairs
from fastmatch.evaluation.scoring import align, pair_report, pairs_report, score, score_corpora
from fastmatch.graphs.corpus import Corpus
from fastmatch.graphs.forms import corpora_of, parsed
from fastmatch.graphs.reading import read
from fastmatch.metrics.base import Metric
from fastmatch.report.model import Report
from fastmatch.report.writing import write_lines
from fastmatch.runtime.streams import say


def run_align(arguments: argparse.Namespace) -> Report | int:
    for name, given in (("--more", arguments.more), ("--frames", arguments.frames)):
        if given and arguments.page is None:
            raise OptionError(f"{name} goes with --page: the page shows several systems, and what roles mean")
    if arguments.page is not None:
        if arguments.worst is not None:
            raise OptionError("--worst does not go with --page: the page lists the worst pairs first")
        form = None if arguments.form == "text" else arguments.form
        for flag, given in ((form, form), ("view", arguments.view), ("certificate", arguments.certificate)):
            if given:
                raise OptionError(f"--{flag} does not go with --page: there is one output")
        return _page(arguments)
    if arguments.view and arguments.form != "text":
        raise OptionError(f"--view is of the text, not of --{arguments.form}")
    metric = inputs.made_metric(arguments)
    if metric.aligns is None:
        if not metric.names_features:
            raise OptionError(f"align: metric {metric.name!r} makes no alignment, and names no features")
        if arguments.view == "sides":
            raise OptionError(f"--view sides: metric {metric.name!r} compares features, and aligns no nodes")
    if arguments.certificate is not None:
        check_certificate(arguments, metric)
    if arguments.text:
        pred, gold = _texts(arguments, metric)
        numbers = [0]
    else:
        pred, gold = _pairs(arguments, metric)
        numbers = _chosen(arguments, metric, pred, gold)
    if arguments.certificate is not None:
        shown = pred[numbers], gold[numbers]
        write_certificate(
            arguments, metric, *shown, *score_corpora(metric, *shown, 1, None, True), (numbers, len(pred))
        )
    return _show(arguments, metric, pred, gold, numbers)


def _pairs(arguments: argparse.Namespace, metric: Metric) -> tuple[Corpus, Corpus]:
    """The graphs of two files, or the sentence graphs of UMR documents."""
    if not arguments.documents:
        return inputs.read_pairs(arguments, arguments.on_error)
    return _sentences(arguments, metric, arguments.pred)


def _sentences(arguments: argparse.Namespace, metric: Metric, pred: str) -> tuple[Corpus, Corpus]:

    from fastmatch.umr.graphs import sentences

    if arguments.gold is None or arguments.pred_field is not None or arguments.gold_field is not None:
        raise OptionError("align: UMR documents are files, or folders, PRED and GOLD; they have no fields")
    if arguments.pair_by != "position":
        raise OptionError("--pair-by: the sentences of UMR documents are paired by their places")
    return sentences(Path(pred), Path(arguments.gold), dialect=metric.dialect, on_error=arguments.on_error)


def _texts(arguments: argparse.Namespace, metric: Metric) -> tuple[Corpus, Corpus]:
    """Two graphs that stand in the arguments themselves."""

    if arguments.gold is None:
        raise OptionError("align --text: expected two graphs, PRED and GOLD")
    for name in (arguments.pred, arguments.gold):
        if os.path.isfile(name):
            raise OptionError(f"align --text: {name} is a file, not a graph; leave out --text")
    if arguments.pred_field is not None or arguments.gold_field is not None or arguments.extract:
        raise OptionError("--pred-field, --gold-field and --extract are for files, not for --text")
    if arguments.pair_by != "position":
        raise OptionError("--pair-by is for files; with --text there is only one pair")
    for flag in ("index", "id", "worst"):
        if getattr(arguments, flag) is not None:
            raise OptionError(f"--{flag} chooses a pair of two files; with --text there is only one pair")
    if arguments.dialect is None:
        return corpora_of(arguments.pred, arguments.gold, metric.dialect, arguments.on_error, one=True)
    dialect = inputs.dialect_of(arguments, metric)
    pred = parsed("pred", [arguments.pred], dialect, arguments.on_error, None)
    return pred, parsed("gold", [arguments.gold], dialect, arguments.on_error, pred.vocabulary)


def _chosen(arguments: argparse.Namespace, metric: Metric, pred: Corpus, gold: Corpus) -> list[int]:
    """The numbers of the pairs that are asked for."""

    if arguments.worst is not None:
        result = score(pred, gold, metric=metric, **inputs.running(arguments))
        return [pair.index for pair in result.worst(arguments.worst)]
    index = _number(arguments, pred, gold)
    names = arguments.pred, arguments.gold or arguments.pred
    warn_odd_pairs(pred[index : index + 1], gold[index : index + 1], names)
    return [index]


def _number(arguments: argparse.Namespace, pred: Corpus, gold: Corpus) -> int:
    """The number of the pair that ``--index`` or ``--id`` names; 0 by default."""
    if arguments.id is not None:
        found = [k for k, ids in enumerate(zip(gold.ids, pred.ids, strict=False)) if arguments.id in ids]
        if len(found) == 1:
            return found[0]
        from difflib import get_close_matches

        known = [id for id in gold.ids if id]
        near = get_close_matches(arguments.id, known, 1)
        hint = f"; did you mean {near[0]!r}?" if near else ""
        raise OptionError(f"--id {arguments.id!r}: expected the ::id of one pair, found {len(found)}{hint}")
    index: int = arguments.index or 0
    for name, corpus in ((arguments.pred, pred), (arguments.gold or arguments.pred, gold)):
        if index >= len(corpus):
            raise OptionError(f"--index {index}: {name} holds {len(corpus)} graphs, counted from 0")
    return index


def _show(
    arguments: argparse.Namespace, metric: Metric, pred: Corpus, gold: Corpus, numbers: list[int]
) -> Report | int:

    several = arguments.worst is not None
    view = arguments.view or ("sides" if sys.stdout.isatty() else "tables")
    if arguments.form == "text" and view == "sides" and metric.aligns == "map":
        show_sides(metric, pred, gold, numbers, sys.stdout, titles=several)
        return 0
    return pairs_report(metric, pred, gold, numbers) if several else pair_report(metric, pred[numbers], gold[numbers])


def show_sides(
    metric: Metric, pred: Corpus, gold: Corpus, numbers: Sequence[int], file: TextIO, *, titles: bool = True
) -> None:
    """Print these pairs, graphs beside each other; ``titles`` puts number and id before each."""

    from fastmatch.pages.terminal import print_alignment_sides
    from fastmatch.results.alignment import Alignment

    width = shutil.get_terminal_size((100, 24)).columns
    for place, k in enumerate(numbers):
        pair = pred[k : k + 1], gold[k : k + 1]
        if place:
            print(file=file)
        alignment = align(*pair, metric=metric)
        assert isinstance(alignment, Alignment)  # none by flow
        print_alignment_sides(alignment, metric, *pair, width, file, number=k if titles else None)


def _page(arguments: argparse.Namespace) -> int:
    """Write a page of all pairs, or of the one that is chosen."""
    from fastmatch.pages.why_page import html

    names = [name for name in (arguments.pred, arguments.gold, *arguments.more) if name is not None]
    metric = inputs.made_metric(arguments)
    if arguments.text and arguments.more:
        raise OptionError("--more is for files; with --text there is only one pair")
    chosen = arguments.index is not None or arguments.id is not None
    if chosen and arguments.more and arguments.pair_by == "id":
        raise OptionError("--index and --id go with pairs by position where there are several systems")
    given: dict[str, Any] = inputs.running(arguments, "frames", "on_error")
    if arguments.text:
        corpora = list(_texts(arguments, metric))
    elif arguments.more and arguments.documents:
        pairs = [_sentences(arguments, metric, name) for name in (arguments.pred, *arguments.more)]
        corpora = [*pairs[0], *(pred for pred, _ in pairs[1:])]
    elif arguments.more:
        inputs.check_extract(arguments)
        fields = [arguments.pred_field, arguments.gold_field, *[arguments.pred_field] * len(arguments.more)]
        dialect = inputs.dialect_of(arguments, metric)
        opened = partial(read, dialect=dialect, on_error=arguments.on_error, workers=arguments.workers)
        corpora = [
            opened(name, field=field, extract=arguments.extract and k != 1)
            for k, (name, field) in enumerate(zip(names, fields, strict=True))
        ]
        given |= inputs.flags(arguments, "pair_by", "unpaired")
    else:
        corpora = list(_pairs(arguments, metric))
    if arguments.text:
        names = ["prediction", "gold"]
    elif arguments.gold is None:  # one file holds both sides
        names = [f"{arguments.pred}: {field}" for field in (arguments.pred_field, arguments.gold_field)]
    if chosen and not arguments.text:
        k = _number(arguments, *corpora[:2])
        corpora = [corpus[k : k + 1] for corpus in corpora]
    page = html(*corpora, names=_base_names([names[0], *names[2:], names[1]]), metric=metric, **given)
    write_lines([page], arguments.page)
    if arguments.page != "-":
        systems = ", ".join([names[0], *names[2:]])
        say(f"{arguments.page}: {len(page) / 1e6:.1f} MB, {systems} against {names[1]} as gold graphs", sys.stdout)
    return 0


def _base_names(paths: list[str]) -> list[str]:
    """Files by their names without folders, where these differ."""
    names = ["standard input" if path == "-" else os.path.basename(path) for path in paths]
    return names if len(set(names)) == len(names) else paths
