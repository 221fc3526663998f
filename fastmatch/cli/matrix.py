"""The verbs ``matrix`` and ``search``: all pairs of graphs, and the nearest graphs of each query."""

from __future__ import annotations

import argparse
import errno
import os
import re
import sys
from collections.abc import Callable
from typing import Any

import numpy as np

from fastmatch.allpairs.groups import groups
from fastmatch.allpairs.matrix import cdist, write_matrix
from fastmatch.allpairs.neighbours import Search, top_k
from fastmatch.allpairs.setting import Setting
from fastmatch.cli import inputs
from fastmatch.cli.notices import warn_repaired
from fastmatch.cli.outputs import print_groups
from fastmatch.errors import OptionError
from fastmatch.graphs.corpus import Corpus
from fastmatch.graphs.reading import read
from fastmatch.report.model import Report
from fastmatch.runtime.files import followed, new_bytes, new_text
from fastmatch.runtime.streams import say

#: A matrix of so many times the room that is left is not begun. No file system packs scores so well.
_FAR_TOO_LARGE = 10
#: Bytes that harm nobody.
_SMALL = 10**9
#: The cutoff of groups.
_NEAR = 0.9


def _given(arguments: argparse.Namespace) -> dict[str, Any]:
    """The metric, the cutoff, ``workers`` and ``progress``."""
    return {"metric": inputs.made_metric(arguments), "score_cutoff": arguments.cutoff, **inputs.running(arguments)}


def _setting(arguments: argparse.Namespace, pred: Corpus, gold: Corpus | None) -> Setting:
    """All that is needed to write scores to a file."""
    return Setting.make(pred, gold, inputs.made_metric(arguments), None, arguments.cutoff, "raise", {})


def _write_best(arguments: argparse.Namespace, pred: Corpus, gold: Corpus | None) -> None:
    search = Search(_setting(arguments, pred, gold), arguments.k, gold is None, **inputs.running(arguments))
    search.to_file(arguments.output, arguments.resume)


def _write_matrix(arguments: argparse.Namespace, kind: np.dtype[Any], pred: Corpus, gold: Corpus | None) -> None:
    setting = _setting(arguments, pred, gold)
    write_matrix(arguments.output, setting, kind, resume=arguments.resume, **inputs.running(arguments))


def _corpora(arguments: argparse.Namespace) -> tuple[Corpus, Corpus | None]:
    """Both files, or both fields of one; or the only one."""

    pred: Corpus
    gold: Corpus | None = None
    if arguments.gold is not None or arguments.gold_field is not None:
        pred, gold = inputs.read_both(arguments, arguments.on_error)
    else:
        inputs.check_extract(arguments)
        own = inputs.flags(arguments, "on_error", "extract", "workers")
        pred = read(arguments.pred, dialect=inputs.dialect_of(arguments), field=arguments.pred_field, **own)
    if not len(pred):
        raise OptionError(f"{pred.source}: no graphs")
    return pred, gold


def _warn_unreadable(arguments: argparse.Namespace, *corpora: Corpus | None) -> None:
    if arguments.quiet:
        return

    for corpus in corpora:
        if corpus is None:
            continue
        for index, message in corpus.problems:
            say(f"fastmatch: graph {index} is unreadable and counts as empty: {message}", sys.stderr)
        warn_repaired(corpus)


def run_matrix(arguments: argparse.Namespace) -> int:
    if isinstance(arguments.top, int):
        if arguments.k is not None:
            raise OptionError("-k K and --top K are the same; give one of them")
        arguments.k, arguments.top = arguments.top, None
    _check_output(arguments)
    _check_picture(arguments)
    _check_groups(arguments)
    if arguments.unique is not None:
        arguments.pred = inputs.keep_standard_input(arguments.pred)[0]
    corpus, other = _corpora(arguments)
    _warn_unreadable(arguments, corpus, other)
    if arguments.groups is not None or arguments.unique is not None:
        _group(arguments, corpus)
    if arguments.plot is None:
        return _write(arguments, corpus, other) if arguments.output is not None else 0
    from fastmatch.plot.corpora import LARGEST

    if len(corpus) > LARGEST:
        raise OptionError(f"--plot: {corpus.source} holds {len(corpus):,} graphs; expected {LARGEST:,} at most")
    return _plot(arguments, corpus)


def _check_output(arguments: argparse.Namespace) -> None:
    """Whether options and the name of the file go together, and it can be written."""

    path: str | None = arguments.output
    if path is None:
        if arguments.plot is None and arguments.groups is None and arguments.unique is None:
            raise OptionError("expected --output OUT, --plot OUT, --groups OUT.tsv or --unique OUT.amr")
        if arguments.resume or arguments.dtype is not None:
            raise OptionError("--resume and --dtype are about the file of --output, and there is none")
        if arguments.k is not None and arguments.plot is None:
            raise OptionError("-k and --top are about the table of --output, and there is none")
        return
    kind = os.path.splitext(path)[1]
    if kind not in (".npy", ".parquet"):
        raise OptionError(f"--output {path}: expected a name that ends in .npy or .parquet")
    if kind == ".npy" and arguments.k is not None:
        raise OptionError("-k and --top make a table, not a matrix: expected a name that ends in .parquet")
    if kind == ".parquet" and arguments.dtype is not None:
        raise OptionError("--dtype is of a matrix (.npy); the scores of a table are float64")


def _check_picture(arguments: argparse.Namespace) -> None:
    """Whether what is computed can be drawn."""
    if arguments.plot is None:
        if arguments.plot_as is not None:
            raise OptionError("--plot-as is about the picture of --plot, and there is none")
        return
    if arguments.gold is not None or arguments.gold_field is not None:
        raise OptionError("--plot draws one corpus: leave out OTHER, or --gold-field")
    if arguments.k is not None or os.path.splitext(arguments.output or "x.npy")[1] != ".npy":
        raise OptionError("--plot draws a whole matrix: expected --output OUT.npy or none, and no K")


def _check_groups(arguments: argparse.Namespace) -> None:
    """Whether there is one corpus to be grouped, whose text can be kept, and the files can be written."""

    wanted = [name for name in (arguments.groups, arguments.unique) if name is not None]
    if not wanted:
        return
    if arguments.gold is not None or arguments.gold_field is not None:
        raise OptionError("--groups and --unique are about one corpus: leave out OTHER, or --gold-field")
    if arguments.unique is not None and arguments.pred_field is not None:
        raise OptionError("--unique keeps graphs of a text in Penman notation, not of a field")
    if arguments.cutoff == 0:
        raise OptionError("--cutoff 0 makes all graphs one group: expected more than 0 with --groups and --unique")
    for name in wanted:
        if re.fullmatch(r"[0-9.]+", name):
            raise OptionError(
                f"expected a file with --groups and --unique, not {name}; --cutoff {name} says who is alike"
            )


def _group(arguments: argparse.Namespace, corpus: Corpus) -> None:
    """Write the groups, and the graphs that stand for them."""

    texts = None
    if arguments.unique is not None:
        from fastmatch.graphs.texts import GraphTexts

        texts = GraphTexts(arguments.pred, corpus.dialect, arguments.on_error)
        if len(texts) != len(corpus):
            raise OptionError(f"--unique: {corpus.source} is no text in Penman notation, of which graphs could be kept")
    cutoff = _NEAR if arguments.cutoff is None else arguments.cutoff
    found = groups(corpus, **{**_given(arguments), "score_cutoff": cutoff})
    if arguments.groups is not None:
        with new_text(arguments.groups) as file:
            print_groups(found, file)
        print(f"{arguments.groups}: {len(corpus):,} graphs in {len(found):,} groups")
    if texts is not None:
        kept = set(found.representatives.tolist())
        with new_bytes(arguments.unique) as out:
            for number, text in enumerate(texts):
                if number in kept:
                    out.write(text if text.endswith((b"\n", b"\r")) else text + b"\n")
        print(f"{arguments.unique}: {len(found):,} of {len(corpus):,} graphs")


def _plot(arguments: argparse.Namespace, corpus: Corpus) -> int:
    """Draw the corpus; the matrix is written as well if that was asked for."""
    from fastmatch.plot.pages import write_corpus

    metric = inputs.made_metric(arguments)
    matrix: Any
    if arguments.output is None:
        matrix = cdist(corpus, **_given(arguments))
    else:
        status = _write(arguments, corpus, None)
        if status:
            return status
        matrix = np.load(arguments.output, mmap_mode="r")
    sentences = [corpus.metadata(g).get("snt", "") for g in range(len(corpus))]
    kind = arguments.plot_as or "heatmap"
    write_corpus(kind, matrix, corpus.ids, sentences, str(metric.signature(corpus.dialect)), arguments.plot)
    say(f"{arguments.plot}: {len(corpus):,} graphs as a {kind}", sys.stdout)
    return 0


def _write(arguments: argparse.Namespace, pred: Corpus, gold: Corpus | None) -> int:
    """Write the matrix, or a table; returns the exit status."""

    path: str = arguments.output
    shape = len(pred), len(gold if gold is not None else pred)
    if arguments.k is not None:
        return _written(path, shape, lambda: _write_best(arguments, pred, gold))
    if os.path.splitext(path)[1] == ".parquet":
        given = {**_given(arguments), "resume": arguments.resume}
        return _written(path, shape, lambda: cdist(pred, gold, sparse=True, out=path, **given))
    kind = np.dtype(arguments.dtype or "float32")
    _check_space(path, shape[0] * shape[1] * kind.itemsize, arguments.quiet)
    return _written(path, shape, lambda: _write_matrix(arguments, kind, pred, gold))


def _written(path: str, shape: tuple[int, int], compute: Callable[[], object]) -> int:
    """Run what streams to a file, and say how to go on if it is stopped; returns the exit status."""
    try:
        compute()
    except KeyboardInterrupt:
        part = f"{followed(path)}.part"
        left = f" (what is done is in {part})" if os.path.exists(part) else ""
        say(f"fastmatch: interrupted; go on with --resume{left}", sys.stderr)
        return 130
    except OSError as error:
        if error.errno not in (errno.ENOSPC, errno.EDQUOT):
            raise
        say(f"fastmatch: {error.filename}: {error.strerror}; make room and go on with --resume", sys.stderr)
        return 2
    say(f"{path}: {shape[0]:,} x {shape[1]:,} graphs compared", sys.stdout)
    return 0


def _check_space(path: str, needed: int, quiet: bool) -> None:
    """Warn before hours of work if the matrix is larger than its disk; it may fit, for some file systems compress.

    Raises
    ------
    OptionError
        If it is so much larger that it would only fill the disk, which others may use as well.
    """
    import shutil

    place = followed(path)
    free = shutil.disk_usage(os.path.dirname(os.path.abspath(place))).free
    for name in (place, f"{place}.part"):
        if os.path.exists(name):
            free += os.stat(name).st_blocks * 512 if hasattr(os.stat(name), "st_blocks") else os.path.getsize(name)
    if needed <= free:
        return
    size, left = (f"{number / 1e9:,.1f} GB" if needed >= 1e8 else f"{number:,} bytes" for number in (needed, free))
    message = f"{path} will take {size}; {left} are free there"
    if needed > _FAR_TOO_LARGE * free + _SMALL:
        advice = "--top K or --cutoff, with a name that ends in .parquet, keeps the best pairs only"
        raise OptionError(f"{message}; {advice}")
    if not quiet:
        say(f"fastmatch: warning: {message}", sys.stderr)


def run_search(arguments: argparse.Namespace) -> Report | int:

    path: str | None = arguments.output
    if path is None and arguments.resume:
        raise OptionError("--resume goes on with a file; name it with --output")
    if path is not None:
        if arguments.sentences:
            raise OptionError("--sentences is for what is printed; a table in a file has the ids of graphs")
        if os.path.splitext(path)[1] != ".parquet":
            raise OptionError(f"--output {path}: expected a name that ends in .parquet")
    queries, corpus = _corpora(arguments)
    _warn_unreadable(arguments, queries, corpus)
    if path is not None:
        shape = len(queries), len(corpus if corpus is not None else queries)
        return _written(path, shape, lambda: _write_best(arguments, queries, corpus))
    found = top_k(queries, corpus, arguments.k, **_given(arguments))
    sentences = (queries, queries if corpus is None else corpus) if arguments.sentences else None
    return found.report(sentences)
