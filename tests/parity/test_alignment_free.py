"""Rematch under ``preset="tool"`` against recorded output of the published program, row by row.

``reference/<metric>/*.tsv`` name program, version and options in their first line.
"""

from __future__ import annotations

from pathlib import Path

import pytest

import fastmatch as fm

from recorded import SETS, columns_of


def corpora(data_dir: Path, name: str, dialect: str) -> tuple[fm.Corpus, fm.Corpus]:
    pred_path, gold_path, n_pairs, _ = SETS[name]
    pred = fm.read(data_dir / pred_path, dialect=dialect)[:n_pairs]
    return pred, fm.read(data_dir / gold_path, dialect=dialect, vocabulary=pred.vocabulary)[:n_pairs]


@pytest.mark.parametrize("name", SETS)
def test_rematch(data_dir: Path, name: str) -> None:
    """Intersections and unions without the VerbAtlas map, which may not be passed on."""
    recorded = columns_of(data_dir / "reference" / "rematch" / f"{name}.tsv")
    pairs = fm.score(*corpora(data_dir, name, "sema"), metric="rematch", preset="tool").pairs
    assert pairs.shared.tolist() == list(map(int, recorded["num_nomap"]))
    assert pairs.union.tolist() == list(map(int, recorded["den_nomap"]))
    assert pairs.score.tolist() == pytest.approx(list(map(float, recorded["score_nomap"])), abs=1e-12)
