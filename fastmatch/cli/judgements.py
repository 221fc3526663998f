"""The verb ``bench judgements``."""

from __future__ import annotations

import argparse
import os
import sys
from functools import partial
from typing import Any

from fastmatch.benchmarks.bamboo import check_folder
from fastmatch.benchmarks.judgements import Asked, Reader, judged
from fastmatch.benchmarks.labels import Column, labels_of, read_labels
from fastmatch.benchmarks.overview import overview
from fastmatch.benchmarks.shared import named_metrics
from fastmatch.cli import inputs
from fastmatch.cli.benchmarks import metrics_of
from fastmatch.errors import OptionError
from fastmatch.graphs.corpus import Corpus
from fastmatch.graphs.fields import Table, begins_as, texts_of
from fastmatch.graphs.reading import parse_texts, read, tables
from fastmatch.graphs.sources import Lacking
from fastmatch.graphs.vocabulary import Vocabulary
from fastmatch.metrics.names import DEFAULT
from fastmatch.report.model import Report
from fastmatch.types import Dialect


def run_judgements(arguments: argparse.Namespace) -> Report:

    _check_benchmarks(arguments)
    texts = metrics_of(arguments, [DEFAULT])
    made = named_metrics(texts)
    read, columns, groups, two = _inputs(arguments)
    if two and arguments.kind not in (None, "preferences"):
        raise OptionError(f"--kind {arguments.kind}: two predictions for each gold graph have preferences")
    own = inputs.flags(
        arguments, "kind", "yes_from", "resamples", "permutations", "confidence", "test", "test_groups", "seed"
    )
    classes = None if arguments.classes is None else arguments.classes.split(",")
    asked = Asked(**own, classes=classes, groups=groups)
    result = judged(read, columns, made, asked, **inputs.running(arguments))
    bamboo, rare = _benchmarks(arguments, texts)
    several = len(result.questions) > 1 or bamboo is not None or rare is not None
    table = overview(result, [metric for _, metric in made], bamboo, rare)
    if arguments.plot is not None:
        from fastmatch.plot.pages import write_overview

        write_overview(table, result.signatures, arguments.plot)
    return table.report(result) if several else result.report()


def _check_benchmarks(arguments: argparse.Namespace) -> None:
    """Raise OptionError before all the work if the data of a benchmark are not there."""

    if arguments.bamboo is not None:
        check_folder(arguments.bamboo, "test")
    if arguments.rare is not None and not os.path.exists(arguments.rare):
        raise OptionError(f"--rare: no such file or folder: {arguments.rare}")


def _benchmarks(arguments: argparse.Namespace, texts: list[str]) -> tuple[Any, Any]:
    """Results on BAMBOO and on RARE, if they are wanted."""
    bamboo = rare = None
    if arguments.bamboo is not None:
        from fastmatch.benchmarks.intervals import bamboo_intervals

        given = inputs.flags(arguments, "confidence", "seed", "workers")
        bamboo = bamboo_intervals(arguments.bamboo, texts, resamples=max(arguments.resamples, 1), **given)
    if arguments.rare is not None:
        from fastmatch.benchmarks.rare import evaluate, generate, load

        progress = not arguments.quiet
        pairs = (
            load(arguments.rare, ("test",))
            if os.path.isdir(arguments.rare)
            else generate(read(arguments.rare), ("test",), seed=arguments.seed, progress=progress)
        )
        rare = evaluate(pairs, texts, workers=arguments.workers, progress=progress)
    return bamboo, rare


def _inputs(arguments: argparse.Namespace) -> tuple[Reader, list[Column], list[Any] | None, bool]:
    """How the graphs are read, the labels, the groups, and whether there are second predictions."""

    *graphs, last = arguments.files
    fields = arguments.label_fields
    if arguments.group_field is not None and fields is None:
        raise OptionError("--group-field goes with --label-field: both are fields of one file")
    if len(graphs) > 3:
        raise OptionError(f"bench judgements: expected four files at most, found {len(arguments.files)}")
    own = (arguments.pred_field, arguments.gold_field)
    if not graphs:
        if None in own or fields is None:
            raise OptionError("bench judgements: one file needs --pred-field, --gold-field and --label-field")
        rows = tables(last)
        reader = _of_fields(arguments, rows)
        return reader, _columns(rows, fields), _groups(rows, arguments), arguments.other_field is not None
    for flag, value in (("pred", own[0]), ("gold", own[1]), ("other", arguments.other_field)):
        if value is not None:
            raise OptionError(f"--{flag}-field goes with one file, which has graphs and labels")
    inputs.check_extract(arguments)
    if len(graphs) < 2:
        raise OptionError("bench judgements: expected PRED GOLD LABELS, found two files")
    reader = _of_files(arguments, inputs.keep_standard_input(*graphs))
    if fields is None:
        _refuse_fields(last)
        columns = labels_of("<stdin>", sys.stdin.read()) if last == "-" else read_labels(last)
        return reader, columns, None, len(graphs) == 3
    rows = tables(last)
    return reader, _columns(rows, fields), _groups(rows, arguments), len(graphs) == 3


def _refuse_fields(path: str) -> None:
    """Raise OptionError if a file that should have a label a line has named fields."""

    try:
        with open(path, "rb") as file:
            head = file.read(65536)
    except OSError:  # standard input, or what the reader of labels will say more about
        return
    if b"\nsee above" in head:  # judgements of two parses, in columns without names
        return
    names = next(iter(begins_as(path, head)), [])
    if head[:4] == b"PAR1" or head[:1] == b"{" or (len(names) > 1 and not any(map(_is_number, names))):
        which = f" ({', '.join(names)})" if names else ""
        raise OptionError(f"{path} has fields{which}; --label-field names that of the labels")


def _is_number(text: str) -> bool:
    try:
        float(text)
    except ValueError:
        return False
    return True


def _of_files(arguments: argparse.Namespace, graphs: list[Any]) -> Reader:

    def reader(dialect: Dialect) -> tuple[Corpus, Corpus, Corpus | None]:
        opened = partial(read, dialect=dialect, on_error=arguments.on_error, workers=arguments.workers)
        first = opened(graphs[0])
        *others, gold = (opened(each, vocabulary=first.vocabulary) for each in graphs[1:])
        return first, gold, others[0] if others else None

    return reader


def _of_fields(arguments: argparse.Namespace, rows: list[Table]) -> Reader:
    pred, gold = texts_of(rows, arguments.pred_field, arguments.extract), texts_of(rows, arguments.gold_field)
    other = None if arguments.other_field is None else texts_of(rows, arguments.other_field, arguments.extract)

    def reader(dialect: Dialect) -> tuple[Corpus, Corpus, Corpus | None]:
        parsed = partial(parse_texts, dialect=dialect, on_error=arguments.on_error, vocabulary=Vocabulary())
        return parsed(pred), parsed(gold), None if other is None else parsed(other)

    return reader


def _columns(rows: list[Table], fields: list[str]) -> list[Column]:

    columns = []
    for field in dict.fromkeys(fields):
        texts = texts_of(rows, field)
        values = [_own(value) for each in rows for value in each.values(field)]
        columns.append(Column(field, values, texts.place, f"{texts.source}, field {field!r}"))
    return columns


def _groups(rows: list[Table], arguments: argparse.Namespace) -> list[Any] | None:
    field = arguments.group_field
    return None if field is None else [_own(value) for each in rows for value in each.values(field)]


def _own(value: Any) -> Any:
    """A label or a name of a group; None where a row has no such field."""

    return None if isinstance(value, Lacking) else value
