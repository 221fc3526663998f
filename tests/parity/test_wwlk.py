"""WWLK under ``preset="tool"`` against recorded scores of weisfeiler-leman-amr-metrics 0.4.

``reference/wwlk/*.tsv`` was made with smatchpp 1.5.1, pyemd 1.1.0 and 341,479 word vectors of 100 dimensions, of which
``data/glove.6B.100d.subset.txt`` holds those of the words in the corpora. ``const`` has no draw in it where all labels
have a vector (``n_oov`` 0); where it also does not depend on Python's hash seed (``const_min``, ``const_max``) it must
be met to 1e-7, the error of the float32 numbers the program computes with. What is drawn is compared in distribution.

:data:`TOY` was made with the same program, Python's hash seeds 0 and 1, on the three pairs below and the vectors of
:func:`toy_vectors`: what its switches do, on graphs in which nothing is drawn. On the 400 pairs of the Little Prince,
with vectors of zeros for labels that have none, the same settings were met to 5e-8 on every pair.

Two words that the program looks up are not in the subset. ``:polarity -`` is looked up as false, not and *untrue*: the
vector of untrue below was solved for from 222 of the 334 recorded scores it enters (least squares, rounded to the five
digits of the file's format), and it predicts the other 112 to 5e-8. The vector of *in-law* enters one score, which is
left out.
"""

import numpy as np
import pytest

import fastmatch as fm
from fastmatch.metrics.embeddings.vectors import Embeddings
from fastmatch.metrics.shared.role_weights import write_weights

from support.recorded import SETS, columns_of, corpora

pytestmark = pytest.mark.slow

UNTRUE = """
-0.04246 -0.36974 0.49284 -0.38189 -0.48359 0.21768 0.55716 -0.044517 1.0053 0.1227 0.92377 1.0236 0.45015 0.097554
0.46465 0.091857 -0.4795 0.15967 -0.25267 0.6032 0.5773 0.2632 0.34981 0.15274 -0.57009 0.010105 0.46958 0.24956 -0.687
-0.16569 0.48108 -0.026495 -0.55448 -0.71233 -0.30609 0.29342 -0.54529 -0.28343 -0.50973 -0.46852 -0.47252 1.1393
-0.44951 -0.43539 -0.36232 -0.94626 0.37614 0.28541 -0.61166 -0.83111 0.72118 0.68636 1.0286 0.26194 -0.41907 -0.030433
0.77743 0.62922 -0.034574 -0.39244 -0.65796 -0.37891 -0.2206 -0.06199 0.42146 -1.4416 1.2088 0.37153 -0.13482 -0.36597
0.33762 -0.14225 0.15804 -0.17704 0.76454 0.50215 0.89832 0.84452 -1.1422 0.30797 -0.04442 0.48664 -0.037437 -0.0040718
-0.45331 -0.8714 -0.079943 0.61988 -0.24117 -0.091287 -0.15714 -0.33239 -0.094528 0.02136 0.63637 -0.23706 -0.86427
-0.43977 -0.3372 0.75421
"""
TOY_WORDS = ["dog", "cat", "kitten", "sleep", "want", "small", "false", "not", "untrue", "kim", "5"]
TOY_WORDS += ["arg0", "arg1", "mod", "polarity", "name", "op1", "quant", "arg2"]
TOY_PRED = [
    "(s / sleep-01 :ARG0 (c / cat :mod (m / small)))",
    '(w / want-01 :polarity - :ARG0 (d / dog :name (n / name :op1 "Kim")) :ARG1 (s / sleep-01 :ARG0 d))',
    "(c / cat :quant 5 :ARG0-of (s / sleep-01))",
]
TOY_GOLD = [
    "(s / sleep-01 :ARG1 (k / kitten))",
    "(w / want-01 :ARG0 (c / cat) :ARG1 (s / sleep-01 :polarity - :ARG0 c :ARG2 c))",
    "(s / sleep-01 :ARG0 (d / dog :quant 5))",
]
#: Options here, and the program's scores under -random_init_relation ones or constant, --edge_to_node_transform, …
TOY: list[tuple[dict[str, object], list[float]]] = [
    ({"edges": "nodes", "edge_weights": "ones"}, [-0.508982733, 0.190589229, 0.584360005]),
    ({"edges": "nodes", "edge_weights": "constant", "k": 3}, [-0.225332715, 0.333523371, 0.645961834]),
    (
        {"edges": "nodes", "edge_weights": "ones", "direction": "bottom-up", "variant": "precision"},
        [-0.391878466, 0.215376312, 0.64180971],
    ),
    ({"edge_weights": "constant"}, [0.041501989, 0.108121192, 0.359608469]),
    ({"edge_weights": "ones", "variant": "recall"}, [-0.07392304, 0.319462931, -0.111738912]),
]
IN_LAW = ("sts-main-test", 1104)
#: Pairs that must be met, of each set.
STABLE = {"lpp-parsers": 199, "sts-main-test": 861, "sick-main-test-1000": 785}


@pytest.fixture(scope="module")
def vectors(data_dir):
    subset = Embeddings.load(data_dir / "data" / "glove.6B.100d.subset.txt", cache=False)
    untrue = np.array(UNTRUE.split(), np.float32)
    return Embeddings.from_arrays([*subset.words, "untrue"], np.vstack([subset.vectors, untrue]))


def table(data_dir, name: str) -> dict[str, np.ndarray]:
    columns = columns_of(data_dir / "reference" / "wwlk" / f"{name}.tsv")
    return {column: np.array(cells, np.float64) for column, cells in columns.items()}


def stable(name: str, record: dict[str, np.ndarray]) -> np.ndarray:
    chosen = (record["n_oov"] == 0) & (record["const_max"] - record["const_min"] < 1e-7)
    if name == IN_LAW[0]:
        chosen[IN_LAW[1]] = False
    assert chosen.sum() == STABLE[name]
    return chosen


def toy_vectors() -> Embeddings:
    """Six whole numbers a word."""
    numbers = [[((31 * k + 17) * (c + 3) ** 2) % 23 - 11 for c in range(6)] for k in range(len(TOY_WORDS))]
    return Embeddings.from_arrays(TOY_WORDS, np.array(numbers, np.float32))


@pytest.mark.parametrize(("options", "expected"), TOY)
def test_switches(options: dict[str, object], expected: list[float]) -> None:
    found = fm.score(TOY_PRED, TOY_GOLD, metric="wwlk", preset="tool", embeddings=toy_vectors(), **options)
    assert found.pairs.score == pytest.approx(expected, abs=2e-7)


@pytest.mark.parametrize("name", SETS)
def test_constant_weights(data_dir, vectors, name):
    record = table(data_dir, name)
    options = {"preset": "tool", "edge_weights": "constant", "embeddings": vectors}
    pairs = fm.score(*corpora(data_dir, name, "smatchpp"), metric="wwlk", **options).pairs
    assert np.abs(pairs.score - record["const"])[stable(name, record)].max() <= 1e-7
    # without vectors of their own the rest differ by their draws only
    rest = record["n_oov"] > 0
    assert np.median(np.abs(pairs.score - record["const"])[rest]) < 0.002
    assert np.corrcoef(pairs.score[rest], record["const"][rest])[0, 1] > 0.9998


@pytest.mark.parametrize(
    ("name", "first", "second"), [("lpp-parsers", ":arg1", ":manner"), ("sts-main-test", ":arg0", ":part")]
)
def test_drawn_weights(data_dir, vectors, tmp_path, name, first, second):
    """Five seeds. The program's weights are the smallest of ten draws, all but those of the roles it meets first.

    Two roles have the first of their ten draws: numpy's first number after seeding, and the eleventh. Which roles they
    are depends on the hash seed; the recorded scores tell, and both are roles of the first sentence. Given their
    weights, ours have the recorded mean and spread; the remaining difference is that of the other roles' draws.
    """
    record = table(data_dir, name)
    pair = corpora(data_dir, name, "smatchpp")
    runs = []
    for seed in range(1, 6):
        path = tmp_path / f"{seed}.tsv"
        draws = np.random.RandomState(seed).uniform(0.2, 0.35, 11)
        write_weights(path, {first: float(draws[0]), second: float(draws[10])})
        result = fm.score(*pair, metric="wwlk", preset="tool", embeddings=vectors, weights=path, seed=seed)
        runs.append(result.pairs.score)
    chosen = stable(name, record)
    mean, spread = np.mean(runs, axis=0)[chosen], np.std(runs, axis=0)[chosen]
    assert abs((mean - record["mean5"][chosen]).mean()) < 0.0005
    assert np.sqrt(((mean - record["mean5"][chosen]) ** 2).mean()) < 0.0018
    assert np.corrcoef(spread, record["sd5"][chosen])[0, 1] > 0.96
