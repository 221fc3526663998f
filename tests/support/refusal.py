"""A refusal in one line."""

from collections.abc import Callable
from typing import Any

import pytest


def fails(error: Any, message: str | None, call: Callable[..., Any], *given: Any, **options: Any) -> None:
    """``call(*given, **options)`` raises ``error``, in whose message the pattern, if one is given, is found."""
    with pytest.raises(error, match=message):
        call(*given, **options)
