"""What a similarity of graphs should be, tried on a metric and on graphs of the user's choice.

Opitz, Parcalabescu and Frank (2020), "AMR Similarity Metrics from Principles", name seven principles. Six of them can
be tried on pairs of graphs, and are here; the first four are mathematical, and a metric should violate none:

I    *bounds*: scores lie between 0 and 1;
II   *identity of indiscernibles*: a graph scores 1 with itself, also when its variables are renamed and its triples
     reordered (a *disguised* graph), and only equal graphs score 1. Two graphs are equal here if one map of variables
     matches all their triples, which the exact solver decides. Pairs of different graphs that score 1 are counted among
     the user's pairs, and among *probes*: gold graphs with copies of them in which one thing was changed that changes
     the meaning (:mod:`fastmatch.benchmarks.probes`);
III  *symmetry*: exchanging prediction and gold changes nothing. The symmetry violation ratio (svr, their equation 4) is
     the share of pairs whose two scores differ by more than 0.0001, the mean symmetry violation (msv, equation 5) the
     mean difference;
IV   *determinacy*: the same input gives the same score. The determinacy error is the standard deviation over repeated
     runs, of the corpus score and, as a mean, of the pairs' scores (their table 3). A metric with a seed gets another
     in each run, because a user who sets none gets one run of many. Beyond the paper: disguised graphs are the same
     input too; how many pairs change their score when both graphs are disguised, and by how much, is given as for
     symmetry;
V    *no bias*: what a wrong concept costs at the root, at another node with relations of its own, and at a leaf (after
     their table 4). These are measured, not judged: a metric may have reasons to weigh places differently;
VI   *symbolic match*: pairs should be ordered as by Jaccard's index of their triples, under the best map of variables.
     The number is Spearman's rho of the two orders; it is lower for metrics that see more than triples, or less.

VII, graded similarity, needs knowledge of what words mean, and ratings: see :mod:`fastmatch.benchmarks.bamboo`.

Shares and means come with 95 % intervals: Wilson's for the shares (for 0 of n it ends at 3.84 / (n + 3.84)), for the
mean a bootstrap of the pairs (BCa, 1,000 resamples, by seed).
"""

from __future__ import annotations

from contextlib import suppress
from dataclasses import asdict, dataclass, fields, replace
from os import PathLike
from typing import Any

import numpy as np

from fastmatch.benchmarks.probes import MEANINGS, PLACES, altered, disguised
from fastmatch.benchmarks.shared import correlation, large, limited, sizes, unproven, wilson
from fastmatch.errors import FastmatchError, OptionError, PairingError
from fastmatch.evaluation.bootstrap import interval
from fastmatch.evaluation.checks import warn_odd_pairs
from fastmatch.evaluation.scoring import score_known_pairs
from fastmatch.graphs.corpus import Corpus
from fastmatch.graphs.forms import Graphs, corpora_of
from fastmatch.graphs.reading import parse
from fastmatch.graphs.sources import Kept, kept
from fastmatch.metrics.base import Metric
from fastmatch.metrics.options import whole
from fastmatch.metrics.registry import from_text, make
from fastmatch.metrics.shared.search import WORK
from fastmatch.report.frames import Tabular
from fastmatch.report.writing import plain
from fastmatch.results.scores import CorpusScore
from fastmatch.runtime.progress import Steps
from fastmatch.types import BoolArray, Dialect, FloatArray, Int32Array, Progress

#: Two scores that differ by more are different: the threshold of the paper's table 1.
DIFFERENT = 1e-4

#: A score this near 1 says that graphs are equal.
_EXACT = 1e-12
_RESAMPLES = 1000


@dataclass(frozen=True)
class Probe:
    """One change of meaning, made in every gold graph of the sample that allows it.

    A changed graph is scored against its original, and so is the original against itself; the second score should be
    the higher one.

    Attributes
    ----------
    n : int
        Graphs that were changed.
    n_unseen : int
        Changed graphs that score as high as their originals, or higher.
    loss : float
        How much less changed graphs score than their originals: mean, a fraction; nan without graphs.
    """

    n: int
    n_unseen: int
    loss: float


@dataclass(frozen=True)
class Principles(Tabular):
    """How a metric fares on pairs of graphs. Scores are fractions; the paper prints msv in points.

    Attributes
    ----------
    metric, signature : str
    n_pairs : int
        Pairs behind the numbers.
    n_unreadable : int
        Pairs left out because the metric's own reader refuses one of the graphs.
    n_limited : int
        Pairs that were searched with little work, and not proven, because all searches together would take long.
    lowest, highest : float
        Of all scores seen, both directions and self-comparisons among them.
    n_out_of_bounds : int
        Pairs that score below 0, above 1 or not a number, in either direction.
    self_lowest, self_highest : float
        Scores of gold graphs with themselves; both should be 1.
    n_self_different : int
        Gold graphs whose score with themselves is not 1 (by more than ``DIFFERENT``).
    n_disguised : int
        Gold graphs that were renamed and reordered: the sample (``probes``), without graphs that no Penman text can
        hold.
    n_disguised_different : int
        Those of them that do not score 1 with their originals.
    n_equal : int
        Pairs of equal graphs.
    n_false_equal, n_false_different : int
        Pairs that score 1 (or more) although the graphs differ; pairs of equal graphs that do not score 1.
    probes : dict of str → Probe
        Changes of meaning: ``coreference``, ``namesake``, ``roles``, ``attribute``.
    svr, msv : float
        Symmetry violation: share of pairs, mean difference.
    svr_interval, msv_interval : (float, float)
        95 % confidence intervals.
    runs : int
        Repetitions behind the determinacy errors.
    corpus_error, pair_error : float
        Determinacy error of the corpus score, and mean over the pairs.
    disguise_ratio, disguise_mean : float
        Pairs whose score changes by more than ``DIFFERENT`` when both graphs are renamed and reordered, as a share of
        the sample; mean change.
    places : dict of str → Probe
        Wrong concepts: ``root concept``, ``inner concept``, ``leaf concept``.
    jaccard_order : float
        Spearman's rho between the scores and Jaccard's index of triples; nan if either does not vary.
    """

    metric: str
    signature: str
    n_pairs: int
    n_unreadable: int
    n_limited: int
    lowest: float
    highest: float
    n_out_of_bounds: int
    self_lowest: float
    self_highest: float
    n_self_different: int
    n_disguised: int
    n_disguised_different: int
    n_equal: int
    n_false_equal: int
    n_false_different: int
    probes: dict[str, Probe]
    svr: float
    svr_interval: tuple[float, float]
    msv: float
    msv_interval: tuple[float, float]
    runs: int
    corpus_error: float
    pair_error: float
    disguise_ratio: float
    disguise_mean: float
    places: dict[str, Probe]
    jaccard_order: float

    def summary(self) -> dict[str, str | float]:
        """The numbers as one row of a table: fractions; what is undefined is NaN.

        Rows of several metrics make a data frame: ``pandas.DataFrame([one.summary(), other.summary()])``.
        """
        row: dict[str, str | float] = {}
        for name, value in vars(self).items():
            if name == "probes":
                for change, probe in value.items():
                    row |= {change: probe.n, f"{change}_unseen": probe.n_unseen}
            elif name == "places":
                row |= {f"{place.replace(' ', '_')}_loss": probe.loss for place, probe in value.items()}
            elif isinstance(value, tuple):
                row |= zip((name.replace("interval", "low"), name.replace("interval", "high")), value, strict=True)
            elif name not in ("signature", "self_lowest", "self_highest"):
                row[name.removeprefix("n_")] = value
        return row | {"signature": self.signature}

    def _rows(self) -> list[dict[str, Any]]:
        return [self.summary()]

    def to_dict(self) -> dict[str, Any]:
        """Everything as plain Python values, ready for JSON; undefined numbers are None."""
        return plain(asdict(self))


def principles(
    pred: Graphs,
    gold: Graphs,
    metric: str | Metric = "smatch",
    *,
    runs: int = 10,
    probes: int = 1000,
    seed: int = 0,
    workers: int = 1,
    progress: Progress = None,
) -> Principles:
    """Try a metric on pairs of graphs: the first graph of ``pred`` with the first of ``gold``, and so on.

    Parameters
    ----------
    pred, gold : Corpus, or graphs in another form
        As many graphs in each, as for :func:`fastmatch.score`. All must be readable as Penman; pairs that the metric's
        own reader refuses (presets of tools have one) are left out and counted.
    metric : str or Metric
        A metric with its options, or text such as ``"sembleu/tool,k=2"``.
    runs : int
        Repetitions for the determinacy error, at least 2.
    probes : int
        Pairs whose graphs are renamed and changed, at most, spread evenly over all pairs. Writing their texts takes a
        few ms a pair, mostly longer than scoring it.
    seed : int
        Of new variable names and orders, of probes and intervals, and of the first run of a metric that has a seed.
    workers : int
        Threads, −1 for all CPUs this process may use.
    progress : None, bool or callable
        True draws a bar on a terminal; a callable gets (steps done, steps in all).

    Returns
    -------
    Principles

    Raises
    ------
    PairingError
        If predictions and gold graphs differ in number, or there are no pairs, or none that the metric's reader can
        read.
    OptionError
        If ``runs`` is less than 2, ``probes`` less than 1, ``seed`` less than 0, or the metric's options are wrong.
    ReadError, TypeError
        As for :func:`fastmatch.score`.
    """
    label = metric if isinstance(metric, str) else metric.name
    if isinstance(metric, str):
        metric = from_text(metric)
    if runs < 2:
        raise OptionError(f"runs={runs!r}: expected at least 2, since the error is a deviation")
    whole("probes", probes, 1)
    whole("seed", seed, 0)
    pairs = _Pairs(pred, gold, metric)
    sample = np.unique(np.linspace(0, len(pairs.gold) - 1, probes).astype(np.int32))
    repetitions = _repetitions(metric, runs, seed)
    # where the first run is the metric as it is, the pairs' own scores are that run
    left = repetitions[1:] if repetitions[0] == metric else repetitions
    with Steps(progress, len(left) + 5 + len(MEANINGS) + len(PLACES), metric.name) as report:
        trial = _Trial(metric, pairs, sample, workers, seed, report)
        everyone = np.arange(len(pairs.gold), dtype=np.int32)
        first = trial.first(everyone)
        there, of_all = first.pairs.score, first.score
        back, _ = trial.run(pairs.gold, pairs.pred, everyone)
        selves, _ = trial.run(pairs.gold, pairs.gold, everyone)
        hidden, hidden_index = trial.disguised(pairs.plain_gold, seed)
        disguised_selves, _ = trial.run(hidden, trial.gold(hidden_index), hidden_index)
        other, other_index = trial.disguised(pairs.plain_pred, seed + 1)
        both, in_hidden, in_other = np.intersect1d(hidden_index, other_index, return_indices=True)
        elsewhere, _ = trial.run(other[in_other], hidden[in_hidden], both)
        moved = np.abs(there[both] - elsewhere)  # by so much scores change when both graphs are disguised
        changes = {change: trial.probe(change, selves) for change in (*MEANINGS, *PLACES)}
        repeated = [(there, of_all)] * (runs - len(left))
        repeated += [trial.run(pairs.pred, pairs.gold, everyone, again) for again in left]
    counts: Any = first.pairs if trial.is_plain else trial.matched(pairs.plain_pred, pairs.plain_gold, everyone)
    equal = _equal(counts)
    union = counts.n_pred + counts.n_gold - counts.matched
    jaccard = np.where(union > 0, counts.matched / np.maximum(union, 1), 1.0)
    difference = np.abs(there - back)
    everything = np.concatenate([there, back, selves, disguised_selves])
    n_asymmetric = int((difference > DIFFERENT).sum())
    return Principles(
        metric=label,
        signature=str(metric.signature(pairs.pred.dialect)),
        n_pairs=len(pairs.pred),
        n_unreadable=pairs.n_unreadable,
        n_limited=int(trial.limited.sum()),
        lowest=float(np.nanmin(everything)) if not np.isnan(everything).all() else np.nan,
        highest=float(np.nanmax(everything)) if not np.isnan(everything).all() else np.nan,
        n_out_of_bounds=int((~(_within(there) & _within(back))).sum()),
        self_lowest=float(selves.min()),
        self_highest=float(selves.max()),
        n_self_different=_n_other_than_1(selves),
        n_disguised=len(disguised_selves),
        n_disguised_different=_n_other_than_1(disguised_selves),
        n_equal=int(equal.sum()),
        n_false_equal=int(((there >= 1 - _EXACT) & ~equal).sum()),
        n_false_different=_n_other_than_1(there[equal]),
        probes={change: changes[change] for change in MEANINGS},
        svr=n_asymmetric / len(difference),
        svr_interval=wilson(n_asymmetric, len(difference)),
        msv=float(difference.mean()),
        msv_interval=_interval_of_mean(difference, seed),
        runs=runs,
        corpus_error=float(_deviation(np.array([value for _, value in repeated]))),
        pair_error=float(_deviation(np.array([scores for scores, _ in repeated])).mean()),
        disguise_ratio=float((moved > DIFFERENT).mean()) if len(moved) else np.nan,
        disguise_mean=float(moved.mean()) if len(moved) else np.nan,
        places={change: changes[change] for change in PLACES},
        jaccard_order=rank_correlation(there, jaccard),
    )


class _Pairs:
    """The pairs as Penman has them, and as the metric reads them, without those that it cannot read."""

    def __init__(self, pred: Graphs, gold: Graphs, metric: Metric) -> None:
        pred, gold = (  # looked at twice
            list(each) if not isinstance(each, Corpus | str | PathLike) and hasattr(each, "__iter__") else each
            for each in (kept(pred), kept(gold))
        )
        plain = corpora_of(_as_penman(pred), _as_penman(gold), "penman", "raise")
        if len(plain[0]) != len(plain[1]) or not len(plain[0]):
            raise PairingError(
                f"principles: {len(plain[0])} predictions and {len(plain[1])} gold graphs, expected pairs"
            )
        warn_odd_pairs(*plain)
        own = plain
        if metric.dialect != "penman":
            given: list[Any] = [
                graphs if _holds(graphs, metric.dialect) else [_text(graph) for graph in known]
                for graphs, known in zip((pred, gold), plain, strict=True)
            ]
            own = corpora_of(given[0], given[1], metric.dialect, "empty")
            if any(len(one) != len(other) for one, other in zip(own, plain, strict=True)):
                # a tool that cuts a file into other pieces
                given = [[_text(graph) for graph in known] for known in plain]
                own = corpora_of(given[0], given[1], metric.dialect, "empty")
        broken = {k for corpus in (*own, *plain) for k, _ in corpus.problems}
        readable = [k for k in range(len(plain[0])) if k not in broken]
        self.n_unreadable = len(broken)
        if not readable:
            raise PairingError(
                f"principles: the reader of {metric.name!r} (dialect {metric.dialect!r}) can read none of the pairs"
            )
        self.pred, self.gold = own[0][readable], own[1][readable]
        self.plain_pred, self.plain_gold = plain[0][readable], plain[1][readable]


def _equal(pairs: Any) -> BoolArray:
    """bool[n_pairs]: all triples of both graphs match, under one map of variables."""
    return (pairs.matched == pairs.n_pred) & (pairs.matched == pairs.n_gold)


def _holds(given: Any, dialect: str) -> bool:
    """Whether the reader of that dialect can have what was given as it is."""
    return given.dialect == dialect if isinstance(given, Corpus) else isinstance(given, str | PathLike | Kept)


def _as_penman(given: Any) -> Any:
    """What was given, a corpus of another dialect read again as Penman."""
    if not isinstance(given, Corpus) or given.dialect == "penman":
        return given
    return parse([_text(graph) for graph in given], on_error="empty")


def _text(graph: Any) -> str:
    """Penman text of a graph; for a graph that has none (a tool may read such) text that every reader refuses."""
    if isinstance(graph, str):
        return graph
    try:
        text: str = graph.encode()
    except FastmatchError:
        return "("
    return text


class _Trial:
    """One metric on the pairs; ``sample`` are the pairs whose graphs are disguised and changed.

    Attributes
    ----------
    originals : dict of int → Graph
        The gold graphs of the sample.
    is_plain : bool
        Whether the metric is plain Smatch, whose matches say which graphs are equal.
    large, limited : bool[n_pairs]
        Pairs whose searches have little work; those of them that a search left without a proof.
    work : int64[n]
        What the last searches have taken, as :func:`limited` counts it.
    """

    def __init__(
        self, metric: Metric, pairs: _Pairs, sample: Int32Array, workers: int, seed: int, report: Steps
    ) -> None:
        self.metric, self.pairs, self.sample, self.workers, self.seed = metric, pairs, sample, workers, seed
        self.report = report
        self.originals = {k: pairs.plain_gold[k] for k in sample.tolist()}
        self.is_plain = metric == make("smatch")
        self.large = large(metric, sizes(pairs.plain_pred), sizes(pairs.plain_gold))
        self.limited = np.zeros(len(self.large), np.bool_)
        self._made: dict[int, Any] = {}

    def first(self, at: Int32Array) -> CorpusScore:
        """The scores of all pairs: where one takes more than an ordinary pair may, its searches have little work."""
        result = self.scored(self.metric, self.pairs.pred, self.pairs.gold, at)
        hard = self.work > WORK["default"]
        if (hard & ~self.large).any():
            self.large |= hard
            result = self.scored(self.metric, self.pairs.pred, self.pairs.gold, at)
        self.report.step()
        return result

    def scored(self, metric: Metric, pred: Corpus, gold: Corpus, at: Int32Array) -> CorpusScore:
        """What a metric makes of graphs that belong to the pairs ``at``, int32[n]."""
        metric, self.work = limited(metric, self.large[at])
        prepared = self._prepared(metric, pred), self._prepared(metric, gold)
        result = score_known_pairs(metric, pred, gold, self.workers, prepared)
        self.limited[at] |= unproven(self.work, result.pairs)
        return result

    def _prepared(self, metric: Metric, graphs: Corpus) -> Any:
        """What the metric prepares; of the pairs themselves, which most runs score, once."""
        if metric != self.metric or (graphs is not self.pairs.pred and graphs is not self.pairs.gold):
            return metric.prepare(graphs)
        if id(graphs) not in self._made:
            self._made[id(graphs)] = metric.prepare(graphs)
        return self._made[id(graphs)]

    def gold(self, at: Int32Array) -> Corpus:
        """The gold graphs of the pairs ``at``."""
        return self.pairs.gold if len(at) == len(self.pairs.gold) else self.pairs.gold[at]

    def matched(self, pred: Corpus, gold: Corpus, at: Int32Array) -> Any:
        """Which triples match by plain Smatch."""
        return self.scored(make("smatch"), pred, gold, at).pairs

    def run(self, pred: Corpus, gold: Corpus, at: Int32Array, metric: Metric | None = None) -> tuple[FloatArray, float]:
        """The scores of the pairs, float64[n], and of the corpus."""
        result = self.scored(metric or self.metric, pred, gold, at)
        self.report.step()
        return result.pairs.score, result.score

    def disguised(self, graphs: Corpus, seed: int) -> tuple[Corpus, Int32Array]:
        """The sample of the graphs, disguised, as far as the metric can read them; and which of the graphs they are."""
        texts = {}
        for k in self.sample.tolist():
            with suppress(FastmatchError):  # a graph that no text can hold
                texts[k] = disguised(graphs[k], k, seed)
        made, kept = self.read(list(texts.values()), self.metric.dialect, self.pairs.gold)
        return made, np.array(list(texts), np.int32)[kept]

    def read(self, texts: list[str], dialect: Dialect, home: Corpus) -> tuple[Corpus, list[int]]:
        """The texts that are graphs in a dialect, in the vocabulary of another corpus; and which of them they are."""
        made = parse(texts, dialect=dialect, on_error="empty", vocabulary=home.vocabulary)
        broken = {k for k, _ in made.problems}
        kept = [k for k in range(len(made)) if k not in broken]
        return (made[kept] if broken else made), kept

    def probe(self, change: str, selves: FloatArray) -> Probe:
        """Change the sample of the gold graphs, and score them; ``selves``: their scores with themselves."""
        gold, plain_gold = self.pairs.gold, self.pairs.plain_gold
        texts = {
            k: text for k, graph in self.originals.items() if (text := altered(graph, change, k, self.seed)) is not None
        }
        if change in MEANINGS:  # leave out graphs that are equal still: exchanging equal parts changes nothing
            plain, kept = self.read(list(texts.values()), "penman", plain_gold)
            index = np.array(list(texts), np.int32)[kept]
            pairs = self.matched(plain, plain_gold[index], index)
            different = ~_equal(pairs)
            texts = {k: texts[k] for k in index[different].tolist()}
        if change in MEANINGS and self.is_plain:
            index, scores = index[different], pairs.score[different]
            self.report.step()
        else:
            changed, kept = self.read(list(texts.values()), self.metric.dialect, gold)
            index = np.array(list(texts), np.int32)[kept]
            scores, _ = self.run(changed, self.gold(index), index)
        loss = selves[index] - scores
        return Probe(len(loss), int((loss <= _EXACT).sum()), float(loss.mean()) if len(loss) else np.nan)


def _repetitions(metric: Metric, runs: int, seed: int) -> list[Metric]:
    """The metric as often as it is to be run, with another seed each time if it has one."""
    if any(entry.name == "seed" for entry in fields(metric)):  # type: ignore[arg-type]
        return [replace(metric, seed=seed + k) for k in range(runs)]  # type: ignore[type-var]
    return [metric] * runs


def _within(scores: FloatArray) -> BoolArray:
    return (scores >= 0) & (scores <= 1 + _EXACT)


def _n_other_than_1(scores: FloatArray) -> int:
    return int((~(np.abs(scores - 1) <= DIFFERENT)).sum())


def _deviation(values: FloatArray) -> FloatArray:
    """Sample standard deviation over runs, float64[runs, …] → float64[…].

    Exactly 0 for equal values, which rounding of the mean could miss.
    """
    return np.where((values == values[0]).all(axis=0), 0.0, values.std(axis=0, ddof=1))


def _interval_of_mean(values: FloatArray, seed: int) -> tuple[float, float]:
    """95 % bootstrap interval (BCa) of a mean, (nan, nan) of less than two values."""
    n = len(values)
    if n < 2 or np.isnan(values).any():
        return np.nan, np.nan
    rng = np.random.default_rng(seed)
    replicates = np.array([values[rng.integers(0, n, n)].mean() for _ in range(_RESAMPLES)])
    left_out = (values.sum() - values) / (n - 1)
    low, high = interval(float(values.mean()), replicates, left_out, 0.95, "bca")
    return low, high


def rank_correlation(scores: FloatArray, others: FloatArray) -> float:
    """Spearman's rho, nan if either does not vary. Scores that rounding alone parts are equal; nan is left out."""
    known = ~np.isnan(scores)
    return correlation(np.round(scores[known], 12), np.round(others[known], 12), "spearman")
