"""Links between the nodes of two sentences, and what matches, against the definition."""

from functools import partial
from random import Random

import numpy as np
import pytest

from fastmatch._ext.umr.compare import compare_sentences
from fastmatch._ext.umr.sentences import Sentences
from fastmatch.graphs.vocabulary import Vocabulary
from fastmatch.umr.jumatch import STATISTICS, Compared, compare

from support.refusal import fails
from support.umr_sides import Node, Side, columns_of
from twins import jumatch as twin

ROLES = (":ARG0", ":ARG1", ":mod", ":op1")
CONCEPTS = ("cat", "dog", "name")
VARIABLES = (*"abcdefgh", "a1", "ab", "é")
#: Names in relations of the document level: variables of any sentence, or none.
NAMES = (*"abcdefgh", "a1", "author", "UNMAPPED")


def made(random: Random) -> Side:
    """Few concepts, tokens and roles, so that much is ambiguous; values that are variables, of this side or not."""
    choice, number = random.choice, random.randint
    variables = random.sample(VARIABLES, number(0, 8))
    values = [*variables, *variables, "a", "b", "x", "UNMAPPED", ""]
    nodes = {}
    for variable in variables:
        spans = tuple((first, first + number(0, 2)) for first in random.choices(range(1, 5), k=number(0, 2)))
        concept = choice(CONCEPTS)
        nodes[variable] = Node(
            variable,
            concept,
            choice([concept, concept, "", "name x"]),
            [(choice(ROLES), choice(values), random.random() < 0.7) for _ in range(number(0, 4))],
            spans,
            number(0, 3) if spans else 0,
        )
    relations = {(choice(NAMES), choice((":before", ":mod")), choice(NAMES)) for _ in range(number(0, 6))}
    return Side(["w"] * number(0, 5), nodes, relations, random.random() < 0.8)


def pairs_of(random: Random) -> list[tuple[Side, Side]]:
    return [(made(random), made(random)) for _ in range(random.randint(0, 4))]


def compared(pairs: list, ignored: set, document_level: bool = True, tool: bool = False, work=10**9) -> Compared:
    vocabulary = Vocabulary(["something else"])
    pred, gold = (columns_of([pair[k] for pair in pairs], vocabulary) for k in (0, 1))
    return compare(pred, gold, vocabulary, ignored.__contains__, document_level, tool, "x", work)


@pytest.mark.parametrize("tool", [False, True])
@pytest.mark.parametrize("document_level", [False, True])
def test_all_counts_are_those_of_the_definition(document_level: bool, tool: bool) -> None:
    random = Random(f"{document_level} {tool}")
    for _ in range(150):
        pairs = pairs_of(random)
        ignored = set(random.sample((":ARG0", ":mod", "concept"), random.randint(0, 2)))
        found = compared(pairs, ignored, document_level, tool)
        preds, golds = ([pair[side] for pair in pairs] for side in (0, 1))
        rows, partners, by_role = twin.compare(preds, golds, ignored.__contains__, document_level, tool)
        assert found.partners == partners
        assert [dict(zip(STATISTICS, row, strict=True)) for row in found.statistics.T.tolist()] == rows
        assert found.by_role == by_role and found.whole.all()


def greedily(pred: Side, gold: Side) -> dict[str, str]:
    """Links made one-to-one without a look at attributes: nodes of gold in the order of their best links."""
    sides = twin.of_side(gold), twin.of_side(pred)
    links = twin.first_links(sides, 2**31 - 1)[0]

    def key(i: int, j: int) -> tuple[bool, int, bool]:
        a, b = sides[0][i], sides[1][j]
        length = a.length * bool(a.tokens) + b.length * bool(b.tokens)
        return a.extended != b.extended, -length, a.variable != b.variable

    order = sorted(
        (key(i, j)[0], i) for i, found in enumerate(links) if found for j in [min(found, key=partial(key, i))]
    )
    partners: dict[int, int] = {}
    for _, i in order:
        free = sorted(links[i] - partners.keys())
        if free:
            partners[min(free, key=partial(key, i))] = i
    return {sides[1][j].variable: sides[0][i].variable for j, i in sorted(partners.items())}


def test_without_work_links_are_made_greedily() -> None:
    random = Random(7)
    cut = 0
    for _ in range(100):
        pairs = pairs_of(random)
        found = compared(pairs, set(), document_level=False, work=0)
        for (pred, gold), partners, whole in zip(pairs, found.partners, found.whole.tolist(), strict=True):
            if not whole:
                cut += 1
                assert partners == greedily(pred, gold)
        # whatever a limit of work cuts, partners are linked, one-to-one, and no two nodes without one could be partners
        for work in (1, 100, 300):
            found = compared(pairs, set(), document_level=False, work=work)
            for (pred, gold), partners in zip(pairs, found.partners, strict=True):
                sides = twin.of_side(gold), twin.of_side(pred)
                linked = {
                    (sides[1][j].variable, sides[0][i].variable)
                    for i, own in enumerate(twin.first_links(sides, 2**31 - 1)[0])
                    for j in own
                }
                assert partners.items() <= linked and len(set(partners.values())) == len(partners)
                assert all(one in partners or other in partners.values() for one, other in linked)
    assert cut > 60


def test_work_that_is_enough_changes_nothing() -> None:
    """A sentence of equal nodes: more work, then as much as it takes."""
    nodes = {name: Node(name, "cat", "cat", [(":mod", "a", True)], (), 0) for name in VARIABLES}
    pair = Side([], nodes, set(), True), Side([], {n: nodes[n] for n in VARIABLES[2:]}, set(), True)
    found = [compared([pair], set(), work=work) for work in (0, 100, 1000, 10**4, 10**5, 10**9)]
    whole = [bool(each.whole[0]) for each in found]
    assert (whole[0], whole[-2:]) == (False, [True, True]) and whole == sorted(whole)
    assert found[-1].partners == found[-2].partners
    assert [each.statistics[13:].tolist() for each in found] == [found[-1].statistics[13:].tolist()] * 6


def arrays(**changes: object) -> dict[str, np.ndarray]:
    """Two nodes, 0 and 1, of one sentence of concept 2; the first has the second as its 3."""
    given = {
        "node_start": np.array([0, 2], np.int64),
        "nodes": np.array([[0, 1], [2, 2], [2, 2], [1, 0]], np.int32),
        "attribute_start": np.array([0, 1, 1], np.int64),
        "attributes": np.array([[3], [1], [1]], np.int32),
        "span_start": np.array([0, 1, 1], np.int64),
        "spans": np.array([[1], [1]], np.int32),
        "token_start": np.array([0, 1], np.int64),
        "tokens": np.array([4], np.int32),
        "relation_start": np.array([0, 1], np.int64),
        "relations": np.array([[0], [3], [1]], np.int32),
        "whole": np.ones(1, np.uint8),
    }
    return {**given, **changes}


def run(pred: Sentences, gold: Sentences, **changes: object) -> tuple[int, list[int]]:
    given = {
        "text_start": np.arange(8),
        "text": np.frombuffer(b"abcdefg", np.uint8),
        "ignored": np.zeros(7, np.uint8),
        "concept": 5,
        "empty": 6,
        "unmapped": -1,
        "document_level": True,
        "tool": False,
        "limit": 100,
        "work": 10**6,
        "cancel": np.zeros(1, np.uint8),
        "statistics": np.zeros((1, 17), np.int64),
        "by_role": np.zeros((3, 7), np.int64),
        "partners_pred": np.zeros(2, np.int32),
        "partners_gold": np.zeros(2, np.int32),
        "whole": np.zeros(1, np.uint8),
        **changes,
    }
    return compare_sentences(pred, gold, *given.values()), given["statistics"].ravel()[:3].tolist()


def test_a_limit_of_links() -> None:
    nodes = Sentences(**arrays())
    assert run(nodes, nodes, limit=2) == (-1, [4, 4, 4]) and run(nodes, nodes, limit=1) == (0, [0, 0, 0])


def test_another_thread_can_stop_it() -> None:
    vocabulary = Vocabulary()
    many = columns_of([Side([], {f"v{k}": Node(f"v{k}", "cat", "cat") for k in range(100)})], vocabulary)
    (text, starts), n = vocabulary.export(), len(vocabulary)
    room = {"text_start": starts, "text": text, "limit": 10**6}
    room |= {"ignored": np.zeros(n, np.uint8), "by_role": np.zeros((3, n), np.int64)}
    room |= {f"partners_{side}": np.zeros(100, np.int32) for side in ("pred", "gold")}
    assert run(many, many, **room)[1][1] == 100
    assert run(many, many, **room, cancel=np.ones(1, np.uint8)) == (-1, [0, 0, 0])
    # all pairs of equal nodes are looked at before their number is known to be too large
    assert run(many, many, **{**room, "limit": 9}) == (0, [0, 0, 0])
    assert run(many, many, **{**room, "limit": 9}, cancel=np.ones(1, np.uint8)) == (-1, [0, 0, 0])


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"nodes": np.zeros((3, 2), np.int32)}, "expected 4 rows of nodes and 3 of attributes"),
        ({"attributes": np.zeros((4, 1), np.int32)}, "expected 4 rows of nodes and 3 of attributes"),
        ({"spans": np.ones((1, 1), np.int32)}, "expected 2 rows of spans and 3 of relations"),
        ({"relations": np.ones((2, 1), np.int32)}, "expected 2 rows of spans and 3 of relations"),
        ({"node_start": np.array([0, 3], np.int64)}, "node_start: the offsets do not divide"),
        ({"node_start": np.zeros(0, np.int64)}, "node_start: the offsets do not divide"),
        ({"attribute_start": np.array([0, 2, 1], np.int64)}, "attribute_start: offsets of node 1 decrease"),
        ({"span_start": np.array([1, 1, 1], np.int64)}, "span_start: the offsets do not divide 1 columns among 2"),
        ({"token_start": np.array([0, 0], np.int64)}, "token_start: the offsets do not divide"),
        ({"relation_start": np.array([0, 0], np.int64)}, "relation_start: the offsets do not divide 1 columns among"),
        ({"relations": np.array([[0], [-1], [1]], np.int32)}, "relations: a string has no id"),
        ({"nodes": np.full((4, 2), -1, np.int32)}, "nodes: a string has no id"),
        ({"spans": np.array([[0], [1]], np.int32)}, "spans must begin at 1 or later, ascend"),
        ({"spans": np.array([[2], [1]], np.int32)}, "spans must begin at 1 or later, ascend"),
        (
            {"spans": np.array([[1, 2], [1, 2]], np.int32), "span_start": np.array([0, 2, 2], np.int64)},
            "neither touch nor overlap",
        ),
    ],
)
def test_sentences_are_checked(changes: dict[str, np.ndarray], message: str) -> None:
    fails(ValueError, message, Sentences, **arrays(**changes))


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"statistics": np.zeros((1, 16), np.int64)}, "expected 1 sentences everywhere, and 17 columns"),
        ({"statistics": np.zeros((2, 17), np.int64)}, "expected 1 sentences everywhere, and 17 columns"),
        ({"partners_pred": np.zeros(3, np.int32)}, "expected a partner for each node"),
        ({"partners_gold": np.zeros(1, np.int32)}, "expected a partner for each node"),
        ({"ignored": np.zeros(3, np.uint8)}, "a string has an id that is too high"),
        ({"concept": 7}, "expected the ids of two or three strings"),
        ({"empty": -1}, "expected the ids of two or three strings"),
        ({"tool": True}, "expected the ids of two or three strings"),
        ({"text_start": np.arange(7)}, "text_start: the offsets do not divide"),
        ({"text_start": np.arange(8) + 1}, "text_start: the offsets do not divide"),
        ({"text_start": np.array([0, 1, 2, 3, 2, 5, 6, 7])}, "text_start: offsets of string 3 decrease"),
        ({"by_role": np.zeros((3, 6), np.int64)}, "expected 3 rows of 7 roles, and one entry in cancel"),
        ({"whole": np.zeros(2, np.uint8)}, "expected 2 sentences everywhere"),
        ({"cancel": np.zeros(2, np.uint8)}, "expected 3 rows of 7 roles, and one entry in cancel"),
    ],
)
def test_what_is_given_is_checked(changes: dict[str, object], message: str) -> None:
    nodes = Sentences(**arrays())
    fails(ValueError, message, run, nodes, nodes, **changes)


def test_sides_have_as_many_sentences() -> None:
    """Or none: then there is nothing to compare."""
    kept = {name: array[..., :0] for name, array in arrays().items()}
    starts = {name: np.zeros(1, np.int64) for name in kept if name.endswith("_start")}
    none, nothing = Sentences(**{**kept, **starts}), np.zeros(0, np.int32)
    fails(ValueError, "expected 1 sentences everywhere", run, none, Sentences(**arrays()))
    room = {"statistics": np.zeros((0, 17), np.int64), "partners_pred": nothing, "partners_gold": nothing}
    assert run(none, none, **room, whole=np.zeros(0, np.uint8)) == (-1, [])
