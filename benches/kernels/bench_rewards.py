"""What does the reward of a completion take, extraction and reading included: in batches, alone, through each door?

Completions are graphs of a sentence in a fenced block, each with a gold graph of its own, which is read with it. Divide
the times by ``completions``. ``credit`` says besides where the score was earned: compare with ``smatch``. Divide the
time of groups of answers to one prompt, without gold graphs, by ``pairs``, all pairs of answers of one prompt.
"""

from __future__ import annotations

from typing import Any

import data
import pytest

from fastmatch.rewards import ConsensusReward, GraphReward, openrlhf, verl
from fastmatch.rewards.credit import credit, credit_batch

COUNT = 64
PROMPT = "Write the graph of this sentence.\n"


def _texts() -> tuple[list[str], list[str]]:
    preds, golds = data.pairs("sentence", COUNT)
    return [f"Here it is:\n```\n{pred}\n```\n" for pred in preds], golds


@pytest.mark.parametrize("metric", ["smatch", "rematch", "wlk"])
def test_batch(benchmark: Any, metric: str) -> None:
    texts, golds = _texts()
    reward = GraphReward(metric, name="bench")
    benchmark.extra_info["completions"] = COUNT
    assert all(score for score in benchmark(lambda: reward(completions=texts, amr=golds)))


@pytest.mark.parametrize("metric", ["smatch", "rematch", "wlk"])
def test_one(benchmark: Any, metric: str) -> None:
    texts, golds = _texts()
    reward = GraphReward(metric, name="bench")
    benchmark.extra_info["completions"] = COUNT
    found = benchmark(lambda: [reward.one(text, gold) for text, gold in zip(texts, golds, strict=True)])
    assert all(result.valid for result in found)


def test_credit_batch(benchmark: Any) -> None:
    texts, golds = _texts()
    benchmark.extra_info["completions"] = COUNT
    assert all(found.score for found in benchmark(lambda: credit_batch(texts, golds)))


@pytest.mark.parametrize("wanted", ["tokens", "triples"])
def test_credit_batch_and(benchmark: Any, wanted: str) -> None:
    """With the credit of tokens of four letters, or with all triples and what is missing."""
    texts, golds = _texts()
    benchmark.extra_info["completions"] = COUNT
    offsets = [[(at, at + 4) for at in range(0, len(text), 4)] for text in texts]

    def made() -> list[Any]:
        found = credit_batch(texts, golds)
        if wanted == "triples":
            return [each.triples for each in found]
        return [each.to_tokens(own) for each, own in zip(found, offsets, strict=True)]

    assert all(map(any, benchmark(made)))


@pytest.mark.parametrize("size", [4, 8, 16])
def test_group(benchmark: Any, size: int) -> None:
    """Answers to one prompt against each other."""
    texts, _ = _texts()
    reward = ConsensusReward(name="bench")
    benchmark.extra_info["pairs"] = COUNT // size * size * (size - 1) // 2
    groups = [texts[at : at + size] for at in range(0, COUNT, size)]
    assert all(benchmark(lambda: [reward.group(group) for group in groups]))


def test_credit_one(benchmark: Any) -> None:
    texts, golds = _texts()
    benchmark.extra_info["completions"] = COUNT
    found = benchmark(lambda: [credit(text, gold) for text, gold in zip(texts, golds, strict=True)])
    assert all(each.score for each in found)


def test_verl(benchmark: Any) -> None:
    texts, golds = _texts()
    benchmark.extra_info["completions"] = COUNT
    found = benchmark(lambda: [verl.compute_score("", text, gold) for text, gold in zip(texts, golds, strict=True)])
    assert all(result["valid"] for result in found)


def test_openrlhf(benchmark: Any) -> None:
    """One by one, as its executor asks; without the tensors, so that the bench needs no torch."""
    texts, golds = _texts()
    reward = GraphReward(name="bench")
    benchmark.extra_info["completions"] = COUNT

    def score() -> list[dict[str, Any]]:
        pairs = zip(texts, golds, strict=True)
        return [openrlhf.rewards([PROMPT + text], [PROMPT], [gold], reward) for text, gold in pairs]

    assert all(found["rewards"][0] for found in benchmark(score))
