# cython: language_level=3
"""Relations that match under an alignment, as AnCast counts them: labelled, unlabelled, weighted, and as Smatch would.

An end of a relation is a node, by its number, or a constant, as ``CONSTANT`` - id. The relations of a graph are stored
as pairs of ends with the labels between them, sorted, so that a pair is translated by the alignment and looked up in
the other graph.
"""

from libc.math cimport sqrt
from libc.stdint cimport int32_t, int64_t, uint32_t, uint8_t
from libc.string cimport memset

from fastmatch._ext.anchors.layout cimport CONSTANT, NOTHING
from fastmatch._ext.anchors.match cimport similar
from fastmatch._ext.anchors.pair cimport (
    LABELLED_MATCHED, RELATION_TOTAL, UNLABELLED_MATCHED, WEIGHTED_MATCHED, WEIGHTED_TOTAL, Options, View, likeness,
)
from fastmatch._ext.base.search cimport lower_bound, lower_bound_two, next_shared


cdef inline int32_t node_called(const View *view, int32_t label) noexcept nogil:
    """The node whose variable has this name, or -1, which is also the answer to no name, that is to a negative label.

    Only graphs made with ``tool`` know the names.
    """
    if label < 0:
        return -1
    cdef Py_ssize_t at = lower_bound(view.sorted_label, 0, view.n, label)
    return view.sorted_node[at] if at < view.n and view.sorted_label[at] == label else -1


cdef inline int32_t translate(const View *you, const int32_t *match, int32_t end, bint tool) noexcept nogil:
    """What an end of a relation is in the other graph: its partner, or the same constant."""
    cdef int32_t node
    if end >= 0:
        return match[end]
    if tool:    # the tool looks for the text of a constant among the names of the variables
        if (node := node_called(you, CONSTANT - end)) >= 0:
            return node
    return end


cdef inline int32_t find_pair(const View *view, int32_t predicate, int32_t argument) noexcept nogil:
    """Number of the pair of ends, or -1. Constants, which are negative, sort behind nodes as arguments."""
    cdef Py_ssize_t at = lower_bound_two(
        view.predicate, <const uint32_t *> view.argument, 0, view.n_pairs, predicate, <uint32_t> argument
    )
    if at < view.n_pairs and view.predicate[at] == predicate and view.argument[at] == argument:
        return <int32_t> at
    return -1


cdef inline double end_similarity(
    const View *me, const View *you, int32_t end, int32_t other, int32_t word, const Options *options,
    const double *similarity, bint is_pred, int32_t n_g,
) noexcept nogil:
    """The similarity of an end of a relation and its translation, in [0, 1]."""
    cdef double value
    if end >= 0:
        if options.intrinsic and similarity == NULL:
            return similar(me, end, you, other, options) if is_pred else similar(you, other, me, end, options)
        if options.intrinsic:
            return similarity[<int64_t> end * n_g + other if is_pred else <int64_t> other * n_g + end]
        value = likeness(me, me.name[end], you, you.name[other])
        return value if me.sense[end] == you.sense[other] else value * (1.0 - options.gamma)
    if other < 0:
        return 1.0      # the same constant
    value = likeness(me, word, you, you.name[other])
    return value if you.sense[other] == 0 else value * (1.0 - options.gamma)


cdef inline int64_t reachable(
    const View *me, const View *t, int32_t end, bint borrowed
) noexcept nogil:
    """Descendants of an end of a relation.

    ``borrowed``: of the node of t that has the same name. The tool weights the gold graph's relations like that.
    """
    if borrowed:
        end = node_called(t, me.label[end] if end >= 0 else CONSTANT - end)
        return t.reach[end] if end >= 0 else 0
    return me.reach[end] if end >= 0 else 0


cdef inline int64_t count_relations(
    const View *me, const View *you, const View *t, const int32_t *match, const Options *options,
    const double *similarity, uint8_t *found, bint is_pred, int32_t n_g, double *out,
) noexcept nogil:
    """Relation statistics of graph ``me`` against graph ``you``, into ``out``.

    Returns how many relations of ``you`` some relation of ``me`` was translated to.

    Parameters
    ----------
    me, you : View
        The graph whose relations are counted, and the other one.
    t : View
        The prediction.
    match : int32, [nodes of me]
        The partner of each node in ``you``, or -1.
    similarity : float64, [nodes of t, n_g]
        S, or NULL: it is computed where it is needed. ``n_g`` is the number of nodes of the gold graph.
    found : uint8, [relations of you]
        Scratch.
    is_pred : bool
        Whether ``me`` is the prediction.
    out : float64, [SIDE_STATISTICS]
        LABELLED_MATCHED, UNLABELLED_MATCHED, RELATION_TOTAL, WEIGHTED_MATCHED and WEIGHTED_TOTAL are set.
    """
    cdef int32_t p, q, predicate, argument, size, other_size, overlap
    cdef int64_t hits = 0, first_label = you.label_start[0], product
    cdef Py_ssize_t a, b, a_stop, b_stop
    cdef double weight, alike
    cdef double labelled = 0, unlabelled = 0, total = 0, weighted = 0, weighted_total = 0
    memset(found, 0, you.label_start[you.n_pairs] - first_label)
    for p in range(me.n_pairs):
        a, a_stop = me.label_start[p], me.label_start[p + 1]
        size = <int32_t> (a_stop - a)
        product = (
            reachable(me, t, me.predicate[p], options.tool and not is_pred)
            * reachable(me, t, me.argument[p], options.tool and not is_pred)
        )
        weight = sqrt(<double> (product + 1)) if options.inner_weight else sqrt(<double> product) + 1
        total += size
        weighted_total += size * weight
        predicate = translate(you, match, me.predicate[p], options.tool)
        argument = translate(you, match, me.argument[p], options.tool)
        if predicate == NOTHING or argument == NOTHING:
            continue
        if (q := find_pair(you, predicate, argument)) < 0:
            continue
        b, b_stop = you.label_start[q], you.label_start[q + 1]
        other_size = <int32_t> (b_stop - b)
        overlap = 0
        while next_shared(me.labels, &a, a_stop, you.labels, &b, b_stop):
            overlap += 1
            hits += not found[b - first_label]
            found[b - first_label] = 1
            a += 1
            b += 1
        alike = (
            end_similarity(me, you, me.predicate[p], predicate, me.predicate_word[p], options, similarity,
                           is_pred, n_g)
            + end_similarity(me, you, me.argument[p], argument, me.argument_word[p], options, similarity,
                             is_pred, n_g)
        ) / 2
        labelled += alike * overlap
        unlabelled += alike * min(size, other_size)
        weighted += alike * (overlap * weight)
    out[LABELLED_MATCHED] = labelled
    out[UNLABELLED_MATCHED] = unlabelled
    out[RELATION_TOTAL] = total
    out[WEIGHTED_MATCHED] = weighted
    out[WEIGHTED_TOTAL] = weighted_total
    return hits
