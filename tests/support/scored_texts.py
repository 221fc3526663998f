"""Pairs of graphs for metrics to learn from: what differs in them is drawn, so that something can be learnt."""

import random
from collections.abc import Sequence


def scored_texts(count: int, seed: int, words: Sequence[str], other_word: float) -> tuple[list[str], list[str]]:
    """Pairs that differ in roles, words or polarity; a word is another one with probability `other_word`."""
    rng = random.Random(seed)
    sides: tuple[list[str], list[str]] = ([], [])
    for _ in range(count):
        chosen = rng.choices(words, k=3)
        for side in sides:
            if rng.random() < other_word:
                chosen[rng.randrange(3)] = rng.choice(words)
            roles = [":ARG0", ":ARG1", ":mod"]
            if rng.random() < 0.5:
                rng.shuffle(roles)
            polarity = " :polarity -" if rng.random() < 0.4 else ""
            side.append(f"(a / {chosen[0]} {roles[0]} (b / {chosen[1]} {roles[2]} (c / {chosen[2]})){polarity})")
    return sides
