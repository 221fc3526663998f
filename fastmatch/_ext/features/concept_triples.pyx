"""Sema: triples that match by the concepts at their ends, without an alignment of variables.

A relation matches a relation of the other graph with the same role between the same concepts. An attribute matches one
with the same role and value on the same concept. A concept matches where a matching relation leads to or from its
variable, or where it stands at both roots. Source: Anchiêta, Cabezudo and Pardo (2019), "SEMA: an extended semantic
evaluation metric for AMR", and the program ``rafaelanchieta/sema``.

The *partner* of a relation or attribute is a matching one of the other graph. A variable is *reached* if it is an end
of a relation with a partner. There are three ways to count:

``published``
    The program compares every relation with every other and searches a list of the triples it has visited. Its result
    does not depend on the order. With M, the relations of the prediction that have a partner, it counts

        matched = [both roots have one concept] + reached variables + different pairs (source, target) in M
                  + different attributes of the *gold* graph with a partner

    The root counts in addition to the variables, and one relation can be the partner of many. So scores can exceed 1.
``published`` and ``in_gold``
    The program until October 2024: M are the relations of the *gold* graph that have a partner, and a root that is
    reached counts only once.
default
    Each triple counts at most once. Of the relations with one key, of the attributes with one key, and of the reached
    variables with one concept, as many match as both graphs have. The roots, if they have one concept, and variables
    without relations count as reached, so that every graph has a score of 1 with itself.

A *key* is a 64-bit number that stands for a triple with the concepts at its ends (:mod:`fastmatch._ext.features.keys`).
To score a pair, the sorted keys of the relations and those of the attributes are merged; by default also the sorted
concepts, unless no variable is reached.
"""

cimport cython
from libc.stdint cimport int32_t, int64_t, uint8_t, uint64_t

from fastmatch._ext.features.keys cimport NO_LABEL, JoinTable, join, key_of, tag
from fastmatch._ext.base.kept cimport space
from fastmatch._ext.base.pairs cimport check_cancel, check_pairs
from fastmatch._ext.base.search cimport lower_bound, next_shared
from fastmatch._ext.base.sorting cimport Pair, sort_keys, sort_pairs
from fastmatch._ext.graphs.columns cimport (
    Columns, check_labels, count_attributes, count_instances, count_relations, count_variables,
)

import numpy as np

from fastmatch._ext.features.keys import HASHING

cdef enum:
    STRIDE = 256

cdef enum Kind:
    RELATION = 1, ATTRIBUTE, FURTHER_CONCEPT, NO_ROOT


@cython.final
cdef class ConceptTriples:
    """What Sema compares, for every graph of a corpus; made by :func:`concept_triples`.

    Immutable and cheap to pickle.

    Parameters
    ----------
    totals, roots, variable_offsets, ..., attribute_counts : arrays
        The twelve arrays that are described beside the fields of this class, in that order.

    Attributes
    ----------
    n_graphs : int
    most_variables : int
        Of one graph.
    most_pairs : int
        Places of relations in one graph, at most.

    Raises
    ------
    ValueError
        If the offsets are not those of one number of graphs.
    """

    cdef readonly Py_ssize_t n_graphs, most_variables, most_pairs
    cdef tuple given
    cdef const int64_t[::1] totals              # triples of each graph: what precision and recall divide by
    cdef const uint64_t[::1] roots              # key of the concept of each root
    cdef const int64_t[::1] variable_offsets
    cdef const uint64_t[::1] concepts           # of the variables, rising within a graph
    cdef const int32_t[:, ::1] variables        # rows: number of the variable, 1 if it has no relations, 1 if the root
    cdef const int64_t[::1] relation_offsets
    cdef const uint64_t[::1] relations          # keys, rising within a graph, each once
    cdef const int64_t[::1] place_offsets       # relation k stands at the places [o[k], o[k + 1])
    cdef const int32_t[:, ::1] places           # rows: source, target, number of this pair among the graph's
    cdef const int64_t[::1] attribute_offsets
    cdef const uint64_t[::1] attributes         # keys, rising within a graph, each once
    cdef const int32_t[::1] attribute_counts    # how many variables have the attribute
    cdef uint8_t[::1] lonely                    # 1 if the graph has a variable without relations

    def __cinit__(self, *given):
        (
            self.totals, self.roots, self.variable_offsets, self.concepts, self.variables, self.relation_offsets,
            self.relations, self.place_offsets, self.places, self.attribute_offsets, self.attributes,
            self.attribute_counts,
        ) = given
        self.given = given
        self.n_graphs = self.totals.shape[0]
        cdef Py_ssize_t g, k
        if not (self.variable_offsets.shape[0] == self.relation_offsets.shape[0] == self.attribute_offsets.shape[0]
                == self.n_graphs + 1):
            raise ValueError("the tables do not fit together")
        self.most_variables = self.most_pairs = 0
        self.lonely = np.zeros(self.n_graphs, np.uint8)
        for g in range(self.n_graphs):
            self.most_variables = max(self.most_variables, self.variable_offsets[g + 1] - self.variable_offsets[g])
            k = self.place_offsets[self.relation_offsets[g + 1]] - self.place_offsets[self.relation_offsets[g]]
            self.most_pairs = max(self.most_pairs, k)
            for k in range(self.variable_offsets[g], self.variable_offsets[g + 1]):
                self.lonely[g] |= self.variables[1, k]

    @property
    def n_triples(self):
        """int64, shape (n_graphs,): triples of each graph, which precision and recall divide by."""
        return np.asarray(self.totals)

    @property
    def arrays(self):
        """The twelve arrays, in the order of the constructor."""
        return self.given

    def __reduce__(self):
        return (ConceptTriples, self.given)


# Keys are unsigned, and sort_pairs sorts signed numbers. Flipping the highest bit keeps the order.
cdef inline int64_t signed(uint64_t key) noexcept nogil:
    return <int64_t> (key ^ (<uint64_t> 1 << 63))


cdef inline uint64_t unsigned(int64_t key) noexcept nogil:
    return <uint64_t> key ^ (<uint64_t> 1 << 63)


def concept_triples(
    Columns corpus not None,
    const uint64_t[::1] keys not None,
    *,
    bint published=False,
    int32_t top_role=-2,
    JoinTable table=None,
):
    """Turn every graph of a corpus into what Sema compares.

    Parameters
    ----------
    corpus : Columns
    keys : uint64, shape (n_labels,)
        Key of each label, as :func:`~fastmatch._ext.features.keys.label_keys` makes them.
    published : bool
        Count repeated triples in the totals, as the published program does; by default every triple counts once.
    top_role : int
        Label id of ``:TOP`` to count as the published program does, else -2. The program adds an attribute ``:TOP`` to
        the first variable, with its concept as the value, and later removes the first attribute of that name. If the
        first variable already has one in the text, that one is removed and the added one stays. So with this id the
        first such attribute of the first variable gets the variable's concept as its value.
    table : JoinTable, optional
        Numbers the triples exactly; without it they are hashed. Its lock is held during the call.

    Returns
    -------
    ConceptTriples

    Raises
    ------
    ValueError
        If a label of the corpus has no entry in ``keys``.
    MemoryError
        If the table cannot grow.

    Notes
    -----
    Cost: O(T log T) for a graph of T triples.
    """
    cdef Py_ssize_t n_graphs = corpus.n_graphs, g, k, n, m, row, n_ends, at = 0, r = 0, p = 0, a = 0
    cdef Py_ssize_t widest = max(<int64_t> corpus.most_variables, corpus.most_triples)
    cdef int32_t n_variables, v, source, target, value
    cdef uint64_t key
    cdef bint top
    cdef JoinTable joins = HASHING if table is None else table
    check_labels(corpus, keys.shape[0])
    cdef int64_t[::1] totals = np.zeros(n_graphs, np.int64), place_offsets
    cdef uint64_t[::1] roots = np.zeros(n_graphs, np.uint64), concepts, relation_keys, attribute_keys
    cdef int64_t[:, ::1] offsets = np.zeros((3, n_graphs + 1), np.int64)    # of variables, relations, attributes
    cdef int32_t[:, ::1] variables = np.empty((3, corpus.variable_names.shape[0]), np.int32), places
    concepts = np.empty(corpus.variable_names.shape[0], np.uint64)
    relation_keys = np.empty(corpus.relations.shape[1], np.uint64)
    place_offsets = np.zeros(corpus.relations.shape[1] + 1, np.int64)
    places = np.empty((3, corpus.relations.shape[1]), np.int32)
    attribute_keys = np.empty(corpus.attributes.shape[1] + corpus.instances.shape[1], np.uint64)
    cdef int32_t[::1] attribute_counts = np.empty(attribute_keys.shape[0], np.int32)
    kept = []
    cdef Pair *pairs = <Pair *> space(kept, 2 * widest, sizeof(Pair))
    cdef Pair *scratch = pairs + widest
    cdef uint64_t *ends = <uint64_t *> space(kept, 2 * widest, sizeof(uint64_t))
    cdef uint64_t *concept_of = <uint64_t *> space(kept, widest, sizeof(uint64_t))
    cdef uint8_t *known = <uint8_t *> space(kept, widest, 1)
    with joins, nogil:
        for g in range(corpus.n_graphs):
            n_variables = count_variables(corpus, g)
            for v in range(n_variables):
                concept_of[v] = tag(NO_LABEL)
                known[v] = 0
            m = 0
            for k in range(corpus.instance_offsets[g], corpus.instance_offsets[g + 1]):
                v = corpus.instances[0, k]
                key = key_of(keys, corpus.instances[1, k])
                if not known[v]:
                    known[v] = 1
                    concept_of[v] = key
                else:       # a further concept of a variable counts as an attribute
                    pairs[m] = Pair(<int64_t> key, v)
                    m += 1
            for k in range(m):
                key = join(joins, tag(FURTHER_CONCEPT), concept_of[pairs[k].minor])
                pairs[k].major = signed(join(joins, key, <uint64_t> pairs[k].major))
            roots[g] = concept_of[corpus.root[g]] if 0 <= corpus.root[g] < n_variables else tag(NO_ROOT)
            totals[g] = n_variables
            if published:
                totals[g] = count_instances(corpus, g) + count_relations(corpus, g) + count_attributes(corpus, g)

            # attributes
            top = False
            for k in range(corpus.attribute_offsets[g], corpus.attribute_offsets[g + 1]):
                v, value = corpus.attributes[0, k], corpus.attributes[2, k]
                key = key_of(keys, value)
                if v == 0 and corpus.attributes[1, k] == top_role and not top:
                    top = True
                    key = concept_of[0]
                key = join(joins, join(joins, join(joins, tag(ATTRIBUTE), key_of(keys, corpus.attributes[1, k])), key),
                           concept_of[v])
                pairs[m] = Pair(signed(key), v)
                m += 1
            sort_pairs(pairs, m, scratch)
            for k in range(m):
                if k and pairs[k].major == pairs[k - 1].major:
                    if pairs[k].minor == pairs[k - 1].minor:
                        continue        # repeated
                    attribute_counts[a - 1] += 1
                else:
                    attribute_keys[a] = unsigned(pairs[k].major)
                    attribute_counts[a] = 1
                    a += 1
                if not published:
                    totals[g] += 1
            offsets[2, g + 1] = a

            # relations
            for v in range(n_variables):
                known[v] = 0
            n = count_relations(corpus, g)
            for k in range(n):
                row = corpus.relation_offsets[g] + k
                source, target = corpus.relations[0, row], corpus.relations[2, row]
                known[source] = known[target] = 1
                key = join(joins, tag(RELATION), key_of(keys, corpus.relations[1, row]))
                key = join(joins, join(joins, key, concept_of[source]), concept_of[target])
                pairs[k] = Pair(signed(key), (<int64_t> source << 32) | target)
                ends[k] = <uint64_t> pairs[k].minor
            sort_pairs(pairs, n, scratch)
            sort_keys(ends, n, ends + n)
            n_ends = 0
            for k in range(n):
                if k == 0 or ends[k] != ends[n_ends - 1]:
                    ends[n_ends] = ends[k]
                    n_ends += 1
            for k in range(n):
                if k and pairs[k].major == pairs[k - 1].major and pairs[k].minor == pairs[k - 1].minor:
                    continue
                if k == 0 or pairs[k].major != pairs[k - 1].major:
                    relation_keys[r] = unsigned(pairs[k].major)
                    r += 1
                places[0, p] = <int32_t> (pairs[k].minor >> 32)
                places[1, p] = <int32_t> (pairs[k].minor & 0x7FFFFFFF)
                places[2, p] = <int32_t> lower_bound(ends, 0, n_ends, <uint64_t> pairs[k].minor)
                p += 1
                place_offsets[r] = p
                if not published:
                    totals[g] += 1
            offsets[1, g + 1] = r

            # variables by their concepts
            for v in range(n_variables):
                pairs[v] = Pair(signed(concept_of[v]), v)
            sort_pairs(pairs, n_variables, scratch)
            for k in range(n_variables):
                v = <int32_t> pairs[k].minor
                concepts[at] = concept_of[v]
                variables[0, at] = v
                variables[1, at] = not known[v]
                variables[2, at] = v == corpus.root[g]
                at += 1
            offsets[0, g + 1] = at
    return ConceptTriples(*map(np.array, (
        totals, roots, offsets[0], concepts, variables, offsets[1], relation_keys[:r], place_offsets[:r + 1],
        places[:, :p], offsets[2], attribute_keys[:a], attribute_counts[:a],
    )))


cdef struct Marks:
    # which variables and places the pair of graphs has reached: their entries hold the pair's stamp (its number)
    int64_t *variables
    int64_t *pairs
    int64_t n_variables, n_pairs


cdef inline void mark(ConceptTriples side, Py_ssize_t relation, int64_t stamp, Marks *marks) noexcept nogil:
    """Mark the ends of all relations with the key number ``relation``, which has a partner."""
    cdef int64_t k
    cdef int end
    for k in range(side.place_offsets[relation], side.place_offsets[relation + 1]):
        for end in range(2):
            if marks.variables[side.places[end, k]] != stamp:
                marks.variables[side.places[end, k]] = stamp
                marks.n_variables += 1
        if marks.pairs[side.places[2, k]] != stamp:
            marks.pairs[side.places[2, k]] = stamp
            marks.n_pairs += 1


cdef inline bint reached(ConceptTriples side, int64_t k, int64_t stamp, const Marks *marks, bint roots) noexcept nogil:
    return (
        marks.variables[side.variables[0, k]] == stamp or side.variables[1, k] or (roots and side.variables[2, k])
    )


cdef inline bint root_reached(ConceptTriples side, Py_ssize_t g, int64_t stamp, const Marks *marks) noexcept nogil:
    cdef int64_t k
    for k in range(side.variable_offsets[g], side.variable_offsets[g + 1]):
        if side.variables[2, k]:
            return marks.variables[side.variables[0, k]] == stamp
    return False


cdef int64_t match_concepts(
    ConceptTriples pred, ConceptTriples gold, Py_ssize_t i, Py_ssize_t j, int64_t stamp,
    const Marks *pred_marks, const Marks *gold_marks, bint roots,
) noexcept nogil:
    """Count for every concept as many reached variables as both graphs have."""
    cdef Py_ssize_t k = pred.variable_offsets[i], m = gold.variable_offsets[j]
    cdef Py_ssize_t k_end = pred.variable_offsets[i + 1], m_end = gold.variable_offsets[j + 1]
    cdef int64_t matched = 0, some, others
    cdef uint64_t concept
    if k == k_end or m == m_end:
        return 0
    while next_shared(&pred.concepts[0], &k, k_end, &gold.concepts[0], &m, m_end):
        concept = pred.concepts[k]
        some = others = 0
        while k < k_end and pred.concepts[k] == concept:
            some += reached(pred, k, stamp, pred_marks, roots)
            k += 1
        while m < m_end and gold.concepts[m] == concept:
            others += reached(gold, m, stamp, gold_marks, roots)
            m += 1
        matched += min(some, others)
    return matched


def match_concept_triples(
    ConceptTriples pred not None,
    ConceptTriples gold not None,
    pairs not None,
    int64_t[::1] matched not None,
    *,
    bint published=False,
    bint in_gold=False,
):
    """Count the matching triples of the pairs ``start`` … ``stop - 1``.

    Parameters
    ----------
    pred, gold : ConceptTriples
        Made with the same vocabulary and table, or both without a table.
    pairs : PairRange
        The pairs to score, of graphs of the two corpora.
    matched : int64, shape (n_pairs,)
        Output.
    published : bool
        Count as the published program does.
    in_gold : bool
        Count as it did until October 2024; has no effect without ``published``.

    Raises
    ------
    IndexError, ValueError
        If an index or the length of an array does not fit.

    Notes
    -----
    Cost: O(triples of both graphs) a pair.
    """
    cdef const int32_t[::1] index_pred = pairs[0], index_gold = pairs[1]
    cdef Py_ssize_t start = pairs[2], stop = pairs[3], pair, i, j, k, m, k_end, m_end
    cdef const uint8_t[::1] cancel = pairs[4]
    cdef int64_t stamp, found
    cdef bint roots
    cdef Marks pred_marks, gold_marks
    check_pairs(index_pred, index_gold, start, stop, pred.n_graphs, gold.n_graphs, matched.shape[0])
    check_cancel(cancel)
    cdef int64_t[::1] pred_variables = np.full(pred.most_variables + 1, -1, np.int64)
    cdef int64_t[::1] gold_variables = np.full(gold.most_variables + 1, -1, np.int64)
    cdef int64_t[::1] pred_pairs = np.full(pred.most_pairs + 1, -1, np.int64)
    cdef int64_t[::1] gold_pairs = np.full(gold.most_pairs + 1, -1, np.int64)
    cdef const uint64_t *pred_relations = &pred.relations[0] if pred.relations.shape[0] else NULL
    cdef const uint64_t *gold_relations = &gold.relations[0] if gold.relations.shape[0] else NULL
    cdef const uint64_t *pred_attributes = &pred.attributes[0] if pred.attributes.shape[0] else NULL
    cdef const uint64_t *gold_attributes = &gold.attributes[0] if gold.attributes.shape[0] else NULL
    pred_marks.variables, pred_marks.pairs = &pred_variables[0], &pred_pairs[0]
    gold_marks.variables, gold_marks.pairs = &gold_variables[0], &gold_pairs[0]
    with nogil:
        for pair in range(start, stop):
            if pair % STRIDE == 0 and cancel[0]:
                break
            i, j, stamp = index_pred[pair], index_gold[pair], pair
            pred_marks.n_variables = pred_marks.n_pairs = gold_marks.n_variables = gold_marks.n_pairs = 0
            found = 0
            k, m = pred.relation_offsets[i], gold.relation_offsets[j]
            k_end, m_end = pred.relation_offsets[i + 1], gold.relation_offsets[j + 1]
            while next_shared(pred_relations, &k, k_end, gold_relations, &m, m_end):
                if not (published and in_gold):
                    mark(pred, k, stamp, &pred_marks)
                if not published or in_gold:
                    mark(gold, m, stamp, &gold_marks)
                if not published:
                    found += min(
                        pred.place_offsets[k + 1] - pred.place_offsets[k],
                        gold.place_offsets[m + 1] - gold.place_offsets[m],
                    )
                k += 1
                m += 1
            k, m = pred.attribute_offsets[i], gold.attribute_offsets[j]
            k_end, m_end = pred.attribute_offsets[i + 1], gold.attribute_offsets[j + 1]
            while next_shared(pred_attributes, &k, k_end, gold_attributes, &m, m_end):
                found += gold.attribute_counts[m] if published else \
                    min(pred.attribute_counts[k], gold.attribute_counts[m])
                k += 1
                m += 1
            roots = pred.roots[i] == gold.roots[j]
            if published and in_gold:
                found += (roots and not root_reached(gold, j, stamp, &gold_marks)) + gold_marks.n_variables \
                    + gold_marks.n_pairs
            elif published:
                found += roots + pred_marks.n_variables + pred_marks.n_pairs
            elif roots or pred_marks.n_variables or (pred.lonely[i] and gold.lonely[j]):
                found += match_concepts(pred, gold, i, j, stamp, &pred_marks, &gold_marks, roots)
            matched[pair] = found
