"""GrAPES on predictions that no parser makes: every item is judged, and nothing ends the run."""

import re
from random import Random

import pytest

import fastmatch as fm
from fastmatch.benchmarks.grapes import evaluate
from fastmatch.benchmarks.grapes.categories import PREREQUISITES, UNLABELLED

from support import arbitrary
from support.places import DATA

MINI = DATA / "grapes" / "mini"


def check(result, expected):
    """The rows and items of a run on ordinary predictions; what fails by its prerequisite fails."""
    [system], [other] = result.systems, expected.systems
    assert [(row.category, row.metric) for row in system.rows] == [(row.category, row.metric) for row in other.rows]
    for row, its in zip(system.rows, other.rows, strict=True):
        assert row.items == its.items
        assert row.total == its.total or row.metric == "Conjunct precision"
        for wider in (UNLABELLED, PREREQUISITES):
            more = system.row(row.category, wider)
            if more is not None and row.metric not in (wider, PREREQUISITES):
                assert all(b >= a for a, b in zip(row.passed, more.passed, strict=True))
    assert result.to_dict()


@pytest.fixture(scope="module")
def expected():
    pred = MINI / "pred" / "a"
    files = {"gold_testset": MINI / "testset.txt", "pred_testset": fm.read(pred / "testset.txt")}
    return evaluate(MINI, fm.read(pred / "grapes.txt"), **files)


@pytest.mark.filterwarnings("ignore::fastmatch.errors.PairingWarning")
@pytest.mark.parametrize("seed", range(6))
def test_arbitrary_graphs(seed, expected):
    random = Random(seed)
    grapes, testset = (arbitrary.corpus(random, n_graphs=n, most=12) for n in (90, 18))
    check(evaluate(MINI, grapes, gold_testset=MINI / "testset.txt", pred_testset=testset), expected)


#: A concept or a role.
WORD = re.compile(r"(?:(?<=/ )|(?<= ):)[^\s()/]+")


def exchanged(name: str, random: Random) -> fm.Corpus:
    """The gold predictions with many of their words in other places."""
    text = (MINI / "pred" / "gold" / f"{name}.txt").read_text(encoding="utf-8")
    words = WORD.findall(text)
    text = WORD.sub(lambda found: random.choice((found[0], found[0], random.choice(words))), text)
    return fm.parse(text.strip().split("\n\n"), on_error="empty")


@pytest.mark.parametrize("seed", range(6))
def test_exchanged_words(seed, expected):
    """Concepts for roles and roles for concepts: what items look for is there, in the wrong places."""
    random = Random(seed)
    grapes, testset = (exchanged(name, random) for name in ("grapes", "testset"))
    assert grapes.problems
    check(evaluate(MINI, grapes, gold_testset=MINI / "testset.txt", pred_testset=testset), expected)
