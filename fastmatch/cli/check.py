"""The verb ``check``, and what verbs that write certificates of optimal matches share."""

from __future__ import annotations

import os
import sys
from typing import TYPE_CHECKING

from fastmatch.errors import FastmatchError, OptionError, first_few

if TYPE_CHECKING:
    import argparse
    from collections.abc import Sequence

    from fastmatch.evaluation.certificates.making import Certificates
    from fastmatch.graphs.corpus import Corpus
    from fastmatch.metrics.base import Metric
    from fastmatch.results.pairs import PairScores
    from fastmatch.results.signature import Signature


def run_check(arguments: argparse.Namespace) -> int:
    from fastmatch.evaluation.certificates.check_certificates import Refused, check

    for name in (arguments.certificates, *arguments.graphs):
        with open(name, "rb"):
            pass  # a file that is not there is said as everywhere
    try:
        status: int = check(arguments.certificates, arguments.graphs, arguments.strict, arguments.summary)
    except Refused as error:
        raise FastmatchError(str(error)) from None
    return status


def check_certificate(arguments: argparse.Namespace, metric: Metric | None = None) -> None:
    """Raise an error if the metric, if there is one, has no certificates, or the file cannot be written."""
    from fastmatch.evaluation.certificates.making import check_certifiable

    if metric is not None:
        check_certifiable(metric)
    if arguments.certificate == "-":
        raise OptionError("--certificate -: the report goes to standard output; give a file name")


def write_certificate(
    arguments: argparse.Namespace,
    metric: Metric,
    pred: Corpus,
    gold: Corpus,
    scores: PairScores,
    signature: Signature,
    chosen: tuple[Sequence[int], int] | None = None,
) -> None:
    """Write the file of pairs that were scored; ``chosen`` are their numbers in the files, and how many these have."""
    from fastmatch.evaluation.certificates.making import certificate_file, certified

    fields = arguments.pred_field, arguments.gold_field
    given = zip(("pred", "gold"), (arguments.pred, arguments.gold), fields, strict=True)
    names = {side: name if field is None and name and os.path.isfile(name) else None for side, name, field in given}
    plain = arguments.pair_by == "position" and arguments.on_error == "raise"
    with certificate_file(arguments.certificate) as lines:
        progress = not arguments.quiet
        found = certified(metric, pred, gold, scores, signature, names, lines, progress, plain=plain, chosen=chosen)
    if not arguments.quiet:
        say_unproven(found)


def say_unproven(found: Certificates) -> None:
    """A line on standard error if there are pairs without a proof."""
    if found.unproven:
        first = first_few(map(str, found.unproven))
        text = f"{len(found.unproven):,} of {found.n_pairs:,} pairs have no proof (pair {first})"
        print(f"fastmatch: {text}", file=sys.stderr)
