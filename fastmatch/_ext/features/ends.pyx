"""Names of relations that carry their ends: labels for metrics in which a relation counts with its ends.

Where a relation matches another one only if the concepts at their ends agree, as well as the role, this is Smatch's
problem with other names: a relation is called by its role and the labels of both its ends. Such a name is a string of
the vocabulary, so that the kernels of :mod:`fastmatch._ext.matching` take it for a role.
"""

from libc.stdint cimport int32_t, uint8_t, uint32_t

from fastmatch._ext.reading.interner cimport Interner

import numpy as np

cdef enum:
    DIGITS = 6              # characters of a number, six bits each
    NAME = 2 + 3 * DIGITS   # bytes of a name: a mark, and three numbers


cdef inline void put_number(uint8_t *out, int32_t value) noexcept nogil:
    """Write a number as characters from ``0`` to ``o``."""
    cdef uint32_t rest = <uint32_t> value
    cdef int k
    for k in range(DIGITS):
        out[k] = <uint8_t> (48 + (rest & 63))
        rest >>= 6


def end_names(
    Interner interner not None,
    const int32_t[::1] roles not None,
    const int32_t[::1] sources not None,
    const int32_t[::1] targets not None,
):
    """Name relations by their roles and the labels of both ends.

    Parameters
    ----------
    interner : Interner
        Gets the names.
    roles, sources, targets : int32, shape (n,)
        Labels of each relation, from -2 on: of its role and of its ends.

    Returns
    -------
    int32, shape (n,)
        Ids of the names. Two are equal if and only if all three labels are.

    Raises
    ------
    ValueError
        If the arrays differ in length, or a label is below -2.
    MemoryError
        If there is no room for a name.

    Notes
    -----
    O(n).
    """
    cdef Py_ssize_t n = roles.shape[0], k
    cdef uint8_t name[NAME]
    if sources.shape[0] != n or targets.shape[0] != n:
        raise ValueError("roles and ends differ in length")
    result = np.empty(n, np.int32)
    cdef int32_t[::1] out = result
    name[0] = 0     # no text of a graph begins so, but for text that is made to
    name[1] = c"r"
    interner.enter()
    with nogil:
        try:
            for k in range(n):
                if roles[k] < -2 or sources[k] < -2 or targets[k] < -2:
                    with gil:
                        raise ValueError("a label is below -2")
                put_number(name + 2, roles[k])
                put_number(name + 2 + DIGITS, sources[k])
                put_number(name + 2 + 2 * DIGITS, targets[k])
                out[k] = interner.add(name, NAME)
        finally:
            interner.leave()
    return result
