"""The verb ``check``: certificates of optimal matches."""

from __future__ import annotations

from typing import TYPE_CHECKING

from fastmatch.errors import FastmatchError

if TYPE_CHECKING:
    import argparse

    from fastmatch.cli.arguments import Verbs

__all__ = ["add_check"]


def add_check(verbs: Verbs, *_: str) -> None:
    """Add the verb."""
    verb = verbs.add_parser(
        "check",
        help="check the proofs that score --certificate wrote",
        description="Check for each pair that the map matches as many triples as is claimed, and that no map matches "
        "more. With PRED and GOLD, also that these are the files that were compared, and, of smatch by default, that "
        "penman reads the same triples. The program check_certificates.py does the same without fastmatch.",
        epilog="Exit status: 0 nothing is refused, 1 a pair is refused (with --strict: or has no proof), 2 bad usage "
        "or input, 130 interrupted.",
    )
    verb.add_argument("certificates", metavar="CERTIFICATES", help="what score --certificate wrote")
    verb.add_argument("graphs", nargs="*", metavar="PRED GOLD", help="the two files of graphs that were compared")
    verb.add_argument("--strict", action="store_true", help="stop at the first pair that is refused or has no proof")
    verb.add_argument("--summary", action="store_true", help="print one line for all pairs, and those refused")
    verb.set_defaults(run=_check)


def _check(arguments: argparse.Namespace) -> int:
    from fastmatch.certificates.check_certificates import Refused, check

    for name in (arguments.certificates, *arguments.graphs):
        with open(name, "rb"):
            pass  # a file that is not there is said as everywhere
    try:
        status: int = check(arguments.certificates, arguments.graphs, arguments.strict, arguments.summary)
    except Refused as error:
        raise FastmatchError(str(error)) from None
    return status
