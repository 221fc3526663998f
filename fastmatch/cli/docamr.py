"""The verb ``docamr``: document graphs in another representation, or made of sentence graphs."""

from __future__ import annotations

import argparse

from fastmatch.cli import add
from fastmatch.cli.parser import Parser


def add_docamr(docamr: Parser, *_: str) -> None:
    """Add the flags of the verb."""
    add.rewriting(docamr)
    docamr.add_argument(
        "--rep",
        default="doc-amr",
        choices=["unmerged", "no-merge", "merge-names", "doc-amr", "merge-all"],
        help="how far the mentions of a chain are merged: not at all, chains of one mention, names, names and pronouns "
        "(default), or all",
    )
    docamr.add_argument("--flipped", action="store_true", help="let what refers to a mention refer to its chain")
    docamr.add_argument(
        "--coref",
        metavar="PATH",
        help="make documents: of MS-AMR's XML, of plain text, of a folder of such files, or of a list of them (*.fof)",
    )
    docamr.add_argument(
        "--coref-root", metavar="DIR", help="the folder from which paths of a list begin (default: the list's)"
    )
    docamr.add_argument(
        "--no-coref", action="store_true", help="with --coref: only join the sentences, without coreference"
    )
    docamr.add_argument(
        "--pairs",
        default="same-as",
        metavar="ROLE",
        help="the role that pairs mentions of one thing, of which chains are made (default: same-as)",
    )
    docamr.add_argument("--preset", choices=["tool"], help="tool: as the program docAMR 0.1.1, its slips included")
    docamr.set_defaults(run=_docamr)


def _docamr(arguments: argparse.Namespace) -> int:
    from fastmatch.cli.notices import warn_empty
    from fastmatch.cli.outputs import check_target
    from fastmatch.documents import join, read_annotations, represent
    from fastmatch.errors import OptionError
    from fastmatch.graphs.reading import read
    from fastmatch.graphs.standardization.texts import penman_texts
    from fastmatch.report.writing import write_texts

    for flag, given in (("--no-coref", arguments.no_coref), ("--coref-root", arguments.coref_root)):
        if given and arguments.coref is None:
            raise OptionError(f"{flag} needs --coref: without it, IN holds documents already")
    if arguments.file == "-" and arguments.coref == "-":
        raise OptionError("'-' stands for standard input, for one of IN and --coref")
    sources = [path for path in (arguments.file, arguments.coref) if path is not None]
    check_target(arguments.output, *sources)
    annotations = None
    if arguments.coref is not None:
        annotations = read_annotations(arguments.coref, root=arguments.coref_root)
    corpus = read(arguments.file)
    warn_empty(corpus)
    if annotations is None:
        made = represent(
            corpus, arguments.rep, flipped=arguments.flipped, pairs=arguments.pairs.lstrip(":"), preset=arguments.preset
        )
    else:
        made = join(
            corpus,
            annotations,
            arguments.rep,
            flipped=arguments.flipped,
            coreference=not arguments.no_coref,
            preset=arguments.preset,
        )
    if arguments.output.endswith(".fastmatch"):
        made.save(arguments.output)
    else:
        write_texts(penman_texts(made).texts, arguments.output)
    return 0
