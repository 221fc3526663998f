"""Rewards: what a completion earns, what none may do, and how TRL calls them."""

import inspect
import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import fastmatch as fm
from fastmatch.metrics.names import BUILT_IN
from fastmatch.metrics.smatch import Smatch
from fastmatch.rewards import GraphReward, RewardResult, smatch_reward
from fastmatch.rewards import reward as reward_module
from fastmatch.rewards.credit import credit_batch
from fastmatch.rewards.harness import GraphMetric

from support.hostile import FAMILIES
from support.nightly import by_day
from support.refusal import fails

GOLD = "(w / want-01 :ARG0 (b / boy) :ARG1 (g / go-02 :ARG0 b))"
PRED = "(w / want-01 :ARG0 (b / boy) :ARG1 (g / go-02))"
METRICS = sorted(set(BUILT_IN) - {"align-smatch", "docsmatch"})


@pytest.mark.parametrize("metric", METRICS)
def test_the_reward_is_the_score_of_the_graph_that_was_found(metric: str) -> None:
    found = GraphReward(metric).one(f"<think>{GOLD}</think> Here it is:\n```\n{PRED}\n```", GOLD)
    score = fm.score(PRED, GOLD, metric=metric)
    assert found.score == score.pairs.score[0] and (found.valid, found.repaired, found.certified) == (True, 0, True)
    assert found.precision == (score.precision if "precision" in score.scores else None)


def test_the_same_in_one_call_or_many() -> None:
    reward = GraphReward()
    texts = [PRED, "no graph", GOLD, "(w / want-01", PRED.replace("boy", "girl"), "", "()", PRED]
    golds = [GOLD] * 7 + ["(c / cat)"]
    together = reward.batch(texts, golds)
    assert together == [reward.one(text, gold) for text, gold in zip(texts, golds, strict=True)]
    assert together == GraphReward(workers=2).batch(texts, golds)
    assert [result.valid for result in together] == [True, False, True, False, True, False, False, True]
    assert together[2] == RewardResult(1.0, 1.0, 1.0, True, 0, True)
    assert reward.batch([], []) == []


def test_a_reward_does_not_depend_on_its_place_in_a_batch() -> None:
    """The hill-climber draws its random numbers by the numbers of graphs."""
    pred, gold = FAMILIES["trees"](1, 600)
    reward = GraphReward(solver="climb", restarts=1, seed=3)
    expected = fm.score(pred, gold, solver="climb", restarts=1, seed=3).f1
    assert expected < fm.score(pred, gold).f1
    assert [result.score for result in reward.batch([PRED] + [pred] * 6, [GOLD] + [gold] * 6)[1:]] == [expected] * 6


def test_a_batch_is_read_and_prepared_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """What takes its time once for a corpus would be most of the time of a single completion."""
    calls: list[str] = []

    def noted(name: str, function):
        return lambda *given, **named: (calls.append(name), function(*given, **named))[1]

    monkeypatch.setattr(reward_module, "parse", noted("parse", reward_module.parse))
    monkeypatch.setattr(reward_module, "run", noted("run", reward_module.run))
    monkeypatch.setattr(Smatch, "prepare", noted("prepare", Smatch.prepare))
    GraphReward().one(PRED, GOLD)
    GraphReward().batch([PRED, GOLD, "hm"] * 5, [GOLD] * 15)
    assert calls == ["parse", "prepare", "run"] * 2


@pytest.mark.parametrize(
    "text", [None, float("nan"), 3, "", "(", "hm", "(w / want-01", "<answer>42</answer>", "\ud800", b"(a / b)"]
)
def test_whatever_a_completion_is_it_has_a_reward(text: object) -> None:
    for on_invalid in (0.0, -1.0):
        assert GraphReward(on_invalid=on_invalid).batch([text], [GOLD]) == [
            RewardResult(on_invalid, None, None, False, 0, False)
        ]


@pytest.mark.parametrize("gold", [None, "", "(w / want-01", "no graph", 3])
def test_only_a_broken_gold_graph_has_no_reward(gold: object) -> None:
    scores = [result.score for result in GraphReward().batch([PRED, "hm", PRED], [gold, gold, GOLD])]
    assert scores[:2] == [None, None] and scores[2] is not None
    found = GraphReward(repair=True).batch([PRED, "hm", PRED[:-1], PRED + ")"], [gold] * 4)
    assert [(result.valid, result.repaired) for result in found] == [(True, 0), (False, 0), (True, 1), (True, 0)]
    assert [result.valid for result in GraphReward().batch([PRED, "hm", PRED[:-1]], [gold] * 3)] == [True, False, False]


def test_shaping() -> None:
    result = fm.score(PRED, GOLD)
    precision, recall = result.precision, result.recall
    expected = 5 * precision * recall / (4 * precision + recall)
    assert GraphReward(beta=2.0).one(PRED, GOLD).score == pytest.approx(expected)
    assert GraphReward(beta=0.0).one(PRED, GOLD).score == pytest.approx(precision)
    assert GraphReward(beta=2.0).one("(c / cat)", "(d / dog :x 3 :y 4)").score is not None
    assert GraphReward(concepts=0.5).one(PRED, GOLD).score == pytest.approx((result.f1 + 1.0) / 2)
    assert GraphReward(concepts=1.0).one("(x / boy)", "(y / girl)").score == 0.0
    bonus = GraphReward(format_bonus=0.25, repair=True)
    assert bonus.one(f"<answer>{GOLD}</answer>", GOLD).score == 1.25
    assert bonus.one(f"```\n{GOLD}\n```", GOLD).score == 1.25 and bonus.one(GOLD, GOLD).score == 1.0
    assert bonus.one(f"<answer>{GOLD[:-1]}</answer>", GOLD).score == 1.0
    assert bonus.one("<answer>hm</answer>", GOLD).score == 0.0
    long = GOLD[:-1] + " :mod (m / mouse)" * 20 + ")"
    guarded, plain = GraphReward(length_guard=2.0), GraphReward()
    assert guarded.one(PRED, GOLD) == plain.one(PRED, GOLD)
    assert 0.0 < guarded.one(long, GOLD).score < plain.one(long, GOLD).score / 2  # type: ignore[operator]


@given(st.integers(1, 5), st.sampled_from([" ", "\n\n", " and "]))
def test_more_of_the_same_earns_no_more(times: int, between: str) -> None:
    reward = GraphReward()
    once = reward.one(PRED, GOLD).score
    assert reward.one(between.join([PRED] * times), GOLD).score == once
    for triple in (":ARG0 b", ":ARG1 g"):
        repeated = PRED.replace("(g / go-02)", f"(g / go-02) {' '.join([triple] * times)}")
        assert reward.one(repeated, GOLD).score <= once  # type: ignore[operator]
    assert reward.one(PRED + " word" * 100 * times, GOLD).score == once


def test_the_prompt_or_thoughts_earn_nothing() -> None:
    reward = GraphReward(thinking=True)
    assert reward.one(f"{GOLD} so", GOLD).score == 0.0
    assert reward.one(f"{GOLD} so</think> {PRED}", GOLD).score == fm.score(PRED, GOLD).f1


def test_long_and_hostile_completions() -> None:
    reward = GraphReward()
    assert reward.one("(a / " + "b" * 8000 + ")", GOLD).valid is False
    assert GraphReward(most_characters=10**6).one("(a / " + "b" * 8000 + ")", GOLD).valid
    for make in by_day(list(FAMILIES.values()), 3):
        text, gold = make(1)
        found = reward.one(text, gold)
        assert found.valid
        least = fm.score(text, gold, effort="minimal").pairs
        assert (found.score, found.certified) == (least.f1[0], least.certified[0])


@pytest.mark.parametrize("metric", ["ancast", "wwlk"])
def test_graphs_of_too_many_nodes_are_not_compared(metric: str) -> None:
    """What these metrics take grows with the product of the sizes, whatever their limits of work."""
    text = "(v/c" + "".join(f":b(v{k}/c" for k in range(600)) + ")" * 601
    reward = GraphReward(metric, repair=True)
    untried = RewardResult(0.0, None, None, True, 0, False)
    assert reward.one(text, text) == untried
    found = reward.batch([PRED, text[:-1], text], [GOLD, text, GOLD])
    assert found == [reward.one(PRED, GOLD), untried._replace(repaired=1), reward.one(text, GOLD)]
    assert found[2].certified
    assert GraphReward(metric, effort="low").one(text, text).score == 1.0


def test_options() -> None:
    assert "effort:minimal" in GraphReward().signature and "effort" not in GraphReward(effort="default").signature
    assert "effort" not in GraphReward("wlk").signature
    assert GraphReward("smatch", preset="smatch", restarts=2, solver="climb").metric.restarts == 2  # type: ignore[attr-defined]
    for wrong, message in [
        ({"extract": "here"}, "extract='here': expected one of"),
        ({"metric": "smash"}, "smash"),
        ({"effort": "most"}, "effort"),
        ({"beta": -1.0}, "beta=-1.0: expected a number"),
        ({"beta": 1.0, "metric": "rematch"}, "no precision and recall"),
        ({"concepts": 2}, "concepts=2"),
        ({"concepts": 0.5, "metric": "ancast", "preset": "tool"}, "reads texts in another way"),
        ({"on_invalid": float("nan")}, "on_invalid"),
        ({"format_bonus": "much"}, "format_bonus"),
        ({"most_characters": 0}, "most_characters"),
        ({"colour": 1}, "no option 'colour'"),
        # F-beta would be NaN: infinity over infinity
        ({"beta": math.inf}, "beta=inf: expected a number from 0.0 to 1000000.0"),
        ({"beta": 1e200}, "beta"),
        ({"on_invalid": -math.inf}, "on_invalid=-inf: expected a finite number"),
        ({"format_bonus": math.inf}, "format_bonus=inf: expected a finite number"),
        # any text would count as True
        ({"repair": "no"}, "repair='no': expected True or False"),
        ({"thinking": "false"}, "thinking='false': expected True or False"),
        ({"name": 5}, "name=5: expected a string"),
        ({"gold_column": None}, "gold_column=None: expected a string"),
    ]:
        fails(fm.OptionError, message, GraphReward, **wrong)
    fails(fm.OptionError, "2 completions, but 1 gold graphs", GraphReward().batch, [PRED, PRED], [GOLD])


# ---- TRL -------------------------------------------------------------------------------------------------------------


def test_as_trl_calls_it() -> None:
    reward = GraphReward(gold_column="graph", name="mine")
    extra, logged = {}, {}
    chats = [
        [{"role": "user", "content": GOLD}, {"role": "assistant", "content": PRED}],
        [{"role": "assistant", "content": ["no part", {"type": "text", "text": "It is "}, {}, {"text": GOLD}]}],
        [],
        [{}],
        [{"role": "assistant", "content": None}],
    ]
    golds = [GOLD, GOLD, GOLD, GOLD, "broken"]
    others = {"prompts": [[]] * 5, "completion_ids": [[1]] * 5, "trainer_state": object(), "other": [1] * 5}
    logs = {"log_extra": extra.__setitem__, "log_metric": logged.__setitem__}
    assert reward(completions=chats, graph=golds, **others, **logs) == [fm.score(PRED, GOLD).f1, 1.0, 0.0, 0.0, None]
    assert extra == {"mine/gold": golds}
    assert logged == {"mine/valid": 0.4, "mine/repaired": 0.0, "mine/certified": 0.4}
    assert reward(["p"], [GOLD], [[1]], graph=[GOLD]) == [1.0]


def test_a_missing_column_is_named_with_those_that_there_are() -> None:
    message = "no column 'amr' with gold graphs; columns: 'gold', 'id'"
    fails(fm.OptionError, message, smatch_reward, completions=[GOLD], gold=[GOLD], id=[1])
    fails(fm.OptionError, "columns: none", GraphReward(), prompts=["p"], completions=[GOLD])
    fails(fm.OptionError, "expected completions", GraphReward(), amr=[GOLD])


@pytest.mark.parametrize(
    ("completions", "golds"), [(GOLD, GOLD), ([GOLD], GOLD), ([GOLD], {"x": GOLD}), (b"x", [GOLD]), (3, [GOLD])]
)
def test_what_is_no_list_is_no_column(completions: object, golds: object) -> None:
    """A text in the place of a list was taken for one completion, or gold graph, a character."""
    message = r"^r: (completions|amr): expected a list of texts, found "
    fails(fm.OptionError, message, GraphReward(name="r"), completions=completions, amr=golds)


@pytest.mark.parametrize("function", [GraphReward(name="r").batch, credit_batch, GraphMetric().compute])
def test_one_text_is_no_batch(function):
    names = ("predictions", "references") if function.__name__ == "compute" else ("texts", "golds")
    for wrong in ((GOLD, GOLD), ([GOLD], GOLD), (None, [GOLD])):
        fails(fm.OptionError, "expected", function, **dict(zip(names, wrong, strict=True)))
    assert function(**{name: iter([GOLD]) for name in names})


def test_texts_and_numbers_of_numpy() -> None:
    """Its strings are of a class of their own, below str, which kernels refuse."""
    reward = GraphReward(beta=np.float32(2), most_characters=np.int64(8000), on_invalid=np.float32(-1), repair=True)
    own = GraphReward(beta=2.0, on_invalid=-1.0, repair=True)
    texts = [PRED, PRED[:-1], "no graph"]
    assert reward(completions=np.array(texts), amr=np.array([GOLD] * 3)) == own(completions=texts, amr=[GOLD] * 3)
    assert all(type(score) is float for score in reward(completions=np.array(texts), amr=(GOLD for _ in texts)))


def test_logged_names_do_not_depend_on_the_batch() -> None:
    for completions in ([GOLD], ["hm"], []):
        logged: dict[str, float] = {}
        GraphReward(name="r")(completions=completions, amr=[GOLD] * len(completions), log_metric=logged.__setitem__)
        assert list(logged) == ["r/valid", "r/repaired", "r/certified"]


def test_names() -> None:
    first, second = GraphReward("sema"), GraphReward("sema")
    assert first.__name__ != second.__name__ and first.__name__.startswith("sema_reward")
    assert smatch_reward.__name__ == "smatch_reward" and inspect.isfunction(smatch_reward)
    assert "smatch" in repr(GraphReward(name="x"))


def test_no_reward_is_nan() -> None:
    for text in ("()", "(a)", "(a :x)", "(a / b :x (b / c))"):
        for metric in METRICS:
            score = GraphReward(metric, repair=True).one(text, GOLD).score
            assert score is not None and math.isfinite(score)
