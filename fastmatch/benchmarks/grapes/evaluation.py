"""GrAPES (Groschwitz, Cohen, Donatelli and Fowlie 2023): what an AMR parser can do, category by category.

Most numbers of the suite are the share of items found, with a Wilson interval (Wilson 1927). Items are judged exactly
as the published program judges them; :mod:`fastmatch.benchmarks.grapes.judging` says how. Beyond what it does:

* a prediction that cannot be read is an empty graph, in which nothing is found, and is counted;
* what is left out, and why, is part of the result;
* several systems are judged in one run and compared item by item (McNemar's test, exact);
* averages of sets are right. The program's go wrong when a licensed category is missing, see
  :meth:`~fastmatch.benchmarks.grapes.GrapesResult.averages`;
* Smatch is the certified optimum of the triples of smatch 1.0.4, where the program has a random lower bound.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from os import PathLike, fspath
from typing import TypeAlias

from fastmatch.benchmarks.grapes.categories import Category, chosen
from fastmatch.benchmarks.grapes.judging import conjuncts, metrics_of
from fastmatch.benchmarks.grapes.results import SMATCH, GrapesResult, GrapesRow, GrapesSystem, LeftOut, Preset
from fastmatch.benchmarks.grapes.suite import EXTRAS, Part, Suite, Task
from fastmatch.benchmarks.grapes.views import Views
from fastmatch.errors import OptionError, PairingError, choice
from fastmatch.evaluation.checks import warn_odd_metadata
from fastmatch.evaluation.pairing import Rules, pairing
from fastmatch.evaluation.scoring import score
from fastmatch.graphs.corpus import Corpus
from fastmatch.graphs.reading import parse, read
from fastmatch.report.cells import count
from fastmatch.runtime.collecting import no_collection
from fastmatch.runtime.progress import Steps
from fastmatch.types import PairBy, Progress

Source: TypeAlias = str | PathLike[str] | Corpus

_OF_LISTS = ("Conjunct recall", "Conjunct precision", "Unseen :opi recall")

#: Graphs of the suite that are in a category's Smatch and in no other of its numbers, by the beginning of their ids.
_ONLY_IN_SMATCH = {"pp_attachment": "pp_attachment"}

_NO_TESTSET = (
    "its graphs are those of the AMR 3.0 test set (LDC2020T02), of which gold graphs and predictions are needed"
)


def evaluate(
    folder: str | PathLike[str],
    pred: Source | Mapping[str, Source] | None = None,
    *,
    gold: str | PathLike[str] | None = None,
    gold_testset: str | PathLike[str] | None = None,
    pred_testset: Source | Mapping[str, Source] | None = None,
    categories: Iterable[str] | None = None,
    smatch: bool = False,
    preset: Preset = "default",
    pair_by: PairBy = "position",
    workers: int = 1,
    progress: Progress = None,
) -> GrapesResult:
    """Evaluate AMR parsers on GrAPES.

    Parameters
    ----------
    folder : path
        The user's clone of github.com/jgroschwitz/GrAPES, completed or not.
    pred : path, Corpus, or mapping of names to these
        Predictions for the graphs of ``corpus/corpus.txt``, as many and in the same order. A mapping holds several
        systems.
    gold : path, optional
        The gold graphs that ``pred`` is for, in place of ``corpus/corpus.txt``: a file of ``corpus/subcorpora``, for
        those who parsed no more. Categories without graphs in it are left out.
    gold_testset : path, optional
        Gold graphs of the AMR 3.0 test set, with their ids. Some categories are about them.
    pred_testset : path, Corpus, or mapping, optional
        Predictions for them; a mapping has the names that ``pred`` has.
    categories : iterable of str, optional
        Keys of the categories wanted; all by default.
    smatch : bool
        Adds a row with the certified Smatch of each category whose gold graphs are no placeholders.
    preset : {"default", "tool"}
        How sets are averaged; items are judged as the program does in any case.
    pair_by : {"position", "id"}
        What makes a pair of a prediction and a gold graph.
    workers : int
        Threads of Smatch, −1 for all CPUs this process may use.
    progress : None, bool or callable
        True draws a bar on a terminal; a callable gets (categories done, in all), all systems together.

    Returns
    -------
    GrapesResult

    Raises
    ------
    OptionError
        If the folder is no clone, there is no such category, or nothing could be evaluated.
    PairingError
        If there are not as many predictions as gold graphs.
    ReadError
        If a file of the clone, or the gold graphs of the test set, cannot be read.
    """
    choice("preset", preset, ("default", "tool"))
    if (gold_testset is None) != (pred_testset is None):
        given, lacking = ("gold_testset", "pred_testset") if pred_testset is None else ("pred_testset", "gold_testset")
        raise OptionError(f"grapes: {given}=… goes with {lacking}=…: the categories of the test set need both")
    wanted = chosen(categories)
    named = _named(pred, pred_testset)
    systems = []
    # no collection until all graphs are gone again, which are hundreds of thousands of objects
    with no_collection(), Steps(progress, len(named) * len(wanted), "categories") as report:
        paths = [None if path is None else fspath(path) for path in (gold_testset, gold)]
        suite = Suite(fspath(folder), *paths)
        for name, sources in named.items():
            run = _Run(suite, name, *sources, pair_by, workers, smatch)
            for category in wanted:
                run.add(category)
                report.step()
            systems.append(run.result())
        del suite, run
    if not any(system.rows for system in systems):
        reason = systems[0].left_out[0].reason
        raise OptionError(f"grapes: nothing to evaluate; {wanted[0].title}: {reason}")
    return GrapesResult(tuple(systems), preset, fspath(folder))


def _named(
    pred: Source | Mapping[str, Source] | None, testset: Source | Mapping[str, Source] | None
) -> dict[str, tuple[Source | None, Source | None]]:
    """Name → predictions for the suite and for the test set."""
    if pred is None and testset is None:
        raise OptionError("grapes: no predictions; pred=… are those of corpus/corpus.txt")
    if not _is_mapping(pred) and not _is_mapping(testset):
        return {_name(pred if pred is not None else testset): (pred, testset)}  # type: ignore[dict-item]
    for one in (pred, testset):
        if one is not None and not _is_mapping(one):
            raise OptionError("grapes: several systems have a name each; expected mappings from names to predictions")
    mine, its = dict(pred or {}), dict(testset or {})  # type: ignore[arg-type]
    if mine and its and mine.keys() != its.keys():
        odd = sorted(mine.keys() ^ its.keys())
        raise OptionError(f"grapes: pred and pred_testset name different systems: {', '.join(map(repr, odd))}")
    if not mine and not its:
        raise OptionError("grapes: no predictions; expected a system or more")
    return {name: (mine.get(name), its.get(name)) for name in mine or its}


def _is_mapping(value: object) -> bool:
    return hasattr(value, "keys")


def _name(source: object) -> str:
    if isinstance(source, Corpus):
        return source.source
    return str(os.path.basename(fspath(source)))  # type: ignore[call-overload]


class _Predictions:
    """Predictions for a part, as they were read, and for each gold graph its place among them.

    Parameters
    ----------
    source : path or Corpus
    part : Part
    pair_by : {"position", "id"}
    free : list of int
        Graphs of the part that may be all that is predicted.

    Raises
    ------
    PairingError
        If predictions and gold graphs make no pairs.
    """

    def __init__(self, source: Source, part: Part, pair_by: PairBy, free: Sequence[int] = ()) -> None:
        self.source, self.part = source, part
        corpus = source if isinstance(source, Corpus) else read(source, on_error="empty")
        self.name, self.problems, self.views = corpus.source, corpus.problems, Views(corpus)
        graphs = free if free and len(corpus) == len(free) else range(len(part.corpus))
        gold = part.corpus[list(graphs)]
        if len(corpus) != len(gold):
            raise PairingError(
                f"grapes: {count(len(corpus), 'prediction')} in {self.name} but "
                f"{count(len(gold), 'gold graph')} in {part.name}"
            )
        found = pairing(corpus, gold, Rules("grapes", pair_by), (self.name, part.name))
        if found is None:
            warn_odd_metadata(corpus, gold, (self.name, part.name))
            self.places = {g: place for place, g in enumerate(graphs)}
        else:
            self.places = {graphs[k]: place for k, place in zip(found.gold.tolist(), found.pred.tolist(), strict=True)}

    def old(self) -> Corpus:
        """The same as smatch reads it."""
        if isinstance(self.source, Corpus):
            texts = [graph.encode() if graph.triples else "" for graph in self.source]
            return parse(texts, dialect="smatch", on_error="empty")
        return read(self.source, dialect="smatch", on_error="empty")


class _Run:
    """One system."""

    def __init__(
        self,
        suite: Suite,
        name: str,
        pred: Source | None,
        testset: Source | None,
        pair_by: PairBy,
        workers: int,
        smatch: bool,
    ) -> None:
        self._suite, self._name, self._pred, self._smatch = suite, name, pred, smatch
        self._pair_by, self._workers = pair_by, workers
        self._known: dict[int, _Predictions] = {}
        if pred is not None:
            self._known[id(suite.grapes)] = _Predictions(pred, suite.grapes, pair_by)
        if testset is not None and suite.testset is not None:
            self._known[id(suite.testset)] = _Predictions(testset, suite.testset, pair_by)
        self._old: dict[int, tuple[Corpus, Corpus]] = {}
        self._rows: list[GrapesRow] = []
        self._left_out: list[LeftOut] = []

    def result(self) -> GrapesSystem:
        unreadable = {one.name: one.problems for one in self._known.values() if one.problems}
        return GrapesSystem(self._name, tuple(self._rows), tuple(self._left_out), unreadable)

    def add(self, category: Category) -> None:
        """Evaluate a category, or note why not."""
        part = self._suite.part_of(category)
        pred = None if part is None else self._known.get(id(part))
        if pred is None and category.key in EXTRAS:
            pred = self._beside(category)
        if pred is None:
            self._leave_out(category, self._reason(category))
            return
        if not self._suite.has_table(category):
            extra = EXTRAS.get(category.key)
            self._leave_out(category, extra.reason if extra else f"the clone has no corpus/{category.table}")
            return
        tasks = self._suite.tasks(category, pred.part)
        if not any(not task.sanity for task in tasks):
            where = os.path.basename(pred.part.name)
            what = f"corpus/{category.table}" if category.table else "the suite"
            self._leave_out(category, f"none of its graphs (their ids are in {what}) is in {where}")
        for task in tasks:
            if task.missing:
                reason = f"{task.missing:,} of the ids in corpus/{category.table} are not in the gold file"
                self._leave_out(category, reason, partly=True)
            self._rows += self._of_lists(task, pred) if task.is_list else self._of_items(task, pred)
            if self._smatch and not task.sanity and not category.dummies:
                self._rows.append(self._smatch_row(task, pred))

    def _leave_out(self, category: Category, reason: str, partly: bool = False) -> None:
        self._left_out.append(LeftOut(category.key, category.title, category.set, reason, partly))

    def _reason(self, category: Category) -> str:
        if category.testset:
            return _NO_TESTSET
        if self._pred is None:
            return "there are no predictions for the suite"
        return EXTRAS[category.key].reason

    def _beside(self, category: Category) -> _Predictions | None:
        """Predictions for a category of its own, from a file beside those of the suite."""
        if isinstance(self._pred, Corpus) or self._pred is None or fspath(self._pred) == "-":
            return None
        path = os.path.join(os.path.dirname(fspath(self._pred)), EXTRAS[category.key].pred)
        part = self._suite.extra_part(category) if os.path.isfile(path) else None
        if part is None or not self._suite.has_table(category):
            return None
        known = _Predictions(path, part, self._pair_by, part.free)
        self._known[id(part)] = known
        return known

    def _of_items(self, task: Task, pred: _Predictions) -> list[GrapesRow]:
        metrics = ("Exact Match",) if task.sanity else metrics_of(task.category)
        chosen = [(item, place, names) for g, item, names in task.rows if (place := pred.places.get(g)) is not None]
        outcomes = [item(pred.views[place]) for item, place, _ in chosen if item is not None]
        items = tuple(names for *_, names in chosen)
        if len(chosen) < len(task.rows):
            reason = f"{len(task.rows) - len(chosen)} of its {len(task.rows)} graphs have no prediction"
            self._leave_out(task.category, reason, partly=True)
        rows = []
        for number, metric in enumerate(metrics):
            passed = tuple(outcome[number] for outcome in outcomes)
            row = _row(task, metric, not number and not task.sanity, sum(passed), len(passed))
            sizes = self._sizes(task, passed) if task.category.sizes is not None and not task.sanity else None
            rows.append(replace(row, passed=passed, items=items, sizes=sizes))
        return rows

    def _sizes(self, task: Task, passed: tuple[bool, ...]) -> dict[int, tuple[int, int]]:
        assert task.category.sizes is not None
        minus, by = task.category.sizes
        found: dict[int, tuple[int, int]] = {}
        for g, one in zip(task.graphs, passed, strict=True):
            text = task.part.corpus.metadata(g).get("size0", "").strip()
            if text.removeprefix("-").isdecimal() and len(text) < 10:
                size = (int(text) - minus) // by
                successes, total = found.get(size, (0, 0))
                found[size] = successes + one, total + 1
        return found

    def _of_lists(self, task: Task, pred: _Predictions) -> list[GrapesRow]:
        found = [
            conjuncts(task.part.views[g], pred.views[place])
            for g in task.graphs
            if (place := pred.places.get(g)) is not None
        ]
        recalled, n_gold, n_pred, unseen, n_unseen = map(sum, zip(*found, strict=True)) if found else (0,) * 5
        counts = ((recalled, n_gold), (recalled, n_pred), (unseen, n_unseen))
        return [_row(task, metric, True, *found) for metric, found in zip(_OF_LISTS, counts, strict=True)]

    def _smatch_row(self, task: Task, pred: _Predictions) -> GrapesRow:
        if id(task.part) not in self._old:
            gold = read(task.part.name, dialect="smatch", on_error="empty")
            self._old[id(task.part)] = pred.old(), gold
        mine, its = self._old[id(task.part)]
        graphs = dict.fromkeys(task.graphs)
        only = _ONLY_IN_SMATCH.get(task.category.key)
        if only is not None:
            graphs |= {g: None for g, name in enumerate(task.part.corpus.ids) if (name or "").startswith(f"{only}_")}
        places = [(g, place) for g in graphs if (place := pred.places.get(g)) is not None]
        pred_graphs, gold_graphs = mine[[place for _, place in places]], its[[g for g, _ in places]]
        result = score(pred_graphs, gold_graphs, metric="smatch", preset="smatch", workers=self._workers)
        row = _row(task, SMATCH, False, 0, len(places))
        return replace(row, value=result.f1, certified=bool(result.certified))


def _row(task: Task, metric: str, main: bool, successes: int, total: int) -> GrapesRow:
    return GrapesRow(task.key, task.title, metric, task.category.set, main, successes, total)
