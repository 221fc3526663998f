"""Pairs of documents of made-up sentences under one root, as hard for a search as real ones: :data:`KINDS`.

The text of a pair depends on the kind, the seed and the number of variables alone.
"""

from collections.abc import Callable
from random import Random

CONCEPTS = (
    "person", "city", "boy", "it", "i", "we", "country", "cat", "dog", "kitten", "see-01", "see-02", "run-01", "run-02",
    "run", "say-01", "want-01", "go-02", "have-03", "possible-01", "and", "big", "old", "thing", "name",
)  # fmt: skip
ROLES = (":ARG0", ":ARG1", ":ARG2", ":mod", ":time", ":op1", ":op2", ":poss", ":domain", ":location")
VALUES = ((":polarity", "-"), (":quant", "2"), (":quant", "3"), (":op1", '"Ann"'), (":mode", "imperative"))

#: Concepts, relations (source < target but for the re-entrancies, which come last), attributes.
Sentence = tuple[list[str], list[tuple[int, str, int]], list[tuple[int, str, str]]]


def _sentence(rng: Random) -> Sentence:
    n = rng.randrange(4, 13)
    edges = [(rng.randrange(max(0, i - 3), i), rng.choice(ROLES), i) for i in range(1, n)]
    edges += [(*(lambda ends: (ends[0], rng.choice(ROLES), ends[1]))(rng.sample(range(n), 2)),) for _ in range(n // 5)]
    attributes = [(rng.randrange(n), *rng.choice(VALUES)) for _ in range(n // 3)]
    return [rng.choice(CONCEPTS) for _ in range(n)], edges, attributes


def _changed(sentence: Sentence, rng: Random, share: float) -> Sentence:
    """The sentence with a share of its labels, relations and attributes anew; its tree stays a tree."""
    concepts, edges, attributes = sentence
    return (
        [rng.choice(CONCEPTS) if rng.random() < share else concept for concept in concepts],
        [
            (
                rng.randrange(j) if rng.random() < share and i < j else i,
                rng.choice(ROLES) if rng.random() < share else r,
                j,
            )
            for i, r, j in edges
        ],
        [each if rng.random() >= share else (each[0], *rng.choice(VALUES)) for each in attributes],
    )


def _text(sentence: Sentence, name: str) -> str:
    """Penman text of one sentence whose variables begin with ``name``; repeated triples and all."""
    concepts, edges, attributes = sentence
    n = len(concepts)
    tree, others = edges[: n - 1], edges[n - 1 :]

    def node(i: int) -> str:
        parts = [f"({name}{i} / {concepts[i]}"]
        parts += [f"{role} {value}" for at, role, value in attributes if at == i]
        parts += [f"{role} {name}{j}" for at, role, j in others if at == i]
        parts += [f"{role} {node(j)}" for at, role, j in tree if at == i]
        return " ".join(parts) + ")"

    return node(0)


def _join(sentences: list[Sentence], letter: str) -> str:
    parts = [f":snt{k} {_text(sentence, f'{letter}{k}x')}" for k, sentence in enumerate(sentences, 1)]
    return f"({letter} / multi-sentence\n  " + "\n  ".join(parts) + ")"


def _take(make: Callable[[], Sentence], variables: int) -> list[Sentence]:
    """Sentences until they have so many variables."""
    sentences: list[Sentence] = []
    while sum(len(concepts) for concepts, _, _ in sentences) < variables - 1:
        sentences.append(make())
    return sentences


def _parsed(rng: Random, variables: int) -> tuple[list[Sentence], list[Sentence]]:
    """A document, and what a parser may make of it."""
    gold = _take(lambda: _sentence(rng), variables)
    return [_changed(sentence, rng, 0.15) for sentence in gold], gold


def _alike(rng: Random, variables: int) -> tuple[list[Sentence], list[Sentence]]:
    """Both documents say a few sentences again and again, each time with little changed."""
    plans = [_sentence(rng) for _ in range(4)]
    one, two = (_take(lambda: _changed(rng.choice(plans), rng, 0.08), variables) for _ in range(2))
    return one, two


def _unrelated(rng: Random, variables: int) -> tuple[list[Sentence], list[Sentence]]:
    """Two documents that have nothing in common but their words."""
    one, two = (_take(lambda: _sentence(rng), variables) for _ in range(2))
    return one, two


#: Name → maker of a pair: ``make(rng, variables)``.
KINDS = {"parsed": _parsed, "alike": _alike, "unrelated": _unrelated}


def pair(kind: str, seed: int, variables: int) -> tuple[str, str]:
    """Texts of the predicted and the gold document."""
    one, two = KINDS[kind](Random(f"{kind} {seed}"), variables)
    return _join(one, "p"), _join(two, "g")
