"""juːmæʧ: scores that can be worked out by hand, and where the default differs from the program."""

import math
import pickle
import warnings

import pytest

import fastmatch as fm
from fastmatch import FastmatchWarning, OptionError, PairingError, ReadError, umr
from fastmatch.umr import jumatch

from support.refusal import fails
from support.umr_sides import sides_as_tool


def sentence(graph: str, alignment: str = "", annotation: str = "", words: str = "a b c d", number: int = 1) -> str:
    return (
        f"# :: snt{number}\nWords: {words}\n\n# sentence level graph:\n{graph}\n\n# alignment:\n{alignment}\n\n"
        f"# document level annotation:\n(s{number}s0 / sentence {annotation})\n"
    )


def document(*sentences: str) -> str:
    return "\n\n".join(sentences)


def score(pred: str, gold: str, **options: object) -> umr.JumatchScore:
    return umr.score(pred, gold, metric="jumatch", **options)


def counts(pred: str, gold: str, **options: object) -> list[int]:
    found = score(pred, gold, **options).counts
    return [found[name] for name in ("matched", "n_pred", "n_gold")]


GRAPH = "(s1e / eat-01 :ARG0 (s1c / cat :quant 2) :aspect state)"
EATS = sentence(GRAPH, "s1e: 3-3\ns1c: 1-2", ":modal ((author :full s1e))")


def test_a_document_is_like_itself_and_names_do_not_matter():
    # two concepts, :ARG0, :quant, :aspect and the modal relation
    assert counts(EATS, EATS) == [6, 6, 6]
    renamed = EATS.replace("s1e", "s1x").replace("s1c", "s1e")
    assert counts(renamed, EATS) == [6, 6, 6]
    result = score(renamed, EATS)
    assert result.partners == ([{"s1x": "s1e", "s1e": "s1c"}],)
    assert (result.score, result.f1, result.precision, result.recall) == (1, 1, 1, 1)
    assert set(result.scores.values()) == {1.0}
    assert str(result.signature) == f"jumatch|std:default|top:no|doc:yes|read:penman|v:{fm.__version__}"


def test_what_is_counted():
    pred = EATS.replace("cat :quant 2", "dog").replace("state", "process").replace(":full s1e", ":partial s1e")
    result = score(pred, EATS)
    mapped = {"concept": (1, 2, 2), "ARG0": (1, 1, 1), "quant": (0, 0, 1), "aspect": (0, 1, 1)}
    assert result.roles == mapped | {"full": (0, 0, 1), "partial": (0, 1, 0)}
    assert (result.precision, result.recall, result.f1) == (2 / 5, 2 / 6, 4 / 11)
    assert (result.scores.linked_p, result.scores.linked_r) == (2 / 4, 2 / 5)
    assert pickle.loads(pickle.dumps(result)).counts == result.counts
    assert result.to_dict()["roles"]["quant"] == {"matched": 0, "n_pred": 0, "n_gold": 1}


def test_options():
    assert counts(EATS, EATS, only="concept") == [2, 2, 2] and counts(EATS, EATS, only=[":ARG0", "full"]) == [2, 2, 2]
    assert counts(EATS, EATS, except_="concept,:quant") == [3, 3, 3]
    assert counts(EATS, EATS, only="concept,ARG0", except_=("ARG0",)) == [2, 2, 2]
    assert counts(EATS, EATS, top=True) == [7, 7, 7] and counts(EATS, EATS, document_level=False) == [5, 5, 5]
    assert counts(EATS, EATS, only="TOP", top=True) == [1, 1, 1]
    signature = score(EATS, EATS, only="mod,concept", except_="mod", top=True).signature
    assert str(signature).startswith("jumatch|std:default|only:concept,mod|except:mod|top:yes|doc:yes|read:penman|")
    for wrong in ({"only": ""}, {"only": "a|b"}, {"only": [3]}, {"except_": 3}, {"only": []}, {"except_": " ,"}):
        fails(OptionError, "expected names of roles", score, EATS, EATS, **wrong)
    fails(OptionError, "no role is left that counts", score, EATS, EATS, only="mod", except_=":mod")
    fails(OptionError, "metric='jumach': expected one of .*; did", umr.score, EATS, EATS, metric="jumach")
    fails(OptionError, "preset='paper': expected one of 'tool'", score, EATS, EATS, preset="paper")
    fails(OptionError, "on_error='never': expected one of", score, EATS, EATS, on_error="never")
    fails(TypeError, "unexpected keyword argument 'sense'", score, EATS, EATS, sense=0.5)


def test_intervals():
    wrong = EATS.replace("cat", "dog").replace("s1", "s2")
    pred, gold = document(*[EATS, EATS.replace("s1", "s2")] * 10), document(*[EATS, wrong] * 10)
    result = score(pred, gold, bootstrap=200)
    low, high = result.intervals["f1"]
    assert low < result.f1 < high and score(pred, gold, bootstrap=200).intervals == result.intervals
    assert set(result.intervals) > set(result.scores)
    assert score(pred, gold).intervals is None


# ---------------------------------------------------------------- default and preset


def test_both_agree_on_valid_documents(own_data):
    """One document a side, every graph readable, and every relation about this sentence or one before."""
    folder = own_data / "recorded" / "umr"
    texts = []
    for name in ("pred", "gold"):
        text = (folder / f"{name}.umr").read_text(encoding="utf-8")
        for old, new in (
            ('"C#"', '"C"'),
            (":aspect state))\n", ":aspect state)\n"),
            (':quant 0\n            :mod "s3p")', ":mod s3p :quant 0)"),
            ("\n        (s3p :same-entity s2p)", ""),
            (":modal (author :partial-affirmative s5t))", ":modal ((author :partial-affirmative s5t)))"),
        ):
            text = text.replace(old, new)
        texts.append(text)
    for options in ({}, {"top": True}, {"only": "concept,ARG0,after"}, {"document_level": False}):
        default, tool = score(*texts, **options), score(*texts, preset="tool", **options)
        assert default.problems == tool.problems == () and default.counts == tool.counts
        assert default.partners == tool.partners and default.scores == pytest.approx(tool.scores, abs=1e-15)
        assert 0 < default.f1 < 1


def test_relations_with_later_sentences():
    first = sentence("(s1c / cat)", "s1c: 1-1", ":coref ((s2d :same-entity s1c))")
    one = document(first, sentence("(s2d / cat)", "s2d: 1-1", number=2))
    assert counts(one, one) == [3, 3, 3]
    # the later node has no partner yet, and what gold says in other words is counted on top of it
    assert counts(one, one, preset="tool") == [2, 3, 3]


def test_variables_that_two_sentences_declare():
    """As where documents were put together: the program knows the last one only."""
    first = sentence("(s1c / cat)", "s1c: 1-1", ":modal ((author :full s1c))")
    part = document(first, sentence("(s2d / dog)", "s2d: 1-1", ":coref ((s1c :same-entity s2d))", number=2))
    twice = document(part, part)
    assert score(twice, twice).f1 == 1 and score(twice, twice, preset="tool").f1 < 1


def test_strings_zeros_and_hashes():
    gold = sentence('(s1c / cat :mod "s1c" :wiki "C#" :op1 "UNMAPPED" :quant 0\n)')
    assert counts(gold, gold) == [5, 5, 5]
    # a string that is spelled like a variable is no variable
    other = sentence('(s1c / cat :mod s1c :wiki "C#" :op1 "UNMAPPED" :quant 0\n)')
    assert counts(other, gold) == [4, 5, 5] and counts(other, other) == [5, 5, 5]
    # the line is cut at the hash
    assert counts(gold, gold, preset="tool") == [3, 3, 3]
    # a node without a partner says the word UNMAPPED
    one = sentence("(s1c / cat :mod (s1d / dog))", "s1d: 1-1")
    two = sentence("(s1c / cat :mod UNMAPPED)")
    assert [counts(one, two, preset=preset)[0] for preset in (None, "tool")] == [1, 1]
    assert [counts(two, one, preset=preset)[0] for preset in (None, "tool")] == [1, 2]


def test_sentences_that_one_side_lacks():
    one, two = EATS, document(EATS, sentence("(s2c / cat)", "s2c: 1-1", number=2))
    fails(PairingError, "pred has 1 sentence but gold has 2; they are paired by place", score, one, two)
    assert counts(one, two, on_error="skip") == counts(one, two, preset="tool") == [6, 6, 6]
    assert counts(one, two, on_error="empty") == [6, 6, 7]
    for options, said in (
        ({"on_error": "empty"}, "pred: sentence 2 is missing and counts as an empty one"),
        ({"preset": "tool"}, "gold: sentence 2 is not compared"),
    ):
        assert score(one, two, **options).problems == ((0, 1, said),)


def test_sentences_that_cannot_be_read():
    broken = EATS.replace(":aspect state)", ":aspect state))")
    fails(ReadError, r"pred:5:\d+: sentence 1: ", score, broken, EATS)
    assert counts(broken, EATS, on_error="empty") == [0, 1, 6] and counts(broken, EATS, on_error="repair") == [6, 6, 6]
    half = score(broken, EATS, preset="tool")
    ((*place, message),) = half.problems
    assert place == [0, 0] and message.startswith("pred:5:") and message.endswith("before that is compared")
    # nodes of a broken graph are unaligned, and their concepts are unknown
    assert half.partners == ([{}],)
    with pytest.raises(OptionError, match="preset 'tool' of jumatch compares what the program reads"):
        score(broken, EATS, preset="tool", on_error="raise")


def test_where_the_program_stops():
    fails(PairingError, "pred has no sentence; preset 'tool' stops there", score, "\n", EATS, preset="tool")
    with pytest.raises(PairingError, match="sentence 1 has other tokens in pred:1 than in gold:1"):
        score(EATS.replace("a b", "a  x"), EATS, preset="tool")
    assert score(EATS.replace("a b", "a x"), EATS).unlike == ((0, 0),)
    with pytest.raises(OptionError, match="reads the text of a document, and <string> has none"):
        score(umr.Document(umr.parse(EATS).sentences), EATS, preset="tool")
    assert score(umr.parse(EATS), umr.parse(EATS), preset="tool").f1 == 1


def test_nothing_to_score():
    with pytest.warns(fm.PairingWarning, match="no sentences on either side"):
        nothing = score("", "\n\n")
    assert math.isnan(nothing.score) and nothing.to_dict()["scores"]["f1"] is None
    empty = score(sentence("(s1c / cat)"), sentence("(s1d / dog)", "s1d: 1-1"), only="mod")
    assert empty.f1 == 1  # neither says anything
    assert score(sentence("(s1c / cat)"), sentence("(s1c / cat)"), only="mod", preset="tool").f1 == 0


def test_folders_and_means(own_data, tmp_path):
    for side in ("pred", "gold"):
        (tmp_path / side).mkdir()
        for name in "ab":
            text = EATS if side == "gold" or name == "a" else EATS.replace("cat", "dog")
            (tmp_path / side / f"{name}.umr").write_text(text, encoding="utf-8")
    for preset in (None, "tool"):
        result = score(tmp_path / "pred", tmp_path / "gold", preset=preset)
        assert [scores.f1 for scores in result.documents] == [1, 5 / 6] and result.f1 == 11 / 12
        assert result.to_dict()["documents"][1]["matched"] == 5
        assert result.names[1] == (str(tmp_path / "pred" / "b.umr"), str(tmp_path / "gold" / "b.umr"))


def test_nodes_that_all_look_alike_have_a_limit(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr("fastmatch.umr.jumatch.MOST_LINKS", 3)
    text = document(EATS, sentence("(s2a / x :op1 (s2b / x))", number=2))
    fails(fm.FastmatchError, "pred: too many nodes of sentence 2 look alike: more than 3 pairs", score, text, text)


def alike(n: int, name: str) -> str:
    """A document of a sentence of n nodes that all look alike, and an ordinary one."""
    nodes = "".join(f" :ARG{k % 3} (s1{name}{k} / thing)" for k in range(1, n))
    return document(sentence(f"(s1{name}0 / thing{nodes})"), EATS.replace("s1", "s2").replace("snt1", "snt2"))


def test_a_limit_of_work():
    pred, gold = alike(90, "x"), alike(91, "y")
    whole = score(pred, gold, effort="proof")
    assert score(pred, gold).scores == whole.scores and (whole.certified, whole.n_certified) == (True, 2)
    cut = score(pred, gold, effort="minimal")
    assert (cut.certified, cut.n_certified, cut.to_dict()["n_certified"]) == (False, 1, 1)
    assert cut.sentences[0][1].certified.tolist() == [False, True]
    assert cut.counts["mapped_pred"] == whole.counts["mapped_pred"] == 92 and 0.5 < cut.f1 < 1
    assert str(cut.signature) == f"jumatch|std:default|top:no|doc:yes|effort:minimal|read:penman|v:{fm.__version__}"
    # the program has no limit, and the preset none but by request
    tool = score(pred, gold, preset="tool")
    assert tool.certified and tool.signature == score(pred, gold, preset="tool", effort="proof").signature
    assert "|effort:default|" in str(score(pred, gold, preset="tool", effort="default").signature)
    assert not score(pred, gold, preset="tool", effort="minimal").certified
    fails(OptionError, "effort='lo': expected one of 'minimal', .*; did you mean 'low'", score, pred, gold, effort="lo")


def test_no_sentence_of_many_equal_nodes_stalls(monkeypatch: pytest.MonkeyPatch):
    """1,000 equal nodes took 1.6 s; all is counted within the limit but building the links and the last round."""
    given = {}
    compare = jumatch.compare_sentences

    def watched(*arguments):
        given["work"] = arguments[11]
        return compare(*arguments)

    monkeypatch.setattr(jumatch, "compare_sentences", watched)
    result = score(alike(500, "x"), alike(500, "y"))
    assert given["work"] == jumatch.WORK["default"] == 60_000_000
    assert not result.certified and result.counts["mapped_gold"] == 502


# ---------------------------------------------------------------- what the program reads


@pytest.mark.parametrize(
    ("graph", "place", "message"),
    [
        ("(s1c / cat :mod )", "3:17", "the role ':mod' has no value"),
        ("(s1c / cat) (s1d / dog)", "3:13", "a node without a role"),
        ("(s1c / cat))", "3:12", "a closing bracket without an opening one"),
        ("(s1c / cat x)", "3:12", "a value without a role"),
        ("x", "3:1", "a value outside of the graph"),
        (":mod (s1c / cat)", "3:6", "a node behind a role, but outside of the graph"),
        ("(s1c / )", "3:1", "a node without a concept"),
    ],
)
def test_places_of_failures_in_graphs(graph: str, place: str, message: str):
    (side,) = sides_as_tool(f"Words: a\n\n{graph}\n\ns1c: 1-1\n\n(s / sentence :coref ((a :b c)))\n")
    assert (f"{side.problem.line}:{side.problem.column}", side.problem.message) == (place, message)
    assert (side.whole, side.relations) == (False, set())
    assert all(node.spans == () and node.extended == "" for node in side.nodes.values())


@pytest.mark.parametrize(
    ("alignment", "annotation", "place", "message"),
    [
        ("  s1c 1-1 # x", "", "5:3", "a line that is no alignment"),
        ("s1x: 1-1", "", "5:1", "an alignment of 's1x', which is not in the graph"),
        ("s1c: 1-1, 0-0", "", "5:1", "tokens that are 0 or run backwards"),
        ("s1c: 1-1", ":coref ((a :b c))", "7:1", "a group in the wrong place"),
        ("s1c: 1-1", "(s / sentence :coref (a :b c))", "7:22", "a relation in the wrong place"),
        ("s1c: 1-1", "(s / sentence (", "7:15", "a bracket in the wrong place"),
        ("s1c: 1-1", ")", "7:1", "a closing bracket in the wrong place"),
        ("s1c: 1-1", "(s / sentence :coref (x y))", "7:23", "a word that is part of no relation"),
    ],
)
def test_places_of_failures_behind_graphs(alignment: str, annotation: str, place: str, message: str):
    (side,) = sides_as_tool(f"Words: a\n\n(s1c / cat)\n\n{alignment}\n\n{annotation}\n")
    assert (f"{side.problem.line}:{side.problem.column}", side.problem.message) == (place, message)
    assert (side.whole, side.relations, side.nodes["s1c"].extended) == (True, set(), "cat")


def test_blocks_count_by_their_places():
    parts = "x\nWords: a b \r", "(a / b)", "a: 1-1", "(a / sentence :x ((b:cd)))", "more", "\n\ny"
    first, second = sides_as_tool("\n\n" + "\n\n".join(parts))
    assert first.tokens == ["a", "b"] and first.relations == {("b", ":c", "d")}
    assert (second.tokens, second.nodes) == ([], {})
    assert sides_as_tool("") == sides_as_tool(" \n\n\u00a0\n") == []


def test_a_role_that_no_document_has_may_be_misspelt(recwarn):
    with pytest.warns(FastmatchWarning, match="only: no document has the role 'ARGO'; did you mean 'ARG0'") as warned:
        umr.score(EATS, EATS, metric="jumatch", only="ARGO,concept")
    assert warned[0].filename == __file__
    with pytest.warns(FastmatchWarning, match="except: no document has the role 'wyki'"):
        umr.score(EATS, EATS, metric="jumatch", except_=[":wyki"])
    recwarn.clear()
    umr.score(EATS, EATS, metric="jumatch", only=":ARG0,concept", except_="concept")
    assert not recwarn.list


@pytest.mark.parametrize("metric", ["ancast", "jumatch"])
@pytest.mark.parametrize(
    ("alignment", "said"),
    [
        ("s1cc: 1-2\ns1d: 1-1", "2 alignments without a node in the graph (sentence 2: s1cc; sentence 2: s1d)"),
        ("s1c: 1-2, 5-6", "1 alignment with tokens behind the last one (sentence 2: s1c with token 6 of 4)"),
    ],
)
def test_alignments_of_what_is_not_there_are_warned_of(metric: str, alignment: str, said: str) -> None:
    """They cost points, and are slips: an alignment in published UMR files is one of these in 4,000 or fewer."""
    text = sentence("(s1e / eat-01 :ARG0 (s1c / cat))", f"s1e: 3-3\n{alignment}")
    with pytest.warns(FastmatchWarning) as found:
        umr.score(document(EATS, text), document(EATS, EATS), metric=metric)
    assert [str(one.message) for one in found] == [f"pred: {said}"]


def test_alignments_that_are_not_warned_of():
    """Of graphs that cannot be read, of sentences without words, and where a preset reads as its program does."""
    broken = sentence("(s1e / eat-01 :ARG0 (s1c / cat)", "s1e: 3-3\ns1c: 1-2")
    wordless = EATS.replace("Words: a b c d", "")
    last = sentence("(s1e / eat-01 :ARG0 (s1c / cat))", "s1e: 3-3\ns1c: 1-4")
    with warnings.catch_warnings(action="error"):
        score(document(EATS, broken), document(EATS, EATS), on_error="empty")
        score(wordless, wordless)
        score(document(EATS, last), document(EATS, EATS))
        score(EATS.replace("s1c: 1-2", "s1x: 1-2"), EATS, preset="tool")
