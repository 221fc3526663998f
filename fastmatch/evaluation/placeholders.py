"""Rows of BAMBOO's files that are no pairs of sentences.

In every split of its three sets the last row is a parse of "Empty line". In SICK and PARA the first row is a parse of
the header of the table that the sentences came from. These rows have a human score like all others, but the benchmark
does not count them.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from fastmatch.graphs.corpus import Corpus
    from fastmatch.types import Int32Array

#: Numbers of rows of the published files (train, dev, test).
_ROWS = {"sts": (5750, 1501, 1380), "sick": (4502, 502, 4929), "para": (3578, 502, 1727)}
_LAST = "Empty line"


def counted_rows(name: str, n_rows: int) -> slice:
    """The rows of a file of the set ``name`` that count: all of them, if it has not as many as a published file."""
    if n_rows not in _ROWS[name]:
        return slice(None)
    return slice(0 if name == "sts" else 1, -1)


def counted(pred: Corpus, gold: Corpus) -> Int32Array:
    """Numbers of the pairs that count.

    The files are known for BAMBOO's by the number of their rows and by the sentence of their last one; any others count
    as a whole.

    Returns
    -------
    int32[n]
    """
    rows = np.arange(len(gold), dtype=np.int32)
    if not any(len(gold) in sizes for sizes in _ROWS.values()):
        return rows
    if any(corpus[len(corpus) - 1].metadata.get("snt", "").strip() != _LAST for corpus in (pred, gold)):
        return rows
    # no number of rows is that of a file of STS and of another set
    return rows[counted_rows(next(name for name, sizes in _ROWS.items() if len(gold) in sizes), len(gold))]
