"""A reward without gold graphs: how far each answer to a prompt agrees with the other answers to it.

Where no gold graph is known, the answers themselves may vote, as they do by majority where they are numbers
(self-consistency: Wang et al., ICLR 2023; test-time reinforcement learning: Zuo et al. 2025). Graphs are seldom equal,
so each answer earns its *mean score* against the others, or its score against the graph that is nearest to the others
(:func:`fastmatch.ensemble`). It has no vote on itself. What cannot be read has no vote at all.

An answer that occurs k times has k votes, but each pair of different texts is scored once. The sums are exactly
rounded, so neither the order of answers nor the number of threads changes a bit.
"""

from __future__ import annotations

from math import fsum
from typing import TYPE_CHECKING, Any, Literal

import numpy as np

from fastmatch.ensembles.candidates import of_sentences
from fastmatch.ensembles.ensembling import check_method, combined
from fastmatch.errors import OptionError
from fastmatch.graphs.reading import parse
from fastmatch.metrics.options import choice
from fastmatch.rewards.reward import GraphReward, RewardResult, check_number, listed, text_of

if TYPE_CHECKING:
    from collections.abc import Hashable, Mapping, Sequence

    from fastmatch.graphs.corpus import Corpus
    from fastmatch.types import Effort, Int32Array, MetricName, Where

__all__ = ["ConsensusReward"]


class ConsensusReward:
    """A reward function that needs no gold graphs: the mean score of an answer against the other answers.

    Parameters
    ----------
    metric, preset, extract, thinking, on_invalid, repair, effort, most_characters, workers, name, **options
        As for :class:`~fastmatch.rewards.GraphReward`.
    against : {"others", "ensemble"}
        What an answer is scored against: each of the other answers, or their ensemble, which takes some milliseconds an
        answer. ``"ensemble"`` works with ``smatch``, ``smatch++`` and ``s2match``.
    on_alone : float
        Reward of the only answer to a prompt that can be read: nothing agrees with it.

    Raises
    ------
    OptionError
        If an option has no such value, or the metric has no such option.

    Notes
    -----
    Agreement is no truth. A model that always gives the same graph, right or wrong, earns 1; watch a few answers, and
    keep the group as varied as the sampling temperature allows.

    Examples
    --------
    >>> from fastmatch.rewards import ConsensusReward
    >>> reward = ConsensusReward()
    >>> answers = ["(c / cat)", "(c / cat)", "(c / cat :mod (b / big))", "A cat."]
    >>> [round(result.score, 3) for result in reward.group(answers)]
    [0.833, 0.833, 0.667, 0.0]
    """

    def __init__(
        self,
        metric: MetricName | str = "smatch",
        *,
        preset: str | None = None,
        against: Literal["others", "ensemble"] = "others",
        extract: Where = "auto",
        thinking: bool = False,
        on_invalid: float = 0.0,
        on_alone: float = 0.0,
        repair: bool = False,
        effort: Effort = "minimal",
        most_characters: int = 8000,
        workers: int = 1,
        name: str | None = None,
        **options: Any,
    ) -> None:
        choice("against", against, ("others", "ensemble"))
        check_number("on_alone", on_alone)
        self.on_alone = float(on_alone)
        self.pairs = GraphReward(
            metric,
            preset=preset,
            extract=extract,
            thinking=thinking,
            on_invalid=on_invalid,
            repair=repair,
            effort=effort,
            most_characters=most_characters,
            workers=workers,
            name=name or "consensus_reward",
            **options,
        )
        self.__name__ = self.pairs.__name__
        self.against = against
        if against == "ensemble":
            check_method(self.pairs.metric, "merge")

    def __repr__(self) -> str:
        return f"<{type(self).__name__} {self.__name__}: {self.signature}>"

    @property
    def signature(self) -> str:
        """Of the metric: what the scores depend on."""
        return self.pairs.signature

    def group(self, texts: Sequence[Any]) -> list[RewardResult]:
        """The rewards of the answers to one prompt.

        Parameters
        ----------
        texts : sequence of str
            Completions. What is no string is an invalid one.

        Returns
        -------
        list of RewardResult
            ``score`` is the mean of the metric's scores of this answer, as the prediction, against each of the others;
            ``precision`` and ``recall`` are None. ``certified``: all these scores are.
        """
        texts = listed("texts", texts)
        return self.batch(texts, [0] * len(texts))

    def batch(self, texts: Sequence[Any], prompts: Sequence[Any]) -> list[RewardResult]:
        """The rewards of answers to several prompts; those with equal prompts are a group, wherever they stand.

        Parameters
        ----------
        texts : sequence of str
        prompts : sequence
            Whatever says which prompt an answer belongs to: texts, numbers, chats.

        Raises
        ------
        OptionError
            If one is no list, or there are not as many of one as of the other.
        """
        texts, prompts = listed("texts", texts), [_key(prompt) for prompt in listed("prompts", prompts, "a list")]
        if len(texts) != len(prompts):
            raise OptionError(f"{len(texts)} completions, but {len(prompts)} prompts")
        found = [self.pairs.find(text) for text in texts]
        places: dict[str, int] = {}
        place_of = [-1 if one is None else places.setdefault(one[0], len(places)) for one in found]
        corpus = parse(list(places), dialect=self.pairs.metric.dialect, on_error="empty")
        unread = {place for place, _ in corpus.problems}
        votes: dict[Hashable, dict[int, int]] = {}  # of each prompt, how often it has each text
        for prompt, place in zip(prompts, place_of, strict=True):
            if place >= 0 and place not in unread:
                own = votes.setdefault(prompt, {})
                own[place] = own.get(place, 0) + 1
        if self.against == "ensemble":
            earned = self._against_ensembles(corpus, votes)
        else:
            earned = self._against_others(corpus, votes)
        results = []
        for one, prompt, place in zip(found, prompts, place_of, strict=True):
            own = votes.get(prompt, {})
            if one is None or place not in own:
                results.append(RewardResult(self.pairs.on_invalid, None, None, False, 0, False))
                continue
            others = sum(own.values()) - 1
            if not others:
                results.append(RewardResult(self.on_alone, None, None, True, one[1], False))
                continue
            score, proven = earned[prompt, place]
            results.append(RewardResult(score, None, None, True, one[1], proven))
        return results

    # ---- TRL ---------------------------------------------------------------------------------------------------------

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
        """As TRL's trainers call a reward function; answers with equal prompts are a group.

        Parameters
        ----------
        prompts : sequence
            Texts or chats, one for each completion.
        completions : sequence of str, or of chats
            A chat is a list of messages with ``role`` and ``content``; the last one is the completion.
        completion_ids, trainer_state, log_extra, **columns
            Not looked at.
        log_metric : callable, optional
            Called, if given, with (name, value): ``<name>/valid`` and ``<name>/certified``.

        Raises
        ------
        OptionError
            If prompts or completions are no lists, or they differ in length.
        """
        prompts = listed(f"{self.__name__}: prompts", prompts, "a list")
        completions = listed(f"{self.__name__}: completions", completions)
        results = self.batch([text_of(completion) for completion in completions], [repr(prompt) for prompt in prompts])
        if log_metric is not None:
            n = max(1, len(results))
            log_metric(f"{self.__name__}/valid", sum(result.valid for result in results) / n)
            log_metric(f"{self.__name__}/certified", sum(result.certified for result in results) / n)
        return [result.score for result in results]

    # ---- pairs -------------------------------------------------------------------------------------------------------

    def _against_others(
        self, corpus: Corpus, votes: Mapping[Hashable, Mapping[int, int]]
    ) -> dict[tuple[Hashable, int], tuple[float, bool]]:
        """Of each prompt and text with another answer to it: the mean score, and whether all scores are proven."""
        scores = self._scored(corpus, sorted({pair for own in votes.values() for pair in self._wanted(own)}))
        earned = {}
        for prompt, own in votes.items():
            others = sum(own.values()) - 1
            for place in own if others else ():
                heard = [(other, n - (other == place)) for other, n in own.items() if n > (other == place)]
                met = [(scores[self._pair(place, other)], n) for other, n in heard]
                mean = fsum(score for (score, _), n in met for _ in range(n)) / others
                earned[prompt, place] = mean, all(proven for (_, proven), _ in met)
        return earned

    def _against_ensembles(
        self, corpus: Corpus, votes: Mapping[Hashable, Mapping[int, int]]
    ) -> dict[tuple[Hashable, int], tuple[float, bool]]:
        """The same for the score against the ensemble of the other answers."""
        wanted = [(prompt, place) for prompt, own in votes.items() for place in own if sum(own.values()) > 1]
        if not wanted:
            return {}
        others = [
            corpus[[other for other, n in votes[prompt].items() for _ in range(n - (other == place))]]
            for prompt, place in wanted
        ]
        metric, workers = self.pairs.metric, self.pairs.workers
        best = combined(of_sentences(others, None, metric, "raise"), metric, "merge", workers, quiet=True).graphs
        both = type(corpus).concatenate([corpus, best])
        index = np.array([[place for _, place in wanted], range(len(corpus), len(both))], np.int32)
        return dict(zip(wanted, self.pairs.known_pairs(both, index), strict=True))

    def _pair(self, pred: int, gold: int) -> tuple[int, int]:
        return (gold, pred) if self.pairs.metric.symmetric and gold < pred else (pred, gold)

    def _wanted(self, own: Mapping[int, int]) -> set[tuple[int, int]]:
        """The pairs of different texts, and of a text with itself where it occurs more than once."""
        return {self._pair(a, b) for a in own for b, n in own.items() if a != b or n > 1}

    def _scored(self, corpus: Corpus, wanted: Sequence[tuple[int, int]]) -> dict[tuple[int, int], tuple[float, bool]]:
        """Score of each pair of graphs of a corpus, and whether it is proven."""
        if not wanted:
            return {}
        index: Int32Array = np.ascontiguousarray(np.array(wanted, np.int32).T)
        return dict(zip(wanted, self.pairs.known_pairs(corpus, index), strict=True))


def _key(prompt: Any) -> Hashable:
    """What two equal prompts have in common; a chat, which is a list, has no hash."""
    try:
        hash(prompt)
    except TypeError:
        return repr(prompt)
    return prompt  # type: ignore[no-any-return]
