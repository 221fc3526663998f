"""Dual ascent: the relaxation's bound for graphs whose variables look alike, where subgradient steps fail.

The relaxation is described at the top of relaxation.pyx. Where hundreds of variables are equal, very many assignments
are optimal, those of two rounds have nothing in common, and steps towards them lead nowhere for a long time. Dual
ascent needs no assignment as a direction. A candidate that is not chosen has *slack*: its gain may rise by its reduced
cost before the bound does. So may the profit of a half rise by its reduced cost in its local problem. Slack is given
away: a half takes it and gives as much of its weight to its mate's place.

A *sweep* visits the candidates one after the other:

* A share of the slack of each candidate is promised to its halves, in equal parts for each row of its local problem
  (of one row at most one half can be used).
* The candidate takes over the slack of the mates of its halves: they get that part of the profit, and it loses it. Then
  its local problem is solved again. Its optimum has fallen or is the same, and new reduced costs are the halves' slack.

After it, the prices of rows and columns are lowered as far as the gains allow, and after every fourth sweep the global
problem is solved. The bound never rises. These are the steps of the dual procedure of Hahn and Grant (1998, Lower
bounds for the quadratic assignment problem based upon a dual formulation) for problems that are sparse and not square,
in the order of a Gauss-Seidel iteration.

Problems with millions of candidates begin with some sweeps whatever their labels, without the global problem
(:func:`ascend_by_prices`): of two documents of 5,000 variables six sweeps lowered the bound from 8043 to 7836 in 1 s,
and six more, after new prices, to 7758.

Two trees of 250 equal variables: 481 triples after 0.3 s, where the subgradient method stood at 499 after 0.4 s and at
475 after 18 s. Documents, whose assignments soon settle, are better off with the subgradient method.
"""

from libc.math cimport INFINITY
from libc.stdint cimport int32_t, int64_t
from libc.string cimport memset

from fastmatch._ext.base.ahead cimport fm_ask
from fastmatch._ext.base.watch cimport Watch, look
from fastmatch._ext.matching.assignment cimport assign, price_sum
from fastmatch._ext.matching.problem cimport Problem, col_at, end_row, row_at, unary_gain, weight_of
from fastmatch._ext.matching.relaxation cimport (
    Relaxation, Slack, excess, gain_of, local_prices, profit_of, put_gain, put_slack, slack_of, split_weight, touch_all,
)

cdef double SHARE = 0.7               # of a candidate's slack that its halves get
cdef int64_t LOOK = 1_000_000         # visits between two looks whether the work is to end
cdef enum:
    SOLVE_EVERY = 4                   # sweeps
    AHEAD = 24                        # halves before which it is asked for what one leads to
    ASKED = 64                        # halves for each candidate, at most


cdef void promise(const Relaxation *x, Slack *slack) noexcept nogil:
    """Add a share of the candidates' slack to that of their halves."""
    cdef const Problem *p = x.problem
    cdef int32_t c, h, n_rows
    cdef double cost
    for c in range(p.n_candidates):
        if p.half_start[c] == p.half_start[c + 1]:
            continue
        cost = x.matching.alpha[row_at(p, c)] + x.matching.beta[col_at(p, c)] - gain_of(x, c)
        if cost <= 0.0:
            continue
        n_rows = 1
        for h in range(p.half_start[c] + 1, p.half_start[c + 1]):
            n_rows += end_row(p, h) != end_row(p, h - 1)
        cost *= SHARE / n_rows
        for h in range(p.half_start[c], p.half_start[c + 1]):
            put_slack(slack, h, slack_of(slack, h) + cost)


cdef void tighten(Relaxation *x, int32_t c, Slack *slack) noexcept nogil:
    """Take over the slack of the mates of a candidate's halves, and solve its local problem."""
    cdef const Problem *p = x.problem
    cdef int32_t h, mate
    cdef double part
    for h in range(p.half_start[c], p.half_start[c + 1]):
        mate = p.mate[h]
        part = min(slack_of(slack, mate), profit_of(x, h))
        if part > 0.0:
            split_weight(x, h, profit_of(x, h) - part)
            put_slack(slack, mate, slack_of(slack, mate) - part)
    put_gain(x, c, unary_gain(p, c) + local_prices(x, c, slack))


cdef void lower_prices(Relaxation *x) noexcept nogil:
    """Lower the prices of the rows, then those of the columns, as far as the gains allow."""
    cdef const Problem *p = x.problem
    cdef int32_t i, c
    cdef double *alpha = x.matching.alpha
    cdef double *beta = x.matching.beta
    memset(alpha, 0, p.n_rows * sizeof(double))
    for c in range(p.n_candidates):
        i = row_at(p, c)
        alpha[i] = max(alpha[i], gain_of(x, c) - beta[col_at(p, c)])
    memset(beta, 0, p.n_cols * sizeof(double))
    for c in range(p.n_candidates):
        i = col_at(p, c)
        beta[i] = max(beta[i], gain_of(x, c) - alpha[row_at(p, c)])
    x.halves += 2 * p.n_candidates


cdef void sweep(Relaxation *x, Slack *slack, bint backwards) noexcept nogil:
    """Take over slack at all candidates, in order or in the reverse. Afterwards ``gain`` belongs to the profits."""
    cdef const Problem *p = x.problem
    cdef int32_t k, c, h, ahead = -AHEAD if backwards else AHEAD
    for k in range(p.n_candidates):
        c = p.n_candidates - 1 - k if backwards else k
        h = p.half_start[c] + ahead
        for h in range(max(0, h), min(h + min(ASKED, p.half_start[c + 1] - p.half_start[c]), p.n_halves)):
            fm_ask(slack + p.mate[h])
            fm_ask(x.profit + p.mate[h] if x.fixed == NULL else <double *> (x.fixed + p.mate[h]))
        tighten(x, c, slack)


cdef void first_prices(Relaxation *x, Slack *slack) noexcept nogil:
    """Find gains, their halves' slack, and prices that are above them, without an assignment."""
    cdef const Problem *p = x.problem
    cdef int32_t c
    memset(x.matching.beta, 0, p.n_cols * sizeof(double))
    for c in range(p.n_candidates):
        put_gain(x, c, unary_gain(p, c) + local_prices(x, c, slack))
    lower_prices(x)
    x.halves += p.n_candidates + p.n_halves


cdef void ascend_by_prices(Relaxation *x, Slack *slack, bint backwards) noexcept nogil:
    """One sweep without an assignment: the bound is the sum of the prices. Lowers ``upper``.

    For problems with millions of candidates, of which a sweep takes a fifth of a second and an assignment seconds.
    """
    promise(x, slack)
    sweep(x, slack, backwards)
    x.halves += x.problem.n_candidates + x.problem.n_halves      # which a sweep reads in order: 14 ns each
    lower_prices(x)
    x.bound = price_sum(&x.matching)
    x.upper = min(x.upper, x.bound)


cdef void begin_ascent(Relaxation *x, Slack *slack) noexcept nogil:
    """Split the weight of every edge-pair by the numbers of halves of its two candidates.

    Where many relations meet, the local problem can use few of them, and only profit that is there makes that felt.

    Parameters
    ----------
    slack : Slack[n_halves]
        Becomes 0.
    """
    cdef const Problem *p = x.problem
    cdef int32_t c, d, h
    cdef double here, there
    for c in range(p.n_candidates):
        here = p.half_start[c + 1] - p.half_start[c]
        for h in range(p.half_start[c], p.half_start[c + 1]):
            put_slack(slack, h, 0.0)
            d = p.other[h]
            if d > c:
                there = p.half_start[d + 1] - p.half_start[d]
                split_weight(x, h, weight_of(p, h) * here / (here + there))
    touch_all(x)
    x.halves += 2 * p.n_halves


cdef bint ascend(Relaxation *x, double *slack, double worth, int64_t enough, int64_t limit,
                 Watch *watch) noexcept nogil:
    """Sweeps, until four of them lower the bound by less than ``worth``. Lowers ``upper``.

    Parameters
    ----------
    x : Relaxation
        :func:`begin_ascent` came before; between two calls there was no step.
    slack : double[n_halves]
    worth : double >= 0
    enough : int64
        Visits of candidates, halves and entries of assignments after which it ends. It may be called again then.
    limit : int64
        Visits after which it gives up.
    watch : Watch
        May end it before that; is ``over`` then.

    Returns
    -------
    Whether it pays to go on.
    """
    cdef int64_t begun = x.halves + x.matching.work + x.local.work
    cdef int64_t pause = begun + LOOK
    cdef int sweeps = 0
    cdef double bound, before = INFINITY
    x.local.limit = limit
    while x.halves + x.matching.work + x.local.work - begun < min(enough, limit):
        if x.halves > pause:
            pause = x.halves + LOOK
            if look(watch):
                return True
        sweep(x, slack, sweeps & 1)
        x.halves += 3 * (x.problem.n_candidates + x.problem.n_halves)
        if sweeps % SOLVE_EVERY:
            lower_prices(x)
        else:
            x.matching.limit = limit
            bound = assign(&x.matching)
            if bound == INFINITY:
                return True
            bound += excess(x)
            x.upper = min(x.upper, bound)
            if bound > before - worth:
                return False
            before = bound
        promise(x, slack)
        sweeps += 1
    return True
