"""What does a pair cost when everything is compared with everything, and what do cutoffs, bounds and workers save?

    python benches/all_pairs.py CORPUS... [--metrics rematch,sembleu] [--sizes 1500,10000,60000] [--skip 60000,…]

Reads the graphs of all files, in the order given, into one corpus; a size takes the first graphs of it. If there are
fewer, the rest are copies of the first ones in which every seventh concept or so was exchanged for another one of the
corpus (seeded). Five questions, answered separately, CPU time of one thread, the cheapest of a few runs:

* *pairs*: scoring prepared graphs, as a block of ``cdist``, and as random pairs (500,000, as papers count them), the
  latter also with reading and preparing;
* *growth*: cost of a pair of ``cdist`` by the number of graphs, its index included;
* *cutoff*: ``cdist`` (dense), its sparse form and ``top_k`` with a cutoff, preparing included, against two things
  without any bound: brute force, which scores every pair by itself and sorts for ``top_k`` (estimated from half a
  million of the pairs where there are more); and ``cdist`` of everything, which is an inverted index for some metrics;
* *workers*: wall time with one and with two threads. Only a machine with nothing else to do can show what two are
  worth: the load is printed beside it.

What the published programs took a pair of Little Prince graphs, scoring only, was measured once on another machine; the
ratio to that is printed as an orientation. ``benches/peers/compare_alignment_free.py`` runs them beside ours.
"""

from __future__ import annotations

import argparse
import os
import time
from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np

import fastmatch as fm
from fastmatch.allpairs.blocks import AllPairs
from fastmatch.allpairs.setting import Setting
from fastmatch.metrics.run import run

#: Microseconds a pair of the published programs, scoring only.
TOOLS = {"sembleu": 33.0, "sema": 16.0, "rematch": 40.0, "wlk": 127.0}


def perturbed(corpus: fm.Corpus, count: int, rng: np.random.Generator) -> fm.Corpus:
    """``count`` graphs of the corpus with some concepts exchanged."""
    chosen = corpus[np.resize(np.arange(len(corpus)), count)]
    instances = chosen.instances.copy()
    change = rng.random(instances.shape[1]) < 1 / 7
    instances[1, change] = rng.choice(corpus.instances[1], int(change.sum()))
    return chosen.with_columns(instances=instances)


def graphs(files: list[str], count: int) -> fm.Corpus:
    corpus: fm.Corpus | None = None
    for file in files:
        more = fm.read(file, on_error="empty", vocabulary=None if corpus is None else corpus.vocabulary)
        corpus = more if corpus is None else corpus + more
        if len(corpus) >= count:
            return corpus[:count]
    assert corpus is not None
    print(f"{len(corpus)} graphs in the files; {count - len(corpus)} more are copies with some concepts exchanged")
    return corpus + perturbed(corpus, count - len(corpus), np.random.default_rng(0))


def cheapest(work: Callable[[], Any], rounds: int, clock: Callable[[], float] = time.process_time) -> float:
    best = float("inf")
    for _ in range(rounds):
        before = clock()
        work()
        best = min(best, clock() - before)
    return best


def prepared(corpus: fm.Corpus, metric: str) -> AllPairs:
    return Setting.make("bench", corpus, None, metric, None, None, "raise", {}).comparison


def fresh(known: AllPairs, cutoff: float | None = None) -> AllPairs:
    """The same without its indexes."""
    grid = known.grid
    return AllPairs(grid.metric, grid.pred, grid.gold, grid.n_pred, grid.n_gold, cutoff)


def dense(known: AllPairs, rows: int, cutoff: float | None = None, workers: int = 1) -> None:
    out = np.empty((rows, known.grid.n_gold), np.float32)
    fresh(known, cutoff).dense(0, rows, out, workers=workers)


def all_pairs(metric: str, corpus: fm.Corpus, rows: int, files: list[str]) -> None:
    known = prepared(corpus, metric)
    cost = cheapest(lambda: dense(known, rows), 3) / rows / len(corpus) * 1e6
    tool = f", {TOOLS[metric] / cost:,.0f} times cheaper than the program" if metric in TOOLS else ""
    print(f"{metric:10} cdist of {rows} x {len(corpus)} graphs: {cost:.4f} us a pair{tool}")
    rng = np.random.default_rng(0)
    count = 500_000 if known.grid.metric.overlaps(known.grid.pred) else 5_000
    i, j = rng.integers(0, len(corpus), (2, count)).astype(np.int32)
    cost = cheapest(lambda: run(known.grid.metric, known.grid.pred, known.grid.gold, i, j).score, 3)
    print(f"{metric:10} {count:,} random pairs: {cost / count * 1e6:.4f} us a pair, {cost:.3f} s")

    def everything() -> None:
        read = graphs(files, len(corpus))
        fm.pairs(read, None, np.stack([i, j], 1), metric=metric).score  # noqa: B018

    print(f"{metric:10} the same with reading and preparing: {cheapest(everything, 2):.3f} s")


def growth(metric: str, corpus: fm.Corpus, sizes: list[int]) -> None:
    for size in sizes:
        known = prepared(corpus[:size], metric)
        # as many pairs for every size, but for the index, which belongs to the whole
        rows = max(1, min(size, 30_000_000 // size))
        whole = fresh(known)
        index = cheapest(lambda known=known: fresh(known)._indexed, 2)
        whole._indexed  # noqa: B018 - is made
        out = np.empty((rows, size), np.float32)
        cost = cheapest(lambda whole=whole, rows=rows, out=out: whole.dense(0, rows, out), 3) / rows / size
        print(f"{metric:10} {size:6,} graphs: {1e6 * (cost + index / size**2):.5f} us a pair")


def cutoffs(metric: str, corpus: fm.Corpus, rows: int) -> None:
    """Preparing included."""
    some = corpus if rows == len(corpus) else corpus[:rows]

    def cdist(**options: Any) -> Any:
        # a corpus with itself is given once, as people do
        return fm.cdist(some, None if some is corpus else corpus, metric=metric, **options)

    def top_k(**options: Any) -> Any:
        return fm.top_k(some, corpus, 10, metric=metric, **options)

    def sort() -> None:
        np.argsort(-scores, axis=1, kind="stable")[:, :10]

    known = prepared(corpus, metric)
    size = rows * len(corpus)
    rng = np.random.default_rng(0)
    i, j = (rng.integers(0, high, min(size, 500_000)).astype(np.int32) for high in (rows, len(corpus)))
    one = cheapest(lambda: run(known.grid.metric, known.grid.pred, known.grid.gold, i, j).score, 2) / len(i)
    plain, scores = cheapest(cdist, 2), cdist()
    sorting = cheapest(sort, 1)
    print(
        f"{metric:10} {rows} x {len(corpus)}: brute force {one * 1e9:.0f} ns a pair, {one * size:.3f} s, and sorting "
        f"{sorting:.3f} s; cdist of everything {plain * 1e9 / size:.1f} ns a pair, {plain:.3f} s"
    )

    def show(name: str, work: Callable[[], Any], brute: float) -> None:
        cost = cheapest(work, 2)
        print(f"{metric:10} {name}: {brute / cost:.0f} times faster than brute force, {plain / cost:.1f} than cdist")

    for cutoff in (0.3, 0.5, 0.7):
        show(f"cdist, cutoff {cutoff}", partial(cdist, score_cutoff=cutoff), one * size)
        show(f"sparse cdist, cutoff {cutoff}", partial(cdist, score_cutoff=cutoff, sparse=True), one * size)
        show(f"top_k, cutoff {cutoff}", partial(top_k, score_cutoff=cutoff), one * size + sorting)
    show("top_k", top_k, one * size + sorting)


def rows_for(metric: str, corpus: fm.Corpus) -> int:
    """As many rows as all pairs can be scored of in some two seconds."""
    known = prepared(corpus, metric)
    few = min(20, len(corpus))
    return min(len(corpus), max(few, int(few * 2 / cheapest(lambda: dense(known, few), 1))))


def two_workers(metric: str, corpus: fm.Corpus, rows: int) -> None:
    """Scoring alone: the index is made, and the memory of the result was touched before."""
    known = prepared(corpus, metric)
    load = os.getloadavg()[0]
    out = np.zeros((rows, len(corpus)), np.float32)
    work = partial(known.dense, 0, rows, out)
    work()
    one, two = float("inf"), float("inf")
    for _ in range(5):  # alternately: what disturbs one disturbs the other
        one = min(one, cheapest(work, 1, time.perf_counter))
        two = min(two, cheapest(partial(work, workers=2), 1, time.perf_counter))
    times = f"1 worker {one:.3f} s, 2 workers {two:.3f} s: {one / two:.2f}"
    print(f"{metric:10} {rows} x {len(corpus)}: {times} (load {load:.1f})")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("files", nargs="+", metavar="CORPUS")
    parser.add_argument("--metrics", default="rematch,sembleu,smatch", help="comma separated (default: %(default)s)")
    parser.add_argument("--sizes", default="1500,10000,60000", help="numbers of graphs (default: %(default)s)")
    parser.add_argument("--questions", default="pairs,growth,cutoff,workers", help="default: %(default)s")
    arguments = parser.parse_args()
    sizes = [int(size) for size in arguments.sizes.split(",")]
    questions = arguments.questions.split(",")
    corpus = graphs(arguments.files, max(sizes))
    for metric in arguments.metrics.split(","):
        grid = prepared(corpus[:10], metric).grid
        slow = not grid.metric.overlaps(grid.pred)
        middle = corpus[: sizes[len(sizes) // 2]]
        if "pairs" in questions:
            all_pairs(metric, corpus[: sizes[0]], 20 if slow else sizes[0], arguments.files)
        if "growth" in questions and not slow:
            growth(metric, corpus, sizes)
        if "cutoff" in questions:
            cutoffs(metric, middle, rows_for(metric, middle))
        if "workers" in questions:
            two_workers(metric, middle, rows_for(metric, middle))


if __name__ == "__main__":
    main()
