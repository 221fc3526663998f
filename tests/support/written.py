"""The same few graphs written to disk in every form that can be resumed: a matrix, a list of pairs, neighbours."""

from pathlib import Path

import fastmatch as fm

from support import toy_metric  # noqa: F401 - registers itself

TEXTS = [
    "# ::id one\n(c / cat :mod (b / black))",
    "# ::id two\n(c / cat)",
    "(d / dog :mod (b / black))",
    "(c / cat :mod (b / black :degree (v / very)))",
    "(v / very)",
    "(d / dog)",
    "(b / bark-01 :ARG0 (d / dog))",
    "(s / see-01 :ARG0 (c / cat) :ARG1 (d / dog))",
]


class Killed(BaseException):
    """Stands for whatever ends a process."""


def stop_after(blocks: int):
    """A progress function that ends an unfinished run once so many blocks are done."""

    def progress(done: int, total: int) -> None:
        if done >= blocks * len(TEXTS) < total:
            raise Killed

    return progress


def matrix(path: Path, metric: str = "toy", **options):
    return fm.cdist(TEXTS, metric=metric, out=path, **options)


def pairs(path: Path, metric: str = "toy", **options):
    return fm.cdist(TEXTS, metric=metric, out=path, sparse=True, **options)


def neighbours(path: Path, metric: str = "toy", **options):
    return fm.top_k(TEXTS, k=3, metric=metric, out=path, **options)
