"""Kernels check once that arrays fit together; what does not is refused, and nothing outside an array is read."""

import numpy as np
import pytest

import fastmatch as fm
from fastmatch._ext.features.concept_triples import ConceptTriples
from fastmatch._ext.features.motifs import motif_sets
from fastmatch._ext.features.neighbourhoods import label_bags
from fastmatch._ext.features.ngrams import ngram_bags
from fastmatch._ext.features.sets import FeatureSets
from fastmatch._ext.graphs.reification import dereify
from fastmatch._ext.index.bleu import BleuScorer
from fastmatch._ext.index.lists import best_of_rows, feature_index
from fastmatch._ext.matching.compression import compress_pairs
from fastmatch._ext.matching.exclusion import reaching
from fastmatch._ext.matching.partial import SoftFeatures
from fastmatch._ext.matching.problem import build_problem
from fastmatch._ext.overlap.labels import describe
from fastmatch._ext.overlap.score import label_table
from fastmatch._ext.overlap.score import score_pairs as overlap_pairs
from fastmatch._ext.overlap.space import SoftSpace
from fastmatch._ext.reading.interner import Interner
from fastmatch._ext.transport.contexts import NodeSpace
from fastmatch._ext.transport.labels import label_vectors
from fastmatch._ext.transport.score import plan
from fastmatch._ext.transport.score import score_pairs as transport_pairs
from fastmatch.graphs.dialects import make_reader
from fastmatch.metrics import make

from twins import overlap

CORPUS = fm.parse("(a / want-01 :ARG0 (b / boy) :polarity -)\n\n(c / cat :mod (d / big))")
TRIPLES = make("smatch").prepare(CORPUS)
TWICE = [
    make("smatch", "smatch").prepare(fm.parse(text)) for text in ("(a / b :x c :x c)", "(a / b :x (c / d :y a :y a))")
]
COMPRESSIBLE = make("smatch++").prepare(CORPUS)
LABELS = len(CORPUS.vocabulary)
OVERLAP = SoftSpace(*overlap.random_space(1, 3, 4))
INDEX = np.zeros(1, np.int32)
RUN = (INDEX, INDEX, 0, 1, np.zeros(1, np.uint8))


def longs(*numbers: int) -> np.ndarray:
    return np.array(numbers, np.int64)


def ints(*numbers: int) -> np.ndarray:
    return np.array(numbers, np.int32)


def reals(*shape: int) -> np.ndarray:
    return np.zeros(shape)


def node_space(**changed) -> NodeSpace:
    """Two graphs of two nodes each with one edge in each; vectors of three numbers, two draws, one role."""
    arrays = {
        "node_offsets": longs(0, 2, 4),
        "node_rows": ints(0, 1, 2, 2),
        "edge_offsets": longs(0, 1, 2),
        "edges": np.array([[0, 1], [0, 0], [1, 0]], np.int32),
        "vectors": np.ones((2, 3)),
        "drawn": np.ones((2, 1, 3)),
        "weights": np.ones((2, 2, 1)),
    }
    options = {"iterations": 1, "halve": False, "multiply": True, "down": True, "up": True}
    given = arrays | options | changed
    return NodeSpace(*(given[name] for name in arrays), **{name: given[name] for name in options})


def bleu(orders: int, rows: int) -> BleuScorer:
    options = {"direction": "pred-gold", "weights": np.ones(orders), "smoothing": "nist", "brevity": True}
    return BleuScorer(reals(rows, 2), reals(rows, 2), reals(2), reals(2), **options)


def ngrams(order: int, labels: int):
    keys = np.zeros(LABELS, np.uint64)
    return ngram_bags(CORPUS.columns, keys, np.zeros(labels, np.uint64), np.zeros(LABELS, np.uint8), order=order)


def compress(labels=LABELS, turned=LABELS, features=COMPRESSIBLE, index=INDEX, stop=1, first=0):
    given = np.full(labels, -1, np.int32), np.zeros(turned, np.uint8)
    return compress_pairs(features, features, index, INDEX, 0, stop, *given, first=first)


def soft_features(offsets, soft, hard=TRIPLES) -> SoftFeatures:
    _, _, _, keys, _, _, relations = hard.arrays
    classes = np.zeros(len(keys), np.int32), np.zeros(relations.shape[1], np.int32)
    return SoftFeatures(hard, *classes, longs(*offsets), np.array(soft, np.int32).reshape(4, -1))


def fed(**options: int) -> int:
    return make_reader("penman", Interner()).feed("(a / b)", **options)


def bags(nodes: tuple[int, ...], edges: tuple[int, ...], label: int = 0, target: int = 1, **changed):
    """Weisfeiler-Leman labels of two graphs, by default the first with both nodes and the edge."""
    ends = np.array([[0], [0], [target]], np.int32)
    keys = {"keys": np.zeros(1, np.uint64), "rounds": 1, **changed}
    tables = longs(*nodes), ints(0, label), longs(*edges), ends, np.zeros(1, np.uint64)
    return label_bags(*tables, keys.pop("keys"), **keys, down=True, up=True)


def motifs(labels: int):
    keys = np.arange(LABELS, dtype=np.uint64)
    return motif_sets(CORPUS.columns, keys, keys[:labels], keys)


def lists(offsets: tuple[int, ...], keys: tuple[int, ...], *values: float):
    return feature_index(longs(*offsets), longs(*keys), np.array(values, np.float64), 0)


def best(rows: int) -> None:
    room = {"indices": np.zeros((2, 1), np.int32), "values": np.zeros((2, 1))}
    best_of_rows(np.zeros((2, 2)), cutoff=0, skip=np.zeros(rows, np.int64), **room)


CASES = [
    (lambda: node_space(iterations=-1), ValueError, "0 or more iterations"),
    (lambda: node_space(weights=np.ones((2, 3, 1))), ValueError, "in two directions"),
    (lambda: node_space(drawn=np.ones((1, 1, 3))), ValueError, "not of the same draws"),
    (lambda: node_space(edge_offsets=longs(0, 2)), ValueError, "edges: the offsets do not divide"),
    (lambda: node_space(edges=np.array([[0, 2], [0, 0], [1, 0]], np.int32)), IndexError, "edge 1 is out of range"),
    (lambda: node_space(edges=np.array([[0, 1], [0, 1], [1, 0]], np.int32)), IndexError, "edge 1 is out of range"),
    (lambda: node_space(node_rows=ints(0, 1, 3, 0)), IndexError, "node 2 has the vector 3, of 3"),
    (lambda: node_space().embeddings(0, 2, 2), IndexError, "draw 2 of 2"),
    (lambda: node_space().usage(ints(2)), IndexError, "graph 2 of 2"),
    (lambda: plan(node_space(), node_space(iterations=2), 0, 0), ValueError, "different options"),
    (lambda: plan(node_space(), node_space(), 0, 2), IndexError, "graphs 0 and 2"),
    (lambda: transport_pairs(node_space(), node_space(), RUN, out=reals(2, 1)), ValueError, "3 rows"),
    (lambda: transport_pairs(node_space(), node_space(), RUN, out=reals(3, 1), whole=np.zeros(2, np.uint8)),
     ValueError, "2 marks for 1 pairs"),
    (lambda: transport_pairs(node_space(), node_space(), RUN, out=reals(3, 1), weights=np.ones((2, 2))),
     ValueError, "weights do not fit"),
    (lambda: label_vectors([b"x"], lambda word: 0, np.ones((1, 2), np.float32), reals(2, 2)), ValueError, "room for 1"),
    (lambda: label_vectors([b"x"], lambda word: 7, np.ones((1, 2), np.float32), reals(1, 2)), IndexError, "vector 7"),
    (lambda: label_vectors([b"19"], lambda word: 7 if len(word) == 1 else -1, np.ones((1, 2), np.float32), reals(1, 2)),
     IndexError, "vector 7"),
    (lambda: overlap_pairs(OVERLAP, OVERLAP, RUN, out=reals(4, 1), nodes=reals(2)), ValueError, "room for 2 pairs"),
    (lambda: overlap_pairs(OVERLAP, OVERLAP, RUN, out=reals(4, 1), whole=np.zeros(2, np.uint8)),
     ValueError, "room for 2 pairs"),
    (lambda: overlap_pairs(OVERLAP, SoftSpace(*overlap.random_space(1, 3, 5)), RUN, out=reals(4, 1)),
     ValueError, "different options"),
    (lambda: label_table(OVERLAP, OVERLAP, longs(0), np.ones((1, 1), np.float32)), ValueError, "for each two labels"),
    (lambda: label_table(OVERLAP, OVERLAP, longs(-1), np.ones((1, OVERLAP.n_labels), np.float32)),
     IndexError, "label -1"),
    (lambda: feature_index(longs(0, 1), longs(4), np.ones(1), 9), ValueError, "SET, BAG or DOT"),
    (lambda: lists((0, 2), (1, 1), 1, 1), ValueError, "features of graph 0 do not ascend"),
    (lambda: lists((0, 2), (2, 1), 1, 1), ValueError, "features of graph 0 do not ascend"),
    (lambda: lists((0, 1), (1, 2), 1, 1), ValueError, "lists: the offsets do not divide 2 columns among 1 graphs"),
    (lambda: lists((0, 2), (1, 2), 1), ValueError, "do not fit together"),
    (lambda: lists((0, 2, 1, 2), (1, 2), 1, 1), ValueError, "offsets of graph 1 decrease"),
    (lambda: lists((0, 1), (1,), 0), ValueError, "a value of graph 0 is not above 0"),
    (lambda: lists((0, 1), (1,), float("nan")), ValueError, "a value of graph 0 is not above 0"),
    (lambda: best(1), ValueError, "must have one entry a row"),
    (lambda: bags((0, 2, 1), (0, 1, 1)), ValueError, "nodes: the offsets do not divide"),
    (lambda: bags((0, 2, 2), (0, 1, 0)), ValueError, "edges: the offsets do not divide"),
    (lambda: bags((-1, 2, 2), (0, 1, 1)), ValueError, "nodes: the offsets do not divide"),
    (lambda: bags((0, 2, 3), (0, 1, 1)), ValueError, "nodes: the offsets do not divide"),
    (lambda: bags((0, 2), (0, 1, 1)), ValueError, "do not divide"),
    # the last offset fits, but not the one before
    (lambda: bags((0, 1 << 29, 2), (0, 0, 1)), ValueError, "nodes: offsets of graph 1 decrease"),
    (lambda: bags((0, 2, 2), (0, 1 << 40, 1)), ValueError, "edges: offsets of graph 1 decrease"),
    (lambda: bags((0, 2, 2), (0, 1, 1), label=1), ValueError, "the label of node 1 lies outside its table"),
    (lambda: bags((0, 2, 2), (0, 1, 1), target=2), IndexError, "edge 0 is out of range"),
    (lambda: bags((0, 2, 2), (0, 1, 1), keys=np.zeros(0, np.uint64)), ValueError, "differ in length"),
    (lambda: bags((0, 2, 2), (0, 1, 1), rounds=101), ValueError, "rounds 101"),
    (lambda: motifs(LABELS - 1), ValueError, "the tables of keys differ in length"),
    (lambda: bleu(0, 0), ValueError, "0 orders"),
    (lambda: bleu(2, 1), ValueError, "one row an order"),
    (lambda: ngrams(0, LABELS), ValueError, "order 0"),
    (lambda: ngrams(2, LABELS - 1), ValueError, "differ in length"),
    (lambda: FeatureSets(longs(0, 1), np.ones(1, np.uint64), cut=np.zeros(2, np.bool_)),
     ValueError, "cut or not, of 1"),
    (lambda: FeatureSets(longs(0, 1), np.ones(1, np.uint64)).level(1), IndexError, "level 1 of 1"),
    (lambda: ConceptTriples(*[longs(1, 1)] + [array[:1] for array in make("sema").prepare(CORPUS).arrays[1:]]),
     ValueError, "do not fit together"),
    (lambda: dereify(CORPUS.columns, np.zeros(LABELS, np.int32), np.zeros((4, 1), np.int32),
                     np.zeros(LABELS, np.uint8)), ValueError, "expected 5 rows"),
    (lambda: build_problem(TRIPLES, TRIPLES, 0, 2), IndexError, "no graph 0 or 2"),
    (lambda: reaching(TRIPLES, TRIPLES, 0, 2, np.ones(1), 1), IndexError, "no graph 0 or 2"),
    (lambda: compress(first=1), ValueError, "first must be between 0 and 0"),
    (lambda: compress(stop=2), IndexError, "pairs 0 to 2 of 1"),
    (lambda: compress(index=ints(9)), IndexError, "pair 0 is of graphs 9"),
    (lambda: compress(turned=LABELS + 1), ValueError, "one entry a label"),
    (lambda: compress(labels=1, turned=1), ValueError, "one entry a label"),
    (lambda: soft_features((0, 1, 0), [0, 0, 0, 0]), ValueError, "soft features: the offsets do not divide"),
    (lambda: soft_features((0, -1, 0), []), ValueError, "of graph 0 decrease"),
    (lambda: soft_features((0, 0), [], TWICE[0]), ValueError, "must count once"),
    (lambda: compress(features=TWICE[0]), ValueError, "counts more than once"),
    (lambda: compress(features=TWICE[1]), ValueError, "counts more than once"),
    (lambda: describe([b"x"], np.zeros(2, np.uint8)), ValueError, "2 marks for 1 labels"),
    (lambda: fed(start=8), ValueError, "start must lie in the text"),
    (lambda: fed(stop=8), ValueError, "stop must lie in the text"),
    (lambda: make_reader("penman", Interner()).feed_each(("(a / b)",), 0, 2), IndexError, "texts 0 to 2 of 1"),
]  # fmt: skip


@pytest.mark.parametrize(("call", "error", "message"), CASES, ids=[f"{k}-{case[2]}" for k, case in enumerate(CASES)])
def test_what_does_not_fit_is_refused(call, error, message):
    with pytest.raises(error, match=message):
        call()


def test_what_fits_is_taken() -> None:
    """The arrays of which the cases change one: no case is refused for another reason."""
    assert plan(node_space(), node_space(), 0, 1)[0].shape == (2, 2)
    transport_pairs(node_space(), node_space(), RUN, out=reals(3, 1), weights=np.ones((2, 1)))
    overlap_pairs(OVERLAP, OVERLAP, RUN, out=reals(4, 1), nodes=reals(1), whole=np.zeros(1, np.uint8))
    assert label_table(OVERLAP, OVERLAP, longs(0), np.ones((1, OVERLAP.n_labels), np.float32)).shape[0] == 1
    bleu(2, 2)
    ngrams(2, LABELS)
    bags((0, 2, 2), (0, 1, 1))
    motifs(LABELS)
    best(2)
    lists((0, 2), (1, 2), 1, 1)
    compress()
    soft_features((0, 0, 0), [])
    assert fed(start=0, stop=7) == 0
