"""Everything that can be done with a corpus, done: every metric with every preset, every step, every way to compare.

``actions(random)`` gives named functions of two corpora; each either works, or raises a ``FastmatchError``, whatever
valid corpora it gets. A function asserts what must hold of its result: scores are finite and in [0, 1] where the metric
promises so, corpora are valid.
"""

import contextlib
import pickle
import tempfile
import warnings
from collections.abc import Callable, Iterator
from pathlib import Path
from random import Random

import numpy as np

import fastmatch as fm
from fastmatch.fine_grained.kinds import KINDS
from fastmatch.graphs.dialects import DIALECTS
from fastmatch.graphs.standardization import PRESETS, STEPS
from fastmatch.metrics import Metric, available, get, make
from fastmatch.metrics.embeddings import Embeddings
from fastmatch.metrics.names import BUILT_IN
from fastmatch.metrics.options import described

Action = Callable[[fm.Corpus, fm.Corpus], object]

#: Words with vectors, for the metrics that take some.
VECTORS = Embeddings.from_arrays(
    ["cat", "dog", "want", "want-01", "name", "arg0", ":ARG0"],
    np.array([[1, 0, 0.5], [0.5, 1, 0], [0, 1, 1], [0, 0, 0], [1, 1, 1], [-1, 0, 0], [0, -1, 2]], np.float32),
)
#: Slow for what it finds: HiGHS is a process of its own inside scipy.
_SELDOM = ("ilp",)


def settings() -> list[tuple[str, str | None]]:
    """(name, preset) of all built-in metrics that read Penman notation so."""
    named = [(name, preset) for name in BUILT_IN for preset in (None, *get(name).presets)]
    return [(name, preset) for name, preset in named if DIALECTS[make(name, preset).dialect].penman]


def metrics(random: Random) -> Iterator[Metric]:
    """Every built-in metric with every preset, and once more with some of its options drawn at random."""
    for name in available():
        if name == "toy":
            continue
        for preset in (None, *get(name).presets):
            yield make(name, preset)
            changed = {}
            for entry in described(get(name)):
                if entry.choices and random.random() < 0.4:
                    changed[entry.name] = random.choice([c for c in entry.choices if c not in _SELDOM])
                elif entry.default is True or entry.default is False:
                    changed[entry.name] = random.random() < 0.5
                elif entry.name == "k":
                    changed[entry.name] = random.randint(1, 4)
            if name in ("s2match", "softmatch", "softoverlap", "wwlk") and random.random() < 0.5:
                changed["embeddings"] = VECTORS
            with contextlib.suppress(fm.OptionError):  # some options exclude each other
                yield make(name, preset, **changed)


def read_as(corpus: fm.Corpus, dialect: str) -> fm.Corpus:
    """The same arrays, said to be read with another dialect."""
    return corpus.with_columns(dialect=dialect)


def least(metric: Metric) -> bool:
    """Whether no score is below 0: WWLK's are where unrelated vectors count as more than 1 apart."""
    return getattr(metric, "clip", True)


def check_scores(metric: Metric, scores: fm.PairScores) -> None:
    """Finite numbers; within [0, 1] where the metric promises it."""
    for name, column in scores.scores.items():
        assert np.isfinite(column).all(), (metric, name, column)
        assert (column >= 0).all() or not least(metric), (metric, name, column)
        assert (column <= 1).all() or not metric.bounded, (metric, name, column)
    assert np.isfinite(scores.statistics).all(), (metric, scores.statistics)
    if isinstance(scores, fm.TripleScores):
        assert (scores.matched <= scores.upper).all()


def actions(random: Random) -> Iterator[tuple[str, Action]]:
    """(name, function of two corpora of as many graphs in one vocabulary), in a fixed order of kinds."""
    for metric in metrics(random):
        yield from _of_metric(metric, random)
    for kind in KINDS:
        yield f"aspects {kind}", _aspects(kind)
    for step in (*STEPS, "reify", "dereify", *PRESETS):
        yield f"step {step}", _step(step)
    steps = random.sample(list(STEPS), 3)
    yield f"steps {steps}", _step(steps)
    yield "graphs", _graphs
    yield "files", _files
    yield "selecting", _selecting(random.random())


def _of_metric(metric: Metric, random: Random) -> Iterator[tuple[str, Action]]:
    dialect = metric.dialect

    def score(pred: fm.Corpus, gold: fm.Corpus) -> None:
        result = fm.score(read_as(pred, dialect), read_as(gold, dialect), metric=metric, mapping=metric.aligns == "map")
        check_scores(metric, result.pairs)
        check_scores(metric, fm.score(read_as(pred, dialect), read_as(pred, dialect), metric=metric).pairs)
        repr(result), result.to_dict(pairs=True)

    def align(pred: fm.Corpus, gold: fm.Corpus) -> None:
        if not len(pred):
            return
        found = fm.align(read_as(pred, dialect)[:1], read_as(gold, dialect)[:1], metric=metric)
        repr(found), found.to_dict()

    def every_pair(pred: fm.Corpus, gold: fm.Corpus) -> None:
        a, b = read_as(pred, dialect), read_as(gold, dialect)
        matrix = fm.cdist(a, b, metric=metric, dtype=np.float64)
        assert np.isfinite(matrix).all()
        assert (matrix >= 0).all() or not least(metric)
        assert (matrix <= 1).all() or not metric.bounded
        near = fm.cdist(a, b, metric=metric, dtype=np.float64, score_cutoff=0.4, sparse=True)
        assert (near.toarray() == np.where(matrix >= 0.4, matrix, 0)).all()
        # the climber starts from maps drawn for the numbers of two graphs, which compression gives anew to each pair
        drawn = getattr(metric, "solver", None) == "climb" and getattr(metric, "compress", False)
        assert drawn or (np.diagonal(matrix) == fm.cpdist(a, b, metric=metric)).all()
        assert fm.cdist(a, metric=metric).shape == (len(a), len(a)) and len(fm.top_k(a, b, 2, metric=metric)) == len(a)
        with contextlib.suppress(fm.OptionError):  # only some have features
            fm.features(a, b, metric=metric)

    yield f"score {metric}", score
    if metric.aligns is not None:
        yield f"align {metric}", align
    if random.random() < 0.3:
        yield f"every pair {metric}", every_pair


def _aspects(kind: str) -> Action:
    def run(pred: fm.Corpus, gold: fm.Corpus) -> None:
        dialects = {"damonte": "damonte", "smatch++": "penman", "pmb5": "sbn-pmb5-tolerant"}
        dialects |= dict.fromkeys(("mrp", "edm", "sdp", "ucca"), "mrp")
        dialect = dialects.get(kind, "amrsuite")
        for name, result in fm.aspects(read_as(pred, dialect), read_as(gold, dialect), kind=kind).items():
            for column in result.pairs.scores.values():
                assert np.isfinite(column).all() and (column >= 0).all(), (kind, name, column)
                # as smatch, PMB 5's script multiplies copies of a triple
                assert (column <= 1).all() or kind == "pmb5", (kind, name, column)

    return run


def _step(step: str | list[str]) -> Action:
    def run(pred: fm.Corpus, _: fm.Corpus) -> None:
        changed = fm.standardize(pred, step)
        changed.validate()
        assert len(changed) == len(pred)
        fm.standardize(changed, "remove-duplicates").validate()

    return run


def _graphs(pred: fm.Corpus, gold: fm.Corpus) -> None:
    """What a person looks at."""
    for corpus in (pred, gold):
        repr(corpus), corpus.ids, [corpus.metadata(g) for g in range(len(corpus))]
        for graph in corpus:
            repr(graph), graph.instances, graph.attributes, graph.relations, graph.metadata
            for show in (graph.encode, graph.to_penman, lambda graph=graph: (graph.alignments, graph.role_alignments)):
                with contextlib.suppress(fm.FastmatchError):
                    show()


def _files(pred: fm.Corpus, gold: fm.Corpus) -> None:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "corpus")
        pred.save(path)
        for mmap in (True, False):
            assert fm.Corpus.load(path, mmap=mmap) == pred
    assert pickle.loads(pickle.dumps((pred, gold))) == (pred, gold)


def _selecting(seed: float) -> Action:
    def run(pred: fm.Corpus, gold: fm.Corpus) -> None:
        both = fm.Corpus.concatenate((pred, gold.remap(fm.Vocabulary(["new"])))).validate()
        assert both[: len(pred)] == pred
        random = Random(seed)
        chosen = [random.randrange(len(both)) for _ in range(3)] if len(both) else []
        assert both[chosen].validate()[::-1].validate() == both[chosen[::-1]]

    return run


def run(seed: int, most: int = 6) -> int:
    """All actions on one pair of corpora; an error names the action and the seed. Returns how many actions ran."""
    from support.arbitrary import pair

    random = Random(seed)
    pred, gold = pair(random, most=most)
    count = 0
    for name, action in actions(random):
        try:
            with warnings.catch_warnings(
                action="ignore", category=fm.FastmatchWarning
            ):  # that such pairs hardly look like pairs is true
                action(pred, gold)
        except fm.FastmatchError:
            pass
        except Exception as error:
            error.add_note(f"seed {seed}, {name}")
            raise
        count += 1
    return count
