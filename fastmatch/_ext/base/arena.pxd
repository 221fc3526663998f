# Scratch memory of one thread: taken once, sized to the largest pair met so far, handed out by moving a pointer.
from libc.stdint cimport int32_t
from libc.stdlib cimport free, malloc
from libc.string cimport memset

cdef extern from *:
    """
    /* From 128 MB on: such searches read in no order, and with pages of 4 KB they wait for the tables of pages. */
    #if defined(__linux__)
    #include <stdint.h>
    #include <sys/mman.h>
    #endif
    static inline void fm_large_pages(void *base, size_t size)
    {
    #if defined(__linux__) && defined(MADV_HUGEPAGE)
        const uintptr_t page = (uintptr_t) 1 << 21, first = ((uintptr_t) base + page - 1) & ~(page - 1);
        const uintptr_t last = ((uintptr_t) base + size) & ~(page - 1);
        if (base && last > first && last - first >= 64 * page)
            madvise((void *) first, last - first, MADV_HUGEPAGE);
    #else
        (void) base, (void) size;
    #endif
    }
    """
    void fm_large_pages(void *base, size_t size) noexcept nogil


cdef struct Arena:
    char *base
    size_t size
    size_t used


cdef inline void arena_init(Arena *arena) noexcept nogil:
    arena.base = NULL
    arena.size = 0
    arena.used = 0


cdef inline void arena_free(Arena *arena) noexcept nogil:
    free(arena.base)
    arena_init(arena)


cdef inline int arena_reserve(Arena *arena, size_t size) noexcept nogil:
    """Forget what the arena held and make room for ``size`` bytes; -1 if there is no memory."""
    arena.used = 0
    if size > arena.size:
        size += size // 2
        free(arena.base)
        arena.base = <char *> malloc(size)
        fm_large_pages(arena.base, size)
        arena.size = size if arena.base != NULL else 0
        if arena.base == NULL:
            return -1
    return 0


cdef inline size_t padded(size_t size) noexcept nogil:
    """Bytes that :func:`take` uses for ``size``: whole 16-byte units, so that every array is aligned."""
    return (size + 15) & ~(<size_t> 15)


cdef inline void *take(Arena *arena, size_t size) noexcept nogil:
    """``size`` bytes of what was reserved. The caller has counted: there is no check."""
    cdef void *pointer = arena.base + arena.used
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
