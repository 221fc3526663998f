"""Conversions of docAMR 0.1.1 (github IBM/docAMR at e8937bad), triple by triple, copies counted.

The files of ``tests/data/recorded/documents`` come with these tests: two documents of sentence graphs with MS-AMR's
XML, two pairs of documents, two documents with constants below inverse roles, what the program made of them, and what
DocSmatch found. Larger ones are in ``FASTMATCH_DATA``.
"""

import json
import warnings
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

import fastmatch as fm
from fastmatch import documents

from support.recorded import counts

RECORDED = Path(__file__).parents[1] / "data" / "recorded" / "documents"
#: The program's name of a representation → ours.
NAMES = {"no-merge": "no-merge", "merge-names": "merge-names", "docAMR": "doc-amr", "merge-all": "merge-all"}


def record() -> dict[str, Any]:
    return json.loads((RECORDED / "docamr.json").read_text(encoding="utf-8"))


def same(made: fm.Corpus, theirs: fm.Corpus) -> None:
    assert len(made) == len(theirs)
    for ours, wanted in zip(made, theirs, strict=True):
        assert ours.top == wanted.top
        assert Counter(ours.triples) == Counter(wanted.triples)


def represented(corpus: fm.Corpus, name: str, **options: Any) -> fm.Corpus:
    with warnings.catch_warnings(action="ignore", category=fm.FastmatchWarning):  # of what the root does not reach
        return documents.represent(corpus, NAMES[name], preset="tool", **options)


@pytest.mark.parametrize("flipped", [False, True])
@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("side", ["pred", "gold", "constants"])
def test_recorded_documents(side: str, name: str, flipped: bool) -> None:
    texts = record()["results"]["conversions"][f"{side}.{name}{'.flipped' * flipped}"]
    corpus = fm.read(RECORDED / f"{side}.amr")
    assert [graph.metadata["id"] for graph in corpus] == list(texts)
    same(represented(corpus, name, flipped=flipped), fm.parse(list(texts.values())))


@pytest.mark.parametrize("flipped", [False, True])
@pytest.mark.parametrize("name", NAMES)
def test_recorded_documents_of_sentences(name: str, flipped: bool) -> None:
    texts = record()["results"]["conversions"][f"xml.{name}{'.flipped' * flipped}"]
    annotations = documents.read_annotations(RECORDED / "both.fof")
    assert [annotation.name for annotation in annotations] == list(texts)
    sentences = fm.read(RECORDED / "sentences.amr")
    with warnings.catch_warnings(action="ignore", category=fm.FastmatchWarning):
        made = documents.join(sentences, annotations, NAMES[name], flipped=flipped, preset="tool")
    same(made, fm.parse(list(texts.values())))


@pytest.mark.parametrize(
    ("text", "theirs"),
    [
        pytest.param(
            """(d / document
                :snt1 (s1.s / see-01
                    :ARG0 (s1.s2 / she :coref-of (c1 / coref-entity))
                    :ARG1 (s1.t / they :coref-of c1 :coref-of (c2 / coref-entity)))
                :snt2 (s2.p / paint-02 :ARG0 (s2.i / it :coref-of c2)))""",
            """(d / document
                :snt1 (s1.s / see-01
                    :ARG0 (pro / she :coref-of (c1 / coref-entity) :ARG1-of s1.s :coref-of c1
                        :coref-of (c2 / coref-entity :coref pro1)))
                :snt2 (s2.p / paint-02 :ARG0 (pro1 / it)))""",
            id="what went with an earlier chain is no mention any more",
        ),
        pytest.param(
            """(d / document
                :snt1 (s1.s / see-01 :ARG1 (s1.f / ferry :mod (s1.r / red) :coref-of (c1 / coref-entity)))
                :snt2 (s2.p / paint-02 :ARG1 (s2.i / it :mod (s2.r / red :degree (s2.v / very)) :coref-of c1)))""",
            """(d / document
                :snt1 (s1.s / see-01
                    :ARG1 (s1.f / ferry :mod (s1.r / red :degree (s2.v / very)) :ARG1-of s2.p))
                :snt2 (s2.p / paint-02))""",
            id="children that a chain has from its pronouns",
        ),
    ],
)
def test_pronouns(text: str, theirs: str) -> None:
    same(represented(fm.parse(text), "docAMR"), fm.parse(theirs))


def test_recorded_documents_without_coreference() -> None:
    texts = record()["results"]["conversions"]["xml.nocoref"]
    sentences = fm.read(RECORDED / "sentences.amr")
    made = documents.join(sentences, RECORDED / "both.fof", coreference=False, preset="tool")
    same(made, fm.parse(list(texts.values())))


@pytest.mark.parametrize("name", ["input", *NAMES])
def test_recorded_scores(name: str) -> None:
    """Its search of these small documents reaches the optimum, with 50 random starts."""
    expected = record()["results"]["scores"][name]
    sides = []
    for side in ("pred", "gold"):
        if name == "input":
            sides.append(fm.read(RECORDED / f"{side}.amr", dialect="smatch"))
        else:
            texts = record()["results"]["conversions"][f"{side}.{name}"]
            sides.append(fm.parse(list(texts.values()), dialect="smatch"))
    pairs = fm.score(*sides, metric="docsmatch", preset="tool").pairs
    assert counts(pairs) == [tuple(row["all"]) for row in expected.values()]
    assert pairs.certified.all()
    parts = fm.aspects(*sides, kind="docsmatch", preset="tool")
    for row, theirs in (
        ("Coreference", "Total Coref"),
        ("Named entities", "Named Entity Coref"),
        ("Bridging", "Bridging Relations"),
        ("Other coreference", "Other Coref"),
    ):
        assert counts(parts[row].pairs) == [tuple(each[theirs]) for each in expected.values()], row


@pytest.mark.parametrize("side", ["pred", "gold"])
@pytest.mark.parametrize(
    ("given", "made", "name", "flipped"),
    [
        *(("unmerged", f"unmerged.{name}", name, False) for name in NAMES),
        ("unmerged", "flipped.docAMR", "docAMR", True),
        ("pairwise", "pairwise.docAMR", "docAMR", False),
        ("pairwise", "pairwise.merge-all", "merge-all", False),
    ],
)
def test_documents(data_dir: Path, given: str, made: str, name: str, flipped: bool, side: str) -> None:
    """32 documents each."""
    folder = data_dir / "reference" / "docamr"
    corpus = fm.read(folder / f"{given}.{side}.amr")
    same(represented(corpus, name, flipped=flipped), fm.read(folder / "converted" / f"{made}.{side}.amr"))


@pytest.mark.parametrize("flipped", [False, True])
@pytest.mark.parametrize("name", [*NAMES, "nocoref"])
def test_documents_of_sentences(data_dir: Path, name: str, flipped: bool) -> None:
    if name == "nocoref" and flipped:
        return
    folder = data_dir / "reference" / "docamr"
    sentences = fm.read(folder / "amr3/data/amrs/unsplit/amr-release-3.0-amrs-invented.txt")
    options = {"coreference": False} if name == "nocoref" else {"representation": NAMES[name], "flipped": flipped}
    with warnings.catch_warnings(action="ignore", category=fm.FastmatchWarning):
        made = documents.join(sentences, folder / "amr3/coref.fof", preset="tool", **options)
    wanted = fm.read(folder / "converted" / f"amr3.{name}{'.flipped' * flipped}.amr")
    same(made, wanted)
    assert [graph.metadata["tok"] for graph in made] == [graph.metadata["tok"] for graph in wanted]
