"""What do the programs of SemBleu, Sema, Rematch and WLK take to prepare a graph and to score a pair, and what do we?

    python benches/peers/compare_alignment_free.py CORPUS [--sembleu DIR] [--sema DIR] [--rematch DIR] [--wlk DIR]

A DIR is a checkout of the program that its user has: ``freesunshine0316/sembleu``, ``rafaelanchieta/sema``,
``osome-iu/Rematch-RARE``, ``flipz357/weisfeiler-leman-amr-metrics`` (whose requirements must be installed: networkx,
gensim, pyemd, scipy and smatchpp 1.5.1; Rematch wants pandas and networkx). What is not given is left out. Nothing is
fetched, and nothing is written.

Everything runs in this process, on one thread, in CPU time, the cheapest of ``--repeat`` rounds in which both sides
take turns. Graphs are all of CORPUS; pairs are drawn at random among them. Per graph and per pair, in microseconds:

reading     from text to the program's graph, or to our columns
features    from there to what pairs are scored from. Sema's program has no such step: it takes its triples from the
            graph for every pair; WLK's builds a networkx graph, and relabels it for every pair
pair        scoring alone. Rematch's program builds the motifs of both graphs for every pair; what is left of a pair
            when they are kept is printed as "kept"
cdist       ours in a block of all graphs by all, its index included; and ``random``, ours on many random pairs

For each metric the scores of the same pairs under ``preset="tool"`` are compared first.
"""

from __future__ import annotations

import argparse
import contextlib
import importlib
import io
import json
import os
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

import fastmatch as fm
from fastmatch.allpairs.blocks import AllPairs
from fastmatch.allpairs.setting import Setting
from fastmatch.metrics import make
from fastmatch.metrics.run import run


class Program(NamedTuple):
    """A published program's steps, over whole lists of graphs."""

    read: Callable[[], list[Any]]
    features: Callable[[list[Any]], list[Any]]
    #: Scores of pairs of what ``features`` gave; the third argument is what ``copied`` made of both lists.
    score: Callable[[list[Any], list[Any]], list[float]]
    #: Made before the clock starts, for programs that change what they score.
    copied: Callable[[list[Any]], list[Any]] = list
    #: Scoring again with what the program itself makes anew for every pair, if that can be told apart.
    kept: Callable[[list[Any], list[Any]], list[float]] | None = None


@contextlib.contextmanager
def importing(folder: Path) -> Iterator[None]:
    """Modules come from this folder, and are forgotten afterwards: three programs have one called ``amr``."""
    before, writing = set(sys.modules), sys.dont_write_bytecode
    sys.path.insert(0, str(folder))
    sys.dont_write_bytecode = True
    try:
        yield
    finally:
        sys.path.remove(str(folder))
        sys.dont_write_bytecode = writing
        for name in set(sys.modules) - before:
            if str(getattr(sys.modules[name], "__file__", None) or "").startswith(str(folder)):
                del sys.modules[name]


def sembleu(folder: Path, corpus: Path) -> Program:
    with importing(folder / "src"):
        program, bleu, graphs = map(importlib.import_module, ("eval", "bleu_score", "amr_graph"))
    smoothing = bleu.SmoothingFunction().method3

    def read() -> list[Any]:
        result = [graphs.AMRGraph(line) for line in program.read_amr(str(corpus))]
        for graph in result:
            graph.revert_of_edges()
        return result

    def features(read: list[Any]) -> list[Any]:
        grams = (graph.extract_ngrams(3, multi_roots=True) for graph in read)
        return [bleu.NgramInst(ngram=g, length=len(graph.edges)) for g, graph in zip(grams, read, strict=True)]

    def score(left: list[Any], right: list[Any]) -> list[float]:
        options = {"weights": (0.34, 0.33, 0.34), "smoothing_function": smoothing, "auto_reweigh": True}
        with contextlib.redirect_stdout(io.StringIO()):
            return [bleu.corpus_bleu([[b]], [a], **options) for a, b in zip(left, right, strict=True)]

    return Program(read, features, score)


def lines_of(reader: Any, corpus: Path) -> list[str]:
    with corpus.open(encoding="utf-8") as file:
        return list(iter(lambda: reader.get_amr_line(file), ""))


def sema(folder: Path, corpus: Path) -> Program:
    with importing(folder):
        program, reader = importlib.import_module("sema"), importlib.import_module("amr").AMR

    def read() -> list[Any]:
        # twice a graph, for it may stand on both sides and is renamed for each: half of that is a graph
        result = [(reader.parse_AMR_line(line), reader.parse_AMR_line(line)) for line in lines_of(reader, corpus)]
        for test, gold in result:
            test.rename_node("a")
            gold.rename_node("b")
        return result

    def score(left: list[Any], right: list[Any]) -> list[float]:
        result = []
        for (test, _), (_, gold) in zip(left, right, strict=True):
            counter = program.Sema()
            counter.compute_sema(test, gold)
            result.append(counter.get_sema_value()[2])
        return result

    return Program(read, list, score)


def rematch(folder: Path, corpus: Path) -> Program:
    with importing(folder / "methods" / "rematch"):
        program, reader = importlib.import_module("rematch"), importlib.import_module("amr").AMR

    def read() -> list[Any]:
        result = []
        for line in lines_of(reader, corpus):
            graph = reader.parse_AMR_line(line)
            graph.rename_node("a")
            instances, attributes, relations = graph.get_triples()
            result.append((attributes, instances, relations))
        return result

    def motifs(graph: Any) -> list[str]:
        return program.generate_amr_motifs(*graph, set(), {})

    def features(read: list[Any]) -> list[Any]:
        return [(graph, set(motifs(graph))) for graph in read]

    def jaccard(left: set[str], right: set[str]) -> float:
        return len(left & right) / len(left | right)

    def score(left: list[Any], right: list[Any]) -> list[float]:
        return [jaccard(set(motifs(a)), set(motifs(b))) for (a, _), (b, _) in zip(left, right, strict=True)]

    def kept(left: list[Any], right: list[Any]) -> list[float]:
        return [jaccard(a, b) for (_, a), (_, b) in zip(left, right, strict=True)]

    return Program(read, features, score, kept=kept)


def wlk(folder: Path, corpus: Path) -> Program:
    with importing(folder / "src"):
        files, graphs, similarity = map(importlib.import_module, ("data_helpers", "graph_helpers", "amr_similarity"))
    parser, predictor = graphs.GraphParser(), similarity.WLK(iters=2)

    def read() -> list[Any]:
        return parser.string_graphs_to_triples(files.read_graph_file(str(corpus)))

    def features(read: list[Any]) -> list[Any]:
        return parser.list_with_triple_sets_to_list_with_graphs([list(triples) for triples in read])[0]

    def copied(graphs: list[Any]) -> list[Any]:
        return [graph.copy() for graph in graphs]

    return Program(read, features, predictor.predict, copied)


PROGRAMS = {"sembleu": sembleu, "sema": sema, "rematch": rematch, "wlk": wlk}


def once(work: Callable[[], Any]) -> tuple[float, Any]:
    before = time.process_time()
    result = work()
    return time.process_time() - before, result


class Times(dict[str, float]):
    """The cheapest time of each step, in microseconds each."""

    def add(self, step: str, count: int, work: Callable[[], Any]) -> Any:
        seconds, result = once(work)
        self[step] = min(self.get(step, float("inf")), 1e6 * seconds / count)
        return result


def measure(name: str, program: Program, corpus: Path, count: int, repeat: int) -> dict[str, Any]:
    theirs = Times()
    ours = {preset: Times() for preset in ("default", "tool")}
    scores: dict[str, Any] = {}
    for _ in range(repeat):
        graphs = program.read()  # how many there are
        n_graphs = len(graphs)
        graphs = theirs.add("reading", n_graphs * (2 if name == "sema" else 1), program.read)
        features = theirs.add("features", n_graphs, lambda graphs=graphs: program.features(graphs))
        rng = np.random.default_rng(0)
        i, j = rng.integers(0, n_graphs, (2, count)).astype(np.int32)
        left, right = ([features[k] for k in side.tolist()] for side in (i, j))
        copies = program.copied(left), program.copied(right)
        scores["theirs"] = theirs.add("pair", count, lambda copies=copies: program.score(*copies))
        if program.kept is not None:
            theirs.add("kept", count, lambda left=left, right=right: program.kept(left, right))
        many = rng.integers(0, n_graphs, (2, 500_000)).astype(np.int32)
        for preset, times in ours.items():
            metric = make(name, None if preset == "default" else preset)
            read = times.add("reading", n_graphs, lambda metric=metric: fm.read(corpus, dialect=metric.dialect))
            assert len(read) == n_graphs
            prepared = times.add("features", n_graphs, lambda metric=metric, read=read: metric.prepare(read))
            scores[preset] = run(metric, prepared, prepared, i, j).score
            times.add("random", many.shape[1], lambda m=metric, p=prepared, ij=many: run(m, p, p, *ij).score)
            if metric.overlaps(prepared) or preset == "default":
                known = Setting.make(read, None, metric, None, None, "raise", {}).comparison
                out = np.empty((n_graphs, n_graphs), np.float32)
                times.add("cdist", n_graphs * n_graphs, lambda known=known, out=out: block(known, out))
    difference = float(np.abs(np.array(scores["theirs"], np.float64) - scores["tool"]).max())
    return {"graphs": n_graphs, "pairs": count, "largest difference": difference, "program": theirs, "ours": ours}


def block(known: AllPairs, out: Any) -> None:
    grid = known.grid
    AllPairs(grid.metric, grid.pred, grid.gold, grid.n_pred, grid.n_gold).dense(0, grid.n_pred, out)


def ratio(theirs: float, ours: float) -> str:
    return f"{theirs / ours:,.0f}x" if theirs > 0.1 else "-"


def tell(name: str, figures: dict[str, Any]) -> None:
    """A line a side, and under each of ours how many times the program's time ours goes into."""
    theirs = figures["program"]
    print(
        f"\n{name}: {figures['graphs']:,} graphs, {figures['pairs']:,} pairs; largest difference of scores under "
        f"preset tool: {figures['largest difference']:.1g}"
    )
    print(("{:9}" + 7 * "{:>10}").format("", "reading", "features", "both", "pair", "kept", "cdist", "random"))
    both = theirs["reading"] + theirs["features"]
    cells = [
        theirs["reading"],
        theirs["features"],
        both,
        theirs["pair"],
        *([theirs["kept"]] if "kept" in theirs else []),
    ]
    print(f"{'program':9}" + "".join(f"{cell:10.2f}" for cell in cells))
    for preset, times in figures["ours"].items():
        mine = times["reading"] + times["features"]
        pair = [times.get("cdist", float("nan")), times["random"]]
        cells = [times["reading"], times["features"], mine]
        shown = [f"{'-' if p != p else f'{p:.4f}':>10}" for p in pair]
        print(f"{preset:9}" + "".join(f"{cell:10.2f}" for cell in cells) + 20 * " " + "".join(shown))
        ratios = [ratio(theirs["reading"], times["reading"]), ratio(theirs["features"], times["features"])]
        ratios += [ratio(both, mine), "", "", *("-" if p != p else ratio(theirs["pair"], p) for p in pair)]
        print(9 * " " + "".join(f"{text:>10}" for text in ratios))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("corpus", type=Path, metavar="CORPUS")
    for name in PROGRAMS:
        parser.add_argument(f"--{name}", type=Path, metavar="DIR", help="a checkout of the program")
    parser.add_argument("--pairs", type=int, default=2000, help="that the programs score (default: %(default)s)")
    parser.add_argument("--repeat", type=int, default=3, help="rounds (default: %(default)s)")
    parser.add_argument("--json", type=Path, metavar="FILE", help="write all figures there as well")
    arguments = parser.parse_args()
    given = {name: getattr(arguments, name) for name in PROGRAMS if getattr(arguments, name) is not None}
    if not given:
        parser.error("name at least one checkout, such as --sema DIR")
    print(f"load {os.getloadavg()[0]:.1f}; microseconds of CPU time a graph and a pair")
    record = {}
    for name, folder in given.items():
        program = PROGRAMS[name](folder.resolve(), arguments.corpus)
        record[name] = measure(name, program, arguments.corpus, arguments.pairs, arguments.repeat)
        tell(name, record[name])
    if arguments.json is not None:
        arguments.json.write_text(json.dumps(record, indent=2), encoding="utf-8")


if __name__ == "__main__":
    main()
