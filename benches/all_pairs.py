"""What does a pair cost when everything is compared with everything, and what do cutoffs, bounds and workers save?

    python benches/all_pairs.py CORPUS... [--metrics rematch,sembleu] [--sizes 1500,10000,60000] [--questions peers,…]

Reads the graphs of all files, in the order given, into one corpus; a size takes the first graphs of it. If there are
fewer, the rest are copies of the first ones in which every seventh concept or so was exchanged for another one of the
corpus (seeded). Six questions, answered separately, CPU time of one thread, the cheapest of a few runs:

* *pairs*: scoring prepared graphs, as a block of ``cdist``, and as random pairs (500,000, as papers count them), the
  latter also with reading and preparing;
* *growth*: cost of a pair of ``cdist`` by the number of graphs, its index included;
* *cutoff*: ``cdist`` (dense), its sparse form and ``top_k`` with a cutoff, preparing included, against two things
  without any bound: brute force, which scores every pair by itself and sorts for ``top_k`` (estimated from half a
  million of the pairs where there are more); and ``cdist`` of everything, which is an inverted index for some metrics;
* *peers*: all scores of the middle size, and the ten nearest of the largest, against general libraries on the same
  features: scipy's ``X @ X.T`` in single precision, ``sparse_dot_topn`` (`pip install sparse-dot-topn`), and forty
  lines for numba (`pip install numba`), which take the features as given and show what can be had. Reading is left
  out, making features is part of both sides, and libraries only multiply, where we give scores; in turn, as ratios;
* *million*: what so many queries (``--queries``) against the largest size cost, and all of it, with memory;
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
    return Setting.make(corpus, None, metric, None, None, "raise", {}).comparison


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


def single(corpus: fm.Corpus, metric: str) -> Any:
    """The features as a general library takes them; WLK's of length 1, as the cosine is the product then."""
    from scipy.sparse import csr_matrix, diags_array

    features = csr_matrix(fm.features(corpus, metric=metric, dtype=np.float32))
    if metric == "wlk":
        lengths = np.sqrt(np.asarray(features.power(2).sum(axis=1)).ravel())
        features = csr_matrix(diags_array(1 / np.maximum(lengths, 1e-30)).astype(np.float32) @ features)
    return features


def in_turn(works: dict[str, Callable[[], Any]], rounds: int = 3) -> dict[str, float]:
    """The cheapest of each, one after the other: what disturbs one disturbs the others."""
    best = dict.fromkeys(works, float("inf"))
    for _ in range(rounds):
        for name, work in works.items():
            best[name] = min(best[name], cheapest(work, 1))
    return best


def prototype() -> Callable[[Any, int], Any]:
    """The k highest products of each row of a sparse matrix with all rows, for numba: tiles, postings, dense sums."""
    from numba import njit

    @njit(cache=False)
    def best(offsets, columns, values, starts, places, weights, n, k):  # type: ignore[no-untyped-def]
        tile, found, scores = 8192, np.zeros((n, k), np.int32), np.zeros((n, k), np.float32)
        sums = np.zeros(tile, np.float32)
        n_tiles = starts.shape[0]
        for t in range(n_tiles):
            low = t * tile
            width = min(tile, n - low)
            for i in range(n):
                sums[:] = 0
                for p in range(offsets[i], offsets[i + 1]):
                    x, f = values[p], columns[p]
                    for q in range(starts[t, f], starts[t, f + 1]):
                        sums[places[q]] += x * weights[q]
                for block in range(0, width, 32):
                    most = np.float32(0)
                    for j in range(block, min(block + 32, width)):
                        most = max(most, sums[j])
                    if most > scores[i, k - 1]:
                        for j in range(block, min(block + 32, width)):
                            if sums[j] > scores[i, k - 1] and low + j != i:
                                r = k - 1
                                while r > 0 and scores[i, r - 1] < sums[j]:
                                    scores[i, r], found[i, r] = scores[i, r - 1], found[i, r - 1]
                                    r -= 1
                                scores[i, r], found[i, r] = sums[j], low + j
        return found, scores

    def run_it(matrix: Any, k: int) -> Any:
        n, tile = matrix.shape[0], 8192
        starts, places, weights, before = [], [], [], 0
        for low in range(0, n, tile):
            part = matrix[low : low + tile].tocsc()
            starts.append(part.indptr + before)
            places.append(part.indices.astype(np.uint16))
            weights.append(part.data)
            before += part.nnz
        arrays = (np.stack(starts), np.concatenate(places), np.concatenate(weights))
        return best(matrix.indptr, matrix.indices, matrix.data, *arrays, n, k)

    return run_it


def peers(metric: str, corpus: fm.Corpus, n_matrix: int, n_nearest: int) -> None:
    some = corpus[:n_matrix]
    works = {"ours": lambda: fm.cdist(some, metric=metric)}

    def multiplied() -> None:
        features = single(some, metric)
        features @ features.T

    works["scipy X @ X.T"] = multiplied
    many = corpus[:n_nearest]
    nearest: dict[str, Callable[[], Any]] = {"ours": lambda: fm.top_k(many, k=10, metric=metric)}
    try:
        from sparse_dot_topn import sp_matmul_topn
    except ImportError:
        print("sparse_dot_topn is not installed")
    else:

        def topn() -> None:
            features = single(many, metric)
            sp_matmul_topn(features, features.T.tocsr(), top_n=11, n_threads=1, sort=True)

        nearest["sparse_dot_topn"] = topn
    try:
        proto = prototype()
    except ImportError:
        print("numba is not installed")
    else:
        given = single(many, metric)
        proto(given[:100], 10)  # compiled
        nearest["prototype, features given"] = lambda: proto(given, 10)
    for title, set_of_works in ((f"all scores of {n_matrix:,}", works), (f"ten nearest of {n_nearest:,}", nearest)):
        times = in_turn(set_of_works)
        print(f"{metric:10} {title}: ours {times['ours']:.3f} s", end="")
        for name, seconds in times.items():
            if name != "ours":
                print(f"; {name} {seconds:.3f} s, {seconds / times['ours']:.2f} times ours", end="")
        print(flush=True)


def million(metric: str, corpus: fm.Corpus, n_queries: int) -> None:
    import resource

    n = len(corpus)
    queries = corpus[np.random.default_rng(0).permutation(n)[:n_queries]]
    began = time.process_time()
    setting = Setting.make(queries, corpus, metric, None, None, "raise", {})
    comparison = setting.comparison
    comparison.best(0, 1, 10)  # makes the index
    ready = time.process_time()
    comparison.best(0, n_queries, 10)
    took = time.process_time() - ready
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / (1 << 20)
    print(
        f"{metric:10} {n_queries:,} queries, {n:,} graphs, ten nearest: prepared and indexed in {ready - began:.1f} s, "
        f"{1e3 * took / n_queries:.3f} ms a query; all {n:,}: {took / n_queries * n / 60:.1f} minutes; {peak:.2f} GB",
        flush=True,
    )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("files", nargs="+", metavar="CORPUS")
    parser.add_argument("--metrics", default="rematch,sembleu,smatch", help="comma separated (default: %(default)s)")
    parser.add_argument("--sizes", default="1500,10000,60000", help="numbers of graphs (default: %(default)s)")
    parser.add_argument("--questions", default="pairs,growth,cutoff,peers,workers", help="default: %(default)s")
    parser.add_argument("--queries", type=int, default=2000, help="of the question million (default: %(default)s)")
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
        if "peers" in questions and not slow:
            peers(metric, corpus, min(sizes[len(sizes) // 2], 10_000), min(max(sizes), 30_000))
        if "million" in questions and not slow:
            million(metric, corpus, arguments.queries)
        if "workers" in questions:
            two_workers(metric, middle, rows_for(metric, middle))


if __name__ == "__main__":
    main()
