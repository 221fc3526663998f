"""The verbs ``compare`` and ``agreement``."""

from __future__ import annotations

import argparse
from collections.abc import Iterator, Sequence
from functools import partial

from fastmatch.cli import aspects, inputs
from fastmatch.cli.notices import warn_broken, warn_repaired, warn_unreadable
from fastmatch.cli.outputs import headline_lines
from fastmatch.errors import OptionError
from fastmatch.evaluation.comparison import Comparison, compare, compare_scores, comparisons_report
from fastmatch.graphs.corpus import Corpus
from fastmatch.graphs.fields import Table, Texts, texts_of
from fastmatch.graphs.reading import parse_texts, read, tables
from fastmatch.graphs.vocabulary import Vocabulary
from fastmatch.report.model import Report
from fastmatch.report.writing import write_lines

Aspects = tuple[dict[str, Comparison], tuple[str, str]]
#: Flags of the tests and of the intervals.
_TESTS = ("resamples", *inputs.RESAMPLING, "correction", "against")


def run_compare(arguments: argparse.Namespace) -> Report:

    aspects.check(arguments)
    inputs.check_worst(arguments)
    files, gold_file = arguments.files, arguments.gold
    if gold_file is None:
        files, gold_file = files[:-1], files[-1]
    if len(files) < 2:
        raise OptionError("compare: expected two systems or more and then the gold file, or --gold GOLD")
    if arguments.per_pair == "-":
        raise OptionError("--per-pair -: the report goes to standard output; give a file name")
    inputs.check_extract(arguments)
    several = arguments.aspects is not None or len(dict.fromkeys(arguments.metrics or ())) > 1
    if several and arguments.plot is not None:
        raise OptionError("--plot is of one metric, and not of aspects")
    kind = None
    if arguments.aspects is None:
        made = _by_metric(arguments, files, gold_file)
    else:
        made, kind = _by_aspect(arguments, files, gold_file)
    if arguments.per_pair is not None:
        results = {
            f"{name} of {system}" if several else system: result
            for name, comparison in made.items()
            for system, result in zip(comparison.names, comparison.results, strict=True)
        }
        write_lines(headline_lines(results), arguments.per_pair)
    if several:
        return comparisons_report(made, kind, arguments.worst)
    (comparison,) = made.values()
    if arguments.plot is not None:
        from fastmatch.plot.pages import write_comparison

        write_comparison(comparison, arguments.plot)
    return comparison.report(arguments.worst)


def _by_metric(arguments: argparse.Namespace, files: Sequence[str], gold_file: str) -> dict[str, Comparison]:
    """The systems compared by each metric, in the dialect that it reads."""

    made = inputs.made_metrics(arguments)
    opened = inputs.keep_standard_input(*files, gold_file) if len(made) > 1 else [*files, gold_file]
    corpora: dict[str, list[Corpus]] = {}
    found: dict[str, Comparison] = {}
    given = inputs.running(arguments, "pair_by", "unpaired", *_TESTS)
    for name, metric in made.items():
        dialect = inputs.dialect_of(arguments, metric)
        told = bool(found) or arguments.quiet
        if dialect not in corpora:
            corpora[dialect] = inputs.read_systems(arguments, opened, dialect)
        *systems, gold = corpora[dialect]
        found[name] = compare(*systems, gold=gold, names=files, metric=metric, **given)
        if not told:
            for system, score in zip(files, found[name].results, strict=True):
                warn_unreadable(score, system=system)
    return found


def _by_aspect(arguments: argparse.Namespace, files: Sequence[str], gold_file: str) -> Aspects:
    """The systems compared in each aspect that some graph has; the kind of aspects, and what they all depend on."""

    if gold_file == "-":
        raise OptionError("--aspects: expected a file of gold graphs, as it is read for each system, not '-'")
    arguments.more, arguments.bootstrap = files, None
    score = aspects.scorer(arguments)
    scores = [score(file, gold_file) for file in files]
    names = [name for name in scores[0] if any(result[name].n_macro for result in scores)]
    if not names:
        raise OptionError("compare: no graph has anything of these aspects")
    made = {
        name: compare_scores([result[name] for result in scores], files, **inputs.flags(arguments, "workers", *_TESTS))
        for name in names
    }
    return made, (scores[0].kind, str(scores[0].signature))


def _fields(files: list[str], fields: list[str], extract: bool) -> Iterator[Texts]:
    """The texts of each annotator. A file that holds several annotators is read once."""

    rows: list[Table] = []
    for k in range(max(len(files), len(fields))):
        if k < len(files):
            rows = tables(files[k])
        yield texts_of(rows, fields[k if len(fields) > 1 else 0], extract)


def run_agreement(arguments: argparse.Namespace) -> Report:
    from fastmatch.evaluation.agreement import agreement

    files, fields = arguments.files, arguments.pred_field or []
    inputs.check_extract(arguments)
    inputs.check_resampling(arguments)
    if len(fields) > 1 and len(files) not in (1, len(fields)):
        raise OptionError(f"agreement: expected one file or {len(fields)}, as there are fields, found {len(files)}")
    if len(files) < 2 and len(fields) < 2:
        raise OptionError(
            f"agreement: expected two files or more, found {len(files)}; of one file, --pred-field names the field of "
            "each annotator"
        )
    dialect = inputs.dialect_of(arguments)
    vocabulary, on_error, workers = Vocabulary(), arguments.on_error, arguments.workers
    if fields:
        texts = _fields(files, fields, arguments.extract)
        corpora = [parse_texts(each, dialect=dialect, on_error=on_error, vocabulary=vocabulary) for each in texts]
    else:
        opened = partial(read, dialect=dialect, on_error=on_error, vocabulary=vocabulary, workers=workers)
        corpora = [*map(opened, files)]
    inputs.check_graphs(arguments, *corpora)
    names = fields if len(fields) > 1 and len(set(files)) == 1 else files
    given = inputs.running(arguments, "on_error", "pair_by", "unpaired", "bootstrap", *inputs.RESAMPLING)
    result = agreement(corpora, names=names, **given, **inputs.metric_options(arguments))
    if not arguments.quiet:
        for name, corpus in zip(result.names, corpora, strict=True):
            warn_broken(name, corpus)
            warn_repaired(corpus)
    return result.report()
