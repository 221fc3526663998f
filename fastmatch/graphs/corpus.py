"""Many graphs as a few flat integer arrays.

This is what the reader writes, what metrics read, and what threads and processes share. The arrays, which are the
attributes of a :class:`Corpus`, are listed at the top of :mod:`fastmatch.graphs.arrays`; the file that
:meth:`Corpus.save` writes is described in :mod:`fastmatch.graphs.storage`.
"""

from __future__ import annotations

import os
from collections import deque
from collections.abc import Hashable, Iterable, Iterator, Mapping, Sequence
from operator import attrgetter, itemgetter
from operator import index as as_index
from typing import IO, TYPE_CHECKING, Any, overload
from weakref import ref

import numpy as np
from numpy.typing import NDArray

from fastmatch._ext.graphs.columns import Columns
from fastmatch.errors import OptionError, shortened
from fastmatch.graphs.arrays import ARRAYS, ID_ROWS, TABLES, Arrays, Content, Repair, check
from fastmatch.graphs.ids import find_ids
from fastmatch.graphs.notation import ATTRIBUTE, INSTANCE, INVERTED, RELATION, parse_metadata
from fastmatch.graphs.selecting import joined, moved, renumbered, stretch, taken
from fastmatch.graphs.vocabulary import Vocabulary
from fastmatch.types import Attribute, Dialect, Edge, Int64Array, Nodes, Selection

if TYPE_CHECKING:
    import penman

    from fastmatch.graphs.graph import Graph

#: Graphs that a notebook shows of a corpus, and the longest sentence, in characters.
_SHOWN, _LONGEST = 5, 200

#: A part of a larger corpus whose tables have at most so many entries keeps a copy of itself over its own strings, some
#: dozens of kilobytes, from the second time on that it is detached. In larger ones that saves little of a call's time.
_FEW_IDS = 4096
#: At most so many parts do. The first of them gives its copy up for another one.
_MOST_KEPT = 1000
_keeping: deque[ref[Corpus]] = deque()

#: What kernels take of a corpus: a microsecond and a half sooner than by name after name.
_columns_of = attrgetter(*(name for name in ARRAYS if name != "lines"))


#: What a corpus has beside its arrays.
_FACTS = tuple(name for name in Content._fields if name != "arrays")
#: Table → the array that divides it among the graphs.
_OFFSETS = {table: offsets for offsets, table in TABLES.items()}


class Corpus(Arrays):
    """An immutable list of graphs.

    ``len``, iteration, ``corpus[3]`` (a :class:`~fastmatch.Graph`), ``corpus[10:20]``, ``corpus[[5, 3]]``,
    ``corpus[mask]`` (corpora that share the vocabulary), ``a + b``, ``==`` (by content), pickle.

    Make corpora with ``fastmatch.read`` and ``parse``, :meth:`from_graphs`, :meth:`from_edges`, :meth:`from_triples`,
    :meth:`from_networkx`, :meth:`from_rdf`, :meth:`from_penman`, :meth:`load`. The constructor trusts its arguments, as
    every pair that is scored passes it; give arrays of unknown origin to :meth:`validate` next.

    Parameters
    ----------
    vocabulary : Vocabulary
        The strings; corpora may share it.
    arrays : mapping
        The arrays by the names at the top of :mod:`fastmatch.graphs.arrays`. Each becomes an attribute.
    dialect : str
        How the graphs were read: see :mod:`fastmatch.graphs.dialects`.
    source : str
        Name of the file, for messages.
    problems : tuple of (int, str)
        Graphs that could not be read and stand here as empty ones, each with what was wrong.
    repairs : tuple of Repair
        What ``on_error="repair"`` changed: graph, rule, place. Selecting, joining, saving and pickling keep them.

    Attributes
    ----------
    vocabulary, dialect, source, problems, repairs
        As given.
    root, lines, variable_offsets, variable_names, instance_offsets, instances, …
        The arrays.
    """

    __slots__ = ("__weakref__", "_columns", "_ids", "_own", *_FACTS, *ARRAYS)

    if not TYPE_CHECKING:  # type checkers know that it is an error

        def __getattr__(self, name: str) -> Any:
            """What a graph has, and a corpus has not: an error that says so."""
            from fastmatch.graphs.graph import Graph

            if name.startswith("_") or not hasattr(Graph, name):
                raise AttributeError(f"a Corpus has no {name!r}", name=name, obj=self)
            which = "its graph has" if len(self) == 1 else "its graphs have"
            raise AttributeError(f"a Corpus has no {name!r}, but {which}: corpus[0].{name}", name=name, obj=self)

    def __init__(
        self,
        vocabulary: Vocabulary,
        arrays: Mapping[str, NDArray[Any]],
        dialect: Dialect,
        source: str,
        problems: tuple[tuple[int, str], ...] = (),
        repairs: tuple[Repair, ...] = (),
    ) -> None:
        self.vocabulary = vocabulary
        self.dialect: Dialect = dialect
        self.source = source
        self.problems = problems
        self.repairs = repairs
        for name in ARRAYS:
            setattr(self, name, arrays[name])
        self._columns: Columns | None = None
        self._ids: list[str | None] | None = None
        self._own: Corpus | bool = False  # these graphs over their own strings; True: detached once, not kept yet

    @property
    def content(self) -> Content:
        """All that the corpus holds: the arguments of the constructor."""
        arrays = {name: getattr(self, name) for name in ARRAYS}
        return Content(self.vocabulary, arrays, self.dialect, self.source, self.problems, self.repairs)

    # ---------------------------------------------------------------- building

    @classmethod
    def from_graphs(
        cls,
        graphs: Iterable[Graph],
        *,
        vocabulary: Vocabulary | None = None,
        source: str = "<graphs>",
        dialect: Dialect | None = None,
    ) -> Corpus:
        """The corpus of these graphs, into ``vocabulary`` or a new one; the inverse of ``list(corpus)``.

        The inverse but for two things that a graph does not hold: lines, and the comment lines of a graph that could
        not be read, in which bytes that are no UTF-8 have become U+FFFD.

        ``dialect`` is needed only for an empty list: it is that of the graphs.

        Raises
        ------
        OptionError
            If the graphs are of several dialects.
        """
        from fastmatch.graphs.building import content_of

        return cls(*content_of(graphs, vocabulary=vocabulary, source=source, dialect=dialect))

    @classmethod
    def from_triples(
        cls,
        graphs: Iterable[tuple[str | None, Iterable[tuple[str | None, str, object]]]],
        *,
        rooted: bool = True,
        metadata: Iterable[Mapping[str, str]] | None = None,
        vocabulary: Vocabulary | None = None,
        source: str = "<triples>",
    ) -> Corpus:
        """The corpus of graphs given as (top, triples); see :meth:`Graph.from_triples` for what the triples may be.

        Triples in the order of a text give the arrays that reading the text gives, except that ``relations[4]``
        (inverted) is inferred where the order leaves it open. With ``rooted=False`` a top of None means that the graph
        has no root; with True, that it is the first source.
        """
        from fastmatch.graphs.graph import Graph

        pairs = list(map(_pair, graphs))
        given: list[Mapping[str, str] | None] = [None] * len(pairs) if metadata is None else [*metadata]
        if len(given) != len(pairs):
            raise OptionError(f"triples: {len(pairs)} graphs, but metadata of {len(given)}")
        made = (
            Graph.from_triples(triples, top, rooted=rooted or top is not None, metadata=about)
            for (top, triples), about in zip(pairs, given, strict=True)
        )
        return cls.from_graphs(made, vocabulary=vocabulary, source=source)

    @classmethod
    def from_edges(
        cls,
        nodes: Iterable[Nodes],
        edges: Iterable[Iterable[Edge]],
        *,
        attributes: Iterable[Iterable[Attribute]] | None = None,
        tops: Iterable[Hashable | None] | None = None,
        metadata: Iterable[Mapping[str, str]] | None = None,
        vocabulary: Vocabulary | None = None,
        source: str = "<edges>",
    ) -> Corpus:
        """The corpus of graphs given by their nodes and edges, one entry a graph; see :meth:`Graph.from_edges`.

        Parameters
        ----------
        nodes, edges : iterable
            For each graph, its nodes and its edges.
        attributes, tops, metadata : iterable, optional
            For each graph, its attributes, the node on top (None: none), its metadata. Without ``tops`` no graph has a
            root, and no triple for a root is counted.
        vocabulary : Vocabulary, optional
            Gets the strings; the default is a new one.
        source : str
            Name of the corpus, for messages.

        Raises
        ------
        OptionError
            If a graph is wrong, or the iterables differ in length.

        Examples
        --------
        >>> corpus = Corpus.from_edges([{"n1": "Alan Bean", "n2": "Wheeler, Texas"}], [[("n1", "birthPlace", "n2")]])
        >>> corpus[0].triples[-1]
        ('n1', ':birthPlace', 'n2')
        """
        from fastmatch.graphs.graph import graphs_of_edges

        graphs = graphs_of_edges(nodes, edges, attributes, tops, metadata)
        return cls.from_graphs(graphs, vocabulary=vocabulary, source=source, dialect="penman")

    @classmethod
    def from_networkx(
        cls,
        graphs: Iterable[Any],
        *,
        label: str | None = "label",
        role: str = "role",
        tops: Iterable[Hashable | None] | None = None,
        vocabulary: Vocabulary | None = None,
        source: str = "<networkx>",
    ) -> Corpus:
        """The corpus of these directed graphs of networkx (``DiGraph``, ``MultiDiGraph``).

        Parameters
        ----------
        graphs : iterable of networkx graphs
            Nodes are named by text or numbers. ``id`` and ``snt`` of ``graph.graph`` become metadata.
        label : str or None
            Where a node's label stands, or its labels in a list; a node may have none. None: a node is its own label.
            Whatever else a node holds is an attribute.
        role : str
            Where an edge's role stands; the key of an edge of a ``MultiDiGraph``, if that is text, is its role where it
            has none. Whatever else an edge holds does not count.
        tops : iterable, optional
            For each graph the node on top, or None; by default no graph has a root.
        vocabulary : Vocabulary, optional
            Gets the strings.
        source : str
            Name of the corpus, for messages.

        Raises
        ------
        OptionError
            If a graph has no directions, an edge has no role, or a node or value is neither text nor a number.
        """
        from fastmatch.graphs.foreign import graphs_of_networkx

        made = graphs_of_networkx(graphs, label, role, tops)
        return cls.from_graphs(made, vocabulary=vocabulary, source=source, dialect="penman")

    @classmethod
    def from_rdf(
        cls,
        data: str | bytes | IO[bytes],
        *,
        label: str | None = None,
        format: str = "nt",  # noqa: A002 - the word that users know
        vocabulary: Vocabulary | None = None,
        source: str = "<rdf>",
    ) -> Corpus:
        """The corpus of RDF: N-Triples, N-Quads, Turtle, TriG or RDF/XML. ``fastmatch.read`` reads such files by name.

        The default graph is one graph, and so is each named graph, whose IRI becomes the ``::id``. Resources and blank
        nodes are nodes, predicates roles. A literal is a constant: its text, with ``@`` and its language if it has one.

        Parameters
        ----------
        data : str, bytes or binary file
        label : str, optional
            The predicate that gives a node its labels, as an IRI, ``"rdf:type"``, ``"rdfs:label"``, or with a prefix of
            the data; its triples are no edges. None: the IRI of a resource is its label, and a blank node has none.
        format : {"nt", "nq", "ttl", "trig", "rdf"}
        vocabulary : Vocabulary, optional
            Gets the strings.
        source : str
            Name of the corpus, for messages.

        Raises
        ------
        ReadError
            If the data is no such RDF.
        OptionError
            If the format is not known, or pyoxigraph is not installed (``pip install 'fastmatch[rdf]'``).
        TypeError
            If ``data`` is none of these.

        Warns
        -----
        FastmatchWarning
            If no triple has the predicate ``label``.
        """
        from fastmatch.graphs.foreign import graphs_of_rdf

        given = data.read() if hasattr(data, "read") else data
        made = graphs_of_rdf(source, given, label=label, form=format)
        return cls.from_graphs(made, vocabulary=vocabulary, source=source, dialect="penman")

    @classmethod
    def from_penman(
        cls, graphs: Iterable[penman.Graph], *, vocabulary: Vocabulary | None = None, source: str = "<penman>"
    ) -> Corpus:
        """The corpus of these ``penman.Graph`` objects, alignments, metadata and remembered trees included."""
        from fastmatch.graphs.graph import Graph

        return cls.from_graphs(map(Graph.from_penman, graphs), vocabulary=vocabulary, source=source)

    # ---------------------------------------------------------------- selecting

    def __len__(self) -> int:
        return len(self.root)

    @overload
    def __getitem__(self, item: int) -> Graph: ...
    @overload
    def __getitem__(self, item: slice | Selection) -> Corpus: ...
    def __getitem__(self, item: int | slice | Selection) -> Graph | Corpus:
        if isinstance(item, slice):
            start, stop, step = item.indices(len(self))
            if step == 1:
                return Corpus(*stretch(self.content, start, max(start, stop)))
            return Corpus(*taken(self.content, np.arange(start, stop, step)))
        if isinstance(item, (list, range, np.ndarray)) and np.ndim(item) == 1:
            chosen = np.asarray(item)
            if chosen.dtype == np.bool_:
                if len(chosen) != len(self):
                    raise IndexError(f"a mask of {len(chosen)} for a corpus of {len(self)} graphs")
                chosen = np.flatnonzero(chosen)
            elif chosen.size == 0:
                chosen = np.empty(0, np.int64)
            elif chosen.dtype.kind not in "iu":
                raise TypeError(f"a corpus is indexed by whole numbers or truth values, not {chosen.dtype}")
            low, high = (int(chosen.min()), int(chosen.max())) if chosen.size else (0, -1)
            if low < -len(self) or high >= len(self):
                raise IndexError(f"graph {low if low < -len(self) else high} of a corpus of {len(self)}")
            chosen = chosen.astype(np.int64)
            return Corpus(*taken(self.content, np.where(chosen < 0, chosen + len(self), chosen)))
        try:
            number = as_index(item)  # type: ignore[arg-type]
        except TypeError:
            raise TypeError(
                f"a corpus is indexed by a whole number, a slice, a list or an array, not {type(item).__name__}"
            ) from None
        if not -len(self) <= number < len(self):
            raise IndexError(f"graph {number} of a corpus of {len(self)}")
        return self._graph(number % len(self))

    def __iter__(self) -> Iterator[Graph]:
        return map(self._graph, range(len(self)))

    def _graph(self, g: int) -> Graph:
        from fastmatch.graphs.graph import Graph  # here and above: scoring needs no graph for people

        text = self.vocabulary.interner.text
        names = [text(id) if id >= 0 else None for id in self.rows("variable_names", g).tolist()]
        rows: list[Any] = []  # position, kind, triple, variables at its ends
        for variable, concept, position in self.rows("instances", g).T.tolist():
            triple = (names[variable], ":instance", text(concept) if concept >= 0 else None)
            rows.append((position, INSTANCE, triple, (variable, -1)))
        for variable, role, value, position in self.rows("attributes", g).T.tolist():
            triple = (names[variable], text(role), text(value) if value >= 0 else None)
            rows.append((position, ATTRIBUTE, triple, (variable, -1)))
        for variable, role, target, position, inverted in self.rows("relations", g).T.tolist():
            triple = (names[variable], text(role), names[target])
            rows.append((position, INVERTED if inverted else RELATION, triple, (variable, target)))
        rows.sort(key=itemgetter(0))
        surface: dict[tuple[int, int], str] = {}
        marks = self.rows("surface", g).T.tolist()
        if marks:
            places = {row[0]: place for place, row in enumerate(rows)}
            for position, part, id in marks:
                if position in places:  # a standardisation may have dropped the triple
                    surface[places[position], part] = text(id)
        root = int(self.root[g])
        top = names[root] if root >= 0 else None
        # names say which variable is which, but where two have one name, and None is that of () or no root
        plain = len(set(names)) == len(names) and not (root < 0 and None in names)
        numbers = None if plain else (root, [row[3] for row in rows])
        kinds, triples = [row[1] for row in rows], [row[2] for row in rows]
        comments = self.rows("comments", g).tobytes().decode("utf-8", "replace")
        return Graph(top, names, triples, kinds, surface, comments, self.dialect, numbers)

    @property
    def columns(self) -> Columns:
        """The arrays as kernels take them: checked when first asked for, trusted from then on.

        Raises
        ------
        ValueError
            If an offset, a variable or a label lies outside its range.
        """
        if self._columns is None:
            self._columns = Columns(*_columns_of(self))
        return self._columns

    def with_columns(self, **changed: Any) -> Corpus:
        """This corpus with other arrays or attributes in some places; they are trusted, see :meth:`validate`."""
        content = self.content
        others = {name: changed.pop(name) for name in Content._fields if name in changed}
        unknown = changed.keys() - ARRAYS.keys()
        if unknown:
            raise TypeError(f"a corpus has no {', '.join(sorted(unknown))}")
        content.arrays.update(changed)
        return Corpus(*content._replace(**others))

    # ---------------------------------------------------------------- joining

    def remap(self, vocabulary: Vocabulary) -> Corpus:
        """This corpus with the ids of another vocabulary, which gets the strings that it lacks."""
        if vocabulary is self.vocabulary:
            return self
        return Corpus(*renumbered(self.content, vocabulary, vocabulary.merge(self.vocabulary)))

    def detached(self, vocabulary: Vocabulary | None = None) -> Corpus:
        """The same graphs over another vocabulary, a new one by default; this corpus and its own stay as they are.

        The vocabulary gets the strings that these graphs use. So a few graphs of a large corpus are detached in no more
        time than reading them takes. A new one may be a copy of the whole old one, where that takes less time. A small
        part of a large corpus that is detached again and again, such as the gold graph of a reward, keeps its graphs
        over their own strings, checked, so that this takes no longer than for a corpus of these graphs alone.
        """
        if vocabulary is None:
            if _copied_sooner([self]):
                return self._over(self.vocabulary.copy())
            if self._own is True and sum(getattr(self, name).size for name in ID_ROWS) <= _FEW_IDS:
                self._own = Corpus(*moved(self.content, Vocabulary()))
                _keeping.append(ref(self))
                if len(_keeping) > _MOST_KEPT and (first := _keeping.popleft()()) is not None:
                    first._own = False
            own = self._own  # read once: a part in another thread may take it away
            if isinstance(own, Corpus):
                return own._over(own.vocabulary.copy())
            self._own = True
            vocabulary = Vocabulary()
        return Corpus(*moved(self.content, vocabulary))

    def _over(self, vocabulary: Vocabulary) -> Corpus:
        """The same arrays over a vocabulary with the same ids; they have been checked."""
        made: Corpus = Corpus.__new__(Corpus)
        for name in Corpus.__slots__[1:]:
            setattr(made, name, getattr(self, name))
        made._columns = self.columns
        made.vocabulary = vocabulary
        return made

    @classmethod
    def together(cls, corpora: Sequence[Corpus]) -> list[Corpus]:
        """The same graphs over one new vocabulary, to which work on them may add strings.

        The corpora that are given, and their vocabularies, stay as they are. A corpus that is given twice is detached
        once.

        Notes
        -----
        O(size of the arrays), or less: corpora that share a vocabulary of no more than their own strings keep their
        arrays, and get a copy of it.
        """
        first = corpora[0].vocabulary
        copied = _copied_sooner([corpus for corpus in corpora if corpus.vocabulary is first])
        own = first.copy() if copied else Vocabulary()
        made: dict[int, Corpus] = {}
        for corpus in corpora:
            if id(corpus) not in made:
                shares = copied and corpus.vocabulary is first
                made[id(corpus)] = corpus._over(own) if shares else corpus.detached(own)
        return [made[id(corpus)] for corpus in corpora]

    @classmethod
    def concatenate(cls, corpora: Iterable[Corpus]) -> Corpus:
        """All graphs of these corpora, one corpus after the other, in the vocabulary of the first.

        The other vocabularies are merged into that one, which grows by what it lacks.

        Raises
        ------
        OptionError
            If the corpora were read with different dialects.
        TypeError
            If one is no corpus.
        """
        given = list(corpora)
        for number, corpus in enumerate(given):
            if not isinstance(corpus, Corpus):
                raise TypeError(f"concatenate: expected corpora, found {type(corpus).__name__} in place {number}")
        contents = [corpus.content for corpus in given]
        return cls(*joined(contents)) if contents else cls.from_graphs(())

    def __add__(self, other: Corpus) -> Corpus:
        if not isinstance(other, Corpus):
            return NotImplemented
        return Corpus.concatenate((self, other))

    # ---------------------------------------------------------------- looking

    def rows(self, table: str, g: int) -> NDArray[Any]:
        """What one graph has of ``variable_names``, ``comments`` or a table such as ``instances``, as a view."""
        start, stop = getattr(self, _OFFSETS[table])[g : g + 2].tolist()
        return getattr(self, table)[..., start:stop]

    def metadata(self, g: int) -> dict[str, str]:
        """Metadata of graph ``g`` (``# ::id 7 ::date today``), read from its comment lines by penman's rules."""
        if not -len(self) <= g < len(self):
            raise IndexError(f"graph {g} of a corpus of {len(self)}")
        return parse_metadata(self.rows("comments", g % len(self)).tobytes().decode("utf-8", "replace"))

    @property
    def ids(self) -> list[str | None]:
        """The ``::id`` of every graph, None where it has none. Read from the comments once, when first asked for."""
        if self._ids is None:
            self._ids = find_ids(self.comments, self.comment_offsets)
        return list(self._ids)

    @property
    def rootless(self) -> Int64Array:
        """The graphs that have nodes but no root, int64[n]."""
        return np.flatnonzero((self.root < 0) & (np.diff(self.variable_offsets) > 0))

    @property
    def nbytes(self) -> int:
        """Bytes of all arrays, without the vocabulary, which may be shared."""
        return sum(getattr(self, name).nbytes for name in ARRAYS)

    def __repr__(self) -> str:
        unread = f", {len(self.problems):,} unreadable" if self.problems else ""
        if self.repairs:
            unread += f", {len({one.graph for one in self.repairs}):,} repaired"
        return (
            f"<Corpus {self.source!r}: {len(self):,} graphs, {len(self.variable_names):,} variables, "
            f"{self.instances.shape[1] + self.attributes.shape[1] + self.relations.shape[1]:,} triples, "
            f"{self.dialect}{unread}>"
        )

    def _repr_html_(self) -> str:
        """The size of the corpus and its first graphs; the others are not looked at."""
        from fastmatch.report import markup

        rows = []
        for g in range(min(len(self), _SHOWN)):
            about = self.metadata(g)
            n_triples = sum(self.rows(table, g).shape[1] for table in ("instances", "attributes", "relations"))
            n_variables = len(self.rows("variable_names", g))
            rows.append((g, about.get("id", ""), shortened(about.get("snt", ""), _LONGEST), n_variables, n_triples))
        unread = [f"graph {g}: {shortened(message, _LONGEST)}" for g, message in self.problems[:_SHOWN]]
        title, header = markup.escape(repr(self)[1:-1]), ("", "id", "sentence", "variables", "triples")
        table = markup.beginning(header, rows, "hll", _SHOWN, len(self), "graph")
        more = markup.more(_SHOWN, len(self.problems), "problem")
        return markup.paragraph(title) + table + markup.paragraph(*map(markup.faint, unread), more)

    def __eq__(self, other: object) -> bool:
        """Same graphs in the same order, comments and alignments included, whatever ids the vocabularies give.

        Where they were read from does not count, nor whether a relation was written inverted.
        """
        if not isinstance(other, Corpus):
            return NotImplemented
        if self.dialect != other.dialect or len(self) != len(other):
            return False
        if any(getattr(self, name).shape != getattr(other, name).shape for name in ARRAYS):
            return False
        if self.vocabulary is not other.vocabulary:
            ids = self.vocabulary.match(other.vocabulary)
            other = Corpus(*renumbered(other.content, self.vocabulary, ids))
        for name in ARRAYS:
            mine, its = getattr(self, name), getattr(other, name)
            if name == "relations":
                mine, its = mine[:4], its[:4]
            if name != "lines" and not np.array_equal(mine, its):
                return False
        return True

    __hash__ = None  # type: ignore[assignment]

    def __reduce__(self) -> tuple[object, ...]:
        return (Corpus, tuple(self.content))

    # ---------------------------------------------------------------- files

    def save(self, path: str | os.PathLike[str]) -> None:
        """Write the corpus, with its whole vocabulary, to one file: whole or not at all."""
        from fastmatch.graphs.storage import save

        save(path, self.content)

    @classmethod
    def load(cls, path: str | os.PathLike[str], mmap: bool = True) -> Corpus:
        """Read a corpus that :meth:`save` wrote.

        Parameters
        ----------
        path : path
        mmap : bool
            Map the file into memory, read-only: processes that load the same file then share it. The file must not
            be changed while the corpus is in use (:meth:`save` never changes one, it puts a new one in its place).
            False reads it.

        Raises
        ------
        ReadError
            If the file is no corpus, or is damaged in a way that could lead a kernel out of its arrays: lengths,
            offsets and every index are checked here, and trusted from then on.
        """
        from fastmatch.graphs.storage import load

        return cls(*load(path, map_file=mmap))

    def validate(self, source: str | None = None) -> Corpus:
        """Check everything that kernels rely on: see :func:`fastmatch.graphs.arrays.check`.

        Parameters
        ----------
        source : str, optional
            For messages; by default the corpus' own.

        Returns
        -------
        Corpus
            Itself.

        Raises
        ------
        ReadError
            Names the array that is wrong, and ``source``.
        """
        check(self.content, source)
        return self


def _pair(graph: object) -> tuple[Any, Any]:
    """A graph of :meth:`Corpus.from_triples`, checked."""
    if not isinstance(graph, (tuple, list)) or len(graph) != 2:
        raise OptionError(f"triples: expected (top, triples) for each graph, found {graph!r:.60}")
    return graph[0], graph[1]


def _copied_sooner(corpora: Sequence[Corpus]) -> bool:
    """Whether it takes less time to copy the vocabulary of these corpora than to renumber their ids.

    A copied string takes about as long as eight ids to be renumbered (and so long to be folded again). A few hundred
    take no longer than the copies of the arrays of one small graph.
    """
    n_ids = sum(len(corpus.variable_names) + 2 * len(corpus.attributes[0]) for corpus in corpora)
    return n_ids + 2000 * len(corpora) > 8 * len(corpora[0].vocabulary)
