"""The command line: verbs and their options. Every verb reads, calls the Python API once and hands the result to
``fastmatch.report``; no score is computed here.

Exit status: 0 fine, 1 below ``--fail-under``, 2 bad usage or input, 130 interrupted. Results go to standard output,
everything else to standard error; an error that fastmatch raises on purpose is one line there, any other error is a
bug and keeps its traceback.

Start-up is part of the time a user waits for, so this module imports only what parsing the arguments needs; numpy and
the kernels come when a verb runs.


One module a group of verbs; :mod:`fastmatch.cli.arguments` is what they share.
"""

from __future__ import annotations

import argparse
import os
import sys
from functools import partial
from typing import TYPE_CHECKING

from fastmatch.cli import benchmarks, umr
from fastmatch.cli import compare as comparing
from fastmatch.cli import matrix as all_pairs
from fastmatch.cli import score as scoring
from fastmatch.cli import standardize as standardizing
from fastmatch.cli import train as training
from fastmatch.cli.arguments import EPILOG, Parser, add_own_options
from fastmatch.errors import FastmatchError
from fastmatch.version import __version__

if TYPE_CHECKING:
    from collections.abc import Sequence

__all__ = ["main"]


def _parser(metric: str) -> argparse.ArgumentParser:
    """``metric``: whose options to know besides those of all."""
    parser = Parser(
        prog="fastmatch",
        description="Compare meaning graphs (AMR, UMR, any rooted labelled graph in Penman notation).",
        epilog=EPILOG,
    )
    parser.add_argument("--version", action="version", version=f"fastmatch {__version__}")
    verbs = parser.add_subparsers(dest="verb", metavar="VERB", required=True, parser_class=Parser)
    scoring.add_demo(verbs)
    scoring.add_score(verbs, metric)
    scoring.add_align(verbs, metric)
    comparing.add_compare(verbs, metric)
    all_pairs.add_pairs(verbs, metric)
    standardizing.add_standardize(verbs)
    umr.add_umr(verbs, partial(add_own_options, metric=metric) if metric == "ancast" else None)
    training.add_train(verbs, partial(add_own_options, metric=metric) if metric == "wwlk" else None)
    benchmarks.add_verbs(verbs)
    return parser


def _one_line(error: BaseException) -> str:
    if isinstance(error, OSError) and error.filename is not None and error.strerror:
        return (
            f"{os.fsdecode(error.filename) if isinstance(error.filename, bytes) else error.filename}: {error.strerror}"
        )
    return " ".join(str(error).split())


def _metric_name(argv: Sequence[str] | None) -> str:
    """The metric that the arguments name: its module is imported, and its flags known, before all are parsed."""
    first = argparse.ArgumentParser(add_help=False, allow_abbrev=False, exit_on_error=False)
    first.add_argument("--metric", default="smatch", nargs="?", const="smatch")
    first.add_argument("--aspects", nargs="?")
    named, rest = first.parse_known_args(argv)
    verbs = {"train-wwlk": "wwlk", "umr": "ancast"}  # those that are of one metric
    if rest and rest[0] in verbs:
        return verbs[rest[0]]
    # the metric behind these aspects
    name: str = named.aspects if named.aspects in ("s2match", "smatch++") else named.metric
    return name


def main(argv: Sequence[str] | None = None) -> int:
    """Run the command line and return its exit status.

    Parameters
    ----------
    argv : sequence of str, optional
        The arguments without the program's name; ``sys.argv[1:]`` by default.
    """
    # No verb needs linear algebra, and starting OpenBLAS's threads costs nearly as much CPU as the rest of numpy.
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
    try:
        arguments = _parser(_metric_name(argv)).parse_args(argv)
        status: int = arguments.run(arguments)
        sys.stdout.flush()
    except BrokenPipeError:
        # The reader of the pipe has gone (`| head`): stay quiet, also in the flush at the interpreter's exit.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 141  # 128 + SIGPIPE, what a shell reports for a program that the signal ended
    except KeyboardInterrupt:
        print("fastmatch: interrupted", file=sys.stderr)
        return 130
    except (FastmatchError, OSError) as error:
        print(f"fastmatch: {_one_line(error)}", file=sys.stderr)
        return 2
    return status
