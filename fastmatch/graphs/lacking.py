"""What stands where the text of a graph should, and what messages say of it."""

from __future__ import annotations

from typing import NamedTuple


class Lacking(NamedTuple):
    """Stands for a text that is not there.

    Attributes
    ----------
    message : str
        What is wrong.
    """

    message: str


def no_text(item: object) -> str:
    """What is wrong with something that stands where a text should, as None and NaN do in columns of tables."""
    if isinstance(item, Lacking):
        return item.message
    known = item is None or (isinstance(item, float) and item != item)
    return f"expected a text, found {item if known else f'an object of type {type(item).__name__}'}"
