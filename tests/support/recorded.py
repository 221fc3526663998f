"""The shared development corpora and how their recorded tables are read."""

from pathlib import Path

import fastmatch as fm
from fastmatch.types import Dialect

SETS = {
    name: (f"data/{folder}/{pred}.amr", f"data/{folder}/{gold}.amr", n_pairs, totals)
    for name, folder, pred, gold, n_pairs, totals in (
        ("lpp-parsers", "lpp", "parsers", "parsers-gold", 400, (5912, 7939, 7866, 0.748118)),
        ("sts-main-test", "bamboo/sts/main", "src.test", "tgt.test", 1380, (12710, 22004, 21844, 0.579730)),
        ("sick-main-test-1000", "bamboo/sick/main", "src.test", "tgt.test", 1000, (6353, 11280, 11146, 0.566575)),
    )
}
"""Prediction, gold, pairs, and the totals of the optimum: matched, test and gold triples, F1 to six places."""


def corpora(
    data_dir: Path, name: str, dialect: Dialect = "penman", on_error: str = "raise"
) -> tuple[fm.Corpus, fm.Corpus]:
    """Predictions and gold graphs of a set, as a dialect reads them."""
    pred_path, gold_path, n_pairs, _ = SETS[name]
    pred = fm.read(data_dir / pred_path, dialect=dialect, on_error=on_error)[:n_pairs]
    return pred, fm.read(data_dir / gold_path, dialect=dialect, on_error=on_error, vocabulary=pred.vocabulary)[:n_pairs]


def counts(pairs: fm.TripleScores) -> list[tuple[int, ...]]:
    """Of each pair what matches, and triples of the prediction and of gold."""
    return list(zip(pairs.matched.tolist(), pairs.n_pred.tolist(), pairs.n_gold.tolist(), strict=True))


def cells_of(path: Path, comment: str = "#") -> list[list[str]]:
    """The cells of each line of a recorded table that is no comment."""
    with path.open(encoding="utf-8") as file:
        return [line.rstrip("\n").split("\t") for line in file if not line.startswith(comment)]


def counts_of(path: Path, n: int) -> list[tuple[int, ...]]:
    """The first n counts of every row of a recorded table: what matches, from one side or both, and totals."""
    rows = cells_of(path)
    assert [int(row[0]) for row in rows] == list(range(len(rows)))
    return [tuple(map(int, row[1 : n + 1])) for row in rows]


def columns_of(path: Path) -> dict[str, list[str]]:
    """The columns of a recorded table by name, rows in the order of their index."""
    names, *rows = cells_of(path, "# ")
    assert [int(row[0]) for row in rows] == list(range(len(rows)))
    return {name.lstrip("#"): list(column) for name, column in zip(names, zip(*rows, strict=True), strict=True)}
