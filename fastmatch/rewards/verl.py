"""The door of verl: ``custom_reward_function.path=pkg://fastmatch.rewards.verl``.

verl calls ``compute_score`` for one sample at a time, and logs what else is in the dictionary that it returns. It wants
the same keys for every sample.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Any

from fastmatch.rewards.reward import GraphReward

__all__ = ["compute_score"]

#: What ``custom_reward_function.reward_kwargs`` may set: the options of :class:`~fastmatch.rewards.GraphReward`.
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
def _reward(options: tuple[tuple[str, Any], ...]) -> GraphReward:
    return GraphReward(name="verl", **dict(options))


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
        Those of :class:`~fastmatch.rewards.GraphReward` named in ``OPTIONS``; others, which verl passes, are ignored.

    Returns
    -------
    dict
        ``score`` (0 where the gold graph cannot be read), ``precision`` and ``recall`` (0 where there are none),
        ``valid``, ``repaired``, ``certified`` and ``gold_valid``, all float.
    """
    given = tuple(sorted((name, value) for name, value in options.items() if name in OPTIONS))
    result = _reward(given).one(solution_str, ground_truth)
    return {
        "score": 0.0 if result.score is None else result.score,
        "precision": result.precision or 0.0,
        "recall": result.recall or 0.0,
        "valid": float(result.valid),
        "repaired": float(result.repaired),
        "certified": float(result.certified),
        "gold_valid": float(result.score is not None),
    }
