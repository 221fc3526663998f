"""Arbitrary valid corpora: any arrays that ``Corpus.validate`` passes, most of which no reader would make.

Arrays of unknown origin and files that were saved by others come to the kernels after this check and no other. So the
graphs made here have whatever the check allows: no root, variables without names or all of one name, no concepts or
several of one variable, absent values, every triple twice, loops, positions that repeat or are as large as they can
be, alignments of triples that do not exist, comments that are no text, and a vocabulary of labels that look like
something else.

``corpus(random)`` makes one, from a ``random.Random``: the same state gives the same corpus.
"""

from collections.abc import Sequence
from random import Random

import numpy as np

from fastmatch import Corpus, Vocabulary
from fastmatch.types import Dialect

#: Labels that some reader, step or metric treats as special, with neighbours of theirs, and labels that are hardly any.
STRINGS = (
    "", " ", "-", "--", '"', '""', "'", '"a"', "'a'", ":", "::", ":-of", "-of", "of", ":of", ":of-of", ":-of-of", "/",
    "a", "b", "A", "a_", "a__", "_", "cat", "Cat", "CAT", '"cat"', "dog", "ca", "at", "cats", "want-01", "want-02",
    "want-01_", "WANT-01", "want-1", "want-001", "-01", "01", "-", "1", "2", "10", "-1", "1e9", "nan", "inf", "0",
    ":ARG0", ":arg0", ":ARG0-of", ":ARG0-of-of", ":ARG1", ":ARG1-of", ":mod", ":mod-of", ":domain", ":domain-of",
    ":consist-of", ":consist", ":prep-out-of", ":op1", ":op2", ":op10", ":op", ":op99999999999999999999", ":Op1",
    "op1", ":name", ":name-of", "name", ":wiki", ":polarity", ":quant", ":TOP", ":top", ":root", ":label", ":instance",
    "top", "root", "instance", "TOP", ":location", ":location-of", "be-located-at-91", ":poss", "own-01", "have-03",
    "have-mod-91", "have-org-role-91", "have-polarity-91", "amr-unknown", "date-entity", "person", "and", ":snt1",
    ":domain-of-of", ":polarity-of", ":value", ":time", ":ARG2", ":degree", "have-degree-91", "have-degree-92",
    "new york", '"New York"', '\\"', "\\", "\n", "a\nb", "\r", "\t", "\x00", "a\x00b", "#", "# ::id 1", "~e.1", "~",
    "(", ")", "a|b", "a:b", "a b c", "\u00e9", "e\u0301", "\u00df", "\u1e9e", "\u0130", "\ufb01", "\u6771",
    "~e.", "~e.1,2", "~1", "~e.99999999999999999999", "\U0001f600", "\ud800", "\udfff", "\u00a0", "\u2028", "\u200b",
    "\ufeff", "x" * 255, "x" * 256, "y" * 5000, "\u00e9" * 300,
)  # fmt: skip
COMMENTS = (
    b"", b"# ::id 1", b"# ::id 1 ::date today", b"# ::snt The cat wants a dog.", b"# ::snt \xc3\x89t\xc3\xa9",
    b"# ::snt", b"# ::snt ", b"::id x\n::id y", b"\n\n", b"# ::alignments a: 1-1 b: 2-3", b"\x00",
    b"# ::tok a b c\n# ::alignments cat:1-99999999999999999999", b"# ::snt " + b"word " * 200,
    b"# ::alignments a: " + b"9" * 5000 + b"-1", b"# ::snt \xed\xa0\x80 cat",
)  # fmt: skip
#: Of graphs that could not be read: their bytes need not be text.
BROKEN_COMMENTS = (b"# ::id \xff\xfe", b"\xff", b"# ::snt a\xffb cat", b"# ::snt \xc3", b"\xa9")
_MOST = 2**31 - 1


def odd_vocabulary(random: Random, size: int | None = None) -> Vocabulary:
    """Some of :data:`STRINGS`, in any order; ``size`` of them, at least one."""
    size = random.randint(1, len(STRINGS)) if size is None else size
    return Vocabulary(random.sample(STRINGS, min(size, len(STRINGS))))


def corpus(random: Random, *, dialect: Dialect = "penman", vocabulary=None, n_graphs=None, most: int = 6) -> Corpus:
    """An arbitrary valid corpus of ``n_graphs`` graphs, most of them with at most ``most`` variables."""
    words = odd_vocabulary(random) if vocabulary is None else vocabulary
    n_graphs = random.randint(0, 4) if n_graphs is None else n_graphs
    labels: Sequence[int] = range(len(words))
    if random.random() < 0.6:  # few labels, so that some are equal
        labels = random.sample(labels, min(len(labels), random.randint(1, 6)))
    graphs = [_graph(random, labels, most) for _ in range(n_graphs)]
    arrays = {
        "root": np.array([graph["root"] for graph in graphs], np.int32),
        "lines": np.array([random.choice((0, 1, _MOST)) for _ in graphs], np.int32),
    }
    for name, rows in (("instances", 3), ("attributes", 4), ("relations", 5), ("surface", 3)):
        table = np.concatenate([np.array(graph[name], np.int32).reshape(-1, rows) for graph in graphs] or [[]])
        arrays[name] = np.ascontiguousarray(table.reshape(-1, rows).T.astype(np.int32))
        offsets = "surface_offsets" if name == "surface" else f"{name[:-1]}_offsets"
        arrays[offsets] = _offsets([len(graph[name]) for graph in graphs])
    arrays["variable_names"] = np.array([name for graph in graphs for name in graph["names"]], np.int32)
    arrays["variable_offsets"] = _offsets([len(graph["names"]) for graph in graphs])
    problems = ((random.randrange(n_graphs), "made up"),) if n_graphs and random.random() < 0.2 else ()
    unread = {g for g, _ in problems}
    comments = [random.choice(COMMENTS + BROKEN_COMMENTS if g in unread else COMMENTS) for g in range(n_graphs)]
    arrays["comments"] = np.frombuffer(b"".join(comments), np.uint8)
    arrays["comment_offsets"] = _offsets(list(map(len, comments)))
    return Corpus(words, arrays, dialect, "<arbitrary>", problems).validate()


def pair(random: Random, *, dialect: Dialect = "penman", most: int = 6) -> tuple[Corpus, Corpus]:
    """Two corpora of as many graphs in one vocabulary; half of the graphs of the second are those of the first."""
    words = odd_vocabulary(random)
    n_graphs = random.randint(1, 4)
    first = corpus(random, dialect=dialect, vocabulary=words, n_graphs=n_graphs, most=most)
    second = corpus(random, dialect=dialect, vocabulary=words, n_graphs=n_graphs, most=most)
    if random.random() < 0.5:
        second = Corpus.concatenate((first, second))[[random.choice((k, n_graphs + k)) for k in range(n_graphs)]]
    return first, second


def _offsets(sizes: list[int]) -> np.ndarray:
    return np.concatenate([[0], np.cumsum(sizes)]).astype(np.int64)


def _size(random: Random, most: int) -> int:
    """How many variables: often none, one, or a handful; sometimes around the 32 and 64 bits of a machine word."""
    kind = random.random()
    if kind < 0.15:
        return 0
    if kind < 0.3:
        return 1
    return random.randint(2, max(2, most)) if kind < 0.95 else random.choice((31, 32, 33, 63, 64, 65, 70))


def _graph(random: Random, labels: Sequence[int], most: int) -> dict:
    n = _size(random, most)
    label = (lambda: random.choice(labels)) if labels else (lambda: -1)
    concepts = random.choice(("one", "none", "absent", "any", "same"))
    names = random.choice(("none", "same", "any", "distinct", "some"))
    same = label()
    graph: dict = {"root": random.choice((0, n - 1, random.randrange(n))) if n else -1}
    graph["names"] = {
        "none": [-1] * n,
        "same": [same] * n,
        "any": [label() for _ in range(n)],
        "distinct": [labels[k] if k < len(labels) else -1 for k in range(n)],
        "some": [random.choice((-1, label())) for _ in range(n)],
    }[names]
    rows: dict[str, list[list[int]]] = {"instances": [], "attributes": [], "relations": []}
    if n:
        any_of = list(range(n)) if random.random() < 0.7 else [random.randrange(n)]  # or all at one variable
        match concepts:
            case "one":
                rows["instances"] = [[v, label()] for v in range(n)]
            case "absent":
                rows["instances"] = [[v, -1] for v in range(n)]
            case "same":
                rows["instances"] = [[v, same] for v in range(n)]
            case "any":
                rows["instances"] = [
                    [random.choice(any_of), random.choice((-1, label()))] for _ in range(random.randint(0, 2 * n))
                ]
    if n and labels:
        loops = random.random()
        for _ in range(random.choice((0, 1, n, 3 * n))):
            rows["attributes"].append([random.choice(any_of), label(), random.choice((-1, label(), label()))])
        for _ in range(random.choice((0, 1, n, 3 * n))):
            source = random.choice(any_of)
            target = source if random.random() < loops * 0.5 else random.randrange(n)
            rows["relations"].append([source, label(), target])
        if random.random() < 0.3:  # everything twice, or some of it often
            for table in rows.values():
                repeated = table if random.random() < 0.5 else table[:1] * 5
                table += [list(row) for row in repeated]
        if random.random() < 0.3:
            for table in rows.values():
                random.shuffle(table)
    _number(random, rows)
    graph |= rows
    if len(rows["relations"]) % 4 == 1:  # some have no root
        graph["root"] = -1
    graph["surface"] = []
    if labels and random.random() < 0.3:
        graph["surface"] = [
            [random.choice((0, 1, 2, random.randrange(20), _MOST)), random.randint(0, 1), label()]
            for _ in range(random.randint(1, 6))
        ]
    return graph


def _number(random: Random, rows: dict[str, list[list[int]]]) -> None:
    """Give every triple its position, and every relation its flag, in place."""
    everything = [row for table in rows.values() for row in table]
    match random.choice(("text", "text", "shuffled", "zero", "any", "far")):
        case "text":
            positions = list(range(len(everything)))
        case "shuffled":
            positions = random.sample(range(len(everything)), len(everything))
        case "zero":
            positions = [0] * len(everything)
        case "any":
            positions = [random.randrange(10) for _ in everything]
        case _:
            positions = [random.choice((_MOST, _MOST - 1, 0, 2**30)) for _ in everything]
    for row, position in zip(everything, positions, strict=True):
        row.append(position)
    for relation in rows["relations"]:
        relation.append(random.randint(0, 1))
