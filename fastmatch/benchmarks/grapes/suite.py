"""The user's clone of GrAPES: its gold graphs and tables, made into items.

The corpus is under the GPL, and parts of it need licences, so nothing of it is here: the user clones the repository,
and completes it (``complete_the_corpus.py``) as far as there are licences.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

from fastmatch.benchmarks.grapes.categories import SANITY, Category
from fastmatch.benchmarks.grapes.judging import Fragments, Item, item_of_graph, item_of_row
from fastmatch.benchmarks.grapes.views import Views
from fastmatch.errors import OptionError, ReadError
from fastmatch.graphs.reading import read
from fastmatch.graphs.sources import decoded
from fastmatch.runtime.cached import cached_property

#: Where a graph that a user may have no licence for has no sentence.
_REMOVED = "(removed"


class Extra(NamedTuple):
    """A category whose graphs may be in files of their own.

    Attributes
    ----------
    prefix : str
        What the ids of its graphs begin with.
    files : tuple of str
        Where its gold graphs may be, in ``corpus/``.
    pred : str
        The file of its predictions, beside those of the suite.
    reason : str
        Why it is left out, if it is.
    """

    prefix: str
    files: tuple[str, ...]
    pred: str
    reason: str


EXTRAS = {
    "word_ambiguities_handcrafted": Extra(
        "word_disambiguation",
        ("subcorpora/word_disambiguation.txt", "word_disambiguation_clean.txt"),
        "word_disambiguation.txt",
        "its 47 graphs are not in corpus/corpus.txt: either complete_the_corpus.py -amr adds them (LDC2020T02), or "
        "predictions of corpus/word_disambiguation_clean.txt, of all or of the 35 whose sentence is there, stand in "
        "word_disambiguation.txt beside those of the suite",
    ),
    "unbounded_dependencies": Extra(
        "unbounded_dependencies",
        ("subcorpora/unbounded_dependencies.txt",),
        "unbounded_dependencies.txt",
        "its 66 sentences are of the Penn Treebank: complete_the_corpus.py -ptb decrypts them and adds their graphs",
    ),
}


class Part:
    """Gold graphs that have predictions of their own, in one file.

    Raises
    ------
    ReadError
        If the file cannot be read, or a graph has no id.
    """

    def __init__(self, path: str) -> None:
        self.name, self.corpus = path, read(path)
        nameless = next((g for g, id in enumerate(self.corpus.ids) if id is None), None)
        if nameless is not None:
            message = f"graph {nameless + 1} has no '# ::id', by which the suite finds it"
            raise ReadError(message, source=path, line=int(self.corpus.lines[nameless]))

    @cached_property
    def views(self) -> Views:
        """The graphs as the suite sees them."""
        return Views(self.corpus)

    @cached_property
    def places(self) -> dict[str, list[int]]:
        """Id → the graphs that have it."""
        places: dict[str, list[int]] = {}
        for g, name in enumerate(self.corpus.ids):
            places.setdefault(name or "", []).append(g)
        return places

    @cached_property
    def groups(self) -> dict[str, list[int]]:
        """What stands before ``_`` and a digit in an id → the graphs that have it there."""
        groups: dict[str, list[int]] = {}
        for g, name in enumerate(self.corpus.ids):
            for found in _NUMBER.finditer(name or ""):
                groups.setdefault((name or "")[: found.start()], []).append(g)
        return groups

    @property
    def free(self) -> list[int]:
        """The graphs whose sentence is there."""
        about = map(self.corpus.metadata, range(len(self.corpus)))
        return [g for g, known in enumerate(about) if not known.get("snt", "").startswith(_REMOVED)]


@dataclass(frozen=True)
class Task:
    """The items of a category, or of its sanity check, in one part.

    Attributes
    ----------
    key, title : str
        Of the category, or of its sanity check.
    category : Category
    part : Part
    rows : list of (int, Item or None, (str, str))
        For each item its graph, in the part, and as names the id of the graph and what is looked for; no items for
        lists, whose graphs are compared as a whole.
    sanity : bool
    missing : int
        Ids of the category's table that no gold graph has.
    """

    category: Category
    part: Part
    rows: list[tuple[int, Item | None, tuple[str, str]]]
    sanity: bool = False
    missing: int = 0

    @property
    def key(self) -> str:
        return self.category.key + SANITY * self.sanity

    @property
    def title(self) -> str:
        return "Sanity check" if self.sanity else self.category.title

    @property
    def graphs(self) -> list[int]:
        return [g for g, *_ in self.rows]

    @property
    def is_list(self) -> bool:
        """Whether graphs are compared conjunct by conjunct."""
        return self.category.kind == "list" and not self.sanity


class Suite:
    """A clone.

    Parameters
    ----------
    folder : str
        The clone, or its folder ``corpus``.
    testset : str or None
        The gold graphs of the AMR 3.0 test set.
    gold : str or None
        Gold graphs in place of ``corpus/corpus.txt``: a file of ``corpus/subcorpora``, for instance.

    Raises
    ------
    OptionError
        If the folder is no clone.
    ReadError
        If a file of the clone cannot be read.
    """

    def __init__(self, folder: str, testset: str | None = None, gold: str | None = None) -> None:
        self.folder = _corpus_folder(folder)
        self.grapes = Part(os.path.join(self.folder, "corpus.txt") if gold is None else gold)
        self.testset = None if testset is None else Part(testset)
        self._extras: dict[str, Part | None] = {}
        self._tasks: dict[tuple[str, int], list[Task]] = {}

    def part_of(self, category: Category) -> Part | None:
        """Where the category's graphs are; None if they are not in the user's files."""
        if category.testset:
            return self.testset
        extra = EXTRAS.get(category.key)
        if extra is not None and extra.prefix not in self.grapes.groups:
            return None
        return self.grapes

    def extra_part(self, category: Category) -> Part | None:
        """The file of a category's own gold graphs, if it has one and the clone holds it."""
        if category.key not in self._extras:
            extra = EXTRAS.get(category.key)
            paths = [] if extra is None else [os.path.join(self.folder, name) for name in extra.files]
            found = next(filter(os.path.isfile, paths), None)
            self._extras[category.key] = None if found is None else Part(found)
        return self._extras[category.key]

    def tasks(self, category: Category, part: Part) -> list[Task]:
        """The category's items in this part, and those of its sanity check; none if it has no graphs there.

        They are made once: every system is judged by the same ones.

        Raises
        ------
        ReadError
            If its table cannot be read.
        """
        key = category.key, id(part)
        if key not in self._tasks:
            if category.table is not None:
                made = [self._of_table(category, part)]
            else:
                checks = (False, True) if category.structural else (False,)
                made = [self._of_graphs(category, part, sanity=sanity) for sanity in checks]
            self._tasks[key] = [task for task in made if task.rows]
        return self._tasks[key]

    def has_table(self, category: Category) -> bool:
        """Whether the clone holds what the category needs besides graphs."""
        return category.table is None or os.path.isfile(os.path.join(self.folder, category.table))

    def _of_table(self, category: Category, part: Part) -> Task:
        assert category.table is not None
        path = os.path.join(self.folder, category.table)
        rows: dict[str, list[tuple[Item, str]]] = {}
        table = list(_rows(path, category))
        fragments = Fragments()
        fragments.fetch(category, [cells[1:] for _, cells in table])
        for line, cells in table:
            try:
                item = item_of_row(category, cells[1:], fragments)
            except ReadError as error:
                raise ReadError(f"{error.message} in a cell of this row", source=path, line=line, column=1) from None
            rows.setdefault(cells[0], []).append((item, " ".join(cells[1:])))
        known = {g: id for id in rows for g in part.places.get(id, ())}
        graphs = sorted(known)
        found: list[Any] = [(g, item, (known[g], text)) for g in graphs for item, text in rows[known[g]]]
        return Task(category, part, found, missing=len(rows) - len(set(known.values())))

    def _of_graphs(self, category: Category, part: Part, *, sanity: bool) -> Task:
        corpus = part.corpus
        found: list[tuple[int, Item | None, tuple[str, str]]] = []
        ids = corpus.ids
        for group in category.material:
            for g in part.groups.get(group + SANITY * sanity, ()):
                about = corpus.metadata(g)
                item = None
                if sanity or category.kind != "list":
                    item = item_of_graph(_PLAIN if sanity else category, part.views[g], about, group)
                    if item is None:
                        continue
                found.append((g, item, (ids[g] or "", about.get("label", ""))))
        return Task(category, part, found, sanity)


#: What sanity checks are judged as, those of lists too.
_PLAIN = Category("", "", 3, "exact", (), "Exact Match")


def _corpus_folder(folder: str) -> str:
    for name in (os.path.join(folder, "corpus"), folder):
        if os.path.isfile(os.path.join(name, "corpus.txt")):
            return name
    if not os.path.isdir(folder):
        raise OptionError(f"{folder}: no such folder; expected a clone of github.com/jgroschwitz/GrAPES")
    raise OptionError(f"{folder}: expected a clone of github.com/jgroschwitz/GrAPES, found no corpus/corpus.txt in it")


_NUMBER = re.compile("_(?=[0-9])")

#: Kinds of categories whose tables have no comment lines: a name may begin with "#".
_UNCOMMENTED = frozenset(("name", "date", "other", "type"))


def _rows(path: str, category: Category) -> Iterator[tuple[int, Sequence[str]]]:
    """Lines of a table, each with its id and the cells of the category's columns; no quoting.

    Raises
    ------
    ReadError
        If a row has too few columns, or the file is no UTF-8.
    """
    wanted = (0, *category.columns)
    with open(path, "rb") as file:
        lines = decoded(path, file.read(), "\n").removeprefix("\ufeff").split("\n")
    for number, line in enumerate(lines, 1):
        text = line.rstrip("\r\n")
        if not text or (number == 1 and category.header):
            continue
        if text.startswith("#") and category.kind not in _UNCOMMENTED:
            continue
        cells = text.split("\t")
        if len(cells) <= max(wanted):
            message = f"expected {max(wanted) + 1} columns or more between tabs, found {len(cells)}"
            raise ReadError(message, source=path, line=number, column=1)
        yield number, [cells[column] for column in wanted]
