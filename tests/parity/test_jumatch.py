"""juːmæʧ with preset ``tool`` against compare_umr.pl: every number that the program printed, and its node maps.

A small sample with the program's numbers comes with these tests (``tests/data/recorded/umr``). The program is that of
github.com/ufal/umrtools at commit 4377bc4 (2026-06-29), run under Perl 5.36.0 as
``compare_umr.pl --tsv GOLD gold SYS sys OPTIONS`` (``--verbose`` for sentences and maps). Its first file is gold.
Further inputs and numbers are in the folder that ``FASTMATCH_DATA`` names.
"""

import csv
import json
from pathlib import Path

import pytest

from fastmatch import FastmatchError, umr

#: Column of the program's figures → what it is called here.
COLUMNS = {
    "nodes0": "nodes_gold",
    "nodes1": "nodes_pred",
    "al_correct": "tokens",
    "al_total0": "n_tokens_gold",
    "al_total1": "n_tokens_pred",
    "mapped0": "mapped_gold",
    "mapped1": "mapped_pred",
    "amb_src0": "ambiguous_gold",
    "amb_src1": "ambiguous_pred",
    "amb_tgt0": "links_gold",
    "amb_tgt1": "links_pred",
    "mt_correct": "linked",
    "mt_total0": "n_linked_gold",
    "mt_total1": "n_linked_pred",
    "correct": "matched",
    "total0": "n_gold",
    "total1": "n_pred",
}


#: What a line of the program holds, as it is called here.
LINES = {
    "tokens": ("tokens", "n_tokens_gold", "n_tokens_pred", "tokens_p", "tokens_r", "tokens_f"),
    "nodes": ("mapped_gold", "mapped_pred", "nodes_gold", "nodes_pred", "mapped_p", "mapped_r", "mapped_f"),
    "ambiguous": ("ambiguous_gold", "ambiguous_pred", "links_gold", "links_pred"),
    "linked": ("linked", "n_linked_gold", "n_linked_pred", "linked_p", "linked_r", "linked_f"),
    "all": ("matched", "n_gold", "n_pred", "precision", "recall", "f1"),
}


def test_the_recorded_sample() -> None:
    folder = Path(__file__).parents[1] / "data" / "recorded" / "umr"
    given = json.loads((folder / "jumatch.json").read_text(encoding="utf-8"))["results"]
    assert len(given) == 16
    for row in given:
        sides = folder / f"{row['second']}.umr", folder / f"{row['first']}.umr"
        found = umr.score(*sides, metric="jumatch", preset="tool", **options_of(row["options"]))
        numbers = {**found.counts, **found.scores}
        for line, names in LINES.items():
            assert [f"{numbers[name]:.15g}" for name in names] == row[line], (row["options"], line)


@pytest.fixture(scope="module")
def reference(data_dir: Path) -> Path:
    return data_dir / "reference" / "jumatch"


def options_of(words: list[str]):
    """Arguments of the program as those of ``umr.score``."""
    options = {}
    given = iter(words)
    for word in given:
        if word == "--top":
            options["top"] = True
        elif word == "--no-document-level":
            options["document_level"] = False
        else:
            options[{"--only": "only", "--except": "except_"}[word]] = next(given)
    return options


def rows(path: Path) -> list[dict[str, str]]:
    with path.open(encoding="utf-8", newline="") as file:
        lines = (line for line in file if not line.startswith("#"))
        return list(csv.DictReader(lines, delimiter="\t", quoting=csv.QUOTE_NONE))


def check(row: dict[str, str], folder: Path) -> None:
    sides = folder / row["sys"], folder / row["gold"]
    options = options_of(row["options"].split())
    if row["exit"] != "0":
        with pytest.raises(FastmatchError):
            umr.score(*sides, metric="jumatch", preset="tool", **options)
        return
    found = umr.score(*sides, metric="jumatch", preset="tool", **options)
    printed = {column: str(found.counts[name]) for column, name in COLUMNS.items() if row[column]}
    assert printed == {column: row[column] for column in printed}
    for column, name in (("p", "precision"), ("r", "recall"), ("f", "f1")):
        if row[column]:
            assert f"{found.scores[name]:.15g}" == row[column]
    broken = [message for _, _, message in found.problems if "is compared" in message]
    unread = {row["gold"]: int(row["unread0"]), row["sys"]: int(row["unread1"])}
    for name, number in unread.items():
        assert sum(f"/{name}:" in message for message in broken) == number * (1 if len(unread) == 2 else 2)


@pytest.mark.parametrize(
    ("table", "folder", "count"),
    [("quirks.tsv", "quirks", 120), ("docs.tsv", "docs", 330), ("english.tsv", "english", 74)],
)
def test_every_row(reference: Path, table: str, folder: str, count: int) -> None:
    given = rows(reference / table)
    assert len(given) == count
    for row in given:
        check(row, reference / folder)


@pytest.mark.parametrize(
    ("name", "folder"),
    [("quirks.json", "quirks"), ("docs-sentences.json", "docs"), ("english-sentences.json", "english")],
)
def test_every_sentence_and_its_map(reference: Path, name: str, folder: str) -> None:
    compared = 0
    for pair, sentences in json.loads((reference / name).read_text(encoding="utf-8"))["pairs"].items():
        gold, *rest = pair.split()
        gold, pred = (gold, rest[0]) if rest else (f"{gold}.gold.umr", f"{gold}.sys.umr")
        found = umr.score(reference / folder / pred, reference / folder / gold, metric="jumatch", preset="tool")
        ((_, pairs),) = found.sentences
        for k, expected in enumerate(sentences):
            numbers = [expected[column] for column in ("correct", "total0", "total1")]
            assert [pairs.matched[k], pairs.n_gold[k], pairs.n_pred[k]] == numbers, (pair, k)
            assert {gold: pred for pred, gold in found.partners[0][k].items()} == expected["map"], (pair, k)
            compared += 1
    assert compared > 100


def test_generated_documents(reference: Path) -> None:
    given = json.loads((reference / "generated.json").read_text(encoding="utf-8"))["pairs"]
    assert len(given) == 240
    for row in given:
        options, numbers = options_of(row["options"]), row["numbers"]
        if numbers is None:
            with pytest.raises(FastmatchError):
                umr.score(row["sys"] + "\n", row["gold"] + "\n", metric="jumatch", preset="tool", **options)
            continue
        counts = umr.score(row["sys"], row["gold"], metric="jumatch", preset="tool", **options).counts
        found = {
            "aligned": [counts[name] for name in ("tokens", "n_tokens_gold", "n_tokens_pred")],
            "projected": [counts[name] for name in ("mapped_gold", "mapped_pred", "nodes_gold", "nodes_pred")],
            "ambiguous": [counts[name] for name in ("ambiguous_gold", "ambiguous_pred", "links_gold", "links_pred")],
            "mapped": [counts[name] for name in ("linked", "n_linked_gold", "n_linked_pred")],
            "jumatch": [counts[name] for name in ("matched", "n_gold", "n_pred")],
            "nodes": [counts[name] for name in ("nodes_gold", "nodes_pred")],
        }
        assert all(found[name] == counts for name, counts in numbers.items() if name in found), row


def test_several_documents_as_micro_average_sums_them(reference: Path) -> None:
    """``micro_average.pl`` on the outputs of six documents, twice."""
    names = [f"lpp{number}" for number in ("0002", "0061", "0151", "0301", "0482", "0701")]
    lines = (reference / "micro.tsv").read_text(encoding="utf-8").splitlines()
    expected = [line.split("\t") for line in lines if line.startswith("juːmæʧ")]
    assert len(expected) == 2
    for system, line in zip(("light", "renamed"), expected, strict=True):
        sides = [[reference / "docs" / f"{name}.{side}.umr" for name in names] for side in (system, "gold")]
        found = umr.score(*sides, metric="jumatch", preset="tool")
        assert line[3:6] == [str(found.counts[name]) for name in ("matched", "n_gold", "n_pred")]
        assert line[6:9] == [f"{found.scores[name]:.15g}" for name in ("precision", "recall", "f1")]
