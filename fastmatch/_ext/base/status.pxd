# What a function of a kernel returns when it stops before its work is done. All are negative, so that functions which
# return a count may return a status instead.
from libc.stdint cimport int64_t, uint8_t

from fastmatch._ext.base.interrupt cimport interrupted, raise_pending


cdef enum:
    FINE = 0
    NO_MEMORY = -1
    CANCELLED = -2                    # another thread has set ``cancel``: that thread raises, the kernel just returns
    INTERRUPTED = -3                  # by a signal, in the main thread: its exception waits for raise_pending
    TOO_LARGE = -4                    # a problem exceeds the limit that the caller has set


cdef inline int asked_to_stop(const uint8_t *cancel) noexcept nogil:
    """CANCELLED or INTERRUPTED if the work is to end now, else FINE. ``cancel`` may be NULL. Takes the GIL (1 µs)."""
    if cancel != NULL and cancel[0]:
        return CANCELLED
    return INTERRUPTED if interrupted() else FINE


cdef inline int stop_after(int64_t *since, int64_t patience, const uint8_t *cancel) noexcept nogil:
    """What :func:`asked_to_stop` says, asked only when more than ``patience`` was done since the last question."""
    if since[0] <= patience:
        return FINE
    since[0] = 0
    return asked_to_stop(cancel)


cdef inline int raise_status(int status, str out_of_memory) except -1:
    """Raise what belongs to ``status``; the caller holds the GIL and has freed its memory.

    Parameters
    ----------
    status : int
        FINE and CANCELLED raise nothing, and neither does TOO_LARGE, which callers look for.
    out_of_memory : str
        Message of the MemoryError for NO_MEMORY.

    Raises
    ------
    KeyboardInterrupt (mostly)
        If ``status`` is INTERRUPTED: what the signal's handler has raised.
    MemoryError
        If ``status`` is NO_MEMORY.
    """
    if status == INTERRUPTED:
        raise_pending()
    if status == NO_MEMORY:
        raise MemoryError(out_of_memory)
    return 0
