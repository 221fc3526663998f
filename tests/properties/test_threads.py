"""What several threads may do at once, with the GIL and without it: read into one vocabulary, fold it, compare with it.

In a free-threaded build of CPython the threads really run side by side, so that a missing lock shows as a wrong number,
an exception or a crash. With the GIL they take turns, as often as the interpreter lets them.
"""

import io
import sys
import threading
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from random import Random

import numpy as np
import pytest

import fastmatch as fm
from fastmatch.metrics.registry import from_text
from fastmatch.rewards import GraphReward

from support.child import printed
from support.nightly import by_day
from support.places import SAMPLE

THREADS = 8

#: All metrics that need nothing besides two corpora.
METRICS = [
    *("smatch", "smatch,solver=climb", "smatch,solver=ilp", "smatch++", "wsmatch", "ancast", "wwlk"),
    *(name + keys for name in ("sembleu", "sema", "rematch", "wlk") for keys in ("", ",keys=exact")),
]


@pytest.fixture(autouse=True)
def often():
    """Threads take turns as often as they can; of no effect without the GIL."""
    interval = sys.getswitchinterval()
    sys.setswitchinterval(1e-6)
    yield
    sys.setswitchinterval(interval)


def together(*tasks):
    """The results of tasks that begin at the same moment, a thread each; raises what one of them raises."""
    barrier = threading.Barrier(len(tasks))

    def begin(task):
        barrier.wait()
        return task()

    with ThreadPoolExecutor(len(tasks)) as pool:
        return [future.result() for future in [pool.submit(begin, task) for task in tasks]]


def graph_texts(thread: int, n: int) -> list[str]:
    """Graphs of which every thread has some strings in common with the others and some of its own."""
    return [
        f"(x{k} / Shared-{k} :ARG{k % 5} (y{thread} / own-{thread}-{k})"
        f' :Op{k} "T{thread}_{k}__" :mod (z / MIXED{k % 7}))'
        for k in range(n)
    ]


@pytest.mark.parametrize("dialect", ["penman", "smatch", "smatchpp", "damonte", "sembleu", "ancast", "ancast-umr"])
def test_reading_into_one_vocabulary(dialect: str) -> None:
    """The graphs are those that one thread reads, and the vocabulary has every string once."""
    texts = [
        "\n\n".join(f"# ::snt x\n{text}" for text in graph_texts(thread, 200)) + "\n\n" for thread in range(THREADS)
    ]
    alone = [fm.parse(text, dialect=dialect) for text in texts]
    for _ in range(3):
        shared = fm.Vocabulary()
        corpora = together(*(partial(fm.parse, text, dialect=dialect, vocabulary=shared) for text in texts))
        for corpus, expected in zip(corpora, alone, strict=True):
            assert corpus == expected
        strings = list(shared)
        assert len(strings) == len(set(strings)) == len(shared)
        assert shared.ids(strings).tolist() == list(range(len(strings)))


def test_everything_on_one_vocabulary() -> None:
    """Interning, asking, folding and exporting, each in two threads, while the others do the same."""
    words = [f"Word{k}_" if k % 3 else f'"Quoted-{k:02}"' for k in range(3_000)]
    for _ in range(3):
        shared = fm.Vocabulary()

        def intern(start: int, vocabulary: fm.Vocabulary = shared) -> dict[str, int]:
            return {word: vocabulary.id(word) for word in words[start:] + words[:start]}

        def fold(flags: int, vocabulary: fm.Vocabulary = shared) -> list[np.ndarray]:
            return [vocabulary.fold(flags) for _ in range(200)]

        def ask(vocabulary: fm.Vocabulary = shared) -> None:
            for _ in range(20):
                for id in range(0, len(vocabulary), 7):
                    assert vocabulary.lookup(vocabulary.text(id)) == id
                blob, offsets = vocabulary.export()
                assert offsets[-1] == len(blob)
                assert vocabulary.nbytes > 0

        folding = (partial(fold, flags) for flags in (3, 3, 5))
        found = together(partial(intern, 0), partial(intern, 1_500), *folding, ask, ask)
        assert found[0] == found[1] and [shared.text(id) for id in found[0].values()] == list(found[0])
        for folds, flags in zip(found[2:5], (3, 3, 5), strict=True):
            whole = shared.fold(flags)
            for earlier in folds:
                assert np.array_equal(earlier, whole[: len(earlier)])


def test_everything_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """Threads that share corpora, a vocabulary, metrics and rewards do all of this, each in an order of its own."""
    monkeypatch.setattr("fastmatch.graphs.pieces.PIECE", 1)
    shared = fm.Vocabulary()
    pred, gold = (fm.read(SAMPLE / f"sample-{side}.amr", vocabulary=shared) for side in ("pred", "gold"))
    text = "\n\n".join(graph.encode() for graph in gold) + "\n"
    texts = [graph.encode() for graph in pred], [graph.encode() for graph in gold]
    metrics = [from_text(text) for text in METRICS if "ilp" not in text]
    reward = GraphReward()

    def read(workers: int) -> fm.Corpus:
        return fm.read(io.StringIO(text), workers=workers, vocabulary=shared)

    tasks = [
        *(partial(lambda metric, workers: fm.score(pred, gold, metric=metric, workers=workers).pairs.score, metric)
          for metric in metrics),
        lambda workers: fm.cdist(gold, metric="rematch", workers=workers),
        lambda workers: fm.top_k(pred, gold, 3, metric="sembleu", workers=workers).indices,
        lambda workers: [aspect.f1 for aspect in fm.aspects(pred, gold, workers=workers).values()],
        lambda workers: reward(completions=texts[0], amr=texts[1]),
        lambda workers: [graph.encode() for graph in read(workers)],
    ]  # fmt: skip
    expected = [np.asarray(task(1)) for task in tasks]

    def work(thread: int) -> None:
        order = Random(thread)
        for number in order.sample(range(len(tasks)), len(tasks)):
            fm.parse("\n\n".join(graph_texts(100 * thread + number, 20)), vocabulary=shared)
            assert np.array_equal(np.asarray(tasks[number](order.randint(1, 3))), expected[number]), number

    together(*(partial(work, thread) for thread in range(THREADS)))
    strings = list(shared)
    assert len(strings) == len(set(strings))


BEGINNING = """
import sys, threading
import fastmatch as fm

barrier, failures = threading.Barrier(8), []

def score():
    barrier.wait()
    try:
        fm.score(["(a / cat :mod (b / big))"], ["(a / cat)"], metric=sys.argv[1])
    except BaseException as error:
        failures.append(repr(error))

threads = [threading.Thread(target=score) for _ in range(8)]
for thread in threads:
    thread.start()
for thread in threads:
    thread.join()
print(failures)
"""


@pytest.mark.parametrize("metric", by_day(sorted({text.partition(",")[0] for text in METRICS}), 3))
def test_the_first_call_comes_from_several_threads(metric: str) -> None:
    """Modules and registry are filled by whichever thread comes first."""
    assert printed("-c", BEGINNING, metric) == "[]\n"


@pytest.mark.skipif(getattr(sys, "_is_gil_enabled", lambda: True)(), reason="the GIL is on")
def test_no_extension_turns_the_gil_on() -> None:
    code = (
        "import importlib, pkgutil, sys, fastmatch._ext as ext\n"
        "for module in pkgutil.walk_packages(ext.__path__, 'fastmatch._ext.'):\n"
        "    importlib.import_module(module.name)\n"
        "    assert not sys._is_gil_enabled(), module.name\n"
    )
    printed("-c", code)
