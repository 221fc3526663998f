"""``fastmatch.compat.smatch`` against the package smatch 1.0.4.

The package climbs hills. Its own weights (``compute_pool``) say what a map is worth, so its optimum is found here by
trying every map of small graphs.
"""

import io
from itertools import permutations
from typing import Any

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

import fastmatch as fm
from fastmatch.compat import amr, smatch

from support import hostile, published_smatch
from support.nightly import examples
from support.places import GOLD, PRED
from support.published_smatch import TEXTS, repeatable  # noqa: F401 - a fixture
from support.refusal import fails

STATE = (
    "iteration_num", "verbose", "veryVerbose", "single_score", "pr_flag", "solver", "seed", "effort", "announced",
    "ERROR_LOG", "DEBUG_LOG", "match_triple_dict",
)  # fmt: skip

MODULES = (smatch, amr, published_smatch.smatch, published_smatch.amr)

Triples = tuple[list[Any], list[Any], list[Any]]


@pytest.fixture(autouse=True)
def state():
    """The variables of the modules, the package's too, put back after each test.

    The package remembers how many triples a map of variables matched, but not of which graphs: its table is empty here.
    """
    kept = [(module, {name: getattr(module, name) for name in STATE if hasattr(module, name)}) for module in MODULES]
    smatch.solver, smatch.announced = "exact", True
    published_smatch.smatch.match_triple_dict = {}
    yield
    for module, variables in kept:
        vars(module).update(variables)


@pytest.fixture(scope="module")
def pairs() -> list[tuple[str, str]]:
    with PRED.open("r") as pred, GOLD.open("r") as gold:
        return list(smatch.generate_amr_lines(pred, gold))


def texts(pairs) -> tuple[str, str]:
    return "\n\n".join(pair[0] for pair in pairs), "\n\n".join(pair[1] for pair in pairs)


def best(first: Triples, second: Triples, **classes: bool) -> tuple[int, dict[Any, Any]]:
    """The most triples under any one-to-one map, by the weights of the package; and these weights."""
    _, weights = published_smatch.smatch.compute_pool(*first, *second, "a", "b", **classes)
    rows, columns = len(first[0]), len(second[0])
    images = [*range(columns), *[-1] * rows]
    return max(worth(mapping, weights) for mapping in set(permutations(images, rows))), weights


def scores_of(result: fm.CorpusScore) -> list[tuple[float, float, float]]:
    """Precision, recall and F1 of each pair, divided in the package's way: it rounds its last bit differently."""
    counts = zip(result.pairs.matched, result.pairs.n_pred, result.pairs.n_gold, strict=True)
    return [published_smatch.smatch.compute_f(*map(int, row)) for row in counts]


def score_of(result: fm.CorpusScore) -> tuple[float, float, float]:
    sums = (int(column.sum()) for column in (result.pairs.matched, result.pairs.n_pred, result.pairs.n_gold))
    return published_smatch.smatch.compute_f(*sums)


def worth(mapping, weights: dict[Any, Any]) -> int:
    published_smatch.smatch.match_triple_dict.clear()
    return published_smatch.smatch.compute_match(list(mapping), weights)


# ---- triples ---------------------------------------------------------------------------------------------------------

LABELS = st.sampled_from(["cat", "Cat", "cat_", "dog", "", "_"])


@st.composite
def graphs(draw: st.DrawFn, prefix: str) -> Triples:
    n = draw(st.integers(1, 3))
    node = st.integers(0, n - 1).map(lambda number: f"{prefix}{number}")
    instances = [("instance", f"{prefix}{k}", draw(LABELS)) for k in range(n)]
    attributes = draw(st.lists(st.tuples(LABELS, node, LABELS), max_size=5))
    return instances, attributes, draw(st.lists(st.tuples(LABELS, node, node), max_size=6))


@examples(60)
@given(graphs("a"), graphs("b"), st.tuples(st.booleans(), st.booleans(), st.booleans()))
def test_the_best_match_of_triples(first: Triples, second: Triples, wanted: tuple[bool, bool, bool]) -> None:
    classes = dict(zip(("doinstance", "doattribute", "dorelation"), wanted, strict=True))
    mapping, matched = smatch.get_best_match(*first, *second, "a", "b", **classes)
    most, weights = best(first, second, **classes)
    assert (type(matched), matched) == (int, most)
    assert len(mapping) == len(first[0]) and all(type(image) is int for image in mapping)
    partners = [image for image in mapping if image != -1]
    assert len(set(partners)) == len(partners) and set(partners) <= set(range(len(second[0])))
    assert worth(mapping, weights) == most


@given(graphs("a"), graphs("b"))
def test_the_climber_on_triples(first: Triples, second: Triples) -> None:
    most, weights = best(first, second)
    smatch.solver = "climb"
    mapping, matched = smatch.get_best_match(*first, *second, "a", "b")
    assert matched == worth(mapping, weights) <= most
    smatch.iteration_num = 0
    assert smatch.get_best_match(*first, *second, "a", "b") == ([-1] * len(first[0]), 0)


def test_names_of_nodes_are_looked_at_where_labels_are_equal() -> None:
    first = [("instance", "a0", "cat")], [("quant", "?", "5"), ("year", "a0", 5)], [("ARG0", "a0", "nowhere")]
    second = [("instance", "b0", "cat")], [("quant", "b0", "6")], [("ARG1", "b0", "b0")]
    assert smatch.get_best_match(*first, *second, "a", "b") == ([0], 1)
    assert published_smatch.smatch.get_best_match(*first, *second, "a", "b") == ([0], 1)
    second[2].append(("arg0", "b0", "b0"))
    for module in (smatch, published_smatch.smatch):
        fails(ValueError, "invalid literal", module.get_best_match, *first, *second, "a", "b")
    unknown = [("instance", "a7", "cat")], [], []
    message = "node 'a7': there are instances of 1 nodes only"
    fails(IndexError, message, smatch.get_best_match, *unknown, *second, "a", "b")


def test_no_triples_at_all() -> None:
    assert smatch.get_best_match([], [], [], [], [], [], "a", "b") == ([], 0)
    assert smatch.get_best_match([("instance", "a0", "x")], [], [], [], [], [], "a", "b") == ([-1], 0)


# ---- lines -----------------------------------------------------------------------------------------------------------


@examples(60)
@given(st.data())
def test_any_two_texts(data: st.DataObject) -> None:
    """The same triples are counted, and the same texts are refused, as the package counts and refuses."""
    texts = data.draw(TEXTS), data.draw(TEXTS)
    for module in MODULES:
        module.ERROR_LOG = io.StringIO()
    published_smatch.smatch.match_triple_dict.clear()
    try:
        expected = published_smatch.smatch.get_amr_match(*texts)
    except (AttributeError, ValueError) as error:
        fails(type(error), None, smatch.get_amr_match, *texts)
        return
    except (IndexError, KeyError):  # a name that stands there twice, of which the package dies
        assume(False)
    found = smatch.get_amr_match(*texts)
    assert found[1:] == expected[1:] and found[0] >= expected[0]


def test_the_optimum_is_above_the_climb(repeatable: Any) -> None:  # noqa: F811
    """A pair on which the package stays below the optimum, which is known: the graphs are isomorphic."""
    first, second = hostile.isomorphic(["x"] * 12, [((k - 1) // 2, ":r", k) for k in range(1, 12)], 5)
    repeatable.iteration_num = 1
    assert smatch.get_amr_match(first, second) == (24, 24, 24) and repeatable.get_amr_match(first, second)[0] < 24


def test_what_cannot_be_read(capsys: pytest.CaptureFixture[str]) -> None:
    log = io.StringIO()
    smatch.ERROR_LOG = amr.ERROR_LOG = log
    for text in ("(a / b))", "", "(a / 1/2)", None, 5):
        for pair in ((text, "(a / b)"), ("(a / b)", text)):
            for kind in (AttributeError, ValueError, fm.FastmatchError):  # what callers catch
                fails(kind, r"pair 7: the (first|second) text is no graph", smatch.get_amr_match, *pair, sent_num=7)
    assert "Unmatched parenthesis at position 7 in processing (a / b))" in log.getvalue()
    assert "Error in parsing amr 2: None" in log.getvalue()
    assert capsys.readouterr() == ("", "")


def test_texts_of_several_lines_are_read_as_the_package_reads_them(repeatable: Any) -> None:  # noqa: F811
    for pair in (("(a / b\n :c (d / e))", "(a / b :c (d / e))"), ("# (a / b)", "(a / b)"), ("(a / b\n)", "(a / b\n)")):
        expected = repeatable.get_amr_match(*pair)
        repeatable.match_triple_dict.clear()
        assert smatch.get_amr_match(*pair) == expected


# ---- files -----------------------------------------------------------------------------------------------------------


def test_files_and_lines_and_generators(pairs: list[tuple[str, str]]) -> None:
    pred, gold = texts(pairs)
    expected = fm.score(fm.parse(pred, dialect="smatch"), fm.parse(gold, dialect="smatch"), preset="smatch")
    score = score_of(expected)
    assert score == pytest.approx((expected.precision, expected.recall, expected.f1), abs=1e-15)
    forms = (
        lambda text: io.StringIO(text),
        lambda text: text.splitlines(),
        lambda text: text.splitlines(keepends=True),
        lambda text: (line for line in text.splitlines()),
        lambda text: tuple(text.splitlines()),
    )
    for form in forms:
        assert list(smatch.score_amr_pairs(form(pred), form(gold))) == [score]
    scores = smatch.score_amr_pairs("pred.amr", io.StringIO(gold))
    fails(TypeError, "expected an open file or lines of text, not str", next, scores)
    with PRED.open() as mine, GOLD.open() as theirs:
        assert next(smatch.score_amr_pairs(mine, theirs)) == score


@pytest.mark.parametrize("solver", ["exact", "climb"])
def test_scores_of_each_pair(pairs: list[tuple[str, str]], solver: str) -> None:
    """They add up to the score of all pairs, with the hill-climber, too, whose random numbers depend on the place."""
    smatch.solver = solver
    pred, gold = (fm.parse(text, dialect="smatch") for text in texts(pairs))
    expected = fm.score(pred, gold, preset="smatch", solver=solver)
    for single, scores in ((False, scores_of(expected)), (True, [score_of(expected)])):
        smatch.single_score = single
        assert list(smatch.score_amr_pairs(*map(io.StringIO, texts(pairs)))) == scores


def test_each_pair_is_scored_when_it_is_read() -> None:
    smatch.single_score = False
    read = []

    def lines():
        for text in ("(a / b)", "", "(c / d)", ""):
            read.append(text)
            yield text

    assert next(smatch.score_amr_pairs(lines(), ["(a / b)", "", "(c / d)"])) == (1.0, 1.0, 1.0)
    assert read == ["(a / b)", ""]


@pytest.mark.parametrize("counts", [(1, 2), (2, 1), (0, 0), (0, 1), (2, 2)])
def test_files_of_different_lengths(counts: tuple[int, int], repeatable: Any) -> None:  # noqa: F811
    found = []
    for module in (smatch, repeatable):
        module.ERROR_LOG = log = io.StringIO()
        files = (io.StringIO("(a / b)\n\n" * n) for n in counts)
        found.append((list(module.score_amr_pairs(*files)), log.getvalue()))
    assert found[0] == found[1]


def test_a_broken_graph_in_a_file() -> None:
    smatch.ERROR_LOG = amr.ERROR_LOG = io.StringIO()
    lines = ["(a / b)", "", "(a / b :c))", "", "(a / b)"]
    fails(smatch.UnreadableError, "pair 2: the second text", list, smatch.score_amr_pairs(["(a / b)", ""] * 3, lines))
    smatch.single_score = False
    scores = smatch.score_amr_pairs(["(a / b)", ""] * 3, lines)
    assert next(scores) == (1.0, 1.0, 1.0)
    fails(smatch.UnreadableError, "pair 2", next, scores)


@given(st.integers(0, 50), st.integers(0, 50), st.integers(0, 50))
def test_f1(matched: int, test: int, gold: int) -> None:
    assert smatch.compute_f(matched, test, gold) == published_smatch.smatch.compute_f(matched, test, gold)


def test_the_table_of_maps_may_be_cleared_and_replaced() -> None:
    expected = smatch.get_amr_match("(a / cat)", "(a / dog)")
    for table in (smatch.match_triple_dict, {(0,): 100}, {}):
        smatch.match_triple_dict = table
        assert smatch.get_amr_match("(a / cat)", "(a / dog)") == expected == (1, 2, 2)
        smatch.match_triple_dict.clear()


@pytest.mark.parametrize("name", ["verbose", "veryVerbose"])
def test_what_is_printed_of_a_pair(name: str, pairs: list[tuple[str, str]], repeatable: Any) -> None:  # noqa: F811
    setattr(smatch, name, True)
    smatch.DEBUG_LOG = mine = io.StringIO()
    assert len(list(smatch.score_amr_pairs(*(io.StringIO(text) for text in texts(pairs[:3]))))) == 1
    if name == "veryVerbose":
        assert mine.getvalue().count("Proven optimal: yes") == 3 and "F-score:" in mine.getvalue()
        return
    repeatable.DEBUG_LOG, repeatable.verbose = theirs, _ = io.StringIO(), True
    list(repeatable.score_amr_pairs(*(io.StringIO(text) for text in texts(pairs[:3]))))
    assert mine.getvalue() == theirs.getvalue()


def test_a_pair_that_stays_open_is_reported() -> None:
    first, second = hostile.FAMILIES["dense graphs of 10"](0)
    pair = fm.parse(first, dialect="smatch"), fm.parse(second, dialect="smatch")
    pairs = fm.score(*pair, preset="smatch", effort="low").pairs
    assert not pairs.certified[0]
    smatch.effort = "low"
    text = f"^a pair is not proven optimal: up to {pairs.upper[0] - pairs.matched[0]} more triples may match"
    with pytest.warns(fm.FastmatchWarning, match=text) as given:
        assert smatch.get_amr_match(first, second)[0] == pairs.matched[0]
    assert [warning.filename for warning in given] == [__file__]
    with pytest.warns(fm.FastmatchWarning, match="^2 pairs are not proven optimal"):
        next(smatch.score_amr_pairs([first, "", first], [second, "", second]))


def test_unknown_names() -> None:
    fails(AttributeError, r"smatch\.compute_pool: a step of the hill-climber", getattr, smatch, "compute_pool")
    fails(AttributeError, "no attribute 'scor_amr_pairs'", getattr, smatch, "scor_amr_pairs")
    assert not hasattr(smatch, "get_best_gain")


@pytest.mark.parametrize("wrong", [{"solver": "best"}, {"seed": -1}, {"effort": "most"}])
def test_wrong_options(wrong: dict[str, Any]) -> None:
    fails(fm.OptionError, next(iter(wrong)), smatch.configure, **wrong)
    assert (smatch.solver, smatch.seed, smatch.effort) == ("exact", 0, "default")
