"""Rows of scores from inverted indexes, against one pair at a time."""

from itertools import product

import numpy as np
import pytest

from fastmatch._ext.index.bleu import BleuScorer, bleu_scores
from fastmatch._ext.index.formulas import RatioScorer
from fastmatch._ext.index.rows import best_rows, find_rows, score_rows
from fastmatch._ext.index.slots import RowScorer

from support.feature_lists import NO, index, lists
from support.nightly import by_day
from twins.everything import best, overlap, similarity

FORMULAS = ["jaccard", "dice", "cosine", "dot"]


def rows_of(parts, scorer, *layout):
    """A RowScorer of lists (kind, rows' features, columns' features); whether by size, and graphs of a tile."""
    indexes, given_lists = [], []
    for kind, mine, theirs in parts:
        given = lists(kind, mine)
        indexes.append(index(lists(kind, theirs)))
        given_lists.append((given.offsets, indexes[-1].translate(given.keys), given.values))
    return RowScorer(tuple(indexes), tuple(given_lists), scorer, *layout)


def check_chosen(rows, matrix, cutoff, k):
    """What reaches a cutoff, and the best k of each row, are those of the matrix of all scores."""
    n = len(matrix)
    found = find_rows(rows, 0, n, cutoff=cutoff, cancel=NO)
    i, j = np.nonzero(np.where(matrix >= cutoff, matrix, 0))
    assert [column.tolist() for column in found] == [i.tolist(), j.tolist(), matrix[i, j].tolist()]
    indices, scores = np.empty((n, k), np.int32), np.empty((n, k))
    best_rows(rows, 0, n, cutoff=cutoff, skip_self=False, indices=indices, values=scores, cancel=NO)
    assert [[place for place in row if place >= 0] for row in indices.tolist()] == best(matrix, k, cutoff)
    assert scores.tolist() == np.where(indices >= 0, np.take_along_axis(matrix, indices, 1), 0).tolist()


def test_products_beside_bags_that_repeat_a_feature():
    """Each occurrence of a feature in a bag has a posting of its own, also where products stand beside."""
    parts = [("bag", [{1: 3, 2: 4}] * 3, [{1: 4, 0: 4}, {2: 2}]), ("dot", [{3: 1, 2: 2}] * 3, [{3: 1}] * 2)]
    scorer = RatioScorer("dot", np.ones(2), np.full(3, 12.0), np.array([9.0, 3.0]))
    for order, tile in ((False, 8192), (True, 1)):
        out = np.empty((3, 2))
        score_rows(rows_of(parts, scorer, False, tile), 0, 3, out, cancel=NO)
        assert out.tolist() == [[4.0, 3.0]] * 3
        indices, values = np.empty((3, 2), np.int32), np.empty((3, 2))
        given = {"cutoff": 0.0, "skip_self": False, "indices": indices, "values": values}
        best_rows(rows_of(parts, scorer, order, tile), 0, 3, **given, cancel=NO)
        assert (indices.tolist(), values.tolist()) == ([[0, 1]] * 3, [[4.0, 3.0]] * 3)


@pytest.mark.parametrize(
    ("formula", "kind"),
    [("jaccard", "set"), ("jaccard", "bag"), ("dice", "bag"), ("cosine", "dot"), ("cosine", "bag"), ("dot", "dot")],
)
@pytest.mark.parametrize("values", ["few", "to 300", "to 70,000", "fractions"])
@pytest.mark.parametrize("weights", [[1.0], [1.0, 1.0], [1.0, 1 / 9]])
def test_many_graphs(formula, kind, values, weights):
    """Features that most graphs have and others, in sums of every type, over the borders of blocks and tiles."""
    rng = np.random.default_rng([FORMULAS.index(formula), len(values), len(weights)])
    drawn = {
        "few": lambda n: rng.integers(1, 3, n),
        "to 300": lambda n: np.where(rng.random(n) < 0.05, rng.integers(1, 300, n), 1),
        "to 70,000": lambda n: np.where(rng.random(n) < 0.01, rng.integers(1, 70_000, n), 1),
        "fractions": lambda n: rng.integers(1, 9, n) / 8 * 1.1,
    }[values]

    def side(n):
        graphs = []
        for _ in range(n):
            chosen = np.flatnonzero(rng.random(60) < 0.9 / np.arange(1, 61)) if rng.random() < 0.95 else np.arange(0)
            given = np.ones(len(chosen)) if kind == "set" else drawn(len(chosen)).astype(float)
            graphs.append(dict(zip(chosen.tolist(), given.tolist(), strict=True)))
        return graphs

    parts = [(kind, side(9), side(100)) for _ in weights]
    sides = [list(zip(*(part[place] for part in parts), strict=True)) for place in (1, 2)]

    def shared(x, y):
        return sum((w * overlap(kind, a, b) for w, a, b in zip(weights, x, y, strict=True)), 0.0)

    sizes = [np.array([shared(graph, graph) for graph in graphs]) for graphs in sides]
    totals = [[shared(x, y) for y in sides[1]] for x in sides[0]]
    matrix = np.array(
        [
            [s if formula == "dot" else similarity(formula, s, a, b) for s, b in zip(row, sizes[1], strict=True)]
            for row, a in zip(totals, sizes[0], strict=True)
        ]
    )
    scorer = RatioScorer(formula, np.array(weights), *sizes)
    for tile in (70, 8192):
        rows = rows_of(parts, scorer, False, tile)
        for kind, streams in ((np.float64, False), (np.float32, False), (np.float32, True)):
            out = np.empty(matrix.shape, kind)
            score_rows(rows, 0, 9, out, streams=streams, cancel=NO)
            assert out.tolist() == matrix.astype(out.dtype).tolist()
        rows = rows_of(parts, scorer, True, tile)
        for cutoff, k in product((0.0, float(np.median(matrix[matrix > 0]))), (5, 160)):
            check_chosen(rows, matrix, cutoff, k)


def bleu_of_all(parts, direction, options):
    """A scorer of these lists, one an order, and its scores pair by pair."""
    n_mine, n_theirs = (len(parts[0][side]) for side in (1, 2))
    totals = [
        np.array([[sum(graph.values()) for graph in part[side]] for part in parts], float).reshape(len(parts), -1)
        for side in (1, 2)
    ]
    sizes = [total.sum(axis=0) for total in totals]
    i, j = (places.ravel() for places in np.indices((n_mine, n_theirs)))
    matches = np.array(
        [[overlap("bag", part[1][a], part[2][b]) for a, b in zip(i, j, strict=True)] for part in parts], float
    ).reshape(len(parts), -1)
    there = bleu_scores(matches, totals[0][:, i].copy(), sizes[0][i], sizes[1][j], **options)
    back = bleu_scores(matches, totals[1][:, j].copy(), sizes[1][j], sizes[0][i], **options)
    matrix = {"pred-gold": there, "gold-pred": back, "mean": (there + back) / 2}[direction]
    return BleuScorer(*totals, *sizes, direction=direction, **options), matrix.reshape(n_mine, n_theirs)


@pytest.mark.parametrize(
    ("direction", "n_orders", "large"), by_day([*product(["pred-gold", "mean"], [1, 3, 4, 25], [False, True])], 3)
)
def test_bleu_of_many_graphs(direction, n_orders, large):
    """More sizes, larger sums and more orders than keys of known scores have room for, and graphs alike one another."""
    rng = np.random.default_rng([n_orders, large])
    n_kinds = [int(rng.integers(2, 9)) if g < 200 else g for g in range(500)]

    def graph(n, order):
        # sums of an order up to n: a few features, of which all graphs have some
        counts = rng.multinomial(max(1, n // (order + 1)), [0.4, 0.3, 0.2, 0.1])
        return {feature: float(count) for feature, count in enumerate(counts.tolist()) if count}

    mine = [2, 3, 5, 5, 5, 8, 100, 300] if large else [2, 3, 5, 5, 5, 8, 12]
    parts = [("bag", [graph(n, o) for n in mine], [graph(n, o) for n in n_kinds]) for o in range(n_orders)]
    options = {"weights": np.full(n_orders, 1 / n_orders), "smoothing": "nist", "brevity": True}
    scorer, matrix = bleu_of_all(parts, direction, options)
    for kind in (np.float32, np.float64):
        out = np.empty(matrix.shape, kind)
        score_rows(rows_of(parts, scorer, False, 130), 0, len(mine), out, cancel=NO)
        assert out.tolist() == matrix.astype(kind).tolist()
    for cutoff in (0.0, float(np.quantile(matrix, 0.9))):
        check_chosen(rows_of(parts, scorer, True, 130), matrix, cutoff, 7)


def small():
    """Three rows, two columns."""
    parts = [("set", [{1: 1.0}, {1: 1.0, 2: 1.0}, {}], [{1: 1.0}, {2: 1.0}])]
    return parts, RatioScorer("jaccard", np.ones(1), np.array([1.0, 2.0, 0.0]), np.ones(2))


def test_cancelled_before_it_began():
    rows, stop = rows_of(*small()), np.ones(1, np.uint8)
    out = np.full((3, 2), 7.0)
    score_rows(rows, 0, 3, out, cancel=stop)
    assert (out == 7).all()
    assert [len(column) for column in find_rows(rows, 0, 3, cutoff=0, cancel=stop)] == [0, 0, 0]


BLEU = {"weights": np.ones(1), "smoothing": "nist", "brevity": True}
# fmt: off
WRONG = {
    "rows 0 to 4": lambda rows, *_: score_rows(rows, 0, 4, np.empty((4, 2)), cancel=NO),
    "columns from 3": lambda rows, *_: score_rows(rows, 0, 3, np.empty((3, 2)), first=3, cancel=NO),
    "as they are, not by size":
        lambda _, *given: score_rows(rows_of(*given, True), 0, 3, np.empty((3, 2)), cancel=NO),
    "tiles of 0 graphs": lambda _, *given: rows_of(*given, False, 0),
    "out must have one row a graph": lambda rows, *_: score_rows(rows, 0, 3, np.empty((3, 3)), cancel=NO),
    "Buffer dtype mismatch": lambda rows, *_: score_rows(rows, 0, 3, np.empty((3, 2), np.int64), cancel=NO),
    "cancel must have one entry": lambda rows, *_: find_rows(rows, 0, 3, cutoff=0, cancel=NO[:0]),
    "the same shape": lambda rows, *_: best_rows(
        rows, 0, 3, cutoff=0, skip_self=False, indices=np.empty((3, 2), np.int32), values=np.empty((3, 1)), cancel=NO
    ),
    "2 indexes and 2 lists for 1 overlaps": lambda _, parts, scorer: rows_of(parts * 2, scorer),
    "lists of 2 and an index of 2 graphs":
        lambda _, parts, scorer: rows_of([("set", parts[0][1][:2], parts[0][2])], scorer),
    "a value of list 0 is not above 0":
        lambda _, parts, scorer: rows_of([("set", [{1: 0.0}, {}, {}], parts[0][2])], scorer),
    "takes sets and bags, not products": lambda _, parts, scorer: rows_of([("dot", *parts[0][1:])], scorer),
    "formula 'max' of 1 overlaps": lambda *_: RatioScorer("max", np.ones(1), np.ones(1), np.ones(1)),
    "direction 'up'": lambda *_: BleuScorer(*[np.ones((1, 1))] * 2, *[np.ones(1)] * 2, direction="up", **BLEU),
    "one row an order": lambda *_: bleu_scores(np.ones((1, 2)), np.ones((1, 3)), np.ones(2), np.ones(2), **BLEU),
}
# fmt: on


@pytest.mark.parametrize("message", WRONG)
def test_arguments_that_do_not_fit(message):
    given = small()
    with pytest.raises((IndexError, ValueError), match=message):
        WRONG[message](rows_of(*given), *given)
