"""How much cheaper is AnCast here than in the package ancast, on sentences and on documents joined from them?

    OPENBLAS_NUM_THREADS=1 python benches/peers/compare_ancast.py PRED GOLD [--rounds R] [--step K]

Needs the peer from PyPI: ``pip install ancast==0.1.1``, and ``penman``, which joins sentences. Both run in this
process, the package twice and fastmatch ``--rounds`` times; the least CPU time counts. Reading a text, preparing a
graph (ours only) and scoring a pair are told apart, and the largest difference of a labelled relation F1 is printed
beside: a faster wrong number is not a result. numpy's BLAS must not use threads, whose time would be the package's.

Joined documents are made of consecutive sentences, every ``--step``-th one: 2 where each stands twice in a row, so that
names that are alone in their graph, which anchors are, are as frequent as in real documents.
"""

from __future__ import annotations

import argparse
import contextlib
import io
import logging
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

import fastmatch as fm
from fastmatch.metrics.base import PairRange, make

sys.path.insert(0, str(Path(__file__).parents[1]))
import data

Pair = tuple[tuple[str, str], tuple[str, str]]  # (sentence, graph) of either side


def sentences(path: str) -> list[tuple[str, str]]:
    texts = [graph.metadata.get("snt", "") for graph in fm.read(path)]
    return list(zip(texts, data.read_blocks(path), strict=True))


def documents(pred: list[tuple[str, str]], gold: list[tuple[str, str]], nodes: int, starts: range) -> list[Pair]:
    """Pairs of about ``nodes`` nodes in the prediction; a start a pair."""
    pairs = []
    for start in starts:
        stop = start
        count = 0
        while stop < len(pred) and count < nodes:
            count += pred[stop][1].count(" / ")
            stop += 1
        if count >= nodes:
            sides = [
                (" ".join(text for text, _ in side[start:stop]), data.join(graph for _, graph in side[start:stop]))
                for side in (pred, gold)
            ]
            pairs.append((sides[0], sides[1]))
    return pairs


def siblings(count: int) -> tuple[str, str]:
    return "root leaf", "(r / root" + "".join(f" :ARG0 (v{k} / leaf)" for k in range(count)) + ")"


def timed(function: Callable[[], Any]) -> tuple[float, Any]:
    start = time.process_time()
    result = function()
    return time.process_time() - start, result


def package(pairs: list[Pair]) -> tuple[list[float], np.ndarray, float]:
    """Seconds to read and to score all pairs, F1 of each, nodes of a prediction."""
    from ancast.matches import MatchResolution
    from ancast.sentence import Sentence

    with contextlib.redirect_stdout(io.StringIO()):
        reading, sides = timed(
            lambda: [
                tuple(
                    Sentence(sent=text, semantic_text=graph, alignment={}, sent_num=0, format="amr")
                    for text, graph in pair
                )
                for pair in pairs
            ]
        )
        scoring, matches = timed(lambda: [MatchResolution(*pair) for pair in sides])
    size = float(np.mean([len(pred.var2node) for pred, _ in sides]))
    return [reading, scoring], np.array([match.lbd_fscore for match in matches]), size


def ours(pairs: list[Pair], preset: str | None, rounds: int) -> tuple[list[float], np.ndarray]:
    """Seconds to read, to prepare and to score all pairs, F1 of each."""
    metric = make("ancast", preset)
    texts = ["\n\n".join(f"# ::snt {text}\n{graph}" for text, graph in side) for side in zip(*pairs, strict=True)]
    index = np.arange(len(pairs), dtype=np.int32)
    best = [np.inf] * 3
    for _ in range(rounds):
        vocabulary = fm.Vocabulary()
        reading, corpora = timed(
            lambda vocabulary=vocabulary: [
                fm.parse(text, dialect=metric.dialect, vocabulary=vocabulary) for text in texts
            ]
        )
        preparing, prepared = timed(lambda corpora=corpora: [metric.prepare(corpus) for corpus in corpora])
        out = metric.empty(*prepared, index, index, False)
        scoring, _ = timed(lambda prepared=prepared, out=out: metric.score(*prepared, PairRange.all(index, index), out))
        best = [min(pair) for pair in zip(best, (reading, preparing, scoring), strict=True)]
    return best, out.scores["lr_f"]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("pred")
    parser.add_argument("gold")
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--step", type=int, default=1, help="every how many-th sentence a document has")
    arguments = parser.parse_args()
    logging.disable(logging.CRITICAL)
    pred, gold = sentences(arguments.pred), sentences(arguments.gold)
    some = pred[:: arguments.step], gold[:: arguments.step]
    sets = {
        "sentences": list(zip(pred, gold, strict=True)),
        "about 80 nodes": documents(*some, 75, range(0, len(some[0]), max(1, len(some[0]) // 20))),
        "about 300 nodes": documents(*some, 290, range(0, len(some[0]), max(1, len(some[0]) // 5))),
        "100 siblings": [(siblings(100), siblings(100))],
    }
    print("microseconds a pair: package reads, scores; fastmatch reads, prepares, scores; ratio of all, of scores")
    for name, pairs in sets.items():
        if not pairs:
            continue
        runs = [package(pairs) for _ in range(2)]
        theirs = np.min([run[0] for run in runs], axis=0) / len(pairs) * 1e6
        for preset in ("tool", None):
            seconds, scores = ours(pairs, preset, arguments.rounds)
            mine = np.array(seconds) / len(pairs) * 1e6
            difference = f"largest difference {np.abs(scores - runs[0][1]).max():.1e}" if preset else ""
            print(
                f"{name:16} {len(pairs):4} pairs {runs[0][2]:6.1f} nodes  {preset or 'default':8}",
                *(f"{value:10.1f}" for value in (*theirs, *mine)),
                f"  {theirs.sum() / mine.sum():6.0f} x {theirs[1] / mine[1:].sum():6.0f} x  {difference}",
            )
    for count in (400, 1000):
        seconds, _ = ours([(siblings(count), siblings(count))], "tool", arguments.rounds)
        print(f"{count} siblings, fastmatch alone: {sum(seconds) * 1e3:.1f} ms")


if __name__ == "__main__":
    main()
