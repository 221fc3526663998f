"""Rewards without gold graphs: the mean score to the other answers, whoever counts it."""

from __future__ import annotations

import pickle
import random
import warnings
from statistics import fmean

import pytest
from hypothesis import given
from hypothesis import strategies as st

import fastmatch as fm
from fastmatch import OptionError
from fastmatch.rewards import ConsensusReward
from fastmatch.rewards.openrlhf import rewards as openrlhf_rewards
from fastmatch.rewards.verl import compute_consensus

from support.strategies import Spec, specs

CAT, DOG = "(c / cat :mod (b / big))", "(d / dog)"
BAD = ["A cat.", "", None, 5, "(c / ", "<answer></answer>"]


def one_by_one(texts: list[str | None], metric: str) -> list[float]:
    """The definition: each answer against each other one that can be read."""
    rewards = []
    for k, text in enumerate(texts):
        if text is None:
            rewards.append(0.0)
            continue
        scores = [fm.score(text, other, metric=metric).score for j, other in enumerate(texts) if j != k and other]
        rewards.append(fmean(scores) if scores else 0.0)
    return rewards


@pytest.mark.parametrize("metric", ["smatch", "smatch++", "sembleu", "ancast", "wlk", "s2match"])
@given(st.lists(specs(max_size=4), min_size=1, max_size=4), st.integers(0, 2**32))
def test_the_mean_score_to_the_others(metric: str, drawn: list[Spec], seed: int) -> None:
    rng = random.Random(seed)
    texts: list[str | None] = [spec.text() for spec in drawn]
    texts += [None, *rng.choices(texts, k=2)]  # an unreadable one, and copies
    rng.shuffle(texts)
    reward = ConsensusReward(metric, effort="default")
    found = reward.group(["no graph" if text is None else text for text in texts])
    assert [result.score for result in found] == pytest.approx(one_by_one(texts, metric), abs=1e-12)
    assert [result.valid for result in found] == [text is not None for text in texts]


@pytest.mark.parametrize("against", ["others", "ensemble"])
def test_what_cannot_be_read_earns_little_and_does_not_vote(against: str) -> None:
    reward = ConsensusReward(against=against, on_invalid=-1.0)
    plain = reward.group([CAT, CAT, DOG])
    found = reward.group([BAD[0], CAT, *BAD[1:4], CAT, DOG, *BAD[4:]])
    assert [result.score for result in found if result.valid] == [result.score for result in plain]
    assert [result.score for result in found if not result.valid] == [-1.0] * len(BAD)
    assert [result.score for result in reward.group([CAT])] == [0.0]
    assert [result.score for result in reward.group([CAT, "x"])] == [0.0, -1.0]
    assert reward.group([]) == []


def test_against_the_ensemble_of_the_others() -> None:
    """An answer does not vote for itself."""
    texts = ["(c / cat :mod (b / big))", "(c / cat :mod (b / big) :ARG1 (x / x))", "(c / cat)", "(c / cat)", DOG]
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        found = ConsensusReward(against="ensemble", effort="default").group(texts)
    for k, text in enumerate(texts):
        best = fm.ensemble([texts[:k] + texts[k + 1 :]], by="sentence").graphs
        assert found[k].score == fm.score(text, best).f1
    assert ConsensusReward(against="ensemble").group([CAT, DOG])[0].score == fm.score(CAT, DOG).f1


def test_options_of_the_reward() -> None:
    marked = f"<answer>{CAT}</answer>"
    found = ConsensusReward(format_bonus=0.5).group([marked, CAT])
    assert [result.score for result in found] == [1.5, 1.0]
    found = ConsensusReward(repair=True).group([CAT[:-1], CAT])
    assert [(result.score, result.repaired) for result in found] == [(1.0, 1), (1.0, 0)]
    mixed = ConsensusReward(concepts=0.5).group([CAT, "(c / cat)"])
    pair = fm.score(CAT, "(c / cat)").f1, fm.score(CAT, "(c / cat)", triples="instance", top="none").f1
    assert mixed[0].score == pytest.approx(fmean(pair))
    recall = ConsensusReward(beta=1e6).group([CAT, "(c / cat)"])
    assert recall[0].score == pytest.approx(1) and recall[1].score == pytest.approx(0.5, abs=0.01)
    climbing = ConsensusReward(solver="climb").group([CAT, CAT, DOG])
    assert climbing == ConsensusReward(solver="climb").group([CAT, CAT, DOG])


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"length_guard": 2.0}, "there is no gold graph"),
        ({"against": "ensemble", "metric": "wlk"}, "against='ensemble': metric 'wlk' merges no graphs"),
        ({"against": "all"}, "against='all'"),
    ],
)
def test_options_that_make_no_sense(options: dict[str, object], message: str) -> None:
    with pytest.raises(OptionError, match=message):
        ConsensusReward(**options)  # type: ignore[arg-type]


# ---- trainers --------------------------------------------------------------------------------------------------------


def test_trl() -> None:
    """Groups are found by their prompts, in any order; chats are prompts, too."""
    reward = ConsensusReward()
    alone = {"a": [1.0, 1.0], "b": [reward.group([CAT, DOG])[0].score] * 2}
    found = reward(prompts=["a", "b", "a", "b"], completions=[CAT, CAT, CAT, DOG])
    assert found == [alone["a"][0], alone["b"][0], alone["a"][1], alone["b"][1]]
    chats = [[{"role": "user", "content": key}] for key in "abab"]
    answers = [[{"role": "assistant", "content": text}] for text in (CAT, CAT, CAT, DOG)]
    logged: dict[str, float] = {}
    assert reward(prompts=chats, completions=answers, log_metric=logged.__setitem__) == found
    assert logged == {f"{reward.__name__}/valid": 1.0}
    assert pickle.loads(pickle.dumps(reward)).group([CAT, DOG]) == reward.group([CAT, DOG])
    with pytest.raises(OptionError, match="expected prompts and completions"):
        reward(completions=[CAT])
    with pytest.raises(OptionError, match="2 completions, but 1 prompts"):
        reward(prompts=["a"], completions=[CAT, DOG])


def test_verl() -> None:
    infos = [{"index": 7}, {"index": 8}, {"index": 7}, {}]
    found = compute_consensus(["d"] * 4, [CAT, DOG, CAT, "x"], ["", "", "", ""], infos, against="others", step=3)
    assert [record["score"] for record in found] == [1.0, 0.0, 1.0, 0.0]
    assert found[3] == {"score": 0.0, "valid": 0.0, "repaired": 0.0, "certified": 0.0}
    found = compute_consensus([0, 0], [CAT, DOG], ["same", "same"], [None, None], metric="wlk")
    assert found[0]["score"] == fm.score(CAT, DOG, metric="wlk").score
    with pytest.raises(OptionError, match="differ in length"):
        compute_consensus([], [CAT], [], [])
    with pytest.raises(OptionError, match="did you mean 'against'"):
        compute_consensus([], [], [], [], againts="others")


def test_openrlhf() -> None:
    queries = [f"prompt {k % 2}: {text}" for k, text in enumerate([CAT, CAT, CAT, DOG])]
    prompts = [f"prompt {k % 2}:" for k in range(4)]
    found = openrlhf_rewards(queries, prompts, [""] * 4, ConsensusReward())
    other = fm.score(CAT, DOG).f1
    assert found["rewards"] == [1.0, other, 1.0, other]


def test_openrlhf_with_tensors() -> None:
    torch = pytest.importorskip("torch", reason="torch is not installed")
    from fastmatch.rewards.openrlhf import consensus_func

    found = consensus_func([f"a long prompt: {CAT}"] * 2, ["a long prompt:"] * 2, ["", ""])
    assert torch.equal(found["rewards"], torch.tensor([1.0, 1.0]))
