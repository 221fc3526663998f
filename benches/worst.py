"""Which pair of texts keeps a metric busy longest? A search for the worst case, by mutation that climbs on CPU time.

    python benches/worst.py TARGET [--seconds 60] [--seed 0] [--effort low] [--characters 2000] [--keep FOLDER]
    python benches/worst.py --list

A target is a metric (``smatch``), a metric with a preset (``ancast/tool``), or something else that a text can keep
busy: ``read/DIALECT``, ``standardize/STEPS``, ``align/METRIC``, ``features/METRIC``, ``aspects/KIND``, ``umr``, or
``reward/METRIC``: the default reward of a completion, for which ``--characters`` is 8,000 by default. Graphs are
written as documents of sentences for ``docsmatch``, and as UMR documents for ``umr`` and ``jumatch``.

The search starts from families of graphs that are hard for something: random trees, chains, stars, cliques of
re-entrancies, hubs, layers, many attributes, deep nesting, a few long words; each with all labels equal, with few, with
different ones and without concepts. It keeps the pairs that took most CPU time and changes one of them again and again:
graphs by their parts, texts by their characters.

Every pair runs in a child process with a limit of CPU time, so one that never ends is a find as well. Seconds and
memory are those of the pair alone, with reading; imports and first calls come before. What HiGHS takes in a process of
its own is counted, less what that process takes to start. The seed decides every random choice. Which pair is kept
depends on measured times, so two runs are alike but not equal.

``--keep`` writes the worst pair to a file; ``tests/fuzz/worst`` holds such finds, and a test gives each of them to
every metric.
"""

from __future__ import annotations

import argparse
import os
import random
import resource
import signal
import sys
import time
import warnings
from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import cache, partial
from itertools import count
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

import fastmatch as fm
from fastmatch.errors import FastmatchError
from fastmatch.fine_grained.kinds import KINDS
from fastmatch.graphs.dialects import DIALECTS
from fastmatch.graphs.standardization.steps import PRESETS, STEPS
from fastmatch.metrics.embeddings.vectors import Embeddings
from fastmatch.metrics.registry import available, get
from fastmatch.rewards import GraphReward
from fastmatch.runtime import apart

#: CPU seconds after which a child process is ended.
LIMIT = 60
#: The line between the two texts of a kept find.
BETWEEN = "\n=====\n"
#: Pairs that are kept and changed.
KEPT = 12

Call = Callable[[str, str, dict[str, Any]], object]


# Targets --------------------------------------------------------------------------------------------------------------


def targets() -> dict[str, Call]:
    """Name → a function of two texts and of options such as ``effort``."""
    rng = np.random.default_rng(0)
    words = Embeddings.from_arrays(list("abcdefghij"), rng.random((10, 20), np.float32))
    found: dict[str, Call] = {}
    for name in available():
        given: dict[str, Any] = {"embeddings": words} if name == "s2match" else {}
        found[name] = partial(_score, name, None, given)
        for preset in get(name).presets:
            found[f"{name}/{preset}"] = partial(_score, name, preset, given)
        found[f"reward/{name}"] = partial(_reward, GraphReward(name, **given))
    for name in ("smatch", "ancast", "wwlk"):
        found[f"align/{name}"] = partial(_align, name)
    for name in ("rematch", "sembleu", "wlk"):
        found[f"features/{name}"] = partial(_features, name)
    for dialect in DIALECTS:
        found[f"read/{dialect}"] = partial(_read, dialect)
    for steps in (*PRESETS, *STEPS, "reify", "dereify"):
        found[f"standardize/{steps}"] = partial(_standardize, steps)
    for kind in KINDS:
        found[f"aspects/{kind}"] = partial(_aspects, kind, {"embeddings": words} if kind == "s2match" else {})
    found["umr"] = lambda a, b, _: fm.umr.score(a, b)
    for preset in (None, "tool"):
        name = "jumatch" if preset is None else f"jumatch/{preset}"
        found[name] = partial(_jumatch, preset)
    return found


def _score(name: str, preset: str | None, given: dict[str, Any], a: str, b: str, options: dict[str, Any]) -> object:
    return fm.score([a], [b], metric=name, preset=preset, on_error="empty", **given, **options).score


def _jumatch(preset: Any, a: str, b: str, _: dict[str, Any]) -> object:
    on_error: Any = "empty" if preset is None else None
    return fm.umr.score(f"{a}\n", f"{b}\n", metric="jumatch", preset=preset, on_error=on_error)


def _reward(reward: GraphReward, a: str, b: str, _: dict[str, Any]) -> object:
    return reward.one(a, b)


def _align(name: str, a: str, b: str, options: dict[str, Any]) -> object:
    return fm.align(a, b, metric=name, **options)


def _features(name: str, a: str, b: str, options: dict[str, Any]) -> object:
    return fm.features([a, b], metric=name, on_error="empty", **options)


def _read(dialect: str, a: str, b: str, _: dict[str, Any]) -> object:
    return [graph.encode() for graph in fm.parse(f"{a}\n\n{b}", dialect=dialect, on_error="empty")]


def _standardize(steps: str, a: str, b: str, _: dict[str, Any]) -> object:
    return [graph.encode() for graph in fm.standardize(fm.parse(f"{a}\n\n{b}", on_error="empty"), steps)]


def _aspects(kind: str, given: dict[str, Any], a: str, b: str, options: dict[str, Any]) -> object:
    return fm.aspects([a], [b], kind=kind, on_error="empty", **given, **options)


# Graphs ---------------------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Shape:
    """A graph to be written: concepts by variable (an empty one is left out), relations, attributes.

    ``tight``: without any space that penman can do without, so that more fits into as many characters.
    """

    concepts: tuple[str, ...]
    relations: tuple[tuple[int, str, int], ...]
    attributes: tuple[tuple[int, str, str], ...] = ()
    tight: bool = False


_LETTERS = "abcdefghijklmnopqrstuvwxyz"


def _name(v: int) -> str:
    """Variables as short as can be: one letter of several alphabets, then two, three and so on."""
    if v < 26:
        return _LETTERS[v]
    if v < 58:
        return chr(0x430 + v - 26)
    v, name = v - 32, ""
    while v >= 0:
        v, name = v // 26 - 1, _LETTERS[v % 26] + name
    return name


def penman(shape: Shape, characters: int) -> str:
    """The text of a graph, of at most so many characters: the first attributes and relations that fit.

    A relation to a variable that has no place yet opens it; all variables without a place of their own are left out.
    """
    low, high = 0, len(shape.relations) + len(shape.attributes)
    text = _written(shape, high)
    if len(text) <= characters:
        return text
    most = high
    while high - low > 1 + most // 1000:
        middle = (low + high) // 2
        text = _written(shape, middle)
        low, high = (middle, high) if len(text) <= characters else (low, middle)
    return _written(shape, low)


def _written(shape: Shape, parts: int) -> str:
    n = len(shape.concepts)
    inside: list[list[tuple[str, int | str]]] = [[] for _ in range(n)]
    # attributes and relations take turns, so that a limit of characters cuts both
    everything: list[tuple[int, str, int | str]] = [*shape.relations, *shape.attributes]
    share = len(shape.attributes) * parts // max(len(everything), 1)
    for source, role, target in (*shape.relations[: parts - share], *shape.attributes[:share]):
        inside[source].append((role, target))
    pieces: list[str] = []
    open_ones = {0}
    stack: list[tuple[int, int]] = []

    def enter(v: int) -> None:
        concept = shape.concepts[v]
        slash = "/" if shape.tight else " / "
        pieces.append(f"({_name(v)}{slash}{concept}" if concept else f"({_name(v)}")
        stack.append((v, 0))

    enter(0)
    while stack:
        v, place = stack.pop()
        if place == len(inside[v]):
            pieces.append(")")
            continue
        stack.append((v, place + 1))
        role, target = inside[v][place]
        closed = isinstance(target, int) and target not in open_ones
        pieces.append((f":{role}" if closed else f":{role} ") if shape.tight else f" :{role} ")
        if isinstance(target, str):
            pieces.append(target)
        elif closed:
            open_ones.add(target)
            enter(target)
        else:
            pieces.append(_name(target))
    return "".join(pieces)


def document(shape: Shape, characters: int) -> str:
    """A UMR document of one sentence: the relations of the graph are temporal and coreference relations."""
    size = len(shape.relations)
    while True:
        names = [f"s1{_name(v)}" for v in range(len(shape.concepts))]
        used = sorted({v for source, _, target in shape.relations[:size] for v in (source, target)})
        facts: dict[str, list[str]] = {"temporal": [], "coref": []}
        for source, role, target in shape.relations[:size]:
            kind, relation = ("coref", "same-entity") if role[:1] > "m" else ("temporal", _TIMES[len(role) % 3])
            facts[kind].append(f"({names[source]} :{relation} {names[target]})")
        graph = "".join(f" :op1 ({names[v]} / c)" for v in used)
        annotation = " ".join(f":{kind} ({' '.join(held)})" for kind, held in facts.items() if held)
        text = (
            f"1 x\n\n# sentence level graph:\n(s1top / c{graph})\n\n# alignment:\n\n"
            f"# document level annotation:\n(s1s0 / sentence {annotation})\n"
        )
        if len(text) <= characters or size <= 1:
            return text
        size = size * 9 // 10


def of_sentences(shape: Shape, characters: int) -> str:
    """A document: what the root leads to are its sentences."""
    numbers = count(1)
    relations = [(a, f"snt{next(numbers)}" if a == 0 else role, b) for a, role, b in shape.relations]
    return penman(replace(shape, relations=tuple(relations)), characters)


def annotated(shape: Shape, characters: int) -> str:
    """A UMR document of one sentence with this graph; its attributes say which nodes are aligned, and with what.

    Some of its relations are relations of the document level as well.
    """
    spans: dict[int, int] = {v: len(role) % 4 for v, role, _ in shape.attributes}
    lines = [f"{_name(v)}: {1 + n}-{2 + n}" for v, n in sorted(spans.items())]
    facts = [f"({_name(a)} :same-entity {_name(b)})" for a, role, b in shape.relations if role in ("B", "C")]
    share = (characters - 150) // 4
    while sum(map(len, lines)) + len(lines) > share:
        del lines[len(lines) // 2 :]
    while sum(map(len, facts)) > share:
        del facts[len(facts) // 2 :]
    rest = (
        f"\n\n# alignment:\n{chr(10).join(lines)}\n\n# document level annotation:\n"
        f"(s1s0 / sentence :coref ({' '.join(facts)}))\n"
    )
    head = "# :: snt1\nWords: a b c d e f\n\n# sentence level graph:\n"
    return head + penman(shape, characters - len(head) - len(rest)) + rest


#: Target, without its preset → how graphs are written for it.
_WRITERS = {"umr": document, "jumatch": annotated, "docsmatch": of_sentences}

_ROLES = [chr(0xC0 + k) for k in range(400)]
_TIMES = ("before", "after", "overlap")


def families(rng: random.Random, n: int) -> list[tuple[str, Shape]]:
    """Graphs of n variables that are hard for something, by name."""
    equal = ("c",) * n
    different = tuple(f"{_name(v)}{v}" for v in range(n))
    shapes = {
        "tree": [(rng.randrange(v), v) for v in range(1, n)],
        "chain": [(v - 1, v) for v in range(1, n)],
        "star": [(0, v) for v in range(1, n)],
        "binary": [((v - 1) // 2, v) for v in range(1, n)],
        "caterpillar": [(v - 1 if v % 2 else max(v - 2, 0), v) for v in range(1, n)],
        "clique": [(a, b) for b in range(1, n) for a in range(max(0, b - 12), b)],
        "cycles": [(v - 1, v) for v in range(1, n)] + [(v, rng.randrange(n)) for v in range(n)],
        "hubs": [(0, v) for v in range(1, n // 2)] + [(v, n // 2) for v in range(1, n // 2)]
        + [(n // 2, v) for v in range(n // 2 + 1, n)],
        "layers": [(v, w) for v in range(n) for w in range(v - v % 4 + 4, min(v - v % 4 + 8, n))],
        "loops": [(0, 0)] * (2 * n),
        "pair": [(k % 2, (k // 2) % 2) for k in range(2 * n)],
        "back": [(v - 1, v) for v in range(1, n)] + [(v, 0) for v in range(1, n)],
    }  # fmt: skip
    found = []
    for name, edges in shapes.items():
        for roles in ("A", "AB", _ROLES):
            relations = tuple((a, rng.choice(roles), b) for a, b in edges)
            for label, concepts in (("equal", equal), ("different", different), ("none", ("",) * n)):
                found.append((f"{name} {label} {len(roles)}", Shape(concepts, relations)))
    some = tuple((rng.randrange(n), rng.choice("AB"), rng.choice(['"x"', "1", "-", '"y z"'])) for _ in range(3 * n))
    tree = tuple((a, "A", b) for a, b in shapes["tree"])
    found.append(("attributes", Shape(equal, tree, some)))
    found.append(("one's attributes", Shape(("c",), (), tuple((0, "A", f'"{k % 7}"') for k in range(400)))))
    many = tuple((0, _ROLES[k], str(k % 10)) for k in range(300))
    loops = tuple((0, _ROLES[k], 0) for k in range(150))
    found.append(("loops and attributes", Shape(("c",), loops, many)))
    found.append(("two and attributes", Shape(("c", "d"), tuple((0, r, 1) for _, r, _ in loops), many)))
    found.append(("different attributes", Shape(("c",), (), tuple((0, f"r{k}", str(k)) for k in range(400)))))
    found.append(("named", Shape(equal, tree, tuple((v, f"op{1 + v % 3}", f'"{"ab"[v % 2]}"') for v in range(n)))))
    reified = ("location", "mod", "poss", "time", "ARG1-of", "consist-of", "domain", "quant", "wiki", "name")
    found.append(("reified", Shape(equal, tuple((a, rng.choice(reified), b) for a, b in shapes["tree"]))))
    senses = tuple("have-mod-91" if v % 2 else "thing" for v in range(n))
    ends = tuple((a, f"ARG{1 + k % 2}", b) for k, (a, b) in enumerate(shapes["cycles"]))
    found.append(("dereified", Shape(senses, ends)))
    words = ["a" * 40, "a" * 41, "a" * 39 + "b", "b" + "a" * 39, "ab" * 20]
    found.append(("long words", Shape(tuple(rng.choice(words) for _ in range(n)), tree)))
    return found


#: Texts that no graph gives.
TEXTS = [
    "(" * 2000,
    "(a / b " * 285,
    "(a :b " * 330 + ")" * 330,
    "(a / b" + " :c a" * 398 + ")",
    "(a / " + "b" * 1990 + ")",
    '(a / b :c "' + "x" * 1980 + '")',
    '(a / b :c "' + '\\"' * 990 + '")',
    "(a / b)" * 285,
    "(a / b)\n\n" * 220,
    "# ::id x\n" * 220 + "(a / b)",
    "# " + "::a " * 490 + "\n(a / b)",
    "(a / b~e." + "1," * 990 + "1)",
    "(a / b :c-" + "of-" * 640 + "of (d / e))",
    "(a / b :" + "c" * 1900 + " d)",
    "(a / a" + "-01" * 660 + ")",
    "a\tb\t:c\n" * 250,
    "(a / b :c " + "1" * 1980 + ")",
    "\n" * 2000,
    "/" * 2000,
    ":" * 2000,
    '"' * 2000,
    "~" * 2000,
]


class Pair(NamedTuple):
    """Two graphs, or where there is none, two texts."""

    name: str
    first: Shape | str
    second: Shape | str


Writer = Callable[[Shape, int], str]


def texts(pair: Pair, write: Writer, characters: int) -> tuple[str, str]:
    a, b = (one[:characters] if isinstance(one, str) else write(one, characters) for one in pair[1:])
    return a, b


def beginnings(rng: random.Random, characters: int) -> list[Pair]:
    """All families: against themselves, against themselves with variables in another order, against the next one."""
    found = []
    for n in (12, 24, 60, 240, 480) if characters <= 2000 else (12, 24, 60, 240, 480, 900, 1500):
        family = families(rng, n)
        for k, (name, shape) in enumerate(family):
            shape = replace(shape, tight=rng.random() < 0.5)
            found.append(Pair(f"{name}, {n}", shape, shape))
            found.append(Pair(f"{name}, {n}, shuffled", shape, shuffled(rng, shape)))
            found.append(Pair(f"{name}, {n}, other", shape, family[k - 1][1]))
    found += [Pair(f"text {text[:10]!r}", text, text) for text in TEXTS]
    return found


# Mutation -------------------------------------------------------------------------------------------------------------


def shuffled(rng: random.Random, shape: Shape) -> Shape:
    """The same graph with its variables, relations and attributes in another order; the root stays."""
    n = len(shape.concepts)
    place = [0, *rng.sample(range(1, n), n - 1)]
    concepts = [""] * n
    for old, new in enumerate(place):
        concepts[new] = shape.concepts[old]
    relations = [(place[a], role, place[b]) for a, role, b in shape.relations]
    attributes = [(place[v], role, value) for v, role, value in shape.attributes]
    rng.shuffle(attributes)
    # parents first, or the tree would fall apart when it is cut to its length
    return replace(shape, concepts=tuple(concepts), relations=tuple(relations), attributes=tuple(attributes))


def mutated(rng: random.Random, pair: Pair, others: list[Pair], write: Writer, characters: int) -> Pair:
    """A pair with one or some of its parts changed."""
    name = pair.name.removesuffix(" *") + " *"
    first, second = pair.first, pair.second
    for _ in range(rng.choice((1, 1, 2, 4))):
        what = rng.random()
        if what < 0.1:
            first, second = second, first
        elif what < 0.25:
            second = first
        elif what < 0.35:
            second = rng.choice(others)[rng.randrange(1, 3)]
        elif what < 0.42:  # on as texts
            first, second = texts(Pair(name, first, second), write, characters)
        else:
            side = rng.random()
            if side < 0.7:
                first = _changed(rng, first)
            if side > 0.3:
                second = _changed(rng, second)
    return Pair(name, first, second)


def _changed(rng: random.Random, one: Shape | str) -> Shape | str:
    return _changed_text(rng, one) if isinstance(one, str) else _changed_shape(rng, one)


def _changed_text(rng: random.Random, text: str) -> str:
    at = rng.randrange(len(text) + 1)
    to = min(len(text), at + int(2 ** rng.uniform(0, 10)))
    piece = text[at:to]
    return rng.choice(
        (
            text[:at] + text[to:],
            text[:at] + piece * rng.randrange(2, 40) + text[to:],
            text[:at] + rng.choice(_TOKENS) * rng.randrange(1, 400) + text[at:],
            text[:at] + text[to:] + piece,
        )
    )


_TOKENS = ("(", ")", " :a ", "/", '"', "\n", "\\", "~e.1", "-of", "a", " a", "(a / b ", ":a (b", "-01", " :mod ", "é")


def _changed_shape(rng: random.Random, shape: Shape) -> Shape:
    concepts, relations, attributes = list(shape.concepts), list(shape.relations), list(shape.attributes)
    n = len(concepts)
    roles = sorted({role for _, role, _ in relations}) or ["A"]
    rate = 2 ** rng.uniform(-8, 0)
    match rng.randrange(14):
        case 0:  # move targets
            relations = [(a, r, rng.randrange(n)) if rng.random() < rate else (a, r, b) for a, r, b in relations]
        case 1:  # move sources
            relations = [(rng.randrange(b or 1), r, b) if rng.random() < rate else (a, r, b) for a, r, b in relations]
        case 2:
            relations = [(a, rng.choice(roles), b) if rng.random() < rate else (a, r, b) for a, r, b in relations]
        case 3:
            kinds = sorted(set(concepts))
            concepts = [rng.choice(kinds) if rng.random() < rate else concept for concept in concepts]
        case 4:
            labels = rng.choice((["c"], [""], ["c", "d"], [f"w{v}" for v in range(n)], ["have-mod-91", "c"]))
            concepts = [rng.choice(labels) if rng.random() < rate else concept for concept in concepts]
        case 5:
            role = rng.choice(("A", "B", "C", "mod", "domain", "ARG1-of", "location", "name", "op1", ""))
            relations = [(a, role, b) if rng.random() < rate else (a, r, b) for a, r, b in relations]
        case 6:  # more re-entrancies
            more = [(rng.randrange(n), rng.choice(roles), rng.randrange(n)) for _ in range(1 + int(rate * 200))]
            at = rng.randrange(len(relations) + 1)
            relations[at:at] = more
        case 7:  # fewer relations
            relations = [one for one in relations if rng.random() > rate / 4]
        case 8:
            value = rng.choice(('"x"', "1", "-", '"y"', '"a b"'))
            role = rng.choice((*roles, "op1", "op2", "quant", "polarity", "wiki"))
            attributes = [(rng.randrange(n), role, value) for _ in range(1 + int(rate * 300))] + attributes
        case 9:
            attributes = [one for one in attributes if rng.random() > rate]
        case 10:  # a part twice
            if relations:
                at = rng.randrange(len(relations))
                to = min(len(relations), at + 1 + int(rate * len(relations)))
                relations[to:to] = [(a, r, rng.randrange(n)) for a, r, _ in relations[at:to]]
        case 11:  # another size
            size = rng.choice((n // 2, n * 3 // 4, n * 5 // 4, n + 1, n - 1))
            size = min(max(size, 1), 2000)
            concepts = [concepts[v % n] for v in range(size)]
            relations = [(a % size, r, b % size) for a, r, b in relations]
            relations += [(rng.randrange(v), rng.choice(roles), v) for v in range(n, size)]
            attributes = [(v % size, r, value) for v, r, value in attributes]
        case 12:
            return shuffled(rng, shape)
        case _:
            return replace(shape, tight=not shape.tight)
    return replace(shape, concepts=tuple(concepts), relations=tuple(relations), attributes=tuple(attributes))


# Measuring ------------------------------------------------------------------------------------------------------------


class Cost(NamedTuple):
    """CPU seconds, and MiB beyond what the process had before; ``ended``: by the limit of CPU time or of memory."""

    seconds: float
    memory: float
    ended: bool


def measure(
    call: Call, a: str, b: str, options: dict[str, Any], limit: int = LIMIT, memory_limit: float | None = None
) -> Cost:
    """What a pair costs, in a child process that may take so many CPU seconds and MiB of address space beyond its own.

    ``memory_limit`` None: as much as there is.
    """
    reader, writer = os.pipe()
    child = os.fork()
    if child == 0:
        os.write(writer, f"{resident()}\n".encode())  # less than the parent's: pages of files are not there yet
        resource.setrlimit(resource.RLIMIT_CPU, (limit, limit + 1))
        if memory_limit is not None:
            most = int(pages(0) * resource.getpagesize() + memory_limit * 2**20)
            resource.setrlimit(resource.RLIMIT_AS, (most, most))
        signal.signal(signal.SIGINT, signal.SIG_DFL)
        warnings.simplefilter("ignore")  # texts that do not look like pairs
        status = 0
        try:
            call(a, b, options)
        except FastmatchError:
            pass
        except MemoryError:
            apart.end_idle()
            os.kill(os.getpid(), signal.SIGKILL)  # ended by a limit
        except BaseException as error:  # anything else is a find of another kind
            print(f"{type(error).__name__}: {error}", repr(a)[:200], repr(b)[:200], file=sys.stderr, flush=True)
            status = 3
        apart.end_idle()  # a process that is not waited for would not be counted
        peaks = [resource.getrusage(who).ru_maxrss for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)]
        os.write(writer, "{} {}".format(*peaks).encode())
        os._exit(status)
    _, status, usage = os.wait4(child, 0)
    os.close(writer)
    with os.fdopen(reader) as told:
        before, *peaks = map(float, told.read().split())
    own, other = peaks or (usage.ru_maxrss, 0.0)
    seconds, memory = usage.ru_utime + usage.ru_stime, max(own / 1024 - before, 0.0)
    if other:  # HiGHS had a process
        seconds -= start().seconds
        memory += max(other / 1024 - start().memory, 0.0)
    return Cost(seconds, memory, os.WIFSIGNALED(status))


@cache
def start() -> Cost:
    """What the process of HiGHS takes to start and to import what it needs: the least of three."""
    empty = np.zeros(0, np.int32)
    one, gain = np.zeros(1, np.int32), np.ones(1, np.int64)
    problem = 1, 1, one, one, gain, empty, empty, gain[:0]
    found = []
    for _ in range(3):
        reader, writer = os.pipe()
        child = os.fork()
        if child == 0:
            begun = time.process_time()
            apart.call("fastmatch.metrics.shared.linear_programs", "solve_until", (problem, np.inf, 0, 0, 0.0, 10**6))
            apart.end_idle()
            usage = resource.getrusage(resource.RUSAGE_CHILDREN)
            seconds = usage.ru_utime + usage.ru_stime + time.process_time() - begun
            os.write(writer, f"{seconds} {usage.ru_maxrss / 1024}".encode())
            os._exit(0)
        os.wait4(child, 0)
        os.close(writer)
        with os.fdopen(reader) as told:
            found.append(tuple(map(float, told.read().split())))
    seconds, memory = map(min, *found)
    return Cost(seconds, memory, False)


def resident() -> float:
    """MiB of this process in memory, as Linux tells it."""
    return pages(1) * resource.getpagesize() / 2**20


def pages(which: int) -> int:
    """Pages of this process, as Linux tells it: 0 of its address space, 1 in memory."""
    return int(Path("/proc/self/statm").read_text().split()[which])


def search(
    target: str, options: dict[str, Any], seconds: float, seed: int, characters: int
) -> tuple[Cost, Pair, tuple[str, str], int]:
    """The costliest pair found within so many CPU seconds of child processes, with its texts, and how many were tried.

    The first half goes to families at most, the rest to mutations of what was costliest.
    """
    rng = random.Random(f"{target} {seed}")
    write = _WRITERS.get(target.partition("/")[0], penman)
    call = targets()[target]
    small = texts(Pair("", Shape(("a", "b"), ((0, "A", 1),)), Shape(("a",), ())), write, characters)
    call(*small, options)  # imports, caches
    measure(call, *small, options)
    pool: list[tuple[Cost, Pair, tuple[str, str]]] = []
    spent, tried = 0.0, 0

    def attempt(pair: Pair) -> None:
        nonlocal spent, tried
        written = texts(pair, write, characters)
        cost = measure(call, *written, options)
        spent += max(cost.seconds, 0.002)
        tried += 1
        if len(pool) == KEPT and cost.seconds <= pool[-1][0].seconds:
            return
        if any(written == other for _, _, other in pool):
            return
        pool.append((cost, pair, written))
        pool.sort(key=lambda entry: -entry[0].seconds)
        del pool[KEPT:]

    first = beginnings(rng, characters)
    rng.shuffle(first)
    for pair in first:
        if spent > seconds / 2:
            break
        attempt(pair)
    while spent < seconds:
        chosen = pool[min(int(rng.expovariate(0.4)), len(pool) - 1)][1]
        attempt(mutated(rng, chosen, first, write, characters))
    # other work on the machine makes a run longer, never shorter: of the best, the one whose least is longest
    for k, (cost, pair, written) in enumerate(pool[:4]):
        pool[k] = (min(cost, *(measure(call, *written, options) for _ in range(2))), pair, written)
    best = max(pool[:4], key=lambda entry: entry[0].seconds)
    return *best, tried


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n", 1)[0])
    parser.add_argument("target", nargs="*", help="what to keep busy; see --list")
    parser.add_argument("--list", action="store_true", help="print the targets")
    parser.add_argument("--seconds", type=float, default=60, help="CPU time of each search (default: 60)")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--effort", help="the option effort, for metrics that have it")
    parser.add_argument("--characters", type=int, help="of each text, at most (default: 2000; for a reward 8000)")
    parser.add_argument("--keep", type=Path, metavar="FOLDER", help="write the worst pair there")
    arguments = parser.parse_args()
    known = targets()
    if arguments.list:
        print(*known, sep="\n")
        return
    for target in arguments.target:
        if target not in known:
            parser.error(f"no target {target!r}; --list prints them")
        options = {} if arguments.effort is None else {"effort": arguments.effort}
        started = time.perf_counter()
        characters = arguments.characters or (8000 if target.startswith("reward/") else 2000)
        cost, pair, written, tried = search(target, options, arguments.seconds, arguments.seed, characters)
        print(
            f"{target:26s} {arguments.effort or 'default':8s} {cost.seconds:8.3f} s {cost.memory:7.1f} MiB"
            f"{' ENDED' if cost.ended else ''}  {pair.name}; {tried} tried, {time.perf_counter() - started:.0f} s",
            flush=True,
        )
        if arguments.keep:
            arguments.keep.mkdir(parents=True, exist_ok=True)
            place = arguments.keep / f"{target.replace('/', '-')}-{arguments.effort or 'default'}.txt"
            place.write_text(BETWEEN.join(written) + "\n", encoding="utf-8", errors="surrogatepass")


if __name__ == "__main__":
    main()
