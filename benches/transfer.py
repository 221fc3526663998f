"""What trained soft overlap is worth on sentences that it was not trained on.

    python benches/transfer.py BAMBOO VECTORS
    python benches/transfer.py BAMBOO VECTORS --transfer
    python benches/transfer.py BAMBOO VECTORS [--genres] [--agreement 0.8] [--fixed rank --fixed depth …] [--share 0.5]
    python benches/transfer.py BAMBOO VECTORS --parameters parameters.tsv
    … --parses PARSES GOLD LABELS --rare GOLD [--structure 0.6 --means 0.2] [--test]

Trains six times with the options given, each time without the sentences that the result is judged on, and once on
everything; prints what agrees with people before and after, x 100, and with ``--structure`` and ``--means``, options of
the metric of which training knows nothing, both once more. With ``--parameters`` nothing is trained, and a file is
judged on BAMBOO and by what does not come from BAMBOO. Everything is measured on development pairs; ``--test`` adds
BAMBOO's test pairs, at which one should look seldom.

* *from → to*: trained on one set, mean of the four tasks of another one.
* *left out*: trained on the two other sets, mean of the four tasks; then the means of all twelve. *All pairs*: the same
  for the training pairs of the set that was left out, of which there are many more; their main task counts twice, as
  reified graphs are standardised back to it.
* *forums*: trained without STS's forums. Pearson's r of the training pairs from forums and of the development pairs,
  which come from another forum.
* *long*: the third of each set's pairs that has the most variables, trained on everything; mean of Pearson's r.
* *parses*: two parses of a sentence follow each other in PARSES; the share of preferences (LABELS: 1.0 the first is
  better, 0.0 the second, 0.5 neither; each second line says ``see above``) that the scores against GOLD have as well. A
  tie counts half. *acceptable*: the area under the curve for the second and third columns.
* *RARE*: Spearman's rho with the share of edges that are still there, development pairs.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Iterable
from typing import Any

import numpy as np

import fastmatch as fm
from fastmatch.benchmarks.bamboo import SETS, VARIANTS, bamboo, bamboo_pairs
from fastmatch.benchmarks.rare import evaluate, generate
from fastmatch.evaluation.scoring import score_corpora
from fastmatch.metrics.embeddings import Embeddings
from fastmatch.metrics.shared.overlap_parameters import UNTRAINED, Parameters
from fastmatch.metrics.softoverlap import SoftOverlap
from fastmatch.metrics.training.human_scores import pearson
from fastmatch.metrics.training.softoverlap import train_softoverlap

Pairs = tuple[Any, Any, Any]
TRAINED = ("main", "syno", "role_confusion")


class Judge:
    """Judges parameters; ``asked`` are the arguments of the program."""

    def __init__(self, asked: argparse.Namespace) -> None:
        self.asked = asked
        self.vectors = Embeddings.load(asked.vectors)
        self.train = bamboo_pairs(asked.bamboo, "train", variants=TRAINED, genres=True)
        self.dev = bamboo_pairs(asked.bamboo, "dev", genres=True)

    def metric(self, parameters: Parameters, **options: float) -> SoftOverlap:
        given = None if parameters is UNTRAINED else parameters
        return SoftOverlap(embeddings=self.vectors, parameters=given, smatch=self.asked.smatch, **options)

    def scores(self, metric: SoftOverlap, pairs: Pairs) -> Any:
        return score_corpora(metric, *pairs[:2], 1, None, mapping=False)[0].score

    def value(self, metric: SoftOverlap, pairs: Pairs) -> float:
        """Pearson's r, or of role confusion the share of foils below their paraphrase, x 100."""
        scores = self.scores(metric, pairs)
        if pairs[2] is None:
            return 100 * float((scores[1::2] > scores[::2]).mean())
        return 100 * pearson(scores, pairs[2])

    def tasks(self, metric: SoftOverlap, name: str) -> list[float]:
        return [self.value(metric, self.dev[f"{variant}/{name}"]) for variant in VARIANTS]

    def all_pairs(self, metric: SoftOverlap, name: str) -> float:
        """The mean of the tasks of a set, of the training pairs of which none was trained on."""
        main, syno, roles = (self.value(metric, self.train[f"{variant}/{name}"]) for variant in TRAINED)
        return (2 * main + syno + roles) / 4

    def judged(self, learnt: Parameters) -> list[SoftOverlap]:
        """The metrics that are columns: untrained and with what was learnt, and both with the options."""
        options = {name: value for name in ("structure", "means") if (value := getattr(self.asked, name)) is not None}
        ways = [{}, options] if options else [{}]
        return [self.metric(parameters, **way) for way in ways for parameters in (UNTRAINED, learnt)]

    def learnt(self, names: Iterable[str], forums: bool = True) -> Parameters:
        """What is learnt from the sets of these names, without STS's forums or with them."""
        asked, sets, blocs = self.asked, dict[str, Pairs](), list[str]()
        genres = asked.genres or asked.transfer
        for key, pairs in self.train.items():
            _, name, *genre = key.split("/")
            if name not in names or (genre and (not genres or (genre == ["forums"] and not forums))):
                continue
            if name == "sts" and not genre and pairs[2] is not None and not forums:
                parts = [self.train[f"{key}/{kind}"] for kind in ("captions", "news")]
                pairs = (parts[0][0] + parts[1][0], parts[0][1] + parts[1][1], np.concatenate([p[2] for p in parts]))
            rows = np.arange(len(pairs[0]))
            # a foil and its paraphrase stay together
            rows = rows[(rows if pairs[2] is not None else rows // 2) % asked.part == 0]
            sets[key] = pairs[0][rows], pairs[1][rows], None if pairs[2] is None else pairs[2][rows]
            blocs.append("/".join((name, *genre)))
        began = time.process_time()
        # no development pairs: what is best there would depend on chance as well
        found = train_softoverlap(
            list(sets.values()),
            metric=self.metric(UNTRAINED),
            steps=asked.steps,
            map_steps=asked.map_steps,
            share=asked.share,
            transfer=asked.transfer,
            fixed=asked.fixed,
            agreement=asked.agreement,
            blocs=blocs,
        )
        print(f"# learnt from {', '.join(sets)}: {time.process_time() - began:.0f} s", flush=True)
        return found.parameters

    def elsewhere(self, metric: SoftOverlap) -> dict[str, float]:
        """What does not come from BAMBOO's sets as they are, and these sets whole."""
        asked, found = self.asked, {}
        splits = ("dev", "test") if asked.test else ("dev",)
        for split in splits:
            row = bamboo(asked.bamboo, [metric], split=split).rows[0]
            found |= {f"BAMBOO {split}, amean": row.amean, f"BAMBOO {split}, hmean": row.hmean}
        values = []
        for name in SETS:
            pred, gold, ratings = self.dev[f"main/{name}"]
            size = np.diff(pred.variable_offsets) + np.diff(gold.variable_offsets)
            rows = np.flatnonzero(size >= np.quantile(size, 2 / 3))
            values.append(self.value(metric, (pred[rows], gold[rows], ratings[rows])))
        found["long"] = float(np.mean(values))
        if asked.parses:
            found |= self.parses(metric, *asked.parses)
        if asked.rare:
            result = evaluate(generate(fm.read(asked.rare), splits=("dev",)), [metric])
            found["RARE"] = result.rows[0].values[0]
        return found

    def parses(self, metric: SoftOverlap, parses: str, gold: str, labels: str) -> dict[str, float]:
        with open(labels, encoding="utf-8") as file:
            table = np.array([line.split("\t")[:3] for line in file if not line.startswith("see")], np.float64)
        # without one vocabulary for both, equal labels would have different numbers
        pred = fm.read(parses)
        scores = self.scores(metric, (pred, fm.read(gold, vocabulary=pred.vocabulary), None))
        apart = np.sign(scores[::2] - scores[1::2])[table[:, 0] != 0.5]
        asked_for = np.sign(table[:, 0] - 0.5)[table[:, 0] != 0.5]
        good = table[:, 1:].ravel() == 1
        above = np.sign(scores[good][:, None] - scores[~good][None, :])
        return {"parses": 50 * float((apart * asked_for + 1).mean()), "acceptable": 50 * float((above + 1).mean())}


def trained(judge: Judge) -> dict[str, list[float]]:
    """Everything that is judged, a value for each column."""
    found: dict[str, list[float]] = {}
    for source in ("sts", "sick"):
        metrics = judge.judged(judge.learnt([source]))
        for target in SETS:
            if target != source:
                found[f"{source} → {target}"] = [float(np.mean(judge.tasks(each, target))) for each in metrics]
    values: list[list[list[float]]] = []
    for name in SETS:
        metrics = judge.judged(judge.learnt([each for each in SETS if each != name]))
        values.append([judge.tasks(each, name) for each in metrics])
        found[f"left out: {name}"] = [float(np.mean(each)) for each in values[-1]]
        found[f"all pairs: {name}"] = [judge.all_pairs(each, name) for each in metrics]
    # a row a column of the table, all twelve tasks
    every = np.concatenate(values, axis=1)
    found["left out: amean"] = every.mean(axis=1).tolist()
    found["left out: hmean"] = (1 / (1 / every).mean(axis=1)).tolist()
    found["all pairs: mean"] = np.mean([found[f"all pairs: {name}"] for name in SETS], axis=0).tolist()
    metrics = judge.judged(judge.learnt(SETS, forums=False))
    for split, pairs in (("train", judge.train), ("dev", judge.dev)):
        found[f"forums ({split})"] = [judge.value(each, pairs["main/sts/forums"]) for each in metrics]
    everything = judge.learnt(SETS)
    if judge.asked.output:
        from fastmatch.metrics.shared.overlap_parameters import write_parameters

        write_parameters(judge.asked.output, everything)
    return found | elsewhere(judge, everything)


def elsewhere(judge: Judge, parameters: Parameters) -> dict[str, list[float]]:
    columns = [judge.elsewhere(each) for each in judge.judged(parameters)]
    return {name: [column[name] for column in columns] for name in columns[0]}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("bamboo")
    parser.add_argument("vectors")
    parser.add_argument("--parameters")
    parser.add_argument("--parses", nargs=3, metavar=("PARSES", "GOLD", "LABELS"))
    parser.add_argument("--rare", metavar="GOLD")
    parser.add_argument("--test", action="store_true")
    parser.add_argument("--smatch", type=float, default=SoftOverlap.presets["bamboo"]["smatch"])
    parser.add_argument("--structure", type=float)
    parser.add_argument("--means", type=float)
    parser.add_argument("--part", type=int, default=1, help="train on each so many-th pair")
    parser.add_argument("--steps", type=int, default=50)
    parser.add_argument("--map-steps", type=int, default=50)
    parser.add_argument("--share", type=float, default=1.0)
    parser.add_argument("--fixed", action="append", default=[])
    parser.add_argument("--agreement", type=float)
    parser.add_argument("--transfer", action="store_true")
    parser.add_argument("--genres", action="store_true")
    parser.add_argument("-o", "--output", help="where to write what is learnt from everything")
    judge = Judge(parser.parse_args())
    if judge.asked.parameters:
        found = elsewhere(judge, SoftOverlap(embeddings=judge.vectors, parameters=judge.asked.parameters).numbers())
    else:
        found = trained(judge)
    n_columns = len(judge.judged(UNTRAINED))
    print(f"{'':<24}" + "".join(f"{head:>10}" for head in ("untrained", "trained", "options", "both")[:n_columns]))
    for name, values in found.items():
        print(f"{name:<24}" + "".join(f"{value:>10.2f}" for value in values))


if __name__ == "__main__":
    main()
