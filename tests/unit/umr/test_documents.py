"""UMR documents: reading them, and scores that can be worked out by hand."""

import gzip
import io
import math
import pickle
from dataclasses import replace
from pathlib import Path

import pytest

import fastmatch as fm
from fastmatch import OptionError, PairingError, ReadError, umr
from fastmatch.metrics.ancast import AnCast
from fastmatch.umr.documents import Written
from fastmatch.umr.tool_reading import relations_of

from support.refusal import fails

HEADINGS = (
    "\n\n# sentence level graph:\n{graph}\n\n# alignment:\n{alignment}\n\n# document level annotation:\n{annotation}"
)


def document(*sentences: tuple[str, str], text: str = "cats and dogs") -> str:
    """Graph and annotation of each sentence."""
    blocks = [
        f"{k}\t{text}" + HEADINGS.format(graph=graph, alignment="", annotation=f"(s{k}s0 / sentence {annotation})")
        for k, (graph, annotation) in enumerate(sentences, start=1)
    ]
    return "\n\n\n".join(blocks)


def f_of(pred: str, gold: str, name: str, **options: object) -> float:
    return umr.score(pred, gold, **options).scores[name]


# ---------------------------------------------------------------- reading


def test_reading(own_data):
    read = umr.read(own_data / "umr-gold.umr")
    assert len(read) == 3
    first, _, last = read.sentences
    assert first.text == "The farmer saw a fox near the henhouse ."
    assert first.graph.startswith("(s1s / see-01") and first.graph.endswith(":aspect performance)")
    assert first.alignment == {"s1s": ((3, 3),), "s1f": ((2, 2),), "s1x": ((5, 5),), "s1h": ((8, 8),)}
    assert first.relations["modal"] == (("root", "modal", "author"), ("author", "full-affirmative", "s1s"))
    assert first.relations["coref"] == ()
    assert "s3x" not in last.alignment  # aligned to token 0: to nothing
    assert [sentence.line for sentence in read.sentences] == [1, 24, 54] and pickle.loads(pickle.dumps(read)) == read


@pytest.mark.parametrize("newline", ["\r\n", "\r"])
def test_line_breaks(own_data, newline):
    text = (own_data / "umr-gold.umr").read_text(encoding="utf-8")
    one, other = (umr.parse(each).sentences for each in (text, text.replace("\n", newline)))
    assert [sentence.graph for sentence in one] == [sentence.graph for sentence in other]


# ---------------------------------------------------------------- what real files hold

UMR2 = """################################################################################
# meta-info :: sent_id = {id}
# :: snt1
Index: 1   2    3
Words: A   cat  sleeps .

# sentence level graph:
(s1s / sleep-01    # (we / do-not-count)
    # nor :does (this / line)
    :ARG0 (s1c / cat
        :wiki "C#"  # a note
        :quant 1))

# alignment:
s1s: 3-3 # the verb
s1c: 2-2,4-4, 5-6

# document level annotation:
(s1s0 / sentence
    :temporal ((document-creation-time :overlap s1s) # (s1c :before s1s)
        # a bracket ) in a comment
        (s1s :after s1c))
    :coref ((s1c :same-entity s0c))) # (we :subset-of he)
"""


def test_comments_are_no_graph_and_no_relations():
    (sentence,) = umr.parse(UMR2).sentences
    times = (("document-creation-time", "overlap", "s1s"), ("s1s", "after", "s1c"))
    assert sentence.relations == {"temporal": times, "modal": (), "coref": (("s1c", "same-entity", "s0c"),)}
    (graph,) = fm.parse(sentence.penman())
    assert graph.triples == [
        ("s1s", ":instance", "sleep-01"), ("s1s", ":ARG0", "s1c"), ("s1c", ":instance", "cat"),
        ("s1c", ":wiki", '"C#"'), ("s1c", ":quant", "1"),
    ]  # fmt: skip
    assert umr.score(UMR2, UMR2).score == 1


def test_the_package_reads_relations_in_its_own_way():
    """Its patterns lose a group with a comment behind a relation, and read relations in comments."""
    annotation = """(s1s0 / sentence
    :modal ((author :full-affirmative s1s) # why?
        (author :full-affirmative s1c))
    :coref ((s1c :same-entity s0c) # (we :subset-of he)
        (s1s:same-events2s) (s1d :same-event)))"""
    (sentence,) = umr.parse(UMR2).sentences
    found = relations_of(replace(sentence, written=Written(annotation=annotation)))
    said = " ".join(",".join(relation) for relation in found.pop("coref"))
    assert said == "s1c,same-entity,s0c we,subset-of,he s1s,same-events2s, s1d,same-event),"
    assert found == {"temporal": (), "modal": ()}


def test_alignments_with_gaps_and_comments():
    (sentence,) = umr.parse(UMR2).sentences
    assert sentence.alignment == {"s1s": ((3, 3),), "s1c": ((2, 2), (4, 6))}
    assert "# ::alignment s1s: 3-3 s1c: 2-2,4-6\n" in sentence.penman()
    other = UMR2.replace("2-2,4-4, 5-6", "4-6, 2-2").replace("(s1c / cat", "(s1c / dog")
    gold = fm.parse(umr.parse(UMR2).graphs)
    metric = AnCast(anchors="alignment")

    def anchors(text: str) -> list[tuple[int, int]]:
        return metric.first_anchors(fm.parse(umr.parse(text).graphs, vocabulary=gold.vocabulary), gold, 0, 0)

    assert anchors(other) == [(0, 0), (1, 1)]
    assert anchors(other.replace("4-6, 2-2", "4-5, 2-2")) == anchors(other.replace("4-6, 2-2", "2-2")) == [(0, 0)]
    assert anchors(other.replace("4-6, 2-2", "9-9, 5-6,4-5 , 2-2").replace("9-9,", "")) == [(0, 0), (1, 1)]
    nowhere = UMR2.replace("s1c: 2-2,4-4, 5-6", "s1c: 0-0\ns1x: -1--1\ns1y: undefined\ns1z:")
    assert umr.parse(nowhere).sentences[0].alignment == {"s1s": ((3, 3),)}


def test_the_text_of_a_sentence_is_not_its_header():
    (sentence,) = umr.parse(UMR2).sentences
    assert sentence.text == "A cat sleeps ." and sentence.line == 1
    assert umr.score(UMR2.format(id="a"), UMR2.format(id="b")).unlike == ()
    for header, text in (
        ("# :: snt1\tA cat .\n", "A cat ."),
        ("# :: snt1\nIndex: 1\nWords:\nSentence: A  cat .\nWords: \n", "A cat ."),
        ("# a comment\n1\tA cat .\n", "A cat ."),
        ("# :: snt1\n", ""),
    ):
        found = umr.parse(header + HEADINGS.format(graph="(a / b)", alignment="", annotation=""))
        assert found.sentences[0].text == text


def test_two_empty_lines_between_the_parts():
    """As in umr4nlp's English files. The headings say what belongs together; one empty line is enough, too."""
    two = UMR2 + "\n" + UMR2.replace("s1", "s2").replace("snt1", "snt2")
    expected = umr.parse(two).sentences
    assert [sentence.line for sentence in expected] == [1, 25]
    for gap in ("\n\n\n", "\n\n\n\n\n"):
        found = umr.parse(two.replace("\n\n", gap)).sentences
        assert [s.penman() for s in found] == [s.penman() for s in expected]
        assert [s.relations for s in found] == [s.relations for s in expected]
    apart = UMR2.replace("annotation:\n", "annotation:\n\n\n").replace("graph:\n", "graph:\n\n\n")
    assert umr.parse(apart).sentences[0].relations == expected[0].relations


def test_bytes_that_are_no_text_have_their_place(tmp_path):
    path = tmp_path / "a.umr"
    path.write_bytes(b"\xef\xbb\xbf" + UMR2.encode().replace(b"cat", b"c\xe9t", 1))
    line, column = next((k, row.index("cat")) for k, row in enumerate(UMR2.split("\n"), 1) if "cat" in row)
    fails(ReadError, rf"a\.umr:{line}:{column + 2}: byte 0xe9 is not UTF-8", umr.read, path)
    path.write_bytes(UMR2.encode("utf-16"))
    fails(ReadError, r"a\.umr:1:1: the text looks like UTF-16; expected UTF-8", umr.read, path)


@pytest.mark.parametrize(
    ("old", "new", "place", "message"),
    [
        ("s1c: 2-2,4-4, 5-6", "s1c: 2-2,4-", "16:6", "expected tokens such as 2-3 or 2-3, 5-5 in an alignment"),
        ("s1c: 2-2,4-4, 5-6", "s1c: 2-2, 4-3", "16:11", "expected tokens from first to last"),
        ("s1c: 2-2,4-4, 5-6", "s1c: 0-0, 4-4", "16:6", "expected tokens from first to last"),
        ("s1c: 2-2,4-4, 5-6", "s1c: 2-9999999999", "16:6", "no sentence has so many tokens"),
        ("s1c: 2-2,4-4, 5-6", "  2-2", "16:3", "expected 'variable: first-last' in an alignment, found '2-2'"),
        ("s1s :after s1c", "s1s after", "22:14", "expected '(head :relation tail)' in an annotation, found 'after'"),
        ("(s1s :after s1c)", "never", "22:9", "expected ':group ((head :relation tail) …)' in an annotation, found"),
        ("s0c)))", "s0c)", "23:12", "a bracket of an annotation is not closed"),
        ("s0c)))", "s0c", "23:13", "a bracket of an annotation is not closed"),
        ("s0c)))", "s0c))))", "23:37", "expected nothing behind the last bracket of an annotation, found ')'"),
        ("# alignment:", "# alignment", "1:1", "a sentence without '# alignment:'"),
        ("(s1c / cat", "(s1c / cat :mod :mod", None, None),
        (":wiki", ")) :wiki", "11:12", "sentence 1: "),
    ],
)
def test_errors_have_their_place(old, new, place, message):
    text = UMR2.replace(old, new)
    assert text != UMR2
    if place is None:
        assert umr.score(text, UMR2).problems == ()
        return
    raised = fails(ReadError, None, umr.score, UMR2, text)
    assert str(raised).startswith(f"gold:{place}: {message}"), raised
    assert raised.text in text.split("\n")[raised.line - 1]
    found = umr.score(text, UMR2, on_error="empty")
    ((number, sentence, said),) = found.problems
    assert (number, sentence) == (0, 0) and said.startswith(f"pred:{place}: ")
    assert (found.score == 1) == ("alignment," in message or "tokens" in message)
    skipped = umr.score(text, UMR2, on_error="skip")
    assert skipped.sentences[0][0] == () and len(skipped.problems) == 1
    expected = () if message == "sentence 1: " else ((0, said.replace("pred", "<string>")),)
    assert fm.umr.parse(text, on_error="empty").problems == expected


def test_headings_out_of_order_and_sentences_without_parts():
    parts = UMR2.split("\n\n")
    with pytest.raises(ReadError, match="<string>:7:1: the headings of a sentence are out of order"):
        umr.parse("\n\n".join([parts[0], parts[2], parts[1], parts[3]]))
    for lost in (1, 2, 3):
        text = "\n\n".join(part for k, part in enumerate(parts) if k != lost)
        fails(ReadError, "<string>:1:1: a sentence without '# ", umr.parse, text)
        read = umr.parse(text + "\n\n" + UMR2, on_error="empty")
        assert len(read) == 2 and [k for k, _ in read.problems] == [0]
    # a header alone is a sentence that lost its parts
    fails(ReadError, "<string>:26:1: a sentence without '# sentence level graph:'", umr.parse, UMR2 + "\n\n" + parts[0])
    assert len(umr.parse(UMR2 + "\n\n# the end\n")) == 1


def test_a_sentence_is_left_out_emptied_or_mended():
    good = document(("(s1c / cat :mod (s1b / big))", ""), ("(s2d / dog :mod (s2b / big))", ""))
    bad = good.replace("(s1b / big))", "(s1b / big)")
    assert umr.score(bad, good, on_error="skip").scores.sent == 1
    assert umr.score(bad, good, on_error="empty").scores.sent_r == 0.5
    mended = umr.score(bad, good, on_error="repair")
    assert mended.scores.sent == 1
    ((_, _, message),) = mended.problems
    assert message.startswith("pred:4:28: sentence 1: mended: ")
    fails(OptionError, "on_error='never': expected one of 'raise'", umr.score, bad, good, on_error="never")
    fails(OptionError, "on_error='skip': expected one of 'raise', 'empty'", umr.parse, bad, on_error="skip")
    fails(ReadError, r"pred:4:28: sentence 1: the block ends", umr.score, bad, good, preset="tool", on_error="raise")
    ((number, sentence, message),) = umr.score(bad, good, preset="tool").problems
    assert (number, sentence) == (0, 0) and message.startswith("pred:4:28: sentence 1: the block ends")


# ---------------------------------------------------------------- scores


def test_any_text_is_no_document(tmp_path: Path):
    message = "no UMR document; expected sentences with the headings '# sentence level graph:'"
    for text in ("(a / cat)\n", "# ::snt A cat.\n(a / cat)\n\n(b / bat)\n"):
        fails(ReadError, f"<string>:1:1: {message}", umr.parse, text)
    (tmp_path / "one.amr").write_text("(a / cat)", encoding="utf-8")
    fails(ReadError, f"one.amr:1:1: {message}", umr.read, tmp_path / "one.amr")
    with pytest.raises(ReadError, match="pred: no UMR document; the name of a file goes into a path object"):
        umr.score("pred.umr", "gold.umr")
    assert len(umr.parse("")) == len(umr.parse(" \n\n\n ")) == 0
    with pytest.warns(fm.PairingWarning, match="no sentences on either side"):
        nothing = umr.score("", "\n\n")
    assert math.isnan(nothing.score) and nothing.to_dict()["scores"]["comp"] is None
    some = umr.score([one := document(("(a / b)", "")), ""], [one, ""])  # two documents without sentences agree
    assert some.documents[1]["comp"] == some.score == 1
    assert umr.score("", "", preset="tool").score == 0


def test_gzip_and_standard_input(own_data, tmp_path: Path, monkeypatch):
    path = own_data / "umr-gold.umr"
    expected = umr.read(path).sentences
    packed = tmp_path / "gold.umr"  # whatever its name
    packed.write_bytes(gzip.compress(path.read_bytes()))
    assert umr.read(packed).sentences == expected
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(packed.read_bytes())))
    read = umr.read("-")
    assert (read.sentences, read.source) == (expected, "<stdin>")
    monkeypatch.setattr("sys.stdin", io.StringIO(path.read_text(encoding="utf-8")))
    assert umr.read(Path("-")).sentences == expected
    packed.write_bytes(packed.read_bytes()[:-10])
    fails(ReadError, r"gold\.umr: damaged gzip file", umr.read, packed)


def test_a_document_is_like_itself(own_data):
    path = own_data / "umr-gold.umr"
    result = umr.score(path, path)
    assert set(result.scores.values()) == {1.0} and result.score == 1
    assert str(result.signature).startswith("umr|std:paper|")


def test_modal_relations_are_sets():
    gold = document(("(s1c / cat)", ":modal ((author :full-affirmative s1c) (root :modal author))"))
    result = umr.score(document(("(s1x / cat)", ":modal ((author :full-affirmative s1x) (author :modal root))")), gold)
    assert (result.scores.modal_p, result.scores.modal_r, result.scores.modal) == (0.5, 0.5, 0.5)


XYZ = "(s1a / and :op1 (s1x / run-01) :op2 (s1y / eat-01) :op3 (s1z / sleep-01))"


@pytest.mark.parametrize(
    ("group", "pred", "gold", "f"),
    [
        # before composes, and is what after says of the other one; overlap is the same both ways and does not compose
        ("temporal", "(s1z :after s1y) (s1y :after s1x)", "(s1x :before s1y) (s1y :before s1z)", 1),
        ("temporal", "(s1y :overlap s1x) (s1z :overlap s1y)", "(s1x :overlap s1y) (s1y :overlap s1z)", 1),
        ("temporal", "(s1x :overlap s1z)", "(s1x :overlap s1y) (s1y :overlap s1z)", 0),
        # the same event is the same in both directions
        ("coref", "(s1x :same-event s1y)", "(s1y :same-event s1x)", 1),
        ("coref", "(s1x :same-event s1y) (s1y :same-event s1z)", "(s1y :same-event s1x) (s1z :same-event s1y)", 1),
        ("coref", "(s1x :same-event s1y) (s1y :same-event s1z)", "(s1x :same-event s1y) (s1x :same-event s1z)", 1),
    ],
)
def test_what_relations_say_together(group, pred, gold, f):
    assert f_of(*(document((XYZ, f":{group} ({said})")) for said in (pred, gold)), group) == f


def test_a_part_of_what_relations_say_together():
    """One of three facts, and all of one fact."""
    gold = document((XYZ, ":temporal ((s1x :before s1y) (s1y :before s1z))"))
    scores = umr.score(document((XYZ, ":temporal ((s1x :before s1z))")), gold).scores
    assert (scores.temporal_p, scores.temporal_r) == (1, pytest.approx(1 / 3))


def test_composition_has_a_limit_that_is_told(monkeypatch):
    """Of a chain of n relations (n² + n) / 2 facts follow."""

    def of(links: list[tuple[int, int]]) -> str:
        graph = "(s1t / and" + "".join(f" :op{k} (s1x{k} / c{k})" for k in range(1, 7)) + ")"
        said = " ".join(f"(s1x{a} :after s1x{b})" for a, b in links)
        return document((graph, f":temporal ({said})"))

    chain, other = of([(k, k + 1) for k in range(1, 6)]), of([(1, 2), (2, 3), (3, 4), (4, 5), (1, 6)])
    whole = f_of(chain, other, "temporal")
    monkeypatch.setattr("fastmatch.umr.relations.MOST_STEPS", 14)
    with pytest.warns(fm.FastmatchWarning, match="temporal relations compose to more than .* only what single"):
        assert f_of(chain, chain, "temporal") == 1
    with pytest.warns(fm.FastmatchWarning, match="temporal relations compose"):
        assert f_of(chain, other, "temporal") == pytest.approx(4 / 5)
    monkeypatch.setattr("fastmatch.umr.relations.MOST_STEPS", 15)
    assert f_of(chain, other, "temporal") == whole != pytest.approx(4 / 5)


def test_identity_of_a_variable_comes_from_its_own_sentence():
    """Both name the run of sentence 1 in sentence 2 alone, under different names. The package sees two things."""
    pred = document(("(s1r / run-01)", ""), ("(s2e / eat-01)", ":temporal ((s1r :before s2e))"))
    gold = document(("(s1x / run-01)", ""), ("(s2e / eat-01)", ":temporal ((s1x :before s2e))"))
    assert f_of(pred, gold, "temporal") == 1 and f_of(pred, gold, "temporal", preset="tool") == 0


def test_a_thing_that_is_itself_says_nothing():
    text = document(("(s1x / cat)", ":coref ((s1x :same-entity s1x))"))
    scores = umr.score(text, text).scores
    assert scores.coref == scores.comp == 1  # neither says anything
    assert umr.score(text, document(("(s1x / cat)", "")), preset="tool").scores.comp == 0


def test_several_documents():
    one, two = document(("(s1c / cat)", "")), document(("(s1d / dog)", ""))
    result = umr.score([umr.parse(one), umr.parse(one)], [umr.parse(one), umr.parse(two)])
    assert [scores.sent for scores in result.documents] == [1, 0] and result.scores.sent == 0.5
    assert fm.umr is umr


def test_documents_in_any_form_and_folders(own_data, tmp_path: Path):
    pred, gold = own_data / "umr-pred.umr", own_data / "umr-gold.umr"
    text = pred.read_text(encoding="utf-8")
    expected = umr.score([umr.read(pred), umr.read(gold)], [umr.read(gold), umr.read(gold)])
    assert umr.score([text, gold], iter([gold, umr.read(gold)])).scores == expected.scores
    for name, side in (("a", pred), ("b", gold)):
        for folder in ("one", "two"):
            (tmp_path / folder).mkdir(exist_ok=True)
            (tmp_path / folder / f"{name}.umr").write_bytes((side if folder == "one" else gold).read_bytes())
    (tmp_path / "one" / ".hidden").write_text("no document", encoding="utf-8")
    found = umr.score(tmp_path / "one", tmp_path / "two")
    assert found.scores == expected.scores
    assert found.names[1] == (str(tmp_path / "one" / "b.umr"), str(tmp_path / "two" / "b.umr"))
    (tmp_path / "two" / "c.umr").write_bytes(gold.read_bytes())
    with pytest.raises(PairingError, match=r"two has 'c\.umr', .*one has not; folders are paired by names of files"):
        umr.score(tmp_path / "one", tmp_path / "two")
    (tmp_path / "none").mkdir()
    fails(OptionError, "none: no files in this folder, expected UMR documents", umr.score, tmp_path / "none", gold)
    for wrong, where in ((None, "pred"), (b"", "pred"), ([gold, 3], r"pred\[1\]")):
        fails(TypeError, f"{where}: expected a Document, the text of one or a path object", umr.score, wrong, gold)


def test_sentences_have_scores_and_texts(own_data):
    pred, gold = umr.read(own_data / "umr-pred.umr"), umr.read(own_data / "umr-gold.umr")
    found = umr.score(pred, gold)
    [(kept, pairs)] = found.sentences
    assert kept == (0, 1, 2)
    lines = pred.graphs[0].splitlines()
    assert lines[0] == "# ::snt The farmer saw a fox near the henhouse ."
    assert lines[1].startswith("# ::alignment s1s: 3-3 ") and lines[2].startswith("(s1s / see-01")
    assert pairs.lr_f.tolist() == fm.score(pred.graphs, gold.graphs, metric="ancast").pairs.lr_f.tolist()
    assert umr.parse(document(("(a / cat\n\n  :mod (b / big))", ""))).graphs == [
        "# ::snt cats and dogs\n(a / cat\n  :mod (b / big))"
    ]
    assert found.unlike == ()
    broken = document(("(a / cat", ""), ("(b / bat)", ""))
    found = umr.score(broken, document(("(a / cat)", ""), ("(b / bat)", ""), text="something else"), preset="tool")
    assert (found.sentences[0][0], found.unlike) == ((1,), ((0, 0), (0, 1)))


def test_numbers_that_differ():
    one, two = document(("(s1c / cat)", "")), document(("(a / b)", ""), ("(a / b)", ""))
    for function in (umr.score, umr.sentences):
        fails(PairingError, "pred has 1 sentence but gold has 2", function, one, two)
    fails(PairingError, "1 predicted documents but 0 gold ones", umr.score, [umr.parse(one)], [])


def test_a_document_shows_itself_in_a_line():
    assert repr(umr.parse(UMR2, source="a.umr")) == "<Document 'a.umr': 1 sentence>"
    broken = umr.parse(UMR2.replace("s1c: 2-2", "s1c: two"), on_error="empty")
    assert repr(broken) == "<Document '<string>': 1 sentence, 1 problem>"


def test_sentence_graphs_as_corpora(own_data, tmp_path):
    paths = own_data / "umr-pred.umr", own_data / "umr-gold.umr"
    pred, gold = umr.sentences(*paths)
    assert pred.vocabulary is gold.vocabulary and pred.ids == gold.ids == ["snt1", "snt2", "snt3"]
    assert gold.metadata(0)["snt"] == "The farmer saw a fox near the henhouse ."
    assert gold.metadata(0)["alignment"].startswith("s1s: 3-3 ")
    (_, pairs), *_ = umr.score(*paths).sentences
    assert fm.score(pred, gold, metric="ancast").pairs.lr_f.tolist() == pairs.lr_f.tolist()
    # as the preset reads them: its scores of the sentences
    tool = umr.sentences(*paths, dialect="ancast-umr")
    (_, pairs), *_ = umr.score(*paths, preset="tool").sentences
    assert fm.score(*tool, metric="ancast", preset="tool").pairs.lr_f.tolist() == pairs.lr_f.tolist()
    folders = [tmp_path / name for name in ("pred", "gold")]
    for folder, path in zip(folders, paths, strict=True):
        folder.mkdir()
        for name in ("a.umr", "b.umr"):
            (folder / name).write_bytes(path.read_bytes())
    pred, gold = umr.sentences(*folders)
    assert len(pred) == len(gold) == 6 and pred.ids == gold.ids and gold.ids[3].endswith("b.umr:snt1")


def test_broken_sentence_graphs():
    one = document(("(s1c / cat)", ""), ("(s2d / dog)", ""))
    broken = document(("(s1c / cat", ""), ("(s2d / dog)", ""))
    fails(ReadError, r"gold:4:11: sentence 1: .*the graph of line 4 is not closed", umr.sentences, one, broken)
    for on_error, first in (("empty", 0), ("repair", 1)):
        assert umr.sentences(one, broken, on_error=on_error)[1].variable_offsets.tolist() == [0, first, first + 1]
