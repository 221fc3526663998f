"""What soft overlap knows of a label: its class, its lemma, its value, its characters and its vector.

=================  =====================================================================================================
class              labels
=================  =====================================================================================================
``frame``          ``want-01``
``special-frame``  frames that AMR made up: ``have-org-role-91``, ``be-located-at-91``
``word``           any other concept
``pronoun``        ``i``, ``she``, ``this``, ``someone``, … and ``amr-unknown``
``generic``        concepts that say what kind of thing a name is of: ``person``, ``thing``, ``name``, ``city``, …
``conjunction``    ``and``, ``or``, ``multi-sentence``, ``slash``
``compound``       ``date-entity``, ``temporal-quantity`` and all others that end so
``string``         constants that are no numbers
``number``
``minus``          ``-``, the value of ``:polarity``
``none``           a node without a label
=================  =====================================================================================================
"""

from cpython.bytes cimport PyBytes_AS_STRING, PyBytes_GET_SIZE
from libc.math cimport exp, log1p, sqrt
from libc.stdint cimport int32_t, int64_t, uint8_t, uint16_t, uint64_t
from libc.stdlib cimport qsort

import math

import numpy as np

from fastmatch._ext.base.division cimport check_edges
from fastmatch._ext.base.letters cimport fnv1a, is_digit
from fastmatch._ext.base.random cimport mix

#: Names of the classes, by number.
CLASSES = (
    "frame", "special-frame", "word", "pronoun", "generic", "conjunction", "compound", "string", "number", "minus",
    "none",
)

_PRONOUNS = frozenset(
    b"i you he she it we they this that these those who what which one someone somebody anyone everyone nobody "
    b"something anything everything nothing here there amr-unknown".split()
)
_GENERIC = frozenset(
    b"person thing name city country organization company government-organization political-party state province "
    b"country-region world-region continent location area group family team product event publication newspaper "
    b"animal man woman people ethnic-group national-ethnic-group religious-group".split()
)
_CONJUNCTIONS = frozenset(b"and or multi-sentence slash and-or either neither".split())


cdef Py_ssize_t lemma_length(const uint8_t *c, Py_ssize_t n) noexcept nogil:
    """Length of a label without its sense: a hyphen and two or more digits at its end."""
    cdef Py_ssize_t i = n
    while i > 0 and is_digit(c[i - 1]):
        i -= 1
    return i - 1 if n - i >= 2 and i >= 2 and c[i - 1] == c"-" else n


cdef int compare(const void *a, const void *b) noexcept nogil:
    return <int> (<const uint16_t *> a)[0] - <int> (<const uint16_t *> b)[0]


cdef uint8_t class_of(bytes text, bint constant, Py_ssize_t length, double number):
    """The class of a label whose lemma has this length; ``number``: its value, or NaN."""
    cdef Py_ssize_t n = PyBytes_GET_SIZE(text)
    if n == 1 and text == b"-":
        return MINUS
    if number == number:
        return NUMERAL
    if constant:
        return STRING
    if length < n:
        return SPECIAL_FRAME if n - length == 3 and text[n - 2] == c"9" else FRAME
    if text in _PRONOUNS:
        return PRONOUN
    if text in _CONJUNCTIONS:
        return CONJUNCTION
    if text in _GENERIC:
        return GENERIC
    if text.endswith((b"-entity", b"-quantity")):
        return COMPOUND
    return WORD


def value_of(bytes text not None):
    """The finite number that a label is, or NaN: digits with a sign, a point or an exponent."""
    if not text or text[0] not in b"0123456789+-.":
        return math.nan
    try:
        value = float(text)
    except ValueError:
        return math.nan
    return value if math.isfinite(value) and b"_" not in text else math.nan


def describe(list texts not None, const uint8_t[::1] constant not None):
    """Describe labels.

    Parameters
    ----------
    texts : list of bytes or None
        Labels, UTF-8, in lower case and without quotes; None for a node without one.
    constant : uint8, shape (len(texts),)
        1 for constants, 0 for concepts.

    Returns
    -------
    keys, lemmas : uint64, shape (n,)
        A number for the label, and one for its lemma.
    classes : uint8, shape (n,)
    numbers : float64, shape (n,)
    bigram_offsets : int64, shape (n + 1,)
    bigrams : uint16
        Of every lemma but numbers, ``-`` and none, sorted; a repeated one stands there twice.
    signs : uint64, shape (n,)

    Raises
    ------
    ValueError
        If the lengths differ.
    """
    cdef Py_ssize_t n = len(texts), k, i, length, size, at = 0
    cdef bytes text
    cdef const uint8_t *c
    cdef double number
    if constant.shape[0] != n:
        raise ValueError(f"{constant.shape[0]} marks for {n} labels")
    keys, lemmas, classes = np.empty(n, np.uint64), np.empty(n, np.uint64), np.empty(n, np.uint8)
    numbers, offsets, signs = np.full(n, np.nan), np.zeros(n + 1, np.int64), np.zeros(n, np.uint64)
    bigrams = np.empty(sum(len(each) for each in texts if each is not None), np.uint16)
    cdef uint64_t[::1] key = keys, lemma = lemmas, sign = signs
    cdef uint8_t[::1] kind = classes
    cdef double[::1] value = numbers
    cdef int64_t[::1] offset = offsets
    cdef uint16_t[::1] bigram = bigrams
    for k in range(n):
        if texts[k] is None:
            key[k] = lemma[k] = 0  # as the key of a text as unlikely as any other number
            kind[k] = NONE
        else:
            text = texts[k]
            c, size = <const uint8_t *> PyBytes_AS_STRING(text), PyBytes_GET_SIZE(text)
            number = value_of(text)
            length = size if constant[k] else lemma_length(c, size)
            key[k], lemma[k] = mix(fnv1a(c, size)), mix(fnv1a(c, length))
            value[k] = number
            kind[k] = class_of(text, constant[k], length, number)
            if kind[k] != MINUS and kind[k] != NUMERAL:
                for i in range(length - 1):
                    bigram[at] = <uint16_t> (c[i] << 8 | c[i + 1])
                    sign[k] |= <uint64_t> 1 << (mix(bigram[at]) & 63)
                    at += 1
                if at > offset[k]:
                    qsort(&bigram[offset[k]], at - offset[k], sizeof(uint16_t), compare)
        offset[k + 1] = at
    return keys, lemmas, classes, numbers, offsets, bigrams[:at].copy(), signs


def project(
    const double[:, ::1] vectors not None,
    const uint8_t[::1] known not None,
    const double[::1] centre not None,
    const double[:, ::1] matrix not None,
    float[:, ::1] out not None,
):
    """Vectors less a centre, times a matrix, divided by their lengths.

    Each row is computed by itself and in a fixed order, so it does not depend on the others.

    Parameters
    ----------
    vectors : float64, shape (n, d)
    known : uint8, shape (n,)
        0 where there is no vector.
    centre : float64, shape (d,)
    matrix : float64, shape (d, d)
    out : float32, shape (n, width)
        ``width`` is at least d; 0 where there is no vector, or nothing is left of it, and beyond d.

    Raises
    ------
    ValueError
        If a shape does not fit.
    """
    cdef Py_ssize_t n = vectors.shape[0], d = vectors.shape[1], k, c, e
    cdef double x, total
    if known.shape[0] != n or centre.shape[0] != d or matrix.shape[0] != d or matrix.shape[1] != d:
        raise ValueError("the centre, the matrix or the marks do not fit the vectors")
    if out.shape[0] != n or out.shape[1] < d:
        raise ValueError(f"expected room for {n} vectors of {d} numbers")
    lines = np.empty(max(d, 1))
    cdef double[::1] line = lines
    with nogil:
        for k in range(n):
            out[k, :] = 0.0
            if not known[k] or d == 0:
                continue
            line[:] = 0.0
            for c in range(d):
                x = vectors[k, c] - centre[c]
                for e in range(d):
                    line[e] += x * matrix[c, e]
            total = 0.0
            for e in range(d):
                total += line[e] * line[e]
            if total > 0.0:
                total = 1.0 / sqrt(total)
                for e in range(d):
                    out[k, e] = <float> (line[e] * total)


def ranks(list texts not None, find not None, Py_ssize_t n_words):
    """How rare labels are, by their lines in a file of vectors whose words stand in the order of their frequency.

    The rank of a lemma is the number of its line, from 0; where the file has no such word, that of the rarest of its
    parts between hyphens or underscores; ``n_words`` if one of them is missing.

    Parameters
    ----------
    texts : list of bytes or None
    find : callable
        bytes (UTF-8) → line, or -1.
    n_words : int

    Returns
    -------
    int64, shape (len(texts),)
        ``n_words`` for None.
    """
    cdef Py_ssize_t k, length, n = len(texts)
    cdef int64_t rank, line
    cdef bytes text
    result = np.full(n, n_words, np.int64)
    cdef int64_t[::1] out = result
    for k in range(n):
        if texts[k] is None:
            continue
        text = texts[k]
        length = lemma_length(<const uint8_t *> PyBytes_AS_STRING(text), PyBytes_GET_SIZE(text))
        text = text[:length]
        if (rank := find(text)) < 0:
            parts = [part for part in text.replace(b"_", b"-").split(b"-") if part]
            for part in parts if len(parts) > 1 else ():
                line = find(part)
                rank = max(rank, line if line >= 0 else n_words)
        out[k] = rank if 0 <= rank <= n_words else n_words
    return result


def node_places(
    const int64_t[::1] node_offsets not None,
    const int64_t[::1] edge_offsets not None,
    const int32_t[:, ::1] edges not None,
    const int32_t[::1] roots not None,
    int32_t apart=-1,
):
    """Depth and degree of every node.

    Parameters
    ----------
    node_offsets, edge_offsets : int64, shape (n_graphs + 1,)
    edges : int32, shape (3, n_edges)
        Source, role, target, numbered within their graph.
    roots : int32, shape (n_graphs,)
        Node of each graph's root, or -1.
    apart : int
        Depth of a node that is not connected to the root; -1: one more than the largest of its graph.

    Returns
    -------
    depths : int32, shape (n_nodes,)
        Edges between a node and the root, in whatever direction.
    degrees : int32, shape (n_nodes,)
        Edges that begin or end at a node.

    Raises
    ------
    ValueError, IndexError
        If a shape does not fit, or an index is out of range.
    """
    cdef Py_ssize_t n_graphs = node_offsets.shape[0] - 1, n_nodes, g, k, head, tail
    cdef int64_t first, last, n
    cdef int32_t v, w, deepest
    if n_graphs < 0 or roots.shape[0] != n_graphs:
        raise ValueError("offsets or roots do not fit")
    n_nodes = node_offsets[n_graphs]
    check_edges(node_offsets, n_nodes, edge_offsets, edges)
    depths, degrees = np.full(n_nodes, -1, np.int32), np.zeros(n_nodes, np.int32)
    starts, ends = np.zeros(n_nodes + 2, np.int64), np.empty(2 * edges.shape[1], np.int32)
    queues = np.empty(n_nodes + 1, np.int32)
    cdef int32_t[::1] depth = depths, degree = degrees, end = ends, queue = queues
    cdef int64_t[::1] start = starts
    for g in range(n_graphs):
        first, n = node_offsets[g], node_offsets[g + 1] - node_offsets[g]
        if not -1 <= roots[g] < max(n, 1):
            raise IndexError(f"the root of graph {g} is out of range")
        for k in range(edge_offsets[g], edge_offsets[g + 1]):
            degree[first + edges[0, k]] += 1
            degree[first + edges[2, k]] += 1
    with nogil:
        for k in range(n_nodes):
            start[k + 2] = start[k + 1] + degree[k]
        for g in range(n_graphs):
            first = node_offsets[g]
            for k in range(edge_offsets[g], edge_offsets[g + 1]):
                v, w = edges[0, k], edges[2, k]
                end[start[first + v + 1]] = w
                start[first + v + 1] += 1   # in the end where the next one starts
                end[start[first + w + 1]] = v
                start[first + w + 1] += 1
        for g in range(n_graphs):
            first, last = node_offsets[g], node_offsets[g + 1]
            deepest = -1
            if last > first and roots[g] >= 0:
                head, tail = 0, 1
                queue[0] = roots[g]
                depth[first + roots[g]] = 0
                while head < tail:
                    v = queue[head]
                    head += 1
                    deepest = depth[first + v]
                    for k in range(start[first + v], start[first + v + 1]):
                        w = end[k]
                        if depth[first + w] < 0:
                            depth[first + w] = deepest + 1
                            queue[tail] = w
                            tail += 1
            for k in range(first, last):
                if depth[k] < 0:
                    depth[k] = deepest + 1 if apart < 0 else apart
    return depths, degrees


cdef each(double (*function)(double) noexcept nogil, const double[::1] x):
    cdef Py_ssize_t k
    result = np.empty(x.shape[0])
    cdef double[::1] out = result
    for k in range(x.shape[0]):
        out[k] = function(x[k])
    return result


def exponentials(const double[::1] x not None):
    """e to the power of each number, float64: each by itself, so that none depends on where it stands."""
    return each(exp, x)


def logarithms(const double[::1] x not None):
    """Natural logarithms of 1 + each number, float64: NumPy's differ in their last bits from version to version."""
    return each(log1p, x)
