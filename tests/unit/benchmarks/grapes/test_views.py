"""Graphs as GrAPES sees them, and containment against its definition."""

from itertools import combinations

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

import fastmatch as fm
from fastmatch.benchmarks.grapes.judging import conjuncts
from fastmatch.benchmarks.grapes.views import View, Views, contains, equal, strip

from twins.containment import contains as twin


def view(text: str) -> View:
    return Views(fm.parse([text]))[0]


@st.composite
def views(draw: st.DrawFn) -> View:
    """Few labels and roles, with self-loops, repeated edges, and nodes of two labels; mostly connected."""
    n = draw(st.integers(1, 4))
    label = st.sampled_from(["a", "a-01", "a-02", "b"])
    instances: list[tuple[int, str | None]] = [(node, draw(label)) for node in range(n)]
    instances += draw(st.lists(st.tuples(st.integers(0, n - 1), label), max_size=1))
    role = st.sampled_from([":r", ":s"])
    edges = []
    for node in range(draw(st.sampled_from([1, 1, 2])), n):
        ends = draw(st.permutations([node, draw(st.integers(0, node - 1))]))
        edges.append((ends[0], draw(role), ends[1]))
    node = st.integers(0, n - 1)
    edges += draw(st.lists(st.tuples(node, role, node), max_size=3))
    attributes = draw(st.lists(st.tuples(node, role, st.sampled_from(['"x"', "x", "y", None])), max_size=2))
    return View(0, n, instances, attributes, edges)


@given(views(), views(), st.booleans(), st.booleans())
def test_containment(full: View, part: View, labels: bool, senses: bool):
    assert contains(full, part, labels=labels, senses=senses) == twin(full, part, labels=labels, senses=senses)


@given(views(), views(), st.booleans(), st.booleans())
def test_equality(one: View, another: View, labels: bool, senses: bool):
    for other in (another, View(one.top, one.n_nodes, one.instances, one.attributes, one.edges)):
        both = [twin(*pair, labels=labels, senses=senses) for pair in ((one, other), (other, one))]
        assert equal(one, other, labels=labels, senses=senses) == all(both) and (all(both) or other is another)


@given(views(), views())
def test_equal_graphs_have_equal_outlines(one: View, other: View):
    """But for those in which a node has two labels, and any may count."""
    if not one.has_second_labels and not other.has_second_labels and equal(one, other, labels=False, senses=False):
        assert one.outline == other.outline


@given(st.lists(views(), min_size=1, max_size=4), st.lists(views(), min_size=1, max_size=4))
def test_conjuncts(gold: list[View], pred: list[View]):
    """Those of a list are recalled if any predicted one is equal, whichever are compared."""

    def joined(parts: list[View]) -> View:
        instances, attributes, edges, n = [(0, "and")], [], [], 1
        for number, part in enumerate(parts):
            instances += [(n + node, label) for node, label in part.instances]
            attributes += [(n + node, role, value) for node, role, value in part.attributes]
            edges.append((0, f":op{number}", n))
            edges += [(n + source, role, n + target) for source, role, target in part.edges]
            n += part.n_nodes
        return View(0, n, instances, attributes, edges)

    its, mine = joined(gold), joined(pred)
    parts = [
        [
            whole.spanning(whole.edges[k][2], k)
            for k in range(len(whole.edges))
            if whole.edges[k][0] == 0 and whole.edges[k][1].startswith(":op")
        ]
        for whole in (its, mine)
    ]
    plain = sum(any(equal(one, other, labels=False, senses=False) for other in parts[1]) for one in parts[0])
    assert conjuncts(its, mine)[:3] == (plain, len(gold), len(pred))


@given(st.text(alphabet="a-09\n5\u0660", max_size=8))
@example("run-01")
@example("a\n-01")
def test_strip(label: str):
    """A pattern of the first line, and characters of the end."""
    line = label.split("\n")[0]
    assert strip(label) == (label[:-3] if any(f"-{number:02d}" in line for number in range(100)) else label)


def test_every_of_is_turned_around():
    """Under the default model, which the AMR model of the dialect is not."""
    assert view("(a / x :consist-of (b / y))").edges == [(1, ":consist", 0)]
    assert view("(a / x :prep-out-of (b / y) :ARG0-of b)").edges == [(1, ":prep-out", 0), (1, ":ARG0", 0)]
    assert view("(a / x :consist-of-of (b / y))").edges == [(1, ":consist-of", 0)]
    assert view("(a / x :consist-of y)").attributes == [(0, ":consist-of", "y")]


def test_spanning():
    """Leaving edges before entering ones, depth first; what closes a circle is lost, attributes stay."""
    made = view('(a / and :op1 (b / see :ARG0 (c / boy :mod "x")) :op2 (d / run :ARG0 c))')
    tree = made.spanning(1, 0)
    assert [label for _, label in sorted(tree.instances)] == ["see", "boy", "run", "and"]
    assert tree.edges == [(0, ":ARG0", 1), (2, ":ARG0", 1), (3, ":op2", 2)] and tree.attributes == [(1, ":mod", '"x"')]
    assert made.spanning(3, 2).n_nodes == 4
    assert view("(a / x :op1 (b / y) :op2 (c / z))").spanning(1, 0).n_nodes == 1


def test_deep_and_wide_graphs():
    """Neither recursion nor the number of equal siblings is a limit."""
    depth = 3000
    chain = view("(a0 / x" + "".join(f" :r (a{k} / x" for k in range(1, depth)) + ")" * depth)
    assert chain.spanning(0, -1).n_nodes == depth
    star = view("(a / x" + "".join(f" :r (b{k} / y)" for k in range(60)) + ")")
    assert equal(star, star, labels=True, senses=True)
    assert equal(star, view("(a / x :r (b / y))"), labels=True, senses=True)
    assert not equal(star, view("(a / x :r (b / z))"), labels=True, senses=True)


def both_ways(edges) -> View:
    """Of an undirected graph, all of whose labels are equal."""
    directed = [(a, ":r", b) for edge in edges for a, b in (edge, edge[::-1])]
    n_nodes = 1 + max(a for a, _, _ in directed)
    return View(0, n_nodes, [(node, "x") for node in range(n_nodes)], [], directed)


def test_a_search_that_is_needed_and_a_limit():
    """Colouring: a graph is mapped to a triangle if it has three colours; consistency alone cannot tell.

    Grötzsch's graph has no triangles, and yet three colours are too few.
    """
    hard = both_ways(
        [(k, (k + 1) % 5) for k in range(5)]
        + [(k, 5 + (k + step) % 5) for k in range(5) for step in (1, 4)]
        + [(10, 5 + k) for k in range(5)]
    )
    assert not contains(both_ways(combinations(range(3), 2)), hard, labels=False, senses=True)
    four = both_ways(combinations(range(4), 2))
    assert contains(four, hard, labels=False, senses=True)
    assert not contains(four, hard, labels=False, senses=True, most_trials=1)


@pytest.mark.parametrize("text", ["(a / x)", "(a / x :r (b / y :s (c / z)))"])
def test_an_empty_graph_is_contained_and_contains_nothing(text: str):
    nothing = Views(fm.parse(["junk"], on_error="empty"))[0]
    assert not contains(nothing, view(text), labels=False, senses=False)
    assert not equal(view(text), nothing, labels=False, senses=False)
