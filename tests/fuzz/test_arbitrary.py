"""Whatever ``Corpus.validate`` passes, everything else can work with.

The corpora are made in ``support/arbitrary.py``, what is done with them in ``support/exercise.py``. Of a kernel that
reads outside its arrays these tests often see nothing in a release build; ``ci/sanitizers.sh`` runs them in one that
does. ``FASTMATCH_FUZZ_SEEDS`` says how many pairs of corpora are tried.
"""

import contextlib
import os
import sys
from concurrent.futures import ThreadPoolExecutor
from random import Random

import numpy as np
import pytest

import fastmatch as fm
from fastmatch.metrics import make

from support import arbitrary, exercise
from support.nightly import NIGHT

THREADS = 4 if NIGHT else 2
SEEDS = range(int(os.environ.get("FASTMATCH_FUZZ_SEEDS", "3")))


@pytest.mark.parametrize("seed", SEEDS)
def test_everything_works_on_valid_corpora(seed: int) -> None:
    assert exercise.run(seed) > 100


@pytest.mark.filterwarnings("ignore::fastmatch.errors.FastmatchWarning")
def test_everything_works_in_threads_at_once() -> None:
    """On the same corpora and the same vocabulary, which grows meanwhile."""
    pred, gold = arbitrary.pair(Random(5))
    expected = fm.score(pred, gold).pairs.columns()

    def work(seed: int) -> None:
        for _, action in exercise.actions(Random(seed)):
            with contextlib.suppress(fm.FastmatchError):
                action(pred, gold)

    before = sys.getswitchinterval()
    sys.setswitchinterval(1e-5)
    try:
        with ThreadPoolExecutor(THREADS) as pool:
            list(pool.map(work, range(THREADS)))
    finally:
        sys.setswitchinterval(before)
    for name, column in fm.score(pred, gold).pairs.columns().items():
        assert column.tolist() == expected[name].tolist(), name


def test_the_generator_makes_what_no_reader_makes() -> None:
    random = Random(0)
    seen = fm.Corpus.concatenate([arbitrary.corpus(random, n_graphs=4) for _ in range(100)])
    n_variables, n_instances = np.diff(seen.variable_offsets), np.diff(seen.instance_offsets)
    assert (n_variables == 0).any() and (n_variables > 64).any() and len(seen.rootless)
    assert (seen.variable_names == -1).any() and (seen.instances[1] == -1).any() and (seen.attributes[2] == -1).any()
    assert ((n_variables > 0) & (n_instances == 0)).any() and (n_instances > n_variables).any()
    assert (seen.relations[0] == seen.relations[2]).any()
    assert (seen.relations[3] == 2**31 - 1).any() and "" in seen.vocabulary and "\ud800" in seen.vocabulary
    assert arbitrary.corpus(Random(1)) == arbitrary.corpus(Random(1))


def nameless(n: int, value: int = -1) -> fm.Corpus:
    """One graph of ``n`` variables without names or concepts in a circle, each with an attribute without a value."""
    variables = np.arange(n, dtype=np.int32)
    zeros = np.zeros(n, np.int32)
    empty = fm.parse("()", vocabulary=fm.Vocabulary([":ARG0", "a"]))
    bounds = np.array([0, n], np.int64)
    return empty.with_columns(
        dialect="ancast",
        root=np.zeros(1, np.int32),
        variable_names=np.full(n, -1, np.int32),
        variable_offsets=bounds,
        attributes=np.stack([variables, zeros, np.full(n, value, np.int32), variables]),
        attribute_offsets=bounds,
        relations=np.stack([variables, zeros, np.roll(variables, 1), variables + n, zeros]),
        relation_offsets=bounds,
    ).validate()


def test_variables_without_names_are_not_one_variable() -> None:
    """AnCast's tool takes variables of one name for one: no name is no name. It looked for the text of absent values
    among the names, found a variable without one, and read outside its table of words."""
    metric = make("ancast", "tool")
    corpus = nameless(3)
    assert metric.prepare(corpus).n_nodes.tolist() == [3]
    scores = fm.score(corpus, corpus, metric=metric).pairs
    exercise.check_scores(metric, scores)
    assert scores.statistics[scores.names.index("n_relations_pred")].tolist() == [6]


def test_positions_have_an_end() -> None:
    """A triple behind one in the last place there is stands in the last place as well: positions may be equal."""
    corpus = nameless(2)
    attributes = corpus.attributes.copy()
    attributes[3] = 2**31 - 1
    last = corpus.with_columns(attributes=attributes).validate()
    assert fm.standardize(last, "root-constant").validate().attributes[3].tolist() == [2**31 - 1] * 3


def test_alignments_that_are_none() -> None:
    corpus = fm.parse("(a / cat~e.1)")
    surface = corpus.surface.copy()
    for text in ("cat", "~e.", "~e." + "9" * 5000):
        surface[2] = corpus.vocabulary.id(text)
        graph = corpus.with_columns(surface=surface).validate()[0]
        for show in (lambda graph=graph: graph.alignments, graph.to_penman):
            with pytest.raises(fm.FastmatchError, match="is no alignment; expected one such as"):
                show()
    with pytest.raises(fm.FastmatchError, match="alignment 'cat' cannot be written"):
        corpus.with_columns(surface=np.array([[0], [0], [corpus.vocabulary.id("cat")]], np.int32))[0].encode()
