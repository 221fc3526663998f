"""The verb ``umr``: its flags, and one call of :func:`fastmatch.umr.scoring.score`."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

from fastmatch.cli.arguments import add_form, add_own_options, add_quiet
from fastmatch.cli.inputs import check_standard_input, own_options
from fastmatch.errors import OptionError

if TYPE_CHECKING:
    import argparse

    from fastmatch.cli.arguments import Verbs

__all__ = ["METRIC", "VERB", "add_umr"]

VERB = "umr"
#: The metric behind the verb.
METRIC = "ancast"


def add_umr(verbs: Verbs, metric: str) -> None:
    """Add the verb; the flags of its metric only if that is ``metric``, because they load its module."""
    umr = verbs.add_parser(
        VERB,
        help="compare UMR documents: sentences, modality, time, coreference",
        description="Compare a predicted UMR document with a gold one as AnCast++ does: the sentence graphs by AnCast, "
        "and the modal, temporal and coreference relations of the document level annotation under its alignment. Two "
        "folders are compared by files of the same names, and the means over the documents are printed.",
        epilog='"-" stands for standard input, for one of the two; gzipped input is unpacked.',
    )
    umr.add_argument("pred", metavar="PRED", help="file with the predicted document, or folder of such files")
    umr.add_argument("gold", metavar="GOLD", help="file with the gold document, or folder with files of the same names")
    umr.add_argument("--preset", metavar="NAME", help="'tool': as the package ancast 0.1.1 does it, its slips included")
    umr.add_argument(
        "--per-sentence",
        metavar="OUT.tsv",
        help="also write a table with one line a sentence and AnCast's scores of it; '-' writes it to standard output, "
        "and the table of the documents to standard error",
    )
    umr.add_argument(
        "--on-error",
        choices=["raise", "empty", "repair", "skip"],
        help="what becomes of a graph, an alignment or an annotation that cannot be read: an error (default); nothing, "
        "so that it counts against the side that lacks it; a graph that is mended; or the sentence is left out on both "
        "sides (default of preset tool)",
    )
    add_form(umr, "the table", tsv="print a header and a line a document instead of the table")
    add_quiet(umr, "no warnings of sentences that could not be read, or whose texts differ")
    if metric == METRIC:
        add_own_options(umr, METRIC)
    umr.set_defaults(run=_umr)


def _umr(arguments: argparse.Namespace) -> int:
    from pathlib import Path

    from fastmatch import report
    from fastmatch.umr.scoring import score

    check_standard_input(arguments.pred, arguments.gold)
    to_stdout = arguments.per_sentence == "-"
    if to_stdout and (arguments.json or arguments.tsv):
        raise OptionError("--per-sentence - and --json or --tsv would both write to standard output; give a file name")
    if arguments.per_sentence is not None:
        report.check_target(arguments.per_sentence, arguments.pred, arguments.gold)
    result = score(
        Path(arguments.pred),
        Path(arguments.gold),
        preset=arguments.preset,
        on_error=arguments.on_error,
        **own_options(arguments, METRIC),
    )
    if not arguments.quiet:
        report.warn_left_out(result)
    if arguments.per_sentence is not None:
        report.write_sentences(result, arguments.per_sentence)
    if arguments.json:
        report.print_json(report.documents_record(result))
    elif arguments.tsv:
        report.print_documents_tsv(result)
    elif not to_stdout:
        report.print_documents(result)
    elif not arguments.quiet:
        report.print_documents(result, sys.stderr)
    return 0
