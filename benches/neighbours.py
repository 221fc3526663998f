"""What does one more query cost, the ten nearest of 30,000 graphs by a costly metric, and how many pairs are scored?

    python benches/neighbours.py CORPUS... [--metrics smatch,s2match] [--size 30000] [--queries 60] [--vectors FILE]

Reads the graphs of all files into one corpus, each sentence once, shuffled (seed 1). If there are fewer than
``--size``, the rest are copies in which every fifth concept or so was exchanged for another one of the corpus (seeded).
Queries are graphs of it, one after the other; each leaves out itself, as ``top_k`` of a corpus with itself does.

*A query*: CPU time of one thread, preparing and indexes not included: they are made by a first query. *Every pair* is
what scoring all pairs takes, estimated from some of them. *Scored* is the number of pairs whose exact score was asked
for. ``--check`` compares the results with those of scoring every pair.
"""

from __future__ import annotations

import argparse
import time
from typing import Any

import numpy as np

import fastmatch as fm
from fastmatch.allpairs.blocks import EveryPair
from fastmatch.allpairs.setting import Setting
from fastmatch.allpairs.tiles import Best, Grid
from fastmatch.metrics.run import run

K = 10


def exchanged(corpus: fm.Corpus, count: int, rng: np.random.Generator) -> fm.Corpus:
    """``count`` graphs of the corpus with a fifth of the concepts exchanged."""
    chosen = corpus[np.resize(np.arange(len(corpus)), count)]
    instances = chosen.instances.copy()
    change = rng.random(instances.shape[1]) < 1 / 5
    instances[1, change] = rng.choice(corpus.instances[1], int(change.sum()))
    return chosen.with_columns(instances=instances)


def graphs(files: list[str], count: int) -> fm.Corpus:
    """The graphs of all files, each sentence once, and as many changed ones as are missing, shuffled."""
    corpus = fm.read(files[0], on_error="empty")
    for file in files[1:]:
        corpus = corpus + fm.read(file, on_error="empty", vocabulary=corpus.vocabulary)
    sentences = [corpus[g].metadata.get("snt", str(g)) for g in range(len(corpus))]
    corpus = corpus[np.sort(np.unique(sentences, return_index=True)[1])]
    rng = np.random.default_rng(1)
    corpus = corpus[rng.permutation(len(corpus))]
    if len(corpus) < count:
        print(f"{len(corpus)} sentences; {count - len(corpus)} more graphs are copies with some concepts exchanged")
        corpus = corpus + exchanged(corpus, count - len(corpus), rng)
        corpus = corpus[rng.permutation(len(corpus))]
    return corpus[:count]


def neighbours(name: str, corpus: fm.Corpus, queries: int, options: dict[str, Any], check: bool) -> None:
    before = time.process_time()
    comparison = Setting.make(corpus, None, name, None, None, "raise", options).comparison
    prepared = time.process_time() - before
    before = time.process_time()
    comparison.best(0, 1, K, skip_self=True)
    first = time.process_time() - before
    grid = comparison.grid
    i, j = np.random.default_rng(0).integers(0, len(corpus), (2, 2000)).astype(np.int32)
    before = time.process_time()
    run(grid.metric, grid.pred, grid.gold, i, j).score  # noqa: B018
    every = (time.process_time() - before) / len(i) * len(corpus)
    scored: list[int] = []
    plain = Grid.scores

    def counted(self: Grid, rows: Any, columns: Any, *more: Any) -> Any:
        scored.append(len(rows))
        return plain(self, rows, columns, *more)

    # rows that follow each other, as a run over a whole corpus has them
    start = len(corpus) // 3
    before = time.process_time()
    indices, scores = comparison.best(start, start + queries, K, skip_self=True)
    cost = (time.process_time() - before) / queries
    Grid.scores = counted  # type: ignore[method-assign]
    few, numbers = min(queries, 40), []
    for row in range(start, start + few):
        scored.clear()
        comparison.best(row, row + 1, K, skip_self=True)
        numbers.append(sum(scored))
    Grid.scores = plain  # type: ignore[method-assign]
    told = "".join(f" {key}={value}" for key, value in options.items() if key != "embeddings")
    told += " vectors" if options.get("embeddings") else ""
    print(
        f"{name + told:24} a query {cost * 1e3:8.2f} ms; every pair {every * 1e3:6.0f} ms, {every / cost:6.1f} times; "
        f"scored {np.median(numbers):.0f} (median), {np.mean(numbers):.0f} (mean); "
        f"preparing {prepared:.2f} s, first query {first:.2f} s",
        flush=True,
    )
    if check:
        few = min(queries, 3)
        known = Best(start, np.full((few, K), -1, np.int32), np.zeros((few, K)))
        EveryPair(grid).best(known, workers=1, report=lambda _: None, skip_self=True)
        same = np.array_equal(known.indices, indices[:few]) and np.array_equal(known.scores, scores[:few])
        print(f"{name + told:24} {'equal to' if same else 'DIFFERS FROM'} scoring every pair")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("files", nargs="+", metavar="CORPUS")
    parser.add_argument("--metrics", default="smatch,smatch++,s2match,wsmatch,ancast,wwlk,softoverlap")
    parser.add_argument("--size", type=int, default=30_000)
    parser.add_argument("--queries", type=int, default=60)
    parser.add_argument("--vectors", help="word vectors; metrics that take them run with them as well")
    parser.add_argument("--check", action="store_true")
    arguments = parser.parse_args()
    corpus = graphs(arguments.files, arguments.size)
    for name in arguments.metrics.split(","):
        neighbours(name, corpus, arguments.queries, {}, arguments.check)
        if arguments.vectors and name in ("s2match", "wwlk", "softoverlap"):
            neighbours(name, corpus, arguments.queries, {"embeddings": arguments.vectors}, arguments.check)


if __name__ == "__main__":
    main()
