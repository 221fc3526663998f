"""Cuts: inequalities that lower the bound of the relaxation below its own optimum.

The best bound of the relaxation (relaxation.pyx) is the value of a linear program. In its solutions some candidates and
edge-pairs are chosen by half, and for documents of a thousand variables the sum of many such halves is a few triples
above the best map. An example, as documents have many: a variable of A has the concept of one variable of B, and a
relation to match at another, while a neighbour of it has a relation that could match at the first. Each of the three
can be had by half at the same time, for 3/2 triples; but only one of them can be had.

An *element* is a candidate or an edge-pair; it maps one or two variables. Two elements *conflict* if they map the same
variable to two, or two variables to the same. Of elements that conflict with each other, a *clique*, at most one can be
chosen. A *cut* says so. Its *price* >= 0 is taken off the gain of every member, half of it from each half of an
edge-pair, and added to the bound once: a map that keeps to the cut loses at most what is added. The prices are found
along with the split of weights, by the same steps (relax and cut, Lucena 2005, Non delayed relax-and-cut algorithms).

Cliques are found greedily among the elements that recent rounds chose now and then. 23 of them closed a gap of 2.5
triples (document of 930 variables, 1,567 triples).
"""

from libc.stdint cimport int32_t, int64_t, uint64_t
from libc.string cimport memcpy, memset

from fastmatch._ext.base.arena cimport PADDING, Arena, arena_reserve, doubles, ints, take, take_zeros
from fastmatch._ext.base.bits cimport fm_first_bit, set_bit
from fastmatch._ext.base.status cimport FINE, NO_MEMORY
from fastmatch._ext.matching.problem cimport Problem, col_at, row_at

cdef double MEMORY = 0.98             # weight of a round against the next
cdef double DOUBTFUL = 0.06           # share of the rounds that an element in doubt was chosen in, and was not
cdef double VIOLATED = 1.06           # sum of the shares of a clique's members that makes it a cut
cdef enum:
    MAX_ELEMENTS = 1500
    WORDS = (MAX_ELEMENTS + 63) // 64     # of a set of elements, 64 members each
    PARTNERS = 6                      # cliques tried from each element
    SHARED = 3                        # new cuts that an element may be in at a time


cdef struct Element:
    int32_t key                       # as in Cuts.member
    int32_t row                       # maps row to col,
    int32_t col
    int32_t row_too                   # and these; the same again for a candidate
    int32_t col_too
    int32_t n_cuts
    double share


cdef int cuts_init(Arena *arena, Cuts *cuts, const Problem *p) noexcept nogil:
    """No cuts yet. Empties ``arena``; FINE or NO_MEMORY."""
    if arena_reserve(
        arena,
        MAX_CUTS * ((1 + MAX_MEMBERS) * sizeof(int32_t) + 3 * sizeof(double) + sizeof(uint64_t)) + sizeof(int32_t)
        + MAX_ELEMENTS * WORDS * sizeof(uint64_t) + (2 * <size_t> p.n_candidates + p.n_halves) * sizeof(double)
        + 10 * PADDING,
    ) < 0:
        return NO_MEMORY
    cuts.problem = p
    cuts.n = 0
    cuts.start = ints(arena, MAX_CUTS + 1)
    cuts.member = ints(arena, MAX_CUTS * MAX_MEMBERS)
    cuts.price, cuts.kept = doubles(arena, MAX_CUTS), doubles(arena, MAX_CUTS)
    cuts.direction = doubles(arena, MAX_CUTS)
    cuts.hash = <uint64_t *> take(arena, MAX_CUTS * sizeof(uint64_t))
    cuts.conflicts = <uint64_t *> take(arena, MAX_ELEMENTS * WORDS * sizeof(uint64_t))
    cuts.chosen = <double *> take_zeros(arena, p.n_candidates * sizeof(double))
    cuts.used = <double *> take_zeros(arena, p.n_halves * sizeof(double))
    cuts.unary = doubles(arena, p.n_candidates)
    cuts.start[0] = 0
    cuts.total = cuts.rounds = 0.0
    cuts.weight = 1.0
    return FINE


cdef void remember(Cuts *cuts) noexcept nogil:
    """A round is over, whose choices were added to ``chosen`` and ``used`` with ``weight``."""
    cdef int32_t c
    cuts.rounds += cuts.weight
    cuts.weight /= MEMORY
    if cuts.weight < 1e100:
        return
    cdef double least = 1.0 / cuts.weight
    for c in range(cuts.problem.n_candidates):
        cuts.chosen[c] *= least
    for c in range(cuts.problem.n_halves):
        cuts.used[c] *= least
    cuts.rounds *= least
    cuts.weight = 1.0


cdef inline bint clash(int32_t i, int32_t j, int32_t to_i, int32_t to_j) noexcept nogil:
    return (i == j) != (to_i == to_j)


cdef inline bint conflict(const Element *e, const Element *f) noexcept nogil:
    return (clash(e.row, f.row, e.col, f.col) or clash(e.row, f.row_too, e.col, f.col_too)
            or clash(e.row_too, f.row, e.col_too, f.col) or clash(e.row_too, f.row_too, e.col_too, f.col_too))


cdef int32_t insert(Element *element, int32_t n, int32_t key, const Problem *p, int32_t c, int32_t d,
                    double share) noexcept nogil:
    """Insert an element in order of shares; of too many those with the smallest are lost. Returns their number."""
    if n == MAX_ELEMENTS:
        if element[n - 1].share >= share:
            return n
        n -= 1
    cdef int32_t k = n
    while k > 0 and element[k - 1].share < share:
        element[k] = element[k - 1]
        k -= 1
    element[k].key, element[k].share, element[k].n_cuts = key, share, 0
    element[k].row, element[k].col = row_at(p, c), col_at(p, c)
    element[k].row_too, element[k].col_too = row_at(p, d), col_at(p, d)
    return n + 1


cdef inline int32_t first_member(const uint64_t *members) noexcept nogil:
    """The smallest member of a set of elements, or -1."""
    cdef int k
    for k in range(WORDS):
        if members[k]:
            return 64 * k + fm_first_bit(members[k])
    return -1


cdef bint known(const Cuts *cuts, uint64_t hash) noexcept nogil:
    cdef int32_t k
    for k in range(cuts.n):
        if cuts.hash[k] == hash:
            return True
    return False


cdef int32_t separate(Cuts *cuts, int64_t *work) noexcept nogil:
    """Look for cuts that recent rounds break, with price 0; returns how many are new.

    ``work`` grows by the visits of candidates and halves, and of elements.
    """
    cdef const Problem *p = cuts.problem
    cdef Element[MAX_ELEMENTS] element
    cdef int32_t[MAX_MEMBERS] clique
    cdef uint64_t[WORDS] partners     # of e that are still to be tried
    cdef uint64_t[WORDS] joining      # elements that conflict with all of the clique
    cdef int32_t c, e, f, g, h, k, n = 0, n_clique, _tried, found = 0
    cdef double share, total, scale = 1.0 / cuts.rounds
    cdef uint64_t hash
    cdef bint fits
    for c in range(p.n_candidates):
        share = cuts.chosen[c] * scale
        if DOUBTFUL < share < 1.0 - DOUBTFUL:
            n = insert(element, n, c, p, c, c, share)
        for h in range(p.half_start[c], p.half_start[c + 1]):
            if p.mate[h] > h:
                share = 0.5 * (cuts.used[h] + cuts.used[p.mate[h]]) * scale
                if DOUBTFUL < share < 1.0 - DOUBTFUL:
                    n = insert(element, n, p.n_candidates + h, p, c, p.other[h], share)
    work[0] += p.n_candidates + p.n_halves
    memset(cuts.conflicts, 0, n * WORDS * sizeof(uint64_t))
    for e in range(n):
        for f in range(e):
            if conflict(&element[e], &element[f]):
                set_bit(cuts.conflicts + e * WORDS, f, True)
                set_bit(cuts.conflicts + f * WORDS, e, True)
    for e in range(n):
        memcpy(partners, cuts.conflicts + e * WORDS, sizeof(partners))
        for _tried in range(PARTNERS):
            f = first_member(partners)
            if f < 0 or cuts.n == MAX_CUTS:
                break
            set_bit(partners, f, False)
            memcpy(joining, cuts.conflicts + e * WORDS, sizeof(joining))
            clique[0], g, n_clique = e, f, 1
            total = element[e].share
            while g >= 0 and n_clique < MAX_MEMBERS:
                clique[n_clique] = g
                n_clique += 1
                total += element[g].share
                for k in range(WORDS):
                    joining[k] &= cuts.conflicts[g * WORDS + k]
                g = first_member(joining)
            work[0] += n
            if total < VIOLATED:
                continue
            hash, fits = 0, True
            for k in range(n_clique):
                # in any order: a sum of mixed keys
                hash += (<uint64_t> element[clique[k]].key + 1) * <uint64_t> 0x9E3779B97F4A7C15 ^ (
                    (<uint64_t> element[clique[k]].key + 1) * <uint64_t> 0xC2B2AE3D27D4EB4F >> 29)
                fits = fits and element[clique[k]].n_cuts < SHARED
            if not fits or known(cuts, hash):
                continue
            for k in range(n_clique):
                element[clique[k]].n_cuts += 1
                cuts.member[cuts.start[cuts.n] + k] = element[clique[k]].key
            cuts.start[cuts.n + 1] = cuts.start[cuts.n] + n_clique
            cuts.price[cuts.n] = cuts.direction[cuts.n] = 0.0
            cuts.hash[cuts.n] = hash
            cuts.n += 1
            found += 1
        work[0] += n
    return found
