"""A user's similarity of two vectors, compiled into a loop over pairs of rows."""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING, Any

from numba import njit

if TYPE_CHECKING:
    from collections.abc import Callable

    from fastmatch.types import FloatArray, Int32Array

    Kernel = Callable[[Int32Array, FloatArray, FloatArray, FloatArray], None]

__all__ = ["over_pairs"]


@lru_cache(maxsize=16)
def over_pairs(function: Callable[[Any, Any], float]) -> Kernel:
    """``kernel(pairs, a, b, out)``: out[k] = function(a[pairs[0, k]], b[pairs[1, k]]).

    The function gets two float64[d] and must be one that Numba compiles; it is compiled once, and into the loop. Not
    cached on disk, for Numba keys its cache by the source of the loop, which is the same for every function.
    """
    inner = function if hasattr(function, "py_func") else njit(nogil=True)(function)

    @njit(nogil=True)
    def kernel(pairs: Int32Array, a: FloatArray, b: FloatArray, out: FloatArray) -> None:
        for k in range(pairs.shape[1]):
            out[k] = inner(a[pairs[0, k]], b[pairs[1, k]])

    return kernel
