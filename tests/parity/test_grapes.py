"""GrAPES against its program: github.com/jgroschwitz/GrAPES, commit a78aef9, with penman 1.3.1 and statsmodels 0.15.

``tests/data/grapes/cases.json`` has single cases with what the program's functions gave for them, and
``tests/data/grapes/mini`` an invented suite in the clone's layout, with three predictions and the program's files for
them (``evaluate_all_categories.py -pg … -gt … -pt … --all_metrics``; ``c``: only ``-pg`` of ``a``, from a folder where
the files of the two licensed categories are missing). Where the program ends with an exception the case says which,
and nothing is compared.
"""

import csv
import json
import shutil
from pathlib import Path

import pytest

import fastmatch as fm
from fastmatch.benchmarks.grapes.categories import CATEGORIES
from fastmatch.benchmarks.grapes.evaluation import evaluate
from fastmatch.benchmarks.grapes.judging import conjuncts, item_of_graph, item_of_row
from fastmatch.benchmarks.grapes.results import SMATCH, GrapesResult, write_grapes_csv
from fastmatch.benchmarks.grapes.views import View, Views, contains, equal, strip
from fastmatch.benchmarks.shared import wilson

DATA = Path(__file__).parents[1] / "data" / "grapes"
MINI = DATA / "mini"
CASES = json.loads((DATA / "cases.json").read_text(encoding="utf-8"))
BY_KEY = {category.key: category for category in CATEGORIES}
CATEGORY_OF_EDGES = {0: BY_KEY["syntactic_gap_reentrancies"], 1: BY_KEY["passives"]}


def view(text: str) -> View:
    return Views(fm.parse([text]))[0]


def test_strip():
    assert {label: strip(label) for label in CASES["strip_sense"]} == CASES["strip_sense"]


def check_matching(case) -> None:
    full, part = view(case["full"]), view(case["sub"])
    for key, expected in case.items():
        how, _, flags = key.partition("_")
        if how in ("contains", "equal") and isinstance(expected, bool):
            labels, senses = (flag == "1" for flag in flags)
            assert (contains if how == "contains" else equal)(full, part, labels=labels, senses=senses) is expected, key


def check_edges(case) -> None:
    """The program's functions do not know of each other: a failed prerequisite fails the others only in its tables."""
    if "DecodeError" in str(case["unlabelled_sense1"]):
        with pytest.raises(fm.ReadError):
            item_of_row(CATEGORY_OF_EDGES[1], case["tuple"])
        return
    pred = view(case["graph"])
    for senses, category in CATEGORY_OF_EDGES.items():
        needed = case["prerequisites"]
        unlabelled, labelled = (case[f"{kind}_sense{senses}"] for kind in ("unlabelled", "labelled"))
        if isinstance(unlabelled, bool):
            expected = needed and unlabelled and labelled, needed and unlabelled, needed
            assert item_of_row(category, case["tuple"])(pred) == expected


def check_targets(case) -> None:
    category, target, expected = BY_KEY[case["category"]], case["target"], case["result"]
    if isinstance(expected, str):
        return
    outcome = item_of_row(category, target if isinstance(target, list) else [target])(view(case["graph"]))
    assert outcome[0] == expected["main"]
    if len(outcome) > 1:
        assert outcome[1] == expected["prereqs"]


def check_lists(case) -> None:
    found = conjuncts(view(case["gold"]), view(case["pred"]))
    if "error" not in case:
        names = "recalled", "gold_conjuncts", "pred_conjuncts", "opi", "gold_opi"
        assert tuple(found) == tuple(case[name] for name in names)


def check_attachment(case) -> None:
    item = item_of_graph(BY_KEY["pp_attachment"], view(case["gold"]), {}, case["group"])
    names = "main", "unlabelled", "prereqs"
    outcome = {} if item is None else dict(zip(names, item(view(case["pred"])), strict=True))
    assert outcome == case["result"]


def check_words(case) -> None:
    item = item_of_graph(BY_KEY[case["category"]], view(case["gold"]), case["metadata"], "")
    assert item is not None
    if isinstance(case["result"], dict):
        assert item(view(case["pred"]))[0] == case["result"]["main"]


#: Kind of cases → what looks at one.
CHECKS = {
    "matching": check_matching,
    "edges": check_edges,
    "targets": check_targets,
    "lists": check_lists,
    "pp_attachment": check_attachment,
    "word_ambiguities": check_words,
}


@pytest.mark.parametrize("kind", CHECKS)
def test_cases(kind: str) -> None:
    for case in CASES[kind]:
        try:
            CHECKS[kind](case)
        except Exception as error:
            error.add_note(str(case))
            raise


def test_intervals():
    for successes, total, low, high, shown in CASES["intervals"]:
        assert wilson(successes, total) == pytest.approx((low, high), abs=1e-15)
        assert f"{100 * (successes / total):.0f}" == shown


# ---- whole runs ------------------------------------------------------------------------------------------------------


def outcomes(result: GrapesResult) -> dict[tuple[str, str], tuple[str, ...]]:
    """(category, metric) → the cells of the recorded tables, in their form."""
    found = {}
    for row in result.systems[0].rows:
        low, high = row.interval
        items = "".join("01"[passed] for passed in row.passed)
        found[row.category, row.metric] = (str(row.successes), str(row.total), f"{low:.6f}", f"{high:.6f}", items)
        if row.sizes:
            for size, (successes, total) in row.sizes.items():
                found[row.category, f"size {size}"] = (str(successes / total), "", "", "", "")
            found[row.category, "size total"] = (str(row.score), "", "", "", "")
    return found


def recorded(path: Path) -> dict[tuple[str, str], tuple[str, ...]]:
    with path.open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file, delimiter="\t"))
    return {
        (row["category"], row["metric"]): (
            row["successes"],
            row["total"],
            row["lower"],
            row["upper"],
            "" if row["category"] == "long_lists" else row["items"],  # a digit a graph there: no number of the program
        )
        for row in rows
        if not row["metric"].startswith("(")  # counted by the program and in none of its tables
    }


@pytest.mark.parametrize("name", ["gold", "a", "b"])
def test_mini(name: str):
    """Every item, without and with the two licensed categories, which the recorded table of items leaves out."""
    pred = MINI / "pred" / name
    result = evaluate(MINI, pred / "grapes.txt", gold_testset=MINI / "testset.txt", pred_testset=pred / "testset.txt")
    found, expected = outcomes(result), recorded(MINI / "expected" / f"{name}.items.tsv")
    assert len(expected) == 97
    licensed = {"unbounded_dependencies", "word_ambiguities_handcrafted"}
    assert {key: cells for key, cells in found.items() if key[0] not in licensed} == expected
    assert not result.systems[0].left_out


def written(result: GrapesResult, folder: Path) -> dict[str, list[list[str]]]:
    """The program's three files, Smatch apart: the program's is one random run."""
    write_grapes_csv(result, str(folder))
    return {path.stem.removeprefix("system"): table(path) for path in sorted(folder.glob("system*.csv"))}


def table(path: Path) -> list[list[str]]:
    with path.open(encoding="utf-8", newline="") as file:
        return [row for row in csv.reader(file) if SMATCH not in row]


@pytest.mark.parametrize("name", ["gold", "a", "b", "c"])
def test_files_of_mini(name: str, tmp_path: Path):
    """Scores, intervals, averages and sizes as the program writes them; ``c`` shows its wrong averages."""
    options = {}
    pred = MINI / "pred" / name / "grapes.txt"
    if name == "c":
        shutil.copy(MINI / "pred" / "a" / "grapes.txt", tmp_path / "alone.txt")
        pred = tmp_path / "alone.txt"
    else:
        options = {"gold_testset": MINI / "testset.txt", "pred_testset": {"system": pred.with_name("testset.txt")}}
    files = written(evaluate(MINI, {"system": pred}, preset="tool", **options), tmp_path / "out")
    if name == "c":  # recorded without --all_metrics
        files[""] = [row for row in files[""] if "Unlabeled edge recall" not in row]
    expected = {kind: table(MINI / "expected" / f"{name}{kind}.csv") for kind in ("", "_averages", "_by_size")}
    assert files == expected
    if name == "c":
        right = written(evaluate(MINI, {"system": pred}), tmp_path / "right")
        assert right["_averages"] != expected["_averages"]
        assert right["_averages"][6:] == [
            ["7. Lexical disambiguations", "83"],
            ["8. Edge attachments", "64"],
            ["9. Non-trivial word-to-node relations", "-"],
        ]
