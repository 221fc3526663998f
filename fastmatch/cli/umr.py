"""The verb ``umr``: its flags, and one call of :func:`fastmatch.umr.score`."""

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
        "and the modal, temporal and coreference relations of the document level annotation under its alignment.",
    )
    umr.add_argument("pred", metavar="PRED", help="file with the predicted document")
    umr.add_argument("gold", metavar="GOLD", help="file with the gold document")
    umr.add_argument("--preset", metavar="NAME", help="'tool': as the package ancast 0.1.1 does it, its slips included")
    umr.add_argument("--json", action="store_true", help="print one JSON object instead of the table")
    umr.add_argument("--quiet", action="store_true", help="say nothing of sentences that are left out")
    if add_options is not None:
        add_options(umr)
    umr.set_defaults(run=_umr)


def _umr(arguments: argparse.Namespace) -> int:
    from pathlib import Path

    from fastmatch import report, umr
    from fastmatch.cli.arguments import own_options

    result = umr.score(Path(arguments.pred), Path(arguments.gold), preset=arguments.preset, **own_options(arguments))
    if not arguments.quiet:
        report.warn_left_out(result)
    if arguments.json:
        report.print_json(report.documents_record(result))
    else:
        report.print_documents(result)
    return 0
