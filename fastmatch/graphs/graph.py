"""One graph as a Python object, to look at, to convert and to write as text.

A :class:`Graph` holds what ``penman.decode`` gives: a list of (source, role, target) triples in the order of the text,
and the variable on top. Besides, it remembers of every triple how the text wrote it: its kind
(:mod:`fastmatch.graphs.notation`). How a graph becomes text again is told in :mod:`fastmatch.graphs.writing`.

Of a graph that is given by its nodes and edges nothing is quoted or escaped: a label is compared as it is given,
whatever characters it holds. What a metric leaves out of account is case, and quotes around the whole label.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from itertools import zip_longest
from numbers import Number
from typing import TYPE_CHECKING, Any

import numpy as np

from fastmatch.errors import FastmatchError, OptionError
from fastmatch.graphs.notation import (
    ATTRIBUTE,
    INSTANCE,
    INVERTED,
    RELATION,
    format_metadata,
    parse_alignment,
    parse_metadata,
)
from fastmatch.report import markup
from fastmatch.types import Attribute, Dialect, Edge, Nodes, Triple

if TYPE_CHECKING:
    import penman

    from fastmatch.graphs.writing import Writer

#: Triples of the largest graph that a notebook shows as text, and how many it lists of a larger one.
_WRITTEN, _LISTED = 2000, 50


class Graph:
    """One graph, with a root or without. Do not change it in place: make another.

    Made by indexing a :class:`~fastmatch.Corpus`, or by :meth:`from_edges`, :meth:`from_triples`, :meth:`from_penman`;
    the constructor trusts its arguments.

    Attributes
    ----------
    top : str or None
        Variable of the outermost node; None in a graph without a root, such as an empty one.
    variables : tuple of str
        In order of first mention as a node. None stands for the variable of the node ``()``. With some dialects
        several variables may have one name; the triples do not tell them apart.
    triples : list of (source, role, target)
        In penman's order, equal to ``penman.decode(text).triples``: roles with colon, strings with quotes, numbers as
        written, None for a missing concept or target.
    comments : str
        The comment lines before the graph, as they stand.
    dialect : str
        How it was read: see :mod:`fastmatch.graphs.dialects`.
    """

    __slots__ = ("_kinds", "_numbers", "_surface", "comments", "dialect", "top", "triples", "variables")

    def __init__(
        self,
        top: str | None,
        variables: Sequence[str | None],
        triples: list[Triple],
        kinds: list[int],
        surface: Mapping[tuple[int, int], str],
        comments: str = "",
        dialect: Dialect = "penman",
        numbers: tuple[int, Sequence[tuple[int, int]]] | None = None,
    ) -> None:
        self.top, self.variables, self.triples, self.comments = top, tuple(variables), triples, comments
        self.dialect: Dialect = dialect
        self._kinds = kinds
        # (index of the triple, 1 for its role or 0 for its target) → "~e.4,5", in text order
        self._surface = surface
        # where a name is that of several variables: the number of the top, and of source and target of every triple
        self._numbers = numbers

    # ---------------------------------------------------------------- making

    @classmethod
    def from_triples(
        cls,
        triples: Iterable[tuple[str | None, str, object]],
        top: str | None = None,
        *,
        rooted: bool = True,
        metadata: Mapping[str, str] | None = None,
    ) -> Graph:
        """A graph of (source, role, target) triples, by penman's rules.

        Sources, and ``top``, are variables; a target that is a variable makes a relation, any other an attribute;
        numbers become strings; roles get a colon if they lack it. ``top`` defaults to the first source; with
        ``rooted=False`` there is no root.

        Which relations are to be written inverted is inferred from the order of the triples, taken as that of a text.

        Raises
        ------
        OptionError
            If a top is given with ``rooted=False``, or a source is None there; if a triple has not three parts, or a
            source or role is no text, or a target is neither text nor a number (NaN is none) nor None.
        """
        listed = _listed(triples)
        if not isinstance(top, str | None):
            raise OptionError(f"top={top!r}: expected a variable, as text, or None")
        if rooted:
            return cls._assemble(listed, top, _infer_inverted, {}, format_metadata(metadata))
        if top is not None:
            raise OptionError(f"top={top!r}: a graph that is not rooted has none")
        if any(triple[0] is None for triple in listed):
            raise OptionError("a triple without a source: only text with a node () makes one, and has a root")
        # without a root there is no text, in which a relation could be inverted
        return cls._assemble(listed, None, lambda *_: None, {}, format_metadata(metadata), rooted=False)

    @classmethod
    def from_edges(
        cls,
        nodes: Nodes,
        edges: Iterable[Edge],
        *,
        attributes: Iterable[Attribute] = (),
        top: Hashable | None = None,
        metadata: Mapping[str, str] | None = None,
    ) -> Graph:
        """A graph given by its nodes and edges. It never goes through text, so labels may hold any character.

        Parameters
        ----------
        nodes : mapping or iterable
            Node → its label, several labels in a list, or None for none; or nodes without labels. Nodes are named by
            strings or numbers, which only say which is which.
        edges : iterable of (source, role, target)
            Source and target are nodes. Roles get a colon if they lack it.
        attributes : iterable of (node, role, value)
            Values are constants: strings or numbers.
        top : optional
            The node that is the root; None: the graph has none.
        metadata : mapping, optional
            Keys and values of text, such as ``id``.

        Raises
        ------
        OptionError
            If an end of an edge is no node, two nodes have one name, or a role is empty.

        Examples
        --------
        >>> graph = Graph.from_edges({1: "cat (animal)", 2: "mat"}, [(1, "on", 2)], attributes=[(1, "count", 2)])
        >>> graph.triples
        [('1', ':instance', 'cat (animal)'), ('2', ':instance', 'mat'), ('1', ':on', '2'), ('1', ':count', '2')]
        """
        names: dict[Hashable, str] = {}
        numbers: dict[str, int] = {}
        triples: list[Triple] = []
        kinds: list[int] = []
        ends: list[tuple[int, int]] = []
        for node, label in nodes.items() if isinstance(nodes, Mapping) else ((node, None) for node in nodes):
            name = _text(node, "a node")
            if name in numbers:
                raise OptionError(f"nodes: two have the name {name!r}")
            names[node], numbers[name] = name, len(numbers)
            labels = label if isinstance(label, (list, tuple, set, frozenset)) else [] if label is None else [label]
            for each in labels:
                triples.append((name, ":instance", _text(each, f"a label of the node {name!r}")))
                kinds.append(INSTANCE)
                ends.append((numbers[name], -1))

        def name_of(node: Hashable, place: str) -> str:
            try:
                return names[node]
            except (KeyError, TypeError):
                raise OptionError(f"{place}: {node!r} is not among the nodes") from None

        for kind, what, given in ((RELATION, "edge", edges), (ATTRIBUTE, "attribute", attributes)):
            for number, row in enumerate(given):
                place = f"{what} {number}"
                try:
                    source, role, target = row
                except (TypeError, ValueError):
                    raise OptionError(f"{place}: expected three values (source, role, target), found {row!r}") from None
                name = name_of(source, place)
                role = _role(role, place)
                if kind == RELATION:
                    other = name_of(target, place)
                    triples.append((name, role, other))
                    ends.append((numbers[name], numbers[other]))
                else:
                    triples.append((name, role, _text(target, f"the value of {place}")))
                    ends.append((numbers[name], -1))
                kinds.append(kind)
        root = None if top is None else name_of(top, "top")
        if metadata is not None and not isinstance(metadata, Mapping):
            raise OptionError(f"metadata: expected a mapping from names to texts, found {metadata!r}")
        # a constant may be spelled like a node, so names alone would not tell what a triple leads to
        numbered = -1 if root is None else numbers[root], ends
        return cls(root, tuple(numbers), triples, kinds, {}, format_metadata(metadata), numbers=numbered)

    @classmethod
    def from_penman(cls, graph: penman.Graph) -> Graph:
        """The same graph, with its alignments, its metadata and the tree that penman remembers."""
        from penman.layout import Pop, Push
        from penman.surface import Alignment, RoleAlignment

        listed = _listed(graph.triples)
        surface: dict[tuple[int, int], str] = {}
        # after each triple, the nodes opened (their variable) and closed (None)
        moves: list[list[str | None]] = [[] for _ in listed]
        laid_out = False
        seen = set()
        for index, triple in enumerate(graph.triples):
            marks = graph.epidata.get(triple)
            if not marks or triple in seen:  # penman keeps marks by triple, those of the first among equal ones
                continue
            seen.add(triple)
            texts = {0: "", 1: ""}
            for mark in marks:
                if isinstance(mark, RoleAlignment):
                    texts[1] = str(mark)
                elif isinstance(mark, Alignment):
                    texts[0] = str(mark)
                elif isinstance(mark, Push):
                    moves[index].append(mark.variable)
                    laid_out = True
                elif isinstance(mark, Pop):
                    moves[index].append(None)
            for part in (1, 0):
                if texts[part]:
                    surface[index, part] = texts[part]

        def inverted(triples: list[Triple], kinds: list[int], top: str | None) -> None:
            if not laid_out:
                _infer_inverted(triples, kinds, top)
                return
            path = [top]
            for index, (source, _, target) in enumerate(triples):
                ends = (source, target) if kinds[index] == RELATION else (source,)
                if path[-1] not in ends and any(end in path for end in ends):
                    # penman lost the mark that closed a node: it keeps none for the second of two equal triples
                    while path[-1] not in ends:
                        path.pop()
                if kinds[index] == RELATION and source != path[-1] and target == path[-1]:
                    kinds[index] = INVERTED
                following = triples[index + 1] if index + 1 < len(triples) else ()
                if kinds[index] == INSTANCE and target is None and source in following[::2]:
                    # penman closes a node without concept here, before what else it holds
                    continue
                for move in moves[index]:
                    if move is not None:
                        path.append(move)
                    elif len(path) > 1:
                        path.pop()

        return cls._assemble(listed, graph.top, inverted, surface, format_metadata(graph.metadata))

    @classmethod
    def _assemble(
        cls,
        triples: list[Triple],
        top: str | None,
        invert: Callable[[list[Triple], list[int], str | None], None],
        surface: Mapping[tuple[int, int], str],
        comments: str,
        *,
        rooted: bool = True,
    ) -> Graph:
        """A graph of checked triples; ``invert`` marks the inverted relations in the list of kinds."""
        if top is None and triples and rooted:
            top = triples[0][0]
        nodes: dict[str | None, None] = dict.fromkeys(s for s, role, _ in triples if role == ":instance")
        nodes.update(dict.fromkeys(source for source, _, _ in triples))
        if top is not None:
            nodes[top] = None
        kinds = [
            INSTANCE if role == ":instance" else RELATION if target in nodes else ATTRIBUTE
            for _, role, target in triples
        ]
        invert(triples, kinds, top)
        return cls(top, tuple(nodes), triples, kinds, surface, comments)

    # ---------------------------------------------------------------- looking

    def _of_kind(self, *wanted: int) -> list[Triple]:
        return [triple for triple, kind in zip(self.triples, self._kinds, strict=True) if kind in wanted]

    @property
    def instances(self) -> list[Triple]:
        """The triples (variable, ``:instance``, concept)."""
        return self._of_kind(INSTANCE)

    @property
    def attributes(self) -> list[Triple]:
        """The triples whose target is a constant, or missing."""
        return self._of_kind(ATTRIBUTE)

    @property
    def relations(self) -> list[Triple]:
        """The triples between two variables, ``-of`` already turned around."""
        return self._of_kind(RELATION, INVERTED)

    @property
    def metadata(self) -> dict[str, str]:
        """Key → value of the comment lines (``# ::id 7 ::date today``), by penman's rules."""
        return parse_metadata(self.comments) if self.comments else {}

    @property
    def alignments(self) -> dict[Triple, tuple[int, ...]]:
        """Triple → token positions aligned with its concept or target (``boy~e.4,5`` gives (4, 5))."""
        return self._positions(0)

    @property
    def role_alignments(self) -> dict[Triple, tuple[int, ...]]:
        """Triple → token positions aligned with its role (``:ARG0~e.3``)."""
        return self._positions(1)

    def _positions(self, wanted: int) -> dict[Triple, tuple[int, ...]]:
        found: dict[Triple, tuple[int, ...]] = {}
        for (index, part), text in self._surface.items():
            if part == wanted:
                found.setdefault(self.triples[index], parse_alignment(text))
        return found

    def __eq__(self, other: object) -> bool:
        """Same top and the same triples as often, in whatever order; comments and alignments do not count."""
        if not isinstance(other, Graph):
            return NotImplemented
        return (
            self.top == other.top
            and len(self.triples) == len(other.triples)
            and _sorted(self.triples) == _sorted(other.triples)
        )

    def __hash__(self) -> int:
        return hash((self.top, frozenset(self.triples)))

    def __repr__(self) -> str:
        name = self.metadata.get("id")
        title = f"{name}, " if name else ""
        return f"<Graph: {title}top {self.top}, {len(self.variables)} variables, {len(self.triples)} triples>"

    def __str__(self) -> str:
        return self.encode()

    def _repr_html_(self) -> str:
        """Id, sentence and text of the graph; the first triples of one that is large or has no text."""
        about = self.metadata
        title = markup.paragraph(markup.escape(repr(self)[1:-1]), markup.escape(about.get("snt", "")))
        if len(self.triples) <= _WRITTEN:
            with suppress(FastmatchError):
                return title + markup.block(self._writer().write(6))
        rows = [["" if part is None else part for part in triple] for triple in self.triples[:_LISTED]]
        header = ("source", "role", "target")
        return title + markup.beginning(header, rows, "lll", _LISTED, len(self.triples), "triple")

    # ---------------------------------------------------------------- writing

    def to_penman(self) -> penman.Graph:
        """The same graph as a ``penman.Graph``, with its alignments and metadata.

        Of equal triples the alignments of the first one count, as when penman reads a text.

        If the triples stand in the order of a text, penman is told its tree, and writes it the same way. Of a graph
        without a root penman takes the first source for the top.
        """
        import penman
        from penman.layout import POP, Push
        from penman.surface import Alignment, RoleAlignment

        marks: dict[Triple, list[object]] = {}
        first: dict[Triple, int] = {}
        for index, triple in enumerate(self.triples):
            first.setdefault(triple, index)
        for (index, part), text in self._surface.items():
            parse_alignment(text)  # penman would raise an error of its own
            triple = self.triples[index]
            if first[triple] == index:
                marks.setdefault(triple, []).append((RoleAlignment if part else Alignment).from_string(text))
        try:
            moves = self._writer().layout()
        except FastmatchError:  # no text at all: penman's graphs need not be connected either
            moves = {}
        for index, triple in enumerate(self.triples):
            if first[triple] != index and (index in moves or first[triple] in moves):
                moves = {}  # penman keeps marks by triple, so it could not tell these two apart
                break
        for index, nodes in moves.items():
            made_here = marks.setdefault(self.triples[index], [])
            made_here += [POP if node is None else Push(node) for node in nodes]
        return penman.Graph(self.triples, top=self.top, epidata=marks, metadata=self.metadata)

    def encode(self, indent: int | None = 6) -> str:
        """Penman text of the graph, comment lines first.

        If the graph's dialect is ``penman``, reading gives the same top and the same triples as often, alignments
        included, whatever made the graph; in the same order too if they stand in the order of some text that opens
        every variable once.

        The readers of other dialects lose and rename what the programs do that they follow. A graph that such a reader
        made is read the same by it, with two exceptions. ``amrsuite``, ``damonte`` and ``ancast-umr`` turn around roles
        on ``-of`` in some places only; ``smatchpp`` and ``wlk`` know no variable without a concept. Of a graph that was
        made otherwise, by steps of standardisation for instance, they may read another one: smatchpp's renames an
        attribute ``:root``, smatch's makes ``:domain`` of ``:mod`` and drops quotes, and some keep ``-of``. What penman
        reads is always a graph with the same top and triples, where ``x :role-of y`` and ``y :role x`` are the same;
        quotes do not count if the dialect drops them, and an empty graph becomes a node without a name. ``fastmatch
        standardize`` reads its texts again, and writes those that the dialect's reader takes for the same graphs.

        Parameters
        ----------
        indent : int or None
            Columns a level; None writes the graph on one line. Below level 40 the text moves no further to the right.

        Raises
        ------
        FastmatchError
            If Penman notation cannot express the graph: it has no root, a variable that the top does not reach, a
            variable with more concepts than places to write them, or a name with a character that would end it.
        """
        return self._under_comments(self._writer().write(indent))

    def _writer(self) -> Writer:
        from fastmatch.graphs.writing import Writer  # compiles patterns: not for those who only look

        return Writer(self.top, self.variables, self.triples, self._kinds, self._surface, self.dialect)

    def _under_comments(self, text: str) -> str:
        lines = self._comment_lines()
        if self.dialect == "smatchpp":  # to its reader other comments are words of a graph, but in a block of their own
            plain = [number for number, line in enumerate(lines, 1) if not line.startswith("# ::")]
            if plain:
                lines.insert(plain[-1], "")
        return "\n".join([*lines, text])

    def _comment_lines(self) -> list[str]:
        lines = self.comments.split("\n") if self.comments else []
        return [line if line.lstrip().startswith("#") else f"# {line}" for line in lines]


def _sorted(triples: list[Triple]) -> list[tuple[tuple[bool, str], ...]]:
    return sorted(tuple((part is not None, part or "") for part in triple) for triple in triples)


def _listed(triples: Iterable[tuple[str | None, str, object]]) -> list[Triple]:
    """Triples of a caller, checked; roles with a colon, numbers as text."""
    if isinstance(triples, (str, Mapping)) or not hasattr(triples, "__iter__"):
        raise OptionError(f"triples: expected (source, role, target) triples, found {triples!r:.60}")
    listed: list[Triple] = []
    for triple in triples:
        try:
            source, role, target = triple
        except (TypeError, ValueError):
            role = None
        if isinstance(triple, str) or not isinstance(role, str) or not (source is None or isinstance(source, str)):
            raise OptionError(f"triples: expected (source, role, target), the first two as text, found {triple!r:.60}")
        if target is not None and not isinstance(target, str):
            if not isinstance(target, Number) or target != target:
                raise OptionError(f"triples: expected text, a number or None as target, found {target!r:.60} in {role}")
            target = str(target)
        listed.append((source, role if role[:1] == ":" else f":{role}", target))
    return listed


def _infer_inverted(triples: list[Triple], kinds: list[int], top: str | None) -> None:
    """Mark the relations that a text with its triples in this order writes at their target.

    The nodes open at any moment form a path from the top. A relation stands at the deepest node of the path after some
    nodes were closed: at its source if that is open, else at its target. Where both are open the text may have had
    either; the source is taken.
    """
    path: list[str | None] = [top]
    open_nodes = {top}
    met = {top}
    for index, (source, _, target) in enumerate(triples):
        kind = kinds[index]
        site = source
        turned = source not in open_nodes and (target in open_nodes or (source not in met and target in met))
        if kind == RELATION and turned:
            kinds[index] = INVERTED
            site = target
        if site not in open_nodes:
            path.append(site)
            open_nodes.add(site)
            met.add(site)
        while path[-1] != site:
            open_nodes.discard(path.pop())


# ---- nodes and edges -------------------------------------------------------------------------------------------------


def graphs_of_edges(
    nodes: Iterable[Nodes],
    edges: Iterable[Iterable[Edge]],
    attributes: Iterable[Iterable[Attribute]] | None,
    tops: Iterable[Hashable | None] | None,
    metadata: Iterable[Mapping[str, str]] | None,
) -> Iterator[Graph]:
    """:meth:`Graph.from_edges` graph by graph; errors say which one is wrong."""
    given: dict[str, Iterable[Any]] = {"nodes": nodes, "edges": edges}
    more = {"attributes": attributes, "tops": tops, "metadata": metadata}
    given |= {name: values for name, values in more.items() if values is not None}
    if isinstance(nodes, Mapping):
        raise OptionError("nodes: expected the nodes of each graph in turn; of one graph: [nodes], [edges]")
    for number, values in enumerate(zip_longest(*given.values(), fillvalue=_NOTHING)):
        row = dict(zip(given, values, strict=True))
        short = [name for name, value in row.items() if value is _NOTHING]
        if short:
            raise OptionError(f"graph {number}: {' and '.join(short)} hold fewer graphs than the others")
        try:
            yield Graph.from_edges(
                row["nodes"],
                row["edges"],
                attributes=row.get("attributes", ()),
                top=row.get("tops"),
                metadata=row.get("metadata"),
            )
        except OptionError as error:
            raise OptionError(f"graph {number}: {error}") from None


_NOTHING = object()


def _role(role: object, place: str) -> str:
    if not isinstance(role, str) or not role.strip(": \t\r\n"):
        raise OptionError(f"{place}: expected the name of a role, found {role!r}")
    role = role if role.startswith(":") else f":{role}"
    if role == ":instance":
        raise OptionError(f"{place}: the role 'instance' is that of labels, which are given with the nodes")
    return role


def _text(value: object, what: str) -> str:
    """A name, label or constant as text.

    Raises
    ------
    OptionError
        If it is neither text nor a number, or an empty text, or NaN, which tables have where something is missing.
    """
    if isinstance(value, (bool, np.bool_)):
        return "true" if value else "false"
    if not isinstance(value, (str, int, float, np.floating)) and not hasattr(value, "__index__"):
        raise OptionError(f"{what}: expected text or a number, found {value!r}")
    if value == "" or value != value:
        raise OptionError(f"{what}: expected text or a number, found {'an empty text' if value == '' else 'NaN'}")
    return str(value)
