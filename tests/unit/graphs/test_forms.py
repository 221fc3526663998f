"""What scoring is given: it stays as it was, and what is no graph is said to be none."""

import gzip
import io
import math
import pickle
from collections import deque
from dataclasses import dataclass

import numpy as np
import penman
import pytest

import fastmatch as fm
from fastmatch.benchmarks import principles, rare, studies
from fastmatch.metrics import Metric, PairScores
from fastmatch.rewards import GraphReward

from support.places import GOLD, PRED
from support.refusal import fails

NAN = float("nan")
TEXTS = [
    '(w / Want-01 :ARG0 (b / boy~e.2) :ARG1 (g / go-02 :ARG0 b :domain (h / "Home")))',
    '# ::id two\n(c / city :wiki "Porto" :name (n / name :op1 "Porto") :quant 3)',
    "(d / dog)",
]
NEW = "(n / never-seen-{0} :ARG{0} (m / Word{0} :quant {0}))"


def state(corpus):
    """Everything that a corpus holds, byte for byte."""
    return pickle.dumps(corpus), len(corpus.vocabulary), list(corpus.vocabulary)


# ---------------------------------------------------------------- corpora stay as they were


def test_both_in_one_large_vocabulary():
    """Large corpora keep their arrays: only the vocabulary is copied, and the scores are the same."""
    texts = TEXTS * 40
    gold = fm.parse(texts)
    pred = fm.parse(texts[::-1], vocabulary=gold.vocabulary)
    before = state(pred), state(gold)
    own = fm.Corpus.together([pred, gold, pred])
    assert own[0] is own[2] and own[0].vocabulary is own[1].vocabulary is not gold.vocabulary
    assert own[0].instances is pred.instances and own == [pred, gold, pred]
    assert fm.score(pred, gold).pairs.to_dict() == fm.score(texts[::-1], texts).pairs.to_dict()
    assert (state(pred), state(gold)) == before


@pytest.mark.filterwarnings("ignore::fastmatch.PairingWarning")
def test_a_small_vocabulary_is_copied_with_its_checked_arrays():
    """A kept gold graph is scored against again and again: nothing of it is made anew but a table of few strings."""
    gold = fm.parse(TEXTS[0])
    before = state(gold)
    own = gold.detached()
    assert own.columns is gold.columns and own.vocabulary is not gold.vocabulary and own == gold
    assert fm.score(TEXTS[1], gold).pairs.to_dict() == fm.score(TEXTS[1], TEXTS[0]).pairs.to_dict()
    pred, own = fm.Corpus.together([fm.parse(TEXTS[1]), gold])
    assert pred.vocabulary is own.vocabulary
    assert state(gold) == before
    many = fm.Vocabulary(map(str, range(10_000)))
    assert len(fm.parse(TEXTS[0], vocabulary=many).detached().vocabulary) == len(gold.vocabulary)


@pytest.mark.filterwarnings("ignore::fastmatch.PairingWarning")
def test_a_part_of_a_large_corpus_is_copied_and_checked_once():
    """A gold graph of a large corpus is scored against again and again, at the cost of a corpus of that graph alone."""
    gold = fm.parse(TEXTS, vocabulary=fm.Vocabulary(map(str, range(10_000))))[:1]
    before, alone = state(gold), fm.parse(TEXTS[0])
    first, *others = (gold.detached() for _ in range(4))
    assert len({id(own.columns) for own in others}) == 1
    assert all(own.columns is not first.columns for own in others)  # what is used once is not kept
    assert len({id(own.vocabulary) for own in (first, *others)}) == 4
    others[0].vocabulary.id("a word of one call")
    for own in (first, *others[1:], gold.detached()):
        assert own == gold and list(own) == list(gold) and sorted(own.vocabulary) == sorted(alone.vocabulary)
    assert [fm.score(text, gold).score for text in TEXTS] == [fm.score(text, alone).score for text in TEXTS]
    assert state(gold) == before and pickle.loads(pickle.dumps(gold)) == gold


@pytest.mark.filterwarnings("ignore::fastmatch.PairingWarning")
def test_a_large_part_is_not_kept_twice():
    gold = fm.parse(TEXTS * 700, vocabulary=fm.Vocabulary(map(str, range(50_000))))[: 2 * 700]
    one, two, three = (gold.detached() for _ in range(3))
    assert one == two == three == gold and two.columns is not three.columns


def test_a_limited_number_of_parts_is_kept(monkeypatch):
    """A data set whose graphs are all kept as parts does not take several times the memory."""
    monkeypatch.setattr("fastmatch.graphs.corpus._MOST_KEPT", 3)
    monkeypatch.setattr("fastmatch.graphs.corpus._keeping", deque())
    corpus = fm.parse(TEXTS * 5, vocabulary=fm.Vocabulary(map(str, range(10_000))))
    parts = [corpus[k : k + 1] for k in range(10)]
    for _ in range(2):
        assert all(part.detached() == part for part in parts)
    assert [part.detached().columns is part.detached().columns for part in parts[-3:]] == [True] * 3
    assert parts[0].detached().columns is not parts[0].detached().columns
    del parts[5:]
    assert all(part.detached() == part for part in parts * 3)


def test_detached():
    corpus = fm.parse(TEXTS * 2)
    for part in (corpus, corpus[:0], corpus[1:2], corpus[[4, 0]]):
        own = part.detached()
        assert own == part and list(own) == list(part) and own.problems == part.problems
        assert len(own.vocabulary) <= len(part.vocabulary)
    vocabulary = fm.Vocabulary(["dog", "x"])
    dog = corpus[2:3].detached(vocabulary)
    assert list(vocabulary) == ["dog", "x", "d"]
    assert dog.instances[1].tolist() == [0]
    fails(ValueError, "another interner", corpus.detached, corpus.vocabulary)


@pytest.mark.parametrize("keys", ["hashed", "exact"])
def test_fitted_transformers_stay_as_they_are(keys):
    pytest.importorskip("sklearn")
    from fastmatch.sklearn import GraphFeatures, GraphKernel, GraphNeighbors

    gold = fm.parse(TEXTS)
    before = state(gold)
    features = GraphFeatures(options={"keys": keys}).fit(gold)
    words = len(features.vocabulary_)
    assert features.transform(TEXTS).toarray().tolist() == features.fit_transform(gold).toarray().tolist()
    for k in range(20):
        assert features.transform([NEW.format(100 + k)]).sum() == 0
    if keys == "hashed":
        assert len(features.vocabulary_) == words
    for kind in (GraphKernel(), GraphNeighbors(n_neighbors=1)):
        kind.fit(gold)
        words = len(kind.corpus_.vocabulary)
        kind.transform([NEW.format(1)])
        assert len(kind.corpus_.vocabulary) == words
    assert state(gold) == before


# ---------------------------------------------------------------- what is no text


@pytest.mark.parametrize("preset", [None, "smatch", "smatch++"])
def test_what_is_no_text_is_a_broken_graph(preset):
    pred = ["(d / dog)", None, NAN, np.float64("nan"), 3, b"(d / dog)", ["(d / dog)"], object(), "(d / dog)"]
    result = fm.score(pred, ["(d / dog)"] * 9, preset=preset, on_error="empty")
    assert result.pairs.score.tolist() == [1, *[0] * 7, 1]
    assert [(side, k) for side, k, *_ in result.problems] == [("pred", k) for k in range(1, 8)]
    messages = [message.partition(": ")[2] for _, _, message, *_ in result.problems]
    assert messages[:3] == ["expected a text, found None", "expected a text, found nan", "expected a text, found nan"]
    assert messages[3:5] == [f"expected a text, found an object of type {kind}" for kind in ("int", "bytes")]
    result = fm.score(["(d / dog)"] * 9, pred, preset=preset, on_error="empty")
    assert result.pairs.score.tolist() == [1, *[0] * 7, 1] and {side for side, *_ in result.problems} == {"gold"}


@pytest.mark.parametrize("preset", [None, "smatch"])
@pytest.mark.parametrize("kind", [fm.Graph, penman.Graph])
def test_none_among_graphs(kind, preset):
    dog = next(iter(fm.parse("(d / dog)"))) if kind is fm.Graph else penman.decode("(d / dog)")
    result = fm.score([dog, None, dog, NAN], [dog] * 4, preset=preset, on_error="empty")
    assert result.pairs.score.tolist() == [1, 0, 1, 0]
    messages = [message for _, _, message, *_ in result.problems]
    assert messages == [f"pred[{k}]: expected a text, found {odd}" for k, odd in ((1, "None"), (3, "nan"))]
    # a graph that a tool's reader cannot read
    nothing = fm.Graph.from_triples([])
    result = fm.score([nothing, dog], [dog, dog], preset=preset, on_error="empty")
    assert result.pairs.score.tolist() == [0, 1] and len(result.problems) == (preset is not None)
    if preset is not None:
        fails(fm.ReadError, r"^pred\[0\]", fm.score, [nothing, dog], [dog, dog], preset=preset)


def test_graphs_of_a_dialect_of_their_own():
    dog = next(iter(fm.parse("(d / dog)", dialect="smatch")))
    assert fm.score([dog, None], [dog, dog], preset="smatch", on_error="empty").pairs.score.tolist() == [1, 0]


@pytest.mark.parametrize("odd", [None, NAN, 3, b"(d / dog)"])
def test_otherwise_the_error_names_the_place(odd):
    kind, dog = type(odd).__name__, "(d / dog)"
    fails(TypeError, rf"^gold\[1\]: expected .*, not {kind}$", fm.score, [dog] * 3, [dog, odd, odd])
    fails(TypeError, rf"^string 2: expected str, found {kind}", fm.parse, [dog, dog, odd])


def test_in_the_other_functions():
    dogs = ["(d / dog)"] * 2
    pred = ["(d / dog)", None]
    assert fm.aspects(pred, dogs, on_error="empty")["Concepts"].recall == 0.5
    assert fm.aspects(pred, dogs, on_error="empty", preset="tool")["Concepts"].recall == 0.5
    assert fm.compare(pred, dogs, dogs, on_error="empty", resamples=5).results[0].recall == 0.5
    assert fm.cdist(pred, dogs, on_error="empty").tolist() == [[1, 1], [0, 0]]
    assert len(fm.parse([None, "(d / dog)", NAN], on_error="skip")) == 1
    assert [k for k, _ in fm.parse([None, "(d / dog)", NAN], on_error="empty").problems] == [0, 2]


# ---------------------------------------------------------------- NaN from a metric


@dataclass(frozen=True)
class Broken(Metric):
    """NaN for the second graph: as a statistic, or made of the statistics."""

    statistic: bool = True
    name = "broken"
    statistics = ("size",)
    counts = False

    def prepare(self, corpus):
        return None

    def empty(self, pred, gold, index_pred, index_gold, mapping):
        return PairScores(np.ones((1, len(index_pred))), self)

    def score(self, pred, gold, pairs, out):
        out.statistics[0, pairs.places][pairs.graphs[0] == 1] = math.nan if self.statistic else 0

    def combine(self, statistics):
        return {"ratio": statistics[0] if self.statistic else np.where(statistics[0] == 0, np.nan, 1.0)}


def test_nan_from_a_metric_is_an_error():
    texts = ["(a / b)"] * 3
    message = r"^metric 'broken': size of pair 1 \(graphs 1 and 1\) is not a number \(NaN\)$"
    for function in (fm.score, fm.cpdist):
        fails(fm.FastmatchError, message, function, texts, texts, metric=Broken())
    with pytest.raises(fm.FastmatchError, match=r"size of pair \d \(graphs 1 and \d\) is not a number"):
        fm.cdist(texts, texts, metric=Broken())
    with pytest.raises(fm.FastmatchError, match=r"^metric 'broken': ratio of pair 1 is not a number"):
        fm.score(texts, texts, metric=Broken(statistic=False)).macro  # noqa: B018
    fails(fm.FastmatchError, "ratio of pair", fm.cdist, texts, texts, metric=Broken(statistic=False))


@pytest.mark.parametrize("kind", [set, frozenset, dict.fromkeys])
def test_graphs_without_an_order_are_refused(kind):
    """Sets of strings come in another order in each process, so pairs, and the score, would differ."""
    texts = kind(["(a / cat)", "(b / dog)"])
    for call, sides in ((fm.score, 2), (fm.cdist, 1), (fm.umr.score, 2), (fm.parse, 1)):
        fails(TypeError, r"order|sequence", call, *[texts] * sides)
    assert fm.score(dict.fromkeys(texts).keys(), list(texts)).f1 == 1


FILES = {
    "text": lambda path: path.open(encoding="utf-8"),
    "bytes": lambda path: path.open("rb"),
    "StringIO": lambda path: io.StringIO(path.read_text("utf-8")),
    "gzipped": lambda path: io.BytesIO(gzip.compress(path.read_bytes())),
    "gzip.open": lambda path: gzip.GzipFile(fileobj=io.BytesIO(gzip.compress(path.read_bytes()))),
}
TAKES_GRAPHS = {
    "score": lambda a, b: fm.score(a, b).to_dict(),
    "score, preset": lambda a, b: fm.score(a, b, preset="smatch").to_dict(),
    "cdist": lambda a, b: fm.cdist(a, b, metric="wlk").tolist(),
    "cdist, one": lambda a, _: fm.cdist(a, metric="wlk").tolist(),
    "cpdist": lambda a, b: fm.cpdist(a, b, metric="wlk").tolist(),
    "pairs": lambda a, b: fm.pairs(a, b, index_pairs=[[0, 3]], metric="wlk").score.tolist(),
    "top_k": lambda a, b: fm.top_k(a, b, 2, metric="wlk").to_dict(),
    "features": lambda a, _: fm.features(a, metric="wlk").sum(),
    "compare": lambda a, b: fm.compare(a, PRED, b, resamples=10).to_dict(),
    "agreement": lambda a, b: fm.agreement([a, b]).to_dict(),
    "aspects": lambda a, b: fm.aspects(a, b).to_dict(),
    "aspects, tool": lambda a, b: fm.aspects(a, b, preset="tool").to_dict(),
    "html": lambda a, b: fm.pages.html(a, b, names=["a", "b"]),
    "search_space": lambda a, b: [s.log10.tolist() for s in studies.search_space(a, b, ["smatch", "wlk"])],
    "rare": lambda a, _: str(rare.generate(a, ["test"]).splits[0].rewired),
    "ranking": lambda a, b: str(studies.ranking([a, GOLD], b, ["smatch", "wlk"])),
    "principles": lambda a, b: str(principles.principles(a, b, "sembleu/tool", runs=2, probes=2)),
}


@pytest.mark.parametrize(
    ("name", "kind"), [*(("score", kind) for kind in FILES), *((name, "bytes") for name in TAKES_GRAPHS)]
)
def test_an_open_file_is_the_file_and_not_its_lines(name: str, kind: str) -> None:
    pred, gold = (FILES[kind](path) for path in (PRED, GOLD))
    with pred, gold:
        assert repr(TAKES_GRAPHS[name](pred, gold)) == repr(TAKES_GRAPHS[name](PRED, GOLD))


def test_other_open_files(own_data):
    assert fm.align(io.StringIO("(a / b)"), io.BytesIO(b"(c / b)")).mapping == {"a": "c"}
    fails(fm.ReadError, r"^<stream>:1:7: ", fm.score, io.StringIO("(a / b"), "(a / b)")
    fails(TypeError, "parse takes text; read takes an open file, such as this StringIO", fm.parse, io.StringIO("x"))
    for columns in ({"completions": io.StringIO("x"), "amr": ["x"]}, {"completions": ["x"], "amr": io.StringIO("x")}):
        fails(fm.OptionError, r"expected a list of texts, found <_io\.StringIO", GraphReward(), **columns)
    path = next(own_data.glob("*.umr"))
    with path.open("rb") as one, path.open(encoding="utf-8") as two:
        assert fm.umr.score(one, [two]).to_dict()["documents"][0] is not None
    with path.open("rb") as file:
        assert fm.umr.read(file) == fm.umr.read(path)


def test_what_is_no_graphs_is_said():
    for wrong in (None, 3, b"(a / cat)", fm.parse("(a / cat)")[0]):
        fails(TypeError, f"parse takes a string, .* not {type(wrong).__name__}", fm.parse, wrong)
        fails(TypeError, f"standardize takes a Corpus, .* not {type(wrong).__name__}", fm.standardize, wrong, "reify")


def test_a_number_that_no_float_can_hold():
    assert fm.score("(a / b)", "(a / b)", time_limit=10**400).f1 == 1  # no limit
    fails(fm.OptionError, "time_limit=-inf: expected seconds", fm.score, "(a / b)", "(a / b)", time_limit=-(10**400))


@pytest.mark.parametrize("library", ["pandas", "polars", "pyarrow"])
def test_a_column_of_a_table(library: str) -> None:
    """Series and Arrow columns, of texts and of None where there is no graph."""
    module = pytest.importorskip(library, reason=f"{library} is not installed")
    texts = ["(a / b)", "(c / d :e 1)"]
    made = getattr(module, {"pandas": "Series", "polars": "Series", "pyarrow": "array"}[library])
    assert fm.score(made(texts), texts).f1 == 1 and fm.cdist(made(texts), metric="wlk").shape == (2, 2)
    assert len(fm.score(made([texts[0], None]), texts, on_error="empty").problems) == 1
    if library == "pyarrow":
        assert fm.score(module.chunked_array([texts[:1], texts[1:]]), texts).f1 == 1


@pytest.mark.parametrize("library", ["pandas", "polars", "pyarrow"])
def test_a_whole_table_is_refused(library: str) -> None:
    """Its columns' names would be read as graphs."""
    module = pytest.importorskip(library, reason=f"{library} is not installed")
    table = {"pandas": "DataFrame", "polars": "DataFrame", "pyarrow": "table"}[library]
    made = getattr(module, table)({"pred": ["(a / b)"], "gold": ["(a / c)"]})
    said = "not a table: one of its columns 'pred', 'gold'"
    fails(TypeError, f"pred: expected a column of graphs, {said}", fm.score, made, made, on_error="empty")
    fails(TypeError, f"parse takes a column of texts, {said}", fm.parse, made)
    assert fm.score(made["pred"], made["gold"]).f1 == 0.5


def test_bytes_are_text():
    assert fm.score(b"(a / cat)", "(a / cat)").f1 == 1.0
    assert fm.score("# ::snt \u732b\n(a / \u732b)".encode(), ["(b / \u732b)"]).f1 == 1.0
    fails(fm.ReadError, "pred:1:2: byte 0xff is not UTF-8", fm.score, b"(\xff / cat)", "(a / cat)")


def test_graphs_of_networkx():
    networkx = pytest.importorskip("networkx")
    graph = networkx.DiGraph()
    graph.add_node("a", label="cat", polarity="-")
    graph.add_node("b", label="big")
    graph.add_edge("a", "b", role="mod")
    text = "(a / cat :polarity - :mod (b / big))"
    for given in (graph, [graph], (graph,)):
        found = fm.score(given, text, top="none")
        assert (found.matched, found.n_pred, found.n_gold) == (4, 4, 4)
    assert fm.align(graph, graph).mapping == {"a": "a", "b": "b"}
    assert fm.cdist([graph, fm.parse(text)[0]], metric="wlk").shape == (2, 2)
    message = r"pred\[0\]: the edge from 1 to 2 has no 'role'.*Corpus.from_networkx reads"
    fails(fm.OptionError, message, fm.score, networkx.DiGraph([(1, 2)]), text)
    fails(fm.OptionError, "a graph without directions", fm.score, networkx.path_graph(3), text)
