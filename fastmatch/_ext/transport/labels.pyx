"""Vectors of node labels and weights of roles: looked up where there is something to look up, drawn where there is not.

A label becomes words as weisfeiler-leman-amr-metrics 0.4 makes them (the paper only says that labels are looked up):
``look-up-05`` is ``look`` and ``up``, ``new_york`` is ``new`` and ``york``, the constant ``-`` of ``:polarity`` is the
words of ``false-not-untrue``; the label's vector is the mean of the vectors of those words that have one. A label of
digits without a vector (``1988``) is the mean of its digits' vectors, each divided by its place.

What is drawn at random is drawn from a stream that belongs to (seed, number of the draw, text), so it depends neither
on the other graphs of a corpus nor on their order, and two corpora that were prepared apart agree on it. The published
program draws from one generator as it goes along, so that there a score depends on what else is in the file.
"""

from cpython.bytes cimport PyBytes_AS_STRING, PyBytes_GET_SIZE
from libc.math cimport INFINITY, log
from libc.stdint cimport uint8_t, uint64_t

import re

import numpy as np

from fastmatch._ext.base.letters cimport fnv1a
from fastmatch._ext.base.random cimport draw_unit, mix, stream

# Out-of-vocabulary vectors: each number uniform in [-0.05, 0.05). Weights: uniform in [0.2, 0.35).
cdef double REACH = 0.05
cdef double LEAST_WEIGHT = 0.2
cdef double MOST_WEIGHT = 0.35


cdef object SENSES = re.compile(rb"-[0-9]+")


cdef bytes plain(bytes text):
    """A label without senses, quotes and colons; ``-`` spelt out."""
    text = text.strip()
    if text == b"-":
        return b"false-not-untrue"
    text = text.replace(b'"', b"")      # before senses are looked for
    return (SENSES.sub(b"", text) if b"-" in text else text).replace(b":", b"")


cdef uint64_t key_of(bytes text):
    return mix(fnv1a(<const uint8_t *> PyBytes_AS_STRING(text), PyBytes_GET_SIZE(text)))


def label_vectors(list texts not None, find not None, const float[:, ::1] table not None, double[:, ::1] out not None):
    """Vectors of labels.

    Parameters
    ----------
    texts : list of bytes
        Labels, UTF-8, in lower case.
    find : callable
        bytes (UTF-8) → row of the word in ``table``, or -1.
    table : float32, shape (n_words, d)
    out : float64, shape (len(texts), d)
        Output; 0 where no vector was found.

    Returns
    -------
    known : uint8, shape (len(texts),)
        1 where a vector was found.
    keys : uint64, shape (len(texts),)
        A number for the label as it was looked up (so ``run-01`` and ``run-02`` have the same), for
        :func:`draw_vectors`.

    Raises
    ------
    ValueError
        If a shape does not fit.
    IndexError
        If ``find`` returns a row that ``table`` lacks.
    """
    cdef Py_ssize_t k, c, i, found, row, d = table.shape[1], n = len(texts)
    cdef bytes text
    cdef bint spelt
    if out.shape[0] != n or out.shape[1] != d:
        raise ValueError(f"expected room for {n} vectors of {d} numbers")
    knowns, keys = np.zeros(n, np.uint8), np.empty(n, np.uint64)
    cdef uint8_t[::1] known = knowns
    cdef uint64_t[::1] key = keys
    for k in range(n):
        text = plain(texts[k])
        key[k] = key_of(text)
        rows = [find(part) for part in text.split(b"-") + (text.split(b"_") if b"_" in text else [])]
        spelt = rows[0] < 0 and text.isdigit()
        if spelt:
            rows = [find(text[i:i + 1]) for i in range(len(text))]
        out[k, :] = 0.0
        found = 0
        for i, row in enumerate(rows):
            if row >= table.shape[0]:
                raise IndexError(f"{text!r} has the vector {row}, of {table.shape[0]}")
            if row >= 0:
                found += 1
                for c in range(d):
                    out[k, c] += table[row, c] / (1.0 + i) if spelt else table[row, c]
        if found:
            known[k] = 1
            for c in range(d):
                out[k, c] /= found
    return knowns, keys


def text_keys(list texts not None):
    """64 bits of each text, uint64: the same in every run."""
    keys = np.empty(len(texts), np.uint64)
    cdef uint64_t[::1] key = keys
    cdef Py_ssize_t k
    for k in range(len(texts)):
        key[k] = key_of(texts[k])
    return keys


def draw_vectors(const uint64_t[::1] keys not None, uint64_t seed, Py_ssize_t draws, Py_ssize_t dimension):
    """A vector for each key, numbers uniform in [-0.05, 0.05): float64, shape (draws, len(keys), dimension)."""
    result = np.empty((draws, keys.shape[0], dimension))
    cdef double[:, :, ::1] out = result
    cdef Py_ssize_t r, k, c
    cdef uint64_t state
    with nogil:
        for r in range(draws):
            for k in range(keys.shape[0]):
                state = stream(seed, r, keys[k])
                for c in range(dimension):
                    out[r, k, c] = REACH * (2.0 * draw_unit(&state) - 1.0)
    return result


def draw_weights(
    const uint64_t[::1] keys not None, uint64_t seed, Py_ssize_t draws, Py_ssize_t candidates, *, double centre=0.0
):
    """A weight for each key, in [0.2, 0.35): float64, shape (draws, len(keys)).

    One of so many candidates, each uniform. With ``centre`` 0 it is the smallest, else the one with the least
    x (1 - ln(x / centre)), which is nearly the one farthest from the centre, on either side.
    """
    result = np.empty((draws, keys.shape[0]))
    cdef double[:, ::1] out = result
    cdef Py_ssize_t r, k
    cdef uint64_t state
    cdef double least, weight, value
    with nogil:
        for r in range(draws):
            for k in range(keys.shape[0]):
                state = stream(seed, r, keys[k])
                least = INFINITY
                for _ in range(candidates):
                    weight = LEAST_WEIGHT + (MOST_WEIGHT - LEAST_WEIGHT) * draw_unit(&state)
                    value = weight * (1.0 - log(weight / centre)) if centre > 0 else weight
                    if value < least:
                        least = value
                        out[r, k] = weight
    return result
