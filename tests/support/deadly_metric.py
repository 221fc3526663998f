"""Metrics that do something to the worker that runs them. A file of its own, so that workers can import it by name."""

import os
import signal
import time
from pathlib import Path

import distributed

from fastmatch import OptionError
from fastmatch.metrics.base import Metric

from support import toy_metric


class Deadly(toy_metric.ConceptOverlap, Metric):
    """Kills the process that scores graph 3 of the predictions, unless a file says that it happened before."""

    def score(self, pred, gold, pairs, out):
        marker = os.environ["FASTMATCH_TEST_MARKER"]
        if 3 in pairs.graphs[0] and distributed_worker() and not os.path.exists(marker):
            Path(marker).write_text(str(os.getpid()))
            os.kill(os.getpid(), signal.SIGKILL)
        super().score(pred, gold, pairs, out)

    def overlaps(self, prepared):
        return ()


def distributed_worker() -> bool:
    try:
        distributed.get_worker()
    except ValueError:
        return False
    return True


class Failing(toy_metric.ConceptOverlap, Metric):
    """Refuses graph 3 of the predictions."""

    def score(self, pred, gold, pairs, out):
        if 3 in pairs.graphs[0]:
            raise OptionError("no score for graph 3")
        super().score(pred, gold, pairs, out)

    def overlaps(self, prepared):
        return ()


class Counted(toy_metric.ConceptOverlap, Metric):
    """Counts, in its process, how often it arrived and how often its index was made."""

    arrived = indexed = 0

    def __setstate__(self, state):
        type(self).arrived += 1
        self.__dict__.update(state)

    def overlaps(self, prepared):
        type(self).indexed += 1
        return super().overlaps(prepared)


class Slow(toy_metric.ConceptOverlap, Metric):
    """Takes a moment for its lists of features, and counts how often it was asked for them."""

    made = 0

    def overlaps(self, prepared):
        type(self).made += 1
        time.sleep(0.05)
        return super().overlaps(prepared)


def counts() -> tuple[int, int]:
    """What this process counted."""
    return Counted.arrived, Counted.indexed
