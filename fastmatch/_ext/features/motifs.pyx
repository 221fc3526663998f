"""Motifs: small labelled patterns of a graph without variables, so that graphs can be compared as sets of them.

A variable has a concept c and attributes (r, x), each of a role r and a value x. A graph has four kinds of motifs:

* **attribute** motifs: (r, x) for every attribute;
* **instance** motifs: (c, (r, x)) for every attribute of every variable, (c) for a variable without attributes;
* **relation** motifs: for every relation (source, r, target), (i, r, j) for all instance motifs i of the source and
  all instance motifs j of the target;
* plain **labels**: concepts, roles and values by themselves.

Two variables with 100 attributes each and one relation between them have 10,000 relation motifs, and 130 relations of a
variable with itself and its 300 attributes have 12 million of them, in 2,000 characters of text. So there is a limit:
a relation whose motifs would exceed it has none, and the graph is reported as *cut*.

Motifs of different kinds never share a key, apart from collisions of hashed keys
(:mod:`fastmatch._ext.features.keys`). Source: Kachwala et al. (2024), "Rematch", section 3.
"""

from libc.stdint cimport int32_t, int64_t, uint8_t, uint64_t
from libc.string cimport memset

from fastmatch._ext.base.kept cimport space
from fastmatch._ext.features.keys cimport NO_LABEL, JoinTable, append_sorted, join, key_of, tag
from fastmatch._ext.features.keys import HASHING
from fastmatch._ext.features.sets import FeatureSets
from fastmatch._ext.graphs.columns cimport (
    Columns, check_labels, count_attributes, count_instances, count_relations, count_variables,
)

import numpy as np

cdef enum:
    ATTRIBUTES = 1, INSTANCES = 2, RELATIONS = 4, LABELS = 8

cdef enum Kind:
    ATTRIBUTE_MOTIF = 1, INSTANCE_MOTIF, RELATION_MOTIF


def motif_sets(
    Columns corpus not None,
    const uint64_t[::1] concept_keys not None,
    const uint64_t[::1] constant_keys not None,
    const uint64_t[::1] role_keys not None,
    *,
    int classes=ATTRIBUTES | INSTANCES | RELATIONS,
    int32_t hidden_value=-2,
    int64_t most=50_000_000,
    JoinTable table=None,
):
    """Collect the motifs of every graph of a corpus.

    Parameters
    ----------
    corpus : Columns
    concept_keys : uint64, shape (n_labels,)
        Keys of concepts, as :func:`~fastmatch._ext.features.keys.label_keys` makes them.
    constant_keys : uint64, shape (n_labels,)
        Keys of the roles and values of attributes.
    role_keys : uint64, shape (n_labels,)
        Keys of the roles of relations.
    classes : int
        Sum of the kinds that are wanted: 1 attribute motifs, 2 instance motifs, 4 relation motifs, 8 plain labels.
    hidden_value : int
        Label id; attributes with this value are left out. -2 leaves none out.
    most : int >= 0
        Motifs of one graph, repeated ones included, beyond which relations add none. Motifs of other kinds are as many
        as labels of the graph, and are never left out.
    table : JoinTable, optional
        Numbers the motifs exactly; without it they are hashed. Its lock is held during the call.

    Returns
    -------
    FeatureSets
        One level, without counts: a motif that occurs twice in a graph is one motif. ``cut`` names the graphs of which
        relations were left out.

    Raises
    ------
    ValueError
        If the tables of keys differ in length or lack a label of the corpus.
    MemoryError
        If the table cannot grow, or the motifs do not fit in memory.

    Notes
    -----
    Cost: O(M log M) for a graph with M motifs.
    """
    cdef Py_ssize_t n_graphs = corpus.n_graphs, n_labels = concept_keys.shape[0], g, k, n, total = 0, widest = 0
    cdef Py_ssize_t most_variables = corpus.most_variables, most_attributes = corpus.most_attributes, used = 0
    cdef int32_t n_variables, v, i, j, source, target, role
    cdef int64_t here, more
    cdef uint64_t key, left
    cdef JoinTable joins = HASHING if table is None else table
    if constant_keys.shape[0] != n_labels or role_keys.shape[0] != n_labels:
        raise ValueError("the tables of keys differ in length")
    check_labels(corpus, n_labels)

    # scratch for one graph: its attributes and its instance motifs, grouped by variable
    kept = []
    cdef int32_t *starts = <int32_t *> space(kept, most_variables + 1, sizeof(int32_t))
    cdef int32_t *motif_starts = <int32_t *> space(kept, most_variables + 1, sizeof(int32_t))
    cdef uint64_t *pairs = <uint64_t *> space(kept, most_attributes, sizeof(uint64_t))
    cdef uint64_t *motifs = <uint64_t *> space(kept, most_variables + most_attributes, sizeof(uint64_t))
    cdef uint64_t *concepts = <uint64_t *> space(kept, most_variables, sizeof(uint64_t))
    cut = np.zeros(n_graphs, np.bool_)
    cdef uint8_t[::1] is_cut = cut.view(np.uint8)
    with nogil:
        # an upper bound: attributes and labels, one instance motif an attribute and a variable, relation motifs
        for g in range(n_graphs):
            n_variables = count_variables(corpus, g)
            here = fewest(corpus, g)
            if classes & RELATIONS:
                memset(starts, 0, n_variables * sizeof(int32_t))
                for k in range(corpus.attribute_offsets[g], corpus.attribute_offsets[g + 1]):
                    starts[corpus.attributes[0, k]] += corpus.attributes[2, k] != hidden_value
                for k in range(corpus.relation_offsets[g], corpus.relation_offsets[g + 1]):
                    more = max(1, <int64_t> starts[corpus.relations[0, k]]) * max(1, starts[corpus.relations[2, k]])
                    if more <= most - here:
                        here += more
                    else:
                        is_cut[g] = True
            total += here
            widest = max(widest, here)
    out_offsets = np.zeros(n_graphs + 1, np.int64)
    out_keys = np.empty(total + 1, np.uint64)
    cdef uint64_t[::1] keys = out_keys
    cdef int64_t[::1] offsets = out_offsets
    cdef uint64_t *made = <uint64_t *> space(kept, 2 * widest, sizeof(uint64_t))
    with joins, nogil:
        for g in range(corpus.n_graphs):
            n_variables = count_variables(corpus, g)
            n = 0
            here = fewest(corpus, g)
            for v in range(n_variables):
                concepts[v] = tag(NO_LABEL)
            # backwards: of several concepts of a variable the first stays
            for k in range(corpus.instance_offsets[g + 1] - 1, corpus.instance_offsets[g] - 1, -1):
                concepts[corpus.instances[0, k]] = key_of(concept_keys, corpus.instances[1, k])
                if classes & LABELS:
                    made[n] = concepts[corpus.instances[0, k]]
                    n += 1
            # attributes by variable, as a counting sort
            memset(starts, 0, (n_variables + 1) * sizeof(int32_t))
            for k in range(corpus.attribute_offsets[g], corpus.attribute_offsets[g + 1]):
                starts[corpus.attributes[0, k] + 1] += corpus.attributes[2, k] != hidden_value
            for v in range(n_variables):
                starts[v + 1] += starts[v]
            for k in range(corpus.attribute_offsets[g], corpus.attribute_offsets[g + 1]):
                if corpus.attributes[2, k] == hidden_value:
                    continue
                left = key_of(constant_keys, corpus.attributes[1, k])
                key = key_of(constant_keys, corpus.attributes[2, k])
                if classes & LABELS:
                    made[n] = left
                    made[n + 1] = key
                    n += 2
                key = join(joins, join(joins, tag(ATTRIBUTE_MOTIF), left), key)
                if classes & ATTRIBUTES:
                    made[n] = key
                    n += 1
                pairs[starts[corpus.attributes[0, k]]] = key
                starts[corpus.attributes[0, k]] += 1   # afterwards it is the end of the variable's attributes
            i = j = 0
            for v in range(n_variables):
                motif_starts[v] = j
                left = join(joins, tag(INSTANCE_MOTIF), concepts[v])
                if i == starts[v]:
                    motifs[j] = left
                    j += 1
                while i < starts[v]:
                    motifs[j] = join(joins, left, pairs[i])
                    i += 1
                    j += 1
            motif_starts[n_variables] = j
            if classes & INSTANCES:
                for i in range(j):
                    made[n] = motifs[i]
                    n += 1
            for k in range(corpus.relation_offsets[g], corpus.relation_offsets[g + 1]):
                source, role, target = corpus.relations[0, k], corpus.relations[1, k], corpus.relations[2, k]
                key = key_of(role_keys, role)
                if classes & LABELS:
                    made[n] = key
                    n += 1
                more = (
                    <int64_t> (motif_starts[source + 1] - motif_starts[source])
                    * (motif_starts[target + 1] - motif_starts[target])
                )
                if classes & RELATIONS and more <= most - here:
                    here += more
                    for i in range(motif_starts[source], motif_starts[source + 1]):
                        left = join(joins, join(joins, tag(RELATION_MOTIF), motifs[i]), key)
                        for j in range(motif_starts[target], motif_starts[target + 1]):
                            made[n] = join(joins, left, motifs[j])
                            n += 1
            used = append_sorted(made, n, made + widest, &keys[0], NULL, used)
            offsets[g + 1] = used
    return FeatureSets(out_offsets, out_keys[:used].copy(), cut=cut)


cdef inline int64_t fewest(Columns corpus, Py_ssize_t g) noexcept nogil:
    """How many motifs there can be at most without relation motifs, and one label of each relation."""
    return (
        4 * count_attributes(corpus, g) + count_variables(corpus, g) + count_instances(corpus, g)
        + count_relations(corpus, g)
    )
