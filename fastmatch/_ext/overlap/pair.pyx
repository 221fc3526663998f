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

from fastmatch._ext.base.arena cimport arena_free, arena_init, arena_reserve, padded, take
from fastmatch._ext.base.random cimport mix
from fastmatch._ext.base.status cimport CANCELLED, FINE, INTERRUPTED, NO_MEMORY, asked_to_stop
from fastmatch._ext.base.watch cimport Watch, watch_begin
from fastmatch._ext.matching.assignment cimport (
    Assignment,
    assign,
    assignment_bind,
    assignment_init,
    assignment_size,
)
from fastmatch._ext.overlap.labels cimport MINUS
from fastmatch._ext.overlap.space cimport (
    BETWEEN,
    CHARACTERS,
    FLOOR,
    LEAST,
    LEMMA,
    NUMBER,
    OTHER_ROLE,
    POWER,
    SINGLE,
    TURNED,
    Label,
    SoftSpace,
    fm_bits,
)

cdef extern from "row.h":
    void fm_row_plain(const float *x, const float *table, const int32_t *rows, int64_t n, int64_t width,
                      float *out) noexcept nogil
    void fm_row_avx2(const float *x, const float *table, const int32_t *rows, int64_t n, int64_t width,
                     float *out) noexcept nogil
    bint FM_ROW_AVX2

cdef extern from *:
    """
    #if defined(__GNUC__) || defined(__clang__)
    #define fm_lowest(x) __builtin_ctzll(x)
    #define fm_ask(x) __builtin_prefetch(x)
    #else
    #define fm_ask(x) ((void) (x))
    static int fm_lowest(unsigned long long x) { int n = 0; while (!(x & 1)) { x >>= 1; n++; } return n; }
    #endif
    """
    int fm_lowest(uint64_t x) noexcept nogil
    void fm_ask(const void *x) noexcept nogil

# What decides between one-to-one matches that are equally good.
cdef double PREFERENCE = 1e-9

# Bytes that memory hands over at once.
cdef int64_t LINE = 64

# Cells computed between two questions whether to go on: a millisecond.
cdef int64_t PATIENCE = 100000


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
        fm_row_plain(&a.vector[r, 0], &b.vector[q, 0], &zero, 1, a.width, &out)
    return out


cdef inline double dice(const Label *one, const Label *two, double least) noexcept nogil:
    """Twice the number of shared bigrams by the number of all, or 0 if that is below ``least``."""
    cdef int32_t x = 0, y = 0, n = one.n_bigrams, m = two.n_bigrams, shared = 0, same
    cdef double share
    if n == 0 or m == 0 or 2.0 * min(n, m) < least * (n + m):
        return 0.0
    # shared bigrams set the same bits: no more of a label's bigrams are shared than set bits that both have, and
    # those that set a bit which another of them has set already
    same = fm_bits(one.sign & two.sign)
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
    share = 2.0 * shared / (n + m)
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
        x = scale[two.kind] * pow(x if x < 1.0 else 1.0, setting[POWER])
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
        x = abs(x)
        y = abs(y)
        x = setting[NUMBER] * (min(x, y) / max(x, y))
        if x > best:
            best = x
            kind[0] = NUMBERS
    return best


cdef inline double preferred(uint64_t one, uint64_t two) noexcept nogil:
    """1 for equal labels, else a number below 1/2 that two labels always have, in either order."""
    return 1.0 if one == two else <double> (mix(one + two) >> 12) / <double> (<uint64_t> 1 << 53)


cdef inline void first_bearers(const Label *labels, const int32_t *rows, int64_t n, uint64_t *keys,
                               int32_t *first) noexcept nogil:
    """The first of a graph's nodes that has the same label, [n]; ``keys`` [n] is room."""
    cdef int64_t v, w
    for v in range(n):
        keys[v] = labels[rows[v]].key
        w = 0
        while keys[w] != keys[v]:
            w += 1
        first[v] = <int32_t> w


cdef inline int64_t words_of(int64_t n_edges) noexcept nogil:
    """Words of 64 bits that hold one bit an edge."""
    return (n_edges + 63) >> 6


cdef inline void keep_better(Best *best, double value, int32_t of, bint turned) noexcept nogil:
    """Make a match the best one if it is better; of equals the first stays."""
    if value > best.value:
        best.value = value
        best.of = of
        best.turned = turned


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
        arena_init(&self.arena)

    def __dealloc__(self):
        arena_free(&self.arena)

    cdef int match(self, SoftSpace a, SoftSpace b, int64_t i, int64_t j, bint with_edges,
                   const uint8_t *cancel) noexcept nogil:
        """Match graph i of a and graph j of b. FINE, NO_MEMORY, CANCELLED or INTERRUPTED.

        Without ``with_edges`` the matches of edges are upper bounds, the product of the matches of their ends, and
        nothing is matched one-to-one: best matches are upper bounds of that.
        """
        cdef int64_t n = a.offset[i + 1] - a.offset[i], m = b.offset[j + 1] - b.offset[j], v, w, since = 0
        cdef int64_t n_edges = a.edge_offset[i + 1] - a.edge_offset[i]
        cdef int64_t m_edges = b.edge_offset[j + 1] - b.edge_offset[j]
        cdef const int32_t *rows = NULL
        cdef const int32_t *columns = NULL
        cdef double *line
        cdef const Label *label
        cdef const double *scale
        cdef const double *setting = &a.setting[0]
        cdef double x
        cdef Kind kind
        cdef int status
        cdef bint wide = FM_ROW_AVX2
        cdef bint single = with_edges and (a.setting[SINGLE] > 0.0 or a.setting[BETWEEN] > 0.0)
        cdef int64_t words = words_of(m_edges)
        cdef size_t results, room
        if n * m > (<int64_t> 1 << 40 if not single else <int64_t> 1 << 30):
            return NO_MEMORY
        results = (padded(n * sizeof(Best)) + padded(m * sizeof(Best))
                   + padded(n_edges * sizeof(Best)) + padded(m_edges * sizeof(Best)))
        room = padded(n * m * sizeof(double)) + padded(m * sizeof(float)) + results + 16
        if single:
            room += results + assignment_size(<int32_t> min(n, m), <int32_t> max(n, m))
            room += padded((min(n, m) + 1) * sizeof(int32_t))
            room += padded(n * sizeof(int32_t)) + padded(m * sizeof(int32_t)) + padded(max(n, m) * sizeof(uint64_t))
            room += 2 * (padded(n * words * sizeof(uint64_t)) + padded(m * words * sizeof(uint64_t)))
            room += 2 * padded(n * m * sizeof(int32_t)) + padded(n * m * sizeof(double))
        if arena_reserve(&self.arena, room) < 0:
            return NO_MEMORY
        self.n, self.m, self.n_edges, self.m_edges = n, m, n_edges, m_edges
        self.likeness = <double *> take(&self.arena, n * m * sizeof(double))
        self.products = <float *> take(&self.arena, m * sizeof(float))
        self.row = <Best *> take(&self.arena, n * sizeof(Best))
        self.column = <Best *> take(&self.arena, m * sizeof(Best))
        self.edge_row = <Best *> take(&self.arena, n_edges * sizeof(Best))
        self.edge_column = <Best *> take(&self.arena, m_edges * sizeof(Best))
        clear(self.row, n)
        clear(self.column, m)
        clear(self.edge_row, n_edges)
        clear(self.edge_column, m_edges)
        self.with_single = single
        if single:
            self.single_row = <Best *> take(&self.arena, n * sizeof(Best))
            self.single_column = <Best *> take(&self.arena, m * sizeof(Best))
            self.between_row = <Best *> take(&self.arena, n_edges * sizeof(Best))
            self.between_column = <Best *> take(&self.arena, m_edges * sizeof(Best))
            clear(self.single_row, n)
            clear(self.single_column, m)
            clear(self.between_row, n_edges)
            clear(self.between_column, m_edges)
        if n == 0 or m == 0:
            return FINE
        rows, columns = &a.row[a.offset[i]], &b.row[b.offset[j]]
        for w in range(m if a.width == 0 else 0):
            self.products[w] = 0.0
        for v in range(n):
            line = self.likeness + v * m
            if a.width and wide:
                fm_row_avx2(&a.vector[rows[v], 0], &b.vector[0, 0], columns, m, a.width, self.products)
            elif a.width:
                fm_row_plain(&a.vector[rows[v], 0], &b.vector[0, 0], columns, m, a.width, self.products)
            label = a.label + rows[v]
            scale = &a.scale[label.kind, 0]
            for w in range(m):
                x = label_likeness(label, b.label + columns[w], setting, scale, self.products[w], &kind)
                line[w] = x
                if x > self.row[v].value:
                    self.row[v].value = x
                    self.row[v].of = <int32_t> w
                if x > self.column[w].value:
                    self.column[w].value = x
                    self.column[w].of = <int32_t> v
            since += m
            if since > PATIENCE:
                since = 0
                status = asked_to_stop(cancel)
                if status != FINE:
                    return status
        if with_edges:
            status = self.match_edges(a, b, i, j, cancel)
            if status == FINE and single:
                status = self.match_single(a, b, i, j, cancel)
            if status == FINE and single:
                status = self.match_between(a, b, i, j, cancel)
            return status
        self.bound_edges(a, a.edge_offset[i], self.edge_row, n_edges, self.row, m_edges)
        self.bound_edges(b, b.edge_offset[j], self.edge_column, m_edges, self.column, n_edges)
        return FINE

    cdef int match_edges(self, SoftSpace a, SoftSpace b, int64_t i, int64_t j, const uint8_t *cancel) noexcept nogil:
        """Best matches of edges, from the likeness of their ends. FINE, CANCELLED or INTERRUPTED."""
        cdef int64_t e, f, first = a.edge_offset[i], second = b.edge_offset[j], m = self.m, since = 0
        cdef const double *from_source
        cdef const double *from_target
        cdef const int32_t *sources
        cdef const int32_t *targets
        cdef const int32_t *roles
        cdef double x, y, same = a.setting[TURNED], other = a.setting[OTHER_ROLE]
        cdef double other_turned = a.setting[TURNED] * a.setting[OTHER_ROLE]
        cdef int32_t role
        cdef bint turned
        cdef int status
        if self.n_edges == 0 or self.m_edges == 0:
            return FINE
        sources, roles, targets = &b.edge[0, second], &b.edge[1, second], &b.edge[2, second]
        for e in range(self.n_edges):
            from_source = self.likeness + a.edge[0, first + e] * m
            from_target = self.likeness + a.edge[2, first + e] * m
            role = a.edge[1, first + e]
            for f in range(self.m_edges):
                x = from_source[sources[f]] * from_target[targets[f]]
                y = from_source[targets[f]] * from_target[sources[f]]
                if roles[f] == role:
                    y *= same
                else:
                    x *= other
                    y *= other_turned
                turned = y > x
                x = y if turned else x
                keep_better(&self.edge_row[e], x, <int32_t> f, turned)
                keep_better(&self.edge_column[f], x, <int32_t> e, turned)
            since += self.m_edges
            if since > PATIENCE:
                since = 0
                status = asked_to_stop(cancel)
                if status != FINE:
                    return status
        return FINE

    cdef bint exchanged(self, const double *masses, const double *others) noexcept nogil:
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

    cdef int match_single(self, SoftSpace a, SoftSpace b, int64_t i, int64_t j, const uint8_t *cancel) noexcept nogil:
        """Match nodes one-to-one. FINE, CANCELLED or INTERRUPTED."""
        cdef const double *masses = &a.mass[a.offset[i]]
        cdef const double *others = &b.mass[b.offset[j]]
        cdef bint turned = self.exchanged(masses, others)
        cdef int32_t rows = <int32_t> (self.m if turned else self.n)
        cdef int32_t columns = <int32_t> (self.n if turned else self.m)
        cdef int32_t r, c, v, w, count = 0
        cdef int32_t *start = <int32_t *> take(&self.arena, (rows + 1) * sizeof(int32_t))
        cdef int32_t *row = <int32_t *> take(&self.arena, self.n * self.m * sizeof(int32_t))
        cdef int32_t *column = <int32_t *> take(&self.arena, self.n * self.m * sizeof(int32_t))
        cdef double *gain = <double *> take(&self.arena, self.n * self.m * sizeof(double))
        cdef double s
        cdef uint8_t never = 0
        cdef Watch watch
        cdef Assignment lap
        assignment_init(&self.arena, &lap, rows, columns)
        for r in range(rows):
            start[r] = count
            for c in range(columns):
                v, w = (c, r) if turned else (r, c)
                s = self.likeness[v * self.m + w]
                if s > 0.0:
                    row[count], column[count] = r, c
                    gain[count] = (masses[v] + others[w]) * s
                    gain[count] *= 1.0 + PREFERENCE * preferred(
                        a.label[a.row[a.offset[i] + v]].key, b.label[b.row[b.offset[j] + w]].key)
                    count += 1
        start[rows] = count
        watch.cancel = cancel if cancel != NULL else &never
        watch.seconds = INFINITY
        watch.tell = NULL
        watch.interrupted = False
        watch_begin(&watch, 0)
        lap.watch = &watch
        assignment_bind(&lap, start, row, column, gain)
        if assign(&lap) == INFINITY:
            return INTERRUPTED if watch.interrupted else CANCELLED
        for r in range(rows):
            if lap.row_match[r] < 0:
                continue
            c = column[lap.row_match[r]]
            v, w = (c, r) if turned else (r, c)
            s = self.likeness[v * self.m + w]
            self.single_row[v].value = self.single_column[w].value = s
            self.single_row[v].of, self.single_column[w].of = w, v
        return FINE

    cdef int match_between(self, SoftSpace a, SoftSpace b, int64_t i, int64_t j, const uint8_t *cancel) noexcept nogil:
        """Best matches of edges between labels that are matched one-to-one. FINE, CANCELLED or INTERRUPTED.

        Few edges of b can be the match of an edge of a, and these are found as sets of bits: of every label of a, the
        edges of b at whose source, and at whose target, stands a label that is matched with it.
        """
        cdef int64_t e, f, v, k, word, first = a.edge_offset[i], second = b.edge_offset[j], since = 0
        cdef int64_t n = self.n, m = self.m, words = words_of(self.m_edges)
        cdef int32_t *one = <int32_t *> take(&self.arena, n * sizeof(int32_t))
        cdef int32_t *two = <int32_t *> take(&self.arena, m * sizeof(int32_t))
        cdef uint64_t *keys = <uint64_t *> take(&self.arena, max(n, m) * sizeof(uint64_t))
        cdef uint64_t *leaving = <uint64_t *> take(&self.arena, m * words * sizeof(uint64_t))
        cdef uint64_t *entering = <uint64_t *> take(&self.arena, m * words * sizeof(uint64_t))
        cdef uint64_t *by_source = <uint64_t *> take(&self.arena, n * words * sizeof(uint64_t))
        cdef uint64_t *by_target = <uint64_t *> take(&self.arena, n * words * sizeof(uint64_t))
        cdef const double *from_source
        cdef const double *from_target
        cdef const int32_t *sources
        cdef const int32_t *targets
        cdef const int32_t *roles
        cdef int32_t role
        cdef int64_t source, target
        cdef uint64_t straight, crossed, rest
        cdef double x, y, same = a.setting[TURNED], other = a.setting[OTHER_ROLE]
        cdef double other_turned = a.setting[TURNED] * a.setting[OTHER_ROLE]
        cdef bint turned
        cdef int status
        if self.n_edges == 0 or self.m_edges == 0:
            return FINE
        # a label stands for the first node that bears it
        first_bearers(a.label, &a.row[a.offset[i]], n, keys, one)
        first_bearers(b.label, &b.row[b.offset[j]], m, keys, two)
        memset(leaving, 0, m * words * sizeof(uint64_t))
        memset(entering, 0, m * words * sizeof(uint64_t))
        memset(by_source, 0, n * words * sizeof(uint64_t))
        memset(by_target, 0, n * words * sizeof(uint64_t))
        sources, roles, targets = &b.edge[0, second], &b.edge[1, second], &b.edge[2, second]
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
                    k = fm_lowest(rest)
                    f = (word << 6) + k
                    rest &= rest - 1
                    x = y = 0.0
                    if (straight >> k) & 1:
                        x = from_source[sources[f]] * from_target[targets[f]]
                    if (crossed >> k) & 1:
                        y = from_source[targets[f]] * from_target[sources[f]]
                    if roles[f] == role:
                        y *= same
                    else:
                        x *= other
                        y *= other_turned
                    turned = y > x
                    x = y if turned else x
                    keep_better(&self.between_row[e], x, <int32_t> f, turned)
                    keep_better(&self.between_column[f], x, <int32_t> e, turned)
                    since += 1
            if since > PATIENCE:
                since = 0
                status = asked_to_stop(cancel)
                if status != FINE:
                    return status
        return FINE

    cdef void bound_edges(self, SoftSpace space, int64_t first, Best *edges, int64_t count, const Best *nodes,
                          int64_t others) noexcept nogil:
        """Upper bounds of the matches of edges; 0 if the other graph has none."""
        cdef int64_t e
        for e in range(count if others else 0):
            edges[e].value = nodes[space.edge[0, first + e]].value * nodes[space.edge[2, first + e]].value


cdef inline void clear(Best *best, int64_t count) noexcept nogil:
    cdef int64_t k
    for k in range(count):
        best[k].value = 0.0
        best[k].of = -1
        best[k].turned = False
