"""The verb ``compare``."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from fastmatch.cli.arguments import (
    add_dialect,
    add_field_names,
    add_metric_options,
    add_output,
    add_pairing_options,
    add_resampling_options,
    add_running_options,
)
from fastmatch.cli.inputs import check_extract, dialect_of, metric_options
from fastmatch.cli.plotting import add_plot, check_plot
from fastmatch.errors import OptionError

if TYPE_CHECKING:
    import argparse

    from fastmatch.cli.arguments import Verbs

__all__ = ["add_compare"]


def add_compare(verbs: Verbs, *metrics: str) -> None:
    """Add the verb, with the flags of a metric."""
    compare = verbs.add_parser(
        "compare",
        help="test whether systems differ on the same gold graphs",
        usage="fastmatch compare SYSTEM_A SYSTEM_B GOLD [options]\n"
        "       fastmatch compare SYSTEM_A SYSTEM_B SYSTEM_C ... --gold GOLD [options]",
        description="Score each system against GOLD, and test whether the others differ from the first one.",
        epilog="The last file is the gold one unless --gold names it. Exit status: 0 fine, 2 bad usage or input, "
        "130 interrupted.",
    )
    compare.add_argument("files", nargs="+", metavar="SYSTEM", help="files of predicted graphs, the baseline first")
    compare.add_argument("--gold", metavar="GOLD", help="file of gold graphs")
    add_field_names(compare)
    add_dialect(compare)
    add_metric_options(compare, metrics[-1])
    add_pairing_options(compare)
    tests = compare.add_argument_group("tests")
    tests.add_argument(
        "--against",
        choices=["first", "all"],
        default="first",
        help="compare each system with the first one (default), or every two",
    )
    tests.add_argument(
        "--correction",
        choices=["holm", "bonferroni", "bh", "none"],
        default="holm",
        help="correction of p-values for the number of comparisons (default: %(default)s; bh: Benjamini and Hochberg)",
    )
    add_resampling_options(
        compare, "--resamples", "number of resamples, of each test and for the intervals (default: %(default)s)", 10_000
    )
    add_running_options(compare)
    add_output(compare)
    compare.add_argument(
        "--per-pair",
        metavar="OUT.tsv",
        help="also write a table with one line a pair: index id, then the score of each system",
    )
    add_plot(compare, "the systems' scores and their differences with intervals")
    compare.set_defaults(run=_compare)


def _compare(arguments: argparse.Namespace) -> int:
    from fastmatch.cli.notices import warn_unreadable
    from fastmatch.cli.outputs import check_target
    from fastmatch.evaluation.comparison import compare
    from fastmatch.graphs.reading import read
    from fastmatch.report.model import emit
    from fastmatch.results.per_pair import write_headlines

    files, gold_file = arguments.files, arguments.gold
    if gold_file is None:
        files, gold_file = files[:-1], files[-1]
    if len(files) < 2:
        raise OptionError("compare: expected two systems or more and then the gold file, or --gold GOLD")
    if [*files, gold_file].count("-") > 1:
        raise OptionError("'-' (standard input) can stand for one of the files only")
    check_plot(arguments, *files, gold_file)
    if arguments.per_pair is not None:
        check_target(arguments.per_pair, *files, gold_file)
        if arguments.per_pair == "-":
            raise OptionError("--per-pair -: the report goes to standard output; give a file name")
    check_extract(arguments)
    given: dict[str, Any] = {
        "dialect": dialect_of(arguments),
        "on_error": arguments.on_error,
        "workers": arguments.workers,
    }
    gold = read(gold_file, field=arguments.gold_field, **given)
    given |= {"field": arguments.pred_field, "extract": arguments.extract, "vocabulary": gold.vocabulary}
    systems = [read(name, **given) for name in files]
    for corpus in (*systems, gold):
        if not len(corpus):
            raise OptionError(f"compare: {corpus.source}: no graphs")
    result = compare(
        *systems,
        gold=gold,
        names=files,
        workers=arguments.workers,
        progress=not arguments.quiet,
        pair_by=arguments.pair_by,
        unpaired=arguments.unpaired,
        resamples=arguments.resamples,
        confidence=arguments.confidence,
        bootstrap_method=arguments.bootstrap_method,
        bootstrap_seed=arguments.bootstrap_seed,
        correction=arguments.correction,
        against=arguments.against,
        **metric_options(arguments),
    )
    if not arguments.quiet:
        for name, score in zip(files, result.results, strict=True):
            warn_unreadable(score, system=name)
    if arguments.per_pair is not None:
        scores = dict(zip(result.names, result.results, strict=True))
        write_headlines(scores, result.results[0].ids, arguments.per_pair)
    if arguments.plot is not None:
        from fastmatch.plot.pages import write_comparison

        write_comparison(result, arguments.plot)
    emit(result.report(), arguments.form)
    return 0
