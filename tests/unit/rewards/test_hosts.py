"""The trainers themselves, where they are installed, and the examples. NeMo Gym and slime have stand-ins instead.

The suite needs none of these packages: each test says which one it lacks. ``docs/language-models.md`` says with which
versions they were run.
"""

import asyncio
import importlib.util
import multiprocessing
import sys
import types
from pathlib import Path

import numpy as np
import pytest

import fastmatch as fm
from fastmatch.rewards import GraphReward, smatch_reward, verl

EXAMPLES = Path(__file__).parents[3] / "examples"
GOLD = "(w / want-01 :ARG0 (b / boy) :ARG1 (g / go-02 :ARG0 b))"
PRED = "(w / want-01 :ARG0 (b / boy) :ARG1 (g / go-02))"
F1 = fm.score(PRED, GOLD).f1


def example(name: str):
    """The module of that name in ``examples/``."""
    spec = importlib.util.spec_from_file_location(name, EXAMPLES / f"{name}.py")
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module  # pydantic looks annotations up there
    spec.loader.exec_module(module)
    return module


# ---- TRL -------------------------------------------------------------------------------------------------------------


def test_trl_trains() -> None:
    """A few steps of GRPO on a CPU: rewards and shares are logged under the same names at every step."""
    pytest.importorskip("trl")
    trl = example("grpo_trl")
    *steps, _ = trl.train(3, multiprocessing.util.get_temp_dir())
    shares = ("valid", "repaired", "certified")
    names = {f"{name}/{what}" for name in ("smatch_repaired", "smatch_whole") for what in shares}
    for logged in steps:
        assert names <= logged.keys() and 0.0 < logged["rewards/smatch_repaired/mean"] <= 1.0
        assert logged["rewards/smatch_whole/mean"] <= logged["rewards/smatch_repaired/mean"]
        assert logged["smatch_whole/valid"] <= logged["smatch_repaired/valid"]


def test_trl_names_rewards_by_their_name() -> None:
    utils = pytest.importorskip("trl.trainer.utils")
    for reward in (GraphReward(name="mine"), smatch_reward):
        assert utils.get_callable_name(reward) == reward.__name__ and not utils.is_async_callable(reward)


# ---- verl ------------------------------------------------------------------------------------------------------------


def test_verl_finds_the_function_and_its_manager_takes_what_it_returns() -> None:
    """By ``pkg://``, with ``reward_kwargs`` as verl merges them into every call."""
    reward = pytest.importorskip("verl.trainer.ppo.reward")
    from omegaconf import OmegaConf

    place = {"path": "pkg://fastmatch.rewards.verl", "name": "compute_score", "reward_kwargs": {"repair": True}}
    function = reward.get_custom_reward_fn(OmegaConf.create({"reward": {"custom_reward_function": place}}))
    found = function(
        data_source="amr", solution_str=PRED[:-1], ground_truth=GOLD, extra_info={}, reward_router_address=None
    )
    assert found == verl.compute_score("amr", PRED[:-1], GOLD, repair=True) and found["score"] == F1


class Characters:
    """A tokenizer with a token for each character."""

    def decode(self, ids, skip_special_tokens: bool = True) -> str:
        return "".join(map(chr, ids.tolist()))

    def __call__(self, text: str, **_):
        return {"offset_mapping": [(k, k + 1) for k in range(len(text))]}


def verl_batch(answers: list[str], golds: list[str]):
    """A batch as verl's trainer hands it to a reward manager: answers of different lengths, padded on the right."""
    torch = pytest.importorskip("torch")
    protocol = pytest.importorskip("verl.protocol")
    width = max(map(len, answers))
    rows = [[*map(ord, answer), *[0] * (width - len(answer))] for answer in answers]
    mask = [[1] * (1 + len(answer)) + [0] * (width - len(answer)) for answer in answers]
    return protocol.DataProto.from_dict(
        tensors={
            "prompts": torch.zeros((len(answers), 1), dtype=torch.long),
            "responses": torch.tensor(rows),
            "attention_mask": torch.tensor(mask),
        },
        non_tensors={
            "data_source": np.array(["amr"] * len(answers), dtype=object),
            "reward_model": np.array([{"ground_truth": gold} for gold in golds], dtype=object),
            "extra_info": np.array([{"index": k // 2} for k in range(len(answers))], dtype=object),
        },
    )


ANSWERS = [f"It is {PRED}.", GOLD, "hm", PRED[:-1]]


def test_verl_scores_single_answers() -> None:
    """Its reward loop asks for one answer at a time."""
    naive = pytest.importorskip("verl.experimental.reward_loop.reward_manager.naive")
    batch = verl_batch(ANSWERS, [GOLD] * 4)

    async def run():
        manager = naive.NaiveRewardManager(None, Characters(), verl.compute_score)
        return [await manager.run_single(batch[k : k + 1]) for k in range(4)]

    found = asyncio.run(run())
    assert [each["reward_score"] for each in found] == [F1, 1.0, 0.0, 0.0]
    assert [each["reward_extra_info"]["valid"] for each in found] == [1.0, 1.0, 0.0, 0.0]


def test_verl_scores_a_batch_without_gold_graphs() -> None:
    batches = pytest.importorskip("verl.workers.reward_manager.batch")
    manager = batches.BatchRewardManager(Characters(), 0, verl.compute_group_scores, repair=True)
    found = manager(verl_batch(ANSWERS, [""] * 4), return_dict=True)
    lengths = [len(answer) - 1 for answer in ANSWERS]
    # the first two belong to one prompt, and so do the other two, of which one cannot be read
    assert found["reward_tensor"].sum(-1).tolist() == pytest.approx([F1, F1, 0.0, 0.0])
    assert found["reward_tensor"][range(4), lengths].tolist() == found["reward_tensor"].sum(-1).tolist()
    assert found["reward_extra_info"]["repaired"] == [0.0, 0.0, 0.0, 1.0]


def test_verl_gets_credit_where_it_was_earned() -> None:
    """The function on the page, with verl's batch."""
    batch = verl_batch(ANSWERS, [GOLD] * 4)
    page = (EXAMPLES.parent / "docs" / "tutorials" / "credit.md").read_text(encoding="utf-8")
    names = {"fm": fm}
    exec(page.partition("```py\n")[2].partition("```")[0], names)
    rewards = names["token_level_scores"](batch, Characters(), [GOLD] * 4)
    assert rewards.shape == batch.batch["responses"].shape
    assert rewards.sum(-1).tolist() == pytest.approx([F1, 1.0, 0.0, fm.credit(ANSWERS[3], GOLD, repair=True).score])
    assert (rewards[0] != 0).sum() > 1 and not rewards[0, : len("It is ")].any()


# ---- OpenRLHF --------------------------------------------------------------------------------------------------------


@pytest.fixture
def executor(monkeypatch):
    return pytest.importorskip("openrlhf.utils.agent").SingleTurnAgentExecutor


def test_openrlhf_calls_a_file(executor, tmp_path):
    file = tmp_path / "reward.py"
    file.write_text("from fastmatch.rewards.openrlhf import reward_func\n")
    (found,) = asyncio.run(executor(str(file))._fetch_rewards_via_func([f"p {PRED}</s>"], ["p "], [GOLD]))
    assert found["rewards"].shape == found["scores"].shape == (1,) and found["rewards"].item() == pytest.approx(F1)
    shares = {name: value.item() for name, value in found["extra_logs"].items()}
    assert shares == {"valid": 1.0, "repaired": 0.0, "certified": 1.0}


def test_openrlhf_asks_the_server(executor, port):
    runs = executor(f"http://127.0.0.1:{port}/get_reward")
    (found,) = asyncio.run(runs._fetch_rewards_via_http([f"p {PRED}"], ["p "], [GOLD]))
    assert found["rewards"] == [F1]


# ---- verifiers, ART --------------------------------------------------------------------------------------------------


def test_verifiers_scores_a_trace() -> None:
    vf = pytest.importorskip("verifiers.v1")
    tasks = list(example("verifiers_taskset").GraphTaskset(vf.TasksetConfig()))
    task = tasks[0]
    assert "wants to go" in task.data.prompt
    for reply, score in ((f"<answer>{PRED}</answer>", F1), ("hm", 0.0)):
        trace = vf.Trace(
            task=vf.TraceTask(type="GraphTask", data=task.data),
            agent=vf.AgentInfo(config=vf.AgentConfig()),
            root_reply=reply,
        )
        asyncio.run(task.score(trace))
        assert trace.reward == score and trace.metrics.keys() == {"valid", "repaired", "certified"}
        assert trace.metrics["valid"] == (score > 0)
    assert all(asyncio.run(task.validate(None)) for task in tasks)


def test_art_rewards_a_trajectory() -> None:
    art = pytest.importorskip("art")
    rewarded = example("art_rollout").rewarded

    def trajectory(text: str):
        messages = [{"role": "user", "content": GOLD}, {"role": "assistant", "content": text}]
        return art.Trajectory(messages_and_choices=messages)

    found = rewarded(trajectory(PRED), GOLD)
    assert (found.reward, found.metrics) == (F1, {"valid": True, "repaired": 0, "certified": True})
    assert rewarded(trajectory(""), GOLD).reward == 0.0
    with pytest.raises(ValueError, match="cannot be read: 'broken'"):
        rewarded(trajectory(PRED), "broken")


# ---- slime, NeMo Gym: by their documented interfaces -----------------------------------------------------------------


def test_slime_awaits_one_sample_or_a_group() -> None:
    smatch = example("slime_reward").smatch
    pairs = ((PRED, GOLD), ("hm", GOLD), (PRED, "broken"))
    group = [types.SimpleNamespace(response=text, label=gold, remove_sample=False) for text, gold in pairs]
    assert asyncio.run(smatch(None, group[0], evaluation=True)) == F1
    assert asyncio.run(smatch(None, group)) == [F1, 0.0, 0.0]
    assert [sample.remove_sample for sample in group] == [False, False, True]


class _Model(types.SimpleNamespace):
    """What of pydantic's models the example uses."""

    def model_dump(self):
        return vars(self)


def test_nemo_gym_verifies_a_rollout(monkeypatch: pytest.MonkeyPatch) -> None:
    base = types.ModuleType("nemo_gym.base_resources_server")
    for name in ("BaseResourcesServerConfig", "BaseVerifyRequest", "BaseVerifyResponse", "SimpleResourcesServer"):
        setattr(base, name, type(name, (_Model,), {}))
    monkeypatch.setitem(sys.modules, "nemo_gym", types.ModuleType("nemo_gym"))
    monkeypatch.setitem(sys.modules, "nemo_gym.base_resources_server", base)
    gym = example("nemo_gym_server")

    part = types.SimpleNamespace
    said = [
        part(type="reasoning", summary=[]),
        part(type="message", role="assistant", content=[part(text=GOLD)]),
        part(type="message", role="assistant", content=[part(text="It is "), part(text=PRED), part(refusal="no")]),
        part(type="function_call", name="x"),
    ]
    for output, gold, reward in ((said, GOLD, F1), ([], GOLD, 0.0), (said, "broken", 0.0)):
        body = gym.GraphVerifyRequest(response=part(output=output), amr=gold, responses_create_params={})
        found = asyncio.run(gym.GraphResourcesServer().verify(body))
        assert (found.reward, found.mask_sample) == (reward, gold == "broken") and found.response is body.response
        assert (found.valid, found.certified) == (bool(output), reward > 0)


def test_every_example_has_a_test() -> None:
    text = Path(__file__).read_text(encoding="utf-8")
    assert {f'example("{file.stem}")' in text for file in EXAMPLES.glob("*.py")} == {True}
