"""AnCast on pairs that can be worked out by hand, its options, and what it says of bad ones."""

import random

import networkx as nx
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import fastmatch as fm
from fastmatch._ext.anchors.graphs import ancast_graphs
from fastmatch._ext.anchors.score import score_ancast
from fastmatch.metrics.base import make

from support.hostile import isomorphic
from support.memory import needs_peaks, taken
from support.readback import spelled
from support.refusal import fails
from support.strategies import pairs as spec_pairs
from support.strategies import specs
from twins.ancast import Side

TOOL = {"metric": "ancast", "preset": "tool"}


def one(pred: str, gold: str, **options: object) -> dict[str, float]:
    result = fm.score([pred], [gold], **{"metric": "ancast", **options})
    return {name: column[0] for name, column in result.pairs.scores.items()}


# ---------------------------------------------------------------- similarity of concepts


@pytest.mark.parametrize(
    ("pred", "gold", "similarity"),
    [
        ("(f / fry-03 :quant 5 :polarity -)", "(s / stir-fry-01 :quant 7 :polarity -)", 0.41875),  # (4) of the paper
        ("(a / cat)", "(b / cat)", 1),
        ("(a / cat)", "(b / Cat)", 1),
        ("(a / cat)", "(b / dog)", 0),
        ("(a / cat)", "(b / cats)", 3 / 4),
        ("(a / see-01)", "(b / see-02)", 0.9),
        ("(a / see-01)", "(b / see)", 0.9),
        ("(a / über-01)", "(b / üb-01)", 2 / 4),  # characters, not bytes
        ("(a / covid-19-01)", "(b / covid-19-02)", 0.9),
        ("(a / cat :quant 1)", "(b / cat :quant 2)", 1 / 2),
        ("(a / cat :quant 1)", "(b / cat :polarity -)", 1),
        ('(a / name :op1 "New" :op2 "York")', '(b / name :op1 "New" :op2 "Jersey")', (1 + 1 / 2) / 2),
        # several values of a role: the order does not matter, and a role is shared as often as both have it
        ("(a / cat :quant 1 :quant 2)", "(b / cat :quant 2 :quant 1)", 1),
        ("(a / cat :quant 1 :quant 2)", "(b / cat :quant 2 :quant 3)", (1 + 1 / 2) / 2),
        ("(a / cat :quant 1 :quant 2)", "(b / cat :quant 2)", 1),
        ("(a / cat :quant 1 :quant 1)", "(b / cat :quant 1 :quant 2)", 1),
    ],
)
def test_similarity(pred, gold, similarity):
    assert one(pred, gold)["concept_f"] == pytest.approx(similarity, abs=1e-15)


# ---------------------------------------------------------------- alignment


def test_many_twins_are_ordered_with_bounded_work():
    """Children of children of one node, all equal: 600 nodes that are singled out one after the other."""
    twins = [f"(a{k} / x :ARG0 (b{k} / y))" for k in range(600)]
    text, again = (f"(r / x {' '.join(f':ARG0 {twin}' for twin in some)})" for some in (twins, twins[::-1]))
    assert set(one(text, again).values()) == {1.0}


def test_the_walk_through_of_the_paper():
    """(5) of the paper: paper and book, i and i, he and she by their places; house and home at the very end."""
    pred = "(r1 / read-01 :location (h2 / house) :ARG0 (h / he) :ARG1 (b / book :poss (i / i)))"
    gold = "(r1 / read-03 :location (h2 / home) :ARG0 (s / she) :ARG1 (p / paper :part (i / i)))"
    sentence = "# ::snt She is reading my book in the house.\n"
    aligned = fm.align(sentence + pred, sentence + gold, metric="ancast")
    assert aligned.mapping == {"r1": "r1", "h2": "h2", "h": "s", "b": "p", "i": "i"}


@pytest.mark.parametrize(
    ("sentence", "paper", "tool"),
    [
        ("# ::snt Black AND whitening\n", 3, 3), ("# ::id 7 ::snt noir et blanc\n", 0, 0),
        ("# ::snt\tblack\n", 1, 1), ("# ::snt SCHWÄRZE black\n", 1, 1), ("", 3, 0),
    ],
)  # fmt: skip
def test_anchors_occur_in_the_sentence_and_nowhere_else(sentence, paper, tool):
    """The two cats never are anchors. The paper's rules ask for no sentence where there is none."""
    text = sentence + "(a / and :op1 (c / cat :mod (b / black)) :op2 (d / Cat-01 :mod (w / white)))"
    for preset, expected in ((None, paper), ("tool", tool)):
        metric = make("ancast", preset)
        assert metric.prepare(fm.parse([text], dialect=metric.dialect)).n_candidates.tolist() == [expected]


# ---------------------------------------------------------------- relations


PRED = "(w / want-01 :ARG0 (b / boy) :ARG1 (g / go-02 :ARG0 b))"
GOLD = "(w / want-01 :ARG0 (b / boy) :ARG2 (g / go-01 :ARG0 b))"


def test_relations():
    scores = one(PRED, GOLD)
    assert scores["concept_f"] == pytest.approx((1 + 1 + 0.9) / 3) and scores["lr_f"] == pytest.approx((1 + 0.95) / 3)
    assert scores["ulr_f"] == pytest.approx((1 + 0.95 + 0.95) / 3)
    # want reaches 2, go 1, boy 0: only want-go weighs more than 1
    assert scores["wlr_f"] == pytest.approx((1 + 0.95) / (1 + 1 + np.sqrt(2 * 1 + 1)))
    assert scores["mock_smatch_f"] == pytest.approx((2 + 2 + 1) / (3 + 3 + 1))
    assert one(PRED, GOLD, weight="outer")["wlr_f"] == pytest.approx((1 + 0.95) / (1 + 1 + np.sqrt(2 * 1) + 1))


# ---------------------------------------------------------------- neighbours


def aligned(options: dict[str, object], spans: str = "") -> dict[str, str]:
    """Cats under cats: places alone tell them apart, and only the root is an anchor."""
    pred = "(r / root :ARG0 (a / cat :ARG0 (b / cat)) :ARG1 (c / cat))"
    gold = "(r / root :ARG0 (x / cat) :ARG1 (y / cat :ARG1 (z / cat)))"
    return fm.align(spans + pred, spans + gold, metric="ancast", **options).mapping


def test_anchors_by_alignment():
    spans = "# ::alignment a: 2-2 x: 2-2 b: 3-4 z: 3-4 c: 0-0 y: 0-0 r: 5-4\n"
    pred = fm.parse(spans + "(r / root :ARG0 (a / cat :ARG0 (b / cat)) :ARG1 (c / cat))")
    nodes = make("ancast", anchors="alignment").prepare(pred).arrays[2]
    assert sorted(nodes[[0, 8, 9]].T.tolist()) == [[0, 5, 4], [1, 2, 2], [2, 3, 4], [3, 0, 0]]
    assert aligned({"anchors": "alignment"}, spans)["b"] == "z"
    assert aligned({"anchors": "alignment"}, spans) != aligned({"anchors": "alignment"})


def test_tables_fit_the_corpus():
    corpus = fm.parse([PRED])
    fold, spans = corpus.vocabulary.fold(1), np.zeros((2, 4), np.int32)
    short = fold[: corpus.columns.n_labels - 1]
    more = fm.parse(["(c / c)"], vocabulary=fm.Vocabulary([":r", "c"]))
    more = more.with_columns(variable_names=np.array([7], np.int32), vocabulary=fm.Vocabulary([":r", "c", *"abcdef"]))
    names = more.vocabulary.fold(1)[:7]
    for of, tables, message in (
        (corpus, (fold, fold, spans), "spans must have two rows, and a column a variable"),
        (corpus, (fold, fold[:-1]), "lower and value must have one entry a label"),
        (corpus, (short, short), r"a table of [0-9]+ labels is too short"),
        (more, (names, names), "a table of 7 labels lacks the name 7 of a variable"),
    ):
        how = {"tool": False, "ops": False, "assume": True, "hops": False}
        fails(ValueError, message, ancast_graphs, of.columns, of.vocabulary.interner, *tables, **how)


# ---------------------------------------------------------------- the package's way


def test_slips_of_the_package():
    """Concept recall is precision, and a gold variable's name reaches into the prediction."""
    scores = one("# ::snt the boy\n" + PRED, "# ::snt the boy\n(b / boy)", **TOOL)
    assert scores["concept_p"] == scores["concept_r"] == scores["concept_f"] == pytest.approx(1 / 3)
    renamed = GOLD.replace("(w", "(x").replace("(b", "(y").replace("(g", "(z").replace(" b)", " y)")
    pred, gold, other = (f"# ::snt the boy wants to go\n{text}" for text in (PRED, GOLD, renamed))
    assert one(pred, gold, **TOOL)["wlr_f"] != one(pred, other, **TOOL)["wlr_f"]
    assert one(pred, gold)["wlr_f"] == one(pred, other)["wlr_f"]


def test_text_is_read_as_the_package_reads_it():
    corpus = fm.parse(
        "# ::snt x\n(a / x :mode interrogative :quant 1,000 :li 2 :ARG0 (b / y-01) :ARG1-of b)", dialect="ancast"
    )
    assert spelled(corpus[0].triples) == "a :instance x; a :li 2; b :instance y-01; a :ARG0 b; b :ARG1 a"


# ---------------------------------------------------------------- whole corpora


def test_identical_siblings_are_one_class():
    """The package takes half a minute for 400 of them."""
    corpus = fm.parse(["(r / root" + "".join(f" :ARG0 (v{k} / leaf)" for k in range(400)) + ")"])
    assert make("ancast").prepare(corpus).n_classes.tolist() == [2]
    result = fm.score(corpus, corpus, metric="ancast", mapping=True)
    assert result.pairs.mapping_of(0).tolist() == list(range(401)) and result.score == 1


# ---------------------------------------------------------------- options and errors


def test_numbers_out_of_range():
    wrongs = {"alpha": (-1, np.nan), "beta": ("x",), "neighbours": (-0.5, 101), "sense": (1.5, True)}
    for option, value in ((option, value) for option, values in wrongs.items() for value in values):
        fails(fm.OptionError, rf"{option}=.*: expected a number( from 0 to|$)", make, "ancast", **{option: value})


def chain(concepts):
    """Each node has the next one as its only child: values spread by two nodes a step."""
    return " :ARG0 ".join(f"(v{i} / {concept}" for i, concept in enumerate(concepts)) + ")" * len(concepts)


def test_the_work_of_a_pair_is_limited():
    text, other = chain(["c"] * 260), chain(["c"] * 259 + ["d"])
    scores = [fm.score([text], [other], metric="ancast", effort=effort) for effort in ("low", "default", "high")]
    assert [(score.pairs.settled.item(), score.certified) for score in scores] == [(False, False)] * 2 + [(True, True)]
    assert not scores[0].pairs.columns()["settled"].item()
    assert "\ncut short by a limit of work: 1 of 1 pair\n" in scores[0].report().to("text")


FREE = {"free_steps": 100, "free_rounds": 20}


@pytest.mark.parametrize("limits", [{"iterations": 2}, {"rounds": 1}, {"work": 0}, {}, {"work": 0, **FREE}], ids=str)
def test_every_limit_is_reported(limits):
    """Three nodes of one name: a first round finds anchors, a second one would find others."""
    settled = not limits or "free_steps" in limits
    prepared = make("ancast").prepare(fm.parse([chain(["a", "c", "c", last]) for last in ("c", "c-01")]))
    assert call(prepared, np.zeros((18, 1)), **{"iterations": 500, "rounds": 20, **limits}) == settled


EQUALS = {
    "chain": (400, [(v, v + 1) for v in range(399)]),
    "star": (200, [(0, v) for v in range(1, 200)]),
    "cycle": (150, [(v, (v + 1) % 150) for v in range(150)]),
    "binary tree": (255, [((v - 1) // 2, v) for v in range(1, 255)]),
    "caterpillar": (200, [(v - 2 + v % 2 if v > 1 else 0, v) for v in range(1, 200)]),
}


def written(shape, seed):
    """The graph of this shape and equal concepts, its variables and branches in a random order."""
    n, edges = EQUALS[shape]
    return isomorphic(["c"] * n, [(source, " :A ", target) for source, target in edges], seed)[1]


@pytest.mark.parametrize("effort", ["minimal", "low", "default", "high", "proof"])
@pytest.mark.parametrize("shape", EQUALS)
def test_equal_graphs_of_equal_concepts_are_equal_under_every_effort(shape, effort):
    """A broadcast that a limit ended used to exchange neighbours in chains of 400: 0.9925 by default, 1 with less."""
    one, two = (written(shape, seed) for seed in (1, 2))
    result = fm.score([one], [two], metric="ancast", effort=effort)
    assert result.pairs.scores.keys() >= {"lr_f", "concept_f", "ulr_f", "wlr_f", "mock_smatch_f"}
    assert {name: value[0] for name, value in result.pairs.scores.items() if value[0] != 1} == {} and result.certified


def test_equal_graphs_with_other_alignments_are_not_matched_node_by_node():
    graph = "(a / and :op1 (b / c) :op2 (d / c))"
    one, two = "# ::alignment b: 1-1 d: 2-2\n" + graph, "# ::alignment b: 2-2 d: 1-1\n" + graph
    assert fm.score([one], [one], metric="ancast", anchors="alignment").score == 1
    assert fm.score([one], [two], metric="ancast", anchors="alignment").score == 0


@pytest.mark.parametrize("preset", [None, "tool"])
@pytest.mark.parametrize("shape", EQUALS)
def test_without_tables_copies_are_found_by_colours(shape, preset):
    texts = [f"# ::snt c\n{written(shape, seed)}\n" for seed in (1, 2)]
    texts[1] = texts[1].replace("/c", "/d", 3) if preset is None else texts[1]
    metric = make("ancast", preset)
    prepared = metric.prepare(fm.parse("\n".join(texts), dialect=metric.dialect))
    out = np.zeros((18, 1))
    assert not call(prepared, out, memory=0, tool=preset == "tool")
    pred, gold = out[:9, 0], out[9:, 0]
    n = EQUALS[shape][0]
    assert pred[1] == gold[1] == n and pred[0] == (n if preset else n - 3)
    # the first three concepts differ, and so does what the relations at them are worth
    assert pred[2] == pytest.approx(gold[2]) and pred[3] == pytest.approx(pred[2])
    if preset:
        assert pred[2] == pred[4] == len(EQUALS[shape][1])
    elif shape in ("chain", "star", "binary tree"):
        assert pred[8] - pred[7] == 3


def test_without_tables_values_and_roles_tell_equal_concepts_apart():
    def star(seed, roles):
        leaves = [f":{roles[v % 3]} (v{v} / c :quant {v})" for v in range(60)]
        return f"# ::snt c\n(r / c {' '.join(random.Random(seed).sample(leaves, 60))})\n"

    metric = make("ancast")
    for roles, labelled in (("BCD", 120), ("ACE", 80)):  # all relations and values; without those of two roles in three
        prepared = metric.prepare(fm.parse([star(1, "BCD"), star(2, roles)], dialect=metric.dialect))
        out = np.zeros((18, 1))
        call(prepared, out, memory=0)
        pred, gold = out[:9, 0].tolist(), out[9:, 0].tolist()
        assert pred == gold and pred[:5] == [61, 61, labelled, 120, 120]


def test_a_pair_too_large_for_tables_is_matched_by_colours_and_says_so():
    n = 6000
    one, two = chain(["c"] * n), chain(["c"] * 3000 + ["d"] + ["c"] * (n - 3001))
    result = fm.score([one], [two], metric="ancast")
    assert result.pairs.settled.tolist() == [False] and result.pairs.mock_smatch_f[0] == pytest.approx(1 - 1 / (2 * n))
    aligned = fm.align(one, two, metric="ancast")
    assert aligned.mapping == {f"v{k}": f"v{k}" for k in range(n)} and not aligned.certified


def test_sentences_settle_under_every_effort():
    metrics = [fm.score([PRED], [GOLD], metric="ancast", effort=effort) for effort in ("low", "default", "proof")]
    assert all(score.pairs.settled.all() and score.certified for score in metrics)
    assert len({tuple(score.pairs.statistics.ravel()) for score in metrics}) == 1
    assert [score.signature.fields.get("effort") for score in metrics] == ["low", None, "proof"]


def test_the_limits_of_the_tool_are_its_rules():
    """50 steps in each of five rounds, whatever the graph: nothing is cut from what the tool would do."""
    text = chain(["c"] * 400)
    scores = [fm.score([text], [text], **TOOL, effort=effort) for effort in ("default", "proof")]
    assert all(score.pairs.settled.all() for score in scores)
    assert np.array_equal(scores[0].pairs.statistics, scores[1].pairs.statistics)
    assert not fm.score([text], [text], **TOOL, effort="low").certified


@pytest.mark.slow
@needs_peaks
def test_a_large_pair_takes_few_matrices():
    """Likeness, X twice, and B, whose place F takes; there were six matrices and a half."""
    n = 1000
    one = "".join(f"(v{k} / c{k} :ARG{k % 3} " for k in range(n)) + "(z / end)" + ")" * n
    assert taken("ancast", "one, one.replace('end', 'ends')", f"one = {one!r}") < 4.6 * 8 * n**2


def test_work_is_counted_alike_for_any_number_of_threads():
    texts = [chain(["c"] * n) for n in (90, 60, 40, 80)]
    others = [chain(["c"] * (n - 1) + ["d"]) for n in (90, 60, 40, 80)]
    one, two = (fm.score(texts, others, metric="ancast", effort="low", workers=workers) for workers in (1, 2))
    assert one.pairs.settled.tolist() == two.pairs.settled.tolist() == [False, True, True, False]
    assert np.array_equal(one.pairs.statistics, two.pairs.statistics)


def call(prepared, out, graph=0, **options):
    """Whether the kernel settles this graph against the second one, if there is one."""
    defaults = dict.fromkeys(("intrinsic", "inner_weight", "overlap", "top", "alignment", "hops", "tool"), False)
    numbers = {"alpha": 0.2, "beta": 0.01, "gamma": 0.1, "neighbours": 1.0, "tolerance": 1e-4, "relative": 0.0}
    limits = {"iterations": 50, "rounds": 5, "work": 10**9, "free_steps": 0, "free_rounds": 0}
    limits |= {"ceiling": 10**9, "memory": 10**9}
    index, settled = np.array([graph], np.int32), np.zeros(1, np.uint8)
    pair = index, index + (len(prepared) > 1), 0, 1, np.zeros(1, np.uint8)
    score_ancast(prepared, prepared, pair, out=out, settled=settled, **{**defaults, **numbers, **limits, **options})
    return settled.item()


def test_the_kernel_checks_what_it_is_given():
    prepared = make("ancast").prepare(fm.parse([PRED]))
    room = {"mapping_offsets": np.array([0, 2]), "mapping": np.zeros(2, np.int32)}
    for graph, rows, options, message in (
        (1, 18, {}, "pair 0 is of graphs 1 and 1, of 1 and 1"),
        (0, 17, {}, "18 rows"),
        (0, 18, {"tool": True}, "not prepared for the tool"),
        (0, 18, {"rounds": 0}, "at least 1"),
        (0, 18, room, "no room for its 3 variables"),
    ):
        fails((IndexError, ValueError), message, call, prepared, np.zeros((rows, 1)), graph, **options)


# ---------------------------------------------------------------- blocks that a # cuts


def test_a_graph_cut_off_keeps_its_place(tmp_path):
    """A block with a # inside its graph once vanished, so that the graphs behind it were paired with wrong ones."""
    (tmp_path / "pred.amr").write_text('(a / b :wiki "X#Y")\n\n(c / d)\n')
    (tmp_path / "gold.amr").write_text('(a / b)\n\n(c / d :wiki "X#Y")\n')
    paths = tmp_path / "pred.amr", tmp_path / "gold.amr"
    fails(fm.ReadError, r"pred\.amr:1:16: .*this '#' cuts the graph off", fm.score, *paths, **TOOL)
    result = fm.score(*paths, **TOOL, on_error="empty")
    assert [problem[:2] for problem in result.problems] == [("pred", 0), ("gold", 1)]
    assert result.pairs.scores["concept_f"].tolist() == [0, 0]
    assert fm.score(*paths, metric="ancast").pairs.scores["concept_f"].tolist() == [1, 1]


def test_a_comment_behind_a_graph_cuts_it_off():
    text = "# ::id 7\n(a / b)\n# ::note x\n\n# header\n\n(c / d)"
    fails(fm.ReadError, r":3:1: ", fm.parse, text, dialect="ancast")
    corpus = fm.parse(text, dialect="ancast", on_error="empty")
    assert [len(graph.triples) for graph in corpus] == [0, 1] and corpus[0].metadata == {"id": "7"}


def test_what_a_hash_leaves_only_if_asked():
    text = '(a / b\n :wiki "X#Y"\n :ARG0 (c / d))'
    fails(fm.ReadError, "cuts the graph off", fm.parse, text, dialect="ancast")
    corpora = [fm.parse(text, dialect="ancast-cut") for text in (text, "(c / d)")]
    assert corpora[0][0].triples == [("c", ":instance", "d")]
    result = fm.score(*corpora, **TOOL)
    assert result.score == 1 and "read:ancast-cut" in str(result.signature)


@given(spec_pairs(), st.sampled_from(["", "cat and dog", "want"]))
def test_first_anchors_are_those_of_the_definition(pair, sentence):
    comment = f"# ::snt {sentence}\n" if sentence else ""
    pred, gold = fm.Corpus.together([fm.parse([comment + spec.text()]) for spec in pair])
    sides = [Side(corpus[0]) for corpus in (pred, gold)]
    mine, its = ({side.anchor_name(i): i for i in range(len(side.nodes))} for side in sides)
    wanted = {(mine[name], its[name]) for name in mine.keys() & its.keys() if name is not None}
    found = make("ancast").first_anchors(pred, gold, 0, 0)
    assert set(found) == wanted and len(found) == len(wanted)


@given(spec=specs(max_size=14))
def test_what_nodes_reach_is_counted_through_chains_and_circles(spec):
    arrays = make("ancast").prepare(fm.parse(spec.text())).arrays
    nodes, relations = arrays[2], arrays[20][:2]
    graph = nx.DiGraph(relations[:, (relations >= 0).all(axis=0)].T.tolist())  # constants have numbers below 0
    graph.add_nodes_from(range(nodes.shape[1]))
    reached = nx.transitive_closure(graph, reflexive=False)
    assert nodes[10].tolist() == [reached.out_degree(node) for node in range(nodes.shape[1])]
