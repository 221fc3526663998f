"""DocSmatch of docAMR 0.1.1 (github IBM/docAMR at e8937bad): its groups, and the optimum of its weights.

Its search takes random numbers without a seed, so what it finds is no number to repeat. Recorded are the optimum under
its constraint (HiGHS, all proven), the sizes, and the division of documents into sentences (buckets).
"""

import csv
import json
from pathlib import Path
from typing import Any

import pytest

import fastmatch as fm
from fastmatch.fine_grained.docsmatch import coreference, count
from fastmatch.metrics.shared.sentence_groups import sentence_groups

REPRESENTATIONS = ("input", "no-merge", "merge-names", "docAMR", "merge-all")
#: Small cases that stop the program, and what is matched here.
STOPS = {"17-gap": 4, "18-letter": 4, "19-twice": 4, "21-outside": 4, "31-case": 4}


def folder(data_dir: Path) -> Path:
    return data_dir / "reference" / "docamr"


def pair(data_dir: Path, representation: str, dialect: str) -> tuple[fm.Corpus, fm.Corpus]:
    name = "unmerged.{}.amr" if representation == "input" else f"converted/unmerged.{representation}.{{}}.amr"
    pred = fm.read(folder(data_dir) / name.format("pred"), dialect=dialect)
    return pred, fm.read(folder(data_dir) / name.format("gold"), dialect=dialect, vocabulary=pred.vocabulary)


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
    for found, column in (
        (pairs.matched, "opt"),
        (pairs.n_pred, "test"),
        (pairs.n_gold, "gold"),
        (free.matched, "plain_opt"),
    ):
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


def cases(data_dir: Path) -> list[dict[str, Any]]:
    return json.loads((folder(data_dir) / "docsmatch-quirks.json").read_text(encoding="utf-8"))["cases"]


def test_small_cases(data_dir: Path) -> None:
    """Buckets, coreference under the program's map, and the optimum or, where it stops, what is matched here."""
    for case in cases(data_dir):
        name, scores = case["name"], case["scores"]
        if name == "33-broken":
            with pytest.raises(fm.ReadError):
                fm.parse(case["pred"], dialect="smatch")
            continue
        pred = fm.parse(case["pred"], dialect="smatch")
        gold = fm.parse(case["gold"], dialect="smatch", vocabulary=pred.vocabulary)
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
