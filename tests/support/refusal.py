"""A refusal in one line."""

from collections.abc import Callable
from typing import Any

import pytest


def fails(error: Any, message: str | None, call: Callable[..., Any], *given: Any, **options: Any) -> Any:
    """The exception that ``call(*given, **options)`` raises: of class ``error``, with this pattern in its message."""
    with pytest.raises(error, match=message) as caught:
        call(*given, **options)
    return caught.value
