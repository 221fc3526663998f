"""BAMBOO: do scores of graph pairs agree with people? (Opitz, Daza and Frank 2021, "Weisfeiler-Leman in the BAMBOO".)

The data are three sets of sentence pairs (STS, SICK, PARA), parsed, in four variants::

    DIR/<set>/<variant>/{src,tgt}.<split>.amr     the graph pairs
    DIR/<set>/<split>.y                           one human rating a pair of ``main``, in lower-case folders

``main``            the pairs as parsed: correlation of score and rating;
``reify``, ``syno`` one graph of each pair reified, or its concepts replaced by synonyms: the same ratings hold;
``role_confusion``  pairs in which roles were exchanged (the *foil*, even rows) or the sentence was paraphrased (odd
                    rows): the paraphrase should score higher than the foil before it.

Five protocols differ in the numbers only:

``0.2``       the benchmark's own since its version 0.2: Pearson's r, and for role confusion the share of foils that
              score strictly lower than their paraphrase;
``0.1``       the paper's table 4: Pearson's r everywhere, for role confusion with 0 (foil) and 1;
``spearman``  as 0.1 with Spearman's rho, as Kachwala et al. (2024) report it;
``rmse``      root mean square error of scores against ratings, after Opitz et al. (2020), table 7: lower is better;
              ``rmse-quantiles`` is that of the quantiles 0.1 … 0.9 of both. Role confusion has no ratings.

The prediction is ``tgt``, the gold graph ``src``, as in the published runs. In every split the last row is no pair of
sentences, and in SICK and PARA the first one is not either: these rows have a rating, but do not count.
"""

from __future__ import annotations

import os
from collections.abc import Iterable
from dataclasses import dataclass
from time import perf_counter
from typing import Any, Literal
from warnings import warn

import numpy as np
from numpy.typing import NDArray

from fastmatch.benchmarks.published import Published, lookup
from fastmatch.benchmarks.shared import Protocol, correlation, named_metrics
from fastmatch.benchmarks.studies import rating_errors
from fastmatch.errors import FastmatchWarning, OptionError, PairingError, choice
from fastmatch.evaluation.scoring import score_corpora
from fastmatch.graphs.corpus import Corpus
from fastmatch.graphs.reading import read
from fastmatch.metrics.base import Metric
from fastmatch.metrics.training.human_scores import counted_rows, read_scores, read_text
from fastmatch.report.cells import Number
from fastmatch.report.frames import Tabular
from fastmatch.report.model import Report, Reported, Table, by_name
from fastmatch.report.writing import attributes, plain
from fastmatch.results.words import short_name
from fastmatch.runtime.cached import cached_property
from fastmatch.runtime.progress import Steps
from fastmatch.types import Dialect, FloatArray, Progress

SETS = ("sts", "sick", "para")
VARIANTS = ("main", "reify", "syno", "role_confusion")
#: (variant, set), in the order of the published tables.
TASKS = tuple((variant, name) for variant in VARIANTS for name in SETS)
PROTOCOLS = ("0.2", "0.1", "spearman", "rmse", "rmse-quantiles")


#: BAMBOO's variants in the heads of columns.
_SHORT = {"main": "", "reify": " re", "syno": " sy", "role_confusion": " role"}
_MEANS = ("amean", "gmean", "hmean", "weighted")
_PROTOCOL = {
    "0.2": "Pearson's r; role confusion: accuracy",
    "0.1": "Pearson's r; role confusion against 0 and 1",
    "spearman": "Spearman's rho; role confusion against 0 and 1",
    "rmse": "root mean square error against the ratings; lower is better",
    "rmse-quantiles": "root mean square error of quantiles against those of the ratings; lower is better",
}


@dataclass(frozen=True)
class BambooRow:
    """One metric's results.

    Attributes
    ----------
    metric : str
        What was asked for.
    signature : str
    values : tuple of float or None, one per task of :data:`TASKS`
        In points (−100 to 100); None where the data has no such task, nan where a correlation is not defined.
    items : tuple of int
        Pairs behind each value.
    published : Published or None
        The row of a publication that this one can be compared with.
    seconds : float
        Wall time, without reading.
    """

    metric: str
    signature: str
    values: tuple[float | None, ...]
    items: tuple[int, ...]
    published: Published | None
    seconds: float

    @cached_property
    def _known(self) -> FloatArray:
        return np.array([value for value in self.values if value is not None], np.float64)

    @property
    def amean(self) -> float:
        """Arithmetic mean over the tasks there are."""
        return float(self._known.mean()) if len(self._known) else float("nan")

    @property
    def gmean(self) -> float:
        """Geometric mean; nan if a value is not positive."""
        known = self._known
        return float(np.exp(np.log(known).mean())) if len(known) and (known > 0).all() else float("nan")

    @property
    def hmean(self) -> float:
        """Harmonic mean, low where a metric fails one task; nan if a value is not positive."""
        known = self._known
        return float(len(known) / (1 / known).sum()) if len(known) and (known > 0).all() else float("nan")

    @property
    def weighted(self) -> float:
        """Mean weighted by the number of pairs."""
        items = [count for count, value in zip(self.items, self.values, strict=True) if value is not None]
        return float(np.average(self._known, weights=items)) if items else float("nan")

    def to_dict(self) -> dict[str, Any]:
        """Everything as plain Python values, ready for JSON; undefined numbers are None."""
        return {
            "metric": self.metric,
            "signature": self.signature,
            "tasks": {
                f"{variant}/{name}": plain(value) for (variant, name), value in zip(TASKS, self.values, strict=True)
            },
            **{mean: plain(getattr(self, mean)) for mean in _MEANS},
            "published": None if self.published is None else self.published._asdict(),
            "seconds": self.seconds,
        }


@dataclass(frozen=True)
class BambooResult(Reported, Tabular):
    """Rows in the order in which the metrics were given; ``protocol`` and ``split`` say what the numbers are."""

    rows: tuple[BambooRow, ...]
    protocol: str
    split: str

    @property
    def tasks(self) -> tuple[tuple[str, str], ...]:
        """The tasks that the data has."""
        return tuple(task for k, task in enumerate(TASKS) if any(row.values[k] is not None for row in self.rows))

    def _rows(self) -> list[dict[str, Any]]:
        """One row a metric; a task that is not in the data is None."""
        return [
            {
                "metric": row.metric,
                **dict(zip(map("/".join, TASKS), row.values, strict=True)),
                **attributes(row, *_MEANS, "seconds", "signature"),
            }
            for row in self.rows
        ]

    def to_dict(self) -> dict[str, Any]:
        """Everything as plain Python values, ready for JSON; undefined numbers are None."""
        return {"protocol": self.protocol, "split": self.split, "rows": [row.to_dict() for row in self.rows]}

    def report(self) -> Report:
        """A table of the published shape: a row a metric, under it the published row nearest to it, and means."""
        kept = [TASKS.index(task) for task in self.tasks]
        rows: list[list[object]] = []
        styles = []
        for row in self.rows:
            numbers = [*(row.values[k] for k in kept), *(getattr(row, mean) for mean in _MEANS), row.seconds]
            rows.append([short_name(row.metric), *map(Number, numbers)])
            styles.append("")
            if row.published is not None:
                name = f"  {row.published.source}: {row.published.label}"
                values = [row.published.values[k] for k in kept]
                published = [Number(float("nan") if value is None else value) for value in values]
                rows.append([name, *published, *[None] * (len(_MEANS) + 1)])
                styles.append("dim")
        header = ["metric", *(f"{name.upper()}{_SHORT[variant]}" for variant, name in self.tasks), *_MEANS, "s"]
        missing = ", ".join(
            f"{name.upper()}{_SHORT[variant]}" for variant, name in TASKS if (variant, name) not in self.tasks
        )
        title = f"BAMBOO {self.split}, protocol {self.protocol} ({_PROTOCOL[self.protocol]}), points"
        notes = [f"not in the data, and not in the means: {missing}"] if missing else []
        table = Table(header, rows, title, notes, styles)
        data = [{"metric": "", **attributes(self, "protocol", "split"), **row} for row in self._rows()]
        signatures = [(row.metric, row.signature) for row in self.rows]
        report = Report("fastmatch bench bamboo", [table], *by_name(data), self.to_dict(), signatures)
        without_times = table._replace(header=header[:-1], rows=[row[:-1] for row in rows])
        return report._replace(paper=report._replace(tables=[without_times]))


def bamboo(
    folder: str | os.PathLike[str],
    metrics: str | Metric | Iterable[str | Metric] = ("smatch",),
    *,
    protocol: Protocol = "0.2",
    split: Literal["train", "dev", "test"] = "test",
    workers: int = 1,
    progress: Progress = None,
) -> BambooResult:
    """Run metrics on BAMBOO.

    Parameters
    ----------
    folder : path
        The benchmark's data folder; sets and variants that are missing are left out.
    metrics : str, Metric, or iterable of them
        Metrics with their options, or text such as ``"sembleu/tool,k=2"``
        (:func:`fastmatch.metrics.registry.from_text`).
    protocol : {"0.2", "0.1", "spearman", "rmse", "rmse-quantiles"}
    split : {"test", "dev", "train"}
    workers : int
        Threads, −1 for all CPUs this process may use.
    progress : None, bool or callable
        True draws a bar on a terminal; a callable gets (tasks done, tasks in all).

    Returns
    -------
    BambooResult

    Raises
    ------
    OptionError
        If there is no data in the folder, or no such metric, protocol or split.
    ReadError
        If a file of ratings is not one finite number a line.
    PairingError
        If the two files of a task, or graphs and ratings, differ in number.
    """
    choice("protocol", protocol, PROTOCOLS)
    choice("split", split, ("test", "dev", "train"))
    made = named_metrics(metrics)
    tasks = [_Task(os.fspath(folder), variant, name, split) for variant, name in TASKS]
    rated = protocol in ("rmse", "rmse-quantiles")
    present = [task for task in tasks if task.exists and not (rated and task.variant == "role_confusion")]
    if not present:
        raise _nothing(folder, split)
    values: dict[tuple[int, int], float] = {}
    seconds = [0.0] * len(made)
    with Steps(progress, len(present) * len(made), "tasks") as report:
        # task by task, so that only the graphs of one are in memory, and read once for all metrics of a dialect
        for place, task in enumerate(tasks):
            corpora: dict[Dialect, tuple[Corpus, Corpus]] = {}
            for number, (_, metric) in enumerate(made if task in present else ()):
                if metric.dialect not in corpora:
                    corpora[metric.dialect] = task.read(metric.dialect)
                pred, gold = corpora[metric.dialect]
                began = perf_counter()
                # not ``score``, which warns that the sentences of pairs differ, as they do here
                scores = score_corpora(metric, pred, gold, workers, None, mapping=False)[0].score
                seconds[number] += perf_counter() - began
                values[number, place] = 100 * task.judge(scores, protocol)
                report.step()
    items = tuple(task.n_counted for task in tasks)
    rows = []
    for number, (label, metric) in enumerate(made):
        signature = str(metric.signature(metric.dialect))
        figures = tuple(values.get((number, place)) for place in range(len(tasks)))
        published = lookup(metric, protocol) if split == "test" else None
        rows.append(BambooRow(label, signature, figures, items, published, seconds[number]))
    return BambooResult(tuple(rows), protocol, split)


def bamboo_pairs(
    folder: str | os.PathLike[str],
    split: Literal["train", "dev", "test"],
    *,
    variants: Iterable[str] = VARIANTS,
    leave_out: Iterable[str] = (),
    genres: bool = False,
    dialect: Dialect = "penman",
) -> dict[str, tuple[Corpus, Corpus, FloatArray | None]]:
    """The pairs of BAMBOO's tasks and their human scores, to train on or to be judged by.

    Parameters
    ----------
    folder : path
        The benchmark's data folder; tasks that are missing are left out.
    split : {"train", "dev", "test"}
    variants : iterable of str
        Of :data:`VARIANTS`.
    leave_out : iterable of str
        Sets that are not wanted.
    genres : bool
        Also the parts of STS by where its sentences come from, beside the whole: names such as ``"main/sts/captions"``,
        ``news`` and ``forums``. The folder must have the table of its sentences, ``sts/orig.<split>.txt``.
    dialect : str
        How graphs are read.

    Returns
    -------
    dict of str → (pred, gold, scores)
        By names such as ``"main/sts"``. Rows that do not count are left out. For role confusion there are no scores but
        None: rows are foils and paraphrases in turn.

    Raises
    ------
    OptionError
        If there is no such split, variant or set, or no data in the folder.
    ReadError, PairingError
        As for :func:`bamboo`.
    """
    choice("split", split, ("test", "dev", "train"))
    wanted, unwanted = tuple(variants), tuple(leave_out)
    for name, given, known in (("variants", wanted, VARIANTS), ("leave_out", unwanted, SETS)):
        for each in given:
            choice(name, each, known)
    found: dict[str, tuple[Corpus, Corpus, FloatArray | None]] = {}
    for variant, name in TASKS:
        task = _Task(os.fspath(folder), variant, name, split)
        if variant not in wanted or name in unwanted or not task.exists:
            continue
        pred, gold = task.read(dialect)
        if variant == "role_confusion":
            found[f"{variant}/{name}"] = pred, gold, None
            continue
        ratings, counted = task.ratings(len(pred))
        pairs = pred[counted], gold[counted], ratings
        found[f"{variant}/{name}"] = pairs
        if genres and name == "sts":
            kinds = _genres(os.path.join(os.fspath(folder), name, f"orig.{split}.txt"), len(pairs[2]))
            for kind in dict.fromkeys(kinds.tolist()):
                rows = np.flatnonzero(kinds == kind)
                found[f"{variant}/{name}/{kind}"] = pairs[0][rows], pairs[1][rows], pairs[2][rows]
    if not found:
        raise _nothing(folder, split)
    return found


def check_folder(folder: str | os.PathLike[str], split: str) -> None:
    """Raise OptionError unless some task of BAMBOO is there, without reading anything."""
    if not any(_Task(os.fspath(folder), variant, name, split).exists for variant, name in TASKS):
        raise _nothing(folder, split)


def _nothing(folder: str | os.PathLike[str], split: str) -> OptionError:
    example = os.path.join("sts", "main", f"src.{split}.amr")
    return OptionError(f"{os.fspath(folder)}: expected BAMBOO's data, such as {example}")


def _genres(path: str, n: int) -> NDArray[np.str_]:
    """Where the sentences of each pair of STS come from: the first column of the benchmark's table of sentences."""
    text = read_text(path, " (it says of what genre STS's sentences are)")
    kinds = [line.split("\t", 1)[0].removeprefix("main-") for line in text.split("\n") if line.strip()]
    if len(kinds) != n:
        raise PairingError(f"{path}: {len(kinds)} lines for {n} pairs")
    # both spellings occur, in different splits
    return np.array(["forums" if kind == "forum" else kind for kind in kinds])


class _Task:
    """One variant of one set: where its files are, and how scores of its pairs are judged."""

    def __init__(self, folder: str, variant: str, name: str, split: str) -> None:
        self.variant, self.name = variant, name
        self.paths = [os.path.join(folder, name, variant, f"{of}.{split}.amr") for of in ("tgt", "src")]
        self.ratings_path = os.path.join(folder, name, f"{split}.y")
        self.exists = all(map(os.path.exists, self.paths))
        self.n_counted = 0

    def read(self, dialect: Dialect) -> tuple[Corpus, Corpus]:
        """Predictions and gold graphs."""
        # what a tool cannot read scores like an empty graph, as the published runs had it
        pred = read(self.paths[0], dialect=dialect, on_error="empty")
        gold = read(self.paths[1], dialect=dialect, on_error="empty", vocabulary=pred.vocabulary)
        if len(pred) != len(gold):
            raise PairingError(f"{self.paths[0]}: {len(pred)} graphs, but {len(gold)} in {self.paths[1]}")
        for path, corpus in zip(self.paths, (pred, gold), strict=True):
            if corpus.problems:
                number, message = corpus.problems[0]
                text = f"{path}: {len(corpus.problems)} of {len(corpus)} graphs cannot be read and count as empty"
                warn(f"{text}; the first is graph {number}: {message}", FastmatchWarning, stacklevel=3)
        return pred, gold

    def ratings(self, n_pairs: int) -> tuple[FloatArray, slice]:
        """The human ratings that count, and which rows they are."""
        ratings = read_scores(self.ratings_path)
        if len(ratings) != n_pairs:
            raise PairingError(f"{self.ratings_path}: {len(ratings)} ratings of {n_pairs} pairs")
        counted = counted_rows(self.name, n_pairs)
        return ratings[counted], counted

    def judge(self, scores: FloatArray, protocol: Protocol) -> float:
        """The task's number, a fraction; sets ``n_counted``, the number of pairs behind it."""
        if self.variant == "role_confusion":
            self.n_counted = len(scores)
            if protocol == "0.2":
                foils, paraphrases = scores[0::2], scores[1::2]
                if len(foils) != len(paraphrases):
                    raise PairingError(f"{self.paths[0]}: {len(scores)} pairs, expected foils and paraphrases in turn")
                return float((paraphrases > foils).mean())
            return correlation(scores, (np.arange(len(scores)) % 2).astype(np.float64), protocol)
        ratings, counted = self.ratings(len(scores))
        scores = scores[counted]
        self.n_counted = len(scores)
        if protocol in ("rmse", "rmse-quantiles"):
            return rating_errors(scores, ratings)[protocol == "rmse-quantiles"]
        return correlation(scores, ratings, protocol)
