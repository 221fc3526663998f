"""The categories of GrAPES as data: what each takes from the clone, and how its items are judged.

The suite has nine sets of categories (paper, table 1). A category has items, and an item is found in the predicted
graph of its sentence or not. :mod:`fastmatch.benchmarks.grapes.judging` says how, for each *kind* of category.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from fastmatch.errors import OptionError, meant

#: Titles of the sets, from 1.
SETS = (
    "Pragmatic reentrancies",
    "Unambiguous reentrancies",
    "Structural generalization",
    "Rare and unseen words",
    "Special entities",
    "Entity classification and linking",
    "Lexical disambiguations",
    "Edge attachments",
    "Non-trivial word-to-node relations",
)

#: Names of metrics that stand beside a category's main one, as the program prints them.
PREREQUISITES, UNLABELLED = "Prerequisites", "Unlabeled edge recall"

#: What is put behind the key of a category for its sanity check.
SANITY = "_sanity_check"


@dataclass(frozen=True)
class Category:
    """One category.

    Attributes
    ----------
    key : str
        Its name on the program's command line and here.
    title : str
        Its name in tables.
    set : int
        Number of its set, from 1.
    kind : str
        How items are judged.
    material : tuple of str
        One TSV file of ``corpus/``; or the beginnings of graph ids, for categories whose items are whole graphs.
    metric : str
        Name of the main metric.
    testset : bool
        The graphs are those of the AMR 3.0 test set, not of the suite.
    prerequisites : bool
        A row of prerequisites is reported.
    senses : bool
        Senses of predicates count.
    columns : tuple of int
        Columns of the TSV file that the kind reads, in the order in which it wants them.
    header : bool
        The first row of the TSV file names its columns.
    sizes : tuple of (int, int)
        Of categories that are also reported by size: (minus, divided by) → size, from the gold graph's ``::size0``.
    """

    key: str
    title: str
    set: int
    kind: str
    material: tuple[str, ...]
    metric: str
    testset: bool = False
    prerequisites: bool = False
    senses: bool = False
    columns: tuple[int, ...] = ()
    header: bool = False
    sizes: tuple[int, int] | None = None

    @property
    def table(self) -> str | None:
        """Its TSV file; None if its items are whole graphs."""
        return self.material[0] if self.columns else None

    @property
    def structural(self) -> bool:
        """Whether it has a sanity check: the structures of its graphs, each on its own."""
        return self.set == 3

    @property
    def dummies(self) -> bool:
        """Whether the gold graphs are placeholders, so that nothing can be compared with them."""
        return self.key in ("unseen_predicate_senses_excl_01", "unseen_edge_labels_ARG2plus", *_LICENSED)


_LICENSED = ("word_ambiguities_handcrafted", "unbounded_dependencies")


def _row(line: str) -> Category:
    key, title, number, kind, metric, material, marks, columns, sizes = line.split("\t")
    true, minus_by = marks.split(), tuple(map(int, sizes.split()))
    return Category(
        key=key,
        title=title,
        set=int(number),
        kind=kind,
        material=tuple(material.split()),
        metric=metric,
        testset="testset" in true,
        prerequisites="prerequisites" in true,
        senses="senses" in true,
        columns=tuple(map(int, columns.split())),
        header="header" in true,
        sizes=(minus_by[0], minus_by[1]) if minus_by else None,
    )


#: All categories, in the program's order: a row each of the table beside this file, by the names of the attributes, of
#: which ``marks`` are those that are true.
CATEGORIES: tuple[Category, ...] = tuple(
    map(_row, Path(__file__).with_suffix(".tsv").read_text(encoding="utf-8").splitlines()[1:])
)


def chosen(keys: Iterable[str] | None) -> tuple[Category, ...]:
    """The categories of these keys, in the suite's order; all by default.

    Raises
    ------
    OptionError
        If there is no such category.
    """
    if keys is None:
        return CATEGORIES
    known = {category.key: category for category in CATEGORIES}
    wanted = set()
    for key in keys:
        if key not in known:
            raise OptionError(f"category: GrAPES has no {key!r}{meant(key, known)}")
        wanted.add(key)
    return tuple(category for category in CATEGORIES if category.key in wanted)
