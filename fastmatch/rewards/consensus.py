"""Rewards without gold graphs: how far an answer agrees with the other answers to the same prompt.

A group of answers is sampled for each prompt anyway. What they agree on is more often right than what one says alone
(self-consistency, Wang et al. 2023); test-time reinforcement learning does the same with majority votes over numbers.
An answer never votes for itself.
"""

from __future__ import annotations

import json
from collections import Counter
from typing import TYPE_CHECKING, Any, Literal

import numpy as np

from fastmatch.errors import OptionError
from fastmatch.graphs.reading import parse
from fastmatch.metrics.options import choice
from fastmatch.rewards.reward import GraphReward, RewardResult, text_of
from fastmatch.standardization.triples import remove_duplicates

if TYPE_CHECKING:
    from collections.abc import Sequence

    from fastmatch.graphs.corpus import Corpus

__all__ = ["ConsensusReward"]


class ConsensusReward(GraphReward):
    """A reward function that needs no gold graphs.

    Parameters
    ----------
    metric : str
        As for :class:`~fastmatch.rewards.GraphReward`; with ``against="ensemble"`` one that :func:`fastmatch.ensemble`
        can merge by: ``"smatch"``, ``"smatch++"`` or ``"s2match"``.
    against : {"others", "ensemble"}
        What an answer is scored against. ``"others"``: the mean score to each other answer. ``"ensemble"``: the graph
        with the best mean score to all other answers, which costs some milliseconds an answer.
    **options
        Those of :class:`~fastmatch.rewards.GraphReward`, and of the metric. ``length_guard`` needs gold graphs.

    Notes
    -----
    Answers that cannot be read get ``on_invalid`` and do not vote. Equal answers are read and scored once, and each of
    them votes. An answer that is the only one to be read agrees with nobody: 0.

    Examples
    --------
    >>> from fastmatch.rewards import ConsensusReward
    >>> reward = ConsensusReward()
    >>> [result.score for result in reward.group(["(c / cat)", "(c / cat)", "(d / dog)", "A cat."])]
    [0.75, 0.75, 0.5, 0.0]
    """

    def __init__(
        self, metric: str = "smatch", *, against: Literal["others", "ensemble"] = "others", **options: Any
    ) -> None:
        choice("against", against, ("others", "ensemble"))
        super().__init__(metric, **options)
        if self.length_guard is not None:
            raise OptionError("length_guard: there is no gold graph whose length could be compared")
        if against == "ensemble" and self.metric.name not in ("smatch", "smatch++", "s2match"):
            raise OptionError(
                f"against='ensemble': metric {self.metric.name!r} merges no graphs; against='others' works"
            )
        self.against = against

    def group(self, texts: Sequence[Any]) -> list[RewardResult]:
        """The rewards of all answers to one prompt.

        Parameters
        ----------
        texts : sequence of str
            Completions. What is no string is an invalid one.

        Returns
        -------
        list of RewardResult
            ``precision`` and ``recall`` are None. ``certified``: all scores that the reward is a mean of are proven.
        """
        found = [self._find(text) for text in texts]
        places: dict[str, int] = {}
        of = [None if one is None else places.setdefault(one[0], len(places)) for one in found]
        corpus = parse(list(places), dialect=self.metric.dialect, on_error="empty")
        unread = {place for place, _ in corpus.problems}
        if self._by_preset:
            corpus = remove_duplicates(corpus)
        votes = Counter(place for place in of if place is not None and place not in unread)
        scores, certified = self._agreement(corpus, votes)
        results = []
        for one, place in zip(found, of, strict=True):
            if one is None or place is None or place in unread:
                results.append(RewardResult(self.on_invalid, None, None, False, 0, False))
                continue
            score = scores[place]
            if self.format_bonus and not one[1] and self.is_marked(one[2]):
                score += self.format_bonus
            results.append(RewardResult(score, None, None, True, one[1], certified[place]))
        return results

    def _agreement(self, corpus: Corpus, votes: Counter[int]) -> tuple[dict[int, float], dict[int, bool]]:
        """What each graph earns, by its place, and whether that is proven."""
        total = sum(votes.values())
        if total < 2:
            return dict.fromkeys(votes, 0.0), dict.fromkeys(votes, True)
        if self.against == "ensemble":
            return self._against_ensembles(corpus, votes)
        known = sorted(votes)
        count = np.array([votes[place] for place in known], np.float64)
        n = len(known)
        first, second = np.triu_indices(n) if self._both_ways else np.indices((n, n)).reshape(2, -1)
        used = (first != second) | (count[first] > 1)  # with itself only if there is another copy
        first, second = first[used], second[used]
        graphs = np.array(known, np.int32)
        values, proven = self.values(corpus, np.stack([graphs[first], graphs[second]]))
        table, sure = np.zeros((n, n)), np.ones((n, n), np.bool_)
        table[first, second], sure[first, second] = values, proven
        if self._both_ways:
            table[second, first], sure[second, first] = values, proven
        means = (table @ count - np.diag(table)) / (total - 1)
        all_sure = [bool(row.all()) for row in sure]
        return dict(zip(known, means.tolist(), strict=True)), dict(zip(known, all_sure, strict=True))

    def _against_ensembles(self, corpus: Corpus, votes: Counter[int]) -> tuple[dict[int, float], dict[int, bool]]:
        from fastmatch.ensembles.candidates import of_sentences
        from fastmatch.ensembles.ensembling import combined

        known = sorted(votes)
        others = [corpus[[other for other in known for _ in range(votes[other] - (other == place))]] for place in known]
        found = of_sentences(others, None, self.metric, "raise")
        best = combined(found, self.metric, "merge", self.workers, quiet=True).graphs
        both = type(corpus).concatenate([corpus[known], best])
        index = np.arange(len(known), dtype=np.int32)
        values, proven = self.values(both, np.stack([index, index + np.int32(len(known))]))
        return dict(zip(known, values.tolist(), strict=True)), dict(zip(known, proven.tolist(), strict=True))

    @property
    def _both_ways(self) -> bool:
        """A score is the same whichever graph is the prediction."""
        return bool(self.metric.symmetric) and self.beta is None

    # ---- trainers ----------------------------------------------------------------------------------------------------

    def groups(self, keys: Sequence[Any], texts: Sequence[Any]) -> list[RewardResult]:
        """The rewards of answers to several prompts: those of equal keys make a group, wherever they stand.

        Raises
        ------
        OptionError
            If there are not as many keys as texts.
        """
        if len(keys) != len(texts):
            raise OptionError(f"{len(texts)} completions, but {len(keys)} prompts")
        members: dict[str, list[int]] = {}
        for k, key in enumerate(keys):
            members.setdefault(key if isinstance(key, str) else json.dumps(key, default=repr), []).append(k)
        results: dict[int, RewardResult] = {}
        for places in members.values():
            results.update(zip(places, self.group([texts[k] for k in places]), strict=True))
        return [results[k] for k in range(len(texts))]

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
        """As TRL's trainers call a reward function. Completions of equal prompts are a group.

        Of a group that is spread over several processes, each sees its own part.

        Raises
        ------
        OptionError
            If prompts or completions are missing, or differ in number.
        """
        if completions is None or prompts is None:
            raise OptionError(f"{self.__name__}: expected prompts and completions: answers to one prompt are a group")
        results = self.groups(list(prompts), [text_of(completion) for completion in completions])
        if log_metric is not None:
            n = max(1, len(results))
            log_metric(f"{self.__name__}/valid", sum(result.valid for result in results) / n)
        return [result.score for result in results]
