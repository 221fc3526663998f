"""Where graphs are read from, and what no input may do."""

import io
import pickle
from pathlib import Path

import pytest

from fastmatch import OptionError, ReadError, parse, read, score

from support.refusal import fails


def test_an_error_names_file_line_and_column(tmp_path: Path) -> None:
    path = tmp_path / "broken.amr"
    path.write_text("(a / x)\n\n(b / y :ARG0 (c / z\n", encoding="utf-8")
    error = fails(ReadError, None, read, path)
    assert str(error).startswith(f"{path}:3:") and "\n" not in str(error)
    assert str(pickle.loads(pickle.dumps(error))) == str(error)
    assert len(read(path, on_error="skip")) == 1
    emptied = read(path, on_error="empty")
    assert len(emptied) == 2 and [g for g, _ in emptied.problems] == [1]


TEXT_OF_ALL = '(w / want-01 :ARG0 (b / boy :name "Al B") :ARG0-of b :mod b :consist-of (g / gas))'


@pytest.mark.parametrize(
    ("dialect", "expected"),
    [
        ("penman", 'w :ARG0 b, b :name "Al B", b :ARG0 w, w :mod b, w :consist-of g'),
        ("smatch", "b :name Al, w :ARG0 b, w :consist-of g, b :ARG0 w, b :domain w"),
        ("sema", "b :name Al, w :ARG0 b, w :consist-of g, b :ARG0 w, b :domain w"),
        ("damonte", "b :name Al, w :ARG0 b, w :ARG0-of b, w :mod b, g :consist w"),
        ("amrsuite", "b :name Al, w :mod b, g :consist w"),
        ("amrsuite-unmarked", "b :name Al, w :mod b, g :consist w"),
        ("smatchpp", 'w :ARG0 b, b :name "Al B", w :ARG0-of b, w :mod b, w :consist-of g'),
        ("wlk", 'w :ARG0 b, b :name "Al B", w :ARG0-of b, w :mod b, w :consist-of g'),
    ],
)
def test_one_graph_in_every_dialect(dialect: str, expected: str) -> None:
    """The table of docs/reading.md."""
    graph = parse(TEXT_OF_ALL, dialect=dialect)[0]
    assert [" ".join(map(str, triple)) for triple in graph.triples if triple[1] != ":instance"] == expected.split(", ")
    assert graph.top == "w" and len(graph.instances) == 3


def test_an_unknown_dialect_is_named_with_those_there_are() -> None:
    fails(OptionError, r"dialect='amr': expected one of 'penman', 'smatch', .*'tsv'", parse, "(a / x)", dialect="amr")


def test_lone_surrogates_are_kept():
    """A str may hold half of a pair, which no UTF-8 has; it is no reason to lose a graph."""
    corpus = parse('(a / "\ud800x")\n')
    assert corpus[0].triples == [("a", ":instance", '"\ud800x"')] and score(corpus, corpus).f1 == 1


def test_a_role_of_the_model_that_ends_in_of():
    assert parse("(a / b :prep-on-behalf-of (c / d))")[0].relations == [("a", ":prep-on-behalf-of", "c")]
    assert parse("(a / b :prep-on-behalf-go-of (c / d))")[0].relations == [("c", ":prep-on-behalf-go", "a")]


def test_a_concept_may_come_by_a_role():
    """As in penman: the usual place of a concept holds no triple, so the places of those behind it are not moved."""
    graph = parse("(a / b)\n\n(a :A 2~1 :instance b :B (c / d :C (e / f :instance-of c)) :D (f :instance 3))")[1]
    expected = "a A 2; a instance b; a B c; c instance d; c C e; e instance f; c instance e; a D f; f instance 3"
    assert "; ".join(" ".join(triple).replace(":", "") for triple in graph.triples) == expected
    assert graph.alignments == {("a", ":A", "2"): (1,)}


def test_what_umr_takes_for_a_variable():
    """``s``, digits, letters, perhaps digits; where no node has that name, the relation is left out."""
    text = "(s1a / b :A s1b :B s1b2 :C s12abc34 :D s :E s12 :F sx :G s1b2x :H t1b)"
    values = [(role, value) for _, role, value in parse(text, dialect="ancast-umr")[0].attributes]
    assert values == [(":D", "s"), (":E", "s12"), (":F", "sx"), (":G", "s1b2x"), (":H", "t1b")]


@pytest.mark.parametrize("vocabulary", ["pred.amr", 3, {}])
def test_what_is_no_vocabulary_is_a_type_error(vocabulary: object):
    for reads, source in ((parse, "(a / b)"), (parse, ["(a / b)"]), (read, io.StringIO("(a / b)"))):
        fails(TypeError, r"^vocabulary: expected a Vocabulary, found ", reads, source, vocabulary=vocabulary)


def test_a_fence_says_how_answers_are_read():
    fails(ReadError, r"found '```amr'; fm\.extract \(--extract", parse, "```amr\n(a / b)\n```")


@pytest.mark.parametrize("workers", [1, 2])
@pytest.mark.skipif(not Path("/proc/self/mem").exists(), reason="needs a file that opens and cannot be read")
def test_what_fails_while_reading_names_the_file(workers: int):
    fails(OSError, "'/proc/self/mem'", read, "/proc/self/mem", workers=workers)
