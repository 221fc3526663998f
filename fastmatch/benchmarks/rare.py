"""RARE: does a metric notice how much of a graph was rewired? (Kachwala et al. 2024, "Rematch", sections 4.1 and 5.1.)

A corpus is divided, 80 : 10 : 10, and every graph of it rewired step by step (:mod:`fastmatch.benchmarks.rewiring`).
Each step makes a pair of the original and the rewired graph, and its label is the share of edges that are still there.
A graph with any step makes one more pair with itself, whose label is 1. The result is Spearman's rho between scores and
labels over all pairs of a split: the metric's *structural consistency*. The prediction is the original, the gold graph
the rewired one; pairs without a score (nan) are left out.

Two presets decide how pairs are made:

``default``
    as the paper says, by seed; the split as well.
``tool``
    as the published program does, with its seed of 0: the same pairs in the same order, in penman's spelling.

The published figures are for AMR 3.0. Its graphs are larger than those of The Little Prince, for instance, so they
stand beside one's own for orientation only.

:func:`generate` makes pairs, :func:`write` and :func:`load` keep them in files, all written or none, and those of the
published program as well; :func:`evaluate` runs metrics on them.
"""

from __future__ import annotations

import errno
import os
import re
import warnings
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import ExitStack, suppress
from dataclasses import dataclass
from math import isfinite, nan
from time import perf_counter
from typing import Any, Literal, TypeAlias

import numpy as np
from numpy.typing import NDArray

from fastmatch.benchmarks.rewiring import Rewirings, Stream, legacy_order, rewire, rewire_as_published
from fastmatch.benchmarks.shared import (
    correlation,
    hurried,
    large,
    limited,
    limits_note,
    named_metrics,
    sizes,
    unproven,
    visits,
)
from fastmatch.errors import FastmatchWarning, OptionError, ReadError, choice, first_few
from fastmatch.graphs.corpus import Corpus
from fastmatch.graphs.forms import Graphs, corpus_of
from fastmatch.graphs.reading import contents, parse
from fastmatch.graphs.sources import decoded
from fastmatch.metrics.base import Metric
from fastmatch.metrics.run import run
from fastmatch.metrics.shared.search import WORK
from fastmatch.report.cells import Number
from fastmatch.report.frames import Tabular
from fastmatch.report.model import Report, Reported, Table
from fastmatch.report.writing import attributes, plain
from fastmatch.results.words import short_name
from fastmatch.runtime.files import new_bytes
from fastmatch.runtime.progress import Steps
from fastmatch.types import Dialect, FloatArray, Int32Array, Int64Array, Progress

Preset: TypeAlias = Literal["default", "tool"]
Split: TypeAlias = Literal["train", "dev", "test"]

SPLITS: tuple[Split, ...] = ("train", "dev", "test")
PRESETS: tuple[Preset, ...] = ("default", "tool")


@dataclass(frozen=True)
class RarePairs:
    """The pairs of one split.

    Attributes
    ----------
    split : str
    n_graphs : int
        Graphs of the split, those without a possible exchange included unless the pairs were loaded.
    originals : tuple of str
        Penman text of each graph that could be rewired.
    rewired : tuple of str
        Penman text of the second graph of each pair.
    index : int32[n_pairs]
        Which of the originals is the first.
    labels : tuple of str
        ``<graph>_<step>_<edges exchanged>``, for a graph with itself ``<graph>_-1``. Graphs count from 0 in the corpus,
        under the preset ``tool`` after its shuffle; steps count the original edges in the order of their turns.
    scores : float64[n_pairs]
        Share of edges that are still there, in [0, 1].
    """

    split: Split
    n_graphs: int
    originals: tuple[str, ...]
    rewired: tuple[str, ...]
    index: Int32Array
    labels: tuple[str, ...]
    scores: FloatArray

    def __len__(self) -> int:
        return len(self.rewired)


@dataclass(frozen=True)
class RareSet:
    """The pairs of a corpus, and how they were made.

    Attributes
    ----------
    splits : tuple of RarePairs
    source : str
        Name of the corpus, or of the folder that the pairs were loaded from.
    preset : str
    seed : int or None
        Of splitting and rewiring; 0 under the preset ``tool``, None for what was loaded.
    """

    splits: tuple[RarePairs, ...]
    source: str
    preset: Preset
    seed: int | None

    def to_dict(self) -> dict[str, Any]:
        """Numbers of graphs and pairs, as plain Python values, without scores and texts."""
        return {
            "corpus": self.source,
            "preset": self.preset,
            "seed": self.seed,
            "splits": {
                pairs.split: {"graphs": pairs.n_graphs, "rewired": len(pairs.originals), "pairs": len(pairs)}
                for pairs in self.splits
            },
        }


def generate(
    corpus: Graphs,
    splits: Sequence[Split] = SPLITS,
    *,
    preset: Preset = "default",
    seed: int = 0,
    progress: Progress = None,
) -> RareSet:
    """Divide a corpus and rewire its graphs.

    Parameters
    ----------
    corpus : Corpus, or graphs in another form
        As for :func:`fastmatch.score`; a corpus must have been read with the dialect ``penman``.
    splits : sequence of str
        Which of train, dev and test to make. What is in one depends on no other.
    preset : {"default", "tool"}
        See the top of :mod:`fastmatch.benchmarks.rare`.
    seed : int
        Of splitting and rewiring, 0 or more; only 0 goes with the preset ``tool``.
    progress : None, bool or callable
        True draws a bar on a terminal; a callable gets (graphs done, graphs in all).

    Returns
    -------
    RareSet

    Raises
    ------
    OptionError
        If the corpus is empty or of another dialect, or there is no such split, preset or seed.
    ReadError, TypeError
        As for :func:`fastmatch.score`.
    FastmatchError
        Under the preset ``tool``, if penman cannot read or write a graph.

    Warns
    -----
    FastmatchWarning
        If graphs are too large for all their exchanges: ``WORK`` of :mod:`fastmatch.benchmarks.rewiring`.
    """
    choice("preset", preset, PRESETS)
    for split in splits:
        choice("split", split, SPLITS)
    if seed < 0 or (preset == "tool" and seed != 0):
        raise OptionError(
            f"seed={seed!r}: expected {'0, the seed of the program' if preset == 'tool' else '0 or more'}"
        )
    corpus = corpus_of("corpus", corpus, None, "penman", "raise")
    if corpus.dialect != "penman":
        raise OptionError(f"rare: expected graphs read with dialect='penman', not {corpus.dialect!r}")
    if not len(corpus):
        raise OptionError(f"{corpus.source}: no graphs, expected at least one to rewire")
    members = divide(len(corpus), preset, seed)
    made = []
    cut: list[int] = []
    with Steps(progress, sum(len(members[split]) for split in splits), "graphs") as report:
        for split in splits:
            rewirings: list[Rewirings] = []
            for number, index in members[split]:
                if preset == "tool":
                    rewirings.append(rewire_as_published(corpus[index], number))
                else:
                    rewirings.append(rewire(corpus[index], number, seed))
                if rewirings[-1].cut:
                    cut.append(index)
                report.step()
            made.append(_collected(split, rewirings))
    if cut:
        warnings.warn(
            f"{corpus.source}: {len(cut):,} of {len(corpus):,} graphs are too large for all their exchanges, so their "
            f"series end early (graph {first_few(map(str, sorted(cut)))})",
            FastmatchWarning,
            stacklevel=2,
        )
    return RareSet(tuple(made), corpus.source, preset, seed)


def divide(n: int, preset: Preset, seed: int) -> dict[Split, list[tuple[int, int]]]:
    """Split → (number for labels and seeds, index) of each of its graphs: eight tenths, one tenth, the rest.

    ``n``: graphs of the corpus.
    """
    n_train, n_dev = int(0.8 * n), int(0.1 * n)
    bounds = (0, n_train, n_train + n_dev, n)
    # the stream of the corpus: its third number is one that no graph's stream has
    order = legacy_order(n) if preset == "tool" else tuple(Stream(seed, 0, 1).shuffled(n))
    found: dict[Split, list[tuple[int, int]]] = {}
    for split, start, stop in zip(SPLITS, bounds, bounds[1:], strict=False):
        part = order[start:stop]
        found[split] = list(enumerate(part, start)) if preset == "tool" else [(index, index) for index in sorted(part)]
    return found


def _collected(split: Split, rewirings: list[Rewirings]) -> RarePairs:
    """The pairs of all graphs of a split."""
    kept = [one for one in rewirings if one.series]
    flat = [(index, made) for index, one in enumerate(kept) for made in one.series]
    return RarePairs(
        split=split,
        n_graphs=len(rewirings),
        originals=tuple(one.original for one in kept),
        rewired=tuple(made.text for _, made in flat),
        index=np.array([index for index, _ in flat], np.int32),
        labels=tuple(made.label for _, made in flat),
        scores=np.array([made.score for _, made in flat], np.float64),
    )


def check_folder(folder: str | os.PathLike[str]) -> None:
    """Raise OSError, before any work is done, if :func:`write` could not write there."""
    path = os.fspath(folder)
    if not os.path.isdir(path):
        if os.path.lexists(path):
            raise NotADirectoryError(errno.ENOTDIR, os.strerror(errno.ENOTDIR), path)
        path = os.path.dirname(os.path.abspath(path))
        if not os.path.isdir(path):
            raise FileNotFoundError(errno.ENOENT, os.strerror(errno.ENOENT), path)
    if not os.access(path, os.W_OK | os.X_OK):
        raise PermissionError(errno.EACCES, os.strerror(errno.EACCES), path)


def write(pairs: RareSet, folder: str | os.PathLike[str]) -> None:
    """Write pairs as files; all of them or, if something goes wrong, none.

    ``<split>.original.amr`` and ``<split>.rewired.amr`` hold the two graphs of each pair, ``<split>.tsv`` its label and
    score. Under the preset ``tool`` the names are the published program's, and labels and scores are two ``.npy``
    files, so that its evaluation can read them. Files of these names are replaced.

    Raises
    ------
    OSError
        If the folder cannot be made or written.
    """
    path = os.fspath(folder)
    check_folder(path)
    fresh = not os.path.isdir(path)
    if fresh:
        os.mkdir(path)
    try:
        with ExitStack() as whole:  # if one cannot be written, none takes its place
            for split in pairs.splits:
                for name, content in _files(split, pairs.preset):
                    file = whole.enter_context(new_bytes(os.path.join(path, name)))
                    if isinstance(content, str):
                        file.write(content.encode())
                    else:
                        np.save(file, content)
                    file.flush()  # the disk may be full: found before the first one takes its place
    except BaseException:
        if fresh:
            with suppress(OSError):  # another program has put something there
                os.rmdir(path)
        raise


def _files(split: RarePairs, preset: Preset) -> Iterator[tuple[str, str | NDArray[Any]]]:
    """Names and contents of the files of a split."""
    names = _names(split.split, preset)
    yield names[0], _blocks(split.originals[index] for index in split.index.tolist())
    yield names[1], _blocks(split.rewired)
    if preset == "tool":
        yield names[2], np.array(split.labels, np.str_)
        yield names[3], split.scores
        return
    rows = zip(split.labels, split.scores.tolist(), strict=True)
    yield names[2], "label\tscore\n" + "".join(f"{label}\t{score!r}\n" for label, score in rows)


def _names(split: Split, preset: Preset) -> list[str]:
    """Names of a split's files: originals, rewired graphs, labels and scores (the program has a file for either)."""
    if preset == "tool":
        graphs = [f"{split}_unwiki_{which}_rewire.txt" for which in ("unoisy", "noisy")]
        return [*graphs, *(f"{split}_noisy_{what}_rewire.npy" for what in ("labels", "scores"))]
    return [f"{split}.{what}" for what in ("original.amr", "rewired.amr", "tsv")]


def _blocks(texts: Iterable[str]) -> str:
    """Graphs with empty lines between them."""
    joined = "\n\n".join(texts)
    return f"{joined}\n" if joined else ""


def load(folder: str | os.PathLike[str], splits: Sequence[Split] = SPLITS) -> RareSet:
    """Read pairs that :func:`write`, or the published program, has written.

    Parameters
    ----------
    folder : path
    splits : sequence of str
        Which of train, dev and test; what is not there is left out.

    Returns
    -------
    RareSet

    Raises
    ------
    OptionError
        If there is none of the splits, or there is no such split.
    ReadError
        If a file is not what it should be, or files of a split differ in the number of pairs.
    OSError
        If a file cannot be read.
    """
    path = os.fspath(folder)
    for split in splits:
        choice("split", split, SPLITS)
    for preset in PRESETS:
        present = [split for split in splits if os.path.exists(os.path.join(path, _names(split, preset)[0]))]
        if present:
            return RareSet(tuple(_loaded(path, split, preset) for split in present), path, preset, None)
    wanted = " or ".join(_names(splits[0] if len(splits) == 1 else "test", preset)[0] for preset in PRESETS)
    raise OptionError(f"{path}: no pairs of RARE for {', '.join(splits)}; expected files such as {wanted}")


def _loaded(folder: str, split: Split, preset: Preset) -> RarePairs:
    names = [os.path.join(folder, name) for name in _names(split, preset)]
    first, second = (_texts(name) for name in names[:2])
    labels, scores = _table(names[2]) if preset == "default" else _arrays(names[2], names[3])
    if not len(first) == len(second) == len(scores) == len(labels):
        raise ReadError(
            f"{len(second)} graphs, but {len(first)} originals and {len(scores)} scores; expected a line for each pair",
            source=names[1],
        )
    originals = dict.fromkeys(first)
    places = {text: place for place, text in enumerate(originals)}
    index = np.array([places[text] for text in first], np.int32)
    return RarePairs(split, len(originals), tuple(originals), tuple(second), index, tuple(labels), scores)


def _texts(name: str) -> list[str]:
    """The blocks of a file that hold a graph; blocks are what stands between empty lines."""
    _, data = contents(name)
    text = data if isinstance(data, str) else decoded(name, bytes(data)).removeprefix("\ufeff")
    blocks = re.split(r"\n(?:[^\S\n]*\n)+", text.replace("\r\n", "\n"))
    return [block.strip("\n") for block in blocks if re.search(r"^\s*[^#\s]", block, re.MULTILINE)]


def _table(name: str) -> tuple[list[str], FloatArray]:
    """Labels and scores, from a table with two columns and a header."""
    _, data = contents(name)
    lines = (data if isinstance(data, str) else bytes(data).decode("utf-8-sig", "replace")).splitlines()
    labels: list[str] = []
    scores: list[float] = []
    for number, line in enumerate(lines):
        label, _, score = line.partition("\t")
        if not number and (label, score) == ("label", "score"):
            continue
        try:
            scores.append(float(score) if number else nan)
        except ValueError:
            scores.append(nan)
        if not isfinite(scores[-1]):
            expected = "label, a tab and a finite score" if number else "the header 'label', a tab, 'score'"
            raise ReadError(f"expected {expected}, found {line[:40]!r}", source=name, line=number + 1, column=1)
        labels.append(label)
    return labels, np.array(scores, np.float64)


def _arrays(labels_name: str, scores_name: str) -> tuple[list[str], FloatArray]:
    """Labels and scores, from the program's two files."""
    found = []
    for name in (labels_name, scores_name):
        try:
            found.append(np.load(name, allow_pickle=False))
        except (ValueError, EOFError) as error:
            raise ReadError(f"no .npy file: {error}", source=name) from None
        if not isinstance(found[-1], np.ndarray):
            raise ReadError("an archive of arrays (.npz); expected one array", source=name)
    labels, scores = found
    if labels.ndim != 1 or scores.ndim != 1 or scores.dtype.kind not in "fiu" or not np.isfinite(scores).all():
        raise ReadError("expected a list of finite numbers, and of labels beside it", source=scores_name)
    return list(map(str, labels)), scores.astype(np.float64)


#: Table 1 of the paper, in points: the test split of AMR 3.0, 56,718 pairs.
PUBLISHED = {"smatch": 96.57, "s2match": 94.11, "sembleu": 94.83, "wlk": 90.39, "wwlk": 86.31, "rematch": 95.32}


@dataclass(frozen=True)
class RareRow:
    """One metric's results.

    Attributes
    ----------
    metric : str
        What was asked for.
    signature : str
    values : tuple of float
        Spearman's rho in points (−100 to 100) for each split; nan where it is not defined.
    n_unscored : tuple of int
        Pairs left out of each because the metric gave nan.
    n_unreadable : tuple of int
        Graphs of each that the metric's reader could not read; they scored as empty graphs.
    n_limited : tuple of int
        Pairs of each that were searched with little work, and not proven, because they are large or so many.
    published : float or None
        The paper's figure for this metric on the test split of AMR 3.0.
    seconds : float
        Wall time of preparing and scoring, without generating and reading.
    """

    metric: str
    signature: str
    values: tuple[float, ...]
    n_unscored: tuple[int, ...]
    n_unreadable: tuple[int, ...]
    n_limited: tuple[int, ...]
    published: float | None
    seconds: float


#: Visits that the searches of all pairs of one graph may take; those of a graph that would take more have little work.
_SERIES = 8 * WORK["default"]

_COLUMNS = ("metric", "split", "pairs", "spearman", "published", "unscored", "unreadable", "signature")


@dataclass(frozen=True)
class RareResult(Reported, Tabular):
    """Rows in the order in which the metrics were given, and the pairs that their numbers come from."""

    rows: tuple[RareRow, ...]
    pairs: RareSet

    def _rows(self) -> list[dict[str, Any]]:
        """One row a metric and split, with the cells of ``_COLUMNS``."""
        found = []
        for row in self.rows:
            for k, split in enumerate(self.pairs.splits):
                published = row.published if split.split == "test" else None
                figures = (len(split), row.values[k], published, row.n_unscored[k], row.n_unreadable[k])
                found.append(dict(zip(_COLUMNS, (row.metric, split.split, *figures, row.signature), strict=True)))
        return found

    def to_dict(self) -> dict[str, Any]:
        """Everything as plain Python values, ready for JSON; undefined numbers are None."""
        splits = [pairs.split for pairs in self.pairs.splits]
        return {
            **self.pairs.to_dict(),
            "rows": [
                {
                    **attributes(row, "metric", "signature"),
                    "spearman": dict(zip(splits, plain(row.values), strict=True)),
                    "unscored": dict(zip(splits, row.n_unscored, strict=True)),
                    "unreadable": dict(zip(splits, row.n_unreadable, strict=True)),
                    "limited": dict(zip(splits, row.n_limited, strict=True)),
                    **attributes(row, "published", "seconds"),
                }
                for row in self.rows
            ],
        }

    def report(self) -> Report:
        """The numbers of pairs, and a row a metric, under it the published figure."""
        pairs = self.pairs
        made = "pairs as they were" if pairs.seed is None else f"preset {pairs.preset}, seed {pairs.seed}"
        sizes = [(split.split, split.n_graphs, len(split.originals), len(split)) for split in pairs.splits]
        title = f"RARE of {pairs.source}, {made}"
        splits = [split.split for split in pairs.splits]
        rows: list[list[object]] = []
        styles, notes = [], []
        for row in self.rows:
            rows.append([short_name(row.metric), *map(Number, row.values), Number(row.seconds)])
            styles.append("")
            if row.published is not None and "test" in splits:
                published = [Number(row.published) if split == "test" else None for split in splits]
                rows.append(["  paper, AMR 3.0", *published, None])
                styles.append("dim")
            for number, what in (
                (sum(row.n_unreadable), "graphs its reader could not read; they scored as empty ones"),
                (sum(row.n_unscored), "pairs without a score were left out"),
            ):
                if number:
                    notes.append(f"{row.metric}: {number:,} {what}")
            notes += limits_note(row.metric, sum(row.n_limited))
        what = "Spearman's rho between score and share of edges kept, points"
        table = Table(["metric", *splits, "s"], rows, what, styles=styles)
        tables = [Table(("split", "graphs", "rewired", "pairs"), sizes, title), *([table] if rows else [])]
        data = [tuple(row.values()) for row in self._rows()]
        signatures = [(row.metric, row.signature) for row in self.rows]
        # all columns, also where no metric was asked for
        report = Report("fastmatch bench rare", tables, _COLUMNS, data, self.to_dict(), signatures, notes)
        of = ", ".join(f"{split.split} {len(split):,}" for split in pairs.splits)
        paper = table._replace(
            header=table.header[:-1], rows=[row[:-1] for row in rows], title=f"{title}, pairs: {of}; {what}"
        )
        return report._replace(paper=report._replace(tables=[paper]))


def evaluate(
    pairs: RareSet,
    metrics: str | Metric | Iterable[str | Metric] = ("smatch",),
    *,
    workers: int = 1,
    progress: Progress = None,
) -> RareResult:
    """Correlate metrics with how much was rewired.

    Parameters
    ----------
    pairs : RareSet
        From :func:`generate` or :func:`load`.
    metrics : str, Metric, or iterable of them
        Metrics with their options, or text such as ``"sembleu/tool,k=2"``
        (:func:`fastmatch.metrics.registry.from_text`).
    workers : int
        Threads, −1 for all CPUs this process may use.
    progress : None, bool or callable
        True draws a bar on a terminal; a callable gets (pairs done, pairs in all), each pair once for each metric.

    Returns
    -------
    RareResult

    Raises
    ------
    OptionError
        If there is no such metric, preset or option.
    """
    made = named_metrics(metrics)
    # value, unscored, unreadable, limited of each split
    found: list[list[tuple[float, int, int, int]]] = [[] for _ in made]
    seconds = [0.0] * len(made)
    done = 0
    with Steps(progress, len(made) * sum(map(len, pairs.splits))) as report:
        for split in pairs.splits:
            corpora: dict[Dialect, tuple[Corpus, Corpus]] = {}  # read once for all metrics of a dialect
            for number, (_, metric) in enumerate(made):
                if metric.dialect not in corpora:
                    corpora[metric.dialect] = _read(split, metric.dialect)
                pred, gold = corpora[metric.dialect]
                began = perf_counter()
                scores, n_open = _scored(metric, pred, gold, split.index, workers, report.part(done))
                seconds[number] += perf_counter() - began
                done += len(split)
                known = ~np.isnan(scores)
                value = 100 * correlation(scores[known], split.scores[known], "spearman")
                unread = len(pred.problems) + len(gold.problems)
                found[number].append((value, len(split) - int(known.sum()), unread, n_open))
    rows = []
    for (label, metric), each, took in zip(made, found, seconds, strict=True):
        values, unscored, unreadable, open_pairs = zip(*each, strict=True) if each else ((), (), (), ())
        signature = str(metric.signature(metric.dialect))
        published = PUBLISHED.get(metric.name)
        rows.append(RareRow(label, signature, values, unscored, unreadable, open_pairs, published, took))
    return RareResult(tuple(rows), pairs)


def _scored(
    metric: Metric, pred: Corpus, gold: Corpus, index: Int32Array, workers: int, report: Callable[[float, int], None]
) -> tuple[FloatArray, int]:
    """The pairs' scores, float64[n_pairs], nan where there is none; how many had little work and have no proof.

    A graph has a pair for every few of its edges. The one in the middle of its series is scored first. If so many
    searches like that one would take more than ``_SERIES``, the others have little work. They lose little: each begins
    with the map that leaves every variable where it was.
    """
    prepared = metric.prepare(pred), metric.prepare(gold)
    scores = np.full(len(index), nan)
    done = n_open = 0

    def score(chosen: Int64Array, metric: Metric, work: Int64Array) -> None:
        nonlocal done, n_open
        before = done

        def told(part: float, _: int) -> None:
            report(before + part, len(index))

        rows, columns = index[chosen], chosen.astype(np.int32)
        scored = run(metric, *prepared, rows, columns, workers=workers, progress=told, allow_nan=True)
        scores[chosen] = next(iter(scored.combine(scored.statistics).values()))
        done += len(chosen)
        n_open += int(unproven(work, scored).sum())

    everything = np.arange(len(index))
    many = large(metric, sizes(pred)[index], sizes(gold))
    if limited(metric, many)[0] is metric:  # as asked, however long it takes
        score(everything, metric, np.zeros(len(index), np.int64))
        return scores, n_open
    series = np.argsort(index, kind="stable")
    graphs, starts, lengths = np.unique(index[series], return_index=True, return_counts=True)
    middle = series[starts + lengths // 2]
    chosen, work = limited(metric, many[middle], _same_names(pred, gold, index, middle))
    score(middle, chosen, work)
    long = np.zeros(len(pred), np.bool_)
    long[graphs] = visits(work) * lengths > _SERIES
    others = np.delete(everything, middle)
    slow = long[index[others]]
    score(others[~slow], *limited(metric, many[others[~slow]]))
    if slow.any():
        score(others[slow], *hurried(metric, _same_names(pred, gold, index, others[slow])))
    return scores, n_open


def _same_names(pred: Corpus, gold: Corpus, index: Int32Array, pairs: Int64Array) -> list[Int32Array]:
    """For each of the pairs: the gold variable that has the name of each variable of the prediction, or −1."""
    maps = []
    for pair in pairs.tolist():
        graph = index[pair]
        names = pred.variable_names[pred.variable_offsets[graph] : pred.variable_offsets[graph + 1]]
        others = gold.variable_names[gold.variable_offsets[pair] : gold.variable_offsets[pair + 1]]
        place_of = {name: place for place, name in enumerate(others.tolist())}
        maps.append(np.array([place_of.get(name, -1) for name in names.tolist()], np.int32))
    return maps


def _read(split: RarePairs, dialect: Dialect) -> tuple[Corpus, Corpus]:
    """What a tool cannot read scores as an empty graph; the rows say how many there were."""
    pred = parse(split.originals, dialect=dialect, on_error="empty")
    return pred, parse(split.rewired, dialect=dialect, on_error="empty", vocabulary=pred.vocabulary)
