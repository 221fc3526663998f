"""Characters of a str, wherever Python keeps it as one, two or four bytes each."""

cdef extern from "Python.h":
    int PyUnicode_KIND(object text)
    const void *PyUnicode_DATA(object text)
    Py_UCS4 PyUnicode_READ(int kind, const void *data, Py_ssize_t index) nogil

cdef struct Text:
    int kind                # bytes of a character
    const void *data


cdef inline Text text_of(str text):
    """A view of it, good as long as it lives."""
    return Text(PyUnicode_KIND(text), PyUnicode_DATA(text))


cdef inline Py_UCS4 at(const Text *t, Py_ssize_t i) noexcept nogil:
    return PyUnicode_READ(t.kind, t.data, i)
