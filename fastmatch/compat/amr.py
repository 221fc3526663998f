"""The module ``amr`` of the package ``smatch`` 1.0.4: a graph as Smatch's program holds it, and its reader.

:meth:`AMR.parse_AMR_line` gives, for any text, what that program's reader gives: the same lists in the same order, None
with the same message on ``ERROR_LOG`` where it refuses a text, and an exception of the same type where it fails. What
its reader does to a text is described in :mod:`fastmatch._ext.reading.smatch`, the compiled reader of the same dialect.
"""

from __future__ import annotations

import sys
from typing import IO, TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Iterable
    from typing import TypeAlias

    #: (role, name of a node, name of a node or value)
    Triple: TypeAlias = tuple[str, str, str]

#: Where messages about a text go. Callers may set either to another stream.
ERROR_LOG: IO[str] = sys.stderr
DEBUG_LOG: IO[str] = sys.stderr

#: Roles that end in ``-of`` and are not the inverse of another role.
_NOT_INVERSE = frozenset(("consist-of", "prep-on-behalf-of", "prep-out-of"))

#: What was read last: a closing bracket or nothing, ``(``, ``:`` or ``/``.
_NODE_READ, _IN_NAME, _IN_ROLE, _IN_CONCEPT = range(4)


class AMR:
    """A graph: nodes in order of first mention, each with the lists of its edges.

    Parameters
    ----------
    node_list : list of str, optional
        Names of the nodes; the first is the root.
    node_value_list : list of str, optional
        Their concepts.
    relation_list, attribute_list : list of list, optional
        For each node, its edges to other nodes and to constants, a list ``[role, target]`` each.

    Attributes
    ----------
    nodes, node_values, relations, attributes : list
        Copies of these lists.
    root : str or None
    """

    def __init__(
        self,
        node_list: list[str] | None = None,
        node_value_list: list[str] | None = None,
        relation_list: list[list[Any]] | None = None,
        attribute_list: list[list[Any]] | None = None,
    ) -> None:
        self.nodes = [] if node_list is None else node_list[:]
        self.root = self.nodes[0] if self.nodes else None
        self.node_values = [] if node_value_list is None else node_value_list[:]
        self.relations = [] if relation_list is None else relation_list[:]
        self.attributes = [] if attribute_list is None else attribute_list[:]

    def rename_node(self, prefix: str) -> None:
        """Call the nodes ``prefix0``, ``prefix1``, …, here and where an edge leads to them."""
        # a name that stands there twice is called by its last place, as the program does
        new = {name: f"{prefix}{place}" for place, name in enumerate(self.nodes)}
        self.nodes = [new[name] for name in self.nodes]
        for edges in self.relations:
            for edge in edges:
                edge[1] = new[edge[1]]

    def _instances(self) -> list[Triple]:
        return [("instance", name, self.node_values[place]) for place, name in enumerate(self.nodes)]

    def _others(self, *tables: list[list[Any]]) -> list[Triple]:
        """What stands in the tables of edges, node by node."""
        places = enumerate(self.nodes)
        return [(edge[0], name, edge[1]) for place, name in places for table in tables for edge in table[place]]

    def get_triples(self) -> tuple[list[Triple], list[Triple], list[Triple]]:
        """Instances, attributes and relations, node by node; each triple is (role, node, value or node)."""
        return self._instances(), self._others(self.attributes), self._others(self.relations)

    def get_triples2(self) -> tuple[list[Triple], list[Triple]]:
        """Instances, and all other triples: of each node its relations and then its attributes."""
        return self._instances(), self._others(self.relations, self.attributes)

    def __str__(self) -> str:
        lines: list[str] = []
        for place, name in enumerate(self.nodes):
            lines += [f"Node {place} {name}", f"Value: {self.node_values[place]}", "Relations:"]
            lines += [f"Node {edge[1]} via {edge[0]}" for edge in self.relations[place]]
            lines += [f"Attribute: {edge[0]} value {edge[1]}" for edge in self.attributes[place]]
        return "\n".join(lines)

    __repr__ = __str__

    def output_amr(self) -> None:
        """Print the graph to ``DEBUG_LOG``."""
        print(self, file=DEBUG_LOG)

    @staticmethod
    def get_amr_line(input_f: Iterable[str]) -> str:
        """The next graph of a file as one line, without checking that it is one; empty at the end of the file.

        Lines up to the next empty line are stripped and put together with nothing between them. Lines that begin with
        ``#`` are left out.

        Parameters
        ----------
        input_f : file or iterator of str
            Is read no further than the empty line.
        """
        parts: list[str] = []
        for line in input_f:
            line = line.strip()
            if line.startswith("#"):
                continue
            if line:
                parts.append(line)
            elif parts:
                break
        return "".join(parts)

    @staticmethod
    def parse_AMR_line(line: str) -> AMR | None:
        """Read a graph that stands in one line.

        Returns
        -------
        AMR or None
            None if the reader refuses the text; ``ERROR_LOG`` says why.

        Raises
        ------
        IndexError
            If the text has no node, if a role leads to the first node, or if an edge leads to a node without a name.
        """
        return _Scan(line).graph()


class _Scan:
    """One pass over a text, letter by letter.

    Attributes
    ----------
    line : str
        The text as it was given: messages quote its beginning.
    letters : list of str
        What was read and belongs to no name, role or concept yet. Not every step empties it.
    open : list of str
        Names of the nodes whose bracket is open.
    order : list of str
        Names of all nodes, in order of their ``/``.
    concepts : dict
        Name → concept, of nodes whose concept was read to its end.
    known, later : dict
        Name → edges (role, target) that are filed under it: to a node that was known by then, and to anything else.
    """

    def __init__(self, line: str) -> None:
        self.line = line
        self.letters: list[str] = []
        self.open: list[str] = []
        self.order: list[str] = []
        self.concepts: dict[str, str] = {}
        self.known: dict[str, list[tuple[str, str]]] = {}
        self.later: dict[str, list[tuple[str, str]]] = {}

    def graph(self) -> AMR | None:
        """The graph of the text; None if the text was refused."""
        return self._made() if self._read() else None

    def _read(self) -> bool:
        """Read the text; False if it was refused."""
        line, letters = self.line, self.letters
        state, quoted, role = _NODE_READ, False, ""
        for place, letter in enumerate(line.strip()):
            if letter == " ":
                if state == _IN_ROLE:
                    letters.append(letter)
            elif letter == '"':
                if quoted:
                    letters.append("_")
                quoted = not quoted
            elif quoted or letter not in "():/":
                letters.append(letter)
            elif letter == "(":
                if state == _IN_ROLE:
                    if role:
                        return _refused("Format error when processing ", line[: place + 1])
                    role = self._word().strip()
                state = _IN_NAME
            elif letter == ":":
                if state == _IN_CONCEPT:
                    self.concepts[self.open[-1]] = self._word()
                elif state == _IN_ROLE:
                    words = self._word().split()
                    if len(words) < 2:
                        return _refused("Error in processing; part len < 2", line[: place + 1])
                    if not self.open:
                        return _refused("Error in processing", line[:place], words[0], words[1])
                    self._file_value(words[0], words[1])
                state = _IN_ROLE
            elif letter == "/":
                if state != _IN_NAME:
                    return _refused("Error in parsing AMR", line[: place + 1])
                name = self._word()
                if name in self.concepts:
                    return _refused("Duplicate node name ", name, " in parsing AMR")
                self.open.append(name)
                self.order.append(name)
                if role:
                    self._file(self.known, self.open[-2], role, name)
                    role = ""
                state = _IN_CONCEPT
            else:
                if not self.open:
                    return _refused("Unmatched parenthesis at position", place, "in processing", line[: place + 1])
                if state == _IN_ROLE:
                    text = self._word()
                    words = text.split()
                    if len(words) < 2:
                        return _refused("Error processing", line[: place + 1], text)
                    self._file_value(words[0], words[1])
                elif state == _IN_CONCEPT:
                    self.concepts[self.open[-1]] = self._word()
                self.open.pop()
                role = ""
                state = _NODE_READ
        return True

    def _word(self) -> str:
        """The letters that were read, which are taken."""
        word = "".join(self.letters)
        self.letters.clear()
        return word

    def _file_value(self, role: str, value: str) -> None:
        """File an edge to a constant, or to a node that is named only."""
        self._file(self.known if value in self.concepts else self.later, self.open[-1], role, value)

    @staticmethod
    def _file(edges: dict[str, list[tuple[str, str]]], source: str, role: str, target: str) -> None:
        """File an edge under its source; one that is written the other way round under its target."""
        if role.endswith("-of") and role not in _NOT_INVERSE:
            source, role, target = target, role[:-3], source
        elif role == "mod":
            source, role, target = target, "domain", source
        edges.setdefault(source, []).append((role, target))

    def _made(self) -> AMR | None:
        """The graph of what was read; None if a node has no concept."""
        values: list[str] = []
        relations: list[list[Any]] = []
        attributes: list[list[Any]] = []
        for name in self.order:
            if name not in self.concepts:
                _refused("Error: Node name not found", name)
                return None
            values.append(self.concepts[name])
            to_nodes = [[role, target] for role, target in self.known.get(name, ())]
            to_constants: list[Any] = []
            for role, target in self.later.get(name, ()):
                _ = target[0]  # of a name without letters an IndexError, as it is there
                (to_nodes if target in self.concepts else to_constants).append([role, target])
            relations.append(to_nodes)
            attributes.append(to_constants)
        attributes[0].append(["TOP", "top"])
        return AMR(self.order, values, relations, attributes)


def _refused(*words: object) -> bool:
    """Print a message to ``ERROR_LOG``; False."""
    print(*words, file=ERROR_LOG)
    return False
