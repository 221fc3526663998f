"""What a completion holds twice, or besides, never raises its reward, whatever the metric and its preset."""

import random
from dataclasses import replace

import pytest

from fastmatch.rewards import GraphReward

from support.exercise import settings
from support.nightly import NIGHT
from support.strategies import Spec

CONCEPTS = ("boy", "girl", "want-01", "thing")
ROLES = (":ARG0", ":ARG1", ":mod")
ATTRIBUTES = ((":quant", "1"), (":op1", '"x"'), (":polarity", "-"), (":mod", "2"))


def drawn(rng: random.Random) -> Spec:
    n = rng.randrange(1, 6)
    return Spec(
        tuple(rng.choice(CONCEPTS) for _ in range(n)),
        tuple((rng.randrange(v), rng.choice(ROLES)) for v in range(1, n)),
        tuple((rng.randrange(n), rng.choice(ROLES), rng.randrange(n)) for _ in range(rng.randrange(3))),
        tuple((rng.randrange(n), *rng.choice(ATTRIBUTES)) for _ in range(rng.randrange(3))),
    )


def repeated(rng: random.Random, graph: Spec) -> Spec:
    """The graph with one of its triples once more, or twice, behind it."""
    k, times = rng.randrange(graph.n_branches), rng.choice((1, 1, 2))
    if k < len(graph.tree):
        parent, role = graph.tree[k]
        return replace(graph, edges=((parent, role, k + 1),) * times + graph.edges)
    k -= len(graph.tree)
    name, k = ("edges", k) if k < len(graph.edges) else ("attributes", k - len(graph.edges))
    rows = getattr(graph, name)
    return replace(graph, **{name: rows[:k] + rows[k : k + 1] * times + rows[k:]})


def completions(seed: int) -> list[tuple[str, str, str]]:
    """(completion, the same with something twice or besides, gold graph)."""
    rng = random.Random(seed)
    found = []
    while len(found) < (250 if NIGHT else 100):
        gold = drawn(rng)
        pred = gold if rng.random() < 0.3 else drawn(rng)
        text = pred.text()
        if pred.n_branches:
            found.append((text, repeated(rng, pred).text(), gold.text()))
        others = [f"{text}\n\n{text}", f"```\n{text}\n```\nAgain:\n```\n{text}\n```", text + " so it is" * 40]
        others += [f"{gold.text()} is what I first thought. <answer>{text}</answer>", f"# {'word ' * 50}\n{text}"]
        found.append((text, rng.choice(others), gold.text()))
    return found


@pytest.mark.parametrize(("metric", "preset"), settings())
def test_nothing_that_is_there_twice_or_besides_raises_a_reward(metric: str, preset: str | None) -> None:
    before, after, golds = zip(*completions(len(metric)), strict=True)
    reward = GraphReward(metric, preset=preset)
    for result, other, text in zip(reward.batch(before, golds), reward.batch(after, golds), after, strict=True):
        assert result.valid and other.valid
        assert other.score <= result.score + 1e-12, text
        assert preset is not None or 0.0 <= other.score <= 1.0  # programs may go beyond


@pytest.mark.parametrize("options", [{"beta": 2.0}, {"concepts": 0.5}, {"length_guard": 1.5}, {"format_bonus": 0.1}])
def test_nor_with_shaping(options: dict[str, float]) -> None:
    """What follows the marks of an answer changes nothing; the bonus is for marks, so both texts have them."""
    before, after, golds = zip(*completions(7), strict=True)
    reward = GraphReward(**options)  # type: ignore[arg-type]
    marked = [f"<answer>{text}</answer>" for text in before]
    twice = [f"<answer>{text}</answer>" for text in after if "<answer>" not in text and "`" not in text]
    kept = [k for k, text in enumerate(after) if "<answer>" not in text and "`" not in text]
    for k, other in zip(kept, reward.batch(twice, [golds[k] for k in kept]), strict=True):
        assert other.score <= reward.one(marked[k], golds[k]).score + 1e-12
