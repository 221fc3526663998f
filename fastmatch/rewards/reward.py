"""A reward for each completion: find the graph, mend it if that is wanted, score it against the gold graph.

Whatever a completion holds, it gets a reward and raises nothing. What a pair may cost is counted work, the same on
every machine (the metrics' option ``effort``, here ``"minimal"`` by default), and what is longer than
``most_characters`` is not read. Only a *gold* graph that cannot be read has no reward: None.

Nothing is kept between calls: each makes a vocabulary of its own. So an object can be shared by threads, pickled, and
called any number of times without growing.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from itertools import count
from numbers import Real
from typing import Any, NamedTuple

import numpy as np

from fastmatch._ext.reading.extract import locate
from fastmatch._ext.reading.repair import mend
from fastmatch.errors import OptionError, choice
from fastmatch.graphs.corpus import Corpus
from fastmatch.graphs.extracting import WHERE
from fastmatch.graphs.reading import parse
from fastmatch.graphs.standardization.triples import remove_duplicates
from fastmatch.metrics.base import Metric
from fastmatch.metrics.choosing import chosen_metric
from fastmatch.metrics.registry import get, make
from fastmatch.metrics.run import run
from fastmatch.results.pairs import PairScores
from fastmatch.types import BoolArray, Effort, Int32Array, MetricName, Where

#: Ways of extraction in which a model marks where its graph is.
_MARKED = frozenset(("answer", "amr", "graph", "fence"))
#: With ``effort="minimal"``, the most nodes of the one graph times nodes of the other that these metrics compare: they
#: take up to 0.15 µs for each such pair of nodes before their limits of work count. 500 nodes of a sensible graph take
#: 10,000 characters.
_MOST_CELLS = {"ancast": 250_000, "wwlk": 250_000}
#: F-beta is recall then, and its square is far from infinity, which would make a reward NaN.
_MOST_BETA = 1e6
#: Pairs that are looked at one by one, without arrays and threads: the searches take some milliseconds at most.
_FEW = 256
_NUMBERS: dict[str, count[int]] = {}


class RewardResult(NamedTuple):
    """What one completion earned.

    Attributes
    ----------
    score : float or None
        The reward; None if the gold graph cannot be read.
    precision, recall : float or None
        Of the metric; None where it has none, or nothing was scored.
    valid : bool
        A graph was found, and could be read (mended, if that is wanted).
    repaired : int
        Repairs that it took.
    certified : bool
        The metric's value is proven. Otherwise it is the best that was found within the limit of work; 0 for graphs of
        so many nodes that nothing was tried (:data:`_MOST_CELLS`).
    """

    score: float | None
    precision: float | None
    recall: float | None
    valid: bool
    repaired: int
    certified: bool


class TrainerReward(ABC):
    """What TRL's trainers, and others that do as they do, take for a reward function."""

    __name__: str
    metric: Metric
    #: Fields of results whose shares are logged.
    logged: tuple[str, ...] = ("valid", "certified")

    def __repr__(self) -> str:
        return f"<{type(self).__name__} {self.__name__}: {self.signature}>"

    @property
    def signature(self) -> str:
        """Of the metric: what the scores depend on."""
        return str(self.metric.signature(self.metric.dialect))

    @abstractmethod
    def earned(self, prompts: Any, completions: Any, columns: Mapping[str, Any], log_extra: Any) -> list[RewardResult]:
        """The results of a batch of a trainer."""

    def __call__(
        self,
        prompts: Any = None,
        completions: Sequence[Any] | None = None,
        completion_ids: Any = None,
        *,
        trainer_state: Any = None,
        log_extra: Any = None,
        log_metric: Any = None,
        **columns: Any,
    ) -> list[float | None]:
        """As TRL's trainers call a reward function.

        Parameters
        ----------
        prompts, log_extra, **columns
            As :meth:`earned` takes them.
        completions : sequence of str, or of chats
            A chat is a list of messages with ``role`` and ``content``; the last one is the completion.
        completion_ids, trainer_state
            Not looked at.
        log_metric : callable, optional
            Called, if given, with (name, value): ``<name>/valid``, for instance, with the share of valid completions.

        Returns
        -------
        list of float or None
            One score a completion.
        """
        results = self.earned(prompts, completions, columns, log_extra)
        for field in self.logged if log_metric is not None else ():
            share = sum(bool(getattr(result, field)) for result in results) / max(1, len(results))
            log_metric(f"{self.__name__}/{field}", share)
        return [result.score for result in results]


class GraphReward(TrainerReward):
    """A reward function.

    Parameters
    ----------
    metric : str
        Any metric's name; its headline is the reward (F1, for Smatch).
    preset : str, optional
        As for :func:`fastmatch.score`, but triples that are repeated in a graph count once.
    gold_column : str
        Column of the data set with the gold graphs, as texts.
    extract : {"auto", "tag", "think", "fence", "block", "text"}
        Where the graph is looked for: :func:`fastmatch.extract`.
    thinking : bool
        Completions begin within thoughts, because the prompt ended with ``<think>``.
    on_invalid : float
        Reward of a completion without a graph that can be read.
    repair : bool
        Mend graphs that cannot be read: :func:`fastmatch.repair`.
    effort : {"minimal", "low", "default", "high", "proof"}
        Work that a pair may take, for metrics that have this option.
    most_characters : int
        A longer graph is invalid.
    beta : float, optional
        Reward F-beta, from the metric's precision and recall, instead of its headline: above 1 recall counts more.
        From 0 to 10⁶, where only recall counts.
    concepts : float
        Share of the reward that Smatch of concepts alone makes, in [0, 1]: a first slope to climb.
    length_guard : float, optional
        A predicted graph with more than this many times the characters of the gold graph (blanks not counted) has its
        reward multiplied by what it should be at most over what it is.
    format_bonus : float
        Added for a graph between tags or in a fenced block that could be read without repair.
    workers : int
        Threads of a call; −1 for all CPUs of this process.
    name : str, optional
        ``__name__``, by which trainers log the reward. By default the metric's name and ``_reward``, with a number from
        the second such object of the process on.
    **options
        The metric's own.

    Raises
    ------
    OptionError
        If an option has no such value, the metric has no such option, or ``beta`` is given for a metric without
        precision and recall.

    Examples
    --------
    >>> from fastmatch.rewards import GraphReward
    >>> reward = GraphReward()
    >>> reward(completions=["<answer>(c / cat)</answer>", "A cat."], amr=["(c / cat)", "(c / cat)"])
    [1.0, 0.0]
    """

    logged = ("valid", "repaired", "certified")

    def __init__(
        self,
        metric: MetricName | str = "smatch",
        *,
        preset: str | None = None,
        gold_column: str = "amr",
        extract: Where = "auto",
        thinking: bool = False,
        on_invalid: float = 0.0,
        repair: bool = False,
        effort: Effort = "minimal",
        most_characters: int = 8000,
        beta: float | None = None,
        concepts: float = 0.0,
        length_guard: float | None = None,
        format_bonus: float = 0.0,
        workers: int = 1,
        name: str | None = None,
        **options: Any,
    ) -> None:
        choice("extract", extract, WHERE)
        self.metric = made_metric(metric, preset, effort, options)
        check_number("most_characters", most_characters, 1, np.inf)
        check_number("on_invalid", on_invalid)
        check_number("format_bonus", format_bonus)
        check_number("concepts", concepts, 0.0, 1.0)
        for option, value, most in (("beta", beta, _MOST_BETA), ("length_guard", length_guard, np.inf)):
            if value is not None:
                check_number(option, value, 0.0, most)
        for option, given, kind in (
            ("thinking", thinking, bool),
            ("repair", repair, bool),
            ("gold_column", gold_column, str),
            ("name", name or "", str),
        ):
            if not isinstance(given, kind):
                expected = "True or False" if kind is bool else "a string"
                raise OptionError(f"{option}={given!r}: expected {expected}")
        names = list(self.metric.combine(np.zeros(len(self.metric.statistics))))
        if beta is not None and not {"precision", "recall"} <= set(names):
            raise OptionError(f"beta={beta!r}: metric {self.metric.name!r} has no precision and recall")
        self._concepts = None
        if concepts:
            self._concepts = make("smatch", triples="instance", top="none", effort=effort)
            if self.metric.dialect != self._concepts.dialect:
                raise OptionError(f"concepts={concepts!r}: metric {self.metric.name!r} reads texts in another way")
        self.gold_column, self.extract, self.thinking = gold_column, extract, thinking
        self.on_invalid, self.repair, self.most_characters = float(on_invalid), repair, most_characters
        self.beta, self.concepts = None if beta is None else float(beta), float(concepts)
        self.length_guard = None if length_guard is None else float(length_guard)
        self.format_bonus, self.workers = float(format_bonus), workers
        least = getattr(self.metric, "effort", None) == "minimal"
        self._most_cells = _MOST_CELLS.get(self.metric.name) if least else None
        # The hill-climber's random numbers follow from the numbers of the graphs in their corpora: a reward may not
        # depend on its place in a batch.
        self._by_preset = preset is not None
        self._numbered = getattr(self.metric, "solver", None) == "climb"
        if name is None:
            base = f"{self.metric.name}_reward"
            number = next(_NUMBERS.setdefault(base, count(1)))
            name = base if number == 1 else f"{base}_{number}"
        self.__name__ = name

    # ---- one or many texts -------------------------------------------------------------------------------------------

    def one(self, text: str, gold: str) -> RewardResult:
        """The reward of one completion."""
        return self.batch([text], [gold])[0]

    def batch(self, texts: Sequence[Any], golds: Sequence[Any]) -> list[RewardResult]:
        """The rewards of many completions.

        Parameters
        ----------
        texts : sequence of str
            Completions. What is no string is an invalid one.
        golds : sequence of str
            The gold graph of each. Equal ones are read once.

        Raises
        ------
        OptionError
            If one is no list, or there are not as many of one as of the other.
        """
        texts, golds = listed("texts", texts), listed("golds", golds)
        if len(texts) != len(golds):
            raise OptionError(f"{len(texts)} completions, but {len(golds)} gold graphs")
        if self._numbered and len(texts) > 1:
            return [self.one(text, gold) for text, gold in zip(texts, golds, strict=True)]
        places: dict[Any, int] = {}
        gold_of = [places.setdefault(gold if isinstance(gold, str) else None, len(places)) for gold in golds]
        found = [self.find(text) for text in texts]
        # One corpus, gold graphs first: whatever takes its time once for a corpus takes it once.
        graphs = [*places, *[one[0] for one in found if one is not None]]
        corpus = parse(graphs, dialect=self.metric.dialect, on_error="empty")
        unread = {place for place, _ in corpus.problems}
        if self._by_preset:  # some programs count a repeated triple again, which by default no metric does
            corpus = remove_duplicates(corpus)
        nothing = RewardResult(self.on_invalid, None, None, False, 0, False)
        results = [nothing] * len(found)
        scored: list[int] = []
        index_pred: list[int] = []
        place = len(places)
        for k, one in enumerate(found):
            valid = one is not None and place not in unread
            if gold_of[k] in unread:
                results[k] = nothing._replace(score=None, valid=valid, repaired=one[1] if one and valid else 0)
            elif valid:
                scored.append(k)
                index_pred.append(place)
            place += one is not None
        index = np.array([index_pred, [gold_of[k] for k in scored]], np.int32)
        if self._most_cells is not None:
            few = self._few(corpus, index)
            for at in np.flatnonzero(~few).tolist():
                one = found[scored[at]]
                results[scored[at]] = RewardResult(0.0, None, None, True, one[1] if one else 0, False)
            scored = [scored[at] for at in np.flatnonzero(few).tolist()]
            index = np.ascontiguousarray(index[:, few])
        if not scored:
            return results
        pairs = self._run(self.metric, corpus, index)
        scores, precision, recall = self._scores(pairs)
        if self._concepts is not None:
            mixed, share = self._run(self._concepts, corpus, index).score.tolist(), self.concepts
            scores = [(1.0 - share) * score + share * other for score, other in zip(scores, mixed, strict=True)]
        certified = pairs.certified.tolist()
        for at, k in enumerate(scored):
            one, score = found[k], scores[at]
            assert one is not None
            if self.length_guard is not None:
                score *= _guard(one[0], graphs[gold_of[k]], self.length_guard)
            if self.format_bonus and not one[1] and one[2] in _MARKED:
                score += self.format_bonus
            p, r = (precision[at], recall[at]) if precision is not None and recall is not None else (None, None)
            results[k] = RewardResult(score, p, r, True, one[1], certified[at])
        return results

    def _few(self, corpus: Corpus, index: Int32Array) -> BoolArray:
        """bool[n_pairs]: whether two graphs have so few nodes that the metric compares them."""
        nodes = np.diff(corpus.variable_offsets) + np.diff(corpus.attribute_offsets)
        return nodes[index[0]] * nodes[index[1]] <= self._most_cells

    def known_pairs(self, corpus: Corpus, pairs: list[tuple[int, int]]) -> list[tuple[float, bool]]:
        """Of pairs of graphs of one corpus: the metric's headline, and whether it is proven."""
        if self._by_preset:
            corpus = remove_duplicates(corpus)
        if self._numbered:
            return [self._known(corpus, [pair])[0] for pair in pairs]
        found: list[Any] = [None] * len(pairs)
        prepared = small = None
        if self._most_cells is not None:
            compared = self._few(corpus, np.array([*zip(*pairs, strict=True)], np.int32)).tolist()
            found = [None if each else (0.0, False) for each in compared]
        elif len(pairs) <= _FEW:
            prepared = self.metric.prepare(corpus)
            small = self.metric.few(prepared, pairs)
            found = [None if score is None else (score, True) for score in small or found]
        left = [pair for pair, one in zip(pairs, found, strict=True) if one is None]
        if left:  # with maps, the search of small graphs is not made again
            known = iter(self._known(corpus, left, prepared, small is not None))
            found = [next(known) if one is None else one for one in found]
        return found

    def _known(self, corpus: Corpus, pairs: list[tuple[int, int]], *given: Any) -> list[tuple[float, bool]]:
        scored = self._run(self.metric, corpus, np.array([*zip(*pairs, strict=True)], np.int32), *given)
        return list(zip(scored.score.tolist(), scored.certified.tolist(), strict=True))

    def _run(
        self, metric: Metric, corpus: Corpus, index: Int32Array, prepared: Any = None, mapping: bool = False
    ) -> PairScores:
        """The scores of pairs of graphs of one corpus, int32[2, n_pairs]: predictions, gold graphs."""
        if self._numbered:  # one pair, as if each graph came from a corpus of its own
            pred, gold = (metric.prepare(corpus[place : place + 1]) for place in index[:, 0].tolist())
            index = np.zeros_like(index)
        else:
            pred = gold = metric.prepare(corpus) if prepared is None else prepared
        return run(metric, pred, gold, index[0], index[1], workers=self.workers, mapping=mapping)

    def find(self, text: Any) -> tuple[str, int, str] | None:
        """The text of the graph, how many repairs it took, and how it was found."""
        if not isinstance(text, str):
            return None
        text = str(text)  # numpy's strings are subclasses, which the kernels refuse
        start, stop, how = locate(text, self.extract, self.thinking)
        if not how or stop - start > self.most_characters:
            return None
        graph = text[start:stop]
        if self.repair:
            graph, repairs = mend(graph)
            return graph, len(repairs), how
        return graph, 0, how

    def _scores(self, pairs: PairScores) -> tuple[list[float], list[float] | None, list[float] | None]:
        """The reward of each pair; precision and recall of each, if the metric has them."""
        scores = pairs.scores
        precision, recall = (scores[name].tolist() if name in scores else None for name in ("precision", "recall"))
        if self.beta is None or precision is None or recall is None:
            return pairs.score.tolist(), precision, recall
        square = self.beta * self.beta
        rewards = [
            (1.0 + square) * p * r / (square * p + r) if square * p + r > 0 else 0.0
            for p, r in zip(precision, recall, strict=True)
        ]
        return rewards, precision, recall

    # ---- TRL ---------------------------------------------------------------------------------------------------------

    def earned(self, prompts: Any, completions: Any, columns: Mapping[str, Any], log_extra: Any) -> list[RewardResult]:
        """The results of a batch of a trainer, which :meth:`__call__` gives the scores of.

        ``columns`` are those of the data set, among them ``gold_column``; ``prompts`` are not looked at. A score is
        None where the gold graph cannot be read. ``log_extra``, if given, is called with the column ``<name>/gold``.

        Raises
        ------
        OptionError
            If the column of gold graphs is missing (the message lists those there are), it or the completions are no
            lists, or they differ in length.
        """
        if completions is None:
            raise OptionError(f"{self.__name__}: expected completions")
        golds = columns.get(self.gold_column)
        if golds is None:
            there = ", ".join(map(repr, columns)) or "none"
            raise OptionError(f"{self.__name__}: no column {self.gold_column!r} with gold graphs; columns: {there}")
        completions = listed(f"{self.__name__}: completions", completions)
        golds = listed(f"{self.__name__}: {self.gold_column}", golds)
        results = self.batch([text_of(completion) for completion in completions], golds)
        if log_extra is not None:
            log_extra(f"{self.__name__}/gold", golds)
        return results


def listed(called: str, values: Any, of: str = "a list of texts") -> list[Any]:
    """The values as a list, also those of an array or a generator.

    Raises
    ------
    OptionError
        If this is a single text, a mapping, a file (its lines are no graphs), or nothing that has values.
    """
    if type(values) is not list and (  # the usual case, in a third of the time
        isinstance(values, (str, bytes, Mapping)) or hasattr(values, "read") or not hasattr(values, "__iter__")
    ):
        raise OptionError(f"{called}: expected {of}, found {values!r:.60}")
    return list(values)


def text_of(completion: Any) -> Any:
    """The text of a completion: itself, or what the last message of a chat says."""
    if _is_list(completion):
        completion = completion[-1] if completion else None
    if isinstance(completion, Mapping):
        content: Any = completion.get("content")
        if not _is_list(content):
            return content
        parts = [part.get("text") for part in content if isinstance(part, Mapping)]
        return "".join(part for part in parts if isinstance(part, str))
    return completion


def _is_list(value: Any) -> bool:
    return isinstance(value, Sequence) and not isinstance(value, str)


def made_metric(metric: str, preset: str | None, effort: str, options: dict[str, Any]) -> Metric:
    """The metric, with ``effort`` if it has such an option, and with repeated triples counted once by any preset."""
    known = getattr(get(metric), "__dataclass_fields__", ())
    if "effort" in known:
        options = {"effort": effort, **options}
    if preset is not None and "duplicates" in known:
        options = {"duplicates": "once", **options}
    return chosen_metric(metric, preset, options)


def check_number(option: str, value: object, least: float | None = None, most: float | None = None) -> None:
    """Raise :class:`~fastmatch.OptionError` if this is no number between the two; None: any finite one."""
    good = isinstance(value, Real) and not isinstance(value, bool)
    if least is None or most is None:
        if not good or not np.isfinite(value):  # type: ignore[call-overload]
            raise OptionError(f"{option}={value!r}: expected a finite number")
    elif not good or not least <= value <= most:  # type: ignore[operator]
        raise OptionError(f"{option}={value!r}: expected a number from {least} to {most}")


def _guard(graph: str, gold: str, limit: float) -> float:
    mine, its = (sum(map(len, text.split())) for text in (graph, gold))
    return min(1.0, limit * its / mine) if mine else 1.0
