"""Box notation (SBN) of the Parallel Meaning Bank, as graphs: the default reading, and those of three programs.

A document is a sequence of tokens. A *concept* (``dog.n.01``) opens a node. A *role* or an *operator* stands behind a
concept and has a target: an index (``-1``: the concept before), a constant (``now``), a name in double quotes, or an
index of a box (``>1``). A *box word* (``NEGATION <1``) opens a box. The first box is there without a word. Each concept
is a member of the box that was opened last. Boxes, concepts and constants become nodes; memberships, roles, operators
and box words become edges. Bos (2023), "The sequence notation: catching complex meanings in simple graphs".

Documents in a text
-------------------
Either each line is a document (*line by line*: what parsers write), or an empty line ends one (*in blocks*: the files
of the releases, where each concept and each box word begins a line). A text is read line by line if it has lines with
no empty line between them, and more of its lines say so: a line with two concepts can only be a document, and a line
with a comment, or with an index but at most one concept, only a part of one. A text that must hold one graph is one
document, whatever lines it has. A document of one line may have several concepts in it.

The default reading
-------------------
It makes the graph that the programs below make, where they read what is written. Where they misread, it reads what is
written, or refuses it: two edges between the same nodes are two; a token is an index only as a whole; names are not cut
at words that look like concepts; ``%`` begins a comment everywhere; boxes that nothing leads to stay in the graph; a
box word without an index is an error. What the programs refuse is an error here, too: a cycle, and an index that points
nowhere.

``lenient`` and ``ill_formed`` are the programs' lenient mode: concepts have no sense, constants are nodes, and an index
that points nowhere is a constant.

The programs
------------
``pmb5`` is that of PMB 5, ``evaluation`` is SBN-evaluation-tool, ``ud-boxer`` the oldest. Each makes Penman text, which
smatch or mtool then reads. So does this reader, and the reader of smatch makes the triples. mtool differs from smatch
in three points (``kept`` of that reader, and ``_as_program``). pmb5 gives smatch a text with tabs, which stay at the
end of a concept if its node has edges; so a node's depth becomes a part of its concept.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass, field
from graphlib import CycleError, TopologicalSorter
from typing import Any, NamedTuple, NoReturn

from fastmatch._ext.reading.blocks import Broken, PlainReader
from fastmatch._ext.reading.interner import Interner
from fastmatch._ext.reading.smatch import Reader as SmatchReader

_DEFAULT, _PMB5, _EVALUATION, _UD_BOXER = "default", "pmb5", "evaluation", "ud-boxer"
_ALL = (_DEFAULT, _PMB5, _EVALUATION, _UD_BOXER)

#: (kind, programs that know them, words). The default reading knows what pmb5 knows.
_WORDS = (
    ("box", _ALL, "ALTERNATION ATTRIBUTION CONDITION CONSEQUENCE CONTINUATION CONTRAST EXPLANATION NECESSITY NEGATION"),
    ("box", _ALL, "POSSIBILITY PRECONDITION RESULT SOURCE"),
    ("box", _ALL[:2], "CONJUNCTION ELABORATION COMMENTARY"),
    ("operator", _ALL, "TSU MOR BOT TOP ESU EPR EQU NEQ APX LES LEQ TPR TAB TIN SZP SZN SXP SXN STI STO SY1 SY2 SXY"),
    ("operator", _ALL[:3], "TCT"),
    ("operator", _ALL[:2], "ANA"),
    ("role", _ALL, "Affector Agent Asset Attribute Bearer Beneficiary Cause Causer ClockTime Co-Agent Co-Patient"),
    ("role", _ALL, "Co-Theme Colour Consumer Content Context Creator DayOfMonth DayOfWeek Decade Degree Destination"),
    ("role", _ALL, "Duration Equal Experiencer Extent Finish Frequency Goal Instance Instrument Location MadeOf"),
    ("role", _ALL, "Manner Material Measure MonthOfYear Name Of Operand Order Owner Part Participant Path Patient"),
    ("role", _ALL, "Pivot Player Precondition Product Proposition Quantity Recipient Result Role Source Start"),
    ("role", _ALL, "Stimulus Sub Theme Time Title Topic Unit User Value YearOfCentury"),
    ("role", _ALL, "AttributeOf ColourOf ContentOf InstanceOf PartOf SubOf"),
    ("role", _ALL[:3], "FeatureOf"),
    ("role", _ALL[:2], "QuantityOf Affectee"),
)
#: Roles that are written from the other end.
_INVERSE = frozenset(("AttributeOf", "ColourOf", "ContentOf", "InstanceOf", "PartOf", "SubOf"))

_SECOND = "a second concept in a line, {}; expected a role, or the concept in a line of its own"
_TOKEN = re.compile(r"\S+")
_DIGITS = re.compile("[0-9]+")
#: Lines that say how documents are divided; more are not asked.
_MANY_VOTES = 1000
#: Tabs before a role: a text that is deeper would be quadratic in its length.
_MOST_TABS = 64


class _Token(NamedTuple):
    text: str
    line: int  # -1: where the document begins
    at: int


class _Concept(NamedTuple):
    lemma: str
    pos: str
    sense: str

    def __str__(self) -> str:
        return f'"{self.lemma}.{self.pos}.{self.sense}"'


@dataclass(slots=True, eq=False)
class _Node:
    """A node: a box (its name begins with b), a concept (s) or a constant (c)."""

    name: str
    position: int
    text: str = ""
    concept: _Concept | None = None
    token: _Token | None = None
    edges: list[_Edge] = field(default_factory=list)
    reached: bool = False

    @property
    def is_constant(self) -> bool:
        return self.name[0] == "c"


@dataclass(slots=True, eq=False)
class _Edge:
    """An edge; until the document has been read to its end, its ends are a kind of node and a number among these."""

    source: Any
    target: Any
    word: str
    position: int
    token: _Token

    @property
    def role(self) -> str:
        return f":{self.word[:-2]}-of" if self.word in _INVERSE else f":{self.word}"


class Reader(PlainReader):  # type: ignore[misc]
    """The dialects of box notation; see the top of this module.

    Parameters
    ----------
    interner : Interner
        Gets every string.
    program : {"default", "pmb5", "evaluation", "ud-boxer"}
        How to read.
    lenient : bool
        Concepts have no sense and constants are nodes; all programs but ud-boxer, whose constants are nodes anyway,
        then leave a bracket open behind each.
    ill_formed : bool
        An index that points nowhere is a constant.
    tolerant : bool
        The programs skip a token that they do not know, as the fine-grained script of PMB 5 does.
    """

    def __init__(
        self,
        interner: Interner,
        program: str = _DEFAULT,
        *,
        lenient: bool = False,
        ill_formed: bool = False,
        tolerant: bool = False,
    ) -> None:
        self.lone = "surrogateescape"
        self.program, self.lenient, self.ill_formed, self.tolerant = program, lenient, ill_formed, tolerant
        self.kinds = {word: kind for kind, programs, words in _WORDS if program in programs for word in words.split()}
        # the last such dot counts
        self._concept = re.compile(rf"(.+)\.([nvar{'x' * (program in _ALL[:2])}])\.([0-9]+)", re.DOTALL)
        self._by_line = False
        if program != _DEFAULT:
            tool = "smatch" if program == _PMB5 else "mtool"
            self._strings = Interner()
            self._smatch = SmatchReader(self._strings, tool=tool, kept=program != _PMB5)

    def concept(self, token: str) -> re.Match[str] | None:
        """The parts of a concept; the programs read on where more follows."""
        return self._concept.fullmatch(token) if self.program == _DEFAULT else self._concept.match(token)

    def begins_document(self, token: str) -> bool:
        """Whether a token is a concept or a box word."""
        return self.kinds.get(token) == "box" or self.concept(token) is not None

    # Documents -------------------------------------------------------------------------------------------------------

    def _is_comment(self, line: str) -> bool:
        return line.startswith("%%%") or (self.program == _DEFAULT and (line == "#" or line.startswith("# ")))

    def _keep(self, line: str) -> None:
        """Keep a comment line, ``%%%`` as ``#``, or what a line has before its document."""
        if not line.startswith("#"):
            line = line.removeprefix("%%%")
            line = ("#" if line[:1].isspace() else "# ") + line
        self.note(line)

    def look_at(self, text: bytes) -> None:
        """Find out whether documents are divided line by line."""
        whole = part = 0
        above = adjacent = apart = seen = False
        for each in () if self.alone else text.splitlines():
            line = each.decode("utf-8", self.lone).strip()
            if self._is_comment(line):
                continue
            if line:
                adjacent, apart, seen = adjacent or above, apart or (seen and not above), True
                vote = self._vote(line.split())
                whole, part = whole + (vote > 0), part + (vote < 0)
                if whole + part == _MANY_VOTES:
                    break
            above = bool(line)
        self._by_line = adjacent and (whole > part or (whole == part and not apart))

    def _vote(self, tokens: list[str]) -> int:
        """1: the line is a whole document, -1: a part of one, 0: it may be either."""
        rest = iter(tokens)
        heads, partial = 0, False
        for k, token in enumerate(rest):
            if token[0] == '"':
                while token[-1] != '"':
                    token = next(rest, '"')
            elif self.begins_document(token):
                heads += 1
                partial = partial or (k == 0 and token in self.kinds)
            elif token == "%":
                partial = True
                break
            else:
                partial = partial or bool(_index(token)) or (k == 0 and token in self.kinds)
        return 1 if heads > 1 else -partial

    def takes(self, line: str, first: bool) -> int:
        """Whether a line belongs to the document."""
        stripped = line.strip()
        if not first and self._by_line:
            return -1
        if self._is_comment(stripped):
            self._keep(stripped)
            return 0
        if stripped or self._by_line:
            return 1
        return 0 if first or self.alone else -1

    def graph(self, lines: list[str]) -> tuple[list[str], list[Any], int]:
        """Variables, triples and root of a document."""
        document = _Document(self)
        if self.program == _DEFAULT:
            starts = [len(line) - len(line.lstrip()) for line in lines]
            lines = [line.rstrip() for line in lines]
        else:  # the programs look for comments before they strip a line
            starts = [len(line) - len(line.lstrip()) if self._by_line else 0 for line in lines]
        one = len(lines) == 1
        if one and not self.alone and self.program in _ALL[:2]:
            # the scripts of PMB 5 leave what follows the last tab; nothing is cut off that belongs to a document
            before, tab, after = lines[0].rstrip().rpartition("\t")
            before = before.strip()
            if before and tab and not (self.program == _DEFAULT and self.begins_document(before.split()[0])):
                starts[0] = len(lines[0].rstrip()) - len(after.lstrip())
                self._keep(before)
        if self.program == _DEFAULT:
            document.read([_tokens(line, k, starts[k]) for k, line in enumerate(lines)], one)
            document.link()
            return document.rows()
        spans = [(k, starts[k], len(line)) for k, line in enumerate(lines)]
        if one:
            spans = [(0, *span) for span in self._split(lines[0], starts[0])]
        cleaned = [_uncommented(lines[k], k, start, stop) for k, start, stop in spans]
        document.read_as_program([tokens for tokens in cleaned if tokens])
        document.link()
        return self._as_program(document.written())

    def _split(self, line: str, start: int) -> Iterable[tuple[int, int]]:
        """Divide a line before each word that seems to begin a concept or a box, names included; at single blanks."""
        at = start
        for word in line[start:].split(" "):
            if at > start and word and self.begins_document(word):
                yield start, at
                start = at
            at += len(word) + 1
        yield start, len(line)

    def _as_program(self, text: str) -> tuple[list[str], list[Any], int]:
        """Have Penman text read, and do to its attributes what the programs do besides.

        pmb5 drops ``:TOP``, which is smatch's name for the root's triple. mtool takes it for such a triple, whose value
        is the node's concept; and of a node's attributes with the same role it keeps the last.
        """
        if self._smatch.feed(text, 0, True) < 0:
            message = self._smatch.fault[0]
            if not message.startswith("the graph is too large"):
                message = f"the Penman text that the program makes of this document cannot be read: {message}"
            raise Broken(message, -1, -1)
        columns, string = self._smatch.columns(), self._strings.text
        instances = [(node, string(concept)) for node, concept in columns["instances"][:2].T.tolist()]
        concepts = dict(reversed(instances))
        attributes: dict[Any, tuple[int, str, str]] = {}
        for k, (node, role, value) in enumerate(columns["attributes"][:3].T.tolist()):
            role, value = string(role), string(value)
            if role == ":TOP" and self.program == _PMB5 and not self.tolerant:
                continue
            if role == ":TOP" and self.program != _PMB5:
                value = concepts[node]
            attributes[k if self.program == _PMB5 else (node, role)] = node, role, value
        triples: list[Any] = [(node, None, concept, False) for node, concept in instances]
        triples += [(*attribute, False) for attribute in attributes.values()]
        triples += [
            (source, string(role), target, bool(inverted))
            for source, role, target, _, inverted in columns["relations"].T.tolist()
        ]
        return [string(name) for name in columns["variable_names"].tolist()], triples, int(columns["root"][0])


class _Document:
    """The graph of one document."""

    def __init__(self, reader: Reader) -> None:
        self._reader, self._program = reader, reader.program
        self._nodes: list[_Node] = []
        self._kinds: dict[str, list[_Node]] = {"b": [], "s": [], "c": []}
        self._edges: list[_Edge] = []
        self._positions = 0
        self._ill: _Token | None = None
        self._add_node("b")

    def _refuse(self, what: str, token: _Token) -> NoReturn:
        raise Broken(what.format(repr(token.text[:60])), token.line, token.at)

    # Nodes and edges -------------------------------------------------------------------------------------------------

    def _add_node(self, kind: str) -> _Node:
        node = _Node(f"{kind}{len(self._kinds[kind])}", self._positions)
        self._nodes.append(node)
        self._kinds[kind].append(node)
        if kind != "c" or self._reader.lenient:  # with lemma and part of speech
            self._positions += 3 if self._reader.lenient and kind == "s" else 1
        return node

    def _add_edge(self, source: tuple[str, int], target: tuple[str, int], word: str, token: _Token) -> None:
        self._edges.append(_Edge(source, target, word, self._positions, token))
        self._positions += 1

    def _add_concept(self, parts: re.Match[str], token: _Token) -> None:
        self._add_edge(("b", self._last("b")), ("s", len(self._kinds["s"])), "member", token)
        node = self._add_node("s")
        node.concept = _Concept(parts[1].strip('"'), parts[2], parts[3])
        node.token = token._replace(at=token.at + len(parts[1]) - len(parts[1].lstrip('"')))

    def _add_constant(self, word: str, tokens: list[_Token]) -> None:
        """A constant, in double quotes: tokens with one space between them."""
        text = " ".join(token.text for token in tokens)
        self._add_edge(("s", self._last("s")), ("c", len(self._kinds["c"])), word, tokens[0])
        quoted = text[0] == text[-1] and text[0] in "\"'"
        self._add_node("c").text = '"' if quoted and len(text) == 1 else f'"{text[1:-1] if quoted else text}"'

    def _add_box(self, word: str, step: int, token: _Token) -> None:
        """A box that hangs on another one, ``step`` (below 0: backwards) from the next; 0: on none."""
        number = len(self._kinds["b"])
        if step:
            self._add_edge(("b", max(0, number + step)), ("b", number), word, token)
        self._add_node("b")

    def _last(self, kind: str) -> int:
        return len(self._kinds[kind]) - 1

    # Reading ---------------------------------------------------------------------------------------------------------

    def read(self, lines: list[list[_Token]], one: bool) -> None:
        """Make nodes and edges as the default reading does."""
        reader = self._reader
        for tokens in lines:
            rest = 0
            while rest < len(tokens):
                token = tokens[rest]
                parts = reader.concept(token.text)
                if parts is not None:
                    if rest and not one:
                        self._refuse(_SECOND, token)
                    self._add_concept(parts, token)
                    rest += 1
                    continue
                word, kind = token.text, self._kind(token)
                following = tokens[rest + 1] if rest + 1 < len(tokens) else None
                if following is None or (one and following.text[0] != '"' and reader.begins_document(following.text)):
                    self._refuse_without_target(kind, token)
                rest += 1
                number = _index(following.text)
                if kind == "box":
                    if number is None:
                        self._refuse_index(following)
                    self._add_box(word, number, token)
                elif not self._kinds["s"]:
                    self._refuse("a role before the first concept", token)
                elif number is None:
                    end = self._name_end(tokens, rest) if following.text[0] == '"' else rest
                    self._add_constant(word, tokens[rest : end + 1])
                    rest = end
                elif following.text[0] not in "<>":
                    self._add_edge(("s", self._last("s")), ("s", self._last("s") + number), word, following)
                elif kind == "operator":
                    self._refuse_operator(following)
                else:
                    self._add_edge(("s", self._last("s")), ("b", self._last("b") + number), word, following)
                rest += 1
        if not self._kinds["s"] and len(self._kinds["b"]) == 1:
            self._refuse_empty()

    def read_as_program(self, lines: list[list[_Token]]) -> None:
        """Make nodes and edges as a program does, of lines that have tokens."""
        reader = self._reader
        if not lines:
            self._refuse_empty()
        for tokens in lines:
            rest = 0
            while rest < len(tokens):
                token = tokens[rest]
                parts = reader.concept(token.text)
                rest += 1
                if rest == 1 and parts is not None:
                    self._add_concept(parts, token)
                    continue
                if token.text not in reader.kinds:
                    if reader.tolerant:
                        continue
                    if parts is not None:
                        self._refuse(_SECOND, token)
                kind = self._kind(token)
                if rest == len(tokens):
                    self._refuse_without_target(kind, token)
                if kind == "box":
                    self._add_box_of_program(token.text, tokens[rest])
                else:
                    rest = self._add_target_of_program(token.text, kind, tokens, rest, len(lines))
                rest += 1

    def _add_box_of_program(self, word: str, token: _Token) -> None:
        text, step = token.text, _index(token.text)
        if self._program == _EVALUATION:
            step = -1 if "<" in text else None
        elif self._program == _UD_BOXER:
            step = step if text[0] == "-" and step == -1 else None
        elif text[0] not in "+-<>" or not _DIGITS.match(text, 1):
            return  # no box, in silence
        if step is None:
            self._refuse_index(token)
        if self._program == _PMB5 or step:
            self._add_box(word, step, token)

    def _add_target_of_program(self, word: str, kind: str, tokens: list[_Token], at: int, lines: int) -> int:
        """The edge of a role or an operator to a token; the place of the last token that it took."""
        token = tokens[at]
        text, late, last, end = token.text, self._program == _PMB5, self._last("s"), at
        if last < 0:  # an edge from a node that never comes
            self._refuse("a role before the first concept", token)
        digits = _DIGITS.match(text, 1)
        if text[0] in ("+-<>" if late else "+-") and digits:
            if late and kind == "role" and ("<" in text or ">" in text):
                number = _index(text)
                if number is None:
                    self._refuse_index(token)
                self._add_edge(("s", last), ("b", self._last("b") + number), word, token)
                return at
            if text[0] in "<>":
                self._refuse_operator(token)
            number = _index(text[0] + (digits[0] if late else text[1]))
            assert number is not None
            if 0 <= last + number < lines:
                self._add_edge(("s", last), ("s", last + number), word, token)
                return at
            self._ill = self._ill or token
        elif text[0] == '"' and len(text) > 1:
            end = self._name_end(tokens, at)
        self._add_constant(word, tokens[at : end + 1])
        return end

    def _kind(self, token: _Token) -> str:
        kind = self._reader.kinds.get(token.text)
        if kind is None:
            other = "; this seems to be Penman notation" if token.text[0] == "(" else ""
            self._refuse("{} is no concept (lemma.pos.number), role, operator or box word" + other, token)
        return kind

    def _name_end(self, tokens: list[_Token], at: int) -> int:
        """Place of the token with which the name ends that begins at one."""
        start = at
        at += len(tokens[at].text) == 1
        while at < len(tokens) and tokens[at].text[-1] != '"':
            at += 1
        if at == len(tokens):
            self._refuse("a name without a closing quote", tokens[start])
        return at

    def _refuse_without_target(self, kind: str, token: _Token) -> NoReturn:
        other = "target; expected an index, a constant or a name in quotes"
        self._refuse("{} has no " + ("index; expected one of a box, such as <1" if kind == "box" else other), token)

    def _refuse_index(self, token: _Token) -> NoReturn:
        usual = "-1" if self._program == _UD_BOXER else "<1"
        self._refuse("{} is no index of a box; expected one such as " + usual, token)

    def _refuse_operator(self, token: _Token) -> NoReturn:
        self._refuse("an operator cannot point to a box, as {} does", token)

    def _refuse_empty(self) -> NoReturn:
        self._refuse("an empty document; expected a concept, such as dog.n.01", _Token("", -1, -1))

    # The graph -------------------------------------------------------------------------------------------------------

    def link(self) -> None:
        """Resolve the ends of edges, and refuse what is no graph of the notation."""
        ill = "the index {} points to no concept"
        if self._ill and not self._reader.ill_formed:
            self._refuse(ill, self._ill)
        for edge in self._edges:
            source, target = (
                self._kinds[kind][number] if 0 <= number < len(self._kinds[kind]) else None
                for kind, number in (edge.source, edge.target)
            )
            if target is None and source is not None and self._program == _DEFAULT and edge.target[0] == "s":
                if not self._reader.ill_formed:
                    self._refuse(ill, edge.token)
                target = self._add_node("c")
                target.text = f'"{edge.token.text}"'
            if source is None or target is None:
                self._refuse("{} points to nothing that is there", edge.token)
            edge.source, edge.target, target.reached = source, target, True
        if self._program != _DEFAULT:
            # of the edges from one node to another the first, with the word of the last: an edge is known by its ends
            first: dict[tuple[str, str], _Edge] = {}
            for edge in self._edges:
                first.setdefault((edge.source.name, edge.target.name), edge).word = edge.word
            self._edges = list(first.values())
        for edge in self._edges:
            edge.source.edges.append(edge)
        self._look_for_cycle()

    def _look_for_cycle(self) -> None:
        try:
            TopologicalSorter({node.name: [edge.target.name for edge in node.edges] for node in self._nodes}).prepare()
        except CycleError as error:
            around = set(error.args[1])
            edges = [edge for edge in self._edges if {edge.source.name, edge.target.name} <= around]
            self._refuse("the edges make a cycle here", edges[-1].token)

    def _root(self) -> _Node:
        """The first node that no edge leads to; the oldest programs always begin with the first box."""
        if self._program in (_EVALUATION, _UD_BOXER):
            return self._nodes[0]
        return next(node for node in self._nodes if not node.reached)

    def rows(self) -> tuple[list[str], list[Any], int]:
        """Variables, triples and root of the default reading, in the order of the text."""
        lenient = self._reader.lenient
        variables = [node for node in self._nodes if lenient or not node.is_constant]
        numbers = {node.name: k for k, node in enumerate(variables)}
        found: list[tuple[int, Any]] = []
        for k, node in enumerate(variables):
            text, concept = node.text or "box", node.concept
            if concept is not None:
                text = "synset" if lenient else str(concept)
                if not lenient and not re.match("#", concept.lemma) and re.fullmatch('[^"():/~]+', concept.lemma):
                    text = text[1:-1]
                if lenient:
                    found.append((node.position + 1, (k, ":lemma", f'"{concept.lemma}"', False)))
                    found.append((node.position + 2, (k, ":pos", f'"{concept.pos}"', False)))
            found.append((node.position, (k, None, text, False)))
        for edge in self._edges:
            source, target = numbers[edge.source.name], numbers.get(edge.target.name)
            triple: Any = source, edge.role, edge.target.text if target is None else target, False
            if target is not None and edge.word in _INVERSE:
                triple = target, f":{edge.word[:-2]}", source, True
            found.append((edge.position, triple))
        found.sort(key=lambda each: each[0])
        return [node.name for node in variables], [triple for _, triple in found], numbers[self._root().name]

    # Penman text -----------------------------------------------------------------------------------------------------

    def written(self) -> str:
        """The nodes that the root leads to, depth first, as the program writes them."""
        boxer, lenient = self._program == _UD_BOXER, self._reader.lenient
        for node in self._nodes if boxer else ():
            if node.is_constant and not _is_one_token(node.text):
                self._refuse("ud-boxer refuses a quote inside a name or a lemma", _Token("", -1, -1))
            if node.concept and '"' in node.concept.lemma:
                assert node.token is not None
                self._refuse("ud-boxer refuses a quote inside a name or a lemma", node.token)
        root = self._root()
        out, stack, met = [self._opened(root, 1)], [iter(root.edges)], {root.name}
        while stack:
            for edge in stack[-1]:
                target, depth = edge.target, len(stack)
                out.append(f"{self._gap(depth)}{edge.role} ")
                if target.is_constant:
                    # without a bracket behind it if lenient, as the programs do
                    out.append(self._opened(target, depth) + ")" * boxer if boxer or lenient else target.text)
                elif target.name in met:
                    out.append(target.name)
                else:
                    met.add(target.name)
                    stack.append(iter(target.edges))
                    out.append(self._opened(target, depth + 1))
                    break
            else:
                stack.pop()
                out.append(")")
        return "".join(out)

    def _opened(self, node: _Node, depth: int) -> str:
        text, concept = node.text or '"box"', node.concept
        if concept is not None:
            text = str(concept)
            if self._program == _UD_BOXER or self._reader.lenient:
                parts = list(zip((":lemma", ":pos", ":sense"), concept, strict=True))[: 3 - self._reader.lenient]
                gap = self._gap(depth)
                text = '"synset"' + "".join(f'{gap}{role} "{_without_quotes(part)}"' for role, part in parts)
        return f"({node.name} / {text}"

    def _gap(self, depth: int) -> str:
        """What stands before a role: a blank, and for pmb5 a tab for each node around it.

        Text with deep nodes would be quadratic in its length. So from ``_MOST_TABS`` on, the depth follows in digits
        that are white space as well: concepts are equal if and only if they were with all tabs.
        """
        if self._program != _PMB5:
            return " "
        gap = " " + "\t" * min(depth, _MOST_TABS)
        while depth and len(gap) > _MOST_TABS:
            gap += chr(0x1C + depth % 4)
            depth //= 4
        return gap


def _index(token: str) -> int | None:
    """The number that a token is as a whole, below 0 if it points backwards."""
    if token[0] not in "+-<>" or not _DIGITS.fullmatch(token, 1):
        return None
    number = int(token[1:].lstrip("0")[:10] or "0")  # more digits point nowhere, too
    return -number if token[0] in "-<" else number


def _tokens(line: str, number: int, start: int) -> list[_Token]:
    """The tokens of a line up to a comment; within a name, ``%`` is none."""
    found, inside = [], False
    for match in _TOKEN.finditer(line, start):
        text = match[0]
        if text == "%" and not inside:
            break
        found.append(_Token(text, number, match.start()))
        if inside or text[0] == '"':
            inside = text[-1] != '"' or (not inside and len(text) == 1)
    return found


def _uncommented(line: str, number: int, start: int, stop: int) -> list[_Token]:
    """The tokens of a line as the programs see it."""
    if line.startswith("%%%", start, stop):
        return []
    at = line.find(" % ", start, stop)
    if at >= 0 and line[start:at].strip():
        stop = at
    elif at >= 0:
        start = at + 3  # a line that is only a comment is read
    return [_Token(match[0], number, match.start()) for match in _TOKEN.finditer(line, start, stop)]


def _without_quotes(part: str) -> str:
    return part[1:-1] if len(part) > 1 and part[0] == part[-1] == "'" else part


def _is_one_token(text: str) -> bool:
    """Whether penman takes a text in quotes for one string, or, if no quote ends it, for one symbol."""
    at = 1
    while at < len(text) and text[at] != '"':
        at += 2 if text[at] == "\\" else 1
    if at < len(text):
        return at == len(text) - 1
    return re.search(r"[()/:~\s]", text) is None
