"""How much cheaper is standardised matching than smatchpp's, and do the scores agree?

    python benches/peers/compare_smatchpp.py PRED GOLD [--pairs N] [--repeat R] [--only best-practice] [--frames FILE]

Needs ``pip install smatchpp==1.8.0``. CPU time (user + system) of whole processes with one worker, start to exit, the
cheapest of ``--repeat`` runs; smatchpp runs once, for it takes minutes. Each question prints both scores, which must be
the same, beside the ratio.

best-practice   standardise for AMR, optimum, micro, 9,999 bootstrap resamples (BCa): both command lines
reified         the same with relations reified, without bootstrap; smatchpp through its Python interface
aspects-one     all aspects under one alignment, and
aspects-each    all aspects, each with its own: smatchpp through its Python interface, summed here, because its command
                line dies if an aspect is empty everywhere
reading         seconds to read PRED, and to standardise it by each preset; within this process, without a peer
"""

from __future__ import annotations

import argparse
import json
import sys
import tempfile
import time
from pathlib import Path

from compare import first_blocks, process

BEST_PRACTICE = ["-solver", "ilp", "-graph_type", "amr", "-score_type", "micro", "--bootstrap"]

REIFIED = """
import contextlib, io, sys, logging
logging.disable(logging.CRITICAL)
from smatchpp import Smatchpp, data_helpers, graph_transforms, solvers
from smatchpp.formalism.amr import tools
standardizer = tools.AMRStandardizer()
for name, part in vars(standardizer).items():
    if isinstance(part, graph_transforms.SyntacticReificationGraphTransformer):
        part.mode = "reify"
tool = Smatchpp(alignmentsolver=solvers.ILP(), graph_standardizer=standardizer)
sides = [data_helpers.read_graphstrings_from_file(path) for path in sys.argv[1:3]]
totals = [0, 0, 0, 0]
with contextlib.redirect_stdout(io.StringIO()):
    for pair in zip(*sides):
        totals = [a + int(b) for a, b in zip(totals, tool.process_pair(*pair)[0]["main"])]
print((totals[0] + totals[1]) / (totals[2] + totals[3]))
"""

ASPECTS = """
import collections, contextlib, io, sys, logging
logging.disable(logging.CRITICAL)
from smatchpp import Smatchpp, data_helpers, solvers
from smatchpp.formalism.amr import tools
tool = Smatchpp(alignmentsolver=solvers.ILP(), graph_standardizer=tools.AMRStandardizer(),
                subgraph_extractor=tools.AMRSubgraphExtractor(), score_dimension=sys.argv[3])
sides = [data_helpers.read_graphstrings_from_file(path) for path in sys.argv[1:3]]
totals = collections.defaultdict(lambda: [0, 0, 0, 0])
with contextlib.redirect_stdout(io.StringIO()):
    for pair in zip(*sides):
        for name, counts in tool.process_pair(*pair)[0].items():
            totals[name] = [a + int(b) for a, b in zip(totals[name], counts)]
import json
print(json.dumps({name: counts[0] for name, counts in totals.items()}))
"""


def fastmatch(*arguments: str) -> list[str]:
    return [sys.executable, "-m", "fastmatch", "score", *arguments, "--json", "--quiet"]


def cheapest(command: list[str], repeat: int) -> tuple[float, str]:
    return min(process(command) for _ in range(repeat))


def told(question: str, ours: float, theirs: float, agreement: str) -> dict[str, float]:
    print(
        f"{question:<14} fastmatch {ours:8.3f} s  smatchpp {theirs:8.2f} s  {theirs / ours:7.1f}x  {agreement}",
        flush=True,
    )
    return {"fastmatch": ours, "smatchpp": theirs}


def reading(path: Path, repeat: int) -> dict[str, float]:
    import fastmatch as fm
    from fastmatch.graphs.standardization.steps import PRESETS
    from fastmatch.metrics.base import make

    def seconds(work: object) -> float:
        best = float("inf")
        for _ in range(10 * repeat):
            start = time.process_time()
            work()  # type: ignore[operator]
            best = min(best, time.process_time() - start)
        return best

    corpus = fm.read(path, dialect="smatchpp")
    result = {"read (smatchpp)": seconds(lambda: fm.read(path, dialect="smatchpp"))}
    result["read (penman)"] = seconds(lambda: fm.read(path))
    for name in PRESETS:
        metric = make("smatch", name)
        result[f"standardize {name}"] = seconds(lambda name=name: fm.standardize(corpus, name))
        result[f"before matching, {name}"] = seconds(lambda metric=metric: metric.standardized(corpus))  # type: ignore[misc]
    for name, value in result.items():
        print(f"{name:<32} {1e3 * value:8.3f} ms")
    return result


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n", 1)[0])
    questions = ["reading", "best-practice", "reified", "aspects-one", "aspects-each"]
    parser.add_argument("pred", help="predicted graphs, Penman notation")
    parser.add_argument("gold", help="gold graphs, in the same order")
    parser.add_argument("--pairs", type=int, metavar="N", help="only the first N pairs")
    parser.add_argument("--repeat", type=int, default=3, metavar="R", help="runs of fastmatch (default 3)")
    parser.add_argument("--only", choices=questions, action="append", help="of the questions")
    parser.add_argument("--frames", metavar="FILE", help="the frame table that smatchpp has, for the aspects")
    parser.add_argument("--json", metavar="OUT.json", help="also write the figures to a file")
    options = parser.parse_args()
    chosen = options.only or questions
    record: dict[str, dict[str, float]] = {}
    with tempfile.TemporaryDirectory() as folder:
        files = [
            first_blocks(source, options.pairs, Path(folder) / f"{side}.amr")
            for side, source in (("pred", options.pred), ("gold", options.gold))
        ]
        pred, gold = map(str, files)
        if "reading" in chosen:
            record["reading"] = reading(files[0], options.repeat)
        if "best-practice" in chosen:
            ours, text = cheapest(fastmatch(pred, gold, "--preset", "smatch++", "--bootstrap", "9999"), options.repeat)
            command = [sys.executable, "-m", "smatchpp", "-a", pred, "-b", gold, *BEST_PRACTICE]
            theirs, out = process([*command, "-output_format", "json", "-log_level", "40"])
            pair = 100 * json.loads(text)["micro"]["f1"], json.loads(out)["main"]["F1"]["result"]
            record["best-practice"] = told("best practice", ours, theirs, f"F1 {pair[0]:.2f} and {pair[1]:.2f}")
        if "reified" in chosen:
            ours, text = cheapest(fastmatch(pred, gold, "--preset", "smatch++/reify"), options.repeat)
            theirs, out = process([sys.executable, "-c", REIFIED, pred, gold])
            record["reified"] = told(
                "reified", ours, theirs, f"F1 {json.loads(text)['micro']['f1']:.6f} and {float(out):.6f}"
            )
        for align in ("one", "each"):
            if f"aspects-{align}" not in chosen:
                continue
            more = [] if options.frames is None else ["--frames", options.frames]
            flags = ["--aspects", "smatch++", "--preset", "tool", "--aspect-align", align, *more]
            ours, text = cheapest(fastmatch(pred, gold, *flags), options.repeat)
            dimension = "all-onealign" if align == "one" else "all-multialign"
            theirs, out = process([sys.executable, "-c", ASPECTS, pred, gold, dimension])
            counts = {name: aspect["counts"]["matched"] for name, aspect in json.loads(text)["aspects"].items()}
            same = sum(counts[name] == matched for name, matched in json.loads(out).items())
            record[f"aspects-{align}"] = told(
                f"aspects, {align}", ours, theirs, f"{same} of {len(counts)} counts equal"
            )
    if options.json:
        Path(options.json).write_text(json.dumps(record, indent=2) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
