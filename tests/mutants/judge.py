"""Does every pair that the solver calls optimal have a proof? If not, a line for the first one, and exit status 1.

    python tests/mutants/judge.py

The pairs reach every way of the search: bit sets (sentences), forests (trees of equal concepts), dual ascent (equal
concepts), cuts and branches (unrelated documents), exclusion and bounds by counting (documents of a hundred variables),
and matching in part. The corpora of ``FASTMATCH_DATA`` come on top where it is set. ``ci/mutants.sh`` runs this with a
deliberate mistake in the solver, one at a time: it is to find each.
"""

from __future__ import annotations

import os
import random
import sys
import warnings
from collections.abc import Iterator
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

import fastmatch as fm
from fastmatch.evaluation.scoring import score

from support.sentence_documents import pair as documents

RING = "(a / n :r (b / n :r (c / n :r (d / n :r (e / n :r (f / n :r a))))))"
TRIANGLES = "(a / n :r (b / n :r (c / n :r a)) :s (d / n :r (e / n :r (f / n :r d))))"


def tree(rng: random.Random, n: int, concepts: int, roles: int) -> str:
    """A random tree of n variables with few labels."""
    children: dict[int, list[int]] = {}
    for v in range(1, n):
        children.setdefault(rng.randrange(max(0, v - 8), v), []).append(v)

    def node(v: int) -> str:
        below = " ".join(f":r{rng.randrange(roles)} {node(child)}" for child in children.get(v, ()))
        return f"(v{v} / c{rng.randrange(concepts)} {below})"

    return node(0)


def tangle(rng: random.Random, n: int) -> str:
    """A tree of n variables of one concept, with as many edges besides."""
    edges = [f":s{rng.randrange(2)} v{rng.randrange(n)}" for _ in range(n)]
    return tree(rng, n, 1, 2).removesuffix(")") + " ".join(edges) + ")"


def corpora() -> Iterator[tuple[str, str, list[str], list[str]]]:
    """Name, metric, predictions, gold graphs."""
    folder = Path(fm.__file__).parent / "data"
    sample = [fm.read(folder / f"sample-{side}.amr") for side in ("pred", "gold")]
    texts = [[graph.encode() for graph in corpus] for corpus in sample]
    for metric in ("smatch", "smatch++/reify", "s2match/tool", "wsmatch"):
        yield "sample", metric, texts[0], texts[1]
        yield "sample, unrelated", metric, texts[0], texts[1][1:] + texts[1][:1]
    yield "ring", "smatch", [RING], [TRIANGLES]
    for kind, sizes in (("parsed", (40, 100, 160)), ("alike", (40, 70)), ("unrelated", (30, 45))):
        pairs = [documents(kind, seed, size) for size in sizes for seed in range(4)]
        yield kind, "smatch", [one for one, _ in pairs], [two for _, two in pairs]
    rng = random.Random(7)
    for concepts, roles in ((1, 2), (2, 2), (4, 2)):
        trees = [tree(rng, n, concepts, roles) for n in (8, 12, 16, 20, 60, 90) for _ in range(4)]
        yield f"trees of {concepts} concepts", "smatch", trees[::2], trees[1::2]
    tangles = [tangle(rng, n) for n in (10, 14, 18, 24, 32) for _ in range(6)]
    yield "tangles", "smatch", tangles[::2], tangles[1::2]
    data = os.environ.get("FASTMATCH_DATA")
    if data:
        sides = [fm.read(Path(data) / "data/lpp" / name) for name in ("parsers.amr", "parsers-gold.amr")]
        yield "parses", "smatch", *[[graph.encode() for graph in side] for side in sides]
        sides = [fm.read(Path(data) / f"data/bamboo/sts/main/{side}.test.amr") for side in ("src", "tgt")]
        yield "paraphrases", "smatch++/reify", *[[graph.encode() for graph in side] for side in sides]


def main() -> int:
    warnings.simplefilter("ignore")
    n = 0
    for name, metric, pred, gold in corpora():
        pairs = score(pred, gold, metric=metric).pairs
        found = fm.certificate(pred, gold, metric=metric)
        unit = found.header["unit"]
        for k, record in enumerate(found.records):
            n += 1
            same = record["matched"] == unit * pairs.matched[k] and pairs.matched[k] <= pairs.upper[k]
            if pairs.certified[k] and not (same and record["proof"]):
                claim = f"{pairs.matched[k]:g} matched, at most {pairs.upper[k]:g}"
                print(f"{name}, {metric}, pair {k}: {claim}: no proof; the map matches {record['matched'] / unit:g}")
                return 1
    print(f"{n:,} pairs: each that is certified has a proof")
    return 0


if __name__ == "__main__":
    sys.exit(main())
