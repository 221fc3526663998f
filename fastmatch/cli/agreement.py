"""The verb ``agreement``."""

from __future__ import annotations

from typing import TYPE_CHECKING

from fastmatch.cli.arguments import (
    add_dialect,
    add_form,
    add_metric_options,
    add_pairing_options,
    add_resampling_options,
    add_running_options,
)
from fastmatch.cli.inputs import dialect_of, metric_options
from fastmatch.errors import OptionError

if TYPE_CHECKING:
    import argparse

    from fastmatch.cli.arguments import Verbs
    from fastmatch.graphs.corpus import Corpus

__all__ = ["add_agreement"]


def add_agreement(verbs: Verbs, metric: str) -> None:
    """Add the verb, with the flags of a metric."""
    agreement = verbs.add_parser(
        "agreement",
        help="score annotators, or systems, against each other",
        description="Score every annotator of the same sentences against every other one: a matrix, and the mean. "
        "Metrics that are not symmetric are computed in both directions.",
        epilog='"-" stands for standard input, for one of the files. Exit status: 0 fine, 2 bad usage or input, '
        "130 interrupted.",
    )
    agreement.add_argument("files", nargs="+", metavar="FILE", help="a file of graphs for each annotator, two or more")
    add_dialect(agreement)
    add_metric_options(agreement, metric)
    add_pairing_options(agreement)
    add_resampling_options(
        agreement, "--bootstrap", "resample the sentences N times and print confidence intervals", None
    )
    add_running_options(agreement)
    add_form(
        agreement.add_argument_group("output"),
        "the report",
        tsv="print a header and a line for each two annotators instead of the report",
        latex="print the matrix as a LaTeX table (package: booktabs)",
        markdown="print the matrix as a table in Markdown",
    )
    agreement.set_defaults(run=_agreement)


def _agreement(arguments: argparse.Namespace) -> int:
    from fastmatch import report
    from fastmatch.evaluation.agreement import agreement
    from fastmatch.graphs.reading import read

    files = arguments.files
    if len(files) < 2:
        raise OptionError(f"agreement: expected two files or more, found {len(files)}")
    if files.count("-") > 1:
        raise OptionError("'-' (standard input) can stand for one of the files only")
    dialect = dialect_of(arguments)
    corpora: list[Corpus] = []
    for name in files:
        vocabulary = corpora[0].vocabulary if corpora else None
        corpora.append(read(name, dialect=dialect, on_error=arguments.on_error, vocabulary=vocabulary))
        if not len(corpora[-1]):
            raise OptionError(f"agreement: {corpora[-1].source}: no graphs")
    result = agreement(
        corpora,
        names=files,
        workers=arguments.workers,
        progress=not arguments.quiet,
        on_error=arguments.on_error,
        pair_by=arguments.pair_by,
        unpaired=arguments.unpaired,
        bootstrap=arguments.bootstrap,
        confidence=arguments.confidence,
        bootstrap_method=arguments.bootstrap_method,
        bootstrap_seed=arguments.bootstrap_seed,
        **metric_options(arguments),
    )
    if not arguments.quiet:
        for name, corpus in zip(result.names, corpora, strict=True):
            report.warn_broken(name, corpus)
            report.warn_repaired(corpus)
    if arguments.json:
        report.print_json(report.agreement_record(result))
    elif arguments.tsv:
        report.print_agreement_tsv(result)
    elif arguments.latex:
        report.print_agreement_latex(result)
    elif arguments.markdown:
        report.print_agreement_markdown(result)
    else:
        report.print_agreement(result)
    return 0
