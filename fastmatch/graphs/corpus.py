"""Many graphs as a struct of flat integer arrays.

This is what the reader writes, what metrics read, and what threads and processes share. For G graphs:

==================  ================  ========================================================================
array               shape, dtype      meaning
==================  ================  ========================================================================
root                int32[G]          variable on top; −1 in an empty graph
lines               int32[G]          line of the graph's first bracket, from 1; 0 if unknown
variable_offsets    int64[G+1]        graph g has the variables [o[g], o[g+1]) of ``variable_names``
variable_names      int32[V]          names, as ids of the vocabulary
instance_offsets    int64[G+1]
instances           int32[3, I]       rows: variable, concept, position
attribute_offsets   int64[G+1]
attributes          int32[4, A]       rows: variable, role, value, position
relation_offsets    int64[G+1]
relations           int32[5, R]       rows: source, role, target, position, 1 if the text had it inverted
surface_offsets     int64[G+1]
surface             int32[3, S]       alignments: position, 1 for the role or 0 for concept and target, text (``~e.1``)
comment_offsets     int64[G+1]
comments            uint8[M]          comment lines, UTF-8, line breaks between them
==================  ================  ========================================================================

* Variables are numbered within their graph, 0 … n−1 in order of first mention as a node, so slices need no shifting.
* Strings are ids of the one :class:`~fastmatch.Vocabulary`; −1 is None (no concept, no target, no variable name).
* ``position`` is the place of a triple among all triples of its graph in penman's order.
* Within a graph the columns stand in text order. All arrays are C-contiguous: each row is one stretch of memory.

The file that :meth:`Corpus.save` writes is these arrays one after the other: see :data:`MAGIC`.
"""

from __future__ import annotations

from itertools import pairwise
from operator import index as as_index
from typing import TYPE_CHECKING, Any, overload

import numpy as np

from fastmatch.errors import OptionError, ReadError
from fastmatch.graphs.dialects import DIALECTS
from fastmatch.graphs.graph import Graph
from fastmatch.graphs.notation import ATTRIBUTE, INSTANCE, INVERTED, RELATION, parse_metadata
from fastmatch.graphs.vocabulary import Vocabulary

if TYPE_CHECKING:
    import os
    from collections.abc import Iterable, Iterator, Mapping

    import penman

    from fastmatch.types import ByteArray, Dialect, Int32Array, Int64Array, Selection

__all__ = ["Corpus"]

#: A saved corpus begins with these eight bytes (the last one counts versions of the format), then the length of the
#: header as a little-endian uint64, then the header: JSON with ``dialect``, ``source``, ``problems`` and, for each
#: array by name, ``dtype``, ``shape`` and ``offset``. The offsets count from the first multiple of 64 after the header;
#: there the arrays stand, little-endian, each at a multiple of 64. The vocabulary is the arrays ``vocabulary_text``
#: and ``vocabulary_offsets`` among them.
MAGIC = b"fmcorps\x01"
_ALIGNMENT = 64

# array → (rows, dtype); 0 rows is a one-dimensional array. The constructor takes them in this order.
_ARRAYS = {
    "root": (0, "int32"),
    "lines": (0, "int32"),
    "variable_offsets": (0, "int64"),
    "variable_names": (0, "int32"),
    "instance_offsets": (0, "int64"),
    "instances": (3, "int32"),
    "attribute_offsets": (0, "int64"),
    "attributes": (4, "int32"),
    "relation_offsets": (0, "int64"),
    "relations": (5, "int32"),
    "surface_offsets": (0, "int64"),
    "surface": (3, "int32"),
    "comment_offsets": (0, "int64"),
    "comments": (0, "uint8"),
}
# offsets → the table they divide
_TABLES = {
    "variable_offsets": "variable_names",
    "instance_offsets": "instances",
    "attribute_offsets": "attributes",
    "relation_offsets": "relations",
    "surface_offsets": "surface",
    "comment_offsets": "comments",
}
# table → the rows that hold ids of the vocabulary (None: the whole one-dimensional array)
_ID_ROWS: dict[str, tuple[int, ...] | None] = {
    "variable_names": None,
    "instances": (1,),
    "attributes": (1, 2),
    "relations": (1,),
    "surface": (2,),
}


class Corpus:
    """An immutable list of graphs. See the top of this module for the arrays, which are its attributes.

    ``len``, iteration, ``corpus[3]`` (a :class:`~fastmatch.Graph`), ``corpus[10:20]``, ``corpus[[5, 3]]``,
    ``corpus[mask]`` (corpora that share the vocabulary), ``a + b``, ``==`` (by content), pickle.

    The constructor trusts its arguments, for it stands on the way of every single pair; whoever has arrays of unknown
    origin calls :meth:`validate` next. Make corpora with ``fastmatch.read`` and ``parse``, :meth:`from_graphs`,
    :meth:`from_triples`, :meth:`from_penman`, :meth:`load`.

    Attributes
    ----------
    vocabulary : Vocabulary
        May be shared with other corpora.
    dialect : str
        Who reads text as these graphs were read: see :mod:`fastmatch.graphs.dialects`.
    source : str
        Name of the file, for messages.
    problems : tuple of (int, str)
        Graphs that could not be read and stand here as empty ones, each with what was wrong.
    """

    __slots__ = (
        "__weakref__",
        "_ids",
        "attribute_offsets",
        "attributes",
        "comment_offsets",
        "comments",
        "dialect",
        "instance_offsets",
        "instances",
        "lines",
        "problems",
        "relation_offsets",
        "relations",
        "root",
        "source",
        "surface",
        "surface_offsets",
        "variable_names",
        "variable_offsets",
        "vocabulary",
    )

    _ids: list[str | None] | None

    def __init__(
        self,
        vocabulary: Vocabulary,
        dialect: Dialect,
        source: str,
        root: Int32Array,
        lines: Int32Array,
        variable_offsets: Int64Array,
        variable_names: Int32Array,
        instance_offsets: Int64Array,
        instances: Int32Array,
        attribute_offsets: Int64Array,
        attributes: Int32Array,
        relation_offsets: Int64Array,
        relations: Int32Array,
        surface_offsets: Int64Array,
        surface: Int32Array,
        comment_offsets: Int64Array,
        comments: ByteArray,
        problems: tuple[tuple[int, str], ...] = (),
    ) -> None:
        self.vocabulary = vocabulary
        self.dialect: Dialect = dialect
        self.source = source
        self.root = root
        self.lines = lines
        self.variable_offsets = variable_offsets
        self.variable_names = variable_names
        self.instance_offsets = instance_offsets
        self.instances = instances
        self.attribute_offsets = attribute_offsets
        self.attributes = attributes
        self.relation_offsets = relation_offsets
        self.relations = relations
        self.surface_offsets = surface_offsets
        self.surface = surface
        self.comment_offsets = comment_offsets
        self.comments = comments
        self.problems = problems
        self._ids = None

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

        Graphs of different dialects do not go together (OptionError); ``dialect`` names that of an empty list.
        """
        strings: dict[str | None, int] = {}
        number = strings.setdefault
        root: list[int] = []
        names: list[int] = []
        instances: list[tuple[int, int, int]] = []
        attributes: list[tuple[int, int, int, int]] = []
        relations: list[tuple[int, int, int, int, int]] = []
        surface: list[tuple[int, int, int]] = []
        comments: list[bytes] = []
        n_bytes = 0
        bounds = [(0,) * len(_TABLES)]
        for graph in graphs:
            if dialect is None:
                dialect = graph.dialect
            elif graph.dialect != dialect:
                raise OptionError(f"graphs of the dialects {dialect!r} and {graph.dialect!r} cannot be in one corpus")
            local = {name: position for position, name in enumerate(graph.variables)}
            root.append(local[graph.top] if local else -1)
            # None stands among the strings like any other; it becomes −1 below
            names += [number(name, len(strings)) for name in local]
            for position, ((s, role, target), kind) in enumerate(zip(graph.triples, graph._kinds, strict=True)):
                if kind == INSTANCE:
                    instances.append((local[s], number(target, len(strings)), position))
                elif kind == ATTRIBUTE:
                    attributes.append((local[s], number(role, len(strings)), number(target, len(strings)), position))
                else:
                    relations.append((local[s], number(role, len(strings)), local[target], position, kind == INVERTED))
            for (position, part), text in graph._surface.items():
                surface.append((position, part, number(text, len(strings))))
            comments.append(graph.comments.encode("utf-8", "surrogatepass"))
            n_bytes += len(comments[-1])
            bounds.append((len(names), len(instances), len(attributes), len(relations), len(surface), n_bytes))
        vocabulary = Vocabulary() if vocabulary is None else vocabulary
        ids = np.full(len(strings), -1, np.int32)
        texts = [text for text in strings if text is not None]
        ids[[position for text, position in strings.items() if text is not None]] = vocabulary.ids(texts)
        offsets = np.array(bounds, np.int64).T.copy()
        arrays: dict[str, Any] = dict(zip(_TABLES, offsets, strict=True))
        arrays["variable_names"] = ids[names] if names else np.empty(0, np.int32)
        tables: dict[str, Any] = {
            "instances": instances,
            "attributes": attributes,
            "relations": relations,
            "surface": surface,
        }
        for name, columns in tables.items():
            arrays[name] = table = np.array(columns, np.int32).reshape(-1, _ARRAYS[name][0]).T.copy()
            for row in _ID_ROWS[name] or ():
                table[row] = ids[table[row]]
        return cls(
            vocabulary,
            dialect or "penman",
            source,
            root=np.array(root, np.int32),
            lines=np.zeros(len(root), np.int32),
            comments=np.frombuffer(b"".join(comments), np.uint8),
            **arrays,
        )

    @classmethod
    def from_triples(
        cls,
        graphs: Iterable[tuple[str | None, Iterable[tuple[str | None, str, object]]]],
        *,
        metadata: Iterable[Mapping[str, str]] | None = None,
        vocabulary: Vocabulary | None = None,
        source: str = "<triples>",
    ) -> Corpus:
        """The corpus of graphs given as (top, triples); see :meth:`Graph.from_triples` for what the triples may be.

        Triples in the order of a text give the arrays that reading the text gives, except that ``relations[4]``
        (inverted) is inferred where the order leaves it open.
        """
        given = iter(metadata) if metadata is not None else None
        return cls.from_graphs(
            (
                Graph.from_triples(triples, top, metadata=next(given, None) if given is not None else None)
                for top, triples in graphs
            ),
            vocabulary=vocabulary,
            source=source,
        )

    @classmethod
    def from_penman(
        cls, graphs: Iterable[penman.Graph], *, vocabulary: Vocabulary | None = None, source: str = "<penman>"
    ) -> Corpus:
        """The corpus of these ``penman.Graph`` objects, alignments, metadata and remembered trees included."""
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
                return self._stretch(start, max(start, stop))
            return self._take(np.arange(start, stop, step))
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
            return self._take(np.where(chosen < 0, chosen + len(self), chosen))
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
        text = self.vocabulary.interner.text
        start, stop = self.variable_offsets[g : g + 2].tolist()
        names = [text(id) if id >= 0 else None for id in self.variable_names[start:stop].tolist()]
        rows: list[Any] = []
        start, stop = self.instance_offsets[g : g + 2].tolist()
        for variable, concept, position in self.instances[:, start:stop].T.tolist():
            rows.append((position, INSTANCE, (names[variable], ":instance", text(concept) if concept >= 0 else None)))
        start, stop = self.attribute_offsets[g : g + 2].tolist()
        for variable, role, value, position in self.attributes[:, start:stop].T.tolist():
            rows.append((position, ATTRIBUTE, (names[variable], text(role), text(value) if value >= 0 else None)))
        start, stop = self.relation_offsets[g : g + 2].tolist()
        for variable, role, target, position, inverted in self.relations[:, start:stop].T.tolist():
            rows.append((position, INVERTED if inverted else RELATION, (names[variable], text(role), names[target])))
        rows.sort(key=_first)
        surface: dict[tuple[int, int], str] = {}
        start, stop = self.surface_offsets[g : g + 2].tolist()
        if start < stop:
            places = {row[0]: place for place, row in enumerate(rows)}
            for position, part, id in self.surface[:, start:stop].T.tolist():
                if position in places:  # a standardisation may have dropped the triple
                    surface[places[position], part] = text(id)
        top = int(self.root[g])
        return Graph(
            names[top] if top >= 0 else None,
            names,
            [row[2] for row in rows],
            [row[1] for row in rows],
            surface,
            self._comments(g).decode("utf-8", "replace"),
            self.dialect,
        )

    def _stretch(self, start: int, stop: int) -> Corpus:
        arrays: dict[str, Any] = {}
        for offsets, table in _TABLES.items():
            bounds = getattr(self, offsets)[start : stop + 1]
            arrays[offsets] = bounds - bounds[0]
            # rows stay contiguous, so two-dimensional tables are copied; the others are views
            arrays[table] = np.ascontiguousarray(getattr(self, table)[..., bounds[0] : bounds[-1]])
        problems = tuple((g - start, message) for g, message in self.problems if start <= g < stop)
        return self.with_columns(root=self.root[start:stop], lines=self.lines[start:stop], problems=problems, **arrays)

    def _take(self, chosen: Int64Array) -> Corpus:
        arrays: dict[str, Any] = {}
        for offsets, table in _TABLES.items():
            bounds = getattr(self, offsets)
            starts = bounds[chosen]
            sizes = bounds[chosen + 1] - starts
            made = np.zeros(len(chosen) + 1, np.int64)
            np.cumsum(sizes, out=made[1:])
            arrays[offsets] = made
            if table == "comments":  # long stretches: joining them beats an index for every byte
                text = self.comments.data
                pieces = [
                    text[start:stop] for start, stop in zip(starts.tolist(), (starts + sizes).tolist(), strict=True)
                ]
                arrays[table] = np.frombuffer(b"".join(pieces), np.uint8)
                continue
            columns = np.arange(made[-1])
            columns += np.repeat(starts - made[:-1], sizes)
            arrays[table] = getattr(self, table).take(columns, axis=-1)
        problems: tuple[tuple[int, str], ...] = ()
        if self.problems:
            messages = dict(self.problems)
            problems = tuple((k, messages[g]) for k, g in enumerate(chosen.tolist()) if g in messages)
        return self.with_columns(root=self.root[chosen], lines=self.lines[chosen], problems=problems, **arrays)

    def with_columns(self, **changed: Any) -> Corpus:
        """This corpus with other arrays or attributes in some places; they are trusted, see :meth:`validate`."""
        given = {name: getattr(self, name) for name in ("vocabulary", "dialect", "source", *_ARRAYS, "problems")}
        given.update(changed)
        return Corpus(**given)

    # ---------------------------------------------------------------- joining

    def remap(self, vocabulary: Vocabulary) -> Corpus:
        """This corpus with the ids of another vocabulary, which gets the strings that it lacks."""
        if vocabulary is self.vocabulary:
            return self
        return self._renumbered(vocabulary, vocabulary.merge(self.vocabulary))

    def _renumbered(self, vocabulary: Vocabulary, ids: Int32Array) -> Corpus:
        # one more place at the end, so that −1 maps to itself
        ids = np.append(ids, np.int32(-1))
        changed: dict[str, Any] = {}
        for name, rows in _ID_ROWS.items():
            table = getattr(self, name)
            if rows is None:
                changed[name] = ids[table]
            else:
                changed[name] = table = table.copy()
                for row in rows:
                    table[row] = ids[table[row]]
        return self.with_columns(vocabulary=vocabulary, **changed)

    @classmethod
    def concatenate(cls, corpora: Iterable[Corpus]) -> Corpus:
        """All graphs of these corpora, one corpus after the other, in the vocabulary of the first.

        The other vocabularies are merged into that one, which grows by what it lacks.

        Raises
        ------
        OptionError
            If the corpora were read with different dialects.
        """
        parts = list(corpora)
        if not parts:
            return cls.from_graphs(())
        first = parts[0]
        for part in parts:
            if part.dialect != first.dialect:
                raise OptionError(
                    f"corpora of the dialects {first.dialect!r} and {part.dialect!r} cannot be joined; read both alike"
                )
        merged = {}  # each vocabulary once, however many corpora share it
        for number, part in enumerate(parts):
            if part.vocabulary is not first.vocabulary:
                if id(part.vocabulary) not in merged:
                    merged[id(part.vocabulary)] = first.vocabulary.merge(part.vocabulary)
                parts[number] = part._renumbered(first.vocabulary, merged[id(part.vocabulary)])
        arrays: dict[str, Any] = {}
        for name in ("root", "lines"):
            arrays[name] = np.concatenate([getattr(part, name) for part in parts])
        for offsets, table in _TABLES.items():
            arrays[table] = np.concatenate([getattr(part, table) for part in parts], axis=-1)
            sizes = np.concatenate([np.diff(getattr(part, offsets)) for part in parts])
            arrays[offsets] = np.zeros(len(sizes) + 1, np.int64)
            np.cumsum(sizes, out=arrays[offsets][1:])
        before, problems = 0, []
        for part in parts:
            problems += [(before + g, message) for g, message in part.problems]
            before += len(part)
        sources = dict.fromkeys(part.source for part in parts)
        return first.with_columns(
            source=first.source if len(sources) == 1 else "<joined>", problems=tuple(problems), **arrays
        )

    def __add__(self, other: Corpus) -> Corpus:
        if not isinstance(other, Corpus):
            return NotImplemented
        return Corpus.concatenate((self, other))

    # ---------------------------------------------------------------- looking

    def _comments(self, g: int) -> bytes:
        start, stop = self.comment_offsets[g : g + 2].tolist()
        return self.comments[start:stop].tobytes()

    def metadata(self, g: int) -> dict[str, str]:
        """Metadata of graph ``g`` (``# ::id 7 ::date today``), read from its comment lines by penman's rules."""
        if not -len(self) <= g < len(self):
            raise IndexError(f"graph {g} of a corpus of {len(self)}")
        return parse_metadata(self._comments(g % len(self)).decode("utf-8", "replace"))

    @property
    def ids(self) -> list[str | None]:
        """The ``::id`` of every graph, None where it has none. Read from the comments once, when first asked for."""
        if self._ids is None:
            text, bounds = self.comments.tobytes(), self.comment_offsets.tolist()
            self._ids = [_find_id(text, start, stop) for start, stop in pairwise(bounds)]
        return list(self._ids)

    @property
    def nbytes(self) -> int:
        """Bytes of all arrays, without the vocabulary, which may be shared."""
        return sum(getattr(self, name).nbytes for name in _ARRAYS)

    def __repr__(self) -> str:
        unread = f", {len(self.problems)} unreadable" if self.problems else ""
        return (
            f"<Corpus {self.source!r}: {len(self):,} graphs, {len(self.variable_names):,} variables, "
            f"{self.instances.shape[1] + self.attributes.shape[1] + self.relations.shape[1]:,} triples, "
            f"{self.dialect}{unread}>"
        )

    def __eq__(self, other: object) -> bool:
        """Same graphs in the same order, comments and alignments included, whatever ids the vocabularies give.

        Where they were read from does not count, nor whether a relation was written inverted.
        """
        if not isinstance(other, Corpus):
            return NotImplemented
        if self.dialect != other.dialect or len(self) != len(other):
            return False
        if any(getattr(self, name).shape != getattr(other, name).shape for name in _ARRAYS):
            return False
        if self.vocabulary is not other.vocabulary:
            other = other._renumbered(self.vocabulary, self.vocabulary.match(other.vocabulary))
        for name in _ARRAYS:
            mine, its = getattr(self, name), getattr(other, name)
            if name == "relations":
                mine, its = mine[:4], its[:4]
            if name != "lines" and not np.array_equal(mine, its):
                return False
        return True

    __hash__ = None  # type: ignore[assignment]

    def __reduce__(self) -> tuple[object, ...]:
        names = ("vocabulary", "dialect", "source", *_ARRAYS, "problems")
        return (Corpus, tuple(getattr(self, name) for name in names))

    # ---------------------------------------------------------------- files

    def save(self, path: str | os.PathLike[str]) -> None:
        """Write the corpus, with its whole vocabulary, to one file: whole or not at all."""
        import json

        from fastmatch.runtime.files import new_bytes

        arrays = {name: getattr(self, name) for name in _ARRAYS}
        arrays["vocabulary_text"], arrays["vocabulary_offsets"] = self.vocabulary.export()
        place, described = 0, {}
        for name, array in arrays.items():
            arrays[name] = array = np.ascontiguousarray(array, array.dtype.newbyteorder("<"))
            described[name] = {"dtype": array.dtype.str, "shape": array.shape, "offset": place}
            place += -(-array.nbytes // _ALIGNMENT) * _ALIGNMENT
        header = json.dumps(
            {"dialect": self.dialect, "source": self.source, "problems": self.problems, "arrays": described}
        ).encode()
        with new_bytes(path) as file:
            file.write(MAGIC + len(header).to_bytes(8, "little") + header)
            file.write(bytes(-file.tell() % _ALIGNMENT))
            for array in arrays.values():
                file.write(array.data if array.size else b"")
                file.write(bytes(-array.nbytes % _ALIGNMENT))

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
        import os

        path = os.fspath(path)
        data: Any
        with open(path, "rb") as file:
            if file.read(8) != MAGIC:
                raise ReadError("not a corpus saved by this version of fastmatch", source=path)
            if mmap:
                import mmap as maps

                data = maps.mmap(file.fileno(), 0, access=maps.ACCESS_READ)
            else:
                file.seek(0)
                data = file.read()
        try:
            return cls._from_file(data, path)
        except ReadError:
            raise
        except (ValueError, TypeError, KeyError, IndexError, OverflowError, AttributeError, RecursionError) as error:
            raise ReadError(f"damaged corpus file ({type(error).__name__}: {error})", source=path) from error

    @classmethod
    def _from_file(cls, data: Any, path: str) -> Corpus:
        import json

        size = int.from_bytes(data[8:16], "little")
        if 16 + size > len(data):
            raise ReadError("damaged corpus file: it ends within its header", source=path)
        header = json.loads(data[16 : 16 + size])
        base = -(-(16 + size) // _ALIGNMENT) * _ALIGNMENT
        expected = {**_ARRAYS, "vocabulary_text": (0, "uint8"), "vocabulary_offsets": (0, "int64")}
        arrays = {}
        for name, (rows, dtype_name) in expected.items():
            entry, dtype = header["arrays"][name], np.dtype(dtype_name).newbyteorder("<")
            shape = [as_index(length) for length in entry["shape"]]
            fitting = len(shape) == 1 if rows == 0 else len(shape) == 2 and shape[0] == rows
            if entry["dtype"] != dtype.str or not fitting or min(shape) < 0:
                raise ReadError(f"damaged corpus file: {name} has the wrong type or shape", source=path)
            count = shape[-1] * max(rows, 1)
            start = base + as_index(entry["offset"])
            if start < base or start + count * dtype.itemsize > len(data) or start % _ALIGNMENT:
                raise ReadError(f"damaged corpus file: {name} lies outside it", source=path)
            array = np.frombuffer(data, dtype, count, start).reshape(shape)
            arrays[name] = array.astype(dtype.newbyteorder("="), copy=False)
        text, offsets = arrays.pop("vocabulary_text"), arrays.pop("vocabulary_offsets")
        if not _well_divided(offsets, len(text)):
            raise ReadError("damaged corpus file: the vocabulary's offsets do not fit its text", source=path)
        starts = offsets[offsets < len(text)]
        str(text.data, "utf-8", "surrogatepass")  # a UnicodeDecodeError is a ValueError
        if np.any(text[starts] & 0xC0 == 0x80):
            raise ReadError("damaged corpus file: a string begins within a character", source=path)
        vocabulary = Vocabulary.from_export(text, offsets)
        if len(vocabulary) != len(offsets) - 1:
            raise ReadError("damaged corpus file: a string stands twice in the vocabulary", source=path)
        problems = tuple((as_index(g), str(message)) for g, message in header["problems"])
        source = str(header["source"])
        return cls(vocabulary, header["dialect"], source, **arrays, problems=problems).validate(path)

    def validate(self, source: str | None = None) -> Corpus:
        """Check everything that kernels trust; returns the corpus itself.

        Dtypes, shapes, contiguity, offsets (from 0, never falling, up to the end of their table), and that every
        variable, id and flag is in its range. O(size of the arrays).

        Raises
        ------
        ReadError
            Naming the array, and ``source`` (the corpus' own if None).
        """
        source = self.source if source is None else source

        def check(right: Any, message: str) -> None:
            if not right:
                raise ReadError(f"damaged corpus: {message}", source=source)

        check(isinstance(self.vocabulary, Vocabulary), "no vocabulary")
        check(self.dialect in DIALECTS, f"unknown dialect {self.dialect!r}")
        for name, (rows, dtype) in _ARRAYS.items():
            array = getattr(self, name)
            check(isinstance(array, np.ndarray) and array.dtype == dtype, f"{name} is not an array of {dtype}")
            check(array.ndim == (2 if rows else 1), f"{name} has {array.ndim} dimensions")
            check(rows in (0, array.shape[0]), f"{name} has not {rows} rows")
            check(array.flags.c_contiguous, f"{name} is not contiguous")
        n_graphs, n_strings = len(self.root), len(self.vocabulary)
        check(self.lines.shape == (n_graphs,), "lines and root differ in length")
        for offsets, table in _TABLES.items():
            bounds = getattr(self, offsets)
            check(
                len(bounds) == n_graphs + 1 and _well_divided(bounds, getattr(self, table).shape[-1]),
                f"{offsets} does not divide {table} among {n_graphs} graphs",
            )
        n_variables = np.diff(self.variable_offsets)
        check(n_variables.max(initial=0) < 2**31, "a graph with too many variables")
        check(_within(self.root, -1, n_variables), "a root that is no variable of its graph")
        check(not np.any((self.root < 0) & (n_variables > 0)), "a graph with variables but no root")
        check(_within(self.variable_names, -1, n_strings), "a variable name that is not in the vocabulary")
        for offsets, rows_of_variables in (
            ("instance_offsets", (0,)),
            ("attribute_offsets", (0,)),
            ("relation_offsets", (0, 2)),
        ):
            table = _TABLES[offsets]
            limit = np.repeat(n_variables, np.diff(getattr(self, offsets)))
            for row in rows_of_variables:
                right = _within(getattr(self, table)[row], 0, limit)
                check(right, f"row {row} of {table} names a variable that its graph lacks")
        for name, row, lowest in (
            ("instances", 1, -1),
            ("attributes", 1, 0),
            ("attributes", 2, -1),
            ("relations", 1, 0),
            ("surface", 2, 0),
        ):
            right = _within(getattr(self, name)[row], lowest, n_strings)
            check(right, f"row {row} of {name} has an id outside the vocabulary")
        for name, row in (("instances", 2), ("attributes", 3), ("relations", 3), ("surface", 0)):
            check(_within(getattr(self, name)[row], 0, 2**31), f"row {row} of {name} has a negative position")
        check(_within(self.relations[4], 0, 2) and _within(self.surface[1], 0, 2), "a flag that is neither 0 nor 1")
        check(_within(self.lines, 0, 2**31), "a negative line number")
        check(all(0 <= g < n_graphs for g, _ in self.problems), "a problem with a graph that does not exist")
        return self


def _find_id(text: bytes, start: int, stop: int) -> str | None:
    """The ``::id`` in the comment lines text[start:stop]; only lines that may hold one are parsed."""
    found = None
    place = text.find(b"::id", start, stop)
    while place >= 0:
        begin = max(start, text.rfind(b"\n", start, place) + 1)
        end = text.find(b"\n", place, stop)
        end = stop if end < 0 else end
        found = parse_metadata(text[begin:end].decode("utf-8", "replace")).get("id", found)
        place = text.find(b"::id", end, stop)
    return found


def _first(row: tuple[int, int, object]) -> int:
    return row[0]


def _within(values: Any, lowest: int, limit: Any) -> bool:
    """Whether lowest ≤ values < limit, everywhere."""
    return bool(values.size == 0 or (values.min() >= lowest and np.all(values < limit)))


def _well_divided(offsets: Int64Array, size: int) -> bool:
    """Whether offsets begin at 0, never fall, and end at ``size``."""
    return bool(len(offsets) > 0 and offsets[0] == 0 and offsets[-1] == size and np.all(offsets[1:] >= offsets[:-1]))
