"""Python's search for unreachable circles of objects, paused while many objects are made that stay."""

from __future__ import annotations

import gc
from collections.abc import Iterator
from contextlib import contextmanager


@contextmanager
def no_collection() -> Iterator[None]:
    """Make no search for circles meanwhile, unless there is none anyway.

    The search looks at all containers again and again while their number grows, and finds nothing where they hold no
    circles: of a run that makes some hundred thousand lists and tuples it takes a third. What is in no circle is freed
    as always.
    """
    if not gc.isenabled():
        yield
        return
    gc.disable()
    try:
        yield
    finally:
        gc.enable()
