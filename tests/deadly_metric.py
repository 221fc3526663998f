"""A metric that kills the worker that runs it, once. A file of its own, so that workers can import it by its name."""

from __future__ import annotations

import os
import signal
from pathlib import Path

import distributed

from fastmatch.metrics.base import Metric

import toy_metric


class Deadly(toy_metric.ConceptOverlap, Metric):
    """Kills the process that scores graph 3 of the predictions, unless a file says that it happened before."""

    def score(self, pred, gold, index_pred, index_gold, start, stop, out, cancel):
        marker = os.environ["FASTMATCH_TEST_MARKER"]
        if 3 in index_pred[start:stop] and distributed_worker() and not os.path.exists(marker):
            Path(marker).write_text(str(os.getpid()))
            os.kill(os.getpid(), signal.SIGKILL)
        super().score(pred, gold, index_pred, index_gold, start, stop, out, cancel)

    def overlaps(self, prepared):
        return ()


def distributed_worker() -> bool:
    try:
        distributed.get_worker()
    except ValueError:
        return False
    return True
