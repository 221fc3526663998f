"""``cached_property`` without a lock, and caches of functions whose arguments may have no hash.

Before Python 3.12 the one of :mod:`functools` takes a lock that all instances of a class share, so threads wait for one
another. A process that is forked while another thread holds that lock inherits it locked, and waits for ever at the
first access.
"""

from __future__ import annotations

import functools
import sys
from collections.abc import Callable
from typing import Any, Generic, TypeVar, overload

Made = TypeVar("Made")


def from_cache(cached: Callable[..., Made], /, *given: Any, **options: Any) -> Made:
    """What a function behind ``lru_cache`` gives, which it makes anew where something given cannot be hashed."""
    try:
        return cached(*given, **options)
    except TypeError:
        made: Made = cached.__wrapped__(*given, **options)  # type: ignore[attr-defined]
        return made


if sys.version_info >= (3, 12):
    cached_property = functools.cached_property
else:
    Value = TypeVar("Value")

    class cached_property(Generic[Value]):  # noqa: N801 - named as the one it stands for
        """A property that is computed at the first access, and kept in the object's ``__dict__``.

        Threads that ask at the same time may compute it more than once; the first value is kept.
        """

        def __init__(self, function: Callable[[Any], Value]) -> None:
            self.func = function
            self.__doc__ = function.__doc__

        def __set_name__(self, owner: type, name: str) -> None:
            self.attrname = name

        @overload
        def __get__(self, instance: None, owner: type | None = None) -> cached_property[Value]: ...
        @overload
        def __get__(self, instance: object, owner: type | None = None) -> Value: ...
        def __get__(self, instance: object | None, owner: type | None = None) -> cached_property[Value] | Value:
            if instance is None:
                return self
            # No __set__ here, so the entry in __dict__ is found first from now on.
            return instance.__dict__.setdefault(self.attrname, self.func(instance))
