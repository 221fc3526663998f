"""A long piece of work, watched while a kernel does it: is it to end early, and how far is it?

A kernel that may work for seconds on one item looks up from time to time, a few times a second at least:

    watch_begin(&watch, item)         # for each item
    if look(&watch):                  # takes the GIL, 1 µs if nobody else holds it
        stop soon
    if watch.over:                    # what the last look said, for callers further up
        stop soon

The work ends early because another thread has set ``cancel``, because its time is over, or because an exception is
pending: a signal's handler has raised it (Ctrl-C), or the function that is told how far the work is. The exception
waits for raise_pending (interrupt.pxd), before any other call into Python.
"""

from libc.math cimport INFINITY
from libc.stdint cimport uint8_t

from fastmatch._ext.base.interrupt cimport interrupted

cdef extern from "<time.h>" nogil:
    struct timespec:
        long long tv_sec
        long tv_nsec
    int TIME_UTC
    int timespec_get(timespec *ts, int base)

cdef extern from "Python.h":
    ctypedef struct PyObject
    # Declared as never failing: the exception stays where it is until raise_pending lets it out.
    PyObject *PyObject_CallFunction(PyObject *function, const char *format, ...) noexcept
    void Py_DecRef(PyObject *reference) noexcept


cdef struct Watch:
    const uint8_t *cancel             # another thread sets it to 1 to stop the work
    double seconds                    # wall time that an item may take; infinite for no limit
    double started
    void *tell                        # function (item, reached, bound, share); NULL if nobody wants to know
    Py_ssize_t item
    double reached                    # what the function is told: the value of the best result so far,
    double bound                      # an upper bound of all results
    double share                      # the share of the work that is done, of what it may be at most
    bint over
    bint interrupted                  # an exception is pending


cdef inline double now() noexcept nogil:
    """Seconds of wall time."""
    cdef timespec ts
    timespec_get(&ts, TIME_UTC)
    return <double> ts.tv_sec + 1e-9 * ts.tv_nsec


cdef inline void watch_begin(Watch *watch, Py_ssize_t item) noexcept nogil:
    """The work on an item begins now. ``cancel``, ``seconds`` and ``tell`` are set already, ``interrupted`` is kept."""
    watch.item = item
    watch.over = watch.interrupted
    watch.reached = watch.share = 0.0
    watch.bound = INFINITY
    if watch.seconds < INFINITY:
        watch.started = now()


cdef inline double watch_spent(const Watch *watch) noexcept nogil:
    """Seconds since the item was begun if they have a limit, else 0."""
    return now() - watch.started if watch.seconds < INFINITY else 0.0


cdef inline bint glance(Watch *watch) noexcept nogil:
    """Whether the work is to end, without a look at signals and without telling anybody: needs no GIL."""
    if not watch.over and (watch.cancel[0] or (watch.seconds < INFINITY and now() - watch.started > watch.seconds)):
        watch.over = True
    return watch.over


cdef inline bint told(Watch *watch) noexcept nogil:
    """Tell how far the work is; False if that raised."""
    cdef PyObject *answer
    with gil:
        answer = PyObject_CallFunction(
            <PyObject *> watch.tell, b"nddd", watch.item, watch.reached, watch.bound, watch.share)
        if answer != NULL:
            Py_DecRef(answer)
    return answer != NULL


cdef inline bint look(Watch *watch) noexcept nogil:
    """Whether the work is to end; tells how far it is."""
    if not glance(watch) and (interrupted() or (watch.tell != NULL and not told(watch))):
        watch.interrupted = watch.over = True
    return watch.over
