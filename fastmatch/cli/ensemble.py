"""The verb ``ensemble``."""

from __future__ import annotations

import argparse
from functools import partial
from itertools import accumulate
from typing import Any

from fastmatch.cli import inputs
from fastmatch.cli.notices import warn_not_voting
from fastmatch.cli.outputs import vote_lines
from fastmatch.ensembles.ensembling import ensemble
from fastmatch.ensembles.result import Ensemble
from fastmatch.errors import FastmatchError, OptionError
from fastmatch.evaluation.comparison import compare
from fastmatch.graphs.corpus import Corpus
from fastmatch.graphs.reading import parse_texts, read, tables
from fastmatch.pages.adjudication import write_adjudication
from fastmatch.report.model import Report
from fastmatch.report.writing import write_lines, write_texts
from fastmatch.runtime.collecting import no_collection


def run_ensemble(arguments: argparse.Namespace) -> Report | int:

    files: list[str] = arguments.files
    inputs.check_extract(arguments)
    if arguments.form != "text" and arguments.output == "-":
        raise OptionError(f"--{arguments.form}: the graphs go to standard output; name a file with --output")
    if arguments.page == "-":
        raise OptionError("--page -: a page is a file; name it")
    metric = inputs.made_metric(arguments)
    dialect = inputs.dialect_of(arguments, metric)
    opened = partial(read, dialect=dialect, on_error=arguments.on_error, workers=arguments.workers)
    found = None
    if arguments.pred_field is not None and len(files) == 1:
        found = _lists(tables(files[0]), arguments)
    options = {"metric": metric, **inputs.running(arguments, "method", "on_error")}
    if found is not None:
        if arguments.weights is not None:
            raise OptionError("--weights goes with systems; the answers of a list all count equally")
        if arguments.pair_by != "position":
            raise OptionError("--pair-by id goes with systems; the answers of a list are of one sentence")
        corpus, counts = found
        systems = _columns(corpus, counts)
        result = ensemble(_slices(corpus, counts), by="sentence", **options)
        names = [f"answer {k}" for k in range(max(counts, default=0))]
    else:
        systems = []
        for name in files:
            vocabulary = systems[0].vocabulary if systems else None
            systems.append(opened(name, field=arguments.pred_field, extract=arguments.extract, vocabulary=vocabulary))
            inputs.check_graphs(arguments, systems[-1])
        names = files
        result = ensemble(systems, names=names, **inputs.flags(arguments, "weights", "pair_by", "unpaired"), **options)
    comparison = None
    if arguments.gold is not None:
        gold = opened(arguments.gold, field=arguments.gold_field)
        comparison = _compared(arguments, result, systems, names, gold)
    if not arguments.quiet:
        warn_not_voting(result, names)
    if arguments.output.endswith(".fastmatch"):
        result.graphs.save(arguments.output)
    else:
        with no_collection():
            texts = _texts(result.graphs)
        write_texts(texts, arguments.output)
    if arguments.votes is not None:
        write_lines(vote_lines(result, names), arguments.votes)
    if arguments.page is not None:
        write_adjudication(result, names, arguments.page)
    return result.report(names, comparison) if arguments.output != "-" else 0


def _texts(graphs: Corpus) -> list[str]:
    """The graphs as they are written; a candidate that is taken as it is need not be connected."""
    texts = []
    for number, graph in enumerate(graphs):
        try:
            texts.append(graph.encode())
        except FastmatchError as error:
            raise FastmatchError(f"sentence {number}: {error}; --method merge makes connected graphs") from None
    return texts


def _lists(read: Any, arguments: argparse.Namespace) -> tuple[Corpus, list[int]] | None:
    """The answers of all rows, one after the other, and how many each row has; None: the field holds single texts."""

    found = [table.lists(arguments.pred_field) for table in read]
    if len(found) != 1 or found[0] is None:
        return None
    texts, counts = found[0]
    if arguments.extract:
        texts = texts.extracted()
    return parse_texts(texts, dialect=inputs.dialect_of(arguments), on_error=arguments.on_error), counts


def _slices(corpus: Corpus, counts: list[int]) -> list[Corpus]:
    """The answers of each row."""
    stops = accumulate(counts)
    return [corpus[stop - count : stop] for stop, count in zip(stops, counts, strict=True)]


def _columns(corpus: Corpus, counts: list[int]) -> list[Corpus]:
    """The first answers of all rows, the second ones, …, if all rows have equally many."""
    if not counts or len(set(counts)) > 1:
        return []
    return [corpus[k :: counts[0]] for k in range(counts[0])]


def _compared(
    arguments: argparse.Namespace, result: Ensemble, systems: list[Corpus], names: list[str], gold: Corpus
) -> Any:
    """The ensemble and the systems against the gold graphs."""

    if not systems:
        raise OptionError("--gold with lists of answers needs equally many in each row")
    given = inputs.running(arguments, "pair_by", "unpaired", "resamples", *inputs.RESAMPLING)
    metric = inputs.made_metric(arguments)
    return compare(result.graphs, *systems, gold=gold, names=["ensemble", *names], metric=metric, **given)
