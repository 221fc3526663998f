"""Names of relations that carry their ends, and lemmas: labels for metrics in which a relation counts with its ends.

Where a relation matches another one only if the concepts at their ends agree, as well as the role, this is Smatch's
problem with other names: a relation is called by its role and the labels of both its ends. Such a name is a string of
the vocabulary, so that the kernels of :mod:`fastmatch._ext.matching` take it for a role.
"""

from cpython.bytes cimport PyBytes_AS_STRING, PyBytes_GET_SIZE
from libc.stdint cimport int32_t, uint8_t, uint32_t

from fastmatch._ext.base.kept cimport zeros
from fastmatch._ext.base.lines cimport Place
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


cdef inline Place character_before(Place start, Place p) noexcept nogil:
    """Where the character before ``p`` begins; ``start`` itself is the limit."""
    if p > start:
        p -= 1
    while p > start and p[0] & 0xc0 == 0x80:
        p -= 1
    return p


def lemmas(Interner interner not None, const int32_t[::1] labels not None):
    """Lemmas of concepts: a concept without a hyphen and two decimal digits at its end, once.

    ``想-02`` and ``想-０２`` have the lemma ``想``, ``看-01-02`` has ``看-01``; ``想-001`` and ``想-1`` are their own.
    Digits are those of any script, as ``str.isdecimal`` has them.

    Parameters
    ----------
    interner : Interner
        Gets the lemmas.
    labels : int32, shape (n,)
        Ids of strings, -1 for none.

    Returns
    -------
    int32, shape (n,)
        Ids of the lemmas; -1 stays.

    Raises
    ------
    ValueError
        If there is no string with such an id.
    MemoryError
        If there is no room for a lemma.

    Notes
    -----
    O(n + strings of the interner).
    """
    cdef Py_ssize_t n = labels.shape[0], k
    cdef Place start, stop, last, first
    cdef int32_t label, n_labels = 0
    cdef int32_t *known             # lemma of each label, -1 for one that was not met yet
    cdef bytes copy
    kept = []
    result = np.empty(n, np.int32)
    cdef int32_t[::1] out = result
    interner.enter()
    try:
        n_labels = interner.count
        known = <int32_t *> zeros(kept, n_labels, sizeof(int32_t))
        for k in range(n_labels):
            known[k] = -1
        for k in range(n):
            label = labels[k]
            out[k] = label
            if label == -1:
                continue
            if not 0 <= label < n_labels:
                raise ValueError(f"no string has the id {label}; there are {n_labels}")
            if known[label] >= 0:
                out[k] = known[label]
                continue
            known[label] = label
            start = interner.blob + interner.offsets[label]
            stop = interner.blob + interner.offsets[label + 1]
            last = character_before(start, stop)
            first = character_before(start, last)
            if first == start or first == last or first[-1] != c"-":
                continue
            if stop - first == 2:
                if not (48 <= first[0] <= 57 and 48 <= last[0] <= 57):
                    continue
            elif not (<const char *> first)[:stop - first].decode("utf-8", "replace").isdecimal():
                continue
            # a copy, since the table may move as it grows
            copy = (<const char *> start)[:first - 1 - start]
            out[k] = interner.add(<Place> PyBytes_AS_STRING(copy), PyBytes_GET_SIZE(copy))
            known[label] = out[k]
    finally:
        interner.leave()
    return result
