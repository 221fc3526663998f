"""A refusal in one line."""

from collections.abc import Callable
from typing import Any

import pytest


def fails(error: Any, message: str, call: Callable[..., Any], *given: Any, **options: Any) -> None:
    """``call(*given, **options)`` raises ``error``, in whose message the pattern is found."""
    with pytest.raises(error, match=message):
        call(*given, **options)
