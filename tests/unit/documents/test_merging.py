"""Representations of documents: what merging does, rule by rule, and what must hold for any document."""

from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

import fastmatch as fm
from fastmatch.documents import REPRESENTATIONS, UNMERGED, represent
from fastmatch.documents.merging import ENTITY_TYPES, PRONOUNS

from support.made_documents import document
from support.nightly import examples
from support.refusal import fails


def one(text: str, representation: str = "doc-amr", **options) -> fm.Graph:
    return represent(fm.parse(text), representation, **options)[0]


def concepts(graph: fm.Graph) -> dict[str, str]:
    return {source: target for source, _, target in graph.instances}


@pytest.mark.filterwarnings("ignore:.*nothing is merged:fastmatch.FastmatchWarning")
@given(st.integers(0, 2**32), st.booleans(), st.booleans(), st.sampled_from((UNMERGED, *REPRESENTATIONS)))
@examples(60)
def test_any_document(seed: int, pairs: bool, flipped: bool, representation: str) -> None:
    """The result can be written, has no triple twice, and all names and wikis; doing it again changes nothing."""
    before = fm.parse(document(Random(seed), pairs))
    made = represent(before, representation, flipped=flipped)
    after = made[0]
    assert fm.parse(after.encode())[0] == after and len(set(after.triples)) == len(after.triples)
    assert after.metadata == {"id": "x"}
    for role in (":op1", ":op2", ":wiki"):
        values = [{target for _, its, target in graph.triples if its == role} - {"-"} for graph in (before[0], after)]
        assert values[0] == values[1]
    if representation == UNMERGED and not pairs:
        assert set(after.triples) == set(before[0].triples)
    if not flipped:
        assert represent(made, representation)[0] == after
    if representation in ("no-merge", UNMERGED):
        gone = set(concepts(before[0]).items()) - set(concepts(after).items())
        assert {concept for _, concept in gone} <= ({"coref-entity"} if representation == "no-merge" else set())


@pytest.mark.filterwarnings("ignore::fastmatch.FastmatchWarning")
@given(st.integers(0, 2**32))
@examples(35)
def test_the_program_s_way_ends_in_a_graph_or_in_its_error(seed: int) -> None:
    corpus = fm.parse(document(Random(seed), seed % 2 == 0))
    for representation in REPRESENTATIONS:
        problem = ""
        try:
            made = represent(corpus, representation, flipped=seed % 3 == 0, preset="tool")
        except fm.FastmatchError as error:
            problem = str(error)
        assert "docAMR stops at names" in problem if problem else made[0].top == "d"


def test_the_lists_of_words() -> None:
    assert len(PRONOUNS) == len(set(PRONOUNS)) == 42
    assert len(ENTITY_TYPES) == len(set(ENTITY_TYPES)) == 127  # docAMR has "canal" twice


def test_names_of_types_that_no_list_has() -> None:
    """The program stops; here the first mention is the head."""
    text = """(d / document :snt1 (a / gizmo :name (n / name :op1 "X") :coref-of (c / coref-entity))
        :snt2 (b / widget :name (m / name :op1 "X") :coref-of c))"""
    expected = '(d / document :snt1 (a / gizmo :name (n / name :op1 "X") :additional-type (b / widget)) :snt2 a)'
    assert one(text, "merge-names") == fm.parse(expected)[0]
    with pytest.raises(fm.FastmatchError, match=r"<string>: graph 0: docAMR stops at names.*gizmo, widget"):
        one(text, "merge-names", preset="tool")


def test_children_of_equal_role_and_concept_merge_too() -> None:
    """To any depth, without recursion."""
    depth = 3000
    deep = {side: "".join(f"(x{side}{k} / x :ARG1 " for k in range(depth)) for side in "ab"}
    end = ")" * depth
    found = one(
        f"(d / document :snt1 (a / boy :ARG0 {deep['a']}(ya / y){end} :coref-of (c / coref-entity))"
        f" :snt2 (b / boy :ARG0 {deep['b']}(yb / z){end} :coref-of c))",
        "merge-all",
    )
    assert len(found.variables) == 4 + depth and found.relations.count(("xa2999", ":ARG1", "ya")) == 1
    assert found.relations.count(("xa2999", ":ARG1", "yb")) == 1


def test_pairs_become_chains() -> None:
    text = "(d / document :snt1 (a / boy) :snt2 (b / he :same-as a) :snt3 (e / he :same-as b :part-of (f / team)))"
    found = one(text, UNMERGED)
    expected = """(d / document :snt1 (a / boy :coref-of (cc / coref-entity :part-of (f / team)))
        :snt2 (b / he :coref-of cc) :snt3 (e / he :coref-of cc))"""
    assert set(found.triples) == set(fm.parse(expected)[0].triples)
    assert one(text, UNMERGED, pairs=None) == fm.parse(text)[0]
    assert one(text.replace("same-as", "x"), UNMERGED, pairs="x") == found


def test_flipping() -> None:
    """What refers to a mention refers to its chain, in every representation; the root keeps its sentences."""
    text = """(d / document :snt1 (a / boy :ARG0-of (w / want-01) :coref-of (c / coref-entity))
        :snt2 (g / go-02 :ARG0 (h / girl :coref-of c)))"""
    expected = """(d / document :snt1 (a / boy :coref-of (c / coref-entity :ARG0-of (w / want-01) :coref (h / girl)))
        :snt2 (g / go-02 :ARG0 c))"""
    for representation in ("no-merge", "merge-names", "doc-amr"):
        assert one(text, representation, flipped=True) == fm.parse(expected)[0]
    assert one(text, UNMERGED, flipped=True) == fm.parse(text)[0]


def test_options_and_graphs_that_are_refused() -> None:
    corpus = fm.parse("(a / b)")
    with pytest.raises(fm.OptionError, match=r"representation='docamr': expected one of .*did you mean 'doc-amr'"):
        represent(corpus, "docamr")
    fails(fm.OptionError, "preset='x'", represent, corpus, preset="x")
    fails(fm.OptionError, "read them with dialect='penman'", represent, fm.parse("(a / b)", dialect="smatch"))
    for text, message in (("a / b :x ()", "without a variable"), ("a / b :x (c / d) :y (c / e)", "several concepts")):
        fails(fm.FastmatchError, f"<string>: graph 1: .*{message}", represent, fm.parse(f"(a / b)\n\n({text})"))


@pytest.mark.filterwarnings("ignore:.*nothing is merged:fastmatch.FastmatchWarning")
def test_graphs_without_chains_and_without_anything() -> None:
    corpus = fm.parse(["(a / b :x 1)", "nonsense"], on_error="empty")
    made = represent(corpus, "merge-all")
    assert [len(graph.triples) for graph in made] == [2, 0] and made.problems == corpus.problems
    assert len(represent(fm.parse([]))) == 0


def test_whatever_holds_graphs_is_taken(tmp_path):
    text = "(d / document :snt1 (s1.a / x :coref-of (c / coref-entity)) :snt2 (s2.b / y :coref-of c))"
    corpus = fm.parse(text)
    path = tmp_path / "a.amr"
    path.write_text(text, encoding="utf-8")
    for graphs in (path, [path], text, [text], list(corpus)):
        assert list(represent(graphs)) == list(represent(corpus))
    fails(TypeError, r"documents: expected a Corpus, .* not int", represent, 7)
    fails(TypeError, r"sentences: expected a Corpus, .* not int", fm.documents.join, 7, [])
    with pytest.raises(TypeError, match=r"annotations\[0\]: expected an Annotation, not str"):
        fm.documents.join(fm.parse("# ::id 1\n(a / b)"), ["x"])  # type: ignore[list-item]


def test_nothing_to_merge_is_said(recwarn: pytest.WarningsRecorder) -> None:
    """A misspelt role of --pairs, or sentences instead of documents, came back as they were without a word."""
    text = "(d / document :snt1 (s1.a / x) :snt2 (s2.b / y :same-as s1.a))"
    assert represent([text])[0].triples != fm.parse(text)[0].triples
    represent(fm.parse(["nonsense"], on_error="empty"))
    assert not recwarn.list
    with pytest.warns(fm.FastmatchWarning, match=r"no graph has a chain \(coref-entity\), .* by :same_as: nothing is"):
        represent([text], pairs="same_as")
    with pytest.warns(fm.FastmatchWarning, match=r"no graph has a chain \(coref-entity\): nothing is merged") as warned:
        represent([text], pairs=None)
    assert warned[0].filename == __file__
