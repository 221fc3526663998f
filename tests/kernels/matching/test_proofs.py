"""Steps of proofs: by brute force on problems of few variables, and what is no problem."""

import json
import random
from collections import Counter
from itertools import combinations, product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import fastmatch as fm
from fastmatch._ext.matching.proofs import lines, prices
from fastmatch.evaluation.certificates.check_certificates import BROKEN, Refused, check_proof
from fastmatch.evaluation.certificates.making import Prover
from fastmatch.evaluation.certificates.sides import Pairs, Side
from fastmatch.metrics.smatch import Smatch

from twins.brute_force import best_map

UNIT = 4


@st.composite
def problems(draw: st.DrawFn):
    """Variables of both graphs, gains of candidates and of pairs of them that a map can have."""
    n, m = draw(st.integers(1, 3)), draw(st.integers(1, 4))
    pairs = [(i, a) for i in range(n) for a in range(m)]
    gains = st.integers(1, 2 * UNIT)
    w = draw(st.dictionaries(st.sampled_from(pairs), gains, max_size=8))
    edges = [(one, two) for one, two in combinations(pairs, 2) if one[0] != two[0] and one[1] != two[1]]
    g = draw(st.dictionaries(st.sampled_from(edges), gains, max_size=8)) if edges else {}
    return n, m, dict(sorted(w.items())), dict(sorted(g.items()))


@given(problems())
def test_the_optimum_is_proven_and_no_less(problem):
    n, m, w, g = problem
    best, _ = best_map(*problem)
    proof = Prover(n, m, UNIT, 1, 10_000_000).proof(w, g, best + 1)
    check_proof(proof, n + m, w, g, best + 1, [0])
    with pytest.raises((Refused, *BROKEN)):  # what a step leaves there may not be what the next one is about
        check_proof(proof, n + m, w, g, best, [0])
    assert not best or Prover(n, m, UNIT, 1, 10_000_000).proof(w, g, best) is None


def test_candidates_that_bring_nothing_do_not_keep_a_proof_from_its_branch() -> None:
    """A step gives all of a gain to one end; the other one, whose share is nothing, may leave as others do."""
    g = {((0, 3), (1, 0)): 4, ((1, 0), (2, 3)): 2, ((1, 1), (3, 0)): 2, ((1, 2), (3, 0)): 2}
    g |= {((2, 0), (3, 2)): 4, ((2, 0), (3, 3)): 4, ((2, 1), (3, 3)): 2}
    check_proof(Prover(4, 4, UNIT, 1, 1_000_000).proof({}, g, 5), 8, {}, g, 5, [0])


PROBLEM = {
    "rows": np.array([0, 1], np.int32),
    "cols": np.array([0, 1], np.int32),
    "own": np.array([0.25, 0.25]),
    "first": np.array([0], np.int32),
    "second": np.array([1], np.int32),
    "gains": np.array([0.25]),
}


@pytest.mark.parametrize(
    "changes",
    [
        {"own": np.array([1.0])},
        {"gains": np.empty(0)},
        {"rows": np.array([0, 2], np.int32)},
        {"cols": np.array([0, 2], np.int32)},
        {"cols": np.array([0, -1], np.int32)},
        {"cols": np.array([0], np.int32)},
        {"second": np.array([2], np.int32)},
        {"first": np.array([1], np.int32), "second": np.array([0], np.int32)},
        {"first": np.array([-1], np.int32)},
    ],
)
def test_what_is_no_problem(changes):
    given = PROBLEM | changes
    assert prices(2, 2, *PROBLEM.values(), UNIT, 4, 1, 1000)[1]
    with pytest.raises(ValueError, match="lists differ in length, or a candidate has no variables"):
        prices(2, 2, *given.values(), UNIT, 4, 1, 1000)


def test_most_rounds_of_large_problems_see_few_candidates() -> None:
    """21,025 candidates: if all rounds saw all of them, this step would take 14.7 million visits."""
    n, rng = 145, random.Random(1)
    one, two = ([(rng.randrange(n), rng.randrange(n)) for _ in range(n)] for _ in range(2))
    edges = Counter(tuple(sorted(((i, a), (j, b)))) for (i, j), (a, b) in product(one, two) if i != j and a != b)
    w, g = dict.fromkeys(product(range(n), repeat=2), UNIT // 2), {edge: UNIT * k for edge, k in sorted(edges.items())}
    check_proof(Prover(n, n, UNIT, 1, 13_000_000).proof(w, g, 800), 2 * n, w, g, 800, [0])


# ---- lines of pairs --------------------------------------------------------------------------------------------------


def arguments(pred: str, gold: str, **changes):
    """What ``lines`` takes for one pair of Smatch; the map is empty."""
    one, two = fm.Corpus.together((fm.parse([pred]), fm.parse([gold])))
    metric = Smatch()
    sides = [Side(metric, corpus, k) for k, corpus in enumerate((one, two))]
    found = Pairs(metric, *sides, {"pred": [], "gold": []}, 1, 1, fm.score(pred, gold).pairs)
    (size,) = sides[0].hard.n_variables.tolist()
    made = {
        "pred": sides[0].arrays([], None),
        "gold": sides[1].arrays([], None),
        "labels": found._labels,
        "heads": (b',"id":"n"', np.array([0, 9], np.int64)),
        "start": 0,
        "totals": np.array([7, 9], np.int64),
        "offsets": np.array([0, size], np.int64),
        "mapping": np.full(size, -1, np.int32),
        "wanted": b"\1",
        "matching": None,
        "unit": 1.0,
        "step": 1.0,
        "limit": 100_000,
        "most": 10,
    }
    return made | changes


PAIR = "(a / b :c (d / e) :quant 5)", "(x / b :c (y / f :r y) :quant 5)"


def test_a_line_says_what_its_map_brings() -> None:
    """Only of the best map there is a proof; without one a line ends before the map."""
    for partner, value in (([0, 1], 4), ([0, -1], 3), ([1, 0], 0), ([-1, -1], 0)):
        line, _, (proven,) = lines(*arguments(*PAIR, mapping=np.array(partner, np.int32)).values())
        assert proven == (value == 4)
        record = json.loads(line if proven else line + b"}")
        assert record["pred"]["variables"] == ["a", "d"] and [1, ":r", 1] in record["gold"]["triples"]
        if proven:
            assert [record[name] for name in ("matched", "n_pred", "n_gold")] == [4, 7, 9] and record["map"] == partner
        else:
            assert set(record) == {"pair", "id", "pred", "gold"}
    _, _, (proven,) = lines(*arguments(*PAIR, wanted=b"\0", mapping=np.array([0, 1], np.int32)).values())
    assert not proven


def test_no_proof_is_looked_for_if_the_checker_would_count_more_matches() -> None:
    """Of four triples of a prediction three match, and then those of two equal concepts match crosswise."""
    for count, pair in ((7, ("(a / b :c (d / e))", "(x / b :c (y / f))")), (10, ("(a / b :c (d / b))",) * 2)):
        made = arguments(*pair, mapping=np.array([0, 1], np.int32))
        for most in (count - 1, count):
            assert lines(*(made | {"most": most}).values())[2] == [most == count]


@pytest.mark.parametrize(
    "changes",
    [
        {"start": -1},
        {"start": 1},
        {"totals": np.array([7], np.int64)},
        {"offsets": np.array([0], np.int64)},
        {"mapping": np.array([0], np.int32)},
        {"wanted": b""},
        {"heads": (b"{{", np.array([0, 1, 2], np.int64))},
    ],
)
def test_lists_that_differ_in_length(changes):
    with pytest.raises(ValueError, match="lists differ in length"):
        lines(*arguments(*PAIR, **changes).values())


def changed(side: str, place: int, value):
    given = list(arguments(*PAIR)[side])
    given[place] = value
    return {side: tuple(given)}


@pytest.mark.parametrize(
    "changes",
    [
        changed("pred", 2, np.array([0], np.int64)),
        changed("gold", 2, np.array([0, 1], np.int64)),
        changed("pred", 3, np.array([0], np.int32)),
        changed("gold", 3, np.array([0, 10_000], np.int32)),
        changed("pred", 4, np.array([1], np.int64)),
        changed("gold", 5, np.array([0], np.int32)),
        changed("pred", 6, b"0" * 63),
        {"labels": (b'"a"null', np.array([0, 3, 7, 7], np.int64))},
        {"labels": (b"", arguments(*PAIR)["labels"][1])},
        {"labels": (b"", np.array([0], np.int64))},
        {"offsets": np.array([1, 2], np.int64)},
        {"heads": (b"{", np.array([0, 2], np.int64))},
    ],
)
def test_arrays_that_name_what_is_not_there(changes):
    with pytest.raises(ValueError, match=r"fit each other|divided|not one of the variables|differ in length"):
        lines(*(arguments(*PAIR) | changes).values())
