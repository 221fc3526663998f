"""Rewards without gold graphs: an answer's mean score against the other answers to its prompt."""

import math
import pickle
import sys
import types
import warnings
from concurrent.futures import ThreadPoolExecutor
from itertools import permutations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import fastmatch as fm
from fastmatch.rewards import ConsensusReward, GraphReward, openrlhf, verl

from support.nightly import by_day
from support.refusal import fails
from support.strategies import specs

CAT, BIG, DOG = "(c / cat)", "(c / cat :mod (b / big))", "(d / dog :polarity -)"


def by_definition(texts: list[str], metric: str = "smatch", **options) -> list[float | None]:
    """Each answer is the prediction, each other one in turn the gold graph."""
    reward = GraphReward(metric, **options)
    valid = [reward.one(text, CAT).valid for text in texts]
    means: list[float | None] = []
    for k, text in enumerate(texts):
        others = [
            reward.one(text, fm.extract(other).text).score for n, other in enumerate(texts) if n != k and valid[n]
        ]
        means.append(math.fsum(others) / len(others) if valid[k] and others else 0.0)  # type: ignore[arg-type]
    return means


@pytest.mark.parametrize("metric", ["smatch", "smatch++", "sembleu", "rematch", "wlk", "s2match", "ancast"])
def test_the_mean_score_against_the_others(metric: str) -> None:
    texts = [CAT, BIG, "A cat.", f"<answer>{CAT}</answer>", DOG, CAT, "(c / cat"]
    found = ConsensusReward(metric).group(texts)
    assert [result.score for result in found] == by_definition(texts, metric) and found[2].score == 0.0
    assert [result.valid for result in found] == [True, True, False, True, True, True, False]


@pytest.mark.parametrize(
    "options",
    [{}, *by_day([
        {"preset": "smatch++/reify"}, {"triples": "relation"}, {"preset": "smatch"}, {"duplicates": "multiply"},
        {"within": "sentences"}, {"solver": "ilp"}, {"effort": "minimal"}, {"compress": True}, {"top": "concept"},
    ], 2)],
    ids=str,
)  # fmt: skip
@given(graphs=st.lists(specs(), min_size=1, max_size=4), again=st.integers(0, 3))
def test_equals_the_definition_and_does_not_depend_on_order(options, graphs, again):
    """Pairs without arrays score as others, and one of the texts stands there twice."""
    texts = [spec.text() for spec in graphs]
    texts.append(texts[again % len(texts)])
    expected = by_definition(texts, **options)
    for order in (1, -1):
        found = ConsensusReward("smatch", **options).group(texts[::order])
        assert [result.score for result in found] == expected[::order]


def test_graphs_that_are_not_small_among_others() -> None:
    """Pairs that need an ordinary search, and more pairs than are looked at one by one."""
    large = [f"(a / a {' '.join(f':r{k} (b{k} / b)' for k in range(n))})" for n in (12, 13, 17, 70)]
    small = [f"(a / a :mod (b / b{k}))" for k in range(22)]
    for texts in ([*large, *small[:2]], [*large[:2], *small]):
        assert [result.score for result in ConsensusReward().group(texts)] == by_definition(texts)


def test_each_pair_of_texts_is_scored_once(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[int] = []
    known_pairs = GraphReward.known_pairs

    def counted(self: GraphReward, corpus, pairs):
        asked.append(len(pairs))
        return known_pairs(self, corpus, pairs)

    monkeypatch.setattr(GraphReward, "known_pairs", counted)
    ConsensusReward().group([CAT] * 6 + [BIG] * 5 + [DOG])
    assert asked == [3 + 2]  # of different texts, and two with themselves


def test_an_answer_has_no_vote_on_itself_and_a_copy_has() -> None:
    reward = ConsensusReward(on_alone=0.25, on_invalid=-1.0)
    assert [result.score for result in reward.group(iter([CAT, "no", None, ""]))] == [0.25, -1.0, -1.0, -1.0]
    assert [result.score for result in reward.group([CAT, CAT, "no"])] == [1.0, 1.0, -1.0] and reward.group([]) == []
    assert [result.score for result in reward.group(["(a", "b)"])] == [-1.0, -1.0]


def test_prompts_make_the_groups() -> None:
    reward = ConsensusReward()
    texts, prompts = [CAT, BIG, DOG, DOG], ["one", "two", "one", "two"]
    found = [result.score for result in reward.batch(texts, prompts)]
    one, two = reward.group([CAT, DOG]), reward.group([BIG, DOG])
    assert found == [one[0].score, two[0].score, one[1].score, two[1].score]
    chats = [[{"role": "user", "content": prompt}] for prompt in prompts]
    answers = [[{"role": "assistant", "content": text}] for text in texts]
    logged: dict[str, float] = {}
    assert reward(prompts=chats, completions=answers, log_metric=logged.__setitem__) == found
    assert logged == {"consensus_reward/valid": 1.0, "consensus_reward/certified": 1.0}
    assert [result.score for result in reward.batch(texts, chats)] == found
    fails(fm.OptionError, "2 completions, but 1 prompts", reward.batch, [CAT, CAT], ["one"])
    for wrong in ({"prompts": None, "completions": [CAT]}, {"prompts": ["x"], "completions": CAT}):
        fails(fm.OptionError, "expected a list", reward, **wrong)


def test_missing_prompts_are_one_prompt() -> None:
    """Each NaN of a column is another object, and equals nothing."""
    reward = ConsensusReward()
    expected = reward.batch([CAT, BIG], [None, None])
    assert expected[0].score
    for missing in ([float("nan"), float("nan")], [np.float64("nan"), np.float32("nan")], [None, float("nan")]):
        assert reward.batch([CAT, BIG], missing) == expected
        assert reward(prompts=missing, completions=[CAT, BIG]) == [result.score for result in expected]


def test_prompts_of_tokens_are_equal_in_all_places() -> None:
    """Arrays show only their ends, and tensors have the hash of the object."""
    reward = ConsensusReward()
    tokens = np.arange(5000)
    other = tokens.copy()
    other[2500] = 0
    for prompts in ([tokens, other, tokens.copy()], [_Tensor([1]), _Tensor([2]), _Tensor([1])]):
        alone, apart, too = (result.score for result in reward.batch([CAT, BIG, CAT], prompts))
        assert (alone, apart, too) == (1.0, 0.0, 1.0)
        assert reward(prompts=prompts, completions=[CAT, BIG, CAT]) == [1.0, 0.0, 1.0]


class _Tensor:
    """A list with the hash of an object, as tensors are."""

    def __init__(self, values: list[int]) -> None:
        self.values = values

    def tolist(self) -> list[int]:
        return self.values


def test_what_is_no_group() -> None:
    for wrong in (CAT, CAT.encode(), {"a": CAT}, None):
        fails(fm.OptionError, "texts: expected a list of texts, found", ConsensusReward().group, wrong)


def test_the_same_in_threads_and_after_pickling() -> None:
    reward = ConsensusReward(repair=True)
    texts = [CAT, BIG[:-1], DOG, "hm", CAT]
    expected = reward.group(texts)
    assert [result.repaired for result in expected] == [0, 1, 0, 0, 0]
    assert pickle.loads(pickle.dumps(reward)).group(texts) == expected
    assert ConsensusReward(repair=True, workers=2).group(texts) == expected
    with ThreadPoolExecutor(4) as pool:
        assert list(pool.map(reward.group, [texts] * 4)) == [expected] * 4


def test_the_hill_climber_does_not_depend_on_places() -> None:
    reward = ConsensusReward(solver="climb", restarts=1, seed=3)
    texts = [CAT, BIG, DOG]
    expected = {text: result.score for text, result in zip(texts, reward.group(texts), strict=True)}
    for order in permutations(texts):
        assert {text: result.score for text, result in zip(order, reward.group(order), strict=True)} == expected


def test_verl_asks_for_a_batch() -> None:
    infos = [{"index": 3}, {"index": 4}, {"index": 3}, {"index": 4}]
    texts = [CAT, BIG, DOG, DOG]
    found = verl.compute_group_scores(["amr"] * 4, texts, [""] * 4, infos, num_workers=3, repair=True)
    assert [one["score"] for one in found] == [result.score for result in ConsensusReward().batch(texts, [3, 4, 3, 4])]
    assert all(isinstance(value, float) for one in found for value in one.values())
    assert found == verl.compute_group_scores(["amr"] * 4, texts, ["x", "y", "x", "y"])
    answers = [CAT, CAT, BIG, DOG]
    found = verl.compute_group_scores(["amr"] * 4, answers, [""] * 4, against="ensemble", on_alone=0.5)
    scores = [one["score"] for one in found]
    assert scores == [result.score for result in ConsensusReward(against="ensemble").group(answers)]
    assert scores != [result.score for result in ConsensusReward().group(answers)]
    fails(fm.OptionError, "did you mean 'against'", verl.compute_group_scores, [], [], [], againts="ensemble")


def test_openrlhf_asks_for_tensors(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "torch", types.SimpleNamespace(tensor=list))
    found = openrlhf.consensus_func([f"p {CAT}", f"p {BIG}"], ["p", "p"])
    assert found["rewards"] == [fm.score(CAT, BIG).f1] * 2 and found["extra_logs"]["valid"] == [1.0, 1.0]


def test_wrong_options_are_refused() -> None:
    for options in ({"on_alone": math.nan}, {"on_invalid": "x"}, {"extract": "x"}, {"metric": "smatch", "k": 3}):
        fails(fm.OptionError, None, ConsensusReward, **options)


def test_against_the_ensemble_of_the_others() -> None:
    """Nobody votes on an answer but the others; what cannot be read does not vote."""
    texts = [
        "(c / cat :mod (b / big))", "(c / cat :mod (b / big) :ARG1 (x / x))", "(c / cat)", "(c / cat)", "(d / dog)",
    ]  # fmt: skip
    reward = ConsensusReward(against="ensemble", effort="default")
    with warnings.catch_warnings(action="error"):
        found = reward.group(texts)
        assert [result.score for result in reward.group(["no graph", *texts])][1:] == [one.score for one in found]
        assert reward.group(["(c / cat)"])[0].score == 0.0
        two = reward.batch(["(c / cat)", "(d / dog)", "(c / cat)"], ["p", "p", "q"])
    for k, text in enumerate(texts):
        best = fm.ensemble([texts[:k] + texts[k + 1 :]], by="sentence").graphs
        assert found[k].score == fm.score(text, best).f1 and found[k].certified
    assert [one.score for one in two] == [fm.score("(c / cat)", "(d / dog)").f1] * 2 + [0.0]
    fails(fm.OptionError, "method='merge' works with", ConsensusReward, "wlk", against="ensemble")
    fails(fm.OptionError, "against='all'", ConsensusReward, against="all")
