"""Dialects, the ways to read text, in one table.

Tools that score the same file do not see the same triples in it: each has its own roles that it turns around, constants
that it loses, and text that it refuses. Each way of reading is a dialect, and a corpus says which one it was read with.
A new one is a compiled module in ``_ext/reading`` with a class ``Reader``, a subclass of
:class:`fastmatch._ext.reading.reader.Reader` (or a module in Python with one of ``blocks.PlainReader``), and a line
here. What each does is written at the top of :mod:`fastmatch.graphs.reading`.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from importlib import import_module
from typing import Any, NamedTuple

from fastmatch._ext.reading.interner import Interner
from fastmatch._ext.reading.reader import Reader
from fastmatch.errors import choice


class _Reading(NamedTuple):
    """A reader, and what it does to text.

    Attributes
    ----------
    module : str
        In ``fastmatch._ext.reading``, or the whole name of another one, with the class ``Reader``.
    options : mapping
        Arguments of ``Reader`` besides the interner.
    turns : bool
        Relations written with ``-of`` are turned around.
    unquotes : bool
        Strings lose their quotes.
    identified : bool
        Every graph has the id of its sentence, so graphs with different ids are never a pair.
    penman : bool
        What it reads is Penman notation.
    """

    module: str
    options: Mapping[str, object] = {}
    turns: bool = True
    unquotes: bool = False
    identified: bool = False
    penman: bool = True


_BOXES = "fastmatch.graphs.boxes"

#: Name → its reader.
DIALECTS: dict[str, _Reading] = {
    "penman": _Reading("penman"),
    "smatch": _Reading("smatch", unquotes=True),
    # the reader of smatch 1.0.4, unchanged; Rematch's is another copy
    "sema": _Reading("smatch", {"tool": "Sema"}, unquotes=True),
    # S2match, WSmatch, and the "enhanced" fine-grained scores
    "amrsuite": _Reading("smatch", {"tool": "S2match", "partial": True, "keyed": True}, unquotes=True),
    # the same with --do_not_mark_quotes
    "amrsuite-unmarked": _Reading(
        "smatch", {"tool": "S2match", "partial": True, "keyed": True, "mark": False}, unquotes=True
    ),
    # the first fine-grained scores
    "damonte": _Reading("smatch", {"tool": "amr-evaluation", "partial": True}, unquotes=True),
    "sembleu": _Reading("sembleu", turns=False, unquotes=True),
    "smatchpp": _Reading("smatchpp", turns=False),
    # that of the older smatchpp which WLK and WWLK call
    "wlk": _Reading("smatchpp", {"comments": True, "brackets": True}, turns=False),
    # its tables of triples
    "tsv": _Reading("smatchpp", {"table": True}, turns=False, penman=False),
    # of the package ancast; UMR has other bare values
    "ancast": _Reading("ancast"),
    # where a "#" stands inside a graph, the part that the package reads
    "ancast-cut": _Reading("ancast", {"cut": True}),
    "ancast-umr": _Reading("ancast", {"umr": True}),
    # Chinese AMR as the corpus has it, and in tables of the CAMRP shared tasks
    "camr": _Reading("fastmatch.graphs.camr", identified=True, penman=False),
    "camr-tuples": _Reading("camr_tuples", identified=True, penman=False),
    # box notation; all but the first two make Penman text of it, as programs of its corpus do, and read that
    "sbn": _Reading(_BOXES, penman=False),
    "sbn-lenient": _Reading(_BOXES, {"lenient": True, "ill_formed": True}, penman=False),
    "sbn-pmb5": _Reading(_BOXES, {"program": "pmb5"}, unquotes=True, penman=False),
    "sbn-pmb5-tolerant": _Reading(_BOXES, {"program": "pmb5", "tolerant": True}, unquotes=True, penman=False),
    "sbn-evaluation": _Reading(_BOXES, {"program": "evaluation"}, unquotes=True, penman=False),
    "sbn-evaluation-lenient": _Reading(
        _BOXES, {"program": "evaluation", "lenient": True, "ill_formed": True}, unquotes=True, penman=False
    ),
    "sbn-ud-boxer": _Reading(_BOXES, {"program": "ud-boxer"}, unquotes=True, penman=False),
    "sbn-ud-boxer-no-sense": _Reading(_BOXES, {"program": "ud-boxer", "lenient": True}, unquotes=True, penman=False),
    "sbn-ud-boxer-lenient": _Reading(_BOXES, {"program": "ud-boxer", "ill_formed": True}, unquotes=True, penman=False),
    # JSON of the shared tasks on meaning representation parsing
    "mrp": _Reading("fastmatch.graphs.mrp", penman=False),
    "mrp-tool": _Reading("fastmatch.graphs.mrp", {"published": True}, penman=False),
}


def make_reader(dialect: str, interner: Interner) -> Reader:
    """An empty reader of this dialect; its module is loaded only now."""
    choice("dialect", dialect, DIALECTS)
    reading = DIALECTS[dialect]
    return _reader_class(reading.module)(interner, **reading.options)


@cache  # asked for with every text of a loop
def _reader_class(module: str) -> type[Any]:
    return import_module(module if "." in module else f"fastmatch._ext.reading.{module}").Reader
