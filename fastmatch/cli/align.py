"""The verb ``align``: one pair, the worst pairs, or a page of all pairs."""

from __future__ import annotations

import os
import sys
from typing import TYPE_CHECKING, Any, TextIO

from fastmatch.cli.arguments import (
    add_dialect,
    add_fields,
    add_json,
    add_metric_options,
    add_pairing_options,
    add_running_options,
)
from fastmatch.cli.check import add_certificate, check_certificate, say_unproven
from fastmatch.cli.converters import count, positive
from fastmatch.cli.inputs import check_extract, check_standard_input, dialect_of, file_names, made_metric, read_pairs
from fastmatch.cli.parser import EPILOG
from fastmatch.errors import OptionError
from fastmatch.runtime.streams import say

if TYPE_CHECKING:
    import argparse
    from collections.abc import Sequence

    from fastmatch.cli.arguments import Verbs
    from fastmatch.graphs.corpus import Corpus
    from fastmatch.metrics.base import Metric
    from fastmatch.results.features import NamedFeature
    from fastmatch.results.scores import CorpusScore

__all__ = ["add_align", "alignment_records", "show_alignments"]


def add_align(verbs: Verbs, *metrics: str) -> None:
    """Add the verb ``align``, with the flags of a metric."""
    align = verbs.add_parser(
        "align",
        help="show which variables and triples match, of a pair or of all pairs",
        description="Align pairs of graphs and show which variables and which triples match, or which features both "
        "have if the metric compares features: one pair (the first, or "
        "that of --index or --id), the worst pairs (--worst), or all of them in a page for a browser (--html).",
        epilog=EPILOG,
    )
    align.add_argument("pred", metavar="PRED", help="file of predicted graphs; with --text, the graph itself")
    align.add_argument("gold", metavar="GOLD", help="file of gold graphs; with --text, the graph itself")
    add_fields(align)
    align.besides = (
        "; the page of --html shows further systems by --more FILE; "
        "fastmatch score and compare take several systems, GOLD last"
    )
    align.add_argument("-e", "--text", action="store_true", help="PRED and GOLD are graphs, not names of files")
    which = align.add_mutually_exclusive_group()
    which.add_argument("--index", type=count, metavar="I", help="which pair of the files, counted from 0 (default: 0)")
    which.add_argument("--id", metavar="ID", help="the pair whose gold graph has this '# ::id'")
    which.add_argument("--worst", type=positive, metavar="N", help="the N pairs with the lowest scores")
    add_dialect(align)
    add_metric_options(align, metrics[-1])
    add_pairing_options(align)
    add_running_options(align)
    output = align.add_argument_group("output")
    output.add_argument(
        "--html",
        metavar="OUT.html",
        help="write a page that shows all pairs, or the one chosen: one file that any browser opens, without network; "
        "'-' writes it to standard output",
    )
    output.add_argument(
        "--more",
        metavar="FILE",
        action="append",
        default=[],
        help="with --html, predictions of a further system for the same gold graphs; may be given several times",
    )
    output.add_argument(
        "--frames",
        metavar="FILE",
        help="with --html, a file that says what the roles of frames mean, a line 'predicate  ARG0: description  "
        "ARG1: ...' each",
    )
    output.add_argument(
        "--view",
        choices=["sides", "tables"],
        help="sides: the graphs beside each other (default on a terminal); tables: of variables and of triples "
        "(default elsewhere)",
    )
    add_certificate(output, "for each pair that is shown")
    add_json(output, "the tables (with --worst a list of objects)")
    align.set_defaults(run=_align)


def _align(arguments: argparse.Namespace) -> int:
    for name, given in (("--more", arguments.more), ("--frames", arguments.frames)):
        if given and arguments.html is None:
            raise OptionError(f"{name} goes with --html: the page shows several systems, and what roles mean")
    if arguments.html is not None:
        if arguments.worst is not None:
            raise OptionError("--worst does not go with --html: the page lists the worst pairs first")
        for flag in ("json", "view", "certificate"):
            if getattr(arguments, flag):
                raise OptionError(f"--{flag} does not go with --html: there is one output")
        return _page(arguments)
    metric = made_metric(arguments)
    if metric.aligns is None:
        if not metric.names_features:
            raise OptionError(f"align: metric {metric.name!r} makes no alignment, and names no features")
        if arguments.view == "sides":
            raise OptionError(f"--view sides: metric {metric.name!r} compares features, and aligns no nodes")
    if arguments.certificate is not None:
        check_certificate(arguments, metric)
    if arguments.text:
        pred, gold = _texts(arguments, metric)
        numbers = [0]
    else:
        pred, gold = read_pairs(arguments, arguments.on_error)
        numbers = _chosen(arguments, metric, pred, gold)
    if arguments.certificate is not None:
        from fastmatch.certificates.making import certificate

        found = certificate(pred[numbers], gold[numbers], metric=metric, out=arguments.certificate)
        if not arguments.quiet:
            say_unproven(found)
    return _show(arguments, metric, pred, gold, numbers)


def _texts(arguments: argparse.Namespace, metric: Metric) -> tuple[Corpus, Corpus]:
    """Two graphs that stand in the arguments themselves."""
    from fastmatch.graphs.forms import corpora_of, parsed

    if arguments.gold is None:
        raise OptionError("align --text: expected two graphs, PRED and GOLD")
    if arguments.pred_field is not None or arguments.gold_field is not None or arguments.extract:
        raise OptionError("--pred-field, --gold-field and --extract are for files, not for --text")
    if arguments.pair_by != "position":
        raise OptionError("--pair-by is for files; with --text there is only one pair")
    for flag in ("index", "id", "worst"):
        if getattr(arguments, flag) is not None:
            raise OptionError(f"--{flag} chooses a pair of two files; with --text there is only one pair")
    if arguments.dialect is None:
        return corpora_of(arguments.pred, arguments.gold, metric.dialect, arguments.on_error, one=True)
    dialect = dialect_of(arguments, metric)
    pred = parsed("pred", [arguments.pred], dialect, arguments.on_error, None)
    return pred, parsed("gold", [arguments.gold], dialect, arguments.on_error, pred.vocabulary)


def _chosen(arguments: argparse.Namespace, metric: Metric, pred: Corpus, gold: Corpus) -> list[int]:
    """The numbers of the pairs that are asked for."""
    from fastmatch.evaluation.checks import warn_odd_pairs
    from fastmatch.evaluation.scoring import score

    if arguments.worst is not None:
        result = score(pred, gold, metric=metric, workers=arguments.workers, progress=not arguments.quiet)
        return [pair.index for pair in result.worst(arguments.worst)]
    index = _number(arguments, pred, gold)
    names = arguments.pred, arguments.gold or arguments.pred
    warn_odd_pairs(pred[index : index + 1], gold[index : index + 1], names)
    return [index]


def _number(arguments: argparse.Namespace, pred: Corpus, gold: Corpus) -> int:
    """The number of the pair that ``--index`` or ``--id`` names; 0 by default."""
    if arguments.id is not None:
        found = [k for k, ids in enumerate(zip(gold.ids, pred.ids, strict=False)) if arguments.id in ids]
        if len(found) == 1:
            return found[0]
        from difflib import get_close_matches

        known = [id for id in gold.ids if id]
        near = get_close_matches(arguments.id, known, 1)
        hint = f"; did you mean {near[0]!r}?" if near else ""
        raise OptionError(f"--id {arguments.id!r}: expected the ::id of one pair, found {len(found)}{hint}")
    index: int = arguments.index or 0
    for name, corpus in ((arguments.pred, pred), (arguments.gold or arguments.pred, gold)):
        if index >= len(corpus):
            raise OptionError(f"--index {index}: {name} holds {len(corpus)} graphs, counted from 0")
    return index


def _show(arguments: argparse.Namespace, metric: Metric, pred: Corpus, gold: Corpus, numbers: list[int]) -> int:
    from fastmatch.report.writing import print_json

    several = arguments.worst is not None
    if arguments.json:
        records = alignment_records(metric, pred, gold, numbers)
        if several:
            print_json([{"index": k, **record} for k, record in zip(numbers, records, strict=True)])
        else:
            print_json(records[0])
    else:
        show_alignments(metric, pred, gold, numbers, arguments.view, titles=several)
    return 0


def alignment_records(metric: Metric, pred: Corpus, gold: Corpus, numbers: Sequence[int]) -> list[dict[str, Any]]:
    """The alignments of these pairs, or their features, as objects for JSON."""
    from fastmatch.evaluation.scoring import align

    pairs = [(pred[k : k + 1], gold[k : k + 1]) for k in numbers]
    if metric.aligns is None:
        return [_features_record(metric, *pair) for pair in pairs]
    return [{**_ids(*pair), **align(*pair, metric=metric).to_dict()} for pair in pairs]


def _ids(pred: Corpus, gold: Corpus) -> dict[str, str | None]:
    return {"pred_id": pred[0].metadata.get("id"), "gold_id": gold[0].metadata.get("id")}


def _features_record(metric: Metric, pred: Corpus, gold: Corpus) -> dict[str, Any]:
    """The features of a pair; null where there are too many to be named.

    ``pred`` and ``gold`` say how often a graph has a feature, ``shared`` how often both have it.
    """
    result, features = _features(metric, pred, gold)
    rows = [
        {"group": row.group, "text": row.text, "shared": row.shared, "pred": len(row.pred), "gold": len(row.gold)}
        for row in features or ()
    ]
    signature = {"metric": result.signature.metric, "signature": str(result.signature)}
    return {
        **_ids(pred, gold),
        **signature,
        "scores": dict(result.scores),
        "features": None if features is None else rows,
    }


def show_alignments(
    metric: Metric,
    pred: Corpus,
    gold: Corpus,
    numbers: Sequence[int],
    view: str | None = None,
    *,
    titles: bool,
    file: TextIO | None = None,
) -> None:
    """Print the alignments of these pairs, or the features of a metric that aligns nothing.

    ``view`` is ``"sides"`` or ``"tables"``, by default what suits the file; ``titles`` puts number and id before each.
    """
    import shutil

    from fastmatch.evaluation.scoring import align
    from fastmatch.pages.terminal import print_alignment, print_alignment_sides, print_features, print_flow
    from fastmatch.results.flow import FlowAlignment
    from fastmatch.runtime.streams import printable

    file = sys.stdout if file is None else file
    view = view or ("sides" if file.isatty() else "tables")
    for place, k in enumerate(numbers):
        pair = pred[k : k + 1], gold[k : k + 1]
        if titles:
            name = printable(f", {gold.ids[k]}") if gold.ids[k] else ""
            print("\n" * bool(place) + f"pair {k}{name}", file=file)
        if metric.aligns is None:
            print_features(*_features(metric, *pair), pair[0][0], pair[1][0], file)
            continue
        alignment = align(*pair, metric=metric)
        if isinstance(alignment, FlowAlignment):
            print_flow(alignment, file)
        elif view == "sides":
            print_alignment_sides(alignment, metric, *pair, shutil.get_terminal_size((100, 24)).columns, file)
        else:
            print_alignment(alignment, pair[0][0], pair[1][0], file)


def _features(metric: Metric, pred: Corpus, gold: Corpus) -> tuple[CorpusScore, list[NamedFeature] | None]:
    """The score of one pair, and its features. What is odd about the pair was said when it was chosen."""
    import warnings

    from fastmatch.errors import PairingWarning
    from fastmatch.evaluation.scoring import score

    with warnings.catch_warnings():
        warnings.simplefilter("ignore", PairingWarning)
        result = score(pred, gold, metric=metric)
    return result, metric.named_features(pred, gold, 0, 0)


def _page(arguments: argparse.Namespace) -> int:
    """Write a page of all pairs, or of the one that is chosen."""
    from fastmatch.cli.outputs import check_target
    from fastmatch.graphs.reading import read
    from fastmatch.pages.why_page import html
    from fastmatch.report.writing import write_lines

    names = [*file_names(arguments), *arguments.more]
    metric = made_metric(arguments)
    if arguments.text and arguments.more:
        raise OptionError("--more is for files; with --text there is only one pair")
    if not arguments.text:
        check_standard_input(*names)
        check_target(arguments.html, *names)
    chosen = arguments.index is not None or arguments.id is not None
    if chosen and arguments.more and arguments.pair_by == "id":
        raise OptionError("--index and --id go with pairs by position where there are several systems")
    pairing: dict[str, Any] = {}
    if arguments.text:
        corpora = list(_texts(arguments, metric))
    elif arguments.more:
        check_extract(arguments)
        fields = [arguments.pred_field, arguments.gold_field, *[arguments.pred_field] * len(arguments.more)]
        corpora = [
            read(
                name,
                dialect=dialect_of(arguments, metric),
                on_error=arguments.on_error,
                field=field,
                extract=arguments.extract and k != 1,
                workers=arguments.workers,
            )
            for k, (name, field) in enumerate(zip(names, fields, strict=True))
        ]
        pairing = {"pair_by": arguments.pair_by, "unpaired": arguments.unpaired}
    else:
        corpora = list(read_pairs(arguments, arguments.on_error))
    if arguments.text:
        names = ["prediction", "gold"]
    elif arguments.gold is None:  # one file holds both sides
        names = [f"{arguments.pred}: {field}" for field in (arguments.pred_field, arguments.gold_field)]
    if chosen and not arguments.text:
        k = _number(arguments, *corpora[:2])
        corpora = [corpus[k : k + 1] for corpus in corpora]
    page = html(
        *corpora,
        names=_base_names([names[0], *names[2:], names[1]]),
        metric=metric,
        frames=arguments.frames,
        workers=arguments.workers,
        progress=not arguments.quiet,
        on_error=arguments.on_error,
        **pairing,
    )
    write_lines([page], arguments.html)
    if arguments.html != "-":
        systems = ", ".join([names[0], *names[2:]])
        say(f"{arguments.html}: {len(page) / 1e6:.1f} MB, {systems} against {names[1]} as gold graphs", sys.stdout)
    return 0


def _base_names(paths: list[str]) -> list[str]:
    """Files by their names without folders, where these differ."""
    names = ["standard input" if path == "-" else os.path.basename(path) for path in paths]
    return names if len(set(names)) == len(names) else paths
