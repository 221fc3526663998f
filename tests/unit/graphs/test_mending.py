"""``on_error="repair"``: what is broken is mended in its place, what is whole stays, nothing changes places."""

import io
import pickle
from random import Random

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

import fastmatch as fm
from fastmatch.graphs.dialects import DIALECTS
from fastmatch.graphs.repairing import RULES

from support.mutation import SAMPLE, mutated
from support.nightly import NIGHT

FILE = """# ::id 1
(a / b :x (c / d)

# ::id 2
(e / f)) :y

junk here

(i / j :x)
# ::id 9
(k / l
   :y (m / n
# ::id 10
(o / p)
"""

PIECES = [
    *'()/:"~#\\ ab1,-\n\r\x00é狗🐕',
    *(" / ", "(a / b", "c / d", ":ARG0 ", ":x (", "(b / c)", "\n\n", "\n(", "# ::id 1\n"),
]
TEXTS = st.lists(st.sampled_from(PIECES), max_size=30).map("".join)


def test_a_file_is_mended_graph_by_graph(tmp_path):
    path = tmp_path / "pred.amr"
    path.write_text(FILE, encoding="utf-8")
    corpus = fm.read(path, on_error="repair")
    assert [graph.encode(indent=None) for graph in corpus] == [
        "# ::id 1\n(a / b :x (c / d))", "# ::id 2\n(e / f)", "()", "(i / j :x amr-empty)",
        "# ::id 9\n(k / l :y (m / n))", "# ::id 10\n(o / p)",
    ]  # fmt: skip
    told = " ".join(f"{graph} {rule}{place.removeprefix(str(path))}" for graph, rule, place in corpus.repairs)
    assert told == "0 unclosed:2:18 1 text-after:5:8 3 missing-target:9:10 4 unclosed:12:13"
    assert corpus.problems == ((2, f"{path}:7:1: expected '(' or a comment outside a graph, found 'junk'"),)
    assert "1 unreadable, 4 repaired" in repr(corpus)
    assert corpus.lines.tolist() == fm.read(path, on_error="empty").lines.tolist()
    for source in (io.StringIO(FILE), io.BytesIO(b"\xef\xbb\xbf" + FILE.encode()), io.BytesIO(FILE.encode())):
        again = fm.read(source, on_error="repair")
        assert again == corpus and [one[:2] for one in again.repairs] == [one[:2] for one in corpus.repairs]


def test_places_in_files_of_one_line_and_with_other_line_ends():
    text = "(é / b :x) (c / d) (狗 / f :z) (c / d)) :x"
    found = fm.parse(text, on_error="repair").repairs
    assert " ".join(f"{graph}{place}" for graph, _, place in found) == "0<string>:1:10 2<string>:1:29 3<string>:1:38"
    for end in ("\n", "\r\n", "\r"):
        text = end.join(("(a / b)", "", "(c / d", "   :x (e / f", "", "(g / h)"))
        assert [place for *_, place in fm.parse(text, on_error="repair").repairs] == ["<string>:4:13"]


def test_texts_are_mended_one_by_one():
    texts = ["(a / b", "(c / d)", "no graph", "(b / boy :x (b / ball))", None, "(a / b :x)", float("nan"), ""]
    corpus = fm.parse(texts, on_error="repair")
    told = " ".join(f"{rule}{place}" for _, rule, place in corpus.repairs)
    assert told == "unclosed<string 0>:1:7 repeated-variable<string 3>:1:14 missing-target<string 5>:1:10"
    assert [one.graph for one in corpus.repairs] == [0, 3, 5]
    assert [graph for graph, _ in corpus.problems] == [2, 4, 6, 7]
    assert corpus[3].triples == [("b", ":instance", "boy"), ("b", ":x", "b2"), ("b2", ":instance", "ball")]
    assert fm.parse(iter(texts), on_error="repair") == corpus


def test_comments_of_a_mended_text_stay():
    assert fm.parse(["# ::id 7\n(a / b", "Here: # ::id\n(c / d)"], on_error="repair").ids == ["7", None]


@given(st.lists(TEXTS | st.none(), max_size=5))
@example(["(a / b : c)"])
@example(["(/ b)", "(a / b :x (a))"])
def test_a_text_gives_what_repair_makes_of_it(texts):
    corpus = fm.parse(texts, on_error="repair")
    assert len(corpus) == len(texts)
    plain = fm.parse([None if text is None else fm.repair(text).text for text in texts], on_error="empty")
    assert corpus == plain and [graph for graph, _ in corpus.problems] == [graph for graph, _ in plain.problems]
    invalid = {graph for graph, _ in corpus.problems}
    assert [(graph, rule) for graph, rule, _ in corpus.repairs] == [
        (k, rule)
        for k, text in enumerate(texts)
        if text is not None and k not in invalid
        for rule, _ in fm.repair(text).repairs
    ]


@given(TEXTS)
@example("(a / b :x\n(c / d)\n)\n\n(e / f)")
def test_a_file_keeps_places_and_what_is_whole(text):
    """The file is divided as with ``"empty"``; graphs that are not mentioned are the same, comments always."""
    empty, mended = fm.parse(text, on_error="empty"), fm.parse(text, on_error="repair")
    assert len(empty) == len(mended) and empty.ids == mended.ids and empty.lines.tolist() == mended.lines.tolist()
    assert empty.comments.tobytes() == mended.comments.tobytes()
    invalid, repaired = {g for g, _ in mended.problems}, {one.graph for one in mended.repairs}
    assert not invalid & repaired and {g for g, _ in empty.problems} <= invalid | repaired
    for k, (before, after) in enumerate(zip(empty, mended, strict=True)):
        if k not in repaired:
            assert before == after
    mended.validate()


@pytest.mark.parametrize("dialect", DIALECTS)
def test_damaged_corpora_keep_their_places(dialect):
    """Every dialect; the positions of the graphs that were not damaged are where they were."""
    random = Random(dialect)
    for _ in range(25 if NIGHT else 8):
        texts = [bytes(block).decode("utf-8", "replace") for block in random.sample(SAMPLE, 8)]
        broken = {random.randrange(8) for _ in range(3)}
        damaged = list(texts)
        for k in sorted(broken):
            damaged[k] = mutated(random, texts[k].encode()).decode("utf-8", "replace")
        whole = fm.parse(texts, dialect=dialect, on_error="empty")
        found = fm.parse(damaged, dialect=dialect, on_error="repair").validate()
        assert len(found) == 8
        lost = {g for g, _ in whole.problems}
        for k in set(range(8)) - broken - lost:
            assert found[k] == whole[k]
        assert {g for g, _ in found.problems} <= broken | lost
        file = "\n\n".join(damaged)
        emptied, mended = (fm.parse(file, dialect=dialect, on_error=mode) for mode in ("empty", "repair"))
        assert len(emptied) == len(mended) and mended.ids == emptied.ids
        assert fm.parse(file.encode().decode(), dialect=dialect, on_error="repair") == mended


def test_bytes_that_are_no_text_cannot_be_mended():
    corpus = fm.read(io.BytesIO(b"(a / b\n\n(c / \xff\n\n(e / f"), on_error="repair")
    assert [graph for graph, _ in corpus.problems] == [1] and [one.graph for one in corpus.repairs] == [0, 2]
    corpus.validate()
    corpus = fm.read(io.BytesIO(b"# ::snt \xff\n(a / b"), on_error="repair").validate()
    assert [graph for graph, _ in corpus.problems] == [0]


def test_repairs_go_with_their_graphs(tmp_path):
    corpus = fm.parse(FILE, on_error="repair")
    graphs = [one.graph for one in corpus.repairs]
    assert graphs == [0, 1, 3, 4]
    assert [one.graph for one in corpus[1:4].repairs] == [0, 2]
    assert [one[:2] for one in corpus[[4, 0, 2, 4]].repairs] == [(k, "unclosed") for k in (0, 1, 3)]
    assert [one.graph for one in (corpus + corpus).repairs] == [*graphs, *(len(corpus) + g for g in graphs)]
    assert pickle.loads(pickle.dumps(corpus)).repairs == corpus.repairs and corpus.detached().repairs == corpus.repairs
    corpus.save(tmp_path / "x.fastmatch")
    assert fm.Corpus.load(tmp_path / "x.fastmatch").repairs == corpus.repairs
    with pytest.raises(fm.ReadError, match="repair of a graph that does not exist"):
        corpus.with_columns(repairs=(corpus.repairs[0]._replace(graph=6),)).validate()


def test_a_graph_lost_in_a_repair_is_named():
    corpus = fm.parse("(a / b)) (c / d)\n\n(e / f)\n\nno graph", on_error="repair")
    assert len(corpus) == 3
    assert corpus.repairs == ((0, "text-after", "<string>:1:8"), (0, "second-graph", "<string>:1:10"))
    message = r"another graph seems to begin, which is lost \(graph 0: <string>:1:10\)"
    with pytest.warns(fm.PairingWarning, match=message):
        fm.score(corpus, fm.parse(["(a / b)"] * 3))
    # a role that waits swallows what follows
    corpus = fm.parse("(a / b :x\n(c / d)\n", on_error="repair")
    assert [rule for _, rule, _ in corpus.repairs] == ["second-graph", "unclosed"]
    assert "second-graph" not in RULES


@pytest.mark.parametrize(
    "text",
    [
        "Here is the graph:\n(a / b)",  # text before a graph is no graph
        "(a / b :x c / d) :y (e / f))",  # the bracket before c is missing, so what follows d seems to stand outside
        "(a / b)) That is (I think) it.",
    ],
)
def test_what_only_looks_like_a_second_graph(text):
    (one,) = {one.graph for one in fm.parse(f"{text}\n\n(g / h)", on_error="repair").repairs}
    assert one == 0 and "second-graph" not in {one.rule for one in fm.parse(text, on_error="repair").repairs}


@pytest.mark.parametrize("damage", range(6))
def test_files_of_language_models_keep_their_places(damage):
    """The damage that language models do, in blocks with an empty line between them: nothing moves."""
    blocks = [block.decode().strip() for block in SAMPLE if b"(" in block]
    for seed in range(20):
        random = Random(seed)
        texts = random.sample(blocks, 12)
        broken = {random.randrange(12) for _ in range(3)}
        damaged = [_damaged(random, text, damage) if k in broken else text for k, text in enumerate(texts)]
        whole, mended = fm.parse(texts), fm.parse("\n\n".join(damaged), on_error="repair")
        assert len(mended) == 12 and mended.ids == whole.ids and not mended.problems
        assert "second-graph" not in {one.rule for one in mended.repairs}
        for k in set(range(12)) - broken:
            assert mended[k] == whole[k]


def _damaged(random: Random, text: str, damage: int) -> str:
    start = text.index("\n(") + 1
    closing = random.choice([k for k in range(start, len(text)) if text[k] == ")"])
    opening = random.choice([k for k in range(start + 1, len(text)) if text[k] == "("] or [start])
    return [
        text[: start + 1 + random.randrange(len(text) - start)],  # cut off
        f"{text}))",
        f"{text}\nThat is the graph.",
        f"{text[:start]}Here is the graph:\n{text[start:]}",
        text[:closing] + text[closing + 1 :],
        text[:opening] + text[opening + 1 :],
    ][damage]


@pytest.mark.parametrize("piece", ["(a / b :x (c / d\n\n", "(a / b)) ", "(a / b :x) ", "x (a / b) y\n"])
def test_long_files(piece):
    """Mending that went through the whole file for each graph would take hours here."""
    corpus = fm.parse(piece * 6_000, on_error="repair")
    assert len(corpus.repairs) >= 6_000 or len(corpus) <= 6_001
