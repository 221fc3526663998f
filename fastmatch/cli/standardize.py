"""Verbs that rewrite graphs: ``standardize``, and ``docamr``, which also makes documents of sentence graphs."""

from __future__ import annotations

import argparse

from fastmatch.cli import add
from fastmatch.cli.parser import Parser


def add_standardize(standardize: Parser, *_: str) -> None:
    """Add the flags of the verb."""
    add.rewriting(standardize)
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
    add.choice(
        standardize,
        "--on-error",
        "raise skip empty repair",
        "what a graph becomes that cannot be read, or cannot be written so that it is read again: an error "
        "(default, and nothing is written), nothing, an empty graph, or, where it can be mended by rules, a whole one",
    )
    standardize.add_argument(
        "--triples",
        action="store_true",
        help="write tables of triples (source, target, role) instead of Penman text: they hold every graph as it is; "
        "--dialect tsv reads them",
    )
    standardize.set_defaults(run=_standardize)


def _standardize(arguments: argparse.Namespace) -> int:
    from functools import partial

    from fastmatch.cli.notices import warn_empty, warn_repaired, warn_rewritten
    from fastmatch.cli.outputs import check_target
    from fastmatch.errors import OptionError
    from fastmatch.graphs.reading import read
    from fastmatch.graphs.standardization.steps import standardize
    from fastmatch.graphs.standardization.texts import penman_texts, tables
    from fastmatch.report.writing import write_texts

    check_target(arguments.output, arguments.file)
    if arguments.triples and arguments.output.endswith(".fastmatch"):
        raise OptionError(f"--triples writes text, and {arguments.output} is the name of a saved corpus")
    skips = arguments.on_error == "skip"
    # a graph that is left out is counted all the same
    corpus = read(arguments.file, dialect=arguments.dialect, on_error="empty" if skips else arguments.on_error)
    warn_empty(corpus)
    warn_repaired(corpus)
    unread = [message for _, message in corpus.problems]
    if skips and unread:
        bad = {number for number, _ in corpus.problems}
        corpus = corpus[[number for number in range(len(corpus)) if number not in bad]]
    again = partial(standardize, steps=arguments.steps, table=arguments.table)
    corpus = again(corpus)
    unwritten: list[str] = []
    joined: list[int] = []
    if arguments.output.endswith(".fastmatch"):
        corpus.save(arguments.output)
    else:
        on_error = arguments.on_error
        written = tables(corpus, on_error) if arguments.triples else penman_texts(corpus, on_error, again)
        write_texts(written.texts, arguments.output)
        unwritten = [f"{corpus.source}: graph {number}: {reason}" for number, reason in written.problems]
        joined = written.joined
    warn_rewritten(unread, unwritten, joined, "left out" if skips else "an empty graph instead")
    return 0


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
