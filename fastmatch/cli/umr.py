"""The verb ``umr``: its flags, and one call of :func:`fastmatch.umr.scoring.score`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import argparse
    from collections.abc import Callable

__all__ = ["add_umr"]


def add_umr(verbs: Any, add_options: Callable[[argparse.ArgumentParser], None] | None) -> None:
    """Add the verb. ``add_options`` adds AnCast's flags; None unless this verb was typed, for it loads the metric."""
    umr = verbs.add_parser(
        "umr",
        help="compare UMR documents: sentences, modality, time, coreference",
        description="Compare a predicted UMR document with a gold one as AnCast++ does: the sentence graphs by AnCast, "
        "and the modal, temporal and coreference relations of the document level annotation under its alignment. Of "
        "several documents, files of the same names in two folders, the means are printed.",
        epilog='"-" stands for standard input, for one of the two; gzipped input is unpacked.',
    )
    umr.add_argument("pred", metavar="PRED", help="file with the predicted document, or folder of such files")
    umr.add_argument("gold", metavar="GOLD", help="file with the gold document, or folder with files of the same names")
    umr.add_argument("--preset", metavar="NAME", help="'tool': as the package ancast 0.1.1 does it, its slips included")
    umr.add_argument(
        "--per-sentence",
        metavar="OUT.tsv",
        help="also write one line a sentence, with AnCast's scores of it; '-' writes them to standard output, and the "
        "table to standard error",
    )
    form = umr.add_mutually_exclusive_group()
    form.add_argument("--json", action="store_true", help="print one JSON object instead of the table")
    form.add_argument("--tsv", action="store_true", help="print a header and a line a document instead of the table")
    umr.add_argument(
        "--quiet", action="store_true", help="say nothing of sentences that are left out, or whose texts differ"
    )
    if add_options is not None:
        add_options(umr)
    umr.set_defaults(run=_umr)


def _umr(arguments: argparse.Namespace) -> int:
    import sys
    from pathlib import Path

    from fastmatch import report
    from fastmatch.cli.arguments import own_options
    from fastmatch.errors import OptionError
    from fastmatch.umr.scoring import score

    if arguments.pred == "-" and arguments.gold == "-":
        raise OptionError("'-' (standard input) can stand for one of the two files, not for both")
    to_stdout = arguments.per_sentence == "-"
    if to_stdout and (arguments.json or arguments.tsv):
        raise OptionError("--per-sentence - and --json or --tsv would both write to standard output; give a file name")
    if arguments.per_sentence is not None:
        report.check_target(arguments.per_sentence, arguments.pred, arguments.gold)
    result = score(Path(arguments.pred), Path(arguments.gold), preset=arguments.preset, **own_options(arguments))
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
