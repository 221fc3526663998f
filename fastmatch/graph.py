"""One graph, for people.

A :class:`Graph` holds what ``penman.decode`` gives: a list of (source, role, target) triples in the order of the text,
and the variable on top. Besides, it remembers for every triple how the text wrote it:

====  ===================  ===================================================
kind  triple               written
====  ===================  ===================================================
0     instance             ``(b / boy``
1     attribute            ``:polarity -``: the target is a constant
2     relation             at its source: ``(w … :ARG0 (b …``
3     inverted relation    at its target: ``(b … :ARG0-of (w …``
====  ===================  ===================================================

Writing a graph back as text means choosing a tree: every variable but the top is opened as a node at exactly one of
the relations it takes part in; all other relations name it only. The order of the triples says which tree the text had
(a node was opened by a relation exactly if its instance triple comes next), and :meth:`Graph.encode` keeps that tree.
Where the triples come from elsewhere, in any order, it looks for a tree breadth first, inverting relations where there
is no other way. Nothing here recurses, and all of it is linear in the size of the text it writes.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from fastmatch.dialects import DIALECTS
from fastmatch.errors import FastmatchError

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    import penman

    from fastmatch.types import Dialect, Triple

__all__ = ["Graph"]

INSTANCE, ATTRIBUTE, RELATION, INVERTED = 0, 1, 2, 3

#: Roles that end in ``-of`` without being the inverse of anything: penman's AMR model and smatch 1.0.4 agree on them.
NOT_INVERTED = frozenset((":consist-of", ":prep-on-behalf-of", ":prep-out-of"))

# Every indentation makes deep text quadratic, so it stops growing at this depth. AMRs people read are never that deep.
_INDENTED_DEPTH = 40

_SYMBOL = r'(?!#)[^ \t\r\n\v\f"()/:~]+'
_STRING = r'"[^"\\\r\n]*(?:\\[^\r\n][^"\\\r\n]*)*"'
_ROLE = r':[^ \t\r\n\v\f"()/:~]*'


def parse_metadata(comments: str) -> dict[str, str]:
    """Metadata of comment lines, by penman's rule.

    Each line is cut from the right at ``::``; a piece ``key value`` (split at the first space) sets ``key``, the value
    without white space at its right end; what stands before the first ``::`` counts for nothing. So of a key repeated
    in one line the leftmost wins, otherwise the last line.
    """
    metadata: dict[str, str] = {}
    for line in comments.split("\n"):
        end = len(line)
        while (start := line.rfind("::", 0, end)) >= 0:  # from the right: ':::a' is a key 'a' after a colon
            key, _, value = line[start + 2 : end].partition(" ")
            metadata[key] = value.rstrip()
            end = start
    return metadata


def format_metadata(metadata: Mapping[str, str] | None) -> str:
    """The comment lines ``# ::key value`` for it, one a key; line breaks in values become spaces."""
    lines = []
    for key, value in (metadata or {}).items():
        lines.append(" ".join(f"# ::{key} {value}".rstrip().splitlines()))
    return "\n".join(lines)


def is_inverted(role: str) -> bool:
    """Whether a reader turns a relation written with this role around."""
    return role.endswith("-of") and role not in NOT_INVERTED


def is_symbol(text: str) -> bool:
    """Whether a reader reads this as one concept or constant without quotes."""
    return re.fullmatch(_SYMBOL, text) is not None


def is_string(text: str) -> bool:
    """Whether a reader reads this as one quoted string."""
    return re.fullmatch(_STRING, text) is not None


class Graph:
    """One rooted graph. Do not change it in place: make another.

    Made by indexing a :class:`~fastmatch.Corpus`, or by :meth:`from_triples`, :meth:`from_penman`; the constructor
    trusts its arguments.

    Attributes
    ----------
    top : str or None
        Variable of the outermost node; None in an empty graph.
    variables : tuple of str
        In order of first mention as a node. None stands for the variable of the node ``()``.
    triples : list of (source, role, target)
        In penman's order, equal to ``penman.decode(text).triples``: roles with colon, strings with quotes, numbers as
        written, None for a missing concept or target.
    comments : str
        The comment lines before the graph, as they stand.
    dialect : str
        Who reads like that: see :mod:`fastmatch.dialects`.
    """

    __slots__ = ("_kinds", "_surface", "comments", "dialect", "top", "triples", "variables")

    def __init__(
        self,
        top: str | None,
        variables: Sequence[str | None],
        triples: list[Triple],
        kinds: list[int],
        surface: Mapping[tuple[int, int], str],
        comments: str = "",
        dialect: Dialect = "penman",
    ) -> None:
        self.top, self.variables, self.triples, self.comments = top, tuple(variables), triples, comments
        self.dialect: Dialect = dialect
        self._kinds = kinds
        # (index of the triple, 1 for its role or 0 for its target) → "~e.4,5", in text order
        self._surface = surface

    # ---------------------------------------------------------------- making

    @classmethod
    def from_triples(
        cls,
        triples: Iterable[tuple[str | None, str, object]],
        top: str | None = None,
        *,
        metadata: Mapping[str, str] | None = None,
    ) -> Graph:
        """A graph of (source, role, target) triples, by penman's rules.

        Sources, and ``top``, are variables; a target that is a variable makes a relation, any other an attribute;
        numbers become strings; roles get a colon if they lack it. ``top`` defaults to the first source.

        Which relations are to be written inverted is inferred from the order of the triples, taken as that of a text.
        """
        listed = _listed(triples)
        return cls._assemble(listed, top, _infer_inverted, {}, format_metadata(metadata))

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
    def _assemble(cls, triples: list[Triple], top: str | None, invert, surface, comments: str) -> Graph:  # type: ignore[no-untyped-def]
        if top is None and triples:
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
                tokens = text.lstrip("~abcdefghijklmnopqrstuvwxyz.").split(",")
                found.setdefault(self.triples[index], tuple(map(int, tokens)))
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

    # ---------------------------------------------------------------- writing

    def to_penman(self) -> penman.Graph:
        """The same graph as a ``penman.Graph``, with its alignments and metadata.

        If the triples stand in the order of a text, penman is told its tree, and writes it the same way.
        """
        import penman
        from penman.layout import POP, Push
        from penman.surface import Alignment, RoleAlignment

        marks: dict[Triple, list[object]] = {}
        for (index, part), text in self._surface.items():
            made = (RoleAlignment if part else Alignment).from_string(text)
            known = marks.setdefault(self.triples[index], [])
            if not any(type(mark) is type(made) for mark in known):
                known.append(made)
        try:
            moves = _Writer(self).layout()
        except FastmatchError:  # no text at all: penman's graphs need not be connected either
            moves = {}
        seen: dict[Triple, int] = {}
        for index, triple in enumerate(self.triples):
            if seen.setdefault(triple, index) != index and (index in moves or seen[triple] in moves):
                moves = {}  # penman keeps marks by triple, so it could not tell these two apart
                break
        for index, nodes in moves.items():
            made_here = marks.setdefault(self.triples[index], [])
            made_here += [POP if node is None else Push(node) for node in nodes]
        return penman.Graph(self.triples, top=self.top, epidata=marks, metadata=self.metadata)

    def encode(self, indent: int | None = 6) -> str:
        """Penman text of the graph, comment lines first.

        Reading it gives the same top and the same triples as often, alignments included; in the same order too if they
        stand in the order of some text that opens every variable once.

        Parameters
        ----------
        indent : int or None
            Columns a level; None writes the graph on one line. Below level 40 the text moves no further to the right.

        Raises
        ------
        FastmatchError
            If Penman notation cannot express the graph: a variable that the top does not reach, a variable with more
            concepts than places to write them, or a name with a character that would end it.
        """
        return "\n".join([*self._comment_lines(), _Writer(self).write(indent)])

    def _comment_lines(self) -> list[str]:
        lines = self.comments.split("\n") if self.comments else []
        return [line if line.lstrip().startswith("#") else f"# {line}" for line in lines]


def _sorted(triples: list[Triple]) -> list[tuple[tuple[bool, str], ...]]:
    return sorted(tuple((part is not None, part or "") for part in triple) for triple in triples)


def _listed(triples: Iterable[tuple[str | None, str, object]]) -> list[Triple]:
    return [
        (
            source,
            role if role[:1] == ":" else f":{role}",
            target if target is None or type(target) is str else str(target),
        )
        for source, role, target in triples
    ]


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


class _Writer:
    """Writes one graph: chooses its tree first. Relations go by their index among the triples."""

    def __init__(self, graph: Graph) -> None:
        self.graph, self.triples, self.kinds, self.top = graph, graph.triples, graph._kinds, graph.top
        self.reading = DIALECTS[graph.dialect]
        self.checked: dict[tuple[str, str], str] = {}
        self.concepts: dict[str | None, list[int]] = {}  # variable → its instance triples
        self.sites: dict[int, str | None] = {}  # relation → the variable in whose node it is written
        self.touching: dict[str | None, list[int]] = {variable: [] for variable in graph.variables}
        self.parents: dict[str | None, int] = {}  # variable → the relation that opens its node
        self.extra: dict[int, int] = {}  # relation → instance triple, where a variable gets one more concept
        for index, (source, role, target) in enumerate(self.triples):
            kind = self.kinds[index]
            if kind == INSTANCE:
                self.concepts.setdefault(source, []).append(index)
            elif kind != ATTRIBUTE:
                at_target = kind == INVERTED
                if not self._may_stand(role, at_target=at_target) or (target if at_target else source) is None:
                    at_target = not at_target
                self.sites[index] = target if at_target else source
                self.touching[source].append(index)
                if target != source:
                    self.touching[target].append(index)

    def _may_stand(self, role: str, *, at_target: bool) -> bool:
        if not self.reading.turns:
            return not at_target
        # ':consist' never stands at its target, for ':consist-of' is a role of its own; a role ':x-of' always does
        return is_inverted(f"{role}-of") if at_target else not is_inverted(role)

    def _other(self, edge: int) -> str | None:
        source, _, target = self.triples[edge]
        return source if self.sites[edge] == target else target

    def write(self, indent: int | None) -> str:
        if not self.graph.variables:
            return "()"
        self._choose_tree()
        self._place_concepts()
        return self._text(indent)

    def _choose_tree(self) -> None:
        # what the text had: a relation opened a node if the instance triple of that node comes next
        children: dict[str | None, list[tuple[str | None, int]]] = {}
        for variable, instances in self.concepts.items():
            edge = instances[0] - 1
            if variable != self.top and edge in self.sites and self._other(edge) == variable:
                children.setdefault(self.sites[edge], []).append((variable, edge))
        reached: list[str | None] = [self.top]  # in the order found: both walks below go breadth first
        known = {self.top}
        for node in reached:
            for variable, edge in children.get(node, ()):
                if variable not in known:
                    known.add(variable)
                    reached.append(variable)
                    self.parents[variable] = edge
        if len(known) == len(self.touching):
            return
        as_written = turned = 0  # how many of the reached nodes were left along their relations, either way
        while turned < len(reached):
            turning = as_written == len(reached)
            if turning:
                node = reached[turned]
                turned += 1
            else:
                node = reached[as_written]
                as_written += 1
            for edge in self.touching[node]:
                if (self.sites[edge] != node) != turning:
                    continue
                source, role, target = self.triples[edge]
                variable = source if node == target else target
                if variable in known or node is None:
                    continue
                if turning and not self._may_stand(role, at_target=node == target):
                    continue
                self.sites[edge] = node
                known.add(variable)
                reached.append(variable)
                self.parents[variable] = edge
        for variable in self.touching:
            if variable not in known:
                raise FastmatchError(
                    f"variable {variable!r} is not connected with the top {self.top!r}; "
                    "Penman notation can only write what the top reaches"
                )

    def _place_concepts(self) -> None:
        tree = set(self.parents.values())
        for variable, instances in self.concepts.items():
            if len(instances) == 1:
                continue
            free = [e for e in self.touching[variable] if e not in tree and e not in self.extra]
            here = {e: None for e in free if self._other(e) == variable}
            waiting = []
            for instance in instances[1:]:
                if instance - 1 in here:  # as the text had it
                    del here[instance - 1]
                    self.extra[instance - 1] = instance
                else:
                    waiting.append(instance)
            places = list(here)
            for edge in free:
                if len(places) >= len(waiting):
                    break
                source, role, target = self.triples[edge]
                movable = self.sites[edge] == variable and self._may_stand(role, at_target=source == variable)
                if movable and source != target and self._other(edge) is not None:
                    self.sites[edge] = self._other(edge)
                    places.append(edge)
            if len(places) < len(waiting):
                raise FastmatchError(
                    f"variable {variable!r} has {len(instances)} concepts, more than there are places to write them; "
                    "Penman notation needs one relation for each"
                )
            self.extra.update(zip(places, waiting, strict=False))

    def _walk(self) -> Iterator[tuple[str, int, str | None, int]]:
        """The text in order, as (event, triple, variable, instance triple); −1 where there is none.

        ``open`` a node of the variable (by the relation ``triple``; −1 for the top), ``close`` it, ``name`` a variable
        at the end of a relation, or write an ``attribute``.
        """
        items: dict[str | None, list[int]] = {variable: [] for variable in self.touching}
        for index, kind in enumerate(self.kinds):
            if kind != INSTANCE:
                items[self.triples[index][0] if kind == ATTRIBUTE else self.sites[index]].append(index)
        if items.get(None):
            raise FastmatchError("a node without a variable can only be written as '()', without roles")
        yield "open", -1, self.top, self.concepts.get(self.top, [-1])[0]
        stack = [iter(items[self.top])]
        while stack:
            for index in stack[-1]:
                if self.kinds[index] == ATTRIBUTE:
                    yield "attribute", index, None, -1
                    continue
                variable = self._other(index)
                if self.parents.get(variable) == index:
                    yield "open", index, variable, self.concepts.get(variable, [-1])[0]
                    stack.append(iter(items[variable]))
                    break
                if index in self.extra:
                    yield "open", index, variable, self.extra[index]
                    yield "close", -1, None, -1
                else:
                    yield "name", index, variable, -1
            else:
                yield "close", -1, None, -1
                stack.pop()

    def _text(self, indent: int | None) -> str:
        breaks = [" " if indent is None else "\n" + " " * (indent * depth) for depth in range(_INDENTED_DEPTH + 1)]
        marks = self.graph._surface
        parts: list[str] = []
        depth = 0
        for event, index, variable, instance in self._walk():
            if event == "close":
                parts.append(")")
                depth -= 1
                continue
            if index >= 0:
                role, target = self.triples[index][1:]
                parts += (breaks[min(depth, _INDENTED_DEPTH)], self._token("role", role))
                if event != "attribute" and self._stands_at_target(index):
                    parts.append("-of")
                parts.append(marks.get((index, 1), ""))
            if event == "open":
                parts += (" " if index >= 0 else "", self._opening(variable, instance))
                depth += 1
            elif event == "name" and variable is not None:
                parts += (" ", self._token("variable", variable), marks.get((index, 0), ""))
            elif event == "attribute" and target is not None:
                parts += (" ", self._token("value", target), marks.get((index, 0), ""))
        return "".join(parts)

    def _stands_at_target(self, edge: int) -> bool:
        source, role, target = self.triples[edge]
        if source != target:
            return self.sites[edge] == target
        # both ends of a loop are in the same node: the role alone says which way it is written
        at_target = self.kinds[edge] == INVERTED
        return at_target if self._may_stand(role, at_target=at_target) else not at_target

    def layout(self) -> dict[int, list[str | None]]:
        """Triple → the nodes that open (their variable) and close (None) after it; empty if no text has this order."""
        if not self.triples:
            return {}
        self._choose_tree()
        self._place_concepts()
        order: list[int] = []
        moves: dict[int, list[str | None]] = {}
        for event, index, variable, instance in self._walk():
            if event == "close":
                if order:
                    moves.setdefault(order[-1], []).append(None)
                continue
            if index >= 0:
                order.append(index)
                if event == "open":
                    moves.setdefault(index, []).append(variable)
            if instance >= 0:
                order.append(instance)
        if order != list(range(len(self.triples))):
            return {}
        moves[order[-1]].pop()  # the top is not closed
        return moves

    def _opening(self, variable: str | None, instance: int) -> str:
        concept = self.triples[instance][2] if instance >= 0 else None
        if variable is None:
            if concept is not None:
                raise FastmatchError("a node without a variable can only be written as '()', without a concept")
            return "("
        text = f"({self._token('variable', variable)}"
        if concept is not None:
            text += f" / {self._token('concept', concept)}{self.graph._surface.get((instance, 0), '')}"
        return text

    def _token(self, what: str, text: str) -> str:
        """``text``, if a reader would read it as one token of that sort."""
        written = self.checked.get((what, text))
        if written is None:
            pattern = {"role": _ROLE, "variable": _SYMBOL}.get(what, f"{_SYMBOL}|{_STRING}")
            written = text
            if not re.fullmatch(pattern, text):
                if not self.reading.unquotes or what in ("role", "variable") or '"' in text:
                    hint = "; put it into double quotes" if what in ("concept", "value") else ""
                    raise FastmatchError(f"{what} {text!r} cannot be written in Penman notation{hint}")
                # such a reader makes '12:00_' of '"12:00"', and knows no escapes
                written = f'"{text.removesuffix("_")}"'
            self.checked[what, text] = written
        return written
