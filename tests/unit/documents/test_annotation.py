"""Coreference annotations: MS-AMR's XML, the plain format, and what is refused with its place."""

import gzip
from pathlib import Path

import pytest

import fastmatch as fm
from fastmatch.documents import Annotation, Bridge, Chain, Mention, join, parse_annotations, read_annotations

from support.refusal import fails

RECORDED = Path(__file__).parents[2] / "data" / "recorded" / "documents"


def test_the_two_formats_say_the_same() -> None:
    sentences = fm.read(RECORDED / "sentences.amr")
    for representation in ("unmerged", "doc-amr", "merge-all"):
        xml, plain = (join(sentences, RECORDED / name, representation) for name in ("both.fof", "both.txt"))
        assert list(xml) == list(plain) and [graph.metadata for graph in xml] == [graph.metadata for graph in plain]


def test_xml() -> None:
    (found,) = read_annotations(RECORDED / "harbour.xml")
    assert (found.name, found.sentences) == ("harbour", ("harbour.1", "harbour.2", "harbour.3"))
    mentions = Mention(1, "p", "", 25), Mention(1, "i2", "", 26), Mention(2, "t", "ARG2", 27)
    assert found.chains[3] == Chain("rel-3", mentions, False, 24)
    assert [chain.single for chain in found.chains] == [False] * 4 + [True] * 2
    assert found.bridges == (Bridge("part", ("rel-4",), "rel-1", 39), Bridge("subset", ("rel-1", "rel-0"), "rel-2", 43))
    assert found.source.endswith("harbour.xml")


def test_sentences_stand_in_the_order_that_they_say() -> None:
    text = (RECORDED / "quarrel.xml").read_text(encoding="utf-8")
    text = text.replace('quarrel.1" order="1"', 'quarrel.1" order="3"')
    (found,) = parse_annotations(text)
    assert found.sentences == ("quarrel.2", "quarrel.1")
    assert [mention.sentence for mention in found.chains[0].mentions] == [1, 0]


def test_plain() -> None:
    (found,) = parse_annotations("# x\n\n  document  a b \nsentence s 1\nchain c s1.x s1.y:ARG0\npart s1.x c\n")
    chain = Chain("c", (Mention(0, "x", "", 5), Mention(0, "y", "ARG0", 5)), False, 5)
    assert found == Annotation("a b", ("s 1",), (chain,), (Bridge("part", ("s1.x",), "c", 6),), "<string>", 3)
    assert parse_annotations("") == []


def test_files_folders_and_lists(tmp_path: Path) -> None:
    expected = [annotation.name for annotation in read_annotations(RECORDED / "both.fof")]
    assert expected == ["harbour", "quarrel"]
    folder = tmp_path / "folder"
    folder.mkdir()
    for name in expected:
        (folder / f"{name}.xml.gz").write_bytes(gzip.compress((RECORDED / f"{name}.xml").read_bytes()))
    (folder / ".hidden").write_text("nonsense")
    assert [annotation.name for annotation in read_annotations(folder)] == expected
    listed = tmp_path / "all.fof"
    listed.write_text("quarrel.xml.gz\n\nharbour.xml.gz\n")
    assert [annotation.name for annotation in read_annotations(listed, root=folder)] == expected[::-1]
    fails(FileNotFoundError, None, read_annotations, listed)
    (tmp_path / "empty").mkdir()
    fails(fm.ReadError, "no files in this folder", read_annotations, tmp_path / "empty")
    text = (RECORDED / "quarrel.xml").read_text(encoding="utf-8")
    utf16 = text.replace("UTF-8", "UTF-16").encode("utf-16")
    assert parse_annotations(utf16)[0].chains == parse_annotations(text)[0].chains
    assert parse_annotations(b"\xef\xbb\xbf" + text.encode())[0].chains == parse_annotations(text)[0].chains


LAUGHS = (
    '<?xml version="1.0"?>\n<!DOCTYPE document [\n <!ENTITY a "ha">\n'
    + "".join(f' <!ENTITY a{k} "&a{k - 1 if k else ""};&a{k - 1 if k else ""};">\n' for k in range(40))
    + "]>\n<document>&a39;</document>"
)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (LAUGHS, r"<string>:3:\d+: the document declares an entity \(a\)"),
        ('<!DOCTYPE d [<!ENTITY x SYSTEM "file:///etc/passwd">]>\n<document/>', r":1:\d+: the document declares an e"),
        ("<document>", r":1:11: no XML: no element found; expected a coreference"),
        ("<document>\n  <a></b>\n</document>", r":2:8: no XML: mismatched tag"),
        ("<document>&x;</document>", r":1:11: no XML: undefined entity"),
        ("<other/>", r":1:1: <other>; expected <document>"),
        ("<document/>", r":1:\d+: a document without <sentences>"),
        ("<document><sentences/></document>", r":1:11: <sentences> without docid="),
        ('<document><sentences docid="a"><amr/></sentences></document>', r":1:32: <amr> without id="),
        ("<document><mention/></document>", r":1:11: <mention> does not belong into <document>"),
        ("<a>" * 12, r"<a>; expected <document>"),
        ("<document>" + "<a>" * 12, r":1:\d+: <a> is too deep"),
        ('<document><sentences docid="a"><amr id="x"/><amr id="x"/></sentences></document>', r"'x' comes twice"),
        ('<document><sentences docid="a"><amr id="x" order="b"/></sentences></document>', r"order='b'; expected a num"),
        ("<document>\ud800</document>", r"half of a surrogate"),
        (b"<document>\xff</document>", r":1:11: no XML: not well-formed"),
        ("chain a s1.x", r":1:1: 'chain' before any document"),
        ("document", r":1:1: 'document' without the id"),
        ("document d\nsentence", r":2:1: 'sentence' without the ::id"),
        ("document d\nsentence a\nchain", r":3:1: a chain without a name"),
        ("document d\nsentence a\nchain c", r":3:1: chain 'c' without mentions"),
        ("document d\nsentence a\nchain c s1.x s2.y", r":3:14: 's2.y': the document has 1 sentences"),
        ("document d\nsentence a\nchain c x", r":3:9: 'x'; expected a mention such as s2.b"),
        ("document d\nsentence a\nchain c s0.x", r":3:9: 's0.x'; expected a mention"),
        ("document d\nsentence a\nchain c s1.x\nchain c s1.y", r":4:1: chain 'c' comes twice"),
        ("document d\nsentence a\nchain c s1.x\npart c e", r":4:8: 'e'; expected a chain of this document"),
        ("document d\nsentence a\npart c", r":3:1: 'part' with 1 names"),
        ("document d\nsomething", r":2:1: 'something'; expected document, sentence"),
        (b"document \xff", r":1:10: byte 0xff is not UTF-8"),
        (f"document d\nsentence a\nchain c {'x' * 1000}", rf":3:9: '{'x' * 40}…'; expected a mention"),
    ],
)
def test_what_is_refused(text: str | bytes, message: str) -> None:
    fails(fm.ReadError, message, parse_annotations, text)


@pytest.mark.parametrize("name", ["coref.txt", "coref.fof", "folder"])
def test_files_without_a_document(name: str, tmp_path: Path) -> None:
    """An empty file would make an empty corpus of all sentences, without a word."""
    (tmp_path / "folder").mkdir()
    for path in (tmp_path / "coref.txt", tmp_path / "coref.fof", tmp_path / "folder" / "a.txt"):
        path.write_text("\n" if path.name == "coref.fof" else "# only a comment\n", encoding="utf-8")
    with pytest.raises(fm.ReadError, match=rf"{name}: no document in it; expected coreference annotations"):
        read_annotations(tmp_path / name)


def test_errors_in_the_relations_of_xml() -> None:
    text = (RECORDED / "quarrel.xml").read_text(encoding="utf-8")
    unknown = '<setmember><superset id="rel-0"/><member id="rel-9"/></setmember>'
    for old, new, message in (
        ('variable="m"', "", r":14:9: <mention> without variable="),
        ('id="quarrel.2" variable="i"', 'id="quarrel.9" variable="i"', r":15:9: no sentence 'quarrel.9'"),
        ('relationid="rel-1"', 'relationid="rel-0"', r":13:7: chain 'rel-0' comes twice"),
        ("<bridging/>", "<bridging><partwhole/></bridging>", r"a bridge <partwhole> with 0 wholes and 0 parts"),
        ("<bridging/>", f"<bridging>\n{unknown}</bridging>", r":24:1: no chain 'rel-9', which a bridge names"),
    ):
        assert old in text
        fails(fm.ReadError, message, parse_annotations, text.replace(old, new, 1))


SENTENCES = "# ::id a\n(x / boy)\n\n# ::id b\n(y / he)"


@pytest.mark.parametrize(
    ("sentences", "plain", "message"),
    [
        (SENTENCES, "document d\nsentence c", r"<string>:1:1: document 'd': sentence 'c' is not among the sentence"),
        (SENTENCES, "document d\nsentence a\nchain c s1.z", r":3:1: document 'd': no variable 'z' in sentence 'a'"),
        (SENTENCES, "document d\nsentence a\nchain (c s1.x", r":3:1: chain '\(c': expected a name without"),
        (SENTENCES, "document d\nsentence a\nchain c s1.x\npart s1.q c", r":4:1: document 'd': no variable 'q'"),
        ("(x / boy)", "document d\nsentence a", r"<string>: graph 0 has no ::id"),
        (SENTENCES.replace("id b", "id a"), "document d\nsentence a", r"<string>: two graphs have the ::id 'a'"),
        ("# ::id a\n()", "document d\nsentence a", r"sentence 'a' is empty|without a variable"),
    ],
)
def test_annotations_that_do_not_fit(sentences: str, plain: str, message: str) -> None:
    fails(fm.FastmatchError, message, join, fm.parse(sentences), parse_annotations(plain))


def test_a_document_of_one_sentence() -> None:
    """docAMR 0.1.1, which was run, leaves out root and prefixes, and fails with a KeyError where there are chains."""
    plain = "document d\nsentence a"
    text = "# ::id a\n(x / eat-01 :polarity - :ARG0 (n / name :op1 1))"
    made = join(fm.parse(text), parse_annotations(plain))
    assert made[0] == fm.parse("(d / document :snt1 (s1.x / eat-01 :polarity - :ARG0 (s1.n / name :op1 1)))")[0]
    for representation in ("no-merge", "doc-amr", "merge-all"):
        for flipped in (False, True):
            made = join(fm.parse(text), parse_annotations(plain), representation, flipped=flipped, preset="tool")
            expected = fm.parse('(x / eat-01 :polarity "-" :ARG0 (n / name :op1 "1"))')[0]
            assert sorted(made[0].triples) == sorted(expected.triples) and made[0].top == "x"
    assert made[0].metadata["id"] == "d"
    for chain in ("chain c s1.x s1.n", "chain c s1.x", "chain c s1.x:ARG1"):
        annotated = parse_annotations(f"{plain}\n{chain}", source="coref.txt")
        message = r"coref\.txt:3:1: document 'd' has one sentence and the chain 'c'; preset"
        fails(fm.ReadError, message, join, fm.parse(text), annotated, preset="tool")
        assert join(fm.parse(text), annotated, coreference=False, preset="tool")[0].top == "x"
        assert join(fm.parse(text), annotated)[0].top == "d"


def test_names_that_are_taken() -> None:
    sentences = fm.parse("# ::id a\n(x / boy :ARG0 (xi / he))")
    plain = "document d\nsentence a\nchain d s1.x s1.xi\nchain e s1.x:ARG1"
    made = join(sentences, parse_annotations(plain), "unmerged")[0]
    expected = """(d1 / document :snt1 (s1.x / boy :ARG0 (s1.xi / he :coref-of (d / coref-entity)) :coref-of d
        :ARG1 (s1.xi1 / implicit-role)))"""
    assert made == fm.parse(expected)[0]
