"""Which large text keeps which metric or verb busy? A table of CPU seconds and memory, shape by shape.

    python benches/large.py [TARGET ...] [--characters 200000] [--shapes chain,star] [--limit 8] [--all]

``benches/worst.py`` searches small texts for the worst case; this tries one text of each shape, as long as can be, with
itself and with a changed copy: every target of ``worst.py``, and texts that are mended, extracted and merged. Each pair
runs in a process of its own, whose CPU time and memory are limited. A target's line names its costliest shape; with
``--all`` each shape has a line. ``!`` marks what is over the budget of 5 s and 1 GiB.
"""

from __future__ import annotations

import argparse
import random
from dataclasses import replace
from functools import cache, partial
from typing import Any

from worst import _WRITERS, Call, Pair, Shape, measure, penman, shuffled, targets, texts

import fastmatch as fm
from fastmatch.benchmarks.rewiring import rewire, rewire_as_published

#: The budget: CPU seconds, and MiB.
SECONDS, MEMORY = 5.0, 1024.0

_WORDS = [f"{a}{b}{c}{d}" for a in "bdfgklmnprst" for b in "aeiou" for c in "bdfgklmnprst" for d in "aeiou"]


def shapes(rng: random.Random, n: int) -> dict[str, Shape]:
    """Graphs of n variables, of which as many are written as fit."""
    equal = ("c",) * n
    different = tuple(f"w{v}" for v in range(n))
    words = tuple(rng.choice(_WORDS) for _ in range(n))
    roles = ("ARG0", "ARG1", "ARG2", "mod", "time", "op1")
    chain = [(v - 1, v) for v in range(1, n)]
    star = [(0, v) for v in range(1, n)]
    binary = [((v - 1) // 2, v) for v in range(1, n)]
    tree = [(rng.randrange(max(0, v - 30), v), v) for v in range(1, n)]
    bush = [(rng.randrange(v), v) for v in range(1, n)]

    def of(edges: list[tuple[int, int]], concepts: tuple[str, ...], names: tuple[str, ...] = ("A",)) -> Shape:
        return Shape(concepts, tuple((a, rng.choice(names), b) for a, b in edges), tight=True)

    some = tuple((rng.randrange(n), rng.choice("AB"), rng.choice(['"x"', "1", "-"])) for _ in range(3 * n))
    named = tuple((v, f"op{1 + k}", f'"{rng.choice(_WORDS)}"') for v in range(n) for k in range(2))
    block = [(v, rng.choice(roles), w) for v, w in tree if w % 20 and v // 20 == w // 20]
    block += [(w - w % 20, rng.choice(roles), w) for v, w in tree if w % 20 and v // 20 != w // 20]
    sentence = [(a, role, b) for a, role, b in block if b < 20]
    few = tuple(_WORDS[v % 20] for v in range(n))
    repeated = [(20 * k + a, role, 20 * k + b) for k in range(n // 20) for a, role, b in sentence]
    roots = [(0, f"snt{k}", 20 * k) for k in range(1, n // 20)]
    by_size = sorted(range(n // 20), key=int)
    document = [one for k in by_size for one in ((0, f"snt{k}", 20 * k), *block[19 * k : 19 * k + 19]) if k]
    again = [one for k in by_size for one in (*roots[k - 1 : k], *repeated[19 * k : 19 * k + 19]) if k]
    return {
        "chain of equals": of(chain, equal),
        "chain of different": of(chain, different),
        "star of equals": of(star, equal),
        "star of different": of(star, different),
        "star, a role each": Shape(equal, tuple((0, f"op{v}", v) for v in range(1, n)), tight=True),
        "binary tree of equals": of(binary, equal),
        "binary tree of words": of(binary, words, roles),
        "tree of equals": of(bush, equal, ("A", "B")),
        "tree of words": of(tree, words, roles),
        "no concepts": of(tree, ("",) * n),
        "one concept, roles": of(tree, equal, roles),
        "re-entrancies": of([(a, b) for b in range(1, n) for a in range(max(0, b - 12), b)], words, roles),
        "dense": of([(a, b) for b in range(1, 450) for a in range(b)], equal),
        "dense of words": of([(a, b) for b in range(1, 450) for a in range(b)], words, roles),
        "cycles": of([e for v in range(1, n) for e in ((v - 1, v), (v, rng.randrange(v)))], words),
        "cycles of equals": of([e for v in range(1, n) for e in ((v - 1, v), (v, rng.randrange(v)))], equal),
        "two hubs": of([(0, v) for v in range(1, n // 3)] + [(v, n // 3) for v in range(1, n // 3)], equal),
        "back to the root": of([e for v in range(1, n) for e in ((v - 1, v), (v, 0))], equal),
        "attributes": Shape(equal, tuple((a, "A", b) for a, b in bush), some, tight=True),
        "names": Shape(("name",) * n, tuple((0, "name", v) for v in range(1, n)), named, tight=True),
        "one's attributes": Shape(("c",), (), tuple((0, "A", f'"{k}"') for k in range(3 * n)), tight=True),
        "one's loops": Shape(("c",), tuple((0, f"r{k % 500}", 0) for k in range(3 * n)), tight=True),
        "long strings": Shape(
            words, tuple((a, "A", b) for a, b in tree[:150]),
            tuple((v, "A", '"' + "x" * 1000 + f'{v}"') for v in range(150)), tight=True,
        ),
        "one long concept": Shape(("c" * 190000,), (), tight=True),
        "long words": of(tree[:400], tuple("ab" * 200 + rng.choice("abcd") * 3 + "ab" * (v % 9) for v in range(n))),
        "document of sentences": Shape(words, tuple(document), tight=True),
        "document of one sentence": Shape(few, tuple(again), tight=True),
        "senses": of(tree, tuple(f"c-{v % 90 + 10}" for v in range(n)), ("ARG1",)),
        "reified": Shape(
            tuple("have-mod-91" if v % 2 else "thing" for v in range(n)),
            tuple((a, f"ARG{1 + k % 2}", b) for k, (a, b) in enumerate(bush)), tight=True,
        ),
        "of reifiable roles": of(bush, words, ("location", "mod", "poss", "time", "ARG1-of", "consist-of", "domain")),
        "tangle of few words": of(
            bush + [(rng.randrange(b), b) for b in range(1, n, 3)],
            tuple(_WORDS[rng.randrange(20)] for _ in range(n)), ("A", "B", "C"),
        ),
    }  # fmt: skip


def changed(rng: random.Random, shape: Shape) -> Shape:
    """A shuffled copy in which one concept of twenty and one relation of fifty is another."""
    copy = shuffled(rng, shape)
    concepts = tuple(rng.choice(copy.concepts[:50]) if rng.random() < 0.05 else one for one in copy.concepts)
    relations = tuple((a, rng.choice("BA"), b) if rng.random() < 0.02 else (a, r, b) for a, r, b in copy.relations)
    return replace(copy, concepts=concepts, relations=relations)


#: Texts of many graphs, or of none.
def plain(characters: int) -> dict[str, str]:
    return {
        "many graphs": "\n\n".join(f"(a{k} / b :c (d / e :f {k % 7}))" for k in range(characters // 32)),
        "brackets": "(" * characters,
        "open brackets": "(a / b :c " * (characters // 10),
        "closing brackets": "(a / b" + ")" * characters,
        "text": "Here is the graph of it. " * (characters // 25),
        "fences": "```\n(a / b)\n" * (characters // 12),
        "quotes": '(a / b :c "' + '"x' * (characters // 2),
        "broken": "(a / b :c (d e :f :g ) " * (characters // 23),
        "colons": ":a " * (characters // 3),
        "comments": "# ::id x\n" * (characters // 9) + "(a / b)",
    }


def verbs() -> dict[str, Call]:
    """Those of ``worst.py``, and what is done to one text or one graph."""
    found = targets()
    for name in ("softoverlap", "s2match", "docsmatch"):
        given: dict[str, Any] = {"embeddings": found["s2match"].args[2]["embeddings"]} if name == "s2match" else {}
        found[f"align/{name}"] = lambda a, b, options, name=name, given=given: fm.align(
            a, b, metric=name, **given, **options
        )
    found["repair"] = lambda a, b, _: (fm.repair(a), fm.repair(b))
    found["extract"] = lambda a, b, _: (fm.extract(a), fm.extract(b))
    found["page"] = lambda a, b, _: fm.pages.html([a], [b])
    for name in ("doc-amr", "no-merge", "merge-all"):
        found[f"represent/{name}"] = lambda a, b, _, name=name: fm.documents.represent(fm.parse([a]), name)
    for name, kind in (("rare", rewire), ("rare/tool", rewire_as_published)):
        found[name] = lambda a, b, _, kind=kind: kind(fm.parse(a)[0])
    for name in ("cdist", "top_k"):
        for metric in ("rematch", "wwlk", "softoverlap", "ancast", "smatch", "softmatch"):
            pairs: Any = fm.cdist if name == "cdist" else partial(fm.top_k, k=1)
            found[f"{name}/{metric}"] = lambda a, b, _, pairs=pairs, metric=metric: pairs([a, b], [b], metric=metric)
    return found


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n", 1)[0])
    parser.add_argument("target", nargs="*", help="what to keep busy; all of them if there is none")
    parser.add_argument("--list", action="store_true", help="print the targets")
    parser.add_argument("--characters", type=int, default=200_000, help="of each text, at most")
    parser.add_argument("--shapes", help="beginnings of names of shapes, with commas between; all by default")
    parser.add_argument("--limit", type=int, default=8, help="CPU seconds of a pair (default: 8)")
    parser.add_argument("--effort", help="the option effort, for metrics that have it")
    parser.add_argument("--all", action="store_true", help="a line for each shape")
    arguments = parser.parse_args()
    known = verbs()
    if arguments.list:
        print(*known, sep="\n")
        return
    for target in arguments.target:
        if target not in known:
            parser.error(f"no target {target!r}; --list prints them")
    options = {} if arguments.effort is None else {"effort": arguments.effort}
    wanted = tuple((arguments.shapes or "").split(","))
    graphs = shapes(random.Random(0), arguments.characters // 9)

    @cache
    def written(name: str, writer: Any, other: bool) -> str:
        shape = changed(random.Random(1), graphs[name]) if other else graphs[name]
        return str(writer(shape, arguments.characters))

    for target in arguments.target or known:
        writer = _WRITERS.get(target.partition("/")[0], penman)
        small = texts(Pair("", Shape(("a", "b"), ((0, "A", 1),)), Shape(("a",), ())), writer, arguments.characters)
        known[target](*small, options)  # imports, caches
        worst: tuple[float, str] = (-1.0, "")
        for name in (*graphs, *plain(100)):
            if not name.startswith(wanted):
                continue
            for other in (False, True):
                if name in graphs:
                    a, b = written(name, writer, False), written(name, writer, other)
                elif other:
                    continue
                else:
                    a = b = plain(arguments.characters)[name]
                cost = measure(known[target], a, b, options, arguments.limit, 3 * MEMORY)
                over = cost.ended or cost.seconds > SECONDS or cost.memory > MEMORY
                line = (
                    f"{'!' if over else ' '} {target:24s} {cost.seconds:6.2f} s {cost.memory:7.1f} MiB"
                    f"{' ENDED' if cost.ended else ''}  {name}{', changed' if other else ''}"
                )
                if arguments.all or over:
                    print(line, flush=True)
                worst = max(worst, (cost.seconds, line))
        if not arguments.all:
            print(worst[1].replace("!", " ", 1), "(the longest)", flush=True)


if __name__ == "__main__":
    main()
