"""Candidates that are excluded by the prices of a round: no map that is worth so much may have them."""

from __future__ import annotations

import numpy as np
import pytest

import fastmatch as fm
from fastmatch._ext.matching.exclusion import reaching
from fastmatch._ext.matching.problem import build_problem
from fastmatch.metrics import make
from fastmatch.metrics.shared import integer_program


def graphs(seed: int) -> list[fm.Corpus]:
    """A tree of a few variables with some relations more and few labels, and the same with half of the labels anew."""
    rng = np.random.default_rng(seed)
    n, concepts, roles = int(rng.integers(5, 10)), int(rng.integers(1, 5)), int(rng.integers(1, 4))
    gold = [(f"v{i}", ":instance", f"c{rng.integers(concepts)}") for i in range(n)]
    gold += [(f"v{rng.integers(i)}", f":r{rng.integers(roles)}", f"v{i}") for i in range(1, n)]
    for _ in range(int(rng.integers(4))):
        i, j = rng.choice(n, 2, replace=False)
        gold.append((f"v{i}", f":r{rng.integers(roles)}", f"v{j}"))
    pred = []
    for source, role, target in gold:
        if rng.random() < 0.5:
            if role == ":instance":
                target = f"c{rng.integers(concepts)}"
            else:
                role = f":r{rng.integers(roles)}"
        pred.append((source, role, target))
    first = fm.Corpus.from_triples([("v0", pred)])
    return [first, fm.Corpus.from_triples([("v0", gold)], vocabulary=first.vocabulary)]


def most_with(problem: integer_program.Problem, c: int) -> float:
    """The largest value of a map that has candidate ``c``, by an integer program."""
    _, _, rows, columns, *_ = problem
    fits = (rows != rows[c]) & (columns != columns[c])
    fits[c] = True
    some = integer_program.restricted(problem, fits)
    gift = 10**6
    some[4][fits[:c].sum()] += gift
    return integer_program.solve(some).matched - gift


@pytest.mark.parametrize("seed", range(25))
def test_no_map_of_such_a_value_has_what_is_excluded(seed: int) -> None:
    prepared = [make("smatch").prepare(corpus) for corpus in graphs(seed)]
    problem = build_problem(*prepared, 0, 0)
    most = np.array([most_with(problem, c) for c in range(len(problem[4]))])
    excluded = 0
    for rounds in (1, 3, 30):
        for value in range(int(most.max()) - 3, int(most.max()) + 2):
            kept = reaching(*prepared, 0, 0, value, rounds) > 0
            assert (most[~kept] < value).all()
            excluded += int((~kept).sum())
    assert excluded > len(most)


def test_a_candidate_is_excluded_because_of_its_surroundings() -> None:
    """Whoever maps the second of two equal chains to the first loses all its relations, which no single price tells."""
    chain = "(a / a :x (b / b :y (c / c :z (d / d))))"
    text = f"(r / r :one {chain} :two {chain.translate(str.maketrans('abcd', 'efgh'))})"
    corpus = fm.parse(text.replace("e / e", "e / a").replace("f / f", "f / b").replace("g / g", "g / c"))
    prepared = make("smatch").prepare(corpus)
    _, _, rows, columns, *_ = build_problem(prepared, prepared, 0, 0)
    kept = reaching(prepared, prepared, 0, 0, len(corpus[0].triples) + 1, 1) > 0
    assert (rows[kept] == columns[kept]).all()
    assert set(rows[kept].tolist()) == set(range(9))
