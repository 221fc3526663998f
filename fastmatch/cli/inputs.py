"""Arguments as options of the Python interface: the metric that was asked for, and the files that were named, read."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from functools import partial
from typing import Any

from fastmatch.cli.parser import OWN
from fastmatch.errors import OptionError, choice
from fastmatch.evaluation.pairing import Rules, paired
from fastmatch.graphs.corpus import Corpus
from fastmatch.graphs.dialects import DIALECTS
from fastmatch.graphs.fields import Texts, texts_of
from fastmatch.graphs.reading import parse_texts, read, tables
from fastmatch.graphs.sources import Kept
from fastmatch.graphs.vocabulary import Vocabulary
from fastmatch.metrics.base import Metric
from fastmatch.metrics.common_options import COMMON
from fastmatch.metrics.names import DEFAULT
from fastmatch.metrics.options import kinds, listed
from fastmatch.metrics.registry import get, make, split
from fastmatch.types import Dialect, OnErrorPaired

#: Flags of how intervals are made, which are options of the Python interface by the same names.
RESAMPLING = ("confidence", "bootstrap_method", "bootstrap_seed")


def check_resampling(arguments: argparse.Namespace) -> None:
    """Raise :class:`~fastmatch.OptionError` if it was said how intervals are made, but not ``--bootstrap``."""
    for name in RESAMPLING if arguments.bootstrap is None else ():
        if getattr(arguments, name) != arguments.parser.get_default(name):
            raise OptionError(f"--{name.replace('_', '-')} goes with --bootstrap N: without it there are no intervals")


def flags(arguments: argparse.Namespace, *names: str) -> dict[str, Any]:
    """What was given for these flags, as options of the Python interface that have their names."""
    return {name: getattr(arguments, name) for name in names}


def given(arguments: argparse.Namespace, *names: str) -> dict[str, Any]:
    """The same of those that were given: the others keep the default of the Python interface."""
    return {name: value for name, value in flags(arguments, *names).items() if value is not None}


def running(arguments: argparse.Namespace, *names: str) -> dict[str, Any]:
    """``workers`` and ``progress``, and the flags of these names."""
    return {"workers": arguments.workers, "progress": not arguments.quiet, **flags(arguments, *names)}


def metric_options(arguments: argparse.Namespace, metric: str | None = None) -> dict[str, Any]:
    """The metric options that were given; what was not given keeps the default of the Python interface.

    ``metric``: one of several, which gets the common options that it has. By default the only one, to which all go.
    What stands behind the metric's name (``sembleu/tool,k=2``) wins over flags.
    """

    name, preset, settings = split(arguments.metric if metric is None else metric)
    common = {name: getattr(arguments, name) for name, entry in COMMON.items() if entry.everywhere}
    given = {"preset": preset or arguments.preset, **common, **own_options(arguments, name), **settings}
    if metric is not None:
        has = kinds(get(name)) | settings.keys()
        given = {option: value for option, value in given.items() if option == "preset" or option in has}
    return {"metric": name, **{option: value for option, value in given.items() if value is not None}}


def check_common_options(arguments: argparse.Namespace, metrics: Sequence[str]) -> None:
    """Raise :class:`~fastmatch.OptionError` for an option that was given and that none of the metrics has."""

    has = {option for metric in metrics for option in kinds(get(split(metric)[0]))}
    for name, entry in COMMON.items():
        if entry.everywhere and name not in has and getattr(arguments, name) is not None:
            who = f"none of the metrics {listed(metrics)} has" if len(metrics) > 1 else f"{metrics[0]} does not have"
            raise OptionError(f"--{name.replace('_', '-')}: {who} this option; fastmatch metrics lists what each has")


def own_options(arguments: argparse.Namespace, metric: str) -> dict[str, Any]:
    """Those of the metric's own flags that were given, by the names of its options."""
    found = {}
    for dest, value in vars(arguments).items():
        owner, _, name = dest.removeprefix(OWN).partition(" ")
        if dest.startswith(OWN) and owner in ("", metric) and value is not None:
            found[name] = value
    return found


def made_metric(arguments: argparse.Namespace, metric: str | None = None) -> Metric:
    """The metric that was asked for, with its options."""

    options = metric_options(arguments, metric)
    if metric is None:
        check_common_options(arguments, [options["metric"]])
    return make(options.pop("metric"), options.pop("preset", None), **options)


def made_metrics(arguments: argparse.Namespace) -> dict[str, Metric]:
    """The metrics that were asked for, each with the options that it has; ``arguments.metric`` becomes the first.

    All are made before a file is read, which tells a wrong option at once.
    """
    names = list(dict.fromkeys(arguments.metrics or [DEFAULT]))
    arguments.metric = names[0]
    if len(names) == 1:
        return {names[0]: made_metric(arguments)}
    check_common_options(arguments, names)
    return {name: made_metric(arguments, name) for name in names}


def dialect_of(arguments: argparse.Namespace, metric: Metric | None = None) -> Dialect:
    """The dialect that ``--dialect`` names, or in which the metric, with its options, wants its input read.

    Raises
    ------
    OptionError
        If there is no such dialect, or the metric cannot have graphs that were read with it.
    """

    metric = made_metric(arguments) if metric is None else metric
    named: Dialect | None = getattr(arguments, "dialect", None)
    if named is None:
        return metric.dialect
    choice("dialect", named, DIALECTS)
    metric.check(named)
    return named


def check_extract(arguments: argparse.Namespace) -> None:
    """Raise :class:`~fastmatch.OptionError` if ``--extract`` has no answers to look into."""
    if arguments.extract and arguments.pred_field is None:
        raise OptionError("--extract goes with --pred-field: a whole file has no answers, one for each graph")


def field_texts(arguments: argparse.Namespace) -> tuple[Texts | None, Texts | None]:
    """The texts of the fields that were named, of PRED and GOLD; None for a file that is no file with fields.

    They are kept, so that metrics that read them differently need no second look at the files.

    Raises
    ------
    OptionError
        If GOLD, or the name of a field, is missing.
    ReadError, OSError
        If a file cannot be read.
    """
    if not hasattr(arguments, "extract"):
        return None, None
    if not hasattr(arguments, "field_texts"):
        fields = arguments.pred_field, arguments.gold_field
        if arguments.gold is None:
            if fields == (None, None):
                raise OptionError(f"{arguments.verb}: expected GOLD, or --pred-field and --gold-field")
            if None in fields:
                raise OptionError(f"{arguments.verb}: without GOLD, both --pred-field and --gold-field are needed")
        check_extract(arguments)
        read = [
            None if field is None or name is None else tables(name)
            for name, field in zip((arguments.pred, arguments.gold), fields, strict=True)
        ]
        if arguments.gold is None:
            read[1] = read[0]
        arguments.field_texts = tuple(
            None if rows is None or field is None else texts_of(rows, field, extract)
            for rows, field, extract in zip(read, fields, (arguments.extract, False), strict=True)
        )
    return arguments.field_texts


def keep_standard_input(*names: str) -> list[Any]:
    """The names, of which ``-`` becomes what standard input holds: metrics may read it differently, each anew."""

    return [Kept("<stdin>", sys.stdin.buffer.read()) if name == "-" else name for name in names]


def check_graphs(arguments: argparse.Namespace, *corpora: Corpus) -> None:
    """Raise :class:`~fastmatch.OptionError` if a corpus holds no graphs."""
    for corpus in corpora:
        if not len(corpus):
            raise OptionError(f"{arguments.verb}: {corpus.source}: no graphs")


def read_systems(arguments: argparse.Namespace, files: Sequence[Any], dialect: Dialect) -> list[Corpus]:
    """The graphs of systems, and last the gold graphs, in one vocabulary; OptionError if a file holds none."""

    opened = partial(read, dialect=dialect, on_error=arguments.on_error, workers=arguments.workers)
    gold = opened(files[-1], field=arguments.gold_field)
    corpora = [
        opened(file, field=arguments.pred_field, extract=arguments.extract, vocabulary=gold.vocabulary)
        for file in files[:-1]
    ]
    check_graphs(arguments, *corpora, gold)
    return [*corpora, gold]


def read_both(
    arguments: argparse.Namespace, on_error: OnErrorPaired = "raise", dialect: Dialect | None = None
) -> tuple[Corpus, Corpus]:
    """PRED and GOLD, read in one dialect, by default that of the metric, into one vocabulary.

    Raises
    ------
    OptionError
        If one of the files holds no graphs and the other one does.
    """

    dialect = dialect_of(arguments) if dialect is None else dialect
    texts = field_texts(arguments)
    workers = getattr(arguments, "workers", 1)

    def opened(name: Any, field: Texts | None, vocabulary: Vocabulary | None) -> Corpus:
        if field is None:
            return read(name, dialect=dialect, on_error=on_error, vocabulary=vocabulary, workers=workers)
        return parse_texts(field, dialect=dialect, on_error=on_error, vocabulary=vocabulary, workers=workers)

    pred = opened(arguments.pred, texts[0], None)
    gold = opened(arguments.gold, texts[1], pred.vocabulary)
    for empty, full in ((pred, gold), (gold, pred)):
        if not len(empty) and len(full):
            raise OptionError(f"{empty.source}: no graphs, but {full.source} holds {len(full):,}")
    return pred, gold


def read_pairs(
    arguments: argparse.Namespace, on_error: OnErrorPaired = "raise", dialect: Dialect | None = None
) -> tuple[Corpus, Corpus]:
    """The same, paired as ``--pair-by`` and ``--unpaired`` say.

    Raises
    ------
    PairingError
        If the graphs cannot be paired by id.
    """

    rules = Rules(arguments.verb, arguments.pair_by, arguments.unpaired).checked()
    pred, gold = read_both(arguments, on_error, dialect)
    return paired(pred, gold, rules) if rules.pair_by == "id" else (pred, gold)


def check_worst(arguments: argparse.Namespace) -> None:
    """Refuse ``--worst`` where a table for programs is printed, which is one table."""
    if arguments.worst is not None and arguments.form in ("jsonl", "tsv", "csv"):
        raise OptionError(
            f"--worst and --{arguments.form} would print two tables; --per-pair has the scores of all pairs"
        )
