"""The two dialects of Chinese AMR: what each reads, what it refuses, and where."""

import io

import pytest

import fastmatch as fm

from support.mutation import CAMR, CAMR_ROWS
from support.readback import spelled
from support.refusal import fails

ROOT = "1\tx0\troot\t-\t:top\t-\t-\tx1\ta\t-\n"
HEADER = "# ::id export_amr.7 ::cid export_amr.7\n# ::wid x1_他 x2_说 x3_她 x4_来们\n"


def rows(*lines: str) -> str:
    return "".join("\t".join(line.split()) + "\n" for line in lines)


def triples(text: str, dialect: str = "camr-tuples") -> list[tuple[str | None, str, str | None]]:
    (graph,) = fm.parse(text, dialect=dialect)  # type: ignore[arg-type]
    return graph.triples


def text(body: str) -> list[tuple[str | None, str, str | None]]:
    return triples(HEADER + body, "camr")


# ---------------------------------------------------------------- tables


def test_a_row_is_a_relation_with_both_its_ends() -> None:
    found = triples(rows("1 x0 root - :top - - x4 喝-01 -", "1 x4 喝-01 - :arg1 x2 把 x3 水 x4"))
    assert spelled(found) == "x4 :instance 喝-01; x4 :arg1 x3; x3 :instance 水; x4 :x2=把 x3; x3 :coref x4"


@pytest.mark.parametrize(
    ("role", "expected"),
    [
        (":arg0", [("x1", ":arg0", "x2")]),
        (":arg0-of", [("x2", ":arg0", "x1")]),
        (":arg0-of-of", [("x2", ":arg0-of", "x1")]),
        (":consist-of", [("x1", ":consist-of", "x2")]),
        (":Consist-of", [("x2", ":Consist", "x1")]),
        (":prep-out-of", [("x2", ":prep-out", "x1")]),
        (":arg0-OF", [("x1", ":arg0-OF", "x2")]),
        (":-of", [("x2", ":", "x1")]),
        ("-", []),
        (":", []),
        ("arg0", []),
        ("arg0-of", []),
        (":a=b%c", [("x1", ":a%1b%0c", "x2")]),
    ],
)
def test_roles(role: str, expected: list[tuple[str, str, str]]) -> None:
    assert [t for t in triples(rows(f"1 x1 a - {role} - - x2 b -")) if t[1] != ":instance"] == expected


def test_a_word_is_never_a_role() -> None:
    assert [t[1] for t in triples(rows("1 x1 a - :x3=的 x3 的 x2 b -")) if t[1] != ":instance"] == [":x3%1的", ":x3=的"]
    for place, word in (("x3", "-"), ("-", "的"), ("-", "-")):
        assert len(triples(rows(f"1 x1 a - :r {place} {word} x2 b -"))) == 3
    assert triples("1\tx1\ta\t-\t:r\t\t的\tx2\tb\t-\n")[-1] == ("x1", ":=的", "x2")


def test_an_id_with_another_concept_is_another_node() -> None:
    """Each time; up to ten of them, and then the first again."""
    lines = [f"1 x1 a - :r - - x2 {'b' if k == 0 else 'c'} -" for k in range(13)]
    (graph,) = fm.parse(rows(*lines), dialect="camr-tuples")
    assert graph.variables == ("x1", "x2", *("x" * k + "x2" for k in range(1, 11)))
    assert [t[2] for t in graph.triples if t[1] == ":instance"] == ["a", "b", *"c" * 10]
    assert [t[2] for t in graph.triples if t[1] == ":r"] == [*graph.variables[1:], "x2", "x2"]


def test_the_root() -> None:
    table = rows("1 x1 a - :r - - x2 b -", "1 x0 root - :top x9 的 x2 b x1", "1 y root - :top - - x1 a -")
    (first,) = fm.parse(table, dialect="camr-tuples")
    assert first.top == "x2" and first.triples[2:] == [("x2", ":instance", "b"), ("x2", ":coref", "x1")]
    assert fm.parse(rows("1 x1 a - :r - - x2 b -"), dialect="camr-tuples")[0].top == "x1"
    for concept, role in (("Root", ":top"), ("root", ":TOP"), ("root", "top")):
        assert ("x0", ":instance", concept) in triples(rows(f"1 x0 {concept} - {role} - - x1 a -"))


@pytest.mark.parametrize(
    ("lines", "targets"),
    [
        (("1 x1 a x2 :r - - x2 b -", "1 x1 a x2 :s - - x2 b -"), ["x2"]),
        (("1 x1 a - :coref - - x2 b -", "1 x1 a x2 :s - - x2 b -"), ["x2"]),
        (("1 x1 a x2 :s - - x2 b -", "1 x1 a - :coref - - x2 b -"), ["x2", "x2"]),
        (("1 x2 b - :coref-of - - x1 a -", "1 x1 a x2 :s - - x2 b -"), ["x2"]),
        (("1 x1 a x2 :s - - x2 b -", "1 x1 a x3 :s - - x3 c x3"), ["x2", "x3", "x3"]),
    ],
    ids=["in two rows", "a role before", "a role behind", "a role turned round", "of two nodes"],
)
def test_co_references_count_once(lines: tuple[str, ...], targets: list[str]) -> None:
    assert [target for _, role, target in triples(rows(*lines)) if role == ":coref"] == targets


def test_a_co_reference_to_no_node_is_left_out_with_a_warning(tmp_path) -> None:
    path = tmp_path / "pred.txt"
    one, two = rows("1 x1 a x8 :r - - x2 b -"), rows("2 x1 a - :r - - x2 b x7", "2 x1 a x9 :r - - x2 b -")
    path.write_text(f"{one}\n\n{two}")
    with pytest.warns(fm.ReadWarning) as warned:
        corpus = fm.read(path, dialect="camr-tuples")
    (said,) = (str(one.message) for one in warned)
    assert said == f"{path}: left out 3 co-references to nodes that do not exist (the first on line 1, to 'x8')"
    assert warned[0].filename == __file__
    assert not any(t[1] == ":coref" for graph in corpus for t in graph.triples) and corpus.validate().ids == ["1", "2"]
    with pytest.warns(fm.ReadWarning, match=r"^<string>: left out 1 co-reference .* on line 3, to ''\)$"):
        fm.parse("\n\n1\tx1\ta\t\t:r\t-\t-\tx2\tb\t-", dialect="camr-tuples")
    with pytest.warns(fm.ReadWarning, match=r"^<string>: left out 1 co-reference .* on line 5, to 'x9'\)$"):
        fm.parse(HEADER + "(x1 / a :r()\n(x2 / b :s()\n(x3 / x9)))", dialect="camr")


@pytest.mark.parametrize("end", ["", "\n", "\n\n", "\n \u3000\t\n\n", "\r\n\r\n"])
def test_the_last_graph_counts_whatever_follows_it(end: str) -> None:
    """The program of the shared tasks loses it without an empty line."""
    corpus = fm.parse(f"{ROOT}\n{ROOT.replace('1', '2', 1).strip()}{end}", dialect="camr-tuples")
    assert corpus.ids == ["1", "2"] and [graph.top for graph in corpus] == ["x1", "x1"]


def test_headings_are_passed_over_wherever_they_stand() -> None:
    heading = "sid\tnid1\tc\t-\tr\t-\t-\tnid2\tc\t-\n"
    plain = fm.parse(f"{ROOT}\n{ROOT}", dialect="camr-tuples")
    for text in (f"{heading}{heading}\n{ROOT}\n{ROOT}", f"{ROOT}{heading}\n{heading}\n{heading}{ROOT}{heading}"):
        assert fm.parse(text, dialect="camr-tuples") == plain
        assert fm.parse(text.replace("sid", "句子编号"), dialect="camr-tuples") == plain
    assert len(fm.parse(heading, dialect="camr-tuples")) == 0


def test_eight_columns_are_ten_without_co_reference() -> None:
    ten = rows("1 x0 root - :top - - x1 a -", "1 x1 a - :r x3 的 x2 b -")
    eight = rows("1 x0 root :top - - x1 a", "1 x1 a :r x3 的 x2 b")
    assert fm.parse(eight, dialect="camr-tuples") == fm.parse(ten, dialect="camr-tuples")


def test_a_byte_order_mark_and_all_ends_of_lines() -> None:
    plain = fm.parse(f"{ROOT}{ROOT}\n{ROOT}", dialect="camr-tuples")
    for end in ("\n", "\r", "\r\n"):
        data = f"\ufeff{ROOT}{ROOT}\n{ROOT}".replace("\n", end).encode()
        assert fm.read(io.BytesIO(data), dialect="camr-tuples") == plain


@pytest.mark.parametrize(
    ("given", "line", "column", "message"),
    [
        ("# a comment\n", 1, 1, "expected a row of 10 cells (8 without co-reference) with tabs between them, found 1"),
        (ROOT + "1 x0 root - :top - - x1 a -", 2, 1, "with tabs between them, found 1"),
        (ROOT + ROOT.replace("\t-\n", "\t\n"), 2, 1, "found 9"),
        (ROOT + ROOT.replace("\n", "\t-\n"), 2, 1, "found 11"),
        ("\n" + ROOT + ROOT.replace("1", "2", 1), 3, 1, "a row of sentence '2' in the graph of another one"),
        (ROOT.replace("x1", "xa"), 1, 22, "expected the id of a node, such as x3, x3_x5 or x15_1_2, found 'xa'"),
        (rows("1 x1 a - :r - - x2 b -", "1 - a - :r - - x2 b -"), 2, 3, "found '-'"),
        *(
            (rows(f"1 {odd} a - :r - - x2 b -"), 1, 3, f"found '{odd}'")
            for odd in ("x", "y2", "X2", "x+2", "x-2", "x２", "2_3", "xx2", "xx2_3", "x2_", "x2__x3", "x1_2_x", "x1_x")
        ),
        ("1\tx 2\ta\t-\t:r\t-\t-\tx2\tb\t-", 1, 3, "found 'x 2'"),
        ("1\t\ta\t-\t:r\t-\t-\tx2\tb\t-", 1, 3, "found ''"),
        (ROOT.replace("1", "a::b", 1), 1, 1, "expected the id of a sentence, without '::', found 'a::b'"),
        (rows(f"1 {'x' * 50} a - :r - - x2 b -"), 1, 3, f"found '{'x' * 40}…'"),
    ],
)
def test_errors_of_tables_name_their_place(given: str, line: int, column: int, message: str) -> None:
    found = fails(fm.ReadError, None, fm.parse, given, dialect="camr-tuples")
    assert message in found.message and (found.line, found.column) == (line, column)
    with_others = f"{ROOT}\n{given}\n\n{ROOT}"
    assert fm.parse(with_others, dialect="camr-tuples", on_error="empty").root.tolist() == [0, -1, 0]
    assert len(fm.parse(with_others, dialect="camr-tuples", on_error="skip")) == 2


def test_a_broken_graph_keeps_the_id_of_its_sentence() -> None:
    corpus = fm.parse(f"{ROOT}\n2\tx\n", dialect="camr-tuples", on_error="empty")
    assert corpus.ids == ["1", None]
    corpus = fm.parse(f"{ROOT}\n{ROOT.replace('1', '2', 1)}2\tx\n", dialect="camr-tuples", on_error="empty")
    assert corpus.ids == ["1", "2"]


# ---------------------------------------------------------------- texts


@pytest.mark.parametrize(
    ("body", "concepts"),
    [
        ("(x1 / a b\tc)", "abc"), ('(x1 / "a / (b): c")', "a/(b):c"), ('(x1 / a"b c"d)', "abcd"),
        ("(x1 / a\nb\n  c)", "abc"), ("(x1 / a\u200bb\ufeff)", "ab"), ("(x1 / x光)", "x光"), ("( x1 / a )", "a"),
        ("(x1/a", "a"),
    ],
)  # fmt: skip
def test_concepts_of_texts(body: str, concepts: str) -> None:
    assert text(body) == [("x1", ":instance", concepts)]


@pytest.mark.parametrize(
    ("own", "concept"),
    [
        ("x3", "她"), ("x4_1", "来"), ("x4_2", "们"), ("x4_1_2", "来们"), ("x1_x2", "他说"), ("x4_2_x1", "们他"),
        ("x1_x4_2", "他们"), ("x9", "说-01"), ("x4_3", "说-01"), ("x4_0", "说-01"), ("x1_x9", "说-01"),
    ],
)  # fmt: skip
def test_a_co_reference_has_the_words_that_it_stands_on(own: str, concept: str) -> None:
    """Or, if there are none, the concept of the node that it refers to."""
    assert (own, ":instance", concept) in text(f"(x2 / 说-01 :arg0() ({own} / x2))")


def test_roles_with_and_without_brackets() -> None:
    expected = text("(x2 / a :r() (x1 / b) :s() x1)")
    for body in ("(x2 / a :r (x1 / b) :s x1)", "(x2 / a\n:r\n(x1 / b)\n:s\nx1)", "(x2 / a :r()(x1 / b):s() x1)"):
        assert text(body) == expected
    assert text("(x2 / a :r(x3/) x2)")[-1] == ("x2", ":x3=", "x2")


def test_nodes_that_come_again() -> None:
    """Before or behind the place where they are introduced; twice introduced, relations count twice."""
    assert spelled(text("(x2 / a :r() x1 :s() (x1 / b))")[1:]) == "x2 :r x1; x1 :instance b; x2 :s x1"
    twice = spelled(sorted(text("(x2 / a :r() (x1 / b :q() x2) :s() (x1 / c))")))
    assert twice == "x1 :instance c; x1 :q x2; x1 :q x2; x2 :instance a; x2 :r x1; x2 :s x1"


def test_words_of_a_sentence_without_a_graph_are_forgotten() -> None:
    given = "# ::id 1\n# ::wid x1_a x9_b\n\n\n# ::id 2\n# ::wid x1_c\n(x1 / d :r() (x9 / x1))\n"
    (graph,) = fm.parse(given, dialect="camr")
    assert graph.metadata == {"id": "2", "wid": "x1_c"} and ("x9", ":instance", "d") in graph.triples
    fails(fm.ReadError, "words of the sentence", fm.parse, "# ::wid x1_a\n\n# ::id 2\n(x1 / d)", dialect="camr")


@pytest.mark.parametrize(
    ("given", "line", "column", "message"),
    [
        ("# ::wid x1_a\n(x1 / a)", 2, 1, "expected a line with the id of the sentence"),
        ("# ::id 1\n(x1 / a)", 2, 1, "expected a line with the words of the sentence"),
        ("# ::id 1\n# ::wid x1_a b\n(x1 / a)", 2, 14, "expected numbered words with blanks between them"),
        ("# ::id 1\n# ::wid x_a\n(x1 / a)", 2, 9, "expected numbered words"),
        ("# ::id 1\n# ::wid x1\n(x1 / a)", 2, 9, "expected numbered words"),
        (HEADER + "x1 / a", 3, 1, "expected a graph, which begins with '('"),
        (HEADER + "(a / b)", 3, 2, "expected the id of a node, such as x3, x3_x5 or x15_1_2, found 'a / b)'"),
        (HEADER + "(x1a / b)", 3, 2, "expected the id of a node"),
        (HEADER + "(x1 a)", 3, 5, "expected '/' and a concept"),
        (HEADER + "(x1", 3, 4, "expected '/' and a concept"),
        (HEADER + "(x1 / )", 3, 7, "expected a concept"),
        (HEADER + "(x1 / a(b)", 3, 8, "'(' in a concept; expected double quotes"),
        (HEADER + "(x1 / a/b)", 3, 8, "'/' in a concept"),
        (HEADER + '(x1 / "a)', 3, 7, "a string that does not end"),
        (HEADER + "(x1 / a :r() (x2 / b) c)", 3, 23, "expected a role or ')'"),
        (HEADER + "(x1 / a :r())", 3, 9, "a role that leads nowhere"),
        (HEADER + "(x1 / 3:1)", 3, 8, "a role that leads nowhere"),
        (HEADER + "(x1 / a :r(b) (x2 / b))", 3, 11, "expected the words on the relation, such as (x2/把), or ()"),
        (HEADER + "(x1 / a :r(x2/b", 3, 11, "expected the words on the relation"),
        (HEADER + "(x1 / a\n  :r() x2)", 4, 8, "the id of a node that does not exist"),
        (HEADER + "(x1 / a) (x2 / b)", 3, 10, "text behind the graph; expected an empty line"),
        (HEADER + "(x1 / a))", 3, 9, "')' without a '(' before it"),
        (HEADER + ")", 3, 1, "')' without a '(' before it"),
        (HEADER + "(x8 / x9)", 3, 2, "a co-reference from a node that stands on no word"),
        (HEADER + "(x8 / x9 :r() (x9 / x8))", 3, 2, "a co-reference from a node that stands on no word"),
    ],
)
def test_errors_of_texts_name_their_place(given: str, line: int, column: int, message: str) -> None:
    found = fails(fm.ReadError, None, fm.parse, given, dialect="camr")
    assert message in found.message and (found.line, found.column) == (line, column)
    good = HEADER + "(x1 / a)\n\n"
    assert fm.parse(good + given + "\n\n" + good, dialect="camr", on_error="empty").root.tolist() == [0, -1, 0]


def test_places_behind_marks_are_those_of_the_file() -> None:
    found = fails(fm.ReadError, None, fm.parse, HEADER + "  (x1 \u200b/ a\u200b\u200b(", dialect="camr")
    assert (found.line, found.column) == (3, 13)


def test_a_node_that_is_introduced_again_and_again_does_not_fill_the_memory() -> None:
    many = "".join(":r() (x1 / a :s() x1)" for _ in range(3000))
    fails(fm.ReadError, "too large", fm.parse, f"{HEADER}(x1 / a {many})", dialect="camr")


@pytest.mark.filterwarnings("ignore::fastmatch.ReadWarning")
def test_graphs_are_written_as_penman_notation() -> None:
    """As far as it goes: some concepts need quotes that are lost."""
    (graph,) = fm.parse(rows("1 x0 root - :top - - x1 a -", "1 x2 b - :arg0 x3 的 x1 a -"), dialect="camr-tuples")
    again = fm.parse(graph.encode())[0]
    assert sorted(again.triples) == sorted(graph.triples)  # type: ignore[type-var]
    assert again.top == graph.top
    for given, dialect in ((CAMR, "camr"), (CAMR_ROWS, "camr-tuples")):
        corpus = fm.parse(given, dialect=dialect)  # type: ignore[arg-type]
        assert fm.Corpus.from_graphs(corpus, dialect=corpus.dialect) == corpus
