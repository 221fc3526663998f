"""Verbs that rewrite graphs: ``standardize``, and ``docamr``, which also makes documents of sentence graphs."""

from __future__ import annotations

import argparse
from functools import partial

from fastmatch.cli.notices import warn_empty, warn_repaired, warn_rewritten
from fastmatch.errors import OptionError
from fastmatch.graphs.reading import read
from fastmatch.graphs.standardization.steps import standardize
from fastmatch.graphs.standardization.texts import penman_texts, tables
from fastmatch.report.writing import write_texts


def run_standardize(arguments: argparse.Namespace) -> int:

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


def run_docamr(arguments: argparse.Namespace) -> int:
    from fastmatch.documents import join, read_annotations, represent

    for flag, given in (("--no-coref", arguments.no_coref), ("--coref-root", arguments.coref_root)):
        if given and arguments.coref is None:
            raise OptionError(f"{flag} needs --coref: without it, IN holds documents already")
    annotations = None
    if arguments.coref is not None:
        annotations = read_annotations(arguments.coref, root=arguments.coref_root)
    corpus = read(arguments.file)
    warn_empty(corpus)
    rep, flipped, preset = arguments.rep, arguments.flipped, arguments.preset
    if annotations is None:
        made = represent(corpus, rep, flipped=flipped, preset=preset, pairs=arguments.pairs.lstrip(":"))
    else:
        made = join(corpus, annotations, rep, flipped=flipped, preset=preset, coreference=not arguments.no_coref)
    if arguments.output.endswith(".fastmatch"):
        made.save(arguments.output)
    else:
        write_texts(penman_texts(made).texts, arguments.output)
    return 0
