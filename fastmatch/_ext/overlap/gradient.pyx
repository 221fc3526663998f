"""Slopes of soft overlap, to train its numbers: how a loss changes with masses, vectors, scales and settings.

The sums of a pair are piecewise smooth: of every maximum, over nodes, over edges or over the terms of a likeness, the
largest one alone matters. So each pair is matched again, and the slope goes back along the best matches, and along
the one-to-one matches as if these did not change. At a point where two candidates are equally good, the slope is that
of the one that came first.
"""

from libc.math cimport log, pow
from libc.stdint cimport int32_t, int64_t, uint8_t
from libc.stdlib cimport free, realloc
from libc.string cimport memset

from fastmatch._ext.base.pairs cimport check_cancel, check_pairs
from fastmatch._ext.base.status cimport FINE, NO_MEMORY, raise_status
from fastmatch._ext.overlap.pair cimport (
    NUMBERS, SAME_LEMMA, SHARED_CHARACTERS, VECTORS, Best, Kind, Matcher, check_spaces, label_likeness, mixed,
    product_of,
)
from fastmatch._ext.overlap.space cimport (
    BETWEEN, CHARACTERS, FLOOR, LEMMA, N_SETTINGS, NUMBER, OTHER_ROLE, POWER, SINGLE, TURNED, Label, SoftSpace,
)


cdef struct Slopes:
    # Where slopes are added up.
    double *node_mass
    double *edge_mass
    double *vector
    double *scale
    double *setting
    double *cell                      # [n, m], of the likeness of two nodes; all 0 between two pairs
    int64_t room                      # cells there is room for


cdef void edge_slopes(SoftSpace space, Matcher matcher, int64_t i, int64_t j, int64_t e, const Best *best, bint first,
                      double slope, Slopes *slopes) noexcept nogil:
    """Send the slope of an edge's match on to the likeness of the ends of the two edges, and to the settings.

    ``first``: edge e is one of the first graph i, and its match one of the second graph j; else the other way round.
    """
    cdef int64_t one = space.edge_offset[i] + (e if first else best.of)
    cdef int64_t two = space.edge_offset[j] + (best.of if first else e)
    cdef int64_t sources, targets, m = matcher.m
    cdef double s, t, weight = 1.0
    cdef bint same = space.edge[1, one] == space.edge[1, two]
    if best.turned:
        sources = space.edge[0, one] * m + space.edge[2, two]
        targets = space.edge[2, one] * m + space.edge[0, two]
        weight = space.setting[TURNED]
    else:
        sources = space.edge[0, one] * m + space.edge[0, two]
        targets = space.edge[2, one] * m + space.edge[2, two]
    s, t = matcher.likeness[sources], matcher.likeness[targets]
    if best.turned:
        slopes.setting[TURNED] += slope * s * t * (1.0 if same else space.setting[OTHER_ROLE])
    if not same:
        slopes.setting[OTHER_ROLE] += slope * s * t * weight
        weight *= space.setting[OTHER_ROLE]
    slopes.cell[sources] += slope * weight * t
    slopes.cell[targets] += slope * weight * s


cdef void label_slopes(SoftSpace space, int32_t r, int32_t q, double slope, Slopes *slopes) noexcept nogil:
    """Send the slope of the likeness of two labels on to what it is made of."""
    cdef double product = product_of(space, space, r, q), floor = space.setting[FLOOR], power = space.setting[POWER]
    cdef double s, x, per_product
    cdef Kind kind
    cdef int64_t k, width = space.width
    cdef const float *one
    cdef const float *two
    cdef double *to_one
    cdef double *to_two
    cdef const Label *first = space.label + r
    cdef const Label *second = space.label + q
    s = label_likeness(first, second, &space.setting[0], &space.scale[first.kind, 0], product, &kind)
    if kind == SAME_LEMMA:
        slopes.setting[LEMMA] += slope
    elif kind == SHARED_CHARACTERS:
        slopes.setting[CHARACTERS] += slope * s / space.setting[CHARACTERS]
    elif kind == NUMBERS:
        slopes.setting[NUMBER] += slope * s / space.setting[NUMBER]
    elif kind == VECTORS:
        x = (product - floor) / (1.0 - floor)
        slopes.scale[first.kind * space.n_classes + second.kind] += slope * (pow(x, power) if x < 1.0 else 1.0)
        if x >= 1.0:
            return
        slopes.setting[POWER] += slope * s * log(x)
        per_product = slope * s * power / x
        slopes.setting[FLOOR] += per_product * (product - 1.0) / ((1.0 - floor) * (1.0 - floor))
        per_product /= 1.0 - floor
        one, two = &space.vector[r, 0], &space.vector[q, 0]
        to_one, to_two = slopes.vector + r * width, slopes.vector + q * width
        for k in range(width):
            to_one[k] += per_product * two[k]
            to_two[k] += per_product * one[k]


cdef inline double value_of(Matcher matcher, const Best *best, const Best *single, double share,
                            int64_t k) noexcept nogil:
    """What counts of a node or edge."""
    return mixed(best[k].value, &single[k], share) if matcher.with_single else best[k].value


cdef int pair_slopes(SoftSpace space, Matcher matcher, int64_t i, int64_t j, double covered_a, double mass_a,
                     double covered_b, double mass_b, Slopes *slopes, const uint8_t *cancel) noexcept nogil:
    """Add the slopes of one pair; the four numbers are those of the loss by the pair's sums."""
    cdef int status = matcher.match(space, space, i, j, True, True, True, cancel)
    cdef int64_t v, w, e, n = matcher.n, m = matcher.m
    cdef int64_t node_a = space.offset[i], node_b = space.offset[j]
    cdef int64_t edge_a = space.edge_offset[i], edge_b = space.edge_offset[j], count, first, step, other_step
    cdef double slope, covered, mass, single = 0.0, between = 0.0
    cdef const Best *best
    cdef const Best *apart
    cdef int side
    cdef bint mixes = matcher.with_single
    cdef void *larger
    if status != FINE:
        return status
    if n * m > slopes.room:
        if (larger := realloc(slopes.cell, n * m * sizeof(double))) == NULL:
            return NO_MEMORY
        slopes.cell = <double *> larger
        slopes.room = n * m
        memset(slopes.cell, 0, n * m * sizeof(double))
    if mixes:
        single, between = space.setting[SINGLE], space.setting[BETWEEN]
    for side in range(2):
        if side:
            count, first, covered, mass, step, other_step = m, node_b, covered_b, mass_b, 1, m
            best, apart = matcher.column_best, matcher.single_column
        else:
            count, first, covered, mass, step, other_step = n, node_a, covered_a, mass_a, m, 1
            best, apart = matcher.row_best, matcher.single_row
        for v in range(count):
            slope = covered * space.mass[first + v]
            slopes.node_mass[first + v] += mass + covered * value_of(matcher, best, apart, single, v)
            if best[v].of >= 0:
                slopes.cell[v * step + best[v].of * other_step] += (1.0 - single) * slope
            if mixes:
                slopes.setting[SINGLE] += slope * (apart[v].value - best[v].value)
                if apart[v].of >= 0:
                    slopes.cell[v * step + apart[v].of * other_step] += single * slope
    for side in range(2):
        if side:
            count, first, covered, mass = matcher.m_edges, edge_b, covered_b, mass_b
            best, apart = matcher.edge_column_best, matcher.between_column
        else:
            count, first, covered, mass = matcher.n_edges, edge_a, covered_a, mass_a
            best, apart = matcher.edge_row_best, matcher.between_row
        for e in range(count):
            slope = covered * space.edge_mass[first + e]
            slopes.edge_mass[first + e] += mass + covered * value_of(matcher, best, apart, between, e)
            if best[e].of >= 0:
                edge_slopes(space, matcher, i, j, e, &best[e], not side, (1.0 - between) * slope, slopes)
            if mixes:
                slopes.setting[BETWEEN] += slope * (apart[e].value - best[e].value)
                if apart[e].of >= 0:
                    edge_slopes(space, matcher, i, j, e, &apart[e], not side, between * slope, slopes)
    for v in range(n):
        for w in range(m):
            slope = slopes.cell[v * m + w]
            if slope != 0.0:
                label_slopes(space, space.row[node_a + v], space.row[node_b + w], slope, slopes)
                slopes.cell[v * m + w] = 0.0
    return FINE


def add_slopes(
    SoftSpace space not None,
    const int32_t[::1] index_a not None,
    const int32_t[::1] index_b not None,
    const double[:, ::1] slopes not None,
    *,
    const uint8_t[::1] cancel not None,
    double[::1] node_masses not None,
    double[::1] edge_masses not None,
    double[:, ::1] vectors not None,
    double[:, ::1] scales not None,
    double[::1] settings not None,
):
    """Add the slopes of a loss by everything that the sums of pairs are made of.

    Parameters
    ----------
    space : SoftSpace
        Both graphs of every pair.
    index_a, index_b : int32, shape (n_pairs,)
    slopes : float64, shape (4, n_pairs)
        Of the loss, by the four sums of each pair that :func:`fastmatch._ext.overlap.score.score_pairs` gives.
    cancel : uint8, shape (1,)
        Set to 1 by another thread, it leaves out the remaining pairs.
    node_masses : float64, shape (n_nodes,)
    edge_masses : float64, shape (n_edges,)
    vectors : float64, shape (n_labels, width)
    scales : float64, shape (n_classes, n_classes)
        A scale between two classes has two places, and each gets what comes from pairs in its order.
    settings : float64, shape (10,)
        What is added to. The slope by the least share of characters that counts is 0.

    Raises
    ------
    IndexError, ValueError
        If an index or a shape does not fit.
    MemoryError
        If a pair does not fit in memory.
    """
    cdef Py_ssize_t k = -1
    cdef int status = FINE
    cdef Slopes sums
    cdef Matcher matcher = Matcher()
    check_spaces(space, space)
    check_pairs(index_a, index_b, 0, index_a.shape[0], space.n_graphs, space.n_graphs, slopes.shape[1])
    check_cancel(cancel)
    if slopes.shape[0] != 4:
        raise ValueError("expected the slopes by 4 sums")
    if node_masses.shape[0] != space.mass.shape[0] or edge_masses.shape[0] != space.edge_mass.shape[0]:
        raise ValueError("the slopes of masses do not fit")
    if vectors.shape[0] != space.n_labels or vectors.shape[1] != space.width:
        raise ValueError("the slopes of vectors do not fit")
    if scales.shape[0] != space.n_classes or scales.shape[1] != space.n_classes or settings.shape[0] != N_SETTINGS:
        raise ValueError("the slopes of scales or settings do not fit")
    if index_a.shape[0] == 0 or node_masses.shape[0] == 0:
        return
    sums.node_mass, sums.setting, sums.scale = &node_masses[0], &settings[0], &scales[0, 0]
    sums.edge_mass = &edge_masses[0] if edge_masses.shape[0] else NULL
    sums.vector = &vectors[0, 0] if space.width else NULL
    sums.cell = NULL
    sums.room = 0
    cdef const uint8_t *stop_flag = &cancel[0]
    with nogil:
        for k in range(index_a.shape[0]):
            if cancel[0]:
                break
            status = pair_slopes(
                space, matcher, index_a[k], index_b[k], slopes[0, k], slopes[1, k], slopes[2, k], slopes[3, k],
                &sums, stop_flag,
            )
            if status != FINE:
                break
        free(sums.cell)
    raise_status(status, f"the matches of pair {k} do not fit in memory")
