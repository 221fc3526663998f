"""A refusal, or a warning, in one line."""

import warnings

import pytest

import fastmatch as fm


def fails(error, message: str | None, call, *given, **options):
    """The exception that ``call(*given, **options)`` raises: of class ``error``, with this pattern in its message."""
    with pytest.raises(error, match=message) as caught:
        call(*given, **options)
    return caught.value


def warned(pred, gold, **options) -> str | None:
    """What the one warning says that scoring this pair gives, of its class and blamed on the caller; or None."""
    with warnings.catch_warnings(record=True, action="always") as caught:
        fm.score(pred, gold, **options)
    assert len(caught) <= 1, [str(each.message) for each in caught]
    assert all(each.category is fm.PairingWarning and each.filename == __file__ for each in caught)
    return str(caught[0].message) if caught else None
