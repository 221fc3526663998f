"""The triples of one graph, one by one, and what they earned: for results that show which of them match.

They are Python objects, for people, where other kernels have numbers. So the GIL is kept.
"""

from cpython.bytearray cimport PyByteArray_AS_STRING
from cpython.buffer cimport PyBUF_SIMPLE, PyBuffer_Release, PyObject_GetBuffer
from cpython.number cimport PyNumber_Index
from cpython.ref cimport Py_INCREF
from cpython.tuple cimport PyTuple_SET_ITEM
from libc.stdint cimport int32_t, int64_t
from libc.string cimport memset

from fastmatch._ext.base.kept cimport space, zeros
from fastmatch._ext.base.keyed cimport Table, place, table_clear, table_init
from fastmatch._ext.base.search cimport lower_bound_major
from fastmatch._ext.base.sorting cimport Pair, sort_pairs
from fastmatch._ext.graphs.columns cimport (
    Columns, check_labels, count_attributes, count_instances, count_relations, count_variables,
)
from fastmatch._ext.graphs.rewrite cimport NO_TABLE, Heads, Triple, first_rows, next_triple
from fastmatch._ext.reading.interner cimport Interner

cdef extern from "Python.h":
    object PyType_GenericAlloc(object kind, Py_ssize_t n)
    void PyObject_GC_UnTrack(object made)

cdef enum:
    # classes of triples, and ways to count the root: fastmatch/metrics/shared/triples.py
    NOTHING = 0, ATTRIBUTE = 2, RELATION = 4, TOP_NONE = 0, TOP_CONCEPT = 2
    # in place of a role
    CONCEPT = -1            # as next_triple says it
    ROOT = -2
    NO_VALUE = -2           # the value of a relation in its key
    FREE = -1               # what a key's entry in a table says: new, or the number of a gold triple, or taken
    TAKEN = -2


cdef struct Way:            # the labels of a corpus, and what counts: see placed_triples()
    int32_t top_role, top_value, mod, domain
    int top, classes
    Py_buffer folds


cdef struct Placed:
    # Equal keys match: role, value, source of what is no relation, else -2 - role, source, target.
    int32_t[3] key
    int32_t role            # label, or CONCEPT, or ROOT
    int32_t source          # variable
    int32_t target          # of a relation a variable, else a label or -1
    int64_t position        # number in the text; -1 of the root


cdef inline object shown(Interner interner, list texts, int32_t label):
    """The string of a label, or None; ``texts`` has those that were asked for before, if it is not None."""
    if label < 0:
        return None
    if texts is None:
        return interner.text(label)
    if texts[label] is None:
        texts[label] = interner.text(label)
    return texts[label]


cdef inline int32_t partner(const int32_t *mapping, int32_t variable) noexcept:
    """A variable, or what it is mapped to; without a partner, a number that no variable has."""
    if mapping == NULL:
        return variable
    return mapping[variable] if mapping[variable] >= 0 else -1 - variable


cdef int begin(Way *way, Columns columns, labels, int top, int classes) except -1:
    """Take hold of the labels; ``way.folds`` is to be released, even if this raises."""
    way.top_role, way.top_value, way.mod, way.domain, fold = labels
    way.top, way.classes = top, classes
    PyObject_GetBuffer(fold, &way.folds, PyBUF_SIMPLE)
    return check_labels(columns, way.folds.len // <Py_ssize_t> sizeof(int32_t))


cdef int64_t triples_of(Columns columns, Py_ssize_t graph) except -1:
    """How many triples a graph has at most, that of the root among them."""
    if not 0 <= graph < columns.n_graphs:
        raise ValueError(f"graph {graph} of {columns.n_graphs}")
    return 1 + count_instances(columns, graph) + count_attributes(columns, graph) + count_relations(columns, graph)


cdef int64_t gather(
    Columns columns, Interner interner, Py_ssize_t graph, const Way *way, const int32_t *mapping, Placed *found
) except -1:
    """The triples of a graph that count, with copies: the root, then in the order of the text. Returns their number."""
    cdef const int32_t *fold = <const int32_t *>way.folds.buf
    cdef Placed now
    cdef bint turned
    cdef int64_t v, n = 0
    cdef Heads heads = first_rows(columns, graph)
    cdef Triple triple
    cdef int table
    now.role, now.source, now.target, now.position = ROOT, columns.root[graph], -1, -1
    cdef int kind = ATTRIBUTE if way.top != TOP_NONE and now.source >= 0 else NOTHING
    cdef int32_t value = way.top_value
    if way.top == TOP_CONCEPT:
        value = -1
        for v in range(heads.instance, columns.instance_offsets[graph + 1]):
            if columns.instances[0, v] == now.source and columns.instances[1, v] >= 0:
                value = value if value >= 0 else fold[columns.instances[1, v]]
                if now.target < 0 and interner.text(columns.instances[1, v]):
                    now.target = columns.instances[1, v]
    while True:
        if way.classes & kind:
            if kind == RELATION:
                turned = fold[now.role] == way.domain and way.mod >= 0
                now.key[0] = -2 - (way.mod if turned else fold[now.role])
                now.key[1] = partner(mapping, now.target if turned else now.source)
                now.key[2] = partner(mapping, now.source if turned else now.target)
            else:
                now.key[0] = fold[now.role] if now.role >= 0 else way.top_role if now.role == ROOT else CONCEPT
                now.key[1], now.key[2] = value, partner(mapping, now.source)
            found[n] = now
            n += 1
        table = next_triple(columns, graph, &heads, &triple)
        if table == NO_TABLE:
            return n
        kind = 1 << table       # the classes are in the order of the tables
        now.role, now.source, now.target, now.position = triple.role, triple.source, triple.target, triple.position
        if kind != RELATION:
            value = fold[now.target] if now.target >= 0 else -1


cdef list names_of(Columns columns, Interner interner, list texts, Py_ssize_t graph):
    cdef int64_t v
    return [
        shown(interner, texts, columns.variable_names[v])
        for v in range(columns.variable_offsets[graph], columns.variable_offsets[graph + 1])
    ]


cdef tuple triple_of(Interner interner, list texts, const Way *way, list names, const Placed *at):
    """A triple as people see it."""
    if at.key[0] < CONCEPT:
        return names[at.source], shown(interner, texts, at.role), names[at.target]
    value = shown(interner, texts, at.target)
    if at.role == ROOT:
        return names[at.source], ":TOP", value or ("" if way.top == TOP_CONCEPT else "top")
    return names[at.source], ":instance" if at.role == CONCEPT else shown(interner, texts, at.role), value


def placed_triples(
    Columns columns not None, Interner interner not None, Py_ssize_t graph, labels, int top, int classes,
    bint repeated=False,
):
    """The triples of a graph that count, TOP first and then in the order of the text.

    Parameters
    ----------
    columns : Columns
    interner : Interner
        Of the corpus's strings.
    graph : int
    labels : Labels
        :class:`fastmatch.metrics.shared.triples.Labels` of this corpus.
    top : int
        A number of ``TOPS``: the value of the triple that stands for the root.
    classes : int
        Sum of the classes that count.
    repeated : bool
        Keep every copy of a repeated triple; else only the first one.

    Returns
    -------
    list of (key, triple)
        Keys as in :mod:`fastmatch.metrics.shared.triples`.

    Raises
    ------
    ValueError
        If there is no such graph, or a label is missing.
    """
    kept = []
    cdef Placed *placed = <Placed *>space(kept, triples_of(columns, graph), sizeof(Placed))
    cdef Placed *at
    cdef Way way
    cdef int64_t k
    cdef list names, found = []
    cdef set seen = set()
    way.folds.buf = NULL
    try:
        begin(&way, columns, labels, top, classes)
        names = names_of(columns, interner, None, graph)
        for k in range(gather(columns, interner, graph, &way, NULL, placed)):
            at = &placed[k]
            if at.key[0] < CONCEPT:
                key = -2 - at.key[0], NO_VALUE, at.key[1], at.key[2]
            else:
                key = at.key[0], at.key[1], at.key[2]
            if not repeated:
                if key in seen:
                    continue
                seen.add(key)
            found.append((key, triple_of(interner, None, &way, names, at)))
    finally:
        if way.folds.buf != NULL:
            PyBuffer_Release(&way.folds)
    return found


cdef object entry_of(type kind, list fields):
    """What calling the class of a NamedTuple does, without a call in Python."""
    cdef object made = PyType_GenericAlloc(kind, len(fields))
    cdef Py_ssize_t k
    for k in range(len(fields)):
        Py_INCREF(fields[k])
        PyTuple_SET_ITEM(made, k, fields[k])
    PyObject_GC_UnTrack(made)       # it holds no circle, so a search for circles need not look at it
    return made


cdef int64_t pair_up(
    Table *keys, Placed *pred, int64_t n_pred, Placed *gold, int64_t *n_gold, int32_t *partners
) noexcept:
    """Leave out copies of triples, and find the gold triple, or -1, that each of a prediction matches."""
    cdef int32_t *known
    cdef int64_t k, n = 0
    table_clear(keys)
    for k in range(n_gold[0]):
        known = place(keys, gold[k].key[0], gold[k].key[1], gold[k].key[2], True)
        if known[0] == FREE:
            known[0] = <int32_t>n
            gold[n] = gold[k]
            n += 1
    n_gold[0] = n
    n = 0
    for k in range(n_pred):
        known = place(keys, pred[k].key[0], pred[k].key[1], pred[k].key[2], True)
        if known[0] != TAKEN:
            partners[n] = known[0]
            known[0] = TAKEN
            pred[n] = pred[k]
            n += 1
    return n


cdef tuple missing_of(type kind, list triples, const int32_t[::1] mapping, list names, list theirs, dict variables):
    """The gold triples that are left, with the nodes where they belong."""
    cdef dict nodes = {}
    cdef list entries = []
    cdef tuple triple
    cdef Py_ssize_t k
    for k in range(len(names)):
        if 0 <= mapping[k] < len(theirs):
            nodes[theirs[mapping[k]]] = names[k]
    for triple in triples:
        node = nodes.get(triple[0])
        if triple[0] not in nodes and triple[1] != ":instance":
            node = nodes.get(triple[2])
        entries.append(entry_of(kind, [triple, node, variables.get(node)]))
    return tuple(entries)


cdef struct Pairing:        # which triples of a prediction match which gold triples
    Placed *mine
    Placed *theirs
    int32_t *partners       # of each triple of the prediction a gold triple, or -1
    int64_t n, n_gold
    Table keys
    Way way


cdef int open_pairing(
    Pairing *made, Columns columns, Interner interner, labels, int top, int classes, Py_ssize_t pred, Py_ssize_t gold,
    const int32_t[::1] mapping, list kept,
) except -1:
    """Pair the triples of two graphs; to be closed, even if this raises."""
    memset(made, 0, sizeof(Pairing))
    cdef int64_t n = triples_of(columns, pred), n_gold = triples_of(columns, gold)
    made.mine = <Placed *>space(kept, n + n_gold, sizeof(Placed) + sizeof(int32_t))
    made.theirs = made.mine + n
    made.partners = <int32_t *>(made.theirs + n_gold)
    if mapping.shape[0] < count_variables(columns, pred):
        raise ValueError(f"a map of {count_variables(columns, pred)} variables is too short")
    begin(&made.way, columns, labels, top, classes)
    made.n = gather(columns, interner, pred, &made.way, &mapping[0] if len(mapping) else NULL, made.mine)
    made.n_gold = gather(columns, interner, gold, &made.way, NULL, made.theirs)
    table_init(&made.keys, made.n + made.n_gold, kept)
    made.n = pair_up(&made.keys, made.mine, made.n, made.theirs, &made.n_gold, made.partners)
    return 0


cdef void close_pairing(Pairing *made):
    if made.way.folds.buf != NULL:
        PyBuffer_Release(&made.way.folds)


cdef inline double share_of(int64_t matched, int64_t size) noexcept:
    """What the last of so many matched triples earned: a difference of two scores, without rounding."""
    return <double> (2 * matched) / <double> size - <double> (2 * matched - 2) / <double> size


def credited(
    Columns columns not None, Interner interner not None, list texts not None, labels, int top, int classes,
    Py_ssize_t pred, Py_ssize_t gold, const int32_t[::1] mapping not None, int64_t size, list spans not None,
    dict variables not None, order, type kind not None, type missing not None,
):
    """What each triple of a prediction earned, and what it lacks: see :mod:`fastmatch.rewards.credit`.

    Parameters
    ----------
    columns, interner, labels, top, classes
        As for :func:`placed_triples`; of several copies of a triple the first one counts.
    texts : list of str or None
        One for each label of the corpus. Strings that are asked for are kept there, for the graphs that follow.
    pred, gold : int
        Graphs.
    mapping : int32[n_variables of the prediction]
        Variables of the gold graph, or −1.
    size : int
        Triples of both graphs, at least 1.
    spans : list
        Characters of the triples of a text; a position is a place in this list.
    variables : dict
        Variable → characters, or None. What is not in the text has those of one of its ends, if there are any.
    order : callable or None
        Where positions are not those of the text: gets the triples, and whether the first one stands for the root, and
        returns pairs (position, number in that list) in the order of the text.
    kind, missing : type
        Of the entries: ``TripleCredit``, ``MissingTriple``.

    Returns
    -------
    entries : tuple of (triple, partner, share, spans)
    missing : tuple of (triple, node, span)
        The gold triples that nothing matches.

    Raises
    ------
    ValueError
        If there is no such graph, a label is missing, or ``mapping`` is too short.
    """
    cdef Pairing made
    cdef int64_t k, position, matched = 0
    cdef list names, gold_names, triples = [], gold_triples = [], entries = []
    cdef tuple triple
    if not (issubclass(kind, tuple) and issubclass(missing, tuple)):
        raise TypeError(f"{kind} or {missing} is no kind of tuple")
    if len(texts) < max(columns.n_labels, columns.n_names):
        raise ValueError(f"{len(texts)} texts: too few for the labels of the corpus")
    kept = []
    try:
        open_pairing(&made, columns, interner, labels, top, classes, pred, gold, mapping, kept)
        names, gold_names = names_of(columns, interner, texts, pred), names_of(columns, interner, texts, gold)
        for k in range(made.n_gold):
            gold_triples.append(triple_of(interner, texts, &made.way, gold_names, &made.theirs[k]))
        for k in range(made.n):
            triples.append(triple_of(interner, texts, &made.way, names, &made.mine[k]))
        listed = range(made.n) if order is None else order(triples, made.n > 0 and made.mine[0].position < 0)
        for found in listed:
            if order is None:
                k = found
                position = made.mine[k].position
            else:
                position, k = found
            triple, partner, share = triples[k], None, 0.0
            if made.partners[k] >= 0:
                partner = gold_triples[made.partners[k]]
                matched += 1
                share = share_of(matched, size)
            if 0 <= position < len(spans):
                where = spans[position]
            else:
                where = variables.get(triple[0]) or variables.get(triple[2])
                where = () if where is None else (where,)
            entries.append(entry_of(kind, [triple, partner, share, where]))
        for k in range(made.n):
            if made.partners[k] >= 0:
                gold_triples[made.partners[k]] = None
        left = [triple for triple in gold_triples if triple is not None]
        return tuple(entries), missing_of(missing, left, mapping, names, gold_names, variables)
    finally:
        close_pairing(&made)


def tokens_of_text(
    Columns columns not None, Interner interner not None, labels, int top, int classes, Py_ssize_t pred,
    Py_ssize_t gold, const int32_t[::1] mapping not None, Py_ssize_t start, Py_ssize_t stop, int64_t size,
    bytearray ends not None, list offsets not None, double rest,
):
    """What :func:`to_tokens` makes of the triples that :func:`credited` finds, without any of them as an object.

    Parameters
    ----------
    columns, interner, labels, top, classes, pred, gold, size
        As for :func:`credited`.
    mapping, start, stop
        Of many pairs; that of this one is ``mapping[start:stop]``.
    ends : bytearray
        Of :func:`fastmatch._ext.reading.repair.ends_of_triples`; a position is a place after the first.
    offsets, rest
        As for :func:`to_tokens`.

    Returns
    -------
    list of float, or None
        None if a triple that matches is not in the text.

    Raises
    ------
    ValueError
        As for both.
    """
    cdef Pairing made
    cdef int64_t k, n_ends = len(ends) // <Py_ssize_t> sizeof(int64_t)
    cdef Py_ssize_t matched = 0
    cdef int64_t *known = <int64_t *> PyByteArray_AS_STRING(ends)
    cdef double *shares
    cdef int64_t *found
    kept = []
    made.way.folds.buf = NULL
    if not 0 <= start <= stop <= mapping.shape[0]:
        raise ValueError(f"a map from {start} to {stop} of {mapping.shape[0]}")
    try:
        open_pairing(&made, columns, interner, labels, top, classes, pred, gold, mapping[start:stop], kept)
        shares = <double *>space(kept, made.n, sizeof(double))
        found = <int64_t *>space(kept, made.n, sizeof(int64_t))
        for k in range(made.n):
            if made.partners[k] >= 0:
                if made.mine[k].position + 1 >= n_ends:
                    return None
                found[matched] = known[made.mine[k].position + 1]
                matched += 1
                shares[matched - 1] = share_of(matched, size)
        return spread(offsets, shares, found, matched, rest)
    finally:
        close_pairing(&made)


def to_tokens(list offsets not None, list shares not None, list ends not None, double rest):
    """The credit of each token: see :meth:`fastmatch.rewards.credit.Credit.to_tokens`.

    Parameters
    ----------
    offsets : list of (start, stop)
    shares, ends : list of float, list of int
        What each triple earned, and the place behind its last character; 0: it has none.
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
    cdef Py_ssize_t k, n = min(len(shares), len(ends))
    kept = []
    cdef double *own = <double *>space(kept, n, sizeof(double))
    cdef int64_t *places = <int64_t *>space(kept, n, sizeof(int64_t))
    for k in range(n):
        own[k], places[k] = shares[k], ends[k]
    return spread(offsets, own, places, n, rest)


cdef list spread(list offsets, const double *shares, const int64_t *ends, Py_ssize_t n_shares, double rest):
    cdef Py_ssize_t n = len(offsets), n_full = 0, last = n - 1, i, k, token = 0
    cdef int64_t start, stop
    cdef bint rises = True
    if n == 0:
        return []
    kept = []
    # the stretches that are not empty: where they begin, and which tokens they are
    cdef Pair *full = <Pair *>space(kept, 2 * n, sizeof(Pair))
    cdef double *values = <double *>zeros(kept, n, sizeof(double))
    try:
        for i in range(n):
            first, second = offsets[i]
            if type(first) is not int or type(second) is not int:
                first, second = PyNumber_Index(first), PyNumber_Index(second)
            start, stop = first, second
            if not 0 <= start <= stop:
                raise ValueError
            if start < stop:
                rises = rises and (not n_full or full[n_full - 1].major <= start)
                full[n_full].major, full[n_full].minor = start, i
                n_full += 1
                last = i
    except (OverflowError, TypeError, ValueError):
        raise ValueError(offsets[i]) from None
    if not rises:
        sort_pairs(full, n_full, full + n)
    for k in range(n_shares):
        i = last
        if ends[k] and n_full:
            # of the tokens that begin before that place the last one; places rise, but for what was listed otherwise
            if full[token].major >= ends[k]:
                token = max(0, lower_bound_major(full, 0, n_full, ends[k]) - 1)
            while token + 1 < n_full and full[token + 1].major < ends[k]:
                token += 1
            i = full[token].minor
        values[i] += shares[k]
    values[last] += rest
    cdef list found = [0.0] * n     # most tokens earn nothing
    for i in range(n):
        if values[i]:
            found[i] = values[i]
    return found
