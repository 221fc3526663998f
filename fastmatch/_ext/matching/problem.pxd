from libc.stdint cimport int32_t, int64_t, uint8_t, uint16_t, uint64_t
from libc.string cimport memset

from fastmatch._ext.base.arena cimport Arena
from fastmatch._ext.base.bits cimport count_bits
from fastmatch._ext.base.search cimport Number, lower_bound, next_shared, stop_of_equals
from fastmatch._ext.matching.triples cimport TripleFeatures
from fastmatch._ext.base.watch cimport Watch


cdef enum:
    # What looking for shared groups may cost for each match that a problem may have, in groups looked at. Documents
    # whose variables are in a few sentences each cost 5 a match.
    LOOKED_AT = 100
    # What one match counts, when a problem is built, in visits of candidates and halves.
    BUILD_WORK = 3
    # Matches above which it pays to look for a map and a bound before the search. Sentences have fewer.
    FEW_MATCHES = 1_000
    # Most unary matches, and most edge-pairs, of a problem that is built.
    PROBLEM_LIMIT = 5_000_000
    # Candidates from which on rows and columns are kept in two bytes each, where that does.
    SHORT_FROM = 500_000
    # Bytes that a candidate and a half take in the problem and in the search for it, about, where gains do not fit into
    # bytes, and most for a problem.
    CANDIDATE_BYTES = 64
    HALF_BYTES = 32
    MOST_BYTES = 800_000_000


# Features of one graph: pointers into a TripleFeatures, valid as long as that object.
cdef struct GraphView:
    int32_t n_variables
    Py_ssize_t n_unary
    const int64_t *key
    const int32_t *variable
    const int32_t *unary_count
    Py_ssize_t n_relations
    const int32_t *role
    const int32_t *source
    const int32_t *target
    const int32_t *relation_count
    const int64_t *group_start        # [n_variables + 1] or NULL: variables of this graph may match any
    const int32_t *group              # variable i is in group[group_start[i]] … group[group_start[i + 1] - 1]


# The matching problem of two graphs. Candidate, gain, edge-pair and half are defined at the top of problem.pyx.
cdef struct Problem:
    # Candidate c is (row[c], col[c]): variable of A, variable of B. Candidates are sorted by row, then by col.
    int32_t n_rows
    int32_t n_cols
    int32_t n_candidates
    int32_t n_halves                  # two for each edge-pair
    int64_t n_matches                 # unary matches and edge-pairs before those of the same candidates were joined
    int32_t *row                      # NULL: they stand in row_short and col_short
    int32_t *col
    uint16_t *row_short
    uint16_t *col_short
    # Unary gain of each candidate: of most problems all of them are whole numbers up to 255 and stand in bytes, and
    # ``unary`` is NULL. So it is with the weights.
    double *unary
    uint8_t *unary_byte
    int32_t *row_start                # [n_rows + 1] row i has the candidates row_start[i] … row_start[i + 1] - 1
    # Candidate c has the halves half_start[c] … half_start[c + 1] - 1. They are sorted by the candidate at the other
    # end, so they are grouped by its row.
    int32_t *half_start               # [n_candidates + 1]
    int32_t *other                    # candidate at the other end
    int32_t *mate                     # the other half of the same edge-pair
    # Row and column of the candidate at the other end, side by side, as looking them up waits for memory. NULL where
    # weights do not fit into bytes, whose room this takes, or rows and columns not into two.
    uint16_t *ends
    double *weight                    # gain of choosing both ends, the same in both halves
    uint8_t *weight_byte
    double *unary_room                # what ``unary`` and ``weight`` are where bytes do not do
    double *weight_room


# 64 pairs of variables (i, j), *cells* in the order of (i, j): which of them are candidates, and how many are before
# them.
cdef struct Word:
    uint64_t members
    int64_t before


# Which cells are candidates: their numbers follow from it.
cdef struct Cells:
    Word *word                        # [n_words], or NULL where that would take too much memory
    int64_t n_words
    uint64_t *cell                    # the cells, in any order and some several times; after number_cells() sorted
    int64_t n_listed


# Features i … stop_i - 1 of A and j … stop_j - 1 of B that have the same key or role.
cdef struct Run:
    Py_ssize_t i
    Py_ssize_t stop_i
    Py_ssize_t j
    Py_ssize_t stop_j


cdef inline bint restricted(const GraphView *a, const GraphView *b) noexcept nogil:
    """Whether there are variables of the two graphs that may not match; see :func:`allowed`."""
    return a.group_start != NULL and b.group_start != NULL


cdef inline bint allowed(const GraphView *a, const GraphView *b, int32_t i, int32_t j) noexcept nogil:
    """Whether variable i of a and variable j of b share a group. Asked only where the graphs are ``restricted``."""
    cdef Py_ssize_t k = a.group_start[i], other = b.group_start[j]
    return next_shared(a.group, &k, a.group_start[i + 1], b.group, &other, b.group_start[j + 1])


cdef inline bint next_run(const Number *x, Py_ssize_t n, const Number *y, Py_ssize_t m, Run *run) noexcept nogil:
    """Set ``run`` to the next value that both ascending lists have, False if there is none."""
    cdef Py_ssize_t i = run.stop_i, j = run.stop_j
    if not next_shared(x, &i, n, y, &j, m):
        return False
    run.i, run.stop_i = i, stop_of_equals(x, i, n)
    run.j, run.stop_j = j, stop_of_equals(y, j, m)
    return True


cdef inline bint next_of_either(const Number *x, Py_ssize_t n, const Number *y, Py_ssize_t m, Run *run) noexcept nogil:
    """As :func:`next_run`, of the values that one of the lists has; it is empty for the other one."""
    cdef Py_ssize_t i = run.stop_i, j = run.stop_j
    run.i, run.j = i, j
    if i < n and (j == m or x[i] <= y[j]):
        run.stop_i = stop_of_equals(x, i, n)
    if j < m and (i == n or y[j] <= x[i]):
        run.stop_j = stop_of_equals(y, j, m)
    return i < n or j < m


cdef inline bint next_key(const GraphView *a, const GraphView *b, Run *run) noexcept nogil:
    """Set ``run`` to the next key that both graphs have, False if there is none; start with a run of zeros."""
    return next_run(a.key, a.n_unary, b.key, b.n_unary, run)


cdef inline bint next_role(const GraphView *a, const GraphView *b, Run *run) noexcept nogil:
    """Set ``run`` to the next role that both graphs have, False if there is none; start with a run of zeros."""
    return next_run(a.role, a.n_relations, b.role, b.n_relations, run)


cdef inline int32_t row_at(const Problem *problem, int32_t c) noexcept nogil:
    """The row of candidate ``c``."""
    return problem.row[c] if problem.row != NULL else problem.row_short[c]


cdef inline int32_t col_at(const Problem *problem, int32_t c) noexcept nogil:
    return problem.col[c] if problem.col != NULL else problem.col_short[c]


cdef inline void group_by_line(
    const Problem *problem, bint columns, const int32_t *list, int32_t n, int32_t *start, int32_t *grouped,
    int32_t *places
) noexcept nogil:
    """Group n candidates by column or by row, those of a list or, if it is NULL, the first ones.

    ``start`` [number of lines + 1]: where each line begins. ``places`` [n], if not NULL: where each one of the list
    stands.
    """
    cdef int32_t n_lines = problem.n_cols if columns else problem.n_rows, c, i, k
    memset(start, 0, (n_lines + 1) * sizeof(int32_t))
    for k in range(n):
        c = list[k] if list != NULL else k
        start[col_at(problem, c) if columns else row_at(problem, c)] += 1
    for i in range(n_lines):
        start[i + 1] += start[i]
    for k in range(n - 1, -1, -1):    # from the end of each line's stretch to its start
        c = list[k] if list != NULL else k
        i = col_at(problem, c) if columns else row_at(problem, c)
        start[i] -= 1
        grouped[start[i]] = c
        if places != NULL:
            places[k] = start[i]


cdef inline int32_t end_row(const Problem *problem, int32_t h) noexcept nogil:
    """The row of the candidate at the other end of half ``h``."""
    return problem.ends[2 * <size_t> h] if problem.ends != NULL else row_at(problem, problem.other[h])


cdef inline int32_t end_col(const Problem *problem, int32_t h) noexcept nogil:
    return problem.ends[2 * <size_t> h + 1] if problem.ends != NULL else col_at(problem, problem.other[h])


cdef inline double unary_gain(const Problem *problem, int32_t c) noexcept nogil:
    return problem.unary_byte[c] if problem.unary == NULL else problem.unary[c]


cdef inline double weight_of(const Problem *problem, int32_t h) noexcept nogil:
    """The weight of the edge-pair of half ``h``."""
    return problem.weight_byte[h] if problem.weight == NULL else problem.weight[h]


cdef inline void put_unary(Problem *problem, int32_t c, double gain) noexcept nogil:
    if problem.unary == NULL:
        problem.unary_byte[c] = <uint8_t> gain
    else:
        problem.unary[c] = gain


cdef inline void put_weight(Problem *problem, int32_t h, double weight) noexcept nogil:
    if problem.weight == NULL:
        problem.weight_byte[h] = <uint8_t> weight
    else:
        problem.weight[h] = weight


cdef inline void use_bytes(Problem *problem, bint unary, bint weight) noexcept nogil:
    """Say whether unary gains, and weights, are put into bytes; before the first one is."""
    problem.unary = NULL if unary else problem.unary_room
    problem.weight = NULL if weight else problem.weight_room


cdef inline bint fits(double gain) noexcept nogil:
    """Whether a gain, which is not negative, fits into a byte."""
    return gain < 256.0 and gain == <double> <uint8_t> gain


cdef inline int32_t find_candidate(const Problem *problem, int32_t i, int32_t j) noexcept nogil:
    """Number of the candidate (i, j), or -1."""
    cdef Py_ssize_t start = problem.row_start[i], stop = problem.row_start[i + 1]
    # A row's columns ascend: at most j stand before column j, and so in a full row it is where it would be counted.
    cdef Py_ssize_t c = max(start, stop - problem.n_cols + j), end = min(stop, start + j)
    if problem.col != NULL:
        c = lower_bound(problem.col, c, end, j)
    else:
        c = lower_bound(problem.col_short, c, end, <uint16_t> j)
    return <int32_t> c if c < stop and col_at(problem, <int32_t> c) == j else -1


cdef inline void mark_cell(Cells *cells, int64_t cell) noexcept nogil:
    """Make a cell a candidate, if it is none."""
    if cells.word != NULL:
        cells.word[cell >> 6].members |= <uint64_t> 1 << (cell & 63)
    else:
        cells.cell[cells.n_listed] = cell
        cells.n_listed += 1


cdef inline bint marked(const Cells *cells, int64_t cell) noexcept nogil:
    """Whether a cell is a candidate, where there is a table."""
    return cells.word[cell >> 6].members >> (cell & 63) & 1


cdef inline void mark_later(Cells *cells, int64_t cell) noexcept nogil:
    """Note, in a table, that a cell is to become a candidate: where numbers will stand."""
    cells.word[cell >> 6].before |= <int64_t> (<uint64_t> 1 << (cell & 63))


cdef inline int32_t number_of(const Cells *cells, int64_t cell) noexcept nogil:
    """Number of the candidate in a cell, or -1."""
    cdef uint64_t bit, members
    cdef Py_ssize_t c
    if cells.word != NULL:
        bit, members = <uint64_t> 1 << (cell & 63), cells.word[cell >> 6].members
        if not members & bit:
            return -1
        return <int32_t> cells.word[cell >> 6].before + count_bits(members & (bit - 1))
    c = lower_bound(cells.cell, 0, cells.n_listed, <uint64_t> cell)
    return <int32_t> c if c < cells.n_listed and cells.cell[c] == <uint64_t> cell else -1


cdef inline void put_edge(Problem *problem, double *gains, Py_ssize_t k, int32_t c, int32_t d,
                          double gain) noexcept nogil:
    """Note edge-pair k, of two candidates that differ, for :func:`join_halves`."""
    problem.other[2 * k], problem.other[2 * k + 1] = c, d
    if gains != NULL:
        gains[k] = gain


cdef inline double joint_gain(const Problem *problem, int32_t c, int32_t d) noexcept nogil:
    """Weight of the edge-pair of two candidates, 0 if they have none."""
    cdef Py_ssize_t h, stop
    if problem.half_start[c + 1] - problem.half_start[c] > problem.half_start[d + 1] - problem.half_start[d]:
        c, d = d, c
    stop = problem.half_start[c + 1]
    h = lower_bound(problem.other, problem.half_start[c], stop, d)
    return weight_of(problem, <int32_t> h) if h < stop and problem.other[h] == d else 0.0


cdef void view_graph(GraphView *view, TripleFeatures features, Py_ssize_t g) noexcept nogil
cdef Py_ssize_t find_unary(const GraphView *view, int64_t key, int32_t variable) noexcept nogil
cdef Py_ssize_t find_relation(const GraphView *view, int32_t role, int32_t source, int32_t target) noexcept nogil
cdef inline bint unlimited(int64_t work) noexcept nogil:
    return work >= <int64_t> 1 << 62


cdef inline bint too_many(int64_t n_candidates, int64_t n_halves) noexcept nogil:
    """Whether the search for such a problem would take too much memory."""
    return CANDIDATE_BYTES * n_candidates + HALF_BYTES * n_halves > MOST_BYTES


cdef int64_t allowance(int64_t work, const GraphView *a, const GraphView *b, bint whole) noexcept nogil
cdef bint takes_too_long(const GraphView *a, const GraphView *b, const Watch *watch) noexcept nogil
cdef int64_t largest_problem(int64_t work) noexcept nogil
cdef void count_matches(const GraphView *a, const GraphView *b, int64_t *n_unary, int64_t *n_edges) noexcept nogil
cdef int count_allowed(const GraphView *a, const GraphView *b, int64_t limit, int64_t *n_unary,
                       int64_t *n_edges) noexcept nogil
cdef int problem_init(Arena *arena, Problem *problem, int32_t n_rows, int32_t n_cols, int64_t n_candidates,
                      int64_t n_halves, size_t extra) noexcept nogil
cdef int64_t number_cells(Cells *cells) noexcept nogil
cdef void place_candidates(Problem *problem, const Cells *cells, int64_t n_candidates) noexcept nogil
cdef void find_mates(Problem *problem, int32_t *fill) noexcept nogil
cdef void join_halves(Problem *problem, int32_t n_edges, double *gains, int32_t *fill) noexcept nogil
cdef int build(Arena *arena, Arena *spare, const GraphView *a, const GraphView *b, int64_t limit,
               Problem *problem, bint thin=*) noexcept nogil
cdef tuple problem_arrays(const Problem *problem, bint whole)
