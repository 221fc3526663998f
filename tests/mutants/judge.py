"""Does every pair that the solver calls optimal have a proof? If not, a line for the first one, and exit status 1.

    python tests/mutants/judge.py

The pairs reach every way of the search: bit sets (sentences), forests (trees of equal concepts), dual ascent (equal
concepts), branches (unrelated documents), exclusion and bounds by counting (documents of a hundred variables), and
matching in part. The corpora of ``FASTMATCH_DATA`` come on top where it is set. ``ci/mutants.sh`` runs this with a
deliberate mistake in the solver, one at a time: it is to find each.

Only documents of a thousand variables and more are searched with cuts, or as a whole with cores that grow, and no proof
of those is found. So the kernel is told to search small pairs in these ways (``LARGE``). Their optimum has a proof. A
bound below it is a mistake, and so is a value above it.
"""

import os
import random
import sys
import warnings
from collections.abc import Iterator
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))


import fastmatch as fm
from fastmatch.evaluation.certificates.check_certificates import BROKEN, Refused, check_pair
from fastmatch.evaluation.scoring import score

from support.entangled import gadgets, knot
from support.exact_search import exact_search, prepared
from support.places import GOLD, PRED
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


AS_LARGE = "searched as large ones"
#: Candidates above which problems are searched as large ones are, and as very large ones are.
LARGE = ({"narrow": 3}, {"narrow": 4, "wide": 1})


#: Of a thousand pairs of each kind some in which a wrong cut, or a bound of a core for one of all, cost a triple.
HARD = ((gadgets, (114, 150, 227, 235, 269, 350, 712, 723, 737, 907)), (knot, (7, 19, 36, 302, 338, 344, 677, 915)))


def wrong_bound(pred: fm.Corpus, gold: fm.Corpus, optimum: list[float]) -> str | None:
    """What the searches of large problems tell of a pair that its optimum, which has a proof, contradicts."""
    sides = prepared(pred, gold)
    for limits in LARGE:
        # who takes nothing over has no cuts
        matched, upper, *_ = exact_search(*sides, len(optimum), unsolved=[], branching=0, **limits)
        for k, best in enumerate(optimum):
            if not matched[k] <= best <= upper[k]:
                return f"pair {k}, {limits}: {matched[k]} matched, at most {upper[k]}: the optimum is {best:g}"
    return None


def corpora() -> Iterator[tuple[str, str, list[str] | fm.Corpus, list[str] | fm.Corpus]]:
    """Name, metric, predictions, gold graphs."""
    texts = [[graph.encode() for graph in fm.read(path)] for path in (PRED, GOLD)]
    for metric in ("smatch", "smatch++/reify", "s2match/tool", "wsmatch", "softmatch"):
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
    pairs = [made(random.Random(f"{made.__name__} {seed}")) for made, seeds in HARD for seed in seeds]
    one = fm.Corpus.from_triples([(None, pred) for pred, _ in pairs])
    two = fm.Corpus.from_triples([(None, gold) for _, gold in pairs], vocabulary=one.vocabulary)
    yield AS_LARGE, "smatch", one, two
    data = os.environ.get("FASTMATCH_DATA")
    if data:
        sides = [fm.read(Path(data) / "data/lpp" / name) for name in ("parsers.amr", "parsers-gold.amr")]
        yield "parses", "smatch", *[[graph.encode() for graph in side] for side in sides]
        sides = [fm.read(Path(data) / f"data/bamboo/sts/main/{side}.test.amr") for side in ("src", "tgt")]
        yield "paraphrases", "smatch++/reify", *[[graph.encode() for graph in side] for side in sides]


def holds(record, header) -> bool:
    """Whether the checker finds a proof; most were made from the problem of the search, which may have the mistake."""
    try:
        return check_pair(record, header)[3]
    except (Refused, *BROKEN):
        return False


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
            if pairs.certified[k] and not (same and holds(record, found.header)):
                claim = f"{pairs.matched[k]:g} matched, at most {pairs.upper[k]:g}"
                print(f"{name}, {metric}, pair {k}: {claim}: no proof; the map matches {record['matched'] / unit:g}")
                return 1
        if name == AS_LARGE:
            assert all(holds(record, found.header) for record in found.records)
            told = wrong_bound(pred, gold, [record["matched"] / unit for record in found.records])
            if told:
                print(f"{name}, {metric}, {told}")
                return 1
    print(f"{n:,} pairs: each that is certified has a proof")
    return 0


if __name__ == "__main__":
    sys.exit(main())
