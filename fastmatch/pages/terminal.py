"""What is printed for people and is no report: two graphs beside each other, the demo."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator, Sequence
from difflib import SequenceMatcher
from typing import NamedTuple, TextIO

from fastmatch.evaluation.scoring import heading, pair_report
from fastmatch.graphs.corpus import Corpus
from fastmatch.graphs.notation import ATTRIBUTE, INSTANCE, INVERTED, RELATION
from fastmatch.metrics.base import Metric
from fastmatch.metrics.registry import make
from fastmatch.pages.evidence import NOT_COUNTED, OPENS, UNMATCHED, Record, alignment_evidence, graph_record
from fastmatch.report.cells import count, points
from fastmatch.report.model import emit
from fastmatch.report.tables import console_of, print_table
from fastmatch.results.alignment import Alignment
from fastmatch.results.scores import CorpusScore
from fastmatch.runtime.streams import printable, say


def print_alignment_sides(
    alignment: Alignment,
    metric: Metric,
    pred: Corpus,
    gold: Corpus,
    width: int,
    file: TextIO,
    number: int | None = None,
) -> None:
    """Both graphs beside each other as text, or below each other where there is no room; then score and signature.

    Parameters
    ----------
    alignment : Alignment
        Of these graphs.
    metric : Metric
        The metric that aligned them.
    pred, gold : Corpus
        One graph each.
    width : int
        Columns of the terminal.
    number : int, optional
        Of the pair, if it is one of several.
    """
    above = heading(pred, gold, number)
    if above:
        say(above, file)
    records = graph_record(metric.standardized(pred), 0), graph_record(metric.standardized(gold), 0)
    found = alignment_evidence(alignment, metric, *records)
    partners = found["m"]
    back = {there: here for here, there in enumerate(partners) if there >= 0}
    mine = _lines(records[0], found["p"], "-", lambda v: partners[v], lambda v: partners[v] >= 0)
    theirs = _lines(records[1], found["g"], "+", lambda v: v, lambda v: v in back)
    write = _writer(file)
    _print_rows(mine, theirs, width, write)
    write([_Part(_LEGEND, "")])
    say(f"\n{alignment.in_words()}\nsignature: {alignment.signature}", file)


def print_demo(result: CorpusScore, pred: Corpus, gold: Corpus, files: tuple[str, str]) -> None:
    """The report of the sample corpus, its worst pairs, one alignment in full, and what to type next."""
    print("The sample corpus: 40 sentences, a gold graph and a parser's output for each.\n")
    emit(result.report())

    worst = [pair.index for pair in result.worst(5)]
    pairs, rows = result.pairs, []
    for index in worst:
        counts = f"{pairs.matched[index]}/{pairs.n_pred[index]}/{pairs.n_gold[index]}"
        rows.append((str(index), points(pairs.f1[index]), counts, gold[index].metadata.get("snt", "")))
    perfect = int((pairs.f1 == 1).sum())
    print(f"\n{count(perfect, 'pair')} perfect; the lowest F1:\n")
    print_table(("pair", "F1", "matched/pred/gold", "sentence"), rows, sys.stdout)

    example = 7  # small, and shows every mark
    print(f"\nPair {example}, aligned (= equal, ~ other concept, - only predicted, + only gold):\n")
    emit(pair_report(make("smatch"), pred[example : example + 1], gold[example : example + 1]))
    names = " ".join(f"'{name}'" if " " in name else name for name in files)
    say(f"\nThe same again:\n  fastmatch score {names}\n  fastmatch align {names} --index {example}", sys.stdout)


# Two graphs beside each other on a terminal, as Penman text whose lines stand opposite what they match.
#
# A line opens a node by its relation, names a node that stands elsewhere, or holds an attribute. Lines that belong
# together are put into one row as far as their order allows; the mark between them says how they compare: ``=`` equal,
# ``~`` another label, ``-`` only in the prediction, ``+`` only in the gold graph, ``:`` matched, by a line elsewhere.


#: Columns below which the two graphs stand below each other, line by line.
_NARROW = 64
_STYLES = {"=": "", "~": "yellow", "-": "red", "+": "green", ":": "dim"}
_ELSEWHERE = ":"
_LEGEND = "\n= equal, ~ another label, - only predicted, + only gold, : matched by a line elsewhere"


class _Part(NamedTuple):
    """A piece of a line, with the mark that says how it compares."""

    text: str
    mark: str


class _Line(NamedTuple):
    """A line of text.

    Attributes
    ----------
    key : tuple
        Equal for the lines of the two graphs that belong together.
    depth : int
    parts : list of _Part
    """

    key: tuple[object, ...]
    depth: int
    parts: list[_Part]

    @property
    def mark(self) -> str:
        """That of its parts, if they agree."""
        marks = {part.mark for part in self.parts if part.mark}
        return marks.pop() if len(marks) == 1 else "~"


def _print_rows(mine: list[_Line], theirs: list[_Line], width: int, write: Callable[[list[_Part]], None]) -> None:
    if width < _NARROW:
        for left, right in _rows(mine, theirs):
            if left is not None and right is not None and left.mark == right.mark == "=":
                write([_Part("= ", "="), *_shown(left)])
                continue
            for line, mark in ((left, "-"), (right, "+")):
                if line is not None:
                    alone = right is None or left is None
                    write([_Part(f"{_alone(line) if alone else mark} ", mark), *_shown(line)])
        return
    column = (width - 5) // 2
    write([*_padded([_Part("prediction", "")], column), _Part("     gold", "")])
    for left, right in _rows(mine, theirs):
        if left is None or right is None:
            line = left or right
            assert line is not None
            mark = _alone(line)
        else:
            mark = left.mark if left.mark == right.mark else "~"
        halves = [[] if line is None else _wrapped(_shown(line), column, line.depth) for line in (left, right)]
        for number in range(max(map(len, halves))):
            one, two = (half[number] if number < len(half) else [] for half in halves)
            write([*_padded(one, column), _Part(f"  {'' if number else mark:1}  ", mark), *two])


def _alone(line: _Line) -> str:
    """The mark of a line that no line stands opposite to."""
    return _ELSEWHERE if line.mark == "=" else line.mark


def _lines(
    graph: Record, matches: Sequence[int], alone: str, number: Callable[[int], int], mapped: Callable[[int], bool]
) -> list[_Line]:
    """The lines of one graph; ``number`` gives the gold number of a variable that is ``mapped``."""
    names, triples = graph["v"], graph["t"]
    ends = [(t, s) if kind in (INVERTED, INVERTED + OPENS) else (s, t) for kind, s, _, t in triples]
    opening = {end: k for k, (_, end) in enumerate(ends) if triples[k][0] >= RELATION + OPENS}
    items: list[list[int]] = [[] for _ in names]
    concepts: dict[int, int] = {}
    for k, (kind, source, _, _) in enumerate(triples):
        if kind == INSTANCE:
            concepts.setdefault(source, k)
        else:
            items[ends[k][0]].append(k)

    def mark(k: int) -> str:
        return {UNMATCHED: alone, NOT_COUNTED: ""}.get(matches[k], "=")

    def gold_number(k: int) -> int:
        # triples go by their number in the gold graph
        return k if alone == "+" else matches[k]

    def key(k: int, otherwise: tuple[object, ...]) -> tuple[object, ...]:
        return ("triple", gold_number(k)) if mark(k) == "=" else (alone, *otherwise)

    def opened(v: int) -> _Part:
        instance = concepts.get(v)
        concept = "" if instance is None or triples[instance][3] is None else f" / {triples[instance][3]}"
        state = alone if not mapped(v) else "~" if instance is not None and mark(instance) == alone else "="
        return _Part(f"({names[v] or ''}{concept}", state)

    lines: list[_Line] = []
    roots = sorted((v for v in range(len(names)) if v not in opening), key=lambda v: v != graph["r"])
    for root in roots:
        lines.append(_Line(("node", number(root)) if mapped(root) else (alone, "node", root), 0, [opened(root)]))
        stack = [(root, iter(items[root]))]
        while stack:
            k = next(stack[-1][1], -1)
            if k < 0:
                stack.pop()
                last = lines[-1]
                lines[-1] = last._replace(parts=[*last.parts, _Part(")", "")])
                continue
            kind, source, role, target = triples[k]
            if kind == ATTRIBUTE:
                lines.append(_Line(key(k, (k,)), len(stack), [_Part(f"{role} {target or ''}".rstrip(), mark(k))]))
                continue
            here, other = ends[k]
            role = role if here == source else f"{role}-of"
            if opening.get(other) == k:
                own = ("node", number(other)) if mapped(other) else (alone, "node", other)
                lines.append(_Line(own, len(stack), [_Part(f"{role} ", mark(k)), opened(other)]))
                stack.append((other, iter(items[other])))
            else:
                lines.append(_Line(key(k, (k,)), len(stack), [_Part(f"{role} {names[other] or '()'}", mark(k))]))
    return lines or [_Line(("nothing",), 0, [_Part("()", "=")])]


def _rows(mine: list[_Line], theirs: list[_Line]) -> Iterator[tuple[_Line | None, _Line | None]]:
    """The lines of both graphs in rows, those with equal keys opposite each other where the order allows it."""
    own, others = ([line.key for line in lines] for lines in (mine, theirs))
    for what, start, stop, other, end in SequenceMatcher(None, own, others, autojunk=False).get_opcodes():
        if what == "equal":
            yield from zip(mine[start:stop], theirs[other:end], strict=True)
        else:
            yield from ((line, None) for line in mine[start:stop])
            yield from ((None, line) for line in theirs[other:end])


def _shown(line: _Line) -> list[_Part]:
    return [_Part("  " * min(line.depth, 20), ""), *(part._replace(text=printable(part.text)) for part in line.parts)]


def _wrapped(parts: list[_Part], width: int, depth: int) -> list[list[_Part]]:
    """Pieces cut into lines of at most so many characters; further lines are indented."""
    indent = _Part(" " * min(2 * depth + 4, width // 2), "")
    lines: list[list[_Part]] = [[]]
    room = width
    for text, mark in parts:
        while text:
            if room <= 0:
                lines.append([indent])
                room = width - len(indent.text)
            lines[-1].append(_Part(text[:room], mark))
            text, room = text[room:], room - min(room, len(text))
    return lines


def _padded(parts: list[_Part], width: int) -> list[_Part]:
    return [*parts, _Part(" " * (width - sum(len(part.text) for part in parts)), "")]


def _writer(file: TextIO) -> Callable[[list[_Part]], None]:
    """What prints a line: in colour on a terminal that shows colours, else plain."""
    console = console_of(file)
    if console is None:
        return lambda parts: print("".join(part.text for part in parts).rstrip(), file=file)
    from rich.text import Text

    def write(parts: list[_Part]) -> None:
        console.print(Text.assemble(*((part.text, _STYLES.get(part.mark, "")) for part in parts)))

    return write
