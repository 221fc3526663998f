"""What waits for the night: ``HYPOTHESIS_PROFILE=long`` runs all of it, and draws more examples."""

from __future__ import annotations

import os
from typing import TypeVar

__all__ = ["NIGHT", "by_day"]

T = TypeVar("T")

NIGHT = os.environ.get("HYPOTHESIS_PROFILE") == "long"


def by_day(cases: list[T], step: int) -> list[T]:
    """Every so many-th of the cases by day, all of them by night."""
    return cases if NIGHT else cases[::step]
