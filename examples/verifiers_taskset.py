"""A taskset for verifiers (0.4 or newer): sentences to be parsed, and Smatch as the reward.

    pip install fastmatch verifiers

A package with this module and ``__all__ = ["GraphTaskset"]`` is a taskset that verifiers and prime-rl run by its name.
"""

from __future__ import annotations

from collections.abc import Iterator

import verifiers.v1 as vf

from fastmatch.rewards import GraphReward

__all__ = ["GraphTaskset"]

REWARD = GraphReward(repair=True)
ROWS = [
    ("The boy wants to go.", "(w / want-01 :ARG0 (b / boy) :ARG1 (g / go-02 :ARG0 b))"),
    ("The cat sleeps.", "(s / sleep-01 :ARG0 (c / cat))"),
]


class GraphData(vf.TaskData):
    """What a task is made of: the prompt, and the gold graph."""

    amr: str


class GraphTask(vf.Task[GraphData]):
    """One sentence."""

    async def validate(self, runtime: vf.Runtime) -> bool:
        """Whether the gold graph can be read."""
        return REWARD.one("", self.data.amr).score is not None

    @vf.reward
    async def smatch(self, trace: vf.Trace) -> float:
        """Smatch F1 of the graph in the last reply."""
        result = REWARD.one(trace.last_reply, self.data.amr)
        trace.record_metrics(
            {"valid": float(result.valid), "repaired": float(result.repaired > 0), "certified": float(result.certified)}
        )
        return result.score or 0.0


class GraphTaskset(vf.Taskset[GraphTask]):
    """Put your own rows in the place of these."""

    def load(self) -> Iterator[GraphTask]:
        for sentence, graph in ROWS:
            prompt = f"Write the AMR graph of this sentence between <answer> tags: {sentence}"
            yield GraphTask(GraphData(prompt=prompt, amr=graph), self.config.task)
