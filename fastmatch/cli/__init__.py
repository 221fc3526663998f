"""The command line: verbs and their options, one module a group of verbs.

A verb reads files, calls the Python interface once and hands the result to ``fastmatch.report``; no score is computed
here. ``verbs.txt`` says what the verbs are and what they take, so it is there that an option is added; `verbs` reads
it, `add` makes arguments of it, `converters` and `parser` read what is given. `inputs`: files, read.

Exit status: 0 fine, 1 below ``--fail-under``, 2 bad usage or input, 130 interrupted. Results go to standard output,
everything else to standard error. An error that fastmatch raises on purpose is one line there; any other error is a
bug and keeps its traceback.

A user waits for the start of the program, so the module of a verb is imported when its arguments have been read. What
several verbs import loads no more at its top than all of them need.
"""

from __future__ import annotations

import argparse
import os
import re
import sys
import warnings
from contextlib import suppress
from importlib import import_module
from typing import TYPE_CHECKING, Any

from fastmatch.cli import add
from fastmatch.cli.parser import Parser
from fastmatch.cli.verbs import DOCUMENTS, VERBS, headings, said
from fastmatch.errors import FastmatchError, FastmatchWarning, OptionError, PairingError
from fastmatch.fine_grained.kinds import KINDS
from fastmatch.metrics.names import DEFAULT, DOCUMENT_METRICS, ELSEWHERE
from fastmatch.runtime.streams import drop_unwritten, name_standard_output, printable, take_any_text
from fastmatch.version import __version__

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from fastmatch.report.model import Report

__all__ = ["main"]

#: First words of verbs of two words.
_FIRST_WORDS = tuple(dict.fromkeys(verb.split()[0] for verb in VERBS if " " in verb))

#: What is the name of a file, whether there is one or not, where the verb is missing.
_FILE = re.compile(r"[^-].*\.[A-Za-z][A-Za-z0-9]{1,8}")


def main(argv: Sequence[str] | None = None) -> int:
    """Run the command line and return its exit status.

    Parameters
    ----------
    argv : sequence of str, optional
        The arguments without the program's name; ``sys.argv[1:]`` by default.
    """
    # No verb needs linear algebra, and starting OpenBLAS's threads costs nearly as much CPU as the rest of numpy.
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
    _open_closed_streams()
    take_any_text(sys.stdout)
    arguments = None
    given = sys.argv[1:] if argv is None else [*argv]
    if given[:1] == ["help"]:  # as git and pip have it: `help VERB` is `VERB --help`
        given = [*given[1:3], "--help"]
    given = _with_whole_verb(given)
    try:
        _check_verb(given)
        verb = given[0] if given else None
        documents = _are_documents(given)
        metrics = _metric_names(given, DOCUMENT_METRICS[0] if documents else DEFAULT)
        named = any(word.partition("=")[0] == "--metric" for word in given) and metrics != tuple(ELSEWHERE)
        parser = _parser(*metrics, verb=verb, named=named, documents=documents)
        arguments = parser.parse_args(given[1:] if verb in _FIRST_WORDS else given)
        with warnings.catch_warnings():
            warnings.simplefilter("ignore" if getattr(arguments, "quiet", False) else "always", FastmatchWarning)
            warnings.showwarning = _shown_once(arguments.parser)
            _check_files(arguments)
            module, function = arguments.run
            shown: Report | int = getattr(import_module(module), function)(arguments)
            if not isinstance(shown, int):
                import_module("fastmatch.report.model").emit(shown, arguments.form)
                shown = 0
        sys.stdout.flush()
    except BrokenPipeError:
        # The reader of the pipe has gone (`| head`): stay quiet.
        return 141  # 128 + SIGPIPE, what a shell reports for a program that the signal ended
    except KeyboardInterrupt:
        _say("interrupted")
        return 130
    except (FastmatchError, OSError) as error:
        if isinstance(error, OSError):
            name_standard_output(error)
        message = _one_line(error)
        if arguments is not None and isinstance(error, (OptionError, PairingError)):
            message = arguments.parser.in_flags(message)
        _say(message)
        return 2
    except MemoryError as error:
        what = f": {_one_line(error)}" if str(error) else ""
        _say(f"not enough memory{what}")
        return 2
    finally:
        drop_unwritten()
    return shown


def _parser(*metrics: str, verb: str | None = None, named: bool = False, documents: bool = False) -> Parser:
    """The parser of all verbs; those that take a metric have the flags of the last one, ``score`` those of all.

    If there is a verb of the name ``verb`` the parser knows only this one: who runs a verb waits for no other. Of the
    first word of verbs it knows only these verbs. ``named``: the metrics are not those by default. ``documents``: the
    files are UMR documents; to score them takes other flags than graphs, to align them another metric by default.
    """
    parser = Parser(
        prog="fastmatch",
        description="Compare meaning graphs (AMR, UMR, any rooted labelled graph in Penman notation).",
        epilog=VERBS["score"]["epilog"],
    )
    parser.add_argument("--version", action="version", version=f"fastmatch {__version__}")
    verbs = parser.add_subparsers(dest="verb", metavar="VERB", required=True, parser_class=Parser)
    wanted = (
        [verb] if verb in VERBS else [name for name in VERBS if verb not in _FIRST_WORDS or name.split()[0] == verb]
    )
    for name in wanted:
        section = DOCUMENTS if documents and name == "score" else name
        about = said(section)
        texts: dict[str, Any] = {key: about.get(key) for key in ("help", "description", "epilog", "usage")}
        added = verbs.add_parser(name, **texts)
        added.named, added.besides = named, about.get("besides", "")
        added.set_defaults(documents=False, run=(f"fastmatch.cli.{about['module']}", f"run_{section.split()[-1]}"))
        add.arguments(added, section, *metrics)
        if documents and name == "align":
            added.set_defaults(metric=DOCUMENT_METRICS[0], documents=True)
    parser.list_under(headings(), verbs)
    return parser


#: Arguments that name files to be written.
_WRITTEN = frozenset(
    ("output", "per_pair", "per_sentence", "per_role", "certificate", "votes", "page", "plot", "groups", "unique")
)
#: Those that name files to be read, of which one may be standard input; and others.
_READ = ("file", "files", "pred", "gold", "more", "coref")
_READ_BESIDES = ("scores", "train", "dev", "test", "embeddings", "parameters", "weights", "frames", "table")


def _check_files(arguments: argparse.Namespace) -> None:
    """Check, before hours of work, that standard input is named once, and that what is to be written can be."""
    given = {name.rpartition(" ")[2]: value for name, value in vars(arguments).items() if value is not None}
    read = [] if given.get("text") else [*_names([given.get(name) for name in _READ])]
    if read.count("-") > 1:
        which = "two files, not for both" if len(read) == 2 else "files only"
        raise OptionError(f"'-' (standard input) can stand for one of the {which}")
    read += _names([given.get(name) for name in _READ_BESIDES])
    taken: dict[str, str] = {}
    for action in arguments.parser._actions:
        path = given.get(action.dest) if action.dest in _WRITTEN else None
        if path is None:
            continue
        if action.dest == "plot":
            import_module("fastmatch.plot.canvas").check_plot(path)
        import_module("fastmatch.cli.outputs").check_target(path, *read)
        flag = taken.setdefault(path if path == "-" else os.path.realpath(path), action.option_strings[-1])
        if flag != action.option_strings[-1]:
            raise OptionError(f"{path}: {flag} and {action.option_strings[-1]} cannot go to one file")


def _names(value: object) -> Iterator[str]:
    """The texts in a list of lists."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, list):
        for each in value:
            yield from _names(each)


def _with_whole_verb(argv: Sequence[str]) -> list[str]:
    """The arguments, of which a verb of two words is one: ``bench rare``. Its first word alone asks for help."""
    if not argv or argv[0] not in _FIRST_WORDS:
        return [*argv]
    if len(argv) == 1:
        return [argv[0], "--help"]
    return [*argv] if argv[1].startswith("-") else [" ".join(argv[:2]), *argv[2:]]


def _check_verb(argv: Sequence[str]) -> None:
    """Raise :class:`~fastmatch.OptionError` if a file stands where the verb is missing: most want to score."""
    first = argv[0] if argv else ""
    if first.split(" ")[0] in (*VERBS, *_FIRST_WORDS):
        return
    if not (first == "-" or _FILE.fullmatch(first) or os.path.isfile(first)):
        return
    import shlex

    raise OptionError(f"expected a verb, found the file {first!r}; did you mean: fastmatch score {shlex.join(argv)}")


def _first_look(argv: Sequence[str]) -> tuple[argparse.Namespace, list[str]]:
    """What must be known of the arguments before all of them are parsed, and the others."""
    first = argparse.ArgumentParser(add_help=False, allow_abbrev=False, exit_on_error=False)
    first.add_argument("--metric", action="append", nargs="?")
    first.add_argument("--aspects", nargs="?", const="")
    first.add_argument("--dialect", nargs="?")
    return first.parse_known_args(argv)


def _metric_names(argv: Sequence[str], default: str) -> tuple[str, ...]:
    """The metrics that the arguments name or imply: their flags must be known before all arguments are parsed."""
    named, rest = _first_look(argv)
    if rest and "metric" in VERBS.get(rest[0], ()):
        return (VERBS[rest[0]]["metric"],)
    if named.aspects in KINDS:
        return (KINDS[named.aspects].metric,)
    names = tuple(dict.fromkeys(re.split("[/,]", name)[0] for name in named.metric or [] if name))
    return names or (default,)


def _are_documents(argv: Sequence[str]) -> bool:
    """Whether the verb gets UMR documents: a file is one, or a metric scores nothing else."""
    if argv[:1] not in (["score"], ["align"]):
        return False
    from fastmatch.graphs.sources import is_umr

    named, rest = _first_look(argv)
    metrics = {name for name in named.metric or [] if name}
    if named.dialect or named.aspects or (argv[0] == "score" and not metrics <= set(DOCUMENT_METRICS)):
        return False
    if argv[0] == "score" and metrics == {*ELSEWHERE}:
        return True
    return any(is_umr(word) for word in rest[1:] if not word.startswith("-"))


def _shown_once(parser: Parser) -> Callable[..., None]:
    """What shows warnings: those of fastmatch as one line on standard error, each text once; others as Python does.

    Options have the names of the verb's flags, whose ``parser`` this is.
    """
    known: set[str] = set()

    def show(message: Warning | str, category: type[Warning], filename: str, lineno: int, *_: object) -> None:
        if not issubclass(category, FastmatchWarning):
            print(warnings.formatwarning(message, category, filename, lineno), file=sys.stderr, end="")
        elif str(message) not in known:
            known.add(str(message))
            print(f"fastmatch: warning: {parser.in_flags(_one_line(message))}", file=sys.stderr)

    return show


def _open_closed_streams() -> None:
    """Nothing to read and nowhere to write, where a stream was closed before the program began (``>&-``).

    Python has None in such a place. Ascending, so that each gets the number that is its own, and no file of ours does.
    """
    for name, mode in (("stdin", "r"), ("stdout", "w"), ("stderr", "w")):
        if getattr(sys, name) is None:
            setattr(sys, name, open(os.devnull, mode, encoding="utf-8"))  # noqa: SIM115 - open until the end


def _say(message: str) -> None:
    """A line on standard error; the exit status says enough where that cannot be written to."""
    with suppress(OSError):
        print(f"fastmatch: {message}", file=sys.stderr)


def _one_line(error: BaseException | str) -> str:
    if isinstance(error, OSError) and error.filename is not None and error.strerror:
        name = os.fsdecode(error.filename) if isinstance(error.filename, bytes) else error.filename
        return printable(f"{name or repr(name)}: {error.strerror}")
    return printable(" ".join(str(error).split()))
