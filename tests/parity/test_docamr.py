"""Conversions of docAMR 0.1.1 (github IBM/docAMR at e8937bad), triple by triple, copies counted.

The files of ``tests/data/recorded/documents`` come with these tests: two documents of sentence graphs with MS-AMR's
XML, two pairs of documents, two documents with constants below inverse roles, what the program made of them, and what
DocSmatch found. Larger ones are in ``FASTMATCH_DATA``.
"""

import csv
import json
import warnings
from collections import Counter
from pathlib import Path

import pytest

import fastmatch as fm
from fastmatch import documents
from fastmatch.fine_grained.docsmatch import coreference, count
from fastmatch.metrics.shared.sentence_groups import sentence_groups

from support.recorded import counts

RECORDED = Path(__file__).parents[1] / "data" / "recorded" / "documents"
#: The program's name of a representation → ours.
NAMES = {"no-merge": "no-merge", "merge-names": "merge-names", "docAMR": "doc-amr", "merge-all": "merge-all"}


def record():
    return json.loads((RECORDED / "docamr.json").read_text(encoding="utf-8"))


def same(made: fm.Corpus, theirs: fm.Corpus) -> None:
    assert len(made) == len(theirs)
    for ours, wanted in zip(made, theirs, strict=True):
        assert ours.top == wanted.top and Counter(ours.triples) == Counter(wanted.triples)


def represented(corpus: fm.Corpus, name: str, **options) -> fm.Corpus:
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
    made = documents.join(fm.read(RECORDED / "sentences.amr"), RECORDED / "both.fof", coreference=False, preset="tool")
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
    assert counts(pairs) == [tuple(row["all"]) for row in expected.values()] and pairs.certified.all()
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


# ---- DocSmatch of the same program: its groups, and the optimum of its weights ---------------------------------------
#
# Its search takes random numbers without a seed, so what it finds is no number to repeat. Recorded are the optimum
# under its constraint (HiGHS, all proven), the sizes, and the division of documents into sentences (buckets).


REPRESENTATIONS = ("input", "no-merge", "merge-names", "docAMR", "merge-all")
#: Small cases that stop the program, and what is matched here.
STOPS = {"17-gap": 4, "18-letter": 4, "19-twice": 4, "21-outside": 4, "31-case": 4}


def folder(data_dir: Path) -> Path:
    return data_dir / "reference" / "docamr"


def pair(data_dir: Path, representation: str, dialect: str) -> list[fm.Corpus]:
    name = "unmerged.{}.amr" if representation == "input" else f"converted/unmerged.{representation}.{{}}.amr"
    paths = (folder(data_dir) / name.format(side) for side in ("pred", "gold"))
    return fm.Corpus.together([fm.read(path, dialect=dialect) for path in paths])


def groups(corpus: fm.Corpus) -> list[list[list[str]]]:
    """Bucket 0, 1, … of each graph, as sorted names of variables."""
    _, offsets, numbers = sentence_groups(corpus, tool=True)
    found = []
    for g, graph in enumerate(corpus):
        buckets: dict[int, list[str]] = {}
        for v, name in enumerate(graph.variables, corpus.variable_offsets[g]):
            for number in numbers[offsets[v] : offsets[v + 1]].tolist():
                buckets.setdefault(number, []).append(name)
        # the program numbers sentences from 1; group k + 1 is that of :snt<k>
        found.append([sorted(buckets.get(k + 1 if k else 0, [])) for k in range(max(max(buckets), 1))])
    return found


def rows_of(data_dir: Path, representation: str) -> list[dict[str, str]]:
    with (folder(data_dir) / "docsmatch.tsv").open(encoding="utf-8") as file:
        lines = (line for line in file if not line.startswith("#"))
        return [row for row in csv.DictReader(lines, delimiter="\t") if row["rep"] == representation]


@pytest.mark.parametrize("representation", REPRESENTATIONS)
def test_optima(data_dir: Path, representation: str) -> None:
    """Matched, predicted and gold triples of 32 documents, all certified; the sum without the constraint, too."""
    rows = rows_of(data_dir, representation)
    pred, gold = pair(data_dir, representation, "smatch")
    assert [graph.metadata["id"] for graph in pred] == [row["id"] for row in rows]
    pairs = fm.score(pred, gold, metric="docsmatch", preset="tool").pairs
    free = fm.score(pred, gold, metric="docsmatch", preset="tool", within="document").pairs
    columns = {"opt": pairs.matched, "test": pairs.n_pred, "gold": pairs.n_gold, "plain_opt": free.matched}
    for column, found in columns.items():
        assert found.tolist() == [int(row[column]) for row in rows], column
    assert pairs.certified.all()
    assert free.certified.all()


@pytest.mark.parametrize("representation", REPRESENTATIONS)
def test_coreference(data_dir: Path, representation: str) -> None:
    """The sub-scores of 32 documents, and their parts, under the maps that the program found."""
    maps = json.loads((folder(data_dir) / "docsmatch-mappings.json").read_text(encoding="utf-8"))["mappings"]
    sides = [coreference(corpus, tool=True) for corpus in pair(data_dir, representation, "smatch")]
    for mine, theirs, row in zip(*sides, rows_of(data_dir, representation), strict=True):
        found = count(mine, theirs, maps[f"{representation} {row['id']}"], tool=True)
        assert found == [[int(row[f"{part}_{of}"]) for of in "mpg"] for part in ("coref", "ne", "br", "other")]


def test_buckets(data_dir: Path) -> None:
    recorded = json.loads((folder(data_dir) / "docsmatch-buckets.json").read_text(encoding="utf-8"))["buckets"]
    for side, corpus in zip(("pred", "gold"), pair(data_dir, "docAMR", "smatch"), strict=True):
        for graph, found in zip(corpus, groups(corpus), strict=True):
            assert found == recorded[graph.metadata["id"]][side]


def cases(data_dir: Path):
    return json.loads((folder(data_dir) / "docsmatch-quirks.json").read_text(encoding="utf-8"))["cases"]


def test_small_cases(data_dir: Path) -> None:
    """Buckets, coreference under the program's map, and the optimum or, where it stops, what is matched here."""
    for case in cases(data_dir):
        name, scores = case["name"], case["scores"]
        if name == "33-broken":
            with pytest.raises(fm.ReadError):
                fm.parse(case["pred"], dialect="smatch")
            continue
        pred, gold = fm.Corpus.together([fm.parse(case[side], dialect="smatch") for side in ("pred", "gold")])
        documents = [coreference(corpus, tool=True)[0] for corpus in (pred, gold)]
        for corpus, document, read in zip((pred, gold), documents, (case["read_pred"], case["read_gold"]), strict=True):
            if isinstance(read, dict):
                assert groups(corpus)[0] == [sorted(bucket) for bucket in read["buckets"]], name
                names, text = corpus[0].variables, corpus.vocabulary.text
                edges = [[text(role)[1:], names[source], names[target]] for role, source, target, _ in document.edges]
                assert sorted(edges) == sorted(read["coref_edges"]), name
                assert sorted(names[node] for node in document.nodes) == sorted(read["coref_nodes"]), name
        if scores["mapping"] is not None:
            parts = ("Total Coref", "Named Entity Coref", "Bridging Relations", "Other Coref")
            assert count(*documents, scores["mapping"], tool=True) == [scores["coref"][part] for part in parts], name
        pairs = fm.score(pred, gold, metric="docsmatch", preset="tool").pairs
        expected = scores["optimum"] if scores["optimum"] is not None else STOPS.pop(name)
        assert pairs.matched.tolist() == [expected], name
    assert not STOPS
