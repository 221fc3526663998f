"""Measurements of the papers: by hand, by brute force, by formulas that the papers print."""

import json
from itertools import permutations
from math import log10

import numpy as np
import pytest
from hypothesis import given
from scipy.stats import ttest_rel

import fastmatch as fm
from fastmatch._ext.matching.score import score_climb
from fastmatch.benchmarks.bamboo import TASKS, bamboo
from fastmatch.benchmarks.studies import impact, optima, ranking, rating_errors, search_space
from fastmatch.metrics import make
from fastmatch.metrics.base import PairRange

from support.command_line import run
from support.nightly import examples
from support.refusal import fails
from support.strategies import Spec, specs

BOY = "(w / want-01 :ARG0 (b / boy) :ARG1 (g / go-02 :ARG0 b))"
GIRL = "(w / want-01 :ARG0 (b / girl) :ARG1 (g / go-02 :ARG0 b))"
#: two maps that no single move or swap makes better: the three cats in their places, or turned by one
TURN = "(a / and :op1 (c1 / cat :mod (x / red)) :op2 (c2 / cat :mod (y / blue)) :op3 (c3 / cat :mod (z / big)))"


# ---------------------------------------------------------------- local optima


def test_optima_of_equal_and_of_unlike_graphs():
    found = optima([BOY, "(c / cat)", "()"], [BOY, "(d / dog)", "()"], runs=4)
    assert found.distinct.tolist() == [1, 1, 1] and found.variables.tolist() == [6, 2, 2]
    assert found.reached[1:].tolist() == [4, 4]  # nothing can be matched but the top, and nothing at all
    assert found.certified.all()


def test_optima_are_those_of_the_climber(data_dir):
    """Where a start alone reaches the optimum, the climber with as many restarts reports it."""
    folder = data_dir / "data" / "lpp"
    pred, gold = (fm.read(folder / name)[:120] for name in ("parsers.amr", "parsers-gold.amr"))
    found = optima(pred, gold, runs=6, seed=3)
    assert found.runs == 6 and ((found.distinct >= 1) & (found.distinct <= 6)).all()
    assert ((found.reached >= 0) & (found.reached <= 6)).all() and (found.distinct > 1).any()
    climbed = fm.score(pred, gold, solver="climb", restarts=6, seed=3).pairs.matched
    assert (climbed == fm.score(pred, gold).pairs.matched)[found.reached > 0].all()
    assert (found.distinct[found.reached == 6] == 1).all()


def test_starts_one_by_one_are_the_starts_of_a_climb():
    features = make("smatch").prepare(fm.parse([TURN, TURN.replace("red", "green")]))
    index = [np.array([number], np.int32) for number in (0, 1)]

    def climb(first: int, restarts: int) -> int:
        matched = np.zeros(1, np.int64)
        options = {"first": first, "restarts": restarts, "seed": 5}
        score_climb(features, features, PairRange.all(*index), matched=matched, **options)
        return int(matched[0])

    alone = [climb(k, k) for k in range(8)]
    assert [climb(0, k) for k in range(8)] == np.maximum.accumulate(alone).tolist()
    assert [climb(1, k) for k in range(1, 8)] == np.maximum.accumulate(alone[1:]).tolist()
    for first, restarts in ((-1, 2), (3, 2)):
        fails(ValueError, "first must lie between 0 and 2", climb, first, restarts)


def test_the_published_trend_of_optima(data_dir):
    """Figure 6 of Smatch++: several optima for many pairs, more for reified graphs, and more the more variables."""
    folder = data_dir / "data" / "lpp"
    paths = folder / "parsers.amr", folder / "parsers-gold.amr"
    plain, reified = (optima(*paths, preset=preset) for preset in ("smatch++", "smatch++/reify"))
    assert plain.slope > 0.03 and reified.slope > plain.slope
    assert reified.distinct.mean() > 1.5 * plain.distinct.mean() > 1.5


def test_what_optima_refuses():
    for runs in (0, True, 2.0):
        fails(fm.OptionError, "expected a whole number, 1 or more", optima, [BOY], [BOY], runs=runs)
    fails(fm.PairingError, "1 predictions but 2 gold graphs", optima, [BOY], [BOY, BOY])


# ---------------------------------------------------------------- search spaces


def test_search_space_by_hand():
    """want and go have no like but themselves; boy none by its concept, but one by the relations that lead to it."""
    (smatch,) = search_space([BOY], [GIRL], "smatch")
    assert smatch.triples.tolist() == [6]
    # want: want (concept), and go, for both have an ARG0; boy: girl (ARG0), go (ARG1 of want does not lead to it)
    assert smatch.log10.tolist() == pytest.approx([log10(brute_force(BOY, GIRL))])
    (rematch,) = search_space([BOY], [GIRL], "rematch")
    (motifs,) = fm.score([BOY], [BOY], metric="rematch").pairs.statistics[:1]
    assert rematch.log10.tolist() == pytest.approx([2 * log10(motifs[0])])


def brute_force(pred: str, gold: str) -> int:
    """Product over the variables of the numbers of variables with an equal triple under some map; 1 for none."""
    a, b = (fm.parse(text)[0] for text in (pred, gold))

    def kinds(graph: fm.Graph, variable: str) -> set[tuple[str, ...]]:
        found = {("concept", t) for s, _, t in graph.instances if s == variable}
        found |= {("out", r) for s, r, _ in graph.relations if s == variable}
        found |= {("in", r) for _, r, t in graph.relations if t == variable}
        return found | ({("top",)} if graph.top == variable else set())

    product = 1
    for variable in a.variables:
        product *= max(1, sum(bool(kinds(a, variable) & kinds(b, other)) for other in b.variables))
    return product


def plain(spec: Spec) -> Spec:
    """A tree of two concepts and two roles."""
    concepts = ("cat" if concept == "cat" else "dog" for concept in spec.concepts)
    return Spec(tuple(concepts), tuple((parent, f":ARG{len(role) % 2}") for parent, role in spec.tree))


PLAIN = specs(max_size=5).map(plain)


@given(pred=PLAIN, gold=PLAIN)
@examples(20)
def test_search_space_against_brute_force(pred: Spec, gold: Spec):
    texts = pred.text(), gold.text()
    (found,) = search_space(texts[:1], texts[1:], "smatch")
    assert found.log10.tolist() == pytest.approx([log10(brute_force(*texts))])


def test_the_published_trend_of_search_spaces(data_dir):
    """Figure 3 of Rematch: maps grow exponentially with the size of a pair, features do not."""
    folder = data_dir / "data" / "lpp"
    paths = folder / "parsers.amr", folder / "parsers-gold.amr"
    found = {entry.metric: entry for entry in search_space(*paths, ["smatch", "sembleu", "wlk", "rematch"])}
    large = found["smatch"].triples > 40
    assert found["smatch"].log10[large].mean() > 2 * found["wlk"].log10[large].mean()
    assert all(found[name].log10.max() < 6 for name in ("sembleu", "wlk", "rematch"))


def test_metrics_without_a_search_space():
    message = "metric 'ancast': it has no features that could be counted"
    fails(fm.OptionError, message, search_space, [BOY], [BOY], "ancast")


# ---------------------------------------------------------------- impact


def tree(d: int, depth: int) -> str:
    """A tree whose nodes have d children each, constants at the bottom."""
    names = iter(range(10**6))

    def node(level: int) -> str:
        parts = [f"(v{next(names)} / c", *(f":r {node(level - 1) if level > 1 else 'k'}" for _ in range(d))]
        return " ".join(parts) + ")"

    return node(depth)


@pytest.mark.parametrize("d", [2, 3, 4])
def test_the_formulas_of_the_paper(d: int):
    """Footnote 9: of k-grams up to 3, 3 at a leaf, 1 + d + d² at the root, d² + 2d + 3 at a branching node.

    Here of a tree of four levels below the root, of which the two middle ones are deep enough on both sides.
    """
    found = impact([tree(d, 4)])
    assert found["leaf"] == (d**4, 3, 1) and found["root"] == (1, 1 + d + d**2, d)
    # the nodes of levels 1, 2 and 3: the first has no grandparent, the last no grandchildren
    levels = [(d, d**2 + 2 * d + 2), (d**2, d**2 + 2 * d + 3), (d**3, 2 * d + 3)]
    assert found["inner"].nodes == sum(n for n, _ in levels)
    assert found["inner"].kgrams == pytest.approx(sum(n * grams for n, grams in levels) / found["inner"].nodes)
    assert found["inner"].triples == d + 1


def walks(graph: fm.Graph, k: int) -> dict[object, int]:
    """How often walks of up to k nodes visit each node, by listing them."""
    nodes: list[object] = [*graph.variables, *range(len(graph.attributes))]
    edges = [(s, t) for s, _, t in graph.relations] + [(s, n) for n, (s, _, _) in enumerate(graph.attributes)]
    visits = dict.fromkeys(nodes, 0)
    found = [[node] for node in nodes]
    for _ in range(k):
        for walk in found:
            for node in walk:
                visits[node] += 1
        found = [[*walk, t] for walk in found for s, t in edges if s == walk[-1]]
    return visits


@given(spec=specs(max_size=5))
@examples(15)
def test_impact_against_brute_force(spec: Spec):
    corpus = fm.parse([spec.text()])
    graph = corpus[0]
    for k in (1, 2, 3):
        found = impact(corpus, k=k)
        total = sum(entry.nodes * entry.kgrams for entry in found.values() if entry.nodes)
        assert total == pytest.approx(sum(walks(graph, k).values()))
        assert found["root"].kgrams == pytest.approx(walks(graph, k)[graph.top])
        ends = 2 * len(graph.relations) + 2 * len(graph.attributes)
        assert sum(entry.nodes * entry.triples for entry in found.values() if entry.nodes) == pytest.approx(ends)


def test_impact_in_a_chain_of_many_nodes():
    n = 100_000  # a matrix of all nodes with all would take 80 GB
    found = impact([" :r ".join(f"(v{i} / c" for i in range(n)) + n * ")"])
    assert found["root"] == (1, 3, 1) and found["leaf"] == (1, 3, 1)
    assert found["inner"].kgrams == pytest.approx((6 * (n - 4) + 2 * 5) / (n - 2))


def test_impact_of_nothing():
    found = impact(["()"])
    assert found["root"] == (1, 1, 0) and found["inner"].nodes == found["leaf"].nodes == 0
    assert np.isnan(found["leaf"].kgrams)
    for k in (0, 9, True):
        fails(fm.OptionError, "expected a whole number from 1 to 8", impact, [BOY], k=k)


# ---------------------------------------------------------------- ranking


def test_ranking_by_hand(data_dir):
    gold = ["(a / cat :mod (b / big))", "(c / dog)", "(s / see-01 :ARG0 (d / dog) :ARG1 (c / cat))"]
    one = ["(a / cat)", "(c / dog)", "(s / see-01 :ARG0 (d / dog))"]
    two = ["(a / cat :mod (b / big))", "(c / cat)", "(s / see-02 :ARG0 (d / dog) :ARG1 (c / cat))"]
    found = ranking([one, two], gold, ["smatch", "sembleu", "rematch"])
    scores = {
        name: [fm.score(system, gold, metric=name).pairs.score for system in (one, two)]
        for name in ("smatch", "sembleu", "rematch")
    }
    assert [entry.metrics for entry in found.disagreements] == [(0, 1), (0, 2), (1, 2)]
    for entry in found.disagreements:
        first, second = (scores[found.orders[k].metric] for k in entry.metrics)
        signs = [np.sign(pair[0] - pair[1]) for pair in (first, second)]
        assert entry.ratio == np.mean(signs[0] * signs[1] < 0)
        assert entry.p == pytest.approx(ttest_rel(first[0] - first[1], second[0] - second[1]).pvalue)
    for order in found.orders:
        whole = [fm.score(system, gold, metric=order.metric).score for system in (one, two)]
        assert order.scores == tuple(whole) and order.systems == ((0, 1) if whole[0] >= whole[1] else (1, 0))
    same = ranking([one, one, two], gold, ["smatch", "smatch"])
    assert [entry.ratio for entry in same.disagreements] == [0, 0, 0]
    assert all(np.isnan(entry.p) for entry in same.disagreements) and same.orders[0].systems[0] in (0, 2)


def test_what_ranking_refuses():
    fails(fm.OptionError, "two systems and a metric", ranking, [[BOY]], [BOY], ["smatch"])
    fails(fm.OptionError, "two systems and a metric", ranking, [[BOY], [GIRL]], [BOY], [])
    fails(fm.PairingError, None, ranking, [[BOY], [GIRL, BOY]], [BOY], ["smatch"])


# ---------------------------------------------------------------- ratings


def test_rating_errors_by_hand():
    scores, ratings = np.array([0.0, 0.5, 1.0]), np.array([0.2, 0.5, 0.6])
    pairs, quantiles = rating_errors(scores, ratings)
    assert pairs == pytest.approx(((0.04 + 0 + 0.16) / 3) ** 0.5)
    # quantile q of the scores is q, that of the ratings lies on one of two lines
    errors = [q - (0.2 + 0.6 * q if q <= 0.5 else 0.5 + 0.2 * (q - 0.5)) for q in (k / 10 for k in range(1, 10))]
    assert quantiles == pytest.approx(np.sqrt(np.mean(np.square(errors))))
    for order in permutations(range(3)):
        assert rating_errors(scores[list(order)], ratings)[1] == pytest.approx(quantiles)
    assert np.isnan(rating_errors(scores[:0], ratings[:0])).all()


def test_bamboo_by_errors(data_dir):
    """Near table 7, which has 0.25 for Smatch on both sets and 0.34 and 0.38 for SemBleu, on other parses."""
    folder = data_dir / "data" / "bamboo"
    rows = bamboo(folder, ["smatch", "sembleu"], protocol="rmse").rows
    values = [dict(zip(TASKS, row.values, strict=True)) for row in rows]
    assert values[0]["main", "sts"] == pytest.approx(25, abs=2)
    assert values[0]["main", "sick"] == pytest.approx(25, abs=2)
    assert values[1]["main", "sts"] == pytest.approx(34, abs=4)
    assert values[1]["main", "sick"] == pytest.approx(38, abs=4) and values[0]["role_confusion", "sts"] is None
    (row,) = bamboo(folder, ["smatch"], protocol="rmse-quantiles").rows
    assert row.values[0] < values[0]["main", "sts"]


# ---------------------------------------------------------------- the verb


def test_the_verb(tmp_path):
    for name, text in (("a.amr", BOY), ("b.amr", GIRL), ("gold.amr", BOY)):
        (tmp_path / name).write_text(f"{text}\n\n(c / cat :mod (b / big))\n", encoding="utf-8")

    def bench(line: str, stdin: str = "") -> str:
        return run("bench", *line.split(), cwd=tmp_path, stdin=stdin).stdout

    record = json.loads(bench("ranking a.amr b.amr gold.amr --metric smatch --metric sembleu --json"))
    assert [order["systems"] for order in record["orders"]] == [[0, 1], [0, 1]]
    assert bench("optima a.amr gold.amr --runs 3 --tsv").splitlines() == [
        "index\tvariables\tdistinct\treached\tcertified",
        "0\t6\t1\t3\t1",
        "1\t4\t1\t3\t1",
    ]
    assert "search space of 2 pairs" in bench("space a.amr gold.amr")
    given = (tmp_path / "a.amr").read_text(encoding="utf-8")
    record = json.loads(bench("space - gold.amr --metric smatch --metric rematch --json", given))
    assert [len(entry["log10"]) for entry in record["metrics"]] == [2, 2]
    assert "root" in bench("impact gold.amr")
