"""The verbs ``matrix`` and ``search``: their flags, and one call of ``fastmatch.cdist`` or ``fastmatch.top_k``."""

from __future__ import annotations

import argparse
import os
import sys
from typing import TYPE_CHECKING, Any

from fastmatch.cli.arguments import (
    EPILOG,
    add_metric_options,
    add_running_options,
    dialect_of,
    metric_options,
    positive,
    read_both,
)

if TYPE_CHECKING:
    from fastmatch.corpus import Corpus
    from fastmatch.metrics.base import Metric

__all__ = ["add_pairs"]


def add_pairs(verbs: Any, metric: str) -> None:
    """Add both verbs, with the flags of ``metric``."""
    _add_matrix(verbs, metric)
    _add_search(verbs, metric)


def _cutoff(text: str) -> float:
    try:
        value = float(text)
    except ValueError:
        value = -1.0
    if not 0 <= value <= 1:
        raise argparse.ArgumentTypeError(f"expected a fraction between 0 and 1, as scores are, found {text!r}")
    return value


def _add_matrix(verbs: Any, metric: str) -> None:
    matrix = verbs.add_parser(
        "matrix",
        help="score every graph against every graph",
        description="Score every graph of CORPUS (rows) against every graph of OTHER (columns), or of CORPUS itself.",
        epilog="OUT appears when it is whole; until then OUT.part and OUT.journal hold what is done. Exit status: 0 "
        "fine, 2 bad usage or input, 130 interrupted.",
    )
    matrix.add_argument("pred", metavar="CORPUS", help="file of graphs")
    matrix.add_argument("gold", metavar="OTHER", nargs="?", help="file of graphs (default: CORPUS itself)")
    matrix.add_argument(
        "-o",
        "--output",
        required=True,
        metavar="OUT",
        help="OUT.npy: the matrix, as numpy reads it; OUT.parquet: a table of the scores above 0, or of the K best",
    )
    add_metric_options(matrix, metric, top_k=True)
    what = matrix.add_argument_group("what to keep")
    what.add_argument(
        "-k",
        type=positive,
        metavar="K",
        help="the K best of every row (of CORPUS itself: without the graph's own); --top K is the same",
    )
    _add_cutoff(what)
    what.add_argument(
        "--dtype",
        choices=["float16", "float32", "float64"],
        help="of the matrix (default: float32)",
    )
    add_running_options(matrix)
    matrix.add_argument("--resume", action="store_true", help="go on where an earlier run was interrupted or killed")
    matrix.set_defaults(run=_matrix)


def _add_search(verbs: Any, metric: str) -> None:
    search = verbs.add_parser(
        "search",
        help="find the graphs most similar to each query",
        description="For every graph of QUERIES, the K graphs of CORPUS that score highest with it, the best first.",
        epilog=EPILOG,
    )
    search.add_argument("pred", metavar="QUERIES", help="file of graphs")
    search.add_argument("gold", metavar="CORPUS", help="file of graphs to search")
    search.add_argument("-k", type=positive, default=10, metavar="K", help="matches of a query (default: %(default)s)")
    add_metric_options(search, metric)
    _add_cutoff(search.add_argument_group("what to keep"))
    add_running_options(search)
    form = search.add_argument_group("output").add_mutually_exclusive_group()
    form.add_argument("--json", action="store_true", help="print one JSON object instead of the table")
    form.add_argument("--tsv", action="store_true", help="print a header and one line a match instead of the table")
    search.set_defaults(run=_search)


def _add_cutoff(group: Any) -> None:
    group.add_argument(
        "--cutoff",
        type=_cutoff,
        metavar="SCORE",
        help="leave out scores below this fraction, as 0.5; metrics with a bound skip the pairs that cannot reach it",
    )


def _corpora(arguments: argparse.Namespace) -> tuple[Corpus, Corpus | None]:
    """Both files, or the only one."""
    if arguments.gold is not None:
        return read_both(arguments, arguments.on_error)
    from fastmatch.reading import read

    return read(arguments.pred, dialect=dialect_of(arguments), on_error=arguments.on_error), None


def _unreadable(arguments: argparse.Namespace, *corpora: Corpus | None) -> None:
    if arguments.quiet:
        return
    for corpus in corpora:
        for index, message in corpus.problems if corpus is not None else ():
            print(f"fastmatch: graph {index} is unreadable and counts as empty: {message}", file=sys.stderr)


def _made(arguments: argparse.Namespace) -> Metric:
    """The metric with its options, among which may be one called k as well."""
    from fastmatch.metrics.base import make

    options = metric_options(arguments)
    return make(options.pop("metric"), options.pop("preset", None), **options)


def _matrix(arguments: argparse.Namespace) -> int:
    import fastmatch
    from fastmatch import report
    from fastmatch.errors import OptionError

    if isinstance(arguments.top, int):
        if arguments.k is not None:
            raise OptionError("-k K and --top K are the same; give one of them")
        arguments.k, arguments.top = arguments.top, None
    path: str = arguments.output
    kind = os.path.splitext(path)[1]
    if kind not in (".npy", ".parquet"):
        raise OptionError(f"--output {path}: expected a name that ends in .npy or .parquet")
    if kind == ".npy" and arguments.k is not None:
        raise OptionError("-k and --top make a table, not a matrix: expected a name that ends in .parquet")
    if kind == ".parquet" and arguments.dtype is not None:
        raise OptionError("--dtype is of a matrix (.npy); the scores of a table are float64")
    report.check_target(path)
    pred, gold = _corpora(arguments)
    _unreadable(arguments, pred, gold)
    given = {
        "metric": _made(arguments),
        "workers": arguments.workers,
        "progress": not arguments.quiet,
        "score_cutoff": arguments.cutoff,
        "out": path,
        "resume": arguments.resume,
    }
    try:
        if arguments.k is not None:
            fastmatch.top_k(pred, gold, arguments.k, **given)
        else:
            fastmatch.cdist(pred, gold, sparse=kind == ".parquet", dtype=arguments.dtype or "float32", **given)
    except KeyboardInterrupt:
        print(f"fastmatch: interrupted; go on with --resume (what is done is in {path}.part)", file=sys.stderr)
        return 130
    n_rows, n_columns = len(pred), len(gold if gold is not None else pred)
    print(f"{path}: {n_rows:,} x {n_columns:,} graphs compared")
    return 0


def _search(arguments: argparse.Namespace) -> int:
    import fastmatch
    from fastmatch import report

    queries, corpus = read_both(arguments, arguments.on_error)
    _unreadable(arguments, queries, corpus)
    found = fastmatch.top_k(
        queries,
        corpus,
        arguments.k,
        workers=arguments.workers,
        progress=not arguments.quiet,
        score_cutoff=arguments.cutoff,
        metric=_made(arguments),
    )
    if arguments.json:
        report.print_json(report.search_record(found))
    elif arguments.tsv:
        report.print_search_tsv(found)
    else:
        report.print_search(found)
    return 0
