"""Smatch's hill-climbing on the sparse matching problem, with gains that are updated and not computed anew.

Candidates, gains, edge-pairs and weights are defined at the top of problem.pyx. A climb starts at a one-to-one map and
evaluates its *neighbours*, the maps that differ by one move or swap. A *move* maps variable i of A to another variable
of B, a candidate of i that no variable is mapped to. A *swap* exchanges the images of i and k (one of them may have
none). The climb goes to the best neighbour and stops where none is better. There are several starts, and the first of
the best results is kept.

The neighbours, the order of evaluation (moves before swaps, then by index, strictly greater wins) and the starts are
those of smatch 1.0.4 (Cai and Knight 2013). Three things differ:

* Candidates are in ascending order and random numbers come from SplitMix64. In smatch 1.0.4 they come in the order of
  Python's sets and from Python's generator.
* The first start looks for concepts that are equal as compared, since features hold no others. In smatch 1.0.4 it looks
  for concepts that are equal as written.
* Random draws in smatch 1.0.4 may hit a pair of variables that could only match a self-loop with a relation between two
  variables. Such a pair adds nothing and is no candidate here.

The *support* of candidate c = (i, j) is what choosing it adds to the map as it stands: its unary gain and the weights
of its edge-pairs with other chosen candidates. It is kept for all candidates, and a step changes it only along the
edge-pairs of the two to four candidates that are chosen or dropped. The gain of a neighbour is a sum of a few numbers:

    move i: p -> j      support(i,j) - support(i,p)
    swap i: p, k: q     support(i,q) + support(k,p) - support(i,p) - support(k,q)
                        + weight of (i,q)-(k,p)        both are chosen, and neither support has it yet
                        + weight of (i,p)-(k,q)        both are dropped, and both supports had it

where a pair that is no candidate has support 0. A swap can have a positive gain only if (i,q) or (k,p) is a candidate,
and a move only if (i,j) is one. So each neighbour that can be better *belongs* to a candidate; a swap for which both
are candidates belongs to the one of the smaller row.

A sentence has a few dozen candidates, and there it is fastest to compute all gains at each step. A document has
hundreds of thousands. There each candidate's gain and each row's best gain are kept. A step can change the gains in
rows whose chosen candidate has a new support, in the columns that these rows are mapped to, in the column that became
free, and of candidates whose own support changed. At 1,350 variables this is 100 times as fast as computing all.
"""

from libc.stdint cimport int32_t, int64_t, uint8_t, uint64_t
from libc.string cimport memset

from fastmatch._ext.base.arena cimport PADDING, Arena, arena_reserve, doubles, ints, take
from fastmatch._ext.base.interrupt cimport interrupted
from fastmatch._ext.base.random cimport draw_below, stream
from fastmatch._ext.base.status cimport CANCELLED, FINE, INTERRUPTED, NO_MEMORY
from fastmatch._ext.matching.problem cimport (
    GraphView, Problem, col_at, find_candidate, group_by_line, joint_gain, row_at, unary_gain, weight_of,
)

cdef enum:
    # Up to this many cells (i, j), candidates are found in a table, 64 MB of int32, and else by a search in the row.
    TABLE_CELLS = 1 << 24
    # Gains computed between two checks whether to stop: some 0.3 s.
    GAINS_UNTIL_LOOK = 1 << 23


cdef struct Climber:
    const Problem *problem
    int32_t *table                    # candidate of (i, j) at i * n_cols + j, or -1; NULL if there would be too many
    int64_t *concept_a                # key of a variable's concept, -1 without one
    int64_t *concept_b
    int32_t *pool                     # variables of B that a row can still draw
    # The map. After a swap, (i, image[i]) need not be a candidate; then chosen[i] is -1.
    int32_t *image                    # variable of B, or -1
    int32_t *owner                    # inverse of image: variable of A, or -1
    int32_t *chosen                   # candidate (i, image[i]), or -1
    double *support                   # [n_candidates]
    # Only used with many candidates:
    double *gain                      # gain of the neighbour that belongs to a candidate
    double *row_gain                  # best gain of a row, 0 if none is positive
    int32_t *row_best                 # its candidate
    int64_t *row_order                # its place in the order of evaluation
    int32_t *column_start             # candidates by column
    int32_t *column
    int32_t *dirty                    # rows whose gains must be computed again, each once
    int32_t n_dirty
    int32_t *dirty_step               # the step at which a row was last added to dirty
    int32_t step
    uint8_t *stale                    # rows whose best gain must be looked for again
    const uint8_t *cancel             # set to 1 by another thread to stop soon
    int64_t gains                     # computed since the last check whether to stop
    int status


cdef void take_concepts(int64_t *concept, const GraphView *view) noexcept nogil:
    """The instance key of each variable, the smallest if it has several. Instance keys are those below 2**32."""
    cdef Py_ssize_t k
    memset(concept, 0xFF, view.n_variables * sizeof(int64_t))
    for k in range(view.n_unary):
        if view.key[k] >> 32:
            return
        if concept[view.variable[k]] < 0:
            concept[view.variable[k]] = view.key[k]


cdef int climber_init(
    Climber *self, Arena *arena, const GraphView *a, const GraphView *b, const Problem *problem, bint few
) noexcept nogil:
    cdef int32_t n = problem.n_rows, m = problem.n_cols, n_candidates = problem.n_candidates, c
    cdef int64_t cells = <int64_t> n * m
    cdef size_t size = n_candidates * sizeof(double) + (<size_t> n + m) * (sizeof(int64_t) + 2 * sizeof(int32_t))
    if cells <= TABLE_CELLS:
        size += cells * sizeof(int32_t)
    if not few:
        size += (n_candidates * (sizeof(double) + sizeof(int32_t)) + (m + 1) * sizeof(int32_t)
                 + n * (sizeof(double) + sizeof(int64_t) + 3 * sizeof(int32_t) + 1))
    if arena_reserve(arena, size + 17 * PADDING) < 0:
        return NO_MEMORY
    self.problem = problem
    self.support = doubles(arena, n_candidates)
    self.concept_a = <int64_t *> take(arena, n * sizeof(int64_t))
    self.concept_b = <int64_t *> take(arena, m * sizeof(int64_t))
    self.image, self.chosen = ints(arena, n), ints(arena, n)
    self.owner, self.pool = ints(arena, m), ints(arena, m)
    take_concepts(self.concept_a, a)
    take_concepts(self.concept_b, b)
    self.table = NULL
    if cells <= TABLE_CELLS:
        self.table = ints(arena, cells)
        memset(self.table, 0xFF, cells * sizeof(int32_t))
        for c in range(n_candidates):
            self.table[<int64_t> row_at(problem, c) * m + col_at(problem, c)] = c
    if few:
        return FINE
    self.gain = doubles(arena, n_candidates)
    self.column = ints(arena, n_candidates)
    self.row_gain = doubles(arena, n)
    self.row_order = <int64_t *> take(arena, n * sizeof(int64_t))
    self.row_best, self.dirty, self.dirty_step = ints(arena, n), ints(arena, n), ints(arena, n)
    self.stale = <uint8_t *> take(arena, n)
    self.column_start = ints(arena, m + 1)
    group_by_line(problem, True, NULL, n_candidates, self.column_start, self.column, NULL)
    return FINE


cdef inline int32_t find(const Climber *self, int32_t i, int32_t j) noexcept nogil:
    """Candidate (i, j), or -1."""
    if self.table != NULL:
        return self.table[<int64_t> i * self.problem.n_cols + j]
    return find_candidate(self.problem, i, j)


cdef inline double gain_of(const Climber *self, int32_t c) noexcept nogil:
    """Gain of the move or swap that belongs to candidate ``c``.

    0 if ``c`` is chosen, or if the swap belongs to the candidate of a smaller row. Only gains above 0 are taken.
    """
    cdef const Problem *problem = self.problem
    cdef int32_t i = row_at(problem, c), k = self.owner[col_at(problem, c)], old = self.chosen[i], old_k, d
    cdef double gain = self.support[c]
    if k == i:
        return 0
    if old >= 0:
        gain -= self.support[old]
    if k < 0:
        return gain
    old_k = self.chosen[k]
    if old_k >= 0:
        gain -= self.support[old_k]
    if self.image[i] >= 0 and (d := find(self, k, self.image[i])) >= 0:
        if k < i:
            return 0
        gain += self.support[d] + joint_gain(problem, c, d)
    if old >= 0 and old_k >= 0:
        gain += joint_gain(problem, old, old_k)
    return gain


cdef inline int64_t order_of(const Climber *self, int32_t c) noexcept nogil:
    """Key of a candidate's neighbour in the order of evaluation: moves by (i, j), then swaps by (i, k), i < k."""
    cdef int64_t i = row_at(self.problem, c), k = self.owner[col_at(self.problem, c)]
    if k < 0:
        return c
    return (<int64_t> 1 << 62) | (min(i, k) << 31) | max(i, k)


cdef inline void mark(Climber *self, int32_t i) noexcept nogil:
    if self.dirty_step[i] != self.step:
        self.dirty_step[i] = self.step
        self.dirty[self.n_dirty] = i
        self.n_dirty += 1


cdef inline void toggle(Climber *self, int32_t c, double sign) noexcept nogil:
    """Add (sign 1) or subtract (-1) the weights of ``c`` in the supports of the candidates it has edge-pairs with."""
    cdef const Problem *problem = self.problem
    cdef int32_t h
    for h in range(problem.half_start[c], problem.half_start[c + 1]):
        self.support[problem.other[h]] += sign * weight_of(problem, h)


cdef inline void assign(Climber *self, int32_t i, int32_t j) noexcept nogil:
    """Map the unmapped ``i`` to the free ``j``, before the supports are known."""
    self.image[i] = j
    self.owner[j] = i
    self.chosen[i] = find(self, i, j)


# Starts


cdef void assign_drawn(Climber *self, int32_t i, uint64_t *state) noexcept nogil:
    """Draw from the candidates of ``i``, without replacement, until one is free."""
    cdef const Problem *problem = self.problem
    cdef int32_t start = problem.row_start[i], left = problem.row_start[i + 1] - start, at, j
    for at in range(left):
        self.pool[at] = col_at(problem, start + at)
    while left > 0:
        at = draw_below(state, left)
        j = self.pool[at]
        if self.owner[j] < 0:
            assign(self, i, j)
            return
        left -= 1
        self.pool[at] = self.pool[left]


cdef void begin(Climber *self, bint smart, uint64_t state) noexcept nogil:
    cdef const Problem *problem = self.problem
    cdef int32_t i, c
    memset(self.image, 0xFF, problem.n_rows * sizeof(int32_t))
    memset(self.chosen, 0xFF, problem.n_rows * sizeof(int32_t))
    memset(self.owner, 0xFF, problem.n_cols * sizeof(int32_t))
    if smart:
        for i in range(problem.n_rows):
            if self.concept_a[i] < 0:
                continue
            for c in range(problem.row_start[i], problem.row_start[i + 1]):
                if self.concept_b[col_at(problem, c)] == self.concept_a[i] and self.owner[col_at(problem, c)] < 0:
                    assign(self, i, col_at(problem, c))
                    break
    for i in range(problem.n_rows):
        if self.image[i] < 0:
            assign_drawn(self, i, &state)
    for c in range(problem.n_candidates):
        self.support[c] = unary_gain(problem, c)
    for i in range(problem.n_rows):
        if self.chosen[i] >= 0:
            toggle(self, self.chosen[i], 1)


# Steps


cdef inline bint stopped(Climber *self, int64_t gains) noexcept nogil:
    """Count computed gains, and check now and then whether to stop."""
    self.gains += gains
    if self.gains < GAINS_UNTIL_LOOK:
        return False
    self.gains = 0
    if self.cancel[0]:
        self.status = CANCELLED
    elif interrupted():
        self.status = INTERRUPTED
    return self.status != FINE


cdef void take_step(Climber *self, int32_t c) noexcept nogil:
    """Make the move or swap that belongs to candidate ``c``."""
    cdef int32_t i = row_at(self.problem, c), j = col_at(self.problem, c), p = self.image[i], k = self.owner[j]
    if self.chosen[i] >= 0:
        toggle(self, self.chosen[i], -1)
    if p >= 0:
        self.owner[p] = k
    if k >= 0:
        if self.chosen[k] >= 0:
            toggle(self, self.chosen[k], -1)
        self.image[k] = p
        self.chosen[k] = find(self, k, p) if p >= 0 else -1
        if self.chosen[k] >= 0:
            toggle(self, self.chosen[k], 1)
    self.image[i] = j
    self.owner[j] = i
    self.chosen[i] = c
    toggle(self, c, 1)


cdef void ascend_few(Climber *self) noexcept nogil:
    """Climb to a local optimum; every step computes all gains."""
    cdef int32_t c, best
    cdef double gain, best_gain
    cdef int64_t order, best_order = 0
    while True:
        best, best_gain = -1, 0
        for c in range(self.problem.n_candidates):
            gain = gain_of(self, c)
            if gain > best_gain:
                best, best_gain, best_order = c, gain, order_of(self, c)
            elif gain == best_gain and best >= 0 and (order := order_of(self, c)) < best_order:
                best, best_order = c, order
        if best < 0 or stopped(self, self.problem.n_candidates):
            return
        take_step(self, best)


cdef void rescan(Climber *self, int32_t i) noexcept nogil:
    """Look for the best of the kept gains of a row."""
    cdef int32_t c
    cdef double best_gain = 0
    cdef int64_t order, best_order = 0
    self.row_best[i] = -1
    for c in range(self.problem.row_start[i], self.problem.row_start[i + 1]):
        if self.gain[c] > best_gain:
            best_gain, best_order, self.row_best[i] = self.gain[c], order_of(self, c), c
        elif self.gain[c] == best_gain and best_gain > 0 and (order := order_of(self, c)) < best_order:
            best_order, self.row_best[i] = order, c
    self.row_gain[i], self.row_order[i] = best_gain, best_order
    self.stale[i] = False


cdef inline void refresh(Climber *self, int32_t c) noexcept nogil:
    """Compute the gain of one candidate again and update the best gain of its row."""
    cdef int32_t i = row_at(self.problem, c)
    cdef double gain = gain_of(self, c)
    cdef int64_t order
    self.gain[c] = gain
    if gain < self.row_gain[i]:
        if c == self.row_best[i]:
            self.stale[i] = True
    elif gain > 0:
        order = order_of(self, c)
        if gain > self.row_gain[i] or order < self.row_order[i]:
            self.row_gain[i], self.row_order[i], self.row_best[i] = gain, order, c
        elif c == self.row_best[i] and order > self.row_order[i]:
            self.stale[i] = True


cdef void mark_around(Climber *self, int32_t c) noexcept nogil:
    """Mark the rows whose chosen candidate has an edge-pair with ``c``, so that its support has changed."""
    cdef const Problem *problem = self.problem
    cdef int32_t h, d
    for h in range(problem.half_start[c], problem.half_start[c + 1]):
        d = problem.other[h]
        if self.chosen[row_at(problem, d)] == d:
            mark(self, row_at(problem, d))


cdef void refresh_around(Climber *self, int32_t c) noexcept nogil:
    """Refresh the candidates that have an edge-pair with ``c``, and those that share a swap with them."""
    cdef const Problem *problem = self.problem
    cdef int32_t h, d, i, k
    for h in range(problem.half_start[c], problem.half_start[c + 1]):
        d = problem.other[h]
        i, k = row_at(problem, d), self.owner[col_at(problem, d)]
        if self.dirty_step[i] == self.step:
            continue    # the whole row, and the column that it is mapped to, have been computed again
        refresh(self, d)
        if k >= 0 and self.image[i] >= 0 and (d := find(self, k, self.image[i])) >= 0:
            refresh(self, d)


cdef void ascend_many(Climber *self) noexcept nogil:
    """Climb to a local optimum; every step computes only the gains that the last step may have changed."""
    cdef const Problem *problem = self.problem
    cdef int32_t n = problem.n_rows, i, j, k, c, best, freed, t, h
    cdef int32_t[4] changed           # candidates that are chosen no more, or now, or -1
    cdef double best_gain
    cdef int64_t n_gains = problem.n_candidates
    for c in range(problem.n_candidates):
        self.gain[c] = gain_of(self, c)
    for i in range(n):
        rescan(self, i)
    memset(self.dirty_step, 0, n * sizeof(int32_t))
    self.step = 0
    while True:
        best = -1
        best_gain = 0
        for i in range(n):
            if self.row_gain[i] > best_gain or (best >= 0 and self.row_gain[i] == best_gain
                                                and self.row_order[i] < self.row_order[row_at(problem, best)]):
                best, best_gain = self.row_best[i], self.row_gain[i]
        if best < 0 or stopped(self, n_gains + n):
            return
        n_gains = 0
        i = row_at(problem, best)
        freed = self.image[i]
        k = self.owner[col_at(problem, best)]
        changed[0], changed[1] = self.chosen[i], self.chosen[k] if k >= 0 else -1
        take_step(self, best)
        changed[2], changed[3] = best, self.chosen[k] if k >= 0 else -1

        self.step += 1
        self.n_dirty = 0
        mark(self, i)
        if k >= 0:
            mark(self, k)
        for t in range(4):
            if changed[t] >= 0:
                mark_around(self, changed[t])
        for t in range(self.n_dirty):
            i = self.dirty[t]
            for c in range(problem.row_start[i], problem.row_start[i + 1]):
                self.gain[c] = gain_of(self, c)
            n_gains += problem.row_start[i + 1] - problem.row_start[i]
            self.stale[i] = True
        for t in range(self.n_dirty):
            j = self.image[self.dirty[t]]
            if j >= 0:
                for h in range(self.column_start[j], self.column_start[j + 1]):
                    refresh(self, self.column[h])
                n_gains += self.column_start[j + 1] - self.column_start[j]
        if freed >= 0:
            for h in range(self.column_start[freed], self.column_start[freed + 1]):
                refresh(self, self.column[h])
        for t in range(4):
            if changed[t] >= 0:
                refresh_around(self, changed[t])
        for i in range(n):
            if self.stale[i]:
                rescan(self, i)


cdef int climb(
    Arena *arena, const GraphView *a, const GraphView *b, const Problem *problem, int32_t first, int32_t restarts,
    uint64_t seed, uint64_t pair, int32_t few, const uint8_t *cancel, double *matched, int32_t *mapping
) noexcept nogil:
    """The best map of the starts ``first … restarts``: start 0 maps equal concepts, the others are random.

    Parameters
    ----------
    arena : Arena
        Emptied first. Must not be the one that holds ``problem``.
    first, restarts : int32, 0 <= first <= restarts
    seed, pair : uint64
        With the number of the start, they determine every random choice.
    few : int32
        With fewer candidates than this, every step computes all gains. It changes the time, not the result.
    cancel : uint8[1]
        Checked a few times a second; not 0 stops the climb.
    matched : double[1]
        Receives the sum of the gains of the map.
    mapping : int32[n_rows] or NULL
        Receives for each variable of A a variable of B, or -1, also where the two have no part in a match.

    Returns
    -------
    FINE, NO_MEMORY, CANCELLED or INTERRUPTED. Unless it is FINE, ``mapping`` need not hold the best map.
    """
    cdef Climber self
    cdef int32_t start, i, c, n = problem.n_rows
    cdef double value, best = 0
    if mapping != NULL:
        memset(mapping, 0xFF, n * sizeof(int32_t))
    if problem.n_candidates == 0:
        matched[0] = 0
        return FINE
    if climber_init(&self, arena, a, b, problem, problem.n_candidates < few) != FINE:
        return NO_MEMORY
    self.cancel = cancel
    self.gains = 0
    self.status = FINE
    for start in range(first, restarts + 1):
        begin(&self, start == 0, stream(seed, pair, start))
        if problem.n_candidates < few:
            ascend_few(&self)
        else:
            ascend_many(&self)
        if self.status != FINE:
            return self.status
        value = 0
        for i in range(n):
            c = self.chosen[i]
            if c >= 0:    # both ends of an edge-pair have its weight in their support
                value += unary_gain(problem, c) + (self.support[c] - unary_gain(problem, c)) / 2
        if value > best:
            best = value
            if mapping != NULL:
                for i in range(n):
                    c = self.chosen[i]
                    mapping[i] = self.image[i] if c >= 0 and self.support[c] > 0 else -1
    matched[0] = best
    return FINE
