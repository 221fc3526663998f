"""The door of verl: ``custom_reward_function.path=pkg://fastmatch.rewards.verl``.

verl calls ``compute_score`` for one sample at a time, and logs what else is in the dictionary that it returns. It wants
the same keys for every sample. ``compute_consensus`` needs no gold graphs, and a whole batch:
``reward_model.reward_manager=batch``.
"""

from __future__ import annotations

from dataclasses import fields
from difflib import get_close_matches
from functools import lru_cache
from typing import TYPE_CHECKING, Any

from fastmatch.errors import OptionError
from fastmatch.metrics.registry import get
from fastmatch.rewards.consensus import ConsensusReward
from fastmatch.rewards.reward import GraphReward

if TYPE_CHECKING:
    from collections.abc import Sequence

__all__ = ["compute_consensus", "compute_score"]

#: Options of :class:`~fastmatch.rewards.GraphReward` that ``custom_reward_function.reward_kwargs`` may set, besides
#: those of the metric.
OPTIONS = (
    "metric",
    "preset",
    "extract",
    "thinking",
    "on_invalid",
    "repair",
    "effort",
    "most_characters",
    "beta",
    "concepts",
    "length_guard",
    "format_bonus",
)


@lru_cache(maxsize=32)
def _reward(**given: Any) -> GraphReward:
    return GraphReward(name="verl", **_known(given))


@lru_cache(maxsize=32)
def _consensus(**given: Any) -> ConsensusReward:
    return ConsensusReward(name="verl_consensus", **_known(given, "against"))


def _known(given: dict[str, Any], *more: str) -> dict[str, Any]:
    """Those of these arguments that are options; verl passes others of its own."""
    of_metric = (entry.name for entry in fields(get(given.get("metric", "smatch"))))  # type: ignore[arg-type]
    known = (*OPTIONS, *more, *of_metric)
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
        Those of :class:`~fastmatch.rewards.GraphReward` named in ``OPTIONS``, and those of the metric. Others, which
        verl passes, are ignored.

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
    try:
        reward = _reward(**options)
    except TypeError:  # something that cannot be hashed
        reward = _reward.__wrapped__(**options)
    result = reward.one(solution_str, ground_truth)
    return {
        "score": 0.0 if result.score is None else result.score,
        "precision": result.precision or 0.0,
        "recall": result.recall or 0.0,
        "valid": float(result.valid),
        "repaired": float(result.repaired),
        "certified": float(result.certified),
        "gold_valid": float(result.score is not None),
    }


def compute_consensus(
    data_sources: Sequence[Any],
    solution_strs: Sequence[str],
    ground_truths: Sequence[Any],
    extra_infos: Sequence[Any],
    **options: Any,
) -> list[dict[str, float]]:
    """How far each answer agrees with the others to its prompt.

    Parameters
    ----------
    data_sources
        Not looked at.
    solution_strs : sequence of str
        The completions.
    ground_truths : sequence
        Not gold graphs, but what tells prompts apart where ``extra_infos`` do not.
    extra_infos : sequence
        Samples with an equal ``index``, which verl's data sets have, answer one prompt.
    **options
        ``against``, and those of :func:`compute_score`.

    Returns
    -------
    list of dict
        ``score``, ``valid``, ``repaired`` and ``certified``, all float.

    Raises
    ------
    OptionError
        As :func:`compute_score`, or if the lists differ in length.
    """
    try:
        reward = _consensus(**options)
    except TypeError:  # something that cannot be hashed
        reward = _consensus.__wrapped__(**options)
    if not len(solution_strs) == len(ground_truths) == len(extra_infos):
        raise OptionError("solution_strs, ground_truths and extra_infos differ in length")
    keys = [
        [info["index"]] if isinstance(info, dict) and info.get("index") is not None else truth
        for info, truth in zip(extra_infos, ground_truths, strict=True)
    ]
    return [
        {
            "score": 0.0 if result.score is None else result.score,
            "valid": float(result.valid),
            "repaired": float(result.repaired),
            "certified": float(result.certified),
        }
        for result in reward.groups(keys, solution_strs)
    ]
