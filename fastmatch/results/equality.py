"""Results are equal if they hold the same values, arrays included."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from fastmatch.runtime.cached import cached_property


def equal_values(one: Any, other: Any) -> bool:
    """Whether two values are equal: arrays in shape, kind and every entry, sequences in every item; NaN equals NaN."""
    if one is other:
        return True
    if isinstance(one, np.ndarray) or isinstance(other, np.ndarray):
        if not isinstance(one, np.ndarray) or not isinstance(other, np.ndarray) or one.dtype != other.dtype:
            return False
        return np.array_equal(one, other, equal_nan=one.dtype.kind == "f")
    if isinstance(one, Mapping) and isinstance(other, Mapping):
        return one.keys() == other.keys() and all(equal_values(value, other[key]) for key, value in one.items())
    if all(isinstance(each, Sequence) and not isinstance(each, str | bytes | ByValue) for each in (one, other)):
        return len(one) == len(other) and all(map(equal_values, one, other))
    if isinstance(one, float) and isinstance(other, float) and one != one:
        return other != other
    return bool(one == other)


class ByValue:
    """Mixin: objects of one class are equal if their fields are.

    Fields of a dataclass with ``compare=False`` do not count, nor what is computed from the fields and kept
    (``cached_property``). The hash is that of the class and of the size, if there is one: equal objects have equal
    hashes, and nothing large is gone through. Arrays of a result are not to be changed, least of all in a set.
    """

    __slots__ = ()

    def __eq__(self, other: object) -> bool:
        if self is other:
            return True
        if type(other) is not type(self):
            return NotImplemented
        return equal_values(self._values(), other._values())

    def __hash__(self) -> int:
        return hash((type(self), getattr(self, "__len__", int)()))

    def _values(self) -> dict[str, Any]:
        """What makes the value, by name."""
        declared = getattr(self, "__dataclass_fields__", None)
        if declared is not None:
            return {name: getattr(self, name) for name, field in declared.items() if field.compare}
        computed = {name for name in vars(self) if isinstance(getattr(type(self), name, None), cached_property)}
        return {name: value for name, value in vars(self).items() if name not in computed}
