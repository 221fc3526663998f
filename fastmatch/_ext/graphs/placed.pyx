"""The triples of one graph, one by one: for results that show which of them match.

They are Python objects, for people, where other kernels have numbers. So the GIL is kept.
"""

from cpython.buffer cimport PyBUF_SIMPLE, PyBuffer_Release, PyObject_GetBuffer
from cpython.object cimport PyObject, PyTypeObject
from libc.stdint cimport int32_t, int64_t
from libc.stdlib cimport calloc, free

from fastmatch._ext.base.sorting cimport Pair, sort_pairs
from fastmatch._ext.graphs.columns cimport Columns, check_labels, count_variables
from fastmatch._ext.reading.interner cimport Interner

cdef enum:
    # classes of triples, and ways to count the root: fastmatch/metrics/shared/triples.py
    NOTHING = 0
    INSTANCE = 1
    ATTRIBUTE = 2
    RELATION = 4
    TOP_NONE = 0
    TOP_CONCEPT = 2

cdef int CONCEPT = -1                           # in place of a role
cdef object NO_VALUE = -2
cdef int64_t NOWHERE = <int64_t> 1 << 31        # a position behind all others


cdef inline object shown(Interner interner, int32_t label):
    return interner.text(label) if label >= 0 else None


cdef inline int32_t partner(const int32_t *mapping, int32_t variable) noexcept:
    """A variable, or what it is mapped to; without a partner, a number that no variable has."""
    if mapping == NULL:
        return variable
    return mapping[variable] if mapping[variable] >= 0 else -1 - variable


cdef tuple listed(
    Columns columns, Interner interner, Py_ssize_t graph, int32_t top_role, int32_t top_value, int32_t mod,
    int32_t domain, const int32_t *fold, int top, int classes, bint repeated, const int32_t *mapping
):
    """The loop of :func:`placed_triples`."""
    cdef int32_t role, source, target
    cdef int kind
    cdef int64_t position, v, i, a, r
    cdef list names = [], found = []
    cdef dict first = {}
    for v in range(columns.variable_offsets[graph], columns.variable_offsets[graph + 1]):
        names.append(shown(interner, columns.variable_names[v]))
    i, a, r = columns.instance_offsets[graph], columns.attribute_offsets[graph], columns.relation_offsets[graph]
    position, source = -1, columns.root[graph]
    kind = ATTRIBUTE if top != TOP_NONE and source >= 0 else NOTHING
    name, role, called = ":TOP", top_role, "top"
    if top == TOP_CONCEPT:
        called, top_value = "", -1
        for v in range(i, columns.instance_offsets[graph + 1]):
            target = columns.instances[1, v]
            if columns.instances[0, v] == source and target >= 0:
                top_value = top_value if top_value >= 0 else fold[target]
                called = called or interner.text(target)
    value = top_value
    while True:
        if classes & kind:
            triple = names[source], name, called
            if kind != RELATION:
                key = role, value, partner(mapping, source)
            elif role == domain and mod >= 0:
                key = mod, value, partner(mapping, target), partner(mapping, source)
            else:
                key = role, value, partner(mapping, source), partner(mapping, target)
            if repeated or key not in first:
                first[key] = triple
                found.append((key, triple, position))
        # next, of the three tables, each of which is in the order of the text
        kind, position = NOTHING, NOWHERE
        if i < columns.instance_offsets[graph + 1]:
            kind, position = INSTANCE, columns.instances[2, i]
        if a < columns.attribute_offsets[graph + 1] and columns.attributes[3, a] < position:
            kind, position = ATTRIBUTE, columns.attributes[3, a]
        if r < columns.relation_offsets[graph + 1] and columns.relations[3, r] < position:
            kind, position = RELATION, columns.relations[3, r]
        if kind == NOTHING:
            return found, first, names
        if kind == INSTANCE:
            source, role, target = columns.instances[0, i], CONCEPT, columns.instances[1, i]
            name = ":instance"
            i += 1
        elif kind == ATTRIBUTE:
            source, role, target = columns.attributes[0, a], columns.attributes[1, a], columns.attributes[2, a]
            a += 1
        else:
            source, role, target = columns.relations[0, r], columns.relations[1, r], columns.relations[2, r]
            r += 1
        if role >= 0:
            name, role = interner.text(role), fold[role]
        if kind == RELATION:
            value, called = NO_VALUE, names[target]
        else:
            value, called = fold[target] if target >= 0 else -1, shown(interner, target)


def placed_triples(
    Columns columns not None, Interner interner not None, Py_ssize_t graph, int32_t top_role, int32_t top_value,
    int32_t mod, int32_t domain, fold, int top, int classes, bint repeated=False, mapping=None,
):
    """The triples of a graph that count, TOP first and then in the order of the text.

    Parameters
    ----------
    columns : Columns
    interner : Interner
        Of the corpus's strings.
    graph : int
    top_role, top_value, mod, domain, fold
        The fields of :class:`fastmatch.metrics.shared.triples.Labels` of this corpus; ``fold`` is int32[n_labels].
    top : int
        A number of ``TOPS``: the value of the triple that stands for the root.
    classes : int
        Sum of the classes that count.
    repeated : bool
        Keep every copy of a repeated triple; else only the first one.
    mapping : int32[n_variables], optional
        Variables of another graph, or −1. Keys have them in place of this graph's own, so that equal keys match.

    Returns
    -------
    triples : list of (key, triple, position)
        Keys as in :mod:`fastmatch.metrics.shared.explaining`; the position of TOP is −1.
    by_key : dict
        Key → triple; not if triples may be repeated.
    names : list of str or None
        Of the variables.

    Raises
    ------
    ValueError
        If there is no such graph, or ``fold`` or ``mapping`` is too short.
    """
    cdef Py_buffer folds, map
    if not 0 <= graph < columns.n_graphs:
        raise ValueError(f"graph {graph} of {columns.n_graphs}")
    PyObject_GetBuffer(fold, &folds, PyBUF_SIMPLE)
    map.buf = NULL
    try:
        check_labels(columns, folds.len // sizeof(int32_t))
        if mapping is not None:
            PyObject_GetBuffer(mapping, &map, PyBUF_SIMPLE)
            if map.len < count_variables(columns, graph) * <Py_ssize_t>sizeof(int32_t):
                raise ValueError(f"a map of {count_variables(columns, graph)} variables is too short")
        return listed(
            columns, interner, graph, top_role, top_value, mod, domain, <const int32_t *>folds.buf, top, classes,
            repeated, <const int32_t *>map.buf
        )
    finally:
        PyBuffer_Release(&folds)
        if map.buf != NULL:
            PyBuffer_Release(&map)


cdef object named(type kind, tuple fields):
    """What calling the class of a NamedTuple does, without a call in Python."""
    cdef tuple arguments = (fields,)
    return (<PyTypeObject *>tuple).tp_new(kind, <PyObject *>arguments, NULL)


cdef int check_kind(type kind) except -1:
    if not issubclass(kind, tuple):
        raise TypeError(f"{kind} is no kind of tuple")
    return 0


def shares(
    list listed not None, dict waiting not None, int64_t size, list spans not None, dict variables not None,
    type kind not None,
):
    """What each triple of a prediction earned: see :mod:`fastmatch.rewards.credit`.

    Parameters
    ----------
    listed : list of (key, triple, position)
    waiting : dict
        Key → triple, of the gold graph; it loses those that match.
    size : int
        Triples of both graphs, at least 1.
    spans : list
        Characters of the triples of a text; a position is a place in this list.
    variables : dict
        Variable → characters, or None. What is not in the text has those of one of its ends, if there are any.
    kind : type
        Of the entries: ``TripleCredit``.

    Returns
    -------
    entries : tuple of (triple, partner, share, spans)
    score : float
        The sum of the shares.
    """
    cdef double score = 0.0, now, share
    cdef int64_t matched = 0
    cdef Py_ssize_t position
    cdef list entries = []
    cdef tuple triple
    check_kind(kind)
    for key, triple, position in listed:
        partner = waiting.pop(key, None)
        share = 0.0
        if partner is not None:
            matched += 1
            now = <double> (2 * matched) / <double> size
            score, share = now, now - score
        if 0 <= position < len(spans):
            where = spans[position]
        else:
            where = variables.get(triple[0]) or variables.get(triple[2])
            where = () if where is None else (where,)
        entries.append(named(kind, (triple, partner, share, where)))
    return tuple(entries), score


def unmatched(
    dict waiting not None, list theirs not None, list names not None, list mapping not None, dict variables not None,
    type kind not None,
):
    """The gold triples that nothing matches, with the nodes where they belong.

    Parameters
    ----------
    waiting : dict
        What :func:`shares` leaves.
    theirs, names : list of str or None
        Variables of the gold graph, and of the prediction.
    mapping : list of int
        For each variable of the prediction that of the gold graph, or −1.
    variables : dict
        As for :func:`shares`.
    kind : type
        Of the entries: ``MissingTriple``.

    Returns
    -------
    tuple of (triple, node, span)
    """
    cdef dict nodes = {}
    cdef list entries = []
    cdef tuple triple
    cdef Py_ssize_t j
    check_kind(kind)
    for name, j in zip(names, mapping):
        if 0 <= j < len(theirs):
            nodes[theirs[j]] = name
    for triple in waiting.values():
        node = nodes.get(triple[0])
        if triple[0] not in nodes and triple[1] != ":instance":
            node = nodes.get(triple[2])
        entries.append(named(kind, (triple, node, variables.get(node))))
    return tuple(entries)


def to_tokens(list offsets not None, entries, double rest):
    """The credit of each token: see :meth:`fastmatch.rewards.credit.Credit.to_tokens`.

    Parameters
    ----------
    offsets : list of (start, stop)
    entries : iterable of (triple, partner, share, spans)
    rest : float

    Returns
    -------
    list of float
        One for each token.

    Raises
    ------
    ValueError
        If an offset is no pair ``0 <= start <= stop``; its argument is the offset.
    """
    cdef Py_ssize_t n = len(offsets), n_full = 0, last = n - 1, i, low, high, middle
    cdef int64_t start, stop, end
    cdef Pair *full = NULL          # the stretches that are not empty: where they begin, and which tokens they are
    cdef list values = [0.0] * n
    if n == 0:
        return values
    full = <Pair *>calloc(2 * n, sizeof(Pair))
    if full == NULL:
        raise MemoryError
    try:
        for i in range(n):
            try:
                first, second = offsets[i]
                start, stop = int(first), int(second)
            except (OverflowError, TypeError, ValueError):
                start, stop = 0, -1
            if not 0 <= start <= stop:
                raise ValueError(offsets[i])
            if start < stop:
                full[n_full].major, full[n_full].minor = start, i
                n_full += 1
                last = i
        sort_pairs(full, n_full, full + n)
        for _, _, share, spans in entries:
            if not share:
                continue
            i = last
            if spans and n_full:
                end = max([one[1] for one in spans]) - 1
                # of the tokens that begin at that character or before it the last one
                low, high = 0, n_full
                while low < high:
                    middle = (low + high) // 2
                    if full[middle].major <= end:
                        low = middle + 1
                    else:
                        high = middle
                i = full[max(0, low - 1)].minor
            values[i] += share
        values[last] += rest
    finally:
        free(full)
    return values
