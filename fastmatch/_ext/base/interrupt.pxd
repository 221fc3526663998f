"""Ctrl-C while a kernel runs in the main thread.

Python runs the handlers of signals between two instructions of the main thread, and a call of a kernel is a single
instruction. So a loop that may take long asks from time to time whether a signal has arrived. In any other thread the
answer is always no: there the caller watches from the main thread and sets ``cancel``.

    if interrupted():       # without the GIL, a few times a second: it takes the GIL, 1 µs if nobody else holds it
        stop soon
    ...
    if stopped:             # with the GIL, before any other call into Python
        raise_pending()

Where nothing has to be put in order first, one call is enough:

    raise_signals()         # without the GIL
"""

cdef extern from "Python.h":
    # Declared as never failing: the exception stays where it is until raise_pending lets it out.
    int PyErr_CheckSignals() noexcept


cdef inline bint interrupted() noexcept nogil:
    """Run the handlers of signals that have arrived; true if one raised (KeyboardInterrupt, mostly)."""
    with gil:
        return PyErr_CheckSignals() != 0


cdef inline int raise_pending() except -1:
    """Raise what :func:`interrupted` found."""
    return -1


cdef inline int raise_signals() except -1 nogil:
    """Run the handlers of signals that have arrived, and raise what one of them raises."""
    return -1 if interrupted() else 0
