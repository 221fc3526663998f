"""What a completion holds twice, or besides, never raises its reward, whatever the metric and its preset."""

import random

import pytest

from fastmatch.graphs.dialects import DIALECTS
from fastmatch.metrics.names import BUILT_IN
from fastmatch.metrics.registry import get, make
from fastmatch.rewards import GraphReward

from support.nightly import NIGHT

CONCEPTS = ("boy", "girl", "want-01", "thing")
ROLES = (":ARG0", ":ARG1", ":mod")
ATTRIBUTES = (":quant 1", ':op1 "x"', ":polarity -", ":mod 2")

#: A graph: concepts by variable; what hangs from each: role, variable (None: an attribute), whether it opens that one.
Drawn = tuple[list[str], list[list[tuple[str, int | None, bool]]]]

#: Presets that do not read Penman notation are left out.
REWARDS = [
    (name, preset)
    for name in sorted(BUILT_IN)
    for preset in (None, *get(name).presets)
    if DIALECTS[make(name, preset).dialect].penman
]


def drawn(rng: random.Random) -> Drawn:
    n = rng.randrange(1, 6)
    inside: list[list[tuple[str, int | None, bool]]] = [[] for _ in range(n)]
    for v in range(1, n):
        inside[rng.randrange(v)].append((rng.choice(ROLES), v, True))
    for _ in range(rng.randrange(3)):
        inside[rng.randrange(n)].append((rng.choice(ROLES), rng.randrange(n), False))
    for _ in range(rng.randrange(3)):
        inside[rng.randrange(n)].append((rng.choice(ATTRIBUTES), None, False))
    return [rng.choice(CONCEPTS) for _ in range(n)], inside


def written(graph: Drawn, v: int = 0) -> str:
    concepts, inside = graph
    parts = [f"(v{v} / {concepts[v]}"]
    for role, other, opens in inside[v]:
        if other is None:
            parts.append(role)
        else:
            parts.append(f"{role} {written(graph, other) if opens else f'v{other}'}")
    return " ".join(parts) + ")"


def repeated(rng: random.Random, graph: Drawn) -> Drawn | None:
    """The graph with one of its triples once more, or twice; None if it has none."""
    concepts, inside = graph
    spots = [(v, k) for v in range(len(concepts)) for k in range(len(inside[v]))]
    if not spots:
        return None
    v, k = rng.choice(spots)
    role, other, _ = inside[v][k]
    more = [list(one) for one in inside]
    more[v][k + 1 : k + 1] = [(role, other, False)] * rng.choice((1, 1, 2))
    return concepts, more


def completions(seed: int) -> list[tuple[str, str, str]]:
    """(completion, the same with something twice or besides, gold graph)."""
    rng = random.Random(seed)
    found = []
    while len(found) < (250 if NIGHT else 100):
        gold = drawn(rng)
        pred = gold if rng.random() < 0.3 else drawn(rng)
        text = written(pred)
        twice = repeated(rng, pred)
        if twice is not None:
            found.append((text, written(twice), written(gold)))
        others = [f"{text}\n\n{text}", f"```\n{text}\n```\nAgain:\n```\n{text}\n```", text + " so it is" * 40]
        others += [f"{written(gold)} is what I first thought. <answer>{text}</answer>", f"# {'word ' * 50}\n{text}"]
        found.append((text, rng.choice(others), written(gold)))
    return found


@pytest.mark.parametrize(("metric", "preset"), REWARDS)
def test_nothing_that_is_there_twice_or_besides_raises_a_reward(metric: str, preset: str | None) -> None:
    before, after, golds = zip(*completions(len(metric)), strict=True)
    reward = GraphReward(metric, preset=preset)
    for result, other, text in zip(reward.batch(before, golds), reward.batch(after, golds), after, strict=True):
        assert result.score is not None and other.score is not None
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
        result = reward.one(marked[k], golds[k])
        assert result.score is not None and other.score is not None
        assert other.score <= result.score + 1e-12
