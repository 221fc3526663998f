# Have the cache fetch what will be read soon: memory that is read in no order is waited for otherwise.

cdef extern from *:
    """
    #if defined(__GNUC__) || defined(__clang__)
    #define fm_ask(x) __builtin_prefetch(x)
    #else
    #define fm_ask(x) ((void) (x))
    #endif
    """
    void fm_ask(const void *x) noexcept nogil
