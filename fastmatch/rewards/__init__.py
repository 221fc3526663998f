"""Rewards for language models that write graphs: one function, and the doors through which trainers call it.

:class:`~fastmatch.rewards.reward.GraphReward` finds the graph in each completion, reads it and scores it against its
gold graph. It is called as TRL calls a reward function. :class:`~fastmatch.rewards.consensus.ConsensusReward` needs no
gold graphs: it scores the answers to a prompt against each other. ``verl`` and ``openrlhf`` are the doors of those
trainers, each a module of its own. :func:`smatch_reward` is a reward function for command lines that name one.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from fastmatch.rewards.consensus import ConsensusReward
from fastmatch.rewards.reward import GraphReward, RewardResult

__all__ = ["ConsensusReward", "GraphReward", "RewardResult", "smatch_reward"]

_SMATCH = GraphReward(name="smatch_reward")


def smatch_reward(completions: Sequence[Any], **columns: Any) -> list[float | None]:
    """Smatch F1 of each completion, with gold graphs in the column ``amr``: ``trl grpo --reward_funcs`` can name it."""
    return _SMATCH(completions=completions, **columns)
