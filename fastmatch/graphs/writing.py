"""From a graph to Penman text: choosing a tree, then writing it.

Text is a tree: every variable but the top is opened as a node at exactly one of the relations it takes part in; all
other relations only name it. The order of the triples says which tree the text had: a relation opened a node exactly if
the instance triple of that node comes next. :class:`Writer` keeps that tree. Where the triples come from elsewhere, in
any order, it looks for a tree breadth first, and inverts relations where there is no other way. Nothing here recurses,
and all of it is linear in the size of the text.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence

from fastmatch.errors import FastmatchError
from fastmatch.graphs.dialects import DIALECTS
from fastmatch.graphs.notation import ALIGNMENT, ATTRIBUTE, INSTANCE, INVERTED, ROLE, STRING, SYMBOL, is_inverted
from fastmatch.types import Dialect, Triple

#: The error of graphs that have no text.
NO_ROOT = "the graph has no root, and Penman notation is written from the root on; Corpus.save keeps such graphs"

# Every indentation makes deep text quadratic, so it stops growing at this depth. AMRs people read are never that deep.
_INDENTED_DEPTH = 40


class Writer:
    """Writes one graph. Relations go by their index among the triples.

    Parameters
    ----------
    top : str or None
        Variable of the outermost node.
    variables : iterable of str or None
        All variables; None stands for that of the node ``()``.
    triples : list of (source, role, target)
    kinds : list of int
        Of each triple: see :mod:`fastmatch.graphs.notation`.
    surface : mapping
        (index of the triple, 1 for its role or 0 for its target) → alignment, as ``~e.4``.
    dialect : str
        Of the reader that is to read the text.
    loose : bool
        Where the top reaches a variable only by relations that this reader cannot turn around, write them turned
        around by ``-of`` all the same: ``:consist-of`` for a relation ``:consist`` from there. It means the same, and
        is read as another role.
    literal : bool
        Write every relation at its source, by its name, whatever the reader makes of that: ``:ARG0-of`` as it was
        before a reader turned it around.
    """

    def __init__(
        self,
        top: str | None,
        variables: Iterable[str | None],
        triples: Sequence[Triple],
        kinds: Sequence[int],
        surface: Mapping[tuple[int, int], str],
        dialect: Dialect,
        *,
        loose: bool = False,
        literal: bool = False,
    ) -> None:
        self.top, self.triples, self.kinds, self.surface, self.loose = top, triples, kinds, surface, loose
        self.bent: set[int] = set()  # relations that are written as only ``loose`` allows
        self.reading = DIALECTS[dialect]
        self.turns = self.reading.turns and not literal
        self.checked: dict[tuple[str, str], str] = {}
        self.concepts: dict[str | None, list[int]] = {}  # variable → its instance triples
        self.sites: dict[int, str | None] = {}  # relation → the variable in whose node it is written
        self.touching: dict[str | None, list[int]] = {variable: [] for variable in variables}
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

    def write(self, indent: int | None) -> str:
        """The graph as text, with ``indent`` columns a level; None: on one line.

        Raises
        ------
        FastmatchError
            If Penman notation cannot express the graph.
        """
        if not self.touching:
            return "()"
        self._prepare()
        return self._text(indent)

    def layout(self) -> dict[int, list[str | None]]:
        """Triple → the nodes that open (their variable) and close (None) after it; empty if no text has this order.

        Raises
        ------
        FastmatchError
            If Penman notation cannot express the graph.
        """
        if not self.triples:
            return {}
        self._prepare()
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

    def _prepare(self) -> None:
        if self.top not in self.touching:
            raise FastmatchError(NO_ROOT)
        self._choose_tree()
        self._place_concepts()

    def _choose_tree(self) -> None:
        """Fill in ``parents``, and turn relations around (``sites``) where a node cannot be reached otherwise."""
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
        if self.loose:
            self._bend(reached, known)
        for variable in self.touching:
            if variable not in known:
                raise FastmatchError(
                    f"variable {variable!r} is not connected with the top {self.top!r}; "
                    "Penman notation can only write what the top reaches"
                )

    def _bend(self, reached: list[str | None], known: set[str | None]) -> None:
        """Reach the other variables by any relation, as ``loose`` allows."""
        for node in reached:  # which grows meanwhile
            for edge in self.touching[node] if node is not None else ():
                source, _, target = self.triples[edge]
                variable = source if node == target else target
                if variable in known:
                    continue
                if self.sites[edge] != node:
                    self.sites[edge] = node
                    self.bent.add(edge)
                known.add(variable)
                reached.append(variable)
                self.parents[variable] = edge

    def _place_concepts(self) -> None:
        """Find relations outside the tree at which variables with several concepts get the further ones."""
        tree = set(self.parents.values())
        waiting: dict[str | None, list[int]] = {}
        for variable, instances in self.concepts.items():
            for instance in instances[1:]:
                edge = instance - 1
                if edge in self.sites and edge not in tree and self._other(edge) == variable:  # as the text had it
                    self.extra[edge] = instance
                else:
                    waiting.setdefault(variable, []).append(instance)
        for variable, instances in waiting.items():
            free = [e for e in self.touching[variable] if e not in tree and e not in self.extra]
            places = [e for e in free if self._other(e) == variable]
            for edge in free:
                if len(places) >= len(instances):
                    break
                source, role, target = self.triples[edge]
                movable = self.sites[edge] == variable and self._may_stand(role, at_target=source == variable)
                if movable and source != target and self._other(edge) is not None:
                    self.sites[edge] = self._other(edge)
                    places.append(edge)
            if len(places) < len(instances):
                raise FastmatchError(
                    f"variable {variable!r} has {len(self.concepts[variable])} concepts, more than there are places to "
                    "write them; Penman notation needs one relation for each"
                )
            self.extra.update(zip(places, instances, strict=False))

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
        marks = {place: self._token("alignment", text) for place, text in self.surface.items()}
        parts: list[str] = []
        depth = 0
        for event, index, variable, instance in self._walk():
            if event == "close":
                parts.append(")")
                depth -= 1
                continue
            if index >= 0:
                role, target = self.triples[index][1:]
                turned = event != "attribute" and self._stands_at_target(index)
                if turned and index in self.bent and len(role) > 4 and role.endswith("-of"):
                    role, turned = role[:-3], False
                parts += (breaks[min(depth, _INDENTED_DEPTH)], self._token("role", role))
                if turned:
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

    def _opening(self, variable: str | None, instance: int) -> str:
        concept = self.triples[instance][2] if instance >= 0 else None
        if variable is None:
            if concept is not None:
                raise FastmatchError("a node without a variable can only be written as '()', without a concept")
            return "("
        text = f"({self._token('variable', variable)}"
        if concept is not None:
            text += f" / {self._token('concept', concept)}{self.surface.get((instance, 0), '')}"
        return text

    def _token(self, what: str, text: str) -> str:
        """``text``, if a reader would read it as one token of that sort."""
        written = self.checked.get((what, text))
        if written is None:
            pattern = {"role": ROLE, "variable": SYMBOL, "alignment": ALIGNMENT}.get(what, f"{SYMBOL}|{STRING}")
            written = text
            if not re.fullmatch(pattern, text):
                if not self.reading.unquotes or what not in ("concept", "value") or '"' in text:
                    hint = "; put it into double quotes" if what in ("concept", "value") else ""
                    raise FastmatchError(f"{what} {text!r} cannot be written in Penman notation{hint}")
                # such a reader makes '12:00_' of '"12:00"', and knows no escapes
                written = f'"{text.removesuffix("_")}"'
            self.checked[what, text] = written
        return written

    def _may_stand(self, role: str, *, at_target: bool) -> bool:
        """Whether a relation with this role may be written in the node of its target (or source)."""
        if not self.turns:
            return not at_target
        # ':consist' never stands at its target, for ':consist-of' is a role of its own; a role ':x-of' always does
        return is_inverted(f"{role}-of") if at_target else not is_inverted(role)

    def _other(self, edge: int) -> str | None:
        """The variable of a relation in whose node it is not written."""
        source, _, target = self.triples[edge]
        return source if self.sites[edge] == target else target

    def _stands_at_target(self, edge: int) -> bool:
        source, role, target = self.triples[edge]
        if source != target:
            return self.sites[edge] == target
        # both ends of a loop are in the same node: the role alone says which way it is written
        at_target = self.kinds[edge] == INVERTED
        return at_target if self._may_stand(role, at_target=at_target) else not at_target
