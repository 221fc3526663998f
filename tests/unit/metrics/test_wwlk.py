"""WWLK: against its slow twin, option by option; what must hold for every graph; weights and vectors; alignments."""

from functools import partial

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import fastmatch as fm
from fastmatch._ext.transport.labels import draw_vectors, draw_weights, label_vectors, text_keys
from fastmatch._ext.transport.score import score_pairs
from fastmatch.metrics import make, row_bounds, wwlk
from fastmatch.metrics.base import PairRange
from fastmatch.metrics.embeddings.vectors import Embeddings
from fastmatch.metrics.run import run
from fastmatch.metrics.shared.role_weights import read_weights, write_weights

from support import strategies
from support.memory import needs_peaks, taken
from support.nightly import examples
from support.refusal import fails
from twins import wwlk as twin

WORDS = ["cat", "dog", "want", "kim", "new", "york", "top", "5", "1", "9", "false", "not", "-", "in", "law", "a_b", "b"]
TABLE = dict(zip(WORDS, np.random.default_rng(5).normal(size=(len(WORDS), 12)).astype(np.float32), strict=True))
VECTORS = Embeddings.from_arrays(list(TABLE), np.array(list(TABLE.values())))

A = "(w / want-01 :ARG0 (b / cat) :ARG1 (g / go-02 :ARG0 b :polarity -))"
B = '(w / want-01 :ARG0 (d / dog :quant 5) :ARG1 (k / kim :name (n / name :op1 "New" :op2 "York")))'


def both(pred: str, gold: str) -> list[fm.Corpus]:
    return fm.Corpus.together([fm.parse([pred]), fm.parse([gold])])


def first_vector(label: str, seed: int, oov: str) -> np.ndarray:
    found = twin.vector(label, TABLE)
    if found is not None:
        return found
    if oov == "zero":
        return np.zeros(12)
    return draw_vectors(text_keys([twin.words_of(label)[0].encode()]), seed, 1, 12)[0, 0]


# ---------------------------------------------------------------- the twin


OPTIONS = st.fixed_dictionaries(
    {
        "k": st.integers(0, 3),
        "direction": st.sampled_from(["undirected", "top-down", "bottom-up", "2-way"]),
        "update": st.sampled_from(["paper", "tool"]),
        "oov": st.sampled_from(["hash", "zero"]),
        "seed": st.integers(0, 3),
        "edge_weights": st.sampled_from(["constant", "ones", "uniform", "min_entropy", "entropy"]),
        "edges": st.sampled_from(["weights", "nodes"]),
    }
)


@examples(20)
@given(strategies.pairs(missing_concepts=True), OPTIONS)
def test_like_the_twin(sides, options):
    """Every option that enters the formula."""
    metric = make("wwlk", embeddings=VECTORS, clip=False, **options)
    corpora = both(*(side.text() for side in sides))

    def weight(role: str, against: bool) -> float:
        if options["edge_weights"] in ("constant", "ones"):
            return 0.2 if options["edge_weights"] == "constant" else 1.0
        if against and options["direction"] == "2-way":
            role += "-of"
        candidates = 1 if options["edge_weights"] == "uniform" else 10
        centre = 0.2735 if options["edge_weights"] == "entropy" else 0.0
        return float(draw_weights(text_keys([role.encode()]), options["seed"], 1, candidates, centre=centre)[0, 0])

    graphs = [twin.graph_of(corpus[0]) for corpus in corpora]
    if options["edges"] == "nodes":
        graphs = list(map(twin.edges_as_nodes, graphs))
    ways = {"down": options["direction"] != "bottom-up", "up": options["direction"] != "top-down"}
    how = {"k": options["k"], "update": options["update"], **ways}
    first = partial(first_vector, seed=options["seed"], oov=options["oov"])
    embedded = [twin.embed(graph, first, weight, **how) for graph in graphs]
    for side, corpus in zip(embedded, corpora, strict=True):
        assert metric.prepare(corpus).embeddings(0, 1) == pytest.approx(side, abs=1e-12)
    cost = twin.costs(*embedded)
    found = fm.score(*corpora, metric=metric).pairs
    assert found.distance[0] == pytest.approx(twin.transport(cost), abs=1e-9)
    assert found.distance_pred[0] == pytest.approx(cost.min(axis=1).mean(), abs=1e-9)
    assert found.distance_gold[0] == pytest.approx(cost.min(axis=0).mean(), abs=1e-9)
    assert found.similarity[0] == 1 - found.distance[0]


def test_draws_are_averaged_before_the_transport() -> None:
    corpora = both(A, B)
    metric = make("wwlk", embeddings=VECTORS, stability=2, seed=7, clip=False)
    spaces = [metric.prepare(corpus) for corpus in corpora]
    mean = np.mean([twin.costs(*(space.embeddings(0, 1, draw) for space in spaces)) for draw in range(3)], axis=0)
    assert fm.score(*corpora, metric=metric).pairs.distance[0] == pytest.approx(twin.transport(mean), abs=1e-9)
    assert not np.allclose(*(spaces[0].embeddings(0, 1, draw) for draw in (0, 1)))


def test_more_products_than_are_kept() -> None:
    """1,001 draws of 131 labels and as many nodes: 137 MB of labels' products, over what a call keeps."""
    few = Embeddings.from_arrays(["dog", "cat"], np.array([[1.0, 0.0], [0.6, 0.8]], np.float32))
    text = f"(a0 / dog {' '.join(f':ARG1 (a{k} / w{k})' for k in range(1, 131))})"
    corpora = both(text, "(c / cat :ARG1 (d / dog) :mod (e / w3))")
    metric = make("wwlk", embeddings=few, stability=1000, k=1, clip=False)
    spaces = [metric.prepare(corpus) for corpus in corpora[::-1]]
    mean = np.mean([twin.costs(*(space.embeddings(0, 1, draw) for space in spaces)) for draw in range(1001)], axis=0)
    found = fm.score(*corpora[::-1], metric=metric).pairs
    back = fm.score(*corpora, metric=metric).pairs
    assert found.distance_pred[0] == pytest.approx(mean.min(axis=1).mean(), abs=1e-12)
    assert found.distance_gold[0] == pytest.approx(mean.min(axis=0).mean(), abs=1e-12)
    assert back.distance[0] == found.distance[0]


# ---------------------------------------------------------------- properties


@given(strategies.specs(), strategies.specs())
def test_symmetric_to_the_last_bit_and_bounded(one: strategies.Spec, two: strategies.Spec) -> None:
    there = fm.score(one.text(), two.text(), metric="wwlk", clip=False).pairs
    back = fm.score(two.text(), one.text(), metric="wwlk", clip=False).pairs
    assert there.distance[0] == back.distance[0] and there.distance_pred[0] == back.distance_gold[0]
    assert 0 <= there.distance[0] <= 2
    assert max(there.distance_pred[0], there.distance_gold[0]) <= there.distance[0] + 1e-12


def some_graphs(count: int) -> list[str]:
    """Graphs of one to seven nodes with many words in common, equal ones among them."""
    random = np.random.default_rng(7)
    words = ["cat", "dog", "want-01", "kim", "new", "york", "top", "unheard-of"]
    result = []
    for _ in range(count):
        text = ""
        for k in range(random.integers(0, 7)):
            text = f":{random.choice(['ARG0', 'ARG1', 'mod'])} (x{k} / {random.choice(words)} {text})"
        result.append(f"(a / {random.choice(words)} {text})")
    return [*result, "()"]


def test_most_pairs_are_not_transported() -> None:
    """What a cutoff is for: distances are bounds wherever the score is below it, and only there."""
    corpus = fm.parse(some_graphs(40))
    metric = make("wwlk", embeddings=VECTORS, clip=False)
    space = metric.prepare(corpus)
    i, j = (half.astype(np.int32) for half in np.triu_indices(len(corpus), 1))
    true = run(metric, space, space, i, j)
    found = run(metric.reaching(0.8), space, space, i, j)
    bound = np.maximum(true.distance_pred, true.distance_gold) - 1e-12
    skipped = bound > 1 - 0.8
    assert skipped.mean() > 0.5 and (found.distance[skipped] == bound[skipped]).all()
    assert (found.distance[~skipped] == true.distance[~skipped]).all() and (bound < true.distance).all()


def test_empty_graphs() -> None:
    found = fm.score(["(", "(", "(a / b)"], ["(", "(a / b)", "("], metric="wwlk", on_error="empty").pairs
    assert found.distance.tolist() == found.distance_pred.tolist() == found.distance_gold.tolist() == [0, 1, 1]


def test_clipping() -> None:
    pred, gold = "(c / cat)", "(d / dog)"
    assert fm.score(pred, gold, metric="wwlk").score == 0
    below = fm.score(pred, gold, metric="wwlk", clip=False)
    assert below.score == 1 - below.pairs.distance[0] < 0


def test_the_headline_can_be_chosen() -> None:
    found = fm.score(A, B, metric="wwlk", embeddings=VECTORS, variant="recall", clip=False)
    assert list(found.scores) == ["recall", "similarity", "precision"]
    assert found.score == 1 - found.pairs.distance_gold[0]
    assert not make("wwlk", variant="recall").symmetric


# ---------------------------------------------------------------- vectors and weights


@pytest.mark.parametrize(
    ("label", "words"),
    [
        ("cat", ["cat"]), ("want-01", ["want"]), ("want-01-cat", ["want", "cat"]), ("new_york", ["new", "york"]),
        ("a_b", ["a_b", "b"]), ("new-york_cat", ["new", "cat"]), ("-", ["false", "not"]), (' "kim" ', ["kim"]),
        (":new:", ["new"]), ("new york", []), ("-5", []), ("5", ["5"]),
    ],
)  # fmt: skip
def test_words_of_a_label(label: str, words: list[str]) -> None:
    out = np.empty((1, 12))
    known, keys = label_vectors([label.encode()], VECTORS.find, VECTORS.vectors, out)
    assert known[0] == bool(words)
    expected = np.mean([TABLE[word].astype(float) for word in words], axis=0) if words else np.zeros(12)
    assert out[0] == pytest.approx(expected, abs=1e-15)
    assert keys[0] == text_keys([twin.words_of(label)[0].encode()])[0]


def test_digits_of_a_number() -> None:
    out = np.empty((1, 12))
    assert label_vectors([b"1595"], VECTORS.find, VECTORS.vectors, out)[0].tolist() == [1]
    parts = [TABLE["1"] / 1.0, TABLE["5"] / 2.0, TABLE["9"] / 3.0, TABLE["5"] / 4.0]
    assert out[0] == pytest.approx(np.mean(np.array(parts, float), axis=0), abs=1e-7)
    assert out[0] == pytest.approx(twin.vector("1595", TABLE), abs=1e-7)


def test_drawn_vectors() -> None:
    keys = text_keys([b"one", b"two"])
    drawn = draw_vectors(keys, 3, 2, 500)
    assert drawn.shape == (2, 2, 500) and (np.abs(drawn) <= 0.05).all() and np.abs(drawn).max() > 0.0495
    assert abs(drawn.mean()) < 0.003 and (draw_vectors(keys[1:], 3, 1, 500)[0, 0] == drawn[0, 1]).all()
    assert len({drawn[0, 0, 0], drawn[0, 1, 0], drawn[1, 0, 0], draw_vectors(keys, 4, 1, 1)[0, 0, 0]}) == 4
    assert text_keys([b"cat"]).tolist() == [12377401618073479058]  # the same in every run, on every machine


def test_drawn_weights() -> None:
    keys = text_keys([b":role%d" % number for number in range(2000)])
    uniform, least = draw_weights(keys, 0, 1, 1)[0], draw_weights(keys, 0, 1, 10)[0]
    for weights in (uniform, least):
        assert ((weights >= 0.2) & (weights < 0.35)).all()
    assert uniform.mean() == pytest.approx(0.275, abs=0.005)
    assert least.mean() == pytest.approx(0.2 + 0.15 / 11, abs=0.001) and (least <= uniform).all()


def entropy(weights: np.ndarray) -> float:
    shares = weights / weights.sum()
    return float(-(shares * np.log(shares)).sum())


def test_least_entropy_as_it_is_meant() -> None:
    """Role after role, among many, and each by itself: as many small ones, and equal means on both sides."""
    rng = np.random.default_rng(1)
    found: list[np.ndarray] = []
    for _ in range(12):
        weights = np.empty(0)
        for _ in range(150):
            candidates = rng.uniform(0.2, 0.35, 10)
            best = np.argmin([entropy(np.append(weights, one)) for one in candidates])
            weights = np.append(weights, candidates[best])
        found.append(weights[20:])
    together = np.concatenate(found)
    alone = draw_weights(text_keys([b":role%d" % number for number in range(4000)]), 0, 1, 10, centre=0.2735)[0]
    assert ((alone >= 0.2) & (alone < 0.35)).all()
    low, high = together[together < 0.2735], together[together >= 0.2735]
    assert (alone < 0.2735).mean() == pytest.approx(len(low) / len(together), abs=0.04)
    assert alone[alone < 0.2735].mean() == pytest.approx(low.mean(), abs=0.0015)
    assert alone[alone >= 0.2735].mean() == pytest.approx(high.mean(), abs=0.0015)


def test_edges_as_nodes() -> None:
    """Every edge is a node with the role's words, between two edges that are all alike."""
    corpus = fm.parse(["(w / want-01 :ARG0 (b / cat :ARG0-of w :quant 5))", "(d / dog)"])
    offsets, labels, edge_offsets, edges = make("wwlk", edges="nodes").graphs(corpus)
    assert offsets.tolist() == [0, 5, 6]
    texts = [corpus.vocabulary.text(label) for label in labels.tolist()]
    assert texts == ["want-01", "cat", "5", ":arg0", ":quant", "dog"]
    assert edge_offsets.tolist() == [0, 4, 4]
    assert {corpus.vocabulary.text(role) for role in edges[1].tolist()} == {":edge"}
    assert edges[[0, 2]].T.tolist() == [[0, 3], [3, 1], [1, 4], [4, 2]]
    found = fm.align(corpus[:1], corpus[:1], metric="wwlk", edges="nodes", embeddings=VECTORS)
    assert [str(node) for node in found.nodes_pred] == ["w / want-01", "b / cat", "5", ":arg0", ":quant"]
    assert make("wwlk", edges="nodes", edge_weights="ones").role_weights([":edge"]).tolist() == [[[1.0], [1.0]]]


def test_weights_from_a_file(tmp_path):
    path = tmp_path / "theta.tsv"
    write_weights(path, {":arg1": -0.25, ":arg0": 0.1 + 0.2}, ["learnt\nhere"])
    lines = ["# fastmatch role weights", "# learnt here", ":arg0\t0.30000000000000004", ":arg1\t-0.25", ""]
    assert path.read_text().split("\n") == lines and read_weights(path)[0] == {":arg0": 0.1 + 0.2, ":arg1": -0.25}
    metric = make("wwlk", weights=path, edge_weights="constant")
    assert metric.role_weights([":arg0", ":arg1", ":mod"])[0].tolist() == [[0.1 + 0.2, -0.25, 0.2]] * 2
    assert f"theta:{read_weights(path)[1]}" in str(metric.signature("penman"))
    distances = [fm.score(A, B, metric="wwlk", weights=theta).pairs.distance[0] for theta in (path, None)]
    assert distances[0] != distances[1]
    fails(fm.OptionError, "is a digest of weights", fm.metrics.from_signature, metric.signature("penman"))


def test_roles_of_a_file_are_in_any_case(tmp_path):
    """``:ARG0``, as graphs have it, had no effect, in silence; a byte-order mark was an error."""
    path = tmp_path / "theta.tsv"
    path.write_text("\ufeff:ARG0\t0.5\n", encoding="utf-8")
    assert make("wwlk", weights=path, edge_weights="ones").role_weights([":arg0", ":arg1"])[0, 0].tolist() == [0.5, 1.0]
    path.write_text(":ARG0\t0.5\n:arg0\t1\n", encoding="utf-8")
    fails(fm.ReadError, r"theta\.tsv:2:1: role :arg0 stands there twice", read_weights, path)


@pytest.mark.parametrize("weight", [1e60, 1e100, -1e160, 1e308])
@pytest.mark.parametrize("options", [{}, {"stability": 2}, {"edges": "nodes"}, {"update": "tool", "k": 9}])
def test_weights_that_are_too_large(tmp_path, weight, options):
    """Distances were no numbers, and their transport did not end, or ended the process."""
    path = tmp_path / "theta.tsv"
    write_weights(path, dict.fromkeys((":arg0", ":arg1", ":mod", ":edge"), weight))
    for verb in (fm.score, fm.align):
        fails(fm.FastmatchError, "the embeddings of nodes overflow", verb, A, B, metric="wwlk", weights=path, **options)


@pytest.mark.parametrize("weight", [1e60, 1e160, 1e308, np.inf, np.nan])
def test_weights_that_are_being_learnt_may_be_anything(weight: float) -> None:
    both = make("wwlk").prepare(fm.parse([A, B]))
    one, other, out = np.zeros(1, np.int32), np.ones(1, np.int32), np.empty((3, 1))
    for value in (weight, -weight):
        weights = np.full((2, both.n_weights), value)
        for limits in ({}, {"room": 0}):
            score_pairs(both, both, (one, other, 0, 1, np.zeros(1, np.uint8)), out=out, weights=weights, **limits)
            assert np.isfinite(out).all()


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "expected a role and its weight"),
        (":arg0 0.2\n", "theta.tsv:1:1: expected a role, a tab"),
        ("# x\n:arg0\tnan\n", "theta.tsv:2:1: expected a role"),
        ("arg0\t1\n", "theta.tsv:1:1: expected a role"),
        (":a\t1\n:a\t2\n", "role :a stands there twice"),
        ("\xff", "not UTF-8"),
    ],
)
def test_files_that_are_no_weights(tmp_path, text, message):
    path = tmp_path / "theta.tsv"
    path.write_bytes(text.encode("latin-1"))
    fails(fm.ReadError, message, make("wwlk", weights=str(path)).role_weights, [":arg0"])


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"k": -1}, "k=-1: expected a whole number from 0 to 100"),
        ({"stability": True}, "stability=True"),
        ({"direction": "sideways"}, "direction='sideways'"),
        ({"embeddings": 3}, "embeddings=3: expected the name of a file"),
        ({"embeddings": "nowhere.txt"}, "cannot read nowhere.txt"),
        ({"weights": "nowhere.txt"}, "cannot read nowhere.txt"),
        ({"weights": ""}, "weights: cannot read '': No such file"),
        ({"weights": "a\0b"}, "weights: cannot read a\0b: .*embedded null (byte|character)"),  # as Python words it
        ({"weights": VECTORS}, "weights=<Embeddings.*>: expected the name of a file"),
        ({"clip": 1}, "clip=1"),
    ],
)
def test_wrong_options(options: dict[str, object], message: str) -> None:
    fails(fm.OptionError, message, fm.score, A, B, metric="wwlk", **options)


def wide(n: int, prefix: str) -> str:
    return "(r / root" + "".join(f" :ARG{v % 5} (v{v} / {prefix}{v % (n - 7)})" for v in range(n)) + ")"


def test_a_transport_that_is_cut_short_is_reported() -> None:
    pred, gold = wide(300, "a"), wide(310, "b") + "\n\n" + wide(310, "a")
    pair = [pred, pred], fm.parse(gold)
    low, default = (fm.score(*pair, metric="wwlk", clip=False, effort=effort) for effort in ("low", "default"))
    assert default.certified and default.pairs.certified.all()
    assert low.certified  # what a reward scores has less than a thousand nodes
    space = [make("wwlk").prepare(corpus) for corpus in both(pred, wide(310, "b"))]
    index, out, whole = np.zeros(1, np.int32), np.zeros((3, 1)), np.full(1, 9, np.uint8)
    arguments = (*space, PairRange.all(index, index))
    score_pairs(*arguments, out=out, most=10**5, whole=whole)
    assert whole.item() == 0
    assert out[0, 0] > default.pairs.distance[0] > out[1, 0]
    score_pairs(*arguments, out=out, most=10**5, most_per_cell=1000, whole=whole)
    assert whole.item() == 1
    assert out[0, 0] == default.pairs.distance[0]


def test_an_alignment_says_that_its_transport_was_cut_short(monkeypatch: pytest.MonkeyPatch) -> None:
    pred, gold = wide(300, "a"), wide(310, "b")
    whole = fm.align(pred, gold, metric="wwlk")
    assert whole.certified and whole.to_dict()["certified"]
    monkeypatch.setitem(wwlk._WORK, "low", (10**5, 0))
    cut = fm.align(pred, gold, metric="wwlk", effort="low")
    assert not cut.certified and not cut.to_dict()["certified"] and "cut short" in repr(cut)
    assert cut.distance > whole.distance
    for alignment, said in ((whole, False), (cut, True)):
        assert ("cut short by a limit of work" in str(alignment.report())) == said


@pytest.mark.slow
@needs_peaks
def test_a_large_pair_takes_few_matrices() -> None:
    """Two of the size of the costs, the products with labels, and what is linear; there were six."""
    n = 2000
    pair = f'wide({n}, "a"), wide({n}, "b")'
    assert taken("wwlk", pair, "from unit.metrics.test_wwlk import wide") < 4.5 * 8 * n**2


# ---------------------------------------------------------------- alignment


def test_alignment() -> None:
    found = fm.align(A, B, metric="wwlk", embeddings=VECTORS)
    n, m = len(found.nodes_pred), len(found.nodes_gold)
    assert [str(node) for node in found.nodes_pred] == ["w / want-01", "b / cat", "g / go-02", "-"]
    assert [str(node) for node in found.nodes_gold][-3:] == ["5", "new", "york"]
    assert found.mass.sum(axis=1) == pytest.approx(np.full(n, 1 / n))
    assert found.mass.sum(axis=0) == pytest.approx(np.full(m, 1 / m))
    assert found.distance == pytest.approx(fm.score(A, B, metric="wwlk", embeddings=VECTORS).pairs.distance[0])
    assert found.score == max(0, 1 - found.distance) and found.mapping["w"]["w"] == pytest.approx(n / m)
    assert sum(flow["mass"] for flow in found.to_dict()["flows"]) == pytest.approx(1)
    assert "want-01" in str(found) and "want-01" in found._repr_html_()


def test_alignment_of_the_longer_with_the_shorter() -> None:
    """The kernel turns one of the two around; the plan is not affected."""
    there, back = (fm.align(*side, metric="wwlk", embeddings=VECTORS) for side in ((A, B), (B, A)))
    assert (there.mass == back.mass.T).all() and (there.cost == back.cost.T).all()


def test_alignment_with_nothing() -> None:
    assert [str(node) for node in fm.align("()", "(a / b :quant 3)", metric="wwlk").nodes_pred] == ["()"]
    empty = fm.parse(["("], on_error="empty")
    nothing = fm.align(empty, fm.parse(["(a / b)"], vocabulary=empty.vocabulary), metric="wwlk")
    assert nothing.flows == [] and nothing.distance == 1 and nothing.score == 0


@pytest.mark.parametrize("metric", ["wwlk", "softoverlap"])
def test_a_flow_has_no_more_pairs_than_a_table_holds(metric: str) -> None:
    star = "(a / b" + "".join(f" :A (n{k} / c)" for k in range(4000)) + ")"
    message = "align: a flow between 4,001 and 4,001 nodes is a table of 16,008,001 pairs"
    fails(fm.OptionError, message, fm.align, star, star, metric=metric)


def test_bounds_leave_out_graphs_whose_distances_would_take_too_much_memory(monkeypatch: pytest.MonkeyPatch) -> None:
    """Their rows have a bound that says nothing; those around them, and what is found, stay the same."""
    graphs = [f"(a / c{k} :x (b / d{k % 3}) :y (c / e))" for k in range(20)]
    large = "(a / b " + " ".join(f":x (v{k} / w{k})" for k in range(200)) + ")"
    corpus = fm.parse([*graphs[:7], large, *graphs[7:], large])
    metric = make("wwlk")
    space = metric.prepare(corpus)
    bounds, limited = np.empty((2, 22, 22), np.float32)
    metric.bounds(space, space).rows(0, 22, bounds)
    best = fm.top_k(corpus, corpus, k=3, metric="wwlk")
    assert np.isfinite(bounds).all()
    monkeypatch.setattr(row_bounds, "MOST_CELLS", 100 * len(np.unique(space.node_rows)))
    metric.bounds(space, space).rows(0, 22, limited)
    small = np.ones(22, bool)
    small[[7, 21]] = False
    assert (limited[small] == bounds[small]).all() and (limited[~small] > 1e6).all()
    found = fm.top_k(corpus, corpus, k=3, metric="wwlk")
    assert (found.scores == best.scores).all() and (found.indices == best.indices).all()
