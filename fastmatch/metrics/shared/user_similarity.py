"""A user's similarity of two vectors, compiled into a loop over pairs of rows."""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache
from typing import Any

from numba import njit

from fastmatch.types import FloatArray, Int32Array

Kernel = Callable[[Int32Array, FloatArray, FloatArray, FloatArray], None]


@lru_cache(maxsize=16)
def over_pairs(function: Callable[[Any, Any], float]) -> Kernel:
    """Compile a loop over pairs of rows around a user's function.

    The result is not cached on disk, since Numba's key of its cache is the source of the loop, which is the same for
    every function.

    Parameters
    ----------
    function : callable
        Of two float64[d]; plain, for Numba to compile, or compiled by ``numba.njit`` already.

    Returns
    -------
    callable
        ``kernel(pairs, a, b, out)`` with int32[2, n], float64[·, d], float64[·, d] and float64[n] sets
        ``out[k] = function(a[pairs[0, k]], b[pairs[1, k]])``.
    """
    inner = function if hasattr(function, "py_func") else njit(nogil=True)(function)

    @njit(nogil=True)
    def kernel(pairs: Int32Array, a: FloatArray, b: FloatArray, out: FloatArray) -> None:
        for k in range(pairs.shape[1]):
            out[k] = inner(a[pairs[0, k]], b[pairs[1, k]])

    return kernel
