"""The verb ``standardize``."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import argparse

    from fastmatch.cli.arguments import Verbs

__all__ = ["add_standardize"]


def add_standardize(verbs: Verbs) -> None:
    """Add the verb."""
    standardize = verbs.add_parser(
        "standardize",
        help="rewrite graphs so that what means the same is written the same",
        description="Read the graphs of IN, rewrite them step by step, and write the result.",
    )
    standardize.add_argument("file", metavar="IN", help="file of graphs; '-' is standard input")
    standardize.add_argument(
        "-o",
        "--output",
        default="-",
        metavar="OUT",
        help="where to write Penman text, or, to a name that ends in .fastmatch, a saved corpus; '-', the default, is "
        "standard output",
    )
    standardize.add_argument(
        "--steps",
        required=True,
        metavar="STEP,STEP",
        help="names of steps, taken in order, or a preset: smatch++, smatch++/reify, generic, none. The steps: "
        "lower-case, drop-quotes, drop-all-quotes, link-constants, domain-to-mod, mod-to-domain, de-invert, "
        "de-invert-all, as-written, reify, dereify, root-concept, root-constant, drop-root, drop-wiki, drop-senses, "
        "unlabel, remove-duplicates",
    )
    standardize.add_argument(
        "--table",
        metavar="FILE",
        help="rules of the steps reify and dereify: amr (the AMR guidelines, the default), smatch++, or a file with "
        "one rule a line: relation, concept, role of the source, role of the target",
    )
    standardize.add_argument("--dialect", default="penman", metavar="NAME", help="how to read IN (default: penman)")
    standardize.add_argument(
        "--on-error",
        choices=["raise", "skip", "empty"],
        default="raise",
        help="what a graph that cannot be read becomes: an error (default), nothing, or an empty graph",
    )
    standardize.set_defaults(run=_standardize)


def _standardize(arguments: argparse.Namespace) -> int:
    from fastmatch import report
    from fastmatch.graphs.reading import read
    from fastmatch.standardization.labels import writable
    from fastmatch.standardization.steps import standardize

    report.check_target(arguments.output)
    corpus = read(arguments.file, dialect=arguments.dialect, on_error=arguments.on_error)
    corpus = standardize(corpus, arguments.steps, table=arguments.table)
    if arguments.output.endswith(".fastmatch"):
        corpus.save(arguments.output)
    else:
        report.write_graphs(writable(corpus), arguments.output)
    return 0
