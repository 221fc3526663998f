"""The door of verl: ``custom_reward_function.path=pkg://fastmatch.rewards.verl``.

verl calls ``compute_score`` for one sample at a time, and logs what else is in the dictionary that it returns. It wants
the same keys for every sample.
"""

from __future__ import annotations

from dataclasses import fields
from difflib import get_close_matches
from functools import lru_cache
from inspect import signature
from typing import Any

from fastmatch.errors import OptionError
from fastmatch.metrics.registry import get
from fastmatch.rewards.consensus import ConsensusReward
from fastmatch.rewards.reward import GraphReward, RewardResult
from fastmatch.runtime.cached import from_cache

#: Parameters of a reward that ``custom_reward_function.reward_kwargs`` does not set.
_OTHERS = ("gold_column", "workers", "name", "options")
#: Fields of a result that say how it came about.
_ALWAYS = ("valid", "repaired", "certified")


@lru_cache(maxsize=32)
def _made(kind: type[Any], /, **given: Any) -> Any:
    """A reward of this kind with these options, kept for the next call."""
    return kind(name="verl", **_known(given, kind))


def _known(given: dict[str, Any], reward: type) -> dict[str, Any]:
    """Those of these arguments that are options of the reward or of its metric; verl passes others of its own."""
    own = [name for name in signature(reward).parameters if name not in _OTHERS]
    known = (*own, *(entry.name for entry in fields(get(given.get("metric", "smatch")))))  # type: ignore[arg-type]
    for name in given:
        meant = [] if name in known else get_close_matches(name, known, 1, 0.8)
        if meant:
            raise OptionError(f"reward_kwargs: no option {name!r}; did you mean {meant[0]!r}?")
    return {name: value for name, value in given.items() if name in known}


def compute_score(
    data_source: Any, solution_str: str, ground_truth: str, extra_info: Any = None, **options: Any
) -> dict[str, float]:
    """The reward of one sample.

    Parameters
    ----------
    data_source, extra_info
        Not looked at.
    solution_str : str
        The completion.
    ground_truth : str
        The gold graph.
    **options
        Those of :class:`~fastmatch.rewards.GraphReward` but ``gold_column``, ``workers`` and ``name``, and those of the
        metric. Others, which verl passes, are ignored.

    Returns
    -------
    dict
        ``score`` (0 where the gold graph cannot be read), ``precision`` and ``recall`` (0 where there are none),
        ``valid``, ``repaired``, ``certified`` and ``gold_valid``, all float.

    Raises
    ------
    OptionError
        If an option has no such value, or its name looks like a misspelt one.
    """
    result = from_cache(_made, GraphReward, **options).one(solution_str, ground_truth)
    return {**_numbers(result, "score", "precision", "recall", *_ALWAYS), "gold_valid": float(result.score is not None)}


def _numbers(result: RewardResult, *names: str) -> dict[str, float]:
    """These fields of a result; 0 where there is none."""
    return {name: float(getattr(result, name) or 0) for name in names}


def compute_group_scores(
    data_sources: Any, solution_strs: Any, ground_truths: Any, extra_infos: Any = None, **options: Any
) -> list[dict[str, float]]:
    """The rewards of a batch without gold graphs, as verl's batch reward manager asks for them.

    Parameters
    ----------
    data_sources
        Answers to one prompt have the same one.
    solution_strs : sequence of str
        The completions.
    ground_truths
        Not read as graphs. If ``extra_infos`` has no ``index``, answers with the same one belong to the same prompt.
    extra_infos : sequence of dict, optional
        ``index`` says which row of the data an answer belongs to.
    **options
        Those of :class:`~fastmatch.rewards.ConsensusReward`. Others, which verl passes, are ignored.

    Returns
    -------
    list of dict
        ``score``, ``valid``, ``repaired`` and ``certified``, all float.

    Raises
    ------
    OptionError
        If an option has no such value, or its name looks like a misspelt one.
    """
    infos = [None] * len(solution_strs) if extra_infos is None else extra_infos
    prompts = []
    for source, truth, info in zip(data_sources, ground_truths, infos, strict=True):
        index = info.get("index") if isinstance(info, dict) else None
        prompts.append(repr((source, truth if index is None else index)))
    results = from_cache(_made, ConsensusReward, **options).batch(list(solution_strs), prompts)
    return [_numbers(result, "score", *_ALWAYS) for result in results]
