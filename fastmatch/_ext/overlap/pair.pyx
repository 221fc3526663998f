"""The best match of every node and every edge of two graphs, and their matches one-to-one.

Two labels are alike by

    s = 1                                          if they are equal, else the largest of
        lemma                                      if they have the same lemma
        scale(classes) ((cos - floor)+ / (1 - floor))^power      cos: of their vectors
        characters · Dice of their bigrams         if that is at least ``least``
        number · smaller / larger                  of two numbers with the same sign

The match of a node is the largest s to a node of the other graph. The match of an edge is the largest

    s(sources) s(targets) (1, or ``other role`` if the roles differ)

over the other graph's edges, or the same with one of the two edges turned around, times ``turned``. Nothing forbids two
nodes to have the same best match.

So nodes are matched one-to-one besides: v with w, so that the sum of (mass of v + mass of w) s(v, w) is largest. That
is an assignment problem, solved exactly. Of several solutions one is taken that the labels decide on, whatever the
order of nodes: each product counts up to a billionth more, most for equal labels.

An edge's match *between* these is the largest of the products above over edges at whose sources, and at whose targets,
stand two labels of which somewhere two nodes are matched one-to-one. (Labels, because of several nodes with one label
any may be taken; so an edge of a graph that is compared with itself always finds itself.)

What counts of a node is its best match, less ``single`` of what its one-to-one match is below that; of an edge its best
match, less ``between`` of what its match between is below that. With 0 for both, nothing of this is computed.

Every number here is the same when the two graphs are exchanged: products and sums have their terms in an order that
does not depend on which graph comes first. Of several assignments that are equally good, the one that is found depends
on which side's nodes are the rows; so that is decided by what the sides hold.
"""

from libc.math cimport INFINITY, pow
from libc.stdint cimport int32_t, int64_t, uint8_t, uint64_t
from libc.string cimport memset

from fastmatch._ext.base.ahead cimport fm_ask
from fastmatch._ext.base.arena cimport (
    PADDING, Arena, arena_free, arena_init, arena_reserve, doubles, ints, padded, take, take_zeros,
)
from fastmatch._ext.base.bits cimport count_bits, fm_first_bit
from fastmatch._ext.base.columns cimport release, room
from fastmatch._ext.base.random cimport mix
from fastmatch._ext.base.sorting cimport Pair
from fastmatch._ext.base.status cimport CANCELLED, FINE, INTERRUPTED, NO_MEMORY, stop_after
from fastmatch._ext.base.watch cimport Watch, watch_begin
from fastmatch._ext.matching.assignment cimport Assignment, assign, assignment_bind, assignment_init, assignment_size
from fastmatch._ext.overlap.labels cimport MINUS
from fastmatch._ext.overlap.large cimport (
    MOST_ALIKE, PATIENCE, Large, drop, match_kinds, may_drop, number_edges, number_labels,
)
from fastmatch._ext.overlap.space cimport (
    BETWEEN, CHARACTERS, FLOOR, LEAST, LEMMA, NUMBER, OTHER_ROLE, POWER, SINGLE, TURNED, Label, SoftSpace,
)

cdef extern from "row.h":
    void fm_rows(const float *x, const float *y, const float *table, const int32_t *rows, int64_t n, int64_t width,
                 float *out, float *out2) noexcept nogil

cdef extern from "cells.h":
    enum:
        FM_MINUS
        FM_NUMBER
    int64_t fm_sort_cells(const Labels *a, int64_t v, const Labels *b, int64_t m, const float *products, double floor,
                          double least, const double *scales, int32_t *special, int64_t first,
                          Cells *plain) noexcept nogil
    void fm_powers(double *x, int64_t n, double power) noexcept nogil
    double fm_largest(const double *values, int64_t n, double *largest) noexcept nogil
    double fm_match_edge(const double *source_source, const double *source_target, const double *target_source,
                         const double *target_target, int32_t role, const int32_t *roles, int64_t n, double other,
                         double turned, double other_turned, double *values, double *largest) noexcept nogil

cdef extern from "dense.h":
    enum:
        FM_DENSE_TO
        FM_LANES
    void fm_assign(Dense *dense, int64_t n_rows, int64_t n) noexcept nogil

# What decides between one-to-one matches that are equally good.
cdef double PREFERENCE = 1e-9

# Bytes that memory hands over at once.
cdef int64_t LINE = 64

# Cells whose powers are computed together, if a row has not more.
cdef int64_t BATCH = 2048

# Arrays of a pair, at most.
cdef int64_t MOST_ARRAYS = 64


cdef int check_spaces(SoftSpace a, SoftSpace b) except -1:
    """Raise ValueError unless two spaces have vectors, scales and settings alike."""
    cdef Py_ssize_t k, c
    if a.width != b.width or a.n_classes != b.n_classes:
        raise ValueError("the two sides were prepared with different options")
    for k in range(a.setting.shape[0]):
        if a.setting[k] != b.setting[k]:
            raise ValueError("the two sides were prepared with different options")
    for k in range(a.n_classes):
        for c in range(a.n_classes):
            if a.scale[k, c] != b.scale[k, c] or a.scale[k, c] != a.scale[c, k]:
                raise ValueError("the two sides were prepared with different options")
    return 0


cdef double product_of(SoftSpace a, SoftSpace b, int32_t r, int32_t q) noexcept nogil:
    """The inner product of two labels' vectors."""
    cdef float out = 0.0
    cdef int32_t zero = 0
    if a.width:
        fm_rows(&a.vector[r, 0], &a.vector[r, 0], &b.vector[q, 0], &zero, 1, a.width, &out, &out)
    return out


cdef inline double dice(const Label *one, const Label *two, double least) noexcept nogil:
    """Twice the number of shared bigrams by the number of all, or 0 if that is below ``least``."""
    cdef int32_t x = 0, y = 0, n = one.n_bigrams, m = two.n_bigrams, shared = 0, same
    if n == 0 or m == 0 or 2.0 * min(n, m) < least * (n + m):
        return 0.0
    # shared bigrams set the same bits: no more of a label's bigrams are shared than set bits that both have, and
    # those that set a bit which another of them has set already
    same = count_bits(one.sign & two.sign)
    if 2.0 * min(one.doubled + same, two.doubled + same) < least * (n + m):
        return 0.0
    while x < n and y < m:
        if one.bigram[x] == two.bigram[y]:
            shared += 1
            x += 1
            y += 1
        elif one.bigram[x] < two.bigram[y]:
            x += 1
        else:
            y += 1
    cdef double share = 2.0 * shared / (n + m)
    return share if share >= least else 0.0


cdef double label_likeness(const Label *one, const Label *two, const double *setting, const double *scale,
                           double product, Kind *kind) noexcept nogil:
    """s of two labels, in [0, 1], whose vectors have this inner product; ``kind``: by what.

    ``scale`` is the row of scales of the first one's class.
    """
    cdef double best = 0.0, x, y
    kind[0] = NOTHING
    if one.key == two.key:
        kind[0] = EQUAL
        return 1.0
    if one.kind == MINUS or two.kind == MINUS:
        return 0.0
    if one.lemma == two.lemma and setting[LEMMA] > 0.0:
        best = setting[LEMMA]
        kind[0] = SAME_LEMMA
    if product > setting[FLOOR]:
        x = (product - setting[FLOOR]) / (1.0 - setting[FLOOR])
        x = x if x < 1.0 else 1.0
        x = scale[two.kind] * (x if setting[POWER] == 1.0 else pow(x, setting[POWER]))
        if x > best:
            best = x
            kind[0] = VECTORS
    if setting[CHARACTERS] > best:
        x = setting[CHARACTERS] * dice(one, two, setting[LEAST])
        if x > best:
            best = x
            kind[0] = SHARED_CHARACTERS
    x, y = one.number, two.number
    if x * y > 0.0:  # false if one is NaN
        x, y = abs(x), abs(y)
        x = setting[NUMBER] * (min(x, y) / max(x, y))
        if x > best:
            best = x
            kind[0] = NUMBERS
    return best


cdef inline double preferred(uint64_t one, uint64_t two) noexcept nogil:
    """1 for equal labels, else a number below 1/2 that two labels always have, in either order."""
    return 1.0 if one == two else <double> (mix(one + two) >> 12) / <double> (<uint64_t> 1 << 53)


cdef inline void first_bearers(const uint64_t *keys, int64_t n, int32_t *first) noexcept nogil:
    """The first of a graph's nodes that has the same label, [n]."""
    cdef int64_t v, w
    for v in range(n):
        w = 0
        while keys[w] != keys[v]:
            w += 1
        first[v] = <int32_t> w


cdef inline int64_t batch_of(int64_t n, int64_t m) noexcept nogil:
    """Rows whose powers are computed together: all, of sentences."""
    return min(n, max(1, BATCH // max(1, m)))


cdef inline size_t labels_size(int64_t n) noexcept nogil:
    """Bytes that :func:`labels_of` takes from an arena."""
    return 4 * padded(n * sizeof(uint64_t)) + 2 * padded(n * sizeof(int32_t)) + 2 * padded(n)


cdef inline size_t rows_size(int64_t n, int64_t m) noexcept nogil:
    """Bytes that :func:`begin_rows` takes from the arena."""
    cdef int64_t cells = batch_of(n, m) * m + 1
    return (padded(2 * m * sizeof(float)) + padded((m + 1) * sizeof(int32_t)) + padded(cells * sizeof(int32_t))
            + 2 * padded(cells * sizeof(double)) + labels_size(n) + labels_size(m))


cdef inline void labels_of(Arena *arena, Labels *labels, SoftSpace space, const int32_t *rows,
                           int64_t n) noexcept nogil:
    """Copy what is asked of the labels of n nodes, one array for each thing: each is met in every row of a pair."""
    cdef int64_t v
    cdef const Label *label
    labels.key = <uint64_t *> take(arena, n * sizeof(uint64_t))
    labels.lemma = <uint64_t *> take(arena, n * sizeof(uint64_t))
    labels.sign = <uint64_t *> take(arena, n * sizeof(uint64_t))
    labels.n_bigrams, labels.doubled = ints(arena, n), ints(arena, n)
    labels.kind = <uint8_t *> take(arena, n)
    labels.odd = <uint8_t *> take(arena, n)
    labels.number = doubles(arena, n)
    for v in range(n):
        label = space.label + rows[v]
        labels.key[v], labels.lemma[v], labels.sign[v] = label.key, label.lemma, label.sign
        labels.n_bigrams[v], labels.doubled[v] = label.n_bigrams, label.doubled
        labels.kind[v], labels.number[v] = label.kind, label.number
        labels.odd[v] = FM_MINUS if label.kind == MINUS else FM_NUMBER if label.number == label.number else 0


cdef inline int64_t words_of(int64_t n_edges) noexcept nogil:
    """Words of 64 bits that hold one bit an edge."""
    return (n_edges + 63) >> 6


cdef inline void keep_better(Best *best, double value, int32_t of, bint turned) noexcept nogil:
    """Make a match the best one if it is better; of equals the first stays."""
    if value > best.value:
        best.value = value
        best.of = of
        best.turned = turned


cdef inline double edge_value(double straight, double crossed, bint same_role, double same, double other,
                              double other_turned, bint *turned) noexcept nogil:
    """What a match of two edges is worth, of the products for their ends as they are and with one of them turned."""
    if same_role:
        crossed *= same
    else:
        straight *= other
        crossed *= other_turned
    turned[0] = crossed > straight
    return crossed if turned[0] else straight


cdef inline Best *new_best(Arena *arena, int64_t count) noexcept nogil:
    """Room for so many matches: none is found yet."""
    cdef Best *best = <Best *> take(arena, count * sizeof(Best))
    cdef int64_t k
    for k in range(count):
        best[k].value = 0.0
        best[k].of = -1
        best[k].turned = False
    return best


cdef void ask_for(SoftSpace space, int64_t g) noexcept nogil:
    """Have the labels of a graph, and their vectors, brought nearer to the processor: they lie all over memory."""
    cdef int64_t v, k, length = space.width * <int64_t> sizeof(float)
    cdef const Label *label
    cdef const char *vector
    for v in range(space.offset[g], space.offset[g + 1]):
        label = space.label + space.row[v]
        fm_ask(label)
        fm_ask(<const char *> (label + 1) - 1)
        if space.width:
            vector = <const char *> &space.vector[space.row[v], 0]
            k = 0
            while k < length:
                fm_ask(vector + k)
                k += LINE


cdef class Matcher:
    """Room for one pair after another; all that was found of the last one stands in it."""

    def __cinit__(self):
        arena_init(&self.arena)           # the columns are empty as they are: all fields are 0

    def __dealloc__(self):
        arena_free(&self.arena)
        release(&self.alike_at)
        release(&self.alike_value)

    cdef int match(self, SoftSpace a, SoftSpace b, int64_t i, int64_t j, bint with_edges, bint traced,
                   bint lasting, const uint8_t *cancel) noexcept nogil:
        """Match graph i of a and graph j of b. FINE, NO_MEMORY, CANCELLED or INTERRUPTED.

        Without ``with_edges`` the matches of edges are upper bounds, the product of the matches of their ends, and
        nothing is matched one-to-one: best matches are upper bounds of that. With ``traced`` it is also found which
        node or edge the best match of each is.

        ``lasting``: see :func:`fastmatch._ext.overlap.score.score_pairs`.
        """
        cdef int64_t n = a.offset[i + 1] - a.offset[i], m = b.offset[j + 1] - b.offset[j]
        cdef int64_t n_edges = a.edge_offset[i + 1] - a.edge_offset[i]
        cdef int64_t m_edges = b.edge_offset[j + 1] - b.edge_offset[j]
        cdef bint single = with_edges and (a.setting[SINGLE] > 0.0 or a.setting[BETWEEN] > 0.0)
        cdef int64_t words = words_of(m_edges), ends = n + m + n_edges + m_edges, k
        cdef size_t bytes
        if n * m > (<int64_t> 1 << 40 if not single else <int64_t> 1 << 30) or n * m_edges > <int64_t> 1 << 40:
            return NO_MEMORY
        bytes = (n * m + ends) * sizeof(double) + rows_size(n, m)
        if with_edges:
            bytes += (2 * n + 1) * m_edges * sizeof(double)
        if traced:
            bytes += ends * sizeof(Best)
        if single:
            bytes += ends * sizeof(Best) + n * m * (sizeof(double) + 2 * sizeof(int32_t))
            bytes += (n + m) * (sizeof(int32_t) + 2 * words * sizeof(uint64_t))
            bytes += assignment_size(<int32_t> min(n, m), <int32_t> max(n, m))
            bytes += (min(n, m) + 1) * (sizeof(int32_t) + sizeof(int64_t))
        if arena_reserve(&self.arena, bytes + MOST_ARRAYS * PADDING) < 0:
            return NO_MEMORY
        self.n, self.m, self.n_edges, self.m_edges = n, m, n_edges, m_edges
        self.likeness = doubles(&self.arena, n * m)
        self.row = <double *> take_zeros(&self.arena, n * sizeof(double))
        self.column = <double *> take_zeros(&self.arena, m * sizeof(double))
        self.edge_row = <double *> take_zeros(&self.arena, n_edges * sizeof(double))
        self.edge_column = <double *> take_zeros(&self.arena, m_edges * sizeof(double))
        # rows are written one after the other, columns and what may stay without a match are not
        self.with_single = single
        self.lasting = lasting
        self.whole = True
        if traced:
            self.row_best = new_best(&self.arena, n)
            self.column_best = new_best(&self.arena, m)
            self.edge_row_best = new_best(&self.arena, n_edges)
            self.edge_column_best = new_best(&self.arena, m_edges)
        if single:
            self.single_row = new_best(&self.arena, n)
            self.single_column = new_best(&self.arena, m)
            self.between_row = new_best(&self.arena, n_edges)
            self.between_column = new_best(&self.arena, m_edges)
        if n == 0 or m == 0:
            return FINE
        cdef int status = match_nodes(self, a, b, i, j, cancel)
        if with_edges:
            if status == FINE:
                status = match_edges(self, a, b, i, j, traced, cancel)
            for k in range(n * m if traced else 0):     # of equals the first
                keep_better(&self.row_best[k // m], self.likeness[k], <int32_t> (k % m), False)
                keep_better(&self.column_best[k % m], self.likeness[k], <int32_t> (k // m), False)
            if status == FINE and single:
                status = match_single(self, a, b, i, j, cancel)
            if status == FINE and single:
                status = match_between(self, a, b, i, j, cancel)
        elif status == FINE:
            bound_edges(a, a.edge_offset[i], self.edge_row, n_edges, self.row, m_edges)
            bound_edges(b, b.edge_offset[j], self.edge_column, m_edges, self.column, n_edges)
        return status

    cdef int match_large(self, SoftSpace a, SoftSpace b, int64_t i, int64_t j, bint with_edges,
                         const uint8_t *cancel) noexcept nogil:
        """As :meth:`match`, without one-to-one matches and without tables of all nodes: for large graphs.

        Equal labels have equal matches, and so have edges of one role between equal labels. So each label is compared
        with each once, and what is alike is kept in lists. Values are the same to the last bit, unless the lists would
        take more than ``MOST_ALIKE`` or the comparison of edges more than ``MOST_VISITS``. Then what is less alike
        counts as nothing for edges, the first best match of a label excepted, and ``whole`` is False.
        """
        cdef Large x
        cdef int64_t n = a.offset[i + 1] - a.offset[i], m = b.offset[j + 1] - b.offset[j]
        cdef int64_t n_edges = a.edge_offset[i + 1] - a.edge_offset[i]
        cdef int64_t m_edges = b.edge_offset[j + 1] - b.edge_offset[j]
        cdef int64_t most = max(n + m, max(n_edges, m_edges)), k
        cdef int status = NO_MEMORY
        cdef size_t nodes = <size_t> (n + m), edges = <size_t> (n_edges + m_edges)
        self.n, self.m, self.n_edges, self.m_edges = n, m, n_edges, m_edges
        self.with_single = self.lasting = False
        self.whole = True
        # whatever batch the rows are computed in, and however many labels differ
        if arena_reserve(
            &self.arena,
            (2 * (nodes + edges) + 4 * BATCH + 3 * m + 3) * sizeof(double) + rows_size(n, m)
            + (3 * nodes + 4 * edges + 2 * (m + 1) + 2 * m_edges) * sizeof(int32_t) + (3 * n + 1) * sizeof(int64_t)
            + 3 * most * sizeof(Pair) + MOST_ARRAYS * PADDING,
        ) < 0:
            return NO_MEMORY
        self.row = <double *> take_zeros(&self.arena, n * sizeof(double))
        self.column = <double *> take_zeros(&self.arena, m * sizeof(double))
        self.edge_row = <double *> take_zeros(&self.arena, n_edges * sizeof(double))
        self.edge_column = <double *> take_zeros(&self.arena, m_edges * sizeof(double))
        if n == 0 or m == 0:
            return FINE
        memset(&x, 0, sizeof(x))
        x.whole = True
        x.at, x.value = self.alike_at, self.alike_value
        x.at.used = x.value.used = 0
        for k in range(3):
            x.sorting[k] = <Pair *> take(&self.arena, most * sizeof(Pair))
        number_labels(&self.arena, &x, &x.mine, &a.row[a.offset[i]], n)
        number_labels(&self.arena, &x, &x.theirs, &b.row[b.offset[j]], m)
        status = list_alike(self, a, b, &x, cancel)
        for k in range(n):
            self.row[k] = x.mine.best[x.mine.label[k]]
        for k in range(m):
            self.column[k] = x.theirs.best[x.theirs.label[k]]
        if status == FINE and not with_edges:
            bound_edges(a, a.edge_offset[i], self.edge_row, n_edges, self.row, m_edges)
            bound_edges(b, b.edge_offset[j], self.edge_column, m_edges, self.column, n_edges)
        elif status == FINE and n_edges and m_edges:
            number_edges(&self.arena, &x, &x.mine, &a.edge[0, a.edge_offset[i]], &a.edge[1, a.edge_offset[i]],
                         &a.edge[2, a.edge_offset[i]], n_edges)
            number_edges(&self.arena, &x, &x.theirs, &b.edge[0, b.edge_offset[j]], &b.edge[1, b.edge_offset[j]],
                         &b.edge[2, b.edge_offset[j]], m_edges)
            status = match_kinds(&self.arena, &x, a.setting[TURNED], a.setting[OTHER_ROLE], cancel)
            for k in range(n_edges):
                self.edge_row[k] = x.mine.edge_best[x.mine.kind[k]]
            for k in range(m_edges):
                self.edge_column[k] = x.theirs.edge_best[x.theirs.kind[k]]
        self.whole = x.whole
        self.alike_at, self.alike_value = x.at, x.value
        return status


cdef void begin_rows(
    Matcher self, SoftSpace a, SoftSpace b, const int32_t *rows, int64_t n, const int32_t *columns, int64_t m
) noexcept nogil:
    """Take what :func:`fill_rows` needs from the arena (see ``rows_size``) for n rows of m labels."""
    cdef int64_t cells = batch_of(n, m) * m + 1
    self.two_rows = <float *> take_zeros(&self.arena, 2 * m * sizeof(float))
    self.special = ints(&self.arena, m + 1)
    self.plain.cell = ints(&self.arena, cells)
    self.plain.above, self.plain.scale = doubles(&self.arena, cells), doubles(&self.arena, cells)
    labels_of(&self.arena, &self.labels, a, rows, n)
    labels_of(&self.arena, &self.others, b, columns, m)


cdef int list_alike(Matcher self, SoftSpace a, SoftSpace b, Large *x, const uint8_t *cancel) noexcept nogil:
    """The best matches of labels, and lists of what is alike. FINE, NO_MEMORY, CANCELLED or INTERRUPTED."""
    cdef int64_t n = x.mine.n_labels, m = x.theirs.n_labels, v, w, since = 0, batch = batch_of(n, m)
    cdef int64_t start = 0, stop, k
    cdef double *bests = x.theirs.best
    cdef int32_t *firsts = x.theirs.first
    cdef const double *line
    cdef int32_t *at
    cdef double *value
    cdef double s, best, least
    cdef int status
    begin_rows(self, a, b, x.mine.rows, n, x.theirs.rows, m)
    cdef double *lines = doubles(&self.arena, batch * m)
    x.start = <int64_t *> take(&self.arena, (n + 1) * sizeof(int64_t))
    while start < n:
        stop = min(n, start + batch)
        memset(lines, 0, (stop - start) * m * sizeof(double))
        fill_rows(self, a, b, x.mine.rows, start, stop, x.theirs.rows, m, lines)
        for v in range(start, stop):
            x.start[v] = x.at.used
            if not room(&x.at, m + 1, sizeof(int32_t)) or not room(&x.value, m + 1, sizeof(double)):
                return NO_MEMORY
            line = lines + (v - start) * m
            at, value = <int32_t *> x.at.data + x.at.used, <double *> x.value.data + x.at.used
            k, best, least = 0, 0.0, x.least
            for w in range(m):
                s = line[w]
                if s > bests[w]:
                    bests[w], firsts[w] = s, <int32_t> v
                if s > best:
                    best, x.mine.first[v] = s, <int32_t> w
                at[k], value[k] = <int32_t> w, s
                k += s > least
            x.mine.best[v] = best
            x.at.used += k
            x.value.used = x.start[v + 1] = x.at.used
            while x.at.used > MOST_ALIKE and may_drop(x):
                drop(x, v + 1)
        since += (stop - start) * m
        start = stop
        if (status := stop_after(&since, PATIENCE, cancel)) != FINE:
            return status
    return FINE


cdef void fill_rows(
    Matcher self, SoftSpace a, SoftSpace b, const int32_t *rows, int64_t start, int64_t stop, const int32_t *columns,
    int64_t m, double *lines,
) noexcept nogil:
    """The likeness of the labels rows[start … stop - 1] of a and columns[0 … m - 1] of b, into ``lines``.

    ``lines`` [stop - start, m] holds zeros.
    """
    cdef int64_t v, w, k, next_row, n_special
    cdef float *products = self.two_rows
    cdef const double *scales
    cdef const double *setting = &a.setting[0]
    cdef double power = setting[POWER], x, y
    cdef Cells *plain = &self.plain
    cdef Kind kind
    cdef bint plainly             # the row's label is a number that has no bigrams
    plain.n = 0
    for v in range(start, stop):
        scales = &a.scale[self.labels.kind[v], 0]
        if (v - start) & 1:
            products = self.two_rows + m
        else:
            products = self.two_rows
            if a.width:
                next_row = min(v + 1, stop - 1)
                fm_rows(&a.vector[rows[v], 0], &a.vector[rows[next_row], 0], &b.vector[0, 0], columns, m, a.width,
                        products, products + m)
        n_special = fm_sort_cells(&self.labels, v, &self.others, m, products, setting[FLOOR], setting[LEAST],
                                  scales, self.special, (v - start) * m, plain)
        plainly = self.labels.odd[v] == FM_NUMBER and self.labels.n_bigrams[v] == 0
        for k in range(n_special):
            w = self.special[k]
            if (plainly and self.others.odd[w] == FM_NUMBER and not products[w] > setting[FLOOR]
                    and self.labels.key[v] != self.others.key[w] and self.labels.lemma[v] != self.others.lemma[w]):
                # what label_likeness finds of two numbers, without a look at the labels, which lie far apart
                x, y = self.labels.number[v], self.others.number[w]
                if x * y > 0.0:
                    x, y = abs(x), abs(y)
                    lines[(v - start) * m + w] = setting[NUMBER] * (min(x, y) / max(x, y))
                continue
            lines[(v - start) * m + w] = label_likeness(
                a.label + rows[v], b.label + columns[w], setting, scales, products[w], &kind)
    if self.lasting:
        for k in range(plain.n):
            plain.above[k] = pow(plain.above[k], power)
    elif power != 1.0:
        fm_powers(plain.above, plain.n, power)
    for k in range(plain.n):
        lines[plain.cell[k]] = plain.scale[k] * plain.above[k]


cdef int match_nodes(
    Matcher self, SoftSpace a, SoftSpace b, int64_t i, int64_t j, const uint8_t *cancel
) noexcept nogil:
    """The likeness of all nodes, and best matches of each. FINE, CANCELLED or INTERRUPTED."""
    cdef int64_t n = self.n, m = self.m, v, since = 0, batch = batch_of(n, m), start = 0, stop
    cdef const int32_t *rows = &a.row[a.offset[i]]
    cdef const int32_t *columns = &b.row[b.offset[j]]
    cdef int status
    begin_rows(self, a, b, rows, n, columns, m)
    memset(self.likeness, 0, n * m * sizeof(double))
    while start < n:
        stop = min(n, start + batch)
        fill_rows(self, a, b, rows, start, stop, columns, m, self.likeness + start * m)
        for v in range(start, stop):
            self.row[v] = fm_largest(self.likeness + v * m, m, self.column)
        since += (stop - start) * m
        start = stop
        if (status := stop_after(&since, PATIENCE, cancel)) != FINE:
            return status
    return FINE


cdef int match_edges(
    Matcher self, SoftSpace a, SoftSpace b, int64_t i, int64_t j, bint traced, const uint8_t *cancel
) noexcept nogil:
    """What the best matches of edges are worth, from the likeness of their ends; with ``traced`` also which they are.

    FINE, CANCELLED or INTERRUPTED.
    """
    cdef int64_t n = self.n, m = self.m, m_edges = self.m_edges, e, f, v, source, target, since = 0
    cdef int64_t first = a.edge_offset[i], second = b.edge_offset[j]
    cdef double *with_source = <double *> take(&self.arena, n * m_edges * sizeof(double))
    cdef double *with_target = <double *> take(&self.arena, n * m_edges * sizeof(double))
    cdef double *values = <double *> take(&self.arena, m_edges * sizeof(double))
    cdef const double *line
    cdef double turned = a.setting[TURNED], other = a.setting[OTHER_ROLE], straight
    cdef int32_t role
    cdef int status
    if self.n_edges == 0 or m_edges == 0:
        return FINE
    cdef const int32_t *sources = &b.edge[0, second]
    cdef const int32_t *roles = &b.edge[1, second]
    cdef const int32_t *targets = &b.edge[2, second]
    # of each node, the likeness with the ends of the other graph's edges
    for v in range(n):
        line = self.likeness + v * m
        for f in range(m_edges):
            with_source[v * m_edges + f] = line[sources[f]]
            with_target[v * m_edges + f] = line[targets[f]]
    for e in range(self.n_edges):
        source, target = a.edge[0, first + e] * m_edges, a.edge[2, first + e] * m_edges
        role = a.edge[1, first + e]
        self.edge_row[e] = fm_match_edge(
            with_source + source, with_target + source, with_source + target, with_target + target, role, roles,
            m_edges, other, turned, turned * other, values, self.edge_column)
        for f in range(m_edges if traced else 0):   # of equals the first
            straight = with_source[source + f] * with_target[target + f] * (1.0 if roles[f] == role else other)
            keep_better(&self.edge_row_best[e], values[f], <int32_t> f, values[f] > straight)
            keep_better(&self.edge_column_best[f], values[f], <int32_t> e, values[f] > straight)
        since += m_edges
        if (status := stop_after(&since, PATIENCE, cancel)) != FINE:
            return status
    return FINE


cdef int match_single(
    Matcher self, SoftSpace a, SoftSpace b, int64_t i, int64_t j, const uint8_t *cancel
) noexcept nogil:
    """Match nodes one-to-one. FINE, CANCELLED or INTERRUPTED."""
    cdef const double *masses = &a.mass[a.offset[i]]
    cdef const double *others = &b.mass[b.offset[j]]
    cdef bint turned = exchanged(self, masses, others)
    cdef int32_t n_rows = <int32_t> (self.m if turned else self.n)
    cdef int32_t n_columns = <int32_t> (self.n if turned else self.m)
    cdef int64_t v, w, r, c, m = self.m
    cdef int64_t by_row, by_column
    cdef double *gain = NULL
    cdef double s
    cdef int64_t *column_of = self.dense.column_of
    cdef int status
    cdef bint dense = n_columns <= FM_DENSE_TO and not self.lasting
    if dense:
        gain = &self.dense.gain[0].each[0]
        for r in range(n_rows):
            for c in range(n_columns, (n_columns + FM_LANES - 1) // FM_LANES * FM_LANES):
                self.dense.gain[r].each[c] = 0.0
    else:
        gain = doubles(&self.arena, self.n * m)
    by_row = FM_DENSE_TO if dense else n_columns
    by_column = 1
    if turned:
        by_row, by_column = by_column, by_row
    for v in range(self.n):
        for w in range(m):
            s = (masses[v] + others[w]) * self.likeness[v * m + w]
            s *= 1.0 + PREFERENCE * preferred(self.labels.key[v], self.others.key[w])
            gain[v * by_row + w * by_column] = s
    if dense:
        fm_assign(&self.dense, n_rows, n_columns)
    elif (status := assign_any(self, gain, n_rows, n_columns, &column_of, cancel)) != FINE:
        return status
    for r in range(n_rows):
        c = column_of[r]
        if c < 0:
            continue
        v, w = (c, r) if turned else (r, c)
        s = self.likeness[v * m + w]
        if s > 0.0:
            self.single_row[v].value = self.single_column[w].value = s
            self.single_row[v].of, self.single_column[w].of = <int32_t> w, <int32_t> v
    return FINE


cdef int assign_any(
    Matcher self, double *gain, int32_t n_rows, int32_t n_columns, int64_t **column_of, const uint8_t *cancel
) noexcept nogil:
    """The sparse assignment: for many nodes, and for lasting bits. FINE, CANCELLED or INTERRUPTED.

    ``gain`` [n_rows, n_columns] is overwritten. ``column_of`` receives the column of each row, or -1.
    """
    cdef int32_t r, c, count = 0
    cdef int32_t *start = <int32_t *> take(&self.arena, (n_rows + 1) * sizeof(int32_t))
    cdef int32_t *row = <int32_t *> take(&self.arena, self.n * self.m * sizeof(int32_t))
    cdef int32_t *column = <int32_t *> take(&self.arena, self.n * self.m * sizeof(int32_t))
    cdef double s
    cdef uint8_t never = 0
    cdef Watch watch
    cdef Assignment lap
    assignment_init(&self.arena, &lap, n_rows, n_columns)
    for r in range(n_rows):
        start[r] = count
        for c in range(n_columns):
            s = gain[<int64_t> r * n_columns + c]
            if s > 0.0:
                row[count], column[count], gain[count] = r, c, s
                count += 1
    start[n_rows] = count
    watch.cancel = cancel if cancel != NULL else &never
    watch.seconds = INFINITY
    watch.tell = NULL
    watch.interrupted = False
    watch_begin(&watch, 0)
    lap.watch = &watch
    assignment_bind(&lap, start, row, column, gain)
    if assign(&lap) == INFINITY:
        return INTERRUPTED if watch.interrupted else CANCELLED
    column_of[0] = <int64_t *> take(&self.arena, n_rows * sizeof(int64_t))
    for r in range(n_rows):
        column_of[0][r] = column[lap.row_match[r]] if lap.row_match[r] >= 0 else -1
    return FINE


cdef bint exchanged(Matcher self, const double *masses, const double *others) noexcept nogil:
    """Whether the nodes of the second graph are to be the rows: the same side if the graphs are exchanged.

    That is the smaller side; else the one whose first different mass is smaller; else it is decided by the first
    two nodes that are less alike than the same two the other way round. If there are none, the problem is the same
    from both sides.
    """
    cdef int64_t v, w, n = self.n
    if n != self.m:
        return n > self.m
    for v in range(n):
        if masses[v] != others[v]:
            return masses[v] > others[v]
    for v in range(n):
        for w in range(v):
            if self.likeness[v * n + w] != self.likeness[w * n + v]:
                return self.likeness[v * n + w] > self.likeness[w * n + v]
    return False


cdef int match_between(
    Matcher self, SoftSpace a, SoftSpace b, int64_t i, int64_t j, const uint8_t *cancel
) noexcept nogil:
    """Best matches of edges between labels that are matched one-to-one. FINE, CANCELLED or INTERRUPTED.

    Few edges of b can be the match of an edge of a, and these are found as sets of bits: of every label of a, the
    edges of b at whose source, and at whose target, stands a label that is matched with it.
    """
    cdef int64_t e, f, v, k, word, first = a.edge_offset[i], second = b.edge_offset[j], since = 0
    cdef int64_t n = self.n, m = self.m, words = words_of(self.m_edges)
    cdef int32_t *one = <int32_t *> take(&self.arena, n * sizeof(int32_t))
    cdef int32_t *two = <int32_t *> take(&self.arena, m * sizeof(int32_t))
    cdef uint64_t *leaving = <uint64_t *> take_zeros(&self.arena, m * words * sizeof(uint64_t))
    cdef uint64_t *entering = <uint64_t *> take_zeros(&self.arena, m * words * sizeof(uint64_t))
    cdef uint64_t *by_source = <uint64_t *> take_zeros(&self.arena, n * words * sizeof(uint64_t))
    cdef uint64_t *by_target = <uint64_t *> take_zeros(&self.arena, n * words * sizeof(uint64_t))
    cdef const double *from_source
    cdef const double *from_target
    cdef int32_t role
    cdef int64_t source, target
    cdef uint64_t straight, crossed, rest
    cdef double x, y, same = a.setting[TURNED], other = a.setting[OTHER_ROLE], other_turned = same * other
    cdef bint turned
    cdef int status
    if self.n_edges == 0 or self.m_edges == 0:
        return FINE
    # a label stands for the first node that bears it
    first_bearers(self.labels.key, n, one)
    first_bearers(self.others.key, m, two)
    cdef const int32_t *sources = &b.edge[0, second]
    cdef const int32_t *roles = &b.edge[1, second]
    cdef const int32_t *targets = &b.edge[2, second]
    for f in range(self.m_edges):
        leaving[two[sources[f]] * words + (f >> 6)] |= <uint64_t> 1 << (f & 63)
        entering[two[targets[f]] * words + (f >> 6)] |= <uint64_t> 1 << (f & 63)
    for v in range(n):
        if self.single_row[v].of >= 0:
            for k in range(words):
                by_source[one[v] * words + k] |= leaving[two[self.single_row[v].of] * words + k]
                by_target[one[v] * words + k] |= entering[two[self.single_row[v].of] * words + k]
    for e in range(self.n_edges):
        from_source = self.likeness + a.edge[0, first + e] * m
        from_target = self.likeness + a.edge[2, first + e] * m
        source, target = one[a.edge[0, first + e]] * words, one[a.edge[2, first + e]] * words
        role = a.edge[1, first + e]
        for word in range(words):
            straight = by_source[source + word] & by_target[target + word]
            crossed = by_target[source + word] & by_source[target + word]
            rest = straight | crossed
            since += 1
            while rest:
                k = fm_first_bit(rest)
                f = (word << 6) + k
                rest &= rest - 1
                x = y = 0.0
                if (straight >> k) & 1:
                    x = from_source[sources[f]] * from_target[targets[f]]
                if (crossed >> k) & 1:
                    y = from_source[targets[f]] * from_target[sources[f]]
                x = edge_value(x, y, roles[f] == role, same, other, other_turned, &turned)
                keep_better(&self.between_row[e], x, <int32_t> f, turned)
                keep_better(&self.between_column[f], x, <int32_t> e, turned)
                since += 1
        if (status := stop_after(&since, PATIENCE, cancel)) != FINE:
            return status
    return FINE


cdef void bound_edges(
    SoftSpace space, int64_t first, double *edges, int64_t count, const double *nodes, int64_t others
) noexcept nogil:
    """Upper bounds of the matches of edges; 0 if the other graph has none."""
    cdef int64_t e
    for e in range(count if others else 0):
        edges[e] = nodes[space.edge[0, first + e]] * nodes[space.edge[2, first + e]]
