"""Graphs without a root: every metric compares them, and its number depends on the graph alone."""

from random import Random

import numpy as np
import pytest

import fastmatch as fm
from fastmatch.errors import FastmatchError, OptionError
from fastmatch.evaluation.pairing import Rules, paired
from fastmatch.metrics import available, make

from support.refusal import fails

LABELS = ["cat", "dog", "a (b)", "x / y", ":z", None]
ROLES = ["on", "near", "part of", "mod"]

Made = tuple[dict[str, str | None], list[tuple[str, str, str]], list[tuple[str, str, str]]]


def made(random: Random) -> Made:
    """Nodes, edges and attributes of a graph that need not be connected."""
    names = [f"n{k}" for k in range(random.randint(1, 6))]
    edges = [(random.choice(names), random.choice(ROLES), random.choice(names)) for _ in range(random.randint(0, 8))]
    values = ["dark red", "1"]
    attributes = [(random.choice(names), "colour", random.choice(values)) for _ in range(random.randint(0, 2))]
    return {name: random.choice(LABELS) for name in names}, list(dict.fromkeys(edges)), list(dict.fromkeys(attributes))


def corpus_of(graphs: list[Made], *, rooted: bool = False) -> fm.Corpus:
    nodes, edges, attributes = (list(column) for column in zip(*graphs, strict=True))
    tops = [next(iter(each)) for each in nodes] if rooted else None
    return fm.Corpus.from_edges(nodes, edges, attributes=attributes, tops=tops)


def disguised(graph: Made, random: Random) -> Made:
    """The same with other names, in another order."""
    nodes, edges, attributes = graph
    names = dict(zip(nodes, random.sample([f"m{k}" for k in range(len(nodes))], len(nodes)), strict=True))
    order = random.sample(list(nodes), len(nodes))
    return (
        {names[name]: nodes[name] for name in order},
        random.sample([(names[s], role, names[t]) for s, role, t in edges], len(edges)),
        random.sample([(names[s], role, value) for s, role, value in attributes], len(attributes)),
    )


@pytest.fixture(scope="module")
def graphs() -> list[Made]:
    random = Random(3)
    return [made(random) for _ in range(40)]


@pytest.mark.parametrize("name", available())
def test_every_metric(name: str, graphs: list[Made]):
    """A graph is 1 with itself; names and order do not matter; pairs, matrices and alignments say the same."""
    random = Random(4)
    metric = make(name)
    gold, same = corpus_of(graphs), corpus_of([disguised(graph, random) for graph in graphs])
    others = corpus_of(graphs[1:] + graphs[:1])
    assert fm.score(gold, gold, metric=metric).pairs.score == pytest.approx(np.ones(len(graphs)))
    plain, renamed = (fm.score(others, each, metric=metric).pairs.score for each in (gold, same))
    if name not in ("ancast", "sema"):  # whose choices among equal candidates follow the order of the text
        assert renamed == pytest.approx(plain, abs=1e-12)
    assert fm.cdist(others, gold, metric=metric, dtype=np.float64).diagonal() == pytest.approx(plain, abs=1e-12)
    for k in range(5):
        if metric.aligns in ("map", "flow"):
            assert fm.align(others[k], gold[k], metric=metric)


@pytest.mark.parametrize("name", ["smatch", "smatch++", "s2match", "softmatch", "ancast"])
def test_without_a_root_there_is_no_triple_for_it(name: str, graphs: list[Made]):
    """The scores are those of rooted graphs with ``top="none"``, and the signature says so."""
    rootless, others = corpus_of(graphs), corpus_of(graphs[1:] + graphs[:1])
    rooted = corpus_of(graphs, rooted=True), corpus_of(graphs[1:] + graphs[:1], rooted=True)
    found = fm.score(others, rootless, metric=name)
    expected = fm.score(rooted[1], rooted[0], metric=name, top="none") if name != "smatch++" else None
    if expected is not None:
        assert found.pairs.score.tolist() == expected.pairs.score.tolist() and found.signature == expected.signature
        assert found.scores != fm.score(rooted[1], rooted[0], metric=name).scores
    assert found.signature.fields["top"] == "none"
    assert fm.score(rooted[1], rootless, metric=name).signature.fields["top"] != "none"


def test_a_root_on_one_side_only():
    """It is one triple that cannot match."""
    nodes, edges = [{"a": "cat", "b": "mat"}], [[("a", "on", "b")]]
    rooted, rootless = fm.Corpus.from_edges(nodes, edges, tops=["a"]), fm.Corpus.from_edges(nodes, edges)
    assert fm.score(rooted, rootless).precision == 3 / 4 and fm.score(rooted, rootless).recall == 1
    assert fm.score(rootless, rootless).f1 == 1
    result = fm.score(rooted, rootless, metric="ancast")
    assert result.pairs.score.tolist() == fm.score(rootless, rootless, metric="ancast").pairs.score.tolist()


def test_what_needs_a_root_says_so():
    """WSmatch's weights fall with the distance from the root: without one all are 1. Levels need one."""
    graphs = [made(Random(k)) for k in range(9)]
    gold, pred = corpus_of(graphs), corpus_of(graphs[1:] + graphs[:1])
    assert fm.score(pred, gold, metric="wsmatch").pairs.score.tolist() == fm.score(pred, gold).pairs.score.tolist()
    with pytest.raises(OptionError, match="wsmatch with levels=4 counts steps from the root, and graph 0 of <edges>"):
        fm.score(pred, gold, metric="wsmatch", preset="core")
    fails(OptionError, "levels=4", fm.score, fm.parse("(a / b)"), gold[:1], metric="wsmatch", preset="core")
    # an empty graph, or one that says nothing, needs none
    assert fm.score(["x", "(a)"], ["(a / b)", "(a / b)"], metric="wsmatch", preset="core", on_error="empty").score == 0
    fails(OptionError, "needs graphs as smatch reads them", fm.score, pred, gold, preset="smatch")


def test_pairs_by_id():
    """A graph without a root is no graph that could not be read: it stands for itself where its partner is missing."""
    gold = fm.Corpus.from_edges([["a"], ["b"]], [[], []], metadata=[{"id": "1"}, {"id": "2"}])
    pred, both = paired(gold[:1], gold, Rules("test", "id", "empty"))
    assert both.rootless.tolist() == [0, 1]
    assert len(pred) == 2 and pred.rootless.tolist() == [0]


def test_pages_and_reports(graphs: list[Made]):
    from fastmatch.pages import html

    gold, pred = corpus_of(graphs[:4]), corpus_of(graphs[1:5])
    for metric in ("smatch", "rematch", "wwlk"):
        assert "<html" in html(pred, gold, metric=metric)
    for k in range(4):
        assert "triples" in str(fm.align(pred[k], gold[k]).report())
    for aspects in ("damonte", "enhanced", "smatch++"):
        assert fm.aspects(pred, gold, kind=aspects)
    for steps in ("smatch++", "smatch++/reify", "generic", "none"):
        assert fm.standardize(gold, steps).validate().rootless.tolist() == gold.rootless.tolist()


def test_there_is_nothing_to_write(graphs: list[Made]):
    """Where text is asked for, the error says why there is none; with ``on_error`` the other graphs are written."""
    from fastmatch.graphs.standardization.texts import penman_texts, tables

    mixed = fm.Corpus.concatenate([fm.parse("(a / b)"), corpus_of(graphs[:2])])
    for write in (penman_texts, tables):
        fails(FastmatchError, r"graph 1.*has no root", write, mixed)
        assert len(write(mixed, on_error="empty").texts) == 3
