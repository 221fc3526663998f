# What entry points that score a list of pairs check before they trust it, and where they write a pair's map.
#
# Pair k of the list is of the graphs ``index_a[k]`` of one corpus and ``index_b[k]`` of another. An entry point scores
# the stretch ``start … stop - 1`` of the list, so that threads can share the work. If it is asked for maps, it writes
# that of pair k to ``mapping`` from ``mapping_offsets[k]`` on: for each variable of the first graph one of the second,
# or -1.
from libc.stdint cimport int32_t, int64_t, uint8_t


cdef inline int check_pairs(
    const int32_t[::1] index_a, const int32_t[::1] index_b, Py_ssize_t start, Py_ssize_t stop,
    Py_ssize_t n_graphs_a, Py_ssize_t n_graphs_b, Py_ssize_t n_out,
) except -1:
    """Check the pairs ``start … stop - 1``; ``n_out``: entries of the shortest output.

    Raises
    ------
    ValueError
        If an array is too short.
    IndexError
        If a pair or a graph of one does not exist.
    """
    cdef Py_ssize_t k, n_pairs = index_a.shape[0]
    if index_b.shape[0] != n_pairs or n_out < n_pairs:
        raise ValueError("the indices of both graphs and the outputs must have one entry a pair")
    if not 0 <= start <= stop <= n_pairs:
        raise IndexError("pairs {} to {} of {}".format(start, stop, n_pairs))
    for k in range(start, stop):
        if not (0 <= index_a[k] < n_graphs_a and 0 <= index_b[k] < n_graphs_b):
            # str.format, here and above, since each extension gets its own copy: f-strings are kilobytes of C
            raise IndexError("pair {} is of graphs {} and {}, of {} and {}".format(
                k, index_a[k], index_b[k], n_graphs_a, n_graphs_b))
    return 0


cdef inline int check_cancel(const uint8_t[::1] cancel) except -1:
    """Raise ValueError unless ``cancel`` has the entry that another thread sets to 1 to stop the work."""
    if cancel.shape[0] < 1:
        raise ValueError("cancel must have one entry")
    return 0


cdef inline int check_mapping(
    const int64_t[::1] mapping_offsets, const int32_t[::1] mapping, Py_ssize_t n_pairs
) except -1:
    """Raise ValueError unless both are None or ``mapping_offsets`` has its entries; see :func:`check_room`."""
    if mapping_offsets is not None and (mapping is None or mapping_offsets.shape[0] < n_pairs + 1):
        raise ValueError("mapping_offsets must have one entry more than there are pairs, and come with mapping")
    return 0


cdef inline int check_room(
    const int64_t[::1] mapping_offsets, const int32_t[::1] mapping, Py_ssize_t k, int64_t n_variables
) except -1:
    """Raise ValueError unless ``mapping`` has room for the ``n_variables`` variables of the first graph of pair k."""
    # in this order, since the sum could run over for an offset that is wild
    if mapping_offsets is not None and not (
        0 <= mapping_offsets[k] <= mapping_offsets[k + 1] <= mapping.shape[0]
        and mapping_offsets[k] + n_variables <= mapping_offsets[k + 1]
    ):
        raise ValueError(f"mapping of pair {k} has no room for its {n_variables} variables")
    return 0


cdef inline int32_t *row_of(
    const int64_t[::1] mapping_offsets, int32_t[::1] mapping, Py_ssize_t k, int64_t n_variables
) noexcept nogil:
    """Where the map of pair k is written; NULL if maps are not asked for, or if the graph has no variables.

    The stretch of a graph without variables may stand at the array's end, where there is nothing to point to.
    """
    return &mapping[mapping_offsets[k]] if mapping_offsets is not None and n_variables > 0 else NULL
