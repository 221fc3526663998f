"""The shared development corpora and how their recorded tables are read."""

from pathlib import Path

SETS = {
    "lpp-parsers": ("data/lpp/parsers.amr", "data/lpp/parsers-gold.amr", 400, (5912, 7939, 7866, 0.748118)),
    "sts-main-test": (
        "data/bamboo/sts/main/src.test.amr",
        "data/bamboo/sts/main/tgt.test.amr",
        1380,
        (12710, 22004, 21844, 0.579730),
    ),
    "sick-main-test-1000": (
        "data/bamboo/sick/main/src.test.amr",
        "data/bamboo/sick/main/tgt.test.amr",
        1000,
        (6353, 11280, 11146, 0.566575),
    ),
}
"""Prediction, gold, pairs, and the totals of the optimum: matched, test and gold triples, F1 to six places."""


def smatch_table(path: Path) -> list[tuple[int, int, int]]:
    """(matched, test triples, gold triples) of every row of a table of smatch counts."""
    with path.open(encoding="utf-8") as file:
        rows = [line.split("\t") for line in file if not line.startswith("#")]
    assert [int(row[0]) for row in rows] == list(range(len(rows)))
    return [(int(row[1]), int(row[2]), int(row[3])) for row in rows]


def columns_of(path: Path) -> dict[str, list[str]]:
    """The columns of a recorded table by name, rows in the order of their index."""
    with path.open(encoding="utf-8") as file:
        lines = [line.rstrip("\n").split("\t") for line in file if not line.startswith("# ")]
    names, *rows = lines
    assert [int(row[0]) for row in rows] == list(range(len(rows)))
    return {name.lstrip("#"): list(column) for name, column in zip(names, zip(*rows, strict=True), strict=True)}


def smatchpp_table(path: Path) -> list[tuple[int, int, int, int]]:
    """(matched seen from the test side, from the gold side, test triples, gold triples) of every row."""
    with path.open(encoding="utf-8") as file:
        rows = [line.split("\t") for line in file if not line.startswith("#")]
    assert [int(row[0]) for row in rows] == list(range(len(rows)))
    return [(int(row[1]), int(row[2]), int(row[3]), int(row[4])) for row in rows]
