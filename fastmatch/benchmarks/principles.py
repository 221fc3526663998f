"""What a similarity of graphs should be, tried on a metric and on graphs of the user's choice.

Opitz, Parcalabescu and Frank (2020), "AMR Similarity Metrics from Principles", name seven principles. Four of them can
be tried on any pairs of graphs, and are here:

I    *bounds*: scores lie between 0 and 1;
II   *identity of indiscernibles*: a graph scores 1 with itself, also when its variables are renamed and its triples
     stand in another order, and only equal graphs score 1. Two graphs are equal here if one map of variables matches
     all their triples, which the exact solver decides;
III  *symmetry*: exchanging prediction and gold changes nothing. The symmetry violation ratio (svr, their equation 4) is
     the share of pairs whose two scores differ by more than 0.0001, the mean symmetry violation (msv, equation 5) the
     mean difference;
IV   *determinacy*: the same input gives the same score. The determinacy error is the standard deviation over repeated
     runs, of the corpus score and, as a mean, of the pairs' scores (their table 3). A metric with a seed gets another
     in each run, since a user who sets none trusts one run of many.

The other three (no bias, symbolic comparison of meaning, graded similarity) are about what a metric should count, and
no numbers on pairs of graphs show them.
"""

from __future__ import annotations

from dataclasses import asdict, dataclass, fields, replace
from typing import TYPE_CHECKING, Any

import numpy as np

from fastmatch.corpus import Corpus
from fastmatch.errors import OptionError, PairingError
from fastmatch.graph import Graph
from fastmatch.metrics.base import Metric, from_text
from fastmatch.reading import parse
from fastmatch.scoring import score

if TYPE_CHECKING:
    from collections.abc import Callable

    from fastmatch.types import FloatArray, Triple

__all__ = ["DIFFERENT", "Principles", "principles"]

#: Two scores that differ by more are different: the threshold of the paper's table 1.
DIFFERENT = 1e-4


@dataclass(frozen=True)
class Principles:
    """How a metric fares on pairs of graphs. Scores are fractions; the paper prints msv in points.

    Attributes
    ----------
    metric, signature : str
    n_pairs : int
    lowest, highest : float
        Of all scores seen, both directions and self-comparisons among them.
    n_out_of_bounds : int
        Scores below 0, above 1 or not a number, of the pairs in both directions.
    self_lowest, self_highest : float
        Scores of graphs with themselves; both should be 1.
    n_self_different : int
        Graphs whose score with themselves is not 1 (by more than ``DIFFERENT``).
    n_disguised_different : int
        Graphs whose score with themselves, variables renamed and triples reordered, is not 1.
    n_false_equal : int
        Pairs that score 1 although the graphs differ.
    n_equal : int
        Pairs of equal graphs.
    svr, msv : float
        Symmetry violation: share of pairs, mean difference.
    runs : int
        Repetitions behind the determinacy errors.
    corpus_error, pair_error : float
        Determinacy error of the corpus score, and mean over the pairs.
    """

    metric: str
    signature: str
    n_pairs: int
    lowest: float
    highest: float
    n_out_of_bounds: int
    self_lowest: float
    self_highest: float
    n_self_different: int
    n_disguised_different: int
    n_false_equal: int
    n_equal: int
    svr: float
    msv: float
    runs: int
    corpus_error: float
    pair_error: float

    def to_dict(self) -> dict[str, Any]:
        """Everything as plain Python values, ready for JSON."""
        return asdict(self)


def principles(
    pred: Corpus,
    gold: Corpus,
    metric: str | Metric = "smatch",
    *,
    runs: int = 10,
    seed: int = 0,
    workers: int = 1,
    progress: Callable[[int, int], object] | None = None,
) -> Principles:
    """Try a metric on pairs of graphs: the first graph of ``pred`` with the first of ``gold``, and so on.

    Parameters
    ----------
    pred, gold : Corpus
        As many graphs in each; read with the metric's dialect.
    metric : str or Metric
        A metric with its options, or text such as ``"sembleu/tool,k=2"``.
    runs : int
        Repetitions for the determinacy error, at least 2.
    seed : int
        Of the new variable names and orders, and of the first run of a metric that has a seed.
    workers : int
        Threads, −1 for all CPUs this process may use.
    progress : callable, optional
        Called with (steps done, steps in all).

    Raises
    ------
    PairingError
        If the two sides differ in length, or there are no pairs.
    OptionError
        If ``runs`` is less than 2, or the metric's options are wrong.
    """
    label = metric if isinstance(metric, str) else metric.name
    if isinstance(metric, str):
        metric = from_text(metric)
    if runs < 2:
        raise OptionError(f"runs={runs!r}: expected at least 2, since the error is a deviation")
    if len(pred) != len(gold) or not len(pred):
        raise PairingError(f"principles: {len(pred)} predictions and {len(gold)} gold graphs, expected pairs")
    done, total = 0, runs + 4

    def run(a: Corpus, b: Corpus, chosen: Metric) -> tuple[FloatArray, float]:
        nonlocal done
        result = score(a, b, metric=chosen, workers=workers)
        done += 1
        if progress is not None:
            progress(done, total)
        return result.pairs.score, result.score

    there, _ = run(pred, gold, metric)
    back, _ = run(gold, pred, metric)
    selves, _ = run(gold, gold, metric)
    disguised, _ = run(disguise(gold, seed), gold, metric)
    repeated = [run(pred, gold, again) for again in _repetitions(metric, runs, seed)]
    equal = _equal(pred, gold, workers)
    difference = np.abs(there - back)
    seen = np.concatenate([there, back])
    everything = np.concatenate([seen, selves, disguised])
    return Principles(
        metric=label,
        signature=str(metric.signature(pred.dialect)),
        n_pairs=len(pred),
        lowest=float(np.nanmin(everything)),
        highest=float(np.nanmax(everything)),
        n_out_of_bounds=int((~((seen >= 0) & (seen <= 1 + 1e-12))).sum()),
        self_lowest=float(selves.min()),
        self_highest=float(selves.max()),
        n_self_different=int((np.abs(selves - 1) > DIFFERENT).sum()),
        n_disguised_different=int((np.abs(disguised - 1) > DIFFERENT).sum()),
        n_false_equal=int(((np.abs(there - 1) <= 1e-12) & ~equal).sum()),
        n_equal=int(equal.sum()),
        svr=float((difference > DIFFERENT).mean()),
        msv=float(difference.mean()),
        runs=runs,
        corpus_error=float(_deviation(np.array([value for _, value in repeated]))),
        pair_error=float(_deviation(np.array([scores for scores, _ in repeated])).mean()),
    )


def disguise(corpus: Corpus, seed: int = 0) -> Corpus:
    """The same graphs with other names of variables, in another order of nodes, roles and re-entrancies.

    The first node stays the root. Text is written and read again with the corpus's dialect, as a parser's output would
    be. Graphs that have no text (a tool may read what Penman cannot say) stay as they are.
    """
    rng = np.random.default_rng(seed)
    texts = []
    for graph in corpus:
        try:
            texts.append(_disguised(graph, rng).encode())
        except ValueError:
            texts.append(graph.encode())
    return parse(texts, dialect=corpus.dialect, on_error="empty", vocabulary=corpus.vocabulary)


def _disguised(graph: Graph, rng: np.random.Generator) -> Graph:
    """Renamed and shuffled. A name is a letter and a number: what every program takes for a variable."""
    names = [name for name in graph.variables if name is not None]
    used = {target for _, _, target in graph.triples}
    free = (f"{'abcdefghijklmnopqrstuvwxyz'[k % 26]}{k}" for k in range(10, 10_000_000))
    new = dict(
        zip(
            rng.permutation(np.array(names, object)).tolist(), (name for name in free if name not in used), strict=False
        )
    )
    renamed: list[Triple] = []
    for source, role, target in graph.triples:
        if role != ":instance" and target in new:
            target = new[target]
        renamed.append((new.get(source, source) if source is not None else None, role, target))
    order = rng.permutation(len(renamed)).tolist()
    shuffled = [renamed[k] for k in order]
    # concepts first: a node is read where it is first mentioned
    shuffled.sort(key=lambda triple: triple[1] != ":instance")
    top = graph.top
    return Graph.from_triples(shuffled, new.get(top, top) if top is not None else None)


def _equal(pred: Corpus, gold: Corpus, workers: int) -> Any:
    """bool[n_pairs]: which graphs are the same, whatever their variables are called."""
    if pred.dialect != "penman":
        texts = ([graph.encode() for graph in side] for side in (pred, gold))
        pred, gold = (parse(side, on_error="empty") for side in texts)
    pairs = score(pred, gold, metric="smatch", workers=workers).pairs
    return (pairs.matched == pairs.n_pred) & (pairs.matched == pairs.n_gold)


def _repetitions(metric: Metric, runs: int, seed: int) -> list[Metric]:
    """The metric as often as it is to be run, with another seed each time if it has one."""
    if any(entry.name == "seed" for entry in fields(metric)):  # type: ignore[arg-type]
        return [replace(metric, seed=seed + k) for k in range(runs)]  # type: ignore[type-var]
    return [metric] * runs


def _deviation(values: FloatArray) -> FloatArray:
    """Sample standard deviation over runs, float64[runs, …] → float64[…].

    Exactly 0 for equal values, which rounding of the mean could miss.
    """
    return np.where((values == values[0]).all(axis=0), 0.0, values.std(axis=0, ddof=1))
