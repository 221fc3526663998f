"""What trained soft overlap is worth on sentences that it was not trained on.

    python benches/transfer.py BAMBOO VECTORS
    python benches/transfer.py BAMBOO VECTORS --genres --agreement 0.8 --fixed rank --fixed depth … [--share 0.5]
    python benches/transfer.py BAMBOO VECTORS --parameters parameters.tsv
    … --parses PARSES GOLD LABELS --rare GOLD [--test]

Trains six times with the options given, each time without the sentences that the result is judged on, and once on
everything; prints what agrees with people before and after, x 100. With ``--parameters`` nothing is trained, and a file
is judged on BAMBOO and by what does not come from BAMBOO. Everything is measured on development pairs; ``--test`` adds
BAMBOO's test pairs, at which one should look seldom.

* *from → to*: trained on one set, mean of the four tasks of another one.
* *left out*: trained on the two other sets, mean of the four tasks; then the means of all twelve.
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
from collections.abc import Iterable, Mapping
from typing import Any

import numpy as np

import fastmatch as fm
from fastmatch.benchmarks.bamboo import SETS, VARIANTS, bamboo, bamboo_pairs
from fastmatch.benchmarks.rare import evaluate, generate
from fastmatch.evaluation.scoring import score_corpora
from fastmatch.metrics.embeddings import Embeddings
from fastmatch.metrics.shared.overlap_parameters import UNTRAINED, Parameters
from fastmatch.metrics.softoverlap import SoftOverlap
from fastmatch.training.human_scores import pearson
from fastmatch.training.softoverlap import train_softoverlap

Pairs = tuple[Any, Any, Any]
TRAINED = ("main", "syno", "role_confusion")


class Judge:
    """Judges parameters; ``asked`` are the arguments of the program."""

    def __init__(self, asked: argparse.Namespace) -> None:
        self.asked = asked
        self.vectors = Embeddings.load(asked.vectors)
        self.train = bamboo_pairs(asked.bamboo, "train", variants=TRAINED, genres=True)
        self.dev = bamboo_pairs(asked.bamboo, "dev", genres=True)

    def metric(self, parameters: Parameters) -> SoftOverlap:
        given = None if parameters is UNTRAINED else parameters
        return SoftOverlap(embeddings=self.vectors, parameters=given, smatch=self.asked.smatch)

    def scores(self, parameters: Parameters, pairs: Pairs) -> Any:
        return score_corpora(self.metric(parameters), *pairs[:2], 1, None, mapping=False)[0].score

    def value(self, parameters: Parameters, pairs: Pairs) -> float:
        """Pearson's r, or of role confusion the share of foils below their paraphrase, x 100."""
        scores = self.scores(parameters, pairs)
        if pairs[2] is None:
            return 100 * float((scores[1::2] > scores[::2]).mean())
        return 100 * pearson(scores, pairs[2])

    def tasks(self, parameters: Parameters, name: str) -> list[float]:
        return [self.value(parameters, self.dev[f"{variant}/{name}"]) for variant in VARIANTS]

    def learnt(self, names: Iterable[str], forums: bool = True) -> Parameters:
        """What is learnt from the sets of these names, without STS's forums or with them."""
        asked, sets, blocs = self.asked, dict[str, Pairs](), list[str]()
        for key, pairs in self.train.items():
            _, name, *genre = key.split("/")
            if name not in names or (genre and (not asked.genres or (genre == ["forums"] and not forums))):
                continue
            if name == "sts" and not genre and pairs[2] is not None and not forums:
                parts = [self.train[f"{key}/{kind}"] for kind in ("captions", "news")]
                pairs = (parts[0][0] + parts[1][0], parts[0][1] + parts[1][1], np.concatenate([p[2] for p in parts]))
            sets[key] = pairs
            blocs.append("/".join((name, *genre)))
        began = time.process_time()
        # no development pairs: what is best there would depend on chance as well
        found = train_softoverlap(
            list(sets.values()),
            metric=self.metric(UNTRAINED),
            steps=asked.steps,
            map_steps=asked.map_steps,
            share=asked.share,
            fixed=asked.fixed,
            agreement=asked.agreement,
            blocs=blocs,
        )
        print(f"# learnt from {', '.join(sets)}: {time.process_time() - began:.0f} s", flush=True)
        return found.parameters

    def elsewhere(self, parameters: Parameters) -> dict[str, float]:
        """What does not come from BAMBOO's sets as they are, and these sets whole."""
        asked, found = self.asked, {}
        splits = ("dev", "test") if asked.test else ("dev",)
        for split in splits:
            row = bamboo(asked.bamboo, [self.metric(parameters)], split=split).rows[0]
            found |= {f"BAMBOO {split}, amean": row.amean, f"BAMBOO {split}, hmean": row.hmean}
        values = []
        for name in SETS:
            pred, gold, ratings = self.dev[f"main/{name}"]
            size = np.diff(pred.variable_offsets) + np.diff(gold.variable_offsets)
            rows = np.flatnonzero(size >= np.quantile(size, 2 / 3))
            values.append(self.value(parameters, (pred[rows], gold[rows], ratings[rows])))
        found["long"] = float(np.mean(values))
        if asked.parses:
            found |= self.parses(parameters, *asked.parses)
        if asked.rare:
            result = evaluate(generate(fm.read(asked.rare), splits=("dev",)), [self.metric(parameters)])
            found["RARE"] = result.rows[0].values[0]
        return found

    def parses(self, parameters: Parameters, parses: str, gold: str, labels: str) -> dict[str, float]:
        with open(labels, encoding="utf-8") as file:
            table = np.array([line.split("\t")[:3] for line in file if not line.startswith("see")], np.float64)
        # without one vocabulary for both, equal labels would have different numbers
        pred = fm.read(parses)
        scores = self.scores(parameters, (pred, fm.read(gold, vocabulary=pred.vocabulary), None))
        apart = np.sign(scores[::2] - scores[1::2])[table[:, 0] != 0.5]
        asked_for = np.sign(table[:, 0] - 0.5)[table[:, 0] != 0.5]
        good = table[:, 1:].ravel() == 1
        above = np.sign(scores[good][:, None] - scores[~good][None, :])
        return {"parses": 50 * float((apart * asked_for + 1).mean()), "acceptable": 50 * float((above + 1).mean())}


def trained(judge: Judge) -> dict[str, tuple[float, float]]:
    """Everything that is judged, before and after training."""
    found: dict[str, tuple[float, float]] = {}

    def add(values: Mapping[str, float], before: Mapping[str, float]) -> None:
        found.update({name: (before[name], value) for name, value in values.items()})

    for source in ("sts", "sick"):
        learnt = judge.learnt([source])
        for target in SETS:
            if target != source:
                pair = [float(np.mean(judge.tasks(parameters, target))) for parameters in (UNTRAINED, learnt)]
                found[f"{source} → {target}"] = pair[0], pair[1]
    both: list[list[float]] = [[], []]
    for name in SETS:
        learnt = judge.learnt([each for each in SETS if each != name])
        for values, parameters in zip(both, (UNTRAINED, learnt), strict=True):
            values += judge.tasks(parameters, name)
        found[f"left out: {name}"] = float(np.mean(both[0][-4:])), float(np.mean(both[1][-4:]))
    found["left out: amean"] = float(np.mean(both[0])), float(np.mean(both[1]))
    found["left out: hmean"] = 12 / float((1 / np.array(both[0])).sum()), 12 / float((1 / np.array(both[1])).sum())
    learnt = judge.learnt(SETS, forums=False)
    for split, pairs in (("train", judge.train), ("dev", judge.dev)):
        rows = pairs["main/sts/forums"]
        found[f"forums ({split})"] = judge.value(UNTRAINED, rows), judge.value(learnt, rows)
    everything = judge.learnt(SETS)
    add(judge.elsewhere(everything), judge.elsewhere(UNTRAINED))
    if judge.asked.output:
        from fastmatch.metrics.shared.overlap_parameters import write_parameters

        write_parameters(judge.asked.output, everything)
    return found


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("bamboo")
    parser.add_argument("vectors")
    parser.add_argument("--parameters")
    parser.add_argument("--parses", nargs=3, metavar=("PARSES", "GOLD", "LABELS"))
    parser.add_argument("--rare", metavar="GOLD")
    parser.add_argument("--test", action="store_true")
    parser.add_argument("--smatch", type=float, default=SoftOverlap.presets["bamboo"]["smatch"])
    parser.add_argument("--steps", type=int, default=50)
    parser.add_argument("--map-steps", type=int, default=50)
    parser.add_argument("--share", type=float, default=1.0)
    parser.add_argument("--fixed", action="append", default=[])
    parser.add_argument("--agreement", type=float, default=0.0)
    parser.add_argument("--genres", action="store_true")
    parser.add_argument("-o", "--output", help="where to write what is learnt from everything")
    judge = Judge(parser.parse_args())
    if judge.asked.parameters:
        given = SoftOverlap(embeddings=judge.vectors, parameters=judge.asked.parameters).numbers()
        before, after = judge.elsewhere(UNTRAINED), judge.elsewhere(given)
        found = {name: (before[name], after[name]) for name in after}
    else:
        found = trained(judge)
    print(f"{'':<24}{'untrained':>10}{'trained':>10}")
    for name, pair in found.items():
        print(f"{name:<24}{pair[0]:>10.2f}{pair[1]:>10.2f}")


if __name__ == "__main__":
    main()
