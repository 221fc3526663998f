"""Which sentences of a document graph a variable belongs to: the groups of a matching that keeps to sentences.

A document graph has its sentences below its root, which has a relation ``:snt1``, ``:snt2``, … to the root of each. An
*arrow* leads from a variable to one that belongs to the same sentences and perhaps to more. Sentence k holds its root
and all that arrows reach from there. There are two rules for arrows.

*By levels*, which depends on nothing but the triples. A relation is *plain* unless it links mentions with each other or
with a chain (:data:`COREFERENCE`, :data:`BRIDGING`). Relations that end at the root of the document are left out.

* Variables that the roots of sentences reach along plain relations have level 0. Of the others, those with a relation
  to or from a variable of level t, whichever relation it is, and what these reach along plain relations, have level
  t + 1, level by level. The rest have no level and are in no sentence.
* Within a level arrows follow plain relations, and lead from a mention to its chain. Between levels they lead from the
  lower to the higher, along every relation.

*As DocSmatch*, whose arrows depend on how the text writes a relation. Written as it is, it gives an arrow. Written
inverse (``-of``), it gives one in each direction, ``domain`` (from ``mod``) only the one against it. ``part`` and
``subset`` give both in any case. ``coref`` gives one from the mention to the chain; the other is added for a mention
that the root of the document does not reach, but whose chain it does.

Group 0 holds the root and, by levels, what is in no sentence; group k + 1 holds sentence number k of a table.
"""

from libc.stdint cimport int32_t, int64_t, uint8_t
from libc.string cimport memset

from fastmatch._ext.base.columns cimport Column, push_int32, release
from fastmatch._ext.base.kept cimport space
from fastmatch._ext.base.sorting cimport Pair, sort_pairs
from fastmatch._ext.base.status cimport FINE, TOO_LARGE
from fastmatch._ext.graphs.columns cimport Columns, check_labels, count_variables

import numpy as np

from fastmatch.errors import FastmatchError

cdef enum Kind:
    PLAIN = 0
    COREFERENCE = 1       # from the chain to the mention
    BRIDGING = 2
    TURNED = 3            # ``domain``

cdef enum:
    # Variables that all sentences of a document may have in all, each counted as often as it is in one. A document of
    # 5,000 variables has about 100,000. The limit keeps a short text from filling the memory: 512 MB.
    MOST_MEMBERS = 1 << 27

# The arrows of a graph, and what a search through them needs.
cdef struct Arrows:
    int32_t n
    int32_t *start        # [n + 1] variable i has the arrows target[start[i]] … target[start[i + 1] - 1]
    int32_t *target
    int32_t *level        # [n]
    int32_t *stamp        # [n] the last search that reached a variable
    int32_t *queue        # [n]
    int32_t *next         # [n]
    Pair *pairs           # (source, target) of each arrow, before they are grouped


cdef int32_t reach(Arrows *x, int32_t n_queued, int32_t stamp) noexcept nogil:
    """Follow arrows from the variables in the queue, which have their stamp; returns how many are in it then."""
    cdef int32_t i = 0, k, v
    while i < n_queued:
        for k in range(x.start[x.queue[i]], x.start[x.queue[i] + 1]):
            v = x.target[k]
            if x.stamp[v] != stamp:
                x.stamp[v] = stamp
                x.queue[n_queued] = v
                n_queued += 1
        i += 1
    return n_queued


cdef void group_arrows(Arrows *x, int64_t n_arrows) noexcept nogil:
    """Fill ``start`` and ``target`` from the pairs, in their order for each source."""
    cdef int64_t k
    cdef int32_t i
    memset(x.start, 0, (x.n + 1) * sizeof(int32_t))
    for k in range(n_arrows):
        x.start[x.pairs[k].major + 1] += 1
    for i in range(x.n):
        x.start[i + 1] += x.start[i]
        x.next[i] = x.start[i]
    for k in range(n_arrows):
        i = <int32_t> x.pairs[k].major
        x.target[x.next[i]] = <int32_t> x.pairs[k].minor
        x.next[i] += 1


cdef inline void add_arrow(Arrows *x, int64_t *n_arrows, int32_t source, int32_t target) noexcept nogil:
    x.pairs[n_arrows[0]] = Pair(source, target)
    n_arrows[0] += 1


cdef inline void set_level(Arrows *x, int32_t v, int32_t level, int32_t *n_queued) noexcept nogil:
    """Give a variable its level and put it into the queue, unless it has one."""
    if x.level[v] < 0:
        x.level[v] = level
        x.queue[n_queued[0]] = v
        n_queued[0] += 1


cdef void tool_arrows(Columns corpus, Py_ssize_t g, const uint8_t[::1] kind, Arrows *x) noexcept nogil:
    """The arrows of DocSmatch; see the top of this module."""
    cdef int64_t row, n_arrows = 0, k
    cdef int32_t source, target
    cdef uint8_t of
    for row in range(corpus.relation_offsets[g], corpus.relation_offsets[g + 1]):
        source, target = corpus.relations[0, row], corpus.relations[2, row]
        of = kind[corpus.relations[1, row]]
        if of == COREFERENCE:
            add_arrow(x, &n_arrows, target, source)
            continue
        if of != TURNED or not corpus.relations[4, row]:
            add_arrow(x, &n_arrows, source, target)
        if of == BRIDGING or corpus.relations[4, row]:
            add_arrow(x, &n_arrows, target, source)
    group_arrows(x, n_arrows)
    # From chains to mentions that the root does not reach. An arrow that is added changes what is reached next.
    x.stamp[corpus.root[g]] = -2
    x.queue[0] = corpus.root[g]
    reach(x, 1, -2)
    k = n_arrows
    for row in range(corpus.relation_offsets[g], corpus.relation_offsets[g + 1]):
        source, target = corpus.relations[0, row], corpus.relations[2, row]
        if kind[corpus.relations[1, row]] == COREFERENCE and x.stamp[target] != -2 and x.stamp[source] == -2:
            add_arrow(x, &n_arrows, source, target)
            x.stamp[target] = -2
            x.queue[0] = target
            reach(x, 1, -2)
    if n_arrows > k:
        group_arrows(x, n_arrows)


cdef void levelled_arrows(Columns corpus, Py_ssize_t g, const uint8_t[::1] kind, const Pair *sentences,
                          int64_t n_sentences, Arrows *x) noexcept nogil:
    """The arrows by levels; see the top of this module."""
    cdef int64_t row, n_arrows = 0
    cdef int32_t source, target, root = corpus.root[g], i, k, level = 0, n_queued = 0, first, stop
    cdef uint8_t of
    # Both ways along every relation; a way that a plain relation leads has its source's number as -1 - source.
    for row in range(corpus.relation_offsets[g], corpus.relation_offsets[g + 1]):
        source, target = corpus.relations[0, row], corpus.relations[2, row]
        of = kind[corpus.relations[1, row]]
        if source == root or target == root or source == target:
            continue
        if of == TURNED:
            source, target = target, source
        add_arrow(x, &n_arrows, source, -1 - target if of == PLAIN or of == TURNED else target)
        add_arrow(x, &n_arrows, target, source)
    group_arrows(x, n_arrows)
    memset(x.level, 0xFF, x.n * sizeof(int32_t))             # -1
    for row in range(n_sentences):
        set_level(x, <int32_t> sentences[row].minor, 0, &n_queued)
    first = 0
    while first < n_queued:
        i = first
        while i < n_queued:           # all of this level
            for k in range(x.start[x.queue[i]], x.start[x.queue[i] + 1]):
                if x.target[k] < 0:
                    set_level(x, -1 - x.target[k], level, &n_queued)
            i += 1
        stop = n_queued
        level += 1
        for i in range(first, stop):  # the first ones of the next
            for k in range(x.start[x.queue[i]], x.start[x.queue[i] + 1]):
                set_level(x, max(x.target[k], -1 - x.target[k]), level, &n_queued)
        first = stop
    n_arrows = 0
    for row in range(corpus.relation_offsets[g], corpus.relation_offsets[g + 1]):
        source, target = corpus.relations[0, row], corpus.relations[2, row]
        of = kind[corpus.relations[1, row]]
        if source == root or target == root or of == BRIDGING and x.level[source] == x.level[target]:
            continue
        if of == TURNED or of == COREFERENCE:
            source, target = target, source
        if x.level[source] > x.level[target]:
            source, target = target, source
        add_arrow(x, &n_arrows, source, target)
    group_arrows(x, n_arrows)


cdef int64_t list_sentences(Columns corpus, Py_ssize_t g, const int32_t[::1] number, bint tool, Pair *sentences,
                            Pair *scratch) noexcept nogil:
    """List the roots of the sentences of a graph in the order of their numbers; returns how many they are."""
    cdef int64_t row, n = 0
    cdef int32_t root = corpus.root[g]
    for row in range(corpus.relation_offsets[g], corpus.relation_offsets[g + 1]):
        if corpus.relations[0, row] == root and number[corpus.relations[1, row]] >= 0 and (
                tool or corpus.relations[2, row] != root):
            sentences[n] = Pair((<int64_t> number[corpus.relations[1, row]] << 32) | n, corpus.relations[2, row])
            n += 1
    sort_pairs(sentences, n, scratch)
    return n


cdef int add_sentences(int32_t root, bint tool, Arrows *x, const Pair *sentences, int64_t n, Column *members,
                       Column *owners) except -1 nogil:
    """Append the groups of one graph: (variable, group), group by group; FINE or TOO_LARGE."""
    cdef int64_t k, stop
    cdef int32_t i, n_queued, stamp, target
    memset(x.stamp, 0xFF, x.n * sizeof(int32_t))             # -1
    for i in range(x.n):
        if i == root or not tool and x.level[i] < 0:
            push_int32(members, i)
            push_int32(owners, 0)
    k = 0
    while k < n:
        stop = k + 1
        while stop < n and sentences[stop].major >> 32 == sentences[k].major >> 32:
            stop += 1
        stamp = <int32_t> (sentences[k].major >> 32)
        if tool:                      # of a number that comes twice the last one holds
            k = stop - 1
        n_queued = 0
        while k < stop:
            target = <int32_t> sentences[k].minor
            if x.stamp[target] != stamp:
                x.stamp[target] = stamp
                x.queue[n_queued] = target
                n_queued += 1
            k += 1
        n_queued = reach(x, n_queued, stamp)
        if members.used + n_queued > MOST_MEMBERS:
            return TOO_LARGE
        for i in range(n_queued):
            push_int32(members, x.queue[i])
            push_int32(owners, stamp + 1)
    return FINE


def sentence_groups(
    Columns corpus not None, const int32_t[::1] number not None, const uint8_t[::1] kind not None, *, bint tool=False
):
    """The groups of every variable of every graph, as :meth:`TripleFeatures.grouped_by` takes them.

    Parameters
    ----------
    corpus : Columns
    number : int32, shape (n_labels,)
        For each label: the number of a sentence, 0 … 2**31 - 2, if it is a role that leads to one, else -1.
    kind : uint8, shape (n_labels,)
        For each label what it is as a role: 0 plain, 1 from a chain to a mention, 2 bridging or between mentions, 3
        ``domain``.
    tool : bool
        The rule of DocSmatch, and its treatment of a number that comes twice: the last sentence holds. By default the
        rule of levels, and both sentences have the number.

    Returns
    -------
    restricted : uint8, shape (n_graphs,)
        0 for a graph without sentences. With ``tool`` always 1, and then all variables of such a graph are in group 0.
    offsets : int64, shape (variables of all graphs + 1,)
    groups : int32
        Group 0 holds the root and what is in no sentence, group k + 1 sentence k. With ``tool`` a variable may be in no
        group.

    Raises
    ------
    ValueError
        If a label of the corpus has no entry in one of the tables.
    FastmatchError
        If the groups of the corpus have more than 134 million members.
    MemoryError
        If they do not fit in memory.

    Notes
    -----
    O(R) for R relations, and for each sentence the relations that it holds.

    Source: for ``tool``, github IBM/docAMR at e8937bad, docSmatch/amr.py, as found by its output.
    """
    check_labels(corpus, min(number.shape[0], kind.shape[0]))
    cdef Py_ssize_t g = 0, n_graphs = corpus.n_graphs, k
    cdef int64_t n, base, n_sentences, most_relations, n_members
    cdef int32_t i
    cdef int status = FINE
    cdef Arrows x
    cdef Column members, owners
    out_restricted = np.zeros(n_graphs, np.uint8)
    out_offsets = np.zeros(corpus.variable_names.shape[0] + 1, np.int64)
    cdef uint8_t[::1] restricted = out_restricted
    cdef int64_t[::1] offsets = out_offsets
    memset(&members, 0, sizeof(Column))
    memset(&owners, 0, sizeof(Column))
    most_relations = corpus.most_relations + 1
    n = corpus.most_variables + 1
    kept = []
    cdef int32_t *places = <int32_t *> space(kept, 5 * n + 3 * most_relations, sizeof(int32_t))
    x.pairs = <Pair *> space(kept, 5 * most_relations, sizeof(Pair))
    x.start, x.level, x.stamp, x.queue, x.next = places, places + n, places + 2 * n, places + 3 * n, places + 4 * n
    x.target = places + 5 * n
    cdef Pair *sentences = x.pairs + 3 * most_relations
    cdef Pair *scratch = x.pairs + 4 * most_relations
    try:
        with nogil:
            for g in range(n_graphs):
                base = corpus.variable_offsets[g]
                x.n = count_variables(corpus, g)
                n_sentences = list_sentences(corpus, g, number, tool, sentences, scratch)
                restricted[g] = n_sentences > 0 or tool
                n_members = members.used
                if n_sentences:
                    memset(x.stamp, 0xFF, x.n * sizeof(int32_t))
                    if tool:
                        tool_arrows(corpus, g, kind, &x)
                    else:
                        levelled_arrows(corpus, g, kind, sentences, n_sentences, &x)
                    status = add_sentences(corpus.root[g], tool, &x, sentences, n_sentences, &members, &owners)
                    if status != FINE:
                        break
                elif tool:
                    for i in range(x.n):
                        push_int32(&members, i)
                        push_int32(&owners, 0)
                for k in range(n_members, members.used):
                    (<int32_t *> members.data)[k] += <int32_t> base
                    offsets[(<int32_t *> members.data)[k] + 1] += 1
        if status == TOO_LARGE:
            raise FastmatchError(f"graph {g}: its sentences share so much that they would not fit in memory")
        out_groups = np.empty(members.used, np.int32)
        np.cumsum(out_offsets, out=out_offsets)
        fill_groups(out_offsets.copy(), &members, &owners, out_groups)
    except MemoryError:
        raise MemoryError(f"the sentences of graph {g} do not fit in memory") from None
    finally:
        release(&members)
        release(&owners)
    return out_restricted, out_offsets, out_groups


cdef void fill_groups(int64_t[::1] place, const Column *members, const Column *owners,
                      int32_t[::1] groups) noexcept nogil:
    """Give each variable its groups; they come in ascending order."""
    cdef int64_t k
    cdef int32_t v
    for k in range(members.used):
        v = (<const int32_t *> members.data)[k]
        groups[place[v]] = (<const int32_t *> owners.data)[k]
        place[v] += 1
