# cython: language_level=3
"""AnCast's broadcast: being near anchors makes nodes alike.

It works on classes of nodes with equal neighbourhoods (``ancast_neighbours.pyx``). Within a block of two classes all
values but those of anchors are equal, so a block is one number, and its sum over the block's cells

    (cells − anchors) · value + anchors

is what a neighbour receives of it.
"""

from libc.math cimport fabs
from libc.stdint cimport int32_t, int64_t, uint8_t
from libc.string cimport memcpy, memset

from fastmatch._ext.ancast_pair cimport FINE, INTERRUPTED, STOPPED, Hood, Options, Scratch, View
from fastmatch._ext.interrupt cimport interrupted

cdef extern from *:
    """
    #include <math.h>
    #include <stdint.h>

    /* The loops that the time goes into. Where the C library can choose at run time, they are compiled once more for
       wider registers; without fused multiply-add, so that every machine gets the same bits. */
    #if defined(__GNUC__) && !defined(__clang__) && defined(__x86_64__) && defined(__GLIBC__) && defined(__OPTIMIZE__)
    #define WIDE __attribute__((target_clones("avx2", "default")))
    #else
    #define WIDE
    #endif

    /* sum = a + b */
    WIDE static void add_rows(const double *a, const double *b, double *sum, int64_t n)
    {
        for (int64_t k = 0; k < n; k++)
            sum[k] = a[k] + b[k];
    }

    /* a = a * b + 1 */
    WIDE static void scale_rows(double *a, const double *b, int64_t n)
    {
        for (int64_t k = 0; k < n; k++)
            a[k] = a[k] * b[k] + 1.0;
    }

    /* value = sqrt(a b - 1); the largest of them and of ``largest`` */
    WIDE static double combine_rows(const double *a, const double *b, double *value, int64_t n, double largest)
    {
        double most[8];
        int64_t k = 0;
        for (int64_t i = 0; i < n; i++)
            value[i] = sqrt(a[i] * b[i] - 1.0);
        for (int j = 0; j < 8; j++)
            most[j] = largest;
        for (; k + 8 <= n; k += 8)
            for (int j = 0; j < 8; j++)
                most[j] = value[k + j] > most[j] ? value[k + j] : most[j];
        for (; k < n; k++)
            most[0] = value[k] > most[0] ? value[k] : most[0];
        for (int j = 0; j < 8; j++)
            largest = most[j] > largest ? most[j] : largest;
        return largest;
    }

    /* value = value / largest; block = empty * value + anchors */
    WIDE static void settle_rows(double *value, const double *empty, const double *anchors, double *block, int64_t n,
                                 double largest)
    {
        for (int64_t k = 0; k < n; k++) {
            double x = value[k] / largest;
            value[k] = x;
            block[k] = empty[k] * x + anchors[k];
        }
    }
    """
    void add_rows(const double *a, const double *b, double *sum, int64_t n) noexcept nogil
    void scale_rows(double *a, const double *b, int64_t n) noexcept nogil
    double combine_rows(const double *a, const double *b, double *value, int64_t n, double largest) noexcept nogil
    void settle_rows(
        double *value, const double *empty, const double *anchors, double *block, int64_t n, double largest
    ) noexcept nogil


cdef enum:
    TEN_THOUSAND = 10000
    # Cells of a broadcast matrix from which on Ctrl-C is looked for in every iteration.
    MANY_CELLS = 20000


cdef void measure(const Hood *t, const Hood *g, double *ratio) noexcept nogil:
    """The smaller number of neighbours by the larger one, which stay as they are in all rounds; 0 if one is 0."""
    cdef int32_t i, j
    for i in range(t.n):
        for j in range(g.n):
            if t.size[i] == 0 or g.size[j] == 0:
                ratio[0] = 0
            else:
                ratio[0] = <double> min(t.size[i], g.size[j]) / <double> max(t.size[i], g.size[j])
            ratio += 1


cdef const double *sum_rows(
    const Hood *t, int32_t i, int32_t n_columns, const double *block, const double *zeros, double *passed
) noexcept nogil:
    """The sum of the rows of neighbourhood i; a row of the block itself if there is but one."""
    cdef int64_t at = t.start[i]
    cdef const double *source
    if at == t.start[i + 1]:
        return zeros
    source = block + <int64_t> t.member[at] * n_columns
    at += 1
    while at < t.start[i + 1]:
        add_rows(source, block + <int64_t> t.member[at] * n_columns, passed, n_columns)
        source = passed
        at += 1
    return source


cdef int32_t place_of_sets(const Hood *hood, int32_t n_classes) noexcept nogil:
    """Where class by class is set by set: set j is that of class j + the result alone, and classes before have none.

    -1 if it is not so; then results have to be spread over the classes that have a set.
    """
    cdef int32_t k = 0, base = hood.n > 0 and hood.size[0] == 0, empty
    while base and k < n_classes and hood.of_class[k] == 0:
        k += 1
    empty = k
    if n_classes - empty != hood.n - base:
        return -1
    while k < n_classes:
        if hood.of_class[k] != k - empty + base:
            return -1
        k += 1
    return empty - base


cdef void receive(
    const Hood *t, const Hood *g, int32_t n_columns, const double *block, const double *ratio, const double *zeros,
    double *passed, double *narrow, double *received, int32_t place,
) noexcept nogil:
    """received[i, k] = 1 + the sum of block over t's neighbourhood i and that of g's class k, times their ratio.

    First the rows of i's classes are added up, then the entries of each neighbourhood of g in that, and the results are
    spread over the classes that have it, unless they can go to their ``place`` at once; what is before it is 1 already.
    Four rows go together, because what costs is finding out what to add.
    """
    cdef int32_t i = 0, j, k, r, lines, member
    cdef int64_t at
    cdef const double *s[4]
    cdef double *d[4]
    cdef double x0, x1, x2, x3
    while i < t.n:
        lines = min(4, t.n - i)
        for r in range(4):
            s[r] = zeros
            d[r] = narrow + r * g.n
        for r in range(lines):
            s[r] = sum_rows(t, i + r, n_columns, block, zeros, passed + r * n_columns)
            if place >= 0:
                d[r] = received + r * n_columns + place
        for j in range(g.n):
            x0 = x1 = x2 = x3 = 0
            for at in range(g.start[j], g.start[j + 1]):
                member = g.member[at]
                x0 += s[0][member]
                x1 += s[1][member]
                x2 += s[2][member]
                x3 += s[3][member]
            d[0][j] = x0
            d[1][j] = x1
            d[2][j] = x2
            d[3][j] = x3
        for r in range(lines):
            scale_rows(d[r], ratio, g.n)
            if place < 0:
                for k in range(n_columns):
                    received[k] = d[r][g.of_class[k]]
            received += n_columns
            ratio += g.n
        i += 4


cdef bint settled(
    const double *value, const double *before, const double *empty, int64_t n, const Options *options
) noexcept nogil:
    """Whether no value that is not an anchor's has changed much."""
    cdef int64_t k
    for k in range(n):
        if fabs(before[k] - value[k]) - options.relative * value[k] > options.tolerance and empty[k] > 0:
            return False
    return True


cdef int broadcast(
    const View *t, const View *g, const Options *options, Scratch *scratch, const uint8_t *cancel
) noexcept nogil:
    """Spread the anchors in ``row`` until the values stay (equations 5 to 9), then F (equation 13)."""
    cdef int32_t n_rows = t.n_classes, n_columns = g.n_classes, i, j, c, k, _iteration
    cdef int64_t n_blocks = <int64_t> n_rows * n_columns, cell, own
    cdef int32_t place_out = place_of_sets(&g.out, n_columns), place_in = place_of_sets(&g.into, n_columns)
    cdef double largest, value
    cdef double *swap
    cell = 0
    for c in range(n_rows):
        for k in range(n_columns):
            scratch.room[cell] = <double> t.class_size[c] * g.class_size[k]
            scratch.anchors[cell] = 0
            cell += 1
    for i in range(t.n):
        if scratch.row[i] >= 0:
            cell = <int64_t> t.node_class[i] * n_columns + g.node_class[scratch.row[i]]
            scratch.anchors[cell] += 1
            scratch.room[cell] -= 1
    for cell in range(<int64_t> t.out.n * n_columns):
        scratch.received_out[cell] = 1
    for cell in range(<int64_t> t.into.n * n_columns):
        scratch.received_in[cell] = 1
    memset(scratch.value, 0, n_blocks * sizeof(double))
    memcpy(scratch.block, scratch.anchors, n_blocks * sizeof(double))
    for _iteration in range(options.iterations):
        if n_blocks > MANY_CELLS:
            if cancel[0]:
                return STOPPED
            if interrupted():
                return INTERRUPTED
        swap = scratch.before
        scratch.before = scratch.value
        scratch.value = swap
        receive(&t.out, &g.out, n_columns, scratch.block, scratch.ratio_out, scratch.zeros, scratch.passed,
                scratch.narrow, scratch.received_out, place_out)
        receive(&t.into, &g.into, n_columns, scratch.block, scratch.ratio_in, scratch.zeros, scratch.passed,
                scratch.narrow, scratch.received_in, place_in)
        largest = 0
        for c in range(n_rows):
            own = <int64_t> c * n_columns
            largest = combine_rows(
                scratch.received_out + <int64_t> t.out.of_class[c] * n_columns,
                scratch.received_in + <int64_t> t.into.of_class[c] * n_columns, scratch.value + own, n_columns, largest,
            )
        settle_rows(scratch.value, scratch.room, scratch.anchors, scratch.block, n_blocks,
                    largest if largest > 0 else 1.0)
        if settled(scratch.value, scratch.before, scratch.room, n_blocks, options):
            break
    cell = 0
    for i in range(t.n):
        own = <int64_t> t.node_class[i] * n_columns
        for j in range(g.n):
            value = scratch.value[own + g.node_class[j]]
            if scratch.row[i] == j:
                value = 1
            value = (value + options.beta) * (scratch.similarity[cell] + options.alpha)
            # to the nearest whole number, a half to the even one
            scratch.final[cell] = <int32_t> (value * TEN_THOUSAND + 6755399441055744.0 - 6755399441055744.0)
            cell += 1
    return FINE
