"""The command ``fastmatch-smatch``: the flags and the output of ``smatch.py``, with fastmatch's numbers.

Scripts that call ``smatch.py -f A B …`` and read its lines call this instead. Scores go to standard output, everything
else to standard error. Exit status: 0 fine, 2 bad usage or input, 130 interrupted. ``smatch.py`` dies of a graph that
it cannot read, with status 1 and a traceback; here one line says where the graph stands.

A user waits for the start of the program, so this module imports at its top only what parsing the arguments needs.
"""

from __future__ import annotations

import argparse
import io
import os
import sys
import warnings
from typing import IO, TYPE_CHECKING

from fastmatch.errors import FastmatchError, FastmatchWarning, ReadError
from fastmatch.runtime.streams import drop_unwritten, name_standard_output, printable, say, take_any_text

if TYPE_CHECKING:
    from collections.abc import Sequence

_PROGRAM = "fastmatch-smatch"


def main(argv: Sequence[str] | None = None) -> int:
    """Run the command and return its exit status.

    Parameters
    ----------
    argv : sequence of str, optional
        The arguments without the program's name; ``sys.argv[1:]`` by default.
    """
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")  # nothing here needs linear algebra, whose threads are slow
    take_any_text(sys.stdout)
    try:
        arguments = _parser().parse_args(argv)
        with warnings.catch_warnings():
            warnings.simplefilter("ignore" if arguments.quiet else "always", FastmatchWarning)
            warnings.showwarning = _show
            _score(arguments)
        sys.stdout.flush()
    except BrokenPipeError:
        # The reader of the pipe has gone (`| head`): stay quiet.
        return 141  # 128 + SIGPIPE
    except KeyboardInterrupt:
        return _fail("interrupted", 130)
    except OSError as error:
        name_standard_output(error)
        return _fail(f"{error.filename}: {error.strerror}" if error.filename and error.strerror else error)
    except FastmatchError as error:
        return _fail(error)
    finally:
        drop_unwritten()
    return 0


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog=_PROGRAM,
        description="Smatch of two files, with the flags and the output of smatch.py. The number is the proven optimum "
        "of the triples of smatch 1.0.4; smatch.py reports what it reached by climbing hills.",
    )
    number = _whole_number
    parser.add_argument(
        "-f",
        nargs=2,
        required=True,
        metavar=("PRED", "GOLD"),
        help="two files of graphs with empty lines between them; '-' is standard input, for one of the two",
    )
    parser.add_argument(
        "-r", type=number, default=4, metavar="N", help="random starts of the hill-climber (default: %(default)s)"
    )
    parser.add_argument(
        "--significant", type=number, default=2, metavar="N", help="digits behind the point (default: %(default)s)"
    )
    parser.add_argument("-v", action="store_true", help="print the triples and the best map of every pair")
    parser.add_argument("--vv", action="store_true", help="print the map of every pair and whether it is proven best")
    parser.add_argument("--ms", action="store_true", help="print one score for each pair, instead of one for all")
    parser.add_argument("--pr", action="store_true", help="print precision and recall, too")
    for what, kind in (("instance", "instances"), ("attribute", "attributes"), ("relation", "relations")):
        parser.add_argument(f"--just{what}", action="store_true", help=f"match and count {kind} only")
    own = parser.add_argument_group("not in smatch.py")
    own.add_argument(
        "--solver",
        choices=["exact", "climb"],
        help="exact: the proven optimum (default); climb: the hill-climber. The environment variable "
        "FASTMATCH_SMATCH_SOLVER sets another default",
    )
    own.add_argument("--seed", type=number, metavar="N", help="of the hill-climber (default: 0)")
    own.add_argument("--effort", choices=["low", "default", "high", "proof"], help="work per pair for the proof")
    own.add_argument(
        "--quiet", action="store_true", help="nothing on standard error that says which numbers these are; no warnings"
    )
    return parser


def _whole_number(text: str) -> int:
    if text.isdecimal():
        return int(text)
    raise argparse.ArgumentTypeError(f"expected a whole number, 0 or more, found {text!r}")


def _score(arguments: argparse.Namespace) -> None:
    """Print the scores.

    Raises
    ------
    FastmatchError, OSError
        If a file cannot be read, or an option has no such value.
    """
    from fastmatch.compat import amr, smatch

    kept = [(module, dict(vars(module))) for module in (smatch, amr)]
    try:
        _print_scores(arguments)
    finally:
        for module, variables in kept:
            vars(module).update(variables)


def _print_scores(arguments: argparse.Namespace) -> None:
    """The same; leaves its flags in variables of the modules, as ``smatch.py`` does."""
    from fastmatch.compat import amr, smatch

    names = arguments.f
    if names.count("-") > 1:
        raise FastmatchError("'-' (standard input) can stand for one of the two files, not for both")
    smatch.configure(solver=arguments.solver, seed=arguments.seed, effort=arguments.effort)
    arguments.f = [_opened(name) for name in names]
    smatch.announced = True
    # The reader's own messages quote all that it has read; where a graph is broken, one line is said instead.
    messages = io.StringIO()
    smatch.ERROR_LOG = amr.ERROR_LOG = messages
    smatch.DEBUG_LOG = amr.DEBUG_LOG = sys.stderr
    try:
        smatch.main(arguments)
    except UnicodeDecodeError as error:
        raise FastmatchError(f"{' or '.join(names)}: no text in UTF-8: {error.reason} at byte {error.start}") from None
    except smatch.UnreadableError as error:
        raise _place(error, names) from None
    sys.stdout.flush()
    sys.stderr.write("\n".join(map(printable, messages.getvalue().split("\n"))))
    smatch.announced = arguments.quiet
    smatch.announce()  # only now: of a broken file one line is said


def _opened(name: str) -> IO[str]:
    """A file, to be read line by line."""
    return sys.stdin if name == "-" else open(name, encoding="utf-8-sig")


def _place(error: FastmatchError, names: Sequence[str]) -> FastmatchError:
    """The same error with file, line and column, if the files can be read again."""
    from fastmatch.graphs.reading import read

    for name in names:
        if os.path.isfile(name):
            try:
                read(name, dialect="smatch")
            except ReadError as found:
                return found
    return error


def _show(message: Warning | str, category: type[Warning], *_: object, **_named: object) -> None:
    """Show a warning as one line."""
    say(f"{_PROGRAM}: warning: {message}", sys.stderr)


def _fail(message: object, status: int = 2) -> int:
    say(f"{_PROGRAM}: {message}", sys.stderr)
    return status


if __name__ == "__main__":
    sys.exit(main())
