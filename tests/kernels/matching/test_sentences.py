"""The sentences of documents against a twin with sets, and matching that keeps to groups against all maps."""

import pickle
from itertools import product
from random import Random

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import fastmatch as fm
from fastmatch._ext.matching.sentences import sentence_groups as kernel
from fastmatch.metrics import make
from fastmatch.metrics.run import run
from fastmatch.metrics.shared.sentence_groups import sentence_groups

from support.nightly import examples
from support.refusal import fails
from twins import readers, sentences
from twins.brute_force import best_map
from twins.smatch_problem import DEFAULT, build

ROLES = (":ARG0", ":ARG1", ":mod", ":domain", ":coref", ":part", ":subset", ":same-as", ":snt2", ":ARG2")


def document(random: Random, n_sentences: int = 3, most: int = 4, concepts: str = "pqr") -> str:
    """Text of a document with whatever relations, some of them written inverse."""
    nodes = [f"s{k}{i}" for k in range(n_sentences) for i in range(random.randint(1, most))]
    numbers = random.sample(range(6), n_sentences)
    lines = ["(d / document"]
    children: dict[str, list[str]] = {node: [] for node in nodes}
    for k in range(n_sentences):
        mine = [node for node in nodes if node.startswith(f"s{k}")]
        for place, node in enumerate(mine[1:], 1):
            role = random.choice(ROLES) + random.choice(("", "", "-of"))
            children[random.choice(mine[:place])].append(f"{role} <{node}>")
        for _ in range(random.randint(0, 2)):
            role = random.choice(ROLES) + random.choice(("", "", "-of"))
            children[random.choice(mine)].append(f"{role} {random.choice([*nodes, 'd'])}")
        lines.append(f"    :snt{numbers[k]} <{mine[0]}>")
    if random.random() < 0.3:
        lines.append(f"    :topic (x / topic :ARG0 {random.choice(nodes)})")
    text = "\n".join(lines) + ")"
    while "<" in text:
        for node in nodes:
            text = text.replace(f"<{node}>", f"({node} / {random.choice(concepts)} {' '.join(children[node])})")
    return text


def groups_of(corpus: fm.Corpus, *, tool: bool) -> list[dict[str, set[int]] | None]:
    restricted, offsets, groups = sentence_groups(corpus, tool=tool)
    found: list[dict[str, set[int]] | None] = []
    for g, graph in enumerate(corpus):
        first = corpus.variable_offsets[g]
        each = [groups[offsets[first + v] : offsets[first + v + 1]].tolist() for v in range(len(graph.variables))]
        assert all(one == sorted(set(one)) for one in each)
        found.append(dict(zip(graph.variables, map(set, each), strict=True)) if restricted[g] else None)
    return found


@given(st.integers(0, 2**32), st.integers(1, 4))
@examples(50)
def test_sentences_equal_the_twin(seed: int, n: int) -> None:
    """Graphs with and without sentences in one corpus."""
    random = Random(seed)
    texts = [document(random, random.randint(1, 4)) for _ in range(n)] + ["(a / b :ARG0 (c / d))"]
    random.shuffle(texts)
    for dialect, tool, twin in (("penman", False, sentences.levelled), ("smatch", True, sentences.tool)):
        corpus = fm.parse(texts, dialect=dialect)
        assert groups_of(corpus, tool=tool) == [twin(graph) for graph in corpus]


@given(st.integers(0, 2**32))
@examples(35)
def test_the_order_of_triples_and_how_they_are_written_change_nothing(seed: int) -> None:
    random = Random(seed)
    graph = fm.parse(document(random))[0]
    triples = list(graph.triples)
    random.shuffle(triples)
    other = fm.Graph.from_triples(triples, top=graph.top)
    assert groups_of(fm.Corpus.from_graphs([other]), tool=False) == [sentences.levelled(graph)]


def check_kept(pred, gold, groups, other, mapping: np.ndarray) -> None:
    """Variables that are mapped to each other share a sentence, if both graphs have some."""
    for name, image in zip(pred.variables, mapping.tolist(), strict=True):
        assert image < 0 or groups is None or other is None or groups[name] & other[gold.variables[image]]


def turned_around(metric, corpus: fm.Corpus, **options: bool):
    """The scores of the first graph and the last, of the second and the last but one, …"""
    index, prepared = np.arange(len(corpus), dtype=np.int32), metric.prepare(corpus)
    return run(metric, prepared, prepared, index, index[::-1].copy(), **options)


def best(texts: list[str]) -> int:
    """The most triples that match under a map of variables that share a group, by trying all maps."""
    read = [readers.read_penman(text) for text in texts]
    groups = [sentences.levelled(fm.parse(text)[0]) for text in texts]
    pairs = product(*(enumerate(side.variables) for side in read))
    shared = {(i, j) for (i, one), (j, two) in pairs if None in groups or groups[0][one] & groups[1][two]}
    problem = build(*read, DEFAULT)
    unary = {pair: gain for pair, gain in problem.unary.items() if pair in shared}
    binary = {both: gain for both, gain in problem.binary.items() if shared.issuperset(both)}
    return best_map(problem.n, problem.m, unary, binary)[0]


@pytest.mark.parametrize("seed", range(25))
def test_the_optimum_is_that_of_all_maps(seed: int) -> None:
    random = Random(seed)
    texts = []
    while len(texts) < 2:
        text = document(random, random.randint(1, 2), 2)
        if text.count("/") <= 4:
            texts.append(text)
    expected = best(texts)
    for solver in ("exact", "ilp"):
        result = fm.score(*texts, metric="docsmatch", solver=solver)
        assert result.pairs.matched.tolist() == [expected], texts
        assert result.certified


@given(st.integers(0, 2**32), st.sampled_from(["sentences", "tool"]))
@examples(20)
def test_maps_keep_to_groups(seed: int, within: str) -> None:
    """By every solver; a map of the climber is no better than the optimum, and recounting gives what was matched."""
    random = Random(seed)
    metric = make("docsmatch", "tool" if within == "tool" else None)
    corpus = fm.parse([document(random, random.randint(1, 5), 12, "pq") for _ in range(4)], dialect=metric.dialect)
    groups = groups_of(corpus, tool=within == "tool")
    optimum = turned_around(metric, corpus).matched
    for solver in ("exact", "climb", "ilp"):
        made = make("docsmatch", "tool" if within == "tool" else None, solver=solver)
        scores = turned_around(made, corpus, mapping=True)
        assert (scores.matched <= optimum).all()
        for k in range(4):
            check_kept(corpus[k], corpus[3 - k], groups[k], groups[3 - k], scores.mapping_of(k))
            explained = made.explain(corpus, corpus, k, 3 - k, scores.mapping_of(k))
            if within == "sentences":
                assert len(explained.matched) == scores.matched[k]


#: Metrics that match triples, with options under which a triple counts 1: their optimum is DocSmatch's.
SAME = [("smatch", {}), ("wsmatch", {"weighted": False}), ("softmatch", {})]


@pytest.mark.parametrize(
    ("name", "options"), [*SAME, ("s2match", {}), ("smatch++", {"top": "constant"}), ("align-smatch", {})]
)
def test_every_metric_of_triples_keeps_to_sentences(name, options):
    """By every solver, with proofs; without sentences in a graph nothing changes."""
    random = Random(7)
    texts = [document(random, random.randint(2, 4), 10, "pq") for _ in range(12)]
    texts[3] = texts[3].replace(":snt", ":op")
    corpus = fm.parse(texts)
    groups = groups_of(corpus, tool=False)
    kept, free = (make(name, None, within=within, **options) for within in ("sentences", "document"))
    found, unbound, docsmatch = (turned_around(metric, corpus) for metric in (kept, free, make("docsmatch")))
    assert found.certified.all() and (found.matched <= unbound.matched).all()
    assert found.matched.sum() < unbound.matched.sum()
    assert found.matched[[3, 8]].tolist() == unbound.matched[[3, 8]].tolist()
    if (name, options) in SAME:
        assert found.matched.tolist() == docsmatch.matched.tolist()
    for solver in ("exact", "climb", "ilp"):
        scores = turned_around(make(name, None, within="sentences", solver=solver, **options), corpus, mapping=True)
        if solver == "ilp":
            assert scores.matched == pytest.approx(found.matched)
        assert (scores.matched <= found.matched + 1e-9).all()
        for k in range(12):
            check_kept(corpus[k], corpus[11 - k], groups[k], groups[11 - k], scores.mapping_of(k))


def test_similar_concepts_of_a_large_pair_keep_to_sentences() -> None:
    """Long lists of sentences that have nothing in common are not compared for ever: the map is greedy then."""
    shared = " ".join(f":op{k} (a{k} / a{k})" for k in range(300))
    text = f"(d / document {' '.join(f':snt{k} (s{k} / s :ARG0 x)' for k in range(2, 400))} :snt1 (x / x {shared}))"
    pred, gold = fm.parse(text), fm.parse(text.replace(":snt", ":snt9000"))
    metric = make("softmatch", None, within="sentences", effort="minimal")
    one = np.zeros(1, np.int32)
    scores = run(metric, metric.prepare(pred), metric.prepare(gold), one, one, mapping=True)
    assert 0 <= scores.matched[0] <= scores.upper[0]
    assert [image for image in scores.mapping_of(0).tolist() if image >= 0] == [0]


def test_groups_of_a_pair_too_large_for_a_search() -> None:
    """With so little work the map is greedy; it keeps to groups, and the bound holds."""
    half = " ".join(f":op{k} (a{k} / a :ARG0 (b{k} / b :ARG1 (c{k} / c)))" for k in range(60))
    other = half.replace("(a", "(x").replace("(b", "(y").replace("(c", "(z")
    pred = fm.parse(f"(d / document :snt1 (s / and {half}) :snt2 (t / or {other}))")
    gold = fm.parse(f"(d / document :snt1 (t / or {other}) :snt2 (s / and {half}))")
    metric = make("docsmatch", effort="minimal")
    one = np.zeros(1, np.int32)
    scores = run(metric, metric.prepare(pred), metric.prepare(gold), one, one, mapping=True)
    mapping = scores.mapping_of(0)
    assert (mapping >= 0).sum() > 300
    check_kept(pred[0], gold[0], *(groups_of(side, tool=False)[0] for side in (pred, gold)), mapping)
    assert scores.matched[0] <= scores.upper[0]


def test_pickled_features_keep_their_groups() -> None:
    made = make("docsmatch").prepare(fm.parse([document(Random(1)), "(a / b)"]))
    again = pickle.loads(pickle.dumps(made))
    assert type(again) is type(made)
    for one, other in zip(made.__reduce__()[1], again.__reduce__()[1], strict=True):
        assert np.array_equal(one, other) and one.dtype == other.dtype


def test_groups_are_checked() -> None:
    features = make("smatch").prepare(fm.parse(["(a / b :ARG0 (c / d))", "(e / f)"]))
    one = np.ones(2, np.uint8)
    offsets, groups = np.array([0, 1, 2, 4]), np.array([0, 1, 2, 3], np.int32)
    assert features.grouped_by(one, offsets, groups).n_graphs == 2
    for arguments, message in (
        ((one[:1], offsets, groups), "1 entries for 2 graphs"),
        ((one, offsets[:-1], groups), "groups: the offsets do not divide 4 columns among 3 variables"),
        ((one, offsets, groups[:3]), "do not divide 3 columns among 3 variables"),
        ((one, np.array([0, 2, 1, 4]), groups), "offsets of variable 1 decrease"),
        ((one, offsets, np.array([0, 0, 3, 1], np.int32)), "not ascending"),
        ((one, offsets, np.array([0, 0, 1, 1], np.int32)), "not ascending"),
    ):
        fails(ValueError, message, features.grouped_by, *arguments)
    corpus = fm.parse("(a / b :snt1 (c / d))")
    fails(ValueError, "too short", kernel, corpus.columns, np.zeros(1, np.int32), np.zeros(99, np.uint8))
    fails(ValueError, "too short", kernel, corpus.columns, np.zeros(99, np.int32), np.zeros(1, np.uint8))


@pytest.mark.slow
def test_sentences_that_would_fill_the_memory() -> None:
    """A chain of variables, each the root of a sentence: half of n² members."""
    n = 20_000
    role = [f":snt{k}" for k in range(n)]
    triples: list[tuple[str, str, str]] = [("d", ":instance", "document")]
    triples += [(f"v{k}", ":instance", "v") for k in range(n)]
    triples += [("d", role[k], f"v{k}") for k in range(n)]
    triples += [(f"v{k}", ":ARG0", f"v{k + 1}") for k in range(n - 1)]
    corpus = fm.Corpus.from_triples([("d", triples)])
    fails(fm.FastmatchError, "graph 0: its sentences share so much", make("docsmatch").prepare, corpus)


@pytest.mark.slow
def test_variables_in_hundreds_of_sentences_that_they_do_not_share() -> None:
    """To find that out for all pairs of 1,200 variables would take a billion steps; so there is a greedy map."""

    def made(first: int) -> fm.Corpus:
        """Each of 1,200 variables in each of 600 sentences, of odd numbers or of even ones."""
        triples = [("d", ":instance", "document"), ("v0", ":instance", "v")]
        for k in range(1200):
            triples += [(f"v{k + 1}", ":instance", "v"), (f"v{k}", ":ARG0", f"v{k + 1}")]
        for k in range(600):
            triples += [(f"s{k}", ":instance", "s"), ("d", f":snt{2 * k + first}", f"s{k}"), (f"s{k}", ":ARG1", "v0")]
        return fm.Corpus.from_triples([("d", triples)])

    metric = make("docsmatch")
    pred, gold = fm.Corpus.together((made(0), made(1)))
    result = fm.score(pred, gold, metric=metric)
    assert result.pairs.matched.tolist() == [2]  # the root: its concept, and that it is the root
    assert result.pairs.upper[0] > 2  # a search of all pairs would have proven the two
