"""A reward without gold graphs: how far each answer to a prompt agrees with the other answers to it.

Where no gold graph is known, the answers themselves may vote, as they do by majority where they are numbers
(self-consistency: Wang et al., ICLR 2023; test-time reinforcement learning: Zuo et al. 2025). Graphs are seldom equal,
so each answer earns its *mean score* against the others, or its score against the graph that is nearest to the others
(:func:`fastmatch.ensemble`). It has no vote on itself. What cannot be read has no vote at all.

An answer that occurs k times has k votes, but each pair of different texts is scored once. The sums are exactly
rounded, so neither the order of answers nor the number of threads changes a bit.
"""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence
from itertools import combinations, permutations
from math import fsum
from typing import Any, Literal

from fastmatch.ensembles.candidates import of_sentences
from fastmatch.ensembles.ensembling import check_method, combined
from fastmatch.errors import OptionError, choice
from fastmatch.graphs.corpus import Corpus
from fastmatch.graphs.reading import parse
from fastmatch.rewards.reward import GraphReward, RewardResult, TrainerReward, check_number, listed, text_of
from fastmatch.runtime.progress import Steps
from fastmatch.types import Effort, MetricName, Where


class ConsensusReward(TrainerReward):
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
        self.__name__, self.metric, self.against = self.pairs.__name__, self.pairs.metric, against
        if against == "ensemble":
            check_method(self.metric, "merge")

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
        return self._rewards(texts, [0] * len(texts))

    def batch(self, texts: Sequence[Any], prompts: Sequence[Any]) -> list[RewardResult]:
        """The rewards of answers to several prompts; those with equal prompts are a group, wherever they stand.

        Parameters
        ----------
        texts : sequence of str
        prompts : sequence
            Whatever says which prompt an answer belongs to: texts, numbers, chats, arrays of tokens. Those that are
            missing (None, NaN) are one prompt.

        Raises
        ------
        OptionError
            If one is no list, or there are not as many of one as of the other.
        """
        texts, prompts = listed("texts", texts), [_key(prompt) for prompt in listed("prompts", prompts, "a list")]
        if len(texts) != len(prompts):
            raise OptionError(f"{len(texts)} completions, but {len(prompts)} prompts")
        return self._rewards(texts, prompts)

    def _rewards(self, texts: Sequence[Any], prompts: Sequence[Hashable]) -> list[RewardResult]:
        found = [self.pairs.find(text) for text in texts]
        places: dict[str, int] = {}
        place_of = [-1 if one is None else places.setdefault(one[0], len(places)) for one in found]
        corpus = parse(list(places), dialect=self.metric.dialect, on_error="empty")
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
        nothing = RewardResult(self.pairs.on_invalid, None, None, False, 0, False)
        results = []
        for one, prompt, place in zip(found, prompts, place_of, strict=True):
            if one is None or place in unread:
                results.append(nothing)
                continue
            score, proven = earned.get((prompt, place), (self.on_alone, False))
            results.append(RewardResult(score, None, None, True, one[1], proven))
        return results

    # ---- TRL ---------------------------------------------------------------------------------------------------------

    def earned(self, prompts: Any, completions: Any, columns: Mapping[str, Any], log_extra: Any) -> list[RewardResult]:
        """The results of a batch of a trainer; answers with equal prompts, which are texts or chats, are a group.

        Raises
        ------
        OptionError
            If prompts or completions are no lists, or they differ in length.
        """
        prompts = listed(f"{self.__name__}: prompts", prompts, "a list")
        completions = listed(f"{self.__name__}: completions", completions)
        return self.batch([text_of(completion) for completion in completions], prompts)

    # ---- pairs -------------------------------------------------------------------------------------------------------

    def _against_others(
        self, corpus: Corpus, votes: Mapping[Hashable, Mapping[int, int]]
    ) -> dict[tuple[Hashable, int], tuple[float, bool]]:
        """Of each prompt and text with another answer to it: the mean score, and whether all scores are proven."""
        symmetric = self.metric.symmetric
        ordered = combinations if symmetric else permutations
        known: dict[tuple[int, int], Any] = {}  # the pairs of all prompts, each once
        wanted = []
        for prompt, own in votes.items():
            met = list(ordered(sorted(own), 2))
            if len(own) < sum(own.values()):
                met += [(place, place) for place, n in own.items() if n > 1]  # a text against itself
            known.update(dict.fromkeys(met))
            wanted.append((prompt, own, met))
        if not known:
            return {}
        known = dict(zip(known, self.pairs.known_pairs(corpus, list(known)), strict=True))
        earned = {}
        for prompt, own, met in wanted:
            heard: dict[int, list[float]] = {place: [] for place in own}
            doubtful = set()
            for pair in met:
                a, b = pair
                score, proven = known[pair]
                heard[a] += [score] * (own[b] - (a == b))
                if symmetric and a != b:
                    heard[b] += [score] * own[a]
                if not proven:
                    doubtful |= {a, b} if symmetric else {a}
            for place, each in heard.items():
                if each:
                    earned[prompt, place] = fsum(each) / len(each), place not in doubtful
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
        metric, workers = self.metric, self.pairs.workers
        best = combined(of_sentences(others, None, metric, "raise"), metric, "merge", workers, Steps(None, 0)).graphs
        both = type(corpus).concatenate([corpus, best])
        pairs = [(place, len(corpus) + k) for k, (_, place) in enumerate(wanted)]
        return dict(zip(wanted, self.pairs.known_pairs(both, pairs), strict=True))


def _key(prompt: Any) -> Hashable:
    """What two equal prompts have in common; None for a prompt that is missing.

    Arrays and tensors are taken as lists: they have no hash, or that of the object, and are shown in part. A chat is
    a list, which has no hash either.
    """
    if hasattr(prompt, "tolist"):
        prompt = prompt.tolist()
    if isinstance(prompt, float) and prompt != prompt:  # each NaN of a column is another object
        return None
    try:
        hash(prompt)
    except TypeError:
        return repr(prompt)
    return prompt
