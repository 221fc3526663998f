# Scratch memory of one thread: taken once, sized to the largest pair met so far, handed out by moving a pointer.
from libc.stdint cimport int32_t
from libc.stdlib cimport free, malloc
from libc.string cimport memset

cdef extern from *:
    """
    /* From 256 MB on: such searches read in no order, and with pages of 4 KB they wait for the tables of pages. Below
       that they are as fast without, and where a virtual machine gives free memory back, to touch a large page for the
       first time takes up to 12 ms. */
    #if defined(__linux__)
    #include <stdint.h>
    #include <sys/mman.h>
    #endif
    static inline void fm_large_pages(void *base, size_t size, int large)
    {
    #if defined(__linux__) && defined(MADV_HUGEPAGE)
        const uintptr_t page = (uintptr_t) 1 << 21, first = ((uintptr_t) base + page - 1) & ~(page - 1);
        const uintptr_t last = ((uintptr_t) base + size) & ~(page - 1);
        if (base && last > first)
            madvise((void *) first, last - first, large ? MADV_HUGEPAGE : MADV_NOHUGEPAGE);
    #else
        (void) base, (void) size, (void) large;
    #endif
    }
    """
    void fm_large_pages(void *base, size_t size, bint large) noexcept nogil

cdef enum:
    LARGE_ARENA = 1 << 28
    PADDING = 16                # bytes that `take` adds to an array at most

# Arrays, where a struct has many of them.
ctypedef int32_t *Ints
ctypedef double *Doubles


cdef struct Arena:
    char *base
    size_t size
    size_t used


cdef inline void arena_init(Arena *arena) noexcept nogil:
    arena.base = NULL
    arena.size = arena.used = 0


cdef inline void arena_free(Arena *arena) noexcept nogil:
    free(arena.base)
    arena_init(arena)


cdef inline void arenas_free(Arena *first, Arena *last) noexcept nogil:
    """Free arenas that stand side by side in a struct."""
    while first <= last:
        arena_free(first)
        first += 1


cdef inline int arena_reserve(Arena *arena, size_t size) noexcept nogil:
    """Forget what the arena held and make room for ``size`` bytes; -1 if there is no memory."""
    arena.used = 0
    if size > arena.size:
        if size < LARGE_ARENA:
            size += size // 2
        free(arena.base)
        arena.base = <char *> malloc(size)
        if size >= LARGE_ARENA:
            fm_large_pages(arena.base, size, True)
        arena.size = size if arena.base != NULL else 0
        if arena.base == NULL:
            return -1
    return 0


cdef inline void rest_in_small_pages(Arena *arena) noexcept nogil:
    """Have what is taken from now on take no memory before it is written to, page by page, in a large arena, too.

    What was taken so far has large pages, which are good for arrays that are read in no order.
    """
    if arena.size >= LARGE_ARENA:
        fm_large_pages(arena.base, arena.used, True)
        fm_large_pages(arena.base + arena.used, arena.size - arena.used, False)


cdef inline size_t padded(size_t size) noexcept nogil:
    """Bytes that :func:`take` uses for ``size``: whole 16-byte units, so that every array is aligned."""
    return (size + 15) & ~(<size_t> 15)


cdef inline void *take(Arena *arena, size_t size) noexcept nogil:
    """``size`` bytes of what was reserved. The caller has counted: there is no check.

    An arena that has no memory counts: ``used`` is what another one must have. Nobody may write to what it gives.
    """
    cdef void *pointer = <void *> (<size_t> arena.base + arena.used)
    arena.used += padded(size)
    return pointer


cdef inline void *take_zeros(Arena *arena, size_t size) noexcept nogil:
    """As :func:`take`, with all bytes 0."""
    cdef void *room = take(arena, size)
    if size:    # an arena of no bytes is NULL, to which C's function must not be given
        memset(room, 0, size)
    return room


cdef inline double *doubles(Arena *arena, size_t n) noexcept nogil:
    return <double *> take(arena, n * sizeof(double))


cdef inline int32_t *ints(Arena *arena, size_t n) noexcept nogil:
    return <int32_t *> take(arena, n * sizeof(int32_t))
