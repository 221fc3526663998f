"""What waits for the night: ``HYPOTHESIS_PROFILE=long`` runs all of it, and draws more examples."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, TypeVar

if TYPE_CHECKING:
    from hypothesis import settings

T = TypeVar("T")

NIGHT = os.environ.get("HYPOTHESIS_PROFILE") == "long"


def by_day(cases: list[T], step: int) -> list[T]:
    """Every so many-th of the cases by day, all of them by night."""
    return cases if NIGHT else cases[::step]


def examples(number: int) -> settings:
    """So many examples by day, forty times as many by night."""
    from hypothesis import settings

    return settings(max_examples=40 * number if NIGHT else number)
