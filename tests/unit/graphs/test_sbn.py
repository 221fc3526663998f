"""Box notation by default: which documents a text holds, which graph each is, and what is wrong with the others."""

import io

import pytest

import fastmatch as fm

from support.readback import spelled
from support.refusal import fails

RELEASE = """%%% ::id p1
%%% made by hand
male.n.02 Name "Al B"     % Al B [0-4]
NEGATION <1               % does not [5-13]
know.v.01 Experiencer -1 Proposition >1
CONTINUATION <0
red.a.01 AttributeOf +1   % the red car
car.n.01 Quantity 2

%%% ::id p2
rain.v.01
"""
LINES = """male.n.02 Name "Al B" NEGATION <1 know.v.01 Experiencer -1
rain.v.01
dog.n.01 bark.v.01 Agent -1 Time +1 time.n.08 EQU now
"""


def triples(text: str, dialect: str = "sbn") -> list[str]:
    (graph,) = fm.parse([text], dialect=dialect)
    return spelled(graph.triples).split("; ")


def test_lenient() -> None:
    assert "; ".join(triples("dog.n.01 Agent -7 Name Rex", "sbn-lenient")) == (
        'b0 :instance box; b0 :member s0; s0 :instance synset; s0 :lemma "dog"; s0 :pos "n"; s0 :Agent c1; s0 :Name '
        'c0; c0 :instance "Rex"; c1 :instance "-7"'
    )


@pytest.mark.parametrize(
    ("text", "sizes"),
    [
        (LINES, [2, 1, 3]),
        (LINES.replace("\n", "\r\n"), [2, 1, 3]),
        ("\n\n".join(LINES.splitlines()), [2, 1, 3]),
        (RELEASE, [4, 1]),
        ("dog.n.01\nbark.v.01 Agent -1\n", [2]),
        ("dog.n.01 % a dog\ncat.n.01", [2]),
        ("dog.n.01\ncat.n.01\n", [1, 1]),
        ("dog.n.01\n\ncat.n.01\n", [1, 1]),
        ("dog.n.01\nNEGATION <1\ncat.n.01\n\nrain.v.01\n", [2, 1]),
        ("The dog\tdog.n.01 bark.v.01 Agent -1\nRain\train.v.01\n", [2, 1]),
        ("# ::id 1\ndog.n.01 cat.n.01\n# ::id 2\nrain.v.01\n", [2, 1]),
        ("", []),
        ("%%% nothing\n\n", []),
    ],
)
def test_documents_of_a_text(text: str, sizes: list[int]) -> None:
    """Line by line or in blocks, as most of its lines say."""
    assert [sum(target != "box" for *_, target in graph.instances) for graph in fm.parse(text, dialect="sbn")] == sizes


def test_one_text_is_one_document() -> None:
    """A text of a list, whatever lines it has."""
    assert len(triples("dog.n.01\n\n\nbark.v.01 Agent -1\n")) == len(triples("dog.n.01 bark.v.01 Agent -1\n")) == 6
    with pytest.raises(fm.ReadError, match=r"<string 0>:1:10: a second concept in a line, 'cat.n.01'"):
        fm.parse(["dog.n.01 cat.n.01\nbark.v.01"], dialect="sbn")


def test_an_empty_line_is_a_document_that_failed() -> None:
    """Line by line: what a parser left out keeps its place."""
    text = "dog.n.01 cat.n.01\n\ndog.n.01 bark.v.01 Agent -1\ndog.n.01 cat.n.01\n"
    corpus = fm.parse(text, dialect="sbn", on_error="empty")
    assert len(corpus) == 4
    assert corpus.problems == ((1, "<string>:2:1: an empty document; expected a concept, such as dog.n.01"),)
    fails(fm.ReadError, ":2:1: an empty document", fm.parse, text, dialect="sbn")
    assert len(fm.parse(text, dialect="sbn", on_error="skip")) == 3


def test_what_stands_before_a_tab_is_kept_as_a_comment() -> None:
    corpus = fm.parse("p1/d2\tThe dog\tdog.n.01 run.v.01 Agent -1\nrain.v.01\tTime now\n", dialect="sbn")
    assert corpus[0].comments == "# p1/d2\tThe dog" and [len(graph.triples) for graph in corpus] == [6, 4]


@pytest.mark.parametrize(
    ("text", "place", "message"),
    [
        ("dog.n.01 Barker -1", 10, "'Barker' is no concept (lemma.pos.number), role, operator or box word"),
        ("dog.n.01 agent -1", 10, "'agent' is no concept"),
        ("dog.n.01x", 1, "'dog.n.01x' is no concept"),
        ("dog.s.01", 1, "'dog.s.01' is no concept"),
        ("(b / box)", 1, "'(b' is no concept (lemma.pos.number), role, operator or box word; this seems to be Penman"),
        ("dog.n.01 Agent", 10, "'Agent' has no target; expected an index, a constant or a name in quotes"),
        ("dog.n.01 Agent cat.n.01", 10, "'Agent' has no target"),
        ("dog.n.01 Agent -1", 16, "the index '-1' points to no concept"),
        ("dog.n.01 Agent +1 NEGATION <1", 16, "the index '+1' points to no concept"),
        ("dog.n.01 Agent +0", 16, "the edges make a cycle here"),
        ("dog.n.01 Agent +1 cat.n.01 Theme -1", 34, "the edges make a cycle here"),
        ("Agent -1 dog.n.01", 1, "a role before the first concept"),
        ('dog.n.01 Name "Rex', 15, "a name without a closing quote"),
        ('dog.n.01 Name "', 15, "a name without a closing quote"),
        ("dog.n.01 NEGATION", 10, "'NEGATION' has no index; expected one of a box, such as <1"),
        ("dog.n.01 NEGATION cat.n.01", 10, "'NEGATION' has no index"),
        ("dog.n.01 NEGATION x", 19, "'x' is no index of a box; expected one such as <1"),
        ("dog.n.01 NEGATION <1x", 19, "'<1x' is no index of a box"),
        ("dog.n.01 NEGATION >5", 10, "'NEGATION' points to nothing that is there"),
        ("dog.n.01 Agent >1", 16, "'>1' points to nothing that is there"),
        ("dog.n.01 EQU <5", 14, "an operator cannot point to a box, as '<5' does"),
        ("\u6771.n.01 \u6771 Agent", 8, "'\u6771' is no concept"),
        ("%%% a\n", 1, "expected a graph, found none"),
        (f"dog.n.01 {'x' * 2000}", 10, f"'{'x' * 60}' is no concept"),
    ],
)
def test_what_is_wrong_and_where(text: str, place: int, message: str) -> None:
    caught = fails(fm.ReadError, None, fm.parse, [text], dialect="sbn")
    assert caught.message.startswith(message)
    assert (caught.column, caught.line) == (place, 2 if text.endswith("\n") else 1)
    file = f"dog.n.01 cat.n.01\n{text.rstrip()}\nrain.v.01\n"
    if not text.startswith("%"):
        emptied = fm.read(io.StringIO(file), dialect="sbn", on_error="empty")
        assert [number for number, _ in emptied.problems] == [1]
        assert emptied.problems[0][1].startswith(f"<stream>:2:{place}: {message}")
        assert len(emptied[0].triples) == 5 and len(emptied[2].triples) == 3
        assert len(fm.read(io.StringIO(file), dialect="sbn", on_error="skip")) == 2
        assert len(fm.read(io.StringIO(file), dialect="sbn", on_error="repair")) == 3


@pytest.mark.parametrize(
    ("text", "default", "program"),
    [
        # two edges from one node to another: a graph that knows an edge by its ends keeps one
        ("a.n.01 b.v.01 Agent -1 Theme -1", ["s1 :Agent s0", "s1 :Theme s0"], ["s1 :Theme s0"]),
        ("a.n.01 b.n.01 Quantity -1.5", ['s1 :Quantity "-1.5"'], ["s1 :Quantity s0"]),
        ("a.n.01 CONTINUATION <0 b.v.01", ["b1 :member s1"], []),
        ('a.n.01 Name "b.n.01 c"', ['s0 :Name "b.n.01 c"'], None),
        ('a.n.01 Name "50 % d"', ['s0 :Name "50 % d"'], None),
        ("a.n.01 NEGATION x b.n.01", None, ["b0 :member s1"]),
        ("a.n.01x b.n.01", None, ["b0 :member s1"]),
        ("a.n.01\n% b\nc.n.01", ["b0 :member s1"], None),
        ("a.n.01 TOP b", ['s0 :TOP "b"'], []),
        ('a.n.01 ColourOf "b"', ['s0 :Colour-of "b"'], []),
    ],
)
def test_where_the_default_differs(text: str, default: list[str] | None, program: list[str] | None) -> None:
    """As docs/reading.md says."""
    first = {"b0 :member s0"}
    for dialect, wanted in (("sbn", default), ("sbn-pmb5", program)):
        if wanted is None:
            fails(fm.ReadError, None, triples, text, dialect)
            continue
        found = [triple for triple in triples(text, dialect) if ":instance" not in triple]
        assert set(found) - first - {"b0 :member s1"} == set(wanted) - {"b0 :member s1"} and set(wanted) <= set(found)


def test_depth_is_a_part_of_the_concepts_of_pmb5() -> None:
    """Also where a tab for each level would make the text quadratic: equal depths stay equal, others differ."""
    (graph,) = fm.parse([" ".join(["a.n.01 Agent +1"] * 300 + ["a.n.01"])], dialect="sbn-pmb5")
    concepts = [target for _, role, target in graph.triples if role == ":instance"]
    assert concepts[:3] == ["box_\t", "a.n.01_\t\t", "a.n.01_\t\t\t"] and concepts[-1] == "a.n.01_"
    assert len(set(concepts)) == 302 and max(map(len, concepts)) < 90


def test_every_metric_takes_them() -> None:
    pred, gold = (fm.parse(text, dialect="sbn") for text in (RELEASE.replace("car", "bus"), RELEASE))
    gold = gold.detached(pred.vocabulary)
    for metric in ("smatch", "smatch++", "s2match", "sembleu", "sema", "rematch", "wlk", "wwlk", "ancast"):
        assert 0 < fm.score(pred, gold, metric=metric).score < 1
        assert fm.score(gold, gold, metric=metric).score == pytest.approx(1)
    with pytest.raises(fm.OptionError, match=r"preset 'pmb5' needs graphs as pmb5 reads them.*dialect='sbn-pmb5'"):
        fm.score(pred, gold, preset="pmb5")


def test_two_documents_that_cannot_be_read_score_nothing_under_a_preset() -> None:
    """As the scripts count them; by default two empty graphs are equal."""
    bad, good = ["dog.n.01 Agent", "dog.n.01"], ["dog.n.01 Theme", "dog.n.01"]
    result = fm.score(bad, good, preset="pmb5", on_error="empty")
    assert result.pairs.score.tolist() == [0, 1] and (result.macro.f1, result.micro.f1) == (0.5, 1)
    assert fm.score(bad[:1], good[:1], preset="pmb5", on_error="empty").micro.f1 == 0
