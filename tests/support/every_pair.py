"""All forms in which the scores of all pairs are had, against the scores of single pairs."""

import numpy as np

import fastmatch as fm
from fastmatch.metrics import Metric

from twins.everything import best


def check_every_pair(
    pred: fm.Corpus, gold: fm.Corpus | None, metric: Metric, workers: int, k: tuple[int, ...], *, few: bool = False
) -> None:
    """Matrices, sparse ones, cutoffs and neighbours; without ``gold`` of a corpus with itself.

    The scores of a list of pairs are those of each alone (``test_every_metric.py``). Some of the cutoffs are scores
    themselves, for a cutoff is inclusive, some lie between or above all; ``few`` of them where there are many graphs.
    """
    other = pred if gold is None else gold
    pairs = np.stack([each.ravel() for each in np.indices((len(pred), len(other)))], axis=1)
    wanted = fm.cpdist(pred, other, pairs, metric=metric).reshape(len(pred), len(other))
    given = {"metric": metric, "workers": workers}
    assert (fm.cdist(pred, gold, **given) == wanted.astype(np.float32)).all()
    scores = np.unique(wanted[wanted > 0])
    middle = float(scores[len(scores) // 2])
    many = (None, 0.0, 0.3, float(scores[0]), middle, float(scores[-1]), 1.5)
    for cutoff in (None, 0.4, middle, float(scores[-2])) if few else many:
        reached = wanted if cutoff is None else np.where(wanted >= cutoff, wanted, 0)
        for sparse in (False, True):
            found = fm.cdist(pred, gold, dtype=np.float64, score_cutoff=cutoff, sparse=sparse, **given)
            assert not sparse or found.nnz == np.count_nonzero(reached)
            assert ((found.toarray() if sparse else found) == reached).all()
        for n in (*k, len(other) + 3):
            near = fm.top_k(pred, gold, n, score_cutoff=cutoff, **given)
            places = best(wanted, n, cutoff, skip_self=gold is None)
            assert [row[row >= 0].tolist() for row in near.indices] == places
            assert all((near.scores[i, : len(row)] == wanted[i, row]).all() for i, row in enumerate(places))
            assert (near.scores[near.indices < 0] == 0).all()
