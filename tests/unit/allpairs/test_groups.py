"""Groups are what hangs together in the sparse matrix, whatever is done to find them sooner."""

from random import Random

import numpy as np
import pytest
from scipy.sparse.csgraph import connected_components

import fastmatch as fm
from fastmatch.allpairs import groups as module
from fastmatch.graphs.identical import first_of_equals

from support.refusal import fails

WORDS = ["cat", "dog", "cow", "see-01", "big"]


def texts(random: Random, count: int) -> list[str]:
    """Small graphs, of which many are equal or near each other; and some empty ones."""
    made = []
    for number in range(count):
        a, b, c = (random.choice(WORDS[: random.randint(2, 5)]) for _ in range(3))
        name = random.choice("xy")
        tail = f" :mod ({name}2 / {c})" if random.random() < 0.3 else ""
        made.append(f"# ::id g{number}\n({name} / {a} :ARG0 ({name}1 / {b}{tail}))")
    return made


def by_definition(corpus: fm.Corpus, cutoff: float, metric: str) -> tuple[list[int], list[int], list[int]]:
    """Labels, sizes and representatives, from a matrix of all scores."""
    linked = fm.cdist(corpus, metric=metric, dtype="float64") >= cutoff
    np.fill_diagonal(linked, False)
    part = connected_components(linked, directed=False)[1].tolist()
    numbers = {old: new for new, old in enumerate(dict.fromkeys(part))}
    labels = [numbers[old] for old in part]
    members = [[k for k, label in enumerate(labels) if label == number] for number in range(len(numbers))]
    degree = linked.sum(axis=0) + linked.sum(axis=1)
    return labels, list(map(len, members)), [max(some, key=lambda k: (degree[k], -k)) for some in members]


@pytest.mark.parametrize("metric", ["smatch", "rematch", "wlk", "sembleu", "s2match", "ancast"])
@pytest.mark.parametrize("cutoff", [0.6, 0.9, 1.0])
def test_equal_to_the_definition(metric: str, cutoff: float, monkeypatch: pytest.MonkeyPatch) -> None:
    for seed in range(4):
        dialect = {"sembleu": "sembleu"}.get(metric, "penman")
        corpus = fm.Corpus.concatenate([fm.parse(texts(Random(seed), 40), dialect=dialect)])
        expected = by_definition(corpus, cutoff, metric)
        for workers, pairs, rows in ((1, 1 << 24, 40), (3, 1, 40), (1, 0, 2)):  # few blocks or many
            monkeypatch.setattr(module, "_PAIRS", pairs)
            monkeypatch.setattr(module.Setting, "height", lambda *given, rows=rows: rows)
            found = fm.groups(corpus, score_cutoff=cutoff, metric=metric, workers=workers)
            assert (found.labels.tolist(), found.sizes.tolist(), found.representatives.tolist()) == expected


def test_equal_graphs_are_compared_once(monkeypatch: pytest.MonkeyPatch) -> None:
    corpus = fm.parse(["(a / cat)", "# ::id other\n(a / cat)", "(a / dog)", "(b / cat)"] * 3)
    assert first_of_equals(corpus).tolist() == [0, 0, 2, 3] * 3
    told: list[tuple[int, int]] = []
    found = fm.groups(corpus, progress=lambda done, total: told.append((done, total)))
    assert told[-1] == (9, 9)
    assert found.labels.tolist() == [0, 0, 1, 0] * 3 and found.representatives.tolist() == [0, 2]


def test_the_first_of_equals(monkeypatch: pytest.MonkeyPatch) -> None:
    """Few graphs are compared one by one, many by hashes; those whose hashes are equal are still compared."""
    corpus = fm.parse([*texts(Random(3), 50), "(a / cat)", "(a / cat :mod 1)", "(a / cat :mod 1)", "(c / cat)", "()"])
    keys = [(graph.variables, graph.triples) for graph in corpus]
    expected = [keys.index(key) for key in keys]
    assert len(set(expected)) < len(corpus) and first_of_equals(corpus[:0]).tolist() == []
    for few in (0, len(corpus)):
        monkeypatch.setattr("fastmatch.graphs.identical._FEW", few)
        assert first_of_equals(corpus).tolist() == expected
    monkeypatch.setattr("fastmatch.graphs.identical._FEW", 0)
    monkeypatch.setattr("fastmatch.graphs.identical._hashes", lambda corpus: np.zeros(len(corpus), np.uint64))
    assert all(keys[k] == keys[first] for k, first in enumerate(first_of_equals(corpus)))


def test_unreadable_graphs_are_alone() -> None:
    found = fm.groups(fm.parse(["(a / cat", "(a / cat", "(a / cat)", "(a / cat)"], on_error="empty"))
    assert found.labels.tolist() == [0, 1, 2, 2] and found.sizes.tolist() == [1, 1, 2]


def test_result() -> None:
    found = fm.groups(["# ::id one\n(a / cat)", "(a / dog)", "(b / cat)", "(c / cat)"], score_cutoff=1)
    assert len(found) == 2 and found.members(0).tolist() == found.members(-2).tolist() == [0, 2, 3]
    fails(IndexError, None, found.members, 2)
    assert found.to_dict()["groups"][0] == {"representative": 0, "size": 3, "members": [0, 2, 3]}
    assert "2 of 4 graphs" in repr(found) and "one" in found._repr_html_()
    pytest.importorskip("pandas")
    frame = found.to_pandas()
    assert frame.columns.tolist() == ["group", "size", "representative", "index", "id"]
    assert frame["index"].tolist() == [0, 2, 3, 1] and frame["representative"].tolist() == [True, False, False, True]


def test_no_graphs() -> None:
    found = fm.groups([])
    assert (len(found), len(found.labels), found.to_dict()["groups"]) == (0, 0, [])


def test_cutoff_is_checked() -> None:
    for wrong in (0, -1, True, None):
        fails(fm.OptionError, "score_cutoff", fm.groups, ["(a / cat)"], score_cutoff=wrong)
